/* The token engine: the general form of execution, with frames, iterations and dead tokens: how its steps begin and
 * end, whole ones, parts, and those whose arguments come bit by bit. A step ends when nothing is ready, running or
 * waited for. After the first error nothing new is started.
 *
 * token_step.h says who does the rest. */
#include "base/alloc.h"
#include "exec/token_step.h"
#include "kernel/cancellation.h"

void sl_token_step_end(struct sl_token_step *s) {
    for (int i = 0; i < s->program->n_args; i++) sl_value_clear(&s->args[i]);
    sl_code code = (sl_code)atomic_load(&s->code);
    if (code != SL_OK)
        for (int i = 0; i < s->program->n_rets; i++) sl_value_clear(&s->rets[i]);
    sl_live_frames_free(s);
    sl_free(s->idle);
    void (*done)(void *, sl_code) = s->done;
    void *arg = s->done_arg;
    sl_mutex_lock(&s->mutex);
    struct sl_token_call *calls = atomic_exchange(&s->calls, NULL); /* others may look through them until then */
    sl_token_step_drop_holder(s);
    while (calls) {
        struct sl_token_call *c = calls;
        calls = c->older;
        sl_free(c);
    }
    if (done) done(arg, code);
}

/* A node of the root that waits for nothing. With the lock held, or before anybody works. */
static int offer_root(struct sl_token_step *s, const struct sl_token_node *node) {
    if (sl_ready_push(&s->offered, (struct sl_ready_node){node, s->root, s->root->ring[0], false})) return -1;
    atomic_store_explicit(&s->n_offered, s->offered.n, memory_order_relaxed);
    return 0;
}

static struct sl_token_step *begin(struct sl_program *program, struct sl_step_env *env, struct sl_value *args,
                                   struct sl_value *rets, struct sl_open_step *open, struct sl_error *err) {
    struct sl_token_step *s = sl_calloc(1, sizeof *s);
    for (int i = 0; i < program->n_rets; i++) rets[i].kind = SL_VALUE_NONE;
    if (s) s->idle = sl_calloc(program->n_token_frames, sizeof *s->idle);
    if (!s || !s->idle) {
        sl_free(s);
        for (int i = 0; i < program->n_args; i++) sl_value_clear(&args[i]);
        sl_fail_memory(err, sizeof *s);
        return NULL;
    }
    s->program = program;
    s->env = env;
    s->watched = (uintptr_t)env->trace | (uintptr_t)env->meter | env->watch;
    s->args = args;
    s->rets = rets;
    s->err = err;
    s->references = 1;
    s->holders = 1;
    s->open = open;
    sl_mutex_init(&s->mutex);
    sl_condition_init(&s->finished_or_ready);
    s->root = sl_live_frame_new_root(program);
    bool has_memory = s->root && !sl_ready_reserve(&s->offered, program->n_token_roots);
    for (uint32_t i = 0; has_memory && i < program->n_token_roots; i++) {
        const struct sl_token_node *node = &program->token_nodes[program->token_roots[i]];
        if (!open || node->flow != SL_TOKEN_ARG) offer_root(s, node);
    }
    if (!has_memory) sl_token_step_fail_memory(s);
    return s;
}

/* Waits for events. When the step's time is over, those that wait are told to stop. With the lock held. */
static void wait_locked(struct sl_token_step *s) {
    struct sl_cancellation *c = s->env->cancellation;
    int64_t deadline = c && !s->is_late ? sl_cancellation_deadline(c) : 0;
    s->is_sleeping = true;
    if (!deadline) {
        sl_condition_wait(&s->finished_or_ready, &s->mutex);
    } else if (!sl_condition_wait_until(&s->finished_or_ready, &s->mutex, deadline)) {
        s->is_late = true;
        sl_mutex_unlock(&s->mutex);
        sl_cancellation_is_on(c);
        sl_mutex_lock(&s->mutex);
    }
    s->is_sleeping = false;
}

/* Works and waits until nothing is left to do, or until `*until`. With the lock held, before and after. */
static void drain_locked(struct sl_token_step *s, const bool *until) {
    for (;;) {
        sl_token_step_work(s);
        if (sl_token_step_outstanding(s) == 0 || (until && *until)) return;
        wait_locked(s);
    }
}

/* The last act of a thread that waited: helpers that came must have left before the caller's memory goes. */
static sl_code finish_waiting(struct sl_token_step *s) {
    while (s->references > 1) sl_condition_wait(&s->finished_or_ready, &s->mutex);
    sl_code code = (sl_code)atomic_load(&s->code);
    sl_token_step_drop_reference(s);
    return code;
}

sl_code sl_tokens_run(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                      struct sl_error *err) {
    struct sl_token_step *s = begin(program, env, args, rets, NULL, err);
    if (!s) return SL_RESOURCE_EXHAUSTED;
    sl_mutex_lock(&s->mutex);
    drain_locked(s, NULL);
    return finish_waiting(s);
}

