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

void sl_model_host_tell_state(struct sl_model_host *h) {
    char versions[24 * SL_VERSIONS_SERVED] = "";
    size_t n = 0;
    sl_mutex_lock(&h->mutex);
    for (int i = 0; i < h->n_served; i++)
        n += (size_t)snprintf(versions + n, sizeof versions - n, " %lld", (long long)h->served[i]->version);
    sl_mutex_unlock(&h->mutex);
    long long failed, all = sl_metrics_calls(&failed, &h->metrics);
    sl_model_host_tell(h, "state", "%s serves%s; %lld calls, %lld of which failed", h->name,
                       n ? versions : " no version", all, failed);
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

struct found {
    int64_t version;
    char *path;
};

/* All versions and where they lie, the highest first, in the arena. */
static sl_code find_versions(struct found **out, size_t *n, const struct sl_model_host *h, struct sl_arena *arena,
                             struct sl_error *err) {
    char **names = NULL;
    size_t n_names = 0;
    bool is_one = has_model(h->dir, arena);
    if (!is_one) SL_TRY(sl_dir_list(&names, &n_names, h->dir, arena, err));
    struct found *all = *out = SL_ARENA_ARRAY(arena, struct found, n_names + 1);
    if (!all) return sl_fail_memory(err, n_names * sizeof *all);
    *n = 0;
    if (is_one) all[(*n)++] = (struct found){1, h->dir};
    for (size_t i = 0; i < n_names; i++) {
        int64_t version = version_of(names[i]);
        char *path = version >= 0 ? sl_path_join(arena, h->dir, names[i]) : NULL;
        if (!path || !has_model(path, arena)) continue;
        size_t at = (*n)++;
        for (; at && all[at - 1].version < version; at--) all[at] = all[at - 1];
        all[at] = (struct found){version, path};
    }
    if (*n) return SL_OK;
    return sl_fail(err, SL_NOT_FOUND, "%s: neither a SavedModel nor a folder with SavedModels in numbered folders",
                   h->dir);
}

/* Keeps those that the policy wants. */
static sl_code choose_versions(struct found *all, size_t *n, const struct sl_model_host *h, struct sl_error *err) {
    const struct sl_version_policy *p = &h->options.policy;
    size_t kept = 0, most = SL_VERSIONS_SERVED;
    if (!p->is_all && !p->n_versions && (size_t)p->latest < most) most = (size_t)p->latest;
    for (size_t i = 0; i < *n && kept < most; i++) {
        bool is_wanted = !p->n_versions;
        for (size_t k = 0; k < p->n_versions; k++) is_wanted |= p->versions[k] == all[i].version;
        if (is_wanted) all[kept++] = all[i];
    }
    *n = kept;
    return kept ? SL_OK : sl_fail(err, SL_NOT_FOUND, "%s has none of the versions that are asked for", h->dir);
}

/* ---- loading */

/* The mutex is held; the reference is the caller's then. */
static struct sl_served_model *take_out(struct sl_model_host *h, int at) {
    struct sl_served_model *model = h->served[at];
    h->n_served--;
    memmove(&h->served[at], &h->served[at + 1], (size_t)(h->n_served - at) * sizeof *h->served);
    set_state(h, model->version, UNLOADING, SL_OK, "");
    return model;
}

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

/* Serves it from now on. There is room: versions that are not wanted any more go first where there is not. */
static void serve(struct sl_model_host *h, struct sl_served_model *model) {
    struct sl_served_model *gone = NULL;
    model->unloaded = unloaded;
    model->arg = h;
    sl_mutex_lock(&h->mutex);
    if (h->n_served == SL_VERSIONS_SERVED) gone = take_out(h, 0);
    int at = h->n_served++;
    for (; at && h->served[at - 1]->version > model->version; at--) h->served[at] = h->served[at - 1];
    h->served[at] = model;
    h->n_loaded++;
    set_state(h, model->version, AVAILABLE, SL_OK, "");
    sl_mutex_unlock(&h->mutex);
    sl_served_model_unref(gone);
}

/* The mutex is held. -1: all are wanted. */
static int find_unwanted(const struct sl_model_host *h, const struct found *wanted, size_t n) {
    for (int i = 0; i < h->n_served; i++) {
        size_t k = 0;
        while (k < n && wanted[k].version != h->served[i]->version) k++;
        if (k == n) return i;
    }
    return -1;
}

/* Lets go of those that are not among the wanted ones. */
static void drop_others(struct sl_model_host *h, const struct found *wanted, size_t n) {
    for (;;) {
        sl_mutex_lock(&h->mutex);
        int at = find_unwanted(h, wanted, n);
        struct sl_served_model *gone = at < 0 ? NULL : take_out(h, at);
        sl_mutex_unlock(&h->mutex);
        if (!gone) return;
        sl_served_model_unref(gone);
    }
}

static sl_code load(struct sl_model_host *h, int64_t version, const char *path, struct sl_error *err) {
    struct sl_served_model *model;
    int64_t start = sl_clock_ns();
    sl_code code = sl_served_model_load(&model, h->options.registries, path, version, err);
    if (code == SL_OK) {
        sl_model_host_tell(h, "loaded", "%s version %lld from %s in %lld ms", h->name, (long long)version, path,
                           (long long)((sl_clock_ns() - start) / 1000000));
        serve(h, model);
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

/* The mutex is held. -1: the highest. NULL: it is not there. */
static struct sl_served_model *find_served(const struct sl_model_host *h, int64_t version) {
    for (int i = h->n_served; i-- > 0;)
        if (version < 0 || h->served[i]->version == version) return h->served[i];
    return NULL;
}

/* Loads those that are not there; the first error. */
static sl_code load_missing(struct sl_model_host *h, const struct found *wanted, size_t n, struct sl_error *err) {
    sl_code first = SL_OK;
    for (size_t i = 0; i < n; i++) {
        struct sl_error why;
        sl_mutex_lock(&h->mutex);
        bool is_there = find_served(h, wanted[i].version) != NULL;
        sl_mutex_unlock(&h->mutex);
        sl_code code = is_there ? SL_OK : load(h, wanted[i].version, wanted[i].path, &why);
        if (code != SL_OK && first == SL_OK) first = sl_fail(err, code, "%s", why.message);
    }
    return first;
}

/* One look. As long as one that is wanted cannot be loaded, those before go on. */
static sl_code look(struct sl_model_host *h, struct sl_error *err) {
    struct sl_arena arena;
    struct found *versions;
    size_t n;
    sl_arena_init(&arena);
    sl_code code = find_versions(&versions, &n, h, &arena, err);
    if (code == SL_OK) code = choose_versions(versions, &n, h, err);
    if (code == SL_OK) code = load_missing(h, versions, n, err);
    if (code == SL_OK) drop_others(h, versions, n);
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

/* Copies of what the options only lend. */
static sl_code keep_choice(struct sl_model_host *h, struct sl_error *err) {
    struct sl_version_policy *p = &h->options.policy;
    size_t n = h->options.n_labels;
    int64_t *versions = SL_ARENA_ARRAY(&h->arena, int64_t, p->n_versions + 1);
    struct sl_version_label *labels = SL_ARENA_ARRAY(&h->arena, struct sl_version_label, n + 1);
    if (!versions || !labels) return sl_fail_memory(err, n * sizeof *labels);
    if (p->n_versions) memcpy(versions, p->versions, p->n_versions * sizeof *versions);
    for (size_t i = 0; i < n; i++) {
        labels[i] = h->options.labels[i];
        labels[i].label = sl_arena_str(&h->arena, labels[i].label);
        if (!labels[i].label.p) return sl_fail_memory(err, n);
    }
    if (!p->latest) p->latest = 1;
    p->versions = versions;
    h->options.labels = labels;
    return SL_OK;
}

static sl_code begin(struct sl_model_host *h, struct sl_error *err) {
    h->dir = copy_text(h->options.dir);
    if (!h->dir) return sl_fail_memory(err, strlen(h->options.dir));
    for (size_t n = strlen(h->dir); n > 1 && h->dir[n - 1] == '/'; n--) h->dir[n - 1] = 0;
    h->name = copy_text(h->options.name ? h->options.name : sl_path_base(h->dir));
    if (!h->name) return sl_fail_memory(err, strlen(h->dir));
    SL_TRY(keep_choice(h, err));
    sl_code code = look(h, err);
    if (!h->n_served) return code;
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
    sl_arena_init(&h->arena);
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
    drop_others(h, NULL, 0);
    sl_mutex_lock(&h->mutex);
    while (h->n_loaded) sl_condition_wait(&h->changed, &h->mutex);
    sl_mutex_unlock(&h->mutex);
    for (int i = 0; i < h->n_states; i++) sl_free(h->states[i].message);
    sl_condition_clear(&h->changed);
    sl_mutex_clear(&h->mutex);
    sl_arena_clear(&h->arena);
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
    struct sl_served_model *found = find_served(h, version);
    bool is_there = found != NULL;
    if (is_there) *out = sl_served_model_ref(found);
    sl_mutex_unlock(&h->mutex);
    if (is_there) return SL_OK;
    return version < 0 ? sl_fail(err, SL_NOT_FOUND, "Servable not found for request: Latest(%s)", h->name)
                       : sl_fail(err, SL_NOT_FOUND, "Servable not found for request: Specific(%s, %lld)", h->name,
                                 (long long)version);
}

sl_code sl_model_host_labelled(int64_t *version, const struct sl_model_host *h, struct sl_str label,
                               struct sl_error *err) {
    for (size_t i = 0; i < h->options.n_labels; i++) {
        if (!sl_str_eq(h->options.labels[i].label, label)) continue;
        *version = h->options.labels[i].version;
        return SL_OK;
    }
    return sl_fail(err, SL_NOT_FOUND, "Unrecognized servable version label: %.*s", SL_STR_ARG(label));
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
