/* Eager execution: ops run when they are called, on handles of tensors.
 *
 * Ownership and errors as in tensorflow/c/c_api.h. Threads: contexts and tensor handles are thread-safe; an op has one
 * owner. A context outlives the ops and handles made with it. */
#ifndef TENSORFLOW_C_EAGER_C_API_H_
#define TENSORFLOW_C_EAGER_C_API_H_

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TFE_ContextOptions TFE_ContextOptions;
typedef struct TFE_Context TFE_Context;
typedef struct TFE_TensorHandle TFE_TensorHandle;
typedef struct TFE_TensorDebugInfo TFE_TensorDebugInfo;
typedef struct TFE_Op TFE_Op;

/* What happens to an input on another device than its op. */
typedef enum TFE_ContextDevicePlacementPolicy {
    TFE_DEVICE_PLACEMENT_EXPLICIT = 0,         /* it is an error */
    TFE_DEVICE_PLACEMENT_WARN = 1,             /* it is copied with a warning */
    TFE_DEVICE_PLACEMENT_SILENT = 2,           /* it is copied */
    TFE_DEVICE_PLACEMENT_SILENT_FOR_INT32 = 3, /* int32 is copied, others are an error */
} TFE_ContextDevicePlacementPolicy;

/* ---- contexts ---- */

TF_CAPI_EXPORT TFE_ContextOptions *TFE_NewContextOptions(void);
/* Takes a ConfigProto. */
TF_CAPI_EXPORT void TFE_ContextOptionsSetConfig(TFE_ContextOptions *options, const void *proto, size_t proto_len,
                                                TF_Status *status);
/* Whether ops return before they have run. An error then shows at a later call, and sticks until it is cleared. */
TF_CAPI_EXPORT void TFE_ContextOptionsSetAsync(TFE_ContextOptions *options, unsigned char enable);
TF_CAPI_EXPORT void TFE_ContextOptionsSetDevicePlacementPolicy(TFE_ContextOptions *options,
                                                               TFE_ContextDevicePlacementPolicy policy);
TF_CAPI_EXPORT void TFE_DeleteContextOptions(TFE_ContextOptions *options);

/* New context; `options` may be deleted afterwards. */
TF_CAPI_EXPORT TFE_Context *TFE_NewContext(const TFE_ContextOptions *options, TF_Status *status);
TF_CAPI_EXPORT void TFE_DeleteContext(TFE_Context *context);
/* New list of the devices the context knows. */
TF_CAPI_EXPORT TF_DeviceList *TFE_ContextListDevices(TFE_Context *context, TF_Status *status);
/* Forgets prepared kernels and functions; results stay the same. */
TF_CAPI_EXPORT void TFE_ContextClearCaches(TFE_Context *context);
/* The policy of the calling thread alone, over the context's. */
TF_CAPI_EXPORT void TFE_ContextSetThreadLocalDevicePlacementPolicy(TFE_Context *context,
                                                                   TFE_ContextDevicePlacementPolicy policy);
/* The policy that holds in the calling thread. */
TF_CAPI_EXPORT TFE_ContextDevicePlacementPolicy TFE_ContextGetDevicePlacementPolicy(TFE_Context *context);
/* Joins a cluster (ServerDef) as one of its tasks. */
TF_CAPI_EXPORT void TFE_ContextSetServerDef(TFE_Context *context, int keep_alive_secs, const void *proto,
                                            size_t proto_len, TF_Status *status);

