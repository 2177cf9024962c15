/* The worker's methods. What compiles, runs or frees goes to threads that may compute; the rest is done at once. */
#include "dist/worker_service.h"

#include "base/alloc.h"
#include "dist/collective_tasks.h"
#include "dist/elastic_ballot.h"
#include "dist/elastic_group.h"
#include "dist/partial_graph.h"
#include "dist/service_call.h"
#include "dist/shared_values.h"
#include "dist/worker_run.h"
#include "os/clock.h"

enum { REQUESTS_SEEN = 100000 };

void sl_worker_service_init(struct sl_worker_service *service, struct sl_worker *worker) {
    *service = (struct sl_worker_service){.worker = worker};
    sl_mutex_init(&service->mutex);
    sl_seen_ids_init(&service->seen, REQUESTS_SEEN);
    sl_step_log_init(&service->log);
}

void sl_worker_service_clear(struct sl_worker_service *service) {
    sl_partial_graphs_end(service, NULL);
    sl_step_log_clear(&service->log);
    sl_seen_ids_clear(&service->seen);
    sl_mutex_clear(&service->mutex);
}

/* ---- devices and sessions */

sl_code sl_devices_to_proto(struct sl_pb_array_DeviceAttributes *out, const struct sl_device_set *devices, int first,
                            int n, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_DeviceLocality *nowhere = SL_ARENA_NEW(arena, struct sl_pb_DeviceLocality);
    out->items = SL_ARENA_ARRAY(arena, struct sl_pb_DeviceAttributes, (size_t)n + 1);
    out->n = 0;
    if (!out->items || !nowhere) return sl_fail_memory(err, (size_t)n * sizeof *out->items);
    for (int d = first; d < first + n; d++) {
        const struct sl_device *device = &devices->items[d];
        out->items[out->n++] = (struct sl_pb_DeviceAttributes){.name = sl_str_of(device->name),
                                                               .device_type = sl_str_of(device->parsed.type),
                                                               .memory_limit = device->memory_bytes,
                                                               .locality = nowhere,
                                                               .incarnation = device->incarnation,
                                                               .xla_global_id = -1};
    }
    return SL_OK;
}

static void get_status(void *service, struct sl_rpc_call *call) {
    const struct sl_device_set *devices = sl_worker_devices(((struct sl_worker_service *)service)->worker);
    struct sl_pb_GetStatusResponse answer = {.unknown = NULL};
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    sl_code code = sl_devices_to_proto(&answer.device_attributes, devices, 0, devices->n, &arena, &err);
    if (code == SL_OK) sl_service_answer(call, SL_PB_TYPE_OF(GetStatusResponse), &answer);
    else sl_rpc_call_fail(call, code, err.message);
    sl_arena_clear(&arena);
}

static void create_session(void *service, struct sl_rpc_call *call) {
    struct sl_pb_CreateWorkerSessionRequest request;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(CreateWorkerSessionRequest), call, &arena)) {
        const struct sl_pb_ServerDef *server = request.server_def;
        const struct sl_worker_session_spec spec = {.handle = request.session_handle,
                                                    .is_isolated = request.isolate_session_state,
                                                    .server = server,
                                                    .master = request.master_task,
                                                    .master_incarnation = request.master_incarnation,
                                                    .config = server ? server->default_session_config : NULL};
        sl_service_close(call, sl_worker_create_session(((struct sl_worker_service *)service)->worker, &spec, &err),
                         &err);
    }
    sl_arena_clear(&arena);
}

static void delete_session(void *service, struct sl_rpc_call *call) {
    struct sl_pb_DeleteWorkerSessionRequest request;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(DeleteWorkerSessionRequest), call, &arena))
        sl_service_close(call,
                         sl_worker_delete_session(((struct sl_worker_service *)service)->worker, request.session_handle,
                                                  &err),
                         &err);
    sl_arena_clear(&arena);
}

static void cleanup_all(void *service, struct sl_rpc_call *call) {
    struct sl_pb_CleanupAllRequest request;
    struct sl_arena arena;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(CleanupAllRequest), call, &arena)) {
        sl_worker_cleanup_all(((struct sl_worker_service *)service)->worker, request.container.items,
                              request.container.n);
        sl_service_close(call, SL_OK, NULL);
    }
    sl_arena_clear(&arena);
}

/* ---- graphs */

