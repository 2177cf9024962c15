/* Sessions of a master: finding, growing, closing. A session is in the master's list by one reference, and each run has
 * one. */
#include "base/alloc.h"
#include "dist/master_state.h"
#include "dist/named_handle.h"
#include "dist/task_watch.h"
#include "dist/tensor_wire.h"
#include "dist/worker_state.h"
#include "graph/node_store.h"
#include "graph/tensor_name.h"
#include "passes/place.h"

static const int64_t DELETE_NS = 10000000000; /* a worker that does not answer keeps nobody longer */

void sl_master_init(struct sl_master *master, struct sl_worker *worker) {
    enum { REQUESTS_SEEN = 10000 };
    *master = (struct sl_master){.worker = worker, .cluster = worker->options.cluster};
    sl_mutex_init(&master->mutex);
    sl_condition_init(&master->idle);
    sl_seen_ids_init(&master->seen, REQUESTS_SEEN);
}

void sl_master_tell(struct sl_master *master, const char *event, const char *format, ...) {
    char text[256];
    va_list args;
    if (!master->tell) return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    master->tell(master->arg_of_tell, event, text);
}

static void closed_at_the_end(void *arg) { (void)arg; }

void sl_master_clear(struct sl_master *master) {
    for (;;) {
        sl_mutex_lock(&master->mutex);
        struct sl_master_session *s = master->sessions;
        if (s) atomic_fetch_add(&s->references, 1);
        sl_mutex_unlock(&master->mutex);
        if (!s) break;
        if (!sl_master_session_close(s, closed_at_the_end, NULL)) sl_master_session_unref(s);
    }
    sl_mutex_lock(&master->mutex);
    while (master->n_held) sl_condition_wait(&master->idle, &master->mutex);
    sl_mutex_unlock(&master->mutex);
    sl_seen_ids_clear(&master->seen);
    sl_condition_clear(&master->idle);
    sl_mutex_clear(&master->mutex);
}

/* ---- life */

static void session_free(struct sl_master_session *s) {
    struct sl_master *master = s->master;
    while (s->executables) {
        struct sl_master_executable *x = s->executables;
        s->executables = x->next;
        sl_master_executable_unref(x);
    }
    while (s->callables) {
        struct sl_master_callable *callable = s->callables;
        s->callables = callable->next;
        sl_master_callable_unref(callable);
    }
    sl_runtime_free(s->front);
    sl_graph_free(s->graph);
    sl_worker_session_unref(s->own);
    if (s->own_cluster) sl_task_watch_free(s->own_cluster->watch);
    sl_cluster_free(s->own_cluster);
    sl_free(s->devices);
    sl_free(s->tasks);
    sl_mutex_clear(&s->mutex);
    sl_mutex_clear(&s->graph_mutex);
    sl_free(s);
    sl_mutex_lock(&master->mutex);
    if (--master->n_held == 0) sl_condition_broadcast(&master->idle);
    sl_mutex_unlock(&master->mutex);
}

void sl_master_session_unref(struct sl_master_session *s) {
    if (s && atomic_fetch_sub(&s->references, 1) == 1) session_free(s);
}

sl_code sl_master_find(struct sl_master_session **out, struct sl_master *master, struct sl_str handle,
                       struct sl_error *err) {
    sl_mutex_lock(&master->mutex);
    struct sl_master_session *s = master->sessions;
    while (s && !sl_str_is(handle, s->handle)) s = s->next;
    if (s) atomic_fetch_add(&s->references, 1);
    sl_mutex_unlock(&master->mutex);
    *out = s;
    return s ? SL_OK : sl_fail(err, SL_ABORTED, "Session %.*s is not found.", SL_STR_ARG(handle));
}

sl_code sl_master_session_enter(struct sl_master_session *s, struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    bool is_closed = s->is_closed;
    if (!is_closed) s->n_running++;
    sl_mutex_unlock(&s->mutex);
    return is_closed ? sl_fail(err, SL_FAILED_PRECONDITION, "Session is closed.") : SL_OK;
}

