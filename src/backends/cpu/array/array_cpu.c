/* Shapes as values, other shapes for the same elements, and arithmetic on shapes. What moves elements is in the array_*_cpu.c
 * beside it. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"

/* ---- shapes as values */

static sl_code put_shape(struct sl_kernel_context *k, int o, struct sl_view x) {
    struct sl_view y;
    if (sl_out_type(k, o) == SL_INT32)
        for (int i = 0; i < x.rank; i++)
            if (x.dims[i] > INT32_MAX)
                return sl_invalid(k, "Shape output type is 32-bit  but dim %d is %" PRId64, i, x.dims[i]);
    SL_TRY(sl_out_new(&y, k, o, (struct sl_shape){1, (int64_t[]){x.rank}}));
    sl_indices_store(y, 0, x.dims, x.rank);
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

/* What the open size of Reshape is found by: the elements, or, when one of the sizes is 0, the product of the other dims; then
 * a dim of 0 leaves the open size free. */
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
    if (sizes.rank > 1) return sl_invalid(k, "sizes input must be 1-D, not %s", SHAPE_OF(sizes));
    if (sizes.count >= SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %" PRId64, sizes.count);
    int rank = (int)sizes.count;
    for (int i = 0; i < rank; i++) {
        int64_t n = dims[i] = sl_index_at(sizes, i);
        if (n == -1) {
            if (open >= 0) return sl_invalid(k, "Only one input size may be -1, not both %d and %d", open, i);
            open = i;
            continue;
        }
        if (n < 0) return sl_invalid(k, "Size %d must be non-negative, not %" PRId64, i, n);
        if (n == 0) has_zero = true;
        else is_overflow |= __builtin_mul_overflow(known, n, &known);
    }
    char text[SL_SHAPE_TEXT];
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
    int64_t axis = sl_index_at(axis_in, 0);
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
    bool is_named[SL_MAX_RANK] = {false};
    int64_t dims[SL_MAX_RANK];
    int rank = 0;
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

/* Elements of another size split the last dim, or join it. */
static sl_code bitcast_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0);
    int64_t dims[SL_MAX_RANK + 1];
    int to = sl_out_type(k, 0), rank = x.rank;
    int64_t from_size = (int64_t)sl_dtype_size(x.dtype), to_size = (int64_t)sl_dtype_size(to);
    if (rank) memcpy(dims, x.dims, (size_t)rank * sizeof *dims);
    if (from_size > to_size) {
        if (rank == SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", rank + 1);
        dims[rank++] = from_size / to_size;
    } else if (from_size < to_size) {
        int64_t ratio = to_size / from_size;
        if (!rank || dims[rank - 1] != ratio)
            return sl_invalid(k, "Cannot bitcast from %d to %d: shape %s", x.dtype, to, SHAPE_OF(x));
        rank--;
    }
    return sl_out_reshape(k, 0, 0, (struct sl_shape){rank, dims});
}

/* ---- arithmetic on shapes */

enum { BROADCAST_RANK = SL_MAX_RANK };

struct vector {
    int n;
    int64_t items[BROADCAST_RANK];
};

static sl_code read_shape_vector(struct vector *v, struct sl_kernel_context *k, int i) {
    struct sl_view x = sl_in(k, i);
    if (x.rank != 1) return sl_invalid(k, "In[%d] must be a vector.%s", i, SHAPE_OF(x));
    if (x.count > BROADCAST_RANK) return sl_invalid(k, "In[%d] has too many dimensions: %" PRId64, i, x.count);
    v->n = (int)x.count;
    sl_indices_load(v->items, x, 0, x.count);
    return SL_OK;
}
/* Dim i of `n` as broadcasting sees it: shorter shapes have ones in front. */
static int64_t broadcast_dim(const struct vector *v, int i, int n) {
    return i < n - v->n ? 1 : v->items[i - (n - v->n)];
}

static sl_code broadcast_failure(struct sl_kernel_context *k, const struct vector *a, const struct vector *b) {
    char a_text[SL_SHAPE_TEXT], b_text[SL_SHAPE_TEXT];
    sl_shape_text(a_text, (struct sl_shape){a->n, a->items});
    sl_shape_text(b_text, (struct sl_shape){b->n, b->items});
    return sl_invalid(k, "Incompatible shapes: %s vs. %s", a_text, b_text);
}

static sl_code put_vector(struct sl_kernel_context *k, int o, const int64_t *items, int n) {
    struct sl_view y;
    SL_TRY(sl_out_new(&y, k, o, (struct sl_shape){1, (int64_t[]){n}}));
    sl_indices_store(y, 0, items, n);
    return SL_OK;
}

static sl_code broadcast_args_run(struct sl_kernel_context *k) {
    struct vector a, b;
    int64_t out[BROADCAST_RANK];
    SL_TRY(read_shape_vector(&a, k, 0));
    SL_TRY(read_shape_vector(&b, k, 1));
    int n = a.n > b.n ? a.n : b.n;
    for (int i = 0; i < n; i++) {
        int64_t x = broadcast_dim(&a, i, n), y = broadcast_dim(&b, i, n);
        if (x != y && x != 1 && y != 1) return broadcast_failure(k, &a, &b);
        out[i] = x == 1 ? y : x;
    }
    return put_vector(k, 0, out, n);
}

/* The axes to sum a gradient over, for each side: those where the side was repeated. Axes of length 1 on both sides are named
 * too, except that of equal shapes nothing is. */
static sl_code broadcast_gradient_args_run(struct sl_kernel_context *k) {
    struct vector a, b;
    int64_t to_a[BROADCAST_RANK], to_b[BROADCAST_RANK];
    int n_a = 0, n_b = 0;
    SL_TRY(read_shape_vector(&a, k, 0));
    SL_TRY(read_shape_vector(&b, k, 1));
    int n = a.n > b.n ? a.n : b.n;
    bool is_same = a.n == b.n && memcmp(a.items, b.items, (size_t)n * sizeof *a.items) == 0;
    for (int i = 0; i < n && !is_same; i++) {
        int64_t x = broadcast_dim(&a, i, n), y = broadcast_dim(&b, i, n);
        if (x != y && x != 1 && y != 1) return broadcast_failure(k, &a, &b);
        if (x == 1) to_a[n_a++] = i;
        if (y == 1) to_b[n_b++] = i;
    }
    SL_TRY(put_vector(k, 0, to_a, n_a));
    return put_vector(k, 1, to_b, n_b);
}

static sl_code concat_offset_run(struct sl_kernel_context *k) {
    struct sl_view axis_in = sl_in(k, 0), first = sl_in(k, 1);
    int n = sl_in_count(k) - 1;
    if (axis_in.rank != 0)
        return sl_invalid(k, "Concat dim tensor should be a scalar integer, but got shape %s", SHAPE_OF(axis_in));
    for (int i = 0; i < n; i++)
        if (sl_in(k, 1 + i).rank != 1)
            return sl_invalid(k, "input %d should be a vector, but got shape %s", i, SHAPE_OF(sl_in(k, 1 + i)));
    int64_t rank = first.count, axis = sl_index_at(axis_in, 0), offset = 0;
    if (axis < -rank || axis >= rank)
        return sl_invalid(k, "Concat dim is out of range: %" PRId64 " vs. %" PRId64, axis, rank);
    if (axis < 0) axis += rank;
    for (int i = 0; i < n; i++) {
        struct sl_view x = sl_in(k, 1 + i), y;
        if (x.count != rank)
            return sl_invalid(k, "input %d should contain %" PRId64 " elements, but got %" PRId64, i, rank, x.count);
        for (int64_t d = 0; d < rank; d++)
            if (d != axis && sl_index_at(x, d) != sl_index_at(first, d))
                return sl_invalid(k,
                                  "All dimensions except %" PRId64
                                  " must match. Input %d doesn't match input 0 in dimension %" PRId64 ": %" PRId64
                                  " vs. %" PRId64,
                                  axis, i, d, sl_index_at(x, d), sl_index_at(first, d));
        SL_TRY(sl_out_new(&y, k, i, sl_view_shape(first)));
        memset(y.data, 0, (size_t)y.count * sl_dtype_size(y.dtype));
        sl_indices_store(y, axis, &offset, 1);
        offset = (int64_t)((uint64_t)offset + (uint64_t)sl_index_at(x, axis));
    }
    return SL_OK;
}

static sl_code invert_permutation_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    if (x.rank != 1) return sl_invalid(k, "invert_permutation expects a 1D vector.");
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    memset(y.data, 0xff, (size_t)y.count * sl_dtype_size(y.dtype));
    for (int64_t i = 0; i < x.count; i++) {
        int64_t at = sl_index_at(x, i);
        if (at < 0 || at >= x.count) return sl_invalid(k, "%" PRId64 " is not between 0 and %" PRId64, at, x.count);
        if (sl_index_at(y, at) != -1) return sl_invalid(k, "%" PRId64 " is duplicated in the input.", at);
        sl_indices_store(y, at, &i, 1);
    }
    return SL_OK;
}

