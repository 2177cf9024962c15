/* One API for running ops at once and for tracing them into a function, without a promise of stability.
 *
 *     eager     TF_NewEagerExecutionContext ──► ops run as they are executed; tensors are tensor handles
 *     tracing   TF_CreateFunction ──► ops are recorded; TF_FinalizeFunction ──► a function that an eager context runs
 *
 * An abstract tensor of an eager context is a TFE_TensorHandle under another name: it is deleted once, by either of the
 * two functions. Errors as in c_api.h. Threads: a context, with all that belongs to it, is used by one at a time; eager
 * contexts and their tensors may be used from any. */
#ifndef TENSORFLOW_C_EAGER_C_API_UNIFIED_EXPERIMENTAL_H_
#define TENSORFLOW_C_EAGER_C_API_UNIFIED_EXPERIMENTAL_H_

#include <stdint.h>

#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_ExecutionContext TF_ExecutionContext;
typedef struct TF_AbstractTensor TF_AbstractTensor;
typedef struct TF_AbstractOp TF_AbstractOp;
typedef struct TF_AbstractFunction TF_AbstractFunction;
typedef struct TF_OutputList TF_OutputList;

/* A shape by value: a rank of -1 is unknown, and so is a size of -1. */
typedef struct TF_Shape {
    int num_dims;
    int64_t *dim_sizes;
} TF_Shape;

/* ---- contexts ---- */

/* How TF_CreateFunction traces. There is "graphdef"; another name is INVALID_ARGUMENT. */
TF_CAPI_EXPORT void TF_SetTracingImplementation(const char *name, TF_Status *status);
/* New context that traces a function of this name. */
TF_CAPI_EXPORT TF_ExecutionContext *TF_CreateFunction(const char *function_name, TF_Status *status);
/* New context that runs ops; `options` stay the caller's. */
TF_CAPI_EXPORT TF_ExecutionContext *TF_NewEagerExecutionContext(TFE_ContextOptions *options, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteExecutionContext(TF_ExecutionContext *context);
/* The TFE_Context of an eager one, borrowed. */
TF_CAPI_EXPORT TFE_Context *TF_ExecutionContextGetTFEContext(TF_ExecutionContext *context, TF_Status *status);

/* ---- tensors ---- */

/* Nothing is copied or counted: the abstract tensor is the handle, and the other way round. */
TF_CAPI_EXPORT TF_AbstractTensor *TF_CreateAbstractTensorFromEagerTensor(TFE_TensorHandle *tensor, TF_Status *status);
TF_CAPI_EXPORT TFE_TensorHandle *TF_AbstractTensorGetEagerTensor(TF_AbstractTensor *tensor, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteAbstractTensor(TF_AbstractTensor *tensor);

/* A list of outputs borrows its tensors: whoever takes one out deletes it. */
TF_CAPI_EXPORT TF_OutputList *TF_NewOutputList(void);
TF_CAPI_EXPORT void TF_DeleteOutputList(TF_OutputList *outputs);
/* Empties the list and says how many outputs the next op has room for. */
TF_CAPI_EXPORT void TF_OutputListSetNumOutputs(TF_OutputList *outputs, int num_outputs, TF_Status *status);
TF_CAPI_EXPORT int TF_OutputListNumOutputs(TF_OutputList *outputs);
/* NULL where there is none. */
TF_CAPI_EXPORT TF_AbstractTensor *TF_OutputListGet(TF_OutputList *outputs, int i);
TF_CAPI_EXPORT void TF_OutputListPushBack(TF_OutputList *outputs, TF_AbstractTensor *tensor, TF_Status *status);

/* ---- ops ---- */

TF_CAPI_EXPORT TF_AbstractOp *TF_NewAbstractOp(TF_ExecutionContext *context);
TF_CAPI_EXPORT void TF_DeleteAbstractOp(TF_AbstractOp *op);
/* The op's type, or a function's name; comes first. */
TF_CAPI_EXPORT void TF_AbstractOpSetOpType(TF_AbstractOp *op, const char *op_type, TF_Status *status);
/* The name of the traced node, made unique; only, and always, when tracing. */
TF_CAPI_EXPORT void TF_AbstractOpSetOpName(TF_AbstractOp *op, const char *op_name, TF_Status *status);
TF_CAPI_EXPORT void TF_AbstractOpSetAttrType(TF_AbstractOp *op, const char *attr_name, TF_DataType value,
                                             TF_Status *status);
/* Runs or traces the op; the outputs come into the list. */
TF_CAPI_EXPORT void TF_ExecuteOperation(TF_AbstractOp *op, int num_inputs, TF_AbstractTensor *const *inputs,
                                        TF_OutputList *outputs, TF_Status *status);

/* ---- functions ---- */

/* A further parameter of the function that is traced. */
TF_CAPI_EXPORT TF_AbstractTensor *TF_AddFunctionParameter(TF_ExecutionContext *function, TF_DataType dtype,
                                                          TF_Shape shape, TF_Status *status);
/* Ends tracing and deletes the context, also on failure. The function returns what is in the list. */
TF_CAPI_EXPORT TF_AbstractFunction *TF_FinalizeFunction(TF_ExecutionContext *context, TF_OutputList *outputs,
                                                        TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteAbstractFunction(TF_AbstractFunction *function);
/* From now on ops of the context may call it by its name. */
TF_CAPI_EXPORT void TF_ExecutionContextRegisterFunction(TF_ExecutionContext *context, TF_AbstractFunction *function,
                                                        TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
