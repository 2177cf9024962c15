/* Names of transfers in graphs that are registered with workers.
 *
 * TensorFlow's workers keep a stateful kernel by the name of its node for as long as the session lives, and transfers
 * are stateful there: a _Send of a second graph that has the name of one in the first would send under the first one's
 * key. So the names of transfers are unique in a session: "_NAME_S3" in its third cut, which no client can take, since
 * it begins with an underscore. */
#ifndef SL_DIST_TRANSFER_NAMES_H
#define SL_DIST_TRANSFER_NAMES_H

#include "base/arena.h"
#include "base/error.h"
#include "proto/wire.h"

/* Renames the _Sends and _Recvs of `def`, also where other nodes read them. Names are made in `arena`. */
sl_code sl_transfers_rename(struct sl_pb_GraphDef *def, uint64_t cut, struct sl_arena *arena, struct sl_error *err);

#endif
