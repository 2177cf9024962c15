/* FusedPadConv2D and FusedResizeAndPadConv2D: an image is resized (bilinear), mirrored at its edges and convolved,
 * channels last. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/product/conv.h"
#include "backends/cpu/resize.h"
#include "backends/cpu/wide.h"
#include "base/alloc.h"
#include "base/checked.h"

struct fused {
    struct sl_window window;
    int offset; /* of the mirror: 1 leaves the edge itself out (REFLECT) */
    bool is_resized, is_aligned;
};

static sl_code fused_create(void **state, struct sl_kernel_setup *setup) {
    struct fused f = {.is_resized = strcmp(setup->def->op, "FusedResizeAndPadConv2D") == 0};
    struct sl_str mode;
    SL_TRY(sl_window_read(&f.window, setup, 2));
    if (f.window.batch_stride != 1 || f.window.channel_stride != 1)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Current implementation does not yet support strides in the batch and depth dimensions.");
    SL_TRY(sl_window_check(&f.window, setup->err));
    SL_TRY(sl_attr_string(&mode, setup->attrs, "mode", setup->err));
    f.offset = sl_str_is(mode, "REFLECT");
    if (f.is_resized) SL_TRY(sl_attr_bool(&f.is_aligned, setup->attrs, "resize_align_corners", setup->err));
    struct fused *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = f;
    *state = made;
    return SL_OK;
}

struct frame {
    int64_t before[2], after[2];
};
static sl_code read_frame(struct frame *f, struct sl_kernel_context *k, int i, const int64_t size[2]) {
    const struct fused *fused = k->state;
    struct sl_view v = sl_in(k, i);
    if (v.rank != 2 || v.dims[0] != 4 || v.dims[1] != 2)
        return sl_invalid(k, "paddings must be a matrix with 4 rows and 2 columns: %s", SHAPE_OF(v));
    for (int d = 0; d < 4; d++) {
        int64_t before = sl_index_at(v, 2 * d), after = sl_index_at(v, 2 * d + 1);
        if (before < 0 || after < 0)
            return sl_invalid(k, "paddings must be non-negative: %" PRId64 " %" PRId64, before, after);
        if ((d == 0 || d == 3) && (before || after))
            return sl_invalid(k, "Only padding of height and width is supported");
        if (d == 0 || d == 3) continue;
        int64_t most = size[d - 1] - fused->offset;
        if (before > most || after > most)
            return sl_invalid(k,
                              "paddings must be no greater than the dimension size: %" PRId64 ", %" PRId64
                              " greater than %" PRId64,
                              before, after, size[d - 1]);
        f->before[d - 1] = before;
        f->after[d - 1] = after;
    }
    return SL_OK;
}

/* Which element of `n` mirrors the one at `at`, before or behind them. */
static int64_t mirrored(int64_t at, int64_t n, int offset) {
    if (at < 0) return -at - 1 + offset;
    return at < n ? at : 2 * n - at - 1 - offset;
}

struct padding {
    char *to;
    const char *from;
    const struct frame *frame;
    int64_t height, width, to_height, to_width;
    size_t pixel; /* bytes */
    int offset;
};
/* Rows of the padded images. */
static void pad_rows(void *arg, int64_t begin, int64_t end) {
    const struct padding *p = arg;
    for (int64_t i = begin; i < end; i++) {
        const int64_t y = mirrored(i % p->to_height - p->frame->before[0], p->height, p->offset);
        const char *from = p->from + (size_t)((i / p->to_height * p->height + y) * p->width) * p->pixel;
        char *to = p->to + (size_t)(i * p->to_width) * p->pixel;
        const int64_t before = p->frame->before[1], after = before + p->width;
        memcpy(to + (size_t)before * p->pixel, from, (size_t)p->width * p->pixel);
        for (int64_t x = 0; x < p->to_width; x++)
            if (x < before || x >= after)
                memcpy(to + (size_t)x * p->pixel, from + (size_t)mirrored(x - before, p->width, p->offset) * p->pixel,
                       p->pixel);
    }
}

/* Scratch memory of one call. */
struct rooms {
    struct sl_wide in, filter, out;
    void *resized, *padded;
    size_t resized_bytes, padded_bytes;
};
static void rooms_free(struct rooms *r) {
    sl_wide_free(&r->in);
    sl_wide_free(&r->filter);
    sl_wide_free(&r->out);
    if (r->resized) sl_scratch_free(r->resized, r->resized_bytes);
    if (r->padded) sl_scratch_free(r->padded, r->padded_bytes);
}

