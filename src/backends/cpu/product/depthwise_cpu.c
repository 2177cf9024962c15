/* DepthwiseConv2dNative and its gradients: attrs, shapes, formats, types. depthwise.c does the rest. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/product/channels_last.h"
#include "backends/cpu/product/depthwise.h"
#include "backends/cpu/product/depthwise_expand.h"
#include "backends/cpu/product/fpmath.h"
#include "backends/cpu/product/fused_ops.h"
#include "base/alloc.h"

struct row {
    bool is_gradient; /* gradients pass over dilations that make no sense */
    bool is_fused;    /* has the attr `fused_ops` */
};

struct state {
    struct sl_window window; /* first: what takes a window may be given a state */
    struct sl_fused_ops fused;
    struct sl_fused_kept kept;
    struct sl_expand expand; /* of a fused one */
};

static void depthwise_destroy(void *state) {
    struct state *s = state;
    sl_expand_clear(&s->expand);
    sl_fused_kept_clear(&s->kept);
    sl_free(s);
}

static sl_code depthwise_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_window w;
    const struct row *row = setup->def->data;
    SL_TRY(sl_window_read(&w, setup, 2));
    for (int d = 0; row->is_gradient && d < SL_SPACE; d++)
        if (w.dilation[d] < 1) w.dilation[d] = 1;
    if (w.batch_stride != 1 || w.channel_stride != 1)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Current implementation does not yet support strides in the batch and depth dimensions.");
    if (!row->is_gradient && (w.batch_dilation != 1 || w.channel_dilation != 1))
        return sl_fail(setup->err, SL_UNIMPLEMENTED,
                       "Current implementation does not yet support dilations in the batch and depth dimensions.");
    SL_TRY(sl_window_check(&w, setup->err));
    if (w.stride[1] != w.stride[2])
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Current implementation only supports equal length strides in the row and column dimensions.");
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = (struct state){.window = w};
    sl_code code = sl_expand_init(&made->expand, setup);
    if (code == SL_OK && row->is_fused)
        code = sl_fused_ops_read(&made->fused, setup, "DepthwiseConv2D", setup->n_in - 2 - made->expand.args);
    sl_fused_kept_init(&made->kept, &made->fused, setup, 2);
    if (code == SL_OK && made->expand.args && w.channels_first)
        code = sl_fail(setup->err, SL_UNIMPLEMENTED, "What is expanded has its channels last");
    if (code == SL_OK) *state = made;
    else depthwise_destroy(made);
    return code;
}

static sl_code plan(struct sl_conv_spec *c, struct sl_kernel_context *k, struct sl_shape in, struct sl_shape filter) {
    const struct sl_window *w = k->state;
    char text[SL_SHAPE_TEXT];
    const char *op = k->node->def->op;
    if (in.rank != 4) return sl_invalid(k, "%s: input must be 4-dimensional%s", op, sl_shape_text(text, in));
    if (filter.rank != 4) return sl_invalid(k, "%s: filter must be 4-dimensional%s", op, sl_shape_text(text, filter));
    *c = (struct sl_conv_spec){.in = sl_image_of(w, in.dims), .groups = 1, .size = {1, filter.dims[0], filter.dims[1]}};
    if (c->in.channels != filter.dims[2])
        return sl_invalid(k, "input and filter must have the same depth: %" PRId64 " vs %" PRId64, c->in.channels,
                          filter.dims[2]);
    memcpy(c->stride, w->stride, sizeof c->stride);
    memcpy(c->dilation, w->dilation, sizeof c->dilation);
    c->out.batch = c->in.batch;
    if (__builtin_mul_overflow(c->in.channels, filter.dims[3], &c->out.channels))
        return sl_invalid(k, "%s: too many channels", op);
    return sl_window_fit(c->out.space, c->before, w, c->in.space, c->size, k->err);
}

