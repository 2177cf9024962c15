/* Gradients of images: resizing, crops, projections, colours. */
#include "grad/words.h"

/* ---- sizes */
static struct sl_term height_and_width(struct sl_rule *g, struct sl_term image) {
    return emit("Slice", shape(image), ints(1), ints(2));
}
#define RESIZE_ATTRS ATTRS(SAME("align_corners"), SAME("half_pixel_centers"))
GRAD(ResizeBilinear) { WRT(0) = emit_with(RESIZE_ATTRS, "ResizeBilinearGrad", dy(0), x(0)); }
GRAD(ResizeBicubic) { WRT(0) = emit_with(RESIZE_ATTRS, "ResizeBicubicGrad", dy(0), x(0)); }
GRAD(ResizeNearestNeighbor) {
    WRT(0) = emit_with(RESIZE_ATTRS, "ResizeNearestNeighborGrad", dy(0), height_and_width(g, x(0)));
}
GRAD(ScaleAndTranslate) {
    WRT(0) = emit_with(ATTRS(SAME("kernel_type"), SAME("antialias")), "ScaleAndTranslateGrad", dy(0), x(0), x(2), x(3));
}
GRAD(CropAndResize) { /* image, boxes, which image of each box, size */
    int type = dtype(x(0));
    WRT(0) =
        emit_with(ATTRS(SAME("method"), TYPE("T", type)), "CropAndResizeGradImage", dy(0), x(1), x(2), shape(x(0)));
    WRT(1) = emit("CropAndResizeGradBoxes", dy(0), x(0), x(1), x(2));
}

/* The projection back: the inverse of [a0 a1 a2; b0 b1 b2; c0 c1 1], divided by its last element. */
static struct sl_term inverse_transforms(struct sl_rule *g, struct sl_term t) {
    struct sl_term n = emit("Slice", shape(t), ints(0), ints(1));
    struct sl_term ones = emit("Fill", emit("ConcatV2", n, ints(1), i32(0)), num(t, 1));
    struct sl_term matrices = reshape(emit("ConcatV2", t, ones, i32(1)), ints(-1, 3, 3));
    struct sl_term flat = reshape(emit("MatrixInverse", matrices), ints(-1, 9));
    struct sl_term last = emit("Slice", flat, ints(0, 8), ints(-1, 1));
    return emit("Slice", quo(flat, last), ints(0, 0), ints(-1, 8));
}
GRAD(ImageProjectiveTransformV2) {
    WRT(0) = emit_with(ATTRS(SAME("interpolation"), SAME("fill_mode")), "ImageProjectiveTransformV2", dy(0),
                       inverse_transforms(g, x(1)), height_and_width(g, x(0)));
}
GRAD(ImageProjectiveTransformV3) {
    WRT(0) = emit_with(ATTRS(SAME("interpolation"), SAME("fill_mode")), "ImageProjectiveTransformV3", dy(0),
                       inverse_transforms(g, x(1)), height_and_width(g, x(0)), num(x(3), 0));
}

/* ---- colours: v = max, s = (max - min) / max, h = (next - the one after, over max - min, + 0, 2 or 4) / 6 */
#define is(op, a, b) emit(op, a, b)
#define both(a, b)   emit("LogicalAnd", a, b)
#define over(a, b)   emit("DivNoNan", a, b)
GRAD(RGBToHSV) {
    if (!wants(0)) return;
    int type = dtype(x(0));
    struct sl_term c = emit_with(ATTRS(INT("num", 3), INT("axis", -1)), "Unpack", x(0));
    struct sl_term red = c, green = at(c, 1), blue = at(c, 2);
    struct sl_term d = emit_with(ATTRS(INT("num", 3), INT("axis", -1)), "Unpack", dy(0));
    struct sl_term dh = d, ds = at(d, 1), dv = at(d, 2);
    const struct sl_term largest[3] = {cast(both(is("GreaterEqual", red, blue), is("GreaterEqual", red, green)), type),
                                       cast(both(is("Greater", green, red), is("GreaterEqual", green, blue)), type),
                                       cast(both(is("Greater", blue, red), is("Greater", blue, green)), type)};
    const struct sl_term smallest[3] = {cast(both(is("Less", red, blue), is("Less", red, green)), type),
                                        cast(both(is("LessEqual", green, red), is("Less", green, blue)), type),
                                        cast(both(is("LessEqual", blue, red), is("LessEqual", blue, green)), type)};
    struct sl_term max = add(add(mul(largest[0], red), mul(largest[1], green)), mul(largest[2], blue));
    struct sl_term min = add(add(mul(smallest[0], red), mul(smallest[1], green)), mul(smallest[2], blue));
    struct sl_term range = sub(max, min), sixth = over(num(range, 1. / 6), range);
    struct sl_term differences =
        add(add(mul(largest[0], sub(green, blue)), mul(largest[1], sub(blue, red))), mul(largest[2], sub(red, green)));
    struct sl_term slant = over(differences, range);
    struct sl_term parts[3];
    for (int i = 0; i < 3; i++) {
        struct sl_term ranges = sub(largest[i], smallest[i]);
        /* Of the differences: +1 for the channel after the largest, -1 for the one before. */
        struct sl_term turns = sub(largest[(i + 2) % 3], largest[(i + 1) % 3]);
        struct sl_term h = mul(sixth, sub(turns, mul(slant, ranges)));
        struct sl_term is_lit = cast(emit("Greater", at(c, i), num(red, 0)), type);
        struct sl_term s = mul(is_lit, sub(over(ranges, max), mul(over(over(range, max), max), largest[i])));
        parts[i] = add(add(mul(dh, h), mul(ds, s)), mul(dv, largest[i]));
    }
    WRT(0) = sl_rule_emit(g, "Pack", parts, 3, ATTRS(INT("axis", -1)), 1);
}

RULES(image) = {
    /* clang-format off */
    RULE(ResizeBilinear) RULE(ResizeBicubic) RULE(ResizeNearestNeighbor) RULE(ScaleAndTranslate) RULE(CropAndResize)
    RULE(ImageProjectiveTransformV2) RULE(ImageProjectiveTransformV3) RULE(RGBToHSV)
    NO_GRAD(DrawBoundingBoxes) NO_GRAD(ExtractGlimpse) NO_GRAD(GenerateBoundingBoxProposals) NO_GRAD(HSVToRGB)
    NO_GRAD(NonMaxSuppression) NO_GRAD(NonMaxSuppressionV2) NO_GRAD(NonMaxSuppressionWithOverlaps) NO_GRAD(RandomCrop)
    NO_GRAD(ResizeBilinearGrad) NO_GRAD(SampleDistortedBoundingBox) NO_GRAD(SampleDistortedBoundingBoxV2)
    UNDEFINED(AdjustContrastv2) UNDEFINED(AdjustHue) UNDEFINED(AdjustSaturation) UNDEFINED(CombinedNonMaxSuppression)
    UNDEFINED(CropAndResizeGradBoxes) UNDEFINED(CropAndResizeGradImage) UNDEFINED(DrawBoundingBoxesV2)
    UNDEFINED(ExtractGlimpseV2) UNDEFINED(NonMaxSuppressionV5) UNDEFINED(ResizeArea) UNDEFINED(ResizeBicubicGrad)
    UNDEFINED(ResizeNearestNeighborGrad) UNDEFINED(ScaleAndTranslateGrad) UNDEFINED(StatelessSampleDistortedBoundingBox)
    RULES_END
    /* clang-format on */
};
