/* The gradient of a function as a function: its own body, computed again, and the gradient of that. What
 * SymbolicGradient runs. */
#include "base/alloc.h"
#include "grad/graph/walk.h"

struct derivation {
    struct sl_body *body;
    struct sl_str name;
    const struct sl_walk *within;
    struct sl_arena arena;
    struct sl_port *ys, *dys, *xs;
    struct sl_node **args; /* x..., dy... */
    struct sl_node **rets;
    struct sl_gradient *dxs;
    struct sl_error *err;
};

/* A node of one attr T and one attr index, as arguments and results are. */
static sl_code add_end(struct sl_node **out, struct derivation *d, const char *op, int type, int index,
                       const struct sl_port *input) {
    const struct sl_pb_AttrValue of = {.which = SL_PB_AttrValue_type, .type = type};
    const struct sl_pb_AttrValue at = {.which = SL_PB_AttrValue_i, .i = index};
    const struct sl_attr attrs[] = {{SL_STR("T"), &of}, {SL_STR("index"), &at}};
    struct sl_graph *graph = d->body->graph;
    struct sl_node_spec spec = {.device = SL_STR(""), .attrs = {attrs, 2}, .inputs = input, .n_inputs = input ? 1 : 0};
    SL_TRY(sl_graph_find_op(&spec.op, graph, sl_str_of(op), d->err));
    char *wanted = sl_arena_format(&d->arena, input ? "dx_%d" : "dy_%d", index);
    if (wanted) spec.name = sl_graph_unique_name(graph, sl_str_of(wanted));
    if (!spec.name.p) return sl_fail_memory(d->err, sizeof(struct sl_str));
    return sl_graph_add(out, graph, &spec, d->err);
}

static sl_code make_room(struct derivation *d) {
    size_t n_x = (size_t)d->body->n_args, n_y = (size_t)d->body->n_rets;
    d->ys = SL_ARENA_ARRAY(&d->arena, struct sl_port, n_y + 1);
    d->dys = SL_ARENA_ARRAY(&d->arena, struct sl_port, n_y + 1);
    d->xs = SL_ARENA_ARRAY(&d->arena, struct sl_port, n_x + 1);
    d->dxs = SL_ARENA_ARRAY(&d->arena, struct sl_gradient, n_x + 1);
    d->args = SL_ARENA_ARRAY(&d->body->graph->arena, struct sl_node *, n_x + n_y + 1);
    d->rets = SL_ARENA_ARRAY(&d->body->graph->arena, struct sl_node *, n_x + 1);
    return d->ys && d->dys && d->xs && d->dxs && d->args && d->rets ? SL_OK : sl_fail_memory(d->err, n_x + n_y);
}

/* The gradient of an argument that has none is zeros of its kind. */
static sl_code find_result(struct sl_port *out, struct derivation *d, struct sl_graph_emitter *e, int i) {
    *out = d->dxs[i].values;
    if (out->node) return SL_OK;
    struct sl_term zeros, x = sl_term_of(d->xs[i]);
    const char *op = sl_dtype_base(d->xs[i].node->out_types[0]) == SL_RESOURCE ? "Identity" : "ZerosLike";
    struct sl_emission what = {.op = sl_str_of(op), .inputs = &x, .n_inputs = 1};
    SL_TRY(e->base.add(&zeros, &e->base, &what, d->err));
    *out = sl_port_of(zeros);
    return SL_OK;
}

static sl_code derive(struct derivation *d) {
    struct sl_body *body = d->body;
    struct sl_graph_emitter emitter;
    int n_ys = 0;
    SL_TRY(make_room(d));
    SL_TRY(sl_graph_infer_all(body->graph, d->err));
    for (int i = 0; i < body->n_args; i++) {
        d->args[i] = body->args[i];
        d->xs[i] = (struct sl_port){body->args[i], 0};
    }
    for (int i = 0; i < body->n_rets; i++) {
        int type = sl_dtype_base(body->rets[i]->in_types[0]);
        SL_TRY(add_end(&d->args[body->n_args + i], d, "_Arg", type, body->n_args + i, NULL));
        if (!sl_is_trainable(type)) continue;
        d->ys[n_ys] = body->rets[i]->inputs[0];
        d->dys[n_ys++] = (struct sl_port){d->args[body->n_args + i], 0};
    }
    struct sl_gradient_spec spec = {.ys = d->ys,
                                    .dys = d->dys,
                                    .n_ys = n_ys,
                                    .xs = d->xs,
                                    .n_xs = body->n_args,
                                    .scope = SL_STR("gradients"),
                                    .function = d->name,
                                    .within = d->within};
    SL_TRY(sl_graph_gradients(d->dxs, body->graph, &spec, d->err));
    sl_graph_emitter_init(&emitter, body->graph, spec.scope, &d->arena);
    for (int i = 0; i < body->n_rets; i++) sl_graph_remove(body->graph, body->rets[i]);
    for (int i = 0; i < body->n_args; i++) {
        struct sl_port dx;
        SL_TRY(find_result(&dx, d, &emitter, i));
        SL_TRY(add_end(&d->rets[i], d, "_Retval", sl_dtype_base(dx.node->out_types[dx.index]), i, &dx));
    }
    return SL_OK;
}

sl_code sl_function_gradient(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                             const struct sl_graph *library, struct sl_error *err) {
    return sl_function_gradient_within(out, f, attrs, library, NULL, err);
}

sl_code sl_function_gradient_within(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                                    const struct sl_graph *library, const struct sl_walk *within,
                                    struct sl_error *err) {
    struct derivation d = {.body = out, .name = f->name, .within = within, .err = err};
    SL_TRY(sl_function_instantiate(out, f, attrs, library, err));
    sl_arena_init(&d.arena);
    if (within) out->graph->inferred_in_bodies = within->graph->inferred_in_bodies;
    sl_code code = derive(&d);
    if (within) within->graph->inferred_in_bodies = out->graph->inferred_in_bodies;
    sl_arena_clear(&d.arena);
    if (code != SL_OK) {
        sl_graph_free(out->graph);
        out->graph = NULL;
        return code;
    }
    int n_args = out->n_args;
    out->args = d.args;
    out->n_args += out->n_rets;
    out->rets = d.rets;
    out->n_rets = n_args;
    return SL_OK;
}
