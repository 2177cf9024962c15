/* An explanation has ended when the own part has told and all other tasks have answered: `left` counts these. */
#include "dist/explain_service.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "kernel/cancellation.h"

static const int64_t PATIENCE_NS = 1000000000; /* with a task */

struct sentences {
    struct sl_wait_listener base;
    struct sl_arena arena;
    SL_VEC(struct sl_str) all;
    const char *task; /* who tells; NULL: there is one task */
};

/* Who waits for a transfer and who is asked for it say the same. */
static bool is_told(const struct sentences *s, struct sl_str sentence) {
    for (size_t i = 0; i < s->all.n; i++) {
        const struct sl_str before = s->all.items[i];
        if (before.n >= sentence.n && !memcmp(before.p + before.n - sentence.n, sentence.p, sentence.n)) return true;
    }
    return false;
}

/* Without memory it is not told. */
static void hear(struct sl_wait_listener *self, const char *sentence) {
    struct sentences *s = (struct sentences *)self;
    if (s->task && !strncmp(sentence, "device ", 7) && is_told(s, sl_str_of(sentence))) return;
    const size_t room = strlen(sentence) + (s->task ? strlen(s->task) : 0) + sizeof "at : ";
    char *text = sl_arena_alloc(&s->arena, room);
    if (!text) return;
    const int n = s->task ? snprintf(text, room, "at %s: %s", s->task, sentence) : snprintf(text, room, "%s", sentence);
    (void)sl_vec_push(&s->all, ((struct sl_str){text, (size_t)n}));
}

static void sentences_init(struct sentences *s) {
    *s = (struct sentences){.base = {.hear = hear}};
    sl_arena_init(&s->arena);
}

static void sentences_clear(struct sentences *s) {
    sl_vec_free(&s->all);
    sl_arena_clear(&s->arena);
}

/* ---- all tasks of a session */

struct explaining {
    struct sl_master_session *session;
    struct sl_task_calls calls;
    struct sentences sentences; /* of the own task, then of the others */
    atomic_int left;
    void (*told)(void *arg, const struct sl_explanation *explanation);
    void *arg;
};

static void add_answer(struct sentences *s, const struct sl_task_call *call) {
    struct sl_pb_sluice_ExplainResponse answer = {.unknown = NULL};
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    sl_code code = call->code;
    if (code == SL_OK)
        code = sl_pb_decode(&answer, SL_PB_TYPE_OF(sluice_ExplainResponse), call->body->bytes, &arena, &err);
    for (size_t i = 0; i < answer.sentence.n && code == SL_OK; i++)
        sl_wait_say(&s->base, "%.*s", SL_STR_ARG(answer.sentence.items[i]));
    if (code == SL_UNIMPLEMENTED)
        sl_wait_say(&s->base, "it is not a server of ours, and does not tell what it waits for");
    else if (code != SL_OK && code != SL_ABORTED) sl_wait_say(&s->base, "it does not answer");
    sl_arena_clear(&arena);
}

/* Who could end what they wait for: the master has the graph. */
static void follow_sentences(struct sentences *followed, struct explaining *e) {
    size_t n = 1;
    sentences_init(followed);
    for (size_t i = 0; i < e->sentences.all.n; i++) n += e->sentences.all.items[i].n + 1;
    char *lines = sl_arena_alloc(&e->sentences.arena, n), *at = lines;
    for (size_t i = 0; lines && i < e->sentences.all.n; i++) {
        const struct sl_str sentence = e->sentences.all.items[i];
        memcpy(at, sentence.p, sentence.n);
        at[sentence.n] = '\n';
        at += sentence.n + 1;
    }
    if (!lines) return;
    *at = 0;
    sl_master_follow_waits(e->session, lines, &followed->base);
}

static void finish(void *arg) {
    struct explaining *e = arg;
    for (int i = 0; i < e->calls.n; i++) {
        e->sentences.task = e->calls.cluster->tasks[e->calls.calls[i].task].name;
        add_answer(&e->sentences, &e->calls.calls[i]);
    }
    struct sentences followed;
    follow_sentences(&followed, e);
    const struct sl_explanation explanation = {followed.all.items, followed.all.n};
    e->told(e->arg, &explanation);
    sentences_clear(&followed);
    sentences_clear(&e->sentences);
    sl_task_calls_clear(&e->calls);
    sl_free(e);
}

static void others_answered(struct sl_task_calls *calls) {
    struct explaining *e = calls->arg;
    if (atomic_fetch_sub(&e->left, 1) == 1) sl_worker_spawn(e->session->master->worker, finish, e);
}

