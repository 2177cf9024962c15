/* Derives functions, makes functions of bodies. Deriving a function derives what it calls: recursion stops at a
 * function that is being derived already, and a budget bounds what a few lines of a graph can ask for. */
#include "grad/graph/derive.h"

#include <ctype.h>

#include "base/alloc.h"
#include "grad/graph/loop_gradient.h"

enum { MOST_NESTED = 48, MOST_DERIVED = 4096 };
/* Nodes of functions that are derived, and more for each that was written. */
enum { MOST_NODES = 1 << 18, MOST_NODES_EACH = 64 };

/* ---- bodies */
/* Shapes of all nodes, those of the arguments being what the caller knows. */
static sl_code infer_body(struct sl_body *body, const struct sl_term *inputs, struct sl_arena *arena,
                          struct sl_error *err) {
    struct sl_node **order;
    size_t n;
    SL_TRY(sl_graph_order(&order, &n, body->graph, arena, err));
    for (int i = 0; i < body->n_args; i++) {
        struct sl_port from = sl_port_of(inputs[i]);
        SL_TRY(
            sl_graph_set_shape(body->graph, (struct sl_port){body->args[i], 0}, from.node->shapes[from.index], NULL));
    }
    for (size_t i = 0; i < n; i++)
        if (!sl_node_is(order[i], "_Arg")) SL_TRY(sl_graph_infer(body->graph, order[i], err));
    return SL_OK;
}

sl_code sl_share_functions(struct sl_graph *to, const struct sl_graph *from, struct sl_error *err) {
    if (to == from) return SL_OK;
    for (size_t i = 0; i < from->functions.n; i++)
        if (sl_graph_function(to, from->functions.items[i]->name) != from->functions.items[i])
            SL_TRY(sl_graph_add_function(to, from->functions.items[i], err));
    for (size_t i = 0; i < from->gradients.n; i++)
        SL_TRY(sl_graph_set_gradient(to, from->gradients.items[i].function, from->gradients.items[i].gradient, err));
    return SL_OK;
}

sl_code sl_add_argument(struct sl_node **out, struct sl_walk *w, struct sl_grad_scope *scope, int type,
                        struct sl_shape shape) {
    const struct sl_pb_AttrValue of = {.which = SL_PB_AttrValue_type, .type = sl_dtype_base(type)};
    const struct sl_pb_AttrValue index = {.which = SL_PB_AttrValue_i, .i = 0};
    const struct sl_attr attrs[] = {{SL_STR("T"), &of}, {SL_STR("index"), &index}};
    struct sl_graph *graph = scope->emitter.graph;
    struct sl_node_spec spec = {.device = SL_STR(""), .attrs = {attrs, 2}};
    SL_TRY(sl_graph_find_op(&spec.op, graph, SL_STR("_Arg"), w->err));
    spec.name = sl_graph_unique_name(graph, SL_STR("arg"));
    if (!spec.name.p) return sl_fail_memory(w->err, sizeof(struct sl_str));
    SL_TRY(sl_graph_add(out, graph, &spec, w->err));
    (*out)->mark = scope;
    return sl_graph_set_shape(graph, (struct sl_port){*out, 0}, shape, w->err);
}

/* ---- what the gradient uses */
static int argument_of(const struct sl_walk *w, struct sl_port port) {
    for (int i = 0; i < w->n_arguments; i++)
        if (w->arguments[i] == port.node) return i;
    return -1;
}

sl_code sl_capture_value(struct sl_term *out, struct sl_walk *w, struct sl_port port) {
    struct sl_body_capture *c = w->capture;
    struct sl_node *stand;
    int type = port.node->out_types[port.index];
    SL_TRY(sl_add_argument(&stand, w, &w->root, type, port.node->shapes[port.index]));
    if (c->n == c->cap) {
        int cap = c->cap ? c->cap * 2 : 8;
        struct sl_body_captured *more = SL_ARENA_ARRAY(&w->arena, struct sl_body_captured, (size_t)cap);
        if (!more) return sl_fail_memory(w->err, (size_t)cap * sizeof *more);
        if (c->n) memcpy(more, c->items, (size_t)c->n * sizeof *more);
        c->items = more;
        c->cap = cap;
    }
    c->items[c->n++] = (struct sl_body_captured){port, stand, argument_of(w, port)};
    *out = (struct sl_term){stand, 0};
    return SL_OK;
}

