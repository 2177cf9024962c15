/* Datasets that cut batches anew. */
#include <inttypes.h>

#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"
#include "kernel/slices.h"

/* Rows `from` to `to` of each component, as components. */
static sl_code cut_rows(struct sl_value *out, const struct sl_value *whole, int64_t from, int64_t to,
                        struct sl_error *err) {
    int64_t dims[SL_MAX_RANK];
    struct sl_tensor *t = whole->tensor; /* rank 1 or more: no other form */
    for (int i = 0; i < t->rank; i++) dims[i] = t->dims[i];
    dims[0] = to - from;
    const int64_t each = t->dims[0] ? t->count / t->dims[0] : 0;
    return sl_slice_take(out, t, from * each, (struct sl_shape){t->rank, dims}, err);
}

/* How many rows the components have: all the same number. */
static sl_code count_rows(int64_t *n, const struct sl_value *element, int width, struct sl_error *err) {
    for (int c = 0; c < width; c++) {
        const struct sl_view v = sl_value_view(&element[c]);
        if (v.rank < 1)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot rebatch dataset: All components must be at least rank 1.");
        if (c && v.dims[0] != *n)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Cannot rebatch dataset: All components must have the same batch size: %" PRId64
                           " and %" PRId64,
                           *n, v.dims[0]);
        *n = v.dims[0];
    }
    return SL_OK;
}

struct rebatch {
    const int64_t *sizes; /* of the batches, by turns */
    int64_t n_sizes, drops;
};
struct rebatch_iterator {
    struct sl_iterator base;
    struct sl_value *batch;       /* of the input: rows from `offset` on are left */
    struct sl_element_list parts; /* of a batch that goes over several of the input */
    int64_t offset, rows, index;  /* offset -1: there is no batch */
};

static sl_code rebatch_begin(struct sl_iterator *self, struct sl_error *err) {
    struct rebatch_iterator *it = (struct rebatch_iterator *)self;
    it->offset = -1;
    it->parts.width = self->dataset->n;
    return sl_element_new(&it->batch, self->dataset->n, err);
}

static void drop_batch(struct rebatch_iterator *it) {
    sl_element_clear(it->batch, it->base.dataset->n);
    it->offset = -1;
}

static void rebatch_end(struct sl_iterator *self) {
    struct rebatch_iterator *it = (struct rebatch_iterator *)self;
    if (it->batch) drop_batch(it);
    sl_free(it->batch);
    sl_element_list_clear(&it->parts);
}

static sl_code next_batch(struct rebatch_iterator *it, bool *is_end, struct sl_error *err) {
    SL_TRY(sl_iterator_pull(&it->base, it->batch, is_end, err));
    if (*is_end) return SL_OK;
    it->offset = it->rows = 0;
    sl_code code = count_rows(&it->rows, it->batch, it->base.dataset->n, err);
    if (code != SL_OK) drop_batch(it);
    return code;
}

static sl_code save_batch(const struct rebatch_iterator *it, struct sl_state *state, struct sl_error *err) {
    char key[SL_STATE_KEY];
    for (int c = 0; c < it->base.dataset->n; c++)
        SL_TRY(sl_state_put(state, &it->base, sl_state_key(key, ":tensors[%d]", c), &it->batch[c], err));
    return SL_OK;
}

/* The batch, of which `offset` rows are gone. */
static sl_code restore_batch(struct rebatch_iterator *it, int64_t offset, const struct sl_state *state,
                             struct sl_error *err) {
    char key[SL_STATE_KEY];
    it->offset = offset;
    for (int c = 0; c < it->base.dataset->n; c++)
        SL_TRY(sl_state_get(&it->batch[c], state, &it->base, sl_state_key(key, ":tensors[%d]", c), err));
    SL_TRY(count_rows(&it->rows, it->batch, it->base.dataset->n, err));
    if (offset >= 0 && offset <= it->rows) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state is at row %" PRId64 " of %" PRId64, offset, it->rows);
}

/* ---- RebatchDatasetV2: batch_sizes, drop_remainder */