void sl_master_session_leave(struct sl_master_session *s) {
    sl_mutex_lock(&s->mutex);
    void (*idle)(struct sl_master_session *, void *) = --s->n_running == 0 ? s->idle : NULL;
    if (idle) s->idle = NULL;
    sl_mutex_unlock(&s->mutex);
    if (idle) idle(s, s->arg_of_idle);
}

/* ---- closing */

struct closing {
    struct sl_master_session *session;
    void (*closed)(void *arg);
    void *arg;
    struct sl_task_calls calls;
};

static void closing_end(struct sl_task_calls *calls) {
    struct closing *c = calls->arg;
    sl_task_calls_clear(&c->calls);
    sl_master_session_unref(c->session);
    c->closed(c->arg);
    sl_free(c);
}

/* The workers forget the session; what they answer changes nothing. */
static void delete_everywhere(void *arg) {
    struct closing *c = arg;
    struct sl_master_session *s = c->session;
    struct sl_cluster *cluster = sl_master_session_cluster(s);
    sl_master_partials_end(s);
    (void)sl_worker_delete_session(s->master->worker, sl_str_of(s->handle), NULL);
    c->calls.arg = c;
    c->calls.done = closing_end;
    for (int i = 0; i < s->n_tasks; i++) {
        struct sl_rpc_message m = {.n = 0};
        if (sl_wire_add_text(&m, 1, sl_str_of(s->handle), NULL) != SL_OK) continue;
        sl_task_calls_add(&c->calls, s->tasks[i], "/tensorflow.WorkerService/DeleteWorkerSession", &m,
                          sl_net_now(cluster->net) + DELETE_NS, false);
    }
    sl_task_calls_start(&c->calls);
}

static void session_idle(struct sl_master_session *s, void *arg) {
    sl_worker_spawn(s->master->worker, delete_everywhere, arg);
}

static bool unlist(struct sl_master_session *s) {
    struct sl_master *master = s->master;
    sl_mutex_lock(&master->mutex);
    struct sl_master_session **at = &master->sessions;
    while (*at && *at != s) at = &(*at)->next;
    bool is_there = *at != NULL;
    if (is_there) {
        *at = s->next;
        master->n_sessions--;
    }
    sl_mutex_unlock(&master->mutex);
    return is_there;
}

bool sl_master_session_close(struct sl_master_session *s, void (*closed)(void *arg), void *arg) {
    struct sl_master_run **runs;
    struct closing *c;
    if (!unlist(s)) return false;
    sl_master_tell(s->master, "session_end", "%s", s->handle);
    c = sl_calloc(1, sizeof *c);
    if (!c || sl_task_calls_init(&c->calls, sl_master_session_cluster(s), s->n_tasks, NULL) != SL_OK) {
        sl_free(c);
        c = NULL; /* the workers keep it until they end */
    } else {
        *c = (struct closing){s, closed, arg, c->calls};
    }
    sl_mutex_lock(&s->mutex);
    s->is_closed = true;
    bool is_idle = !s->n_running;
    if (!is_idle && c) {
        s->idle = session_idle;
        s->arg_of_idle = c;
    }
    size_t n = sl_master_runs_of(&runs, s);
    sl_mutex_unlock(&s->mutex);
    for (size_t i = 0; i < n; i++) {
        sl_master_run_cancel(runs[i], SL_CANCELLED, "Step was cancelled by an explicit call to `Session::Close()`.");
        sl_master_run_unref(runs[i]);
    }
    sl_free(runs);
    sl_master_partials_cancel(s, SL_CANCELLED, "Step was cancelled by an explicit call to `Session::Close()`.");
    sl_master_session_unref(s); /* of the list; the caller's is the closing's */
    if (c && is_idle) session_idle(s, c);
    if (!c) {
        sl_master_session_unref(s);
        closed(arg);
    }
    return true;
}

/* ---- values from and for the client, whose resources are those of the own worker */

