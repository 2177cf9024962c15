/* CompareAndBitpack: which elements are greater than a threshold, eight to a byte, the first in the highest bit.
 * Bools stand for themselves. The last dim is a multiple of eight. */
#include "backends/cpu/math/broadcast_map.h"
#include "backends/cpu/math/elementwise.h"

struct packing {
    const bool *bits;
    uint8_t *to;
};

static void pack(void *arg, int64_t begin, int64_t end) {
    const struct packing *p = arg;
    for (int64_t i = begin; i < end; i++) {
        unsigned byte = 0;
        for (int b = 0; b < 8; b++) byte = byte << 1 | p->bits[8 * i + b];
        p->to[i] = (uint8_t)byte;
    }
}

/* `bits` has room for as many as `x` has elements. */
static void compare(struct sl_kernel_context *k, bool *bits, struct sl_view x, struct sl_view threshold) {
    struct sl_broadcast_map map = {.loop = sl_elementwise_loop(SL_LOOP_Greater, x.dtype).run,
                                   .in = {sl_broadcast_map_input(x), sl_broadcast_map_input(threshold)},
                                   .n = 2,
                                   .to = bits,
                                   .to_size = 1,
                                   .shape = sl_view_shape(x),
                                   .half = x.dtype == SL_HALF ? SL_HALF : 0,
                                   .ns = 0.3};
    sl_broadcast_map_run(k, &map);
}

static sl_code bitpack_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), threshold = sl_in(k, 1), out;
    int64_t dims[SL_MAX_RANK];
    char text[SL_SHAPE_TEXT];
    if (threshold.rank != 0)
        return sl_invalid(k, "Compare must be a scalar, but saw shape: %s",
                          sl_shape_text(text, sl_view_shape(threshold)));
    if (x.rank < 1) return sl_invalid(k, "Input should be at least a vector, but saw a scalar.");
    if (x.dims[x.rank - 1] % 8)
        return sl_invalid(k, "Inner dimension of input should be divisible by 8, but saw shape: %s",
                          sl_shape_text(text, sl_view_shape(x)));
    for (int d = 0; d < x.rank; d++) dims[d] = d == x.rank - 1 ? x.dims[d] / 8 : x.dims[d];
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){x.rank, dims}));
    struct packing p = {.bits = x.data, .to = out.data};
    bool *compared = NULL;
    if (x.dtype != SL_BOOL && x.count) {
        p.bits = compared = sl_scratch_new((size_t)x.count);
        if (!compared) return sl_fail_memory(k->err, (size_t)x.count);
        compare(k, compared, x, threshold);
    }
    sl_kernel_split(k, out.count, 2, pack, &p);
    if (compared) sl_scratch_free(compared, (size_t)x.count);
    return SL_OK;
}

#define TYPES SL_SET(BOOL) | SL_SET(HALF) | SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET_SIGNED

const struct sl_kernel_def sl_cpu_bitpack_rows[] = {
    KERNEL("CompareAndBitpack", RULE("T", TYPES), .run = bitpack_run, .cost_element = 0.5f) SL_ROWS_END};
