/* The eager service: contexts by id, and the queues of calls and streams. What computes or waits goes to threads of its
 * own; a stream's messages run one after the other. */
#include "dist/eager_service.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "dist/served_context.h"
#include "dist/service_call.h"
#include "dist/worker_service.h"

enum { LOOK_EVERY_NS = 1000000000 };

static struct sl_net *net_of(const struct sl_eager_service *s) { return s->worker->options.cluster->net; }

/* ---- contexts */

static void look_for_idle(struct sl_net_timer *timer);

void sl_eager_service_init(struct sl_eager_service *s, struct sl_worker *worker) {
    *s = (struct sl_eager_service){.worker = worker, .timer = {.due = look_for_idle, .arg = s}};
    sl_mutex_init(&s->mutex);
    sl_condition_init(&s->quiet);
}

static struct sl_served_context **place_of(struct sl_eager_service *s, uint64_t id) {
    struct sl_served_context **at = &s->contexts;
    while (*at && (*at)->id != id) at = &(*at)->next;
    return at;
}

static sl_code fail_missing(uint64_t id, struct sl_error *err) {
    return sl_fail(err, SL_ABORTED,
                   "Unable to find a context_id matching the specified one (%" PRIu64
                   "). Perhaps the worker was restarted, or the context was GC'd?",
                   id);
}

sl_code sl_eager_service_find(struct sl_served_context **out, struct sl_eager_service *s, uint64_t id,
                              struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    struct sl_served_context *c = *place_of(s, id);
    if (c) {
        c->used_ns = sl_net_now(net_of(s));
        *out = sl_served_context_ref(c);
    }
    sl_mutex_unlock(&s->mutex);
    return c ? SL_OK : fail_missing(id, err);
}

/* With the lock held: takes it out of the list. */
static struct sl_served_context *take(struct sl_eager_service *s, struct sl_served_context **at) {
    struct sl_served_context *c = *at;
    if (!c) return NULL;
    *at = c->next;
    s->n_contexts--;
    return c;
}

/* It is in the list no more. */
static void end_context(struct sl_served_context *c) {
    if (!c) return;
    sl_served_context_close(c);
    sl_served_context_unref(c);
}

static void end_all(struct sl_eager_service *s) {
    for (;;) {
        sl_mutex_lock(&s->mutex);
        struct sl_served_context *c = take(s, &s->contexts);
        sl_mutex_unlock(&s->mutex);
        if (!c) return;
        end_context(c);
    }
}

static bool is_idle(const struct sl_served_context *c, int64_t now) {
    return c->keep_alive_ns && now - c->used_ns > c->keep_alive_ns;
}

/* One that nobody has asked for as long as it may be idle; NULL. */
static struct sl_served_context *take_idle(struct sl_eager_service *s) {
    const int64_t now = sl_net_now(net_of(s));
    sl_mutex_lock(&s->mutex);
    struct sl_served_context **at = &s->contexts;
    while (*at && !is_idle(*at, now)) at = &(*at)->next;
    struct sl_served_context *c = take(s, at);
    sl_mutex_unlock(&s->mutex);
    return c;
}

/* With the lock held. */
static void set_timer(struct sl_eager_service *s) {
    s->has_timer = !s->ends && s->contexts;
    if (s->has_timer) sl_net_set_timer(net_of(s), &s->timer, sl_net_now(net_of(s)) + LOOK_EVERY_NS);
}

static bool enter(struct sl_eager_service *s) {
    sl_mutex_lock(&s->mutex);
    const bool ends = s->ends;
    if (!ends) s->n_calls++;
    sl_mutex_unlock(&s->mutex);
    return !ends;
}

static void leave(struct sl_eager_service *s) {
    sl_mutex_lock(&s->mutex);
    if (--s->n_calls == 0) sl_condition_broadcast(&s->quiet);
    sl_mutex_unlock(&s->mutex);
}

