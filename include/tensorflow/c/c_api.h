/* The TensorFlow C API: graphs, their operations, functions, import and export, gradients, sessions, devices, servers.
 *
 * Ownership. What a TF_New... or TF_Load... function returns is the caller's, until the TF_Delete... function of its
 * type; those take NULL. Operations belong to their graph. Strings and arrays that are returned or stored through a
 * pointer are borrowed and live as long as the object they came from, unless the comment says otherwise. Arguments are
 * copied, so the caller's memory is free again when the call returns.
 *
 * Errors. A function with a `status` sets it on every return; when it is not TF_OK the result is NULL, 0 or -1 and
 * out-parameters are not to be used.
 *
 * Threads. Graphs, sessions and servers are thread-safe; a finished operation is read-only but for the functions under
 * "graph surgery". An operation under construction, options, buffers and results have one owner each. A TF_..Locked
 * function is for a caller that already holds the graph's lock.
 *
 * Protocol messages (GraphDef, NodeDef, AttrValue ...) travel serialized: a TF_Buffer, or a pointer and a length. A
 * TF_Buffer out-parameter has to be empty, as TF_NewBuffer makes it. */
#ifndef TENSORFLOW_C_C_API_H_
#define TENSORFLOW_C_C_API_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_attrtype.h"
#include "tensorflow/c/tf_buffer.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"
#include "tensorflow/c/tf_tstring.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_SessionOptions TF_SessionOptions;
typedef struct TF_Graph TF_Graph;
typedef struct TF_OperationDescription TF_OperationDescription; /* an operation under construction */
typedef struct TF_Operation TF_Operation;                       /* a node of a graph */
typedef struct TF_Function TF_Function;
typedef struct TF_FunctionOptions TF_FunctionOptions; /* none defined: pass NULL */
typedef struct TF_ImportGraphDefOptions TF_ImportGraphDefOptions;
typedef struct TF_ImportGraphDefResults TF_ImportGraphDefResults;
typedef struct TF_Session TF_Session;
typedef struct TF_DeprecatedSession TF_DeprecatedSession;
typedef struct TF_DeviceList TF_DeviceList;
typedef struct TF_Library TF_Library;
typedef struct TF_ApiDefMap TF_ApiDefMap;
typedef struct TF_Server TF_Server;

/* Borrowed bytes; not ended by a NUL. */
typedef struct TF_StringView {
    const char *data;
    size_t len;
} TF_StringView;

/* Input number `index` of an operation, counted over all its inputs, lists spread out. */
typedef struct TF_Input {
    TF_Operation *oper;
    int index;
} TF_Input;

/* Output number `index` of an operation, counted likewise. */
typedef struct TF_Output {
    TF_Operation *oper;
    int index;
} TF_Output;

/* ---- version ---- */

/* Version of the C API that the library answers with, as in "2.21.0". Static string. */
TF_CAPI_EXPORT const char *TF_Version(void);

/* ---- tensors; the rest is in tf_tensor.h ---- */

/* Parses a TensorProto into `to`, which gets a buffer of its own. */
TF_CAPI_EXPORT void TF_TensorFromProto(const TF_Buffer *from, TF_Tensor *to, TF_Status *status);

/* ---- session options ---- */

TF_CAPI_EXPORT TF_SessionOptions *TF_NewSessionOptions(void);
/* Which runtime to use: "" or "local" is this process; "grpc://host:port" is a server. */
TF_CAPI_EXPORT void TF_SetTarget(TF_SessionOptions *options, const char *target);
/* Takes a ConfigProto. INVALID_ARGUMENT when the bytes are none. */
TF_CAPI_EXPORT void TF_SetConfig(TF_SessionOptions *options, const void *proto, size_t proto_len, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteSessionOptions(TF_SessionOptions *options);

/* ---- graphs and shapes ---- */

TF_CAPI_EXPORT TF_Graph *TF_NewGraph(void);
/* Drops the caller's hold. Sessions of the graph keep it alive until they are deleted. */
TF_CAPI_EXPORT void TF_DeleteGraph(TF_Graph *graph);

/* Merges a shape into the inferred shape of an output. A size of -1 is unknown, and so is the rank when `num_dims` is
 * -1. INVALID_ARGUMENT when the two contradict each other. */
TF_CAPI_EXPORT void TF_GraphSetTensorShape(TF_Graph *graph, TF_Output output, const int64_t *dims, int num_dims,
                                           TF_Status *status);
/* Rank of an output as far as inference knows, or -1. */
TF_CAPI_EXPORT int TF_GraphGetTensorNumDims(TF_Graph *graph, TF_Output output, TF_Status *status);
/* Fills `dims` with the inferred sizes, -1 for an unknown one; `num_dims` is what TF_GraphGetTensorNumDims said. */
TF_CAPI_EXPORT void TF_GraphGetTensorShape(TF_Graph *graph, TF_Output output, int64_t *dims, int num_dims,
                                           TF_Status *status);

/* NULL when the graph has no operation of that name. */
TF_CAPI_EXPORT TF_Operation *TF_GraphOperationByName(TF_Graph *graph, const char *operation_name);
/* Walks all operations in the order they were added: start with `*pos` 0, end at NULL. `*pos` is the place of the
 * operation found, of which the first has 2. Operations that are added meanwhile may or may not be seen. */
TF_CAPI_EXPORT TF_Operation *TF_GraphNextOperation(TF_Graph *graph, size_t *pos);
/* Writes a GraphDef: nodes, function library, versions. */
TF_CAPI_EXPORT void TF_GraphToGraphDef(TF_Graph *graph, TF_Buffer *output_graph_def, TF_Status *status);
/* Writes the OpDef of a registered op or of a function in the graph; NOT_FOUND for other names. */
TF_CAPI_EXPORT void TF_GraphGetOpDef(TF_Graph *graph, const char *op_name, TF_Buffer *output_op_def, TF_Status *status);
/* Writes the VersionDef of the graph. */
TF_CAPI_EXPORT void TF_GraphVersions(TF_Graph *graph, TF_Buffer *output_version_def, TF_Status *status);
/* 1 and a new tensor in `*result` when `output` can be computed now, depending on no fed or stateful value; else 0 and
 * NULL. A status other than TF_OK means that the attempt itself failed. */
TF_CAPI_EXPORT unsigned char TF_TryEvaluateConstant(TF_Graph *graph, TF_Output output, TF_Tensor **result,
                                                    TF_Status *status);
/* Makes input `dst` read `new_src` instead of what it reads now. Types have to agree, and so have shapes. Not while a
 * session runs the graph. */
TF_CAPI_EXPORT void TF_UpdateEdge(TF_Graph *graph, TF_Output new_src, TF_Input dst, TF_Status *status);

/* ---- building operations ---- */

/* Starts an operation of type `op_type`. Every description ends in TF_FinishOperation. Mistakes made on the way (an
 * unknown op, a wrong attribute) are reported there. */
TF_CAPI_EXPORT TF_OperationDescription *TF_NewOperation(TF_Graph *graph, const char *op_type,
                                                        const char *operation_name);
TF_CAPI_EXPORT TF_OperationDescription *TF_NewOperationLocked(TF_Graph *graph, const char *op_type,
                                                              const char *operation_name);
/* Requested device, in full or in part: "/device:CPU:0". */
TF_CAPI_EXPORT void TF_SetDevice(TF_OperationDescription *description, const char *device);
/* Inputs are given in the order of the op's definition, each by the call that fits its kind. */
TF_CAPI_EXPORT void TF_AddInput(TF_OperationDescription *description, TF_Output input);
TF_CAPI_EXPORT void TF_AddInputList(TF_OperationDescription *description, const TF_Output *inputs, int num_inputs);
/* The operation runs after `input`. */
TF_CAPI_EXPORT void TF_AddControlInput(TF_OperationDescription *description, TF_Operation *input);
/* The operation goes on the device of `op`. */
TF_CAPI_EXPORT void TF_ColocateWith(TF_OperationDescription *description, TF_Operation *op);

/* Attributes. Strings are bytes with a length; a rank of -1 is a shape of unknown rank and -1 is an unknown size. */
TF_CAPI_EXPORT void TF_SetAttrString(TF_OperationDescription *description, const char *attr_name, const void *value,
                                     size_t length);
TF_CAPI_EXPORT void TF_SetAttrStringList(TF_OperationDescription *description, const char *attr_name,
                                         const void *const *values, const size_t *lengths, int num_values);
TF_CAPI_EXPORT void TF_SetAttrInt(TF_OperationDescription *description, const char *attr_name, int64_t value);
TF_CAPI_EXPORT void TF_SetAttrIntList(TF_OperationDescription *description, const char *attr_name,
                                      const int64_t *values, int num_values);
TF_CAPI_EXPORT void TF_SetAttrFloat(TF_OperationDescription *description, const char *attr_name, float value);
TF_CAPI_EXPORT void TF_SetAttrFloatList(TF_OperationDescription *description, const char *attr_name,
                                        const float *values, int num_values);
TF_CAPI_EXPORT void TF_SetAttrBool(TF_OperationDescription *description, const char *attr_name, unsigned char value);
TF_CAPI_EXPORT void TF_SetAttrBoolList(TF_OperationDescription *description, const char *attr_name,
                                       const unsigned char *values, int num_values);
TF_CAPI_EXPORT void TF_SetAttrType(TF_OperationDescription *description, const char *attr_name, TF_DataType value);
TF_CAPI_EXPORT void TF_SetAttrTypeList(TF_OperationDescription *description, const char *attr_name,
                                       const TF_DataType *values, int num_values);
/* The value comes from attribute `placeholder` of the function the operation is in, when that is instantiated. */
TF_CAPI_EXPORT void TF_SetAttrPlaceholder(TF_OperationDescription *description, const char *attr_name,
                                          const char *placeholder);
/* A function by its name, without attributes of its own. */
TF_CAPI_EXPORT void TF_SetAttrFuncName(TF_OperationDescription *description, const char *attr_name, const char *value,
                                       size_t length);
TF_CAPI_EXPORT void TF_SetAttrShape(TF_OperationDescription *description, const char *attr_name, const int64_t *dims,
                                    int num_dims);
TF_CAPI_EXPORT void TF_SetAttrShapeList(TF_OperationDescription *description, const char *attr_name,
                                        const int64_t *const *dims, const int *num_dims, int num_shapes);
/* As serialized TensorShapeProto. */
TF_CAPI_EXPORT void TF_SetAttrTensorShapeProto(TF_OperationDescription *description, const char *attr_name,
                                               const void *proto, size_t proto_len, TF_Status *status);
TF_CAPI_EXPORT void TF_SetAttrTensorShapeProtoList(TF_OperationDescription *description, const char *attr_name,
                                                   const void *const *protos, const size_t *proto_lens, int num_shapes,
                                                   TF_Status *status);
/* The tensor is shared, not copied: it is not to be written to any more. */
TF_CAPI_EXPORT void TF_SetAttrTensor(TF_OperationDescription *description, const char *attr_name, TF_Tensor *value,
                                     TF_Status *status);
TF_CAPI_EXPORT void TF_SetAttrTensorList(TF_OperationDescription *description, const char *attr_name,
                                         TF_Tensor *const *values, int num_values, TF_Status *status);
/* Any kind, as a serialized AttrValue. */
TF_CAPI_EXPORT void TF_SetAttrValueProto(TF_OperationDescription *description, const char *attr_name, const void *proto,
                                         size_t proto_len, TF_Status *status);

/* Checks the description, infers shapes and adds the operation to the graph. Frees `description` in every case; on
 * failure the graph is as before and the result NULL. */
TF_CAPI_EXPORT TF_Operation *TF_FinishOperation(TF_OperationDescription *description, TF_Status *status);
TF_CAPI_EXPORT TF_Operation *TF_FinishOperationLocked(TF_OperationDescription *description, TF_Status *status);

/* ---- inspecting operations ---- */

TF_CAPI_EXPORT const char *TF_OperationName(TF_Operation *operation);
TF_CAPI_EXPORT const char *TF_OperationOpType(TF_Operation *operation);
/* Requested device; "" when none was. */
TF_CAPI_EXPORT const char *TF_OperationDevice(TF_Operation *operation);
TF_CAPI_EXPORT int TF_OperationNumOutputs(TF_Operation *operation);
TF_CAPI_EXPORT TF_DataType TF_OperationOutputType(TF_Output output);
/* How many outputs the output argument of that name stands for; -1 when there is none. */
TF_CAPI_EXPORT int TF_OperationOutputListLength(TF_Operation *operation, const char *arg_name, TF_Status *status);
TF_CAPI_EXPORT int TF_OperationNumInputs(TF_Operation *operation);
TF_CAPI_EXPORT TF_DataType TF_OperationInputType(TF_Input input);
TF_CAPI_EXPORT int TF_OperationInputListLength(TF_Operation *operation, const char *arg_name, TF_Status *status);
/* The output that feeds an input. */
TF_CAPI_EXPORT TF_Output TF_OperationInput(TF_Input input);
/* Fills `inputs`, of TF_OperationNumInputs elements. */
TF_CAPI_EXPORT void TF_OperationAllInputs(TF_Operation *operation, TF_Output *inputs, int max_inputs);
/* How many inputs read an output, in the graph as it is now. */
TF_CAPI_EXPORT int TF_OperationOutputNumConsumers(TF_Output output);
/* Fills `consumers`, at most `max_consumers`, and returns how many there are. */
TF_CAPI_EXPORT int TF_OperationOutputConsumers(TF_Output output, TF_Input *consumers, int max_consumers);

/* Control edges. The lists are filled up to their room; the result says how many were filled. */
TF_CAPI_EXPORT int TF_OperationNumControlInputs(TF_Operation *operation);
TF_CAPI_EXPORT int TF_OperationGetControlInputs(TF_Operation *operation, TF_Operation **control_inputs,
                                                int max_control_inputs);
TF_CAPI_EXPORT int TF_OperationNumControlOutputs(TF_Operation *operation);
TF_CAPI_EXPORT int TF_OperationGetControlOutputs(TF_Operation *operation, TF_Operation **control_outputs,
                                                 int max_control_outputs);

/* What an attribute holds and how much room its value takes. */
typedef struct TF_AttrMetadata {
    unsigned char is_list; /* 1: a list */
    int64_t list_size;     /* elements of the list; -1: no list */
    TF_AttrType type;      /* of the value or of the list's elements */
    int64_t total_size;    /* string: bytes, of all strings together in a list; shape: rank, of all shapes together in a
                              list, -1 for a single shape of unknown rank; no meaning for other kinds */
} TF_AttrMetadata;

/* Looks up one attribute. INVALID_ARGUMENT when the operation has none of that name. */
TF_CAPI_EXPORT TF_AttrMetadata TF_OperationGetAttrMetadata(TF_Operation *operation, const char *attr_name,
                                                           TF_Status *status);

/* Reading attributes. The out-arrays have the sizes that TF_OperationGetAttrMetadata told; more would be cut off, and
 * another kind than asked for is INVALID_ARGUMENT. */

/* Copies at most `max_length` bytes; no NUL is added. */
TF_CAPI_EXPORT void TF_OperationGetAttrString(TF_Operation *operation, const char *attr_name, void *value,
                                              size_t max_length, TF_Status *status);
/* Copies all strings into `storage` and points `values` there. */
TF_CAPI_EXPORT void TF_OperationGetAttrStringList(TF_Operation *operation, const char *attr_name, void **values,
                                                  size_t *lengths, int max_values, void *storage, size_t storage_size,
                                                  TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrInt(TF_Operation *operation, const char *attr_name, int64_t *value,
                                           TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrIntList(TF_Operation *operation, const char *attr_name, int64_t *values,
                                               int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrFloat(TF_Operation *operation, const char *attr_name, float *value,
                                             TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrFloatList(TF_Operation *operation, const char *attr_name, float *values,
                                                 int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrBool(TF_Operation *operation, const char *attr_name, unsigned char *value,
                                            TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrBoolList(TF_Operation *operation, const char *attr_name, unsigned char *values,
                                                int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrType(TF_Operation *operation, const char *attr_name, TF_DataType *value,
                                            TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrTypeList(TF_Operation *operation, const char *attr_name, TF_DataType *values,
                                                int max_values, TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrShape(TF_Operation *operation, const char *attr_name, int64_t *value,
                                             int num_dims, TF_Status *status);
/* Copies all sizes into `storage` and points `dims` there; a shape of unknown rank has `num_dims` -1. */
TF_CAPI_EXPORT void TF_OperationGetAttrShapeList(TF_Operation *operation, const char *attr_name, int64_t **dims,
                                                 int *num_dims, int num_shapes, int64_t *storage, int storage_size,
                                                 TF_Status *status);
/* As serialized TensorShapeProto. */
TF_CAPI_EXPORT void TF_OperationGetAttrTensorShapeProto(TF_Operation *operation, const char *attr_name,
                                                        TF_Buffer *value, TF_Status *status);
/* Fills `values` with new buffers. */
TF_CAPI_EXPORT void TF_OperationGetAttrTensorShapeProtoList(TF_Operation *operation, const char *attr_name,
                                                            TF_Buffer **values, int max_values, TF_Status *status);
/* New tensors, the caller's to delete. */
TF_CAPI_EXPORT void TF_OperationGetAttrTensor(TF_Operation *operation, const char *attr_name, TF_Tensor **value,
                                              TF_Status *status);
TF_CAPI_EXPORT void TF_OperationGetAttrTensorList(TF_Operation *operation, const char *attr_name, TF_Tensor **values,
                                                  int max_values, TF_Status *status);
/* Any kind, as a serialized AttrValue. */
TF_CAPI_EXPORT void TF_OperationGetAttrValueProto(TF_Operation *operation, const char *attr_name,
                                                  TF_Buffer *output_attr_value, TF_Status *status);

/* The attributes one after another, in no particular order; `i` is below TF_OperationGetNumAttrs. */
TF_CAPI_EXPORT int TF_OperationGetNumAttrs(TF_Operation *operation);
TF_CAPI_EXPORT int TF_OperationGetAttrNameLength(TF_Operation *operation, int i);
/* Copies the name, TF_OperationGetAttrNameLength bytes, without a NUL. */
TF_CAPI_EXPORT void TF_OperationGetAttrName(TF_Operation *operation, int i, char *output, TF_Status *status);

/* Writes the operation's NodeDef. */
TF_CAPI_EXPORT void TF_OperationToNodeDef(TF_Operation *operation, TF_Buffer *output_node_def, TF_Status *status);

/* ---- importing a GraphDef ---- */

TF_CAPI_EXPORT TF_ImportGraphDefOptions *TF_NewImportGraphDefOptions(void);
TF_CAPI_EXPORT void TF_DeleteImportGraphDefOptions(TF_ImportGraphDefOptions *options);
/* Imported names become "prefix/name". */
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsSetPrefix(TF_ImportGraphDefOptions *options, const char *prefix);
/* Device of the imported nodes that name none. */
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsSetDefaultDevice(TF_ImportGraphDefOptions *options, const char *device);
/* Names that are taken get a number at the end instead of failing the import. */
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsSetUniquifyNames(TF_ImportGraphDefOptions *options,
                                                             unsigned char uniquify_names);
/* Likewise for the prefix. */
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsSetUniquifyPrefix(TF_ImportGraphDefOptions *options,
                                                              unsigned char uniquify_prefix);
/* Whatever reads output `src_index` of imported node `src_name` reads `dst` of the graph instead. `src_name` is without
 * the prefix. */
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsAddInputMapping(TF_ImportGraphDefOptions *options, const char *src_name,
                                                            int src_index, TF_Output dst);
/* Control edges from imported node `src_name` come from `dst` instead. */
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsRemapControlDependency(TF_ImportGraphDefOptions *options,
                                                                   const char *src_name, TF_Operation *dst);
/* Imported nodes run after `operation`. */
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsAddControlDependency(TF_ImportGraphDefOptions *options,
                                                                 TF_Operation *operation);
/* Asks for the output or the operation among the results. An output that an input mapping replaces gives its
 * replacement. */
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsAddReturnOutput(TF_ImportGraphDefOptions *options,
                                                            const char *operation_name, int index);
TF_CAPI_EXPORT int TF_ImportGraphDefOptionsNumReturnOutputs(const TF_ImportGraphDefOptions *options);
TF_CAPI_EXPORT void TF_ImportGraphDefOptionsAddReturnOperation(TF_ImportGraphDefOptions *options,
                                                               const char *operation_name);
TF_CAPI_EXPORT int TF_ImportGraphDefOptionsNumReturnOperations(const TF_ImportGraphDefOptions *options);

/* What was asked for, in the order of asking; the arrays are borrowed from `results`. */
TF_CAPI_EXPORT void TF_ImportGraphDefResultsReturnOutputs(TF_ImportGraphDefResults *results, int *num_outputs,
                                                          TF_Output **outputs);
TF_CAPI_EXPORT void TF_ImportGraphDefResultsReturnOperations(TF_ImportGraphDefResults *results, int *num_operations,
                                                             TF_Operation ***operations);
/* Input mappings that named nodes the GraphDef has not got. */
TF_CAPI_EXPORT void TF_ImportGraphDefResultsMissingUnusedInputMappings(TF_ImportGraphDefResults *results,
                                                                       int *num_missing_unused_input_mappings,
                                                                       const char ***src_names, int **src_indexes);
TF_CAPI_EXPORT void TF_DeleteImportGraphDefResults(TF_ImportGraphDefResults *results);

/* Adds the nodes of a GraphDef, and its functions, to the graph. On failure the graph is as before. */
TF_CAPI_EXPORT TF_ImportGraphDefResults *TF_GraphImportGraphDefWithResults(TF_Graph *graph, const TF_Buffer *graph_def,
                                                                           const TF_ImportGraphDefOptions *options,
                                                                           TF_Status *status);
/* For callers inside the original's C++ code: there `graph_def` points to a message object, which this library has not
 * got. UNIMPLEMENTED. */
TF_CAPI_EXPORT TF_ImportGraphDefResults *TF_GraphImportGraphDefWithResultsNoSerialization(
    TF_Graph *graph, const TF_Buffer *graph_def, const TF_ImportGraphDefOptions *options, TF_Status *status);
/* Fills `return_outputs`; `num_return_outputs` is how many were asked for. */
TF_CAPI_EXPORT void TF_GraphImportGraphDefWithReturnOutputs(TF_Graph *graph, const TF_Buffer *graph_def,
                                                            const TF_ImportGraphDefOptions *options,
                                                            TF_Output *return_outputs, int num_return_outputs,
                                                            TF_Status *status);
TF_CAPI_EXPORT void TF_GraphImportGraphDef(TF_Graph *graph, const TF_Buffer *graph_def,
                                           const TF_ImportGraphDefOptions *options, TF_Status *status);

/* ---- functions ---- */

/* Makes a function of a part of `function_body`, or of all of it.
 *
 * `num_operations` -1 takes every operation but those of `inputs`, and `operations` is NULL; otherwise exactly the
 * given ones. `inputs` become the arguments, each once, and may be outputs of any operation, `outputs` the results,
 * named by `output_names` or, when that is NULL, by their operations. With `append_hash_to_function_name` the name gets
 * a suffix made from the body. `options` is NULL; `description` may be. */
TF_CAPI_EXPORT TF_Function *TF_GraphToFunction(const TF_Graph *function_body, const char *function_name,
                                               unsigned char append_hash_to_function_name, int num_operations,
                                               const TF_Operation *const *operations, int ninputs,
                                               const TF_Output *inputs, int noutputs, const TF_Output *outputs,
                                               const char *const *output_names, const TF_FunctionOptions *options,
                                               const char *description, TF_Status *status);
/* Besides, the `control_outputs` run in every call, even if no result needs them. */
TF_CAPI_EXPORT TF_Function *TF_GraphToFunctionWithControlOutputs(
    const TF_Graph *function_body, const char *function_name, unsigned char append_hash_to_function_name,
    int num_operations, const TF_Operation *const *operations, int ninputs, const TF_Output *inputs, int noutputs,
    const TF_Output *outputs, const char *const *output_names, int ncontrol_outputs,
    const TF_Operation *const *control_outputs, const char *const *control_output_names,
    const TF_FunctionOptions *options, const char *description, TF_Status *status);
TF_CAPI_EXPORT const char *TF_FunctionName(TF_Function *function);
/* Writes the FunctionDef. */
TF_CAPI_EXPORT void TF_FunctionToFunctionDef(TF_Function *function, TF_Buffer *output_function_def, TF_Status *status);
/* New function from a FunctionDef. */
TF_CAPI_EXPORT TF_Function *TF_FunctionImportFunctionDef(const void *proto, size_t proto_len, TF_Status *status);
/* Sets or reads an attribute of the function, as a serialized AttrValue. */
TF_CAPI_EXPORT void TF_FunctionSetAttrValueProto(TF_Function *function, const char *attr_name, const void *proto,
                                                 size_t proto_len, TF_Status *status);
TF_CAPI_EXPORT void TF_FunctionGetAttrValueProto(TF_Function *function, const char *attr_name,
                                                 TF_Buffer *output_attr_value, TF_Status *status);
/* Frees the handle; graphs that the function was copied to keep it. */
TF_CAPI_EXPORT void TF_DeleteFunction(TF_Function *function);
/* Adds a function, and its gradient unless that is NULL, to the graph's library. A second time does nothing; another
 * function of the same name is an error. */
TF_CAPI_EXPORT void TF_GraphCopyFunction(TF_Graph *graph, const TF_Function *function, const TF_Function *gradient,
                                         TF_Status *status);
TF_CAPI_EXPORT int TF_GraphNumFunctions(TF_Graph *graph);
/* Fills `functions` with new handles, at most `max_functions`, and returns how many. */
TF_CAPI_EXPORT int TF_GraphGetFunctions(TF_Graph *graph, TF_Function **functions, int max_functions, TF_Status *status);

/* ---- while loops ---- */

/* A loop under construction. The caller adds the condition to `cond_graph` and the body to `body_graph`, then sets
 * `cond_output`, all of `body_outputs` and `name`. */
typedef struct TF_WhileParams {
    const int ninputs;                  /* loop variables */
    TF_Graph *const cond_graph;         /* computes whether to go on, */
    const TF_Output *const cond_inputs; /* from these, */
    TF_Output cond_output;              /* as this bool scalar */
    TF_Graph *const body_graph;         /* computes the next values, */
    const TF_Output *const body_inputs; /* from these, */
    TF_Output *const body_outputs;      /* as these */
    const char *name; /* prefix of the names in the graph; unique; borrowed until the loop is finished */
} TF_WhileParams;

/* Starts a loop over variables that begin as `inputs`. End it with TF_FinishWhile or TF_AbortWhile, unless the status
 * is an error. */
TF_CAPI_EXPORT TF_WhileParams TF_NewWhile(TF_Graph *graph, TF_Output *inputs, int ninputs, TF_Status *status);
/* Adds the loop (Enter, Merge, Switch, NextIteration, Exit) to the graph, fills `outputs` with the variables' final
 * values and frees `params`, also on failure. */
TF_CAPI_EXPORT void TF_FinishWhile(const TF_WhileParams *params, TF_Status *status, TF_Output *outputs);
/* The same, but `params` stays: TF_AbortWhile frees it. */
TF_CAPI_EXPORT void TF_FinishWhileHelper(const TF_WhileParams *params, TF_Status *status, TF_Output *outputs);
/* Frees `params`; nothing is added. */
TF_CAPI_EXPORT void TF_AbortWhile(const TF_WhileParams *params);

/* ---- gradients ---- */

/* Adds operations that compute the derivatives of y[0] + y[1] + ... by each `x` and fills `dx` with them. `dy` holds
 * gradients to start from, one a `y`; NULL means ones. An `x` that no `y` depends on gets a NULL operation. */
TF_CAPI_EXPORT void TF_AddGradients(TF_Graph *graph, TF_Output *y, int ny, TF_Output *x, int nx, TF_Output *dx,
                                    TF_Status *status, TF_Output *dy);
/* Names the new operations under `prefix`; NULL: "gradients", made unique. */
TF_CAPI_EXPORT void TF_AddGradientsWithPrefix(TF_Graph *graph, const char *prefix, TF_Output *y, int ny, TF_Output *x,
                                              int nx, TF_Output *dx, TF_Status *status, TF_Output *dy);

/* ---- sessions ---- */

/* New session that runs operations of `graph`. Operations may be added later; the next run knows them. */
TF_CAPI_EXPORT TF_Session *TF_NewSession(TF_Graph *graph, const TF_SessionOptions *options, TF_Status *status);
/* Imports the part of a SavedModel whose tags are exactly `tags` into `graph`, which has to be empty, makes a session,
 * restores the variables and runs the initializer. `run_options` and `meta_graph_def` may be NULL; the latter gets the
 * MetaGraphDef, whose signatures tell the names of inputs and outputs. */
TF_CAPI_EXPORT TF_Session *TF_LoadSessionFromSavedModel(const TF_SessionOptions *session_options,
                                                        const TF_Buffer *run_options, const char *export_dir,
                                                        const char *const *tags, int tags_len, TF_Graph *graph,
                                                        TF_Buffer *meta_graph_def, TF_Status *status);
/* Cancels what runs and frees the session's resources; runs fail from now on. */
TF_CAPI_EXPORT void TF_CloseSession(TF_Session *session, TF_Status *status);
/* Closes the session if need be, and frees it also when that fails. Nothing may run in it. NULL is allowed. */
TF_CAPI_EXPORT void TF_DeleteSession(TF_Session *session, TF_Status *status);

/* Runs what `outputs` and `target_operations` need, once.
 *
 * `input_values[i]` stands for `inputs[i]`; the tensors stay the caller's and are not to be written to meanwhile.
 * `output_values` gets new tensors, the caller's to delete, or NULLs on failure. `run_options` (RunOptions) may be
 * NULL, and so may `run_metadata`, an empty buffer, which otherwise gets a RunMetadata when the run succeeds: nothing
 * in it unless `run_options` have a trace level (step_stats) or output_partition_graphs. Any number of threads may run
 * one session at a time. */
TF_CAPI_EXPORT void TF_SessionRun(TF_Session *session, const TF_Buffer *run_options, const TF_Output *inputs,
                                  TF_Tensor *const *input_values, int ninputs, const TF_Output *outputs,
                                  TF_Tensor **output_values, int noutputs, const TF_Operation *const *target_operations,
                                  int ntargets, TF_Buffer *run_metadata, TF_Status *status);

/* A run in pieces: TF_SessionPRunSetup names all feeds, fetches and targets, and each TF_SessionPRun feeds and fetches
 * some of them. `*handle` is freed with TF_DeletePRunHandle. */
TF_CAPI_EXPORT void TF_SessionPRunSetup(TF_Session *session, const TF_Output *inputs, int ninputs,
                                        const TF_Output *outputs, int noutputs,
                                        const TF_Operation *const *target_operations, int ntargets, const char **handle,
                                        TF_Status *status);
TF_CAPI_EXPORT void TF_SessionPRun(TF_Session *session, const char *handle, const TF_Output *inputs,
                                   TF_Tensor *const *input_values, int ninputs, const TF_Output *outputs,
                                   TF_Tensor **output_values, int noutputs,
                                   const TF_Operation *const *target_operations, int ntargets, TF_Status *status);
TF_CAPI_EXPORT void TF_DeletePRunHandle(const char *handle);
/* Tells the session of new operations now, and leaves all later extensions to the caller. */
TF_CAPI_EXPORT void TF_ExtendSession(TF_Session *session, TF_Status *status);

/* ---- deprecated: sessions that hold their graph as a GraphDef and know tensors by name ---- */

TF_CAPI_EXPORT TF_DeprecatedSession *TF_NewDeprecatedSession(const TF_SessionOptions *options, TF_Status *status);
TF_CAPI_EXPORT void TF_CloseDeprecatedSession(TF_DeprecatedSession *session, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteDeprecatedSession(TF_DeprecatedSession *session, TF_Status *status);
/* Drops all resources in `containers` (all containers when `ncontainers` is 0) at the target of `options`. */
TF_CAPI_EXPORT void TF_Reset(const TF_SessionOptions *options, const char **containers, int ncontainers,
                             TF_Status *status);
/* Adds the nodes of a GraphDef. */
TF_CAPI_EXPORT void TF_ExtendGraph(TF_DeprecatedSession *session, const void *proto, size_t proto_len,
                                   TF_Status *status);
/* As TF_SessionRun and its partial runs, with "node:index" and "node" for names. */
TF_CAPI_EXPORT void TF_Run(TF_DeprecatedSession *session, const TF_Buffer *run_options, const char **input_names,
                           TF_Tensor **inputs, int ninputs, const char **output_names, TF_Tensor **outputs,
                           int noutputs, const char **target_operation_names, int ntargets, TF_Buffer *run_metadata,
                           TF_Status *status);
TF_CAPI_EXPORT void TF_PRunSetup(TF_DeprecatedSession *session, const char **input_names, int ninputs,
                                 const char **output_names, int noutputs, const char **target_operation_names,
                                 int ntargets, const char **handle, TF_Status *status);
TF_CAPI_EXPORT void TF_PRun(TF_DeprecatedSession *session, const char *handle, const char **input_names,
                            TF_Tensor **inputs, int ninputs, const char **output_names, TF_Tensor **outputs,
                            int noutputs, const char **target_operation_names, int ntargets, TF_Status *status);
TF_CAPI_EXPORT TF_DeviceList *TF_DeprecatedSessionListDevices(TF_DeprecatedSession *session, TF_Status *status);

/* ---- devices ---- */

/* New list of the devices a session can use. */
TF_CAPI_EXPORT TF_DeviceList *TF_SessionListDevices(TF_Session *session, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteDeviceList(TF_DeviceList *list);
TF_CAPI_EXPORT int TF_DeviceListCount(const TF_DeviceList *list);
/* One device: full name, type ("CPU"), memory limit in bytes, and the number that identifies this life of it.
 * INVALID_ARGUMENT when `index` is out of range. */
TF_CAPI_EXPORT const char *TF_DeviceListName(const TF_DeviceList *list, int index, TF_Status *status);
TF_CAPI_EXPORT const char *TF_DeviceListType(const TF_DeviceList *list, int index, TF_Status *status);
TF_CAPI_EXPORT int64_t TF_DeviceListMemoryBytes(const TF_DeviceList *list, int index, TF_Status *status);
TF_CAPI_EXPORT uint64_t TF_DeviceListIncarnation(const TF_DeviceList *list, int index, TF_Status *status);

/* ---- registries and plug-ins ---- */

/* Loads a shared library of ops and kernels, which registers them as it is loaded. It stays loaded; loading it
 * again does no harm. */
TF_CAPI_EXPORT TF_Library *TF_LoadLibrary(const char *library_filename, TF_Status *status);
/* OpList of the library's ops; the bytes belong to the handle. */
TF_CAPI_EXPORT TF_Buffer TF_GetOpList(TF_Library *library);
/* Frees the handle; the ops stay. */
TF_CAPI_EXPORT void TF_DeleteLibraryHandle(TF_Library *library);
/* New buffer: OpList of all registered ops. */
TF_CAPI_EXPORT TF_Buffer *TF_GetAllOpList(void);

/* New map from op name to ApiDef, one for each op of an OpList: what generators of op wrappers read. */
TF_CAPI_EXPORT TF_ApiDefMap *TF_NewApiDefMap(TF_Buffer *op_list_buffer, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteApiDefMap(TF_ApiDefMap *api_def_map);
/* Merges ApiDefs in protocol text format. */
TF_CAPI_EXPORT void TF_ApiDefMapPut(TF_ApiDefMap *api_def_map, const char *text, size_t text_len, TF_Status *status);
/* New buffer: one op's ApiDef, or NULL. */
TF_CAPI_EXPORT TF_Buffer *TF_ApiDefMapGet(TF_ApiDefMap *api_def_map, const char *name, size_t name_len,
                                          TF_Status *status);

/* New buffer: KernelList of all kernels, or of one op's; an unknown op has an empty list. */
TF_CAPI_EXPORT TF_Buffer *TF_GetAllRegisteredKernels(TF_Status *status);
TF_CAPI_EXPORT TF_Buffer *TF_GetRegisteredKernelsForOp(const char *name, TF_Status *status);

/* Calls `listener` with every line logged from now on, from any thread. It cannot be taken back. */
TF_CAPI_EXPORT void TF_RegisterLogListener(void (*listener)(const char *));
/* Loads a shared library that serves file systems. */
TF_CAPI_EXPORT void TF_RegisterFilesystemPlugin(const char *plugin_filename, TF_Status *status);

/* ---- servers ---- */

/* New server from a ServerDef; it listens when started. */
TF_CAPI_EXPORT TF_Server *TF_NewServer(const void *proto, size_t proto_len, TF_Status *status);
TF_CAPI_EXPORT void TF_ServerStart(TF_Server *server, TF_Status *status);
/* Stops taking requests. */
TF_CAPI_EXPORT void TF_ServerStop(TF_Server *server, TF_Status *status);
/* Returns when the server has stopped and its threads are done. */
TF_CAPI_EXPORT void TF_ServerJoin(TF_Server *server, TF_Status *status);
/* The target for TF_SetTarget that reaches this server. */
TF_CAPI_EXPORT const char *TF_ServerTarget(TF_Server *server);
/* Stops, joins and frees. */
TF_CAPI_EXPORT void TF_DeleteServer(TF_Server *server);

/* ---- graph surgery: changes to finished operations; not while a session runs the graph ---- */

TF_CAPI_EXPORT void TF_AddOperationControlInput(TF_Graph *graph, TF_Operation *op, TF_Operation *input);
/* Sets an attribute from a serialized AttrValue, or removes it. */
TF_CAPI_EXPORT void TF_SetAttr(TF_Graph *graph, TF_Operation *op, const char *attr_name, TF_Buffer *attr_value_proto,
                               TF_Status *status);
TF_CAPI_EXPORT void TF_ClearAttr(TF_Graph *graph, TF_Operation *op, const char *attr_name, TF_Status *status);
/* Sets the full type from a serialized FullTypeDef. */
TF_CAPI_EXPORT void TF_SetFullType(TF_Graph *graph, TF_Operation *op, const TF_Buffer *full_type_proto);
TF_CAPI_EXPORT void TF_SetRequestedDevice(TF_Graph *graph, TF_Operation *op, const char *device);
TF_CAPI_EXPORT void TF_RemoveAllControlInputs(TF_Graph *graph, TF_Operation *op);
/* Whether ops without a shape function are refused from now on. */
TF_CAPI_EXPORT void TF_SetRequireShapeInferenceFns(TF_Graph *graph, bool require);
/* New buffer: CppShapeInferenceResult.HandleData, the shapes and types behind a resource or variant output. */
TF_CAPI_EXPORT TF_Buffer *TF_GetHandleShapeAndType(TF_Graph *graph, TF_Output output);
TF_CAPI_EXPORT void TF_SetHandleShapeAndType(TF_Graph *graph, TF_Output output, const void *proto, size_t proto_len,
                                             TF_Status *status);
/* Appends an input to a While operation, whose input list is one longer then. */
TF_CAPI_EXPORT void TF_AddWhileInputHack(TF_Graph *graph, TF_Output new_src, TF_Operation *dst, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
