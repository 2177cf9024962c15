/* WindowDataset: size, shift, stride, drop_remainder. Window i holds elements i * shift + j * stride, j < size; it is an
 * element with a dataset for each component, whose elements are kept by the window.
 *
 *     buffer   [ e0 e1 e2 e3 ... ]   the elements of the input from the next window's first one on
 */
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"

struct window {
    int64_t size, shift, stride, drops;
    struct sl_dataset_spec **rows; /* for each component, of the datasets that windows hold */
};
struct window_iterator {
    struct sl_iterator base;
    struct sl_element_list buffer;
};

/* ---- what a window holds of one component: a list of values */

struct listed_iterator {
    struct sl_iterator base;
    int64_t at;
};

static int64_t listed_cardinality(const struct sl_dataset *d) { return d->n_values; }

static sl_code listed_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                           struct sl_error *err) {
    (void)env, (void)err;
    struct listed_iterator *it = (struct listed_iterator *)self;
    *is_end = it->at == self->dataset->n_values;
    if (!*is_end) element[0] = sl_value_share(&self->dataset->values[it->at++]);
    return SL_OK;
}

const struct sl_dataset_kind sl_listed_data = {.name = "Window",
                                               .iterator_bytes = sizeof(struct listed_iterator),
                                               .cardinality = listed_cardinality,
                                               .next = listed_next};

/* ---- windows */

static sl_code listed_spec_new(struct sl_dataset_spec **out, const struct sl_dataset *input, int c,
                               struct sl_error *err) {
    struct sl_dataset_spec *spec = sl_calloc(1, sizeof *spec);
    if (!spec) return sl_fail_memory(err, sizeof *spec);
    atomic_init(&spec->refs, 1);
    sl_arena_init(&spec->arena);
    spec->kind = &sl_listed_data;
    spec->n = 1;
    uint8_t *type = sl_arena_alloc(&spec->arena, 1);
    struct sl_shape *shape = SL_ARENA_NEW(&spec->arena, struct sl_shape);
    if (type) *type = input->types[c];
    if (shape) *shape = sl_shape_copy(&spec->arena, input->shapes[c]);
    spec->types = type;
    spec->shapes = shape;
    *out = spec;
    return type && shape && shape->rank != -2 ? SL_OK : sl_fail_memory(err, sizeof *shape);
}

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
    for (int c = 0; c < input->n; c++) SL_TRY(listed_spec_new(&w->rows[c], input, c, err));
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

static sl_code window_begin(struct sl_iterator *self, struct sl_step_env *env, struct sl_error *err) {
    (void)env, (void)err;
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
    struct sl_value *values = sl_malloc((size_t)n * sizeof *values + 1);
    struct sl_dataset *rows;
    if (!values) return sl_fail_memory(err, (size_t)n * sizeof *values);
    for (int64_t i = 0; i < n; i++) values[i] = sl_element_at(&it->buffer, i * w->stride)[c]; /* borrowed */
    sl_code code = sl_dataset_new(&rows, w->rows[c], NULL, 0, values, (int)n, err);
    sl_free(values);
    if (code == SL_OK) *out = (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT, .object = &rows->object};
    return code;
}

/* Lets the front go on to the next window. What lies beyond the buffer is passed by in the input. */
static sl_code shift_window(struct window_iterator *it, struct sl_step_env *env, struct sl_error *err) {
    const struct window *w = it->base.dataset->state;
    struct sl_element_list *b = &it->buffer;
    const int64_t n = w->shift < b->n ? w->shift : b->n;
    int64_t gone = 0;
    for (int64_t i = 0; i < n; i++) sl_element_clear(sl_element_at(b, i), b->width);
    memmove(b->values, sl_element_at(b, n), (size_t)((b->n - n) * b->width) * sizeof *b->values);
    b->n -= n;
    return w->shift > n ? sl_iterator_skip(&gone, &it->base, w->shift - n, env, err) : SL_OK;
}

static sl_code window_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                           struct sl_error *err) {
    struct window_iterator *it = (struct window_iterator *)self;
    const struct window *w = self->dataset->state;
    const int64_t span = window_span(w);
    for (bool is_over = false; it->buffer.n < span && !is_over;) {
        struct sl_value *room;
        SL_TRY(sl_element_list_room(&room, &it->buffer, err));
        SL_TRY(sl_iterator_pull(self, room, &is_over, env, err));
        if (!is_over) it->buffer.n++;
    }
    *is_end = it->buffer.n == 0 || (w->drops && it->buffer.n < span);
    for (int c = 0; c < self->dataset->n && !*is_end; c++) SL_TRY(make_rows(&element[c], it, c, err));
    return *is_end ? SL_OK : shift_window(it, env, err);
}

static void window_end(struct sl_iterator *self) { sl_element_list_clear(&((struct window_iterator *)self)->buffer); }

const struct sl_dataset_kind sl_window_data = {.name = "Window",
                                               .opens_input = true,
                                               .state_bytes = sizeof(struct window),
                                               .iterator_bytes = sizeof(struct window_iterator),
                                               .init = window_init,
                                               .clear = window_clear,
                                               .cardinality = window_cardinality,
                                               .begin = window_begin,
                                               .next = window_next,
                                               .end = window_end};
