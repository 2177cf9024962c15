/* What the families' shape functions share beyond the contract: rules written as patterns, single dims, dims that
 * inputs give. One owner; not thread-safe, like the context.
 *
 * A rule as text, for ops whose shapes follow from ranks and equal dims alone:
 *
 *     SL_SHAPE_RULE(sparse_softmax, "[b,n] [b] -> [b] [b,n]")
 *
 * Left one word an input, right one word an output:
 *   [a,b,c]   that rank; a name stands for the same dim wherever it is written: known where one place knows it
 *   [s...,n]  at least that rank; `s...` is the rest of the dims, alike wherever it is written
 *   x         a whole shape, alike wherever it is written (the same as [x...])
 *   *         any shape; as an output an unknown one
 *   $1        right of the arrow: input 1 as it came
 *   []+       a list argument: as many inputs (outputs) as remain, shared evenly among all words with a plus
 * Dims are names, numbers, `?` (any), `@attr` (an int attr), and right of the arrow `#2` (the value of scalar input
 * 2) and `n+1` (a name and a number). */
#ifndef SL_OPS_SHAPE_RULES_H
#define SL_OPS_SHAPE_RULES_H

#include "ops/shape_ctx.h"

sl_code sl_infer_pattern(struct sl_shape_ctx *c, const char *pattern);
#define SL_SHAPE_RULE(name, pattern)                                                                                   \
    sl_code sl_shape_##name(struct sl_shape_ctx *c) { return sl_infer_pattern(c, pattern); }

/* Dim i of s, counted from the end when negative; -1 when the rank is unknown. The rank must be large enough. */
static inline int64_t sl_infer_dim(struct sl_shape s, int i) {
    return s.rank < 0 ? -1 : s.dims[i < 0 ? i + s.rank : i];
}
/* "Dimension must be V but is D"; an unknown dim becomes V. */
sl_code sl_infer_with_value(int64_t *out, struct sl_shape_ctx *c, int64_t dim, int64_t value);
/* s with dim i (negative: from the end) replaced; an unknown rank stays unknown. */
sl_code sl_infer_replace_dim(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int i, int64_t value);
/* The first dims of `s` merged with those of `prefix`; both are refined. An unknown prefix changes nothing. */
sl_code sl_infer_merge_prefix(struct sl_shape *s, struct sl_shape *prefix, struct sl_shape_ctx *c);
/* [first] + s. */
sl_code sl_infer_prepend(struct sl_shape *out, struct sl_shape_ctx *c, int64_t first, struct sl_shape s);
/* s + [last]. */
sl_code sl_infer_append(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int64_t last);
/* Input i merged with rank 0, for arguments that must be scalars; n of them. */
sl_code sl_infer_check_scalars(struct sl_shape_ctx *c, int first, int n);

/* The one element of an int32/int64 constant; false when the value is unknown or has not one element. */
bool sl_infer_constant_int(int64_t *value, struct sl_shape_ctx *c, int i);
/* The dim that scalar input i gives, -1 when its value is unknown; negative values are errors. */
sl_code sl_infer_scalar_dim(int64_t *out, struct sl_shape_ctx *c, int i);
/* The axis that scalar input i gives for this rank (-1: unknown), counted from the start; -1 when it is not known. */
sl_code sl_infer_scalar_axis(int64_t *out, struct sl_shape_ctx *c, int i, int rank);
/* sl_infer_shape_of_tensor of an input that must be a vector. */
sl_code sl_infer_shape_of_vector(struct sl_shape *out, struct sl_shape_ctx *c, int i);
/* The shape of what resource or variant input i holds, unknown when nothing is known of it. `dtype_attr`: the attr
 * whose type it must have; NULL when any will do. */
sl_code sl_infer_held(struct sl_shape *out, struct sl_shape_ctx *c, int i, const char *dtype_attr);

/* Whether inputs first .. first+2 are indices, values and shape of a sparse tensor. Its rank is what the
 * length of the shape says: -1 when that is unknown, even if the indices know. */
sl_code sl_infer_check_sparse(int64_t *rank, struct sl_shape_ctx *c, int first);

/* Height and width that vector input i gives, each -1 when it is not known. */
sl_code sl_infer_size_input(int64_t size[2], struct sl_shape_ctx *c, int i);

#endif
