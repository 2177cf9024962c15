/* Running a signature of a model, alone or together with other calls that are there at the time. Thread-safe. */
#ifndef SL_SERVING_PREDICT_H
#define SL_SERVING_PREDICT_H

#include "serving/served_model.h"

/* Calls of one signature become one step: their inputs one behind the other along axis 0, the outputs cut again. Only
 * calls whose inputs agree in all other axes are joined. */
struct sl_batching {
    int64_t most_rows;  /* of a batch; 1 or less: each call is run alone */
    int64_t timeout_ns; /* how long the first call of a batch waits for others */
};

/* Values for the inputs of `signature`, in its order; one that is NULL is the input's own, or INVALID_ARGUMENT. Types and
 * shapes must be those of the signature. Each output is a reference of the caller's; all NULL after a failure. */
sl_code sl_served_run(struct sl_tensor **outputs, struct sl_served_model *model, struct sl_served_signature *signature,
                      struct sl_tensor *const *inputs, const struct sl_batching *batching, struct sl_error *err);

#endif
