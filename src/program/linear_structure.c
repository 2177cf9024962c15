/* Structure of a graph for the linear engine: an order that keeps loops together, the guard of every node, and which
 * outputs are other names of an earlier one. Says "does not fit" for every shape of control flow that has no block
 * structure; such graphs run as tokens.
 *
 * Guards inside a loop are relative to one iteration of it. The guard of a loop as a whole is that of all its
 * Enters. */
#include <string.h>

#include "base/heap.h"
#include "program/linear.h"

/* ---- an order */

static bool is_flow(const struct sl_linear *l, const struct sl_node *n, enum sl_flow_kind kind) {
    return l->c->flow[n->id] == kind;
}

int sl_child_frame(const struct sl_linear *l, const struct sl_node *enter) {
    for (uint32_t u = 0; u < enter->uses.n; u++) {
        const struct sl_node *to = enter->uses.items[u].node;
        return sl_frame_of(l, to);
    }
    return -1;
}

static bool is_back_edge(const struct sl_linear *l, const struct sl_node *from, const struct sl_node *to) {
    return is_flow(l, from, SL_FLOW_NEXT) && is_flow(l, to, SL_FLOW_MERGE);
}

/* Kahn's algorithm, smallest id first. What reads an Enter waits for all Enters of that loop. */
static sl_code sequence_from(struct sl_heap *ready, bool *fits, struct sl_linear *l) {
    struct sl_compilation *c = l->c;
    struct sl_graph *graph = c->graph;
    size_t n = graph->nodes.n;
    uint32_t *missing = SL_ARENA_ARRAY(&c->scratch, uint32_t, n);
    uint32_t *enters_missing = SL_ARENA_ARRAY(&c->scratch, uint32_t, (size_t)c->frames.n);
    l->sequence = SL_ARENA_ARRAY(&c->scratch, struct sl_node *, n);
    if (!missing || !enters_missing || !l->sequence) return sl_fail_memory(c->err, n);
    for (int f = 1; f < c->frames.n; f++) enters_missing[f] = (uint32_t)l->loops[f].enters.n;
    SL_GRAPH_EACH(node, graph) {
        uint32_t count = (uint32_t)node->n_controls;
        for (int i = 0; i < node->n_inputs; i++) count += !is_back_edge(l, node->inputs[i].node, node);
        missing[node->id] = count;
        if (!count && sl_heap_push(ready, node->id)) return sl_fail_memory(c->err, n);
    }
    while (ready->n) {
        struct sl_node *node = graph->nodes.items[sl_heap_pop(ready)];
        l->sequence[l->n_sequence++] = node;
        struct sl_node *const *done = &node;
        size_t n_done = 1;
        if (is_flow(l, node, SL_FLOW_ENTER)) {
            int child = sl_child_frame(l, node);
            if (child < 0) continue; /* nobody reads it */
            if (--enters_missing[child]) continue;
            l->loops[child].gate = (uint32_t)l->n_sequence;
            done = l->loops[child].enters.items;
            n_done = l->loops[child].enters.n;
        }
        for (size_t d = 0; d < n_done; d++)
            for (uint32_t u = 0; u < done[d]->uses.n; u++) {
                struct sl_node *to = done[d]->uses.items[u].node;
                if (done[d]->uses.items[u].slot >= 0 && is_back_edge(l, done[d], to)) continue;
                if (--missing[to->id] == 0 && sl_heap_push(ready, to->id)) return sl_fail_memory(c->err, n);
            }
    }
    *fits = l->n_sequence == graph->live;
    return SL_OK;
}

static sl_code make_sequence(bool *fits, struct sl_linear *l) {
    struct sl_heap ready = {0};
    sl_code code = sequence_from(&ready, fits, l);
    sl_vec_free(&ready);
    return code;
}

/* ---- what a loop must look like */

