/* What a convolution and its gradient by the input share: products of pixels with a matrix for each tap of the
 * filter.
 *
 *     out[g * out_step + out_first] = sum over taps t:  in[g * step + offset[t]] * matrix[t]
 *
 * for every point g of a grid.
 * Pixels of `in` outside of it are zero. A tap may take several pixels of a line at once. Used by conv.c and
 * conv_taps.c alone. */
#ifndef SL_BACKENDS_CPU_PRODUCT_CONV_TAPS_H
#define SL_BACKENDS_CPU_PRODUCT_CONV_TAPS_H

#include "backends/cpu/product/gemm.h"
#include "backends/cpu/product/window.h"

struct sl_taps {
    const struct sl_gemm_loops *loops;
    int size; /* bytes of an element */
    const char *in;
    struct sl_image in_image; /* all of its channels */
    int64_t in_channel;       /* the first channel used */
    int64_t width, run; /* pixels of a tap, from its offset to the right (1: one); elements: of all their channels */
    int64_t grid[SL_SPACE], step[SL_SPACE];
    int64_t count;
    const int64_t (*offset)[SL_SPACE];
    struct sl_panels panels; /* `run` rows for each tap; columns: the channels made */
    char *out;
    struct sl_image out_image;
    int64_t out_channel, out_step[SL_SPACE], out_first[SL_SPACE];
    const struct sl_epilogue *epilogue; /* NULL: none */
};

/* Overwrites out's points of the grid. RESOURCE_EXHAUSTED. */
sl_code sl_taps_run(struct sl_kernel_context *k, const struct sl_taps *t);

#endif
