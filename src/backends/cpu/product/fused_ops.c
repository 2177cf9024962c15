/* Reads `fused_ops` and the inputs that belong to them. Vectors are made in the type computed in. */
#include "backends/cpu/product/fused_ops.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/math/broadcast_map.h"
#include "backends/cpu/math/elementwise.h"

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
    [SL_ACTIVATION_SWISH] = "Swish",
    [SL_ACTIVATION_HARD_SWISH] = "HardSwish",
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
    f->shifts = n > 2 && sl_str_is(ops[0], "BiasAdd") && sl_str_is(ops[1], "Mul");
    i += f->shifts;
    f->scales = i + 1 < n && sl_str_is(ops[i], "Mul") && sl_str_is(ops[i + 1], "BiasAdd");
    i += f->scales;
    if (f->shifts && !f->scales) return refuse(ops, n, setup->err);
    if (sl_str_is(ops[i], "BiasAdd")) f->adds_bias = true;
    if (sl_str_is(ops[i], "FusedBatchNorm")) f->normalises = true;
    i += f->adds_bias || f->normalises;
    if (i < n && sl_str_is(ops[i], "Add")) f->adds_side = true;
    if (f->adds_side && sl_attr_find(setup->attrs, SL_STR("_side_is_first")))
        SL_TRY(sl_attr_bool(&f->side_is_first, setup->attrs, "_side_is_first", setup->err));
    i += f->adds_side;
    for (int a = SL_ACTIVATION_RELU; i < n && a < SL_ACTIVATIONS; a++)
        if (sl_str_is(ops[i], activation_names[a])) f->activation = (enum sl_epilogue_activation)a;
    i += f->activation != SL_ACTIVATION_NONE;
    if (i < n) return refuse(ops, n, setup->err);
    if (f->normalises && args != 4 + f->adds_side)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Fused %s with batchnorm must have %d extra arguments, got %d",
                       what, 4 + f->adds_side, args);
    const int vectors = f->shifts + f->scales + f->adds_bias;
    if (f->scales && args != vectors + f->adds_side)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Fused %s with a scale must have %d extra arguments, got %d",
                       what, vectors + f->adds_side, args);
    if (f->adds_bias && args != vectors + f->adds_side)
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

/* x * scale is (x - 0) * scale, and (x + bias) * scale is (x - -bias) * scale, to the bit. */
static sl_code read_scale(const struct vectors *v, struct sl_kernel_context *k, const struct sl_fused_ops *f,
                          int first) {
    memset(vector_of(v, MEAN), 0, (size_t)v->channels * (v->is_double ? 8 : 4));
    if (f->shifts) SL_TRY(read_vector(v, MEAN, k, first, "bias"));
    for (int64_t c = 0; c < v->channels && f->shifts; c++)
        if (v->is_double) ((double *)vector_of(v, MEAN))[c] *= -1;
        else ((float *)vector_of(v, MEAN))[c] *= -1;
    return read_vector(v, SCALE, k, first + f->shifts, "scale");
}

/* ---- what is added */
static int side_input(const struct sl_fused_ops *f, int first) {
    return first + f->shifts + f->scales + (f->adds_bias ? 1 : f->normalises ? 4 : 0);
}

/* How the tensor is added to the results `plain`: element by element, by channel as a bias is, or otherwise. */
enum side_kind { SIDE_FULL, SIDE_CHANNELS, SIDE_OTHER };
static enum side_kind kind_of_side(const struct sl_fused_ops *f, struct sl_view side, struct sl_shape plain,
                                   const struct sl_window *w) {
    if (sl_shape_equal(sl_view_shape(side), plain)) return SIDE_FULL;
    if (f->adds_bias || f->normalises || (w && w->channels_first)) return SIDE_OTHER;
    return side.rank == 1 && side.count == plain.dims[plain.rank - 1] ? SIDE_CHANNELS : SIDE_OTHER;
}

void sl_fused_kept_init(struct sl_fused_kept *kept, const struct sl_fused_ops *f, const struct sl_kernel_setup *setup,
                        int first) {
    const uint64_t wanted = first < 60 ? UINT64_C(15) << first : 0;
    kept->is_on = f->normalises && wanted && (setup->constant_in & wanted) == wanted;
    sl_packing_init(&kept->packing);
}

/* Vectors for so many channels, in new memory or those that are kept. */
static sl_code read_vectors(struct sl_fused_args *a, struct sl_kernel_context *k, const struct sl_fused_ops *f,
                            int first, const struct vectors *v, bool has_bias, struct sl_packing *kept) {
    if (f->scales) SL_TRY(read_scale(v, k, f, first));
    if (has_bias) SL_TRY(read_vector(v, OFFSET, k, first + f->shifts + f->scales, "bias"));
    else SL_TRY(read_norm(v, k, first, (double)f->epsilon));
    a->kept = kept;
    return SL_OK;
}

