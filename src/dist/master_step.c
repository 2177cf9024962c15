/* A step over several tasks: begins all parts at once, and merges what they say at the end. The first failure cancels
 * the other parts. */
#include <stdio.h>

#include "base/alloc.h"
#include "dist/master_run.h"

static const char derived[] = "[_Derived_]";

/* ---- failures: of each task at most one */

struct sl_part_failure {
    struct sl_part_failure *next;
    sl_code code;
    bool is_derived;
    char text[];
};

/* Text that names its task already stays as it is. */
static struct sl_part_failure *make_failure(const char *task, sl_code code, const char *text) {
    bool is_derived = strstr(text, derived) != NULL, is_named = !strncmp(text, "From /job:", 10);
    size_t n = strlen(text) + strlen(task) + 16;
    struct sl_part_failure *f = sl_calloc(1, sizeof *f + n);
    if (!f) return NULL;
    f->code = code;
    f->is_derived = is_derived || code == SL_CANCELLED;
    const char *rest = strncmp(text, derived, sizeof derived - 1) == 0 ? text + sizeof derived - 1 : text;
    if (is_named) (void)snprintf(f->text, n, "%s", rest);
    else (void)snprintf(f->text, n, "From %s:\n%s", task, rest);
    return f;
}

static void note_failure(struct sl_master_step *step, int task, sl_code code, const char *text) {
    const struct sl_cluster *cluster = sl_master_session_cluster(step->session);
    struct sl_part_failure *f = make_failure(cluster->tasks[task].name, code, text);
    if (!f) return;
    sl_mutex_lock(&step->mutex);
    f->next = step->failures;
    step->failures = f;
    sl_mutex_unlock(&step->mutex);
}

static const struct sl_part_failure *next_root(const struct sl_part_failure *f) {
    while (f && f->is_derived) f = f->next;
    return f;
}

/* Without a reason of its own: what came first and is more than that the part was cancelled. */
static const struct sl_part_failure *first_told(const struct sl_part_failure *all) {
    const struct sl_part_failure *told = NULL, *oldest = all;
    for (const struct sl_part_failure *f = all; f; f = f->next) {
        oldest = f;
        if (f->code != SL_CANCELLED) told = f;
    }
    return told ? told : oldest;
}

static sl_code merge_roots(struct sl_error *err, const struct sl_part_failure *all, unsigned roots) {
    int i = 0, n = 0;
    const struct sl_part_failure *first = next_root(all);
    for (const struct sl_part_failure *f = all; f; f = f->next) n++;
    sl_fail(err, first->code, "%u root error(s) found.", roots);
    for (const struct sl_part_failure *f = first; f; f = next_root(f->next))
        sl_error_append(err, "\n  (%d) %s: %s", i++, sl_code_name(f->code), f->text);
    sl_error_append(err, "\n0 successful operations.\n%d derived errors ignored.", n - (int)roots);
    return first->code;
}

/* What the client is told. A reason to cancel counts more than what came of it. */
static sl_code outcome(const struct sl_master_step *step, struct sl_error *err) {
    const struct sl_part_failure *all = step->failures, *first = next_root(all);
    unsigned roots = 0;
    if (step->cancelled != SL_OK) {
        *err = step->why;
        return step->cancelled;
    }
    if (!all) return SL_OK;
    if (!first) {
        first = first_told(all);
        return sl_fail(err, first->code, "%s", first->text);
    }
    for (const struct sl_part_failure *f = first; f; f = next_root(f->next)) roots++;
    return roots == 1 ? sl_fail(err, first->code, "%s", first->text) : merge_roots(err, all, roots);
}

/* ---- ends */

static void count_down(struct sl_master_step *step) {
    struct sl_error err;
    sl_mutex_lock(&step->mutex);
    bool is_last = --step->left == 0;
    sl_mutex_unlock(&step->mutex);
    if (!is_last) return;
    if (step->has_grace) sl_net_cancel_timer(step->session->master->cluster->net, &step->grace);
    sl_code code = outcome(step, &err);
    step->done(step, code, &err);
}

/* Who calls this is counted. */
static void stop_parts(struct sl_master_step *step, sl_code code, const char *text) {
    if (step->has_own) sl_worker_step_cancel(&step->own, code, text);
    if (step->has_remote) sl_task_calls_cancel(&step->remote);
}

