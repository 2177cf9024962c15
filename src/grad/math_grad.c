/* Gradients of element-wise mathematics. Where an operand was broadcast, `like` sums its gradient back. */
#include "grad/words.h"

#define PI 3.14159265358979323846

static struct sl_term cx(struct sl_rule *g) { return conj(x(0)); }
static struct sl_term cy(struct sl_rule *g) { return conj(y(0)); }
#define x_ cx(g) /* the conjugate of the only input, and of the only output */
#define y_ cy(g)

/* 1 where the condition holds, of the type of t. */
static struct sl_term indicator(struct sl_rule *g, struct sl_term condition, struct sl_term t) {
    return cast(condition, dtype(t));
}

/* ---- one argument; the kernels of ReciprocalGrad, SqrtGrad and RsqrtGrad conjugate y themselves */
GRAD(Abs) { WRT(0) = mul(dy(0), emit("Sign", x(0))); }
GRAD(Neg) { WRT(0) = neg(dy(0)); }
GRAD(Reciprocal) { WRT(0) = emit("ReciprocalGrad", y(0), dy(0)); }
GRAD(Square) { WRT(0) = mul(dy(0), scale(x_, 2)); }
GRAD(Sqrt) { WRT(0) = emit("SqrtGrad", y(0), dy(0)); }
GRAD(Rsqrt) { WRT(0) = emit("RsqrtGrad", y(0), dy(0)); }
GRAD(Exp) { WRT(0) = mul(dy(0), y_); }
GRAD(Expm1) { WRT(0) = mul(dy(0), emit("Exp", x_)); }
GRAD(Log) { WRT(0) = mul(dy(0), inv(x_)); }
GRAD(Log1p) { WRT(0) = mul(dy(0), inv(shift(x_, 1))); }
GRAD(Sinh) { WRT(0) = mul(dy(0), emit("Cosh", x_)); }
GRAD(Cosh) { WRT(0) = mul(dy(0), emit("Sinh", x_)); }
GRAD(Tanh) { WRT(0) = emit("TanhGrad", y_, dy(0)); }
GRAD(Asinh) { WRT(0) = quo(dy(0), emit("Cosh", y_)); }
GRAD(Acosh) { WRT(0) = quo(dy(0), emit("Sinh", y_)); }
GRAD(Atanh) { WRT(0) = mul(dy(0), inv(sub(num(x(0), 1), sqr(x_)))); }
GRAD(Sin) { WRT(0) = mul(dy(0), emit("Cos", x_)); }
GRAD(Cos) { WRT(0) = neg(mul(dy(0), emit("Sin", x_))); }
GRAD(Tan) { WRT(0) = mul(dy(0), sqr(inv(emit("Cos", x_)))); }
GRAD(Asin) { WRT(0) = mul(dy(0), inv(root(sub(num(x(0), 1), sqr(x_))))); }
GRAD(Acos) { WRT(0) = neg(mul(dy(0), inv(root(sub(num(x(0), 1), sqr(x_)))))); }
GRAD(Atan) { WRT(0) = mul(dy(0), inv(shift(sqr(x_), 1))); }
GRAD(Sigmoid) { WRT(0) = emit("SigmoidGrad", y_, dy(0)); }
GRAD(Erf) { WRT(0) = mul(dy(0), scale(emit("Exp", neg(sqr(x(0)))), 2 / 1.77245385090551602730)); }
GRAD(Erfc) { WRT(0) = mul(dy(0), scale(emit("Exp", neg(sqr(x(0)))), -2 / 1.77245385090551602730)); }
GRAD(Erfinv) { WRT(0) = mul(dy(0), scale(emit("Exp", sqr(y(0))), 1.77245385090551602730 / 2)); }
GRAD(Ndtri) { WRT(0) = mul(dy(0), scale(emit("Exp", scale(sqr(y(0)), .5)), 2.50662827463100050242)); }
GRAD(Lgamma) { WRT(0) = mul(dy(0), emit("Digamma", x(0))); }
GRAD(Digamma) { WRT(0) = mul(dy(0), emit("Polygamma", num(x(0), 1), x(0))); }
GRAD(Dawsn) { WRT(0) = mul(dy(0), sub(num(x(0), 1), scale(mul(x(0), y(0)), 2))); }
GRAD(Expint) { WRT(0) = mul(dy(0), quo(emit("Exp", x(0)), x(0))); }
GRAD(FresnelCos) { WRT(0) = mul(dy(0), emit("Cos", scale(sqr(x(0)), PI / 2))); }
GRAD(FresnelSin) { WRT(0) = mul(dy(0), emit("Sin", scale(sqr(x(0)), PI / 2))); }
GRAD(Spence) {
    struct sl_term one = num(x(0), 1), away = quo(emit("Log", x(0)), sub(one, x(0)));
    WRT(0) = mul(dy(0), select(equal(x(0), one), num(x(0), -1), away));
}

