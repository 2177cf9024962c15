/* The kernel contract: how a kernel is described, set up and run. Built-in kernels and plug-ins use the same
 * structs.
 *
 *   row (struct sl_kernel_def)  --create, once per instance-->  state  --run, many times-->  outputs
 *
 * `create` reads attrs and decides everything that does not depend on values; `run` reads inputs, makes outputs.
 * `run` may be called by several threads at once on one state (concurrent steps): a state that changes locks itself.
 *
 * Nodes may share an instance (kernel/instance.h), and so a state, when all that `create` may read is the same for
 * both: the op, the attrs that the op declares, types, device, graph version; for a stateful op also the name of
 * the node. A row whose `create` reads more, or whose state keeps something of the values that it has seen, is
 * SL_KERNEL_OWN. */
#ifndef SL_KERNEL_KERNEL_H
#define SL_KERNEL_KERNEL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "ops/attr.h"
#include "ops/op.h"
#include "tensor/value.h"

struct sl_kernel_context;
struct sl_kernel_setup;
struct sl_step_env;
struct sl_cancellation;
struct sl_resources;
struct sl_device;
struct sl_device_set;
struct sl_functions;
struct sl_meter;
struct sl_pool;

/* A kernel serves nodes whose attr `attr` (type, or list(type): every element) is in `allowed`. */
struct sl_type_rule {
    const char *attr; /* NULL ends the list */
    sl_dtype_set allowed;
};

enum sl_kernel_flags {
    SL_KERNEL_CHEAP = 1, /* takes a few ns for any input: never handed to another thread */
    SL_KERNEL_ASYNC = 2, /* may wait for something outside of the step: has `start` instead of `run` */
    SL_KERNEL_PASS = 4, /* output 0 is input 0, the same value, and nothing else happens (Identity, StopGradient ...) */
    /* Also runs when an input is dead, with k->is_dead, so that the other end of a rendezvous gets the dead value.
     * Only in the token form. */
    SL_KERNEL_DEAD = 8,
    /* Each node has an instance of its own. `create` may read constant_in and attrs that the op does not declare;
     * the state may keep what runs have seen (packed filters, plans). */
    SL_KERNEL_OWN = 16,
    SL_KERNEL_MOVES = 32, /* of a row without device: touches no elements, so they may lie anywhere; kernel/ports.h */
    SL_KERNEL_BLOCKS = 64 /* `run` waits for a device, `start` does not: the linear form runs, the token form starts */
};

/* Entry for a node whose inputs are all plain scalars in their slots: reads up to two inputs' bits, writes the
 * output's bits. Must give the very bits that `run` gives. */
typedef void (*sl_scalar_fn)(void *out, const void *a, const void *b);

/* A step of a kernel that is a sequence of scalar entries. Operands are the node's inputs, then the steps before it. */
struct sl_scalar_step {
    const char *op; /* what it is the entry of */
    sl_scalar_fn scalar;
    int operands[2], n_operands;
};

enum { SL_KERNEL_RULES = 4 };

struct sl_kernel_def {
    const char *op;
    const char *device; /* device type; NULL means any device (control flow, functions, host-only ops) */
    const char *label;  /* value of attr _kernel this row is for; NULL: none */
    /* Rows of devices with their own memory: names of the op's arguments and results that lie on the host, as in
     * "shape, axis"; NULL: none. `run` must have read them when it returns. kernel/ports.h has the rest. */
    const char *host;
    struct sl_type_rule types[SL_KERNEL_RULES];
    uint32_t flags;
    int priority;       /* higher wins; rows of equal priority: the first that applies */
    float cost_ns;      /* typical time of a call on scalars, in ns */
    float cost_element; /* ns more for each element of the largest input or output; 0: not known */
    /* Whether this row may be used on this machine (instruction set, optional library); NULL: always. */
    bool (*available)(void);
    /* Makes the state; NULL: there is none. On failure nothing is kept. */
    sl_code (*create)(void **state, struct sl_kernel_setup *setup);
    void (*destroy)(void *state);
    sl_code (*run)(struct sl_kernel_context *k);
    /* ASYNC rows, and rows that call functions: begins, and calls sl_kernel_done(k, code) exactly once, from any
     * thread, maybe before returning. `k` lives until then. */
    void (*start)(struct sl_kernel_context *k);
    /* The scalar entry for these types, or NULL when there is none. */
    sl_scalar_fn (*scalar)(const struct sl_kernel_setup *setup);
    /* Of rows that are made of several scalar entries when all inputs are plain scalars: step `at` of a state. False: there
     * are no more; with 0, there are none. All have the type of the inputs; the last gives the output. NULL: never. */
    bool (*scalar_step)(struct sl_scalar_step *out, const void *state, int at);
    const void *data; /* of the row itself: tables that `create` and `run` share between many ops */
};

