/* Conv2D, Conv3D and their gradients: attrs, shapes, formats, types. conv.c does the rest. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/product/channels_last.h"
#include "backends/cpu/product/conv.h"
#include "backends/cpu/product/conv_integers.h"
#include "backends/cpu/product/conv_tiles.h"
#include "backends/cpu/product/fake_quant_conv.h"
#include "backends/cpu/product/fpmath.h"
#include "backends/cpu/product/fused_ops.h"
#include "backends/cpu/product/onednn.h"
#include "base/alloc.h"
#include "base/checked.h"

enum kind { FORWARD, INPUT_GRAD, FILTER_GRAD };

struct row {
    uint8_t kind, n;            /* enum kind; spatial dims, 0: as attrs say */
    sl_code stride_code;        /* what strides and ... */
    sl_code dilation_code;      /* ... dilations over batch or channels answer */
    const char *fused;          /* has the attr `fused_ops`: how errors call the op */
    bool takes_tensor_for_size; /* the first versions of gradients: a tensor where the others have its shape */
};

struct state {
    struct sl_window window; /* first: what takes a window may be given a state */
    int64_t groups;          /* the attr; 0: as many as the depths make */
    struct sl_fused_ops fused;
    struct sl_fused_kept kept;
    bool has_constant_filter;
    struct sl_packing packing; /* of the constant filter */
    struct sl_onednn_plans onednn;
    struct sl_fake_quant_conv fake_quant; /* of a forward convolution */
};

/* Args of the type computed in follow input and filter; `host_args` are not read. */
static sl_code read_fused(struct state *s, struct sl_kernel_setup *setup, const char *what) {
    int64_t host_args = 0;
    struct sl_str format = SL_STR("HWIO");
    if (sl_attr_find(setup->attrs, SL_STR("num_host_args")))
        SL_TRY(sl_attr_int(&host_args, setup->attrs, "num_host_args", setup->err));
    if (sl_attr_find(setup->attrs, SL_STR("filter_format")))
        SL_TRY(sl_attr_string(&format, setup->attrs, "filter_format", setup->err));
    if (!sl_str_is(format, "HWIO"))
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "Fused %s takes filters of format HWIO alone", what);
    return sl_fused_ops_read(&s->fused, setup, what, setup->n_in - 2 - (int)host_args);
}

static void conv_destroy(void *state) {
    struct state *s = state;
    sl_packing_clear(&s->packing);
    sl_fused_kept_clear(&s->kept);
    sl_onednn_plans_clear(&s->onednn);
    sl_fake_quant_conv_clear(&s->fake_quant);
    sl_free(s);
}

static sl_code conv_create(void **state, struct sl_kernel_setup *setup) {
    const struct row *row = setup->def->data;
    struct sl_window w;
    int64_t groups = 0;
    int n = row->n;
    if (n == 0) { /* as many dims as there are strides */
        const int64_t *strides;
        SL_TRY(sl_attr_int_list(&strides, &n, setup->attrs, "strides", setup->err));
        n -= 2;
        if (n != 2 && n != 3)
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "strides must have 4 or 5 values, got %d", n + 2);
        SL_TRY(sl_attr_int(&groups, setup->attrs, "groups", setup->err));
        if (groups < 1)
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "groups must be positive, got %" PRId64, groups);
    }
    SL_TRY(sl_window_read(&w, setup, n));
    SL_TRY(sl_window_check(&w, setup->err));
    if (w.batch_stride != 1 || w.channel_stride != 1)
        return sl_fail(setup->err, row->stride_code,
                       "Current implementation does not yet support strides in the batch and depth dimensions.");
    if (w.batch_dilation != 1 || w.channel_dilation != 1)
        return sl_fail(setup->err, row->dilation_code,
                       "Current implementation does not yet support dilations in the batch and depth dimensions.");
    struct state s = {.window = w, .groups = groups};
    if (row->fused) SL_TRY(read_fused(&s, setup, row->fused));
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    made->has_constant_filter = row->kind == FORWARD && setup->constant_in & 2;
    sl_packing_init(&made->packing);
    sl_fused_kept_init(&made->kept, &made->fused, setup, 2);
    sl_onednn_plans_init(&made->onednn);
    sl_code code = sl_fake_quant_conv_init(&made->fake_quant, setup);
    if (code == SL_OK) *state = made;
    else conv_destroy(made);
    return code;
}

