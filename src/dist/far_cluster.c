/* Joining a cluster: contexts at all its tasks, signs of life, the end; and messages to tasks. */
#include "dist/far_cluster.h"

#include <stdio.h>

#include "base/alloc.h"
#include "dist/far_state.h"
#include "dist/task_calls.h"
#include "dist/tensor_wire.h"
#include "dist/waited_call.h"
#include "dist/worker_state.h"

enum { CLOSE_NS = 1000000000, MEMBER_MS = 2000 }; /* a task that does not answer keeps nobody */

static struct sl_net *net_of(const struct sl_far_cluster *c) { return c->worker->options.cluster->net; }

/* ---- messages */

sl_code sl_far_call(struct sl_rpc_body **answer, struct sl_far_cluster *c, int task, const char *path,
                    struct sl_rpc_message *m, struct sl_error *err) {
    struct sl_worker_session *session = sl_served_session(c->own);
    struct sl_rpc_channel *channel;
    struct sl_cluster *cluster = sl_worker_session_cluster(session);
    sl_code code = sl_cluster_channel(&channel, cluster, task, err);
    if (code == SL_OK) code = sl_waited_task_call(answer, channel, cluster, task, path, m, err);
    else sl_rpc_message_clear(m);
    sl_worker_session_unref(session);
    return code;
}

/* What has been dropped and removed, as items; in `arena`. The task's lists are empty then. */
static sl_code take_dropped(struct sl_pb_eager_QueueItem **items, size_t *n, struct sl_far_cluster *c, int task,
                            struct sl_arena *arena, struct sl_error *err) {
    struct sl_far_task *t = &c->tasks[task];
    const size_t most = t->dropped.n + t->removed.n;
    *n = 0;
    *items = SL_ARENA_ARRAY(arena, struct sl_pb_eager_QueueItem, most + 1);
    struct sl_pb_eager_RemoteTensorHandle *handles =
        SL_ARENA_ARRAY(arena, struct sl_pb_eager_RemoteTensorHandle, most + 1);
    struct sl_pb_eager_RemoveFunctionOp *removals =
        SL_ARENA_ARRAY(arena, struct sl_pb_eager_RemoveFunctionOp, most + 1);
    if (!*items || !handles || !removals) return sl_fail_memory(err, most * sizeof **items);
    for (size_t i = 0; i < t->dropped.n; i++) {
        handles[i].op_id = t->dropped.items[i].op;
        handles[i].output_num = t->dropped.items[i].output;
        (*items)[(*n)++] = (struct sl_pb_eager_QueueItem){.which = SL_PB_eager_QueueItem_handle_to_decref,
                                                          .handle_to_decref = &handles[i]};
    }
    for (size_t i = 0; i < t->removed.n; i++) {
        removals[i].function_name = sl_arena_str(arena, sl_str_of(t->removed.items[i]));
        (*items)[(*n)++] = (struct sl_pb_eager_QueueItem){.which = SL_PB_eager_QueueItem_remove_function,
                                                          .remove_function = &removals[i]};
        sl_free(t->removed.items[i]);
    }
    t->dropped.n = t->removed.n = 0;
    return SL_OK;
}

static sl_code send_queue(struct sl_pb_eager_EnqueueResponse *answer, struct sl_far_cluster *c, int task,
                          const struct sl_pb_eager_QueueItem *items, size_t n, struct sl_arena *arena,
                          struct sl_error *err) {
    const struct sl_pb_eager_EnqueueRequest request = {.context_id = c->id,
                                                       .queue = {(struct sl_pb_eager_QueueItem *)items, n}};
    struct sl_rpc_message m = {.n = 0};
    struct sl_rpc_body *body;
    SL_TRY(sl_wire_add_message(&m, SL_PB_TYPE_OF(eager_EnqueueRequest), &request, err));
    SL_TRY(sl_far_call(&body, c, task, "/tensorflow.eager.EagerService/Enqueue", &m, err));
    struct sl_str bytes = sl_arena_str(arena, body->bytes);
    sl_rpc_body_unref(body);
    if (!bytes.p) return sl_fail_memory(err, bytes.n);
    SL_TRY(sl_pb_decode(answer, SL_PB_TYPE_OF(eager_EnqueueResponse), bytes, arena, err));
    if (answer->queue_response.n == n) return SL_OK;
    return sl_fail(err, SL_INTERNAL, "%zu items were sent, and %zu answered", n, answer->queue_response.n);
}

