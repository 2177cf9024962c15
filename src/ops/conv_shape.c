/* Shape functions of convolutions, dilations and patches. Filters are spatial dims, depth in, depth out; with packed
 * channels depth out, depth in, spatial dims, pack. */
#include <inttypes.h>

#include "base/checked.h"
#include "ops/attr.h"
#include "ops/shape_functions.h"
#include "ops/shape_window.h"

/* ---- forward */
/* A filter may see a whole fraction of the channels (groups); then its outputs split alike. */
static sl_code check_depths(struct sl_shape_ctx *c, int64_t depth, int64_t filter_depth, int64_t out_depth) {
    if (depth < 0 || filter_depth < 0) return SL_OK;
    if (filter_depth == 0) return sl_infer_fail(c, "Depth of filter must not be 0");
    if (depth % filter_depth != 0)
        return sl_infer_fail(c, "Depth of input (%" PRId64 ") is not a multiple of input depth of filter (%" PRId64 ")",
                             depth, filter_depth);
    int64_t groups = depth / filter_depth;
    if (groups == 0) return sl_infer_fail(c, "Number of groups must not be 0");
    if (out_depth >= 0 && out_depth % groups != 0)
        return sl_infer_fail(c, "Depth of output (%" PRId64 ") is not a multiple of the number of groups (%" PRId64 ")",
                             out_depth, groups);
    return SL_OK;
}

/* What a convolution turns `in` into. */
static sl_code convolve(struct sl_shape_ctx *c, const struct sl_layout *l, const struct sl_shape_window *w,
                        struct sl_shape in, struct sl_shape filter, bool is_depthwise) {
    SL_TRY(sl_infer_with_rank(&in, c, in, l->rank));
    SL_TRY(sl_infer_with_rank(&filter, c, filter, l->rank));
    int64_t depth, out_depth = filter.dims[l->is_packed ? 0 : l->n + 1];
    int64_t filter_depth = filter.dims[l->is_packed ? 1 : l->n], space[SL_SPACE_MAX];
    SL_TRY(sl_infer_depth(&depth, c, l, in));
    if (l->is_packed) {
        int64_t pack;
        SL_TRY(sl_infer_with_value(&pack, c, filter.dims[4], 4));
        SL_TRY(sl_infer_multiply(&filter_depth, c, filter_depth, pack));
    }
    if (is_depthwise) {
        SL_TRY(sl_infer_merge_dim(&depth, c, depth, filter_depth));
        SL_TRY(sl_infer_multiply(&out_depth, c, depth, out_depth));
    } else {
        SL_TRY(check_depths(c, depth, filter_depth, out_depth));
    }
    for (int i = 0; i < l->n; i++)
        SL_TRY(sl_infer_windows(&space[i], c, w, i, in.dims[l->space + i], filter.dims[(l->is_packed ? 2 : 0) + i]));
    return sl_infer_set_layout(c, 0, l, in.dims[0], space, out_depth);
}

static sl_code read_conv(struct sl_layout *l, struct sl_shape_window *w, struct sl_shape_ctx *c, int n) {
    SL_TRY(sl_infer_layout(l, c, n));
    SL_TRY(sl_infer_padding(w, c, l));
    SL_TRY(sl_infer_window_list(w->stride, NULL, c, l, "strides"));
    if (!sl_attr_find(c->attrs, SL_STR("dilations"))) return SL_OK;
    return sl_infer_window_list(w->dilation, NULL, c, l, "dilations");
}

static sl_code conv(struct sl_shape_ctx *c, int n, bool is_depthwise) {
    struct sl_layout l;
    struct sl_shape_window w;
    SL_TRY(read_conv(&l, &w, c, n));
    return convolve(c, &l, &w, sl_infer_in(c, 0), sl_infer_in(c, 1), is_depthwise);
}

