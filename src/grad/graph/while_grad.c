/* Gradients of While: a loop that runs as often, backwards.
 *
 *   While(x...) -> y...        becomes  While'(x..., 0, {}...) -> y..., number of iterations, lists...
 *   its gradient                        While(number, dy..., lists..., constants...) -> ..., dx..., ...
 *
 * A list holds what the gradient uses of each iteration; what is the same in all of them is passed as it is, used or
 * not: a second gradient that is nothing but zeros must find its way back, too. */
#include "grad/graph/derive.h"
#include "grad/graph/loop_gradient.h"
#include "grad/words.h"

struct while_loop {
    struct sl_rule *g;
    const struct sl_pb_NameAttrList *condition, *body;
    int n;         /* variables */
    bool *carries; /* by variable: its gradient is a variable of the gradient's loop */
    bool *asked;   /* those, and resources whose gradient is wanted */
    bool *sums;    /* resources: the gradient of what they hold is summed up */
    struct sl_derived d;
    bool *is_listed; /* by captured value: it goes through a list; else it is an argument that never changes */
    bool *is_unused; /* by variable: carries a gradient, never changes, and is not captured */
    int n_lists, n_carried, n_constant, n_sums; /* n_constant: captured or unused */
    struct sl_str forward_condition, forward_body, backward_condition, backward_body;
};

static void *room(struct sl_rule *g, size_t n, size_t size) {
    void *p = sl_arena_array(g->arena, n + 1, size);
    if (!p) sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
    return p;
}

/* ---- which variables have a gradient */
/* From which arguments a gradient may come, or to which it may go: over and over, since a result is the next argument.
 */
struct reach {
    struct sl_body body;
    bool *marks; /* of nodes */
};

static bool spread(struct reach *r, struct sl_node *const *order, size_t n, bool *up, bool *down) {
    bool changed = false;
    memset(r->marks, 0, r->body.graph->nodes.n);
    for (int i = 0; i < r->body.n_args; i++) r->marks[r->body.args[i]->id] = up[i];
    for (size_t k = 0; k < n; k++)
        for (int i = 0; i < order[k]->n_inputs && !r->marks[order[k]->id]; i++) {
            struct sl_port from = order[k]->inputs[i];
            r->marks[order[k]->id] =
                from.node && r->marks[from.node->id] && sl_is_trainable(from.node->out_types[from.index]);
        }
    for (int i = 0; i < r->body.n_rets; i++)
        if (r->marks[r->body.rets[i]->id] && !up[i]) up[i] = changed = true;
    memset(r->marks, 0, r->body.graph->nodes.n);
    for (int i = 0; i < r->body.n_rets; i++) r->marks[r->body.rets[i]->id] = down[i];
    for (size_t k = n; k-- > 0;)
        for (int i = 0; i < order[k]->n_inputs && r->marks[order[k]->id]; i++)
            if (order[k]->inputs[i].node) r->marks[order[k]->inputs[i].node->id] = true;
    for (int i = 0; i < r->body.n_args; i++)
        if (r->marks[r->body.args[i]->id] && !down[i]) down[i] = changed = true;
    return changed;
}

static sl_code find_carried(struct while_loop *l, struct sl_walk *w, bool *up, bool *down) {
    struct sl_rule *g = l->g;
    struct reach r = {0};
    struct sl_attrs attrs;
    struct sl_node **order;
    size_t n;
    struct sl_function_def *f = sl_graph_function(w->graph, l->body->name);
    if (!f) return sl_fail(g->err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(l->body->name));
    SL_TRY(sl_attrs_of_map(&attrs, g->arena, &l->body->attr, g->err));
    SL_TRY(sl_function_instantiate(&r.body, f, &attrs, w->graph, g->err));
    const struct sl_derived_call call = {.node = sl_node_rule(g)->node, .function = l->body};
    sl_code code = sl_derived_check(&call, &r.body, g->err);
    if (code == SL_OK) code = sl_graph_order(&order, &n, r.body.graph, g->arena, g->err);
    r.marks = room(g, r.body.graph->nodes.n, 1);
    if (!r.marks) code = g->code;
    while (code == SL_OK && spread(&r, order, n, up, down)) {}
    sl_graph_free(r.body.graph);
    return code;
}

