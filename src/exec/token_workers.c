/* The workers of one step in token form: threads that run its ready nodes.
 *
 *   enter ──► take what is offered, run what is ready until nothing is ──► leave
 *
 * What becomes ready is in the worker's own queue, which no other thread sees. Before something that may take long a
 * worker offers the rest to others, and asks for another worker when that is worth it; a worker that could have shared
 * light nodes for a while offers half of them. So what a light node costs does not depend on how many workers there
 * are, and a worker that is alone takes no lock for it.
 *
 * Whether a worker is alone is its own decision (`is_shared` of the step, as it has read it): it shares from the
 * moment when it asks for help. A thread that nobody asked for (it has completed a kernel, or waits for the step)
 * enters only when all workers are busy with something long, after which they read `is_shared` again: the thread sets
 * that first and looks who is busy afterwards, workers the other way round. Else it leaves the completed kernel as an
 * event, and workers look at events before each node. */
#include <stddef.h>

#include "base/alloc.h"
#include "exec/token_step.h"
#include "kernel/cancellation.h"
#include "kernel/metered_node.h"
#include "kernel/numerics.h"
#include "os/clock.h"
#include "os/float_mode.h"
#include "os/pool.h"

enum {
    LOOK_EVERY = 32, /* nodes between two looks around */
    TAKE_MOST = 64,  /* nodes taken at once from what is offered to several */
    HEAVY_LOOK = 8,  /* ready nodes among which heavy ones are looked for */
    /* A worker asks for help when it has had SHARED_LEAST ready nodes or more all the time between two looks, that
     * time was LONG_NS or longer, and this happened LONG_TIMES times in a row. In less time its nodes are too
     * short: a shared node costs some atomics and cache lines more. Once may mean that the thread did not run at
     * all. */
    SHARED_LEAST = 4,
    LONG_NS = 16000,
    LONG_TIMES = 2
};

enum call_stage { CALL_STARTS, CALL_WAITS, CALL_COMPLETED };

/* ---- errors */

void sl_token_step_fail_locked(struct sl_token_step *s, const struct sl_error *err) {
    if (sl_token_step_has_failed(s)) return;
    if (s->err) *s->err = *err;
    s->must_cancel = s->env->cancellation != NULL;
    atomic_store(&s->code, (int)err->code);
    atomic_store(&s->has_events, true);
}

void sl_token_step_fail(struct sl_token_step *s, const struct sl_error *err) {
    sl_mutex_lock(&s->mutex);
    sl_token_step_fail_locked(s, err);
    sl_mutex_unlock(&s->mutex);
}

void sl_token_step_fail_memory(struct sl_token_step *s) {
    struct sl_error err = {0};
    sl_fail_memory(&err, sizeof(struct sl_iteration));
    sl_token_step_fail(s, &err);
}

void sl_token_step_cancel(struct sl_token_step *s) {
    if (!s->must_cancel) return;
    s->must_cancel = false;
    sl_mutex_unlock(&s->mutex);
    sl_cancellation_start(s->env->cancellation, (sl_code)atomic_load(&s->code), s->err ? s->err->message : "");
    sl_mutex_lock(&s->mutex);
}

/* ---- what is offered; with the step's lock held */

size_t sl_token_step_outstanding(const struct sl_token_step *s) {
    if (s->working) return (size_t)s->working;
    return (size_t)s->n_waiting + s->offered.n;
}

static bool has_work(const struct sl_token_step *s) { return s->offered.n || s->completed; }

static void offered_changed(struct sl_token_step *s) {
    atomic_store_explicit(&s->n_offered, s->offered.n, memory_order_relaxed);
}

/* Moves this worker's share of what is offered into the worker: all, when nobody else takes any. */
static void take_offered(struct sl_token_worker *worker) {
    struct sl_token_step *s = worker->step;
    size_t n = s->offered.n, threads = (size_t)(s->working + s->asked);
    if (!n && worker->ready.cap) return; /* else it takes the memory over */
    if (n && threads > 1) {
        n = (n + threads - 1) / threads;
        if (n > TAKE_MOST) n = TAKE_MOST;
        if (!sl_ready_node_is_light(sl_ready_at(&s->offered, 0))) n = 1;
    }
    if (sl_ready_move(&worker->ready, &s->offered, n)) {
        struct sl_error err = {0};
        sl_fail_memory(&err, n * sizeof(struct sl_ready_node));
        sl_token_step_fail_locked(s, &err);
    }
    offered_changed(s);
}