/* Row d of the result: the coordinates along dim d. Negative indices give what truncating division gives. */
static sl_code unravel_index_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), dims_in = sl_in(k, 1), y;
    if (x.rank > 1) return sl_invalid(k, "The indices can only be scalar or vector, got \"%s\"", SHAPE_OF(x));
    if (dims_in.rank != 1) return sl_invalid(k, "The indices can only be 1-D, got \"%s\"", SHAPE_OF(dims_in));
    int64_t rank = dims_in.count, total = 1;
    for (int64_t d = 0; d < rank; d++) {
        int64_t n = sl_index_at(dims_in, d);
        if (n == 0)
            return sl_invalid(k, "Input dims cannot contain a dim of zero, but dims contains zero at index %" PRId64,
                              d);
        if (__builtin_mul_overflow(total, n, &total) ||
            (x.dtype == SL_INT32 && (total > INT32_MAX || total < INT32_MIN)))
            return sl_invalid(k, "Input dims product is causing integer overflow");
    }
    if (x.count == 0) return sl_invalid(k, "The indices must not be empty");
    for (int64_t i = 0; i < x.count; i++)
        if (sl_index_at(x, i) >= total) return sl_invalid(k, "index is out of bound as with dims");
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){1 + x.rank, (int64_t[]){rank, x.count}}));
    int64_t step = 1;
    for (int64_t d = rank - 1; d >= 0; d--) {
        int64_t n = sl_index_at(dims_in, d);
        for (int64_t i = 0; i < x.count; i++) {
            int64_t at = sl_index_at(x, i) / step % n;
            sl_indices_store(y, d * x.count + i, &at, 1);
        }
        step *= n;
    }
    return SL_OK;
}

