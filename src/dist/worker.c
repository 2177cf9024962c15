/* A worker: sessions and graphs. A session is in the worker's list by one reference, and a graph in its session's; who
 * uses either has one more, so that deleting a session ends nothing under the hands of a step. */
#include "dist/worker.h"
#include "dist/fused_nodes.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "dist/task_watch.h"
#include "dist/worker_state.h"
#include "kernel/collective_peers.h"
#include "os/page.h"
#include "runtime/runtime_config.h"

/* ---- making and ending */

static sl_code open_devices(struct sl_device_set *out, struct sl_worker *w, const char *task, uint64_t incarnation,
                            struct sl_error *err) {
    struct sl_device_request requests[SL_DEVICE_TYPES_MAX];
    const struct sl_registries *registries = w->options.registries;
    const struct sl_pb_ConfigProto *config = w->options.config;
    int n = atomic_load(&registries->n_device_types);
    for (int t = 0; t < n; t++) {
        const struct sl_device_type *type = registries->device_types[t];
        requests[t] = (struct sl_device_request){type, type->count(type)};
        for (size_t i = 0; config && i < config->device_count.n; i++)
            if (sl_str_is(config->device_count.items[i].key, type->name))
                requests[t].n = config->device_count.items[i].value;
    }
    return sl_device_set_open(out, sl_str_of(task), requests, n, incarnation, err);
}

static sl_code make_base(struct sl_worker *w, struct sl_error *err) {
    struct sl_device_set devices;
    uint64_t incarnation = w->options.incarnation ? w->options.incarnation : sl_id_source_next(&w->ids);
    SL_TRY(open_devices(&devices, w, sl_cluster_own_name(w->options.cluster), incarnation, err));
    SL_TRY(sl_runtime_new(&w->base, w->options.registries, &devices, NULL, err));
    return sl_rendezvous_table_new(&w->table, w->options.limits, err);
}

static void trim(void *arg) {
    struct sl_worker *w = arg;
    if (sl_shared_maps_trim(w->maps)) sl_worker_trim_later(w);
}

static void trim_due(struct sl_net_timer *timer) { sl_worker_spawn(timer->arg, trim, timer->arg); }

void sl_worker_trim_later(struct sl_worker *w) {
    static const int64_t later_ns = 2000000000;
    struct sl_net *net = w->options.cluster->net;
    sl_mutex_lock(&w->mutex);
    if (!w->is_ending) sl_net_set_timer(net, &w->trim, sl_net_now(net) + later_ns);
    sl_mutex_unlock(&w->mutex);
}

sl_code sl_worker_new(struct sl_worker **out, const struct sl_worker_options *options, struct sl_error *err) {
    struct sl_worker *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    w->options = *options;
    sl_mutex_init(&w->mutex);
    sl_condition_init(&w->idle);
    sl_id_source_init(&w->ids, options->seed);
    w->trim = (struct sl_net_timer){.due = trim_due, .arg = w};
    sl_code code = sl_bounded_threads_new(&w->threads, options->step_threads, err);
    if (code == SL_OK) code = sl_shared_blocks_new(&w->blocks, sl_pages_of_machine() / 4, err);
    if (code == SL_OK) code = sl_shared_maps_new(&w->maps, err);
    if (code == SL_OK) code = make_base(w, err);
    if (code == SL_OK) code = sl_worker_create_session(w, &(struct sl_worker_session_spec){.handle = SL_STR("")}, err);
    if (code == SL_OK) *out = w;
    else sl_worker_free(w);
    return code;
}

static void drop_graphs(struct sl_worker_session *s) {
    for (;;) {
        struct sl_worker_graph *graph = NULL;
        sl_mutex_lock(&s->mutex);
        if (s->graphs.n) graph = s->graphs.items[--s->graphs.n];
        sl_mutex_unlock(&s->mutex);
        if (!graph) return;
        sl_worker_graph_unref(graph);
    }
}

/* It is in no list any more. */
static void end_session(struct sl_worker_session *s) {
    sl_worker_session_cancel(s);
    drop_graphs(s);
    sl_worker_session_unref(s);
}

