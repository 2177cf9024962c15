/* Groups of collectives whose members come and go, for programs that have no master in common. A group has rounds:
 *
 *   forming   who wants to be a member joins, and waits
 *   full      all that there may be have come; or, `wait_ns` after the first, as many as are needed. Everybody is told who
 *             is there, and collectives run
 *   left      a member joins again, since a run has failed or since it has been started anew: the runs of the others
 *             fail with ABORTED, and these join again, too
 *
 * Before a round begins its leader asks the other tasks, so that there is one at a time; and when the leader has gone, another
 * task leads (elastic_ballot.h).
 *
 * Who comes to a full group waits for its next round, without end; the leader's task knows how many do, and its program tells
 * the others where it suits them all (a checkpoint). Runs of who is no member of the present round are refused. */
#ifndef SL_DIST_ELASTIC_GROUP_H
#define SL_DIST_ELASTIC_GROUP_H

#include "dist/collective_leader.h"
#include "kernel/collective_peers.h"

struct leader_gathering;
struct leader_group;
struct leader_waiting;

#define SL_ELASTIC_JOIN "/sluice.GroupService/Join"

/* The message of a member that joins. */
sl_code sl_elastic_write_join(struct sl_rpc_message *m, const struct sl_collective_joining *joining,
                              uint64_t incarnation, struct sl_error *err);

/* For sl_rpc_method: a member joins; the answer, a CompleteGroupResponse, has the members by rank. */
void sl_leader_join_elastic(struct sl_collective_leader *leader, struct sl_rpc_call *call);
/* The same: another task asks who leads a group, or whether it may begin a round (elastic_ballot.h). */
void sl_leader_ask(struct sl_collective_leader *leader, struct sl_rpc_call *call);
/* This task has heard that the round it was told of has begun. */
void sl_leader_has_begun(struct sl_collective_leader *leader, const struct sl_collective_group *group);
/* How many wait for the next round of a group that is full. */
int64_t sl_leader_newcomers(struct sl_collective_leader *leader, int64_t key);

/* ---- for the leader, with its mutex held */
/* When the leader has to look at the time for this group, if that is before `at` (0: never). */
int64_t sl_elastic_due(int64_t at, const struct leader_group *group);
/* Who waited in a call whose client has gone does not come. */
void sl_elastic_forget(struct leader_gathering *g, const struct leader_waiting *w);
void sl_elastic_clear(struct leader_group *group);

/* ---- without it */
/* Begins rounds whose time has come, with those who are there; fails who has waited too long. */
void sl_elastic_look(struct sl_collective_leader *leader, int64_t now);

#endif
