/* Kernels prepared for eager calls: one for each op, attrs as set, and device as asked for. A kernel here is a kernel
 * instance, or a function that was compiled; what else a call needs to know is beside it.
 *
 *     call ── hash of op, attrs, device ──► table ──► kernel: instance, device, types
 *
 * A look-up takes no lock: readers say that they read, by counts that are spread over cache lines; who takes a kernel
 * out of the table waits until nobody reads before the last reference may go.
 *
 * A kernel stays as long as it is asked for every so often: names and seeds among the attrs may make one for each call.
 * When the table is full and has SL_EAGER_KEPT kernels or more, those go that nobody has asked for since the last time
 * but one. What has a state and was asked for again stays until the context forgets it (sl_eager_kernels_clear). */
#ifndef SL_EAGER_EAGER_KERNELS_H
#define SL_EAGER_EAGER_KERNELS_H

#include "eager/eager_attrs.h"
#include "graph/graph.h"
#include "kernel/instance.h"
#include "os/mutex.h"

struct sl_eager_context;
struct sl_function;

/* What a kernel is known by. */
struct sl_eager_key {
    const struct sl_op *op;
    const struct sl_eager_attrs *attrs;
    struct sl_str device;     /* as asked for, in the canonical form; empty: none */
    bool is_soft, is_wrapped; /* as the context's switches stand */
    uint64_t hash;            /* sl_eager_key_hash */
};
uint64_t sl_eager_key_hash(const struct sl_eager_key *key);

struct sl_eager_kernel {
    atomic_uint refs;
    const struct sl_op *op;
    int device;                          /* where it runs, among those of the context */
    struct sl_kernel_instance *instance; /* of an op; NULL for a function */
    struct sl_function *function;        /* held; NULL for an op */
    struct sl_function_def *def;         /* one reference; of functions */
    const uint8_t *in_types, *out_types; /* base types; borrowed from what is above */
    uint8_t *own_types;                  /* those of the results, where the instance has fewer; else NULL */
    int n_in, n_out;
    atomic_bool is_used; /* found since `age` was last looked at */
    uint8_t age;         /* how often the table was full since it was found; guarded by the table's mutex */
    bool is_pinned;      /* has a state that somebody came back to; likewise */
    bool has_functions;  /* some attr is a function, or several */
    bool has_references; /* some input is a reference, which an eager handle cannot be */
    /* ---- the key */
    struct sl_eager_attrs attrs;
    struct sl_str device_asked; /* in attrs.arena */
    bool is_soft, is_wrapped;
    uint64_t hash;
};

enum { SL_EAGER_READERS = 16, SL_EAGER_KEPT = 1024 };
struct sl_eager_kernels {
    struct sl_mutex mutex; /* of who changes the table */
    _Atomic(struct sl_eager_table *) table;
    struct {
        _Alignas(64) atomic_uint n;
    } readers[SL_EAGER_READERS];
};

void sl_eager_kernels_init(struct sl_eager_kernels *kernels);
/* Forgets all; those that run go on. */
void sl_eager_kernels_clear(struct sl_eager_kernels *kernels);
/* Forgets calls of a function, and ops with an attr that names it. */
void sl_eager_kernels_drop(struct sl_eager_kernels *kernels, const struct sl_op *function);

/* A new reference; NULL when there is none. */
struct sl_eager_kernel *sl_eager_kernels_find(struct sl_eager_kernels *kernels, const struct sl_eager_key *key);
/* Takes one in, with the key of `made`; gives the one that is in the table then, a new reference: another one when
 * somebody was faster. When memory is out the table does not have it. */
struct sl_eager_kernel *sl_eager_kernels_add(struct sl_eager_kernels *kernels, struct sl_eager_kernel *made);
void sl_eager_kernel_unref(struct sl_eager_kernel *kernel); /* NULL is fine */

#endif
