/* The queue of waiters and its threads: a post that finds no thread idle starts one. */
#include "device/callbacks.h"

#include "base/alloc.h"
#include "os/mutex.h"
#include "os/thread.h"

struct posted {
    struct posted *next;
    struct sl_device_waiter *waiter;
    sl_code code;
    struct sl_error err;
};

struct worker {
    struct worker *next;
    struct sl_thread thread;
};

struct sl_callbacks {
    const char *thread_name;
    struct sl_mutex mutex; /* for what follows */
    struct sl_condition posted;
    struct posted *first, **last;
    struct worker *workers;
    int n_posted, n_idle;
    bool is_ending;
};

static void work(void *arg) {
    struct sl_callbacks *c = arg;
    sl_mutex_lock(&c->mutex);
    for (;;) {
        c->n_idle++;
        while (!c->first && !c->is_ending) sl_condition_wait(&c->posted, &c->mutex);
        c->n_idle--;
        struct posted *p = c->first;
        if (!p) break;
        c->first = p->next;
        c->n_posted--;
        if (!c->first) c->last = &c->first;
        sl_mutex_unlock(&c->mutex);
        p->waiter->done(p->waiter, p->code, &p->err);
        sl_free(p);
        sl_mutex_lock(&c->mutex);
    }
    sl_mutex_unlock(&c->mutex);
}

static sl_code add_worker(struct sl_callbacks *c, struct sl_error *err) {
    struct worker *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    sl_code code = sl_thread_start(&w->thread, c->thread_name, 0, work, c, err);
    if (code != SL_OK) {
        sl_free(w);
        return code;
    }
    w->next = c->workers;
    c->workers = w;
    return SL_OK;
}

sl_code sl_callbacks_new(struct sl_callbacks **out, const char *thread_name, struct sl_error *err) {
    struct sl_callbacks *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    c->thread_name = thread_name;
    c->last = &c->first;
    sl_mutex_init(&c->mutex);
    sl_condition_init(&c->posted);
    sl_code code = add_worker(c, err); /* so that later ones may fail */
    if (code == SL_OK) *out = c;
    else sl_callbacks_free(c);
    return code;
}

void sl_callbacks_free(struct sl_callbacks *c) {
    if (!c) return;
    sl_mutex_lock(&c->mutex);
    c->is_ending = true;
    sl_condition_broadcast(&c->posted);
    sl_mutex_unlock(&c->mutex);
    for (struct worker *w = c->workers, *next; w; w = next) {
        next = w->next;
        sl_thread_join(&w->thread);
        sl_free(w);
    }
    sl_condition_clear(&c->posted);
    sl_mutex_clear(&c->mutex);
    sl_free(c);
}

void sl_callbacks_post(struct sl_callbacks *c, struct sl_device_waiter *waiter, sl_code code,
                       const struct sl_error *err) {
    struct posted *p = sl_malloc(sizeof *p);
    if (!p) { /* better here than never */
        waiter->done(waiter, code, err);
        return;
    }
    *p = (struct posted){.waiter = waiter, .code = code};
    if (err) p->err = *err;
    sl_mutex_lock(&c->mutex);
    *c->last = p;
    c->last = &p->next;
    if (++c->n_posted > c->n_idle) add_worker(c, NULL);
    sl_condition_signal(&c->posted);
    sl_mutex_unlock(&c->mutex);
}
