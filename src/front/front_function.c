/* Loops and conditionals as While, If and Case operations. Each callback fills a graph of its own, which becomes a
 * function; a value from outside that one of them uses becomes an argument of all of them, after the variables.
 *
 *     While(x, captured) -> x', captured      cond(x, captured) -> bool      body(x, captured) -> x', captured
 *     Case(index, captured) -> results        branch(captured) -> results */
#include <ctype.h>
#include <string.h>

#include "front/front_eager.h"
#include "front/front_options.h"
#include "sluice/flow.h"

/* ---- functions under construction */
static bool take(struct sl_scope *s, sl_code code, const struct sl_error *err) {
    if (code != SL_OK && sl_scope_ok(s)) sl_status_take(s->status, code, err);
    return code == SL_OK;
}

/* Makes the functions of one graph known in another. */
static void share_functions(struct sl_scope *s, TF_Graph *to, const TF_Graph *from) {
    struct sl_error err;
    sl_graph_lock(to);
    sl_code code = SL_OK;
    for (size_t i = 0; i < from->graph->functions.n && code == SL_OK; i++)
        code = sl_graph_add_function(to->graph, from->graph->functions.items[i], &err);
    sl_graph_touch(to);
    sl_graph_unlock(to);
    take(s, code, &err);
}

struct sl_flow *sl_scope_flow_new_function(struct sl_scope *scope) {
    struct sl_error err;
    struct sl_flow *flow = sl_scope_flow_new(scope);
    if (!flow || !take(scope, sl_graph_handle_new(&flow->graph, &err), &err)) return NULL;
    flow->base = flow;
    share_functions(scope, flow->graph, scope->graph);
    return flow;
}

/* What a resource or variant holds, which inference of the function goes on with. */
static sl_code copy_handle(struct sl_node *to, const struct sl_node *from, int index, struct sl_error *err) {
    struct sl_arena *arena = &to->graph->arena;
    if (!from->handles || !from->handles[index].n) return SL_OK;
    int n = from->handles[index].n;
    struct sl_handle_item *items = SL_ARENA_ARRAY(arena, struct sl_handle_item, (size_t)n);
    to->handles = SL_ARENA_ARRAY(arena, struct sl_handle_data, (size_t)to->n_outputs);
    if (!items || !to->handles) return sl_fail_memory(err, (size_t)n * sizeof *items);
    for (int i = 0; i < n; i++) {
        const struct sl_handle_item *item = &from->handles[index].items[i];
        items[i] = (struct sl_handle_item){item->dtype, sl_shape_copy(arena, item->shape)};
        if (items[i].shape.rank < -1) return sl_fail_memory(err, sizeof *items);
    }
    to->handles[0] = (struct sl_handle_data){n, items};
    return SL_OK;
}

TF_Output sl_scope_argument(struct sl_scope *scope, struct sl_flow *function, TF_Output value, bool has_shape) {
    struct sl_error err;
    const struct sl_node *from = sl_as_node(value.oper);
    if (!from) return (TF_Output){NULL, 0};
    const struct sl_shape *shape = &from->shapes[value.index];
    TF_DataType type = sl_type_of(scope, value);
    const struct sl_dims dims = {shape->rank > 0 ? shape->dims : (const int64_t[]){0}, shape->rank};
    const struct sl_attr_given attrs[] = {{"dtype", SL_GIVEN_TYPE, &type}, {"shape", SL_GIVEN_SHAPE, &dims}};
    TF_Output out = {sl_scope_add(scope, function, "Placeholder", NULL, 0, attrs, has_shape ? 2 : 1), 0};
    if (out.oper && has_shape) take(scope, copy_handle(sl_as_node(out.oper), from, value.index, &err), &err);
    return out;
}

/* One of the functions of a loop or conditional. */
struct function {
    struct sl_flow *flow;
    const char *name;
    TF_Output *arguments, *results; /* the captured ones come after the others */
    int n_arguments, n_results;
};

