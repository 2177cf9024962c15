/* Plans go through the same pipeline as programs (pipeline.c) and stop before compilation. */
#include "session/run_plan.h"

#include "passes/place_greedy.h"
#include "session/session_state.h"

sl_code sl_run_plan_make(struct sl_run_plan *out, struct sl_session *s, const struct sl_run *run, bool is_cut,
                         struct sl_error *err) {
    *out = (struct sl_run_plan){.session = s};
    SL_TRY(sl_session_enter(s, err));
    sl_code code = sl_pipeline_plan(out, s, run, is_cut, err);
    sl_session_leave(s);
    if (code != SL_OK) sl_run_plan_clear(out);
    return code;
}

void sl_run_plan_clear(struct sl_run_plan *plan) {
    sl_partitions_clear(&plan->parts);
    sl_graph_free(plan->graph);
    plan->graph = NULL;
}

/* ---- shapes */

struct sl_kept_shapes {
    int n;
    struct sl_shape of[];
};

sl_code sl_run_plan_keep_shapes(struct sl_run_plan *plan, struct sl_error *err) {
    struct sl_graph *graph = plan->graph;
    plan->n_shapes = graph->nodes.n;
    plan->shapes = SL_ARENA_ARRAY(&graph->arena, struct sl_kept_shapes *, plan->n_shapes + 1);
    if (!plan->shapes) return sl_fail_memory(err, plan->n_shapes * sizeof *plan->shapes);
    SL_GRAPH_EACH(n, graph) {
        size_t size = (size_t)n->n_outputs * sizeof(struct sl_shape);
        struct sl_kept_shapes *kept = sl_arena_alloc(&graph->arena, sizeof *kept + size);
        if (!kept) return sl_fail_memory(err, size);
        kept->n = n->n_outputs;
        if (size) memcpy(kept->of, n->shapes, size);
        plan->shapes[n->id] = kept;
    }
    return SL_OK;
}

/* What a node puts out is the same whatever became of it, unless it has other outputs now. */
static void restore(const struct sl_run_plan *plan, struct sl_node *n) {
    struct sl_error ignored;
    const struct sl_kept_shapes *kept = n->id < plan->n_shapes ? plan->shapes[n->id] : NULL;
    if (!kept || kept->n != n->n_outputs) {
        if (sl_graph_infer(n->graph, n, &ignored) != SL_OK) return; /* unknown, then */
    } else {
        for (int o = 0; o < kept->n; o++)
            if (n->shapes[o].rank < 0) n->shapes[o] = kept->of[o];
    }
}

sl_code sl_run_plan_restore_shapes(struct sl_run_plan *plan, struct sl_error *err) {
    struct sl_node **order;
    size_t n;
    SL_TRY(sl_graph_order(&order, &n, plan->graph, &plan->graph->arena, err));
    for (size_t i = 0; i < n; i++) restore(plan, order[i]);
    return SL_OK;
}

/* ---- */

/* The cut moves control flow, and then it is the part that tells. */
int sl_run_plan_device(const struct sl_run_plan *plan, const struct sl_node *node) {
    for (int i = 0; i < plan->parts.n; i++)
        if (plan->parts.items[i].graph == node->graph) return plan->parts.items[i].device;
    return sl_device_find(&plan->session->devices, node->assigned);
}

double sl_run_plan_cost(const struct sl_run_plan *plan, const struct sl_node *node) {
    const struct sl_place_costs costs = {.kernels = plan->session->runtime->kernels};
    return sl_place_cost(node, &costs);
}
