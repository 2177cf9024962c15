/* Wrappers of the sparse ops, made by tools/gen_ops.py from src/ops/sparse.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_SPARSE_OPS_H
#define SLUICE_GEN_SPARSE_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_add_many_sparse_to_tensors_map_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* AddManySparseToTensorsMap: sparse_indices: int64, sparse_values: T, sparse_shape: int64 -> sparse_handles: int64 */
static inline TF_Output sl_add_many_sparse_to_tensors_map_with(struct sl_scope *scope, TF_Output sparse_indices, TF_Output sparse_values, TF_Output sparse_shape, struct sl_add_many_sparse_to_tensors_map_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sparse_indices, -1}, {&sparse_values, -1}, {&sparse_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "AddManySparseToTensorsMap", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_add_many_sparse_to_tensors_map(struct sl_scope *scope, TF_Output sparse_indices, TF_Output sparse_values, TF_Output sparse_shape) {
    const struct sl_add_many_sparse_to_tensors_map_attrs attrs = SL_DEFAULTS;
    return sl_add_many_sparse_to_tensors_map_with(scope, sparse_indices, sparse_values, sparse_shape, attrs);
}

struct sl_add_sparse_to_tensors_map_attrs {
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* AddSparseToTensorsMap: sparse_indices: int64, sparse_values: T, sparse_shape: int64 -> sparse_handle: int64 */
static inline TF_Output sl_add_sparse_to_tensors_map_with(struct sl_scope *scope, TF_Output sparse_indices, TF_Output sparse_values, TF_Output sparse_shape, struct sl_add_sparse_to_tensors_map_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sparse_indices, -1}, {&sparse_values, -1}, {&sparse_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    return sl_op_first(sl_op(scope, "AddSparseToTensorsMap", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_add_sparse_to_tensors_map(struct sl_scope *scope, TF_Output sparse_indices, TF_Output sparse_values, TF_Output sparse_shape) {
    const struct sl_add_sparse_to_tensors_map_attrs attrs = SL_DEFAULTS;
    return sl_add_sparse_to_tensors_map_with(scope, sparse_indices, sparse_values, sparse_shape, attrs);
}

struct sl_csr_sparse_matrix_components_outputs {
    TF_Output row_ptrs, col_inds, values;
};
struct sl_csr_sparse_matrix_components_attrs {
    TF_DataType type; /* must be given */
};
/* CSRSparseMatrixComponents: csr_sparse_matrix: variant, index: int32 -> row_ptrs: int32, col_inds: int32, values: type */
static inline struct sl_csr_sparse_matrix_components_outputs sl_csr_sparse_matrix_components(struct sl_scope *scope, TF_Output csr_sparse_matrix, TF_Output index, struct sl_csr_sparse_matrix_components_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&csr_sparse_matrix, -1}, {&index, -1}};
    const struct sl_attr_given attrs_[] = {{"type", SL_GIVEN_TYPE, &attrs.type}};
    TF_Operation *const op_ = sl_op(scope, "CSRSparseMatrixComponents", inputs_, 2, attrs_, 1);
    const struct sl_csr_sparse_matrix_components_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_csr_sparse_matrix_to_dense_attrs {
    TF_DataType type; /* must be given */
};
/* CSRSparseMatrixToDense: sparse_input: variant -> dense_output: type */
static inline TF_Output sl_csr_sparse_matrix_to_dense(struct sl_scope *scope, TF_Output sparse_input, struct sl_csr_sparse_matrix_to_dense_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sparse_input, -1}};
    const struct sl_attr_given attrs_[] = {{"type", SL_GIVEN_TYPE, &attrs.type}};
    return sl_op_first(sl_op(scope, "CSRSparseMatrixToDense", inputs_, 1, attrs_, 1));
}

struct sl_csr_sparse_matrix_to_sparse_tensor_outputs {
    TF_Output indices, values, dense_shape;
};
struct sl_csr_sparse_matrix_to_sparse_tensor_attrs {
    TF_DataType type; /* must be given */
};
/* CSRSparseMatrixToSparseTensor: sparse_matrix: variant -> indices: int64, values: type, dense_shape: int64 */
static inline struct sl_csr_sparse_matrix_to_sparse_tensor_outputs sl_csr_sparse_matrix_to_sparse_tensor(struct sl_scope *scope, TF_Output sparse_matrix, struct sl_csr_sparse_matrix_to_sparse_tensor_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sparse_matrix, -1}};
    const struct sl_attr_given attrs_[] = {{"type", SL_GIVEN_TYPE, &attrs.type}};
    TF_Operation *const op_ = sl_op(scope, "CSRSparseMatrixToSparseTensor", inputs_, 1, attrs_, 1);
    const struct sl_csr_sparse_matrix_to_sparse_tensor_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_composite_tensor_variant_from_components_attrs {
    const char *metadata; /* must be given */
};
/* CompositeTensorVariantFromComponents: components: Tcomponents -> encoded: variant */
static inline TF_Output sl_composite_tensor_variant_from_components(struct sl_scope *scope, const TF_Output *components, int num_components, struct sl_composite_tensor_variant_from_components_attrs attrs) {
    const struct sl_op_input inputs_[] = {{components, num_components}};
    const struct sl_attr_given attrs_[] = {{"metadata", SL_GIVEN_STRING, &attrs.metadata}};
    return sl_op_first(sl_op(scope, "CompositeTensorVariantFromComponents", inputs_, 1, attrs_, 1));
}

struct sl_composite_tensor_variant_to_components_attrs {
    const char *metadata; /* must be given */
    struct sl_types Tcomponents; /* must be given */
};
/* CompositeTensorVariantToComponents: encoded: variant -> components: Tcomponents */
static inline TF_Operation *sl_composite_tensor_variant_to_components(struct sl_scope *scope, TF_Output encoded, struct sl_composite_tensor_variant_to_components_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&encoded, -1}};
    const struct sl_attr_given attrs_[] = {{"metadata", SL_GIVEN_STRING, &attrs.metadata}, {"Tcomponents", SL_GIVEN_TYPES_NEEDED, &attrs.Tcomponents}};
    return sl_op(scope, "CompositeTensorVariantToComponents", inputs_, 1, attrs_, 2);
}

struct sl_dense_count_sparse_output_outputs {
    TF_Output output_indices, output_values, output_dense_shape;
};
struct sl_dense_count_sparse_output_attrs {
    int64_t minlength; /* -1 */
    int64_t maxlength; /* -1 */
    bool binary_output; /* must be given */
};
/* DenseCountSparseOutput: values: T, weights: output_type -> output_indices: int64, output_values: output_type, output_dense_shape: int64 */
static inline struct sl_dense_count_sparse_output_outputs sl_dense_count_sparse_output(struct sl_scope *scope, TF_Output values, TF_Output weights, struct sl_dense_count_sparse_output_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&values, -1}, {&weights, -1}};
    const struct sl_attr_given attrs_[] = {{"minlength", SL_GIVEN_INT, &attrs.minlength}, {"maxlength", SL_GIVEN_INT, &attrs.maxlength}, {"binary_output", SL_GIVEN_BOOL_NEEDED, &attrs.binary_output}};
    TF_Operation *const op_ = sl_op(scope, "DenseCountSparseOutput", inputs_, 2, attrs_, 3);
    const struct sl_dense_count_sparse_output_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

