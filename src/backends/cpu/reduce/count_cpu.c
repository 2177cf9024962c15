/* Counting values into bins. A stretch of values becomes numbers of bins, then each bin gets its weight added (or, for
 * binary_output, set to one). */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/number.h"
#include "backends/cpu/scatter/rows.h"

/* ---- Bincount and its kin */

struct count {
    struct sl_view values, weights, bins; /* weights of no elements: each counts as one */
    int64_t size;
    bool is_binary;
};

enum { STRETCH_NS = 4 * SL_INDICES };

/* Counts values [begin, begin + n), n at most SL_INDICES; value i goes to bins of row rows[i] (NULL: all to row 0).
 * Values of `size` and more are passed over. */
__attribute__((noinline)) static void count_stretch(const struct count *c, struct sl_error *err, int64_t begin,
                                                    int64_t n, const int64_t *rows) {
    int64_t bins[SL_INDICES];
    int dtype = c->bins.dtype;
    const void *one = sl_one(dtype);
    sl_indices_load(bins, c->values, begin, n);
    for (int64_t i = 0; i < n; i++)
        bins[i] = bins[i] < 0 || bins[i] >= c->size ? -1 : bins[i] + (rows ? rows[i] * c->size : 0);
    bool has_weights = c->weights.count > 0;
    const void *from = has_weights ? sl_element(c->weights.data, dtype, begin) : one;
    if (c->is_binary) (void)sl_rows_put(dtype, c->bins.data, one, bins, n, 1, 1, 0, err);
    else sl_combine_find(SL_COMBINE_ADD, dtype)(c->bins.data, from, bins, n, 1, 1, has_weights);
}

static sl_code check_values(struct sl_kernel_context *k, struct sl_view values, const char *message) {
    int64_t some[SL_INDICES], all = 0;
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < values.count && !sl_pace_ends(&pace, SL_INDICES); i += SL_INDICES) {
        int64_t n = values.count - i < SL_INDICES ? values.count - i : SL_INDICES;
        sl_indices_load(some, values, i, n);
        for (int64_t e = 0; e < n; e++) all |= some[e];
    }
    return all < 0 ? sl_invalid(k, "%s", message) : SL_OK;
}

/* ---- counting ones into one row of bins */

/* Bins of a block's own: several of each, so that equal values do not wait for one another, and one for values
 * without a bin. */
enum { TURNS = 4, MOST_OWN_BINS = 1 << 14, BLOCK = 1 << 17 };

struct ones {
    const struct count *c;
    _Atomic int64_t *totals;
    atomic_bool has_negative, is_out_of_memory;
};