/* A queue of its own: what is wrong with it is no error of what follows. */
sl_code sl_far_enqueue(struct sl_pb_eager_EnqueueResponse *answer, struct sl_far_cluster *c, int task,
                       const struct sl_pb_eager_QueueItem *items, size_t n, struct sl_arena *arena,
                       struct sl_error *err) {
    struct sl_pb_eager_QueueItem *dropped;
    size_t n_dropped;
    sl_mutex_lock(&c->mutex);
    const bool has_ended = c->has_ended, is_member = task < c->n_tasks && c->tasks[task].is_member;
    sl_code code = is_member ? take_dropped(&dropped, &n_dropped, c, task, arena, err) : SL_OK;
    sl_mutex_unlock(&c->mutex);
    SL_TRY(code);
    if (has_ended) return sl_fail(err, SL_CANCELLED, "The context has ended.");
    if (!is_member) return sl_fail(err, SL_UNAVAILABLE, "The task is no member of the cluster any more.");
    if (n_dropped && send_queue(answer, c, task, dropped, n_dropped, arena, err) == SL_UNAVAILABLE)
        return SL_UNAVAILABLE;
    return send_queue(answer, c, task, items, n, arena, err);
}

/* ---- functions */

static bool knows(struct sl_far_cluster *c, int task, struct sl_str name) {
    sl_mutex_lock(&c->mutex);
    const bool known = sl_str_map_get(&c->tasks[task].functions, name) != NULL;
    sl_mutex_unlock(&c->mutex);
    return known;
}

static sl_code note_known(struct sl_far_cluster *c, int task, struct sl_str name, struct sl_error *err) {
    char *copy = sl_malloc(name.n + 1);
    if (!copy) return sl_fail_memory(err, name.n);
    memcpy(copy, name.p, name.n);
    copy[name.n] = 0;
    sl_mutex_lock(&c->mutex);
    struct sl_str_map *known = &c->tasks[task].functions;
    const bool is_new = !sl_str_map_get(known, name);
    const bool failed = is_new && sl_str_map_put(known, (struct sl_str){copy, name.n}, copy);
    sl_mutex_unlock(&c->mutex);
    if (!is_new || failed) sl_free(copy);
    return failed ? sl_fail_memory(err, name.n) : SL_OK;
}

static sl_code read_library(struct sl_pb_FunctionDefLibrary *out, struct sl_far_cluster *c, const struct sl_str *names,
                            size_t n, struct sl_arena *arena, struct sl_error *err) {
    struct sl_runtime *r = c->context->runtime;
    struct sl_str bytes;
    sl_mutex_lock(&r->library_mutex);
    sl_code code = sl_graph_write_library(&bytes, r->library, names, (int)n, arena, err);
    sl_mutex_unlock(&r->library_mutex);
    return code == SL_OK ? sl_pb_decode(out, SL_PB_TYPE_OF(FunctionDefLibrary), bytes, arena, err) : code;
}

sl_code sl_far_send_functions(struct sl_far_cluster *c, int task, const struct sl_str *names, size_t n,
                              struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_FunctionDefLibrary library, none = {.unknown = NULL};
    struct sl_pb_eager_EnqueueResponse answer;
    bool all = true;
    for (size_t i = 0; i < n; i++) all = all && knows(c, task, names[i]);
    if (all) return SL_OK;
    SL_TRY(read_library(&library, c, names, n, arena, err));
    struct sl_pb_eager_QueueItem *items = SL_ARENA_ARRAY(arena, struct sl_pb_eager_QueueItem, library.function.n + 1);
    struct sl_pb_eager_RegisterFunctionOp *ops =
        SL_ARENA_ARRAY(arena, struct sl_pb_eager_RegisterFunctionOp, library.function.n + 1);
    size_t n_items = 0;
    if (!items || !ops) return sl_fail_memory(err, library.function.n * sizeof *items);
    for (size_t i = 0; i < library.function.n; i++) {
        struct sl_pb_FunctionDef *f = &library.function.items[i];
        if (knows(c, task, f->signature->name)) continue;
        ops[n_items] = (struct sl_pb_eager_RegisterFunctionOp){.function_def = f, .library = &none};
        items[n_items] = (struct sl_pb_eager_QueueItem){.which = SL_PB_eager_QueueItem_register_function,
                                                        .register_function = &ops[n_items]};
        n_items++;
    }
    SL_TRY(sl_far_enqueue(&answer, c, task, items, n_items, arena, err));
    for (size_t i = 0; i < n_items; i++) SL_TRY(note_known(c, task, ops[i].function_def->signature->name, err));
    return SL_OK;
}

