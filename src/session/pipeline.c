/* The pipeline: every arrow from the client's graph to a program is one call here.
 *
 *     client graph --prune--> graph --lower--> graph --place--> graph --optimise--> graph --compile--> program
 *                                                                                     └─partition--> graphs --compile, join--> program
 */
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "passes/lower.h"
#include "passes/optimise/optimise.h"
#include "passes/partition.h"
#include "passes/place.h"
#include "passes/prune.h"
#include "session/evaluate.h"
#include "session/run_plan.h"
#include "session/session_state.h"

/* Reads the session's functions, so nobody may add some meanwhile. */
static sl_code lower(struct sl_session *s, struct sl_graph *graph, struct sl_error *err) {
    struct sl_lower_options options = {s->library, s->keep_functional};
    if (!sl_pass_lower_needed(graph)) return SL_OK;
    sl_mutex_lock(&s->mutex);
    sl_code code = sl_pass_lower(graph, &options, err);
    sl_mutex_unlock(&s->mutex);
    return code == SL_OK ? sl_pass_check(graph, err) : code;
}

/* Targets: run though nothing reads them. Those that were lowered are gone; what came in their place is read by nothing and stays. */
struct kept {
    struct sl_node *const *nodes;
    int n;
};

static sl_code optimise(struct sl_graph *graph, struct sl_session *s, const struct kept *kept, struct sl_error *err) {
    struct sl_optimise_options options = {.evaluator = sl_runtime_evaluator(s->runtime),
                                          .kernels = s->runtime->kernels,
                                          .keep = kept->nodes,
                                          .n_keep = kept->n,
                                          .toggles = s->optimise_toggles,
                                          .dumps = sl_env_text(SL_ENV_DUMP)};
    return sl_pass_optimise(graph, &options, err);
}

static struct sl_compile_options compile_options(struct sl_session *s, int device, bool is_function,
                                                 enum sl_engine engine) {
    return (struct sl_compile_options){.kernels = s->runtime->kernels,
                                       .states = is_function ? NULL : &s->states.base,
                                       .functions = &s->functions.base,
                                       .call_by_name = s->runtime->call_by_name,
                                       .device = s->devices.items[device].name,
                                       .device_type = "CPU",
                                       .engine = engine};
}

static sl_code compile_parts(struct sl_program **out, struct sl_session *s, const struct sl_partitions *parts,
                             int default_device, bool is_function, struct sl_error *err) {
    struct sl_program **programs = sl_calloc((size_t)parts->n, sizeof *programs);
    int n = 0, part_of_args = 0;
    sl_code code = programs ? SL_OK : sl_fail_memory(err, (size_t)parts->n * sizeof *programs);
    for (; n < parts->n && code == SL_OK; n += code == SL_OK) {
        const struct sl_partition *part = &parts->items[n];
        struct sl_compile_options options = compile_options(s, part->device, is_function, SL_ENGINE_TOKENS);
        if (part->device == default_device) part_of_args = n;
        code = sl_pass_check(part->graph, err);
        if (code == SL_OK) code = sl_program_compile(&programs[n], part->graph, &options, err);
    }
    if (code == SL_OK) code = sl_program_join(out, programs, n, part_of_args, parts->n_pairs, err);
    else
        for (int i = 0; i < n; i++) sl_program_free(programs[i]);
    sl_free(programs);
    return code;
}

static sl_code compile_spread(struct sl_program **out, struct sl_session *s, struct sl_graph *graph, int default_device,
                              bool is_function, struct sl_error *err) {
    struct sl_partitions parts = {NULL, 0, 0};
    SL_TRY(sl_pass_partition(&parts, graph, &s->devices, err));
    sl_code code = compile_parts(out, s, &parts, default_device, is_function, err);
    sl_partitions_clear(&parts);
    return code;
}

/* All nodes are on this device. */
static int device_of(const struct sl_session *s, const struct sl_graph *graph) {
    SL_GRAPH_EACH(n, graph) return sl_device_find(&s->devices, n->assigned);
    return 0;
}

/* What a value costs that goes from one device of this process to another: it goes by reference, whatever its size. */
enum { TRANSFER_NS = 1500 };

/* What is asked of one compilation. */
struct wanted {
    struct kept kept;
    int default_device; /* where nodes go that ask for none */
    bool is_function, is_partial;
};

/* Needs no kernels but those whose cost is reckoned with. */
static sl_code place(struct sl_graph *graph, struct sl_session *s, int default_device, struct sl_place_record *records,
                     struct sl_error *err) {
    const char *dump = sl_env_text(SL_ENV_DUMP);
    const struct sl_place_costs costs = {.kernels = s->runtime->kernels,
                                         .latency_ns = TRANSFER_NS,
                                         .explanation = dump && strstr(dump, "place") ? stderr : NULL};
    const struct sl_place_options options = {.devices = &s->devices,
                                             .default_device = default_device,
                                             .is_soft = s->is_soft_placement,
                                             .costs = s->places_by_cost && s->devices.n > 1 ? &costs : NULL,
                                             .logs = s->logs_placement,
                                             .records = records};
    SL_TRY(sl_pass_place(graph, &options, err));
    return sl_pass_check(graph, err);
}

