/* Reads `fused_ops` and the inputs that belong to them. Vectors are made in the type computed in. */
#include "backends/cpu/fused_ops.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const activation_names[SL_ACTIVATIONS] = {
    [SL_ACTIVATION_NONE] = "",
    [SL_ACTIVATION_RELU] = "Relu",
    [SL_ACTIVATION_RELU6] = "Relu6",
    [SL_ACTIVATION_LEAKY_RELU] = "LeakyRelu",
    [SL_ACTIVATION_ELU] = "Elu",
    [SL_ACTIVATION_TANH] = "Tanh",
    [SL_ACTIVATION_SIGMOID] = "Sigmoid",
    [SL_ACTIVATION_GELU_EXACT] = "GeluExact",
    [SL_ACTIVATION_GELU_APPROXIMATE] = "GeluApproximate",
};

static sl_code refuse(const struct sl_str *ops, int n, struct sl_error *err) {
    char list[256] = "";
    size_t length = 0;
    for (int i = 0; i < n && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%.*s", i ? "," : "",
                                   ops[i].n < 64 ? (int)ops[i].n : 64, ops[i].p);
    return sl_fail(err, SL_UNIMPLEMENTED, "Fusion is not implemented: [%s]", list);
}

sl_code sl_fused_ops_read(struct sl_fused_ops *f, struct sl_kernel_setup *setup, const char *what, int args) {
    const struct sl_str *ops;
    int n, i = 0;
    *f = (struct sl_fused_ops){0};
    SL_TRY(sl_attr_string_list(&ops, &n, setup->attrs, "fused_ops", setup->err));
    SL_TRY(sl_attr_float(&f->epsilon, setup->attrs, "epsilon", setup->err));
    SL_TRY(sl_attr_float(&f->slope, setup->attrs, "leakyrelu_alpha", setup->err));
    if (n == 0) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Fused %s must have at least one fused op.", what);
    if (sl_str_is(ops[0], "BiasAdd")) f->adds_bias = true;
    if (sl_str_is(ops[0], "FusedBatchNorm")) f->normalises = true;
    i += f->adds_bias || f->normalises;
    if (i < n && sl_str_is(ops[i], "Add")) f->adds_side = true;
    i += f->adds_side;
    for (int a = SL_ACTIVATION_RELU; i < n && a < SL_ACTIVATIONS; a++)
        if (sl_str_is(ops[i], activation_names[a])) f->activation = (enum sl_activation)a;
    i += f->activation != SL_ACTIVATION_NONE;
    if (i < n) return refuse(ops, n, setup->err);
    if (f->normalises && args != 4 + f->adds_side)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Fused %s with batchnorm must have %d extra arguments, got %d",
                       what, 4 + f->adds_side, args);
    if (f->adds_bias && args != 1 + f->adds_side)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Fused %s must have %s", what,
                       f->adds_side ? "two extra arguments: bias and what is added." : "one extra argument: bias.");
    if (args < f->adds_side)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Fused %s must have one extra argument: what is added.", what);
    return SL_OK;
}

/* ---- the inputs of a run */
struct vectors {
    char *room;
    int64_t channels;
    bool is_double;
};
enum { MEAN, SCALE, OFFSET, VARIANCE, VECTORS };

static void *vector_of(const struct vectors *v, int i) { return v->room + i * v->channels * (v->is_double ? 8 : 4); }

static sl_code read_vector(const struct vectors *v, int to, struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view in = sl_in(k, i);
    struct sl_wide wide;
    char text[SL_SHAPE_TEXT];
    if (in.count != v->channels)
        return sl_invalid(k, "%s must have one value for each of %" PRId64 " channels, got shape %s", what, v->channels,
                          sl_shape_text(text, sl_view_shape(in)));
    if (sl_wide_type(in.dtype) != (v->is_double ? SL_DOUBLE : SL_FLOAT))
        return sl_invalid(k, "%s cannot be of type %s", what, sl_dtype_name(in.dtype));
    SL_TRY(sl_wide_in(&wide, k, in));
    memcpy(vector_of(v, to), wide.data, (size_t)v->channels * (v->is_double ? 8 : 4));
    sl_wide_free(&wide);
    return SL_OK;
}

static sl_code read_norm(const struct vectors *v, struct sl_kernel_context *k, int first, double epsilon) {
    SL_TRY(read_vector(v, SCALE, k, first, "scale"));
    SL_TRY(read_vector(v, OFFSET, k, first + 1, "offset"));
    SL_TRY(read_vector(v, MEAN, k, first + 2, "mean"));
    SL_TRY(read_vector(v, VARIANCE, k, first + 3, "variance"));
    for (int64_t c = 0; c < v->channels; c++) {
        if (v->is_double) {
            double *scale = vector_of(v, SCALE), *variance = vector_of(v, VARIANCE);
            scale[c] /= sqrt(variance[c] + epsilon);
        } else {
            float *scale = vector_of(v, SCALE), *variance = vector_of(v, VARIANCE);
            scale[c] = (float)((double)scale[c] / sqrt((double)variance[c] + epsilon));
        }
    }
    return SL_OK;
}

sl_code sl_fused_args_read(struct sl_fused_args *a, struct sl_kernel_context *k, const struct sl_fused_ops *f,
                           int first, int64_t channels, struct sl_view out, const struct sl_window *w) {
    static const struct sl_window matrix = {0};
    const bool is_double = out.dtype == SL_DOUBLE;
    *a = (struct sl_fused_args){
        .epilogue = {.is_double = is_double, .activation = f->activation, .slope = (double)f->slope}};
    if (f->adds_bias || f->normalises) {
        a->bytes = (size_t)channels * VECTORS * (is_double ? 8 : 4) + 1;
        a->vectors = sl_scratch_new(a->bytes);
        if (!a->vectors) return sl_fail_memory(k->err, a->bytes);
        const struct vectors v = {a->vectors, channels, is_double};
        if (f->adds_bias) SL_TRY(read_vector(&v, OFFSET, k, first, "bias"));
        else SL_TRY(read_norm(&v, k, first, (double)f->epsilon));
        a->epilogue.offset = vector_of(&v, OFFSET);
        if (f->normalises) a->epilogue.mean = vector_of(&v, MEAN);
        if (f->normalises) a->epilogue.scale = vector_of(&v, SCALE);
    }
    if (f->adds_side) {
        struct sl_view side = sl_in(k, first + (f->adds_bias ? 1 : f->normalises ? 4 : 0));
        char s[SL_SHAPE_TEXT], t[SL_SHAPE_TEXT];
        if (side.dtype != out.dtype || !sl_shape_equal(sl_view_shape(side), sl_view_shape(out)))
            return sl_invalid(k, "What is added must have the type and the shape of the result: %s vs. %s",
                              sl_shape_text(s, sl_view_shape(side)), sl_shape_text(t, sl_view_shape(out)));
        SL_TRY(sl_channels_last_in(&a->side, k, w ? w : &matrix, side));
        a->epilogue.side = a->side.data;
    }
    return SL_OK;
}

void sl_fused_args_free(struct sl_fused_args *a) {
    sl_scratch_free(a->vectors, a->bytes);
    sl_channels_last_free(&a->side);
}