/* Offers the first `n` nodes of the worker. With `is_worth_help` somebody shall come and take them: the thread that
 * waits for the step, or one of the pool, for which the caller asks without the lock when this gives true. */
static bool offer(struct sl_token_worker *worker, size_t n, bool is_worth_help) {
    struct sl_token_step *s = worker->step;
    struct sl_pool *pool = s->env->pool;
    bool may_ask = is_worth_help && pool && s->working + s->asked < sl_pool_threads(pool);
    if (!may_ask && s->working + s->asked < 2) return false; /* nobody would take them */
    if (sl_ready_move(&s->offered, &worker->ready, n)) return false;
    offered_changed(s);
    worker->is_shared = true;
    atomic_store(&s->is_shared, true);
    if (!may_ask) return false;
    if (s->is_sleeping) {
        s->is_sleeping = false;
        sl_condition_broadcast(&s->finished_or_ready);
        return false;
    }
    s->asked++;
    s->holders++;
    return true;
}

static void help(void *arg);

static void offer_and_ask(struct sl_token_worker *worker, size_t n, bool is_worth_help) {
    struct sl_token_step *s = worker->step;
    sl_mutex_lock(&s->mutex);
    bool asks = offer(worker, n, is_worth_help);
    sl_mutex_unlock(&s->mutex);
    if (asks) sl_pool_submit(s->env->pool, help, s);
}

/* ---- running what is ready; without the lock */

/* A node is through: passes its outputs on. */
static void complete(struct sl_token_worker *worker, const struct sl_ready_node *r, sl_code code,
                     struct sl_error *err) {
    struct sl_token_step *s = worker->step;
    const struct sl_token_node *node = r->node;
    struct sl_value *slots = r->iteration->slots;
    if (code != SL_OK) {
        if (code == SL_CANCELLED && node->flow == SL_TOKEN_KERNEL) sl_ready_node_note_wait(s, r);
        if (!sl_token_step_has_failed(s)) sl_ready_node_add_loops(s, r, err);
        sl_error_name_node(err, node->kernel->name);
        sl_token_step_fail(s, err);
        for (uint32_t o = 0; o < node->kernel->n_out; o++) sl_value_clear(&slots[node->out + o]);
    }
    for (uint32_t i = 0; i < node->kernel->n_in; i++) sl_value_clear(&slots[node->in + i]);
    if (node->flow == SL_TOKEN_RET && s->open) {
        sl_mutex_lock(&s->mutex);
        if (!r->is_dead) s->open->is_there[node->detail] = true;
        else if (s->rets[node->detail].kind == SL_VALUE_NONE) s->rets[node->detail].kind = SL_VALUE_DEAD;
        sl_mutex_unlock(&s->mutex);
    }
    if (!sl_token_step_has_failed(s)) sl_tokens_propagate(worker, r, slots + node->out);
}

static void complete_call(struct sl_token_worker *worker, struct sl_token_call *c) {
    const struct sl_token_node *node = c->ready.node;
    if (node->runs_dead && c->code == SL_OK && c->ready.iteration->slots[node->out].kind == SL_VALUE_DEAD)
        c->ready.is_dead = true;
    if (c->start_ns) sl_token_call_trace(c);
    if (worker->step->env->meter && (c->code != SL_OK || !c->ready.is_dead))
        sl_metered_node_settle(worker->step->env->meter, node->kernel, c->ready.iteration->slots + node->out, c->code,
                               &c->err);
    if (worker->step->env->watch && c->k.node && !c->ready.is_dead) c->code = sl_numerics_settle(&c->k, c->code);
    complete(worker, &c->ready, c->code, &c->err);
    c->next = worker->idle_calls;
    worker->idle_calls = c;
}

/* Takes what has completed, when the worker has passed on all before, and ends the waits of a step that has failed.
 * With the lock held. */
static void take_events(struct sl_token_worker *worker) {
    struct sl_token_step *s = worker->step;
    worker->completed = s->completed;
    s->completed = NULL;
    if (!sl_token_step_has_failed(s)) atomic_store_explicit(&s->has_events, false, memory_order_relaxed);
    sl_token_step_cancel(s);
}

/* Passes on what has completed. False when the step has failed: nothing new is started then. */
static bool read_events(struct sl_token_worker *worker) {
    struct sl_token_step *s = worker->step;
    do {
        while (worker->completed) {
            struct sl_token_call *c = worker->completed;
            worker->completed = c->next;
            worker->n_waiting--;
            complete_call(worker, c);
        }
        if (!atomic_load_explicit(&s->has_events, memory_order_relaxed)) break;
        sl_mutex_lock(&s->mutex);
        take_events(worker);
        sl_mutex_unlock(&s->mutex);
    } while (worker->completed);
    if (!sl_token_step_has_failed(s)) return true;
    worker->ready.n = 0;
    return false;
}

