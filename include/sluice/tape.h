/* Gradients of what was executed: a tape records the ops that a thread executes by TFE_Execute, and goes back along them.
 *
 *     struct sl_tape *tape = sl_tape_start(context, false, status);
 *     sl_tape_watch(tape, x, status);
 *     ... TFE_Execute: y is computed from x ...
 *     sl_tape_gradient(&dx, tape, &y, 1, &x, 1, NULL, status);
 *     sl_tape_delete(tape);
 *
 * A tape follows what it watches and all that is computed from it; ops that use nothing of that run as if there were no
 * tape. Of each op it keeps what the op's gradient reads. A *persistent* tape gives gradients any number of times.
 * Another one gives them once, and releases what it has kept while it does.
 *
 * Tapes nest: each records what is executed while it runs, the gradients of tapes within it among that. So the gradient
 * of a gradient is asked of the outer tape:
 *
 *     outer = sl_tape_start(...); inner = sl_tape_start(...);      both watch x
 *     ... y ...
 *     sl_tape_gradient(&dx, inner, &y, 1, &x, 1, ...);
 *     sl_tape_gradient(&ddx, outer, &dx, 1, &x, 1, ...);
 *
 * Where functions are called (PartitionedCall, If, While, or a function by its name), ask for the gradient of the
 * innermost tape first. One tape that takes gradients of its own gradients runs the call once more; UNIMPLEMENTED for
 * one that has effects or draws random numbers.
 *
 * Variables: the handle of the resource is watched, and reads of it are recorded. Its gradient is that of its value.
 *
 * Threads: a tape belongs to the thread that started it, records what that thread executes, and is used by it alone,
 * else FAILED_PRECONDITION. In an asynchronous context, ops that a tape follows are waited for. Handles that are
 * returned are the caller's, to be freed with TFE_DeleteTensorHandle. */
#ifndef SLUICE_TAPE_H
#define SLUICE_TAPE_H

#include <stdbool.h>

#include "sluice/gradient.h"
#include "tensorflow/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_tape;

/* A tape that records from here on. NULL on failure. */
SL_API struct sl_tape *sl_tape_start(TFE_Context *context, bool persistent, TF_Status *status);
/* Ends it, and what it keeps is released. Also in the thread that started it. NULL is fine. */
SL_API void sl_tape_delete(struct sl_tape *tape);
/* Between these it records nothing: what is computed then is constant to it. */
SL_API void sl_tape_pause(struct sl_tape *tape, TF_Status *status);
SL_API void sl_tape_resume(struct sl_tape *tape, TF_Status *status);

/* Follows a value from here on. INVALID_ARGUMENT when its type has no gradients: they are floating point, complex,
 * resource and variant. */
SL_API void sl_tape_watch(struct sl_tape *tape, TFE_TensorHandle *value, TF_Status *status);
/* Whether it follows a value: because it watches it, or because it has recorded how it was computed. */
SL_API bool sl_tape_follows(const struct sl_tape *tape, TFE_TensorHandle *value);

struct sl_tape_options {
    size_t size;                     /* see SL_OPTIONS (sluice/sluice.h) */
    TFE_TensorHandle *const *dys;    /* by target: what its gradient is multiplied by; NULL, or a NULL in it: ones */
    enum sl_no_gradient no_gradient; /* what a source gets that no target depends on; {0}: NULL */
    enum sl_aggregation aggregation; /* of gradients that meet */
};

/* dxs[i]: the gradient of the sum of all elements of all targets, each multiplied by its element in `dys`, with respect
 * to xs[i]. `options` may be NULL. On failure `dxs` is all NULL: INVALID_ARGUMENT for targets without gradients (of
 * integers, for example), NOT_FOUND for an op on the way without one, FAILED_PRECONDITION when the tape is not
 * persistent and has given its gradients. */
SL_API void sl_tape_gradient(TFE_TensorHandle **dxs, struct sl_tape *tape, TFE_TensorHandle *const *ys, int ny,
                             TFE_TensorHandle *const *xs, int nx, const struct sl_tape_options *options,
                             TF_Status *status);

/* The same, where gradients of gathers may be IndexedSlices: `indices` NULL: a tensor; `values` NULL: there is none. */
struct sl_handle_slices {
    TFE_TensorHandle *values, *indices, *dense_shape;
};
SL_API void sl_tape_gradient_slices(struct sl_handle_slices *dxs, struct sl_tape *tape, TFE_TensorHandle *const *ys,
                                    int ny, TFE_TensorHandle *const *xs, int nx, const struct sl_tape_options *options,
                                    TF_Status *status);

/* Forward mode. tys[i], of the shape of ys[i]: how ys[i] changes, to first order, when each xs[k] changes by txs[k],
 * of its shape, or NULL: not at all. tys[i] is NULL when ys[i] does not depend on those. It is computed as the gradient
 * of a gradient, so ops on the way need second gradients. */
SL_API void sl_tape_jvp(TFE_TensorHandle **tys, struct sl_tape *tape, TFE_TensorHandle *const *ys, int ny,
                        TFE_TensorHandle *const *xs, TFE_TensorHandle *const *txs, int nx, TF_Status *status);

/* Jacobians: dxs[k], of shape [y..., xs[k]...], has the gradient of each element of y with respect to xs[k]; NULL when y
 * does not depend on it. All elements go back at once, for most ops by one op each.
 *
 * The second function is for values whose first dimension counts examples that do not depend on each other. dxs[k] is of
 * shape [examples, the rest of y..., the rest of xs[k]...]; the tape goes back once for each element of one example. */
SL_API void sl_tape_jacobian(TFE_TensorHandle **dxs, struct sl_tape *tape, TFE_TensorHandle *y,
                             TFE_TensorHandle *const *xs, int nx, TF_Status *status);
SL_API void sl_tape_jacobian_by_example(TFE_TensorHandle **dxs, struct sl_tape *tape, TFE_TensorHandle *y,
                                        TFE_TensorHandle *const *xs, int nx, TF_Status *status);

/* Records ys as made of xs by something whose gradient is `gradient`, on all tapes of this thread that follow some x.
 * What has been recorded of the ys does not count then: pause the tapes while they are computed, or let it be. Where no
 * tape follows an x it stays. A y must not be one of the xs.
 *
 * `gradient` is called when a gradient passes: dys[i] is that of ys[i], borrowed, NULL where there is none. It sets
 * dxs[i], which becomes the library's, by ops that it executes, or leaves it NULL. Outer tapes record these ops.
 * `free_arg` (may be NULL) is called once, when no tape needs `arg` any more, also when this fails. */
struct sl_custom_gradient {
    void (*gradient)(TFE_TensorHandle **dxs, TFE_TensorHandle *const *dys, void *arg, TF_Status *status);
    void *arg;
    void (*free_arg)(void *arg);
};
SL_API void sl_tape_record(TFE_Context *context, TFE_TensorHandle *const *ys, int ny, TFE_TensorHandle *const *xs,
                           int nx, struct sl_custom_gradient custom, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
