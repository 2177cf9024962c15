/* Eager contexts: making and ending, steps, functions. */
#include "eager/eager_context.h"

#include <stdio.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "eager/eager_executor.h"
#include "eager/eager_opaque.h"
#include "kernel/cancellation.h"
#include "runtime/runtime_config.h"

/* How often a function was added. */
struct sl_eager_added {
    struct sl_function_def *def; /* a reference */
    int times;
};

/* ---- life */

static sl_code local_devices(struct sl_device_set *out, const struct sl_registries *registries,
                             const struct sl_pb_ConfigProto *config, struct sl_error *err) {
    for (size_t i = 0; config && i < config->device_count.n; i++)
        if (sl_str_is(config->device_count.items[i].key, SL_HOST_DEVICE) && config->device_count.items[i].value <= 0)
            return sl_fail(err, SL_NOT_FOUND, "No CPU devices are available in this process");
    return sl_runtime_local_devices(out, registries, config, err);
}

static sl_code make_runtime(struct sl_eager_context *c, const struct sl_registries *registries,
                            const struct sl_eager_options *options, struct sl_error *err) {
    const struct sl_pb_ConfigProto *config = options ? options->config : NULL;
    struct sl_runtime_options how;
    struct sl_device_set local, *devices = options ? options->devices : NULL;
    sl_runtime_read_options(&how, config);
    const bool is_soft = how.is_soft_placement;
    how.resources = options ? options->resources : NULL;
    how.is_soft_placement = false; /* it holds for ops; a function says itself how its nodes are placed */
    if (!devices) SL_TRY(local_devices(devices = &local, registries, config, err));
    SL_TRY(sl_runtime_new(&c->runtime, registries, devices, &how, err));
    atomic_store(&c->is_soft_placement, is_soft);
    atomic_store(&c->logs_placement, how.logs_placement);
    return SL_OK;
}

static sl_code fill_envs(struct sl_eager_context *c, int first, struct sl_error *err) {
    struct sl_runtime *r = c->runtime;
    for (int d = first; d < r->devices.n; d++) {
        c->envs[d] = (struct sl_step_env){.step_id = atomic_fetch_add(&r->last_step, 1) + 1,
                                          .pool = r->pool,
                                          .cancellation = c->never,
                                          .session_resources = d ? NULL : r->resources,
                                          .step_resources = c->step,
                                          .functions = sl_runtime_calls(r, false),
                                          .device = r->devices.items[d].name,
                                          .devices = &r->devices,
                                          .trace = r->trace,
                                          .watch = r->options.watch};
        if (d) SL_TRY(sl_resources_new(&c->envs[d].session_resources, err));
        if (d || !r->options.resources) /* others' are not changed */
            sl_resources_set_meeting(c->envs[d].session_resources, r->resources);
    }
    return SL_OK;
}

static sl_code make_envs(struct sl_eager_context *c, struct sl_error *err) {
    struct sl_runtime *r = c->runtime;
    SL_TRY(sl_cancellation_new(&c->never, NULL, err));
    SL_TRY(sl_resources_new(&c->step, err));
    c->envs = sl_calloc((size_t)r->devices.room, sizeof *c->envs);
    if (!c->envs) return sl_fail_memory(err, (size_t)r->devices.room * sizeof *c->envs);
    return fill_envs(c, 0, err);
}

sl_code sl_eager_add_host_devices(struct sl_eager_context *c, int n, struct sl_error *err) {
    const int before = c->runtime->devices.n;
    sl_eager_context_wait(c, NULL);
    SL_TRY(sl_device_set_add_host(&c->runtime->devices, n, err));
    sl_eager_kernels_clear(&c->kernels);
    sl_code code = fill_envs(c, before, err);
    if (code == SL_OK) return SL_OK;
    for (int d = before; d < c->runtime->devices.n; d++) sl_resources_free(c->envs[d].session_resources);
    c->runtime->devices.n = before; /* devices of the host have nothing to be closed */
    return code;
}

