/* A call and its gradient: a graph of that node alone, its arguments and those of its gradients, given to
 * sl_graph_gradients. What that adds is sorted by what needs it. */
#include "grad/graph/call_gradient.h"

#include "base/alloc.h"
#include "grad/graph/derive.h"
#include "graph/graph_emitter.h"

bool sl_op_calls_functions(const struct sl_op *op) {
    if (op->index == SL_OP_NO_ROW) return true;
    for (int i = 0; i < op->n_attrs; i++)
        if (op->attrs[i].kind == SL_ATTR_FUNC) return true;
    return false;
}

struct making {
    struct sl_call_gradient *c;
    const struct sl_call_spec *spec;
    struct sl_graph_emitter emitter;
    struct sl_error *err;
};

static sl_code add_argument(struct sl_node **out, struct making *m, int index, int type, struct sl_shape shape) {
    const struct sl_attr attrs[] = {{SL_STR("T"), SL_ATTR_VALUE(type, type)},
                                    {SL_STR("index"), SL_ATTR_VALUE(i, index)}};
    const struct sl_emission what = {.op = SL_STR("_Arg"), .attrs = attrs, .n_attrs = 2};
    struct sl_term term;
    SL_TRY(sl_graph_emit(&term, &m->emitter, &what, m->err));
    *out = sl_port_of(term).node;
    return sl_graph_set_shape(m->c->graph, sl_port_of(term), shape, m->err);
}

static sl_code add_call(struct making *m) {
    struct sl_call_gradient *c = m->c;
    const struct sl_call_spec *spec = m->spec;
    struct sl_arena *arena = &c->graph->arena;
    struct sl_port *inputs = SL_ARENA_ARRAY(arena, struct sl_port, (size_t)spec->n_inputs + 1);
    c->x = SL_ARENA_ARRAY(arena, struct sl_node *, (size_t)spec->n_inputs + 1);
    if (!inputs || !c->x) return sl_fail_memory(m->err, (size_t)spec->n_inputs * sizeof *inputs);
    for (int i = 0; i < spec->n_inputs; i++) {
        SL_TRY(add_argument(&c->x[i], m, i, spec->types[i], spec->shapes[i]));
        inputs[i] = (struct sl_port){c->x[i], 0};
    }
    struct sl_node_spec node = {.name = SL_STR("call"),
                                .device = SL_STR(""),
                                .attrs = *spec->attrs,
                                .inputs = inputs,
                                .n_inputs = spec->n_inputs};
    SL_TRY(sl_graph_find_op(&node.op, c->graph, spec->op->name, m->err));
    SL_TRY(sl_graph_add(&c->call, c->graph, &node, m->err));
    c->n_x = spec->n_inputs;
    c->n_y = c->call->n_outputs;
    return SL_OK;
}

static sl_code add_gradient(struct making *m) {
    struct sl_call_gradient *c = m->c;
    struct sl_arena *arena = &c->graph->arena;
    const size_t n_x = (size_t)c->n_x, n_y = (size_t)c->n_y;
    struct sl_port *ys = SL_ARENA_ARRAY(arena, struct sl_port, 2 * n_y + 1), *dys = ys + n_y;
    struct sl_port *xs = SL_ARENA_ARRAY(arena, struct sl_port, n_x + 1);
    struct sl_gradient *dxs = SL_ARENA_ARRAY(arena, struct sl_gradient, n_x + 1);
    int *at = SL_ARENA_ARRAY(arena, int, n_x + 1);
    c->dx = SL_ARENA_ARRAY(arena, struct sl_gradient, n_x + 1);
    c->dy = SL_ARENA_ARRAY(arena, struct sl_node *, n_y + 1);
    if (!ys || !xs || !dxs || !at || !c->dx || !c->dy) return sl_fail_memory(m->err, (n_x + n_y) * sizeof *dxs);
    struct sl_gradient_spec spec = {.ys = ys,
                                    .dys = dys,
                                    .xs = xs,
                                    .scope = SL_STR("gradients"),
                                    .keeps_slices = true,
                                    .find_rule = m->spec->find_rule};
    for (int i = 0; i < c->n_y; i++) {
        int type = sl_dtype_base(c->call->out_types[i]);
        if (!sl_is_trainable(type) || type == SL_RESOURCE) continue;
        SL_TRY(add_argument(&c->dy[i], m, c->n_x + i, type, c->call->shapes[i]));
        ys[spec.n_ys] = (struct sl_port){c->call, i};
        dys[spec.n_ys++] = (struct sl_port){c->dy[i], 0};
    }
    for (int i = 0; i < c->n_x; i++) {
        if (!sl_is_trainable(m->spec->types[i])) continue;
        at[spec.n_xs] = i;
        xs[spec.n_xs++] = (struct sl_port){c->x[i], 0};
    }
    SL_TRY(sl_graph_gradients(dxs, c->graph, &spec, m->err));
    for (int i = 0; i < spec.n_xs; i++) c->dx[at[i]] = dxs[i];
    return SL_OK;
}

