/* The cut: every node is copied into the graph of its device or task, and what a cut edge carries goes by _Send and
 * _Recv. Control flow was made ready before (partition_flow.c, partition_loops.c). */
#include "passes/partition.h"

#include "base/alloc.h"
#include "ops/op_row.h"
#include "passes/partition_cut.h"

/* The _Recv of one output (or of the control output, index -1) in one part. */
struct crossing {
    struct crossing *next; /* of the same node */
    int index, part;
    struct sl_node *recv;
};

struct pieces {
    struct sl_cut *cut;
    struct sl_graph **graphs;    /* by part */
    struct sl_node **copies;     /* by node id */
    struct crossing **crossings; /* by node id */
    struct sl_error *err;
};

bool sl_graph_is_spread(const struct sl_graph *graph) {
    const struct sl_node *first = NULL;
    SL_GRAPH_EACH(n, graph) {
        if (!first) first = n;
        if (!sl_str_eq(n->assigned, first->assigned)) return true;
    }
    return false;
}

void sl_partitions_clear(struct sl_partitions *p) {
    for (int i = 0; i < p->n; i++) sl_graph_free(p->items[i].graph);
    sl_free(p->items);
    *p = (struct sl_partitions){NULL, 0, 0};
}

static const struct sl_pb_TensorShapeProto_Dim no_elements = {.size = 0};
static const struct sl_pb_TensorShapeProto no_shape = {.dim = {(struct sl_pb_TensorShapeProto_Dim *)&no_elements, 1}};
static const struct sl_pb_TensorProto nothing = {.dtype = SL_FLOAT,
                                                 .tensor_shape = (struct sl_pb_TensorShapeProto *)&no_shape};
static const struct sl_pb_AttrValue signal_values[] = {{.which = SL_PB_AttrValue_type, .type = SL_FLOAT},
                                                       {.which = SL_PB_AttrValue_tensor,
                                                        .tensor = (struct sl_pb_TensorProto *)&nothing}};
static const struct sl_attr signal_attrs[] = {{{"dtype", 5}, &signal_values[0]}, {{"value", 5}, &signal_values[1]}};
const struct sl_attrs sl_cut_signal_attrs = {signal_attrs, 2};

/* ---- before the cut */

sl_code sl_cut_put(struct sl_cut *cut, const struct sl_node *n, int device, int frame) {
    while (cut->device.n <= n->id)
        if (sl_vec_push(&cut->device, 0) || sl_vec_push(&cut->frame, 0)) return sl_fail_memory(cut->err, sizeof device);
    cut->device.items[n->id] = device;
    cut->frame.items[n->id] = frame;
    return SL_OK;
}

sl_code sl_cut_add(struct sl_node **out, struct sl_cut *cut, const struct sl_node_spec *spec, int part, int frame) {
    SL_TRY(sl_graph_add_trusted(out, cut->graph, spec, cut->err));
    return sl_cut_put(cut, *out, cut->device_of_part[part], frame);
}

/* The part that a device belongs to, of those that there are so far; else -1. */
static int part_with(const struct sl_cut *cut, int device) {
    const struct sl_device *all = cut->devices->items;
    for (int p = 0; p < cut->n_parts && cut->by == SL_CUT_BY_TASK; p++)
        if (sl_device_is_same_task(&all[cut->device_of_part[p]].parsed, &all[device].parsed)) return p;
    return -1;
}

/* Notes the device of every node, and numbers the parts in the order of devices. */
static sl_code find_parts(struct sl_cut *cut) {
    int n_devices = cut->devices->n;
    bool *is_used = SL_ARENA_ARRAY(&cut->scratch, bool, (size_t)n_devices);
    cut->part_of_device = SL_ARENA_ARRAY(&cut->scratch, int, (size_t)n_devices);
    cut->device_of_part = SL_ARENA_ARRAY(&cut->scratch, int, (size_t)n_devices);
    if (!is_used || !cut->part_of_device || !cut->device_of_part) return sl_fail_memory(cut->err, (size_t)n_devices);
    SL_GRAPH_EACH(n, cut->graph) {
        int device = sl_device_find(cut->devices, n->assigned);
        if (device < 0)
            return sl_fail(cut->err, SL_INTERNAL, "Node %.*s is placed on %.*s, which is not there",
                           SL_STR_ARG(n->name), SL_STR_ARG(n->assigned));
        is_used[device] = true;
        SL_TRY(sl_cut_put(cut, n, device, 0));
    }
    for (int d = 0; d < n_devices; d++) {
        if (!is_used[d]) continue;
        int part = part_with(cut, d);
        if (part < 0) cut->device_of_part[part = cut->n_parts++] = d;
        cut->part_of_device[d] = part;
    }
    return SL_OK;
}

/* ---- the cut */

static int part_of(const struct pieces *p, const struct sl_node *n) { return sl_cut_part(p->cut, n); }

static const struct sl_device *device_of(const struct pieces *p, const struct sl_node *n) {
    return &p->cut->devices->items[sl_cut_device(p->cut, n)];
}

