/* Segment reductions. Rows of data with the same id make a segment: ids are sorted (Segment...), or in any order
 * (Unsorted...), or sorted with the rows named by indices (SparseSegment...). One segment is reduced by one thread,
 * so sums do not depend on the number of threads. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"
#include "backends/cpu/scatter/rows_loops.h"
#include "backends/cpu/types.inc"

enum { COLUMNS = 64 };
enum mean { NO_MEAN, MEAN, SQRT_MEAN };
#define TYPES FOR_NUMBERS
#define BODY  "backends/cpu/scatter/segment.inc"
#include "backends/cpu/for_types.inc"
#include "backends/cpu/number.h"

/* One segment of `count` > 0 rows of data, each `n` elements, its first `columns` reduced. */
typedef void (*segment_fn)(void *to, const void *data, const int64_t *rows, int64_t count, int64_t n, int64_t columns,
                           enum mean mean);
typedef void (*spread_fn)(void *to, const void *grad, const int64_t *rows, const int64_t *segments,
                          const double *divisors, int64_t count, int64_t n);
static const segment_fn segment_sums[SL_DTYPE_COUNT] = {NUMBERS(SL_TYPE_ENTRY, segment_sum)};
static const segment_fn segment_products[SL_DTYPE_COUNT] = {NUMBERS(SL_TYPE_ENTRY, segment_product)};
static const segment_fn segment_mins[SL_DTYPE_COUNT] = {REAL(SL_TYPE_ENTRY, segment_min)};
static const segment_fn segment_maxs[SL_DTYPE_COUNT] = {REAL(SL_TYPE_ENTRY, segment_max)};
static const spread_fn spreads[SL_DTYPE_COUNT] = {FLOATS(SL_TYPE_ENTRY, spread)};

/* Sums of float and double by the instruction set's loops; the same bits as segment_sums. */
#define SUMS(T)                                                                                                        \
    static void sum_of_##T(void *to, const void *data, const int64_t *rows, int64_t count, int64_t n, int64_t columns, \
                           enum mean mean) {                                                                           \
        SL_ISA_PICK(sl_rows_loops)(sizeof(T) == sizeof(double))->sum(to, data, rows, count, columns, n);               \
        const T divisor = mean == MEAN ? (T)count : (T)sqrt((double)count);                                            \
        for (int64_t c = 0; c < columns && mean != NO_MEAN; c++) ((T *)to)[c] /= divisor;                              \
    }
SUMS(float)
SUMS(double)
static segment_fn run_of(const segment_fn *runs, int dtype) {
    if (runs != segment_sums) return runs[dtype];
    return dtype == SL_FLOAT ? sum_of_float : dtype == SL_DOUBLE ? sum_of_double : runs[dtype];
}

/* ---- sorted ids */

struct segments {
    segment_fn run;
    enum mean mean;
    struct sl_view data, y;
    const int64_t *ids, *rows; /* `count` of each */
    int64_t count, n;          /* n: elements of a row */
    int64_t columns, first;    /* those reduced */
    bool has_indices;          /* rows are from outside */
};

/* The segments that start in [begin, end). */
static void reduce_segments(const struct segments *s, int64_t begin, int64_t end) {
    while (begin < end && begin > 0 && s->ids[begin] == s->ids[begin - 1]) begin++;
    const void *data = sl_element(s->data.data, s->data.dtype, s->first);
    while (begin < end) {
        int64_t next = begin + 1;
        while (next < s->count && s->ids[next] == s->ids[begin]) next++;
        s->run(sl_element(s->y.data, s->y.dtype, s->ids[begin] * s->n + s->first), data, s->rows + begin, next - begin,
               s->n, s->columns, s->mean);
        begin = next;
    }
}
static void reduce_rows(void *arg, int64_t begin, int64_t end) { reduce_segments(arg, begin, end); }
static void reduce_columns(void *arg, int64_t begin, int64_t end) {
    struct segments s = *(const struct segments *)arg;
    s.first = begin;
    s.columns = end - begin;
    reduce_segments(&s, 0, s.count);
}

