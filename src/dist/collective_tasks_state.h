/* What collective_tasks.c and collective_ring.c share: groups that a task knows, and what holds the worker meanwhile. */
#ifndef SL_DIST_COLLECTIVE_TASKS_STATE_H
#define SL_DIST_COLLECTIVE_TASKS_STATE_H

#include "dist/collective_tasks.h"

enum { ROWS_OF_ALL = 2, KNOWN_KEPT = 1024 };

struct group_entry {
    struct sl_collective_group group;
    bool is_left; /* a run of it has failed: its members have to join anew. Guarded */
    int leader;   /* the task of the cluster that its members ask */
    struct group_entry *next;
    struct sl_arena arena;
    /* Of foreign groups: what the leader has said of instances; a ring. Guarded. TensorFlow's servers ask once for an
     * instance, and know the answer in all steps. */
    struct known_instance {
        int64_t instance;
        int kind, source;
    } * known;
    size_t n_known;
};

struct task_peers {
    struct sl_collective_peers base;
    struct sl_worker *worker;
    struct sl_collective_buffers *buffers;
    struct sl_collective_leader *own; /* what others ask, if this task is the leader */
    int leader;                       /* of the cluster; groups whose members come and go may have another one */
    bool is_own_kind;                 /* false: this task says that it is TensorFlow's */
    struct sl_mutex mutex;            /* guards the rest */
    struct group_entry *groups;
};

static inline struct group_entry *group_entry_of(const struct sl_collective_group *group) {
    return (struct group_entry *)(void *)(char *)group;
}

/* ---- collective_tasks.c */
/* The worker does not end meanwhile. */
void sl_peers_hold_worker(struct task_peers *peers);
void sl_peers_leave_worker(struct task_peers *peers);
/* Its members join anew. */
void sl_peers_leave_group(struct task_peers *peers, const struct sl_collective_group *group);
int64_t sl_peers_ms_of(double seconds);
/* By when a call has to end that an exchange makes now; 0: no limit. */
int64_t sl_peers_deadline(const struct task_peers *peers, const struct sl_collective_exchange *x);

/* ---- collective_ring.c: exchanges of groups that are foreign */
void sl_ring_exchange(struct task_peers *peers, struct sl_collective_exchange *x);
void sl_ring_cancel(struct sl_collective_exchange *x);

#endif