/* ---- shapes */
static sl_code check_rank(struct sl_kernel_context *k, const char *what, struct sl_shape s) {
    const struct sl_window *w = k->state;
    char text[SL_SHAPE_TEXT];
    if (s.rank == w->n + 2) return SL_OK;
    return sl_invalid(k, "%s: %s must be %d-dimensional: %s", k->node->def->op, what, w->n + 2, sl_shape_text(text, s));
}

/* Completes a convolution whose images' batch, space and channels, as far as they are given, are known. */
static sl_code plan_conv(struct sl_conv_spec *c, struct sl_kernel_context *k, struct sl_shape in,
                         struct sl_shape filter) {
    struct state *s = k->state;
    const struct sl_window *w = &s->window;
    SL_TRY(check_rank(k, "input", in));
    SL_TRY(check_rank(k, "filter", filter));
    *c = (struct sl_conv_spec){.in = sl_image_of(w, in.dims), .onednn = &s->onednn};
    for (int d = 0; d < SL_SPACE; d++) {
        c->size[d] = d < SL_SPACE - w->n ? 1 : filter.dims[d - (SL_SPACE - w->n)];
        c->stride[d] = w->stride[d];
        c->dilation[d] = w->dilation[d];
    }
    for (int d = 0; d < filter.rank; d++)
        if (filter.dims[d] == 0)
            return sl_invalid(k, "filter must not have zero elements (i.e. all dimensions must be non-zero)");
    int64_t depth = filter.dims[w->n], out_depth = filter.dims[w->n + 1];
    if (c->in.channels == 0 || c->in.channels % depth != 0)
        return sl_invalid(k, "input depth must be evenly divisible by filter depth: %" PRId64 " vs %" PRId64,
                          c->in.channels, depth);
    c->groups = c->in.channels / depth;
    if (s->groups && c->groups != s->groups)
        return sl_invalid(k, "input depth must be filter depth times groups: %" PRId64 " vs %" PRId64 " times %" PRId64,
                          c->in.channels, depth, s->groups);
    if (out_depth % c->groups != 0)
        return sl_invalid(k, "output depth must be evenly divisible by number of groups: %" PRId64 " vs %" PRId64,
                          out_depth, c->groups);
    c->out.batch = c->in.batch;
    c->out.channels = out_depth;
    return sl_window_fit(c->out.space, c->before, w, c->in.space, c->size, k->err);
}

/* The output's gradient must have the shape of the output. */
static sl_code check_grad(const struct sl_conv_spec *c, struct sl_kernel_context *k, struct sl_view grad) {
    const struct sl_window *w = k->state;
    SL_TRY(check_rank(k, "out_backprop", sl_view_shape(grad)));
    struct sl_image image = sl_image_of(w, grad.dims);
    const char *op = k->node->def->op;
    if (image.batch != c->out.batch)
        return sl_invalid(k, "%s: input and out_backprop must have the same batch size", op);
    if (image.channels != c->out.channels)
        return sl_invalid(k, "%s: filter and out_backprop must have the same out_depth", op);
    for (int d = 0; d < SL_SPACE; d++)
        if (image.space[d] != c->out.space[d])
            return sl_invalid(k,
                              "%s: Size of out_backprop doesn't match computed: actual = %" PRId64
                              ", computed = %" PRId64 " input: %" PRId64 " filter: %" PRId64 " stride: %" PRId64
                              " dilation: %" PRId64,
                              op, image.space[d], c->out.space[d], c->in.space[d], c->size[d], c->stride[d],
                              c->dilation[d]);
    return SL_OK;
}

