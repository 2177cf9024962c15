/* Effects of nodes and loops: whether they are heavy, and what they read or change besides their results, as the
 * rows of their ops say (ops/op_effects.h). An array or stack that a node of the graph makes counts by itself: its
 * handle is followed to that node. All other state counts as one. Called by linear_emit.c, asked by
 * linear_forks.c. */
#include "ops/op_effects.h"
#include "ops/op_signature.h"
#include "program/linear_emitter.h"

/* The state that input i is the handle of, by the port of the node that makes it; SL_NO_PORT: not known. */
static uint32_t resource_of_input(const struct sl_linear_emitter *e, const struct sl_node *n, int i) {
    return e->resource_of_port[e->l->root[sl_port_number(e->l, n->inputs[i])]];
}

/* What nodes make is numbered by the ports that give it first; an array's gradients are one with it. False: there is
 * nothing. */
static bool find_resources(struct sl_linear_emitter *e) {
    bool any = false;
    for (uint32_t p = 0; p < e->l->n_ports; p++) e->resource_of_port[p] = SL_NO_PORT;
    for (size_t i = 0; i < e->l->n_sequence; i++) {
        const struct sl_node *n = e->l->sequence[i];
        const uint32_t port = e->l->port_base[n->id];
        if (!n->n_outputs || n->out_types[0] != SL_RESOURCE || e->c->flow[n->id] != SL_FLOW_NONE) continue;
        if (sl_op_has(n->op, SL_OP_MAKES)) e->resource_of_port[port] = port;
        else if (sl_op_has(n->op, SL_OP_SHARES) && n->n_inputs) e->resource_of_port[port] = resource_of_input(e, n, 0);
        any |= e->resource_of_port[port] != SL_NO_PORT;
    }
    return any;
}

/* Whether a handle that the node reads may come out of it, or go on into a function, where it is not followed. */
static bool loses_handle(const struct sl_linear_emitter *e, const struct sl_node *n, uint32_t resource) {
    const struct sl_kernel_def *def = e->c->flow[n->id] == SL_FLOW_NONE ? e->c->kernels[n->id]->def : NULL;
    if (def && def->start) return true;
    for (int o = 0; o < n->n_outputs; o++) {
        const int type = sl_dtype_base(n->out_types[o]);
        if (type != SL_RESOURCE && type != SL_VARIANT) continue;
        if (e->resource_of_port[e->l->root[e->l->port_base[n->id] + (uint32_t)o]] != resource) return true;
    }
    return false;
}

/* State whose handle is lost from sight may be used by whoever has a handle that is not known. */
static void forget_lost_resources(struct sl_linear_emitter *e) {
    uint32_t *is_lost = e->last_use_of;
    for (size_t i = 0; i < e->l->n_sequence; i++) {
        const struct sl_node *n = e->l->sequence[i];
        for (int j = 0; j < n->n_inputs; j++) {
            if (sl_dtype_base(n->in_types[j]) != SL_RESOURCE) continue;
            const uint32_t resource = resource_of_input(e, n, j);
            if (resource != SL_NO_PORT && loses_handle(e, n, resource)) is_lost[resource] = 1;
        }
    }
    for (uint32_t p = 0; p < e->l->n_ports; p++)
        if (e->resource_of_port[p] != SL_NO_PORT && is_lost[e->resource_of_port[p]])
            e->resource_of_port[p] = SL_NO_PORT;
    for (uint32_t p = 0; p < e->l->n_ports; p++) is_lost[p] = 0;
}

/* On what input i leads to. A handle that the op only hands on may be used where it is not followed. */
static enum sl_effects effects_on_input(const struct sl_linear_emitter *e, const struct sl_node *n, int i) {
    const bool is_resource = n->in_types[i] == SL_RESOURCE;
    if (sl_needs_deref(n, i)) return SL_EFFECTS_READS;
    if (is_resource && resource_of_input(e, n, i) != SL_NO_PORT) return SL_EFFECTS_NONE;
    const enum sl_effects effects = sl_op_effects_on(n->op, sl_op_input_arg(n->op, i, &n->attrs));
    const bool hands_on = effects == SL_EFFECTS_NONE && (is_resource || sl_dtype_is_ref(n->in_types[i]));
    return hands_on ? SL_EFFECTS_CHANGES : effects;
}

