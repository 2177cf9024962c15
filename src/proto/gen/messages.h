/* Written by tools/gen_proto.py from the .proto files of src/proto; do not edit.
 *
 * One struct a message; proto/message_table.h says how fields are laid out. Plain data: one owner while it is filled,
 * then any number of readers. */
#ifndef SL_PROTO_GEN_MESSAGES_H
#define SL_PROTO_GEN_MESSAGES_H

#include "base/str.h"
#include "proto/message_table.h"

/* Enums. A field of enum type is an int32_t: numbers without a name are legal. */
enum sl_pb_FullTypeId {
    SL_PB_TFT_UNSET = 0,
    SL_PB_TFT_VAR = 1,
    SL_PB_TFT_ANY = 2,
    SL_PB_TFT_PRODUCT = 3,
    SL_PB_TFT_NAMED = 4,
    SL_PB_TFT_FOR_EACH = 20,
    SL_PB_TFT_CALLABLE = 100,
    SL_PB_TFT_TENSOR = 1000,
    SL_PB_TFT_ARRAY = 1001,
    SL_PB_TFT_OPTIONAL = 1002,
    SL_PB_TFT_LITERAL = 1003,
    SL_PB_TFT_ENCODED = 1004,
    SL_PB_TFT_SHAPE_TENSOR = 1005,
    SL_PB_TFT_BOOL = 200,
    SL_PB_TFT_UINT8 = 201,
    SL_PB_TFT_UINT16 = 202,
    SL_PB_TFT_UINT32 = 203,
    SL_PB_TFT_UINT64 = 204,
    SL_PB_TFT_INT8 = 205,
    SL_PB_TFT_INT16 = 206,
    SL_PB_TFT_INT32 = 207,
    SL_PB_TFT_INT64 = 208,
    SL_PB_TFT_HALF = 209,
    SL_PB_TFT_FLOAT = 210,
    SL_PB_TFT_DOUBLE = 211,
    SL_PB_TFT_BFLOAT16 = 215,
    SL_PB_TFT_COMPLEX64 = 212,
    SL_PB_TFT_COMPLEX128 = 213,
    SL_PB_TFT_STRING = 214,
    SL_PB_TFT_DATASET = 10102,
    SL_PB_TFT_RAGGED = 10103,
    SL_PB_TFT_ITERATOR = 10104,
    SL_PB_TFT_MUTEX_LOCK = 10202,
    SL_PB_TFT_LEGACY_VARIANT = 10203,
};

enum sl_pb_BundleHeaderProto_Endianness {
    SL_PB_BundleHeaderProto_Endianness_LITTLE = 0,
    SL_PB_BundleHeaderProto_Endianness_BIG = 1,
};

enum sl_pb_SaverDef_CheckpointFormatVersion {
    SL_PB_SaverDef_CheckpointFormatVersion_LEGACY = 0,
    SL_PB_SaverDef_CheckpointFormatVersion_V1 = 1,
    SL_PB_SaverDef_CheckpointFormatVersion_V2 = 2,
};

enum sl_pb_OptimizerOptions_Level {
    SL_PB_OptimizerOptions_Level_L1 = 0,
    SL_PB_OptimizerOptions_Level_L0 = -1,
};

enum sl_pb_OptimizerOptions_GlobalJitLevel {
    SL_PB_OptimizerOptions_GlobalJitLevel_DEFAULT = 0,
    SL_PB_OptimizerOptions_GlobalJitLevel_OFF = -1,
    SL_PB_OptimizerOptions_GlobalJitLevel_ON_1 = 1,
    SL_PB_OptimizerOptions_GlobalJitLevel_ON_2 = 2,
};

enum sl_pb_ConfigProto_Experimental_MlirBridgeRollout {
    SL_PB_ConfigProto_Experimental_MlirBridgeRollout_MLIR_BRIDGE_ROLLOUT_UNSPECIFIED = 0,
    SL_PB_ConfigProto_Experimental_MlirBridgeRollout_MLIR_BRIDGE_ROLLOUT_ENABLED = 1,
    SL_PB_ConfigProto_Experimental_MlirBridgeRollout_MLIR_BRIDGE_ROLLOUT_DISABLED = 2,
};

enum sl_pb_RunOptions_TraceLevel {
    SL_PB_RunOptions_TraceLevel_NO_TRACE = 0,
    SL_PB_RunOptions_TraceLevel_SOFTWARE_TRACE = 1,
    SL_PB_RunOptions_TraceLevel_HARDWARE_TRACE = 2,
    SL_PB_RunOptions_TraceLevel_FULL_TRACE = 3,
};

enum sl_pb_error_Code {
    SL_PB_error_Code_OK = 0,
    SL_PB_error_Code_CANCELLED = 1,
    SL_PB_error_Code_UNKNOWN = 2,
    SL_PB_error_Code_INVALID_ARGUMENT = 3,
    SL_PB_error_Code_DEADLINE_EXCEEDED = 4,
    SL_PB_error_Code_NOT_FOUND = 5,
    SL_PB_error_Code_ALREADY_EXISTS = 6,
    SL_PB_error_Code_PERMISSION_DENIED = 7,
    SL_PB_error_Code_UNAUTHENTICATED = 16,
    SL_PB_error_Code_RESOURCE_EXHAUSTED = 8,
    SL_PB_error_Code_FAILED_PRECONDITION = 9,
    SL_PB_error_Code_ABORTED = 10,
    SL_PB_error_Code_OUT_OF_RANGE = 11,
    SL_PB_error_Code_UNIMPLEMENTED = 12,
    SL_PB_error_Code_INTERNAL = 13,
    SL_PB_error_Code_UNAVAILABLE = 14,
    SL_PB_error_Code_DATA_LOSS = 15,
    SL_PB_error_Code_DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_ = 20,
};

enum sl_pb_DataClass {
    SL_PB_DATA_CLASS_UNKNOWN = 0,
    SL_PB_DATA_CLASS_SCALAR = 1,
    SL_PB_DATA_CLASS_TENSOR = 2,
    SL_PB_DATA_CLASS_BLOB_SEQUENCE = 3,
};

enum sl_pb_LogMessage_Level {
    SL_PB_LogMessage_Level_UNKNOWN = 0,
    SL_PB_LogMessage_Level_DEBUGGING = 10,
    SL_PB_LogMessage_Level_INFO = 20,
    SL_PB_LogMessage_Level_WARN = 30,
    SL_PB_LogMessage_Level_ERROR = 40,
    SL_PB_LogMessage_Level_FATAL = 50,
};

enum sl_pb_SessionLog_SessionStatus {
    SL_PB_SessionLog_SessionStatus_STATUS_UNSPECIFIED = 0,
    SL_PB_SessionLog_SessionStatus_START = 1,
    SL_PB_SessionLog_SessionStatus_STOP = 2,
    SL_PB_SessionLog_SessionStatus_CHECKPOINT = 3,
};

enum sl_pb_WorkerHealth {
    SL_PB_WorkerHealth_OK = 0,
    SL_PB_WorkerHealth_RECEIVED_SHUTDOWN_SIGNAL = 1,
    SL_PB_WorkerHealth_INTERNAL_ERROR = 2,
    SL_PB_WorkerHealth_SHUTTING_DOWN = 3,
};

enum sl_pb_WorkerShutdownMode {
    SL_PB_WorkerShutdownMode_DEFAULT = 0,
    SL_PB_WorkerShutdownMode_NOT_CONFIGURED = 1,
    SL_PB_WorkerShutdownMode_WAIT_FOR_COORDINATOR = 2,
    SL_PB_WorkerShutdownMode_SHUTDOWN_AFTER_TIMEOUT = 3,
};

enum sl_pb_ApiDef_Visibility {
    SL_PB_ApiDef_Visibility_DEFAULT_VISIBILITY = 0,
    SL_PB_ApiDef_Visibility_VISIBLE = 1,
    SL_PB_ApiDef_Visibility_SKIP = 2,
    SL_PB_ApiDef_Visibility_HIDDEN = 3,
};

enum sl_pb_RewriterConfig_Toggle {
    SL_PB_RewriterConfig_Toggle_DEFAULT = 0,
    SL_PB_RewriterConfig_Toggle_ON = 1,
    SL_PB_RewriterConfig_Toggle_OFF = 2,
    SL_PB_RewriterConfig_Toggle_AGGRESSIVE = 3,
    SL_PB_RewriterConfig_Toggle_EXPERIMENTAL_MLIR = 4,
    SL_PB_RewriterConfig_Toggle_EXPERIMENTAL_BOTH = 5,
};

enum sl_pb_RewriterConfig_CpuLayout {
    SL_PB_RewriterConfig_CpuLayout_NO_CONVERSION_ON_CPU = 0,
    SL_PB_RewriterConfig_CpuLayout_NCHW_TO_NHWC = 1,
    SL_PB_RewriterConfig_CpuLayout_NHWC_TO_NCHW = 2,
};

enum sl_pb_RewriterConfig_NumIterationsType {
    SL_PB_RewriterConfig_NumIterationsType_DEFAULT_NUM_ITERS = 0,
    SL_PB_RewriterConfig_NumIterationsType_ONE = 1,
    SL_PB_RewriterConfig_NumIterationsType_TWO = 2,
};

enum sl_pb_RewriterConfig_MemOptType {
    SL_PB_RewriterConfig_MemOptType_DEFAULT_MEM_OPT = 0,
    SL_PB_RewriterConfig_MemOptType_NO_MEM_OPT = 1,
    SL_PB_RewriterConfig_MemOptType_MANUAL = 2,
    SL_PB_RewriterConfig_MemOptType_SWAPPING_HEURISTICS = 4,
    SL_PB_RewriterConfig_MemOptType_RECOMPUTATION_HEURISTICS = 5,
    SL_PB_RewriterConfig_MemOptType_SCHEDULING_HEURISTICS = 6,
    SL_PB_RewriterConfig_MemOptType_HEURISTICS = 3,
};

enum sl_pb_VerifierConfig_Toggle {
    SL_PB_VerifierConfig_Toggle_DEFAULT = 0,
    SL_PB_VerifierConfig_Toggle_ON = 1,
    SL_PB_VerifierConfig_Toggle_OFF = 2,
};

enum sl_pb_FunctionSpec_JitCompile {
    SL_PB_FunctionSpec_JitCompile_DEFAULT = 0,
    SL_PB_FunctionSpec_JitCompile_ON = 1,
    SL_PB_FunctionSpec_JitCompile_OFF = 2,
};

enum sl_pb_serving_ModelVersionStatus_State {
    SL_PB_serving_ModelVersionStatus_State_UNKNOWN = 0,
    SL_PB_serving_ModelVersionStatus_State_START = 10,
    SL_PB_serving_ModelVersionStatus_State_LOADING = 20,
    SL_PB_serving_ModelVersionStatus_State_AVAILABLE = 30,
    SL_PB_serving_ModelVersionStatus_State_UNLOADING = 40,
    SL_PB_serving_ModelVersionStatus_State_END = 50,
};

enum sl_pb_TypeSpecProto_TypeSpecClass {
    SL_PB_TypeSpecProto_TypeSpecClass_UNKNOWN = 0,
    SL_PB_TypeSpecProto_TypeSpecClass_SPARSE_TENSOR_SPEC = 1,
    SL_PB_TypeSpecProto_TypeSpecClass_INDEXED_SLICES_SPEC = 2,
    SL_PB_TypeSpecProto_TypeSpecClass_RAGGED_TENSOR_SPEC = 3,
    SL_PB_TypeSpecProto_TypeSpecClass_TENSOR_ARRAY_SPEC = 4,
    SL_PB_TypeSpecProto_TypeSpecClass_DATA_DATASET_SPEC = 5,
    SL_PB_TypeSpecProto_TypeSpecClass_DATA_ITERATOR_SPEC = 6,
    SL_PB_TypeSpecProto_TypeSpecClass_OPTIONAL_SPEC = 7,
    SL_PB_TypeSpecProto_TypeSpecClass_PER_REPLICA_SPEC = 8,
    SL_PB_TypeSpecProto_TypeSpecClass_VARIABLE_SPEC = 9,
    SL_PB_TypeSpecProto_TypeSpecClass_ROW_PARTITION_SPEC = 10,
    SL_PB_TypeSpecProto_TypeSpecClass_REGISTERED_TYPE_SPEC = 12,
    SL_PB_TypeSpecProto_TypeSpecClass_EXTENSION_TYPE_SPEC = 13,
};

enum sl_pb_DataType {
    SL_PB_DT_INVALID = 0,
    SL_PB_DT_FLOAT = 1,
    SL_PB_DT_DOUBLE = 2,
    SL_PB_DT_INT32 = 3,
    SL_PB_DT_UINT8 = 4,
    SL_PB_DT_INT16 = 5,
    SL_PB_DT_INT8 = 6,
    SL_PB_DT_STRING = 7,
    SL_PB_DT_COMPLEX64 = 8,
    SL_PB_DT_INT64 = 9,
    SL_PB_DT_BOOL = 10,
    SL_PB_DT_QINT8 = 11,
    SL_PB_DT_QUINT8 = 12,
    SL_PB_DT_QINT32 = 13,
    SL_PB_DT_BFLOAT16 = 14,
    SL_PB_DT_QINT16 = 15,
    SL_PB_DT_QUINT16 = 16,
    SL_PB_DT_UINT16 = 17,
    SL_PB_DT_COMPLEX128 = 18,
    SL_PB_DT_HALF = 19,
    SL_PB_DT_RESOURCE = 20,
    SL_PB_DT_VARIANT = 21,
    SL_PB_DT_UINT32 = 22,
    SL_PB_DT_UINT64 = 23,
    SL_PB_DT_FLOAT8_E5M2 = 24,
    SL_PB_DT_FLOAT8_E4M3FN = 25,
    SL_PB_DT_FLOAT8_E4M3FNUZ = 26,
    SL_PB_DT_FLOAT8_E4M3B11FNUZ = 27,
    SL_PB_DT_FLOAT8_E5M2FNUZ = 28,
    SL_PB_DT_INT4 = 29,
    SL_PB_DT_UINT4 = 30,
    SL_PB_DT_INT2 = 31,
    SL_PB_DT_UINT2 = 32,
    SL_PB_DT_FLOAT4_E2M1FN = 33,
    SL_PB_DT_FLOAT_REF = 101,
    SL_PB_DT_DOUBLE_REF = 102,
    SL_PB_DT_INT32_REF = 103,
    SL_PB_DT_UINT8_REF = 104,
    SL_PB_DT_INT16_REF = 105,
    SL_PB_DT_INT8_REF = 106,
    SL_PB_DT_STRING_REF = 107,
    SL_PB_DT_COMPLEX64_REF = 108,
    SL_PB_DT_INT64_REF = 109,
    SL_PB_DT_BOOL_REF = 110,
    SL_PB_DT_QINT8_REF = 111,
    SL_PB_DT_QUINT8_REF = 112,
    SL_PB_DT_QINT32_REF = 113,
    SL_PB_DT_BFLOAT16_REF = 114,
    SL_PB_DT_QINT16_REF = 115,
    SL_PB_DT_QUINT16_REF = 116,
    SL_PB_DT_UINT16_REF = 117,
    SL_PB_DT_COMPLEX128_REF = 118,
    SL_PB_DT_HALF_REF = 119,
    SL_PB_DT_RESOURCE_REF = 120,
    SL_PB_DT_VARIANT_REF = 121,
    SL_PB_DT_UINT32_REF = 122,
    SL_PB_DT_UINT64_REF = 123,
    SL_PB_DT_FLOAT8_E5M2_REF = 124,
    SL_PB_DT_FLOAT8_E4M3FN_REF = 125,
    SL_PB_DT_FLOAT8_E4M3FNUZ_REF = 126,
    SL_PB_DT_FLOAT8_E4M3B11FNUZ_REF = 127,
    SL_PB_DT_FLOAT8_E5M2FNUZ_REF = 128,
    SL_PB_DT_INT4_REF = 129,
    SL_PB_DT_UINT4_REF = 130,
    SL_PB_DT_INT2_REF = 131,
    SL_PB_DT_UINT2_REF = 132,
    SL_PB_DT_FLOAT4_E2M1FN_REF = 133,
};

enum sl_pb_VariableSynchronization {
    SL_PB_VARIABLE_SYNCHRONIZATION_AUTO = 0,
    SL_PB_VARIABLE_SYNCHRONIZATION_NONE = 1,
    SL_PB_VARIABLE_SYNCHRONIZATION_ON_WRITE = 2,
    SL_PB_VARIABLE_SYNCHRONIZATION_ON_READ = 3,
};

enum sl_pb_VariableAggregation {
    SL_PB_VARIABLE_AGGREGATION_NONE = 0,
    SL_PB_VARIABLE_AGGREGATION_SUM = 1,
    SL_PB_VARIABLE_AGGREGATION_MEAN = 2,
    SL_PB_VARIABLE_AGGREGATION_ONLY_FIRST_REPLICA = 3,
};

