/* Event files, which TensorBoard shows: a record file of Event messages that begins with its version. One owner. */
#ifndef SL_CKPT_EVENTS_H
#define SL_CKPT_EVENTS_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct sl_events;
struct sl_tensor;

/* A new file in `dir`, which is made if it is missing: events.out.tfevents.SECONDS.HOST.PROCESS.NUMBER, a name that
 * no other has. */
sl_code sl_events_open(struct sl_events **out, const char *dir, struct sl_error *err);
/* The same, with `suffix` after the name. */
sl_code sl_events_open_with(struct sl_events **out, const char *dir, const char *suffix, struct sl_error *err);
/* The path, which is the writer's. */
const char *sl_events_path(const struct sl_events *e);

/* A number, in the curve `tag` at `step`. INVALID_ARGUMENT when the tag is not UTF-8. */
sl_code sl_events_add_scalar(struct sl_events *e, struct sl_str tag, int64_t step, float value, struct sl_error *err);
/* An encoded Summary message, as summary ops give them. INVALID_ARGUMENT or DATA_LOSS when it is none. */
sl_code sl_events_add_summary(struct sl_events *e, struct sl_str summary, int64_t step, struct sl_error *err);
/* A tensor, as the summary `tag` at `step`. `metadata`: an encoded SummaryMetadata message, or "". INVALID_ARGUMENT
 * when the tag is not UTF-8, INVALID_ARGUMENT or DATA_LOSS when the metadata is none. */
sl_code sl_events_add_tensor(struct sl_events *e, struct sl_str tag, int64_t step, const struct sl_tensor *tensor,
                             struct sl_str metadata, struct sl_error *err);
/* An encoded GraphDef message. INVALID_ARGUMENT or DATA_LOSS when it is none. */
sl_code sl_events_add_graph(struct sl_events *e, struct sl_str graph, int64_t step, struct sl_error *err);
/* An encoded Event message, as it is. INVALID_ARGUMENT or DATA_LOSS when it is none. */
sl_code sl_events_add_event(struct sl_events *e, struct sl_str event, struct sl_error *err);
/* Says that a run begins (again) with `step`: what files before this one have of it and of later ones is not shown. */
sl_code sl_events_add_start(struct sl_events *e, int64_t step, struct sl_error *err);

/* Others see what was added. */
sl_code sl_events_flush(struct sl_events *e, struct sl_error *err);
/* Flushes and frees, also on failure. */
sl_code sl_events_close(struct sl_events *e, struct sl_error *err);

#endif
