/* Rules for ops that move elements and compute nothing: an op that leaves all elements where they are is removed,
 * and two moves become one. */
#include "passes/optimise/rewrites.h"

enum { MOST_RANK = 32, MOST_PARTS = 256 };

/* ---- nodes that pass a value on */

bool sl_rule_pass_on(struct sl_rewrite *r, struct sl_node *n) { return sl_rewrite_replace(r, n, n->inputs[0]); }

bool sl_rule_pass_each_on(struct sl_rewrite *r, struct sl_node *n) {
    bool replaced = false;
    if (n->n_inputs != n->n_outputs || n->n_inputs > MOST_PARTS) return false;
    for (uint32_t u = 0; u < n->uses.n; u++)
        if (n->uses.items[u].slot < 0) return false;
    for (int i = 0; i < n->n_inputs; i++) replaced |= sl_rewrite_replace_output(r, n, i, n->inputs[i]);
    return replaced;
}

/* ---- shapes and types that stay */

/* Reshape puts a number for -1; BroadcastTo fails. */
static bool has_negative_size(struct sl_rewrite *r, const struct sl_node *n) {
    const struct sl_tensor *sizes = n->op->index == SL_ROW_BroadcastTo ? sl_rewrite_integers(r, n->inputs[1]) : NULL;
    for (int64_t i = 0; sizes && i < sizes->count; i++)
        if (sl_rewrite_element(sizes, i) < 0) return true;
    return false;
}

/* The size of a Reshape, BroadcastTo is asked of the very tensor, or comes to the shape it has. */
bool sl_rule_keeps_shape(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_node *shape = n->n_inputs == 2 ? sl_rewrite_producer(n, 1, SL_ROW_Shape) : NULL;
    bool keeps = shape && shape->inputs[0].node == n->inputs[0].node && shape->inputs[0].index == n->inputs[0].index;
    return (keeps || sl_rewrite_same_shape(r, (struct sl_port){n, 0}, n->inputs[0])) && !has_negative_size(r, n) &&
           sl_rewrite_replace(r, n, n->inputs[0]);
}

/* When the inner one cannot fail: it only gives the elements another shape. */
bool sl_rule_reshape_of_reshape(struct sl_rewrite *r, struct sl_node *n) {
    static const uint32_t inner_ops[] = {SL_ROW_Reshape, SL_ROW_ExpandDims, SL_ROW_Squeeze};
    const struct sl_node *inner = NULL;
    for (size_t i = 0; i < sizeof inner_ops / sizeof *inner_ops && !inner; i++)
        inner = sl_rewrite_producer(n, 0, inner_ops[i]);
    if (!inner || !sl_shape_is_known(sl_rewrite_shape(r, n->inputs[0])) ||
        !sl_shape_is_known(sl_rewrite_shape(r, inner->inputs[0])))
        return false;
    struct sl_port in[2] = {inner->inputs[0], n->inputs[1]};
    return sl_rewrite_become(r, n, SL_ROW_Reshape, in, 2, NULL, 0);
}

bool sl_rule_same_type(struct sl_rewrite *r, struct sl_node *n) {
    return n->in_types[0] == n->out_types[0] && sl_rewrite_replace(r, n, n->inputs[0]);
}

bool sl_rule_same_bits(struct sl_rewrite *r, struct sl_node *n) {
    if (n->in_types[0] == n->out_types[0]) return sl_rewrite_replace(r, n, n->inputs[0]);
    const struct sl_node *inner = sl_rewrite_producer(n, 0, SL_ROW_Bitcast);
    struct sl_attr type = inner ? sl_rewrite_attr_of(inner, "T", "T") : (struct sl_attr){.value = NULL};
    return inner && sl_rewrite_become(r, n, SL_ROW_Bitcast, inner->inputs, 1, &type, 1);
}

/* ---- transposes */

