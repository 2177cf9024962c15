/* Partial runs: a step that stays open while the client feeds and fetches in pieces. The program has the token form,
 * whose arguments may come late. */
#include "base/alloc.h"
#include "session/local_session.h"

struct sl_local_partial {
    struct sl_partial_run base;
    struct sl_local_session *session;    /* NULL once it is gone */
    struct sl_local_partial *next, **at; /* in the session's list */
    struct sl_program *program;
    struct sl_open_step *step;
    struct sl_step_env env;
    struct sl_port *feeds, *fetches;
    int n_feeds, n_fetches;
    bool *is_fetched;
    int left; /* feeds and fetches still to come */
};

static void free_partial(struct sl_partial_run *base) {
    sl_local_partial_detach((struct sl_local_partial *)base);
    sl_free(base);
}

sl_code sl_local_session_prun_setup(struct sl_partial_run **out, struct sl_session *session, const struct sl_run *all,
                                    struct sl_error *err) {
    struct sl_local_session *s = sl_local_session_of(session);
    SL_TRY(sl_local_session_enter(s, err));
    size_t n_ports = (size_t)all->n_feeds + (size_t)all->n_fetches;
    struct sl_local_partial *p = sl_calloc(1, sizeof *p + n_ports * (sizeof(struct sl_port) + sizeof(bool)));
    if (!p) {
        sl_local_session_leave(s);
        return sl_fail_memory(err, sizeof *p);
    }
    p->base.free = free_partial;
    p->session = s;
    p->feeds = (struct sl_port *)(p + 1);
    p->fetches = p->feeds + all->n_feeds;
    p->is_fetched = (bool *)(p->fetches + all->n_fetches);
    p->n_feeds = all->n_feeds;
    p->n_fetches = all->n_fetches;
    p->left = all->n_feeds + all->n_fetches;
    for (int i = 0; i < all->n_feeds; i++) p->feeds[i] = all->feeds[i];
    for (int i = 0; i < all->n_fetches; i++) p->fetches[i] = all->fetches[i];
    sl_code code = sl_local_session_compile(&p->program, s, all, true, err);
    if (code == SL_OK) code = sl_runtime_begin_step(&p->env, s->runtime, s->cancellation, s->timeout_ms, err);
    if (code == SL_OK) code = sl_step_open(&p->step, p->program, &p->env, err);
    if (code == SL_OK) {
        sl_mutex_lock(&s->mutex);
        p->next = s->partial_runs;
        p->at = &s->partial_runs;
        if (p->next) p->next->at = &p->next;
        s->partial_runs = p;
        sl_mutex_unlock(&s->mutex);
        *out = &p->base;
    } else {
        free_partial(&p->base);
    }
    sl_local_session_leave(s);
    return code;
}

static int find(const struct sl_port *ports, int n, struct sl_port port) {
    for (int i = 0; i < n; i++)
        if (ports[i].node == port.node && ports[i].index == port.index) return i;
    return -1;
}

/* A call that names what it may not leaves the step as it is: feeds and fetches are checked before any is done. */
static sl_code check_feed(int *i, const struct sl_local_partial *p, struct sl_port port, const struct sl_tensor *t,
                          struct sl_error *err) {
    *i = find(p->feeds, p->n_feeds, port);
    if (*i < 0)
        return sl_fail(err, SL_NOT_FOUND, "The feed '%.*s:%d' was not declared when the partial run was set up",
                       SL_STR_ARG(port.node->name), port.index);
    if (!t)
        return sl_fail(err, SL_INVALID_ARGUMENT, "no tensor was given for feed '%.*s:%d'", SL_STR_ARG(port.node->name),
                       port.index);
    if (t->dtype != p->program->arg_types[*i])
        return sl_fail(err, SL_INVALID_ARGUMENT, "Type mismatch: %.*s:%d was fed a %s tensor but expects %s",
                       SL_STR_ARG(port.node->name), port.index, sl_dtype_name(t->dtype),
                       sl_dtype_name(p->program->arg_types[*i]));
    return SL_OK;
}

