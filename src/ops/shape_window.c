/* Layouts, window attrs, output sizes. Sizes: (size - reach) / stride + 1 for windows of `reach` elements. */
#include "ops/shape_window.h"

#include <inttypes.h>

#include "ops/attr.h"

/* ---- layouts */
sl_code sl_infer_layout(struct sl_layout *out, struct sl_shape_ctx *c, int n) {
    struct sl_str format = {NULL, 0};
    if (sl_attr_find(c->attrs, SL_STR("data_format"))) SL_TRY(sl_infer_string(&format, c, "data_format"));
    bool is_packed = sl_str_is(format, "NCHW_VECT_C");
    bool is_first = is_packed || sl_str_is(format, "NCHW") || sl_str_is(format, "NCDHW");
    if (!is_first && format.n && !sl_str_is(format, "NHWC") && !sl_str_is(format, "NDHWC"))
        return sl_infer_fail(c, "Invalid data format string: %.*s", SL_STR_ARG(format));
    *out = (struct sl_layout){.n = n,
                              .rank = n + 2 + is_packed,
                              .depth = is_first ? 1 : n + 1,
                              .space = is_first ? 2 : 1,
                              .is_packed = is_packed};
    return SL_OK;
}

sl_code sl_infer_depth(int64_t *out, struct sl_shape_ctx *c, const struct sl_layout *l, struct sl_shape s) {
    int64_t pack;
    *out = s.dims[l->depth];
    if (!l->is_packed) return SL_OK;
    SL_TRY(sl_infer_with_value(&pack, c, s.dims[l->rank - 1], 4));
    return sl_infer_multiply(out, c, *out, pack);
}

sl_code sl_infer_set_layout(struct sl_shape_ctx *c, int o, const struct sl_layout *l, int64_t batch,
                            const int64_t *space, int64_t depth) {
    int64_t dims[SL_SPACE_MAX + 3];
    dims[0] = batch;
    for (int i = 0; i < l->n; i++) dims[l->space + i] = space[i];
    dims[l->depth] = depth;
    if (l->is_packed) {
        SL_TRY(sl_infer_divide(&dims[l->depth], c, depth, 4, true));
        dims[l->rank - 1] = 4;
    }
    return sl_infer_set_dims(c, o, l->rank, dims);
}

/* ---- attrs */
sl_code sl_infer_window_list(int64_t *space, int64_t *depth, struct sl_shape_ctx *c, const struct sl_layout *l,
                             const char *attr) {
    const int64_t *values;
    int n, wanted = l->n + 2;
    SL_TRY(sl_infer_int_list(&values, &n, c, attr));
    if (n != wanted)
        return sl_infer_fail(c, "%.*s requires the %s attribute to contain %d values, but got: %d",
                             SL_STR_ARG(c->op->name), attr, wanted, n);
    for (int i = 0; i < l->n; i++) space[i] = values[l->space + i];
    if (depth) *depth = values[l->depth];
    return SL_OK;
}

static sl_code read_explicit(struct sl_shape_window *w, struct sl_shape_ctx *c, const struct sl_layout *l) {
    const int64_t *values;
    int n, wanted = 2 * (l->n + 2);
    SL_TRY(sl_infer_int_list(&values, &n, c, "explicit_paddings"));
    if (w->padding != SL_PADDING_EXPLICIT) {
        if (n == 0) return SL_OK;
        return sl_infer_fail(c, "explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT");
    }
    if (n != wanted)
        return sl_infer_fail(c, "explicit_paddings attribute must contain %d values, but got: %d", wanted, n);
    for (int i = 0; i < n; i++)
        if (values[i] < 0) return sl_infer_fail(c, "All elements of explicit_paddings must be nonnegative");
    if (values[0] || values[1] || values[2 * l->depth] || values[2 * l->depth + 1])
        return sl_infer_fail(c, "Nonzero explicit padding in the batch or depth dimension is not supported");
    for (int i = 0; i < l->n; i++) {
        w->before[i] = values[2 * (l->space + i)];
        w->after[i] = values[2 * (l->space + i) + 1];
    }
    return SL_OK;
}

sl_code sl_infer_padding(struct sl_shape_window *w, struct sl_shape_ctx *c, const struct sl_layout *l) {
    struct sl_str text;
    *w = (struct sl_shape_window){.depth_size = 1, .depth_stride = 1};
    for (int i = 0; i < SL_SPACE_MAX; i++) w->size[i] = w->stride[i] = w->dilation[i] = 1;
    SL_TRY(sl_infer_string(&text, c, "padding"));
    if (sl_str_is(text, "VALID")) w->padding = SL_PADDING_VALID;
    else if (sl_str_is(text, "SAME")) w->padding = SL_PADDING_SAME;
    else if (sl_str_is(text, "EXPLICIT")) w->padding = SL_PADDING_EXPLICIT;
    else return sl_infer_fail(c, "Invalid padding: %.*s", SL_STR_ARG(text));
    return sl_attr_find(c->attrs, SL_STR("explicit_paddings")) ? read_explicit(w, c, l) : SL_OK;
}

/* ---- sizes */
sl_code sl_infer_windows(int64_t *out, struct sl_shape_ctx *c, const struct sl_shape_window *w, int i, int64_t size,
                         int64_t window) {
    int64_t stride = w->stride[i], dilation = w->dilation[i], reach;
    *out = -1;
    if (stride <= 0) return sl_infer_fail(c, "Stride must be > 0, but got %" PRId64, stride);
    if (dilation < 1) return sl_infer_fail(c, "Dilation rate must be >= 1, but got %" PRId64, dilation);
    if (size < 0 || (window < 0 && w->padding != SL_PADDING_SAME)) return SL_OK;
    if (w->padding == SL_PADDING_SAME) {
        *out = size / stride + (size % stride != 0);
        return SL_OK;
    }
    SL_TRY(sl_infer_subtract(&reach, c, window, dilation > 1 ? 1 : 0));
    if (dilation > 1) {
        SL_TRY(sl_infer_multiply(&reach, c, reach, dilation));
        SL_TRY(sl_infer_add(&reach, c, reach, 1));
    }
    SL_TRY(sl_infer_add(&size, c, size, w->before[i]));
    SL_TRY(sl_infer_add(&size, c, size, w->after[i]));
    if (w->may_be_short && size < reach) {
        *out = (size - reach + stride) / stride;
        if (*out >= 0) return SL_OK;
        return sl_infer_fail(c,
                             "Computed output size would be negative: %" PRId64 " [input_size: %" PRId64
                             ", effective_filter_size: %" PRId64 ", stride: %" PRId64 "]",
                             *out, size, reach, stride);
    }
    SL_TRY(sl_infer_subtract(&size, c, size, reach));
    return sl_infer_add(out, c, size / stride, 1);
}