static void end_idle(void *arg) {
    struct sl_eager_service *s = arg;
    for (struct sl_served_context *c; (c = take_idle(s));) end_context(c);
    sl_mutex_lock(&s->mutex);
    set_timer(s);
    sl_mutex_unlock(&s->mutex);
    leave(s);
}

static void look_for_idle(struct sl_net_timer *timer) {
    struct sl_eager_service *s = timer->arg;
    if (enter(s)) sl_worker_spawn(s->worker, end_idle, s);
}

void sl_eager_service_clear(struct sl_eager_service *s) {
    sl_mutex_lock(&s->mutex);
    s->ends = true;
    sl_mutex_unlock(&s->mutex);
    end_all(s);
    sl_net_cancel_timer(net_of(s), &s->timer);
    sl_mutex_lock(&s->mutex);
    while (s->n_calls) sl_condition_wait(&s->quiet, &s->mutex);
    sl_mutex_unlock(&s->mutex);
    sl_condition_clear(&s->quiet);
    sl_mutex_clear(&s->mutex);
}

/* ---- making, changing and closing contexts */

static sl_code check_new(struct sl_eager_service *s, uint64_t id, struct sl_error *err) {
    if (*place_of(s, id))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "EagerService:CreateContext failed. Context id: <%" PRIu64 "> already exists.", id);
    if (s->n_contexts >= SL_SERVED_CONTEXTS_MAX)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "There are %d eager contexts here, and there may be no more.",
                       (int)SL_SERVED_CONTEXTS_MAX);
    return s->ends ? sl_fail(err, SL_UNAVAILABLE, "The server ends.") : SL_OK;
}

static sl_code list_context(struct sl_eager_service *s, struct sl_served_context *c, struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    sl_code code = check_new(s, c->id, err);
    if (code == SL_OK) {
        c->used_ns = sl_net_now(net_of(s));
        c->next = s->contexts;
        s->contexts = sl_served_context_ref(c);
        s->n_contexts++;
        if (!s->has_timer) set_timer(s);
    }
    sl_mutex_unlock(&s->mutex);
    return code;
}

static sl_code create(struct sl_served_context **out, struct sl_eager_service *s,
                      const struct sl_pb_eager_CreateContextRequest *request, struct sl_error *err) {
    const struct sl_served_spec spec = {.id = request->context_id,
                                        .view_id = request->context_view_id,
                                        .keep_alive_secs = request->keep_alive_secs,
                                        .server = request->server_def,
                                        .devices = request->cluster_device_attributes};
    if (request->clear_existing_contexts) end_all(s);
    sl_mutex_lock(&s->mutex); /* before the step of this number is touched */
    sl_code code = check_new(s, spec.id, err);
    sl_mutex_unlock(&s->mutex);
    if (code != SL_OK) return code;
    SL_TRY(sl_served_context_new(out, s->worker, &spec, err));
    code = list_context(s, *out, err);
    if (code != SL_OK) end_context(*out);
    return code;
}

static void answer_devices(struct sl_rpc_call *call, const struct sl_served_context *c, struct sl_arena *arena) {
    const struct sl_device_set *devices = &c->eager->runtime->devices;
    struct sl_pb_eager_CreateContextResponse answer = {.unknown = NULL};
    struct sl_error err;
    sl_code code = sl_devices_to_proto(&answer.device_attributes, devices, 0, devices->n, arena, &err);
    if (code == SL_OK) sl_service_answer(call, SL_PB_TYPE_OF(eager_CreateContextResponse), &answer);
    else sl_rpc_call_fail(call, code, err.message);
}

static void create_context(void *service, struct sl_rpc_call *call) {
    struct sl_pb_eager_CreateContextRequest request;
    struct sl_served_context *c;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(eager_CreateContextRequest), call, &arena)) {
        sl_code code = create(&c, service, &request, &err);
        if (code == SL_OK) {
            answer_devices(call, c, &arena);
            sl_served_context_unref(c);
        } else {
            sl_rpc_call_fail(call, code, err.message);
        }
    }
    sl_arena_clear(&arena);
}

