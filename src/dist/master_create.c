/* CreateSession: asks the workers for their devices, makes the session, tells the workers of it. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "dist/master_state.h"
#include "dist/task_watch.h"
#include "runtime/runtime_config.h"

enum { SESSIONS_MOST = 65536 };

/* Held by its progress, and by whoever is told that the client has gone. */
struct creation {
    struct sl_master *master;
    struct sl_rpc_call *call;
    struct sl_arena arena;
    struct sl_pb_CreateSessionRequest request;
    struct sl_master_session *session;
    struct sl_task_calls status, create;
    bool has_calls;
    atomic_uint holders;
    atomic_int gone; /* why the client waits no more, a code; SL_OK: it waits */
};

static void creation_release(struct creation *c) {
    if (atomic_fetch_sub(&c->holders, 1) != 1) return;
    if (c->has_calls) {
        sl_task_calls_clear(&c->status);
        sl_task_calls_clear(&c->create);
    }
    sl_master_session_unref(c->session);
    sl_arena_clear(&c->arena);
    sl_free(c);
}

/* What the calls say; where they were cancelled since the client's time is over, that. */
static sl_code status_of(const struct sl_task_calls *calls, struct creation *c, struct sl_error *err) {
    sl_code code = sl_task_calls_status(calls, err);
    if (code != SL_CANCELLED || atomic_load(&c->gone) != SL_DEADLINE_EXCEEDED) return code;
    struct sl_error why = *err;
    return sl_fail(err, SL_DEADLINE_EXCEEDED, "CreateSession still waits for tasks. %.1000s", why.message);
}

static void creation_end(struct creation *c, sl_code code, const struct sl_error *err) {
    struct sl_rpc_message m = {.n = 0};
    struct sl_error own;
    if (code == SL_OK) {
        code = sl_wire_add_text(&m, 1, sl_str_of(c->session->handle), &own);
        err = &own;
    }
    sl_service_end(c->call, &m, code, err);
    creation_release(c);
}

/* What the client's config does not say, the server's does: fields of the second count. */
static sl_code merge_config(struct creation *c, struct sl_error *err) {
    const struct sl_pb_message *type = SL_PB_TYPE_OF(ConfigProto);
    const struct sl_pb_ConfigProto *theirs = c->master->worker->options.config;
    struct sl_str first, second;
    if (!theirs) return SL_OK;
    struct sl_pb_ConfigProto *merged = SL_ARENA_NEW(&c->arena, struct sl_pb_ConfigProto);
    if (!merged) return sl_fail_memory(err, sizeof *merged);
    SL_TRY(sl_pb_encode(&first, type, theirs, 0, &c->arena, err));
    SL_TRY(sl_pb_encode(&second, type, c->request.config ? c->request.config : merged, 0, &c->arena, err));
    char *both = sl_arena_alloc(&c->arena, first.n + second.n);
    if (!both) return sl_fail_memory(err, first.n + second.n);
    if (first.n) memcpy(both, first.p, first.n);
    if (second.n) memcpy(both + first.n, second.p, second.n);
    c->request.config = merged;
    return sl_pb_decode(merged, type, (struct sl_str){both, first.n + second.n}, &c->arena, err);
}

/* ---- which tasks */

static sl_code find_own_task(struct sl_str *job, int *task, const struct sl_pb_ClusterDef *def, struct sl_str target,
                             struct sl_error *err) {
    const struct sl_str schemes[] = {SL_STR("grpc://"), SL_STR("grpcs://")};
    for (int i = 0; i < 2; i++)
        if (sl_str_starts(target, schemes[i]))
            target = (struct sl_str){target.p + schemes[i].n, target.n - schemes[i].n};
    for (size_t j = 0; j < def->job.n; j++)
        for (size_t t = 0; t < def->job.items[j].tasks.n; t++)
            if (sl_str_eq(def->job.items[j].tasks.items[t].value, target)) {
                *job = def->job.items[j].name;
                *task = def->job.items[j].tasks.items[t].key;
                return SL_OK;
            }
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "The master (current machine) is not included in the provided cluster_def. %.*s",
                   SL_STR_ARG(target));
}