void sl_tokens_start(struct sl_program *program, struct sl_step_env *env, struct sl_value *args, struct sl_value *rets,
                     struct sl_error *err, void (*done)(void *arg, sl_code code), void *arg_of_done) {
    struct sl_token_step *s = begin(program, env, args, rets, NULL, err);
    if (!s) {
        done(arg_of_done, SL_RESOURCE_EXHAUSTED);
        return;
    }
    s->done = done;
    s->done_arg = arg_of_done;
    sl_mutex_lock(&s->mutex);
    if (sl_token_step_outstanding(s)) {
        s->is_held = true;
        s->references++;
    }
    sl_token_step_work(s);
    sl_token_step_drop_reference(s);
}

/* ---- parts */

sl_code sl_part_start(struct sl_token_step **part, struct sl_program *program, struct sl_step_env *env,
                      struct sl_value *args, struct sl_value *rets, const struct sl_part_owner *owner,
                      struct sl_error *err) {
    struct sl_token_step *s = begin(program, env, args, rets, NULL, err);
    *part = s;
    if (!s) return SL_RESOURCE_EXHAUSTED;
    s->queue = owner->queue;
    s->turn.run = sl_token_step_take_turn;
    s->done = owner->done;
    s->when_idle = owner->when_idle;
    s->done_arg = owner->arg;
    sl_mutex_lock(&s->mutex);
    s->holders++;
    if (sl_token_step_outstanding(s)) {
        s->is_held = true;
        s->references++;
        sl_token_step_enqueue(s);
    }
    sl_token_step_drop_reference(s);
    return SL_OK;
}

void sl_part_release(struct sl_token_step *part) {
    if (!part) return;
    sl_mutex_lock(&part->mutex);
    sl_token_step_drop_holder(part);
}

size_t sl_part_lock(struct sl_token_step *part) {
    sl_mutex_lock(&part->mutex);
    return part->working ? SL_PART_AT_WORK : sl_token_step_outstanding(part);
}

void sl_part_unlock(struct sl_token_step *part) { sl_mutex_unlock(&part->mutex); }

/* ---- open steps */

sl_code sl_step_open(struct sl_open_step **out, struct sl_program *program, struct sl_step_env *env,
                     struct sl_error *err) {
    size_t n_args = (size_t)program->n_args, n_rets = (size_t)program->n_rets;
    struct sl_open_step *o = sl_calloc(1, sizeof *o + (n_args + n_rets) * (sizeof(struct sl_value) + sizeof(bool)));
    if (!o) return sl_fail_memory(err, sizeof *o);
    o->args = (struct sl_value *)(o + 1);
    o->rets = o->args + n_args;
    o->is_fed = (bool *)(o->rets + n_rets);
    o->is_there = o->is_fed + n_args;
    o->step = begin(program, env, o->args, o->rets, o, &o->err);
    if (!o->step) {
        sl_free(o);
        return sl_fail_memory(err, sizeof *o);
    }
    *out = o;
    return SL_OK;
}

sl_code sl_step_feed(struct sl_open_step *o, int index, struct sl_value value, struct sl_error *err) {
    struct sl_token_step *s = o->step;
    if (o->is_fed[index]) {
        sl_value_clear(&value);
        return sl_fail(err, SL_INVALID_ARGUMENT, "argument %d has already been fed", index);
    }
    sl_mutex_lock(&s->mutex);
    o->is_fed[index] = true;
    uint32_t node = s->program->token_args[index];
    sl_code code = SL_OK;
    if (node != SL_NO_SLOT && !sl_token_step_has_failed(s)) {
        o->args[index] = value;
        if (offer_root(s, &s->program->token_nodes[node])) code = sl_fail_memory(err, sizeof(struct sl_ready_node));
    } else {
        sl_value_clear(&value);
    }
    sl_mutex_unlock(&s->mutex);
    return code;
}

sl_code sl_step_fetch(struct sl_value *out, struct sl_open_step *o, int index, struct sl_error *err) {
    struct sl_token_step *s = o->step;
    sl_mutex_lock(&s->mutex);
    if (!o->is_there[index]) drain_locked(s, &o->is_there[index]);
    sl_code code = (sl_code)atomic_load(&s->code);
    if (code != SL_OK) {
        if (err) *err = o->err;
    } else if (!o->is_there[index] && o->rets[index].kind == SL_VALUE_DEAD) {
        out->kind = SL_VALUE_DEAD;
    } else if (!o->is_there[index] || o->rets[index].kind == SL_VALUE_NONE) {
        code = sl_fail(err, SL_INVALID_ARGUMENT,
                       "result %d cannot be computed from the feeds that have been fed so far", index);
    } else {
        *out = sl_value_move(&o->rets[index]);
    }
    sl_mutex_unlock(&s->mutex);
    return code;
}

void sl_step_close(struct sl_open_step *o) {
    if (!o) return;
    struct sl_token_step *s = o->step;
    sl_mutex_lock(&s->mutex);
    if (!sl_token_step_has_failed(s)) { /* what is ready does not matter any more */
        const struct sl_error err = {.code = SL_CANCELLED, .message = "Step was closed."};
        sl_token_step_fail_locked(s, &err);
        sl_token_step_cancel(s);
        s->offered.n = 0;
    }
    drain_locked(s, NULL);
    finish_waiting(s);
    sl_free(o);
}
