/* SlidingWindowDataset: window_size, window_shift, window_stride. Batches of `window_size` elements, `window_stride`
 * apart; each begins `window_shift` elements behind the one before. Flag drop_remainder: short ones are left out.
 *
 *     buffer   [ e0 e1 e2 e3 ... ]   the elements of the input from the next window's first one on
 */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"

struct sliding {
    int64_t size, shift, stride, span; /* span: elements from the first to the last of a window */
};
struct sliding_iterator {
    struct sl_iterator base;
    struct sl_element_list buffer;
};

static sl_code sliding_init(struct sl_dataset *d, struct sl_error *err) {
    struct sliding *s = d->state;
    int64_t *const numbers[] = {&s->size, &s->shift, &s->stride};
    static const char *const names[] = {"Window size", "Window shift", "window_stride"};
    for (int i = 0; i < 3; i++) {
        SL_TRY(sl_dataset_int(numbers[i], d, i, names[i], err));
        if (*numbers[i] <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "%s must be greater than zero.", names[i]);
    }
    if (__builtin_mul_overflow(s->size - 1, s->stride, &s->span) || s->span == INT64_MAX) s->span = INT64_MAX;
    else s->span++;
    if (d->n == d->inputs[0]->n) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "SlidingWindowDataset declares %d components, its input has %d", d->n,
                   d->inputs[0]->n);
}

static int64_t sliding_cardinality(const struct sl_dataset *d) {
    const struct sliding *s = d->state;
    const int64_t n = sl_dataset_input_cardinality(d);
    if (n <= 0) return n;
    if (d->spec->flag) return n < s->span ? 0 : (n - s->span) / s->shift + 1;
    return (n - 1) / s->shift + 1;
}

static sl_code sliding_begin(struct sl_iterator *self, struct sl_error *err) {
    (void)err;
    ((struct sliding_iterator *)self)->buffer.width = self->dataset->n;
    return SL_OK;
}

/* Lets the front go on to the next window; what lies beyond the buffer is passed by in the input. */
static sl_code slide(struct sliding_iterator *it, struct sl_error *err) {
    struct sl_element_list *b = &it->buffer;
    const int64_t shift = ((const struct sliding *)it->base.dataset->state)->shift, n = shift < b->n ? shift : b->n;
    int64_t gone;
    for (int64_t i = 0; i < n; i++) sl_element_clear(sl_element_at(b, i), b->width);
    memmove(b->values, sl_element_at(b, n), (size_t)((b->n - n) * b->width) * sizeof *b->values);
    b->n -= n;
    return shift > n ? sl_iterator_skip(&gone, &it->base, shift - n, err) : SL_OK;
}

/* The window at the front, its elements borrowed from the buffer. */
static sl_code stack_window(struct sl_value *element, const struct sliding_iterator *it, struct sl_error *err) {
    const struct sliding *s = it->base.dataset->state;
    const struct sl_element_list *b = &it->buffer;
    int64_t n = (b->n - 1) / s->stride + 1;
    if (n > s->size) n = s->size;
    struct sl_element_list window = {.n = n, .width = b->width};
    window.values = sl_malloc((size_t)(n * b->width) * sizeof *window.values);
    if (!window.values) return sl_fail_memory(err, (size_t)(n * b->width) * sizeof *window.values);
    for (int64_t i = 0; i < n; i++)
        memcpy(sl_element_at(&window, i), sl_element_at(b, i * s->stride), (size_t)b->width * sizeof *window.values);
    sl_code code = SL_OK;
    for (int c = 0; c < b->width && code == SL_OK; c++) code = sl_element_stack(&element[c], &window, c, err);
    sl_free(window.values);
    return code;
}

static sl_code sliding_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct sliding_iterator *it = (struct sliding_iterator *)self;
    const struct sliding *s = self->dataset->state;
    for (bool is_over = false; it->buffer.n < s->span && !is_over;) {
        struct sl_value *room;
        SL_TRY(sl_iterator_gather(&room, self, &it->buffer, err));
        SL_TRY(sl_iterator_pull(self, room, &is_over, err));
        if (!is_over) it->buffer.n++;
    }
    *is_end = it->buffer.n == 0 || (self->dataset->spec->flag && it->buffer.n < s->span);
    if (*is_end) return SL_OK;
    sl_code code = stack_window(element, it, err);
    SL_TRY(slide(it, code == SL_OK ? err : NULL));
    return code;
}

static const char *buffer_part(char part[SL_STATE_KEY], int64_t i) {
    return sl_state_key(part, "::buffer[%lld]", (long long)i);
}

static sl_code sliding_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct sl_element_list *b = &((const struct sliding_iterator *)self)->buffer;
    char part[SL_STATE_KEY];
    SL_TRY(sl_state_put_input(state, self, "input_impl_empty", err));
    SL_TRY(sl_state_put_int(state, self, "buffer_size", b->n, err));
    for (int64_t i = 0; i < b->n; i++)
        SL_TRY(sl_state_put_element(state, self, buffer_part(part, i), sl_element_at(b, i), b->width, err));
    return SL_OK;
}

static sl_code sliding_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct sl_element_list *b = &((struct sliding_iterator *)self)->buffer;
    char part[SL_STATE_KEY];
    int64_t n;
    SL_TRY(sl_state_get_input(state, self, SL_ONLY_INPUT, "input_impl_empty", err));
    SL_TRY(sl_state_get_int(&n, state, self, "buffer_size", err));
    for (int64_t i = 0; i < n; i++) {
        struct sl_value *room;
        bool is_there;
        SL_TRY(sl_element_list_room(&room, b, err));
        SL_TRY(sl_state_get_element(room, &is_there, b->width, state, self, buffer_part(part, i), err));
        if (!is_there) return sl_fail(err, SL_INVALID_ARGUMENT, "A saved element of a window has no components");
        b->n++;
    }
    return SL_OK;
}

static void sliding_end(struct sl_iterator *self) { sl_element_list_clear(&((struct sliding_iterator *)self)->buffer); }

const struct sl_dataset_kind sl_sliding_data = {.name = "SlidingWindow",
                                                .opens_input = true,
                                                .state_bytes = sizeof(struct sliding),
                                                .iterator_bytes = sizeof(struct sliding_iterator),
                                                .init = sliding_init,
                                                .cardinality = sliding_cardinality,
                                                .begin = sliding_begin,
                                                .next = sliding_next,
                                                .end = sliding_end,
                                                .save = sliding_save,
                                                .restore = sliding_restore};
