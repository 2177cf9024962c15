/* Wrappers of the list ops, made by tools/gen_ops.py from src/ops/list.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_LIST_OPS_H
#define SLUICE_GEN_LIST_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_empty_tensor_list_attrs {
    TF_DataType element_dtype; /* must be given */
};
/* EmptyTensorList: element_shape: shape_type, max_num_elements: int32 -> handle: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_empty_tensor_list(struct sl_scope *scope, TF_Output element_shape, TF_Output max_num_elements, struct sl_empty_tensor_list_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&element_shape, -1}, {&max_num_elements, -1}};
    const struct sl_attr_given attrs_[] = {{"element_dtype", SL_GIVEN_TYPE, &attrs.element_dtype}};
    return sl_op_first(sl_op(scope, "EmptyTensorList", inputs_, 2, attrs_, 1));
}

/* EmptyTensorMap: () -> handle: variant */
static inline TF_Output sl_empty_tensor_map(struct sl_scope *scope) {
    return sl_op_first(sl_op(scope, "EmptyTensorMap", NULL, 0, NULL, 0));
}

struct sl_tensor_list_concat_outputs {
    TF_Output tensor, lengths;
};
struct sl_tensor_list_concat_attrs {
    TF_DataType element_dtype; /* must be given */
    struct sl_dims element_shape; /* { unknown_rank: true } */
};
/* TensorListConcat: input_handle: variant -> tensor: element_dtype, lengths: int64 */
static inline struct sl_tensor_list_concat_outputs sl_tensor_list_concat(struct sl_scope *scope, TF_Output input_handle, struct sl_tensor_list_concat_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}};
    const struct sl_attr_given attrs_[] = {{"element_dtype", SL_GIVEN_TYPE, &attrs.element_dtype}, {"element_shape", SL_GIVEN_SHAPE, &attrs.element_shape}};
    TF_Operation *const op_ = sl_op(scope, "TensorListConcat", inputs_, 1, attrs_, 2);
    const struct sl_tensor_list_concat_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_tensor_list_concat_lists_attrs {
    TF_DataType element_dtype; /* must be given */
};
/* TensorListConcatLists: input_a: variant, input_b: variant -> output: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_concat_lists(struct sl_scope *scope, TF_Output input_a, TF_Output input_b, struct sl_tensor_list_concat_lists_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_a, -1}, {&input_b, -1}};
    const struct sl_attr_given attrs_[] = {{"element_dtype", SL_GIVEN_TYPE, &attrs.element_dtype}};
    return sl_op_first(sl_op(scope, "TensorListConcatLists", inputs_, 2, attrs_, 1));
}

struct sl_tensor_list_concat_v2_outputs {
    TF_Output tensor, lengths;
};
struct sl_tensor_list_concat_v2_attrs {
    TF_DataType element_dtype; /* must be given */
};
/* TensorListConcatV2: input_handle: variant, element_shape: shape_type, leading_dims: int64 -> tensor: element_dtype, lengths: int64 */
static inline struct sl_tensor_list_concat_v2_outputs sl_tensor_list_concat_v2(struct sl_scope *scope, TF_Output input_handle, TF_Output element_shape, TF_Output leading_dims, struct sl_tensor_list_concat_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&element_shape, -1}, {&leading_dims, -1}};
    const struct sl_attr_given attrs_[] = {{"element_dtype", SL_GIVEN_TYPE, &attrs.element_dtype}};
    TF_Operation *const op_ = sl_op(scope, "TensorListConcatV2", inputs_, 3, attrs_, 1);
    const struct sl_tensor_list_concat_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_tensor_list_element_shape_attrs {
    TF_DataType shape_type; /* must be given */
};
/* TensorListElementShape: input_handle: variant -> element_shape: shape_type */
static inline TF_Output sl_tensor_list_element_shape(struct sl_scope *scope, TF_Output input_handle, struct sl_tensor_list_element_shape_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}};
    const struct sl_attr_given attrs_[] = {{"shape_type", SL_GIVEN_TYPE, &attrs.shape_type}};
    return sl_op_first(sl_op(scope, "TensorListElementShape", inputs_, 1, attrs_, 1));
}

/* TensorListFromTensor: tensor: element_dtype, element_shape: shape_type -> output_handle: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_from_tensor(struct sl_scope *scope, TF_Output tensor, TF_Output element_shape) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&element_shape, -1}};
    return sl_op_first(sl_op(scope, "TensorListFromTensor", inputs_, 2, NULL, 0));
}

struct sl_tensor_list_gather_attrs {
    TF_DataType element_dtype; /* must be given */
};
/* TensorListGather: input_handle: variant, indices: int32, element_shape: int32 -> values: element_dtype */
static inline TF_Output sl_tensor_list_gather(struct sl_scope *scope, TF_Output input_handle, TF_Output indices, TF_Output element_shape, struct sl_tensor_list_gather_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&indices, -1}, {&element_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"element_dtype", SL_GIVEN_TYPE, &attrs.element_dtype}};
    return sl_op_first(sl_op(scope, "TensorListGather", inputs_, 3, attrs_, 1));
}

