/* Fusing: a convolution or a product of matrices, its bias or how it is normalised, another tensor that is added
 * (residual networks), and the activation become one node (_FusedConv2D and similar ops), so that results are
 * written once. Walks from the results backwards, so that the longest pattern is found first. The nodes within a
 * pattern must have no other reader, and the fused node must have a kernel. The tensor that is added should have
 * the shape of the results; when the shapes are not known, the kernel checks that. */
#include "base/alloc.h"
#include "passes/optimise/rewrite.h"

enum { MOST_INPUTS = 7, MOST_ATTRS = 24, MOST_FUSED = 5 };

/* What was found, from the last node back to the contraction. */
struct pattern {
    struct sl_node *last, *activation, *residue, *norm, *sum, *scale, *shift, *reshape,
        *contraction; /* NULL: not there */
    const char *gate; /* the name of an activation of several nodes; NULL: of one */
    int value;        /* of `sum`: the input that is the contraction, or its scale */
    int scaled;       /* of `scale`: the input that is the contraction, or its shift */
    int from;         /* of `residue`: the input that the contraction leads to */
    uint32_t fused;   /* row of the fused op */
};

static const struct {
    uint32_t op, fused;
} contractions[] = {{SL_ROW_Conv2D, SL_ROW__FusedConv2D},
                    {SL_ROW_Conv3D, SL_ROW__FusedConv3D},
                    {SL_ROW_DepthwiseConv2dNative, SL_ROW__FusedDepthwiseConv2dNative},
                    {SL_ROW_MatMul, SL_ROW__FusedMatMul},
                    {SL_ROW_BatchMatMulV2, SL_ROW__FusedBatchMatMulV2}};
enum { N_CONTRACTIONS = sizeof contractions / sizeof *contractions };

static uint32_t fused_row(const struct sl_node *n) {
    for (size_t i = 0; i < N_CONTRACTIONS; i++)
        if (n->op->index == contractions[i].op) return contractions[i].fused;
    return SL_OP_NO_ROW;
}

static bool is_product(const struct sl_node *n) {
    return n->op->index == SL_ROW_MatMul || n->op->index == SL_ROW_BatchMatMulV2;
}

static bool is_activation(const struct sl_node *n) {
    return n->op->index == SL_ROW_Relu || n->op->index == SL_ROW_Relu6 || n->op->index == SL_ROW_Elu ||
           n->op->index == SL_ROW_LeakyRelu;
}

static bool is_norm(const struct sl_node *n) {
    return n->op->index == SL_ROW_FusedBatchNorm || n->op->index == SL_ROW_FusedBatchNormV2 ||
           n->op->index == SL_ROW_FusedBatchNormV3;
}

static bool is_sum(const struct sl_node *n) {
    return n->op->index == SL_ROW_BiasAdd || n->op->index == SL_ROW_Add || n->op->index == SL_ROW_AddV2;
}

static struct sl_str data_format(const struct sl_node *n) {
    struct sl_str format;
    return sl_attr_string(&format, &n->attrs, "data_format", NULL) == SL_OK ? format : SL_STR("NHWC");
}

/* Convolutions of volumes call their formats otherwise; BiasAdd and normalisation do not. */
static bool same_format(const struct sl_node *a, const struct sl_node *b) {
    bool a_last = sl_str_starts(data_format(a), SL_STR("NHWC")) || sl_str_is(data_format(a), "NDHWC");
    bool b_last = sl_str_starts(data_format(b), SL_STR("NHWC")) || sl_str_is(data_format(b), "NDHWC");
    return a_last == b_last;
}

/* The node behind an input, when it may go with its reader. */
static struct sl_node *inner(const struct sl_rewrite *r, const struct sl_node *n, int slot) {
    struct sl_node *from = n->inputs[slot].node;
    if (!from || n->inputs[slot].index != 0 || from->n_controls || !sl_rewrite_is_pure(from) ||
        !sl_rewrite_is_sole(r, from, n) || !sl_str_eq(from->assigned, n->assigned))
        return NULL;
    return from;
}

