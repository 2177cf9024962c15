/* The walk over the nodes that name functions. Nodes that a step adds stand at the end of the graph and are met
 * later, so nested calls need no recursion. */
#include "passes/lowering.h"

/* Functions that call each other twice grow without bound: beyond so many nodes more, and some for each that was
 * written, the rest stays a call. */
enum { MOST_GROWTH = 1 << 16, MOST_GROWTH_EACH = 16 };

static bool is_marked(const struct sl_node *n) {
    bool asked = false;
    return sl_attr_find(&n->attrs, SL_STR("_lower_using_switch_merge")) &&
           sl_attr_bool(&asked, &n->attrs, "_lower_using_switch_merge", NULL) == SL_OK && asked;
}

static bool is_functional(const struct sl_node *n, bool unmarked_too) {
    switch (n->op->index) {
    case SL_ROW_PartitionedCall:
    case SL_ROW_StatefulPartitionedCall:
    case SL_OP_NO_ROW: return true;
    case SL_ROW_If:
    case SL_ROW_StatelessIf:
    case SL_ROW_Case:
    case SL_ROW_StatelessCase:
    case SL_ROW_While:
    case SL_ROW_StatelessWhile: return unmarked_too || is_marked(n);
    default: return false;
    }
}

/* ---- nodes */

sl_code sl_lower_add(struct sl_node **out, struct sl_lowering *l, const struct sl_node *scope,
                     const struct sl_lower_spec *spec) {
    struct sl_arena *arena = &l->graph->arena;
    struct sl_attr *attrs = SL_ARENA_ARRAY(arena, struct sl_attr, (size_t)spec->n_more + 1);
    char *wanted = sl_arena_format(arena, "%.*s/%s", SL_STR_ARG(scope->name), spec->suffix);
    if (!attrs || !wanted) return sl_fail_memory(l->err, sizeof *attrs);
    int n = 0;
    if (spec->dtype) attrs[n++] = sl_attr_new_type(arena, SL_STR("T"), spec->dtype);
    for (int i = 0; i < spec->n_more; i++) attrs[n++] = spec->more[i];
    struct sl_node_spec node = {.name = sl_graph_unique_name(l->graph, sl_str_of(wanted)),
                                .device = scope->device,
                                .attrs = {attrs, n},
                                .inputs = spec->inputs,
                                .n_inputs = spec->n_inputs,
                                .controls = spec->controls,
                                .n_controls = spec->n_controls,
                                .allow_missing_back_edges = true};
    SL_TRY(sl_op_find(&node.op, l->graph->registry, sl_str_of(spec->op), l->err));
    SL_TRY(sl_graph_add_trusted(out, l->graph, &node, l->err));
    (*out)->mark = scope->mark;
    return SL_OK;
}

static int type_of(struct sl_port p) { return p.node->out_types[p.index]; }

sl_code sl_lower_identity(struct sl_node **out, struct sl_lowering *l, const struct sl_node *scope, const char *suffix,
                          struct sl_port from, struct sl_node *const *controls, int n_controls) {
    struct sl_lower_spec spec = {.op = "Identity",
                                 .suffix = suffix,
                                 .dtype = type_of(from),
                                 .inputs = &from,
                                 .n_inputs = 1,
                                 .controls = controls,
                                 .n_controls = n_controls};
    SL_TRY(sl_lower_add(out, l, scope, &spec));
    (*out)->shapes[0] = from.node->shapes[from.index];
    return SL_OK;
}

sl_code sl_lower_anchors(struct sl_node ***out, int *n_out, struct sl_lowering *l, const struct sl_node *n) {
    const struct sl_call_site *site = n->mark;
    bool one_by_one = site ? site->has_flow : l->has_flow;
    size_t most = (size_t)n->n_controls + (one_by_one ? (size_t)n->n_inputs : 0);
    *n_out = 0;
    *out = SL_ARENA_ARRAY(l->scratch, struct sl_node *, most);
    if (!*out) return sl_fail_memory(l->err, most * sizeof **out);
    for (int i = 0; i < n->n_controls; i++) (*out)[(*n_out)++] = n->controls[i];
    for (int i = 0; i < n->n_inputs && one_by_one; i++)
        SL_TRY(sl_lower_identity(&(*out)[(*n_out)++], l, n, "input", n->inputs[i], NULL, 0));
    return SL_OK;
}