static bool has_heavy(const struct sl_ready_queue *q) {
    for (size_t i = 0; i < q->n && i < HEAVY_LOOK; i++)
        if (!sl_ready_node_is_light(sl_ready_at(q, i))) return true;
    return false;
}

/* Others may enter from now on, and have what is ready. False when the step has failed. */
static bool begin_long(struct sl_token_worker *worker) {
    struct sl_token_step *s = worker->step;
    for (;;) {
        bool is_worth_help = has_heavy(&worker->ready);
        if (is_worth_help || (worker->is_shared && worker->ready.n))
            offer_and_ask(worker, worker->ready.n, is_worth_help);
        atomic_fetch_add(&s->busy, 1);
        if (!atomic_load(&s->has_events)) break;
        atomic_fetch_sub(&s->busy, 1);
        worker->is_shared = atomic_load(&s->is_shared);
        if (!read_events(worker)) return false;
    }
    if (s->queue) sl_run_queue_ask_help(s->queue);
    return true;
}

static void end_long(struct sl_token_worker *worker) {
    atomic_fetch_sub(&worker->step->busy, 1);
    worker->is_shared = atomic_load(&worker->step->is_shared);
}

static void call_done(struct sl_kernel_context *k, sl_code code);

/* Those of a step are freed with it, and can be looked through until then. */
static struct sl_token_call *make_call(struct sl_token_step *s) {
    struct sl_token_call *c = sl_malloc(sizeof *c);
    if (!c) return NULL;
    c->older = atomic_load_explicit(&s->calls, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&s->calls, &c->older, c, memory_order_release, memory_order_relaxed))
        ;
    return c;
}

static struct sl_token_call *new_call(struct sl_token_worker *worker, const struct sl_ready_node *r) {
    struct sl_token_call *c = worker->idle_calls;
    if (c) worker->idle_calls = c->next;
    else c = make_call(worker->step);
    if (!c) return NULL;
    c->step = worker->step;
    c->ready = *r;
    c->k.node = NULL; /* it may fail before it begins */
    c->start_ns = c->end_ns = worker->step->env->trace ? sl_ready_node_start(worker->step, r) : 0;
    c->err.code = SL_OK;
    c->err.message[0] = 0;
    atomic_store_explicit(&c->stage, CALL_STARTS, memory_order_relaxed);
    return c;
}

/* Begins an asynchronous kernel. */
static void run_call(struct sl_token_worker *worker, const struct sl_ready_node *r) {
    struct sl_token_step *s = worker->step;
    struct sl_token_call *c = new_call(worker, r);
    struct sl_error no_memory = {0};
    if (!c) {
        complete(worker, r, sl_fail_memory(&no_memory, sizeof *c), &no_memory);
        return;
    }
    int64_t start = c->start_ns;
    bool is_light = sl_ready_node_is_light(r);
    if (!is_light && !begin_long(worker)) {
        c->next = worker->idle_calls;
        worker->idle_calls = c;
        return;
    }
    if (sl_ready_node_run(s, r, c, call_done, &c->code, &c->err)) atomic_store(&c->stage, CALL_COMPLETED);
    if (start) sl_ready_node_trace(s, r, start, false);
    if (!is_light) end_long(worker);
    if (atomic_exchange(&c->stage, CALL_WAITS) != CALL_COMPLETED) {
        worker->n_waiting++;
        return;
    }
    atomic_store_explicit(&c->stage, CALL_COMPLETED, memory_order_relaxed);
    complete_call(worker, c);
}

static void run_node(struct sl_token_worker *worker, const struct sl_ready_node *r) {
    struct sl_token_step *s = worker->step;
    bool is_light = sl_ready_node_is_light(r);
    if (!is_light && !begin_long(worker)) return;
    struct sl_error err;
    err.code = SL_OK;
    err.message[0] = 0;
    sl_code code = SL_OK;
    int64_t start = s->env->trace ? sl_ready_node_start(s, r) : 0;
    if (!r->is_dead || r->node->runs_dead) sl_ready_node_run(s, r, NULL, NULL, &code, &err);
    if (start) sl_ready_node_trace(s, r, start, code == SL_OK);
    if (!is_light) end_long(worker);
    complete(worker, r, code, &err);
}

/* Now and then: something of what is offered, so that nothing waits for ever; whether the worker is alone again; and
 * whether it has had so much to do for so long that another thread is worth its coming. */
