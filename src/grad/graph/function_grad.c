/* Gradients of calls and conditionals that name functions. The function is derived (derive.h): the node comes to call
 * one that gives what the gradient uses as further results, and the gradient is a call of the other part.
 *
 *   If(c, x...) -> y...              becomes   If'(c, x...) -> y..., values of then..., values of else...
 *   its gradient                               If(c, dy..., x..., values of then..., values of else...) -> dx...
 *
 * Values of a branch are optionals, empty when the other one was taken. */
#include "grad/graph/derive.h"
#include "grad/words.h"

/* ---- calls whose gradient is SymbolicGradient: by name, and recursive ones */
/* The attrs of a node as those of the function it calls. */
static struct sl_pb_NameAttrList *named_call(struct sl_rule *g, struct sl_str name) {
    struct sl_pb_NameAttrList *named = SL_ARENA_NEW(g->arena, struct sl_pb_NameAttrList);
    struct sl_pb_entry_string_AttrValue *items =
        SL_ARENA_ARRAY(g->arena, struct sl_pb_entry_string_AttrValue, (size_t)g->attrs->n + 1);
    if (!named || !items) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    named->name = name;
    named->attr.items = items;
    for (int i = 0; i < g->attrs->n; i++) {
        if (g->attrs->items[i].name.n && g->attrs->items[i].name.p[0] == '_') continue;
        items[named->attr.n].key = g->attrs->items[i].name;
        items[named->attr.n++].value = *g->attrs->items[i].value;
    }
    return named;
}

static struct sl_attr output_types(struct sl_rule *g, const int32_t *types, int n) {
    const struct sl_pb_AttrValue_ListValue list = {.type = {(int32_t *)types, (size_t)n}};
    struct sl_attr attr = sl_attr_new_list(g->arena, SL_STR("Tout"), &list);
    if (!attr.value) sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
    return attr;
}