static sl_code resize_init(struct sl_dataset *d, struct sl_error *err) {
    struct rebatch *s = d->state;
    const struct sl_view v = sl_value_on_host(&d->values[0]);
    if (v.dtype != SL_INT64 || v.rank > 1 || v.count == 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "`batch_sizes` must be a scalar or a vector.");
    int64_t *sizes = SL_ARENA_ARRAY(&d->arena, int64_t, (size_t)v.count);
    if (!sizes) return sl_fail_memory(err, (size_t)v.count * sizeof *sizes);
    for (int64_t i = 0; i < v.count; i++) {
        sizes[i] = ((const int64_t *)v.data)[i];
        if (sizes[i] < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "`batch_sizes` must not be negative.");
    }
    s->sizes = sizes;
    s->n_sizes = v.count;
    return sl_dataset_int(&s->drops, d, 1, "drop_remainder", err);
}

/* The rows of `parts`, one below the other, as the element. */
static sl_code join_parts(struct sl_value *element, const struct rebatch_iterator *it, struct sl_error *err) {
    const int n = it->base.dataset->n;
    for (int c = 0; c < n; c++) {
        if (it->parts.n == 1) element[c] = sl_value_share(&sl_element_at(&it->parts, 0)[c]);
        else SL_TRY(sl_element_join(&element[c], &it->parts, c, err));
    }
    return SL_OK;
}

/* Takes up to `left` rows of the batch into the list of parts. */
static sl_code take_part(int64_t *left, struct rebatch_iterator *it, struct sl_error *err) {
    const int64_t have = it->rows - it->offset, n = have < *left ? have : *left;
    struct sl_value *room;
    SL_TRY(sl_iterator_gather(&room, &it->base, &it->parts, err));
    for (int c = 0; c < it->base.dataset->n; c++) {
        sl_code code = cut_rows(&room[c], &it->batch[c], it->offset, it->offset + n, err);
        if (code != SL_OK) {
            sl_element_clear(room, c);
            return code;
        }
    }
    it->parts.n++;
    it->offset += n;
    *left -= n;
    if (it->offset == it->rows) drop_batch(it);
    return SL_OK;
}

/* A batch of no rows, for which nothing is read: dims that are not declared are 0. */
static sl_code empty_batch(struct sl_value *element, const struct sl_dataset *d, struct sl_error *err) {
    for (int c = 0; c < d->n; c++) {
        int64_t dims[SL_MAX_RANK] = {0};
        const struct sl_shape s = d->shapes[c];
        for (int i = 1; i < s.rank; i++) dims[i] = s.dims[i] < 0 ? 0 : s.dims[i];
        SL_TRY(sl_value_zero(&element[c], d->types[c], (struct sl_shape){s.rank < 1 ? 1 : s.rank, dims}, err));
    }
    return SL_OK;
}

static sl_code resize_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct rebatch_iterator *it = (struct rebatch_iterator *)self;
    const struct rebatch *s = self->dataset->state;
    int64_t left = s->sizes[it->index];
    bool is_over = false;
    sl_code code = SL_OK;
    if (left == 0) { /* also behind the last row */
        it->index = (it->index + 1) % s->n_sizes;
        return empty_batch(element, self->dataset, err);
    }
    while (left > 0 && !is_over && code == SL_OK) {
        if (it->offset < 0) code = next_batch(it, &is_over, err);
        if (it->offset >= 0 && it->rows == 0) drop_batch(it);
        if (it->offset >= 0 && code == SL_OK) code = take_part(&left, it, err);
    }
    *is_end = code == SL_OK && (it->parts.n == 0 || (left > 0 && s->drops));
    if (code == SL_OK && !*is_end) {
        if (left == 0) it->index = (it->index + 1) % s->n_sizes; /* a batch cut short is the last one */
        code = join_parts(element, it, err);
    }
    sl_element_list_clear(&it->parts);
    return code;
}

static sl_code resize_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct rebatch_iterator *it = (const struct rebatch_iterator *)self;
    if (self->input) SL_TRY(sl_state_put_input(state, self, NULL, err));
    else SL_TRY(sl_state_put_int(state, self, ":input_impl_empty", 1, err));
    SL_TRY(sl_state_put_int(state, self, ":batch_sizes_index", it->index, err));
    SL_TRY(sl_state_put_int(state, self, ":offset", it->offset, err));
    return it->offset < 0 ? SL_OK : save_batch(it, state, err);
}