sl_code sl_shape_conv2d(struct sl_shape_ctx *c) { return conv(c, 2, false); }
sl_code sl_shape_conv3d(struct sl_shape_ctx *c) { return conv(c, 3, false); }
sl_code sl_shape_depthwise_conv2d(struct sl_shape_ctx *c) { return conv(c, 2, true); }

/* Output, its minimum and maximum. */
sl_code sl_shape_quantized_conv2d(struct sl_shape_ctx *c) {
    SL_TRY(conv(c, 2, false));
    SL_TRY(sl_infer_check_scalars(c, 2, 4));
    SL_TRY(sl_infer_set(c, 1, SL_SHAPE_SCALAR));
    return sl_infer_set(c, 2, SL_SHAPE_SCALAR);
}

/* Conv: any number of spatial dims and of batch dims, groups. */
sl_code sl_shape_conv(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), filter, batch, rest;
    struct sl_str format;
    int64_t batch_dims;
    SL_TRY(sl_infer_string(&format, c, "data_format"));
    SL_TRY(sl_infer_int(&batch_dims, c, "batch_dims"));
    bool is_first = sl_str_is(format, "CHANNELS_FIRST");
    if (!is_first && !sl_str_is(format, "CHANNELS_LAST"))
        return sl_infer_fail(c, "Invalid data format string: %.*s", SL_STR_ARG(format));
    if (in.rank < 0 || sl_infer_in(c, 1).rank < 0) return SL_OK;
    if (batch_dims < 1 || batch_dims >= SL_MAX_RANK) return sl_infer_fail(c, "batch_dims must be positive");
    if (in.rank < batch_dims) return sl_infer_fail(c, "Input has fewer dims than batch_dims");
    SL_TRY(sl_infer_subshape(&batch, c, in, 0, batch_dims));
    SL_TRY(sl_infer_subshape(&rest, c, in, batch_dims - 1, INT64_MAX));
    int n = rest.rank - 2;
    if (n != 2 && n != 3) return sl_infer_fail(c, "Input must have 2 or 3 spatial dimensions, but has %d", n);
    SL_TRY(sl_infer_with_rank(&filter, c, sl_infer_in(c, 1), n + 2));
    struct sl_layout l = {.n = n, .rank = n + 2, .depth = is_first ? 1 : n + 1, .space = is_first ? 2 : 1};
    struct sl_shape_window w;
    SL_TRY(sl_infer_padding(&w, c, &l));
    SL_TRY(sl_infer_window_list(w.stride, NULL, c, &l, "strides"));
    const int64_t *dilations;
    int n_dilations;
    SL_TRY(sl_infer_int_list(&dilations, &n_dilations, c, "dilations"));
    if (n_dilations) SL_TRY(sl_infer_window_list(w.dilation, NULL, c, &l, "dilations"));
    SL_TRY(convolve(c, &l, &w, rest, filter, false));
    if (batch_dims == 1) return SL_OK;
    SL_TRY(sl_infer_subshape(&batch, c, batch, 0, -1));
    SL_TRY(sl_infer_concat(&rest, c, batch, c->out[0]));
    return sl_infer_set(c, 0, rest);
}