/* Marks what `need` marks are made of, and lists it, producers first: new nodes stand behind their inputs. */
static sl_code list_needed(struct sl_node ***out, int *n, struct making *m, bool *need, const bool *stop) {
    struct sl_graph *graph = m->c->graph;
    for (size_t id = graph->nodes.n; id-- > 0;) {
        const struct sl_node *node = graph->nodes.items[id];
        for (int i = 0; i < node->n_inputs && need[id]; i++)
            need[node->inputs[i].node->id] |= !stop[node->inputs[i].node->id];
    }
    *out = SL_ARENA_ARRAY(&graph->arena, struct sl_node *, graph->nodes.n + 1);
    if (!*out) return sl_fail_memory(m->err, graph->nodes.n * sizeof **out);
    for (size_t id = 0; id < graph->nodes.n; id++)
        if (need[id]) (*out)[(*n)++] = graph->nodes.items[id];
    return SL_OK;
}

static void mark_port(bool *marks, struct sl_port port, const bool *stop) {
    if (port.node && !stop[port.node->id]) marks[port.node->id] = true;
}

static sl_code sort_nodes(struct making *m) {
    struct sl_call_gradient *c = m->c;
    size_t n = c->graph->nodes.n + 1;
    bool *stop = SL_ARENA_ARRAY(&c->graph->arena, bool, 3 * n), *before = stop + n, *after = before + n;
    if (!stop) return sl_fail_memory(m->err, n);
    for (int i = 0; i < c->n_x; i++) stop[c->x[i]->id] = true;
    for (int i = 0; i < c->n_y; i++)
        if (c->dy[i]) stop[c->dy[i]->id] = true;
    for (int i = c->n_x; i < c->call->n_inputs; i++) mark_port(before, c->call->inputs[i], stop);
    SL_TRY(list_needed(&c->before, &c->n_before, m, before, stop));
    stop[c->call->id] = true;
    for (int i = 0; i < c->n_before; i++) stop[c->before[i]->id] = true;
    for (int i = 0; i < c->n_x; i++) {
        mark_port(after, c->dx[i].values, stop);
        mark_port(after, c->dx[i].indices, stop);
        mark_port(after, c->dx[i].dense_shape, stop);
    }
    return list_needed(&c->after, &c->n_after, m, after, stop);
}

static sl_code make(struct making *m) {
    SL_TRY(sl_graph_new(&m->c->graph, m->spec->library->registry, m->err));
    m->c->graph->evaluator = m->spec->library->evaluator;
    m->c->graph->mark = m->spec->mark;
    SL_TRY(sl_share_functions(m->c->graph, m->spec->library, m->err));
    sl_graph_emitter_init(&m->emitter, m->c->graph, SL_STR(""), &m->c->graph->arena);
    SL_TRY(add_call(m));
    SL_TRY(add_gradient(m));
    return sort_nodes(m);
}

sl_code sl_call_gradient_new(struct sl_call_gradient **out, const struct sl_call_spec *spec, struct sl_error *err) {
    struct sl_call_gradient *c = sl_calloc(1, sizeof *c);
    struct making m = {.c = c, .spec = spec, .err = err};
    if (!c) return sl_fail_memory(err, sizeof *c);
    atomic_init(&c->refs, 1);
    sl_code code = make(&m);
    if (code == SL_OK) *out = c;
    else sl_call_gradient_unref(c);
    return code;
}

struct sl_call_gradient *sl_call_gradient_ref(struct sl_call_gradient *c) {
    atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed);
    return c;
}

void sl_call_gradient_unref(struct sl_call_gradient *c) {
    if (!c || atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) != 1) return;
    if (c->ends) c->ends(c->ends_arg, c);
    sl_graph_free(c->graph);
    sl_free(c);
}
