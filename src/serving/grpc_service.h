/* TensorFlow Serving's gRPC calls: tensorflow.serving.PredictionService (Predict, Classify, Regress, MultiInference,
 * GetModelMetadata),
 * tensorflow.serving.ModelService (GetModelStatus), grpc.health.v1.Health (Check). Each runs on a thread of its own. */
#ifndef SL_SERVING_GRPC_SERVICE_H
#define SL_SERVING_GRPC_SERVICE_H

#include "net/rpc.h"
#include "serving/model_hosts.h"

struct sl_grpc_serving {
    const struct sl_model_hosts *hosts; /* borrowed */
    struct sl_mutex mutex;              /* guards the rest */
    struct sl_condition changed;
    int n_calls; /* under way */
    bool drains; /* not healthy any more */
};
void sl_grpc_serving_init(struct sl_grpc_serving *serving, const struct sl_model_hosts *hosts);
/* Not healthy from now on; waits until no call is under way. */
void sl_grpc_serving_drain(struct sl_grpc_serving *serving);
void sl_grpc_serving_clear(struct sl_grpc_serving *serving);

/* Their argument is a struct sl_grpc_serving. */
extern const struct sl_rpc_method sl_grpc_serving_methods[];

#endif