static struct sl_node *contraction_behind(const struct sl_rewrite *r, const struct sl_node *n, int slot) {
    struct sl_node *from = inner(r, n, slot);
    return from && fused_row(from) != SL_OP_NO_ROW && from->n_inputs == 2 ? from : NULL;
}

/* How many columns (channels) the results have, -1: not known; and at least how many dims. */
static int64_t columns_of(int *rank, struct sl_rewrite *r, const struct sl_node *contraction) {
    struct sl_shape out = sl_rewrite_shape(r, (struct sl_port){(struct sl_node *)(uintptr_t)contraction, 0});
    *rank = out.rank > 2 ? out.rank : 2;
    if (out.rank >= 2) return out.dims[out.rank - 1];
    if (contraction->op->index != SL_ROW_BatchMatMulV2) return -1;
    struct sl_shape b = sl_rewrite_shape(r, contraction->inputs[1]);
    return b.rank >= 2 ? b.dims[b.rank - 1 - sl_rewrite_attr_is(contraction, "adj_y", true)] : -1;
}

/* An addition that broadcasts is a bias when the other operand has one element for each channel; so a product is a
 * scale. */
static bool is_bias(struct sl_rewrite *r, const struct sl_node *contraction, struct sl_port bias) {
    int rank;
    int64_t columns = columns_of(&rank, r, contraction);
    struct sl_shape shape = sl_rewrite_shape(r, bias);
    if (columns <= 0 || shape.rank < 1 || shape.rank > rank) return false;
    for (int d = 0; d < shape.rank - 1; d++)
        if (shape.dims[d] != 1) return false;
    return shape.dims[shape.rank - 1] == columns;
}

/* A bias of what a product becomes by Reshape, whose last dims are its columns (layers on tensors of rank 3, heads
 * of attention), may as well come before. */
static struct sl_node *match_reshape(struct pattern *p, struct sl_rewrite *r, const struct sl_node *n, int slot) {
    struct sl_node *reshape = inner(r, n, slot), *contraction = NULL;
    int rank;
    if (reshape && reshape->op->index == SL_ROW_Reshape) contraction = contraction_behind(r, reshape, 0);
    if (!contraction || !is_product(contraction) || !sl_str_starts(data_format(n), SL_STR("NHWC"))) return NULL;
    struct sl_shape out = sl_rewrite_shape(r, (struct sl_port){reshape, 0});
    struct sl_shape bias = sl_rewrite_shape(r, n->inputs[1 - slot]);
    int64_t columns = columns_of(&rank, r, contraction), count = 1;
    if (columns <= 0 || bias.rank < 1 || bias.rank > out.rank || out.rank < 2) return NULL;
    if (bias.rank > 1 && (r->has_loops || n->op->index == SL_ROW_BiasAdd)) return NULL;
    for (int d = 0; d < bias.rank; d++)
        if (bias.dims[d] <= 0 || bias.dims[d] != out.dims[out.rank - bias.rank + d] ||
            __builtin_mul_overflow(count, bias.dims[d], &count))
            return NULL;
    if (count != columns) return NULL;
    p->reshape = reshape;
    return contraction;
}

/* A contraction, or one with a bias of its own: `p->shift`. */
static struct sl_node *match_shift(struct pattern *p, struct sl_rewrite *r, const struct sl_node *n, int slot) {
    struct sl_node *contraction = contraction_behind(r, n, slot), *shift = contraction ? NULL : inner(r, n, slot);
    p->shift = NULL;
    if (!shift || shift->op->index != SL_ROW_BiasAdd) return contraction;
    contraction = contraction_behind(r, shift, 0);
    if (!contraction || !same_format(shift, contraction)) return NULL;
    p->shift = shift;
    return contraction;
}

