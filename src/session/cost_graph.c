/* Costs of nodes. Numbers are positions in the list; the source precedes what has no inputs, and what nobody reads
 * precedes the sink. */
#include "session/cost_graph.h"

#include <string.h>

#include "tensor/tensor_proto.h"

enum { SOURCE = 0, SINK = 1, FIRST = 2 };

struct writer {
    struct sl_pb_CostGraphDef *out;
    const struct sl_cost_source *source;
    struct sl_arena *arena;
    struct sl_error *err;
    int32_t *ids; /* of the graph's nodes, by their ids */
    int32_t base; /* the number of its source */
};

static void add_control(struct sl_pb_CostGraphDef_Node *to, int32_t id) {
    to->control_input.items[to->control_input.n++] = id;
}

static sl_code make_controls(struct sl_pb_CostGraphDef_Node *to, struct writer *w, size_t n) {
    to->control_input.items = SL_ARENA_ARRAY(w->arena, int32_t, n + 1);
    return to->control_input.items ? SL_OK : sl_fail_memory(w->err, n * sizeof(int32_t));
}

/* ---- a node */

/* The input in whose memory an output lies; -1: none. */
static int64_t alias_of(const struct writer *w, const struct sl_node *n, const struct sl_recorded_output *o) {
    for (int i = 0; o->data && i < n->n_inputs; i++) {
        const struct sl_port in = n->inputs[i];
        const struct sl_recorded_event *e = in.node ? w->source->cost_of(w->source, in.node).event : NULL;
        if (e && (uint32_t)in.index < e->n_outputs && e->outputs[in.index].data == o->data) return i;
    }
    return -1;
}

static sl_code add_outputs(struct sl_pb_CostGraphDef_Node *to, struct writer *w, const struct sl_node *n,
                           const struct sl_recorded_event *e) {
    size_t size = (size_t)n->n_outputs;
    to->output_info.items = SL_ARENA_ARRAY(w->arena, struct sl_pb_CostGraphDef_Node_OutputInfo, size + 1);
    if (!to->output_info.items) return sl_fail_memory(w->err, size * sizeof *to->output_info.items);
    for (int i = 0; i < n->n_outputs; i++) {
        struct sl_pb_CostGraphDef_Node_OutputInfo *info = &to->output_info.items[to->output_info.n++];
        const struct sl_recorded_output *o = e && (uint32_t)i < e->n_outputs ? &e->outputs[i] : NULL;
        if (o && o->kind <= SL_VALUE_DEAD) o = NULL;
        *info = (struct sl_pb_CostGraphDef_Node_OutputInfo){.size = o ? (int64_t)o->bytes : -1,
                                                            .alias_input_port = o ? alias_of(w, n, o) : -1,
                                                            .dtype = o ? o->dtype : n->out_types[i]};
        SL_TRY(sl_shape_to_proto(&info->shape, o ? o->shape : n->shapes[i], w->arena, w->err));
    }
    return SL_OK;
}

static sl_code add_inputs(struct sl_pb_CostGraphDef_Node *to, struct writer *w, const struct sl_node *n) {
    size_t size = (size_t)n->n_inputs;
    to->input_info.items = SL_ARENA_ARRAY(w->arena, struct sl_pb_CostGraphDef_Node_InputInfo, size + 1);
    if (!to->input_info.items) return sl_fail_memory(w->err, size * sizeof *to->input_info.items);
    SL_TRY(make_controls(to, w, (size_t)n->n_controls + 1));
    for (int i = 0; i < n->n_inputs; i++)
        if (n->inputs[i].node)
            to->input_info.items[to->input_info.n++] =
                (struct sl_pb_CostGraphDef_Node_InputInfo){w->ids[n->inputs[i].node->id], n->inputs[i].index, NULL};
    for (int i = 0; i < n->n_controls; i++) add_control(to, w->ids[n->controls[i]->id]);
    if (!n->n_inputs && !n->n_controls) add_control(to, w->base + SOURCE);
    return SL_OK;
}

static sl_code add_node(struct writer *w, const struct sl_node *n) {
    const struct sl_node_cost cost = w->source->cost_of(w->source, n);
    const int32_t id = w->ids[n->id];
    struct sl_pb_CostGraphDef_Node *to = &w->out->node.items[id];
    *to = (struct sl_pb_CostGraphDef_Node){.name = n->name,
                                           .device = n->assigned.n ? n->assigned : n->device,
                                           .id = id,
                                           .compute_cost = cost.longest_ns / 1000,
                                           .is_final = !n->uses.n};
    SL_TRY(add_inputs(to, w, n));
    SL_TRY(add_outputs(to, w, n, cost.event));
    if (to->is_final) add_control(&w->out->node.items[w->base + SINK], id);
    return SL_OK;
}