static const struct sl_tensor *permutation(struct sl_rewrite *r, const struct sl_node *n) {
    const struct sl_tensor *perm = n ? sl_rewrite_integers(r, n->inputs[1]) : NULL;
    if (!perm || perm->rank != 1 || perm->count > MOST_RANK) return NULL;
    uint64_t seen = 0;
    for (int64_t i = 0; i < perm->count; i++) {
        int64_t p = sl_rewrite_element(perm, i);
        if (p < 0 || p >= perm->count || (seen >> p & 1)) return NULL;
        seen |= UINT64_C(1) << p;
    }
    return perm;
}

/* The kernel would refuse another rank. */
static bool has_rank(struct sl_rewrite *r, struct sl_port port, int64_t rank) {
    return sl_rewrite_shape(r, port).rank == rank;
}

bool sl_rule_identity_permutation(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *perm = permutation(r, n);
    if (!perm || !has_rank(r, n->inputs[0], perm->count)) return false;
    for (int64_t i = 0; i < perm->count; i++)
        if (sl_rewrite_element(perm, i) != i) return false;
    return sl_rewrite_replace(r, n, n->inputs[0]);
}

bool sl_rule_conjugate_of_real(struct sl_rewrite *r, struct sl_node *n) {
    return !sl_set_has(SL_SET_COMPLEX, n->out_types[0]) &&
           sl_rewrite_become(r, n, SL_ROW_Transpose, n->inputs, 2, NULL, 0);
}

bool sl_rule_transpose_of_transpose(struct sl_rewrite *r, struct sl_node *n) {
    struct sl_node *inner = sl_rewrite_producer(n, 0, SL_ROW_Transpose);
    const struct sl_tensor *outer_perm = permutation(r, n), *inner_perm = permutation(r, inner);
    int64_t perm[MOST_RANK];
    bool is_identity = true;
    if (!inner || !outer_perm || !inner_perm || outer_perm->count != inner_perm->count) return false;
    int rank = (int)outer_perm->count;
    for (int i = 0; i < rank; i++) {
        perm[i] = sl_rewrite_element(inner_perm, sl_rewrite_element(outer_perm, i));
        is_identity = is_identity && perm[i] == i;
    }
    if (is_identity) return has_rank(r, inner->inputs[0], rank) && sl_rewrite_replace(r, n, inner->inputs[0]);
    if (!sl_rewrite_is_sole(r, inner, n)) return false;
    struct sl_port in[2] = {inner->inputs[0], sl_rewrite_emit_ints(r, n, outer_perm->dtype, 1, perm, rank)};
    return in[1].node && sl_rewrite_become(r, n, SL_ROW_Transpose, in, 2, NULL, 0);
}

/* Dims of 1 may change places without any element moving. */
bool sl_rule_transpose_as_reshape(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *perm = permutation(r, n);
    struct sl_shape shape = sl_rewrite_shape(r, n->inputs[0]), out = sl_rewrite_shape(r, (struct sl_port){n, 0});
    int64_t last = -1;
    if (!perm || !sl_shape_is_known(shape) || !sl_shape_is_known(out) || shape.rank != perm->count) return false;
    for (int64_t i = 0; i < perm->count; i++) {
        int64_t p = sl_rewrite_element(perm, i);
        if (shape.dims[p] == 1) continue;
        if (p < last) return false;
        last = p;
    }
    struct sl_port in[2] = {n->inputs[0], sl_rewrite_emit_ints(r, n, SL_INT32, 1, out.dims, out.rank)};
    struct sl_attr type = sl_rewrite_attr_type(r, "Tshape", SL_INT32);
    return in[1].node && sl_rewrite_become(r, n, SL_ROW_Reshape, in, 2, &type, 1);
}

/* ---- putting together and taking apart */

bool sl_rule_concat_of_one(struct sl_rewrite *r, struct sl_node *n) {
    int value = n->op->index == SL_ROW_Concat ? 1 : 0;
    int64_t axis;
    if (n->n_inputs != 2 || !sl_rewrite_int(&axis, r, n->inputs[1 - value])) return false;
    int rank = sl_rewrite_shape(r, n->inputs[value]).rank;
    return rank >= 0 && axis >= -rank && axis < rank && sl_rewrite_replace(r, n, n->inputs[value]);
}