/* ---- deriving */
bool sl_is_being_derived(const struct sl_walk *w, struct sl_str function) {
    for (; w; w = w->outer)
        if (sl_str_eq(w->function, function)) return true;
    return false;
}

static const struct sl_walk *around(const struct sl_walk *w) { return w->outer ? w->outer : w->spec->within; }

/* "f -> g -> h": the functions that the walk is within, the outermost first, as far as there is room. */
static const char *chain_text(struct sl_walk *w) {
    enum { MOST_SHOWN = 16 };
    const char *text = "";
    int n = 0;
    for (const struct sl_walk *at = w; at && text; at = around(at)) {
        if (!at->function.n) continue;
        if (++n > MOST_SHOWN) return sl_arena_format(&w->arena, "... -> %s", text);
        text = sl_arena_format(&w->arena, "%.*s -> %s", SL_STR_ARG(at->function), text);
    }
    return text;
}

sl_code sl_derived_check_chain(struct sl_walk *w, struct sl_str function, bool is_by_name) {
    int depth = 0;
    bool is_met = !is_by_name && sl_is_being_derived(w, function);
    for (const struct sl_walk *at = w; at; at = around(at)) {
        is_met |= is_by_name && !at->outer && sl_str_eq(at->function, function);
        depth++;
    }
    const char *chain = is_met || depth > MOST_NESTED ? chain_text(w) : "";
    if (!chain) return sl_fail_memory(w->err, function.n);
    if (is_met && is_by_name)
        return sl_fail(w->err, SL_INVALID_ARGUMENT, "The gradient of function '%.*s' needs itself: %s%.*s",
                       SL_STR_ARG(function), chain, SL_STR_ARG(function));
    if (is_met)
        return sl_fail(w->err, SL_UNIMPLEMENTED, "The gradient of function '%.*s', which calls itself",
                       SL_STR_ARG(function));
    if (depth > MOST_NESTED)
        return sl_fail(w->err, SL_RESOURCE_EXHAUSTED,
                       "The gradient of function '%.*s': too many calls within calls: %s%.*s", SL_STR_ARG(function),
                       chain, SL_STR_ARG(function));
    if (++w->spent->functions > MOST_DERIVED)
        return sl_fail(w->err, SL_RESOURCE_EXHAUSTED,
                       "The gradient of function '%.*s': more than %d functions would have to be derived",
                       SL_STR_ARG(function), MOST_DERIVED);
    return SL_OK;
}

/* Counts a body that is about to be derived. */
static sl_code spend(struct sl_walk *w, struct sl_str function, const struct sl_graph *body) {
    const size_t most = MOST_NODES + MOST_NODES_EACH * sl_graph_written_nodes(w->graph);
    w->spent->nodes += body->live;
    if (w->spent->nodes <= most) return SL_OK;
    return sl_fail(w->err, SL_RESOURCE_EXHAUSTED,
                   "The gradient of function '%.*s': functions of more than %zu nodes would have to be derived",
                   SL_STR_ARG(function), most);
}

sl_code sl_derived_check(const struct sl_derived_call *call, const struct sl_body *body, struct sl_error *err) {
    const struct sl_node *n = call->node;
    if (sl_body_fits(body, n->in_types + call->first, n->n_inputs - call->first, n->out_types, n->n_outputs))
        return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Function '%.*s', of %d arguments and %d results, does not fit node '%.*s' that calls it",
                   SL_STR_ARG(call->function->name), body->n_args, body->n_rets, SL_STR_ARG(n->name));
}

