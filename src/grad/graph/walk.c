/* The backprop walk. Nodes between xs and ys are visited in reverse order: a node's turn comes when all its readers
 * have had theirs, so that the gradients of its outputs are complete. A loop is one unit of its region, visited as a
 * whole (loop_gradient.c).
 *
 *   region of a frame:  its nodes, and each frame within it as one unit (its Enters, nodes and Exits)
 *   pending[unit]:      edges from the unit to units of the region that are still to be visited
 *   number of a unit:   of a node its id, of a frame the number of nodes of the graph + its own */
#include "grad/graph/walk.h"

#include "base/alloc.h"
#include "grad/graph/loop_gradient.h"

static bool *new_marks(struct sl_walk *w) { return sl_arena_zalloc(&w->arena, w->n_forward + 1); }

/* ---- what lies between */
struct stack {
    struct sl_node **items;
    size_t n;
};

static void push_new(struct stack *s, bool *marks, struct sl_node *node) {
    if (marks[node->id]) return;
    marks[node->id] = true;
    s->items[s->n++] = node;
}

/* What leads out of an iteration of the frame that the ys are in. */
static bool leaves_home(const struct sl_walk *w, const struct sl_node *node) {
    if (!w->home || w->frames.of_node[node->id] != w->home) return false;
    enum sl_flow_kind kind = sl_flow_kind_of(node->op);
    return kind == SL_FLOW_NEXT || kind == SL_FLOW_EXIT || kind == SL_FLOW_COND;
}

static void reach_forward(struct sl_walk *w, bool *marks, struct stack *s) {
    for (int i = 0; i < w->spec->n_xs; i++)
        if (sl_is_trainable(w->spec->xs[i].node->out_types[w->spec->xs[i].index]))
            push_new(s, marks, w->spec->xs[i].node);
    while (s->n) {
        struct sl_node *node = s->items[--s->n];
        for (uint32_t u = 0; u < node->uses.n && !leaves_home(w, node); u++) {
            struct sl_use use = node->uses.items[u];
            if (use.slot >= 0 && sl_is_trainable(node->out_types[use.index])) push_new(s, marks, use.node);
        }
    }
}

static void reach_backward(struct sl_walk *w, bool *marks, struct stack *s) {
    for (int i = 0; i < w->spec->n_ys; i++) push_new(s, marks, w->spec->ys[i].node);
    while (s->n) {
        struct sl_node *node = s->items[--s->n];
        if (node->n_outputs == 1 && sl_walk_is_stop(w, (struct sl_port){node, 0})) continue;
        for (int i = 0; i < node->n_inputs; i++)
            if (node->inputs[i].node) push_new(s, marks, node->inputs[i].node);
    }
}

static sl_code find_frames(struct sl_walk *w) {
    if (w->frames.n) return SL_OK;
    SL_TRY(sl_graph_frames(&w->frames, w->graph, &w->arena, w->err));
    for (int i = 1; i < w->frames.n; i++)
        if (sl_str_map_put(&w->frames_by_name, w->frames.frames[i].name, (void *)((uintptr_t)i + 1)))
            return sl_fail_memory(w->err, sizeof(struct sl_str_map_entry));
    return SL_OK;
}

/* The frame in which an output is seen. */
static int frame_of(const struct sl_walk *w, struct sl_port port) {
    int frame = w->frames.of_node[port.node->id];
    enum sl_flow_kind kind = sl_flow_kind_of(port.node->op);
    if (kind == SL_FLOW_ENTER) frame = sl_loop_entered(w, port.node);
    if (kind == SL_FLOW_EXIT && frame > 0) frame = w->frames.frames[frame].parent;
    return frame < 0 ? 0 : frame;
}

/* Values of a loop's body are known when they are asked for there: what is added runs in each iteration in which the
 * first y does. */
static sl_code find_home(struct sl_walk *w) {
    bool has_enters = false;
    for (uint32_t id = 0; id < w->n_forward && !has_enters; id++)
        has_enters = w->reached[id] && sl_flow_kind_of(w->graph->nodes.items[id]->op) == SL_FLOW_ENTER;
    if (!has_enters || w->spec->is_within_rule || w->spec->n_ys == 0) return SL_OK;
    SL_TRY(find_frames(w));
    w->home = frame_of(w, w->spec->ys[0]);
    if (!w->home) return SL_OK;
    w->has_loops = true;
    w->root.frame = w->forward.frame = w->home;
    w->root.emitter.anchor = w->forward.emitter.anchor = w->spec->ys[0].node;
    return SL_OK;
}

