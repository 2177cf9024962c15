/* Cumsum, Cumprod, CumulativeLogsumexp: x and y are [outer, n, inner], the scan runs along n. */
#include <inttypes.h>
#include <tgmath.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/types.inc"

enum { COLUMNS = 64 };

struct scan {
    const void *x;
    void *y;
    int dtype;
    int64_t n, inner;
    bool is_exclusive, is_reverse;
    void (*run)(const struct scan *s, int64_t first, int64_t columns); /* of neighbours, at most COLUMNS */
};

#define TYPES FOR_NUMBERS
#define BODY  "backends/cpu/reduce/scan.inc"
#include "backends/cpu/for_types.inc"

typedef void (*scan_fn)(const struct scan *s, int64_t first, int64_t columns);
static const scan_fn sums[SL_DTYPE_COUNT] = {NUMBERS(SL_TYPE_ENTRY, cumulative_sum)};
static const scan_fn products[SL_DTYPE_COUNT] = {NUMBERS(SL_TYPE_ENTRY, cumulative_product)};
static const scan_fn log_sums[SL_DTYPE_COUNT] = {FLOATS(SL_TYPE_ENTRY, cumulative_log_sum)};

/* Items are the scans: outer * inner of them. */
static void scan_part(void *arg, int64_t begin, int64_t end) {
    const struct scan *s = arg;
    for (int64_t count; begin < end; begin += count) {
        int64_t outer = begin / s->inner, column = begin % s->inner;
        count = s->inner - column;
        if (count > end - begin) count = end - begin;
        if (count > COLUMNS) count = COLUMNS;
        s->run(s, outer * s->n * s->inner + column, count);
    }
}

enum { EXCLUSIVE = 1, REVERSE = 2 };

static sl_code scan_create(void **state, struct sl_kernel_setup *setup) {
    bool is_exclusive, is_reverse;
    SL_TRY(sl_attr_bool(&is_exclusive, setup->attrs, "exclusive", setup->err));
    SL_TRY(sl_attr_bool(&is_reverse, setup->attrs, "reverse", setup->err));
    *state = (void *)(intptr_t)((is_exclusive ? EXCLUSIVE : 0) | (is_reverse ? REVERSE : 0));
    return SL_OK;
}

static sl_code scan(struct sl_kernel_context *k, const scan_fn *runs, double ns) {
    struct sl_view x = sl_in(k, 0), axis_in = sl_in(k, 1), y;
    if (axis_in.rank) return sl_invalid(k, "ScanOp: axis must be a scalar, not %s", SHAPE_OF(axis_in));
    int64_t axis = sl_index_at(axis_in, 0);
    if (axis < -x.rank || axis >= x.rank)
        return sl_invalid(k, "ScanOp: Expected scan axis in the range [%d, %d), but got %" PRId64, -x.rank, x.rank,
                          axis);
    if (axis < 0) axis += x.rank;
    int64_t flags = sl_state_number(k), outer = sl_dims_product(x.dims, 0, (int)axis);
    struct scan s = {.x = x.data, .dtype = x.dtype, .n = x.dims[axis], .run = runs[x.dtype]};
    s.inner = sl_dims_product(x.dims, (int)axis + 1, x.rank);
    s.is_exclusive = flags & EXCLUSIVE;
    s.is_reverse = flags & REVERSE;
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(x), 0, 1));
    s.y = y.data;
    if (y.count)
        (s.inner == 1 ? sl_kernel_split : sl_kernel_split_columns)(k, outer * s.inner, 2 + ns * (double)s.n, scan_part,
                                                                   &s);
    return SL_OK;
}

static sl_code cumsum_run(struct sl_kernel_context *k) { return scan(k, sums, 1); }
static sl_code cumprod_run(struct sl_kernel_context *k) { return scan(k, products, 1); }
static sl_code log_sum_run(struct sl_kernel_context *k) { return scan(k, log_sums, 20); }

/* clang-format off */
const struct sl_kernel_def sl_cpu_scan_rows[] = {
    KERNEL("Cumsum", RULE("T", SL_SET_NUMBERS), .run = cumsum_run, .create = scan_create, .cost_element = 1)
    KERNEL("Cumprod", RULE("T", SL_SET_NUMBERS), .run = cumprod_run, .create = scan_create, .cost_element = 1)
    KERNEL("CumulativeLogsumexp", RULE("T", SL_SET_FLOATS), .run = log_sum_run, .create = scan_create, .cost_element = 20)
    SL_ROWS_END
};
/* clang-format on */
