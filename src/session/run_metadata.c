/* RunMetadata. Nodes are told by device and in the order in which they ended; constants, arguments and results are no
 * work, and what comes of them depends on the program's form. A node's memory is that of outputs which are nobody else's
 * and in which none of its inputs lay. Two devices may have nodes of one name. */
#include "session/run_metadata.h"

#include <stdio.h>
#include <string.h>

#include "base/str_map.h"
#include "proto/wire.h"
#include "session/cost_graph.h"
#include "tensor/tensor_proto.h"

struct sl_run_wishes sl_run_wishes_of(const struct sl_run *run) {
    if (!run->options) return (struct sl_run_wishes){.steps = false};
    return (struct sl_run_wishes){.steps = run->options->trace_level != SL_PB_RunOptions_TraceLevel_NO_TRACE,
                                  .graphs = run->options->output_partition_graphs};
}

/* What ran on one device. */
struct place {
    struct sl_str device;
    struct sl_str_map nodes; /* NodeDef by name */
    struct sl_str_map last;  /* the last event by name, so far */
    struct sl_pb_array_NodeExecStats stats;
};

struct writer {
    struct sl_cost_source costs;
    struct sl_arena arena;
    const struct sl_run_plan *plan;
    const struct sl_step_record *record;
    struct place *places; /* the runtime's devices, and "" */
    size_t n_places;
    int64_t *longest_ns; /* of the events that a node has had so far, with that of its last one */
    struct sl_error *err;
};

static sl_code make_places(struct writer *w) {
    const struct sl_device_set *devices = &w->plan->runtime->devices;
    size_t n = (size_t)devices->n + 1;
    w->places = SL_ARENA_ARRAY(&w->arena, struct place, n);
    if (!w->places) return sl_fail_memory(w->err, n * sizeof *w->places);
    for (; w->n_places < n - 1; w->n_places++)
        w->places[w->n_places].device = sl_str_of(devices->items[w->n_places].name);
    w->n_places++;
    return SL_OK;
}

static struct place *find_place(const struct writer *w, struct sl_str device) {
    size_t i = 0;
    while (i < w->n_places - 1 && !sl_str_eq(w->places[i].device, device)) i++;
    return &w->places[i];
}

/* ---- graphs */

/* `graph` with the devices on which its nodes ran. */
static sl_code export_graph(struct sl_pb_GraphDef *out, struct writer *w, struct sl_graph *graph) {
    struct sl_pb_GraphDef *def;
    SL_TRY(sl_graph_export_placed(&def, graph, &w->arena, w->err));
    for (size_t i = 0; i < def->node.n; i++) {
        struct sl_pb_NodeDef *node = &def->node.items[i];
        if (sl_str_map_put(&find_place(w, node->device)->nodes, node->name, node))
            return sl_fail_memory(w->err, node->name.n);
    }
    *out = *def;
    return SL_OK;
}

static sl_code export_graphs(struct sl_pb_array_GraphDef *out, struct writer *w) {
    const struct sl_partitions *pieces = &w->plan->pieces;
    size_t n = pieces->n ? (size_t)pieces->n : 1;
    out->items = SL_ARENA_ARRAY(&w->arena, struct sl_pb_GraphDef, n);
    if (!out->items) return sl_fail_memory(w->err, n * sizeof *out->items);
    for (; out->n < n; out->n++) {
        struct sl_graph *graph = pieces->n ? pieces->items[out->n].graph : w->plan->front.parts[0].graph;
        SL_TRY(export_graph(&out->items[out->n], w, graph));
    }
    return SL_OK;
}

/* ---- nodes */