static bool function_open(struct function *f, struct sl_scope *s, const TF_Output *inputs, int n, int n_results,
                          bool has_shapes) {
    f->flow = sl_scope_flow_new_function(s);
    f->arguments = SL_ARENA_ARRAY(&s->arena, TF_Output, (size_t)n);
    f->results = SL_ARENA_ARRAY(&s->arena, TF_Output, (size_t)n_results);
    f->n_arguments = n;
    f->n_results = n_results;
    if (!f->arguments || !f->results) sl_scope_fail_memory(s);
    for (int i = 0; i < n && sl_scope_ok(s); i++)
        f->arguments[i] = sl_scope_argument(s, f->flow, inputs[i], has_shapes);
    return sl_scope_ok(s);
}

/* The results as they are seen within. */
static void function_finish(struct function *f, struct sl_scope *s, const char *what) {
    for (int i = 0; i < f->n_results && sl_scope_ok(s); i++) {
        if (f->results[i].oper) f->results[i] = sl_scope_see(s, f->flow, f->results[i]);
        else sl_status_fail(s->status, SL_INVALID_ARGUMENT, "%s gave no value %d", what, i);
    }
}

/* Gives all functions the same captured arguments; `outside` gets what they stand for, *n of them. */
static const TF_Output *unite(struct sl_scope *s, int *n, struct function *functions, int n_functions) {
    for (int i = 0; i < n_functions; i++)
        for (size_t c = 0; c < functions[i].flow->captured.n; c++)
            for (int k = 0; k < n_functions; k++)
                sl_scope_see(s, functions[k].flow, functions[i].flow->captured.items[c].from);
    if (!sl_scope_ok(s)) return NULL;
    const struct sl_flow *first = functions[0].flow;
    TF_Output *outside = SL_ARENA_ARRAY(&s->arena, TF_Output, first->captured.n);
    *n = (int)first->captured.n;
    for (int c = 0; c < *n && outside; c++) outside[c] = first->captured.items[c].from;
    if (!outside) sl_scope_fail_memory(s);
    return outside;
}

/* `list`, n of them, and then what stands for `outside` in the function. */
static TF_Output *with_captured(struct sl_scope *s, const struct function *f, const TF_Output *list, int n,
                                const TF_Output *outside, int n_outside) {
    TF_Output *all = SL_ARENA_ARRAY(&s->arena, TF_Output, (size_t)n + (size_t)n_outside);
    if (!all) {
        sl_scope_fail_memory(s);
        return NULL;
    }
    for (int i = 0; i < n; i++) all[i] = list[i];
    for (int i = 0; i < n_outside; i++) all[n + i] = f ? sl_scope_seen(s, f->flow, outside[i]) : outside[i];
    return all;
}

/* "a_b_while_body_7", which no function of the graph is called. */
static const char *function_name(struct sl_scope *s, const char *part) {
    for (;;) {
        char *name =
            sl_arena_format(&s->arena, "%.*s_%s_%d", (int)s->prefix.n - 1, s->prefix.items, part, s->n_functions++);
        if (!name) {
            sl_scope_fail_memory(s);
            return NULL;
        }
        for (char *c = name; *c; c++)
            if (!isalnum((unsigned char)*c)) *c = '_';
        if (!sl_graph_function(s->root.graph->graph, sl_str_of(name))) return name;
    }
}

/* Cuts the function out and puts it, with all it calls, into the library of the graph around. */
static void function_cut(struct function *f, struct sl_scope *s, const char *part, const TF_Output *outside,
                         int n_outside, bool hands_on) {
    const TF_Output *inputs = with_captured(s, f, f->arguments, f->n_arguments, outside, n_outside);
    int n_results = f->n_results + (hands_on ? n_outside : 0);
    const TF_Output *results = with_captured(s, f, f->results, f->n_results, outside, hands_on ? n_outside : 0);
    f->name = function_name(s, part);
    if (!inputs || !results || !f->name) return;
    TF_Function *function = TF_GraphToFunction(f->flow->graph, f->name, 0, -1, NULL, f->n_arguments + n_outside, inputs,
                                               n_results, results, NULL, NULL, NULL, s->status);
    if (sl_scope_ok(s)) share_functions(s, s->graph, f->flow->graph);
    if (sl_scope_ok(s)) TF_GraphCopyFunction(s->graph, function, NULL, s->status);
    TF_DeleteFunction(function);
}