static void forget(struct sl_eager_cluster *self, struct sl_str function) {
    struct sl_far_cluster *c = (struct sl_far_cluster *)self;
    struct sl_spread *spread = sl_served_spread(c->own);
    sl_spread_forget(spread, function);
    sl_spread_unref(spread);
    sl_mutex_lock(&c->mutex);
    for (int t = 0; t < c->n_tasks; t++) {
        char *name = sl_str_map_remove(&c->tasks[t].functions, function);
        if (name && sl_vec_push(&c->tasks[t].removed, name)) sl_free(name); /* it stays there until the end */
    }
    sl_mutex_unlock(&c->mutex);
}

/* ---- calls to all tasks */

struct all_tasks {
    struct sl_task_calls calls;
    struct sl_mutex mutex;
    struct sl_condition ended;
    bool has_ended;
};

static void all_ended(struct sl_task_calls *calls) {
    struct all_tasks *all = calls->arg;
    sl_mutex_lock(&all->mutex);
    all->has_ended = true;
    sl_condition_signal(&all->ended);
    sl_mutex_unlock(&all->mutex);
}

static sl_code all_init(struct all_tasks *all, struct sl_cluster *cluster, struct sl_error *err) {
    *all = (struct all_tasks){.has_ended = false};
    sl_mutex_init(&all->mutex);
    sl_condition_init(&all->ended);
    sl_code code = sl_task_calls_init(&all->calls, cluster, cluster->n, err);
    all->calls.done = all_ended;
    all->calls.arg = all;
    return code;
}

static void all_run(struct all_tasks *all) {
    sl_task_calls_start(&all->calls);
    sl_mutex_lock(&all->mutex);
    while (!all->has_ended) sl_condition_wait(&all->ended, &all->mutex);
    sl_mutex_unlock(&all->mutex);
}

static void all_clear(struct all_tasks *all) {
    sl_task_calls_clear(&all->calls);
    sl_condition_clear(&all->ended);
    sl_mutex_clear(&all->mutex);
}

static int64_t deadline(const struct sl_cluster *cluster, int64_t timeout_ms) {
    return timeout_ms > 0 ? sl_net_now(cluster->net) + timeout_ms * 1000000 : 0;
}

/* ---- the devices of all tasks */

static bool has_been_member(const struct sl_far_cluster *c, int task) {
    return task < c->n_tasks && c->tasks[task].has_been_member;
}

/* Tasks that have been members may have gone: nobody waits for them, and they have no devices. */
static sl_code told_status(const struct sl_far_cluster *c, const struct sl_task_calls *calls, struct sl_error *err) {
    for (int i = 0; i < calls->n; i++)
        if (calls->calls[i].code != SL_OK && !has_been_member(c, calls->calls[i].task))
            return sl_task_calls_status(calls, err);
    return SL_OK;
}

static sl_code read_status(struct sl_pb_GetStatusResponse *out, const struct sl_task_call *call, struct sl_arena *arena,
                           struct sl_error *err) {
    if (call->code != SL_OK) return SL_OK;
    struct sl_str bytes = sl_arena_str(arena, call->body->bytes);
    return bytes.p ? sl_pb_decode(out, SL_PB_TYPE_OF(GetStatusResponse), bytes, arena, err)
                   : sl_fail_memory(err, bytes.n);
}