/* An x is between when an x leads to it: what it is made of is nobody's business, what is made of it is. */
static sl_code find_between(struct sl_walk *w) {
    struct stack s = {.items = SL_ARENA_ARRAY(&w->arena, struct sl_node *, w->n_forward + 1)};
    bool *up = new_marks(w), *down = new_marks(w);
    w->reached = down;
    w->between = new_marks(w);
    w->is_x = new_marks(w);
    if (!s.items || !up || !down || !w->between || !w->is_x) return sl_fail_memory(w->err, w->n_forward);
    reach_backward(w, down, &s);
    SL_TRY(find_home(w));
    reach_forward(w, up, &s);
    for (uint32_t id = 0; id < w->n_forward; id++) w->between[id] = up[id] && down[id];
    for (int i = 0; i < w->spec->n_xs; i++) w->is_x[w->spec->xs[i].node->id] = true;
    SL_GRAPH_EACH(node, w->graph)
    if (w->between[node->id] && sl_flow_kind_of(node->op) == SL_FLOW_ENTER) w->has_loops = true;
    return w->has_loops ? find_frames(w) : SL_OK;
}

/* Of another iteration, or of all of them, there is no gradient that could be given. */
static sl_code check_end(const struct sl_walk *w, struct sl_port port) {
    int frame = frame_of(w, port);
    if (frame == w->home) return SL_OK;
    if (!w->home)
        return sl_fail(w->err, SL_INVALID_ARGUMENT,
                       "'%.*s' is computed in loop '%.*s': gradients are of loops as a whole",
                       SL_STR_ARG(port.node->name), SL_STR_ARG(w->frames.frames[frame].name));
    return sl_fail(
        w->err, SL_INVALID_ARGUMENT,
        "'%.*s' is not computed in loop '%.*s', where the gradient is asked for: ask by what enters the loop",
        SL_STR_ARG(port.node->name), SL_STR_ARG(w->frames.frames[w->home].name));
}

static sl_code check_ends(const struct sl_walk *w) {
    for (int i = 0; i < w->spec->n_xs && w->frames.n; i++) SL_TRY(check_end(w, w->spec->xs[i]));
    for (int i = 0; i < w->spec->n_ys && w->frames.n; i++) SL_TRY(check_end(w, w->spec->ys[i]));
    return SL_OK;
}

sl_code sl_walk_init(struct sl_walk *w, struct sl_graph *graph, struct sl_graph *target,
                     const struct sl_gradient_spec *spec, struct sl_error *err) {
    *w = (struct sl_walk){
        .graph = graph, .target = target, .spec = spec, .n_forward = (uint32_t)graph->nodes.n, .err = err};
    sl_arena_init(&w->arena);
    sl_grad_scope_init(&w->root, w, target, spec->scope);
    sl_grad_scope_init(&w->forward, w, graph, spec->scope);
    w->forward.is_forward = true;
    w->function = spec->function;
    w->spent = spec->within ? spec->within->spent : &w->own_spent;
    SL_TRY(sl_node_rules_index(&w->rules, &w->arena, err));
    SL_TRY(find_between(w));
    SL_TRY(check_ends(w));
    w->sums = SL_ARENA_ARRAY(&w->arena, struct sl_gradient_sum *, w->n_forward + 1);
    w->pending = SL_ARENA_ARRAY(&w->arena, int, w->n_forward + (size_t)w->frames.n + 1);
    w->loops = SL_ARENA_ARRAY(&w->arena, struct sl_forward_loop *, (size_t)w->frames.n + 1);
    return w->sums && w->pending && w->loops ? SL_OK : sl_fail_memory(err, w->n_forward * sizeof(int));
}

void sl_walk_clear(struct sl_walk *w) {
    sl_str_map_free(&w->frames_by_name);
    sl_str_map_free(&w->brought);
    sl_arena_clear(&w->arena);
}

/* ---- sums */
bool sl_walk_is_stop(const struct sl_walk *w, struct sl_port port) {
    for (int i = 0; i < w->spec->n_stops; i++)
        if (w->spec->stops[i].node == port.node && w->spec->stops[i].index == port.index) return true;
    return false;
}

sl_code sl_walk_give(struct sl_walk *w, struct sl_port port, struct sl_term_gradient gradient) {
    if (!sl_term_is(gradient.values)) return SL_OK;
    struct sl_gradient_sum **of = &w->sums[port.node->id];
    if (!*of) *of = SL_ARENA_ARRAY(&w->arena, struct sl_gradient_sum, (size_t)port.node->n_outputs);
    if (!*of) return sl_fail_memory(w->err, sizeof **of);
    return sl_sum_add(&(*of)[port.index], &w->arena, &gradient, w->err);
}