/* Counts into to[TURNS][size + 1]; gives the bits of all values together. */
#define COUNT_OWN(type)                                                                                                \
    static type count_##type(uint32_t *restrict to, const type *restrict from, int64_t n, u##type size) {              \
        uint32_t *restrict a = to, *restrict b = a + size + 1, *restrict c = b + size + 1, *restrict d = c + size + 1; \
        type all = 0;                                                                                                  \
        int64_t i = 0;                                                                                                 \
        for (; i + TURNS <= n; i += TURNS) {                                                                           \
            u##type e = (u##type)from[i], f = (u##type)from[i + 1], g = (u##type)from[i + 2],                          \
                    h = (u##type)from[i + 3];                                                                          \
            all |= (type)(e | f | g | h);                                                                              \
            a[e < size ? e : size]++;                                                                                  \
            b[f < size ? f : size]++;                                                                                  \
            c[g < size ? g : size]++;                                                                                  \
            d[h < size ? h : size]++;                                                                                  \
        }                                                                                                              \
        for (; i < n; i++) {                                                                                           \
            all |= from[i];                                                                                            \
            a[(u##type)from[i] < size ? (u##type)from[i] : size]++;                                                    \
        }                                                                                                              \
        return all;                                                                                                    \
    }
COUNT_OWN(int32_t)
COUNT_OWN(int64_t)

static void count_blocks(void *arg, int64_t begin, int64_t end) {
    struct ones *o = arg;
    const struct sl_view values = o->c->values;
    const uint64_t size = (uint64_t)o->c->size;
    const size_t bytes = TURNS * (size + 1) * sizeof(uint32_t);
    uint32_t *own = sl_scratch_new(bytes);
    if (!own) {
        atomic_store(&o->is_out_of_memory, true);
        return;
    }
    for (int64_t block = begin; block < end; block++) {
        const int64_t at = block * BLOCK, n = values.count - at < BLOCK ? values.count - at : BLOCK;
        memset(own, 0, bytes);
        int64_t all = values.dtype == SL_INT32
                          ? count_int32_t(own, (const int32_t *)values.data + at, n, (uint32_t)size)
                          : count_int64_t(own, (const int64_t *)values.data + at, n, size);
        if (all < 0) atomic_store(&o->has_negative, true);
        for (uint64_t i = 0; i < size; i++) {
            int64_t sum = 0;
            for (uint64_t t = 0; t < TURNS; t++) sum += own[t * (size + 1) + i];
            if (sum) atomic_fetch_add_explicit(&o->totals[i], sum, memory_order_relaxed);
        }
    }
    sl_scratch_free(own, bytes);
}

#define STORE_TOTALS(type)                                                                                             \
    for (int64_t i = 0; i < c->size; i++) ((type *)c->bins.data)[i] = (type)atomic_load(&o.totals[i])

/* Few bins: each block of values is counted by itself. */
static sl_code count_ones_apart(const struct count *c, struct sl_kernel_context *k, const char *message) {
    const size_t bytes = (size_t)(c->size + 1) * sizeof(int64_t);
    struct ones o = {.c = c, .totals = sl_scratch_new(bytes)};
    if (!o.totals) return sl_fail_memory(k->err, bytes);
    memset((void *)o.totals, 0, bytes);
    sl_kernel_split(k, (c->values.count + BLOCK - 1) / BLOCK, 0.7 * BLOCK, count_blocks, &o);
    switch (c->bins.dtype) {
    case SL_FLOAT: STORE_TOTALS(float); break;
    case SL_DOUBLE: STORE_TOTALS(double); break;
    case SL_INT32: STORE_TOTALS(int32_t); break;
    default: STORE_TOTALS(int64_t); break;
    }
    sl_scratch_free((void *)o.totals, bytes);
    if (atomic_load(&o.is_out_of_memory)) return sl_fail_memory(k->err, bytes);
    return atomic_load(&o.has_negative) ? sl_invalid(k, "%s", message) : SL_OK;
}

/* ---- each row of a matrix into a row of bins, each value as one */
struct rows_of_ones {
    const struct count *c;
    int64_t columns;
    atomic_bool has_negative;
};
#define COUNT_ROW(value, bin)                                                                                          \
    do {                                                                                                               \
        const value *restrict from = (const value *)c->values.data + row * o->columns;                                 \
        bin *restrict to = (bin *)c->bins.data + row * c->size;                                                        \
        for (int64_t i = 0; i < o->columns; i++) {                                                                     \
            all |= from[i];                                                                                            \
            if (from[i] >= 0 && from[i] < c->size) to[from[i]] += 1;                                                   \
        }                                                                                                              \
    } while (0)
#define COUNT_ROW_OF(value)                                                                                            \
    switch (c->bins.dtype) {                                                                                           \
    case SL_FLOAT: COUNT_ROW(value, float); break;                                                                     \
    case SL_DOUBLE: COUNT_ROW(value, double); break;                                                                   \
    case SL_INT32: COUNT_ROW(value, int32_t); break;                                                                   \
    default: COUNT_ROW(value, int64_t); break;                                                                         \
    }
static void count_rows(void *arg, int64_t begin, int64_t end) {
    struct rows_of_ones *o = arg;
    const struct count *c = o->c;
    int64_t all = 0;
    for (int64_t row = begin; row < end; row++)
        if (c->values.dtype == SL_INT32) COUNT_ROW_OF(int32_t)
        else COUNT_ROW_OF(int64_t)
    if (all < 0) atomic_store(&o->has_negative, true);
}

/* Counts all values into one row of bins, each as one. */
static sl_code count_ones(const struct count *c, struct sl_kernel_context *k, const char *message) {
    if (c->size <= MOST_OWN_BINS && c->size * TURNS <= c->values.count) return count_ones_apart(c, k, message);
    struct rows_of_ones o = {.c = c, .columns = c->values.count};
    count_rows(&o, 0, 1);
    return atomic_load(&o.has_negative) ? sl_invalid(k, "%s", message) : SL_OK;
}

/* Reads the number of bins, and makes `rows` times as many (rows < 0: one row without a dim for it). */
static sl_code read_size(struct count *c, struct sl_kernel_context *k, int at) {
    struct sl_view size = sl_in(k, at);
    if (size.rank) return sl_invalid(k, "Shape must be rank 0 but is rank %d", size.rank);
    c->size = sl_index_at(size, 0);
    if (c->size < 0) return sl_invalid(k, "size (%" PRId64 ") must be non-negative", c->size);
    return SL_OK;
}
static sl_code new_bins(struct count *c, struct sl_kernel_context *k, int64_t rows) {
    int64_t dims[2] = {rows, c->size};
    SL_TRY(sl_out_new(&c->bins, k, 0, rows < 0 ? (struct sl_shape){1, dims + 1} : (struct sl_shape){2, dims}));
    sl_move_zero(k, c->bins);
    return SL_OK;
}

static sl_code bincount_run(struct sl_kernel_context *k) {
    struct count c = {.values = sl_in(k, 0), .weights = sl_in(k, 2)};
    SL_TRY(read_size(&c, k, 1));
    if (c.weights.count && c.values.count != c.weights.count)
        return sl_invalid(k, "Input indices and weights must have the same size.");
    static const char negative[] = "Input arr must be non-negative!";
    SL_TRY(new_bins(&c, k, -1));
    if (!c.weights.count) return count_ones(&c, k, negative);
    SL_TRY(check_values(k, c.values, negative));
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < c.values.count && !sl_pace_ends(&pace, STRETCH_NS); i += SL_INDICES)
        count_stretch(&c, k->err, i, c.values.count - i < SL_INDICES ? c.values.count - i : SL_INDICES, NULL);
    return SL_OK;
}

static sl_code binary_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "binary_output");
}

