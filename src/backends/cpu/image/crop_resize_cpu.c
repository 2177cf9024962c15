/* CropAndResize and its gradients. A box (y1, x1, y2, x2) of an image, in parts of its height - 1 and width - 1,
 * becomes a crop of fixed size; where the box leaves the image the crop has the extrapolation value. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/wide.h"
#include "base/alloc.h"
#include "tensor/float16.h"

struct method {
    bool is_nearest;
    float outside;
};

static sl_code crop_create(void **state, struct sl_kernel_setup *setup) {
    struct method m = {0};
    struct sl_str name;
    SL_TRY(sl_attr_string(&name, setup->attrs, "method", setup->err));
    m.is_nearest = sl_str_is(name, "nearest");
    if (sl_attr_find(setup->attrs, SL_STR("extrapolation_value")))
        SL_TRY(sl_attr_float(&m.outside, setup->attrs, "extrapolation_value", setup->err));
    struct method *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = m;
    *state = made;
    return SL_OK;
}

struct crops {
    const struct method *method;
    const float *image, *boxes;
    const int32_t *index; /* the image of a box */
    int64_t n, height, width, depth, crop_height, crop_width;
    void *to;           /* crops, or a gradient */
    const float *grads; /* of the crops; NULL: forward */
    bool is_double;     /* of a gradient; otherwise float ... */
    bool is_half;       /* ... with the values that a half has */
};

/* Where element i of `n` in a crop lies in an image of `length`, for a box from `low` to `high`. */
struct place {
    float at, t; /* t: the way from `first` to `second` */
    int64_t first, second;
    bool is_inside;
};
static struct place place_of(const struct crops *c, float low, float high, int64_t length, int64_t n, int64_t i) {
    const float last = (float)(length - 1);
    const float step = n > 1 ? (high - low) * last / (float)(n - 1) : 0;
    struct place p = {.at = n > 1 ? low * last + (float)i * step : 0.5f * (low + high) * last};
    p.is_inside = p.at >= 0 && p.at <= last;
    if (!p.is_inside) return p;
    p.first = c->method->is_nearest ? (int64_t)roundf(p.at) : (int64_t)floorf(p.at);
    p.second = (int64_t)ceilf(p.at);
    p.t = p.at - (float)p.first;
    return p;
}
static struct place row_of(const struct crops *c, int64_t box, int64_t y) {
    return place_of(c, c->boxes[4 * box], c->boxes[4 * box + 2], c->height, c->crop_height, y);
}
static struct place column_of(const struct crops *c, int64_t box, int64_t x) {
    return place_of(c, c->boxes[4 * box + 1], c->boxes[4 * box + 3], c->width, c->crop_width, x);
}
static int64_t pixel_at(const struct crops *c, int64_t box, int64_t row, int64_t column) {
    return ((c->index[box] * c->height + row) * c->width + column) * c->depth;
}

/* ---- forward: items are rows of crops */
static void crop_pixel(const struct crops *c, float *to, int64_t box, const struct place *y, const struct place *x) {
    const float *a = c->image + pixel_at(c, box, y->first, x->first);
    if (c->method->is_nearest) {
        memcpy(to, a, (size_t)c->depth * sizeof *to);
        return;
    }
    const float *b = c->image + pixel_at(c, box, y->first, x->second);
    const float *d = c->image + pixel_at(c, box, y->second, x->first);
    const float *e = c->image + pixel_at(c, box, y->second, x->second);
    for (int64_t i = 0; i < c->depth; i++) {
        const float top = a[i] + (b[i] - a[i]) * x->t, bottom = d[i] + (e[i] - d[i]) * x->t;
        to[i] = top + (bottom - top) * y->t;
    }
}
static void crop_rows(void *arg, int64_t begin, int64_t end) {
    const struct crops *c = arg;
    for (int64_t i = begin; i < end; i++) {
        int64_t box = i / c->crop_height;
        struct place y = row_of(c, box, i % c->crop_height);
        for (int64_t x = 0; x < c->crop_width; x++) {
            float *to = (float *)c->to + (i * c->crop_width + x) * c->depth;
            struct place column = column_of(c, box, x);
            if (y.is_inside && column.is_inside) crop_pixel(c, to, box, &y, &column);
            else
                for (int64_t d = 0; d < c->depth; d++) to[d] = c->method->outside;
        }
    }
}

