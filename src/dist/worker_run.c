/* Runs of registered graphs. A run belongs to its call, and to whoever is told that the client has gone. */
#include "dist/worker_run.h"

#include "base/alloc.h"
#include "dist/partial_graph.h"
#include "dist/worker_state.h"
#include "os/clock.h"

/* ---- requests */

struct run {
    struct sl_worker_service *service;
    struct sl_rpc_call *call;
    struct sl_arena arena;
    struct sl_pb_RunGraphRequest request; /* in the arena and in the call's body */
    struct sl_worker_step step;
    struct sl_worker_send *sends;
    struct sl_worker_receive *receives;
    atomic_uint holders;
    sl_code gone_code;        /* why nobody waits any more */
    bool has_step, has_trace; /* that have to be cleared */
    struct sl_worker_trace trace;
    /* of a failure that follows from another task's: */
    struct sl_net_timer later;
    atomic_bool is_due, is_gone;
    struct sl_mutex mutex; /* guards the next */
    bool waits;            /* the answer is due, and nobody has begun to give it */
    struct sl_error why;
};

static void run_release(struct run *run) {
    if (atomic_fetch_sub(&run->holders, 1) != 1) return;
    for (size_t i = 0; i < run->request.send.n && run->sends; i++) sl_value_clear(&run->sends[i].value);
    for (size_t i = 0; i < run->request.recv_key.n && run->receives; i++) sl_value_clear(&run->receives[i].value);
    if (run->has_trace) sl_worker_trace_end(&run->trace);
    if (run->has_step) sl_worker_step_clear(&run->step);
    sl_worker_graph_unref(run->step.graph);
    sl_mutex_clear(&run->mutex);
    sl_arena_clear(&run->arena);
    sl_free(run);
}

static sl_code read_values(struct run *run, struct sl_error *err) {
    const struct sl_pb_RunGraphRequest *request = &run->request;
    run->sends = SL_ARENA_ARRAY(&run->arena, struct sl_worker_send, request->send.n + 1);
    run->receives = SL_ARENA_ARRAY(&run->arena, struct sl_worker_receive, request->recv_key.n + 1);
    if (!run->sends || !run->receives) return sl_fail_memory(err, request->send.n * sizeof *run->sends);
    for (size_t i = 0; i < request->send.n; i++) {
        run->sends[i].key = request->send.items[i].name;
        SL_TRY(sl_wire_read_value(&run->sends[i].value, request->send.items[i].tensor, run->call->body, err));
    }
    for (size_t i = 0; i < request->recv_key.n; i++) run->receives[i].key = request->recv_key.items[i];
    return SL_OK;
}

static sl_code find_graph(struct sl_worker_graph **out, struct sl_worker *w,
                          const struct sl_pb_RunGraphRequest *request, struct sl_error *err) {
    struct sl_str handle = request->create_worker_session_called ? request->session_handle : SL_STR("");
    struct sl_worker_session *session;
    SL_TRY(sl_worker_find_session(&session, w, handle, err));
    sl_code code = sl_worker_find_graph(out, session, request->graph_handle, err);
    sl_worker_session_unref(session);
    return code;
}

/* ---- answers */

static sl_code write_received(struct sl_rpc_message *m, const struct sl_worker_receive *r, struct sl_error *err) {
    struct sl_tensor *t;
    if (r->value.kind <= SL_VALUE_DEAD)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The tensor returned for %.*s was not valid.", SL_STR_ARG(r->key));
    SL_TRY(sl_value_to_tensor(&t, &r->value, err));
    sl_code code = sl_wire_add_tensor(m, 1, r->key, t, err);
    sl_tensor_unref(t);
    return code;
}

/* Fields of the RunMetadata under their numbers here. */
static sl_code write_trace(struct sl_rpc_message *m, const struct run *run, struct sl_error *err) {
    const struct sl_pb_message *type = SL_PB_TYPE_OF(RunMetadata);
    struct sl_str metadata, field;
    SL_TRY(sl_worker_trace_encode(&metadata, &run->trace, &run->step, err));
    sl_code code = SL_OK;
    for (size_t i = 0; code == SL_OK && sl_pb_field_bytes(&field, type, metadata, 1, i); i++)
        code = sl_wire_add_text(m, 2, field, err);
    for (size_t i = 0; code == SL_OK && sl_pb_field_bytes(&field, type, metadata, 3, i); i++)
        code = sl_wire_add_text(m, 4, field, err);
    if (code == SL_OK && sl_pb_field_bytes(&field, type, metadata, 2, 0)) code = sl_wire_add_text(m, 3, field, err);
    sl_free((void *)metadata.p);
    return code;
}