/* ---- running */
struct images {
    struct sl_channels_last a, to;
    struct sl_wide filter;
    struct sl_fused_args args;
};
static void images_free(struct images *m) {
    sl_fused_args_free(&m->args);
    sl_channels_last_free(&m->a);
    sl_channels_last_free(&m->to);
    sl_wide_free(&m->filter);
}

static bool may_go_by_tiles(const struct state *s, int dtype) {
    return dtype == SL_BFLOAT16 && !s->window.channels_first && !sl_fused_ops_are_any(&s->fused);
}

static sl_code forward(struct sl_kernel_context *k, struct sl_conv_spec *c, struct sl_view in, struct sl_view filter,
                       struct sl_view out) {
    struct state *s = k->state;
    const struct sl_window *w = &s->window;
    struct images m = {0};
    if (may_go_by_tiles(s, in.dtype) && sl_conv_tiles_pay(c)) {
        c->packing = s->has_constant_filter ? &s->packing : NULL;
        return sl_conv_forward_by_tiles(k, c, in.data, filter.data, out.data);
    }
    sl_code code = sl_channels_last_in(&m.a, k, w, in);
    if (code == SL_OK) code = sl_wide_in(&m.filter, k, filter);
    if (code == SL_OK) code = sl_channels_last_out(&m.to, k, w, out);
    if (code == SL_OK && sl_fused_ops_are_any(&s->fused)) {
        code = sl_fused_args_read(&m.args, k, &s->fused, 2, c->out.channels, out, w, &s->kept);
        m.args.epilogue.results = m.to.data;
        c->epilogue = &m.args.epilogue;
    }
    if (code == SL_OK) {
        c->is_double = m.filter.dtype == SL_DOUBLE;
        c->rounds = sl_fpmath_rounds(in.dtype);
        c->packing = s->has_constant_filter ? &s->packing : NULL;
        if (m.filter.dtype == SL_INT32) sl_conv_integers(k, c, m.a.data, m.filter.data, m.to.data);
        else if (s->fake_quant.is_there)
            code = sl_fake_quant_conv_forward(&s->fake_quant, k, c, m.a.data, m.filter.data, m.to.data);
        else code = sl_conv_forward(k, c, m.a.data, m.filter.data, m.to.data);
    }
    if (code == SL_OK) sl_channels_last_store(&m.to, k, w, out);
    images_free(&m);
    return code;
}

static sl_code forward_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), filter = sl_in(k, 1);
    const struct state *s = k->state;
    struct sl_fused_out o;
    struct sl_conv_spec c;
    int64_t dims[SL_SPACE + 2];
    SL_TRY(plan_conv(&c, k, sl_view_shape(in), sl_view_shape(filter)));
    SL_TRY(sl_fused_out_new(&o, k, &s->fused, 2, sl_image_shape(dims, &s->window, &c.out), &s->window));
    return sl_fused_out_end(&o, k, &s->fused, o.plain.count ? forward(k, &c, in, filter, o.plain) : SL_OK);
}

/* Conv: all dims before the last of the batch are batches of batches. */
static sl_code batches_run(struct sl_kernel_context *k) {
    const struct sl_window *w = k->state;
    struct sl_view in = sl_in(k, 0), filter = sl_in(k, 1), out;
    struct sl_conv_spec c;
    int more = in.rank - (w->n + 2);
    int64_t dims[SL_SPACE + 2], folded[SL_SPACE + 2], whole[SL_MAX_RANK];
    if (more <= 0) return forward_run(k);
    folded[0] = 1;
    for (int d = 0; d <= more; d++)
        if (!sl_mul_i64(&folded[0], folded[0], in.dims[d])) return sl_invalid(k, "the batch is too large");
    memcpy(folded + 1, in.dims + more + 1, (size_t)(w->n + 1) * sizeof *folded);
    in.rank = w->n + 2;
    const int64_t *batches = in.dims;
    in.dims = folded;
    SL_TRY(plan_conv(&c, k, sl_view_shape(in), sl_view_shape(filter)));
    struct sl_shape shape = sl_image_shape(dims, w, &c.out);
    memcpy(whole, batches, (size_t)(more + 1) * sizeof *whole);
    memcpy(whole + more + 1, dims + 1, (size_t)(w->n + 1) * sizeof *whole);
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){shape.rank + more, whole}));
    out.rank = shape.rank;
    out.dims = shape.dims;
    return out.count ? forward(k, &c, in, filter, out) : SL_OK;
}

