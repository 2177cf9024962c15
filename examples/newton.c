/* Second derivatives: finds the lowest point of Rosenbrock's banana-shaped valley, in 20 dimensions, by Newton's
 * method. The step solves (H + damping I) p = -g by conjugate gradients, a loop of the graph whose body multiplies
 * with the Hessian H as the derivative of g p. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/flow.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "sluice/train.h"

enum { N = 20, SOLVER_STEPS = 40, MOST_STEPS = 100 };

static TF_Output number(struct sl_scope *s, double value) { return sl_scalar(s, TF_DOUBLE, value); }

/* The sum of 100 (x[i + 1] - x[i]^2)^2 + (1 - x[i])^2. */
static TF_Output valley(struct sl_scope *s, TF_Output x) {
    TF_Output rest = sl_int_vector(s, SL_INTS(N - 1));
    TF_Output here = sl_slice(s, x, sl_int_vector(s, SL_INTS(0)), rest),
              there = sl_slice(s, x, sl_int_vector(s, SL_INTS(1)), rest);
    TF_Output bent = sl_sub(s, there, sl_square(s, here)), far = sl_sub(s, number(s, 1), here);
    return sl_sum_all(s, sl_add_v2(s, sl_mul(s, number(s, 100), sl_square(s, bent)), sl_square(s, far)));
}

static TF_Output dot(struct sl_scope *s, TF_Output a, TF_Output b) { return sl_sum_all(s, sl_mul(s, a, b)); }

struct problem {
    TF_Output x, damping;
};

/* H p + damping p: differentiates twice, within whatever loop this is called in. */
static TF_Output times_hessian(struct sl_scope *s, const struct problem *of, TF_Output p) {
    TF_Output x = sl_identity(s, of->x), f = valley(s, x), g, product;
    sl_gradients(s, &g, &f, 1, &x, 1);
    TF_Output along = dot(s, g, p);
    sl_gradients(s, &product, &along, 1, &x, 1);
    return sl_add_v2(s, product, sl_mul(s, of->damping, p));
}

/* Variables: steps left, the solution so far, what is left over (r), the direction (d), r r. */
static TF_Output goes_on(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_logical_and(s, sl_greater(s, v[0], number(s, 0)), sl_greater(s, v[4], number(s, 1e-24)));
}
static void improve(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    TF_Output image = times_hessian(s, arg, v[3]), share = sl_div(s, v[4], dot(s, v[3], image));
    next[0] = sl_sub(s, v[0], number(s, 1));
    next[1] = sl_add_v2(s, v[1], sl_mul(s, share, v[3]));
    next[2] = sl_sub(s, v[2], sl_mul(s, share, image));
    next[4] = dot(s, next[2], next[2]);
    next[3] = sl_add_v2(s, next[2], sl_mul(s, sl_div(s, next[4], v[4]), v[3]));
}

/* x moved by one damped Newton step. */
static TF_Output moved(struct sl_scope *s, const struct problem *of, TF_Output f) {
    TF_Output g, end[5];
    sl_gradients(s, &g, &f, 1, &of->x, 1);
    TF_Output r = sl_neg(s, g), start[] = {number(s, SOLVER_STEPS), sl_zeros_like(s, g), r, r, dot(s, r, r)};
    sl_while(s, end, start, 5, goes_on, improve, (void *)of, NULL);
    return sl_add_v2(s, of->x, end[1]);
}

static void run(TF_Session *session, const TF_Output *feeds, TF_Tensor **fed, TF_Output fetch, double *out, int n) {
    TF_Status *status = TF_NewStatus();
    TF_Tensor *got = NULL;
    TF_SessionRun(session, NULL, feeds, fed, 2, &fetch, &got, 1, NULL, 0, NULL, status);
    if (TF_GetCode(status) != TF_OK) {
        fprintf(stderr, "newton: %s\n", TF_Message(status));
        exit(1);
    }
    memcpy(out, TF_TensorData(got), sizeof *out * (size_t)n);
    TF_DeleteTensor(got);
    TF_DeleteStatus(status);
}

int main(void) {
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    struct sl_scope *s = sl_scope_new(graph);
    struct problem of = {sl_placeholder(s, "x", TF_DOUBLE, SL_SHAPE(N)),
                         sl_placeholder(s, "damping", TF_DOUBLE, SL_SCALAR)};
    TF_Output f = valley(s, of.x), next = moved(s, &of, f);
    if (!sl_scope_ok(s)) return fprintf(stderr, "newton: %s\n", sl_scope_message(s)), 1;
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);

    TF_Tensor *fed[] = {TF_AllocateTensor(TF_DOUBLE, (int64_t[]){N}, 1, N * sizeof(double)),
                        TF_AllocateTensor(TF_DOUBLE, NULL, 0, sizeof(double))};
    double *x = TF_TensorData(fed[0]), *damping = TF_TensorData(fed[1]), height, lower, better[N], old[N];
    for (int i = 0; i < N; i++) x[i] = 0;
    *damping = 1;
    const TF_Output feeds[] = {of.x, of.damping};
    run(session, feeds, fed, f, &height, 1);
    int step = 0;
    for (; step < MOST_STEPS && height > 1e-18; step++) {
        run(session, feeds, fed, next, better, N);
        memcpy(old, x, sizeof old);
        memcpy(x, better, sizeof better);
        run(session, feeds, fed, f, &lower, 1);
        bool is_better = lower < height; /* and no NaN */
        *damping = is_better ? *damping / 8 : *damping * 8 + 1e-6;
        if (is_better) height = lower;
        else memcpy(x, old, sizeof old);
        if (step % 10 == 0) printf("step %2d: height %.3e, damping %.1e\n", step + 1, height, *damping);
    }
    printf("after %d steps: height %.1e at x[0] = %.9f, x[%d] = %.9f\n", step, height, x[0], N - 1, x[N - 1]);

    for (int i = 0; i < 2; i++) TF_DeleteTensor(fed[i]);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return height <= 1e-18 ? 0 : 1;
}
