/* What collectives ask for when members of a group are in other processes: the contract between the kernels and who
 * talks to those processes. It is an object among the session's resources, where there are other processes.
 *
 *   join      once for each group: who is in it, in the order of ranks
 *   exchange  each run of a collective: when all members in this process have come, their elements go to the others
 *
 * Sums are from left to right by rank, as within a process, so that every member gets the same bits whatever the
 * number of processes; in a group with TensorFlow's servers in the order of their ring, the same bits for every member, too. */
#ifndef SL_KERNEL_COLLECTIVE_PEERS_H
#define SL_KERNEL_COLLECTIVE_PEERS_H

#include <stdatomic.h>

#include "base/str.h"
#include "kernel/resources.h"
#include "tensor/tensor.h"

struct sl_collective_place {
    const char *device;
    int task; /* among those of the group, in the order of their first members */
    uint64_t incarnation;
};
/* A group that is full. Immutable; as long as the peers. */
struct sl_collective_group {
    int64_t key, n;
    int64_t n_own;                      /* members in this process */
    int own, n_tasks;                   /* tasks of the group */
    const int *tasks;                   /* of the cluster, by task of the group */
    struct sl_collective_place *places; /* by rank */
    bool is_foreign; /* some members, or the leader, are TensorFlow's servers: elements go as those want it */
};

/* Of the caller until `done`, which comes once, on a thread that may compute, maybe before the call returns. */
struct sl_collective_joining {
    int64_t key, size;
    const char *device;
    double timeout_seconds; /* 0: the peers' own limit */
    /* Of a group that has as many members as come, `size` at most: so many are needed, and who is not there when the first one
     * has waited so long is none. `regroups`: the last members agreed to join anew. 0: all must come. */
    int64_t least;
    double wait_seconds;
    bool regroups;
    const struct sl_collective_group *group;
    void (*done)(struct sl_collective_joining *joining, sl_code code, const struct sl_error *err);
    atomic_bool is_cancelled; /* before cancel_join, which may come before `join` has begun */
    _Atomic(void *) state;    /* of the peers */
};

struct sl_collective_exchange {
    const struct sl_collective_group *group;
    uint64_t step, frame, iteration;
    int64_t instance;
    int kind, dtype; /* enum sl_collective_kind */
    struct sl_shape shape;
    bool is_sum;       /* all get one sum, in `result`; else each gets the others' elements, in `inputs` */
    bool is_broadcast; /* one member brings elements */
    double timeout_seconds;
    /* By rank, `group->n`: of this process from the beginning, all of the rest after success unless there is a result;
     * references of the exchange's owner. */
    struct sl_tensor **inputs;
    struct sl_tensor *result;
    int64_t
        n_slices; /* TensorFlow's ring cuts the elements of a sum into so many, each with chunks of its own; 0: one */
    /* out[e] = in[0][e] + in[1][e] + ... + in[n - 1][e], or what the collective merges by; `out` may be in[0]. `is_all`: then
     * everybody's elements are in it, and means are divided. */
    void (*merge)(struct sl_collective_exchange *exchange, void *out, const void *const *in, int64_t n, int64_t count,
                  bool is_all);
    void (*done)(struct sl_collective_exchange *exchange, sl_code code, const struct sl_error *err);
    void *state; /* of the peers */
};

struct sl_collective_peers;
struct sl_collective_peers_methods {
    void (*free)(struct sl_collective_peers *peers); /* with the last reference */
    /* A group that this device is known to be in; NULL: it has to join. */
    const struct sl_collective_group *(*find)(struct sl_collective_peers *peers, int64_t key, int64_t size,
                                              const char *device);
    void (*join)(struct sl_collective_peers *peers, struct sl_collective_joining *joining);
    void (*exchange)(struct sl_collective_peers *peers, struct sl_collective_exchange *exchange);
    /* `done` comes soon. Until `done` has begun: who cancels and who is told agree on that by a lock. */
    void (*cancel_join)(struct sl_collective_peers *peers, struct sl_collective_joining *joining);
    void (*cancel_exchange)(struct sl_collective_peers *peers, struct sl_collective_exchange *exchange);
    /* How many wait for the next time that members join a group that is as large as many come: at the task that leads it; 0
     * at others. */
    int64_t (*newcomers)(struct sl_collective_peers *peers, int64_t key);
};
struct sl_collective_peers {
    struct sl_object object;
    const struct sl_collective_peers_methods *methods;
};

/* One reference, the caller's. */
void sl_collective_peers_init(struct sl_collective_peers *peers, const struct sl_collective_peers_methods *methods);
/* Those of a session, a reference; NULL: it has none. */
struct sl_collective_peers *sl_collective_peers_of(struct sl_resources *resources);
/* Takes the reference over, also on failure. */
sl_code sl_collective_peers_add(struct sl_resources *resources, struct sl_collective_peers *peers,
                                struct sl_error *err);
/* There are none afterwards; who has a reference keeps it. */
void sl_collective_peers_remove(struct sl_resources *resources);

#endif
