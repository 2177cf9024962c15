/* Joining tensors, cutting them apart, repeating them. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"
#include "base/alloc.h"

/* ---- Concat: every input is [outer, its own length of the axis * inner] */

static sl_code concat(struct sl_kernel_context *k, int axis_at, int first, int n, const char *axis_name) {
    struct sl_view axis_in = sl_in(k, axis_at), x0 = sl_in(k, first), y;
    if (axis_in.count != 1)
        return sl_invalid(k, "%s tensor should be a scalar integer, but got shape %s", axis_name, SHAPE_OF(axis_in));
    int64_t axis = sl_index_at(axis_in, 0), dims[SL_MAX_RANK], length = 0;
    int rank = x0.rank;
    if (axis < -rank || axis >= rank) {
        if (rank == 0) return sl_invalid(k, "ConcatOp : Can't concatenate scalars (use tf.stack instead)");
        return sl_invalid(k, "ConcatOp : Expected concatenating dimensions in the range [%d, %d), but got %" PRId64,
                          -rank, rank, axis);
    }
    if (axis < 0) axis += rank;
    for (int i = 0; i < n; i++) {
        struct sl_view x = sl_in(k, first + i);
        if (x.rank != rank)
            return sl_invalid(k, "ConcatOp : Ranks of all input tensors should match: shape[0] = %s vs. shape[%d] = %s",
                              SHAPE_OF(x0), i, SHAPE_OF(x));
        for (int d = 0; d < rank; d++)
            if (d != axis && x.dims[d] != x0.dims[d])
                return sl_invalid(
                    k, "ConcatOp : Dimension %d in both shapes must be equal: shape[0] = %s vs. shape[%d] = %s", d,
                    SHAPE_OF(x0), i, SHAPE_OF(x));
        length += x.dims[axis];
    }
    memcpy(dims, x0.dims, (size_t)rank * sizeof *dims);
    dims[axis] = length;
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, dims}));
    if (y.count == 0) return SL_OK;
    int64_t outer = sl_dims_product(dims, 0, (int)axis), inner = sl_dims_product(dims, (int)axis + 1, rank), at = 0;
    for (int i = 0; i < n; i++) {
        struct sl_view x = sl_in(k, first + i);
        int64_t run = x.dims[axis] * inner;
        struct sl_move m = sl_move_start();
        sl_move_dim(&m, outer, length * inner, run);
        sl_move_dim(&m, run, 1, 1);
        SL_TRY(sl_move_run(k, &m, y.dtype, sl_element(y.data, y.dtype, at), x.data));
        at += run;
    }
    return SL_OK;
}

static sl_code concat_run(struct sl_kernel_context *k) { return concat(k, 0, 1, sl_in_count(k) - 1, "concat_dim"); }
static sl_code concat_v2_run(struct sl_kernel_context *k) {
    return concat(k, sl_in_count(k) - 1, 0, sl_in_count(k) - 1, "axis");
}

/* ---- Pack: [outer, N, inner] of N times [outer, inner] */

static sl_code pack_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_int(state, setup, "axis");
}

