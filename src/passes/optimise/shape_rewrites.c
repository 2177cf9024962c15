/* Rules for ops that ask for shapes. A shape is known when it is the same in every run; shapes of fed values are
 * not. */
#include "passes/optimise/rewrites.h"

#include "ops/shape_functions.h"

enum { MOST_RANK = 32, MOST_CHAIN = 64, MOST_FILLED = 1 << 14 };

static bool become_ints(struct sl_rewrite *r, struct sl_node *n, int rank, const int64_t *values, int count) {
    return sl_rewrite_replace(r, n, sl_rewrite_emit_ints(r, n, n->out_types[0], rank, values, count));
}

bool sl_rule_known_shape(struct sl_rewrite *r, struct sl_node *n) {
    struct sl_shape shape = sl_rewrite_shape(r, n->inputs[0]);
    return sl_shape_is_known(shape) && become_ints(r, n, 1, shape.dims, shape.rank);
}

bool sl_rule_known_shapes(struct sl_rewrite *r, struct sl_node *n) {
    bool replaced = false;
    for (int i = 0; i < n->n_inputs; i++) {
        struct sl_shape shape = sl_rewrite_shape(r, n->inputs[i]);
        bool is_used = false;
        for (uint32_t u = 0; u < n->uses.n && !is_used; u++) is_used = n->uses.items[u].index == i;
        if (!is_used || !sl_shape_is_known(shape)) continue;
        struct sl_port value = sl_rewrite_emit_ints(r, n, n->out_types[i], 1, shape.dims, shape.rank);
        replaced |= value.node && sl_rewrite_replace_output(r, n, i, value);
    }
    return replaced;
}

bool sl_rule_known_size(struct sl_rewrite *r, struct sl_node *n) {
    struct sl_shape shape = sl_rewrite_shape(r, n->inputs[0]);
    int64_t count;
    return sl_shape_is_known(shape) && sl_shape_count(&count, shape, NULL) == SL_OK && become_ints(r, n, 0, &count, 1);
}

bool sl_rule_known_rank(struct sl_rewrite *r, struct sl_node *n) {
    struct sl_shape shape = sl_rewrite_shape(r, n->inputs[0]);
    int64_t rank = shape.rank;
    return rank >= 0 && become_ints(r, n, 0, &rank, 1);
}

/* Through ops whose output has the shape of their first input. */
static struct sl_port same_shape_before(struct sl_port port) {
    for (int i = 0; i < MOST_CHAIN && port.index == 0; i++) {
        const struct sl_node *n = port.node;
        if (!sl_rewrite_is_pure(n) || n->op->shape != sl_shape_unchanged_shape || n->n_outputs != 1 || !n->n_inputs ||
            n->op->index == SL_ROW_EnsureShape || !n->inputs[0].node ||
            sl_dtype_is_ref(n->inputs[0].node->out_types[n->inputs[0].index]))
            break;
        port = n->inputs[0];
    }
    return port;
}

/* Shape(Relu(x)) is Shape(x): Relu need not wait, and equal questions meet. */
bool sl_rule_shape_of_like(struct sl_rewrite *r, struct sl_node *n) {
    struct sl_port before = same_shape_before(n->inputs[0]);
    if (before.node == n->inputs[0].node) return false;
    struct sl_attr type = sl_rewrite_attr_type(r, "T", before.node->out_types[before.index]);
    return sl_rewrite_become(r, n, n->op->index, &before, 1, &type, 1);
}

/* The product of all of a shape is the size. */
bool sl_rule_product_of_shape(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_node *shape = sl_rewrite_producer(n, 0, SL_ROW_Shape);
    int64_t axis;
    if (!shape || !sl_rewrite_int(&axis, r, n->inputs[1]) || (axis != 0 && axis != -1)) return false;
    if (sl_rewrite_attr_is(n, "keep_dims", true)) return false;
    struct sl_attr more[2] = {sl_rewrite_attr_of(shape, "T", "T"),
                              sl_rewrite_attr_type(r, "out_type", n->out_types[0])};
    return sl_rewrite_become(r, n, SL_ROW_Size, shape->inputs, 1, more, 2);
}

/* One dim, or some, of a shape of which these are known. */
bool sl_rule_known_slice_of_shape(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_node *shape = sl_rewrite_producer(n, 0, SL_ROW_Shape);
    if (!shape || sl_rewrite_shape(r, shape->inputs[0]).rank < 0) return false;
    for (int i = 1; i < 4; i++)
        if (!sl_rewrite_constant(r, n->inputs[i])) return false;
    const struct sl_tensor *value = sl_graph_constant(r->graph, (struct sl_port){n, 0});
    return value && sl_rewrite_replace(r, n, sl_rewrite_emit_constant(r, n, value));
}

/* What both arguments measure. */
static bool measures_same(struct sl_rewrite *r, struct sl_port a, struct sl_port b) {
    if (a.node == b.node && a.index == b.index) return true;
    if (a.node->op->index != SL_ROW_Shape || b.node->op->index != SL_ROW_Shape) return false;
    struct sl_port x = same_shape_before(a.node->inputs[0]), y = same_shape_before(b.node->inputs[0]);
    return sl_rewrite_same_shape(r, x, y);
}

/* Equal shapes are not broadcast: nothing has to be summed. */
bool sl_rule_equal_shapes(struct sl_rewrite *r, struct sl_node *n) {
    if (!measures_same(r, n->inputs[0], n->inputs[1])) return false;
    struct sl_port none = sl_rewrite_emit_ints(r, n, n->out_types[0], 1, NULL, 0);
    if (!none.node || !sl_rewrite_replace_output(r, n, 0, none)) return false;
    return sl_rewrite_replace_output(r, n, 1, none);
}

static bool become_filled(struct sl_rewrite *r, struct sl_node *n, bool with_ones) {
    struct sl_shape shape = sl_rewrite_shape(r, n->inputs[0]);
    int64_t count;
    if (!sl_shape_is_known(shape) || sl_shape_count(&count, shape, NULL) != SL_OK) return false;
    int dtype = n->out_types[0];
    if (!sl_set_has(SL_SET_REAL, dtype) || count > MOST_FILLED / (int64_t)sl_dtype_size(dtype)) return false;
    struct sl_tensor *t;
    if (sl_tensor_new(&t, dtype, shape, NULL)) return false;
    memset(t->data, 0, t->bytes);
    static const uint16_t half_one = 0x3c00, bfloat16_one = 0x3f80;
    static const float float_one = 1;
    static const double double_one = 1;
    static const int64_t integer_one =
        1; /* its first bytes are the one of every shorter type: little-endian, as tensor_content is */
    const void *one = dtype == SL_HALF       ? (const void *)&half_one
                      : dtype == SL_BFLOAT16 ? (const void *)&bfloat16_one
                      : dtype == SL_FLOAT    ? (const void *)&float_one
                      : dtype == SL_DOUBLE   ? (const void *)&double_one
                                             : (const void *)&integer_one;
    size_t size = sl_dtype_size(dtype);
    for (int64_t i = 0; i < count && with_ones; i++) memcpy((char *)t->data + (size_t)i * size, one, size);
    bool replaced = sl_rewrite_replace(r, n, sl_rewrite_emit_constant(r, n, t));
    sl_tensor_unref(t);
    return replaced;
}

bool sl_rule_known_zeros(struct sl_rewrite *r, struct sl_node *n) { return become_filled(r, n, false); }

bool sl_rule_known_ones(struct sl_rewrite *r, struct sl_node *n) { return become_filled(r, n, true); }
