/* The cut: every node is copied into the graph of its device, and what a cut edge carries goes by _Send and _Recv. Control flow was made ready
 * before (partition_flow.c, partition_loops.c). */
#include "passes/partition.h"

#include "base/alloc.h"
#include "ops/op_row.h"
#include "passes/partition_cut.h"

/* The _Recv of one output (or of the control output, index -1) on one device. */
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

/* ---- before the cut */

static sl_code note(struct sl_cut *cut, const struct sl_node *n, int part, int frame) {
    while (cut->part.n <= n->id)
        if (sl_vec_push(&cut->part, 0) || sl_vec_push(&cut->frame, 0)) return sl_fail_memory(cut->err, sizeof part);
    cut->part.items[n->id] = part;
    cut->frame.items[n->id] = frame;
    return SL_OK;
}

sl_code sl_cut_add(struct sl_node **out, struct sl_cut *cut, const struct sl_node_spec *spec, int part, int frame) {
    SL_TRY(sl_graph_add_trusted(out, cut->graph, spec, cut->err));
    (*out)->assigned = sl_str_of(cut->devices->items[cut->device_of_part[part]].name);
    return note(cut, *out, part, frame);
}

/* Numbers the devices in use, in their order, and notes every node's. */
static sl_code find_parts(struct sl_cut *cut) {
    int n_devices = cut->devices->n;
    int *part_of_device = SL_ARENA_ARRAY(&cut->scratch, int, (size_t)n_devices);
    cut->device_of_part = SL_ARENA_ARRAY(&cut->scratch, int, (size_t)n_devices);
    if (!part_of_device || !cut->device_of_part) return sl_fail_memory(cut->err, (size_t)n_devices);
    SL_GRAPH_EACH(n, cut->graph) {
        int device = sl_device_find(cut->devices, n->assigned);
        if (device < 0)
            return sl_fail(cut->err, SL_INTERNAL, "Node %.*s is placed on %.*s, which is not there",
                           SL_STR_ARG(n->name), SL_STR_ARG(n->assigned));
        part_of_device[device] = 1;
        SL_TRY(note(cut, n, device, 0));
    }
    for (int d = 0; d < n_devices; d++)
        if (part_of_device[d]) {
            cut->device_of_part[cut->n_parts] = d;
            part_of_device[d] = cut->n_parts++;
        }
    for (size_t i = 0; i < cut->part.n; i++) cut->part.items[i] = part_of_device[cut->part.items[i]];
    return SL_OK;
}

/* ---- the cut */

static int part_of(const struct pieces *p, const struct sl_node *n) { return p->cut->part.items[n->id]; }

static const struct sl_device *device_of(const struct pieces *p, int part) {
    return &p->cut->devices->items[p->cut->device_of_part[part]];
}

static sl_code add_to(struct sl_node **out, struct pieces *p, int part, const char *op, struct sl_str name,
                      const struct sl_attrs *attrs, const struct sl_port *input, struct sl_node *control) {
    struct sl_graph *graph = p->graphs[part];
    struct sl_node_spec spec = {.name = sl_graph_unique_name(graph, name),
                                .attrs = *attrs,
                                .inputs = input,
                                .n_inputs = input != NULL,
                                .controls = &control,
                                .n_controls = control != NULL};
    if (!spec.name.p) return sl_fail_memory(p->err, name.n);
    SL_TRY(sl_op_find(&spec.op, graph->registry, sl_str_of(op), p->err));
    SL_TRY(sl_graph_add_trusted(out, graph, &spec, p->err));
    (*out)->assigned = sl_str_of(device_of(p, part)->name);
    return SL_OK;
}

