/* Epilogues: one loop does what needs no function, the loops of element-wise ops do the rest, row by row. */
#include "backends/cpu/product/epilogue.h"

#include <math.h>
#include <stddef.h>

#include "backends/cpu/math/elementwise.h"
#include "backends/cpu/product/epilogue_loops.h"
#include "backends/cpu/product/gemm_loops.h"

static const uint16_t loops_of[SL_ACTIVATIONS] = {
    [SL_ACTIVATION_ELU] = SL_LOOP_Elu,
    [SL_ACTIVATION_TANH] = SL_LOOP_Tanh,
    [SL_ACTIVATION_SIGMOID] = SL_LOOP_Sigmoid,
    [SL_ACTIVATION_GELU_EXACT] = SL_LOOP_GeluExact,
    [SL_ACTIVATION_GELU_APPROXIMATE] = SL_LOOP_GeluApproximate,
    [SL_ACTIVATION_SWISH] = SL_LOOP_Silu,
    [SL_ACTIVATION_HARD_SWISH] = SL_LOOP_HardSwish,
};

bool sl_epilogue_of_tile(struct sl_tile_end *end, const struct sl_epilogue *e, int64_t column) {
    static const float zeros[SL_TILE_END_COLUMNS];
#define ONES 1, 1, 1, 1, 1, 1, 1, 1
    static const float ones[SL_TILE_END_COLUMNS] = {ONES, ONES, ONES, ONES};
#undef ONES
    if (e->is_double || e->side || !e->offset || e->activation == SL_ACTIVATION_LEAKY_RELU) return false;
    const bool is_relu6 = e->activation == SL_ACTIVATION_RELU6, is_relu = e->activation == SL_ACTIVATION_RELU;
    /* x is (x - 0) * 1, to the bit. */
    *end = (struct sl_tile_end){.mean = e->mean ? (const float *)e->mean + column : zeros,
                                .scale = e->mean ? (const float *)e->scale + column : ones,
                                .offset = (const float *)e->offset + column,
                                .low = is_relu || is_relu6 ? 0 : -INFINITY,
                                .high = is_relu6 ? 6 : INFINITY};
    return true;
}

void sl_epilogue_finish(const struct sl_epilogue *e, void *c, int64_t row, int64_t rows, int64_t column, int64_t n) {
    const struct sl_epilogue_loops *loops = SL_ISA_PICK(sl_epilogue_loops)(e->is_double);
    const ptrdiff_t size = e->is_double ? 8 : 4, first = column * size;
    const enum sl_epilogue_activation activation = e->activation;
    const bool is_relu = activation == SL_ACTIVATION_RELU || activation == SL_ACTIVATION_RELU6;
    struct sl_epilogue_rows r = {.c = c, .row = row, .rows = rows, .n = n, .low = -INFINITY, .high = INFINITY};
    if (e->mean) r.mean = (const char *)e->mean + first;
    if (e->mean) r.scale = (const char *)e->scale + first;
    if (e->offset) r.offset = (const char *)e->offset + first;
    if (e->side) r.side = (const char *)e->side + ((const char *)c - e->results);
    if (is_relu) r.low = 0;
    if (activation == SL_ACTIVATION_RELU6) r.high = 6;
    if (r.offset || r.side || is_relu) loops->finish(&r);
    r.slope = e->slope;
    if (activation == SL_ACTIVATION_LEAKY_RELU) loops->leak(&r);
}

void sl_epilogue_activate(const struct sl_epilogue *e, void *c, int64_t row, int64_t rows, int64_t n) {
    const enum sl_epilogue_activation activation = e->activation;
    const int dtype = e->is_double ? SL_DOUBLE : SL_FLOAT;
    const ptrdiff_t size = e->is_double ? 8 : 4;
    if (activation <= SL_ACTIVATION_LEAKY_RELU) return;
    if (row == n) { /* rows follow each other */
        n *= rows;
        rows = 1;
    }
    const sl_loop_fn loop = sl_elementwise_loop(loops_of[activation], dtype).run;
    for (int64_t i = 0; i < rows; i++) {
        char *to = (char *)c + i * row * size;
        loop(to, to, NULL, NULL, n);
    }
}

void sl_epilogue_run(const struct sl_epilogue *e, void *c, int64_t row, int64_t rows, int64_t column, int64_t n) {
    sl_epilogue_finish(e, c, row, rows, column, n);
    sl_epilogue_activate(e, c, row, rows, n);
}
