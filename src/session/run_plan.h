/* Plans: what a run would do and where, without running it. For people who look; programs are compiled without.
 * One owner; the session must outlive the plan. */
#ifndef SL_SESSION_RUN_PLAN_H
#define SL_SESSION_RUN_PLAN_H

#include "passes/partition.h"
#include "passes/place.h"
#include "session/session.h"

struct sl_run_plan {
    struct sl_session *session;
    struct sl_graph *graph;          /* placed; optimised and cut as well when that was asked for */
    struct sl_place_record *records; /* by id of the nodes of `graph`; NULL when it is cut */
    struct sl_kept_shapes **shapes;  /* by node id, as they were placed; see sl_run_plan_keep_shapes */
    size_t n_shapes;
    struct sl_partitions parts; /* none: everything is on one device, or it was not asked for */
};

/* The graph as it is placed or, with `is_cut`, what runs on each device. `run` needs no values. Errors as of a run, but kernels may be
 * missing. Clear it after success only. */
sl_code sl_run_plan_make(struct sl_run_plan *out, struct sl_session *s, const struct sl_run *run, bool is_cut,
                         struct sl_error *err);
void sl_run_plan_clear(struct sl_run_plan *plan);

/* The session's device that a node of the plan is on, and what the node is thought to take each time it runs, in ns. */
int sl_run_plan_device(const struct sl_run_plan *plan, const struct sl_node *node);
double sl_run_plan_cost(const struct sl_run_plan *plan, const struct sl_node *node);

/* For the pipeline: the passes that optimise forget shapes, since a feed may have another than its placeholder says. A plan reckons with what the
 * client's graph says: these note it before, and give it back after, to new nodes by inference. */
sl_code sl_run_plan_keep_shapes(struct sl_run_plan *plan, struct sl_error *err);
sl_code sl_run_plan_restore_shapes(struct sl_run_plan *plan, struct sl_error *err);

#endif
