/* Ops, tapes and gradients in few words, for tests of src/tape: everything fails the test when it fails. The test's
 * bench is `b`. */
#ifndef SL_TESTS_TAPE_BENCH_H
#define SL_TESTS_TAPE_BENCH_H

#include <math.h>
#include <stdlib.h>

#include "unit/executing.h"
#include "unit/unit.h"

enum { MOST_TAPES = 3 };

struct bench {
    struct executing x;
    struct sl_execute_emitter e;
    struct sl_recording *tapes[MOST_TAPES];
    struct sl_error err;
};
int bench_begin(void **state);
int bench_end(void **state);
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_begin, bench_end)

/* Constants of n elements, 0: a scalar; of double, or as said. */
struct sl_term constant(struct bench *b, int dtype, int n, const double *v);
#define COUNT(...)  (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double))
#define VECTOR(...) constant(b, SL_DOUBLE, COUNT(__VA_ARGS__), (double[]){__VA_ARGS__})
#define INTS(...)   constant(b, SL_INT32, COUNT(__VA_ARGS__), (double[]){__VA_ARGS__})
#define NUMBER(v)   constant(b, SL_DOUBLE, 0, (double[]){v})
#define INTEGER(v)  constant(b, SL_INT32, 0, (double[]){v})

sl_code try_emit(struct sl_term *out, struct bench *b, const char *op, const struct sl_term *inputs, int n,
                 const struct sl_attr *attrs, int n_attrs);
struct sl_term run(struct bench *b, const char *op, const struct sl_term *inputs, int n, const struct sl_attr *attrs,
                   int n_attrs);
#define TERMS(...)                                                                                                     \
    (struct sl_term[]) { __VA_ARGS__ }
#define TERM_COUNT(...) (int)(sizeof(TERMS(__VA_ARGS__)) / sizeof(struct sl_term))
#define RUN(op, ...)    run(b, op, TERMS(__VA_ARGS__), TERM_COUNT(__VA_ARGS__), NULL, 0)
static inline struct sl_term at(struct sl_term t, int output) { return (struct sl_term){t.of, t.index + output}; }

/* One more tape listens, within the others. */
void listen(struct bench *b, bool is_persistent);
/* All tapes that listen watch it. */
void watch(struct bench *b, struct sl_term t);
/* The gradient of y by x, of tape number `tape`; those around it listen, others do no more. */
struct sl_term_gradient gradient_as(struct bench *b, int tape, struct sl_term y, struct sl_term x,
                                    struct sl_recording_spec spec);
struct sl_term gradient(struct bench *b, int tape, struct sl_term y, struct sl_term x);

void assert_values(struct sl_term t, int n, const double *wanted);
#define ASSERT_VALUES(t, ...) assert_values(t, COUNT(__VA_ARGS__), (double[]){__VA_ARGS__})

#endif