static sl_code update(struct sl_eager_service *s, const struct sl_pb_eager_UpdateContextRequest *request,
                      struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    struct sl_served_context *c = *place_of(s, request->context_id);
    const uint64_t view_id = c ? c->view_id : 0;
    const bool is_next = c && request->context_view_id == view_id + 1;
    if (is_next) c->view_id++;
    if (c) c->used_ns = sl_net_now(net_of(s));
    sl_mutex_unlock(&s->mutex);
    if (!c) return fail_missing(request->context_id, err);
    if (is_next) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "EagerService:UpdateContext failed. Context id: <%" PRIu64 "> currently at view #%" PRIu64
                   " but received update request at view #%" PRIu64
                   ". View id should only be continuously incremented.",
                   request->context_id, view_id, request->context_view_id);
}

static sl_code update_cluster(struct sl_eager_service *s, const struct sl_pb_eager_UpdateContextRequest *request,
                              struct sl_error *err) {
    struct sl_served_context *c;
    SL_TRY(sl_eager_service_find(&c, s, request->context_id, err));
    sl_code code = request->server_def
                       ? sl_served_set_cluster(c, request->server_def, &request->cluster_device_attributes, err)
                       : SL_OK;
    sl_served_context_unref(c);
    return code;
}

static void update_context(void *service, struct sl_rpc_call *call) {
    struct sl_pb_eager_UpdateContextRequest request;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(eager_UpdateContextRequest), call, &arena)) {
        sl_code code = update(service, &request, &err);
        if (code == SL_OK) code = update_cluster(service, &request, &err);
        sl_service_close(call, code, &err);
    }
    sl_arena_clear(&arena);
}

/* One that is not there, or has another view by now, is none of the caller's business. */
static void close_context(void *arg, struct sl_rpc_call *call) {
    struct sl_eager_service *s = arg;
    struct sl_pb_eager_CloseContextRequest request;
    struct sl_arena arena;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(eager_CloseContextRequest), call, &arena)) {
        sl_mutex_lock(&s->mutex);
        struct sl_served_context **at = place_of(s, request.context_id), *c = NULL;
        if (*at && request.context_view_id >= (*at)->view_id) c = take(s, at);
        sl_mutex_unlock(&s->mutex);
        end_context(c);
        sl_service_close(call, SL_OK, NULL);
    }
    sl_arena_clear(&arena);
}

static sl_code show_life(struct sl_pb_eager_KeepAliveResponse *out, struct sl_eager_service *s, uint64_t id,
                         struct sl_error *err) {
    *out = (struct sl_pb_eager_KeepAliveResponse){.unknown = NULL};
    sl_mutex_lock(&s->mutex);
    struct sl_served_context *c = *place_of(s, id);
    if (c) {
        c->used_ns = sl_net_now(net_of(s));
        out->context_view_id = c->view_id;
    }
    sl_mutex_unlock(&s->mutex);
    return c ? SL_OK : fail_missing(id, err);
}

static void keep_alive(void *service, struct sl_rpc_call *call) {
    struct sl_pb_eager_KeepAliveRequest request;
    struct sl_pb_eager_KeepAliveResponse answer;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(eager_KeepAliveRequest), call, &arena)) {
        sl_code code = show_life(&answer, service, request.context_id, &err);
        if (code == SL_OK) sl_service_answer(call, SL_PB_TYPE_OF(eager_KeepAliveResponse), &answer);
        else sl_rpc_call_fail(call, code, err.message);
    }
    sl_arena_clear(&arena);
}

/* ---- queues: of a call, which has one message, or of a stream */

/* A peer that sends messages. What happens to it comes on the net's thread; one thread at a time works. It ends on the
 * net's thread, when no message can be on its way to it any more. */
