/* Event files: curves of numbers that TensorBoard shows. */
#ifndef SLUICE_EVENT_FILE_H
#define SLUICE_EVENT_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One owner. */
struct sl_event_writer;

/* A new file in a directory, which is made if it is missing. Several writers in one directory use different files. */
SL_API struct sl_event_writer *sl_event_writer_new(const char *dir, TF_Status *status);
/* A number, in the curve `tag` at `step`. */
SL_API void sl_event_writer_scalar(struct sl_event_writer *writer, const char *tag, int64_t step, float value,
                                   TF_Status *status);
/* What a summary op gave: a tensor of type string with one encoded Summary. */
SL_API void sl_event_writer_summary(struct sl_event_writer *writer, const TF_Tensor *summary, int64_t step,
                                    TF_Status *status);
/* Says that a run goes on with `step`: what earlier files have of it and of later ones is no longer shown. */
SL_API void sl_event_writer_start(struct sl_event_writer *writer, int64_t step, TF_Status *status);
/* Makes what was added visible to readers of the file. */
SL_API void sl_event_writer_flush(struct sl_event_writer *writer, TF_Status *status);
/* Flushes; the writer is gone whatever comes of it. NULL is fine. */
SL_API void sl_event_writer_delete(struct sl_event_writer *writer, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