/* Fills y: `nothing` in rows without a segment. */
static sl_code reduce(struct sl_kernel_context *k, struct segments *s, const void *nothing) {
    SL_TRY(sl_move_fill(k, s->y.dtype, s->y.data, nothing, s->y.count));
    if (s->n == 0 || s->count == 0) return SL_OK;
    s->first = 0;
    s->columns = s->n;
    if (s->n >= 1024) sl_kernel_split_columns(k, s->n, 0.5 * (double)s->count, reduce_columns, s);
    else sl_kernel_split(k, s->count, 2 + 0.5 * (double)s->n, reduce_rows, s);
    return SL_OK;
}

static sl_code check_indices(struct sl_kernel_context *k, const int64_t *indices, int64_t begin, int64_t end,
                             int64_t limit) {
    for (int64_t i = begin; i < end; i++)
        if (indices[i] < 0 || indices[i] >= limit)
            return sl_invalid(k, "Bad: indices[%" PRId64 "] == %" PRId64 " out of range [0, %" PRId64 ")", i,
                              indices[i], limit);
    return SL_OK;
}

/* One segment after the other, so that the first fault is named: what follows it, its id, its indices. `rows` is the
 * number of rows of the result. */
static sl_code check_segments(struct sl_kernel_context *k, const struct segments *s, int64_t rows) {
    for (int64_t begin = 0, end; begin < s->count; begin = end) {
        int64_t id = s->ids[begin];
        for (end = begin + 1; end < s->count && s->ids[end] == id;) end++;
        if (end < s->count && s->ids[end] < id) return sl_invalid(k, "segment ids are not increasing");
        if (id < 0 || id >= rows)
            return sl_invalid(k,
                              "Segment id %" PRId64 " out of range [0, %" PRId64
                              "), possibly because 'segment_ids' input is not sorted.",
                              id, rows);
        if (s->has_indices) SL_TRY(check_indices(k, s->rows, begin, end, s->data.dims[0]));
    }
    return SL_OK;
}

/* Rows of the result, one for each id up to the last; `given` (-1: none is) when the caller asks for so many. */
static sl_code count_rows(int64_t *rows, struct sl_kernel_context *k, const struct segments *s, int64_t given) {
    *rows = given < 0 ? 0 : given;
    if (s->count == 0) return SL_OK;
    int64_t last = s->ids[s->count - 1];
    if (given < 0 ? last < 0 : last < -1 || (last < 0 && given == 0)) return sl_invalid(k, "segment ids must be >= 0");
    if (given >= 0 && last >= given) return sl_invalid(k, "segment ids must be < num_segments");
    if (given < 0) *rows = last < INT64_MAX ? last + 1 : INT64_MAX;
    return SL_OK;
}

static sl_code new_rows(struct sl_view *y, struct sl_kernel_context *k, struct sl_view data, int64_t rows) {
    int64_t dims[SL_MAX_RANK];
    memcpy(dims, data.dims, (size_t)data.rank * sizeof *dims);
    dims[0] = rows;
    return sl_out_new(y, k, 0, (struct sl_shape){data.rank, dims});
}

static const unsigned char zero[16];

static sl_code segment(struct sl_kernel_context *k, const segment_fn *runs, enum mean mean, bool is_product) {
    struct sl_view data = sl_in(k, 0), ids_in = sl_in(k, 1);
    if (data.rank < 1) return sl_invalid(k, "Shape must be at least rank 1");
    if (ids_in.rank != 1) return sl_invalid(k, "segment_ids should be a vector.");
    if (ids_in.count != data.dims[0])
        return sl_invalid(k, "segment_ids should be the same size as dimension 0 of input.");
    int64_t count = ids_in.count;
    size_t bytes = 2 * (size_t)count * sizeof(int64_t);
    int64_t *ids = sl_scratch_new(bytes);
    if (!ids) return sl_fail_memory(k->err, bytes);
    sl_indices_load(ids, ids_in, 0, count);
    for (int64_t i = 0; i < count; i++) ids[count + i] = i;
    struct segments s = {
        .run = run_of(runs, data.dtype), .mean = mean, .data = data, .ids = ids, .rows = ids + count, .count = count};
    s.n = sl_dims_product(data.dims, 1, data.rank);
    int64_t rows;
    sl_code code = count_rows(&rows, k, &s, -1);
    if (code == SL_OK) code = new_rows(&s.y, k, data, rows); /* what there is no room for is told first */
    if (code == SL_OK) code = check_segments(k, &s, rows);
    if (code == SL_OK) code = reduce(k, &s, is_product ? sl_one(data.dtype) : zero);
    sl_scratch_free(ids, bytes);
    return code;
}

