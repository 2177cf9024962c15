/* Matrix products of float and double, C = A B or C += A B, any strides; and the packing that convolutions share.
 * Results are the same bits for every number of threads. Pure functions. */
#ifndef SL_BACKENDS_CPU_PRODUCT_GEMM_H
#define SL_BACKENDS_CPU_PRODUCT_GEMM_H

#include "backends/cpu/product/epilogue.h"
#include "backends/cpu/product/gemm_loops.h"
#include "backends/cpu/product/packing.h"
#include "kernel/kernel.h"

/* C is m x n, A m x k, B k x n; strides in elements, C's columns are dense. C overlaps neither. */
struct sl_gemm {
    bool is_double, adds;
    bool rounds; /* factors may be rounded to bfloat16 (fpmath.h): sl_rounded_product_run alone does that */
    int64_t m, n, k;
    const void *a;
    int64_t a_row, a_k;
    const void *b;
    int64_t b_k, b_column;
    void *c;
    int64_t c_row;
    const struct sl_epilogue *epilogue; /* done to C at the end; NULL: nothing */
    struct sl_packing *packing;         /* of B, where that is a constant; NULL: packed anew */
};

/* `k` may be NULL: then everything is done on this thread. RESOURCE_EXHAUSTED. */
sl_code sl_gemm_run(struct sl_kernel_context *k, const struct sl_gemm *g, struct sl_error *err);
/* About how long it takes on one thread. */
double sl_gemm_ns(int64_t m, int64_t n, int64_t k);

/* The loops for this machine. */
const struct sl_gemm_loops *sl_gemm_best_loops(bool is_double);

/* B in panels: k rows of `width` elements each, zeros at the right end of the last one, whose width is rounded up to
 * vectors. */
struct sl_panels {
    int64_t n, k, width, count; /* columns, rows, columns of a panel, panels */
    int lanes, size;            /* elements of a vector, bytes of an element */
    char *data;                 /* count * k * width elements at most */
};
/* `vectors` to a panel: 1, 2 or 4. Sets all but `data`; gives the bytes that needs, 0 when there are too many. */
size_t sl_panels_init(struct sl_panels *p, const struct sl_gemm_loops *loops, int size, int64_t n, int64_t k,
                      int vectors);
static inline char *sl_panel(const struct sl_panels *p, int64_t i) { return p->data + i * p->k * p->width * p->size; }
/* Columns of panel i that are B's, and vectors that hold them: 1, 2 or 4. */
static inline int64_t sl_panel_columns(const struct sl_panels *p, int64_t i) {
    return i + 1 < p->count ? p->width : p->n - i * p->width;
}
static inline int sl_panel_vectors(const struct sl_panels *p, int64_t i) {
    int64_t vectors = (sl_panel_columns(p, i) + p->lanes - 1) / p->lanes;
    return vectors == 3 ? 4 : (int)vectors;
}
/* Fills panel i from rows of B from `first` on. */
void sl_panel_pack(const struct sl_panels *p, int64_t i, const struct sl_gemm_loops *loops, const void *b, int64_t b_k,
                   int64_t b_column, int64_t first);

/* One tile into C, which has `columns` of the tile's columns: what sticks out goes nowhere. */
struct sl_gemm_tile {
    const struct sl_gemm_loops *loops;
    int rows, vectors, size;
    int64_t columns;
    const void *b;
    int64_t b_k;
    void *c;
    int64_t c_row;
    bool adds;
};
void sl_gemm_tile_rows(const struct sl_gemm_tile *t, int64_t taps, int64_t run, const void *const *a, int64_t a_tap);
void sl_gemm_tile_lines(const struct sl_gemm_tile *t, int64_t n, const void *const *a, int64_t offset);

#endif
