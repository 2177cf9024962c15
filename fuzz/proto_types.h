/* The messages the proto targets try; the first byte of an input picks one. Between them they reach nearly all others.
 * Append only: the corpus goes by the order. */
#ifndef SL_FUZZ_PROTO_TYPES_H
#define SL_FUZZ_PROTO_TYPES_H

#include "proto/gen/messages.h"

static inline const struct sl_pb_message *proto_type(uint8_t pick) {
    static const uint16_t rows[] = {
        SL_PB_INDEX_GraphDef,
        SL_PB_INDEX_MetaGraphDef,
        SL_PB_INDEX_ConfigProto,
        SL_PB_INDEX_Event,
        SL_PB_INDEX_SavedModel,
        SL_PB_INDEX_RunStepRequest,
        SL_PB_INDEX_RunStepResponse,
        SL_PB_INDEX_RegisterGraphRequest,
        SL_PB_INDEX_SequenceExample,
        SL_PB_INDEX_Example,
        SL_PB_INDEX_OpList,
        SL_PB_INDEX_ApiDefs,
        SL_PB_INDEX_KernelList,
        SL_PB_INDEX_TrackableObjectGraph,
        SL_PB_INDEX_SavedTensorSlices,
        SL_PB_INDEX_BundleEntryProto,
        SL_PB_INDEX_StructuredValue,
        SL_PB_INDEX_Any,
        SL_PB_INDEX_eager_QueueItem,
        SL_PB_INDEX_StatusProto,
        SL_PB_INDEX_CompleteGroupResponse,
        SL_PB_INDEX_RecvTensorRequest,
        SL_PB_INDEX_WhileContextDef,
        SL_PB_INDEX_FullTypeDef,
    };
    return &sl_pb_messages[rows[pick % (sizeof rows / sizeof *rows)]];
}

#endif
