/* One step of a worker. It has ended when its nodes have, when nothing is under way from other tasks, and when what the
 * caller receives has come: `left` counts these. Whatever fails first is the step's error; it aborts the rendezvous, so
 * that other tasks hear of it, and cancels the nodes. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "dist/task_watch.h"
#include "dist/tensor_wire.h"
#include "dist/worker_state.h"
#include "os/clock.h"

static const char derived[] = "[_Derived_]"; /* an error that follows from another one; as TensorFlow marks it */

/* ---- the end */

static void leave_session(struct sl_worker_step *step) {
    struct sl_worker_session *session = step->graph->session;
    sl_mutex_lock(&session->mutex);
    *step->at = step->next;
    if (step->next) step->next->at = step->at;
    sl_mutex_unlock(&session->mutex);
}

static void end_step(struct sl_worker_step *step) {
    struct sl_error err = step->err;
    sl_code code = step->is_failed ? err.code : SL_OK;
    leave_session(step);
    for (size_t i = 0; i < step->n_receives && code != SL_OK; i++) sl_value_clear(&step->receives[i].value);
    sl_step_rendezvous_leave(step->rendezvous);
    sl_step_rendezvous_unref(step->rendezvous);
    sl_runtime_end_step(&step->env);
    step->done(step, code, &err);
}

void sl_worker_step_clear(struct sl_worker_step *step) {
    sl_worker_arrivals_free(step->arrivals);
    sl_mutex_clear(&step->mutex);
}

void sl_worker_step_abandon(struct sl_worker_step *step) {
    leave_session(step);
    sl_step_rendezvous_unref(step->rendezvous);
    sl_runtime_end_step(&step->env);
    sl_mutex_clear(&step->mutex);
}

static void count_down(struct sl_worker_step *step) {
    sl_mutex_lock(&step->mutex);
    bool is_last = --step->left == 0;
    sl_mutex_unlock(&step->mutex);
    if (is_last) end_step(step);
}

static void cancel_fetches(struct sl_worker_step *step);

/* The first failure counts. Who calls this is counted in `left`. */
static void fail_step(struct sl_worker_step *step, sl_code code, const char *text) {
    sl_mutex_lock(&step->mutex);
    bool is_first = !step->is_failed;
    if (is_first) {
        step->is_failed = true;
        sl_fail(&step->err, code, "%s", text);
    }
    sl_mutex_unlock(&step->mutex);
    if (!is_first) return;
    sl_step_rendezvous_abort(step->rendezvous, code, text);
    sl_cancellation_start(step->env.cancellation, code, text);
    cancel_fetches(step);
}

/* ---- values from other tasks */

struct sl_worker_fetch {
    struct sl_rpc_request request;
    struct sl_worker_step *step;
    struct sl_worker_fetch *next, **at; /* of the step, while it is under way */
    struct sl_rpc_channel *channel;     /* once it may be cancelled; guarded */
    bool has_ended;
    unsigned holders; /* the call, and who began it; guarded */
    struct sl_task_watcher watcher;
    sl_code gone; /* why the task has gone, with the text; SL_OK: it has not. Guarded */
    char gone_text[256];
    struct sl_shared_block *block; /* that it may come in; NULL: none */
    int64_t begun_us;
    size_t n;
    char key[];
};

static void fetch_release(struct sl_worker_fetch *fetch) {
    struct sl_worker_step *step = fetch->step;
    sl_mutex_lock(&step->mutex);
    bool is_last = --fetch->holders == 0;
    if (is_last) {
        *fetch->at = fetch->next;
        if (fetch->next) fetch->next->at = fetch->at;
    }
    sl_mutex_unlock(&step->mutex);
    if (!is_last) return;
    sl_free(fetch);
    count_down(step);
}

static void cancel_fetches(struct sl_worker_step *step) {
    sl_mutex_lock(&step->mutex);
    for (struct sl_worker_fetch *f = step->fetches; f; f = f->next)
        if (f->channel && !f->has_ended) sl_rpc_channel_cancel(f->channel, &f->request);
    sl_mutex_unlock(&step->mutex);
}