struct enqueuer {
    struct sl_rpc_call *call;
    struct sl_eager_service *service;
    struct sl_cancellation *gone; /* starts when the peer has */
    struct sl_net_timer end;      /* at once: to be on the net's thread */
    atomic_uint holders;
    struct sl_mutex mutex; /* guards the rest */
    struct waiting {
        struct waiting *next;
        struct sl_rpc_body *body; /* NULL: the last has come */
    } * first, **last;
    size_t n, bytes; /* that wait */
    bool is_stream, is_working, is_paused, is_gone, has_ended;
    sl_code code;
    struct sl_error err;
    struct sl_rpc_message answer; /* of a call */
};

enum { MANY = 256, MANY_BYTES = 8 << 20 }; /* that wait: a peer has to wait, too */

static void release(struct enqueuer *q) {
    if (atomic_fetch_sub(&q->holders, 1) != 1) return;
    struct sl_eager_service *service = q->service;
    for (struct waiting *w; (w = q->first);) {
        q->first = w->next;
        sl_rpc_body_unref(w->body);
        sl_free(w);
    }
    sl_rpc_message_clear(&q->answer);
    sl_cancellation_free(q->gone);
    sl_mutex_clear(&q->mutex);
    sl_free(q);
    leave(service);
}

static void cancel_peer(void *arg) {
    sl_cancellation_start(arg, SL_CANCELLED, "The peer that asked for this has gone.");
}

/* The items of one message, in order, to the first that fails. */
static sl_code run_items(struct sl_rpc_message *answer, struct enqueuer *q, struct sl_served_context *c,
                         const struct sl_pb_eager_EnqueueRequest *request, struct sl_rpc_body *body,
                         struct sl_error *err) {
    struct sl_cancellation *end;
    SL_TRY(sl_cancellation_new(&end, c->end, err));
    struct sl_cancellation_callback callback = {.fn = cancel_peer, .arg = end};
    const bool follows = sl_cancellation_register(q->gone, &callback);
    if (!follows) cancel_peer(end);
    sl_code code = SL_OK;
    for (size_t i = 0; i < request->queue.n && code == SL_OK; i++)
        code = sl_served_run_item(answer, c, &request->queue.items[i], body, end, err);
    if (follows) sl_cancellation_unregister(q->gone, &callback);
    sl_cancellation_free(end);
    return code;
}

static sl_code run_message(struct sl_rpc_message *answer, struct enqueuer *q, struct sl_rpc_body *body,
                           struct sl_error *err) {
    struct sl_pb_eager_EnqueueRequest request;
    struct sl_served_context *c;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code =
        sl_pb_decode(&request, SL_PB_TYPE_OF(eager_EnqueueRequest), body ? body->bytes : SL_STR(""), &arena, err);
    if (code == SL_OK) code = sl_eager_service_find(&c, q->service, request.context_id, err);
    if (code == SL_OK) {
        code = run_items(answer, q, c, &request, body, err);
        sl_served_context_unref(c);
    }
    sl_arena_clear(&arena);
    return code;
}

static void end_call(struct enqueuer *q) {
    if (q->code != SL_OK) sl_rpc_call_fail(q->call, q->code, q->err.message);
    else sl_rpc_call_answer(q->call, q->is_stream ? NULL : &q->answer);
    release(q);
}

static void end_stream(struct sl_net_timer *timer) { end_call(timer->arg); }

static void end_soon(struct enqueuer *q, sl_code code) {
    struct sl_net *net = net_of(q->service);
    q->code = code;
    if (q->is_stream) sl_net_set_timer(net, &q->end, sl_net_now(net));
    else end_call(q);
}

/* With the mutex; NULL when there is nothing to do. A peer that has gone waits for nothing. */
static struct waiting *take_message(struct enqueuer *q, bool *resumes) {
    struct waiting *w = q->has_ended || q->is_gone ? NULL : q->first;
    *resumes = false;
    if (!w) return NULL;
    q->first = w->next;
    if (!q->first) q->last = &q->first;
    q->n--;
    q->bytes -= w->body ? w->body->bytes.n : 0;
    *resumes = q->is_paused && q->n <= MANY / 2 && q->bytes <= MANY_BYTES / 2;
    if (*resumes) q->is_paused = false;
    return w;
}

