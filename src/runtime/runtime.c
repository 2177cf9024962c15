/* Making and ending runtimes, their library, and what goes around a step. */
#include "runtime/runtime.h"

#include "base/alloc.h"
#include "base/env.h"
#include "exec/trace.h"
#include "os/clock.h"
#include "tensor/block.h"

static sl_code start(struct sl_runtime *r, struct sl_error *err) {
    int threads = r->options.n_threads;
    if (r->devices.n < 1) return sl_fail(err, SL_INVALID_ARGUMENT, "a runtime needs a device");
    if (threads > 0) SL_TRY(sl_pool_create(&r->pool, threads, err));
    else r->pool = sl_pool_ref(sl_pool_shared());
    if (r->options.trace)
        SL_TRY(sl_trace_open(&r->trace, r->options.trace,
                             r->options.trace_every > 0 ? (uint64_t)r->options.trace_every : 0, err));
    r->options.trace = NULL;
    const char *memory = r->options.step_memory_text;
    if (memory && !r->options.step_memory && !sl_size_parse(&r->options.step_memory, memory))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "SLUICE_STEP_MEMORY is '%s', which is no number of bytes, as in 500000000, 500M or 2G", memory);
    r->options.step_memory_text = NULL;
    SL_TRY(sl_graph_new(&r->library, r->registries->ops, err));
    SL_TRY(sl_kernel_cache_new(&r->states, r->registries->kernels, NULL, 0, err));
    r->resources = r->options.resources;
    return r->resources ? SL_OK : sl_resources_new(&r->resources, err);
}

sl_code sl_runtime_new(struct sl_runtime **out, const struct sl_registries *registries, struct sl_device_set *devices,
                       const struct sl_runtime_options *options, struct sl_error *err) {
    struct sl_runtime *r = sl_calloc(1, sizeof *r);
    if (!r) {
        sl_device_set_clear(devices);
        return sl_fail_memory(err, sizeof *r);
    }
    r->registries = registries;
    if (options) r->options = *options;
    atomic_init(&r->holders, 1);
    r->devices = *devices;
    *devices = (struct sl_device_set){.n = 0};
    sl_mutex_init(&r->library_mutex);
    sl_function_graphs_init(&r->graphs);
    sl_function_store_init(&r->functions, r);
    sl_code code = start(r, err);
    if (code == SL_OK) *out = r;
    else sl_runtime_free(r);
    return code;
}

/* Steps keep as much memory as they may need again; without them less of it. */
static const size_t IDLE_KEPT = (size_t)256 << 20;

static void drop_states(struct sl_runtime *r) {
    sl_kernel_cache_free(r->states);
    r->states = NULL;
}

/* Programs, their nodes, and resources, which may keep the runtime. */
static void stop(struct sl_runtime *r) {
    sl_function_store_stop(&r->functions);
    drop_states(r);
    if (!r->options.resources) sl_resources_free(r->resources);
}

void sl_runtime_free(struct sl_runtime *r) {
    if (!r) return;
    if (!r->options.resources) stop(r);
    else drop_states(r); /* which may hold what keeps the runtime: an iterator that its session leaves to others */
    sl_runtime_unref(r);
}

void sl_runtime_unref(struct sl_runtime *r) {
    if (atomic_fetch_sub(&r->holders, 1) != 1) return;
    if (r->options.resources) stop(r);
    sl_function_store_clear(&r->functions);
    sl_graph_free(r->library);
    sl_pool_unref(r->pool);
    sl_trace_close(r->trace);
    sl_device_set_clear(&r->devices);
    sl_mutex_clear(&r->library_mutex);
    sl_function_graphs_clear(&r->graphs);
    sl_free((void *)r->config.p);
    sl_free(r);
    sl_block_trim(IDLE_KEPT);
}

sl_code sl_runtime_add_functions(struct sl_library_seen *seen, struct sl_runtime *r, const struct sl_graph *graph,
                                 struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&r->library_mutex);
    for (; seen->n_functions < graph->functions.n && code == SL_OK; seen->n_functions++) {
        struct sl_function_def *f = graph->functions.items[seen->n_functions];
        const size_t before = r->library->function_nodes;
        code = sl_graph_add_function(r->library, f, err);
        r->written_nodes += r->library->function_nodes - before;
    }
    for (; seen->n_gradients < graph->gradients.n && code == SL_OK; seen->n_gradients++) {
        const struct sl_gradient_of *g = &graph->gradients.items[seen->n_gradients];
        code = sl_graph_set_gradient(r->library, g->function, g->gradient, err);
    }
    sl_mutex_unlock(&r->library_mutex);
    return code;
}

/* ---- steps */

sl_code sl_runtime_begin_step(struct sl_step_env *env, struct sl_runtime *r, struct sl_cancellation *parent,
                              int64_t timeout_ms, struct sl_error *err) {
    *env = (struct sl_step_env){.step_id = atomic_fetch_add(&r->last_step, 1) + 1,
                                .pool = r->pool,
                                .session_resources = r->resources,
                                .functions = sl_runtime_calls(r, r->options.is_soft_placement),
                                .device = r->devices.items[0].name,
                                .devices = &r->devices,
                                .trace = r->trace,
                                .watch = r->options.watch,
                                .trace_weight = 1};
    if (r->trace) sl_trace_take_turn(env, env, env->step_id - 1);
    if (r->options.step_memory) SL_TRY(sl_meter_new(&env->meter, r->options.step_memory, err));
    SL_TRY(sl_cancellation_new(&env->cancellation, parent, err));
    if (timeout_ms > 0) {
        int64_t now = sl_clock_ns(), most = (INT64_MAX - now) / 1000000;
        sl_cancellation_set_deadline(env->cancellation, now + (timeout_ms < most ? timeout_ms : most) * 1000000);
    }
    return sl_resources_new(&env->step_resources, err);
}

sl_code sl_runtime_finish_on_devices(struct sl_step_env *env, struct sl_program *program, struct sl_value *rets,
                                     sl_code code, struct sl_error *err) {
    sl_code late = sl_device_set_end_step(env->devices, env->step_id, code == SL_OK ? err : NULL);
    if (code != SL_OK || late == SL_OK) return code;
    for (int i = 0; i < program->n_rets; i++) sl_value_clear(&rets[i]);
    return late;
}

sl_code sl_runtime_explain_cancellation(struct sl_step_env *env, struct sl_error *err) {
    struct sl_error reason;
    sl_error_clear(&reason);
    sl_code code = sl_cancellation_status(env->cancellation, &reason);
    if (code == SL_CANCELLED && sl_cancellation_has_waits(env->cancellation))
        sl_error_append(err, "\n\t %s", reason.message);
    if (code == SL_OK || code == SL_CANCELLED) return SL_CANCELLED;
    return sl_fail(err, code, "%s", reason.message);
}