/* ---- Bessel functions; `otherwise` where x is not 0 */
static struct sl_term at_zero(struct sl_rule *g, double value, struct sl_term otherwise) {
    return select(equal(x(0), num(x(0), 0)), num(x(0), value), otherwise);
}

GRAD(BesselI0) { WRT(0) = mul(dy(0), emit("BesselI1", x(0))); }
GRAD(BesselI0e) { WRT(0) = mul(dy(0), sub(emit("BesselI1e", x(0)), mul(emit("Sign", x(0)), y(0)))); }
GRAD(BesselI1) { WRT(0) = mul(dy(0), at_zero(g, 1, sub(emit("BesselI0", x(0)), emit("Div", y(0), x(0))))); }
GRAD(BesselI1e) {
    struct sl_term away = sub(emit("BesselI0e", x(0)), mul(y(0), add(emit("Sign", x(0)), inv(x(0)))));
    WRT(0) = mul(dy(0), at_zero(g, .5, away));
}
GRAD(BesselK0) { WRT(0) = neg(mul(dy(0), emit("BesselK1", x(0)))); }
GRAD(BesselK0e) { WRT(0) = mul(dy(0), sub(y(0), emit("BesselK1e", x(0)))); }
GRAD(BesselK1) { WRT(0) = mul(dy(0), sub(neg(emit("BesselK0", x(0))), quo(y(0), x(0)))); }
GRAD(BesselK1e) { WRT(0) = mul(dy(0), sub(mul(y(0), sub(num(x(0), 1), inv(x(0)))), emit("BesselK0e", x(0)))); }
GRAD(BesselJ0) { WRT(0) = neg(mul(dy(0), emit("BesselJ1", x(0)))); }
GRAD(BesselJ1) { WRT(0) = mul(dy(0), at_zero(g, .5, sub(emit("BesselJ0", x(0)), quo(y(0), x(0))))); }
GRAD(BesselY0) { WRT(0) = neg(mul(dy(0), emit("BesselY1", x(0)))); }
GRAD(BesselY1) { WRT(0) = mul(dy(0), sub(emit("BesselY0", x(0)), quo(y(0), x(0)))); }

/* ---- gradients of gradients: z = f'(y) dy as a function of y and dy */
GRAD(ReciprocalGrad) { /* - dy y^2 */
    WRT(0) = mul(mul(conj(dy(0)), num(x(0), -2)), mul(x(1), x_));
    WRT(1) = emit("ReciprocalGrad", x_, dy(0));
}
GRAD(SqrtGrad) { /* dy / 2 y */
    struct sl_term d = quo(dy(0), x(0));
    WRT(0) = mul(neg(conj(d)), y(0));
    WRT(1) = scale(d, .5);
}
GRAD(RsqrtGrad) { /* - dy y^3 / 2 */
    WRT(0) = mul(scale(conj(dy(0)), -1.5), mul(x(1), sqr(x_)));
    WRT(1) = emit("RsqrtGrad", x_, dy(0));
}
GRAD(TanhGrad) { /* dy (1 - y^2) */
    WRT(0) = mul(scale(dy(0), -2), mul(conj(x(1)), x_));
    WRT(1) = emit("TanhGrad", x_, dy(0));
}
GRAD(SigmoidGrad) { /* dy y (1 - y) */
    struct sl_term d = mul(dy(0), conj(x(1)));
    WRT(0) = sub(d, mul(scale(d, 2), x_));
    WRT(1) = emit("SigmoidGrad", x_, dy(0));
}

