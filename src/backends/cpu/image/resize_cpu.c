/* ResizeNearestNeighbor, ResizeBilinear, ResizeBicubic, ResizeArea and the gradients: attrs, checks, types. resize.c
 * does the work in float; nearest neighbours are copied as they are. */
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/resize.h"
#include "backends/cpu/types.inc"
#include "backends/cpu/wide.h"

/* The state is the grid, which may have both flags where there is a grid for them. */
static sl_code create(void **state, struct sl_kernel_setup *setup, bool takes_both) {
    bool is_aligned, is_centred = false;
    SL_TRY(sl_attr_bool(&is_aligned, setup->attrs, "align_corners", setup->err));
    if (sl_attr_find(setup->attrs, SL_STR("half_pixel_centers")))
        SL_TRY(sl_attr_bool(&is_centred, setup->attrs, "half_pixel_centers", setup->err));
    if (is_aligned && is_centred && !takes_both)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "If half_pixel_centers is True, align_corners must be False.");
    *state = (void *)(intptr_t)(is_aligned   ? (is_centred ? SL_GRID_ALIGNED_CENTRES : SL_GRID_ALIGNED)
                                : is_centred ? SL_GRID_CENTRES
                                             : SL_GRID_CORNERS);
    return SL_OK;
}
static sl_code resize_create(void **state, struct sl_kernel_setup *setup) { return create(state, setup, false); }
static sl_code nearest_grad_create(void **state, struct sl_kernel_setup *setup) { return create(state, setup, true); }
static enum sl_resize_grid grid_of(const struct sl_kernel_context *k) {
    return (enum sl_resize_grid)sl_state_number(k);
}

struct axes {
    struct sl_resize_axis y, x;
};
static void axes_free(struct axes *a) {
    sl_resize_axis_free(&a->y);
    sl_resize_axis_free(&a->x);
}
static sl_code axes_new(struct axes *a, struct sl_kernel_context *k, enum sl_resize_method method, const int64_t in[2],
                        const int64_t out[2]) {
    *a = (struct axes){0};
    for (int d = 0; d < 2; d++)
        if (in[d] > INT32_MAX || out[d] > INT32_MAX) return sl_invalid(k, "input sizes must fit in 32 bits");
    sl_code code = sl_resize_axis_new(&a->y, method, grid_of(k), in[0], out[0], k->err);
    if (code == SL_OK) code = sl_resize_axis_new(&a->x, method, grid_of(k), in[1], out[1], k->err);
    if (code != SL_OK) axes_free(a);
    return code;
}

/* Height and width, input i. */
static sl_code read_size(int64_t size[2], struct sl_kernel_context *k, int i) {
    struct sl_view v = sl_in(k, i);
    if (v.rank != 1) return sl_invalid(k, "shape_t must be 1-dimensional%s", SHAPE_OF(v));
    if (v.count != 2) return sl_invalid(k, "shape_t must have two elements%s", SHAPE_OF(v));
    for (int d = 0; d < 2; d++) size[d] = sl_index_at(v, d);
    return SL_OK;
}

/* ---- forward */
static sl_code make_out(struct sl_view *out, int64_t size[2], struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0);
    if (in.rank != 4) return sl_invalid(k, "input must be 4-dimensional%s", SHAPE_OF(in));
    SL_TRY(read_size(size, k, 1));
    if (size[0] <= 0 || size[1] <= 0) return sl_invalid(k, "output dimensions must be positive");
    if (in.dims[3] <= 0) return sl_invalid(k, "image must have at least one channel");
    if (in.dims[1] <= 0 || in.dims[2] <= 0) return sl_invalid(k, "input image must be of non-zero size");
    return sl_out_new(out, k, 0, (struct sl_shape){4, (int64_t[]){in.dims[0], size[0], size[1], in.dims[3]}});
}

