/* Conditional computation: a mixture of four experts, of which each example runs one alone. A gate chooses it; the
 * experts' weights, and by how sure it was the gate's, are trained through the choice. What is learnt is another
 * plane in each corner of a square. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/flow.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"
#include "sluice/training.h"

enum { EXPERTS = 4, BATCH = 32, STEPS = 600, LAST = 100 };

struct expert {
    TF_Output kernel, bias; /* [2, 1], [1] */
    struct sl_var uses;
};
struct mixture {
    struct expert experts[EXPERTS];
    TF_Output point; /* [1, 2], of the example under way */
};

/* Runs for the examples that chose it, and for no others: it counts them. */
static void ask(struct sl_scope *s, TF_Output *out, const struct mixture *m, int which) {
    const struct expert *e = &m->experts[which];
    TF_Operation *count = sl_variable_add(s, e->uses, sl_scalar(s, TF_FLOAT, 1));
    sl_push_control(s, &count, 1);
    out[0] = sl_bias_add(s, sl_matmul(s, m->point, e->kernel), e->bias);
    sl_pop(s);
}
static void first(struct sl_scope *s, TF_Output *out, void *arg) { ask(s, out, arg, 0); }
static void second(struct sl_scope *s, TF_Output *out, void *arg) { ask(s, out, arg, 1); }
static void third(struct sl_scope *s, TF_Output *out, void *arg) { ask(s, out, arg, 2); }
static void fourth(struct sl_scope *s, TF_Output *out, void *arg) { ask(s, out, arg, 3); }

/* One example, [2 + EXPERTS]: the point, and the gate's probabilities. */
static TF_Output answer(struct sl_scope *s, TF_Output element, void *arg) {
    static void (*const experts[])(struct sl_scope *, TF_Output *, void *) = {first, second, third, fourth};
    struct mixture *m = arg;
    TF_Output two = sl_int_vector(s, SL_INTS(2)),
              chances = sl_slice(s, element, two, sl_int_vector(s, SL_INTS(EXPERTS)));
    TF_Output axis = sl_scalar(s, TF_INT32, 0), said;
    TF_Output choice = sl_arg_max_with(s, chances, axis, (struct sl_arg_max_attrs){.output_type = TF_INT32});
    m->point = sl_reshape(s, sl_slice(s, element, sl_int_vector(s, SL_INTS(0)), two), sl_int_vector(s, SL_INTS(1, 2)));
    sl_case(s, &said, 1, choice, experts, EXPERTS, m);
    TF_Output sure = sl_gather_v2(s, chances, choice, axis);
    return sl_mul(s, sl_reshape(s, said, sl_int_vector(s, SL_INTS(1))), sure);
}

struct network {
    TF_Output points, heights, loss;
    struct mixture mixture;
    struct sl_var step;
    TF_Operation *train;
};

static void build(struct sl_scope *s, struct network *n) {
    n->points = sl_placeholder(s, "points", TF_FLOAT, SL_SHAPE(BATCH, 2));
    n->heights = sl_placeholder(s, "heights", TF_FLOAT, SL_SHAPE(BATCH, 1));
    n->step = sl_step_counter(s);
    sl_seed(s, 3);
    for (int i = 0; i < EXPERTS; i++) {
        sl_push_name(s, "expert");
        n->mixture.experts[i] =
            (struct expert){sl_variable(s, "kernel", sl_initial_normal(s, TF_FLOAT, SL_SHAPE(2, 1), 0, .5)).value,
                            sl_variable(s, "bias", sl_initial_zeros(s, TF_FLOAT, SL_SHAPE(1))).value,
                            sl_variable_untrained(s, "uses", sl_scalar(s, TF_FLOAT, 0))};
        sl_pop(s);
    }
    TF_Output gate = sl_layer_dense(s, "hidden", n->points, 16, SL_TANH);
    gate = sl_softmax(s, sl_layer_dense(s, "gate", gate, EXPERTS, SL_LINEAR));
    const TF_Output both[] = {n->points, gate};
    TF_Output all = sl_concat_v2(s, both, 2, sl_scalar(s, TF_INT32, 1));
    TF_Output guesses = sl_map(s, all, TF_FLOAT, answer, &n->mixture);
    n->loss = sl_loss_squares(s, guesses, n->heights);
    /* Every expert should get its share of the examples. */
    TF_Output shares = sl_mean(s, gate, sl_int_vector(s, SL_INTS(0)));
    TF_Output total = sl_add_v2(s, n->loss, sl_sum_all(s, sl_square(s, shares)));
    const struct sl_optimizer adam = SL_OPTIONS(sl_optimizer, .kind = SL_ADAM, .rate = .02);
    n->train = sl_minimize(s, &adam, total, &n->step);
}

