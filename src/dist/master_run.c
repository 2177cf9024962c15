/* RunStep and RunCallable: one call, one step. A run is held by its progress, and by whoever is about to cancel it:
 * the client that has gone, its time, the session that is closed. */
#include <inttypes.h>

#include "base/alloc.h"
#include "dist/explain_service.h"
#include "dist/master_run.h"
#include "graph/tensor_name.h"
#include "os/clock.h"
#include "session/cost_graph.h"
#include "session/wait_chain.h"

struct sl_master_run {
    atomic_uint holders;
    struct sl_rpc_call *call;
    struct sl_master *master;
    struct sl_master_session *session;
    struct sl_master_run *next, **at; /* of the session; guarded by its mutex */
    struct sl_arena arena;
    struct sl_pb_RunStepRequest request; /* of a callable: made of its options */
    struct sl_master_callable *callable; /* NULL: RunStep */
    const struct sl_pb_TensorProto **feeds;
    struct sl_master_signature signature;
    struct sl_executable_waiter waiter;
    struct sl_value *values; /* arguments, then results */
    struct sl_master_step step;
    struct sl_net_timer timer;
    struct sl_worker_trace trace;
    bool has_timer, has_trace;
    bool is_here;      /* on a thread of the net */
    bool has_step;     /* guarded by the session's mutex, as are the next two */
    sl_code cancelled; /* before there was a step */
    struct sl_error why;
};

static void spawn(struct sl_master_run *run, void (*fn)(void *arg)) { sl_worker_spawn(run->master->worker, fn, run); }

void sl_master_run_unref(struct sl_master_run *run) {
    if (atomic_fetch_sub(&run->holders, 1) != 1) return;
    size_t n = run->signature.n_feeds + run->signature.n_fetches;
    for (size_t i = 0; i < n && run->values; i++) sl_value_clear(&run->values[i]);
    if (run->has_trace) sl_worker_trace_end(&run->trace);
    if (run->has_step) sl_master_step_clear(&run->step);
    sl_master_executable_unref(run->step.executable);
    sl_master_callable_unref(run->callable);
    sl_master_session_unref(run->session);
    sl_arena_clear(&run->arena);
    sl_free(run);
}

size_t sl_master_runs_of(struct sl_master_run ***out, struct sl_master_session *s) {
    size_t n = 0, i = 0;
    for (struct sl_master_run *r = s->runs; r; r = r->next) n++;
    *out = sl_malloc((n + 1) * sizeof **out);
    if (!*out) return 0;
    for (struct sl_master_run *r = s->runs; r; r = r->next) {
        atomic_fetch_add(&r->holders, 1);
        (*out)[i++] = r;
    }
    return n;
}

/* ---- cancelling */

/* False when there is a step, which has to be cancelled. */
static bool cancel_early(struct sl_master_run *run, sl_code code, const char *text) {
    sl_mutex_lock(&run->session->mutex);
    bool is_early = !run->has_step;
    if (is_early && run->cancelled == SL_OK) {
        run->cancelled = code;
        sl_fail(&run->why, code, "%s", text);
    }
    sl_mutex_unlock(&run->session->mutex);
    return is_early;
}

void sl_master_run_cancel(struct sl_master_run *run, sl_code code, const char *text) {
    if (!cancel_early(run, code, text)) sl_master_step_cancel(&run->step, code, text);
}

static const char client_has_cancelled[] = "The client has cancelled the step.";
static const char time_is_over[] = "Timed out waiting for notification";

static void cancel_for_client(void *arg) {
    sl_master_run_cancel(arg, SL_CANCELLED, client_has_cancelled);
    sl_master_run_unref(arg);
}

/* The client waits no longer. */
static void cancel_at_once(void *arg) {
    sl_master_run_cancel(arg, SL_DEADLINE_EXCEEDED, time_is_over);
    sl_master_run_unref(arg);
}

static void explained(void *arg, const struct sl_explanation *explanation) {
    struct sl_error why;
    sl_fail(&why, SL_DEADLINE_EXCEEDED, "%s", time_is_over);
    for (size_t i = 0; i < explanation->n; i++) sl_wait_add_to_error(&why, i == 0, explanation->sentences[i].p);
    sl_master_run_cancel(arg, SL_DEADLINE_EXCEEDED, why.message);
    sl_master_run_unref(arg);
}

static void cancel_for_time(void *arg) {
    struct sl_master_run *run = arg;
    sl_explain_session(run->session, run->step.step_id, explained, run);
}