static sl_code choose_carried(struct while_loop *l, struct sl_walk *w) {
    struct sl_rule *g = l->g;
    bool *up = room(g, (size_t)l->n, 1), *down = room(g, (size_t)l->n, 1);
    l->carries = room(g, (size_t)l->n, 1);
    l->asked = room(g, (size_t)l->n, 1);
    l->sums = room(g, (size_t)l->n, 1);
    if (!up || !down || !l->carries || !l->asked || !l->sums) return g->code;
    for (int i = 0; i < l->n; i++) {
        up[i] = wants(i);
        down[i] = has_dy(i);
    }
    SL_TRY(find_carried(l, w, up, down));
    for (int i = 0; i < l->n; i++) {
        int type = dtype(x(i));
        l->carries[i] = up[i] && down[i] && sl_is_trainable(type) && type != SL_RESOURCE;
        l->n_carried += l->carries[i];
        l->asked[i] = l->carries[i] || (wants(i) && down[i] && type == SL_RESOURCE);
    }
    return SL_OK;
}

/* ---- the forward loop */
static bool never_changes(const struct sl_body *body, int argument) {
    struct sl_port from = body->rets[argument]->inputs[0];
    while (sl_node_is(from.node, "Identity")) from = from.node->inputs[0];
    return from.node == body->args[argument];
}

static sl_code find_sums(struct while_loop *l) {
    for (int i = 0; i < l->n; i++) {
        if (l->carries[i] || !l->d.dxs[i].node) continue;
        if (!never_changes(&l->d.forward, i))
            return sl_fail(l->g->err, SL_UNIMPLEMENTED, "A gradient with respect to a resource that changes in a loop");
        l->sums[i] = true;
        l->n_sums++;
    }
    return SL_OK;
}

static sl_code classify(struct while_loop *l) {
    const struct sl_body_capture *c = &l->d.capture;
    l->is_listed = room(l->g, (size_t)c->n, 1);
    l->is_unused = room(l->g, (size_t)l->n, 1);
    if (!l->is_listed || !l->is_unused) return l->g->code;
    for (int i = 0; i < l->n; i++) l->is_unused[i] = l->carries[i] && never_changes(&l->d.forward, i);
    for (int i = 0; i < c->n; i++) {
        l->is_listed[i] = c->items[i].argument < 0 || !never_changes(&l->d.forward, c->items[i].argument);
        l->n_lists += l->is_listed[i];
        l->n_constant += !l->is_listed[i];
        if (!l->is_listed[i]) l->is_unused[c->items[i].argument] = false;
    }
    for (int i = 0; i < l->n; i++) l->n_constant += l->is_unused[i];
    return SL_OK;
}

static int captured_type(const struct sl_body_captured *c) {
    return sl_dtype_base(c->value.node->out_types[c->value.index]);
}

/* A counter, and at the end of each iteration the values at the ends of their lists. */
static sl_code cut_forward_body(struct while_loop *l) {
    struct sl_derived *d = &l->d;
    struct sl_walk *w = &d->walk;
    size_t n_all = (size_t)(l->n + 1 + l->n_lists);
    struct sl_port *inputs = room(l->g, n_all, sizeof *inputs), *outputs = room(l->g, n_all, sizeof *outputs);
    struct sl_node *argument;
    struct sl_term both[2], out;
    int n = l->n;
    if (!inputs || !outputs) return l->g->code;
    for (int i = 0; i < n; i++) inputs[i] = (struct sl_port){d->forward.args[i], 0};
    for (int i = 0; i < n; i++) outputs[i] = d->forward.rets[i]->inputs[0];
    SL_TRY(sl_add_argument(&argument, w, &w->forward, SL_INT32, SL_SHAPE_SCALAR));
    both[0] = (struct sl_term){argument, 0};
    SL_TRY(sl_walk_number(&both[1], &w->forward, SL_INT32, 1));
    SL_TRY(sl_walk_emit(&out, w, &w->forward, "AddV2", both, 2, NULL, 0));
    inputs[n] = (struct sl_port){argument, 0};
    outputs[n++] = sl_port_of(out);
    for (int i = 0; i < d->capture.n; i++) {
        if (!l->is_listed[i]) continue;
        SL_TRY(sl_add_argument(&argument, w, &w->forward, SL_VARIANT, SL_SHAPE_SCALAR));
        both[0] = (struct sl_term){argument, 0};
        both[1] = sl_term_of(d->capture.items[i].value);
        SL_TRY(sl_walk_emit(&out, w, &w->forward, "TensorListPushBack", both, 2, NULL, 0));
        inputs[n] = (struct sl_port){argument, 0};
        outputs[n++] = sl_port_of(out);
    }
    struct sl_body_function from = {.graph = d->forward.graph,
                                    .suffix = "forward",
                                    .of = l->body->name,
                                    .inputs = inputs,
                                    .n_inputs = n,
                                    .outputs = outputs,
                                    .n_outputs = n,
                                    .controls = d->forward.controls,
                                    .n_controls = d->forward.n_controls};
    return sl_body_add_function(&l->forward_body, sl_node_rule(l->g)->walk, &from);
}