static sl_code add_graph(struct writer *w, struct sl_graph *graph) {
    int32_t next = (int32_t)w->out->node.n;
    w->base = next;
    w->ids = SL_ARENA_ARRAY(w->arena, int32_t, graph->nodes.n + 1);
    if (!w->ids) return sl_fail_memory(w->err, graph->nodes.n * sizeof *w->ids);
    next += FIRST;
    SL_GRAPH_EACH(n, graph) w->ids[n->id] = next++;
    w->out->node.n = (size_t)next;
    struct sl_pb_CostGraphDef_Node *source = &w->out->node.items[w->base + SOURCE], *sink = source + SINK;
    *source = (struct sl_pb_CostGraphDef_Node){.name = SL_STR("_SOURCE"), .id = w->base + SOURCE};
    *sink = (struct sl_pb_CostGraphDef_Node){.name = SL_STR("_SINK"), .id = w->base + SINK};
    SL_TRY(make_controls(sink, w, graph->nodes.n + 1));
    add_control(sink, w->base + SOURCE);
    SL_GRAPH_EACH(n, graph) SL_TRY(add_node(w, n));
    return SL_OK;
}

sl_code sl_cost_graph_make(struct sl_pb_CostGraphDef **out, struct sl_graph *const *graphs, size_t n_graphs,
                           const struct sl_cost_source *source, struct sl_arena *arena, struct sl_error *err) {
    struct writer w = {.source = source, .arena = arena, .err = err};
    size_t n = 0;
    for (size_t g = 0; g < n_graphs; g++) n += graphs[g]->nodes.n + FIRST;
    w.out = SL_ARENA_NEW(arena, struct sl_pb_CostGraphDef);
    if (w.out) w.out->node.items = SL_ARENA_ARRAY(arena, struct sl_pb_CostGraphDef_Node, n + 1);
    if (!w.out || !w.out->node.items) return sl_fail_memory(err, n * sizeof *w.out->node.items);
    for (size_t g = 0; g < n_graphs; g++) SL_TRY(add_graph(&w, graphs[g]));
    *out = w.out;
    return SL_OK;
}

/* ---- of several processes */

static sl_code shift(struct sl_pb_CostGraphDef_Node *node, int32_t by, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_CostGraphDef_Node_InputInfo *inputs =
        SL_ARENA_ARRAY(arena, struct sl_pb_CostGraphDef_Node_InputInfo, node->input_info.n + 1);
    int32_t *controls = SL_ARENA_ARRAY(arena, int32_t, node->control_input.n + 1);
    if (!inputs || !controls) return sl_fail_memory(err, node->input_info.n * sizeof *inputs);
    for (size_t i = 0; i < node->input_info.n; i++) {
        inputs[i] = node->input_info.items[i];
        inputs[i].preceding_node += by;
    }
    for (size_t i = 0; i < node->control_input.n; i++) controls[i] = node->control_input.items[i] + by;
    node->input_info.items = inputs;
    node->control_input.items = controls;
    node->id += by;
    return SL_OK;
}

sl_code sl_cost_graph_append(struct sl_pb_CostGraphDef **all, const struct sl_pb_CostGraphDef *more,
                             struct sl_arena *arena, struct sl_error *err) {
    const size_t had = *all ? (*all)->node.n : 0, n = had + more->node.n;
    struct sl_pb_CostGraphDef *out = SL_ARENA_NEW(arena, struct sl_pb_CostGraphDef);
    if (out) out->node.items = SL_ARENA_ARRAY(arena, struct sl_pb_CostGraphDef_Node, n + 1);
    if (!out || !out->node.items) return sl_fail_memory(err, n * sizeof *out->node.items);
    if (had) memcpy(out->node.items, (*all)->node.items, had * sizeof *out->node.items);
    for (size_t i = 0; i < more->node.n; i++) {
        out->node.items[had + i] = more->node.items[i];
        SL_TRY(shift(&out->node.items[had + i], (int32_t)had, arena, err));
    }
    out->node.n = n;
    *all = out;
    return SL_OK;
}