/* A node with the name of one that is gone: its results, after all that it did. */
static sl_code take_name_over(struct sl_lowering *l, const struct sl_node *n, const struct sl_port *results,
                              struct sl_node *done) {
    struct sl_arena *arena = &l->graph->arena;
    int32_t *types = SL_ARENA_ARRAY(arena, int32_t, (size_t)n->n_outputs + 1);
    if (!types) return sl_fail_memory(l->err, (size_t)n->n_outputs);
    for (int i = 0; i < n->n_outputs; i++) types[i] = sl_dtype_base(n->out_types[i]);
    struct sl_attr attr = sl_attr_new_list(arena, SL_STR("T"),
                                           &(struct sl_pb_AttrValue_ListValue){.type = {types, (size_t)n->n_outputs}});
    struct sl_node_spec spec = {.name = n->name,
                                .device = n->device,
                                .attrs = {&attr, n->n_outputs > 0},
                                .inputs = results,
                                .n_inputs = n->n_outputs,
                                .controls = &done,
                                .n_controls = done != NULL};
    struct sl_node *named;
    if (!attr.value) return sl_fail_memory(l->err, sizeof attr);
    SL_TRY(sl_op_find(&spec.op, l->graph->registry, n->n_outputs ? SL_STR("IdentityN") : SL_STR("NoOp"), l->err));
    SL_TRY(sl_graph_add_trusted(&named, l->graph, &spec, l->err));
    for (int i = 0; i < n->n_outputs; i++) named->shapes[i] = n->shapes[i];
    named->mark = n->mark;
    return SL_OK;
}

sl_code sl_lower_replace(struct sl_lowering *l, struct sl_node *n, const struct sl_port *results,
                         struct sl_node *done) {
    for (int o = 0; o < n->n_outputs; o++)
        if (results[o].node) SL_TRY(sl_graph_replace_uses(l->graph, (struct sl_port){n, o}, results[o], l->err));
    SL_TRY(sl_graph_move_followers(l->graph, n, done, l->err));
    sl_graph_remove(l->graph, n);
    return l->options->keep_names ? take_name_over(l, n, results, done) : SL_OK;
}

/* ---- calls */

/* The function that a node calls as a whole: attr f, or its op. */
static sl_code callee(struct sl_pb_NameAttrList *out, const struct sl_node *n, struct sl_arena *scratch,
                      struct sl_error *err) {
    const struct sl_pb_NameAttrList *named;
    if (n->op->index != SL_OP_NO_ROW) {
        SL_TRY(sl_attr_func(&named, &n->attrs, "f", err));
        *out = *named;
        return SL_OK;
    }
    *out = (struct sl_pb_NameAttrList){.name = n->op->name};
    out->attr.items = sl_arena_array(scratch, (size_t)n->attrs.n, sizeof *out->attr.items);
    if (!out->attr.items) return sl_fail_memory(err, (size_t)n->attrs.n);
    for (int i = 0; i < n->attrs.n; i++)
        if (!sl_str_starts(n->attrs.items[i].name, SL_STR("_")))
            out->attr.items[out->attr.n++] =
                (struct sl_pb_entry_string_AttrValue){.key = n->attrs.items[i].name, .value = *n->attrs.items[i].value};
    return SL_OK;
}

/* Arguments wait for everything that the call waits for: the body may act on them at once. */
static sl_code hold_back(struct sl_port *args, struct sl_node **pivot, struct sl_lowering *l, const struct sl_node *n,
                         struct sl_node *const *anchors, int n_anchors) {
    struct sl_lower_spec spec = {.op = "NoOp", .suffix = "called", .controls = anchors, .n_controls = n_anchors};
    const struct sl_call_site *site = n->mark;
    SL_TRY(sl_lower_add(pivot, l, n, &spec));
    if (site && site->pivot) SL_TRY(sl_graph_add_control(l->graph, site->pivot, *pivot, l->err));
    for (int i = 0; i < n->n_inputs; i++) {
        struct sl_node *held;
        SL_TRY(sl_lower_identity(&held, l, n, "argument", args[i], pivot, 1));
        args[i] = (struct sl_port){held, 0};
    }
    return SL_OK;
}

