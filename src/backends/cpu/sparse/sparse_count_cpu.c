/* How often each value stands in each row, as a sparse tensor. */
#include <inttypes.h>
#include <stdlib.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"
#include "backends/cpu/sparse/coo.h"
#include "base/alloc.h"

struct settings {
    int64_t minlength, maxlength; /* maxlength < 0: no limit */
    bool is_binary;
};

struct hit {
    int64_t row, value, entry;
};

struct counting {
    const struct settings *settings;
    struct sl_view values, weights; /* weights of no elements: each counts as one */
    struct hit *hits;
    int64_t rows; /* -1: one row, without a dim for it */
};

static sl_code settings_create(void **state, struct sl_kernel_setup *setup) {
    struct settings s;
    SL_TRY(sl_attr_int(&s.minlength, setup->attrs, "minlength", setup->err));
    SL_TRY(sl_attr_int(&s.maxlength, setup->attrs, "maxlength", setup->err));
    SL_TRY(sl_attr_bool(&s.is_binary, setup->attrs, "binary_output", setup->err));
    struct settings *kept = sl_malloc(sizeof *kept);
    if (!kept) return sl_fail_memory(setup->err, sizeof *kept);
    *kept = s;
    *state = kept;
    return SL_OK;
}

static int compare_hits(const void *left, const void *right) {
    const struct hit *a = left, *b = right;
    if (a->row != b->row) return a->row < b->row ? -1 : 1;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->entry > b->entry) - (a->entry < b->entry);
}

/* Puts the row of each value into its hit; all but the row is filled in here. */
static sl_code begin(struct counting *c, struct sl_kernel_context *k, int values, int weights) {
    *c = (struct counting){.settings = k->state, .values = sl_in(k, values), .weights = sl_in(k, weights), .rows = -1};
    if (c->weights.count && !sl_same_shape(c->weights, c->values))
        return sl_invalid(k, "Weights and values must have the same shape. Weight shape: %s; values shape: %s",
                          SHAPE_OF(c->weights), SHAPE_OF(c->values));
    for (int64_t i = 0; i < c->values.count; i++)
        if (sl_index_at(c->values, i) < 0) return sl_invalid(k, "Input values must all be non-negative");
    size_t bytes = (size_t)(c->values.count ? c->values.count : 1) * sizeof *c->hits;
    c->hits = sl_malloc(bytes);
    if (!c->hits) return sl_fail_memory(k->err, bytes);
    for (int64_t i = 0; i < c->values.count; i++)
        c->hits[i] = (struct hit){.value = sl_index_at(c->values, i), .entry = i};
    return SL_OK;
}

static bool counts(const struct counting *c, int64_t value) {
    return c->settings->maxlength < 0 || value < c->settings->maxlength;
}

/* How long the rows of the result are. */
static int64_t width_of(const struct counting *c) {
    if (c->settings->maxlength >= 0) return c->settings->maxlength;
    int64_t width = 1;
    for (int64_t i = 0; i < c->values.count; i++)
        if (c->hits[i].value >= width) width = c->hits[i].value < INT64_MAX ? c->hits[i].value + 1 : INT64_MAX;
    return width > c->settings->minlength ? width : c->settings->minlength;
}

/* Numbers the different (row, value): places[e] for the entry e, -1 when it does not count. Gives how many there
 * are; the hits of their first entries move to the front. */
static int64_t number_hits(struct counting *c, int64_t *places) {
    int64_t n = 0;
    if (c->values.count) qsort(c->hits, (size_t)c->values.count, sizeof *c->hits, compare_hits);
    for (int64_t i = 0; i < c->values.count; i++) {
        struct hit h = c->hits[i];
        bool is_new = n == 0 || c->hits[n - 1].row != h.row || c->hits[n - 1].value != h.value;
        places[h.entry] = -1;
        if (!counts(c, h.value)) continue;
        if (is_new) c->hits[n++] = h;
        places[h.entry] = n - 1;
    }
    return n;
}

