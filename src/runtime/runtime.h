/* The runtime: what drivers (a session today) share to compile graphs and functions and to run them. It knows no
 * driver and no handle of the C API. Any devices will do:
 *
 *     sl_device_set_new(&devices, SL_STR("/job:worker/replica:0/task:1"), 2, incarnation, err);
 *     sl_runtime_new(&runtime, registries, &devices, NULL, err);
 *
 * Then pipeline.h compiles graphs and instances.h functions of the library; a step is begun, run and ended as below.
 *
 * Lifetimes: the registries outlive the runtime; programs, function instances and steps of a runtime are gone before
 * it is. What is in it lasts from one step to the next: the library with what was compiled of it, states of kernels,
 * resources.
 * Threads: thread-safe. Members are constant after sl_runtime_new or lock themselves; `library` is read and changed
 * with its mutex held. */
#ifndef SL_RUNTIME_RUNTIME_H
#define SL_RUNTIME_RUNTIME_H

#include "device/device.h"
#include "exec/step.h"
#include "kernel/cancellation.h"
#include "kernel/functions.h"
#include "kernel/resources.h"
#include "os/mutex.h"
#include "os/pool.h"
#include "program/compile.h"
#include "runtime/function_graphs.h"
#include "runtime/registries.h"
#include "tensor/meter.h"

struct sl_runtime_options {
    enum sl_engine engine;
    unsigned optimise_toggles;    /* enum sl_toggle: what is on */
    int n_threads;                /* of a pool of its own; 0: the pool of the process */
    const char *trace;            /* a file for what steps did; NULL: none. Read by sl_runtime_new alone */
    int64_t trace_every;          /* see sl_trace_open; 0 and less: all */
    size_t step_memory;           /* what the tensors that a step makes may hold; 0: no limit but that of the text: */
    const char *step_memory_text; /* as SLUICE_STEP_MEMORY has it; NULL: no limit. Read by sl_runtime_new alone */
    unsigned watch;               /* enum sl_numerics: numbers that end a step */
    bool is_soft_placement; /* a device that is not there is replaced by one that is; functions may say otherwise */
    bool places_by_cost;    /* nodes that ask for no device go where a simulation of the step finishes them first */
    bool logs_placement;
    bool keep_functional; /* If, Case and While are not lowered */
    /* Of somebody who outlives the runtime, for runtimes that share what has a name; NULL: its own. */
    struct sl_resources *resources;
};

struct sl_library_snapshot;

/* Function instances, as kernels call them; drivers: instances.h. */
struct sl_function_calls {
    struct sl_functions base;
    struct sl_function_store *store;
    bool is_soft; /* devices that are not there are replaced, in all that is instantiated by this */
};
struct sl_function_store {
    struct sl_function_calls strict, soft;
    struct sl_runtime *runtime;
    struct sl_mutex mutex;                /* guards `by_key`; before the library's */
    struct sl_library_snapshot *snapshot; /* of the library as it was last seen; guarded by the library's mutex */
    struct sl_mutex ask_mutex;            /* held while somebody finds out which functions may wait; before `mutex` */
    struct sl_str_map by_key;
    struct sl_mutex all_mutex; /* guards `all`; nothing is locked while it is held */
    struct sl_function *all;   /* those of the map, and others that somebody still holds */
    size_t n_all;
};
void sl_function_store_init(struct sl_function_store *store, struct sl_runtime *runtime);
/* At the end, before whatever holds instances goes: frees the programs, whose kernels hold others. Then `clear`; an
 * instance that somebody holds nevertheless, as a dataset may that was fetched, is nothing but memory from there on. */
void sl_function_store_stop(struct sl_function_store *store);
void sl_function_store_clear(struct sl_function_store *store);

struct sl_runtime {
    const struct sl_registries *registries; /* borrowed */
    struct sl_runtime_options options;
    struct sl_str config;         /* the ConfigProto that the driver was given, encoded, for kernels that ask; owned */
    struct sl_device_set devices; /* the first is where arguments and results live */
    struct sl_pool *pool;         /* own reference; NULL: no help */
    struct sl_trace *trace;       /* NULL: off */
    struct sl_resources *resources; /* by container and name */
    struct sl_mutex library_mutex;
    struct sl_graph *library;    /* functions only, shared with the graphs that they came with */
    size_t written_nodes;        /* of those; guarded as the library, as is the next */
    size_t made_nodes;           /* of bodies and functions that gradients have made */
    size_t n_removed;            /* functions that are no longer in the library; guarded as that, as are the next two */
    size_t n_taken_back;         /* the same, of those that were published */
    struct sl_str_map published; /* function name -> struct sl_published: how often */
    struct sl_function_store functions;
    struct sl_function_graphs graphs; /* of functions that are compiled, for those who ask */
    struct sl_kernel_cache *states;   /* a stateful node has one instance, however many programs run it */
    atomic_ullong last_step;
    atomic_uint holders; /* its owner, and what outlives that (`keep` of struct sl_functions) */
};

