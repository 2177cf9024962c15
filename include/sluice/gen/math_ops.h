/* Wrappers of the math ops, made by tools/gen_ops.py from src/ops/math.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_MATH_OPS_H
#define SLUICE_GEN_MATH_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Abs: x: T -> y: T */
static inline TF_Output sl_abs(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Abs", inputs_, 1, NULL, 0));
}

struct sl_accumulate_nv2_attrs {
    struct sl_dims shape; /* must be given */
};
/* AccumulateNV2: inputs: N * T -> sum: T */
static inline TF_Output sl_accumulate_nv2(struct sl_scope *scope, const TF_Output *inputs, int num_inputs, struct sl_accumulate_nv2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{inputs, num_inputs}};
    const struct sl_attr_given attrs_[] = {{"shape", SL_GIVEN_SHAPE, &attrs.shape}};
    return sl_op_first(sl_op(scope, "AccumulateNV2", inputs_, 1, attrs_, 1));
}

/* Acos: x: T -> y: T */
static inline TF_Output sl_acos(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Acos", inputs_, 1, NULL, 0));
}

/* Acosh: x: T -> y: T */
static inline TF_Output sl_acosh(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Acosh", inputs_, 1, NULL, 0));
}

/* Add: x: T, y: T -> z: T */
static inline TF_Output sl_add(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Add", inputs_, 2, NULL, 0));
}

/* AddN: inputs: N * T -> sum: T */
static inline TF_Output sl_add_n(struct sl_scope *scope, const TF_Output *inputs, int num_inputs) {
    const struct sl_op_input inputs_[] = {{inputs, num_inputs}};
    return sl_op_first(sl_op(scope, "AddN", inputs_, 1, NULL, 0));
}

/* AddV2: x: T, y: T -> z: T */
static inline TF_Output sl_add_v2(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "AddV2", inputs_, 2, NULL, 0));
}

