/* Choosing devices for groups of colocated nodes (colocate.c): by requests first; a node without request may then
 * go with its neighbours. */
#include "passes/place.h"

#include <stdio.h>

#include "base/str_map.h"
#include "ops/attr.h"
#include "ops/op_effects.h"
#include "ops/op_row.h"
#include "passes/colocate.h"
#include "passes/place_greedy.h"
#include "passes/serving.h"

struct placement {
    struct sl_graph *graph;
    const struct sl_place_options *options;
    struct sl_groups groups;
    struct sl_serving serving;
    int *chosen; /* by the first node of a group: its device, or -1 */
    struct sl_error *err;
};

static bool fits(const struct placement *p, const struct sl_device_name *request, int device) {
    return sl_device_matches(request, &p->options->devices->items[device].parsed);
}

/* The default device when it fits, else the first that does, else -1. */
static int first_fit(const struct placement *p, const struct sl_device_name *request) {
    if (fits(p, request, p->options->default_device)) return p->options->default_device;
    return sl_device_first(p->options->devices, request);
}

/* Whether the group may be put on a device: it has not asked for another one, and there are kernels. */
static bool may_go(const struct placement *p, uint32_t group, int device) {
    if (sl_serves(&p->serving, group, device) == SL_SERVES_NOT) return false;
    return !p->groups.has_request[group] || fits(p, &p->groups.request[group], device);
}

/* Of the devices that fit the request and have kernels, the one that has most of the group: by the priorities of the
 * types where it gains; the default one before others; -1: there is none. */
static int best_fit(const struct placement *p, const struct sl_device_name *request, uint32_t group) {
    int best = -1, best_rank = -1;
    if (p->options->devices->is_host_alone) return first_fit(p, request);
    for (int d = 0; d < p->options->devices->n; d++) {
        enum sl_serves serves = sl_serves(&p->serving, group, d);
        bool is_default = d == p->options->default_device;
        if (serves == SL_SERVES_NOT || !fits(p, request, d)) continue;
        if (is_default && p->options->prefers_default) return d;
        int rank = serves == SL_SERVES_BEST ? p->options->devices->items[d].type->priority : 0;
        if (rank < best_rank || (rank == best_rank && !is_default)) continue;
        best = d;
        best_rank = rank;
    }
    return best;
}

static sl_code no_such_device(const struct sl_device_set *devices, const struct sl_node *n,
                              const struct sl_device_name *request, struct sl_error *err) {
    char text[SL_DEVICE_TEXT];
    sl_fail(err, SL_INVALID_ARGUMENT,
            "Cannot assign a device for operation %.*s: {{node %.*s}} was explicitly assigned to %s but available "
            "devices are [ ",
            SL_STR_ARG(n->name), SL_STR_ARG(n->name), sl_device_print(text, request));
    for (int d = 0; d < devices->n; d++) sl_error_append(err, "%s%s", d ? ", " : "", devices->items[d].name);
    sl_error_append(err, " ]. Make sure the device specification refers to a valid device.\n\t [[%.*s]]",
                    SL_STR_ARG(n->name));
    return SL_INVALID_ARGUMENT;
}

/* A device is there, but a node of the group cannot run on it. */
static sl_code no_such_kernel(struct placement *p, const struct sl_node *n, const struct sl_device_name *request) {
    char text[SL_DEVICE_TEXT];
    int device = sl_device_first(p->options->devices, request);
    return sl_fail(p->err, SL_INVALID_ARGUMENT,
                   "Cannot assign a device for operation %.*s: Could not satisfy explicit device specification '%s' "
                   "because no supported kernel for %s devices is available.\n\t [[{{node %.*s}}]]",
                   SL_STR_ARG(n->name), sl_device_print(text, request), p->options->devices->items[device].type->name,
                   SL_STR_ARG(n->name));
}

static sl_code choose_for_group(int *out, struct placement *p, const struct sl_node *n, uint32_t group) {
    const struct sl_device_name request = p->groups.has_request[group] ? p->groups.request[group] : SL_DEVICE_ANY;
    struct sl_device_name task = request;
    bool may_choose = p->options->is_soft || !request.type[0];
    int device = best_fit(p, &request, group);
    task.type[0] = 0;
    task.id = -1;
    if (device < 0 && p->options->is_soft) device = best_fit(p, &task, group);
    if (device < 0 && may_choose) device = first_fit(p, &task); /* the compiler says which kernel there is none of */
    if (device < 0 && sl_device_first(p->options->devices, &request) >= 0) return no_such_kernel(p, n, &request);
    if (device < 0) return no_such_device(p->options->devices, n, &request, p->err);
    *out = device;
    return SL_OK;
}

/* A source of one value: it had better be where that is read. */
static bool is_generator(const struct sl_node *n) {
    return n->n_inputs == 0 && n->n_outputs == 1 && !sl_dtype_is_ref(n->out_types[0]);
}