static sl_code room_new(void **p, size_t *bytes, struct sl_kernel_context *k, const int64_t dims[4], size_t element) {
    int64_t count = (int64_t)element;
    for (int d = 0; d < 4; d++)
        if (!sl_mul_i64(&count, count, dims[d])) return sl_invalid(k, "the image is too large");
    *bytes = (size_t)count + 1;
    *p = sl_scratch_new(*bytes);
    return *p ? SL_OK : sl_fail_memory(k->err, *bytes);
}

/* The same as resize.c does, in double. */
static void resize_doubles(double *to, const double *from, const struct sl_resize_axis *y,
                           const struct sl_resize_axis *x, int64_t batch, int64_t channels) {
    for (int64_t i = 0; i < batch * y->out; i++) {
        const int64_t row = i % y->out, width = x->in * channels;
        const double *image = from + i / y->out * y->in * width;
        const double *top = image + y->index[2 * row] * width, *bottom = image + y->index[2 * row + 1] * width;
        const double down = (double)y->weight[2 * row + 1];
        for (int64_t column = 0; column < x->out; column++) {
            const int64_t left = x->index[2 * column] * channels, right = x->index[2 * column + 1] * channels;
            const double across = (double)x->weight[2 * column + 1];
            for (int64_t c = 0; c < channels; c++) {
                const double a = top[left + c] + (top[right + c] - top[left + c]) * across;
                const double b = bottom[left + c] + (bottom[right + c] - bottom[left + c]) * across;
                *to++ = a + (b - a) * down;
            }
        }
    }
}

/* Leaves the resized image at `*pixels`. */
static sl_code resize(void **pixels, struct rooms *r, struct sl_kernel_context *k, struct sl_view in,
                      const int64_t dims[4]) {
    const struct fused *f = k->state;
    const enum sl_resize_grid grid = f->is_aligned ? SL_GRID_ALIGNED : SL_GRID_CORNERS;
    struct sl_resize_axis y = {0}, x = {0};
    SL_TRY(room_new(&r->resized, &r->resized_bytes, k, dims, sl_dtype_size(r->in.dtype)));
    sl_code code = sl_resize_axis_new(&y, SL_RESIZE_BILINEAR, grid, in.dims[1], dims[1], k->err);
    if (code == SL_OK) code = sl_resize_axis_new(&x, SL_RESIZE_BILINEAR, grid, in.dims[2], dims[2], k->err);
    if (code == SL_OK && r->in.dtype == SL_DOUBLE) resize_doubles(r->resized, *pixels, &y, &x, dims[0], dims[3]);
    else if (code == SL_OK) code = sl_resize_run(k, SL_RESIZE_BILINEAR, &y, &x, dims[0], dims[3], r->resized, *pixels);
    sl_resize_axis_free(&y);
    sl_resize_axis_free(&x);
    *pixels = r->resized;
    return code;
}

static sl_code pad(void **pixels, struct rooms *r, struct sl_kernel_context *k, const struct frame *frame,
                   const int64_t dims[4], const int64_t padded[4]) {
    const struct fused *f = k->state;
    const size_t element = sl_dtype_size(r->in.dtype);
    if (!frame->before[0] && !frame->before[1] && !frame->after[0] && !frame->after[1]) return SL_OK;
    SL_TRY(room_new(&r->padded, &r->padded_bytes, k, padded, element));
    struct padding p = {.to = r->padded,
                        .from = *pixels,
                        .frame = frame,
                        .height = dims[1],
                        .width = dims[2],
                        .to_height = padded[1],
                        .to_width = padded[2],
                        .pixel = (size_t)dims[3] * element,
                        .offset = f->offset};
    sl_kernel_split(k, padded[0] * padded[1], (double)padded[2] * (double)p.pixel / 8, pad_rows, &p);
    *pixels = r->padded;
    return SL_OK;
}

