/* Gradients of recorded graphs as a C program takes them: the graph's ops run by TFE_Execute under two tapes, then the
 * gradients are asked of the tapes. Asked by replay_tape.py (gradient_requests.h). */
#include "capi/eager/eager_handles.h"
#include "compat/gradient_requests.h"
#include "root/root.h"
#include "sluice/tape.h"

struct replay {
    struct request request;
    TFE_Context *context;
    TF_Status *status;
    struct sl_tape *tapes[2]; /* the outer one has the second gradients */
    struct sl_arena arena;
    struct sl_graph *graph;
    TFE_TensorHandle ***values; /* by node id: its outputs, one reference each */
    int *n_values;
    TFE_TensorHandle *ys[MOST_XS], *dxs[2][MOST_XS];
    int n_ys;
    enum way way;
    struct sl_error *err;
};

static sl_code told(struct replay *p) { return sl_status_give(p->status, p->err); }

/* ---- forward */
static sl_code run_op(struct replay *p, uint32_t id, const char *name, const struct sl_attrs *attrs,
                      TFE_TensorHandle *const *inputs, int n_inputs, int n_outputs) {
    p->values[id] = SL_ARENA_ARRAY(&p->arena, TFE_TensorHandle *, (size_t)n_outputs + 1);
    TFE_Op *op = TFE_NewOp(p->context, name, p->status);
    SL_TRY(told(p));
    sl_code code = SL_OK;
    for (int i = 0; i < n_inputs; i++) TFE_OpAddInput(op, inputs[i], p->status);
    for (int i = 0; attrs && i < attrs->n && code == SL_OK; i++)
        if (attrs->items[i].name.p[0] != '_')
            code = sl_eager_attrs_put(&sl_as_eager_op(op)->attrs, attrs->items[i].name, attrs->items[i].value, p->err);
    if (code == SL_OK) {
        TFE_Execute(op, p->values[id], &n_outputs, p->status);
        code = told(p);
    }
    if (code == SL_OK) p->n_values[id] = n_outputs;
    TFE_DeleteOp(op);
    return code;
}

static sl_code run_node(struct replay *p, const struct sl_node *n) {
    TFE_TensorHandle **inputs = SL_ARENA_ARRAY(&p->arena, TFE_TensorHandle *, (size_t)n->n_inputs + 1);
    for (int i = 0; i < n->n_inputs; i++) inputs[i] = p->values[n->inputs[i].node->id][n->inputs[i].index];
    const char *name = sl_arena_str(&p->arena, n->op->name).p;
    SL_TRY(run_op(p, n->id, name, &n->attrs, inputs, n->n_inputs, n->n_outputs));
    for (int t = 0; t < 2 && is_input(n); t++)
        if (sl_dtype_is_plain(n->out_types[0]) && sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, n->out_types[0]))
            sl_tape_watch(p->tapes[t], p->values[n->id][0], p->status);
    return told(p);
}

static sl_code run_region(struct replay *p, struct sl_node *const *order, size_t n, struct sl_node *last) {
    struct sl_port *inputs = SL_ARENA_ARRAY(&p->arena, struct sl_port, n + 1);
    TFE_TensorHandle **values = SL_ARENA_ARRAY(&p->arena, TFE_TensorHandle *, n + 1);
    struct sl_function_def *function;
    int n_inputs;
    SL_TRY(make_region(&function, inputs, &n_inputs, p->graph, order, n, last, &p->arena, p->err));
    sl_code code = sl_eager_add_function(sl_as_eager(p->context), function, p->err);
    sl_function_unref(function);
    for (int i = 0; i < n_inputs && code == SL_OK; i++) {
        code = run_node(p, inputs[i].node);
        if (code == SL_OK) values[i] = p->values[inputs[i].node->id][0];
    }
    return code == SL_OK ? run_op(p, last->id, "region", NULL, values, n_inputs, last->n_outputs) : code;
}

static sl_code run_nodes(struct replay *p, struct sl_node *const *order, size_t n) {
    for (size_t i = 0; i < n; i++) SL_TRY(run_node(p, order[i]));
    return SL_OK;
}