/* Everything fixed about an instance when it is made. Borrowed by the kernel while `create` runs. */
struct sl_kernel_setup {
    const struct sl_kernel_def *def;
    const struct sl_op *op;
    struct sl_str name; /* of the node, one of those that share the instance; of the op when it is run by itself */
    struct sl_str resource_name; /* of a resource that has none of its own */
    struct sl_str device;        /* assigned device, full name */
    const struct sl_attrs *attrs;
    const uint8_t *in_types, *out_types; /* base types */
    int n_in, n_out;
    uint64_t constant_in; /* SL_KERNEL_OWN rows; bit i (< 64): input i comes from a Const, the same in all runs */
    int graph_version;
    struct sl_functions *functions; /* to find functions named in attrs; may be NULL */
    struct sl_error *err;
};

/* What is fixed about a node in a program: an instance, and where its values are. Read-only while steps run. */
struct sl_kernel_node {
    const struct sl_kernel_def *def;
    void *state;
    sl_scalar_fn scalar; /* the row's scalar entry for these types; one output and one or two inputs. NULL: none */
    const uint32_t *in;  /* slot of each input */
    uint32_t out;        /* slot of output 0; the others follow */
    uint32_t n_in, n_out;
    bool is_async; /* `start` is used: the row is ASYNC, or has both and calls functions that may wait */
    const uint8_t *in_types, *out_types; /* as declared; reference types + 100 */
    uint64_t outputs_used;               /* bit o: somebody reads output o (bit 63: any of o >= 63) */
    struct sl_str name;
    const struct sl_op *op;
    struct sl_device *device; /* NULL: a device of the host, and so are all values */
    const bool *on_host;      /* by input, then by output: kernel/ports.h; NULL with `device` */
};

/* One execution of one node. */
struct sl_kernel_context {
    const struct sl_kernel_node *node;
    void *state;            /* node->state */
    struct sl_value *slots; /* of this step (and iteration) */
    uint64_t may_take;      /* bit i: input i (< 64) is not needed by anybody after this node */
    struct sl_step_env *env;
    struct sl_error *err;
    uint64_t frame, iteration; /* of the innermost loop; part of rendezvous keys */
    bool is_dead;              /* rows with SL_KERNEL_DEAD: an input is dead; inputs are not there */
    atomic_bool is_cut;        /* sl_kernel_split left work out: nothing of what the kernel made may be used */
    void (*done)(struct sl_kernel_context *k, sl_code code); /* of the executor; called through sl_kernel_done */
};

/* What the nodes of one step share. The driver of the step makes it, kernels use it; all that it points to is
 * thread-safe. */
struct sl_step_env {
    uint64_t step_id;
    struct sl_pool *pool; /* NULL: no help from other threads */
    struct sl_cancellation *cancellation;
    struct sl_resources *session_resources; /* variables, queues, tables: by container and name */
    struct sl_resources *step_resources;    /* TensorArrays, stacks: gone with the step */
    struct sl_functions *functions;
    struct sl_rendezvous *rendezvous;    /* where the parts of the step meet; NULL: in one that the executor makes */
    const char *device;                  /* full name of the device this runs on */
    const struct sl_device_set *devices; /* where enqueued work of the step may be; NULL: the host's alone */
    int depth;                           /* function calls around this one */
    struct sl_trace *trace;              /* NULL: none is written */
    struct sl_meter *meter;              /* counts what the step's tensors hold; NULL: there is no limit */
    uintptr_t watch;                     /* enum sl_numerics: numbers that end the step; 0: none (numerics.h) */
    uint64_t trace_weight;               /* for how many alike an event of it stands */
};

