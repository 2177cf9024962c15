/* The gradient of a loop is a loop that runs as often, backwards. Each variable's gradient is a variable of it; the
 * gradients of what is constant in the loop are summed up in further variables.
 *
 *   forward        Enter ─► Merge ─► Switch ─► body ─► NextIteration          and, added to it:
 *                             ▲         └► Exit              │                 a counter of iterations,
 *                             └──────────────────────────────┘                 a list of each value that
 *                                                                              the gradient uses
 *
 *   gradient       the counter downwards,
 *                  Enter(dy of Exit) ─► Merge ─► Switch ─► gradient of the body ─► NextIteration;
 *                  values come back from the end of their lists
 *
 * A list is a loop variable like any other, so the gradient of a gradient needs nothing of its own: what was pushed
 * is popped and the other way round. A value of a conditional is pushed, and popped, under the same guard. */
#include "grad/graph/loop_gradient.h"

#include "base/alloc.h"
#include "grad/graph/derive.h"
#include "grad/graph/guards.h"

enum { MOST_DEPTH = 64 }; /* of loops in loops */

struct variable {
    struct sl_node *enter, *merge, *turn /* the Switch */, *next, *exit;
    struct sl_node *gradient_merge, *gradient_turn;
    bool is_fixed; /* every iteration hands it on as it is */
};

/* A loop of the forward graph. */
struct sl_forward_loop {
    int frame;
    struct sl_str name;
    int parallel_iterations;
    struct sl_node *condition;
    struct variable *variables;
    int n_variables;
    struct sl_node **constants; /* Enters */
    int n_constants;
    struct sl_grad_scope forward;  /* the frame itself, for what is added to it */
    struct sl_node *entry;         /* in the outer frame: lives when the loop does */
    struct sl_node *body;          /* in the frame: lives in each iteration */
    struct sl_port trips;          /* in the outer frame: number of iterations; node NULL: not yet there */
    struct sl_grad_scope gradient; /* the gradient's frame */
    struct sl_node *gradient_condition;
};

/* ---- structure */
int sl_loop_entered(const struct sl_walk *w, const struct sl_node *enter) {
    struct sl_str name;
    if (sl_attr_string(&name, &enter->attrs, "frame_name", NULL) != SL_OK) return -1;
    void *known = sl_str_map_get(&w->frames_by_name, name);
    return known ? (int)((uintptr_t)known - 1) : -1;
}

static bool is_kind(const struct sl_node *node, enum sl_flow_kind kind) {
    return node && sl_flow_kind_of(node->op) == kind;
}

bool sl_loop_is_control(const struct sl_walk *w, const struct sl_node *node) {
    if (!w->has_loops) return false;
    switch (sl_flow_kind_of(node->op)) {
    case SL_FLOW_MERGE:
        for (int i = 0; i < node->n_inputs; i++)
            if (is_kind(node->inputs[i].node, SL_FLOW_ENTER) || is_kind(node->inputs[i].node, SL_FLOW_NEXT))
                return true;
        return false;
    case SL_FLOW_SWITCH: return is_kind(node->inputs[1].node, SL_FLOW_COND);
    case SL_FLOW_NEXT:
    case SL_FLOW_COND:
    case SL_FLOW_EXIT: return true;
    default: return false;
    }
}

static sl_code fail_structure(const struct sl_walk *w, int frame, const struct sl_node *node) {
    return sl_fail(w->err, SL_UNIMPLEMENTED, "The gradient of loop '%.*s': node '%.*s' does not fit a while loop",
                   SL_STR_ARG(w->frames.frames[frame].name), SL_STR_ARG(node->name));
}

static bool is_handed_on(const struct variable *v) {
    struct sl_port from = v->next->inputs[0];
    for (int i = 0; i < MOST_DEPTH && sl_node_is(from.node, "Identity") && from.node->inputs[0].node; i++)
        from = from.node->inputs[0];
    return v->turn && from.node == v->turn && from.index == 1;
}

static sl_code find_variable(struct variable *v, const struct sl_walk *w, int frame, struct sl_node *merge) {
    v->merge = merge;
    if (merge->n_inputs != 2 || !merge->inputs[0].node || !merge->inputs[1].node)
        return fail_structure(w, frame, merge);
    for (int i = 0; i < 2; i++) {
        if (is_kind(merge->inputs[i].node, SL_FLOW_ENTER)) v->enter = merge->inputs[i].node;
        if (is_kind(merge->inputs[i].node, SL_FLOW_NEXT)) v->next = merge->inputs[i].node;
    }
    if (!v->enter || !v->next) return fail_structure(w, frame, merge);
    for (uint32_t u = 0; u < merge->uses.n && !v->turn; u++) {
        struct sl_use use = merge->uses.items[u];
        if (use.slot == 0 && is_kind(use.node, SL_FLOW_SWITCH) && is_kind(use.node->inputs[1].node, SL_FLOW_COND))
            v->turn = use.node;
    }
    for (uint32_t u = 0; v->turn && u < v->turn->uses.n && !v->exit; u++) {
        struct sl_use use = v->turn->uses.items[u];
        if (use.slot == 0 && use.index == 0 && is_kind(use.node, SL_FLOW_EXIT)) v->exit = use.node;
    }
    v->is_fixed = is_handed_on(v);
    return SL_OK;
}