/* Neither the call nor the timer may end within these. A step that has not begun does not begin to do anything any more:
 * what the client asks for next may depend on that. */
static void client_gone(struct sl_rpc_call *call, sl_code code) {
    struct sl_master_run *run = call->arg;
    const bool is_time = code == SL_DEADLINE_EXCEEDED;
    if (cancel_early(run, is_time ? code : SL_CANCELLED, is_time ? time_is_over : client_has_cancelled)) return;
    atomic_fetch_add(&run->holders, 1);
    spawn(run, is_time ? cancel_at_once : cancel_for_client);
}

static void time_over(struct sl_net_timer *timer) {
    struct sl_master_run *run = timer->arg;
    if (cancel_early(run, SL_DEADLINE_EXCEEDED, time_is_over)) return;
    atomic_fetch_add(&run->holders, 1);
    spawn(run, cancel_for_time);
}

/* ---- who could end what its steps wait for */

static struct sl_port port_of(const struct sl_graph *graph, struct sl_str text) {
    const struct sl_tensor_name name = sl_tensor_name_of(text);
    return (struct sl_port){sl_graph_find(graph, name.node), name.index};
}

/* Adds what a signature runs; the arrays have room. */
static void add_signature(struct sl_run *run, struct sl_port *feeds, struct sl_port *fetches, struct sl_node **targets,
                          const struct sl_graph *graph, const struct sl_master_signature *s) {
    for (size_t i = 0; i < s->n_feeds; i++) feeds[run->n_feeds++] = port_of(graph, s->feeds[i]);
    for (size_t i = 0; i < s->n_fetches; i++) fetches[run->n_fetches++] = port_of(graph, s->fetches[i]);
    for (size_t i = 0; i < s->n_targets; i++) targets[run->n_targets++] = port_of(graph, s->targets[i]).node;
}

static void follow_runs(struct sl_master_run *const *runs, size_t n, const struct sl_graph *graph, const char *lines,
                        struct sl_wait_listener *to) {
    struct sl_wait_partners partners = {.nodes = {NULL, 0, 0}};
    struct sl_arena arena;
    size_t n_feeds = 0, n_fetches = 0, n_targets = 0;
    for (size_t i = 0; i < n; i++) {
        n_feeds += runs[i]->signature.n_feeds;
        n_fetches += runs[i]->signature.n_fetches;
        n_targets += runs[i]->signature.n_targets;
    }
    sl_arena_init(&arena);
    struct sl_port *feeds = SL_ARENA_ARRAY(&arena, struct sl_port, n_feeds + 1);
    struct sl_port *fetches = SL_ARENA_ARRAY(&arena, struct sl_port, n_fetches + 1);
    struct sl_node **targets = SL_ARENA_ARRAY(&arena, struct sl_node *, n_targets + 1);
    struct sl_run all = {.feeds = feeds, .fetches = fetches, .targets = targets};
    if (feeds && fetches && targets)
        for (size_t i = 0; i < n; i++) add_signature(&all, feeds, fetches, targets, graph, &runs[i]->signature);
    (void)sl_wait_partners_add(&partners, graph, 0, NULL);
    sl_wait_chain_say(to, partners.nodes.items, partners.nodes.n, &all, n > 1 ? SL_WAIT_ALL_RUNS : SL_WAIT_ONLY_RUN,
                      lines);
    sl_wait_partners_clear(&partners);
    sl_arena_clear(&arena);
}

void sl_master_follow_waits(struct sl_master_session *s, const char *lines, struct sl_wait_listener *to) {
    struct sl_master_run **runs;
    sl_mutex_lock(&s->graph_mutex);
    sl_mutex_lock(&s->mutex);
    const size_t n = sl_master_runs_of(&runs, s);
    sl_mutex_unlock(&s->mutex);
    follow_runs(runs, n, s->graph, lines, to);
    sl_mutex_unlock(&s->graph_mutex);
    for (size_t i = 0; i < n; i++) sl_master_run_unref(runs[i]);
    sl_free(runs);
}

/* ---- the answer */

static const char *own_task(const struct sl_master_run *run) {
    const struct sl_cluster *cluster = sl_master_session_cluster(run->session);
    return cluster->tasks[cluster->own].name;
}

