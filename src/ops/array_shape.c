/* Shape functions of the array family: constants, identities, reshaping, joining and splitting, filling, searching.
 * Slices are in array_slice_shape.c, paddings and blocks in array_block_shape.c. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "ops/attr.h"
#include "ops/shape_functions.h"

/* ---- constants, placeholders, identities */
sl_code sl_shape_const(struct sl_shape_ctx *c) {
    const struct sl_pb_TensorProto *value;
    struct sl_shape s = SL_SHAPE_SCALAR;
    SL_TRY(sl_attr_tensor(&value, c->attrs, "value", c->err));
    if (value->tensor_shape) SL_TRY(sl_shape_from_proto(&s, value->tensor_shape, c->arena, c->err));
    return sl_infer_set(c, 0, s);
}

/* Output 0 has the shape that attr `shape` says. */
sl_code sl_shape_attr_shape(struct sl_shape_ctx *c) {
    struct sl_shape s;
    SL_TRY(sl_infer_shape_attr(&s, c, "shape"));
    return sl_infer_set(c, 0, s);
}

/* Old graphs write "unknown" as a scalar. */
sl_code sl_shape_placeholder(struct sl_shape_ctx *c) {
    struct sl_shape s;
    SL_TRY(sl_infer_shape_attr(&s, c, "shape"));
    if (c->graph_version <= 21 && s.rank <= 0) return SL_OK;
    return sl_infer_set(c, 0, s);
}

sl_code sl_shape_placeholder_with_default(struct sl_shape_ctx *c) {
    struct sl_shape s, merged;
    SL_TRY(sl_infer_shape_attr(&s, c, "shape"));
    SL_TRY(sl_infer_merge(&merged, c, sl_infer_in(c, 0), s));
    return sl_infer_set(c, 0, s); /* what is fed may be of any shape that the attr allows */
}

sl_code sl_shape_ensure_shape(struct sl_shape_ctx *c) {
    struct sl_shape s;
    SL_TRY(sl_infer_shape_attr(&s, c, "shape"));
    if (sl_infer_in(c, 0).rank >= 0 && sl_infer_in(c, 0).rank != s.rank) /* an unknown rank is one of its own here */
        return sl_infer_fail(c, "Shape must be rank %d but is rank %d", s.rank, sl_infer_in(c, 0).rank);
    SL_TRY(sl_infer_merge(&s, c, sl_infer_in(c, 0), s));
    return sl_infer_set(c, 0, s);
}

/* Output i as input i, for all. */
sl_code sl_shape_identity_n(struct sl_shape_ctx *c) {
    if (c->n_in != c->n_out) return sl_infer_fail(c, "Op has %d inputs and %d outputs", c->n_in, c->n_out);
    for (int i = 0; i < c->n_in; i++) {
        SL_TRY(sl_infer_set(c, i, sl_infer_in(c, i)));
        SL_TRY(sl_infer_copy_handle(c, i, i));
    }
    return SL_OK;
}

/* ---- shapes as values */
sl_code sl_shape_shape_of(struct sl_shape_ctx *c) {
    for (int i = 0; i < c->n_out; i++) SL_TRY(sl_infer_set_dims(c, i, 1, (int64_t[]){sl_infer_in(c, i).rank}));
    return SL_OK;
}

