/* Wrappers of the array ops, made by tools/gen_ops.py from src/ops/array.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_ARRAY_OPS_H
#define SLUICE_GEN_ARRAY_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_batch_to_space_attrs {
    int64_t block_size; /* must be given */
};
/* BatchToSpace: input: T, crops: Tidx -> output: T */
static inline TF_Output sl_batch_to_space(struct sl_scope *scope, TF_Output input, TF_Output crops, struct sl_batch_to_space_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&crops, -1}};
    const struct sl_attr_given attrs_[] = {{"block_size", SL_GIVEN_INT_NEEDED, &attrs.block_size}};
    return sl_op_first(sl_op(scope, "BatchToSpace", inputs_, 2, attrs_, 1));
}

/* BatchToSpaceND: input: T, block_shape: Tblock_shape, crops: Tcrops -> output: T */
static inline TF_Output sl_batch_to_space_nd(struct sl_scope *scope, TF_Output input, TF_Output block_shape, TF_Output crops) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&block_shape, -1}, {&crops, -1}};
    return sl_op_first(sl_op(scope, "BatchToSpaceND", inputs_, 3, NULL, 0));
}

struct sl_bitcast_attrs {
    TF_DataType type; /* must be given */
};
/* Bitcast: input: T -> output: type */
static inline TF_Output sl_bitcast(struct sl_scope *scope, TF_Output input, struct sl_bitcast_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"type", SL_GIVEN_TYPE, &attrs.type}};
    return sl_op_first(sl_op(scope, "Bitcast", inputs_, 1, attrs_, 1));
}

/* BroadcastArgs: s0: T, s1: T -> r0: T */
static inline TF_Output sl_broadcast_args(struct sl_scope *scope, TF_Output s0, TF_Output s1) {
    const struct sl_op_input inputs_[] = {{&s0, -1}, {&s1, -1}};
    return sl_op_first(sl_op(scope, "BroadcastArgs", inputs_, 2, NULL, 0));
}

struct sl_broadcast_gradient_args_outputs {
    TF_Output r0, r1;
};
/* BroadcastGradientArgs: s0: T, s1: T -> r0: T, r1: T */
static inline struct sl_broadcast_gradient_args_outputs sl_broadcast_gradient_args(struct sl_scope *scope, TF_Output s0, TF_Output s1) {
    const struct sl_op_input inputs_[] = {{&s0, -1}, {&s1, -1}};
    TF_Operation *const op_ = sl_op(scope, "BroadcastGradientArgs", inputs_, 2, NULL, 0);
    const struct sl_broadcast_gradient_args_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* BroadcastTo: input: T, shape: Tidx -> output: T */
static inline TF_Output sl_broadcast_to(struct sl_scope *scope, TF_Output input, TF_Output shape) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&shape, -1}};
    return sl_op_first(sl_op(scope, "BroadcastTo", inputs_, 2, NULL, 0));
}

/* Concat: concat_dim: int32, values: N * T -> output: T */
static inline TF_Output sl_concat(struct sl_scope *scope, TF_Output concat_dim, const TF_Output *values, int num_values) {
    const struct sl_op_input inputs_[] = {{&concat_dim, -1}, {values, num_values}};
    return sl_op_first(sl_op(scope, "Concat", inputs_, 2, NULL, 0));
}

/* ConcatOffset: concat_dim: int32, shape: N * shape_type -> offset: N * shape_type */
static inline TF_Operation *sl_concat_offset(struct sl_scope *scope, TF_Output concat_dim, const TF_Output *shape, int num_shape) {
    const struct sl_op_input inputs_[] = {{&concat_dim, -1}, {shape, num_shape}};
    return sl_op(scope, "ConcatOffset", inputs_, 2, NULL, 0);
}

/* ConcatV2: values: N * T, axis: Tidx -> output: T */
static inline TF_Output sl_concat_v2(struct sl_scope *scope, const TF_Output *values, int num_values, TF_Output axis) {
    const struct sl_op_input inputs_[] = {{values, num_values}, {&axis, -1}};
    return sl_op_first(sl_op(scope, "ConcatV2", inputs_, 2, NULL, 0));
}

/* ConjugateTranspose: x: T, perm: Tperm -> y: T */
static inline TF_Output sl_conjugate_transpose(struct sl_scope *scope, TF_Output x, TF_Output perm) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&perm, -1}};
    return sl_op_first(sl_op(scope, "ConjugateTranspose", inputs_, 2, NULL, 0));
}

struct sl_const_attrs {
    TF_Tensor *value; /* must be given */
    TF_DataType dtype; /* must be given */
};
/* Const: () -> output: dtype */
static inline TF_Output sl_const(struct sl_scope *scope, struct sl_const_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"value", SL_GIVEN_TENSOR, &attrs.value}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "Const", NULL, 0, attrs_, 2));
}

