/* Calls under way. The consumer takes elements from the input and starts calls; their threads touch nothing but the slot
 * of the call, and the mutex.
 *
 *     slots   [ done | running | running | . ]      a ring; the first is the one that is given next
 */
#include "data/calls_ahead.h"

#include "base/alloc.h"
#include "data/element.h"
#include "data/state.h"
#include "os/mutex.h"
#include "os/pool.h"
#include "os/task_threads.h"

enum { MOST_CALLS = 256 };

struct slot {
    struct sl_calls_ahead *calls;
    struct sl_made_element outcome;
    struct sl_value *args;
    int64_t called; /* as sl_calls_ahead_next says */
    bool is_done;   /* guarded by the mutex while the call runs */
};
struct sl_calls_ahead {
    struct sl_iterator *it;
    struct sl_value *args; /* of a call that the consumer makes itself */
    struct sl_ahead_cost cost;
    struct slot *slots; /* `limit` of them, once `is_on` */
    int64_t limit, first, n;
    int width, n_args;
    bool is_on;
    _Atomic int64_t largest; /* bytes of a result so far */
    struct sl_mutex mutex;
    struct sl_condition done;
};

sl_code sl_calls_ahead_new(struct sl_calls_ahead **out, struct sl_iterator *it, int width, int64_t limit,
                           struct sl_error *err) {
    struct sl_calls_ahead *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    const struct sl_step_env *env = sl_data_walk_env(it->walk);
    c->it = it;
    c->width = width;
    c->n_args = it->dataset->inputs[0]->n;
    c->limit = limit > 0 ? limit : env->pool ? sl_pool_threads(env->pool) : 1;
    if (c->limit > MOST_CALLS) c->limit = MOST_CALLS;
    sl_mutex_init(&c->mutex);
    sl_condition_init(&c->done);
    sl_code code = sl_element_new(&c->args, c->n_args, err);
    if (code == SL_OK) *out = c;
    else sl_calls_ahead_free(c);
    return code;
}

static struct slot *slot_at(const struct sl_calls_ahead *c, int64_t i) { return &c->slots[(c->first + i) % c->limit]; }

void sl_calls_ahead_free(struct sl_calls_ahead *c) {
    if (!c) return;
    sl_calls_ahead_hold(c);
    for (int64_t i = 0; c->slots && i < c->limit; i++) {
        struct slot *s = &c->slots[i];
        if (s->outcome.element) sl_element_clear(s->outcome.element, c->width);
        sl_free(s->outcome.element);
        sl_free(s->outcome.message);
        sl_free(s->args);
    }
    sl_free(c->slots);
    sl_free(c->args);
    sl_condition_clear(&c->done);
    sl_mutex_clear(&c->mutex);
    sl_free(c);
}

static sl_code make_slots(struct sl_calls_ahead *c, struct sl_error *err) {
    if (!c->slots && !(c->slots = sl_calloc((size_t)c->limit, sizeof *c->slots)))
        return sl_fail_memory(err, (size_t)c->limit * sizeof *c->slots);
    for (int64_t i = 0; i < c->limit; i++) {
        struct slot *s = &c->slots[i];
        s->calls = c;
        if (!s->args) SL_TRY(sl_element_new(&s->args, c->n_args, err));
        if (!s->outcome.element) SL_TRY(sl_element_new(&s->outcome.element, c->width, err));
    }
    c->is_on = true;
    return SL_OK;
}

/* Two threads at once may note the smaller one: near enough. */
static void note_size(struct sl_calls_ahead *c, const struct sl_value *results) {
    const int64_t bytes = sl_element_bytes(results, c->width);
    if (bytes > atomic_load(&c->largest)) atomic_store(&c->largest, bytes);
}

/* ---- one at a time */