static float height(float x, float y) {
    if (x < 0) return y < 0 ? x + 2 * y : 1 - x;
    return y < 0 ? 2 - y : 3 * x - y - 1;
}

int main(void) {
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    struct sl_scope *s = sl_scope_new(graph);
    static struct network n;
    build(s, &n);
    TF_Output uses[EXPERTS];
    for (int i = 0; i < EXPERTS; i++) uses[i] = n.mixture.experts[i].uses.value;
    const struct sl_training_options options =
        SL_OPTIONS(sl_training_options, .step = n.step, .train = n.train, .loss = n.loss, .last_step = STEPS);
    TF_Output counts = sl_pack(s, uses, EXPERTS);
    struct sl_training *training = sl_scope_ok(s) ? sl_training_new(s, &options, status) : NULL;
    if (!training) return fprintf(stderr, "experts: %s%s\n", sl_scope_message(s), TF_Message(status)), 1;

    const TF_Output feeds[] = {n.points, n.heights};
    TF_Tensor *fed[] = {TF_AllocateTensor(TF_FLOAT, (int64_t[]){BATCH, 2}, 2, BATCH * 2 * sizeof(float)),
                        TF_AllocateTensor(TF_FLOAT, (int64_t[]){BATCH, 1}, 2, BATCH * sizeof(float))},
              *got = NULL;
    float *points = TF_TensorData(fed[0]), *heights = TF_TensorData(fed[1]), loss = 0;
    uint32_t random = 1;
    while (sl_training_goes_on(training, status)) {
        for (int i = 0; i < 2 * BATCH; i++) {
            random = random * 1664525u + 1013904223u;
            points[i] = (float)(random >> 8) / (1 << 23) - 1;
        }
        for (int i = 0; i < BATCH; i++) heights[i] = height(points[2 * i], points[2 * i + 1]);
        sl_training_run(training, feeds, fed, 2, &n.loss, &got, 1, status);
        if (got) loss += *(float *)TF_TensorData(got) / LAST;
        TF_DeleteTensor(got);
        if (sl_training_step(training) % LAST || !got) continue;
        printf("step %d: loss %.4f\n", (int)sl_training_step(training), (double)loss);
        if (sl_training_step(training) < STEPS) loss = 0;
    }
    float sum = 0;
    if (TF_GetCode(status) == TF_OK)
        TF_SessionRun(sl_training_session(training), NULL, NULL, NULL, 0, &counts, &got, 1, NULL, 0, NULL, status);
    if (TF_GetCode(status) != TF_OK) return fprintf(stderr, "experts: %s\n", TF_Message(status)), 1;
    for (int i = 0; i < EXPERTS; i++) sum += ((float *)TF_TensorData(got))[i];
    for (int i = 0; i < EXPERTS; i++)
        printf("expert %d ran for %.0f examples\n", i + 1, (double)((float *)TF_TensorData(got))[i]);
    TF_DeleteTensor(got);
    TF_DeleteTensor(fed[0]);
    TF_DeleteTensor(fed[1]);
    sl_training_delete(training);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    /* One plane alone comes to .9; each example ran one expert. */
    return loss < .25f && sum == (float)STEPS * BATCH ? 0 : 1;
}
