/* Datasets that read nothing but their arguments: ranges, tensors, rows of tensors, random words. */
#include <stdio.h>

#include "base/alloc.h"
#include "data/element.h"
#include "data/element_rows.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/seeds.h"
#include "data/state.h"
#include "kernel/philox.h"

static const struct sl_shape scalar_shape = {0, NULL};

/* ---- RangeDataset: start, stop, step; computed in int64 and then cast */

struct range {
    int64_t start, stop, step;
};
struct range_iterator {
    struct sl_iterator base;
    int64_t at;
    bool is_over; /* the next one does not fit, and the range is finite: those without end go round, as TensorFlow's */
};

static sl_code range_init(struct sl_dataset *d, struct sl_error *err) {
    struct range *r = d->state;
    SL_TRY(sl_dataset_int(&r->start, d, 0, "start", err));
    SL_TRY(sl_dataset_int(&r->stop, d, 1, "stop", err));
    SL_TRY(sl_dataset_int(&r->step, d, 2, "step", err));
    if (r->step == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "step must be a non-zero integer.");
    if (d->n != 1) return sl_fail(err, SL_INVALID_ARGUMENT, "RangeDataset has one component");
    sl_dataset_set_components(d, 1, d->types, &scalar_shape);
    return SL_OK;
}

static bool is_endless(const struct range *r) { return r->stop == INT64_MAX && r->step > 0; }

static int64_t range_cardinality(const struct sl_dataset *d) {
    const struct range *r = d->state;
    if (is_endless(r)) return SL_INFINITE_CARDINALITY;
    if (r->step > 0 ? r->start >= r->stop : r->start <= r->stop) return 0;
    const uint64_t gap = r->step > 0 ? (uint64_t)r->stop - (uint64_t)r->start : (uint64_t)r->start - (uint64_t)r->stop;
    const uint64_t step = r->step > 0 ? (uint64_t)r->step : -(uint64_t)r->step;
    const uint64_t n = (gap - 1) / step + 1;
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static sl_code range_begin(struct sl_iterator *it, struct sl_error *err) {
    (void)err;
    ((struct range_iterator *)it)->at = ((const struct range *)it->dataset->state)->start;
    return SL_OK;
}

/* The number as a scalar of this type; false when the type is no number's. */
static bool cast(struct sl_value *out, int dtype, int64_t x) {
    *out = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = (uint8_t)dtype};
    switch (dtype) {
    case SL_INT64:
    case SL_UINT64: out->i64 = x; return true;
    case SL_INT32:
    case SL_UINT32: out->i32 = (int32_t)x; return true;
    case SL_INT16:
    case SL_UINT16: {
        const int16_t v = (int16_t)x;
        memcpy(out->bits, &v, sizeof v);
        return true;
    }
    case SL_INT8:
    case SL_UINT8: out->bits[0] = (unsigned char)x; return true;
    case SL_FLOAT: out->f32 = (float)x; return true;
    case SL_DOUBLE: out->f64 = (double)x; return true;
    default: out->kind = SL_VALUE_NONE; return false;
    }
}

static sl_code range_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct range_iterator *it = (struct range_iterator *)self;
    const struct range *r = self->dataset->state;
    if (it->is_over || (r->step > 0 ? it->at >= r->stop : it->at <= r->stop)) {
        *is_end = true;
        return SL_OK;
    }
    const int64_t x = it->at;
    it->is_over = __builtin_add_overflow(x, r->step, &it->at) && !is_endless(r);
    const int dtype = self->dataset->types[0];
    if (dtype == SL_INT64) {
        element[0].i64 = x;
        element[0].kind = SL_VALUE_SCALAR;
        element[0].dtype = SL_INT64;
        return SL_OK;
    }
    if (cast(&element[0], dtype, x)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Unsupported data type: %s", sl_dtype_name(dtype));
}

