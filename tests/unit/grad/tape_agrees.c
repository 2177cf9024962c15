#include "unit/grad/tape_agrees.h"

#include <math.h>

#include "session/local_session.h"
#include "sluice/gradient.h"
#include "unit/executing.h"
#include "unit/unit.h"

enum { MOST_XS = 16 };

struct comparison {
    TF_Graph *graph;
    size_t n_forward;
    struct sl_port y;
    const struct sl_port *xs;
    int n_xs;
    const char *what;
    struct executing x;
    struct sl_execute_emitter e;
    struct sl_recording *tapes[2];
    struct sl_term *terms; /* output 0 of each node */
    struct sl_arena arena;
    struct sl_error err;
};

/* ---- by the graph */
/* Gradients of all ys by the xs, as ports; false when there are none to be had. */
static bool add_gradients(struct sl_port *dxs, struct comparison *c, const struct sl_port *ys, int n_ys) {
    TF_Status *status = TF_NewStatus();
    TF_Output from[MOST_XS], to[MOST_XS];
    struct sl_slices slices[MOST_XS];
    int n = 0;
    for (int i = 0; i < n_ys; i++)
        if (ys[i].node) from[n++] = sl_as_output(ys[i]);
    for (int i = 0; i < c->n_xs; i++) to[i] = sl_as_output(c->xs[i]);
    sl_add_gradients(c->graph, from, NULL, n, to, c->n_xs, NULL, slices, status);
    bool is_ok = TF_GetCode(status) == TF_OK;
    for (int i = 0; i < c->n_xs && is_ok; i++) dxs[i] = sl_as_port(slices[i].values);
    TF_DeleteStatus(status);
    return is_ok;
}

static struct sl_tensor *fetch(struct comparison *c, struct sl_port port) {
    struct sl_tensor *out;
    const struct sl_run request = {.fetches = &port, .fetch_tensors = &out, .n_fetches = 1};
    struct sl_session *session;
    const struct sl_registries *registries;
    assert_ok(c->err, sl_root_registries(&registries, &c->err));
    assert_ok(c->err, sl_local_session_new(&session, registries, NULL, &c->err));
    assert_ok(c->err, sl_session_extend(session, c->graph->graph, &c->err));
    assert_ok(c->err, sl_session_run(session, &request, &c->err));
    sl_session_free(session);
    return out;
}

/* ---- by tapes */
static void run_forward(struct comparison *c) {
    struct sl_graph *graph = c->graph->graph;
    for (size_t id = 0; id < c->n_forward; id++) {
        const struct sl_node *node = graph->nodes.items[id];
        struct sl_term *inputs = SL_ARENA_ARRAY(&c->arena, struct sl_term, (size_t)node->n_inputs + 1);
        for (int i = 0; i < node->n_inputs; i++)
            inputs[i] = (struct sl_term){c->terms[node->inputs[i].node->id].of, node->inputs[i].index};
        assert_ok(c->err, sl_execute(&c->terms[id], &c->e, node->op, &node->attrs, inputs, node->n_inputs, &c->err));
        for (int i = 0; i < c->n_xs; i++)
            for (int t = 0; t < 2 && c->xs[i].node == node; t++)
                assert_ok(c->err, sl_recording_watch(c->tapes[t], sl_term_value(c->terms[id]), &c->err));
    }
}

static sl_code take_gradients(struct sl_term_gradient *dxs, struct comparison *c, int tape, const struct sl_term *ys,
                              int n_ys) {
    struct sl_term xs[MOST_XS];
    for (int i = 0; i < c->n_xs; i++) xs[i] = (struct sl_term){c->terms[c->xs[i].node->id].of, c->xs[i].index};
    const struct sl_recording_spec spec = {.ys = ys, .n_ys = n_ys, .xs = xs, .n_xs = c->n_xs};
    c->e.n_tapes = tape;
    return sl_recording_gradient(dxs, c->tapes[tape], &c->e, &spec, &c->err);
}

