/* What a leader has of groups and runs: for collective_leader.c, which says how they come and go, and collective_watch.c. */
#ifndef SL_DIST_COLLECTIVE_LEADER_STATE_H
#define SL_DIST_COLLECTIVE_LEADER_STATE_H

#include "base/arena.h"
#include "dist/collective_leader.h"
#include "dist/task_watch.h"

/* A call that waits. Held by who will end it, and by who is told that its client has gone. */
struct leader_waiting {
    struct leader_waiting *next;
    struct sl_rpc_call *call;
    struct sl_collective_leader *leader;
    struct leader_gathering *in; /* NULL: not yet, or not any more; guarded, as is the next */
    bool is_gone;
    size_t first; /* of the members, those that came with it */
    atomic_uint holders;
};

struct leader_member {
    char *device;
    uint64_t incarnation; /* of a group's members, as are the next two */
    bool has_run;         /* it has been in a run since it joined */
    bool is_stale;        /* another one has begun anew since: it has to join again */
    char *content;        /* NULL: none came along */
    size_t n;
    bool is_source;
    bool is_foreign;                 /* it is at a server of TensorFlow's */
    const struct leader_waiting *by; /* of who waits for a round of an elastic group: the call that it came with */
};

/* What a group and a run have in common: members that come, and calls that wait for all. */
struct leader_gathering {
    struct sl_collective_leader *leader;
    struct leader_member *members;
    size_t n, room, size;
    struct leader_waiting *waiting;
    int64_t due_ns; /* 0: none */
    bool is_instance, has_failed, is_full;
    struct sl_error why;
};
struct leader_group {
    struct leader_gathering base;
    struct leader_group *next;
    int64_t key;
    char *device_type;
    bool
        is_foreign; /* has members at TensorFlow's servers: who comes to a run says so for itself, and gets no elements */
    struct leader_round
        *forming; /* of an elastic group (elastic_group.h), whose members `base` has; NULL: it is none */
};
struct leader_instance {
    struct leader_gathering base;
    struct leader_instance *next;
    uint64_t step, frame, iteration;
    int32_t group, key, type, dtype;
    bool is_foreign;
    int source;            /* of a foreign group's broadcast: the rank, once it has come; -1 */
    struct sl_arena arena; /* the shape */
    struct sl_shape shape;
};
struct leader_watcher {
    struct sl_task_watcher watcher;
    struct sl_collective_leader *leader;
    bool is_needed; /* as long as somebody has `watching`, as is the next */
    uint64_t incarnation;
    bool is_told;        /* guarded: a thread tells those who wait */
    struct sl_error why; /* constant while it does */
};

/* ---- with the leader's mutex held */
struct leader_group *sl_leader_find_group(const struct sl_collective_leader *leader, int64_t key); /* NULL: unknown */
bool sl_leader_has_come(const struct leader_gathering *g, const char *device);
/* A run waits: the tasks of its members are looked after soon. */
void sl_leader_look_soon(struct sl_collective_leader *leader);
sl_code sl_leader_check_group(const struct sl_collective_leader *leader,
                              const struct sl_pb_CompleteGroupRequest *request, struct sl_error *err);
sl_code sl_leader_find_or_make_group(struct leader_group **out, struct sl_collective_leader *leader,
                                     const struct sl_pb_CompleteGroupRequest *request, struct sl_error *err);
sl_code sl_leader_add_member(struct leader_gathering *g, struct sl_str device, struct sl_str content, bool is_source,
                             struct sl_error *err);
void sl_leader_clear_members(struct leader_gathering *g);
sl_code sl_leader_add_waiting(struct leader_waiting *w, struct leader_gathering *g, size_t first, struct sl_error *err);
struct leader_waiting *sl_leader_take_waiting(struct leader_gathering *g);
void sl_leader_set_timer(struct sl_collective_leader *leader);
/* Drops the runs of programs without a master in a group; who waited in them, to be failed with sl_leader_fail_all. */
struct leader_waiting *sl_leader_drop_runs(struct sl_collective_leader *leader, int64_t group);
int sl_leader_compare_members(const void *a, const void *b);

/* ---- without it */
/* What a call waits with, before anybody knows of it; NULL: the call has failed. */
struct leader_waiting *sl_leader_waiting_new(struct sl_collective_leader *leader, struct sl_rpc_call *call);
void sl_leader_waiting_release(struct leader_waiting *w);
void sl_leader_fail_all(struct leader_waiting *all, const struct sl_error *why);
/* The end of a thread that n_spawned counts. */
void sl_leader_spawned_end(struct sl_collective_leader *leader);
/* Ends the runs under way that `needs`; who waits in them is told why. */
void sl_leader_fail_runs(struct sl_collective_leader *leader,
                         bool (*needs)(const struct leader_instance *i, const void *arg), const void *arg,
                         const struct sl_error *why);
void sl_leader_look_is_due(struct sl_net_timer *timer);
void sl_leader_unwatch(struct sl_collective_leader *leader); /* no look is under way */

#endif