static sl_code segment_sum_run(struct sl_kernel_context *k) { return segment(k, segment_sums, NO_MEAN, false); }
static sl_code segment_mean_run(struct sl_kernel_context *k) { return segment(k, segment_sums, MEAN, false); }
static sl_code segment_product_run(struct sl_kernel_context *k) { return segment(k, segment_products, NO_MEAN, true); }
static sl_code segment_min_run(struct sl_kernel_context *k) { return segment(k, segment_mins, NO_MEAN, false); }
static sl_code segment_max_run(struct sl_kernel_context *k) { return segment(k, segment_maxs, NO_MEAN, false); }

/* ---- sorted ids, rows named by indices */

static sl_code check_sparse(struct sl_kernel_context *k, struct sl_view indices, struct sl_view ids) {
    if (indices.rank != 1) return sl_invalid(k, "indices should be a vector.");
    if (ids.rank != 1) return sl_invalid(k, "segment_ids should be a vector.");
    if (indices.count != ids.count) return sl_invalid(k, "segment_ids and indices should have same size.");
    return SL_OK;
}

static sl_code sparse_segment(struct sl_kernel_context *k, enum mean mean) {
    struct sl_view data = sl_in(k, 0), indices = sl_in(k, 1), ids_in = sl_in(k, 2);
    int64_t given = -1, rows, count = ids_in.count;
    if (data.rank < 1) return sl_invalid(k, "Shape must be at least rank 1");
    if (sl_in_count(k) > 3) {
        struct sl_view number = sl_in(k, 3);
        if (number.rank) return sl_invalid(k, "num_segments should be a scalar, not shape %s", SHAPE_OF(number));
        given = sl_index_at(number, 0);
        if (given < 0) return sl_invalid(k, "segment ids must be >= 0");
    }
    SL_TRY(check_sparse(k, indices, ids_in));
    size_t bytes = 2 * (size_t)count * sizeof(int64_t);
    int64_t *ids = sl_scratch_new(bytes);
    if (!ids) return sl_fail_memory(k->err, bytes);
    sl_indices_load(ids, ids_in, 0, count);
    sl_indices_load(ids + count, indices, 0, count);
    struct segments s = {.run = run_of(segment_sums, data.dtype),
                         .mean = mean,
                         .data = data,
                         .ids = ids,
                         .rows = ids + count,
                         .count = count};
    s.has_indices = true;
    s.n = sl_dims_product(data.dims, 1, data.rank);
    sl_code code = count_rows(&rows, k, &s, given);
    if (code == SL_OK) code = new_rows(&s.y, k, data, rows); /* what there is no room for is told first */
    if (code == SL_OK) code = check_segments(k, &s, rows);
    if (code == SL_OK) code = reduce(k, &s, zero);
    sl_scratch_free(ids, bytes);
    return code;
}

static sl_code sparse_sum_run(struct sl_kernel_context *k) { return sparse_segment(k, NO_MEAN); }
static sl_code sparse_mean_run(struct sl_kernel_context *k) { return sparse_segment(k, MEAN); }
static sl_code sparse_sqrt_run(struct sl_kernel_context *k) { return sparse_segment(k, SQRT_MEAN); }

/* ---- their gradients: row indices[i] of the result gets the gradient of segment ids[i], divided as the sum was */

struct spread {
    struct sl_view grad;
    enum mean mean;
    int64_t count;
    int64_t *ids, *rows;
    double *divisors; /* one for each segment: rows of grad */
};