static sl_code register_one(struct sl_rpc_message *m, struct sl_worker *w,
                            const struct sl_pb_RegisterGraphRequest *request, struct sl_rpc_body *body,
                            struct sl_error *err) {
    struct sl_str handle = request->create_worker_session_called ? request->session_handle : SL_STR("");
    struct sl_worker_session *session;
    struct sl_worker_graph *graph;
    struct sl_str def = SL_STR("");
    (void)sl_pb_field_bytes(&def, SL_PB_TYPE_OF(RegisterGraphRequest), body->bytes, 2, 0);
    SL_TRY(sl_worker_find_session(&session, w, handle, err));
    sl_code code = sl_worker_register(&graph, session, def, body, err);
    if (code == SL_OK) {
        code = sl_wire_add_text(m, 1, sl_str_of(sl_worker_graph_handle(graph)), err);
        sl_worker_graph_unref(graph);
    }
    sl_worker_session_unref(session);
    return code;
}

static void register_graph(void *service, struct sl_rpc_call *call) {
    struct sl_pb_RegisterGraphRequest request;
    struct sl_rpc_message m = {.n = 0};
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(RegisterGraphRequest), call, &arena))
        sl_service_end(call, &m,
                       register_one(&m, ((struct sl_worker_service *)service)->worker, &request, call->body, &err),
                       &err);
    sl_arena_clear(&arena);
}

static sl_code deregister_one(struct sl_worker *w, const struct sl_pb_DeregisterGraphRequest *request,
                              struct sl_error *err) {
    struct sl_str handle = request->create_worker_session_called ? request->session_handle : SL_STR("");
    struct sl_worker_session *session;
    SL_TRY(sl_worker_find_session(&session, w, handle, err));
    sl_code code = sl_worker_deregister(session, request->graph_handle, err);
    sl_worker_session_unref(session);
    return code;
}

static void deregister_graph(void *service, struct sl_rpc_call *call) {
    struct sl_pb_DeregisterGraphRequest request;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(DeregisterGraphRequest), call, &arena))
        sl_service_close(call, deregister_one(((struct sl_worker_service *)service)->worker, &request, &err), &err);
    sl_arena_clear(&arena);
}

static void cleanup_graph(void *arg, struct sl_rpc_call *call) {
    struct sl_worker_service *service = arg;
    struct sl_pb_CleanupGraphRequest request;
    struct sl_arena arena;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(CleanupGraphRequest), call, &arena)) {
        const uint64_t step_id = (uint64_t)request.step_id;
        sl_worker_cleanup(service->worker, step_id);
        sl_partial_graphs_end(service, &step_id);
        sl_service_close(call, SL_OK, NULL);
    }
    sl_arena_clear(&arena);
}

/* ---- values for other tasks */

/* A peer that waits for a value. Held by the waiter and by whoever is told that the peer has gone. */
struct awaited {
    struct sl_waiter waiter;
    struct sl_rpc_call *call;
    struct sl_worker *worker;
    struct sl_step_rendezvous *rendezvous;
    atomic_uint holders;
    atomic_bool is_gone, is_taken;
    /* of a failure that follows from another task's: */
    struct sl_net_timer later;
    atomic_bool is_due;
    struct sl_mutex mutex; /* guards the next */
    bool waits;            /* the failure is due, and nobody has begun to tell it */
    struct sl_error why;
    struct sl_shared_offer offer; /* where the value may go */
    bool has_offer;
};

static void awaited_release(struct awaited *a) {
    if (atomic_fetch_sub(&a->holders, 1) != 1) return;
    sl_step_rendezvous_unref(a->rendezvous);
    sl_mutex_clear(&a->mutex);
    sl_free(a);
}

static bool take_later(struct awaited *a) {
    sl_mutex_lock(&a->mutex);
    bool waits = a->waits;
    a->waits = false;
    sl_mutex_unlock(&a->mutex);
    return waits;
}

static void fail_later(void *arg) {
    struct awaited *a = arg;
    if (take_later(a)) {
        sl_rpc_call_fail(a->call, a->why.code, a->why.message);
        awaited_release(a);
    }
    awaited_release(a);
}

static void later_due(struct sl_net_timer *timer) {
    struct awaited *a = timer->arg;
    atomic_store(&a->is_due, true);
    sl_worker_spawn(a->worker, fail_later, a);
}

/* The peer has gone. */
static void fail_now(struct awaited *a) {
    if (!take_later(a)) return;
    sl_net_cancel_timer(a->worker->options.cluster->net, &a->later);
    if (!atomic_load(&a->is_due)) awaited_release(a);
    sl_rpc_call_fail(a->call, a->why.code, a->why.message);
    awaited_release(a);
}

