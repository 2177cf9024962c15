/* The stream: a queue and the one thread that does what is in it. */
#include "unit/fake/fake_device.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "device/callbacks.h"
#include "os/clock.h"
#include "os/mutex.h"
#include "os/thread.h"

static struct {
    _Atomic uint64_t seed;
    _Atomic int64_t most_ns;
} pauses;
static struct { atomic_ulong kernels, copies_in, copies_out, copies_across; } counts;

void fake_set_pauses(uint64_t seed, int64_t most_ns) {
    pauses.seed = seed;
    pauses.most_ns = most_ns;
}

struct fake_counts fake_counts(void) {
    return (struct fake_counts){counts.kernels, counts.copies_in, counts.copies_out, counts.copies_across};
}

void fake_count_kernel(void) { counts.kernels++; }

/* A step whose work has failed. */
struct failure {
    struct failure *next;
    uint64_t step;
    struct sl_error err;
};

struct waiting {
    struct waiting *next;
    struct sl_device_waiter *waiter;
    uint64_t mark, step;
};

struct fake_stream {
    struct fake_memory *memory;
    struct sl_callbacks *callbacks;
    struct sl_thread thread;
    uint64_t random;
    int64_t most_ns;
    struct sl_mutex mutex; /* for what follows */
    struct sl_condition changed;
    struct fake_work *first, **last;
    uint64_t enqueued, done;
    struct waiting *waiting;
    struct failure *failures;
    bool is_ending;
};

static struct fake_stream *stream_of(const struct sl_device *device) { return device->state; }

/* ---- with the lock held */

static struct failure **find_failure(struct fake_stream *s, uint64_t step) {
    struct failure **f = &s->failures;
    while (*f && (*f)->step != step) f = &(*f)->next;
    return f;
}

static sl_code tell(struct fake_stream *s, uint64_t step, struct sl_error *err) {
    const struct failure *f = *find_failure(s, step);
    return f ? sl_fail(err, f->err.code, "%s", f->err.message) : SL_OK;
}

static void note_failure(struct fake_stream *s, uint64_t step, const struct sl_error *err) {
    struct failure *f = calloc(1, sizeof *f);
    if (!f) abort();
    *f = (struct failure){s->failures, step, *err};
    s->failures = f;
}

static void post(struct fake_stream *s, struct sl_device_waiter *waiter, uint64_t step) {
    struct sl_error err = {0};
    sl_code code = tell(s, step, &err);
    sl_callbacks_post(s->callbacks, waiter, code, &err);
}

static void post_waiting(struct fake_stream *s) {
    for (struct waiting **at = &s->waiting; *at;) {
        struct waiting *w = *at;
        if (w->mark > s->done) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        post(s, w->waiter, w->step);
        free(w);
    }
}

/* ---- the thread */

static void take_pause(struct fake_stream *s) {
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    if (s->most_ns && s->random >> 62 == 0) sl_sleep_ns((int64_t)((s->random >> 20) % (uint64_t)s->most_ns));
}

static void work(void *arg) {
    struct fake_stream *s = arg;
    sl_mutex_lock(&s->mutex);
    for (;;) {
        while (!s->first && !s->is_ending) sl_condition_wait(&s->changed, &s->mutex);
        struct fake_work *w = s->first;
        if (!w) break;
        s->first = w->next;
        if (!s->first) s->last = &s->first;
        bool must_run = !w->step || !*find_failure(s, w->step);
        sl_mutex_unlock(&s->mutex);
        struct sl_error err = {0};
        uint64_t step = w->step, number = w->number;
        take_pause(s);
        sl_code code = must_run ? w->run(w, &err) : SL_OK;
        w->clear(w);
        sl_mutex_lock(&s->mutex);
        if (code != SL_OK) note_failure(s, step, &err);
        s->done = number;
        post_waiting(s);
        sl_condition_broadcast(&s->changed);
    }
    sl_mutex_unlock(&s->mutex);
}