static const int64_t no_dims[1]; /* of a shape whose rank is not known */

void sl_scope_describe(struct sl_scope *scope, TF_DataType *type, struct sl_dims *shape, TF_Output value) {
    const struct sl_shape *known = &sl_as_node(value.oper)->shapes[value.index];
    int64_t *dims = known->rank < 0 ? NULL : SL_ARENA_ARRAY(&scope->arena, int64_t, (size_t)known->rank + 1);
    if (known->rank >= 0 && !dims) sl_scope_fail_memory(scope);
    for (int d = 0; dims && d < known->rank; d++) dims[d] = known->dims[d];
    *type = (TF_DataType)sl_dtype_base(sl_as_node(value.oper)->out_types[value.index]);
    *shape = dims ? (struct sl_dims){dims, known->rank} : (struct sl_dims){no_dims, -1};
}

bool sl_scope_make_function(struct sl_scope_function *out, struct sl_scope *scope, const char *part,
                            const TF_DataType *types, const struct sl_dims *shapes, int n, sl_scope_body *body,
                            TF_DataType *ret_types, struct sl_dims *ret_shapes, int n_rets, void *arg) {
    struct function f = {.n_arguments = n, .n_results = n_rets};
    if (sl_is_eager(scope))
        return sl_eager_make_function(out, scope, part, types, shapes, n, body, ret_types, ret_shapes, n_rets, arg);
    f.flow = sl_scope_flow_new_function(scope);
    f.arguments = SL_ARENA_ARRAY(&scope->arena, TF_Output, (size_t)n + 1);
    f.results = SL_ARENA_ARRAY(&scope->arena, TF_Output, (size_t)n_rets + 1);
    if (!f.arguments || !f.results) sl_scope_fail_memory(scope);
    for (int i = 0; i < n && sl_scope_ok(scope); i++) {
        const struct sl_attr_given attrs[] = {{"dtype", SL_GIVEN_TYPE, &types[i]},
                                              {"shape", SL_GIVEN_SHAPE, &shapes[i]}};
        f.arguments[i] = sl_op_first(sl_scope_add(scope, f.flow, "Placeholder", NULL, 0, attrs, 2));
    }
    if (!sl_scope_ok(scope)) return false;
    struct sl_flow *outer = sl_scope_enter(scope, f.flow);
    body(scope, f.results, f.arguments, arg);
    sl_scope_enter(scope, outer);
    function_finish(&f, scope, part);
    for (int i = 0; i < n_rets && sl_scope_ok(scope); i++)
        sl_scope_describe(scope, &ret_types[i], &ret_shapes[i], f.results[i]);
    out->n_captured = 0;
    out->captured = sl_scope_ok(scope) ? unite(scope, &out->n_captured, &f, 1) : NULL;
    if (out->captured) function_cut(&f, scope, part, out->captured, out->n_captured, false);
    out->name = f.name;
    return sl_scope_ok(scope);
}

static bool is_stateful(const struct function *f) {
    SL_GRAPH_EACH(node, f->flow->graph->graph)
    if (sl_op_is_stateful(node->op)) return true;
    return false;
}

/* ---- loops */
static void check_variables(struct sl_scope *s, const struct function *body, bool shapes_vary) {
    for (int i = 0; i < body->n_results && sl_scope_ok(s); i++) {
        if (sl_type_of(s, body->results[i]) != sl_type_of(s, body->arguments[i]))
            sl_status_fail(s->status, SL_INVALID_ARGUMENT,
                           "sl_while: the type of variable %d changes from one iteration to the next", i);
        else if (!shapes_vary) sl_scope_check_shape(s, body->results[i], body->arguments[i], i);
    }
}

