/* Running ahead. `producing` says whose what `make` uses is: the mutex passes it between the consumer and the thread. */
#include "data/ahead.h"

#include <string.h>

#include "base/alloc.h"
#include "data/element.h"
#include "data/state.h"
#include "kernel/cancellation.h"
#include "os/clock.h"
#include "os/mutex.h"
#include "os/pool.h"
#include "os/task_threads.h"

enum {
    HIGH_NS = 20000, /* several times what a thread costs that is woken */
    SAMPLE_EACH = 8, /* elements, after the first ones */
    FIRST_LIMIT = 2, /* where there is none: doubled each time somebody waits */
    LAST_LIMIT = 2048
};

/* ---- costs */

bool sl_ahead_cost_begin(int64_t *begun, struct sl_ahead_cost *cost) {
    if (cost->turn++ % SAMPLE_EACH && cost->n >= SL_AHEAD_SAMPLES) return false;
    *begun = sl_clock_ns();
    return true;
}

void sl_ahead_cost_end(struct sl_ahead_cost *cost, int64_t begun) {
    cost->ns[cost->n++ % SL_AHEAD_SAMPLES] = sl_clock_ns() - begun;
}

bool sl_ahead_cost_is_high(const struct sl_ahead_cost *cost, const struct sl_data_walk *walk) {
    const struct sl_step_env *env = sl_data_walk_env(walk);
    for (int i = 0; i < SL_AHEAD_SAMPLES; i++)
        if (cost->ns[i] <= HIGH_NS) return false;
    return env->pool && sl_pool_threads(env->pool) > 1;
}

/* ---- outcomes */

static char *copy_text(const char *text) {
    const size_t n = strlen(text) + 1;
    char *copy = sl_malloc(n);
    return copy ? memcpy(copy, text, n) : NULL;
}

void sl_made_element_set(struct sl_made_element *o, sl_code code, bool is_end, const struct sl_error *err) {
    o->code = code;
    o->is_end = is_end;
    sl_free(o->message);
    o->message = code != SL_OK ? copy_text(err->message) : NULL;
}

sl_code sl_made_element_take(struct sl_made_element *o, struct sl_value *element, int width, bool *is_end,
                             struct sl_error *err) {
    const sl_code code = o->code;
    for (int i = 0; i < width; i++) element[i] = sl_value_move(&o->element[i]);
    *is_end = o->is_end;
    if (code != SL_OK) sl_fail(err, code, "%s", o->message ? o->message : "");
    sl_free(o->message);
    o->message = NULL;
    o->code = SL_OK;
    o->is_end = false;
    return code;
}

sl_code sl_made_element_get_error(struct sl_made_element *o, int64_t code, const struct sl_state *state,
                                  const struct sl_iterator *it, const char *part, const char *key,
                                  struct sl_error *err) {
    char *message = NULL;
    if (sl_state_has_part(state, it, part, key)) SL_TRY(sl_state_get_part_text(&message, state, it, part, key, err));
    sl_free(o->message);
    o->message = message;
    o->code = code > SL_OK && code <= SL_UNAUTHENTICATED ? (sl_code)code : SL_UNKNOWN;
    o->is_end = false;
    return SL_OK;
}

/* ---- */

struct sl_ahead {
    sl_ahead_make *make;
    void *arg;
    struct sl_data_walk *walk;
    struct sl_ahead_cost *cost; /* while is_off */
    int width;
    bool is_off;           /* elements are made by the consumer; only it changes this */
    bool grows;            /* the limit does */
    struct sl_mutex mutex; /* guards what follows, once is_off is false */
    struct sl_condition changed;
    struct sl_made_element *ring; /* `cap` of them */
    int64_t cap, first, n, limit, bytes;
    bool producing, is_held, is_over; /* is_over: the end is in the ring, or was taken */
};

sl_code sl_ahead_new(struct sl_ahead **out, sl_ahead_make *make, void *arg, int width, int64_t limit,
                     struct sl_data_walk *walk, struct sl_ahead_cost *cost, struct sl_error *err) {
    struct sl_ahead *a = sl_calloc(1, sizeof *a);
    if (!a) return sl_fail_memory(err, sizeof *a);
    *a = (struct sl_ahead){.make = make, .arg = arg, .width = width, .walk = walk, .cost = cost, .is_off = true};
    a->grows = limit < 0;
    a->limit = a->grows ? FIRST_LIMIT : limit;
    sl_mutex_init(&a->mutex);
    sl_condition_init(&a->changed);
    *out = a;
    return SL_OK;
}

void sl_ahead_free(struct sl_ahead *a) {
    if (!a) return;
    sl_ahead_hold(a);
    for (int64_t i = 0; i < a->cap; i++) {
        sl_element_clear(a->ring[i].element, a->width);
        sl_free(a->ring[i].element);
        sl_free(a->ring[i].message);
    }
    sl_free(a->ring);
    sl_condition_clear(&a->changed);
    sl_mutex_clear(&a->mutex);
    sl_free(a);
}

static struct sl_made_element *at(const struct sl_ahead *a, int64_t i) { return &a->ring[(a->first + i) % a->cap]; }

/* One more place in the ring, which keeps its order. */
static sl_code grow(struct sl_ahead *a, struct sl_error *err) {
    const int64_t cap = a->cap ? 2 * a->cap : FIRST_LIMIT;
    struct sl_made_element *ring = sl_calloc((size_t)cap, sizeof *ring);
    if (!ring) return sl_fail_memory(err, (size_t)cap * sizeof *ring);
    for (int64_t i = 0; i < a->cap; i++) ring[i] = *at(a, i);
    for (int64_t i = a->cap; i < cap; i++)
        if (sl_element_new(&ring[i].element, a->width, err) != SL_OK) {
            while (i-- > a->cap) sl_free(ring[i].element);
            sl_free(ring);
            return SL_RESOURCE_EXHAUSTED;
        }
    sl_free(a->ring);
    a->ring = ring;
    a->cap = cap;
    a->first = 0;
    return SL_OK;
}