static void symbolic(struct sl_rule *g, const struct sl_pb_NameAttrList *called) {
    struct sl_term *both = SL_ARENA_ARRAY(g->arena, struct sl_term, (size_t)g->n_x + (size_t)g->n_y + 1);
    int32_t *types = SL_ARENA_ARRAY(g->arena, int32_t, (size_t)g->n_x + 1);
    if (!both || !types) {
        sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    for (int i = 0; i < g->n_x; i++) {
        both[i] = x(i);
        types[i] = dtype(x(i));
        if (types[i] == SL_RESOURCE)
            sl_rule_fail(g, SL_UNIMPLEMENTED, "A gradient with respect to a resource that is passed to a function");
    }
    for (int i = 0; i < g->n_y; i++) both[g->n_x + i] = sl_is_trainable(dtype(y(i))) ? dy(i) : zeros(y(i));
    const struct sl_pb_AttrValue f = {.which = SL_PB_AttrValue_func, .func = (struct sl_pb_NameAttrList *)called};
    const struct sl_attr attrs[] = {{SL_STR("f"), &f}, output_types(g, types, g->n_x)};
    struct sl_term dxs = sl_rule_emit(g, "SymbolicGradient", both, g->n_x + g->n_y, attrs, 2);
    for (int i = 0; i < g->n_x; i++)
        if (sl_is_trainable(types[i])) WRT(i) = at(dxs, i);
}

/* A node whose op is a function. */
void sl_grad_call_by_name(struct sl_rule *g) {
    struct sl_pb_NameAttrList *called = named_call(g, g->op->name);
    if (called) symbolic(g, called);
}

/* ---- branches */
struct branches {
    struct sl_rule *g;
    const struct sl_pb_NameAttrList **functions;
    int n;     /* of functions; 1: a call */
    int first; /* the input that is argument 0 */
    int n_x, n_y;
    struct sl_derived *derived;
    bool *has_dy, *wants, *uses_x;     /* by result, by argument */
    bool *is_sliced;                   /* by argument: whether its gradient is IndexedSlices */
    int *types;                        /* of the gradients of arguments */
    int *row_types;                    /* two for each: of the indices and shapes of those that are sliced */
    int n_values;                      /* of all branches together */
    struct sl_str *forward, *backward; /* names of functions */
};

static void *room(struct sl_rule *g, size_t n, size_t size) {
    void *p = sl_arena_array(g->arena, n + 1, size);
    if (!p) sl_rule_fail(g, SL_RESOURCE_EXHAUSTED, "out of memory");
    return p;
}

/* The gradient of a resource is of the type of what it holds, which a branch that uses it tells. */
static sl_code settle_resources(struct branches *b) {
    for (int i = 0; i < b->n_x; i++) {
        b->types[i] = sl_dtype_base(b->derived[0].forward.args[i]->out_types[0]);
        if (!b->wants[i] || b->types[i] != SL_RESOURCE) continue;
        for (int k = 0; k < b->n; k++) {
            struct sl_port dx = b->derived[k].dxs[i];
            if (dx.node) b->types[i] = sl_dtype_base(dx.node->out_types[dx.index]);
        }
        b->wants[i] = b->types[i] != SL_RESOURCE;
        for (int k = 0; k < b->n && b->wants[i]; k++)
            if (!b->derived[k].dxs[i].node && !b->is_sliced[i])
                SL_TRY(sl_derived_resource_zeros(&b->derived[k], i, b->types[i]));
    }
    return SL_OK;
}

static int type_of(struct sl_port port) { return sl_dtype_base(port.node->out_types[port.index]); }

/* A branch whose gradient is IndexedSlices; NULL when there is none, or two have indices of several types. */
static const struct sl_derived *sliced_branch(const struct branches *b, int i) {
    const struct sl_derived *first = NULL;
    for (int k = 0; k < b->n; k++) {
        const struct sl_derived_rows *rows = &b->derived[k].rows[i];
        if (!rows->indices.node) continue;
        if (first && (type_of(first->rows[i].indices) != type_of(rows->indices) ||
                      type_of(first->rows[i].dense_shape) != type_of(rows->dense_shape)))
            return NULL;
        first = &b->derived[k];
    }
    return first;
}

/* The gradient of an argument is IndexedSlices when it is in one of the branches, else dense. */
static sl_code settle_slices(struct branches *b) {
    for (int i = 0; i < b->n_x; i++) {
        if (!b->wants[i]) continue;
        const struct sl_derived *sliced = sliced_branch(b, i);
        b->is_sliced[i] = sliced != NULL;
        if (sliced) {
            b->row_types[2 * i] = type_of(sliced->rows[i].indices);
            b->row_types[2 * i + 1] = type_of(sliced->rows[i].dense_shape);
        }
        for (int k = 0; k < b->n; k++) {
            struct sl_derived *d = &b->derived[k];
            if (!sliced) SL_TRY(sl_derived_dense(d, i));
            else if (!d->rows[i].indices.node) SL_TRY(sl_derived_slices(d, i, sliced));
        }
    }
    return SL_OK;
}

static sl_code derive_all(struct branches *b) {
    struct sl_rule *g = b->g;
    for (int k = 0; k < b->n; k++) {
        const struct sl_derived_call call = {sl_node_rule(g)->node, b->functions[k], b->first, g->x + b->first, true};
        SL_TRY(sl_derive(&b->derived[k], sl_node_rule(g)->walk, &call, b->has_dy, b->wants));
    }
    SL_TRY(settle_slices(b));
    SL_TRY(settle_resources(b));
    for (int k = 0; k < b->n; k++) {
        const struct sl_body_capture *c = &b->derived[k].capture;
        for (int i = 0; i < c->n; i++) {
            if (c->items[i].argument >= 0) b->uses_x[c->items[i].argument] = true;
            else b->n_values++;
        }
    }
    return SL_OK;
}

/* A value as it leaves a branch. */
static sl_code wrap(struct sl_port *out, struct sl_walk *w, struct sl_port value) {
    struct sl_term optional, term = sl_term_of(value);
    SL_TRY(sl_walk_emit(&optional, w, &w->forward, "OptionalFromValue", &term, 1, NULL, 0));
    *out = sl_port_of(optional);
    return SL_OK;
}

static sl_code cut_forward(struct branches *b, int k) {
    struct sl_derived *d = &b->derived[k];
    struct sl_walk *w = &d->walk;
    struct sl_port *inputs = room(b->g, (size_t)b->n_x, sizeof *inputs);
    struct sl_port *outputs = room(b->g, (size_t)(b->n_y + b->n_values), sizeof *outputs);
    int n = 0;
    if (!inputs || !outputs) return b->g->code;
    for (int i = 0; i < b->n_x; i++) inputs[i] = (struct sl_port){d->forward.args[i], 0};
    for (int i = 0; i < b->n_y; i++) outputs[n++] = d->forward.rets[i]->inputs[0];
    for (int other = 0; other < b->n; other++)
        for (int i = 0; i < b->derived[other].capture.n; i++) {
            const struct sl_body_captured *c = &b->derived[other].capture.items[i];
            struct sl_term none;
            if (c->argument >= 0) continue;
            if (b->n == 1) {
                outputs[n++] = c->value;
            } else if (other == k) {
                SL_TRY(wrap(&outputs[n++], w, c->value));
            } else {
                SL_TRY(sl_walk_emit(&none, w, &w->forward, "OptionalNone", NULL, 0, NULL, 0));
                outputs[n++] = sl_port_of(none);
            }
        }
    struct sl_body_function from = {.graph = d->forward.graph,
                                    .suffix = "forward",
                                    .of = b->functions[k]->name,
                                    .inputs = inputs,
                                    .n_inputs = b->n_x,
                                    .outputs = outputs,
                                    .n_outputs = n,
                                    .controls = d->forward.controls,
                                    .n_controls = d->forward.n_controls};
    return sl_body_add_function(&b->forward[k], sl_node_rule(b->g)->walk, &from);
}

/* An optional comes in, its value is used. */
static sl_code unwrap(struct sl_node *argument, struct sl_derived *d, const struct sl_body_captured *c) {
    struct sl_walk *w = &d->walk;
    const int32_t type = sl_dtype_base(c->value.node->out_types[c->value.index]);
    struct sl_pb_TensorShapeProto unknown = {.unknown_rank = true};
    struct sl_pb_AttrValue_ListValue type_list = {.type = {(int32_t *)&type, 1}}, shape_list = {.shape = {&unknown, 1}};
    const struct sl_pb_AttrValue types = {.which = SL_PB_AttrValue_list, .list = &type_list};
    const struct sl_pb_AttrValue shapes = {.which = SL_PB_AttrValue_list, .list = &shape_list};
    const struct sl_attr attrs[] = {{SL_STR("output_types"), &types}, {SL_STR("output_shapes"), &shapes}};
    struct sl_term value, optional = {argument, 0};
    SL_TRY(sl_walk_emit(&value, w, &w->root, "OptionalGetValue", &optional, 1, attrs, 2));
    return sl_derived_replace(d, c->stand, value);
}

static struct sl_node *stand_of_argument(const struct sl_derived *d, int argument) {
    for (int i = 0; i < d->capture.n; i++)
        if (d->capture.items[i].argument == argument) return d->capture.items[i].stand;
    return NULL;
}

static sl_code cut_backward(struct branches *b, int k) {
    struct sl_derived *d = &b->derived[k];
    struct sl_walk *w = &d->walk;
    struct sl_port *inputs = room(b->g, (size_t)(b->n_y + b->n_x + b->n_values), sizeof *inputs);
    struct sl_port *outputs = room(b->g, 3 * (size_t)b->n_x, sizeof *outputs);
    struct sl_node *node;
    int n = 0, n_outputs = 0;
    if (!inputs || !outputs) return b->g->code;
    for (int i = 0; i < b->n_y; i++)
        if (b->has_dy[i]) inputs[n++] = (struct sl_port){d->dys[i], 0};
    for (int i = 0; i < b->n_x; i++) {
        if (!b->uses_x[i]) continue;
        node = stand_of_argument(d, i);
        if (!node) SL_TRY(sl_add_argument(&node, w, &w->root, d->forward.args[i]->out_types[0], SL_SHAPE_UNKNOWN));
        inputs[n++] = (struct sl_port){node, 0};
    }
    for (int other = 0; other < b->n; other++)
        for (int i = 0; i < b->derived[other].capture.n; i++) {
            const struct sl_body_captured *c = &b->derived[other].capture.items[i];
            if (c->argument >= 0) continue;
            node = c->stand;
            if (b->n > 1) SL_TRY(sl_add_argument(&node, w, &w->root, SL_VARIANT, SL_SHAPE_SCALAR));
            inputs[n++] = (struct sl_port){node, 0};
            if (b->n > 1 && other == k) SL_TRY(unwrap(node, d, c));
        }
    for (int i = 0; i < b->n_x; i++) {
        if (!b->wants[i]) continue;
        outputs[n_outputs++] = d->dxs[i];
        if (!b->is_sliced[i]) continue;
        outputs[n_outputs++] = d->rows[i].indices;
        outputs[n_outputs++] = d->rows[i].dense_shape;
    }
    struct sl_body_function from = {.graph = d->backward,
                                    .suffix = "backward",
                                    .of = b->functions[k]->name,
                                    .inputs = inputs,
                                    .n_inputs = n,
                                    .outputs = outputs,
                                    .n_outputs = n_outputs};
    return sl_body_add_function(&b->backward[k], sl_node_rule(b->g)->walk, &from);
}

/* The attrs that name the functions: then_branch and else_branch, branches, or f. */
static int function_attrs(struct sl_attr out[2], struct branches *b, const struct sl_str *names) {
    static const struct sl_str of_two[] = {{"then_branch", 11}, {"else_branch", 11}};
    struct sl_pb_NameAttrList *lists = room(b->g, (size_t)b->n, sizeof *lists);
    struct sl_pb_AttrValue *values = room(b->g, 2, sizeof *values);
    struct sl_pb_AttrValue_ListValue *all = room(b->g, 1, sizeof *all);
    bool is_if = sl_attr_find(b->g->attrs, of_two[0]) != NULL;
    if (!lists || !values || !all) return 0;
    for (int k = 0; k < b->n; k++) lists[k].name = names[k];
    if (b->first == 1 && !is_if) {
        all->func = (struct sl_pb_array_NameAttrList){lists, (size_t)b->n};
        values[0] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_list, .list = all};
        out[0] = (struct sl_attr){SL_STR("branches"), &values[0]};
        return 1;
    }
    for (int k = 0; k < b->n; k++) {
        values[k] = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_func, .func = &lists[k]};
        out[k] = (struct sl_attr){is_if ? of_two[k] : SL_STR("f"), &values[k]};
    }
    return b->n;
}