static sl_code ask_devices(struct sl_pb_array_DeviceAttributes *out, const struct sl_far_cluster *c,
                           struct sl_cluster *cluster, int64_t timeout_ms, struct sl_arena *arena,
                           struct sl_error *err) {
    const struct sl_device_set *own = &c->context->runtime->devices;
    struct all_tasks all;
    sl_code code = all_init(&all, cluster, err);
    size_t total = 0;
    for (int t = 0; t < cluster->n && code == SL_OK; t++) {
        struct sl_rpc_message m = {.n = 0};
        const bool may_lack = has_been_member(c, t);
        if (t != cluster->own)
            sl_task_calls_add(&all.calls, t, "/tensorflow.WorkerService/GetStatus", &m,
                              deadline(cluster, may_lack ? (int64_t)MEMBER_MS : timeout_ms), !may_lack);
    }
    if (code == SL_OK) {
        all_run(&all);
        code = told_status(c, &all.calls, err);
    }
    struct sl_pb_GetStatusResponse *told = SL_ARENA_ARRAY(arena, struct sl_pb_GetStatusResponse, (size_t)cluster->n);
    if (code == SL_OK && !told) code = sl_fail_memory(err, (size_t)cluster->n * sizeof *told);
    for (int i = 0; i < all.calls.n && code == SL_OK; i++) {
        code = read_status(&told[i], &all.calls.calls[i], arena, err);
        total += code == SL_OK ? told[i].device_attributes.n : 0;
    }
    struct sl_pb_array_DeviceAttributes mine;
    if (code == SL_OK) code = sl_devices_to_proto(&mine, own, 0, own->n, arena, err);
    if (code == SL_OK) {
        out->items = SL_ARENA_ARRAY(arena, struct sl_pb_DeviceAttributes, total + mine.n + 1);
        if (!out->items) code = sl_fail_memory(err, total * sizeof *out->items);
    }
    out->n = 0;
    for (int i = 0; i < all.calls.n && code == SL_OK; i++)
        for (size_t d = 0; d < told[i].device_attributes.n; d++) {
            struct sl_device_name name;
            struct sl_pb_DeviceAttributes *device = &out->items[out->n];
            *device = told[i].device_attributes.items[d];
            if (sl_device_parse(&name, device->name, NULL) != SL_OK) continue;
            /* the task may have another name for itself */
            const struct sl_cluster_task *task = &cluster->tasks[all.calls.calls[i].task];
            device->name = sl_str_of(sl_arena_format(arena, "%s/device:%s:%d", task->name, name.type, name.id));
            if (!device->name.p) code = sl_fail_memory(err, sizeof name);
            else out->n++;
        }
    for (size_t d = 0; d < mine.n && code == SL_OK; d++) out->items[out->n++] = mine.items[d];
    all_clear(&all);
    return code;
}

/* ---- contexts at all tasks */

static sl_code write_creation(struct sl_rpc_message *m, const struct sl_far_cluster *c,
                              const struct sl_pb_ServerDef *def, const struct sl_cluster_task *task,
                              const struct sl_pb_array_DeviceAttributes *devices, bool clears, struct sl_error *err) {
    struct sl_pb_ServerDef theirs = *def;
    theirs.job_name = sl_str_of(task->parsed.job);
    theirs.task_index = task->parsed.task;
    theirs.port = 0;
    const struct sl_pb_eager_CreateContextRequest request = {.server_def = &theirs,
                                                             .keep_alive_secs = c->keep_alive_secs,
                                                             .cluster_device_attributes = *devices,
                                                             .context_id = c->id,
                                                             .context_view_id = c->view_id,
                                                             .lazy_copy_remote_function_inputs = true,
                                                             .clear_existing_contexts = clears};
    return sl_wire_add_message(m, SL_PB_TYPE_OF(eager_CreateContextRequest), &request, err);
}

static sl_code write_update(struct sl_rpc_message *m, const struct sl_far_cluster *c, const struct sl_pb_ServerDef *def,
                            const struct sl_cluster_task *task, const struct sl_pb_array_DeviceAttributes *devices,
                            uint64_t view_id, struct sl_error *err) {
    struct sl_pb_ServerDef theirs = *def;
    theirs.job_name = sl_str_of(task->parsed.job);
    theirs.task_index = task->parsed.task;
    theirs.port = 0;
    const struct sl_pb_eager_UpdateContextRequest request = {.server_def = &theirs,
                                                             .cluster_device_attributes = *devices,
                                                             .context_id = c->id,
                                                             .context_view_id = view_id};
    return sl_wire_add_message(m, SL_PB_TYPE_OF(eager_UpdateContextRequest), &request, err);
}

