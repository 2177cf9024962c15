/* Loops over members and elements: a block of the result stays in the cache while every member's part goes into it. */
#include "backends/any/collective_math.h"

#include <string.h>

#include "tensor/float16.h"

enum { BLOCK = 2048 };

struct block {
    const struct sl_collective_merge *merge;
    char *out;
    int64_t begin, n; /* elements */
};

/* How an element of each type is computed with: what it is loaded as and how it is stored. Integers as unsigned, so
 * that they wrap. */
#define SAME(x)          (x)
#define STORE_I32(x)     ((int32_t)(x))
#define STORE_I64(x)     ((int64_t)(x))
#define ADD(T, W, a, b)  ((W)(a) + (W)(b))
#define MUL(T, W, a, b)  ((W)(a) * (W)(b))
#define LESS(T, W, a, b) ((a) < (b) || (a) != (a) ? (a) : (b))
#define MORE(T, W, a, b) ((a) > (b) || (a) != (a) ? (a) : (b))

#define EACH(T, W, LOAD, STORE, FORMULA)                                                                               \
    for (int64_t r = 1; r < m->n; r++) {                                                                               \
        const T *in = (const T *)m->in[r] + b->begin;                                                                  \
        for (int64_t e = 0; e < b->n; e++) to[e] = STORE(FORMULA(T, W, LOAD(to[e]), LOAD(in[e])));                     \
    }                                                                                                                  \
    break;

/* T: an element; W: sums and products are of this type; D: the divisor's. */
#define BLOCK_OF(name, T, W, D, LOAD, STORE)                                                                           \
    static void merge_##name(const struct block *b) {                                                                  \
        const struct sl_collective_merge *m = b->merge;                                                                \
        T *to = (T *)(void *)b->out + b->begin;                                                                        \
        const T *first = (const T *)m->in[0] + b->begin;                                                               \
        if (to != first) memcpy(to, first, (size_t)b->n * sizeof(T));                                                  \
        switch (m->op) {                                                                                               \
        case SL_MERGE_ADD: EACH(T, W, LOAD, STORE, ADD)                                                                \
        case SL_MERGE_MUL: EACH(T, W, LOAD, STORE, MUL)                                                                \
        case SL_MERGE_MIN: EACH(T, W, LOAD, STORE, LESS)                                                               \
        case SL_MERGE_MAX: EACH(T, W, LOAD, STORE, MORE)                                                               \
        }                                                                                                              \
        if (!m->divisor) return;                                                                                       \
        for (int64_t e = 0; e < b->n; e++) to[e] = STORE(LOAD(to[e]) / (D)m->divisor);                                 \
    }

BLOCK_OF(half, sl_half, float, float, sl_float_of_half, sl_half_of_float)
BLOCK_OF(bfloat16, sl_bfloat16, float, float, sl_float_of_bfloat16, sl_bfloat16_of_float)
BLOCK_OF(float, float, float, float, SAME, SAME)
BLOCK_OF(double, double, double, double, SAME, SAME)
BLOCK_OF(int32, int32_t, uint32_t, int32_t, SAME, STORE_I32)
BLOCK_OF(int64, int64_t, uint64_t, int64_t, SAME, STORE_I64)

static void merge_block(const struct block *b) {
    switch (b->merge->dtype) {
    case SL_HALF: merge_half(b); break;
    case SL_BFLOAT16: merge_bfloat16(b); break;
    case SL_FLOAT: merge_float(b); break;
    case SL_DOUBLE: merge_double(b); break;
    case SL_INT32: merge_int32(b); break;
    default: merge_int64(b); break;
    }
}

struct work {
    const struct sl_collective_merge *merge;
    char *out;
};

static void merge_range(void *arg, int64_t begin, int64_t end) {
    const struct work *w = arg;
    for (int64_t at = begin; at < end; at += BLOCK) {
        struct block b = {w->merge, w->out, at, end - at < BLOCK ? end - at : BLOCK};
        merge_block(&b);
    }
}

void sl_collective_merge(void *out, struct sl_kernel_context *k, const struct sl_collective_merge *merge) {
    struct work w = {merge, out};
    if (!k) merge_range(&w, 0, merge->count);
    else sl_kernel_split(k, merge->count, 0.5 * (double)merge->n, merge_range, &w);
}
