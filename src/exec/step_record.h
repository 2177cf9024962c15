/* The record of one step: a trace that keeps the events of nodes in memory, and passes them on. What waited is one
 * event, from when it began to when it was through. Threads: events come from any; it is read when the step has ended, by one. */
#ifndef SL_EXEC_STEP_RECORD_H
#define SL_EXEC_STEP_RECORD_H

#include "base/arena.h"
#include "base/vec.h"
#include "exec/trace.h"
#include "os/mutex.h"

/* What is known of a value after it is gone. */
struct sl_recorded_output {
    uint8_t kind; /* enum sl_value_kind */
    int dtype;
    struct sl_shape shape; /* of scalars and tensors */
    size_t bytes;
    const void *data;   /* of a tensor; to be compared alone */
    bool is_sole;       /* nobody else held the tensor */
    const char *memory; /* name of the memory that the elements lie in; NULL: the host's */
};
/* Names and devices are the program's. */
struct sl_recorded_event {
    struct sl_str name, op;
    const char *device;
    long thread; /* the system's id */
    int64_t start_ns, end_ns;
    bool is_wait; /* nobody has told of what follows the wait */
    struct sl_recorded_output *outputs;
    uint32_t n_outputs;
};

struct sl_step_record {
    struct sl_trace base;
    struct sl_trace *next; /* hears the same; may be NULL */
    struct sl_mutex mutex;
    struct sl_arena arena;
    SL_VEC(struct sl_recorded_event) events; /* in the order in which they ended */
    int64_t epoch_ns;                        /* add it to a time of the clock for nanoseconds since 1970 */
    size_t n_waits;
    bool is_cut; /* memory was out: events are missing */
};

void sl_step_record_init(struct sl_step_record *record, struct sl_trace *next);
void sl_step_record_clear(struct sl_step_record *record);

#endif
