/* Plans: where the nodes of a run would go, and what would go between devices, without running anything.
 *
 *     struct sl_step_plan *plan = sl_step_plan_new(session, feeds, 1, fetches, 1, NULL, 0, SL_PLAN_CUT, status);
 *     for (int i = 0; i < sl_step_plan_num_graphs(plan); i++) {
 *         TF_Graph *graph = sl_step_plan_graph(plan, i);              -- looked at with TF_GraphNextOperation and so on
 *         ...
 *     }
 *
 * A node that is fed is an `_Arg`, what is fetched goes to a `_Retval`. One owner. */
#ifndef SLUICE_STEP_PLAN_H
#define SLUICE_STEP_PLAN_H

#include <stdbool.h>

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_step_plan;

enum sl_plan_stage {
    SL_PLAN_PLACED, /* one graph: calls, conditionals and loops lowered, every node placed */
    SL_PLAN_CUT /* one graph for each device with nodes, after the passes that optimise, joined by `_Send` and `_Recv`: what is run */
};

/* A plan for a run of these; as TF_SessionRun without values. The session must outlive it. NULL on failure: as of a
 * run, but kernels may be missing. */
SL_API struct sl_step_plan *sl_step_plan_new(TF_Session *session, const TF_Output *feeds, int num_feeds,
                                             const TF_Output *fetches, int num_fetches,
                                             const TF_Operation *const *targets, int num_targets,
                                             enum sl_plan_stage stage, TF_Status *status);
SL_API void sl_step_plan_delete(struct sl_step_plan *plan); /* NULL is fine */

/* Its graphs, in the order of their devices. They are the plan's and are only looked at; a node asks for
 * TF_OperationDevice, where it is says sl_step_plan_node. */
SL_API int sl_step_plan_num_graphs(const struct sl_step_plan *plan);
SL_API TF_Graph *sl_step_plan_graph(const struct sl_step_plan *plan, int i);

/* Why a node is where it is. */
enum sl_plan_reason {
    SL_PLAN_BY_DEFAULT,     /* nothing drew it elsewhere */
    SL_PLAN_FED_OR_FETCHED, /* and so on the default device */
    SL_PLAN_AS_ASKED,
    SL_PLAN_SOFTLY,       /* what was asked for is not there, and the session takes another device */
    SL_PLAN_WITH_GROUP,   /* another node that must be on its device asked, or came first */
    SL_PLAN_WITH_INPUT,   /* it tells its input's size, or passes it on */
    SL_PLAN_WITH_READERS, /* it has no inputs, and all its readers are there */
    SL_PLAN_WITH_LOOP,    /* its loop is there, or its next value is made there */
    SL_PLAN_NEAR_INPUT,   /* by cost: it takes less time than a transfer */
    SL_PLAN_FIRST         /* by cost: there it would be finished first */
};
struct sl_plan_node {
    int device; /* by the list of TF_SessionListDevices */
    double ns;  /* what the node is thought to take each time it runs: by its kernel and the shapes that are known */
    enum sl_plan_reason reason; /* SL_PLAN_PLACED only */
    const double *
        finish_ns; /* by device, when the simulation would have had it done there; < 0: not allowed there; NULL: none; SL_PLAN_PLACED only */
};
/* Of a node of one of the plan's graphs. */
SL_API void sl_step_plan_node(struct sl_plan_node *out, const struct sl_step_plan *plan, const TF_Operation *node);

#ifdef __cplusplus
}
#endif

#endif