/* What had better be where its first input is: what only tells its size, and what the input goes through on its way
 * into an iteration, a branch or out of a loop. */
static bool follows_input(const struct sl_node *n) {
    enum sl_flow_kind kind = sl_flow_kind_of(n->op);
    if (n->op->index == SL_ROW_Identity) {
        kind = sl_flow_kind_of(n->inputs[0].node->op);
        return kind == SL_FLOW_SWITCH || kind == SL_FLOW_SWITCH_N;
    }
    if (sl_op_has(n->op, SL_OP_TELLS_SHAPE)) return n->n_inputs == 1;
    return kind == SL_FLOW_SWITCH || kind == SL_FLOW_SWITCH_N || kind == SL_FLOW_EXIT;
}

static int device_of(struct placement *p, const struct sl_node *n) {
    return sl_node_is_arg_or_ret(n) ? p->options->default_device : p->chosen[sl_group_of(&p->groups, n->id)];
}

/* The device of all readers of a generator, when that is one and the group may go there; else -1. */
static int device_of_readers(struct placement *p, const struct sl_node *n, uint32_t group) {
    int device = -1;
    for (uint32_t u = 0; u < n->uses.n; u++) {
        if (n->uses.items[u].slot < 0) continue;
        int other = device_of(p, n->uses.items[u].node);
        if (other < 0 || (device >= 0 && other != device)) return -1;
        device = other;
    }
    return device >= 0 && may_go(p, group, device) ? device : -1;
}

static void note(const struct placement *p, const struct sl_node *n, enum sl_place_reason reason) {
    if (p->options->records) p->options->records[n->id].reason = reason;
}

static void note_group(const struct placement *p, const struct sl_node *n) {
    if (p->options->records && !p->options->records[n->id].reason) note(p, n, SL_PLACED_WITH_GROUP);
}

/* What a variable of a loop becomes after an iteration; NULL when the node is not the Merge of one. */
static struct sl_node *next_value(const struct sl_node *n) {
    if (sl_flow_kind_of(n->op) != SL_FLOW_MERGE) return NULL;
    for (int i = 0; i < n->n_inputs; i++)
        if (n->inputs[i].node && sl_flow_kind_of(n->inputs[i].node->op) == SL_FLOW_NEXT)
            return n->inputs[i].node->inputs[0].node;
    return NULL;
}

/* Variables of loops that nothing asks a place for live where their next value is made: elsewhere they would go
 * there and back in each iteration. The rest of a loop's control flow follows them (partition_flow.c). Inner loops
 * come after outer ones. */
static void choose_for_loops(struct placement *p) {
    for (size_t i = p->graph->nodes.n; i-- > 0;) {
        struct sl_node *n = p->graph->nodes.items[i], *maker = n->is_removed ? NULL : next_value(n);
        while (maker && (sl_flow_kind_of(maker->op) == SL_FLOW_EXIT || sl_flow_kind_of(maker->op) == SL_FLOW_SWITCH))
            maker = maker->inputs[0].node;
        uint32_t group = sl_group_of(&p->groups, n->id);
        if (!maker || p->chosen[group] >= 0) continue;
        int device = device_of(p, maker);
        if (device < 0 || sl_serves(&p->serving, group, device) == SL_SERVES_NOT) continue;
        p->chosen[group] = device;
        note(p, n, SL_PLACED_WITH_LOOP);
    }
}

static sl_code choose(struct placement *p, struct sl_node *n, bool are_generators) {
    uint32_t group = sl_group_of(&p->groups, n->id);
    int device = p->chosen[group];
    if (sl_node_is_arg_or_ret(n) || is_generator(n) != are_generators) return SL_OK;
    if (device >= 0) {
        note_group(p, n);
        return SL_OK;
    }
    if (are_generators) {
        device = device_of_readers(p, n, group);
        if (device >= 0) note(p, n, SL_PLACED_WITH_READERS);
    } else if (follows_input(n)) {
        device = device_of(p, n->inputs[0].node);
        if (device >= 0 && !may_go(p, group, device)) device = -1;
        if (device >= 0) note(p, n, SL_PLACED_WITH_INPUT);
    }
    if (device < 0) SL_TRY(choose_for_group(&device, p, n, group));
    p->chosen[group] = device;
    return SL_OK;
}

static void assign(const struct placement *p, struct sl_node *n, int device) {
    n->assigned = sl_str_of(p->options->devices->items[device].name);
    if (p->options->logs)
        fprintf(stderr, "%.*s: (%.*s): %s\n", SL_STR_ARG(n->name), SL_STR_ARG(n->op->name), n->assigned.p);
}