static sl_code pack_run(struct sl_kernel_context *k) {
    struct sl_view x0 = sl_in(k, 0), y;
    int n = sl_in_count(k), rank = x0.rank + 1;
    int64_t axis = sl_state_number(k), dims[SL_MAX_RANK + 1];
    if (rank > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", rank);
    if (axis < -rank || axis >= rank) return sl_invalid(k, "axis = %" PRId64 " not in [%d, %d)", axis, -rank, rank);
    if (axis < 0) axis += rank;
    for (int i = 1; i < n; i++)
        if (!sl_same_shape(x0, sl_in(k, i)))
            return sl_invalid(k, "Shapes of all inputs must match: values[0].shape = %s != values[%d].shape = %s",
                              SHAPE_OF(x0), i, SHAPE_OF(sl_in(k, i)));
    for (int i = 0; i < rank; i++) dims[i] = i < axis ? x0.dims[i] : i == axis ? n : x0.dims[i - 1];
    if (n == 1) return sl_out_reshape(k, 0, 0, (struct sl_shape){rank, dims});
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, dims}));
    int64_t inner = sl_dims_product(dims, (int)axis + 1, rank), outer = sl_dims_product(dims, 0, (int)axis);
    for (int i = 0; i < n && y.count; i++) {
        struct sl_view x = sl_in(k, i);
        void *to = sl_element(y.data, y.dtype, i * inner);
        if (outer == 1) {
            SL_TRY(sl_move_all(k, y.dtype, to, x.data, inner));
            continue;
        }
        struct sl_move m = sl_move_start();
        sl_move_dim(&m, outer, n * inner, inner);
        sl_move_dim(&m, inner, 1, 1);
        SL_TRY(sl_move_run(k, &m, y.dtype, to, x.data));
    }
    return SL_OK;
}

/* ParallelConcat: values of one row each; the attr says the shape of the result. */
struct parallel_concat {
    struct sl_arena arena;
    struct sl_shape shape;
};

static void parallel_concat_destroy(void *state) {
    struct parallel_concat *p = state;
    sl_arena_clear(&p->arena);
    sl_free(p);
}

static sl_code parallel_concat_create(void **state, struct sl_kernel_setup *setup) {
    struct parallel_concat *p = sl_malloc(sizeof *p);
    if (!p) return sl_fail_memory(setup->err, sizeof *p);
    sl_arena_init(&p->arena);
    sl_code code = sl_attr_shape(&p->shape, &p->arena, setup->attrs, "shape", setup->err);
    if (code == SL_OK && (!sl_shape_is_known(p->shape) || p->shape.rank < 1))
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "shape of ParallelConcat must be fully known and not a scalar");
    if (code != SL_OK) {
        parallel_concat_destroy(p);
        return code;
    }
    *state = p;
    return SL_OK;
}

static sl_code parallel_concat_run(struct sl_kernel_context *k) {
    const struct parallel_concat *p = k->state;
    struct sl_view y;
    char text[SL_SHAPE_TEXT];
    int n = sl_in_count(k), rank = p->shape.rank;
    for (int i = 0; i < n; i++) {
        struct sl_view x = sl_in(k, i);
        bool fits = x.rank == rank && x.dims[0] == 1;
        for (int d = 1; fits && d < rank; d++) fits = x.dims[d] == p->shape.dims[d];
        if (!fits)
            return sl_invalid(k, "value and update shape doesn't match: %s vs. %s", sl_shape_text(text, p->shape),
                              SHAPE_OF(x));
    }
    if (n > p->shape.dims[0])
        return sl_invalid(k, "loc %d is out of range for shape %s", n - 1, sl_shape_text(text, p->shape));
    SL_TRY(sl_out_new(&y, k, 0, p->shape));
    if (n < p->shape.dims[0]) sl_move_zero(k, y);
    for (int i = 0; i < n; i++) {
        struct sl_view x = sl_in(k, i);
        SL_TRY(sl_move_all(k, y.dtype, sl_element(y.data, y.dtype, i * x.count), x.data, x.count));
    }
    return SL_OK;
}

/* ---- Split, SplitV, Unpack: the ways back */

