/* If and Case as switches and merges: every input goes through a switch on the predicate, each branch's function
 * reads its side, each output is the merge of what the branches give. */
#include "passes/lowering.h"

struct branches {
    struct sl_lowering *l;
    struct sl_node *node;
    bool is_case;
    int n;                                   /* branches; of If: else, then */
    const struct sl_pb_NameAttrList **names; /* by output of the switches */
    const struct sl_lower_body **bodies;
    struct sl_lowered *lowered;
    struct sl_port selector; /* the predicate or index, after everything that the node waits for */
    struct sl_node **pivots; /* live when their branch is taken */
    const bool *unread;      /* by result; NULL: all are read, or done all the same */
};

/* The branches' functions, in the order of a switch's outputs. False: this node stays as it is. */
static sl_code find_functions(bool *fits, struct branches *b) {
    const struct sl_node *n = b->node;
    const struct sl_pb_NameAttrList *list = NULL, *names[2];
    *fits = false;
    b->n = 2;
    b->is_case = n->op->index == SL_ROW_Case || n->op->index == SL_ROW_StatelessCase;
    if (b->is_case) {
        const struct sl_pb_AttrValue *v = sl_attr_find(&n->attrs, SL_STR("branches"));
        if (!v || v->which != SL_PB_AttrValue_list || !v->list->func.n || v->list->func.n > UINT16_MAX) return SL_OK;
        list = v->list->func.items;
        b->n = (int)v->list->func.n;
    } else if (n->in_types[0] != SL_BOOL || sl_attr_func(&names[0], &n->attrs, "else_branch", NULL) != SL_OK ||
               sl_attr_func(&names[1], &n->attrs, "then_branch", NULL) != SL_OK) {
        return SL_OK; /* numbers and strings as predicates: the kernel knows what they mean */
    }
    b->names = SL_ARENA_ARRAY(b->l->scratch, const struct sl_pb_NameAttrList *, (size_t)b->n);
    b->bodies = SL_ARENA_ARRAY(b->l->scratch, const struct sl_lower_body *, (size_t)b->n);
    b->lowered = SL_ARENA_ARRAY(b->l->scratch, struct sl_lowered, (size_t)b->n);
    b->pivots = SL_ARENA_ARRAY(b->l->scratch, struct sl_node *, (size_t)b->n);
    if (!b->names || !b->bodies || !b->lowered || !b->pivots) return sl_fail_memory(b->l->err, (size_t)b->n);
    for (int i = 0; i < b->n; i++) {
        b->names[i] = b->is_case ? &list[i] : names[i];
        SL_TRY(sl_lower_body(&b->bodies[i], b->l, b->names[i]));
        if (!b->bodies[i] ||
            !sl_body_fits(&b->bodies[i]->body, n->in_types + 1, n->n_inputs - 1, n->out_types, n->n_outputs))
            return SL_OK;
    }
    *fits = true;
    return SL_OK;
}

/* Results that nobody reads, if something does read others, and nobody waits for all. */
static sl_code find_unread(struct branches *b) {
    const struct sl_lower_options *o = b->l->options;
    const struct sl_node *n = b->node;
    if (!o->drops_unread || !n->uses.n || sl_lower_has_followers(n)) return SL_OK;
    for (int t = 0; t < o->n_targets; t++)
        if (o->targets[t] == n) return SL_OK;
    bool *unread = SL_ARENA_ARRAY(b->l->scratch, bool, (size_t)n->n_outputs);
    int n_unread = n->n_outputs;
    if (!unread) return sl_fail_memory(b->l->err, (size_t)n->n_outputs);
    memset(unread, true, (size_t)n->n_outputs * sizeof *unread);
    for (uint32_t u = 0; u < n->uses.n; u++) {
        const struct sl_use *use = &n->uses.items[u];
        if (use->node->op->index == SL_ROW__Retval) return SL_OK; /* who fetches one gets them all */
        n_unread -= unread[use->index];
        unread[use->index] = false;
    }
    if (n_unread) b->unread = unread;
    return SL_OK;
}

static sl_code add_switch(struct sl_node **out, struct branches *b, struct sl_port data) {
    struct sl_port inputs[] = {data, b->selector};
    struct sl_attr outputs;
    struct sl_lower_spec spec = {.op = b->is_case ? "_SwitchN" : "Switch",
                                 .suffix = "switch",
                                 .dtype = data.node->out_types[data.index],
                                 .inputs = inputs,
                                 .n_inputs = 2};
    if (b->is_case) {
        outputs = sl_attr_new(&b->l->graph->arena, SL_STR("num_outs"), SL_ATTR_VALUE(i, b->n));
        spec.more = &outputs;
        spec.n_more = 1;
    }
    SL_TRY(sl_lower_add(out, b->l, b->node, &spec));
    for (int o = 0; o < b->n; o++) (*out)->shapes[o] = data.node->shapes[data.index];
    return SL_OK;
}

static sl_code add_merge(struct sl_port *out, struct branches *b, const struct sl_port *inputs) {
    const struct sl_attr count = sl_attr_new(&b->l->graph->arena, SL_STR("N"), SL_ATTR_VALUE(i, b->n));
    struct sl_lower_spec spec = {.op = "Merge",
                                 .suffix = "merge",
                                 .dtype = inputs[0].node->out_types[inputs[0].index],
                                 .more = &count,
                                 .n_more = 1,
                                 .inputs = inputs,
                                 .n_inputs = b->n};
    struct sl_node *merge;
    SL_TRY(sl_lower_add(&merge, b->l, b->node, &spec));
    *out = (struct sl_port){merge, 0};
    return SL_OK;
}

