/* Wrappers of the segment ops, made by tools/gen_ops.py from src/ops/segment.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_SEGMENT_OPS_H
#define SLUICE_GEN_SEGMENT_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* SegmentMax: data: T, segment_ids: Tindices -> output: T */
static inline TF_Output sl_segment_max(struct sl_scope *scope, TF_Output data, TF_Output segment_ids) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}};
    return sl_op_first(sl_op(scope, "SegmentMax", inputs_, 2, NULL, 0));
}

/* SegmentMaxV2: data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_segment_max_v2(struct sl_scope *scope, TF_Output data, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    return sl_op_first(sl_op(scope, "SegmentMaxV2", inputs_, 3, NULL, 0));
}

/* SegmentMean: data: T, segment_ids: Tindices -> output: T */
static inline TF_Output sl_segment_mean(struct sl_scope *scope, TF_Output data, TF_Output segment_ids) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}};
    return sl_op_first(sl_op(scope, "SegmentMean", inputs_, 2, NULL, 0));
}

/* SegmentMin: data: T, segment_ids: Tindices -> output: T */
static inline TF_Output sl_segment_min(struct sl_scope *scope, TF_Output data, TF_Output segment_ids) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}};
    return sl_op_first(sl_op(scope, "SegmentMin", inputs_, 2, NULL, 0));
}

/* SegmentMinV2: data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_segment_min_v2(struct sl_scope *scope, TF_Output data, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    return sl_op_first(sl_op(scope, "SegmentMinV2", inputs_, 3, NULL, 0));
}

/* SegmentProd: data: T, segment_ids: Tindices -> output: T */
static inline TF_Output sl_segment_prod(struct sl_scope *scope, TF_Output data, TF_Output segment_ids) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}};
    return sl_op_first(sl_op(scope, "SegmentProd", inputs_, 2, NULL, 0));
}

/* SegmentProdV2: data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_segment_prod_v2(struct sl_scope *scope, TF_Output data, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    return sl_op_first(sl_op(scope, "SegmentProdV2", inputs_, 3, NULL, 0));
}

/* SegmentSum: data: T, segment_ids: Tindices -> output: T */
static inline TF_Output sl_segment_sum(struct sl_scope *scope, TF_Output data, TF_Output segment_ids) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}};
    return sl_op_first(sl_op(scope, "SegmentSum", inputs_, 2, NULL, 0));
}