/* Normalisation written out: a contraction times a vector, behind input `slot` of a sum. */
static struct sl_node *match_scale(struct pattern *p, struct sl_rewrite *r, const struct sl_node *n, int slot) {
    struct sl_node *scale = inner(r, n, slot), *contraction;
    if (!scale || scale->op->index != SL_ROW_Mul) return NULL;
    for (p->scaled = 0; p->scaled < 2; p->scaled++)
        if ((contraction = match_shift(p, r, scale, p->scaled)) &&
            is_bias(r, contraction, scale->inputs[1 - p->scaled])) {
            p->scale = scale;
            return contraction;
        }
    return NULL;
}

static bool match_sum(struct pattern *p, struct sl_rewrite *r, struct sl_node *n) {
    bool is_named = n->op->index == SL_ROW_BiasAdd;
    for (int slot = 0; slot < (is_named ? 1 : 2); slot++) {
        struct sl_node *contraction = contraction_behind(r, n, slot);
        p->scale = p->shift = p->reshape = NULL;
        if (!contraction && !is_named) contraction = match_scale(p, r, n, slot);
        if (!contraction) contraction = match_reshape(p, r, n, slot);
        if (!contraction) continue;
        if (p->reshape) p->scale = p->shift = NULL;
        else if (is_named
                     ? !same_format(n, contraction)
                     : !sl_str_is(data_format(contraction), "NHWC") || !is_bias(r, contraction, n->inputs[1 - slot]))
            continue;
        p->sum = n;
        p->value = slot;
        p->contraction = contraction;
        return true;
    }
    return false;
}

/* By moments of its own training is no epilogue; of the outputs only the first may be read. */
static bool match_norm(struct pattern *p, const struct sl_rewrite *r, struct sl_node *n) {
    struct sl_node *contraction = contraction_behind(r, n, 0);
    if (!contraction || is_product(contraction) || !same_format(n, contraction) ||
        !sl_rewrite_attr_is(n, "is_training", false) || n->in_types[0] != n->in_types[1])
        return false;
    for (uint32_t u = 0; u < n->uses.n; u++)
        if (n->uses.items[u].index != 0) return false;
    p->norm = n;
    p->contraction = contraction;
    return true;
}

/* What is known of two shapes says that they differ. */
static bool surely_differ(struct sl_shape a, struct sl_shape b) {
    if (a.rank < 0 || b.rank < 0 || a.rank != b.rank) return a.rank >= 0 && b.rank >= 0;
    for (int d = 0; d < a.rank; d++)
        if (a.dims[d] >= 0 && b.dims[d] >= 0 && a.dims[d] != b.dims[d]) return true;
    return false;
}

/* The sum of a contraction, also one with bias or norm, and of something that may have the same shape. Two products
 * may run side by side, which waiting for each other they cannot; convolutions are larger. */
static bool match_residue(struct pattern *p, struct sl_rewrite *r, struct sl_node *n) {
    if (n->op->index == SL_ROW_BiasAdd) return false;
    for (int slot = 0; slot < 2; slot++) {
        struct sl_node *from = inner(r, n, slot), *other = n->inputs[1 - slot].node;
        if (!from || from == other ||
            surely_differ(sl_rewrite_shape(r, n->inputs[0]), sl_rewrite_shape(r, n->inputs[1])))
            continue;
        p->norm = p->sum = p->scale = p->shift = p->reshape = NULL;
        if (is_norm(from) ? !match_norm(p, r, from) : !(is_sum(from) && match_sum(p, r, from) && !p->reshape)) {
            p->norm = p->sum = p->scale = p->shift = p->reshape = NULL;
            p->contraction = contraction_behind(r, n, slot);
        }
        if (!p->contraction || (is_product(p->contraction) && fused_row(other) != SL_OP_NO_ROW)) continue;
        p->residue = n;
        p->from = slot;
        return true;
    }
    return false;
}

