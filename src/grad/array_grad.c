/* Gradients of what moves elements about: pieces, joints, orders, paddings, gathers. */
#include "grad/words.h"

static struct sl_term flat(struct sl_rule *g, struct sl_term t) { return reshape(t, ints(-1)); }
/* A shape, as a vector of the type of t. */
static struct sl_term shape_like(struct sl_rule *g, struct sl_term s, struct sl_term t) {
    return sl_rule_shape_of(g, s, dtype(t));
}

/* Indices, of a type that shapes have, too. */
static struct sl_term wide(struct sl_rule *g, struct sl_term t) { return dtype(t) == SL_INT64 ? t : cast(t, SL_INT32); }

/* ---- the same value */
GRAD(Identity) { g->dx[0] = g->dy[0]; } /* IndexedSlices stay such */
GRAD(IdentityN) {
    for (int i = 0; i < g->n_x; i++) g->dx[i] = g->dy[i];
}
GRAD(CheckNumerics) {
    struct sl_str message = attr_string("message");
    char *text = sl_arena_format(g->arena, "Not a number (NaN) or infinity (Inf) values detected in gradient. %.*s",
                                 SL_STR_ARG(message));
    const struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_s, .s = sl_str_of(text)};
    WRT(0) = emit_with(ATTRS({SL_STR("message"), &value}), "CheckNumerics", dy(0));
}
GRAD(PreventGradient) {
    struct sl_str message = attr_string("message");
    sl_rule_fail(g, SL_INVALID_ARGUMENT, "Gradient explicitly disabled. Reason: %.*s", SL_STR_ARG(message));
}

/* ---- other shapes and orders */
GRAD(Reshape) { WRT(0) = as(x(0), dy(0)); }
GRAD(Transpose) { WRT(0) = transpose(dy(0), emit("InvertPermutation", x(1))); }
GRAD(ConjugateTranspose) { WRT(0) = emit("ConjugateTranspose", dy(0), emit("InvertPermutation", x(1))); }
GRAD(Reverse) { WRT(0) = emit("Reverse", dy(0), x(1)); }
GRAD(ReverseV2) { WRT(0) = emit("ReverseV2", dy(0), x(1)); }
GRAD(ReverseSequence) { WRT(0) = emit_with(ATTRS(SAME("seq_dim"), SAME("batch_dim")), "ReverseSequence", dy(0), x(1)); }
GRAD(Roll) { WRT(0) = emit("Roll", dy(0), neg(x(1)), x(2)); }
GRAD(SpaceToBatch) { WRT(0) = emit_with(ATTRS(SAME("block_size")), "BatchToSpace", dy(0), x(1)); }
GRAD(BatchToSpace) { WRT(0) = emit_with(ATTRS(SAME("block_size")), "SpaceToBatch", dy(0), x(1)); }
GRAD(SpaceToBatchND) { WRT(0) = emit("BatchToSpaceND", dy(0), x(1), x(2)); }
GRAD(BatchToSpaceND) { WRT(0) = emit("SpaceToBatchND", dy(0), x(1), x(2)); }
GRAD(SpaceToDepth) { WRT(0) = emit_with(ATTRS(SAME("block_size"), SAME("data_format")), "DepthToSpace", dy(0)); }
GRAD(DepthToSpace) { WRT(0) = emit_with(ATTRS(SAME("block_size"), SAME("data_format")), "SpaceToDepth", dy(0)); }

/* ---- joints and pieces */
GRAD(Pack) {
    struct sl_term parts = emit_with(ATTRS(AS("num", "N"), SAME("axis")), "Unpack", dy(0));
    for (int i = 0; i < g->n_x; i++) WRT(i) = at(parts, i);
}
/* All gradients of the outputs, and room for one more term. */
static struct sl_term *all_dys(struct sl_rule *g) {
    struct sl_term *all = SL_ARENA_ARRAY(g->arena, struct sl_term, (size_t)g->n_y + 1);
    if (!all) sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
    for (int i = 0; i < g->n_y && all; i++) all[i] = dy(i);
    return all;
}
GRAD(Unpack) {
    struct sl_term *all = all_dys(g);
    if (!all || g->n_y == 0) return;
    WRT(0) = sl_rule_emit(g, "Pack", all, g->n_y, ATTRS(SAME("axis")), 1);
}
static struct sl_term joined(struct sl_rule *g, struct sl_term axis) {
    struct sl_term *all = all_dys(g);
    if (!all) return SL_NO_TERM;
    if (g->n_y == 1) return all[0];
    all[g->n_y] = axis;
    return emit_list("ConcatV2", all, g->n_y + 1);
}
GRAD(Split) { WRT(1) = joined(g, x(0)); }
GRAD(SplitV) { WRT(0) = joined(g, x(2)); }

