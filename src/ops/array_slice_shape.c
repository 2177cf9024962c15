/* Shape functions of slices: Slice, StridedSlice and what is like them. Lengths that depend on an unknown begin or
 * end are unknown. */
#include <inttypes.h>

#include "ops/shape_functions.h"
#include "ops/slice_spec.h"

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

/* Of the sizes that input 2 holds, wherever the slice begins. */
sl_code sl_shape_dynamic_slice(struct sl_shape_ctx *c) {
    struct sl_shape out;
    SL_TRY(sl_infer_shape_of_vector(&out, c, 2));
    return sl_infer_set(c, 0, out);
}

/* ---- StridedSlice */
/* -1 when it depends on what is not known. */
static sl_code slice_length(int64_t *out, struct sl_shape_ctx *c, const struct sl_slice_spec *spec, int i,
                            int64_t length, bool is_known) {
    const struct sl_slice_dim *dim = &spec->dims[i];
    int64_t first;
    SL_TRY(sl_slice_check_stride(spec, i, length >= 0, c->err));
    *out = dim->is_shrunk ? 1 : -1;
    if (length < 0) return SL_OK;
    if (!is_known && (dim->is_shrunk || !(dim->is_begin_open && dim->is_end_open))) return SL_OK;
    return sl_slice_range(&first, out, spec, i, length, c->err);
}

sl_code sl_shape_strided_slice(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), entries = SL_SHAPE_UNKNOWN, s;
    for (int i = 1; i < 4; i++) {
        SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 1));
        SL_TRY(sl_infer_merge(&entries, c, entries, s));
    }
    const int64_t *begin = NULL, *end = NULL, *strides;
    int64_t n, n_begin, n_end;
    if (in.rank < 0 || entries.dims[0] < 0 || !sl_infer_constant_ints(&strides, &n, c, 3)) return SL_OK;
    if (sl_infer_constant_ints(&begin, &n_begin, c, 1) && n_begin != n) begin = NULL;
    if (sl_infer_constant_ints(&end, &n_end, c, 2) && n_end != n) end = NULL;
    if (n > SL_SLICE_ENTRIES)
        return sl_infer_fail(c, "Slice spec has %" PRId64 " entries; at most %d are allowed", n, SL_SLICE_ENTRIES);

    struct sl_slice_masks masks;
    struct sl_slice_spec spec;
    int64_t dims[SL_MAX_RANK], out[SL_MAX_RANK + SL_SLICE_ENTRIES];
    SL_TRY(sl_slice_masks_read(&masks, c->attrs, c->err));
    SL_TRY(sl_slice_spec_make(&spec, &masks, (int)n, begin, end, strides, in.rank, c->err));
    for (int i = 0; i < spec.rank; i++) SL_TRY(slice_length(&dims[i], c, &spec, i, in.dims[i], begin && end));
    for (int k = 0; k < spec.n_final; k++) out[k] = spec.final[k] == SL_SLICE_NEW_AXIS ? 1 : dims[spec.final[k]];
    SL_TRY(sl_infer_set_dims(c, 0, spec.n_final, out));
    return sl_infer_copy_handle(c, 0, 0);
}
