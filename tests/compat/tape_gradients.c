/* Gradients of recorded graphs by a tape: the graph's ops run one by one under two tapes, then the gradients run. Asked
 * by replay_tape.py (gradient_requests.h). */
#include <unistd.h>

#include "compat/gradient_requests.h"
#include "unit/executing.h"

struct replay {
    struct request request;
    struct executing x;
    struct sl_execute_emitter e;
    struct sl_recording *tapes[2]; /* the outer one has the second gradients */
    struct sl_arena arena;
    struct sl_graph *graph; /* of the environment: its library is that of the ops */
    struct sl_term *terms;  /* output 0 of each node, by id */
    struct sl_term ys[MOST_XS];
    int n_ys;
    struct sl_term_gradient dxs[2][MOST_XS];
    enum way way;
    struct sl_error *err;
};

/* ---- forward */
static sl_code run_node(struct replay *p, const struct sl_node *n) {
    struct sl_term *inputs = SL_ARENA_ARRAY(&p->arena, struct sl_term, (size_t)n->n_inputs + 1);
    for (int i = 0; i < n->n_inputs; i++)
        inputs[i] = (struct sl_term){p->terms[n->inputs[i].node->id].of, n->inputs[i].index};
    SL_TRY(sl_execute(&p->terms[n->id], &p->e, n->op, &n->attrs, inputs, n->n_inputs, p->err));
    for (int t = 0; t < 2 && is_input(n); t++)
        SL_TRY(sl_recording_watch(p->tapes[t], sl_term_value(p->terms[n->id]), p->err));
    return SL_OK;
}

static void take_ys(struct replay *p, struct sl_term first, const struct sl_node *of) {
    for (int i = 0; i < of->n_outputs && p->n_ys < MOST_XS; i++)
        if (sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, sl_dtype_base(of->out_types[i])))
            p->ys[p->n_ys++] = (struct sl_term){first.of, first.index + i};
}

static sl_code run_ops(struct replay *p, struct sl_node *const *order, size_t n, const struct sl_node *last) {
    for (size_t i = 0; i < n; i++) SL_TRY(run_node(p, order[i]));
    take_ys(p, p->terms[last->id], last);
    return SL_OK;
}

static sl_code run_region(struct replay *p, struct sl_node *const *order, size_t n, struct sl_node *last) {
    struct sl_port *inputs = SL_ARENA_ARRAY(&p->arena, struct sl_port, n + 1);
    struct sl_term *terms = SL_ARENA_ARRAY(&p->arena, struct sl_term, n + 1), out;
    int32_t *types = SL_ARENA_ARRAY(&p->arena, int32_t, (size_t)last->n_outputs + 1);
    struct sl_function_def *function;
    int n_inputs;
    SL_TRY(make_region(&function, inputs, &n_inputs, p->graph, order, n, last, &p->arena, p->err));
    sl_code code = sl_graph_add_function(p->graph, function, p->err);
    sl_function_unref(function);
    if (code == SL_OK) code = executing_publish(&p->x, p->graph, p->err);
    if (code != SL_OK) return code;
    for (int i = 0; i < n_inputs; i++) {
        SL_TRY(run_node(p, inputs[i].node));
        terms[i] = p->terms[inputs[i].node->id];
    }
    for (int i = 0; i < last->n_outputs; i++) types[i] = sl_dtype_base(last->out_types[i]);
    struct sl_pb_NameAttrList called = {.name = SL_STR("region")};
    const struct sl_pb_AttrValue_ListValue list = {.type = {types, (size_t)last->n_outputs}};
    const struct sl_attr attrs[] = {{SL_STR("f"), SL_ATTR_VALUE(func, &called)},
                                    sl_attr_new_list(&p->arena, SL_STR("Tout"), &list)};
    const struct sl_emission what = {SL_STR("StatefulPartitionedCall"), terms, n_inputs, attrs, 2};
    SL_TRY(p->e.base.add(&out, &p->e.base, &what, p->err));
    take_ys(p, out, last);
    return SL_OK;
}