/* Concatenations along the same axis become one, when nobody else reads the inner ones. */
bool sl_rule_concat_of_concat(struct sl_rewrite *r, struct sl_node *n) {
    struct sl_port in[MOST_PARTS];
    int64_t axis, inner_axis;
    int n_values = n->n_inputs - 1, n_in = 0;
    bool found = false;
    if (!sl_rewrite_int(&axis, r, n->inputs[n_values]) || axis < 0) return false;
    for (int i = 0; i < n_values; i++) {
        const struct sl_node *inner = sl_rewrite_producer(n, i, SL_ROW_ConcatV2);
        bool merges = inner && sl_rewrite_is_sole(r, inner, n) && inner->uses.n == 1 &&
                      sl_rewrite_int(&inner_axis, r, inner->inputs[inner->n_inputs - 1]) && inner_axis == axis;
        int n_parts = merges ? inner->n_inputs - 1 : 1;
        if (n_in + n_parts + 1 > MOST_PARTS) return false;
        for (int k = 0; k < n_parts; k++) in[n_in++] = merges ? inner->inputs[k] : n->inputs[i];
        found |= merges;
    }
    if (!found) return false;
    in[n_in] = n->inputs[n_values];
    struct sl_attr count = sl_rewrite_attr_int(r, "N", n_in);
    return sl_rewrite_become(r, n, SL_ROW_ConcatV2, in, n_in + 1, &count, 1);
}

bool sl_rule_pack_of_one(struct sl_rewrite *r, struct sl_node *n) {
    int64_t axis;
    if (n->n_inputs != 1 || sl_attr_int(&axis, &n->attrs, "axis", NULL)) return false;
    int rank = sl_rewrite_shape(r, n->inputs[0]).rank;
    if (rank < 0 || axis < -rank - 1 || axis > rank) return false;
    struct sl_port in[2] = {n->inputs[0], sl_rewrite_emit_ints(r, n, SL_INT32, 0, &axis, 1)};
    struct sl_attr type = sl_rewrite_attr_type(r, "Tdim", SL_INT32);
    return in[1].node && sl_rewrite_become(r, n, SL_ROW_ExpandDims, in, 2, &type, 1);
}

bool sl_rule_unpack_of_pack(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_node *pack = sl_rewrite_producer(n, 0, SL_ROW_Pack);
    int64_t axis, pack_axis;
    bool replaced = false;
    if (!pack || pack->n_inputs != n->n_outputs || n->n_outputs > MOST_PARTS) return false;
    if (sl_attr_int(&axis, &n->attrs, "axis", NULL) || sl_attr_int(&pack_axis, &pack->attrs, "axis", NULL))
        return false;
    if (axis != pack_axis || !sl_shape_is_known(sl_rewrite_shape(r, n->inputs[0]))) return false;
    for (int o = 0; o < n->n_outputs; o++) replaced |= sl_rewrite_replace_output(r, n, o, pack->inputs[o]);
    return replaced;
}

bool sl_rule_split_into_one(struct sl_rewrite *r, struct sl_node *n) {
    int value = n->op->index == SL_ROW_Split ? 1 : 0;
    return n->n_outputs == 1 && sl_rewrite_same_shape(r, (struct sl_port){n, 0}, n->inputs[value]) &&
           sl_rewrite_replace(r, n, n->inputs[value]);
}

/* ---- parts that are the whole */

static bool all_are(const struct sl_tensor *t, int64_t value) {
    for (int64_t i = 0; i < t->count; i++)
        if (sl_rewrite_element(t, i) != value) return false;
    return true;
}

bool sl_rule_pad_by_nothing(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *paddings = sl_rewrite_integers(r, n->inputs[1]);
    return paddings && paddings->rank == 2 && paddings->dims[1] == 2 && all_are(paddings, 0) &&
           has_rank(r, n->inputs[0], paddings->dims[0]) && sl_rewrite_replace(r, n, n->inputs[0]);
}

