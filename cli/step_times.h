/* Where the time of steps goes: the library writes a trace of its sessions, from which this makes a table. One
 * thread. */
#ifndef SLUICE_CLI_STEP_TIMES_H
#define SLUICE_CLI_STEP_TIMES_H

#include <stdbool.h>
#include <stdio.h>

#include "trace_events.h"

/* After trace_begin, when the sessions made since are gone: prints what they did, a row for each op (or node), the longest first, unless `out`
 * is NULL; then removes the folder. Times are of the op itself: what ran within it (bodies of functions and loops)
 * has rows of its own. */
bool step_times_end(FILE *out, const char *folder, bool by_node);

#endif
