/* How long the runs of `sluice run` take, how much memory, and what is shown of it meanwhile. One thread. */
#ifndef SLUICE_CLI_RUN_TIMES_H
#define SLUICE_CLI_RUN_TIMES_H

#include <stdbool.h>
#include <stdint.h>

struct run_times {
    double began;               /* when the command did; ms, as all times here */
    double loaded, ready;       /* from then on: the graph was there, its variables had values */
    double *runs;               /* in the order of the runs, until run_times_print */
    int64_t done, wanted;       /* runs */
    int64_t bytes_before, peak; /* of memory: the most before the first run, and in all */
    double shown;
    bool has_terminal, has_details; /* details: also of one run */
};

void run_times_begin(struct run_times *t, bool has_details);
void run_times_loaded(struct run_times *t);
/* Variables have values; so many runs follow. */
void run_times_ready(struct run_times *t, int64_t wanted);
/* Around each run. */
double run_times_start(void);
void run_times_add(struct run_times *t, double start);
/* What is to be said of the runs that were, on stderr. */
void run_times_print(struct run_times *t);
void run_times_clear(struct run_times *t);

#endif
