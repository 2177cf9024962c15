/* Padding: with a constant, with mirror images, and the gradient of the latter. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"

/* The padded tensor ("large") and the one inside ("small"). */
struct frame {
    int rank;
    int64_t before[SL_MAX_RANK], after[SL_MAX_RANK];
    int64_t small[SL_MAX_RANK], large[SL_MAX_RANK];
    int64_t small_strides[SL_MAX_RANK], large_strides[SL_MAX_RANK];
    int64_t start; /* of the small tensor in the large one */
};

/* Reads the paddings of `rank` dims. */
static sl_code read_frame(struct frame *f, struct sl_kernel_context *k, struct sl_view x) {
    struct sl_view in = sl_in(k, 1);
    if (in.rank != 2 || in.dims[1] != 2)
        return sl_invalid(k, "paddings must be a matrix with 2 columns: %s", SHAPE_OF(in));
    if (in.dims[0] != x.rank)
        return sl_invalid(k, "The first dimension of paddings must be the rank of inputs%s %s", SHAPE_OF(in),
                          SHAPE_OF(x));
    f->rank = x.rank;
    for (int i = 0; i < x.rank; i++) {
        f->before[i] = sl_index_at(in, 2 * i);
        f->after[i] = sl_index_at(in, 2 * i + 1);
        if (f->before[i] < 0 || f->after[i] < 0)
            return sl_invalid(k, "Paddings must be non-negative: %" PRId64 " %" PRId64, f->before[i], f->after[i]);
    }
    return SL_OK;
}

static void place_frame(struct frame *f) {
    sl_strides_of(f->small_strides, f->rank, f->small);
    sl_strides_of(f->large_strides, f->rank, f->large);
    f->start = 0;
    for (int i = 0; i < f->rank; i++) f->start += f->before[i] * f->large_strides[i];
}

/* From the small shape to the large one. */
static sl_code grow_frame(struct frame *f, struct sl_kernel_context *k, struct sl_view x) {
    for (int i = 0; i < x.rank; i++) {
        f->small[i] = x.dims[i];
        if (__builtin_add_overflow(x.dims[i], f->before[i], &f->large[i]) ||
            __builtin_add_overflow(f->large[i], f->after[i], &f->large[i]))
            return sl_invalid(k, "Padded dimension %d is too large", i);
    }
    place_frame(f);
    return SL_OK;
}

/* One slab of the border: in dim `d` rows [from, from + n) of the large tensor; dims before it inside, dims behind
 * it whole. The elements come from `source`, `step` large elements further a row (0: one element for all). */
static sl_code put_slab(struct sl_kernel_context *k, const struct frame *f, struct sl_view y, int d, int64_t row,
                        int64_t n, const void *source, int64_t step) {
    struct sl_move m = sl_move_start();
    int64_t to = row * f->large_strides[d];
    bool repeats = step == 0;
    for (int i = 0; i < d; i++) {
        sl_move_dim(&m, f->small[i], f->large_strides[i], repeats ? 0 : f->large_strides[i]);
        to += f->before[i] * f->large_strides[i];
    }
    sl_move_dim(&m, n, f->large_strides[d], step);
    for (int i = d + 1; i < f->rank; i++)
        sl_move_dim(&m, f->large[i], f->large_strides[i], repeats ? 0 : f->large_strides[i]);
    return sl_move_run(k, &m, y.dtype, sl_element(y.data, y.dtype, to), source);
}

static sl_code put_inside(struct sl_kernel_context *k, const struct frame *f, struct sl_view x, struct sl_view y) {
    struct sl_move m = sl_move_start();
    for (int i = 0; i < f->rank; i++) sl_move_dim(&m, f->small[i], f->large_strides[i], f->small_strides[i]);
    return sl_move_run(k, &m, y.dtype, sl_element(y.data, y.dtype, f->start), x.data);
}

static bool is_bare(const struct frame *f) {
    for (int i = 0; i < f->rank; i++)
        if (f->before[i] || f->after[i]) return false;
    return true;
}

/* ---- Pad, PadV2 */

static sl_code pad(struct sl_kernel_context *k, const void *value) {
    struct sl_view x = sl_in(k, 0), y;
    struct frame f;
    SL_TRY(read_frame(&f, k, x));
    SL_TRY(grow_frame(&f, k, x));
    if (is_bare(&f)) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){f.rank, f.large}));
    if (y.count == 0) return SL_OK;
    for (int d = 0; d < f.rank && value; d++) {
        SL_TRY(put_slab(k, &f, y, d, 0, f.before[d], value, 0));
        SL_TRY(put_slab(k, &f, y, d, f.before[d] + f.small[d], f.after[d], value, 0));
    }
    return put_inside(k, &f, x, y);
}

static sl_code pad_run(struct sl_kernel_context *k) {
    static const char zero[16];
    return pad(k, sl_dtype_is_plain(sl_in(k, 0).dtype) ? zero : NULL);
}
static sl_code pad_v2_run(struct sl_kernel_context *k) {
    struct sl_view value = sl_in(k, 2);
    if (value.rank) return sl_invalid(k, "constant_values must be a scalar. Found: %s", SHAPE_OF(value));
    return pad(k, value.data);
}

