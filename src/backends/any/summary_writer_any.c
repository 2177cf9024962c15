/* Summary writers, as tf.summary and Keras have them in graphs: a resource that CreateSummaryFileWriter gives an event
 * file, ops that write into it, CloseSummaryWriter. What was written reaches the file once more than max_queue events
 * wait or flush_millis have passed, when it is flushed, closed, or dropped with the session.
 *
 * WriteHistogramSummary and its kin, which make summaries of their own, are not here: those before tf.summary. */
#include <inttypes.h>

#include "backends/any/any_kernels.h"
#include "backends/any/path_input.h"
#include "backends/any/session_object.h"
#include "base/alloc.h"
#include "ckpt/events.h"
#include "kernel/resources.h"
#include "os/clock.h"
#include "tensor/float16.h"

struct summary_writer {
    struct sl_session_object base;
    struct sl_mutex lock;
    struct sl_events *events; /* NULL: not created yet, or closed; guarded by `lock`, as what follows */
    int64_t most_waiting, flush_us;
    int64_t n_waiting, flushed_at;
};

static void writer_free(struct sl_object *object) {
    struct summary_writer *w = (struct summary_writer *)object;
    if (w->events) sl_events_close(w->events, NULL);
    sl_session_object_clear(&w->base);
    sl_mutex_clear(&w->lock);
    sl_free(w);
}
static const struct sl_object_type writer_type = {.name = "tensorflow::SummaryWriterInterface", .free = writer_free};

/* ---- SummaryWriter */

static sl_code maker_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_session_maker *m = sl_malloc(sizeof *m);
    if (!m) return sl_fail_memory(setup->err, sizeof *m);
    sl_code code = sl_session_maker_init(m, setup, SL_NAMED_BY_NODE);
    if (code == SL_OK) *state = m;
    else sl_free(m);
    return code;
}

static void maker_destroy(void *state) {
    sl_session_maker_clear(state);
    sl_free(state);
}

static sl_code writer_make(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    (void)arg;
    struct summary_writer *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    sl_object_init(&w->base.object, &writer_type);
    sl_mutex_init(&w->lock);
    *out = &w->base;
    return SL_OK;
}

static sl_code writer_run(struct sl_kernel_context *k) {
    struct sl_session_object *o;
    SL_TRY(sl_session_object_get(&o, k, k->state, &writer_type, writer_make, NULL, NULL));
    return sl_session_object_give(k, k->state);
}

/* ---- what is done with one; `act` runs while the lock is held */

typedef sl_code act_fn(struct summary_writer *w, struct sl_kernel_context *k);

static sl_code with_writer(struct sl_kernel_context *k, act_fn *act, bool must_be_open) {
    struct sl_held held;
    SL_TRY(sl_session_object_hold(&held, k, &writer_type));
    struct summary_writer *w = (struct summary_writer *)held.object;
    struct sl_str container = sl_str_of(w->base.container), name = sl_str_of(w->base.name);
    struct sl_object *named = NULL; /* what DestroyResourceOp takes away, though the handle still holds the writer */
    sl_code code = SL_OK;
    sl_mutex_lock(&w->lock);
    if (must_be_open)
        code = sl_resources_find(&named, k->env->session_resources, container, &writer_type, name, k->err);
    if (code == SL_OK && must_be_open && (!w->events || named != &w->base.object))
        code = sl_resources_fail_missing(container, name, &writer_type, k->err);
    if (code == SL_OK) code = act(w, k);
    sl_mutex_unlock(&w->lock);
    if (named) sl_object_unref(named);
    sl_held_release(held);
    return code;
}

static sl_code flush(struct summary_writer *w, struct sl_kernel_context *k) {
    w->n_waiting = 0;
    w->flushed_at = sl_wall_us();
    return sl_events_flush(w->events, k->err);
}

/* An event was added. */
static sl_code count_event(struct summary_writer *w, struct sl_kernel_context *k) {
    bool is_due = ++w->n_waiting > w->most_waiting || sl_wall_us() - w->flushed_at > w->flush_us;
    return is_due ? flush(w, k) : SL_OK;
}