static sl_code make_selector(struct branches *b) {
    struct sl_node **anchors, *held;
    int n_anchors;
    b->selector = b->node->inputs[0];
    SL_TRY(sl_lower_anchors(&anchors, &n_anchors, b->l, b->node));
    const struct sl_node *from = b->selector.node;
    int type = from->out_types[b->selector.index];
    if (!n_anchors && type == sl_dtype_base(type)) return SL_OK;
    SL_TRY(sl_lower_identity(&held, b->l, b->node, "selector", b->selector, anchors, n_anchors));
    b->selector = (struct sl_port){held, 0};
    return SL_OK;
}

static sl_code make_pivots(struct branches *b) {
    struct sl_node *pivot;
    SL_TRY(add_switch(&pivot, b, b->selector));
    for (int i = 0; i < b->n; i++)
        SL_TRY(sl_lower_identity(&b->pivots[i], b->l, b->node, "pivot", (struct sl_port){pivot, i}, NULL, 0));
    return SL_OK;
}

static sl_code make_branches(struct branches *b) {
    int n_args = b->node->n_inputs - 1;
    struct sl_port *args = SL_ARENA_ARRAY(b->l->scratch, struct sl_port, (size_t)n_args);
    struct sl_node **switches = SL_ARENA_ARRAY(b->l->scratch, struct sl_node *, (size_t)n_args);
    if (!args || !switches) return sl_fail_memory(b->l->err, (size_t)n_args);
    for (int i = 0; i < n_args; i++) SL_TRY(add_switch(&switches[i], b, b->node->inputs[1 + i]));
    for (int i = 0; i < b->n; i++) {
        for (int a = 0; a < n_args; a++) args[a] = (struct sl_port){switches[a], i};
        const char *suffix = sl_arena_format(&b->l->graph->arena, b->is_case ? "branch%d" : i ? "then" : "else", i);
        struct sl_lower_call call = {.function = b->names[i],
                                     .body = b->bodies[i],
                                     .caller = b->node,
                                     .suffix = suffix,
                                     .args = args,
                                     .pivot = b->pivots[i],
                                     .unread = b->unread};
        if (!suffix) return sl_fail_memory(b->l->err, sizeof(void *));
        SL_TRY(sl_lower_call(&b->lowered[i], b->l, &call));
    }
    return SL_OK;
}

/* A control input that lives whichever branch was taken, after its effects and all outputs. */
static sl_code make_end(struct sl_node **out, struct branches *b, const struct sl_port *results) {
    struct sl_port *ends = SL_ARENA_ARRAY(b->l->scratch, struct sl_port, (size_t)b->n), merged;
    struct sl_node *end;
    *out = NULL;
    if (!b->l->options->keep_names && !sl_lower_has_followers(b->node)) return SL_OK;
    if (!ends) return sl_fail_memory(b->l->err, (size_t)b->n);
    for (int i = 0; i < b->n; i++) {
        SL_TRY(sl_lower_identity(&end, b->l, b->node, "branch_ended", (struct sl_port){b->pivots[i], 0},
                                 b->lowered[i].effects, b->lowered[i].n_effects));
        ends[i] = (struct sl_port){end, 0};
    }
    SL_TRY(add_merge(&merged, b, ends));
    struct sl_lower_spec spec = {.op = "NoOp", .suffix = "ended", .controls = &merged.node, .n_controls = 1};
    SL_TRY(sl_lower_add(out, b->l, b->node, &spec));
    for (int o = 0; o < b->node->n_outputs; o++)
        SL_TRY(sl_graph_add_control(b->l->graph, results[o].node, *out, b->l->err));
    return SL_OK;
}

sl_code sl_lower_branches(struct sl_lowering *l, struct sl_node *n) {
    struct branches b = {.l = l, .node = n};
    bool fits;
    SL_TRY(find_functions(&fits, &b));
    if (!fits) return SL_OK;
    struct sl_port *results = SL_ARENA_ARRAY(l->scratch, struct sl_port, (size_t)n->n_outputs);
    struct sl_port *inputs = SL_ARENA_ARRAY(l->scratch, struct sl_port, (size_t)b.n);
    struct sl_node *end;
    if (!results || !inputs) return sl_fail_memory(l->err, (size_t)n->n_outputs);
    SL_TRY(find_unread(&b));
    SL_TRY(make_selector(&b));
    SL_TRY(make_pivots(&b));
    SL_TRY(make_branches(&b));
    for (int o = 0; o < n->n_outputs; o++) {
        results[o] = (struct sl_port){NULL, 0};
        if (b.unread && b.unread[o]) continue;
        for (int i = 0; i < b.n; i++) inputs[i] = b.lowered[i].results[o];
        SL_TRY(add_merge(&results[o], &b, inputs));
        results[o].node->shapes[0] = n->shapes[o];
    }
    SL_TRY(make_end(&end, &b, results));
    return sl_lower_replace(l, n, results, end);
}