/* Runs a message of a stream and answers it, or the end of the stream. False when it was the last. */
static bool work_on(struct enqueuer *q, struct sl_rpc_body *body) {
    struct sl_rpc_message m = {.n = 0};
    const bool is_last = !body || !q->is_stream;
    sl_code code = body || !q->is_stream ? run_message(&m, q, body, &q->err) : SL_OK;
    if (code == SL_OK && !is_last) {
        sl_rpc_call_send(q->call, &m);
        return true;
    }
    q->answer = m;
    end_soon(q, code);
    return false;
}

static void work(void *arg) {
    struct enqueuer *q = arg;
    for (;;) {
        bool resumes, ends = false;
        sl_mutex_lock(&q->mutex);
        struct waiting *w = take_message(q, &resumes);
        if (!w) {
            q->is_working = false;
            ends = q->is_gone && !q->has_ended;
            q->has_ended = q->has_ended || ends;
        }
        sl_mutex_unlock(&q->mutex);
        if (ends) end_soon(q, sl_fail(&q->err, SL_CANCELLED, "The peer has gone."));
        if (!w) break;
        if (resumes) sl_rpc_call_pause(q->call, false);
        const bool goes_on = work_on(q, w->body);
        sl_rpc_body_unref(w->body);
        sl_free(w);
        if (goes_on) continue;
        sl_mutex_lock(&q->mutex);
        q->has_ended = true;
        sl_mutex_unlock(&q->mutex);
    }
    release(q);
}

/* With the mutex: whether somebody has to be sent to work. */
static bool begins_work(struct enqueuer *q) {
    if (q->is_working || q->has_ended) return false;
    q->is_working = true;
    atomic_fetch_add(&q->holders, 1);
    return true;
}

static void message_came(struct sl_rpc_call *call, struct sl_rpc_body *body) {
    struct enqueuer *q = call->arg;
    struct waiting *w = sl_malloc(sizeof *w);
    bool pauses = false;
    sl_mutex_lock(&q->mutex);
    if (w) {
        *w = (struct waiting){NULL, body};
        *q->last = w;
        q->last = &w->next;
        q->n++;
        q->bytes += body ? body->bytes.n : 0;
        pauses = !q->is_paused && !q->has_ended && (q->n > MANY || q->bytes > MANY_BYTES);
        if (pauses) q->is_paused = true;
    } else {
        q->is_gone = true; /* it is told that it is cancelled */
        sl_rpc_body_unref(body);
    }
    const bool begins = begins_work(q);
    if (pauses) sl_rpc_call_pause(call, true);
    sl_mutex_unlock(&q->mutex);
    if (begins) sl_worker_spawn_step(q->service->worker, work, q);
}

static void start_gone(void *arg) {
    struct enqueuer *q = arg;
    sl_cancellation_start(q->gone, SL_CANCELLED, "The peer that asked for this has gone.");
    release(q);
}

/* The call must not end within this. */
static void peer_gone(struct sl_rpc_call *call, sl_code code) {
    struct enqueuer *q = call->arg;
    (void)code;
    atomic_fetch_add(&q->holders, 1);
    sl_mutex_lock(&q->mutex);
    q->is_gone = true;
    const bool begins = begins_work(q);
    sl_mutex_unlock(&q->mutex);
    sl_worker_spawn(q->service->worker, start_gone, q);
    if (begins) sl_worker_spawn_step(q->service->worker, work, q);
}

