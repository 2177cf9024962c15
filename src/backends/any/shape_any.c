/* What tells or changes a shape and touches no elements: they may lie in any memory, and shapes on the host. */
#include <inttypes.h>
#include <string.h>

#include "backends/any/any_kernels.h"
#include "base/alloc.h"

/* Element i of an int32 or int64 view. */
static int64_t int_at(struct sl_view v, int64_t i) {
    return v.dtype == SL_INT64 ? ((const int64_t *)v.data)[i] : ((const int32_t *)v.data)[i];
}

/* ---- shapes as values */

static sl_code put_shape(struct sl_kernel_context *k, int o, struct sl_view x) {
    struct sl_view y;
    if (sl_out_type(k, o) == SL_INT32)
        for (int i = 0; i < x.rank; i++)
            if (x.dims[i] > INT32_MAX)
                return sl_invalid(k, "Shape output type is 32-bit  but dim %d is %" PRId64, i, x.dims[i]);
    SL_TRY(sl_out_new(&y, k, o, (struct sl_shape){1, (int64_t[]){x.rank}}));
    for (int i = 0; i < x.rank; i++) {
        if (y.dtype == SL_INT64) ((int64_t *)y.data)[i] = x.dims[i];
        else ((int32_t *)y.data)[i] = (int32_t)x.dims[i];
    }
    return SL_OK;
}

static sl_code shape_run(struct sl_kernel_context *k) { return put_shape(k, 0, sl_in(k, 0)); }

static sl_code shape_n_run(struct sl_kernel_context *k) {
    for (int i = 0; i < sl_in_count(k); i++) SL_TRY(put_shape(k, i, sl_in(k, i)));
    return SL_OK;
}

static sl_code rank_run(struct sl_kernel_context *k) { return sl_out_int(k, 0, sl_in(k, 0).rank); }

static sl_code size_run(struct sl_kernel_context *k) {
    int64_t n = sl_in(k, 0).count;
    if (sl_out_type(k, 0) == SL_INT32 && n > INT32_MAX)
        return sl_invalid(k, "Number of elements was larger than representable by 32-bit output type");
    return sl_out_int(k, 0, n);
}

/* ---- the same elements under another shape */

static sl_code give_reshaped(struct sl_kernel_context *k, struct sl_view x, int rank, const int64_t *dims) {
    if (rank == x.rank && (rank == 0 || memcmp(dims, x.dims, (size_t)rank * sizeof *dims) == 0)) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    return sl_out_reshape(k, 0, 0, (struct sl_shape){rank, dims});
}

/* What the open size of Reshape is found by: the elements, or, when one of the sizes is 0, the product of the other
 * dims; then a dim of 0 leaves the open size free. */
static int64_t elements_beside_zeros(bool *is_free, struct sl_view x, bool has_zero) {
    int64_t n = 1;
    *is_free = false;
    for (int d = 0; d < x.rank; d++) {
        if (x.dims[d] == 0 && has_zero) *is_free = true;
        else if (__builtin_mul_overflow(n, x.dims[d], &n)) return 0; /* of a tensor without elements */
    }
    return n;
}

static sl_code reshape_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), sizes = sl_in(k, 1);
    int64_t dims[SL_MAX_RANK], known = 1;
    int open = -1;
    bool is_overflow = false, has_zero = false;
    char text[SL_SHAPE_TEXT];
    if (sizes.rank > 1)
        return sl_invalid(k, "sizes input must be 1-D, not %s", sl_shape_text(text, sl_view_shape(sizes)));
    if (sizes.count >= SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %" PRId64, sizes.count);
    int rank = (int)sizes.count;
    for (int i = 0; i < rank; i++) {
        int64_t n = dims[i] = int_at(sizes, i);
        if (n == -1) {
            if (open >= 0) return sl_invalid(k, "Only one input size may be -1, not both %d and %d", open, i);
            open = i;
            continue;
        }
        if (n < 0) return sl_invalid(k, "Size %d must be non-negative, not %" PRId64, i, n);
        if (n == 0) has_zero = true;
        else is_overflow |= __builtin_mul_overflow(known, n, &known);
    }
    if (is_overflow)
        return sl_invalid(k, "Shape %s has too many elements", sl_shape_text(text, (struct sl_shape){rank, dims}));
    if (open >= 0) {
        bool is_free;
        int64_t n = elements_beside_zeros(&is_free, x, has_zero);
        dims[open] = known > 0 ? n / known : 0;
        if (!is_free && dims[open] * known != n)
            return sl_invalid(k,
                              "Input to reshape is a tensor with %" PRId64
                              " values, but the requested shape requires a multiple of %" PRId64,
                              x.count, known);
        known *= dims[open];
    }
    if (has_zero) known = 0;
    if (known != x.count)
        return sl_invalid(k,
                          "Input to reshape is a tensor with %" PRId64 " values, but the requested shape has %" PRId64,
                          x.count, known);
    return give_reshaped(k, x, rank, dims);
}

