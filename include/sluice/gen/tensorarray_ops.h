/* Wrappers of the tensorarray ops, made by tools/gen_ops.py from src/ops/tensorarray.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_TENSORARRAY_OPS_H
#define SLUICE_GEN_TENSORARRAY_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_stack_attrs {
    TF_DataType elem_type; /* must be given */
    const char *stack_name; /* '' */
};
/* Stack: () -> handle: Ref(string) */
static inline TF_Output sl_stack(struct sl_scope *scope, struct sl_stack_attrs attrs) {
    const struct sl_attr_given attrs_[] = {{"elem_type", SL_GIVEN_TYPE, &attrs.elem_type}, {"stack_name", SL_GIVEN_STRING, &attrs.stack_name}};
    return sl_op_first(sl_op(scope, "Stack", NULL, 0, attrs_, 2));
}

/* StackClose: handle: Ref(string) -> () */
static inline TF_Operation *sl_stack_close(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op(scope, "StackClose", inputs_, 1, NULL, 0);
}

/* StackCloseV2: handle: resource -> () */
static inline TF_Operation *sl_stack_close_v2(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op(scope, "StackCloseV2", inputs_, 1, NULL, 0);
}

struct sl_stack_pop_attrs {
    TF_DataType elem_type; /* must be given */
};
/* StackPop: handle: Ref(string) -> elem: elem_type */
static inline TF_Output sl_stack_pop(struct sl_scope *scope, TF_Output handle, struct sl_stack_pop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    const struct sl_attr_given attrs_[] = {{"elem_type", SL_GIVEN_TYPE, &attrs.elem_type}};
    return sl_op_first(sl_op(scope, "StackPop", inputs_, 1, attrs_, 1));
}

struct sl_stack_pop_v2_attrs {
    TF_DataType elem_type; /* must be given */
};
/* StackPopV2: handle: resource -> elem: elem_type */
static inline TF_Output sl_stack_pop_v2(struct sl_scope *scope, TF_Output handle, struct sl_stack_pop_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    const struct sl_attr_given attrs_[] = {{"elem_type", SL_GIVEN_TYPE, &attrs.elem_type}};
    return sl_op_first(sl_op(scope, "StackPopV2", inputs_, 1, attrs_, 1));
}

struct sl_stack_push_attrs {
    bool swap_memory; /* false */
};
/* StackPush: handle: Ref(string), elem: T -> output: T */
static inline TF_Output sl_stack_push_with(struct sl_scope *scope, TF_Output handle, TF_Output elem, struct sl_stack_push_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&elem, -1}};
    const struct sl_attr_given attrs_[] = {{"swap_memory", SL_GIVEN_BOOL, &attrs.swap_memory}};
    return sl_op_first(sl_op(scope, "StackPush", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_stack_push(struct sl_scope *scope, TF_Output handle, TF_Output elem) {
    const struct sl_stack_push_attrs attrs = SL_DEFAULTS;
    return sl_stack_push_with(scope, handle, elem, attrs);
}

struct sl_stack_push_v2_attrs {
    bool swap_memory; /* false */
};
/* StackPushV2: handle: resource, elem: T -> output: T */
static inline TF_Output sl_stack_push_v2_with(struct sl_scope *scope, TF_Output handle, TF_Output elem, struct sl_stack_push_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&elem, -1}};
    const struct sl_attr_given attrs_[] = {{"swap_memory", SL_GIVEN_BOOL, &attrs.swap_memory}};
    return sl_op_first(sl_op(scope, "StackPushV2", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_stack_push_v2(struct sl_scope *scope, TF_Output handle, TF_Output elem) {
    const struct sl_stack_push_v2_attrs attrs = SL_DEFAULTS;
    return sl_stack_push_v2_with(scope, handle, elem, attrs);
}

struct sl_stack_v2_attrs {
    TF_DataType elem_type; /* must be given */
    const char *stack_name; /* '' */
};
/* StackV2: max_size: int32 -> handle: resource */
static inline TF_Output sl_stack_v2(struct sl_scope *scope, TF_Output max_size, struct sl_stack_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&max_size, -1}};
    const struct sl_attr_given attrs_[] = {{"elem_type", SL_GIVEN_TYPE, &attrs.elem_type}, {"stack_name", SL_GIVEN_STRING, &attrs.stack_name}};
    return sl_op_first(sl_op(scope, "StackV2", inputs_, 1, attrs_, 2));
}

struct sl_tensor_array_attrs {
    TF_DataType dtype; /* must be given */
    bool dynamic_size; /* false */
    enum sl_choice clear_after_read; /* true */
    const char *tensor_array_name; /* '' */
    struct sl_dims element_shape; /* { unknown_rank: true } */
};
/* TensorArray: size: int32 -> handle: Ref(string) */
static inline TF_Output sl_tensor_array(struct sl_scope *scope, TF_Output size, struct sl_tensor_array_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&size, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"dynamic_size", SL_GIVEN_BOOL, &attrs.dynamic_size}, {"clear_after_read", SL_GIVEN_CHOICE, &attrs.clear_after_read}, {"tensor_array_name", SL_GIVEN_STRING, &attrs.tensor_array_name}, {"element_shape", SL_GIVEN_SHAPE, &attrs.element_shape}};
    return sl_op_first(sl_op(scope, "TensorArray", inputs_, 1, attrs_, 5));
}