/* The forward node calls the new functions and has further outputs. */
static sl_code extend(struct branches *b) {
    struct sl_rule *g = b->g;
    static const struct sl_pb_AttrValue_ListValue no_shapes = {0};
    const struct sl_pb_AttrValue empty = {.which = SL_PB_AttrValue_list,
                                          .list = (struct sl_pb_AttrValue_ListValue *)&no_shapes};
    struct sl_attr attrs[4];
    int32_t *types = room(g, (size_t)(b->n_y + b->n_values), sizeof *types);
    int n = function_attrs(attrs, b, b->forward), n_types = 0;
    if (!types || g->code != SL_OK) return g->code;
    for (int i = 0; i < b->n_y; i++) types[n_types++] = dtype(y(i));
    for (int k = 0; k < b->n; k++)
        for (int i = 0; i < b->derived[k].capture.n; i++) {
            const struct sl_body_captured *c = &b->derived[k].capture.items[i];
            if (c->argument < 0)
                types[n_types++] = b->n > 1 ? SL_VARIANT : sl_dtype_base(c->value.node->out_types[c->value.index]);
        }
    attrs[n++] = output_types(g, types, n_types);
    if (b->first == 1) attrs[n++] = (struct sl_attr){SL_STR("output_shapes"), &empty};
    if (g->code != SL_OK) return g->code;
    return sl_walk_extend(sl_node_rule(g)->walk, sl_node_rule(g)->node, attrs, n, NULL, 0);
}

