/* Loops of parts' own (a part is a device, or a task). In a loop that is spread, every part that runs some of its
 * nodes must know of each iteration: it does by itself when it has a NextIteration of the loop and receives nothing;
 * else it gets this, whose Merge then starts what it receives:
 *
 *     Const ─► Enter ─► Merge ─► Switch ─► NextIteration ─┐
 *                         ▲         ▲ LoopCond            │
 *                         └─────────┼─────────────────────┘
 *
 * Within another loop, Enter reads the Merge of the part's own loop for that one. Why this is enough: both sides of
 * a cut edge run in the same frame and iteration; an iteration begins here when the LoopCond of the one before was
 * true, as it does there; and every node of an iteration runs once, dead or alive, so that every _Send there has its
 * _Recv here. When the loop as a whole is not taken, its first iteration is dead there, and so is what is received
 * here, LoopCond included: nothing goes on. */
#include "ops/op_row.h"
#include "passes/partition_cut.h"

struct needs {
    bool *has_nodes, *receives, *goes_round, *needs_loop; /* by frame * n_parts + part */
};

static size_t at(const struct sl_cut *cut, int frame, int part) {
    return (size_t)frame * (size_t)cut->n_parts + (size_t)part;
}

static void look_at_node(struct needs *needs, const struct sl_cut *cut, const struct sl_node *n) {
    int part = sl_cut_part(cut, n);
    size_t here = at(cut, cut->frame.items[n->id], part);
    needs->has_nodes[here] = true;
    if (sl_flow_kind_of(n->op) == SL_FLOW_NEXT) needs->goes_round[here] = true;
    for (int i = 0; i < n->n_inputs; i++)
        if (sl_cut_part(cut, n->inputs[i].node) != part) needs->receives[here] = true;
    for (int i = 0; i < n->n_controls; i++)
        if (sl_cut_part(cut, n->controls[i]) != part) needs->receives[here] = true;
}

static sl_code decide(struct needs *needs, struct sl_cut *cut) {
    for (int f = cut->frames.n - 1; f > 0; f--) { /* a frame comes after its parent */
        int n_present = 0;
        const struct sl_frame_info *info = &cut->frames.frames[f];
        for (int p = 0; p < cut->n_parts; p++) n_present += needs->has_nodes[at(cut, f, p)];
        for (int p = 0; p < cut->n_parts; p++) {
            size_t here = at(cut, f, p);
            if (n_present > 1 && needs->has_nodes[here] && (needs->receives[here] || !needs->goes_round[here]))
                needs->needs_loop[here] = true;
            if (!needs->needs_loop[here]) continue;
            if (!info->loop_cond)
                return sl_fail(cut->err, SL_INVALID_ARGUMENT, "A cross-device loop must have a pivot predicate: %.*s",
                               SL_STR_ARG(info->name));
            if (info->parent > 0) needs->needs_loop[at(cut, info->parent, p)] = true;
        }
    }
    return SL_OK;
}

/* ---- the nodes of one loop */

static sl_code add(struct sl_node **out, struct sl_cut *cut, const char *op, struct sl_attrs attrs,
                   const struct sl_port *inputs, int n, int part, int frame) {
    char *name = sl_arena_format(&cut->graph->arena, "_cloop/%s", op);
    struct sl_node_spec spec = {.attrs = attrs, .inputs = inputs, .n_inputs = n, .allow_missing_back_edges = true};
    if (!name) return sl_fail_memory(cut->err, sizeof spec);
    spec.name = sl_graph_unique_name(cut->graph, sl_str_of(name));
    SL_TRY(sl_op_find(&spec.op, cut->graph->registry, sl_str_of(op), cut->err));
    return sl_cut_add(out, cut, &spec, part, frame);
}

