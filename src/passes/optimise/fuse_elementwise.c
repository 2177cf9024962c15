/* Element-wise nodes that feed each other become one _ElementwiseProgram: one pass over memory instead of one a
 * node, and no tensors between. A group grows from its last node backwards: a producer joins when everybody who
 * reads it is in the group already. The loops are the nodes' own, so not a bit of the result changes.
 *
 * A sum, mean, maximum or minimum over one dim that stays as 1 may belong to a group, too (normalisations, softmax):
 * what it folds and what its result meets then go by rows, where the dim is the last one.
 *
 * Only float and double: shorter types round after each node. Only nodes without control edges within: when a node
 * runs matters then. */
#include "ops/elementwise_program.h"
#include "ops/op_effects.h"
#include "ops/op_row.h"
#include "passes/optimise/optimise.h"

struct group {
    struct sl_node *steps[SL_ELEMENTWISE_STEPS]; /* the last of the graph first */
    struct sl_port inputs[SL_ELEMENTWISE_INPUTS];
    int n_steps, n_inputs;
};

struct fusion {
    struct sl_graph *graph;
    const struct sl_optimise_options *options;
    uint32_t *position; /* by id: place in the graph's order */
    bool *is_kept;      /* by id: somebody outside wants it */
    bool *is_gone;      /* by id: a step of a program now; removed at the end, and until then somebody who reads */
    bool is_host_alone; /* there are no other devices */
    size_t n_before;    /* nodes before the pass */
    struct sl_arena *scratch;
    struct sl_error *err;
};

/* Of the ops that may be steps, those that are not element-wise fold a dim. */
static bool is_fold_op(const struct sl_op *op) {
    return sl_op_has(op, SL_OP_FUSABLE) && !sl_op_has(op, SL_OP_ELEMENTWISE);
}

/* The other inputs are the axes of a fold. */
static int n_operands(const struct sl_node *n) { return is_fold_op(n->op) ? 1 : n->n_inputs; }

/* The axis of a fold over one dim. The first one of several is not worth a program: rows are not along it. */
static bool find_axis(int64_t *axis, const struct fusion *f, const struct sl_node *n) {
    const struct sl_pb_AttrValue *keeps = sl_attr_find(&n->attrs, SL_STR("keep_dims"));
    const struct sl_node *from = n->inputs[1].node;
    if (!keeps || !keeps->b || from->op->index != SL_ROW_Const || from->n_controls) return false;
    const struct sl_tensor *t = sl_graph_constant(f->graph, n->inputs[1]);
    if (!t || t->count != 1) return false;
    *axis = t->dtype == SL_INT64 ? *(const int64_t *)t->data : *(const int32_t *)t->data;
    return *axis > 0 || *axis == -1;
}

/* Whether the device that the node is on has programs of its type. */
static bool is_served(const struct fusion *f, const struct sl_node *n) {
    if (f->is_host_alone) return true;
    const struct sl_device_type *type = sl_optimise_device(f->options, n);
    const struct sl_kernel_def *def;
    return type == &sl_host_device_type ||
           sl_kernel_find(&def, f->options->kernels, sl_row_name(SL_ROW__ElementwiseProgram), n->name, type->name,
                          &n->attrs, NULL) == SL_OK;
}

static bool is_step(const struct fusion *f, const struct sl_node *n) {
    int type = n->n_outputs == 1 ? n->out_types[0] : 0;
    int64_t axis;
    if (n->id >= f->n_before || f->is_gone[n->id] || !sl_op_has(n->op, SL_OP_FUSABLE)) return false;
    if ((type != SL_FLOAT && type != SL_DOUBLE) || !is_served(f, n)) return false;
    if (is_fold_op(n->op) && !find_axis(&axis, f, n)) return false;
    for (int i = 0; i < n_operands(n); i++)
        if (n->inputs[i].node->out_types[n->inputs[i].index] != type)
            return false; /* a reference is read when its node runs */
    return true;
}

/* ---- growing a group */

static bool has_step(const struct group *g, const struct sl_node *n) {
    for (int i = 0; i < g->n_steps; i++)
        if (g->steps[i] == n) return true;
    return false;
}