static sl_code take_cluster(struct sl_master_session *s, const struct sl_pb_CreateSessionRequest *request,
                            struct sl_error *err) {
    const struct sl_pb_ClusterDef *def = request->config ? request->config->cluster_def : NULL;
    struct sl_str job = {NULL, 0};
    int task = -1;
    if (!def || !def->job.n) return SL_OK;
    SL_TRY(find_own_task(&job, &task, def, request->target, err));
    SL_TRY(sl_cluster_new(&s->own_cluster, s->master->cluster->net, def, job, task, err));
    return sl_task_watch_brought(s->own_cluster, s->master->cluster, err);
}

static bool passes_filters(const struct sl_cluster_task *task, const struct sl_pb_ConfigProto *config) {
    size_t n = config ? config->device_filters.n : 0;
    for (size_t i = 0; i < n; i++) {
        struct sl_device_name filter;
        if (sl_device_parse(&filter, config->device_filters.items[i], NULL) != SL_OK) continue;
        filter.type[0] = '\0';
        filter.id = -1;
        if (sl_device_matches(&filter, &task->parsed)) return true;
    }
    return !n;
}

static sl_code choose_tasks(struct sl_master_session *s, const struct sl_pb_ConfigProto *config, struct sl_error *err) {
    const struct sl_cluster *cluster = sl_master_session_cluster(s);
    s->tasks = sl_calloc((size_t)cluster->n, sizeof *s->tasks);
    if (!s->tasks) return sl_fail_memory(err, (size_t)cluster->n * sizeof *s->tasks);
    for (int t = 0; t < cluster->n; t++)
        if (t != cluster->own && passes_filters(&cluster->tasks[t], config)) s->tasks[s->n_tasks++] = t;
    return SL_OK;
}

/* ---- devices */

/* A device as another task has told of it. One of a type that this process does not have is passed over. */
static void add_device(struct sl_master_session *s, int *n, const struct sl_cluster_task *task,
                       const struct sl_pb_DeviceAttributes *told) {
    const struct sl_device_set *own = sl_worker_devices(s->master->worker);
    struct sl_device_name name;
    if (sl_device_parse(&name, told->name, NULL) != SL_OK || name.id < 0) return;
    for (int d = 0; d < own->n; d++) {
        if (strcmp(own->items[d].parsed.type, name.type) != 0) continue;
        struct sl_device *device = &s->devices[(*n)++];
        *device = own->items[d];
        device->parsed = task->parsed;
        memcpy(device->parsed.type, name.type, sizeof name.type);
        device->parsed.id = name.id;
        device->incarnation = told->incarnation;
        device->memory_bytes = told->memory_limit;
        sl_device_print(device->name, &device->parsed);
        return;
    }
}

static sl_code read_devices(struct creation *c, int *n, struct sl_error *err) {
    struct sl_master_session *s = c->session;
    const struct sl_cluster *cluster = sl_master_session_cluster(s);
    const struct sl_device_set *own = sl_worker_devices(s->master->worker);
    struct sl_pb_GetStatusResponse *told =
        SL_ARENA_ARRAY(&c->arena, struct sl_pb_GetStatusResponse, (size_t)c->status.n + 1);
    size_t total = (size_t)own->n;
    if (!told) return sl_fail_memory(err, sizeof *told);
    for (int i = 0; i < c->status.n; i++) {
        SL_TRY(
            sl_pb_decode(&told[i], SL_PB_TYPE_OF(GetStatusResponse), c->status.calls[i].body->bytes, &c->arena, err));
        total += told[i].device_attributes.n;
    }
    s->devices = sl_calloc(total, sizeof *s->devices);
    if (!s->devices) return sl_fail_memory(err, total * sizeof *s->devices);
    for (*n = 0; *n < own->n; ++*n) {
        struct sl_device *device = &s->devices[*n];
        *device = own->items[*n];
        device->parsed = cluster->tasks[cluster->own].parsed;
        memcpy(device->parsed.type, own->items[*n].parsed.type, sizeof device->parsed.type);
        device->parsed.id = own->items[*n].parsed.id;
        sl_device_print(device->name, &device->parsed);
    }
    for (int i = 0; i < c->status.n; i++)
        for (size_t d = 0; d < told[i].device_attributes.n; d++)
            add_device(s, n, &cluster->tasks[c->status.calls[i].task], &told[i].device_attributes.items[d]);
    return SL_OK;
}

/* ---- the session itself */