/* DeepCopy: x: T -> y: T */
static inline TF_Output sl_deep_copy(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "DeepCopy", inputs_, 1, NULL, 0));
}

struct sl_depth_to_space_attrs {
    int64_t block_size; /* must be given */
    const char *data_format; /* 'NHWC' */
};
/* DepthToSpace: input: T -> output: T */
static inline TF_Output sl_depth_to_space(struct sl_scope *scope, TF_Output input, struct sl_depth_to_space_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"block_size", SL_GIVEN_INT_NEEDED, &attrs.block_size}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "DepthToSpace", inputs_, 1, attrs_, 2));
}

struct sl_empty_attrs {
    TF_DataType dtype; /* must be given */
    bool init; /* false */
};
/* Empty: shape: int32 -> output: dtype */
static inline TF_Output sl_empty(struct sl_scope *scope, TF_Output shape, struct sl_empty_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"init", SL_GIVEN_BOOL, &attrs.init}};
    return sl_op_first(sl_op(scope, "Empty", inputs_, 1, attrs_, 2));
}

struct sl_ensure_shape_attrs {
    struct sl_dims shape; /* must be given */
};
/* EnsureShape: input: T -> output: T */
static inline TF_Output sl_ensure_shape(struct sl_scope *scope, TF_Output input, struct sl_ensure_shape_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"shape", SL_GIVEN_SHAPE, &attrs.shape}};
    return sl_op_first(sl_op(scope, "EnsureShape", inputs_, 1, attrs_, 1));
}

/* ExpandDims: input: T, dim: Tdim -> output: T */
static inline TF_Output sl_expand_dims(struct sl_scope *scope, TF_Output input, TF_Output dim) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&dim, -1}};
    return sl_op_first(sl_op(scope, "ExpandDims", inputs_, 2, NULL, 0));
}

/* Fill: dims: index_type, value: T -> output: T */
static inline TF_Output sl_fill(struct sl_scope *scope, TF_Output dims, TF_Output value) {
    const struct sl_op_input inputs_[] = {{&dims, -1}, {&value, -1}};
    return sl_op_first(sl_op(scope, "Fill", inputs_, 2, NULL, 0));
}

/* GuaranteeConst: input: T -> output: T */
static inline TF_Output sl_guarantee_const(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "GuaranteeConst", inputs_, 1, NULL, 0));
}

struct sl_host_const_attrs {
    TF_Tensor *value; /* must be given */
    TF_DataType dtype; /* must be given */
};
/* HostConst: () -> output: dtype */
static inline TF_Output sl_host_const(struct sl_scope *scope, struct sl_host_const_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"value", SL_GIVEN_TENSOR, &attrs.value}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "HostConst", NULL, 0, attrs_, 2));
}

/* Identity: input: T -> output: T */
static inline TF_Output sl_identity(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "Identity", inputs_, 1, NULL, 0));
}

/* IdentityN: input: T -> output: T */
static inline TF_Operation *sl_identity_n(struct sl_scope *scope, const TF_Output *input, int num_input) {
    const struct sl_op_input inputs_[] = {{input, num_input}};
    return sl_op(scope, "IdentityN", inputs_, 1, NULL, 0);
}

struct sl_immutable_const_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims shape; /* must be given */
    const char *memory_region_name; /* must be given */
};
/* ImmutableConst: () -> tensor: dtype */
static inline TF_Output sl_immutable_const(struct sl_scope *scope, struct sl_immutable_const_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}, {"memory_region_name", SL_GIVEN_STRING, &attrs.memory_region_name}};
    return sl_op_first(sl_op(scope, "ImmutableConst", NULL, 0, attrs_, 3));
}

/* InplaceAdd: x: T, i: int32, v: T -> y: T */
static inline TF_Output sl_inplace_add(struct sl_scope *scope, TF_Output x, TF_Output i, TF_Output v) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&i, -1}, {&v, -1}};
    return sl_op_first(sl_op(scope, "InplaceAdd", inputs_, 3, NULL, 0));
}

/* InplaceSub: x: T, i: int32, v: T -> y: T */
static inline TF_Output sl_inplace_sub(struct sl_scope *scope, TF_Output x, TF_Output i, TF_Output v) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&i, -1}, {&v, -1}};
    return sl_op_first(sl_op(scope, "InplaceSub", inputs_, 3, NULL, 0));
}

/* InplaceUpdate: x: T, i: int32, v: T -> y: T */
static inline TF_Output sl_inplace_update(struct sl_scope *scope, TF_Output x, TF_Output i, TF_Output v) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&i, -1}, {&v, -1}};
    return sl_op_first(sl_op(scope, "InplaceUpdate", inputs_, 3, NULL, 0));
}

