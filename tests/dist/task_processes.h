/* Tasks of a cluster as processes: `sluice serve` for each, at Unix sockets in a folder of the test's own, so that no two
 * tests want the same port. Each function fails the test when something does not work. */
#ifndef SL_TESTS_TASK_PROCESSES_H
#define SL_TESTS_TASK_PROCESSES_H

#include <stdio.h>
#include <sys/types.h>

#include "session/session.h"

enum { MOST_TASKS = 8 };

struct task_processes {
    int n;
    const char *const *options; /* further words of each command; NULL: none */
    char folder[64];
    char spec[MOST_TASKS * 96]; /* of the cluster, as `sluice serve` reads it */
    pid_t pids[MOST_TASKS];     /* 0: is not there */
    FILE *said[MOST_TASKS];     /* what they print; open as long as they run */
};

/* Tasks /job:worker/task:0 to n-1. They listen when this returns. */
void tasks_start(struct task_processes *tasks, int n, const char *const *options);
void task_start(struct task_processes *tasks, int i);
/* Sends a signal; after SIGKILL and SIGTERM it also waits for the end. */
void task_signal(struct task_processes *tasks, int i, int signal_number);
void tasks_end(struct task_processes *tasks);
/* A session whose master is task 0; `config` as text of a ConfigProto. */
struct sl_session *tasks_session(const struct task_processes *tasks, const char *config);
/* False where the build has no HTTP/2: then nothing listens. */
bool tasks_may_run(void);

#endif
