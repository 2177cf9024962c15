/* Traces: what every step did and when, as a file of trace events that Chrome's tracing page and Perfetto open.
 * Format: "Trace Event Format", a JSON array, times in microseconds; a process of it is a device, its threads are
 * those that worked there. Times are those of sl_clock_ns. Threads: thread-safe. */
#ifndef SL_EXEC_TRACE_H
#define SL_EXEC_TRACE_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "tensor/value.h"

struct sl_trace;
/* Creates the file; when there is one of that name, PATH.2, PATH.3 and so on: every session has a file of its own. */
sl_code sl_trace_open(struct sl_trace **out, const char *path, struct sl_error *err);
/* What an event is about: a node, its op, the full name of the device ("": none in particular), the step. Borrowed. */
struct sl_trace_subject {
    struct sl_str name, kind;
    const char *device;
    uint64_t step;
};
/* One thing that was done on this thread from `start_ns` to now, and how many bytes it put out. */
void sl_trace_event(struct sl_trace *trace, const struct sl_trace_subject *subject, int64_t start_ns, int64_t bytes);
/* It waited, on no thread: a row of its own below the device's threads. */
void sl_trace_wait(struct sl_trace *trace, const struct sl_trace_subject *subject, int64_t start_ns, int64_t end_ns);
/* One end of an arrow, in the event that this thread did at `at_ns`; both ends give the same id. */
void sl_trace_arrow(struct sl_trace *trace, const struct sl_trace_subject *subject, uint64_t id, int64_t at_ns,
                    bool is_head);
/* Bytes of the elements of `n` values. */
int64_t sl_trace_bytes(const struct sl_value *values, uint32_t n);
/* Writes what is left and closes. NULL is fine. */
void sl_trace_close(struct sl_trace *trace);

#endif