static sl_code find_loop(struct sl_forward_loop **out, struct sl_walk *w, int frame) {
    struct sl_forward_loop *loop = SL_ARENA_NEW(&w->arena, struct sl_forward_loop);
    size_t n = 0, n_enters = 0;
    if (!loop) return sl_fail_memory(w->err, sizeof *loop);
    loop->frame = frame;
    loop->name = w->frames.frames[frame].name;
    loop->parallel_iterations = w->frames.frames[frame].parallel_iterations;
    loop->condition = w->frames.frames[frame].loop_cond;
    for (uint32_t id = 0; id < w->n_forward; id++) {
        struct sl_node *node = w->graph->nodes.items[id];
        if (node->is_removed) continue;
        n += w->frames.of_node[id] == frame && is_kind(node, SL_FLOW_MERGE) && sl_loop_is_control(w, node);
        n_enters += is_kind(node, SL_FLOW_ENTER) && sl_loop_entered(w, node) == frame;
    }
    loop->variables = SL_ARENA_ARRAY(&w->arena, struct variable, n + 1);
    loop->constants = SL_ARENA_ARRAY(&w->arena, struct sl_node *, n_enters + 1);
    if (!loop->variables || !loop->constants) return sl_fail_memory(w->err, n * sizeof *loop->variables);
    for (uint32_t id = 0; id < w->n_forward; id++) {
        struct sl_node *node = w->graph->nodes.items[id];
        bool is_constant = false;
        if (node->is_removed) continue;
        if (w->frames.of_node[id] == frame && is_kind(node, SL_FLOW_MERGE) && sl_loop_is_control(w, node)) {
            SL_TRY(find_variable(&loop->variables[loop->n_variables++], w, frame, node));
        } else if (is_kind(node, SL_FLOW_ENTER) && sl_loop_entered(w, node) == frame) {
            SL_TRY(sl_attr_bool(&is_constant, &node->attrs, "is_constant", w->err));
            if (is_constant) loop->constants[loop->n_constants++] = node;
        }
    }
    *out = w->loops[frame] = loop;
    return loop->condition && loop->n_variables
               ? SL_OK
               : sl_fail(w->err, SL_UNIMPLEMENTED, "The gradient of loop '%.*s', which has no condition",
                         SL_STR_ARG(loop->name));
}

static sl_code loop_of(struct sl_forward_loop **out, struct sl_walk *w, int frame) {
    *out = w->loops[frame];
    return *out ? SL_OK : find_loop(out, w, frame);
}

/* ---- adding what loops are made of; terms must be where the op wants them */
static sl_code add_raw(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *emits, struct sl_grad_scope *home,
                       const char *op, const struct sl_term *inputs, int n, const struct sl_attr *attrs, int n_attrs) {
    struct sl_emission what = {sl_str_of(op), inputs, n, attrs, n_attrs};
    SL_TRY(sl_graph_emit(out, &emits->emitter, &what, w->err));
    sl_port_of(*out).node->mark = home;
    return SL_OK;
}

struct frame_attrs {
    struct sl_str name;
    int parallel_iterations;
};

static sl_code add_enter(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *into, struct frame_attrs frame,
                         struct sl_term value, bool is_constant) {
    const struct sl_pb_AttrValue name = {.which = SL_PB_AttrValue_s, .s = frame.name};
    const struct sl_pb_AttrValue constant = {.which = SL_PB_AttrValue_b, .b = is_constant};
    const struct sl_pb_AttrValue parallel = {.which = SL_PB_AttrValue_i, .i = frame.parallel_iterations};
    const struct sl_attr attrs[] = {{SL_STR("frame_name"), &name},
                                    {SL_STR("is_constant"), &constant},
                                    {SL_STR("parallel_iterations"), &parallel}};
    return add_raw(out, w, into, into, "Enter", &value, 1, attrs, 3);
}

/* A variable of a frame being built: its Merge, whose back edge comes later, and its Switch. */
struct built {
    struct sl_node *merge, *turn;
};

static sl_code add_merge(struct sl_node **out, struct sl_walk *w, struct sl_grad_scope *into, struct sl_term enter,
                         struct sl_shape shape) {
    struct sl_graph *graph = into->emitter.graph;
    struct sl_port input = sl_port_of(enter);
    const struct sl_pb_AttrValue two = {.which = SL_PB_AttrValue_i, .i = 2};
    const struct sl_pb_AttrValue of = {.which = SL_PB_AttrValue_type,
                                       .type = sl_dtype_base(input.node->out_types[input.index])};
    const struct sl_attr attrs[] = {{SL_STR("T"), &of}, {SL_STR("N"), &two}};
    struct sl_node_spec spec = {
        .device = SL_STR(""), .attrs = {attrs, 2}, .inputs = &input, .n_inputs = 1, .allow_missing_back_edges = true};
    SL_TRY(sl_graph_find_op(&spec.op, graph, SL_STR("Merge"), w->err));
    char *wanted = sl_arena_format(&w->arena, "%.*s/Merge", SL_STR_ARG(into->emitter.scope));
    if (wanted) spec.name = sl_graph_unique_name(graph, sl_str_of(wanted));
    if (!spec.name.p) return sl_fail_memory(w->err, into->emitter.scope.n);
    SL_TRY(sl_graph_add(out, graph, &spec, w->err));
    (*out)->mark = into;
    (*out)->shapes[0] = sl_shape_copy(&graph->arena, shape);
    return (*out)->shapes[0].rank == -2 ? sl_fail_memory(w->err, sizeof shape) : SL_OK;
}

