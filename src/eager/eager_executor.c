/* Executors, and which one a thread has. */
#include "eager/eager_executor.h"

#include <string.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/thread.h"

struct queued {
    struct queued *next;
    struct sl_eager_call call;
    struct sl_eager_handle **outputs;  /* one reference each */
    struct sl_eager_handle *handles[]; /* inputs, then outputs */
};

struct sl_eager_executor {
    atomic_uint refs;
    bool is_async;
    int most;
    atomic_bool has_ended;          /* for threads */
    _Atomic uint64_t done;          /* ops, ever; the thread's */
    atomic_int n_waiting;           /* for `room` */
    atomic_bool has_work;           /* something is queued, or it ends: what a thread looks at before it sleeps */
    struct sl_mutex mutex;          /* guards what follows */
    struct sl_condition work, room; /* something is queued or it ends; something has been done */
    struct queued *first, **last;
    uint64_t added; /* ops, ever */
    bool ends, has_thread, sleeps;
    struct sl_eager_failure *failure;
    struct sl_thread thread;
};

/* ---- the thread */

static void free_queued(struct queued *q) {
    struct sl_eager_context *c = q->call.context;
    for (int o = 0; o < q->call.kernel->n_out; o++) sl_eager_handle_unref(q->outputs[o]);
    sl_eager_kernel_unref(q->call.kernel);
    sl_free(q);
    if (atomic_fetch_sub(&c->n_queued, 1) == (SL_EAGER_CONTEXT_ENDS | 1)) sl_unpark(&c->n_queued, 1);
}

static void poison(struct queued *q, struct sl_eager_failure *failure) {
    for (int o = 0; o < q->call.kernel->n_out; o++) sl_eager_handle_poison(q->outputs[o], failure);
}

static void abandon(struct queued *q, struct sl_eager_failure *failure) {
    poison(q, failure);
    for (int i = 0; i < q->call.n_inputs; i++) sl_eager_handle_unref(q->call.inputs[i]);
    free_queued(q);
}

/* NULL when it went well. */
static struct sl_eager_failure *run(struct queued *q) {
    enum { FEW = 16 };
    struct sl_value few[FEW], *outputs = few;
    struct sl_eager_failure *failure = NULL;
    struct sl_error err;
    const int n = q->call.kernel->n_out;
    if (n > FEW) outputs = sl_malloc((size_t)n * sizeof *outputs);
    sl_error_clear(&err);
    sl_code code = outputs ? sl_eager_call_run(outputs, &q->call, &err) : sl_fail_memory(&err, (size_t)n * sizeof *few);
    if (code == SL_OK)
        for (int o = 0; o < n; o++) {
            q->outputs[o]->backing = (int16_t)sl_eager_backing(q->call.kernel, o);
            sl_eager_handle_settle(q->outputs[o], outputs[o]);
        }
    else poison(q, failure = sl_eager_failure_new(code, &err));
    if (outputs != few) sl_free(outputs);
    free_queued(q);
    return failure;
}

/* Who waits raises `n_waiting` and looks at `done` again, here it is the other way round: one of both sees the other. */
static void count_done(struct sl_eager_executor *e, uint64_t n) {
    atomic_fetch_add(&e->done, n);
    if (!atomic_load(&e->n_waiting)) return;
    sl_mutex_lock(&e->mutex);
    sl_condition_broadcast(&e->room);
    sl_mutex_unlock(&e->mutex);
}

static void wait_for_room(struct sl_eager_executor *e, uint64_t done) {
    atomic_fetch_add(&e->n_waiting, 1);
    if (atomic_load(&e->done) < done) sl_condition_wait(&e->room, &e->mutex);
    atomic_fetch_sub(&e->n_waiting, 1);
}

static struct queued *take_all(struct sl_eager_executor *e) {
    struct queued *q = e->first;
    e->first = NULL;
    e->last = &e->first;
    atomic_store_explicit(&e->has_work, e->ends, memory_order_relaxed);
    return q;
}