static sl_code write_fetch(struct sl_rpc_message *m, struct sl_master_run *run, size_t i, struct sl_error *err) {
    struct sl_value *value = &run->values[run->signature.n_feeds + i];
    struct sl_str name = run->signature.fetches[i];
    struct sl_tensor *t;
    if (value->kind <= SL_VALUE_DEAD) {
        const struct sl_device *client = &run->session->front->devices.items[0];
        return sl_fail(err, SL_INTERNAL,
                       "From %s:\nFailed to fetch outputs for step %" PRIu64
                       ". (Original error message: The tensor returned for %s;%016" PRIx64
                       ";%s;%.*s;0:0 was not valid.)",
                       own_task(run), run->step.step_id, client->name, client->incarnation, client->name,
                       SL_STR_ARG(name));
    }
    SL_TRY(sl_value_to_tensor(&t, value, err));
    sl_code code = sl_master_add_fetch(m, run->session, run->callable ? (struct sl_str){NULL, 0} : name, t, err);
    sl_tensor_unref(t);
    return code;
}

/* All devices of all tasks in one StepStats, all graphs in one list. */
static void add_metadata(struct sl_pb_RunMetadata *all, const struct sl_pb_StepStats *steps,
                         const struct sl_pb_array_GraphDef *graphs) {
    for (size_t i = 0; steps && i < steps->dev_stats.n; i++)
        all->step_stats->dev_stats.items[all->step_stats->dev_stats.n++] = steps->dev_stats.items[i];
    for (size_t i = 0; i < graphs->n; i++) all->partition_graphs.items[all->partition_graphs.n++] = graphs->items[i];
}

struct told {
    struct sl_pb_RunMetadata own;
    struct sl_pb_RunGraphResponse *remote;
    size_t n_remote, n_steps, n_graphs;
};

static sl_code read_told(struct told *told, struct sl_master_run *run, struct sl_error *err) {
    const struct sl_task_calls *calls = &run->step.remote;
    struct sl_str bytes = {NULL, 0};
    *told = (struct told){.n_remote = run->step.has_remote ? (size_t)calls->n : 0};
    told->remote = SL_ARENA_ARRAY(&run->arena, struct sl_pb_RunGraphResponse, told->n_remote + 1);
    if (!told->remote) return sl_fail_memory(err, told->n_remote * sizeof *told->remote);
    if (run->has_trace) {
        SL_TRY(sl_worker_trace_encode(&bytes, &run->trace, &run->step.own, err));
        struct sl_str kept = sl_arena_str(&run->arena, bytes);
        sl_free((void *)bytes.p);
        if (!kept.p) return sl_fail_memory(err, bytes.n);
        SL_TRY(sl_pb_decode(&told->own, SL_PB_TYPE_OF(RunMetadata), kept, &run->arena, err));
        told->n_steps = told->own.step_stats ? told->own.step_stats->dev_stats.n : 0;
        told->n_graphs = told->own.partition_graphs.n;
    }
    for (size_t i = 0; i < told->n_remote; i++) {
        struct sl_pb_RunGraphResponse *answer = &told->remote[i];
        SL_TRY(sl_pb_decode(answer, SL_PB_TYPE_OF(RunGraphResponse), calls->calls[i].body->bytes, &run->arena, err));
        told->n_steps += answer->step_stats ? answer->step_stats->dev_stats.n : 0;
        told->n_graphs += answer->partition_graph.n;
    }
    return SL_OK;
}

/* Those of all tasks: the own nodes first. */
static sl_code add_costs(struct sl_pb_RunMetadata *all, struct sl_master_run *run, const struct told *told,
                         struct sl_error *err) {
    static const struct sl_pb_CostGraphDef none = {.unknown = NULL};
    SL_TRY(
        sl_cost_graph_append(&all->cost_graph, told->own.cost_graph ? told->own.cost_graph : &none, &run->arena, err));
    for (size_t i = 0; i < told->n_remote; i++)
        if (told->remote[i].cost_graph)
            SL_TRY(sl_cost_graph_append(&all->cost_graph, told->remote[i].cost_graph, &run->arena, err));
    return SL_OK;
}