/* Enter, Merge, Switch. */
static sl_code open_variable(struct built *out, struct sl_walk *w, struct sl_grad_scope *into, struct frame_attrs frame,
                             struct sl_term value, struct sl_term condition, struct sl_shape shape) {
    struct sl_term enter, turn;
    SL_TRY(add_enter(&enter, w, into, frame, value, false));
    SL_TRY(add_merge(&out->merge, w, into, enter, shape));
    const struct sl_term inputs[] = {{out->merge, 0}, condition};
    SL_TRY(add_raw(&turn, w, into, into, "Switch", inputs, 2, NULL, 0));
    out->turn = turn.of;
    return SL_OK;
}

static sl_code close_variable(struct sl_walk *w, struct sl_grad_scope *into, struct sl_node *merge,
                              struct sl_term value) {
    struct sl_term next;
    SL_TRY(add_raw(&next, w, into, into, "NextIteration", &value, 1, NULL, 0));
    return sl_graph_set_input(into->emitter.graph, merge, 1, sl_port_of(next), w->err);
}

static sl_code add_exit(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *from, struct sl_grad_scope *to,
                        struct sl_node *turn) {
    const struct sl_term value = {turn, 0};
    return add_raw(out, w, from, to, "Exit", &value, 1, NULL, 0);
}

static struct frame_attrs frame_of(const struct sl_forward_loop *loop) {
    return (struct frame_attrs){loop->name, loop->parallel_iterations};
}

/* ---- the forward loop, as a scope */
static struct sl_grad_scope *forward_scope(struct sl_walk *w, int frame) {
    return frame > 0 && frame != w->home ? &w->loops[frame]->forward : &w->forward;
}

/* Gets the forward frame, and those around it, ready for additions. */
static sl_code open_forward(struct sl_forward_loop **out, struct sl_walk *w, int frame) {
    struct sl_forward_loop *loop, *outer;
    SL_TRY(loop_of(&loop, w, frame));
    *out = loop;
    if (loop->entry) return SL_OK;
    int parent = w->frames.frames[frame].parent;
    if (parent > 0 && parent != w->home) SL_TRY(open_forward(&outer, w, parent));
    struct sl_grad_scope *around = forward_scope(w, parent);
    struct variable *v = &loop->variables[0];
    if (!v->turn) return fail_structure(w, frame, v->merge);
    sl_grad_scope_init(&loop->forward, w, w->graph, w->spec->scope);
    loop->forward.outer = around;
    loop->forward.frame = frame;
    loop->forward.is_forward = true;
    struct sl_term entry, body;
    struct sl_term from = sl_term_of(v->enter->inputs[0]), turn = {v->turn, 1};
    SL_TRY(add_raw(&entry, w, around, around, "Identity", &from, 1, NULL, 0));
    SL_TRY(add_raw(&body, w, &loop->forward, &loop->forward, "Identity", &turn, 1, NULL, 0));
    loop->entry = entry.of;
    loop->body = body.of;
    loop->forward.emitter.anchor = body.of;
    return SL_OK;
}

/* Emits in the frame around a forward loop: what has no input lives when the loop does. */
static sl_code emit_around(struct sl_term *out, struct sl_walk *w, struct sl_forward_loop *loop, const char *op,
                           const struct sl_term *inputs, int n, const struct sl_attr *attrs, int n_attrs) {
    struct sl_grad_scope *around = loop->forward.outer;
    struct sl_node *anchor = around->emitter.anchor;
    around->emitter.anchor = loop->entry;
    sl_code code = add_raw(out, w, around, around, op, inputs, n, attrs, n_attrs);
    around->emitter.anchor = anchor;
    return code;
}

static sl_code number_around(struct sl_term *out, struct sl_forward_loop *loop, int value) {
    struct sl_grad_scope *around = loop->forward.outer;
    struct sl_node *anchor = around->emitter.anchor;
    around->emitter.anchor = loop->entry;
    sl_code code = sl_walk_number(out, around, SL_INT32, value);
    around->emitter.anchor = anchor;
    return code;
}

/* The counter of a forward loop. */
static sl_code count_trips(struct sl_walk *w, struct sl_forward_loop *loop) {
    struct sl_term zero, one, sum, exit;
    struct built counter;
    if (loop->trips.node) return SL_OK;
    SL_TRY(number_around(&zero, loop, 0));
    SL_TRY(open_variable(&counter, w, &loop->forward, frame_of(loop), zero, (struct sl_term){loop->condition, 0},
                         SL_SHAPE_SCALAR));
    SL_TRY(sl_walk_number(&one, &loop->forward, SL_INT32, 1));
    const struct sl_term both[] = {{counter.turn, 1}, one};
    SL_TRY(add_raw(&sum, w, &loop->forward, &loop->forward, "AddV2", both, 2, NULL, 0));
    SL_TRY(close_variable(w, &loop->forward, counter.merge, sum));
    SL_TRY(add_exit(&exit, w, &loop->forward, loop->forward.outer, counter.turn));
    loop->trips = sl_port_of(exit);
    return SL_OK;
}

