/* Plans: what a run would do and where, without running it (sl_session_plan). For people who look; programs are
 * compiled without. One owner; the session must outlive the plan. */
#ifndef SL_SESSION_RUN_PLAN_H
#define SL_SESSION_RUN_PLAN_H

#include "runtime/pipeline.h"
#include "session/session.h"

struct sl_run_plan {
    struct sl_runtime *runtime;     /* the session's */
    struct sl_front front;          /* one part; optimised and cut as well when that was asked for, else with records */
    struct sl_kept_shapes **shapes; /* by node id, as they were placed; only while it is made */
    size_t n_shapes;
    struct sl_partitions pieces; /* by device; none: everything is on one, or it was not asked for */
};

/* What becomes of a plan of one placed part: optimises and cuts it. For sessions that cut by task before. */
sl_code sl_run_plan_cut(struct sl_run_plan *plan, struct sl_error *err);
/* After success only. */
void sl_run_plan_clear(struct sl_run_plan *plan);

/* The device of the runtime that a node of the plan is on, and what the node is thought to take each time it runs,
 * in ns. */
int sl_run_plan_device(const struct sl_run_plan *plan, const struct sl_node *node);
double sl_run_plan_cost(const struct sl_run_plan *plan, const struct sl_node *node);

#endif
