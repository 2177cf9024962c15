/* The function of sluice/effects.h. What a node does says the row of its op (ops/op_effects.h); a node that changes
 * something lasting marks all that needs it, forwards along the edges. */
#include <string.h>

#include "base/alloc.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "capi/handles.h"
#include "graph/tensor_name.h"
#include "ops/op_effects.h"
#include "ops/op_row.h"
#include "sluice/effects.h"

struct search {
    const struct sl_graph *graph;
    struct sl_str_map functions; /* name -> one of the two below */
    struct sl_node **change;     /* by node id: the first found that it needs; NULL: none */
    SL_VEC(struct sl_node *) to_visit;
};

static char lasting, harmless;

/* Text on a terminal is nothing that gets lost. */
static bool is_print(const struct sl_op *op) { return op->index == SL_ROW_Print || op->index == SL_ROW_PrintV2; }

/* Whether it changes what no handle leads to. */
static bool changes_at_large(const struct sl_op *op) {
    return op->facts & (SL_OP_HIDDEN | SL_OP_WRITES_OUTSIDE) && !is_print(op);
}

/* ---- functions, whose bodies are messages */

static bool function_changes(struct search *s, struct sl_str name);

/* Whether a function in an attr's value does. */
static bool attr_changes(struct search *s, const struct sl_pb_AttrValue *value) {
    if (value->which == SL_PB_AttrValue_func) return value->func->name.n && function_changes(s, value->func->name);
    for (size_t k = 0; value->which == SL_PB_AttrValue_list && k < value->list->func.n; k++)
        if (function_changes(s, value->list->func.items[k].name)) return true;
    return false;
}

static const struct sl_pb_NodeDef *find_in_body(const struct sl_pb_FunctionDef *f, struct sl_str name) {
    for (size_t i = 0; i < f->node_def.n; i++)
        if (sl_str_eq(f->node_def.items[i].name, name)) return &f->node_def.items[i];
    return NULL;
}

/* Whether the handle that a node takes first was made in the body: there it ends with the step. */
static bool takes_own_state(struct search *s, const struct sl_pb_FunctionDef *f, const struct sl_pb_NodeDef *node) {
    for (size_t steps = 0; node && node->input.n && steps < f->node_def.n; steps++) {
        const struct sl_op *op;
        const char *colon = memchr(node->input.items[0].p, ':', node->input.items[0].n);
        struct sl_str from = node->input.items[0];
        if (colon) from.n = (size_t)(colon - from.p);
        node = find_in_body(f, from);
        if (node && sl_graph_find_op(&op, s->graph, node->op, NULL) == SL_OK && sl_op_has(op, SL_OP_MAKES)) return true;
    }
    return false;
}

static bool body_node_changes(struct search *s, const struct sl_pb_FunctionDef *f, const struct sl_pb_NodeDef *node) {
    const struct sl_op *op;
    if (sl_graph_function(s->graph, node->op)) return function_changes(s, node->op);
    if (sl_graph_find_op(&op, s->graph, node->op, NULL) != SL_OK) return true;
    for (size_t a = 0; a < node->attr.n; a++)
        if (attr_changes(s, &node->attr.items[a].value)) return true;
    return changes_at_large(op) || (op->writes && !takes_own_state(s, f, node));
}

static bool function_changes(struct search *s, struct sl_str name) {
    const struct sl_function_def *f = sl_graph_function(s->graph, name);
    const char *known = sl_str_map_get(&s->functions, name);
    if (known || !f) return known != &harmless;
    if (sl_str_map_put(&s->functions, name, &harmless)) return true; /* until it is known: it may call itself */
    for (size_t i = 0; i < f->def->node_def.n; i++)
        if (body_node_changes(s, f->def, &f->def->node_def.items[i])) {
            (void)sl_str_map_put(&s->functions, name, &lasting);
            return true;
        }
    return false;
}

/* ---- nodes of the graph */

/* Whether the handle of a port was made by a node of this run: back to where it comes from. */
static bool is_own_state(const struct search *s, struct sl_port port) {
    for (size_t steps = 0; port.node && steps < s->graph->nodes.n; steps++) {
        if (sl_op_has(port.node->op, SL_OP_MAKES)) return true;
        if (!port.node->n_inputs) return false;
        port = port.node->inputs[0];
    }
    return false;
}

static bool node_changes(struct search *s, const struct sl_node *node) {
    if (sl_graph_function(s->graph, node->op->name)) return function_changes(s, node->op->name);
    for (int i = 0; i < node->attrs.n; i++)
        if (attr_changes(s, node->attrs.items[i].value)) return true;
    if (changes_at_large(node->op)) return true;
    return node->op->writes && node->n_inputs && !is_own_state(s, node->inputs[0]);
}

static bool is_fed(struct sl_port port, const TF_Output *feeds, int n) {
    for (int i = 0; i < n; i++)
        if (sl_as_node(feeds[i].oper) == port.node && feeds[i].index == port.index) return true;
    return false;
}

static bool mark(struct search *s, struct sl_node *node, struct sl_node *change) {
    if (s->change[node->id]) return true;
    s->change[node->id] = change;
    return !sl_vec_push(&s->to_visit, node);
}

static sl_code mark_all(struct search *s, const TF_Output *feeds, int n_feeds, struct sl_error *err) {
    size_t n = s->graph->nodes.n;
    s->change = sl_calloc(n + 1, sizeof *s->change);
    if (!s->change) return sl_fail_memory(err, n * sizeof *s->change);
    SL_GRAPH_EACH(node, s->graph)
    if (node_changes(s, node) && !mark(s, node, node)) return sl_fail_memory(err, n);
    for (size_t at = 0; at < s->to_visit.n; at++) { /* those nearest to a change first */
        const struct sl_node *node = s->to_visit.items[at];
        for (uint32_t u = 0; u < node->uses.n; u++) {
            const struct sl_use *use = &node->uses.items[u];
            struct sl_port port = {(struct sl_node *)(uintptr_t)node, use->index};
            if (is_fed(port, feeds, n_feeds)) continue;
            if (!mark(s, use->node, s->change[node->id])) return sl_fail_memory(err, n);
        }
    }
    return SL_OK;
}

void sl_find_changes(TF_Operation **changes, TF_Graph *graph, const TF_Output *feeds, int num_feeds,
                     const TF_Operation *const *operations, int num_operations, TF_Status *status) {
    struct sl_error err;
    for (int i = 0; i < num_operations; i++) changes[i] = NULL;
    sl_graph_lock(graph);
    struct search s = {.graph = graph->graph};
    sl_code code = mark_all(&s, feeds, num_feeds, &err);
    for (int i = 0; code == SL_OK && i < num_operations; i++)
        if (operations[i]) changes[i] = sl_as_operation(s.change[sl_as_node(operations[i])->id]);
    sl_graph_unlock(graph);
    sl_vec_free(&s.to_visit);
    sl_str_map_free(&s.functions);
    sl_free(s.change);
    sl_status_take(status, code, &err);
}