/* As worker_run.c does, so that the master hears of the reason first. */
static void set_later(struct awaited *a, sl_code code, const struct sl_error *err) {
    static const int64_t later_ns = 100000000;
    struct sl_net *net = a->worker->options.cluster->net;
    a->why = *err;
    a->why.code = code;
    a->later = (struct sl_net_timer){.due = later_due, .arg = a};
    atomic_fetch_add(&a->holders, 2); /* the timer, and this function */
    sl_mutex_lock(&a->mutex);
    a->waits = true;
    sl_net_set_timer(net, &a->later, sl_net_now(net) + later_ns);
    sl_mutex_unlock(&a->mutex);
    if (atomic_load(&a->is_gone)) fail_now(a);
    awaited_release(a);
}

/* Into the block, and as it is when it cannot go there. */
static void write_shared(void *arg) {
    struct awaited *a = arg;
    const struct sl_value *value = &a->waiter.value;
    const int64_t begun_us = sl_wall_us();
    struct sl_rpc_message m = {.n = 0};
    struct sl_error err;
    bool is_written;
    sl_code code = sl_shared_answer_add(&is_written, &m, a->worker->maps, &a->offer, value, begun_us, &err);
    if (is_written) sl_worker_trim_later(a->worker);
    else code = sl_wire_add_received(&m, value, begun_us, &err);
    sl_value_clear(&a->waiter.value);
    sl_service_end(a->call, &m, code, &err);
    awaited_release(a);
}

static void come(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct awaited *a = (struct awaited *)waiter;
    struct sl_rpc_message m = {.n = 0};
    struct sl_error own;
    if (code != SL_OK && strstr(err->message, "[_Derived_]")) {
        set_later(a, code, err);
        return;
    }
    if (code == SL_OK && a->has_offer && sl_shared_fits(&a->offer, &waiter->value)) {
        sl_worker_spawn(a->worker, write_shared, a);
        return;
    }
    if (code == SL_OK) {
        err = &own;
        code = sl_wire_add_received(&m, &waiter->value, sl_wall_us(), &own);
        sl_value_clear(&waiter->value);
    }
    sl_service_end(a->call, &m, code, err);
    awaited_release(a);
}

static void withdraw(void *arg) {
    struct awaited *a = arg;
    if (a->rendezvous && sl_step_rendezvous_withdraw(a->rendezvous, &a->waiter)) {
        sl_rpc_call_fail(a->call, SL_CANCELLED, "RecvTensor was cancelled");
        awaited_release(a);
    }
    fail_now(a);
    awaited_release(a);
}

/* The call must not end within this. */
static void peer_gone(struct sl_rpc_call *call, sl_code code) {
    struct awaited *a = call->arg;
    (void)code;
    atomic_store(&a->is_gone, true);
    if (!atomic_load(&a->is_taken)) return; /* who takes will see it */
    atomic_fetch_add(&a->holders, 1);
    sl_worker_spawn(a->worker, withdraw, a);
}

static void await(struct awaited *a, const struct sl_pb_RecvTensorRequest *request) {
    static const struct sl_rpc_listener listener = {.gone = peer_gone};
    a->call->arg = a;
    a->waiter.done = come;
    a->has_offer = sl_shared_offer_read(&a->offer, request);
    atomic_store(&a->holders, 2);
    sl_rpc_call_listen(a->call, &listener);
    sl_worker_recv(&a->rendezvous, a->worker, (uint64_t)request->step_id, request->rendezvous_key, &a->waiter);
    atomic_store(&a->is_taken, true);
    if (atomic_load(&a->is_gone)) withdraw(a);
    else awaited_release(a);
}

static void recv_tensor(void *service, struct sl_rpc_call *call) {
    struct sl_pb_RecvTensorRequest request;
    struct sl_arena arena;
    struct awaited *a = sl_calloc(1, sizeof *a);
    if (!a) {
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    a->call = call;
    sl_mutex_init(&a->mutex);
    a->worker = ((struct sl_worker_service *)service)->worker;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(RecvTensorRequest), call, &arena)) await(a, &request);
    else {
        sl_mutex_clear(&a->mutex);
        sl_free(a);
    }
    sl_arena_clear(&arena);
}

/* ---- the rest */

static void nothing(void *service, struct sl_rpc_call *call) {
    (void)service;
    sl_service_close(call, SL_OK, NULL);
}

