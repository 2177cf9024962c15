/* WindowDataset: size, shift, stride, drop_remainder. Window i holds elements i * shift + j * stride, j < size; it is an
 * element with a dataset for each component, whose elements are kept by the window.
 *
 *     buffer   [ e0 e1 e2 e3 ... ]   the elements of the input from the next window's first one on
 *
 * An element that could not be made is an error of the windows that hold it, and of no other.
 */
#include "base/alloc.h"
#include "base/vec.h"
#include "data/ahead.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/listed.h"
#include "data/state.h"

struct window {
    int64_t size, shift, stride, drops;
    struct sl_dataset_spec **rows; /* for each component, of the datasets that windows hold */
};
struct failure {
    int64_t at;                     /* in the buffer */
    struct sl_made_element outcome; /* without an element */
};
struct window_iterator {
    struct sl_iterator base;
    struct sl_element_list buffer;
    SL_VEC(struct failure) failures; /* in the order of their elements, which are NONE in the buffer */
};

static sl_code window_init(struct sl_dataset *d, struct sl_error *err) {
    struct window *w = d->state;
    const struct sl_dataset *input = d->inputs[0];
    const char *const names[] = {"size", "shift", "stride"};
    int64_t *const numbers[] = {&w->size, &w->shift, &w->stride};
    for (int i = 0; i < 3; i++) {
        SL_TRY(sl_dataset_int(numbers[i], d, i, names[i], err));
        if (*numbers[i] <= 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Window %s must be greater than zero.", names[i]);
    }
    SL_TRY(sl_dataset_int(&w->drops, d, 3, "drop_remainder", err));
    const size_t n = (size_t)input->n;
    uint8_t *types = sl_arena_zalloc(&d->arena, n);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&d->arena, struct sl_shape, n);
    w->rows = SL_ARENA_ARRAY(&d->arena, struct sl_dataset_spec *, n);
    if (!types || !shapes || !w->rows) return sl_fail_memory(err, n * sizeof *shapes);
    memset(types, SL_VARIANT, n);
    sl_dataset_set_components(d, input->n, types, shapes);
    for (int c = 0; c < input->n; c++)
        SL_TRY(sl_listed_spec_new(&w->rows[c], 1, &input->types[c], &input->shapes[c], err));
    return SL_OK;
}

static void window_clear(struct sl_dataset *d) {
    const struct window *w = d->state;
    for (int c = 0; w->rows && c < d->inputs[0]->n; c++) sl_dataset_spec_unref(w->rows[c]);
}

/* Elements from the first to the last of a window; INT64_MAX when that is no number. */
static int64_t window_span(const struct window *w) {
    int64_t span;
    return __builtin_mul_overflow(w->size - 1, w->stride, &span) || span == INT64_MAX ? INT64_MAX : span + 1;
}

static int64_t window_cardinality(const struct sl_dataset *d) {
    const struct window *w = d->state;
    const int64_t n = sl_dataset_input_cardinality(d), span = window_span(w);
    if (n <= 0) return n;
    if (w->drops) return n < span ? 0 : (n - span) / w->shift + 1;
    return (n - 1) / w->shift + 1;
}

static sl_code window_begin(struct sl_iterator *self, struct sl_error *err) {
    (void)err;
    ((struct window_iterator *)self)->buffer.width = self->dataset->inputs[0]->n;
    return SL_OK;
}

/* The dataset of component `c` of the window at the front. */
static sl_code make_rows(struct sl_value *out, const struct window_iterator *it, int c, struct sl_error *err) {
    const struct window *w = it->base.dataset->state;
    const int64_t held = it->buffer.n;
    int64_t n = held ? (held - 1) / w->stride + 1 : 0;
    if (n > w->size) n = w->size;
    if (n > INT32_MAX) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "A window has more than %d elements", INT32_MAX);
    const bool is_list = w->stride == 1 && it->buffer.width == 1; /* the buffer holds just these, in their order */
    struct sl_value *values = it->buffer.values;
    struct sl_dataset *rows;
    if (!is_list && !(values = sl_malloc((size_t)n * sizeof *values + 1)))
        return sl_fail_memory(err, (size_t)n * sizeof *values);
    for (int64_t i = 0; !is_list && i < n; i++) values[i] = sl_element_at(&it->buffer, i * w->stride)[c]; /* borrowed */
    sl_code code = sl_dataset_new(&rows, w->rows[c], NULL, 0, values, (int)n, err);
    if (!is_list) sl_free(values);
    if (code == SL_OK) *out = sl_dataset_value(rows);
    return code;
}