/* Of `n` values from x(first) on, joined along an axis: each its slice of dy. */
static void cut(struct sl_rule *g, int first, int n, struct sl_term axis) {
    if (n == 1) {
        g->dx[first].values = dy(0);
        return;
    }
    struct sl_term *shapes = SL_ARENA_ARRAY(g->arena, struct sl_term, (size_t)n + 1);
    if (!shapes) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    shapes[0] = emit("FloorMod", cast(axis, SL_INT32), emit("Rank", dy(0)));
    for (int i = 0; i < n; i++) shapes[i + 1] = shape(x(first + i));
    struct sl_term offsets = emit_list("ConcatOffset", shapes, n + 1);
    for (int i = 0; i < n; i++) WRT(first + i) = emit("Slice", dy(0), at(offsets, i), shapes[i + 1]);
}
GRAD(Concat) { cut(g, 1, g->n_x - 1, x(0)); }
GRAD(ConcatV2) { cut(g, 0, g->n_x - 1, x(g->n_x - 1)); }

GRAD(Slice) {
    if (!wants(0)) return;
    struct sl_term begin = x(1), column = emit("Pack", emit("Size", begin), i32(1));
    struct sl_term behind = sub(sub(shape_like(g, x(0), begin), shape_like(g, dy(0), begin)), begin);
    struct sl_term around = emit("ConcatV2", reshape(begin, column), reshape(behind, column), i32(1));
    WRT(0) = emit("Pad", dy(0), around);
}
#define MASKS                                                                                                          \
    ATTRS(SAME("begin_mask"), SAME("end_mask"), SAME("ellipsis_mask"), SAME("new_axis_mask"), SAME("shrink_axis_mask"))
GRAD(StridedSlice) {
    struct sl_term begin = wide(g, x(1));
    WRT(0) =
        emit_with(MASKS, "StridedSliceGrad", shape_like(g, x(0), begin), begin, wide(g, x(2)), wide(g, x(3)), dy(0));
}
GRAD(StridedSliceGrad) { WRT(4) = emit_with(MASKS, "StridedSlice", dy(0), x(1), x(2), x(3)); }
GRAD(TensorStridedSliceUpdate) {
    WRT(0) = emit_with(MASKS, "TensorStridedSliceUpdate", dy(0), x(1), x(2), x(3), zeros(x(4)));
    WRT(4) = like(x(4), emit_with(MASKS, "StridedSlice", dy(0), x(1), x(2), x(3)));
}

/* ---- repetition and padding */
GRAD(Fill) { WRT(1) = sum(dy(0), emit("Range", i32(0), emit("Rank", dy(0)), i32(1))); }
GRAD(BroadcastTo) { WRT(0) = like(x(0), dy(0)); }
/* dy as [times, size, times, size ...], summed over the times. */
GRAD(Tile) {
    if (!wants(0)) return;
    struct sl_term times = x(1), pairs = emit("Pack", times, shape_like(g, x(0), times));
    struct sl_term mixed = flat(g, transpose(pairs, ints(1, 0)));
    struct sl_term axes = emit("Range", i32(0), emit("Size", mixed), i32(2));
    WRT(0) = as(x(0), sum(reshape(dy(0), mixed), axes));
}
static struct sl_term inside(struct sl_rule *g, struct sl_term paddings) {
    struct sl_term column = emit("Pack", emit("Rank", x(0)), i32(1));
    struct sl_term before = flat(g, emit("Slice", paddings, ints(0, 0), column));
    return emit("Slice", dy(0), before, shape_like(g, x(0), paddings));
}
GRAD(Pad) { WRT(0) = inside(g, x(1)); }
GRAD(MirrorPad) { WRT(0) = emit_with(ATTRS(SAME("mode")), "MirrorPadGrad", dy(0), x(1)); }
GRAD(MirrorPadGrad) { WRT(0) = emit_with(ATTRS(SAME("mode")), "MirrorPad", dy(0), x(1)); }