static sl_code make_front(struct creation *c, struct sl_error *err) {
    struct sl_master_session *s = c->session;
    struct sl_runtime_options options;
    struct sl_device_set set = {.is_host_alone = true, .is_borrowed = true};
    sl_runtime_read_options(&options, c->request.config);
    options.trace = NULL;
    SL_TRY(read_devices(c, &set.n, err));
    set.items = s->devices;
    for (int d = 0; d < set.n; d++) set.is_host_alone = set.is_host_alone && sl_device_is_host(&set.items[d]);
    SL_TRY(sl_runtime_new(&s->front, s->master->worker->options.registries, &set, &options, err));
    SL_TRY(sl_graph_new(&s->graph, s->master->worker->options.registries->ops, err));
    return sl_master_session_import(s, c->request.graph_def, err);
}

static bool is_isolated(const struct sl_pb_ConfigProto *config) {
    if (!config) return false;
    if (config->isolate_session_state) return true;
    return config->cluster_def && config->cluster_def->job.n &&
           !(config->experimental && config->experimental->share_session_state_in_clusterspec_propagation);
}

static void fill_server(struct sl_pb_ServerDef *server, const struct creation *c, int task) {
    const struct sl_pb_ConfigProto *config = c->request.config;
    const struct sl_cluster *cluster = sl_master_session_cluster(c->session);
    *server = (struct sl_pb_ServerDef){.cluster = c->session->own_cluster ? config->cluster_def : NULL,
                                       .job_name = sl_str_of(cluster->tasks[task].parsed.job),
                                       .task_index = cluster->tasks[task].parsed.task,
                                       .default_session_config = c->request.config,
                                       .protocol = SL_STR("grpc")};
}

static sl_code create_own(struct creation *c, struct sl_error *err) {
    struct sl_master_session *s = c->session;
    struct sl_pb_ServerDef server;
    fill_server(&server, c, sl_master_session_cluster(s)->own);
    const struct sl_worker_session_spec spec = {.handle = sl_str_of(s->handle),
                                                .is_isolated = is_isolated(c->request.config),
                                                .server = &server,
                                                .config = c->request.config};
    SL_TRY(sl_worker_create_session(s->master->worker, &spec, err));
    return sl_worker_find_session(&s->own, s->master->worker, sl_str_of(s->handle), err);
}

static sl_code write_creation(struct sl_rpc_message *m, const struct creation *c, int task, struct sl_error *err) {
    struct sl_pb_ServerDef server;
    const struct sl_cluster *cluster = sl_master_session_cluster(c->session);
    const struct sl_pb_CreateWorkerSessionRequest request = {
        .session_handle = sl_str_of(c->session->handle),
        .server_def = &server,
        .isolate_session_state = is_isolated(c->request.config),
        .master_task = sl_str_of(cluster->tasks[cluster->own].name),
        .master_incarnation = (int64_t)sl_worker_devices(c->master->worker)->items[0].incarnation};
    fill_server(&server, c, task);
    return sl_wire_add_message(m, SL_PB_TYPE_OF(CreateWorkerSessionRequest), &request, err);
}

static void list_session(const struct creation *c) {
    struct sl_master_session *s = c->session;
    struct sl_master *master = s->master;
    atomic_fetch_add(&s->references, 1);
    sl_mutex_lock(&master->mutex);
    s->next = master->sessions;
    master->sessions = s;
    master->n_sessions++;
    master->n_sessions_ever++;
    sl_mutex_unlock(&master->mutex);
    sl_master_tell(master, "session", "%s of %s", s->handle, c->call->peer);
}

static void created_everywhere(struct sl_task_calls *calls) {
    struct creation *c = calls->arg;
    struct sl_error err;
    sl_code code = status_of(calls, c, &err);
    if (code == SL_OK) list_session(c);
    else (void)sl_worker_delete_session(c->master->worker, sl_str_of(c->session->handle), NULL);
    creation_end(c, code, &err);
}

static sl_code create_everywhere(struct creation *c, struct sl_error *err) {
    SL_TRY(make_front(c, err));
    SL_TRY(create_own(c, err));
    for (int i = 0; i < c->session->n_tasks; i++) {
        struct sl_rpc_message m = {.n = 0};
        sl_code code = write_creation(&m, c, c->session->tasks[i], err);
        if (code != SL_OK) sl_rpc_message_clear(&m);
        SL_TRY(code);
        sl_task_calls_add(&c->create, c->session->tasks[i], "/tensorflow.WorkerService/CreateWorkerSession", &m,
                          c->call->deadline_ns, false);
    }
    return SL_OK;
}

