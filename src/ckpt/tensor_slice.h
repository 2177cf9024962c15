/* Slices of tensors: a range of each dim, as checkpoints of partitioned variables have them. In text "0,10:-": dims are
 * parted by colons, each is `start,length` or `-` for all of it. Plain values; thread-safe. */
#ifndef SL_CKPT_TENSOR_SLICE_H
#define SL_CKPT_TENSOR_SLICE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "proto/gen/messages.h"
#include "tensor/shape.h"

enum { SL_EXTENT_FULL = -1 }; /* a length: the whole dim, from 0 */

struct sl_extent {
    int64_t start, length;
};
struct sl_tensor_slice {
    int rank;
    struct sl_extent dims[SL_MAX_RANK];
};

/* All of a tensor of this rank. */
void sl_tensor_slice_full(struct sl_tensor_slice *out, int rank);
/* INVALID_ARGUMENT for text that is no slice. */
sl_code sl_tensor_slice_parse(struct sl_tensor_slice *out, struct sl_str text, struct sl_error *err);
sl_code sl_tensor_slice_from_proto(struct sl_tensor_slice *out, const struct sl_pb_TensorSliceProto *proto,
                                   struct sl_error *err);
/* In `arena`. */
sl_code sl_tensor_slice_to_proto(struct sl_pb_TensorSliceProto *out, const struct sl_tensor_slice *slice,
                                 struct sl_arena *arena, struct sl_error *err);
/* The text form, in `arena`; NULL when memory is out. */
char *sl_tensor_slice_text(struct sl_arena *arena, const struct sl_tensor_slice *slice);

/* An element of shape_and_slices: "4 10 0,2:-" is a slice of a tensor of shape [4,10]. `shape->dims` is in `dims`. The
 * slice lies within the shape; it is not resolved. */
sl_code sl_shape_and_slice_parse(struct sl_shape *shape, int64_t dims[SL_MAX_RANK], struct sl_tensor_slice *slice,
                                 struct sl_str text, struct sl_error *err);

/* Replaces full extents by their ranges in `shape` and checks that the slice lies within: INVALID_ARGUMENT. */
sl_code sl_tensor_slice_resolve(struct sl_tensor_slice *slice, struct sl_shape shape, struct sl_error *err);
/* Whether a resolved slice is all of the shape. */
bool sl_tensor_slice_is_all(const struct sl_tensor_slice *slice, struct sl_shape shape);
/* The common part of two resolved slices; false when there is none. */
bool sl_tensor_slice_cut(struct sl_tensor_slice *out, const struct sl_tensor_slice *a, const struct sl_tensor_slice *b);
/* Elements of a resolved slice that lies within a shape whose count fits. */
int64_t sl_tensor_slice_count(const struct sl_tensor_slice *slice);

/* Copies `part`, which lies in both, from the elements of slice `from` of a tensor to those of slice `to`. All are
 * resolved; rows of both are in row-major order. */
sl_code sl_tensor_slice_copy(int dtype, void *to_data, const struct sl_tensor_slice *to, const void *from_data,
                             const struct sl_tensor_slice *from, const struct sl_tensor_slice *part,
                             struct sl_error *err);

/* The key of a slice in a table of a checkpoint: order-preserving bytes of 0, name, rank, extents. In `arena`; `.p`
 * is NULL when memory is out. */
struct sl_str sl_slice_key(struct sl_str name, const struct sl_tensor_slice *slice, struct sl_arena *arena);
/* The way back: INVALID_ARGUMENT for other bytes. `*name` is in `arena`. */
sl_code sl_slice_key_parse(struct sl_str *name, struct sl_tensor_slice *slice, struct sl_str key,
                           struct sl_arena *arena, struct sl_error *err);

#endif
