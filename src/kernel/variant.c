/* Zeros and sums of variants and of what they hold. Called by lists and maps, and by AddN and ZerosLike. */
#include "kernel/variant.h"

#include "device/transfer.h"
#include "tensor/float16.h"

sl_code sl_variant_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                         struct sl_error *err) {
    const char *name = like ? like->type->name : "";
    if (!like || !like->type->variant || !like->type->variant->zeros)
        return sl_fail(err, SL_INTERNAL,
                       "No unary variant unary_op function found for op ZEROS_LIKE Variant type_name: %s", name);
    return like->type->variant->zeros(out, like, maths, err);
}

sl_code sl_variant_add(struct sl_object **out, struct sl_object *a, struct sl_object *b,
                       const struct sl_variant_maths *maths, struct sl_error *err) {
    const char *a_name = a ? a->type->name : "", *b_name = b ? b->type->name : "";
    if ((a ? a->type : NULL) != (b ? b->type : NULL))
        return sl_fail(err, SL_INTERNAL,
                       "BinaryOpVariants: Variants a and b have different type ids.  Type names: '%s' vs. '%s'", a_name,
                       b_name);
    if (!a || !a->type->variant || !a->type->variant->add)
        return sl_fail(err, SL_INTERNAL,
                       "No binary variant binary_op function found for op ADD Variant type_name: '%s'", a_name);
    return a->type->variant->add(out, a, b, maths, err);
}

sl_code sl_variant_hold(struct sl_object *container, const struct sl_value *value, struct sl_error *err) {
    if (value->dtype != SL_VARIANT || value->kind <= SL_VALUE_SCALAR) return SL_OK;
    struct sl_view v = sl_value_view(value);
    struct sl_object *const *objects = v.data;
    for (int64_t i = 0; i < v.count; i++) {
        unsigned depth = objects[i] ? objects[i]->depth + 1u : 0;
        if (depth > SL_VARIANT_DEPTH_MAX)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Variants are nested more than %d deep", SL_VARIANT_DEPTH_MAX);
        if (depth > container->depth) container->depth = (uint16_t)depth;
    }
    return SL_OK;
}

/* ---- zeros of values */

sl_code sl_value_zeros(struct sl_value *out, const struct sl_value *like, const struct sl_variant_maths *maths,
                       struct sl_error *err) {
    struct sl_view from = sl_value_view(like), to;
    if (from.dtype == SL_STRING || from.dtype == SL_RESOURCE)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Trying to compute zeros_like for unsupported dtype %s",
                       sl_dtype_name(from.dtype));
    if (maths && sl_dtype_is_plain(from.dtype)) return maths->zeros(out, like, maths->arg, err);
    struct sl_value made = {0};
    SL_TRY(sl_value_new(&made, from.dtype, sl_view_shape(from), err));
    to = sl_value_view(&made);
    sl_code code = SL_OK;
    if (sl_dtype_is_plain(from.dtype)) {
        memset(to.data, 0, (size_t)to.count * sl_dtype_size(to.dtype));
    } else {
        struct sl_object *const *a = from.data, **r = to.data;
        for (int64_t i = 0; i < to.count && code == SL_OK; i++) code = sl_variant_zeros(&r[i], a[i], maths, err);
    }
    if (code == SL_OK) *out = made;
    else sl_value_clear(&made);
    return code;
}

/* ---- sums of values */

/* Adds elements of C type T; integers wrap around. */
#define SUM(name, T, as)                                                                                               \
    case SL_##name: {                                                                                                  \
        const T *x = a, *y = b;                                                                                        \
        T *r = to;                                                                                                     \
        for (int64_t i = 0; i < n; i++) r[i] = (T)((as)x[i] + (as)y[i]);                                               \
        return true;                                                                                                   \
    }
/* The same through float. */
#define SUM_16(name, T, from, into)                                                                                    \
    case SL_##name: {                                                                                                  \
        const T *x = a, *y = b;                                                                                        \
        T *r = to;                                                                                                     \
        for (int64_t i = 0; i < n; i++) r[i] = into(from(x[i]) + from(y[i]));                                          \
        return true;                                                                                                   \
    }