struct sl_angle_attrs {
    TF_DataType Tout; /* DT_FLOAT */
};
/* Angle: input: T -> output: Tout */
static inline TF_Output sl_angle_with(struct sl_scope *scope, TF_Output input, struct sl_angle_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}};
    return sl_op_first(sl_op(scope, "Angle", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_angle(struct sl_scope *scope, TF_Output input) {
    const struct sl_angle_attrs attrs = SL_DEFAULTS;
    return sl_angle_with(scope, input, attrs);
}

struct sl_approximate_equal_attrs {
    float tolerance; /* 1e-05 */
};
/* ApproximateEqual: x: T, y: T -> z: bool */
static inline TF_Output sl_approximate_equal_with(struct sl_scope *scope, TF_Output x, TF_Output y, struct sl_approximate_equal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    const struct sl_attr_given attrs_[] = {{"tolerance", SL_GIVEN_FLOAT, &attrs.tolerance}};
    return sl_op_first(sl_op(scope, "ApproximateEqual", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_approximate_equal(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_approximate_equal_attrs attrs = SL_DEFAULTS;
    return sl_approximate_equal_with(scope, x, y, attrs);
}

/* Asin: x: T -> y: T */
static inline TF_Output sl_asin(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Asin", inputs_, 1, NULL, 0));
}

/* Asinh: x: T -> y: T */
static inline TF_Output sl_asinh(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Asinh", inputs_, 1, NULL, 0));
}

/* Atan: x: T -> y: T */
static inline TF_Output sl_atan(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Atan", inputs_, 1, NULL, 0));
}

/* Atan2: y: T, x: T -> z: T */
static inline TF_Output sl_atan2(struct sl_scope *scope, TF_Output y, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&y, -1}, {&x, -1}};
    return sl_op_first(sl_op(scope, "Atan2", inputs_, 2, NULL, 0));
}

/* Atanh: x: T -> y: T */
static inline TF_Output sl_atanh(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Atanh", inputs_, 1, NULL, 0));
}

/* BesselI0: x: T -> y: T */
static inline TF_Output sl_bessel_i0(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselI0", inputs_, 1, NULL, 0));
}

/* BesselI0e: x: T -> y: T */
static inline TF_Output sl_bessel_i0e(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselI0e", inputs_, 1, NULL, 0));
}

/* BesselI1: x: T -> y: T */
static inline TF_Output sl_bessel_i1(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselI1", inputs_, 1, NULL, 0));
}

/* BesselI1e: x: T -> y: T */
static inline TF_Output sl_bessel_i1e(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselI1e", inputs_, 1, NULL, 0));
}

/* BesselJ0: x: T -> y: T */
static inline TF_Output sl_bessel_j0(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselJ0", inputs_, 1, NULL, 0));
}

/* BesselJ1: x: T -> y: T */
static inline TF_Output sl_bessel_j1(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselJ1", inputs_, 1, NULL, 0));
}

/* BesselK0: x: T -> y: T */
static inline TF_Output sl_bessel_k0(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselK0", inputs_, 1, NULL, 0));
}

/* BesselK0e: x: T -> y: T */
static inline TF_Output sl_bessel_k0e(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselK0e", inputs_, 1, NULL, 0));
}

/* BesselK1: x: T -> y: T */
static inline TF_Output sl_bessel_k1(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselK1", inputs_, 1, NULL, 0));
}

/* BesselK1e: x: T -> y: T */
static inline TF_Output sl_bessel_k1e(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselK1e", inputs_, 1, NULL, 0));
}

/* BesselY0: x: T -> y: T */
static inline TF_Output sl_bessel_y0(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselY0", inputs_, 1, NULL, 0));
}

/* BesselY1: x: T -> y: T */
static inline TF_Output sl_bessel_y1(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "BesselY1", inputs_, 1, NULL, 0));
}

/* Betainc: a: T, b: T, x: T -> z: T */
static inline TF_Output sl_betainc(struct sl_scope *scope, TF_Output a, TF_Output b, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&b, -1}, {&x, -1}};
    return sl_op_first(sl_op(scope, "Betainc", inputs_, 3, NULL, 0));
}

/* BitwiseAnd: x: T, y: T -> z: T */
static inline TF_Output sl_bitwise_and(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "BitwiseAnd", inputs_, 2, NULL, 0));
}

/* BitwiseOr: x: T, y: T -> z: T */
static inline TF_Output sl_bitwise_or(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "BitwiseOr", inputs_, 2, NULL, 0));
}

/* BitwiseXor: x: T, y: T -> z: T */
static inline TF_Output sl_bitwise_xor(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "BitwiseXor", inputs_, 2, NULL, 0));
}

struct sl_bucketize_attrs {
    struct sl_floats boundaries; /* must be given */
};
/* Bucketize: input: T -> output: int32 */
static inline TF_Output sl_bucketize(struct sl_scope *scope, TF_Output input, struct sl_bucketize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"boundaries", SL_GIVEN_FLOATS_NEEDED, &attrs.boundaries}};
    return sl_op_first(sl_op(scope, "Bucketize", inputs_, 1, attrs_, 1));
}

struct sl_cast_attrs {
    TF_DataType DstT; /* must be given */
    bool Truncate; /* false */
};
/* Cast: x: SrcT -> y: DstT */
static inline TF_Output sl_cast(struct sl_scope *scope, TF_Output x, struct sl_cast_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    const struct sl_attr_given attrs_[] = {{"DstT", SL_GIVEN_TYPE, &attrs.DstT}, {"Truncate", SL_GIVEN_BOOL, &attrs.Truncate}};
    return sl_op_first(sl_op(scope, "Cast", inputs_, 1, attrs_, 2));
}

/* Ceil: x: T -> y: T */
static inline TF_Output sl_ceil(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Ceil", inputs_, 1, NULL, 0));
}