static sl_code collect_loops(bool *fits, struct sl_linear *l) {
    struct sl_compilation *c = l->c;
    int failed = 0;
    SL_GRAPH_EACH(node, c->graph) {
        int frame = sl_frame_of(l, node);
        if (frame < 0) {
            *fits = false;
            return SL_OK;
        }
        if (frame && sl_node_is_ret(node)) *fits = false; /* a result that may come several times */
        if (is_flow(l, node, SL_FLOW_ENTER)) {
            int child = sl_child_frame(l, node);
            if (child > 0) failed |= sl_vec_push(&l->loops[child].enters, node);
        } else if (is_flow(l, node, SL_FLOW_EXIT)) {
            if (frame == 0) *fits = false;
            else failed |= sl_vec_push(&l->loops[frame].exits, node);
        } else if (is_flow(l, node, SL_FLOW_MERGE)) {
            for (int i = 0; i < node->n_inputs; i++)
                if (is_flow(l, node->inputs[i].node, SL_FLOW_NEXT)) {
                    if (frame) failed |= sl_vec_push(&l->loops[frame].merges, node);
                    else *fits = false;
                    break;
                }
        }
    }
    return failed ? sl_fail_memory(c->err, sizeof(void *)) : SL_OK;
}

bool sl_is_loop_merge(const struct sl_linear *l, const struct sl_node *n) {
    if (!is_flow(l, n, SL_FLOW_MERGE)) return false;
    for (int i = 0; i < n->n_inputs; i++)
        if (is_flow(l, n->inputs[i].node, SL_FLOW_NEXT)) return true;
    return false;
}

static bool is_constant_enter(const struct sl_node *enter) {
    bool constant = false;
    return sl_attr_bool(&constant, &enter->attrs, "is_constant", NULL) == SL_OK && constant;
}

static bool loop_fits(const struct sl_linear *l, int frame) {
    const struct sl_linear_loop *loop = &l->loops[frame];
    const struct sl_frame_info *info = &l->c->frames.frames[frame];
    if (!info->loop_cond || info->depth > SL_MOST_LOOP_DEPTH || !loop->enters.n) return false;
    for (size_t m = 0; m < loop->merges.n; m++) {
        const struct sl_node *merge = loop->merges.items[m];
        if (merge->n_inputs != 2 || merge->n_controls) return false;
        const struct sl_node *enter = merge->inputs[0].node, *next = merge->inputs[1].node;
        if (!is_flow(l, enter, SL_FLOW_ENTER) || is_constant_enter(enter) || !is_flow(l, next, SL_FLOW_NEXT))
            return false;
        if (sl_frame_of(l, next) != frame) return false;
        for (uint32_t u = 0; u < merge->uses.n; u++)
            if (merge->uses.items[u].index == 1) return false; /* value_index of a loop variable */
    }
    for (size_t e = 0; e < loop->enters.n; e++) {
        const struct sl_node *enter = loop->enters.items[e];
        for (uint32_t u = 0; u < enter->uses.n; u++) {
            const struct sl_use *use = &enter->uses.items[u];
            if (sl_frame_of(l, use->node) != frame) return false;
            if (!is_constant_enter(enter) && !(use->slot == 0 && sl_is_loop_merge(l, use->node))) return false;
        }
    }
    return true;
}

/* Edges stay within a frame but for Enter and Exit; NextIteration feeds loop variables alone. */
static bool edges_fit(const struct sl_linear *l) {
    SL_GRAPH_EACH(node, l->c->graph) {
        int frame = sl_frame_of(l, node);
        for (uint32_t u = 0; u < node->uses.n; u++) {
            const struct sl_use *use = &node->uses.items[u];
            int to = sl_frame_of(l, use->node);
            switch (l->c->flow[node->id]) {
            case SL_FLOW_ENTER:
                if (use->slot < 0 && !is_constant_enter(node)) return false;
                break;
            case SL_FLOW_EXIT:
                if (to != l->c->frames.frames[frame].parent) return false;
                break;
            case SL_FLOW_NEXT:
                if (use->slot < 0 || !sl_is_loop_merge(l, use->node)) return false;
                break;
            default:
                if (to != frame) return false;
            }
        }
    }
    return true;
}