static int compare_ints(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* V2: the result has rows for the indices that occur, in order; `sorted` has room for `count`. */
static sl_code compact_rows(int64_t *n_rows, struct sl_kernel_context *k, struct spread *s, int64_t *sorted) {
    struct sl_view out;
    int64_t n = 0;
    if (s->count) memcpy(sorted, s->rows, (size_t)s->count * sizeof *sorted);
    qsort(sorted, (size_t)s->count, sizeof *sorted, compare_ints);
    for (int64_t i = 0; i < s->count; i++)
        if (i == 0 || sorted[i] != sorted[i - 1]) sorted[n++] = sorted[i];
    SL_TRY(sl_out_new(&out, k, 1, (struct sl_shape){1, &n}));
    sl_indices_store(out, 0, sorted, n);
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t *at = bsearch(&s->rows[i], sorted, (size_t)n, sizeof *sorted, compare_ints);
        s->rows[i] = at - sorted;
    }
    *n_rows = n;
    return SL_OK;
}

static sl_code spread(struct sl_kernel_context *k, struct spread *s, int64_t limit, int64_t *sorted) {
    int64_t segments = s->grad.dims[0], rows = limit;
    for (int64_t i = 0; i < segments; i++) s->divisors[i] = 0;
    for (int64_t i = 0; i < s->count; i++) {
        if (s->rows[i] < 0 || s->rows[i] >= limit)
            return sl_invalid(k, "Index %" PRId64 " out of range [0, %" PRId64 ").", s->rows[i], limit);
        if (s->ids[i] < 0 || s->ids[i] >= segments)
            return sl_invalid(k, "Segment id %" PRId64 " out of range [0, %" PRId64 ").", s->ids[i], segments);
        s->divisors[s->ids[i]]++;
    }
    if (s->mean == SQRT_MEAN)
        for (int64_t i = 0; i < segments; i++) s->divisors[i] = sqrt(s->divisors[i]);
    if (sorted) SL_TRY(compact_rows(&rows, k, s, sorted));
    struct sl_view y;
    SL_TRY(new_rows(&y, k, s->grad, rows));
    sl_move_zero(k, y);
    int64_t n = sl_dims_product(s->grad.dims, 1, s->grad.rank);
    spreads[y.dtype](y.data, s->grad.data, s->rows, s->ids, s->mean == NO_MEAN ? NULL : s->divisors, s->count, n);
    return SL_OK;
}

static sl_code segment_grad(struct sl_kernel_context *k, enum mean mean) {
    struct sl_view indices = sl_in(k, 1), ids = sl_in(k, 2), limit_in = sl_in(k, 3);
    struct spread s = {.grad = sl_in(k, 0), .mean = mean, .count = ids.count};
    bool is_compact = sl_out_count(k) > 1;
    if (s.grad.rank < 1) return sl_invalid(k, "Shape must be at least rank 1");
    SL_TRY(check_sparse(k, indices, ids));
    if (limit_in.rank) return sl_invalid(k, "output_dim0 should be a scalar.");
    int64_t limit = sl_index_at(limit_in, 0);
    if (limit < 0) return sl_invalid(k, "Expected a non-negative size, got %" PRId64, limit);
    if (s.count && s.grad.dims[0] <= sl_index_at(ids, s.count - 1)) return sl_invalid(k, "Invalid number of segments");
    size_t count = (size_t)s.count, segments = (size_t)s.grad.dims[0];
    size_t bytes = (3 * count + segments) * sizeof(int64_t);
    int64_t *room = sl_scratch_new(bytes);
    if (!room) return sl_fail_memory(k->err, bytes);
    s.ids = room;
    s.rows = room + count;
    s.divisors = (double *)(void *)(room + 3 * count);
    sl_indices_load(s.ids, ids, 0, s.count);
    sl_indices_load(s.rows, indices, 0, s.count);
    sl_code code = spread(k, &s, limit, is_compact ? room + 2 * count : NULL);
    sl_scratch_free(room, bytes);
    return code;
}

static sl_code sum_grad_run(struct sl_kernel_context *k) { return segment_grad(k, NO_MEAN); }
static sl_code mean_grad_run(struct sl_kernel_context *k) { return segment_grad(k, MEAN); }
static sl_code sqrt_grad_run(struct sl_kernel_context *k) { return segment_grad(k, SQRT_MEAN); }

/* ---- ids in any order, of any shape that data's shape starts with; ids below 0 are dropped */

