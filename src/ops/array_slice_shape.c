/* Shape functions of slices: Slice, StridedSlice and what is like them.
 *
 * A strided slice has one spec entry a dim of begin/end/strides; masks by entry. The entries are first spread over the
 * dims of the input (an ellipsis takes as many as are left), then each dim gives a length, and last new and dropped axes
 * are put in. Lengths that depend on an unknown begin or end are unknown. */
#include <inttypes.h>
#include <string.h>

#include "ops/shape_functions.h"

/* ---- Slice */
/* With known sizes: -1 takes what is left behind `begin`. */
static sl_code slice_known(struct sl_shape_ctx *c, struct sl_shape in, struct sl_shape begin, const int64_t *sizes,
                           int64_t n) {
    if (n > SL_MAX_RANK) return sl_infer_fail(c, "Slice has too many dimensions: %" PRId64, n);
    int64_t dims[SL_MAX_RANK + 1];
    SL_TRY(sl_infer_with_rank(&begin, c, begin, (int)n));
    SL_TRY(sl_infer_with_rank(&in, c, in, (int)n));
    for (int i = 0; i < n; i++) {
        if (sizes[i] < -1)
            return sl_infer_fail(c,
                                 "Out of bounds slicing on dimension %d of length %" PRId64
                                 ": sizes vector cannot be < -1, but was %" PRId64,
                                 i, in.dims[i], sizes[i]);
        dims[i] = sizes[i];
        if (sizes[i] < 0) SL_TRY(sl_infer_subtract(&dims[i], c, in.dims[i], begin.dims[i]));
        else if (in.dims[i] >= 0 && begin.dims[i] >= 0 && begin.dims[i] > in.dims[i] - sizes[i])
            return sl_infer_fail(c,
                                 "Out of bounds slicing on dimension %d of length %" PRId64 ": sizes[%d] = %" PRId64
                                 ", begin[%d] = %" PRId64,
                                 i, in.dims[i], i, sizes[i], i, begin.dims[i]);
    }
    return sl_infer_set_dims(c, 0, (int)n, dims);
}

sl_code sl_shape_slice(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), begin_shape, sizes_shape, begin, sizes;
    SL_TRY(sl_infer_with_rank(&begin_shape, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_rank(&sizes_shape, c, sl_infer_in(c, 2), 1));
    SL_TRY(sl_infer_merge(&begin_shape, c, begin_shape, sizes_shape));
    int64_t length = begin_shape.dims[0], n;
    if (length > SL_MAX_RANK) return sl_infer_fail(c, "Slice has too many dimensions: %" PRId64, length);
    if (length >= 0) SL_TRY(sl_infer_with_rank(&in, c, in, (int)length));
    SL_TRY(sl_infer_shape_of_tensor(&begin, c, 1)); /* no shape, but a vector that may be known in part */
    const int64_t *values;
    if (sl_infer_constant_ints(&values, &n, c, 2)) return slice_known(c, in, begin, values, n);
    SL_TRY(sl_infer_shape_of_tensor(&sizes, c, 2));
    if (sizes.rank >= 0) {
        SL_TRY(sl_infer_with_rank(&begin, c, begin, sizes.rank));
        return sl_infer_set(c, 0, sizes);
    }
    return sl_infer_set(c, 0, sl_infer_unknown_of_rank(c, in.rank >= 0 ? in.rank : begin.rank));
}

/* ---- StridedSlice */
struct masks {
    int64_t begin, end, ellipsis, new_axis, shrink_axis;
};

/* The spec spread over the dims of the input. */
struct dense_spec {
    bool has_begin, has_end;
    int rank;
    struct dense_dim {
        int64_t begin, end, stride;
        bool is_begin_open, is_end_open, is_shrunk;
    } dims[SL_MAX_RANK];
    int n_final;
    int16_t final[SL_MAX_RANK + 64]; /* a dim of the input, or NEW_AXIS */
};
enum { NEW_AXIS = -1 };

static sl_code read_masks(struct masks *m, struct sl_shape_ctx *c) {
    SL_TRY(sl_infer_int(&m->begin, c, "begin_mask"));
    SL_TRY(sl_infer_int(&m->end, c, "end_mask"));
    SL_TRY(sl_infer_int(&m->ellipsis, c, "ellipsis_mask"));
    SL_TRY(sl_infer_int(&m->new_axis, c, "new_axis_mask"));
    return sl_infer_int(&m->shrink_axis, c, "shrink_axis_mask");
}

static void add_open_dim(struct dense_spec *d) {
    d->final[d->n_final++] = (int16_t)d->rank;
    d->dims[d->rank++] = (struct dense_dim){.stride = 1, .is_begin_open = true, .is_end_open = true};
}