static sl_code check_fetch(int *i, const struct sl_local_partial *p, struct sl_port port, struct sl_error *err) {
    *i = find(p->fetches, p->n_fetches, port);
    if (*i < 0)
        return sl_fail(err, SL_NOT_FOUND, "The fetch '%.*s:%d' was not declared when the partial run was set up",
                       SL_STR_ARG(port.node->name), port.index);
    if (p->is_fetched[*i])
        return sl_fail(err, SL_INVALID_ARGUMENT, "The fetch '%.*s:%d' has already been fetched.",
                       SL_STR_ARG(port.node->name), port.index);
    return SL_OK;
}

static sl_code check_call(const struct sl_local_partial *p, const struct sl_run *run, struct sl_error *err) {
    int at;
    for (int i = 0; i < run->n_feeds; i++) SL_TRY(check_feed(&at, p, run->feeds[i], run->feed_tensors[i], err));
    for (int i = 0; i < run->n_fetches; i++) SL_TRY(check_fetch(&at, p, run->fetches[i], err));
    return SL_OK;
}

static sl_code feed(struct sl_local_partial *p, struct sl_port port, struct sl_tensor *t, struct sl_error *err) {
    int i;
    SL_TRY(check_feed(&i, p, port, t, err));
    sl_code code = sl_step_feed(p->step, i, sl_value_of_tensor(sl_tensor_ref(t)), err);
    if (code != SL_OK)
        return sl_fail(err, code, "The feed '%.*s:%d' has already been fed.", SL_STR_ARG(port.node->name), port.index);
    p->left--;
    return SL_OK;
}

static sl_code fetch(struct sl_tensor **out, struct sl_local_partial *p, struct sl_port port, struct sl_error *err) {
    struct sl_value v;
    int i;
    SL_TRY(check_fetch(&i, p, port, err));
    SL_TRY(sl_step_fetch(&v, p->step, i, err));
    p->is_fetched[i] = true;
    p->left--;
    if (v.kind <= SL_VALUE_DEAD)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "The tensor returned for %.*s:%d was not valid: it is on a branch that was not taken",
                       SL_STR_ARG(port.node->name), port.index);
    sl_code code = sl_value_to_tensor(out, &v, err);
    sl_value_clear(&v);
    return code;
}

sl_code sl_local_session_prun(struct sl_session *session, struct sl_partial_run *partial, const struct sl_run *run,
                              struct sl_error *err) {
    struct sl_local_session *s = sl_local_session_of(session);
    struct sl_local_partial *p = (struct sl_local_partial *)partial;
    for (int i = 0; i < run->n_fetches; i++) run->fetch_tensors[i] = NULL;
    if (!p || p->session != s) return sl_fail(err, SL_INVALID_ARGUMENT, "the partial run belongs to another session");
    if (!p->step || p->left == 0)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Must run 'setup' before performing partial runs, and the partial run has finished");
    sl_code code = sl_local_session_enter(s, err);
    if (code != SL_OK) return code;
    struct sl_cancellation_link link;
    sl_cancellation_link(&link, p->env.cancellation, sl_cancellation_of_thread());
    code = check_call(p, run, err);
    for (int i = 0; i < run->n_feeds && code == SL_OK; i++) code = feed(p, run->feeds[i], run->feed_tensors[i], err);
    for (int i = 0; i < run->n_fetches && code == SL_OK; i++)
        code = fetch(&run->fetch_tensors[i], p, run->fetches[i], err);
    for (int i = 0; i < run->n_fetches && code != SL_OK; i++) {
        sl_tensor_unref(run->fetch_tensors[i]);
        run->fetch_tensors[i] = NULL;
    }
    sl_cancellation_unlink(&link);
    sl_local_session_leave(s);
    return code;
}

void sl_local_partial_detach(struct sl_local_partial *p) {
    struct sl_local_session *s = p->session;
    if (!s) return;
    if (p->env.cancellation) sl_cancellation_start(p->env.cancellation, SL_CANCELLED, "PRun cancellation");
    sl_step_close(p->step);
    sl_runtime_end_step(&p->env);
    sl_program_free(p->program);
    sl_mutex_lock(&s->mutex);
    if (p->at) {
        *p->at = p->next;
        if (p->next) p->next->at = p->at;
    }
    sl_mutex_unlock(&s->mutex);
    p->session = NULL;
    p->step = NULL;
    p->program = NULL;
}