/* For the trace or the log. Without memory it is not told. */
static void note_arrival(struct sl_worker_fetch *fetch, size_t bytes) {
    struct sl_worker_step *step = fetch->step;
    struct sl_worker_arrival *a = step->notes_arrivals ? sl_malloc(sizeof *a + fetch->n) : NULL;
    if (!a) return;
    *a = (struct sl_worker_arrival){.begun_us = fetch->begun_us,
                                    .ended_us = sl_wall_us(),
                                    .bytes = bytes,
                                    .n = fetch->n};
    memcpy(a->key, fetch->key, fetch->n);
    sl_mutex_lock(&step->mutex);
    a->next = step->arrivals;
    step->arrivals = a;
    sl_mutex_unlock(&step->mutex);
}

/* The value does not come any more. */
static void sender_gone(struct sl_task_watcher *watcher, sl_code code, const char *text) {
    struct sl_worker_fetch *fetch =
        (struct sl_worker_fetch *)(void *)((char *)watcher - offsetof(struct sl_worker_fetch, watcher));
    sl_mutex_lock(&fetch->step->mutex);
    fetch->gone = code;
    (void)snprintf(fetch->gone_text, sizeof fetch->gone_text, "%s", text);
    if (fetch->channel && !fetch->has_ended) sl_rpc_channel_cancel(fetch->channel, &fetch->request);
    sl_mutex_unlock(&fetch->step->mutex);
}

/* What to offer the next time. Who has had a block and did not write into it does not know of them. */
static void note_size(struct sl_worker_fetch *fetch, const struct sl_value *value) {
    atomic_size_t *last = sl_shared_size_of(&fetch->step->graph->sizes, (struct sl_str){fetch->key, fetch->n});
    size_t bytes = value->kind == SL_VALUE_TENSOR ? value->tensor->bytes : 0;
    if (bytes < SL_SHARED_LEAST || !sl_dtype_is_plain(value->tensor->dtype) || atomic_load(last) == 1) return;
    atomic_store(last, fetch->block && bytes <= fetch->block->size ? 1 : bytes);
}

static void offer_block(struct sl_worker_fetch *fetch) {
    struct sl_worker_step *step = fetch->step;
    size_t size = atomic_load(sl_shared_size_of(&step->graph->sizes, (struct sl_str){fetch->key, fetch->n}));
    if (size < SL_SHARED_LEAST) return;
    fetch->block = sl_shared_block_take(step->graph->session->worker->blocks, size);
    if (!fetch->block || sl_shared_offer_add(&fetch->request.message, fetch->block, NULL) == SL_OK) return;
    sl_shared_block_give(fetch->block);
    fetch->block = NULL;
}

static sl_code read_value(struct sl_value *value, struct sl_worker_fetch *fetch,
                          const struct sl_pb_RecvTensorResponse *answer, struct sl_rpc_body *body,
                          struct sl_error *err) {
    if (sl_shared_is_written(answer)) {
        SL_TRY(sl_shared_read(value, answer, fetch->block, err));
        fetch->block = NULL;
        return SL_OK;
    }
    SL_TRY(sl_wire_read_value(value, answer->tensor, body, err));
    note_size(fetch, value);
    if (fetch->block) sl_shared_block_give(fetch->block);
    fetch->block = NULL;
    return SL_OK;
}

static sl_code take_answer(struct sl_worker_fetch *fetch, struct sl_rpc_body *body, struct sl_error *err) {
    struct sl_pb_RecvTensorResponse answer;
    struct sl_arena arena;
    struct sl_value value = {.kind = SL_VALUE_DEAD};
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&answer, SL_PB_TYPE_OF(RecvTensorResponse), body->bytes, &arena, err);
    if (code == SL_OK && !answer.is_dead) code = read_value(&value, fetch, &answer, body, err);
    sl_arena_clear(&arena);
    if (code != SL_OK) return code;
    return sl_step_rendezvous_put(fetch->step->rendezvous, (struct sl_str){fetch->key, fetch->n}, &value, err);
}

static void fetched(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct sl_worker_fetch *fetch = request->arg;
    struct sl_error err;
    sl_task_watch_leave(sl_worker_session_cluster(fetch->step->graph->session)->watch, &fetch->watcher);
    sl_mutex_lock(&fetch->step->mutex);
    fetch->has_ended = true;
    sl_mutex_unlock(&fetch->step->mutex);
    if (code != SL_OK && (fetch->gone != SL_OK || code == SL_UNAVAILABLE)) { /* a reason of its own */
        if (fetch->gone != SL_OK) code = fetch->gone;
        sl_fail(&err, code, "%s. What waits: %.*s", fetch->gone != SL_OK ? fetch->gone_text : text, (int)fetch->n,
                fetch->key);
    } else if (code != SL_OK) {
        bool is_marked = strstr(text, derived) != NULL;
        sl_fail(&err, code, "%s%s", is_marked ? "" : derived, text);
    } else {
        note_arrival(fetch, body->bytes.n);
        code = take_answer(fetch, body, &err);
    }
    sl_rpc_body_unref(body);
    if (fetch->block) sl_shared_block_drop(fetch->block); /* somebody may still write */
    if (code != SL_OK) fail_step(fetch->step, code, err.message);
    fetch_release(fetch);
}