sl_code sl_walk_sum(struct sl_term_gradient *out, struct sl_walk *w, struct sl_grad_scope *scope, struct sl_port port) {
    *out = (struct sl_term_gradient){0};
    if (!w->sums[port.node->id]) return SL_OK;
    struct sl_node_rule g = sl_words_in(scope);
    *out = sl_sum_total(&w->sums[port.node->id][port.index], &g.base, w->spec->sums_in_pairs);
    return g.base.code;
}

/* ---- one node */
static sl_code fail_missing(struct sl_walk *w, const struct sl_node *node, struct sl_str name) {
    return sl_fail(w->err, SL_NOT_FOUND,
                   "No gradient defined for op: %.*s. No gradient is registered for operation '%.*s' (op type: %.*s); "
                   "register one (sl_register_gradient) or take what it gives as a constant (stop_gradients)",
                   SL_STR_ARG(name), SL_STR_ARG(node->name), SL_STR_ARG(node->op->name));
}

static sl_code bring_ports(struct sl_port *out, struct sl_walk *w, struct sl_grad_scope *scope,
                           const struct sl_term *terms, int n) {
    for (int i = 0; i < n; i++) {
        struct sl_term here;
        SL_TRY(sl_walk_bring(&here, w, scope, terms[i]));
        out[i] = sl_port_of(here);
    }
    return SL_OK;
}

/* New nodes are of the scope, and run with it even when they have no input. */
static sl_code adopt_nodes(struct sl_walk *w, struct sl_grad_scope *scope, size_t first) {
    for (size_t id = first; id < w->target->nodes.n; id++) {
        struct sl_node *node = w->target->nodes.items[id];
        node->mark = scope;
        if (scope->emitter.anchor && node->n_inputs + node->n_controls == 0)
            SL_TRY(sl_graph_add_control(w->target, scope->emitter.anchor, node, w->err));
    }
    return SL_OK;
}

static sl_code run_callers_rule(struct sl_walk *w, struct sl_node *node, const struct sl_gradient_rule *rule,
                                struct sl_rule *g) {
    struct sl_grad_scope *scope = sl_node_rule(g)->scope;
    struct sl_port *ports = SL_ARENA_ARRAY(&w->arena, struct sl_port, 2 * ((size_t)g->n_y + (size_t)g->n_x) + 1);
    if (!ports) return sl_fail_memory(w->err, sizeof *ports);
    struct sl_port *xs = ports, *ys = xs + g->n_x, *dys = ys + g->n_y, *dxs = dys + g->n_y;
    SL_TRY(bring_ports(xs, w, scope, g->x, g->n_x));
    SL_TRY(bring_ports(ys, w, scope, g->y, g->n_y));
    for (int i = 0; i < g->n_y; i++) {
        struct sl_term dense = SL_NO_TERM;
        if (sl_term_is(g->dy[i].values)) SL_TRY(sl_walk_dense(&dense, w, scope, &g->dy[i]));
        if (sl_term_is(dense)) SL_TRY(sl_walk_bring(&dense, w, scope, dense));
        dys[i] = sl_port_of(dense);
    }
    size_t first = w->target->nodes.n;
    const struct sl_gradient_call call = {w->target, node, xs, ys, dys, dxs};
    SL_TRY(rule->run(rule->arg, w->spec->owner, &call, w->err));
    SL_TRY(adopt_nodes(w, scope, first));
    for (int i = 0; i < g->n_x; i++) {
        if (dxs[i].node && (dxs[i].node->graph != w->target || dxs[i].node->is_removed || dxs[i].index < 0 ||
                            dxs[i].index >= dxs[i].node->n_outputs))
            return sl_fail(w->err, SL_INVALID_ARGUMENT,
                           "The gradient rule of '%.*s' (op type: %.*s) gave an output that is not of the graph",
                           SL_STR_ARG(node->name), SL_STR_ARG(node->op->name));
        g->dx[i].values = sl_term_of(dxs[i]);
    }
    return SL_OK;
}

