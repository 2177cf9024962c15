/* Epilogues: one loop does what needs no function, the loops of element-wise ops do the rest, row by row. */
#include "backends/cpu/product/epilogue.h"

#include <math.h>
#include <stddef.h>

#include "backends/cpu/math/elementwise.h"
#include "backends/cpu/product/epilogue_loops.h"

static const uint16_t loops_of[SL_ACTIVATIONS] = {
    [SL_ACTIVATION_ELU] = SL_LOOP_Elu,
    [SL_ACTIVATION_TANH] = SL_LOOP_Tanh,
    [SL_ACTIVATION_SIGMOID] = SL_LOOP_Sigmoid,
    [SL_ACTIVATION_GELU_EXACT] = SL_LOOP_GeluExact,
    [SL_ACTIVATION_GELU_APPROXIMATE] = SL_LOOP_GeluApproximate,
};

void sl_epilogue_run(const struct sl_epilogue *e, void *c, int64_t row, int64_t rows, int64_t column, int64_t n) {
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
    if (activation == SL_ACTIVATION_LEAKY_RELU) {
        r.slope = e->slope;
        loops->leak(&r);
    } else if (activation > SL_ACTIVATION_LEAKY_RELU) {
        const sl_loop_fn loop = sl_elementwise_loop(loops_of[activation], e->is_double ? SL_DOUBLE : SL_FLOAT).run;
        for (int64_t i = 0; i < rows; i++) {
            char *to = (char *)c + i * row * size;
            loop(to, to, NULL, NULL, n);
        }
    }
}