static void abandon_list(struct sl_eager_executor *e, struct queued *q, struct sl_eager_failure *failure) {
    uint64_t n = 0;
    for (struct queued *next; q; q = next, n++) {
        next = q->next;
        abandon(q, failure);
    }
    count_done(e, n);
}

/* An op has failed. Unless one did before whose error nobody has cleared, all that is queued goes the way of this one:
 * `rest`, and what was added until now. True when it does. */
static bool fail(struct sl_eager_executor *e, struct sl_eager_failure *failure, struct queued *rest) {
    sl_mutex_lock(&e->mutex);
    const bool is_first = !e->failure;
    struct queued *added = is_first ? take_all(e) : NULL;
    if (is_first) {
        atomic_fetch_add_explicit(&failure->refs, 1, memory_order_relaxed);
        e->failure = failure;
    }
    sl_mutex_unlock(&e->mutex);
    if (!is_first) return false;
    abandon_list(e, rest, failure);
    abandon_list(e, added, failure);
    return true;
}

static void run_list(struct sl_eager_executor *e, struct queued *q) {
    for (struct queued *next; q; q = next) {
        next = q->next;
        struct sl_eager_failure *failure = run(q);
        if (failure && fail(e, failure, next)) next = NULL;
        sl_eager_failure_unref(failure);
        count_done(e, 1);
    }
}

/* All that is queued; NULL at the end. Ops of a program come at short distances: looking for the next one for a while
 * costs less than to sleep and be woken, for either side. */
static struct queued *next_list(struct sl_eager_executor *e) {
    enum { SPIN_NS = 20000 };
    for (const int64_t give_up = sl_clock_ns() + SPIN_NS;
         !atomic_load_explicit(&e->has_work, memory_order_relaxed) && sl_clock_ns() < give_up;)
        for (int i = 0; i < 16 && !atomic_load_explicit(&e->has_work, memory_order_relaxed); i++) sl_thread_pause();
    sl_mutex_lock(&e->mutex);
    e->sleeps = true;
    while (!e->first && !e->ends) sl_condition_wait(&e->work, &e->mutex);
    e->sleeps = false;
    struct queued *q = take_all(e);
    sl_mutex_unlock(&e->mutex);
    return q;
}

static void work(void *arg) {
    struct sl_eager_executor *e = arg;
    for (struct queued *q; (q = next_list(e));) run_list(e, q);
}

/* ---- life */

sl_code sl_eager_executor_new(struct sl_eager_executor **out, bool is_async, int most, struct sl_error *err) {
    struct sl_eager_executor *e = sl_calloc(1, sizeof *e);
    if (!e) return sl_fail_memory(err, sizeof *e);
    atomic_init(&e->refs, 1);
    e->is_async = is_async;
    e->most = most;
    e->last = &e->first;
    sl_mutex_init(&e->mutex);
    sl_condition_init(&e->work);
    sl_condition_init(&e->room);
    *out = e;
    return SL_OK;
}

struct sl_eager_executor *sl_eager_executor_ref(struct sl_eager_executor *e) {
    atomic_fetch_add_explicit(&e->refs, 1, memory_order_relaxed);
    return e;
}

void sl_eager_executor_unref(struct sl_eager_executor *e) {
    if (!e || atomic_fetch_sub_explicit(&e->refs, 1, memory_order_acq_rel) != 1) return;
    sl_mutex_lock(&e->mutex);
    e->ends = true;
    atomic_store_explicit(&e->has_work, true, memory_order_relaxed);
    sl_condition_signal(&e->work);
    sl_mutex_unlock(&e->mutex);
    if (e->has_thread) sl_thread_join(&e->thread);
    sl_eager_failure_unref(e->failure);
    sl_condition_clear(&e->work);
    sl_condition_clear(&e->room);
    sl_mutex_clear(&e->mutex);
    sl_free(e);
}