struct unsorted {
    sl_combine_fn run;
    struct sl_view data, y;
    const int64_t *ids;
    int64_t count, n;
};
static void combine_columns(void *arg, int64_t begin, int64_t end) {
    const struct unsorted *u = arg;
    u->run(sl_element(u->y.data, u->y.dtype, begin), sl_element(u->data.data, u->data.dtype, begin), u->ids, u->count,
           end - begin, u->n, u->n);
}

static sl_code run_unsorted(struct sl_kernel_context *k, struct unsorted *u, struct sl_view ids_in, int64_t *ids,
                            int64_t rows) {
    sl_indices_load(ids, ids_in, 0, u->count);
    for (int64_t i = 0; i < u->count; i++)
        if (ids[i] >= rows) {
            char at[SL_SHAPE_TEXT];
            return sl_invalid(k, "segment_ids%s = %" PRId64 " is out of range [0, %" PRId64 ")",
                              sl_index_text(at, i, sl_view_shape(ids_in)), ids[i], rows);
        }
    u->ids = ids;
    if (u->n < 64) combine_columns(u, 0, u->n);
    else sl_kernel_split_columns(k, u->n, 0.5 * (double)u->count, combine_columns, u);
    return SL_OK;
}

static sl_code unsorted_segment(struct sl_kernel_context *k, enum sl_combine_op op, const void *nothing) {
    struct unsorted u = {.data = sl_in(k, 0)};
    struct sl_view ids = sl_in(k, 1), rows_in = sl_in(k, 2);
    int64_t dims[SL_MAX_RANK + 1];
    if (rows_in.rank) return sl_invalid(k, "num_segments should be a scalar, not shape %s", SHAPE_OF(rows_in));
    if (u.data.rank < ids.rank || !sl_dims_equal(u.data, ids, 0, ids.rank))
        return sl_invalid(k, "data.shape = %s does not start with segment_ids.shape = %s", SHAPE_OF(u.data),
                          SHAPE_OF(ids));
    dims[0] = (int32_t)sl_index_at(rows_in, 0); /* TensorFlow's width: 2^62 is 0 segments, no INT64 of memory */
    if (dims[0] < 0) return sl_invalid(k, "Input num_segments == %" PRId64 " must not be negative.", dims[0]);
    int rank = 1 + u.data.rank - ids.rank;
    if (rank > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", rank);
    for (int i = 1; i < rank; i++) dims[i] = u.data.dims[ids.rank + i - 1];
    SL_TRY(sl_out_new(&u.y, k, 0, (struct sl_shape){rank, dims}));
    SL_TRY(sl_move_fill(k, u.y.dtype, u.y.data, nothing, u.y.count));
    bool is_float = sl_set_has(SL_SET_FLOATS, u.data.dtype);
    if (is_float && op == SL_COMBINE_MIN) op = SL_COMBINE_LOWER;
    if (is_float && op == SL_COMBINE_MAX) op = SL_COMBINE_HIGHER;
    u.run = sl_combine_find(op, u.data.dtype);
    u.count = ids.count;
    u.n = sl_dims_product(dims, 1, rank);
    if (u.count == 0 || u.data.count == 0) return SL_OK;
    size_t bytes = (size_t)u.count * sizeof(int64_t);
    int64_t *room = sl_scratch_new(bytes);
    if (!room) return sl_fail_memory(k->err, bytes);
    sl_code code = run_unsorted(k, &u, ids, room, dims[0]);
    sl_scratch_free(room, bytes);
    return code;
}

/* The lowest and the highest value of each type, as UnsortedSegmentMax and Min leave them where there is no segment. */
static const void *limit_of(int dtype, bool is_lowest) {
#define LIMITS(type, bits, low, high) [SL_##type] = {{.bits = low}, {.bits = high}},
    static const struct {
        union {
            uint16_t u16;
            float f;
            double d;
            int8_t i8;
            int16_t i16;
            int32_t i32;
            int64_t i64;
            uint8_t u8;
            uint32_t u32;
            uint64_t u64;
        } low, high;
    } limits[SL_DTYPE_COUNT] = {
        LIMITS(HALF, u16, 0xfbff, 0x7bff) LIMITS(BFLOAT16, u16, 0xff7f, 0x7f7f)           /**/
        LIMITS(FLOAT, f, -FLT_MAX, FLT_MAX) LIMITS(DOUBLE, d, -DBL_MAX, DBL_MAX)          /**/
        LIMITS(INT8, i8, INT8_MIN, INT8_MAX) LIMITS(INT16, i16, INT16_MIN, INT16_MAX)     /**/
        LIMITS(INT32, i32, INT32_MIN, INT32_MAX) LIMITS(INT64, i64, INT64_MIN, INT64_MAX) /**/
        LIMITS(UINT8, u8, 0, UINT8_MAX) LIMITS(UINT16, u16, 0, UINT16_MAX)                /**/
        LIMITS(UINT32, u32, 0, UINT32_MAX) LIMITS(UINT64, u64, 0, UINT64_MAX)             /**/
    };
#undef LIMITS
    return is_lowest ? (const void *)&limits[dtype].low : &limits[dtype].high;
}

static sl_code unsorted_sum_run(struct sl_kernel_context *k) { return unsorted_segment(k, SL_COMBINE_ADD, zero); }
static sl_code unsorted_product_run(struct sl_kernel_context *k) {
    return unsorted_segment(k, SL_COMBINE_MUL, sl_one(sl_in(k, 0).dtype));
}
static sl_code unsorted_min_run(struct sl_kernel_context *k) {
    return unsorted_segment(k, SL_COMBINE_MIN, limit_of(sl_in(k, 0).dtype, false));
}
static sl_code unsorted_max_run(struct sl_kernel_context *k) {
    return unsorted_segment(k, SL_COMBINE_MAX, limit_of(sl_in(k, 0).dtype, true));
}

#define ALL          RULE("T", SL_SET_NUMBERS)
#define ORDERED      RULE("T", SL_SET_REAL)
#define FLOATING     RULE("T", SL_SET_FLOATS)
#define COST(op_run) .run = op_run, .cost_element = 1
/* clang-format off */
const struct sl_kernel_def sl_cpu_segment_rows[] = {
    KERNEL("SegmentSum", ALL, COST(segment_sum_run))
    KERNEL("SegmentMean", ALL, COST(segment_mean_run))
    KERNEL("SegmentProd", ALL, COST(segment_product_run))
    KERNEL("SegmentMin", ORDERED, COST(segment_min_run))
    KERNEL("SegmentMax", ORDERED, COST(segment_max_run))
    KERNEL("SparseSegmentSum", ORDERED, COST(sparse_sum_run))
    KERNEL("SparseSegmentSumWithNumSegments", ORDERED, COST(sparse_sum_run))
    KERNEL("SparseSegmentMean", FLOATING, COST(sparse_mean_run))
    KERNEL("SparseSegmentMeanWithNumSegments", FLOATING, COST(sparse_mean_run))
    KERNEL("SparseSegmentSqrtN", FLOATING, COST(sparse_sqrt_run))
    KERNEL("SparseSegmentSqrtNWithNumSegments", FLOATING, COST(sparse_sqrt_run))
    KERNEL("SparseSegmentSumGrad", FLOATING, COST(sum_grad_run))
    KERNEL("SparseSegmentSumGradV2", FLOATING, COST(sum_grad_run))
    KERNEL("SparseSegmentMeanGrad", FLOATING, COST(mean_grad_run))
    KERNEL("SparseSegmentMeanGradV2", FLOATING, COST(mean_grad_run))
    KERNEL("SparseSegmentSqrtNGrad", FLOATING, COST(sqrt_grad_run))
    KERNEL("SparseSegmentSqrtNGradV2", FLOATING, COST(sqrt_grad_run))
    KERNEL("UnsortedSegmentSum", ALL, COST(unsorted_sum_run))
    KERNEL("UnsortedSegmentProd", ALL, COST(unsorted_product_run))
    KERNEL("UnsortedSegmentMin", ORDERED, COST(unsorted_min_run))
    KERNEL("UnsortedSegmentMax", ORDERED, COST(unsorted_max_run))
    SL_ROWS_END
};
/* clang-format on */
