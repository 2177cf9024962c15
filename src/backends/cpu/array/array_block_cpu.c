/* Blocks of space that become depth or batch, and the ways back: all are one move of the elements, seen with more
 * dims. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"

/* ---- SpaceToDepth, DepthToSpace. The number is the block size, in the low bits the format. */
enum { NHWC, NCHW, NCHW_VECT_C };

static sl_code block_create(void **state, struct sl_kernel_setup *setup) {
    int64_t size;
    struct sl_str format;
    SL_TRY(sl_attr_int(&size, setup->attrs, "block_size", setup->err));
    SL_TRY(sl_attr_string(&format, setup->attrs, "data_format", setup->err));
    if (size < 2) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Block size should be > 1, but was: %" PRId64, size);
    if (size > INT32_MAX) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Block size is too large: %" PRId64, size);
    int number = sl_str_is(format, "NCHW") ? NCHW : sl_str_is(format, "NCHW_VECT_C") ? NCHW_VECT_C : NHWC;
    *state = (void *)(intptr_t)(size << 2 | number);
    return SL_OK;
}

/* Batch, height, width, depth of a tensor of either format; the vector of NCHW_VECT_C is `lanes` (else 1). */
struct image {
    int64_t n, h, w, c, lanes;
};

static sl_code read_image(struct image *i, struct sl_kernel_context *k, struct sl_view x, int format) {
    int rank = format == NCHW_VECT_C ? 5 : 4;
    if (x.rank != rank) return sl_invalid(k, "Input rank should be: %d instead of: %d", rank, x.rank);
    if (format == NHWC) *i = (struct image){x.dims[0], x.dims[1], x.dims[2], x.dims[3], 1};
    else *i = (struct image){x.dims[0], x.dims[2], x.dims[3], x.dims[1], rank == 5 ? x.dims[4] : 1};
    return SL_OK;
}

static sl_code new_image(struct sl_view *y, struct sl_kernel_context *k, const struct image *i, int format) {
    int64_t dims[5] = {i->n, i->c, i->h, i->w, i->lanes};
    if (format == NHWC) return sl_out_new(y, k, 0, (struct sl_shape){4, (int64_t[]){i->n, i->h, i->w, i->c}});
    return sl_out_new(y, k, 0, (struct sl_shape){format == NCHW ? 4 : 5, dims});
}

/* Moves between the deep form, whose depth is (block row, block column, c), and the wide one, whose height is (h,
 * block row) and whose width is (w, block column); `c`, `h`, `w` are the smaller sizes. */
static sl_code move_blocks(struct sl_kernel_context *k, bool to_wide, struct image i, int64_t block, int format,
                           int dtype, void *to, const void *from) {
    /* dims in the order n, h, block row, w, block column, c for NHWC; channels first otherwise */
    int64_t wide_w = i.w * block, deep_c = i.c * block * block, plane = i.h * i.w;
    struct dim {
        int64_t n, wide, deep;
    } d[7];
    if (format == NHWC) {
        int64_t row = wide_w * i.c;
        struct dim nhwc[7] = {{i.n, i.h * block * row, plane * deep_c},
                              {i.h, block * row, i.w * deep_c},
                              {block, row, block * i.c},
                              {i.w, block * i.c, deep_c},
                              {block, i.c, i.c},
                              {i.c, 1, 1},
                              {1, 0, 0}};
        memcpy(d, nhwc, sizeof d);
    } else {
        int64_t lanes = i.lanes, wide_plane = plane * block * block * lanes;
        struct dim nchw[7] = {{i.n, i.c * wide_plane, deep_c * plane * lanes},
                              {i.c, wide_plane, plane * lanes},
                              {i.h, block * wide_w * lanes, i.w * lanes},
                              {block, wide_w * lanes, block * i.c * plane * lanes},
                              {i.w, block * lanes, lanes},
                              {block, lanes, i.c * plane * lanes},
                              {lanes, 1, 1}};
        memcpy(d, nchw, sizeof d);
    }
    /* the target is walked in its own order: for the deep one that is block row, block column outside of height and
     * width */
    static const int wide_order[7] = {0, 1, 2, 3, 4, 5, 6}, deep_nhwc[7] = {0, 1, 3, 2, 4, 5, 6},
                     deep_nchw[7] = {0, 3, 5, 1, 2, 4, 6};
    const int *order = to_wide ? wide_order : format == NHWC ? deep_nhwc : deep_nchw;
    struct sl_move m = sl_move_start();
    for (int j = 0; j < 7; j++) {
        const struct dim *at = &d[order[j]];
        sl_move_dim(&m, at->n, to_wide ? at->wide : at->deep, to_wide ? at->deep : at->wide);
    }
    return sl_move_run(k, &m, dtype, to, from);
}

