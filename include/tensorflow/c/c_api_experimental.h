/* C API without a promise of stability: switches, checkpoint reading, shape inference for single ops, collectives.
 *
 * Ownership, errors and threads as in c_api.h. The XLA switches are kept for the programs that set them: there is no
 * XLA here, and results are the same either way. */
#ifndef TENSORFLOW_C_C_API_EXPERIMENTAL_H_
#define TENSORFLOW_C_C_API_EXPERIMENTAL_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- XLA switches; process-wide but for the first ---- */

TF_CAPI_EXPORT void TF_EnableXLACompilation(TF_SessionOptions *options, unsigned char enable);
/* These return the old value. */
TF_CAPI_EXPORT unsigned char TF_SetXlaEnableLazyCompilation(unsigned char enable);
TF_CAPI_EXPORT unsigned char TF_SetTfXlaCpuGlobalJit(unsigned char enable);
/* The text of TF_XLA_FLAGS' tf_xla_auto_jit: "1", "2", "fusible" ... */
TF_CAPI_EXPORT void TF_SetXlaAutoJitMode(const char *mode);
TF_CAPI_EXPORT unsigned char TF_GetXlaAutoJitEnabled(void);
TF_CAPI_EXPORT void TF_SetXlaMinClusterSize(int size);
TF_CAPI_EXPORT unsigned char TF_GetXlaConstantFoldingDisabled(void);
TF_CAPI_EXPORT void TF_SetXlaConstantFoldingDisabled(unsigned char should_enable);

/* ---- options and debugging ---- */

/* New buffer: a ConfigProto with these settings. */
TF_CAPI_EXPORT TF_Buffer *TF_CreateConfig(unsigned char enable_xla_compilation, unsigned char gpu_memory_allow_growth,
                                          unsigned int num_cpu_devices);
/* New buffer: a RunOptions, with a full trace or with none. */
TF_CAPI_EXPORT TF_Buffer *TF_CreateRunOptions(unsigned char enable_full_trace);
/* Protocol text of the graph's GraphDef or the function's FunctionDef; free() it. `*len` gets its bytes. */
TF_CAPI_EXPORT const char *TF_GraphDebugString(TF_Graph *graph, size_t *len);
TF_CAPI_EXPORT char *TF_FunctionDebugString(TF_Function *function, size_t *len);
/* New buffer: a ServerDef from its protocol text. */
TF_CAPI_EXPORT TF_Buffer *TFE_GetServerDef(const char *text_proto, TF_Status *status);
/* Sets INTERNAL with that message. */
TF_CAPI_EXPORT void TF_MakeInternalErrorStatus(TF_Status *status, const char *message);
/* Runs the graph's operation "fifo_queue_dequeue_<tensor_id>" and gives its output as a new tensor. */
TF_CAPI_EXPORT TF_Tensor *TF_DequeueNamedTensor(TF_Session *session, int tensor_id, TF_Status *status);
/* Runs "fifo_queue_enqueue_<tensor_id>" with `tensor` fed to "arg_tensor_enqueue_<tensor_id>". */
TF_CAPI_EXPORT void TF_EnqueueNamedTensor(TF_Session *session, int tensor_id, TF_Tensor *tensor, TF_Status *status);

/* Name of the attribute that tells the length of a list input; NULL when that input is no such list. Static string. */
TF_CAPI_EXPORT const char *TF_GetNumberAttrForOpListInput(const char *op_name, int input_index, TF_Status *status);
/* 1 when the op keeps state between runs. */
TF_CAPI_EXPORT int TF_OpIsStateful(const char *op_type, TF_Status *status);
/* Prepares the process; `argc` and `argv` lose the flags that were understood. Not needed. */
TF_CAPI_EXPORT void TF_InitMain(const char *usage, int *argc, char ***argv);
/* A TCP port that nobody listened at a moment ago; -1, with a line in the log, when there is none. For tests. */
TF_CAPI_EXPORT int TF_PickUnusedPortOrDie(void);

/* Whether the import checks that colocated nodes exist. */
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsSetValidateColocationConstraints(TF_ImportGraphDefOptions *options,
                                                                             unsigned char enable);
/* Removes a function from the graph's library; no operation of the graph may use it. */
TF_CAPI_EXPORT void TF_GraphRemoveFunction(TF_Graph *graph, const char *function_name, TF_Status *status);
/* Loads a device plug-in. */
TF_CAPI_EXPORT TF_Library *TF_LoadPluggableDeviceLibrary(const char *library_filename, TF_Status *status);
TF_CAPI_EXPORT void TF_DeletePluggableDeviceLibraryHandle(TF_Library *library);

/* New handle of a scalar made from `len` bytes at `data`, which are copied. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_NewTensorHandleFromScalar(TF_DataType data_type, void *data, size_t len,
                                                               TF_Status *status);

/* ---- checkpoints ---- */

typedef struct TF_CheckpointReader TF_CheckpointReader;

