/* Gradients of tensors with few elements that are not zero: indices, values, shape. Only values have gradients. */
#include "grad/words.h"

/* Column i of a table of indices. */
static struct sl_term column(struct sl_rule *g, struct sl_term indices, int i) {
    return emit_with(ATTRS(INT("begin_mask", 1), INT("end_mask", 1), INT("shrink_axis_mask", 2)), "StridedSlice",
                     indices, ints(0, i), ints(0, i + 1), ints(1, 1));
}
static struct sl_term rows(struct sl_rule *g, struct sl_term t, struct sl_term indices) {
    return emit("GatherV2", t, indices, i32(0));
}

/* ---- products: sum over k of a[i,k] b[k,j] */
GRAD(SparseTensorDenseMatMul) {
    bool adjoint_a = attr_bool("adjoint_a"), adjoint_b = attr_bool("adjoint_b");
    if (wants(1)) {
        struct sl_term row = column(g, x(0), 0), col = column(g, x(0), 1);
        struct sl_term b = adjoint_b ? adjoint(x(3)) : x(3), d = dy(0);
        struct sl_term from_d = rows(g, d, adjoint_a ? col : row), from_b = rows(g, b, adjoint_a ? row : col);
        struct sl_term values = sum(mul(from_d, conj(from_b)), ints(1));
        WRT(1) = adjoint_a ? conj(values) : values;
    }
    if (!wants(3)) return;
    struct sl_term db =
        emit_with(ATTRS(BOOL("adjoint_a", !adjoint_a)), "SparseTensorDenseMatMul", x(0), x(1), x(2), dy(0));
    WRT(3) = adjoint_b ? adjoint(db) : db;
}
/* Dense matrices that happen to be sparse, in two types. */
static struct sl_term product(struct sl_rule *g, struct sl_term a, struct sl_term b, bool turn_a, bool turn_b) {
    return emit_with(ATTRS(BOOL("transpose_a", turn_a), BOOL("transpose_b", turn_b)), "MatMul", cast(a, SL_FLOAT),
                     cast(b, SL_FLOAT));
}
GRAD(SparseMatMul) {
    bool ta = attr_bool("transpose_a"), tb = attr_bool("transpose_b");
    struct sl_term a = x(0), b = x(1);
    WRT(0) = cast(ta ? product(g, b, dy(0), tb, true) : product(g, dy(0), b, false, !tb), dtype(a));
    WRT(1) = cast(tb ? product(g, dy(0), a, true, ta) : product(g, a, dy(0), !ta, false), dtype(b));
}

/* ---- with a dense tensor, element by element; x(3) is broadcast to the shape of the sparse one */
/* Where in the dense tensor each of the elements is. */
static struct sl_term dense_indices(struct sl_rule *g) {
    struct sl_term size = shape64(x(3)), n = emit("Size", size);
    struct sl_term lead = sub(emit("Size", x(2)), n);
    struct sl_term wide =
        emit("ConcatV2", emit("Fill", reshape(lead, ints(1)), sl_rule_number(g, SL_INT64, 1)), size, i32(0));
    struct sl_term scaled = emit("FloorDiv", x(0), emit("FloorDiv", x(2), wide));
    return emit("Slice", scaled, emit("Pack", i32(0), lead), ints(-1, -1));
}
GRAD(SparseDenseCwiseMul) {
    struct sl_term at_dense = dense_indices(g), d = dy(0);
    WRT(1) = mul(d, emit("GatherNd", x(3), at_dense));
    WRT(3) = emit("ScatterNd", at_dense, mul(d, x(1)), shape64(x(3)));
}
GRAD(SparseDenseCwiseDiv) {
    struct sl_term at_dense = dense_indices(g), d = dy(0), dense = emit("GatherNd", x(3), at_dense);
    WRT(1) = quo(d, dense);
    WRT(3) = emit("ScatterNd", at_dense, mul(d, quo(neg(x(1)), sqr(dense))), shape64(x(3)));
}
GRAD(SparseDenseCwiseAdd) {
    WRT(1) = dy(0);
    WRT(3) = emit("ScatterNd", dense_indices(g), dy(0), shape64(x(3)));
}
GRAD(SparseTensorDenseAdd) {
    WRT(1) = emit("GatherNd", dy(0), x(0));
    WRT(3) = dy(0);
}