/* ---- guards and names */

static uint32_t root_of(const struct sl_linear *l, struct sl_port p) { return l->root[sl_port_number(l, p)]; }

static uint32_t input_guard(struct sl_linear *l, const struct sl_node *n) {
    uint32_t guard = SL_GUARD_ALWAYS;
    bool is_trigger = is_flow(l, n, SL_FLOW_TRIGGER);
    for (int i = 0; i < n->n_inputs; i++)
        guard = sl_guard_and(&l->guards, guard, l->port_guard[sl_port_number(l, n->inputs[i])]);
    int frame = sl_frame_of(l, n);
    for (int i = 0; i < n->n_controls; i++) {
        const struct sl_node *from = n->controls[i];
        uint32_t g = l->node_guard[from->id];
        if (is_flow(l, from, SL_FLOW_ENTER)) g = SL_GUARD_ALWAYS;
        if (is_flow(l, from, SL_FLOW_EXIT)) g = l->loops[sl_frame_of(l, from)].guard;
        if (is_trigger) { /* fires whatever its inputs are, but only in iterations that have a body */
            uint32_t of_loop = frame ? l->loops[frame].when_true : SL_GUARD_ALWAYS;
            g = frame && sl_guard_implies(&l->guards, g, of_loop) ? of_loop : SL_GUARD_ALWAYS;
        }
        guard = sl_guard_and(&l->guards, guard, g);
    }
    return guard;
}

/* Guard of a Merge that joins branches. */
static sl_code branch_merge(struct sl_linear *l, const struct sl_node *n) {
    uint32_t *sets = SL_ARENA_ARRAY(&l->c->scratch, uint32_t, (size_t)n->n_inputs + 1);
    if (!sets) return sl_fail_memory(l->c->err, sizeof *sets);
    uint32_t live = 0, guard = SL_GUARD_NEVER, base = l->port_base[n->id];
    for (int i = 0; i < n->n_inputs; i++) {
        uint32_t g = l->port_guard[sl_port_number(l, n->inputs[i])];
        if (g != SL_GUARD_NEVER) sets[live++] = g;
    }
    uint32_t out = SL_GUARD_NEVER;
    if (live && sl_guard_any(&out, &l->guards, sets, live)) {
        guard = out;
    } else if (live) {
        guard = sl_guard_common(&l->guards, sets, live);
        out = sl_guard_with(&l->guards, guard, (struct sl_guard_literal){.port = base, .kind = SL_LITERAL_LIVE});
    }
    l->node_guard[n->id] = guard;
    l->port_guard[base] = l->port_guard[base + 1] = out;
    return SL_OK;
}

static void switch_guards(struct sl_linear *l, const struct sl_node *n, uint32_t guard) {
    uint32_t base = l->port_base[n->id], data = root_of(l, n->inputs[0]), pred = root_of(l, n->inputs[1]);
    bool is_many = is_flow(l, n, SL_FLOW_SWITCH_N);
    for (int o = 0; o < n->n_outputs; o++) {
        struct sl_guard_literal literal = {.port = pred,
                                           .kind = o ? SL_LITERAL_TRUE : SL_LITERAL_FALSE,
                                           .node = l->c->kernels[n->id]};
        if (is_many) {
            literal.kind = SL_LITERAL_INDEX;
            literal.index = o;
            literal.n = n->n_outputs;
        }
        l->port_guard[base + (uint32_t)o] = sl_guard_with(&l->guards, guard, literal);
        if (!sl_needs_deref(n, 0)) l->root[base + (uint32_t)o] = data;
    }
}

