/* Softmax, LogSoftmax and the cross entropies that start with one. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/loops.h"
#include "backends/cpu/nn/softmax_loops.h"
#include "backends/cpu/wide.h"

static const struct sl_softmax_loops *loops_for(int dtype) { return SL_ISA_PICK(sl_softmax_loops)(dtype == SL_DOUBLE); }
static int64_t size_of(int dtype) { return (int64_t)sl_dtype_size(dtype); }

#define EXPONENTIAL_NS 0.8

/* ---- Softmax, LogSoftmax. half and bfloat16 are computed in float, some rows at a time. */
struct rows {
    const struct sl_softmax_loops *loops;
    int64_t n, size;
    char *to;
    const char *x;
    bool is_log;
    int half; /* the dtype of `to` and `x`, of 2 bytes, or 0 */
    atomic_bool is_out_of_memory;
};

enum { ROOM = 8192 /* floats */ };

static void run_some(const struct rows *r, void *to, const void *x, int64_t rows) {
    if (r->is_log) r->loops->log_softmax(to, x, rows, r->n);
    else r->loops->softmax(to, NULL, NULL, x, rows, r->n);
}

static void run_rows(void *arg, int64_t begin, int64_t end) {
    const struct rows *r = arg;
    run_some(r, r->to + begin * r->n * r->size, r->x + begin * r->n * r->size, end - begin);
}

static void run_half_rows(void *arg, int64_t begin, int64_t end) {
    struct rows *r = arg;
    const sl_loop_fn widen = SL_ISA_PICK(sl_cast_loop)(r->half, SL_FLOAT);
    const sl_loop_fn narrow = SL_ISA_PICK(sl_cast_loop)(SL_FLOAT, r->half);
    const int64_t some = r->n < ROOM ? ROOM / r->n : 1;
    const size_t bytes = (size_t)(some * r->n) * sizeof(float);
    float few[ROOM], *part = r->n > ROOM ? sl_scratch_new(bytes) : few;
    if (!part) {
        atomic_store(&r->is_out_of_memory, true);
        return;
    }
    for (int64_t row = begin; row < end; row += some) {
        const int64_t rows = end - row < some ? end - row : some, at = row * r->n * r->size;
        widen(part, r->x + at, NULL, NULL, rows * r->n);
        run_some(r, part, part, rows);
        narrow(r->to + at, part, NULL, NULL, rows * r->n);
    }
    if (part != few) sl_scratch_free(part, bytes);
}

static sl_code softmax(struct sl_kernel_context *k, bool is_log) {
    struct sl_view x = sl_in(k, 0), out;
    if (x.rank < 1) return sl_invalid(k, "logits must have >= 1 dimension, got []");
    SL_TRY(sl_out_reuse(&out, k, 0, sl_view_shape(x), 0, 1));
    if (out.count == 0) return SL_OK;
    struct rows r = {loops_for(x.dtype), out.dims[out.rank - 1], size_of(x.dtype), out.data, x.data, is_log, 0, false};
    if (x.dtype == SL_HALF || x.dtype == SL_BFLOAT16) r.half = x.dtype;
    sl_kernel_split(k, out.count / r.n, (double)r.n * EXPONENTIAL_NS + 10, r.half ? run_half_rows : run_rows, &r);
    return atomic_load(&r.is_out_of_memory) ? sl_fail_memory(k->err, (size_t)r.n * sizeof(float)) : SL_OK;
}
static sl_code softmax_run(struct sl_kernel_context *k) { return softmax(k, false); }
static sl_code log_softmax_run(struct sl_kernel_context *k) { return softmax(k, true); }

/* ---- cross entropies: softmax of the logits into `gradient`, then the loss of each row */
struct entropy {
    const struct sl_softmax_loops *loops;
    int64_t n, size;
    char *losses, *gradient, *tops;
    const char *x;
    const char *labels; /* of every class, or NULL */
    const void *indices;
    int index_type;
};

static int64_t index_at(const void *indices, int dtype, int64_t i) {
    return dtype == SL_INT64 ? ((const int64_t *)indices)[i] : ((const int32_t *)indices)[i];
}

