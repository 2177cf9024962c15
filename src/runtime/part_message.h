/* Parts as messages: the back of the pipeline may be another process's, which is sent the part as a GraphDef. Each
 * node names its device in full, and the functions that nodes may call come with them. Thread-safe, but for the
 * parts. */
#ifndef SL_RUNTIME_PART_MESSAGE_H
#define SL_RUNTIME_PART_MESSAGE_H

#include "runtime/pipeline.h"

/* In `arena`; borrowed from the part and from the runtime's library. Targets are in no GraphDef. */
sl_code sl_part_export(struct sl_pb_GraphDef **out, const struct sl_part *part, struct sl_runtime *runtime,
                       struct sl_arena *arena, struct sl_error *err);
/* A part for the back of `runtime`, which has the devices that the nodes are on: INVALID_ARGUMENT names a node that
 * is elsewhere. Adds the functions to the runtime's library, also on failure. Borrows nothing; without targets. */
sl_code sl_part_import(struct sl_part *out, struct sl_runtime *runtime, const struct sl_pb_GraphDef *def,
                       struct sl_error *err);

#endif
