/* Element types of tensors. The numbers are those of DataType in types.proto and stand in files and on the wire. */
#ifndef TENSORFLOW_C_TF_DATATYPE_H_
#define TENSORFLOW_C_TF_DATATYPE_H_

#include <stddef.h>

#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TF_DataType {
    TF_FLOAT = 1,
    TF_DOUBLE = 2,
    TF_INT32 = 3,
    TF_UINT8 = 4,
    TF_INT16 = 5,
    TF_INT8 = 6,
    TF_STRING = 7,    /* TF_TString, 24 bytes an element; see tf_tstring.h */
    TF_COMPLEX64 = 8, /* two floats: real, imaginary */
    TF_COMPLEX = 8,   /* older name of TF_COMPLEX64 */
    TF_INT64 = 9,
    TF_BOOL = 10,
    TF_QINT8 = 11, /* quantized types: the integer alone, its range travels beside it */
    TF_QUINT8 = 12,
    TF_QINT32 = 13,
    TF_BFLOAT16 = 14, /* the upper half of a float */
    TF_QINT16 = 15,
    TF_QUINT16 = 16,
    TF_UINT16 = 17,
    TF_COMPLEX128 = 18, /* two doubles */
    TF_HALF = 19,       /* IEEE 754 binary16 */
    TF_RESOURCE = 20,   /* handle to a variable, queue, table ... */
    TF_VARIANT = 21,    /* boxed value: tensor lists and the like */
    TF_UINT32 = 22,
    TF_UINT64 = 23,
    TF_FLOAT8_E5M2 = 24, /* one byte each: E exponent bits, M mantissa bits, B bias, FN finite, UZ one zero */
    TF_FLOAT8_E4M3FN = 25,
    TF_FLOAT8_E4M3FNUZ = 26,
    TF_FLOAT8_E4M3B11FNUZ = 27,
    TF_FLOAT8_E5M2FNUZ = 28,
    TF_INT4 = 29, /* 4 and 2 bits wide, one element a byte */
    TF_UINT4 = 30,
    TF_INT2 = 31,
    TF_UINT2 = 32,
    TF_FLOAT4_E2M1FN = 33
} TF_DataType;

/* Bytes of one element; 0 for TF_STRING, TF_RESOURCE, TF_VARIANT and for numbers that are no type. */
TF_CAPI_EXPORT size_t TF_DataTypeSize(TF_DataType dtype);

#ifdef __cplusplus
}
#endif

#endif
