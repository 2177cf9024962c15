/* Eager tensor handles: a value with a device, which may not be there yet.
 *
 *     MADE      the value is there; it never changes again
 *     PENDING   an executor has yet to run the op that makes it: who wants to know it waits
 *     POISONED  it will never be there: `failure` says why
 *
 * Scalars lie in the handle itself. Threads: counted references; all functions are thread-safe. */
#ifndef SL_EAGER_EAGER_HANDLE_H
#define SL_EAGER_EAGER_HANDLE_H

#include <stdatomic.h>

#include "base/error.h"
#include "os/park.h"
#include "tensor/value.h"

struct sl_eager_context;
struct sl_eager_failure;
struct sl_eager_opaque;

/* AWAITED: pending, and somebody sleeps until it is not. */
enum sl_eager_state { SL_EAGER_MADE, SL_EAGER_PENDING, SL_EAGER_AWAITED, SL_EAGER_POISONED };
enum { SL_EAGER_NO_DEVICE = -1 }; /* of a handle that no op made: the host */

struct sl_eager_handle {
    atomic_uint refs;
    sl_park_word state;               /* enum sl_eager_state */
    int16_t device;                   /* of the op; of the context's devices */
    _Atomic int16_t backing;          /* of the memory; of a function's result it is known when that is there */
    int16_t home;                     /* of a resource: where it is, and where ops on it run */
    uint8_t dtype;                    /* known from the first */
    bool holds_context;               /* the value lies in the memory of one of its devices: it has a reference */
    uint32_t step;                    /* of a resource that ends with its step: the number of that; else 0 */
    struct sl_eager_context *context; /* borrowed unless held; NULL: of none */
    struct sl_value value;            /* NONE unless MADE */
    struct sl_eager_opaque *opaque;   /* owned; a value of another kind, with `value` NONE; see eager_opaque.h */
    struct sl_eager_failure *failure; /* a reference; POISONED alone */
    atomic_ullong number;             /* by which tapes know the value; 0: none has seen it */
};

/* Why values are not there; shared by all that are poisoned for one reason. */
struct sl_eager_failure {
    atomic_uint refs;
    struct sl_error error; /* its text is cut when it is longer than fits */
    sl_code code;
};
struct sl_eager_failure *sl_eager_failure_new(sl_code code, const struct sl_error *err); /* NULL when memory is out */
void sl_eager_failure_unref(struct sl_eager_failure *f);                                 /* NULL is fine */
/* Tells it as one's own: returns the code. */
sl_code sl_eager_failure_tell(const struct sl_eager_failure *f, struct sl_error *err);

/* A handle of a value, which it takes over, also on failure; NULL when memory is out. */
struct sl_eager_handle *sl_eager_handle_new(struct sl_eager_context *context, struct sl_value value, int device);
/* One that is pending. */
struct sl_eager_handle *sl_eager_handle_new_pending(struct sl_eager_context *context, int dtype, int device);
static inline struct sl_eager_handle *sl_eager_handle_ref(struct sl_eager_handle *h) {
    atomic_fetch_add_explicit(&h->refs, 1, memory_order_relaxed);
    return h;
}
void sl_eager_handle_unref(struct sl_eager_handle *h); /* NULL is fine */
/* Says that a new handle has the value of another one: tapes take them for the same, unless they know the new one. */
static inline void sl_eager_handle_set_same(struct sl_eager_handle *to, struct sl_eager_handle *from) {
    if (!atomic_load_explicit(&to->number, memory_order_relaxed))
        atomic_store_explicit(&to->number, atomic_load_explicit(&from->number, memory_order_relaxed),
                              memory_order_relaxed);
}
static inline bool sl_eager_handle_is_sole(const struct sl_eager_handle *h) {
    return atomic_load_explicit(&h->refs, memory_order_acquire) == 1;
}

/* Of a handle with a resource of its context: whether that ends with the step that is now. */
void sl_eager_handle_note_step(struct sl_eager_handle *h);

/* Ends pending: with a value, which is taken over, or with a failure, which is shared (NULL: memory was out). */
void sl_eager_handle_settle(struct sl_eager_handle *h, struct sl_value value);
void sl_eager_handle_poison(struct sl_eager_handle *h, struct sl_eager_failure *failure);
/* Waits while it is pending. The error that it is poisoned with, or OK. */
sl_code sl_eager_handle_wait_slowly(struct sl_eager_handle *h, struct sl_error *err);
static inline sl_code sl_eager_handle_wait(struct sl_eager_handle *h, struct sl_error *err) {
    return atomic_load_explicit(&h->state, memory_order_acquire) == SL_EAGER_MADE ? SL_OK
                                                                                  : sl_eager_handle_wait_slowly(h, err);
}
/* Rank, and one dim of 0 .. rank-1; both wait. */
sl_code sl_eager_handle_rank(int *out, struct sl_eager_handle *h, struct sl_error *err);
sl_code sl_eager_handle_dim(int64_t *out, struct sl_eager_handle *h, int i, struct sl_error *err);
/* The tensor on the host, a new reference; waits. Tensors there share their elements with the handle, scalars and what
 * lies elsewhere are copied. */
sl_code sl_eager_handle_tensor(struct sl_tensor **out, struct sl_eager_handle *h, struct sl_error *err);

#endif