/* 0: the task has not answered. */
static uint64_t incarnation_of(const struct sl_cluster *cluster, int task,
                               const struct sl_pb_array_DeviceAttributes *devices) {
    for (size_t d = 0; d < devices->n; d++)
        if (sl_cluster_find(cluster, devices->items[d].name) == task) return devices->items[d].incarnation;
    return 0;
}

static void become_member(struct sl_far_task *task, uint64_t incarnation, uint64_t view_id) {
    task->is_member = task->has_been_member = true;
    task->incarnation = incarnation;
    task->view_id = view_id;
}

/* What has been told is not told again, also where another task has failed. */
static void note_told(struct sl_far_cluster *c, const struct sl_task_calls *calls,
                      const struct sl_pb_array_DeviceAttributes *devices) {
    sl_mutex_lock(&c->mutex);
    for (int i = 0; i < calls->n; i++) {
        const int t = calls->calls[i].task;
        if (calls->calls[i].code != SL_OK || t >= c->n_tasks) continue;
        if (c->tasks[t].is_member) c->tasks[t].view_id++;
        else become_member(&c->tasks[t], incarnation_of(calls->cluster, t, devices), c->view_id);
    }
    sl_mutex_unlock(&c->mutex);
}

/* Those that are members are told of the others, the others become members. */
static sl_code tell_tasks(struct sl_far_cluster *c, struct sl_cluster *cluster, const struct sl_pb_ServerDef *def,
                          const struct sl_pb_array_DeviceAttributes *devices, const struct sl_eager_joining *how,
                          struct sl_error *err) {
    struct all_tasks all;
    sl_code code = all_init(&all, cluster, err);
    for (int t = 0; t < cluster->n && code == SL_OK; t++) {
        struct sl_rpc_message m = {.n = 0};
        if (t == cluster->own || !incarnation_of(cluster, t, devices)) continue;
        const bool is_member = t < c->n_tasks && c->tasks[t].is_member;
        code = is_member ? write_update(&m, c, def, &cluster->tasks[t], devices, c->tasks[t].view_id + 1, err)
                         : write_creation(&m, c, def, &cluster->tasks[t], devices, how->clears, err);
        if (code == SL_OK)
            sl_task_calls_add(&all.calls, t,
                              is_member ? "/tensorflow.eager.EagerService/UpdateContext"
                                        : "/tensorflow.eager.EagerService/CreateContext",
                              &m, deadline(cluster, how->timeout_ms), true);
        else sl_rpc_message_clear(&m);
    }
    if (code == SL_OK) {
        all_run(&all);
        note_told(c, &all.calls, devices);
        code = sl_task_calls_status(&all.calls, err);
    }
    all_clear(&all);
    return code;
}

/* ---- signs of life */

struct beat {
    struct sl_task_calls calls;
    struct sl_far_cluster *cluster;
    struct sl_worker_session *session;
};

static void free_beat(void *arg) {
    struct beat *b = arg;
    struct sl_far_cluster *c = b->cluster;
    sl_task_calls_clear(&b->calls);
    sl_worker_session_unref(b->session);
    sl_free(b);
    sl_mutex_lock(&c->mutex);
    c->n_beats--;
    sl_condition_broadcast(&c->quiet);
    sl_mutex_unlock(&c->mutex);
}

static void beat_done(struct sl_task_calls *calls) {
    struct beat *b = calls->arg;
    sl_worker_spawn(b->session->worker, free_beat, b);
}

static sl_code write_alive(struct sl_rpc_message *m, const char *path, uint64_t id, uint64_t view_id,
                           struct sl_error *err) {
    const struct sl_pb_eager_KeepAliveRequest alive = {.context_id = id};
    const struct sl_pb_eager_CloseContextRequest close = {.context_id = id, .context_view_id = view_id};
    return strstr(path, "KeepAlive") ? sl_wire_add_message(m, SL_PB_TYPE_OF(eager_KeepAliveRequest), &alive, err)
                                     : sl_wire_add_message(m, SL_PB_TYPE_OF(eager_CloseContextRequest), &close, err);
}