/* SegmentSumV2: data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_segment_sum_v2(struct sl_scope *scope, TF_Output data, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    return sl_op_first(sl_op(scope, "SegmentSumV2", inputs_, 3, NULL, 0));
}

struct sl_sparse_segment_mean_attrs {
    bool sparse_gradient; /* false */
};
/* SparseSegmentMean: data: T, indices: Tidx, segment_ids: Tsegmentids -> output: T */
static inline TF_Output sl_sparse_segment_mean_with(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids, struct sl_sparse_segment_mean_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&indices, -1}, {&segment_ids, -1}};
    const struct sl_attr_given attrs_[] = {{"sparse_gradient", SL_GIVEN_BOOL, &attrs.sparse_gradient}};
    return sl_op_first(sl_op(scope, "SparseSegmentMean", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_sparse_segment_mean(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids) {
    const struct sl_sparse_segment_mean_attrs attrs = SL_DEFAULTS;
    return sl_sparse_segment_mean_with(scope, data, indices, segment_ids, attrs);
}

/* SparseSegmentMeanGrad: grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32 -> output: T */
static inline TF_Output sl_sparse_segment_mean_grad(struct sl_scope *scope, TF_Output grad, TF_Output indices, TF_Output segment_ids, TF_Output output_dim0) {
    const struct sl_op_input inputs_[] = {{&grad, -1}, {&indices, -1}, {&segment_ids, -1}, {&output_dim0, -1}};
    return sl_op_first(sl_op(scope, "SparseSegmentMeanGrad", inputs_, 4, NULL, 0));
}

struct sl_sparse_segment_mean_grad_v2_outputs {
    TF_Output output, sorted_unique_indices;
};
/* SparseSegmentMeanGradV2: grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: int32 -> output: T, sorted_unique_indices: Tidx */
static inline struct sl_sparse_segment_mean_grad_v2_outputs sl_sparse_segment_mean_grad_v2(struct sl_scope *scope, TF_Output grad, TF_Output indices, TF_Output segment_ids, TF_Output dense_output_dim0) {
    const struct sl_op_input inputs_[] = {{&grad, -1}, {&indices, -1}, {&segment_ids, -1}, {&dense_output_dim0, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseSegmentMeanGradV2", inputs_, 4, NULL, 0);
    const struct sl_sparse_segment_mean_grad_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_sparse_segment_mean_with_num_segments_attrs {
    bool sparse_gradient; /* false */
};
/* SparseSegmentMeanWithNumSegments: data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_sparse_segment_mean_with_num_segments_with(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids, TF_Output num_segments, struct sl_sparse_segment_mean_with_num_segments_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&indices, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    const struct sl_attr_given attrs_[] = {{"sparse_gradient", SL_GIVEN_BOOL, &attrs.sparse_gradient}};
    return sl_op_first(sl_op(scope, "SparseSegmentMeanWithNumSegments", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_sparse_segment_mean_with_num_segments(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_sparse_segment_mean_with_num_segments_attrs attrs = SL_DEFAULTS;
    return sl_sparse_segment_mean_with_num_segments_with(scope, data, indices, segment_ids, num_segments, attrs);
}

struct sl_sparse_segment_sqrt_n_attrs {
    bool sparse_gradient; /* false */
};
/* SparseSegmentSqrtN: data: T, indices: Tidx, segment_ids: Tsegmentids -> output: T */
static inline TF_Output sl_sparse_segment_sqrt_n_with(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids, struct sl_sparse_segment_sqrt_n_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&indices, -1}, {&segment_ids, -1}};
    const struct sl_attr_given attrs_[] = {{"sparse_gradient", SL_GIVEN_BOOL, &attrs.sparse_gradient}};
    return sl_op_first(sl_op(scope, "SparseSegmentSqrtN", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_sparse_segment_sqrt_n(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids) {
    const struct sl_sparse_segment_sqrt_n_attrs attrs = SL_DEFAULTS;
    return sl_sparse_segment_sqrt_n_with(scope, data, indices, segment_ids, attrs);
}

/* SparseSegmentSqrtNGrad: grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32 -> output: T */
static inline TF_Output sl_sparse_segment_sqrt_n_grad(struct sl_scope *scope, TF_Output grad, TF_Output indices, TF_Output segment_ids, TF_Output output_dim0) {
    const struct sl_op_input inputs_[] = {{&grad, -1}, {&indices, -1}, {&segment_ids, -1}, {&output_dim0, -1}};
    return sl_op_first(sl_op(scope, "SparseSegmentSqrtNGrad", inputs_, 4, NULL, 0));
}

struct sl_sparse_segment_sqrt_n_grad_v2_outputs {
    TF_Output output, sorted_unique_indices;
};
/* SparseSegmentSqrtNGradV2: grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: int32 -> output: T, sorted_unique_indices: Tidx */
static inline struct sl_sparse_segment_sqrt_n_grad_v2_outputs sl_sparse_segment_sqrt_n_grad_v2(struct sl_scope *scope, TF_Output grad, TF_Output indices, TF_Output segment_ids, TF_Output dense_output_dim0) {
    const struct sl_op_input inputs_[] = {{&grad, -1}, {&indices, -1}, {&segment_ids, -1}, {&dense_output_dim0, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseSegmentSqrtNGradV2", inputs_, 4, NULL, 0);
    const struct sl_sparse_segment_sqrt_n_grad_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_sparse_segment_sqrt_n_with_num_segments_attrs {
    bool sparse_gradient; /* false */
};
/* SparseSegmentSqrtNWithNumSegments: data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_sparse_segment_sqrt_n_with_num_segments_with(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids, TF_Output num_segments, struct sl_sparse_segment_sqrt_n_with_num_segments_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&indices, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    const struct sl_attr_given attrs_[] = {{"sparse_gradient", SL_GIVEN_BOOL, &attrs.sparse_gradient}};
    return sl_op_first(sl_op(scope, "SparseSegmentSqrtNWithNumSegments", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_sparse_segment_sqrt_n_with_num_segments(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_sparse_segment_sqrt_n_with_num_segments_attrs attrs = SL_DEFAULTS;
    return sl_sparse_segment_sqrt_n_with_num_segments_with(scope, data, indices, segment_ids, num_segments, attrs);
}

struct sl_sparse_segment_sum_attrs {
    bool sparse_gradient; /* false */
};
/* SparseSegmentSum: data: T, indices: Tidx, segment_ids: Tsegmentids -> output: T */
static inline TF_Output sl_sparse_segment_sum_with(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids, struct sl_sparse_segment_sum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&indices, -1}, {&segment_ids, -1}};
    const struct sl_attr_given attrs_[] = {{"sparse_gradient", SL_GIVEN_BOOL, &attrs.sparse_gradient}};
    return sl_op_first(sl_op(scope, "SparseSegmentSum", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_sparse_segment_sum(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids) {
    const struct sl_sparse_segment_sum_attrs attrs = SL_DEFAULTS;
    return sl_sparse_segment_sum_with(scope, data, indices, segment_ids, attrs);
}

/* SparseSegmentSumGrad: grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32 -> output: T */
static inline TF_Output sl_sparse_segment_sum_grad(struct sl_scope *scope, TF_Output grad, TF_Output indices, TF_Output segment_ids, TF_Output output_dim0) {
    const struct sl_op_input inputs_[] = {{&grad, -1}, {&indices, -1}, {&segment_ids, -1}, {&output_dim0, -1}};
    return sl_op_first(sl_op(scope, "SparseSegmentSumGrad", inputs_, 4, NULL, 0));
}

struct sl_sparse_segment_sum_grad_v2_outputs {
    TF_Output output, sorted_unique_indices;
};
/* SparseSegmentSumGradV2: grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0: int32 -> output: T, sorted_unique_indices: Tidx */
static inline struct sl_sparse_segment_sum_grad_v2_outputs sl_sparse_segment_sum_grad_v2(struct sl_scope *scope, TF_Output grad, TF_Output indices, TF_Output segment_ids, TF_Output dense_output_dim0) {
    const struct sl_op_input inputs_[] = {{&grad, -1}, {&indices, -1}, {&segment_ids, -1}, {&dense_output_dim0, -1}};
    TF_Operation *const op_ = sl_op(scope, "SparseSegmentSumGradV2", inputs_, 4, NULL, 0);
    const struct sl_sparse_segment_sum_grad_v2_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_sparse_segment_sum_with_num_segments_attrs {
    bool sparse_gradient; /* false */
};
/* SparseSegmentSumWithNumSegments: data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_sparse_segment_sum_with_num_segments_with(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids, TF_Output num_segments, struct sl_sparse_segment_sum_with_num_segments_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&indices, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    const struct sl_attr_given attrs_[] = {{"sparse_gradient", SL_GIVEN_BOOL, &attrs.sparse_gradient}};
    return sl_op_first(sl_op(scope, "SparseSegmentSumWithNumSegments", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_sparse_segment_sum_with_num_segments(struct sl_scope *scope, TF_Output data, TF_Output indices, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_sparse_segment_sum_with_num_segments_attrs attrs = SL_DEFAULTS;
    return sl_sparse_segment_sum_with_num_segments_with(scope, data, indices, segment_ids, num_segments, attrs);
}

/* UnsortedSegmentMax: data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_unsorted_segment_max(struct sl_scope *scope, TF_Output data, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    return sl_op_first(sl_op(scope, "UnsortedSegmentMax", inputs_, 3, NULL, 0));
}

/* UnsortedSegmentMin: data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_unsorted_segment_min(struct sl_scope *scope, TF_Output data, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    return sl_op_first(sl_op(scope, "UnsortedSegmentMin", inputs_, 3, NULL, 0));
}

/* UnsortedSegmentProd: data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_unsorted_segment_prod(struct sl_scope *scope, TF_Output data, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    return sl_op_first(sl_op(scope, "UnsortedSegmentProd", inputs_, 3, NULL, 0));
}

/* UnsortedSegmentSum: data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T */
static inline TF_Output sl_unsorted_segment_sum(struct sl_scope *scope, TF_Output data, TF_Output segment_ids, TF_Output num_segments) {
    const struct sl_op_input inputs_[] = {{&data, -1}, {&segment_ids, -1}, {&num_segments, -1}};
    return sl_op_first(sl_op(scope, "UnsortedSegmentSum", inputs_, 3, NULL, 0));
}

#ifdef __cplusplus
}
#endif

#endif