/* The shape that input i gives: as a vector, or the shape of the tensor itself. Two values are height and width, and
 * the rest follows. */
static sl_code read_sizes(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k, int i,
                          struct sl_view filter, struct sl_view grad) {
    const struct row *row = k->node->def->data;
    const struct sl_window *w = k->state;
    if (row->takes_tensor_for_size) {
        *out = sl_view_shape(sl_in(k, i));
        return SL_OK;
    }
    int rank = sl_in(k, i).rank;
    if (rank != 1 && row->kind == FILTER_GRAD && w->n == 3)
        return sl_invalid(k, "filter_sizes shape must be rank 1 but is rank %d", rank);
    SL_TRY(sl_in_shape(out, dims, k, i, row->kind == FILTER_GRAD ? "filter_sizes" : "input_sizes"));
    if (out->rank != 2 || w->n != 2 || row->kind != INPUT_GRAD || filter.rank != 4 || grad.rank != 4) return SL_OK;
    struct sl_image image = {.batch = grad.dims[0], .space = {1, dims[0], dims[1]}, .channels = filter.dims[2]};
    *out = sl_image_shape(dims, w, &image);
    return SL_OK;
}

static sl_code input_grad(struct sl_kernel_context *k, struct sl_conv_spec *c, struct sl_view filter,
                          struct sl_view grad, struct sl_view out) {
    const struct sl_window *w = k->state;
    struct images m = {0};
    if (may_go_by_tiles(k->state, out.dtype) && sl_conv_tiles_pay_for_input_grad(c))
        return sl_conv_input_grad_by_tiles(k, c, filter.data, grad.data, out.data);
    sl_code code = sl_channels_last_in(&m.a, k, w, grad);
    if (code == SL_OK) code = sl_wide_in(&m.filter, k, filter);
    if (code == SL_OK) code = sl_channels_last_out(&m.to, k, w, out);
    if (code == SL_OK) {
        c->is_double = m.filter.dtype == SL_DOUBLE;
        if (m.filter.dtype == SL_INT32) sl_conv_integers_input_grad(k, c, m.filter.data, m.a.data, m.to.data);
        else code = sl_conv_input_grad(k, c, m.filter.data, m.a.data, m.to.data);
    }
    if (code == SL_OK) sl_channels_last_store(&m.to, k, w, out);
    images_free(&m);
    return code;
}

static sl_code input_grad_run(struct sl_kernel_context *k) {
    struct sl_view filter = sl_in(k, 1), grad = sl_in(k, 2), out;
    struct sl_shape shape;
    struct sl_conv_spec c;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(read_sizes(&shape, dims, k, 0, filter, grad));
    SL_TRY(plan_conv(&c, k, shape, sl_view_shape(filter)));
    SL_TRY(check_grad(&c, k, grad));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    return out.count ? input_grad(k, &c, filter, grad, out) : SL_OK;
}

static sl_code filter_grad(struct sl_kernel_context *k, struct sl_conv_spec *c, struct sl_view in, struct sl_view grad,
                           struct sl_view out) {
    const struct sl_window *w = k->state;
    struct images m = {0};
    sl_code code = sl_channels_last_in(&m.a, k, w, in);
    if (code == SL_OK) code = sl_channels_last_in(&m.to, k, w, grad);
    if (code == SL_OK) code = sl_wide_out(&m.filter, k, out);
    if (code == SL_OK) {
        c->is_double = m.filter.dtype == SL_DOUBLE;
        if (sl_conv_filter_grad_is_rounded(c, out.dtype))
            sl_conv_filter_grad_rounded(k, c, out.dtype, w->n == 3, m.a.data, m.to.data, m.filter.data);
        else code = sl_conv_filter_grad(k, c, m.a.data, m.to.data, m.filter.data);
    }
    if (code == SL_OK) sl_wide_store(&m.filter, k, out);
    images_free(&m);
    return code;
}

