/* Loops and conditionals of the front end: the nodes of a frame, or of the two sides of a predicate, around what
 * callbacks add.
 *
 *     input ─► Enter ─► Merge ─► Switch ─► Exit ─► output         predicate ─► Switch ─► then ─┬► Merge ─► output
 *                        ▲ │       ▲ └──► body ─► NextIteration ─┐          value ─► Switch ─► else ─┘
 *                        │ └─► cond ─► LoopCond                  │
 *                        └───────────────────────────────────────┘ */
#include <string.h>

#include "front/front_eager.h"
#include "front/front_options.h"
#include "sluice/eager.h"
#include "sluice/flow.h"

static void clear(TF_Output *outputs, int n) {
    for (int i = 0; i < n; i++) outputs[i] = sl_op_first(NULL);
}

/* The values under the control inputs of the scopes around, which count for a whole loop or conditional. */
static void wait_for_controls(struct sl_scope *s, TF_Output *values, int n) {
    if (s->controls.n == s->hidden) return;
    for (int i = 0; i < n; i++) {
        const struct sl_op_input input = {&values[i], -1};
        values[i] = sl_op_first(sl_op(s, "Identity", &input, 1, NULL, 0));
    }
}

static TF_Output add_one(struct sl_scope *s, struct sl_flow *flow, const char *op, TF_Output x) {
    const struct sl_op_input input = {&x, -1};
    return sl_op_first(sl_scope_add(s, flow, op, &input, 1, NULL, 0));
}

static TF_Operation *add_switch(struct sl_scope *s, struct sl_flow *flow, TF_Output x, TF_Output predicate) {
    const struct sl_op_input inputs[] = {{&x, -1}, {&predicate, -1}};
    return sl_scope_add(s, flow, "Switch", inputs, 2, NULL, 0);
}

static TF_Output add_merge(struct sl_scope *s, struct sl_flow *flow, TF_Output a, TF_Output b) {
    const TF_Output both[] = {a, b};
    const struct sl_op_input input = {both, 2};
    return sl_op_first(sl_scope_add(s, flow, "Merge", &input, 1, NULL, 0));
}

void sl_scope_take_back(struct sl_scope *scope, struct sl_graph_mark mark, TF_Output *outputs, int n) {
    clear(outputs, n);
    sl_graph_lock(scope->graph);
    sl_graph_roll_back(scope->graph->graph, mark);
    sl_graph_unlock(scope->graph);
}

/* ---- loops */
struct loop {
    struct sl_scope *s;
    struct sl_flow *flow;
    int n;
    bool shapes_vary;
    TF_Output *inputs, *merges, *bodies, *exits, *next; /* n each; bodies: what the body sees */
};

/* Says that `to` has the shape of variable i, which inference does not carry into a frame or out of it. */
static void give_shape(struct loop *l, TF_Output to, int i) {
    struct sl_error err;
    if (l->shapes_vary || !to.oper || !sl_scope_ok(l->s)) return;
    const struct sl_node *from = sl_as_node(l->inputs[i].oper);
    sl_graph_lock(l->s->graph);
    sl_code code = sl_graph_set_shape(l->s->graph->graph, sl_as_port(to), from->shapes[l->inputs[i].index], &err);
    sl_graph_unlock(l->s->graph);
    sl_status_take(l->s->status, code, &err);
}

static void open_loop(struct loop *l) {
    const struct sl_attr_given attrs[] = {{"frame_name", SL_GIVEN_STRING, &l->flow->frame},
                                          {"parallel_iterations", SL_GIVEN_INT, &l->flow->parallel_iterations}};
    for (int i = 0; i < l->n; i++) {
        const struct sl_op_input input = {&l->inputs[i], -1};
        l->next[i] = sl_op_first(sl_scope_add(l->s, l->flow, "Enter", &input, 1, attrs, 2));
    }
    for (int i = 0; i < l->n; i++) {
        l->merges[i] = add_merge(l->s, l->flow, l->next[i], l->next[i]);
        give_shape(l, l->merges[i], i);
    }
}