static sl_code write_answer(struct sl_rpc_message *m, struct run *run, struct sl_error *err) {
    static const char cost_graph[] = {0x1a, 0};
    for (size_t i = 0; i < run->request.recv_key.n; i++) SL_TRY(write_received(m, &run->receives[i], err));
    if (run->has_trace) SL_TRY(write_trace(m, run, err));
    if (run->request.is_partial) return SL_OK;
    return sl_rpc_message_add_bytes(m, (struct sl_str){cost_graph, sizeof cost_graph}, err);
}

static void answer(struct run *run, sl_code code, const struct sl_error *err) {
    struct sl_rpc_message m = {.n = 0};
    struct sl_error own;
    if (code == SL_OK) {
        err = &own;
        code = write_answer(&m, run, &own);
    }
    if (code != SL_OK && run->request.store_errors_in_response_body) {
        sl_rpc_message_clear(&m);
        sl_code written = sl_wire_add_number(&m, 5, code, NULL);
        if (written == SL_OK) written = sl_wire_add_text(&m, 6, sl_str_of(err->message), NULL);
        if (written == SL_OK) code = SL_OK;
    }
    sl_service_end(run->call, &m, code, err);
    run_release(run);
}

/* ---- a run of a whole step */

/* ---- a failure that follows from another task's waits a little, so that the master hears of the reason first:
 * TensorFlow's takes the first failure for it. When the master cancels, it has heard. */

static const int64_t LATER_NS = 100000000;

static struct sl_net *net_of(const struct run *run) { return run->service->worker->options.cluster->net; }

static bool take_later(struct run *run) {
    sl_mutex_lock(&run->mutex);
    bool waits = run->waits;
    run->waits = false;
    sl_mutex_unlock(&run->mutex);
    return waits;
}

static void answer_later(void *arg) {
    struct run *run = arg;
    if (take_later(run)) answer(run, run->why.code, &run->why);
    run_release(run);
}

/* The timer must not end within this. */
static void later_due(struct sl_net_timer *timer) {
    struct run *run = timer->arg;
    atomic_store(&run->is_due, true);
    sl_worker_spawn(run->service->worker, answer_later, run);
}

/* Nobody waits for the answer any more. */
static void answer_now(struct run *run) {
    if (!take_later(run)) return;
    sl_net_cancel_timer(net_of(run), &run->later);
    if (!atomic_load(&run->is_due)) run_release(run);
    answer(run, run->why.code, &run->why);
}

static void step_done(struct sl_worker_step *step, sl_code code, const struct sl_error *err) {
    struct run *run = step->arg;
    sl_step_log_take(&run->service->log, step);
    if (code == SL_OK || !strstr(err->message, "[_Derived_]")) {
        answer(run, code, err);
        return;
    }
    run->why = *err;
    run->why.code = code;
    run->later = (struct sl_net_timer){.due = later_due, .arg = run};
    atomic_fetch_add(&run->holders, 2); /* the timer, and this function */
    sl_mutex_lock(&run->mutex);
    run->waits = true;
    sl_net_set_timer(net_of(run), &run->later, sl_net_now(net_of(run)) + LATER_NS);
    sl_mutex_unlock(&run->mutex);
    if (atomic_load(&run->is_gone)) answer_now(run);
    run_release(run);
}

static void cancel_run(void *arg) {
    struct run *run = arg;
    sl_code code = run->gone_code;
    sl_worker_step_cancel(&run->step, code == SL_UNAVAILABLE ? code : SL_CANCELLED,
                          code == SL_UNAVAILABLE ? "The server ends." : "RunGraph was cancelled");
    answer_now(run);
    run_release(run);
}