/* Functions, which ops then call by name. */
TF_CAPI_EXPORT void TFE_ContextAddFunctionDef(TFE_Context *context, const char *serialized_function_def, size_t size,
                                              TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextAddFunction(TFE_Context *context, TF_Function *function, TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextRemoveFunction(TFE_Context *context, const char *name, TF_Status *status);
TF_CAPI_EXPORT unsigned char TFE_ContextHasFunction(TFE_Context *context, const char *name);

/* Collecting RunMetadata. Export writes what was collected, and starts anew. */
TF_CAPI_EXPORT void TFE_ContextEnableRunMetadata(TFE_Context *context);
TF_CAPI_EXPORT void TFE_ContextDisableRunMetadata(TFE_Context *context);
TF_CAPI_EXPORT void TFE_ContextExportRunMetadata(TFE_Context *context, TF_Buffer *buffer, TF_Status *status);

/* Between the two, ops that keep state for a step (such as tensor arrays) share it. Calls may be nested. */
TF_CAPI_EXPORT void TFE_ContextStartStep(TFE_Context *context);
TF_CAPI_EXPORT void TFE_ContextEndStep(TFE_Context *context);

/* ---- tensor handles ---- */

/* New handle that shares the tensor's buffer. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_NewTensorHandle(const TF_Tensor *tensor, TF_Status *status);
/* NULL is allowed. */
TF_CAPI_EXPORT void TFE_DeleteTensorHandle(TFE_TensorHandle *handle);
TF_CAPI_EXPORT TF_DataType TFE_TensorHandleDataType(TFE_TensorHandle *handle);
/* These wait for the op that makes the tensor, if it has not run yet. */
TF_CAPI_EXPORT int TFE_TensorHandleNumDims(TFE_TensorHandle *handle, TF_Status *status);
TF_CAPI_EXPORT int64_t TFE_TensorHandleNumElements(TFE_TensorHandle *handle, TF_Status *status);
TF_CAPI_EXPORT int64_t TFE_TensorHandleDim(TFE_TensorHandle *handle, int dim_index, TF_Status *status);
/* Device of the op that made the tensor, and device of the memory it lies in. Borrowed from the handle. */
TF_CAPI_EXPORT const char *TFE_TensorHandleDeviceName(TFE_TensorHandle *handle, TF_Status *status);
TF_CAPI_EXPORT const char *TFE_TensorHandleBackingDeviceName(TFE_TensorHandle *handle, TF_Status *status);
/* New handle of the same tensor. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_TensorHandleCopySharingTensor(TFE_TensorHandle *handle, TF_Status *status);
/* New tensor in host memory; shares the buffer when it already lies there. Waits for the value. */
TF_CAPI_EXPORT TF_Tensor *TFE_TensorHandleResolve(TFE_TensorHandle *handle, TF_Status *status);
/* New handle of a copy on that device; the same tensor when it is there already. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_TensorHandleCopyToDevice(TFE_TensorHandle *handle, TFE_Context *context,
                                                              const char *device_name, TF_Status *status);

/* The shape as it lies in the device's memory. */
TF_CAPI_EXPORT TFE_TensorDebugInfo *TFE_TensorHandleTensorDebugInfo(TFE_TensorHandle *handle, TF_Status *status);
TF_CAPI_EXPORT void TFE_DeleteTensorDebugInfo(TFE_TensorDebugInfo *debug_info);
TF_CAPI_EXPORT int TFE_TensorDebugInfoOnDeviceNumDims(TFE_TensorDebugInfo *debug_info);
TF_CAPI_EXPORT int64_t TFE_TensorDebugInfoOnDeviceDim(TFE_TensorDebugInfo *debug_info, int dim_index);

/* ---- ops ---- */

/* New call of a registered op or of a function in the context. */
TF_CAPI_EXPORT TFE_Op *TFE_NewOp(TFE_Context *context, const char *op_or_function_name, TF_Status *status);
TF_CAPI_EXPORT void TFE_DeleteOp(TFE_Op *op);
TF_CAPI_EXPORT const char *TFE_OpGetName(const TFE_Op *op, TF_Status *status);
TF_CAPI_EXPORT TFE_Context *TFE_OpGetContext(const TFE_Op *op, TF_Status *status);
TF_CAPI_EXPORT void TFE_OpSetDevice(TFE_Op *op, const char *device_name, TF_Status *status);
TF_CAPI_EXPORT const char *TFE_OpGetDevice(const TFE_Op *op, TF_Status *status);

/* Inputs, in the order of the op's definition. Type and length attributes follow from them, unless set by the caller.
 * Handles are shared. */
TF_CAPI_EXPORT void TFE_OpAddInput(TFE_Op *op, TFE_TensorHandle *input, TF_Status *status);
TF_CAPI_EXPORT void TFE_OpAddInputList(TFE_Op *op, TFE_TensorHandle **inputs, int num_inputs, TF_Status *status);
TF_CAPI_EXPORT int TFE_OpGetFlatInputCount(const TFE_Op *op, TF_Status *status);
/* Borrowed. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_OpGetFlatInput(const TFE_Op *op, int index, TF_Status *status);

/* What kind of value an attribute takes; `*is_list` gets 1 for a list. */
TF_CAPI_EXPORT TF_AttrType TFE_OpGetAttrType(TFE_Op *op, const char *attr_name, unsigned char *is_list,
                                             TF_Status *status);
TF_CAPI_EXPORT TF_AttrType TFE_OpNameGetAttrType(TFE_Context *context, const char *op_or_function_name,
                                                 const char *attr_name, unsigned char *is_list, TF_Status *status);

/* Attributes. A wrong name or kind is reported by TFE_Execute, where there is no status here. */
TF_CAPI_EXPORT void TFE_OpSetAttrString(TFE_Op *op, const char *attr_name, const void *value, size_t length);
TF_CAPI_EXPORT void TFE_OpSetAttrInt(TFE_Op *op, const char *attr_name, int64_t value);
TF_CAPI_EXPORT void TFE_OpSetAttrFloat(TFE_Op *op, const char *attr_name, float value);
TF_CAPI_EXPORT void TFE_OpSetAttrBool(TFE_Op *op, const char *attr_name, unsigned char value);
TF_CAPI_EXPORT void TFE_OpSetAttrType(TFE_Op *op, const char *attr_name, TF_DataType value);
/* A rank of -1 is unknown, and so is a size of -1. */
TF_CAPI_EXPORT void TFE_OpSetAttrShape(TFE_Op *op, const char *attr_name, const int64_t *dims, int num_dims,
                                       TF_Status *status);
/* A function, with the attributes of `value`. */
TF_CAPI_EXPORT void TFE_OpSetAttrFunction(TFE_Op *op, const char *attr_name, const TFE_Op *value);
TF_CAPI_EXPORT void TFE_OpSetAttrFunctionName(TFE_Op *op, const char *attr_name, const char *data, size_t length);
TF_CAPI_EXPORT void TFE_OpSetAttrTensor(TFE_Op *op, const char *attr_name, TF_Tensor *tensor, TF_Status *status);
TF_CAPI_EXPORT void TFE_OpSetAttrStringList(TFE_Op *op, const char *attr_name, const void *const *values,
                                            const size_t *lengths, int num_values);
TF_CAPI_EXPORT void TFE_OpSetAttrIntList(TFE_Op *op, const char *attr_name, const int64_t *values, int num_values);
TF_CAPI_EXPORT void TFE_OpSetAttrFloatList(TFE_Op *op, const char *attr_name, const float *values, int num_values);
TF_CAPI_EXPORT void TFE_OpSetAttrBoolList(TFE_Op *op, const char *attr_name, const unsigned char *values,
                                          int num_values);
TF_CAPI_EXPORT void TFE_OpSetAttrTypeList(TFE_Op *op, const char *attr_name, const TF_DataType *values, int num_values);
TF_CAPI_EXPORT void TFE_OpSetAttrShapeList(TFE_Op *op, const char *attr_name, const int64_t **dims, const int *num_dims,
                                           int num_values, TF_Status *status);
TF_CAPI_EXPORT void TFE_OpSetAttrFunctionList(TFE_Op *op, const char *attr_name, const TFE_Op **value, int num_values);

/* How many tensors an input or output argument stands for, as far as inputs and attributes tell so far; -1 on error. */
TF_CAPI_EXPORT int TFE_OpGetInputLength(TFE_Op *op, const char *input_name, TF_Status *status);
TF_CAPI_EXPORT int TFE_OpGetOutputLength(TFE_Op *op, const char *output_name, TF_Status *status);

/* Runs the op. `*num_retvals` is the room in `retvals` and gets the number of outputs, each a new handle. */
TF_CAPI_EXPORT void TFE_Execute(TFE_Op *op, TFE_TensorHandle **retvals, int *num_retvals, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
