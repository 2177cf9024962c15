/* The steps whose instructions bench/count_instructions counts: what the executor itself costs, with kernels that do
 * next to nothing. Each case is a graph, built here, run a few times on one thread until nothing changes any more,
 * then RUNS times within `measured_runs`, which is what is counted. Prints a line for each case: its name and how
 * many runs were counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/flow.h"
#include "sluice/ops.h"
#include "sluice/train.h"
#include "tensorflow/c/c_api.h"

enum { WARM_RUNS = 3, RUNS = 5 };

/* What a case fetches: `x` is a float that is fed. */
struct built {
    TF_Output fetch;
    TF_Operation *target;
};

/* ---- graphs */
static TF_Output number(struct sl_scope *s, double value) { return sl_scalar(s, TF_FLOAT, value); }

static struct built null_step(struct sl_scope *s, TF_Output x, int n) {
    (void)n;
    return (struct built){.fetch = sl_identity(s, x)};
}

static struct built chain(struct sl_scope *s, TF_Output x, int n) {
    TF_Output y = x;
    for (int i = 0; i < n; i++) y = sl_add_v2(s, y, x);
    return (struct built){.fetch = y};
}

static struct built fan(struct sl_scope *s, TF_Output x, int n) {
    TF_Output *all = calloc((size_t)n, sizeof *all);
    if (!all) abort();
    for (int i = 0; i < n; i++) all[i] = sl_mul(s, x, number(s, i));
    TF_Output sum = sl_add_n(s, all, n);
    free(all);
    return (struct built){.fetch = sum};
}

static struct built no_ops(struct sl_scope *s, TF_Output x, int n) {
    (void)x;
    TF_Operation **all = calloc((size_t)n, sizeof *all);
    if (!all) abort();
    for (int i = 0; i < n; i++) all[i] = sl_no_op(s);
    TF_Operation *group = sl_group(s, all, n);
    free(all);
    return (struct built){.target = group};
}

static void plus_one(struct sl_scope *s, TF_Output *out, void *x) {
    *out = sl_add_v2(s, *(TF_Output *)x, number(s, 1));
}
static void minus_one(struct sl_scope *s, TF_Output *out, void *x) { *out = sl_sub(s, *(TF_Output *)x, number(s, 1)); }
static struct built conds(struct sl_scope *s, TF_Output x, int n) {
    for (int i = 0; i < n; i++) {
        TF_Output is_greater = sl_greater(s, x, number(s, i)), y = x;
        sl_cond(s, &x, 1, is_greater, plus_one, minus_one, &y);
    }
    return (struct built){.fetch = x};
}

static TF_Output below(struct sl_scope *s, const TF_Output *v, void *limit) {
    return sl_less(s, v[0], number(s, *(int *)limit));
}
static void count(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *limit) {
    (void)limit;
    next[0] = sl_add_v2(s, v[0], number(s, 1));
}
static struct built counter(struct sl_scope *s, TF_Output x, int n) {
    struct built b = {0};
    TF_Output start = sl_mul(s, x, number(s, 0));
    sl_while(s, &b.fetch, &start, 1, below, count, &n, NULL);
    return b;
}

static void fibonacci(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *limit) {
    count(s, next, v, limit);
    next[1] = sl_add_v2(s, v[1], v[2]);
    next[2] = v[1];
}
static struct built three_variables(struct sl_scope *s, TF_Output x, int n) {
    TF_Output start[3] = {number(s, 0), x, number(s, 2)}, last[3];
    sl_while(s, last, start, 3, below, fibonacci, &n, NULL);
    return (struct built){.fetch = last[1]};
}

static void add_index(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *limit) {
    count(s, next, v, limit);
    next[1] = sl_add_v2(s, v[1], v[0]);
}
static void sum_up(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *limit) {
    TF_Output start[2] = {number(s, 0), v[1]}, last[2];
    count(s, next, v, limit);
    sl_while(s, last, start, 2, below, add_index, limit, NULL);
    next[1] = last[1];
}
static struct built nested(struct sl_scope *s, TF_Output x, int n) {
    TF_Output start[2] = {number(s, 0), x}, last[2];
    sl_while(s, last, start, 2, below, sum_up, &n, NULL);
    return (struct built){.fetch = last[1]};
}

static void choose(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *limit) {
    TF_Output x = v[1];
    count(s, next, v, limit);
    sl_cond(s, &next[1], 1, sl_less(s, v[0], number(s, *(int *)limit / 2)), plus_one, minus_one, &x);
}
static struct built cond_in_loop(struct sl_scope *s, TF_Output x, int n) {
    TF_Output start[2] = {number(s, 0), x}, last[2];
    sl_while(s, last, start, 2, below, choose, &n, NULL);
    return (struct built){.fetch = last[1]};
}

