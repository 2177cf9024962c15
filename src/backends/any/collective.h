/* Collectives: what the members of a group of devices do together. Each member's node brings a call; when all have
 * come, each gets its outcome.
 *
 *   group     a key and a size; its members are the devices that came first, for as long as the session lives
 *   instance  one run of a collective by a group, in one step: a key, and where in the loops it is
 *   rank      a member's number in the group: by device name, numbers as numbers, whatever the order in which they come
 *
 * Eager ops, and functions that are called eagerly, belong to no common step: all of a context meet.
 *
 * Nobody holds a thread while he waits. A wait ends when all are there, when a member's call does not fit the
 * others', when somebody's time is over, or with the step. Thread-safe. */
#ifndef SL_BACKENDS_ANY_COLLECTIVE_H
#define SL_BACKENDS_ANY_COLLECTIVE_H

#include "backends/any/collective_math.h"
#include "kernel/kernel.h"

/* The numbers appear in messages. */
enum sl_collective_kind {
    SL_COLLECTIVE_REDUCE = 0,
    SL_COLLECTIVE_BROADCAST = 1,
    SL_COLLECTIVE_GATHER = 2,
    SL_COLLECTIVE_ALL_TO_ALL = 4,
    SL_COLLECTIVE_REDUCE_SCATTER = 5,
    SL_COLLECTIVE_JOIN = 6 /* members wait for each other and tell their ranks, nothing else */
};

struct sl_collective_call {
    enum sl_collective_kind kind;
    int64_t group_size, group_key, instance_key;
    int64_t subgroup; /* -1: the whole group; else a number that its members share, and `rank` is in it */
    int64_t rank;     /* -1: by device name */
    enum sl_merge_op merge;
    bool divides, is_source;
    int64_t n_slices;       /* of a sum: as kernel/collective_peers.h has them */
    double timeout_seconds; /* 0: for ever */
    int input;              /* which of the node's holds the member's elements; -1: none */
    int dtype;              /* of input and output 0 */
    struct sl_shape shape;  /* what all members must agree about; borrowed while sl_collective_start runs */
    struct sl_object *give; /* JOIN: output 0 once all are there; a reference that is taken over */
};

/* An ASYNC kernel's start: sl_kernel_done is called, maybe before this returns. */
void sl_collective_start(struct sl_kernel_context *k, const struct sl_collective_call *call);

/* Fails all collectives that wait in these resources, and all that come. The first reason stays. */
sl_code sl_collective_abort(struct sl_resources *r, sl_code why, const char *message, struct sl_error *err);

#endif
