/* Element types: numbers, sizes, names, sets. Constant tables; thread-safe. */
#ifndef SL_TENSOR_DTYPE_H
#define SL_TENSOR_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Numbers are TensorFlow's DataType (types.proto). A reference type is the base type + 100. */
enum sl_dtype {
    SL_INVALID = 0,
#define DTYPE(name, number, text, bytes, c_type) SL_##name = number,
#include "tensor/dtype.def"
#undef DTYPE
    SL_DTYPE_COUNT = 33,
    SL_REF_OFFSET = 100
};

/* 16-bit floats are held as their bit patterns and computed through float. */
typedef struct {
    uint16_t bits;
} sl_half;
typedef struct {
    uint16_t bits;
} sl_bfloat16;

/* Sets of element types: bit `number`. */
typedef uint64_t sl_dtype_set;
#define SL_SET(name)     (UINT64_C(1) << SL_##name)
#define SL_SET_FLOATS    (SL_SET(HALF) | SL_SET(BFLOAT16) | SL_SET(FLOAT) | SL_SET(DOUBLE))
#define SL_SET_COMPLEX   (SL_SET(COMPLEX64) | SL_SET(COMPLEX128))
#define SL_SET_SIGNED    (SL_SET(INT8) | SL_SET(INT16) | SL_SET(INT32) | SL_SET(INT64))
#define SL_SET_UNSIGNED  (SL_SET(UINT8) | SL_SET(UINT16) | SL_SET(UINT32) | SL_SET(UINT64))
#define SL_SET_INTEGERS  (SL_SET_SIGNED | SL_SET_UNSIGNED)
#define SL_SET_REAL      (SL_SET_FLOATS | SL_SET_INTEGERS)
#define SL_SET_NUMBERS   (SL_SET_REAL | SL_SET_COMPLEX)
#define SL_SET_QUANTIZED (SL_SET(QINT8) | SL_SET(QUINT8) | SL_SET(QINT32) | SL_SET(QINT16) | SL_SET(QUINT16))
#define SL_SET_FLOAT8                                                                                                  \
    (SL_SET(FLOAT8_E5M2) | SL_SET(FLOAT8_E4M3FN) | SL_SET(FLOAT8_E4M3FNUZ) | SL_SET(FLOAT8_E4M3B11FNUZ) |              \
     SL_SET(FLOAT8_E5M2FNUZ))
#define SL_SET_SMALL_INTEGERS (SL_SET(INT4) | SL_SET(UINT4) | SL_SET(INT2) | SL_SET(UINT2))
#define SL_SET_ALL            ((UINT64_C(1) << SL_DTYPE_COUNT) - 2)

static inline bool sl_set_has(sl_dtype_set set, int dtype) {
    return dtype > 0 && dtype < SL_DTYPE_COUNT && (set >> dtype & 1);
}

static inline bool sl_dtype_is_valid(int dtype) { return dtype > 0 && dtype < SL_DTYPE_COUNT; }
static inline bool sl_dtype_is_ref(int dtype) { return dtype > SL_REF_OFFSET; }
static inline int sl_dtype_base(int dtype) { return dtype > SL_REF_OFFSET ? dtype - SL_REF_OFFSET : dtype; }

/* Bytes of one element in memory; 0 for a number that is no type. Reference types: as the base type. */
size_t sl_dtype_size(int dtype);
/* True for types whose elements are plain bits: everything but string, resource, variant. */
bool sl_dtype_is_plain(int dtype);
/* "float", "int32_ref"; "unknown" for no type. Static string. */
const char *sl_dtype_name(int dtype);
/* Number of a text name ("float", "float32", "DT_FLOAT", "int32_ref"), 0 when there is none such. */
int sl_dtype_from_name(struct sl_str text);

#endif