sl_code sl_shape_broadcast_args(struct sl_shape_ctx *c) {
    struct sl_shape a, b;
    SL_TRY(sl_infer_with_rank(&a, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_with_rank(&b, c, sl_infer_in(c, 1), 1));
    bool is_known = a.dims[0] >= 0 && b.dims[0] >= 0;
    return sl_infer_set_dims(c, 0, 1, (int64_t[]){!is_known ? -1 : a.dims[0] > b.dims[0] ? a.dims[0] : b.dims[0]});
}

SL_SHAPE_RULE(broadcast_gradient_args, "[a] [b] -> [?] [?]")

/* Offsets are like the shapes behind the axis. */
sl_code sl_shape_concat_offset(struct sl_shape_ctx *c) {
    for (int o = 0; o < c->n_out; o++) SL_TRY(sl_infer_set(c, o, sl_infer_in(c, o + 1)));
    return SL_OK;
}

SL_SHAPE_RULE(invert_permutation, "[n] -> [n]")

/* Elements as far as they are known, and where the one unknown dim is; false when more than one is unknown. */
static bool count_but_one(int64_t *count, int *unknown_at, struct sl_shape s) {
    *unknown_at = -1;
    *count = sl_infer_count(s);
    if (*count >= 0) return true;
    *count = 1;
    for (int i = 0; i < s.rank; i++) {
        if (s.dims[i] >= 0) {
            if (!sl_mul_i64(count, *count, s.dims[i])) return false;
        } else if (*unknown_at < 0) {
            *unknown_at = i;
        } else {
            return false;
        }
    }
    return *unknown_at >= 0; /* else the product is too large */
}

/* The shape a tensor of shape `in` gets when it is asked to become `out`: one unknown dim follows from the rest. */
static sl_code fit_reshape(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape in) {
    int64_t n_in, n_out, inferred;
    int at_in, at_out;
    if (out->rank < 0 || in.rank < 0) return SL_OK;
    if (!count_but_one(&n_out, &at_out, *out) || !count_but_one(&n_in, &at_in, in)) return SL_OK;
    if (at_in < 0 && at_out < 0) {
        char text[SL_SHAPE_TEXT];
        if (n_in != n_out)
            return sl_infer_fail(c,
                                 "Cannot reshape a tensor with %" PRId64 " elements to shape %s (%" PRId64 " elements)",
                                 n_in, sl_shape_text(text, *out), n_out);
        return SL_OK;
    }
    if (at_in < 0) {
        if (n_out <= 0) return SL_OK;
        SL_TRY(sl_infer_divide(&inferred, c, n_in, n_out, true));
        return sl_infer_replace_dim(out, c, *out, at_out, inferred);
    }
    if (at_out < 0 && n_in != 0) return sl_infer_divide(&inferred, c, n_out, n_in, true); /* a check alone */
    return SL_OK; /* one unknown dim on either side: both stay unknown */
}

/* Reshape input 0 to what input 1 says; output 0. */
sl_code sl_shape_reshape(struct sl_shape_ctx *c) {
    struct sl_shape out;
    SL_TRY(sl_infer_shape_of_vector(&out, c, 1));
    SL_TRY(fit_reshape(&out, c, sl_infer_in(c, 0)));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_expand_dims(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0);
    const int64_t *values;
    int64_t n, dims[SL_MAX_RANK + 1];
    bool is_known = sl_infer_constant_ints(&values, &n, c, 1);
    if (is_known && n != 1) return sl_infer_fail(c, "'dim' input must be a tensor with a single value");
    if (!is_known || in.rank < 0) return SL_OK;
    int64_t at = values[0];
    if (at < -1 - in.rank || at > in.rank)
        return sl_infer_fail(c, "dim %" PRId64 " not in the interval [%d, %d].", at, -1 - in.rank, in.rank);
    if (at < 0) at += in.rank + 1;
    for (int i = 0; i <= in.rank; i++) dims[i] = i < at ? in.dims[i] : i == at ? 1 : in.dims[i - 1];
    return sl_infer_set_dims(c, 0, in.rank + 1, dims);
}

sl_code sl_shape_squeeze(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0);
    const int64_t *axes;
    int n;
    SL_TRY(sl_infer_int_list(&axes, &n, c, "squeeze_dims"));
    if (in.rank < 0) return SL_OK;
    bool is_asked[SL_MAX_RANK + 1] = {false};
    for (int k = 0; k < n; k++) {
        if (axes[k] < -in.rank || axes[k] >= in.rank)
            return sl_infer_fail(c, "squeeze_dims[%d] not in [%d,%d).", k, -in.rank, in.rank);
        is_asked[axes[k] < 0 ? axes[k] + in.rank : axes[k]] = true;
    }
    int64_t dims[SL_MAX_RANK + 1];
    int rank = 0;
    for (int i = 0; i < in.rank; i++) {
        if (n == 0 && in.dims[i] < 0) return SL_OK; /* it may be squeezed or not */
        if (is_asked[i] && in.dims[i] >= 0 && in.dims[i] != 1)
            return sl_infer_fail(c, "Can not squeeze dim[%d], expected a dimension of 1, got %" PRId64, i, in.dims[i]);
        if (n ? !is_asked[i] : in.dims[i] != 1) dims[rank++] = in.dims[i];
    }
    return sl_infer_set_dims(c, 0, rank, dims);
}

