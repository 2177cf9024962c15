/* Guards of all forward nodes, found in one pass with producers first: Switch adds a literal, a Merge of both sides
 * takes it away, everything else has the guards of its inputs together. The nodes that carry loop variables start anew:
 * a guard says when a value lives within an iteration. */
#include "grad/graph/guards.h"

#include "base/alloc.h"
#include "grad/graph/loop_gradient.h"

struct sl_guard_tree {
    struct sl_guard root;            /* only its children */
    const struct sl_guard **of_node; /* by id */
    const struct sl_guard **of_loop; /* by frame: of what enters it */
    struct sl_guard unknown;         /* is none */
};

static int depth_of(const struct sl_guard *a) { return a ? a->depth : 0; }

static const struct sl_guard *extend(struct sl_walk *w, const struct sl_guard *outer, struct sl_port predicate,
                                     bool side) {
    struct sl_guard *parent = outer ? (struct sl_guard *)outer : &w->guards->root;
    for (struct sl_guard *c = parent->children; c; c = c->next)
        if (c->predicate.node == predicate.node && c->predicate.index == predicate.index && c->side == side) return c;
    struct sl_guard *made = SL_ARENA_NEW(&w->arena, struct sl_guard);
    if (!made) return &w->guards->unknown;
    *made = (struct sl_guard){
        .outer = outer, .predicate = predicate, .side = side, .depth = depth_of(outer) + 1, .next = parent->children};
    parent->children = made;
    return made;
}

static bool contains(const struct sl_guard *a, const struct sl_guard *literal) {
    for (; a; a = a->outer)
        if (a == literal || (a->side == literal->side && a->predicate.node == literal->predicate.node &&
                             a->predicate.index == literal->predicate.index))
            return true;
    return false;
}

static bool is_within(const struct sl_guard *outer, const struct sl_guard *inner) {
    while (depth_of(inner) > depth_of(outer)) inner = inner->outer;
    return inner == outer;
}

enum { MOST_LITERALS = 256 /* of a guard */, MOST_COPIES = 64 };

/* Both hold: the literals of b that a lacks, in their order, behind those of a. */
static const struct sl_guard *both(struct sl_walk *w, const struct sl_guard *a, const struct sl_guard *b) {
    const struct sl_guard *more[MOST_LITERALS];
    int n = 0;
    if (a == &w->guards->unknown || b == &w->guards->unknown || depth_of(a) + depth_of(b) > MOST_LITERALS)
        return &w->guards->unknown;
    if (is_within(b, a)) return a;
    if (is_within(a, b)) return b;
    for (; b; b = b->outer)
        if (!contains(a, b)) more[n++] = b;
    while (n-- > 0) a = extend(w, a, more[n]->predicate, more[n]->side);
    return a;
}

/* What two guards have in common, and the literal in which they part. */
static const struct sl_guard *common(const struct sl_guard **a, const struct sl_guard **b) {
    const struct sl_guard *p = *a, *q = *b;
    while (depth_of(p) > depth_of(q) + 1) p = p->outer;
    while (depth_of(q) > depth_of(p) + 1) q = q->outer;
    if (depth_of(p) > depth_of(q)) p = p->outer;
    if (depth_of(q) > depth_of(p)) q = q->outer;
    while (p && q && p->outer != q->outer) p = p->outer, q = q->outer;
    *a = p;
    *b = q;
    return p ? p->outer : NULL;
}

static bool are_opposite(const struct sl_guard *a, const struct sl_guard *b) {
    return a && b && a->side != b->side && a->predicate.node == b->predicate.node &&
           a->predicate.index == b->predicate.index;
}

/* A conditional's branches may be chosen by copies of one predicate: they are the same. */
static struct sl_port behind_copies(struct sl_port port) {
    for (int i = 0; i < MOST_COPIES && sl_node_is(port.node, "Identity") && !port.node->n_controls; i++) {
        if (!port.node->inputs[0].node) break;
        port = port.node->inputs[0];
    }
    return port;
}

static const struct sl_guard *port_guard(struct sl_walk *w, struct sl_port port) {
    if (port.node->id >= w->n_forward) return NULL; /* what a node was extended by lives always */
    const struct sl_guard *of = w->guards->of_node[port.node->id];
    enum sl_flow_kind kind = sl_flow_kind_of(port.node->op);
    if (kind != SL_FLOW_SWITCH || of == &w->guards->unknown || sl_loop_is_control(w, port.node)) return of;
    if (depth_of(of) >= MOST_LITERALS) return &w->guards->unknown;
    return extend(w, of, behind_copies(port.node->inputs[1]), port.index == 1);
}