/* Input i, which must be a scalar. */
static sl_code scalar_input(struct sl_view *out, struct sl_kernel_context *k, int i, const char *what) {
    char shape[SL_SHAPE_TEXT];
    *out = sl_in(k, i);
    if (out->rank == 0) return SL_OK;
    return sl_invalid(k, "%s must be a scalar, but got shape %s", what, sl_shape_text(shape, sl_view_shape(*out)));
}

static sl_code string_input(struct sl_str *out, struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v;
    SL_TRY(scalar_input(&v, k, i, what));
    *out = sl_string_get(v.data);
    return SL_OK;
}

static sl_code step_input(int64_t *out, struct sl_kernel_context *k) {
    struct sl_view v;
    SL_TRY(scalar_input(&v, k, 1, "step"));
    *out = *(const int64_t *)v.data;
    return SL_OK;
}

/* ---- create, flush, close */

static sl_code create_in(struct summary_writer *w, struct sl_kernel_context *k, struct sl_arena *arena) {
    char *dir, *suffix;
    struct sl_view queue, millis;
    SL_TRY(sl_in_path(&dir, k, 1, "logdir", arena));
    SL_TRY(scalar_input(&queue, k, 2, "max_queue"));
    SL_TRY(scalar_input(&millis, k, 3, "flush_millis"));
    SL_TRY(sl_in_path(&suffix, k, 4, "filename_suffix", arena));
    w->most_waiting = *(const int32_t *)queue.data;
    w->flush_us = *(const int32_t *)millis.data * INT64_C(1000);
    SL_TRY(sl_events_open_with(&w->events, dir, suffix, k->err));
    return flush(w, k); /* readers see the file as soon as it is there */
}

static sl_code create_act(struct summary_writer *w, struct sl_kernel_context *k) {
    struct sl_arena arena;
    if (w->events) return SL_OK; /* whoever was first has chosen */
    sl_arena_init(&arena);
    sl_code code = create_in(w, k, &arena);
    sl_arena_clear(&arena);
    return code;
}

static sl_code close_act(struct summary_writer *w, struct sl_kernel_context *k) {
    struct sl_events *events = w->events;
    w->events = NULL;
    return sl_events_close(events, k->err);
}

static sl_code create_run(struct sl_kernel_context *k) { return with_writer(k, create_act, false); }
static sl_code flush_run(struct sl_kernel_context *k) { return with_writer(k, flush, true); }
static sl_code close_run(struct sl_kernel_context *k) { return with_writer(k, close_act, true); }

/* ---- write */

static sl_code tensor_act(struct summary_writer *w, struct sl_kernel_context *k) {
    struct sl_tensor *tensor;
    struct sl_str tag, metadata;
    int64_t step;
    SL_TRY(step_input(&step, k));
    SL_TRY(string_input(&tag, k, 3, "tag"));
    SL_TRY(string_input(&metadata, k, 4, "summary_metadata"));
    SL_TRY(sl_in_tensor(&tensor, k, 2));
    sl_code code = sl_events_add_tensor(w->events, tag, step, tensor, metadata, k->err);
    sl_tensor_unref(tensor);
    return code == SL_OK ? count_event(w, k) : code;
}

/* What an event file says of bytes that are no message becomes `what`. */
static sl_code as_data_loss(sl_code code, struct sl_kernel_context *k, const char *what) {
    if (code != SL_DATA_LOSS && code != SL_INVALID_ARGUMENT) return code;
    return sl_fail(k->err, SL_DATA_LOSS, "Bad %s binary proto tensor string", what);
}

/* Messages one after another are one message that has the values of all. */
static sl_code summaries_act(struct summary_writer *w, struct sl_kernel_context *k) {
    struct sl_view texts = sl_in(k, 2);
    int64_t step;
    SL_TRY(step_input(&step, k));
    const TF_TString *s = texts.data;
    size_t n = 0, at = 0;
    for (int64_t i = 0; i < texts.count; i++) n += sl_string_get(&s[i]).n;
    char *all = sl_malloc(n + 1);
    if (!all) return sl_fail_memory(k->err, n);
    for (int64_t i = 0; i < texts.count; i++) {
        struct sl_str one = sl_string_get(&s[i]);
        if (one.n) memcpy(all + at, one.p, one.n);
        at += one.n;
    }
    sl_code code = sl_events_add_summary(w->events, (struct sl_str){all, n}, step, k->err);
    sl_free(all);
    code = as_data_loss(code, k, "tf.compat.v1.Summary");
    return code == SL_OK ? count_event(w, k) : code;
}

