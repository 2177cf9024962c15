/* A node with more inputs and outputs than it had: what gradients make of a call whose function is to give more.
 * What there was stays where it is, so nobody who reads the node notices. */
#include "graph/constants.h"
#include "graph/node_store.h"

static sl_code check_prefix(const struct sl_node *node, const struct sl_signature *s, int n_more,
                            struct sl_error *err) {
    bool fits = s->n_inputs == node->n_inputs + n_more && s->n_outputs >= node->n_outputs;
    for (int i = 0; fits && i < node->n_inputs; i++) fits = s->inputs[i] == node->in_types[i];
    for (int i = 0; fits && i < node->n_outputs; i++) fits = s->outputs[i] == node->out_types[i];
    return fits ? SL_OK
                : sl_fail(err, SL_INTERNAL, "Node '%.*s' cannot be extended to these attrs", SL_STR_ARG(node->name));
}

/* Arrays of the new lengths, with what the old ones hold. */
static sl_code make_room(struct sl_node *wide, struct sl_graph *graph, const struct sl_signature *s,
                         struct sl_error *err) {
    size_t n_in = (size_t)s->n_inputs, n_out = (size_t)s->n_outputs;
    struct sl_port *inputs = SL_ARENA_ARRAY(&graph->arena, struct sl_port, n_in + 1);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&graph->arena, struct sl_shape, n_out + 1);
    struct sl_handle_data *handles = SL_ARENA_ARRAY(&graph->arena, struct sl_handle_data, n_out + 1);
    uint8_t *types = SL_ARENA_ARRAY(&graph->arena, uint8_t, n_in + n_out + 1);
    if (!inputs || !shapes || !handles || !types) return sl_fail_memory(err, (n_in + n_out) * sizeof *shapes);
    if (wide->n_inputs) memcpy(inputs, wide->inputs, (size_t)wide->n_inputs * sizeof *inputs);
    for (size_t i = 0; i < n_out; i++) {
        shapes[i] = i < (size_t)wide->n_outputs ? wide->shapes[i] : SL_SHAPE_UNKNOWN;
        if (wide->handles && i < (size_t)wide->n_outputs) handles[i] = wide->handles[i];
    }
    if (n_in) memcpy(types, s->inputs, n_in);
    if (n_out) memcpy(types + n_in, s->outputs, n_out);
    wide->inputs = inputs;
    wide->shapes = shapes;
    if (wide->handles) wide->handles = handles;
    wide->in_types = types;
    wide->out_types = types + n_in;
    wide->n_inputs = s->n_inputs;
    wide->n_outputs = s->n_outputs;
    return SL_OK;
}

sl_code sl_graph_extend_node(struct sl_graph *graph, struct sl_node *node, const struct sl_attrs *attrs,
                             const struct sl_port *more, int n_more, struct sl_error *err) {
    struct sl_attrs bound;
    struct sl_signature signature;
    struct sl_node before = *node, wide = *node;
    SL_TRY(sl_node_attrs_bind(&bound, graph, node->op, attrs, node->name, err));
    SL_TRY(sl_op_signature(&signature, &graph->arena, node->op, &bound, err));
    SL_TRY(check_prefix(node, &signature, n_more, err));
    SL_TRY(make_room(&wide, graph, &signature, err));
    wide.attrs = bound;
    sl_constants_free(graph);
    *node = wide;
    graph->n_outputs += (size_t)(node->n_outputs - before.n_outputs);
    sl_code code = SL_OK;
    for (int i = 0; i < n_more && code == SL_OK; i++)
        code = sl_graph_set_input(graph, node, before.n_inputs + i, more[i], err);
    if (code != SL_OK) sl_graph_restore_node(graph, node, &before);
    return code;
}

void sl_graph_restore_node(struct sl_graph *graph, struct sl_node *node, const struct sl_node *before) {
    for (int i = before->n_inputs; i < node->n_inputs; i++)
        if (node->inputs[i].node) sl_use_drop(node->inputs[i].node, node, i);
    sl_constants_free(graph);
    graph->n_outputs -= (size_t)(node->n_outputs - before->n_outputs);
    node->n_inputs = before->n_inputs;
    node->n_outputs = before->n_outputs;
    node->inputs = before->inputs;
    node->in_types = before->in_types;
    node->out_types = before->out_types;
    node->shapes = before->shapes;
    node->handles = before->handles;
    node->attrs = before->attrs;
}
