/* Runs the passes of passes.def in their order; in debug builds, or when SLUICE_CHECK asks, the graph is checked
 * after each. */
#include "passes/optimise/optimise.h"

#include "base/env.h"
#include "ops/op_row.h"

enum { FEWEST_NODES = 4 };

unsigned sl_optimise_toggles(const struct sl_pb_ConfigProto *config) {
    const char *passes = sl_env_text(SL_ENV_PASSES);
    const struct sl_pb_GraphOptions *g = config ? config->graph_options : NULL;
    if (passes && !strcmp(passes, "off")) return 0;
    if (g && g->optimizer_options && g->optimizer_options->opt_level == SL_PB_OptimizerOptions_Level_L0) return 0;
    const struct sl_pb_RewriterConfig *r = g ? g->rewrite_options : NULL;
    if (!r) return SL_TOGGLE_ALL;
    if (r->disable_meta_optimizer) return 0;
    const struct {
        int32_t value;
        unsigned toggle;
    } toggles[] = {{r->constant_folding, SL_TOGGLE_CONSTANT_FOLDING},
                   {r->arithmetic_optimization, SL_TOGGLE_ARITHMETIC},
                   {r->shape_optimization, SL_TOGGLE_SHAPE},
                   {r->dependency_optimization, SL_TOGGLE_DEPENDENCY},
                   {r->loop_optimization, SL_TOGGLE_LOOP},
                   {r->common_subgraph_elimination, SL_TOGGLE_COMMON},
                   {r->remapping, SL_TOGGLE_REMAPPING}};
    unsigned on = SL_TOGGLE_ALL;
    for (size_t i = 0; i < sizeof toggles / sizeof *toggles; i++)
        if (toggles[i].value == SL_PB_RewriterConfig_Toggle_OFF) on &= ~toggles[i].toggle;
    return on;
}

struct pass {
    const char *name;
    sl_code (*run)(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err);
};

static const struct pass passes[] = {
#define PASS(name, function, what) {#name, function},
#include "passes/passes.def"
#undef PASS
};

sl_code sl_pass_check(const struct sl_graph *graph, struct sl_error *err) {
#ifdef NDEBUG
    if (!sl_env_text(SL_ENV_CHECK)) return SL_OK;
#endif
    return sl_graph_check(graph, err);
}

static sl_code dump(const struct sl_graph *graph, const char *name, const char *dumps, struct sl_error *err) {
    if (!dumps || !strstr(dumps, name)) return SL_OK;
    fprintf(stderr, "---- %s\n", name);
    return sl_graph_print(graph, stderr, err);
}

/* The caller's nodes that are still there, and those that nothing reads: somebody wants them to run. */
static sl_code list_kept(struct sl_node ***out, int *n, const struct sl_graph *graph,
                         const struct sl_optimise_options *options, struct sl_arena *arena, struct sl_error *err) {
    size_t most = (size_t)options->n_keep;
    SL_GRAPH_EACH(node, graph) most += !node->uses.n;
    struct sl_node **kept = SL_ARENA_ARRAY(arena, struct sl_node *, most + 1);
    if (!kept || most > INT32_MAX) return sl_fail_memory(err, most * sizeof *kept);
    *out = kept;
    *n = 0;
    for (int i = 0; i < options->n_keep; i++)
        if (options->keep[i] && !options->keep[i]->is_removed) kept[(*n)++] = options->keep[i];
    SL_GRAPH_EACH(node, graph) if (!node->uses.n) kept[(*n)++] = node;
    return SL_OK;
}

static sl_code run_all(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err) {
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        SL_TRY(passes[i].run(graph, options, err));
        SL_TRY(sl_pass_check(graph, err));
        SL_TRY(dump(graph, passes[i].name, options->dumps, err));
    }
    return SL_OK;
}

const struct sl_device_type *sl_optimise_device(const struct sl_optimise_options *options, const struct sl_node *n) {
    const struct sl_device_set *devices = options->devices;
    int d = devices && !devices->is_host_alone ? sl_device_find(devices, n->assigned) : -1;
    return d < 0 ? &sl_host_device_type : devices->items[d].type;
}

sl_code sl_pass_optimise(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err) {
    if (!options->toggles || graph->live < FEWEST_NODES) return SL_OK;
    struct sl_optimise_options own = *options;
    struct sl_arena scratch;
    struct sl_node **kept = NULL;
    sl_arena_init(&scratch);
    sl_code code = list_kept(&kept, &own.n_keep, graph, options, &scratch, err);
    own.keep = kept;
    if (code == SL_OK) code = run_all(graph, &own, err);
    sl_arena_clear(&scratch);
    return code;
}