/* The condition takes what the body takes, and looks at none of what is new. */
static sl_code cut_condition(struct sl_str *name, struct while_loop *l, struct sl_body *body) {
    struct sl_walk *w = sl_node_rule(l->g)->walk;
    struct sl_port *inputs = room(l->g, (size_t)(l->n + 1 + l->n_lists), sizeof *inputs), output;
    struct sl_grad_scope scope;
    struct sl_node *argument;
    int n = 0;
    if (!inputs) return l->g->code;
    if (body->n_args != l->n || body->n_rets != 1)
        return sl_fail(w->err, SL_INVALID_ARGUMENT, "The condition of a loop does not fit its variables");
    sl_grad_scope_init(&scope, w, body->graph, SL_STR(""));
    scope.is_forward = true;
    for (; n < l->n; n++) inputs[n] = (struct sl_port){body->args[n], 0};
    for (int i = 0; i <= l->n_lists; i++) {
        SL_TRY(sl_add_argument(&argument, w, &scope, i ? SL_VARIANT : SL_INT32, SL_SHAPE_SCALAR));
        inputs[n++] = (struct sl_port){argument, 0};
    }
    output = body->rets[0]->inputs[0];
    struct sl_body_function from = {.graph = body->graph,
                                    .suffix = "forward",
                                    .of = l->condition->name,
                                    .inputs = inputs,
                                    .n_inputs = n,
                                    .outputs = &output,
                                    .n_outputs = 1,
                                    .controls = body->controls,
                                    .n_controls = body->n_controls};
    return sl_body_add_function(name, w, &from);
}

static sl_code cut_forward_condition(struct while_loop *l) {
    struct sl_walk *w = sl_node_rule(l->g)->walk;
    struct sl_body body;
    struct sl_attrs attrs;
    struct sl_function_def *f = sl_graph_function(w->graph, l->condition->name);
    if (!f) return sl_fail(w->err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(l->condition->name));
    SL_TRY(sl_attrs_of_map(&attrs, &w->arena, &l->condition->attr, w->err));
    SL_TRY(sl_function_instantiate(&body, f, &attrs, w->graph, w->err));
    sl_code code = cut_condition(&l->forward_condition, l, &body);
    sl_graph_free(body.graph);
    return code;
}

/* Shapes that a loop says its variables have, for `n` variables of another one: nothing is said of each. Empty when the
 * loop says nothing. */
static void begin_shapes(struct sl_pb_AttrValue_ListValue *out, struct while_loop *l, int n) {
    const struct sl_pb_AttrValue *given = sl_attr_find(l->g->attrs, SL_STR("output_shapes"));
    struct sl_pb_TensorShapeProto *shapes = room(l->g, (size_t)n, sizeof *shapes);
    *out = (struct sl_pb_AttrValue_ListValue){0};
    if (!given || !given->list || !given->list->shape.n || given->list->shape.n < (size_t)l->n || !shapes) return;
    for (int i = 0; i < n; i++) shapes[i].unknown_rank = true;
    out->shape.items = shapes;
    out->shape.n = (size_t)n;
}

/* Variable `at` of the other one has in each iteration the shape of variable `i`. */
static void say_shape(struct sl_pb_AttrValue_ListValue *shapes, int at, const struct while_loop *l, int i) {
    if (shapes->shape.n)
        shapes->shape.items[at] = sl_attr_find(l->g->attrs, SL_STR("output_shapes"))->list->shape.items[i];
}