static void devices_known(void *arg) {
    struct creation *c = arg;
    struct sl_error err;
    sl_code code = status_of(&c->status, c, &err);
    if (code == SL_OK) code = create_everywhere(c, &err);
    if (code == SL_OK) sl_task_calls_start(&c->create);
    else {
        if (c->session->own) (void)sl_worker_delete_session(c->master->worker, sl_str_of(c->session->handle), NULL);
        creation_end(c, code, &err);
    }
}

static void status_told(struct sl_task_calls *calls) {
    struct creation *c = calls->arg;
    sl_worker_spawn(c->master->worker, devices_known, c);
}

/* ---- the call */

static void cancel_creation(void *arg) {
    struct creation *c = arg;
    sl_task_calls_cancel(&c->status);
    sl_task_calls_cancel(&c->create);
    creation_release(c);
}

static void creator_gone(struct sl_rpc_call *call, sl_code code) {
    struct creation *c = call->arg;
    atomic_store(&c->gone, (int)code);
    atomic_fetch_add(&c->holders, 1);
    sl_worker_spawn(c->master->worker, cancel_creation, c);
}

static sl_code make_session(struct creation *c, struct sl_error *err) {
    struct sl_master *master = c->master;
    struct sl_master_session *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    c->session = s;
    s->master = master;
    atomic_store(&s->references, 1);
    sl_mutex_init(&s->mutex);
    sl_mutex_init(&s->graph_mutex);
    sl_mutex_lock(&master->mutex);
    bool is_full = master->n_held++ >= SESSIONS_MOST;
    sl_mutex_unlock(&master->mutex);
    if (is_full) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "the master has %d sessions already", SESSIONS_MOST);
    (void)snprintf(s->handle, sizeof s->handle, "%016" PRIx64, sl_id_source_next(&master->worker->ids));
    const struct sl_pb_ConfigProto *config = c->request.config;
    s->timeout_ms = config ? config->operation_timeout_in_ms : 0;
    s->costs_every = config && config->graph_options ? config->graph_options->build_cost_model : 0;
    s->costs_after = s->costs_every > 0 ? config->graph_options->build_cost_model_after : 0;
    SL_TRY(take_cluster(s, &c->request, err));
    return choose_tasks(s, c->request.config, err);
}

static sl_code init_calls(struct creation *c, struct sl_error *err) {
    struct sl_cluster *cluster = sl_master_session_cluster(c->session);
    SL_TRY(sl_task_calls_init(&c->status, cluster, c->session->n_tasks, err));
    c->has_calls = true;
    SL_TRY(sl_task_calls_init(&c->create, cluster, c->session->n_tasks, err));
    c->status.arg = c->create.arg = c;
    c->status.done = status_told;
    c->create.done = created_everywhere;
    for (int i = 0; i < c->session->n_tasks; i++) {
        struct sl_rpc_message empty = {.n = 0};
        sl_task_calls_add(&c->status, c->session->tasks[i], "/tensorflow.WorkerService/GetStatus", &empty,
                          c->call->deadline_ns, true);
    }
    return SL_OK;
}

void sl_master_create_session(void *master, struct sl_rpc_call *call) {
    static const struct sl_rpc_listener listener = {.gone = creator_gone};
    struct creation *c = sl_calloc(1, sizeof *c);
    struct sl_error err;
    if (!c) {
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    c->master = master;
    c->call = call;
    call->arg = c;
    atomic_store(&c->holders, 1);
    sl_arena_init(&c->arena);
    if (!sl_service_decode(&c->request, SL_PB_TYPE_OF(CreateSessionRequest), call, &c->arena)) {
        creation_release(c);
        return;
    }
    sl_code code = merge_config(c, &err);
    if (code == SL_OK) code = make_session(c, &err);
    if (code == SL_OK) code = init_calls(c, &err);
    if (code != SL_OK) {
        creation_end(c, code, &err);
        return;
    }
    sl_rpc_call_listen(call, &listener);
    if (c->session->n_tasks) sl_task_calls_start(&c->status);
    else devices_known(c);
}
