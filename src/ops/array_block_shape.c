/* Shape functions of paddings, and of moves between space and batch or depth. */
#include <inttypes.h>

#include "base/checked.h"
#include "ops/shape_functions.h"

/* ---- paddings: input 1 is [rank, 2], before and after each dim */
static sl_code pad_known(struct sl_shape_ctx *c, struct sl_shape in, const int64_t *paddings, bool is_grad) {
    int64_t dims[SL_MAX_RANK + 1], both;
    for (int i = 0; i < in.rank; i++) {
        int64_t before = paddings[2 * i], after = paddings[2 * i + 1];
        if (before < 0 || after < 0) return sl_infer_fail(c, "Paddings must be non-negative");
        SL_TRY(sl_infer_add(&both, c, before, after));
        if (is_grad) SL_TRY(sl_infer_subtract(&dims[i], c, in.dims[i], both));
        else SL_TRY(sl_infer_add(&dims[i], c, in.dims[i], both));
    }
    return sl_infer_set_dims(c, 0, in.rank, dims);
}

static sl_code pad(struct sl_shape_ctx *c, bool is_grad) {
    struct sl_shape in = sl_infer_in(c, 0), paddings;
    int64_t two, n;
    const int64_t *values;
    SL_TRY(sl_infer_with_rank(&paddings, c, sl_infer_in(c, 1), 2));
    int64_t rank = paddings.dims[0];
    if (is_grad && rank < 0) return SL_OK;
    SL_TRY(sl_infer_with_value(&two, c, paddings.dims[1], 2));
    if (rank > SL_MAX_RANK) return sl_infer_fail(c, "Too many paddings: %" PRId64, rank);
    if (rank >= 0) SL_TRY(sl_infer_with_rank(&in, c, in, (int)rank));
    if (rank < 0) rank = in.rank;
    if (rank < 0) return SL_OK;
    if (sl_infer_constant_ints(&values, &n, c, 1)) {
        SL_TRY(sl_infer_with_value(&n, c, n / 2, rank));
        return pad_known(c, in, values, is_grad);
    }
    return sl_infer_set(c, 0, sl_infer_unknown_of_rank(c, (int)rank));
}

sl_code sl_shape_pad(struct sl_shape_ctx *c) { return pad(c, false); }
sl_code sl_shape_mirror_pad_grad(struct sl_shape_ctx *c) { return pad(c, true); }

/* ---- blocks of space moved into the batch and back */
struct blocks {
    int64_t n;              /* dims that have blocks */
    const int64_t *sizes;   /* NULL: unknown */
    const int64_t *borders; /* paddings or crops, [n, 2]; NULL: unknown */
};

static sl_code move_batch(int64_t *batch, struct sl_shape_ctx *c, const struct blocks *b, bool to_batch) {
    if (!b->sizes) {
        if (b->n > 0) *batch = -1;
        return SL_OK;
    }
    for (int i = 0; i < b->n; i++) {
        if (b->sizes[i] < 1) return sl_infer_fail(c, "block_shape must be positive");
        if (to_batch) SL_TRY(sl_infer_multiply(batch, c, *batch, b->sizes[i]));
        else SL_TRY(sl_infer_divide(batch, c, *batch, b->sizes[i], true));
    }
    return SL_OK;
}

static sl_code move_dim(int64_t *dim, struct sl_shape_ctx *c, const struct blocks *b, int i, bool to_batch) {
    int64_t size = *dim, both;
    *dim = -1;
    if (!b->borders) return SL_OK;
    int64_t before = b->borders[2 * i], after = b->borders[2 * i + 1];
    if (before < 0 || after < 0) return sl_infer_fail(c, "%s cannot be negative", to_batch ? "paddings" : "crops");
    if (!b->sizes) return SL_OK;
    SL_TRY(sl_infer_add(&both, c, before, after));
    if (to_batch) {
        SL_TRY(sl_infer_add(&size, c, size, both));
        return sl_infer_divide(dim, c, size, b->sizes[i], true);
    }
    SL_TRY(sl_infer_multiply(&size, c, size, b->sizes[i]));
    return sl_infer_subtract(dim, c, size, both);
}