/* ---- among themselves; output 1 is the values */
GRAD(SparseAdd) {
    if (!wants(1) && !wants(4)) return;
    struct sl_term both = emit("SparseAddGrad", dy(1), x(0), x(3), y(0));
    WRT(1) = both;
    WRT(4) = at(both, 1);
}
GRAD(SparseReorder) {
    struct sl_term n = emit("Size", x(1));
    struct sl_term order = emit("SparseReorder", x(0), emit("Range", i32(0), n, i32(1)), x(2));
    WRT(1) = rows(g, dy(1), emit("InvertPermutation", at(order, 1)));
}
GRAD(SparseSlice) { WRT(1) = emit("SparseSliceGrad", dy(1), x(0), x(3), y(0)); }
GRAD(SparseFillEmptyRows) {
    if (!wants(1) && !wants(3)) return;
    struct sl_term both = emit("SparseFillEmptyRowsGrad", y(3), dy(1));
    WRT(1) = both;
    WRT(3) = at(both, 1);
}
/* (dy - the sum of y dy along the last axis) y */
GRAD(SparseSoftmax) {
    struct sl_term d = dy(0), total = emit_with(ATTRS(BOOL("keep_dims", true)), "SparseReduceSum", x(0), mul(y(0), d),
                                                x(2), ints(-1));
    WRT(1) = mul(emit("SparseDenseCwiseAdd", x(0), d, x(2), neg(total)), y(0));
}
GRAD(SparseReduceSum) {
    struct sl_term rank = emit("Size", x(2)), axes = emit("FloorMod", add(reshape(x(3), ints(-1)), rank), rank);
    struct sl_term ones = emit("Fill", reshape(emit("Size", axes), ints(1)), sl_rule_number(g, SL_INT64, 1));
    struct sl_term kept_shape = emit("TensorScatterUpdate", x(2), emit("ExpandDims", axes, i32(1)), ones);
    struct sl_term scaled = emit("FloorDiv", x(0), emit("FloorDiv", x(2), kept_shape));
    WRT(1) = emit("GatherNd", reshape(dy(0), kept_shape), scaled);
}
GRAD(SparseToDense) {
    struct sl_term n = emit("Size", x(2));
    struct sl_term indices = reshape(x(0), emit("Pack", n, emit("Size", x(1))));
    struct sl_term values = as(x(2), emit("GatherNd", dy(0), indices));
    WRT(2) = like(x(2), values);
    if (!wants(3)) return;
    struct sl_term all = sum(reshape(dy(0), ints(-1)), ints(0)), set = sum(reshape(values, ints(-1)), ints(0));
    WRT(3) = sub(all, set);
}

/* ---- ragged tensors: values behind their splits */
GRAD(RaggedTensorToSparse) { WRT(g->n_x - 1) = as(x(g->n_x - 1), dy(1)); }
GRAD(RaggedFillEmptyRows) { /* the row of each value, values, number of rows, default */
    if (!wants(1) && !wants(3)) return;
    struct sl_term all = emit("RaggedFillEmptyRowsGrad", y(3), dy(1));
    WRT(1) = all;
    WRT(3) = at(all, 1);
}

/* ---- the larger (smaller) of both, 0 where one is missing: the gradient goes to a wherever it is not the smaller one
 */
