/* Executables: a signature of a session, cut by task, each part compiled where it will run. Whoever asks first makes it;
 * others wait. One that fails is forgotten, so that the next run tries again. */
#include <stdio.h>

#include "base/alloc.h"
#include "dist/callable_connections.h"
#include "dist/master_state.h"
#include "dist/transfer_names.h"
#include "graph/tensor_name.h"

void sl_master_executable_unref(struct sl_master_executable *x) {
    if (!x || atomic_fetch_sub(&x->references, 1) != 1) return;
    sl_worker_graph_unref(x->own);
    for (int i = 0; i < x->n_remotes; i++) sl_free(x->remotes[i].handle);
    sl_free(x->remotes);
    sl_task_calls_clear(&x->calls);
    sl_free(x->key);
    sl_free(x);
}

/* ---- signatures as text: names with their lengths, so that no two are alike */

static size_t list_size(const struct sl_str *names, size_t n) {
    size_t size = 24;
    for (size_t i = 0; i < n; i++) size += names[i].n + 24;
    return size;
}

static char *put_list(char *at, const struct sl_str *names, size_t n) {
    at += snprintf(at, 24, "%zu;", n);
    for (size_t i = 0; i < n; i++) {
        at += snprintf(at, 24, "%zu:", names[i].n);
        if (names[i].n) memcpy(at, names[i].p, names[i].n);
        at += names[i].n;
    }
    return at;
}

static char *make_key(size_t *n, const struct sl_master_signature *s) {
    size_t size =
        list_size(s->feeds, s->n_feeds) + list_size(s->fetches, s->n_fetches) + list_size(s->targets, s->n_targets) + 2;
    for (size_t i = 0; i < s->n_connections; i++)
        size += list_size(&s->connections[i].from_tensor, 1) + list_size(&s->connections[i].to_tensor, 1);
    char *key = sl_malloc(size), *at = key;
    if (!key) return NULL;
    *at++ = s->is_partial ? 'p' : 'w';
    at = put_list(at, s->feeds, s->n_feeds);
    at = put_list(at, s->fetches, s->n_fetches);
    at = put_list(at, s->targets, s->n_targets);
    for (size_t i = 0; i < s->n_connections; i++) {
        at = put_list(at, &s->connections[i].from_tensor, 1);
        at = put_list(at, &s->connections[i].to_tensor, 1);
    }
    *n = (size_t)(at - key);
    return key;
}

/* ---- ready */

static void make_ready(struct sl_master_executable *x, sl_code code, const struct sl_error *err) {
    struct sl_master_session *s = x->session;
    struct sl_executable_waiter *waiters, *next;
    sl_mutex_lock(&s->mutex);
    x->is_made = true;
    waiters = x->waiters;
    x->waiters = NULL;
    if (code != SL_OK) {
        struct sl_master_executable **at = &s->executables;
        while (*at && *at != x) at = &(*at)->next;
        if (*at) {
            *at = x->next;
            atomic_fetch_sub(&x->references, 1); /* the caller has another one */
        }
    }
    sl_mutex_unlock(&s->mutex);
    for (; waiters; waiters = next) {
        next = waiters->next;
        if (code == SL_OK) atomic_fetch_add(&x->references, 1);
        waiters->ready(waiters, code == SL_OK ? x : NULL, code, err);
    }
    sl_master_executable_unref(x);
}

/* ---- making: the graph's mutex is held */

static sl_code find_ports(struct sl_port *ports, const struct sl_graph *graph, const struct sl_str *names, size_t n,
                          struct sl_error *err) {
    for (size_t i = 0; i < n; i++) {
        struct sl_tensor_name name = sl_tensor_name_of(names[i]);
        ports[i] = (struct sl_port){sl_graph_find(graph, name.node), name.index};
        if (!ports[i].node || name.index < 0 || name.index >= ports[i].node->n_outputs)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Tensor %.*s, specified in either feed_devices or fetch_devices was not found in the Graph",
                           SL_STR_ARG(names[i]));
    }
    return SL_OK;
}

static sl_code read_signature(struct sl_prune_request *out, const struct sl_graph *graph,
                              const struct sl_master_signature *s, struct sl_arena *arena, struct sl_error *err) {
    struct sl_port *ports = SL_ARENA_ARRAY(arena, struct sl_port, s->n_feeds + s->n_fetches + 1);
    struct sl_node **targets = SL_ARENA_ARRAY(arena, struct sl_node *, s->n_targets + 1);
    if (!ports || !targets) return sl_fail_memory(err, s->n_feeds * sizeof *ports);
    SL_TRY(find_ports(ports, graph, s->feeds, s->n_feeds, err));
    SL_TRY(find_ports(ports + s->n_feeds, graph, s->fetches, s->n_fetches, err));
    for (size_t t = 0; t < s->n_targets; t++) {
        targets[t] = sl_graph_find(graph, sl_tensor_name_of(s->targets[t]).node);
        if (!targets[t])
            return sl_fail(err, SL_NOT_FOUND, "PruneForTargets: Some target nodes not found: %.*s",
                           SL_STR_ARG(s->targets[t]));
    }
    *out = (struct sl_prune_request){.feeds = ports,
                                     .fetches = ports + s->n_feeds,
                                     .targets = targets,
                                     .n_feeds = (int)s->n_feeds,
                                     .n_fetches = (int)s->n_fetches,
                                     .n_targets = (int)s->n_targets,
                                     .is_partial = s->is_partial,
                                     .is_served = true,
                                     .n_nodes = graph->nodes.n};
    return SL_OK;
}

