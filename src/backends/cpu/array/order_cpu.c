/* Ordered searches: TopK, NthElement, LowerBound, UpperBound. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/types.inc"

/* Rows of n elements in x, of k in the results. */
struct top_job {
    struct sl_view x, values, indices;
    int64_t n, k;
    bool sorted, by_digits;
    atomic_bool is_out_of_memory;
};

/* ---- many elements of at most 4 bytes in order: by their digits. Keys are as large as elements are early; the
 * element's place stands below its key, so that equal ones stay as they were. */
enum { DIGITS = 4, DIGIT_BITS = 8, DIGIT_VALUES = 1 << DIGIT_BITS, FEWEST_BY_DIGITS = 64 };

static int digit_of(uint64_t key, int digit) { return (int)(key >> (32 + digit * DIGIT_BITS) & (DIGIT_VALUES - 1)); }

/* Sorts n keys between `x` and `other`; gives the one that has the result. */
static const uint64_t *sort_by_digits(uint64_t *x, uint64_t *other, int64_t n) {
    uint32_t counts[DIGITS][DIGIT_VALUES] = {{0}};
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++) counts[d][digit_of(x[i], d)]++;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t at[DIGIT_VALUES], before = 0;
        if (counts[d][digit_of(x[0], d)] == n) continue;
        for (int v = 0; v < DIGIT_VALUES; v++) {
            at[v] = before;
            before += counts[d][v];
        }
        for (int64_t i = 0; i < n; i++) other[at[digit_of(x[i], d)]++] = x[i];
        uint64_t *sorted = other;
        other = x;
        x = sorted;
    }
    return x;
}

#define TYPES FOR_REAL
#define BODY  "backends/cpu/array/order.inc"
#include "backends/cpu/for_types.inc"

typedef void (*bound_fn)(int64_t *to, const void *from, int64_t n, const void *values, int64_t count);
typedef void (*top_fn)(const struct top_job *j, void *room, int64_t begin, int64_t end);
typedef void (*nth_fn)(void *to, const void *from, int64_t n, int64_t nth, void *room);
static const bound_fn bounds[2][SL_DTYPE_COUNT] = {{REAL(SL_TYPE_ENTRY, lower_bound)},
                                                   {REAL(SL_TYPE_ENTRY, upper_bound)}};
static const top_fn tops[SL_DTYPE_COUNT] = {REAL(SL_TYPE_ENTRY, top_rows)};
static const nth_fn nths[SL_DTYPE_COUNT] = {REAL(SL_TYPE_ENTRY, nth)};
enum { PLACE_BYTES = 16, COMPUTE_BYTES = 8 }; /* at most, for any type */

/* ---- TopK */

static void find_top(void *arg, int64_t begin, int64_t end) {
    struct top_job *j = arg;
    size_t bytes = 2 * (size_t)j->k * PLACE_BYTES, for_keys = 2 * (size_t)j->n * sizeof(uint64_t);
    if (j->by_digits && for_keys > bytes) bytes = for_keys;
    void *room = sl_scratch_new(bytes);
    if (room) tops[j->x.dtype](j, room, begin, end);
    else atomic_store(&j->is_out_of_memory, true);
    sl_scratch_free(room, bytes);
}

