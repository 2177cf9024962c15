/* The functions of sluice/event_file.h: handles around ckpt's event files. */
#include "sluice/event_file.h"

#include "capi/handles.h"
#include "ckpt/events.h"
#include "tensor/tensor.h"

static struct sl_events *events_of(struct sl_event_writer *writer) { return (struct sl_events *)(void *)writer; }

struct sl_event_writer *sl_event_writer_new(const char *dir, TF_Status *status) {
    struct sl_error err;
    struct sl_events *e;
    if (!sl_status_take(status, sl_events_open(&e, dir, &err), &err)) return NULL;
    return (struct sl_event_writer *)(void *)e;
}

void sl_event_writer_scalar(struct sl_event_writer *writer, const char *tag, int64_t step, float value,
                            TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_events_add_scalar(events_of(writer), sl_str_of(tag), step, value, &err), &err);
}

void sl_event_writer_summary(struct sl_event_writer *writer, const TF_Tensor *summary, int64_t step,
                             TF_Status *status) {
    struct sl_error err;
    if (TF_TensorType(summary) != TF_STRING || TF_TensorElementCount(summary) != 1) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "A summary is one string");
        return;
    }
    const TF_TString *text = TF_TensorData(summary);
    struct sl_str bytes = {TF_StringGetDataPointer(text), TF_StringGetSize(text)};
    sl_status_take(status, sl_events_add_summary(events_of(writer), bytes, step, &err), &err);
}

void sl_event_writer_start(struct sl_event_writer *writer, int64_t step, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_events_add_start(events_of(writer), step, &err), &err);
}

void sl_event_writer_flush(struct sl_event_writer *writer, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_events_flush(events_of(writer), &err), &err);
}

void sl_event_writer_delete(struct sl_event_writer *writer, TF_Status *status) {
    struct sl_error err;
    if (!writer) return;
    sl_status_take(status, sl_events_close(events_of(writer), &err), &err);
}
