/* Wrappers of the reduce ops, made by tools/gen_ops.py from src/ops/reduce.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_REDUCE_OPS_H
#define SLUICE_GEN_REDUCE_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_all_attrs {
    bool keep_dims; /* false */
};
/* All: input: bool, reduction_indices: Tidx -> output: bool */
static inline TF_Output sl_all_with(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices, struct sl_all_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&reduction_indices, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "All", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_all(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices) {
    const struct sl_all_attrs attrs = SL_DEFAULTS;
    return sl_all_with(scope, input, reduction_indices, attrs);
}

struct sl_any_attrs {
    bool keep_dims; /* false */
};
/* Any: input: bool, reduction_indices: Tidx -> output: bool */
static inline TF_Output sl_any_with(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices, struct sl_any_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&reduction_indices, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "Any", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_any(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices) {
    const struct sl_any_attrs attrs = SL_DEFAULTS;
    return sl_any_with(scope, input, reduction_indices, attrs);
}

struct sl_arg_max_attrs {
    TF_DataType output_type; /* DT_INT64 */
};
/* ArgMax: input: T, dimension: Tidx -> output: output_type */
static inline TF_Output sl_arg_max_with(struct sl_scope *scope, TF_Output input, TF_Output dimension, struct sl_arg_max_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&dimension, -1}};
    const struct sl_attr_given attrs_[] = {{"output_type", SL_GIVEN_TYPE, &attrs.output_type}};
    return sl_op_first(sl_op(scope, "ArgMax", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_arg_max(struct sl_scope *scope, TF_Output input, TF_Output dimension) {
    const struct sl_arg_max_attrs attrs = SL_DEFAULTS;
    return sl_arg_max_with(scope, input, dimension, attrs);
}

struct sl_arg_min_attrs {
    TF_DataType output_type; /* DT_INT64 */
};
/* ArgMin: input: T, dimension: Tidx -> output: output_type */
static inline TF_Output sl_arg_min_with(struct sl_scope *scope, TF_Output input, TF_Output dimension, struct sl_arg_min_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&dimension, -1}};
    const struct sl_attr_given attrs_[] = {{"output_type", SL_GIVEN_TYPE, &attrs.output_type}};
    return sl_op_first(sl_op(scope, "ArgMin", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_arg_min(struct sl_scope *scope, TF_Output input, TF_Output dimension) {
    const struct sl_arg_min_attrs attrs = SL_DEFAULTS;
    return sl_arg_min_with(scope, input, dimension, attrs);
}

/* Bincount: arr: int32, size: int32, weights: T -> bins: T */
static inline TF_Output sl_bincount(struct sl_scope *scope, TF_Output arr, TF_Output size, TF_Output weights) {
    const struct sl_op_input inputs_[] = {{&arr, -1}, {&size, -1}, {&weights, -1}};
    return sl_op_first(sl_op(scope, "Bincount", inputs_, 3, NULL, 0));
}

struct sl_cumprod_attrs {
    bool exclusive; /* false */
    bool reverse; /* false */
};
/* Cumprod: x: T, axis: Tidx -> out: T */
static inline TF_Output sl_cumprod_with(struct sl_scope *scope, TF_Output x, TF_Output axis, struct sl_cumprod_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&axis, -1}};
    const struct sl_attr_given attrs_[] = {{"exclusive", SL_GIVEN_BOOL, &attrs.exclusive}, {"reverse", SL_GIVEN_BOOL, &attrs.reverse}};
    return sl_op_first(sl_op(scope, "Cumprod", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_cumprod(struct sl_scope *scope, TF_Output x, TF_Output axis) {
    const struct sl_cumprod_attrs attrs = SL_DEFAULTS;
    return sl_cumprod_with(scope, x, axis, attrs);
}

struct sl_cumsum_attrs {
    bool exclusive; /* false */
    bool reverse; /* false */
};
/* Cumsum: x: T, axis: Tidx -> out: T */
static inline TF_Output sl_cumsum_with(struct sl_scope *scope, TF_Output x, TF_Output axis, struct sl_cumsum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&axis, -1}};
    const struct sl_attr_given attrs_[] = {{"exclusive", SL_GIVEN_BOOL, &attrs.exclusive}, {"reverse", SL_GIVEN_BOOL, &attrs.reverse}};
    return sl_op_first(sl_op(scope, "Cumsum", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_cumsum(struct sl_scope *scope, TF_Output x, TF_Output axis) {
    const struct sl_cumsum_attrs attrs = SL_DEFAULTS;
    return sl_cumsum_with(scope, x, axis, attrs);
}

struct sl_cumulative_logsumexp_attrs {
    bool exclusive; /* false */
    bool reverse; /* false */
};
/* CumulativeLogsumexp: x: T, axis: Tidx -> out: T */
static inline TF_Output sl_cumulative_logsumexp_with(struct sl_scope *scope, TF_Output x, TF_Output axis, struct sl_cumulative_logsumexp_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&axis, -1}};
    const struct sl_attr_given attrs_[] = {{"exclusive", SL_GIVEN_BOOL, &attrs.exclusive}, {"reverse", SL_GIVEN_BOOL, &attrs.reverse}};
    return sl_op_first(sl_op(scope, "CumulativeLogsumexp", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_cumulative_logsumexp(struct sl_scope *scope, TF_Output x, TF_Output axis) {
    const struct sl_cumulative_logsumexp_attrs attrs = SL_DEFAULTS;
    return sl_cumulative_logsumexp_with(scope, x, axis, attrs);
}

struct sl_dense_bincount_attrs {
    bool binary_output; /* false */
};
/* DenseBincount: input: Tidx, size: Tidx, weights: T -> output: T */
static inline TF_Output sl_dense_bincount_with(struct sl_scope *scope, TF_Output input, TF_Output size, TF_Output weights, struct sl_dense_bincount_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&size, -1}, {&weights, -1}};
    const struct sl_attr_given attrs_[] = {{"binary_output", SL_GIVEN_BOOL, &attrs.binary_output}};
    return sl_op_first(sl_op(scope, "DenseBincount", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_dense_bincount(struct sl_scope *scope, TF_Output input, TF_Output size, TF_Output weights) {
    const struct sl_dense_bincount_attrs attrs = SL_DEFAULTS;
    return sl_dense_bincount_with(scope, input, size, weights, attrs);
}

struct sl_euclidean_norm_attrs {
    bool keep_dims; /* false */
};
/* EuclideanNorm: input: T, reduction_indices: Tidx -> output: T */
static inline TF_Output sl_euclidean_norm_with(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices, struct sl_euclidean_norm_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&reduction_indices, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "EuclideanNorm", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_euclidean_norm(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices) {
    const struct sl_euclidean_norm_attrs attrs = SL_DEFAULTS;
    return sl_euclidean_norm_with(scope, input, reduction_indices, attrs);
}

struct sl_histogram_fixed_width_attrs {
    TF_DataType dtype; /* DT_INT32 */
};
/* HistogramFixedWidth: values: T, value_range: T, nbins: int32 -> out: dtype */
static inline TF_Output sl_histogram_fixed_width_with(struct sl_scope *scope, TF_Output values, TF_Output value_range, TF_Output nbins, struct sl_histogram_fixed_width_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&values, -1}, {&value_range, -1}, {&nbins, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "HistogramFixedWidth", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_histogram_fixed_width(struct sl_scope *scope, TF_Output values, TF_Output value_range, TF_Output nbins) {
    const struct sl_histogram_fixed_width_attrs attrs = SL_DEFAULTS;
    return sl_histogram_fixed_width_with(scope, values, value_range, nbins, attrs);
}

struct sl_max_attrs {
    bool keep_dims; /* false */
};
/* Max: input: T, reduction_indices: Tidx -> output: T */
static inline TF_Output sl_max_with(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices, struct sl_max_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&reduction_indices, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "Max", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_max(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices) {
    const struct sl_max_attrs attrs = SL_DEFAULTS;
    return sl_max_with(scope, input, reduction_indices, attrs);
}

struct sl_mean_attrs {
    bool keep_dims; /* false */
};
/* Mean: input: T, reduction_indices: Tidx -> output: T */
static inline TF_Output sl_mean_with(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices, struct sl_mean_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&reduction_indices, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "Mean", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_mean(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices) {
    const struct sl_mean_attrs attrs = SL_DEFAULTS;
    return sl_mean_with(scope, input, reduction_indices, attrs);
}

struct sl_min_attrs {
    bool keep_dims; /* false */
};
/* Min: input: T, reduction_indices: Tidx -> output: T */
static inline TF_Output sl_min_with(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices, struct sl_min_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&reduction_indices, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "Min", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_min(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices) {
    const struct sl_min_attrs attrs = SL_DEFAULTS;
    return sl_min_with(scope, input, reduction_indices, attrs);
}

struct sl_prod_attrs {
    bool keep_dims; /* false */
};
/* Prod: input: T, reduction_indices: Tidx -> output: T */
static inline TF_Output sl_prod_with(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices, struct sl_prod_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&reduction_indices, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "Prod", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_prod(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices) {
    const struct sl_prod_attrs attrs = SL_DEFAULTS;
    return sl_prod_with(scope, input, reduction_indices, attrs);
}

struct sl_ragged_bincount_attrs {
    bool binary_output; /* false */
};
/* RaggedBincount: splits: int64, values: Tidx, size: Tidx, weights: T -> output: T */
static inline TF_Output sl_ragged_bincount_with(struct sl_scope *scope, TF_Output splits, TF_Output values, TF_Output size, TF_Output weights, struct sl_ragged_bincount_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&splits, -1}, {&values, -1}, {&size, -1}, {&weights, -1}};
    const struct sl_attr_given attrs_[] = {{"binary_output", SL_GIVEN_BOOL, &attrs.binary_output}};
    return sl_op_first(sl_op(scope, "RaggedBincount", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_ragged_bincount(struct sl_scope *scope, TF_Output splits, TF_Output values, TF_Output size, TF_Output weights) {
    const struct sl_ragged_bincount_attrs attrs = SL_DEFAULTS;
    return sl_ragged_bincount_with(scope, splits, values, size, weights, attrs);
}

struct sl_sparse_bincount_attrs {
    bool binary_output; /* false */
};
/* SparseBincount: indices: int64, values: Tidx, dense_shape: int64, size: Tidx, weights: T -> output: T */
static inline TF_Output sl_sparse_bincount_with(struct sl_scope *scope, TF_Output indices, TF_Output values, TF_Output dense_shape, TF_Output size, TF_Output weights, struct sl_sparse_bincount_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&indices, -1}, {&values, -1}, {&dense_shape, -1}, {&size, -1}, {&weights, -1}};
    const struct sl_attr_given attrs_[] = {{"binary_output", SL_GIVEN_BOOL, &attrs.binary_output}};
    return sl_op_first(sl_op(scope, "SparseBincount", inputs_, 5, attrs_, 1));
}
static inline TF_Output sl_sparse_bincount(struct sl_scope *scope, TF_Output indices, TF_Output values, TF_Output dense_shape, TF_Output size, TF_Output weights) {
    const struct sl_sparse_bincount_attrs attrs = SL_DEFAULTS;
    return sl_sparse_bincount_with(scope, indices, values, dense_shape, size, weights, attrs);
}

struct sl_sum_attrs {
    bool keep_dims; /* false */
};
/* Sum: input: T, reduction_indices: Tidx -> output: T */
static inline TF_Output sl_sum_with(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices, struct sl_sum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&reduction_indices, -1}};
    const struct sl_attr_given attrs_[] = {{"keep_dims", SL_GIVEN_BOOL, &attrs.keep_dims}};
    return sl_op_first(sl_op(scope, "Sum", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_sum(struct sl_scope *scope, TF_Output input, TF_Output reduction_indices) {
    const struct sl_sum_attrs attrs = SL_DEFAULTS;
    return sl_sum_with(scope, input, reduction_indices, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
