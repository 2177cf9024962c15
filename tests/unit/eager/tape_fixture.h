/* Short words for tests of tapes over eager handles: a context, values that go with the test, ops by one call. On the
 * public headers alone. Everything that fails fails the test. */
#ifndef SL_TESTS_TAPE_FIXTURE_H
#define SL_TESTS_TAPE_FIXTURE_H

#include "sluice/tape.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"
#include "unit/capi/capi_fixture.h"

enum { MOST_VALUES = 1024 };

struct taping {
    TFE_Context *context;
    TF_Status *status;
    TFE_TensorHandle *values[MOST_VALUES]; /* deleted at the end */
    int n_values;
};
int taping_begin(void **state);
int taping_begin_async(void **state);
int taping_end(void **state);
#define TAPING(f)       cmocka_unit_test_setup_teardown(f, taping_begin, taping_end)
#define TAPING_ASYNC(f) cmocka_unit_test_setup_teardown(f, taping_begin_async, taping_end)

/* From here on the value goes with the test. */
TFE_TensorHandle *keep(struct taping *t, TFE_TensorHandle *value);
/* It goes now. */
void drop(struct taping *t, TFE_TensorHandle *value);
/* Values of float, of n elements; n 0: a scalar. */
TFE_TensorHandle *floats(struct taping *t, int n, const float *values);
TFE_TensorHandle *matrix(struct taping *t, int rows, int columns, const float *values);
TFE_TensorHandle *integers(struct taping *t, int n, const int32_t *values);
#define FLOAT_COUNT(...) (int)(sizeof((float[]){__VA_ARGS__}) / sizeof(float))
#define FLOATS(...)      floats(t, FLOAT_COUNT(__VA_ARGS__), (float[]){__VA_ARGS__})
#define NUMBER(v)        floats(t, 0, (float[]){v})
#define INTS(...)        integers(t, (int)(sizeof((int32_t[]){__VA_ARGS__}) / 4), (int32_t[]){__VA_ARGS__})
#define INTEGER(v)       integers(t, 0, (int32_t[]){v})

/* The first output of an op; `attrs` may be NULL. */
TFE_TensorHandle *execute(struct taping *t, const char *op, TFE_TensorHandle *const *inputs, int n,
                          void (*attrs)(TFE_Op *op));
#define HANDLES(...)      ((TFE_TensorHandle *const[]){__VA_ARGS__})
#define HANDLE_COUNT(...) (int)(sizeof(HANDLES(__VA_ARGS__)) / sizeof(TFE_TensorHandle *))
#define RUN(op, ...)      execute(t, op, HANDLES(__VA_ARGS__), HANDLE_COUNT(__VA_ARGS__), NULL)

/* A variable of float that holds a value. */
TFE_TensorHandle *variable(struct taping *t, TFE_TensorHandle *value);
TFE_TensorHandle *read_variable(struct taping *t, TFE_TensorHandle *variable);

struct sl_tape *tape_on(struct taping *t, bool persistent);
struct sl_tape *tape_of(struct taping *t, bool persistent, TFE_TensorHandle *x); /* that watches x */
/* The gradient of y by x, NULL when there is none. */
TFE_TensorHandle *gradient(struct taping *t, struct sl_tape *tape, TFE_TensorHandle *y, TFE_TensorHandle *x);

void assert_floats(struct taping *t, TFE_TensorHandle *h, int n, const float *wanted);
#define ASSERT_FLOATS(h, ...) assert_floats(t, h, FLOAT_COUNT(__VA_ARGS__), (float[]){__VA_ARGS__})

#endif