static sl_code depth_to_space_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    int64_t block = sl_state_number(k) >> 2, square = block * block;
    int format = (int)sl_state_number(k) & 3;
    struct image i;
    SL_TRY(read_image(&i, k, x, format));
    if (i.c % square)
        return sl_invalid(k, "Input depth dimension %" PRId64 " should be divisible by: %" PRId64, i.c, square);
    i.c /= square;
    struct image wide = {i.n, i.h * block, i.w * block, i.c, i.lanes};
    SL_TRY(new_image(&y, k, &wide, format));
    return y.count ? move_blocks(k, true, i, block, format, x.dtype, y.data, x.data) : SL_OK;
}

static sl_code space_to_depth_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    int64_t block = sl_state_number(k) >> 2;
    int format = (int)sl_state_number(k) & 3;
    struct image i;
    SL_TRY(read_image(&i, k, x, format));
    if (i.w % block || i.h % block)
        return sl_invalid(k,
                          "Image width %" PRId64 " and height %" PRId64 " should be divisible by block_size: %" PRId64,
                          i.w, i.h, block);
    i.h /= block;
    i.w /= block;
    struct image deep = {i.n, i.h, i.w, i.c * block * block, i.lanes};
    SL_TRY(new_image(&y, k, &deep, format));
    return y.count ? move_blocks(k, false, i, block, format, x.dtype, y.data, x.data) : SL_OK;
}

/* ---- SpaceToBatch, BatchToSpace: dim 0 of one side is (block index per blocked dim, batch) */

struct blocks {
    int n; /* blocked dims: dims 1 .. n of the tensor */
    int64_t size[SL_MAX_RANK], before[SL_MAX_RANK], after[SL_MAX_RANK];
    int64_t product;
};

static sl_code read_blocks(struct blocks *b, struct sl_kernel_context *k, struct sl_view x, int pads_at,
                           const char *pads_name, const char *negative) {
    struct sl_view pads = sl_in(k, pads_at);
    if (x.rank < 1 + b->n) return sl_invalid(k, "input rank should be >= %d instead of %d", 1 + b->n, x.rank);
    if (pads.rank != 2 || pads.dims[0] != b->n || pads.dims[1] != 2)
        return sl_invalid(k, "%s should have shape [%d, 2] instead of %s", pads_name, b->n, SHAPE_OF(pads));
    b->product = 1;
    for (int i = 0; i < b->n; i++) {
        if (b->size[i] < 1)
            return sl_invalid(k, "All values in block_shape must be positive, got value, %" PRId64 " at index %d.",
                              b->size[i], i);
        if (__builtin_mul_overflow(b->product, b->size[i], &b->product))
            return sl_invalid(k, "Product of block sizes must fit 64 bits");
        b->before[i] = sl_index_at(pads, 2 * i);
        b->after[i] = sl_index_at(pads, 2 * i + 1);
        if (b->before[i] < 0 || b->after[i] < 0) return sl_invalid(k, "%s must be non-negative", negative);
    }
    return SL_OK;
}

