/* A function of a SavedModel, for inputs of one kind. Belongs to the model. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_CONCRETE_FUNCTION_H_
#define TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_CONCRETE_FUNCTION_H_

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/experimental/saved_model/public/function_metadata.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_ConcreteFunction TF_ConcreteFunction;

/* Borrowed. */
TF_CAPI_EXPORT TF_FunctionMetadata *TF_ConcreteFunctionGetMetadata(TF_ConcreteFunction *function);
/* New op with these inputs and all that the function has captured: execute and delete it, without adding anything.
 * INVALID_ARGUMENT for another number of inputs. */
TF_CAPI_EXPORT TFE_Op *TF_ConcreteFunctionMakeCallOp(TF_ConcreteFunction *function, TFE_TensorHandle **inputs,
                                                     int num_inputs, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
