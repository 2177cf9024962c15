/* Who is told of the ops that a thread executes: its tapes (src/tape). As long as no thread has a listener, a call pays
 * for one relaxed load. Threads: each has its own. */
#ifndef SL_EAGER_EAGER_LISTENER_H
#define SL_EAGER_EAGER_LISTENER_H

#include "eager/eager_op.h"

struct sl_eager_listener {
    /* Executes the op, as sl_eager_execute_kernel would: most listeners call that, or sl_eager_execute_here. */
    sl_code (*execute)(struct sl_eager_listener *self, struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                       struct sl_eager_kernel *k, struct sl_error *err);
    /* A device of the caller's own (eager_opaque.h) may run the op: what the listener wants to know of it afterwards, or
     * NULL; and afterwards, with the outputs, or with `n` -1 when no such device ran it or it failed. */
    void *(*before_custom)(struct sl_eager_listener *self, const struct sl_eager_op *op);
    void (*after_custom)(struct sl_eager_listener *self, void *seen, struct sl_eager_handle *const *outputs, int n);
};

/* The calling thread has this listener from here on, which is borrowed; NULL: none. */
void sl_eager_listen(struct sl_eager_listener *listener);

/* ---- for eager_execute.c */
extern atomic_int sl_eager_n_listeners; /* threads that have one */
struct sl_eager_listener *sl_eager_listener_of_thread(void);
static inline struct sl_eager_listener *sl_eager_listener(void) {
    return atomic_load_explicit(&sl_eager_n_listeners, memory_order_relaxed) ? sl_eager_listener_of_thread() : NULL;
}

/* ---- for listeners. Outputs and errors are those of sl_eager_execute; the kernel is prepared for the op. */
sl_code sl_eager_execute_kernel(struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                                struct sl_eager_kernel *k, struct sl_error *err);
/* The same on this thread, when what its executor has queued is done. */
sl_code sl_eager_execute_here(struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                              struct sl_eager_kernel *k, struct sl_error *err);
/* What comes before that: checks inputs and the room for outputs, and waits for what the executor has queued. */
sl_code sl_eager_get_ready(const struct sl_eager_op *op, const struct sl_eager_kernel *k, int n_outputs,
                           struct sl_error *err);

#endif
