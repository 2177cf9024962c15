/* What one task does together with the others: it joins their group, and adds up a vector with them. Used by the simulation, and by
 * the processes that it is checked against. */
#ifndef SL_BENCH_CLUSTER_MEMBER_H
#define SL_BENCH_CLUSTER_MEMBER_H

#include "kernel/collective_peers.h"

struct member {
    int n, task;
    struct sl_collective_peers *peers;
    int64_t dims[1]; /* of the vector: floats */
    void (*ended)(struct member *m, sl_code code, const struct sl_error *err);
    void *arg;
    /* of the member: */
    struct sl_collective_joining joining;
    struct sl_collective_exchange x;
    char device[64];
};
void member_join(void *member); /* a struct member; `ended` comes */
void member_sum(void *member);

#endif