/* An empty float vector that is there when `after` is done. */
static sl_code add_signal(struct sl_port *out, struct pieces *p, int part, struct sl_node *after) {
    static const struct sl_pb_TensorShapeProto_Dim no_elements = {.size = 0};
    struct sl_arena *arena = &p->graphs[part]->arena;
    struct sl_pb_TensorProto *empty = SL_ARENA_NEW(arena, struct sl_pb_TensorProto);
    struct sl_pb_TensorShapeProto *shape = SL_ARENA_NEW(arena, struct sl_pb_TensorShapeProto);
    struct sl_pb_AttrValue *values = SL_ARENA_ARRAY(arena, struct sl_pb_AttrValue, 2);
    if (!empty || !shape || !values) return sl_fail_memory(p->err, sizeof *empty);
    shape->dim.items = (struct sl_pb_TensorShapeProto_Dim *)(uintptr_t)&no_elements;
    shape->dim.n = 1;
    empty->dtype = SL_FLOAT;
    empty->tensor_shape = shape;
    values[0] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_type, .type = SL_FLOAT};
    values[1] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_tensor, .tensor = empty};
    struct sl_attr attrs[] = {{SL_STR("dtype"), &values[0]}, {SL_STR("value"), &values[1]}};
    *out = (struct sl_port){NULL, 0};
    return add_to(&out->node, p, part, "Const", after->name, &(struct sl_attrs){attrs, 2}, NULL, after);
}

enum { PAIR_ATTRS = 7 };

/* The attrs of a _Send or, with other word for the type, of a _Recv. */
static sl_code pair_attrs(struct sl_attr attrs[PAIR_ATTRS], struct pieces *p, struct sl_graph *graph,
                          const char *type_attr, int dtype, struct sl_str tensor_name, int from, int to) {
    struct sl_pb_AttrValue *v = SL_ARENA_ARRAY(&graph->arena, struct sl_pb_AttrValue, PAIR_ATTRS);
    if (!v) return sl_fail_memory(p->err, PAIR_ATTRS * sizeof *v);
    const struct sl_device *send = device_of(p, from), *recv = device_of(p, to);
    v[0] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_type, .type = dtype};
    v[1] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_s, .s = tensor_name};
    v[2] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_s, .s = sl_str_of(send->name)};
    v[3] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_i, .i = (int64_t)send->incarnation};
    v[4] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_s, .s = sl_str_of(recv->name)};
    v[5] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_b, .b = false};
    v[6] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_i, .i = p->cut->n_pairs};
    const char *const names[PAIR_ATTRS] = {type_attr,     "tensor_name",       "send_device", "send_device_incarnation",
                                           "recv_device", "client_terminated", "_pair"};
    for (int a = 0; a < PAIR_ATTRS; a++) attrs[a] = (struct sl_attr){sl_str_of(names[a]), &v[a]};
    return SL_OK;
}

/* What starts a _Recv that runs with `reader`: the iteration of the device's own loop; NULL outside of loops. */
static struct sl_node *starter(const struct pieces *p, const struct sl_node *reader) {
    int frame = p->cut->frame.items[reader->id], part = part_of(p, reader);
    if (frame == 0) return NULL;
    struct sl_node *merge = p->cut->loop_merges[(size_t)frame * (size_t)p->cut->n_parts + (size_t)part];
    return merge ? p->copies[merge->id] : NULL;
}

/* One pair for this output of a node, or its control output, to the device of `reader`. */
static sl_code add_pair(struct sl_node **recv, struct pieces *p, const struct sl_node *from, int index,
                        const struct sl_node *reader) {
    int source = part_of(p, from), target = part_of(p, reader);
    struct sl_port what = {p->copies[from->id], index};
    struct sl_attr attrs[PAIR_ATTRS];
    struct sl_node *send;
    if (index < 0) SL_TRY(add_signal(&what, p, source, p->copies[from->id]));
    int dtype = sl_dtype_base(what.node->out_types[what.index]);
    char *name = sl_arena_format(&p->cut->graph->arena, "edge_%u_%.*s", p->cut->n_pairs, SL_STR_ARG(from->name));
    if (!name) return sl_fail_memory(p->err, from->name.n);
    struct sl_str tensor_name = sl_str_of(name);
    SL_TRY(pair_attrs(attrs, p, p->graphs[source], "T", dtype, tensor_name, source, target));
    SL_TRY(add_to(&send, p, source, "_Send", from->name, &(struct sl_attrs){attrs, PAIR_ATTRS}, &what, NULL));
    SL_TRY(pair_attrs(attrs, p, p->graphs[target], "tensor_type", dtype, tensor_name, source, target));
    SL_TRY(
        add_to(recv, p, target, "_Recv", from->name, &(struct sl_attrs){attrs, PAIR_ATTRS}, NULL, starter(p, reader)));
    if (index >= 0) (*recv)->shapes[0] = from->shapes[index];
    p->cut->n_pairs++;
    return SL_OK;
}