static void split_loop(struct loop *l, TF_Output condition) {
    TF_Output seen = sl_scope_see(l->s, l->flow, condition);
    TF_Output loop_cond = sl_scope_ok(l->s) ? add_one(l->s, l->flow, "LoopCond", seen) : sl_op_first(NULL);
    for (int i = 0; i < l->n && sl_scope_ok(l->s); i++) {
        TF_Operation *split = add_switch(l->s, l->flow, l->merges[i], loop_cond);
        l->exits[i] = (TF_Output){split, 0};
        /* As an Identity, so that whatever the body does with it, Switch has one reader a side. */
        l->bodies[i] = add_one(l->s, l->flow, "Identity", (TF_Output){split, 1});
    }
}

/* Whether every shape `from` may have is one of `to`. */
static bool shape_fits(struct sl_shape from, struct sl_shape to) {
    if (to.rank < 0) return true;
    if (from.rank != to.rank) return false;
    for (int i = 0; i < to.rank; i++)
        if (to.dims[i] >= 0 && from.dims[i] != to.dims[i]) return false;
    return true;
}

void sl_scope_check_shape(struct sl_scope *scope, TF_Output next, TF_Output variable, int i) {
    if (shape_fits(sl_as_node(next.oper)->shapes[next.index], sl_as_node(variable.oper)->shapes[variable.index]))
        return;
    sl_status_fail(
        scope->status, SL_INVALID_ARGUMENT,
        "sl_while: the shape of variable %d changes from one iteration to the next, or may do so; the option "
        "shapes_vary allows that",
        i);
}

void sl_scope_stop_gradients(struct sl_scope *scope, TF_Output *values, int n) {
    for (int i = 0; i < n && sl_scope_ok(scope); i++) {
        const struct sl_op_input input = {&values[i], -1};
        values[i] = sl_op_first(sl_op(scope, "StopGradient", &input, 1, NULL, 0));
    }
}

static void close_back_edge(struct loop *l, int i) {
    TF_Output next = sl_scope_see(l->s, l->flow, l->next[i]);
    if (!sl_scope_ok(l->s)) return;
    if (!next.oper) {
        sl_status_fail(l->s->status, SL_INVALID_ARGUMENT, "sl_while: the body gave no value for variable %d", i);
        return;
    }
    TF_Output back = add_one(l->s, l->flow, "NextIteration", next);
    if (!back.oper) return;
    struct sl_error err;
    struct sl_node *merge = sl_as_node(l->merges[i].oper);
    sl_scope_check_shape(l->s, back, l->merges[i], i);
    if (!sl_scope_ok(l->s)) return;
    sl_graph_lock(l->s->graph);
    sl_code code = sl_graph_set_input(l->s->graph->graph, merge, 1, sl_as_port(back), &err);
    sl_graph_unlock(l->s->graph);
    sl_status_take(l->s->status, code, &err);
}

static bool loop_init(struct loop *l, struct sl_scope *s, const TF_Output *inputs, int n,
                      const struct sl_while_options *o) {
    TF_Output *room = n > 0 ? SL_ARENA_ARRAY(&s->arena, TF_Output, 5 * (size_t)n) : NULL;
    l->flow = sl_scope_flow_new(s);
    l->s = s;
    l->n = n;
    if (!room) sl_scope_fail_memory(s);
    if (!sl_scope_ok(s)) return false;
    l->inputs = room;
    l->merges = room + n;
    l->bodies = room + 2 * n;
    l->exits = room + 3 * n;
    l->next = room + 4 * n;
    l->flow->is_loop = true;
    l->flow->parallel_iterations = o->parallel_iterations ? o->parallel_iterations : 10;
    l->shapes_vary = o->shapes_vary;
    for (int i = 0; i < n; i++) l->inputs[i] = sl_scope_see(s, s->flow, inputs[i]);
    wait_for_controls(s, l->inputs, n);
    return sl_scope_ok(s);
}

