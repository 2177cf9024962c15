/* Wrappers of the clustering ops, made by tools/gen_ops.py from src/ops/clustering.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_CLUSTERING_OPS_H
#define SLUICE_GEN_CLUSTERING_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* KMC2ChainInitialization: distances: float, seed: int64 -> index: int64 */
static inline TF_Output sl_kmc2_chain_initialization(struct sl_scope *scope, TF_Output distances, TF_Output seed) {
    const struct sl_op_input inputs_[] = {{&distances, -1}, {&seed, -1}};
    return sl_op_first(sl_op(scope, "KMC2ChainInitialization", inputs_, 2, NULL, 0));
}

/* KmeansPlusPlusInitialization: points: float, num_to_sample: int64, seed: int64, num_retries_per_sample: int64 -> samples: float */
static inline TF_Output sl_kmeans_plus_plus_initialization(struct sl_scope *scope, TF_Output points, TF_Output num_to_sample, TF_Output seed, TF_Output num_retries_per_sample) {
    const struct sl_op_input inputs_[] = {{&points, -1}, {&num_to_sample, -1}, {&seed, -1}, {&num_retries_per_sample, -1}};
    return sl_op_first(sl_op(scope, "KmeansPlusPlusInitialization", inputs_, 4, NULL, 0));
}

struct sl_nearest_neighbors_outputs {
    TF_Output nearest_center_indices, nearest_center_distances;
};
/* NearestNeighbors: points: float, centers: float, k: int64 -> nearest_center_indices: int64, nearest_center_distances: float */
static inline struct sl_nearest_neighbors_outputs sl_nearest_neighbors(struct sl_scope *scope, TF_Output points, TF_Output centers, TF_Output k) {
    const struct sl_op_input inputs_[] = {{&points, -1}, {&centers, -1}, {&k, -1}};
    TF_Operation *const op_ = sl_op(scope, "NearestNeighbors", inputs_, 3, NULL, 0);
    const struct sl_nearest_neighbors_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

#ifdef __cplusplus
}
#endif

#endif