static sl_code add_failure(struct window_iterator *it, sl_code code, const struct sl_error *why, struct sl_error *err) {
    struct failure failure = {.at = it->buffer.n};
    if (sl_vec_reserve(&it->failures, 1)) return sl_fail_memory(err, sizeof failure);
    sl_made_element_set(&failure.outcome, code, false, why);
    it->failures.items[it->failures.n++] = failure;
    return SL_OK;
}

/* The first error among the elements of the window at the front. */
static sl_code find_failure(const struct window_iterator *it, struct sl_error *err) {
    const struct window *w = it->base.dataset->state;
    for (size_t i = 0; i < it->failures.n; i++) {
        const struct failure *f = &it->failures.items[i];
        if (f->at % w->stride || f->at / w->stride >= w->size) continue;
        return sl_fail(err, f->outcome.code, "%s", f->outcome.message ? f->outcome.message : "");
    }
    return SL_OK;
}

/* Failures of the first `n` elements go, the others move up. */
static void shift_failures(struct window_iterator *it, int64_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < it->failures.n; i++) {
        struct failure *f = &it->failures.items[i];
        f->at -= n;
        if (f->at < 0) sl_free(f->outcome.message);
        else it->failures.items[kept++] = *f;
    }
    it->failures.n = kept;
}

/* Goes past `count` elements of the input, whatever became of them. */
static sl_code pass_by(struct window_iterator *it, int64_t count, struct sl_error *err) {
    for (int64_t gone; count > 0 && it->base.input; count -= gone) {
        struct sl_error why;
        sl_code code = sl_iterator_skip(&gone, &it->base, count, &why);
        if (code == SL_CANCELLED || code == SL_RESOURCE_EXHAUSTED) return sl_fail(err, code, "%s", why.message);
        if (code != SL_OK) gone++;
    }
    return SL_OK;
}

/* Lets the front go on to the next window. What lies beyond the buffer is passed by in the input. */
static sl_code shift_window(struct window_iterator *it, struct sl_error *err) {
    const struct window *w = it->base.dataset->state;
    struct sl_element_list *b = &it->buffer;
    const int64_t n = w->shift < b->n ? w->shift : b->n;
    shift_failures(it, n);
    for (int64_t i = 0; i < n; i++) sl_element_clear(sl_element_at(b, i), b->width);
    memmove(b->values, sl_element_at(b, n), (size_t)((b->n - n) * b->width) * sizeof *b->values);
    b->n -= n;
    return pass_by(it, w->shift - n, err);
}

static sl_code window_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct window_iterator *it = (struct window_iterator *)self;
    const struct window *w = self->dataset->state;
    const int64_t span = window_span(w);
    for (bool is_over = false; it->buffer.n < span && !is_over;) {
        struct sl_value *room;
        SL_TRY(sl_iterator_gather(&room, self, &it->buffer, err));
        struct sl_error why;
        sl_code code = sl_iterator_pull(self, room, &is_over, &why);
        if (code == SL_CANCELLED || code == SL_RESOURCE_EXHAUSTED) return sl_fail(err, code, "%s", why.message);
        if (code != SL_OK && is_over) sl_iterator_close_input(self); /* an end that is an error ends the windows, too */
        else if (code != SL_OK) SL_TRY(add_failure(it, code, &why, err));
        if (!is_over) it->buffer.n++;
    }
    *is_end = it->buffer.n == 0 || (w->drops && it->buffer.n < span);
    if (*is_end) return SL_OK;
    sl_code code = find_failure(it, err);
    for (int c = 0; c < self->dataset->n && code == SL_OK; c++) code = make_rows(&element[c], it, c, err);
    SL_TRY(shift_window(it, code == SL_OK ? err : NULL));
    return code;
}

