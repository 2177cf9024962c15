/* Runs the parts of a partitioned graph in simulated time, for more machines than there are at hand.
 *
 * Tokens, frames, iterations and dead tokens go as in the executor; no values are computed but one: the LoopCond of
 * a loop is true `rounds` times. A node occupies a core of its device's host for as long as `request.cost` says, a
 * device runs one node at a time, and a message takes its time at both ends and on the way. The same parts and
 * machine give the same times, always. */
#ifndef SL_BENCH_SIMULATION_H
#define SL_BENCH_SIMULATION_H

#include "passes/partition.h"

/* Times in nanoseconds. */
struct simulated_machine {
    const char *name;
    int cores;           /* of each host */
    int devices_of_host; /* device d is on host d / devices_of_host */
    double node;         /* what the executor takes for a node, whatever it does */
    double local_end;    /* processor time at each end of a message that stays in its host */
    double remote_end;   /* the same of one that leaves it */
    double latency;      /* of the network, one way */
    double byte;         /* of the network: a host sends one message after the other */
};

struct simulation_request {
    const struct sl_partitions *parts;
    const struct simulated_machine *machine;
    int rounds;
    double (*cost)(const struct sl_node *node, void *arg); /* beyond machine->node */
    void *arg;
};

struct simulation_result {
    double time;               /* until nothing was left to do */
    double busiest;            /* processor time of the device that was busy longest */
    int busiest_device;        /* which */
    double sending;            /* of it: at the ends of messages */
    long messages, conditions; /* conditions: those that carry the value of a LoopCond */
    long nodes;                /* that ran, dead ones too */
};

/* FAILED_PRECONDITION when something waits for ever: the parts do not belong together. Memory that is out ends the
 * process. */
sl_code simulate(struct simulation_result *out, const struct simulation_request *request, struct sl_error *err);

#endif
