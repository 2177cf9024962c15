/* The pipeline: every arrow from the client's graph to a program is one call here.
 *
 *     front:  client graph --prune--> graph --lower--> graph --place--> graph --partition--> a part for each task
 *                                                        └─plug-ins' optimisers, if there are any
 *     back:   part --optimise--> graph --compile--> program
 *                                  └─partition--> a graph for each device --compile, join--> program
 */
#include "runtime/pipeline.h"

#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "ops/op_row.h"
#include "passes/copies.h"
#include "passes/fetch_references.h"
#include "passes/lower.h"
#include "passes/optimise/optimise.h"
#include "runtime/evaluate.h"
#include "runtime/graph_plugins.h"

/* ---- the front */

/* The graph of one run, and the nodes in it that are its targets. */
static sl_code prune(struct sl_part *part, struct sl_runtime *r, const struct sl_prune_request *request,
                     struct sl_error *err) {
    int n = request->n_targets;
    SL_TRY(sl_pass_prune(&part->graph, request, r->registries->ops, err));
    if (!request->is_partial) SL_TRY(sl_pass_fetch_references(part->graph, err));
    struct sl_node **targets = SL_ARENA_ARRAY(&part->graph->arena, struct sl_node *, (size_t)n + 1);
    if (!targets) return sl_fail_memory(err, (size_t)n * sizeof *targets);
    for (int t = 0; t < n; t++) targets[t] = sl_graph_find(part->graph, request->targets[t]->name);
    part->targets = targets;
    part->n_targets = n;
    return SL_OK;
}

/* `of_client`: the graph is its; NULL: a function's. Reads the library, so nobody may add functions meanwhile. */
static sl_code lower(struct sl_graph *graph, struct sl_runtime *r, bool is_spread, const struct sl_part *of_client,
                     struct sl_error *err) {
    const struct sl_lower_options options = {.library = r->library,
                                             .keep_control_flow = r->options.keep_functional,
                                             .unmarked_too = is_spread,
                                             .drops_unread = of_client != NULL,
                                             .targets = of_client ? of_client->targets : NULL,
                                             .n_targets = of_client ? of_client->n_targets : 0};
    if (!is_spread && !sl_pass_lower_needed(graph)) return SL_OK;
    sl_mutex_lock(&r->library_mutex);
    sl_code code = sl_pass_lower(graph, &options, err);
    sl_mutex_unlock(&r->library_mutex);
    return code == SL_OK ? sl_pass_check(graph, err) : code;
}

/* Where nodes go that ask for nothing: of a function, where it is called. */
struct place_where {
    int device;
    bool is_function, is_soft;
};

/* What a value costs that goes from one device of this process to another: it goes by reference, whatever its size. */
enum { TRANSFER_NS = 1500 };

static sl_code place(struct sl_graph *graph, struct sl_runtime *r, const struct place_where *where,
                     struct sl_place_record *records, struct sl_error *err) {
    const char *dump = sl_env_text(SL_ENV_DUMP);
    bool by_cost =
        r->options.places_by_cost && r->devices.n > 1 && r->devices.is_host_alone; /* others' costs are not known */
    const struct sl_place_costs costs = {.kernels = r->registries->kernels,
                                         .latency_ns = TRANSFER_NS,
                                         .explanation = dump && strstr(dump, "place") ? stderr : NULL};
    const struct sl_place_options options = {.devices = &r->devices,
                                             .default_device = where->device,
                                             .prefers_default = where->is_function,
                                             .kernels = r->registries->kernels,
                                             .call_by_name = r->registries->call_by_name,
                                             .is_soft = where->is_soft,
                                             .costs = by_cost ? &costs : NULL,
                                             .logs = r->options.logs_placement,
                                             .records = records};
    SL_TRY(sl_pass_place(graph, &options, err));
    return sl_pass_check(graph, err);
}

/* The targets of the whole, as far as they are in this part. */
static sl_code find_targets(struct sl_part *part, const struct sl_part *whole, struct sl_error *err) {
    size_t n = (size_t)whole->n_targets;
    struct sl_node **targets = SL_ARENA_ARRAY(&part->graph->arena, struct sl_node *, n + 1);
    if (!targets) return sl_fail_memory(err, n * sizeof *targets);
    for (size_t t = 0; t < n; t++) {
        const struct sl_node *target = whole->targets[t];
        if (target && !target->is_removed) targets[t] = sl_graph_find(part->graph, target->name);
    }
    part->targets = targets;
    part->n_targets = whole->n_targets;
    return SL_OK;
}