static unsigned long long random_id(void) {
    unsigned long long id = 0;
    if (getrandom(&id, sizeof id, 0) != (ssize_t)sizeof id) id = (unsigned long long)(uintptr_t)&id;
    return id >> 1 | 1;
}

/* Devices stay where they are: whoever has one, or its name, sees the new one. */
static void rename_devices(struct sl_device_set *set, const struct sl_device_name *task) {
    for (int d = 0; d < set->n; d++) {
        struct sl_device *device = &set->items[d];
        memcpy(device->parsed.job, task->job, sizeof task->job);
        device->parsed.replica = task->replica;
        device->parsed.task = task->task;
        sl_device_print(device->name, &device->parsed);
    }
}

sl_code sl_eager_become_task(struct sl_eager_context *c, struct sl_str job, int task, bool is_named,
                             struct sl_error *err) {
    struct sl_device_name name;
    char text[SL_DEVICE_TEXT];
    if (job.n >= SL_DEVICE_WORD || task < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "There can be no task %d of job \"%.*s\"", task, SL_STR_ARG(job));
    (void)snprintf(text, sizeof text, "/job:%.*s/replica:0/task:%d", SL_STR_ARG(job), task);
    SL_TRY(sl_device_parse(&name, sl_str_of(text), err));
    sl_eager_context_wait(c, NULL);
    rename_devices(&c->runtime->devices, &name);
    sl_eager_kernels_clear(&c->kernels);
    if (is_named) atomic_store(&c->cluster_id, random_id());
    return SL_OK;
}

static sl_code begin(struct sl_eager_context *c, const struct sl_registries *registries,
                     const struct sl_eager_options *options, struct sl_error *err) {
    SL_TRY(make_runtime(c, registries, options, err));
    SL_TRY(make_envs(c, err));
    return sl_eager_executor_new(&c->executor, options && options->is_async, 0, err);
}

sl_code sl_eager_context_new(struct sl_eager_context **out, const struct sl_registries *registries,
                             const struct sl_eager_options *options, struct sl_error *err) {
    struct sl_eager_context *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    atomic_init(&c->refs, 1);
    atomic_init(&c->step_number, 1);
    atomic_store(&c->policy, options ? (int)options->policy : (int)SL_EAGER_SILENT);
    c->log = options ? options->log : NULL;
    sl_mutex_init(&c->mutex);
    sl_mutex_init(&c->threads.mutex);
    sl_eager_kernels_init(&c->kernels);
    sl_code code = begin(c, registries, options, err);
    if (code == SL_OK) *out = c;
    else sl_eager_context_unref(c);
    return code;
}

static void free_functions(struct sl_eager_context *c) {
    for (struct sl_str_map_entry *e = sl_str_map_first(&c->adds); e; e = sl_str_map_next(&c->adds, e)) {
        struct sl_eager_added *added = e->value;
        sl_function_unref(added->def);
        sl_free(added);
    }
    sl_str_map_free(&c->adds);
}

static void free_envs(struct sl_eager_context *c) {
    for (int d = 1; c->envs && d < c->runtime->devices.n; d++) sl_resources_free(c->envs[d].session_resources);
    sl_free(c->envs);
    sl_resources_free(c->step);
    sl_resources_free(atomic_load(&c->spare));
    sl_cancellation_free(c->never);
}

void sl_eager_context_unref(struct sl_eager_context *c) {
    if (!c || atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) != 1) return;
    atomic_fetch_or(&c->n_queued, SL_EAGER_CONTEXT_ENDS);
    for (uint32_t n; (n = atomic_load(&c->n_queued)) != SL_EAGER_CONTEXT_ENDS;) sl_park(&c->n_queued, n, 0);
    struct sl_eager_kept *kept = atomic_load(&c->kept);
    if (kept) kept->free(kept);
    if (c->cluster) c->cluster->methods->free(c->cluster);
    for (size_t i = 0; i < c->threads.items.n; i++) sl_eager_executor_unref(c->threads.items.items[i].executor);
    sl_vec_free(&c->threads.items);
    sl_eager_executor_unref(c->executor);
    sl_eager_kernels_clear(&c->kernels);
    free_functions(c);
    free_envs(c);
    sl_eager_free_customs(c);
    for (size_t i = 0; i < c->composites.n; i++) sl_free(c->composites.items[i]);
    sl_vec_free(&c->composites);
    sl_runtime_free(c->runtime);
    sl_mutex_clear(&c->kernels.mutex);
    sl_mutex_clear(&c->threads.mutex);
    sl_mutex_clear(&c->mutex);
    sl_free(c);
}