/* ---- diagonals */
GRAD(Diag) { WRT(0) = emit("DiagPart", dy(0)); }
GRAD(DiagPart) { WRT(0) = emit("Diag", dy(0)); }
GRAD(MatrixDiag) { WRT(0) = emit("MatrixDiagPart", dy(0)); }
GRAD(MatrixDiagV2) { WRT(0) = emit("MatrixDiagPartV2", dy(0), x(1), num(dy(0), 0)); }
GRAD(MatrixDiagV3) { WRT(0) = emit_with(ATTRS(SAME("align")), "MatrixDiagPartV3", dy(0), x(1), num(dy(0), 0)); }
GRAD(MatrixDiagPart) { WRT(0) = emit("MatrixSetDiag", zeros(x(0)), dy(0)); }
GRAD(MatrixDiagPartV2) { WRT(0) = emit("MatrixSetDiagV2", zeros(x(0)), dy(0), x(1)); }
GRAD(MatrixDiagPartV3) { WRT(0) = emit_with(ATTRS(SAME("align")), "MatrixSetDiagV3", zeros(x(0)), dy(0), x(1)); }
GRAD(MatrixSetDiag) {
    WRT(0) = emit("MatrixSetDiag", dy(0), zeros(x(1)));
    WRT(1) = emit("MatrixDiagPart", dy(0));
}
/* TensorFlow's: the short diagonals of the gradient are aligned as V3 has it by default, not as V2 has those of the
 * input. */
GRAD(MatrixSetDiagV2) {
    WRT(0) = emit("MatrixSetDiagV2", dy(0), zeros(x(1)), x(2));
    WRT(1) = emit("MatrixDiagPartV3", dy(0), x(2), num(dy(0), 0));
}
GRAD(MatrixSetDiagV3) {
    WRT(0) = emit_with(ATTRS(SAME("align")), "MatrixSetDiagV3", dy(0), zeros(x(1)), x(2));
    WRT(1) = emit_with(ATTRS(SAME("align")), "MatrixDiagPartV3", dy(0), x(2), num(dy(0), 0));
}
GRAD(MatrixBandPart) { WRT(0) = emit("MatrixBandPart", dy(0), x(1), x(2)); }

/* ---- gathers; of the first axis the gradient is IndexedSlices */
static void give_slices(struct sl_rule *g, int i, struct sl_term params_shape, struct sl_term indices) {
    if (!wants(i)) return;
    struct sl_term row = emit("Slice", params_shape, ints(1), ints(-1));
    struct sl_term n = reshape(emit("Size", indices), ints(1));
    g->dx[i] = (struct sl_term_gradient){.values = reshape(dy(0), emit("ConcatV2", n, row, i32(0))),
                                         .indices = flat(g, indices),
                                         .dense_shape = params_shape};
}
GRAD(Gather) { give_slices(g, 0, shape(x(0)), x(1)); }

/* `n` dims from `first` on, of a shape. */
static struct sl_term dims(struct sl_rule *g, struct sl_term of, int first, int n) {
    return emit("Slice", of, ints(first), ints(n));
}
static struct sl_term no_dims(struct sl_rule *g) { return sl_rule_vector(g, SL_INT32, NULL, 0); }
static struct sl_term product(struct sl_rule *g, struct sl_term of) {
    return reshape(emit("Prod", of, ints(0)), ints(1));
}

/* params [batch, outer, axis, inner], dy [batch, outer, indices, inner]: with the axis before outer, and batches one
 * below the other, the gradient is a sum of rows. */