void sl_worker_free(struct sl_worker *w) {
    if (!w) return;
    for (;;) {
        sl_mutex_lock(&w->mutex);
        struct sl_worker_session *s = w->sessions;
        if (s) w->sessions = s->next;
        sl_mutex_unlock(&w->mutex);
        if (!s) break;
        end_session(s);
    }
    sl_mutex_lock(&w->mutex);
    while (w->n_held) sl_condition_wait(&w->idle, &w->mutex);
    w->is_ending = true;
    sl_mutex_unlock(&w->mutex);
    sl_net_cancel_timer(w->options.cluster->net, &w->trim);
    sl_rendezvous_table_free(w->table);
    sl_runtime_free(w->base);
    sl_bounded_threads_free(w->threads);
    sl_shared_maps_free(w->maps);
    sl_shared_blocks_unref(w->blocks);
    sl_id_source_clear(&w->ids);
    sl_condition_clear(&w->idle);
    sl_mutex_clear(&w->mutex);
    sl_free(w);
}

/* ---- sessions */

static void session_free(struct sl_worker_session *s) {
    struct sl_worker *w = s->worker;
    if (s->has_own_runtime) sl_runtime_free(s->runtime);
    if (s->own_cluster) sl_task_watch_free(s->own_cluster->watch);
    sl_cluster_free(s->own_cluster);
    sl_vec_free(&s->graphs);
    sl_mutex_clear(&s->mutex);
    sl_free(s->handle);
    sl_free(s->master);
    sl_free(s);
    sl_mutex_lock(&w->mutex);
    if (--w->n_held == 0) sl_condition_broadcast(&w->idle);
    sl_mutex_unlock(&w->mutex);
}

void sl_worker_session_unref(struct sl_worker_session *s) {
    if (s && atomic_fetch_sub(&s->references, 1) == 1) session_free(s);
}

static sl_code copy_text(char **out, struct sl_str text, struct sl_error *err) {
    *out = sl_malloc(text.n + 1);
    if (!*out) return sl_fail_memory(err, text.n);
    if (text.n) memcpy(*out, text.p, text.n);
    (*out)[text.n] = '\0';
    return SL_OK;
}

/* A cluster that the master brings calls this task by another name, and so its devices. */
static bool brings_cluster(const struct sl_pb_ServerDef *server) {
    return server && server->cluster && server->cluster->job.n;
}

static sl_code take_cluster(struct sl_worker_session *s, const struct sl_pb_ServerDef *server, struct sl_error *err) {
    if (!brings_cluster(server)) return SL_OK;
    SL_TRY(sl_cluster_new(&s->own_cluster, s->worker->options.cluster->net, server->cluster, server->job_name,
                          server->task_index, err));
    return sl_task_watch_brought(s->own_cluster, s->worker->options.cluster, err);
}

sl_code sl_worker_open_devices(struct sl_device_set *out, struct sl_worker *w, const struct sl_pb_ServerDef *server,
                               struct sl_error *err) {
    const struct sl_device_set *own = sl_worker_devices(w);
    char name[SL_DEVICE_WORD + 64];
    *out = sl_device_set_borrow(own);
    if (!brings_cluster(server)) return SL_OK;
    if (server->job_name.n >= SL_DEVICE_WORD || server->task_index < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "There can be no task %d of job '%.*s'", server->task_index,
                       SL_STR_ARG(server->job_name));
    (void)snprintf(name, sizeof name, "/job:%.*s/replica:0/task:%d", SL_STR_ARG(server->job_name), server->task_index);
    return open_devices(out, w, name, own->items[0].incarnation, err);
}

static sl_code add_peers(struct sl_runtime *r, struct sl_collective_peers *peers, struct sl_error *err) {
    if (!peers) return SL_OK;
    sl_object_ref(&peers->object);
    return sl_collective_peers_add(r->resources, peers, err);
}

sl_code sl_worker_set_peers(struct sl_worker *w, struct sl_collective_peers *peers, struct sl_error *err) {
    w->peers = peers;
    return add_peers(w->base, peers, err);
}

