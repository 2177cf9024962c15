/* See number.h. */
#include "backends/cpu/number.h"

#include "backends/cpu/indices.h"
#include "backends/cpu/types.inc"
#include "tensor/float16.h"

const void *sl_one(int dtype) {
    static const struct {
        _Alignas(16) unsigned char bytes[16];
    } ones[SL_DTYPE_COUNT] = {[SL_FLOAT] = {{0, 0, 0x80, 0x3f}},
                              [SL_DOUBLE] = {{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
                              [SL_HALF] = {{0, 0x3c}},
                              [SL_BFLOAT16] = {{0x80, 0x3f}},
                              [SL_COMPLEX64] = {{0, 0, 0x80, 0x3f}},
                              [SL_COMPLEX128] = {{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
#define ONE(type, unused) [SL_##type] = {{1}},
                              SIGNED_TYPES(ONE, ) UNSIGNED_TYPES(ONE, ) ONE(BOOL, )
#undef ONE
    };
    return ones[dtype].bytes;
}

double sl_number_at(struct sl_view v, int64_t i) {
    switch (v.dtype) {
    case SL_FLOAT: return (double)((const float *)v.data)[i];
    case SL_DOUBLE: return ((const double *)v.data)[i];
    case SL_HALF: return (double)sl_float_of_half(((const sl_half *)v.data)[i]);
    case SL_BFLOAT16: return (double)sl_float_of_bfloat16(((const sl_bfloat16 *)v.data)[i]);
    case SL_BOOL: return ((const bool *)v.data)[i];
    case SL_UINT64: return (double)((const uint64_t *)v.data)[i];
    default: return (double)sl_index_at(v, i);
    }
}
