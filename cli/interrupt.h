/* Ctrl-C during runs: they end, and the command tells what it has. One watch at a time. */
#ifndef SLUICE_CLI_INTERRUPT_H
#define SLUICE_CLI_INTERRUPT_H

#include <stdbool.h>

#include "tensorflow/c/c_api.h"

/* From now on the first SIGINT or SIGTERM cancels what the session runs, and closes it; a second one ends the process.
 * False when that cannot be had: signals are as they were. */
bool interrupt_watch(TF_Session *session);
/* Signals are as the system has them again. Whether one came. */
bool interrupt_end(void);

#endif