static void add_loop(struct sl_scope *s, TF_Output *outputs, const TF_Output *inputs, int n,
                     TF_Output (*cond)(struct sl_scope *scope, const TF_Output *variables, void *arg),
                     void (*body)(struct sl_scope *scope, TF_Output *next, const TF_Output *variables, void *arg),
                     void *arg, const struct sl_while_options *options) {
    struct loop l = {0};
    if (!loop_init(&l, s, inputs, n, options)) return;
    l.flow->frame = sl_arena_format(&s->arena, "%.*s", (int)s->prefix.n - 1, s->prefix.items);
    open_loop(&l);
    s->flow = l.flow;
    l.flow->lives = l.merges[0];
    split_loop(&l, sl_scope_ok(s) ? cond(s, l.merges, arg) : sl_op_first(NULL));
    l.flow->lives = l.bodies[0];
    l.flow->pivot = l.bodies[0].oper;
    clear(l.next, n);
    if (sl_scope_ok(s)) body(s, l.next, l.bodies, arg);
    for (int i = 0; i < n && sl_scope_ok(s); i++) close_back_edge(&l, i);
    s->flow = l.flow->outer;
    for (int i = 0; i < n && sl_scope_ok(s); i++) {
        outputs[i] = add_one(s, s->flow, "Exit", l.exits[i]);
        give_shape(&l, outputs[i], i);
    }
}

/* A body whose iterations are computed again for gradients. */
struct recomputed {
    void (*body)(struct sl_scope *scope, TF_Output *next, const TF_Output *variables, void *arg);
    void *arg;
    TF_Output (*cond)(struct sl_scope *scope, const TF_Output *variables, void *arg);
    int n;
};
static TF_Output test_it(struct sl_scope *s, const TF_Output *variables, void *arg) {
    const struct recomputed *r = arg;
    return r->cond(s, variables, r->arg);
}
static void call_it(struct sl_scope *s, TF_Output *next, const TF_Output *variables, void *arg) {
    const struct recomputed *r = arg;
    sl_recomputed(s, next, r->n, variables, r->n, r->body, r->arg);
}

/* Where ops run at once. */
static void run_loop(struct sl_scope *s, TF_Output *outputs, const TF_Output *inputs, int n,
                     TF_Output (*cond)(struct sl_scope *scope, const TF_Output *variables, void *arg),
                     void (*body)(struct sl_scope *scope, TF_Output *next, const TF_Output *variables, void *arg),
                     void *arg, const struct sl_while_options *o) {
    TF_Output *now = sl_scope_copy(s, inputs, n), *next = sl_scope_copy(s, inputs, n);
    if (n <= 0) sl_scope_fail(s, TF_INVALID_ARGUMENT, "sl_while: there must be a variable");
    sl_push_name(s, o->name ? o->name : "while");
    while (sl_scope_ok(s) && sl_number_of(s, cond(s, now, arg)) != 0) {
        clear(next, n);
        body(s, next, now, arg);
        for (int i = 0; i < n && sl_scope_ok(s); i++)
            if (!next[i].oper)
                sl_status_fail(s->status, SL_INVALID_ARGUMENT, "sl_while: the body gave no value for variable %d", i);
        memcpy(now, next, (size_t)n * sizeof *now);
    }
    if (o->no_gradient) sl_scope_stop_gradients(s, now, n);
    sl_pop(s);
    for (int i = 0; i < n && sl_scope_ok(s); i++) outputs[i] = now[i];
}

