/* Monitoring: counters, gauges and samplers that the caller keeps; nothing of the library writes to them. A metric has a
 * cell for each tuple of labels; cells live as long as it. Two metrics of one name are two metrics; readers find the
 * eldest counter of a name. Threads: thread-safe. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/eager/eager_handles.h"
#include "os/mutex.h"
#include "proto/wire.h"
#include "tensorflow/c/eager/c_api_experimental_reader.h"

enum { MOST_LABELS = 4 };

struct TFE_MonitoringBuckets {
    int n;
    double limits[]; /* upper ones, rising; the last is the largest number */
};

struct cell {
    struct cell *next;
    struct sl_mutex mutex; /* guards the values below */
    int64_t number;
    char *text;                       /* owned; NULL: "" */
    struct sl_pb_HistogramProto sums; /* of a sampler: its arrays are `counts` and the metric's limits */
    double *counts;
    int n_labels;
    char *labels[MOST_LABELS];
};

struct metric {
    struct sl_mutex mutex; /* guards the list */
    struct cell *cells;
    TFE_MonitoringBuckets *buckets; /* a copy; of a sampler */
    char *name;                     /* owned; of a counter: then it is among `counters` */
    int n_labels;
    struct metric *younger;
};

struct TFE_MonitoringCounterReader {
    struct TFE_MonitoringCounterReader *next;
    char *name; /* owned */
};

static struct {
    struct sl_mutex mutex; /* guards the lists, and keeps counters alive; taken before a metric's */
    struct metric *eldest;
    struct TFE_MonitoringCounterReader *readers; /* never freed */
} counters = {.mutex = SL_MUTEX_INIT};

/* ---- buckets */

static TFE_MonitoringBuckets *buckets_new(int n) {
    TFE_MonitoringBuckets *b = sl_malloc(sizeof *b + (size_t)n * sizeof *b->limits);
    if (b) b->n = n;
    return b;
}

TFE_MonitoringBuckets *TFE_MonitoringNewExponentialBuckets(double scale, double growth_factor, int bucket_count) {
    const int n = bucket_count > 0 ? bucket_count : 0;
    TFE_MonitoringBuckets *b = buckets_new(n + 1);
    if (!b) return NULL;
    for (int i = 0; i < n; i++) b->limits[i] = scale * pow(growth_factor, i);
    b->limits[n] = HUGE_VAL;
    return b;
}

void TFE_MonitoringDeleteBuckets(TFE_MonitoringBuckets *buckets) { sl_free(buckets); }

/* ---- metrics */

/* NULL is no text. */
static char *copy_text(const char *text) {
    const size_t n = text ? strlen(text) + 1 : 1;
    char *copy = sl_malloc(n);
    if (copy) memcpy(copy, text ? text : "", n);
    return copy;
}

