/* Partial runs: a step whose feeds and fetches come in several RunSteps. The own part has all of them, and is driven
 * here; parts at other tasks run as in any step. A run is in the session's list until its last fetch, or a failure. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "dist/master_run.h"
#include "graph/tensor_name.h"

struct sl_master_partial {
    atomic_uint holders;
    struct sl_master_partial *next; /* of the session; guarded by its mutex */
    bool is_listed;                 /* the same */
    struct sl_master_session *session;
    char handle[24];
    struct sl_arena arena;
    struct sl_pb_PartialRunSetupRequest request;
    struct sl_rpc_call *call; /* that sets it up */
    struct sl_master_signature signature;
    struct sl_executable_waiter waiter;
    struct sl_master_step step;
    bool has_step;
    struct sl_mutex turn; /* held by the message that is at work */
    struct sl_open_step *open;
    bool *is_used; /* feeds, then fetches */
    size_t left;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition ended;
    bool has_ended;
    sl_code code;
    struct sl_error err;
};

static void partial_unref(struct sl_master_partial *p) {
    if (atomic_fetch_sub(&p->holders, 1) != 1) return;
    if (p->has_step) sl_master_step_clear(&p->step);
    sl_master_executable_unref(p->step.executable);
    sl_master_session_unref(p->session);
    sl_condition_clear(&p->ended);
    sl_mutex_clear(&p->mutex);
    sl_mutex_clear(&p->turn);
    sl_arena_clear(&p->arena);
    sl_free(p);
}

static void step_ended(struct sl_master_step *step, sl_code code, const struct sl_error *err) {
    struct sl_master_partial *p = step->arg;
    sl_mutex_lock(&p->mutex);
    p->has_ended = true;
    p->code = code;
    if (code != SL_OK) p->err = *err;
    sl_condition_broadcast(&p->ended);
    sl_mutex_unlock(&p->mutex);
}

static bool unlist(struct sl_master_partial *p) {
    struct sl_master_session *s = p->session;
    sl_mutex_lock(&s->mutex);
    bool was_listed = p->is_listed;
    struct sl_master_partial **at = &s->partials;
    while (was_listed && *at != p) at = &(*at)->next;
    if (was_listed) *at = p->next;
    p->is_listed = false;
    sl_mutex_unlock(&s->mutex);
    return was_listed;
}

/* Ends the own part, waits for the others, and drops the list's reference. With the turn, once. */
static sl_code end(struct sl_master_partial *p, sl_code code, struct sl_error *err) {
    if (code != SL_OK) sl_master_step_cancel(&p->step, code, err->message);
    sl_step_close(p->open);
    p->open = NULL;
    sl_master_step_finish(&p->step, SL_OK, NULL);
    sl_mutex_lock(&p->mutex);
    while (!p->has_ended) sl_condition_wait(&p->ended, &p->mutex);
    sl_code at_the_end = p->code;
    if (code == SL_OK && at_the_end != SL_OK) *err = p->err;
    sl_mutex_unlock(&p->mutex);
    if (unlist(p)) partial_unref(p);
    return code == SL_OK ? at_the_end : code;
}

/* ---- setting up */

static void answer_setup(struct sl_master_partial *p, sl_code code, const struct sl_error *err) {
    struct sl_master_session *s = p->session;
    struct sl_rpc_message m = {.n = 0};
    struct sl_error own;
    if (code == SL_OK) {
        err = &own;
        code = sl_wire_add_text(&m, 1, sl_str_of(p->handle), &own);
    }
    sl_service_end(p->call, &m, code, err);
    sl_master_session_leave(s);
    partial_unref(p);
}

static sl_code open_step(struct sl_master_partial *p, struct sl_error *err) {
    struct sl_master_session *s = p->session;
    struct sl_worker_graph *own = p->step.executable->own;
    if (!own) return sl_fail(err, SL_INVALID_ARGUMENT, "a partial run feeds or fetches something");
    p->step.session = s;
    p->step.is_driven = true;
    p->step.done = step_ended;
    p->step.arg = p;
    SL_TRY(sl_master_step_init(&p->step, err));
    p->has_step = true;
    sl_master_step_start(&p->step);
    sl_code code = sl_step_open(&p->open, (struct sl_program *)sl_worker_graph_program(own), &p->step.own.env, err);
    if (code != SL_OK) {
        p->open = NULL;
        return end(p, code, err);
    }
    atomic_fetch_add(&p->holders, 1);
    sl_mutex_lock(&s->mutex);
    (void)snprintf(p->handle, sizeof p->handle, "%" PRId64, s->n_partials++);
    p->is_listed = true;
    p->next = s->partials;
    s->partials = p;
    sl_mutex_unlock(&s->mutex);
    return SL_OK;
}