/* `n` entries (at most 32: masks have as many bits); begin and end may be NULL. */
static sl_code spread_spec(struct dense_spec *d, struct sl_shape_ctx *c, const struct masks *m, int n,
                           const int64_t *begin, const int64_t *end, const int64_t *strides, int in_rank) {
    *d = (struct dense_spec){.has_begin = begin != NULL, .has_end = end != NULL};
    if (m->ellipsis & (m->ellipsis - 1)) return sl_infer_fail(c, "Multiple ellipses in slice spec not allowed");
    bool is_ellipsis_seen = false;
    int new_after_ellipsis = 0;
    for (int i = 0; i < n; i++) {
        if (is_ellipsis_seen && (m->new_axis >> i & 1)) new_after_ellipsis++;
        if (m->ellipsis >> i & 1) is_ellipsis_seen = true;
    }
    for (int i = 0; i < n + !is_ellipsis_seen; i++) {
        int after = is_ellipsis_seen ? n - i - 1 - new_after_ellipsis : 0;
        if (i == n || (m->ellipsis >> i & 1)) {
            while (d->rank < in_rank - after) add_open_dim(d);
        } else if (m->new_axis >> i & 1) {
            d->final[d->n_final++] = NEW_AXIS;
        } else {
            if (d->rank == in_rank)
                return sl_infer_fail(c, "Index out of range using input dim %d; input has only %d dims", d->rank,
                                     in_rank);
            bool is_shrunk = m->shrink_axis >> i & 1;
            if (!is_shrunk) d->final[d->n_final++] = (int16_t)d->rank;
            d->dims[d->rank++] = (struct dense_dim){.begin = begin ? begin[i] : 0,
                                                    .end = end ? end[i] : 0,
                                                    .stride = strides[i],
                                                    .is_begin_open = m->begin >> i & 1,
                                                    .is_end_open = m->end >> i & 1,
                                                    .is_shrunk = is_shrunk};
        }
    }
    return SL_OK;
}

/* Where a slice of a dim of this length starts or ends, within the bounds of its direction. */
static int64_t clamp(int64_t at, bool is_open, bool is_end, int64_t stride, int64_t length) {
    int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? length : length - 1;
    if (is_open) return is_end == (stride > 0) ? high : low;
    if (at < 0) at = at < -length ? -1 : at + length;
    return at < low ? low : at > high ? high : at;
}

static sl_code slice_length(int64_t *out, struct sl_shape_ctx *c, const struct dense_spec *d, int i, int64_t length) {
    const struct dense_dim *dim = &d->dims[i];
    if (dim->stride == 0) return sl_infer_fail(c, "strides[%d] must be non-zero", i);
    *out = dim->is_shrunk ? 1 : -1;
    if (length < 0) return SL_OK;
    if (dim->is_shrunk && dim->stride < 0) return sl_infer_fail(c, "only stride 1 allowed on non-range indexing.");
    bool is_known = d->has_begin && d->has_end;
    if (dim->is_shrunk) {
        int64_t at = dim->begin < 0 && dim->begin >= -length ? dim->begin + length : dim->begin;
        if (is_known && (at < 0 || at >= length))
            return sl_infer_fail(c, "slice index %" PRId64 " of dimension %d out of bounds.", dim->begin, i);
        return SL_OK;
    }
    if (!is_known && !(dim->is_begin_open && dim->is_end_open)) return SL_OK;
    int64_t from = clamp(dim->begin, dim->is_begin_open, false, dim->stride, length);
    int64_t to = clamp(dim->end, dim->is_end_open, true, dim->stride, length);
    int64_t span = dim->stride > 0 ? to - from : from - to;
    uint64_t step = dim->stride > 0 ? (uint64_t)dim->stride : -(uint64_t)dim->stride;
    *out = span <= 0 ? 0 : (int64_t)(((uint64_t)span - 1) / step + 1);
    return SL_OK;
}

sl_code sl_shape_strided_slice(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), spec = SL_SHAPE_UNKNOWN, s;
    for (int i = 1; i < 4; i++) {
        SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 1));
        SL_TRY(sl_infer_merge(&spec, c, spec, s));
    }
    const int64_t *begin = NULL, *end = NULL, *strides;
    int64_t n, n_begin, n_end;
    if (in.rank < 0 || spec.dims[0] < 0 || !sl_infer_constant_ints(&strides, &n, c, 3)) return SL_OK;
    if (sl_infer_constant_ints(&begin, &n_begin, c, 1) && n_begin != n) begin = NULL;
    if (sl_infer_constant_ints(&end, &n_end, c, 2) && n_end != n) end = NULL;
    if (n > 32) return sl_infer_fail(c, "Slice spec has %" PRId64 " entries; at most 32 are allowed", n);

    struct masks masks;
    struct dense_spec dense;
    int64_t dims[SL_MAX_RANK + 64];
    SL_TRY(read_masks(&masks, c));
    SL_TRY(spread_spec(&dense, c, &masks, (int)n, begin, end, strides, in.rank));
    for (int i = 0; i < dense.rank; i++) SL_TRY(slice_length(&dims[i], c, &dense, i, in.dims[i]));
    int64_t out[SL_MAX_RANK + 64];
    for (int k = 0; k < dense.n_final; k++) out[k] = dense.final[k] == NEW_AXIS ? 1 : dims[dense.final[k]];
    SL_TRY(sl_infer_set_dims(c, 0, dense.n_final, out));
    return sl_infer_copy_handle(c, 0, 0);
}