/* ---- two arguments */
GRAD(Add) {
    WRT(0) = like(x(0), dy(0));
    WRT(1) = like(x(1), dy(0));
}
GRAD(Sub) {
    WRT(0) = like(x(0), dy(0));
    WRT(1) = like(x(1), neg(dy(0)));
}
GRAD(Mul) {
    WRT(0) = like(x(0), mul(dy(0), conj(x(1))));
    WRT(1) = like(x(1), mul(conj(x(0)), dy(0)));
}
GRAD(MulNoNan) {
    WRT(0) = like(x(0), emit("MulNoNan", dy(0), x(1)));
    WRT(1) = like(x(1), emit("MulNoNan", x(0), dy(0)));
}
GRAD(RealDiv) {
    struct sl_term b = conj(x(1));
    WRT(0) = like(x(0), quo(dy(0), b));
    WRT(1) = like(x(1), mul(dy(0), quo(quo(neg(conj(x(0))), b), b)));
}
GRAD(DivNoNan) {
    struct sl_term b = conj(x(1));
    WRT(0) = like(x(0), emit("DivNoNan", dy(0), b));
    WRT(1) = like(x(1), mul(dy(0), emit("DivNoNan", emit("DivNoNan", neg(conj(x(0))), b), b)));
}
GRAD(FloorMod) {
    WRT(0) = like(x(0), dy(0));
    WRT(1) = like(x(1), mul(dy(0), neg(emit("FloorDiv", x(0), x(1)))));
}
GRAD(Pow) {
    struct sl_term a = conj(x(0)), b = conj(x(1));
    WRT(0) = like(x(0), mul(mul(dy(0), b), emit("Pow", a, sub(b, num(b, 1)))));
    if (!wants(1)) return;
    struct sl_term zero = num(a, 0);
    struct sl_term has_log = is_complex(dtype(a)) ? emit("NotEqual", a, zero) : emit("Greater", a, zero);
    struct sl_term log = select(has_log, emit("Log", select(has_log, a, num(a, 1))), zero);
    WRT(1) = like(x(1), mul(mul(dy(0), y_), log));
}
GRAD(SquaredDifference) {
    struct sl_term d = mul(scale(dy(0), 2), sub(x(0), x(1)));
    WRT(0) = like(x(0), d);
    WRT(1) = like(x(1), neg(d));
}
/* One of both operands goes through. */
static void choose(struct sl_rule *g, struct sl_term first) {
    struct sl_term zero = num(x(0), 0);
    WRT(0) = like(x(0), select(first, dy(0), zero));
    WRT(1) = like(x(1), select(first, zero, dy(0)));
}
GRAD(Maximum) { choose(g, emit("GreaterEqual", x(0), x(1))); }
GRAD(Minimum) { choose(g, emit("LessEqual", x(0), x(1))); }
GRAD(Atan2) {
    struct sl_term d = quo(dy(0), add(sqr(x(1)), sqr(x(0))));
    WRT(0) = like(x(0), mul(x(1), d));
    WRT(1) = like(x(1), neg(mul(x(0), d)));
}
static struct sl_term not_zero(struct sl_rule *g, struct sl_term t) {
    return indicator(g, emit("NotEqual", t, num(t, 0)), t);
}
GRAD(Xlogy) {
    WRT(0) = like(x(0), mul(emit("Xlogy", not_zero(g, x(0)), x(1)), dy(0)));
    WRT(1) = like(x(1), mul(emit("Xdivy", x(0), x(1)), dy(0)));
}
GRAD(Xlog1py) {
    WRT(0) = like(x(0), mul(emit("Xlog1py", not_zero(g, x(0)), x(1)), dy(0)));
    WRT(1) = like(x(1), mul(emit("Xdivy", x(0), shift(x(1), 1)), dy(0)));
}
GRAD(Xdivy) {
    WRT(0) = like(x(0), mul(emit("Xdivy", not_zero(g, x(0)), x(1)), dy(0)));
    WRT(1) = like(x(1), mul(emit("Xdivy", neg(x(0)), sqr(x(1))), dy(0)));
}
GRAD(NextAfter) {
    WRT(0) = like(x(0), dy(0));
    WRT(1) = like(x(1), emit("ZerosLike", dy(0)));
}

