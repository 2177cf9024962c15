/* The same elements in another order: transposed, reversed, rolled. */
#include <complex.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"

/* ---- Transpose: dim i of the result is dim perm[i] of the input */

static sl_code missing_dim(struct sl_kernel_context *k, struct sl_view perm, int missing) {
    char text[128];
    int at = 0;
    for (int64_t i = 0; i < perm.count && at < (int)sizeof text - 24; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%" PRId64, i ? "," : "", sl_index_at(perm, i));
    return sl_invalid(k, "%d is missing from {%s}.", missing, text);
}

static sl_code read_permutation(int *perm, struct sl_kernel_context *k, int rank) {
    struct sl_view in = sl_in(k, 1);
    bool is_seen[SL_MAX_RANK] = {false};
    if (in.rank != 1) return sl_invalid(k, "perm must be rank 1, got shape %s", SHAPE_OF(in));
    if (in.count != rank)
        return sl_invalid(k, "transpose expects a vector of size %d. But input(1) is a vector of size %" PRId64, rank,
                          in.count);
    for (int i = 0; i < rank; i++) {
        int64_t d = sl_index_at(in, i);
        if (d < -rank || d >= rank) return sl_invalid(k, "%" PRId64 " is out of range [0 .. %d)", d, rank);
        perm[i] = (int)(d < 0 ? d + rank : d);
        is_seen[perm[i]] = true;
    }
    for (int d = 0; d < rank; d++)
        if (!is_seen[d]) return missing_dim(k, in, d);
    return SL_OK;
}

/* True when the dims longer than 1 keep their order: then no element moves. */
static bool keeps_order(struct sl_view x, const int *perm) {
    int last = -1;
    for (int i = 0; i < x.rank; i++) {
        if (x.dims[perm[i]] == 1) continue;
        if (perm[i] < last) return false;
        last = perm[i];
    }
    return true;
}

static sl_code transpose_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    int perm[SL_MAX_RANK];
    int64_t dims[SL_MAX_RANK], strides[SL_MAX_RANK];
    SL_TRY(read_permutation(perm, k, x.rank));
    bool is_same = true;
    for (int i = 0; i < x.rank; i++) {
        dims[i] = x.dims[perm[i]];
        is_same &= perm[i] == i;
    }
    struct sl_shape shape = {x.rank, dims};
    if (is_same) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    if (keeps_order(x, perm)) return sl_out_reshape(k, 0, 0, shape);
    SL_TRY(sl_out_new(&y, k, 0, shape));
    if (y.count == 0) return SL_OK;
    sl_strides_of(strides, x.rank, x.dims);
    struct sl_move m = sl_move_start();
    for (int64_t i = 0, step = y.count; i < x.rank; i++) {
        step /= dims[i];
        sl_move_dim(&m, dims[i], step, strides[perm[i]]);
    }
    return sl_move_run(k, &m, x.dtype, y.data, x.data);
}

/* Complex elements are float or double pairs; every second number changes its sign. */
static void negate_parts(void *arg, int64_t begin, int64_t end) {
    struct sl_view *v = arg;
    if (v->dtype == SL_COMPLEX64)
        for (int64_t i = begin; i < end; i++) ((float *)v->data)[2 * i + 1] *= -1;
    else
        for (int64_t i = begin; i < end; i++) ((double *)v->data)[2 * i + 1] *= -1;
}

static sl_code conjugate_transpose_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    int dtype = x.dtype;
    SL_TRY(transpose_run(k));
    if (dtype != SL_COMPLEX64 && dtype != SL_COMPLEX128) return SL_OK;
    struct sl_value *out = sl_out_value(k, 0);
    if (out->kind == SL_VALUE_TENSOR && !sl_tensor_is_sole(out->tensor)) {
        struct sl_tensor *copy;
        SL_TRY(sl_tensor_copy(&copy, out->tensor, k->err));
        sl_value_clear(out);
        sl_out_tensor(k, 0, copy);
    }
    y = sl_value_view(out);
    sl_kernel_split(k, y.count, 0.5, negate_parts, &y);
    return SL_OK;
}

/* ---- Reverse */

static sl_code reverse(struct sl_kernel_context *k, const bool *flips) {
    struct sl_view x = sl_in(k, 0), y;
    int64_t strides[SL_MAX_RANK], start = 0;
    bool is_same = true;
    for (int i = 0; i < x.rank; i++) is_same &= !flips[i] || x.dims[i] < 2;
    if (is_same) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    if (y.count == 0) return SL_OK;
    sl_strides_of(strides, x.rank, x.dims);
    struct sl_move m = sl_move_start();
    for (int i = 0; i < x.rank; i++) {
        sl_move_dim(&m, x.dims[i], strides[i], flips[i] ? -strides[i] : strides[i]);
        if (flips[i]) start += (x.dims[i] - 1) * strides[i];
    }
    return sl_move_run(k, &m, x.dtype, y.data, sl_element(x.data, x.dtype, start));
}

