/* The pipeline: every arrow from the client's graph to a program is one call here.
 *
 *     front:  client graph --prune--> graph --lower--> graph --place--> part
 *     back:   part --optimise--> graph --compile--> program
 *                                  └─partition--> a graph for each device --compile, join--> program
 */
#include "runtime/pipeline.h"

#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "passes/lower.h"
#include "passes/optimise/optimise.h"
#include "runtime/evaluate.h"

/* ---- the front */

/* The graph of one run, and the nodes in it that are its targets. */
static sl_code prune(struct sl_part *part, struct sl_runtime *r, const struct sl_prune_request *request,
                     struct sl_error *err) {
    int n = request->n_targets;
    SL_TRY(sl_pass_prune(&part->graph, request, r->registries->ops, err));
    struct sl_node **targets = SL_ARENA_ARRAY(&part->graph->arena, struct sl_node *, (size_t)n + 1);
    if (!targets) return sl_fail_memory(err, (size_t)n * sizeof *targets);
    for (int t = 0; t < n; t++) targets[t] = sl_graph_find(part->graph, request->targets[t]->name);
    part->targets = targets;
    part->n_targets = n;
    return SL_OK;
}

/* Reads the library, so nobody may add functions meanwhile. */
static sl_code lower(struct sl_graph *graph, struct sl_runtime *r, struct sl_error *err) {
    const struct sl_lower_options options = {r->library, r->options.keep_functional};
    if (!sl_pass_lower_needed(graph)) return SL_OK;
    sl_mutex_lock(&r->library_mutex);
    sl_code code = sl_pass_lower(graph, &options, err);
    sl_mutex_unlock(&r->library_mutex);
    return code == SL_OK ? sl_pass_check(graph, err) : code;
}

/* What a value costs that goes from one device of this process to another: it goes by reference, whatever its size. */
enum { TRANSFER_NS = 1500 };

static sl_code place(struct sl_graph *graph, struct sl_runtime *r, int default_device, struct sl_place_record *records,
                     struct sl_error *err) {
    const char *dump = sl_env_text(SL_ENV_DUMP);
    const struct sl_place_costs costs = {.kernels = r->registries->kernels,
                                         .latency_ns = TRANSFER_NS,
                                         .explanation = dump && strstr(dump, "place") ? stderr : NULL};
    const struct sl_place_options options = {.devices = &r->devices,
                                             .default_device = default_device,
                                             .is_soft = r->options.is_soft_placement,
                                             .costs = r->options.places_by_cost && r->devices.n > 1 ? &costs : NULL,
                                             .logs = r->options.logs_placement,
                                             .records = records};
    SL_TRY(sl_pass_place(graph, &options, err));
    return sl_pass_check(graph, err);
}

static sl_code make_part(struct sl_part *part, struct sl_runtime *r, const struct sl_prune_request *request,
                         struct sl_place_record **records, struct sl_error *err) {
    SL_TRY(prune(part, r, request, err));
    SL_TRY(lower(part->graph, r, err));
    size_t n = part->graph->nodes.n;
    if (records) *records = SL_ARENA_ARRAY(&part->graph->arena, struct sl_place_record, n + 1);
    if (records && !*records) return sl_fail_memory(err, n * sizeof **records);
    return place(part->graph, r, part->device, records ? *records : NULL, err);
}

sl_code sl_pipeline_front(struct sl_part *out, struct sl_runtime *r, const struct sl_prune_request *request,
                          struct sl_place_record **records, struct sl_error *err) {
    *out = (struct sl_part){.device = 0};
    sl_code code = make_part(out, r, request, records, err);
    if (code != SL_OK) sl_part_clear(out);
    return code;
}

void sl_part_clear(struct sl_part *part) {
    sl_graph_free(part->graph);
    *part = (struct sl_part){.graph = NULL};
}

/* ---- the back */

sl_code sl_pipeline_optimise(struct sl_part *part, struct sl_runtime *r, struct sl_error *err) {
    const struct sl_optimise_options options = {.evaluator = sl_registries_evaluator(r->registries),
                                                .kernels = r->registries->kernels,
                                                .keep = part->targets,
                                                .n_keep = part->n_targets,
                                                .toggles = r->options.optimise_toggles,
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
                                               .states = how->is_function ? NULL : r->states,
                                               .functions = &r->functions.base,
                                               .call_by_name = r->registries->call_by_name,
                                               .device = r->devices.items[device].name,
                                               .device_type = "CPU",
                                               .engine = engine};
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
        code = sl_pass_check(piece->graph, err);
        if (code == SL_OK) code = compile(&programs[n], r, piece->graph, piece->device, SL_ENGINE_TOKENS, how, err);
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

static sl_code compile_part(struct sl_program **out, struct sl_runtime *r, const struct sl_part *part,
                            const struct sl_back_options *how, struct sl_error *err) {
    struct sl_partitions pieces;
    if (how->is_partial) return compile(out, r, part->graph, part->device, SL_ENGINE_TOKENS, how, err);
    SL_TRY(sl_pipeline_cut(&pieces, part, r, err));
    sl_code code = pieces.n ? compile_pieces(out, r, &pieces, part->device, how, err)
                            : compile(out, r, part->graph, device_of(r, part->graph), r->options.engine, how, err);
    sl_partitions_clear(&pieces);
    return code;
}

sl_code sl_pipeline_back(struct sl_program **out, struct sl_runtime *r, struct sl_part *part,
                         const struct sl_back_options *options, struct sl_error *err) {
    const char *dump = sl_env_text(SL_ENV_DUMP);
    SL_TRY(sl_pipeline_optimise(part, r, err));
    SL_TRY(compile_part(out, r, part, options, err));
    if (dump && strstr(dump, "program")) sl_program_print(*out, stderr);
    return SL_OK;
}

/* ---- functions */

sl_code sl_pipeline_function(struct sl_program **out, struct sl_runtime *r, struct sl_body *body, int device,
                             struct sl_error *err) {
    SL_TRY(sl_pass_prune_body(body, err));
    SL_TRY(lower(body->graph, r, err));
    SL_TRY(place(body->graph, r, device, NULL, err));
    struct sl_part part = {body->graph, body->controls, body->n_controls, device};
    return sl_pipeline_back(out, r, &part, &(const struct sl_back_options){.is_function = true}, err);
}
