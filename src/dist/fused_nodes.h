/* Nodes that TensorFlow's optimiser puts in place of several, in graphs that its masters register: here they are several
 * again. */
#ifndef SL_DIST_FUSED_NODES_H
#define SL_DIST_FUSED_NODES_H

#include "base/arena.h"
#include "base/error.h"
#include "proto/wire.h"

/* Takes _UnaryOpsComposition, _MklSwish, _FusedMatMul, _FusedConv2D, _FusedDepthwiseConv2dNative and _FusedBatchNormEx of the
 * graph apart, not of its functions; the last of each chain has the name of the whole. One with a part that is not known stays as it is. All in `arena`. */
sl_code sl_fused_nodes_split(struct sl_pb_GraphDef *def, struct sl_arena *arena, struct sl_error *err);

#endif