/* Repeated fields of messages. */
struct sl_pb_array_AllocationDescription {
    struct sl_pb_AllocationDescription *items;
    size_t n;
};
struct sl_pb_array_AllocationRecord {
    struct sl_pb_AllocationRecord *items;
    size_t n;
};
struct sl_pb_array_AllocatorMemoryUsed {
    struct sl_pb_AllocatorMemoryUsed *items;
    size_t n;
};
struct sl_pb_array_Any {
    struct sl_pb_Any *items;
    size_t n;
};
struct sl_pb_array_ApiDef {
    struct sl_pb_ApiDef *items;
    size_t n;
};
struct sl_pb_array_ApiDef_Arg {
    struct sl_pb_ApiDef_Arg *items;
    size_t n;
};
struct sl_pb_array_ApiDef_Attr {
    struct sl_pb_ApiDef_Attr *items;
    size_t n;
};
struct sl_pb_array_ApiDef_Endpoint {
    struct sl_pb_ApiDef_Endpoint *items;
    size_t n;
};
struct sl_pb_array_AssetFileDef {
    struct sl_pb_AssetFileDef *items;
    size_t n;
};
struct sl_pb_array_CollectivePart {
    struct sl_pb_CollectivePart *items;
    size_t n;
};
struct sl_pb_array_CompressedComponentMetadata {
    struct sl_pb_CompressedComponentMetadata *items;
    size_t n;
};
struct sl_pb_array_ControlFlowContextDef {
    struct sl_pb_ControlFlowContextDef *items;
    size_t n;
};
struct sl_pb_array_CoordinatedJob {
    struct sl_pb_CoordinatedJob *items;
    size_t n;
};
struct sl_pb_array_CostGraphDef_AggregatedCost {
    struct sl_pb_CostGraphDef_AggregatedCost *items;
    size_t n;
};
struct sl_pb_array_CostGraphDef_Node {
    struct sl_pb_CostGraphDef_Node *items;
    size_t n;
};
struct sl_pb_array_CostGraphDef_Node_InputInfo {
    struct sl_pb_CostGraphDef_Node_InputInfo *items;
    size_t n;
};
struct sl_pb_array_CostGraphDef_Node_OutputInfo {
    struct sl_pb_CostGraphDef_Node_OutputInfo *items;
    size_t n;
};
struct sl_pb_array_CppShapeInferenceResult_HandleShapeAndType {
    struct sl_pb_CppShapeInferenceResult_HandleShapeAndType *items;
    size_t n;
};
struct sl_pb_array_DebugTensorWatch {
    struct sl_pb_DebugTensorWatch *items;
    size_t n;
};
struct sl_pb_array_DebuggedSourceFile {
    struct sl_pb_DebuggedSourceFile *items;
    size_t n;
};
struct sl_pb_array_DeviceAttributes {
    struct sl_pb_DeviceAttributes *items;
    size_t n;
};
struct sl_pb_array_DeviceStepStats {
    struct sl_pb_DeviceStepStats *items;
    size_t n;
};
struct sl_pb_array_Event {
    struct sl_pb_Event *items;
    size_t n;
};
struct sl_pb_array_Feature {
    struct sl_pb_Feature *items;
    size_t n;
};
struct sl_pb_array_FullTypeDef {
    struct sl_pb_FullTypeDef *items;
    size_t n;
};
struct sl_pb_array_FunctionDef {
    struct sl_pb_FunctionDef *items;
    size_t n;
};
struct sl_pb_array_GPUOptions_Experimental_VirtualDevices {
    struct sl_pb_GPUOptions_Experimental_VirtualDevices *items;
    size_t n;
};
struct sl_pb_array_GradientDef {
    struct sl_pb_GradientDef *items;
    size_t n;
};
struct sl_pb_array_GraphDebugInfo_FileLineCol {
    struct sl_pb_GraphDebugInfo_FileLineCol *items;
    size_t n;
};
struct sl_pb_array_GraphDef {
    struct sl_pb_GraphDef *items;
    size_t n;
};
struct sl_pb_array_InterconnectLink {
    struct sl_pb_InterconnectLink *items;
    size_t n;
};
struct sl_pb_array_JobDef {
    struct sl_pb_JobDef *items;
    size_t n;
};
struct sl_pb_array_JobDeviceFilters {
    struct sl_pb_JobDeviceFilters *items;
    size_t n;
};
struct sl_pb_array_KernelDef {
    struct sl_pb_KernelDef *items;
    size_t n;
};
struct sl_pb_array_KernelDef_AttrConstraint {
    struct sl_pb_KernelDef_AttrConstraint *items;
    size_t n;
};
struct sl_pb_array_LabeledStepStats {
    struct sl_pb_LabeledStepStats *items;
    size_t n;
};
struct sl_pb_array_MetaGraphDef {
    struct sl_pb_MetaGraphDef *items;
    size_t n;
};
struct sl_pb_array_NameAttrList {
    struct sl_pb_NameAttrList *items;
    size_t n;
};
struct sl_pb_array_NamedTensorProto {
    struct sl_pb_NamedTensorProto *items;
    size_t n;
};
struct sl_pb_array_NodeDef {
    struct sl_pb_NodeDef *items;
    size_t n;
};
struct sl_pb_array_NodeExecStats {
    struct sl_pb_NodeExecStats *items;
    size_t n;
};
struct sl_pb_array_NodeOutput {
    struct sl_pb_NodeOutput *items;
    size_t n;
};
struct sl_pb_array_OpDef {
    struct sl_pb_OpDef *items;
    size_t n;
};
struct sl_pb_array_OpDef_ArgDef {
    struct sl_pb_OpDef_ArgDef *items;
    size_t n;
};
struct sl_pb_array_OpDef_AttrDef {
    struct sl_pb_OpDef_AttrDef *items;
    size_t n;
};
struct sl_pb_array_PairValue {
    struct sl_pb_PairValue *items;
    size_t n;
};
struct sl_pb_array_RegisteredGradient {
    struct sl_pb_RegisteredGradient *items;
    size_t n;
};
struct sl_pb_array_ResourceHandleProto {
    struct sl_pb_ResourceHandleProto *items;
    size_t n;
};
struct sl_pb_array_ResourceHandleProto_DtypeAndShape {
    struct sl_pb_ResourceHandleProto_DtypeAndShape *items;
    size_t n;
};
struct sl_pb_array_RewriterConfig_CustomGraphOptimizer {
    struct sl_pb_RewriterConfig_CustomGraphOptimizer *items;
    size_t n;
};
struct sl_pb_array_RunMetadata_FunctionGraphs {
    struct sl_pb_RunMetadata_FunctionGraphs *items;
    size_t n;
};
struct sl_pb_array_SavedObject {
    struct sl_pb_SavedObject *items;
    size_t n;
};
struct sl_pb_array_SavedSliceMeta {
    struct sl_pb_SavedSliceMeta *items;
    size_t n;
};
struct sl_pb_array_SavedVariable {
    struct sl_pb_SavedVariable *items;
    size_t n;
};
struct sl_pb_array_StepSequence {
    struct sl_pb_StepSequence *items;
    size_t n;
};
struct sl_pb_array_StructuredValue {
    struct sl_pb_StructuredValue *items;
    size_t n;
};
struct sl_pb_array_Summary_Value {
    struct sl_pb_Summary_Value *items;
    size_t n;
};
struct sl_pb_array_TensorConnection {
    struct sl_pb_TensorConnection *items;
    size_t n;
};
struct sl_pb_array_TensorInfo {
    struct sl_pb_TensorInfo *items;
    size_t n;
};
struct sl_pb_array_TensorMetadata {
    struct sl_pb_TensorMetadata *items;
    size_t n;
};
struct sl_pb_array_TensorProto {
    struct sl_pb_TensorProto *items;
    size_t n;
};
struct sl_pb_array_TensorShapeProto {
    struct sl_pb_TensorShapeProto *items;
    size_t n;
};
struct sl_pb_array_TensorShapeProto_Dim {
    struct sl_pb_TensorShapeProto_Dim *items;
    size_t n;
};
struct sl_pb_array_TensorSliceProto {
    struct sl_pb_TensorSliceProto *items;
    size_t n;
};
struct sl_pb_array_TensorSliceProto_Extent {
    struct sl_pb_TensorSliceProto_Extent *items;
    size_t n;
};
struct sl_pb_array_ThreadPoolOptionProto {
    struct sl_pb_ThreadPoolOptionProto *items;
    size_t n;
};
struct sl_pb_array_TrackableObjectGraph_TrackableObject {
    struct sl_pb_TrackableObjectGraph_TrackableObject *items;
    size_t n;
};
struct sl_pb_array_TrackableObjectGraph_TrackableObject_ObjectReference {
    struct sl_pb_TrackableObjectGraph_TrackableObject_ObjectReference *items;
    size_t n;
};
struct sl_pb_array_TrackableObjectGraph_TrackableObject_SerializedTensor {
    struct sl_pb_TrackableObjectGraph_TrackableObject_SerializedTensor *items;
    size_t n;
};
struct sl_pb_array_TrackableObjectGraph_TrackableObject_SlotVariableReference {
    struct sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference *items;
    size_t n;
};
struct sl_pb_array_VariantTensorDataProto {
    struct sl_pb_VariantTensorDataProto *items;
    size_t n;
};
struct sl_pb_array_eager_Operation_Input {
    struct sl_pb_eager_Operation_Input *items;
    size_t n;
};
struct sl_pb_array_eager_QueueItem {
    struct sl_pb_eager_QueueItem *items;
    size_t n;
};
struct sl_pb_array_eager_QueueResponse {
    struct sl_pb_eager_QueueResponse *items;
    size_t n;
};
struct sl_pb_array_eager_ResourceDtypeAndShape {
    struct sl_pb_eager_ResourceDtypeAndShape *items;
    size_t n;
};
struct sl_pb_array_eager_SendPackedHandleOp_Handle {
    struct sl_pb_eager_SendPackedHandleOp_Handle *items;
    size_t n;
};
struct sl_pb_array_serving_Class {
    struct sl_pb_serving_Class *items;
    size_t n;
};
struct sl_pb_array_serving_Classifications {
    struct sl_pb_serving_Classifications *items;
    size_t n;
};
struct sl_pb_array_serving_InferenceResult {
    struct sl_pb_serving_InferenceResult *items;
    size_t n;
};
struct sl_pb_array_serving_InferenceTask {
    struct sl_pb_serving_InferenceTask *items;
    size_t n;
};
struct sl_pb_array_serving_ModelConfig {
    struct sl_pb_serving_ModelConfig *items;
    size_t n;
};
struct sl_pb_array_serving_ModelVersionStatus {
    struct sl_pb_serving_ModelVersionStatus *items;
    size_t n;
};
struct sl_pb_array_serving_Regression {
    struct sl_pb_serving_Regression *items;
    size_t n;
};

/* Maps: entries in file order, duplicates kept; the last entry of a key counts. */
struct sl_pb_map_fixed64_GraphDebugInfo_FileLineCol {
    struct sl_pb_entry_fixed64_GraphDebugInfo_FileLineCol *items;
    size_t n;
};
struct sl_pb_map_fixed64_GraphDebugInfo_StackTrace {
    struct sl_pb_entry_fixed64_GraphDebugInfo_StackTrace *items;
    size_t n;
};
struct sl_pb_map_int32_TaskDeviceFilters {
    struct sl_pb_entry_int32_TaskDeviceFilters *items;
    size_t n;
};
struct sl_pb_map_int32_string {
    struct sl_pb_entry_int32_string *items;
    size_t n;
};
struct sl_pb_map_string_Any {
    struct sl_pb_entry_string_Any *items;
    size_t n;
};
struct sl_pb_map_string_AttrValue {
    struct sl_pb_entry_string_AttrValue *items;
    size_t n;
};
struct sl_pb_map_string_CollectionDef {
    struct sl_pb_entry_string_CollectionDef *items;
    size_t n;
};
struct sl_pb_map_string_Feature {
    struct sl_pb_entry_string_Feature *items;
    size_t n;
};
struct sl_pb_map_string_FeatureList {
    struct sl_pb_entry_string_FeatureList *items;
    size_t n;
};
struct sl_pb_map_string_GraphDebugInfo_StackTrace {
    struct sl_pb_entry_string_GraphDebugInfo_StackTrace *items;
    size_t n;
};
struct sl_pb_map_string_SaveableObject {
    struct sl_pb_entry_string_SaveableObject *items;
    size_t n;
};
struct sl_pb_map_string_SavedConcreteFunction {
    struct sl_pb_entry_string_SavedConcreteFunction *items;
    size_t n;
};
struct sl_pb_map_string_SignatureDef {
    struct sl_pb_entry_string_SignatureDef *items;
    size_t n;
};
struct sl_pb_map_string_StructuredValue {
    struct sl_pb_entry_string_StructuredValue *items;
    size_t n;
};
struct sl_pb_map_string_TensorInfo {
    struct sl_pb_entry_string_TensorInfo *items;
    size_t n;
};
struct sl_pb_map_string_TensorProto {
    struct sl_pb_entry_string_TensorProto *items;
    size_t n;
};
struct sl_pb_map_string_bytes {
    struct sl_pb_entry_string_bytes *items;
    size_t n;
};
struct sl_pb_map_string_fixed64 {
    struct sl_pb_entry_string_fixed64 *items;
    size_t n;
};
struct sl_pb_map_string_int32 {
    struct sl_pb_entry_string_int32 *items;
    size_t n;
};
struct sl_pb_map_string_int64 {
    struct sl_pb_entry_string_int64 *items;
    size_t n;
};
struct sl_pb_map_string_string {
    struct sl_pb_entry_string_string *items;
    size_t n;
};
struct sl_pb_map_uint32_FunctionDef_ArgAttrs {
    struct sl_pb_entry_uint32_FunctionDef_ArgAttrs *items;
    size_t n;
};
struct sl_pb_map_uint32_string {
    struct sl_pb_entry_uint32_string *items;
    size_t n;
};
struct sl_pb_map_uint32_uint32 {
    struct sl_pb_entry_uint32_uint32 *items;
    size_t n;
};