static void gather_along(struct sl_rule *g, int axis, int batch, int rank, int indices_rank) {
    int outer = axis - batch, inner = rank - axis - 1, taken = indices_rank - batch;
    int64_t there[SL_MAX_RANK + 1], back[SL_MAX_RANK + 1];
    int n = 0;
    for (int i = 0; i < batch; i++) there[n++] = i;
    for (int i = 0; i < taken; i++) there[n++] = axis + i;
    for (int i = 0; i < outer; i++) there[n++] = batch + i;
    for (int i = 0; i < inner; i++) there[n++] = axis + taken + i;
    struct sl_term moved = transpose(dy(0), sl_rule_vector(g, SL_INT32, there, n));
    struct sl_term size = shape(x(0)), length = dims(g, size, axis, 1), batches = dims(g, size, 0, batch);
    struct sl_term others = emit("ConcatV2", dims(g, size, batch, outer), dims(g, size, axis + 1, inner), i32(0));
    struct sl_term indices = cast(x(1), SL_INT32);
    if (batch > 0) {
        struct sl_term n_batches = reshape(product(g, batches), no_dims(g));
        struct sl_term starts = mul(emit("Range", i32(0), n_batches, i32(1)), length);
        struct sl_term per_batch = product(g, emit("Slice", shape(x(1)), ints(batch), ints(-1)));
        struct sl_term table = reshape(indices, emit("ConcatV2", reshape(n_batches, ints(1)), per_batch, i32(0)));
        indices = add(table, emit("ExpandDims", starts, i32(1)));
    }
    struct sl_term values = reshape(moved, emit("ConcatV2", reshape(emit("Size", indices), ints(1)), others, i32(0)));
    struct sl_term n_rows = reshape(mul(product(g, batches), length), no_dims(g));
    struct sl_term rows = emit("UnsortedSegmentSum", values, flat(g, indices), n_rows);
    struct sl_term whole = reshape(rows, emit("ConcatV2", batches, length, others, i32(0)));
    n = 0;
    for (int i = 0; i < batch; i++) back[n++] = i;
    for (int i = 0; i < outer; i++) back[n++] = batch + 1 + i;
    back[n++] = batch;
    for (int i = 0; i < inner; i++) back[n++] = batch + 1 + outer + i;
    WRT(0) = transpose(whole, sl_rule_vector(g, SL_INT32, back, n));
}
GRAD(GatherV2) {
    const int64_t *axis;
    int n, rank = rank_of(x(0)), indices_rank = rank_of(x(1));
    int64_t batch = attr_int("batch_dims");
    bool is_known = sl_rule_ints(&axis, &n, g, x(2)) && n == 1;
    if (is_known && axis[0] == 0 && batch == 0) {
        give_slices(g, 0, shape(x(0)), x(1));
    } else if (!is_known || rank < 0 || indices_rank < 0) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "An axis that is not constant, or of a tensor of unknown rank");
    } else {
        int64_t from = axis[0] < 0 ? axis[0] + rank : axis[0];
        if (batch < 0) batch += indices_rank;
        if (batch < 0 || batch > from || batch > indices_rank || from >= rank)
            sl_rule_fail(g, SL_INVALID_ARGUMENT, "batch_dims and axis do not fit the ranks");
        else gather_along(g, (int)from, (int)batch, rank, indices_rank);
    }
}
static struct sl_term taken(struct sl_rule *g, struct sl_term indices) { return emit("GatherNd", dy(0), indices); }
/* Indices of shape [n, 1] take whole rows: the gradient is IndexedSlices. */
GRAD(GatherNd) {
    struct sl_shape of = known_shape(x(1));
    if (wants(0) && of.rank == 2 && of.dims[1] == 1) {
        g->dx[0] =
            (struct sl_term_gradient){.values = dy(0), .indices = flat(g, wide(g, x(1))), .dense_shape = shape(x(0))};
        return;
    }
    struct sl_term indices = wide(g, x(1));
    WRT(0) = emit("ScatterNd", indices, dy(0), shape_like(g, x(0), indices));
}
GRAD(ScatterNd) { WRT(1) = taken(g, x(0)); }
GRAD(TensorScatterUpdate) {
    WRT(0) = emit("TensorScatterUpdate", dy(0), x(1), zeros(x(2)));
    WRT(2) = taken(g, x(1));
}
GRAD(TensorScatterAdd) {
    WRT(0) = dy(0);
    WRT(2) = taken(g, x(1));
}
GRAD(TensorScatterSub) {
    WRT(0) = dy(0);
    WRT(2) = neg(taken(g, x(1)));
}
/* Whatever is as large as the result shares its gradient. */
GRAD(TensorScatterMax) {
    struct sl_term from_x = cast(equal(x(0), y(0)), dtype(x(0)));
    struct sl_term from_updates = cast(equal(x(2), emit("GatherNd", y(0), x(1))), dtype(x(0)));
    struct sl_term indices = wide(g, x(1));
    struct sl_term count = add(from_x, emit("ScatterNd", indices, from_updates, shape_like(g, x(0), indices)));
    struct sl_term share = quo(dy(0), count);
    WRT(0) = mul(from_x, share);
    WRT(2) = mul(from_updates, emit("GatherNd", share, x(1)));
}
GRAD(DynamicPartition) {
    if (!wants(0)) return;
    struct sl_term size = shape(x(1)), n = emit("Prod", size, ints(0));
    struct sl_term positions = reshape(emit("Range", i32(0), n, i32(1)), size);
    int n_parts = g->n_y;
    struct sl_term parts = emit_with(ATTRS(SAME("num_partitions")), "DynamicPartition", positions, x(1));
    struct sl_term *both = SL_ARENA_ARRAY(g->arena, struct sl_term, 2 * (size_t)n_parts);
    if (!both) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    for (int i = 0; i < n_parts; i++) {
        both[i] = at(parts, i);
        both[n_parts + i] = dy(i);
    }
    WRT(0) = as(x(0), emit_list("DynamicStitch", both, 2 * n_parts));
}
GRAD(DynamicStitch) {
    for (int i = 0; i < g->n_x / 2; i++) WRT(g->n_x / 2 + i) = emit("GatherV2", dy(0), x(i), i32(0));
}