static sl_code write_metadata(struct sl_rpc_message *m, struct sl_master_run *run, struct sl_error *err) {
    static const char none[] = {0x12, 0};
    struct sl_run_wishes wishes = run->step.wishes;
    struct sl_pb_StepStats steps = {.unknown = NULL};
    struct sl_pb_RunMetadata all = {.step_stats = &steps};
    struct sl_str bytes;
    struct told told;
    if (!sl_run_wishes_any(wishes)) return sl_rpc_message_add_bytes(m, (struct sl_str){none, sizeof none}, err);
    SL_TRY(read_told(&told, run, err));
    steps.dev_stats.items = SL_ARENA_ARRAY(&run->arena, struct sl_pb_DeviceStepStats, told.n_steps + 1);
    all.partition_graphs.items = SL_ARENA_ARRAY(&run->arena, struct sl_pb_GraphDef, told.n_graphs + 1);
    if (!steps.dev_stats.items || !all.partition_graphs.items) return sl_fail_memory(err, told.n_steps);
    add_metadata(&all, told.own.step_stats, &told.own.partition_graphs);
    for (size_t i = 0; i < told.n_remote; i++)
        add_metadata(&all, told.remote[i].step_stats, &told.remote[i].partition_graph);
    if (!wishes.steps) all.step_stats = NULL;
    if (wishes.costs) SL_TRY(add_costs(&all, run, &told, err));
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE_OF(RunMetadata), &all, 0, &run->arena, err));
    return sl_wire_add_text(m, 2, bytes, err);
}

static sl_code write_answer(struct sl_rpc_message *m, struct sl_master_run *run, struct sl_error *err) {
    for (size_t i = 0; i < run->signature.n_fetches; i++) SL_TRY(write_fetch(m, run, i, err));
    return write_metadata(m, run, err);
}

sl_code sl_master_write_failure(struct sl_rpc_message *m, sl_code code, const char *text) {
    static const char metadata[] = {0x12, 0};
    sl_rpc_message_clear(m);
    SL_TRY(sl_rpc_message_add_bytes(m, (struct sl_str){metadata, sizeof metadata}, NULL));
    SL_TRY(sl_wire_add_number(m, 3, code, NULL));
    return sl_wire_add_text(m, 4, sl_str_of(text), NULL);
}

static void finish(struct sl_master_run *run, sl_code code, const struct sl_error *err) {
    struct sl_master_session *s = run->session;
    struct sl_rpc_message m = {.n = 0};
    struct sl_error own;
    if (code == SL_OK) {
        err = &own;
        code = write_answer(&m, run, &own);
    }
    if (run->has_timer) sl_net_cancel_timer(run->master->cluster->net, &run->timer);
    sl_mutex_lock(&s->mutex);
    *run->at = run->next;
    if (run->next) run->next->at = run->at;
    sl_mutex_unlock(&s->mutex);
    if (code != SL_OK && run->request.store_errors_in_response_body &&
        sl_master_write_failure(&m, code, err->message) == SL_OK)
        code = SL_OK;
    sl_service_end(run->call, &m, code, err);
    sl_master_session_leave(s);
    sl_master_run_unref(run);
}

static void step_done(struct sl_master_step *step, sl_code code, const struct sl_error *err) {
    finish(step->arg, code, err);
}

/* ---- the step */

static sl_code read_feeds(struct sl_master_run *run, struct sl_error *err) {
    const struct sl_worker_graph *own = run->step.executable->own;
    size_t n = run->signature.n_feeds + run->signature.n_fetches;
    run->values = SL_ARENA_ARRAY(&run->arena, struct sl_value, n + 1);
    if (!run->values) return sl_fail_memory(err, n * sizeof *run->values);
    for (size_t i = 0; i < run->signature.n_feeds; i++) {
        struct sl_value *value = &run->values[i];
        SL_TRY(sl_master_read_feed(value, run->session, run->feeds[i], run->call->body, err));
        int wanted = own ? sl_worker_graph_program(own)->arg_types[i] : value->dtype;
        if (value->dtype != wanted)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Type mismatch: %.*s was fed a %s tensor but expects %s",
                           SL_STR_ARG(run->signature.feeds[i]), sl_dtype_name(value->dtype), sl_dtype_name(wanted));
    }
    run->step.args = run->values;
    run->step.rets = run->values + run->signature.n_feeds;
    return SL_OK;
}

/* Callables tell nothing, as TensorFlow's. */
static sl_code begin_trace(struct sl_master_run *run, struct sl_error *err) {
    const struct sl_run as_run = {.options = run->callable ? NULL : run->request.options};
    struct sl_master_session *s = run->session;
    run->step.wishes = sl_run_wishes_of(&as_run);
    if (s->costs_every > 0)
        run->step.wishes.costs =
            !run->callable && sl_run_tells_costs((int64_t)atomic_fetch_add(&run->step.executable->n_runs, 1),
                                                 s->costs_every, s->costs_after);
    if (!sl_run_wishes_any(run->step.wishes)) return SL_OK;
    SL_TRY(sl_master_executable_trace(&run->has_trace, &run->trace, run->step.executable, &run->signature,
                                      run->step.wishes, err));
    if (run->has_trace && sl_run_wishes_record(run->step.wishes)) run->step.trace = &run->trace.record.base;
    return SL_OK;
}

