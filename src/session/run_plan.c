/* Plans go through the same pipeline as programs and stop before compilation. */
#include "session/run_plan.h"

#include "passes/place_greedy.h"
#include "session/local_session.h"

/* ---- shapes: the passes that optimise forget them, since a feed may have another shape than its placeholder says.
 * A plan reckons with what the client's graph says: it is noted before, and given back after, to new nodes by
 * inference. */

struct sl_kept_shapes {
    int n;
    struct sl_shape of[];
};

static sl_code keep_shapes(struct sl_run_plan *plan, struct sl_error *err) {
    struct sl_graph *graph = plan->front.parts[0].graph;
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

static sl_code restore_shapes(struct sl_run_plan *plan, struct sl_error *err) {
    struct sl_graph *graph = plan->front.parts[0].graph;
    struct sl_node **order;
    size_t n;
    SL_TRY(sl_graph_order(&order, &n, graph, &graph->arena, err));
    for (size_t i = 0; i < n; i++) restore(plan, order[i]);
    return SL_OK;
}

/* ---- making */

sl_code sl_run_plan_cut(struct sl_run_plan *plan, struct sl_error *err) {
    struct sl_part *part = &plan->front.parts[0];
    SL_TRY(keep_shapes(plan, err));
    SL_TRY(sl_pipeline_optimise(part, plan->runtime, err));
    SL_TRY(restore_shapes(plan, err));
    return sl_pipeline_cut(&plan->pieces, part, plan->runtime, err);
}

sl_code sl_local_session_plan(struct sl_run_plan *out, struct sl_session *session, const struct sl_run *run,
                              bool is_cut, struct sl_error *err) {
    struct sl_local_session *s = sl_local_session_of(session);
    *out = (struct sl_run_plan){.runtime = s->runtime};
    SL_TRY(sl_local_session_enter(s, err));
    sl_code code = sl_local_session_front(&out->front, s, run, false, !is_cut, err);
    if (code == SL_OK && is_cut) code = sl_run_plan_cut(out, err);
    sl_local_session_leave(s);
    if (code != SL_OK) sl_run_plan_clear(out);
    return code;
}

void sl_run_plan_clear(struct sl_run_plan *plan) {
    sl_partitions_clear(&plan->pieces);
    sl_front_clear(&plan->front);
}

/* ---- reading */

/* The cut moves control flow, and then it is the part that tells. */
int sl_run_plan_device(const struct sl_run_plan *plan, const struct sl_node *node) {
    for (int i = 0; i < plan->pieces.n; i++)
        if (plan->pieces.items[i].graph == node->graph) return plan->pieces.items[i].device;
    return sl_device_find(&plan->runtime->devices, node->assigned);
}

double sl_run_plan_cost(const struct sl_run_plan *plan, const struct sl_node *node) {
    const struct sl_place_costs costs = {.kernels = plan->runtime->registries->kernels};
    return sl_place_cost(node, &costs);
}
