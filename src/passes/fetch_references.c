/* What a run fetches of a reference variable is its value when the run is over, as in TensorFlow 1, where what is fetched shares the
 * variable's memory: `session.run([train_op, global_step])` gives the step that was made. Nodes that compute with the variable
 * read it when they run. */
#include "passes/fetch_references.h"

#include "ops/op_effects.h"
#include "ops/op_row.h"

static bool is_reference(struct sl_port p) { return p.node && sl_dtype_is_ref(p.node->out_types[p.index]); }

static bool is_variable(struct sl_port p) { return is_reference(p) && sl_op_has(p.node->op, SL_OP_VARIABLE); }

/* The variable that is fetched as it is: itself, or by Identities that wait for nothing else. A node of NULL: none. */
static struct sl_port fetched_variable(struct sl_port p) {
    while (p.node->op->index == SL_ROW_Identity && !p.node->n_controls) p = p.node->inputs[0];
    return is_variable(p) ? p : (struct sl_port){NULL, 0};
}

/* The variable behind a reference that comes straight from it or from nodes that write it. */
static struct sl_port written_variable(struct sl_port p) {
    while (is_reference(p) && !is_variable(p) && p.node->n_inputs && sl_flow_kind_of(p.node->op) == SL_FLOW_NONE)
        p = p.node->inputs[0];
    return is_variable(p) ? p : (struct sl_port){NULL, 0};
}

static bool writes(const struct sl_node *n, const struct sl_node *variable) {
    for (int i = 0; i < n->n_inputs; i++)
        if (is_reference(n->inputs[i]) && sl_op_effects_on(n->op, i) == SL_EFFECTS_CHANGES &&
            written_variable(n->inputs[i]).node == variable)
            return true;
    return false;
}

static bool has_switches(const struct sl_graph *graph) {
    SL_GRAPH_EACH(n, graph)
    if (sl_flow_kind_of(n->op) == SL_FLOW_SWITCH) return true;
    return false;
}

/* A node that waits for all that it depends on, also for what a switch keeps from running. */
static sl_code add_trigger(struct sl_node **out, struct sl_graph *graph, struct sl_error *err) {
    struct sl_node_spec spec = {.name = sl_graph_unique_name(graph, SL_STR("_written"))};
    SL_TRY(sl_op_find(&spec.op, graph->registry, SL_STR("ControlTrigger"), err));
    return sl_graph_add_trusted(out, graph, &spec, err);
}

/* A node that writes to what comes straight from the variable is in no loop. */
static sl_code read_last(struct sl_graph *graph, struct sl_node *ret, bool may_be_dead, struct sl_error *err) {
    const struct sl_port variable = fetched_variable(ret->inputs[0]);
    struct sl_node *last = NULL;
    if (!variable.node) return SL_OK;
    for (size_t i = 0, n = graph->nodes.n; i < n; i++) {
        struct sl_node *writer = graph->nodes.items[i];
        if (writer->is_removed || !writes(writer, variable.node)) continue;
        if (!last && may_be_dead) SL_TRY(add_trigger(&last, graph, err));
        if (!last) last = ret;
        SL_TRY(sl_graph_add_control(graph, writer, last, err));
    }
    if (!last) return SL_OK;
    if (last != ret) SL_TRY(sl_graph_add_control(graph, last, ret, err));
    return ret->inputs[0].node == variable.node ? SL_OK : sl_graph_set_input(graph, ret, 0, variable, err);
}

sl_code sl_pass_fetch_references(struct sl_graph *graph, struct sl_error *err) {
    const size_t n = graph->nodes.n;
    int may_be_dead = -1; /* not known */
    for (size_t i = 0; i < n; i++) {
        struct sl_node *ret = graph->nodes.items[i];
        if (ret->is_removed || ret->op->index != SL_ROW__Retval || !fetched_variable(ret->inputs[0]).node) continue;
        if (may_be_dead < 0) may_be_dead = has_switches(graph);
        SL_TRY(read_last(graph, ret, may_be_dead, err));
    }
    return SL_OK;
}