/* TensorArrayClose: handle: Ref(string) -> () */
static inline TF_Operation *sl_tensor_array_close(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op(scope, "TensorArrayClose", inputs_, 1, NULL, 0);
}

/* TensorArrayCloseV2: handle: string -> () */
static inline TF_Operation *sl_tensor_array_close_v2(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op(scope, "TensorArrayCloseV2", inputs_, 1, NULL, 0);
}

/* TensorArrayCloseV3: handle: resource -> () */
static inline TF_Operation *sl_tensor_array_close_v3(struct sl_scope *scope, TF_Output handle) {
    const struct sl_op_input inputs_[] = {{&handle, -1}};
    return sl_op(scope, "TensorArrayCloseV3", inputs_, 1, NULL, 0);
}

struct sl_tensor_array_concat_outputs {
    TF_Output value, lengths;
};
struct sl_tensor_array_concat_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims element_shape_except0; /* { unknown_rank: true } */
};
/* TensorArrayConcat: handle: Ref(string), flow_in: float -> value: dtype, lengths: int64 */
static inline struct sl_tensor_array_concat_outputs sl_tensor_array_concat(struct sl_scope *scope, TF_Output handle, TF_Output flow_in, struct sl_tensor_array_concat_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"element_shape_except0", SL_GIVEN_SHAPE, &attrs.element_shape_except0}};
    TF_Operation *const op_ = sl_op(scope, "TensorArrayConcat", inputs_, 2, attrs_, 2);
    const struct sl_tensor_array_concat_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_tensor_array_concat_v2_outputs {
    TF_Output value, lengths;
};
struct sl_tensor_array_concat_v2_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims element_shape_except0; /* { unknown_rank: true } */
};
/* TensorArrayConcatV2: handle: string, flow_in: float -> value: dtype, lengths: int64 */
static inline struct sl_tensor_array_concat_v2_outputs sl_tensor_array_concat_v2(struct sl_scope *scope, TF_Output handle, TF_Output flow_in, struct sl_tensor_array_concat_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"element_shape_except0", SL_GIVEN_SHAPE, &attrs.element_shape_except0}};
    TF_Operation *const op_ = sl_op(scope, "TensorArrayConcatV2", inputs_, 2, attrs_, 2);
    const struct sl_tensor_array_concat_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_tensor_array_concat_v3_outputs {
    TF_Output value, lengths;
};
struct sl_tensor_array_concat_v3_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims element_shape_except0; /* { unknown_rank: true } */
};
/* TensorArrayConcatV3: handle: resource, flow_in: float -> value: dtype, lengths: int64 */
static inline struct sl_tensor_array_concat_v3_outputs sl_tensor_array_concat_v3(struct sl_scope *scope, TF_Output handle, TF_Output flow_in, struct sl_tensor_array_concat_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"element_shape_except0", SL_GIVEN_SHAPE, &attrs.element_shape_except0}};
    TF_Operation *const op_ = sl_op(scope, "TensorArrayConcatV3", inputs_, 2, attrs_, 2);
    const struct sl_tensor_array_concat_v3_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_tensor_array_gather_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims element_shape; /* { unknown_rank: true } */
};
/* TensorArrayGather: handle: Ref(string), indices: int32, flow_in: float -> value: dtype */
static inline TF_Output sl_tensor_array_gather(struct sl_scope *scope, TF_Output handle, TF_Output indices, TF_Output flow_in, struct sl_tensor_array_gather_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&indices, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"element_shape", SL_GIVEN_SHAPE, &attrs.element_shape}};
    return sl_op_first(sl_op(scope, "TensorArrayGather", inputs_, 3, attrs_, 2));
}