static sl_code make_bodies(struct sl_derived *d, struct sl_walk *outer, const struct sl_derived_call *call) {
    const struct sl_pb_NameAttrList *function = call->function;
    struct sl_attrs attrs;
    struct sl_function_def *f = sl_graph_function(outer->graph, function->name);
    if (!f) return sl_fail(outer->err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(function->name));
    SL_TRY(sl_derived_check_chain(outer, function->name, false));
    SL_TRY(sl_attrs_of_map(&attrs, &outer->arena, &function->attr, outer->err));
    SL_TRY(sl_function_instantiate(&d->forward, f, &attrs, outer->graph, outer->err));
    SL_TRY(sl_derived_check(call, &d->forward, outer->err));
    SL_TRY(spend(outer, function->name, d->forward.graph));
    d->forward.graph->inferred_in_bodies = outer->graph->inferred_in_bodies; /* what one may, all may together */
    SL_TRY(infer_body(&d->forward, call->inputs, &outer->arena, outer->err));
    outer->graph->inferred_in_bodies = d->forward.graph->inferred_in_bodies;
    SL_TRY(sl_graph_new(&d->backward, outer->graph->registry, outer->err));
    d->backward->evaluator = outer->graph->evaluator;
    d->backward->outer = outer->graph;
    d->forward.graph->mark = d->backward->mark = outer->graph->mark; /* calls within have gradients of their own */
    return SL_OK;
}

static sl_code list_ends(struct sl_derived *d, struct sl_walk *outer, bool keeps_slices, const bool *has_dy,
                         const bool *wants) {
    size_t n_x = (size_t)d->forward.n_args, n_y = (size_t)d->forward.n_rets;
    struct sl_port *ys = SL_ARENA_ARRAY(&outer->arena, struct sl_port, n_y + 1);
    struct sl_port *xs = SL_ARENA_ARRAY(&outer->arena, struct sl_port, n_x + 1);
    d->dys = SL_ARENA_ARRAY(&outer->arena, struct sl_node *, n_y + 1);
    d->dxs = SL_ARENA_ARRAY(&outer->arena, struct sl_port, n_x + 1);
    if (keeps_slices) d->rows = SL_ARENA_ARRAY(&outer->arena, struct sl_derived_rows, n_x + 1);
    if (!ys || !xs || !d->dys || !d->dxs || (keeps_slices && !d->rows))
        return sl_fail_memory(outer->err, (n_x + n_y) * sizeof *ys);
    d->spec = *outer->spec;
    d->spec.ys = ys;
    d->spec.xs = xs;
    d->spec.n_ys = d->spec.n_xs = d->spec.n_stops = 0;
    for (size_t i = 0; i < n_y; i++)
        if (has_dy[i]) ys[d->spec.n_ys++] = d->forward.rets[i]->inputs[0];
    for (size_t i = 0; i < n_x; i++)
        if (wants[i]) xs[d->spec.n_xs++] = (struct sl_port){d->forward.args[i], 0};
    return SL_OK;
}

/* The parts of IndexedSlices, as the body gives them. */
static sl_code keep_rows(struct sl_derived *d, int argument, const struct sl_term_gradient *gradient) {
    struct sl_walk *w = &d->walk;
    struct sl_term values, indices, dense_shape;
    SL_TRY(sl_walk_bring(&values, w, &w->root, gradient->values));
    SL_TRY(sl_walk_bring(&indices, w, &w->root, gradient->indices));
    SL_TRY(sl_walk_bring(&dense_shape, w, &w->root, gradient->dense_shape));
    d->dxs[argument] = sl_port_of(values);
    d->rows[argument] = (struct sl_derived_rows){sl_port_of(indices), sl_port_of(dense_shape), false};
    return SL_OK;
}

