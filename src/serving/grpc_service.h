/* TensorFlow Serving's gRPC calls: tensorflow.serving.PredictionService (Predict, Classify, Regress, MultiInference,
 * GetModelMetadata), tensorflow.serving.ModelService (GetModelStatus), grpc.health.v1.Health (Check).
 *
 * They run on few threads: as many at a time as the limit `step_threads` says, others queue. Small ones begin on the net's
 * thread that has read them, and end there when their signature is light. What waits in a batch has no thread. */
#ifndef SL_SERVING_GRPC_SERVICE_H
#define SL_SERVING_GRPC_SERVICE_H

#include "net/rpc.h"
#include "serving/model_hosts.h"
#include "serving/predict.h"

struct sl_grpc_serving {
    const struct sl_model_hosts *hosts; /* borrowed */
    struct sl_served_places places;     /* NULL until it is opened */
    struct sl_mutex mutex;              /* guards the rest */
    struct sl_condition changed;
    int n_calls; /* under way */
    bool drains; /* not healthy any more */
};
void sl_grpc_serving_init(struct sl_grpc_serving *serving, const struct sl_model_hosts *hosts);
/* Before the first call. */
sl_code sl_grpc_serving_open(struct sl_grpc_serving *serving, struct sl_net *net, unsigned step_threads,
                             struct sl_error *err);
/* Not healthy from now on; waits until no call is under way. */
void sl_grpc_serving_drain(struct sl_grpc_serving *serving);
/* No call is under way, and none comes. */
void sl_grpc_serving_clear(struct sl_grpc_serving *serving);

/* Their argument is a struct sl_grpc_serving. */
extern const struct sl_rpc_method sl_grpc_serving_methods[];

#endif
