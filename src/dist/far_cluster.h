/* The client's side of the eager service: the devices of other tasks become devices of an eager context.
 *
 *     context ── op on /job:worker/task:0 ──► far device ──► Enqueue ──► served context of that task
 *        └────── function with parts there ──► spread_function.h
 *
 * A tensor there is a far value: a handle with the numbers by which its task knows it. This process serves its own task
 * of the cluster, for parts of functions that ask it for values. */
#ifndef SL_DIST_FAR_CLUSTER_H
#define SL_DIST_FAR_CLUSTER_H

#include "dist/dist_door.h"
#include "net/rpc.h"

/* See struct sl_dist_door. The net outlives the context. */
sl_code sl_far_cluster_join(struct sl_eager_context *context, struct sl_net *net, struct sl_str def,
                            const struct sl_eager_joining *how, struct sl_error *err);

#endif
