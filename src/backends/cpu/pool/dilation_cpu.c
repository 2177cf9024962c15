/* Dilation2D and its gradients: out(y, x, c) is the maximum of in(y stride + dy rate, x stride + dx rate, c) +
 * filter(dy, dx, c) over the filter, as far as it lies on the image. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/product/window.h"
#include "backends/cpu/types.inc"
#include "base/alloc.h"

struct dilation {
    const void *in, *filter, *grad;
    void *to;
    int64_t height, width, depth, rows, columns; /* of the image; of the filter */
    int64_t out_height, out_width, stride[2], rate[2], before[2];
    bool is_filter_grad;
    int64_t blocks, n; /* gradients: blocks of channels; rows of all images */
    void (*run)(const struct dilation *d, int64_t row, int64_t first, int64_t last);
};

/* Where channel 0 of weight `i` stands, and of the pixel under it at column `x` of row `row` of the results; false
 * when it lies beside the image. */
static inline bool find_tap(int64_t *at, int64_t *tap, const struct dilation *d, int64_t row, int64_t x, int64_t i) {
    const int64_t image = row / d->out_height;
    const int64_t y = row % d->out_height * d->stride[0] + i / d->columns * d->rate[0] - d->before[0];
    const int64_t column = x * d->stride[1] + i % d->columns * d->rate[1] - d->before[1];
    if (y < 0 || y >= d->height || column < 0 || column >= d->width) return false;
    *at = ((image * d->height + y) * d->width + column) * d->depth;
    *tap = i * d->depth;
    return true;
}

/* Where channel 0 of the first pixel of the window at column `x` of row `row` stands; -1: the window lies beside the
 * image. */
static inline int64_t find_corner(const struct dilation *d, int64_t row, int64_t x) {
    const int64_t image = row / d->out_height;
    int64_t y = row % d->out_height * d->stride[0] - d->before[0], column = x * d->stride[1] - d->before[1];
    if (y < 0) y = 0;
    if (column < 0) column = 0;
    if (y >= d->height || column >= d->width) return -1;
    return ((image * d->height + y) * d->width + column) * d->depth;
}

#define TYPES FOR_REAL
#define BODY  "backends/cpu/pool/dilation.inc"
#include "backends/cpu/for_types.inc"

typedef void (*dilation_fn)(const struct dilation *d, int64_t row, int64_t first, int64_t last);
static const dilation_fn dilate[SL_DTYPE_COUNT] = {REAL(SL_TYPE_ENTRY, dilate)};
static const dilation_fn spread[SL_DTYPE_COUNT] = {REAL(SL_TYPE_ENTRY, spread)};

static sl_code dilation_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_window w;
    SL_TRY(sl_window_read(&w, setup, 2));
    if (w.batch_stride != 1 || w.channel_stride != 1 || w.batch_dilation != 1 || w.channel_dilation != 1)
        return sl_fail(setup->err, SL_UNIMPLEMENTED,
                       "Stride and rate are only supported across spatial dimensions, not batch or depth.");
    for (int i = 1; i < SL_SPACE; i++)
        if (w.stride[i] <= 0 || w.dilation[i] < 0)
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "strides must be positive and rates not negative");
    struct sl_window *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = w;
    *state = made;
    return SL_OK;
}

