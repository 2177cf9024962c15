/* Gradients of Fourier transforms. A transform and its inverse differ by the number of elements and a conjugate. */
#include "grad/words.h"

/* The number of elements that one transform takes, of the type of `of`. */
static struct sl_term length(struct sl_rule *g, struct sl_term t, int dims, struct sl_term of) {
    struct sl_term sizes =
        emit_with(ATTRS(INT("end_mask", 1)), "StridedSlice", shape(t), ints(-dims), ints(0), ints(1));
    return cast(emit("Prod", sizes, ints(0)), dtype(of));
}
static void forward(struct sl_rule *g, const char *inverse, int dims) {
    WRT(0) = mul(emit(inverse, dy(0)), length(g, dy(0), dims, dy(0)));
}
static void inverse(struct sl_rule *g, const char *forward, int dims) {
    WRT(0) = quo(emit(forward, dy(0)), length(g, dy(0), dims, dy(0)));
}
GRAD(FFT) { forward(g, "IFFT", 1); }
GRAD(FFT2D) { forward(g, "IFFT2D", 2); }
GRAD(FFT3D) { forward(g, "IFFT3D", 3); }
GRAD(IFFT) { inverse(g, "FFT", 1); }
GRAD(IFFT2D) { inverse(g, "FFT2D", 2); }
GRAD(IFFT3D) { inverse(g, "FFT3D", 3); }

/* t cut, or filled up with zeros, to a shape: what a transform did to an input of another length. */
static struct sl_term fitted(struct sl_rule *g, struct sl_term t, struct sl_term there) {
    struct sl_term rank = emit("Rank", t), here = emit("Shape", t), column = emit("Pack", rank, i32(1));
    struct sl_term begin = emit("Fill", reshape(rank, ints(1)), i32(0)), common = emit("Minimum", there, here);
    struct sl_term around = emit("ConcatV2", reshape(begin, column), reshape(sub(there, common), column), i32(1));
    return emit("Pad", emit("Slice", t, begin, common), around);
}
static struct sl_term complex_type(struct sl_rule *g, struct sl_term re) {
    return cast(re, dtype(re) == SL_DOUBLE ? SL_COMPLEX128 : SL_COMPLEX64);
}

/* Of a real signal half of the spectrum is there. The other half is its mirror: the spectrum's real inverse counts it,
 * and what stands alone (the first element, and the one in the middle of an even length) is counted once too little. */
static void real_forward(struct sl_rule *g, const char *inverse, int dims) {
    if (!wants(0)) return;
    int real = dtype(x(0)), type = real == SL_DOUBLE ? SL_COMPLEX128 : SL_COMPLEX64;
    struct sl_term sizes = x(1), n = emit("GatherV2", sizes, i32(dims - 1), i32(0));
    struct sl_term d = dy(0);
    /* The gradient through the whole spectrum with zeros where nothing was given: its inverse, times the number of
     * elements. */
    struct sl_term half = emit("GatherV2", shape(d), sub(emit("Rank", d), i32(1)), i32(0));
    struct sl_term missing = sub(n, half), rank = emit("Rank", d);
    struct sl_term zeros_before = emit("Fill", reshape(sub(mul(rank, i32(2)), i32(1)), ints(1)), i32(0));
    struct sl_term around = reshape(emit("ConcatV2", zeros_before, reshape(missing, ints(1)), i32(0)), ints(-1, 2));
    struct sl_term whole = emit(inverse, emit("Pad", d, around));
    struct sl_term count = cast(emit("Prod", sizes, ints(0)), type);
    WRT(0) = fitted(g, emit_with(ATTRS(TYPE("Tout", real)), "Real", mul(whole, count)), shape(x(0)));
}
GRAD(RFFT) { real_forward(g, "IFFT", 1); }
GRAD(RFFT2D) { real_forward(g, "IFFT2D", 2); }
GRAD(RFFT3D) { real_forward(g, "IFFT3D", 3); }

/* The inverse: each element of the half spectrum but those that stand alone stands for two. */
static void real_inverse(struct sl_rule *g, const char *forward, int dims) {
    if (!wants(0)) return;
    struct sl_term d = dy(0), length_given = x(1), n = emit("GatherV2", length_given, i32(dims - 1), i32(0));
    int type = dtype(x(0));
    struct sl_term spectrum = emit_with(ATTRS(TYPE("Tcomplex", type)), forward, d, length_given);
    struct sl_term half = add(emit("FloorDiv", n, i32(2)), i32(1));
    struct sl_term odd = emit("FloorMod", n, i32(2));
    struct sl_term twos = emit("Fill", reshape(sub(half, sub(i32(2), odd)), ints(1)), num(d, 2));
    struct sl_term alone = emit("Fill", reshape(sub(i32(1), odd), ints(1)), num(d, 1));
    struct sl_term weights = emit("ConcatV2", emit("Fill", ints(1), num(d, 1)), twos, alone, i32(0));
    struct sl_term scaled = quo(weights, cast(emit("Prod", length_given, ints(0)), dtype(d)));
    struct sl_term whole = mul(spectrum, complex_type(g, scaled));
    WRT(0) = fitted(g, whole, shape(x(0)));
}
GRAD(IRFFT) { real_inverse(g, "RFFT", 1); }
GRAD(IRFFT2D) { real_inverse(g, "RFFT2D", 2); }
GRAD(IRFFT3D) { real_inverse(g, "RFFT3D", 3); }

RULES(signal) = {
    /* clang-format off */
    RULE(FFT) RULE(FFT2D) RULE(FFT3D) RULE(IFFT) RULE(IFFT2D) RULE(IFFT3D) RULE(RFFT) RULE(RFFT2D) RULE(RFFT3D) RULE(IRFFT)
    RULE(IRFFT2D) RULE(IRFFT3D)
    UNDEFINED(AudioSpectrogram) UNDEFINED(Mfcc)
    RULES_END
    /* clang-format on */
};