static sl_code run_walk(struct sl_derived *d, const bool *has_dy, const bool *wants) {
    struct sl_walk *w = &d->walk;
    for (int i = 0; i < d->forward.n_rets; i++) {
        struct sl_port y = d->forward.rets[i]->inputs[0];
        if (!has_dy[i]) continue;
        SL_TRY(sl_add_argument(&d->dys[i], w, &w->root, y.node->out_types[y.index], y.node->shapes[y.index]));
        SL_TRY(sl_walk_give(w, y, (struct sl_term_gradient){.values = {d->dys[i], 0}}));
    }
    SL_TRY(sl_walk_region(w, &w->root, 0));
    for (int i = 0; i < d->forward.n_args; i++) {
        struct sl_term_gradient gradient;
        struct sl_term dense;
        if (!wants[i]) continue;
        SL_TRY(sl_walk_sum(&gradient, w, &w->root, (struct sl_port){d->forward.args[i], 0}));
        bool is_resource = d->forward.args[i]->out_types[0] == SL_RESOURCE;
        if (!sl_term_is(gradient.values) && d->rows) d->rows[i].is_none = true;
        if (!sl_term_is(gradient.values) && is_resource) continue; /* zeros of what type, nobody knows here */
        if (d->rows && sl_term_is(gradient.indices) && sl_term_is(gradient.dense_shape)) {
            SL_TRY(keep_rows(d, i, &gradient));
            continue;
        }
        if (sl_term_is(gradient.values)) SL_TRY(sl_walk_dense(&dense, w, &w->root, &gradient));
        else SL_TRY(sl_walk_zeros(&dense, w, &w->root, (struct sl_term){d->forward.args[i], 0}));
        SL_TRY(sl_walk_bring(&dense, w, &w->root, dense));
        d->dxs[i] = sl_port_of(dense);
    }
    return SL_OK;
}

sl_code sl_derive(struct sl_derived *d, struct sl_walk *outer, const struct sl_derived_call *call, const bool *has_dy,
                  const bool *wants) {
    *d = (struct sl_derived){0};
    SL_TRY(make_bodies(d, outer, call));
    SL_TRY(list_ends(d, outer, call->keeps_slices, has_dy, wants));
    d->has_walk = true;
    SL_TRY(sl_walk_init(&d->walk, d->forward.graph, d->backward, &d->spec, outer->err));
    d->walk.outer = outer;
    d->walk.function = call->function->name;
    d->walk.spent = outer->spent;
    d->walk.capture = &d->capture;
    d->walk.arguments = d->forward.args;
    d->walk.n_arguments = d->forward.n_args;
    return run_walk(d, has_dy, wants);
}

sl_code sl_derived_dense(struct sl_derived *d, int argument) {
    struct sl_walk *w = &d->walk;
    struct sl_derived_rows *rows = &d->rows[argument];
    if (!rows->indices.node) return SL_OK;
    struct sl_term_gradient gradient = {sl_term_of(d->dxs[argument]), sl_term_of(rows->indices),
                                        sl_term_of(rows->dense_shape)};
    struct sl_term dense;
    SL_TRY(sl_walk_dense(&dense, w, &w->root, &gradient));
    *rows = (struct sl_derived_rows){0};
    d->dxs[argument] = sl_port_of(dense);
    return SL_OK;
}

static struct sl_term one_int(struct sl_rule *g, int type, int64_t value) { return sl_rule_vector(g, type, &value, 1); }

/* Of no rows: values of the shape [0, that of a row]. */
static void no_rows(struct sl_term_gradient *out, struct sl_rule *g, int type, int index_type) {
    const int shape_type = sl_rule_dtype(g, out->dense_shape);
    struct sl_term zero = one_int(g, shape_type, 0);
    struct sl_term cut[] = {out->dense_shape, one_int(g, SL_INT32, 1), one_int(g, SL_INT32, -1)};
    struct sl_term joined[] = {zero, sl_rule_emit(g, "Slice", cut, 3, NULL, 0), sl_rule_number(g, SL_INT32, 0)};
    struct sl_term values[] = {sl_rule_emit(g, "ConcatV2", joined, 3, NULL, 0), sl_rule_number(g, type, 0)};
    struct sl_term indices[] = {zero, sl_rule_number(g, index_type, 0)};
    out->values = sl_rule_emit(g, "Fill", values, 2, NULL, 0);
    out->indices = sl_rule_emit(g, "Fill", indices, 2, NULL, 0);
}