static sl_code fill_session(struct sl_worker_session *s, const struct sl_worker_session_spec *spec,
                            struct sl_error *err) {
    struct sl_worker *w = s->worker;
    struct sl_runtime_options options;
    struct sl_device_set devices;
    SL_TRY(copy_text(&s->handle, spec->handle, err));
    SL_TRY(copy_text(&s->master, spec->master, err));
    s->master_incarnation = spec->master_incarnation;
    SL_TRY(take_cluster(s, spec->server, err));
    s->runtime = spec->runtime;
    if (s->runtime) return SL_OK;
    s->has_own_runtime = true;
    sl_runtime_read_options(&options, spec->config ? spec->config : w->options.config);
    SL_TRY(sl_worker_open_devices(&devices, w, spec->server, err));
    bool shares = !spec->is_isolated && !s->own_cluster;
    if (shares) options.resources = w->base->resources;
    SL_TRY(sl_runtime_new(&s->runtime, w->options.registries, &devices, &options, err));
    return shares || s->own_cluster ? SL_OK : add_peers(s->runtime, w->peers, err);
}

/* The master of these sessions has been started anew: nobody will delete them. */
static struct sl_worker_session *take_orphans(struct sl_worker *w, const struct sl_worker_session_spec *spec) {
    struct sl_worker_session *orphans = NULL;
    for (struct sl_worker_session **at = &w->sessions, *s; (s = *at);) {
        if (!spec->master.n || !sl_str_is(spec->master, s->master) ||
            s->master_incarnation == spec->master_incarnation) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        s->next = orphans;
        orphans = s;
    }
    return orphans;
}

static struct sl_worker_session *look_up(struct sl_worker *w, struct sl_str handle) {
    struct sl_worker_session *s = w->sessions;
    while (s && !sl_str_is(handle, s->handle)) s = s->next;
    return s;
}

static sl_code list_session(struct sl_worker_session *s, const struct sl_worker_session_spec *spec,
                            struct sl_error *err) {
    struct sl_worker *w = s->worker;
    struct sl_worker_session *orphans = NULL, *next;
    sl_mutex_lock(&w->mutex);
    bool is_there = look_up(w, spec->handle) != NULL;
    if (!is_there) {
        orphans = take_orphans(w, spec);
        s->next = w->sessions;
        w->sessions = s;
    }
    sl_mutex_unlock(&w->mutex);
    for (; orphans; orphans = next) {
        next = orphans->next;
        end_session(orphans);
    }
    if (!is_there) return SL_OK;
    return sl_fail(err, SL_ALREADY_EXISTS, "there is a session %.*s already", SL_STR_ARG(spec->handle));
}

sl_code sl_worker_open_session(struct sl_worker_session **out, struct sl_worker *w,
                               const struct sl_worker_session_spec *spec, struct sl_error *err) {
    struct sl_worker_session *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->worker = w;
    atomic_store(&s->references, 1);
    sl_mutex_init(&s->mutex);
    sl_mutex_lock(&w->mutex);
    w->n_held++;
    sl_mutex_unlock(&w->mutex);
    sl_code code = fill_session(s, spec, err);
    if (code == SL_OK) *out = s;
    else sl_worker_session_unref(s);
    return code;
}

sl_code sl_worker_create_session(struct sl_worker *w, const struct sl_worker_session_spec *spec, struct sl_error *err) {
    struct sl_worker_session *s;
    SL_TRY(sl_worker_open_session(&s, w, spec, err));
    sl_code code = list_session(s, spec, err);
    if (code != SL_OK) sl_worker_session_unref(s);
    return code;
}

static sl_code fail_missing(const struct sl_worker *w, struct sl_str handle, struct sl_error *err) {
    return sl_fail(err, SL_ABORTED, "Session handle is not found: %.*s. Possibly this worker (\"%s\") just restarted.",
                   SL_STR_ARG(handle), sl_cluster_own_name(w->options.cluster));
}