/* ---- values out of lists */
/* The sides of a guard that a value passes through on its way in, from the outermost on. */
struct passage {
    const struct sl_guard *guard;
    struct sl_node **turns; /* one for each literal */
    bool *sides;
    int n;
};

static sl_code pass_in(struct passage *p, struct sl_walk *w, struct sl_grad_scope *scope, const struct sl_guard *guard,
                       struct sl_term *value) {
    const struct sl_guard **chain =
        SL_ARENA_ARRAY(&w->arena, const struct sl_guard *, (size_t)(guard ? guard->depth : 0) + 1);
    *p = (struct passage){.guard = guard, .n = guard ? guard->depth : 0};
    p->turns = SL_ARENA_ARRAY(&w->arena, struct sl_node *, (size_t)p->n + 1);
    p->sides = SL_ARENA_ARRAY(&w->arena, bool, (size_t)p->n + 1);
    if (!chain || !p->turns || !p->sides) return sl_fail_memory(w->err, (size_t)p->n * sizeof *chain);
    for (int i = p->n; i-- > 0; guard = guard->outer) chain[i] = guard;
    for (int i = 0; i < p->n; i++) {
        struct sl_term turn, inputs[2] = {*value};
        SL_TRY(sl_walk_bring(&inputs[1], w, scope, sl_term_of(chain[i]->predicate)));
        SL_TRY(add_raw(&turn, w, scope, scope, "Switch", inputs, 2, NULL, 0));
        p->turns[i] = turn.of;
        p->sides[i] = chain[i]->side;
        *value = (struct sl_term){turn.of, chain[i]->side};
    }
    return SL_OK;
}

/* And out again: on the other sides the value is what it was. */
static sl_code pass_out(struct sl_walk *w, struct sl_grad_scope *scope, const struct passage *p,
                        struct sl_term *value) {
    for (int i = p->n; i-- > 0;) {
        struct sl_term other = {p->turns[i], !p->sides[i]}, merged;
        const struct sl_term inputs[2] = {p->sides[i] ? other : *value, p->sides[i] ? *value : other};
        SL_TRY(add_raw(&merged, w, scope, scope, "Merge", inputs, 2, NULL, 0));
        *value = merged;
    }
    return SL_OK;
}

/* Adds a list of all values of a port to its loop; `*list` is the whole list, in the frame around. */
static sl_code push_all(struct sl_term *list, struct sl_walk *w, struct sl_forward_loop *loop, struct sl_port port,
                        const struct sl_guard *guard) {
    const struct sl_pb_AttrValue of = {.which = SL_PB_AttrValue_type,
                                       .type = sl_dtype_base(port.node->out_types[port.index])};
    const struct sl_attr attrs[] = {{SL_STR("element_dtype"), &of}};
    struct sl_term any, empty;
    struct built variable;
    struct passage passage;
    SL_TRY(number_around(&any, loop, -1));
    const struct sl_term sizes[] = {any, any};
    SL_TRY(emit_around(&empty, w, loop, "EmptyTensorList", sizes, 2, attrs, 1));
    SL_TRY(open_variable(&variable, w, &loop->forward, frame_of(loop), empty, (struct sl_term){loop->condition, 0},
                         SL_SHAPE_SCALAR));
    struct sl_term inputs[] = {{variable.turn, 1}, sl_term_of(port)}, pushed;
    SL_TRY(pass_in(&passage, w, &loop->forward, guard, &inputs[0]));
    SL_TRY(add_raw(&pushed, w, &loop->forward, &loop->forward, "TensorListPushBack", inputs, 2, NULL, 0));
    SL_TRY(pass_out(w, &loop->forward, &passage, &pushed));
    SL_TRY(close_variable(w, &loop->forward, variable.merge, pushed));
    return add_exit(list, w, &loop->forward, loop->forward.outer, variable.turn);
}

/* And takes them back one by one in the gradient's loop. */
static sl_code pop_one(struct sl_term *out, struct sl_walk *w, struct sl_forward_loop *loop, struct sl_port port,
                       struct sl_term list, const struct sl_guard *guard) {
    struct sl_grad_scope *scope = &loop->gradient;
    const struct sl_pb_AttrValue of = {.which = SL_PB_AttrValue_type,
                                       .type = sl_dtype_base(port.node->out_types[port.index])};
    const struct sl_attr attrs[] = {{SL_STR("element_dtype"), &of}};
    struct sl_term whole, popped;
    struct built variable;
    struct passage passage;
    SL_TRY(sl_walk_bring(&whole, w, scope->outer, list));
    SL_TRY(open_variable(&variable, w, scope, (struct frame_attrs){scope->frame_name, scope->parallel_iterations},
                         whole, (struct sl_term){loop->gradient_condition, 0}, SL_SHAPE_SCALAR));
    struct sl_term inputs[2] = {{variable.turn, 1}};
    SL_TRY(pass_in(&passage, w, scope, guard, &inputs[0]));
    SL_TRY(sl_walk_number(&inputs[1], scope, SL_INT32, -1));
    SL_TRY(add_raw(&popped, w, scope, scope, "TensorListPopBack", inputs, 2, attrs, 1));
    *out = (struct sl_term){popped.of, 1};
    SL_TRY(sl_graph_set_shape(scope->emitter.graph, sl_port_of(*out), port.node->shapes[port.index], w->err));
    SL_TRY(pass_out(w, scope, &passage, &popped));
    return close_variable(w, scope, variable.merge, popped);
}