static sl_code read_block_shape(struct blocks *b, struct sl_kernel_context *k) {
    struct sl_view shape = sl_in(k, 1);
    if (shape.rank != 1) return sl_invalid(k, "block_shape rank should be 1 instead of %d", shape.rank);
    if (shape.count >= SL_MAX_RANK) return sl_invalid(k, "block_shape has too many elements: %" PRId64, shape.count);
    b->n = (int)shape.count;
    sl_indices_load(b->size, shape, 0, shape.count);
    return SL_OK;
}

/* Moves between the space side ([batch, space ..., rest]) and the batch side ([blocks ..., batch, small ..., rest]):
 * for each choice of block indices, the elements of the space side that fall on it. Position s of a dim of the batch
 * side with block index p is position s * size + p - before of the space side; what falls outside is left alone. */
static sl_code move_batches(struct sl_kernel_context *k, const struct blocks *b, bool to_batch, struct sl_view space,
                            struct sl_view batch) {
    int64_t space_strides[SL_MAX_RANK], batch_strides[SL_MAX_RANK], at[SL_MAX_RANK] = {0};
    sl_strides_of(space_strides, space.rank, space.dims);
    sl_strides_of(batch_strides, batch.rank, batch.dims);
    int64_t rest = sl_dims_product(space.dims, 1 + b->n, space.rank), n = space.dims[0];
    for (int64_t block = 0; block < b->product; block++) {
        struct sl_move m = sl_move_start();
        int64_t space_at = 0, batch_at = block * n * batch_strides[0];
        sl_move_dim(&m, n, to_batch ? batch_strides[0] : space_strides[0],
                    to_batch ? space_strides[0] : batch_strides[0]);
        for (int i = 0; i < b->n; i++) {
            int64_t size = b->size[i], shift = b->before[i] - at[i], length = space.dims[1 + i];
            /* s from `low` up to `high`: 0 <= s * size - shift < length */
            int64_t low = shift > 0 ? (shift - 1) / size + 1 : 0;
            int64_t high = shift + length > 0 ? (shift + length - 1) / size + 1 : 0;
            if (high > batch.dims[1 + i]) high = batch.dims[1 + i];
            int64_t steps = high > low ? high - low : 0;
            space_at += (low * size - shift) * space_strides[1 + i];
            batch_at += low * batch_strides[1 + i];
            int64_t in_space = size * space_strides[1 + i], in_batch = batch_strides[1 + i];
            sl_move_dim(&m, steps, to_batch ? in_batch : in_space, to_batch ? in_space : in_batch);
        }
        sl_move_dim(&m, rest, 1, 1);
        if (!m.is_empty) {
            void *s = sl_element(space.data, space.dtype, space_at), *t = sl_element(batch.data, batch.dtype, batch_at);
            SL_TRY(sl_move_run(k, &m, space.dtype, to_batch ? t : s, to_batch ? s : t));
        }
        for (int i = b->n - 1; i >= 0 && ++at[i] == b->size[i]; i--) at[i] = 0;
    }
    return SL_OK;
}

static sl_code to_batch(struct sl_kernel_context *k, struct blocks *b, int pads_at) {
    struct sl_view x = sl_in(k, 0), y;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(read_blocks(b, k, x, pads_at, "paddings", "Paddings"));
    memcpy(dims, x.dims, (size_t)x.rank * sizeof *dims);
    if (__builtin_mul_overflow(dims[0], b->product, &dims[0]))
        return sl_invalid(k,
                          "Negative output dimension size caused by overflow when multiplying %" PRId64 " and %" PRId64,
                          x.dims[0], b->product);
    bool is_padded = false;
    for (int i = 0; i < b->n; i++) {
        int64_t padded;
        if (__builtin_add_overflow(x.dims[1 + i], b->before[i], &padded) ||
            __builtin_add_overflow(padded, b->after[i], &padded))
            return sl_invalid(k, "padded_shape[%d] is too large", i);
        if (padded % b->size[i])
            return sl_invalid(k, "padded_shape[%d]=%" PRId64 " is not divisible by block_shape[%d]=%" PRId64, i, padded,
                              i, b->size[i]);
        dims[1 + i] = padded / b->size[i];
        is_padded |= padded != x.dims[1 + i];
    }
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){x.rank, dims}));
    if (y.count == 0) return SL_OK;
    if (is_padded) sl_move_zero(k, y);
    return move_batches(k, b, true, x, y);
}