/* Adds a node to the graph of the part that `beside` is in, on the same device. */
static sl_code add_to(struct sl_node **out, struct pieces *p, const struct sl_node *beside, const char *op,
                      struct sl_str name, const struct sl_attrs *attrs, const struct sl_port *input,
                      struct sl_node *control) {
    struct sl_graph *graph = p->graphs[part_of(p, beside)];
    struct sl_node_spec spec = {.name = sl_graph_unique_name(graph, name),
                                .attrs = *attrs,
                                .inputs = input,
                                .n_inputs = input != NULL,
                                .controls = &control,
                                .n_controls = control != NULL};
    if (!spec.name.p) return sl_fail_memory(p->err, name.n);
    SL_TRY(sl_op_find(&spec.op, graph->registry, sl_str_of(op), p->err));
    SL_TRY(sl_graph_add_trusted(out, graph, &spec, p->err));
    (*out)->assigned = sl_str_of(device_of(p, beside)->name);
    return SL_OK;
}

/* A signal that is there when `after` is done. */
static sl_code add_signal(struct sl_port *out, struct pieces *p, const struct sl_node *after) {
    *out = (struct sl_port){NULL, 0};
    return add_to(&out->node, p, after, "Const", after->name, &sl_cut_signal_attrs, NULL, p->copies[after->id]);
}

enum { PAIR_ATTRS = 7 };

/* The attrs of a _Send or, with other word for the type, of a _Recv. */
static void pair_attrs(struct sl_attr attrs[PAIR_ATTRS], const struct pieces *p, struct sl_arena *arena,
                       struct sl_str type_attr, int dtype, struct sl_str tensor_name, const struct sl_node *from,
                       const struct sl_node *to) {
    const struct sl_device *send = device_of(p, from), *recv = device_of(p, to);
    attrs[0] = sl_attr_new_type(arena, type_attr, dtype);
    attrs[1] = sl_attr_new(arena, SL_STR("tensor_name"), SL_ATTR_VALUE(s, tensor_name));
    attrs[2] = sl_attr_new(arena, SL_STR("send_device"), SL_ATTR_VALUE(s, sl_str_of(send->name)));
    attrs[3] = sl_attr_new(arena, SL_STR("send_device_incarnation"), SL_ATTR_VALUE(i, (int64_t)send->incarnation));
    attrs[4] = sl_attr_new(arena, SL_STR("recv_device"), SL_ATTR_VALUE(s, sl_str_of(recv->name)));
    attrs[5] = sl_attr_new(arena, SL_STR("client_terminated"), SL_ATTR_VALUE(b, false));
    attrs[6] = sl_attr_new(arena, SL_STR("_pair"), SL_ATTR_VALUE(i, p->cut->n_pairs));
}

/* What starts a _Recv that runs with `reader`: the iteration of the device's own loop; NULL outside of loops. */
static struct sl_node *starter(const struct pieces *p, const struct sl_node *reader) {
    int frame = p->cut->frame.items[reader->id], part = part_of(p, reader);
    if (frame == 0) return NULL;
    struct sl_node *merge = p->cut->loop_merges[(size_t)frame * (size_t)p->cut->n_parts + (size_t)part];
    return merge ? p->copies[merge->id] : NULL;
}

/* Between tasks an Identity stands for a signal that has come: to TensorFlow's executor a _Recv of a dead value is alive
 * for those that wait for it without its value. */
static sl_code add_arrival(struct sl_node **recv, struct pieces *p, const struct sl_node *from,
                           const struct sl_node *reader) {
    struct sl_arena *arena = &p->graphs[part_of(p, reader)]->arena;
    struct sl_attr type = sl_attr_new_type(arena, SL_STR("T"), SL_FLOAT);
    const struct sl_port signal = {*recv, 0};
    return add_to(recv, p, reader, "Identity", from->name, &(struct sl_attrs){&type, 1}, &signal, NULL);
}

/* One pair for this output of a node, or its control output, to the part of `reader`. */
static sl_code add_pair(struct sl_node **recv, struct pieces *p, const struct sl_node *from, int index,
                        const struct sl_node *reader) {
    struct sl_arena *source = &p->graphs[part_of(p, from)]->arena, *target = &p->graphs[part_of(p, reader)]->arena;
    struct sl_port what = {p->copies[from->id], index};
    struct sl_attr attrs[PAIR_ATTRS];
    struct sl_node *send;
    if (index < 0) SL_TRY(add_signal(&what, p, from));
    int dtype = what.node->out_types[what.index];
    char *name = sl_arena_format(&p->cut->graph->arena, "edge_%u_%.*s", p->cut->n_pairs, SL_STR_ARG(from->name));
    if (!name) return sl_fail_memory(p->err, from->name.n);
    struct sl_str tensor_name = sl_str_of(name);
    pair_attrs(attrs, p, source, SL_STR("T"), dtype, tensor_name, from, reader);
    SL_TRY(add_to(&send, p, from, "_Send", from->name, &(struct sl_attrs){attrs, PAIR_ATTRS}, &what, NULL));
    pair_attrs(attrs, p, target, SL_STR("tensor_type"), dtype, tensor_name, from, reader);
    SL_TRY(
        add_to(recv, p, reader, "_Recv", from->name, &(struct sl_attrs){attrs, PAIR_ATTRS}, NULL, starter(p, reader)));
    p->cut->n_pairs++;
    if (index >= 0) (*recv)->shapes[0] = from->shapes[index];
    else if (p->cut->by == SL_CUT_BY_TASK) SL_TRY(add_arrival(recv, p, from, reader));
    return SL_OK;
}

