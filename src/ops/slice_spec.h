/* The spec of a strided slice, spread over the dims of its input: what shape inference, kernels and gradients all
 * need.
 *
 * A spec has one entry for each element of begin, end and strides; masks say by entry how it is meant. An ellipsis
 * takes as many dims as are left over; entries may add axes to the result or drop them. Plain values; thread-safe. */
#ifndef SL_OPS_SLICE_SPEC_H
#define SL_OPS_SLICE_SPEC_H

#include "base/error.h"
#include "ops/attr.h"
#include "tensor/shape.h"

/* Bit i is about entry i; the attrs begin_mask and so on. */
struct sl_slice_masks {
    int64_t begin, end, ellipsis, new_axis, shrink_axis;
};

enum { SL_SLICE_ENTRIES = 32, SL_SLICE_NEW_AXIS = -1 };

struct sl_slice_spec {
    int rank; /* of the input */
    struct sl_slice_dim {
        int64_t begin, end, stride;
        bool is_begin_open, is_end_open; /* from the very start, to the very end, in the direction of the stride */
        bool is_shrunk;                  /* one index, and the axis goes */
    } dims[SL_MAX_RANK];
    int n_final; /* axes of the result: each a dim of the input, or SL_SLICE_NEW_AXIS */
    int16_t final[SL_MAX_RANK + SL_SLICE_ENTRIES];
};

sl_code sl_slice_masks_read(struct sl_slice_masks *out, const struct sl_attrs *attrs, struct sl_error *err);

/* `n` entries (at most SL_SLICE_ENTRIES); `begin` and `end` NULL: not known, taken as 0. INVALID_ARGUMENT. */
sl_code sl_slice_spec_make(struct sl_slice_spec *out, const struct sl_slice_masks *masks, int n, const int64_t *begin,
                           const int64_t *end, const int64_t *strides, int in_rank, struct sl_error *err);

/* What the slice takes of dim `i` when that has `length` elements: the first index and how many (1 for a dropped axis).
 * INVALID_ARGUMENT for a stride of 0 and for a single index out of bounds. */
sl_code sl_slice_range(int64_t *first, int64_t *count, const struct sl_slice_spec *spec, int i, int64_t length,
                       struct sl_error *err);
/* The errors that do not depend on begin and end alone. */
sl_code sl_slice_check_stride(const struct sl_slice_spec *spec, int i, bool is_length_known, struct sl_error *err);

#endif