static void call_backward(struct branches *b) {
    struct sl_rule *g = b->g;
    struct sl_term *inputs = room(g, (size_t)(1 + b->n_y + b->n_x + b->n_values), sizeof *inputs);
    int32_t *types = room(g, 3 * (size_t)b->n_x, sizeof *types);
    struct sl_attr attrs[4];
    int n = 0, n_types = 0, n_attrs = sl_lowered_as(attrs, function_attrs(attrs, b, b->backward), g);
    if (!inputs || !types) return;
    if (b->first == 1) inputs[n++] = x(0);
    for (int i = 0; i < b->n_y; i++)
        if (b->has_dy[i]) inputs[n++] = dy(i);
    for (int i = 0; i < b->n_x; i++)
        if (b->uses_x[i]) inputs[n++] = x(b->first + i);
    for (int i = 0; i < b->n_values; i++) inputs[n++] = (struct sl_term){sl_node_rule(g)->node, b->n_y + i};
    for (int i = 0; i < b->n_x; i++) {
        if (!b->wants[i]) continue;
        types[n_types++] = b->types[i];
        if (!b->is_sliced[i]) continue;
        types[n_types++] = b->row_types[2 * i];
        types[n_types++] = b->row_types[2 * i + 1];
    }
    if (n_types == 0) return;
    attrs[n_attrs++] = output_types(g, types, n_types);
    struct sl_term dxs = sl_rule_emit(g, g->op->name.p, inputs, n, attrs, n_attrs);
    for (int i = 0, at_output = 0; i < b->n_x; i++) {
        if (!b->wants[i]) continue;
        struct sl_term_gradient *dx = &g->dx[b->first + i];
        dx->values = at(dxs, at_output++);
        if (!b->is_sliced[i]) continue;
        dx->indices = at(dxs, at_output++);
        dx->dense_shape = at(dxs, at_output++);
    }
}