static int64_t range_left(const struct range_iterator *it) {
    const struct range *r = it->base.dataset->state;
    if (it->is_over || (r->step > 0 ? it->at >= r->stop : it->at <= r->stop)) return 0;
    const uint64_t gap = r->step > 0 ? (uint64_t)r->stop - (uint64_t)it->at : (uint64_t)it->at - (uint64_t)r->stop;
    const uint64_t step = r->step > 0 ? (uint64_t)r->step : -(uint64_t)r->step;
    const uint64_t n = (gap - 1) / step + 1;
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* As one vector, where numbers are what they are computed as. */
static sl_code range_next_rows(struct sl_iterator *self, struct sl_rows *rows, int64_t n, bool *is_end,
                               struct sl_error *err) {
    struct range_iterator *it = (struct range_iterator *)self;
    const struct range *r = self->dataset->state;
    const int64_t left = range_left(it), taken = left < n ? left : n;
    if (self->dataset->types[0] != SL_INT64 || (left < n && is_endless(r)) || sl_rows_are_many(self, taken))
        return sl_iterator_list_rows(self, rows, n, is_end, err);
    *is_end = left < n;
    if (taken == 0) return SL_OK;
    SL_TRY(sl_value_new(&rows->stacked[0], SL_INT64, (struct sl_shape){1, &taken}, err));
    int64_t *x = sl_value_view(&rows->stacked[0]).data;
    for (int64_t i = 0; i < taken; i++) x[i] = (int64_t)((uint64_t)it->at + (uint64_t)i * (uint64_t)r->step);
    it->is_over = __builtin_add_overflow(x[taken - 1], r->step, &it->at);
    rows->n = taken;
    rows->is_stacked = true;
    return SL_OK;
}

static sl_code range_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                             struct sl_value *element, struct sl_error *err) {
    (void)walk;
    const struct range *r = d->state;
    if (cast(&element[0], d->types[0], (int64_t)((uint64_t)r->start + (uint64_t)index * (uint64_t)r->step)))
        return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Unsupported data type: %s", sl_dtype_name(d->types[0]));
}

/* Behind the last number the state is beyond the stop. */
static sl_code range_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct range_iterator *it = (const struct range_iterator *)self;
    const struct range *r = self->dataset->state;
    SL_TRY(sl_state_put_int(state, self, "next", it->is_over ? r->stop : it->at, err));
    return sl_state_put_int(state, self, "global_shuffle_iterator_next_index", 0, err);
}

static sl_code range_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return sl_state_get_int(&((struct range_iterator *)self)->at, state, self, "next", err);
}

const struct sl_dataset_kind sl_range_data = {.name = "Range",
                                              .element = range_element,
                                              .save = range_save,
                                              .restore = range_restore,
                                              .state_bytes = sizeof(struct range),
                                              .iterator_bytes = sizeof(struct range_iterator),
                                              .init = range_init,
                                              .cardinality = range_cardinality,
                                              .begin = range_begin,
                                              .next_rows = range_next_rows,
                                              .next = range_next};

/* ---- TensorDataset, TensorSliceDataset: the arguments are the components, or their rows are */

struct count_iterator {
    struct sl_iterator base;
    int64_t at;
};

/* Types and shapes of the components are those of the arguments, without `drop` dimensions in front. */
static sl_code components_of_values(struct sl_dataset *d, int drop, struct sl_error *err) {
    if (d->n_values == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "%sDataset has no components", d->kind->name);
    uint8_t *types = sl_arena_zalloc(&d->arena, (size_t)d->n_values);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&d->arena, struct sl_shape, (size_t)d->n_values);
    if (!types || !shapes) return sl_fail_memory(err, (size_t)d->n_values * sizeof *shapes);
    for (int i = 0; i < d->n_values; i++) {
        const struct sl_view v = sl_value_view(&d->values[i]);
        types[i] = d->values[i].dtype;
        shapes[i] = (struct sl_shape){v.rank - drop, v.dims ? v.dims + drop : NULL};
    }
    sl_dataset_set_components(d, d->n_values, types, shapes);
    return SL_OK;
}

static sl_code tensor_init(struct sl_dataset *d, struct sl_error *err) { return components_of_values(d, 0, err); }
static int64_t one_element(const struct sl_dataset *d) {
    (void)d;
    return 1;
}

static sl_code tensor_next(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err) {
    (void)err;
    struct count_iterator *count = (struct count_iterator *)it;
    *is_end = count->at > 0;
    count->at = 1;
    for (int i = 0; i < it->dataset->n && !*is_end; i++) element[i] = sl_value_share(&it->dataset->values[i]);
    return SL_OK;
}

static sl_code tensor_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                              struct sl_value *element, struct sl_error *err) {
    (void)walk, (void)index, (void)err;
    for (int i = 0; i < d->n; i++) element[i] = sl_value_share(&d->values[i]);
    return SL_OK;
}

static void tensor_path_name(const struct sl_iterator *self, char *text, size_t size) {
    (void)self;
    snprintf(text, size, "FromTensor");
}

