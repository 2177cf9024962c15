/* Moving elements between two layouts: every op that copies, slices, pads, joins, permutes or repeats is such a
 * move.
 *
 * A move is a box of elements: for each dim its length, and how far one step goes in the target and in the source
 * (in elements; 0 in the source repeats, negative ones walk back). Dims that continue each other are joined, so a
 * move that is a plain copy becomes one. Bytes are moved by the size of the element: one body serves all types of
 * that size; strings and objects are copied as values.
 *
 *     struct sl_move m = sl_move_start();
 *     sl_move_dim(&m, rows, to_row, from_row);     outermost first
 *     sl_move_dim(&m, columns, 1, 1);
 *     SL_TRY(sl_move_run(k, &m, dtype, to, from));
 *
 * Threads: plain values; sl_move_run splits large moves over the pool. */
#ifndef SL_BACKENDS_CPU_ARRAY_MOVE_H
#define SL_BACKENDS_CPU_ARRAY_MOVE_H

#include "kernel/kernel.h"

enum { SL_MOVE_RANK = 64 }; /* dims longer than 1: more of them would pass 2^63 elements */

struct sl_move {
    int rank;
    bool is_empty;
    struct sl_move_dim {
        int64_t n, to, from;
    } dims[SL_MOVE_RANK];
};

static inline struct sl_move sl_move_start(void) {
    struct sl_move m;
    m.rank = 0;
    m.is_empty = false;
    return m;
}
/* One more dim, inside of those before. A length of 0 makes the move empty. */
void sl_move_dim(struct sl_move *m, int64_t n, int64_t to, int64_t from);

/* Copies. `to` and `from` are the elements where the walk starts; they must not overlap. Elements of `to` are
 * initialised. */
sl_code sl_move_run(struct sl_kernel_context *k, const struct sl_move *m, int dtype, void *to, const void *from);

/* `count` elements from `from` to `to`, split over threads when large. */
sl_code sl_move_all(struct sl_kernel_context *k, int dtype, void *to, const void *from, int64_t count);
/* `count` times the element `value`. */
sl_code sl_move_fill(struct sl_kernel_context *k, int dtype, void *to, const void *value, int64_t count);
/* Makes all elements zero, empty or NULL; of fresh strings and objects, which are so already, it touches nothing.
 * Large tensors of zeros take no memory until they are written. `fresh` lies in the memory of a tensor of our own. */
void sl_move_zero(struct sl_kernel_context *k, struct sl_view fresh);

/* Makes output `o` of the run of elements of input `i` that starts at `offset`: a view of the input when it is
 * large, else a copy. */
sl_code sl_move_part(struct sl_kernel_context *k, int o, int i, struct sl_shape shape, int64_t offset);

/* Element `i` of a buffer of elements of this type. */
static inline void *sl_element(const void *base, int dtype, int64_t i) {
    return (char *)base + i * (int64_t)sl_dtype_size(dtype);
}

/* Row-major strides of a shape: strides[rank - 1] is 1. */
static inline void sl_strides_of(int64_t *strides, int rank, const int64_t *dims) {
    uint64_t step = 1; /* empty shapes may have dims whose product overflows; their strides are not used */
    for (int i = rank - 1; i >= 0; i--) {
        strides[i] = (int64_t)step;
        step *= (uint64_t)dims[i];
    }
}
/* Product of dims [first, last). */
static inline int64_t sl_dims_product(const int64_t *dims, int first, int last) {
    uint64_t n = 1;
    for (int i = first; i < last; i++) n *= (uint64_t)dims[i];
    return (int64_t)n;
}

#endif
