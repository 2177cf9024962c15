/* What is known of a signature. Belongs to its function. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_SIGNATURE_DEF_FUNCTION_METADATA_H_
#define TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_SIGNATURE_DEF_FUNCTION_METADATA_H_

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/experimental/saved_model/public/signature_def_param_list.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_SignatureDefFunctionMetadata TF_SignatureDefFunctionMetadata;

TF_CAPI_EXPORT const TF_SignatureDefParamList *TF_SignatureDefFunctionMetadataArgs(
    const TF_SignatureDefFunctionMetadata *metadata);
TF_CAPI_EXPORT const TF_SignatureDefParamList *TF_SignatureDefFunctionMetadataReturns(
    const TF_SignatureDefFunctionMetadata *metadata);

#ifdef __cplusplus
}
#endif

#endif