sl_code sl_shape_transpose(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), perm_shape = sl_infer_in(c, 1);
    const int64_t *perm = NULL;
    int64_t n_perm, dims[SL_MAX_RANK + 1];
    bool is_known = sl_infer_constant_ints(&perm, &n_perm, c, 1);
    if (!is_known) n_perm = sl_infer_count(perm_shape);
    int64_t rank = in.rank >= 0 ? in.rank : n_perm;
    if (rank < 0) return SL_OK;
    if (rank > SL_MAX_RANK)
        return sl_infer_fail(c, "Shape has %" PRId64 " dimensions; at most %d are allowed", rank, SL_MAX_RANK);
    if (in.rank < 0 && rank < 2) return sl_infer_set(c, 0, in); /* one element may be a scalar's or a vector's */
    SL_TRY(sl_infer_with_rank(&in, c, in, (int)rank));
    SL_TRY(sl_infer_with_rank(&perm_shape, c, perm_shape, 1));
    SL_TRY(sl_infer_with_value(&n_perm, c, perm_shape.dims[0], rank));
    for (int i = 0; i < rank; i++) {
        int64_t from = is_known ? perm[i] : 0;
        if (from >= rank || from < -rank)
            return sl_infer_fail(c, "perm dim %" PRId64 " is out of range of input rank %" PRId64, from, rank);
        dims[i] = is_known ? sl_infer_dim(in, (int)from) : -1;
    }
    return sl_infer_set_dims(c, 0, (int)rank, dims);
}

/* ---- joining and splitting */
/* Adds to the error which input it was about. */
static sl_code in_merge(struct sl_shape_ctx *c, sl_code code, int i) {
    if (code != SL_OK) sl_error_append(c->err, "\n\tFrom merging shape %d with other shapes.", i);
    return code;
}

/* Concatenates inputs first .. first+n-1 along the axis that input `axis_at` gives. */
static sl_code concat_inputs(struct sl_shape_ctx *c, int axis_at, int first, int n) {
    struct sl_shape scalar, all, before, after;
    SL_TRY(sl_infer_with_rank(&scalar, c, sl_infer_in(c, axis_at), 0));
    int64_t axis, middle;
    int rank = -1;
    for (int i = 0; i < n && rank < 0; i++) rank = sl_infer_in(c, first + i).rank;
    if (!sl_infer_constant_int(&axis, c, axis_at)) {
        if (rank < 0) return SL_OK;
        if (rank == 0) return sl_infer_fail(c, "Can't concatenate scalars (use tf.stack instead)");
        for (int i = 0; i < n; i++) SL_TRY(sl_infer_with_rank(&all, c, sl_infer_in(c, first + i), rank));
        return sl_infer_set(c, 0, sl_infer_unknown_of_rank(c, rank));
    }
    if (axis < -SL_MAX_RANK || axis >= SL_MAX_RANK)
        return sl_infer_fail(c, "concat_dim %" PRId64 " is out of range", axis);
    int least = (int)(axis < 0 ? -axis : axis + 1);
    for (int i = n - 1; i >= 0; i--) {
        struct sl_shape s, s_before, s_after = SL_SHAPE_SCALAR;
        SL_TRY(sl_infer_with_rank_at_least(&s, c, sl_infer_in(c, first + i), least));
        SL_TRY(sl_infer_subshape(&s_before, c, s, 0, axis));
        if (axis != -1) SL_TRY(sl_infer_subshape(&s_after, c, s, axis + 1, INT64_MAX));
        if (i == n - 1) {
            before = s_before;
            after = s_after;
            middle = sl_infer_dim(s, (int)axis);
            continue;
        }
        SL_TRY(in_merge(c, sl_infer_merge(&before, c, before, s_before), i));
        SL_TRY(in_merge(c, sl_infer_merge(&after, c, after, s_after), i));
        SL_TRY(sl_infer_add(&middle, c, middle, sl_infer_dim(s, (int)axis)));
    }
    SL_TRY(sl_infer_concat(&all, c, before, sl_infer_vector(c, middle)));
    SL_TRY(sl_infer_concat(&all, c, all, after));
    return sl_infer_set(c, 0, all);
}