static sl_code extend(struct while_loop *l) {
    struct sl_rule *g = l->g;
    struct sl_walk *w = sl_node_rule(g)->walk;
    struct sl_grad_scope *home = sl_loop_home(w, sl_node_rule(g)->scope, y(0));
    struct sl_port *more = room(g, (size_t)l->n_lists + 1, sizeof *more);
    int32_t *types = room(g, (size_t)(l->n + 1 + l->n_lists), sizeof *types);
    struct sl_pb_NameAttrList functions[2] = {{.name = l->forward_condition}, {.name = l->forward_body}};
    struct sl_pb_AttrValue_ListValue type_list = {.type = {types, (size_t)(l->n + 1 + l->n_lists)}}, shape_list;
    const struct sl_pb_AttrValue of = {.which = SL_PB_AttrValue_list, .list = &type_list};
    const struct sl_pb_AttrValue shapes = {.which = SL_PB_AttrValue_list, .list = &shape_list};
    const struct sl_pb_AttrValue condition = {.which = SL_PB_AttrValue_func, .func = &functions[0]};
    const struct sl_pb_AttrValue body = {.which = SL_PB_AttrValue_func, .func = &functions[1]};
    const struct sl_attr attrs[] = {{SL_STR("T"), &of},
                                    {SL_STR("cond"), &condition},
                                    {SL_STR("body"), &body},
                                    {SL_STR("output_shapes"), &shapes}};
    struct sl_term out, any[2];
    int n = 0;
    if (!home) home = &w->forward;
    begin_shapes(&shape_list, l, l->n + 1 + l->n_lists);
    if (!more || !types || g->code != SL_OK) return g->code;
    for (int i = 0; i < l->n; i++) {
        types[i] = dtype(x(i));
        say_shape(&shape_list, i, l, i);
    }
    SL_TRY(sl_walk_number(&out, home, SL_INT32, 0));
    types[l->n] = SL_INT32;
    more[n++] = sl_port_of(out);
    SL_TRY(sl_walk_number(&any[0], home, SL_INT32, -1));
    any[1] = any[0];
    for (int i = 0; i < l->d.capture.n; i++) {
        const struct sl_pb_AttrValue type = {.which = SL_PB_AttrValue_type,
                                             .type = captured_type(&l->d.capture.items[i])};
        const struct sl_attr element[] = {{SL_STR("element_dtype"), &type}};
        if (!l->is_listed[i]) continue;
        SL_TRY(sl_walk_emit(&out, w, home, "EmptyTensorList", any, 2, element, 1));
        types[l->n + n] = SL_VARIANT;
        more[n++] = sl_port_of(out);
    }
    return sl_walk_extend(w, sl_node_rule(g)->node, attrs, 4, more, n);
}

/* ---- the loop of the gradient */
static sl_code pop(struct sl_port *list, struct while_loop *l, const struct sl_body_captured *c,
                   struct sl_node *argument) {
    struct sl_walk *w = &l->d.walk;
    const struct sl_pb_AttrValue type = {.which = SL_PB_AttrValue_type, .type = captured_type(c)};
    const struct sl_attr element[] = {{SL_STR("element_dtype"), &type}};
    struct sl_term both[2] = {{argument, 0}}, popped;
    SL_TRY(sl_walk_number(&both[1], &w->root, SL_INT32, -1));
    SL_TRY(sl_walk_emit(&popped, w, &w->root, "TensorListPopBack", both, 2, element, 1));
    *list = sl_port_of(popped);
    return sl_derived_replace(&l->d, c->stand, (struct sl_term){popped.of, 1});
}

