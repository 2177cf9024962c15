/* Convolutions (sluice/layers.h) over one or two dimensions, there and back: those over one dimension are those over
 * two, of height 1. */
#include "front/front.h"
#include "front/front_layers.h"
#include "front/front_options.h"
#include "sluice/layers.h"
#include "sluice/ops.h"

/* One under way. */
struct conv {
    struct sl_scope *s;
    const char *layer; /* the function's name */
    struct sl_conv_options o;
    int n_space; /* dimensions that the window moves along: 1 or 2 */
    int64_t inputs, channels, window;
};

static bool conv_init(struct conv *c, struct sl_scope *s, TF_Output x, const struct sl_conv_options *options) {
    if (!sl_scope_ok(s) || !SL_OPTIONS_TAKE(&c->o, sl_conv_options, activation, options, s->status)) return false;
    c->s = s;
    c->inputs = sl_layer_last_size(s, x, c->layer);
    if (!c->o.stride) c->o.stride = 1;
    if (!c->o.dilation) c->o.dilation = 1;
    if (sl_scope_ok(s) && sl_rank_of(s, x) != c->n_space + 2)
        sl_status_fail(s->status, SL_INVALID_ARGUMENT, "%s: the input has rank %d, not %d", c->layer, sl_rank_of(s, x),
                       c->n_space + 2);
    if (sl_scope_ok(s) && (c->o.stride < 1 || c->o.dilation < 1 || c->window < 1 || c->channels < 1))
        sl_status_fail(s->status, SL_INVALID_ARGUMENT, "%s: sizes, the stride and the dilation must be above 0",
                       c->layer);
    if (sl_scope_ok(s) && (unsigned)c->o.padding > SL_CONV_CAUSAL)
        sl_status_fail(s->status, SL_INVALID_ARGUMENT, "%s: there is no such padding", c->layer);
    return sl_scope_ok(s);
}

/* The kernel as a window of two dimensions; `from` and `to` are its last two sizes. */
static TF_Output make_kernel(const struct conv *c, TF_DataType type, int64_t from, int64_t to) {
    const struct sl_dims shape =
        c->n_space == 1 ? SL_SHAPE(c->window, from, to) : SL_SHAPE(c->window, c->window, from, to);
    struct sl_var kernel = sl_variable(c->s, "kernel", sl_initial_glorot(c->s, type, shape));
    return c->n_space == 1 ? sl_expand_dims(c->s, kernel.value, sl_scalar(c->s, TF_INT32, 0)) : kernel.value;
}

static TF_Output as_image(const struct conv *c, TF_Output x) {
    return c->n_space == 1 ? sl_expand_dims(c->s, x, sl_scalar(c->s, TF_INT32, 1)) : x;
}

/* What comes behind the convolution. */
static TF_Output finish(const struct conv *c, TF_Output y, TF_DataType type) {
    if (!c->o.no_bias)
        y = sl_bias_add(c->s, y, sl_variable(c->s, "bias", sl_initial_zeros(c->s, type, SL_SHAPE(c->channels))).value);
    if (c->n_space == 1) y = sl_squeeze_with(c->s, y, (struct sl_squeeze_attrs){.squeeze_dims = SL_INTS(1)});
    return sl_activate(c->s, y, c->o.activation);
}

/* Zeros in front of the first position, so that none sees what comes later. */
static TF_Output pad_front(const struct conv *c, TF_Output x) {
    int32_t room[3][2] = {{0, 0}, {(int32_t)(c->o.dilation * (c->window - 1)), 0}, {0, 0}};
    return sl_pad(c->s, x, sl_constant_of(c->s, TF_INT32, SL_SHAPE(3, 2), room));
}

static TF_Output conv(struct conv *c, const char *name, TF_Output x) {
    TF_DataType type = sl_type_of(c->s, x);
    int64_t stride = c->o.stride, dilation = c->o.dilation, of_height = c->n_space == 1 ? 1 : stride,
            dilation_of_height = c->n_space == 1 ? 1 : dilation;
    if (c->o.padding == SL_CONV_CAUSAL && c->n_space != 1)
        sl_scope_fail(c->s, TF_INVALID_ARGUMENT, "sl_layer_conv2d_with: causal padding is for sequences");
    sl_push_name(c->s, name);
    TF_Output kernel = make_kernel(c, type, c->inputs, c->channels);
    if (c->o.padding == SL_CONV_CAUSAL) x = pad_front(c, x);
    const struct sl_conv2d_attrs attrs = {.strides = SL_INTS(1, of_height, stride, 1),
                                          .dilations = SL_INTS(1, dilation_of_height, dilation, 1),
                                          .padding = c->o.padding == SL_CONV_SAME ? "SAME" : "VALID"};
    TF_Output y = finish(c, sl_conv2d(c->s, as_image(c, x), kernel, attrs), type);
    sl_pop(c->s);
    return y;
}