/* ClipByValue: t: T, clip_value_min: T, clip_value_max: T -> output: T */
static inline TF_Output sl_clip_by_value(struct sl_scope *scope, TF_Output t, TF_Output clip_value_min, TF_Output clip_value_max) {
    const struct sl_op_input inputs_[] = {{&t, -1}, {&clip_value_min, -1}, {&clip_value_max, -1}};
    return sl_op_first(sl_op(scope, "ClipByValue", inputs_, 3, NULL, 0));
}

struct sl_complex_attrs {
    TF_DataType Tout; /* DT_COMPLEX64 */
};
/* Complex: real: T, imag: T -> out: Tout */
static inline TF_Output sl_complex_with(struct sl_scope *scope, TF_Output real, TF_Output imag, struct sl_complex_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&real, -1}, {&imag, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}};
    return sl_op_first(sl_op(scope, "Complex", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_complex(struct sl_scope *scope, TF_Output real, TF_Output imag) {
    const struct sl_complex_attrs attrs = SL_DEFAULTS;
    return sl_complex_with(scope, real, imag, attrs);
}

struct sl_complex_abs_attrs {
    TF_DataType Tout; /* DT_FLOAT */
};
/* ComplexAbs: x: T -> y: Tout */
static inline TF_Output sl_complex_abs_with(struct sl_scope *scope, TF_Output x, struct sl_complex_abs_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}};
    return sl_op_first(sl_op(scope, "ComplexAbs", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_complex_abs(struct sl_scope *scope, TF_Output x) {
    const struct sl_complex_abs_attrs attrs = SL_DEFAULTS;
    return sl_complex_abs_with(scope, x, attrs);
}

/* Conj: input: T -> output: T */
static inline TF_Output sl_conj(struct sl_scope *scope, TF_Output input) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    return sl_op_first(sl_op(scope, "Conj", inputs_, 1, NULL, 0));
}

/* Cos: x: T -> y: T */
static inline TF_Output sl_cos(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Cos", inputs_, 1, NULL, 0));
}

/* Cosh: x: T -> y: T */
static inline TF_Output sl_cosh(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Cosh", inputs_, 1, NULL, 0));
}

/* Dawsn: x: T -> y: T */
static inline TF_Output sl_dawsn(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Dawsn", inputs_, 1, NULL, 0));
}

/* Digamma: x: T -> y: T */
static inline TF_Output sl_digamma(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Digamma", inputs_, 1, NULL, 0));
}

/* Div: x: T, y: T -> z: T */
static inline TF_Output sl_div(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Div", inputs_, 2, NULL, 0));
}

/* DivNoNan: x: T, y: T -> z: T */
static inline TF_Output sl_div_no_nan(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "DivNoNan", inputs_, 2, NULL, 0));
}

struct sl_equal_attrs {
    enum sl_choice incompatible_shape_error; /* true */
};
/* Equal: x: T, y: T -> z: bool */
static inline TF_Output sl_equal_with(struct sl_scope *scope, TF_Output x, TF_Output y, struct sl_equal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    const struct sl_attr_given attrs_[] = {{"incompatible_shape_error", SL_GIVEN_CHOICE, &attrs.incompatible_shape_error}};
    return sl_op_first(sl_op(scope, "Equal", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_equal(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_equal_attrs attrs = SL_DEFAULTS;
    return sl_equal_with(scope, x, y, attrs);
}

/* Erf: x: T -> y: T */
static inline TF_Output sl_erf(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Erf", inputs_, 1, NULL, 0));
}

/* Erfc: x: T -> y: T */
static inline TF_Output sl_erfc(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Erfc", inputs_, 1, NULL, 0));
}

/* Erfinv: x: T -> y: T */
static inline TF_Output sl_erfinv(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Erfinv", inputs_, 1, NULL, 0));
}

/* Exp: x: T -> y: T */
static inline TF_Output sl_exp(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Exp", inputs_, 1, NULL, 0));
}

/* Expint: x: T -> y: T */
static inline TF_Output sl_expint(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Expint", inputs_, 1, NULL, 0));
}

/* Expm1: x: T -> y: T */
static inline TF_Output sl_expm1(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Expm1", inputs_, 1, NULL, 0));
}

/* Floor: x: T -> y: T */
static inline TF_Output sl_floor(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Floor", inputs_, 1, NULL, 0));
}

/* FloorDiv: x: T, y: T -> z: T */
static inline TF_Output sl_floor_div(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "FloorDiv", inputs_, 2, NULL, 0));
}

/* FloorMod: x: T, y: T -> z: T */
static inline TF_Output sl_floor_mod(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "FloorMod", inputs_, 2, NULL, 0));
}