/* InvertPermutation: x: T -> y: T */
static inline TF_Output sl_invert_permutation(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "InvertPermutation", inputs_, 1, NULL, 0));
}

/* LinSpace: start: T, stop: T, num: Tidx -> output: T */
static inline TF_Output sl_lin_space(struct sl_scope *scope, TF_Output start, TF_Output stop, TF_Output num) {
    const struct sl_op_input inputs_[] = {{&start, -1}, {&stop, -1}, {&num, -1}};
    return sl_op_first(sl_op(scope, "LinSpace", inputs_, 3, NULL, 0));
}

struct sl_list_diff_outputs {
    TF_Output out, idx;
};
struct sl_list_diff_attrs {
    TF_DataType out_idx; /* DT_INT32 */
};
/* ListDiff: x: T, y: T -> out: T, idx: out_idx */
static inline struct sl_list_diff_outputs sl_list_diff_with(struct sl_scope *scope, TF_Output x, TF_Output y, struct sl_list_diff_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    const struct sl_attr_given attrs_[] = {{"out_idx", SL_GIVEN_TYPE, &attrs.out_idx}};
    TF_Operation *const op_ = sl_op(scope, "ListDiff", inputs_, 2, attrs_, 1);
    const struct sl_list_diff_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_list_diff_outputs sl_list_diff(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_list_diff_attrs attrs = SL_DEFAULTS;
    return sl_list_diff_with(scope, x, y, attrs);
}

struct sl_lower_bound_attrs {
    TF_DataType out_type; /* DT_INT32 */
};
/* LowerBound: sorted_inputs: T, values: T -> output: out_type */
static inline TF_Output sl_lower_bound_with(struct sl_scope *scope, TF_Output sorted_inputs, TF_Output values, struct sl_lower_bound_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sorted_inputs, -1}, {&values, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "LowerBound", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_lower_bound(struct sl_scope *scope, TF_Output sorted_inputs, TF_Output values) {
    const struct sl_lower_bound_attrs attrs = SL_DEFAULTS;
    return sl_lower_bound_with(scope, sorted_inputs, values, attrs);
}

struct sl_mirror_pad_attrs {
    const char *mode; /* must be given */
};
/* MirrorPad: input: T, paddings: Tpaddings -> output: T */
static inline TF_Output sl_mirror_pad(struct sl_scope *scope, TF_Output input, TF_Output paddings, struct sl_mirror_pad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&paddings, -1}};
    const struct sl_attr_given attrs_[] = {{"mode", SL_GIVEN_STRING, &attrs.mode}};
    return sl_op_first(sl_op(scope, "MirrorPad", inputs_, 2, attrs_, 1));
}

struct sl_mirror_pad_grad_attrs {
    const char *mode; /* must be given */
};
/* MirrorPadGrad: input: T, paddings: Tpaddings -> output: T */
static inline TF_Output sl_mirror_pad_grad(struct sl_scope *scope, TF_Output input, TF_Output paddings, struct sl_mirror_pad_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&paddings, -1}};
    const struct sl_attr_given attrs_[] = {{"mode", SL_GIVEN_STRING, &attrs.mode}};
    return sl_op_first(sl_op(scope, "MirrorPadGrad", inputs_, 2, attrs_, 1));
}

struct sl_one_hot_attrs {
    int64_t axis; /* -1 */
};
/* OneHot: indices: TI, depth: int32, on_value: T, off_value: T -> output: T */
static inline TF_Output sl_one_hot_with(struct sl_scope *scope, TF_Output indices, TF_Output depth, TF_Output on_value, TF_Output off_value, struct sl_one_hot_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&indices, -1}, {&depth, -1}, {&on_value, -1}, {&off_value, -1}};
    const struct sl_attr_given attrs_[] = {{"axis", SL_GIVEN_INT, &attrs.axis}};
    return sl_op_first(sl_op(scope, "OneHot", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_one_hot(struct sl_scope *scope, TF_Output indices, TF_Output depth, TF_Output on_value, TF_Output off_value) {
    const struct sl_one_hot_attrs attrs = SL_DEFAULTS;
    return sl_one_hot_with(scope, indices, depth, on_value, off_value, attrs);
}

/* OnesLike: x: T -> y: T */
static inline TF_Output sl_ones_like(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "OnesLike", inputs_, 1, NULL, 0));
}

struct sl_pack_attrs {
    int64_t axis; /* 0 */
};
/* Pack: values: N * T -> output: T */
static inline TF_Output sl_pack_with(struct sl_scope *scope, const TF_Output *values, int num_values, struct sl_pack_attrs attrs) {
    const struct sl_op_input inputs_[] = {{values, num_values}};
    const struct sl_attr_given attrs_[] = {{"axis", SL_GIVEN_INT, &attrs.axis}};
    return sl_op_first(sl_op(scope, "Pack", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_pack(struct sl_scope *scope, const TF_Output *values, int num_values) {
    const struct sl_pack_attrs attrs = SL_DEFAULTS;
    return sl_pack_with(scope, values, num_values, attrs);
}

/* Pad: input: T, paddings: Tpaddings -> output: T */
static inline TF_Output sl_pad(struct sl_scope *scope, TF_Output input, TF_Output paddings) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&paddings, -1}};
    return sl_op_first(sl_op(scope, "Pad", inputs_, 2, NULL, 0));
}

/* PadV2: input: T, paddings: Tpaddings, constant_values: T -> output: T */
static inline TF_Output sl_pad_v2(struct sl_scope *scope, TF_Output input, TF_Output paddings, TF_Output constant_values) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&paddings, -1}, {&constant_values, -1}};
    return sl_op_first(sl_op(scope, "PadV2", inputs_, 3, NULL, 0));
}

struct sl_parallel_concat_attrs {
    struct sl_dims shape; /* must be given */
};
/* ParallelConcat: values: N * T -> output: T */
static inline TF_Output sl_parallel_concat(struct sl_scope *scope, const TF_Output *values, int num_values, struct sl_parallel_concat_attrs attrs) {
    const struct sl_op_input inputs_[] = {{values, num_values}};
    const struct sl_attr_given attrs_[] = {{"shape", SL_GIVEN_SHAPE, &attrs.shape}};
    return sl_op_first(sl_op(scope, "ParallelConcat", inputs_, 1, attrs_, 1));
}

struct sl_placeholder_op_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims shape; /* { unknown_rank: true } */
};
/* Placeholder: () -> output: dtype */
static inline TF_Output sl_placeholder_op(struct sl_scope *scope, struct sl_placeholder_op_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}};
    return sl_op_first(sl_op(scope, "Placeholder", NULL, 0, attrs_, 2));
}

struct sl_placeholder_v2_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims shape; /* must be given */
};
/* PlaceholderV2: () -> output: dtype */
static inline TF_Output sl_placeholder_v2(struct sl_scope *scope, struct sl_placeholder_v2_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"shape", SL_GIVEN_SHAPE, &attrs.shape}};
    return sl_op_first(sl_op(scope, "PlaceholderV2", NULL, 0, attrs_, 2));
}

struct sl_placeholder_with_default_attrs {
    struct sl_dims shape; /* must be given */
};
/* PlaceholderWithDefault: input: dtype -> output: dtype */
static inline TF_Output sl_placeholder_with_default(struct sl_scope *scope, TF_Output input, struct sl_placeholder_with_default_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"shape", SL_GIVEN_SHAPE, &attrs.shape}};
    return sl_op_first(sl_op(scope, "PlaceholderWithDefault", inputs_, 1, attrs_, 1));
}

struct sl_prevent_gradient_attrs {
    const char *message; /* '' */
};
/* PreventGradient: input: T -> output: T */
static inline TF_Output sl_prevent_gradient_with(struct sl_scope *scope, TF_Output input, struct sl_prevent_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"message", SL_GIVEN_STRING, &attrs.message}};
    return sl_op_first(sl_op(scope, "PreventGradient", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_prevent_gradient(struct sl_scope *scope, TF_Output input) {
    const struct sl_prevent_gradient_attrs attrs = SL_DEFAULTS;
    return sl_prevent_gradient_with(scope, input, attrs);
}

/* Range: start: Tidx, limit: Tidx, delta: Tidx -> output: Tidx */
static inline TF_Output sl_range(struct sl_scope *scope, TF_Output start, TF_Output limit, TF_Output delta) {
    const struct sl_op_input inputs_[] = {{&start, -1}, {&limit, -1}, {&delta, -1}};
    return sl_op_first(sl_op(scope, "Range", inputs_, 3, NULL, 0));
}

/* Rank: input: T -> output: int32 */
static inline TF_Output sl_rank(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "Rank", inputs_, 1, NULL, 0));
}

/* Reshape: tensor: T, shape: Tshape -> output: T */
static inline TF_Output sl_reshape(struct sl_scope *scope, TF_Output tensor, TF_Output shape) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&shape, -1}};
    return sl_op_first(sl_op(scope, "Reshape", inputs_, 2, NULL, 0));
}

/* Reverse: tensor: T, dims: bool -> output: T */
static inline TF_Output sl_reverse(struct sl_scope *scope, TF_Output tensor, TF_Output dims) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&dims, -1}};
    return sl_op_first(sl_op(scope, "Reverse", inputs_, 2, NULL, 0));
}