sl_code sl_worker_find_session(struct sl_worker_session **out, struct sl_worker *w, struct sl_str handle,
                               struct sl_error *err) {
    sl_mutex_lock(&w->mutex);
    *out = look_up(w, handle);
    if (*out) atomic_fetch_add(&(*out)->references, 1);
    sl_mutex_unlock(&w->mutex);
    return *out ? SL_OK : fail_missing(w, handle, err);
}

sl_code sl_worker_delete_session(struct sl_worker *w, struct sl_str handle, struct sl_error *err) {
    struct sl_worker_session **at, *s = NULL;
    sl_mutex_lock(&w->mutex);
    for (at = &w->sessions; *at && !sl_str_is(handle, (*at)->handle);) at = &(*at)->next;
    if (*at && handle.n) {
        s = *at;
        *at = s->next;
    }
    sl_mutex_unlock(&w->mutex);
    if (!s) return fail_missing(w, handle, err);
    end_session(s);
    return SL_OK;
}

void sl_worker_cleanup_all(struct sl_worker *w, const struct sl_str *containers, size_t n) {
    const struct sl_cluster *cluster = w->options.cluster;
    const char *job = cluster->tasks[cluster->own].parsed.job;
    if (!n) sl_resources_clear(w->base->resources, SL_STR(""));
    for (size_t i = 0; i < n; i++)
        sl_resources_clear(w->base->resources,
                           sl_str_is(containers[i], job) || !containers[i].n ? SL_STR("") : containers[i]);
}

void sl_worker_count(int64_t *sessions, int64_t *graphs, int64_t *steps, struct sl_worker *w) {
    *sessions = *graphs = *steps = 0;
    sl_mutex_lock(&w->mutex);
    for (struct sl_worker_session *s = w->sessions; s; s = s->next) {
        *sessions += *s->handle != '\0';
        sl_mutex_lock(&s->mutex);
        *graphs += (int64_t)s->graphs.n;
        for (const struct sl_worker_step *step = s->steps; step; step = step->next) ++*steps;
        sl_mutex_unlock(&s->mutex);
    }
    sl_mutex_unlock(&w->mutex);
}

/* ---- graphs */

const char *sl_worker_graph_handle(const struct sl_worker_graph *graph) { return graph->handle; }
const struct sl_program *sl_worker_graph_program(const struct sl_worker_graph *graph) { return graph->program; }

void sl_worker_graph_unref(struct sl_worker_graph *graph) {
    if (!graph || atomic_fetch_sub(&graph->references, 1) != 1) return;
    struct sl_worker_session *session = graph->session;
    sl_program_free(graph->program);
    sl_rpc_body_unref(graph->body);
    sl_free(graph);
    sl_worker_session_unref(session);
}

/* Gives it a number and lists it; the caller's reference is another one. */
static sl_code list_graph(struct sl_worker_graph *graph, struct sl_error *err) {
    struct sl_worker_session *s = graph->session;
    sl_mutex_lock(&s->mutex);
    (void)snprintf(graph->handle, sizeof graph->handle, "%016" PRIx64, ++s->n_graphs);
    int failed = sl_vec_push(&s->graphs, graph);
    if (!failed) atomic_fetch_add(&graph->references, 1);
    sl_mutex_unlock(&s->mutex);
    return failed ? sl_fail_memory(err, sizeof graph) : SL_OK;
}

sl_code sl_worker_graph_new(struct sl_worker_graph **out, struct sl_worker_session *s, struct sl_program *program,
                            struct sl_error *err) {
    struct sl_worker_graph *graph = sl_calloc(1, sizeof *graph);
    if (!graph) {
        sl_program_free(program);
        return sl_fail_memory(err, sizeof *graph);
    }
    atomic_store(&graph->references, 1);
    graph->session = s;
    graph->program = program;
    atomic_fetch_add(&s->references, 1);
    *out = graph;
    return SL_OK;
}

static sl_code compile(struct sl_worker_graph **out, struct sl_worker_session *s, struct sl_part *part, bool is_partial,
                       struct sl_error *err) {
    const struct sl_back_options how = {.is_partial = is_partial};
    struct sl_program *program;
    struct sl_worker_graph *graph;
    SL_TRY(sl_pipeline_back(&program, s->runtime, part, &how, err));
    SL_TRY(sl_worker_graph_new(&graph, s, program, err));
    sl_code code = list_graph(graph, err);
    if (code == SL_OK) *out = graph;
    else sl_worker_graph_unref(graph);
    return code;
}