/* ---- what follows from a failure: the other parts are cancelled at once, but that those which fail because of another
 * part wait a while, so that the reason comes first */

static const int64_t GRACE_NS = 1000000000;

static void stop_late(void *arg) {
    stop_parts(arg, SL_CANCELLED, "another part of the step failed");
    count_down(arg);
}

/* Nothing may end within this. */
static void grace_over(struct sl_net_timer *timer) {
    struct sl_master_step *step = timer->arg;
    sl_mutex_lock(&step->mutex);
    bool is_late = !step->left;
    if (!is_late) step->left++;
    sl_mutex_unlock(&step->mutex);
    if (!is_late) sl_worker_spawn(step->session->master->worker, stop_late, step);
}

/* Who calls this is counted. */
static void part_failed(struct sl_master_step *step, int task, sl_code code, const char *text) {
    struct sl_net *net = step->session->master->cluster->net;
    bool waits = strstr(text, derived) != NULL;
    note_failure(step, task, code, text);
    if (!waits) {
        stop_parts(step, SL_CANCELLED, "another part of the step failed");
        return;
    }
    sl_mutex_lock(&step->mutex);
    bool is_first = !step->has_grace;
    step->has_grace = true;
    sl_mutex_unlock(&step->mutex);
    if (!is_first) return;
    step->grace = (struct sl_net_timer){.due = grace_over, .arg = step};
    sl_net_set_timer(net, &step->grace, sl_net_now(net) + GRACE_NS);
}

static void own_done(struct sl_worker_step *own, sl_code code, const struct sl_error *err) {
    struct sl_master_step *step = own->arg;
    if (code != SL_OK) part_failed(step, sl_master_session_cluster(step->session)->own, code, err->message);
    count_down(step);
}

/* What a worker answers: mostly nothing. */
static sl_code read_answer(const struct sl_task_call *call, struct sl_error *err) {
    struct sl_pb_RunGraphResponse answer;
    struct sl_arena arena;
    if (call->code != SL_OK) return sl_fail(err, call->code, "%s", call->text ? call->text : "");
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&answer, SL_PB_TYPE_OF(RunGraphResponse), call->body->bytes, &arena, err);
    if (code == SL_OK && answer.status_code)
        code = sl_fail(err, (sl_code)answer.status_code, "%.*s", SL_STR_ARG(answer.status_error_message));
    sl_arena_clear(&arena);
    return code;
}

static void remote_done(struct sl_task_calls *calls, struct sl_task_call *call) {
    struct sl_master_step *step = calls->arg;
    struct sl_error err;
    sl_code code = read_answer(call, &err);
    if (code != SL_OK) part_failed(step, call->task, code, err.message);
}

static void all_remote_done(struct sl_task_calls *calls) { count_down(calls->arg); }

/* ---- the beginning */

static sl_code write_run(struct sl_rpc_message *m, struct sl_master_step *step,
                         const struct sl_master_remote_part *part, struct sl_error *err) {
    struct sl_pb_ExecutorOpts options = {.record_costs = step->wishes.costs,
                                         .record_timeline = step->wishes.steps,
                                         .record_partition_graphs = step->wishes.graphs};
    const struct sl_pb_RunGraphRequest request = {.session_handle = sl_str_of(step->session->handle),
                                                  .create_worker_session_called = true,
                                                  .graph_handle = sl_str_of(part->handle),
                                                  .step_id = (int64_t)step->step_id,
                                                  .exec_opts = &options,
                                                  .store_errors_in_response_body = true,
                                                  .request_id =
                                                      (int64_t)sl_id_source_next(&step->session->master->worker->ids)};
    return sl_wire_add_message(m, SL_PB_TYPE_OF(RunGraphRequest), &request, err);
}

static sl_code prepare_remote(struct sl_master_step *step, struct sl_error *err) {
    const struct sl_master_executable *x = step->executable;
    SL_TRY(sl_task_calls_init(&step->remote, sl_master_session_cluster(step->session), x->n_remotes, err));
    step->has_remote = true;
    step->remote.arg = step;
    step->remote.one_done = remote_done;
    step->remote.done = all_remote_done;
    for (int i = 0; i < x->n_remotes; i++) {
        struct sl_rpc_message m = {.n = 0};
        sl_code code = write_run(&m, step, &x->remotes[i], err);
        if (code != SL_OK) {
            sl_rpc_message_clear(&m);
            return code;
        }
        sl_task_calls_add(&step->remote, x->remotes[i].task, "/tensorflow.WorkerService/RunGraph", &m, 0, false);
    }
    return SL_OK;
}

