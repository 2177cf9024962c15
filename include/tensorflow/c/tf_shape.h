/* TF_Shape: a tensor shape of known or unknown rank. Threads: any number may read one. */
#ifndef TENSORFLOW_C_TF_SHAPE_H_
#define TENSORFLOW_C_TF_SHAPE_H_

#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Shape TF_Shape;

/* New shape of unknown rank; free it with TF_DeleteShape. */
TF_CAPI_EXPORT TF_Shape *TF_NewShape(void);
/* Rank, or -1 when it is unknown. */
TF_CAPI_EXPORT int TF_ShapeDims(const TF_Shape *shape);
/* Size of one dimension, or -1 when it is unknown; the rank has to be known and above `index`. */
TF_CAPI_EXPORT int64_t TF_ShapeDimSize(const TF_Shape *shape, int index);
/* NULL is allowed. */
TF_CAPI_EXPORT void TF_DeleteShape(TF_Shape *shape);

#ifdef __cplusplus
}
#endif

#endif