void sl_eager_executor_end(struct sl_eager_executor *e) { atomic_store(&e->has_ended, true); }

bool sl_eager_executor_is_async(const struct sl_eager_executor *e) { return e->is_async; }

/* ---- adding and waiting */

/* What was refused because an earlier op failed says so. */
static sl_code refuse(const struct sl_eager_failure *failure, struct sl_error *err) {
    sl_code code = sl_eager_failure_tell(failure, err);
    sl_error_append(err, "%s",
                    " Encountered when executing an operation using EagerExecutor. This error cancels all future "
                    "operations and poisons their output tensors.");
    return code;
}

static struct queued *queued_of(const struct sl_eager_call *call, struct sl_eager_handle *const *outputs) {
    const size_t n_in = (size_t)call->n_inputs, n_out = (size_t)call->kernel->n_out;
    struct queued *q = sl_malloc(sizeof *q + (n_in + n_out) * sizeof *q->handles);
    if (!q) return NULL;
    q->next = NULL;
    q->call = *call;
    atomic_fetch_add(&call->context->n_queued, 1);
    if (n_in) memcpy(q->handles, call->inputs, n_in * sizeof *q->handles);
    q->call.inputs = q->handles;
    q->outputs = q->handles + n_in;
    for (size_t o = 0; o < n_out; o++) q->outputs[o] = sl_eager_handle_ref(outputs[o]);
    return q;
}

/* With the mutex held. */
static sl_code ready_to_add(struct sl_eager_executor *e, struct sl_error *err) {
    const uint64_t most = (uint64_t)e->most;
    while (most && e->added - atomic_load(&e->done) >= most && !e->failure) wait_for_room(e, e->added - most + 1);
    if (e->failure) return refuse(e->failure, err);
    if (e->has_thread) return SL_OK;
    SL_TRY(sl_thread_start(&e->thread, "sluice-eager", 0, work, e, err));
    e->has_thread = true;
    return SL_OK;
}

sl_code sl_eager_executor_add(struct sl_eager_executor *e, const struct sl_eager_call *call,
                              struct sl_eager_handle *const *outputs, struct sl_error *err) {
    struct queued *q = queued_of(call, outputs);
    if (!q) return sl_fail_memory(err, sizeof *q);
    sl_mutex_lock(&e->mutex);
    sl_code code = ready_to_add(e, err);
    if (code == SL_OK) {
        *e->last = q;
        e->last = &q->next;
        e->added++;
        atomic_store_explicit(&e->has_work, true, memory_order_relaxed);
        if (e->sleeps) sl_condition_signal(&e->work);
    }
    sl_mutex_unlock(&e->mutex);
    if (code == SL_OK) return SL_OK;
    for (int o = 0; o < call->kernel->n_out; o++) sl_eager_handle_unref(q->outputs[o]);
    atomic_fetch_sub(&call->context->n_queued, 1);
    sl_free(q);
    return code;
}

sl_code sl_eager_executor_wait(struct sl_eager_executor *e, struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&e->mutex);
    const uint64_t until = e->added;
    while (atomic_load(&e->done) < until) wait_for_room(e, until);
    if (e->failure) code = refuse(e->failure, err);
    sl_mutex_unlock(&e->mutex);
    return code;
}

void sl_eager_executor_clear_error(struct sl_eager_executor *e) {
    sl_mutex_lock(&e->mutex);
    struct sl_eager_failure *failure = e->failure;
    e->failure = NULL;
    sl_mutex_unlock(&e->mutex);
    sl_eager_failure_unref(failure);
}

/* ---- of threads */

/* With the threads' mutex held; NULL when the calling thread has nothing of its own. */
static struct sl_eager_thread *find_thread(struct sl_eager_context *c) {
    const pthread_t self = pthread_self();
    for (size_t i = 0; i < c->threads.items.n; i++)
        if (pthread_equal(c->threads.items.items[i].thread, self)) return &c->threads.items.items[i];
    return NULL;
}

