/* Mutexes as resources. MutexLock waits until nobody holds the mutex and gives a variant that holds it; the mutex is
 * free again when ConsumeMutexLock has taken that variant, or when its last holder drops it.
 *
 * Waiters are served in order. Who frees the mutex hands it to the next waiter, whose step goes on on a worker: a
 * variant may be dropped anywhere, also where locks of a step are held. */
#include "backends/any/any_kernels.h"

#include <stdio.h>

#include "base/alloc.h"
#include "kernel/cancellation.h"
#include "kernel/resources.h"
#include "os/mutex.h"
#include "os/pool.h"

struct waiter {
    struct sl_kernel_context *k;
    struct held *held;
    struct mutex *mutex; /* borrowed of the node's input */
    struct sl_cancellation_callback callback;
    struct waiter *next, **at; /* `at` NULL: not in the queue; guarded by the mutex's lock */
};

struct mutex {
    struct sl_object object;
    struct sl_mutex lock;
    bool is_held;
    char holder[128]; /* name of the node that took it last */
    struct waiter *first, **last;
};

/* What the variant holds. */
struct held {
    struct sl_object object;
    struct mutex *mutex; /* shared; NULL: not, or no longer, held */
};

/* ---- the mutex */

static void mutex_free(struct sl_object *object) {
    struct mutex *m = (struct mutex *)object;
    sl_mutex_clear(&m->lock);
    sl_free(m);
}
static const struct sl_object_type mutex_type = {.name = "tensorflow::(anonymous namespace)::Mutex",
                                                 .free = mutex_free};

static void enqueue(struct mutex *m, struct waiter *w) {
    w->next = NULL;
    w->at = m->last;
    *m->last = w;
    m->last = &w->next;
}

static void dequeue(struct mutex *m, struct waiter *w) {
    *w->at = w->next;
    if (w->next) w->next->at = w->at;
    else m->last = w->at;
    w->at = NULL;
}

static void go_on(void *arg) {
    struct waiter *w = arg;
    struct sl_kernel_context *k = w->k;
    if (k->env->cancellation) sl_cancellation_unregister(k->env->cancellation, &w->callback);
    sl_out_object(k, 0, &w->held->object);
    sl_free(w);
    sl_kernel_done(k, SL_OK);
}

/* With the lock. */
static void set_holder(struct mutex *m, const struct waiter *w) {
    m->is_held = true;
    snprintf(m->holder, sizeof m->holder, "%.*s", SL_STR_ARG(w->k->node->name));
}

static void tell(void *arg, struct sl_wait_listener *to) {
    struct waiter *w = arg;
    char holder[128];
    sl_mutex_lock(&w->mutex->lock);
    const bool waits = w->at != NULL;
    memcpy(holder, w->mutex->holder, sizeof holder);
    sl_mutex_unlock(&w->mutex->lock);
    if (waits)
        sl_wait_say(to, "node '%.*s' (%.*s) waits for a mutex, which node '%s' holds", SL_STR_ARG(w->k->node->name),
                    SL_STR_ARG(w->k->node->op->name), holder);
}

static void release(struct mutex *m) {
    sl_mutex_lock(&m->lock);
    struct waiter *next = m->first;
    if (next) dequeue(m, next), set_holder(m, next);
    else m->is_held = false;
    sl_mutex_unlock(&m->lock);
    if (next) sl_pool_submit(next->k->env->pool ? next->k->env->pool : sl_pool_shared(), go_on, next);
}

/* ---- what holds it */

static void give_up(struct held *h) {
    struct mutex *m = h->mutex;
    h->mutex = NULL;
    if (!m) return;
    release(m);
    sl_object_unref(&m->object);
}

static void held_free(struct sl_object *object) {
    give_up((struct held *)object);
    sl_free(object);
}
static const struct sl_object_type held_type = {.name = "tensorflow::(anonymous namespace)::SharedLockReleaser",
                                                .free = held_free};

static sl_code held_new(struct held **out, struct mutex *m, struct sl_error *err) {
    struct held *h = sl_calloc(1, sizeof *h);
    if (!h) return sl_fail_memory(err, sizeof *h);
    sl_object_init(&h->object, &held_type);
    h->mutex = m;
    sl_object_ref(&m->object);
    *out = h;
    return SL_OK;
}

/* Of one that never got the mutex. */
static void drop_unused(struct held *h) {
    sl_object_unref(&h->mutex->object);
    h->mutex = NULL;
    sl_object_unref(&h->object);
}

/* ---- MutexV2 */

struct mutex_name {
    struct sl_resource_name name; /* its texts follow the struct */
};

static sl_code mutex_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_resource_name name;
    SL_TRY(sl_resource_name_read(&name, setup));
    size_t bytes = sizeof(struct mutex_name) + name.container.n + name.name.n;
    struct mutex_name *p = sl_malloc(bytes);
    if (!p) return sl_fail_memory(setup->err, bytes);
    char *at = (char *)(p + 1);
    if (name.container.n) memcpy(at, name.container.p, name.container.n);
    memcpy(at + name.container.n, name.name.p, name.name.n);
    p->name = (struct sl_resource_name){{at, name.container.n}, {at + name.container.n, name.name.n}};
    *state = p;
    return SL_OK;
}