#define AT_LABEL(T)                                                                                                    \
    static void at_label_##T(const struct entropy *e, int64_t row, int64_t label) {                                    \
        T *loss = (T *)e->losses + row;                                                                                \
        *loss -= ((const T *)e->x)[row * e->n + label] - ((const T *)e->tops)[row];                                    \
        ((T *)e->gradient)[row * e->n + label] -= 1;                                                                   \
    }
AT_LABEL(float)
AT_LABEL(double)

static void run_entropy(void *arg, int64_t begin, int64_t end) {
    const struct entropy *e = arg;
    int64_t row = e->n * e->size;
    char *gradient = e->gradient + begin * row, *losses = e->losses + begin * e->size,
         *tops = e->tops + begin * e->size;
    e->loops->softmax(gradient, losses, tops, e->x + begin * row, end - begin, e->n);
    if (e->labels) {
        e->loops->cross_entropy(gradient, losses, tops, e->x + begin * row, e->labels + begin * row, end - begin, e->n);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        int64_t label = index_at(e->indices, e->index_type, i);
        if (e->size == 8) at_label_double(e, i, label);
        else at_label_float(e, i, label);
    }
}

/* Makes both outputs from logits (and labels) of rows x n, in the type computed in. */
static sl_code finish_entropy(struct sl_kernel_context *k, struct entropy *e, int64_t rows, int dtype) {
    struct sl_view loss, gradient;
    struct sl_wide wide_loss = {0}, wide_gradient = {0};
    SL_TRY(sl_out_new(&loss, k, 0, (struct sl_shape){1, &rows}));
    SL_TRY(sl_out_new(&gradient, k, 1, (struct sl_shape){2, (int64_t[]){rows, e->n}}));
    if (gradient.count == 0) {
        memset(loss.data, 0, (size_t)(loss.count * size_of(loss.dtype)));
        return SL_OK;
    }
    size_t bytes = (size_t)(rows * size_of(dtype));
    e->tops = sl_scratch_new(bytes);
    if (!e->tops) return sl_fail_memory(k->err, bytes);
    sl_code code = sl_wide_out(&wide_loss, k, loss);
    if (code == SL_OK) code = sl_wide_out(&wide_gradient, k, gradient);
    if (code == SL_OK) {
        e->loops = loops_for(dtype);
        e->size = size_of(dtype);
        e->losses = wide_loss.data;
        e->gradient = wide_gradient.data;
        sl_kernel_split(k, rows, (double)e->n * EXPONENTIAL_NS * 1.5 + 20, run_entropy, e);
        sl_wide_store(&wide_loss, k, loss);
        sl_wide_store(&wide_gradient, k, gradient);
    }
    sl_scratch_free(e->tops, bytes);
    sl_wide_free(&wide_loss);
    sl_wide_free(&wide_gradient);
    return code;
}

/* Repeats rows and columns of `w`, of shape from[0] x from[1], to make it to[0] x to[1]. */
static sl_code spread(struct sl_wide *w, struct sl_kernel_context *k, const int64_t from[2], const int64_t to[2]) {
    if (from[0] == to[0] && from[1] == to[1]) return SL_OK;
    size_t size = sl_dtype_size(w->dtype), bytes = (size_t)(to[0] * to[1]) * size;
    if (bytes == 0) return SL_OK;
    char *spread = sl_scratch_new(bytes);
    if (!spread) return sl_fail_memory(k->err, bytes);
    for (int64_t i = 0; i < to[0]; i++)
        for (int64_t j = 0; j < to[1]; j++)
            memcpy(spread + (size_t)(i * to[1] + j) * size,
                   (const char *)w->data + (size_t)((from[0] == 1 ? 0 : i * from[1]) + (from[1] == 1 ? 0 : j)) * size,
                   size);
    sl_wide_free(w);
    *w = (struct sl_wide){spread, w->dtype, bytes};
    return SL_OK;
}