static void bend(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *limit) {
    count(s, next, v, limit);
    next[1] = sl_tanh(s, sl_add_v2(s, sl_mul(s, v[1], number(s, 0.7)), number(s, 0.1)));
}
static struct built loop_gradient(struct sl_scope *s, TF_Output x, int n) {
    TF_Output start[2] = {number(s, 0), x}, last[2];
    struct built b = {0};
    sl_while(s, last, start, 2, below, bend, &n, NULL);
    sl_gradients(s, &b.fetch, &last[1], 1, &x, 1);
    return b;
}

static const struct {
    const char *name;
    struct built (*build)(struct sl_scope *s, TF_Output x, int n);
    int n;
    bool functional; /* loops and conditionals by functions */
    bool fresh;      /* a session of its own and its first run are counted */
} cases[] = {
    {"null step", null_step, 1, false, false},
    {"chain of 1000 adds", chain, 1000, false, false},
    {"fan of 1000 into AddN", fan, 1000, false, false},
    {"10000 NoOps", no_ops, 10000, false, false},
    {"200 conds", conds, 200, false, false},
    {"200 conds by functions", conds, 200, true, false},
    {"counter to 1000", counter, 1000, false, false},
    {"counter to 1000 by functions", counter, 1000, true, false},
    {"three variables, 1000 times", three_variables, 1000, false, false},
    {"three variables, 1000 times by functions", three_variables, 1000, true, false},
    {"nested loops 30x30", nested, 30, false, false},
    {"nested loops 30x30 by functions", nested, 30, true, false},
    {"cond in a loop, 500 times", cond_in_loop, 500, false, false},
    {"cond in a loop, 500 times by functions", cond_in_loop, 500, true, false},
    {"gradient of a loop, 1000 times", loop_gradient, 1000, false, false},
    {"first run of 1000 adds", chain, 1000, false, true},
    {"first run of 200 conds", conds, 200, false, true},
};

/* ---- runs */
struct bench {
    TF_Graph *graph;
    TF_Session *session;
    TF_Status *status;
    TF_Output x;
    TF_Tensor *fed;
    struct built built;
};

static void check(const struct bench *b, const char *name) {
    if (TF_GetCode(b->status) == TF_OK) return;
    fprintf(stderr, "instructions: %s: %s\n", name, TF_Message(b->status));
    exit(1);
}

/* One thread: both fields of the ConfigProto that say so are 1. */
static void open_session(struct bench *b) {
    static const unsigned char one_thread[] = {2 << 3, 1, 5 << 3, 1};
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetConfig(options, one_thread, sizeof one_thread, b->status);
    b->session = TF_NewSession(b->graph, options, b->status);
    TF_DeleteSessionOptions(options);
}

static void run(struct bench *b) {
    const TF_Operation *target = b->built.target;
    TF_Tensor *result = NULL;
    TF_SessionRun(b->session, NULL, &b->x, &b->fed, 1, &b->built.fetch, &result, b->built.fetch.oper ? 1 : 0, &target,
                  target ? 1 : 0, NULL, b->status);
    if (result) TF_DeleteTensor(result);
}

/* Counted, by its name. */
__attribute__((noinline)) void measured_runs(struct bench *b, bool fresh);
void measured_runs(struct bench *b, bool fresh) {
    if (fresh) {
        open_session(b);
        run(b);
    } else {
        for (int i = 0; i < RUNS; i++) run(b);
    }
}

static void run_case(size_t c) {
    struct bench b = {.graph = TF_NewGraph(), .status = TF_NewStatus()};
    struct sl_scope *s = sl_scope_new(b.graph);
    sl_push_functional(s, cases[c].functional);
    b.x = sl_placeholder(s, "x", TF_FLOAT, SL_SCALAR);
    b.built = cases[c].build(s, b.x, cases[c].n);
    if (!sl_scope_ok(s)) {
        fprintf(stderr, "instructions: %s: %s\n", cases[c].name, sl_scope_message(s));
        exit(1);
    }
    sl_scope_delete(s);
    b.fed = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float));
    *(float *)TF_TensorData(b.fed) = 1;
    if (!cases[c].fresh) {
        open_session(&b);
        for (int i = 0; i < WARM_RUNS; i++) run(&b);
    }
    measured_runs(&b, cases[c].fresh);
    check(&b, cases[c].name);
    printf("%s\t%d\n", cases[c].name, cases[c].fresh ? 1 : RUNS);
    TF_DeleteSession(b.session, b.status);
    TF_DeleteTensor(b.fed);
    TF_DeleteGraph(b.graph);
    TF_DeleteStatus(b.status);
}

int main(void) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) run_case(c);
    return 0;
}
