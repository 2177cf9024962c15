/* TF_NewWhile, TF_FinishWhile: a loop of Enter, Merge, Switch, NextIteration and Exit nodes around two graphs that
 * the caller fills in.
 *
 *     input ─► Enter ─► Merge ─► Switch ─► Exit ─► output
 *                        ▲ │       ▲ └──► body ─► NextIteration ─┐
 *                        │ └─► cond ─► LoopCond                  │
 *                        └───────────────────────────────────────┘
 *
 * Names are NAME/Enter, NAME/Enter_1 ..., NAME/cond/..., NAME/body/.... What has no input in cond or body gets a
 * control input from the first Merge or Switch, so that it runs in the loop. On failure the graph is as before. */
#include <stdio.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "graph/graph.h"

/* ---- the caller's side */
/* A placeholder of type and shape of an input. */
static sl_code add_placeholder(TF_Output *out, TF_Graph *graph, const char *prefix, int i, TF_Output like,
                               struct sl_error *err) {
    const struct sl_node *from = sl_as_node(like.oper);
    char name[64];
    snprintf(name, sizeof name, "%s_input%d", prefix, i);
    TF_Status *status = TF_NewStatus();
    TF_OperationDescription *d = TF_NewOperation(graph, "Placeholder", name);
    if (!status) {
        TF_FinishOperation(d, NULL);
        return sl_fail_memory(err, sizeof *status);
    }
    TF_SetAttrType(d, "dtype", (TF_DataType)sl_dtype_base(from->out_types[like.index]));
    TF_Operation *operation = TF_FinishOperation(d, status);
    sl_code code = sl_status_give(status, err);
    TF_DeleteStatus(status);
    SL_TRY(code);
    *out = (TF_Output){operation, 0};
    return sl_graph_set_shape(graph->graph, sl_as_port(*out), from->shapes[like.index], err);
}

/* What a TF_WhileParams stands for. The graphs point back here, because the params are the caller's to copy. */
struct sl_while_parts {
    TF_Graph *parent;
    TF_Graph *cond, *body;
    int n;
    TF_Output *ports; /* n each: inputs of the parent, of cond, of body; outputs of body */
};

static void parts_free(struct sl_while_parts *w) {
    if (!w) return;
    if (w->cond) sl_graph_handle_drop(w->cond);
    if (w->body) sl_graph_handle_drop(w->body);
    sl_free(w->ports);
    sl_free(w);
}

static TF_WhileParams params_of(const struct sl_while_parts *w) {
    return (TF_WhileParams){.ninputs = w ? w->n : 0,
                            .cond_graph = w ? w->cond : NULL,
                            .cond_inputs = w ? w->ports + w->n : NULL,
                            .cond_output = {NULL, -1},
                            .body_graph = w ? w->body : NULL,
                            .body_inputs = w ? w->ports + 2 * w->n : NULL,
                            .body_outputs = w ? w->ports + 3 * w->n : NULL};
}

static sl_code fill_parts(struct sl_while_parts *w, const TF_Output *inputs, struct sl_error *err) {
    w->ports = sl_calloc((size_t)w->n, 4 * sizeof *w->ports);
    if (!w->ports) return sl_fail_memory(err, (size_t)w->n * 4 * sizeof *w->ports);
    SL_TRY(sl_graph_handle_new(&w->cond, err));
    SL_TRY(sl_graph_handle_new(&w->body, err));
    w->cond->loop = w->body->loop = w;
    for (int i = 0; i < w->n; i++) {
        SL_TRY(sl_graph_check_output(w->parent, inputs[i], err));
        w->ports[i] = inputs[i];
        SL_TRY(add_placeholder(&w->ports[w->n + i], w->cond, "cond", i, inputs[i], err));
        SL_TRY(add_placeholder(&w->ports[2 * w->n + i], w->body, "body", i, inputs[i], err));
        w->ports[3 * w->n + i] = (TF_Output){NULL, -1};
    }
    return SL_OK;
}

static sl_code start(struct sl_while_parts **out, TF_Graph *graph, const TF_Output *inputs, int n,
                     struct sl_error *err) {
    if (n <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "TF_NewWhile() must be passed at least one input");
    struct sl_while_parts *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(err, sizeof *w);
    w->parent = graph;
    w->n = n;
    sl_graph_lock(graph);
    sl_code code = fill_parts(w, inputs, err);
    sl_graph_unlock(graph);
    if (code == SL_OK) *out = w;
    else parts_free(w);
    return code;
}