/* Opens a checkpoint: the prefix of a tensor bundle (V2), or a V1 file. Threads: one owner. */
TF_CAPI_EXPORT TF_CheckpointReader *TF_NewCheckpointReader(const char *filename, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteCheckpointReader(TF_CheckpointReader *reader);
/* 1 when the checkpoint holds a tensor of that name. */
TF_CAPI_EXPORT int TF_CheckpointReaderHasTensor(TF_CheckpointReader *reader, const char *name);
/* Names by number, sorted, below TF_CheckpointReaderSize; else NULL. */
TF_CAPI_EXPORT const char *TF_CheckpointReaderGetVariable(TF_CheckpointReader *reader, int index);
TF_CAPI_EXPORT int TF_CheckpointReaderSize(TF_CheckpointReader *reader);
/* 0 for a name that is not there. */
TF_CAPI_EXPORT TF_DataType TF_CheckpointReaderGetVariableDataType(TF_CheckpointReader *reader, const char *name);
/* Fills `dims`, of `num_dims` elements, which has to be the rank. */
TF_CAPI_EXPORT void TF_CheckpointReaderGetVariableShape(TF_CheckpointReader *reader, const char *name, int64_t *dims,
                                                        int num_dims, TF_Status *status);
/* -1 for a name that is not there. */
TF_CAPI_EXPORT int TF_CheckpointReaderGetVariableNumDims(TF_CheckpointReader *reader, const char *name);
/* New tensor with the stored value; NOT_FOUND for an unknown name. */
TF_CAPI_EXPORT TF_Tensor *TF_CheckpointReaderGetTensor(TF_CheckpointReader *reader, const char *name,
                                                       TF_Status *status);

/* ---- would an op with these types have a kernel? ---- */

typedef struct TF_AttrBuilder TF_AttrBuilder;

TF_CAPI_EXPORT TF_AttrBuilder *TF_NewAttrBuilder(const char *op_name);
TF_CAPI_EXPORT void TF_DeleteAttrBuilder(TF_AttrBuilder *builder);
TF_CAPI_EXPORT void TF_AttrBuilderSetType(TF_AttrBuilder *builder, const char *attr_name, TF_DataType value);
TF_CAPI_EXPORT void TF_AttrBuilderSetTypeList(TF_AttrBuilder *builder, const char *attr_name, const TF_DataType *values,
                                              int num_values);
/* TF_OK when a kernel for `device_type` ("CPU") is registered. */
TF_CAPI_EXPORT void TF_AttrBuilderCheckCanRunOnDevice(TF_AttrBuilder *builder, const char *device_type,
                                                      TF_Status *status);

/* ---- shape inference for an eager op ---- */

typedef struct TF_ShapeAndType {
    int num_dims;  /* -1: unknown rank, and `dims` is NULL */
    int64_t *dims; /* -1: unknown size; owned by the list */
    TF_DataType dtype;
} TF_ShapeAndType;

typedef struct TF_ShapeAndTypeList {
    int num_items;
    TF_ShapeAndType *items;
} TF_ShapeAndTypeList;

/* New list of `num_shapes` items of unknown rank. */
TF_CAPI_EXPORT TF_ShapeAndTypeList *TF_NewShapeAndTypeList(int num_shapes);
TF_CAPI_EXPORT void TF_ShapeAndTypeListSetShape(TF_ShapeAndTypeList *shape_list, int index, const int64_t *dims,
                                                int num_dims);
TF_CAPI_EXPORT void TF_ShapeAndTypeListSetUnknownShape(TF_ShapeAndTypeList *shape_list, int index);
TF_CAPI_EXPORT void TF_ShapeAndTypeListSetDtype(TF_ShapeAndTypeList *shape_list, int index, TF_DataType dtype);
TF_CAPI_EXPORT void TF_DeleteShapeAndTypeList(TF_ShapeAndTypeList *shape_list);
/* Deletes the lists and the array. */
TF_CAPI_EXPORT void TF_DeleteShapeAndTypeListArray(TF_ShapeAndTypeList **shape_list_array, int num_items);
/* Infers the output shapes of `op`, whose attributes are set, from the shapes and, where known, the values of its
 * inputs. `input_tensors` may be NULL or hold NULLs. `*output_shapes` is a new list. The other three are for shapes of
 * resources and may be NULL. */
TF_CAPI_EXPORT void TFE_InferShapes(TFE_Op *op, TF_ShapeAndTypeList *input_shapes, TF_Tensor **input_tensors,
                                    TF_ShapeAndTypeList *input_tensor_as_shapes,
                                    TF_ShapeAndTypeList **input_resource_shapes_and_types,
                                    TF_ShapeAndTypeList **output_shapes,
                                    TF_ShapeAndTypeList ***output_resource_shapes_and_types, TF_Status *status);

/* ---- collectives ---- */

/* Makes the context a member of a cluster (ServerDef). */
TF_CAPI_EXPORT void TFE_EnableCollectiveOps(TFE_Context *context, const void *proto, size_t proto_len,
                                            TF_Status *status);
/* Fails all pending and future collectives with the status, which is read. */
TF_CAPI_EXPORT void TFE_AbortCollectiveOps(TFE_Context *context, TF_Status *status);
/* TF_OK when `task` answers within the time. */
TF_CAPI_EXPORT void TFE_CollectiveOpsCheckPeerHealth(TFE_Context *context, const char *task, int64_t timeout_in_ms,
                                                     TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
