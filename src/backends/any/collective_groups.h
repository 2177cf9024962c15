/* What collectives share in a session: which devices are in which group, and whose time to wait is over. Called by
 * collective.c. Thread-safe, but for what says otherwise. */
#ifndef SL_BACKENDS_ANY_COLLECTIVE_GROUPS_H
#define SL_BACKENDS_ANY_COLLECTIVE_GROUPS_H

#include "base/str_map.h"
#include "kernel/kernel.h"
#include "os/mutex.h"
#include "os/thread.h"

struct sl_collective_instance; /* collective.c */

/* Something to be called at a time unless it is taken back before. Its owner's memory. */
struct sl_due {
    int64_t ns; /* on the clock of sl_clock_ns */
    void (*call)(
        struct sl_due *); /* on a thread of the groups, without locks; the due is not among those that wait any more */
    struct sl_due *next, **at; /* of the groups; `at` NULL: does not wait */
};

struct sl_collective_groups {
    struct sl_object object;
    struct sl_mutex mutex;                    /* guards what follows */
    struct sl_collective_instance *instances; /* of collective.c: those that more members may join */
    /* of collective_groups.c */
    struct sl_arena arena;    /* groups, members and names: they stay as long as this does */
    struct sl_str_map groups; /* by the bytes of their keys */
    struct sl_due *dues;      /* in no order */
    struct sl_condition changed;
    struct sl_thread thread;
    bool has_thread, is_ending, frees_itself;
    struct sl_error aborted; /* why there are no collectives any more; code OK: there are */
};

/* Where the collectives of a kernel meet: in the session's resources, or the eager context's. NULL: nowhere. */
struct sl_resources *sl_collective_resources(const struct sl_kernel_context *k);
/* The session's, made when first asked for; a reference of the caller's. In an eager context, that context's: there
 * collectives meet whatever step they are in, and `*step` is 0. */
sl_code sl_collective_groups_get(struct sl_collective_groups **out, uint64_t *step, struct sl_kernel_context *k);
sl_code sl_collective_groups_of(struct sl_collective_groups **out, struct sl_resources *r, struct sl_error *err);

/* ---- with the mutex held */
/* A device comes into a group, or is in it already. INTERNAL when the group has another size, or is full. */
sl_code sl_collective_group_join(struct sl_collective_groups *g, int64_t key, int64_t size, const char *device,
                                 struct sl_error *err);
bool sl_collective_group_is_full(struct sl_collective_groups *g, int64_t key);
/* The rank of a member of a full group: its position by device name, digits as numbers. */
int64_t sl_collective_group_rank(struct sl_collective_groups *g, int64_t key, const char *device);
sl_code sl_collective_due_add(struct sl_collective_groups *g, struct sl_due *due, struct sl_error *err);
/* True: it was there, and will not be called. */
bool sl_collective_due_remove(struct sl_due *due);

#endif