static void logging(void *service, struct sl_rpc_call *call) {
    sl_step_log_serve(&((struct sl_worker_service *)service)->log, call);
}

/* As TensorFlow's servers do. */
static void refuse(void *service, struct sl_rpc_call *call) {
    (void)service;
    sl_rpc_call_fail(call, SL_UNIMPLEMENTED, "Tracing is not implemented");
}

/* ---- collectives */

static struct sl_collectives *collectives_of(void *service, struct sl_rpc_call *call) {
    struct sl_collectives *c = ((struct sl_worker_service *)service)->collectives;
    if (!c) sl_rpc_call_fail(call, SL_FAILED_PRECONDITION, "the cluster has one task only: no collectives over tasks");
    return c;
}

static void complete_group(void *service, struct sl_rpc_call *call) {
    struct sl_collectives *c = collectives_of(service, call);
    if (c) sl_leader_complete_group(&c->leader, call);
}

static void join_elastic(void *service, struct sl_rpc_call *call) {
    struct sl_collectives *c = collectives_of(service, call);
    if (c) sl_leader_join_elastic(&c->leader, call);
}

static void ask_elastic(void *service, struct sl_rpc_call *call) {
    struct sl_collectives *c = collectives_of(service, call);
    if (c) sl_leader_ask(&c->leader, call);
}

static void complete_instance(void *service, struct sl_rpc_call *call) {
    struct sl_collectives *c = collectives_of(service, call);
    if (c) sl_leader_complete_instance(&c->leader, call);
}

static void step_sequence(void *service, struct sl_rpc_call *call) {
    struct sl_collectives *c = collectives_of(service, call);
    if (c) sl_leader_step_sequence(&c->leader, call);
}

static void recv_buf(void *service, struct sl_rpc_call *call) {
    struct sl_collectives *c = collectives_of(service, call);
    if (c) sl_collective_recv_buf(&c->buffers, call);
}

#define SPAWNED(spawn, name)                                                                                           \
    static void spawn_##name(void *service, struct sl_rpc_call *call) {                                                \
        spawn(((struct sl_worker_service *)service)->worker, name, service, call);                                     \
    }
SPAWNED(sl_service_spawn, create_session)
SPAWNED(sl_service_spawn, delete_session)
SPAWNED(sl_service_spawn_step, register_graph)
SPAWNED(sl_service_spawn, deregister_graph)
SPAWNED(sl_service_spawn, cleanup_all)
SPAWNED(sl_service_spawn, logging)

/* What is light runs where it comes. */
static void begin_run(void *service, struct sl_rpc_call *call) {
    struct sl_worker *worker = ((struct sl_worker_service *)service)->worker;
    if (!sl_service_run_here(worker, sl_worker_run_graph_here, service, call))
        sl_service_spawn_step(worker, sl_worker_run_graph, service, call);
}

static void begin_cleanup(void *service, struct sl_rpc_call *call) {
    struct sl_worker *worker = ((struct sl_worker_service *)service)->worker;
    if (!sl_service_run_here(worker, cleanup_graph, service, call))
        sl_service_spawn(worker, cleanup_graph, service, call);
}

#define METHOD(name, called)                                                                                           \
    { "/tensorflow.WorkerService/" name, false, called }
const struct sl_rpc_method sl_worker_methods[] = {METHOD("GetStatus", get_status),
                                                  METHOD("CreateWorkerSession", spawn_create_session),
                                                  METHOD("DeleteWorkerSession", spawn_delete_session),
                                                  METHOD("RegisterGraph", spawn_register_graph),
                                                  METHOD("DeregisterGraph", spawn_deregister_graph),
                                                  METHOD("RunGraph", begin_run),
                                                  METHOD("CleanupGraph", begin_cleanup),
                                                  METHOD("CleanupAll", spawn_cleanup_all),
                                                  METHOD("RecvTensor", recv_tensor),
                                                  METHOD("MarkRecvFinished", nothing),
                                                  METHOD("Logging", spawn_logging),
                                                  METHOD("Tracing", refuse),
                                                  METHOD("RecvBuf", recv_buf),
                                                  METHOD("CompleteGroup", complete_group),
                                                  {SL_ELASTIC_JOIN, false, join_elastic},
                                                  {SL_ELASTIC_ASK, false, ask_elastic},
                                                  METHOD("CompleteInstance", complete_instance),
                                                  METHOD("GetStepSequence", step_sequence),
                                                  {NULL, false, NULL}};