static sl_code to_space(struct sl_kernel_context *k, struct blocks *b, int pads_at) {
    struct sl_view x = sl_in(k, 0), y;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(read_blocks(b, k, x, pads_at, "crops", "Crops"));
    memcpy(dims, x.dims, (size_t)x.rank * sizeof *dims);
    if (dims[0] % b->product)
        return sl_invalid(k,
                          "Input batch dimension (%" PRId64 ") is not divisible by product of block sizes (%" PRId64
                          ")",
                          dims[0], b->product);
    dims[0] /= b->product;
    for (int i = 0; i < b->n; i++) {
        int64_t whole;
        if (__builtin_mul_overflow(x.dims[1 + i], b->size[i], &whole))
            return sl_invalid(k, "cropped_shape[%d] is too large", i);
        dims[1 + i] = whole - b->before[i];
        if (__builtin_sub_overflow(dims[1 + i], b->after[i], &dims[1 + i]) || dims[1 + i] < 0)
            return sl_invalid(k, "cropped_shape[%d]=%" PRId64 " must be non-negative", i, dims[1 + i]);
    }
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){x.rank, dims}));
    return y.count ? move_batches(k, b, false, y, x) : SL_OK;
}

static sl_code space_to_batch_nd_run(struct sl_kernel_context *k) {
    struct blocks b;
    SL_TRY(read_block_shape(&b, k));
    return to_batch(k, &b, 2);
}
static sl_code batch_to_space_nd_run(struct sl_kernel_context *k) {
    struct blocks b;
    SL_TRY(read_block_shape(&b, k));
    return to_space(k, &b, 2);
}

static sl_code square_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_int(state, setup, "block_size");
}
static sl_code square_blocks(struct blocks *b, struct sl_kernel_context *k) {
    b->n = 2;
    b->size[0] = b->size[1] = sl_state_number(k);
    int rank = sl_in(k, 0).rank;
    return rank == 4 ? SL_OK : sl_invalid(k, "Input rank should be: 4instead of: %d", rank);
}
static sl_code space_to_batch_run(struct sl_kernel_context *k) {
    struct blocks b;
    SL_TRY(square_blocks(&b, k));
    return to_batch(k, &b, 1);
}
static sl_code batch_to_space_run(struct sl_kernel_context *k) {
    struct blocks b;
    SL_TRY(square_blocks(&b, k));
    return to_space(k, &b, 1);
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_array_block_rows[] = {
    KERNEL("SpaceToDepth", NO_RULE, .run = space_to_depth_run, .create = block_create, .cost_element = 0.3f)
    KERNEL("DepthToSpace", NO_RULE, .run = depth_to_space_run, .create = block_create, .cost_element = 0.3f)
    KERNEL("SpaceToBatchND", NO_RULE, .run = space_to_batch_nd_run, .cost_element = 0.3f)
    KERNEL("BatchToSpaceND", NO_RULE, .run = batch_to_space_nd_run, .cost_element = 0.3f)
    KERNEL("SpaceToBatch", NO_RULE, .run = space_to_batch_run, .create = square_create, .cost_element = 0.3f)
    KERNEL("BatchToSpace", NO_RULE, .run = batch_to_space_run, .create = square_create, .cost_element = 0.3f)
    SL_ROWS_END
};
/* clang-format on */