static sl_code call_here(struct sl_calls_ahead *c, struct sl_value *results, bool *is_end, int64_t *called,
                         struct sl_error *err) {
    int64_t begun;
    SL_TRY(sl_iterator_pull(c->it, c->args, is_end, err));
    if (*is_end) return SL_OK;
    *called = c->it->pulled - 1;
    const bool is_measured = sl_ahead_cost_begin(&begun, &c->cost);
    sl_code code = sl_iterator_call(results, c->it, 0, c->args, c->n_args, err);
    if (!is_measured) return code;
    sl_ahead_cost_end(&c->cost, begun);
    if (code == SL_OK) note_size(c, results);
    if (c->limit > 1 && sl_ahead_cost_is_high(&c->cost, c->it->walk))
        (void)make_slots(c, NULL); /* or go on like this */
    return code;
}

/* ---- several at a time */

static void run_call(void *arg) {
    struct slot *s = arg;
    struct sl_calls_ahead *c = s->calls;
    struct sl_error err;
    sl_error_clear(&err);
    sl_code code = sl_iterator_call(s->outcome.element, c->it, 0, s->args, c->n_args, &err);
    note_size(c, s->outcome.element);
    sl_made_element_set(&s->outcome, code, false, &err);
    sl_mutex_lock(&c->mutex);
    s->is_done = true;
    sl_condition_broadcast(&c->done);
    sl_mutex_unlock(&c->mutex);
}

/* Whether one more call may begin: its result counts as large as the largest. */
static bool has_room(const struct sl_calls_ahead *c) {
    return c->n < c->limit && (c->n == 0 || (c->n + 1) * atomic_load(&c->largest) <= SL_BYTES_AHEAD);
}

/* Takes elements from the input, up to its end or an error, and starts their calls. */
static void start_calls(struct sl_calls_ahead *c) {
    while (has_room(c) && c->it->input) {
        struct sl_error err;
        struct slot *s = slot_at(c, c->n);
        bool is_end = false;
        sl_error_clear(&err);
        sl_code code = sl_iterator_pull(c->it, s->args, &is_end, &err);
        if (code == SL_OK && is_end) return;
        s->called = code == SL_OK ? c->it->pulled - 1 : SL_NOT_CALLED;
        s->is_done = code != SL_OK;
        c->n++;
        if (code == SL_OK) sl_task_threads_run(run_call, s);
        else sl_made_element_set(&s->outcome, code, false, &err);
        if (code == SL_CANCELLED) return;
    }
}

static void wait_for(struct sl_calls_ahead *c, const struct slot *s) {
    sl_mutex_lock(&c->mutex);
    while (!s->is_done) sl_condition_wait(&c->done, &c->mutex);
    sl_mutex_unlock(&c->mutex);
}

bool sl_calls_ahead_is_on(const struct sl_calls_ahead *c) { return c->is_on; }

sl_code sl_calls_ahead_next(struct sl_calls_ahead *c, struct sl_value *results, bool *is_end, int64_t *called,
                            struct sl_error *err) {
    *called = SL_NOT_CALLED;
    *is_end = false;
    if (!c->is_on) return call_here(c, results, is_end, called, err);
    start_calls(c);
    *is_end = c->n == 0;
    if (*is_end) return SL_OK;
    struct slot *s = slot_at(c, 0);
    wait_for(c, s);
    c->first = (c->first + 1) % c->limit;
    c->n--;
    *called = s->called;
    return sl_made_element_take(&s->outcome, results, c->width, is_end, err);
}

/* ---- saving */

int64_t sl_calls_ahead_hold(struct sl_calls_ahead *c) {
    for (int64_t i = 0; i < c->n; i++) wait_for(c, slot_at(c, i));
    return c->n;
}

const struct sl_made_element *sl_calls_ahead_at(const struct sl_calls_ahead *c, int64_t i) {
    return &slot_at(c, i)->outcome;
}

/* Twice as many, in order: a state may come from where more calls are made. All are done. */
static sl_code more_slots(struct sl_calls_ahead *c, struct sl_error *err) {
    struct slot *slots = sl_calloc((size_t)c->limit * 2, sizeof *slots);
    if (!slots) return sl_fail_memory(err, (size_t)c->limit * 2 * sizeof *slots);
    for (int64_t i = 0; i < c->limit; i++) slots[i] = *slot_at(c, i);
    sl_free(c->slots);
    c->slots = slots;
    c->first = 0;
    c->limit *= 2;
    return make_slots(c, err);
}