/* Output `o`: `length` of the axis of input `i`, from `start` on. */
static sl_code cut(struct sl_kernel_context *k, int o, int i, int axis, int64_t start, int64_t length,
                   bool keeps_axis) {
    struct sl_view x = sl_in(k, i), y;
    int64_t dims[SL_MAX_RANK], outer = sl_dims_product(x.dims, 0, axis);
    int64_t inner = sl_dims_product(x.dims, axis + 1, x.rank);
    memcpy(dims, x.dims, (size_t)axis * sizeof *dims);
    int rank = axis;
    if (keeps_axis) dims[rank++] = length;
    for (int d = axis + 1; d < x.rank; d++) dims[rank++] = x.dims[d];
    if (outer == 1) return sl_move_part(k, o, i, (struct sl_shape){rank, dims}, start * inner);
    SL_TRY(sl_out_new(&y, k, o, (struct sl_shape){rank, dims}));
    if (y.count == 0) return SL_OK;
    struct sl_move m = sl_move_start();
    sl_move_dim(&m, outer, length * inner, x.dims[axis] * inner);
    sl_move_dim(&m, length * inner, 1, 1);
    return sl_move_run(k, &m, x.dtype, y.data, sl_element(x.data, x.dtype, start * inner));
}

/* SplitV, whose axis is input 2, takes a vector of one, too. */
static sl_code check_split_axis(int *out, struct sl_kernel_context *k, int i, int rank) {
    struct sl_view axis_in = sl_in(k, i);
    if (i == 2 && axis_in.count != 1) return sl_invalid(k, "split_dim_tensor must have exactly one element.");
    if (i == 0 && axis_in.rank) return sl_invalid(k, "split_dim must be a scalar but has rank %d", axis_in.rank);
    int64_t axis = sl_index_at(axis_in, 0);
    if (axis < -rank || axis >= rank)
        return sl_invalid(k, "-input rank(-%d) <= split_dim < input rank (%d), but got %" PRId64, rank, rank, axis);
    *out = (int)(axis < 0 ? axis + rank : axis);
    return SL_OK;
}

static sl_code split_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 1);
    int n = sl_out_count(k), axis = 0;
    SL_TRY(check_split_axis(&axis, k, 0, x.rank));
    if (x.dims[axis] % n)
        return sl_invalid(k,
                          "Number of ways to split should evenly divide the split dimension, but got split_dim %d "
                          "(size = %" PRId64 ") and num_split %d",
                          axis, x.dims[axis], n);
    if (n == 1) {
        sl_out_forward(k, 0, 1);
        return SL_OK;
    }
    int64_t length = x.dims[axis] / n;
    for (int o = 0; o < n; o++) SL_TRY(cut(k, o, 1, axis, o * length, length, true));
    return SL_OK;
}

static sl_code split_v_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), sizes = sl_in(k, 1);
    int n = sl_out_count(k), axis = 0;
    if (sizes.rank != 1 || sizes.count != n)
        return sl_invalid(k,
                          "size of the split_tensor must be 1-D and have the same elements as outputs got %d -D and "
                          "%" PRId64 " elements",
                          sizes.rank, sizes.count);
    SL_TRY(check_split_axis(&axis, k, 2, x.rank));
    int64_t open = -1, known = 0;
    for (int i = 0; i < n; i++) {
        int64_t size = sl_index_at(sizes, i);
        if (size == -1 && open >= 0) return sl_invalid(k, "There can only be one -1 in the input.");
        if (size == -1) open = i;
        else if (size < 0) return sl_invalid(k, "Split size at index %d must be >= 0. Got: %" PRId64, i, size);
        else if (__builtin_add_overflow(known, size, &known)) known = INT64_MAX;
    }
    if (open >= 0 ? known > x.dims[axis] : known != x.dims[axis]) {
        if (n == 1)
            return sl_invalid(k,
                              "If there is only one output, it must have the same size as the input. Input size: "
                              "%" PRId64 " output size: %" PRId64,
                              x.dims[axis], known);
        return sl_invalid(
            k,
            "Determined shape must either match input shape along split_dim exactly if fully specified, "
            "or be less than the size of the input along split_dim if not fully specified.  Got: %" PRId64,
            known);
    }
    if (n == 1) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    int64_t start = 0;
    for (int o = 0; o < n; o++) {
        int64_t length = o == open ? x.dims[axis] - known : sl_index_at(sizes, o);
        SL_TRY(cut(k, o, 0, axis, start, length, true));
        start += length;
    }
    return SL_OK;
}

