/* Emission into a graph: attrs follow from the inputs, shapes are inferred at once, names are unique within the scope.
 */
#include "graph/graph_emitter.h"

#include "graph/node_store.h"
#include "tensor/tensor_proto.h"

static int dtype_of(struct sl_emitter *self, struct sl_term t) {
    (void)self;
    struct sl_port port = sl_port_of(t);
    return sl_dtype_base(port.node->out_types[port.index]);
}

static struct sl_shape shape_of(struct sl_emitter *self, struct sl_term t) {
    (void)self;
    return sl_port_of(t).node->shapes[t.index];
}

static const struct sl_tensor *constant_of(struct sl_emitter *self, struct sl_term t) {
    (void)self;
    return sl_graph_constant(sl_port_of(t).node->graph, sl_port_of(t)); /* it may be of another graph */
}

/* Attrs of the op, and where it asks to be. */
static sl_code find_attrs(struct sl_attrs *out, struct sl_graph_emitter *e, const struct sl_op *op,
                          const struct sl_emission *what, struct sl_str name, struct sl_error *err) {
    SL_TRY(sl_emit_attrs(out, e->scratch, op, what, &e->base, name, err));
    if (!e->colocated) return SL_OK;
    char *text = sl_arena_format(e->scratch, "loc:@%.*s", SL_STR_ARG(e->colocated->name));
    struct sl_str *item = SL_ARENA_NEW(e->scratch, struct sl_str);
    if (!text || !item) return sl_fail_memory(err, sizeof *item);
    *item = sl_str_of(text);
    const struct sl_pb_AttrValue_ListValue list = {.s = {item, 1}};
    struct sl_attr class = sl_attr_new_list(e->scratch, SL_STR("_class"), &list);
    return sl_attrs_with(out, e->scratch, out, class.name, class.value, err);
}

static struct sl_str name_for(struct sl_graph_emitter *e, struct sl_str op) {
    if (!e->scope.n) return sl_graph_unique_name(e->graph, op);
    char *wanted = sl_arena_alloc(e->scratch, e->scope.n + 1 + op.n);
    if (!wanted) return (struct sl_str){NULL, 0};
    memcpy(wanted, e->scope.p, e->scope.n);
    wanted[e->scope.n] = '/';
    memcpy(wanted + e->scope.n + 1, op.p, op.n);
    return sl_graph_unique_name(e->graph, (struct sl_str){wanted, e->scope.n + 1 + op.n});
}

sl_code sl_graph_emit(struct sl_term *out, struct sl_graph_emitter *e, const struct sl_emission *what,
                      struct sl_error *err) {
    struct sl_node_spec spec = {.device = e->device, .n_inputs = what->n_inputs, .allow_missing_back_edges = true};
    SL_TRY(sl_graph_find_op(&spec.op, e->graph, what->op, err));
    struct sl_port *inputs = SL_ARENA_ARRAY(e->scratch, struct sl_port, (size_t)what->n_inputs + 1);
    if (!inputs) return sl_fail_memory(err, (size_t)what->n_inputs * sizeof *inputs);
    for (int i = 0; i < what->n_inputs; i++) inputs[i] = sl_port_of(what->inputs[i]);
    spec.inputs = inputs;
    spec.name = name_for(e, what->op);
    if (!spec.name.p) return sl_fail_memory(err, what->op.n);
    SL_TRY(find_attrs(&spec.attrs, e, spec.op, what, spec.name, err));
    struct sl_node *controls[2];
    if (e->anchor && what->n_inputs == 0) controls[spec.n_controls++] = e->anchor;
    if (e->control) controls[spec.n_controls++] = e->control;
    spec.controls = controls;
    struct sl_node *node;
    SL_TRY(sl_graph_add(&node, e->graph, &spec, err));
    *out = (struct sl_term){node, 0};
    return SL_OK;
}

static sl_code add(struct sl_term *out, struct sl_emitter *self, const struct sl_emission *what, struct sl_error *err) {
    return sl_graph_emit(out, (struct sl_graph_emitter *)self, what, err);
}

static sl_code literal(struct sl_term *out, struct sl_emitter *self, struct sl_tensor *t, struct sl_error *err) {
    struct sl_pb_TensorProto proto;
    SL_TRY(sl_tensor_to_proto(&proto, t, ((struct sl_graph_emitter *)self)->scratch, err));
    const struct sl_attr attrs[] = {{SL_STR("dtype"), SL_ATTR_VALUE(type, t->dtype)},
                                    {SL_STR("value"), SL_ATTR_VALUE(tensor, &proto)}};
    const struct sl_emission what = {.op = SL_STR("Const"), .attrs = attrs, .n_attrs = 2};
    return self->add(out, self, &what, err);
}

void sl_graph_emitter_init(struct sl_graph_emitter *e, struct sl_graph *graph, struct sl_str scope,
                           struct sl_arena *scratch) {
    *e = (struct sl_graph_emitter){.base = {add, literal, dtype_of, shape_of, constant_of},
                                   .graph = graph,
                                   .scratch = scratch,
                                   .scope = scope,
                                   .device = SL_STR("")};
}

struct sl_graph_mark sl_graph_mark(const struct sl_graph *graph) {
    return (struct sl_graph_mark){graph->nodes.n, graph->functions.n, graph->gradients.n};
}

void sl_graph_roll_back(struct sl_graph *graph, struct sl_graph_mark mark) {
    /* Consumers of the last nodes may be earlier ones that loops were closed with: sl_graph_truncate drops uses by
     * position. */
    sl_graph_truncate(graph, mark.nodes);
    sl_graph_truncate_functions(graph, mark.functions, mark.gradients);
}
