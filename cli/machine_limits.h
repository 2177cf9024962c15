/* What this machine can do at most, measured in a fraction of a second. One thread. */
#ifndef SLUICE_CLI_MACHINE_LIMITS_H
#define SLUICE_CLI_MACHINE_LIMITS_H

#include <stdint.h>

struct machine_limits {
    double flops;   /* operations a second: the library's product of two float matrices of 768 x 768 */
    double bytes;   /* bytes read and written a second: copies of 64 MB, by all threads together */
    double node_us; /* of a node that computes next to nothing: the least of steps of a thousand, by node */
    int threads;
};
/* `threads` as of a session, 0: one for each processor. */
void machine_measure(struct machine_limits *out, int64_t threads);

#endif