static void add_to_all(struct sl_task_calls *calls, struct sl_far_cluster *c, const char *path) {
    for (int t = 0; t < calls->cluster->n; t++) {
        struct sl_rpc_message m = {.n = 0};
        if (t == calls->cluster->own || t >= c->n_tasks || !c->tasks[t].is_member) continue;
        if (write_alive(&m, path, c->id, c->view_id, NULL) == SL_OK)
            sl_task_calls_add(calls, t, path, &m, sl_net_now(net_of(c)) + CLOSE_NS, false);
        else sl_rpc_message_clear(&m);
    }
}

/* With the mutex. */
static void set_timer(struct sl_far_cluster *c) {
    if (!c->has_ended && c->keep_alive_secs > 0)
        sl_net_set_timer(net_of(c), &c->timer, sl_net_now(net_of(c)) + c->keep_alive_secs * 500000000);
}

static void give_life(void *arg) {
    struct sl_far_cluster *c = arg;
    struct beat *b = sl_calloc(1, sizeof *b);
    struct sl_worker_session *session = sl_served_session(c->own);
    struct sl_cluster *cluster = sl_worker_session_cluster(session);
    sl_mutex_lock(&c->mutex);
    const bool beats = b && !c->has_ended && sl_task_calls_init(&b->calls, cluster, cluster->n, NULL) == SL_OK;
    if (beats) {
        b->cluster = c;
        b->session = session;
        b->calls.done = beat_done;
        b->calls.arg = b;
        add_to_all(&b->calls, c, "/tensorflow.eager.EagerService/KeepAlive");
    }
    set_timer(c);
    if (!beats) {
        c->n_beats--;
        sl_condition_broadcast(&c->quiet);
    }
    sl_mutex_unlock(&c->mutex);
    if (beats) {
        sl_task_calls_start(&b->calls);
        return;
    }
    sl_free(b);
    sl_worker_session_unref(session);
}

static void beat_due(struct sl_net_timer *timer) {
    struct sl_far_cluster *c = timer->arg;
    sl_mutex_lock(&c->mutex);
    const bool has_ended = c->has_ended;
    c->n_beats += !has_ended;
    sl_mutex_unlock(&c->mutex);
    if (!has_ended) sl_worker_spawn(c->worker, give_life, c);
}

/* ---- the end */

/* What is known of it is of no use any more. */
static void free_task(struct sl_far_task *t) {
    for (struct sl_str_map_entry *e = sl_str_map_first(&t->functions); e; e = sl_str_map_next(&t->functions, e))
        sl_free(e->value);
    sl_str_map_free(&t->functions);
    for (size_t i = 0; i < t->removed.n; i++) sl_free(t->removed.items[i]);
    sl_vec_free(&t->removed);
    sl_vec_free(&t->dropped);
}

void sl_far_cluster_unref(struct sl_far_cluster *c) {
    if (!c || atomic_fetch_sub(&c->references, 1) != 1) return;
    for (int t = 0; t < c->n_tasks; t++) free_task(&c->tasks[t]);
    sl_free(c->tasks);
    sl_cancellation_free(c->end);
    sl_condition_clear(&c->quiet);
    sl_mutex_clear(&c->mutex);
    sl_free(c);
}

static void close_contexts(struct sl_far_cluster *c) {
    struct sl_worker_session *session = sl_served_session(c->own);
    struct all_tasks all;
    if (all_init(&all, sl_worker_session_cluster(session), NULL) == SL_OK) {
        sl_mutex_lock(&c->mutex);
        add_to_all(&all.calls, c, "/tensorflow.eager.EagerService/CloseContext");
        sl_mutex_unlock(&c->mutex);
        all_run(&all);
    }
    all_clear(&all);
    sl_worker_session_unref(session);
}

static void end_cluster(struct sl_eager_cluster *self) {
    struct sl_far_cluster *c = (struct sl_far_cluster *)self;
    sl_mutex_lock(&c->mutex);
    c->has_ended = true;
    sl_mutex_unlock(&c->mutex);
    if (c->worker) sl_net_cancel_timer(net_of(c), &c->timer);
    sl_mutex_lock(&c->mutex);
    while (c->n_beats) sl_condition_wait(&c->quiet, &c->mutex);
    sl_mutex_unlock(&c->mutex);
    if (c->own) {
        close_contexts(c);
        sl_served_context_close(c->own);
        sl_served_context_unref(c->own);
    }
    sl_dist_server_free(c->server);
    c->own = NULL;
    c->context = NULL;
    sl_far_cluster_unref(c);
}