/* ---- backwards: the shape is that of the forward op's input, or given as a value */
static sl_code shape_value(struct sl_shape_ctx *c, int i, int rank) {
    struct sl_shape out;
    SL_TRY(sl_infer_shape_of_vector(&out, c, i));
    SL_TRY(sl_infer_with_rank(&out, c, out, rank));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_filter_grad_2d(struct sl_shape_ctx *c) { return shape_value(c, 1, 4); }
sl_code sl_shape_filter_grad_3d(struct sl_shape_ctx *c) { return shape_value(c, 1, 5); }
sl_code sl_shape_input_grad_2d(struct sl_shape_ctx *c) { return shape_value(c, 0, 4); }
sl_code sl_shape_input_grad_3d(struct sl_shape_ctx *c) { return shape_value(c, 0, 5); }

static sl_code as_input(struct sl_shape_ctx *c, int i, int rank) {
    struct sl_shape out;
    SL_TRY(sl_infer_with_rank(&out, c, sl_infer_in(c, i), rank));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_as_input_4d(struct sl_shape_ctx *c) { return as_input(c, 0, 4); }
sl_code sl_shape_as_input_5d(struct sl_shape_ctx *c) { return as_input(c, 0, 5); }
sl_code sl_shape_as_filter_5d(struct sl_shape_ctx *c) { return as_input(c, 1, 5); }

/* Input sizes may be given whole, or as height and width alone; the batch is always the gradient's. */
sl_code sl_shape_conv2d_input_grad(struct sl_shape_ctx *c) {
    struct sl_shape sizes, filter, grad;
    struct sl_layout l;
    SL_TRY(sl_infer_layout(&l, c, 2));
    SL_TRY(sl_infer_shape_of_vector(&sizes, c, 0));
    SL_TRY(sl_infer_with_rank(&filter, c, sl_infer_in(c, 1), 4));
    SL_TRY(sl_infer_with_rank(&grad, c, sl_infer_in(c, 2), l.rank));
    if (sizes.rank == 2) return sl_infer_set_layout(c, 0, &l, grad.dims[0], sizes.dims, filter.dims[2]);
    SL_TRY(sl_infer_with_rank(&sizes, c, sizes, l.rank));
    int64_t batch, depth;
    SL_TRY(sl_infer_merge_dim(&depth, c, grad.dims[l.depth], filter.dims[3]));
    SL_TRY(sl_infer_merge_dim(&batch, c, sizes.dims[0], grad.dims[0]));
    SL_TRY(sl_infer_replace_dim(&sizes, c, sizes, 0, grad.dims[0]));
    return sl_infer_set(c, 0, sizes);
}

/* ---- convolutions with a pad or a resize before them */
static sl_code fused_conv(struct sl_shape_ctx *c, int paddings_at) {
    struct sl_layout l;
    struct sl_shape_window w;
    struct sl_shape in, resized, paddings;
    int64_t dims[4], size[2], value, n;
    const int64_t *values;
    SL_TRY(read_conv(&l, &w, c, 2));
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), 4));
    resized = in;
    if (paddings_at == 2) {
        SL_TRY(sl_infer_size_input(size, c, 1));
        SL_TRY(sl_infer_replace_dim(&resized, c, resized, 1, size[0]));
        SL_TRY(sl_infer_replace_dim(&resized, c, resized, 2, size[1]));
    }
    SL_TRY(sl_infer_with_rank(&paddings, c, sl_infer_in(c, paddings_at), 2));
    SL_TRY(sl_infer_with_value(&value, c, paddings.dims[1], 2));
    if (paddings.dims[0] != 4) /* an unknown number does not do either */
        return sl_infer_fail(c, "Shape must be rank %" PRId64 " but is rank 4", paddings.dims[0]);
    bool is_known = sl_infer_constant_ints(&values, &n, c, paddings_at) && n == 8;
    for (int i = 0; i < 4; i++) {
        dims[i] = -1;
        if (!is_known) continue;
        if (values[2 * i] < 0 || values[2 * i + 1] < 0) return sl_infer_fail(c, "Paddings must be non-negative");
        SL_TRY(sl_infer_add(&dims[i], c, resized.dims[i], values[2 * i]));
        SL_TRY(sl_infer_add(&dims[i], c, dims[i], values[2 * i + 1]));
    }
    struct sl_shape filter;
    SL_TRY(sl_infer_with_rank(&filter, c, sl_infer_in(c, paddings_at + 1), 4));
    SL_TRY(sl_infer_merge_dim(&value, c, dims[3], filter.dims[2])); /* no groups here */
    return convolve(c, &l, &w, (struct sl_shape){4, dims}, filter, false);
}

