/* Makes one node of equal nodes: same op, device, attrs, inputs and control inputs, so both are dead or both
 * alive. Only for nodes without effects. Goes over the graph once, producers first, so that readers of merged
 * nodes are compared by their new inputs. */
#include "base/alloc.h"
#include "base/hash.h"
#include "ops/op_effects.h"
#include "ops/op_row.h"
#include "passes/optimise/optimise.h"

enum { MOST_TENSOR_BYTES = 1 << 12, MOST_CONTROLS = 16 };

struct merge {
    struct sl_graph *graph;
    struct sl_node **table; /* open addressing; power of two */
    uint64_t *hashes;
    size_t mask;
    bool *keep; /* by id */
    size_t merged;
};

static bool may_merge(const struct sl_node *n) {
    const struct sl_pb_TensorProto *value;
    if (!sl_op_is_pure(n->op) || sl_flow_kind_of(n->op) != SL_FLOW_NONE) return false;
    if (n->n_outputs == 0 || n->n_controls > MOST_CONTROLS) return false;
    if (n->op->index == SL_ROW_Const &&
        (sl_attr_tensor(&value, &n->attrs, "value", NULL) || value->tensor_content.n > MOST_TENSOR_BYTES ||
         value->string_val.n || value->float_val.n > MOST_TENSOR_BYTES || value->int_val.n > MOST_TENSOR_BYTES))
        return false;
    for (int i = 0; i < n->n_inputs; i++)
        if (!n->inputs[i].node || sl_dtype_is_ref(n->inputs[i].node->out_types[n->inputs[i].index]) ||
            n->in_types[i] == SL_RESOURCE)
            return false;
    for (int o = 0; o < n->n_outputs; o++)
        if (sl_dtype_is_ref(n->out_types[o]) || n->out_types[o] == SL_RESOURCE || n->out_types[o] == SL_VARIANT)
            return false;
    return true;
}

static bool is_swapped(const struct sl_node *n) {
    const struct sl_port *in = n->inputs;
    return sl_op_has(n->op, SL_OP_COMMUTATIVE) && n->n_inputs == 2 &&
           (in[0].node->id > in[1].node->id || (in[0].node == in[1].node && in[0].index > in[1].index));
}

static struct sl_port input(const struct sl_node *n, int i, bool swapped) { return n->inputs[swapped ? 1 - i : i]; }

static uint64_t hash_of(const struct sl_node *n) {
    bool swapped = is_swapped(n);
    uint64_t h = sl_hash_mix(n->op->index, (uint64_t)n->n_inputs);
    for (int i = 0; i < n->n_inputs; i++) {
        struct sl_port from = input(n, i, swapped);
        h = sl_hash_mix(h, (uint64_t)from.node->id << 8 ^ (uint64_t)from.index);
    }
    for (int i = 0; i < n->attrs.n; i++)
        if (i >= n->op->n_attrs || n->attrs.items[i].value != n->op->attrs[i].default_value)
            h = sl_hash_mix(h, sl_attr_hash(n->attrs.items[i].value));
    uint64_t controls = 0;
    for (int i = 0; i < n->n_controls; i++) controls += sl_hash_mix(0, n->controls[i]->id);
    return sl_hash_mix(h, controls);
}

static bool same_controls(const struct sl_node *a, const struct sl_node *b) {
    if (a->n_controls != b->n_controls) return false;
    for (int i = 0; i < a->n_controls; i++) {
        bool found = false;
        for (int k = 0; k < b->n_controls && !found; k++) found = a->controls[i] == b->controls[k];
        if (!found) return false;
    }
    return true;
}

static bool are_equal(const struct sl_node *a, const struct sl_node *b) {
    bool a_swapped = is_swapped(a), b_swapped = is_swapped(b);
    if (a->op != b->op || a->n_inputs != b->n_inputs || a->n_outputs != b->n_outputs || a->attrs.n != b->attrs.n ||
        !sl_str_eq(a->assigned, b->assigned))
        return false;
    for (int i = 0; i < a->n_inputs; i++) {
        struct sl_port x = input(a, i, a_swapped), y = input(b, i, b_swapped);
        if (x.node != y.node || x.index != y.index) return false;
    }
    for (int i = 0; i < a->attrs.n; i++) {
        const struct sl_attr *x = &a->attrs.items[i], *y = &b->attrs.items[i];
        if (!sl_str_eq(x->name, y->name) || (x->value != y->value && !sl_attr_equal(x->value, y->value))) return false;
    }
    return same_controls(a, b);
}

/* The node that was seen before and equals `n`, or NULL; `n` is then remembered. */
static struct sl_node *find(struct merge *m, struct sl_node *n) {
    uint64_t hash = hash_of(n);
    size_t at = hash & m->mask;
    for (; m->table[at]; at = (at + 1) & m->mask)
        if (m->hashes[at] == hash && are_equal(m->table[at], n)) return m->table[at];
    m->table[at] = n;
    m->hashes[at] = hash;
    return NULL;
}

static sl_code merge_into(struct merge *m, struct sl_node *n, struct sl_node *into, struct sl_error *err) {
    for (int o = 0; o < n->n_outputs; o++)
        SL_TRY(sl_graph_replace_uses(m->graph, (struct sl_port){n, o}, (struct sl_port){into, o}, err));
    SL_TRY(sl_graph_move_followers(m->graph, n, into, err));
    m->keep[n->id] = false;
    m->merged++;
    return SL_OK;
}

static sl_code merge_all(struct merge *m, const struct sl_optimise_options *options, struct sl_arena *arena,
                         struct sl_error *err) {
    struct sl_node **order;
    size_t n = 0, room = 16;
    SL_TRY(sl_graph_order(&order, &n, m->graph, arena, err));
    while (room < 2 * n) room *= 2;
    m->mask = room - 1;
    m->table = SL_ARENA_ARRAY(arena, struct sl_node *, room);
    m->hashes = SL_ARENA_ARRAY(arena, uint64_t, room);
    m->keep = SL_ARENA_ARRAY(arena, bool, m->graph->nodes.n + 1);
    bool *is_kept = SL_ARENA_ARRAY(arena, bool, m->graph->nodes.n + 1);
    if (!m->table || !m->hashes || !m->keep || !is_kept) return sl_fail_memory(err, room);
    memset(m->keep, true, m->graph->nodes.n);
    for (int k = 0; k < options->n_keep; k++) is_kept[options->keep[k]->id] = true;
    for (size_t i = 0; i < n; i++) {
        struct sl_node *into = may_merge(order[i]) && !is_kept[order[i]->id] ? find(m, order[i]) : NULL;
        if (into) SL_TRY(merge_into(m, order[i], into, err));
    }
    if (m->merged) sl_graph_keep(m->graph, m->keep);
    return SL_OK;
}

sl_code sl_pass_merge_equal(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err) {
    struct merge m = {.graph = graph};
    struct sl_arena arena;
    if (!(options->toggles & SL_TOGGLE_COMMON)) return SL_OK;
    sl_arena_init(&arena);
    graph->keeps_values = true;
    sl_code code = merge_all(&m, options, &arena, err);
    graph->keeps_values = false;
    sl_arena_clear(&arena);
    return code;
}
