/* The composition root: lists the backends and who runs sessions, makes the registries, keeps what plug-ins load and
 * who listens to the log. To add a backend or a target: its header and one line in `built_in` or `targets`. */
#include "root/root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/any/any_kernels.h"
#undef KERNEL /* each backend has its own */
#include "backends/cpu/cpu_kernels.h"
#include "backends/null/null_kernels.h"
#include "base/alloc.h"
#include "base/env.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "dist/dist_door.h"
#include "grad/graph/backprop.h"
#include "os/mutex.h"
#include "os/once.h"
#include "plugin/plugin_optimiser.h"
#include "root/companions.h"
#include "runtime/evaluate.h"
#include "session/local_session.h"

static const struct sl_backend built_in[] = {
    {sl_any_families, NULL}, {sl_cpu_families, &sl_host_device_type}, /* the host's device stands before all others */
};
enum { BUILT_IN = sizeof built_in / sizeof *built_in, MOST_BACKENDS = SL_DEVICE_TYPES_MAX };
enum { MOST_INSTANCES = 4096 }; /* of kernels, kept for whoever asks next: about 1 KiB each */

static bool accepts_address(struct sl_str target) {
    return sl_str_starts(target, SL_STR("grpc://")) || sl_str_starts(target, SL_STR("grpcs://"));
}

static sl_code open_at_server(struct sl_session **out, const struct sl_registries *registries,
                              const struct sl_session_options *options, struct sl_error *err) {
    const struct sl_dist_door *door;
    SL_TRY(sl_root_dist_door(&door, err));
    return door->open_session(out, registries, options, err);
}

static const struct sl_target targets[] = {
    {"DIRECT_SESSION", sl_local_session_accepts, sl_local_session_new},
    {"GRPC_SESSION", accepts_address, open_at_server},
    {NULL, NULL, NULL},
};

static struct {
    struct sl_once once;
    struct sl_registries registries;
    struct sl_evaluator evaluator;
    struct sl_kernel_family *families;
} made = {.once = SL_ONCE_INIT};

static struct {
    struct sl_mutex mutex;
    const struct sl_backend *items[MOST_BACKENDS]; /* that were added to those built in */
    size_t n;
    bool is_closed; /* the registries are made */
} added = {.mutex = SL_MUTEX_INIT};

sl_code sl_root_add_backend(const struct sl_backend *backend, struct sl_error *err) {
    sl_mutex_lock(&added.mutex);
    sl_code code = added.is_closed ? sl_fail(err, SL_FAILED_PRECONDITION, "the registries are made already") : SL_OK;
    if (code == SL_OK && BUILT_IN + added.n == MOST_BACKENDS)
        code = sl_fail(err, SL_RESOURCE_EXHAUSTED, "there are %d backends already", MOST_BACKENDS);
    if (code == SL_OK) added.items[added.n++] = backend;
    sl_mutex_unlock(&added.mutex);
    return code;
}

static const struct sl_backend *backend_at(size_t b) { return b < BUILT_IN ? &built_in[b] : added.items[b - BUILT_IN]; }

/* All families in one array, which is kept for ever. */
static sl_code join_families(struct sl_kernel_family **out, size_t *n, struct sl_error *err) {
    size_t total = 0, count, n_backends = BUILT_IN + added.n;
    for (size_t b = 0; b < n_backends; b++) {
        backend_at(b)->families(&count);
        total += count;
    }
    struct sl_kernel_family *all = sl_malloc((total + 1) * sizeof *all);
    if (!all) return sl_fail_memory(err, total * sizeof *all);
    *n = 0;
    for (size_t b = 0; b < n_backends; b++) {
        const struct sl_kernel_family *families = backend_at(b)->families(&count);
        for (size_t i = 0; i < count; i++) all[(*n)++] = families[i];
    }
    *out = all;
    return SL_OK;
}

/* Adds the families of all companions that can be loaded. */
static sl_code join_companions(struct sl_kernel_family **families, size_t *n, struct sl_error *err) {
    for (int c = 0; c < SL_COMPANION_COUNT; c++) {
        const struct sl_kernel_family *more;
        size_t count;
        if (sl_root_companions.load(&more, &count, c, NULL) != SL_OK) continue;
        struct sl_kernel_family *all = sl_malloc((*n + count) * sizeof *all);
        if (!all) return sl_fail_memory(err, (*n + count) * sizeof *all);
        if (*n) memcpy(all, *families, *n * sizeof *all);
        if (count) memcpy(all + *n, more, count * sizeof *all);
        sl_free(*families);
        *families = all;
        *n += count;
    }
    return SL_OK;
}

/* SLUICE_DEVICE=null: rows that complete at once stand for all others, those of companions included. */
static sl_code choose_backends(struct sl_kernel_family **families, size_t *n, struct sl_error *err) {
    const char *device = sl_env_text(SL_ENV_DEVICE);
    SL_TRY(join_families(families, n, err));
    if (!device || strcmp(device, "null") != 0) return SL_OK;
    sl_code code = join_companions(families, n, err);
    struct sl_kernel_family *joined = *families;
    if (code == SL_OK) code = sl_null_families(families, n, joined, *n, err);
    sl_free(joined);
    return code;
}

static void list_devices(struct sl_registries *registries) {
    for (size_t b = 0; b < BUILT_IN + added.n; b++)
        if (backend_at(b)->device) registries->device_types[registries->n_device_types++] = backend_at(b)->device;
}

