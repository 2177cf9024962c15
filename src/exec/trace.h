/* Traces: what every step did and when, as a file of trace events that Chrome's tracing page and Perfetto open.
 * Format: "Trace Event Format", JSON array of complete events ("ph": "X"), times in microseconds. Threads: thread-safe. */
#ifndef SL_EXEC_TRACE_H
#define SL_EXEC_TRACE_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "tensor/value.h"

struct sl_trace;
/* Creates the file; when there is one of that name, PATH.2, PATH.3 and so on: every session has a file of its own. */
sl_code sl_trace_open(struct sl_trace **out, const char *path, struct sl_error *err);
/* One thing that was done on this thread from `start_ns` to now (clock of sl_clock_ns), and how many bytes it put out. */
void sl_trace_event(struct sl_trace *trace, struct sl_str name, struct sl_str kind, uint64_t step, int64_t start_ns,
                    int64_t bytes);
/* Bytes of the elements of `n` values. */
int64_t sl_trace_bytes(const struct sl_value *values, uint32_t n);
/* Writes what is left and closes. NULL is fine. */
void sl_trace_close(struct sl_trace *trace);

#endif