static void set_up(void *arg) {
    struct sl_master_partial *p = arg;
    struct sl_error err;
    sl_code code = open_step(p, &err);
    answer_setup(p, code, &err);
}

static void ready(struct sl_executable_waiter *waiter, struct sl_master_executable *executable, sl_code code,
                  const struct sl_error *err) {
    struct sl_master_partial *p =
        (struct sl_master_partial *)((char *)waiter - offsetof(struct sl_master_partial, waiter));
    p->step.executable = executable;
    if (code != SL_OK) answer_setup(p, code, err);
    else sl_worker_spawn_step(p->session->master->worker, set_up, p);
}

static sl_code prepare(struct sl_master_partial *p, struct sl_master *master, struct sl_error *err) {
    const struct sl_pb_PartialRunSetupRequest *r = &p->request;
    p->left = r->feed.n + r->fetch.n;
    p->is_used = SL_ARENA_ARRAY(&p->arena, bool, p->left + 1);
    if (!p->is_used) return sl_fail_memory(err, p->left);
    p->signature = (struct sl_master_signature){.feeds = r->feed.items,
                                                .fetches = r->fetch.items,
                                                .targets = r->target.items,
                                                .n_feeds = r->feed.n,
                                                .n_fetches = r->fetch.n,
                                                .n_targets = r->target.n,
                                                .is_partial = true};
    SL_TRY(sl_seen_ids_add(&master->seen, (uint64_t)r->request_id, "PartialRunSetup", err));
    SL_TRY(sl_master_find(&p->session, master, r->session_handle, err));
    return sl_master_session_enter(p->session, err);
}

/* The names outlive the call. */
static bool read_setup(struct sl_master_partial *p, struct sl_rpc_call *call) {
    struct sl_str bytes = sl_arena_str(&p->arena, call->body->bytes);
    struct sl_error err;
    sl_code code = bytes.p ? sl_pb_decode(&p->request, SL_PB_TYPE_OF(PartialRunSetupRequest), bytes, &p->arena, &err)
                           : sl_fail_memory(&err, call->body->bytes.n);
    if (code != SL_OK) sl_rpc_call_fail(call, code, err.message);
    return code == SL_OK;
}

void sl_master_partial_setup(void *master, struct sl_rpc_call *call) {
    struct sl_master_partial *p = sl_calloc(1, sizeof *p);
    struct sl_error err;
    if (!p) {
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    p->call = call;
    atomic_store(&p->holders, 1);
    sl_arena_init(&p->arena);
    sl_mutex_init(&p->turn);
    sl_mutex_init(&p->mutex);
    sl_condition_init(&p->ended);
    p->waiter.ready = ready;
    if (!read_setup(p, call)) {
        partial_unref(p);
        return;
    }
    sl_code code = prepare(p, master, &err);
    if (code != SL_OK) {
        sl_rpc_call_fail(call, code, err.message);
        partial_unref(p);
        return;
    }
    struct sl_master_executable *executable = sl_master_executable_get(p->session, &p->signature, &p->waiter);
    if (!executable) return;
    p->step.executable = executable;
    set_up(p);
}

/* ---- running */

static size_t place_of(const struct sl_str *names, size_t n, struct sl_str name) {
    size_t i = 0;
    while (i < n && !sl_str_eq(names[i], name)) i++;
    return i;
}

/* ---- what a fetch depends on */

enum fed { FED_NOT, FED_PENDING, FED };

static enum fed fed_of(const struct sl_master_partial *p, const struct sl_pb_RunStepRequest *r, struct sl_port port) {
    const struct sl_master_signature *all = &p->signature;
    for (size_t i = 0; i < all->n_feeds; i++) {
        struct sl_tensor_name name = sl_tensor_name_of(all->feeds[i]);
        if (name.index != port.index || !sl_str_eq(name.node, port.node->name)) continue;
        if (p->is_used[i]) return FED;
        for (size_t k = 0; k < r->feed.n; k++)
            if (sl_str_eq(r->feed.items[k].name, all->feeds[i])) return FED;
        return FED_PENDING;
    }
    return FED_NOT;
}

struct search {
    const struct sl_master_partial *p;
    const struct sl_pb_RunStepRequest *r;
    SL_VEC(struct sl_port) left;
    bool *is_seen; /* by node id */
};

static sl_code push(struct search *s, struct sl_node *node, int index, struct sl_error *err) {
    const struct sl_port port = {node, index};
    return sl_vec_push(&s->left, port) ? sl_fail_memory(err, sizeof port) : SL_OK;
}

/* Goes from the ports that are left to what they need, up to a feed that has not come. */
static sl_code search(struct search *s, struct sl_error *err) {
    while (s->left.n) {
        const struct sl_port port = s->left.items[--s->left.n];
        const enum fed fed = fed_of(s->p, s->r, port);
        if (fed == FED_PENDING)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Fetch %.*s:%d can't be computed from the feeds that have been fed so far.",
                           SL_STR_ARG(port.node->name), port.index);
        if (fed == FED || s->is_seen[port.node->id]) continue;
        s->is_seen[port.node->id] = true;
        for (int i = 0; i < port.node->n_inputs; i++)
            if (port.node->inputs[i].node) SL_TRY(push(s, port.node->inputs[i].node, port.node->inputs[i].index, err));
        for (int i = 0; i < port.node->n_controls; i++) SL_TRY(push(s, port.node->controls[i], -1, err));
    }
    return SL_OK;
}