/* Of all rows of `dense`. */
static void all_rows(struct sl_term_gradient *out, struct sl_rule *g, struct sl_term dense, int index_type) {
    struct sl_term cut[] = {out->dense_shape, one_int(g, SL_INT32, 0), one_int(g, SL_INT32, 1)};
    struct sl_term n[] = {sl_rule_emit(g, "Slice", cut, 3, NULL, 0), sl_rule_vector(g, SL_INT32, NULL, 0)};
    struct sl_term limit = sl_rule_cast(g, sl_rule_emit(g, "Reshape", n, 2, NULL, 0), index_type);
    struct sl_term range[] = {sl_rule_number(g, index_type, 0), limit, sl_rule_number(g, index_type, 1)};
    out->values = dense;
    out->indices = sl_rule_emit(g, "Range", range, 3, NULL, 0);
}

sl_code sl_derived_slices(struct sl_derived *d, int argument, const struct sl_derived *like) {
    struct sl_walk *w = &d->walk;
    struct sl_node_rule rule = sl_words_in(&w->root);
    struct sl_rule *g = &rule.base;
    const struct sl_derived_rows *rows = &like->rows[argument];
    const struct sl_port values = like->dxs[argument];
    const int index_type = sl_dtype_base(rows->indices.node->out_types[rows->indices.index]);
    const int shape_type = sl_dtype_base(rows->dense_shape.node->out_types[rows->dense_shape.index]);
    struct sl_term handle = {d->forward.args[argument], 0};
    const bool is_resource = d->forward.args[argument]->out_types[0] == SL_RESOURCE;
    const struct sl_attr out_type = {SL_STR("out_type"), SL_ATTR_VALUE(type, shape_type)};
    struct sl_term_gradient made = {
        .dense_shape = sl_rule_emit(g, is_resource ? "VariableShape" : "Shape", &handle, 1, &out_type, 1)};
    if (d->rows[argument].is_none) no_rows(&made, g, sl_dtype_base(values.node->out_types[values.index]), index_type);
    else all_rows(&made, g, sl_term_of(d->dxs[argument]), index_type);
    SL_TRY(g->code);
    return keep_rows(d, argument, &made);
}

sl_code sl_derived_resource_zeros(struct sl_derived *d, int argument, int type) {
    struct sl_walk *w = &d->walk;
    struct sl_node_rule rule = sl_words_in(&w->root);
    struct sl_rule *g = &rule.base;
    struct sl_term handle = {d->forward.args[argument], 0};
    struct sl_term both[] = {sl_rule_emit(g, "VariableShape", &handle, 1, NULL, 0), sl_rule_number(g, type, 0)};
    d->dxs[argument] = sl_port_of(sl_rule_emit(g, "Fill", both, 2, NULL, 0));
    return g->code;
}

void sl_derived_clear(struct sl_derived *d) {
    if (d->has_walk) sl_walk_clear(&d->walk);
    sl_graph_free(d->forward.graph);
    sl_graph_free(d->backward);
    *d = (struct sl_derived){0};
}

sl_code sl_derived_replace(struct sl_derived *d, struct sl_node *stand, struct sl_term value) {
    for (int i = 0; i < d->forward.n_args; i++) {
        if (d->dxs[i].node == stand) d->dxs[i] = sl_port_of(value);
        if (d->rows && d->rows[i].indices.node == stand) d->rows[i].indices = sl_port_of(value);
        if (d->rows && d->rows[i].dense_shape.node == stand) d->rows[i].dense_shape = sl_port_of(value);
    }
    return sl_graph_replace_uses(d->backward, (struct sl_port){stand, 0}, sl_port_of(value), d->walk.err);
}