/* The front of the pipeline for a signature. */
static sl_code make_front(struct sl_front *out, struct sl_master_session *s,
                          const struct sl_master_signature *signature, struct sl_arena *arena, struct sl_error *err) {
    struct sl_prune_request request;
    struct sl_connections connections;
    SL_TRY(read_signature(&request, s->graph, signature, arena, err));
    SL_TRY(sl_connections_make(&connections, s->graph, signature, arena, err));
    sl_code code = sl_pipeline_front(out, s->front, &request, false, err);
    sl_connections_undo(&connections);
    return code;
}

/* A worker of TensorFlow's has collectives only for graphs that are registered with a key. */
static bool has_collectives(const struct sl_pb_GraphDef *def) {
    static const struct sl_str prefix = SL_STR("Collective");
    bool has = def->library && def->library->function.n;
    for (size_t n = 0; n < def->node.n && !has; n++)
        has = def->node.items[n].op.n > prefix.n && memcmp(def->node.items[n].op.p, prefix.p, prefix.n) == 0;
    return has;
}

static sl_code write_registration(struct sl_rpc_message *m, const struct sl_master_session *s,
                                  const struct sl_part *part, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_GraphOptions options = {.unknown = NULL};
    struct sl_pb_DebugOptions debug = {.unknown = NULL};
    struct sl_pb_RegisterGraphRequest request = {.session_handle = sl_str_of(s->handle),
                                                 .create_worker_session_called = true,
                                                 .graph_options = &options,
                                                 .debug_options = &debug};
    SL_TRY(sl_part_export(&request.graph_def, part, s->front, arena, err));
    request.collective_graph_key = has_collectives(request.graph_def);
    SL_TRY(sl_transfers_rename(request.graph_def, s->n_cuts, arena, err));
    return sl_wire_add_message(m, SL_PB_TYPE_OF(RegisterGraphRequest), &request, err);
}

static sl_code add_part(struct sl_master_executable *x, struct sl_part *part, struct sl_arena *arena, bool is_partial,
                        struct sl_error *err) {
    struct sl_master_session *s = x->session;
    const struct sl_cluster *cluster = sl_master_session_cluster(s);
    const char *device = s->front->devices.items[part->device].name;
    int task = sl_cluster_find(cluster, sl_str_of(device));
    struct sl_rpc_message m = {.n = 0};
    if (task == cluster->own) return sl_worker_register_part(&x->own, s->own, part, device, s->graph, is_partial, err);
    sl_code code = write_registration(&m, s, part, arena, err);
    if (code != SL_OK) {
        sl_rpc_message_clear(&m);
        return code;
    }
    x->remotes[x->n_remotes++].task = task;
    sl_task_calls_add(&x->calls, task, "/tensorflow.WorkerService/RegisterGraph", &m, 0, false);
    return SL_OK;
}

static sl_code cut(struct sl_master_executable *x, const struct sl_master_signature *signature, struct sl_arena *arena,
                   struct sl_error *err) {
    struct sl_master_session *s = x->session;
    struct sl_front front;
    SL_TRY(make_front(&front, s, signature, arena, err));
    s->n_cuts++;
    x->remotes = sl_calloc((size_t)front.n_parts + 1, sizeof *x->remotes);
    sl_code code = x->remotes ? SL_OK : sl_fail_memory(err, (size_t)front.n_parts * sizeof *x->remotes);
    if (code == SL_OK) code = sl_task_calls_init(&x->calls, sl_master_session_cluster(s), front.n_parts, err);
    for (int i = 0; i < front.n_parts && code == SL_OK; i++)
        code = add_part(x, &front.parts[i], arena, signature->is_partial, err);
    sl_front_clear(&front);
    return code;
}

static sl_code read_handle(struct sl_master_remote_part *part, const struct sl_task_call *call, struct sl_error *err) {
    struct sl_pb_RegisterGraphResponse answer;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&answer, SL_PB_TYPE_OF(RegisterGraphResponse), call->body->bytes, &arena, err);
    if (code == SL_OK) {
        part->handle = sl_malloc(answer.graph_handle.n + 1);
        if (!part->handle) code = sl_fail_memory(err, answer.graph_handle.n);
    }
    if (code == SL_OK) {
        if (answer.graph_handle.n) memcpy(part->handle, answer.graph_handle.p, answer.graph_handle.n);
        part->handle[answer.graph_handle.n] = '\0';
    }
    sl_arena_clear(&arena);
    return code;
}

