/* Classification and regression: a signature whose one input is a list of encoded Examples. Thread-safe. */
#ifndef SL_SERVING_EXAMPLE_CALLS_H
#define SL_SERVING_EXAMPLE_CALLS_H

#include "serving/predict.h"

/* `examples` are encoded. The results are in the arena. INVALID_ARGUMENT when the signature is of another kind, or its
 * outputs do not have a row for each example. */
struct sl_served_examples {
    struct sl_served_model *model;
    struct sl_served_signature *signature;
    const struct sl_str *examples;
    size_t n;
    const struct sl_batching *batching;
};
/* Waits. */
sl_code sl_served_classify(struct sl_pb_serving_ClassificationResult *out, const struct sl_served_examples *call,
                           struct sl_arena *arena, struct sl_error *err);
sl_code sl_served_regress(struct sl_pb_serving_RegressionResult *out, const struct sl_served_examples *call,
                          struct sl_arena *arena, struct sl_error *err);

/* The same in two halves, around a run of the signature (sl_served_begin): its input, a reference of the caller's, and the
 * result of its outputs. */
sl_code sl_served_classify_input(struct sl_tensor **out, const struct sl_served_examples *call, struct sl_error *err);
sl_code sl_served_classify_result(struct sl_pb_serving_ClassificationResult *out, const struct sl_served_examples *call,
                                  struct sl_tensor *const *outputs, struct sl_arena *arena, struct sl_error *err);
sl_code sl_served_regress_input(struct sl_tensor **out, const struct sl_served_examples *call, struct sl_error *err);
sl_code sl_served_regress_result(struct sl_pb_serving_RegressionResult *out, const struct sl_served_examples *call,
                                 struct sl_tensor *const *outputs, struct sl_arena *arena, struct sl_error *err);

#endif