static void extreme(struct sl_rule *g, const char *keeps_a) {
    if (!wants(1) && !wants(4)) return;
    /* Both with the indices of the result. */
    struct sl_term zero = num(x(1), 0), none = emit("ZerosLike", y(1));
    struct sl_term threshold = zero;
    struct sl_term a = at(emit("SparseAdd", y(0), none, x(2), x(0), x(1), x(2), threshold), 1);
    struct sl_term b = at(emit("SparseAdd", y(0), none, x(2), x(3), x(4), x(5), threshold), 1);
    struct sl_term is_a = emit(keeps_a, a, b), d = dy(1), rest = num(d, 0);
    struct sl_term to_a = emit("SparseAddGrad", select(is_a, d, rest), y(0), x(0), y(0));
    struct sl_term to_b = emit("SparseAddGrad", select(is_a, rest, d), y(0), x(3), y(0));
    WRT(1) = at(to_a, 1);
    WRT(4) = at(to_b, 1);
}
GRAD(SparseSparseMaximum) { extreme(g, "GreaterEqual"); }
GRAD(SparseSparseMinimum) { extreme(g, "LessEqual"); }

/* ---- ragged tensors; values are rows that splits cut into groups, and those into groups again */
enum { MOST_LEVELS = 16 };

static struct sl_str first_partition(const struct sl_rule *g) {
    struct sl_str first = {0};
    const struct sl_pb_AttrValue *types = sl_attr_find(g->attrs, SL_STR("row_partition_types"));
    if (types && types->which == SL_PB_AttrValue_list && types->list && types->list->s.n)
        first = types->list->s.items[0];
    return first;
}

/* The rows of a group begin where those of its first part do. */
GRAD(RaggedGather) { /* splits of each level, values, indices */
    int n_levels = g->n_x - 2;
    if (!wants(n_levels)) return;
    struct sl_term values = x(n_levels), indices = reshape(x(n_levels + 1), ints(-1)), begins = x(0);
    for (int i = 1; i < n_levels; i++) begins = rows(g, x(i), begins);
    struct sl_term one = sl_rule_number(g, dtype(begins), 1), next = add(indices, num(indices, 1));
    struct sl_term ranges = emit("RaggedRange", rows(g, begins, indices), rows(g, begins, next), one);
    g->dx[n_levels] = (struct sl_term_gradient){dy(g->n_y - 1), at(ranges, 1), shape(values)};
}
/* The same op tells which row each place came from. */
GRAD(RaggedTensorToTensor) { /* shape, values, default, partitions */
    int n_levels = g->n_x - 3, n_dims = n_levels + !sl_str_is(first_partition(g), "FIRST_DIM_SIZE");
    struct sl_term n = emit("GatherV2", shape64(x(1)), i32(0), i32(0)), all[3 + MOST_LEVELS];
    if (n_levels > MOST_LEVELS) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "A ragged tensor of more than %d levels", MOST_LEVELS);
        return;
    }
    if (rank_of(x(0)) < 0) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "The shape asked for is not known to be a vector");
        return;
    }
    struct sl_term zero = sl_rule_number(g, SL_INT64, 0), one = sl_rule_number(g, SL_INT64, 1);
    all[0] = rank_of(x(0)) ? emit("Slice", x(0), ints(0), ints(n_dims)) : x(0);
    all[1] = emit("Range", zero, n, one);
    all[2] = sl_rule_number(g, SL_INT64, -1);
    for (int i = 0; i < n_levels; i++) all[3 + i] = x(3 + i);
    const struct sl_attr attrs[] = {SAME("row_partition_types")};
    struct sl_term from = reshape(sl_rule_emit(g, "RaggedTensorToTensor", all, 3 + n_levels, attrs, 1), ints(-1));
    struct sl_term inner = emit("Slice", shape64(x(1)), ints(1), ints(-1));
    struct sl_term d =
        reshape(dy(0), emit("ConcatV2", sl_rule_vector(g, SL_INT64, (const int64_t[]){-1}, 1), inner, i32(0)));
    WRT(1) = emit("UnsortedSegmentSum", d, from, n);
    if (!wants(2)) return;
    struct sl_term nowhere = emit("Where", less(from, zero));
    WRT(2) = like(x(2), emit("GatherNd", d, nowhere));
}