TF_WhileParams TF_NewWhile(TF_Graph *graph, TF_Output *inputs, int ninputs, TF_Status *status) {
    struct sl_error err;
    struct sl_while_parts *w = NULL;
    sl_status_take(status, start(&w, graph, inputs, ninputs, &err), &err);
    return params_of(w);
}

void TF_AbortWhile(const TF_WhileParams *params) {
    if (params && params->cond_graph) parts_free(params->cond_graph->loop);
}

/* ---- the loop */
struct builder {
    struct sl_graph *graph;
    struct sl_arena arena;
    const TF_WhileParams *params;
    const TF_Output *inputs;
    int n;
    struct sl_str name;
    struct sl_node **enters, **merges, **switches, **nexts, **exits; /* n each */
    struct sl_error *err;
};

static sl_code check_params(const TF_WhileParams *params, struct sl_error *err) {
    if (!params->cond_output.oper)
        return sl_fail(err, SL_INVALID_ARGUMENT, "TF_WhileParams `cond_output` field isn't set");
    for (int i = 0; i < params->ninputs; i++)
        if (!params->body_outputs[i].oper)
            return sl_fail(err, SL_INVALID_ARGUMENT, "TF_WhileParams `body_outputs[%d]` field isn't set", i);
    if (!params->name) return sl_fail(err, SL_INVALID_ARGUMENT, "TF_WhileParams `name` field is null");
    return SL_OK;
}

/* Whether a loop of that name is there already: two frames of one name would be one. */
static sl_code check_frame_name(const struct builder *b) {
    SL_GRAPH_EACH(node, b->graph) {
        struct sl_str frame;
        if (sl_node_is(node, "Enter") && sl_attr_string(&frame, &node->attrs, "frame_name", NULL) == SL_OK &&
            sl_str_eq(frame, b->name))
            return sl_fail(b->err, SL_INVALID_ARGUMENT, "WhileContext with frame name '%.*s' already exists",
                           SL_STR_ARG(b->name));
    }
    return SL_OK;
}

/* Adds NAME/op, with the types its inputs call for. `attrs` are further ones. */
static sl_code add(struct sl_node **out, struct builder *b, const char *op_name, const struct sl_port *inputs, int n,
                   const struct sl_attrs *attrs) {
    struct sl_node_spec spec = {.inputs = inputs, .n_inputs = n, .allow_missing_back_edges = true};
    struct sl_given_input given[2];
    uint8_t types[2];
    SL_TRY(sl_graph_find_op(&spec.op, b->graph, sl_str_of(op_name), b->err));
    char *wanted = sl_arena_format(&b->arena, "%.*s/%s", SL_STR_ARG(b->name), op_name);
    if (wanted) spec.name = sl_graph_unique_name(b->graph, sl_str_of(wanted));
    if (!spec.name.p) return sl_fail_memory(b->err, b->name.n);
    for (int i = 0; i < n; i++) {
        types[i] = (uint8_t)sl_dtype_base(inputs[i].node->out_types[inputs[i].index]);
        given[i] = (struct sl_given_input){.n = 1, .types = &types[i]};
    }
    SL_TRY(sl_attrs_infer(&spec.attrs, &b->arena, spec.op, given, n, attrs, spec.name, b->err));
    return sl_graph_add(out, b->graph, &spec, b->err);
}

static sl_code add_enter(struct builder *b, int i) {
    const struct sl_pb_AttrValue frame = {.which = SL_PB_AttrValue_s, .s = b->name};
    const struct sl_attr items[] = {{SL_STR("frame_name"), &frame}};
    struct sl_port input = sl_as_port(b->inputs[i]);
    return add(&b->enters[i], b, "Enter", &input, 1, &(struct sl_attrs){items, 1});
}