static sl_code read_image(struct crops *c, struct sl_kernel_context *k, struct sl_view image) {
    if (image.rank != 4) return sl_invalid(k, "input image must be 4-D%s", SHAPE_OF(image));
    c->height = image.dims[1];
    c->width = image.dims[2];
    c->depth = image.dims[3];
    return SL_OK;
}
/* Boxes [n, 4] and the image of each, inputs `at` and `at + 1`. */
static sl_code read_boxes(struct crops *c, struct sl_kernel_context *k, int at) {
    struct sl_view boxes = sl_in(k, at), index = sl_in(k, at + 1);
    c->boxes = boxes.data;
    c->index = index.data;
    c->n = 0;
    if (index.rank != 1) return sl_invalid(k, "box_indices must be rank 1 but is shape %s", SHAPE_OF(index));
    if (boxes.count == 0 && index.count == 0) return SL_OK;
    if (boxes.rank != 2) return sl_invalid(k, "boxes must be 2-D, got: %s", SHAPE_OF(boxes));
    if (boxes.dims[1] != 4) return sl_invalid(k, "boxes must have 4 columns");
    if (index.count != boxes.dims[0]) return sl_invalid(k, "box_index has incompatible shape");
    c->n = boxes.dims[0];
    return SL_OK;
}
static sl_code check_index(const struct crops *c, struct sl_kernel_context *k, int64_t batch) {
    for (int64_t i = 0; i < c->n; i++)
        if (c->index[i] < 0 || c->index[i] >= batch)
            return sl_fail(k->err, SL_OUT_OF_RANGE, "box_index has values outside [0, batch_size)");
    return SL_OK;
}

static sl_code crop_run(struct sl_kernel_context *k) {
    struct sl_view image = sl_in(k, 0), size = sl_in(k, 3), out;
    struct sl_wide wide;
    struct crops c = {.method = k->state};
    SL_TRY(read_image(&c, k, image));
    if (c.height <= 0 || c.width <= 0) return sl_invalid(k, "image dimensions must be positive");
    SL_TRY(read_boxes(&c, k, 1));
    if (size.rank != 1) return sl_invalid(k, "crop_size must be 1-D%s", SHAPE_OF(size));
    if (size.count != 2) return sl_invalid(k, "crop_size must have two elements%s", SHAPE_OF(size));
    c.crop_height = sl_index_at(size, 0);
    c.crop_width = sl_index_at(size, 1);
    if (c.crop_height <= 0 || c.crop_width <= 0) return sl_invalid(k, "crop dimensions must be positive");
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){4, (int64_t[]){c.n, c.crop_height, c.crop_width, c.depth}}));
    SL_TRY(check_index(&c, k, image.dims[0]));
    for (int64_t i = 0; i < 4 * c.n; i++)
        if (!isfinite(c.boxes[i])) return sl_invalid(k, "Boxes contains at least one element that is not finite");
    if (out.count == 0) return SL_OK;
    SL_TRY(sl_wide_as(&wide, k, image, SL_FLOAT));
    c.image = wide.data;
    c.to = out.data;
    sl_kernel_split(k, c.n * c.crop_height, (double)c.crop_width * (8 + 1.5 * (double)c.depth), crop_rows, &c);
    sl_wide_free(&wide);
    return SL_OK;
}

/* ---- gradients */
static sl_code read_grads(struct crops *c, struct sl_kernel_context *k, int boxes_at, struct sl_view grads) {
    if (grads.rank != 4) return sl_invalid(k, "grads image must be 4-D%s", SHAPE_OF(grads));
    c->crop_height = grads.dims[1];
    c->crop_width = grads.dims[2];
    c->grads = grads.data;
    if (c->crop_height <= 0 || c->crop_width <= 0) return sl_invalid(k, "grads dimensions must be positive");
    SL_TRY(read_boxes(c, k, boxes_at));
    if (grads.dims[0] != c->n) return sl_invalid(k, "boxes and grads have incompatible shape");
    return SL_OK;
}

static float half_float(float x) { return sl_float_of_half(sl_half_of_float(x)); }
static void add_to(const struct crops *c, int64_t at, float value) {
    float *to = (float *)c->to + at;
    if (c->is_double) ((double *)c->to)[at] += (double)value;
    else *to = c->is_half ? half_float(*to + half_float(value)) : *to + value;
}

/* Items are channels: boxes may overlap, and each element is to be summed in their order. */
static void image_grad(void *arg, int64_t begin, int64_t end) {
    const struct crops *c = arg;
    for (int64_t i = 0; i < c->n * c->crop_height; i++) {
        int64_t box = i / c->crop_height;
        struct place y = row_of(c, box, i % c->crop_height);
        for (int64_t column = 0; y.is_inside && column < c->crop_width; column++) {
            struct place x = column_of(c, box, column);
            if (!x.is_inside) continue;
            const float *grad = c->grads + (i * c->crop_width + column) * c->depth;
            int64_t a = pixel_at(c, box, y.first, x.first), b = pixel_at(c, box, y.first, x.second);
            int64_t d = pixel_at(c, box, y.second, x.first), e = pixel_at(c, box, y.second, x.second);
            for (int64_t j = begin; j < end; j++) {
                if (c->method->is_nearest) {
                    add_to(c, a + j, grad[j]);
                    continue;
                }
                const float top = (1 - y.t) * grad[j], bottom = y.t * grad[j];
                add_to(c, a + j, (1 - x.t) * top);
                add_to(c, b + j, x.t * top);
                add_to(c, d + j, (1 - x.t) * bottom);
                add_to(c, e + j, x.t * bottom);
            }
        }
    }
}

