/* Nodes that TensorFlow's optimiser puts in place of several, in graphs that its masters register: here they are several
 * again. */
#ifndef SL_DIST_FUSED_NODES_H
#define SL_DIST_FUSED_NODES_H

#include "base/arena.h"
#include "base/error.h"
#include "proto/wire.h"

/* Takes _UnaryOpsComposition, _FusedMatMul, _FusedConv2D and _FusedDepthwiseConv2dNative of the graph apart; the last of each
 * chain has the name of the whole. One with a part that is not known stays as it is. All in `arena`. */
sl_code sl_fused_nodes_split(struct sl_pb_GraphDef *def, struct sl_arena *arena, struct sl_error *err);

#endif
