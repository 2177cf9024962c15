/* The names of counts and histograms are TensorFlow Serving's, so that its dashboards work. */
#include "serving/metrics.h"

#include "base/memory_limit.h"

static const char *const entries[] = {"REST", "GRPC"};
static const char *const apis[] = {"Predict",        "Classify",         "Regress",
                                   "MultiInference", "GetModelMetadata", "GetModelStatus"};

void sl_metrics_count(struct sl_metrics *metrics, enum sl_serving_entry entry, enum sl_serving_api api, sl_code code,
                      int64_t ns) {
    struct sl_latencies *l = &metrics->latencies[entry][api];
    int bucket = 0;
    for (int64_t most = 10000; bucket < SL_SERVING_BUCKETS && ns > most; most *= 2) bucket++;
    atomic_fetch_add_explicit(&l->buckets[bucket], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&l->total_us, ns / 1000, memory_order_relaxed);
    int which = code >= 0 && (int)code < SL_SERVING_CODES ? (int)code : (int)SL_UNKNOWN;
    atomic_fetch_add_explicit(&metrics->calls[entry][api][which], 1, memory_order_relaxed);
}

static long long read_count(const atomic_llong *count) { return atomic_load_explicit(count, memory_order_relaxed); }

long long sl_metrics_calls(long long *failed, const struct sl_metrics *m) {
    long long all = *failed = 0;
    for (int e = 0; e < SL_SERVING_ENTRIES; e++)
        for (int a = 0; a < SL_SERVING_APIS; a++)
            for (int code = 0; code < SL_SERVING_CODES; code++) {
                long long n = read_count(&m->calls[e][a][code]);
                all += n;
                *failed += code == SL_OK ? 0 : n;
            }
    return all;
}

/* A label's value: quotes, backslashes and line ends are escaped. */
static void put_label(struct sl_text *to, const char *text) {
    for (; *text; text++)
        if (*text == '\n') sl_text_words(to, "\\n");
        else {
            if (*text == '"' || *text == '\\') sl_text_byte(to, '\\');
            sl_text_byte(to, *text);
        }
}

static void put_head(struct sl_text *to, const char *name, const char *model, int entry, int api) {
    sl_text_format(to, ":tensorflow:serving:%s{model_name=\"", name);
    put_label(to, model);
    sl_text_format(to, "\",API=\"%s\",entrypoint=\"%s\"", apis[api], entries[entry]);
}

static void put_counts(struct sl_text *to, const struct sl_metrics *m, const char *model, int entry, int api) {
    for (int code = 0; code < SL_SERVING_CODES; code++) {
        long long n = read_count(&m->calls[entry][api][code]);
        if (!n) continue;
        put_head(to, "request_count", model, entry, api);
        sl_text_format(to, ",status=\"%s\"} %lld\n", sl_code_name((sl_code)code), n);
    }
}

static void put_latencies(struct sl_text *to, const struct sl_latencies *l, const char *model, int entry, int api) {
    long long n = 0, all = 0, most = 10;
    for (int b = 0; b <= SL_SERVING_BUCKETS; b++) all += read_count(&l->buckets[b]);
    if (!all) return;
    for (int b = 0; b <= SL_SERVING_BUCKETS; b++, most *= 2) {
        n += b < SL_SERVING_BUCKETS ? read_count(&l->buckets[b]) : all - n;
        put_head(to, "request_latency_bucket", model, entry, api);
        if (b < SL_SERVING_BUCKETS) sl_text_format(to, ",le=\"%lld\"} %lld\n", most, n);
        else sl_text_format(to, ",le=\"+Inf\"} %lld\n", all);
    }
    put_head(to, "request_latency_sum", model, entry, api);
    sl_text_format(to, "} %lld\n", read_count(&l->total_us));
    put_head(to, "request_latency_count", model, entry, api);
    sl_text_format(to, "} %lld\n", all);
}

static void put_calls(struct sl_text *to, const struct sl_metrics_of *of) {
    for (int e = 0; e < SL_SERVING_ENTRIES; e++)
        for (int a = 0; a < SL_SERVING_APIS; a++) put_counts(to, of->metrics, of->model, e, a);
}

static void put_times(struct sl_text *to, const struct sl_metrics_of *of) {
    for (int e = 0; e < SL_SERVING_ENTRIES; e++)
        for (int a = 0; a < SL_SERVING_APIS; a++) put_latencies(to, &of->metrics->latencies[e][a], of->model, e, a);
}

/* All lines of one name stand together. */
void sl_metrics_put(struct sl_text *to, const struct sl_metrics_of *models, int n) {
    sl_text_words(to, "# HELP :tensorflow:serving:request_count Calls that have ended, by status.\n"
                      "# TYPE :tensorflow:serving:request_count counter\n");
    for (int i = 0; i < n; i++) put_calls(to, &models[i]);
    sl_text_words(to, "# HELP :tensorflow:serving:request_latency How long calls took, in microseconds.\n"
                      "# TYPE :tensorflow:serving:request_latency histogram\n");
    for (int i = 0; i < n; i++) put_times(to, &models[i]);
    sl_text_words(to, "# HELP sluice_model_version The highest version that is served.\n"
                      "# TYPE sluice_model_version gauge\n");
    for (int i = 0; i < n; i++) {
        sl_text_words(to, "sluice_model_version{model_name=\"");
        put_label(to, models[i].model);
        sl_text_format(to, "\"} %lld\n", (long long)models[i].version);
    }
    sl_text_format(to,
                   "# HELP sluice_memory_bytes What tensors and messages hold.\n# TYPE sluice_memory_bytes gauge\n"
                   "sluice_memory_bytes %zu\n",
                   sl_memory_held());
}