static const struct sl_guard *merge_guard(struct sl_walk *w, const struct sl_node *node) {
    const struct sl_guard *unknown = &w->guards->unknown;
    if (node->n_inputs != 2) return unknown;
    const struct sl_guard *a = port_guard(w, node->inputs[0]), *b = port_guard(w, node->inputs[1]);
    if (a == unknown || b == unknown) return unknown;
    const struct sl_guard *first = a, *second = b, *shared = common(&first, &second);
    return are_opposite(first, second) && first == a && second == b ? shared : unknown;
}

static const struct sl_guard *node_guard(struct sl_walk *w, const struct sl_node *node) {
    enum sl_flow_kind kind = sl_flow_kind_of(node->op);
    const struct sl_guard *of = NULL;
    for (int i = 0; i < node->n_inputs; i++)
        if (!node->inputs[i].node) return &w->guards->unknown;
    if (w->has_loops && kind == SL_FLOW_ENTER) {
        int frame = sl_loop_entered(w, node);
        if (frame > 0) w->guards->of_loop[frame] = both(w, w->guards->of_loop[frame], port_guard(w, node->inputs[0]));
        return NULL;
    }
    if (w->has_loops && kind == SL_FLOW_EXIT) {
        int frame = w->frames.of_node[node->id];
        return frame > 0 ? w->guards->of_loop[frame] : NULL;
    }
    if (w->has_loops && sl_loop_is_control(w, node)) return NULL;
    if (kind == SL_FLOW_MERGE) return merge_guard(w, node);
    for (int i = 0; i < node->n_inputs; i++) of = both(w, of, port_guard(w, node->inputs[i]));
    for (int i = 0; i < node->n_controls; i++) of = both(w, of, w->guards->of_node[node->controls[i]->id]);
    return of;
}

static sl_code find_guards(struct sl_walk *w) {
    struct sl_node **order;
    size_t n;
    w->guards = SL_ARENA_NEW(&w->arena, struct sl_guard_tree);
    if (!w->guards) return sl_fail_memory(w->err, sizeof *w->guards);
    w->guards->of_node = SL_ARENA_ARRAY(&w->arena, const struct sl_guard *, w->n_forward + 1);
    w->guards->of_loop = SL_ARENA_ARRAY(&w->arena, const struct sl_guard *, (size_t)w->frames.n + 1);
    if (!w->guards->of_node || !w->guards->of_loop) return sl_fail_memory(w->err, w->n_forward * sizeof(void *));
    SL_TRY(sl_graph_order(&order, &n, w->graph, &w->arena, w->err));
    for (size_t i = 0; i < n; i++)
        if (order[i]->id < w->n_forward) w->guards->of_node[order[i]->id] = node_guard(w, order[i]);
    return SL_OK;
}

/* Of what the walk added to the forward graph: an Exit lives when its loop does, anything else when its inputs do. */
static const struct sl_guard *added_guard(struct sl_walk *w, const struct sl_node *node) {
    const struct sl_guard *of = NULL;
    if (sl_flow_kind_of(node->op) == SL_FLOW_EXIT) {
        const struct sl_node *turn = node->inputs[0].node;
        const struct sl_grad_scope *scope = turn->mark;
        int frame = sl_walk_is_forward(w, turn) ? w->frames.of_node[turn->id] : scope->frame;
        return frame > 0 ? w->guards->of_loop[frame] : NULL;
    }
    for (int i = 0; i < node->n_inputs; i++)
        if (sl_walk_is_forward(w, node->inputs[i].node)) of = both(w, of, port_guard(w, node->inputs[i]));
    return of;
}

sl_code sl_guard_of(const struct sl_guard **out, bool *is_known, struct sl_walk *w, struct sl_port port) {
    if (!w->guards) SL_TRY(find_guards(w));
    *out = sl_walk_is_forward(w, port.node) ? port_guard(w, port) : added_guard(w, port.node);
    *is_known = *out != &w->guards->unknown;
    return SL_OK;
}

sl_code sl_guard_of_merge(struct sl_port *predicate, bool *first_side, struct sl_walk *w, const struct sl_node *merge) {
    *predicate = (struct sl_port){NULL, 0};
    if (!w->guards) SL_TRY(find_guards(w));
    const struct sl_guard *a = port_guard(w, merge->inputs[0]), *b = port_guard(w, merge->inputs[1]);
    if (a == &w->guards->unknown || b == &w->guards->unknown) return SL_OK;
    common(&a, &b);
    if (!are_opposite(a, b)) return SL_OK;
    *predicate = a->predicate;
    *first_side = a->side;
    return SL_OK;
}
