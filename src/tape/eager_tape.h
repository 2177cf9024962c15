/* Tapes over eager handles: each op that a thread executes is recorded by the tapes that the thread has started and not
 * paused. What stands behind sluice/tape.h.
 *
 *     SL_TRY(sl_eager_tape_start(&tape, context, false, err));
 *     SL_TRY(sl_eager_tape_watch(tape, x, err));
 *     ... sl_eager_execute ...
 *     SL_TRY(sl_eager_tape_gradient(&dx, tape, &spec, err));
 *     sl_eager_tape_free(tape);
 *
 * An op that no tape follows runs as if there were none. One that is followed runs on the calling thread, also in an
 * asynchronous context, and ops that call functions run extended by what their gradient reads (execute_call.h).
 *
 * Threads: a tape is used by the thread that started it alone; every function here refuses others with
 * FAILED_PRECONDITION. */
#ifndef SL_TAPE_EAGER_TAPE_H
#define SL_TAPE_EAGER_TAPE_H

#include "eager/eager_handle.h"
#include "eager/eager_listener.h"
#include "tape/recording.h"

struct sl_tape;

/* Keeps a reference to the context. */
sl_code sl_eager_tape_start(struct sl_tape **out, struct sl_eager_context *context, bool is_persistent,
                            struct sl_error *err);
void sl_eager_tape_free(struct sl_tape *tape); /* NULL is fine */
/* While it is paused, a tape records nothing. */
sl_code sl_eager_tape_pause(struct sl_tape *tape, bool is_paused, struct sl_error *err);
bool sl_eager_tape_is_paused(const struct sl_tape *tape);

/* INVALID_ARGUMENT for a value of a type that has no gradients. */
sl_code sl_eager_tape_watch(struct sl_tape *tape, struct sl_eager_handle *h, struct sl_error *err);
bool sl_eager_tape_follows(const struct sl_tape *tape, const struct sl_eager_handle *h);

/* A gradient: `indices` NULL: a tensor; `values` NULL: there is none. One reference each. */
struct sl_eager_slices {
    struct sl_eager_handle *values, *indices, *dense_shape;
};
enum sl_eager_unconnected { SL_EAGER_UNCONNECTED_NONE, SL_EAGER_UNCONNECTED_ZEROS, SL_EAGER_UNCONNECTED_FAILS };
struct sl_eager_gradient_spec {
    struct sl_eager_handle *const *ys, *const *xs;
    struct sl_eager_handle *const *dys; /* NULL, and a NULL in it: ones */
    int n_ys, n_xs;
    enum sl_eager_unconnected unconnected;
    bool keeps_slices, sums_in_pairs;
};
/* `dxs` has room for all xs; nothing is in it after a failure. */
sl_code sl_eager_tape_gradient(struct sl_eager_slices *dxs, struct sl_tape *tape,
                               const struct sl_eager_gradient_spec *spec, struct sl_error *err);

/* How each y changes when the xs change by `txs`, each of the shape of its x, or NULL: not at all. */
struct sl_eager_jvp_spec {
    struct sl_eager_handle *const *ys, *const *xs, *const *txs;
    int n_ys, n_xs;
};
sl_code sl_eager_tape_jvp(struct sl_eager_handle **tys, struct sl_tape *tape, const struct sl_eager_jvp_spec *spec,
                          struct sl_error *err);
/* See struct sl_jacobian_spec (derivatives.h). */
sl_code sl_eager_tape_jacobian(struct sl_eager_handle **dxs, struct sl_tape *tape, struct sl_eager_handle *y,
                               struct sl_eager_handle *const *xs, int n_xs, bool by_example, struct sl_error *err);

/* Records ys as made of xs, with a gradient of the caller's own, on all tapes of the thread that follow some x. It is
 * given the gradients of the ys, a NULL where there is none, and fills in those of the xs, references. */
struct sl_eager_custom {
    sl_code (*gradient)(struct sl_eager_handle **dxs, struct sl_eager_handle *const *dys, void *arg,
                        struct sl_error *err);
    void *arg;
    void (*free_arg)(void *arg); /* may be NULL; called when no tape has the record any more, also on failure */
};
sl_code sl_eager_tape_record(struct sl_eager_context *context, struct sl_eager_handle *const *ys, int n_ys,
                             struct sl_eager_handle *const *xs, int n_xs, const struct sl_eager_custom *custom,
                             struct sl_error *err);

#endif