/* Input `slot` of n when n alone reads it and it is of that op. */
static struct sl_node *sole(const struct sl_rewrite *r, const struct sl_node *n, int slot, uint32_t op) {
    struct sl_node *from = inner(r, n, slot);
    return from && from->op->index == op ? from : NULL;
}

/* Of a sum or product: what stands beside this number; -1: it is no input. */
static int beside(struct sl_rewrite *r, const struct sl_node *n, double number) {
    double value;
    for (int slot = 0; slot < 2; slot++)
        if (sl_rewrite_real(&value, r, n->inputs[slot]) && (float)value == (float)number &&
            sl_rewrite_shape(r, n->inputs[slot]).rank <= 1)
            return 1 - slot;
    return -1;
}

/* The input x of relu6(x + 3) * (1 / 6), which is input `slot` of a product. */
static struct sl_port gated(struct sl_rewrite *r, const struct sl_node *n, int slot) {
    const struct sl_node *gate = sole(r, n, slot, SL_ROW_Mul), *sum;
    int at = gate ? beside(r, gate, 1. / 6) : -1;
    gate = at >= 0 ? sole(r, gate, at, SL_ROW_Relu6) : NULL;
    if (!gate) return (struct sl_port){NULL, 0};
    sum = sole(r, gate, 0, SL_ROW_AddV2);
    if (!sum) sum = sole(r, gate, 0, SL_ROW_Add);
    at = sum ? beside(r, sum, 3) : -1;
    return at >= 0 ? sum->inputs[at] : (struct sl_port){NULL, 0};
}

/* x * sigmoid(x), which the rules of arithmetic have made one node, or a product with a gate that comes of the same x,
 * which nobody else reads; of float, as constants are rounded. */
static struct sl_node *match_gate(struct pattern *p, struct sl_rewrite *r, struct sl_node *n) {
    if (n->op->index == SL_ROW__Silu) {
        p->activation = n;
        p->gate = "Swish";
        return n->out_types[0] == SL_FLOAT ? inner(r, n, 0) : NULL;
    }
    if (n->op->index != SL_ROW_Mul || n->out_types[0] != SL_FLOAT) return NULL;
    for (int slot = 0; slot < 2; slot++) {
        struct sl_node *x = n->inputs[1 - slot].node;
        if (!x || x->uses.n != 2 || x->n_controls || !(is_sum(x) || is_norm(x)) || n->inputs[1 - slot].index != 0 ||
            n->inputs[1 - slot].node == n->inputs[slot].node)
            continue;
        const struct sl_port from = gated(r, n, slot);
        if (from.node != x || from.index != 0 || !sl_rewrite_is_pure(x) || sl_rewrite_is_kept(r, x) ||
            !sl_str_eq(x->assigned, n->assigned))
            continue;
        p->activation = n;
        p->gate = "HardSwish";
        return x;
    }
    return NULL;
}

static bool may_be_gated(const struct sl_node *n) { return n->op->index == SL_ROW_Mul || n->op->index == SL_ROW__Silu; }

static bool match(struct pattern *p, struct sl_rewrite *r, struct sl_node *n) {
    *p = (struct pattern){.last = n};
    struct sl_node *before = n;
    if (may_be_gated(n)) {
        before = match_gate(p, r, n);
        if (!before) return false;
    } else if (is_activation(n)) {
        p->activation = n;
        before = inner(r, n, 0);
    }
    if (!before) return false;
    if (is_sum(before) ? !match_sum(p, r, before) && !match_residue(p, r, before)
                       : !is_norm(before) || !match_norm(p, r, before))
        return false;
    int dtype = n->out_types[0];
    p->fused = fused_row(p->contraction);
    return dtype == SL_FLOAT || dtype == SL_DOUBLE;
}

/* ---- the fused node */

struct attrs {
    struct sl_attr items[MOST_ATTRS];
    int n;
    bool failed;
};