static sl_code copy_constant(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope,
                             const struct sl_node *node) {
    const struct sl_attr attrs[] = {{SL_STR("dtype"), sl_attr_find(&node->attrs, SL_STR("dtype"))},
                                    {SL_STR("value"), sl_attr_find(&node->attrs, SL_STR("value"))}};
    return add_raw(out, w, scope, scope, "Const", NULL, 0, attrs, 2);
}

/* The Enter of the variable whose value in the body a port is, when that never changes; else NULL. */
static struct sl_node *fixed_enter(const struct sl_forward_loop *loop, struct sl_port port) {
    for (int i = 0; i < loop->n_variables && port.index == 1; i++)
        if (loop->variables[i].turn == port.node && loop->variables[i].is_fixed) return loop->variables[i].enter;
    return NULL;
}

/* A forward value of the loop in the gradient's frame. */
static sl_code fetch(struct sl_term *out, struct sl_walk *w, struct sl_forward_loop *loop, struct sl_port port) {
    struct sl_grad_scope *scope = &loop->gradient;
    const struct sl_guard *guard;
    struct sl_forward_loop *opened;
    struct sl_term list;
    bool is_constant = false, is_known;
    if (sl_node_is(port.node, "Const")) return copy_constant(out, w, scope, port.node);
    struct sl_node *enter = is_kind(port.node, SL_FLOW_ENTER) ? port.node : fixed_enter(loop, port);
    if (enter) {
        SL_TRY(sl_attr_bool(&is_constant, &enter->attrs, "is_constant", w->err));
        if (!is_constant && enter == port.node) return fail_structure(w, loop->frame, port.node);
        SL_TRY(sl_walk_bring(&list, w, scope->outer, sl_term_of(enter->inputs[0])));
        return add_enter(out, w, scope, (struct frame_attrs){scope->frame_name, scope->parallel_iterations}, list,
                         true);
    }
    SL_TRY(sl_guard_of(&guard, &is_known, w, port));
    if (!is_known) return fail_structure(w, loop->frame, port.node);
    SL_TRY(open_forward(&opened, w, loop->frame));
    SL_TRY(push_all(&list, w, loop, port, guard));
    return pop_one(out, w, loop, port, list, guard);
}

/* ---- bringing */
struct brought_key {
    void *node, *scope;
    int64_t index;
};

static struct sl_term *find_brought(struct sl_walk *w, struct sl_port port, struct sl_grad_scope *scope) {
    struct brought_key key = {port.node, scope, port.index};
    return sl_str_map_get(&w->brought, (struct sl_str){(const char *)&key, sizeof key});
}

static sl_code keep_brought(struct sl_walk *w, struct sl_port port, struct sl_grad_scope *scope, struct sl_term term) {
    struct brought_key *key = SL_ARENA_NEW(&w->arena, struct brought_key);
    struct sl_term *kept = SL_ARENA_NEW(&w->arena, struct sl_term);
    if (!key || !kept) return sl_fail_memory(w->err, sizeof *key);
    *key = (struct brought_key){port.node, scope, port.index};
    *kept = term;
    if (sl_str_map_put(&w->brought, (struct sl_str){(const char *)key, sizeof *key}, kept))
        return sl_fail_memory(w->err, sizeof *key);
    return SL_OK;
}

/* Through the frames between a scope and one around it, as a constant of each. */
static sl_code descend(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *from, struct sl_grad_scope *to,
                       struct sl_term term) {
    if (from == to) {
        *out = term;
        return SL_OK;
    }
    if (!to->outer) return sl_fail(w->err, SL_INTERNAL, "A gradient used a value of another loop");
    SL_TRY(descend(&term, w, from, to->outer, term));
    struct sl_term *known = find_brought(w, sl_port_of(term), to);
    if (known) {
        *out = *known;
        return SL_OK;
    }
    SL_TRY(add_enter(out, w, to, (struct frame_attrs){to->frame_name, to->parallel_iterations}, term, true));
    return keep_brought(w, sl_port_of(term), to, *out);
}