static double element(struct sl_view v, int64_t i) {
    return v.dtype == SL_DOUBLE ? ((double *)v.data)[i] : (double)((float *)v.data)[i];
}

static void compare(struct comparison *c, struct sl_term got, struct sl_port port, int x, int order) {
    if (!port.node || !sl_term_is(got)) {
        if (!port.node && !sl_term_is(got)) return;
        fail_msg("%s: by input %d, order %d: %s has no gradient", c->what, x, order,
                 port.node ? "the tape" : "the graph");
    }
    struct sl_tensor *wanted = fetch(c, port);
    struct sl_view v = sl_value_view(&sl_term_value(got)->value);
    assert_int_equal(v.dtype, wanted->dtype);
    assert_true(sl_shape_equal(sl_view_shape(v), sl_tensor_shape(wanted)));
    struct sl_view w = {wanted->data, wanted->dims, wanted->count, wanted->rank, wanted->dtype};
    for (int64_t i = 0; i < v.count; i++) {
        double a = element(v, i), b = element(w, i), least = v.dtype == SL_DOUBLE ? 1e-10 : 1e-4;
        if (!(fabs(a - b) <= least * (1 + fabs(b))) && !(isnan(a) && isnan(b)))
            fail_msg("%s: by input %d, order %d, element %d: %g by the tape, %g by the graph", c->what, x, order,
                     (int)i, a, b);
    }
    sl_tensor_unref(wanted);
}

static void check(struct comparison *c, bool second) {
    struct sl_port dxs[MOST_XS], ddxs[MOST_XS];
    struct sl_term_gradient gradients[MOST_XS], second_gradients[MOST_XS];
    struct sl_term y = {c->terms[c->y.node->id].of, c->y.index}, firsts[MOST_XS];
    int n = 0;
    bool has_gradient = add_gradients(dxs, c, &c->y, 1);
    sl_code code = take_gradients(gradients, c, 1, &y, 1);
    if (has_gradient != (code == SL_OK)) fail_msg("%s: %s", c->what, c->err.message);
    if (!has_gradient) return;
    for (int i = 0; i < c->n_xs; i++) {
        compare(c, gradients[i].values, dxs[i], i, 1);
        if (sl_term_is(gradients[i].values)) firsts[n++] = gradients[i].values;
    }
    if (!second || n == 0) return;
    has_gradient = add_gradients(ddxs, c, dxs, c->n_xs);
    code = take_gradients(second_gradients, c, 0, firsts, n);
    if (has_gradient != (code == SL_OK)) fail_msg("%s, order 2: %s", c->what, c->err.message);
    for (int i = 0; i < c->n_xs && has_gradient; i++) compare(c, second_gradients[i].values, ddxs[i], i, 2);
}

void check_tape_agrees(TF_Graph *graph, struct sl_port y, const struct sl_port *xs, int n_xs, bool second,
                       const char *what) {
    struct comparison c = {.graph = graph, .n_forward = y.node->id + 1, .y = y, .xs = xs, .n_xs = n_xs, .what = what};
    sl_arena_init(&c.arena);
    c.terms = SL_ARENA_ARRAY(&c.arena, struct sl_term, c.n_forward);
    assert_ok(c.err, executing_begin(&c.x, &c.err));
    sl_execute_emitter_init(&c.e, &c.x.env);
    for (int t = 0; t < 2; t++) assert_ok(c.err, sl_recording_new(&c.tapes[t], &c.x.env, false, &c.err));
    c.e.tapes = c.tapes;
    c.e.n_tapes = 2;
    run_forward(&c);
    check(&c, second);
    for (int t = 0; t < 2; t++) sl_recording_free(c.tapes[t]);
    sl_execute_emitter_clear(&c.e);
    executing_end(&c.x);
    sl_arena_clear(&c.arena);
}