static sl_code reverse_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), dims = sl_in(k, 1);
    if (dims.rank != 1) return sl_invalid(k, "'dims' must be 1-dimension, not %d", dims.rank);
    if (dims.count != x.rank)
        return sl_invalid(k,
                          "'dims' must have the same number of values as 'input' has dimensions. 'input' has %d"
                          "'dims' has %" PRId64 " values",
                          x.rank, dims.count);
    if (x.rank > 0 && x.dims[0] == 0) return sl_invalid(k, "Invalid input first dimension. Found 0.");
    return reverse(k, dims.data);
}

static sl_code reverse_v2_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), axes = sl_in(k, 1);
    bool flips[SL_MAX_RANK] = {false};
    if (!x.rank) return reverse(k, flips); /* whatever the axes are, as in TensorFlow */
    if (axes.rank != 1) return sl_invalid(k, "'dims' must be 1-dimension, not %d", axes.rank);
    for (int64_t i = 0; i < axes.count; i++) {
        int64_t axis = sl_index_at(axes, i);
        if (axis < -x.rank || axis >= x.rank)
            return sl_invalid(k, "'axis'[%" PRId64 "] = %" PRId64 " is out of valid range [%d, %d", i, axis, -x.rank,
                              x.rank - 1);
        if (axis < 0) axis += x.rank;
        if (flips[axis]) return sl_invalid(k, "axis %" PRId64 " specified more than once.", axis);
        flips[axis] = true;
    }
    return reverse(k, flips);
}

/* ReverseSequence: of row b along batch_dim, the first seq_lengths[b] elements along seq_dim. */
struct sequence {
    int64_t seq_dim, batch_dim;
};

static sl_code reverse_sequence_create(void **state, struct sl_kernel_setup *setup) {
    struct sequence s, *copy;
    SL_TRY(sl_attr_int(&s.seq_dim, setup->attrs, "seq_dim", setup->err));
    SL_TRY(sl_attr_int(&s.batch_dim, setup->attrs, "batch_dim", setup->err));
    copy = sl_malloc(sizeof *copy);
    if (!copy) return sl_fail_memory(setup->err, sizeof *copy);
    *copy = s;
    *state = copy;
    return SL_OK;
}

static sl_code check_sequence(struct sl_kernel_context *k, struct sl_view x, struct sl_view lengths) {
    const struct sequence *s = k->state;
    if (lengths.rank != 1) return sl_invalid(k, "seq_lengths must be 1-dim, not %d", lengths.rank);
    if (s->seq_dim == s->batch_dim) return sl_invalid(k, "batch_dim == seq_dim == %" PRId64, s->seq_dim);
    if (s->seq_dim < 0) return sl_invalid(k, "Invalid seq_dim %" PRId64, s->seq_dim);
    if (s->seq_dim >= x.rank)
        return sl_invalid(k, "seq_dim must be < input rank ( %" PRId64 " vs. %d)", s->seq_dim, x.rank);
    if (s->batch_dim < 0) return sl_invalid(k, "Invalid batch_dim %" PRId64, s->batch_dim);
    if (s->batch_dim >= x.rank)
        return sl_invalid(k, "batch_dim must be < input rank ( %" PRId64 " vs. %d)", s->batch_dim, x.rank);
    int64_t batches = x.dims[s->batch_dim];
    if (lengths.count != batches)
        return sl_invalid(k, "Length of seq_lengths != input.dims(%" PRId64 "), (%" PRId64 " vs. %" PRId64 ")",
                          s->batch_dim, lengths.count, batches);
    for (int64_t b = 0; b < batches; b++) {
        int64_t n = sl_index_at(lengths, b);
        if (n < 0) return sl_invalid(k, "seq_lens(%" PRId64 ") < 0", b);
        if (n > x.dims[s->seq_dim])
            return sl_invalid(k, "seq_lens(%" PRId64 ") > input.dims(%" PRId64 ")", b, s->seq_dim);
    }
    return SL_OK;
}