/* The forward frame in which an output lives; -1: it is not of the forward graph. */
static int forward_frame(const struct sl_walk *w, struct sl_port port) {
    if (!sl_walk_is_forward(w, port.node)) {
        const struct sl_grad_scope *scope = port.node->mark;
        return scope->is_forward ? scope->frame : -1;
    }
    int frame = w->has_loops ? w->frames.of_node[port.node->id] : 0;
    if (is_kind(port.node, SL_FLOW_ENTER) && w->has_loops) frame = sl_loop_entered(w, port.node);
    if (is_kind(port.node, SL_FLOW_EXIT) && frame > 0) frame = w->frames.frames[frame].parent;
    return frame < 0 ? 0 : frame;
}

/* An Identity is its input, and needs no list of its own. */
static struct sl_port behind_identities(const struct sl_walk *w, struct sl_port port) {
    for (int i = 0; i < MOST_DEPTH; i++) {
        if (!sl_walk_is_forward(w, port.node) || !sl_node_is(port.node, "Identity") || port.node->n_controls)
            return port;
        if (forward_frame(w, port.node->inputs[0]) != forward_frame(w, port)) return port;
        port = port.node->inputs[0];
    }
    return port;
}

static sl_code unwrap(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope, struct sl_term optional,
                      struct sl_port like) {
    int32_t type = sl_dtype_base(like.node->out_types[like.index]);
    struct sl_pb_TensorShapeProto unknown = {.unknown_rank = true};
    const struct sl_pb_AttrValue_ListValue types = {.type = {&type, 1}}, shapes = {.shape = {&unknown, 1}};
    const struct sl_attr attrs[] = {sl_attr_new_list(&w->arena, SL_STR("output_types"), &types),
                                    sl_attr_new_list(&w->arena, SL_STR("output_shapes"), &shapes)};
    SL_TRY(add_raw(out, w, scope, scope, "OptionalGetValue", &optional, 1, attrs, 2));
    return sl_graph_set_shape(scope->emitter.graph, sl_port_of(*out), like.node->shapes[like.index], w->err);
}

/* A value of a function that lives on some sides only leaves it as an optional, which is empty on the others. */
static sl_code capture_guarded(struct sl_term *out, struct sl_walk *w, struct sl_port port,
                               const struct sl_guard *guard) {
    struct sl_grad_scope *forward = &w->forward;
    const struct sl_term value = sl_term_of(port);
    struct sl_term optional, empty, argument;
    struct passage passage;
    SL_TRY(add_raw(&optional, w, forward, forward, "OptionalFromValue", &value, 1, NULL, 0));
    SL_TRY(add_raw(&empty, w, forward, forward, "OptionalNone", NULL, 0, NULL, 0));
    SL_TRY(pass_in(&passage, w, forward, guard, &empty));
    SL_TRY(pass_out(w, forward, &passage, &optional));
    SL_TRY(sl_capture_value(&argument, w, sl_port_of(optional)));
    SL_TRY(pass_in(&passage, w, &w->root, guard, &argument));
    return unwrap(out, w, &w->root, argument, port);
}

static sl_code capture(struct sl_term *out, struct sl_walk *w, struct sl_port port) {
    const struct sl_guard *guard;
    bool is_known;
    SL_TRY(sl_guard_of(&guard, &is_known, w, port));
    return guard && is_known ? capture_guarded(out, w, port, guard) : sl_capture_value(out, w, port);
}

/* What a value of the source's frame is there: a value out of a list, or an argument of the gradient's function. */
static sl_code bring_forward(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *source,
                             struct sl_port port) {
    port = behind_identities(w, port);
    struct sl_term *known = find_brought(w, port, source);
    if (known) {
        *out = *known;
        return SL_OK;
    }
    if (source->loop) SL_TRY(fetch(out, w, source->loop, port));
    else if (sl_node_is(port.node, "Const")) SL_TRY(copy_constant(out, w, source, port.node));
    else SL_TRY(capture(out, w, port));
    return keep_brought(w, port, source, *out);
}

sl_code sl_loop_bring(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope, struct sl_port port) {
    *out = sl_term_of(port);
    int frame = forward_frame(w, port);
    if (scope->is_forward) return SL_OK;
    if (frame < 0) return descend(out, w, port.node->mark, scope, *out);
    struct sl_grad_scope *source = scope;
    while (source && source->frame != frame) source = source->outer;
    if (!source) return sl_fail(w->err, SL_INTERNAL, "A gradient used a value of another loop");
    if (frame != w->home || w->capture) SL_TRY(bring_forward(out, w, source, port));
    return descend(out, w, source, scope, *out);
}

struct sl_grad_scope *sl_loop_home(struct sl_walk *w, struct sl_grad_scope *scope, struct sl_term term) {
    struct sl_forward_loop *loop;
    if ((!w->has_loops && !w->capture) || scope->is_forward) return NULL;
    int frame = forward_frame(w, sl_port_of(term));
    if (frame < 0 || (frame == w->home && !w->capture)) return NULL;
    if (frame == w->home) return &w->forward;
    return open_forward(&loop, w, frame) == SL_OK ? &loop->forward : NULL;
}