static sl_code write_request(struct sl_rpc_message *m, struct sl_worker_step *step, struct sl_str key,
                             struct sl_error *err) {
    struct sl_worker *w = step->graph->session->worker;
    SL_TRY(sl_wire_add_number(m, 1, step->step_id, err));
    SL_TRY(sl_wire_add_text(m, 2, key, err));
    return sl_wire_add_number(m, 7, sl_id_source_next(&w->ids), err);
}

static sl_code make_fetch(struct sl_worker_fetch **out, struct sl_worker_step *step, struct sl_str key,
                          struct sl_error *err) {
    struct sl_worker_fetch *fetch = sl_calloc(1, sizeof *fetch + key.n + 1);
    if (!fetch) return sl_fail_memory(err, sizeof *fetch);
    fetch->step = step;
    fetch->holders = 2;
    fetch->begun_us = step->notes_arrivals ? sl_wall_us() : 0;
    fetch->n = key.n;
    memcpy(fetch->key, key.p, key.n);
    fetch->request =
        (struct sl_rpc_request){.path = SL_STR("/tensorflow.WorkerService/RecvTensor"), .done = fetched, .arg = fetch};
    sl_code code = write_request(&fetch->request.message, step, key, err);
    if (code != SL_OK) {
        sl_rpc_message_clear(&fetch->request.message);
        sl_free(fetch);
        return code;
    }
    offer_block(fetch);
    *out = fetch;
    return SL_OK;
}