/* What stands for "the call has ended" once it is gone: after its results and its effects. */
static sl_code end_of(struct sl_node **out, struct sl_lowering *l, const struct sl_node *n,
                      const struct sl_lowered *lowered, struct sl_node *pivot) {
    int n_ends = 0;
    struct sl_node **ends = SL_ARENA_ARRAY(l->scratch, struct sl_node *, (size_t)n->n_outputs + 1);
    *out = NULL;
    if (!sl_lower_has_followers(n)) return SL_OK;
    if (!ends) return sl_fail_memory(l->err, sizeof *ends);
    for (int i = 0; i < lowered->n_results; i++)
        SL_TRY(sl_lower_identity(&ends[n_ends++], l, n, "result", lowered->results[i], NULL, 0));
    if (pivot) ends[n_ends++] = pivot;
    struct sl_lower_spec spec = {.op = "NoOp", .suffix = "ended", .controls = ends, .n_controls = n_ends};
    SL_TRY(sl_lower_add(out, l, n, &spec));
    for (int i = 0; i < lowered->n_effects; i++)
        SL_TRY(sl_graph_add_control(l->graph, lowered->effects[i], *out, l->err));
    return SL_OK;
}

static sl_code lower_call(struct sl_lowering *l, struct sl_node *n) {
    struct sl_pb_NameAttrList function;
    const struct sl_call_site *site = n->mark;
    struct sl_lower_call call = {.function = &function, .caller = n, .pivot = site ? site->pivot : NULL};
    struct sl_node **anchors;
    struct sl_lowered lowered;
    int n_anchors;
    if (callee(&function, n, l->scratch, NULL) != SL_OK) return SL_OK;
    SL_TRY(sl_lower_body(&call.body, l, &function));
    if (!call.body || !sl_body_fits(&call.body->body, n->in_types, n->n_inputs, n->out_types, n->n_outputs) ||
        !sl_lower_may_inline(l, &call))
        return SL_OK;
    struct sl_port *args = SL_ARENA_ARRAY(l->scratch, struct sl_port, (size_t)n->n_inputs);
    if (!args) return sl_fail_memory(l->err, (size_t)n->n_inputs);
    for (int i = 0; i < n->n_inputs; i++) args[i] = n->inputs[i];
    call.args = args;
    SL_TRY(sl_lower_anchors(&anchors, &n_anchors, l, n));
    if (n_anchors) SL_TRY(hold_back(args, &call.pivot, l, n, anchors, n_anchors));
    SL_TRY(sl_lower_call(&lowered, l, &call));
    struct sl_node *end;
    SL_TRY(end_of(&end, l, n, &lowered, call.pivot));
    SL_TRY(sl_lower_replace(l, n, lowered.results, end));
    struct sl_node *named = l->options->keep_names && !end ? sl_graph_find(l->graph, n->name) : NULL;
    for (int i = 0; named && i < lowered.n_effects; i++)
        SL_TRY(sl_graph_add_control(l->graph, lowered.effects[i], named, l->err));
    return SL_OK;
}

/* ---- the walk */

static sl_code lower_node(struct sl_lowering *l, struct sl_node *n) {
    switch (n->op->index) {
    case SL_ROW_If:
    case SL_ROW_StatelessIf:
    case SL_ROW_Case:
    case SL_ROW_StatelessCase: return l->options->keep_control_flow ? SL_OK : sl_lower_branches(l, n);
    case SL_ROW_While:
    case SL_ROW_StatelessWhile: return l->options->keep_control_flow ? SL_OK : sl_lower_loop(l, n);
    default: return lower_call(l, n);
    }
}

static sl_code walk(struct sl_lowering *l) {
    SL_GRAPH_EACH(n, l->graph) l->has_flow = l->has_flow || sl_flow_kind_of(n->op) != SL_FLOW_NONE;
    const size_t written = l->graph->live + sl_graph_written_nodes(l->options->library);
    const size_t most = l->graph->live + MOST_GROWTH + MOST_GROWTH_EACH * written;
    SL_GRAPH_EACH(n, l->graph) {
        if (l->graph->live > most) break;
        if (is_functional(n, l->options->unmarked_too)) SL_TRY(lower_node(l, n));
    }
    return SL_OK;
}

bool sl_pass_lower_needed(const struct sl_graph *graph) {
    SL_GRAPH_EACH(n, graph) if (is_functional(n, false)) return true;
    return false;
}

sl_code sl_pass_lower(struct sl_graph *graph, const struct sl_lower_options *options, struct sl_error *err) {
    struct sl_arena scratch;
    struct sl_lowering l = {.graph = graph, .options = options, .scratch = &scratch, .err = err};
    sl_arena_init(&scratch);
    sl_code code = walk(&l);
    SL_GRAPH_EACH(n, graph) n->mark = NULL;
    sl_str_map_free(&l.bodies);
    sl_arena_clear(&scratch);
    return code;
}
