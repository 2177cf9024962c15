/* The first call of a device in a group that may reach into other processes: who is in the group is asked there, and no
 * thread is held meanwhile. Called by collective.c. */
#ifndef SL_BACKENDS_ANY_COLLECTIVE_JOIN_H
#define SL_BACKENDS_ANY_COLLECTIVE_JOIN_H

#include "backends/any/collective.h"
#include "kernel/collective_peers.h"

/* Calls `go` once the group is known, with a copy of the call; or ends the kernel with the reason why it is not. Takes the
 * reference to the peers over. */
void sl_collective_join_first(struct sl_kernel_context *k, const struct sl_collective_call *call,
                              struct sl_collective_peers *peers,
                              void (*go)(struct sl_kernel_context *k, const struct sl_collective_call *call,
                                         const struct sl_collective_group *group));

#endif