static sl_code top(struct sl_kernel_context *k, int64_t count, bool sorted) {
    struct top_job j = {.x = sl_in(k, 0), .k = count, .sorted = sorted};
    int64_t dims[SL_MAX_RANK];
    int rank = j.x.rank;
    if (count < 0) return sl_invalid(k, "Need k >= 0, got %" PRId64, count);
    if (rank < 1) return sl_invalid(k, "input must be >= 1-D, got shape %s", SHAPE_OF(j.x));
    j.n = j.x.dims[rank - 1];
    if (j.n < count)
        return sl_invalid(k, "input must have at least k columns. Had %" PRId64 ", needed %" PRId64, j.n, count);
    memcpy(dims, j.x.dims, (size_t)rank * sizeof *dims);
    dims[rank - 1] = count;
    SL_TRY(sl_out_new(&j.values, k, 0, (struct sl_shape){rank, dims}));
    SL_TRY(sl_out_new(&j.indices, k, 1, (struct sl_shape){rank, dims}));
    if (count == 0 || j.values.count == 0) return SL_OK;
    j.by_digits = sorted && j.n >= FEWEST_BY_DIGITS && j.n <= UINT32_MAX && count >= j.n / 4;
    atomic_init(&j.is_out_of_memory, false);
    sl_kernel_split(k, j.values.count / count, 20 + 2 * (double)j.n + 20 * (double)count, find_top, &j);
    if (atomic_load(&j.is_out_of_memory)) return sl_fail_memory(k->err, 2 * (size_t)count * PLACE_BYTES);
    return SL_OK;
}

/* The number: k of TopK, and in its lowest bit whether to sort. */
static sl_code top_k_create(void **state, struct sl_kernel_setup *setup) {
    int64_t k;
    bool sorted;
    SL_TRY(sl_attr_int(&k, setup->attrs, "k", setup->err));
    SL_TRY(sl_attr_bool(&sorted, setup->attrs, "sorted", setup->err));
    if (k < 0) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Need k >= 0, got %" PRId64, k);
    *state = (void *)(intptr_t)(k << 1 | sorted);
    return SL_OK;
}
static sl_code top_k_run(struct sl_kernel_context *k) {
    return top(k, sl_state_number(k) >> 1, sl_state_number(k) & 1);
}

static sl_code top_k_v2_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "sorted");
}
static sl_code top_k_v2_run(struct sl_kernel_context *k) {
    struct sl_view count = sl_in(k, 1);
    if (count.rank) return sl_invalid(k, "k must be scalar, got shape %s", SHAPE_OF(count));
    return top(k, sl_index_at(count, 0), sl_state_number(k));
}

/* ApproxTopK: exact here, as it may be. The number is k. */
static sl_code approx_top_k_create(void **state, struct sl_kernel_setup *setup) {
    int64_t k, dim;
    bool is_max;
    SL_TRY(sl_attr_int(&k, setup->attrs, "k", setup->err));
    SL_TRY(sl_attr_int(&dim, setup->attrs, "reduction_dimension", setup->err));
    SL_TRY(sl_attr_bool(&is_max, setup->attrs, "is_max_k", setup->err));
    if (dim != -1 || !is_max)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "ApproxTopK takes reduction_dimension -1 and is_max_k true, got %" PRId64 " and %s", dim,
                       is_max ? "true" : "false");
    *state = (void *)(intptr_t)k;
    return SL_OK;
}
static sl_code approx_top_k_run(struct sl_kernel_context *k) { return top(k, sl_state_number(k), true); }

/* ---- NthElement; the number says whether counting is from the greatest */

static sl_code nth_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "reverse");
}

struct nth_job {
    struct sl_view x, y;
    int64_t n, nth;
    atomic_bool is_out_of_memory;
};

static void find_nth(void *arg, int64_t begin, int64_t end) {
    struct nth_job *j = arg;
    size_t bytes = (size_t)j->n * COMPUTE_BYTES;
    void *room = sl_scratch_new(bytes);
    if (!room) atomic_store(&j->is_out_of_memory, true);
    for (int64_t row = begin; room && row < end; row++)
        nths[j->x.dtype](sl_element(j->y.data, j->y.dtype, row), sl_element(j->x.data, j->x.dtype, row * j->n), j->n,
                         j->nth, room);
    sl_scratch_free(room, bytes);
}