static sl_code unpack_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0);
    int n = sl_out_count(k);
    int64_t axis = sl_state_number(k);
    if (axis < -x.rank || axis >= x.rank)
        return sl_invalid(k, "axis = %" PRId64 " not in [%d, %d)", axis, -x.rank, x.rank);
    if (axis < 0) axis += x.rank;
    if (x.dims[axis] != n)
        return sl_invalid(k, "Input shape axis %" PRId64 " must equal %d, got shape %s", axis, n, SHAPE_OF(x));
    for (int o = 0; o < n; o++)
        if (sl_out_is_used(k, o)) SL_TRY(cut(k, o, 0, (int)axis, o, 1, false));
    return SL_OK;
}

/* ---- Tile, BroadcastTo: dims that repeat */

static sl_code tile_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), times = sl_in(k, 1), y;
    int64_t dims[SL_MAX_RANK], strides[SL_MAX_RANK];
    if (times.rank != 1) return sl_invalid(k, "Expected multiples to be 1-D, but got shape %s", SHAPE_OF(times));
    if (times.count != x.rank)
        return sl_invalid(k, "Expected multiples argument to be a vector of length %d but got length %" PRId64, x.rank,
                          times.count);
    bool is_same = true;
    for (int i = 0; i < x.rank; i++) {
        int64_t n = sl_index_at(times, i);
        if (n < 0) return sl_invalid(k, "Expected multiples[%d] >= 0, but got %" PRId64, i, n);
        if (__builtin_mul_overflow(x.dims[i], n, &dims[i]))
            return sl_invalid(k, "Tile would overflow: dimension %d of shape %s times %" PRId64, i, SHAPE_OF(x), n);
        is_same &= n == 1;
    }
    if (is_same) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){x.rank, dims}));
    if (y.count == 0) return SL_OK;
    sl_strides_of(strides, x.rank, x.dims);
    struct sl_move m = sl_move_start();
    for (int64_t i = 0, step = y.count; i < x.rank; i++) {
        step /= dims[i];
        sl_move_dim(&m, dims[i] / x.dims[i], x.dims[i] * step, 0);
        sl_move_dim(&m, x.dims[i], step, strides[i]);
    }
    return sl_move_run(k, &m, x.dtype, y.data, x.data);
}

static sl_code broadcast_to_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), to = sl_in(k, 1), y;
    int64_t dims[SL_MAX_RANK], strides[SL_MAX_RANK];
    if (to.rank != 1) return sl_invalid(k, "shape must be a vector of {int32,int64}, got shape %s", SHAPE_OF(to));
    if (to.count > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %" PRId64, to.count);
    int rank = (int)to.count, more = rank - x.rank;
    sl_indices_load(dims, to, 0, rank);
    for (int i = 0; i < rank; i++)
        if (dims[i] < 0) return sl_invalid(k, "Dimension %" PRId64 " must be >= 0", dims[i]);
    if (more < 0)
        return sl_invalid(k, "Rank of input (%d) must be no greater than rank of output shape (%d).", x.rank, rank);
    char text[SL_SHAPE_TEXT];
    for (int i = 0; i < x.rank; i++)
        if (x.dims[i] != dims[more + i] && x.dims[i] != 1)
            return sl_invalid(k,
                              dims[more + i] == 1 ? "Unable to broadcast tensor of shape %s to tensor of shape %s"
                                                  : "Incompatible shapes: %s vs. %s",
                              SHAPE_OF(x), sl_shape_text(text, (struct sl_shape){rank, dims}));
    if (more == 0 && (rank == 0 || memcmp(dims, x.dims, (size_t)rank * sizeof *dims) == 0)) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, dims}));
    if (y.count == 0) return SL_OK;
    sl_strides_of(strides, x.rank, x.dims);
    struct sl_move m = sl_move_start();
    for (int64_t i = 0, step = y.count; i < rank; i++) {
        step /= dims[i];
        bool repeats = i < more || x.dims[i - more] == 1;
        sl_move_dim(&m, dims[i], step, repeats ? 0 : strides[i - more]);
    }
    return sl_move_run(k, &m, x.dtype, y.data, x.data);
}