/* What was asked for says more than how it was chosen. */
static void note_requests(struct placement *p, const struct sl_node *n) {
    uint32_t group = sl_group_of(&p->groups, n->id);
    if (sl_node_is_arg_or_ret(n)) note(p, n, SL_PLACED_AS_ARG_OR_RET);
    else if (!p->groups.has_request[group]) return;
    else if (!fits(p, &p->groups.request[group], p->chosen[group])) note(p, n, SL_PLACED_SOFTLY);
    else note(p, n, n->device.n ? SL_PLACED_AS_ASKED : SL_PLACED_WITH_GROUP);
}

/* All else on one device that is not the host's: then the step needs no other one. */
static int device_of_args(struct placement *p) {
    const struct sl_device_set *devices = p->options->devices;
    int only = -1;
    if (devices->is_host_alone) return p->options->default_device;
    SL_GRAPH_EACH(n, p->graph) {
        int device = sl_node_is_arg_or_ret(n) ? only : device_of(p, n);
        if (only >= 0 && device != only) return p->options->default_device;
        only = device;
    }
    return only >= 0 && !sl_device_is_host(&devices->items[only]) ? only : p->options->default_device;
}

static sl_code place(struct placement *p, struct sl_arena *scratch) {
    size_t n = p->graph->nodes.n;
    bool any_request = false;
    SL_GRAPH_EACH(node, p->graph) any_request = any_request || node->device.n;
    if (!any_request && !p->options->costs && p->options->devices->is_host_alone) { /* nothing to decide */
        SL_GRAPH_EACH(node, p->graph) assign(p, node, p->options->default_device);
        return SL_OK;
    }
    p->chosen = SL_ARENA_ARRAY(scratch, int, n);
    if (!p->chosen) return sl_fail_memory(p->err, n * sizeof *p->chosen);
    for (size_t i = 0; i < n; i++) p->chosen[i] = -1;
    SL_TRY(sl_groups_make(&p->groups, p->graph, p->options->is_soft, scratch, p->err));
    if (!p->options->devices->is_host_alone)
        SL_TRY(sl_serving_make(&p->serving, &p->groups, p->options, scratch, p->err));
    if (p->options->costs) SL_TRY(sl_place_greedily(p->chosen, &p->groups, p->options, scratch, p->err));
    SL_GRAPH_EACH(node, p->graph)
    if (p->groups.has_request[sl_group_of(&p->groups, node->id)]) SL_TRY(choose(p, node, false));
    choose_for_loops(p);
    SL_GRAPH_EACH(node, p->graph) SL_TRY(choose(p, node, false));
    SL_GRAPH_EACH(node, p->graph) SL_TRY(choose(p, node, true));
    int args = device_of_args(p);
    SL_GRAPH_EACH(node, p->graph) {
        assign(p, node, sl_node_is_arg_or_ret(node) ? args : device_of(p, node));
        if (p->options->records) note_requests(p, node);
    }
    return SL_OK;
}

sl_code sl_pass_place(struct sl_graph *graph, const struct sl_place_options *options, struct sl_error *err) {
    struct placement p = {.graph = graph, .options = options, .err = err};
    struct sl_arena scratch;
    sl_arena_init(&scratch);
    sl_code code = place(&p, &scratch);
    sl_arena_clear(&scratch);
    return code;
}

/* ---- before anything is placed */

/* What a reference or a resource goes into, and what names others to be with, may end where it does not ask to be. */
static bool goes_with_others(const struct sl_node *n) {
    for (int i = 0; i < n->n_inputs; i++)
        if (sl_dtype_is_ref(n->in_types[i]) || n->in_types[i] == SL_RESOURCE) return true;
    return sl_attr_find(&n->attrs, SL_STR("_class")) != NULL;
}

static sl_code check_request(const struct sl_node *n, const struct sl_device_set *devices, bool is_soft,
                             struct sl_error *err) {
    struct sl_device_name request, wanted;
    SL_TRY(sl_device_parse(&request, n->device, err));
    wanted = request;
    if (is_soft) {
        wanted.type[0] = '\0';
        wanted.id = -1;
    }
    return sl_device_first(devices, &wanted) >= 0 ? SL_OK : no_such_device(devices, n, &request, err);
}

sl_code sl_place_check(const struct sl_graph *graph, size_t first, const struct sl_device_set *devices, bool is_soft,
                       struct sl_error *err) {
    struct sl_str_map there = {.n = 0};
    sl_code code = SL_OK;
    for (size_t i = first; i < graph->nodes.n && code == SL_OK; i++) {
        struct sl_node *n = graph->nodes.items[i];
        if (n->is_removed || !n->device.n || sl_str_map_get(&there, n->device) || goes_with_others(n)) continue;
        code = check_request(n, devices, is_soft, err);
        if (code == SL_OK && sl_str_map_put(&there, n->device, n)) code = sl_fail_memory(err, n->device.n);
    }
    sl_str_map_free(&there);
    return code;
}
