/* Versions. One thread at a time loads (sl_model_host_new, then the host's own); calls take a reference under the mutex
 * and run without it. */
#include "serving/model_host.h"

#include <stdio.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/file.h"

enum { START = SL_PB_serving_ModelVersionStatus_State_START };
enum { LOADING = SL_PB_serving_ModelVersionStatus_State_LOADING };
enum { AVAILABLE = SL_PB_serving_ModelVersionStatus_State_AVAILABLE };
enum { UNLOADING = SL_PB_serving_ModelVersionStatus_State_UNLOADING };
enum { END = SL_PB_serving_ModelVersionStatus_State_END };

void sl_model_host_tell(struct sl_model_host *host, const char *event, const char *format, ...) {
    char text[SL_ERROR_MESSAGE_MAX + 256];
    va_list args;
    if (!host->options.tell) return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    host->options.tell(host->options.arg, event, text);
}

static char *copy_text(const char *text) {
    size_t n = strlen(text) + 1;
    char *copy = sl_malloc(n);
    if (copy) memcpy(copy, text, n);
    return copy;
}

/* ---- states. The mutex is held. */

/* That of a version; a new one in the oldest's place, unless that one is loaded. */
static struct sl_version_state *state_of(struct sl_model_host *h, int64_t version) {
    for (int i = 0; i < h->n_states; i++)
        if (h->states[i].version == version) return &h->states[i];
    int at = 0;
    if (h->n_states == SL_VERSIONS_KNOWN) {
        while (at < h->n_states - 1 && h->states[at].state != END) at++;
        sl_free(h->states[at].message);
        memmove(&h->states[at], &h->states[at + 1], (size_t)(h->n_states - at - 1) * sizeof *h->states);
        h->n_states--;
    }
    struct sl_version_state *s = &h->states[h->n_states++];
    *s = (struct sl_version_state){.version = version, .state = START};
    return s;
}

static void set_state(struct sl_model_host *h, int64_t version, int32_t state, sl_code code, const char *message) {
    struct sl_version_state *s = state_of(h, version);
    char *copy = code == SL_OK ? NULL : copy_text(message);
    sl_free(s->message);
    *s = (struct sl_version_state){version, state, code, copy};
}

/* Whether this very failure has been told. */
static bool is_told(struct sl_model_host *h, int64_t version, sl_code code, const char *message) {
    for (int i = 0; i < h->n_states; i++)
        if (h->states[i].version == version)
            return h->states[i].code == code && h->states[i].message && !strcmp(h->states[i].message, message);
    return false;
}

/* ---- versions in the folder */

/* Of a name that is a number; -1 for any other. */
static int64_t version_of(const char *name) {
    int64_t version = 0;
    for (const char *p = name; *p; p++)
        if (*p < '0' || *p > '9' || __builtin_mul_overflow(version, 10, &version) ||
            __builtin_add_overflow(version, *p - '0', &version))
            return -1;
    return *name ? version : -1;
}

static bool has_model(const char *dir, struct sl_arena *arena) {
    static const char *const files[] = {"saved_model.pb", "saved_model.pbtxt", "saved_model.cpb"};
    for (int i = 0; i < 3; i++) {
        char *path = sl_path_join(arena, dir, files[i]);
        if (path && sl_file_exists(path, NULL) == SL_OK) return true;
    }
    return false;
}

/* The highest version and where it lies, in the arena. */
static sl_code find_version(int64_t *version, char **path, const struct sl_model_host *h, struct sl_arena *arena,
                            struct sl_error *err) {
    char **names;
    size_t n;
    *path = h->dir;
    *version = 1;
    if (has_model(h->dir, arena)) return SL_OK;
    SL_TRY(sl_dir_list(&names, &n, h->dir, arena, err));
    *version = -1;
    for (size_t i = 0; i < n; i++) {
        int64_t other = version_of(names[i]);
        char *inner = other > *version ? sl_path_join(arena, h->dir, names[i]) : NULL;
        if (!inner || !has_model(inner, arena)) continue;
        *version = other;
        *path = inner;
    }
    if (*version >= 0) return SL_OK;
    return sl_fail(err, SL_NOT_FOUND, "%s: neither a SavedModel nor a folder with SavedModels in numbered folders",
                   h->dir);
}