static sl_code resize_as_float(struct sl_kernel_context *k, enum sl_resize_method method) {
    struct sl_view in = sl_in(k, 0), out;
    struct sl_wide x;
    struct axes a;
    int64_t size[2];
    SL_TRY(make_out(&out, size, k));
    if (out.count == 0) return SL_OK;
    SL_TRY(axes_new(&a, k, method, in.dims + 1, size));
    sl_code code = sl_wide_as(&x, k, in, SL_FLOAT);
    if (code == SL_OK) {
        code = sl_resize_run(k, method, &a.y, &a.x, in.dims[0], in.dims[3], out.data, x.data);
        sl_wide_free(&x);
    }
    axes_free(&a);
    return code;
}
static sl_code bilinear_run(struct sl_kernel_context *k) { return resize_as_float(k, SL_RESIZE_BILINEAR); }
static sl_code bicubic_run(struct sl_kernel_context *k) { return resize_as_float(k, SL_RESIZE_BICUBIC); }
static sl_code area_run(struct sl_kernel_context *k) { return resize_as_float(k, SL_RESIZE_AREA); }

struct copy {
    const struct axes *a;
    const char *from;
    char *to;
    size_t pixel; /* bytes */
};

static inline void copy_pixels(char *restrict to, const char *restrict from, const struct sl_resize_axis *x,
                               size_t pixel) {
    for (int64_t i = 0; i < x->out; i++) memcpy(to + (size_t)i * pixel, from + (size_t)x->index[i] * pixel, pixel);
}
/* Rows of the result. One that is as the row before is copied whole. */
static void copy_rows(void *arg, int64_t begin, int64_t end) {
    const struct copy *c = arg;
    const struct sl_resize_axis *y = &c->a->y, *x = &c->a->x;
    size_t row = (size_t)x->out * c->pixel;
    for (int64_t i = begin; i < end; i++) {
        char *to = c->to + (size_t)i * row;
        int64_t at = i % y->out, from_row = i / y->out * y->in + y->index[at];
        const char *from = c->from + (size_t)(from_row * x->in) * c->pixel;
        if (i > begin && at > 0 && y->index[at] == y->index[at - 1]) memcpy(to, to - row, row);
        else switch (c->pixel) {
            case 1: copy_pixels(to, from, x, 1); break;
            case 3: copy_pixels(to, from, x, 3); break;
            case 4: copy_pixels(to, from, x, 4); break;
            case 12: copy_pixels(to, from, x, 12); break;
            default: copy_pixels(to, from, x, c->pixel);
            }
    }
}

static sl_code nearest_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), out;
    struct axes a;
    int64_t size[2];
    SL_TRY(make_out(&out, size, k));
    if (out.count == 0) return SL_OK;
    SL_TRY(axes_new(&a, k, SL_RESIZE_NEAREST, in.dims + 1, size));
    struct copy c = {&a, in.data, out.data, (size_t)in.dims[3] * sl_dtype_size(in.dtype)};
    sl_kernel_split(k, in.dims[0] * size[0], (double)size[1] * (1 + (double)c.pixel / 16) + 10, copy_rows, &c);
    axes_free(&a);
    return SL_OK;
}

/* ---- gradients: the axes lead from the gradient that is made (`in`) to the one that is given (`out`) */
struct resize_grad {
    const struct sl_resize_axis *y, *x;
    const void *from;
    void *to;
    int64_t channels, blocks; /* blocks of channels, each a thread's */
    void (*add)(const struct resize_grad *g, int64_t image, int64_t first, int64_t last);
};
#define TYPES (FOR_FLOAT | FOR_DOUBLE) /* half and bfloat16 are summed in float */
#define BODY  "backends/cpu/image/resize_weighted.inc"
#include "backends/cpu/for_types.inc"
#define TYPES FOR_REAL
#define BODY  "backends/cpu/image/resize_nearest.inc"
#include "backends/cpu/for_types.inc"

typedef void (*add_fn)(const struct resize_grad *g, int64_t image, int64_t first, int64_t last);
static const add_fn add_weighted[SL_DTYPE_COUNT] = {[SL_FLOAT] = add_weighted_FLOAT, [SL_DOUBLE] = add_weighted_DOUBLE};
static const add_fn add_nearest[SL_DTYPE_COUNT] = {REAL(SL_TYPE_ENTRY, add_nearest)};

enum { CHANNEL_BLOCK = 32 };

static void grad_blocks(void *arg, int64_t begin, int64_t end) {
    const struct resize_grad *g = arg;
    for (int64_t i = begin; i < end; i++) {
        int64_t first = i % g->blocks * CHANNEL_BLOCK, last = first + CHANNEL_BLOCK;
        g->add(g, i / g->blocks, first, last < g->channels ? last : g->channels);
    }
}