/* A Switch that goes by the LoopCond; without one its own name has to do. */
static const struct sl_kernel_node *by_predicate(const struct sl_linear *l, const struct sl_node *loop_cond) {
    const struct sl_node *found = loop_cond;
    for (uint32_t u = 0; u < loop_cond->uses.n && found == loop_cond; u++)
        if (loop_cond->uses.items[u].slot == 1 && is_flow(l, loop_cond->uses.items[u].node, SL_FLOW_SWITCH))
            found = loop_cond->uses.items[u].node;
    return l->c->kernels[found->id];
}

static bool passes_on(const struct sl_linear *l, const struct sl_node *n) {
    switch (l->c->flow[n->id]) {
    case SL_FLOW_COND: return true;
    case SL_FLOW_ENTER: return is_constant_enter(n);
    case SL_FLOW_NONE:
        return l->c->kernels[n->id]->def && (l->c->kernels[n->id]->def->flags & SL_KERNEL_PASS) && n->n_inputs >= 1;
    default: return false;
    }
}

static sl_code visit(bool *fits, struct sl_linear *l, struct sl_node *n) {
    int frame = sl_frame_of(l, n);
    enum sl_flow_kind flow = l->c->flow[n->id];
    if ((flow == SL_FLOW_SWITCH || flow == SL_FLOW_SWITCH_N) && sl_needs_deref(n, 1)) *fits = false;
    uint32_t base = l->port_base[n->id];
    for (int i = 0; i < n->n_inputs && flow == SL_FLOW_MERGE; i++)
        if (sl_needs_deref(n, i)) *fits = false; /* its moves would hand on the reference */
    if (flow == SL_FLOW_MERGE && sl_is_loop_merge(l, n)) {
        l->node_guard[n->id] = l->port_guard[base] = l->port_guard[base + 1] = SL_GUARD_ALWAYS;
        return SL_OK;
    }
    if (flow == SL_FLOW_MERGE) return branch_merge(l, n);
    uint32_t guard = input_guard(l, n);
    if (guard == SL_GUARD_OUT_OF_MEMORY) {
        *fits = false; /* or nested deeper than guards go: tokens have no such limit */
        return SL_OK;
    }
    l->node_guard[n->id] = guard;
    for (int o = 0; o < n->n_outputs; o++) l->port_guard[base + (uint32_t)o] = guard;
    if (passes_on(l, n) && n->n_outputs == 1 && !sl_needs_deref(n, 0)) l->root[base] = root_of(l, n->inputs[0]);
    struct sl_linear_loop *loop = &l->loops[frame];
    switch (flow) {
    case SL_FLOW_SWITCH:
    case SL_FLOW_SWITCH_N: switch_guards(l, n, guard); break;
    case SL_FLOW_COND:
        if (!frame || l->c->frames.frames[frame].loop_cond != n || guard != SL_GUARD_ALWAYS) *fits = false;
        loop->by_predicate = by_predicate(l, n);
        struct sl_guard_literal goes_on = {.port = l->root[base], .kind = SL_LITERAL_TRUE, .node = loop->by_predicate};
        loop->when_true = sl_guard_with(&l->guards, 0, goes_on);
        goes_on.kind = SL_LITERAL_FALSE;
        loop->when_false = sl_guard_with(&l->guards, 0, goes_on);
        break;
    case SL_FLOW_ENTER: {
        int child = sl_child_frame(l, n);
        if (child < 0) break;
        l->loops[child].guard = sl_guard_and(&l->guards, l->loops[child].guard, guard);
        l->port_guard[base] = SL_GUARD_ALWAYS; /* as seen from inside */
        break;
    }
    case SL_FLOW_EXIT:
        if (guard != loop->when_false || loop->when_false == SL_GUARD_ALWAYS) *fits = false;
        l->port_guard[base] = loop->guard;
        break;
    case SL_FLOW_NEXT:
        if (guard != loop->when_true || loop->when_true == SL_GUARD_ALWAYS) *fits = false;
        break;
    default: break;
    }
    return SL_OK;
}