/* ---- loading */

static void unloaded(void *arg, int64_t version) {
    struct sl_model_host *h = arg;
    sl_mutex_lock(&h->mutex);
    set_state(h, version, END, SL_OK, "");
    sl_mutex_unlock(&h->mutex);
    sl_model_host_tell(h, "unloaded", "%s version %lld", h->name, (long long)version);
    sl_mutex_lock(&h->mutex);
    h->n_loaded--;
    sl_condition_broadcast(&h->changed);
    sl_mutex_unlock(&h->mutex);
}

/* Puts a version in the place of the one before. */
static void swap(struct sl_model_host *h, struct sl_served_model *model) {
    model->unloaded = unloaded;
    model->arg = h;
    sl_mutex_lock(&h->mutex);
    struct sl_served_model *before = h->current;
    h->current = model;
    h->n_loaded++;
    set_state(h, model->version, AVAILABLE, SL_OK, "");
    if (before) set_state(h, before->version, UNLOADING, SL_OK, "");
    sl_mutex_unlock(&h->mutex);
    sl_served_model_unref(before);
}

static sl_code load(struct sl_model_host *h, int64_t version, const char *path, struct sl_error *err) {
    struct sl_served_model *model;
    int64_t start = sl_clock_ns();
    sl_code code = sl_served_model_load(&model, h->options.registries, path, version, err);
    if (code == SL_OK) {
        sl_model_host_tell(h, "loaded", "%s version %lld from %s in %lld ms", h->name, (long long)version, path,
                           (long long)((sl_clock_ns() - start) / 1000000));
        swap(h, model);
        return SL_OK;
    }
    sl_mutex_lock(&h->mutex);
    bool told = is_told(h, version, code, err->message);
    set_state(h, version, END, code, err->message);
    sl_mutex_unlock(&h->mutex);
    if (!told)
        sl_model_host_tell(h, "failed", "%s version %lld: %s: %s", h->name, (long long)version, sl_code_name(code),
                           err->message);
    return code;
}

/* One look: loads the highest version unless it is the present one. */
static sl_code look(struct sl_model_host *h, struct sl_error *err) {
    struct sl_arena arena;
    int64_t version;
    char *path;
    sl_arena_init(&arena);
    sl_code code = find_version(&version, &path, h, &arena, err);
    if (code == SL_OK) {
        sl_mutex_lock(&h->mutex);
        bool is_new = !h->current || h->current->version != version;
        sl_mutex_unlock(&h->mutex);
        if (is_new) code = load(h, version, path, err);
    }
    sl_arena_clear(&arena);
    return code;
}

void sl_model_host_poll(struct sl_model_host *host) {
    struct sl_error err;
    (void)look(host, &err); /* the version before goes on */
}

static void watch(void *arg) {
    struct sl_model_host *h = arg;
    sl_mutex_lock(&h->mutex);
    while (!h->stops) {
        int64_t next = sl_clock_ns() + h->options.poll_ns;
        while (!h->stops && sl_condition_wait_until(&h->changed, &h->mutex, next)) continue;
        if (h->stops) break;
        sl_mutex_unlock(&h->mutex);
        sl_model_host_poll(h);
        sl_mutex_lock(&h->mutex);
    }
    sl_mutex_unlock(&h->mutex);
}

/* ---- life */

static sl_code begin(struct sl_model_host *h, struct sl_error *err) {
    h->dir = copy_text(h->options.dir);
    if (!h->dir) return sl_fail_memory(err, strlen(h->options.dir));
    for (size_t n = strlen(h->dir); n > 1 && h->dir[n - 1] == '/'; n--) h->dir[n - 1] = 0;
    h->name = copy_text(h->options.name ? h->options.name : sl_path_base(h->dir));
    if (!h->name) return sl_fail_memory(err, strlen(h->dir));
    SL_TRY(look(h, err));
    if (h->options.poll_ns <= 0) return SL_OK;
    SL_TRY(sl_thread_start(&h->thread, "sl-versions", 0, watch, h, err));
    h->has_thread = true;
    return SL_OK;
}