static sl_code check_grad(const struct sl_conv_spec *c, struct sl_kernel_context *k, struct sl_view grad) {
    char text[SL_SHAPE_TEXT];
    const char *op = k->node->def->op;
    static const char *const side[SL_SPACE] = {"planes", "rows", "columns"};
    if (grad.rank != 4)
        return sl_invalid(k, "%s: out_backprop must be 4-dimensional%s", op, sl_shape_text(text, sl_view_shape(grad)));
    struct sl_image image = sl_image_of(k->state, grad.dims);
    if (image.batch != c->out.batch)
        return sl_invalid(k, "%s: input and out_backprop must have the same batch size", op);
    if (image.channels != c->out.channels)
        return sl_invalid(k, "%s: depth_multiplier * in_depth not equal to out_depth", op);
    for (int d = 0; d < SL_SPACE; d++)
        if (image.space[d] != c->out.space[d])
            return sl_invalid(k,
                              "%s: Number of %s of out_backprop doesn't match computed: actual = %" PRId64
                              ", computed = %" PRId64,
                              op, side[d], image.space[d], c->out.space[d]);
    return SL_OK;
}

/* Two images and a filter, one of them the output. */
struct data {
    struct sl_channels_last a, b;
    struct sl_wide filter;
    struct sl_fused_args args;
};
static void data_free(struct data *d) {
    sl_fused_args_free(&d->args);
    sl_channels_last_free(&d->a);
    sl_channels_last_free(&d->b);
    sl_wide_free(&d->filter);
}

static sl_code forward(struct sl_kernel_context *k, struct sl_conv_spec *c, struct sl_view in, struct sl_view filter,
                       struct sl_view out) {
    struct state *s = k->state;
    struct data d = {0};
    sl_code code = sl_channels_last_in(&d.a, k, k->state, in);
    if (code == SL_OK) code = sl_wide_in(&d.filter, k, filter);
    if (code == SL_OK) code = sl_channels_last_out(&d.b, k, k->state, out);
    if (code == SL_OK && sl_fused_ops_are_any(&s->fused)) {
        code = sl_fused_args_read(&d.args, k, &s->fused, 2, c->out.channels, out, &s->window, &s->kept);
        d.args.epilogue.results = d.b.data;
        c->epilogue = &d.args.epilogue;
    }
    c->is_double = d.filter.dtype == SL_DOUBLE;
    if (code == SL_OK) code = sl_depthwise_forward(k, c, d.a.data, d.filter.data, d.b.data);
    if (code == SL_OK) sl_channels_last_store(&d.b, k, k->state, out);
    data_free(&d);
    return code;
}

/* With a 1 x 1 convolution before. */
static sl_code expand(struct sl_kernel_context *k, struct sl_conv_spec *expanded, struct sl_conv_spec *c, int first,
                      struct sl_view out) {
    struct state *s = k->state;
    struct sl_fused_args args[2] = {{.bytes = 0}};
    sl_code code = sl_fused_args_read(&args[0], k, &s->expand.fused, first + 1, expanded->out.channels, out, NULL,
                                      &s->expand.kept);
    if (code == SL_OK) code = sl_fused_args_read(&args[1], k, &s->fused, 2, c->out.channels, out, &s->window, &s->kept);
    args[1].epilogue.results = out.data;
    expanded->epilogue = &args[0].epilogue;
    c->epilogue = &args[1].epilogue;
    expanded->rounds = sl_fpmath_rounds(SL_FLOAT);
    expanded->packing = s->expand.has_constant_filter ? &s->expand.packing : NULL;
    if (code == SL_OK)
        code =
            sl_expand_run(k, expanded, c,
                          &(struct sl_expand_data){sl_in(k, 0).data, sl_in(k, first).data, sl_in(k, 1).data, out.data});
    for (int i = 0; i < 2; i++) sl_fused_args_free(&args[i]);
    return code;
}

static sl_code expand_run(struct sl_kernel_context *k) {
    const struct state *s = k->state;
    struct sl_conv_spec expanded, c;
    struct sl_fused_out o;
    const int first = sl_in_count(k) - s->expand.args;
    int64_t dims[SL_SPACE + 2], between[SL_SPACE + 2];
    SL_TRY(sl_expand_plan(&expanded, k, sl_view_shape(sl_in(k, 0)), first));
    SL_TRY(plan(&c, k, sl_image_shape(between, &s->window, &expanded.out), sl_view_shape(sl_in(k, 1))));
    if (c.out.channels != c.in.channels) return sl_invalid(k, "What is expanded has one result for each channel");
    SL_TRY(sl_fused_out_new(&o, k, &s->fused, 2, sl_image_shape(dims, &s->window, &c.out), &s->window));
    return sl_fused_out_end(&o, k, &s->fused, o.plain.count ? expand(k, &expanded, &c, first, o.plain) : SL_OK);
}

