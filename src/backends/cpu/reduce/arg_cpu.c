/* ArgMax and ArgMin: along one dim, the index of the first extreme element. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/types.inc"

enum { COLUMNS = 128, BLOCK = 32, MOST_ROWS = 1 << 30 };
#define TYPES FOR_REAL
#define BODY  "backends/cpu/reduce/arg.inc"
#include "backends/cpu/for_types.inc"

/* `columns` (at most COLUMNS) neighbours at once; rows are `step` elements apart. */
typedef void (*arg_fn)(int64_t *at, const void *from, int64_t n, int64_t step, int64_t columns);
typedef int64_t (*arg_run_fn)(const void *from, int64_t n);
static const arg_fn args[2][SL_DTYPE_COUNT] = {
    {REAL(SL_TYPE_ENTRY, arg_max)[SL_BOOL] = arg_max_UINT8},
    {REAL(SL_TYPE_ENTRY, arg_min)[SL_BOOL] = arg_min_UINT8},
};
static const arg_run_fn arg_runs[2][SL_DTYPE_COUNT] = {
    {REAL(SL_TYPE_ENTRY, arg_max_run)[SL_BOOL] = arg_max_run_UINT8},
    {REAL(SL_TYPE_ENTRY, arg_min_run)[SL_BOOL] = arg_min_run_UINT8},
};

struct job {
    struct sl_view x, y;
    bool is_min;
    int64_t n, inner; /* x is [outer, n, inner], y [outer, inner] */
};

/* Items are elements of the result. */
static void find_part(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    int64_t at[COLUMNS], count;
    for (; begin < end; begin += count) {
        if (j->inner == 1) {
            count = end - begin < COLUMNS ? end - begin : COLUMNS;
            for (int64_t i = 0; i < count; i++)
                at[i] = arg_runs[j->is_min][j->x.dtype](sl_element(j->x.data, j->x.dtype, (begin + i) * j->n), j->n);
        } else {
            int64_t outer = begin / j->inner, column = begin % j->inner;
            count = j->inner - column;
            if (count > end - begin) count = end - begin;
            if (count > COLUMNS) count = COLUMNS;
            const void *from = sl_element(j->x.data, j->x.dtype, outer * j->n * j->inner + column);
            args[j->is_min][j->x.dtype](at, from, j->n, j->inner, count);
        }
        sl_indices_store(j->y, begin, at, count);
    }
}

static sl_code find(struct sl_kernel_context *k, bool is_min) {
    struct job j = {.x = sl_in(k, 0), .is_min = is_min};
    struct sl_view axis_in = sl_in(k, 1);
    int64_t dims[SL_MAX_RANK];
    if (axis_in.rank) return sl_invalid(k, "dim must be a scalar, but received tensor of shape: %s", SHAPE_OF(axis_in));
    int64_t axis = sl_index_at(axis_in, 0);
    if (axis < -j.x.rank || axis >= j.x.rank)
        return sl_invalid(k, "Expected dimension in the range [%d, %d), but got %" PRId64, -j.x.rank, j.x.rank, axis);
    if (axis < 0) axis += j.x.rank;
    j.n = j.x.dims[axis];
    if (j.n == 0) return sl_invalid(k, "Reduction axis %" PRId64 " is empty in shape %s", axis, SHAPE_OF(j.x));
    for (int i = 0; i < j.x.rank - 1; i++) dims[i] = j.x.dims[i < axis ? i : i + 1];
    j.inner = sl_dims_product(dims, (int)axis, j.x.rank - 1);
    SL_TRY(sl_out_new(&j.y, k, 0, (struct sl_shape){j.x.rank - 1, dims}));
    (j.inner == 1 ? sl_kernel_split : sl_kernel_split_columns)(k, j.y.count, 2 + 0.4 * (double)j.n, find_part, &j);
    return SL_OK;
}

static sl_code arg_max_run(struct sl_kernel_context *k) { return find(k, false); }
static sl_code arg_min_run(struct sl_kernel_context *k) { return find(k, true); }

#define ORDERED RULE("T", SL_SET_REAL | SL_SET(BOOL))
/* clang-format off */
const struct sl_kernel_def sl_cpu_arg_rows[] = {
    KERNEL("ArgMax", ORDERED, .run = arg_max_run, .cost_element = 0.5f)
    KERNEL("ArgMin", ORDERED, .run = arg_min_run, .cost_element = 0.5f)
    SL_ROWS_END
};
/* clang-format on */