static sl_code graph_act(struct summary_writer *w, struct sl_kernel_context *k) {
    struct sl_str graph;
    int64_t step;
    SL_TRY(step_input(&step, k));
    SL_TRY(string_input(&graph, k, 2, "tensor"));
    SL_TRY(as_data_loss(sl_events_add_graph(w->events, graph, step, k->err), k, "tf.GraphDef"));
    return count_event(w, k);
}

static sl_code event_act(struct summary_writer *w, struct sl_kernel_context *k) {
    struct sl_str event;
    SL_TRY(string_input(&event, k, 1, "event"));
    SL_TRY(as_data_loss(sl_events_add_event(w->events, event, k->err), k, "tf.Event"));
    return count_event(w, k);
}

static float number_of(struct sl_view v) {
    const void *p = v.data;
    switch (v.dtype) {
    case SL_FLOAT: return *(const float *)p;
    case SL_DOUBLE: return (float)*(const double *)p;
    case SL_HALF: return sl_float_of_half(*(const sl_half *)p);
    case SL_BFLOAT16: return sl_float_of_bfloat16(*(const sl_bfloat16 *)p);
    case SL_INT8: return *(const int8_t *)p;
    case SL_UINT8: return *(const uint8_t *)p;
    case SL_INT16: return *(const int16_t *)p;
    case SL_UINT16: return *(const uint16_t *)p;
    case SL_INT32: return (float)*(const int32_t *)p;
    case SL_UINT32: return (float)*(const uint32_t *)p;
    case SL_INT64: return (float)*(const int64_t *)p;
    default: return (float)*(const uint64_t *)p;
    }
}

static sl_code scalar_act(struct summary_writer *w, struct sl_kernel_context *k) {
    struct sl_str tag;
    struct sl_view value;
    int64_t step;
    SL_TRY(step_input(&step, k));
    SL_TRY(string_input(&tag, k, 2, "tag"));
    SL_TRY(scalar_input(&value, k, 3, "value"));
    SL_TRY(sl_events_add_scalar(w->events, tag, step, number_of(value), k->err));
    return count_event(w, k);
}

static sl_code write_tensor_run(struct sl_kernel_context *k) { return with_writer(k, tensor_act, true); }
static sl_code write_summaries_run(struct sl_kernel_context *k) { return with_writer(k, summaries_act, true); }
static sl_code write_graph_run(struct sl_kernel_context *k) { return with_writer(k, graph_act, true); }
static sl_code write_scalar_run(struct sl_kernel_context *k) { return with_writer(k, scalar_act, true); }
static sl_code import_run(struct sl_kernel_context *k) { return with_writer(k, event_act, true); }

/* clang-format off */
const struct sl_kernel_def sl_any_summary_writer_rows[] = {
    KERNEL("SummaryWriter", NO_RULE, .create = maker_create, .destroy = maker_destroy, .run = writer_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("CreateSummaryFileWriter", NO_RULE, .run = create_run)
    KERNEL("FlushSummaryWriter", NO_RULE, .run = flush_run)
    KERNEL("CloseSummaryWriter", NO_RULE, .run = close_run)
    KERNEL("WriteSummary", NO_RULE, .run = write_tensor_run)
    KERNEL("WriteRawProtoSummary", NO_RULE, .run = write_summaries_run)
    KERNEL("WriteGraphSummary", NO_RULE, .run = write_graph_run)
    KERNEL("WriteScalarSummary", RULE("T", SL_SET_REAL), .run = write_scalar_run)
    KERNEL("ImportEvent", NO_RULE, .run = import_run)
    SL_ROWS_END
};
/* clang-format on */