/* DenseToCSRSparseMatrix: dense_input: T, indices: int64 -> sparse_output: variant */
static inline TF_Output sl_dense_to_csr_sparse_matrix(struct sl_scope *scope, TF_Output dense_input, TF_Output indices) {
    const struct sl_op_input inputs_[] = {{&dense_input, -1}, {&indices, -1}};
    return sl_op_first(sl_op(scope, "DenseToCSRSparseMatrix", inputs_, 2, NULL, 0));
}

struct sl_dense_to_dense_set_operation_outputs {
    TF_Output result_indices, result_values, result_shape;
};
struct sl_dense_to_dense_set_operation_attrs {
    const char *set_operation; /* must be given */
    enum sl_choice validate_indices; /* true */
};
/* DenseToDenseSetOperation: set1: T, set2: T -> result_indices: int64, result_values: T, result_shape: int64 */
static inline struct sl_dense_to_dense_set_operation_outputs sl_dense_to_dense_set_operation(struct sl_scope *scope, TF_Output set1, TF_Output set2, struct sl_dense_to_dense_set_operation_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&set1, -1}, {&set2, -1}};
    const struct sl_attr_given attrs_[] = {{"set_operation", SL_GIVEN_STRING, &attrs.set_operation}, {"validate_indices", SL_GIVEN_CHOICE, &attrs.validate_indices}};
    TF_Operation *const op_ = sl_op(scope, "DenseToDenseSetOperation", inputs_, 2, attrs_, 2);
    const struct sl_dense_to_dense_set_operation_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_dense_to_sparse_set_operation_outputs {
    TF_Output result_indices, result_values, result_shape;
};
struct sl_dense_to_sparse_set_operation_attrs {
    const char *set_operation; /* must be given */
    enum sl_choice validate_indices; /* true */
};
/* DenseToSparseSetOperation: set1: T, set2_indices: int64, set2_values: T, set2_shape: int64 -> result_indices: int64, result_values: T, result_shape: int64 */
static inline struct sl_dense_to_sparse_set_operation_outputs sl_dense_to_sparse_set_operation(struct sl_scope *scope, TF_Output set1, TF_Output set2_indices, TF_Output set2_values, TF_Output set2_shape, struct sl_dense_to_sparse_set_operation_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&set1, -1}, {&set2_indices, -1}, {&set2_values, -1}, {&set2_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"set_operation", SL_GIVEN_STRING, &attrs.set_operation}, {"validate_indices", SL_GIVEN_CHOICE, &attrs.validate_indices}};
    TF_Operation *const op_ = sl_op(scope, "DenseToSparseSetOperation", inputs_, 4, attrs_, 2);
    const struct sl_dense_to_sparse_set_operation_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_deserialize_many_sparse_outputs {
    TF_Output sparse_indices, sparse_values, sparse_shape;
};
struct sl_deserialize_many_sparse_attrs {
    TF_DataType dtype; /* must be given */
};
/* DeserializeManySparse: serialized_sparse: string -> sparse_indices: int64, sparse_values: dtype, sparse_shape: int64 */
static inline struct sl_deserialize_many_sparse_outputs sl_deserialize_many_sparse(struct sl_scope *scope, TF_Output serialized_sparse, struct sl_deserialize_many_sparse_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&serialized_sparse, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    TF_Operation *const op_ = sl_op(scope, "DeserializeManySparse", inputs_, 1, attrs_, 1);
    const struct sl_deserialize_many_sparse_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_deserialize_sparse_outputs {
    TF_Output sparse_indices, sparse_values, sparse_shape;
};
struct sl_deserialize_sparse_attrs {
    TF_DataType dtype; /* must be given */
};
/* DeserializeSparse: serialized_sparse: Tserialized -> sparse_indices: int64, sparse_values: dtype, sparse_shape: int64 */
static inline struct sl_deserialize_sparse_outputs sl_deserialize_sparse(struct sl_scope *scope, TF_Output serialized_sparse, struct sl_deserialize_sparse_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&serialized_sparse, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    TF_Operation *const op_ = sl_op(scope, "DeserializeSparse", inputs_, 1, attrs_, 1);
    const struct sl_deserialize_sparse_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_ragged_count_sparse_output_outputs {
    TF_Output output_indices, output_values, output_dense_shape;
};
struct sl_ragged_count_sparse_output_attrs {
    int64_t minlength; /* -1 */
    int64_t maxlength; /* -1 */
    bool binary_output; /* must be given */
};
/* RaggedCountSparseOutput: splits: int64, values: T, weights: output_type -> output_indices: int64, output_values: output_type, output_dense_shape: int64 */
static inline struct sl_ragged_count_sparse_output_outputs sl_ragged_count_sparse_output(struct sl_scope *scope, TF_Output splits, TF_Output values, TF_Output weights, struct sl_ragged_count_sparse_output_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&splits, -1}, {&values, -1}, {&weights, -1}};
    const struct sl_attr_given attrs_[] = {{"minlength", SL_GIVEN_INT, &attrs.minlength}, {"maxlength", SL_GIVEN_INT, &attrs.maxlength}, {"binary_output", SL_GIVEN_BOOL_NEEDED, &attrs.binary_output}};
    TF_Operation *const op_ = sl_op(scope, "RaggedCountSparseOutput", inputs_, 3, attrs_, 3);
    const struct sl_ragged_count_sparse_output_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_ragged_cross_outputs {
    TF_Output output_values, output_row_splits;
};
struct sl_ragged_cross_attrs {
    const char *input_order; /* must be given */
    bool hashed_output; /* must be given */
    int64_t num_buckets; /* must be given */
    int64_t hash_key; /* must be given */
    TF_DataType out_values_type; /* must be given */
    TF_DataType out_row_splits_type; /* must be given */
};
/* RaggedCross: ragged_values: ragged_values_types, ragged_row_splits: ragged_splits_types, sparse_indices: Nsparse * int64, sparse_values: sparse_values_types, sparse_shape: Nsparse * int64, dense_inputs: dense_types -> output_values: out_values_type, output_row_splits: out_row_splits_type */
static inline struct sl_ragged_cross_outputs sl_ragged_cross(struct sl_scope *scope, const TF_Output *ragged_values, int num_ragged_values, const TF_Output *ragged_row_splits, int num_ragged_row_splits, const TF_Output *sparse_indices, int num_sparse_indices, const TF_Output *sparse_values, int num_sparse_values, const TF_Output *sparse_shape, int num_sparse_shape, const TF_Output *dense_inputs, int num_dense_inputs, struct sl_ragged_cross_attrs attrs) {
    const struct sl_op_input inputs_[] = {{ragged_values, num_ragged_values}, {ragged_row_splits, num_ragged_row_splits}, {sparse_indices, num_sparse_indices}, {sparse_values, num_sparse_values}, {sparse_shape, num_sparse_shape}, {dense_inputs, num_dense_inputs}};
    const struct sl_attr_given attrs_[] = {{"input_order", SL_GIVEN_STRING, &attrs.input_order}, {"hashed_output", SL_GIVEN_BOOL_NEEDED, &attrs.hashed_output}, {"num_buckets", SL_GIVEN_INT_NEEDED, &attrs.num_buckets}, {"hash_key", SL_GIVEN_INT_NEEDED, &attrs.hash_key}, {"out_values_type", SL_GIVEN_TYPE, &attrs.out_values_type}, {"out_row_splits_type", SL_GIVEN_TYPE, &attrs.out_row_splits_type}};
    TF_Operation *const op_ = sl_op(scope, "RaggedCross", inputs_, 6, attrs_, 6);
    const struct sl_ragged_cross_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_ragged_fill_empty_rows_outputs {
    TF_Output output_value_rowids, output_values, empty_row_indicator, reverse_index_map;
};
/* RaggedFillEmptyRows: value_rowids: int64, values: T, nrows: int64, default_value: T -> output_value_rowids: int64, output_values: T, empty_row_indicator: bool, reverse_index_map: int64 */
static inline struct sl_ragged_fill_empty_rows_outputs sl_ragged_fill_empty_rows(struct sl_scope *scope, TF_Output value_rowids, TF_Output values, TF_Output nrows, TF_Output default_value) {
    const struct sl_op_input inputs_[] = {{&value_rowids, -1}, {&values, -1}, {&nrows, -1}, {&default_value, -1}};
    TF_Operation *const op_ = sl_op(scope, "RaggedFillEmptyRows", inputs_, 4, NULL, 0);
    const struct sl_ragged_fill_empty_rows_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}

struct sl_ragged_fill_empty_rows_grad_outputs {
    TF_Output d_values, d_default_value;
};
/* RaggedFillEmptyRowsGrad: reverse_index_map: int64, grad_values: T -> d_values: T, d_default_value: T */
static inline struct sl_ragged_fill_empty_rows_grad_outputs sl_ragged_fill_empty_rows_grad(struct sl_scope *scope, TF_Output reverse_index_map, TF_Output grad_values) {
    const struct sl_op_input inputs_[] = {{&reverse_index_map, -1}, {&grad_values, -1}};
    TF_Operation *const op_ = sl_op(scope, "RaggedFillEmptyRowsGrad", inputs_, 2, NULL, 0);
    const struct sl_ragged_fill_empty_rows_grad_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_ragged_gather_attrs {
    int64_t OUTPUT_RAGGED_RANK; /* must be given */
};
/* RaggedGather: params_nested_splits: PARAMS_RAGGED_RANK * Tsplits, params_dense_values: Tvalues, indices: Tindices -> output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits, output_dense_values: Tvalues */
static inline TF_Operation *sl_ragged_gather(struct sl_scope *scope, const TF_Output *params_nested_splits, int num_params_nested_splits, TF_Output params_dense_values, TF_Output indices, struct sl_ragged_gather_attrs attrs) {
    const struct sl_op_input inputs_[] = {{params_nested_splits, num_params_nested_splits}, {&params_dense_values, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"OUTPUT_RAGGED_RANK", SL_GIVEN_INT_NEEDED, &attrs.OUTPUT_RAGGED_RANK}};
    return sl_op(scope, "RaggedGather", inputs_, 3, attrs_, 1);
}

struct sl_ragged_range_outputs {
    TF_Output rt_nested_splits, rt_dense_values;
};
struct sl_ragged_range_attrs {
    TF_DataType Tsplits; /* DT_INT64 */
};
/* RaggedRange: starts: T, limits: T, deltas: T -> rt_nested_splits: Tsplits, rt_dense_values: T */
static inline struct sl_ragged_range_outputs sl_ragged_range_with(struct sl_scope *scope, TF_Output starts, TF_Output limits, TF_Output deltas, struct sl_ragged_range_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&starts, -1}, {&limits, -1}, {&deltas, -1}};
    const struct sl_attr_given attrs_[] = {{"Tsplits", SL_GIVEN_TYPE, &attrs.Tsplits}};
    TF_Operation *const op_ = sl_op(scope, "RaggedRange", inputs_, 3, attrs_, 1);
    const struct sl_ragged_range_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_ragged_range_outputs sl_ragged_range(struct sl_scope *scope, TF_Output starts, TF_Output limits, TF_Output deltas) {
    const struct sl_ragged_range_attrs attrs = SL_DEFAULTS;
    return sl_ragged_range_with(scope, starts, limits, deltas, attrs);
}

struct sl_ragged_tensor_from_variant_attrs {
    int64_t input_ragged_rank; /* must be given */
    int64_t output_ragged_rank; /* must be given */
    TF_DataType Tvalues; /* must be given */
    TF_DataType Tsplits; /* DT_INT64 */
};
/* RaggedTensorFromVariant: encoded_ragged: variant -> output_nested_splits: output_ragged_rank * Tsplits, output_dense_values: Tvalues */
static inline TF_Operation *sl_ragged_tensor_from_variant(struct sl_scope *scope, TF_Output encoded_ragged, struct sl_ragged_tensor_from_variant_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&encoded_ragged, -1}};
    const struct sl_attr_given attrs_[] = {{"input_ragged_rank", SL_GIVEN_INT_NEEDED, &attrs.input_ragged_rank}, {"output_ragged_rank", SL_GIVEN_INT_NEEDED, &attrs.output_ragged_rank}, {"Tvalues", SL_GIVEN_TYPE, &attrs.Tvalues}, {"Tsplits", SL_GIVEN_TYPE, &attrs.Tsplits}};
    return sl_op(scope, "RaggedTensorFromVariant", inputs_, 1, attrs_, 4);
}