static bool must_cut(const struct sl_session *s, const struct sl_graph *graph) {
    return (s->devices.n > 1 && sl_graph_is_spread(graph)) || sl_graph_has_transfers(graph);
}

static sl_code compile(struct sl_program **out, struct sl_session *s, struct sl_graph *graph,
                       const struct wanted *wanted, struct sl_error *err) {
    const char *dump = sl_env_text(SL_ENV_DUMP);
    SL_TRY(lower(s, graph, err));
    SL_TRY(place(graph, s, wanted->default_device, NULL, err));
    SL_TRY(optimise(graph, s, &wanted->kept, err));
    if (!wanted->is_partial && must_cut(s, graph)) {
        SL_TRY(compile_spread(out, s, graph, wanted->default_device, wanted->is_function, err));
    } else {
        int device = wanted->is_partial ? wanted->default_device : device_of(s, graph);
        enum sl_engine engine = wanted->is_partial ? SL_ENGINE_TOKENS : s->engine;
        struct sl_compile_options options = compile_options(s, device, wanted->is_function, engine);
        SL_TRY(sl_program_compile(out, graph, &options, err));
    }
    if (dump && strstr(dump, "program")) sl_program_print(*out, stderr);
    return SL_OK;
}

/* The graph of one run, and the nodes in it that are its targets. */
static sl_code prune(struct sl_graph **out, struct kept *kept, struct sl_session *s, const struct sl_run *run,
                     struct sl_error *err) {
    const struct sl_prune_request request = {.feeds = run->feeds,
                                             .fetches = run->fetches,
                                             .targets = run->targets,
                                             .n_feeds = run->n_feeds,
                                             .n_fetches = run->n_fetches,
                                             .n_targets = run->n_targets,
                                             .n_nodes = atomic_load(&s->n_nodes_seen)};
    struct sl_graph *graph;
    SL_TRY(sl_pass_prune(&graph, &request, s->runtime->ops, err));
    struct sl_node **targets = SL_ARENA_ARRAY(&graph->arena, struct sl_node *, (size_t)run->n_targets + 1);
    if (!targets) {
        sl_graph_free(graph);
        return sl_fail_memory(err, (size_t)run->n_targets);
    }
    for (int t = 0; t < run->n_targets; t++) targets[t] = sl_graph_find(graph, run->targets[t]->name);
    *kept = (struct kept){targets, run->n_targets};
    *out = graph;
    return SL_OK;
}

sl_code sl_pipeline_run(struct sl_program **out, struct sl_session *s, const struct sl_run *run, bool is_partial,
                        struct sl_error *err) {
    struct sl_graph *graph;
    struct wanted wanted = {.is_partial = is_partial};
    SL_TRY(prune(&graph, &wanted.kept, s, run, err));
    sl_code code = compile(out, s, graph, &wanted, err);
    sl_graph_free(graph);
    return code;
}

sl_code sl_pipeline_plan(struct sl_run_plan *plan, struct sl_session *s, const struct sl_run *run, bool is_cut,
                         struct sl_error *err) {
    struct kept kept;
    SL_TRY(prune(&plan->graph, &kept, s, run, err));
    struct sl_graph *graph = plan->graph;
    SL_TRY(lower(s, graph, err));
    if (!is_cut) plan->records = SL_ARENA_ARRAY(&graph->arena, struct sl_place_record, graph->nodes.n + 1);
    if (!is_cut && !plan->records) return sl_fail_memory(err, graph->nodes.n * sizeof *plan->records);
    SL_TRY(place(graph, s, 0, plan->records, err));
    if (!is_cut) return SL_OK;
    SL_TRY(sl_run_plan_keep_shapes(plan, err));
    SL_TRY(optimise(graph, s, &kept, err));
    SL_TRY(sl_run_plan_restore_shapes(plan, err));
    return must_cut(s, graph) ? sl_pass_partition(&plan->parts, graph, &s->devices, err) : SL_OK;
}

sl_code sl_pipeline_function(struct sl_program **out, struct sl_session *s, struct sl_body *body, int device,
                             struct sl_error *err) {
    SL_TRY(sl_pass_prune_body(body, err));
    const struct wanted wanted = {.kept = {body->controls, body->n_controls},
                                  .default_device = device,
                                  .is_function = true};
    return compile(out, s, body->graph, &wanted, err);
}
