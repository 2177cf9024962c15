/* Eager contexts: what ops that run one by one share. A context is a driver over a runtime of its own: devices,
 * functions, resources; and it keeps the kernels that were prepared for its ops (eager_kernels.h).
 *
 * Threads: thread-safe but for making and the last unref. Executors and placement policies may be those of one thread
 * (eager_executor.h). */
#ifndef SL_EAGER_EAGER_CONTEXT_H
#define SL_EAGER_EAGER_CONTEXT_H

#include "eager/eager_kernels.h"
#include "os/park.h"
#include "runtime/runtime.h"

struct sl_eager_executor;
struct sl_eager_custom_device;

/* What a thread has of its own. */
struct sl_eager_thread {
    pthread_t thread;
    struct sl_eager_executor *executor; /* a reference; NULL: the context's */
    int policy;                         /* enum sl_eager_policy; -1: the context's */
};

/* What happens to an input that lies on another device than the op. As TFE_ContextDevicePlacementPolicy. */
enum sl_eager_policy { SL_EAGER_EXPLICIT, SL_EAGER_WARN, SL_EAGER_SILENT, SL_EAGER_SILENT_FOR_INT32 };

/* What others keep with a context, to use it again; goes with the context. */
struct sl_eager_kept {
    void (*free)(struct sl_eager_kept *self);
};

/* What a context has that knows the other tasks of its cluster (src/dist): their devices are custom devices
 * (eager_opaque.h) that are `is_far`. */
struct sl_eager_cluster {
    const struct sl_eager_cluster_methods *methods;
    const struct sl_device_set *devices; /* of all tasks, the own first; until the next update */
};

struct sl_eager_options {
    const struct sl_pb_ConfigProto *config; /* may be NULL; borrowed while the context is made */
    struct sl_device_set *devices;          /* taken over, also on failure; NULL: those of the config */
    struct sl_resources *resources;         /* of somebody who outlives the context; NULL: its own */
    bool is_async;
    enum sl_eager_policy policy;
    void (*log)(const char *line); /* of placements and copies; NULL: nobody reads them */
};

#define SL_EAGER_CONTEXT_ENDS (UINT32_C(1) << 31)
struct sl_eager_context {
    atomic_uint refs;
    struct sl_runtime *runtime;
    struct sl_cancellation *never; /* of steps that nobody cancels */
    /* By device: what kernels there see when an op is run by itself. Constant: so a call copies nothing. Resources
     * found by name are a device's own; those of the first device are the runtime's. */
    struct sl_step_env *envs;
    struct sl_resources *step;            /* TensorArrays and stacks between sl_eager_start_step and _end_step */
    _Atomic(struct sl_resources *) spare; /* an empty one, for the next call of a function */
    _Atomic(struct sl_eager_kept *) kept; /* what tapes need (src/tape) while no thread has it; NULL: nothing */
    struct sl_eager_kernels kernels;
    struct sl_eager_executor *executor; /* of threads that have none of their own */
    struct sl_eager_threads {
        struct sl_mutex mutex;
        SL_VEC(struct sl_eager_thread) items;
        atomic_bool any; /* else nobody looks */
    } threads;
    atomic_int policy; /* enum sl_eager_policy */
    void (*log)(const char *line);
    /* Gradient rules of the caller's by name, for tapes; NULL: there are none. */
    const struct sl_gradient_rule *(*find_rule)(struct sl_str name);
    atomic_bool is_soft_placement, logs_placement;
    atomic_bool wraps_ops;  /* ops run as functions of one node */
    atomic_bool has_opaque; /* some handle may hold a value that is not a tensor here (eager_opaque.h) */
    _Atomic(struct sl_eager_custom_device *) customs;
    struct sl_eager_cluster *cluster; /* set while nobody else uses the context; NULL: it knows its own task alone */
    struct sl_mutex mutex;            /* guards the members below */
    int steps;                        /* begun and not ended */
    atomic_uint step_number;          /* 1, 2 ...: of what the step has */
    struct sl_str_map adds;           /* function name -> struct sl_eager_added: how often it was added */
    SL_VEC(char *) composites;        /* devices of packs: their names, by number */
    atomic_ullong cluster_id;         /* random; 0: it is a member of no cluster */
    /* Ops that executors have yet to run; the context lives until they are through. SL_EAGER_CONTEXT_ENDS: it waits. */
    sl_park_word n_queued;
};

/* One reference. `options` may be NULL. NOT_FOUND "No CPU devices are available in this process" when the config has none. */
sl_code sl_eager_context_new(struct sl_eager_context **out, const struct sl_registries *registries,
                             const struct sl_eager_options *options, struct sl_error *err);
static inline struct sl_eager_context *sl_eager_context_ref(struct sl_eager_context *c) {
    atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed);
    return c;
}
void sl_eager_context_unref(struct sl_eager_context *c); /* NULL is fine */

/* Where values of a type lie on a device of the context; NULL: on the host. */
static inline struct sl_memory *sl_eager_memory(const struct sl_eager_context *c, int device, int dtype) {
    return device < 0 || sl_set_has(SL_SET_ON_HOST, dtype) ? NULL : c->runtime->devices.items[device].memory;
}

/* Forgets prepared kernels, with the state that they keep, and what the step has. Variables stay. */
void sl_eager_clear_caches(struct sl_eager_context *c);
/* Steps may be nested; when the last one ends, its resources go. */
void sl_eager_start_step(struct sl_eager_context *c);
void sl_eager_end_step(struct sl_eager_context *c);

/* Adds CPU:1 .. CPU:n-1. Waits for what executors have; nobody else uses the context meanwhile. */
sl_code sl_eager_add_host_devices(struct sl_eager_context *c, int n, struct sl_error *err);

/* Becomes the task of a cluster whose other tasks it does not know: its devices have that name from here on. Waits and
 * asks for quiet as above. `is_named`: the context gets an id, as those have that others may be told of. */
sl_code sl_eager_become_task(struct sl_eager_context *c, struct sl_str job, int task, bool is_named,
                             struct sl_error *err);

/* A number that nobody else of the process has had. */
uint64_t sl_eager_number(void);

/* ---- functions
 * Adding: counted when it is there with the same content; INVALID_ARGUMENT with another one, or for the name of an op.
 * Removing: one count less; what has been compiled and calls it goes on to do so. */
sl_code sl_eager_add_function(struct sl_eager_context *c, struct sl_function_def *f, struct sl_error *err);
sl_code sl_eager_remove_function(struct sl_eager_context *c, struct sl_str name, struct sl_error *err);
/* A new reference; NULL when there is none. */
struct sl_function_def *sl_eager_find_function(struct sl_eager_context *c, struct sl_str name);

#endif
