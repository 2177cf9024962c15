/* Taking boxes out of tensors and putting them in: Slice, StridedSlice and its relatives. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"
#include "kernel/variable.h"
#include "ops/slice_spec.h"

/* ---- Slice */

/* True when the box of `dims` in `x` is one run of elements. */
static bool is_run(struct sl_view x, const int64_t *dims) {
    int i = 0;
    while (i < x.rank && dims[i] == 1) i++;
    for (i++; i < x.rank; i++)
        if (dims[i] != x.dims[i]) return false;
    return true;
}

static sl_code slice_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), begin_in = sl_in(k, 1), size_in = sl_in(k, 2), y;
    int64_t dims[SL_MAX_RANK], strides[SL_MAX_RANK], at = 0;
    if (begin_in.rank != 1 || size_in.rank != 1 || begin_in.count != x.rank || size_in.count != x.rank)
        return sl_invalid(
            k, "Expected begin and size arguments to be 1-D tensors of size %d, but got shapes %s and %s instead.",
            x.rank, SHAPE_OF(begin_in), SHAPE_OF(size_in));
    bool is_all = true;
    sl_strides_of(strides, x.rank, x.dims);
    for (int i = 0; i < x.rank; i++) {
        int64_t begin = sl_index_at(begin_in, i), size = sl_index_at(size_in, i), n = x.dims[i];
        if (size == -1) size = n - begin;
        if (n == 0) {
            if (begin || size)
                return sl_invalid(k,
                                  "Expected begin[%d] == 0 (got %" PRId64 ") and size[%d] == 0 (got %" PRId64
                                  ") when input.dim_size(%d) == 0",
                                  i, begin, i, size, i);
        } else {
            if (begin < 0 || begin > n)
                return sl_invalid(k, "Expected begin[%d] in [0, %" PRId64 "], but got %" PRId64, i, n, begin);
            if (size < 0 || size > n - begin)
                return sl_invalid(k, "Expected size[%d] in [0, %" PRId64 "], but got %" PRId64, i, n - begin, size);
        }
        dims[i] = size;
        at += begin * strides[i];
        is_all &= size == n;
    }
    if (is_all) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    struct sl_shape shape = {x.rank, dims};
    if (x.count && is_run(x, dims) && sl_dims_product(dims, 0, x.rank)) return sl_move_part(k, 0, 0, shape, at);
    SL_TRY(sl_out_new(&y, k, 0, shape));
    if (y.count == 0) return SL_OK;
    struct sl_move m = sl_move_start();
    for (int64_t i = 0, step = y.count; i < x.rank; i++) {
        step /= dims[i];
        sl_move_dim(&m, dims[i], step, strides[i]);
    }
    return sl_move_run(k, &m, x.dtype, y.data, sl_element(x.data, x.dtype, at));
}

/* ---- StridedSlice: the box it names in a tensor of some shape */

struct box {
    int rank; /* of the tensor */
    int64_t first[SL_MAX_RANK], count[SL_MAX_RANK], stride[SL_MAX_RANK];
    int final_rank; /* of the slice */
    int64_t final[SL_MAX_RANK];
    int64_t elements;
};