static void look_around(struct sl_token_worker *worker) {
    struct sl_token_step *s = worker->step;
    struct sl_pool *pool = s->env->pool;
    size_t least = worker->least_ready, offered = atomic_load_explicit(&s->n_offered, memory_order_relaxed);
    worker->least_ready = SIZE_MAX;
    if (worker->is_shared || offered) {
        sl_mutex_lock(&s->mutex);
        take_offered(worker);
        if (s->working == 1 && !s->asked) {
            worker->is_shared = false;
            atomic_store(&s->is_shared, false);
        }
        sl_mutex_unlock(&s->mutex);
    }
    if (least < SHARED_LEAST || offered || !pool || sl_pool_threads(pool) < 2) {
        worker->look_ns = 0;
        return;
    }
    int64_t now = sl_clock_ns();
    bool is_long = worker->look_ns && now - worker->look_ns > LONG_NS;
    worker->long_times = is_long ? worker->long_times + 1 : 0;
    worker->look_ns = now;
    if (worker->long_times < LONG_TIMES) return;
    worker->long_times = 0;
    offer_and_ask(worker, worker->ready.n / 2, true);
}

/* Until nothing is ready in the worker, or the step has failed. */
static void run_ready(struct sl_token_worker *worker) {
    struct sl_token_step *s = worker->step;
    if (!read_events(worker)) return;
    for (;;) {
        if (atomic_load_explicit(&s->has_events, memory_order_relaxed) && !read_events(worker)) return;
        if (!worker->ready.n) return;
        if (worker->ready.n < worker->least_ready) worker->least_ready = worker->ready.n;
        const struct sl_ready_node r = sl_ready_pop(&worker->ready);
        if (r.node->kernel->is_async && (!r.is_dead || r.node->runs_dead)) run_call(worker, &r);
        else run_node(worker, &r);
        if (++worker->looks % LOOK_EVERY == 0) look_around(worker);
    }
}

/* Nobody works, so no call is begun or made anew meanwhile. */
size_t sl_part_waits(struct sl_wait *out, size_t most, const struct sl_token_step *s) {
    size_t n = 0;
    for (const struct sl_token_call *c = atomic_load(&s->calls); c; c = c->older) {
        if (atomic_load(&c->stage) != CALL_WAITS) continue;
        const struct sl_kernel_node *node = c->ready.node->kernel;
        if (n < most)
            out[n] = (struct sl_wait){.node = node->name,
                                      .op = node->op->name,
                                      .device = s->program->device,
                                      .frame = c->ready.frame->id,
                                      .iteration = c->ready.iteration->index,
                                      .pair = c->ready.node->runs_dead ? node->state : NULL};
        n++;
    }
    return n;
}

/* ---- coming and going; with the lock held */

/* Whether workers are at work of which one looks at events at once. */
static bool is_attended(struct sl_token_step *s) { return s->working && atomic_load(&s->busy) < s->working; }

static bool may_enter(struct sl_token_step *s) {
    if (!s->working || atomic_load(&s->is_shared)) return true;
    atomic_store(&s->is_shared, true);
    if (!is_attended(s)) return true;
    atomic_store(&s->is_shared, false);
    return false;
}

static void leave(struct sl_token_step *s, struct sl_token_worker *worker) {
    s->n_waiting += worker->n_waiting;
    while (worker->idle_calls) {
        struct sl_token_call *c = worker->idle_calls;
        worker->idle_calls = c->next;
        c->next = s->idle_calls;
        s->idle_calls = c;
    }
    if (!s->offered.cap) sl_ready_move(&s->offered, &worker->ready, 0);
    if (worker->ready.cap) sl_ready_free(&worker->ready);
    if (--s->working == 0 && worker->is_shared) atomic_store(&s->is_shared, false);
    if (sl_token_step_outstanding(s)) return;
    if (s->is_held) {
        s->is_held = false;
        s->references--;
    }
    sl_condition_broadcast(&s->finished_or_ready);
}

void sl_token_step_work(struct sl_token_step *s) {
    if (!(has_work(s) || s->must_cancel) || !may_enter(s)) return;
    uint64_t mode = sl_float_mode_enter();
    s->working++;
    struct sl_token_worker worker = {.step = s,
                                     .is_shared = atomic_load(&s->is_shared),
                                     .idle_calls = s->idle_calls,
                                     .least_ready = SIZE_MAX};
    s->idle_calls = NULL;
    for (;;) {
        if (sl_token_step_has_failed(s)) s->offered.n = 0;
        take_offered(&worker);
        if (!worker.ready.n && !s->completed && !s->must_cancel) break;
        take_events(&worker);
        sl_mutex_unlock(&s->mutex);
        run_ready(&worker);
        sl_mutex_lock(&s->mutex);
    }
    leave(s, &worker);
    sl_float_mode_leave(mode);
}