sl_code sl_ahead_room(struct sl_made_element **out, struct sl_ahead *a, struct sl_error *err) {
    if (a->n == a->cap) SL_TRY(grow(a, err));
    *out = at(a, a->n);
    a->n++;
    a->is_off = false;
    return SL_OK;
}

const struct sl_made_element *sl_ahead_at(const struct sl_ahead *a, int64_t i) { return at(a, i); }

/* ---- the producer. With the mutex held. */

static bool is_wanted(const struct sl_ahead *a) {
    return !a->is_held && !a->is_over && a->n < a->limit && (a->n == 0 || a->bytes < SL_BYTES_AHEAD) &&
           !sl_cancellation_is_on(sl_data_walk_env(a->walk)->cancellation);
}

/* Makes one element, without the mutex while it is being made: its place is behind those that are there. */
static void produce_one(struct sl_ahead *a) {
    struct sl_error err;
    struct sl_value small[8], *element = small;
    bool is_end = false;
    sl_error_clear(&err);
    sl_code code = SL_OK;
    if (a->width > (int)(sizeof small / sizeof *small)) code = sl_element_new(&element, a->width, &err);
    for (int i = 0; i < a->width && element; i++) element[i].kind = SL_VALUE_NONE;
    sl_mutex_unlock(&a->mutex);
    if (code == SL_OK) code = a->make(a->arg, element, &is_end, &err);
    sl_mutex_lock(&a->mutex);
    if (a->n == a->cap && grow(a, NULL) != SL_OK) { /* the element is lost: say so where it would have been */
        if (element) sl_element_clear(element, a->width);
        a->is_over = true;
    } else {
        struct sl_made_element *o = at(a, a->n++);
        for (int i = 0; i < a->width && element; i++) o->element[i] = sl_value_move(&element[i]);
        sl_made_element_set(o, code, is_end, &err);
        a->bytes += sl_element_bytes(o->element, a->width);
        a->is_over = is_end;
    }
    if (element != small) sl_free(element);
    sl_condition_broadcast(&a->changed);
}

static void produce(void *arg) {
    struct sl_ahead *a = arg;
    sl_mutex_lock(&a->mutex);
    while (is_wanted(a)) produce_one(a);
    a->producing = false;
    sl_condition_broadcast(&a->changed);
    sl_mutex_unlock(&a->mutex);
}

/* Sets the thread to work when half of what may be held is gone. */
static void start(struct sl_ahead *a) {
    if (a->producing || a->n > a->limit / 2 || !is_wanted(a)) return;
    a->producing = true;
    sl_mutex_unlock(&a->mutex);
    sl_task_threads_run(produce, a);
    sl_mutex_lock(&a->mutex);
}

/* ---- the consumer */

static sl_code make_measured(struct sl_ahead *a, struct sl_value *element, bool *is_end, struct sl_error *err) {
    int64_t begun;
    if (!sl_ahead_cost_begin(&begun, a->cost)) return a->make(a->arg, element, is_end, err);
    sl_code code = a->make(a->arg, element, is_end, err);
    sl_ahead_cost_end(a->cost, begun);
    return code;
}

/* The next one while nothing runs ahead; from the first costly one on something does. */
static sl_code make_here(struct sl_ahead *a, struct sl_value *element, bool *is_end, struct sl_error *err) {
    sl_code code = make_measured(a, element, is_end, err);
    if (code == SL_OK && *is_end) a->is_over = true;
    if (a->is_over || a->limit == 0 || !sl_ahead_cost_is_high(a->cost, a->walk)) return code;
    sl_mutex_lock(&a->mutex);
    a->is_off = false;
    start(a);
    sl_mutex_unlock(&a->mutex);
    return code;
}

sl_code sl_ahead_next(struct sl_ahead *a, struct sl_value *element, bool *is_end, struct sl_error *err) {
    if (a->is_off && !a->is_over) return make_here(a, element, is_end, err);
    sl_code code = SL_OK;
    *is_end = false;
    sl_mutex_lock(&a->mutex);
    if (a->n == 0 && !a->producing && !a->is_over) { /* nobody would make it sooner */
        a->producing = true;
        produce_one(a);
        a->producing = false;
    }
    if (a->n == 0 && a->producing && a->grows && a->limit < LAST_LIMIT) a->limit *= 2;
    while (a->n == 0 && a->producing) sl_condition_wait(&a->changed, &a->mutex);
    if (a->n > 0) {
        struct sl_made_element *o = at(a, 0);
        a->bytes -= sl_element_bytes(o->element, a->width);
        code = sl_made_element_take(o, element, a->width, is_end, err);
        a->first = (a->first + 1) % a->cap;
        a->n--;
    } else if (a->is_over) {
        *is_end = true;
    } else { /* the thread stopped short: the walk is cancelled */
        code = sl_cancellation_status(sl_data_walk_env(a->walk)->cancellation, err);
        *is_end = code == SL_OK;
    }
    start(a);
    sl_mutex_unlock(&a->mutex);
    return code;
}

int64_t sl_ahead_hold(struct sl_ahead *a) {
    sl_mutex_lock(&a->mutex);
    a->is_held = true;
    while (a->producing) sl_condition_wait(&a->changed, &a->mutex);
    const int64_t n = a->n;
    sl_mutex_unlock(&a->mutex);
    return n;
}

void sl_ahead_release(struct sl_ahead *a) {
    sl_mutex_lock(&a->mutex);
    a->is_held = false;
    sl_mutex_unlock(&a->mutex);
}
