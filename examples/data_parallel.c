/* Data parallelism: a small network is trained twice by the same steps, once on one device and once on four. There,
 * each device has a tower, the same model on a quarter of the batch; CPU:0 holds the parameters and changes them by
 * the mean of the towers' gradients. Both end with the same weights, but for rounding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/devices.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"

enum { TOWERS = 4, BATCH = 64, INPUTS = 8, HIDDEN = 16, STEPS = 200, WEIGHTS = INPUTS * HIDDEN + HIDDEN };

static const char *const devices[TOWERS] = {"/cpu:0", "/cpu:1", "/cpu:2", "/cpu:3"};

static void check(bool is_good, const char *message) {
    if (is_good) return;
    fprintf(stderr, "data_parallel: %s\n", message);
    exit(1);
}

struct model {
    struct sl_var w, v;
};

static TF_Output loss_of(struct sl_scope *s, const struct model *m, TF_Output x, TF_Output y) {
    TF_Output hidden = sl_tanh(s, sl_matmul(s, x, m->w.value)), out = sl_matmul(s, hidden, m->v.value);
    return sl_mean_all(s, sl_square(s, sl_sub(s, out, y)));
}

/* The mean over the towers of the gradients of their parts of the batch. */
static void tower_gradients(struct sl_scope *s, struct sl_slices *average, const struct model *m, TF_Output x,
                            TF_Output y, int n) {
    struct sl_slices gradients[TOWERS][2];
    const struct sl_slices *towers[TOWERS];
    const struct sl_var variables[] = {m->w, m->v};
    for (int t = 0; t < n; t++) {
        TF_Output from = sl_int_vector(s, SL_INTS(t * BATCH / n, 0)), size = sl_int_vector(s, SL_INTS(BATCH / n, -1));
        sl_push_device(s, devices[t]);
        TF_Output loss = loss_of(s, m, sl_slice(s, x, from, size), sl_slice(s, y, from, size));
        sl_compute_gradients(s, loss, variables, 2, gradients[t]);
        sl_pop(s);
        towers[t] = gradients[t];
    }
    sl_average_gradients(s, average, towers, n, 2, devices[0]);
}

/* The same numbers in each run. */
static float number(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / (1 << 23) - 1;
}

static TF_Output filled(struct sl_scope *s, int64_t rows, int64_t columns, unsigned seed) {
    float values[BATCH * HIDDEN];
    for (int64_t i = 0; i < rows * columns; i++) values[i] = number(&seed);
    return sl_constant_of(s, TF_FLOAT, SL_SHAPE(rows, columns), values);
}

/* Trains with so many towers; the weights at the end, and the loss. */
static double train(float *weights, int n_towers) {
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    struct sl_scope *s = sl_scope_new(graph);
    sl_push_device(s, devices[0]);
    TF_Output x = filled(s, BATCH, INPUTS, 1), y = filled(s, BATCH, 1, 2);
    struct model m = {.w = sl_variable(s, "w", filled(s, INPUTS, HIDDEN, 3)),
                      .v = sl_variable(s, "v", filled(s, HIDDEN, 1, 4))};
    sl_pop(s);
    struct sl_slices average[2];
    tower_gradients(s, average, &m, x, y, n_towers);
    const struct sl_optimizer momentum = SL_OPTIONS(sl_optimizer, .kind = SL_MOMENTUM, .rate = .02);
    const struct sl_var variables[] = {m.w, m.v};
    sl_push_device(s, devices[0]);
    TF_Operation *step = sl_apply_gradients(s, &momentum, variables, 2, average, NULL), *init = sl_variables_init(s);
    TF_Output loss = loss_of(s, &m, x, y);
    sl_pop(s);
    check(sl_scope_ok(s), sl_scope_message(s));

    TF_SessionOptions *options = TF_NewSessionOptions();
    sl_options_set_cpus(options, TOWERS, status);
    TF_Session *session = TF_NewSession(graph, options, status);
    check(TF_GetCode(status) == TF_OK, TF_Message(status));
    const TF_Operation *first = init, *next = step;
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &first, 1, NULL, status);
    for (int i = 0; i < STEPS && TF_GetCode(status) == TF_OK; i++)
        TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &next, 1, NULL, status);
    check(TF_GetCode(status) == TF_OK, TF_Message(status));
    const TF_Output fetches[] = {m.w.value, m.v.value, loss};
    TF_Tensor *got[3] = {NULL};
    TF_SessionRun(session, NULL, NULL, NULL, 0, fetches, got, 3, NULL, 0, NULL, status);
    check(TF_GetCode(status) == TF_OK, TF_Message(status));
    memcpy(weights, TF_TensorData(got[0]), INPUTS * HIDDEN * sizeof *weights);
    memcpy(weights + INPUTS * HIDDEN, TF_TensorData(got[1]), HIDDEN * sizeof *weights);
    double end = (double)*(const float *)TF_TensorData(got[2]);
    for (int i = 0; i < 3; i++) TF_DeleteTensor(got[i]);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return end;
}

int main(void) {
    static float one[WEIGHTS], four[WEIGHTS];
    double loss_of_one = train(one, 1), loss_of_four = train(four, TOWERS), apart = 0;
    for (int i = 0; i < WEIGHTS; i++) apart = fmax(apart, fabs((double)(one[i] - four[i])));
    printf("after %d steps: loss %.6f on one device, %.6f on %d; weights at most %.1e apart\n", STEPS, loss_of_one,
           loss_of_four, TOWERS, apart);
    return loss_of_one < .2 && apart < 1e-3 ? 0 : 1;
}