static struct sl_dims *shapes_of(struct sl_scope *s, const TF_Output *values, int n, int n_unknown) {
    struct sl_dims *shapes = SL_ARENA_ARRAY(&s->arena, struct sl_dims, (size_t)n);
    if (!shapes) sl_scope_fail_memory(s);
    for (int i = n_unknown; i < n && shapes; i++) {
        const struct sl_shape *shape = &sl_as_node(values[i].oper)->shapes[values[i].index];
        if (shape->rank >= 0) shapes[i] = (struct sl_dims){shape->rank ? shape->dims : &s->seed, shape->rank};
    }
    return shapes;
}

static void add_while(struct sl_scope *s, TF_Output *outputs, int n, const TF_Output *inputs, int n_all, const char *op,
                      const char *cond, const char *body, const struct sl_while_options *o) {
    bool shapes_vary = o->shapes_vary;
    int64_t parallel = o->parallel_iterations ? o->parallel_iterations : 10;
    struct sl_shapes shapes = {shapes_of(s, inputs, n_all, shapes_vary ? n : 0), n_all};
    const struct sl_op_input list = {inputs, n_all};
    const struct sl_attr_given attrs[] = {{"cond", SL_GIVEN_FUNCTION, &cond},
                                          {"body", SL_GIVEN_FUNCTION, &body},
                                          {"output_shapes", SL_GIVEN_SHAPES, &shapes},
                                          {"parallel_iterations", SL_GIVEN_INT, &parallel}};
    TF_Operation *loop = sl_scope_ok(s) ? sl_op(s, op, &list, 1, attrs, 4) : NULL;
    for (int i = 0; i < n && loop; i++) outputs[i] = (TF_Output){loop, i};
}

void sl_scope_while(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, int n,
                    TF_Output (*cond)(struct sl_scope *scope, const TF_Output *variables, void *arg),
                    void (*body)(struct sl_scope *scope, TF_Output *next, const TF_Output *variables, void *arg),
                    void *arg, const struct sl_while_options *options) {
    struct function f[2] = {{0}};
    bool shapes_vary = options->shapes_vary;
    TF_Output *seen = with_captured(scope, NULL, inputs, n, NULL, 0);
    for (int i = 0; i < n && seen; i++) seen[i] = sl_scope_see(scope, scope->flow, inputs[i]);
    if (!sl_scope_ok(scope) || !function_open(&f[0], scope, seen, n, 1, !shapes_vary) ||
        !function_open(&f[1], scope, seen, n, n, !shapes_vary))
        return;
    struct sl_flow *outer = sl_scope_enter(scope, f[0].flow);
    f[0].results[0] = cond(scope, f[0].arguments, arg);
    sl_scope_enter(scope, f[1].flow);
    if (sl_scope_ok(scope)) body(scope, f[1].results, f[1].arguments, arg);
    sl_scope_enter(scope, outer);
    function_finish(&f[0], scope, "sl_while: the condition");
    function_finish(&f[1], scope, "sl_while: the body");
    check_variables(scope, &f[1], shapes_vary);
    int n_outside = 0;
    const TF_Output *outside = sl_scope_ok(scope) ? unite(scope, &n_outside, f, 2) : NULL;
    if (!outside) return;
    function_cut(&f[0], scope, "cond", outside, n_outside, false);
    function_cut(&f[1], scope, "body", outside, n_outside, true);
    const TF_Output *all = with_captured(scope, NULL, seen, n, outside, n_outside);
    if (sl_scope_ok(scope))
        add_while(scope, outputs, n, all, n + n_outside,
                  is_stateful(&f[0]) || is_stateful(&f[1]) ? "While" : "StatelessWhile", f[0].name, f[1].name, options);
}

/* ---- computed again */
/* The call has a function for its op: the gradient of that is SymbolicGradient, which begins with the function's
 * arguments. */