/* Messages. */
/* tensorflow.AttrValue */
struct sl_pb_AttrValue {
    int which; /* oneof value: 0 or one of SL_PB_AttrValue_* */
    union {
        struct sl_str s; /* bytes */
        int64_t i;
        float f;
        bool b;
        int32_t type; /* DataType */
        struct sl_pb_TensorShapeProto *shape;
        struct sl_pb_TensorProto *tensor;
        struct sl_pb_AttrValue_ListValue *list;
        struct sl_pb_NameAttrList *func;
        struct sl_str placeholder;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_AttrValue_s = 2,
    SL_PB_AttrValue_i = 3,
    SL_PB_AttrValue_f = 4,
    SL_PB_AttrValue_b = 5,
    SL_PB_AttrValue_type = 6,
    SL_PB_AttrValue_shape = 7,
    SL_PB_AttrValue_tensor = 8,
    SL_PB_AttrValue_list = 1,
    SL_PB_AttrValue_func = 10,
    SL_PB_AttrValue_placeholder = 9,
};

/* tensorflow.AttrValue.ListValue */
struct sl_pb_AttrValue_ListValue {
    struct sl_pb_array_str s; /* bytes */
    struct sl_pb_array_i64 i;
    struct sl_pb_array_f32 f;
    struct sl_pb_array_bool b;
    struct sl_pb_array_i32 type; /* DataType */
    struct sl_pb_array_TensorShapeProto shape;
    struct sl_pb_array_TensorProto tensor;
    struct sl_pb_array_NameAttrList func;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.NameAttrList */
struct sl_pb_NameAttrList {
    struct sl_str name;
    struct sl_pb_map_string_AttrValue attr;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.FullTypeDef */
struct sl_pb_FullTypeDef {
    int32_t type_id; /* FullTypeId */
    struct sl_pb_array_FullTypeDef args;
    int which; /* oneof attr: 0 or one of SL_PB_FullTypeDef_* */
    union {
        struct sl_str s;
        int64_t i;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_FullTypeDef_s = 3,
    SL_PB_FullTypeDef_i = 4,
};

/* tensorflow.BundleHeaderProto */
struct sl_pb_BundleHeaderProto {
    int32_t num_shards;
    int32_t endianness; /* BundleHeaderProto_Endianness */
    struct sl_pb_VersionDef *version;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.BundleEntryProto */
struct sl_pb_BundleEntryProto {
    int32_t dtype; /* DataType */
    struct sl_pb_TensorShapeProto *shape;
    int32_t shard_id;
    int64_t offset;
    int64_t size;
    uint32_t crc32c;
    struct sl_pb_array_TensorSliceProto slices;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedSliceMeta */
struct sl_pb_SavedSliceMeta {
    struct sl_str name;
    struct sl_pb_TensorShapeProto *shape;
    int32_t type; /* DataType */
    struct sl_pb_array_TensorSliceProto slice;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedTensorSliceMeta */
struct sl_pb_SavedTensorSliceMeta {
    struct sl_pb_array_SavedSliceMeta tensor;
    struct sl_pb_VersionDef *versions;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedSlice */
struct sl_pb_SavedSlice {
    struct sl_str name;
    struct sl_pb_TensorSliceProto *slice;
    struct sl_pb_TensorProto *data;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedTensorSlices */
struct sl_pb_SavedTensorSlices {
    struct sl_pb_SavedTensorSliceMeta *meta;
    struct sl_pb_SavedSlice *data;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CheckpointState */
struct sl_pb_CheckpointState {
    struct sl_str model_checkpoint_path;
    struct sl_pb_array_str all_model_checkpoint_paths;
    struct sl_pb_array_f64 all_model_checkpoint_timestamps;
    double last_preserved_timestamp;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SaverDef */
struct sl_pb_SaverDef {
    struct sl_str filename_tensor_name;
    struct sl_str save_tensor_name;
    struct sl_str restore_op_name;
    int32_t max_to_keep;
    bool sharded;
    float keep_checkpoint_every_n_hours;
    int32_t version; /* SaverDef_CheckpointFormatVersion */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TrackableObjectGraph */
struct sl_pb_TrackableObjectGraph {
    struct sl_pb_array_TrackableObjectGraph_TrackableObject nodes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TrackableObjectGraph.TrackableObject */
struct sl_pb_TrackableObjectGraph_TrackableObject {
    struct sl_pb_array_TrackableObjectGraph_TrackableObject_ObjectReference children;
    struct sl_pb_array_TrackableObjectGraph_TrackableObject_SerializedTensor attributes;
    struct sl_pb_array_TrackableObjectGraph_TrackableObject_SlotVariableReference slot_variables;
    struct sl_pb_RegisteredSaver *registered_saver;
    struct sl_pb_BoolValue *has_checkpoint_values;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TrackableObjectGraph.TrackableObject.ObjectReference */
struct sl_pb_TrackableObjectGraph_TrackableObject_ObjectReference {
    int32_t node_id;
    struct sl_str local_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TrackableObjectGraph.TrackableObject.SerializedTensor */
struct sl_pb_TrackableObjectGraph_TrackableObject_SerializedTensor {
    struct sl_str name;
    struct sl_str full_name;
    struct sl_str checkpoint_key;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TrackableObjectGraph.TrackableObject.SlotVariableReference */
struct sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference {
    int32_t original_variable_node_id;
    struct sl_str slot_name;
    int32_t slot_variable_node_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RegisteredSaver */
struct sl_pb_RegisteredSaver {
    struct sl_str name;
    struct sl_str object_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ReaderBaseState */
struct sl_pb_ReaderBaseState {
    int64_t work_started;
    int64_t work_finished;
    int64_t num_records_produced;
    struct sl_str current_work; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.JobDef */
struct sl_pb_JobDef {
    struct sl_str name;
    struct sl_pb_map_int32_string tasks;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ClusterDef */
struct sl_pb_ClusterDef {
    struct sl_pb_array_JobDef job;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RPCOptions */
struct sl_pb_RPCOptions {
    bool use_rpc_for_inprocess_master;
    struct sl_str compression_algorithm;
    int32_t compression_level;
    bool cache_rpc_response;
    bool disable_session_connection_sharing;
    int32_t num_channels_per_target;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CoordinatedJob */
struct sl_pb_CoordinatedJob {
    struct sl_str name;
    int32_t num_tasks;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CoordinationServiceConfig */
struct sl_pb_CoordinationServiceConfig {
    struct sl_str service_type;
    struct sl_str service_leader;
    bool enable_health_check;
    int64_t cluster_register_timeout_in_ms;
    bool cluster_register_with_barrier;
    int64_t heartbeat_timeout_in_ms;
    struct sl_pb_array_CoordinatedJob coordinated_job_list;
    int64_t shutdown_barrier_timeout_in_ms;
    bool agent_destruction_without_shutdown;
    struct sl_pb_array_str recoverable_jobs;
    bool allow_new_incarnation_to_reconnect;
    bool force_disable;
    bool poll_for_error_from_service_at_startup;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GPUOptions */
struct sl_pb_GPUOptions {
    double per_process_gpu_memory_fraction;
    bool allow_growth;
    struct sl_str allocator_type;
    int64_t deferred_deletion_bytes;
    struct sl_str visible_device_list;
    int32_t polling_active_delay_usecs;
    int32_t polling_inactive_delay_msecs;
    bool force_gpu_compatible;
    struct sl_pb_GPUOptions_Experimental *experimental;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GPUOptions.Experimental */
struct sl_pb_GPUOptions_Experimental {
    struct sl_pb_array_GPUOptions_Experimental_VirtualDevices virtual_devices;
    int32_t num_virtual_devices_per_gpu;
    bool use_unified_memory;
    int32_t num_dev_to_dev_copy_streams;
    struct sl_str collective_ring_order;
    bool timestamped_allocator;
    int32_t kernel_tracker_max_interval;
    int32_t kernel_tracker_max_bytes;
    int32_t kernel_tracker_max_pending;
    double internal_fragmentation_fraction;
    bool use_cuda_malloc_async;
    bool disallow_retry_on_allocation_failure;
    float gpu_host_mem_limit_in_mb;
    bool gpu_host_mem_disallow_growth;
    int32_t gpu_system_memory_size_in_mb;
    bool populate_pjrt_gpu_client_creation_info;
    int32_t node_id;
    struct sl_pb_GPUOptions_Experimental_StreamMergeOptions *stream_merge_options;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GPUOptions.Experimental.VirtualDevices */
struct sl_pb_GPUOptions_Experimental_VirtualDevices {
    struct sl_pb_array_f32 memory_limit_mb;
    struct sl_pb_array_i32 priority;
    struct sl_pb_array_i32 device_ordinal;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GPUOptions.Experimental.StreamMergeOptions */
struct sl_pb_GPUOptions_Experimental_StreamMergeOptions {
    bool merge_host_to_device_stream;
    bool merge_device_to_host_stream;
    bool merge_device_to_device_stream;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.OptimizerOptions */
struct sl_pb_OptimizerOptions {
    bool do_common_subexpression_elimination;
    bool do_constant_folding;
    int64_t max_folded_constant_in_bytes;
    bool do_function_inlining;
    int32_t opt_level; /* OptimizerOptions_Level */
    int32_t global_jit_level; /* OptimizerOptions_GlobalJitLevel */
    bool cpu_global_jit;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GraphOptions */
struct sl_pb_GraphOptions {
    bool enable_recv_scheduling;
    struct sl_pb_OptimizerOptions *optimizer_options;
    int64_t build_cost_model;
    int64_t build_cost_model_after;
    bool infer_shapes;
    bool place_pruned_graph;
    bool enable_bfloat16_sendrecv;
    int32_t timeline_step;
    struct sl_pb_RewriterConfig *rewrite_options;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ThreadPoolOptionProto */
struct sl_pb_ThreadPoolOptionProto {
    int32_t num_threads;
    struct sl_str global_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SessionMetadata */
struct sl_pb_SessionMetadata {
    struct sl_str name;
    int64_t version;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ConfigProto */
struct sl_pb_ConfigProto {
    struct sl_pb_map_string_int32 device_count;
    int32_t intra_op_parallelism_threads;
    int32_t inter_op_parallelism_threads;
    bool use_per_session_threads;
    struct sl_pb_array_ThreadPoolOptionProto session_inter_op_thread_pool;
    int32_t placement_period;
    struct sl_pb_array_str device_filters;
    struct sl_pb_GPUOptions *gpu_options;
    struct sl_pb_GPUOptions *pluggable_device_options;
    bool allow_soft_placement;
    bool log_device_placement;
    struct sl_pb_GraphOptions *graph_options;
    int64_t operation_timeout_in_ms;
    struct sl_pb_RPCOptions *rpc_options;
    struct sl_pb_ClusterDef *cluster_def;
    bool isolate_session_state;
    bool share_cluster_devices_in_session;
    struct sl_pb_ConfigProto_Experimental *experimental;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ConfigProto.Experimental */
struct sl_pb_ConfigProto_Experimental {
    struct sl_str collective_group_leader;
    struct sl_str executor_type;
    int32_t recv_buf_max_chunk;
    bool use_numa_affinity;
    bool collective_deterministic_sequential_execution;
    bool collective_nccl;
    bool share_session_state_in_clusterspec_propagation;
    bool disable_thread_spinning;
    bool share_cluster_devices_in_session;
    struct sl_pb_SessionMetadata *session_metadata;
    bool optimize_for_static_graph;
    bool enable_mlir_bridge;
    int32_t mlir_bridge_rollout; /* ConfigProto_Experimental_MlirBridgeRollout */
    bool enable_mlir_graph_optimization;
    bool disable_output_partition_graphs;
    int64_t xla_fusion_autotuner_thresh;
    bool use_tfrt;
    bool enable_multi_host;
    bool tfrt_use_ifrt;
    int32_t backend_server_port;
    bool target_tpu;
    bool target_gpu;
    int32_t stream_merge_threshold;
    bool disable_functional_ops_lowering;
    bool xla_prefer_single_graph_cluster;
    struct sl_pb_CoordinationServiceConfig *coordination_config;
    bool disable_optimize_for_static_graph;
    bool disable_eager_executor_streaming_enqueue;
    bool finalize_function_library_runtime;
    bool finalize_resource_manager;
    struct sl_str tf2xla_dump_dir;
    bool online_cost_analysis;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DebugTensorWatch */
struct sl_pb_DebugTensorWatch {
    struct sl_str node_name;
    int32_t output_slot;
    struct sl_pb_array_str debug_ops;
    struct sl_pb_array_str debug_urls;
    bool tolerate_debug_op_creation_failures;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DebugOptions */
struct sl_pb_DebugOptions {
    struct sl_pb_array_DebugTensorWatch debug_tensor_watch_opts;
    int64_t global_step;
    bool reset_disk_byte_usage;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DebuggedSourceFile */
struct sl_pb_DebuggedSourceFile {
    struct sl_str host;
    struct sl_str file_path;
    int64_t last_modified;
    int64_t bytes;
    struct sl_pb_array_str lines;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DebuggedSourceFiles */
struct sl_pb_DebuggedSourceFiles {
    struct sl_pb_array_DebuggedSourceFile source_files;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunOptions */
struct sl_pb_RunOptions {
    int32_t trace_level; /* RunOptions_TraceLevel */
    int64_t timeout_in_ms;
    int32_t inter_op_thread_pool;
    bool output_partition_graphs;
    struct sl_pb_DebugOptions *debug_options;
    bool report_tensor_allocations_upon_oom;
    struct sl_pb_RunOptions_Experimental *experimental;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunOptions.Experimental */
struct sl_pb_RunOptions_Experimental {
    int64_t collective_graph_key;
    bool use_run_handler_pool;
    struct sl_pb_RunOptions_Experimental_RunHandlerPoolOptions *run_handler_pool_options;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunOptions.Experimental.RunHandlerPoolOptions */
struct sl_pb_RunOptions_Experimental_RunHandlerPoolOptions {
    int64_t priority;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunMetadata */
struct sl_pb_RunMetadata {
    struct sl_pb_StepStats *step_stats;
    struct sl_pb_CostGraphDef *cost_graph;
    struct sl_pb_array_GraphDef partition_graphs;
    struct sl_pb_array_RunMetadata_FunctionGraphs function_graphs;
    struct sl_pb_SessionMetadata *session_metadata;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunMetadata.FunctionGraphs */
struct sl_pb_RunMetadata_FunctionGraphs {
    struct sl_pb_array_GraphDef partition_graphs;
    struct sl_pb_GraphDef *pre_optimization_graph;
    struct sl_pb_GraphDef *post_optimization_graph;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorConnection */
struct sl_pb_TensorConnection {
    struct sl_str from_tensor;
    struct sl_str to_tensor;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CallableOptions */
struct sl_pb_CallableOptions {
    struct sl_pb_array_str feed;
    struct sl_pb_array_str fetch;
    struct sl_pb_array_str target;
    struct sl_pb_RunOptions *run_options;
    struct sl_pb_array_TensorConnection tensor_connection;
    struct sl_pb_map_string_string feed_devices;
    struct sl_pb_map_string_string fetch_devices;
    bool fetch_skip_sync;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.BatchingOptions */
struct sl_pb_BatchingOptions {
    int32_t num_batch_threads;
    int32_t max_batch_size;
    int32_t batch_timeout_micros;
    struct sl_pb_array_i32 allowed_batch_sizes;
    int32_t max_enqueued_batches;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.data.CompressedComponentMetadata */
struct sl_pb_CompressedComponentMetadata {
    int32_t dtype; /* DataType */
    struct sl_pb_TensorShapeProto *tensor_shape;
    struct sl_pb_array_u64 uncompressed_bytes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.data.CompressedElement */
struct sl_pb_CompressedElement {
    struct sl_str data; /* bytes */
    struct sl_pb_array_CompressedComponentMetadata component_metadata;
    int32_t version;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.data.SnapshotMetadataRecord */
struct sl_pb_SnapshotMetadataRecord {
    struct sl_str graph_hash;
    struct sl_str run_id;
    int64_t creation_timestamp;
    int64_t version;
    struct sl_pb_array_i32 dtype; /* DataType */
    int64_t num_elements;
    bool finalized;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.data.SnapshotRecord */
struct sl_pb_SnapshotRecord {
    struct sl_pb_array_TensorProto tensor;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.data.TensorMetadata */
struct sl_pb_TensorMetadata {
    struct sl_pb_TensorShapeProto *tensor_shape;
    int64_t tensor_size_bytes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.data.SnapshotTensorMetadata */
struct sl_pb_SnapshotTensorMetadata {
    struct sl_pb_array_TensorMetadata tensor_metadata;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.InterconnectLink */
struct sl_pb_InterconnectLink {
    int32_t device_id;
    struct sl_str type;
    int32_t strength;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.LocalLinks */
struct sl_pb_LocalLinks {
    struct sl_pb_array_InterconnectLink link;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DeviceLocality */
struct sl_pb_DeviceLocality {
    int32_t bus_id;
    int32_t numa_node;
    struct sl_pb_LocalLinks *links;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DeviceAttributes */
struct sl_pb_DeviceAttributes {
    struct sl_str name;
    struct sl_str device_type;
    int64_t memory_limit;
    struct sl_pb_DeviceLocality *locality;
    uint64_t incarnation;
    struct sl_str physical_device_desc;
    int64_t xla_global_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.ResourceDtypeAndShape */
struct sl_pb_eager_ResourceDtypeAndShape {
    int32_t dtype; /* DataType */
    struct sl_pb_TensorShapeProto *shape;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.RemoteTensorHandle */
struct sl_pb_eager_RemoteTensorHandle {
    int64_t op_id;
    int32_t output_num;
    struct sl_str device;
    struct sl_str op_device;
    int32_t dtype; /* DataType */
    struct sl_pb_array_eager_ResourceDtypeAndShape resource_dtypes_and_shapes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.Operation */
struct sl_pb_eager_Operation {
    int64_t id;
    struct sl_str name;
    struct sl_pb_array_eager_Operation_Input op_inputs;
    struct sl_pb_array_i64 control_op_ids;
    struct sl_pb_map_string_AttrValue attrs;
    struct sl_str device;
    bool is_component_function;
    int64_t func_step_id;
    bool is_function;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.Operation.Input */
struct sl_pb_eager_Operation_Input {
    int which; /* oneof item: 0 or one of SL_PB_eager_Operation_Input_* */
    union {
        struct sl_pb_eager_RemoteTensorHandle *remote_handle;
        struct sl_pb_TensorProto *tensor;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_eager_Operation_Input_remote_handle = 1,
    SL_PB_eager_Operation_Input_tensor = 2,
};

/* tensorflow.eager.QueueItem */
struct sl_pb_eager_QueueItem {
    int which; /* oneof item: 0 or one of SL_PB_eager_QueueItem_* */
    union {
        struct sl_pb_eager_RemoteTensorHandle *handle_to_decref;
        struct sl_pb_eager_Operation *operation;
        struct sl_pb_eager_SendTensorOp *send_tensor;
        struct sl_pb_eager_RegisterFunctionOp *register_function;
        struct sl_pb_eager_CleanupFunctionOp *cleanup_function;
        struct sl_pb_eager_SyncRemoteExecutorForStream *sync_remote_executor_for_stream;
        struct sl_pb_eager_SendPackedHandleOp *send_packed_handle;
        struct sl_pb_eager_RemoveFunctionOp *remove_function;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_eager_QueueItem_handle_to_decref = 1,
    SL_PB_eager_QueueItem_operation = 2,
    SL_PB_eager_QueueItem_send_tensor = 3,
    SL_PB_eager_QueueItem_register_function = 4,
    SL_PB_eager_QueueItem_cleanup_function = 5,
    SL_PB_eager_QueueItem_sync_remote_executor_for_stream = 6,
    SL_PB_eager_QueueItem_send_packed_handle = 7,
    SL_PB_eager_QueueItem_remove_function = 8,
};

/* tensorflow.eager.QueueResponse */
struct sl_pb_eager_QueueResponse {
    struct sl_pb_array_TensorShapeProto shape;
    struct sl_pb_array_str device;
    struct sl_pb_array_TensorProto tensor;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.CreateContextRequest */
struct sl_pb_eager_CreateContextRequest {
    struct sl_pb_ServerDef *server_def;
    bool async;
    int64_t keep_alive_secs;
    struct sl_pb_VersionDef *version_def;
    struct sl_pb_array_DeviceAttributes cluster_device_attributes;
    uint64_t context_id;
    uint64_t context_view_id;
    bool lazy_copy_remote_function_inputs;
    bool clear_existing_contexts;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.CreateContextResponse */
struct sl_pb_eager_CreateContextResponse {
    struct sl_pb_array_DeviceAttributes device_attributes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.UpdateContextRequest */
struct sl_pb_eager_UpdateContextRequest {
    struct sl_pb_ServerDef *server_def;
    struct sl_pb_array_DeviceAttributes cluster_device_attributes;
    uint64_t context_id;
    uint64_t context_view_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.UpdateContextResponse */
struct sl_pb_eager_UpdateContextResponse {
    struct sl_pb_array_DeviceAttributes device_attributes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.EnqueueRequest */
struct sl_pb_eager_EnqueueRequest {
    uint64_t context_id;
    struct sl_pb_array_eager_QueueItem queue;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.EnqueueResponse */
struct sl_pb_eager_EnqueueResponse {
    struct sl_pb_array_eager_QueueResponse queue_response;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.WaitQueueDoneRequest */
struct sl_pb_eager_WaitQueueDoneRequest {
    uint64_t context_id;
    struct sl_pb_array_i64 op_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.WaitQueueDoneResponse */
struct sl_pb_eager_WaitQueueDoneResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.RunComponentFunctionRequest */
struct sl_pb_eager_RunComponentFunctionRequest {
    uint64_t context_id;
    struct sl_pb_eager_Operation *operation;
    struct sl_pb_array_i32 output_num;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.RunComponentFunctionResponse */
struct sl_pb_eager_RunComponentFunctionResponse {
    struct sl_pb_array_TensorShapeProto shape;
    struct sl_pb_array_TensorProto tensor;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.KeepAliveRequest */
struct sl_pb_eager_KeepAliveRequest {
    uint64_t context_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.KeepAliveResponse */
struct sl_pb_eager_KeepAliveResponse {
    uint64_t context_view_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.CloseContextRequest */
struct sl_pb_eager_CloseContextRequest {
    uint64_t context_id;
    uint64_t context_view_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.CloseContextResponse */
struct sl_pb_eager_CloseContextResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.RegisterFunctionOp */
struct sl_pb_eager_RegisterFunctionOp {
    struct sl_pb_FunctionDef *function_def;
    bool is_component_function;
    struct sl_pb_FunctionDefLibrary *library;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.RemoveFunctionOp */
struct sl_pb_eager_RemoveFunctionOp {
    struct sl_str function_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.CleanupFunctionOp */
struct sl_pb_eager_CleanupFunctionOp {
    int64_t step_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.SyncRemoteExecutorForStream */
struct sl_pb_eager_SyncRemoteExecutorForStream {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.SendTensorOp */
struct sl_pb_eager_SendTensorOp {
    int64_t op_id;
    struct sl_pb_array_TensorProto tensors;
    struct sl_str device_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.SendPackedHandleOp */
struct sl_pb_eager_SendPackedHandleOp {
    int64_t op_id;
    struct sl_pb_array_eager_SendPackedHandleOp_Handle handles;
    struct sl_str device_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.SendPackedHandleOp.LocalTensorHandle */
struct sl_pb_eager_SendPackedHandleOp_LocalTensorHandle {
    struct sl_pb_TensorProto *tensor;
    struct sl_str device;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.eager.SendPackedHandleOp.Handle */
struct sl_pb_eager_SendPackedHandleOp_Handle {
    int which; /* oneof item: 0 or one of SL_PB_eager_SendPackedHandleOp_Handle_* */
    union {
        struct sl_pb_eager_SendPackedHandleOp_LocalTensorHandle *local_handle;
        struct sl_pb_eager_RemoteTensorHandle *remote_handle;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_eager_SendPackedHandleOp_Handle_local_handle = 1,
    SL_PB_eager_SendPackedHandleOp_Handle_remote_handle = 2,
};

/* tensorflow.SummaryDescription */
struct sl_pb_SummaryDescription {
    struct sl_str type_hint;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SummaryMetadata */
struct sl_pb_SummaryMetadata {
    struct sl_pb_SummaryMetadata_PluginData *plugin_data;
    struct sl_str display_name;
    struct sl_str summary_description;
    int32_t data_class; /* DataClass */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SummaryMetadata.PluginData */
struct sl_pb_SummaryMetadata_PluginData {
    struct sl_str plugin_name;
    struct sl_str content; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.Summary */
struct sl_pb_Summary {
    struct sl_pb_array_Summary_Value value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.Summary.Image */
struct sl_pb_Summary_Image {
    int32_t height;
    int32_t width;
    int32_t colorspace;
    struct sl_str encoded_image_string; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.Summary.Audio */
struct sl_pb_Summary_Audio {
    float sample_rate;
    int64_t num_channels;
    int64_t length_frames;
    struct sl_str encoded_audio_string; /* bytes */
    struct sl_str content_type;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.Summary.Value */
struct sl_pb_Summary_Value {
    struct sl_str node_name;
    struct sl_str tag;
    struct sl_pb_SummaryMetadata *metadata;
    int which; /* oneof value: 0 or one of SL_PB_Summary_Value_* */
    union {
        float simple_value;
        struct sl_str obsolete_old_style_histogram; /* bytes */
        struct sl_pb_Summary_Image *image;
        struct sl_pb_HistogramProto *histo;
        struct sl_pb_Summary_Audio *audio;
        struct sl_pb_TensorProto *tensor;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_Summary_Value_simple_value = 2,
    SL_PB_Summary_Value_obsolete_old_style_histogram = 3,
    SL_PB_Summary_Value_image = 4,
    SL_PB_Summary_Value_histo = 5,
    SL_PB_Summary_Value_audio = 6,
    SL_PB_Summary_Value_tensor = 8,
};

/* tensorflow.HistogramProto */
struct sl_pb_HistogramProto {
    double min;
    double max;
    double num;
    double sum;
    double sum_squares;
    struct sl_pb_array_f64 bucket_limit;
    struct sl_pb_array_f64 bucket;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.Event */
struct sl_pb_Event {
    double wall_time;
    int64_t step;
    int which; /* oneof what: 0 or one of SL_PB_Event_* */
    union {
        struct sl_str file_version;
        struct sl_str graph_def; /* bytes */
        struct sl_pb_Summary *summary;
        struct sl_pb_LogMessage *log_message; /* deprecated */
        struct sl_pb_SessionLog *session_log;
        struct sl_pb_TaggedRunMetadata *tagged_run_metadata;
        struct sl_str meta_graph_def; /* bytes */
    };
    struct sl_pb_SourceMetadata *source_metadata;
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_Event_file_version = 3,
    SL_PB_Event_graph_def = 4,
    SL_PB_Event_summary = 5,
    SL_PB_Event_log_message = 6,
    SL_PB_Event_session_log = 7,
    SL_PB_Event_tagged_run_metadata = 8,
    SL_PB_Event_meta_graph_def = 9,
};

/* tensorflow.SourceMetadata */
struct sl_pb_SourceMetadata {
    struct sl_str writer;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.LogMessage */
struct sl_pb_LogMessage {
    int32_t level; /* LogMessage_Level */
    struct sl_str message;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SessionLog */
struct sl_pb_SessionLog {
    int32_t status; /* SessionLog_SessionStatus */
    struct sl_str checkpoint_path;
    struct sl_str msg;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TaggedRunMetadata */
struct sl_pb_TaggedRunMetadata {
    struct sl_str tag;
    struct sl_str run_metadata; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.WatchdogConfig */
struct sl_pb_WatchdogConfig {
    int64_t timeout_ms;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RequestedExitCode */
struct sl_pb_RequestedExitCode {
    int32_t exit_code;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.WorkerHeartbeatRequest */
struct sl_pb_WorkerHeartbeatRequest {
    int32_t shutdown_mode; /* WorkerShutdownMode */
    struct sl_pb_WatchdogConfig *watchdog_config;
    struct sl_pb_RequestedExitCode *exit_code;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.WorkerHeartbeatResponse */
struct sl_pb_WorkerHeartbeatResponse {
    int32_t health_status; /* WorkerHealth */
    struct sl_pb_array_Event worker_log;
    struct sl_str hostname;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.BytesList */
struct sl_pb_BytesList {
    struct sl_pb_array_str value; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.FloatList */
struct sl_pb_FloatList {
    struct sl_pb_array_f32 value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.Int64List */
struct sl_pb_Int64List {
    struct sl_pb_array_i64 value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.Feature */
struct sl_pb_Feature {
    int which; /* oneof kind: 0 or one of SL_PB_Feature_* */
    union {
        struct sl_pb_BytesList *bytes_list;
        struct sl_pb_FloatList *float_list;
        struct sl_pb_Int64List *int64_list;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_Feature_bytes_list = 1,
    SL_PB_Feature_float_list = 2,
    SL_PB_Feature_int64_list = 3,
};

/* tensorflow.Features */
struct sl_pb_Features {
    struct sl_pb_map_string_Feature feature;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.FeatureList */
struct sl_pb_FeatureList {
    struct sl_pb_array_Feature feature;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.FeatureLists */
struct sl_pb_FeatureLists {
    struct sl_pb_map_string_FeatureList feature_list;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.Example */
struct sl_pb_Example {
    struct sl_pb_Features *features;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SequenceExample */
struct sl_pb_SequenceExample {
    struct sl_pb_Features *context;
    struct sl_pb_FeatureLists *feature_lists;
    struct sl_pb_unknown *unknown;
};

/* sluice.ExplainRequest */
struct sl_pb_sluice_ExplainRequest {
    struct sl_str session_handle;
    uint64_t step_id;
    struct sl_pb_unknown *unknown;
};

/* sluice.ExplainResponse */
struct sl_pb_sluice_ExplainResponse {
    struct sl_pb_array_str sentence;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.VersionDef */
struct sl_pb_VersionDef {
    int32_t producer;
    int32_t min_consumer;
    struct sl_pb_array_i32 bad_consumers;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.NodeDef */
struct sl_pb_NodeDef {
    struct sl_str name;
    struct sl_str op;
    struct sl_pb_array_str input;
    struct sl_str device;
    struct sl_pb_map_string_AttrValue attr;
    struct sl_pb_NodeDef_ExperimentalDebugInfo *experimental_debug_info;
    struct sl_pb_FullTypeDef *experimental_type;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.NodeDef.ExperimentalDebugInfo */
struct sl_pb_NodeDef_ExperimentalDebugInfo {
    struct sl_pb_array_str original_node_names;
    struct sl_pb_array_str original_func_names;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GraphDebugInfo */
struct sl_pb_GraphDebugInfo {
    struct sl_pb_array_str files;
    struct sl_pb_map_fixed64_GraphDebugInfo_FileLineCol frames_by_id;
    struct sl_pb_map_fixed64_GraphDebugInfo_StackTrace traces_by_id;
    struct sl_pb_map_string_GraphDebugInfo_StackTrace traces;
    struct sl_pb_map_string_fixed64 name_to_trace_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GraphDebugInfo.FileLineCol */
struct sl_pb_GraphDebugInfo_FileLineCol {
    int32_t file_index;
    int32_t line;
    int32_t col;
    struct sl_str func;
    struct sl_str code;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GraphDebugInfo.StackTrace */
struct sl_pb_GraphDebugInfo_StackTrace {
    struct sl_pb_array_GraphDebugInfo_FileLineCol file_line_cols;
    struct sl_pb_array_u64 frame_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.FunctionDefLibrary */
struct sl_pb_FunctionDefLibrary {
    struct sl_pb_array_FunctionDef function;
    struct sl_pb_array_GradientDef gradient;
    struct sl_pb_array_RegisteredGradient registered_gradients;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.FunctionDef */
struct sl_pb_FunctionDef {
    struct sl_pb_OpDef *signature;
    struct sl_pb_map_string_AttrValue attr;
    struct sl_pb_map_uint32_FunctionDef_ArgAttrs arg_attr;
    struct sl_pb_map_uint32_uint32 resource_arg_unique_id;
    struct sl_pb_array_NodeDef node_def;
    struct sl_pb_map_string_string ret;
    struct sl_pb_map_string_string control_ret;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.FunctionDef.ArgAttrs */
struct sl_pb_FunctionDef_ArgAttrs {
    struct sl_pb_map_string_AttrValue attr;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GradientDef */
struct sl_pb_GradientDef {
    struct sl_str function_name;
    struct sl_str gradient_func;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RegisteredGradient */
struct sl_pb_RegisteredGradient {
    struct sl_str gradient_func;
    struct sl_str registered_op_type;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GraphDef */
struct sl_pb_GraphDef {
    struct sl_pb_array_NodeDef node;
    struct sl_pb_VersionDef *versions;
    int32_t version; /* deprecated */
    struct sl_pb_FunctionDefLibrary *library;
    struct sl_pb_GraphDebugInfo *debug_info;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CreateSessionRequest */
struct sl_pb_CreateSessionRequest {
    struct sl_pb_GraphDef *graph_def;
    struct sl_pb_ConfigProto *config;
    struct sl_str target;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CreateSessionResponse */
struct sl_pb_CreateSessionResponse {
    struct sl_str session_handle;
    int64_t graph_version;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ExtendSessionRequest */
struct sl_pb_ExtendSessionRequest {
    struct sl_str session_handle;
    struct sl_pb_GraphDef *graph_def;
    int64_t current_graph_version;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ExtendSessionResponse */
struct sl_pb_ExtendSessionResponse {
    int64_t new_graph_version;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunStepRequest */
struct sl_pb_RunStepRequest {
    struct sl_str session_handle;
    struct sl_pb_array_NamedTensorProto feed;
    struct sl_pb_array_str fetch;
    struct sl_pb_array_str target;
    struct sl_pb_RunOptions *options;
    struct sl_str partial_run_handle;
    bool store_errors_in_response_body;
    int64_t request_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunStepResponse */
struct sl_pb_RunStepResponse {
    struct sl_pb_array_NamedTensorProto tensor;
    struct sl_pb_RunMetadata *metadata;
    int32_t status_code; /* error_Code */
    struct sl_str status_error_message;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.PartialRunSetupRequest */
struct sl_pb_PartialRunSetupRequest {
    struct sl_str session_handle;
    struct sl_pb_array_str feed;
    struct sl_pb_array_str fetch;
    struct sl_pb_array_str target;
    int64_t request_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.PartialRunSetupResponse */
struct sl_pb_PartialRunSetupResponse {
    struct sl_str partial_run_handle;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CloseSessionRequest */
struct sl_pb_CloseSessionRequest {
    struct sl_str session_handle;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CloseSessionResponse */
struct sl_pb_CloseSessionResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ResetRequest */
struct sl_pb_ResetRequest {
    struct sl_pb_array_str container;
    struct sl_pb_array_str device_filters;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ResetResponse */
struct sl_pb_ResetResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ListDevicesRequest */
struct sl_pb_ListDevicesRequest {
    struct sl_str session_handle;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ListDevicesResponse */
struct sl_pb_ListDevicesResponse {
    struct sl_pb_array_DeviceAttributes local_device;
    struct sl_pb_array_DeviceAttributes remote_device;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MakeCallableRequest */
struct sl_pb_MakeCallableRequest {
    struct sl_str session_handle;
    struct sl_pb_CallableOptions *options;
    int64_t request_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MakeCallableResponse */
struct sl_pb_MakeCallableResponse {
    int64_t handle;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunCallableRequest */
struct sl_pb_RunCallableRequest {
    struct sl_str session_handle;
    int64_t handle;
    struct sl_pb_array_TensorProto feed;
    int64_t request_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunCallableResponse */
struct sl_pb_RunCallableResponse {
    struct sl_pb_array_TensorProto fetch;
    struct sl_pb_RunMetadata *metadata;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ReleaseCallableRequest */
struct sl_pb_ReleaseCallableRequest {
    struct sl_str session_handle;
    int64_t handle;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ReleaseCallableResponse */
struct sl_pb_ReleaseCallableResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.OpDef */
struct sl_pb_OpDef {
    struct sl_str name;
    struct sl_pb_array_OpDef_ArgDef input_arg;
    struct sl_pb_array_OpDef_ArgDef output_arg;
    struct sl_pb_array_str control_output;
    struct sl_pb_array_OpDef_AttrDef attr;
    struct sl_pb_OpDeprecation *deprecation;
    struct sl_str summary;
    struct sl_str description;
    bool is_commutative;
    bool is_aggregate;
    bool is_stateful;
    bool allows_uninitialized_input;
    bool is_distributed_communication;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.OpDef.ArgDef */
struct sl_pb_OpDef_ArgDef {
    struct sl_str name;
    struct sl_str description;
    int32_t type; /* DataType */
    struct sl_str type_attr;
    struct sl_str number_attr;
    struct sl_str type_list_attr;
    struct sl_pb_array_ResourceHandleProto_DtypeAndShape handle_data;
    bool is_ref;
    struct sl_pb_FullTypeDef *experimental_full_type;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.OpDef.AttrDef */
struct sl_pb_OpDef_AttrDef {
    struct sl_str name;
    struct sl_str type;
    struct sl_pb_AttrValue *default_value;
    struct sl_str description;
    bool has_minimum;
    int64_t minimum;
    struct sl_pb_AttrValue *allowed_values;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.OpDeprecation */
struct sl_pb_OpDeprecation {
    int32_t version;
    struct sl_str explanation;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.OpList */
struct sl_pb_OpList {
    struct sl_pb_array_OpDef op;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ApiDef */
struct sl_pb_ApiDef {
    struct sl_str graph_op_name;
    struct sl_str deprecation_message;
    int32_t deprecation_version;
    int32_t visibility; /* ApiDef_Visibility */
    struct sl_pb_array_ApiDef_Endpoint endpoint;
    struct sl_pb_array_ApiDef_Arg in_arg;
    struct sl_pb_array_ApiDef_Arg out_arg;
    struct sl_pb_array_str arg_order;
    struct sl_pb_array_ApiDef_Attr attr;
    struct sl_str summary;
    struct sl_str description;
    struct sl_str description_prefix;
    struct sl_str description_suffix;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ApiDef.Endpoint */
struct sl_pb_ApiDef_Endpoint {
    struct sl_str name;
    bool deprecated;
    int32_t deprecation_version;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ApiDef.Arg */
struct sl_pb_ApiDef_Arg {
    struct sl_str name;
    struct sl_str rename_to;
    struct sl_str description;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ApiDef.Attr */
struct sl_pb_ApiDef_Attr {
    struct sl_str name;
    struct sl_str rename_to;
    struct sl_pb_AttrValue *default_value;
    struct sl_str description;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ApiDefs */
struct sl_pb_ApiDefs {
    struct sl_pb_array_ApiDef op;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.KernelDef */
struct sl_pb_KernelDef {
    struct sl_str op;
    struct sl_str device_type;
    struct sl_pb_array_KernelDef_AttrConstraint constraint;
    struct sl_pb_array_str host_memory_arg;
    struct sl_str label;
    int32_t priority;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.KernelDef.AttrConstraint */
struct sl_pb_KernelDef_AttrConstraint {
    struct sl_str name;
    struct sl_pb_AttrValue *allowed_values;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.KernelList */
struct sl_pb_KernelList {
    struct sl_pb_array_KernelDef kernel;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.AutoParallelOptions */
struct sl_pb_AutoParallelOptions {
    bool enable;
    int32_t num_replicas;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ScopedAllocatorOptions */
struct sl_pb_ScopedAllocatorOptions {
    struct sl_pb_array_str enable_op;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RewriterConfig */
struct sl_pb_RewriterConfig {
    int32_t cpu_layout_conversion; /* RewriterConfig_CpuLayout */
    int32_t layout_optimizer; /* RewriterConfig_Toggle */
    int32_t constant_folding; /* RewriterConfig_Toggle */
    int32_t shape_optimization; /* RewriterConfig_Toggle */
    int32_t remapping; /* RewriterConfig_Toggle */
    int32_t common_subgraph_elimination; /* RewriterConfig_Toggle */
    int32_t arithmetic_optimization; /* RewriterConfig_Toggle */
    int32_t dependency_optimization; /* RewriterConfig_Toggle */
    int32_t loop_optimization; /* RewriterConfig_Toggle */
    int32_t function_optimization; /* RewriterConfig_Toggle */
    int32_t debug_stripper; /* RewriterConfig_Toggle */
    bool disable_model_pruning;
    int32_t scoped_allocator_optimization; /* RewriterConfig_Toggle */
    int32_t pin_to_host_optimization; /* RewriterConfig_Toggle */
    int32_t implementation_selector; /* RewriterConfig_Toggle */
    int32_t auto_mixed_precision; /* RewriterConfig_Toggle */
    int32_t auto_mixed_precision_mkl; /* RewriterConfig_Toggle */
    int32_t auto_mixed_precision_onednn_bfloat16; /* RewriterConfig_Toggle */
    int32_t auto_mixed_precision_cpu; /* RewriterConfig_Toggle */
    bool disable_meta_optimizer;
    bool disable_tfg_optimizer;
    int32_t use_plugin_optimizers; /* RewriterConfig_Toggle */
    int32_t experimental_conditional_code_motion; /* RewriterConfig_Toggle */
    int32_t meta_optimizer_iterations; /* RewriterConfig_NumIterationsType */
    int32_t min_graph_nodes;
    bool experimental_disable_compressed_tensor_optimization;
    bool experimental_disable_folding_quantization_emulation;
    int32_t memory_optimization; /* RewriterConfig_MemOptType */
    struct sl_str memory_optimizer_target_node_name_scope;
    int64_t meta_optimizer_timeout_ms;
    struct sl_pb_AutoParallelOptions *auto_parallel;
    bool fail_on_optimizer_errors;
    struct sl_pb_ScopedAllocatorOptions *scoped_allocator_opts;
    struct sl_pb_array_str optimizers;
    struct sl_pb_array_RewriterConfig_CustomGraphOptimizer custom_optimizers;
    struct sl_pb_VerifierConfig *inter_optimizer_verifier_config;
    struct sl_pb_VerifierConfig *post_optimization_verifier_config;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RewriterConfig.CustomGraphOptimizer */
struct sl_pb_RewriterConfig_CustomGraphOptimizer {
    struct sl_str name;
    struct sl_pb_map_string_AttrValue parameter_map;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.VerifierConfig */
struct sl_pb_VerifierConfig {
    int64_t verification_timeout_in_ms;
    int32_t structure_verifier; /* VerifierConfig_Toggle */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedModel */
struct sl_pb_SavedModel {
    int64_t saved_model_schema_version;
    struct sl_pb_array_MetaGraphDef meta_graphs;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MetaGraphDef */
struct sl_pb_MetaGraphDef {
    struct sl_pb_MetaGraphDef_MetaInfoDef *meta_info_def;
    struct sl_pb_GraphDef *graph_def;
    struct sl_pb_SaverDef *saver_def;
    struct sl_pb_map_string_CollectionDef collection_def;
    struct sl_pb_map_string_SignatureDef signature_def;
    struct sl_pb_array_AssetFileDef asset_file_def;
    struct sl_pb_SavedObjectGraph *object_graph_def;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MetaGraphDef.MetaInfoDef */
struct sl_pb_MetaGraphDef_MetaInfoDef {
    struct sl_str meta_graph_version;
    struct sl_pb_OpList *stripped_op_list;
    struct sl_pb_Any *any_info;
    struct sl_pb_array_str tags;
    struct sl_str tensorflow_version;
    struct sl_str tensorflow_git_version;
    bool stripped_default_attrs;
    struct sl_pb_map_string_string function_aliases;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CollectionDef */
struct sl_pb_CollectionDef {
    int which; /* oneof kind: 0 or one of SL_PB_CollectionDef_* */
    union {
        struct sl_pb_CollectionDef_NodeList *node_list;
        struct sl_pb_CollectionDef_BytesList *bytes_list;
        struct sl_pb_CollectionDef_Int64List *int64_list;
        struct sl_pb_CollectionDef_FloatList *float_list;
        struct sl_pb_CollectionDef_AnyList *any_list;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_CollectionDef_node_list = 1,
    SL_PB_CollectionDef_bytes_list = 2,
    SL_PB_CollectionDef_int64_list = 3,
    SL_PB_CollectionDef_float_list = 4,
    SL_PB_CollectionDef_any_list = 5,
};

/* tensorflow.CollectionDef.NodeList */
struct sl_pb_CollectionDef_NodeList {
    struct sl_pb_array_str value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CollectionDef.BytesList */
struct sl_pb_CollectionDef_BytesList {
    struct sl_pb_array_str value; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CollectionDef.Int64List */
struct sl_pb_CollectionDef_Int64List {
    struct sl_pb_array_i64 value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CollectionDef.FloatList */
struct sl_pb_CollectionDef_FloatList {
    struct sl_pb_array_f32 value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CollectionDef.AnyList */
struct sl_pb_CollectionDef_AnyList {
    struct sl_pb_array_Any value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorInfo */
struct sl_pb_TensorInfo {
    int which; /* oneof encoding: 0 or one of SL_PB_TensorInfo_* */
    union {
        struct sl_str name;
        struct sl_pb_TensorInfo_CooSparse *coo_sparse;
        struct sl_pb_TensorInfo_CompositeTensor *composite_tensor;
    };
    int32_t dtype; /* DataType */
    struct sl_pb_TensorShapeProto *tensor_shape;
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_TensorInfo_name = 1,
    SL_PB_TensorInfo_coo_sparse = 4,
    SL_PB_TensorInfo_composite_tensor = 5,
};

/* tensorflow.TensorInfo.CooSparse */
struct sl_pb_TensorInfo_CooSparse {
    struct sl_str values_tensor_name;
    struct sl_str indices_tensor_name;
    struct sl_str dense_shape_tensor_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorInfo.CompositeTensor */
struct sl_pb_TensorInfo_CompositeTensor {
    struct sl_pb_TypeSpecProto *type_spec;
    struct sl_pb_array_TensorInfo components;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SignatureDef */
struct sl_pb_SignatureDef {
    struct sl_pb_map_string_TensorInfo inputs;
    struct sl_pb_map_string_TensorInfo outputs;
    struct sl_str method_name;
    struct sl_pb_map_string_TensorProto defaults;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.AssetFileDef */
struct sl_pb_AssetFileDef {
    struct sl_pb_TensorInfo *tensor_info;
    struct sl_str filename;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedObjectGraph */
struct sl_pb_SavedObjectGraph {
    struct sl_pb_array_SavedObject nodes;
    struct sl_pb_map_string_SavedConcreteFunction concrete_functions;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedObject */
struct sl_pb_SavedObject {
    struct sl_pb_array_TrackableObjectGraph_TrackableObject_ObjectReference children;
    struct sl_pb_array_TrackableObjectGraph_TrackableObject_ObjectReference dependencies;
    struct sl_pb_array_TrackableObjectGraph_TrackableObject_SlotVariableReference slot_variables;
    int which; /* oneof kind: 0 or one of SL_PB_SavedObject_* */
    union {
        struct sl_pb_SavedUserObject *user_object;
        struct sl_pb_SavedAsset *asset;
        struct sl_pb_SavedFunction *function;
        struct sl_pb_SavedVariable *variable;
        struct sl_pb_SavedBareConcreteFunction *bare_concrete_function;
        struct sl_pb_SavedConstant *constant;
        struct sl_pb_SavedResource *resource;
        struct sl_pb_CapturedTensor *captured_tensor;
    };
    struct sl_pb_map_string_SaveableObject saveable_objects;
    struct sl_str registered_name;
    struct sl_pb_Any *serialized_user_proto;
    struct sl_str registered_saver;
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_SavedObject_user_object = 4,
    SL_PB_SavedObject_asset = 5,
    SL_PB_SavedObject_function = 6,
    SL_PB_SavedObject_variable = 7,
    SL_PB_SavedObject_bare_concrete_function = 8,
    SL_PB_SavedObject_constant = 9,
    SL_PB_SavedObject_resource = 10,
    SL_PB_SavedObject_captured_tensor = 12,
};

/* tensorflow.SavedUserObject */
struct sl_pb_SavedUserObject {
    struct sl_str identifier;
    struct sl_pb_VersionDef *version;
    struct sl_str metadata; /* deprecated */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedAsset */
struct sl_pb_SavedAsset {
    int32_t asset_file_def_index;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedFunction */
struct sl_pb_SavedFunction {
    struct sl_pb_array_str concrete_functions;
    struct sl_pb_FunctionSpec *function_spec;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CapturedTensor */
struct sl_pb_CapturedTensor {
    struct sl_str name;
    struct sl_str concrete_function;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedConcreteFunction */
struct sl_pb_SavedConcreteFunction {
    struct sl_pb_array_i32 bound_inputs;
    struct sl_pb_StructuredValue *canonicalized_input_signature;
    struct sl_pb_StructuredValue *output_signature;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedBareConcreteFunction */
struct sl_pb_SavedBareConcreteFunction {
    struct sl_str concrete_function_name;
    struct sl_pb_array_str argument_keywords;
    int64_t allowed_positional_arguments;
    struct sl_pb_FunctionSpec *function_spec;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedConstant */
struct sl_pb_SavedConstant {
    struct sl_str operation;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedVariable */
struct sl_pb_SavedVariable {
    int32_t dtype; /* DataType */
    struct sl_pb_TensorShapeProto *shape;
    bool trainable;
    int32_t synchronization; /* VariableSynchronization */
    int32_t aggregation; /* VariableAggregation */
    struct sl_str name;
    struct sl_str device;
    struct sl_pb_array_SavedVariable experimental_distributed_variable_components;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.FunctionSpec */
struct sl_pb_FunctionSpec {
    struct sl_pb_StructuredValue *fullargspec;
    bool is_method;
    struct sl_pb_StructuredValue *input_signature;
    int32_t jit_compile; /* FunctionSpec_JitCompile */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SavedResource */
struct sl_pb_SavedResource {
    struct sl_str device;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SaveableObject */
struct sl_pb_SaveableObject {
    int32_t save_function;
    int32_t restore_function;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.FingerprintDef */
struct sl_pb_FingerprintDef {
    uint64_t saved_model_checksum;
    uint64_t graph_def_program_hash;
    uint64_t signature_def_hash;
    uint64_t saved_object_graph_hash;
    uint64_t checkpoint_hash;
    struct sl_str uuid;
    struct sl_pb_VersionDef *version;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ServerDef */
struct sl_pb_ServerDef {
    struct sl_pb_ClusterDef *cluster;
    struct sl_str job_name;
    int32_t replica;
    int32_t task_index;
    struct sl_pb_ConfigProto *default_session_config;
    struct sl_str protocol;
    int32_t port;
    struct sl_pb_ClusterDeviceFilters *cluster_device_filters;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TaskDeviceFilters */
struct sl_pb_TaskDeviceFilters {
    struct sl_pb_array_str device_filters;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.JobDeviceFilters */
struct sl_pb_JobDeviceFilters {
    struct sl_str name;
    struct sl_pb_map_int32_TaskDeviceFilters tasks;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ClusterDeviceFilters */
struct sl_pb_ClusterDeviceFilters {
    struct sl_pb_array_JobDeviceFilters jobs;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ModelSpec */
struct sl_pb_serving_ModelSpec {
    struct sl_str name;
    int which; /* oneof version_choice: 0 or one of SL_PB_serving_ModelSpec_* */
    union {
        struct sl_pb_Int64Value *version;
        struct sl_str version_label;
    };
    struct sl_str signature_name;
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_serving_ModelSpec_version = 2,
    SL_PB_serving_ModelSpec_version_label = 4,
};

/* tensorflow.serving.PredictRequest */
struct sl_pb_serving_PredictRequest {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_pb_map_string_TensorProto inputs;
    struct sl_pb_array_str output_filter;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.PredictResponse */
struct sl_pb_serving_PredictResponse {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_pb_map_string_TensorProto outputs;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ExampleList */
struct sl_pb_serving_ExampleList {
    struct sl_pb_array_str examples; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ExampleListWithContext */
struct sl_pb_serving_ExampleListWithContext {
    struct sl_pb_array_str examples; /* bytes */
    struct sl_str context; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.Input */
struct sl_pb_serving_Input {
    int which; /* oneof kind: 0 or one of SL_PB_serving_Input_* */
    union {
        struct sl_pb_serving_ExampleList *example_list;
        struct sl_pb_serving_ExampleListWithContext *example_list_with_context;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_serving_Input_example_list = 1,
    SL_PB_serving_Input_example_list_with_context = 2,
};

/* tensorflow.serving.Class */
struct sl_pb_serving_Class {
    struct sl_str label;
    float score;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.Classifications */
struct sl_pb_serving_Classifications {
    struct sl_pb_array_serving_Class classes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ClassificationResult */
struct sl_pb_serving_ClassificationResult {
    struct sl_pb_array_serving_Classifications classifications;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ClassificationRequest */
struct sl_pb_serving_ClassificationRequest {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_pb_serving_Input *input;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ClassificationResponse */
struct sl_pb_serving_ClassificationResponse {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_pb_serving_ClassificationResult *result;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.Regression */
struct sl_pb_serving_Regression {
    float value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.RegressionResult */
struct sl_pb_serving_RegressionResult {
    struct sl_pb_array_serving_Regression regressions;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.RegressionRequest */
struct sl_pb_serving_RegressionRequest {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_pb_serving_Input *input;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.RegressionResponse */
struct sl_pb_serving_RegressionResponse {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_pb_serving_RegressionResult *result;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.SignatureDefMap */
struct sl_pb_serving_SignatureDefMap {
    struct sl_pb_map_string_SignatureDef signature_def;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.GetModelMetadataRequest */
struct sl_pb_serving_GetModelMetadataRequest {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_pb_array_str metadata_field;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.GetModelMetadataResponse */
struct sl_pb_serving_GetModelMetadataResponse {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_pb_map_string_Any metadata;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.StatusProto */
struct sl_pb_serving_StatusProto {
    int32_t error_code; /* error_Code */
    struct sl_str error_message;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.GetModelStatusRequest */
struct sl_pb_serving_GetModelStatusRequest {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ModelVersionStatus */
struct sl_pb_serving_ModelVersionStatus {
    int64_t version;
    int32_t state; /* serving_ModelVersionStatus_State */
    struct sl_pb_serving_StatusProto *status;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.GetModelStatusResponse */
struct sl_pb_serving_GetModelStatusResponse {
    struct sl_pb_array_serving_ModelVersionStatus model_version_status;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.InferenceTask */
struct sl_pb_serving_InferenceTask {
    struct sl_pb_serving_ModelSpec *model_spec;
    struct sl_str method_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.InferenceResult */
struct sl_pb_serving_InferenceResult {
    struct sl_pb_serving_ModelSpec *model_spec;
    int which; /* oneof result: 0 or one of SL_PB_serving_InferenceResult_* */
    union {
        struct sl_pb_serving_ClassificationResult *classification_result;
        struct sl_pb_serving_RegressionResult *regression_result;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_serving_InferenceResult_classification_result = 2,
    SL_PB_serving_InferenceResult_regression_result = 3,
};

/* tensorflow.serving.MultiInferenceRequest */
struct sl_pb_serving_MultiInferenceRequest {
    struct sl_pb_array_serving_InferenceTask tasks;
    struct sl_pb_serving_Input *input;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.MultiInferenceResponse */
struct sl_pb_serving_MultiInferenceResponse {
    struct sl_pb_array_serving_InferenceResult results;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ServableVersionPolicy */
struct sl_pb_serving_ServableVersionPolicy {
    int which; /* oneof policy_choice: 0 or one of SL_PB_serving_ServableVersionPolicy_* */
    union {
        struct sl_pb_serving_ServableVersionPolicy_Latest *latest;
        struct sl_pb_serving_ServableVersionPolicy_All *all;
        struct sl_pb_serving_ServableVersionPolicy_Specific *specific;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_serving_ServableVersionPolicy_latest = 100,
    SL_PB_serving_ServableVersionPolicy_all = 101,
    SL_PB_serving_ServableVersionPolicy_specific = 102,
};

/* tensorflow.serving.ServableVersionPolicy.Latest */
struct sl_pb_serving_ServableVersionPolicy_Latest {
    uint32_t num_versions;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ServableVersionPolicy.All */
struct sl_pb_serving_ServableVersionPolicy_All {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ServableVersionPolicy.Specific */
struct sl_pb_serving_ServableVersionPolicy_Specific {
    struct sl_pb_array_i64 versions;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ModelConfig */
struct sl_pb_serving_ModelConfig {
    struct sl_str name;
    struct sl_str base_path;
    struct sl_str model_platform;
    struct sl_pb_serving_ServableVersionPolicy *model_version_policy;
    struct sl_pb_map_string_int64 version_labels;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ModelConfigList */
struct sl_pb_serving_ModelConfigList {
    struct sl_pb_array_serving_ModelConfig config;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.serving.ModelServerConfig */
struct sl_pb_serving_ModelServerConfig {
    struct sl_pb_serving_ModelConfigList *model_config_list;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CppShapeInferenceResult */
struct sl_pb_CppShapeInferenceResult {
    struct sl_pb_TensorShapeProto *shape;
    struct sl_pb_CppShapeInferenceResult_HandleData *handle_data;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CppShapeInferenceResult.HandleShapeAndType */
struct sl_pb_CppShapeInferenceResult_HandleShapeAndType {
    struct sl_pb_TensorShapeProto *shape;
    int32_t dtype; /* DataType */
    struct sl_pb_FullTypeDef *type;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CppShapeInferenceResult.HandleData */
struct sl_pb_CppShapeInferenceResult_HandleData {
    bool is_set;
    struct sl_pb_array_CppShapeInferenceResult_HandleShapeAndType shape_and_type;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.AllocationDescription */
struct sl_pb_AllocationDescription {
    int64_t requested_bytes;
    int64_t allocated_bytes;
    struct sl_str allocator_name;
    int64_t allocation_id;
    bool has_single_reference;
    uint64_t ptr;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorDescription */
struct sl_pb_TensorDescription {
    int32_t dtype; /* DataType */
    struct sl_pb_TensorShapeProto *shape;
    struct sl_pb_AllocationDescription *allocation_description;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.AllocationRecord */
struct sl_pb_AllocationRecord {
    int64_t alloc_micros;
    int64_t alloc_bytes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.AllocatorMemoryUsed */
struct sl_pb_AllocatorMemoryUsed {
    struct sl_str allocator_name;
    int64_t total_bytes;
    int64_t peak_bytes;
    int64_t live_bytes;
    struct sl_pb_array_AllocationRecord allocation_records;
    int64_t allocator_bytes_in_use;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.NodeOutput */
struct sl_pb_NodeOutput {
    int32_t slot;
    struct sl_pb_TensorDescription *tensor_description;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MemoryStats */
struct sl_pb_MemoryStats {
    int64_t temp_memory_size;
    int64_t persistent_memory_size;
    struct sl_pb_array_i64 persistent_tensor_alloc_ids;
    int64_t device_temp_memory_size; /* deprecated */
    int64_t device_persistent_memory_size; /* deprecated */
    struct sl_pb_array_i64 device_persistent_tensor_alloc_ids; /* deprecated */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.NodeExecStats */
struct sl_pb_NodeExecStats {
    struct sl_str node_name;
    int64_t all_start_micros;
    int64_t op_start_rel_micros;
    int64_t op_end_rel_micros;
    int64_t all_end_rel_micros;
    struct sl_pb_array_AllocatorMemoryUsed memory;
    struct sl_pb_array_NodeOutput output;
    struct sl_str timeline_label;
    int64_t scheduled_micros;
    uint32_t thread_id;
    struct sl_pb_array_AllocationDescription referenced_tensor;
    struct sl_pb_MemoryStats *memory_stats;
    int64_t all_start_nanos;
    int64_t op_start_rel_nanos;
    int64_t op_end_rel_nanos;
    int64_t all_end_rel_nanos;
    int64_t scheduled_nanos;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DeviceStepStats */
struct sl_pb_DeviceStepStats {
    struct sl_str device;
    struct sl_pb_array_NodeExecStats node_stats;
    struct sl_pb_map_uint32_string thread_names;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.StepStats */
struct sl_pb_StepStats {
    struct sl_pb_array_DeviceStepStats dev_stats;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CostGraphDef */
struct sl_pb_CostGraphDef {
    struct sl_pb_array_CostGraphDef_Node node;
    struct sl_pb_array_CostGraphDef_AggregatedCost cost;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CostGraphDef.Node */
struct sl_pb_CostGraphDef_Node {
    struct sl_str name;
    struct sl_str device;
    int32_t id;
    struct sl_pb_array_CostGraphDef_Node_InputInfo input_info;
    struct sl_pb_array_CostGraphDef_Node_OutputInfo output_info;
    int64_t temporary_memory_size;
    int64_t persistent_memory_size;
    int64_t host_temp_memory_size; /* deprecated */
    int64_t device_temp_memory_size; /* deprecated */
    int64_t device_persistent_memory_size; /* deprecated */
    int64_t compute_cost;
    int64_t compute_time;
    int64_t memory_time;
    bool is_final;
    struct sl_pb_array_i32 control_input;
    bool inaccurate;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CostGraphDef.Node.InputInfo */
struct sl_pb_CostGraphDef_Node_InputInfo {
    int32_t preceding_node;
    int32_t preceding_port;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CostGraphDef.Node.OutputInfo */
struct sl_pb_CostGraphDef_Node_OutputInfo {
    int64_t size;
    int64_t alias_input_port;
    struct sl_pb_TensorShapeProto *shape;
    int32_t dtype; /* DataType */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CostGraphDef.AggregatedCost */
struct sl_pb_CostGraphDef_AggregatedCost {
    float cost;
    struct sl_str dimension;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MemoryLogStep */
struct sl_pb_MemoryLogStep {
    int64_t step_id;
    struct sl_str handle;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MemoryLogTensorAllocation */
struct sl_pb_MemoryLogTensorAllocation {
    int64_t step_id;
    struct sl_str kernel_name;
    struct sl_pb_TensorDescription *tensor;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MemoryLogTensorDeallocation */
struct sl_pb_MemoryLogTensorDeallocation {
    int64_t allocation_id;
    struct sl_str allocator_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MemoryLogTensorOutput */
struct sl_pb_MemoryLogTensorOutput {
    int64_t step_id;
    struct sl_str kernel_name;
    int32_t index;
    struct sl_pb_TensorDescription *tensor;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MemoryLogRawAllocation */
struct sl_pb_MemoryLogRawAllocation {
    int64_t step_id;
    struct sl_str operation;
    int64_t num_bytes;
    uint64_t ptr;
    int64_t allocation_id;
    struct sl_str allocator_name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MemoryLogRawDeallocation */
struct sl_pb_MemoryLogRawDeallocation {
    int64_t step_id;
    struct sl_str operation;
    int64_t allocation_id;
    struct sl_str allocator_name;
    bool deferred;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.StatusProto */
struct sl_pb_StatusProto {
    int32_t code; /* error_Code */
    struct sl_str message;
    struct sl_pb_map_string_bytes payload;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.StructuredValue */
struct sl_pb_StructuredValue {
    int which; /* oneof kind: 0 or one of SL_PB_StructuredValue_* */
    union {
        struct sl_pb_NoneValue *none_value;
        double float64_value;
        int64_t int64_value;
        struct sl_str string_value;
        bool bool_value;
        struct sl_pb_TensorShapeProto *tensor_shape_value;
        int32_t tensor_dtype_value; /* DataType */
        struct sl_pb_TensorSpecProto *tensor_spec_value;
        struct sl_pb_TypeSpecProto *type_spec_value;
        struct sl_pb_BoundedTensorSpecProto *bounded_tensor_spec_value;
        struct sl_pb_ListValue *list_value;
        struct sl_pb_TupleValue *tuple_value;
        struct sl_pb_DictValue *dict_value;
        struct sl_pb_NamedTupleValue *named_tuple_value;
        struct sl_pb_TensorProto *tensor_value;
        struct sl_pb_TensorProto *numpy_value;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_StructuredValue_none_value = 1,
    SL_PB_StructuredValue_float64_value = 11,
    SL_PB_StructuredValue_int64_value = 12,
    SL_PB_StructuredValue_string_value = 13,
    SL_PB_StructuredValue_bool_value = 14,
    SL_PB_StructuredValue_tensor_shape_value = 31,
    SL_PB_StructuredValue_tensor_dtype_value = 32,
    SL_PB_StructuredValue_tensor_spec_value = 33,
    SL_PB_StructuredValue_type_spec_value = 34,
    SL_PB_StructuredValue_bounded_tensor_spec_value = 35,
    SL_PB_StructuredValue_list_value = 51,
    SL_PB_StructuredValue_tuple_value = 52,
    SL_PB_StructuredValue_dict_value = 53,
    SL_PB_StructuredValue_named_tuple_value = 54,
    SL_PB_StructuredValue_tensor_value = 55,
    SL_PB_StructuredValue_numpy_value = 56,
};

/* tensorflow.NoneValue */
struct sl_pb_NoneValue {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ListValue */
struct sl_pb_ListValue {
    struct sl_pb_array_StructuredValue values;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TupleValue */
struct sl_pb_TupleValue {
    struct sl_pb_array_StructuredValue values;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DictValue */
struct sl_pb_DictValue {
    struct sl_pb_map_string_StructuredValue fields;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.PairValue */
struct sl_pb_PairValue {
    struct sl_str key;
    struct sl_pb_StructuredValue *value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.NamedTupleValue */
struct sl_pb_NamedTupleValue {
    struct sl_str name;
    struct sl_pb_array_PairValue values;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorSpecProto */
struct sl_pb_TensorSpecProto {
    struct sl_str name;
    struct sl_pb_TensorShapeProto *shape;
    int32_t dtype; /* DataType */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.BoundedTensorSpecProto */
struct sl_pb_BoundedTensorSpecProto {
    struct sl_str name;
    struct sl_pb_TensorShapeProto *shape;
    int32_t dtype; /* DataType */
    struct sl_pb_TensorProto *minimum;
    struct sl_pb_TensorProto *maximum;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TypeSpecProto */
struct sl_pb_TypeSpecProto {
    int32_t type_spec_class; /* TypeSpecProto_TypeSpecClass */
    struct sl_pb_StructuredValue *type_state;
    struct sl_str type_spec_class_name;
    int32_t num_flat_components;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CompositeTensorVariantMetadata */
struct sl_pb_CompositeTensorVariantMetadata {
    struct sl_pb_TypeSpecProto *type_spec_proto;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorShapeProto */
struct sl_pb_TensorShapeProto {
    struct sl_pb_array_TensorShapeProto_Dim dim;
    bool unknown_rank;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorShapeProto.Dim */
struct sl_pb_TensorShapeProto_Dim {
    int64_t size;
    struct sl_str name;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ResourceHandleProto */
struct sl_pb_ResourceHandleProto {
    struct sl_str device;
    struct sl_str container;
    struct sl_str name;
    uint64_t hash_code;
    struct sl_str maybe_type_name;
    struct sl_pb_array_ResourceHandleProto_DtypeAndShape dtypes_and_shapes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ResourceHandleProto.DtypeAndShape */
struct sl_pb_ResourceHandleProto_DtypeAndShape {
    int32_t dtype; /* DataType */
    struct sl_pb_TensorShapeProto *shape;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorProto */
struct sl_pb_TensorProto {
    int32_t dtype; /* DataType */
    struct sl_pb_TensorShapeProto *tensor_shape;
    int32_t version_number;
    struct sl_str tensor_content; /* bytes */
    struct sl_pb_array_i32 half_val;
    struct sl_pb_array_f32 float_val;
    struct sl_pb_array_f64 double_val;
    struct sl_pb_array_i32 int_val;
    struct sl_pb_array_str string_val; /* bytes */
    struct sl_pb_array_f32 scomplex_val;
    struct sl_pb_array_i64 int64_val;
    struct sl_pb_array_bool bool_val;
    struct sl_pb_array_f64 dcomplex_val;
    struct sl_pb_array_ResourceHandleProto resource_handle_val;
    struct sl_pb_array_VariantTensorDataProto variant_val;
    struct sl_pb_array_u32 uint32_val;
    struct sl_pb_array_u64 uint64_val;
    struct sl_str float8_val; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.VariantTensorDataProto */
struct sl_pb_VariantTensorDataProto {
    struct sl_str type_name;
    struct sl_str metadata; /* bytes */
    struct sl_pb_array_TensorProto tensors;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.NamedTensorProto */
struct sl_pb_NamedTensorProto {
    struct sl_str name;
    struct sl_pb_TensorProto *tensor;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorSliceProto */
struct sl_pb_TensorSliceProto {
    struct sl_pb_array_TensorSliceProto_Extent extent;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TensorSliceProto.Extent */
struct sl_pb_TensorSliceProto_Extent {
    int64_t start;
    int which; /* oneof has_length: 0 or one of SL_PB_TensorSliceProto_Extent_* */
    union {
        int64_t length;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_TensorSliceProto_Extent_length = 2,
};

/* tensorflow.SerializedDType */
struct sl_pb_SerializedDType {
    int32_t datatype; /* DataType */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.VariableDef */
struct sl_pb_VariableDef {
    struct sl_str variable_name;
    struct sl_str initial_value_name;
    struct sl_str initializer_name;
    struct sl_str snapshot_name;
    struct sl_pb_SaveSliceInfoDef *save_slice_info_def;
    bool is_resource;
    bool trainable;
    int32_t synchronization; /* VariableSynchronization */
    int32_t aggregation; /* VariableAggregation */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.SaveSliceInfoDef */
struct sl_pb_SaveSliceInfoDef {
    struct sl_str full_name;
    struct sl_pb_array_i64 full_shape;
    struct sl_pb_array_i64 var_offset;
    struct sl_pb_array_i64 var_shape;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.QueueRunnerDef */
struct sl_pb_QueueRunnerDef {
    struct sl_str queue_name;
    struct sl_pb_array_str enqueue_op_name;
    struct sl_str close_op_name;
    struct sl_str cancel_op_name;
    struct sl_pb_array_i32 queue_closed_exception_types; /* error_Code */
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ValuesDef */
struct sl_pb_ValuesDef {
    struct sl_pb_array_str values;
    struct sl_pb_map_string_string external_values;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ControlFlowContextDef */
struct sl_pb_ControlFlowContextDef {
    int which; /* oneof ctxt: 0 or one of SL_PB_ControlFlowContextDef_* */
    union {
        struct sl_pb_CondContextDef *cond_ctxt;
        struct sl_pb_WhileContextDef *while_ctxt;
    };
    struct sl_pb_unknown *unknown;
};
enum {
    SL_PB_ControlFlowContextDef_cond_ctxt = 1,
    SL_PB_ControlFlowContextDef_while_ctxt = 2,
};

/* tensorflow.CondContextDef */
struct sl_pb_CondContextDef {
    struct sl_str context_name;
    struct sl_str pred_name;
    struct sl_str pivot_name;
    int32_t branch;
    struct sl_pb_ValuesDef *values_def;
    struct sl_pb_array_ControlFlowContextDef nested_contexts;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.WhileContextDef */
struct sl_pb_WhileContextDef {
    struct sl_str context_name;
    int32_t parallel_iterations;
    bool back_prop;
    bool swap_memory;
    struct sl_str pivot_name;
    struct sl_str pivot_for_pred_name;
    struct sl_str pivot_for_body_name;
    struct sl_pb_array_str loop_exit_names;
    struct sl_pb_array_str loop_enter_names;
    struct sl_pb_ValuesDef *values_def;
    struct sl_str maximum_iterations_name;
    struct sl_pb_array_ControlFlowContextDef nested_contexts;
    struct sl_pb_unknown *unknown;
};

/* google.protobuf.Any */
struct sl_pb_Any {
    struct sl_str type_url;
    struct sl_str value; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* google.protobuf.BoolValue */
struct sl_pb_BoolValue {
    bool value;
    struct sl_pb_unknown *unknown;
};

/* google.protobuf.Int64Value */
struct sl_pb_Int64Value {
    int64_t value;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GetStatusRequest */
struct sl_pb_GetStatusRequest {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GetStatusResponse */
struct sl_pb_GetStatusResponse {
    struct sl_pb_array_DeviceAttributes device_attributes;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CreateWorkerSessionRequest */
struct sl_pb_CreateWorkerSessionRequest {
    struct sl_str session_handle;
    struct sl_pb_ServerDef *server_def;
    bool isolate_session_state;
    struct sl_pb_array_DeviceAttributes cluster_device_attributes;
    struct sl_str master_task;
    int64_t master_incarnation;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CreateWorkerSessionResponse */
struct sl_pb_CreateWorkerSessionResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DeleteWorkerSessionRequest */
struct sl_pb_DeleteWorkerSessionRequest {
    struct sl_str session_handle;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DeleteWorkerSessionResponse */
struct sl_pb_DeleteWorkerSessionResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RegisterGraphRequest */
struct sl_pb_RegisterGraphRequest {
    struct sl_str session_handle;
    bool create_worker_session_called;
    struct sl_pb_GraphDef *graph_def;
    bool has_control_flow; /* deprecated */
    struct sl_pb_GraphOptions *graph_options;
    struct sl_pb_DebugOptions *debug_options;
    int64_t collective_graph_key;
    struct sl_pb_ConfigProto *config_proto;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RegisterGraphResponse */
struct sl_pb_RegisterGraphResponse {
    struct sl_str graph_handle;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DeregisterGraphRequest */
struct sl_pb_DeregisterGraphRequest {
    struct sl_str session_handle;
    bool create_worker_session_called;
    struct sl_str graph_handle;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.DeregisterGraphResponse */
struct sl_pb_DeregisterGraphResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CleanupAllRequest */
struct sl_pb_CleanupAllRequest {
    struct sl_pb_array_str container;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CleanupAllResponse */
struct sl_pb_CleanupAllResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.ExecutorOpts */
struct sl_pb_ExecutorOpts {
    bool record_costs;
    bool record_timeline;
    bool record_partition_graphs;
    bool report_tensor_allocations_upon_oom;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunGraphRequest */
struct sl_pb_RunGraphRequest {
    struct sl_str session_handle;
    bool create_worker_session_called;
    struct sl_str graph_handle;
    int64_t step_id;
    struct sl_pb_ExecutorOpts *exec_opts;
    struct sl_pb_array_NamedTensorProto send;
    struct sl_pb_array_str recv_key;
    bool is_partial;
    bool is_last_partial_run;
    bool store_errors_in_response_body;
    int64_t request_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RunGraphResponse */
struct sl_pb_RunGraphResponse {
    struct sl_pb_array_NamedTensorProto recv;
    struct sl_pb_StepStats *step_stats;
    struct sl_pb_CostGraphDef *cost_graph;
    struct sl_pb_array_GraphDef partition_graph;
    int32_t status_code; /* error_Code */
    struct sl_str status_error_message;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CleanupGraphRequest */
struct sl_pb_CleanupGraphRequest {
    int64_t step_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CleanupGraphResponse */
struct sl_pb_CleanupGraphResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RecvTensorRequest */
struct sl_pb_RecvTensorRequest {
    int64_t step_id;
    struct sl_str rendezvous_key;
    bool dma_ok;
    struct sl_pb_DeviceLocality *client_locality;
    struct sl_pb_DeviceLocality *server_locality;
    struct sl_pb_Any *transport_options;
    int64_t request_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RecvTensorResponse */
struct sl_pb_RecvTensorResponse {
    struct sl_pb_TensorProto *tensor;
    bool is_dead;
    int64_t send_start_micros;
    struct sl_pb_Any *transport_options;
    bool require_ack;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MarkRecvFinishedRequest */
struct sl_pb_MarkRecvFinishedRequest {
    int64_t request_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.MarkRecvFinishedResponse */
struct sl_pb_MarkRecvFinishedResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.LoggingRequest */
struct sl_pb_LoggingRequest {
    bool enable_rpc_logging;
    bool disable_rpc_logging;
    bool clear;
    struct sl_pb_array_i64 fetch_step_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.LabeledStepStats */
struct sl_pb_LabeledStepStats {
    int64_t step_id;
    struct sl_pb_StepStats *step_stats;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.LoggingResponse */
struct sl_pb_LoggingResponse {
    struct sl_pb_array_LabeledStepStats step;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TraceOpts */
struct sl_pb_TraceOpts {
    double duration;
    bool use_step_profiler;
    bool use_kernel_profiler;
    bool use_extended_profiler;
    bool use_gpu_profiler;
    bool use_sample_profiler;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TracingRequest */
struct sl_pb_TracingRequest {
    struct sl_pb_TraceOpts *options;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.TracingResponse */
struct sl_pb_TracingResponse {
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RecvBufRequest */
struct sl_pb_RecvBufRequest {
    int64_t step_id;
    struct sl_str buf_rendezvous_key;
    int64_t num_bytes;
    uint64_t buf_ptr;
    struct sl_pb_DeviceLocality *client_locality;
    struct sl_pb_DeviceLocality *server_locality;
    struct sl_pb_Any *transport_options;
    struct sl_str src_device;
    struct sl_str dst_device;
    int64_t request_id;
    uint64_t src_incarnation;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RecvBufResponse */
struct sl_pb_RecvBufResponse {
    uint64_t buf_ptr;
    int64_t num_bytes;
    bool is_dead;
    struct sl_pb_Any *transport_options;
    int64_t send_start_micros;
    bool require_ack;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CompleteGroupRequest */
struct sl_pb_CompleteGroupRequest {
    int32_t group_key;
    int32_t group_size;
    struct sl_str device_type;
    int32_t collective_type;
    struct sl_pb_DeviceAttributes *device_attributes;
    int64_t timeout_in_ms;
    bool is_own_kind;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CompleteGroupResponse */
struct sl_pb_CompleteGroupResponse {
    int32_t group_key;
    int32_t group_size;
    struct sl_str device_type;
    int32_t num_tasks;
    struct sl_str communicator_key; /* bytes */
    struct sl_pb_array_DeviceAttributes device_attributes;
    bool is_own_kind;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CompleteInstanceRequest */
struct sl_pb_CompleteInstanceRequest {
    struct sl_str name;
    int32_t type;
    int32_t data_type; /* DataType */
    struct sl_pb_TensorShapeProto *shape;
    int32_t group_key;
    int32_t group_size;
    int32_t instance_key;
    struct sl_str device_type;
    struct sl_pb_array_i32 subdiv_offset;
    struct sl_str device;
    bool is_source;
    int64_t step_id;
    uint64_t frame;
    uint64_t iteration;
    int64_t timeout_in_ms;
    struct sl_pb_array_CollectivePart part;
    uint64_t incarnation;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CompleteInstanceResponse */
struct sl_pb_CompleteInstanceResponse {
    int32_t instance_key;
    int32_t source_rank;
    struct sl_pb_array_CollectivePart part;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.CollectivePart */
struct sl_pb_CollectivePart {
    struct sl_str device;
    struct sl_str content; /* bytes */
    bool is_source;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GetStepSequenceRequest */
struct sl_pb_GetStepSequenceRequest {
    struct sl_pb_array_i64 graph_key;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.StepSequence */
struct sl_pb_StepSequence {
    int64_t graph_key;
    int64_t next_step_id;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.GetStepSequenceResponse */
struct sl_pb_GetStepSequenceResponse {
    struct sl_pb_array_StepSequence step_sequence;
    struct sl_pb_unknown *unknown;
};

/* tensorflow.RecvBufRespExtra */
struct sl_pb_RecvBufRespExtra {
    struct sl_pb_array_str tensor_content; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* Map entries. */
/* map<fixed64, tensorflow.GraphDebugInfo.FileLineCol> */
struct sl_pb_entry_fixed64_GraphDebugInfo_FileLineCol {
    uint64_t key;
    struct sl_pb_GraphDebugInfo_FileLineCol value;
    struct sl_pb_unknown *unknown;
};

/* map<fixed64, tensorflow.GraphDebugInfo.StackTrace> */
struct sl_pb_entry_fixed64_GraphDebugInfo_StackTrace {
    uint64_t key;
    struct sl_pb_GraphDebugInfo_StackTrace value;
    struct sl_pb_unknown *unknown;
};

/* map<int32, tensorflow.TaskDeviceFilters> */
struct sl_pb_entry_int32_TaskDeviceFilters {
    int32_t key;
    struct sl_pb_TaskDeviceFilters value;
    struct sl_pb_unknown *unknown;
};

/* map<int32, string> */
struct sl_pb_entry_int32_string {
    int32_t key;
    struct sl_str value;
    struct sl_pb_unknown *unknown;
};

/* map<string, google.protobuf.Any> */
struct sl_pb_entry_string_Any {
    struct sl_str key;
    struct sl_pb_Any value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.AttrValue> */
struct sl_pb_entry_string_AttrValue {
    struct sl_str key;
    struct sl_pb_AttrValue value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.CollectionDef> */
struct sl_pb_entry_string_CollectionDef {
    struct sl_str key;
    struct sl_pb_CollectionDef value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.Feature> */
struct sl_pb_entry_string_Feature {
    struct sl_str key;
    struct sl_pb_Feature value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.FeatureList> */
struct sl_pb_entry_string_FeatureList {
    struct sl_str key;
    struct sl_pb_FeatureList value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.GraphDebugInfo.StackTrace> */
struct sl_pb_entry_string_GraphDebugInfo_StackTrace {
    struct sl_str key;
    struct sl_pb_GraphDebugInfo_StackTrace value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.SaveableObject> */
struct sl_pb_entry_string_SaveableObject {
    struct sl_str key;
    struct sl_pb_SaveableObject value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.SavedConcreteFunction> */
struct sl_pb_entry_string_SavedConcreteFunction {
    struct sl_str key;
    struct sl_pb_SavedConcreteFunction value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.SignatureDef> */
struct sl_pb_entry_string_SignatureDef {
    struct sl_str key;
    struct sl_pb_SignatureDef value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.StructuredValue> */
struct sl_pb_entry_string_StructuredValue {
    struct sl_str key;
    struct sl_pb_StructuredValue value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.TensorInfo> */
struct sl_pb_entry_string_TensorInfo {
    struct sl_str key;
    struct sl_pb_TensorInfo value;
    struct sl_pb_unknown *unknown;
};

/* map<string, tensorflow.TensorProto> */
struct sl_pb_entry_string_TensorProto {
    struct sl_str key;
    struct sl_pb_TensorProto value;
    struct sl_pb_unknown *unknown;
};

/* map<string, bytes> */
struct sl_pb_entry_string_bytes {
    struct sl_str key;
    struct sl_str value; /* bytes */
    struct sl_pb_unknown *unknown;
};

/* map<string, fixed64> */
struct sl_pb_entry_string_fixed64 {
    struct sl_str key;
    uint64_t value;
    struct sl_pb_unknown *unknown;
};

/* map<string, int32> */
struct sl_pb_entry_string_int32 {
    struct sl_str key;
    int32_t value;
    struct sl_pb_unknown *unknown;
};

/* map<string, int64> */
struct sl_pb_entry_string_int64 {
    struct sl_str key;
    int64_t value;
    struct sl_pb_unknown *unknown;
};

/* map<string, string> */
struct sl_pb_entry_string_string {
    struct sl_str key;
    struct sl_str value;
    struct sl_pb_unknown *unknown;
};

/* map<uint32, tensorflow.FunctionDef.ArgAttrs> */
struct sl_pb_entry_uint32_FunctionDef_ArgAttrs {
    uint32_t key;
    struct sl_pb_FunctionDef_ArgAttrs value;
    struct sl_pb_unknown *unknown;
};

/* map<uint32, string> */
struct sl_pb_entry_uint32_string {
    uint32_t key;
    struct sl_str value;
    struct sl_pb_unknown *unknown;
};

/* map<uint32, uint32> */
struct sl_pb_entry_uint32_uint32 {
    uint32_t key;
    uint32_t value;
    struct sl_pb_unknown *unknown;
};

/* sl_pb_find_KEY_VALUE: the value that counts for `key`, or NULL. Borrowed from the map; linear. */
static inline struct sl_pb_GraphDebugInfo_FileLineCol *sl_pb_find_fixed64_GraphDebugInfo_FileLineCol(const struct sl_pb_map_fixed64_GraphDebugInfo_FileLineCol *map, uint64_t key) {
    for (size_t i = map->n; i-- > 0;)
        if (map->items[i].key == key) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_GraphDebugInfo_StackTrace *sl_pb_find_fixed64_GraphDebugInfo_StackTrace(const struct sl_pb_map_fixed64_GraphDebugInfo_StackTrace *map, uint64_t key) {
    for (size_t i = map->n; i-- > 0;)
        if (map->items[i].key == key) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_TaskDeviceFilters *sl_pb_find_int32_TaskDeviceFilters(const struct sl_pb_map_int32_TaskDeviceFilters *map, int32_t key) {
    for (size_t i = map->n; i-- > 0;)
        if (map->items[i].key == key) return &map->items[i].value;
    return NULL;
}

static inline struct sl_str *sl_pb_find_int32_string(const struct sl_pb_map_int32_string *map, int32_t key) {
    for (size_t i = map->n; i-- > 0;)
        if (map->items[i].key == key) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_Any *sl_pb_find_string_Any(const struct sl_pb_map_string_Any *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_AttrValue *sl_pb_find_string_AttrValue(const struct sl_pb_map_string_AttrValue *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_CollectionDef *sl_pb_find_string_CollectionDef(const struct sl_pb_map_string_CollectionDef *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_Feature *sl_pb_find_string_Feature(const struct sl_pb_map_string_Feature *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_FeatureList *sl_pb_find_string_FeatureList(const struct sl_pb_map_string_FeatureList *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_GraphDebugInfo_StackTrace *sl_pb_find_string_GraphDebugInfo_StackTrace(const struct sl_pb_map_string_GraphDebugInfo_StackTrace *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_SaveableObject *sl_pb_find_string_SaveableObject(const struct sl_pb_map_string_SaveableObject *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_SavedConcreteFunction *sl_pb_find_string_SavedConcreteFunction(const struct sl_pb_map_string_SavedConcreteFunction *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_SignatureDef *sl_pb_find_string_SignatureDef(const struct sl_pb_map_string_SignatureDef *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_StructuredValue *sl_pb_find_string_StructuredValue(const struct sl_pb_map_string_StructuredValue *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_TensorInfo *sl_pb_find_string_TensorInfo(const struct sl_pb_map_string_TensorInfo *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_TensorProto *sl_pb_find_string_TensorProto(const struct sl_pb_map_string_TensorProto *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_str *sl_pb_find_string_bytes(const struct sl_pb_map_string_bytes *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline uint64_t *sl_pb_find_string_fixed64(const struct sl_pb_map_string_fixed64 *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline int32_t *sl_pb_find_string_int32(const struct sl_pb_map_string_int32 *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline int64_t *sl_pb_find_string_int64(const struct sl_pb_map_string_int64 *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_str *sl_pb_find_string_string(const struct sl_pb_map_string_string *map, struct sl_str key) {
    for (size_t i = map->n; i-- > 0;)
        if (sl_str_eq(map->items[i].key, key)) return &map->items[i].value;
    return NULL;
}

static inline struct sl_pb_FunctionDef_ArgAttrs *sl_pb_find_uint32_FunctionDef_ArgAttrs(const struct sl_pb_map_uint32_FunctionDef_ArgAttrs *map, uint32_t key) {
    for (size_t i = map->n; i-- > 0;)
        if (map->items[i].key == key) return &map->items[i].value;
    return NULL;
}

static inline struct sl_str *sl_pb_find_uint32_string(const struct sl_pb_map_uint32_string *map, uint32_t key) {
    for (size_t i = map->n; i-- > 0;)
        if (map->items[i].key == key) return &map->items[i].value;
    return NULL;
}

static inline uint32_t *sl_pb_find_uint32_uint32(const struct sl_pb_map_uint32_uint32 *map, uint32_t key) {
    for (size_t i = map->n; i-- > 0;)
        if (map->items[i].key == key) return &map->items[i].value;
    return NULL;
}

/* Services: METHOD(name, request, response); STREAMS take and answer a stream. The path of a call is
 * SL_PB_<service>_PATH followed by the method's name. */
#define SL_PB_EagerService_PATH "/tensorflow.eager.EagerService/"
#define SL_PB_EagerService_METHODS(METHOD)                                                                             \
    METHOD(CreateContext, eager_CreateContextRequest, eager_CreateContextResponse)                                     \
    METHOD(UpdateContext, eager_UpdateContextRequest, eager_UpdateContextResponse)                                     \
    METHOD(Enqueue, eager_EnqueueRequest, eager_EnqueueResponse)                                                       \
    METHOD(WaitQueueDone, eager_WaitQueueDoneRequest, eager_WaitQueueDoneResponse)                                     \
    METHOD(RunComponentFunction, eager_RunComponentFunctionRequest, eager_RunComponentFunctionResponse)                \
    METHOD(KeepAlive, eager_KeepAliveRequest, eager_KeepAliveResponse)                                                 \
    METHOD(CloseContext, eager_CloseContextRequest, eager_CloseContextResponse)
#define SL_PB_EagerService_STREAMS(METHOD)                                                                             \
    METHOD(StreamingEnqueue, eager_EnqueueRequest, eager_EnqueueResponse)

#define SL_PB_MasterService_PATH "/tensorflow.MasterService/"
#define SL_PB_MasterService_METHODS(METHOD)                                                                            \
    METHOD(CreateSession, CreateSessionRequest, CreateSessionResponse)                                                 \
    METHOD(ExtendSession, ExtendSessionRequest, ExtendSessionResponse)                                                 \
    METHOD(PartialRunSetup, PartialRunSetupRequest, PartialRunSetupResponse)                                           \
    METHOD(RunStep, RunStepRequest, RunStepResponse)                                                                   \
    METHOD(CloseSession, CloseSessionRequest, CloseSessionResponse)                                                    \
    METHOD(ListDevices, ListDevicesRequest, ListDevicesResponse)                                                       \
    METHOD(Reset, ResetRequest, ResetResponse)                                                                         \
    METHOD(MakeCallable, MakeCallableRequest, MakeCallableResponse)                                                    \
    METHOD(RunCallable, RunCallableRequest, RunCallableResponse)                                                       \
    METHOD(ReleaseCallable, ReleaseCallableRequest, ReleaseCallableResponse)

#define SL_PB_WorkerService_PATH "/tensorflow.WorkerService/"
#define SL_PB_WorkerService_METHODS(METHOD)                                                                            \
    METHOD(GetStatus, GetStatusRequest, GetStatusResponse)                                                             \
    METHOD(CreateWorkerSession, CreateWorkerSessionRequest, CreateWorkerSessionResponse)                               \
    METHOD(DeleteWorkerSession, DeleteWorkerSessionRequest, DeleteWorkerSessionResponse)                               \
    METHOD(RegisterGraph, RegisterGraphRequest, RegisterGraphResponse)                                                 \
    METHOD(DeregisterGraph, DeregisterGraphRequest, DeregisterGraphResponse)                                           \
    METHOD(RunGraph, RunGraphRequest, RunGraphResponse)                                                                \
    METHOD(CleanupGraph, CleanupGraphRequest, CleanupGraphResponse)                                                    \
    METHOD(CleanupAll, CleanupAllRequest, CleanupAllResponse)                                                          \
    METHOD(RecvTensor, RecvTensorRequest, RecvTensorResponse)                                                          \
    METHOD(MarkRecvFinished, MarkRecvFinishedRequest, MarkRecvFinishedResponse)                                        \
    METHOD(Logging, LoggingRequest, LoggingResponse)                                                                   \
    METHOD(Tracing, TracingRequest, TracingResponse)                                                                   \
    METHOD(RecvBuf, RecvBufRequest, RecvBufResponse)                                                                   \
    METHOD(GetStepSequence, GetStepSequenceRequest, GetStepSequenceResponse)                                           \
    METHOD(CompleteGroup, CompleteGroupRequest, CompleteGroupResponse)                                                 \
    METHOD(CompleteInstance, CompleteInstanceRequest, CompleteInstanceResponse)

/* Rows of sl_pb_messages; SL_PB_TYPE(NodeDef) is a message's row. */
enum {
    SL_PB_INDEX_AttrValue,
    SL_PB_INDEX_AttrValue_ListValue,
    SL_PB_INDEX_NameAttrList,
    SL_PB_INDEX_FullTypeDef,
    SL_PB_INDEX_BundleHeaderProto,
    SL_PB_INDEX_BundleEntryProto,
    SL_PB_INDEX_SavedSliceMeta,
    SL_PB_INDEX_SavedTensorSliceMeta,
    SL_PB_INDEX_SavedSlice,
    SL_PB_INDEX_SavedTensorSlices,
    SL_PB_INDEX_CheckpointState,
    SL_PB_INDEX_SaverDef,
    SL_PB_INDEX_TrackableObjectGraph,
    SL_PB_INDEX_TrackableObjectGraph_TrackableObject,
    SL_PB_INDEX_TrackableObjectGraph_TrackableObject_ObjectReference,
    SL_PB_INDEX_TrackableObjectGraph_TrackableObject_SerializedTensor,
    SL_PB_INDEX_TrackableObjectGraph_TrackableObject_SlotVariableReference,
    SL_PB_INDEX_RegisteredSaver,
    SL_PB_INDEX_ReaderBaseState,
    SL_PB_INDEX_JobDef,
    SL_PB_INDEX_ClusterDef,
    SL_PB_INDEX_RPCOptions,
    SL_PB_INDEX_CoordinatedJob,
    SL_PB_INDEX_CoordinationServiceConfig,
    SL_PB_INDEX_GPUOptions,
    SL_PB_INDEX_GPUOptions_Experimental,
    SL_PB_INDEX_GPUOptions_Experimental_VirtualDevices,
    SL_PB_INDEX_GPUOptions_Experimental_StreamMergeOptions,
    SL_PB_INDEX_OptimizerOptions,
    SL_PB_INDEX_GraphOptions,
    SL_PB_INDEX_ThreadPoolOptionProto,
    SL_PB_INDEX_SessionMetadata,
    SL_PB_INDEX_ConfigProto,
    SL_PB_INDEX_ConfigProto_Experimental,
    SL_PB_INDEX_DebugTensorWatch,
    SL_PB_INDEX_DebugOptions,
    SL_PB_INDEX_DebuggedSourceFile,
    SL_PB_INDEX_DebuggedSourceFiles,
    SL_PB_INDEX_RunOptions,
    SL_PB_INDEX_RunOptions_Experimental,
    SL_PB_INDEX_RunOptions_Experimental_RunHandlerPoolOptions,
    SL_PB_INDEX_RunMetadata,
    SL_PB_INDEX_RunMetadata_FunctionGraphs,
    SL_PB_INDEX_TensorConnection,
    SL_PB_INDEX_CallableOptions,
    SL_PB_INDEX_BatchingOptions,
    SL_PB_INDEX_CompressedComponentMetadata,
    SL_PB_INDEX_CompressedElement,
    SL_PB_INDEX_SnapshotMetadataRecord,
    SL_PB_INDEX_SnapshotRecord,
    SL_PB_INDEX_TensorMetadata,
    SL_PB_INDEX_SnapshotTensorMetadata,
    SL_PB_INDEX_InterconnectLink,
    SL_PB_INDEX_LocalLinks,
    SL_PB_INDEX_DeviceLocality,
    SL_PB_INDEX_DeviceAttributes,
    SL_PB_INDEX_eager_ResourceDtypeAndShape,
    SL_PB_INDEX_eager_RemoteTensorHandle,
    SL_PB_INDEX_eager_Operation,
    SL_PB_INDEX_eager_Operation_Input,
    SL_PB_INDEX_eager_QueueItem,
    SL_PB_INDEX_eager_QueueResponse,
    SL_PB_INDEX_eager_CreateContextRequest,
    SL_PB_INDEX_eager_CreateContextResponse,
    SL_PB_INDEX_eager_UpdateContextRequest,
    SL_PB_INDEX_eager_UpdateContextResponse,
    SL_PB_INDEX_eager_EnqueueRequest,
    SL_PB_INDEX_eager_EnqueueResponse,
    SL_PB_INDEX_eager_WaitQueueDoneRequest,
    SL_PB_INDEX_eager_WaitQueueDoneResponse,
    SL_PB_INDEX_eager_RunComponentFunctionRequest,
    SL_PB_INDEX_eager_RunComponentFunctionResponse,
    SL_PB_INDEX_eager_KeepAliveRequest,
    SL_PB_INDEX_eager_KeepAliveResponse,
    SL_PB_INDEX_eager_CloseContextRequest,
    SL_PB_INDEX_eager_CloseContextResponse,
    SL_PB_INDEX_eager_RegisterFunctionOp,
    SL_PB_INDEX_eager_RemoveFunctionOp,
    SL_PB_INDEX_eager_CleanupFunctionOp,
    SL_PB_INDEX_eager_SyncRemoteExecutorForStream,
    SL_PB_INDEX_eager_SendTensorOp,
    SL_PB_INDEX_eager_SendPackedHandleOp,
    SL_PB_INDEX_eager_SendPackedHandleOp_LocalTensorHandle,
    SL_PB_INDEX_eager_SendPackedHandleOp_Handle,
    SL_PB_INDEX_SummaryDescription,
    SL_PB_INDEX_SummaryMetadata,
    SL_PB_INDEX_SummaryMetadata_PluginData,
    SL_PB_INDEX_Summary,
    SL_PB_INDEX_Summary_Image,
    SL_PB_INDEX_Summary_Audio,
    SL_PB_INDEX_Summary_Value,
    SL_PB_INDEX_HistogramProto,
    SL_PB_INDEX_Event,
    SL_PB_INDEX_SourceMetadata,
    SL_PB_INDEX_LogMessage,
    SL_PB_INDEX_SessionLog,
    SL_PB_INDEX_TaggedRunMetadata,
    SL_PB_INDEX_WatchdogConfig,
    SL_PB_INDEX_RequestedExitCode,
    SL_PB_INDEX_WorkerHeartbeatRequest,
    SL_PB_INDEX_WorkerHeartbeatResponse,
    SL_PB_INDEX_BytesList,
    SL_PB_INDEX_FloatList,
    SL_PB_INDEX_Int64List,
    SL_PB_INDEX_Feature,
    SL_PB_INDEX_Features,
    SL_PB_INDEX_FeatureList,
    SL_PB_INDEX_FeatureLists,
    SL_PB_INDEX_Example,
    SL_PB_INDEX_SequenceExample,
    SL_PB_INDEX_sluice_ExplainRequest,
    SL_PB_INDEX_sluice_ExplainResponse,
    SL_PB_INDEX_VersionDef,
    SL_PB_INDEX_NodeDef,
    SL_PB_INDEX_NodeDef_ExperimentalDebugInfo,
    SL_PB_INDEX_GraphDebugInfo,
    SL_PB_INDEX_GraphDebugInfo_FileLineCol,
    SL_PB_INDEX_GraphDebugInfo_StackTrace,
    SL_PB_INDEX_FunctionDefLibrary,
    SL_PB_INDEX_FunctionDef,
    SL_PB_INDEX_FunctionDef_ArgAttrs,
    SL_PB_INDEX_GradientDef,
    SL_PB_INDEX_RegisteredGradient,
    SL_PB_INDEX_GraphDef,
    SL_PB_INDEX_CreateSessionRequest,
    SL_PB_INDEX_CreateSessionResponse,
    SL_PB_INDEX_ExtendSessionRequest,
    SL_PB_INDEX_ExtendSessionResponse,
    SL_PB_INDEX_RunStepRequest,
    SL_PB_INDEX_RunStepResponse,
    SL_PB_INDEX_PartialRunSetupRequest,
    SL_PB_INDEX_PartialRunSetupResponse,
    SL_PB_INDEX_CloseSessionRequest,
    SL_PB_INDEX_CloseSessionResponse,
    SL_PB_INDEX_ResetRequest,
    SL_PB_INDEX_ResetResponse,
    SL_PB_INDEX_ListDevicesRequest,
    SL_PB_INDEX_ListDevicesResponse,
    SL_PB_INDEX_MakeCallableRequest,
    SL_PB_INDEX_MakeCallableResponse,
    SL_PB_INDEX_RunCallableRequest,
    SL_PB_INDEX_RunCallableResponse,
    SL_PB_INDEX_ReleaseCallableRequest,
    SL_PB_INDEX_ReleaseCallableResponse,
    SL_PB_INDEX_OpDef,
    SL_PB_INDEX_OpDef_ArgDef,
    SL_PB_INDEX_OpDef_AttrDef,
    SL_PB_INDEX_OpDeprecation,
    SL_PB_INDEX_OpList,
    SL_PB_INDEX_ApiDef,
    SL_PB_INDEX_ApiDef_Endpoint,
    SL_PB_INDEX_ApiDef_Arg,
    SL_PB_INDEX_ApiDef_Attr,
    SL_PB_INDEX_ApiDefs,
    SL_PB_INDEX_KernelDef,
    SL_PB_INDEX_KernelDef_AttrConstraint,
    SL_PB_INDEX_KernelList,
    SL_PB_INDEX_AutoParallelOptions,
    SL_PB_INDEX_ScopedAllocatorOptions,
    SL_PB_INDEX_RewriterConfig,
    SL_PB_INDEX_RewriterConfig_CustomGraphOptimizer,
    SL_PB_INDEX_VerifierConfig,
    SL_PB_INDEX_SavedModel,
    SL_PB_INDEX_MetaGraphDef,
    SL_PB_INDEX_MetaGraphDef_MetaInfoDef,
    SL_PB_INDEX_CollectionDef,
    SL_PB_INDEX_CollectionDef_NodeList,
    SL_PB_INDEX_CollectionDef_BytesList,
    SL_PB_INDEX_CollectionDef_Int64List,
    SL_PB_INDEX_CollectionDef_FloatList,
    SL_PB_INDEX_CollectionDef_AnyList,
    SL_PB_INDEX_TensorInfo,
    SL_PB_INDEX_TensorInfo_CooSparse,
    SL_PB_INDEX_TensorInfo_CompositeTensor,
    SL_PB_INDEX_SignatureDef,
    SL_PB_INDEX_AssetFileDef,
    SL_PB_INDEX_SavedObjectGraph,
    SL_PB_INDEX_SavedObject,
    SL_PB_INDEX_SavedUserObject,
    SL_PB_INDEX_SavedAsset,
    SL_PB_INDEX_SavedFunction,
    SL_PB_INDEX_CapturedTensor,
    SL_PB_INDEX_SavedConcreteFunction,
    SL_PB_INDEX_SavedBareConcreteFunction,
    SL_PB_INDEX_SavedConstant,
    SL_PB_INDEX_SavedVariable,
    SL_PB_INDEX_FunctionSpec,
    SL_PB_INDEX_SavedResource,
    SL_PB_INDEX_SaveableObject,
    SL_PB_INDEX_FingerprintDef,
    SL_PB_INDEX_ServerDef,
    SL_PB_INDEX_TaskDeviceFilters,
    SL_PB_INDEX_JobDeviceFilters,
    SL_PB_INDEX_ClusterDeviceFilters,
    SL_PB_INDEX_serving_ModelSpec,
    SL_PB_INDEX_serving_PredictRequest,
    SL_PB_INDEX_serving_PredictResponse,
    SL_PB_INDEX_serving_ExampleList,
    SL_PB_INDEX_serving_ExampleListWithContext,
    SL_PB_INDEX_serving_Input,
    SL_PB_INDEX_serving_Class,
    SL_PB_INDEX_serving_Classifications,
    SL_PB_INDEX_serving_ClassificationResult,
    SL_PB_INDEX_serving_ClassificationRequest,
    SL_PB_INDEX_serving_ClassificationResponse,
    SL_PB_INDEX_serving_Regression,
    SL_PB_INDEX_serving_RegressionResult,
    SL_PB_INDEX_serving_RegressionRequest,
    SL_PB_INDEX_serving_RegressionResponse,
    SL_PB_INDEX_serving_SignatureDefMap,
    SL_PB_INDEX_serving_GetModelMetadataRequest,
    SL_PB_INDEX_serving_GetModelMetadataResponse,
    SL_PB_INDEX_serving_StatusProto,
    SL_PB_INDEX_serving_GetModelStatusRequest,
    SL_PB_INDEX_serving_ModelVersionStatus,
    SL_PB_INDEX_serving_GetModelStatusResponse,
    SL_PB_INDEX_serving_InferenceTask,
    SL_PB_INDEX_serving_InferenceResult,
    SL_PB_INDEX_serving_MultiInferenceRequest,
    SL_PB_INDEX_serving_MultiInferenceResponse,
    SL_PB_INDEX_serving_ServableVersionPolicy,
    SL_PB_INDEX_serving_ServableVersionPolicy_Latest,
    SL_PB_INDEX_serving_ServableVersionPolicy_All,
    SL_PB_INDEX_serving_ServableVersionPolicy_Specific,
    SL_PB_INDEX_serving_ModelConfig,
    SL_PB_INDEX_serving_ModelConfigList,
    SL_PB_INDEX_serving_ModelServerConfig,
    SL_PB_INDEX_CppShapeInferenceResult,
    SL_PB_INDEX_CppShapeInferenceResult_HandleShapeAndType,
    SL_PB_INDEX_CppShapeInferenceResult_HandleData,
    SL_PB_INDEX_AllocationDescription,
    SL_PB_INDEX_TensorDescription,
    SL_PB_INDEX_AllocationRecord,
    SL_PB_INDEX_AllocatorMemoryUsed,
    SL_PB_INDEX_NodeOutput,
    SL_PB_INDEX_MemoryStats,
    SL_PB_INDEX_NodeExecStats,
    SL_PB_INDEX_DeviceStepStats,
    SL_PB_INDEX_StepStats,
    SL_PB_INDEX_CostGraphDef,
    SL_PB_INDEX_CostGraphDef_Node,
    SL_PB_INDEX_CostGraphDef_Node_InputInfo,
    SL_PB_INDEX_CostGraphDef_Node_OutputInfo,
    SL_PB_INDEX_CostGraphDef_AggregatedCost,
    SL_PB_INDEX_MemoryLogStep,
    SL_PB_INDEX_MemoryLogTensorAllocation,
    SL_PB_INDEX_MemoryLogTensorDeallocation,
    SL_PB_INDEX_MemoryLogTensorOutput,
    SL_PB_INDEX_MemoryLogRawAllocation,
    SL_PB_INDEX_MemoryLogRawDeallocation,
    SL_PB_INDEX_StatusProto,
    SL_PB_INDEX_StructuredValue,
    SL_PB_INDEX_NoneValue,
    SL_PB_INDEX_ListValue,
    SL_PB_INDEX_TupleValue,
    SL_PB_INDEX_DictValue,
    SL_PB_INDEX_PairValue,
    SL_PB_INDEX_NamedTupleValue,
    SL_PB_INDEX_TensorSpecProto,
    SL_PB_INDEX_BoundedTensorSpecProto,
    SL_PB_INDEX_TypeSpecProto,
    SL_PB_INDEX_CompositeTensorVariantMetadata,
    SL_PB_INDEX_TensorShapeProto,
    SL_PB_INDEX_TensorShapeProto_Dim,
    SL_PB_INDEX_ResourceHandleProto,
    SL_PB_INDEX_ResourceHandleProto_DtypeAndShape,
    SL_PB_INDEX_TensorProto,
    SL_PB_INDEX_VariantTensorDataProto,
    SL_PB_INDEX_NamedTensorProto,
    SL_PB_INDEX_TensorSliceProto,
    SL_PB_INDEX_TensorSliceProto_Extent,
    SL_PB_INDEX_SerializedDType,
    SL_PB_INDEX_VariableDef,
    SL_PB_INDEX_SaveSliceInfoDef,
    SL_PB_INDEX_QueueRunnerDef,
    SL_PB_INDEX_ValuesDef,
    SL_PB_INDEX_ControlFlowContextDef,
    SL_PB_INDEX_CondContextDef,
    SL_PB_INDEX_WhileContextDef,
    SL_PB_INDEX_Any,
    SL_PB_INDEX_BoolValue,
    SL_PB_INDEX_Int64Value,
    SL_PB_INDEX_GetStatusRequest,
    SL_PB_INDEX_GetStatusResponse,
    SL_PB_INDEX_CreateWorkerSessionRequest,
    SL_PB_INDEX_CreateWorkerSessionResponse,
    SL_PB_INDEX_DeleteWorkerSessionRequest,
    SL_PB_INDEX_DeleteWorkerSessionResponse,
    SL_PB_INDEX_RegisterGraphRequest,
    SL_PB_INDEX_RegisterGraphResponse,
    SL_PB_INDEX_DeregisterGraphRequest,
    SL_PB_INDEX_DeregisterGraphResponse,
    SL_PB_INDEX_CleanupAllRequest,
    SL_PB_INDEX_CleanupAllResponse,
    SL_PB_INDEX_ExecutorOpts,
    SL_PB_INDEX_RunGraphRequest,
    SL_PB_INDEX_RunGraphResponse,
    SL_PB_INDEX_CleanupGraphRequest,
    SL_PB_INDEX_CleanupGraphResponse,
    SL_PB_INDEX_RecvTensorRequest,
    SL_PB_INDEX_RecvTensorResponse,
    SL_PB_INDEX_MarkRecvFinishedRequest,
    SL_PB_INDEX_MarkRecvFinishedResponse,
    SL_PB_INDEX_LoggingRequest,
    SL_PB_INDEX_LabeledStepStats,
    SL_PB_INDEX_LoggingResponse,
    SL_PB_INDEX_TraceOpts,
    SL_PB_INDEX_TracingRequest,
    SL_PB_INDEX_TracingResponse,
    SL_PB_INDEX_RecvBufRequest,
    SL_PB_INDEX_RecvBufResponse,
    SL_PB_INDEX_CompleteGroupRequest,
    SL_PB_INDEX_CompleteGroupResponse,
    SL_PB_INDEX_CompleteInstanceRequest,
    SL_PB_INDEX_CompleteInstanceResponse,
    SL_PB_INDEX_CollectivePart,
    SL_PB_INDEX_GetStepSequenceRequest,
    SL_PB_INDEX_StepSequence,
    SL_PB_INDEX_GetStepSequenceResponse,
    SL_PB_INDEX_RecvBufRespExtra,
    SL_PB_INDEX_entry_fixed64_GraphDebugInfo_FileLineCol,
    SL_PB_INDEX_entry_fixed64_GraphDebugInfo_StackTrace,
    SL_PB_INDEX_entry_int32_TaskDeviceFilters,
    SL_PB_INDEX_entry_int32_string,
    SL_PB_INDEX_entry_string_Any,
    SL_PB_INDEX_entry_string_AttrValue,
    SL_PB_INDEX_entry_string_CollectionDef,
    SL_PB_INDEX_entry_string_Feature,
    SL_PB_INDEX_entry_string_FeatureList,
    SL_PB_INDEX_entry_string_GraphDebugInfo_StackTrace,
    SL_PB_INDEX_entry_string_SaveableObject,
    SL_PB_INDEX_entry_string_SavedConcreteFunction,
    SL_PB_INDEX_entry_string_SignatureDef,
    SL_PB_INDEX_entry_string_StructuredValue,
    SL_PB_INDEX_entry_string_TensorInfo,
    SL_PB_INDEX_entry_string_TensorProto,
    SL_PB_INDEX_entry_string_bytes,
    SL_PB_INDEX_entry_string_fixed64,
    SL_PB_INDEX_entry_string_int32,
    SL_PB_INDEX_entry_string_int64,
    SL_PB_INDEX_entry_string_string,
    SL_PB_INDEX_entry_uint32_FunctionDef_ArgAttrs,
    SL_PB_INDEX_entry_uint32_string,
    SL_PB_INDEX_entry_uint32_uint32,
    SL_PB_MESSAGE_COUNT
};

enum {
    SL_PB_ENUM_INDEX_FullTypeId,
    SL_PB_ENUM_INDEX_BundleHeaderProto_Endianness,
    SL_PB_ENUM_INDEX_SaverDef_CheckpointFormatVersion,
    SL_PB_ENUM_INDEX_OptimizerOptions_Level,
    SL_PB_ENUM_INDEX_OptimizerOptions_GlobalJitLevel,
    SL_PB_ENUM_INDEX_ConfigProto_Experimental_MlirBridgeRollout,
    SL_PB_ENUM_INDEX_RunOptions_TraceLevel,
    SL_PB_ENUM_INDEX_error_Code,
    SL_PB_ENUM_INDEX_DataClass,
    SL_PB_ENUM_INDEX_LogMessage_Level,
    SL_PB_ENUM_INDEX_SessionLog_SessionStatus,
    SL_PB_ENUM_INDEX_WorkerHealth,
    SL_PB_ENUM_INDEX_WorkerShutdownMode,
    SL_PB_ENUM_INDEX_ApiDef_Visibility,
    SL_PB_ENUM_INDEX_RewriterConfig_Toggle,
    SL_PB_ENUM_INDEX_RewriterConfig_CpuLayout,
    SL_PB_ENUM_INDEX_RewriterConfig_NumIterationsType,
    SL_PB_ENUM_INDEX_RewriterConfig_MemOptType,
    SL_PB_ENUM_INDEX_VerifierConfig_Toggle,
    SL_PB_ENUM_INDEX_FunctionSpec_JitCompile,
    SL_PB_ENUM_INDEX_serving_ModelVersionStatus_State,
    SL_PB_ENUM_INDEX_TypeSpecProto_TypeSpecClass,
    SL_PB_ENUM_INDEX_DataType,
    SL_PB_ENUM_INDEX_VariableSynchronization,
    SL_PB_ENUM_INDEX_VariableAggregation,
    SL_PB_ENUM_COUNT
};

#endif
