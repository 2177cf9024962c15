/* Plans of runs (sluice/step_plan.h): the session's plan with a handle for each of its graphs. */
#include "sluice/step_plan.h"

#include "base/alloc.h"
#include "capi/handles.h"
#include "capi/run_arrays.h"
#include "session/run_plan.h"

struct sl_step_plan {
    struct sl_run_plan plan;
    int n_graphs;
    TF_Graph **graphs; /* over graphs that are the session's plan's */
};

_Static_assert((int)SL_PLAN_FIRST == (int)SL_PLACED_FIRST, "reasons of the public header are those of the pass");

static sl_code make(struct sl_step_plan *p, TF_Session *session, const struct sl_run_request *request, bool is_cut,
                    struct sl_error *err) {
    struct sl_run_arrays arrays;
    SL_TRY(sl_session_catch_up(session, err));
    sl_code code = sl_run_arrays_fill(&arrays, session, request, err);
    if (code == SL_OK) code = sl_session_plan(&p->plan, session->session, &arrays.run, is_cut, err);
    sl_run_arrays_clear(&arrays);
    return code;
}

/* Handles look at graphs that go with the plan. */
static sl_code make_handles(struct sl_step_plan *p, struct sl_error *err) {
    int n = p->plan.pieces.n ? p->plan.pieces.n : 1;
    p->graphs = sl_calloc((size_t)n, sizeof *p->graphs);
    if (!p->graphs) return sl_fail_memory(err, (size_t)n * sizeof *p->graphs);
    for (; p->n_graphs < n; p->n_graphs++) {
        TF_Graph **handle = &p->graphs[p->n_graphs];
        SL_TRY(sl_graph_handle_new(handle, err));
        sl_graph_free((*handle)->graph);
        (*handle)->graph = p->plan.pieces.n ? p->plan.pieces.items[p->n_graphs].graph : p->plan.front.parts[0].graph;
    }
    return SL_OK;
}

SL_API struct sl_step_plan *sl_step_plan_new(TF_Session *session, const TF_Output *feeds, int num_feeds,
                                             const TF_Output *fetches, int num_fetches,
                                             const TF_Operation *const *targets, int num_targets,
                                             enum sl_plan_stage stage, TF_Status *status) {
    struct sl_error err;
    const struct sl_run_request request = {feeds, NULL, num_feeds, fetches, num_fetches, targets, num_targets};
    struct sl_step_plan *p = sl_calloc(1, sizeof *p);
    sl_code code = p ? make(p, session, &request, stage == SL_PLAN_CUT, &err) : sl_fail_memory(&err, sizeof *p);
    if (code == SL_OK) code = make_handles(p, &err);
    if (sl_status_take(status, code, &err)) return p;
    sl_step_plan_delete(p);
    return NULL;
}

SL_API void sl_step_plan_delete(struct sl_step_plan *plan) {
    if (!plan) return;
    for (int i = 0; i < plan->n_graphs; i++) {
        plan->graphs[i]->graph = NULL;
        sl_graph_handle_drop(plan->graphs[i]);
    }
    sl_free(plan->graphs);
    sl_run_plan_clear(&plan->plan);
    sl_free(plan);
}

SL_API int sl_step_plan_num_graphs(const struct sl_step_plan *plan) { return plan->n_graphs; }

SL_API TF_Graph *sl_step_plan_graph(const struct sl_step_plan *plan, int i) {
    return i >= 0 && i < plan->n_graphs ? plan->graphs[i] : NULL;
}

SL_API void sl_step_plan_node(struct sl_plan_node *out, const struct sl_step_plan *plan, const TF_Operation *node) {
    const struct sl_node *n = sl_as_node(node);
    *out = (struct sl_plan_node){.device = sl_run_plan_device(&plan->plan, n), .ns = sl_run_plan_cost(&plan->plan, n)};
    if (!plan->plan.front.records) return;
    out->reason = (enum sl_plan_reason)plan->plan.front.records[n->id].reason;
    out->finish_ns = plan->plan.front.records[n->id].finish_ns;
}