static void add_attr(struct attrs *a, struct sl_attr attr) {
    if (!attr.value || a->n == MOST_ATTRS) a->failed = true;
    else a->items[a->n++] = attr;
}

static void add_names(struct attrs *a, struct sl_rewrite *r, const struct sl_str *names, int n) {
    struct sl_arena *arena = &r->graph->arena;
    struct sl_str *items = SL_ARENA_ARRAY(arena, struct sl_str, MOST_FUSED);
    a->failed |= !items;
    if (a->failed) return;
    for (int i = 0; i < n; i++) items[i] = names[i];
    const struct sl_pb_AttrValue_ListValue list = {.s = {items, (size_t)n}};
    add_attr(a, sl_attr_new_list(arena, SL_STR("fused_ops"), &list));
}

static void add_types(struct attrs *a, struct sl_rewrite *r, int dtype, int n) {
    struct sl_arena *arena = &r->graph->arena;
    int32_t *items = SL_ARENA_ARRAY(arena, int32_t, MOST_INPUTS);
    a->failed |= !items;
    if (a->failed) return;
    for (int i = 0; i < n; i++) items[i] = dtype;
    const struct sl_pb_AttrValue_ListValue list = {.type = {items, (size_t)n}};
    add_attr(a, sl_attr_new_list(arena, SL_STR("TArgs"), &list));
}

/* Attrs of the fused op: what is fused, then those of the contraction; others have their defaults. */
static bool make_attrs(struct attrs *a, const struct pattern *p, struct sl_rewrite *r, int n_args) {
    const struct sl_op *op;
    struct sl_str names[MOST_FUSED];
    int n = 0;
    if (sl_op_find(&op, r->graph->registry, sl_row_name(p->fused), NULL)) return false;
    if (p->shift) names[n++] = SL_STR("BiasAdd");
    if (p->scale) names[n++] = SL_STR("Mul");
    if (p->norm || p->sum) names[n++] = p->norm ? SL_STR("FusedBatchNorm") : SL_STR("BiasAdd");
    if (p->residue) names[n++] = SL_STR("Add");
    if (p->activation) names[n++] = p->gate ? sl_str_of(p->gate) : p->activation->op->name;
    add_names(a, r, names, n);
    add_attr(a, sl_rewrite_attr_int(r, "num_args", n_args));
    if (sl_op_attr_index(op, SL_STR("TArgs")) >= 0) add_types(a, r, p->last->out_types[0], n_args);
    if (p->residue && p->from == 1) add_attr(a, sl_rewrite_attr_bool(r, "_side_is_first", true));
    if (p->norm) add_attr(a, sl_rewrite_attr_of(p->norm, "epsilon", "epsilon"));
    if (p->activation && p->activation->op->index == SL_ROW_LeakyRelu)
        add_attr(a, sl_rewrite_attr_of(p->activation, "alpha", "leakyrelu_alpha"));
    for (int i = 0; i < p->contraction->attrs.n && i < p->contraction->op->n_attrs && !a->failed; i++) {
        const struct sl_attr *attr = &p->contraction->attrs.items[i];
        if (sl_op_attr_index(op, attr->name) < 0) {
            const struct sl_pb_AttrValue *usual = p->contraction->op->attrs[i].default_value;
            if (attr->value != usual && (!usual || !sl_attr_equal(attr->value, usual)))
                return false; /* says what the fused op cannot */
        } else {
            add_attr(a, *attr);
        }
    }
    return !a->failed;
}

static bool has_kernel(const struct sl_rewrite *r, const struct pattern *p, const struct attrs *a) {
    const struct sl_attrs attrs = {a->items, a->n};
    const char *device = sl_optimise_device(r->options, p->last)->name;
    return r->options->kernels && sl_kernel_row(r->options->kernels, sl_row_name(p->fused), device, &attrs);
}