/* ---- variants of several components */
GRAD(CompositeTensorVariantFromComponents) {
    const struct sl_attr attrs[] = {SAME("metadata"), SAME("Tcomponents")};
    struct sl_term d = dy(0), all = sl_rule_emit(g, "CompositeTensorVariantToComponents", &d, 1, attrs, 2);
    for (int i = 0; i < g->n_x; i++) WRT(i) = at(all, i);
}

/* ---- matrices in compressed rows: the gradient of one is one with elements in the same places */
static struct sl_term elements(struct sl_rule *g, struct sl_term csr, const char *type) {
    return emit_with(ATTRS(TYPE("type", attr_type(type))), "CSRSparseMatrixToSparseTensor", csr);
}
GRAD(DenseToCSRSparseMatrix) { WRT(0) = emit_with(ATTRS(AS("type", "T")), "CSRSparseMatrixToDense", dy(0)); }
GRAD(CSRSparseMatrixToDense) { WRT(0) = emit("DenseToCSRSparseMatrix", dy(0), elements(g, x(0), "type")); }
GRAD(SparseTensorToCSRSparseMatrix) { WRT(1) = at(elements(g, dy(0), "T"), 1); }
GRAD(CSRSparseMatrixToSparseTensor) { WRT(0) = emit("SparseTensorToCSRSparseMatrix", y(0), dy(1), y(2)); }

/* Rows of the matrices of t, by column i of the indices; of batches by the number of the matrix too. */
static struct sl_term matrix_rows(struct sl_rule *g, struct sl_term t, struct sl_term indices, int i) {
    if (rank_of(t) == 2) return rows(g, t, column(g, indices, i));
    return emit("GatherNd", t,
                emit_with(ATTRS(INT("axis", 1)), "Pack", column(g, indices, 0), column(g, indices, i + 1)));
}
/* c[i,k] = sum over j of a[i,j] b[j,k], each turned and conjugated as asked */
GRAD(SparseMatrixMatMul) {
    bool adjoint_a = attr_bool("adjoint_a"), turns_a = adjoint_a || attr_bool("transpose_a");
    bool adjoint_b = attr_bool("adjoint_b"), turns_b = adjoint_b || attr_bool("transpose_b");
    struct sl_term d = attr_bool("transpose_output") ? swapped(dy(0)) : dy(0), b = turns_b ? swapped(x(1)) : x(1);
    if (rank_of(d) != 2 && rank_of(d) != 3) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "The rank of the product must be known to be 2 or 3");
        return;
    }
    if (attr_bool("conjugate_output")) d = conj(d);
    if (adjoint_b) b = conj(b);
    if (wants(0)) {
        struct sl_term all = elements(g, x(0), "T");
        struct sl_term from_d = matrix_rows(g, d, all, turns_a), from_b = matrix_rows(g, b, all, !turns_a);
        struct sl_term values = sum(mul(from_d, conj(from_b)), ints(1));
        WRT(0) = emit("SparseTensorToCSRSparseMatrix", all, adjoint_a ? conj(values) : values, at(all, 2));
    }
    if (!wants(1)) return;
    bool is_plain = turns_a && !adjoint_a; /* then the conjugate of a itself is asked for */
    struct sl_term db =
        emit_with(ATTRS(BOOL("adjoint_a", !turns_a)), "SparseMatrixMatMul", x(0), is_plain ? conj(d) : d);
    if (is_plain) db = conj(db);
    if (adjoint_b) db = conj(db);
    WRT(1) = turns_b ? swapped(db) : db;
}
GRAD(SparseMatrixTranspose) {
    WRT(0) = emit_with(ATTRS(SAME("conjugate"), SAME("type")), "SparseMatrixTranspose", dy(0));
}

/* ---- ragged tensors as variants */