/* Takes over the graph that was cut for a task. */
static sl_code add_part(struct sl_front *front, struct sl_runtime *r, struct sl_partition *task,
                        const struct sl_part *whole, struct sl_error *err) {
    const struct sl_device *devices = r->devices.items;
    bool has_args_and_rets = sl_device_is_same_task(&devices[task->device].parsed, &devices[whole->device].parsed);
    struct sl_part *part = &front->parts[front->n_parts++];
    *part = (struct sl_part){.graph = task->graph, .device = has_args_and_rets ? whole->device : task->device};
    task->graph = NULL;
    SL_TRY(sl_pass_check(part->graph, err));
    return find_targets(part, whole, err);
}

static bool has_tasks(const struct sl_device_set *devices) {
    for (int d = 1; d < devices->n; d++)
        if (!sl_device_is_same_task(&devices->items[0].parsed, &devices->items[d].parsed)) return true;
    return false;
}

/* Takes `whole` over, also on failure. */
static sl_code cut_by_task(struct sl_front *out, struct sl_runtime *r, struct sl_part *whole, struct sl_error *err) {
    struct sl_partitions tasks = {NULL, 0, 0};
    out->whole = whole->graph;
    SL_TRY(sl_pass_partition(&tasks, whole->graph, &r->devices, SL_CUT_BY_TASK, err));
    out->parts = sl_calloc((size_t)tasks.n + 1, sizeof *out->parts);
    sl_code code = out->parts ? SL_OK : sl_fail_memory(err, (size_t)tasks.n * sizeof *out->parts);
    for (int i = 0; i < tasks.n && code == SL_OK; i++) code = add_part(out, r, &tasks.items[i], whole, err);
    sl_partitions_clear(&tasks);
    return code;
}

static sl_code keep_whole(struct sl_front *out, struct sl_part *whole, struct sl_error *err) {
    out->parts = sl_malloc(sizeof *out->parts);
    if (!out->parts) {
        sl_part_clear(whole);
        return sl_fail_memory(err, sizeof *out->parts);
    }
    out->parts[0] = *whole;
    out->n_parts = 1;
    return SL_OK;
}

static sl_code make_records(struct sl_front *out, struct sl_graph *graph, struct sl_error *err) {
    out->records = SL_ARENA_ARRAY(&graph->arena, struct sl_place_record, graph->nodes.n + 1);
    return out->records ? SL_OK : sl_fail_memory(err, graph->nodes.n * sizeof *out->records);
}

sl_code sl_pipeline_front(struct sl_front *out, struct sl_runtime *r, const struct sl_prune_request *request,
                          bool wants_records, struct sl_error *err) {
    struct sl_part whole = {.device = 0};
    *out = (struct sl_front){.n_parts = 0};
    sl_code code = prune(&whole, r, request, err);
    if (code == SL_OK) code = lower(whole.graph, r, false, &whole, err);
    if (code == SL_OK) code = sl_part_rewrite(&whole, r, err);
    if (code == SL_OK && wants_records) code = make_records(out, whole.graph, err);
    const struct place_where where = {.device = whole.device, .is_soft = r->options.is_soft_placement};
    if (code == SL_OK) code = place(whole.graph, r, &where, out->records, err);
    if (code != SL_OK) sl_part_clear(&whole);
    else code = has_tasks(&r->devices) ? cut_by_task(out, r, &whole, err) : keep_whole(out, &whole, err);
    if (code != SL_OK) sl_front_clear(out);
    return code;
}

void sl_part_clear(struct sl_part *part) {
    sl_graph_free(part->graph);
    *part = (struct sl_part){.graph = NULL};
}

void sl_front_clear(struct sl_front *front) {
    for (int i = 0; i < front->n_parts; i++) sl_part_clear(&front->parts[i]);
    sl_free(front->parts);
    sl_graph_free(front->whole);
    *front = (struct sl_front){.n_parts = 0};
}

/* ---- the back */

sl_code sl_pipeline_optimise(struct sl_part *part, struct sl_runtime *r, struct sl_error *err) {
    const struct sl_optimise_options options = {.evaluator = sl_registries_evaluator(r->registries),
                                                .kernels = r->registries->kernels,
                                                .devices = &r->devices,
                                                .keep = part->targets,
                                                .n_keep = part->n_targets,
                                                .toggles = sl_runtime_toggles(r),
                                                .dumps = sl_env_text(SL_ENV_DUMP)};
    return sl_pass_optimise(part->graph, &options, err);
}

sl_code sl_pipeline_cut(struct sl_partitions *out, const struct sl_part *part, const struct sl_runtime *r,
                        struct sl_error *err) {
    *out = (struct sl_partitions){NULL, 0, 0};
    bool is_spread = r->devices.n > 1 && sl_graph_is_spread(part->graph);
    if (!is_spread && !sl_graph_has_transfers(part->graph)) return SL_OK;
    return sl_pass_partition(out, part->graph, &r->devices, SL_CUT_BY_DEVICE, err);
}