SL_API void sl_while(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, int n,
                     TF_Output (*cond)(struct sl_scope *scope, const TF_Output *variables, void *arg),
                     void (*body)(struct sl_scope *scope, TF_Output *next, const TF_Output *variables, void *arg),
                     void *arg, const struct sl_while_options *options) {
    struct sl_while_options o;
    inputs = sl_scope_copy(scope, inputs, n);
    clear(outputs, n);
    if (!sl_scope_ok(scope) || !SL_OPTIONS_TAKE(&o, sl_while_options, recompute, options, scope->status)) return;
    if (sl_is_eager(scope)) {
        run_loop(scope, outputs, inputs, n, cond, body, arg, &o);
        return;
    }
    struct sl_graph_mark mark = sl_graph_mark(scope->graph->graph);
    struct sl_flow *flow = scope->flow;
    struct recomputed again = {body, arg, cond, n};
    if (o.recompute) {
        cond = test_it;
        body = call_it;
        arg = &again;
    }
    sl_push_name(scope, o.name ? o.name : "while");
    if (n <= 0) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_while: there must be a variable");
    else if (scope->is_functional) sl_scope_while(scope, outputs, inputs, n, cond, body, arg, &o);
    else add_loop(scope, outputs, inputs, n, cond, body, arg, &o);
    if (o.no_gradient) sl_scope_stop_gradients(scope, outputs, n);
    sl_scope_enter(scope, flow);
    sl_pop(scope);
    if (!sl_scope_ok(scope)) sl_scope_take_back(scope, mark, outputs, n);
}

/* ---- conditionals */
/* One side: what its callback gives, as seen within. */
static void add_side(struct sl_scope *s, TF_Output *results, int n, TF_Operation *switched, TF_Output predicate,
                     int side, void (*fill)(struct sl_scope *scope, TF_Output *outputs, void *arg), void *arg) {
    struct sl_flow *flow = sl_scope_flow_new(s);
    clear(results, n);
    if (!flow) return;
    flow->predicate = predicate;
    flow->side = side;
    flow->lives = (TF_Output){switched, side};
    s->flow = flow;
    fill(s, results, arg);
    for (int i = 0; i < n && sl_scope_ok(s); i++) {
        if (results[i].oper) results[i] = sl_scope_see(s, flow, results[i]);
        else sl_status_fail(s->status, SL_INVALID_ARGUMENT, "sl_cond: one side gave no result %d", i);
    }
    s->flow = flow->outer;
}

static void add_cond(struct sl_scope *s, TF_Output *outputs, int n, TF_Output predicate,
                     void (*then)(struct sl_scope *scope, TF_Output *outputs, void *arg), void *then_arg,
                     void (*otherwise)(struct sl_scope *scope, TF_Output *outputs, void *arg), void *otherwise_arg) {
    TF_Output *results = n > 0 ? SL_ARENA_ARRAY(&s->arena, TF_Output, 2 * (size_t)n) : NULL;
    if (n <= 0) sl_scope_fail(s, TF_INVALID_ARGUMENT, "sl_cond: there must be a result");
    else if (!results) sl_scope_fail_memory(s);
    TF_Output seen = sl_scope_see(s, s->flow, predicate);
    wait_for_controls(s, &seen, 1);
    TF_Operation *switched = sl_scope_ok(s) ? add_switch(s, s->flow, seen, seen) : NULL;
    if (switched) add_side(s, results, n, switched, seen, 1, then, then_arg);
    if (sl_scope_ok(s)) add_side(s, results + n, n, switched, seen, 0, otherwise, otherwise_arg);
    for (int i = 0; i < n && sl_scope_ok(s); i++) outputs[i] = add_merge(s, s->flow, results[n + i], results[i]);
}

static void cond(struct sl_scope *s, TF_Output *outputs, int n, TF_Output predicate,
                 void (*then)(struct sl_scope *scope, TF_Output *outputs, void *arg), void *then_arg,
                 void (*otherwise)(struct sl_scope *scope, TF_Output *outputs, void *arg), void *otherwise_arg) {
    struct sl_graph_mark mark = sl_graph_mark(s->graph->graph);
    sl_push_name(s, "cond");
    add_cond(s, outputs, n, predicate, then, then_arg, otherwise, otherwise_arg);
    sl_pop(s);
    if (!sl_scope_ok(s)) sl_scope_take_back(s, mark, outputs, n);
}

