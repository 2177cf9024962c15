/* Chains of calls. A set has ended when all its calls have, and what comes by the carrier has come: each is counted in `left`. */
#include "dist/collective_chain.h"

#include "base/alloc.h"

void sl_chain_init(struct sl_chain *c, struct sl_worker *worker, struct task_peers *peers) {
    *c = (struct sl_chain){.worker = worker, .peers = peers};
    sl_mutex_init(&c->mutex);
}

static void clear_calls(struct sl_chain *c) {
    for (int i = 0; c->carried && i < c->calls.room; i++) sl_carried_release(c->carried[i]);
    sl_free(c->carried);
    sl_free(c->sizes);
    c->carried = NULL;
    c->sizes = NULL;
    sl_task_calls_clear(&c->calls);
}

void sl_chain_clear(struct sl_chain *c) {
    clear_calls(c);
    sl_mutex_clear(&c->mutex);
}

static void run_ended(void *arg) {
    struct sl_chain *c = arg;
    c->ended(c);
}

static void part_done(void *arg) {
    struct sl_chain *c = arg;
    if (atomic_fetch_sub(&c->left, 1) != 1) return;
    sl_mutex_lock(&c->mutex);
    c->is_calling = false;
    sl_mutex_unlock(&c->mutex);
    sl_worker_spawn(c->worker, run_ended, c);
}

void sl_chain_answer_over(struct sl_chain *c) { part_done(c); }

static void calls_done(struct sl_task_calls *calls) { part_done(calls->arg); }

/* Whether an answer says that the elements come by the carrier. */
static bool says_carried(const struct sl_task_call *call) {
    struct sl_pb_RecvBufResponse response;
    struct sl_arena arena;
    if (call->code != SL_OK || call->body->bytes.n > 2 * SL_TICKET_ROOM) return false;
    sl_arena_init(&arena);
    const bool is = sl_pb_decode(&response, SL_PB_TYPE_OF(RecvBufResponse), call->body->bytes, &arena, NULL) == SL_OK &&
                    response.transport_options && sl_str_is(response.transport_options->type_url, SL_CARRIER_URL);
    sl_arena_clear(&arena);
    return is;
}

static void call_answered(struct sl_task_calls *calls, struct sl_task_call *call) {
    struct sl_chain *c = calls->arg;
    const size_t i = (size_t)(call - calls->calls);
    struct sl_carried *carried = c->carried ? c->carried[i] : NULL;
    if (c->answered) {
        atomic_fetch_add(&c->left, 1);
        c->answered(c, (int)i);
    }
    if (!carried) return;
    if (says_carried(call)) {
        atomic_fetch_add(&c->left, 1);
        sl_carried_receive(carried, c->sizes[i].n, c->sizes[i].bytes);
        return;
    }
    sl_mutex_lock(&c->mutex); /* somebody may cancel meanwhile */
    c->carried[i] = NULL;
    sl_mutex_unlock(&c->mutex);
    sl_carried_not_sent(carried, call->code == SL_OK, call->code == SL_OK || call->code == SL_ABORTED);
    sl_carried_release(carried);
}

sl_code sl_chain_prepare(struct sl_chain *c, int room, void (*ended)(struct sl_chain *chain), struct sl_error *err) {
    clear_calls(c);
    SL_TRY(sl_task_calls_init(&c->calls, c->worker->options.cluster, room, err));
    atomic_store(&c->left, 1);
    c->calls.arg = c;
    c->calls.done = calls_done;
    c->calls.one_done = call_answered;
    c->ended = ended;
    c->answered = NULL;
    return SL_OK;
}

sl_code sl_chain_prepare_carried(struct sl_chain *c, struct sl_error *err) {
    const size_t n = (size_t)c->calls.room + 1;
    c->carried = sl_calloc(n, sizeof(struct sl_carried *));
    c->sizes = sl_calloc(n, sizeof *c->sizes);
    return c->carried && c->sizes ? SL_OK : sl_fail_memory(err, n * sizeof(struct sl_carried *));
}

void sl_chain_take_ticket(char text[SL_TICKET_ROOM], struct sl_chain *c, struct sl_carrier *carrier, int task, size_t n,
                          size_t bytes) {
    *text = '\0';
    if (!c->carried) return;
    c->carried[c->calls.n] = sl_carried_new(text, carrier, task, part_done, c);
    c->sizes[c->calls.n] = (struct sl_carried_size){n, bytes};
}

/* Cancelling waits for the calls to have begun, which takes nobody long. */
void sl_chain_start(struct sl_chain *c) {
    sl_mutex_lock(&c->mutex);
    bool is_cancelled = c->is_cancelled;
    c->is_calling = true;
    sl_mutex_unlock(&c->mutex);
    if (is_cancelled) sl_task_calls_cancel(&c->calls);
    sl_task_calls_start(&c->calls);
}

static void leave_carried(struct sl_chain *c) {
    for (int i = 0;; i++) {
        struct sl_carried *carried = NULL;
        sl_mutex_lock(&c->mutex);
        const bool is_over = !c->is_calling || !c->carried || i >= c->calls.n;
        if (!is_over) carried = sl_carried_hold(c->carried[i]);
        sl_mutex_unlock(&c->mutex);
        if (is_over) return;
        if (carried) sl_carried_leave(carried);
        sl_carried_release(carried);
    }
}

void sl_chain_cancel(struct sl_chain *c) {
    sl_mutex_lock(&c->mutex);
    c->is_cancelled = true;
    const bool has_carried = c->is_calling && c->carried;
    if (c->is_calling) sl_task_calls_cancel(&c->calls);
    sl_mutex_unlock(&c->mutex);
    if (has_carried) leave_carried(c); /* a join, which has none, may have ended by now */
}

sl_code sl_chain_status(const struct sl_chain *c, const char *what, struct sl_error *err) {
    for (int i = 0; i < c->calls.n; i++) {
        const struct sl_task_call *call = &c->calls.calls[i];
        const char *text = call->text ? call->text : "", *data;
        struct sl_error why;
        sl_code code = call->code;
        if (code == SL_OK && c->carried && c->carried[i]) {
            code = sl_carried_get(&data, c->carried[i], &why);
            text = why.message;
        }
        if (code == SL_OK) continue;
        if (code != SL_UNAVAILABLE) return sl_fail(err, code, "%s", text);
        return sl_fail(err, code, "Collective ops is aborted by: %s from %s: %s", what,
                       c->calls.cluster->tasks[call->task].name, text);
    }
    return SL_OK;
}