/* The call must not end within this. */
static void client_gone(struct sl_rpc_call *call, sl_code code) {
    struct run *run = call->arg;
    run->gone_code = code;
    atomic_store(&run->is_gone, true);
    atomic_fetch_add(&run->holders, 1);
    sl_worker_spawn(run->service->worker, cancel_run, run);
}

static sl_code begin_trace(struct run *run, struct sl_error *err) {
    const struct sl_pb_ExecutorOpts *options = run->request.exec_opts;
    if (!options) return SL_OK;
    const struct sl_run_wishes wishes = {options->record_timeline, options->record_partition_graphs,
                                         options->record_costs};
    if (!sl_run_wishes_any(wishes)) return SL_OK;
    SL_TRY(sl_worker_trace_begin(&run->trace, run->step.graph, wishes, err));
    run->has_trace = true;
    if (sl_run_wishes_record(wishes)) run->step.trace = &run->trace.record.base;
    return SL_OK;
}

static void run_whole(struct run *run) {
    static const struct sl_rpc_listener listener = {.gone = client_gone};
    struct sl_error err;
    run->step.step_id = (uint64_t)run->request.step_id;
    run->step.sends = run->sends;
    run->step.n_sends = run->request.send.n;
    run->step.receives = run->receives;
    run->step.n_receives = run->request.recv_key.n;
    run->step.done = step_done;
    run->step.arg = run;
    run->step.notes_arrivals = sl_step_log_is_on(&run->service->log);
    sl_code code = begin_trace(run, &err);
    if (code == SL_OK) code = sl_worker_step_init(&run->step, &err);
    if (code != SL_OK) {
        answer(run, code, &err);
        return;
    }
    run->has_step = true;
    atomic_fetch_add(&run->holders, 1); /* this function */
    sl_rpc_call_listen(run->call, &listener);
    const int64_t begun_ns = sl_clock_ns();
    sl_worker_step_start(&run->step);
    sl_lightness_note(&run->step.graph->lightness, sl_clock_ns() - begun_ns);
    run_release(run);
}

/* ---- a message */

static bool read_run(struct run *run) {
    struct sl_rpc_call *call = run->call;
    struct sl_error err;
    if (!sl_service_decode(&run->request, SL_PB_TYPE_OF(RunGraphRequest), call, &run->arena)) {
        run_release(run);
        return false;
    }
    sl_code code = sl_seen_ids_add(&run->service->seen, (uint64_t)run->request.request_id, "RunGraph (Worker)", &err);
    if (code == SL_OK) code = find_graph(&run->step.graph, run->service->worker, &run->request, &err);
    if (code == SL_OK) code = read_values(run, &err);
    if (code == SL_OK) return true;
    sl_rpc_call_fail(call, code, err.message);
    run_release(run);
    return false;
}

static void run_read(void *arg) {
    struct run *run = arg;
    if (!run->request.is_partial) {
        run_whole(run);
        return;
    }
    struct sl_partial_message message = {.graph = run->step.graph,
                                         .step_id = (uint64_t)run->request.step_id,
                                         .sends = run->sends,
                                         .n_sends = run->request.send.n,
                                         .receives = run->receives,
                                         .n_receives = run->request.recv_key.n,
                                         .is_last = run->request.is_last_partial_run};
    struct sl_error err;
    answer(run, sl_partial_graph_run(run->service, &message, &err), &err);
}

static void run_graph(struct sl_worker_service *service, struct sl_rpc_call *call, bool is_here) {
    struct run *run = sl_calloc(1, sizeof *run);
    if (!run) {
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    run->service = service;
    run->call = call;
    atomic_store(&run->holders, 1);
    sl_mutex_init(&run->mutex);
    sl_arena_init(&run->arena);
    call->arg = run;
    if (!read_run(run)) return;
    if (is_here && (run->request.is_partial || !sl_is_light(&run->step.graph->lightness)))
        sl_worker_spawn_step(service->worker, run_read, run);
    else run_read(run);
}

void sl_worker_run_graph(void *service, struct sl_rpc_call *call) { run_graph(service, call, false); }
void sl_worker_run_graph_here(void *service, struct sl_rpc_call *call) { run_graph(service, call, true); }
