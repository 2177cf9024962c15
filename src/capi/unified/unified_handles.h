/* What stands behind the opaque types of c_api_unified_experimental.h.
 *
 * A context runs ops, or records them in a graph of its own. An abstract tensor of the first kind is a TFE_TensorHandle
 * under another name; of the second kind it is an output of that graph. The lowest bit of the pointer tells them apart,
 * because programs delete an eager tensor under either name. */
#ifndef SL_CAPI_UNIFIED_UNIFIED_HANDLES_H
#define SL_CAPI_UNIFIED_UNIFIED_HANDLES_H

#include "capi/handles.h"
#include "tensorflow/c/eager/c_api_experimental.h"
#include "tensorflow/c/eager/c_api_unified_experimental.h"

struct TF_ExecutionContext {
    atomic_uint refs;   /* the caller's, and one of each op and each traced tensor */
    bool is_ended;      /* the caller's is gone: nothing can be executed any more */
    TFE_Context *eager; /* owned; NULL: it traces */
    TF_Graph *graph;    /* owned; of a trace */
    char *name;         /* of the traced function */
    SL_VEC(TF_Output) parameters;
};
static inline TF_ExecutionContext *sl_unified_context_ref(TF_ExecutionContext *context) {
    atomic_fetch_add_explicit(&context->refs, 1, memory_order_relaxed);
    return context;
}
void sl_unified_context_unref(TF_ExecutionContext *context);

struct sl_traced_tensor {
    TF_ExecutionContext *context; /* a reference */
    TF_Output output;
};
/* A new abstract tensor; NULL when memory is out. */
TF_AbstractTensor *sl_traced_tensor_new(TF_ExecutionContext *context, TF_Output output);
/* NULL for an eager tensor. */
static inline const struct sl_traced_tensor *sl_as_traced(const TF_AbstractTensor *tensor) {
    return (uintptr_t)tensor & 1 ? (const struct sl_traced_tensor *)((const char *)tensor - 1) : NULL;
}
/* NULL for a traced tensor. */
static inline TFE_TensorHandle *sl_as_eager_tensor(TF_AbstractTensor *tensor) {
    return (uintptr_t)tensor & 1 ? NULL : (TFE_TensorHandle *)tensor;
}

struct TF_OutputList {
    SL_VEC(TF_AbstractTensor *) tensors; /* borrowed; NULL: not there yet */
};

struct TF_AbstractOp {
    TF_ExecutionContext *context; /* a reference */
    TFE_Op *eager;                /* NULL before it has a type */
    /* Of a trace: */
    char *type;                           /* NULL: none yet */
    TF_OperationDescription *description; /* since it has a name, until it is executed */
};

struct TF_AbstractFunction {
    TF_Function *function;
};

#endif
