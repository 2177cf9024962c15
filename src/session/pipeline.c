/* The pipeline: every arrow from the client's graph to a program is one call here.
 *
 *     client graph --prune--> graph --lower--> graph --place--> graph --optimise--> graph --compile--> program
 */
#include <string.h>

#include "base/env.h"
#include "passes/lower.h"
#include "passes/optimise/optimise.h"
#include "passes/place.h"
#include "session/evaluate.h"
#include "session/session_state.h"

/* Debug builds look at the graph after every pass, others when SLUICE_CHECK asks for it. */
static sl_code check(const struct sl_graph *graph, struct sl_error *err) {
#ifdef NDEBUG
    if (!sl_env_text(SL_ENV_CHECK)) return SL_OK;
#endif
    return sl_graph_check(graph, err);
}

/* Reads the session's functions, so nobody may add some meanwhile. */
static sl_code lower(struct sl_session *s, struct sl_graph *graph, struct sl_error *err) {
    struct sl_lower_options options = {s->library, s->keep_functional};
    if (!sl_pass_lower_needed(graph)) return SL_OK;
    sl_mutex_lock(&s->mutex);
    sl_code code = sl_pass_lower(graph, &options, err);
    sl_mutex_unlock(&s->mutex);
    return code == SL_OK ? check(graph, err) : code;
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

static sl_code compile(struct sl_program **out, struct sl_session *s, struct sl_graph *graph, const struct kept *kept,
                       bool is_function, enum sl_engine engine, struct sl_error *err) {
    struct sl_compile_options options = {.kernels = s->runtime->kernels,
                                         .states = is_function ? NULL : &s->states.base,
                                         .functions = &s->functions.base,
                                         .call_by_name = s->runtime->call_by_name,
                                         .device = s->devices[0],
                                         .device_type = "CPU",
                                         .engine = engine};
    struct sl_place_options place = {s->device_names, s->n_devices, s->is_soft_placement};
    SL_TRY(lower(s, graph, err));
    SL_TRY(sl_pass_place(graph, &place, err));
    SL_TRY(check(graph, err));
    SL_TRY(optimise(graph, s, kept, err));
    SL_TRY(sl_program_compile(out, graph, &options, err));
    const char *dump = sl_env_text(SL_ENV_DUMP);
    if (dump && strstr(dump, "program")) sl_program_print(*out, stderr);
    return SL_OK;
}

sl_code sl_pipeline_run(struct sl_program **out, struct sl_session *s, const struct sl_prune_request *request,
                        enum sl_engine engine, struct sl_error *err) {
    struct sl_graph *graph;
    SL_TRY(sl_pass_prune(&graph, request, s->runtime->ops, err));
    struct sl_node **targets = SL_ARENA_ARRAY(&graph->arena, struct sl_node *, (size_t)request->n_targets + 1);
    sl_code code = targets ? SL_OK : sl_fail_memory(err, (size_t)request->n_targets);
    for (int t = 0; t < request->n_targets && targets; t++)
        targets[t] = sl_graph_find(graph, request->targets[t]->name);
    if (code == SL_OK) code = compile(out, s, graph, &(struct kept){targets, request->n_targets}, false, engine, err);
    sl_graph_free(graph);
    return code;
}

sl_code sl_pipeline_function(struct sl_program **out, struct sl_session *s, struct sl_body *body,
                             struct sl_error *err) {
    SL_TRY(sl_pass_prune_body(body, err));
    return compile(out, s, body->graph, &(struct kept){body->controls, body->n_controls}, true, s->engine, err);
}