static void *metric_new(const TFE_MonitoringBuckets *buckets, TF_Status *status) {
    struct metric *m = sl_calloc(1, sizeof *m);
    if (m && buckets && (m->buckets = buckets_new(buckets->n)))
        memcpy(m->buckets->limits, buckets->limits, (size_t)buckets->n * sizeof *buckets->limits);
    if (!m || (buckets && !m->buckets)) {
        sl_free(m);
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    sl_mutex_init(&m->mutex);
    sl_status_set(status, SL_OK, NULL);
    return m;
}

/* The counters' list, with the youngest last. */
static void *counter_new(const char *name, int n_labels, TF_Status *status) {
    struct metric *m = metric_new(NULL, status);
    if (!m) return NULL;
    m->n_labels = n_labels;
    m->name = copy_text(name);
    if (!m->name) {
        sl_mutex_clear(&m->mutex);
        sl_free(m);
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    sl_mutex_lock(&counters.mutex);
    struct metric **at = &counters.eldest;
    while (*at) at = &(*at)->younger;
    *at = m;
    sl_mutex_unlock(&counters.mutex);
    return m;
}

static void unlist(const struct metric *m) {
    sl_mutex_lock(&counters.mutex);
    struct metric **at = &counters.eldest;
    while (*at != m) at = &(*at)->younger;
    *at = m->younger;
    sl_mutex_unlock(&counters.mutex);
}

static void cell_free(struct cell *c) {
    for (int i = 0; i < c->n_labels; i++) sl_free(c->labels[i]);
    sl_free(c->text);
    sl_free(c->counts);
    sl_mutex_clear(&c->mutex);
    sl_free(c);
}

static void metric_free(void *metric) {
    struct metric *m = metric;
    if (!m) return;
    if (m->name) unlist(m);
    for (struct cell *c = m->cells, *next; c; c = next) {
        next = c->next;
        cell_free(c);
    }
    sl_free(m->buckets);
    sl_free(m->name);
    sl_mutex_clear(&m->mutex);
    sl_free(m);
}

static struct cell *cell_new(const struct metric *m, int n, const char *const *labels) {
    struct cell *c = sl_calloc(1, sizeof *c);
    if (!c) return NULL;
    sl_mutex_init(&c->mutex);
    bool is_whole = true;
    for (; c->n_labels < n && is_whole; c->n_labels += is_whole)
        is_whole = (c->labels[c->n_labels] = copy_text(labels[c->n_labels])) != NULL;
    if (m->buckets) is_whole = is_whole && (c->counts = sl_calloc((size_t)m->buckets->n, sizeof *c->counts));
    if (m->buckets && is_whole) {
        c->sums.bucket.items = c->counts;
        c->sums.bucket_limit.items = m->buckets->limits;
        c->sums.bucket.n = c->sums.bucket_limit.n = (size_t)m->buckets->n;
    }
    if (is_whole) return c;
    cell_free(c);
    return NULL;
}

static bool has_labels(const struct cell *c, const char *const *labels) {
    for (int i = 0; i < c->n_labels; i++)
        if (strcmp(c->labels[i], labels[i] ? labels[i] : "")) return false;
    return true;
}

/* NULL when memory is out. */
static void *cell_of(void *metric, int n, const char *const *labels) {
    struct metric *m = metric;
    if (!m) return NULL;
    sl_mutex_lock(&m->mutex);
    struct cell *c = m->cells;
    while (c && !has_labels(c, labels)) c = c->next;
    if (!c && (c = cell_new(m, n, labels))) {
        c->next = m->cells;
        m->cells = c;
    }
    sl_mutex_unlock(&m->mutex);
    return c;
}

/* ---- cells */

static void set_number(void *cell, int64_t value, bool adds) {
    struct cell *c = cell;
    sl_mutex_lock(&c->mutex);
    c->number = adds ? (int64_t)((uint64_t)c->number + (uint64_t)value) : value;
    sl_mutex_unlock(&c->mutex);
}

static int64_t number_of(void *cell) {
    struct cell *c = cell;
    sl_mutex_lock(&c->mutex);
    const int64_t value = c->number;
    sl_mutex_unlock(&c->mutex);
    return value;
}

void TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringCounterCell *cell, int64_t value) {
    if (cell) set_number(cell, value, true);
}
int64_t TFE_MonitoringCounterCellValue(TFE_MonitoringCounterCell *cell) { return cell ? number_of(cell) : 0; }
void TFE_MonitoringIntGaugeCellSet(TFE_MonitoringIntGaugeCell *cell, int64_t value) {
    if (cell) set_number(cell, value, false);
}
int64_t TFE_MonitoringIntGaugeCellValue(TFE_MonitoringIntGaugeCell *cell) { return cell ? number_of(cell) : 0; }
void TFE_MonitoringBoolGaugeCellSet(TFE_MonitoringBoolGaugeCell *cell, bool value) {
    if (cell) set_number(cell, value, false);
}
bool TFE_MonitoringBoolGaugeCellValue(TFE_MonitoringBoolGaugeCell *cell) { return cell && number_of(cell) != 0; }

void TFE_MonitoringStringGaugeCellSet(TFE_MonitoringStringGaugeCell *cell, const char *value) {
    if (!cell || !value) return;
    struct cell *c = (struct cell *)cell;
    char *copy = copy_text(value);
    if (!copy) return;
    sl_mutex_lock(&c->mutex);
    char *old = c->text;
    c->text = copy;
    sl_mutex_unlock(&c->mutex);
    sl_free(old);
}

void TFE_MonitoringStringGaugeCellValue(TFE_MonitoringStringGaugeCell *cell, TF_Buffer *buffer) {
    if (!cell || !buffer) return;
    struct cell *c = (struct cell *)cell;
    sl_mutex_lock(&c->mutex);
    char *copy = copy_text(c->text ? c->text : "");
    sl_mutex_unlock(&c->mutex);
    if (copy) sl_buffer_own(buffer, sl_str_of(copy));
}

void TFE_MonitoringSamplerCellAdd(TFE_MonitoringSamplerCell *cell, double value) {
    if (!cell) return;
    struct cell *c = (struct cell *)cell;
    struct sl_pb_HistogramProto *h = &c->sums;
    size_t at = 0;
    sl_mutex_lock(&c->mutex);
    while (at + 1 < h->bucket.n && !(value < h->bucket_limit.items[at])) at++;
    if (h->bucket.n) c->counts[at]++;
    h->min = h->num > 0 && h->min < value ? h->min : value;
    h->max = h->num > 0 && h->max > value ? h->max : value;
    h->num++;
    h->sum += value;
    h->sum_squares += value * value;
    sl_mutex_unlock(&c->mutex);
}

void TFE_MonitoringSamplerCellValue(TFE_MonitoringSamplerCell *cell, TF_Buffer *buffer) {
    if (!cell || !buffer) return;
    struct cell *c = (struct cell *)cell;
    struct sl_str bytes;
    sl_mutex_lock(&c->mutex);
    sl_code code = sl_pb_encode(&bytes, SL_PB_TYPE(HistogramProto), &c->sums, 0, NULL, NULL);
    sl_mutex_unlock(&c->mutex);
    if (code == SL_OK) sl_buffer_own(buffer, bytes);
}

/* ---- readers */

TFE_MonitoringCounterReader *TFE_MonitoringNewCounterReader(const char *name) {
    if (!name) return NULL;
    sl_mutex_lock(&counters.mutex);
    TFE_MonitoringCounterReader *reader = counters.readers;
    while (reader && strcmp(reader->name, name)) reader = reader->next;
    if (!reader && (reader = sl_calloc(1, sizeof *reader))) {
        reader->name = copy_text(name);
        reader->next = counters.readers;
        if (reader->name) counters.readers = reader;
        else sl_free(reader), reader = NULL;
    }
    sl_mutex_unlock(&counters.mutex);
    return reader;
}

static int64_t read_counter(const TFE_MonitoringCounterReader *reader, int n, const char *const *labels) {
    int64_t value = 0;
    sl_mutex_lock(&counters.mutex);
    struct metric *m = counters.eldest;
    while (m && (m->n_labels != n || strcmp(m->name, reader->name))) m = m->younger;
    if (m) {
        sl_mutex_lock(&m->mutex);
        struct cell *c = m->cells;
        while (c && !has_labels(c, labels)) c = c->next;
        sl_mutex_unlock(&m->mutex);
        if (c) value = number_of(c); /* cells live as long as the counter */
    }
    sl_mutex_unlock(&counters.mutex);
    return value;
}

int64_t TFE_MonitoringReadCounter0(TFE_MonitoringCounterReader *reader) {
    return reader ? read_counter(reader, 0, NULL) : 0;
}

int64_t TFE_MonitoringReadCounter1(TFE_MonitoringCounterReader *reader, const char *label1) {
    return reader && label1 ? read_counter(reader, 1, &label1) : 0;
}

/* ---- the functions of each kind of metric, by how many labels it has */

#define NAMES_0
#define NAMES_1  , const char *label1
#define NAMES_2  NAMES_1, const char *label2
#define NAMES_3  NAMES_2, const char *label3
#define NAMES_4  NAMES_3, const char *label4
#define LABELS_0 NULL
#define LABELS_1 ((const char *const[]){label1})
#define LABELS_2 ((const char *const[]){label1, label2})
#define LABELS_3 ((const char *const[]){label1, label2, label3})
#define LABELS_4 ((const char *const[]){label1, label2, label3, label4})
#define UNUSED_0
#define UNUSED_1 (void)label1;
#define UNUSED_2 UNUSED_1(void) label2;
#define UNUSED_3 UNUSED_2(void) label3;
#define UNUSED_4 UNUSED_3(void) label4;

#define METRIC(kind, n, parameter)                                                                                     \
    void TFE_MonitoringDelete##kind##n(TFE_Monitoring##kind##n *parameter) { metric_free(parameter); }                 \
    TFE_Monitoring##kind##Cell *TFE_MonitoringGetCell##kind##n(TFE_Monitoring##kind##n *parameter NAMES_##n) {         \
        return cell_of(parameter, n, LABELS_##n);                                                                      \
    }
#define COUNTER(n)                                                                                                     \
    TFE_MonitoringCounter##n *TFE_MonitoringNewCounter##n(const char *name, TF_Status *status,                         \
                                                          const char *description NAMES_##n) {                         \
        (void)description;                                                                                             \
        UNUSED_##n return counter_new(name, n, status);                                                                \
    }                                                                                                                  \
    METRIC(Counter, n, counter)