/* A Merge of two inputs whose second comes later. */
static sl_code add_merge(struct builder *b, int i) {
    int type = b->enters[i]->out_types[0];
    const struct sl_pb_AttrValue two = {.which = SL_PB_AttrValue_i, .i = 2};
    const struct sl_pb_AttrValue of = {.which = SL_PB_AttrValue_type, .type = type};
    const struct sl_attr items[] = {{SL_STR("T"), &of}, {SL_STR("N"), &two}};
    struct sl_port input = {b->enters[i], 0};
    struct sl_node_spec spec = {.inputs = &input, .n_inputs = 1, .attrs = {items, 2}, .allow_missing_back_edges = true};
    SL_TRY(sl_graph_find_op(&spec.op, b->graph, SL_STR("Merge"), b->err));
    char *wanted = sl_arena_format(&b->arena, "%.*s/Merge", SL_STR_ARG(b->name));
    if (wanted) spec.name = sl_graph_unique_name(b->graph, sl_str_of(wanted));
    if (!spec.name.p) return sl_fail_memory(b->err, b->name.n);
    return sl_graph_add(&b->merges[i], b->graph, &spec, b->err);
}

/* One of the caller's graphs, and how it is joined to the loop. */
struct part {
    const char *scope; /* "cond" */
    TF_Graph *from;
    const TF_Output *placeholders;
    struct sl_node *const *sources; /* node i stands for placeholder i */
    int source_index;
    const TF_Output *outputs;
    int n_outputs;
};

static bool is_placeholder(const struct builder *b, const struct part *p, struct sl_str name) {
    for (int i = 0; i < b->n; i++)
        if (sl_str_eq(sl_as_node(p->placeholders[i].oper)->name, name)) return true;
    return false;
}

static sl_code list_outputs(struct sl_import_return *returns, const struct builder *b, const struct part *p) {
    for (int i = 0; i < p->n_outputs; i++) {
        const struct sl_node *node = sl_as_node(p->outputs[i].oper);
        if (!sl_graph_owns(p->from, node))
            return sl_fail(b->err, SL_INVALID_ARGUMENT, "Requested return tensor '%.*s:%d' not found in graph def",
                           SL_STR_ARG(node->name), p->outputs[i].index);
        if (p->outputs[i].index < 0 || p->outputs[i].index >= node->n_outputs)
            return sl_fail(b->err, SL_INVALID_ARGUMENT,
                           "Invalid return output %d of node '%.*s', which has %d output(s)", p->outputs[i].index,
                           SL_STR_ARG(node->name), node->n_outputs);
        returns[i] = (struct sl_import_return){node->name, p->outputs[i].index};
    }
    return SL_OK;
}

/* Copies the part's nodes, placeholders aside, into the loop; `*outputs` in the graph's arena. */
static sl_code copy_part(struct sl_port **outputs, struct builder *b, const struct part *p) {
    struct sl_pb_GraphDef *def;
    struct sl_import_results results;
    struct sl_import_return *returns = SL_ARENA_ARRAY(&b->arena, struct sl_import_return, (size_t)p->n_outputs);
    struct sl_import_mapping *mappings = SL_ARENA_ARRAY(&b->arena, struct sl_import_mapping, (size_t)b->n);
    char *prefix = sl_arena_format(&b->arena, "%.*s/%s", SL_STR_ARG(b->name), p->scope);
    if (!returns || !mappings || !prefix) return sl_fail_memory(b->err, (size_t)b->n * sizeof *mappings);
    SL_TRY(list_outputs(returns, b, p));
    for (int i = 0; i < b->n; i++)
        mappings[i] =
            (struct sl_import_mapping){sl_as_node(p->placeholders[i].oper)->name, 0, {p->sources[i], p->source_index}};
    SL_TRY(sl_graph_export(&def, p->from->graph, &b->arena, b->err));
    size_t kept = 0;
    for (size_t i = 0; i < def->node.n; i++)
        if (!is_placeholder(b, p, def->node.items[i].name)) def->node.items[kept++] = def->node.items[i];
    def->node.n = kept;
    struct sl_import_options how = {.prefix = sl_str_of(prefix),
                                    .mappings = mappings,
                                    .n_mappings = b->n,
                                    .control_dependencies = &p->sources[0],
                                    .n_control_dependencies = 1,
                                    .returns = returns,
                                    .n_returns = p->n_outputs};
    SL_TRY(sl_graph_import(&results, b->graph, def, &how, b->err));
    *outputs = results.returns;
    return SL_OK;
}

