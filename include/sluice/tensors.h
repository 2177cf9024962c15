/* Tensors out of arrays and back, without counting bytes.
 *
 *     TF_Tensor *x = sl_tensor_of(TF_FLOAT, SL_SHAPE(2, 3), (const float[]){1, 2, 3, 4, 5, 6}, status), *y = NULL;
 *     TF_SessionRun(session, NULL, &in, &x, 1, &out, &y, 1, NULL, 0, NULL, status);
 *     float sums[2];
 *     sl_tensor_read(sums, y, TF_FLOAT, 2, status);
 *     TF_DeleteTensor(x);
 *     TF_DeleteTensor(y);
 *
 * Elements are in row-major order. Thread-safe, as long as nobody changes the tensor. */
#ifndef SLUICE_TENSORS_H
#define SLUICE_TENSORS_H

#include "sluice/scope.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A tensor of this type and shape with the elements of an array, copied; NULL for zeros. Of TF_STRING the array is a
 * `const char *const[]` of texts that end with NUL. The caller's. NULL on failure: INVALID_ARGUMENT when a size is not
 * known, or the type is none whose elements lie in arrays. */
SL_API TF_Tensor *sl_tensor_of(TF_DataType type, struct sl_dims shape, const void *elements, TF_Status *status);
/* The same of strings that have their lengths beside them, and so may have any bytes. */
SL_API TF_Tensor *sl_tensor_of_strings(struct sl_dims shape, const TF_StringView *strings, TF_Status *status);
/* Copies the elements of a tensor that has this type and so many elements, whatever its shape; INVALID_ARGUMENT when
 * it is another or none, and the array is as before. Of TF_STRING the array is a `TF_StringView[]`, whose bytes are the
 * tensor's. */
SL_API void sl_tensor_read(void *elements, const TF_Tensor *tensor, TF_DataType type, int64_t count, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
