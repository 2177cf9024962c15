/* Wrappers of the random ops, made by tools/gen_ops.py from src/ops/random.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_RANDOM_OPS_H
#define SLUICE_GEN_RANDOM_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_all_candidate_sampler_outputs {
    TF_Output sampled_candidates, true_expected_count, sampled_expected_count;
};
struct sl_all_candidate_sampler_attrs {
    int64_t num_true; /* must be given */
    int64_t num_sampled; /* must be given */
    bool unique; /* must be given */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* AllCandidateSampler: true_classes: int64 -> sampled_candidates: int64, true_expected_count: float, sampled_expected_count: float */
static inline struct sl_all_candidate_sampler_outputs sl_all_candidate_sampler(struct sl_scope *scope, TF_Output true_classes, struct sl_all_candidate_sampler_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&true_classes, -1}};
    const struct sl_attr_given attrs_[] = {{"num_true", SL_GIVEN_INT_NEEDED, &attrs.num_true}, {"num_sampled", SL_GIVEN_INT_NEEDED, &attrs.num_sampled}, {"unique", SL_GIVEN_BOOL_NEEDED, &attrs.unique}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "AllCandidateSampler", inputs_, 1, attrs_, 5);
    const struct sl_all_candidate_sampler_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_compute_accidental_hits_outputs {
    TF_Output indices, ids, weights;
};
struct sl_compute_accidental_hits_attrs {
    int64_t num_true; /* must be given */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* ComputeAccidentalHits: true_classes: int64, sampled_candidates: int64 -> indices: int32, ids: int64, weights: float */
static inline struct sl_compute_accidental_hits_outputs sl_compute_accidental_hits(struct sl_scope *scope, TF_Output true_classes, TF_Output sampled_candidates, struct sl_compute_accidental_hits_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&true_classes, -1}, {&sampled_candidates, -1}};
    const struct sl_attr_given attrs_[] = {{"num_true", SL_GIVEN_INT_NEEDED, &attrs.num_true}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "ComputeAccidentalHits", inputs_, 2, attrs_, 3);
    const struct sl_compute_accidental_hits_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_fixed_unigram_candidate_sampler_outputs {
    TF_Output sampled_candidates, true_expected_count, sampled_expected_count;
};
struct sl_fixed_unigram_candidate_sampler_attrs {
    int64_t num_true; /* must be given */
    int64_t num_sampled; /* must be given */
    bool unique; /* must be given */
    int64_t range_max; /* must be given */
    const char *vocab_file; /* '' */
    float distortion; /* 1 */
    int64_t num_reserved_ids; /* 0 */
    int64_t num_shards; /* 1 */
    int64_t shard; /* 0 */
    struct sl_floats unigrams; /* [] */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* FixedUnigramCandidateSampler: true_classes: int64 -> sampled_candidates: int64, true_expected_count: float, sampled_expected_count: float */
static inline struct sl_fixed_unigram_candidate_sampler_outputs sl_fixed_unigram_candidate_sampler(struct sl_scope *scope, TF_Output true_classes, struct sl_fixed_unigram_candidate_sampler_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&true_classes, -1}};
    const struct sl_attr_given attrs_[] = {{"num_true", SL_GIVEN_INT_NEEDED, &attrs.num_true}, {"num_sampled", SL_GIVEN_INT_NEEDED, &attrs.num_sampled}, {"unique", SL_GIVEN_BOOL_NEEDED, &attrs.unique}, {"range_max", SL_GIVEN_INT_NEEDED, &attrs.range_max}, {"vocab_file", SL_GIVEN_STRING, &attrs.vocab_file}, {"distortion", SL_GIVEN_FLOAT, &attrs.distortion}, {"num_reserved_ids", SL_GIVEN_INT, &attrs.num_reserved_ids}, {"num_shards", SL_GIVEN_INT, &attrs.num_shards}, {"shard", SL_GIVEN_INT, &attrs.shard}, {"unigrams", SL_GIVEN_FLOATS, &attrs.unigrams}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "FixedUnigramCandidateSampler", inputs_, 1, attrs_, 12);
    const struct sl_fixed_unigram_candidate_sampler_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_learned_unigram_candidate_sampler_outputs {
    TF_Output sampled_candidates, true_expected_count, sampled_expected_count;
};
struct sl_learned_unigram_candidate_sampler_attrs {
    int64_t num_true; /* must be given */
    int64_t num_sampled; /* must be given */
    bool unique; /* must be given */
    int64_t range_max; /* must be given */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* LearnedUnigramCandidateSampler: true_classes: int64 -> sampled_candidates: int64, true_expected_count: float, sampled_expected_count: float */
static inline struct sl_learned_unigram_candidate_sampler_outputs sl_learned_unigram_candidate_sampler(struct sl_scope *scope, TF_Output true_classes, struct sl_learned_unigram_candidate_sampler_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&true_classes, -1}};
    const struct sl_attr_given attrs_[] = {{"num_true", SL_GIVEN_INT_NEEDED, &attrs.num_true}, {"num_sampled", SL_GIVEN_INT_NEEDED, &attrs.num_sampled}, {"unique", SL_GIVEN_BOOL_NEEDED, &attrs.unique}, {"range_max", SL_GIVEN_INT_NEEDED, &attrs.range_max}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "LearnedUnigramCandidateSampler", inputs_, 1, attrs_, 6);
    const struct sl_learned_unigram_candidate_sampler_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_log_uniform_candidate_sampler_outputs {
    TF_Output sampled_candidates, true_expected_count, sampled_expected_count;
};
struct sl_log_uniform_candidate_sampler_attrs {
    int64_t num_true; /* must be given */
    int64_t num_sampled; /* must be given */
    bool unique; /* must be given */
    int64_t range_max; /* must be given */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* LogUniformCandidateSampler: true_classes: int64 -> sampled_candidates: int64, true_expected_count: float, sampled_expected_count: float */
static inline struct sl_log_uniform_candidate_sampler_outputs sl_log_uniform_candidate_sampler(struct sl_scope *scope, TF_Output true_classes, struct sl_log_uniform_candidate_sampler_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&true_classes, -1}};
    const struct sl_attr_given attrs_[] = {{"num_true", SL_GIVEN_INT_NEEDED, &attrs.num_true}, {"num_sampled", SL_GIVEN_INT_NEEDED, &attrs.num_sampled}, {"unique", SL_GIVEN_BOOL_NEEDED, &attrs.unique}, {"range_max", SL_GIVEN_INT_NEEDED, &attrs.range_max}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "LogUniformCandidateSampler", inputs_, 1, attrs_, 6);
    const struct sl_log_uniform_candidate_sampler_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_multinomial_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    TF_DataType output_dtype; /* DT_INT64 */
};
/* Multinomial: logits: T, num_samples: int32 -> output: output_dtype */
static inline TF_Output sl_multinomial_with(struct sl_scope *scope, TF_Output logits, TF_Output num_samples, struct sl_multinomial_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&logits, -1}, {&num_samples, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"output_dtype", SL_GIVEN_TYPE, &attrs.output_dtype}};
    return sl_op_first(sl_op(scope, "Multinomial", inputs_, 2, attrs_, 3));
}
static inline TF_Output sl_multinomial(struct sl_scope *scope, TF_Output logits, TF_Output num_samples) {
    const struct sl_multinomial_attrs attrs = SL_DEFAULTS;
    return sl_multinomial_with(scope, logits, num_samples, attrs);
}

struct sl_non_deterministic_ints_attrs {
    TF_DataType dtype; /* DT_INT64 */
};
/* NonDeterministicInts: shape: shape_dtype -> output: dtype */
static inline TF_Output sl_non_deterministic_ints_with(struct sl_scope *scope, TF_Output shape, struct sl_non_deterministic_ints_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "NonDeterministicInts", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_non_deterministic_ints(struct sl_scope *scope, TF_Output shape) {
    const struct sl_non_deterministic_ints_attrs attrs = SL_DEFAULTS;
    return sl_non_deterministic_ints_with(scope, shape, attrs);
}

struct sl_parameterized_truncated_normal_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* ParameterizedTruncatedNormal: shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: dtype -> output: dtype */
static inline TF_Output sl_parameterized_truncated_normal_with(struct sl_scope *scope, TF_Output shape, TF_Output means, TF_Output stdevs, TF_Output minvals, TF_Output maxvals, struct sl_parameterized_truncated_normal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&means, -1}, {&stdevs, -1}, {&minvals, -1}, {&maxvals, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    return sl_op_first(sl_op(scope, "ParameterizedTruncatedNormal", inputs_, 5, attrs_, 2));
}
static inline TF_Output sl_parameterized_truncated_normal(struct sl_scope *scope, TF_Output shape, TF_Output means, TF_Output stdevs, TF_Output minvals, TF_Output maxvals) {
    const struct sl_parameterized_truncated_normal_attrs attrs = SL_DEFAULTS;
    return sl_parameterized_truncated_normal_with(scope, shape, means, stdevs, minvals, maxvals, attrs);
}

struct sl_random_gamma_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* RandomGamma: shape: S, alpha: T -> output: T */
static inline TF_Output sl_random_gamma_with(struct sl_scope *scope, TF_Output shape, TF_Output alpha, struct sl_random_gamma_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&alpha, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    return sl_op_first(sl_op(scope, "RandomGamma", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_random_gamma(struct sl_scope *scope, TF_Output shape, TF_Output alpha) {
    const struct sl_random_gamma_attrs attrs = SL_DEFAULTS;
    return sl_random_gamma_with(scope, shape, alpha, attrs);
}

struct sl_random_index_shuffle_attrs {
    int64_t rounds; /* 4 */
};
/* RandomIndexShuffle: index: dtype, seed: Tseed, max_index: dtype -> output: dtype */
static inline TF_Output sl_random_index_shuffle_with(struct sl_scope *scope, TF_Output index, TF_Output seed, TF_Output max_index, struct sl_random_index_shuffle_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&index, -1}, {&seed, -1}, {&max_index, -1}};
    const struct sl_attr_given attrs_[] = {{"rounds", SL_GIVEN_INT, &attrs.rounds}};
    return sl_op_first(sl_op(scope, "RandomIndexShuffle", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_random_index_shuffle(struct sl_scope *scope, TF_Output index, TF_Output seed, TF_Output max_index) {
    const struct sl_random_index_shuffle_attrs attrs = SL_DEFAULTS;
    return sl_random_index_shuffle_with(scope, index, seed, max_index, attrs);
}

struct sl_random_poisson_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* RandomPoisson: shape: S, rate: dtype -> output: dtype */
static inline TF_Output sl_random_poisson_with(struct sl_scope *scope, TF_Output shape, TF_Output rate, struct sl_random_poisson_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&rate, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    return sl_op_first(sl_op(scope, "RandomPoisson", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_random_poisson(struct sl_scope *scope, TF_Output shape, TF_Output rate) {
    const struct sl_random_poisson_attrs attrs = SL_DEFAULTS;
    return sl_random_poisson_with(scope, shape, rate, attrs);
}

struct sl_random_poisson_v2_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    TF_DataType dtype; /* DT_INT64 */
};
/* RandomPoissonV2: shape: S, rate: R -> output: dtype */
static inline TF_Output sl_random_poisson_v2_with(struct sl_scope *scope, TF_Output shape, TF_Output rate, struct sl_random_poisson_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&rate, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "RandomPoissonV2", inputs_, 2, attrs_, 3));
}
static inline TF_Output sl_random_poisson_v2(struct sl_scope *scope, TF_Output shape, TF_Output rate) {
    const struct sl_random_poisson_v2_attrs attrs = SL_DEFAULTS;
    return sl_random_poisson_v2_with(scope, shape, rate, attrs);
}

struct sl_random_shuffle_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* RandomShuffle: value: T -> output: T */
static inline TF_Output sl_random_shuffle_with(struct sl_scope *scope, TF_Output value, struct sl_random_shuffle_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&value, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    return sl_op_first(sl_op(scope, "RandomShuffle", inputs_, 1, attrs_, 2));
}
static inline TF_Output sl_random_shuffle(struct sl_scope *scope, TF_Output value) {
    const struct sl_random_shuffle_attrs attrs = SL_DEFAULTS;
    return sl_random_shuffle_with(scope, value, attrs);
}

struct sl_random_standard_normal_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    TF_DataType dtype; /* must be given */
};
/* RandomStandardNormal: shape: T -> output: dtype */
static inline TF_Output sl_random_standard_normal(struct sl_scope *scope, TF_Output shape, struct sl_random_standard_normal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "RandomStandardNormal", inputs_, 1, attrs_, 3));
}

struct sl_random_uniform_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    TF_DataType dtype; /* must be given */
};
/* RandomUniform: shape: T -> output: dtype */
static inline TF_Output sl_random_uniform(struct sl_scope *scope, TF_Output shape, struct sl_random_uniform_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "RandomUniform", inputs_, 1, attrs_, 3));
}

struct sl_random_uniform_int_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* RandomUniformInt: shape: T, minval: Tout, maxval: Tout -> output: Tout */
static inline TF_Output sl_random_uniform_int_with(struct sl_scope *scope, TF_Output shape, TF_Output minval, TF_Output maxval, struct sl_random_uniform_int_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&minval, -1}, {&maxval, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    return sl_op_first(sl_op(scope, "RandomUniformInt", inputs_, 3, attrs_, 2));
}
static inline TF_Output sl_random_uniform_int(struct sl_scope *scope, TF_Output shape, TF_Output minval, TF_Output maxval) {
    const struct sl_random_uniform_int_attrs attrs = SL_DEFAULTS;
    return sl_random_uniform_int_with(scope, shape, minval, maxval, attrs);
}

/* RngReadAndSkip: resource: resource, alg: int32, delta: uint64 -> value: int64 */
static inline TF_Output sl_rng_read_and_skip(struct sl_scope *scope, TF_Output resource, TF_Output alg, TF_Output delta) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&alg, -1}, {&delta, -1}};
    return sl_op_first(sl_op(scope, "RngReadAndSkip", inputs_, 3, NULL, 0));
}

/* RngSkip: resource: resource, algorithm: int64, delta: int64 -> () */
static inline TF_Operation *sl_rng_skip(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output delta) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&algorithm, -1}, {&delta, -1}};
    return sl_op(scope, "RngSkip", inputs_, 3, NULL, 0);
}

struct sl_sobol_sample_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* SobolSample: dim: int32, num_results: int32, skip: int32 -> samples: dtype */
static inline TF_Output sl_sobol_sample_with(struct sl_scope *scope, TF_Output dim, TF_Output num_results, TF_Output skip, struct sl_sobol_sample_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&dim, -1}, {&num_results, -1}, {&skip, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "SobolSample", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_sobol_sample(struct sl_scope *scope, TF_Output dim, TF_Output num_results, TF_Output skip) {
    const struct sl_sobol_sample_attrs attrs = SL_DEFAULTS;
    return sl_sobol_sample_with(scope, dim, num_results, skip, attrs);
}

struct sl_stateful_random_binomial_attrs {
    TF_DataType dtype; /* DT_INT64 */
};
/* StatefulRandomBinomial: resource: resource, algorithm: int64, shape: S, counts: T, probs: T -> output: dtype */
static inline TF_Output sl_stateful_random_binomial_with(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape, TF_Output counts, TF_Output probs, struct sl_stateful_random_binomial_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&algorithm, -1}, {&shape, -1}, {&counts, -1}, {&probs, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatefulRandomBinomial", inputs_, 5, attrs_, 1));
}
static inline TF_Output sl_stateful_random_binomial(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape, TF_Output counts, TF_Output probs) {
    const struct sl_stateful_random_binomial_attrs attrs = SL_DEFAULTS;
    return sl_stateful_random_binomial_with(scope, resource, algorithm, shape, counts, probs, attrs);
}

struct sl_stateful_standard_normal_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatefulStandardNormal: resource: resource, shape: shape_dtype -> output: dtype */
static inline TF_Output sl_stateful_standard_normal_with(struct sl_scope *scope, TF_Output resource, TF_Output shape, struct sl_stateful_standard_normal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatefulStandardNormal", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_stateful_standard_normal(struct sl_scope *scope, TF_Output resource, TF_Output shape) {
    const struct sl_stateful_standard_normal_attrs attrs = SL_DEFAULTS;
    return sl_stateful_standard_normal_with(scope, resource, shape, attrs);
}

struct sl_stateful_standard_normal_v2_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatefulStandardNormalV2: resource: resource, algorithm: int64, shape: shape_dtype -> output: dtype */
static inline TF_Output sl_stateful_standard_normal_v2_with(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape, struct sl_stateful_standard_normal_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&algorithm, -1}, {&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatefulStandardNormalV2", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_stateful_standard_normal_v2(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape) {
    const struct sl_stateful_standard_normal_v2_attrs attrs = SL_DEFAULTS;
    return sl_stateful_standard_normal_v2_with(scope, resource, algorithm, shape, attrs);
}

struct sl_stateful_truncated_normal_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatefulTruncatedNormal: resource: resource, algorithm: int64, shape: shape_dtype -> output: dtype */
static inline TF_Output sl_stateful_truncated_normal_with(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape, struct sl_stateful_truncated_normal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&algorithm, -1}, {&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatefulTruncatedNormal", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_stateful_truncated_normal(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape) {
    const struct sl_stateful_truncated_normal_attrs attrs = SL_DEFAULTS;
    return sl_stateful_truncated_normal_with(scope, resource, algorithm, shape, attrs);
}

struct sl_stateful_uniform_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatefulUniform: resource: resource, algorithm: int64, shape: shape_dtype -> output: dtype */
static inline TF_Output sl_stateful_uniform_with(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape, struct sl_stateful_uniform_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&algorithm, -1}, {&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatefulUniform", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_stateful_uniform(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape) {
    const struct sl_stateful_uniform_attrs attrs = SL_DEFAULTS;
    return sl_stateful_uniform_with(scope, resource, algorithm, shape, attrs);
}

struct sl_stateful_uniform_full_int_attrs {
    TF_DataType dtype; /* DT_UINT64 */
};
/* StatefulUniformFullInt: resource: resource, algorithm: int64, shape: shape_dtype -> output: dtype */
static inline TF_Output sl_stateful_uniform_full_int_with(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape, struct sl_stateful_uniform_full_int_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&algorithm, -1}, {&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatefulUniformFullInt", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_stateful_uniform_full_int(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape) {
    const struct sl_stateful_uniform_full_int_attrs attrs = SL_DEFAULTS;
    return sl_stateful_uniform_full_int_with(scope, resource, algorithm, shape, attrs);
}

/* StatefulUniformInt: resource: resource, algorithm: int64, shape: shape_dtype, minval: dtype, maxval: dtype -> output: dtype */
static inline TF_Output sl_stateful_uniform_int(struct sl_scope *scope, TF_Output resource, TF_Output algorithm, TF_Output shape, TF_Output minval, TF_Output maxval) {
    const struct sl_op_input inputs_[] = {{&resource, -1}, {&algorithm, -1}, {&shape, -1}, {&minval, -1}, {&maxval, -1}};
    return sl_op_first(sl_op(scope, "StatefulUniformInt", inputs_, 5, NULL, 0));
}

struct sl_stateless_multinomial_attrs {
    TF_DataType output_dtype; /* DT_INT64 */
};
/* StatelessMultinomial: logits: T, num_samples: int32, seed: Tseed -> output: output_dtype */
static inline TF_Output sl_stateless_multinomial_with(struct sl_scope *scope, TF_Output logits, TF_Output num_samples, TF_Output seed, struct sl_stateless_multinomial_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&logits, -1}, {&num_samples, -1}, {&seed, -1}};
    const struct sl_attr_given attrs_[] = {{"output_dtype", SL_GIVEN_TYPE, &attrs.output_dtype}};
    return sl_op_first(sl_op(scope, "StatelessMultinomial", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_stateless_multinomial(struct sl_scope *scope, TF_Output logits, TF_Output num_samples, TF_Output seed) {
    const struct sl_stateless_multinomial_attrs attrs = SL_DEFAULTS;
    return sl_stateless_multinomial_with(scope, logits, num_samples, seed, attrs);
}

/* StatelessParameterizedTruncatedNormal: shape: S, seed: Tseed, means: dtype, stddevs: dtype, minvals: dtype, maxvals: dtype -> output: dtype */
static inline TF_Output sl_stateless_parameterized_truncated_normal(struct sl_scope *scope, TF_Output shape, TF_Output seed, TF_Output means, TF_Output stddevs, TF_Output minvals, TF_Output maxvals) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&seed, -1}, {&means, -1}, {&stddevs, -1}, {&minvals, -1}, {&maxvals, -1}};
    return sl_op_first(sl_op(scope, "StatelessParameterizedTruncatedNormal", inputs_, 6, NULL, 0));
}

struct sl_stateless_random_binomial_attrs {
    TF_DataType dtype; /* DT_INT64 */
};
/* StatelessRandomBinomial: shape: S, seed: Tseed, counts: T, probs: T -> output: dtype */
static inline TF_Output sl_stateless_random_binomial_with(struct sl_scope *scope, TF_Output shape, TF_Output seed, TF_Output counts, TF_Output probs, struct sl_stateless_random_binomial_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&seed, -1}, {&counts, -1}, {&probs, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessRandomBinomial", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_stateless_random_binomial(struct sl_scope *scope, TF_Output shape, TF_Output seed, TF_Output counts, TF_Output probs) {
    const struct sl_stateless_random_binomial_attrs attrs = SL_DEFAULTS;
    return sl_stateless_random_binomial_with(scope, shape, seed, counts, probs, attrs);
}

/* StatelessRandomGammaV2: shape: T, seed: Tseed, alpha: dtype -> output: dtype */
static inline TF_Output sl_stateless_random_gamma_v2(struct sl_scope *scope, TF_Output shape, TF_Output seed, TF_Output alpha) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&seed, -1}, {&alpha, -1}};
    return sl_op_first(sl_op(scope, "StatelessRandomGammaV2", inputs_, 3, NULL, 0));
}

/* StatelessRandomGammaV3: shape: shape_dtype, key: uint64, counter: uint64, alg: int32, alpha: dtype -> output: dtype */
static inline TF_Output sl_stateless_random_gamma_v3(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg, TF_Output alpha) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&key, -1}, {&counter, -1}, {&alg, -1}, {&alpha, -1}};
    return sl_op_first(sl_op(scope, "StatelessRandomGammaV3", inputs_, 5, NULL, 0));
}

/* StatelessRandomGetAlg: () -> alg: int32 */
static inline TF_Output sl_stateless_random_get_alg(struct sl_scope *scope) {
    return sl_op_first(sl_op(scope, "StatelessRandomGetAlg", NULL, 0, NULL, 0));
}

struct sl_stateless_random_get_key_counter_outputs {
    TF_Output key, counter;
};
/* StatelessRandomGetKeyCounter: seed: Tseed -> key: uint64, counter: uint64 */
static inline struct sl_stateless_random_get_key_counter_outputs sl_stateless_random_get_key_counter(struct sl_scope *scope, TF_Output seed) {
    const struct sl_op_input inputs_[] = {{&seed, -1}};
    TF_Operation *const op_ = sl_op(scope, "StatelessRandomGetKeyCounter", inputs_, 1, NULL, 0);
    const struct sl_stateless_random_get_key_counter_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}

struct sl_stateless_random_get_key_counter_alg_outputs {
    TF_Output key, counter, alg;
};
/* StatelessRandomGetKeyCounterAlg: seed: Tseed -> key: uint64, counter: uint64, alg: int32 */
static inline struct sl_stateless_random_get_key_counter_alg_outputs sl_stateless_random_get_key_counter_alg(struct sl_scope *scope, TF_Output seed) {
    const struct sl_op_input inputs_[] = {{&seed, -1}};
    TF_Operation *const op_ = sl_op(scope, "StatelessRandomGetKeyCounterAlg", inputs_, 1, NULL, 0);
    const struct sl_stateless_random_get_key_counter_alg_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_stateless_random_normal_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatelessRandomNormal: shape: T, seed: Tseed -> output: dtype */
static inline TF_Output sl_stateless_random_normal_with(struct sl_scope *scope, TF_Output shape, TF_Output seed, struct sl_stateless_random_normal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&seed, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessRandomNormal", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_stateless_random_normal(struct sl_scope *scope, TF_Output shape, TF_Output seed) {
    const struct sl_stateless_random_normal_attrs attrs = SL_DEFAULTS;
    return sl_stateless_random_normal_with(scope, shape, seed, attrs);
}

struct sl_stateless_random_normal_v2_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatelessRandomNormalV2: shape: Tshape, key: uint64, counter: uint64, alg: int32 -> output: dtype */
static inline TF_Output sl_stateless_random_normal_v2_with(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg, struct sl_stateless_random_normal_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&key, -1}, {&counter, -1}, {&alg, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessRandomNormalV2", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_stateless_random_normal_v2(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg) {
    const struct sl_stateless_random_normal_v2_attrs attrs = SL_DEFAULTS;
    return sl_stateless_random_normal_v2_with(scope, shape, key, counter, alg, attrs);
}

struct sl_stateless_random_poisson_attrs {
    TF_DataType dtype; /* must be given */
};
/* StatelessRandomPoisson: shape: T, seed: Tseed, lam: Rtype -> output: dtype */
static inline TF_Output sl_stateless_random_poisson(struct sl_scope *scope, TF_Output shape, TF_Output seed, TF_Output lam, struct sl_stateless_random_poisson_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&seed, -1}, {&lam, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessRandomPoisson", inputs_, 3, attrs_, 1));
}

struct sl_stateless_random_uniform_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatelessRandomUniform: shape: T, seed: Tseed -> output: dtype */
static inline TF_Output sl_stateless_random_uniform_with(struct sl_scope *scope, TF_Output shape, TF_Output seed, struct sl_stateless_random_uniform_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&seed, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessRandomUniform", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_stateless_random_uniform(struct sl_scope *scope, TF_Output shape, TF_Output seed) {
    const struct sl_stateless_random_uniform_attrs attrs = SL_DEFAULTS;
    return sl_stateless_random_uniform_with(scope, shape, seed, attrs);
}

struct sl_stateless_random_uniform_full_int_attrs {
    TF_DataType dtype; /* DT_UINT64 */
};
/* StatelessRandomUniformFullInt: shape: T, seed: Tseed -> output: dtype */
static inline TF_Output sl_stateless_random_uniform_full_int_with(struct sl_scope *scope, TF_Output shape, TF_Output seed, struct sl_stateless_random_uniform_full_int_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&seed, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessRandomUniformFullInt", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_stateless_random_uniform_full_int(struct sl_scope *scope, TF_Output shape, TF_Output seed) {
    const struct sl_stateless_random_uniform_full_int_attrs attrs = SL_DEFAULTS;
    return sl_stateless_random_uniform_full_int_with(scope, shape, seed, attrs);
}

struct sl_stateless_random_uniform_full_int_v2_attrs {
    TF_DataType dtype; /* DT_UINT64 */
};
/* StatelessRandomUniformFullIntV2: shape: Tshape, key: uint64, counter: uint64, alg: int32 -> output: dtype */
static inline TF_Output sl_stateless_random_uniform_full_int_v2_with(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg, struct sl_stateless_random_uniform_full_int_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&key, -1}, {&counter, -1}, {&alg, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessRandomUniformFullIntV2", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_stateless_random_uniform_full_int_v2(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg) {
    const struct sl_stateless_random_uniform_full_int_v2_attrs attrs = SL_DEFAULTS;
    return sl_stateless_random_uniform_full_int_v2_with(scope, shape, key, counter, alg, attrs);
}

/* StatelessRandomUniformInt: shape: T, seed: Tseed, minval: dtype, maxval: dtype -> output: dtype */
static inline TF_Output sl_stateless_random_uniform_int(struct sl_scope *scope, TF_Output shape, TF_Output seed, TF_Output minval, TF_Output maxval) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&seed, -1}, {&minval, -1}, {&maxval, -1}};
    return sl_op_first(sl_op(scope, "StatelessRandomUniformInt", inputs_, 4, NULL, 0));
}

/* StatelessRandomUniformIntV2: shape: Tshape, key: uint64, counter: uint64, alg: int32, minval: dtype, maxval: dtype -> output: dtype */
static inline TF_Output sl_stateless_random_uniform_int_v2(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg, TF_Output minval, TF_Output maxval) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&key, -1}, {&counter, -1}, {&alg, -1}, {&minval, -1}, {&maxval, -1}};
    return sl_op_first(sl_op(scope, "StatelessRandomUniformIntV2", inputs_, 6, NULL, 0));
}

struct sl_stateless_random_uniform_v2_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatelessRandomUniformV2: shape: Tshape, key: uint64, counter: uint64, alg: int32 -> output: dtype */
static inline TF_Output sl_stateless_random_uniform_v2_with(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg, struct sl_stateless_random_uniform_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&key, -1}, {&counter, -1}, {&alg, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessRandomUniformV2", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_stateless_random_uniform_v2(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg) {
    const struct sl_stateless_random_uniform_v2_attrs attrs = SL_DEFAULTS;
    return sl_stateless_random_uniform_v2_with(scope, shape, key, counter, alg, attrs);
}

/* StatelessShuffle: value: T, key: uint64, counter: uint64, alg: int32 -> output: T */
static inline TF_Output sl_stateless_shuffle(struct sl_scope *scope, TF_Output value, TF_Output key, TF_Output counter, TF_Output alg) {
    const struct sl_op_input inputs_[] = {{&value, -1}, {&key, -1}, {&counter, -1}, {&alg, -1}};
    return sl_op_first(sl_op(scope, "StatelessShuffle", inputs_, 4, NULL, 0));
}

struct sl_stateless_truncated_normal_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatelessTruncatedNormal: shape: T, seed: Tseed -> output: dtype */
static inline TF_Output sl_stateless_truncated_normal_with(struct sl_scope *scope, TF_Output shape, TF_Output seed, struct sl_stateless_truncated_normal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&seed, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessTruncatedNormal", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_stateless_truncated_normal(struct sl_scope *scope, TF_Output shape, TF_Output seed) {
    const struct sl_stateless_truncated_normal_attrs attrs = SL_DEFAULTS;
    return sl_stateless_truncated_normal_with(scope, shape, seed, attrs);
}