/* With the mutex held. The number is raised last: readers take no lock. */
static sl_code add_type(struct sl_registries *r, const struct sl_device_type *type, struct sl_error *err) {
    int n = atomic_load(&r->n_device_types);
    for (int t = 0; t < n; t++)
        if (!strcmp(r->device_types[t]->name, type->name))
            return sl_fail(err, SL_ALREADY_EXISTS, "there are devices of type %s already", type->name);
    if (n == SL_DEVICE_TYPES_MAX)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "there are %d types of devices already", n);
    r->device_types[n] = type;
    atomic_store(&r->n_device_types, n + 1);
    return SL_OK;
}

sl_code sl_root_add_device_type(const struct sl_device_type *type, struct sl_error *err) {
    const struct sl_registries *registries;
    SL_TRY(sl_root_registries(&registries, err));
    sl_mutex_lock(&added.mutex);
    sl_code code = add_type(&made.registries, type, err);
    sl_mutex_unlock(&added.mutex);
    return code;
}

static sl_code make_registries(void *arg, struct sl_error *err) {
    (void)arg;
    sl_mutex_lock(&added.mutex);
    added.is_closed = true;
    sl_mutex_unlock(&added.mutex);
    struct sl_registries r = {.call_by_name = &sl_call_by_name,
                              .function_gradient = sl_function_gradient,
                              .graph_plugins = &sl_plugin_optimisers};
    struct sl_kernel_family *families;
    size_t n;
    SL_TRY(choose_backends(&families, &n, err));
    sl_code code = sl_op_registry_new(&r.ops, err);
    if (code == SL_OK) code = sl_kernel_table_new(&r.kernels, families, n, &sl_root_companions, err);
    if (code == SL_OK) code = sl_kernel_cache_new(&r.instances, r.kernels, NULL, MOST_INSTANCES, err);
    if (code != SL_OK) {
        sl_kernel_table_free(r.kernels);
        sl_op_registry_free(r.ops);
        sl_free(families);
        return code;
    }
    list_devices(&r);
    made.registries = r;
    made.evaluator = sl_registries_evaluator(&made.registries);
    made.families = families; /* borrowed by the table */
    return SL_OK;
}

sl_code sl_root_registries(const struct sl_registries **out, struct sl_error *err) {
    SL_TRY(sl_once_run(&made.once, make_registries, NULL, err));
    *out = &made.registries;
    return SL_OK;
}

const struct sl_evaluator *sl_root_evaluator(void) { return &made.evaluator; }

const struct sl_target *sl_root_targets(void) { return targets; }

/* ---- log */
typedef void listener_function(const char *line);
static struct {
    struct sl_mutex mutex;
    SL_VEC(listener_function *) listeners;
} listening = {.mutex = SL_MUTEX_INIT};

sl_code sl_root_add_listener(listener_function *listener, struct sl_error *err) {
    sl_mutex_lock(&listening.mutex);
    int failed = sl_vec_push(&listening.listeners, listener);
    sl_mutex_unlock(&listening.mutex);
    return failed ? sl_fail_memory(err, sizeof listener) : SL_OK;
}

static void tell_listeners(const char *line) {
    listener_function *listener;
    for (size_t i = 0;; i++) { /* unlocked while it runs: a listener may log or register another */
        sl_mutex_lock(&listening.mutex);
        listener = i < listening.listeners.n ? listening.listeners.items[i] : NULL;
        sl_mutex_unlock(&listening.mutex);
        if (!listener) return;
        listener(line);
    }
}

void sl_root_log_v(enum sl_log_level level, const char *format, va_list args) {
    static const char letters[] = "IWEF";
    char text[2048];
    const char *least = getenv("TF_CPP_MIN_LOG_LEVEL");
    vsnprintf(text, sizeof text, format, args);
    if ((int)level >= (least ? atoi(least) : 0) || level == SL_LOG_FATAL)
        fprintf(stderr, "%c %s\n", letters[level], text);
    tell_listeners(text);
}

void sl_root_log(enum sl_log_level level, const char *format, ...) {
    va_list args;
    va_start(args, format);
    sl_root_log_v(level, format, args);
    va_end(args);
}

/* ---- texts */
static struct {
    struct sl_mutex mutex;
    struct sl_str_map texts; /* each its own key and value */
} kept = {.mutex = SL_MUTEX_INIT};

static char *keep(struct sl_str text) {
    char *copy = sl_malloc(text.n + 1);
    if (!copy) return NULL;
    if (text.n) memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    if (sl_str_map_put(&kept.texts, (struct sl_str){copy, text.n}, copy) == 0) return copy;
    sl_free(copy);
    return NULL;
}

const char *sl_root_keep(struct sl_str text) {
    sl_mutex_lock(&kept.mutex);
    char *copy = sl_str_map_get(&kept.texts, text);
    if (!copy) copy = keep(text);
    sl_mutex_unlock(&kept.mutex);
    return copy;
}

/* ---- libraries of ops */
static struct {
    struct sl_mutex mutex;
    struct sl_plugin_library *first;
} libraries = {.mutex = SL_MUTEX_INIT};

sl_code sl_root_load(sl_code (*load)(struct sl_plugin_library **list, void *arg, struct sl_error *err), void *arg,
                     struct sl_error *err) {
    sl_mutex_lock(&libraries.mutex);
    sl_code code = load(&libraries.first, arg, err);
    sl_mutex_unlock(&libraries.mutex);
    return code;
}

/* ---- switches */
static struct sl_switches switches = {.min_cluster_size = 4};

struct sl_switches *sl_root_switches(void) {
    return &switches;
}