static sl_code resize_grad(struct sl_kernel_context *k, enum sl_resize_method method, const int64_t size[2]) {
    struct sl_view grad = sl_in(k, 0), out;
    struct axes a;
    int64_t channels = grad.dims[3];
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){4, (int64_t[]){grad.dims[0], size[0], size[1], channels}}));
    memset(out.data, 0, (size_t)out.count * sl_dtype_size(out.dtype));
    if (out.count == 0 || grad.count == 0) return SL_OK;
    bool is_nearest = method == SL_RESIZE_NEAREST;
    struct sl_wide to;
    SL_TRY(is_nearest ? sl_wide_out_as(&to, k, out, out.dtype) : sl_wide_out(&to, k, out));
    sl_code code = axes_new(&a, k, method, size, grad.dims + 1);
    if (code == SL_OK) {
        struct resize_grad g = {&a.y, &a.x, grad.data, to.data, channels, (channels - 1) / CHANNEL_BLOCK + 1, NULL};
        g.add = (is_nearest ? add_nearest : add_weighted)[to.dtype];
        memset(to.data, 0, (size_t)out.count * sl_dtype_size(to.dtype));
        double ns = (double)(grad.dims[1] * grad.dims[2]) * CHANNEL_BLOCK * a.y.width * a.x.width;
        sl_kernel_split(k, grad.dims[0] * g.blocks, ns, grad_blocks, &g);
        sl_wide_store(&to, k, out);
        axes_free(&a);
    }
    sl_wide_free(&to);
    return code;
}

static sl_code weighted_grad(struct sl_kernel_context *k, enum sl_resize_method method) {
    struct sl_view grad = sl_in(k, 0), image = sl_in(k, 1);
    if (grad.rank != 4) return sl_invalid(k, "input_grad must be 4-dimensional%s", SHAPE_OF(grad));
    if (image.rank != 4) return sl_invalid(k, "original_image must be 4-dimensional%s", SHAPE_OF(image));
    if (image.dims[1] <= 0 || image.dims[2] <= 0) return sl_invalid(k, "original_image must be of non-zero size");
    if (grad.count == 0 && grad.dims[0] && grad.dims[3]) return sl_invalid(k, "resized dimensions must be positive");
    return resize_grad(k, method, image.dims + 1);
}
static sl_code bilinear_grad_run(struct sl_kernel_context *k) { return weighted_grad(k, SL_RESIZE_BILINEAR); }
static sl_code bicubic_grad_run(struct sl_kernel_context *k) { return weighted_grad(k, SL_RESIZE_BICUBIC); }

static sl_code nearest_grad_run(struct sl_kernel_context *k) {
    struct sl_view grad = sl_in(k, 0);
    int64_t size[2];
    if (grad.rank != 4) return sl_invalid(k, "input must be 4-dimensional%s", SHAPE_OF(grad));
    SL_TRY(read_size(size, k, 1));
    if (size[0] <= 0 || size[1] <= 0) return sl_invalid(k, "shape_t's elements must be positive");
    return resize_grad(k, SL_RESIZE_NEAREST, size);
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_resize_rows[] = {
    KERNEL("ResizeArea", RULE("T", SL_SET_REAL), .run = area_run, .create = resize_create, .cost_element = 4)
    KERNEL("ResizeBicubic", RULE("T", SL_SET_REAL), .run = bicubic_run, .create = resize_create, .cost_element = 4)
    KERNEL("ResizeBicubicGrad", RULE("T", SL_SET(FLOAT) | SL_SET(DOUBLE)), .run = bicubic_grad_run, .create = resize_create, .cost_element = 16)
    KERNEL("ResizeBilinear", RULE("T", SL_SET_REAL), .run = bilinear_run, .create = resize_create, .cost_element = 2)
    KERNEL("ResizeBilinearGrad", RULE("T", SL_SET_FLOATS), .run = bilinear_grad_run, .create = resize_create, .cost_element = 4)
    KERNEL("ResizeNearestNeighbor", RULE("T", SL_SET_REAL), .run = nearest_run, .create = resize_create, .cost_element = 0.5)
    KERNEL("ResizeNearestNeighborGrad", RULE("T", SL_SET_REAL), .run = nearest_grad_run, .create = nearest_grad_create, .cost_element = 1)
    SL_ROWS_END
};
/* clang-format on */