static sl_code add_enter(struct sl_node **out, struct sl_cut *cut, int part, int frame) {
    const struct sl_frame_info *info = &cut->frames.frames[frame];
    struct sl_port from = {info->parent > 0 ? cut->loop_merges[at(cut, info->parent, part)] : NULL, 0};
    struct sl_arena *arena = &cut->graph->arena;
    const struct sl_attr attrs[] = {sl_attr_new_type(arena, SL_STR("T"), SL_FLOAT),
                                    sl_attr_new(arena, SL_STR("frame_name"), SL_ATTR_VALUE(s, info->name)),
                                    sl_attr_new(arena, SL_STR("parallel_iterations"),
                                                SL_ATTR_VALUE(i, info->parallel_iterations))};
    if (!from.node) SL_TRY(add(&from.node, cut, "Const", sl_cut_signal_attrs, NULL, 0, part, 0));
    return add(out, cut, "Enter", (struct sl_attrs){attrs, 3}, &from, 1, part, info->parent);
}

/* What tells this part whether the loop goes on. A task's part is cut again, by device, and must have the LoopCond
 * of its loop for that. */
static sl_code add_condition(struct sl_port *out, struct sl_cut *cut, int part, int frame) {
    *out = (struct sl_port){cut->frames.frames[frame].loop_cond, 0};
    if (cut->by == SL_CUT_BY_DEVICE || sl_cut_part(cut, out->node) == part) return SL_OK;
    struct sl_port told = *out;
    return add(&out->node, cut, "LoopCond", (struct sl_attrs){NULL, 0}, &told, 1, part, frame);
}

static sl_code add_loop(struct sl_cut *cut, int part, int frame) {
    struct sl_node *enter, *merge, *gate, *next;
    struct sl_port goes_on;
    const struct sl_attr attrs[] = {sl_attr_new_type(&cut->graph->arena, SL_STR("T"), SL_FLOAT),
                                    sl_attr_new(&cut->graph->arena, SL_STR("N"), SL_ATTR_VALUE(i, 2))};
    const struct sl_attrs of_merge = {attrs, 2}, of_others = {attrs, 1};
    SL_TRY(add_enter(&enter, cut, part, frame));
    SL_TRY(add(&merge, cut, "Merge", of_merge, (struct sl_port[]){{enter, 0}, {NULL, 0}}, 2, part, frame));
    SL_TRY(add_condition(&goes_on, cut, part, frame));
    struct sl_port gated[] = {{merge, 0}, goes_on};
    SL_TRY(add(&gate, cut, "Switch", of_others, gated, 2, part, frame));
    SL_TRY(add(&next, cut, "NextIteration", of_others, &(struct sl_port){gate, 1}, 1, part, frame));
    cut->loop_merges[at(cut, frame, part)] = merge;
    return sl_graph_set_input(cut->graph, merge, 1, (struct sl_port){next, 0}, cut->err);
}

static sl_code read_frames(struct sl_cut *cut) {
    SL_TRY(sl_graph_frames(&cut->frames, cut->graph, &cut->scratch, cut->err));
    SL_GRAPH_EACH(n, cut->graph) {
        if (cut->frames.of_node[n->id] < 0)
            return sl_fail(cut->err, SL_INVALID_ARGUMENT, "Node %.*s is part of a cycle that nothing starts",
                           SL_STR_ARG(n->name));
        cut->frame.items[n->id] = cut->frames.of_node[n->id];
    }
    return SL_OK;
}

sl_code sl_cut_add_loops(struct sl_cut *cut) {
    SL_TRY(read_frames(cut));
    size_t n = (size_t)cut->frames.n * (size_t)cut->n_parts;
    cut->loop_merges = SL_ARENA_ARRAY(&cut->scratch, struct sl_node *, n);
    if (!cut->loop_merges) return sl_fail_memory(cut->err, n * sizeof *cut->loop_merges);
    if (cut->frames.n == 1) return SL_OK;
    bool *bits = SL_ARENA_ARRAY(&cut->scratch, bool, 4 * n);
    struct needs needs = {bits, bits + n, bits + 2 * n, bits + 3 * n};
    if (!bits) return sl_fail_memory(cut->err, 4 * n);
    SL_GRAPH_EACH(node, cut->graph) look_at_node(&needs, cut, node);
    SL_TRY(decide(&needs, cut));
    for (int f = 1; f < cut->frames.n; f++)
        for (int p = 0; p < cut->n_parts; p++)
            if (needs.needs_loop[at(cut, f, p)]) SL_TRY(add_loop(cut, p, f));
    return SL_OK;
}