sl_code sl_shape_concat(struct sl_shape_ctx *c) { return concat_inputs(c, 0, 1, c->n_in - 1); }
sl_code sl_shape_concat_v2(struct sl_shape_ctx *c) { return concat_inputs(c, c->n_in - 1, 0, c->n_in - 1); }

static sl_code read_axis(int *axis, struct sl_shape_ctx *c, int rank) {
    int64_t value;
    SL_TRY(sl_infer_int(&value, c, "axis"));
    if (value < -rank || value >= rank)
        return sl_infer_fail(c, "Invalid axis: %" PRId64 "; must be in [%d,%d)", value, -rank, rank);
    *axis = (int)(value < 0 ? value + rank : value);
    return SL_OK;
}

sl_code sl_shape_pack(struct sl_shape_ctx *c) {
    struct sl_shape all = sl_infer_in(c, c->n_in - 1);
    for (int i = c->n_in - 2; i >= 0; i--) SL_TRY(in_merge(c, sl_infer_merge(&all, c, sl_infer_in(c, i), all), i));
    if (all.rank < 0) return SL_OK;
    int axis;
    SL_TRY(read_axis(&axis, c, all.rank + 1));
    int64_t dims[SL_MAX_RANK + 1];
    for (int i = 0; i <= all.rank; i++) dims[i] = i < axis ? all.dims[i] : i == axis ? c->n_in : all.dims[i - 1];
    return sl_infer_set_dims(c, 0, all.rank + 1, dims);
}

sl_code sl_shape_unpack(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0);
    if (in.rank < 0) return SL_OK;
    int axis;
    SL_TRY(read_axis(&axis, c, in.rank));
    int64_t length, dims[SL_MAX_RANK + 1];
    SL_TRY(sl_infer_with_value(&length, c, in.dims[axis], c->n_out));
    for (int i = 0, k = 0; i < in.rank; i++)
        if (i != axis) dims[k++] = in.dims[i];
    for (int o = 0; o < c->n_out; o++) SL_TRY(sl_infer_set_dims(c, o, in.rank - 1, dims));
    return SL_OK;
}

static sl_code set_all(struct sl_shape_ctx *c, struct sl_shape s) {
    for (int o = 0; o < c->n_out; o++) SL_TRY(sl_infer_set(c, o, s));
    return SL_OK;
}

sl_code sl_shape_split(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 1), out;
    int64_t axis, length;
    SL_TRY(sl_infer_scalar_axis(&axis, c, 0, in.rank));
    if (axis < 0 || in.rank < 0) return set_all(c, sl_infer_unknown_of_rank(c, in.rank));
    SL_TRY(sl_infer_divide(&length, c, in.dims[axis], c->n_out, true));
    SL_TRY(sl_infer_replace_dim(&out, c, in, (int)axis, length));
    return set_all(c, out);
}