/* False when elements of this type have no sum. */
static bool add_elements(int dtype, void *to, const void *a, const void *b, int64_t n) {
    switch (dtype) {
        SUM(FLOAT, float, float)
        SUM(DOUBLE, double, double)
        SUM(INT8, int8_t, uint8_t)
        SUM(INT16, int16_t, uint16_t)
        SUM(INT32, int32_t, uint32_t)
        SUM(INT64, int64_t, uint64_t)
        SUM(UINT8, uint8_t, uint8_t)
        SUM(UINT16, uint16_t, uint16_t)
        SUM(UINT32, uint32_t, uint32_t)
        SUM(UINT64, uint64_t, uint64_t)
        SUM(COMPLEX64, float _Complex, float _Complex)
        SUM(COMPLEX128, double _Complex, double _Complex)
        SUM_16(HALF, sl_half, sl_float_of_half, sl_half_of_float)
        SUM_16(BFLOAT16, sl_bfloat16, sl_float_of_bfloat16, sl_bfloat16_of_float)
    default: return false;
    }
}

static sl_code add_into(struct sl_view to, struct sl_view a, struct sl_view b, const struct sl_variant_maths *maths,
                        struct sl_error *err) {
    if (a.dtype == SL_VARIANT) {
        struct sl_object *const *x = a.data, *const *y = b.data, **r = to.data;
        for (int64_t i = 0; i < to.count; i++) SL_TRY(sl_variant_add(&r[i], x[i], y[i], maths, err));
        return SL_OK;
    }
    if (add_elements(a.dtype, to.data, a.data, b.data, to.count)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Trying to add unsupported dtype %s", sl_dtype_name(a.dtype));
}

static sl_code check_alike(struct sl_view x, struct sl_view y, struct sl_error *err) {
    char x_text[SL_SHAPE_TEXT], y_text[SL_SHAPE_TEXT];
    if (x.dtype != y.dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Trying to add two tensors of types %s and %s", sl_dtype_name(x.dtype),
                       sl_dtype_name(y.dtype));
    if (!sl_shape_equal(sl_view_shape(x), sl_view_shape(y)))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Trying to add two tensors with incompatible element shapes. One is %s and the other is %s",
                       sl_shape_text(x_text, sl_view_shape(x)), sl_shape_text(y_text, sl_view_shape(y)));
    return SL_OK;
}

/* The sum of values that may lie anywhere, on the host. */
static sl_code add_on_host(struct sl_value *out, const struct sl_value *a, const struct sl_value *b,
                           const struct sl_variant_maths *maths, struct sl_error *err) {
    struct sl_value x = sl_value_share(a), y = sl_value_share(b);
    sl_code code = sl_value_settle(&x, NULL, 0, err);
    if (code == SL_OK) code = sl_value_settle(&y, NULL, 0, err);
    if (code == SL_OK) code = sl_value_add(out, &x, &y, maths, err);
    sl_value_clear(&x);
    sl_value_clear(&y);
    return code;
}

sl_code sl_value_add(struct sl_value *out, const struct sl_value *a, const struct sl_value *b,
                     const struct sl_variant_maths *maths, struct sl_error *err) {
    if (sl_value_memory(a) || sl_value_memory(b)) return add_on_host(out, a, b, maths, err);
    struct sl_view x = sl_value_view(a), y = sl_value_view(b);
    struct sl_value made = {0};
    SL_TRY(check_alike(x, y, err));
    if (maths && sl_dtype_is_plain(x.dtype)) return maths->add(out, a, b, maths->arg, err);
    SL_TRY(sl_value_new(&made, x.dtype, sl_view_shape(x), err));
    sl_code code = add_into(sl_value_view(&made), x, y, maths, err);
    if (code == SL_OK) *out = made;
    else sl_value_clear(&made);
    return code;
}

sl_code sl_value_add_to(struct sl_value *sum, const struct sl_value *b, struct sl_error *err) {
    bool in_place = sum->kind == SL_VALUE_SCALAR ||
                    (sum->kind == SL_VALUE_TENSOR && sl_dtype_is_plain(sum->dtype) && sl_tensor_is_sole(sum->tensor));
    if (in_place && !sl_value_memory(sum) && !sl_value_memory(b)) {
        struct sl_view x = sl_value_view(sum), y = sl_value_view(b);
        SL_TRY(check_alike(x, y, err));
        return add_into(x, x, y, NULL, err);
    }
    struct sl_value made;
    SL_TRY(sl_value_add(&made, sum, b, NULL, err));
    sl_value_clear(sum);
    *sum = made;
    return SL_OK;
}