static void add_call(struct sl_scope *s, TF_Output *outputs, const struct function *f, const TF_Output *inputs, int n) {
    struct sl_op_input *each = SL_ARENA_ARRAY(&s->arena, struct sl_op_input, (size_t)n);
    if (!each) sl_scope_fail_memory(s);
    for (int i = 0; i < n && each; i++) each[i] = (struct sl_op_input){&inputs[i], -1};
    TF_Operation *call = sl_scope_ok(s) ? sl_op(s, f->name, each, n, NULL, 0) : NULL;
    for (int i = 0; i < f->n_results && call && sl_scope_ok(s); i++) {
        struct sl_error err;
        outputs[i] = (TF_Output){call, i};
        const struct sl_node *from = sl_as_node(f->results[i].oper);
        sl_graph_lock(s->graph);
        sl_code code =
            sl_graph_set_shape(s->graph->graph, sl_as_port(outputs[i]), from->shapes[f->results[i].index], &err);
        sl_graph_unlock(s->graph);
        take(s, code, &err);
    }
}

SL_API void sl_recomputed(struct sl_scope *scope, TF_Output *outputs, int n_outputs, const TF_Output *inputs,
                          int n_inputs,
                          void (*f)(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, void *arg),
                          void *arg) {
    struct function made = {0};
    inputs = sl_scope_copy(scope, inputs, n_inputs);
    for (int i = 0; i < n_outputs; i++) outputs[i] = sl_op_first(NULL);
    if (n_outputs < 1 || n_inputs < 0)
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_recomputed: there must be a result");
    if (!sl_scope_ok(scope)) return;
    if (sl_is_eager(scope)) { /* what a tape keeps it keeps */
        f(scope, outputs, inputs, arg);
        return;
    }
    struct sl_graph_mark mark = sl_graph_mark(scope->graph->graph);
    struct sl_flow *outer = scope->flow;
    int n_outside = 0;
    sl_push_name(scope, "recomputed");
    TF_Output *seen = with_captured(scope, NULL, inputs, n_inputs, NULL, 0);
    for (int i = 0; i < n_inputs && seen; i++) seen[i] = sl_scope_see(scope, scope->flow, inputs[i]);
    if (sl_scope_ok(scope) && function_open(&made, scope, seen, n_inputs, n_outputs, true)) {
        sl_scope_enter(scope, made.flow);
        f(scope, made.results, made.arguments, arg);
        sl_scope_enter(scope, outer);
        function_finish(&made, scope, "sl_recomputed: the callback");
        const TF_Output *outside = sl_scope_ok(scope) ? unite(scope, &n_outside, &made, 1) : NULL;
        if (outside) function_cut(&made, scope, "step", outside, n_outside, false);
        const TF_Output *all = outside ? with_captured(scope, NULL, seen, n_inputs, outside, n_outside) : NULL;
        if (all && sl_scope_ok(scope)) add_call(scope, outputs, &made, all, n_inputs + n_outside);
    }
    sl_scope_enter(scope, outer);
    sl_pop(scope);
    if (!sl_scope_ok(scope)) sl_scope_take_back(scope, mark, outputs, n_outputs);
}

/* ---- conditionals */
/* What is known of result k whichever branch gives it. */
static struct sl_dims shape_of_all(struct sl_scope *s, const struct function *f, int n_branches, int k) {
    const struct sl_node *first = sl_as_node(f[0].results[k].oper);
    struct sl_shape shape = first->shapes[f[0].results[k].index];
    int64_t *dims = SL_ARENA_ARRAY(&s->arena, int64_t, shape.rank > 0 ? (size_t)shape.rank : 0);
    if (!dims) sl_scope_fail_memory(s);
    for (int d = 0; d < shape.rank && dims; d++) dims[d] = shape.dims[d];
    for (int i = 1; i < n_branches && dims; i++) {
        const struct sl_shape other = sl_as_node(f[i].results[k].oper)->shapes[f[i].results[k].index];
        if (other.rank != shape.rank || other.rank < 0) return (struct sl_dims){NULL, -1};
        for (int d = 0; d < shape.rank; d++)
            if (other.dims[d] != dims[d]) dims[d] = -1;
    }
    return shape.rank < 0 ? (struct sl_dims){NULL, -1} : (struct sl_dims){dims, shape.rank};
}