static struct enqueuer *enqueuer_new(struct sl_eager_service *s, struct sl_rpc_call *call, bool is_stream) {
    struct enqueuer *q = sl_calloc(1, sizeof *q);
    if (q && sl_cancellation_new(&q->gone, NULL, NULL) == SL_OK && enter(s)) {
        q->call = call;
        q->service = s;
        q->is_stream = is_stream;
        q->last = &q->first;
        q->end = (struct sl_net_timer){.due = end_stream, .arg = q};
        atomic_init(&q->holders, 1);
        sl_mutex_init(&q->mutex);
        call->arg = q;
        return q;
    }
    if (q) sl_cancellation_free(q->gone);
    sl_free(q);
    sl_rpc_call_fail(call, SL_UNAVAILABLE, "The server ends, or its memory is out.");
    return NULL;
}

static const struct sl_rpc_listener enqueuer_listener = {.gone = peer_gone, .message = message_came};

static void streaming_enqueue(void *service, struct sl_rpc_call *call) {
    if (enqueuer_new(service, call, true)) sl_rpc_call_listen(call, &enqueuer_listener);
}

static void enqueue(void *service, struct sl_rpc_call *call) {
    struct sl_rpc_body *body = call->body ? sl_rpc_body_ref(call->body) : NULL;
    if (!enqueuer_new(service, call, false)) {
        sl_rpc_body_unref(body);
        return;
    }
    sl_rpc_call_listen(call, &enqueuer_listener);
    message_came(call, body);
}

/* ---- the rest */

static void wait_queue_done(void *service, struct sl_rpc_call *call) {
    struct sl_pb_eager_WaitQueueDoneRequest request;
    struct sl_served_context *c;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(eager_WaitQueueDoneRequest), call, &arena)) {
        sl_code code = sl_eager_service_find(&c, service, request.context_id, &err);
        if (code == SL_OK) {
            if (request.op_id.n)
                code = sl_fail(&err, SL_UNIMPLEMENTED,
                               "EagerServiceImpl::WaitQueueDone is not implemented for particular op IDs.");
            sl_served_context_unref(c); /* what came before has been answered when it had run */
        }
        sl_service_close(call, code, &err);
    }
    sl_arena_clear(&arena);
}

static void run_component(void *service, struct sl_rpc_call *call) {
    struct sl_pb_eager_RunComponentFunctionRequest *request;
    struct sl_served_context *c;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    request = SL_ARENA_NEW(&arena, struct sl_pb_eager_RunComponentFunctionRequest);
    sl_code code = request ? sl_pb_decode(request, SL_PB_TYPE_OF(eager_RunComponentFunctionRequest),
                                          call->body ? call->body->bytes : SL_STR(""), &arena, &err)
                           : sl_fail_memory(&err, sizeof *request);
    if (code == SL_OK) code = sl_eager_service_find(&c, service, request->context_id, &err);
    if (code == SL_OK) {
        sl_served_run_component(c, request, &arena, call);
        sl_served_context_unref(c);
        return;
    }
    sl_rpc_call_fail(call, code, err.message);
    sl_arena_clear(&arena);
}

#define SPAWNED(spawn, name)                                                                                           \
    static void spawn_##name(void *service, struct sl_rpc_call *call) {                                                \
        spawn(((struct sl_eager_service *)service)->worker, name, service, call);                                      \
    }
SPAWNED(sl_service_spawn, create_context)
SPAWNED(sl_service_spawn, update_context)
SPAWNED(sl_service_spawn, close_context)
SPAWNED(sl_service_spawn_step, run_component)

#define METHOD(name, is_stream, called)                                                                                \
    { "/tensorflow.eager.EagerService/" name, is_stream, called }
const struct sl_rpc_method sl_eager_methods[] = {METHOD("CreateContext", false, spawn_create_context),
                                                 METHOD("UpdateContext", false, spawn_update_context),
                                                 METHOD("Enqueue", false, enqueue),
                                                 METHOD("StreamingEnqueue", true, streaming_enqueue),
                                                 METHOD("WaitQueueDone", false, wait_queue_done),
                                                 METHOD("RunComponentFunction", false, spawn_run_component),
                                                 METHOD("KeepAlive", false, keep_alive),
                                                 METHOD("CloseContext", false, spawn_close_context),
                                                 {NULL, false, NULL}};
