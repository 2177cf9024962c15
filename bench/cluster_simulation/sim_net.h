/* A net in simulated time: the tasks of a cluster are all in this process, and what they send each other goes by a queue of
 * events. One thread runs everything, so a run of a seed is always the same, but for the time that code takes: what a task
 * computes is measured (its processor time), and moves its own clock.
 *
 *   a message   costs its sender and its receiver `message_ns`, and `byte_ns` for each byte, of a processor core of their host; then
 *               it goes through the sender's link and the receiver's, one message at a time, with `bytes_per_ns`, and is on its way for
 *               `latency_ns` in between
 *   a host      has `cores`; tasks are on hosts by their number
 *
 * os/bounded_threads.h is here, too: tasks of its threads are events of the task that gives them. */
#ifndef SL_BENCH_SIM_NET_H
#define SL_BENCH_SIM_NET_H

#include "net/rpc.h"

struct sim_machine {
    const char *name;
    double message_ns, byte_ns, latency_ns, bytes_per_ns;
    int cores, tasks_per_host;
};

struct sim;
struct sim *sim_new(const struct sim_machine *machine, int n_tasks, uint64_t seed);
struct sl_net *sim_net_of(struct sim *sim, int task); /* of a task, whose address is "t<number>:1" */
/* Runs events until `*done`, or (false) none is left. */
bool sim_run(struct sim *sim, const bool *done);
double sim_now(const struct sim *sim);
/* From now on the task neither sends nor gets anything, as after it has died: who calls it hears UNAVAILABLE. */
void sim_kill(struct sim *sim, int task);
/* Calls `fn` as this task, now. */
void sim_as(struct sim *sim, int task, void (*fn)(void *arg), void *arg);

struct sim_counts {
    int64_t messages, bytes;
    double most_busy_ns; /* of a host's cores, together */
    int64_t most_bytes;  /* through one task's link, both ways */
};
void sim_count(struct sim_counts *out, struct sim *sim); /* since the last count */

#endif
