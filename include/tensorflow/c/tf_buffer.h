/* TF_Buffer: a run of bytes, mostly a serialized protocol message, with the function that frees it.
 *
 * The struct is open: programs read its fields and may fill them themselves. Threads: one owner. */
#ifndef TENSORFLOW_C_TF_BUFFER_H_
#define TENSORFLOW_C_TF_BUFFER_H_

#include <stddef.h>

#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Buffer {
    const void *data;
    size_t length;                                       /* bytes */
    void (*data_deallocator)(void *data, size_t length); /* NULL: the data is not the buffer's to free */
} TF_Buffer;

/* New buffer that owns a copy of `proto_len` bytes. */
TF_CAPI_EXPORT TF_Buffer *TF_NewBufferFromString(const void *proto, size_t proto_len);
/* New buffer with all fields zero: an out-parameter, or a shell whose fields the caller fills. */
TF_CAPI_EXPORT TF_Buffer *TF_NewBuffer(void);
/* Calls the deallocator, if there is one and there is data, then frees the buffer itself. NULL is allowed. */
TF_CAPI_EXPORT void TF_DeleteBuffer(TF_Buffer *buffer);
/* The struct by value. The data still belongs to `buffer`. */
TF_CAPI_EXPORT TF_Buffer TF_GetBuffer(TF_Buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif
