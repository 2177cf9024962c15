/* Features of decoded examples as columns of tensors. A column is one key of every example (or of every step of a
 * feature list); it is given out dense, sparse or ragged. Features are borrowed from decoded messages. Pure
 * functions; thread-safe. */
#ifndef SL_BACKENDS_CPU_PARSE_FEATURE_H
#define SL_BACKENDS_CPU_PARSE_FEATURE_H

#include "kernel/kernel.h"
#include "proto/gen/messages.h"

/* The features of one key: `rows` of them, one an example, or, for feature lists, all steps of all examples in a
 * run. */
struct sl_feature_fault {
    int64_t number;                      /* of the feature in the column */
    const struct sl_pb_Feature *feature; /* NULL: it is missing */
};

struct sl_features {
    const struct sl_pb_Feature **at; /* `n` of them; NULL or without a kind: missing */
    int64_t n;
    const int64_t *steps; /* feature lists: how many of them each example has; NULL: one each */
    int64_t examples;
    bool is_single;       /* the results have no dim for the examples: there is one */
    struct sl_view names; /* of the examples, for messages; none: count 0 */
    struct sl_str key;
    int dtype;       /* float, int64 or string */
    bool is_example; /* of Examples alone: errors say other words */
    bool is_dense;
    struct sl_feature_fault *fault; /* told what is wrong */
};

/* Number of values of a feature, 0 when it is missing; INVALID_ARGUMENT when it is of another type. */
sl_code sl_feature_count(int64_t *n, const struct sl_features *f, int64_t i, struct sl_error *err);
static inline bool sl_feature_is_missing(const struct sl_pb_Feature *f) { return !f || f->which == 0; }

/* Outputs o[0] indices, o[1] values, o[2] shape. Coordinates: example, step, number of the value, as far as there
 * are such dims. */
sl_code sl_features_sparse(struct sl_kernel_context *k, const struct sl_features *f, const int o[3]);
/* Outputs o[0] values, o[1] the splits of steps in examples (feature lists alone, else -1), o[2] the splits of
 * values in features. */
sl_code sl_features_ragged(struct sl_kernel_context *k, const struct sl_features *f, const int o[3]);

/* A dense column. Each feature has the elements of `shape`; where dim 0 is -1 it is as long as the longest, the
 * others padded. */
struct sl_dense_feature {
    struct sl_shape shape;
    struct sl_view fallback; /* for missing features, or one element to pad with; count 0: there is none */
    bool is_variable;
};
/* Output `o`: (examples) (steps, as many as the longest has) then the shape. */
sl_code sl_features_dense(struct sl_kernel_context *k, const struct sl_features *f, const struct sl_dense_feature *d,
                          int o);

#endif