/* ---- caches and steps */

static void clear_step(struct sl_eager_context *c) {
    atomic_fetch_add(&c->step_number, 1);
    sl_resources_clear(c->step, (struct sl_str){NULL, 0});
}

void sl_eager_clear_caches(struct sl_eager_context *c) {
    sl_eager_context_wait(c, NULL);
    sl_eager_kernels_clear(&c->kernels);
    clear_step(c);
}

void sl_eager_start_step(struct sl_eager_context *c) {
    sl_mutex_lock(&c->mutex);
    c->steps++;
    sl_mutex_unlock(&c->mutex);
}

void sl_eager_end_step(struct sl_eager_context *c) {
    sl_mutex_lock(&c->mutex);
    if (c->steps > 0 && --c->steps == 0) clear_step(c);
    sl_mutex_unlock(&c->mutex);
}

uint64_t sl_eager_number(void) {
    static atomic_ullong last;
    return atomic_fetch_add(&last, 1);
}

/* ---- functions */

static sl_code add_first(struct sl_eager_context *c, struct sl_function_def *f, struct sl_error *err) {
    struct sl_eager_added *added = sl_malloc(sizeof *added);
    if (!added) return sl_fail_memory(err, sizeof *added);
    *added = (struct sl_eager_added){f, 1};
    sl_mutex_lock(&c->runtime->library_mutex);
    sl_code code = sl_graph_add_function(c->runtime->library, f, err);
    if (code == SL_OK && sl_str_map_put(&c->adds, f->name, added)) {
        sl_graph_remove_function(c->runtime->library, f->name, NULL);
        code = sl_fail_memory(err, sizeof *added);
    }
    sl_mutex_unlock(&c->runtime->library_mutex);
    if (code == SL_OK) atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
    else sl_free(added);
    return code;
}

sl_code sl_eager_add_function(struct sl_eager_context *c, struct sl_function_def *f, struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&c->mutex);
    struct sl_eager_added *added = sl_str_map_get(&c->adds, f->name);
    if (!added) code = add_first(c, f, err);
    else if (sl_function_equal(added->def, f)) added->times++;
    else
        code =
            sl_fail(err, SL_INVALID_ARGUMENT,
                    "Attempting to add a duplicate function with name: %.*s where the previous and current definitions "
                    "differ.",
                    SL_STR_ARG(f->name));
    sl_mutex_unlock(&c->mutex);
    return code;
}

sl_code sl_eager_remove_function(struct sl_eager_context *c, struct sl_str name, struct sl_error *err) {
    sl_mutex_lock(&c->mutex);
    struct sl_eager_added *added = sl_str_map_get(&c->adds, name);
    const bool is_last = added && --added->times == 0;
    if (is_last) {
        sl_str_map_remove(&c->adds, name);
        sl_eager_kernels_drop(&c->kernels, &added->def->op);
        sl_runtime_remove_function(c->runtime, name);
    }
    sl_mutex_unlock(&c->mutex);
    if (is_last && c->cluster) c->cluster->methods->forget(c->cluster, name);
    if (is_last) {
        sl_function_unref(added->def);
        sl_free(added);
    }
    if (added) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Tried to remove non-existent function '%.*s'.", SL_STR_ARG(name));
}

struct sl_function_def *sl_eager_find_function(struct sl_eager_context *c, struct sl_str name) {
    sl_mutex_lock(&c->runtime->library_mutex);
    struct sl_function_def *f = sl_graph_function(c->runtime->library, name);
    if (f) atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
    sl_mutex_unlock(&c->runtime->library_mutex);
    return f;
}
