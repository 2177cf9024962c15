/* Where the time of steps goes: the library writes a trace of its sessions, from which this makes a table. One
 * thread. */
#ifndef SLUICE_CLI_STEP_TIMES_H
#define SLUICE_CLI_STEP_TIMES_H

#include <stdbool.h>
#include <stdio.h>

enum { STEP_TIMES_PATH = 256 };

/* Has the sessions that are made from now on write their trace into a new folder, which goes into `folder`. False
 * after an error, which has been printed. */
bool step_times_begin(char folder[STEP_TIMES_PATH]);
/* When those sessions are gone: prints what they did, a row for each op (or node), the longest first, unless `out`
 * is NULL; then removes the folder. Times are of the op itself: what ran within it (bodies of functions and loops)
 * has rows of its own. */
bool step_times_end(FILE *out, const char *folder, bool by_node);

#endif
