/* A signature of a SavedModel as a function. Belongs to the model. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_SIGNATURE_DEF_FUNCTION_H_
#define TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_SIGNATURE_DEF_FUNCTION_H_

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/experimental/saved_model/public/signature_def_function_metadata.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_SignatureDefFunction TF_SignatureDefFunction;

/* Borrowed. */
TF_CAPI_EXPORT TF_SignatureDefFunctionMetadata *TF_SignatureDefFunctionGetMetadata(TF_SignatureDefFunction *function);
/* New op with these inputs, in the order of the arguments' names, and all that the function has captured: execute and
 * delete it, without adding anything. INVALID_ARGUMENT for another number of inputs. */
TF_CAPI_EXPORT TFE_Op *TF_SignatureDefFunctionMakeCallOp(TF_SignatureDefFunction *function, TFE_TensorHandle **inputs,
                                                         int num_inputs, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
