/* TF_Tensor: element type, shape and a reference to a buffer of elements in row-major order.
 *
 * Threads: any number may read one tensor; TF_SetShape, TF_TensorBitcastFrom (its target) and TF_DeleteTensor need the
 * handle to themselves. Several handles may share one buffer; the buffer goes with the last of them. */
#ifndef TENSORFLOW_C_TF_TENSOR_H_
#define TENSORFLOW_C_TF_TENSOR_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a kernel wants scratch memory; see TF_AllocateTemp in kernels.h. */
typedef struct TF_AllocatorAttributes {
    size_t struct_size; /* TF_ALLOCATOR_ATTRIBUTES_STRUCT_SIZE */
    TF_Bool on_host;    /* in the host's memory even when the kernel runs elsewhere */
} TF_AllocatorAttributes;

#define TF_ALLOCATOR_ATTRIBUTES_STRUCT_SIZE TF_OFFSET_OF_END(TF_AllocatorAttributes, on_host)

typedef struct TF_Tensor TF_Tensor;

/* New tensor over `len` bytes of the caller's memory. The tensor owns `data` from now on and calls
 * `deallocator(data, len, deallocator_arg)` once, on whatever thread drops the last reference. Memory that is not
 * aligned to TF_TensorDefaultAlignment is copied and the deallocator runs before this returns. `dims` holds `num_dims`
 * sizes, none negative. NULL when `len` is too little for the type and the shape; the deallocator has run then, too.
 * Elements of TF_STRING take 24 bytes, each a valid TF_TString; where `len` is less than that, they are empty strings
 * in memory of the library's, and the deallocator has run. */
TF_CAPI_EXPORT TF_Tensor *TF_NewTensor(TF_DataType dtype, const int64_t *dims, int num_dims, void *data, size_t len,
                                       void (*deallocator)(void *data, size_t len, void *arg), void *deallocator_arg);
/* Alignment in bytes of the memory that TF_AllocateTensor gives and TF_NewTensor takes without a copy. */
TF_CAPI_EXPORT size_t TF_TensorDefaultAlignment(void);
/* New tensor over `len` fresh bytes, uninitialised except that those of TF_STRING are zero: empty strings, with memory
 * for all of them whatever `len` is. NULL when `len` is too little for another type and the shape, or memory is out. */
TF_CAPI_EXPORT TF_Tensor *TF_AllocateTensor(TF_DataType dtype, const int64_t *dims, int num_dims, size_t len);
/* `tensor` itself when the library owns its memory and nothing else refers to it, so that the caller may write to it;
 * else NULL. No reference is added either way. */
TF_CAPI_EXPORT TF_Tensor *TF_TensorMaybeMove(TF_Tensor *tensor);
/* Drops the handle. NULL is allowed. */
TF_CAPI_EXPORT void TF_DeleteTensor(TF_Tensor *tensor);

TF_CAPI_EXPORT TF_DataType TF_TensorType(const TF_Tensor *tensor);
/* Gives the handle another shape over the same buffer. A shape that the buffer has no room for is ignored. */
TF_CAPI_EXPORT void TF_SetShape(TF_Tensor *tensor, const int64_t *dims, int num_dims);
/* Rank; 0 is a scalar. */
TF_CAPI_EXPORT int TF_NumDims(const TF_Tensor *tensor);
/* Size of dimension `dim_index`, which is in [0, TF_NumDims). */
TF_CAPI_EXPORT int64_t TF_Dim(const TF_Tensor *tensor, int dim_index);
/* Bytes of the buffer: the `len` that the tensor was made with, else what the elements need; 24 an element for
 * TF_STRING, whose characters may lie elsewhere. */
TF_CAPI_EXPORT size_t TF_TensorByteSize(const TF_Tensor *tensor);
/* First element. Borrowed: valid while any handle to the buffer lives. */
TF_CAPI_EXPORT void *TF_TensorData(const TF_Tensor *tensor);
/* Product of the dimensions; 1 for a scalar. */
TF_CAPI_EXPORT int64_t TF_TensorElementCount(const TF_Tensor *tensor);
/* Makes `to` share the buffer of `from` under another type and shape of the same size in bytes; else
 * INVALID_ARGUMENT. What `to` held is released. */
TF_CAPI_EXPORT void TF_TensorBitcastFrom(const TF_Tensor *from, TF_DataType dtype, TF_Tensor *to,
                                         const int64_t *new_dims, int num_new_dims, TF_Status *status);
/* Whether the data is aligned to TF_TensorDefaultAlignment. */
TF_CAPI_EXPORT bool TF_TensorIsAligned(const TF_Tensor *tensor);

#ifdef __cplusplus
}
#endif

#endif