static int input_of(const struct group *g, struct sl_port p) {
    for (int i = 0; i < g->n_inputs; i++)
        if (g->inputs[i].node == p.node && g->inputs[i].index == p.index) return i;
    return -1;
}

/* Whether `n` may become a step of a group that has its readers. */
static bool may_join(const struct fusion *f, const struct group *g, const struct sl_node *n) {
    if (!is_step(f, n) || f->is_kept[n->id] || n->n_controls || n->uses.n > 2 * SL_ELEMENTWISE_STEPS) return false;
    if (n->out_types[0] != g->steps[0]->out_types[0] || !sl_str_eq(n->assigned, g->steps[0]->assigned)) return false;
    for (uint32_t u = 0; u < n->uses.n; u++)
        if (n->uses.items[u].slot < 0 || !has_step(g, n->uses.items[u].node)) return false;
    return true;
}

/* The group with `n` as a further step, its inputs taking the place of `n` itself; false when that is too many. */
static bool add_step(struct group *g, struct sl_node *n) {
    struct group wider = *g;
    if (g->n_steps == SL_ELEMENTWISE_STEPS) return false;
    wider.n_inputs = 0;
    for (int i = 0; i < g->n_inputs; i++)
        if (g->inputs[i].node != n) wider.inputs[wider.n_inputs++] = g->inputs[i];
    for (int i = 0; i < n_operands(n); i++) {
        if (input_of(&wider, n->inputs[i]) >= 0) continue;
        if (wider.n_inputs == SL_ELEMENTWISE_INPUTS) return false;
        wider.inputs[wider.n_inputs++] = n->inputs[i];
    }
    wider.steps[wider.n_steps++] = n;
    *g = wider;
    return true;
}

static void grow(struct group *g, const struct fusion *f) {
    for (int i = 0; i < g->n_inputs;)
        if (may_join(f, g, g->inputs[i].node) && add_step(g, g->inputs[i].node)) i = 0;
        else i++;
}

/* ---- the program */

/* Producers first. */
static void order_steps(struct group *g, const struct fusion *f) {
    for (int i = 1; i < g->n_steps; i++)
        for (int j = i; j > 0 && f->position[g->steps[j]->id] < f->position[g->steps[j - 1]->id]; j--) {
            struct sl_node *n = g->steps[j];
            g->steps[j] = g->steps[j - 1];
            g->steps[j - 1] = n;
        }
}

static int64_t operand_of(const struct group *g, struct sl_port p) {
    for (int i = 0; i < g->n_steps; i++)
        if (g->steps[i] == p.node) return g->n_inputs + i;
    return input_of(g, p);
}

static sl_code make_attrs(struct sl_attr attrs[5], struct fusion *f, const struct group *g) {
    struct sl_arena *arena = &f->graph->arena;
    size_t n = (size_t)g->n_steps;
    struct sl_str *ops = SL_ARENA_ARRAY(arena, struct sl_str, n), *names = SL_ARENA_ARRAY(arena, struct sl_str, n);
    int64_t *operands = SL_ARENA_ARRAY(arena, int64_t, 2 * n);
    if (!ops || !names || !operands) return sl_fail_memory(f->err, n);
    for (size_t i = 0; i < n; i++) {
        const struct sl_node *step = g->steps[i];
        ops[i] = step->op->name;
        names[i] = step->name;
        operands[2 * i] = operand_of(g, step->inputs[0]);
        operands[2 * i + 1] = -1;
        if (is_fold_op(step->op)) find_axis(&operands[2 * i + 1], f, step);
        else if (step->n_inputs > 1) operands[2 * i + 1] = operand_of(g, step->inputs[1]);
    }
    attrs[0] = sl_attr_new_list(arena, SL_STR("ops"), &(struct sl_pb_AttrValue_ListValue){.s = {ops, n}});
    attrs[1] = sl_attr_new_list(arena, SL_STR("operands"), &(struct sl_pb_AttrValue_ListValue){.i = {operands, 2 * n}});
    attrs[2] = sl_attr_new_list(arena, SL_STR("names"), &(struct sl_pb_AttrValue_ListValue){.s = {names, n}});
    attrs[3] = sl_attr_new_type(arena, SL_STR("T"), g->steps[0]->out_types[0]);
    attrs[4] = sl_attr_new(arena, SL_STR("N"), SL_ATTR_VALUE(i, g->n_inputs));
    return SL_OK;
}

