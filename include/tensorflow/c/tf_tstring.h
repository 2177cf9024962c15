/* The elements of TF_STRING tensors, as exported functions. tensorflow/core/platform/ctstring.h has the same as inline
 * code and describes the layout. Memory comes from malloc and goes to free, on either side.
 *
 * Threads: any number may read a string; writing needs it alone. */
#ifndef TENSORFLOW_C_TF_TSTRING_H_
#define TENSORFLOW_C_TF_TSTRING_H_

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"
#include "tensorflow/core/platform/ctstring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes raw memory an empty string. Not for a string in use: what it owns would leak. */
TF_CAPI_EXPORT void TF_StringInit(TF_TString *string);
/* Copies `size` bytes in; zero bytes among them are kept. `dst` was initialised and loses its old value. */
TF_CAPI_EXPORT void TF_StringCopy(TF_TString *dst, const char *src, size_t size);
/* Makes `dst` refer to `size` bytes that stay the caller's and have to outlive it. */
TF_CAPI_EXPORT void TF_StringAssignView(TF_TString *dst, const char *src, size_t size);
/* The bytes; ended by a NUL unless the string is a view or an offset. Valid until the string changes or moves. */
TF_CAPI_EXPORT const char *TF_StringGetDataPointer(const TF_TString *string);
TF_CAPI_EXPORT TF_TString_Type TF_StringGetType(const TF_TString *string);
/* Length in bytes, without the final NUL. */
TF_CAPI_EXPORT size_t TF_StringGetSize(const TF_TString *string);
/* Bytes the string can hold where it is; 0 for views and offsets. */
TF_CAPI_EXPORT size_t TF_StringGetCapacity(const TF_TString *string);
/* Frees what the string owns. */
TF_CAPI_EXPORT void TF_StringDealloc(TF_TString *string);

/* Strings as TensorFlow laid them out before 2.4: a varint length, then the bytes. For programs that still call these;
 * elements of tensors are TF_TStrings. */
/* Bytes that a string of `len` bytes takes. */
TF_CAPI_EXPORT size_t TF_StringEncodedSize(size_t len);
/* Writes `src` to `dst` and returns how many bytes that took. INVALID_ARGUMENT and 0 when `dst_len` is too small. */
TF_CAPI_EXPORT size_t TF_StringEncode(const char *src, size_t src_len, char *dst, size_t dst_len, TF_Status *status);
/* Finds the string at the start of `src`: `*dst` points into it. Returns how many bytes it took; INVALID_ARGUMENT and 0
 * when there is none. */
TF_CAPI_EXPORT size_t TF_StringDecode(const char *src, size_t src_len, const char **dst, size_t *dst_len,
                                      TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