static sl_code ask_others(struct explaining *e, uint64_t step_id, struct sl_error *err) {
    const struct sl_master_session *s = e->session;
    struct sl_cluster *cluster = sl_master_session_cluster(s);
    const struct sl_pb_sluice_ExplainRequest request = {.session_handle = sl_str_of(s->handle), .step_id = step_id};
    SL_TRY(sl_task_calls_init(&e->calls, cluster, s->n_tasks, err));
    e->calls.arg = e;
    e->calls.done = others_answered;
    for (int i = 0; i < s->n_tasks; i++) {
        struct sl_rpc_message m = {.n = 0};
        const sl_code code = sl_wire_add_message(&m, SL_PB_TYPE_OF(sluice_ExplainRequest), &request, err);
        if (code != SL_OK) {
            sl_rpc_message_clear(&m);
            return code;
        }
        sl_task_calls_add(&e->calls, s->tasks[i], "/sluice.ExplainService/Part", &m,
                          sl_net_now(cluster->net) + PATIENCE_NS, false);
    }
    return SL_OK;
}

void sl_explain_session(struct sl_master_session *session, uint64_t step_id,
                        void (*told)(void *arg, const struct sl_explanation *explanation), void *arg) {
    const struct sl_cluster *cluster = sl_master_session_cluster(session);
    struct explaining *e = sl_calloc(1, sizeof *e);
    if (!e) {
        told(arg, &(struct sl_explanation){NULL, 0});
        return;
    }
    e->session = session;
    e->told = told;
    e->arg = arg;
    sentences_init(&e->sentences);
    if (session->n_tasks) e->sentences.task = cluster->tasks[cluster->own].name;
    const bool asks_others = ask_others(e, step_id, NULL) == SL_OK;
    if (!asks_others) sl_task_calls_clear(&e->calls); /* calls that have not begun have no answers */
    atomic_store(&e->left, 1 + asks_others);
    if (asks_others) sl_task_calls_start(&e->calls);
    if (session->own) sl_worker_session_tell(session->own, step_id, &e->sentences.base);
    if (atomic_fetch_sub(&e->left, 1) == 1) finish(e);
}

/* ---- methods */

static void answer(struct sl_rpc_call *call, const struct sl_explanation *explanation) {
    const struct sl_pb_sluice_ExplainResponse message = {.sentence = {explanation->sentences, explanation->n}};
    sl_service_answer(call, SL_PB_TYPE_OF(sluice_ExplainResponse), &message);
}

struct asked {
    struct sl_master_session *session;
    struct sl_rpc_call *call;
};

static void session_told(void *arg, const struct sl_explanation *explanation) {
    struct asked asked = *(struct asked *)arg;
    sl_free(arg);
    answer(asked.call, explanation);
    sl_master_session_unref(asked.session);
}

static sl_code explain_session(struct sl_master *master, const struct sl_pb_sluice_ExplainRequest *request,
                               struct sl_rpc_call *call, struct sl_error *err) {
    struct asked *asked = sl_malloc(sizeof *asked);
    if (!asked) return sl_fail_memory(err, sizeof *asked);
    asked->call = call;
    sl_code code = sl_master_find(&asked->session, master, request->session_handle, err);
    if (code == SL_OK) sl_explain_session(asked->session, request->step_id, session_told, asked);
    else sl_free(asked);
    return code;
}

static sl_code explain_part(struct sl_worker *worker, const struct sl_pb_sluice_ExplainRequest *request,
                            struct sl_rpc_call *call, struct sl_error *err) {
    struct sl_worker_session *session;
    struct sentences sentences;
    SL_TRY(sl_worker_find_session(&session, worker, request->session_handle, err));
    sentences_init(&sentences);
    sl_worker_session_tell(session, request->step_id, &sentences.base);
    sl_worker_session_unref(session);
    answer(call, &(struct sl_explanation){sentences.all.items, sentences.all.n});
    sentences_clear(&sentences);
    return SL_OK;
}

static void handle(struct sl_master *master, struct sl_rpc_call *call, bool is_part) {
    struct sl_pb_sluice_ExplainRequest request;
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(sluice_ExplainRequest), call, &arena)) {
        const sl_code code = is_part ? explain_part(master->worker, &request, call, &err)
                                     : explain_session(master, &request, call, &err);
        if (code != SL_OK) sl_rpc_call_fail(call, code, err.message);
    }
    sl_arena_clear(&arena);
}

static void handle_session(void *master, struct sl_rpc_call *call) { handle(master, call, false); }
static void handle_part(void *master, struct sl_rpc_call *call) { handle(master, call, true); }

static void session_asked(void *arg, struct sl_rpc_call *call) {
    sl_service_spawn(((struct sl_master *)arg)->worker, handle_session, arg, call);
}
static void part_asked(void *arg, struct sl_rpc_call *call) {
    sl_service_spawn(((struct sl_master *)arg)->worker, handle_part, arg, call);
}

const struct sl_rpc_method sl_explain_methods[] = {{"/sluice.ExplainService/Session", false, session_asked},
                                                   {"/sluice.ExplainService/Part", false, part_asked},
                                                   {NULL, false, NULL}};