/* What is convolved has the shape `dims`. */
static sl_code plan(struct sl_conv_spec *c, struct sl_kernel_context *k, const int64_t dims[4], struct sl_view filter) {
    const struct fused *f = k->state;
    if (filter.rank != 4) return sl_invalid(k, "filter must be 4-dimensional: %s", SHAPE_OF(filter));
    for (int d = 0; d < 4; d++)
        if (filter.dims[d] <= 0 || filter.dims[d] > INT32_MAX)
            return sl_invalid(k, "filter must not be empty: %s", SHAPE_OF(filter));
    if (filter.dims[2] != dims[3])
        return sl_invalid(k, "input and filter must have the same depth: %" PRId64 " vs %" PRId64, dims[3],
                          filter.dims[2]);
    *c = (struct sl_conv_spec){.groups = 1,
                               .in = sl_image_of(&f->window, dims),
                               .size = {1, filter.dims[0], filter.dims[1]},
                               .stride = {1, f->window.stride[1], f->window.stride[2]},
                               .dilation = {1, 1, 1}};
    c->out = (struct sl_image){.batch = dims[0], .channels = filter.dims[3]};
    return sl_window_fit(c->out.space, c->before, &f->window, c->in.space, c->size, k->err);
}

static sl_code fused_run(struct sl_kernel_context *k) {
    const struct fused *f = k->state;
    struct sl_view in = sl_in(k, 0), filter = sl_in(k, sl_in_count(k) - 1), out;
    struct frame frame;
    struct sl_conv_spec c;
    int64_t dims[4], padded[4], out_dims[SL_SPACE + 2];
    if (in.rank != 4) return sl_invalid(k, "input must be 4-dimensional: %s", SHAPE_OF(in));
    if (in.count == 0) return sl_invalid(k, "input must not be empty: %s", SHAPE_OF(in));
    memcpy(dims, in.dims, sizeof dims);
    if (f->is_resized) {
        struct sl_view size = sl_in(k, 1);
        if (size.rank != 1 || size.count != 2)
            return sl_invalid(k, "size must be a vector of two elements: %s", SHAPE_OF(size));
        for (int d = 0; d < 2; d++) dims[1 + d] = sl_index_at(size, d);
        if (dims[1] <= 0 || dims[2] <= 0) return sl_invalid(k, "output dimensions must be positive");
        if (in.dims[1] <= 0 || in.dims[2] <= 0) return sl_invalid(k, "input image must be of non-zero size");
    }
    SL_TRY(read_frame(&frame, k, f->is_resized ? 2 : 1, dims + 1));
    memcpy(padded, dims, sizeof padded);
    for (int d = 0; d < 2; d++) {
        padded[1 + d] += frame.before[d] + frame.after[d];
        if (in.dims[1 + d] > INT32_MAX || padded[1 + d] > INT32_MAX)
            return sl_invalid(k, "Input dimensions are too large");
    }
    SL_TRY(plan(&c, k, padded, filter));
    SL_TRY(sl_out_new(&out, k, 0, sl_image_shape(out_dims, &f->window, &c.out)));
    if (out.count == 0) return SL_OK;
    struct rooms r = {0};
    void *pixels;
    sl_code code = sl_wide_in(&r.in, k, in);
    pixels = r.in.data;
    if (code == SL_OK && f->is_resized) code = resize(&pixels, &r, k, in, dims);
    if (code == SL_OK) code = pad(&pixels, &r, k, &frame, dims, padded);
    if (code == SL_OK) code = sl_wide_in(&r.filter, k, filter);
    if (code == SL_OK) code = sl_wide_out(&r.out, k, out);
    c.is_double = r.filter.dtype == SL_DOUBLE;
    if (code == SL_OK) code = sl_conv_forward(k, &c, pixels, r.filter.data, r.out.data);
    if (code == SL_OK) sl_wide_store(&r.out, k, out);
    rooms_free(&r);
    return code;
}

#define FUSED .run = fused_run, .create = fused_create, .destroy = sl_free, .cost_ns = 500, .cost_element = 20
/* clang-format off */
const struct sl_kernel_def sl_cpu_fused_conv_rows[] = {
    KERNEL("FusedPadConv2D", RULE("T", SL_SET_FLOATS), FUSED)
    KERNEL("FusedResizeAndPadConv2D", RULE("T", SL_SET(HALF) | SL_SET(FLOAT) | SL_SET(DOUBLE)), FUSED)
    SL_ROWS_END
};
/* clang-format on */