sl_code sl_model_host_new(struct sl_model_host **out, const struct sl_model_host_options *options,
                          struct sl_error *err) {
    struct sl_error why;
    struct sl_model_host *h = sl_calloc(1, sizeof *h);
    if (!h) return sl_fail_memory(err, sizeof *h);
    h->options = *options;
    sl_mutex_init(&h->mutex);
    sl_condition_init(&h->changed);
    sl_error_clear(&why);
    sl_code code = begin(h, &why);
    if (code == SL_OK) *out = h;
    else {
        sl_model_host_free(h);
        (void)sl_fail(err, code, "%s", why.message);
    }
    return code;
}

void sl_model_host_free(struct sl_model_host *h) {
    if (!h) return;
    sl_mutex_lock(&h->mutex);
    h->stops = true;
    sl_condition_broadcast(&h->changed);
    sl_mutex_unlock(&h->mutex);
    if (h->has_thread) sl_thread_join(&h->thread);
    sl_mutex_lock(&h->mutex);
    struct sl_served_model *last = h->current;
    h->current = NULL;
    sl_mutex_unlock(&h->mutex);
    sl_served_model_unref(last);
    sl_mutex_lock(&h->mutex);
    while (h->n_loaded) sl_condition_wait(&h->changed, &h->mutex);
    sl_mutex_unlock(&h->mutex);
    for (int i = 0; i < h->n_states; i++) sl_free(h->states[i].message);
    sl_condition_clear(&h->changed);
    sl_mutex_clear(&h->mutex);
    sl_free(h->dir);
    sl_free(h->name);
    sl_free(h);
}

/* ---- asking */

static sl_code check_name(const struct sl_model_host *h, struct sl_str name, struct sl_error *err) {
    if (!name.n || sl_str_is(name, h->name)) return SL_OK;
    return sl_fail(err, SL_NOT_FOUND, "Servable not found for request: Latest(%.*s)", SL_STR_ARG(name));
}

sl_code sl_model_host_get(struct sl_served_model **out, struct sl_model_host *h, struct sl_str name, int64_t version,
                          struct sl_error *err) {
    SL_TRY(check_name(h, name, err));
    sl_mutex_lock(&h->mutex);
    bool is_there = h->current && (version < 0 || h->current->version == version);
    if (is_there) *out = sl_served_model_ref(h->current);
    sl_mutex_unlock(&h->mutex);
    if (is_there) return SL_OK;
    return version < 0 ? sl_fail(err, SL_NOT_FOUND, "Servable not found for request: Latest(%s)", h->name)
                       : sl_fail(err, SL_NOT_FOUND, "Servable not found for request: Specific(%s, %lld)", h->name,
                                 (long long)version);
}

static sl_code add_state(struct sl_pb_serving_GetModelStatusResponse *out, const struct sl_version_state *s,
                         struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_serving_StatusProto *status = SL_ARENA_NEW(arena, struct sl_pb_serving_StatusProto);
    if (!status) return sl_fail_memory(err, sizeof *status);
    status->error_code = (int32_t)s->code;
    if (s->message) status->error_message = sl_arena_str(arena, sl_str_of(s->message));
    out->model_version_status.items[out->model_version_status.n++] =
        (struct sl_pb_serving_ModelVersionStatus){.version = s->version, .state = s->state, .status = status};
    return SL_OK;
}

sl_code sl_model_host_status(struct sl_pb_serving_GetModelStatusResponse *out, struct sl_model_host *h,
                             struct sl_str name, int64_t version, struct sl_arena *arena, struct sl_error *err) {
    sl_code code = SL_OK;
    *out = (struct sl_pb_serving_GetModelStatusResponse){.unknown = NULL};
    SL_TRY(check_name(h, name, err));
    out->model_version_status.items = SL_ARENA_ARRAY(arena, struct sl_pb_serving_ModelVersionStatus, SL_VERSIONS_KNOWN);
    if (!out->model_version_status.items) return sl_fail_memory(err, sizeof *out);
    sl_mutex_lock(&h->mutex);
    for (int i = h->n_states; code == SL_OK && i-- > 0;)
        if (version < 0 || h->states[i].version == version) code = add_state(out, &h->states[i], arena, err);
    sl_mutex_unlock(&h->mutex);
    if (code == SL_OK && version >= 0 && !out->model_version_status.n)
        return sl_fail(err, SL_NOT_FOUND, "Could not find version %lld of model %s", (long long)version, h->name);
    return code;
}