/* The value of a reference is read when it is sent, so each reader has a pair of its own; what wants the reference itself cannot have it. */
static sl_code cross(struct sl_node **recv, struct pieces *p, const struct sl_node *from, int index,
                     const struct sl_node *reader, bool wants_reference) {
    bool is_reference = index >= 0 && sl_dtype_is_ref(from->out_types[index]);
    int part = part_of(p, reader);
    if (wants_reference)
        return sl_fail(p->err, SL_INVALID_ARGUMENT, "The reference {{node %.*s}}:%d is on %s, {{node %.*s}} on %s",
                       SL_STR_ARG(from->name), index, device_of(p, part_of(p, from))->name, SL_STR_ARG(reader->name),
                       device_of(p, part)->name);
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

/* A node without inputs yet: they may be further down. */
static sl_code copy_node(struct pieces *p, struct sl_node *n, struct sl_port *missing) {
    struct sl_node_spec spec = {.name = n->name,
                                .device = n->device,
                                .op = n->op,
                                .attrs = n->attrs,
                                .inputs = missing,
                                .n_inputs = n->n_inputs,
                                .allow_missing_back_edges = true};
    struct sl_node *copy;
    SL_TRY(sl_graph_add_trusted(&copy, p->graphs[part_of(p, n)], &spec, p->err));
    for (int o = 0; o < n->n_outputs; o++) copy->shapes[o] = n->shapes[o];
    copy->assigned = n->assigned;
    p->copies[n->id] = copy;
    return SL_OK;
}

static sl_code connect(struct pieces *p, const struct sl_node *n) {
    struct sl_node *copy = p->copies[n->id], *from;
    struct sl_graph *graph = p->graphs[part_of(p, n)];
    for (int i = 0; i < n->n_inputs; i++) {
        struct sl_port input = {p->copies[n->inputs[i].node->id], n->inputs[i].index};
        if (part_of(p, n->inputs[i].node) != part_of(p, n)) {
            SL_TRY(cross(&from, p, n->inputs[i].node, n->inputs[i].index, n, sl_dtype_is_ref(n->in_types[i])));
            input = (struct sl_port){from, 0};
        }
        SL_TRY(sl_graph_set_input(graph, copy, i, input, p->err));
    }
    for (int i = 0; i < n->n_controls; i++) {
        from = p->copies[n->controls[i]->id];
        if (part_of(p, n->controls[i]) != part_of(p, n)) SL_TRY(cross(&from, p, n->controls[i], -1, n, false));
        SL_TRY(sl_graph_add_control(graph, from, copy, p->err));
    }
    return SL_OK;
}

static sl_code copy_all(struct pieces *p) {
    struct sl_graph *graph = p->cut->graph;
    int most_inputs = 0;
    SL_GRAPH_EACH(n, graph) if (n->n_inputs > most_inputs) most_inputs = n->n_inputs;
    struct sl_port *missing = SL_ARENA_ARRAY(&p->cut->scratch, struct sl_port, (size_t)most_inputs);
    p->copies = SL_ARENA_ARRAY(&p->cut->scratch, struct sl_node *, graph->nodes.n);
    p->crossings = SL_ARENA_ARRAY(&p->cut->scratch, struct crossing *, graph->nodes.n);
    if (!missing || !p->copies || !p->crossings) return sl_fail_memory(p->err, graph->nodes.n);
    SL_GRAPH_EACH(n, graph) SL_TRY(copy_node(p, n, missing));
    SL_GRAPH_EACH(n, graph) SL_TRY(connect(p, n));
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
                          struct sl_error *err) {
    struct sl_cut cut = {.graph = graph, .devices = devices, .err = err};
    struct sl_partitions parts = {NULL, 0, 0};
    sl_arena_init(&cut.scratch);
    sl_code code = find_parts(&cut);
    if (code == SL_OK) code = sl_cut_number_transfers(&cut);
    if (code == SL_OK) code = sl_cut_move_flow(&cut);
    if (code == SL_OK) code = sl_cut_add_loops(&cut);
    if (code == SL_OK) code = make_parts(&parts, &cut);
    sl_vec_free(&cut.part);
    sl_vec_free(&cut.frame);
    sl_arena_clear(&cut.scratch);
    if (code != SL_OK) sl_partitions_clear(&parts);
    else *out = parts;
    return code;
}