static sl_code forward_run(struct sl_kernel_context *k) {
    const struct state *s = k->state;
    struct sl_view in = sl_in(k, 0), filter = sl_in(k, 1);
    struct sl_fused_out o;
    struct sl_conv_spec c;
    int64_t dims[SL_SPACE + 2];
    if (s->expand.args) return expand_run(k);
    SL_TRY(plan(&c, k, sl_view_shape(in), sl_view_shape(filter)));
    SL_TRY(sl_fused_out_new(&o, k, &s->fused, 2, sl_image_shape(dims, &s->window, &c.out), &s->window));
    return sl_fused_out_end(&o, k, &s->fused, o.plain.count ? forward(k, &c, in, filter, o.plain) : SL_OK);
}

static sl_code input_grad_run(struct sl_kernel_context *k) {
    struct sl_view filter = sl_in(k, 1), grad = sl_in(k, 2), out;
    struct sl_shape shape;
    struct sl_conv_spec c;
    struct data d = {0};
    int64_t dims[SL_MAX_RANK];
    SL_TRY(sl_in_shape(&shape, dims, k, 0, "input_sizes"));
    SL_TRY(plan(&c, k, shape, sl_view_shape(filter)));
    SL_TRY(check_grad(&c, k, grad));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    if (out.count == 0) return SL_OK;
    sl_code code = sl_channels_last_in(&d.a, k, k->state, grad);
    if (code == SL_OK) code = sl_wide_in(&d.filter, k, filter);
    if (code == SL_OK) code = sl_channels_last_out(&d.b, k, k->state, out);
    c.is_double = d.filter.dtype == SL_DOUBLE;
    if (code == SL_OK) code = sl_depthwise_input_grad(k, &c, d.filter.data, d.a.data, d.b.data);
    if (code == SL_OK) sl_channels_last_store(&d.b, k, k->state, out);
    data_free(&d);
    return code;
}

static sl_code filter_grad_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), grad = sl_in(k, 2), out;
    struct sl_shape shape;
    struct sl_conv_spec c;
    struct data d = {0};
    int64_t dims[SL_MAX_RANK];
    SL_TRY(sl_in_shape(&shape, dims, k, 1, "filter_sizes"));
    SL_TRY(plan(&c, k, sl_view_shape(in), shape));
    SL_TRY(check_grad(&c, k, grad));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    if (!in.count || !grad.count || !out.count) { /* there may be many images of no pixels */
        memset(out.data, 0, (size_t)out.count * sl_dtype_size(out.dtype));
        return SL_OK;
    }
    sl_code code = sl_channels_last_in(&d.a, k, k->state, in);
    if (code == SL_OK) code = sl_channels_last_in(&d.b, k, k->state, grad);
    if (code == SL_OK) code = sl_wide_out(&d.filter, k, out);
    c.is_double = d.filter.dtype == SL_DOUBLE;
    if (code == SL_OK) code = sl_depthwise_filter_grad(k, &c, d.a.data, d.b.data, d.filter.data);
    if (code == SL_OK) sl_wide_store(&d.filter, k, out);
    data_free(&d);
    return code;
}

/* In one step, as KERNEL is. */
#define DEPTHWISE(op_, run_, flags_, ...)                                                                              \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {{"T", SL_SET_FLOATS}},                                                                                  \
     .create = depthwise_create,                                                                                       \
     .destroy = depthwise_destroy,                                                                                     \
     .run = run_,                                                                                                      \
     .flags = flags_,                                                                                                  \
     .cost_ns = 300,                                                                                                   \
     .cost_element = 3,                                                                                                \
     .data = &(const struct row){__VA_ARGS__}},

/* clang-format off */
const struct sl_kernel_def sl_cpu_depthwise_rows[] = {
    DEPTHWISE("DepthwiseConv2dNative", forward_run, 0, .is_gradient = false)
    DEPTHWISE("_FusedDepthwiseConv2dNative", forward_run, SL_KERNEL_OWN, .is_fused = true)
    DEPTHWISE("DepthwiseConv2dNativeBackpropInput", input_grad_run, 0, .is_gradient = true)
    DEPTHWISE("DepthwiseConv2dNativeBackpropFilter", filter_grad_run, 0, .is_gradient = true)
    SL_ROWS_END
};
/* clang-format on */
