/* Edges, both ways: what a node reads (inputs, controls) and who reads it (uses) always say the same. Order of
 * inputs is the op's; controls and uses stand in the order in which they were made. Callers: build, import,
 * function, every pass. */
#include "base/alloc.h"
#include "graph/constants.h"
#include "graph/node_store.h"
#include "ops/op_row.h"

static sl_code fail_array(struct sl_error *err, uint32_t n, size_t size) {
    return sl_fail_memory(err, (size_t)n * size);
}

sl_code sl_use_push(struct sl_graph *graph, struct sl_node *from, struct sl_use use, struct sl_error *err) {
    if (from->uses.n == from->uses.cap) {
        uint32_t cap = from->uses.cap < 4 ? 4 : from->uses.cap * 2;
        struct sl_use *items = sl_arena_alloc(&graph->arena, cap * sizeof *items);
        if (!items) return fail_array(err, cap, sizeof *items);
        if (from->uses.n) memcpy(items, from->uses.items, from->uses.n * sizeof *items);
        from->uses.items = items;
        from->uses.cap = cap;
    }
    from->uses.items[from->uses.n++] = use;
    return SL_OK;
}

/* Searched from the newest: what was connected last is mostly what is taken away first. */
void sl_use_drop(struct sl_node *from, const struct sl_node *to, int slot) {
    for (uint32_t i = from->uses.n; i-- > 0;) {
        struct sl_use *use = &from->uses.items[i];
        if (use->node != to || use->slot != slot) continue;
        memmove(use, use + 1, (--from->uses.n - i) * sizeof *use);
        return;
    }
}

sl_code sl_edge_fail_output(struct sl_str name, int index, const struct sl_node *from, struct sl_error *err) {
    const char *hint = "";
    switch (from->op->index) {
    case SL_ROW_If:
    case SL_ROW_StatelessIf:
    case SL_ROW_While:
    case SL_ROW_StatelessWhile:
        /* a gradient that was made after the node had run: its front end adds what that needs no more */
        hint = " Try using tf.compat.v1.experimental.output_all_intermediates(True).";
        break;
    default: break;
    }
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Node '%.*s': Connecting to invalid output %d of source node %.*s which has %d outputs.%s",
                   SL_STR_ARG(name), index, SL_STR_ARG(from->name), from->n_outputs, hint);
}

sl_code sl_edge_check(const struct sl_node *node, int slot, struct sl_port from, struct sl_error *err) {
    if (from.node->graph != node->graph)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Node '%.*s' was given an input of another graph: '%.*s'",
                       SL_STR_ARG(node->name), SL_STR_ARG(from.node->name));
    if (from.index < 0 || from.index >= from.node->n_outputs)
        return sl_edge_fail_output(node->name, from.index, from.node, err);
    int wanted = node->in_types[slot], given = from.node->out_types[from.index];
    if (wanted != given && wanted != sl_dtype_base(given))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Input %d of node %.*s was passed %s from %.*s:%d incompatible with expected %s.", slot,
                       SL_STR_ARG(node->name), sl_dtype_name(given), SL_STR_ARG(from.node->name), from.index,
                       sl_dtype_name(wanted));
    return SL_OK;
}

sl_code sl_graph_set_input(struct sl_graph *graph, struct sl_node *node, int slot, struct sl_port from,
                           struct sl_error *err) {
    if (slot < 0 || slot >= node->n_inputs)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Node '%.*s' has no input %d; it has %d", SL_STR_ARG(node->name), slot,
                       node->n_inputs);
    SL_TRY(sl_edge_check(node, slot, from, err));
    struct sl_port old = node->inputs[slot];
    SL_TRY(sl_use_push(graph, from.node, (struct sl_use){node, slot, from.index}, err));
    node->inputs[slot] = from;
    if (!old.node) return SL_OK;
    if (!graph->keeps_values) sl_constants_free(graph);
    /* When producer is the same the newest use is the new one: take away the older. */
    if (old.node == from.node) {
        struct sl_use fresh = from.node->uses.items[--from.node->uses.n];
        sl_use_drop(old.node, node, slot);
        from.node->uses.items[from.node->uses.n++] = fresh;
    } else {
        sl_use_drop(old.node, node, slot);
    }
    return SL_OK;
}

/* Looks where less has to be read: a node that everything waits for, or one that waits for everything. */
static bool is_control_input(const struct sl_node *from, const struct sl_node *to) {
    if ((uint32_t)to->n_controls <= from->uses.n) {
        for (int i = to->n_controls; i-- > 0;)
            if (to->controls[i] == from) return true;
    } else {
        for (uint32_t i = from->uses.n; i-- > 0;)
            if (from->uses.items[i].node == to && from->uses.items[i].slot == -1) return true;
    }
    return false;
}