/* ---- inputs */
static inline struct sl_value *sl_in_value(struct sl_kernel_context *k, int i) { return &k->slots[k->node->in[i]]; }
/* Input i, for kernels that touch its elements: on the host, or in the memory of the row's device. Never a
 * reference: those are read before the kernel runs, unless the op takes Ref(T). */
static inline struct sl_view sl_in(struct sl_kernel_context *k, int i) {
    return k->node->device && !k->node->on_host[i] ? sl_value_view(sl_in_value(k, i))
                                                   : sl_value_on_host(sl_in_value(k, i));
}
static inline int sl_in_count(const struct sl_kernel_context *k) { return (int)k->node->n_in; }
/* A scalar (or one-element) int32/int64 input as int64; INVALID_ARGUMENT naming `what` otherwise. */
sl_code sl_in_int(int64_t *out, struct sl_kernel_context *k, int i, const char *what);
sl_code sl_in_bool(bool *out, struct sl_kernel_context *k, int i, const char *what);
/* An int32/int64 vector (or scalar) input widened to int64 into `to`, room for `max`; `*n` elements. */
sl_code sl_in_ints(int64_t *to, int *n, int max, struct sl_kernel_context *k, int i, const char *what);
/* A 1-D int32/int64 input read as a tensor shape: every element >= 0 (or -1 with `allow_unknown`); dims in
 * `dims[254]`. */
sl_code sl_in_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k, int i,
                    const char *what);
/* Input i as a tensor with a reference of its own, whatever its form. */
sl_code sl_in_tensor(struct sl_tensor **out, struct sl_kernel_context *k, int i);

/* ---- outputs */
static inline struct sl_value *sl_out_value(struct sl_kernel_context *k, int o) {
    return &k->slots[k->node->out + (uint32_t)o];
}
static inline int sl_out_count(const struct sl_kernel_context *k) { return (int)k->node->n_out; }
static inline int sl_out_type(const struct sl_kernel_context *k, int o) { return sl_dtype_base(k->node->out_types[o]); }
static inline bool sl_out_is_used(const struct sl_kernel_context *k, int o) {
    return k->node->outputs_used >> (o < 63 ? o : 63) & 1;
}
/* The memory in which output o has to lie; NULL: the host's. */
struct sl_memory *sl_out_memory(const struct sl_kernel_context *k, int o);
/* Makes output o with this shape, of the node's output type, elements uninitialised, and shows it in `*view`. It
 * lies in its memory. */
sl_code sl_out_new(struct sl_view *view, struct sl_kernel_context *k, int o, struct sl_shape shape);
/* The same, in the memory of one of the inputs `first` .. `first + n - 1` when that is allowed (no other reader, same
 * size in bytes, same memory): then `view->data` is that input's data, so read before you write. */
sl_code sl_out_reuse(struct sl_view *view, struct sl_kernel_context *k, int o, struct sl_shape shape, int first, int n);
/* Output o is input i, the same value. */
void sl_out_forward(struct sl_kernel_context *k, int o, int i);
/* Output o has the elements of input i under another shape (and plain type of the same size). */
sl_code sl_out_reshape(struct sl_kernel_context *k, int o, int i, struct sl_shape shape);
/* Copies output o to the memory in which it has to lie, if it is in another one, and waits for the copy. For rows that
 * take stored values out of objects (variables, lists, functions). */
sl_code sl_out_settle(struct sl_kernel_context *k, int o);
/* Gives a tensor or an object away as output o; takes over the reference. */
void sl_out_tensor(struct sl_kernel_context *k, int o, struct sl_tensor *t);
void sl_out_object(struct sl_kernel_context *k, int o, struct sl_object *object);
static inline void sl_out_dead(struct sl_kernel_context *k, int o) { sl_out_value(k, o)->kind = SL_VALUE_DEAD; }
sl_code sl_out_int(struct sl_kernel_context *k, int o, int64_t value); /* an integer scalar of the output's type */