/* How kernels of a program call functions. */
static inline struct sl_functions *sl_runtime_calls(struct sl_runtime *r, bool is_soft) {
    return is_soft ? &r->functions.soft.base : &r->functions.strict.base;
}

/* Takes the devices over, at least one, also on failure. `options` NULL: all zero. */
sl_code sl_runtime_new(struct sl_runtime **out, const struct sl_registries *registries, struct sl_device_set *devices,
                       const struct sl_runtime_options *options, struct sl_error *err);
/* Its steps have ended. What others keep of it goes with the last of them. NULL is fine. */
void sl_runtime_free(struct sl_runtime *runtime);
void sl_runtime_unref(struct sl_runtime *runtime); /* of those others */

/* How much of a graph's library, which only grows, a runtime has; zero at first. */
struct sl_library_seen {
    size_t n_functions, n_gradients;
};
/* Adds the functions and gradients of `graph` that are not `seen` yet, and sees them. A function that is there is
 * passed over; INVALID_ARGUMENT when it is there with another body. Nobody changes the graph meanwhile. */
sl_code sl_runtime_add_functions(struct sl_library_seen *seen, struct sl_runtime *runtime, const struct sl_graph *graph,
                                 struct sl_error *err);

/* Takes a function from the library, if it is there: who has found its instances goes on with them, and so do functions
 * that were compiled; the next one of that name is another function. */
void sl_runtime_remove_function(struct sl_runtime *runtime, struct sl_str name);

/* For functions that are in the library only as long as somebody needs them: adds the `n_own` first, and counts those
 * once more that somebody has published; on failure neither. Taking them back as often removes them. Others of the
 * `n`, which were added otherwise, stay. */
sl_code sl_runtime_publish(struct sl_runtime *runtime, struct sl_function_def *const *functions, int n_own, int n,
                           struct sl_error *err);
void sl_runtime_take_back(struct sl_runtime *runtime, struct sl_function_def *const *functions, int n);

/* ---- steps */

/* What a step needs beside its program. `parent` (may be NULL) cancels it, and so does its time when `timeout_ms` is
 * above 0. Ended by sl_runtime_end_step, after a failure as well. */
sl_code sl_runtime_begin_step(struct sl_step_env *env, struct sl_runtime *runtime, struct sl_cancellation *parent,
                              int64_t timeout_ms, struct sl_error *err);
static inline void sl_runtime_end_step(struct sl_step_env *env) {
    if (env->devices && !env->devices->is_host_alone) sl_device_set_end_step(env->devices, env->step_id, NULL);
    sl_resources_free(env->step_resources);
    sl_cancellation_free(env->cancellation);
    if (env->meter) sl_meter_close(env->meter);
}

/* Why a step ended with CANCELLED: its time, another node's failure, or just that. */
sl_code sl_runtime_explain_cancellation(struct sl_step_env *env, struct sl_error *err);
/* Waits for what the step has enqueued on devices, which may fail it now: then `rets` are cleared. */
sl_code sl_runtime_finish_on_devices(struct sl_step_env *env, struct sl_program *program, struct sl_value *rets,
                                     sl_code code, struct sl_error *err);
/* As sl_step_run, but nothing of the step is left to do on any device, and one whose wait was cancelled fails with
 * the reason for that. */
static inline sl_code sl_runtime_run_step(struct sl_step_env *env, struct sl_program *program, struct sl_value *args,
                                          struct sl_value *rets, struct sl_error *err) {
    sl_code code = sl_step_run(program, env, args, rets, err);
    if (env->devices && !env->devices->is_host_alone)
        code = sl_runtime_finish_on_devices(env, program, rets, code, err);
    return code == SL_CANCELLED ? sl_runtime_explain_cancellation(env, err) : code;
}

#endif
