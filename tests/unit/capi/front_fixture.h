/* Short words for tests of the front end: a graph with a scope and a session, values out of it. */
#ifndef SL_TESTS_FRONT_FIXTURE_H
#define SL_TESTS_FRONT_FIXTURE_H

#include <math.h>

#include "sluice/scope.h"
#include "unit/unit.h"

struct front {
    TF_Graph *graph;
    struct sl_scope *s;
    TF_Session *session; /* NULL until front_open */
};

struct front front_new(void);
void front_delete(struct front *f);
/* Fails the test when the scope has an error; starts a session and gives the variables their initial values. */
void front_open(struct front *f);
/* Runs an operation, or fetches the n floats of an output; fails the test when the run does or there are not n. */
void front_do(struct front *f, TF_Operation *operation);
void front_floats(struct front *f, TF_Output output, float *out, int n);
/* Feeds a float scalar meanwhile. */
void front_feed_floats(struct front *f, TF_Output feed, float value, TF_Output output, float *out, int n);
/* Compares all elements, within 1e-5. */
void front_expect(struct front *f, TF_Output output, const float *wanted, int n, const char *where, int line);
/* sin(.5 + i step) for element i, in row-major order; an operation that gives these to the variable made `at`-th. */
TF_Output front_waves(struct sl_scope *s, struct sl_dims shape, double step);
TF_Operation *front_set_waves(struct front *f, int at, double step);
/* front_open, and then the first n variables become waves of these steps. */
void front_make_waves(struct front *f, const double *steps, int n);
/* Compares the gradient with differences, at the values that x and the variables have; and by each trainable
 * variable. */
void front_check_gradient(struct front *f, TF_Output y, TF_Output x);
void front_check_gradients(struct front *f, TF_Output y, TF_Output x);

#define FLOATS(...)                                                                                                    \
    ((struct sl_floats){(const float[]){__VA_ARGS__}, (int)(sizeof((float[]){__VA_ARGS__}) / sizeof(float))})
#define expect_floats(f, output, ...)                                                                                  \
    front_expect(f, output, (const float[]){__VA_ARGS__}, (int)(sizeof((float[]){__VA_ARGS__}) / sizeof(float)),       \
                 __FILE__, __LINE__)

#endif