/* ---- functions of bodies */
/* Of a function that was made while running: the one that it was made of, so that names do not grow without end. */
static struct sl_str origin(struct sl_str name) {
    const struct sl_str made = SL_STR("__symbolic_");
    while (sl_str_starts(name, made)) {
        const char *end = memchr(name.p + made.n, '_', name.n - made.n);
        if (!end) break;
        name = (struct sl_str){end + 1, name.n - (size_t)(end + 1 - name.p)};
    }
    return name;
}

static sl_code choose_name(struct sl_str *out, struct sl_walk *outer, const struct sl_body_function *from) {
    const struct sl_op *op;
    /* Names made while running never meet those that somebody else makes for the same functions. */
    const char *kind = outer->spec->function.n ? "symbolic_" : "";
    const struct sl_str of = origin(from->of);
    /* Numbers are given one after the other: by leaps to one that is free, then halfway back. */
    for (int taken = -1, is_free = -1, i = 0; is_free < 0 || is_free > taken + 1;) {
        char *name = sl_arena_format(&outer->arena, "__%s%s_%.*s_%.*s%d", kind, from->suffix, SL_STR_ARG(of),
                                     SL_STR_ARG(outer->graph->mark), i);
        if (!name) return sl_fail_memory(outer->err, of.n);
        if (!sl_graph_function(outer->graph, sl_str_of(name)) && !sl_graph_function(outer->target, sl_str_of(name)) &&
            sl_op_find(&op, outer->graph->registry, sl_str_of(name), NULL) != SL_OK) {
            is_free = i;
            *out = sl_str_of(name);
        } else {
            taken = i;
        }
        i = is_free < 0 ? 2 * i + 1 : taken + (is_free - taken) / 2;
    }
    return SL_OK;
}

sl_code sl_body_add_function(struct sl_str *name, struct sl_walk *outer, const struct sl_body_function *from) {
    struct sl_node **body = SL_ARENA_ARRAY(&outer->arena, struct sl_node *, from->graph->nodes.n + 1);
    struct sl_to_function spec = {.body = body,
                                  .inputs = from->inputs,
                                  .n_inputs = from->n_inputs,
                                  .outputs = from->outputs,
                                  .n_outputs = from->n_outputs,
                                  .control_outputs = from->controls,
                                  .n_control_outputs = from->n_controls,
                                  .description = SL_STR("")};
    struct sl_function_def *made;
    if (!body) return sl_fail_memory(outer->err, from->graph->nodes.n * sizeof *body);
    SL_GRAPH_EACH(node, from->graph)
    if (!sl_node_is(node, "_Arg") && !sl_node_is(node, "_Retval")) body[spec.n_body++] = node;
    SL_TRY(choose_name(name, outer, from));
    spec.name = *name;
    SL_TRY(sl_share_functions(outer->graph, from->graph, outer->err));
    SL_TRY(sl_share_functions(outer->target, from->graph, outer->err));
    SL_TRY(sl_graph_to_function(&made, from->graph, &spec, outer->err));
    sl_code code = sl_graph_add_function(outer->graph, made, outer->err);
    if (code == SL_OK && outer->target != outer->graph) code = sl_graph_add_function(outer->target, made, outer->err);
    sl_function_unref(made);
    return code;
}

/* ---- extending */
sl_code sl_walk_extend(struct sl_walk *w, struct sl_node *node, const struct sl_attr *attrs, int n_attrs,
                       const struct sl_port *more, int n_more) {
    struct sl_attrs given = node->attrs;
    struct sl_extended_node *kept = SL_ARENA_NEW(&w->arena, struct sl_extended_node);
    if (!kept) return sl_fail_memory(w->err, sizeof *kept);
    for (int i = 0; i < n_attrs; i++)
        SL_TRY(sl_attrs_with(&given, &w->arena, &given, attrs[i].name, attrs[i].value, w->err));
    *kept = (struct sl_extended_node){.node = node, .before = *node, .next = w->extended};
    SL_TRY(sl_graph_extend_node(w->graph, node, &given, more, n_more, w->err));
    w->extended = kept;
    return SL_OK;
}