static sl_code filter_grad_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), grad = sl_in(k, 2), out;
    struct sl_shape shape;
    struct sl_conv_spec c;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(read_sizes(&shape, dims, k, 1, in, grad));
    SL_TRY(plan_conv(&c, k, sl_view_shape(in), shape));
    SL_TRY(check_grad(&c, k, grad));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    if (in.count && grad.count && out.count) return filter_grad(k, &c, in, grad, out);
    memset(out.data, 0, (size_t)out.count * sl_dtype_size(out.dtype)); /* there may be many images of no pixels */
    return SL_OK;
}

/* In one step, as KERNEL is. */
#define CONV(op_, rules, run_, ...)                                                                                    \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {rules},                                                                                                 \
     .create = conv_create,                                                                                            \
     .destroy = conv_destroy,                                                                                          \
     .run = run_,                                                                                                      \
     .flags = SL_KERNEL_OWN,                                                                                           \
     .cost_ns = 500,                                                                                                   \
     .cost_element = 10,                                                                                               \
     .data = &(const struct row){__VA_ARGS__}},
#define IN_2D       .n = 2, .stride_code = SL_UNIMPLEMENTED, .dilation_code = SL_UNIMPLEMENTED
#define GRAD_2D     .n = 2, .stride_code = SL_INVALID_ARGUMENT, .dilation_code = SL_INVALID_ARGUMENT
#define IN_3D       .n = 3, .stride_code = SL_INVALID_ARGUMENT, .dilation_code = SL_INVALID_ARGUMENT
#define INT_TYPES   (SL_SET_FLOATS | SL_SET(INT32))
#define SHAPE_TYPES (SL_SET(INT32) | SL_SET(INT64))

/* clang-format off */
const struct sl_kernel_def sl_cpu_conv_rows[] = {
    CONV("Conv", RULE("T", INT_TYPES), batches_run, .kind = FORWARD, .stride_code = SL_INVALID_ARGUMENT, .dilation_code = SL_INVALID_ARGUMENT)
    CONV("Conv2D", RULE("T", INT_TYPES), forward_run, .kind = FORWARD, IN_2D)
    CONV("_FusedConv2D", RULE("T", SL_SET(HALF) | SL_SET(FLOAT) | SL_SET(DOUBLE)), forward_run, .kind = FORWARD, .fused = "Conv2D", IN_2D)
    CONV("Conv2DBackpropInput", RULE("T", INT_TYPES), input_grad_run, .kind = INPUT_GRAD, IN_2D)
    CONV("Conv2DBackpropFilter", RULE("T", SL_SET_FLOATS), filter_grad_run, .kind = FILTER_GRAD, GRAD_2D)
    CONV("Conv3D", RULE("T", SL_SET_FLOATS), forward_run, .kind = FORWARD, IN_3D)
    CONV("_FusedConv3D", RULE("T", SL_SET(HALF) | SL_SET(BFLOAT16) | SL_SET(FLOAT)), forward_run, .kind = FORWARD, .fused = "Conv3D", IN_3D)
    CONV("Conv3DBackpropInput", RULE("T", SL_SET_FLOATS), input_grad_run, .kind = INPUT_GRAD, IN_3D, .takes_tensor_for_size = true)
    CONV("Conv3DBackpropInputV2", RULE("T", SL_SET_FLOATS) RULE("Tshape", SHAPE_TYPES), input_grad_run, .kind = INPUT_GRAD, IN_3D)
    CONV("Conv3DBackpropFilter", RULE("T", SL_SET_FLOATS), filter_grad_run, .kind = FILTER_GRAD, IN_3D, .takes_tensor_for_size = true)
    CONV("Conv3DBackpropFilterV2", RULE("T", SL_SET_FLOATS), filter_grad_run, .kind = FILTER_GRAD, IN_3D)
    SL_ROWS_END
};
/* clang-format on */