static sl_code move_blocks(struct sl_shape_ctx *c, const struct blocks *b, struct sl_shape in, struct sl_shape borders,
                           bool to_batch) {
    int64_t value;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, in, (int)b->n + 1));
    SL_TRY(sl_infer_with_rank(&borders, c, borders, 2));
    SL_TRY(sl_infer_with_value(&value, c, borders.dims[0], b->n));
    SL_TRY(sl_infer_with_value(&value, c, borders.dims[1], 2));
    int64_t dims[SL_MAX_RANK + 1];
    for (int i = 0; i <= b->n; i++) dims[i] = sl_infer_dim(in, i);
    SL_TRY(move_batch(&dims[0], c, b, to_batch));
    for (int i = 0; i < b->n; i++) SL_TRY(move_dim(&dims[i + 1], c, b, i, to_batch));
    struct sl_shape rest, out;
    SL_TRY(sl_infer_subshape(&rest, c, in, b->n + 1, INT64_MAX));
    SL_TRY(sl_infer_concat(&out, c, (struct sl_shape){(int)b->n + 1, dims}, rest));
    return sl_infer_set(c, 0, out);
}

/* The values of an int input when they are as many as they should be. */
static const int64_t *values_of(struct sl_shape_ctx *c, int i, int64_t wanted) {
    const int64_t *values;
    int64_t n;
    return sl_infer_constant_ints(&values, &n, c, i) && n == wanted ? values : NULL;
}

static sl_code move_nd(struct sl_shape_ctx *c, bool to_batch) {
    struct sl_shape block_shape = sl_infer_in(c, 1);
    if (block_shape.rank >= 0 && block_shape.rank != 1) return sl_infer_fail(c, "block_shape must have rank 1.");
    if (block_shape.rank < 0 || block_shape.dims[0] < 0) return sl_infer_fail(c, "block_shape must have known size.");
    int64_t n = block_shape.dims[0];
    if (n >= SL_MAX_RANK) return sl_infer_fail(c, "block_shape is too long: %" PRId64, n);
    struct blocks blocks = {n, values_of(c, 1, n), values_of(c, 2, 2 * n)};
    return move_blocks(c, &blocks, sl_infer_in(c, 0), sl_infer_in(c, 2), to_batch);
}

static sl_code move_2d(struct sl_shape_ctx *c, bool to_batch) {
    struct sl_shape in;
    int64_t sizes[2];
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), 4));
    SL_TRY(sl_infer_int(&sizes[0], c, "block_size"));
    sizes[1] = sizes[0];
    struct blocks blocks = {2, sizes, values_of(c, 1, 4)};
    return move_blocks(c, &blocks, in, sl_infer_in(c, 1), to_batch);
}

sl_code sl_shape_space_to_batch_nd(struct sl_shape_ctx *c) { return move_nd(c, true); }
sl_code sl_shape_batch_to_space_nd(struct sl_shape_ctx *c) { return move_nd(c, false); }
sl_code sl_shape_space_to_batch(struct sl_shape_ctx *c) { return move_2d(c, true); }
sl_code sl_shape_batch_to_space(struct sl_shape_ctx *c) { return move_2d(c, false); }

/* ---- blocks of space moved into the depth and back */
static sl_code move_depth(struct sl_shape_ctx *c, bool to_depth) {
    struct sl_str format;
    int64_t block, area;
    SL_TRY(sl_infer_string(&format, c, "data_format"));
    SL_TRY(sl_infer_int(&block, c, "block_size"));
    if (!sl_mul_i64(&area, block, block)) return sl_infer_fail(c, "block_size is too large: %" PRId64, block);
    bool is_vect = sl_str_is(format, "NCHW_VECT_C"), is_last = sl_str_is(format, "NHWC");
    struct sl_shape in;
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), is_vect ? 5 : 4));
    int height = is_last ? 1 : 2, depth = is_last ? 3 : 1;
    int64_t dims[5];
    for (int i = 0; i < in.rank; i++) dims[i] = in.dims[i];
    if (is_vect) SL_TRY(sl_infer_with_value(&dims[4], c, dims[4], 4));
    for (int i = height; i < height + 2; i++) {
        if (to_depth) SL_TRY(sl_infer_divide(&dims[i], c, in.dims[i], block, true));
        else SL_TRY(sl_infer_multiply(&dims[i], c, in.dims[i], block));
    }
    if (to_depth) SL_TRY(sl_infer_multiply(&dims[depth], c, in.dims[depth], area));
    else SL_TRY(sl_infer_divide(&dims[depth], c, in.dims[depth], area, true));
    return sl_infer_set_dims(c, 0, in.rank, dims);
}

sl_code sl_shape_space_to_depth(struct sl_shape_ctx *c) { return move_depth(c, true); }
sl_code sl_shape_depth_to_space(struct sl_shape_ctx *c) { return move_depth(c, false); }