#define CHEAP .flags = SL_KERNEL_CHEAP
/* clang-format off */
const struct sl_kernel_def sl_cpu_array_rows[] = {
    KERNEL("Shape", NO_RULE, .run = shape_run, CHEAP)
    KERNEL("ShapeN", NO_RULE, .run = shape_n_run, CHEAP)
    KERNEL("Rank", NO_RULE, .run = rank_run, CHEAP)
    KERNEL("Size", NO_RULE, .run = size_run, CHEAP)
    KERNEL("Reshape", NO_RULE, .run = reshape_run, CHEAP)
    KERNEL("ExpandDims", NO_RULE, .run = expand_dims_run, CHEAP)
    KERNEL("Squeeze", NO_RULE, .run = squeeze_run, .create = squeeze_create, .destroy = sl_free, CHEAP)
    KERNEL("Bitcast", NO_RULE, .run = bitcast_run, CHEAP)
    KERNEL("BroadcastArgs", NO_RULE, .run = broadcast_args_run, CHEAP)
    KERNEL("BroadcastGradientArgs", NO_RULE, .run = broadcast_gradient_args_run, CHEAP)
    KERNEL("ConcatOffset", NO_RULE, .run = concat_offset_run, CHEAP)
    KERNEL("InvertPermutation", NO_RULE, .run = invert_permutation_run, .cost_element = 2)
    KERNEL("UnravelIndex", NO_RULE, .run = unravel_index_run, .cost_element = 20)
    SL_ROWS_END
};
/* clang-format on */
