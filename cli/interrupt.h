/* Ctrl-C during runs: they end, and the command tells what it has. SIGUSR1: it tells what they wait for, and they go on.
 * One watch at a time. */
#ifndef SLUICE_CLI_INTERRUPT_H
#define SLUICE_CLI_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"

/* Who explains what runs wait for, on a thread of the watch: at each SIGUSR1, and once `after_ms` from the start (0: not
 * by itself). */
struct explained {
    void (*explain)(void *arg, TF_Session *session);
    void *arg;
    int64_t after_ms;
};

/* From now on the first SIGINT or SIGTERM cancels what the session runs, and closes it; a second one ends the process.
 * False when that cannot be had: signals are as they were. */
bool interrupt_watch(TF_Session *session, const struct explained *explained);
/* Signals are as the system has them again; SIGUSR1 is ignored. Whether one of those that end came. */
bool interrupt_end(void);

#endif
