/* One pass over a body in the order of its nodes. Most bodies are none of these, which the first look tells. */
#include "runtime/rowwise.h"

#include "ops/op_effects.h"
#include "ops/shape_functions.h"

/* Of integers these fail, by zero or by a negative exponent: then it matters for which element. */
static bool may_fail(const struct sl_node *n) {
    static const char *const names[] = {"Div", "FloorDiv", "FloorMod", "Mod", "Pow", "TruncateDiv", "TruncateMod"};
    if (!sl_set_has(SL_SET_INTEGERS, n->out_types[0])) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sl_node_is(n, names[i])) return true;
    return false;
}

/* Bodies have no shapes yet. */
static bool is_scalar(const struct sl_node *n) {
    const struct sl_pb_TensorProto *value;
    if (sl_attr_tensor(&value, &n->attrs, "value", NULL) != SL_OK) return false;
    return !value->tensor_shape || (!value->tensor_shape->unknown_rank && value->tensor_shape->dim.n == 0);
}

static bool is_fit(const struct sl_node *n) {
    if (sl_node_is_arg_or_ret(n)) {
        const int type = n->n_outputs ? n->out_types[0] : n->in_types[0];
        return sl_dtype_is_plain(type) || type == SL_STRING;
    }
    if (sl_node_is(n, "NoOp")) return true;
    if (n->n_outputs != 1) return false;
    if (sl_node_is(n, "Const")) return is_scalar(n);
    if (sl_node_is(n, "Identity")) return true;
    return sl_op_has(n->op, SL_OP_ELEMENTWISE) && sl_op_is_pure(n->op) && !(n->op->facts & SL_OP_CHECKS) &&
           sl_dtype_is_plain(n->out_types[0]) && sl_dtype_is_plain(n->in_types[0]) && !may_fail(n);
}

/* Whether an input may be a scalar where others have a new dimension. */
static bool takes_scalars(const struct sl_node *n) {
    return n->op->shape == sl_shape_broadcast_binary_shape || n->op->shape == sl_shape_select_v2;
}

struct trace {
    uint64_t *sets; /* what each node is made of, by id */
    uint64_t *together, *inputs;
    int n_together, n_inputs;
};

static uint64_t index_bit(const struct sl_body *body, const struct sl_node *arg) {
    int i = 0;
    while (body->args[i] != arg) i++;
    return UINT64_C(1) << i;
}

static void meet(struct trace *t, const struct sl_node *n, const struct sl_body *body) {
    uint64_t set = 0;
    if (sl_node_is_arg_or_ret(n) && n->n_outputs) set = index_bit(body, n);
    for (int k = 0; k < n->n_inputs; k++) set |= t->sets[n->inputs[k].node->id];
    t->sets[n->id] = set;
    if (n->n_inputs < 2 || !set) return;
    t->together[t->n_together++] = set;
    for (int k = 0; k < n->n_inputs && !takes_scalars(n); k++)
        t->inputs[t->n_inputs++] = t->sets[n->inputs[k].node->id];
}

static uint64_t *new_sets(struct sl_arena *arena, size_t n) {
    return sl_arena_zalloc(arena, (n + 1) * sizeof(uint64_t));
}

sl_code sl_rowwise_of(struct sl_rowwise *out, const struct sl_body *body, struct sl_arena *arena,
                      struct sl_error *err) {
    struct sl_node **order;
    size_t n, n_edges = 0;
    *out = (struct sl_rowwise){0};
    if (body->n_args > SL_ROWWISE_ARGS || body->n_rets == 0) return SL_OK;
    SL_GRAPH_EACH(node, body->graph) {
        if (!is_fit(node)) return SL_OK;
        n_edges += (size_t)node->n_inputs;
    }
    SL_TRY(sl_graph_order(&order, &n, body->graph, arena, err));
    struct trace t = {new_sets(arena, body->graph->nodes.n), new_sets(arena, n), new_sets(arena, n_edges), 0, 0};
    uint64_t *rets = new_sets(arena, (size_t)body->n_rets);
    if (!t.sets || !t.together || !t.inputs || !rets) return sl_fail_memory(err, n_edges * sizeof *rets);
    for (size_t i = 0; i < n; i++) meet(&t, order[i], body);
    for (int i = 0; i < body->n_rets; i++) rets[i] = t.sets[body->rets[i]->id];
    *out = (struct sl_rowwise){t.together, t.inputs, rets, t.n_together, t.n_inputs, body->n_rets};
    return SL_OK;
}

/* Makes one group of all that have an argument of `set`; the number of a group is that of its first argument. */
static void join(uint8_t *groups, uint64_t set, int n) {
    uint64_t old = 0;
    for (int i = 0; i < n; i++)
        if (set >> i & 1) old |= UINT64_C(1) << groups[i];
    for (int i = 0; i < n && old; i++)
        if (old >> groups[i] & 1) groups[i] = (uint8_t)__builtin_ctzll(old);
}

bool sl_rowwise_groups(uint8_t *groups, const struct sl_rowwise *r, int n_args, int n_rows) {
    if (r->n_rets == 0 || n_rows < 1 || n_rows > n_args) return false;
    const uint64_t rows = UINT64_MAX >> (SL_ROWWISE_ARGS - n_rows);
    for (int i = 0; i < r->n_rets; i++)
        if (!(r->rets[i] & rows)) return false;
    for (int i = 0; i < r->n_inputs; i++)
        if (!(r->inputs[i] & rows)) return false;
    for (int i = 0; i < n_rows; i++) groups[i] = (uint8_t)i;
    for (int i = 0; i < r->n_together; i++) join(groups, r->together[i] & rows, n_rows);
    return true;
}