static sl_code give_counts(struct counting *c, struct sl_kernel_context *k, int64_t *places) {
    struct sl_coo_out out;
    int64_t dims[2] = {c->rows, width_of(c)}, n = number_hits(c, places);
    bool has_rows = c->rows >= 0;
    SL_TRY(sl_coo_out(&out, k, 0, n, has_rows ? 2 : 1, has_rows ? dims : dims + 1));
    for (int64_t i = 0, *at = out.indices; i < n; i++) {
        if (has_rows) *at++ = c->hits[i].row;
        *at++ = c->hits[i].value;
    }
    static const float one_float = 1;
    static const double one_double = 1;
    static const int64_t one_integer = 1; /* little-endian: its first half is the int32 */
    int dtype = out.values.dtype;
    const void *one = dtype == SL_FLOAT    ? (const void *)&one_float
                      : dtype == SL_DOUBLE ? (const void *)&one_double
                                           : (const void *)&one_integer;
    bool has_weights = c->weights.count > 0;
    memset(out.values.data, 0, (size_t)n * sl_dtype_size(dtype));
    if (c->settings->is_binary)
        return sl_rows_put(dtype, out.values.data, one, places, c->values.count, 1, 1, 0, k->err);
    sl_combine_find(SL_COMBINE_ADD, dtype)(out.values.data, has_weights ? c->weights.data : one, places,
                                           c->values.count, 1, 1, has_weights);
    return SL_OK;
}

static sl_code finish(struct counting *c, struct sl_kernel_context *k, sl_code code) {
    if (code == SL_OK) {
        int64_t *places = sl_coo_scratch(c->values.count);
        code = places ? give_counts(c, k, places) : sl_fail_memory(k->err, sl_coo_bytes(c->values.count));
        if (places) sl_scratch_free(places, sl_coo_bytes(c->values.count));
    }
    sl_free(c->hits);
    return code;
}

static sl_code dense_count_run(struct sl_kernel_context *k) {
    struct counting c;
    struct sl_view values = sl_in(k, 0);
    if (values.rank < 1 || values.rank > 2)
        return sl_invalid(k, "Input must be a 1 or 2-dimensional tensor. Got: %s", SHAPE_OF(values));
    SL_TRY(begin(&c, k, 0, 1));
    if (values.rank == 2) {
        c.rows = values.dims[0];
        for (int64_t i = 0; i < values.count; i++) c.hits[i].row = i / values.dims[1];
    }
    return finish(&c, k, SL_OK);
}

static sl_code sparse_count_run(struct sl_kernel_context *k) {
    struct counting c;
    struct sl_coo t;
    SL_TRY(sl_coo_in(&t, k, 0, 1, 2));
    if (t.rank == 0) return sl_invalid(k, "The shape argument requires at least one element.");
    SL_TRY(sl_coo_check(&t, k));
    SL_TRY(begin(&c, k, 1, 3));
    if (t.rank > 1) {
        c.rows = t.dims[0];
        for (int64_t e = 0; e < t.n; e++) c.hits[e].row = sl_coo_at(&t, e)[0];
    }
    return finish(&c, k, SL_OK);
}

static sl_code ragged_count_run(struct sl_kernel_context *k) {
    struct counting c;
    struct sl_view splits = sl_in(k, 0), values = sl_in(k, 1);
    if (splits.count < 2) return sl_invalid(k, "Must provide at least 2 elements for the splits argument");
    const int64_t *ends = splits.data;
    if (ends[0]) return sl_invalid(k, "Splits must start with 0, not with %" PRId64, ends[0]);
    if (ends[splits.count - 1] != values.count)
        return sl_invalid(k, "Splits must end with the number of values, got %" PRId64 " instead of %" PRId64,
                          ends[splits.count - 1], values.count);
    SL_TRY(begin(&c, k, 1, 2));
    c.rows = splits.count - 1;
    for (int64_t i = 0, row = 0; i < values.count; i++) {
        while (row + 1 < splits.count && i >= ends[row]) row++; /* the last one ends behind all values */
        c.hits[i].row = row - 1;
    }
    return finish(&c, k, SL_OK);
}

#define COUNTED                                                                                                        \
    RULE("T", SL_SET(INT32) | SL_SET(INT64))                                                                           \
    RULE("output_type", SL_SET(INT32) | SL_SET(INT64) | SL_SET(FLOAT) | SL_SET(DOUBLE))
#define COST(op_run) .run = op_run, .create = settings_create, .destroy = sl_free, .cost_ns = 200, .cost_element = 30
/* clang-format off */
const struct sl_kernel_def sl_cpu_sparse_count_rows[] = {
    KERNEL("DenseCountSparseOutput", COUNTED, COST(dense_count_run))
    KERNEL("SparseCountSparseOutput", COUNTED, COST(sparse_count_run))
    KERNEL("RaggedCountSparseOutput", COUNTED, COST(ragged_count_run))
    SL_ROWS_END
};
/* clang-format on */
