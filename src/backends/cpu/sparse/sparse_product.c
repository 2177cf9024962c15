/* Entry by entry: a row of b, scaled, is added to a row of y. Every thread walks all entries, for its own columns. */
#include "backends/cpu/sparse/sparse_product.h"

#include <complex.h>

#include "backends/cpu/indices.h"
#include "backends/cpu/types.inc"

#define PRODUCT_TYPES(M, ...)                                                                                          \
    M(FLOAT, __VA_ARGS__) M(DOUBLE, __VA_ARGS__) M(INT32, __VA_ARGS__) COMPLEX_TYPES(M, __VA_ARGS__)
#define TYPES (FOR_FLOAT | FOR_DOUBLE | FOR_INT32 | FOR_COMPLEX)
#define BODY  "backends/cpu/sparse/sparse_product.inc"
#include "backends/cpu/for_types.inc"

typedef void (*add_entries_fn)(const struct sl_sparse_product *p, const int64_t *pairs, const void *entries,
                               int64_t count, int64_t begin, int64_t end);
static const add_entries_fn add_entries[SL_DTYPE_COUNT] = {PRODUCT_TYPES(SL_TYPE_ENTRY, add_entries)};

static void add_columns(void *arg, int64_t begin, int64_t end) {
    const struct sl_sparse_product *p = arg;
    const int64_t size = (int64_t)sl_dtype_size(p->dtype);
    int64_t pairs[SL_INDICES * 2];
    for (int64_t e = 0; e < p->count; e += SL_INDICES) {
        int64_t stretch = p->count - e < SL_INDICES ? p->count - e : SL_INDICES;
        sl_indices_load(pairs, p->indices, 2 * e, 2 * stretch);
        add_entries[p->dtype](p, pairs, (const char *)p->a + e * size, stretch, begin, end);
    }
}

void sl_sparse_product_run(struct sl_kernel_context *k, const struct sl_sparse_product *p) {
    sl_kernel_split_columns(k, p->n, (double)p->count, add_columns, (void *)(uintptr_t)p);
}