struct sl_reverse_sequence_attrs {
    int64_t seq_dim; /* must be given */
    int64_t batch_dim; /* 0 */
};
/* ReverseSequence: input: T, seq_lengths: Tlen -> output: T */
static inline TF_Output sl_reverse_sequence(struct sl_scope *scope, TF_Output input, TF_Output seq_lengths, struct sl_reverse_sequence_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&seq_lengths, -1}};
    const struct sl_attr_given attrs_[] = {{"seq_dim", SL_GIVEN_INT_NEEDED, &attrs.seq_dim}, {"batch_dim", SL_GIVEN_INT, &attrs.batch_dim}};
    return sl_op_first(sl_op(scope, "ReverseSequence", inputs_, 2, attrs_, 2));
}

/* ReverseV2: tensor: T, axis: Tidx -> output: T */
static inline TF_Output sl_reverse_v2(struct sl_scope *scope, TF_Output tensor, TF_Output axis) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&axis, -1}};
    return sl_op_first(sl_op(scope, "ReverseV2", inputs_, 2, NULL, 0));
}

/* Roll: input: T, shift: Tshift, axis: Taxis -> output: T */
static inline TF_Output sl_roll(struct sl_scope *scope, TF_Output input, TF_Output shift, TF_Output axis) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&shift, -1}, {&axis, -1}};
    return sl_op_first(sl_op(scope, "Roll", inputs_, 3, NULL, 0));
}

struct sl_shape_attrs {
    TF_DataType out_type; /* DT_INT32 */
};
/* Shape: input: T -> output: out_type as shape_tensor[$out_type] */
static inline TF_Output sl_shape_with(struct sl_scope *scope, TF_Output input, struct sl_shape_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "Shape", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_shape(struct sl_scope *scope, TF_Output input) {
    const struct sl_shape_attrs attrs = SL_DEFAULTS;
    return sl_shape_with(scope, input, attrs);
}

struct sl_shape_n_attrs {
    TF_DataType out_type; /* DT_INT32 */
};
/* ShapeN: input: N * T -> output: N * out_type */
static inline TF_Operation *sl_shape_n_with(struct sl_scope *scope, const TF_Output *input, int num_input, struct sl_shape_n_attrs attrs) {
    const struct sl_op_input inputs_[] = {{input, num_input}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op(scope, "ShapeN", inputs_, 1, attrs_, 1);
}
static inline TF_Operation *sl_shape_n(struct sl_scope *scope, const TF_Output *input, int num_input) {
    const struct sl_shape_n_attrs attrs = SL_DEFAULTS;
    return sl_shape_n_with(scope, input, num_input, attrs);
}

struct sl_size_attrs {
    TF_DataType out_type; /* DT_INT32 */
};
/* Size: input: T -> output: out_type */
static inline TF_Output sl_size_with(struct sl_scope *scope, TF_Output input, struct sl_size_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "Size", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_size(struct sl_scope *scope, TF_Output input) {
    const struct sl_size_attrs attrs = SL_DEFAULTS;
    return sl_size_with(scope, input, attrs);
}

/* Slice: input: T, begin: Index, size: Index -> output: T */
static inline TF_Output sl_slice(struct sl_scope *scope, TF_Output input, TF_Output begin, TF_Output size) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&begin, -1}, {&size, -1}};
    return sl_op_first(sl_op(scope, "Slice", inputs_, 3, NULL, 0));
}

/* Snapshot: input: T -> output: T */
static inline TF_Output sl_snapshot(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "Snapshot", inputs_, 1, NULL, 0));
}

struct sl_space_to_batch_attrs {
    int64_t block_size; /* must be given */
};
/* SpaceToBatch: input: T, paddings: Tpaddings -> output: T */
static inline TF_Output sl_space_to_batch(struct sl_scope *scope, TF_Output input, TF_Output paddings, struct sl_space_to_batch_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&paddings, -1}};
    const struct sl_attr_given attrs_[] = {{"block_size", SL_GIVEN_INT_NEEDED, &attrs.block_size}};
    return sl_op_first(sl_op(scope, "SpaceToBatch", inputs_, 2, attrs_, 1));
}

/* SpaceToBatchND: input: T, block_shape: Tblock_shape, paddings: Tpaddings -> output: T */
static inline TF_Output sl_space_to_batch_nd(struct sl_scope *scope, TF_Output input, TF_Output block_shape, TF_Output paddings) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&block_shape, -1}, {&paddings, -1}};
    return sl_op_first(sl_op(scope, "SpaceToBatchND", inputs_, 3, NULL, 0));
}