void fake_enqueue(struct sl_device *device, struct fake_work *w) {
    struct fake_stream *s = stream_of(device);
    sl_mutex_lock(&s->mutex);
    w->next = NULL;
    w->number = ++s->enqueued;
    *s->last = w;
    s->last = &w->next;
    sl_condition_broadcast(&s->changed);
    sl_mutex_unlock(&s->mutex);
}

/* ---- the table */

static uint64_t record(struct sl_device *device) {
    struct fake_stream *s = stream_of(device);
    sl_mutex_lock(&s->mutex);
    uint64_t mark = s->enqueued;
    sl_mutex_unlock(&s->mutex);
    return mark;
}

static sl_code wait_for(struct sl_device *device, uint64_t mark, uint64_t step, struct sl_error *err) {
    struct fake_stream *s = stream_of(device);
    sl_mutex_lock(&s->mutex);
    while (s->done < mark) sl_condition_wait(&s->changed, &s->mutex);
    sl_code code = tell(s, step, err);
    sl_mutex_unlock(&s->mutex);
    return code;
}

static void when_done(struct sl_device *device, uint64_t mark, uint64_t step, struct sl_device_waiter *waiter) {
    struct fake_stream *s = stream_of(device);
    struct waiting *w = malloc(sizeof *w);
    if (!w) abort();
    sl_mutex_lock(&s->mutex);
    *w = (struct waiting){s->waiting, waiter, mark, step};
    s->waiting = w;
    post_waiting(s);
    sl_mutex_unlock(&s->mutex);
}

static sl_code end_step(struct sl_device *device, uint64_t step, struct sl_error *err) {
    struct fake_stream *s = stream_of(device);
    sl_code code = wait_for(device, record(device), step, err);
    sl_mutex_lock(&s->mutex);
    struct failure **at = find_failure(s, step), *f = *at;
    if (f) *at = f->next;
    sl_mutex_unlock(&s->mutex);
    free(f);
    return code;
}

/* A copy between the device's memory and the host's. */
struct copy {
    struct fake_work work;
    void *to;
    const void *from;
    size_t bytes;
    char staged[];
};

static sl_code copy_run(struct fake_work *w, struct sl_error *err) {
    struct copy *c = (struct copy *)w;
    (void)err;
    memcpy(c->to, c->from, c->bytes);
    return SL_OK;
}

static void copy_clear(struct fake_work *w) { free(w); }

static sl_code copy_in(struct sl_device *device, void *to, const void *from, size_t bytes, uint64_t step,
                       struct sl_error *err) {
    struct copy *c = calloc(1, sizeof *c + bytes);
    if (!c) return sl_fail_memory(err, bytes);
    c->work = (struct fake_work){.step = step, .run = copy_run, .clear = copy_clear};
    c->to = fake_reach(device->memory, to);
    c->from = memcpy(c->staged, from, bytes);
    c->bytes = bytes;
    counts.copies_in++;
    fake_enqueue(device, &c->work);
    return SL_OK;
}

static sl_code copy_out(struct sl_device *device, void *to, const void *from, size_t bytes, uint64_t step,
                        struct sl_error *err) {
    struct copy *c = calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    c->work = (struct fake_work){.step = step, .run = copy_run, .clear = copy_clear};
    c->to = to;
    c->from = fake_reach(device->memory, from);
    c->bytes = bytes;
    counts.copies_out++;
    fake_enqueue(device, &c->work);
    return SL_OK;
}

/* From one fake device to another: the second stream waits for the first. Both halves hold it. */
struct crossing {
    atomic_int refs;
    struct sl_mutex mutex;
    struct sl_condition came;
    bool is_there;
    size_t bytes;
    char staged[];
};

struct half {
    struct fake_work work;
    struct crossing *crossing;
    void *at;
    bool is_first;
};

static void arrive(struct crossing *x) {
    sl_mutex_lock(&x->mutex);
    x->is_there = true;
    sl_condition_broadcast(&x->came);
    sl_mutex_unlock(&x->mutex);
}