/* With the graph's mutex. */
static sl_code search_all(struct search *s, const struct sl_graph *graph, struct sl_error *err) {
    s->is_seen = sl_calloc(graph->nodes.n + 1, sizeof *s->is_seen);
    if (!s->is_seen) return sl_fail_memory(err, graph->nodes.n);
    for (size_t i = 0; i < s->r->fetch.n; i++) {
        struct sl_tensor_name name = sl_tensor_name_of(s->r->fetch.items[i]);
        struct sl_node *node = sl_graph_find(graph, name.node);
        if (node) SL_TRY(push(s, node, name.index, err));
    }
    return search(s, err);
}

static sl_code check_fetches(const struct sl_master_partial *p, const struct sl_pb_RunStepRequest *r,
                             struct sl_error *err) {
    struct search s = {.p = p, .r = r};
    sl_mutex_lock(&p->session->graph_mutex);
    sl_code code = search_all(&s, p->session->graph, err);
    sl_mutex_unlock(&p->session->graph_mutex);
    sl_vec_free(&s.left);
    sl_free(s.is_seen);
    return code;
}

/* A message that names what it may not leaves the step as it is. */
static sl_code check(const struct sl_master_partial *p, const struct sl_pb_RunStepRequest *r, struct sl_error *err) {
    const struct sl_master_signature *all = &p->signature;
    for (size_t i = 0; i < r->feed.n; i++) {
        struct sl_str name = r->feed.items[i].name;
        size_t at = place_of(all->feeds, all->n_feeds, name);
        if (at == all->n_feeds)
            return sl_fail(err, SL_INVALID_ARGUMENT, "The feed %.*s was not specified in partial_run_setup.",
                           SL_STR_ARG(name));
        if (p->is_used[at])
            return sl_fail(err, SL_INVALID_ARGUMENT, "The feed %.*s has already been fed.", SL_STR_ARG(name));
    }
    for (size_t i = 0; i < r->fetch.n; i++) {
        struct sl_str name = r->fetch.items[i];
        size_t at = place_of(all->fetches, all->n_fetches, name);
        if (at == all->n_fetches)
            return sl_fail(err, SL_INVALID_ARGUMENT, "The fetch %.*s was not specified in partial_run_setup.",
                           SL_STR_ARG(name));
        if (p->is_used[all->n_feeds + at])
            return sl_fail(err, SL_INVALID_ARGUMENT, "The fetch %.*s has already been fetched.", SL_STR_ARG(name));
    }
    return r->fetch.n ? check_fetches(p, r, err) : SL_OK;
}

static sl_code feed(struct sl_master_partial *p, const struct sl_pb_NamedTensorProto *named, struct sl_rpc_body *body,
                    struct sl_error *err) {
    size_t at = place_of(p->signature.feeds, p->signature.n_feeds, named->name);
    int wanted = sl_worker_graph_program(p->step.executable->own)->arg_types[at];
    struct sl_value value;
    SL_TRY(sl_master_read_feed(&value, p->step.session, named->tensor, body, err));
    if (value.dtype != wanted) {
        sl_value_clear(&value);
        return sl_fail(err, SL_INVALID_ARGUMENT, "Type mismatch: %.*s was fed a %s tensor but expects %s",
                       SL_STR_ARG(named->name), sl_dtype_name(value.dtype), sl_dtype_name(wanted));
    }
    SL_TRY(sl_step_feed(p->open, (int)at, value, err));
    p->is_used[at] = true;
    p->left--;
    return SL_OK;
}