struct sl_tensor_list_get_item_attrs {
    TF_DataType element_dtype; /* must be given */
};
/* TensorListGetItem: input_handle: variant, index: int32, element_shape: Tshape -> item: element_dtype */
static inline TF_Output sl_tensor_list_get_item(struct sl_scope *scope, TF_Output input_handle, TF_Output index, TF_Output element_shape, struct sl_tensor_list_get_item_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&index, -1}, {&element_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"element_dtype", SL_GIVEN_TYPE, &attrs.element_dtype}};
    return sl_op_first(sl_op(scope, "TensorListGetItem", inputs_, 3, attrs_, 1));
}

/* TensorListLength: input_handle: variant -> length: int32 */
static inline TF_Output sl_tensor_list_length(struct sl_scope *scope, TF_Output input_handle) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}};
    return sl_op_first(sl_op(scope, "TensorListLength", inputs_, 1, NULL, 0));
}

struct sl_tensor_list_pop_back_outputs {
    TF_Output output_handle, tensor;
};
struct sl_tensor_list_pop_back_attrs {
    TF_DataType element_dtype; /* must be given */
};
/* TensorListPopBack: input_handle: variant, element_shape: int32 -> output_handle: variant, tensor: element_dtype */
static inline struct sl_tensor_list_pop_back_outputs sl_tensor_list_pop_back(struct sl_scope *scope, TF_Output input_handle, TF_Output element_shape, struct sl_tensor_list_pop_back_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&element_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"element_dtype", SL_GIVEN_TYPE, &attrs.element_dtype}};
    TF_Operation *const op_ = sl_op(scope, "TensorListPopBack", inputs_, 2, attrs_, 1);
    const struct sl_tensor_list_pop_back_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* TensorListPushBack: input_handle: variant, tensor: element_dtype -> output_handle: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_push_back(struct sl_scope *scope, TF_Output input_handle, TF_Output tensor) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&tensor, -1}};
    return sl_op_first(sl_op(scope, "TensorListPushBack", inputs_, 2, NULL, 0));
}

/* TensorListPushBackBatch: input_handles: variant, tensor: element_dtype -> output_handles: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_push_back_batch(struct sl_scope *scope, TF_Output input_handles, TF_Output tensor) {
    const struct sl_op_input inputs_[] = {{&input_handles, -1}, {&tensor, -1}};
    return sl_op_first(sl_op(scope, "TensorListPushBackBatch", inputs_, 2, NULL, 0));
}

struct sl_tensor_list_reserve_attrs {
    TF_DataType element_dtype; /* must be given */
};
/* TensorListReserve: element_shape: shape_type, num_elements: int32 -> handle: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_reserve(struct sl_scope *scope, TF_Output element_shape, TF_Output num_elements, struct sl_tensor_list_reserve_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&element_shape, -1}, {&num_elements, -1}};
    const struct sl_attr_given attrs_[] = {{"element_dtype", SL_GIVEN_TYPE, &attrs.element_dtype}};
    return sl_op_first(sl_op(scope, "TensorListReserve", inputs_, 2, attrs_, 1));
}

/* TensorListResize: input_handle: variant, size: int32 -> output_handle: variant */
static inline TF_Output sl_tensor_list_resize(struct sl_scope *scope, TF_Output input_handle, TF_Output size) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&size, -1}};
    return sl_op_first(sl_op(scope, "TensorListResize", inputs_, 2, NULL, 0));
}

/* TensorListScatter: tensor: element_dtype, indices: int32, element_shape: shape_type -> output_handle: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_scatter(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output element_shape) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&indices, -1}, {&element_shape, -1}};
    return sl_op_first(sl_op(scope, "TensorListScatter", inputs_, 3, NULL, 0));
}

/* TensorListScatterIntoExistingList: input_handle: variant, tensor: element_dtype, indices: int32 -> output_handle: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_scatter_into_existing_list(struct sl_scope *scope, TF_Output input_handle, TF_Output tensor, TF_Output indices) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&tensor, -1}, {&indices, -1}};
    return sl_op_first(sl_op(scope, "TensorListScatterIntoExistingList", inputs_, 3, NULL, 0));
}

/* TensorListScatterV2: tensor: element_dtype, indices: int32, element_shape: shape_type, num_elements: int32 -> output_handle: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_scatter_v2(struct sl_scope *scope, TF_Output tensor, TF_Output indices, TF_Output element_shape, TF_Output num_elements) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&indices, -1}, {&element_shape, -1}, {&num_elements, -1}};
    return sl_op_first(sl_op(scope, "TensorListScatterV2", inputs_, 4, NULL, 0));
}

struct sl_tensor_list_set_item_attrs {
    bool resize_if_index_out_of_bounds; /* false */
};
/* TensorListSetItem: input_handle: variant, index: int32, item: element_dtype -> output_handle: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_set_item_with(struct sl_scope *scope, TF_Output input_handle, TF_Output index, TF_Output item, struct sl_tensor_list_set_item_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&index, -1}, {&item, -1}};
    const struct sl_attr_given attrs_[] = {{"resize_if_index_out_of_bounds", SL_GIVEN_BOOL, &attrs.resize_if_index_out_of_bounds}};
    return sl_op_first(sl_op(scope, "TensorListSetItem", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_tensor_list_set_item(struct sl_scope *scope, TF_Output input_handle, TF_Output index, TF_Output item) {
    const struct sl_tensor_list_set_item_attrs attrs = SL_DEFAULTS;
    return sl_tensor_list_set_item_with(scope, input_handle, index, item, attrs);
}

/* TensorListSplit: tensor: element_dtype, element_shape: shape_type, lengths: int64 -> output_handle: variant as array[tensor[$element_dtype]] */
static inline TF_Output sl_tensor_list_split(struct sl_scope *scope, TF_Output tensor, TF_Output element_shape, TF_Output lengths) {
    const struct sl_op_input inputs_[] = {{&tensor, -1}, {&element_shape, -1}, {&lengths, -1}};
    return sl_op_first(sl_op(scope, "TensorListSplit", inputs_, 3, NULL, 0));
}

