/* Kernel instances: one row of the table, set up for an op, its attrs, its types and a device, and ready to run. The
 * compiler, constant folding, eager calls and tests make kernels here and nowhere else.
 *
 *     struct sl_kernel_request request = {.op = op, .attrs = &bound, .device = name, .device_type = SL_HOST_DEVICE};
 *     struct sl_kernel_instance *add;
 *     SL_TRY(sl_kernel_prepare(&add, cache, &request, err));
 *     struct sl_value values[3] = {a, b};                          inputs, then room for the outputs
 *     sl_code code = sl_kernel_instance_run(add, &env, values, 0, err);
 *     sl_kernel_instance_unref(add);
 *
 * Who shares an instance (struct sl_kernel_cache, kernel/instance_cache.h):
 *
 *     with an identity   requests to that cache with the same op, attrs, device and identity: stateful nodes of a
 *                        session
 *     without a node     requests with the same op, attrs and device: ops that are run by themselves
 *     of a node          the same, but a node whose op is stateful, or whose row is SL_KERNEL_OWN, has its own instance
 *
 * Instances for a device with its own memory are shared by identity only, as caches outlive such devices. Never shared
 * are calls of functions, unless the cache belongs to those functions, or the op names what it makes (SL_OP_NAMES) and has
 * an identity; SL_KERNEL_DEAD rows; rows that the request names.
 *
 * Threads: an instance is immutable and may run on many threads at once; counted references. */
#ifndef SL_KERNEL_INSTANCE_H
#define SL_KERNEL_INSTANCE_H

#include "kernel/kernel.h"

struct sl_kernel_cache;

/* What an instance is wanted for. Everything is borrowed while sl_kernel_prepare runs, but `op` and `functions`,
 * which outlive the instance. */
struct sl_kernel_request {
    const struct sl_op *op;
    const struct sl_attrs *attrs;        /* bound (ops/attr.h) */
    const uint8_t *in_types, *out_types; /* as declared; reference types + 100. Both NULL: as op and attrs say */
    int n_in, n_out;                     /* when there are types */
    const char *device, *device_type;    /* full name; type */
    struct sl_device *memory_device;     /* the device itself, when it has memory of its own; outlives the instance */
    struct sl_str node;                  /* name of the node; empty: an op that is run by itself */
    struct sl_str identity; /* name of the only such instance in the cache, which keeps it to its end; empty: none */
    /* What a resource is called that has no name of its own: an instance with one is not shared. Empty: as the node. */
    struct sl_str resource_name;
    uint64_t constant_in;            /* bit i (< 64): input i is the value of a Const */
    int graph_version;               /* producer of the graph */
    struct sl_functions *functions;  /* to find functions named in attrs; may be NULL */
    const struct sl_kernel_def *def; /* this row; NULL: the best one in the table */
};

struct sl_kernel_instance {
    /* Row, state, types, counts. Inputs are in slots 0 .. n_in - 1, outputs behind them, all of them used: who runs
     * the instance on other slots runs a copy of this. */
    struct sl_kernel_node node;
    /* What it was made for: copies that stay as long as the instance, which others may read. All zero when nobody
     * shares it, and it was not told to remember. */
    struct sl_kernel_request request;
    /* ---- of instance.c and instance_cache.c */
    atomic_uint refs;
    struct sl_arena arena;
    uint64_t hash;
    unsigned table_version;
    bool was_found; /* since the cache last looked for one to drop */
    struct sl_kernel_instance *next_in_bucket, *next_in_order;
};

/* An instance for the request: found in the cache, or made. The caller's reference. INVALID_ARGUMENT when no row
 * serves, in the words of sl_kernel_find; what the row's `create` says otherwise, with the node's name. After a
 * failure nothing is kept. */
sl_code sl_kernel_prepare(struct sl_kernel_instance **out, struct sl_kernel_cache *cache,
                          const struct sl_kernel_request *request, struct sl_error *err);
static inline struct sl_kernel_instance *sl_kernel_instance_ref(struct sl_kernel_instance *i) {
    atomic_fetch_add_explicit(&i->refs, 1, memory_order_relaxed);
    return i;
}
void sl_kernel_instance_unref(struct sl_kernel_instance *i); /* NULL is fine */
/* Fills in `request` of an instance that is not shared, before others see it. */
sl_code sl_kernel_instance_remember(struct sl_kernel_instance *i, const struct sl_kernel_request *request,
                                    struct sl_error *err);

/* Runs it on `values`: n_in inputs of its types, then n_out outputs, which are NONE or plain scalars before. Values
 * stay the caller's: inputs of `may_take` (bit i: input i, < 64) may be gone afterwards, references that are read as
 * values are what they refer to. A kernel that has to wait is waited for. After a failure there are no outputs.
 * Allocates nothing but what the kernel does. */
sl_code sl_kernel_instance_run(struct sl_kernel_instance *i, struct sl_step_env *env, struct sl_value *values,
                               uint64_t may_take, struct sl_error *err);

/* What that does first, for values that do not lie in a row: the scalar entry, where the node has one and the inputs (`b`
 * is `a` when there is one) are scalars within their values. Else false. */
bool sl_kernel_run_scalar(struct sl_value *out, const struct sl_kernel_node *node, const struct sl_value *a,
                          const struct sl_value *b);

/* The same without waiting, for kernels that may wait (node.is_async); others run before it returns. `done` is called
 * exactly once, from any thread, maybe before this returns. `call` and all other arguments stay valid until then. */
struct sl_kernel_call {
    struct sl_kernel_context k;
    void (*done)(struct sl_kernel_call *call, sl_code code);
};
void sl_kernel_instance_start(struct sl_kernel_call *call, struct sl_kernel_instance *i, struct sl_step_env *env,
                              struct sl_value *values, uint64_t may_take, struct sl_error *err);

#endif