/* ---- special functions: nothing is known of the derivatives by the orders */
/* x^(a - 1) e^-x / gamma(a) */
static struct sl_term gamma_density(struct sl_rule *g) {
    struct sl_term power = mul(shift(x(0), -1), emit("Log", x(1)));
    return emit("Exp", sub(add(neg(x(1)), power), emit("Lgamma", x(0))));
}
GRAD(Igamma) {
    WRT(0) = like(x(0), mul(emit("IgammaGradA", x(0), x(1)), dy(0)));
    WRT(1) = like(x(1), mul(gamma_density(g), dy(0)));
}
GRAD(Igammac) {
    WRT(0) = like(x(0), neg(mul(emit("IgammaGradA", x(0), x(1)), dy(0))));
    WRT(1) = like(x(1), neg(mul(gamma_density(g), dy(0))));
}
GRAD(Betainc) {
    if (!wants(2)) return;
    struct sl_term a = x(0), b = x(1), t = x(2);
    struct sl_term log_beta = sub(add(emit("Lgamma", a), emit("Lgamma", b)), emit("Lgamma", add(a, b)));
    struct sl_term powers = add(emit("Xlog1py", shift(b, -1), neg(t)), emit("Xlogy", shift(a, -1), t));
    WRT(2) = like(x(2), mul(emit("Exp", sub(powers, log_beta)), dy(0)));
}
GRAD(Zeta) { WRT(1) = like(x(1), mul(neg(mul(x(0), emit("Zeta", shift(x(0), 1), x(1)))), dy(0))); }
GRAD(Polygamma) { WRT(1) = like(x(1), mul(emit("Polygamma", shift(x(0), 1), x(1)), dy(0))); }

/* ---- choices */
GRAD(Select) {
    struct sl_term zero = emit("ZerosLike", dy(0));
    WRT(1) = emit("Select", x(0), dy(0), zero);
    WRT(2) = emit("Select", x(0), zero, dy(0));
}
GRAD(SelectV2) {
    struct sl_term zero = num(x(1), 0);
    WRT(1) = like(x(1), select(x(0), dy(0), zero));
    WRT(2) = like(x(2), select(x(0), zero, dy(0)));
}
GRAD(ClipByValue) {
    struct sl_term zero = num(x(0), 0), below = less(x(0), x(1)), above = emit("Greater", x(0), x(2));
    WRT(0) = like(x(0), select(emit("LogicalOr", below, above), zero, dy(0)));
    WRT(1) = like(x(1), select(below, dy(0), zero));
    WRT(2) = like(x(2), select(above, dy(0), zero));
}

/* ---- complex numbers and types */
static struct sl_term complex_of(struct sl_rule *g, struct sl_term re, struct sl_term im) {
    return emit_with(ATTRS(TYPE("Tout", dtype(re) == SL_DOUBLE ? SL_COMPLEX128 : SL_COMPLEX64)), "Complex", re, im);
}
static struct sl_term part(struct sl_rule *g, const char *op, struct sl_term t) {
    return emit_with(ATTRS(TYPE("Tout", dtype(t) == SL_COMPLEX128 ? SL_DOUBLE : SL_FLOAT)), op, t);
}
GRAD(Real) { WRT(0) = complex_of(g, dy(0), num(dy(0), 0)); }
GRAD(Imag) { WRT(0) = complex_of(g, num(dy(0), 0), dy(0)); }
GRAD(Complex) {
    WRT(0) = like(x(0), part(g, "Real", dy(0)));
    WRT(1) = like(x(1), part(g, "Imag", dy(0)));
}
GRAD(Conj) { WRT(0) = conj(dy(0)); }
GRAD(Angle) {
    if (!is_complex(dtype(x(0)))) return;
    struct sl_term turned = complex_of(g, part(g, "Imag", x(0)), part(g, "Real", x(0)));
    WRT(0) = mul(neg(complex_of(g, dy(0), num(dy(0), 0))), inv(turned));
}
/* Sign of complex numbers is x / |x|: only what stands at right angles to y counts. */
GRAD(Sign) {
    if (!is_complex(dtype(x(0)))) {
        WRT(0) = zeros(x(0));
        return;
    }
    struct sl_term length = part(g, "ComplexAbs", x(0)), none = num(length, 0);
    struct sl_term along = complex_of(g, part(g, "Real", mul(conj(dy(0)), y(0))), none);
    WRT(0) = emit("DivNoNan", sub(dy(0), mul(along, y(0))), complex_of(g, length, none));
}
GRAD(ComplexAbs) {
    struct sl_term zero = num(dy(0), 0);
    WRT(0) = emit("DivNoNan", mul(complex_of(g, dy(0), zero), x(0)), complex_of(g, y(0), zero));
}
GRAD(Cast) {
    if (sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, dtype(x(0))) &&
        sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, dtype(y(0))))
        WRT(0) = cast(dy(0), dtype(x(0)));
}