void sl_token_step_drop_holder(struct sl_token_step *s) {
    bool is_last = --s->holders == 0;
    sl_mutex_unlock(&s->mutex);
    if (!is_last) return;
    sl_ready_free(&s->offered); /* not before: other parts may ask whether this one has anything left to do */
    sl_condition_clear(&s->finished_or_ready);
    sl_mutex_clear(&s->mutex);
    sl_free(s);
}

void sl_token_step_drop_reference(struct sl_token_step *s) {
    bool is_last = --s->references == 0;
    if (s->references == 1) sl_condition_broadcast(&s->finished_or_ready);
    sl_mutex_unlock(&s->mutex);
    if (is_last) sl_token_step_end(s);
}

/* A part that can only wait asks whether anything is left to wait for. Whoever did the last thing in any part comes
 * here afterwards, unless tasks wait, which come here later. Gives up the lock meanwhile; the caller has a
 * reference. */
static void ask_if_stuck(struct sl_token_step *s) {
    if (!s->when_idle || has_work(s) || s->working || !sl_token_step_outstanding(s) || sl_token_step_has_failed(s) ||
        sl_run_queue_has_tasks(s->queue))
        return;
    sl_mutex_unlock(&s->mutex);
    s->when_idle(s->done_arg);
    sl_mutex_lock(&s->mutex);
}

/* Works on a step that may be over by now, and gives up being a holder. */
static void visit(struct sl_token_step *s) {
    if (s->references) {
        s->references++;
        sl_token_step_work(s);
        ask_if_stuck(s);
        if (s->references == 1) {
            sl_token_step_drop_reference(s);
            sl_mutex_lock(&s->mutex);
        } else if (--s->references == 1) {
            sl_condition_broadcast(&s->finished_or_ready);
        }
    }
    sl_token_step_drop_holder(s);
}

/* On a thread of the pool, which may come late: nobody waits for it, since all threads may be waiting for steps
 * inside of steps. */
static void help(void *arg) {
    struct sl_token_step *s = arg;
    sl_mutex_lock(&s->mutex);
    s->asked--;
    visit(s);
}

void sl_token_step_take_turn(struct sl_run_task *turn) {
    struct sl_token_step *s = (struct sl_token_step *)((char *)turn - offsetof(struct sl_token_step, turn));
    sl_mutex_lock(&s->mutex);
    s->is_queued = false;
    visit(s);
}

bool sl_token_step_enqueue(struct sl_token_step *s) {
    if (!has_work(s) || is_attended(s) || s->is_queued) return false;
    s->is_queued = true;
    s->holders++;
    return sl_run_queue_add(s->queue, &s->turn);
}

/* ---- kernels that complete */

/* Nobody looks at events at once: somebody has to. Gives up the lock; the caller has no reference. */
static void find_worker(struct sl_token_step *s, bool was_received) {
    struct sl_run_queue *must_drain = NULL;
    s->references++;
    if (s->queue) {
        if (sl_token_step_enqueue(s)) must_drain = sl_run_queue_ref(s->queue);
    } else if (s->done) {
        sl_token_step_work(s);
    } else if (s->is_sleeping) { /* the waiting thread does the work */
        s->is_sleeping = false;
        sl_condition_broadcast(&s->finished_or_ready);
    }
    if (!was_received) ask_if_stuck(s); /* else whoever has sent it is at work */
    sl_token_step_drop_reference(s);
    if (!must_drain) return;
    sl_run_queue_drain(must_drain);
    sl_run_queue_unref(must_drain);
}

static void call_done(struct sl_kernel_context *k, sl_code code) {
    struct sl_token_call *c = (struct sl_token_call *)k;
    struct sl_token_step *s = c->step;
    bool is_recv = c->ready.node->runs_dead;
    c->code = code;
    if (c->start_ns) c->end_ns = sl_clock_ns();
    if (atomic_exchange(&c->stage, CALL_COMPLETED) == CALL_STARTS) return; /* whoever has begun it goes on */
    sl_mutex_lock(&s->mutex);
    struct sl_token_call **last = &s->completed;
    while (*last) last = &(*last)->next;
    c->next = NULL;
    *last = c;
    atomic_store(&s->has_events, true);
    if (is_attended(s)) sl_mutex_unlock(&s->mutex);
    else find_worker(s, is_recv);
}