GRAD(RaggedTensorToVariant) {
    int ragged = g->n_x - 1;
    struct sl_term none = sl_rule_vector(g, SL_INT64, NULL, 0);
    WRT(ragged) = emit_with(ATTRS(TYPE("Tvalues", dtype(x(ragged)))), "RaggedTensorToVariantGradient", dy(0),
                            ragged ? x(0) : none, shape(x(ragged)));
}

/* One variant for each row again when there was more than one. */
GRAD(RaggedTensorFromVariant) {
    int ragged = g->n_y - 1, rank = rank_of(x(0));
    if (!wants(0)) return;
    if (rank < 0 || rank > 1) {
        sl_rule_fail(g, SL_UNIMPLEMENTED, "Ragged tensors of variants of rank %d", rank);
        return;
    }
    struct sl_term *all = SL_ARENA_ARRAY(g->arena, struct sl_term, (size_t)g->n_y);
    if (!all) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    for (int i = 0; i < ragged; i++) all[i] = y(i);
    all[ragged] = dy(ragged);
    WRT(0) = sl_rule_emit(g, "RaggedTensorToVariant", all, g->n_y,
                          ATTRS(INT("RAGGED_RANK", ragged), SAME("Tsplits"), BOOL("batched_input", rank == 1)), 3);
}

RULES(sparse) = {
    /* clang-format off */
    RULE(SparseTensorDenseMatMul) RULE(SparseMatMul) RULE(SparseDenseCwiseMul) RULE(SparseDenseCwiseDiv)
    RULE(SparseDenseCwiseAdd) RULE(SparseTensorDenseAdd) RULE(SparseAdd) RULE(SparseReorder) RULE(SparseSlice)
    RULE(SparseFillEmptyRows) RULE(SparseSoftmax) RULE(SparseReduceSum) RULE(SparseToDense) RULE(RaggedTensorToSparse) RULE(RaggedFillEmptyRows)
    RULE(SparseSparseMaximum) RULE(SparseSparseMinimum) RULE(CompositeTensorVariantFromComponents)
    RULE(RaggedGather) RULE(RaggedTensorToTensor)
    RULE(DenseToCSRSparseMatrix) RULE(CSRSparseMatrixToDense) RULE(SparseTensorToCSRSparseMatrix)
    RULE(CSRSparseMatrixToSparseTensor) RULE(SparseMatrixMatMul) RULE(SparseMatrixTranspose)
    NO_GRAD(DenseToDenseSetOperation) NO_GRAD(DenseToSparseSetOperation) NO_GRAD(RaggedRange) NO_GRAD(SetSize)
    NO_GRAD(SparseAddGrad) NO_GRAD(SparseConcat) NO_GRAD(SparseMatrixNNZ) NO_GRAD(SparseMatrixZeros)
    NO_GRAD(SparseSplit) NO_GRAD(SparseToSparseSetOperation)
    UNDEFINED(CSRSparseMatrixComponents) UNDEFINED(CompositeTensorVariantToComponents) UNDEFINED(DenseCountSparseOutput)
    UNDEFINED(DeserializeSparse) UNDEFINED(RaggedCountSparseOutput) UNDEFINED(RaggedFillEmptyRowsGrad)
    RULE(RaggedTensorToVariant) RULE(RaggedTensorFromVariant)
    UNDEFINED(RaggedTensorToVariantGradient) UNDEFINED(SerializeManySparse)
    UNDEFINED(SerializeSparse) UNDEFINED(SparseCountSparseOutput) UNDEFINED(SparseFillEmptyRowsGrad)
    UNDEFINED(SparseMatrixSparseCholesky) UNDEFINED(SparseMatrixSparseMatMul)
    UNDEFINED(SparseReduceMax) UNDEFINED(SparseReduceMaxSparse) UNDEFINED(SparseReduceSumSparse)
    UNDEFINED(SparseSliceGrad)
    RULES_END
    /* clang-format on */
};
