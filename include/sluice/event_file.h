/* Event files: curves of numbers and summaries, for TensorBoard. */
#ifndef SLUICE_EVENT_FILE_H
#define SLUICE_EVENT_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One thread at a time may use a writer. */
struct sl_event_writer;

/* Makes a new file in `dir`, which is made if it is missing. Several writers in one directory use different files. NULL
 * on failure. */
SL_API struct sl_event_writer *sl_event_writer_new(const char *dir, TF_Status *status);
/* Adds the point `value` at `step` to the curve `tag`. */
SL_API void sl_event_writer_scalar(struct sl_event_writer *writer, const char *tag, int64_t step, float value,
                                   TF_Status *status);
/* Adds the result of a summary op: a tensor of type string with one element, an encoded Summary. INVALID_ARGUMENT for
 * others. */
SL_API void sl_event_writer_summary(struct sl_event_writer *writer, const TF_Tensor *summary, int64_t step,
                                    TF_Status *status);
/* Says that a run was resumed and that `step` is its next step: TensorBoard then drops what earlier files of the
 * directory have of this step and later ones. */
SL_API void sl_event_writer_start(struct sl_event_writer *writer, int64_t step, TF_Status *status);
/* Makes what was added visible to readers of the file. */
SL_API void sl_event_writer_flush(struct sl_event_writer *writer, TF_Status *status);
/* Flushes, and deletes the writer, also on failure. NULL is fine. */
SL_API void sl_event_writer_delete(struct sl_event_writer *writer, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