sl_code sl_fused_args_read(struct sl_fused_args *a, struct sl_kernel_context *k, const struct sl_fused_ops *f,
                           int first, int64_t channels, struct sl_view out, const struct sl_window *w,
                           struct sl_fused_kept *kept) {
    static const struct sl_window matrix = {0};
    const bool is_double = out.dtype == SL_DOUBLE;
    const int at = side_input(f, first);
    enum side_kind kind = f->adds_side ? kind_of_side(f, sl_in(k, at), sl_view_shape(out), w) : SIDE_FULL;
    const bool has_bias = f->adds_bias || kind == SIDE_CHANNELS;
    *a = (struct sl_fused_args){.epilogue = {.is_double = is_double, .slope = (double)f->slope}};
    if (kind != SIDE_OTHER) a->epilogue.activation = f->activation;
    if (has_bias || f->normalises) {
        struct sl_packing *packing = kept && kept->is_on ? &kept->packing : NULL;
        const size_t bytes = (size_t)channels * VECTORS * (is_double ? 8 : 4) + 1;
        a->vectors = sl_packing_get(packing, SL_PACKING_VECTORS, bytes);
        const bool is_new = !a->vectors;
        if (is_new) {
            a->vectors = sl_scratch_new(bytes);
            if (!a->vectors) return sl_fail_memory(k->err, bytes);
            a->bytes = bytes;
        }
        const struct vectors v = {a->vectors, channels, is_double};
        if (is_new) SL_TRY(read_vectors(a, k, f, first, &v, has_bias, packing));
        a->epilogue.offset = vector_of(&v, OFFSET);
        if (f->scales || f->normalises) a->epilogue.mean = vector_of(&v, MEAN);
        if (f->scales || f->normalises) a->epilogue.scale = vector_of(&v, SCALE);
    }
    if (f->adds_side && kind == SIDE_FULL) {
        SL_TRY(sl_channels_last_in(&a->side, k, w ? w : &matrix, sl_in(k, at)));
        a->epilogue.side = a->side.data;
    }
    return SL_OK;
}

void sl_fused_args_free(struct sl_fused_args *a) {
    if (a->kept) sl_packing_put(a->kept, NULL, SL_PACKING_VECTORS, a->vectors, a->bytes);
    else if (a->bytes) sl_scratch_free(a->vectors, a->bytes);
    sl_channels_last_free(&a->side);
}

static sl_code mismatch(struct sl_kernel_context *k, const struct sl_fused_ops *f, struct sl_shape plain,
                        struct sl_shape side) {
    char x[SL_SHAPE_TEXT], y[SL_SHAPE_TEXT];
    sl_shape_text(f->side_is_first ? y : x, plain);
    sl_shape_text(f->side_is_first ? x : y, side);
    return sl_invalid(k, "Incompatible shapes: %s vs. %s", x, y);
}

sl_code sl_fused_out_new(struct sl_fused_out *o, struct sl_kernel_context *k, const struct sl_fused_ops *f, int first,
                         struct sl_shape shape, const struct sl_window *w) {
    *o = (struct sl_fused_out){.adds_behind = false, .side = side_input(f, first)};
    struct sl_view side = f->adds_side ? sl_in(k, o->side) : (struct sl_view){0};
    int64_t dims[SL_MAX_RANK];
    if (f->adds_side && side.dtype != sl_in(k, 0).dtype)
        return sl_invalid(k, "What is added cannot be of type %s", sl_dtype_name(side.dtype));
    if (!f->adds_side || kind_of_side(f, side, shape, w) != SIDE_OTHER) {
        SL_TRY(sl_out_new(&o->out, k, 0, shape));
        o->plain = o->out;
        return SL_OK;
    }
    struct sl_broadcast_map_input both[2] = {{.shape = shape}, sl_broadcast_map_input(side)};
    struct sl_shape sum;
    if (side.dtype == SL_HALF || side.dtype == SL_BFLOAT16 || !sl_broadcast_map_shape(&sum, dims, both, 2))
        return mismatch(k, f, shape, both[1].shape);
    SL_TRY(sl_out_new(&o->out, k, 0, sum));
    o->adds_behind = true;
    o->plain = o->out;
    if (sl_shape_equal(sum, shape)) return SL_OK;
    o->plain.rank = shape.rank;
    o->plain.dims = shape.dims;
    if (o->out.count == 0) o->plain.count = 0; /* nothing is wanted */
    else SL_TRY(sl_shape_count(&o->plain.count, shape, k->err));
    o->bytes = (size_t)o->plain.count * sl_dtype_size(side.dtype) + 1;
    o->plain.data = sl_scratch_new(o->bytes);
    return o->plain.data ? SL_OK : sl_fail_memory(k->err, o->bytes);
}

struct activation {
    struct sl_epilogue epilogue;
    char *data;
};
static void activate(void *arg, int64_t begin, int64_t end) {
    const struct activation *a = arg;
    sl_epilogue_run(&a->epilogue, a->data + begin * (a->epilogue.is_double ? 8 : 4), 0, 1, 0, end - begin);
}

sl_code sl_fused_out_end(struct sl_fused_out *o, struct sl_kernel_context *k, const struct sl_fused_ops *f,
                         sl_code code) {
    if (code == SL_OK && o->adds_behind && o->out.count) {
        const bool is_double = o->out.dtype == SL_DOUBLE;
        struct sl_broadcast_map map = {.loop = sl_elementwise_loop(SL_LOOP_Add, o->out.dtype).run,
                                       .in = {sl_broadcast_map_input(o->plain),
                                              sl_broadcast_map_input(sl_in(k, o->side))},
                                       .n = 2,
                                       .to = o->out.data,
                                       .to_size = is_double ? 8 : 4,
                                       .shape = sl_view_shape(o->out),
                                       .ns = 0.25};
        sl_broadcast_map_run(k, &map);
        struct activation a = {{.is_double = is_double, .activation = f->activation, .slope = (double)f->slope},
                               o->out.data};
        if (f->activation) sl_kernel_split(k, o->out.count, 1, activate, &a);
    }
    if (o->bytes) sl_scratch_free(o->plain.data, o->bytes);
    return code;
}