struct sl_ragged_tensor_to_sparse_outputs {
    TF_Output sparse_indices, sparse_values, sparse_dense_shape;
};
/* RaggedTensorToSparse: rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: T -> sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64 */
static inline struct sl_ragged_tensor_to_sparse_outputs sl_ragged_tensor_to_sparse(struct sl_scope *scope, const TF_Output *rt_nested_splits, int num_rt_nested_splits, TF_Output rt_dense_values) {
    const struct sl_op_input inputs_[] = {{rt_nested_splits, num_rt_nested_splits}, {&rt_dense_values, -1}};
    TF_Operation *const op_ = sl_op(scope, "RaggedTensorToSparse", inputs_, 2, NULL, 0);
    const struct sl_ragged_tensor_to_sparse_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_ragged_tensor_to_tensor_attrs {
    struct sl_strings row_partition_types; /* must be given */
};
/* RaggedTensorToTensor: shape: Tshape, values: T, default_value: T, row_partition_tensors: num_row_partition_tensors * Tindex -> result: T */
static inline TF_Output sl_ragged_tensor_to_tensor(struct sl_scope *scope, TF_Output shape, TF_Output values, TF_Output default_value, const TF_Output *row_partition_tensors, int num_row_partition_tensors, struct sl_ragged_tensor_to_tensor_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&values, -1}, {&default_value, -1}, {row_partition_tensors, num_row_partition_tensors}};
    const struct sl_attr_given attrs_[] = {{"row_partition_types", SL_GIVEN_STRINGS_NEEDED, &attrs.row_partition_types}};
    return sl_op_first(sl_op(scope, "RaggedTensorToTensor", inputs_, 4, attrs_, 1));
}

struct sl_ragged_tensor_to_variant_attrs {
    bool batched_input; /* must be given */
};
/* RaggedTensorToVariant: rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: Tvalues -> encoded_ragged: variant as ragged[$Tvalues] */
static inline TF_Output sl_ragged_tensor_to_variant(struct sl_scope *scope, const TF_Output *rt_nested_splits, int num_rt_nested_splits, TF_Output rt_dense_values, struct sl_ragged_tensor_to_variant_attrs attrs) {
    const struct sl_op_input inputs_[] = {{rt_nested_splits, num_rt_nested_splits}, {&rt_dense_values, -1}};
    const struct sl_attr_given attrs_[] = {{"batched_input", SL_GIVEN_BOOL_NEEDED, &attrs.batched_input}};
    return sl_op_first(sl_op(scope, "RaggedTensorToVariant", inputs_, 2, attrs_, 1));
}