static sl_code fill_rule(struct sl_node_rule *out, struct sl_walk *w, struct sl_grad_scope *scope,
                         struct sl_node *node) {
    size_t n_x = (size_t)node->n_inputs, n_y = (size_t)node->n_outputs;
    struct sl_term *terms = SL_ARENA_ARRAY(&w->arena, struct sl_term, n_x + n_y + 1);
    struct sl_term_gradient *gradients = SL_ARENA_ARRAY(&w->arena, struct sl_term_gradient, n_x + n_y + 1);
    bool *wanted = SL_ARENA_ARRAY(&w->arena, bool, n_x + 1);
    if (!terms || !gradients || !wanted) return sl_fail_memory(w->err, (n_x + n_y) * sizeof *gradients);
    for (size_t i = 0; i < n_x; i++) {
        terms[i] = sl_term_of(node->inputs[i]);
        wanted[i] = sl_walk_wants(w, node->inputs[i]);
    }
    for (size_t i = 0; i < n_y; i++) terms[n_x + i] = (struct sl_term){node, (int)i};
    *out = sl_words_in(scope);
    out->node = node;
    struct sl_rule *g = &out->base;
    g->op = node->op;
    g->attrs = &node->attrs;
    g->n_x = node->n_inputs;
    g->n_y = node->n_outputs;
    g->x = terms;
    g->y = terms + n_x;
    g->dx = gradients;
    g->dy = gradients + n_x;
    g->wanted = wanted;
    return SL_OK;
}

static sl_code apply_rule(struct sl_walk *w, struct sl_node *node, struct sl_rule *g) {
    struct sl_str name = node->op->name;
    sl_rule_function *rule = NULL;
    sl_attr_string(&name, &node->attrs, "_gradient_op_type", NULL);
    const struct sl_gradient_rule *callers = w->spec->find_rule ? w->spec->find_rule(name) : NULL;
    if (callers) return run_callers_rule(w, node, callers, g);
    enum sl_differentiable kind = sl_rule_find(&rule, w, name);
    if (kind == SL_GRADIENT_MISSING) return fail_missing(w, node, name);
    if (!rule) return SL_OK;
    rule(g);
    return g->code;
}

/* The scope of what a node's rule adds: below the scope of all, by the names that the caller wants. */
static sl_code choose_scope(struct sl_str *out, struct sl_walk *w, const struct sl_node *node) {
    const struct sl_str all = w->spec->scope, name = node->name;
    size_t n = name.n;
    *out = all;
    if (w->spec->names == SL_GRADIENTS_FLAT || w->graph != w->target) return SL_OK;
    if (w->spec->names == SL_GRADIENTS_BY_SCOPE) {
        while (n && name.p[n - 1] != '/') n--;
        if (!n--) return SL_OK;
    }
    const char *end = w->spec->names == SL_GRADIENTS_BY_NODE ? "_grad" : "";
    char *text = sl_arena_format(&w->arena, "%.*s/%.*s%s", SL_STR_ARG(all), (int)n, name.p, end);
    if (!text) return sl_fail_memory(w->err, all.n + n);
    *out = sl_str_of(text);
    return SL_OK;
}

static sl_code run_rule(struct sl_walk *w, struct sl_grad_scope *scope, struct sl_node *node, struct sl_rule *g) {
    const struct sl_str around = scope->emitter.scope;
    if (around.p == w->spec->scope.p) SL_TRY(choose_scope(&scope->emitter.scope, w, node));
    const sl_code code = apply_rule(w, node, g);
    scope->emitter.scope = around;
    return code;
}

static sl_code visit_node(struct sl_walk *w, struct sl_grad_scope *scope, struct sl_node *node) {
    struct sl_node_rule rule;
    struct sl_rule *g = &rule.base;
    bool has_dy = false, is_wanted = false;
    for (int i = 0; i < node->n_inputs; i++) is_wanted |= sl_walk_wants(w, node->inputs[i]);
    if (!is_wanted || !w->sums[node->id]) return SL_OK;
    SL_TRY(fill_rule(&rule, w, scope, node));
    scope->emitter.colocated = w->spec->colocates && w->graph == w->target ? node : NULL;
    for (int i = 0; i < node->n_outputs; i++) {
        if (sl_walk_is_stop(w, (struct sl_port){node, i})) continue;
        SL_TRY(sl_walk_sum(&g->dy[i], w, scope, (struct sl_port){node, i}));
        has_dy |= sl_term_is(g->dy[i].values);
    }
    sl_code code = has_dy ? run_rule(w, scope, node, g) : SL_OK;
    for (int i = 0; i < g->n_x && has_dy && code == SL_OK; i++) { /* it may have more inputs by now */
        if (!g->wanted[i]) continue;
        code = sl_rule_check_gradient(g, i);
        if (code == SL_OK) code = sl_walk_give(w, node->inputs[i], g->dx[i]);
    }
    scope->emitter.colocated = NULL;
    return code;
}