#define PLAIN(kind, n, parameter)                                                                                      \
    TFE_Monitoring##kind##n *TFE_MonitoringNew##kind##n(const char *name, TF_Status *status,                           \
                                                        const char *description NAMES_##n) {                           \
        (void)name, (void)description;                                                                                 \
        UNUSED_##n return metric_new(NULL, status);                                                                    \
    }                                                                                                                  \
    METRIC(kind, n, parameter)
#define SAMPLER(n)                                                                                                     \
    TFE_MonitoringSampler##n *TFE_MonitoringNewSampler##n(const char *name, TFE_MonitoringBuckets *buckets,            \
                                                          TF_Status *status, const char *description NAMES_##n) {      \
        (void)name, (void)description;                                                                                 \
        UNUSED_##n return metric_new(buckets, status);                                                                 \
    }                                                                                                                  \
    METRIC(Sampler, n, sampler)

COUNTER(0)
COUNTER(1)
COUNTER(2)
PLAIN(IntGauge, 0, gauge)
PLAIN(IntGauge, 1, gauge)
PLAIN(IntGauge, 2, gauge)
PLAIN(BoolGauge, 0, gauge)
PLAIN(BoolGauge, 1, gauge)
PLAIN(BoolGauge, 2, gauge)
PLAIN(StringGauge, 0, gauge)
PLAIN(StringGauge, 1, gauge)
PLAIN(StringGauge, 2, gauge)
PLAIN(StringGauge, 3, gauge)
PLAIN(StringGauge, 4, gauge)
SAMPLER(0)
SAMPLER(1)
SAMPLER(2)