RULES(array) = {
    /* clang-format off */
    READS(Identity, Identity, NOTHING) READS(IdentityN, IdentityN, NOTHING) RULE_OF(Snapshot, Identity) RULE_OF(PlaceholderWithDefault, Identity)
    READS(EnsureShape, Identity, NOTHING) RULE(PreventGradient) RULE(CheckNumerics) RULE_OF(CheckNumericsV2, CheckNumerics)
    RULE_OF(RefIdentity, Identity) RULE_OF(DebugGradientIdentity, Identity) RULE_OF(XlaSharding, Identity)
    READS(Reshape, Reshape, NOTHING) READS(ExpandDims, Reshape, NOTHING) READS(Squeeze, Reshape, NOTHING) READS(Transpose, Transpose, X(1)) RULE(ConjugateTranspose)
    RULE(Reverse) READS(ReverseV2, ReverseV2, X(1)) RULE(ReverseSequence) RULE(Roll) RULE(SpaceToBatch) RULE(BatchToSpace)
    RULE(SpaceToBatchND) RULE(BatchToSpaceND) RULE(SpaceToDepth) RULE(DepthToSpace)
    READS(Pack, Pack, NOTHING) RULE(Unpack) RULE(Split) RULE(SplitV) RULE(Concat) READS(ConcatV2, ConcatV2, NOTHING) READS(Slice, Slice, X(1)) READS(StridedSlice, StridedSlice, X(1) | X(2) | X(3))
    RULE(StridedSliceGrad) RULE(TensorStridedSliceUpdate) RULE(Fill) READS(BroadcastTo, BroadcastTo, NOTHING) READS(Tile, Tile, X(1)) RULE(Pad)
    RULE_OF(PadV2, Pad) RULE(MirrorPad) RULE(MirrorPadGrad)
    RULE(Diag) RULE(DiagPart) RULE(MatrixDiag) RULE(MatrixDiagV2) RULE(MatrixDiagV3) RULE(MatrixDiagPart)
    RULE(MatrixDiagPartV2) RULE(MatrixDiagPartV3) RULE(MatrixSetDiag) RULE(MatrixSetDiagV2) RULE(MatrixSetDiagV3)
    RULE(MatrixBandPart)
    READS(Gather, Gather, X(1)) READS(GatherV2, GatherV2, X(1) | X(2)) RULE(GatherNd) RULE(ScatterNd) RULE(TensorScatterUpdate) RULE(TensorScatterAdd)
    RULE_OF(ScatterNdNonAliasingAdd, TensorScatterAdd) RULE(TensorScatterSub) RULE(TensorScatterMax)
    RULE_OF(TensorScatterMin, TensorScatterMax) RULE(DynamicPartition) RULE(DynamicStitch)
    RULE_OF(ParallelDynamicStitch, DynamicStitch)
    NO_GRAD(Bitcast) NO_GRAD(BroadcastGradientArgs) NO_GRAD(ConcatOffset) NO_GRAD(Const) NO_GRAD(InvertPermutation)
    NO_GRAD(LinSpace) NO_GRAD(ListDiff) NO_GRAD(OneHot) NO_GRAD(OnesLike) NO_GRAD(Placeholder) NO_GRAD(PlaceholderV2)
    NO_GRAD(Range) NO_GRAD(Rank) NO_GRAD(Shape) NO_GRAD(ShapeN) NO_GRAD(Size) NO_GRAD(StopGradient) NO_GRAD(Unique)
    NO_GRAD(UniqueV2) NO_GRAD(UniqueWithCounts) NO_GRAD(Where) NO_GRAD(ZerosLike)
    UNDEFINED(DeepCopy) UNDEFINED(GuaranteeConst) UNDEFINED(InplaceAdd) UNDEFINED(InplaceSub) UNDEFINED(InplaceUpdate)
    UNDEFINED(ParallelConcat) UNDEFINED(TileGrad) UNDEFINED(UniqueWithCountsV2)
    RULES_END
    /* clang-format on */
};