/* Enter, Merge, the condition, LoopCond, Switch. */
static sl_code build_head(struct builder *b) {
    struct sl_port *outputs;
    struct sl_node *loop_cond;
    for (int i = 0; i < b->n; i++) SL_TRY(add_enter(b, i));
    for (int i = 0; i < b->n; i++) SL_TRY(add_merge(b, i));
    struct part cond = {"cond", b->params->cond_graph, b->params->cond_inputs, b->merges, 0, &b->params->cond_output,
                        1};
    SL_TRY(copy_part(&outputs, b, &cond));
    int type = outputs[0].node->out_types[outputs[0].index];
    if (sl_dtype_base(type) != SL_BOOL)
        return sl_fail(b->err, SL_INVALID_ARGUMENT,
                       "BuildWhileLoop: 'cond' argument must return a boolean output, got %s", sl_dtype_name(type));
    SL_TRY(add(&loop_cond, b, "LoopCond", outputs, 1, &(struct sl_attrs){0}));
    for (int i = 0; i < b->n; i++) {
        struct sl_port inputs[] = {{b->merges[i], 0}, {loop_cond, 0}};
        SL_TRY(add(&b->switches[i], b, "Switch", inputs, 2, &(struct sl_attrs){0}));
    }
    return SL_OK;
}

/* The body, NextIteration, the back edges, Exit. */
static sl_code build_tail(struct builder *b) {
    struct sl_port *outputs;
    struct part body = {"body", b->params->body_graph, b->params->body_inputs, b->switches, 1, b->params->body_outputs,
                        b->n};
    SL_TRY(copy_part(&outputs, b, &body));
    for (int i = 0; i < b->n; i++) SL_TRY(add(&b->nexts[i], b, "NextIteration", &outputs[i], 1, &(struct sl_attrs){0}));
    for (int i = 0; i < b->n; i++)
        SL_TRY(sl_graph_set_input(b->graph, b->merges[i], 1, (struct sl_port){b->nexts[i], 0}, b->err));
    for (int i = 0; i < b->n; i++)
        SL_TRY(add(&b->exits[i], b, "Exit", &(struct sl_port){b->switches[i], 0}, 1, &(struct sl_attrs){0}));
    return SL_OK;
}

static sl_code build(TF_Output *outputs, struct builder *b) {
    size_t first = b->graph->nodes.n;
    struct sl_node **all = SL_ARENA_ARRAY(&b->arena, struct sl_node *, 5 * (size_t)b->n);
    if (!all) return sl_fail_memory(b->err, 5 * (size_t)b->n * sizeof *all);
    b->enters = all;
    b->merges = all + b->n;
    b->switches = all + 2 * b->n;
    b->nexts = all + 3 * b->n;
    b->exits = all + 4 * b->n;
    SL_TRY(check_frame_name(b));
    sl_code code = build_head(b);
    if (code == SL_OK) code = build_tail(b);
    for (int i = 0; i < b->n; i++) outputs[i] = (TF_Output){code == SL_OK ? sl_as_operation(b->exits[i]) : NULL, 0};
    for (size_t i = b->graph->nodes.n; code != SL_OK && i-- > first;)
        if (!b->graph->nodes.items[i]->is_removed) sl_graph_remove(b->graph, b->graph->nodes.items[i]);
    return code;
}

static sl_code finish(TF_Output *outputs, const TF_WhileParams *params, struct sl_error *err) {
    const struct sl_while_parts *w = params->cond_graph ? params->cond_graph->loop : NULL;
    if (!w || params->ninputs != w->n || params->body_graph != w->body || params->cond_inputs != w->ports + w->n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "TF_WhileParams: a const member was changed");
    SL_TRY(check_params(params, err));
    struct builder b = {.graph = w->parent->graph,
                        .params = params,
                        .inputs = w->ports,
                        .n = w->n,
                        .name = sl_str_of(params->name),
                        .err = err};
    sl_arena_init(&b.arena);
    sl_graph_lock(w->parent);
    sl_code code = build(outputs, &b);
    sl_graph_touch(w->parent);
    sl_graph_unlock(w->parent);
    sl_arena_clear(&b.arena);
    return code;
}

void TF_FinishWhileHelper(const TF_WhileParams *params, TF_Status *status, TF_Output *outputs) {
    struct sl_error err;
    sl_status_take(status, finish(outputs, params, &err), &err);
}

void TF_FinishWhile(const TF_WhileParams *params, TF_Status *status, TF_Output *outputs) {
    TF_FinishWhileHelper(params, status, outputs);
    TF_AbortWhile(params);
}
