/* Attrs and sizes of windows. */
#include "backends/cpu/product/window.h"

#include <inttypes.h>
#include <string.h>

#include "ops/attr.h"

/* ---- attrs */
sl_code sl_window_list(int64_t space[SL_SPACE], int64_t *batch, int64_t *channel, const struct sl_window *w,
                       const int64_t *values, int count, const char *what, struct sl_error *err) {
    int first = w->channels_first ? 2 : 1;
    if (count != w->n + 2)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Sliding window %s field must specify %d dimensions", what, w->n + 2);
    for (int i = 0; i < count; i++)
        if (values[i] > INT32_MAX || values[i] < INT32_MIN)
            return sl_fail(err, SL_INVALID_ARGUMENT, "%s is out of range: %" PRId64, what, values[i]);
    for (int i = 0; i < SL_SPACE - w->n; i++) space[i] = 1;
    for (int i = 0; i < w->n; i++) space[SL_SPACE - w->n + i] = values[first + i];
    *batch = values[0];
    *channel = values[w->channels_first ? 1 : w->n + 1];
    return SL_OK;
}

static sl_code read_list(int64_t space[SL_SPACE], int64_t *batch, int64_t *channel, const struct sl_window *w,
                         struct sl_kernel_setup *setup, const char *name) {
    const int64_t *values;
    int count;
    for (int i = 0; i < SL_SPACE; i++) space[i] = 1;
    *batch = *channel = 1;
    if (!sl_attr_find(setup->attrs, sl_str_of(name))) return SL_OK;
    SL_TRY(sl_attr_int_list(&values, &count, setup->attrs, name, setup->err));
    if (count == 0 && strcmp(name, "dilations") == 0) return SL_OK;
    return sl_window_list(space, batch, channel, w, values, count, name, setup->err);
}

static sl_code read_padding(struct sl_window *w, struct sl_kernel_setup *setup) {
    struct sl_str text;
    const int64_t *values = NULL;
    int count = 0;
    SL_TRY(sl_attr_string(&text, setup->attrs, "padding", setup->err));
    w->padding = sl_str_is(text, "SAME") ? SL_PAD_SAME : sl_str_is(text, "EXPLICIT") ? SL_PAD_EXPLICIT : SL_PAD_VALID;
    if (sl_attr_find(setup->attrs, SL_STR("explicit_paddings")))
        SL_TRY(sl_attr_int_list(&values, &count, setup->attrs, "explicit_paddings", setup->err));
    if (w->padding != SL_PAD_EXPLICIT) {
        if (count == 0) return SL_OK;
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT");
    }
    if (count != 2 * (w->n + 2))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "explicit_paddings attribute must contain %d values, but got: %d", 2 * (w->n + 2), count);
    int first = w->channels_first ? 2 : 1;
    for (int i = 0; i < count; i++) {
        if (values[i] < 0 || values[i] > INT32_MAX)
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "All elements of explicit_paddings must be nonnegative");
        int dim = i / 2;
        if (values[i] && (dim < first || dim >= first + w->n))
            return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                           "Nonzero explicit padding in the batch or depth dimension is not supported");
        if (dim >= first && dim < first + w->n)
            (i % 2 ? w->after : w->before)[SL_SPACE - w->n + dim - first] = values[i];
    }
    return SL_OK;
}

sl_code sl_window_check(const struct sl_window *w, struct sl_error *err) {
    for (int i = 0; i < SL_SPACE; i++) {
        if (w->stride[i] <= 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Sliding window strides must be larger than 0, got %" PRId64,
                           w->stride[i]);
        if (w->dilation[i] <= 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Dilated rates should be larger than 0, got %" PRId64,
                           w->dilation[i]);
        if (w->size[i] <= 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Sliding window ksize must be larger than 0, got %" PRId64,
                           w->size[i]);
    }
    return SL_OK;
}

sl_code sl_window_read(struct sl_window *w, struct sl_kernel_setup *setup, int n) {
    struct sl_str format = {NULL, 0};
    *w = (struct sl_window){.n = n};
    if (sl_attr_find(setup->attrs, SL_STR("data_format")))
        SL_TRY(sl_attr_string(&format, setup->attrs, "data_format", setup->err));
    if (sl_str_is(format, "NCHW_VECT_C"))
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "%s does not support data format NCHW_VECT_C on CPU",
                       setup->def->op);
    w->channels_first = sl_str_starts(format, SL_STR("NC")) || sl_str_is(format, "CHANNELS_FIRST");
    SL_TRY(read_padding(w, setup));
    SL_TRY(read_list(w->stride, &w->batch_stride, &w->channel_stride, w, setup, "strides"));
    SL_TRY(read_list(w->size, &w->batch_size, &w->channel_size, w, setup, "ksize"));
    const char *dilations = sl_attr_find(setup->attrs, SL_STR("rates")) ? "rates" : "dilations";
    return read_list(w->dilation, &w->batch_dilation, &w->channel_dilation, w, setup, dilations);
}

/* ---- sizes */
struct sl_image sl_image_of(const struct sl_window *w, const int64_t *dims) {
    struct sl_image image = {.batch = dims[0], .space = {1, 1, 1}, .channels = dims[w->channels_first ? 1 : w->n + 1]};
    for (int i = 0; i < w->n; i++) image.space[SL_SPACE - w->n + i] = dims[(w->channels_first ? 2 : 1) + i];
    return image;
}

struct sl_shape sl_image_shape(int64_t dims[SL_SPACE + 2], const struct sl_window *w, const struct sl_image *image) {
    dims[0] = image->batch;
    dims[w->channels_first ? 1 : w->n + 1] = image->channels;
    for (int i = 0; i < w->n; i++) dims[(w->channels_first ? 2 : 1) + i] = image->space[SL_SPACE - w->n + i];
    return (struct sl_shape){w->n + 2, dims};
}

sl_code sl_window_fit(int64_t out[SL_SPACE], int64_t before[SL_SPACE], const struct sl_window *w,
                      const int64_t in[SL_SPACE], const int64_t size[SL_SPACE], struct sl_error *err) {
    for (int i = 0; i < SL_SPACE; i++) {
        int64_t stride = w->stride[i], reach;
        if (__builtin_mul_overflow(size[i] - 1, w->dilation[i], &reach) || reach >= INT64_MAX / 4 ||
            in[i] >= INT64_MAX / 4)
            return sl_fail(err, SL_INVALID_ARGUMENT, "The window's size %" PRId64 " is too large", size[i]);
        reach = size[i] > 0 ? reach + 1 : 0;
        if (w->padding == SL_PAD_SAME) {
            out[i] = in[i] / stride + (in[i] % stride != 0);
            int64_t padding = (out[i] - 1) * stride + reach - in[i];
            before[i] = padding > 0 ? padding / 2 : 0;
            continue;
        }
        before[i] = w->before[i];
        int64_t room = in[i] + w->before[i] + w->after[i] - reach + stride;
        out[i] = room >= 0 ? room / stride : -1;
        if (out[i] < 0)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Computed output size would be negative: %" PRId64 " [input_size: %" PRId64
                           ", effective_filter_size: %" PRId64 ", stride: %" PRId64 "]",
                           room / stride - 1, in[i], reach, stride);
    }
    return SL_OK;
}