/* FresnelCos: x: T -> y: T */
static inline TF_Output sl_fresnel_cos(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "FresnelCos", inputs_, 1, NULL, 0));
}

/* FresnelSin: x: T -> y: T */
static inline TF_Output sl_fresnel_sin(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "FresnelSin", inputs_, 1, NULL, 0));
}

/* Greater: x: T, y: T -> z: bool */
static inline TF_Output sl_greater(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Greater", inputs_, 2, NULL, 0));
}

/* GreaterEqual: x: T, y: T -> z: bool */
static inline TF_Output sl_greater_equal(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "GreaterEqual", inputs_, 2, NULL, 0));
}

/* Igamma: a: T, x: T -> z: T */
static inline TF_Output sl_igamma(struct sl_scope *scope, TF_Output a, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&x, -1}};
    return sl_op_first(sl_op(scope, "Igamma", inputs_, 2, NULL, 0));
}

/* IgammaGradA: a: T, x: T -> z: T */
static inline TF_Output sl_igamma_grad_a(struct sl_scope *scope, TF_Output a, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&x, -1}};
    return sl_op_first(sl_op(scope, "IgammaGradA", inputs_, 2, NULL, 0));
}

/* Igammac: a: T, x: T -> z: T */
static inline TF_Output sl_igammac(struct sl_scope *scope, TF_Output a, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&x, -1}};
    return sl_op_first(sl_op(scope, "Igammac", inputs_, 2, NULL, 0));
}

struct sl_imag_attrs {
    TF_DataType Tout; /* DT_FLOAT */
};
/* Imag: input: T -> output: Tout */
static inline TF_Output sl_imag_with(struct sl_scope *scope, TF_Output input, struct sl_imag_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}};
    return sl_op_first(sl_op(scope, "Imag", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_imag(struct sl_scope *scope, TF_Output input) {
    const struct sl_imag_attrs attrs = SL_DEFAULTS;
    return sl_imag_with(scope, input, attrs);
}

/* Inv: x: T -> y: T */
static inline TF_Output sl_inv(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Inv", inputs_, 1, NULL, 0));
}

/* InvGrad: y: T, dy: T -> z: T */
static inline TF_Output sl_inv_grad(struct sl_scope *scope, TF_Output y, TF_Output dy) {
    const struct sl_op_input inputs_[] = {{&y, -1}, {&dy, -1}};
    return sl_op_first(sl_op(scope, "InvGrad", inputs_, 2, NULL, 0));
}

/* Invert: x: T -> y: T */
static inline TF_Output sl_invert(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Invert", inputs_, 1, NULL, 0));
}

/* IsFinite: x: T -> y: bool */
static inline TF_Output sl_is_finite(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "IsFinite", inputs_, 1, NULL, 0));
}

/* IsInf: x: T -> y: bool */
static inline TF_Output sl_is_inf(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "IsInf", inputs_, 1, NULL, 0));
}

/* IsNan: x: T -> y: bool */
static inline TF_Output sl_is_nan(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "IsNan", inputs_, 1, NULL, 0));
}

/* LeftShift: x: T, y: T -> z: T */
static inline TF_Output sl_left_shift(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "LeftShift", inputs_, 2, NULL, 0));
}

