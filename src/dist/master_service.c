/* The master's methods. All of them compute, if only to read a graph, and leave the net's threads at once. */
#include "base/alloc.h"
#include "dist/master_state.h"
#include "dist/worker_service.h"

/* ---- ExtendSession */

static sl_code extend(struct sl_pb_ExtendSessionResponse *answer, struct sl_master *master,
                      const struct sl_pb_ExtendSessionRequest *request, struct sl_error *err) {
    struct sl_master_session *s;
    SL_TRY(sl_master_find(&s, master, request->session_handle, err));
    sl_mutex_lock(&s->graph_mutex);
    sl_code code = SL_OK;
    if (request->current_graph_version != s->version)
        code = sl_fail(err, SL_ABORTED, "Current version is %lld but caller expected %lld.", (long long)s->version,
                       (long long)request->current_graph_version);
    if (code == SL_OK) code = sl_master_session_import(s, request->graph_def, err);
    if (code == SL_OK) answer->new_graph_version = ++s->version;
    sl_mutex_unlock(&s->graph_mutex);
    sl_master_session_unref(s);
    return code;
}

static void extend_session(void *master, struct sl_rpc_call *call) {
    struct sl_pb_ExtendSessionRequest request;
    struct sl_pb_ExtendSessionResponse answer = {.unknown = NULL};
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(ExtendSessionRequest), call, &arena)) {
        sl_code code = extend(&answer, master, &request, &err);
        if (code == SL_OK) sl_service_answer(call, SL_PB_TYPE_OF(ExtendSessionResponse), &answer);
        else sl_rpc_call_fail(call, code, err.message);
    }
    sl_arena_clear(&arena);
}

/* ---- CloseSession */

static void closed(void *call) { sl_service_close(call, SL_OK, NULL); }

static void fail_missing(struct sl_rpc_call *call, sl_code code, struct sl_str handle) {
    struct sl_error err;
    sl_fail(&err, code, "Session %.*s is not found. Possibly, this master has restarted.", SL_STR_ARG(handle));
    sl_rpc_call_fail(call, code, err.message);
}

static void close_session(void *master, struct sl_rpc_call *call) {
    struct sl_pb_CloseSessionRequest request;
    struct sl_master_session *s;
    struct sl_arena arena;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(CloseSessionRequest), call, &arena)) {
        if (sl_master_find(&s, master, request.session_handle, NULL) != SL_OK)
            fail_missing(call, SL_ABORTED, request.session_handle);
        else if (!sl_master_session_close(s, closed, call)) {
            sl_master_session_unref(s);
            fail_missing(call, SL_ABORTED, request.session_handle);
        }
    }
    sl_arena_clear(&arena);
}

/* ---- ListDevices */

static void list_devices_of(struct sl_master_session *s, struct sl_rpc_call *call, struct sl_arena *arena) {
    const struct sl_device_set *all = &s->front->devices;
    struct sl_pb_ListDevicesResponse answer = {.unknown = NULL};
    struct sl_error err;
    int n = 0;
    while (n < all->n && sl_device_is_same_task(&all->items[0].parsed, &all->items[n].parsed)) n++;
    sl_code code = sl_devices_to_proto(&answer.local_device, all, 0, n, arena, &err);
    if (code == SL_OK) code = sl_devices_to_proto(&answer.remote_device, all, n, all->n - n, arena, &err);
    if (code == SL_OK) sl_service_answer(call, SL_PB_TYPE_OF(ListDevicesResponse), &answer);
    else sl_rpc_call_fail(call, code, err.message);
}

/* Without a session: the own devices. */
static void list_own_devices(struct sl_master *master, struct sl_rpc_call *call, struct sl_arena *arena) {
    const struct sl_device_set *own = sl_worker_devices(master->worker);
    struct sl_pb_ListDevicesResponse answer = {.unknown = NULL};
    struct sl_error err;
    sl_code code = sl_devices_to_proto(&answer.local_device, own, 0, own->n, arena, &err);
    if (code == SL_OK) sl_service_answer(call, SL_PB_TYPE_OF(ListDevicesResponse), &answer);
    else sl_rpc_call_fail(call, code, err.message);
}

static void list_devices(void *master, struct sl_rpc_call *call) {
    struct sl_pb_ListDevicesRequest request;
    struct sl_master_session *s;
    struct sl_arena arena;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(ListDevicesRequest), call, &arena)) {
        if (!request.session_handle.n) list_own_devices(master, call, &arena);
        else if (sl_master_find(&s, master, request.session_handle, NULL) != SL_OK)
            fail_missing(call, SL_INVALID_ARGUMENT, request.session_handle);
        else {
            list_devices_of(s, call, &arena);
            sl_master_session_unref(s);
        }
    }
    sl_arena_clear(&arena);
}

/* ---- Reset: closes all sessions, then clears containers everywhere */

struct reset {
    struct sl_master *master;
    struct sl_rpc_call *call;
    struct sl_arena arena;
    struct sl_pb_ResetRequest request;
    struct sl_task_calls calls;
    atomic_uint left; /* sessions, and who closes them */
};

static void reset_end(struct sl_task_calls *calls) {
    struct reset *r = calls->arg;
    struct sl_error err;
    sl_code code = sl_task_calls_status(calls, &err);
    sl_service_close(r->call, code, &err);
    sl_task_calls_clear(&r->calls);
    sl_arena_clear(&r->arena);
    sl_free(r);
}