/* TileGrad: the tiles of the gradient, one after the other, are added up. */
static sl_code tile_grad_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), times = sl_in(k, 1), y;
    int64_t dims[SL_MAX_RANK], strides[SL_MAX_RANK], at[SL_MAX_RANK] = {0};
    sl_combine_fn add = sl_combine_find(SL_COMBINE_ADD, x.dtype);
    if (!add) return sl_fail(k->err, SL_UNIMPLEMENTED, "TileGradientOp : The input data type is not supported");
    if (times.rank != 1) return sl_invalid(k, "Expected multiples to be 1-D, but got shape %s", SHAPE_OF(times));
    if (times.count != x.rank)
        return sl_invalid(k, "Expected multiples argument to be a vector of length %d but got length %" PRId64, x.rank,
                          times.count);
    int64_t tiles = 1;
    for (int i = 0; i < x.rank; i++) {
        int64_t n = sl_index_at(times, i);
        if (n <= 0 || x.dims[i] % n)
            return sl_invalid(k,
                              "Expected input_dim[%d] to be evenly divisible by multiples[%d], but %" PRId64
                              " %% %" PRId64 " != 0",
                              i, i, x.dims[i], n);
        dims[i] = x.dims[i] / n;
        tiles *= n;
    }
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){x.rank, dims}));
    if (y.count == 0) return SL_OK;
    int64_t bytes = y.count * (int64_t)sl_dtype_size(y.dtype);
    void *tile = sl_scratch_new((size_t)bytes);
    if (!tile) return sl_fail_memory(k->err, (size_t)bytes);
    sl_strides_of(strides, x.rank, x.dims);
    for (int64_t t = 0; t < tiles; t++) {
        struct sl_move m = sl_move_start();
        int64_t from = 0;
        for (int64_t i = 0, step = y.count; i < x.rank; i++) {
            step /= dims[i];
            from += at[i] * dims[i] * strides[i];
            sl_move_dim(&m, dims[i], step, strides[i]);
        }
        (void)sl_move_run(k, &m, x.dtype, t ? tile : y.data, sl_element(x.data, x.dtype, from));
        if (t) add(y.data, tile, (int64_t[]){0}, 1, y.count, y.count, y.count);
        for (int i = x.rank - 1; i >= 0 && ++at[i] * dims[i] == x.dims[i]; i--) at[i] = 0;
    }
    sl_scratch_free(tile, (size_t)bytes);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_array_join_rows[] = {
    KERNEL("Concat", NO_RULE, .run = concat_run, .cost_element = 0.3f)
    KERNEL("ConcatV2", NO_RULE, .run = concat_v2_run, .cost_element = 0.3f)
    KERNEL("Pack", NO_RULE, .run = pack_run, .create = pack_create, .cost_element = 0.3f)
    KERNEL("ParallelConcat", NO_RULE, .run = parallel_concat_run, .create = parallel_concat_create, .destroy = parallel_concat_destroy, .cost_element = 0.3f)
    KERNEL("Split", NO_RULE, .run = split_run, .cost_element = 0.1f)
    KERNEL("SplitV", NO_RULE, .run = split_v_run, .cost_element = 0.1f)
    KERNEL("Unpack", NO_RULE, .run = unpack_run, .create = pack_create, .cost_element = 0.1f)
    KERNEL("Tile", NO_RULE, .run = tile_run, .cost_element = 0.3f)
    KERNEL("TileGrad", NO_RULE, .run = tile_grad_run, .cost_element = 0.5f)
    KERNEL("BroadcastTo", NO_RULE, .run = broadcast_to_run, .cost_element = 0.3f)
    SL_ROWS_END
};
/* clang-format on */