static sl_code cut_backward_body(struct while_loop *l, int n_all) {
    struct sl_derived *d = &l->d;
    struct sl_walk *w = &d->walk;
    struct sl_port *inputs = room(l->g, (size_t)n_all, sizeof *inputs),
                   *outputs = room(l->g, (size_t)n_all, sizeof *outputs);
    struct sl_term both[2], out;
    struct sl_node *argument;
    int n = 0;
    if (!inputs || !outputs) return l->g->code;
    SL_TRY(sl_add_argument(&argument, w, &w->root, SL_INT32, SL_SHAPE_SCALAR));
    both[0] = (struct sl_term){argument, 0};
    SL_TRY(sl_walk_number(&both[1], &w->root, SL_INT32, 1));
    SL_TRY(sl_walk_emit(&out, w, &w->root, "Sub", both, 2, NULL, 0));
    inputs[n] = (struct sl_port){argument, 0};
    outputs[n++] = sl_port_of(out);
    n += l->n_carried; /* their outputs last: taking values out of lists changes them */
    for (int i = 0; i < d->capture.n; i++) {
        if (!l->is_listed[i]) continue;
        SL_TRY(sl_add_argument(&argument, w, &w->root, SL_VARIANT, SL_SHAPE_SCALAR));
        inputs[n] = (struct sl_port){argument, 0};
        SL_TRY(pop(&outputs[n++], l, &d->capture.items[i], argument));
    }
    for (int i = 0; i < d->capture.n; i++)
        if (!l->is_listed[i]) inputs[n] = outputs[n] = (struct sl_port){d->capture.items[i].stand, 0}, n++;
    for (int i = 0; i < l->n; i++) {
        if (!l->is_unused[i]) continue;
        SL_TRY(sl_add_argument(&argument, w, &w->root, sl_rule_dtype(l->g, l->g->x[i]), SL_SHAPE_UNKNOWN));
        inputs[n] = outputs[n] = (struct sl_port){argument, 0};
        n++;
    }
    for (int i = 0; i < l->n; i++) {
        if (!l->sums[i]) continue;
        SL_TRY(sl_add_argument(&argument, w, &w->root, d->dxs[i].node->out_types[d->dxs[i].index], SL_SHAPE_UNKNOWN));
        both[0] = (struct sl_term){argument, 0};
        both[1] = sl_term_of(d->dxs[i]);
        SL_TRY(sl_walk_emit(&out, w, &w->root, "AddV2", both, 2, NULL, 0));
        inputs[n] = (struct sl_port){argument, 0};
        outputs[n++] = sl_port_of(out);
    }
    for (int i = 0, at_carried = 1; i < l->n; i++) {
        if (!l->carries[i]) continue;
        inputs[at_carried] = (struct sl_port){d->dys[i], 0};
        outputs[at_carried++] = d->dxs[i];
    }
    struct sl_body_function from = {.graph = d->backward,
                                    .suffix = "backward",
                                    .of = l->body->name,
                                    .inputs = inputs,
                                    .n_inputs = n,
                                    .outputs = outputs,
                                    .n_outputs = n};
    return sl_body_add_function(&l->backward_body, sl_node_rule(l->g)->walk, &from);
}

static sl_code build_backward_condition(struct while_loop *l, struct sl_graph *graph, const struct sl_term *variables,
                                        int n_all) {
    struct sl_walk *w = sl_node_rule(l->g)->walk;
    struct sl_grad_scope scope;
    struct sl_port *inputs = room(l->g, (size_t)n_all, sizeof *inputs), output;
    struct sl_term both[2], out;
    struct sl_node *argument;
    if (!inputs) return l->g->code;
    sl_grad_scope_init(&scope, w, graph, SL_STR(""));
    scope.is_forward = true;
    for (int i = 0; i < n_all; i++) {
        SL_TRY(sl_add_argument(&argument, w, &scope, sl_rule_dtype(l->g, variables[i]), SL_SHAPE_UNKNOWN));
        inputs[i] = (struct sl_port){argument, 0};
    }
    both[0] = sl_term_of(inputs[0]);
    SL_TRY(sl_walk_number(&both[1], &scope, SL_INT32, 1));
    SL_TRY(sl_walk_emit(&out, w, &scope, "GreaterEqual", both, 2, NULL, 0));
    output = sl_port_of(out);
    struct sl_body_function from = {.graph = graph,
                                    .suffix = "backward",
                                    .of = l->condition->name,
                                    .inputs = inputs,
                                    .n_inputs = n_all,
                                    .outputs = &output,
                                    .n_outputs = 1};
    return sl_body_add_function(&l->backward_condition, w, &from);
}

static sl_code cut_backward_condition(struct while_loop *l, const struct sl_term *variables, int n_all) {
    struct sl_graph *graph;
    SL_TRY(sl_graph_new(&graph, sl_node_rule(l->g)->walk->graph->registry, l->g->err));
    sl_code code = build_backward_condition(l, graph, variables, n_all);
    sl_graph_free(graph);
    return code;
}

