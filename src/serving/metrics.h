/* Counts of calls and how long they took, in Prometheus' text format. Thread-safe, without locks. */
#ifndef SL_SERVING_METRICS_H
#define SL_SERVING_METRICS_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/text.h"

enum sl_serving_entry { SL_SERVING_REST, SL_SERVING_GRPC, SL_SERVING_ENTRIES };
enum sl_serving_api {
    SL_SERVING_PREDICT,
    SL_SERVING_CLASSIFY,
    SL_SERVING_REGRESS,
    SL_SERVING_MULTI_INFERENCE,
    SL_SERVING_METADATA,
    SL_SERVING_STATUS,
    SL_SERVING_APIS
};
enum { SL_SERVING_BUCKETS = 24, SL_SERVING_CODES = 17 }; /* buckets: up to 10 µs, and each twice the one before */

/* Zeroed: nothing has happened. */
struct sl_metrics {
    struct sl_latencies {
        atomic_llong buckets[SL_SERVING_BUCKETS + 1]; /* the last: longer than all */
        atomic_llong total_us;
    } latencies[SL_SERVING_ENTRIES][SL_SERVING_APIS];
    atomic_llong calls[SL_SERVING_ENTRIES][SL_SERVING_APIS][SL_SERVING_CODES];
};

/* A call has ended. */
void sl_metrics_count(struct sl_metrics *metrics, enum sl_serving_entry entry, enum sl_serving_api api, sl_code code,
                      int64_t ns);
/* Calls that have ended, and how many of them failed. */
long long sl_metrics_calls(long long *failed, const struct sl_metrics *metrics);
/* Those of models, with the version that each serves, and the memory that tensors and messages hold. */
struct sl_metrics_of {
    const struct sl_metrics *metrics;
    const char *model; /* its name */
    int64_t version;
};
void sl_metrics_put(struct sl_text *to, const struct sl_metrics_of *models, int n);

#endif