static void branch(struct sl_scope *s, TF_Output *outputs, int n, const char *op, TF_Output index,
                   void (*const *branches)(struct sl_scope *scope, TF_Output *outputs, void *arg), int n_branches,
                   void *arg) {
    struct sl_graph_mark mark = sl_graph_mark(s->graph->graph);
    struct sl_flow *flow = s->flow;
    sl_push_name(s, strcmp(op, "If") == 0 ? "cond" : "case");
    sl_scope_branch(s, outputs, n, op, index, branches, n_branches, arg);
    sl_scope_enter(s, flow);
    sl_pop(s);
    if (!sl_scope_ok(s)) sl_scope_take_back(s, mark, outputs, n);
}

SL_API void sl_cond(struct sl_scope *scope, TF_Output *outputs, int n, TF_Output predicate,
                    void (*then)(struct sl_scope *scope, TF_Output *outputs, void *arg),
                    void (*otherwise)(struct sl_scope *scope, TF_Output *outputs, void *arg), void *arg) {
    void (*const sides[])(struct sl_scope *, TF_Output *, void *) = {then, otherwise};
    clear(outputs, n);
    if (!sl_scope_ok(scope)) return;
    if (sl_is_eager(scope)) {
        void (*const side)(struct sl_scope *, TF_Output *, void *) =
            sl_number_of(scope, predicate) != 0 ? then : otherwise;
        if (sl_scope_ok(scope)) side(scope, outputs, arg);
        return;
    }
    if (scope->is_functional) branch(scope, outputs, n, "If", predicate, sides, 2, arg);
    else cond(scope, outputs, n, predicate, then, arg, otherwise, arg);
}

/* ---- one of many: branch `at`, or one of those behind it */
struct choice {
    TF_Output index;
    void (*const *branches)(struct sl_scope *scope, TF_Output *outputs, void *arg);
    int at, n_branches, n;
    void *arg;
};

static void take(struct sl_scope *s, TF_Output *outputs, void *arg) {
    struct choice *c = arg;
    c->branches[c->at](s, outputs, c->arg);
}

static void choose(struct sl_scope *s, TF_Output *outputs, void *arg) {
    struct choice *c = arg, rest = *c;
    if (++rest.at >= c->n_branches) {
        take(s, outputs, c);
        return;
    }
    int32_t number = c->at;
    TF_Output at = sl_constant_of(s, TF_INT32, SL_SCALAR, &number);
    const struct sl_op_input inputs[] = {{&c->index, -1}, {&at, -1}};
    TF_Output is_it = sl_op_first(sl_op(s, "Equal", inputs, 2, NULL, 0));
    if (sl_scope_ok(s)) cond(s, outputs, c->n, is_it, take, c, choose, &rest);
}

SL_API void sl_case(struct sl_scope *scope, TF_Output *outputs, int n, TF_Output index,
                    void (*const *branches)(struct sl_scope *scope, TF_Output *outputs, void *arg), int num_branches,
                    void *arg) {
    clear(outputs, n);
    if (num_branches <= 0) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_case: there must be a branch");
    if (!sl_scope_ok(scope)) return;
    if (sl_is_eager(scope)) {
        const double number = sl_number_of(scope, index);
        const int at = number >= 0 && number < num_branches ? (int)number : num_branches - 1;
        if (sl_scope_ok(scope)) branches[at](scope, outputs, arg);
        return;
    }
    if (scope->is_functional) {
        branch(scope, outputs, n, "Case", index, branches, num_branches, arg);
        return;
    }
    struct choice first = {index, branches, 0, num_branches, n, arg};
    sl_push_name(scope, "case");
    choose(scope, outputs, &first);
    sl_pop(scope);
}