static void add_branches(struct sl_scope *s, TF_Output *outputs, int n, const char *op, TF_Output index,
                         const char *const *names, int n_names, const TF_DataType *types, const struct sl_dims *dims,
                         const TF_Output *inputs, int n_inputs) {
    const struct sl_op_input lists[] = {{&index, -1}, {inputs, n_inputs}};
    const struct sl_strings branches = {names, n_names};
    const struct sl_types results = {types, n};
    const struct sl_shapes shapes = {dims, dims ? n : 0};
    const bool is_if = strstr(op, "If") != NULL;
    const struct sl_attr_given of_if[] = {{"then_branch", SL_GIVEN_FUNCTION, &names[0]},
                                          {"else_branch", SL_GIVEN_FUNCTION, &names[1]},
                                          {"Tout", SL_GIVEN_TYPES_NEEDED, &results},
                                          {"output_shapes", SL_GIVEN_SHAPES, &shapes}},
                               of_case[] = {{"branches", SL_GIVEN_FUNCTIONS, &branches},
                                            {"Tout", SL_GIVEN_TYPES_NEEDED, &results},
                                            {"output_shapes", SL_GIVEN_SHAPES, &shapes}};
    TF_Operation *made = sl_op(s, op, lists, 2, is_if ? of_if : of_case, is_if ? 4 : 3);
    for (int i = 0; i < n && made; i++) outputs[i] = (TF_Output){made, i};
}

static void check_results(struct sl_scope *s, const struct function *f, int n_branches) {
    for (int i = 1; i < n_branches && sl_scope_ok(s); i++)
        for (int k = 0; k < f->n_results && sl_scope_ok(s); k++)
            if (sl_type_of(s, f[i].results[k]) != sl_type_of(s, f[0].results[k]))
                sl_status_fail(s->status, SL_INVALID_ARGUMENT, "sl_case: result %d is of another type in branch %d", k,
                               i);
}

void sl_scope_branch(struct sl_scope *scope, TF_Output *outputs, int n, const char *op, TF_Output index,
                     void (*const *branches)(struct sl_scope *scope, TF_Output *outputs, void *arg), int n_branches,
                     void *arg) {
    struct function *f = SL_ARENA_ARRAY(&scope->arena, struct function, (size_t)n_branches);
    const char **names = SL_ARENA_ARRAY(&scope->arena, const char *, (size_t)n_branches);
    TF_DataType *types = n > 0 ? SL_ARENA_ARRAY(&scope->arena, TF_DataType, (size_t)n) : NULL;
    struct sl_dims *dims = n > 0 ? SL_ARENA_ARRAY(&scope->arena, struct sl_dims, (size_t)n) : NULL;
    if (n <= 0) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_case: there must be a result");
    else if (!f || !names || !types || !dims) sl_scope_fail_memory(scope);
    bool has_state = false;
    int n_outside = 0;
    for (int i = 0; i < n_branches && sl_scope_ok(scope); i++) {
        if (!function_open(&f[i], scope, NULL, 0, n, true)) return;
        struct sl_flow *outer = sl_scope_enter(scope, f[i].flow);
        branches[i](scope, f[i].results, arg);
        sl_scope_enter(scope, outer);
        function_finish(&f[i], scope, "sl_case: a branch");
        has_state = has_state || is_stateful(&f[i]);
    }
    if (sl_scope_ok(scope)) check_results(scope, f, n_branches);
    const TF_Output *outside = sl_scope_ok(scope) ? unite(scope, &n_outside, f, n_branches) : NULL;
    for (int i = 0; i < n && outside; i++) {
        types[i] = sl_type_of(scope, f[0].results[i]);
        dims[i] = shape_of_all(scope, f, n_branches, i);
    }
    for (int i = 0; i < n_branches && outside && sl_scope_ok(scope); i++) {
        function_cut(&f[i], scope, "branch", outside, n_outside, false);
        names[i] = f[i].name;
    }
    const char *whole = has_state ? op : sl_arena_format(&scope->arena, "Stateless%s", op);
    if (!whole) sl_scope_fail_memory(scope);
    if (sl_scope_ok(scope) && outside)
        add_branches(scope, outputs, n, whole, index, names, n_branches, types, dims, outside, n_outside);
}