/* Stands in the last node's place, under its name, with its control edges. */
static sl_code replace(struct fusion *f, const struct group *g) {
    struct sl_node *last = g->steps[g->n_steps - 1], *made;
    struct sl_attr attrs[5];
    SL_TRY(make_attrs(attrs, f, g));
    struct sl_node_spec spec = {.name = sl_graph_unique_name(f->graph, last->name),
                                .device = last->device,
                                .attrs = {attrs, 5},
                                .inputs = g->inputs,
                                .n_inputs = g->n_inputs,
                                .controls = last->controls,
                                .n_controls = last->n_controls};
    if (!spec.name.p) return sl_fail_memory(f->err, last->name.n);
    SL_TRY(sl_op_find(&spec.op, f->graph->registry, sl_row_name(SL_ROW__ElementwiseProgram), f->err));
    SL_TRY(sl_graph_add_trusted(&made, f->graph, &spec, f->err));
    made->assigned = last->assigned;
    made->shapes[0] = last->shapes[0];
    SL_TRY(sl_graph_replace_uses(f->graph, (struct sl_port){last, 0}, (struct sl_port){made, 0}, f->err));
    SL_TRY(sl_graph_move_followers(f->graph, last, made, f->err));
    sl_graph_swap_names(f->graph, last, made);
    for (int i = 0; i < g->n_steps; i++) f->is_gone[g->steps[i]->id] = true;
    return SL_OK;
}

/* All steps at once: one by one each would be searched for among all who read what it reads. */
static sl_code remove_gone(const struct fusion *f) {
    bool *keep = SL_ARENA_ARRAY(f->scratch, bool, f->graph->nodes.n);
    if (!keep) return sl_fail_memory(f->err, f->graph->nodes.n);
    for (size_t i = 0; i < f->graph->nodes.n; i++) keep[i] = i >= f->n_before || !f->is_gone[i];
    sl_graph_keep(f->graph, keep);
    return SL_OK;
}

static sl_code fuse_all(struct fusion *f, const struct sl_optimise_options *options) {
    struct sl_node **order;
    size_t n;
    SL_TRY(sl_graph_order(&order, &n, f->graph, f->scratch, f->err));
    f->n_before = f->graph->nodes.n;
    f->position = SL_ARENA_ARRAY(f->scratch, uint32_t, f->n_before + 1);
    f->is_kept = SL_ARENA_ARRAY(f->scratch, bool, f->n_before + 1);
    f->is_gone = SL_ARENA_ARRAY(f->scratch, bool, f->n_before + 1);
    if (!f->position || !f->is_kept || !f->is_gone) return sl_fail_memory(f->err, f->n_before);
    for (size_t i = 0; i < n; i++) f->position[order[i]->id] = (uint32_t)i;
    for (int i = 0; i < options->n_keep; i++) f->is_kept[options->keep[i]->id] = true;
    for (size_t i = n; i-- > 0;) {
        struct group g = {.n_steps = 0};
        if (!is_step(f, order[i]) || !add_step(&g, order[i])) continue;
        grow(&g, f);
        if (g.n_steps < 2) continue;
        order_steps(&g, f);
        SL_TRY(replace(f, &g));
    }
    return f->graph->nodes.n > f->n_before ? remove_gone(f) : SL_OK;
}

sl_code sl_pass_fuse_elementwise(struct sl_graph *graph, const struct sl_optimise_options *options,
                                 struct sl_error *err) {
    struct sl_arena scratch;
    if (!(options->toggles & SL_TOGGLE_REMAPPING)) return SL_OK;
    sl_arena_init(&scratch);
    struct fusion f = {.graph = graph,
                       .options = options,
                       .is_host_alone = !options->devices || options->devices->is_host_alone,
                       .scratch = &scratch,
                       .err = err};
    graph->keeps_values = true;
    sl_code code = fuse_all(&f, options);
    graph->keeps_values = false;
    sl_arena_clear(&scratch);
    return code;
}