/* Less: x: T, y: T -> z: bool */
static inline TF_Output sl_less(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Less", inputs_, 2, NULL, 0));
}

/* LessEqual: x: T, y: T -> z: bool */
static inline TF_Output sl_less_equal(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "LessEqual", inputs_, 2, NULL, 0));
}

/* Lgamma: x: T -> y: T */
static inline TF_Output sl_lgamma(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Lgamma", inputs_, 1, NULL, 0));
}

/* Log: x: T -> y: T */
static inline TF_Output sl_log(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Log", inputs_, 1, NULL, 0));
}

/* Log1p: x: T -> y: T */
static inline TF_Output sl_log1p(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Log1p", inputs_, 1, NULL, 0));
}

/* LogicalAnd: x: bool, y: bool -> z: bool */
static inline TF_Output sl_logical_and(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "LogicalAnd", inputs_, 2, NULL, 0));
}

/* LogicalNot: x: bool -> y: bool */
static inline TF_Output sl_logical_not(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "LogicalNot", inputs_, 1, NULL, 0));
}

/* LogicalOr: x: bool, y: bool -> z: bool */
static inline TF_Output sl_logical_or(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "LogicalOr", inputs_, 2, NULL, 0));
}

/* Maximum: x: T, y: T -> z: T */
static inline TF_Output sl_maximum(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Maximum", inputs_, 2, NULL, 0));
}

/* Minimum: x: T, y: T -> z: T */
static inline TF_Output sl_minimum(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Minimum", inputs_, 2, NULL, 0));
}

/* Mod: x: T, y: T -> z: T */
static inline TF_Output sl_mod(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Mod", inputs_, 2, NULL, 0));
}

/* Mul: x: T, y: T -> z: T */
static inline TF_Output sl_mul(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Mul", inputs_, 2, NULL, 0));
}

/* MulNoNan: x: T, y: T -> z: T */
static inline TF_Output sl_mul_no_nan(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "MulNoNan", inputs_, 2, NULL, 0));
}

/* Ndtri: x: T -> y: T */
static inline TF_Output sl_ndtri(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Ndtri", inputs_, 1, NULL, 0));
}

/* Neg: x: T -> y: T */
static inline TF_Output sl_neg(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Neg", inputs_, 1, NULL, 0));
}

/* NextAfter: x1: T, x2: T -> output: T */
static inline TF_Output sl_next_after(struct sl_scope *scope, TF_Output x1, TF_Output x2) {
    const struct sl_op_input inputs_[] = {{&x1, -1}, {&x2, -1}};
    return sl_op_first(sl_op(scope, "NextAfter", inputs_, 2, NULL, 0));
}

struct sl_not_equal_attrs {
    enum sl_choice incompatible_shape_error; /* true */
};
/* NotEqual: x: T, y: T -> z: bool */
static inline TF_Output sl_not_equal_with(struct sl_scope *scope, TF_Output x, TF_Output y, struct sl_not_equal_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    const struct sl_attr_given attrs_[] = {{"incompatible_shape_error", SL_GIVEN_CHOICE, &attrs.incompatible_shape_error}};
    return sl_op_first(sl_op(scope, "NotEqual", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_not_equal(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_not_equal_attrs attrs = SL_DEFAULTS;
    return sl_not_equal_with(scope, x, y, attrs);
}

/* Polygamma: a: T, x: T -> z: T */
static inline TF_Output sl_polygamma(struct sl_scope *scope, TF_Output a, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&a, -1}, {&x, -1}};
    return sl_op_first(sl_op(scope, "Polygamma", inputs_, 2, NULL, 0));
}

/* PopulationCount: x: T -> y: uint8 */
static inline TF_Output sl_population_count(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "PopulationCount", inputs_, 1, NULL, 0));
}

/* Pow: x: T, y: T -> z: T */
static inline TF_Output sl_pow(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Pow", inputs_, 2, NULL, 0));
}