/* From here on it is the step that is cancelled. */
static sl_code prepare_step(struct sl_master_run *run, struct sl_error *err) {
    run->step.session = run->session;
    run->step.done = step_done;
    run->step.arg = run;
    SL_TRY(read_feeds(run, err));
    SL_TRY(begin_trace(run, err));
    SL_TRY(sl_master_step_init(&run->step, err));
    sl_mutex_lock(&run->session->mutex);
    run->has_step = true;
    sl_code cancelled = run->cancelled;
    sl_mutex_unlock(&run->session->mutex);
    if (cancelled != SL_OK) sl_master_step_cancel(&run->step, cancelled, run->why.message);
    return SL_OK;
}

static void begin(void *arg) {
    struct sl_master_run *run = arg;
    struct sl_error err;
    const int64_t begun_ns = sl_clock_ns();
    atomic_fetch_add(&run->holders, 1);
    sl_code code = prepare_step(run, &err);
    if (code == SL_OK) sl_master_step_start(&run->step);
    else finish(run, code, &err);
    sl_lightness_note(&run->step.executable->lightness, sl_clock_ns() - begun_ns);
    sl_master_run_unref(run);
}

static void ready(struct sl_executable_waiter *waiter, struct sl_master_executable *executable, sl_code code,
                  const struct sl_error *err) {
    struct sl_master_run *run = (struct sl_master_run *)((char *)waiter - offsetof(struct sl_master_run, waiter));
    run->step.executable = executable;
    if (code != SL_OK) finish(run, code, err);
    else sl_worker_spawn_step(run->master->worker, begin, run);
}

/* ---- the call */

static sl_code read_names(struct sl_master_run *run, struct sl_error *err) {
    const struct sl_pb_RunStepRequest *r = &run->request;
    struct sl_str *feeds = SL_ARENA_ARRAY(&run->arena, struct sl_str, r->feed.n + 1);
    run->feeds = SL_ARENA_ARRAY(&run->arena, const struct sl_pb_TensorProto *, r->feed.n + 1);
    if (!feeds || !run->feeds) return sl_fail_memory(err, r->feed.n * sizeof *feeds);
    for (size_t i = 0; i < r->feed.n; i++) {
        feeds[i] = r->feed.items[i].name;
        run->feeds[i] = r->feed.items[i].tensor;
    }
    run->signature = (struct sl_master_signature){.feeds = feeds,
                                                  .fetches = r->fetch.items,
                                                  .targets = r->target.items,
                                                  .n_feeds = r->feed.n,
                                                  .n_fetches = r->fetch.n,
                                                  .n_targets = r->target.n};
    return SL_OK;
}

static void find_and_begin(void *arg) {
    struct sl_master_run *run = arg;
    run->waiter.ready = ready;
    struct sl_master_executable *executable = sl_master_executable_get(run->session, &run->signature, &run->waiter);
    if (!executable) return; /* `run` may have ended */
    run->step.executable = executable;
    begin(run);
}

/* The session has been entered. */
static void go(struct sl_master_run *run) {
    static const struct sl_rpc_listener listener = {.gone = client_gone};
    struct sl_master_session *s = run->session;
    const struct sl_pb_RunOptions *options = run->request.options;
    int64_t timeout_ms = options && options->timeout_in_ms > 0 ? options->timeout_in_ms : s->timeout_ms;
    struct sl_net *net = run->master->cluster->net;
    sl_mutex_lock(&s->mutex);
    run->next = s->runs;
    run->at = &s->runs;
    if (run->next) run->next->at = &run->next;
    s->runs = run;
    sl_mutex_unlock(&s->mutex);
    sl_rpc_call_listen(run->call, &listener);
    if (timeout_ms > 0) {
        int64_t now = sl_net_now(net), most = (INT64_MAX - now) / 1000000;
        run->timer = (struct sl_net_timer){.due = time_over, .arg = run};
        run->has_timer = true;
        sl_net_set_timer(net, &run->timer, now + (timeout_ms < most ? timeout_ms : most) * 1000000);
    }
    run->step.executable = run->is_here ? sl_master_executable_get(s, &run->signature, NULL) : NULL;
    if (run->step.executable) begin(run);
    else if (run->is_here) sl_worker_spawn_step(run->master->worker, find_and_begin, run);
    else find_and_begin(run);
}