static void registered(struct sl_task_calls *calls) {
    struct sl_master_executable *x = calls->arg;
    struct sl_error err;
    sl_code code = sl_task_calls_status(calls, &err);
    for (int i = 0; i < x->n_remotes && code == SL_OK; i++) code = read_handle(&x->remotes[i], &calls->calls[i], &err);
    make_ready(x, code, &err);
}

static void make(struct sl_master_executable *x, const struct sl_master_signature *signature) {
    struct sl_master_session *s = x->session;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    sl_mutex_lock(&s->graph_mutex);
    sl_code code = cut(x, signature, &arena, &err);
    sl_mutex_unlock(&s->graph_mutex);
    sl_arena_clear(&arena);
    if (code != SL_OK || !x->n_remotes) {
        make_ready(x, code, &err);
        return;
    }
    x->calls.arg = x;
    x->calls.done = registered;
    sl_task_calls_start(&x->calls);
}

/* ---- traces: the part once more, beside its program */

static int own_part(const struct sl_master_session *s, const struct sl_front *front) {
    const struct sl_cluster *cluster = sl_master_session_cluster(s);
    for (int i = 0; i < front->n_parts; i++)
        if (sl_cluster_find(cluster, sl_str_of(s->front->devices.items[front->parts[i].device].name)) == cluster->own)
            return i;
    return -1;
}

static sl_code begin_trace(struct sl_worker_trace *trace, struct sl_master_session *s,
                           const struct sl_master_signature *signature, struct sl_run_wishes wishes,
                           struct sl_arena *arena, struct sl_error *err) {
    struct sl_front front;
    SL_TRY(make_front(&front, s, signature, arena, err));
    int own = own_part(s, &front);
    if (own < 0) {
        sl_front_clear(&front);
        return sl_fail(err, SL_INTERNAL, "the step has no part here any more");
    }
    const char *device = s->front->devices.items[front.parts[own].device].name;
    return sl_worker_trace_begin_part(trace, s->own, &front, own, device, wishes, err);
}

sl_code sl_master_executable_trace(bool *is_there, struct sl_worker_trace *trace, struct sl_master_executable *x,
                                   const struct sl_master_signature *signature, struct sl_run_wishes wishes,
                                   struct sl_error *err) {
    struct sl_master_session *s = x->session;
    struct sl_arena arena;
    *is_there = false;
    if (!x->own) return SL_OK;
    sl_arena_init(&arena);
    sl_mutex_lock(&s->graph_mutex);
    sl_code code = begin_trace(trace, s, signature, wishes, &arena, err);
    *is_there = code == SL_OK;
    sl_mutex_unlock(&s->graph_mutex);
    sl_arena_clear(&arena);
    return code;
}

/* ---- finding */

static struct sl_master_executable *find(struct sl_master_session *s, struct sl_str key) {
    struct sl_master_executable *x = s->executables;
    while (x && !(x->n_key == key.n && !memcmp(x->key, key.p, key.n))) x = x->next;
    return x;
}

static struct sl_master_executable *add(struct sl_master_session *s, struct sl_str key) {
    struct sl_master_executable *x = sl_calloc(1, sizeof *x);
    if (!x) return NULL;
    x->session = s;
    x->key = (char *)key.p;
    x->n_key = key.n;
    atomic_store(&x->references, 2); /* the session's and the maker's */
    x->next = s->executables;
    s->executables = x;
    return x;
}

static void fail_waiter(struct sl_executable_waiter *waiter) {
    struct sl_error err;
    sl_fail_memory(&err, sizeof(struct sl_master_executable));
    waiter->ready(waiter, NULL, err.code, &err);
}

struct sl_master_executable *sl_master_executable_get(struct sl_master_session *s,
                                                      const struct sl_master_signature *signature,
                                                      struct sl_executable_waiter *waiter) {
    struct sl_str key;
    bool is_new = false, is_made = false;
    key.p = make_key(&key.n, signature);
    if (!key.p) {
        if (waiter) fail_waiter(waiter);
        return NULL;
    }
    sl_mutex_lock(&s->mutex);
    struct sl_master_executable *x = find(s, key);
    if (!waiter && x && !(x->is_made && sl_is_light(&x->lightness))) x = NULL;
    if (!x && waiter) {
        x = add(s, key);
        is_new = x != NULL;
    }
    if (x) {
        is_made = x->is_made;
        if (is_made) atomic_fetch_add(&x->references, 1);
        else {
            waiter->next = x->waiters;
            x->waiters = waiter;
        }
    }
    sl_mutex_unlock(&s->mutex);
    if (!is_new) sl_free((void *)key.p);
    if (is_made) return x;
    if (!x && waiter) fail_waiter(waiter);
    else if (is_new) make(x, signature);
    return NULL;
}