static sl_code compile(struct sl_program **out, struct sl_runtime *r, struct sl_graph *graph, int device,
                       enum sl_engine engine, const struct sl_back_options *how, struct sl_error *err) {
    const struct sl_compile_options options = {.kernels = r->registries->instances,
                                               .watch = r->options.watch,
                                               .states = how->is_function ? NULL : r->states,
                                               .functions = sl_runtime_calls(r, how->is_soft),
                                               .call_by_name = r->registries->call_by_name,
                                               .device = &r->devices.items[device],
                                               .engine = engine};
    const struct sl_copies_options copies = {.device = options.device,
                                             .kernels = r->registries->kernels,
                                             .call_by_name = options.call_by_name,
                                             .are_args_on_host = !how->is_function};
    if (!sl_device_is_host(options.device)) SL_TRY(sl_pass_copies(graph, &copies, err));
    SL_TRY(sl_pass_check(graph, err));
    return sl_program_compile(out, graph, &options, err);
}

static sl_code compile_pieces(struct sl_program **out, struct sl_runtime *r, const struct sl_partitions *pieces,
                              int device_of_args, const struct sl_back_options *how, struct sl_error *err) {
    struct sl_program **programs = sl_calloc((size_t)pieces->n, sizeof *programs);
    int n = 0, with_args = 0;
    sl_code code = programs ? SL_OK : sl_fail_memory(err, (size_t)pieces->n * sizeof *programs);
    for (; n < pieces->n && code == SL_OK; n += code == SL_OK) {
        const struct sl_partition *piece = &pieces->items[n];
        if (piece->device == device_of_args) with_args = n;
        code = compile(&programs[n], r, piece->graph, piece->device, SL_ENGINE_TOKENS, how, err);
    }
    if (code == SL_OK) code = sl_program_join(out, programs, n, with_args, pieces->n_pairs, err);
    else
        for (int i = 0; i < n; i++) sl_program_free(programs[i]);
    sl_free(programs);
    return code;
}

/* All nodes are on this device. */
static int device_of(const struct sl_runtime *r, const struct sl_graph *graph) {
    SL_GRAPH_EACH(n, graph) return sl_device_find(&r->devices, n->assigned);
    return 0;
}

static sl_code compile_partial(struct sl_program **out, struct sl_runtime *r, const struct sl_part *part,
                               const struct sl_back_options *how, struct sl_error *err) {
    SL_TRY(compile(out, r, part->graph, part->device, SL_ENGINE_TOKENS, how, err));
    if (!sl_graph_has_transfers(part->graph)) return SL_OK;
    sl_code code = sl_program_find_pairs(*out, err);
    if (code != SL_OK) sl_program_free(*out);
    return code;
}

static sl_code compile_part(struct sl_program **out, struct sl_runtime *r, const struct sl_part *part,
                            const struct sl_back_options *how, struct sl_error *err) {
    struct sl_partitions pieces;
    if (how->is_partial) return compile_partial(out, r, part, how, err);
    SL_TRY(sl_pipeline_cut(&pieces, part, r, err));
    sl_code code = sl_graph_history_cut(how->history, &pieces, part->graph, err);
    if (code == SL_OK)
        code = pieces.n ? compile_pieces(out, r, &pieces, part->device, how, err)
                        : compile(out, r, part->graph, device_of(r, part->graph), r->options.engine, how, err);
    sl_partitions_clear(&pieces);
    return code;
}

sl_code sl_pipeline_back(struct sl_program **out, struct sl_runtime *r, struct sl_part *part,
                         const struct sl_back_options *options, struct sl_error *err) {
    const char *dump = sl_env_text(SL_ENV_DUMP);
    SL_TRY(sl_pipeline_optimise(part, r, err));
    SL_TRY(sl_graph_history_optimised(options->history, part->graph, err));
    SL_TRY(compile_part(out, r, part, options, err));
    if (dump && strstr(dump, "program")) sl_program_print(*out, stderr);
    return SL_OK;
}

/* ---- functions */

/* What always lies on the host lies on the first device. */
static void find_ret_devices(int16_t *devices, const struct sl_runtime *r, const struct sl_body *body) {
    for (int i = 0; i < body->n_rets; i++) {
        const struct sl_port from = body->rets[i]->inputs[0];
        const int d = sl_set_has(SL_SET_ON_HOST, sl_dtype_base(body->rets[i]->in_types[0]))
                          ? 0
                          : sl_device_find(&r->devices, from.node->assigned);
        devices[i] = (int16_t)(d < 0 ? 0 : d);
    }
}

