/* Defining kernels in C: what an op does on one kind of device.
 *
 * A kernel is three callbacks. `create_func` reads attributes and returns the kernel's state, `compute_func` runs once
 * a step, on any thread and possibly on several at once, `delete_func` frees the state. Contexts are borrowed for the
 * callback. A callback that gets an error reports it with TF_OpKernelConstruction_Failure or TF_OpKernelContext_Failure
 * and returns. Tensors that a function here returns or stores are new handles, the callback's to delete. */
#ifndef TENSORFLOW_C_KERNELS_H_
#define TENSORFLOW_C_KERNELS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/experimental/stream_executor/stream_executor.h"
#include "tensorflow/c/tf_buffer.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"
#include "tensorflow/core/common_runtime/next_pluggable_device/c/tf_rendezvous_c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_KernelBuilder TF_KernelBuilder;
typedef struct TF_OpKernelConstruction TF_OpKernelConstruction; /* while the kernel is made */
typedef struct TF_OpKernelContext TF_OpKernelContext;           /* while it runs */
typedef struct TF_AsyncOpKernelDoneCallback TF_AsyncOpKernelDoneCallback;

/* ---- registering ---- */

/* A plug-in library may define this; it is called when the library is loaded, and registers kernels. */
void TF_InitKernel(void);

/* New builder for op `op_name` on devices of type `device_name` ("CPU"). `create_func` and `delete_func` may be
 * NULL. */
TF_CAPI_EXPORT TF_KernelBuilder *TF_NewKernelBuilder(const char *op_name, const char *device_name,
                                                     void *(*create_func)(TF_OpKernelConstruction *),
                                                     void (*compute_func)(void *, TF_OpKernelContext *),
                                                     void (*delete_func)(void *));
/* `compute_async_func` returns at once and has TF_RunAsyncOpKernelDoneCallback called when outputs or failure are
 * set. */
TF_CAPI_EXPORT TF_KernelBuilder *TF_NewAsyncKernelBuilder(
    const char *op_name, const char *device_name, void *(*create_func)(TF_OpKernelConstruction *),
    void (*compute_async_func)(void *, TF_OpKernelContext *, TF_AsyncOpKernelDoneCallback *done),
    void (*delete_func)(void *));
/* Ends an asynchronous run; `done` is not valid afterwards. */
TF_CAPI_EXPORT void TF_RunAsyncOpKernelDoneCallback(TF_AsyncOpKernelDoneCallback *done);
/* The kernel serves only `dtype` for that type attribute. */
TF_CAPI_EXPORT void TF_KernelBuilder_TypeConstraint(TF_KernelBuilder *builder, const char *attr_name, TF_DataType dtype,
                                                    TF_Status *status);
/* That input or output argument is in host memory. */
TF_CAPI_EXPORT void TF_KernelBuilder_HostMemory(TF_KernelBuilder *builder, const char *arg_name);
/* Of several kernels that fit, the one with the highest priority is taken. Default 0. */
TF_CAPI_EXPORT void TF_KernelBuilder_Priority(TF_KernelBuilder *builder, int32_t priority_number);
/* The kernel serves only operations with this "_kernel" attribute. */
TF_CAPI_EXPORT void TF_KernelBuilder_Label(TF_KernelBuilder *builder, const char *label);
/* Registers the kernel and frees the builder, also on failure. */
TF_CAPI_EXPORT void TF_RegisterKernelBuilder(const char *kernel_name, TF_KernelBuilder *builder, TF_Status *status);
/* Likewise, with a serialized KernelDef in place of what the builder says. */
TF_CAPI_EXPORT void TF_RegisterKernelBuilderWithKernelDef(const char *serialized_kernel_def, const char *name,
                                                          TF_KernelBuilder *builder, TF_Status *status);
/* For a builder that was not registered. */
TF_CAPI_EXPORT void TF_DeleteKernelBuilder(TF_KernelBuilder *builder);

/* ---- while a kernel is made: attributes ----
 *
 * As TF_OperationGetAttr... in c_api.h: sizes first, then the values, copied to the caller's room. */

