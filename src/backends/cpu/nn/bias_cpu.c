/* BiasAdd: a vector added along the channels. Its gradient: the sum over everything else. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/math/broadcast_map.h"
#include "backends/cpu/math/elementwise.h"
#include "backends/cpu/reduce/reduce.h"

/* The state is not NULL when channels come first (data_format NCHW). */
static sl_code bias_create(void **state, struct sl_kernel_setup *setup) {
    static char channels_first;
    struct sl_str format = {NULL, 0};
    if (sl_attr_find(setup->attrs, SL_STR("data_format")))
        SL_TRY(sl_attr_string(&format, setup->attrs, "data_format", setup->err));
    if (sl_str_starts(format, SL_STR("NC"))) *state = &channels_first;
    return SL_OK;
}

static int channel_dim(const struct sl_kernel_context *k, struct sl_view v) { return k->state ? 1 : v.rank - 1; }

static sl_code bias_add_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), bias = sl_in(k, 1), out;
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (x.rank < 2) return sl_invalid(k, "Input tensor must be at least 2D: %s", sl_shape_text(a, sl_view_shape(x)));
    if (bias.rank != 1) return sl_invalid(k, "Biases must be 1D: %s", sl_shape_text(b, sl_view_shape(bias)));
    int channel = channel_dim(k, x);
    if (bias.dims[0] != x.dims[channel])
        return sl_invalid(k, "Must provide as many biases as the %s dimension of the input tensor: %s vs. %s",
                          k->state ? "channel" : "last", sl_shape_text(b, sl_view_shape(bias)),
                          sl_shape_text(a, sl_view_shape(x)));
    struct sl_broadcast_map map = {.in = {sl_broadcast_map_input(x), sl_broadcast_map_input(bias)},
                                   .n = 2,
                                   .shape = sl_view_shape(x),
                                   .ns = 0.2};
    map.loop = sl_elementwise_loop(SL_LOOP_Add, x.dtype).run;
    if (!map.loop) return sl_fail(k->err, SL_UNIMPLEMENTED, "BiasAdd is not there for %s", sl_dtype_name(x.dtype));
    if (x.dtype == SL_HALF || x.dtype == SL_BFLOAT16) map.half = x.dtype;
    int64_t dims[SL_MAX_RANK]; /* of the bias: 1 behind the channels */
    map.in[1].shape = (struct sl_shape){x.rank - channel, dims};
    for (int d = 0; d < x.rank - channel; d++) dims[d] = d == 0 ? bias.dims[0] : 1;
    SL_TRY(sl_out_reuse(&out, k, 0, sl_view_shape(x), 0, 1));
    map.shape = sl_view_shape(out);
    map.to = out.data;
    map.to_size = (int64_t)sl_dtype_size(out.dtype);
    map.in[0].shape = map.shape;
    sl_broadcast_map_run(k, &map);
    return SL_OK;
}

static sl_code bias_add_grad_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), out;
    char text[SL_SHAPE_TEXT];
    if (x.rank < 2) return sl_invalid(k, "Input tensor must be at least 2D: %s", sl_shape_text(text, sl_view_shape(x)));
    int channel = channel_dim(k, x), parts = sl_set_has(SL_SET_COMPLEX, x.dtype) ? 2 : 1;
    int part = x.dtype == SL_COMPLEX64 ? SL_FLOAT : x.dtype == SL_COMPLEX128 ? SL_DOUBLE : x.dtype;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, &x.dims[channel]}));
    struct sl_reduce r = {.loop = sl_reduce_loop(SL_FOLD_SUM, part),
                          .finish = sl_reduce_finish(SL_FOLD_SUM, SL_RESULT_ITSELF, part),
                          .x = x.data,
                          .to = out.data,
                          .rank = x.rank + 1};
    if (!r.loop) return sl_fail(k->err, SL_UNIMPLEMENTED, "BiasAddGrad is not there for %s", sl_dtype_name(x.dtype));
    r.x_size = r.to_size = (int64_t)sl_dtype_size(part);
    for (int d = 0; d < x.rank; d++) {
        r.dims[d] = x.dims[d];
        r.is_reduced[d] = d != channel;
    }
    r.dims[x.rank] = parts;
    r.is_reduced[x.rank] = false;
    return sl_reduce_run(k, &r);
}

const struct sl_kernel_def sl_cpu_bias_rows[] = {
    KERNEL("BiasAdd", RULE("T", SL_SET_NUMBERS), .create = bias_create, .run = bias_add_run, .cost_ns = 60,
           .cost_element = 0.2f) KERNEL("BiasAddV1", RULE("T", SL_SET_NUMBERS), .create = bias_create,
                                        .run = bias_add_run, .cost_ns = 60, .cost_element = 0.2f)
        KERNEL("BiasAddGrad", RULE("T", SL_SET_NUMBERS), .create = bias_create, .run = bias_add_grad_run, .cost_ns = 60,
               .cost_element = 0.3f) SL_ROWS_END};
