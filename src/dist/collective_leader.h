/* The task that all others ask who is in a group, and when all members of a run have come: the leader. Which one it is
 * stands in every server's config (experimental.collective_group_leader), else it is the first task by name.
 *
 *   CompleteGroup     a device says that it is in a group; the answer comes when the group is full
 *   CompleteInstance  a task says which members of a run have come there; the answer comes when all have. Elements that
 *                     are few go along, and everybody gets everybody's
 *   GetStepSequence   the next step id of a graph key, for masters that do not know of each other
 *
 * A wait ends by the time that a member says, or by `wait_ns`, with the names of those that have not come; and when a task
 * that a run waits for has gone, or has been started anew. Tasks are watched while a run waits for longer than a moment. */
#ifndef SL_DIST_COLLECTIVE_LEADER_H
#define SL_DIST_COLLECTIVE_LEADER_H

#include "dist/service_call.h"

struct sl_collective_leader {
    struct sl_worker *worker;
    struct sl_net *net;
    int64_t wait_ns;
    struct sl_net_timer timer, look; /* of times that are over; of tasks to be watched */
    struct sl_mutex watching;        /* who changes the next; never taken with the other held */
    struct leader_watcher *watchers; /* by task of the cluster; NULL: nobody has been watched */
    struct sl_mutex mutex;           /* guards the rest */
    bool looks;                      /* `look` is set, or a thread looks */
    struct sl_condition idle;
    int n_spawned; /* threads that look at the time, or at a client that has gone */
    struct leader_group *groups;
    struct leader_instance *instances;
    struct leader_sequence *sequences;
    struct sl_ballot *ballots; /* of elastic groups that this task has heard of */
    size_t n_groups, n_instances, n_sequences;
};

void sl_collective_leader_init(struct sl_collective_leader *leader, struct sl_worker *worker);
/* Its calls have ended, and nobody watches the tasks for it any more. Before the worker ends. */
void sl_collective_leader_stop(struct sl_collective_leader *leader);
void sl_collective_leader_clear(struct sl_collective_leader *leader);

/* For sl_rpc_method; on a thread of the net. */
void sl_leader_complete_group(struct sl_collective_leader *leader, struct sl_rpc_call *call);
void sl_leader_complete_instance(struct sl_collective_leader *leader, struct sl_rpc_call *call);
void sl_leader_step_sequence(struct sl_collective_leader *leader, struct sl_rpc_call *call);

#endif