static sl_code run_forward(struct replay *p) {
    struct sl_node **order;
    size_t n;
    p->graph = p->x.library;
    SL_TRY(sl_graph_import_bytes(NULL, p->graph, p->request.graph, NULL, p->err));
    SL_TRY(executing_publish(&p->x, p->graph, p->err));
    p->terms = SL_ARENA_ARRAY(&p->arena, struct sl_term, p->graph->nodes.n + 1);
    SL_TRY(sl_graph_order(&order, &n, p->graph, &p->arena, p->err));
    p->way = way_of(order, n);
    struct sl_node *last = sl_graph_find(p->graph, SL_STR("case"));
    if (!last) return sl_fail(p->err, SL_INVALID_ARGUMENT, "there is no node 'case'");
    return p->way == REGION ? run_region(p, order, n, last) : run_ops(p, order, n, last);
}

/* ---- back */
static sl_code take_gradients(struct replay *p, int order, const struct sl_term *ys, int n_ys) {
    struct sl_term xs[MOST_XS];
    const int n = (int)p->request.n[order];
    for (int i = 0; i < n; i++) {
        const struct sl_node *x = find_input(p->graph, &p->arena, p->request.xs[order][i]);
        if (!x) return sl_fail(p->err, SL_INVALID_ARGUMENT, "there is no such input");
        xs[i] = p->terms[x->id];
    }
    const struct sl_recording_spec spec = {.ys = ys, .n_ys = n_ys, .xs = xs, .n_xs = n};
    p->e.n_tapes = 1 - order;
    SL_TRY(sl_recording_gradient(p->dxs[order], p->tapes[1 - order], &p->e, &spec, p->err));
    for (int i = 0; i < n; i++)
        if (!sl_term_is(p->dxs[order][i].values))
            return sl_fail(p->err, SL_NOT_FOUND, "grad%s_%u: no gradient", order ? "2" : "",
                           (unsigned)p->request.xs[order][i]);
    return SL_OK;
}

static sl_code run_backward(struct replay *p) {
    struct sl_term firsts[MOST_XS];
    SL_TRY(take_gradients(p, 0, p->ys, p->n_ys));
    for (uint32_t i = 0; i < p->request.n[0]; i++) firsts[i] = p->dxs[0][i].values;
    return p->request.n[1] ? take_gradients(p, 1, firsts, (int)p->request.n[0]) : SL_OK;
}

static sl_code encode(struct sl_str *out, struct replay *p, struct sl_term t) {
    struct sl_tensor *tensor;
    SL_TRY(sl_value_to_tensor(&tensor, &sl_term_value(t)->value, p->err));
    sl_code code = encode_tensor(out, tensor, &p->arena, p->err);
    sl_tensor_unref(tensor);
    return code;
}

/* `results` has room for all. */
static sl_code run(struct replay *p, struct sl_str *results) {
    for (int i = 0; i < 2; i++) SL_TRY(sl_recording_new(&p->tapes[i], &p->x.env, false, p->err));
    p->e.tapes = p->tapes;
    p->e.n_tapes = 2;
    SL_TRY(run_forward(p));
    SL_TRY(run_backward(p));
    for (int order = 0; order < 2; order++)
        for (uint32_t i = 0; i < p->request.n[order]; i++) SL_TRY(encode(results++, p, p->dxs[order][i].values));
    return SL_OK;
}

static void answer(struct replay *p) {
    struct sl_error err;
    struct sl_str results[2 * MOST_XS];
    p->err = &err;
    sl_error_clear(&err);
    sl_code code = executing_begin(&p->x, &err);
    if (code != SL_OK) exit(2);
    sl_execute_emitter_init(&p->e, &p->x.env);
    code = run(p, results);
    write_answer(p->way, code, &err, results, p->request.n[0] + p->request.n[1]);
    for (int i = 0; i < 2; i++) sl_recording_free(p->tapes[i]);
    sl_execute_emitter_clear(&p->e);
    executing_end(&p->x);
}

int main(void) {
    for (;;) {
        struct replay *p = calloc(1, sizeof *p);
        sl_arena_init(&p->arena);
        read_request(&p->request, &p->arena);
        answer(p);
        sl_arena_clear(&p->arena);
        free(p);
    }
}