static sl_code run_forward(struct replay *p) {
    struct sl_node **order;
    const struct sl_registries *registries;
    size_t n;
    SL_TRY(sl_root_registries(&registries, p->err));
    SL_TRY(sl_graph_new(&p->graph, registries->ops, p->err));
    p->graph->evaluator = sl_root_evaluator();
    SL_TRY(sl_graph_import_bytes(NULL, p->graph, p->request.graph, NULL, p->err));
    for (size_t i = 0; i < p->graph->functions.n; i++)
        SL_TRY(sl_eager_add_function(sl_as_eager(p->context), p->graph->functions.items[i], p->err));
    p->values = SL_ARENA_ARRAY(&p->arena, TFE_TensorHandle **, p->graph->nodes.n + 1);
    p->n_values = SL_ARENA_ARRAY(&p->arena, int, p->graph->nodes.n + 1);
    SL_TRY(sl_graph_order(&order, &n, p->graph, &p->arena, p->err));
    p->way = way_of(order, n);
    struct sl_node *last = sl_graph_find(p->graph, SL_STR("case"));
    if (!last) return sl_fail(p->err, SL_INVALID_ARGUMENT, "there is no node 'case'");
    SL_TRY(p->way == REGION ? run_region(p, order, n, last) : run_nodes(p, order, n));
    for (int i = 0; i < last->n_outputs && p->n_ys < MOST_XS; i++)
        if (sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, sl_dtype_base(last->out_types[i])))
            p->ys[p->n_ys++] = p->values[last->id][i];
    return SL_OK;
}

/* ---- back */
static sl_code take_gradients(struct replay *p, int order, TFE_TensorHandle *const *ys, int n_ys) {
    TFE_TensorHandle *xs[MOST_XS] = {NULL};
    const int n = (int)p->request.n[order];
    for (int i = 0; i < n; i++) {
        const struct sl_node *x = find_input(p->graph, &p->arena, p->request.xs[order][i]);
        if (!x) return sl_fail(p->err, SL_INVALID_ARGUMENT, "there is no such input");
        xs[i] = p->values[x->id][0];
    }
    sl_tape_gradient(p->dxs[order], p->tapes[1 - order], ys, n_ys, xs, n, NULL, p->status);
    SL_TRY(told(p));
    for (int i = 0; i < n; i++)
        if (!p->dxs[order][i])
            return sl_fail(p->err, SL_NOT_FOUND, "grad%s_%u: no gradient", order ? "2" : "",
                           (unsigned)p->request.xs[order][i]);
    return SL_OK;
}

/* `results` has room for all. */
static sl_code run(struct replay *p, struct sl_str *results) {
    for (int i = 0; i < 2; i++) p->tapes[i] = sl_tape_start(p->context, false, p->status);
    SL_TRY(told(p));
    SL_TRY(run_forward(p));
    SL_TRY(take_gradients(p, 0, p->ys, p->n_ys));
    if (p->request.n[1]) SL_TRY(take_gradients(p, 1, p->dxs[0], (int)p->request.n[0]));
    for (int order = 0; order < 2; order++)
        for (uint32_t i = 0; i < p->request.n[order]; i++) {
            TF_Tensor *tensor = TFE_TensorHandleResolve(p->dxs[order][i], p->status);
            SL_TRY(told(p));
            sl_code code = encode_tensor(results++, tensor->tensor, &p->arena, p->err);
            TF_DeleteTensor(tensor);
            SL_TRY(code);
        }
    return SL_OK;
}

static void clear(struct replay *p) {
    for (size_t i = 0; p->values && i < p->graph->nodes.n; i++)
        for (int o = 0; o < p->n_values[i]; o++) TFE_DeleteTensorHandle(p->values[i][o]);
    for (int order = 0; order < 2; order++) {
        for (int i = 0; i < MOST_XS; i++) TFE_DeleteTensorHandle(p->dxs[order][i]);
        sl_tape_delete(p->tapes[order]);
    }
    sl_graph_free(p->graph);
    TFE_DeleteContext(p->context);
    TF_DeleteStatus(p->status);
    sl_arena_clear(&p->arena);
    free(p);
}

int main(void) {
    for (;;) {
        struct replay *p = calloc(1, sizeof *p);
        struct sl_error err;
        struct sl_str results[2 * MOST_XS];
        sl_arena_init(&p->arena);
        sl_error_clear(&err);
        p->err = &err;
        read_request(&p->request, &p->arena);
        p->status = TF_NewStatus();
        p->context = TFE_NewContext(NULL, p->status);
        if (!p->context) exit(2);
        sl_code code = run(p, results);
        write_answer(p->way, code, &err, results, p->request.n[0] + p->request.n[1]);
        clear(p);
    }
}