/* ---- by functions that are there already */
static const char *add_function(struct sl_scope *s, const TF_Function *function) {
    if (!function) sl_scope_fail(s, TF_INVALID_ARGUMENT, "A loop or conditional without its functions");
    if (!sl_scope_ok(s)) return NULL;
    TF_GraphCopyFunction(s->graph, function, NULL, s->status);
    return sl_scope_ok(s) ? sl_arena_format(&s->arena, "%.*s", SL_STR_ARG(function->def->name)) : NULL;
}

SL_API void sl_while_of(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, int n,
                        const TF_Function *cond, const TF_Function *body, const struct sl_while_options *options) {
    struct sl_while_options o = {0};
    inputs = sl_scope_copy(scope, inputs, n);
    for (int i = 0; i < n; i++) outputs[i] = sl_op_first(NULL);
    if (n <= 0) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_while_of: there must be a variable");
    sl_scope_needs_graph(scope, "sl_while_of");
    if (!sl_scope_ok(scope) || !SL_OPTIONS_TAKE(&o, sl_while_options, recompute, options, scope->status)) return;
    const char *cond_name = scope ? add_function(scope, cond) : NULL,
               *body_name = scope ? add_function(scope, body) : NULL;
    if (!cond_name || !body_name) return;
    if (o.name) sl_name(scope, o.name);
    TF_Output *seen = with_captured(scope, NULL, inputs, n, NULL, 0);
    for (int i = 0; i < n && seen; i++) seen[i] = sl_scope_see(scope, scope->flow, inputs[i]);
    if (sl_scope_ok(scope)) add_while(scope, outputs, n, seen, n, "While", cond_name, body_name, &o);
    if (o.no_gradient) sl_scope_stop_gradients(scope, outputs, n);
}

SL_API void sl_case_of(struct sl_scope *scope, TF_Output *outputs, int n, TF_Output index,
                       const TF_Function *const *branches, int num_branches, const TF_Output *inputs, int num_inputs) {
    inputs = sl_scope_copy(scope, inputs, num_inputs);
    for (int i = 0; i < n; i++) outputs[i] = sl_op_first(NULL);
    bool is_if = sl_scope_needs_graph(scope, "sl_case_of") && sl_type_of(scope, index) == TF_BOOL;
    if (num_branches < 1 || (is_if && num_branches != 2))
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_case_of: there must be a branch, and two for a bool");
    if (!sl_scope_ok(scope)) return;
    const char **names = SL_ARENA_ARRAY(&scope->arena, const char *, (size_t)num_branches);
    TF_DataType *types = SL_ARENA_ARRAY(&scope->arena, TF_DataType, n > 0 ? (size_t)n : 0);
    if (!names || !types) sl_scope_fail_memory(scope);
    for (int i = 0; i < num_branches && sl_scope_ok(scope); i++) names[i] = add_function(scope, branches[i]);
    if (!sl_scope_ok(scope)) return;
    const struct sl_pb_OpDef_ArgDef *results = branches[0]->def->def->signature->output_arg.items;
    if (branches[0]->def->def->signature->output_arg.n != (size_t)n) {
        sl_status_fail(scope->status, SL_INVALID_ARGUMENT, "sl_case_of: the branches give %zu results, not %d",
                       branches[0]->def->def->signature->output_arg.n, n);
        return;
    }
    for (int i = 0; i < n; i++) types[i] = (TF_DataType)results[i].type;
    add_branches(scope, outputs, n, is_if ? "If" : "Case", index, names, num_branches, types, NULL, inputs, num_inputs);
}
