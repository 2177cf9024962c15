/* What is known of a tensor before there is one: its type and shape. Belongs to what it was asked of. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_TENSOR_SPEC_H_
#define TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_TENSOR_SPEC_H_

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_TensorSpec TF_TensorSpec;

TF_CAPI_EXPORT TF_DataType TF_TensorSpecDataType(const TF_TensorSpec *spec);
/* Borrowed; TF_ShapeDims and TF_ShapeDimSize read it. */
TF_CAPI_EXPORT const TF_Shape *TF_TensorSpecShape(const TF_TensorSpec *spec);

#ifdef __cplusplus
}
#endif

#endif