static sl_code thread_of(struct sl_eager_thread **out, struct sl_eager_context *c, struct sl_error *err) {
    *out = find_thread(c);
    if (*out) return SL_OK;
    const struct sl_eager_thread made = {.thread = pthread_self(), .policy = -1};
    if (sl_vec_push(&c->threads.items, made)) return sl_fail_memory(err, sizeof made);
    *out = &c->threads.items.items[c->threads.items.n - 1];
    atomic_store(&c->threads.any, true);
    return SL_OK;
}

bool sl_eager_runs_at_once(const struct sl_eager_context *c) {
    return !c->executor->is_async && !atomic_load_explicit(&c->threads.any, memory_order_relaxed);
}

struct sl_eager_executor *sl_eager_executor_of_thread(struct sl_eager_context *c) {
    if (!atomic_load_explicit(&c->threads.any, memory_order_relaxed)) return sl_eager_executor_ref(c->executor);
    sl_mutex_lock(&c->threads.mutex);
    const struct sl_eager_thread *t = find_thread(c);
    const bool has_own = t && t->executor && !atomic_load(&t->executor->has_ended);
    struct sl_eager_executor *e = sl_eager_executor_ref(has_own ? t->executor : c->executor);
    sl_mutex_unlock(&c->threads.mutex);
    return e;
}

sl_code sl_eager_set_executor_of_thread(struct sl_eager_context *c, struct sl_eager_executor *e, struct sl_error *err) {
    struct sl_eager_thread *t;
    struct sl_eager_executor *old = NULL;
    sl_mutex_lock(&c->threads.mutex);
    sl_code code = thread_of(&t, c, err);
    if (code == SL_OK) {
        old = t->executor;
        t->executor = e ? sl_eager_executor_ref(e) : NULL;
    }
    sl_mutex_unlock(&c->threads.mutex);
    sl_eager_executor_unref(old);
    return code;
}

static void wait_and_clear(struct sl_eager_executor *e, sl_code *first, struct sl_error *err) {
    struct sl_error mine;
    sl_code code = sl_eager_executor_wait(e, &mine);
    if (code == SL_OK) return;
    sl_eager_executor_clear_error(e);
    if (*first != SL_OK) return;
    *first = code;
    if (err) *err = mine;
}

sl_code sl_eager_context_wait(struct sl_eager_context *c, struct sl_error *err) {
    sl_code code = SL_OK;
    wait_and_clear(c->executor, &code, err);
    for (size_t i = 0;; i++) {
        sl_mutex_lock(&c->threads.mutex);
        const bool is_there = i < c->threads.items.n;
        struct sl_eager_executor *e = is_there ? c->threads.items.items[i].executor : NULL;
        if (e) sl_eager_executor_ref(e);
        sl_mutex_unlock(&c->threads.mutex);
        if (!is_there) return code;
        if (e) wait_and_clear(e, &code, err);
        sl_eager_executor_unref(e);
    }
}

enum sl_eager_policy sl_eager_policy_of_thread(struct sl_eager_context *c) {
    int policy = -1;
    if (atomic_load_explicit(&c->threads.any, memory_order_relaxed)) {
        sl_mutex_lock(&c->threads.mutex);
        const struct sl_eager_thread *t = find_thread(c);
        if (t) policy = t->policy;
        sl_mutex_unlock(&c->threads.mutex);
    }
    return (enum sl_eager_policy)(policy >= 0 ? policy : atomic_load_explicit(&c->policy, memory_order_relaxed));
}

sl_code sl_eager_set_policy_of_thread(struct sl_eager_context *c, enum sl_eager_policy policy, struct sl_error *err) {
    struct sl_eager_thread *t;
    sl_mutex_lock(&c->threads.mutex);
    sl_code code = thread_of(&t, c, err);
    if (code == SL_OK) t->policy = (int)policy;
    sl_mutex_unlock(&c->threads.mutex);
    return code;
}