/* A vector (or scalar) into one row of bins, a matrix into one for each of its rows. */
static sl_code dense_bincount_run(struct sl_kernel_context *k) {
    struct count c = {.values = sl_in(k, 0), .weights = sl_in(k, 2), .is_binary = sl_state_number(k)};
    int64_t row_of[SL_INDICES], columns = c.values.rank == 2 ? c.values.dims[1] : 0;
    SL_TRY(read_size(&c, k, 1));
    if (c.values.rank > 2) return sl_invalid(k, "Shape must be at most rank 2 but is rank %d", c.values.rank);
    if (c.weights.count && !sl_same_shape(c.values, c.weights))
        return sl_invalid(k,
                          "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it acts as "
                          "all weights equal to 1. Received %s",
                          SHAPE_OF(c.weights));
    static const char negative[] = "Input arr must be non-negative!";
    SL_TRY(new_bins(&c, k, c.values.rank == 2 ? c.values.dims[0] : -1));
    if (!c.weights.count && !columns && !c.is_binary) return count_ones(&c, k, negative);
    if (!c.weights.count && columns && !c.is_binary) {
        struct rows_of_ones o = {.c = &c, .columns = columns};
        sl_kernel_split(k, c.values.dims[0], 2 * (double)columns, count_rows, &o);
        return atomic_load(&o.has_negative) ? sl_invalid(k, "%s", negative) : SL_OK;
    }
    SL_TRY(check_values(k, c.values, negative));
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0, row = 0, column = 0; i < c.values.count && !sl_pace_ends(&pace, STRETCH_NS); i += SL_INDICES) {
        int64_t n = c.values.count - i < SL_INDICES ? c.values.count - i : SL_INDICES;
        for (int64_t j = 0; j < n && columns; j++) {
            row_of[j] = row;
            if (++column == columns) column = 0, row++;
        }
        count_stretch(&c, k->err, i, n, columns ? row_of : NULL);
    }
    return SL_OK;
}

/* Weights are none, or one for each value; more count as nothing unless `exactly`. Binary counts do not look at
 * them. */
static sl_code check_weights(struct sl_kernel_context *k, const struct count *c, bool exactly) {
    int64_t more = c->weights.count - c->values.count;
    if (c->is_binary || !c->weights.count || more == 0 || (more > 0 && !exactly)) return SL_OK;
    return sl_invalid(k, "Weights must have the same number of elements as values: %s", SHAPE_OF(c->weights));
}

/* Row r has the values [splits[r], splits[r + 1]). */
static sl_code ragged_bincount_run(struct sl_kernel_context *k) {
    struct sl_view splits_in = sl_in(k, 0);
    struct count c = {.values = sl_in(k, 1), .weights = sl_in(k, 3), .is_binary = sl_state_number(k)};
    const int64_t *splits = splits_in.data;
    int64_t row_of[SL_INDICES], rows = splits_in.count - 1;
    SL_TRY(read_size(&c, k, 2));
    if (rows < 0) return sl_invalid(k, "Splits must be non-empty");
    if (splits[0] != 0) return sl_invalid(k, "Splits must start with 0, not with %" PRId64, splits[0]);
    if (splits[rows] != c.values.count)
        return sl_invalid(k, "Splits must end with the number of values, got %" PRId64 " instead of %" PRId64,
                          splits[rows], c.values.count);
    SL_TRY(check_weights(k, &c, false));
    for (int64_t r = 0; r < rows; r++)
        if (splits[r] > splits[r + 1]) return sl_invalid(k, "Splits must not decrease");
    SL_TRY(check_values(k, c.values, "Input must be non-negative"));
    SL_TRY(new_bins(&c, k, rows));
    for (int64_t i = 0, row = 0; i < c.values.count; i += SL_INDICES) {
        int64_t n = c.values.count - i < SL_INDICES ? c.values.count - i : SL_INDICES;
        for (int64_t j = 0; j < n; j++) {
            while (i + j >= splits[row + 1]) row++;
            row_of[j] = row;
        }
        count_stretch(&c, k->err, i, n, row_of);
    }
    return SL_OK;
}

