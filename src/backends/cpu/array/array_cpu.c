/* Arithmetic on shapes, and elements seen as another type. What moves elements is in the array_*_cpu.c beside it;
 * what only tells or changes a shape in backends/any. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"

/* ---- the same bits as another type */

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

/* The axes to sum a gradient over, for each side: those where the side was repeated. Axes of length 1 on both sides
 * are named too, except that of equal shapes nothing is. */
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

/* "[2 7 10]" */
static const char *vector_text(char text[SL_SHAPE_TEXT], struct sl_view v) {
    int64_t items[SL_MAX_RANK];
    int n = v.count < SL_MAX_RANK ? (int)v.count : SL_MAX_RANK;
    sl_indices_load(items, v, 0, n);
    sl_shape_text(text, (struct sl_shape){n, items});
    for (char *c = text; *c; c++)
        if (*c == ',') *c = ' ';
    return text;
}

static sl_code concat_offset_run(struct sl_kernel_context *k) {
    struct sl_view axis_in = sl_in(k, 0), first = sl_in(k, 1);
    int n = sl_in_count(k) - 1;
    if (axis_in.rank != 0)
        return sl_invalid(k, "Concat dim tensor should be a scalar integer, but got shape %s", SHAPE_OF(axis_in));
    for (int i = 0; i < n; i++)
        if (sl_in(k, 1 + i).rank != 1)
            return sl_invalid(k, "input %d should be a vector, but got shape %s", 1 + i, SHAPE_OF(sl_in(k, 1 + i)));
    int64_t rank = first.count, axis = sl_index_at(axis_in, 0), offset = 0;
    if (axis < -rank || axis >= rank)
        return sl_invalid(k, "Concat dim is out of range: %" PRId64 " vs. %" PRId64, axis, rank);
    if (axis < 0) axis += rank;
    for (int i = 0; i < n; i++) {
        struct sl_view x = sl_in(k, 1 + i), y;
        if (x.count != rank)
            return sl_invalid(k, "input %d should contain %" PRId64 " elements, but got %" PRId64, i, rank, x.count);
        for (int64_t d = 0; d < rank; d++)
            if (d != axis && sl_index_at(x, d) != sl_index_at(first, d)) {
                char is[SL_SHAPE_TEXT], should_be[SL_SHAPE_TEXT];
                return sl_invalid(k,
                                  "All dimensions except %" PRId64
                                  " must match. Input %d has shape %s and doesn't match input 0 with shape %s.",
                                  axis, i, vector_text(is, x), vector_text(should_be, first));
            }
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
    KERNEL("Bitcast", NO_RULE, .run = bitcast_run, CHEAP)
    KERNEL("BroadcastArgs", NO_RULE, .run = broadcast_args_run, CHEAP)
    KERNEL("BroadcastGradientArgs", NO_RULE, .run = broadcast_gradient_args_run, CHEAP)
    KERNEL("ConcatOffset", NO_RULE, .run = concat_offset_run, CHEAP)
    KERNEL("InvertPermutation", NO_RULE, .run = invert_permutation_run, .cost_element = 2)
    KERNEL("UnravelIndex", NO_RULE, .run = unravel_index_run, .cost_element = 20)
    SL_ROWS_END
};
/* clang-format on */
