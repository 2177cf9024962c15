/* Cross: vector products along the last dim, which has three elements. */
#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/types.inc"

#define TYPES FOR_REAL
#define BODY  "backends/cpu/math/vector_product.inc"
#include "backends/cpu/for_types.inc"

typedef void (*cross_fn)(void *to, const void *a, const void *b, int64_t count);
static const cross_fn crosses[SL_DTYPE_COUNT] = {REAL(SL_TYPE_ENTRY, cross)};

struct vectors {
    struct sl_view a, b, y;
};
static void cross_part(void *arg, int64_t begin, int64_t end) {
    const struct vectors *v = arg;
    int dtype = v->a.dtype;
    crosses[dtype](sl_element(v->y.data, dtype, 3 * begin), sl_element(v->a.data, dtype, 3 * begin),
                   sl_element(v->b.data, dtype, 3 * begin), end - begin);
}

static sl_code cross_run(struct sl_kernel_context *k) {
    struct vectors v = {.a = sl_in(k, 0), .b = sl_in(k, 1)};
    if (!sl_same_shape(v.a, v.b))
        return sl_invalid(k, "Both inputs must be of same shape: %s vs. %s", SHAPE_OF(v.a), SHAPE_OF(v.b));
    if (v.a.rank < 1) return sl_invalid(k, "Input must be at least 1D%s", SHAPE_OF(v.a));
    if (v.a.dims[v.a.rank - 1] != 3)
        return sl_fail(k->err, SL_FAILED_PRECONDITION, "Cross-products are only defined for 3-element vectors.");
    SL_TRY(sl_out_new(&v.y, k, 0, sl_view_shape(v.a)));
    sl_kernel_split(k, v.a.count / 3, 5, cross_part, &v);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_vector_product_rows[] = {
    KERNEL("Cross", RULE("T", SL_SET_REAL), .run = cross_run, .cost_element = 2)
    SL_ROWS_END
};
/* clang-format on */
