/* Exchange of tensors with other libraries by DLPack, without a copy.
 *
 * A DLManagedTensor and a DLDevice are passed as void pointers, so that dlpack.h is not needed here. In C++ the names
 * are in namespace tensorflow; the linked names are plain C. */
#ifndef TENSORFLOW_C_EAGER_DLPACK_H_
#define TENSORFLOW_C_EAGER_DLPACK_H_

#include "tensorflow/c/eager/c_api.h"

#ifdef __cplusplus
namespace tensorflow {
extern "C" {
#endif

/* Name of a Python capsule that holds a DLManagedTensor nobody has taken yet. */
static const char *const kDlTensorCapsuleName = "dltensor";

/* New DLDevice, freed with free(): where the tensor lies. */
TF_CAPI_EXPORT void *TFE_GetDLDevice(TFE_TensorHandle *handle, TF_Status *status);
/* New DLManagedTensor that shares the tensor's memory and keeps it until its deleter is called. */
TF_CAPI_EXPORT void *TFE_HandleToDLPack(TFE_TensorHandle *handle, TF_Status *status);
/* New handle over the memory of a DLManagedTensor, whose deleter it calls in the end. The elements have to be dense and
 * in row-major order. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_HandleFromDLPack(void *dlm_tensor, TF_Status *status, TFE_Context *context);
/* Calls the deleter of a DLManagedTensor. */
TF_CAPI_EXPORT void TFE_CallDLManagedTensorDeleter(void *dlm_tensor);

#ifdef __cplusplus
}
}
#endif

#endif