/* The bias as a vector. Node NULL when it cannot be made. */
static struct sl_port flat(struct sl_rewrite *r, const struct sl_node *origin, struct sl_port bias) {
    int64_t count = -1;
    struct sl_node *made = NULL;
    if (sl_rewrite_shape(r, bias).rank <= 1) return bias;
    struct sl_port in[2] = {bias, sl_rewrite_emit_ints(r, origin, SL_INT32, 1, &count, 1)};
    struct sl_attr types[2] = {sl_rewrite_attr_type(r, "T", origin->out_types[0]),
                               sl_rewrite_attr_type(r, "Tshape", SL_INT32)};
    if (in[1].node) made = sl_rewrite_emit(r, origin, SL_ROW_Reshape, in, 2, types, 2);
    return (struct sl_port){made, 0};
}

/* The Reshape comes last now. The product keeps its name. */
static bool fuse_before_reshape(struct sl_rewrite *r, const struct pattern *p, struct sl_port *in, int n,
                                const struct attrs *attrs) {
    in[2] = flat(r, p->contraction, in[2]);
    if (!in[2].node) return false;
    struct sl_node *product = sl_rewrite_emit(r, p->contraction, p->fused, in, n, attrs->items, attrs->n);
    struct sl_port to[2] = {{product, 0}, p->reshape->inputs[1]};
    struct sl_attr types[2] = {sl_rewrite_attr_of(p->reshape, "T", "T"),
                               sl_rewrite_attr_of(p->reshape, "Tshape", "Tshape")};
    if (!product || !sl_rewrite_become(r, p->last, SL_ROW_Reshape, to, 2, types, 2)) return false;
    sl_graph_swap_names(r->graph, p->contraction, product);
    return true;
}

static bool fuse(struct sl_rewrite *r, const struct pattern *p) {
    struct sl_port in[MOST_INPUTS] = {p->contraction->inputs[0], p->contraction->inputs[1]};
    struct attrs attrs = {.n = 0};
    int n = 2;
    if (p->shift) in[n++] = p->shift->inputs[1];
    if (p->scale) in[n++] = p->scale->inputs[1 - p->scaled];
    if (p->sum) in[n++] = p->sum->inputs[1 - p->value];
    for (int i = 1; p->norm && i < 5; i++) in[n++] = p->norm->inputs[i];
    if (p->residue) in[n++] = p->residue->inputs[1 - p->from];
    if (!make_attrs(&attrs, p, r, n - 2) || !has_kernel(r, p, &attrs)) return false;
    r->first_fresh = (uint32_t)r->graph->nodes.n;
    if (p->reshape) return fuse_before_reshape(r, p, in, n, &attrs);
    return sl_rewrite_become(r, p->last, p->fused, in, n, attrs.items, attrs.n);
}

static sl_code fuse_all(struct sl_rewrite *r, bool *fused) {
    struct sl_node **order;
    struct pattern p;
    size_t n = 0;
    SL_TRY(sl_graph_order(&order, &n, r->graph, &r->scratch, r->err));
    for (size_t i = 0; i < n; i++) sl_rewrite_note(r, order[i]);
    for (size_t i = n; i-- > 0 && r->code == SL_OK;)
        if ((is_activation(order[i]) || is_sum(order[i]) || is_norm(order[i]) || may_be_gated(order[i])) &&
            match(&p, r, order[i]))
            *fused |= fuse(r, &p);
    return r->code;
}

sl_code sl_pass_fuse(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err) {
    bool has_any = false, fused = false;
    struct sl_rewrite r;
    if (!(options->toggles & SL_TOGGLE_REMAPPING)) return SL_OK;
    SL_GRAPH_EACH(n, graph) has_any = has_any || fused_row(n) != SL_OP_NO_ROW;
    if (!has_any) return SL_OK;
    sl_code code = sl_rewrite_init(&r, graph, options, err);
    if (code == SL_OK) code = fuse_all(&r, &fused);
    sl_rewrite_clear(&r);
    return code == SL_OK && fused ? sl_pass_sweep(graph, options, err) : code;
}