struct sl_space_to_depth_attrs {
    int64_t block_size; /* must be given */
    const char *data_format; /* 'NHWC' */
};
/* SpaceToDepth: input: T -> output: T */
static inline TF_Output sl_space_to_depth(struct sl_scope *scope, TF_Output input, struct sl_space_to_depth_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"block_size", SL_GIVEN_INT_NEEDED, &attrs.block_size}, {"data_format", SL_GIVEN_STRING, &attrs.data_format}};
    return sl_op_first(sl_op(scope, "SpaceToDepth", inputs_, 1, attrs_, 2));
}

struct sl_split_attrs {
    int64_t num_split; /* must be given */
};
/* Split: split_dim: int32, value: T -> output: num_split * T */
static inline TF_Operation *sl_split(struct sl_scope *scope, TF_Output split_dim, TF_Output value, struct sl_split_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&split_dim, -1}, {&value, -1}};
    const struct sl_attr_given attrs_[] = {{"num_split", SL_GIVEN_INT_NEEDED, &attrs.num_split}};
    return sl_op(scope, "Split", inputs_, 2, attrs_, 1);
}

struct sl_split_v_attrs {
    int64_t num_split; /* must be given */
};
/* SplitV: value: T, size_splits: Tlen, split_dim: int32 -> output: num_split * T */
static inline TF_Operation *sl_split_v(struct sl_scope *scope, TF_Output value, TF_Output size_splits, TF_Output split_dim, struct sl_split_v_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&value, -1}, {&size_splits, -1}, {&split_dim, -1}};
    const struct sl_attr_given attrs_[] = {{"num_split", SL_GIVEN_INT_NEEDED, &attrs.num_split}};
    return sl_op(scope, "SplitV", inputs_, 3, attrs_, 1);
}

struct sl_squeeze_attrs {
    struct sl_ints squeeze_dims; /* [] */
};
/* Squeeze: input: T -> output: T */
static inline TF_Output sl_squeeze_with(struct sl_scope *scope, TF_Output input, struct sl_squeeze_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"squeeze_dims", SL_GIVEN_INTS, &attrs.squeeze_dims}};
    return sl_op_first(sl_op(scope, "Squeeze", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_squeeze(struct sl_scope *scope, TF_Output input) {
    const struct sl_squeeze_attrs attrs = SL_DEFAULTS;
    return sl_squeeze_with(scope, input, attrs);
}

/* StopGradient: input: T -> output: T */
static inline TF_Output sl_stop_gradient(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "StopGradient", inputs_, 1, NULL, 0));
}

struct sl_strided_slice_attrs {
    int64_t begin_mask; /* 0 */
    int64_t end_mask; /* 0 */
    int64_t ellipsis_mask; /* 0 */
    int64_t new_axis_mask; /* 0 */
    int64_t shrink_axis_mask; /* 0 */
};
/* StridedSlice: input: T, begin: Index, end: Index, strides: Index -> output: T */
static inline TF_Output sl_strided_slice_with(struct sl_scope *scope, TF_Output input, TF_Output begin, TF_Output end, TF_Output strides, struct sl_strided_slice_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&begin, -1}, {&end, -1}, {&strides, -1}};
    const struct sl_attr_given attrs_[] = {{"begin_mask", SL_GIVEN_INT, &attrs.begin_mask}, {"end_mask", SL_GIVEN_INT, &attrs.end_mask}, {"ellipsis_mask", SL_GIVEN_INT, &attrs.ellipsis_mask}, {"new_axis_mask", SL_GIVEN_INT, &attrs.new_axis_mask}, {"shrink_axis_mask", SL_GIVEN_INT, &attrs.shrink_axis_mask}};
    return sl_op_first(sl_op(scope, "StridedSlice", inputs_, 4, attrs_, 5));
}
static inline TF_Output sl_strided_slice(struct sl_scope *scope, TF_Output input, TF_Output begin, TF_Output end, TF_Output strides) {
    const struct sl_strided_slice_attrs attrs = SL_DEFAULTS;
    return sl_strided_slice_with(scope, input, begin, end, strides, attrs);
}