/* RandomGammaGrad: alpha: T, sample: T -> output: T */
static inline TF_Output sl_random_gamma_grad(struct sl_scope *scope, TF_Output alpha, TF_Output sample) {
    const struct sl_op_input inputs_[] = {{&alpha, -1}, {&sample, -1}};
    return sl_op_first(sl_op(scope, "RandomGammaGrad", inputs_, 2, NULL, 0));
}

struct sl_real_attrs {
    TF_DataType Tout; /* DT_FLOAT */
};
/* Real: input: T -> output: Tout */
static inline TF_Output sl_real_with(struct sl_scope *scope, TF_Output input, struct sl_real_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}};
    const struct sl_attr_given attrs_[] = {{"Tout", SL_GIVEN_TYPE, &attrs.Tout}};
    return sl_op_first(sl_op(scope, "Real", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_real(struct sl_scope *scope, TF_Output input) {
    const struct sl_real_attrs attrs = SL_DEFAULTS;
    return sl_real_with(scope, input, attrs);
}

/* RealDiv: x: T, y: T -> z: T */
static inline TF_Output sl_real_div(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "RealDiv", inputs_, 2, NULL, 0));
}

/* Reciprocal: x: T -> y: T */
static inline TF_Output sl_reciprocal(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Reciprocal", inputs_, 1, NULL, 0));
}

/* ReciprocalGrad: y: T, dy: T -> z: T */
static inline TF_Output sl_reciprocal_grad(struct sl_scope *scope, TF_Output y, TF_Output dy) {
    const struct sl_op_input inputs_[] = {{&y, -1}, {&dy, -1}};
    return sl_op_first(sl_op(scope, "ReciprocalGrad", inputs_, 2, NULL, 0));
}

/* RightShift: x: T, y: T -> z: T */
static inline TF_Output sl_right_shift(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "RightShift", inputs_, 2, NULL, 0));
}

/* Rint: x: T -> y: T */
static inline TF_Output sl_rint(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Rint", inputs_, 1, NULL, 0));
}

/* Round: x: T -> y: T */
static inline TF_Output sl_round(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Round", inputs_, 1, NULL, 0));
}

/* Rsqrt: x: T -> y: T */
static inline TF_Output sl_rsqrt(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Rsqrt", inputs_, 1, NULL, 0));
}

/* RsqrtGrad: y: T, dy: T -> z: T */
static inline TF_Output sl_rsqrt_grad(struct sl_scope *scope, TF_Output y, TF_Output dy) {
    const struct sl_op_input inputs_[] = {{&y, -1}, {&dy, -1}};
    return sl_op_first(sl_op(scope, "RsqrtGrad", inputs_, 2, NULL, 0));
}

/* Select: condition: bool, t: T, e: T -> output: T */
static inline TF_Output sl_select(struct sl_scope *scope, TF_Output condition, TF_Output t, TF_Output e) {
    const struct sl_op_input inputs_[] = {{&condition, -1}, {&t, -1}, {&e, -1}};
    return sl_op_first(sl_op(scope, "Select", inputs_, 3, NULL, 0));
}

/* SelectV2: condition: bool, t: T, e: T -> output: T */
static inline TF_Output sl_select_v2(struct sl_scope *scope, TF_Output condition, TF_Output t, TF_Output e) {
    const struct sl_op_input inputs_[] = {{&condition, -1}, {&t, -1}, {&e, -1}};
    return sl_op_first(sl_op(scope, "SelectV2", inputs_, 3, NULL, 0));
}

/* Sigmoid: x: T -> y: T */
static inline TF_Output sl_sigmoid(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Sigmoid", inputs_, 1, NULL, 0));
}