static sl_code image_grad_run(struct sl_kernel_context *k) {
    struct sl_view grads = sl_in(k, 0), size = sl_in(k, 3), out;
    struct sl_wide to;
    struct sl_shape shape;
    struct crops c = {.method = k->state};
    int64_t dims[SL_MAX_RANK];
    SL_TRY(read_grads(&c, k, 1, grads));
    if (size.rank != 1) return sl_invalid(k, "image_size must be 1-D%s", SHAPE_OF(size));
    if (size.count != 4) return sl_invalid(k, "image_size must have 4 elements%s", SHAPE_OF(size));
    SL_TRY(sl_in_shape(&shape, dims, k, 3, "image_size"));
    c.height = dims[1];
    c.width = dims[2];
    c.depth = dims[3];
    if (c.height <= 0 || c.width <= 0) return sl_invalid(k, "image dimensions must be positive");
    if (grads.dims[3] != c.depth) return sl_invalid(k, "image_size and grads are incompatible");
    SL_TRY(sl_out_new(&out, k, 0, shape));
    SL_TRY(check_index(&c, k, dims[0]));
    SL_TRY(sl_wide_out(&to, k, out));
    memset(to.data, 0, (size_t)out.count * sl_dtype_size(to.dtype));
    c.to = to.data;
    c.is_double = to.dtype == SL_DOUBLE;
    c.is_half = out.dtype == SL_HALF;
    sl_kernel_split(k, c.depth, 10 * (double)(c.n * c.crop_height * c.crop_width), image_grad, &c);
    sl_wide_store(&to, k, out);
    sl_wide_free(&to);
    return SL_OK;
}

/* How much of the gradient goes to the box's low and high side: the place of element i is low * last * (1 - part) +
 * high * last * part. */
static void side_grads(float *low, float *high, float grad, int64_t length, int64_t n, int64_t i) {
    const float last = (float)(length - 1), ratio = n > 1 ? last / (float)(n - 1) : 0;
    *low += grad * (n > 1 ? last - (float)i * ratio : 0.5f * last);
    *high += grad * (n > 1 ? (float)i * ratio : 0.5f * last);
}

static void box_grads(void *arg, int64_t begin, int64_t end) {
    const struct crops *c = arg;
    for (int64_t i = begin * c->crop_height; i < end * c->crop_height; i++) {
        int64_t box = i / c->crop_height, row = i % c->crop_height;
        float *to = (float *)c->to + 4 * box;
        struct place y = row_of(c, box, row);
        for (int64_t column = 0; y.is_inside && column < c->crop_width; column++) {
            struct place x = column_of(c, box, column);
            if (!x.is_inside) continue;
            const float *grad = c->grads + (i * c->crop_width + column) * c->depth;
            const float *a = c->image + pixel_at(c, box, y.first, x.first);
            const float *b = c->image + pixel_at(c, box, y.first, x.second);
            const float *d = c->image + pixel_at(c, box, y.second, x.first);
            const float *e = c->image + pixel_at(c, box, y.second, x.second);
            for (int64_t j = 0; j < c->depth; j++) {
                const float down = ((1 - x.t) * (d[j] - a[j]) + x.t * (e[j] - b[j])) * grad[j];
                const float right = ((1 - y.t) * (b[j] - a[j]) + y.t * (e[j] - d[j])) * grad[j];
                side_grads(&to[0], &to[2], down, c->height, c->crop_height, row);
                side_grads(&to[1], &to[3], right, c->width, c->crop_width, column);
            }
        }
    }
}

static sl_code box_grads_run(struct sl_kernel_context *k) {
    struct sl_view grads = sl_in(k, 0), image = sl_in(k, 1), out;
    struct sl_wide wide;
    struct crops c = {.method = k->state};
    SL_TRY(read_image(&c, k, image));
    if (grads.rank == 4 && (c.height <= 0 || c.width <= 0)) return sl_invalid(k, "image dimensions must be positive");
    SL_TRY(read_grads(&c, k, 2, grads));
    if (grads.dims[3] != c.depth) return sl_invalid(k, "image, grads depth differ");
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){2, (int64_t[]){c.n, 4}}));
    SL_TRY(check_index(&c, k, image.dims[0]));
    memset(out.data, 0, (size_t)out.count * sizeof(float));
    if (out.count == 0 || grads.count == 0) return SL_OK;
    SL_TRY(sl_wide_as(&wide, k, image, SL_FLOAT));
    c.image = wide.data;
    c.to = out.data;
    sl_kernel_split(k, c.n, 8 * (double)(c.crop_height * c.crop_width * c.depth), box_grads, &c);
    sl_wide_free(&wide);
    return SL_OK;
}

#define CROP .create = crop_create, .destroy = sl_free, .cost_element = 3
/* clang-format off */
const struct sl_kernel_def sl_cpu_crop_resize_rows[] = {
    KERNEL("CropAndResize", RULE("T", SL_SET_REAL), .run = crop_run, CROP)
    KERNEL("CropAndResizeGradBoxes", RULE("T", SL_SET_REAL), .run = box_grads_run, CROP)
    KERNEL("CropAndResizeGradImage", RULE("T", SL_SET(HALF) | SL_SET(FLOAT) | SL_SET(DOUBLE)), .run = image_grad_run, CROP)
    SL_ROWS_END
};
/* clang-format on */