static sl_code read_box(struct box *b, struct sl_kernel_context *k, int begin_at, struct sl_shape shape) {
    struct sl_view in[3];
    int64_t entries[3][SL_SLICE_ENTRIES];
    for (int i = 0; i < 3; i++) in[i] = sl_in(k, begin_at + i);
    if (in[0].rank != 1 || in[1].rank != 1 || in[2].rank != 1 || in[0].count != in[1].count ||
        in[0].count != in[2].count)
        return sl_invalid(
            k, "Expected begin, end, and strides to be 1D equal size tensors, but got shapes %s, %s, and %s instead.",
            SHAPE_OF(in[0]), SHAPE_OF(in[1]), SHAPE_OF(in[2]));
    if (in[0].count > SL_SLICE_ENTRIES)
        return sl_invalid(k, "Slice spec has %" PRId64 " entries; at most %d are allowed", in[0].count,
                          SL_SLICE_ENTRIES);
    for (int i = 0; i < 3; i++) sl_indices_load(entries[i], in[i], 0, in[i].count);
    struct sl_slice_spec spec;
    SL_TRY(
        sl_slice_spec_make(&spec, k->state, (int)in[0].count, entries[0], entries[1], entries[2], shape.rank, k->err));
    b->rank = spec.rank;
    b->elements = 1;
    for (int i = 0; i < spec.rank; i++) {
        SL_TRY(sl_slice_range(&b->first[i], &b->count[i], &spec, i, shape.dims[i], k->err));
        b->stride[i] = spec.dims[i].is_shrunk ? 1 : spec.dims[i].stride;
        b->elements *= b->count[i];
    }
    if (spec.n_final > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", spec.n_final);
    b->final_rank = spec.n_final;
    for (int i = 0; i < spec.n_final; i++)
        b->final[i] = spec.final[i] == SL_SLICE_NEW_AXIS ? 1 : b->count[spec.final[i]];
    return SL_OK;
}

/* True when the box is one run of the tensor's elements. */
static bool is_box_run(const struct box *b, const int64_t *dims) {
    int i = 0;
    while (i < b->rank && b->count[i] == 1) i++;
    if (i < b->rank && b->stride[i] != 1) return false;
    for (i++; i < b->rank; i++)
        if (b->count[i] != dims[i] || b->stride[i] != 1) return false;
    return true;
}

/* Where the box starts in a tensor with these strides. */
static int64_t box_start(const struct box *b, const int64_t *strides) {
    int64_t at = 0;
    for (int i = 0; i < b->rank; i++) at += b->first[i] * strides[i];
    return at;
}

static sl_code strided_slice_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    struct box b;
    int64_t strides[SL_MAX_RANK];
    SL_TRY(read_box(&b, k, 1, sl_view_shape(x)));
    struct sl_shape shape = {b.final_rank, b.final};
    sl_strides_of(strides, x.rank, x.dims);
    if (b.elements && is_box_run(&b, x.dims)) {
        if (b.elements == x.count && b.final_rank == x.rank && sl_shape_equal(shape, sl_view_shape(x))) {
            sl_out_forward(k, 0, 0);
            return SL_OK;
        }
        return sl_move_part(k, 0, 0, shape, box_start(&b, strides));
    }
    SL_TRY(sl_out_new(&y, k, 0, shape));
    if (y.count == 0) return SL_OK;
    struct sl_move m = sl_move_start();
    for (int64_t i = 0, step = y.count; i < b.rank; i++) {
        step /= b.count[i];
        sl_move_dim(&m, b.count[i], step, b.stride[i] * strides[i]);
    }
    return sl_move_run(k, &m, x.dtype, y.data, sl_element(x.data, x.dtype, box_start(&b, strides)));
}

/* Puts `v`, of the box's final shape or broadcast to it, into the box of `y`. */
static sl_code put_box(struct sl_kernel_context *k, const struct box *b, struct sl_view y, struct sl_view v) {
    int64_t strides[SL_MAX_RANK], from[SL_MAX_RANK], v_strides[SL_MAX_RANK];
    if (b->elements == 0) return SL_OK;
    sl_strides_of(strides, y.rank, y.dims);
    sl_strides_of(v_strides, v.rank, v.dims);
    /* the final axes that stand for dims of the box, in order, are those that are neither new nor dropped: their
     * lengths equal, so walking both lists from the back pairs them, but for ones, which do not matter */
    int f = b->final_rank - 1;
    for (int i = b->rank - 1; i >= 0; i--) {
        from[i] = 0;
        if (b->count[i] == 1) continue;
        while (b->final[f] == 1) f--;
        int at = f - (b->final_rank - v.rank);
        if (at >= 0 && v.dims[at] != 1) from[i] = v_strides[at];
        f--;
    }
    struct sl_move m = sl_move_start();
    int64_t flip = 0; /* the target is walked upwards */
    for (int i = 0; i < b->rank; i++) {
        int64_t to = b->stride[i] * strides[i];
        if (to < 0) {
            flip += (b->count[i] - 1) * to;
            to = -to;
        }
        sl_move_dim(&m, b->count[i], to, b->stride[i] < 0 ? -from[i] : from[i]);
    }
    int64_t v_start = 0;
    for (int i = 0; i < b->rank; i++)
        if (b->stride[i] < 0) v_start += (b->count[i] - 1) * from[i];
    return sl_move_run(k, &m, y.dtype, sl_element(y.data, y.dtype, box_start(b, strides) + flip),
                       sl_element(v.data, v.dtype, v_start));
}

