/* Loads and stores of index tensors. Called by kernels that gather, scatter, count and search. */
#include "backends/cpu/indices.h"

#include <string.h>

#define WIDEN(type)                                                                                                    \
    do {                                                                                                               \
        const type *from = (const type *)v.data + begin;                                                               \
        for (int64_t i = 0; i < n; i++) to[i] = (int64_t)from[i];                                                      \
    } while (0)

void sl_indices_load(int64_t *restrict to, struct sl_view v, int64_t begin, int64_t n) {
    switch (v.dtype) {
    case SL_INT64: memcpy(to, (const int64_t *)v.data + begin, (size_t)n * sizeof *to); break;
    case SL_INT32: WIDEN(int32_t); break;
    case SL_INT16: WIDEN(int16_t); break;
    case SL_INT8: WIDEN(int8_t); break;
    case SL_UINT8: WIDEN(uint8_t); break;
    case SL_UINT16: WIDEN(uint16_t); break;
    case SL_UINT32: WIDEN(uint32_t); break;
    default: memset(to, 0, (size_t)n * sizeof *to); break;
    }
}

#define NARROW(type)                                                                                                   \
    do {                                                                                                               \
        type *to = (type *)v.data + begin;                                                                             \
        for (int64_t i = 0; i < n; i++) to[i] = (type)from[i];                                                         \
    } while (0)

void sl_indices_store(struct sl_view v, int64_t begin, const int64_t *restrict from, int64_t n) {
    switch (v.dtype) {
    case SL_UINT64:
    case SL_INT64:
        if (n) memcpy((int64_t *)v.data + begin, from, (size_t)n * sizeof *from);
        break;
    case SL_UINT32:
    case SL_INT32: NARROW(int32_t); break;
    case SL_UINT16:
    case SL_INT16: NARROW(int16_t); break;
    case SL_UINT8:
    case SL_INT8: NARROW(int8_t); break;
    default: break;
    }
}

sl_code sl_state_of_int(void **state, struct sl_kernel_setup *setup, const char *attr) {
    int64_t value;
    SL_TRY(sl_attr_int(&value, setup->attrs, attr, setup->err));
    *state = (void *)(intptr_t)value;
    return SL_OK;
}

sl_code sl_state_of_bool(void **state, struct sl_kernel_setup *setup, const char *attr) {
    bool value;
    SL_TRY(sl_attr_bool(&value, setup->attrs, attr, setup->err));
    *state = (void *)(intptr_t)value;
    return SL_OK;
}
