/* A list of concrete functions, which stay the model's. No function makes one today. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_CONCRETE_FUNCTION_LIST_H_
#define TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_CONCRETE_FUNCTION_LIST_H_

#include <stddef.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/experimental/saved_model/public/concrete_function.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_ConcreteFunctionList TF_ConcreteFunctionList;

TF_CAPI_EXPORT size_t TF_ConcreteFunctionListSize(TF_ConcreteFunctionList *list);
/* NULL where there is none. */
TF_CAPI_EXPORT TF_ConcreteFunction *TF_ConcreteFunctionListGet(TF_ConcreteFunctionList *list, int i);
TF_CAPI_EXPORT void TF_DeleteConcreteFunctionList(TF_ConcreteFunctionList *list);

#ifdef __cplusplus
}
#endif

#endif