static sl_code strided_slice_grad_run(struct sl_kernel_context *k) {
    struct sl_view shape_in = sl_in(k, 0), dy = sl_in(k, 4), y;
    int64_t dims[SL_MAX_RANK], count;
    struct box b;
    char text[SL_SHAPE_TEXT];
    if (shape_in.rank != 1) return sl_invalid(k, "shape must be 1-D, got shape.shape = %s", SHAPE_OF(shape_in));
    if (shape_in.count > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %" PRId64, shape_in.count);
    struct sl_shape shape = {(int)shape_in.count, dims};
    sl_indices_load(dims, shape_in, 0, shape_in.count);
    SL_TRY(sl_shape_count(&count, shape, k->err));
    SL_TRY(read_box(&b, k, 1, shape));
    struct sl_shape final = {b.final_rank, b.final};
    if (!sl_shape_equal(final, sl_view_shape(dy)))
        return sl_invalid(k, "shape of dy was %s instead of %s", SHAPE_OF(dy), sl_shape_text(text, final));
    SL_TRY(sl_out_new(&y, k, 0, shape));
    if (b.elements != y.count || !is_box_run(&b, dims)) sl_move_zero(k, y);
    return put_box(k, &b, y, dy);
}

/* Whether `v` broadcasts to the box's final shape. */
static sl_code check_fits(struct sl_kernel_context *k, const struct box *b, struct sl_view v) {
    char text[SL_SHAPE_TEXT];
    bool fits = true;
    for (int i = 0; fits && i < v.rank; i++) {
        int at = b->final_rank - v.rank + i;
        fits = v.dims[i] == 1 || (at >= 0 && v.dims[i] == b->final[at]);
    }
    if (fits || !b->elements) return SL_OK;
    return sl_invalid(k, "Cannot broadcast input shape %s into final shape %s", SHAPE_OF(v),
                      sl_shape_text(text, (struct sl_shape){b->final_rank, b->final}));
}

static sl_code strided_slice_update_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), v = sl_in(k, 4), y;
    struct box b;
    SL_TRY(read_box(&b, k, 1, sl_view_shape(x)));
    SL_TRY(check_fits(k, &b, v));
    void *old = x.data;
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(x), 0, 1));
    if (y.data != old) SL_TRY(sl_move_all(k, y.dtype, y.data, old, y.count));
    return put_box(k, &b, y, v);
}

/* With the variable's lock held. */
static sl_code assign_box(struct sl_kernel_context *k, struct sl_variable *variable) {
    struct sl_view v = sl_in(k, 4), y;
    struct box b;
    SL_TRY(sl_variable_look(&y, variable, k->err));
    if (y.dtype != v.dtype)
        return sl_invalid(k, "l-value dtype %s does not match r-value dtype %s", sl_dtype_name(y.dtype),
                          sl_dtype_name(v.dtype));
    SL_TRY(read_box(&b, k, 1, sl_view_shape(y)));
    SL_TRY(check_fits(k, &b, v));
    SL_TRY(sl_variable_edit(&y, variable, k->err));
    return put_box(k, &b, y, v);
}

static sl_code strided_slice_assign_run(struct sl_kernel_context *k) {
    struct sl_variable *variable;
    SL_TRY(sl_in_variable(&variable, k, 0));
    sl_mutex_lock(&variable->mutex);
    sl_code code = assign_box(k, variable);
    sl_mutex_unlock(&variable->mutex);
    if (code == SL_OK && sl_out_count(k) > 0) sl_out_forward(k, 0, 0);
    return code;
}

/* ---- XlaDynamicSlice and XlaDynamicUpdateSlice, which Keras uses outside of XLA, too: boxes that start where input
 * `start_at` says, moved so that they lie within the tensor */