static sl_code window_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct window_iterator *it = (const struct window_iterator *)self;
    const struct sl_element_list *b = &it->buffer;
    size_t failed = 0;
    char key[SL_STATE_KEY];
    if (self->input) SL_TRY(sl_state_put_input(state, self, NULL, err));
    else SL_TRY(sl_state_put_mark(state, self, "input_impl_empty", err));
    SL_TRY(sl_state_put_int(state, self, "buffer_size", b->n, err));
    for (int64_t i = 0; i < b->n; i++) {
        const struct failure *f = failed < it->failures.n ? &it->failures.items[failed] : NULL;
        const sl_code code = f && f->at == i ? f->outcome.code : SL_OK;
        SL_TRY(sl_state_put_int(state, self, sl_state_key(key, "buffer[%lld].code", (long long)i), code, err));
        if (code != SL_OK) {
            SL_TRY(sl_state_put_part_text(state, self, "",
                                          sl_state_key(key, "buffer[%lld].error_message", (long long)i),
                                          f->outcome.message, err));
            failed++;
            continue;
        }
        SL_TRY(sl_state_put_int(state, self, sl_state_key(key, "buffer[%lld].size", (long long)i), b->width, err));
        for (int k = 0; k < b->width; k++)
            SL_TRY(sl_state_put(state, self, sl_state_key(key, "buffer[%lld][%d]", (long long)i, k),
                                &sl_element_at(b, i)[k], err));
    }
    return SL_OK;
}

static sl_code window_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct window_iterator *it = (struct window_iterator *)self;
    struct sl_element_list *b = &it->buffer;
    char key[SL_STATE_KEY];
    int64_t n, code, size;
    if (sl_state_has(state, self, "input_impl_empty")) {
        sl_iterator_free(self->input);
        self->input = NULL;
    } else SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err));
    SL_TRY(sl_state_get_int(&n, state, self, "buffer_size", err));
    for (int64_t i = 0; i < n; i++) {
        struct sl_value *room;
        SL_TRY(sl_state_get_int(&code, state, self, sl_state_key(key, "buffer[%lld].code", (long long)i), err));
        if (code != SL_OK) {
            SL_TRY(sl_element_list_room(&room, b, err));
            if (sl_vec_reserve(&it->failures, 1)) return sl_fail_memory(err, sizeof *it->failures.items);
            struct failure *f = &it->failures.items[it->failures.n++];
            *f = (struct failure){.at = b->n++};
            SL_TRY(sl_made_element_get_error(&f->outcome, code, state, self, "",
                                             sl_state_key(key, "buffer[%lld].error_message", (long long)i), err));
            continue;
        }
        SL_TRY(sl_state_get_int(&size, state, self, sl_state_key(key, "buffer[%lld].size", (long long)i), err));
        if (size != b->width)
            return sl_fail(err, SL_INVALID_ARGUMENT, "A saved element has %lld components", (long long)size);
        SL_TRY(sl_element_list_room(&room, b, err));
        b->n++;
        for (int k = 0; k < size; k++)
            SL_TRY(sl_state_get(&room[k], state, self, sl_state_key(key, "buffer[%lld][%d]", (long long)i, k), err));
    }
    return SL_OK;
}

static void window_end(struct sl_iterator *self) {
    struct window_iterator *it = (struct window_iterator *)self;
    for (size_t i = 0; i < it->failures.n; i++) sl_free(it->failures.items[i].outcome.message);
    sl_vec_free(&it->failures);
    sl_element_list_clear(&it->buffer);
}

const struct sl_dataset_kind sl_window_data = {.name = "Window",
                                               .save = window_save,
                                               .restore = window_restore,
                                               .opens_input = true,
                                               .state_bytes = sizeof(struct window),
                                               .iterator_bytes = sizeof(struct window_iterator),
                                               .init = window_init,
                                               .clear = window_clear,
                                               .cardinality = window_cardinality,
                                               .begin = window_begin,
                                               .next = window_next,
                                               .end = window_end};