/* "name = Op(input, input:1, ^control)" */
static sl_code label(struct sl_str *out, struct writer *w, const struct sl_pb_NodeDef *def,
                     const struct sl_recorded_event *e) {
    size_t size = e->name.n + e->op.n + 6, n_inputs = def ? def->input.n : 0;
    for (size_t i = 0; i < n_inputs; i++) size += def->input.items[i].n + 2;
    char *text = sl_arena_alloc(&w->arena, size);
    if (!text) return sl_fail_memory(w->err, size);
    size_t n = (size_t)snprintf(text, size, "%.*s = %.*s(", SL_STR_ARG(e->name), SL_STR_ARG(e->op));
    for (size_t i = 0; i < n_inputs; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%.*s", i ? ", " : "", SL_STR_ARG(def->input.items[i]));
    text[n++] = ')';
    *out = (struct sl_str){text, n};
    return SL_OK;
}

/* The node of an input's text: "x" of "x:1" and "^x". */
static struct sl_str producer(struct sl_str input) {
    if (input.n && input.p[0] == '^') return (struct sl_str){input.p + 1, input.n - 1};
    const char *colon = memchr(input.p, ':', input.n);
    return colon ? (struct sl_str){input.p, (size_t)(colon - input.p)} : input;
}

/* Whether an input of the node lay at `data`. Nodes that pass a value on have no events: their first input tells. */
static bool lay_in_input(const struct place *p, const struct sl_pb_NodeDef *def, const void *data) {
    for (size_t i = 0; i < def->input.n; i++) {
        struct sl_str name = producer(def->input.items[i]);
        const struct sl_recorded_event *e = sl_str_map_get(&p->last, name);
        for (int steps = 0; !e && steps < 32; steps++) {
            const struct sl_pb_NodeDef *passing = sl_str_map_get(&p->nodes, name);
            if (!passing || !passing->input.n) break;
            name = producer(passing->input.items[0]);
            e = sl_str_map_get(&p->last, name);
        }
        for (uint32_t o = 0; e && o < e->n_outputs; o++)
            if (e->outputs[o].data == data) return true;
    }
    return false;
}

/* What comes out of a node without inputs was there before. */
static bool is_allocated(const struct place *p, const struct sl_pb_NodeDef *def, const struct sl_recorded_output *o) {
    bool has_inputs = !def || (def->input.n && def->input.items[0].p[0] != '^');
    return o->is_sole && o->bytes && has_inputs && !(def && lay_in_input(p, def, o->data));
}

static struct sl_str allocator(const struct sl_recorded_output *o) {
    return o->memory ? sl_str_of(o->memory) : SL_STR("cpu");
}

static sl_code add_output(struct sl_pb_NodeExecStats *stats, struct writer *w, int slot,
                          const struct sl_recorded_output *o) {
    struct sl_pb_TensorDescription *what = SL_ARENA_NEW(&w->arena, struct sl_pb_TensorDescription);
    struct sl_pb_AllocationDescription *where = SL_ARENA_NEW(&w->arena, struct sl_pb_AllocationDescription);
    if (!what || !where) return sl_fail_memory(w->err, sizeof *what);
    *where = (struct sl_pb_AllocationDescription){.requested_bytes = (int64_t)o->bytes,
                                                  .allocated_bytes = (int64_t)o->bytes,
                                                  .allocator_name = allocator(o),
                                                  .has_single_reference = o->is_sole,
                                                  .ptr = (uint64_t)(uintptr_t)o->data};
    what->dtype = o->dtype;
    what->allocation_description = where;
    SL_TRY(sl_shape_to_proto(&what->shape, o->shape, &w->arena, w->err));
    stats->output.items[stats->output.n++] = (struct sl_pb_NodeOutput){.slot = slot, .tensor_description = what};
    return SL_OK;
}

static void add_memory(struct sl_pb_NodeExecStats *stats, const struct sl_recorded_output *o) {
    struct sl_pb_AllocatorMemoryUsed *m = stats->memory.items;
    size_t i = 0;
    while (i < stats->memory.n && !sl_str_eq(m[i].allocator_name, allocator(o))) i++;
    if (i == stats->memory.n) m[stats->memory.n++] = (struct sl_pb_AllocatorMemoryUsed){.allocator_name = allocator(o)};
    m[i].total_bytes += (int64_t)o->bytes;
    m[i].peak_bytes += (int64_t)o->bytes;
    m[i].live_bytes += (int64_t)o->bytes;
}

static sl_code add_outputs(struct sl_pb_NodeExecStats *stats, struct writer *w, const struct place *p,
                           const struct sl_pb_NodeDef *def, const struct sl_recorded_event *e) {
    stats->output.items = SL_ARENA_ARRAY(&w->arena, struct sl_pb_NodeOutput, (size_t)e->n_outputs + 1);
    stats->memory.items = SL_ARENA_ARRAY(&w->arena, struct sl_pb_AllocatorMemoryUsed, (size_t)e->n_outputs + 1);
    if (!stats->output.items || !stats->memory.items) return sl_fail_memory(w->err, e->n_outputs * sizeof *e->outputs);
    for (uint32_t i = 0; i < e->n_outputs; i++) {
        const struct sl_recorded_output *o = &e->outputs[i];
        if (o->kind <= SL_VALUE_DEAD) continue;
        SL_TRY(add_output(stats, w, (int)i, o));
        if (is_allocated(p, def, o)) add_memory(stats, o);
    }
    return SL_OK;
}

static sl_code add_node(struct writer *w, struct place *p, const struct sl_recorded_event *e) {
    const struct sl_pb_NodeDef *def = sl_str_map_get(&p->nodes, e->name);
    int64_t start_ns = e->start_ns + w->record->epoch_ns, took_ns = e->end_ns - e->start_ns;
    struct sl_pb_NodeExecStats *stats = &p->stats.items[p->stats.n++];
    *stats = (struct sl_pb_NodeExecStats){.node_name = e->name,
                                          .all_start_micros = start_ns / 1000,
                                          .op_end_rel_micros = took_ns / 1000,
                                          .all_end_rel_micros = took_ns / 1000,
                                          .scheduled_micros = start_ns / 1000,
                                          .thread_id = (uint32_t)e->thread,
                                          .all_start_nanos = start_ns,
                                          .op_end_rel_nanos = took_ns,
                                          .all_end_rel_nanos = took_ns,
                                          .scheduled_nanos = start_ns};
    SL_TRY(label(&stats->timeline_label, w, def, e));
    SL_TRY(add_outputs(stats, w, p, def, e));
    const struct sl_recorded_event *before = sl_str_map_get(&p->last, e->name);
    int64_t *longest = &w->longest_ns[e - w->record->events.items];
    *longest = took_ns;
    if (before && w->longest_ns[before - w->record->events.items] > took_ns)
        *longest = w->longest_ns[before - w->record->events.items];
    return sl_str_map_put(&p->last, e->name, (void *)e) ? sl_fail_memory(w->err, e->name.n) : SL_OK;
}

static sl_code add_nodes(struct writer *w) {
    size_t n = w->record->events.n;
    const struct sl_recorded_event *events = w->record->events.items;
    if (w->record->is_cut) return sl_fail_memory(w->err, n * sizeof *events);
    w->longest_ns = SL_ARENA_ARRAY(&w->arena, int64_t, n + 1);
    if (!w->longest_ns) return sl_fail_memory(w->err, n * sizeof *w->longest_ns);
    for (size_t i = 0; i < n; i++) find_place(w, sl_str_of(events[i].device))->stats.n++;
    for (struct place *p = w->places; p < w->places + w->n_places; p++) {
        p->stats.items = SL_ARENA_ARRAY(&w->arena, struct sl_pb_NodeExecStats, p->stats.n + 1);
        if (!p->stats.items) return sl_fail_memory(w->err, p->stats.n * sizeof *p->stats.items);
        p->stats.n = 0;
    }
    for (size_t i = 0; i < n; i++) SL_TRY(add_node(w, find_place(w, sl_str_of(events[i].device)), &events[i]));
    return SL_OK;
}

/* ---- all of it */

static sl_code add_steps(struct sl_pb_RunMetadata *metadata, struct writer *w) {
    struct sl_pb_StepStats *steps = SL_ARENA_NEW(&w->arena, struct sl_pb_StepStats);
    struct sl_pb_DeviceStepStats *devices = SL_ARENA_ARRAY(&w->arena, struct sl_pb_DeviceStepStats, w->n_places);
    if (!steps || !devices) return sl_fail_memory(w->err, w->n_places * sizeof *devices);
    steps->dev_stats.items = devices;
    for (const struct place *p = w->places; p < w->places + w->n_places; p++)
        if (p->stats.n || (p == w->places && !w->record->events.n)) /* a step that had nothing to run ran, too */
            devices[steps->dev_stats.n++] = (struct sl_pb_DeviceStepStats){.device = p->device, .node_stats = p->stats};
    metadata->step_stats = steps;
    return SL_OK;
}

static struct sl_node_cost cost_of(const struct sl_cost_source *source, const struct sl_node *node) {
    const struct writer *w = (const struct writer *)source; /* its first member */
    const struct place *p = find_place(w, node->assigned.n ? node->assigned : node->device);
    const struct sl_recorded_event *e = sl_str_map_get(&p->last, node->name);
    return (struct sl_node_cost){e, e ? w->longest_ns[e - w->record->events.items] : 0};
}

static sl_code add_costs(struct sl_pb_RunMetadata *metadata, struct writer *w) {
    const struct sl_partitions *pieces = &w->plan->pieces;
    size_t n = pieces->n ? (size_t)pieces->n : 1;
    struct sl_graph **graphs = SL_ARENA_ARRAY(&w->arena, struct sl_graph *, n);
    if (!graphs) return sl_fail_memory(w->err, n * sizeof *graphs);
    for (size_t i = 0; i < n; i++) graphs[i] = pieces->n ? pieces->items[i].graph : w->plan->front.parts[0].graph;
    return sl_cost_graph_make(&metadata->cost_graph, graphs, n, &w->costs, &w->arena, w->err);
}

static sl_code write(struct sl_str *out, struct writer *w, struct sl_run_wishes wishes) {
    struct sl_pb_RunMetadata metadata = {0};
    SL_TRY(make_places(w));
    SL_TRY(export_graphs(&metadata.partition_graphs, w));
    if (sl_run_wishes_record(wishes)) SL_TRY(add_nodes(w));
    if (wishes.steps) SL_TRY(add_steps(&metadata, w));
    if (wishes.costs) SL_TRY(add_costs(&metadata, w));
    if (!wishes.graphs) metadata.partition_graphs.n = 0;
    return sl_pb_encode(out, SL_PB_TYPE(RunMetadata), &metadata, SL_PB_SORT_MAPS, NULL, w->err);
}

sl_code sl_run_metadata_encode(struct sl_str *out, const struct sl_run_plan *plan, const struct sl_step_record *record,
                               struct sl_run_wishes wishes, struct sl_error *err) {
    struct writer w = {.costs = {cost_of}, .plan = plan, .record = record, .err = err};
    sl_arena_init(&w.arena);
    sl_code code = write(out, &w, wishes);
    for (size_t i = 0; i < w.n_places; i++) {
        sl_str_map_free(&w.places[i].nodes);
        sl_str_map_free(&w.places[i].last);
    }
    sl_arena_clear(&w.arena);
    return code;
}