static sl_code make_functions(struct branches *b) {
    SL_TRY(derive_all(b));
    for (int k = 0; k < b->n; k++) SL_TRY(cut_forward(b, k));
    for (int k = 0; k < b->n; k++) SL_TRY(cut_backward(b, k));
    return b->n_values ? extend(b) : SL_OK;
}

static void branch_gradient(struct sl_rule *g, const struct sl_pb_NameAttrList **functions, int n, int first) {
    struct branches b = {.g = g, .functions = functions, .n = n, .first = first, .n_x = g->n_x - first, .n_y = g->n_y};
    bool wants_any = false;
    b.derived = room(g, (size_t)n, sizeof *b.derived);
    b.has_dy = room(g, (size_t)b.n_y, 1);
    b.wants = room(g, (size_t)b.n_x, 1);
    b.uses_x = room(g, (size_t)b.n_x, 1);
    b.is_sliced = room(g, (size_t)b.n_x, 1);
    b.types = room(g, (size_t)b.n_x, sizeof *b.types);
    b.row_types = room(g, 2 * (size_t)b.n_x, sizeof *b.row_types);
    b.forward = room(g, (size_t)n, sizeof *b.forward);
    b.backward = room(g, (size_t)n, sizeof *b.backward);
    if (g->code != SL_OK) return;
    for (int i = 0; i < b.n_y; i++)
        b.has_dy[i] = has_dy(i) && sl_is_trainable(dtype(y(i))) && dtype(y(i)) != SL_RESOURCE;
    for (int i = 0; i < b.n_x; i++) {
        b.wants[i] = wants(first + i);
        wants_any |= b.wants[i];
    }
    if (!wants_any || g->code != SL_OK) return;
    g->code = make_functions(&b);
    for (int k = 0; k < n; k++) sl_derived_clear(&b.derived[k]);
    if (g->code == SL_OK) call_backward(&b);
}

GRAD(If) {
    const struct sl_pb_NameAttrList *both[2];
    if (sl_attr_func(&both[0], g->attrs, "then_branch", g->err) ||
        sl_attr_func(&both[1], g->attrs, "else_branch", g->err))
        sl_rule_fail(g, SL_INVALID_ARGUMENT, "A conditional without its functions");
    else branch_gradient(g, both, 2, 1);
}