struct sl_stateless_truncated_normal_v2_attrs {
    TF_DataType dtype; /* DT_FLOAT */
};
/* StatelessTruncatedNormalV2: shape: Tshape, key: uint64, counter: uint64, alg: int32 -> output: dtype */
static inline TF_Output sl_stateless_truncated_normal_v2_with(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg, struct sl_stateless_truncated_normal_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}, {&key, -1}, {&counter, -1}, {&alg, -1}};
    const struct sl_attr_given attrs_[] = {{"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "StatelessTruncatedNormalV2", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_stateless_truncated_normal_v2(struct sl_scope *scope, TF_Output shape, TF_Output key, TF_Output counter, TF_Output alg) {
    const struct sl_stateless_truncated_normal_v2_attrs attrs = SL_DEFAULTS;
    return sl_stateless_truncated_normal_v2_with(scope, shape, key, counter, alg, attrs);
}

struct sl_stochastic_cast_to_int_attrs {
    TF_DataType Tout; /* must be given */
};
/* StochasticCastToInt: input: Tin, key: uint64, counter: uint64, alg: int32 -> output: Tout */
static inline TF_Output sl_stochastic_cast_to_int(struct sl_scope *scope, TF_Output input, TF_Output key, TF_Output counter, TF_Output alg, struct sl_stochastic_cast_to_int_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&key, -1}, {&counter, -1}, {&alg, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}};
    return sl_op_first(sl_op(scope, "StochasticCastToInt", inputs_, 4, attrs_, 1));
}

struct sl_thread_unsafe_unigram_candidate_sampler_outputs {
    TF_Output sampled_candidates, true_expected_count, sampled_expected_count;
};
struct sl_thread_unsafe_unigram_candidate_sampler_attrs {
    int64_t num_true; /* must be given */
    int64_t num_sampled; /* must be given */
    bool unique; /* must be given */
    int64_t range_max; /* must be given */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* ThreadUnsafeUnigramCandidateSampler: true_classes: int64 -> sampled_candidates: int64, true_expected_count: float, sampled_expected_count: float */
static inline struct sl_thread_unsafe_unigram_candidate_sampler_outputs sl_thread_unsafe_unigram_candidate_sampler(struct sl_scope *scope, TF_Output true_classes, struct sl_thread_unsafe_unigram_candidate_sampler_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&true_classes, -1}};
    const struct sl_attr_given attrs_[] = {{"num_true", SL_GIVEN_INT_NEEDED, &attrs.num_true}, {"num_sampled", SL_GIVEN_INT_NEEDED, &attrs.num_sampled}, {"unique", SL_GIVEN_BOOL_NEEDED, &attrs.unique}, {"range_max", SL_GIVEN_INT_NEEDED, &attrs.range_max}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "ThreadUnsafeUnigramCandidateSampler", inputs_, 1, attrs_, 6);
    const struct sl_thread_unsafe_unigram_candidate_sampler_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

struct sl_truncated_normal_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    TF_DataType dtype; /* must be given */
};
/* TruncatedNormal: shape: T -> output: dtype */
static inline TF_Output sl_truncated_normal(struct sl_scope *scope, TF_Output shape, struct sl_truncated_normal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&shape, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "TruncatedNormal", inputs_, 1, attrs_, 3));
}

struct sl_uniform_candidate_sampler_outputs {
    TF_Output sampled_candidates, true_expected_count, sampled_expected_count;
};
struct sl_uniform_candidate_sampler_attrs {
    int64_t num_true; /* must be given */
    int64_t num_sampled; /* must be given */
    bool unique; /* must be given */
    int64_t range_max; /* must be given */
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* UniformCandidateSampler: true_classes: int64 -> sampled_candidates: int64, true_expected_count: float, sampled_expected_count: float */
static inline struct sl_uniform_candidate_sampler_outputs sl_uniform_candidate_sampler(struct sl_scope *scope, TF_Output true_classes, struct sl_uniform_candidate_sampler_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&true_classes, -1}};
    const struct sl_attr_given attrs_[] = {{"num_true", SL_GIVEN_INT_NEEDED, &attrs.num_true}, {"num_sampled", SL_GIVEN_INT_NEEDED, &attrs.num_sampled}, {"unique", SL_GIVEN_BOOL_NEEDED, &attrs.unique}, {"range_max", SL_GIVEN_INT_NEEDED, &attrs.range_max}, {"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    TF_Operation *const op_ = sl_op(scope, "UniformCandidateSampler", inputs_, 1, attrs_, 6);
    const struct sl_uniform_candidate_sampler_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}

#ifdef __cplusplus
}
#endif

#endif
