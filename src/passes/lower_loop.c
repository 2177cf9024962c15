/* While as a loop of the five primitives, in a frame of the node's name:
 *
 *     input -> Enter -> Merge -> Switch -> Exit -> output
 *                         ^         |
 *                  NextIteration <- body
 *
 * A variable that the body returns as it came is no variable: it enters once, as a constant. */
#include "passes/lowering.h"

struct loop {
    struct sl_lowering *l;
    struct sl_node *node;
    const struct sl_pb_NameAttrList *names[2]; /* of condition, body */
    const struct sl_lower_body *condition, *body;
    int n;
    bool *is_constant;      /* by variable */
    struct sl_port *values; /* as the condition sees them: Merge, or a constant Enter */
    struct sl_node **switches;
    struct sl_node *loop_cond;
};

static sl_code find_functions(bool *fits, struct loop *w) {
    const uint8_t condition_type = SL_BOOL;
    const struct sl_node *n = w->node;
    *fits = false;
    if (!n->n_inputs || sl_attr_func(&w->names[0], &n->attrs, "cond", NULL) != SL_OK ||
        sl_attr_func(&w->names[1], &n->attrs, "body", NULL) != SL_OK)
        return SL_OK;
    SL_TRY(sl_lower_body(&w->condition, w->l, w->names[0]));
    SL_TRY(sl_lower_body(&w->body, w->l, w->names[1]));
    *fits = w->condition && w->body &&
            sl_body_fits(&w->condition->body, n->in_types, n->n_inputs, &condition_type, 1) &&
            sl_body_fits(&w->body->body, n->in_types, n->n_inputs, n->out_types, n->n_outputs);
    return SL_OK;
}

/* One variable stays one even when nothing changes: a loop needs something that comes back. */
static void find_constants(struct loop *w) {
    const struct sl_body *b = &w->body->body;
    int n_variables = 0;
    for (int i = 0; i < w->n; i++) {
        struct sl_port from = b->rets[i]->inputs[0];
        w->is_constant[i] = from.node == b->args[i];
        n_variables += !w->is_constant[i];
    }
    if (!n_variables) w->is_constant[0] = false;
}

static sl_code add_enter(struct sl_node **out, struct loop *w, int i, struct sl_node *const *anchors, int n_anchors) {
    struct sl_arena *arena = &w->l->graph->arena;
    struct sl_port from = w->node->inputs[i];
    int64_t limit = 10;
    sl_attr_int(&limit, &w->node->attrs, "parallel_iterations", NULL);
    const struct sl_attr attrs[] = {sl_attr_new(arena, SL_STR("frame_name"), SL_ATTR_VALUE(s, w->node->name)),
                                    sl_attr_new(arena, SL_STR("is_constant"), SL_ATTR_VALUE(b, w->is_constant[i])),
                                    sl_attr_new(arena, SL_STR("parallel_iterations"),
                                                SL_ATTR_VALUE(i, limit > 0 ? limit : 1))};
    struct sl_lower_spec spec = {.op = "Enter",
                                 .suffix = "enter",
                                 .dtype = from.node->out_types[from.index],
                                 .more = attrs,
                                 .n_more = 3,
                                 .inputs = &from,
                                 .n_inputs = 1,
                                 .controls = anchors,
                                 .n_controls = n_anchors};
    SL_TRY(sl_lower_add(out, w->l, w->node, &spec));
    return SL_OK;
}

static sl_code add_flow(struct sl_node **out, struct loop *w, const char *op, const struct sl_port *inputs,
                        int n_inputs) {
    struct sl_lower_spec spec = {.op = op,
                                 .suffix = op,
                                 .dtype = inputs[0].node->out_types[inputs[0].index],
                                 .inputs = inputs,
                                 .n_inputs = n_inputs};
    return sl_lower_add(out, w->l, w->node, &spec);
}

static sl_code enter_all(struct loop *w) {
    struct sl_node **anchors, *enter, *merge;
    int n_anchors;
    SL_TRY(sl_lower_anchors(&anchors, &n_anchors, w->l, w->node));
    for (int i = 0; i < w->n; i++) {
        SL_TRY(add_enter(&enter, w, i, anchors, n_anchors));
        w->values[i] = (struct sl_port){enter, 0};
        if (w->is_constant[i]) continue;
        const struct sl_attr count = sl_attr_new(&w->l->graph->arena, SL_STR("N"), SL_ATTR_VALUE(i, 2));
        struct sl_port inputs[] = {{enter, 0}, {NULL, 0}}; /* the second comes with the body's result */
        struct sl_lower_spec spec = {.op = "Merge",
                                     .suffix = "merge",
                                     .dtype = enter->out_types[0],
                                     .more = &count,
                                     .n_more = 1,
                                     .inputs = inputs,
                                     .n_inputs = 2};
        SL_TRY(sl_lower_add(&merge, w->l, w->node, &spec));
        w->values[i] = (struct sl_port){merge, 0};
    }
    return SL_OK;
}

