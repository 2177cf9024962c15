/* Traces: what steps did and when. Who looks is a table of functions, and a step tells it of each node. Two look: a
 * file of trace events that Chrome's tracing page and Perfetto open (here), and the record of one step in memory
 * (step_record.h). Times are those of sl_clock_ns. Threads: thread-safe. */
#ifndef SL_EXEC_TRACE_H
#define SL_EXEC_TRACE_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "os/clock.h"
#include "tensor/value.h"

/* What an event is about: a node, its op, the full name of the device ("": none in particular), the step. Borrowed. */
struct sl_trace_subject {
    struct sl_str name, kind;
    const char *device;
    uint64_t step, weight; /* `weight`: for how many alike it stands, 0 or 1: for itself */
    bool is_loop;          /* no node: a whole loop, whose items have events of their own */
};
/* From when to when, and the values that it put out (`n` 0: none, or nobody knows). Borrowed. */
struct sl_trace_span {
    int64_t start_ns, end_ns;
    const struct sl_value *outputs;
    uint32_t n;
};

struct sl_trace {
    void (*event)(struct sl_trace *trace, const struct sl_trace_subject *subject, struct sl_trace_span span);
    void (*wait)(struct sl_trace *trace, const struct sl_trace_subject *subject, struct sl_trace_span span);
    void (*arrow)(struct sl_trace *trace, const struct sl_trace_subject *subject, uint64_t id, int64_t at_ns,
                  bool is_head);
    void (*close)(struct sl_trace *trace);
    uint64_t every; /* it has a part of what is done again and again, see sl_trace_take_turn; 0: all */
};

/* One thing that was done on this thread from `start_ns` to now. */
static inline void sl_trace_event(struct sl_trace *trace, const struct sl_trace_subject *subject, int64_t start_ns,
                                  const struct sl_value *outputs, uint32_t n) {
    trace->event(trace, subject, (struct sl_trace_span){start_ns, sl_clock_ns(), outputs, n});
}
/* A node that waited without holding a thread: shown in rows of their own below the threads of the device. */
static inline void sl_trace_wait(struct sl_trace *trace, const struct sl_trace_subject *subject,
                                 struct sl_trace_span span) {
    trace->wait(trace, subject, span);
}
/* One end of an arrow, in the event that this thread did at `at_ns`; both ends give the same id. */
static inline void sl_trace_arrow(struct sl_trace *trace, const struct sl_trace_subject *subject, uint64_t id,
                                  int64_t at_ns, bool is_head) {
    trace->arrow(trace, subject, id, at_ns, is_head);
}
/* NULL is fine. */
static inline void sl_trace_close(struct sl_trace *trace) {
    if (trace) trace->close(trace);
}

/* Creates the file PATH; when it is there, PATH.2, PATH.3 and so on, so every session has its own. Format: "Trace Event
 * Format", a JSON array, times in microseconds. A process of the format is a device; its threads are the threads that
 * worked for that device. Closing writes what is left. */
sl_code sl_trace_open(struct sl_trace **out, const char *path, uint64_t every, struct sl_error *err);

struct sl_step_env;
/* Sets what of turn number `turn`, from 0, is traced, in `env`, which else is as `outer`: everything in the first `every`
 * turns, and then in each `every`-th turn, whose events stand for so many; in the others nothing. */
void sl_trace_take_turn(struct sl_step_env *env, const struct sl_step_env *outer, uint64_t turn);

#endif