/* A result's device has to be known before anything is placed. */
static sl_code check_ret_devices(const struct sl_runtime *r, const struct sl_body *body, struct sl_error *err) {
    for (int i = 0; i < body->n_rets; i++) {
        struct sl_device_name asked;
        const struct sl_str device = body->rets[i]->inputs[0].node->device;
        if (!device.n || sl_device_parse(&asked, device, NULL) != SL_OK) continue;
        if (sl_device_first(&r->devices, &asked) < 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Unable to find any devices for spec %.*s", SL_STR_ARG(device));
    }
    return SL_OK;
}

static sl_code build_function(struct sl_program **out, int16_t *ret_devices, struct sl_runtime *r, struct sl_body *body,
                              const struct sl_function_place *where, struct sl_graph_history *history,
                              struct sl_error *err) {
    SL_TRY(sl_pass_prune_body(body, err));
    if (!where->is_soft) SL_TRY(check_ret_devices(r, body, err));
    SL_TRY(lower(body->graph, r, false, NULL, err));
    SL_TRY(sl_body_rewrite(body, where->device, r, err));
    SL_TRY(place(body->graph, r, &(struct place_where){where->device, true, where->is_soft}, NULL, err));
    find_ret_devices(ret_devices, r, body);
    struct sl_part part = {body->graph, body->controls, body->n_controls, where->device};
    const struct sl_back_options how = {.is_function = true, .is_soft = where->is_soft, .history = history};
    return sl_pipeline_back(out, r, &part, &how, err);
}

sl_code sl_pipeline_function(struct sl_program **out, int16_t *ret_devices, struct sl_runtime *r, struct sl_body *body,
                             const struct sl_function_place *where, struct sl_error *err) {
    struct sl_graph_history *history;
    SL_TRY(sl_graph_history_begin(&history, &r->graphs, body->graph, err));
    sl_code built = build_function(out, ret_devices, r, body, where, history, err);
    sl_code code = sl_graph_history_end(history, built, err);
    if (built == SL_OK && code != SL_OK) sl_program_free(*out);
    return code;
}

/* ---- functions over tasks */

/* What placement has put where the function is called. A result may be an argument. */
static sl_code place_args_and_rets(const struct sl_body *body, const struct sl_runtime *r, struct sl_error *err) {
    for (int i = 0; i < body->n_args; i++) {
        const int device = sl_device_find(&r->devices, body->args[i]->device);
        if (device < 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "argument %d is on %.*s, which is not there", i,
                           SL_STR_ARG(body->args[i]->device));
        body->args[i]->assigned = sl_str_of(r->devices.items[device].name);
    }
    for (int i = 0; i < body->n_rets; i++) body->rets[i]->assigned = body->rets[i]->inputs[0].node->assigned;
    return SL_OK;
}

/* What uses a resource is where that is, whatever it asks for. */
static void follow_resources(const struct sl_body *body) {
    for (int i = 0; i < body->n_args; i++) {
        const struct sl_node *arg = body->args[i];
        for (uint32_t u = 0; arg->out_types[0] == SL_RESOURCE && u < arg->uses.n; u++)
            if (arg->uses.items[u].slot >= 0) arg->uses.items[u].node->device = arg->device;
    }
}

/* An Identity that gives a result is where what it passes on asks to be. */
static void follow_results(const struct sl_body *body) {
    for (int i = 0; i < body->n_rets; i++) {
        struct sl_node *const first = body->rets[i]->inputs[0].node, *source = first;
        while (source->op->index == SL_ROW_Identity && !source->device.n) source = source->inputs[0].node;
        for (struct sl_node *n = first; n != source && !sl_node_is_arg_or_ret(source); n = n->inputs[0].node)
            n->device = source->device;
    }
}

static sl_code spread(struct sl_front *out, struct sl_runtime *r, struct sl_body *body,
                      const struct sl_function_place *where, struct sl_error *err) {
    SL_TRY(sl_pass_prune_body(body, err));
    SL_TRY(lower(body->graph, r, true, NULL, err)); /* so that what is within has places of its own */
    follow_resources(body);
    follow_results(body);
    SL_TRY(place(body->graph, r, &(struct place_where){where->device, true, where->is_soft}, NULL, err));
    SL_TRY(place_args_and_rets(body, r, err));
    struct sl_part whole = {body->graph, body->controls, body->n_controls, where->device};
    body->graph = NULL;
    return has_tasks(&r->devices) ? cut_by_task(out, r, &whole, err) : keep_whole(out, &whole, err);
}

sl_code sl_pipeline_spread(struct sl_front *out, struct sl_runtime *r, struct sl_body *body,
                           const struct sl_function_place *where, struct sl_error *err) {
    *out = (struct sl_front){.n_parts = 0};
    sl_code code = spread(out, r, body, where, err);
    sl_graph_free(body->graph);
    body->graph = NULL;
    if (code != SL_OK) sl_front_clear(out);
    return code;
}