static struct sl_handle_home home_of(const struct sl_master_session *s) {
    return (struct sl_handle_home){s->front->devices.items[0].name, s->own->runtime->resources};
}

sl_code sl_master_read_feed(struct sl_value *out, const struct sl_master_session *s,
                            const struct sl_pb_TensorProto *proto, struct sl_rpc_body *body, struct sl_error *err) {
    SL_TRY(sl_wire_read_value(out, proto, body, err));
    if (__builtin_expect(out->dtype != SL_RESOURCE, 1)) return SL_OK;
    const struct sl_handle_home home = home_of(s);
    sl_code code = sl_handles_open(out, &home, err);
    if (code != SL_OK) sl_value_clear(out);
    return code;
}

sl_code sl_master_add_fetch(struct sl_rpc_message *m, const struct sl_master_session *s, struct sl_str name,
                            struct sl_tensor *t, struct sl_error *err) {
    struct sl_tensor *handles;
    if (__builtin_expect(t->dtype != SL_RESOURCE, 1)) return sl_wire_add_tensor(m, 1, name, t, err);
    const struct sl_handle_home home = home_of(s);
    SL_TRY(sl_handles_of(&handles, t, &home, err));
    sl_code code = sl_wire_add_tensor(m, 1, name, handles, err);
    sl_tensor_unref(handles);
    return code;
}

/* ---- the graph */

/* Inputs that are nodes of the session: by name, as the import wants them. */
static sl_code map_inputs(struct sl_import_options *options, const struct sl_graph *graph,
                          const struct sl_pb_GraphDef *def, struct sl_arena *arena, struct sl_error *err) {
    size_t n = 0;
    int used = 0;
    for (size_t i = 0; i < def->node.n; i++) n += def->node.items[i].input.n;
    struct sl_import_mapping *mappings = SL_ARENA_ARRAY(arena, struct sl_import_mapping, n + 1);
    struct sl_str_map seen = {.n = 0};
    if (!mappings) return sl_fail_memory(err, n * sizeof *mappings);
    for (size_t i = 0; i < def->node.n; i++)
        for (size_t k = 0; k < def->node.items[i].input.n; k++) {
            struct sl_str text = def->node.items[i].input.items[k];
            struct sl_tensor_name name = sl_tensor_name_of(text);
            struct sl_node *node = sl_str_map_get(&seen, text) ? NULL : sl_graph_find(graph, name.node);
            if (!node) continue;
            if (sl_str_map_put(&seen, text, node)) {
                sl_str_map_free(&seen);
                return sl_fail_memory(err, text.n);
            }
            mappings[used++] = (struct sl_import_mapping){name.node, name.index, {node, name.index}};
        }
    sl_str_map_free(&seen);
    options->mappings = mappings;
    options->n_mappings = used;
    return SL_OK;
}

/* A node whose device is not there fails the message that brings it: the client sends it again. */
static sl_code check_devices(struct sl_master_session *s, size_t first, struct sl_error *err) {
    sl_code code = sl_place_check(s->graph, first, &s->front->devices, s->front->options.is_soft_placement, err);
    if (code != SL_OK) sl_graph_truncate(s->graph, first);
    return code;
}

sl_code sl_master_session_import(struct sl_master_session *s, const struct sl_pb_GraphDef *def, struct sl_error *err) {
    struct sl_import_options options = {.no_inference = true, .allow_unknown_colocation = true};
    struct sl_arena arena;
    if (!def) return SL_OK;
    const size_t first = s->graph->nodes.n;
    sl_arena_init(&arena);
    sl_code code = s->graph->nodes.n ? map_inputs(&options, s->graph, def, &arena, err) : SL_OK;
    if (code == SL_OK) code = sl_graph_import(NULL, s->graph, def, &options, err);
    if (code == SL_OK) code = check_devices(s, first, err);
    if (code == SL_OK) code = sl_runtime_add_functions(&s->seen, s->front, s->graph, err);
    sl_arena_clear(&arena);
    return code;
}