static sl_code make_condition(struct loop *w) {
    struct sl_node *pivot, *merge = NULL;
    struct sl_lowered lowered;
    for (int i = 0; i < w->n && !merge; i++)
        if (!w->is_constant[i]) merge = w->values[i].node;
    struct sl_lower_spec spec = {.op = "NoOp", .suffix = "iteration", .controls = &merge, .n_controls = 1};
    SL_TRY(sl_lower_add(&pivot, w->l, w->node, &spec));
    struct sl_lower_call call = {.function = w->names[0],
                                 .body = w->condition,
                                 .caller = w->node,
                                 .suffix = "cond",
                                 .args = w->values,
                                 .pivot = pivot};
    SL_TRY(sl_lower_call(&lowered, w->l, &call));
    struct sl_lower_spec cond = {.op = "LoopCond",
                                 .suffix = "LoopCond",
                                 .inputs = lowered.results,
                                 .n_inputs = 1,
                                 .controls = lowered.effects,
                                 .n_controls = lowered.n_effects};
    return sl_lower_add(&w->loop_cond, w->l, w->node, &cond);
}

static sl_code switch_all(struct loop *w) {
    for (int i = 0; i < w->n; i++) {
        struct sl_port inputs[] = {w->values[i], {w->loop_cond, 0}};
        SL_TRY(add_flow(&w->switches[i], w, "Switch", inputs, 2));
    }
    return SL_OK;
}

static sl_code make_body(struct loop *w) {
    struct sl_port *args = SL_ARENA_ARRAY(w->l->scratch, struct sl_port, (size_t)w->n);
    struct sl_node *pivot, *next;
    struct sl_lowered lowered;
    if (!args) return sl_fail_memory(w->l->err, (size_t)w->n);
    for (int i = 0; i < w->n; i++) args[i] = (struct sl_port){w->switches[i], 1};
    SL_TRY(sl_lower_identity(&pivot, w->l, w->node, "goes_on", args[0], NULL, 0));
    struct sl_lower_call call = {
        .function = w->names[1], .body = w->body, .caller = w->node, .suffix = "body", .args = args, .pivot = pivot};
    SL_TRY(sl_lower_call(&lowered, w->l, &call));
    for (int i = 0; i < w->n; i++) {
        if (w->is_constant[i]) continue;
        SL_TRY(add_flow(&next, w, "NextIteration", &lowered.results[i], 1));
        for (int e = 0; e < lowered.n_effects; e++)
            SL_TRY(sl_graph_add_control(w->l->graph, lowered.effects[e], next, w->l->err));
        SL_TRY(sl_graph_set_input(w->l->graph, w->values[i].node, 1, (struct sl_port){next, 0}, w->l->err));
    }
    return SL_OK;
}

/* What did not change is the input itself, once the loop has ended. */
static sl_code exit_all(struct sl_port *results, struct sl_node **end, struct loop *w) {
    struct sl_node **exits = SL_ARENA_ARRAY(w->l->scratch, struct sl_node *, (size_t)w->n), *out;
    int n_exits = 0;
    *end = NULL;
    if (!exits) return sl_fail_memory(w->l->err, (size_t)w->n);
    for (int i = 0; i < w->n; i++) {
        if (w->is_constant[i]) continue;
        struct sl_port last = {w->switches[i], 0};
        SL_TRY(add_flow(&exits[n_exits], w, "Exit", &last, 1));
        results[i] = (struct sl_port){exits[n_exits], 0};
        exits[n_exits++]->shapes[0] = w->node->shapes[i];
    }
    for (int i = 0; i < w->n; i++) {
        if (!w->is_constant[i]) continue;
        SL_TRY(sl_lower_identity(&out, w->l, w->node, "unchanged", w->node->inputs[i], exits, 1));
        results[i] = (struct sl_port){out, 0};
    }
    if (!sl_lower_has_followers(w->node)) return SL_OK;
    struct sl_lower_spec spec = {.op = "NoOp", .suffix = "ended", .controls = exits, .n_controls = n_exits};
    return sl_lower_add(end, w->l, w->node, &spec);
}

sl_code sl_lower_loop(struct sl_lowering *l, struct sl_node *n) {
    struct loop w = {.l = l, .node = n, .n = n->n_inputs};
    struct sl_node *end;
    bool fits;
    SL_TRY(find_functions(&fits, &w));
    if (!fits) return SL_OK;
    struct sl_port *results = SL_ARENA_ARRAY(l->scratch, struct sl_port, (size_t)w.n);
    w.is_constant = SL_ARENA_ARRAY(l->scratch, bool, (size_t)w.n);
    w.values = SL_ARENA_ARRAY(l->scratch, struct sl_port, (size_t)w.n);
    w.switches = SL_ARENA_ARRAY(l->scratch, struct sl_node *, (size_t)w.n);
    if (!results || !w.is_constant || !w.values || !w.switches) return sl_fail_memory(l->err, (size_t)w.n);
    find_constants(&w);
    SL_TRY(enter_all(&w));
    SL_TRY(make_condition(&w));
    SL_TRY(switch_all(&w));
    SL_TRY(make_body(&w));
    SL_TRY(exit_all(results, &end, &w));
    return sl_lower_replace(l, n, results, end);
}