static sl_code begin_fetch(struct sl_worker_step *step, const struct sl_rendezvous_pair *pair, struct sl_str key,
                           struct sl_error *err) {
    struct sl_cluster *cluster = sl_worker_session_cluster(step->graph->session);
    struct sl_rpc_channel *channel;
    struct sl_worker_fetch *fetch = NULL;
    int task = sl_cluster_find(cluster, pair->send_device);
    if (task < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%.*s is of no task of the cluster", SL_STR_ARG(pair->send_device));
    SL_TRY(sl_cluster_value_channel(&channel, cluster, task, err));
    SL_TRY(make_fetch(&fetch, step, key, err));
    sl_mutex_lock(&step->mutex);
    step->left++;
    fetch->next = step->fetches;
    fetch->at = &step->fetches;
    if (fetch->next) fetch->next->at = &fetch->next;
    step->fetches = fetch;
    sl_mutex_unlock(&step->mutex);
    fetch->watcher = (struct sl_task_watcher){.task = task, .incarnation = pair->incarnation, .gone = sender_gone};
    sl_task_watch_enter(cluster->watch, &fetch->watcher);
    sl_rpc_channel_call(channel, &fetch->request);
    sl_mutex_lock(&step->mutex);
    if (!fetch->has_ended) {
        fetch->channel = channel;
        if (step->is_failed || fetch->gone != SL_OK) sl_rpc_channel_cancel(channel, &fetch->request);
    }
    sl_mutex_unlock(&step->mutex);
    fetch_release(fetch);
    return SL_OK;
}

/* A node waits for a value that another task has. What the caller of the step gives needs no asking. */
static void wanted(void *arg, const struct sl_rendezvous_key *key) {
    struct sl_worker_step *step = arg;
    struct sl_error err;
    char few[512], *text = few;
    if (key->pair->is_client_terminated) return;
    int n = sl_rendezvous_key_print(few, sizeof few, key);
    if (n >= (int)sizeof few) {
        text = sl_malloc((size_t)n + 1);
        if (text) sl_rendezvous_key_print(text, (size_t)n + 1, key);
    }
    sl_code code =
        text ? begin_fetch(step, key->pair, (struct sl_str){text, (size_t)n}, &err) : sl_fail_memory(&err, (size_t)n);
    if (text != few) sl_free(text);
    if (code != SL_OK) fail_step(step, code, err.message);
}

/* ---- what the caller gives and takes */

static void received(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct sl_worker_receive *receive =
        (struct sl_worker_receive *)((char *)waiter - offsetof(struct sl_worker_receive, waiter));
    struct sl_worker_step *step = receive->step;
    if (code == SL_OK) receive->value = sl_value_move(&waiter->value);
    else fail_step(step, code, err->message);
    count_down(step);
}

static sl_code give_and_take(struct sl_worker_step *step, struct sl_error *err) {
    for (size_t i = 0; i < step->n_sends; i++)
        SL_TRY(sl_step_rendezvous_put(step->rendezvous, step->sends[i].key, &step->sends[i].value, err));
    for (size_t i = 0; i < step->n_receives; i++) {
        struct sl_worker_receive *receive = &step->receives[i];
        receive->value.kind = SL_VALUE_NONE;
        receive->step = step;
        receive->waiter = (struct sl_waiter){.done = received};
        sl_mutex_lock(&step->mutex);
        step->left++;
        sl_mutex_unlock(&step->mutex);
        sl_step_rendezvous_take(step->rendezvous, receive->key, &receive->waiter);
    }
    return SL_OK;
}

/* ---- the nodes */

static sl_code enter_session(struct sl_worker_step *step, struct sl_error *err) {
    struct sl_worker_session *session = step->graph->session;
    sl_mutex_lock(&session->mutex);
    bool is_deleted = session->is_deleted;
    if (!is_deleted) {
        step->next = session->steps;
        step->at = &session->steps;
        if (step->next) step->next->at = &step->next;
        session->steps = step;
    }
    sl_mutex_unlock(&session->mutex);
    return is_deleted ? sl_fail(err, SL_CANCELLED, "the session was deleted") : SL_OK;
}

sl_code sl_worker_step_init(struct sl_worker_step *step, struct sl_error *err) {
    struct sl_worker_session *session = step->graph->session;
    sl_error_clear(&step->err);
    SL_TRY(sl_rendezvous_table_find(&step->rendezvous, session->worker->table, step->step_id, false, err));
    sl_code code = sl_runtime_begin_step(&step->env, session->runtime, NULL, 0, err);
    step->env.step_id = step->step_id;
    if (step->trace) step->env.trace = step->trace;
    step->notes_arrivals = step->notes_arrivals || step->trace;
    step->left = 1;
    step->is_failed = false;
    step->fetches = NULL;
    step->arrivals = NULL;
    sl_mutex_init(&step->mutex);
    if (code == SL_OK) code = enter_session(step, err);
    if (code == SL_OK) return SL_OK;
    sl_mutex_clear(&step->mutex);
    sl_runtime_end_step(&step->env);
    sl_step_rendezvous_unref(step->rendezvous);
    return code;
}

sl_code sl_worker_step_open(struct sl_worker_step *step, struct sl_error *err) {
    struct sl_program *program = step->graph->program;
    const struct sl_rendezvous_opening opening = {.n_pairs = program->n_pairs,
                                                  .pairs = program->remote_pairs,
                                                  .cancellation = step->env.cancellation,
                                                  .wanted = wanted,
                                                  .arg_of_wanted = step};
    SL_TRY(sl_step_rendezvous_open(&step->env.rendezvous, step->rendezvous, &opening, err));
    return give_and_take(step, err);
}

void sl_worker_step_finish(struct sl_worker_step *step, sl_code code, const struct sl_error *err) {
    if (code != SL_OK) fail_step(step, code, err->message);
    count_down(step);
}

static void settle(void *arg) {
    struct sl_worker_step *step = arg;
    sl_code code = step->nodes_code;
    if (!step->env.devices->is_host_alone)
        code = sl_runtime_finish_on_devices(&step->env, step->graph->program, step->rets, code, &step->nodes_err);
    if (code == SL_CANCELLED) code = sl_runtime_explain_cancellation(&step->env, &step->nodes_err);
    sl_worker_step_finish(step, code, &step->nodes_err);
}

/* Devices with streams of their own may have work left, which is waited for elsewhere. */
static void nodes_ended(void *arg, sl_code code) {
    struct sl_worker_step *step = arg;
    step->nodes_code = code;
    if (step->env.devices->is_host_alone) settle(step);
    else sl_worker_spawn(step->graph->session->worker, settle, step);
}

void sl_worker_step_start(struct sl_worker_step *step) {
    sl_error_clear(&step->nodes_err);
    sl_code code = sl_worker_step_open(step, &step->nodes_err);
    if (code == SL_OK) {
        sl_step_start(step->graph->program, &step->env, step->args, step->rets, &step->nodes_err, nodes_ended, step);
        return;
    }
    for (int i = 0; step->args && i < step->graph->program->n_args; i++) sl_value_clear(&step->args[i]);
    sl_worker_step_finish(step, code, &step->nodes_err);
}

/* From then on it does not end until it is counted down. */
static bool hold(struct sl_worker_step *step) {
    sl_mutex_lock(&step->mutex);
    bool has_ended = !step->left;
    if (!has_ended) step->left++;
    sl_mutex_unlock(&step->mutex);
    return !has_ended;
}

void sl_worker_step_cancel(struct sl_worker_step *step, sl_code code, const char *text) {
    if (!hold(step)) return;
    fail_step(step, code, text);
    count_down(step);
}

/* One that has not failed, held; NULL: there is none. */
static struct sl_worker_step *take_running(struct sl_worker_session *session) {
    sl_mutex_lock(&session->mutex);
    session->is_deleted = true;
    struct sl_worker_step *step = session->steps;
    for (; step; step = step->next) {
        sl_mutex_lock(&step->mutex);
        bool is_running = step->left && !step->is_failed;
        if (is_running) step->left++;
        sl_mutex_unlock(&step->mutex);
        if (is_running) break;
    }
    sl_mutex_unlock(&session->mutex);
    return step;
}

void sl_worker_session_cancel(struct sl_worker_session *session) {
    for (struct sl_worker_step *step; (step = take_running(session));) {
        fail_step(step, SL_CANCELLED, "the session was deleted");
        count_down(step);
    }
}

/* ---- what they wait for */

/* Steps that run, held; `*out` is sl_malloc'ed. Without memory there are none. */
static size_t hold_steps(struct sl_worker_step ***out, struct sl_worker_session *session, uint64_t step_id) {
    size_t n = 0, room = 0;
    sl_mutex_lock(&session->mutex);
    for (struct sl_worker_step *s = session->steps; s; s = s->next) room++;
    *out = sl_malloc((room + 1) * sizeof **out);
    for (struct sl_worker_step *s = session->steps; s && *out; s = s->next)
        if ((!step_id || s->step_id == step_id) && hold(s)) (*out)[n++] = s;
    sl_mutex_unlock(&session->mutex);
    return n;
}

void sl_worker_session_tell(struct sl_worker_session *session, uint64_t step_id, struct sl_wait_listener *to) {
    struct sl_worker_step **steps;
    const size_t n = hold_steps(&steps, session, step_id);
    for (size_t i = 0; i < n; i++) {
        const size_t before = to->n;
        sl_cancellation_tell_of_step(steps[i]->env.cancellation, to);
        if (to->n == before) sl_wait_say(to, "nothing waits, and no loop has gone round for 0.2 s: a node computes");
        count_down(steps[i]);
    }
    sl_free(steps);
}

/* ---- for other tasks */

void sl_worker_cleanup(struct sl_worker *w, uint64_t step_id) { sl_rendezvous_table_drop(w->table, step_id); }

static sl_code check_sender(const struct sl_worker *w, struct sl_str key, struct sl_error *err) {
    const struct sl_device_set *devices = sl_worker_devices(w);
    struct sl_rendezvous_pair pair;
    uint64_t frame, iteration;
    SL_TRY(sl_rendezvous_key_parse(&pair, &frame, &iteration, key, err));
    uint64_t own = devices->items[0].incarnation; /* of all of them; sessions may call them by other names */
    if (pair.incarnation == own) return SL_OK;
    return sl_fail(err, SL_ABORTED,
                   "RecvTensor expects a different device incarnation: %" PRIu64 " vs. %" PRIu64
                   ". Your worker job (\"%s\") was probably restarted. Check your worker job for the reason why it was "
                   "restarted.",
                   pair.incarnation, own, sl_cluster_own_name(w->options.cluster));
}

void sl_worker_recv(struct sl_step_rendezvous **rendezvous, struct sl_worker *w, uint64_t step_id, struct sl_str key,
                    struct sl_waiter *waiter) {
    struct sl_error err;
    *rendezvous = NULL;
    sl_code code = check_sender(w, key, &err);
    if (code == SL_OK) code = sl_rendezvous_table_find(rendezvous, w->table, step_id, true, &err);
    if (code == SL_OK) sl_step_rendezvous_take(*rendezvous, key, waiter);
    else waiter->done(waiter, code, &err);
}
