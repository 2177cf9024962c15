/* The loops of pool_loops.h over integers; those of floats are the instruction set's. */
#include "backends/cpu/isa/pool_columns.inc"
#include "tensor/dtype.h"

COMPARING(int8_t, INT8_MIN)
COMPARING(int16_t, INT16_MIN)
COMPARING(int32_t, INT32_MIN)
COMPARING(int64_t, INT64_MIN)
COMPARING(uint8_t, 0)
COMPARING(uint16_t, 0)
COMPARING(uint32_t, 0)
COMPARING(uint64_t, 0)

const struct sl_pool_loops *sl_pool_loops(int dtype) {
    static const struct sl_pool_loops loops[SL_DTYPE_COUNT] = {
        [SL_INT8] = {COMPARING_LOOPS(int8_t)},     [SL_INT16] = {COMPARING_LOOPS(int16_t)},
        [SL_INT32] = {COMPARING_LOOPS(int32_t)},   [SL_INT64] = {COMPARING_LOOPS(int64_t)},
        [SL_UINT8] = {COMPARING_LOOPS(uint8_t)},   [SL_UINT16] = {COMPARING_LOOPS(uint16_t)},
        [SL_UINT32] = {COMPARING_LOOPS(uint32_t)}, [SL_UINT64] = {COMPARING_LOOPS(uint64_t)},
        [SL_QINT8] = {COMPARING_LOOPS(int8_t)},
    };
    if (dtype == SL_FLOAT || dtype == SL_DOUBLE) return SL_ISA_PICK(sl_pool_float_loops)(dtype == SL_DOUBLE);
    return loops[dtype].size ? &loops[dtype] : NULL;
}