/* Pieces of known sizes, of which one may be -1: what remains. */
static sl_code split_known(struct sl_shape_ctx *c, struct sl_shape in, int axis, const int64_t *sizes, int64_t n) {
    if (n != c->n_out) return sl_infer_fail(c, "Length of size_splits should be equal to num_outputs");
    int64_t total = 0, whole = in.dims[axis];
    bool has_rest = false;
    for (int64_t k = 0; k < n; k++) {
        if (sizes[k] == -1) {
            if (has_rest) return sl_infer_fail(c, "size_splits can only have one -1");
            has_rest = true;
        } else if (sizes[k] < 0) {
            return sl_infer_fail(c, "Split size at index %" PRId64 " must be >= 0. Got: %" PRId64, k, sizes[k]);
        } else if (!sl_add_i64(&total, total, sizes[k])) {
            return sl_infer_fail(c, "size_splits are too large");
        }
    }
    if (whole >= 0 && (has_rest ? total > whole : total != whole))
        return sl_infer_fail(c, "can't split axis of size %" PRId64 " into pieces of total size %" PRId64, whole,
                             total);
    for (int o = 0; o < c->n_out; o++) {
        struct sl_shape out;
        int64_t size = sizes[o] >= 0 ? sizes[o] : whole >= 0 ? whole - total : -1;
        SL_TRY(sl_infer_replace_dim(&out, c, in, axis, size));
        SL_TRY(sl_infer_set(c, o, out));
    }
    return SL_OK;
}

sl_code sl_shape_split_v(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), out;
    int64_t axis, n;
    const int64_t *sizes;
    SL_TRY(sl_infer_scalar_axis(&axis, c, 2, in.rank));
    if (in.rank < 0) return SL_OK;
    if (in.rank == 0) return sl_infer_fail(c, "Can't split scalars");
    if (sl_infer_constant_ints(&sizes, &n, c, 1)) /* an unknown axis is taken for the last */
        return split_known(c, in, axis < 0 ? in.rank - 1 : (int)axis, sizes, n);
    if (axis < 0) return set_all(c, sl_infer_unknown_of_rank(c, in.rank));
    SL_TRY(sl_infer_replace_dim(&out, c, in, (int)axis, -1));
    return set_all(c, out);
}

sl_code sl_shape_parallel_concat(struct sl_shape_ctx *c) {
    struct sl_shape asked, part, merged = SL_SHAPE_UNKNOWN;
    SL_TRY(sl_infer_shape_attr(&asked, c, "shape"));
    if (!sl_shape_is_known(asked)) return sl_infer_fail(c, "shape attr must be fully defined.");
    SL_TRY(sl_infer_replace_dim(&part, c, asked, 0, 1));
    for (int i = 0; i < c->n_in; i++) {
        if (!sl_shape_is_known(sl_infer_in(c, i))) return sl_infer_fail(c, "All input shapes must be fully defined.");
        if (sl_infer_in(c, i).rank < 1 || sl_infer_in(c, i).dims[0] != 1)
            return sl_infer_fail(c, "Size of first dimension must be 1.");
        SL_TRY(in_merge(c, sl_infer_merge(&merged, c, sl_infer_in(c, i), part), i));
    }
    return sl_infer_set(c, 0, asked);
}

/* ---- filling and repeating */
sl_code sl_shape_fill(struct sl_shape_ctx *c) {
    struct sl_shape out;
    SL_TRY(sl_infer_check_scalars(c, 1, 1));
    bool is_constant = sl_infer_constant(c, 0);
    SL_TRY(sl_infer_shape_of_vector(&out, c, 0));
    if (is_constant && !sl_shape_is_known(out)) return sl_infer_fail(c, "Fill dimensions must be >= 0");
    SL_TRY(sl_infer_set(c, 0, out));
    return sl_infer_copy_handle(c, 0, 1);
}

/* Output 0 has the shape that vector input 0 holds. */
sl_code sl_shape_shape_input(struct sl_shape_ctx *c) {
    struct sl_shape out;
    SL_TRY(sl_infer_shape_of_vector(&out, c, 0));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_broadcast_to(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), out;
    SL_TRY(sl_infer_shape_of_vector(&out, c, 1));
    if (out.rank < 0 || in.rank < 0) return sl_infer_set(c, 0, out);
    SL_TRY(sl_infer_with_rank_at_most(&in, c, in, out.rank));
    for (int i = 0; i < in.rank; i++) {
        int64_t dim = in.dims[i];
        int at = out.rank - in.rank + i;
        if (dim <= 1) continue;
        SL_TRY(sl_infer_merge_dim(&dim, c, dim, out.dims[at]));
        SL_TRY(sl_infer_replace_dim(&out, c, out, at, dim));
    }
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_tile(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), times;
    SL_TRY(sl_infer_shape_of_vector(&times, c, 1));
    if (times.rank < 0 && in.rank < 0) return SL_OK;
    if (in.rank < 0) in = sl_infer_unknown_of_rank(c, times.rank);
    SL_TRY(sl_infer_with_rank(&times, c, times, in.rank));
    int64_t dims[SL_MAX_RANK + 1];
    for (int i = 0; i < in.rank; i++) SL_TRY(sl_infer_multiply(&dims[i], c, in.dims[i], times.dims[i]));
    return sl_infer_set_dims(c, 0, in.rank, dims);
}

sl_code sl_shape_one_hot(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0);
    int64_t axis, depth, dims[SL_MAX_RANK + 1];
    SL_TRY(sl_infer_int(&axis, c, "axis"));
    if (axis < -1) return sl_infer_fail(c, "axis must be >= -1");
    SL_TRY(sl_infer_scalar_dim(&depth, c, 1));
    if (in.rank < 0) return SL_OK;
    int rank = in.rank + 1, at = axis == -1 ? rank - 1 : (int)(axis % rank);
    for (int i = 0; i < rank; i++) dims[i] = i < at ? in.dims[i] : i == at ? depth : in.dims[i - 1];
    return sl_infer_set_dims(c, 0, rank, dims);
}

/* ---- ranges */
static sl_code count_ints(int64_t *n, struct sl_shape_ctx *c, int64_t start, int64_t limit, int64_t delta) {
    if (delta == 0) return sl_infer_fail(c, "Requires delta != 0");
    if (delta > 0 && start > limit)
        return sl_infer_fail(c, "Requires start <= limit when delta > 0: %" PRId64 "/%" PRId64, start, limit);
    if (delta < 0 && start < limit)
        return sl_infer_fail(c, "Requires start >= limit when delta < 0: %" PRId64 "/%" PRId64, start, limit);
    uint64_t span = delta > 0 ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;
    uint64_t step = delta > 0 ? (uint64_t)delta : -(uint64_t)delta;
    uint64_t count = span / step + (span % step != 0);
    if (count > INT64_MAX) return sl_infer_fail(c, "Requires ((limit - start) / delta) <= %" PRId64, INT64_MAX);
    *n = (int64_t)count;
    return SL_OK;
}

static sl_code count_reals(int64_t *n, struct sl_shape_ctx *c, double start, double limit, double delta) {
    if (delta == 0) return sl_infer_fail(c, "Requires delta != 0");
    if (delta > 0 && start > limit)
        return sl_infer_fail(c, "Requires start <= limit when delta > 0: %g/%g", start, limit);
    if (delta < 0 && start < limit)
        return sl_infer_fail(c, "Requires start >= limit when delta < 0: %g/%g", start, limit);
    double count = ceil(fabs((limit - start) / delta));
    if (!(count < 9.2e18)) return sl_infer_fail(c, "Requires ((limit - start) / delta) <= %" PRId64, INT64_MAX);
    *n = (int64_t)count;
    return SL_OK;
}

static double real_at(const struct sl_tensor *t) {
    return t->dtype == SL_FLOAT ? (double)*(const float *)t->data : *(const double *)t->data;
}

sl_code sl_shape_range(struct sl_shape_ctx *c) {
    static const char *const names[] = {"start", "limit", "delta"};
    const struct sl_tensor *t[3];
    struct sl_shape s;
    bool is_known = true;
    for (int i = 0; i < 3; i++) {
        if (sl_infer_with_rank(&s, c, sl_infer_in(c, i), 0) != SL_OK)
            return sl_error_append(c->err, "\n\t for '%s'", names[i]);
        t[i] = sl_infer_constant(c, i);
        is_known = is_known && t[i] && t[i]->count == 1;
    }
    int64_t n = -1, start, limit, delta;
    if (!is_known) return sl_infer_set_dims(c, 0, 1, &n);
    if (t[0]->dtype == SL_FLOAT || t[0]->dtype == SL_DOUBLE) {
        SL_TRY(count_reals(&n, c, real_at(t[0]), real_at(t[1]), real_at(t[2])));
    } else if (sl_infer_constant_int(&start, c, 0) && sl_infer_constant_int(&limit, c, 1) &&
               sl_infer_constant_int(&delta, c, 2)) {
        SL_TRY(count_ints(&n, c, start, limit, delta));
    } else if (t[0]->dtype == SL_HALF) return sl_infer_fail(c, "Unsupported dtype%d", SL_HALF);
    return sl_infer_set_dims(c, 0, 1, &n);
}

