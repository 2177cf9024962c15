/* Strided slices: from the entries of a spec to ranges of the dims. Called by shape functions and kernels. */
#include "ops/slice_spec.h"

#include <inttypes.h>

sl_code sl_slice_masks_read(struct sl_slice_masks *out, const struct sl_attrs *attrs, struct sl_error *err) {
    SL_TRY(sl_attr_int(&out->begin, attrs, "begin_mask", err));
    SL_TRY(sl_attr_int(&out->end, attrs, "end_mask", err));
    SL_TRY(sl_attr_int(&out->ellipsis, attrs, "ellipsis_mask", err));
    SL_TRY(sl_attr_int(&out->new_axis, attrs, "new_axis_mask", err));
    return sl_attr_int(&out->shrink_axis, attrs, "shrink_axis_mask", err);
}

static void add_open_dim(struct sl_slice_spec *s) {
    s->final[s->n_final++] = (int16_t)s->rank;
    s->dims[s->rank++] = (struct sl_slice_dim){.stride = 1, .is_begin_open = true, .is_end_open = true};
}

sl_code sl_slice_spec_make(struct sl_slice_spec *s, const struct sl_slice_masks *m, int n, const int64_t *begin,
                           const int64_t *end, const int64_t *strides, int in_rank, struct sl_error *err) {
    s->rank = s->n_final = 0;
    if (__builtin_popcountll((unsigned long long)m->ellipsis) > 1)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Multiple ellipses in slice spec not allowed");
    bool is_ellipsis_seen = false;
    int new_after_ellipsis = 0;
    for (int i = 0; i < n; i++) {
        if (is_ellipsis_seen && (m->new_axis >> i & 1)) new_after_ellipsis++;
        if (m->ellipsis >> i & 1) is_ellipsis_seen = true;
    }
    for (int i = 0; i < n + !is_ellipsis_seen; i++) {
        int after = is_ellipsis_seen ? n - i - 1 - new_after_ellipsis : 0;
        if (i == n || (m->ellipsis >> i & 1)) {
            while (s->rank < in_rank - after) add_open_dim(s);
        } else if (m->new_axis >> i & 1) {
            s->final[s->n_final++] = SL_SLICE_NEW_AXIS;
        } else {
            if (s->rank == in_rank)
                return sl_fail(err, SL_INVALID_ARGUMENT,
                               "Index out of range using input dim %d; input has only %d dims", s->rank, in_rank);
            bool is_shrunk = m->shrink_axis >> i & 1;
            if (!is_shrunk) s->final[s->n_final++] = (int16_t)s->rank;
            s->dims[s->rank++] = (struct sl_slice_dim){.begin = begin ? begin[i] : 0,
                                                       .end = end ? end[i] : 0,
                                                       .stride = strides[i],
                                                       .is_begin_open = m->begin >> i & 1,
                                                       .is_end_open = m->end >> i & 1,
                                                       .is_shrunk = is_shrunk};
        }
    }
    return SL_OK;
}

sl_code sl_slice_check_stride(const struct sl_slice_spec *s, int i, bool is_length_known, struct sl_error *err) {
    const struct sl_slice_dim *dim = &s->dims[i];
    if (dim->stride == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "strides[%d] must be non-zero", i);
    if (is_length_known && dim->is_shrunk && dim->stride < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "only stride 1 allowed on non-range indexing.");
    return SL_OK;
}

/* Where a slice of a dim of this length starts or ends, within the bounds of its direction. */
static int64_t clamp(int64_t at, bool is_open, bool is_end, int64_t stride, int64_t length) {
    int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? length : length - 1;
    if (is_open) return is_end == (stride > 0) ? high : low;
    if (at < 0) at = at < -length ? -1 : at + length;
    return at < low ? low : at > high ? high : at;
}

sl_code sl_slice_range(int64_t *first, int64_t *count, const struct sl_slice_spec *s, int i, int64_t length,
                       struct sl_error *err) {
    SL_TRY(sl_slice_check_stride(s, i, true, err));
    const struct sl_slice_dim *dim = &s->dims[i];
    if (dim->is_shrunk) {
        int64_t at = dim->begin < 0 && dim->begin >= -length ? dim->begin + length : dim->begin;
        if (at < 0 || at >= length)
            return sl_fail(err, SL_INVALID_ARGUMENT, "slice index %" PRId64 " of dimension %d out of bounds.",
                           dim->begin, i);
        *first = at;
        *count = 1;
        return SL_OK;
    }
    int64_t from = clamp(dim->begin, dim->is_begin_open, false, dim->stride, length);
    int64_t to = clamp(dim->end, dim->is_end_open, true, dim->stride, length);
    int64_t span = dim->stride > 0 ? to - from : from - to;
    uint64_t step = dim->stride > 0 ? (uint64_t)dim->stride : -(uint64_t)dim->stride;
    *first = from;
    *count = span <= 0 ? 0 : (int64_t)(((uint64_t)span - 1) / step + 1);
    return SL_OK;
}