static sl_code cross_entropy_run(struct sl_kernel_context *k) {
    struct sl_view in[2] = {sl_in(k, 0), sl_in(k, 1)};
    int64_t size[2][2], to[2];
    for (int i = 0; i < 2; i++) {
        if (in[i].rank > 2)
            return sl_invalid(k, "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional");
        for (int d = 0; d < 2; d++) size[i][d] = d + in[i].rank >= 2 ? in[i].dims[d + in[i].rank - 2] : 1;
    }
    for (int d = 0; d < 2; d++) {
        int64_t x = size[0][d], y = size[1][d];
        char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
        if (x != y && x != 1 && y != 1)
            return sl_invalid(k, "logits and labels must be broadcastable: logits_size=%s labels_size=%s",
                              sl_shape_text(a, sl_view_shape(in[0])), sl_shape_text(b, sl_view_shape(in[1])));
        to[d] = x == 1 ? y : x;
    }
    if (in[0].rank < 2 && in[1].rank < 2)
        return sl_invalid(k, "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional");
    struct sl_wide x = {0}, labels = {0};
    sl_code code = sl_wide_in(&x, k, in[0]);
    if (code == SL_OK) code = spread(&x, k, size[0], to);
    if (code == SL_OK) code = sl_wide_in(&labels, k, in[1]);
    if (code == SL_OK) code = spread(&labels, k, size[1], to);
    if (code == SL_OK) {
        struct entropy e = {.n = to[1], .x = x.data, .labels = labels.data};
        code = finish_entropy(k, &e, to[0], x.dtype);
    }
    sl_wide_free(&x);
    sl_wide_free(&labels);
    return code;
}

static sl_code check_labels(struct sl_kernel_context *k, struct sl_view labels, int64_t n) {
    for (int64_t i = 0; i < labels.count; i++) {
        int64_t label = index_at(labels.data, labels.dtype, i);
        if (label >= 0 && label < n) continue;
        char text[512] = "";
        for (int64_t j = 0, at = 0; j < labels.count && at < (int64_t)sizeof text - 24; j++)
            at += snprintf(text + at, sizeof text - (size_t)at, "%s%" PRId64, j ? " " : "",
                           index_at(labels.data, labels.dtype, j));
        return sl_invalid(k,
                          "Received a label value of %" PRId64 " which is outside the valid range of [0, %" PRId64
                          ").  Label values: %s",
                          label, n, text);
    }
    return SL_OK;
}

static sl_code sparse_cross_entropy_run(struct sl_kernel_context *k) {
    struct sl_view logits = sl_in(k, 0), labels = sl_in(k, 1);
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    sl_shape_text(a, sl_view_shape(logits));
    sl_shape_text(b, sl_view_shape(labels));
    if (logits.rank != 2) return sl_invalid(k, "logits must be 2-D, but got shape %s", a);
    if (labels.rank != 1) return sl_invalid(k, "labels must be 1-D, but got shape %s", b);
    if (logits.dims[0] != labels.dims[0])
        return sl_invalid(
            k, "logits and labels must have the same first dimension, got logits shape %s and labels shape %s", a, b);
    if (logits.dims[1] == 0) return sl_invalid(k, "Must have at least one class, but got logits shape %s", a);
    SL_TRY(check_labels(k, labels, logits.dims[1]));
    struct sl_wide x;
    SL_TRY(sl_wide_in(&x, k, logits));
    struct entropy e = {.n = logits.dims[1], .x = x.data, .indices = labels.data, .index_type = labels.dtype};
    sl_code code = finish_entropy(k, &e, logits.dims[0], x.dtype);
    sl_wide_free(&x);
    return code;
}

const struct sl_kernel_def sl_cpu_softmax_rows[] = {
    KERNEL("Softmax", RULE("T", SL_SET_FLOATS), .run = softmax_run, .cost_ns = 80, .cost_element = 0.8f)
        KERNEL("LogSoftmax", RULE("T", SL_SET_FLOATS), .run = log_softmax_run, .cost_ns = 80, .cost_element = 0.8f)
            KERNEL("SoftmaxCrossEntropyWithLogits", RULE("T", SL_SET_FLOATS), .run = cross_entropy_run, .cost_ns = 120,
                   .cost_element = 1.2f) KERNEL("SparseSoftmaxCrossEntropyWithLogits",
                                                RULE("T", SL_SET_FLOATS) RULE("Tlabels", SL_SET(INT32) | SL_SET(INT64)),
                                                .run = sparse_cross_entropy_run, .cost_ns = 120, .cost_element = 1.2f)
                SL_ROWS_END};