static enum sl_effects effects_of(const struct sl_linear_emitter *e, const struct sl_node *n) {
    const bool moves_on = e->c->flow[n->id] != SL_FLOW_NONE;
    const struct sl_kernel_def *def = moves_on ? NULL : e->c->kernels[n->id]->def;
    const bool passes_on = moves_on || (def && def->flags & SL_KERNEL_PASS);
    enum sl_effects most = sl_op_effects_at_large(n->op);
    if (def && def->start) return SL_EFFECTS_CHANGES;
    for (int i = 0; i < n->n_inputs && most != SL_EFFECTS_CHANGES; i++) {
        if (passes_on && !sl_needs_deref(n, i)) continue;
        const enum sl_effects effects = effects_on_input(e, n, i);
        if (effects > most) most = effects;
    }
    return most;
}

static bool is_heavy_node(const struct sl_linear_emitter *e, const struct sl_node *n) {
    return e->c->flow[n->id] == SL_FLOW_NONE && sl_kernel_is_heavy(e->c->kernels[n->id]);
}

static bool uses_resource(const struct sl_linear_emitter *e, const struct sl_node *n, int i) {
    return n->in_types[i] == SL_RESOURCE && e->c->flow[n->id] == SL_FLOW_NONE &&
           resource_of_input(e, n, i) != SL_NO_PORT;
}

/* What every loop has from the nodes in it, and in the loops within. */
static void look_into_loops(struct sl_linear_emitter *e) {
    SL_GRAPH_EACH(n, e->c->graph) {
        const int frame = sl_frame_of(e->l, n);
        if (frame <= 0) continue;
        const bool is_heavy = is_heavy_node(e, n);
        const enum sl_effects effects = effects_of(e, n);
        for (int f = frame; f > 0; f = e->c->frames.frames[f].parent) {
            e->loop_is_heavy[f] |= is_heavy;
            if (effects > e->loop_effects[f]) e->loop_effects[f] = (uint8_t)effects;
            for (int i = 0; i < n->n_inputs; i++) {
                if (!uses_resource(e, n, i)) continue;
                struct sl_slot_chain resource = {resource_of_input(e, n, i), e->loop_resources[f]};
                SL_EMIT_PUSH(e, &e->chains, resource);
                if (!e->failed) e->loop_resources[f] = (uint32_t)e->chains.n - 1;
            }
        }
    }
}

void sl_effects_find(struct sl_linear_emitter *e) {
    const size_t n = (size_t)e->l->n_ports + 1, levels = (size_t)e->c->frames.n;
    e->resource_of_port = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, n);
    e->last_use_of = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, n);
    e->loop_resources = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, levels);
    e->loop_is_heavy = SL_ARENA_ARRAY(&e->c->scratch, bool, levels);
    e->loop_effects = SL_ARENA_ARRAY(&e->c->scratch, uint8_t, levels);
    if (!e->resource_of_port || !e->last_use_of || !e->loop_resources || !e->loop_is_heavy || !e->loop_effects) {
        e->failed = true;
        return;
    }
    for (size_t f = 0; f < levels; f++) e->loop_resources[f] = SL_NO_SLOT;
    if (find_resources(e)) forget_lost_resources(e);
    if (levels > 1) look_into_loops(e);
}

bool sl_unit_is_heavy(const struct sl_linear_emitter *e, const struct sl_unit *u) {
    return u->node ? is_heavy_node(e, u->node) : e->loop_is_heavy[u->loop];
}

enum sl_effects sl_unit_effects(const struct sl_linear_emitter *e, const struct sl_unit *u) {
    return u->node ? effects_of(e, u->node) : (enum sl_effects)e->loop_effects[u->loop];
}

void sl_unit_resources(const struct sl_linear_emitter *e, uint32_t unit, const struct sl_unit *u,
                       void (*fn)(void *arg, uint32_t unit, uint32_t resource), void *arg) {
    for (int i = 0; u->node && i < u->node->n_inputs; i++)
        if (uses_resource(e, u->node, i)) fn(arg, unit, resource_of_input(e, u->node, i));
    for (uint32_t c = u->node ? SL_NO_SLOT : e->loop_resources[u->loop]; c != SL_NO_SLOT; c = e->chains.items[c].next)
        fn(arg, unit, e->chains.items[c].slot);
}