struct sl_tensor_array_gather_v2_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims element_shape; /* { unknown_rank: true } */
};
/* TensorArrayGatherV2: handle: string, indices: int32, flow_in: float -> value: dtype */
static inline TF_Output sl_tensor_array_gather_v2(struct sl_scope *scope, TF_Output handle, TF_Output indices, TF_Output flow_in, struct sl_tensor_array_gather_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&indices, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"element_shape", SL_GIVEN_SHAPE, &attrs.element_shape}};
    return sl_op_first(sl_op(scope, "TensorArrayGatherV2", inputs_, 3, attrs_, 2));
}

struct sl_tensor_array_gather_v3_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims element_shape; /* { unknown_rank: true } */
};
/* TensorArrayGatherV3: handle: resource, indices: int32, flow_in: float -> value: dtype */
static inline TF_Output sl_tensor_array_gather_v3(struct sl_scope *scope, TF_Output handle, TF_Output indices, TF_Output flow_in, struct sl_tensor_array_gather_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&indices, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"element_shape", SL_GIVEN_SHAPE, &attrs.element_shape}};
    return sl_op_first(sl_op(scope, "TensorArrayGatherV3", inputs_, 3, attrs_, 2));
}

struct sl_tensor_array_grad_attrs {
    const char *source; /* must be given */
};
/* TensorArrayGrad: handle: string, flow_in: float -> grad_handle: Ref(string) */
static inline TF_Output sl_tensor_array_grad(struct sl_scope *scope, TF_Output handle, TF_Output flow_in, struct sl_tensor_array_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"source", SL_GIVEN_STRING, &attrs.source}};
    return sl_op_first(sl_op(scope, "TensorArrayGrad", inputs_, 2, attrs_, 1));
}

struct sl_tensor_array_grad_v2_attrs {
    const char *source; /* must be given */
};
/* TensorArrayGradV2: handle: string, flow_in: float -> grad_handle: string */
static inline TF_Output sl_tensor_array_grad_v2(struct sl_scope *scope, TF_Output handle, TF_Output flow_in, struct sl_tensor_array_grad_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"source", SL_GIVEN_STRING, &attrs.source}};
    return sl_op_first(sl_op(scope, "TensorArrayGradV2", inputs_, 2, attrs_, 1));
}

struct sl_tensor_array_grad_v3_outputs {
    TF_Output grad_handle, flow_out;
};
struct sl_tensor_array_grad_v3_attrs {
    const char *source; /* must be given */
};
/* TensorArrayGradV3: handle: resource, flow_in: float -> grad_handle: resource, flow_out: float */
static inline struct sl_tensor_array_grad_v3_outputs sl_tensor_array_grad_v3(struct sl_scope *scope, TF_Output handle, TF_Output flow_in, struct sl_tensor_array_grad_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"source", SL_GIVEN_STRING, &attrs.source}};
    TF_Operation *const op_ = sl_op(scope, "TensorArrayGradV3", inputs_, 2, attrs_, 1);
    const struct sl_tensor_array_grad_v3_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_tensor_array_grad_with_shape_outputs {
    TF_Output grad_handle, flow_out;
};
struct sl_tensor_array_grad_with_shape_attrs {
    const char *source; /* must be given */
};
/* TensorArrayGradWithShape: handle: resource, flow_in: float, shape_to_prepend: int32 -> grad_handle: resource, flow_out: float */
static inline struct sl_tensor_array_grad_with_shape_outputs sl_tensor_array_grad_with_shape(struct sl_scope *scope, TF_Output handle, TF_Output flow_in, TF_Output shape_to_prepend, struct sl_tensor_array_grad_with_shape_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}, {&shape_to_prepend, -1}};
    const struct sl_attr_given attrs_[] = {{"source", SL_GIVEN_STRING, &attrs.source}};
    TF_Operation *const op_ = sl_op(scope, "TensorArrayGradWithShape", inputs_, 3, attrs_, 1);
    const struct sl_tensor_array_grad_with_shape_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_tensor_array_pack_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims element_shape; /* { unknown_rank: true } */
};
/* TensorArrayPack: handle: Ref(string), flow_in: float -> value: dtype */
static inline TF_Output sl_tensor_array_pack(struct sl_scope *scope, TF_Output handle, TF_Output flow_in, struct sl_tensor_array_pack_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"element_shape", SL_GIVEN_SHAPE, &attrs.element_shape}};
    return sl_op_first(sl_op(scope, "TensorArrayPack", inputs_, 2, attrs_, 2));
}