static sl_code nth_run(struct sl_kernel_context *k) {
    struct nth_job j = {.x = sl_in(k, 0)};
    struct sl_view nth = sl_in(k, 1);
    if (nth.rank) return sl_invalid(k, "N must be scalar but has rank %d", nth.rank);
    j.nth = sl_index_at(nth, 0);
    if (j.nth < 0) return sl_invalid(k, "n must be non-negative but is %" PRId64, j.nth);
    if (j.x.rank < 1) return sl_invalid(k, "Input must be at least rank 1 but is rank %d", j.x.rank);
    j.n = j.x.dims[j.x.rank - 1];
    if (j.n <= j.nth) return sl_invalid(k, "Input must have last dimension > n = %" PRId64, j.nth);
    if (sl_state_number(k)) j.nth = j.n - 1 - j.nth;
    SL_TRY(sl_out_new(&j.y, k, 0, (struct sl_shape){j.x.rank - 1, j.x.dims}));
    atomic_init(&j.is_out_of_memory, false);
    sl_kernel_split(k, j.y.count, 50 + 6 * (double)j.n, find_nth, &j);
    return atomic_load(&j.is_out_of_memory) ? sl_fail_memory(k->err, (size_t)j.n * COMPUTE_BYTES) : SL_OK;
}

/* ---- LowerBound, UpperBound */

struct bound_job {
    struct sl_view sorted, values, y;
    bool is_upper;
};

static void find_bounds(void *arg, int64_t begin, int64_t end) {
    const struct bound_job *j = arg;
    int64_t at[SL_INDICES], n = j->sorted.dims[1], m = j->values.dims[1];
    while (begin < end) {
        int64_t row = begin / m, count = (row + 1) * m - begin;
        if (count > end - begin) count = end - begin;
        if (count > SL_INDICES) count = SL_INDICES;
        bounds[j->is_upper][j->values.dtype](at, sl_element(j->sorted.data, j->sorted.dtype, row * n), n,
                                             sl_element(j->values.data, j->values.dtype, begin), count);
        sl_indices_store(j->y, begin, at, count);
        begin += count;
    }
}

static sl_code bound(struct sl_kernel_context *k, bool is_upper) {
    struct bound_job j = {sl_in(k, 0), sl_in(k, 1), {0}, is_upper};
    if (j.sorted.rank != 2)
        return sl_invalid(k, "Shape must be rank 2 but is rank %d for `sorted_inputs` argument", j.sorted.rank);
    if (j.values.rank != 2)
        return sl_invalid(k, "Shape must be rank 2 but is rank %d for `values` argument", j.values.rank);
    if (j.sorted.dims[0] != j.values.dims[0]) return sl_invalid(k, "Leading dim_size of both tensors must match.");
    if (sl_out_type(k, 0) == SL_INT32 && j.sorted.dims[1] > INT32_MAX)
        return sl_invalid(k, "trailing dim_size must less than INT_MAX for int32 output type, was %" PRId64,
                          j.sorted.dims[1]);
    SL_TRY(sl_out_new(&j.y, k, 0, sl_view_shape(j.values)));
    sl_kernel_split(k, j.y.count, 30, find_bounds, &j);
    return SL_OK;
}

static sl_code lower_bound_run(struct sl_kernel_context *k) { return bound(k, false); }
static sl_code upper_bound_run(struct sl_kernel_context *k) { return bound(k, true); }

#define ORDERED      RULE("T", SL_SET_REAL)
#define COST(op_run) .run = op_run, .cost_element = 5
/* clang-format off */
const struct sl_kernel_def sl_cpu_order_rows[] = {
    KERNEL("TopK", ORDERED, COST(top_k_run), .create = top_k_create)
    KERNEL("TopKV2", ORDERED, COST(top_k_v2_run), .create = top_k_v2_create)
    KERNEL("ApproxTopK", ORDERED, COST(approx_top_k_run), .create = approx_top_k_create)
    KERNEL("NthElement", ORDERED, COST(nth_run), .create = nth_create)
    KERNEL("LowerBound", ORDERED, COST(lower_bound_run))
    KERNEL("UpperBound", ORDERED, COST(upper_bound_run))
    SL_ROWS_END
};
/* clang-format on */