/* ---- sums */
GRAD(AddN) {
    for (int i = 0; i < g->n_x; i++) g->dx[i] = g->dy[0]; /* IndexedSlices stay such */
}

RULES(math) = {
    /* clang-format off */
    RULE(Abs) READS(Neg, Neg, NOTHING) READS(Reciprocal, Reciprocal, Y(0)) READS(Inv, Reciprocal, Y(0)) READS(Square, Square, X(0)) READS(Sqrt, Sqrt, Y(0)) READS(Rsqrt, Rsqrt, Y(0)) READS(Exp, Exp, Y(0)) RULE(Expm1)
    READS(Log, Log, X(0)) RULE(Log1p) RULE(Sinh) RULE(Cosh) READS(Tanh, Tanh, Y(0)) RULE(Asinh) RULE(Acosh) RULE(Atanh) READS(Sin, Sin, X(0)) READS(Cos, Cos, X(0))
    RULE(Tan) RULE(Asin) RULE(Acos) RULE(Atan) READS(Sigmoid, Sigmoid, Y(0)) RULE(Sign) READS(Erf, Erf, X(0)) RULE(Erfc) RULE(Erfinv) RULE(Ndtri)
    RULE(Lgamma) RULE(Digamma) RULE(Dawsn) RULE(Expint) RULE(FresnelCos) RULE(FresnelSin) RULE(Spence)
    RULE(BesselI0) RULE(BesselI0e) RULE(BesselI1) RULE(BesselI1e) RULE(BesselK0) RULE(BesselK0e) RULE(BesselK1) RULE(BesselK1e)
    RULE(BesselJ0) RULE(BesselJ1) RULE(BesselY0) RULE(BesselY1)
    RULE(ReciprocalGrad) RULE_OF(InvGrad, ReciprocalGrad) RULE(SqrtGrad) RULE(RsqrtGrad) READS(TanhGrad, TanhGrad, X(0) | X(1)) READS(SigmoidGrad, SigmoidGrad, X(0) | X(1))
    READS(Add, Add, NOTHING) READS(AddV2, Add, NOTHING) READS(Sub, Sub, NOTHING) READS(Mul, Mul, X(0) | X(1)) RULE(MulNoNan) READS(RealDiv, RealDiv, X(0) | X(1)) READS(Div, RealDiv, X(0) | X(1)) READS(DivNoNan, DivNoNan, X(0) | X(1))
    RULE(FloorMod) RULE(Pow) READS(SquaredDifference, SquaredDifference, X(0) | X(1)) RULE(Maximum) RULE(Minimum) RULE(Atan2) RULE(Xlogy) RULE(Xlog1py)
    RULE(Xdivy) RULE(NextAfter) RULE(Igamma) RULE(Igammac) RULE(Betainc) RULE(Zeta) RULE(Polygamma)
    READS(Select, Select, X(0)) READS(SelectV2, SelectV2, X(0)) RULE(ClipByValue) READS(Real, Real, NOTHING) READS(Imag, Imag, NOTHING) READS(Complex, Complex, NOTHING) READS(Conj, Conj, NOTHING) RULE(Angle)
    RULE(ComplexAbs) READS(Cast, Cast, NOTHING) READS(AddN, AddN, NOTHING) RULE_OF(AccumulateNV2, AddN)
    NO_GRAD(ApproximateEqual) NO_GRAD(BitwiseAnd) NO_GRAD(BitwiseOr) NO_GRAD(BitwiseXor) NO_GRAD(Ceil) NO_GRAD(Equal)
    NO_GRAD(Floor) NO_GRAD(FloorDiv) NO_GRAD(Greater) NO_GRAD(GreaterEqual) NO_GRAD(Invert) NO_GRAD(IsFinite)
    NO_GRAD(IsInf) NO_GRAD(IsNan) NO_GRAD(LeftShift) NO_GRAD(Less) NO_GRAD(LessEqual) NO_GRAD(LogicalAnd)
    NO_GRAD(LogicalNot) NO_GRAD(LogicalOr) NO_GRAD(NotEqual) NO_GRAD(PopulationCount) NO_GRAD(RandomGammaGrad)
    NO_GRAD(RightShift) NO_GRAD(Rint) NO_GRAD(Round) NO_GRAD(TruncateDiv)
    UNDEFINED(IgammaGradA) UNDEFINED(Mod) UNDEFINED(TruncateMod) UNDEFINED(_HostCast)
    RULES_END
    /* clang-format on */
};