/* ---- joining */

static const struct sl_eager_cluster_methods methods;

static sl_code add_devices(struct sl_far_cluster *c, struct sl_error *err) {
    struct sl_spread *spread = sl_served_spread(c->own);
    struct sl_worker_session *session = sl_served_session(c->own);
    const struct sl_cluster *cluster = sl_worker_session_cluster(session);
    sl_code code = spread ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "the cluster has one task");
    for (int d = 0; code == SL_OK && d < spread->front->devices.n; d++) {
        const struct sl_device *device = &spread->front->devices.items[d];
        const int task = sl_cluster_find(cluster, sl_str_of(device->name));
        if (task >= 0 && task != cluster->own) code = sl_far_device_add(c, device, task, err);
    }
    if (code == SL_OK) c->base.devices = &spread->front->devices; /* the context's own holds it until the next update */
    sl_worker_session_unref(session);
    sl_spread_unref(spread);
    return code;
}

static sl_code set_members(struct sl_far_cluster *c, const struct sl_cluster *cluster,
                           const struct sl_pb_array_DeviceAttributes *devices, struct sl_error *err) {
    sl_mutex_lock(&c->mutex);
    struct sl_far_task *tasks = sl_calloc((size_t)cluster->n, sizeof *tasks);
    for (int t = 0; tasks && t < c->n_tasks; t++) {
        if (t < cluster->n) tasks[t] = c->tasks[t];
        else free_task(&c->tasks[t]);
    }
    if (tasks) {
        sl_free(c->tasks);
        c->tasks = tasks;
        c->n_tasks = cluster->n;
        for (int t = 0; t < cluster->n; t++) {
            const uint64_t told = t == cluster->own ? 0 : incarnation_of(cluster, t, devices);
            if (told && !tasks[t].is_member) become_member(&tasks[t], told, c->view_id);
        }
    }
    sl_mutex_unlock(&c->mutex);
    return tasks ? SL_OK : sl_fail_memory(err, (size_t)cluster->n * sizeof *tasks);
}

static sl_code start_server(struct sl_far_cluster *c, struct sl_net *net, const struct sl_pb_ServerDef *def,
                            struct sl_error *err) {
    const struct sl_device *own = &c->context->runtime->devices.items[0];
    const struct sl_dist_server_options options = {.registries = c->context->runtime->registries,
                                                   .net = net,
                                                   .def = def,
                                                   .incarnation = own->incarnation};
    SL_TRY(sl_dist_server_new(&c->server, &options, err));
    c->worker = sl_dist_server_worker(c->server);
    return SL_OK;
}

static sl_code join_tasks(struct sl_far_cluster *c, struct sl_net *net, const struct sl_pb_ServerDef *def,
                          const struct sl_eager_joining *how, struct sl_arena *arena, struct sl_error *err) {
    struct sl_served_spec spec = {.eager = c->context, .server = def};
    SL_TRY(sl_cancellation_new(&c->end, NULL, err));
    SL_TRY(start_server(c, net, def, err));
    struct sl_cluster *cluster = c->worker->options.cluster;
    c->id = sl_id_source_next(&c->worker->ids);
    SL_TRY(ask_devices(&spec.devices, c, cluster, how->timeout_ms, arena, err));
    spec.id = c->id;
    SL_TRY(sl_served_context_new(&c->own, c->worker, &spec, err));
    SL_TRY(tell_tasks(c, cluster, def, &spec.devices, how, err));
    SL_TRY(set_members(c, cluster, &spec.devices, err));
    SL_TRY(add_devices(c, err));
    sl_mutex_lock(&c->mutex);
    set_timer(c);
    sl_mutex_unlock(&c->mutex);
    return SL_OK;
}

static struct sl_far_cluster *cluster_new(struct sl_eager_context *context, const struct sl_eager_joining *how) {
    struct sl_far_cluster *c = sl_calloc(1, sizeof *c);
    if (!c) return NULL;
    c->base.methods = &methods;
    c->context = context;
    c->keep_alive_secs = how->keep_alive_secs;
    c->timer = (struct sl_net_timer){.due = beat_due, .arg = c};
    atomic_init(&c->references, 1);
    sl_mutex_init(&c->mutex);
    sl_condition_init(&c->quiet);
    return c;
}