SL_API TF_Output sl_layer_conv1d(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                 int64_t window, const struct sl_conv_options *options) {
    struct conv c = {.layer = "sl_layer_conv1d", .n_space = 1, .channels = channels, .window = window};
    return conv_init(&c, scope, x, options) ? conv(&c, name, x) : sl_op_first(NULL);
}

SL_API TF_Output sl_layer_conv2d_with(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                      int64_t window, const struct sl_conv_options *options) {
    struct conv c = {.layer = "sl_layer_conv2d_with", .n_space = 2, .channels = channels, .window = window};
    return conv_init(&c, scope, x, options) ? conv(&c, name, x) : sl_op_first(NULL);
}

SL_API TF_Output sl_layer_conv2d(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                 int64_t window, int64_t stride, enum sl_activation activation) {
    const struct sl_conv_options options = SL_OPTIONS(sl_conv_options, .stride = stride, .activation = activation);
    struct conv c = {.layer = "sl_layer_conv2d", .n_space = 2, .channels = channels, .window = window};
    return conv_init(&c, scope, x, &options) ? conv(&c, name, x) : sl_op_first(NULL);
}

/* ---- there and back */
/* How many positions the result has beyond stride times those of x: a window that goes over the edge. */
static int64_t beyond(const struct conv *c) {
    return c->o.padding == SL_CONV_VALID && c->window > c->o.stride ? c->window - c->o.stride : 0;
}

/* The sizes of the result, as an image. */
static TF_Output sizes_back(const struct conv *c, TF_Output x) {
    struct sl_scope *s = c->s;
    TF_Output space = sl_mul(s, sl_layer_sizes(s, x, 1, c->n_space), sl_scalar(s, TF_INT32, (double)c->o.stride));
    space = sl_add_v2(s, space, sl_scalar(s, TF_INT32, (double)beyond(c)));
    const TF_Output parts[] = {sl_layer_sizes(s, x, 0, 1), sl_int_vector(s, SL_INTS(1)), space,
                               sl_int_vector(s, SL_INTS(c->channels))},
                    of_image[] = {parts[0], parts[2], parts[3]};
    TF_Output axis = sl_scalar(s, TF_INT32, 0);
    return c->n_space == 1 ? sl_concat_v2(s, parts, 4, axis) : sl_concat_v2(s, of_image, 3, axis);
}

/* Tells inference what it does not see in sizes that are values. */
static void give_shape(const struct conv *c, TF_Output y, TF_Output x) {
    int64_t dims[4] = {sl_size_of(c->s, x, 0)};
    for (int i = 1; i <= c->n_space; i++) {
        int64_t size = sl_size_of(c->s, x, i);
        dims[i] = size < 0 ? -1 : size * c->o.stride + beyond(c);
    }
    dims[c->n_space + 1] = c->channels;
    if (sl_scope_ok(c->s)) sl_scope_set_shape(c->s, y, dims, c->n_space + 2);
}

static TF_Output conv_back(struct conv *c, const char *name, TF_Output x) {
    TF_DataType type = sl_type_of(c->s, x);
    if (c->o.padding == SL_CONV_CAUSAL || c->o.dilation != 1)
        sl_status_fail(c->s->status, SL_UNIMPLEMENTED, "%s: causal padding and dilation", c->layer);
    sl_push_name(c->s, name);
    TF_Output kernel = make_kernel(c, type, c->channels, c->inputs);
    const struct sl_conv2d_backprop_input_attrs attrs = {.strides = SL_INTS(1, c->n_space == 1 ? 1 : c->o.stride,
                                                                            c->o.stride, 1),
                                                         .padding = c->o.padding == SL_CONV_SAME ? "SAME" : "VALID"};
    TF_Output y = sl_conv2d_backprop_input(c->s, sizes_back(c, x), kernel, as_image(c, x), attrs);
    y = finish(c, y, type);
    if (sl_scope_ok(c->s)) give_shape(c, y, x);
    sl_pop(c->s);
    return sl_scope_ok(c->s) ? y : sl_op_first(NULL);
}

SL_API TF_Output sl_layer_conv1d_transposed(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                            int64_t window, const struct sl_conv_options *options) {
    struct conv c = {.layer = "sl_layer_conv1d_transposed", .n_space = 1, .channels = channels, .window = window};
    return conv_init(&c, scope, x, options) ? conv_back(&c, name, x) : sl_op_first(NULL);
}

SL_API TF_Output sl_layer_conv2d_transposed(struct sl_scope *scope, const char *name, TF_Output x, int64_t channels,
                                            int64_t window, const struct sl_conv_options *options) {
    struct conv c = {.layer = "sl_layer_conv2d_transposed", .n_space = 2, .channels = channels, .window = window};
    return conv_init(&c, scope, x, options) ? conv_back(&c, name, x) : sl_op_first(NULL);
}
