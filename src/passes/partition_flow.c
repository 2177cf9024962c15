/* Control flow before the cut. An Enter or NextIteration has an output in one iteration only, so an edge from one must
 * not be cut: the _Recv would wait in all iterations. */
#include "passes/partition_cut.h"

/* A node of a part that `other` is in may stay where it is. */
static void follow(struct sl_cut *cut, const struct sl_node *n, const struct sl_node *other) {
    if (sl_cut_part(cut, n) != sl_cut_part(cut, other)) cut->device.items[n->id] = sl_cut_device(cut, other);
}

static void follow_input(struct sl_cut *cut, const struct sl_node *n) {
    enum sl_flow_kind kind = sl_flow_kind_of(n->op);
    if (kind == SL_FLOW_SWITCH || kind == SL_FLOW_SWITCH_N || kind == SL_FLOW_EXIT) follow(cut, n, n->inputs[0].node);
}

static sl_code copy_to(struct sl_node **out, struct sl_cut *cut, const struct sl_node *n, int device) {
    struct sl_str name = sl_graph_unique_name(cut->graph, n->name);
    SL_TRY(sl_graph_copy_node(out, cut->graph, n, name, n->device, cut->err));
    SL_TRY(sl_graph_copy_edges(*out, n, NULL, NULL, cut->err));
    return sl_cut_put(cut, *out, device, 0);
}

static sl_code move_use(struct sl_cut *cut, struct sl_use use, struct sl_node *from, struct sl_node *to) {
    if (use.slot >= 0)
        return sl_graph_set_input(cut->graph, use.node, use.slot, (struct sl_port){to, use.index}, cut->err);
    sl_graph_remove_control(cut->graph, from, use.node);
    return sl_graph_add_control(cut->graph, to, use.node, cut->err);
}

/* A copy in every part where it is read; the node itself goes to the first of them. */
static sl_code follow_readers(struct sl_cut *cut, struct sl_node *n) {
    enum sl_flow_kind kind = sl_flow_kind_of(n->op);
    if ((kind != SL_FLOW_ENTER && kind != SL_FLOW_NEXT) || !n->uses.n || sl_dtype_is_ref(n->out_types[0])) return SL_OK;
    struct sl_arena scratch;
    sl_arena_init(&scratch);
    size_t n_uses = n->uses.n;
    struct sl_use *uses = SL_ARENA_ARRAY(&scratch, struct sl_use, n_uses);
    struct sl_node **copies = SL_ARENA_ARRAY(&scratch, struct sl_node *, (size_t)cut->n_parts);
    sl_code code = uses && copies ? SL_OK : sl_fail_memory(cut->err, n_uses * sizeof *uses);
    if (code == SL_OK) {
        memcpy(uses, n->uses.items, n_uses * sizeof *uses);
        follow(cut, n, uses[0].node);
        copies[sl_cut_part(cut, n)] = n;
    }
    for (size_t u = 0; u < n_uses && code == SL_OK; u++) {
        int part = sl_cut_part(cut, uses[u].node);
        if (!copies[part]) code = copy_to(&copies[part], cut, n, sl_cut_device(cut, uses[u].node));
        if (code == SL_OK && copies[part] != n) code = move_use(cut, uses[u], n, copies[part]);
    }
    sl_arena_clear(&scratch);
    return code;
}

sl_code sl_cut_move_flow(struct sl_cut *cut) {
    struct sl_node **order;
    size_t n;
    SL_TRY(sl_graph_order(&order, &n, cut->graph, &cut->scratch, cut->err));
    for (size_t i = 0; i < n; i++) follow_input(cut, order[i]);
    for (size_t i = n; i-- > 0;) SL_TRY(follow_readers(cut, order[i])); /* inner loops before outer ones */
    return SL_OK;
}