static sl_code reverse_sequence_run(struct sl_kernel_context *k) {
    const struct sequence *s = k->state;
    struct sl_view x = sl_in(k, 0), lengths = sl_in(k, 1), y;
    int64_t strides[SL_MAX_RANK];
    SL_TRY(check_sequence(k, x, lengths));
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    if (y.count == 0) return SL_OK;
    sl_strides_of(strides, x.rank, x.dims);
    SL_TRY(sl_move_all(k, x.dtype, y.data, x.data, x.count));
    for (int64_t b = 0; b < lengths.count; b++) {
        int64_t n = sl_index_at(lengths, b), at = b * strides[s->batch_dim];
        if (n < 2) continue;
        struct sl_move m = sl_move_start();
        for (int i = 0; i < x.rank; i++) {
            if (i == s->batch_dim) continue;
            bool flips = i == s->seq_dim;
            sl_move_dim(&m, flips ? n : x.dims[i], strides[i], flips ? -strides[i] : strides[i]);
        }
        SL_TRY(sl_move_run(k, &m, x.dtype, sl_element(y.data, y.dtype, at),
                           sl_element(x.data, x.dtype, at + (n - 1) * strides[s->seq_dim])));
    }
    return SL_OK;
}

/* ---- Roll: each rolled dim is cut in two parts that change places; every combination of parts is one box */

struct roll {
    struct sl_view x, y;
    int64_t strides[SL_MAX_RANK], shift[SL_MAX_RANK]; /* shift: 0 <= shift < dim */
};

/* Moves the box with parts chosen for the dims before `dim`; `box` has their lengths. */
static sl_code roll_from(struct sl_kernel_context *k, const struct roll *r, int dim, int64_t *box, int64_t to,
                         int64_t from) {
    while (dim < r->x.rank && r->shift[dim] == 0) {
        box[dim] = r->x.dims[dim];
        dim++;
    }
    if (dim == r->x.rank) {
        struct sl_move m = sl_move_start();
        for (int i = 0; i < dim; i++) sl_move_dim(&m, box[i], r->strides[i], r->strides[i]);
        return sl_move_run(k, &m, r->x.dtype, sl_element(r->y.data, r->y.dtype, to),
                           sl_element(r->x.data, r->x.dtype, from));
    }
    int64_t shift = r->shift[dim], n = r->x.dims[dim], step = r->strides[dim];
    box[dim] = n - shift;
    SL_TRY(roll_from(k, r, dim + 1, box, to + shift * step, from));
    box[dim] = shift;
    return roll_from(k, r, dim + 1, box, to, from + (n - shift) * step);
}

static sl_code roll_run(struct sl_kernel_context *k) {
    struct sl_view shift = sl_in(k, 1), axes = sl_in(k, 2);
    struct roll r = {.x = sl_in(k, 0)};
    int64_t box[SL_MAX_RANK];
    if (r.x.rank < 1) return sl_invalid(k, "input must be 1-D or higher");
    if (shift.rank > 1) return sl_invalid(k, "shift must be a scalar or a 1-D vector. Found: %s", SHAPE_OF(shift));
    if (axes.rank > 1) return sl_invalid(k, "axis must be a scalar or a 1-D vector. Found: %s", SHAPE_OF(axes));
    if (shift.rank != axes.rank || shift.count != axes.count)
        return sl_invalid(k, "shift and axis must have the same size");
    for (int64_t i = 0; i < axes.count; i++) {
        int64_t axis = sl_index_at(axes, i);
        if (axis < 0) axis += r.x.rank;
        if (axis < 0 || axis >= r.x.rank) return sl_invalid(k, "axis %" PRId64 " is out of range", axis);
        int64_t n = r.x.dims[axis];
        if (n == 0) continue;
        int64_t by = (r.shift[axis] + sl_index_at(shift, i) % n) % n;
        r.shift[axis] = by < 0 ? by + n : by;
    }
    bool is_same = true;
    for (int i = 0; i < r.x.rank; i++) is_same &= r.shift[i] == 0;
    if (is_same) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    SL_TRY(sl_out_new(&r.y, k, 0, sl_view_shape(r.x)));
    if (r.y.count == 0) return SL_OK;
    sl_strides_of(r.strides, r.x.rank, r.x.dims);
    return roll_from(k, &r, 0, box, 0, 0);
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_array_order_rows[] = {
    KERNEL("Transpose", NO_RULE, .run = transpose_run, .cost_element = 0.5f)
    KERNEL("ConjugateTranspose", NO_RULE, .run = conjugate_transpose_run, .cost_element = 0.8f)
    KERNEL("Reverse", NO_RULE, .run = reverse_run, .cost_element = 0.5f)
    KERNEL("ReverseV2", NO_RULE, .run = reverse_v2_run, .cost_element = 0.5f)
    KERNEL("ReverseSequence", NO_RULE, .run = reverse_sequence_run, .create = reverse_sequence_create, .destroy = sl_free, .cost_element = 0.5f)
    KERNEL("Roll", NO_RULE, .run = roll_run, .cost_element = 0.3f)
    SL_ROWS_END
};
/* clang-format on */