sl_code sl_shape_lin_space(struct sl_shape_ctx *c) {
    struct sl_shape s;
    int64_t n = -1;
    static const char *const names[] = {"start", "stop", "num"};
    for (int i = 0; i < 3; i++)
        if (sl_infer_with_rank(&s, c, sl_infer_in(c, i), 0) != SL_OK)
            return sl_error_append(c->err, "\n\t for '%s'", names[i]);
    if (sl_infer_constant_int(&n, c, 2) && n <= 0) return sl_infer_fail(c, "Requires num > 0: %" PRId64, n);
    return sl_infer_set_dims(c, 0, 1, &n);
}

/* ---- order */
static sl_code check_reverse_rank(struct sl_shape_ctx *c, struct sl_shape in) {
    if (in.rank > 8) return sl_infer_fail(c, "reverse does not work on tensors with more than 8 dimensions");
    return SL_OK;
}

sl_code sl_shape_reverse(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), flags;
    SL_TRY(sl_infer_with_rank(&flags, c, sl_infer_in(c, 1), 1));
    if (flags.dims[0] > 8) return check_reverse_rank(c, (struct sl_shape){9, NULL});
    if (flags.dims[0] >= 0) SL_TRY(sl_infer_with_rank(&in, c, in, (int)flags.dims[0]));
    SL_TRY(check_reverse_rank(c, in));
    return sl_infer_set(c, 0, in);
}

sl_code sl_shape_reverse_v2(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), axes_shape;
    SL_TRY(sl_infer_with_rank(&axes_shape, c, sl_infer_in(c, 1), 1));
    SL_TRY(check_reverse_rank(c, in));
    const int64_t *axes;
    int64_t n;
    if (in.rank >= 0 && sl_infer_constant_ints(&axes, &n, c, 1)) {
        unsigned seen = 0;
        for (int64_t k = 0; k < n; k++) {
            if (axes[k] < -in.rank || axes[k] >= in.rank)
                return sl_infer_fail(c, "'axis'[%" PRId64 "] = %" PRId64 " is out of valid range [0, %d", k, axes[k],
                                     in.rank - 1);
            unsigned bit = 1U << (axes[k] < 0 ? axes[k] + in.rank : axes[k]);
            if (seen & bit) return sl_infer_fail(c, "axis %" PRId64 " specified more than once.", axes[k]);
            seen |= bit;
        }
    }
    return sl_infer_set(c, 0, in);
}