/* How many elements were given, under `key`. */
static sl_code count_save(const struct sl_iterator *self, struct sl_state *state, const char *key,
                          struct sl_error *err) {
    SL_TRY(sl_state_put_int(state, self, key, ((const struct count_iterator *)self)->at, err));
    return sl_state_put_int(state, self, "global_shuffle_iterator_next_index", 0, err);
}

static sl_code count_restore(struct sl_iterator *self, const struct sl_state *state, const char *key,
                             struct sl_error *err) {
    int64_t at;
    SL_TRY(sl_state_get_int(&at, state, self, key, err));
    if (at < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "A saved position is %lld", (long long)at);
    ((struct count_iterator *)self)->at = at;
    return SL_OK;
}

static sl_code tensor_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    SL_TRY(sl_state_put_int(state, self, "produced", ((const struct count_iterator *)self)->at > 0, err));
    return sl_state_put_int(state, self, "global_shuffle_iterator_next_index", 0, err);
}
static sl_code tensor_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return count_restore(self, state, "produced", err);
}

const struct sl_dataset_kind sl_tensor_data = {.name = "Tensor",
                                               .element = tensor_element,
                                               .path_name = tensor_path_name,
                                               .save = tensor_save,
                                               .restore = tensor_restore,
                                               .iterator_bytes = sizeof(struct count_iterator),
                                               .init = tensor_init,
                                               .cardinality = one_element,
                                               .next = tensor_next};

static sl_code slice_init(struct sl_dataset *d, struct sl_error *err) {
    for (int i = 0; i < d->n_values; i++) {
        const struct sl_view v = sl_value_view(&d->values[i]);
        if (v.rank < 1) return sl_fail(err, SL_INVALID_ARGUMENT, "All components must be at least 1-dimensional");
        if (v.dims[0] != sl_value_view(&d->values[0]).dims[0])
            return sl_fail(err, SL_INVALID_ARGUMENT, "All components must have the same size in the 0th dimension");
    }
    return components_of_values(d, 1, err);
}

static int64_t slice_cardinality(const struct sl_dataset *d) { return d->values[0].tensor->dims[0]; }

static sl_code slice_next(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err) {
    const int64_t at = ((struct count_iterator *)it)->at;
    *is_end = at >= slice_cardinality(it->dataset);
    if (*is_end) return SL_OK;
    ((struct count_iterator *)it)->at = at + 1;
    for (int i = 0; i < it->dataset->n; i++) SL_TRY(sl_element_row(&element[i], &it->dataset->values[i], at, err));
    return SL_OK;
}

/* A part of the tensors, with no copy where it is large. */
static sl_code slice_next_rows(struct sl_iterator *self, struct sl_rows *rows, int64_t n, bool *is_end,
                               struct sl_error *err) {
    struct count_iterator *it = (struct count_iterator *)self;
    const int64_t all = slice_cardinality(self->dataset), left = it->at < all ? all - it->at : 0;
    const int64_t taken = left < n ? left : n;
    *is_end = left < n;
    if (taken == 0) return SL_OK;
    for (int c = 0; c < self->dataset->n; c++)
        SL_TRY(sl_element_rows(&rows->stacked[c], &self->dataset->values[c], it->at, taken, err));
    it->at += taken;
    rows->n = taken;
    rows->is_stacked = true;
    return SL_OK;
}

static sl_code slice_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                             struct sl_value *element, struct sl_error *err) {
    (void)walk;
    for (int i = 0; i < d->n; i++) SL_TRY(sl_element_row(&element[i], &d->values[i], index, err));
    return SL_OK;
}

static sl_code slice_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    return count_save(self, state, ":index", err);
}
static sl_code slice_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return count_restore(self, state, ":index", err);
}

const struct sl_dataset_kind sl_slice_data = {.name = "TensorSlice",
                                              .element = slice_element,
                                              .save = slice_save,
                                              .restore = slice_restore,
                                              .iterator_bytes = sizeof(struct count_iterator),
                                              .init = slice_init,
                                              .cardinality = slice_cardinality,
                                              .next_rows = slice_next_rows,
                                              .next = slice_next};

/* ---- RandomDataset: seed, seed2, in the second version seed_generator; the words of the generator. With flag
 * rerandomize_each_iteration each iterator draws seeds of its own. */

struct random_source {
    int64_t seeds[2];
    struct sl_object *source; /* of seeds; NULL: all take these */
};
struct random_iterator {
    struct sl_iterator base;
    int64_t seeds[2];
    struct sl_philox_words words;
    int64_t given; /* words */
};