static sl_code make_mutex(struct sl_object **out, void *arg, struct sl_error *err) {
    (void)arg;
    struct mutex *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(err, sizeof *m);
    sl_object_init(&m->object, &mutex_type);
    sl_mutex_init(&m->lock);
    m->last = &m->first;
    *out = &m->object;
    return SL_OK;
}

static sl_code mutex_run(struct sl_kernel_context *k) {
    const struct mutex_name *p = k->state;
    struct sl_object *object;
    SL_TRY(sl_resources_find_or_make(&object, k->env->session_resources, p->name.container, &mutex_type, p->name.name,
                                     make_mutex, NULL, k->err));
    sl_out_object(k, 0, object);
    return SL_OK;
}

/* ---- MutexLock */

static void cancel_waiting(void *arg) {
    struct waiter *w = arg;
    struct mutex *m = w->mutex;
    sl_mutex_lock(&m->lock);
    bool is_waiting = w->at != NULL;
    if (is_waiting) dequeue(m, w);
    sl_mutex_unlock(&m->lock);
    if (!is_waiting) return; /* it has the mutex; go_on is under way */
    struct sl_kernel_context *k = w->k;
    drop_unused(w->held);
    sl_free(w);
    sl_kernel_done(k, sl_fail(k->err, SL_CANCELLED, "Lock acquisition cancelled."));
}

enum outcome { HAS_IT, WAITS, IS_CANCELLED };

/* Takes the mutex or joins the queue. */
static enum outcome take_or_wait(struct mutex *m, struct waiter *w) {
    struct sl_cancellation *cancellation = w->k->env->cancellation;
    enum outcome outcome = HAS_IT;
    sl_mutex_lock(&m->lock);
    if (!m->is_held) {
        set_holder(m, w);
    } else {
        enqueue(m, w);
        outcome = WAITS;
        if (cancellation && !sl_cancellation_register(cancellation, &w->callback)) {
            dequeue(m, w);
            outcome = IS_CANCELLED;
        }
    }
    sl_mutex_unlock(&m->lock);
    return outcome;
}

static sl_code find_mutex(struct mutex **out, struct sl_kernel_context *k) {
    struct sl_view handle = sl_in(k, 0);
    struct sl_object *o = handle.count == 1 ? *(struct sl_object **)handle.data : NULL;
    if (!o || o->type != &mutex_type)
        return sl_invalid(k,
                          "Trying to access a handle's resource using the wrong type. The handle points to a resource "
                          "of type '%s' but you are trying to access the resource as type '%s'",
                          o ? o->type->name : "", mutex_type.name);
    *out = (struct mutex *)o;
    return SL_OK;
}

static void lock_start(struct sl_kernel_context *k) {
    struct mutex *m = NULL;
    struct held *h = NULL;
    sl_code code = find_mutex(&m, k);
    if (code == SL_OK) code = held_new(&h, m, k->err);
    if (code != SL_OK) {
        sl_kernel_done(k, code);
        return;
    }
    struct waiter *w = sl_calloc(1, sizeof *w);
    enum outcome outcome = IS_CANCELLED;
    if (w) {
        *w = (struct waiter){.k = k, .held = h, .mutex = m, .callback = {.fn = cancel_waiting, .arg = w, .tell = tell}};
        outcome = take_or_wait(m, w);
    }
    if (outcome == WAITS) return; /* and may be done already */
    if (outcome == HAS_IT) {
        sl_out_object(k, 0, &h->object);
    } else {
        code = w ? sl_fail(k->err, SL_CANCELLED, "Lock acquisition cancelled.") : sl_fail_memory(k->err, sizeof *w);
        drop_unused(h);
    }
    sl_free(w);
    sl_kernel_done(k, code);
}

/* ---- ConsumeMutexLock */

static sl_code consume_run(struct sl_kernel_context *k) {
    struct sl_view v = sl_in(k, 0);
    struct sl_object *o = v.count == 1 ? *(struct sl_object **)v.data : NULL;
    if (!o || o->type != &held_type)
        return sl_invalid(k, "Expected input to contain a SharedLockReleaser, but saw: '%s'", o ? o->type->name : "");
    /* the variant is dropped after this; releasing here is the same, at a place where no lock is held */
    if (sl_object_is_sole(o)) give_up((struct held *)o);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_any_mutex_rows[] = {
    KERNEL("MutexV2", NO_RULE, .create = mutex_create, .destroy = sl_free, .run = mutex_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("MutexLock", NO_RULE, .start = lock_start, .flags = SL_KERNEL_ASYNC)
    KERNEL("ConsumeMutexLock", NO_RULE, .run = consume_run, .flags = SL_KERNEL_CHEAP)
    SL_ROWS_END
};
/* clang-format on */