sl_code sl_master_step_init(struct sl_master_step *step, struct sl_error *err) {
    const struct sl_master_executable *x = step->executable;
    sl_code code = SL_OK;
    step->step_id = sl_id_source_next(&step->session->master->worker->ids) & ((UINT64_C(1) << 57) - 1);
    step->left = 1; /* who starts it */
    if (x->own) {
        step->own = (struct sl_worker_step){.graph = x->own,
                                            .step_id = step->step_id,
                                            .args = step->args,
                                            .rets = step->rets,
                                            .trace = step->trace,
                                            .done = own_done,
                                            .arg = step};
        SL_TRY(sl_worker_step_init(&step->own, err));
        step->has_own = true;
    }
    sl_mutex_init(&step->mutex);
    if (x->n_remotes) code = prepare_remote(step, err);
    if (code == SL_OK) return SL_OK;
    if (step->has_remote) sl_task_calls_clear(&step->remote);
    if (step->has_own) sl_worker_step_abandon(&step->own);
    sl_mutex_clear(&step->mutex);
    return code;
}

void sl_master_step_start(struct sl_master_step *step) {
    struct sl_error err;
    sl_mutex_lock(&step->mutex);
    step->left += step->has_own + step->has_remote;
    sl_mutex_unlock(&step->mutex);
    if (step->has_remote) sl_task_calls_start(&step->remote);
    if (step->has_own && !step->is_driven) sl_worker_step_start(&step->own);
    else if (step->has_own) {
        sl_code code = sl_worker_step_open(&step->own, &err);
        if (code != SL_OK) sl_worker_step_cancel(&step->own, code, err.message);
    }
    count_down(step);
}

void sl_master_step_finish(struct sl_master_step *step, sl_code code, const struct sl_error *err) {
    sl_worker_step_finish(&step->own, code, err);
}

void sl_master_step_cancel(struct sl_master_step *step, sl_code code, const char *text) {
    sl_mutex_lock(&step->mutex);
    bool is_late = !step->left || step->cancelled != SL_OK;
    if (!is_late) {
        step->cancelled = code;
        sl_fail(&step->why, code, "%s", text);
        step->left++;
    }
    sl_mutex_unlock(&step->mutex);
    if (is_late) return;
    stop_parts(step, code, text);
    count_down(step);
}

/* ---- afterwards */

struct cleanup {
    struct sl_task_calls calls;
    struct sl_master_session *session;
};

static void cleaned_up(struct sl_task_calls *calls) {
    struct cleanup *c = calls->arg;
    sl_task_calls_clear(calls);
    sl_master_session_unref(c->session);
    sl_free(c);
}

/* Workers that do not hear of it lose a little memory. */
static void tell_workers(struct sl_master_step *step) {
    const struct sl_master_executable *x = step->executable;
    struct sl_master_session *s = step->session;
    struct cleanup *c = sl_calloc(1, sizeof *c);
    if (!c) return;
    if (sl_task_calls_init(&c->calls, sl_master_session_cluster(s), x->n_remotes, NULL) != SL_OK) {
        sl_task_calls_clear(&c->calls);
        sl_free(c);
        return;
    }
    atomic_fetch_add(&s->references, 1);
    c->session = s;
    c->calls.arg = c;
    c->calls.done = cleaned_up;
    for (int i = 0; i < x->n_remotes; i++) {
        struct sl_rpc_message m = {.n = 0};
        if (sl_wire_add_number(&m, 1, step->step_id, NULL) != SL_OK) continue;
        sl_task_calls_add(&c->calls, x->remotes[i].task, "/tensorflow.WorkerService/CleanupGraph", &m, 0, false);
    }
    sl_task_calls_start(&c->calls);
}

void sl_master_step_clear(struct sl_master_step *step) {
    if (step->has_own) sl_worker_step_clear(&step->own);
    if (step->has_remote) tell_workers(step);
    if (step->has_remote) sl_task_calls_clear(&step->remote);
    sl_worker_cleanup(step->session->master->worker, step->step_id);
    while (step->failures) {
        struct sl_part_failure *f = step->failures;
        step->failures = f->next;
        sl_free(f);
    }
    sl_mutex_clear(&step->mutex);
}