struct sl_strided_slice_grad_attrs {
    int64_t begin_mask; /* 0 */
    int64_t end_mask; /* 0 */
    int64_t ellipsis_mask; /* 0 */
    int64_t new_axis_mask; /* 0 */
    int64_t shrink_axis_mask; /* 0 */
};
/* StridedSliceGrad: shape: Index, begin: Index, end: Index, strides: Index, dy: T -> output: T */
static inline TF_Output sl_strided_slice_grad_with(struct sl_scope *scope, TF_Output shape, TF_Output begin, TF_Output end, TF_Output strides, TF_Output dy, struct sl_strided_slice_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&begin, -1}, {&end, -1}, {&strides, -1}, {&dy, -1}};
    const struct sl_attr_given attrs_[] = {{"begin_mask", SL_GIVEN_INT, &attrs.begin_mask}, {"end_mask", SL_GIVEN_INT, &attrs.end_mask}, {"ellipsis_mask", SL_GIVEN_INT, &attrs.ellipsis_mask}, {"new_axis_mask", SL_GIVEN_INT, &attrs.new_axis_mask}, {"shrink_axis_mask", SL_GIVEN_INT, &attrs.shrink_axis_mask}};
    return sl_op_first(sl_op(scope, "StridedSliceGrad", inputs_, 5, attrs_, 5));
}
static inline TF_Output sl_strided_slice_grad(struct sl_scope *scope, TF_Output shape, TF_Output begin, TF_Output end, TF_Output strides, TF_Output dy) {
    const struct sl_strided_slice_grad_attrs attrs = SL_DEFAULTS;
    return sl_strided_slice_grad_with(scope, shape, begin, end, strides, dy, attrs);
}

struct sl_tensor_strided_slice_update_attrs {
    int64_t begin_mask; /* 0 */
    int64_t end_mask; /* 0 */
    int64_t ellipsis_mask; /* 0 */
    int64_t new_axis_mask; /* 0 */
    int64_t shrink_axis_mask; /* 0 */
};
/* TensorStridedSliceUpdate: input: T, begin: Index, end: Index, strides: Index, value: T -> output: T */
static inline TF_Output sl_tensor_strided_slice_update_with(struct sl_scope *scope, TF_Output input, TF_Output begin, TF_Output end, TF_Output strides, TF_Output value, struct sl_tensor_strided_slice_update_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&begin, -1}, {&end, -1}, {&strides, -1}, {&value, -1}};
    const struct sl_attr_given attrs_[] = {{"begin_mask", SL_GIVEN_INT, &attrs.begin_mask}, {"end_mask", SL_GIVEN_INT, &attrs.end_mask}, {"ellipsis_mask", SL_GIVEN_INT, &attrs.ellipsis_mask}, {"new_axis_mask", SL_GIVEN_INT, &attrs.new_axis_mask}, {"shrink_axis_mask", SL_GIVEN_INT, &attrs.shrink_axis_mask}};
    return sl_op_first(sl_op(scope, "TensorStridedSliceUpdate", inputs_, 5, attrs_, 5));
}
static inline TF_Output sl_tensor_strided_slice_update(struct sl_scope *scope, TF_Output input, TF_Output begin, TF_Output end, TF_Output strides, TF_Output value) {
    const struct sl_tensor_strided_slice_update_attrs attrs = SL_DEFAULTS;
    return sl_tensor_strided_slice_update_with(scope, input, begin, end, strides, value, attrs);
}

/* Tile: input: T, multiples: Tmultiples -> output: T */
static inline TF_Output sl_tile(struct sl_scope *scope, TF_Output input, TF_Output multiples) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&multiples, -1}};
    return sl_op_first(sl_op(scope, "Tile", inputs_, 2, NULL, 0));
}

/* TileGrad: input: T, multiples: int32 -> output: T */
static inline TF_Output sl_tile_grad(struct sl_scope *scope, TF_Output input, TF_Output multiples) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&multiples, -1}};
    return sl_op_first(sl_op(scope, "TileGrad", inputs_, 2, NULL, 0));
}

/* Transpose: x: T, perm: Tperm -> y: T */
static inline TF_Output sl_transpose(struct sl_scope *scope, TF_Output x, TF_Output perm) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&perm, -1}};
    return sl_op_first(sl_op(scope, "Transpose", inputs_, 2, NULL, 0));
}

struct sl_unique_outputs {
    TF_Output y, idx;
};
struct sl_unique_attrs {
    TF_DataType out_idx; /* DT_INT32 */
};
/* Unique: x: T -> y: T, idx: out_idx */
static inline struct sl_unique_outputs sl_unique_with(struct sl_scope *scope, TF_Output x, struct sl_unique_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    const struct sl_attr_given attrs_[] = {{"out_idx", SL_GIVEN_TYPE, &attrs.out_idx}};
    TF_Operation *const op_ = sl_op(scope, "Unique", inputs_, 1, attrs_, 1);
    const struct sl_unique_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_unique_outputs sl_unique(struct sl_scope *scope, TF_Output x) {
    const struct sl_unique_attrs attrs = SL_DEFAULTS;
    return sl_unique_with(scope, x, attrs);
}

struct sl_unique_v2_outputs {
    TF_Output y, idx;
};
struct sl_unique_v2_attrs {
    TF_DataType out_idx; /* DT_INT32 */
};
/* UniqueV2: x: T, axis: Taxis -> y: T, idx: out_idx */
static inline struct sl_unique_v2_outputs sl_unique_v2_with(struct sl_scope *scope, TF_Output x, TF_Output axis, struct sl_unique_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&axis, -1}};
    const struct sl_attr_given attrs_[] = {{"out_idx", SL_GIVEN_TYPE, &attrs.out_idx}};
    TF_Operation *const op_ = sl_op(scope, "UniqueV2", inputs_, 2, attrs_, 1);
    const struct sl_unique_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_unique_v2_outputs sl_unique_v2(struct sl_scope *scope, TF_Output x, TF_Output axis) {
    const struct sl_unique_v2_attrs attrs = SL_DEFAULTS;
    return sl_unique_v2_with(scope, x, axis, attrs);
}