sl_code sl_shape_reverse_sequence(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), lengths, out;
    int64_t seq_dim, batch_dim, batch;
    SL_TRY(sl_infer_with_rank(&lengths, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_int(&seq_dim, c, "seq_dim"));
    SL_TRY(sl_infer_int(&batch_dim, c, "batch_dim"));
    if (in.rank < 0) return SL_OK;
    if (batch_dim < 0) return sl_infer_fail(c, "batch_dim must be >=0, got %" PRId64, batch_dim);
    if (batch_dim >= in.rank)
        return sl_infer_fail(c, "batch_dim must be < input rank: %" PRId64 " vs. %d", batch_dim, in.rank);
    if (seq_dim >= in.rank)
        return sl_infer_fail(c, "seq_dim must be < input rank: %" PRId64 " vs. %d", seq_dim, in.rank);
    SL_TRY(sl_infer_merge_dim(&batch, c, sl_infer_dim(in, (int)batch_dim), lengths.dims[0]));
    SL_TRY(sl_infer_replace_dim(&out, c, in, (int)batch_dim, batch));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_roll(struct sl_shape_ctx *c) {
    struct sl_shape in, shifts, axes;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_with_rank_at_most(&shifts, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_rank_at_most(&axes, c, sl_infer_in(c, 2), 1));
    SL_TRY(sl_infer_merge(&axes, c, shifts, axes));
    return sl_infer_set(c, 0, in);
}

/* ---- searching */
SL_SHAPE_RULE(list_diff, "[a] [b] -> [?] [?]")
SL_SHAPE_RULE(unique, "[n] -> [?] $0")
SL_SHAPE_RULE(unique_with_counts, "* -> [?] $0 [?]")
SL_SHAPE_RULE(sorted_bound, "[a,n] [b,m] -> $1")

sl_code sl_shape_where(struct sl_shape_ctx *c) {
    return sl_infer_set_dims(c, 0, 2, (int64_t[]){-1, sl_infer_in(c, 0).rank});
}

/* y, idx and perhaps counts of unique slices along the axis that input 1 gives; no axis stands for a vector's only
 * one. */
sl_code sl_shape_unique_v2(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), idx = sl_infer_vector(c, -1);
    const int64_t *axis;
    int64_t n;
    if (in.rank >= 0 && sl_infer_constant_ints(&axis, &n, c, 1)) {
        if (sl_infer_in(c, 1).rank != 1) return sl_infer_fail(c, "axis expects a 1D vector.");
        if (n > 1) return sl_infer_fail(c, "axis does not support input tensors larger than 1 elements.");
        if (n == 0) {
            if (in.rank != 1) return sl_infer_fail(c, "x expects a 1D vector.");
            idx = in;
        } else {
            if (axis[0] < -in.rank || axis[0] >= in.rank)
                return sl_infer_fail(c, "axis expects to be in the range [%d, %d), got %" PRId64, -in.rank, in.rank,
                                     axis[0]);
            idx = sl_infer_vector(c, sl_infer_dim(in, (int)axis[0]));
        }
    }
    SL_TRY(sl_infer_set(c, 0, sl_infer_unknown_of_rank(c, in.rank)));
    SL_TRY(sl_infer_set(c, 1, idx));
    return c->n_out > 2 ? sl_infer_set_dims(c, 2, 1, (int64_t[]){-1}) : SL_OK;
}

sl_code sl_shape_unravel_index(struct sl_shape_ctx *c) {
    struct sl_shape indices = sl_infer_in(c, 0), dims;
    SL_TRY(sl_infer_with_rank(&dims, c, sl_infer_in(c, 1), 1));
    if (indices.rank < 0) return SL_OK;
    if (indices.rank == 0) return sl_infer_set(c, 0, dims);
    return sl_infer_set_dims(c, 0, 2, (int64_t[]){dims.dims[0], sl_infer_count(indices)});
}

/* ---- bits */
sl_code sl_shape_bitcast(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), out;
    size_t from = sl_dtype_size(c->in_types[0]), to = sl_dtype_size(c->out_types[0]);
    if (from == 0 || to == 0) return sl_infer_fail(c, "Cannot bitcast types without a size");
    if (in.rank < 0 || from == to) return sl_infer_set(c, 0, in);
    if (from > to) {
        SL_TRY(sl_infer_concat(&out, c, in, sl_infer_vector(c, (int64_t)(from / to))));
        return sl_infer_set(c, 0, out);
    }
    int64_t last, parts = (int64_t)(to / from);
    SL_TRY(sl_infer_with_rank_at_least(&in, c, in, 1));
    if (in.dims[in.rank - 1] >= 0 && in.dims[in.rank - 1] != parts)
        return sl_infer_fail(c, "Cannot bitcast due to shape. %" PRId64 " does not match %" PRId64,
                             in.dims[in.rank - 1], parts);
    SL_TRY(sl_infer_with_value(&last, c, in.dims[in.rank - 1], parts));
    SL_TRY(sl_infer_subshape(&out, c, in, 0, -1));
    return sl_infer_set(c, 0, out);
}
