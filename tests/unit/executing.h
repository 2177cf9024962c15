/* What runs ops one by one in tests: an environment of src/tape over a runtime with one CPU device and all kernels. */
#ifndef SL_TESTS_EXECUTING_H
#define SL_TESTS_EXECUTING_H

#include "root/root.h"
#include "runtime/runtime.h"
#include "tape/recording.h"

struct executing {
    struct sl_execute_env env;
    struct sl_step_env step;
    struct sl_runtime *runtime;
    struct sl_library_seen seen;
    struct sl_graph *library;
};

static inline sl_code executing_publish(void *executing, struct sl_graph *library, struct sl_error *err) {
    struct executing *x = executing;
    return sl_runtime_add_functions(&x->seen, x->runtime, library, err);
}

static inline sl_code executing_publish_made(void *executing, struct sl_function_def *const *needed, int n_own, int n,
                                             struct sl_error *err) {
    return sl_runtime_publish(((struct executing *)executing)->runtime, needed, n_own, n, err);
}

static inline void executing_take_back(void *executing, struct sl_function_def *const *needed, int n) {
    sl_runtime_take_back(((struct executing *)executing)->runtime, needed, n);
}

static inline sl_code executing_begin(struct executing *x, struct sl_error *err) {
    const struct sl_registries *registries;
    struct sl_device_set devices;
    *x = (struct executing){0};
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_graph_new(&x->library, registries->ops, err));
    x->library->evaluator = sl_root_evaluator();
    SL_TRY(sl_device_set_new(&devices, SL_STR("/job:localhost/replica:0/task:0"), 1, 1, err));
    SL_TRY(sl_runtime_new(&x->runtime, registries, &devices, NULL, err));
    SL_TRY(sl_runtime_begin_step(&x->step, x->runtime, NULL, 0, err));
    x->env = (struct sl_execute_env){.ops = registries->ops,
                                     .kernels = registries->instances,
                                     .step = &x->step,
                                     .device_type = "CPU",
                                     .library = x->library,
                                     .call_by_name = registries->call_by_name,
                                     .publish = executing_publish_made,
                                     .take_back = executing_take_back,
                                     .publish_arg = x};
    return sl_execute_env_init(&x->env, err);
}

static inline void executing_end(struct executing *x) {
    sl_execute_env_clear(&x->env);
    sl_runtime_end_step(&x->step);
    sl_runtime_free(x->runtime);
    sl_graph_free(x->library);
}

#endif