sl_code sl_shape_fused_pad_conv2d(struct sl_shape_ctx *c) { return fused_conv(c, 1); }
sl_code sl_shape_fused_resize_pad_conv2d(struct sl_shape_ctx *c) { return fused_conv(c, 2); }

/* ---- dilations and patches: channels last */
sl_code sl_shape_dilation2d(struct sl_shape_ctx *c) {
    struct sl_layout l;
    struct sl_shape_window w;
    struct sl_shape in, filter;
    int64_t depth, space[SL_SPACE_MAX];
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), 4));
    SL_TRY(sl_infer_with_rank(&filter, c, sl_infer_in(c, 1), 3));
    SL_TRY(sl_infer_layout(&l, c, 2));
    SL_TRY(sl_infer_padding(&w, c, &l));
    SL_TRY(sl_infer_window_list(w.stride, NULL, c, &l, "strides"));
    SL_TRY(sl_infer_window_list(w.dilation, NULL, c, &l, "rates"));
    depth = in.dims[3];
    if (in.dims[1] < 0 || in.dims[2] < 0 || filter.dims[0] < 0 || filter.dims[1] < 0)
        return sl_infer_set_dims(c, 0, 4, (int64_t[]){in.dims[0], -1, -1, filter.dims[2]});
    w.may_be_short = true;
    for (int i = 0; i < 2; i++) {
        int64_t size = w.dilation[i] == 0 ? 1 : filter.dims[i]; /* at a rate of 0 all weights fall on one pixel */
        if (w.dilation[i] == 0) w.dilation[i] = 1;
        SL_TRY(sl_infer_windows(&space[i], c, &w, i, in.dims[i + 1], size));
    }
    SL_TRY(sl_infer_merge_dim(&depth, c, depth, filter.dims[2]));
    return sl_infer_set_layout(c, 0, &l, in.dims[0], space, filter.dims[2]);
}

/* Each patch's elements become channels. */
static sl_code patches(struct sl_shape_ctx *c, int n, const char *rates) {
    struct sl_layout l;
    struct sl_shape_window w;
    struct sl_shape in;
    int64_t space[SL_SPACE_MAX], spread[SL_SPACE_MAX] = {1, 1, 1}, depth;
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), n + 2));
    SL_TRY(sl_infer_layout(&l, c, n));
    SL_TRY(sl_infer_padding(&w, c, &l));
    SL_TRY(sl_infer_window_list(w.size, NULL, c, &l, "ksizes"));
    SL_TRY(sl_infer_window_list(w.stride, NULL, c, &l, "strides"));
    if (rates) SL_TRY(sl_infer_window_list(spread, NULL, c, &l, rates));
    depth = in.dims[n + 1];
    for (int i = 0; i < n; i++) SL_TRY(sl_infer_multiply(&depth, c, depth, w.size[i]));
    w.may_be_short = true;
    for (int i = 1; i < n + 1; i++) /* of rank 4 even for volumes, that is the rule */
        if (in.dims[i] < 0) return sl_infer_set_dims(c, 0, 4, (int64_t[]){in.dims[0], -1, -1, depth});
    for (int i = 0; i < n; i++) {
        int64_t reach;
        if (!sl_mul_i64(&reach, w.size[i] - 1, spread[i] - 1) || !sl_add_i64(&reach, reach, w.size[i]) || reach < 0 ||
            w.size[i] < 0)
            return sl_infer_fail(c, "Window of %" PRId64 " elements with rate %" PRId64 " has no size", w.size[i],
                                 spread[i]);
        SL_TRY(sl_infer_windows(&space[i], c, &w, i, in.dims[i + 1], reach));
    }
    return sl_infer_set_layout(c, 0, &l, in.dims[0], space, depth);
}

sl_code sl_shape_image_patches(struct sl_shape_ctx *c) { return patches(c, 2, "rates"); }
sl_code sl_shape_volume_patches(struct sl_shape_ctx *c) { return patches(c, 3, NULL); }