struct sl_tensor_array_read_attrs {
    TF_DataType dtype; /* must be given */
};
/* TensorArrayRead: handle: Ref(string), index: int32, flow_in: float -> value: dtype */
static inline TF_Output sl_tensor_array_read(struct sl_scope *scope, TF_Output handle, TF_Output index, TF_Output flow_in, struct sl_tensor_array_read_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&index, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "TensorArrayRead", inputs_, 3, attrs_, 1));
}

struct sl_tensor_array_read_v2_attrs {
    TF_DataType dtype; /* must be given */
};
/* TensorArrayReadV2: handle: string, index: int32, flow_in: float -> value: dtype */
static inline TF_Output sl_tensor_array_read_v2(struct sl_scope *scope, TF_Output handle, TF_Output index, TF_Output flow_in, struct sl_tensor_array_read_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&index, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "TensorArrayReadV2", inputs_, 3, attrs_, 1));
}

struct sl_tensor_array_read_v3_attrs {
    TF_DataType dtype; /* must be given */
};
/* TensorArrayReadV3: handle: resource, index: int32, flow_in: float -> value: dtype */
static inline TF_Output sl_tensor_array_read_v3(struct sl_scope *scope, TF_Output handle, TF_Output index, TF_Output flow_in, struct sl_tensor_array_read_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&index, -1}, {&flow_in, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "TensorArrayReadV3", inputs_, 3, attrs_, 1));
}

/* TensorArrayScatter: handle: Ref(string), indices: int32, value: T, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_scatter(struct sl_scope *scope, TF_Output handle, TF_Output indices, TF_Output value, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&indices, -1}, {&value, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArrayScatter", inputs_, 4, NULL, 0));
}

/* TensorArrayScatterV2: handle: string, indices: int32, value: T, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_scatter_v2(struct sl_scope *scope, TF_Output handle, TF_Output indices, TF_Output value, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&indices, -1}, {&value, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArrayScatterV2", inputs_, 4, NULL, 0));
}

/* TensorArrayScatterV3: handle: resource, indices: int32, value: T, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_scatter_v3(struct sl_scope *scope, TF_Output handle, TF_Output indices, TF_Output value, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&indices, -1}, {&value, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArrayScatterV3", inputs_, 4, NULL, 0));
}

/* TensorArraySize: handle: Ref(string), flow_in: float -> size: int32 */
static inline TF_Output sl_tensor_array_size(struct sl_scope *scope, TF_Output handle, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArraySize", inputs_, 2, NULL, 0));
}

/* TensorArraySizeV2: handle: string, flow_in: float -> size: int32 */
static inline TF_Output sl_tensor_array_size_v2(struct sl_scope *scope, TF_Output handle, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArraySizeV2", inputs_, 2, NULL, 0));
}

/* TensorArraySizeV3: handle: resource, flow_in: float -> size: int32 */
static inline TF_Output sl_tensor_array_size_v3(struct sl_scope *scope, TF_Output handle, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArraySizeV3", inputs_, 2, NULL, 0));
}