struct sl_tensor_list_stack_attrs {
    TF_DataType element_dtype; /* must be given */
    int64_t num_elements; /* -1 */
};
/* TensorListStack: input_handle: variant, element_shape: int32 -> tensor: element_dtype */
static inline TF_Output sl_tensor_list_stack(struct sl_scope *scope, TF_Output input_handle, TF_Output element_shape, struct sl_tensor_list_stack_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&element_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"element_dtype", SL_GIVEN_TYPE, &attrs.element_dtype}, {"num_elements", SL_GIVEN_INT, &attrs.num_elements}};
    return sl_op_first(sl_op(scope, "TensorListStack", inputs_, 2, attrs_, 2));
}

struct sl_tensor_map_erase_attrs {
    TF_DataType value_dtype; /* must be given */
};
/* TensorMapErase: input_handle: variant, key: key_dtype -> output_handle: variant */
static inline TF_Output sl_tensor_map_erase(struct sl_scope *scope, TF_Output input_handle, TF_Output key, struct sl_tensor_map_erase_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&key, -1}};
    const struct sl_attr_given attrs_[] = {{"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}};
    return sl_op_first(sl_op(scope, "TensorMapErase", inputs_, 2, attrs_, 1));
}

/* TensorMapHasKey: input_handle: variant, key: key_dtype -> has_key: bool */
static inline TF_Output sl_tensor_map_has_key(struct sl_scope *scope, TF_Output input_handle, TF_Output key) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&key, -1}};
    return sl_op_first(sl_op(scope, "TensorMapHasKey", inputs_, 2, NULL, 0));
}

/* TensorMapInsert: input_handle: variant, key: key_dtype, value: value_dtype -> output_handle: variant */
static inline TF_Output sl_tensor_map_insert(struct sl_scope *scope, TF_Output input_handle, TF_Output key, TF_Output value) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&key, -1}, {&value, -1}};
    return sl_op_first(sl_op(scope, "TensorMapInsert", inputs_, 3, NULL, 0));
}

struct sl_tensor_map_lookup_attrs {
    TF_DataType value_dtype; /* must be given */
};
/* TensorMapLookup: input_handle: variant, key: key_dtype -> value: value_dtype */
static inline TF_Output sl_tensor_map_lookup(struct sl_scope *scope, TF_Output input_handle, TF_Output key, struct sl_tensor_map_lookup_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}, {&key, -1}};
    const struct sl_attr_given attrs_[] = {{"value_dtype", SL_GIVEN_TYPE, &attrs.value_dtype}};
    return sl_op_first(sl_op(scope, "TensorMapLookup", inputs_, 2, attrs_, 1));
}

/* TensorMapSize: input_handle: variant -> size: int32 */
static inline TF_Output sl_tensor_map_size(struct sl_scope *scope, TF_Output input_handle) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}};
    return sl_op_first(sl_op(scope, "TensorMapSize", inputs_, 1, NULL, 0));
}

struct sl_tensor_map_stack_keys_attrs {
    TF_DataType key_dtype; /* must be given */
};
/* TensorMapStackKeys: input_handle: variant -> keys: key_dtype */
static inline TF_Output sl_tensor_map_stack_keys(struct sl_scope *scope, TF_Output input_handle, struct sl_tensor_map_stack_keys_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_handle, -1}};
    const struct sl_attr_given attrs_[] = {{"key_dtype", SL_GIVEN_TYPE, &attrs.key_dtype}};
    return sl_op_first(sl_op(scope, "TensorMapStackKeys", inputs_, 1, attrs_, 1));
}

#ifdef __cplusplus
}
#endif

#endif