/* ---- regions */
/* The unit that an input's producer belongs to as seen from the region of `frame`; -1: none of it. */
static int64_t unit_of(const struct sl_walk *w, const struct sl_node *node, int frame) {
    if (!w->between[node->id]) return -1;
    if (!w->has_loops) return node->id;
    int home = w->frames.of_node[node->id];
    if (home < 0) return -1;
    enum sl_flow_kind kind = sl_flow_kind_of(node->op);
    if (kind == SL_FLOW_ENTER) { /* part of what it enters */
        home = sl_loop_entered(w, node);
    } else if (home == frame) {
        return frame && sl_loop_is_control(w, node) ? -1 : (int64_t)node->id;
    }
    while (home > 0 && w->frames.frames[home].parent != frame) home = w->frames.frames[home].parent;
    return home > 0 ? (int64_t)w->n_forward + home : -1;
}

struct region {
    struct sl_walk *w;
    int frame;
    int64_t *units;         /* of each node */
    struct sl_node **nodes; /* sorted by unit: those of unit u from first[u] on */
    uint32_t *first;
    size_t n_units;
};

/* Calls `visit` for each edge of a unit's nodes that comes from another unit of the region. */
static void each_edge(struct region *r, int64_t unit, void (*visit)(struct region *r, int64_t producer, void *arg),
                      void *arg) {
    for (uint32_t k = r->first[unit]; k < r->first[unit + 1]; k++) {
        const struct sl_node *node = r->nodes[k];
        for (int i = 0; i < node->n_inputs; i++) {
            if (!node->inputs[i].node || node->inputs[i].node->id >= r->w->n_forward) continue; /* it was extended */
            int64_t producer = r->units[node->inputs[i].node->id];
            if (producer >= 0 && producer != unit) visit(r, producer, arg);
        }
    }
}

static void count_edge(struct region *r, int64_t producer, void *arg) {
    (void)arg;
    r->w->pending[producer]++;
}

struct ready {
    int64_t *items;
    size_t n;
};

static void settle_edge(struct region *r, int64_t producer, void *arg) {
    struct ready *ready = arg;
    if (--r->w->pending[producer] == 0) ready->items[ready->n++] = producer;
}

static sl_code sort_units(struct region *r) {
    struct sl_walk *w = r->w;
    r->n_units = w->n_forward + (size_t)w->frames.n;
    r->units = sl_calloc(w->n_forward + 1, sizeof *r->units);
    r->nodes = sl_calloc(w->n_forward + 1, sizeof(struct sl_node *));
    r->first = sl_calloc(r->n_units + 2, sizeof *r->first);
    if (!r->units || !r->nodes || !r->first) return sl_fail_memory(w->err, r->n_units * sizeof *r->units);
    for (uint32_t id = 0; id < w->n_forward; id++) {
        const struct sl_node *node = w->graph->nodes.items[id];
        r->units[id] = node->is_removed ? -1 : unit_of(w, node, r->frame);
        if (r->units[id] >= 0) r->first[r->units[id] + 2]++;
    }
    for (size_t u = 0; u < r->n_units; u++) r->first[u + 1] += r->first[u];
    for (uint32_t id = 0; id < w->n_forward; id++)
        if (r->units[id] >= 0) r->nodes[r->first[r->units[id] + 1]++] = w->graph->nodes.items[id];
    return SL_OK;
}

static sl_code run_region(struct region *r, struct ready *ready, struct sl_grad_scope *scope) {
    struct sl_walk *w = r->w;
    for (size_t u = 0; u < r->n_units; u++) each_edge(r, (int64_t)u, count_edge, NULL);
    for (size_t u = 0; u < r->n_units; u++)
        if (r->first[u] < r->first[u + 1] && w->pending[u] == 0) ready->items[ready->n++] = (int64_t)u;
    for (size_t at = 0; at < ready->n; at++) { /* a queue: what was ready first is visited first */
        int64_t unit = ready->items[at];
        if (unit < w->n_forward) SL_TRY(visit_node(w, scope, w->graph->nodes.items[unit]));
        else SL_TRY(sl_loop_gradient(w, scope, (int)(unit - w->n_forward)));
        each_edge(r, unit, settle_edge, ready);
    }
    return SL_OK;
}

/* The arrays are freed at once: a graph may have many loops. */
sl_code sl_walk_region(struct sl_walk *w, struct sl_grad_scope *scope, int frame) {
    struct region r = {.w = w, .frame = frame};
    struct ready ready = {.items = sl_calloc(w->n_forward + (size_t)w->frames.n + 1, sizeof *ready.items)};
    sl_code code = ready.items ? sort_units(&r) : sl_fail_memory(w->err, w->n_forward * sizeof *ready.items);
    if (code == SL_OK) code = run_region(&r, &ready, scope);
    sl_free(r.units);
    sl_free(r.nodes);
    sl_free(r.first);
    sl_free(ready.items);
    return code;
}