static sl_code expand_dims_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), axis_in = sl_in(k, 1);
    if (axis_in.count != 1) return sl_invalid(k, "'dim' must be a tensor with a single value");
    int64_t axis = int_at(axis_in, 0);
    if (axis < -1 - x.rank || axis > x.rank || x.rank == SL_MAX_RANK)
        return sl_invalid(k, "Tried to expand dim index %" PRId64 " for tensor with %d dimensions.", axis, x.rank);
    if (axis < 0) axis += x.rank + 1;
    int64_t dims[SL_MAX_RANK];
    for (int i = 0; i <= x.rank; i++) dims[i] = i < axis ? x.dims[i] : i == axis ? 1 : x.dims[i - 1];
    return sl_out_reshape(k, 0, 0, (struct sl_shape){x.rank + 1, dims});
}

struct squeeze {
    int n;
    int64_t axes[];
};

static sl_code squeeze_create(void **state, struct sl_kernel_setup *setup) {
    const int64_t *axes;
    int n;
    SL_TRY(sl_attr_int_list(&axes, &n, setup->attrs, "squeeze_dims", setup->err));
    size_t bytes = sizeof(struct squeeze) + (size_t)n * sizeof *axes;
    struct squeeze *s = sl_malloc(bytes);
    if (!s) return sl_fail_memory(setup->err, bytes);
    s->n = n;
    if (n) memcpy(s->axes, axes, (size_t)n * sizeof *axes);
    *state = s;
    return SL_OK;
}

static sl_code squeeze_run(struct sl_kernel_context *k) {
    const struct squeeze *s = k->state;
    struct sl_view x = sl_in(k, 0);
    bool is_named[SL_MAX_RANK];
    int64_t dims[SL_MAX_RANK];
    int rank = 0;
    memset(is_named, false, (size_t)x.rank);
    for (int i = 0; i < s->n; i++) {
        int64_t axis = s->axes[i];
        if (axis < -x.rank || axis >= x.rank)
            return sl_invalid(k, "Tried to squeeze dim index %" PRId64 " for tensor with %d dimensions.", axis, x.rank);
        is_named[axis < 0 ? axis + x.rank : axis] = true;
    }
    for (int i = 0; i < x.rank; i++) {
        if (is_named[i] && x.dims[i] != 1)
            return sl_invalid(k, "Can not squeeze dim[%d], expected a dimension of 1, got %" PRId64, i, x.dims[i]);
        if (x.dims[i] != 1 || (s->n && !is_named[i])) dims[rank++] = x.dims[i];
    }
    return give_reshaped(k, x, rank, dims);
}

#define MOVES .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES
/* clang-format off */
const struct sl_kernel_def sl_any_shape_rows[] = {
    KERNEL("Shape", NO_RULE, .run = shape_run, MOVES, .host = "output")
    KERNEL("ShapeN", NO_RULE, .run = shape_n_run, MOVES, .host = "output")
    KERNEL("Rank", NO_RULE, .run = rank_run, MOVES, .host = "output")
    KERNEL("Size", NO_RULE, .run = size_run, MOVES, .host = "output")
    KERNEL("Reshape", NO_RULE, .run = reshape_run, MOVES, .host = "shape")
    KERNEL("ExpandDims", NO_RULE, .run = expand_dims_run, MOVES, .host = "dim")
    KERNEL("Squeeze", NO_RULE, .run = squeeze_run, .create = squeeze_create, .destroy = sl_free, MOVES)
    SL_ROWS_END
};
/* clang-format on */