/* The value of a reference is read when it is sent, so each reader has a pair of its own; what wants the reference
 * itself cannot have it. */
static sl_code cross(struct sl_node **recv, struct pieces *p, const struct sl_node *from, int index,
                     const struct sl_node *reader, bool wants_reference) {
    bool is_reference = index >= 0 && sl_dtype_is_ref(from->out_types[index]);
    int part = part_of(p, reader);
    if (wants_reference)
        return sl_fail(p->err, SL_INVALID_ARGUMENT, "The reference {{node %.*s}}:%d is on %s, {{node %.*s}} on %s",
                       SL_STR_ARG(from->name), index, device_of(p, from)->name, SL_STR_ARG(reader->name),
                       device_of(p, reader)->name);
    for (struct crossing *c = is_reference ? NULL : p->crossings[from->id]; c; c = c->next)
        if (c->index == index && c->part == part) {
            *recv = c->recv;
            return SL_OK;
        }
    struct crossing *c = SL_ARENA_NEW(&p->cut->scratch, struct crossing);
    if (!c) return sl_fail_memory(p->err, sizeof *c);
    SL_TRY(add_pair(&c->recv, p, from, index, reader));
    c->index = index;
    c->part = part;
    c->next = p->crossings[from->id];
    p->crossings[from->id] = c;
    *recv = c->recv;
    return SL_OK;
}

static sl_code map_edge(struct sl_port *port, void *arg, const struct sl_node *n, int slot) {
    struct pieces *p = arg;
    const struct sl_node *from = port->node;
    port->node = p->copies[from->id];
    if (part_of(p, from) == part_of(p, n)) return SL_OK;
    SL_TRY(cross(&port->node, p, from, port->index, n, slot >= 0 && sl_dtype_is_ref(n->in_types[slot])));
    port->index = 0;
    return SL_OK;
}

static sl_code copy_all(struct pieces *p) {
    struct sl_graph *graph = p->cut->graph;
    p->copies = SL_ARENA_ARRAY(&p->cut->scratch, struct sl_node *, graph->nodes.n);
    p->crossings = SL_ARENA_ARRAY(&p->cut->scratch, struct crossing *, graph->nodes.n);
    if (!p->copies || !p->crossings) return sl_fail_memory(p->err, graph->nodes.n);
    SL_GRAPH_EACH(n, graph) {
        SL_TRY(sl_graph_copy_node(&p->copies[n->id], p->graphs[part_of(p, n)], n, n->name, n->device, p->err));
        p->copies[n->id]->assigned = sl_str_of(device_of(p, n)->name);
    }
    SL_GRAPH_EACH(n, graph) SL_TRY(sl_graph_copy_edges(p->copies[n->id], n, map_edge, p, p->err));
    return SL_OK;
}

static sl_code make_parts(struct sl_partitions *out, struct sl_cut *cut) {
    struct pieces p = {.cut = cut, .err = cut->err};
    p.graphs = SL_ARENA_ARRAY(&cut->scratch, struct sl_graph *, (size_t)cut->n_parts);
    out->items = sl_calloc((size_t)cut->n_parts, sizeof *out->items);
    if (!p.graphs || !out->items) return sl_fail_memory(cut->err, (size_t)cut->n_parts * sizeof *out->items);
    for (; out->n < cut->n_parts; out->n++) {
        SL_TRY(sl_graph_new(&p.graphs[out->n], cut->graph->registry, cut->err));
        p.graphs[out->n]->producer = cut->graph->producer;
        out->items[out->n] = (struct sl_partition){p.graphs[out->n], cut->device_of_part[out->n]};
    }
    SL_TRY(copy_all(&p));
    out->n_pairs = cut->n_pairs;
    return SL_OK;
}

sl_code sl_pass_partition(struct sl_partitions *out, struct sl_graph *graph, const struct sl_device_set *devices,
                          enum sl_cut_by by, struct sl_error *err) {
    struct sl_cut cut = {.graph = graph, .devices = devices, .by = by, .err = err};
    struct sl_partitions parts = {NULL, 0, 0};
    sl_arena_init(&cut.scratch);
    sl_code code = find_parts(&cut);
    if (code == SL_OK) code = sl_cut_number_transfers(&cut);
    if (code == SL_OK) code = sl_cut_move_flow(&cut);
    if (code == SL_OK) code = sl_cut_add_loops(&cut);
    if (code == SL_OK) code = make_parts(&parts, &cut);
    sl_vec_free(&cut.device);
    sl_vec_free(&cut.frame);
    sl_arena_clear(&cut.scratch);
    if (code != SL_OK) sl_partitions_clear(&parts);
    else *out = parts;
    return code;
}
