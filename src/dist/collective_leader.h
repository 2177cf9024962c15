/* The task that all others ask who is in a group, and when all members of a run have come: the leader. Which one it is
 * stands in every server's config (experimental.collective_group_leader), else it is the first task by name.
 *
 *   CompleteGroup     a device says that it is in a group; the answer comes when the group is full
 *   CompleteInstance  a task says which members of a run have come there; the answer comes when all have. Elements that
 *                     are few go along, and everybody gets everybody's
 *   GetStepSequence   the next step id of a graph key, for masters that do not know of each other
 *
 * A wait ends by the time that a member says, or by `wait_ns`, with the names of those that have not come. */
#ifndef SL_DIST_COLLECTIVE_LEADER_H
#define SL_DIST_COLLECTIVE_LEADER_H

#include "dist/service_call.h"

struct sl_collective_leader {
    struct sl_worker *worker;
    struct sl_net *net;
    int64_t wait_ns;
    struct sl_net_timer timer;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition idle;
    int n_spawned; /* threads that look at the time, or at a client that has gone */
    struct leader_group *groups;
    struct leader_instance *instances;
    struct leader_sequence *sequences;
    size_t n_groups, n_instances, n_sequences;
};

void sl_collective_leader_init(struct sl_collective_leader *leader, struct sl_worker *worker);
/* Its calls have ended. */
void sl_collective_leader_clear(struct sl_collective_leader *leader);

/* For sl_rpc_method; on a thread of the net. */
void sl_leader_complete_group(struct sl_collective_leader *leader, struct sl_rpc_call *call);
void sl_leader_complete_instance(struct sl_collective_leader *leader, struct sl_rpc_call *call);
void sl_leader_step_sequence(struct sl_collective_leader *leader, struct sl_rpc_call *call);
/* Members of this task will not come: it is gone, for the reason given. Their groups and runs end. */
void sl_leader_task_gone(struct sl_collective_leader *leader, const char *task, const char *why);

#endif