bool sl_rule_slice_of_all(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *begin = sl_rewrite_integers(r, n->inputs[1]), *size = sl_rewrite_integers(r, n->inputs[2]);
    struct sl_shape shape = sl_rewrite_shape(r, n->inputs[0]);
    if (!begin || !size || begin->rank != 1 || shape.rank != begin->count || size->count != begin->count) return false;
    if (!all_are(begin, 0)) return false;
    for (int64_t i = 0; i < size->count; i++) {
        int64_t wanted = sl_rewrite_element(size, i);
        if (wanted != -1 && (shape.dims[i] < 0 || wanted != shape.dims[i])) return false;
    }
    return sl_rewrite_replace(r, n, n->inputs[0]);
}

static int64_t mask_of(const struct sl_node *n, const char *name) {
    int64_t mask;
    return sl_attr_int(&mask, &n->attrs, name, NULL) ? -1 : mask;
}

bool sl_rule_strided_slice_of_all(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *begin = sl_rewrite_integers(r, n->inputs[1]), *end = sl_rewrite_integers(r, n->inputs[2]);
    const struct sl_tensor *strides = sl_rewrite_integers(r, n->inputs[3]);
    struct sl_shape shape = sl_rewrite_shape(r, n->inputs[0]);
    if (!begin || !end || !strides || shape.rank < strides->count || strides->count > MOST_RANK) return false;
    if (begin->count != strides->count || end->count != strides->count || !all_are(strides, 1)) return false;
    int64_t from_start = mask_of(n, "begin_mask"), to_end = mask_of(n, "end_mask");
    if (mask_of(n, "ellipsis_mask") || mask_of(n, "new_axis_mask") || mask_of(n, "shrink_axis_mask")) return false;
    for (int64_t i = 0; i < strides->count; i++) {
        bool is_all = (from_start >> i & 1) || sl_rewrite_element(begin, i) == 0;
        is_all = is_all && ((to_end >> i & 1) || (shape.dims[i] >= 0 && sl_rewrite_element(end, i) >= shape.dims[i]));
        if (!is_all) return false;
    }
    return sl_rewrite_replace(r, n, n->inputs[0]);
}

/* Element i of what was just packed. */
bool sl_rule_strided_slice_of_pack(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_node *pack = sl_rewrite_producer(n, 0, SL_ROW_Pack);
    const struct sl_tensor *begin = sl_rewrite_integers(r, n->inputs[1]),
                           *strides = sl_rewrite_integers(r, n->inputs[3]);
    if (!pack || mask_of(pack, "axis") != 0 || !begin || begin->count != 1 || begin->rank != 1 || !strides ||
        strides->count != 1 || sl_rewrite_element(strides, 0) != 1)
        return false;
    if (mask_of(n, "shrink_axis_mask") != 1 || mask_of(n, "begin_mask") || mask_of(n, "ellipsis_mask") ||
        mask_of(n, "new_axis_mask") || !sl_rewrite_integers(r, n->inputs[2]))
        return false;
    int64_t i = sl_rewrite_element(begin, 0);
    if (i < 0) i += pack->n_inputs;
    if (i < 0 || i >= pack->n_inputs) return false;
    for (int k = 1; k < pack->n_inputs; k++) /* packing would refuse others */
        if (!sl_rewrite_same_shape(r, pack->inputs[k], pack->inputs[0])) return false;
    return sl_rewrite_replace(r, n, pack->inputs[i]);
}

bool sl_rule_tile_once(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *multiples = sl_rewrite_integers(r, n->inputs[1]);
    return multiples && multiples->rank == 1 && all_are(multiples, 1) && has_rank(r, n->inputs[0], multiples->count) &&
           sl_rewrite_replace(r, n, n->inputs[0]);
}

bool sl_rule_reverse_nothing(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *axes = sl_rewrite_integers(r, n->inputs[1]);
    struct sl_shape shape = sl_rewrite_shape(r, n->inputs[0]);
    if (!axes || axes->rank != 1 || shape.rank < 0) return false;
    for (int64_t i = 0; i < axes->count; i++) {
        int64_t axis = sl_rewrite_element(axes, i);
        if (axis < 0) axis += shape.rank;
        if (axis < 0 || axis >= shape.rank || shape.dims[axis] != 1) return false;
    }
    return sl_rewrite_replace(r, n, n->inputs[0]);
}