sl_code sl_calls_ahead_room(struct sl_made_element **out, struct sl_calls_ahead *c, struct sl_error *err) {
    if (!c->is_on) SL_TRY(make_slots(c, err));
    if (c->n == c->limit) SL_TRY(more_slots(c, err));
    struct slot *s = slot_at(c, c->n++);
    s->called = SL_CALLED_BEFORE;
    s->is_done = true;
    *out = &s->outcome;
    return SL_OK;
}

/* ---- states */

static const char *result_part(char part[SL_STATE_KEY], int64_t i) {
    return sl_state_key(part, "_invocation_results[%lld]", (long long)i);
}

static sl_code put_result(struct sl_calls_ahead *c, struct sl_state *state, int64_t i, struct sl_error *err) {
    const struct sl_made_element *made = sl_calls_ahead_at(c, i);
    char part[SL_STATE_KEY], key[SL_STATE_KEY];
    const int n = made->code == SL_OK && !made->is_end ? c->width : 0;
    result_part(part, i);
    SL_TRY(sl_state_put_part_int(state, c->it, part, "_code", made->code, err));
    if (made->code != SL_OK) SL_TRY(sl_state_put_part_text(state, c->it, part, "_error_message", made->message, err));
    SL_TRY(sl_state_put_part_int(state, c->it, part, "size", n, err));
    for (int k = 0; k < n; k++)
        SL_TRY(sl_state_put_part(state, c->it, part, sl_state_key(key, "[%d]", k), &made->element[k], err));
    return sl_state_put_part_int(state, c->it, part, "end_of_input", made->is_end, err);
}

static sl_code get_result(struct sl_calls_ahead *c, const struct sl_state *state, int64_t i, struct sl_error *err) {
    char part[SL_STATE_KEY], key[SL_STATE_KEY];
    struct sl_made_element *made;
    int64_t code, n, is_end;
    result_part(part, i);
    SL_TRY(sl_state_get_part_int(&is_end, state, c->it, part, "end_of_input", err));
    if (is_end) return SL_OK; /* the input's end: it says so itself */
    SL_TRY(sl_calls_ahead_room(&made, c, err));
    SL_TRY(sl_state_get_part_int(&code, state, c->it, part, "_code", err));
    if (code != SL_OK) return sl_made_element_get_error(made, code, state, c->it, part, "_error_message", err);
    SL_TRY(sl_state_get_part_int(&n, state, c->it, part, "size", err));
    if (n != c->width) return sl_fail(err, SL_INVALID_ARGUMENT, "A saved result has %lld values", (long long)n);
    for (int k = 0; k < n; k++)
        SL_TRY(sl_state_get_part(&made->element[k], state, c->it, part, sl_state_key(key, "[%d]", k), err));
    return SL_OK;
}

sl_code sl_calls_ahead_put(struct sl_calls_ahead *c, struct sl_state *state, struct sl_error *err) {
    const int64_t n = sl_calls_ahead_hold(c);
    SL_TRY(sl_state_put_int(state, c->it, "invocation_results_size", n, err));
    for (int64_t i = 0; i < n; i++) SL_TRY(put_result(c, state, i, err));
    return SL_OK;
}

sl_code sl_calls_ahead_get(struct sl_calls_ahead *c, const struct sl_state *state, struct sl_error *err) {
    int64_t n;
    SL_TRY(sl_state_get_int(&n, state, c->it, "invocation_results_size", err));
    for (int64_t i = 0; i < n; i++) SL_TRY(get_result(c, state, i, err));
    return SL_OK;
}

sl_code sl_calls_ahead_put_parts(struct sl_calls_ahead *c, struct sl_state *state, struct sl_error *err) {
    return sl_calls_ahead_hold(c) ? sl_calls_ahead_put(c, state, err) : SL_OK;
}

sl_code sl_calls_ahead_get_parts(struct sl_calls_ahead *c, const struct sl_state *state, struct sl_error *err) {
    return sl_state_has(state, c->it, "invocation_results_size") ? sl_calls_ahead_get(c, state, err) : SL_OK;
}