/* TensorArraySplit: handle: Ref(string), value: T, lengths: int64, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_split(struct sl_scope *scope, TF_Output handle, TF_Output value, TF_Output lengths, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&value, -1}, {&lengths, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArraySplit", inputs_, 4, NULL, 0));
}

/* TensorArraySplitV2: handle: string, value: T, lengths: int64, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_split_v2(struct sl_scope *scope, TF_Output handle, TF_Output value, TF_Output lengths, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&value, -1}, {&lengths, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArraySplitV2", inputs_, 4, NULL, 0));
}

/* TensorArraySplitV3: handle: resource, value: T, lengths: int64, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_split_v3(struct sl_scope *scope, TF_Output handle, TF_Output value, TF_Output lengths, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&value, -1}, {&lengths, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArraySplitV3", inputs_, 4, NULL, 0));
}

/* TensorArrayUnpack: handle: Ref(string), value: T, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_unpack(struct sl_scope *scope, TF_Output handle, TF_Output value, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&value, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArrayUnpack", inputs_, 3, NULL, 0));
}

struct sl_tensor_array_v2_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims element_shape; /* { unknown_rank: true } */
    bool dynamic_size; /* false */
    enum sl_choice clear_after_read; /* true */
    const char *tensor_array_name; /* '' */
};
/* TensorArrayV2: size: int32 -> handle: string */
static inline TF_Output sl_tensor_array_v2(struct sl_scope *scope, TF_Output size, struct sl_tensor_array_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&size, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"element_shape", SL_GIVEN_SHAPE, &attrs.element_shape}, {"dynamic_size", SL_GIVEN_BOOL, &attrs.dynamic_size}, {"clear_after_read", SL_GIVEN_CHOICE, &attrs.clear_after_read}, {"tensor_array_name", SL_GIVEN_STRING, &attrs.tensor_array_name}};
    return sl_op_first(sl_op(scope, "TensorArrayV2", inputs_, 1, attrs_, 5));
}

struct sl_tensor_array_v3_outputs {
    TF_Output handle, flow;
};
struct sl_tensor_array_v3_attrs {
    TF_DataType dtype; /* must be given */
    struct sl_dims element_shape; /* { unknown_rank: true } */
    bool dynamic_size; /* false */
    enum sl_choice clear_after_read; /* true */
    bool identical_element_shapes; /* false */
    const char *tensor_array_name; /* '' */
};
/* TensorArrayV3: size: int32 -> handle: resource, flow: float */
static inline struct sl_tensor_array_v3_outputs sl_tensor_array_v3(struct sl_scope *scope, TF_Output size, struct sl_tensor_array_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&size, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"element_shape", SL_GIVEN_SHAPE, &attrs.element_shape}, {"dynamic_size", SL_GIVEN_BOOL, &attrs.dynamic_size}, {"clear_after_read", SL_GIVEN_CHOICE, &attrs.clear_after_read}, {"identical_element_shapes", SL_GIVEN_BOOL, &attrs.identical_element_shapes}, {"tensor_array_name", SL_GIVEN_STRING, &attrs.tensor_array_name}};
    TF_Operation *const op_ = sl_op(scope, "TensorArrayV3", inputs_, 1, attrs_, 6);
    const struct sl_tensor_array_v3_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* TensorArrayWrite: handle: Ref(string), index: int32, value: T, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_write(struct sl_scope *scope, TF_Output handle, TF_Output index, TF_Output value, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&index, -1}, {&value, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArrayWrite", inputs_, 4, NULL, 0));
}

/* TensorArrayWriteV2: handle: string, index: int32, value: T, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_write_v2(struct sl_scope *scope, TF_Output handle, TF_Output index, TF_Output value, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&index, -1}, {&value, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArrayWriteV2", inputs_, 4, NULL, 0));
}

/* TensorArrayWriteV3: handle: resource, index: int32, value: T, flow_in: float -> flow_out: float */
static inline TF_Output sl_tensor_array_write_v3(struct sl_scope *scope, TF_Output handle, TF_Output index, TF_Output value, TF_Output flow_in) {
    const struct sl_op_input inputs_[] = {{&handle, -1}, {&index, -1}, {&value, -1}, {&flow_in, -1}};
    return sl_op_first(sl_op(scope, "TensorArrayWriteV3", inputs_, 4, NULL, 0));
}

#ifdef __cplusplus
}
#endif

#endif