GRAD(Case) {
    const struct sl_pb_NameAttrList *all;
    int n;
    if (sl_attr_func_list(&all, &n, g->attrs, "branches", g->err)) {
        sl_rule_fail(g, SL_INVALID_ARGUMENT, "A conditional without its functions");
        return;
    }
    const struct sl_pb_NameAttrList **each = room(g, (size_t)n, sizeof *each);
    for (int i = 0; i < n && each; i++) each[i] = &all[i];
    if (each) branch_gradient(g, each, n, 1);
}

GRAD(PartitionedCall) {
    const struct sl_pb_NameAttrList *called;
    if (sl_attr_func(&called, g->attrs, "f", g->err)) sl_rule_fail(g, SL_INVALID_ARGUMENT, "A call without a function");
    else if (sl_is_being_derived(sl_node_rule(g)->walk, called->name)) symbolic(g, called);
    else branch_gradient(g, &called, 1, 0);
}

/* The gradient of a gradient: that of the function which the first one is. */
static sl_code name_gradient(struct sl_pb_NameAttrList *out, struct sl_rule *g,
                             const struct sl_pb_NameAttrList *called) {
    struct sl_walk *w = sl_node_rule(g)->walk;
    struct sl_function_def *f = sl_graph_function(w->graph, called->name);
    struct sl_attrs attrs;
    struct sl_body body;
    if (!f) return sl_fail(g->err, SL_NOT_FOUND, "Function %.*s is not defined.", SL_STR_ARG(called->name));
    SL_TRY(sl_derived_check_chain(w, called->name, true));
    SL_TRY(sl_attrs_of_map(&attrs, g->arena, &called->attr, g->err));
    SL_TRY(sl_function_gradient_within(&body, f, &attrs, w->graph, w, g->err));
    struct sl_port *inputs = room(g, (size_t)body.n_args, sizeof *inputs);
    struct sl_port *outputs = room(g, (size_t)body.n_rets, sizeof *outputs);
    struct sl_body_function from = {.graph = body.graph,
                                    .suffix = "gradient",
                                    .of = called->name,
                                    .inputs = inputs,
                                    .n_inputs = body.n_args,
                                    .outputs = outputs,
                                    .n_outputs = body.n_rets};
    for (int i = 0; i < body.n_args && inputs; i++) inputs[i] = (struct sl_port){body.args[i], 0};
    for (int i = 0; i < body.n_rets && outputs; i++) outputs[i] = body.rets[i]->inputs[0];
    sl_code code = inputs && outputs ? sl_body_add_function(&out->name, w, &from) : g->code;
    sl_graph_free(body.graph);
    return code;
}

GRAD(SymbolicGradient) {
    const struct sl_pb_NameAttrList *called;
    struct sl_pb_NameAttrList gradient = {0};
    if (sl_attr_func(&called, g->attrs, "f", g->err)) {
        sl_rule_fail(g, SL_INVALID_ARGUMENT, "A call without a function");
        return;
    }
    struct sl_str known = sl_graph_gradient(sl_node_rule(g)->walk->graph, called->name);
    if (known.n) {
        gradient = *called;
        gradient.name = known;
    } else if (g->code == SL_OK) {
        g->code = name_gradient(&gradient, g, called);
    }
    if (g->code == SL_OK) symbolic(g, &gradient);
}

RULES(function) = {
    /* clang-format off */
    RULE(SymbolicGradient) RULE(PartitionedCall) RULE_OF(StatefulPartitionedCall, PartitionedCall) RULE(If) RULE_OF(StatelessIf, If) RULE(Case)
    RULE_OF(StatelessCase, Case)
    NO_GRAD(PyFunc) NO_GRAD(PyFuncStateless)
    UNDEFINED(BatchFunction) UNDEFINED(For) UNDEFINED(MapDefun) UNDEFINED(RemoteCall) UNDEFINED(_ArrayToList) UNDEFINED(_If)
    UNDEFINED(_ListToArray) UNDEFINED(_While)
    RULES_END
    /* clang-format on */
};