struct sl_unique_with_counts_outputs {
    TF_Output y, idx, count;
};
struct sl_unique_with_counts_attrs {
    TF_DataType out_idx; /* DT_INT32 */
};
/* UniqueWithCounts: x: T -> y: T, idx: out_idx, count: out_idx */
static inline struct sl_unique_with_counts_outputs sl_unique_with_counts_with(struct sl_scope *scope, TF_Output x, struct sl_unique_with_counts_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    const struct sl_attr_given attrs_[] = {{"out_idx", SL_GIVEN_TYPE, &attrs.out_idx}};
    TF_Operation *const op_ = sl_op(scope, "UniqueWithCounts", inputs_, 1, attrs_, 1);
    const struct sl_unique_with_counts_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_unique_with_counts_outputs sl_unique_with_counts(struct sl_scope *scope, TF_Output x) {
    const struct sl_unique_with_counts_attrs attrs = SL_DEFAULTS;
    return sl_unique_with_counts_with(scope, x, attrs);
}

struct sl_unique_with_counts_v2_outputs {
    TF_Output y, idx, count;
};
struct sl_unique_with_counts_v2_attrs {
    TF_DataType out_idx; /* DT_INT32 */
};
/* UniqueWithCountsV2: x: T, axis: Taxis -> y: T, idx: out_idx, count: out_idx */
static inline struct sl_unique_with_counts_v2_outputs sl_unique_with_counts_v2_with(struct sl_scope *scope, TF_Output x, TF_Output axis, struct sl_unique_with_counts_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&axis, -1}};
    const struct sl_attr_given attrs_[] = {{"out_idx", SL_GIVEN_TYPE, &attrs.out_idx}};
    TF_Operation *const op_ = sl_op(scope, "UniqueWithCountsV2", inputs_, 2, attrs_, 1);
    const struct sl_unique_with_counts_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_unique_with_counts_v2_outputs sl_unique_with_counts_v2(struct sl_scope *scope, TF_Output x, TF_Output axis) {
    const struct sl_unique_with_counts_v2_attrs attrs = SL_DEFAULTS;
    return sl_unique_with_counts_v2_with(scope, x, axis, attrs);
}

struct sl_unpack_attrs {
    int64_t num; /* must be given */
    int64_t axis; /* 0 */
};
/* Unpack: value: T -> output: num * T */
static inline TF_Operation *sl_unpack(struct sl_scope *scope, TF_Output value, struct sl_unpack_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&value, -1}};
    const struct sl_attr_given attrs_[] = {{"num", SL_GIVEN_INT_NEEDED, &attrs.num}, {"axis", SL_GIVEN_INT, &attrs.axis}};
    return sl_op(scope, "Unpack", inputs_, 1, attrs_, 2);
}

/* UnravelIndex: indices: Tidx, dims: Tidx -> output: Tidx */
static inline TF_Output sl_unravel_index(struct sl_scope *scope, TF_Output indices, TF_Output dims) {
    const struct sl_op_input inputs_[] = {{&indices, -1}, {&dims, -1}};
    return sl_op_first(sl_op(scope, "UnravelIndex", inputs_, 2, NULL, 0));
}

struct sl_upper_bound_attrs {
    TF_DataType out_type; /* DT_INT32 */
};
/* UpperBound: sorted_inputs: T, values: T -> output: out_type */
static inline TF_Output sl_upper_bound_with(struct sl_scope *scope, TF_Output sorted_inputs, TF_Output values, struct sl_upper_bound_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sorted_inputs, -1}, {&values, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "UpperBound", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_upper_bound(struct sl_scope *scope, TF_Output sorted_inputs, TF_Output values) {
    const struct sl_upper_bound_attrs attrs = SL_DEFAULTS;
    return sl_upper_bound_with(scope, sorted_inputs, values, attrs);
}

/* Where: input: T -> index: int64 */
static inline TF_Output sl_where(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "Where", inputs_, 1, NULL, 0));
}

/* ZerosLike: x: T -> y: T */
static inline TF_Output sl_zeros_like(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "ZerosLike", inputs_, 1, NULL, 0));
}

#ifdef __cplusplus
}
#endif

#endif