static struct sl_master_run *run_new(struct sl_master *master, struct sl_rpc_call *call, bool is_here) {
    struct sl_master_run *run = sl_calloc(1, sizeof *run);
    if (!run) {
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    run->master = master;
    run->call = call;
    run->is_here = is_here;
    call->arg = run;
    atomic_store(&run->holders, 1);
    sl_arena_init(&run->arena);
    return run;
}

static void refuse(struct sl_master_run *run, sl_code code, const struct sl_error *err) {
    sl_rpc_call_fail(run->call, code, err->message);
    sl_master_run_unref(run);
}

static void run_step(struct sl_master *master, struct sl_rpc_call *call, bool is_here) {
    struct sl_master_run *run = run_new(master, call, is_here);
    struct sl_error err;
    if (!run) return;
    if (!sl_service_decode(&run->request, SL_PB_TYPE_OF(RunStepRequest), call, &run->arena)) {
        sl_master_run_unref(run);
        return;
    }
    if (is_here && run->request.partial_run_handle.n) { /* it waits on its thread */
        sl_master_run_unref(run);
        sl_service_spawn_step(master->worker, sl_master_run_step, master, call);
        return;
    }
    sl_code code = sl_seen_ids_add(&run->master->seen, (uint64_t)run->request.request_id, "RunStep", &err);
    if (code == SL_OK) code = sl_master_find(&run->session, run->master, run->request.session_handle, &err);
    if (code == SL_OK) code = read_names(run, &err);
    if (code == SL_OK) code = sl_master_session_enter(run->session, &err);
    if (code != SL_OK) {
        refuse(run, code, &err);
        return;
    }
    if (!run->request.partial_run_handle.n) {
        go(run);
        return;
    }
    sl_master_partial_run(run->session, &run->request, call);
    sl_master_run_unref(run);
}

void sl_master_run_step(void *master, struct sl_rpc_call *call) { run_step(master, call, false); }
void sl_master_run_step_here(void *master, struct sl_rpc_call *call) { run_step(master, call, true); }

/* ---- callables: their names are in their options, and tensors come by position */

static sl_code read_callable(struct sl_master_run *run, const struct sl_pb_RunCallableRequest *request,
                             struct sl_error *err) {
    SL_TRY(sl_master_find_callable(&run->callable, run->session, request->handle, err));
    const struct sl_pb_CallableOptions *options = run->callable->options;
    if (request->feed.n != options->feed.n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "the callable takes %zu tensors, not %zu", options->feed.n,
                       request->feed.n);
    run->feeds = SL_ARENA_ARRAY(&run->arena, const struct sl_pb_TensorProto *, request->feed.n + 1);
    if (!run->feeds) return sl_fail_memory(err, request->feed.n * sizeof *run->feeds);
    for (size_t i = 0; i < request->feed.n; i++) run->feeds[i] = &request->feed.items[i];
    run->request.options = options->run_options;
    run->signature = (struct sl_master_signature){.feeds = options->feed.items,
                                                  .fetches = options->fetch.items,
                                                  .targets = options->target.items,
                                                  .n_feeds = options->feed.n,
                                                  .n_fetches = options->fetch.n,
                                                  .n_targets = options->target.n,
                                                  .connections = options->tensor_connection.items,
                                                  .n_connections = options->tensor_connection.n};
    return SL_OK;
}

static void run_callable(struct sl_master *master, struct sl_rpc_call *call, bool is_here) {
    struct sl_master_run *run = run_new(master, call, is_here);
    struct sl_pb_RunCallableRequest request;
    struct sl_error err;
    if (!run) return;
    if (!sl_service_decode(&request, SL_PB_TYPE_OF(RunCallableRequest), call, &run->arena)) {
        sl_master_run_unref(run);
        return;
    }
    sl_code code = sl_seen_ids_add(&run->master->seen, (uint64_t)request.request_id, "RunCallable", &err);
    if (code == SL_OK) code = sl_master_find(&run->session, run->master, request.session_handle, &err);
    if (code == SL_OK) code = read_callable(run, &request, &err);
    if (code == SL_OK) code = sl_master_session_enter(run->session, &err);
    if (code == SL_OK) go(run);
    else refuse(run, code, &err);
}

void sl_master_run_callable(void *master, struct sl_rpc_call *call) { run_callable(master, call, false); }
void sl_master_run_callable_here(void *master, struct sl_rpc_call *call) { run_callable(master, call, true); }