static sl_code run_backward(struct while_loop *l) {
    struct sl_rule *g = l->g;
    int before_sums = 1 + l->n_carried + l->n_lists + l->n_constant, n_all = before_sums + l->n_sums, n = 0;
    struct sl_term *inputs = room(g, (size_t)n_all, sizeof *inputs);
    if (!inputs) return g->code;
    struct sl_pb_AttrValue_ListValue shape_list;
    begin_shapes(&shape_list, l, n_all);
    inputs[n++] = (struct sl_term){sl_node_rule(g)->node, l->n};
    for (int i = 0; i < l->n; i++) {
        if (!l->carries[i]) continue;
        say_shape(&shape_list, n, l, i);
        inputs[n++] = dy(i);
    }
    for (int i = 0; i < l->n_lists; i++) inputs[n++] = (struct sl_term){sl_node_rule(g)->node, l->n + 1 + i};
    for (int i = 0; i < l->d.capture.n; i++)
        if (!l->is_listed[i]) inputs[n++] = x(l->d.capture.items[i].argument);
    for (int i = 0; i < l->n; i++)
        if (l->is_unused[i]) inputs[n++] = x(i);
    for (int i = 0; i < l->n; i++) {
        if (!l->sums[i]) continue;
        struct sl_term whole = emit_with(ATTRS(TYPE("out_type", SL_INT32)), "VariableShape", x(i));
        const struct sl_node *dx = l->d.dxs[i].node;
        inputs[n++] = emit("Fill", whole, sl_rule_number(g, sl_dtype_base(dx->out_types[l->d.dxs[i].index]), 0));
    }
    if (g->code != SL_OK) return g->code;
    SL_TRY(cut_backward_body(l, n_all));
    SL_TRY(cut_backward_condition(l, inputs, n_all));
    struct sl_pb_NameAttrList functions[2] = {{.name = l->backward_condition}, {.name = l->backward_body}};
    const struct sl_pb_AttrValue condition = {.which = SL_PB_AttrValue_func, .func = &functions[0]};
    const struct sl_pb_AttrValue body = {.which = SL_PB_AttrValue_func, .func = &functions[1]};
    const struct sl_pb_AttrValue shapes = {.which = SL_PB_AttrValue_list, .list = &shape_list};
    struct sl_attr attrs[5] = {{SL_STR("cond"), &condition},
                               {SL_STR("body"), &body},
                               SAME("parallel_iterations"),
                               {SL_STR("output_shapes"), &shapes}};
    struct sl_term last = sl_rule_emit(g, g->op->name.p, inputs, n_all, attrs, sl_lowered_as(attrs, 4, g));
    for (int i = 0, k = 1; i < l->n; i++)
        if (l->carries[i]) g->dx[i].values = at(last, k++);
    for (int i = 0, k = before_sums; i < l->n; i++)
        if (l->sums[i]) g->dx[i].values = at(last, k++);
    return g->code;
}

static sl_code differentiate(struct while_loop *l) {
    struct sl_rule *g = l->g;
    SL_TRY(choose_carried(l, sl_node_rule(g)->walk));
    if (l->n_carried == 0) return SL_OK;
    const struct sl_derived_call call = {.node = sl_node_rule(g)->node, .function = l->body, .inputs = g->y};
    SL_TRY(sl_derive(&l->d, sl_node_rule(g)->walk, &call, l->carries, l->asked));
    SL_TRY(find_sums(l));
    SL_TRY(classify(l));
    SL_TRY(cut_forward_body(l));
    SL_TRY(cut_forward_condition(l));
    SL_TRY(extend(l));
    return run_backward(l);
}

GRAD(While) {
    struct while_loop l = {.g = g, .n = g->n_x};
    if (sl_attr_func(&l.condition, g->attrs, "cond", g->err) || sl_attr_func(&l.body, g->attrs, "body", g->err)) {
        sl_rule_fail(g, SL_INVALID_ARGUMENT, "A loop without its functions");
        return;
    }
    sl_code code = differentiate(&l);
    if (g->code == SL_OK) g->code = code;
    sl_derived_clear(&l.d);
    for (int i = 0; i < l.n; i++) /* variables that no gradient reaches */
        if (wants(i) && !sl_term_is(g->dx[i].values) && dtype(x(i)) != SL_RESOURCE) g->dx[i].values = zeros(x(i));
}

RULES(while) = {
    /* clang-format off */
    RULE(While) RULE_OF(StatelessWhile, While)
    RULES_END
    /* clang-format on */
};