static sl_code random_init(struct sl_dataset *d, struct sl_error *err) {
    struct random_source *r = d->state;
    SL_TRY(sl_dataset_int(&r->seeds[0], d, 0, "seed", err));
    SL_TRY(sl_dataset_int(&r->seeds[1], d, 1, "seed2", err));
    sl_seeds_resolve(r->seeds);
    if (d->n != 1 || d->types[0] != SL_INT64)
        return sl_fail(err, SL_INVALID_ARGUMENT, "RandomDataset has one component of type int64");
    sl_dataset_set_components(d, 1, d->types, &scalar_shape);
    if (!d->spec->flag) return SL_OK;
    const struct sl_view v = d->n_values > 2 ? sl_value_view(&d->values[2]) : (struct sl_view){.rank = -1};
    struct sl_object *given = v.dtype == SL_RESOURCE && v.count == 1 ? *(struct sl_object **)v.data : NULL;
    if (!given || given->type != &sl_seed_source_type) return sl_seed_source_new(&r->source, r->seeds, true, err);
    r->source = sl_object_ref(given);
    return SL_OK;
}

static void random_clear(struct sl_dataset *d) {
    const struct random_source *r = d->state;
    if (r->source) sl_object_unref(r->source);
}

static int64_t infinite(const struct sl_dataset *d) {
    (void)d;
    return SL_INFINITE_CARDINALITY;
}

static sl_code random_begin(struct sl_iterator *it, struct sl_error *err) {
    (void)err;
    const struct random_source *r = it->dataset->state;
    int64_t *seeds = ((struct random_iterator *)it)->seeds;
    if (r->source) sl_seed_source_draw(seeds, r->source);
    else memcpy(seeds, r->seeds, sizeof r->seeds);
    ((struct random_iterator *)it)->words = sl_seeded_words(seeds, 0);
    return SL_OK;
}

/* Keys are TensorFlow's, also of a seed that an iterator draws for itself there: it draws one of one. */
static sl_code random_save(const struct sl_iterator *it, struct sl_state *state, struct sl_error *err) {
    const struct random_iterator *random = (const struct random_iterator *)it;
    const int64_t *seeds = random->seeds;
    SL_TRY(sl_state_put_int(state, it, ":epoch_num_random_samples", 1, err));
    SL_TRY(sl_state_put_int(state, it, ":num_random_samples", random->given, err));
    SL_TRY(sl_state_put_int(state, it, ":seed", seeds[0], err));
    return sl_state_put_int(state, it, ":seed2", seeds[1], err);
}

static sl_code random_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct random_iterator *it = (struct random_iterator *)self;
    int64_t *seeds = it->seeds;
    SL_TRY(sl_state_get_int(&it->given, state, self, ":num_random_samples", err));
    SL_TRY(sl_state_get_int(&seeds[0], state, self, ":seed", err));
    SL_TRY(sl_state_get_int(&seeds[1], state, self, ":seed2", err));
    it->words = sl_seeded_words(seeds, (uint64_t)it->given);
    return SL_OK;
}

static sl_code random_next(struct sl_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err) {
    (void)is_end, (void)err;
    ((struct random_iterator *)it)->given++;
    element[0] = (struct sl_value){.kind = SL_VALUE_SCALAR,
                                   .dtype = SL_INT64,
                                   .i64 = sl_philox_word(&((struct random_iterator *)it)->words)};
    return SL_OK;
}

/* As one vector; there is no end. */
static sl_code random_next_rows(struct sl_iterator *self, struct sl_rows *rows, int64_t n, bool *is_end,
                                struct sl_error *err) {
    struct random_iterator *it = (struct random_iterator *)self;
    if (sl_rows_are_many(self, n)) return sl_iterator_list_rows(self, rows, n, is_end, err);
    *is_end = false;
    SL_TRY(sl_value_new(&rows->stacked[0], SL_INT64, (struct sl_shape){1, &n}, err));
    int64_t *x = sl_value_view(&rows->stacked[0]).data;
    for (int64_t i = 0; i < n; i++) x[i] = sl_philox_word(&it->words);
    it->given += n;
    rows->n = n;
    rows->is_stacked = true;
    return SL_OK;
}

const struct sl_dataset_kind sl_random_data = {.name = "Random",
                                               .state_bytes = sizeof(struct random_source),
                                               .iterator_bytes = sizeof(struct random_iterator),
                                               .init = random_init,
                                               .clear = random_clear,
                                               .cardinality = infinite,
                                               .begin = random_begin,
                                               .save = random_save,
                                               .restore = random_restore,
                                               .next_rows = random_next_rows,
                                               .next = random_next};