static sl_code check_sparse(struct sl_kernel_context *k, struct sl_view indices, struct sl_view values,
                            struct sl_view shape) {
    if (indices.rank != 2)
        return sl_invalid(k, "Input indices must be a 2-dimensional tensor. Got: %s", SHAPE_OF(indices));
    if (values.rank != 1) return sl_invalid(k, "Input values must be a vector. Got: %s", SHAPE_OF(values));
    if (shape.rank != 1) return sl_invalid(k, "Input dense shape must be a vector. Got: %s", SHAPE_OF(shape));
    if (indices.dims[0] != values.count)
        return sl_invalid(k, "Number of elements in indices (%" PRId64 ") and values (%" PRId64 ") do not match",
                          indices.dims[0], values.count);
    if (indices.dims[1] != shape.count)
        return sl_invalid(k, "Index rank (%" PRId64 ") and shape rank (%" PRId64 ") do not match", indices.dims[1],
                          shape.count);
    for (int64_t i = 0; i < indices.count; i++) {
        int64_t at = sl_index_at(indices, i), row = i / shape.count;
        if (at < 0 || at >= sl_index_at(shape, i % shape.count))
            return sl_invalid(k, "Sparse index tuple indices[%" PRId64 ", :] is out of bounds", row);
    }
    return SL_OK;
}

static sl_code sparse_bincount_run(struct sl_kernel_context *k) {
    struct sl_view indices = sl_in(k, 0), shape = sl_in(k, 2);
    struct count c = {.values = sl_in(k, 1), .weights = sl_in(k, 4), .is_binary = sl_state_number(k)};
    int64_t row_of[SL_INDICES];
    SL_TRY(read_size(&c, k, 3));
    SL_TRY(check_sparse(k, indices, c.values, shape));
    bool has_rows = shape.count > 1;
    SL_TRY(check_weights(k, &c, !has_rows));
    if (!has_rows) SL_TRY(check_values(k, c.values, "Input must be non-negative"));
    SL_TRY(new_bins(&c, k, has_rows ? sl_index_at(shape, 0) : -1));
    for (int64_t i = 0; i < c.values.count; i += SL_INDICES) {
        int64_t n = c.values.count - i < SL_INDICES ? c.values.count - i : SL_INDICES;
        for (int64_t j = 0; j < n && has_rows; j++) row_of[j] = sl_index_at(indices, (i + j) * shape.count);
        count_stretch(&c, k->err, i, n, has_rows ? row_of : NULL);
    }
    return SL_OK;
}

/* ---- HistogramFixedWidth: values below the range fall in the first bin, those above in the last */

#define BIN_OF(type, wide)                                                                                             \
    do {                                                                                                               \
        const type low = ((const type *)range.data)[0], high = ((const type *)range.data)[1];                          \
        const double step = (double)((wide)high - (wide)low) / (double)bins;                                           \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            const type x = ((const type *)values.data)[begin + i];                                                     \
            if (x != x) return false;                                                                                  \
            const double at = x > low ? (double)((wide)x - (wide)low) / step : 0;                                      \
            to[i] = at < (double)(bins - 1) ? (int64_t)at : bins - 1;                                                  \
        }                                                                                                              \
    } while (0)

/* False when there is a NaN. */
static bool bins_of(int64_t *to, struct sl_view values, struct sl_view range, int64_t bins, int64_t begin, int64_t n) {
    switch (values.dtype) {
    case SL_FLOAT: BIN_OF(float, float); break;
    case SL_DOUBLE: BIN_OF(double, double); break;
    case SL_INT32: BIN_OF(int32_t, double); break;
    default: BIN_OF(int64_t, double); break;
    }
    return true;
}