/* ---- errors, work, waiting */
/* Adds the node to an error's text, once: "[[{{node NAME}}]]" on a line of its own, as TensorFlow does. */
void sl_error_name_node(struct sl_error *err, struct sl_str node);
/* INVALID_ARGUMENT: what a Switch goes by is no scalar (sl_value_scalar). */
sl_code sl_fail_choice(const struct sl_value *choice, struct sl_error *err);
/* INVALID_ARGUMENT with this text; the executor adds the node's name. `return sl_invalid(k, ...)`. */
sl_code sl_invalid(struct sl_kernel_context *k, const char *format, ...) SL_PRINTF(2, 3);
/* Splits [0, n) into ranges and runs `work(arg, begin, end)` on them, on this thread and idle ones; `ns_each` is the
 * cost of one. The split depends on n and ns_each alone, never on the threads, so results are the same bits for
 * every number of threads.
 *
 * Long work is looked at every few milliseconds: when the step is cancelled the rest is left out, and whoever ran the
 * kernel asks sl_kernel_status. A kernel that changes a resource or reference is done to its end. */
void sl_kernel_split(struct sl_kernel_context *k, int64_t n, double ns_each,
                     void (*work)(void *arg, int64_t begin, int64_t end), void *arg);
/* The same for columns of rows that a loop goes through: ranges begin at multiples of 64, so that few are narrow. */
void sl_kernel_split_columns(struct sl_kernel_context *k, int64_t n, double ns_each,
                             void (*work)(void *arg, int64_t begin, int64_t end), void *arg);
/* Work that one thread does in one piece and that may take long asks now and then whether the step is cancelled:
 *
 *     struct sl_pace pace = sl_pace_of(k);
 *     for (...) {
 *         if (sl_pace_ends(&pace, NS)) break;      -- NS: about what this turn takes
 *         ...
 *     }
 *     return SL_OK;
 *
 * A kernel that breaks off may return anything: as after a split that was cut short, whoever ran it asks
 * sl_kernel_status, and nothing of what it made is used. A kernel that changes a resource or reference is not asked to
 * end. */
struct sl_pace {
    struct sl_kernel_context *k;
    int64_t left_ns; /* until it asks */
};
enum { SL_PACE_NS = 2000000 };
static inline struct sl_pace sl_pace_of(struct sl_kernel_context *k) { return (struct sl_pace){k, SL_PACE_NS}; }
bool sl_pace_asks(struct sl_pace *pace);
static inline bool sl_pace_ends(struct sl_pace *pace, int64_t ns) {
    return __builtin_expect((pace->left_ns -= ns) < 0, 0) && sl_pace_asks(pace);
}
void sl_kernel_done(struct sl_kernel_context *k, sl_code code); /* ASYNC kernels; error text in k->err */
/* Ends an ASYNC kernel with `value` as output 0, which is taken over. Copies it first when output 0 has to lie in
 * another memory. */
void sl_kernel_give(struct sl_kernel_context *k, struct sl_value value);
bool sl_kernel_is_cancelled(struct sl_kernel_context *k);
/* What has come of a kernel that returned `code`: why the step was cancelled, when that cut it short. */
sl_code sl_kernel_cut_status(struct sl_kernel_context *k, sl_code code);
static inline sl_code sl_kernel_status(struct sl_kernel_context *k, sl_code code) {
    if (__builtin_expect(!atomic_load_explicit(&k->is_cut, memory_order_relaxed), 1)) return code;
    return sl_kernel_cut_status(k, code);
}

/* ---- scratch memory of one call, on the host: 64-byte aligned, NULL when memory is out. Kernels of other devices ask
 * their own memory. */
void *sl_scratch_new(size_t bytes);
void sl_scratch_free(void *p, size_t bytes);

#endif