TF_CAPI_EXPORT void TF_OpKernelConstruction_Failure(TF_OpKernelConstruction *context, TF_Status *status);
/* New buffer: the NodeDef. */
TF_CAPI_EXPORT TF_Buffer *TF_OpKernelConstruction_GetNodeDef(TF_OpKernelConstruction *context, TF_Status *status);
/* Borrowed. */
TF_CAPI_EXPORT TF_StringView TF_OpKernelConstruction_GetName(TF_OpKernelConstruction *context);
TF_CAPI_EXPORT bool TF_OpKernelConstruction_HasAttr(TF_OpKernelConstruction *context, const char *attr_name,
                                                    TF_Status *status);
/* `*list_size` is -1 for a single value; `*total_size` is as in TF_AttrMetadata, -1 where it has no meaning. */
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrSize(TF_OpKernelConstruction *context, const char *attr_name,
                                                        int32_t *list_size, int32_t *total_size, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrType(TF_OpKernelConstruction *context, const char *attr_name,
                                                        TF_DataType *value, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrInt32(TF_OpKernelConstruction *context, const char *attr_name,
                                                         int32_t *value, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrInt64(TF_OpKernelConstruction *context, const char *attr_name,
                                                         int64_t *value, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrFloat(TF_OpKernelConstruction *context, const char *attr_name,
                                                         float *value, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrBool(TF_OpKernelConstruction *context, const char *attr_name,
                                                        TF_Bool *value, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrString(TF_OpKernelConstruction *context, const char *attr_name,
                                                          char *value, size_t max_length, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrTensor(TF_OpKernelConstruction *context, const char *attr_name,
                                                          TF_Tensor **value, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrTypeList(TF_OpKernelConstruction *context, const char *attr_name,
                                                            TF_DataType *values, int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrInt32List(TF_OpKernelConstruction *context, const char *attr_name,
                                                             int32_t *values, int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrInt64List(TF_OpKernelConstruction *context, const char *attr_name,
                                                             int64_t *values, int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrFloatList(TF_OpKernelConstruction *context, const char *attr_name,
                                                             float *values, int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrBoolList(TF_OpKernelConstruction *context, const char *attr_name,
                                                            TF_Bool *values, int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrStringList(TF_OpKernelConstruction *context, const char *attr_name,
                                                              char **values, size_t *lengths, int max_values,
                                                              void *storage, size_t storage_size, TF_Status *status);
TF_CAPI_EXPORT void TF_OpKernelConstruction_GetAttrTensorList(TF_OpKernelConstruction *context, const char *attr_name,
                                                              TF_Tensor **values, int max_values, TF_Status *status);
/* New buffer: a NameAttrList. */
TF_CAPI_EXPORT TF_Buffer *TF_OpKernelConstruction_GetAttrFunction(TF_OpKernelConstruction *context,
                                                                  const char *attr_name, TF_Status *status);

/* ---- while a kernel runs: inputs ---- */

TF_CAPI_EXPORT int TF_NumInputs(TF_OpKernelContext *context);
TF_CAPI_EXPORT int TF_NumOutputs(TF_OpKernelContext *context);
/* Stores input `i` in `*tensor`. OUT_OF_RANGE when there is none. */
TF_CAPI_EXPORT void TF_GetInput(TF_OpKernelContext *context, int i, TF_Tensor **tensor, TF_Status *status);
TF_CAPI_EXPORT TF_DataType TF_InputDatatype(TF_OpKernelContext *context, int index);
TF_CAPI_EXPORT bool TF_IsHostMemoryInput(TF_OpKernelContext *context, int i, TF_Status *status);
TF_CAPI_EXPORT bool TF_IsHostMemoryOutput(TF_OpKernelContext *context, int i, TF_Status *status);

/* Which inputs an input argument stands for: [start, stop). */
typedef struct TF_InputRange_Args {
    size_t struct_size; /* TF_InputRange_Args_STRUCT_SIZE */
    void *priv;         /* NULL */
    int start;          /* out */
    int stop;           /* out */
    TF_Status *status;  /* the caller's; set */
} TF_InputRange_Args;

#define TF_InputRange_Args_STRUCT_SIZE TF_OFFSET_OF_END(TF_InputRange_Args, status)

TF_CAPI_EXPORT void TF_InputRange(TF_OpKernelContext *context, const char *name, TF_InputRange_Args *args);

/* ---- outputs and memory ---- */

/* New tensor of `len` bytes that is output `index`. */
TF_CAPI_EXPORT TF_Tensor *TF_AllocateOutput(TF_OpKernelContext *context, int index, TF_DataType dtype,
                                            const int64_t *dims, int num_dims, size_t len, TF_Status *status);
/* Output that reuses the buffer of the first candidate input nothing else refers to, of the same type and size; else a
 * new one. `*forwarded_input` (may be NULL) gets that input's number or -1. */
TF_CAPI_EXPORT TF_Tensor *TF_ForwardInputOrAllocateOutput(TF_OpKernelContext *context,
                                                          const int *candidate_input_indices,
                                                          int num_candidate_input_indices, int output_index,
                                                          const int64_t *output_dims, int output_num_dims,
                                                          int *forwarded_input, TF_Status *status);
/* New tensor for scratch. */
TF_CAPI_EXPORT TF_Tensor *TF_AllocateTemp(TF_OpKernelContext *context, TF_DataType dtype, const int64_t *dims,
                                          int num_dims, TF_AllocatorAttributes *alloc_attrs, TF_Status *status);
/* Output `i` becomes `tensor`, shared. */
TF_CAPI_EXPORT void TF_SetOutput(TF_OpKernelContext *context, int i, const TF_Tensor *tensor, TF_Status *status);
TF_CAPI_EXPORT TF_Tensor *TF_GetMutableOutput(TF_OpKernelContext *context, int i, TF_Status *status);
/* `i` has to be the number of an output. */
TF_CAPI_EXPORT TF_DataType TF_ExpectedOutputDataType(TF_OpKernelContext *context, int i);
TF_CAPI_EXPORT void TF_OpKernelContext_Failure(TF_OpKernelContext *context, TF_Status *status);

/* ---- the step and its surroundings ---- */

/* The device's stream; UNIMPLEMENTED for devices that are no plug-in. */
TF_CAPI_EXPORT SP_Stream TF_GetStream(TF_OpKernelContext *context, TF_Status *status);
TF_CAPI_EXPORT int64_t TF_StepId(TF_OpKernelContext *context);
TF_CAPI_EXPORT int64_t TF_GetStepId(TF_OpKernelContext *context);
/* The while loop this runs in, and its turn; 0 outside loops. */
TF_CAPI_EXPORT uint64_t TF_GetFrameId(TF_OpKernelContext *context);
TF_CAPI_EXPORT int64_t TF_GetIterId(TF_OpKernelContext *context);
TF_CAPI_EXPORT int TF_GetDeviceId(TF_OpKernelContext *context);
/* Borrowed, as all views here. */
TF_CAPI_EXPORT TF_StringView TF_GetDeviceName(TF_OpKernelContext *context);
TF_CAPI_EXPORT TF_RendezvousThunk TF_GetRendezvous(TF_OpKernelContext *context);
TF_CAPI_EXPORT int TF_GetGraphDefVersion(TF_OpKernelContext *context);
TF_CAPI_EXPORT TF_StringView TF_GetOpKernelName(TF_OpKernelContext *context);
TF_CAPI_EXPORT TF_StringView TF_GetResourceMgrDefaultContainerName(TF_OpKernelContext *context);
/* Name of the output that feeds an input, as the graph was given. */
TF_CAPI_EXPORT TF_StringView TF_GetOpKernelRequestedInput(TF_OpKernelContext *context, size_t index);
/* Serialized FunctionDefLibrary, ConfigProto, and ResourceHandleProto of input `i`. */
TF_CAPI_EXPORT void TF_GetSerializedFunctionDefLibrary(TF_OpKernelContext *context,
                                                       TF_Buffer *serialized_function_def_library, TF_Status *status);
TF_CAPI_EXPORT void TF_GetSerializedConfigProto(TF_OpKernelContext *context, TF_Buffer *serialized_config_proto,
                                                TF_Status *status);
TF_CAPI_EXPORT void TF_GetSerializedResourceHandleProto(TF_OpKernelContext *context, int i,
                                                        TF_Buffer *serialized_resource_handle_proto, TF_Status *status);
/* Work that goes on after the kernel has returned: the step's resources stay until all of it is counted off. */
TF_CAPI_EXPORT void TF_IncNumDeferredOps(TF_OpKernelContext *context);
TF_CAPI_EXPORT void TF_DecNumDeferredOps(TF_OpKernelContext *context);

#ifdef __cplusplus
}
#endif

#endif