static bool is_range(struct sl_view range) {
    switch (range.dtype) {
    case SL_FLOAT: return ((const float *)range.data)[0] < ((const float *)range.data)[1];
    case SL_DOUBLE: return ((const double *)range.data)[0] < ((const double *)range.data)[1];
    default: return sl_index_at(range, 0) < sl_index_at(range, 1);
    }
}

/* Blocks of values are counted apart where bins are few, and added: whole numbers have no order. */
enum { HISTOGRAM_BLOCK = 1 << 14, MOST_BLOCK_BINS = 1 << 12 };
struct histogram {
    struct sl_view values, range;
    int64_t bins;
    _Atomic int64_t *totals;
    atomic_bool has_nan;
};
static void count_in_bins(void *arg, int64_t begin, int64_t end) {
    struct histogram *h = arg;
    uint32_t own[MOST_BLOCK_BINS];
    int64_t at[SL_INDICES];
    const bool is_few = h->bins <= MOST_BLOCK_BINS;
    for (int64_t block = begin; block < end; block++) {
        const int64_t first = block * HISTOGRAM_BLOCK, left = h->values.count - first;
        const int64_t last = first + (left < HISTOGRAM_BLOCK ? left : HISTOGRAM_BLOCK);
        if (is_few) memset(own, 0, (size_t)h->bins * sizeof *own);
        for (int64_t i = first; i < last; i += SL_INDICES) {
            const int64_t n = last - i < SL_INDICES ? last - i : SL_INDICES;
            if (!bins_of(at, h->values, h->range, h->bins, i, n)) {
                atomic_store(&h->has_nan, true);
                return;
            }
            if (is_few)
                for (int64_t e = 0; e < n; e++) own[at[e]]++;
            else
                for (int64_t e = 0; e < n; e++) atomic_fetch_add_explicit(&h->totals[at[e]], 1, memory_order_relaxed);
        }
        for (int64_t i = 0; is_few && i < h->bins; i++)
            if (own[i]) atomic_fetch_add_explicit(&h->totals[i], own[i], memory_order_relaxed);
    }
}

static sl_code histogram_run(struct sl_kernel_context *k) {
    struct sl_view values = sl_in(k, 0), range = sl_in(k, 1), bins_in = sl_in(k, 2), y;
    if (range.rank != 1 || range.count != 2) return sl_invalid(k, "value_range should be a vector of 2 elements.");
    if (bins_in.rank) return sl_invalid(k, "nbins should be a scalar.");
    int64_t bins = sl_index_at(bins_in, 0);
    if (!is_range(range)) return sl_invalid(k, "value_range should satisfy value_range[0] < value_range[1]");
    if (bins <= 0) return sl_invalid(k, "nbins should be a positive number, but got '%" PRId64 "'", bins);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){1, &bins}));
    const size_t bytes = (size_t)bins * sizeof(int64_t);
    struct histogram h = {.values = values, .range = range, .bins = bins, .totals = sl_scratch_new(bytes)};
    if (!h.totals) return sl_fail_memory(k->err, bytes);
    memset((void *)h.totals, 0, bytes);
    sl_kernel_split(k, (values.count + HISTOGRAM_BLOCK - 1) / HISTOGRAM_BLOCK, 3.0 * HISTOGRAM_BLOCK, count_in_bins,
                    &h);
    for (int64_t i = 0; i < bins; i++) {
        const int64_t total = atomic_load_explicit(&h.totals[i], memory_order_relaxed);
        if (y.dtype == SL_INT64) ((int64_t *)y.data)[i] = total;
        else ((int32_t *)y.data)[i] = (int32_t)total;
    }
    sl_scratch_free((void *)h.totals, bytes);
    return atomic_load(&h.has_nan) ? sl_invalid(k, "Histogram values must not contain NaN") : SL_OK;
}

#define COUNTED RULE("T", SL_SET(INT32) | SL_SET(INT64) | SL_SET(FLOAT) | SL_SET(DOUBLE))
/* clang-format off */
const struct sl_kernel_def sl_cpu_count_rows[] = {
    KERNEL("Bincount", COUNTED, .run = bincount_run, .cost_element = 2)
    KERNEL("DenseBincount", COUNTED, .run = dense_bincount_run, .create = binary_create, .cost_element = 2)
    KERNEL("RaggedBincount", COUNTED, .run = ragged_bincount_run, .create = binary_create, .cost_element = 3)
    KERNEL("SparseBincount", COUNTED, .run = sparse_bincount_run, .create = binary_create, .cost_element = 3)
    KERNEL("HistogramFixedWidth", COUNTED, .run = histogram_run, .cost_element = 2)
    SL_ROWS_END
};
/* clang-format on */
