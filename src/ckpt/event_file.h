/* Event files, which TensorBoard reads: record files of Event messages. The first says the version; each has the time it was
 * written. One owner. */
#ifndef SL_CKPT_EVENT_FILE_H
#define SL_CKPT_EVENT_FILE_H

#include "base/arena.h"
#include "ckpt/record.h"
#include "proto/gen/messages.h"

struct sl_event_writer;

/* A new file "events.out.tfevents.<seconds>.<host><suffix>" in `dir`, which is made when it is not there. */
sl_code sl_event_writer_open(struct sl_event_writer **out, const char *dir, const char *suffix, struct sl_error *err);
const char *sl_event_writer_path(const struct sl_event_writer *w);
/* Appends an event; a wall_time of 0 becomes the present. */
sl_code sl_event_writer_add(struct sl_event_writer *w, const struct sl_pb_Event *event, struct sl_error *err);
/* Appends a Summary, encoded, of this step. INVALID_ARGUMENT when it is none. */
sl_code sl_event_writer_add_summary(struct sl_event_writer *w, int64_t step, struct sl_str summary,
                                    struct sl_error *err);
/* Others see what was added. */
sl_code sl_event_writer_flush(struct sl_event_writer *w, struct sl_error *err);
/* Frees, also on failure. */
sl_code sl_event_writer_close(struct sl_event_writer *w, struct sl_error *err);

/* The next event of a file opened by sl_record_reader_open without compression; `*at_end` when there is none. It is in `arena`, and borrows
 * from the reader until the next call. DATA_LOSS. */
sl_code sl_event_read(struct sl_pb_Event *event, bool *at_end, struct sl_record_reader *r, struct sl_arena *arena,
                      struct sl_error *err);

#endif