/* SigmoidGrad: y: T, dy: T -> z: T */
static inline TF_Output sl_sigmoid_grad(struct sl_scope *scope, TF_Output y, TF_Output dy) {
    const struct sl_op_input inputs_[] = {{&y, -1}, {&dy, -1}};
    return sl_op_first(sl_op(scope, "SigmoidGrad", inputs_, 2, NULL, 0));
}

/* Sign: x: T -> y: T */
static inline TF_Output sl_sign(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Sign", inputs_, 1, NULL, 0));
}

/* Sin: x: T -> y: T */
static inline TF_Output sl_sin(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Sin", inputs_, 1, NULL, 0));
}

/* Sinh: x: T -> y: T */
static inline TF_Output sl_sinh(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Sinh", inputs_, 1, NULL, 0));
}

/* Spence: x: T -> y: T */
static inline TF_Output sl_spence(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Spence", inputs_, 1, NULL, 0));
}

/* Sqrt: x: T -> y: T */
static inline TF_Output sl_sqrt(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Sqrt", inputs_, 1, NULL, 0));
}

/* SqrtGrad: y: T, dy: T -> z: T */
static inline TF_Output sl_sqrt_grad(struct sl_scope *scope, TF_Output y, TF_Output dy) {
    const struct sl_op_input inputs_[] = {{&y, -1}, {&dy, -1}};
    return sl_op_first(sl_op(scope, "SqrtGrad", inputs_, 2, NULL, 0));
}

/* Square: x: T -> y: T */
static inline TF_Output sl_square(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Square", inputs_, 1, NULL, 0));
}

/* SquaredDifference: x: T, y: T -> z: T */
static inline TF_Output sl_squared_difference(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "SquaredDifference", inputs_, 2, NULL, 0));
}

/* Sub: x: T, y: T -> z: T */
static inline TF_Output sl_sub(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Sub", inputs_, 2, NULL, 0));
}

/* Tan: x: T -> y: T */
static inline TF_Output sl_tan(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Tan", inputs_, 1, NULL, 0));
}

/* Tanh: x: T -> y: T */
static inline TF_Output sl_tanh(struct sl_scope *scope, TF_Output x) {
    const struct sl_op_input inputs_[] = {{&x, -1}};
    return sl_op_first(sl_op(scope, "Tanh", inputs_, 1, NULL, 0));
}

/* TanhGrad: y: T, dy: T -> z: T */
static inline TF_Output sl_tanh_grad(struct sl_scope *scope, TF_Output y, TF_Output dy) {
    const struct sl_op_input inputs_[] = {{&y, -1}, {&dy, -1}};
    return sl_op_first(sl_op(scope, "TanhGrad", inputs_, 2, NULL, 0));
}

/* TruncateDiv: x: T, y: T -> z: T */
static inline TF_Output sl_truncate_div(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "TruncateDiv", inputs_, 2, NULL, 0));
}

/* TruncateMod: x: T, y: T -> z: T */
static inline TF_Output sl_truncate_mod(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "TruncateMod", inputs_, 2, NULL, 0));
}

/* Xdivy: x: T, y: T -> z: T */
static inline TF_Output sl_xdivy(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Xdivy", inputs_, 2, NULL, 0));
}

/* Xlog1py: x: T, y: T -> z: T */
static inline TF_Output sl_xlog1py(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Xlog1py", inputs_, 2, NULL, 0));
}

/* Xlogy: x: T, y: T -> z: T */
static inline TF_Output sl_xlogy(struct sl_scope *scope, TF_Output x, TF_Output y) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&y, -1}};
    return sl_op_first(sl_op(scope, "Xlogy", inputs_, 2, NULL, 0));
}

/* Zeta: x: T, q: T -> z: T */
static inline TF_Output sl_zeta(struct sl_scope *scope, TF_Output x, TF_Output q) {
    const struct sl_op_input inputs_[] = {{&x, -1}, {&q, -1}};
    return sl_op_first(sl_op(scope, "Zeta", inputs_, 2, NULL, 0));
}

#ifdef __cplusplus
}
#endif

#endif