static sl_code read_dynamic_box(struct box *b, struct sl_kernel_context *k, int start_at, struct sl_view x,
                                const int64_t *sizes) {
    struct sl_view start = sl_in(k, start_at);
    if (start.rank != 1 || start.count != x.rank)
        return sl_invalid(k, "index must be a vector with length equal to the number of input dimensions");
    b->rank = b->final_rank = x.rank;
    b->elements = 1;
    for (int i = 0; i < x.rank; i++) {
        int64_t first = sl_index_at(start, i), most = x.dims[i] - sizes[i];
        if (sizes[i] < 0) return sl_invalid(k, "has negative size index to dynamic slice: %" PRId64, sizes[i]);
        if (most < 0)
            return sl_invalid(k, "slice size %" PRId64 " is greater than dimension size %" PRId64 " in dimension %d",
                              sizes[i], x.dims[i], i);
        b->first[i] = first < 0 ? 0 : first > most ? most : first;
        b->count[i] = b->final[i] = sizes[i];
        b->stride[i] = 1;
        b->elements *= sizes[i];
    }
    return SL_OK;
}

static sl_code dynamic_slice_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), sizes = sl_in(k, 2), y;
    int64_t dims[SL_MAX_RANK], strides[SL_MAX_RANK];
    struct box b;
    if (sizes.rank != 1 || sizes.count != x.rank)
        return sl_invalid(k, "%" PRId64 " slice sizes for an input of shape %s", sizes.count, SHAPE_OF(x));
    sl_indices_load(dims, sizes, 0, sizes.count);
    SL_TRY(read_dynamic_box(&b, k, 1, x, dims));
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){b.final_rank, b.final}));
    sl_strides_of(strides, x.rank, x.dims);
    struct sl_move m = sl_move_start();
    for (int64_t i = 0, step = y.count; i < b.rank && y.count; i++) {
        step /= b.count[i];
        sl_move_dim(&m, b.count[i], step, strides[i]);
    }
    if (y.count == 0) return SL_OK;
    return sl_move_run(k, &m, x.dtype, y.data, sl_element(x.data, x.dtype, box_start(&b, strides)));
}

static sl_code dynamic_update_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), v = sl_in(k, 1), y;
    struct box b;
    if (x.rank != v.rank)
        return sl_invalid(k, "input and update must have the same rank, input shape is %s; update shape is %s",
                          SHAPE_OF(x), SHAPE_OF(v));
    SL_TRY(read_dynamic_box(&b, k, 2, x, v.dims));
    void *old = x.data;
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(x), 0, 1));
    if (y.data != old) SL_TRY(sl_move_all(k, y.dtype, y.data, old, y.count));
    return put_box(k, &b, y, v);
}

static sl_code masks_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_slice_masks *m = sl_malloc(sizeof *m);
    if (!m) return sl_fail_memory(setup->err, sizeof *m);
    sl_code code = sl_slice_masks_read(m, setup->attrs, setup->err);
    if (code == SL_OK) *state = m;
    else sl_free(m);
    return code;
}

#define XLA_TYPES SL_SET_NUMBERS | SL_SET(BOOL) | SL_SET_QUANTIZED
#define MASKED    .create = masks_create, .destroy = sl_free, .cost_element = 0.3f
/* clang-format off */
const struct sl_kernel_def sl_cpu_array_slice_rows[] = {
    KERNEL("Slice", NO_RULE, .run = slice_run, .cost_element = 0.3f)
    KERNEL("StridedSlice", NO_RULE, .run = strided_slice_run, MASKED)
    KERNEL("StridedSliceGrad", NO_RULE, .run = strided_slice_grad_run, MASKED)
    KERNEL("TensorStridedSliceUpdate", NO_RULE, .run = strided_slice_update_run, MASKED)
    KERNEL("StridedSliceAssign", NO_RULE, .run = strided_slice_assign_run, MASKED)
    KERNEL("ResourceStridedSliceAssign", NO_RULE, .run = strided_slice_assign_run, MASKED)
    KERNEL("XlaDynamicSlice", RULE("T", XLA_TYPES), .run = dynamic_slice_run, .cost_element = 0.3f)
    KERNEL("XlaDynamicUpdateSlice", RULE("T", XLA_TYPES), .run = dynamic_update_run, .cost_element = 0.3f)
    SL_ROWS_END
};
/* clang-format on */