sl_code sl_worker_read_part(struct sl_part *out, struct sl_runtime *r, struct sl_str bytes, struct sl_error *err) {
    struct sl_pb_GraphDef def;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&def, SL_PB_TYPE_OF(GraphDef), bytes, &arena, err);
    if (code == SL_OK) code = sl_fused_nodes_split(&def, &arena, err);
    if (code == SL_OK) code = sl_part_import(out, r, &def, err);
    sl_arena_clear(&arena);
    return code;
}

sl_code sl_worker_register(struct sl_worker_graph **out, struct sl_worker_session *s, struct sl_str def,
                           struct sl_rpc_body *body, struct sl_error *err) {
    struct sl_part part;
    SL_TRY(sl_worker_read_part(&part, s->runtime, def, err));
    sl_code code = compile(out, s, &part, false, err);
    sl_part_clear(&part);
    if (code == SL_OK) {
        (*out)->def = def;
        (*out)->body = sl_rpc_body_ref(body);
    }
    return code;
}

sl_code sl_worker_move_part(struct sl_part *part, const struct sl_runtime *r, const char *device,
                            struct sl_error *err) {
    part->device = sl_device_find(&r->devices, sl_str_of(device));
    if (part->device < 0) return sl_fail(err, SL_INTERNAL, "device %s is not this task's", device);
    SL_GRAPH_EACH(n, part->graph) {
        int d = sl_device_find(&r->devices, n->assigned);
        if (d < 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "{{node %.*s}} is placed on '%.*s', which is not there",
                           SL_STR_ARG(n->name), SL_STR_ARG(n->assigned));
        n->assigned = sl_str_of(r->devices.items[d].name);
    }
    return SL_OK;
}

sl_code sl_worker_register_part(struct sl_worker_graph **out, struct sl_worker_session *s, struct sl_part *part,
                                const char *device, const struct sl_graph *library, bool is_partial,
                                struct sl_error *err) {
    struct sl_library_seen seen = {0, 0};
    SL_TRY(sl_runtime_add_functions(&seen, s->runtime, library, err));
    SL_TRY(sl_worker_move_part(part, s->runtime, device, err));
    return compile(out, s, part, is_partial, err);
}

static size_t place_of(const struct sl_worker_session *s, struct sl_str handle) {
    size_t i = 0;
    while (i < s->graphs.n && !sl_str_is(handle, s->graphs.items[i]->handle)) i++;
    return i;
}

static sl_code fail_missing_graph(struct sl_worker_session *s, struct sl_str handle, struct sl_error *err) {
    return sl_fail(err, SL_ABORTED, "Graph handle is not found: %.*s. Possibly, this worker (\"%s\") just restarted.",
                   SL_STR_ARG(handle), sl_cluster_own_name(sl_worker_session_cluster(s)));
}

sl_code sl_worker_find_graph(struct sl_worker_graph **out, struct sl_worker_session *s, struct sl_str handle,
                             struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    size_t i = place_of(s, handle);
    *out = i < s->graphs.n ? s->graphs.items[i] : NULL;
    if (*out) atomic_fetch_add(&(*out)->references, 1);
    sl_mutex_unlock(&s->mutex);
    return *out ? SL_OK : fail_missing_graph(s, handle, err);
}

sl_code sl_worker_deregister(struct sl_worker_session *s, struct sl_str handle, struct sl_error *err) {
    struct sl_worker_graph *graph = NULL;
    sl_mutex_lock(&s->mutex);
    size_t i = place_of(s, handle);
    if (i < s->graphs.n) {
        graph = s->graphs.items[i];
        s->graphs.items[i] = s->graphs.items[--s->graphs.n];
    }
    sl_mutex_unlock(&s->mutex);
    if (!graph) return fail_missing_graph(s, handle, err);
    sl_worker_graph_unref(graph);
    return SL_OK;
}