static sl_code plan(struct dilation *d, int64_t dims[4], struct sl_kernel_context *k) {
    const struct sl_window *w = k->state;
    struct sl_view in = sl_in(k, 0), filter = sl_in(k, 1);
    int64_t out[SL_SPACE], before[SL_SPACE];
    if (in.rank != 4) return sl_invalid(k, "input must be 4-dimensional%s", SHAPE_OF(in));
    if (filter.rank != 3) return sl_invalid(k, "filter must be 3-dimensional: %s", SHAPE_OF(filter));
    if (in.dims[3] != filter.dims[2])
        return sl_invalid(k, "input and filter must have the same depth: %" PRId64 " vs %" PRId64, in.dims[3],
                          filter.dims[2]);
    for (int i = 0; i < 2; i++)
        if (filter.dims[i] > INT32_MAX || in.dims[1 + i] > INT32_MAX) return sl_invalid(k, "sizes must fit in 32 bits");
    SL_TRY(sl_window_fit(out, before, w, (int64_t[]){1, in.dims[1], in.dims[2]},
                         (int64_t[]){1, filter.dims[0], filter.dims[1]}, k->err));
    *d = (struct dilation){.in = in.data,
                           .filter = filter.data,
                           .height = in.dims[1],
                           .width = in.dims[2],
                           .depth = in.dims[3],
                           .rows = filter.dims[0],
                           .columns = filter.dims[1],
                           .out_height = out[1],
                           .out_width = out[2],
                           .stride = {w->stride[1], w->stride[2]},
                           .rate = {w->dilation[1], w->dilation[2]},
                           .before = {before[1], before[2]}};
    memcpy(dims, (int64_t[]){in.dims[0], out[1], out[2], in.dims[3]}, 4 * sizeof *dims);
    return SL_OK;
}

static void dilate_rows(void *arg, int64_t begin, int64_t end) {
    const struct dilation *d = arg;
    for (int64_t row = begin; row < end; row++) d->run(d, row, 0, d->depth);
}
static sl_code dilate_run(struct sl_kernel_context *k) {
    struct dilation d;
    struct sl_view out;
    int64_t dims[4];
    SL_TRY(plan(&d, dims, k));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){4, dims}));
    if (out.count == 0) return SL_OK;
    d.to = out.data;
    d.run = dilate[out.dtype];
    sl_kernel_split(k, dims[0] * dims[1], (double)(d.out_width * d.depth * d.rows * d.columns) + 20, dilate_rows, &d);
    return SL_OK;
}

/* Blocks of channels: each element of the result is summed in the order of the pixels. */
enum { CHANNEL_BLOCK = 8 };
static void spread_blocks(void *arg, int64_t begin, int64_t end) {
    const struct dilation *d = arg;
    int64_t first = begin * CHANNEL_BLOCK, last = end * CHANNEL_BLOCK < d->depth ? end * CHANNEL_BLOCK : d->depth;
    for (int64_t row = 0; row < d->n; row++) d->run(d, row, first, last);
}
static sl_code grad(struct sl_kernel_context *k, bool is_filter_grad) {
    struct sl_view given = sl_in(k, 2), out;
    struct dilation d;
    int64_t dims[4];
    SL_TRY(plan(&d, dims, k));
    if (!sl_shape_equal(sl_view_shape(given), (struct sl_shape){4, dims}))
        return sl_invalid(k, "out_backprop has incompatible size: %s", SHAPE_OF(given));
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(sl_in(k, is_filter_grad))));
    memset(out.data, 0, (size_t)out.count * sl_dtype_size(out.dtype));
    if (out.count == 0 || given.count == 0) return SL_OK;
    d.to = out.data;
    d.grad = given.data;
    d.is_filter_grad = is_filter_grad;
    d.n = dims[0] * dims[1];
    d.run = spread[out.dtype];
    double ns = (double)(d.n * d.out_width * d.rows * d.columns) * CHANNEL_BLOCK * 2;
    sl_kernel_split(k, (d.depth - 1) / CHANNEL_BLOCK + 1, ns, spread_blocks, &d);
    return SL_OK;
}
static sl_code input_grad_run(struct sl_kernel_context *k) { return grad(k, false); }
static sl_code filter_grad_run(struct sl_kernel_context *k) { return grad(k, true); }

#define DILATION .create = dilation_create, .destroy = sl_free, .cost_element = 10
/* clang-format off */
const struct sl_kernel_def sl_cpu_dilation_rows[] = {
    KERNEL("Dilation2D", RULE("T", SL_SET_REAL), .run = dilate_run, DILATION)
    KERNEL("Dilation2DBackpropFilter", RULE("T", SL_SET_REAL), .run = filter_grad_run, DILATION)
    KERNEL("Dilation2DBackpropInput", RULE("T", SL_SET_REAL), .run = input_grad_run, DILATION)
    SL_ROWS_END
};
/* clang-format on */
