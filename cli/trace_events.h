/* Traces as the library writes them (SLUICE_TRACE): what ran, on which thread, from when to when. One thread. */
#ifndef SLUICE_CLI_TRACE_EVENTS_H
#define SLUICE_CLI_TRACE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct trace_event {
    char *name, *op; /* owned; "Loop" is the op of a whole loop */
    long thread;
    uint64_t step;
    double start, length, own; /* microseconds; own: without the events within it */
    int64_t bytes, weight;     /* of its outputs; for how many alike it stands */
    bool is_wait;              /* the node held no thread meanwhile */
    size_t row;                /* for who sums up */
};
struct trace_events {
    struct trace_event *items;
    size_t n, room;
    struct trace_event *open; /* waits whose end has not been read; `bytes` is the id */
    size_t n_open, open_room;
};

enum { TRACE_PATH = 256 };
/* Has the sessions that are made from now on write their trace into a new folder, which goes into `folder`: the files
 * "trace", "trace.2" and so on. False after an error, which has been printed. */
bool trace_begin(char folder[TRACE_PATH]);
/* What the sessions wrote that are gone; false after an error, which has been printed. */
bool trace_read(struct trace_events *out, const char *folder);
/* Removes the folder; sessions that are made from now on write no trace. */
void trace_end(const char *folder);

/* Adds the event of a line; others are passed over. */
void trace_take_line(struct trace_events *all, const char *line);
/* Sorts by thread and start, what encloses others first, and finds each event's own time. */
void trace_find_own_times(struct trace_events *all);
void trace_clear(struct trace_events *all);

#endif