static sl_code fetch(struct sl_rpc_message *m, struct sl_master_partial *p, struct sl_str name, struct sl_error *err) {
    size_t at = place_of(p->signature.fetches, p->signature.n_fetches, name);
    struct sl_tensor *t;
    struct sl_value value;
    sl_code code = sl_step_fetch(&value, p->open, (int)at, err);
    if (code != SL_OK) {
        const struct sl_cluster *cluster = sl_master_session_cluster(p->session);
        const struct sl_error why = *err;
        return sl_fail(err, code, "From %s:\n%s", cluster->tasks[cluster->own].name, why.message);
    }
    p->is_used[p->signature.n_feeds + at] = true;
    p->left--;
    if (value.kind <= SL_VALUE_DEAD)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The tensor returned for %.*s was not valid.", SL_STR_ARG(name));
    code = sl_value_to_tensor(&t, &value, err);
    sl_value_clear(&value);
    if (code != SL_OK) return code;
    code = sl_master_add_fetch(m, p->step.session, name, t, err);
    sl_tensor_unref(t);
    return code;
}

static sl_code pass_values(struct sl_rpc_message *m, struct sl_master_partial *p, const struct sl_pb_RunStepRequest *r,
                           struct sl_rpc_body *body, struct sl_error *err) {
    static const char metadata[] = {0x12, 0};
    sl_code code = SL_OK;
    if (!p->open) return sl_fail(err, SL_INVALID_ARGUMENT, "Must run PartialRunSetup before performing partial runs");
    SL_TRY(check(p, r, err));
    for (size_t i = 0; i < r->feed.n && code == SL_OK; i++) code = feed(p, &r->feed.items[i], body, err);
    for (size_t i = 0; i < r->fetch.n && code == SL_OK; i++) code = fetch(m, p, r->fetch.items[i], err);
    if (code == SL_OK && p->left) return SL_OK;
    code = end(p, code, err);
    return code == SL_OK ? sl_rpc_message_add_bytes(m, (struct sl_str){metadata, sizeof metadata}, err) : code;
}

static sl_code find(struct sl_master_partial **out, struct sl_master_session *s, struct sl_str handle,
                    struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    struct sl_master_partial *p = s->partials;
    while (p && !sl_str_is(handle, p->handle)) p = p->next;
    if (p) atomic_fetch_add(&p->holders, 1);
    sl_mutex_unlock(&s->mutex);
    *out = p;
    return p ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "Must run PartialRunSetup before performing partial runs");
}

void sl_master_partial_run(struct sl_master_session *s, const struct sl_pb_RunStepRequest *request,
                           struct sl_rpc_call *call) {
    struct sl_rpc_message m = {.n = 0};
    struct sl_master_partial *p;
    struct sl_error err;
    sl_code code = find(&p, s, request->partial_run_handle, &err);
    if (code == SL_OK) {
        sl_mutex_lock(&p->turn);
        code = pass_values(&m, p, request, call->body, &err);
        sl_mutex_unlock(&p->turn);
        partial_unref(p);
    }
    if (code != SL_OK && request->store_errors_in_response_body &&
        sl_master_write_failure(&m, code, err.message) == SL_OK)
        code = SL_OK;
    sl_service_end(call, &m, code, &err);
    sl_master_session_leave(s);
}

/* ---- the end of the session */

void sl_master_partials_cancel(struct sl_master_session *s, sl_code code, const char *text) {
    for (size_t i = 0;; i++) {
        sl_mutex_lock(&s->mutex);
        struct sl_master_partial *p = s->partials;
        for (size_t k = 0; k < i && p; k++) p = p->next;
        if (p) atomic_fetch_add(&p->holders, 1);
        sl_mutex_unlock(&s->mutex);
        if (!p) return;
        sl_master_step_cancel(&p->step, code, text);
        partial_unref(p);
    }
}

void sl_master_partials_end(struct sl_master_session *s) {
    for (;;) {
        struct sl_error err;
        sl_mutex_lock(&s->mutex);
        struct sl_master_partial *p = s->partials;
        if (p) atomic_fetch_add(&p->holders, 1);
        sl_mutex_unlock(&s->mutex);
        if (!p) return;
        sl_mutex_lock(&p->turn);
        sl_fail(&err, SL_CANCELLED, "PRun cancellation");
        (void)end(p, SL_CANCELLED, &err);
        sl_mutex_unlock(&p->turn);
        partial_unref(p);
    }
}
