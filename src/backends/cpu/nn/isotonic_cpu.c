/* IsotonicRegression: the falling sequence next to each row, by pooling neighbours that rise (Barlow and others
 * 1972). */
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/number.h"
#include "tensor/float16.h"

static void put_number(struct sl_view v, int64_t i, double x) {
    switch (v.dtype) {
    case SL_FLOAT: ((float *)v.data)[i] = (float)x; break;
    case SL_DOUBLE: ((double *)v.data)[i] = x; break;
    case SL_HALF: ((sl_half *)v.data)[i] = sl_half_of_float((float)x); break;
    default: ((sl_bfloat16 *)v.data)[i] = sl_bfloat16_of_float((float)x); break;
    }
}

/* A run of elements with one value, their mean. */
struct pool {
    double sum;
    int64_t count;
};

static sl_code isotonic_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y, segments;
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    SL_TRY(sl_out_new(&segments, k, 1, sl_view_shape(x)));
    int64_t n = x.rank ? x.dims[x.rank - 1] : 1;
    size_t bytes = (size_t)(n + 1) * sizeof(struct pool);
    struct pool *pools = sl_scratch_new(bytes);
    if (!pools) return sl_fail_memory(k->err, bytes);
    for (int64_t row = 0; row < x.count; row += n) {
        int64_t used = 0, at = row;
        for (int64_t i = 0; i < n; i++) {
            struct pool p = {sl_number_at(x, row + i), 1};
            for (; used && p.sum * (double)pools[used - 1].count > pools[used - 1].sum * (double)p.count; used--) {
                p.sum += pools[used - 1].sum;
                p.count += pools[used - 1].count;
            }
            pools[used++] = p;
        }
        for (int64_t p = 0; p < used; p++)
            for (int64_t i = 0; i < pools[p].count; i++, at++) {
                put_number(y, at, pools[p].sum / (double)pools[p].count);
                ((int32_t *)segments.data)[at] = (int32_t)p;
            }
    }
    sl_scratch_free(pools, bytes);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_isotonic_rows[] = {
    KERNEL("IsotonicRegression", RULE("T", SL_SET_REAL) RULE("output_dtype", SL_SET_FLOATS), .run = isotonic_run, .cost_element = 5)
    SL_ROWS_END
};
/* clang-format on */