static sl_code restore_input(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    return sl_state_get_input(state, self, SL_ONLY_INPUT,
                              sl_state_has(state, self, ":input_impl_empty") ? ":input_impl_empty" : NULL, err);
}

static sl_code resize_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct rebatch_iterator *it = (struct rebatch_iterator *)self;
    int64_t offset;
    SL_TRY(restore_input(self, state, err));
    SL_TRY(sl_state_get_int(&it->index, state, self, ":batch_sizes_index", err));
    SL_TRY(sl_state_get_int(&offset, state, self, ":offset", err));
    if (it->index < 0 || it->index >= ((const struct rebatch *)self->dataset->state)->n_sizes)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state has the batch size of number %" PRId64, it->index);
    return offset < 0 ? SL_OK : restore_batch(it, offset, state, err);
}

#define CUTS                                                                                                           \
    .opens_input = true, .iterator_bytes = sizeof(struct rebatch_iterator), .begin = rebatch_begin, .end = rebatch_end
const struct sl_dataset_kind sl_rebatch_data = {.name = "RebatchV2",
                                                .state_bytes = sizeof(struct rebatch),
                                                .init = resize_init,
                                                .next = resize_next,
                                                .save = resize_save,
                                                .restore = resize_restore,
                                                CUTS};

/* ---- RebatchDataset: num_replicas; each batch in so many parts, the last ones smaller and maybe empty */

static sl_code replicas_init(struct sl_dataset *d, struct sl_error *err) {
    int64_t *replicas = d->state;
    SL_TRY(sl_dataset_int(replicas, d, 0, "num_replicas", err));
    return *replicas > 0 ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "num_replicas must be greater than zero.");
}

static sl_code replicas_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct rebatch_iterator *it = (struct rebatch_iterator *)self;
    const int64_t replicas = *(const int64_t *)self->dataset->state;
    if (it->offset < 0) {
        SL_TRY(next_batch(it, is_end, err));
        if (*is_end) return SL_OK;
        it->index = 0;
    }
    const int64_t each = it->rows / replicas + (it->rows % replicas != 0);
    const int64_t end = it->offset + each < it->rows ? it->offset + each : it->rows;
    for (int c = 0; c < self->dataset->n; c++) SL_TRY(cut_rows(&element[c], &it->batch[c], it->offset, end, err));
    it->offset = end;
    if (++it->index == replicas) {
        it->index = 0;
        drop_batch(it);
    }
    return SL_OK;
}

static sl_code replicas_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct rebatch_iterator *it = (const struct rebatch_iterator *)self;
    if (self->input) SL_TRY(sl_state_put_input(state, self, NULL, err));
    else SL_TRY(sl_state_put_int(state, self, ":input_impl_empty", 1, err));
    SL_TRY(sl_state_put_int(state, self, ":slice_number", it->index, err));
    return it->index == 0 ? SL_OK : save_batch(it, state, err);
}

static sl_code replicas_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct rebatch_iterator *it = (struct rebatch_iterator *)self;
    const int64_t replicas = *(const int64_t *)self->dataset->state;
    SL_TRY(restore_input(self, state, err));
    SL_TRY(sl_state_get_int(&it->index, state, self, ":slice_number", err));
    if (it->index < 0 || it->index >= replicas)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state is at part %" PRId64 " of %" PRId64, it->index,
                       replicas);
    if (it->index == 0) return SL_OK;
    SL_TRY(restore_batch(it, 0, state, err));
    const int64_t each = it->rows / replicas + (it->rows % replicas != 0);
    it->offset = each && it->index > it->rows / each ? it->rows : each * it->index;
    return SL_OK;
}

const struct sl_dataset_kind sl_rebatch_replicas_data = {.name = "Rebatch",
                                                         .state_bytes = sizeof(int64_t),
                                                         .init = replicas_init,
                                                         .next = replicas_next,
                                                         .save = replicas_save,
                                                         .restore = replicas_restore,
                                                         CUTS};
