/* What trainings of a fixed size and elastic ones share: how they reach a cluster, and which errors are those of its tasks. */
#ifndef SL_FRONT_TRAINING_CLUSTER_H
#define SL_FRONT_TRAINING_CLUSTER_H

#include "sluice/training.h"

/* Target, timeout and tasks of the options. */
void sl_training_reach(TF_SessionOptions *options, const struct sl_training_options *o, TF_Status *status);

/* A task died, stopped, or was started anew. */
static inline bool sl_training_lost_a_task(const TF_Status *status) {
    const TF_Code code = TF_GetCode(status);
    return code == TF_UNAVAILABLE || code == TF_ABORTED || code == TF_DEADLINE_EXCEEDED;
}

#endif
