/* ExtractImagePatches, ExtractVolumePatches: at every place of a window its elements side by side. For each position
 * inside the window, what falls on it is one strided move from the input to the result. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"

enum { MOST_SPACE = 3 };

struct window {
    int space; /* dims of space: those between batch and depth */
    bool is_same;
    int64_t size[MOST_SPACE], stride[MOST_SPACE], rate[MOST_SPACE];
};

/* Reads a list of one number for each dim of the input; those of batch and depth must be 1. */
static sl_code read_list(int64_t *to, struct sl_kernel_setup *setup, const char *name, int space) {
    const int64_t *list;
    int n;
    SL_TRY(sl_attr_int_list(&list, &n, setup->attrs, name, setup->err));
    if (n != space + 2)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s must have %d values, got %d", name, space + 2, n);
    for (int i = 0; i < n; i++)
        if (list[i] < 1 || list[i] > INT32_MAX)
            return sl_fail(setup->err, SL_OUT_OF_RANGE, "%s is out of range.", name);
    if (list[0] != 1 || list[n - 1] != 1)
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "Only support %s across space.", name);
    memcpy(to, list + 1, (size_t)space * sizeof *to);
    return SL_OK;
}

static sl_code window_create(void **state, struct sl_kernel_setup *setup) {
    struct window w = {.space = sl_str_is(setup->op->name, "ExtractVolumePatches") ? 3 : 2, .rate = {1, 1, 1}};
    struct sl_str padding;
    SL_TRY(read_list(w.size, setup, "ksizes", w.space));
    SL_TRY(read_list(w.stride, setup, "strides", w.space));
    if (w.space == 2) SL_TRY(read_list(w.rate, setup, "rates", w.space));
    SL_TRY(sl_attr_string(&padding, setup->attrs, "padding", setup->err));
    w.is_same = sl_str_is(padding, "SAME");
    struct window *copy = sl_malloc(sizeof *copy);
    if (!copy) return sl_fail_memory(setup->err, sizeof *copy);
    *copy = w;
    *state = copy;
    return SL_OK;
}

/* Where windows are along one dim of `length`: how many, and what comes before the input. */
static sl_code place_windows(int64_t *count, int64_t *before, struct sl_kernel_context *k, const struct window *w,
                             int d, int64_t length) {
    int64_t reach = (w->size[d] - 1) * w->rate[d] + 1, stride = w->stride[d];
    *before = 0;
    if (w->is_same) {
        *count = length ? (length - 1) / stride + 1 : 0;
        int64_t missing = (*count - 1) * stride + reach - length;
        *before = missing > 0 || w->space == 3 ? missing / 2 : 0; /* in volumes, strides may begin inside */
        return SL_OK;
    }
    *count = length - reach + stride < 0 ? -1 : (length - reach + stride) / stride;
    if (*count < 0)
        return sl_invalid(k,
                          "Computed output size would be negative: input_size: %" PRId64
                          " effective_filter_size: %" PRId64 " stride: %" PRId64,
                          length, reach, stride);
    return SL_OK;
}

static sl_code extract_run(struct sl_kernel_context *k) {
    const struct window *w = k->state;
    struct sl_view x = sl_in(k, 0), y;
    int rank = w->space + 2;
    int64_t dims[MOST_SPACE + 2], before[MOST_SPACE], x_strides[MOST_SPACE + 2], y_strides[MOST_SPACE + 2];
    if (x.rank != rank) return sl_invalid(k, "input must be %d-dimensional%s", rank, SHAPE_OF(x));
    int64_t places = 1, at[MOST_SPACE] = {0}, depth = x.dims[rank - 1];
    dims[0] = x.dims[0];
    for (int d = 0; d < w->space; d++) {
        SL_TRY(place_windows(&dims[1 + d], &before[d], k, w, d, x.dims[1 + d]));
        if (__builtin_mul_overflow(places, w->size[d], &places)) return sl_invalid(k, "window is too large");
    }
    if (__builtin_mul_overflow(places, depth, &dims[rank - 1])) return sl_invalid(k, "patches are too deep");
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, dims}));
    if (y.count == 0) return SL_OK;
    if (w->is_same) sl_move_zero(k, y);
    sl_strides_of(x_strides, rank, x.dims);
    sl_strides_of(y_strides, rank, dims);
    for (int64_t place = 0; place < places; place++) {
        struct sl_move m = sl_move_start();
        int64_t from = 0, to = place * depth;
        sl_move_dim(&m, dims[0], y_strides[0], x_strides[0]);
        for (int d = 0; d < w->space; d++) {
            /* window i takes element i * stride + shift of the input; i from `low` up to `high` are inside */
            int64_t stride = w->stride[d], shift = at[d] * w->rate[d] - before[d], length = x.dims[1 + d];
            int64_t low = shift < 0 ? (-shift - 1) / stride + 1 : 0;
            int64_t high = length > shift ? (length - shift - 1) / stride + 1 : 0;
            if (high > dims[1 + d]) high = dims[1 + d];
            sl_move_dim(&m, high > low ? high - low : 0, y_strides[1 + d], stride * x_strides[1 + d]);
            from += (low * stride + shift) * x_strides[1 + d];
            to += low * y_strides[1 + d];
        }
        sl_move_dim(&m, depth, 1, 1);
        if (!m.is_empty)
            SL_TRY(sl_move_run(k, &m, x.dtype, sl_element(y.data, y.dtype, to), sl_element(x.data, x.dtype, from)));
        for (int d = w->space - 1; d >= 0 && ++at[d] == w->size[d]; d--) at[d] = 0;
    }
    return SL_OK;
}

#define WINDOWED .run = extract_run, .create = window_create, .destroy = sl_free, .cost_element = 2
/* clang-format off */
const struct sl_kernel_def sl_cpu_patch_rows[] = {
    KERNEL("ExtractImagePatches", RULE("T", SL_SET_NUMBERS | SL_SET(BOOL)), WINDOWED)
    KERNEL("ExtractVolumePatches", RULE("T", SL_SET_NUMBERS), WINDOWED)
    SL_ROWS_END
};
/* clang-format on */
