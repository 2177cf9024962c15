/* Plans: on which devices the nodes of a run would be, and what would go from one device to another. Nothing is run.
 *
 *     struct sl_step_plan *plan = sl_step_plan_new(session, feeds, 1, fetches, 1, NULL, 0, SL_PLAN_CUT, status);
 *     for (int i = 0; i < sl_step_plan_num_graphs(plan); i++) {
 *         TF_Graph *graph = sl_step_plan_graph(plan, i);              -- read it with TF_GraphNextOperation and so on
 *         ...
 *     }
 *
 * In the graphs of a plan an `_Arg` stands for what is fed, and a `_Retval` reads what is fetched. One thread at a time
 * may use a plan. */
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
    /* What is run: one graph for each device that has nodes, optimised; `_Send` and `_Recv` join the graphs. */
    SL_PLAN_CUT
};

/* The plan of a TF_SessionRun with these feeds, fetches and targets. The session must outlive it. NULL on failure: the
 * errors of TF_SessionRun, but that no kernel is needed for a node. */
SL_API struct sl_step_plan *sl_step_plan_new(TF_Session *session, const TF_Output *feeds, int num_feeds,
                                             const TF_Output *fetches, int num_fetches,
                                             const TF_Operation *const *targets, int num_targets,
                                             enum sl_plan_stage stage, TF_Status *status);
SL_API void sl_step_plan_delete(struct sl_step_plan *plan); /* NULL is fine */

/* Its graphs, in the order of their devices. They are the plan's and must not be changed. TF_OperationDevice tells
 * which device a node asks for, sl_step_plan_node the one that it is on. NULL when there is no graph i. */
SL_API int sl_step_plan_num_graphs(const struct sl_step_plan *plan);
SL_API TF_Graph *sl_step_plan_graph(const struct sl_step_plan *plan, int i);

/* Why a node is where it is. */
enum sl_plan_reason {
    SL_PLAN_BY_DEFAULT,     /* no other reason applies: it is on the default device */
    SL_PLAN_FED_OR_FETCHED, /* it is fed or fetched, and so on the default device */
    SL_PLAN_AS_ASKED,       /* it asks for this device */
    SL_PLAN_SOFTLY,         /* there is no device that it asks for; soft placement took another */
    SL_PLAN_WITH_GROUP,     /* it is colocated with a node that asks for this device or was placed before */
    SL_PLAN_WITH_INPUT,     /* it only tells the size of its input, or passes its input on */
    SL_PLAN_WITH_READERS,   /* it has no inputs, and all its readers are there */
    SL_PLAN_WITH_LOOP,  /* it is of a loop that is there, or is the variable of a loop whose next value is made there */
    SL_PLAN_NEAR_INPUT, /* by cost: it takes less time than a transfer of its input */
    SL_PLAN_FIRST       /* by cost: in the simulation it is finished first there */
};
struct sl_plan_node {
    int device;                 /* its number in the list of TF_SessionListDevices */
    double ns;                  /* estimate of one run, by the node's kernel and the shapes that are known */
    enum sl_plan_reason reason; /* only at SL_PLAN_PLACED */
    /* By device: ns from the step's begin to the node's end there, in the simulation; below 0: it may not be there. The
     * plan's. NULL when it was not placed by cost, and after SL_PLAN_PLACED. */
    const double *finish_ns;
};
/* What the plan knows of a node of one of its graphs. */
SL_API void sl_step_plan_node(struct sl_plan_node *out, const struct sl_step_plan *plan, const TF_Operation *node);

#ifdef __cplusplus
}
#endif

#endif