sl_code sl_far_cluster_join(struct sl_eager_context *context, struct sl_net *net, struct sl_str bytes,
                            const struct sl_eager_joining *how, struct sl_error *err) {
    struct sl_pb_ServerDef def;
    struct sl_arena arena;
    if (context->cluster)
        return sl_fail(err, SL_FAILED_PRECONDITION, "The context is a member of a cluster, which may be updated.");
    struct sl_far_cluster *c = cluster_new(context, how);
    if (!c) return sl_fail_memory(err, sizeof *c);
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&def, SL_PB_TYPE_OF(ServerDef), bytes, &arena, err);
    if (code == SL_OK) code = join_tasks(c, net, &def, how, &arena, err);
    if (code == SL_OK) context->cluster = &c->base;
    else end_cluster(&c->base);
    sl_arena_clear(&arena);
    return code;
}

/* ---- another cluster */

/* Members that are other processes now know nothing of this context. Those that do not answer may be cut off. */
static void drop_gone(struct sl_far_cluster *c, const struct sl_cluster *cluster,
                      const struct sl_pb_array_DeviceAttributes *devices) {
    sl_mutex_lock(&c->mutex);
    for (int t = 0; t < c->n_tasks && t < cluster->n; t++) {
        struct sl_far_task *task = &c->tasks[t];
        const uint64_t told = incarnation_of(cluster, t, devices);
        if (!task->is_member || !told || told == task->incarnation) continue;
        free_task(task);
        *task = (struct sl_far_task){.has_been_member = true};
    }
    sl_mutex_unlock(&c->mutex);
}

static sl_code update_with(struct sl_far_cluster *c, const struct sl_pb_ServerDef *def, struct sl_arena *arena,
                           struct sl_error *err) {
    static const struct sl_eager_joining how = {.timeout_ms = 60000};
    struct sl_pb_array_DeviceAttributes devices;
    struct sl_cluster *cluster;
    SL_TRY(sl_cluster_new(&cluster, net_of(c), def->cluster, def->job_name, def->task_index, err));
    sl_code code = ask_devices(&devices, c, cluster, how.timeout_ms, arena, err);
    if (code == SL_OK) drop_gone(c, cluster, &devices);
    c->view_id++;
    if (code == SL_OK) code = sl_served_set_cluster(c->own, def, &devices, err);
    if (code == SL_OK) code = tell_tasks(c, cluster, def, &devices, &how, err);
    if (code == SL_OK) code = set_members(c, cluster, &devices, err);
    if (code == SL_OK) code = add_devices(c, err);
    sl_cluster_free(cluster);
    return code;
}

static sl_code update(struct sl_eager_cluster *self, struct sl_str bytes, struct sl_error *err) {
    struct sl_pb_ServerDef def;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&def, SL_PB_TYPE_OF(ServerDef), bytes, &arena, err);
    if (code == SL_OK) code = update_with((struct sl_far_cluster *)self, &def, &arena, err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code check_alive(struct sl_eager_cluster *self, struct sl_str name, struct sl_error *err) {
    struct sl_far_cluster *c = (struct sl_far_cluster *)self;
    struct sl_worker_session *session = sl_served_session(c->own);
    const struct sl_cluster *cluster = sl_worker_session_cluster(session);
    const int task = sl_cluster_find(cluster, name), own = cluster->own;
    sl_worker_session_unref(session);
    struct sl_rpc_message m = {.n = 0};
    struct sl_rpc_body *body;
    if (task < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "There is no worker '%.*s'", SL_STR_ARG(name));
    if (task == own) return SL_OK;
    SL_TRY(write_alive(&m, "KeepAlive", c->id, 0, err));
    SL_TRY(sl_far_call(&body, c, task, "/tensorflow.eager.EagerService/KeepAlive", &m, err));
    sl_rpc_body_unref(body);
    return SL_OK;
}

static const struct sl_eager_cluster_methods methods = {
    .free = end_cluster, .update = update, .check_alive = check_alive, .call = sl_far_call_function, .forget = forget};