/* ---- MirrorPad: dim by dim from the last, the border is a copy of what is inside already. The number is 1 when the
 * edge itself is not repeated (REFLECT). */

static sl_code mirror_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str mode;
    SL_TRY(sl_attr_string(&mode, setup->attrs, "mode", setup->err));
    *state = (void *)(intptr_t)sl_str_is(mode, "REFLECT");
    return SL_OK;
}

static sl_code check_mirror(struct sl_kernel_context *k, const struct frame *f, int64_t offset, const char *what) {
    for (int i = 0; i < f->rank; i++)
        if (f->before[i] > f->small[i] - offset || f->after[i] > f->small[i] - offset)
            if (f->before[i] || f->after[i])
                return sl_invalid(k, "paddings must be %s the %sdimension size: %" PRId64 ", %" PRId64 " %s %" PRId64,
                                  offset ? "less than" : "no greater than", what, f->before[i], f->after[i],
                                  offset ? "not less than" : "greater than", f->small[i]);
    return SL_OK;
}

static sl_code mirror_pad_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    int64_t offset = sl_state_number(k);
    struct frame f;
    SL_TRY(read_frame(&f, k, x));
    SL_TRY(grow_frame(&f, k, x));
    SL_TRY(check_mirror(k, &f, offset, ""));
    if (is_bare(&f)) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){f.rank, f.large}));
    if (y.count == 0) return SL_OK;
    SL_TRY(put_inside(k, &f, x, y));
    for (int d = f.rank - 1; d >= 0; d--) {
        int64_t outer = 0, step = f.large_strides[d];
        for (int i = 0; i < d; i++) outer += f.before[i] * f.large_strides[i];
        int64_t first = f.before[d] + offset + f.before[d] - 1; /* mirrored to row 0 */
        int64_t last = f.before[d] + f.small[d] - 1 - offset;   /* mirrored to the first row behind */
        SL_TRY(put_slab(k, &f, y, d, 0, f.before[d], sl_element(y.data, y.dtype, outer + first * step), -step));
        SL_TRY(put_slab(k, &f, y, d, f.before[d] + f.small[d], f.after[d],
                        sl_element(y.data, y.dtype, outer + last * step), -step));
    }
    return SL_OK;
}

/* Adds rows to their mirror images: in every outer part of `data`, row `from`, `from` + 1 ... to row `to`, `to` - 1
 * ... */
static void fold(sl_combine_fn add, void *data, int dtype, int64_t outer, int64_t rows, int64_t inner, int64_t from,
                 int64_t n, int64_t to) {
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < n; i++)
            add(sl_element(data, dtype, o * rows * inner), sl_element(data, dtype, (o * rows + from + i) * inner),
                (int64_t[]){to - i}, 1, inner, inner, inner);
}

static sl_code mirror_pad_grad_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    int64_t offset = sl_state_number(k);
    struct frame f;
    SL_TRY(read_frame(&f, k, x));
    for (int i = 0; i < f.rank; i++) {
        f.large[i] = x.dims[i];
        f.small[i] = x.dims[i] - f.before[i] - f.after[i];
        if (f.small[i] < 0) return sl_invalid(k, "paddings are larger than dimension %d of %s", i, SHAPE_OF(x));
    }
    SL_TRY(check_mirror(k, &f, offset, "output "));
    place_frame(&f);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){f.rank, f.small}));
    if (y.count == 0) return SL_OK;
    size_t bytes = (size_t)x.count * sl_dtype_size(x.dtype);
    void *data = sl_scratch_new(bytes);
    if (!data) return sl_fail_memory(k->err, bytes);
    (void)sl_move_all(k, x.dtype, data, x.data, x.count);
    sl_combine_fn add = sl_combine_find(SL_COMBINE_ADD, x.dtype);
    for (int d = 0; d < f.rank; d++) {
        int64_t outer = sl_dims_product(f.large, 0, d), inner = f.large_strides[d];
        int64_t inside = f.before[d], behind = f.before[d] + f.small[d];
        fold(add, data, x.dtype, outer, f.large[d], inner, 0, f.before[d], inside + offset + f.before[d] - 1);
        fold(add, data, x.dtype, outer, f.large[d], inner, behind, f.after[d], behind - 1 - offset);
    }
    struct sl_move m = sl_move_start();
    for (int i = 0; i < f.rank; i++) sl_move_dim(&m, f.small[i], f.small_strides[i], f.large_strides[i]);
    (void)sl_move_run(k, &m, x.dtype, y.data, sl_element(data, x.dtype, f.start));
    sl_scratch_free(data, bytes);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_array_pad_rows[] = {
    KERNEL("Pad", NO_RULE, .run = pad_run, .cost_element = 0.3f)
    KERNEL("PadV2", NO_RULE, .run = pad_v2_run, .cost_element = 0.3f)
    KERNEL("MirrorPad", NO_RULE, .run = mirror_pad_run, .create = mirror_create, .cost_element = 0.5f)
    KERNEL("MirrorPadGrad", RULE("T", SL_SET_NUMBERS), .run = mirror_pad_grad_run, .create = mirror_create, .cost_element = 1)
    SL_ROWS_END
};
/* clang-format on */