static sl_code half_run(struct fake_work *w, struct sl_error *err) {
    struct half *h = (struct half *)w;
    struct crossing *x = h->crossing;
    (void)err;
    if (h->is_first) {
        memcpy(x->staged, h->at, x->bytes);
        return SL_OK;
    }
    sl_mutex_lock(&x->mutex);
    while (!x->is_there) sl_condition_wait(&x->came, &x->mutex);
    sl_mutex_unlock(&x->mutex);
    memcpy(h->at, x->staged, x->bytes);
    return SL_OK;
}

static void half_clear(struct fake_work *w) {
    struct half *h = (struct half *)w;
    struct crossing *x = h->crossing;
    if (h->is_first) arrive(x); /* also when the step has failed */
    if (atomic_fetch_sub(&x->refs, 1) == 1) {
        sl_condition_clear(&x->came);
        sl_mutex_clear(&x->mutex);
        free(x);
    }
    free(h);
}

static sl_code copy_across(struct sl_device *device, void *to, struct sl_device *target, const void *from, size_t bytes,
                           uint64_t step, struct sl_error *err) {
    struct crossing *x = calloc(1, sizeof *x + bytes);
    struct half *halves[2] = {calloc(1, sizeof **halves), calloc(1, sizeof **halves)};
    if (!x || !halves[0] || !halves[1]) return sl_fail_memory(err, bytes);
    x->refs = 2;
    x->bytes = bytes;
    sl_mutex_init(&x->mutex);
    sl_condition_init(&x->came);
    for (int i = 0; i < 2; i++) {
        halves[i]->work = (struct fake_work){.step = step, .run = half_run, .clear = half_clear};
        halves[i]->crossing = x;
        halves[i]->is_first = i == 0;
    }
    halves[0]->at = fake_reach(device->memory, from);
    halves[1]->at = fake_reach(target->memory, to);
    counts.copies_across++;
    fake_enqueue(device, &halves[0]->work);
    fake_enqueue(target, &halves[1]->work);
    return SL_OK;
}

static void close_device(struct sl_device *device) {
    struct fake_stream *s = stream_of(device);
    sl_mutex_lock(&s->mutex);
    s->is_ending = true;
    sl_condition_broadcast(&s->changed);
    sl_mutex_unlock(&s->mutex);
    sl_thread_join(&s->thread);
    sl_callbacks_free(s->callbacks);
    if (s->failures) abort(); /* a step has not ended */
    fake_memory_free(s->memory);
    sl_condition_clear(&s->changed);
    sl_mutex_clear(&s->mutex);
    free(s);
}

static sl_code open_device(struct sl_device *device, struct sl_error *err) {
    struct fake_stream *s = calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->last = &s->first;
    s->random = pauses.seed;
    s->most_ns = pauses.most_ns;
    sl_mutex_init(&s->mutex);
    sl_condition_init(&s->changed);
    device->state = s;
    SL_TRY(fake_memory_new(&s->memory, device, err));
    device->memory = fake_memory_base(s->memory);
    SL_TRY(sl_callbacks_new(&s->callbacks, "fake callbacks", err));
    return sl_thread_start(&s->thread, "fake stream", 0, work, s, err);
}

static int none(const struct sl_device_type *self) {
    (void)self;
    return 0;
}

static const struct sl_device_type type = {.name = FAKE_DEVICE,
                                           .priority = 100,
                                           .count = none,
                                           .open = open_device,
                                           .close = close_device,
                                           .copy_in = copy_in,
                                           .copy_out = copy_out,
                                           .copy_across = copy_across,
                                           .record = record,
                                           .wait = wait_for,
                                           .when_done = when_done,
                                           .end_step = end_step};

static const struct sl_kernel_family *families(size_t *n) {
    static const struct sl_kernel_family all[] = {{fake_rows}};
    *n = 1;
    return all;
}

const struct sl_backend fake_backend = {families, &type};