/* Enters of one loop may live under different guards (a captured constant needs no predicate): then the loop's
 * condition must depend on those that make up the loop's guard, or a part of it would run even when the loop as a
 * whole does not. */
static bool loop_guard_fits(const struct sl_linear *l, int frame) {
    const struct sl_linear_loop *loop = &l->loops[frame];
    if (loop->guard == SL_GUARD_NEVER || loop->guard == SL_GUARD_OUT_OF_MEMORY) return false;
    for (size_t e = 0; e < loop->enters.n; e++) {
        const struct sl_node *enter = loop->enters.items[e];
        if (!is_constant_enter(enter) && l->node_guard[enter->id] != loop->guard) return false;
    }
    return true;
}

static bool phases_fit(struct sl_linear *l) {
    for (size_t i = 0; i < l->n_sequence; i++) {
        const struct sl_node *n = l->sequence[i];
        int frame = sl_frame_of(l, n);
        if (!frame) continue;
        uint32_t g = l->node_guard[n->id];
        const struct sl_linear_loop *loop = &l->loops[frame];
        if (sl_guard_implies(&l->guards, g, loop->when_true)) l->phase[n->id] = SL_PHASE_BODY;
        else if (sl_guard_implies(&l->guards, g, loop->when_false)) l->phase[n->id] = SL_PHASE_TAIL;
        if (g == SL_GUARD_NEVER) return false;
    }
    SL_GRAPH_EACH(n, l->c->graph) {
        if (!sl_frame_of(l, n) || is_flow(l, n, SL_FLOW_EXIT)) continue;
        for (uint32_t u = 0; u < n->uses.n; u++) {
            const struct sl_node *to = n->uses.items[u].node;
            if (is_flow(l, n, SL_FLOW_NEXT) || sl_frame_of(l, to) != sl_frame_of(l, n)) continue;
            if (l->phase[n->id] != SL_PHASE_CONDITION && l->phase[to->id] != l->phase[n->id]) return false;
        }
    }
    return true;
}

sl_code sl_linear_structure(bool *fits, struct sl_linear *l) {
    struct sl_compilation *c = l->c;
    size_t n = c->graph->nodes.n;
    *fits = true;
    l->loops = SL_ARENA_ARRAY(&c->scratch, struct sl_linear_loop, (size_t)c->frames.n);
    l->port_base = SL_ARENA_ARRAY(&c->scratch, uint32_t, n + 1);
    l->node_guard = SL_ARENA_ARRAY(&c->scratch, uint32_t, n);
    l->phase = SL_ARENA_ARRAY(&c->scratch, uint8_t, n);
    if (!l->loops || !l->port_base || !l->node_guard || !l->phase) return sl_fail_memory(c->err, n);
    SL_GRAPH_EACH(node, c->graph) {
        l->port_base[node->id] = l->n_ports;
        l->n_ports += (uint32_t)node->n_outputs;
    }
    l->root = SL_ARENA_ARRAY(&c->scratch, uint32_t, l->n_ports + 1);
    l->port_guard = SL_ARENA_ARRAY(&c->scratch, uint32_t, l->n_ports + 1);
    if (!l->root || !l->port_guard) return sl_fail_memory(c->err, l->n_ports);
    for (uint32_t p = 0; p < l->n_ports; p++) l->root[p] = p;
    SL_TRY(collect_loops(fits, l));
    for (int f = 1; *fits && f < c->frames.n; f++) *fits = loop_fits(l, f);
    if (!*fits || !edges_fit(l)) {
        *fits = false;
        return SL_OK;
    }
    SL_TRY(make_sequence(fits, l));
    for (size_t i = 0; *fits && i < l->n_sequence; i++) SL_TRY(visit(fits, l, l->sequence[i]));
    for (int f = 1; *fits && f < c->frames.n; f++) *fits = loop_guard_fits(l, f);
    if (*fits) *fits = phases_fit(l);
    return SL_OK;
}