static bool passes(const struct reset *r, const struct sl_cluster_task *task) {
    for (size_t i = 0; i < r->request.device_filters.n; i++) {
        struct sl_device_name filter;
        if (sl_device_parse(&filter, r->request.device_filters.items[i], NULL) != SL_OK) continue;
        filter.type[0] = '\0';
        filter.id = -1;
        if (sl_device_matches(&filter, &task->parsed)) return true;
    }
    return !r->request.device_filters.n;
}

static void clear_containers(void *arg) {
    struct reset *r = arg;
    const struct sl_cluster *cluster = r->master->cluster;
    const struct sl_pb_CleanupAllRequest request = {.container = r->request.container};
    sl_worker_cleanup_all(r->master->worker, r->request.container.items, r->request.container.n);
    for (int t = 0; t < cluster->n; t++) {
        struct sl_rpc_message m = {.n = 0};
        if (t == cluster->own || !passes(r, &cluster->tasks[t])) continue;
        if (sl_wire_add_message(&m, SL_PB_TYPE_OF(CleanupAllRequest), &request, NULL) != SL_OK) continue;
        sl_task_calls_add(&r->calls, t, "/tensorflow.WorkerService/CleanupAll", &m, r->call->deadline_ns, true);
    }
    sl_task_calls_start(&r->calls);
}

static void one_closed(void *arg) {
    struct reset *r = arg;
    if (atomic_fetch_sub(&r->left, 1) == 1) sl_worker_spawn(r->master->worker, clear_containers, r);
}

static void close_all(struct reset *r) {
    struct sl_master *master = r->master;
    for (;;) {
        sl_mutex_lock(&master->mutex);
        struct sl_master_session *s = master->sessions;
        if (s) atomic_fetch_add(&s->references, 1);
        sl_mutex_unlock(&master->mutex);
        if (!s) break;
        atomic_fetch_add(&r->left, 1);
        if (sl_master_session_close(s, one_closed, r)) continue;
        sl_master_session_unref(s);
        atomic_fetch_sub(&r->left, 1); /* not the last: this function is counted */
    }
    one_closed(r);
}

static void reset(void *master, struct sl_rpc_call *call) {
    struct reset *r = sl_calloc(1, sizeof *r);
    if (!r) {
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    r->master = master;
    r->call = call;
    atomic_store(&r->left, 1);
    sl_arena_init(&r->arena);
    bool is_read = sl_service_decode(&r->request, SL_PB_TYPE_OF(ResetRequest), call, &r->arena);
    if (is_read && sl_task_calls_init(&r->calls, r->master->cluster, r->master->cluster->n, NULL) == SL_OK) {
        r->calls.arg = r;
        r->calls.done = reset_end;
        close_all(r);
        return;
    }
    if (is_read) sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
    sl_task_calls_clear(&r->calls);
    sl_arena_clear(&r->arena);
    sl_free(r);
}

/* ---- the table */

#define SPAWNED(name, spawn, handle)                                                                                   \
    static void name(void *master, struct sl_rpc_call *call) {                                                         \
        spawn(((struct sl_master *)master)->worker, handle, master, call);                                             \
    }
SPAWNED(spawn_create, sl_service_spawn_step, sl_master_create_session)
SPAWNED(spawn_extend, sl_service_spawn_step, extend_session)
SPAWNED(spawn_setup, sl_service_spawn_step, sl_master_partial_setup)
SPAWNED(spawn_close, sl_service_spawn, close_session)
SPAWNED(spawn_list, sl_service_spawn, list_devices)
SPAWNED(spawn_reset, sl_service_spawn, reset)
SPAWNED(spawn_make, sl_service_spawn, sl_master_make_callable)
SPAWNED(spawn_release, sl_service_spawn, sl_master_release_callable)

/* Light steps run where they come. */
static void begin_run(void *master, struct sl_rpc_call *call) {
    struct sl_worker *worker = ((struct sl_master *)master)->worker;
    if (!sl_service_run_here(worker, sl_master_run_step_here, master, call))
        sl_service_spawn_step(worker, sl_master_run_step, master, call);
}

static void begin_callable(void *master, struct sl_rpc_call *call) {
    struct sl_worker *worker = ((struct sl_master *)master)->worker;
    if (!sl_service_run_here(worker, sl_master_run_callable_here, master, call))
        sl_service_spawn_step(worker, sl_master_run_callable, master, call);
}

#define METHOD(name, called)                                                                                           \
    { "/tensorflow.MasterService/" name, false, called }
const struct sl_rpc_method sl_master_methods[] = {METHOD("CreateSession", spawn_create),
                                                  METHOD("ExtendSession", spawn_extend),
                                                  METHOD("PartialRunSetup", spawn_setup),
                                                  METHOD("RunStep", begin_run),
                                                  METHOD("CloseSession", spawn_close),
                                                  METHOD("ListDevices", spawn_list),
                                                  METHOD("Reset", spawn_reset),
                                                  METHOD("MakeCallable", spawn_make),
                                                  METHOD("RunCallable", begin_callable),
                                                  METHOD("ReleaseCallable", spawn_release),
                                                  {NULL, false, NULL}};