struct sl_ragged_tensor_to_variant_gradient_attrs {
    TF_DataType Tvalues; /* must be given */
};
/* RaggedTensorToVariantGradient: encoded_ragged_grad: variant, row_splits: Tsplits, dense_values_shape: int32 -> dense_values_grad: Tvalues */
static inline TF_Output sl_ragged_tensor_to_variant_gradient(struct sl_scope *scope, TF_Output encoded_ragged_grad, TF_Output row_splits, TF_Output dense_values_shape, struct sl_ragged_tensor_to_variant_gradient_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&encoded_ragged_grad, -1}, {&row_splits, -1}, {&dense_values_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"Tvalues", SL_GIVEN_TYPE, &attrs.Tvalues}};
    return sl_op_first(sl_op(scope, "RaggedTensorToVariantGradient", inputs_, 3, attrs_, 1));
}

struct sl_serialize_many_sparse_attrs {
    TF_DataType out_type; /* DT_STRING */
};
/* SerializeManySparse: sparse_indices: int64, sparse_values: T, sparse_shape: int64 -> serialized_sparse: out_type */
static inline TF_Output sl_serialize_many_sparse_with(struct sl_scope *scope, TF_Output sparse_indices, TF_Output sparse_values, TF_Output sparse_shape, struct sl_serialize_many_sparse_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sparse_indices, -1}, {&sparse_values, -1}, {&sparse_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "SerializeManySparse", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_serialize_many_sparse(struct sl_scope *scope, TF_Output sparse_indices, TF_Output sparse_values, TF_Output sparse_shape) {
    const struct sl_serialize_many_sparse_attrs attrs = SL_DEFAULTS;
    return sl_serialize_many_sparse_with(scope, sparse_indices, sparse_values, sparse_shape, attrs);
}

struct sl_serialize_sparse_attrs {
    TF_DataType out_type; /* DT_STRING */
};
/* SerializeSparse: sparse_indices: int64, sparse_values: T, sparse_shape: int64 -> serialized_sparse: out_type */
static inline TF_Output sl_serialize_sparse_with(struct sl_scope *scope, TF_Output sparse_indices, TF_Output sparse_values, TF_Output sparse_shape, struct sl_serialize_sparse_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sparse_indices, -1}, {&sparse_values, -1}, {&sparse_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"out_type", SL_GIVEN_TYPE, &attrs.out_type}};
    return sl_op_first(sl_op(scope, "SerializeSparse", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_serialize_sparse(struct sl_scope *scope, TF_Output sparse_indices, TF_Output sparse_values, TF_Output sparse_shape) {
    const struct sl_serialize_sparse_attrs attrs = SL_DEFAULTS;
    return sl_serialize_sparse_with(scope, sparse_indices, sparse_values, sparse_shape, attrs);
}

struct sl_set_size_attrs {
    enum sl_choice validate_indices; /* true */
};
/* SetSize: set_indices: int64, set_values: T, set_shape: int64 -> size: int32 */
static inline TF_Output sl_set_size_with(struct sl_scope *scope, TF_Output set_indices, TF_Output set_values, TF_Output set_shape, struct sl_set_size_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&set_indices, -1}, {&set_values, -1}, {&set_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"validate_indices", SL_GIVEN_CHOICE, &attrs.validate_indices}};
    return sl_op_first(sl_op(scope, "SetSize", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_set_size(struct sl_scope *scope, TF_Output set_indices, TF_Output set_values, TF_Output set_shape) {
    const struct sl_set_size_attrs attrs = SL_DEFAULTS;
    return sl_set_size_with(scope, set_indices, set_values, set_shape, attrs);
}

struct sl_sparse_add_outputs {
    TF_Output sum_indices, sum_values, sum_shape;
};
/* SparseAdd: a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64, thresh: Treal -> sum_indices: int64, sum_values: T, sum_shape: int64 */
static inline struct sl_sparse_add_outputs sl_sparse_add(struct sl_scope *scope, TF_Output a_indices, TF_Output a_values, TF_Output a_shape, TF_Output b_indices, TF_Output b_values, TF_Output b_shape, TF_Output thresh) {
    const struct sl_op_input inputs_[] = {{&a_indices, -1}, {&a_values, -1}, {&a_shape, -1}, {&b_indices, -1}, {&b_values, -1}, {&b_shape, -1}, {&thresh, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseAdd", inputs_, 7, NULL, 0);
    const struct sl_sparse_add_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_sparse_add_grad_outputs {
    TF_Output a_val_grad, b_val_grad;
};
/* SparseAddGrad: backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: int64 -> a_val_grad: T, b_val_grad: T */
static inline struct sl_sparse_add_grad_outputs sl_sparse_add_grad(struct sl_scope *scope, TF_Output backprop_val_grad, TF_Output a_indices, TF_Output b_indices, TF_Output sum_indices) {
    const struct sl_op_input inputs_[] = {{&backprop_val_grad, -1}, {&a_indices, -1}, {&b_indices, -1}, {&sum_indices, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseAddGrad", inputs_, 4, NULL, 0);
    const struct sl_sparse_add_grad_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_sparse_concat_outputs {
    TF_Output output_indices, output_values, output_shape;
};
struct sl_sparse_concat_attrs {
    int64_t concat_dim; /* must be given */
};
/* SparseConcat: indices: N * int64, values: N * T, shapes: N * int64 -> output_indices: int64, output_values: T, output_shape: int64 */
static inline struct sl_sparse_concat_outputs sl_sparse_concat(struct sl_scope *scope, const TF_Output *indices, int num_indices, const TF_Output *values, int num_values, const TF_Output *shapes, int num_shapes, struct sl_sparse_concat_attrs attrs) {
    const struct sl_op_input inputs_[] = {{indices, num_indices}, {values, num_values}, {shapes, num_shapes}};
    const struct sl_attr_given attrs_[] = {{"concat_dim", SL_GIVEN_INT_NEEDED, &attrs.concat_dim}};
    TF_Operation *const op_ = sl_op(scope, "SparseConcat", inputs_, 3, attrs_, 1);
    const struct sl_sparse_concat_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_sparse_count_sparse_output_outputs {
    TF_Output output_indices, output_values, output_dense_shape;
};
struct sl_sparse_count_sparse_output_attrs {
    int64_t minlength; /* -1 */
    int64_t maxlength; /* -1 */
    bool binary_output; /* must be given */
};
/* SparseCountSparseOutput: indices: int64, values: T, dense_shape: int64, weights: output_type -> output_indices: int64, output_values: output_type, output_dense_shape: int64 */
static inline struct sl_sparse_count_sparse_output_outputs sl_sparse_count_sparse_output(struct sl_scope *scope, TF_Output indices, TF_Output values, TF_Output dense_shape, TF_Output weights, struct sl_sparse_count_sparse_output_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&indices, -1}, {&values, -1}, {&dense_shape, -1}, {&weights, -1}};
    const struct sl_attr_given attrs_[] = {{"minlength", SL_GIVEN_INT, &attrs.minlength}, {"maxlength", SL_GIVEN_INT, &attrs.maxlength}, {"binary_output", SL_GIVEN_BOOL_NEEDED, &attrs.binary_output}};
    TF_Operation *const op_ = sl_op(scope, "SparseCountSparseOutput", inputs_, 4, attrs_, 3);
    const struct sl_sparse_count_sparse_output_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_sparse_cross_outputs {
    TF_Output output_indices, output_values, output_shape;
};
struct sl_sparse_cross_attrs {
    bool hashed_output; /* must be given */
    int64_t num_buckets; /* must be given */
    int64_t hash_key; /* must be given */
    TF_DataType out_type; /* must be given */
    TF_DataType internal_type; /* must be given */
};
/* SparseCross: indices: N * int64, values: sparse_types, shapes: N * int64, dense_inputs: dense_types -> output_indices: int64, output_values: out_type, output_shape: int64 */
static inline struct sl_sparse_cross_outputs sl_sparse_cross(struct sl_scope *scope, const TF_Output *indices, int num_indices, const TF_Output *values, int num_values, const TF_Output *shapes, int num_shapes, const TF_Output *dense_inputs, int num_dense_inputs, struct sl_sparse_cross_attrs attrs) {
    const struct sl_op_input inputs_[] = {{indices, num_indices}, {values, num_values}, {shapes, num_shapes}, {dense_inputs, num_dense_inputs}};
    const struct sl_attr_given attrs_[] = {{"hashed_output", SL_GIVEN_BOOL_NEEDED, &attrs.hashed_output}, {"num_buckets", SL_GIVEN_INT_NEEDED, &attrs.num_buckets}, {"hash_key", SL_GIVEN_INT_NEEDED, &attrs.hash_key}, {"out_type", SL_GIVEN_TYPE, &attrs.out_type}, {"internal_type", SL_GIVEN_TYPE, &attrs.internal_type}};
    TF_Operation *const op_ = sl_op(scope, "SparseCross", inputs_, 4, attrs_, 5);
    const struct sl_sparse_cross_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_sparse_cross_hashed_outputs {
    TF_Output output_indices, output_values, output_shape;
};
/* SparseCrossHashed: indices: N * int64, values: sparse_types, shapes: N * int64, dense_inputs: dense_types, num_buckets: int64, strong_hash: bool, salt: int64 -> output_indices: int64, output_values: int64, output_shape: int64 */
static inline struct sl_sparse_cross_hashed_outputs sl_sparse_cross_hashed(struct sl_scope *scope, const TF_Output *indices, int num_indices, const TF_Output *values, int num_values, const TF_Output *shapes, int num_shapes, const TF_Output *dense_inputs, int num_dense_inputs, TF_Output num_buckets, TF_Output strong_hash, TF_Output salt) {
    const struct sl_op_input inputs_[] = {{indices, num_indices}, {values, num_values}, {shapes, num_shapes}, {dense_inputs, num_dense_inputs}, {&num_buckets, -1}, {&strong_hash, -1}, {&salt, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseCrossHashed", inputs_, 7, NULL, 0);
    const struct sl_sparse_cross_hashed_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_sparse_cross_v2_outputs {
    TF_Output output_indices, output_values, output_shape;
};
/* SparseCrossV2: indices: N * int64, values: sparse_types, shapes: N * int64, dense_inputs: dense_types, sep: string -> output_indices: int64, output_values: string, output_shape: int64 */
static inline struct sl_sparse_cross_v2_outputs sl_sparse_cross_v2(struct sl_scope *scope, const TF_Output *indices, int num_indices, const TF_Output *values, int num_values, const TF_Output *shapes, int num_shapes, const TF_Output *dense_inputs, int num_dense_inputs, TF_Output sep) {
    const struct sl_op_input inputs_[] = {{indices, num_indices}, {values, num_values}, {shapes, num_shapes}, {dense_inputs, num_dense_inputs}, {&sep, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseCrossV2", inputs_, 5, NULL, 0);
    const struct sl_sparse_cross_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

/* SparseDenseCwiseAdd: sp_indices: int64, sp_values: T, sp_shape: int64, dense: T -> output: T */
static inline TF_Output sl_sparse_dense_cwise_add(struct sl_scope *scope, TF_Output sp_indices, TF_Output sp_values, TF_Output sp_shape, TF_Output dense) {
    const struct sl_op_input inputs_[] = {{&sp_indices, -1}, {&sp_values, -1}, {&sp_shape, -1}, {&dense, -1}};
    return sl_op_first(sl_op(scope, "SparseDenseCwiseAdd", inputs_, 4, NULL, 0));
}

/* SparseDenseCwiseDiv: sp_indices: int64, sp_values: T, sp_shape: int64, dense: T -> output: T */
static inline TF_Output sl_sparse_dense_cwise_div(struct sl_scope *scope, TF_Output sp_indices, TF_Output sp_values, TF_Output sp_shape, TF_Output dense) {
    const struct sl_op_input inputs_[] = {{&sp_indices, -1}, {&sp_values, -1}, {&sp_shape, -1}, {&dense, -1}};
    return sl_op_first(sl_op(scope, "SparseDenseCwiseDiv", inputs_, 4, NULL, 0));
}

/* SparseDenseCwiseMul: sp_indices: int64, sp_values: T, sp_shape: int64, dense: T -> output: T */
static inline TF_Output sl_sparse_dense_cwise_mul(struct sl_scope *scope, TF_Output sp_indices, TF_Output sp_values, TF_Output sp_shape, TF_Output dense) {
    const struct sl_op_input inputs_[] = {{&sp_indices, -1}, {&sp_values, -1}, {&sp_shape, -1}, {&dense, -1}};
    return sl_op_first(sl_op(scope, "SparseDenseCwiseMul", inputs_, 4, NULL, 0));
}

struct sl_sparse_fill_empty_rows_outputs {
    TF_Output output_indices, output_values, empty_row_indicator, reverse_index_map;
};
/* SparseFillEmptyRows: indices: int64, values: T, dense_shape: int64, default_value: T -> output_indices: int64, output_values: T, empty_row_indicator: bool, reverse_index_map: int64 */
static inline struct sl_sparse_fill_empty_rows_outputs sl_sparse_fill_empty_rows(struct sl_scope *scope, TF_Output indices, TF_Output values, TF_Output dense_shape, TF_Output default_value) {
    const struct sl_op_input inputs_[] = {{&indices, -1}, {&values, -1}, {&dense_shape, -1}, {&default_value, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseFillEmptyRows", inputs_, 4, NULL, 0);
    const struct sl_sparse_fill_empty_rows_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}

struct sl_sparse_fill_empty_rows_grad_outputs {
    TF_Output d_values, d_default_value;
};
/* SparseFillEmptyRowsGrad: reverse_index_map: int64, grad_values: T -> d_values: T, d_default_value: T */
static inline struct sl_sparse_fill_empty_rows_grad_outputs sl_sparse_fill_empty_rows_grad(struct sl_scope *scope, TF_Output reverse_index_map, TF_Output grad_values) {
    const struct sl_op_input inputs_[] = {{&reverse_index_map, -1}, {&grad_values, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseFillEmptyRowsGrad", inputs_, 2, NULL, 0);
    const struct sl_sparse_fill_empty_rows_grad_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

/* SparseMatrixAdd: a: variant, b: variant, alpha: T, beta: T -> c: variant */
static inline TF_Output sl_sparse_matrix_add(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output alpha, TF_Output beta) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}, {&alpha, -1}, {&beta, -1}};
    return sl_op_first(sl_op(scope, "SparseMatrixAdd", inputs_, 4, NULL, 0));
}

struct sl_sparse_matrix_matmul_attrs {
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    bool adjoint_a; /* false */
    bool adjoint_b; /* false */
    bool transpose_output; /* false */
    bool conjugate_output; /* false */
};
/* SparseMatrixMatMul: a: variant, b: T -> output: T */
static inline TF_Output sl_sparse_matrix_matmul_with(struct sl_scope *scope, TF_Output a, TF_Output b, struct sl_sparse_matrix_matmul_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}};
    const struct sl_attr_given attrs_[] = {{"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"adjoint_a", SL_GIVEN_BOOL, &attrs.adjoint_a}, {"adjoint_b", SL_GIVEN_BOOL, &attrs.adjoint_b}, {"transpose_output", SL_GIVEN_BOOL, &attrs.transpose_output}, {"conjugate_output", SL_GIVEN_BOOL, &attrs.conjugate_output}};
    return sl_op_first(sl_op(scope, "SparseMatrixMatMul", inputs_, 2, attrs_, 6));
}
static inline TF_Output sl_sparse_matrix_matmul(struct sl_scope *scope, TF_Output a, TF_Output b) {
    const struct sl_sparse_matrix_matmul_attrs attrs = SL_DEFAULTS;
    return sl_sparse_matrix_matmul_with(scope, a, b, attrs);
}

/* SparseMatrixMul: a: variant, b: T -> output: variant */
static inline TF_Output sl_sparse_matrix_mul(struct sl_scope *scope, TF_Output a, TF_Output b) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}};
    return sl_op_first(sl_op(scope, "SparseMatrixMul", inputs_, 2, NULL, 0));
}

/* SparseMatrixNNZ: sparse_matrix: variant -> nnz: int32 */
static inline TF_Output sl_sparse_matrix_nnz(struct sl_scope *scope, TF_Output sparse_matrix) {
    const struct sl_op_input inputs_[] = {{&sparse_matrix, -1}};
    return sl_op_first(sl_op(scope, "SparseMatrixNNZ", inputs_, 1, NULL, 0));
}

/* SparseMatrixOrderingAMD: input: variant -> output: int32 */
static inline TF_Output sl_sparse_matrix_ordering_amd(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "SparseMatrixOrderingAMD", inputs_, 1, NULL, 0));
}

struct sl_sparse_matrix_softmax_attrs {
    TF_DataType type; /* must be given */
};
/* SparseMatrixSoftmax: logits: variant -> softmax: variant */
static inline TF_Output sl_sparse_matrix_softmax(struct sl_scope *scope, TF_Output logits, struct sl_sparse_matrix_softmax_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&logits, -1}};
    const struct sl_attr_given attrs_[] = {{"type", SL_GIVEN_TYPE, &attrs.type}};
    return sl_op_first(sl_op(scope, "SparseMatrixSoftmax", inputs_, 1, attrs_, 1));
}

struct sl_sparse_matrix_softmax_grad_attrs {
    TF_DataType type; /* must be given */
};
/* SparseMatrixSoftmaxGrad: softmax: variant, grad_softmax: variant -> gradient: variant */
static inline TF_Output sl_sparse_matrix_softmax_grad(struct sl_scope *scope, TF_Output softmax, TF_Output grad_softmax, struct sl_sparse_matrix_softmax_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&softmax, -1}, {&grad_softmax, -1}};
    const struct sl_attr_given attrs_[] = {{"type", SL_GIVEN_TYPE, &attrs.type}};
    return sl_op_first(sl_op(scope, "SparseMatrixSoftmaxGrad", inputs_, 2, attrs_, 1));
}

struct sl_sparse_matrix_sparse_cholesky_attrs {
    TF_DataType type; /* must be given */
};
/* SparseMatrixSparseCholesky: input: variant, permutation: int32 -> output: variant */
static inline TF_Output sl_sparse_matrix_sparse_cholesky(struct sl_scope *scope, TF_Output input, TF_Output permutation, struct sl_sparse_matrix_sparse_cholesky_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&permutation, -1}};
    const struct sl_attr_given attrs_[] = {{"type", SL_GIVEN_TYPE, &attrs.type}};
    return sl_op_first(sl_op(scope, "SparseMatrixSparseCholesky", inputs_, 2, attrs_, 1));
}

struct sl_sparse_matrix_sparse_matmul_attrs {
    TF_DataType type; /* must be given */
    bool transpose_a; /* false */
    bool transpose_b; /* false */
    bool adjoint_a; /* false */
    bool adjoint_b; /* false */
};
/* SparseMatrixSparseMatMul: a: variant, b: variant -> c: variant */
static inline TF_Output sl_sparse_matrix_sparse_matmul(struct sl_scope *scope, TF_Output a, TF_Output b, struct sl_sparse_matrix_sparse_matmul_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}};
    const struct sl_attr_given attrs_[] = {{"type", SL_GIVEN_TYPE, &attrs.type}, {"transpose_a", SL_GIVEN_BOOL, &attrs.transpose_a}, {"transpose_b", SL_GIVEN_BOOL, &attrs.transpose_b}, {"adjoint_a", SL_GIVEN_BOOL, &attrs.adjoint_a}, {"adjoint_b", SL_GIVEN_BOOL, &attrs.adjoint_b}};
    return sl_op_first(sl_op(scope, "SparseMatrixSparseMatMul", inputs_, 2, attrs_, 5));
}

struct sl_sparse_matrix_transpose_attrs {
    bool conjugate; /* false */
    TF_DataType type; /* must be given */
};
/* SparseMatrixTranspose: input: variant -> output: variant */
static inline TF_Output sl_sparse_matrix_transpose(struct sl_scope *scope, TF_Output input, struct sl_sparse_matrix_transpose_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"conjugate", SL_GIVEN_BOOL, &attrs.conjugate}, {"type", SL_GIVEN_TYPE, &attrs.type}};
    return sl_op_first(sl_op(scope, "SparseMatrixTranspose", inputs_, 1, attrs_, 2));
}

struct sl_sparse_matrix_zeros_attrs {
    TF_DataType type; /* must be given */
};
/* SparseMatrixZeros: dense_shape: int64 -> sparse_matrix: variant */
static inline TF_Output sl_sparse_matrix_zeros(struct sl_scope *scope, TF_Output dense_shape, struct sl_sparse_matrix_zeros_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&dense_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"type", SL_GIVEN_TYPE, &attrs.type}};
    return sl_op_first(sl_op(scope, "SparseMatrixZeros", inputs_, 1, attrs_, 1));
}

struct sl_sparse_reduce_max_attrs {
    bool keep_dims; /* false */
};
/* SparseReduceMax: input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32 -> output: T */
static inline TF_Output sl_sparse_reduce_max_with(struct sl_scope *scope, TF_Output input_indices, TF_Output input_values, TF_Output input_shape, TF_Output reduction_axes, struct sl_sparse_reduce_max_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_indices, -1}, {&input_values, -1}, {&input_shape, -1}, {&reduction_axes, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "SparseReduceMax", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_sparse_reduce_max(struct sl_scope *scope, TF_Output input_indices, TF_Output input_values, TF_Output input_shape, TF_Output reduction_axes) {
    const struct sl_sparse_reduce_max_attrs attrs = SL_DEFAULTS;
    return sl_sparse_reduce_max_with(scope, input_indices, input_values, input_shape, reduction_axes, attrs);
}

struct sl_sparse_reduce_max_sparse_outputs {
    TF_Output output_indices, output_values, output_shape;
};
struct sl_sparse_reduce_max_sparse_attrs {
    bool keep_dims; /* false */
};
/* SparseReduceMaxSparse: input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32 -> output_indices: int64, output_values: T, output_shape: int64 */
static inline struct sl_sparse_reduce_max_sparse_outputs sl_sparse_reduce_max_sparse_with(struct sl_scope *scope, TF_Output input_indices, TF_Output input_values, TF_Output input_shape, TF_Output reduction_axes, struct sl_sparse_reduce_max_sparse_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_indices, -1}, {&input_values, -1}, {&input_shape, -1}, {&reduction_axes, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    TF_Operation *const op_ = sl_op(scope, "SparseReduceMaxSparse", inputs_, 4, attrs_, 1);
    const struct sl_sparse_reduce_max_sparse_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_sparse_reduce_max_sparse_outputs sl_sparse_reduce_max_sparse(struct sl_scope *scope, TF_Output input_indices, TF_Output input_values, TF_Output input_shape, TF_Output reduction_axes) {
    const struct sl_sparse_reduce_max_sparse_attrs attrs = SL_DEFAULTS;
    return sl_sparse_reduce_max_sparse_with(scope, input_indices, input_values, input_shape, reduction_axes, attrs);
}

struct sl_sparse_reduce_sum_attrs {
    bool keep_dims; /* false */
};
/* SparseReduceSum: input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32 -> output: T */
static inline TF_Output sl_sparse_reduce_sum_with(struct sl_scope *scope, TF_Output input_indices, TF_Output input_values, TF_Output input_shape, TF_Output reduction_axes, struct sl_sparse_reduce_sum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_indices, -1}, {&input_values, -1}, {&input_shape, -1}, {&reduction_axes, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "SparseReduceSum", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_sparse_reduce_sum(struct sl_scope *scope, TF_Output input_indices, TF_Output input_values, TF_Output input_shape, TF_Output reduction_axes) {
    const struct sl_sparse_reduce_sum_attrs attrs = SL_DEFAULTS;
    return sl_sparse_reduce_sum_with(scope, input_indices, input_values, input_shape, reduction_axes, attrs);
}

struct sl_sparse_reduce_sum_sparse_outputs {
    TF_Output output_indices, output_values, output_shape;
};
struct sl_sparse_reduce_sum_sparse_attrs {
    bool keep_dims; /* false */
};
/* SparseReduceSumSparse: input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32 -> output_indices: int64, output_values: T, output_shape: int64 */
static inline struct sl_sparse_reduce_sum_sparse_outputs sl_sparse_reduce_sum_sparse_with(struct sl_scope *scope, TF_Output input_indices, TF_Output input_values, TF_Output input_shape, TF_Output reduction_axes, struct sl_sparse_reduce_sum_sparse_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input_indices, -1}, {&input_values, -1}, {&input_shape, -1}, {&reduction_axes, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    TF_Operation *const op_ = sl_op(scope, "SparseReduceSumSparse", inputs_, 4, attrs_, 1);
    const struct sl_sparse_reduce_sum_sparse_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_sparse_reduce_sum_sparse_outputs sl_sparse_reduce_sum_sparse(struct sl_scope *scope, TF_Output input_indices, TF_Output input_values, TF_Output input_shape, TF_Output reduction_axes) {
    const struct sl_sparse_reduce_sum_sparse_attrs attrs = SL_DEFAULTS;
    return sl_sparse_reduce_sum_sparse_with(scope, input_indices, input_values, input_shape, reduction_axes, attrs);
}

struct sl_sparse_reorder_outputs {
    TF_Output output_indices, output_values;
};
/* SparseReorder: input_indices: int64, input_values: T, input_shape: int64 -> output_indices: int64, output_values: T */
static inline struct sl_sparse_reorder_outputs sl_sparse_reorder(struct sl_scope *scope, TF_Output input_indices, TF_Output input_values, TF_Output input_shape) {
    const struct sl_op_input inputs_[] = {{&input_indices, -1}, {&input_values, -1}, {&input_shape, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseReorder", inputs_, 3, NULL, 0);
    const struct sl_sparse_reorder_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_sparse_reshape_outputs {
    TF_Output output_indices, output_shape;
};
/* SparseReshape: input_indices: int64, input_shape: int64, new_shape: int64 -> output_indices: int64, output_shape: int64 */
static inline struct sl_sparse_reshape_outputs sl_sparse_reshape(struct sl_scope *scope, TF_Output input_indices, TF_Output input_shape, TF_Output new_shape) {
    const struct sl_op_input inputs_[] = {{&input_indices, -1}, {&input_shape, -1}, {&new_shape, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseReshape", inputs_, 3, NULL, 0);
    const struct sl_sparse_reshape_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_sparse_slice_outputs {
    TF_Output output_indices, output_values, output_shape;
};
/* SparseSlice: indices: int64, values: T, shape: int64, start: int64, size: int64 -> output_indices: int64, output_values: T, output_shape: int64 */
static inline struct sl_sparse_slice_outputs sl_sparse_slice(struct sl_scope *scope, TF_Output indices, TF_Output values, TF_Output shape, TF_Output start, TF_Output size) {
    const struct sl_op_input inputs_[] = {{&indices, -1}, {&values, -1}, {&shape, -1}, {&start, -1}, {&size, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseSlice", inputs_, 5, NULL, 0);
    const struct sl_sparse_slice_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

/* SparseSliceGrad: backprop_val_grad: T, input_indices: int64, input_start: int64, output_indices: int64 -> val_grad: T */
static inline TF_Output sl_sparse_slice_grad(struct sl_scope *scope, TF_Output backprop_val_grad, TF_Output input_indices, TF_Output input_start, TF_Output output_indices) {
    const struct sl_op_input inputs_[] = {{&backprop_val_grad, -1}, {&input_indices, -1}, {&input_start, -1}, {&output_indices, -1}};
    return sl_op_first(sl_op(scope, "SparseSliceGrad", inputs_, 4, NULL, 0));
}

/* SparseSoftmax: sp_indices: int64, sp_values: T, sp_shape: int64 -> output: T */
static inline TF_Output sl_sparse_softmax(struct sl_scope *scope, TF_Output sp_indices, TF_Output sp_values, TF_Output sp_shape) {
    const struct sl_op_input inputs_[] = {{&sp_indices, -1}, {&sp_values, -1}, {&sp_shape, -1}};
    return sl_op_first(sl_op(scope, "SparseSoftmax", inputs_, 3, NULL, 0));
}

struct sl_sparse_sparse_maximum_outputs {
    TF_Output output_indices, output_values;
};
/* SparseSparseMaximum: a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64 -> output_indices: int64, output_values: T */
static inline struct sl_sparse_sparse_maximum_outputs sl_sparse_sparse_maximum(struct sl_scope *scope, TF_Output a_indices, TF_Output a_values, TF_Output a_shape, TF_Output b_indices, TF_Output b_values, TF_Output b_shape) {
    const struct sl_op_input inputs_[] = {{&a_indices, -1}, {&a_values, -1}, {&a_shape, -1}, {&b_indices, -1}, {&b_values, -1}, {&b_shape, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseSparseMaximum", inputs_, 6, NULL, 0);
    const struct sl_sparse_sparse_maximum_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_sparse_sparse_minimum_outputs {
    TF_Output output_indices, output_values;
};
/* SparseSparseMinimum: a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64 -> output_indices: int64, output_values: T */
static inline struct sl_sparse_sparse_minimum_outputs sl_sparse_sparse_minimum(struct sl_scope *scope, TF_Output a_indices, TF_Output a_values, TF_Output a_shape, TF_Output b_indices, TF_Output b_values, TF_Output b_shape) {
    const struct sl_op_input inputs_[] = {{&a_indices, -1}, {&a_values, -1}, {&a_shape, -1}, {&b_indices, -1}, {&b_values, -1}, {&b_shape, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseSparseMinimum", inputs_, 6, NULL, 0);
    const struct sl_sparse_sparse_minimum_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_sparse_split_attrs {
    int64_t num_split; /* must be given */
};
/* SparseSplit: split_dim: int64, indices: int64, values: T, shape: int64 -> output_indices: num_split * int64, output_values: num_split * T, output_shape: num_split * int64 */
static inline TF_Operation *sl_sparse_split(struct sl_scope *scope, TF_Output split_dim, TF_Output indices, TF_Output values, TF_Output shape, struct sl_sparse_split_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&split_dim, -1}, {&indices, -1}, {&values, -1}, {&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"num_split", SL_GIVEN_INT_NEEDED, &attrs.num_split}};
    return sl_op(scope, "SparseSplit", inputs_, 4, attrs_, 1);
}

/* SparseTensorDenseAdd: a_indices: Tindices, a_values: T, a_shape: Tindices, b: T -> output: T */
static inline TF_Output sl_sparse_tensor_dense_add(struct sl_scope *scope, TF_Output a_indices, TF_Output a_values, TF_Output a_shape, TF_Output b) {
    const struct sl_op_input inputs_[] = {{&a_indices, -1}, {&a_values, -1}, {&a_shape, -1}, {&b, -1}};
    return sl_op_first(sl_op(scope, "SparseTensorDenseAdd", inputs_, 4, NULL, 0));
}

struct sl_sparse_tensor_dense_matmul_attrs {
    bool adjoint_a; /* false */
    bool adjoint_b; /* false */
};
/* SparseTensorDenseMatMul: a_indices: Tindices, a_values: T, a_shape: int64, b: T -> product: T */
static inline TF_Output sl_sparse_tensor_dense_matmul_with(struct sl_scope *scope, TF_Output a_indices, TF_Output a_values, TF_Output a_shape, TF_Output b, struct sl_sparse_tensor_dense_matmul_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&a_indices, -1}, {&a_values, -1}, {&a_shape, -1}, {&b, -1}};
    const struct sl_attr_given attrs_[] = {{"adjoint_a", SL_GIVEN_BOOL, &attrs.adjoint_a}, {"adjoint_b", SL_GIVEN_BOOL, &attrs.adjoint_b}};
    return sl_op_first(sl_op(scope, "SparseTensorDenseMatMul", inputs_, 4, attrs_, 2));
}
static inline TF_Output sl_sparse_tensor_dense_matmul(struct sl_scope *scope, TF_Output a_indices, TF_Output a_values, TF_Output a_shape, TF_Output b) {
    const struct sl_sparse_tensor_dense_matmul_attrs attrs = SL_DEFAULTS;
    return sl_sparse_tensor_dense_matmul_with(scope, a_indices, a_values, a_shape, b, attrs);
}

/* SparseTensorToCSRSparseMatrix: indices: int64, values: T, dense_shape: int64 -> sparse_matrix: variant */
static inline TF_Output sl_sparse_tensor_to_csr_sparse_matrix(struct sl_scope *scope, TF_Output indices, TF_Output values, TF_Output dense_shape) {
    const struct sl_op_input inputs_[] = {{&indices, -1}, {&values, -1}, {&dense_shape, -1}};
    return sl_op_first(sl_op(scope, "SparseTensorToCSRSparseMatrix", inputs_, 3, NULL, 0));
}

struct sl_sparse_to_dense_attrs {
    enum sl_choice validate_indices; /* true */
};
/* SparseToDense: sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, default_value: T -> dense: T */
static inline TF_Output sl_sparse_to_dense_with(struct sl_scope *scope, TF_Output sparse_indices, TF_Output output_shape, TF_Output sparse_values, TF_Output default_value, struct sl_sparse_to_dense_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sparse_indices, -1}, {&output_shape, -1}, {&sparse_values, -1}, {&default_value, -1}};
    const struct sl_attr_given attrs_[] = {{"validate_indices", SL_GIVEN_CHOICE, &attrs.validate_indices}};
    return sl_op_first(sl_op(scope, "SparseToDense", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_sparse_to_dense(struct sl_scope *scope, TF_Output sparse_indices, TF_Output output_shape, TF_Output sparse_values, TF_Output default_value) {
    const struct sl_sparse_to_dense_attrs attrs = SL_DEFAULTS;
    return sl_sparse_to_dense_with(scope, sparse_indices, output_shape, sparse_values, default_value, attrs);
}

struct sl_sparse_to_sparse_set_operation_outputs {
    TF_Output result_indices, result_values, result_shape;
};
struct sl_sparse_to_sparse_set_operation_attrs {
    const char *set_operation; /* must be given */
    enum sl_choice validate_indices; /* true */
};
/* SparseToSparseSetOperation: set1_indices: int64, set1_values: T, set1_shape: int64, set2_indices: int64, set2_values: T, set2_shape: int64 -> result_indices: int64, result_values: T, result_shape: int64 */
static inline struct sl_sparse_to_sparse_set_operation_outputs sl_sparse_to_sparse_set_operation(struct sl_scope *scope, TF_Output set1_indices, TF_Output set1_values, TF_Output set1_shape, TF_Output set2_indices, TF_Output set2_values, TF_Output set2_shape, struct sl_sparse_to_sparse_set_operation_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&set1_indices, -1}, {&set1_values, -1}, {&set1_shape, -1}, {&set2_indices, -1}, {&set2_values, -1}, {&set2_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"set_operation", SL_GIVEN_STRING, &attrs.set_operation}, {"validate_indices", SL_GIVEN_CHOICE, &attrs.validate_indices}};
    TF_Operation *const op_ = sl_op(scope, "SparseToSparseSetOperation", inputs_, 6, attrs_, 2);
    const struct sl_sparse_to_sparse_set_operation_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_take_many_sparse_from_tensors_map_outputs {
    TF_Output sparse_indices, sparse_values, sparse_shape;
};
struct sl_take_many_sparse_from_tensors_map_attrs {
    TF_DataType dtype; /* must be given */
    const char *container; /* '' */
    const char *shared_name; /* '' */
};
/* TakeManySparseFromTensorsMap: sparse_handles: int64 -> sparse_indices: int64, sparse_values: dtype, sparse_shape: int64 */
static inline struct sl_take_many_sparse_from_tensors_map_outputs sl_take_many_sparse_from_tensors_map(struct sl_scope *scope, TF_Output sparse_handles, struct sl_take_many_sparse_from_tensors_map_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&sparse_handles, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"container", SL_GIVEN_STRING, &attrs.container}, {"shared_name", SL_GIVEN_STRING, &attrs.shared_name}};
    TF_Operation *const op_ = sl_op(scope, "TakeManySparseFromTensorsMap", inputs_, 1, attrs_, 3);
    const struct sl_take_many_sparse_from_tensors_map_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

#ifdef __cplusplus
}
#endif

#endif