sl_code sl_graph_add_control(struct sl_graph *graph, struct sl_node *from, struct sl_node *to, struct sl_error *err) {
    if (from->graph != to->graph)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Node '%.*s' was given a control input of another graph: '%.*s'",
                       SL_STR_ARG(to->name), SL_STR_ARG(from->name));
    if (is_control_input(from, to)) return SL_OK;
    if (to->n_controls == to->cap_controls) {
        int cap = to->cap_controls < 2 ? 2 : to->cap_controls * 2;
        struct sl_node **controls = sl_arena_alloc(&graph->arena, (size_t)cap * sizeof *controls);
        if (!controls) return fail_array(err, (uint32_t)cap, sizeof *controls);
        if (to->n_controls) memcpy(controls, to->controls, (size_t)to->n_controls * sizeof *controls);
        to->controls = controls;
        to->cap_controls = cap;
    }
    SL_TRY(sl_use_push(graph, from, (struct sl_use){to, -1, -1}, err));
    to->controls[to->n_controls++] = from;
    return SL_OK;
}

void sl_graph_remove_control(struct sl_graph *graph, struct sl_node *from, struct sl_node *to) {
    (void)graph;
    for (int i = 0; i < to->n_controls; i++) {
        if (to->controls[i] != from) continue;
        memmove(&to->controls[i], &to->controls[i + 1], (size_t)(--to->n_controls - i) * sizeof *to->controls);
        sl_use_drop(from, to, -1);
        return;
    }
}

/* One control input in place of another, or none when there is such a one already. The use by which `from` knows of
 * it is the caller's. */
static sl_code exchange_control(struct sl_graph *graph, struct sl_node *node, const struct sl_node *from,
                                struct sl_node *to, struct sl_error *err) {
    int at = 0;
    while (node->controls[at] != from) at++;
    if (!to || is_control_input(to, node)) {
        memmove(&node->controls[at], &node->controls[at + 1],
                (size_t)(--node->n_controls - at) * sizeof *node->controls);
        return SL_OK;
    }
    SL_TRY(sl_use_push(graph, to, (struct sl_use){node, -1, -1}, err));
    node->controls[at] = to;
    return SL_OK;
}

sl_code sl_graph_move_followers(struct sl_graph *graph, struct sl_node *from, struct sl_node *to,
                                struct sl_error *err) {
    sl_code code = SL_OK;
    uint32_t kept = 0;
    if (from == to) return SL_OK;
    for (uint32_t i = 0; i < from->uses.n; i++) {
        struct sl_use use = from->uses.items[i];
        bool moves = code == SL_OK && use.slot < 0;
        if (moves) code = exchange_control(graph, use.node, from, to, err);
        if (!moves || code != SL_OK) from->uses.items[kept++] = use;
    }
    from->uses.n = kept;
    return code;
}

sl_code sl_graph_replace_uses(struct sl_graph *graph, struct sl_port from, struct sl_port to, struct sl_error *err) {
    if (from.node == to.node && from.index == to.index) return SL_OK;
    for (uint32_t i = 0; i < from.node->uses.n; i++) {
        struct sl_use use = from.node->uses.items[i];
        if (use.slot >= 0 && use.index == from.index) SL_TRY(sl_edge_check(use.node, use.slot, to, err));
    }
    if (!graph->keeps_values) sl_constants_free(graph); /* the new value may be another */
    struct sl_use *uses = from.node->uses.items;
    uint32_t n = from.node->uses.n, kept = 0;
    if (from.node == to.node) { /* the same list: the uses change their index in place */
        for (uint32_t i = 0; i < n; i++) {
            if (uses[i].slot < 0 || uses[i].index != from.index) continue;
            uses[i].index = to.index;
            uses[i].node->inputs[uses[i].slot] = to;
        }
        return SL_OK;
    }
    sl_code code = SL_OK;
    for (uint32_t i = 0; i < n; i++) {
        struct sl_use use = uses[i];
        bool moves = code == SL_OK && use.slot >= 0 && use.index == from.index;
        if (moves) code = sl_use_push(graph, to.node, (struct sl_use){use.node, use.slot, to.index}, err);
        if (moves && code == SL_OK) use.node->inputs[use.slot] = to;
        else uses[kept++] = use;
    }
    from.node->uses.n = kept;
    return code;
}