/* ---- the gradient's loop */
static sl_code open_gradient(struct sl_walk *w, struct sl_grad_scope *outer, struct sl_forward_loop *loop) {
    struct sl_grad_scope *scope = &loop->gradient;
    struct sl_term trips, one, more, condition, left, pivot;
    struct built counter;
    char *name = sl_arena_format(&w->arena, "%.*s/%.*s", SL_STR_ARG(w->spec->scope), SL_STR_ARG(loop->name));
    if (!name) return sl_fail_memory(w->err, loop->name.n);
    sl_grad_scope_init(scope, w, w->target, w->spec->scope);
    scope->outer = outer;
    scope->frame = loop->frame;
    scope->frame_name = sl_str_of(name);
    scope->parallel_iterations = loop->parallel_iterations;
    scope->loop = loop;
    SL_TRY(sl_walk_bring(&trips, w, outer, sl_term_of(loop->trips)));
    struct frame_attrs frame = {scope->frame_name, scope->parallel_iterations};
    struct sl_term enter, turn;
    SL_TRY(add_enter(&enter, w, scope, frame, trips, false));
    SL_TRY(add_merge(&counter.merge, w, scope, enter, SL_SHAPE_SCALAR));
    scope->emitter.anchor = counter.merge; /* the condition runs once more than the body */
    SL_TRY(sl_walk_number(&one, scope, SL_INT32, 1));
    const struct sl_term compared[] = {{counter.merge, 0}, one};
    SL_TRY(add_raw(&more, w, scope, scope, "GreaterEqual", compared, 2, NULL, 0));
    SL_TRY(add_raw(&condition, w, scope, scope, "LoopCond", &more, 1, NULL, 0));
    const struct sl_term switched[] = {{counter.merge, 0}, condition};
    SL_TRY(add_raw(&turn, w, scope, scope, "Switch", switched, 2, NULL, 0));
    const struct sl_term inside = {turn.of, 1};
    SL_TRY(add_raw(&pivot, w, scope, scope, "Identity", &inside, 1, NULL, 0));
    scope->emitter.anchor = pivot.of;
    loop->gradient_condition = condition.of;
    SL_TRY(sl_walk_number(&one, scope, SL_INT32, 1));
    const struct sl_term reduced[] = {pivot, one};
    SL_TRY(add_raw(&left, w, scope, scope, "Sub", reduced, 2, NULL, 0));
    return close_variable(w, scope, counter.merge, left);
}

/* The gradient of a resource is one of what it holds: it is summed up like that of a constant. */
static bool is_resource(const struct variable *v) { return sl_dtype_base(v->merge->out_types[0]) == SL_RESOURCE; }

static bool is_wanted(const struct sl_walk *w, const struct variable *v) {
    return v->turn && w->between[v->merge->id] && sl_is_trainable(v->merge->out_types[0]) && !is_resource(v);
}

static sl_code check_resources(const struct sl_walk *w, const struct sl_forward_loop *loop) {
    for (int i = 0; i < loop->n_variables; i++) {
        const struct variable *v = &loop->variables[i];
        if (is_resource(v) && !v->is_fixed && sl_walk_wants(w, v->enter->inputs[0]))
            return sl_fail(w->err, SL_UNIMPLEMENTED, "The gradient of loop '%.*s' by a resource that changes",
                           SL_STR_ARG(loop->name));
    }
    return SL_OK;
}

/* The gradient of a variable's last value; zeros when it has none. */
static sl_code first_gradient(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *outer,
                              struct sl_forward_loop *loop, struct variable *v) {
    struct sl_term_gradient gradient = {0};
    const struct sl_port exit = {v->exit, 0};
    if (v->exit && !sl_walk_is_stop(w, exit)) SL_TRY(sl_walk_sum(&gradient, w, outer, exit));
    if (sl_term_is(gradient.values)) {
        SL_TRY(sl_walk_dense(out, w, outer, &gradient));
        return sl_walk_bring(out, w, outer, *out);
    }
    struct sl_term last = {v->exit, 0};
    if (!v->exit) SL_TRY(add_exit(&last, w, &loop->forward, loop->forward.outer, v->turn));
    return sl_walk_zeros(out, w, outer, last);
}

static sl_code open_variables(struct sl_walk *w, struct sl_grad_scope *outer, struct sl_forward_loop *loop) {
    struct sl_grad_scope *scope = &loop->gradient;
    struct frame_attrs frame = {scope->frame_name, scope->parallel_iterations};
    for (int i = 0; i < loop->n_variables; i++) {
        struct variable *v = &loop->variables[i];
        struct sl_term first;
        struct built built;
        if (!is_wanted(w, v)) continue;
        SL_TRY(first_gradient(&first, w, outer, loop, v));
        SL_TRY(open_variable(&built, w, scope, frame, first, (struct sl_term){loop->gradient_condition, 0},
                             v->turn->shapes[1]));
        v->gradient_merge = built.merge;
        v->gradient_turn = built.turn;
        SL_TRY(sl_walk_give(w, v->next->inputs[0], (struct sl_term_gradient){.values = {built.turn, 1}}));
    }
    return SL_OK;
}

static sl_code close_variables(struct sl_walk *w, struct sl_grad_scope *outer, struct sl_forward_loop *loop) {
    struct sl_grad_scope *scope = &loop->gradient;
    for (int i = 0; i < loop->n_variables; i++) {
        struct variable *v = &loop->variables[i];
        struct sl_port before = {v->turn, 1};
        struct sl_term_gradient gradient;
        struct sl_term dense, exit;
        if (!v->gradient_merge) continue;
        SL_TRY(sl_walk_sum(&gradient, w, scope, before));
        if (sl_term_is(gradient.values)) SL_TRY(sl_walk_dense(&dense, w, scope, &gradient));
        else SL_TRY(sl_walk_zeros(&dense, w, scope, sl_term_of(before)));
        SL_TRY(sl_walk_bring(&dense, w, scope, dense));
        SL_TRY(close_variable(w, scope, v->gradient_merge, dense));
        if (!sl_walk_wants(w, v->enter->inputs[0])) continue;
        SL_TRY(add_exit(&exit, w, scope, outer, v->gradient_turn));
        SL_TRY(sl_walk_give(w, v->enter->inputs[0], (struct sl_term_gradient){.values = exit}));
    }
    return SL_OK;
}

/* Zeros to begin the sum of a constant's gradient with. */
static sl_code zeros_of_constant(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *outer,
                                 struct sl_port constant, struct sl_term gradient) {
    if (sl_dtype_base(constant.node->out_types[constant.index]) != SL_RESOURCE)
        return sl_walk_zeros(out, w, outer, sl_term_of(constant));
    struct sl_node_rule rule = sl_words_in(outer);
    struct sl_rule *g = &rule.base;
    struct sl_term handle = sl_term_of(constant);
    struct sl_term both[] = {sl_rule_emit(g, "VariableShape", &handle, 1, NULL, 0),
                             sl_rule_number(g, sl_rule_dtype(g, gradient), 0)};
    *out = sl_rule_emit(g, "Fill", both, 2, NULL, 0);
    return g->code;
}

/* `value` is what enters by `enter`, as the body sees it. */
static sl_code sum_constant(struct sl_walk *w, struct sl_grad_scope *outer, struct sl_forward_loop *loop,
                            struct sl_node *enter, struct sl_port value) {
    struct sl_grad_scope *scope = &loop->gradient;
    struct sl_term_gradient gradient;
    struct sl_term dense, zeros, sum, exit;
    struct built built;
    if (!sl_walk_wants(w, enter->inputs[0])) return SL_OK;
    SL_TRY(sl_walk_sum(&gradient, w, scope, value));
    if (!sl_term_is(gradient.values)) return SL_OK;
    SL_TRY(sl_walk_dense(&dense, w, scope, &gradient));
    SL_TRY(zeros_of_constant(&zeros, w, outer, enter->inputs[0], dense));
    SL_TRY(sl_walk_bring(&zeros, w, outer, zeros));
    struct sl_port first = sl_port_of(zeros);
    SL_TRY(open_variable(&built, w, scope, (struct frame_attrs){scope->frame_name, scope->parallel_iterations}, zeros,
                         (struct sl_term){loop->gradient_condition, 0}, first.node->shapes[first.index]));
    const struct sl_term both[] = {{built.turn, 1}, dense};
    SL_TRY(sl_walk_emit(&sum, w, scope, "AddN", both, 2, NULL, 0));
    SL_TRY(close_variable(w, scope, built.merge, sum));
    SL_TRY(add_exit(&exit, w, scope, outer, built.turn));
    return sl_walk_give(w, enter->inputs[0], (struct sl_term_gradient){.values = exit});
}

/* Whether anything that leaves the loop has a gradient. */
static sl_code has_gradient(bool *out, struct sl_walk *w, struct sl_forward_loop *loop) {
    *out = false;
    for (int i = 0; i < loop->n_variables; i++) {
        const struct variable *v = &loop->variables[i];
        *out |= is_wanted(w, v) && v->exit && w->sums[v->exit->id] && w->sums[v->exit->id]->n > 0;
    }
    return SL_OK;
}

sl_code sl_loop_gradient(struct sl_walk *w, struct sl_grad_scope *scope, int frame) {
    struct sl_forward_loop *loop;
    bool is_used;
    if (w->frames.frames[frame].depth > MOST_DEPTH)
        return sl_fail(w->err, SL_RESOURCE_EXHAUSTED, "Loops are nested more than %d deep", MOST_DEPTH);
    SL_TRY(loop_of(&loop, w, frame));
    SL_TRY(has_gradient(&is_used, w, loop));
    if (!is_used) return SL_OK;
    SL_TRY(check_resources(w, loop));
    SL_TRY(open_forward(&loop, w, frame));
    SL_TRY(count_trips(w, loop));
    SL_TRY(open_gradient(w, scope, loop));
    SL_TRY(open_variables(w, scope, loop));
    SL_TRY(sl_walk_region(w, &loop->gradient, frame));
    SL_TRY(close_variables(w, scope, loop));
    for (int i = 0; i < loop->n_constants; i++)
        SL_TRY(sum_constant(w, scope, loop, loop->constants[i], (struct sl_port){loop->constants[i], 0}));
    for (int i = 0; i < loop->n_variables; i++) {
        const struct variable *v = &loop->variables[i];
        if (is_resource(v) && v->turn) SL_TRY(sum_constant(w, scope, loop, v->enter, (struct sl_port){v->turn, 1}));
    }
    return SL_OK;
}
