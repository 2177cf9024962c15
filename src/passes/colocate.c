/* Colocation: union-find over `_class` entries and over edges that carry references or resources. `_Arg` and `_Retval`
 * are in no group: the caller decides on which device they are. */
#include "passes/colocate.h"

#include "base/str_map.h"
#include "ops/op_row.h"

uint32_t sl_group_of(struct sl_groups *g, uint32_t id) {
    while (g->parent[id] != id) id = g->parent[id] = g->parent[g->parent[id]];
    return id;
}

static sl_code explain(struct sl_groups *g, const struct sl_node *n, const struct sl_node *other, const char *why) {
    return sl_fail(
        g->err, SL_INVALID_ARGUMENT,
        "Cannot colocate nodes {{colocation_node %.*s}} and {{colocation_node %.*s}}: %s\n\t [[{{node %.*s}}]]",
        SL_STR_ARG(n->name), SL_STR_ARG(other->name), why, SL_STR_ARG(n->name));
}

/* Joins the groups of two nodes. When their requests differ: the first's with `first_wins`, else an error about
 * `first`. */
static sl_code join(struct sl_groups *g, const struct sl_node *first, const struct sl_node *other, bool first_wins) {
    uint32_t x = sl_group_of(g, first->id), y = sl_group_of(g, other->id);
    if (x == y) return SL_OK;
    struct sl_device_name merged = g->request[x];
    bool has_request = g->has_request[x] || g->has_request[y];
    if (g->has_request[x] && g->has_request[y]) {
        struct sl_error why = {0};
        if (sl_device_merge(&merged, &g->request[y], g->is_soft && !first_wins, &why) != SL_OK) {
            if (!first_wins) return explain(g, first, other, why.message);
            merged = g->request[x];
        }
    } else if (g->has_request[y]) {
        merged = g->request[y];
    }
    uint32_t root = x < y ? x : y;
    g->parent[x < y ? y : x] = root;
    g->request[root] = merged;
    g->has_request[root] = has_request;
    return SL_OK;
}

/* Entries that name no node of this graph still join those that have them. */
static sl_code join_classes(struct sl_groups *g, struct sl_str_map *absent, struct sl_node *n) {
    const struct sl_str *classes;
    int count;
    if (!sl_attr_find(&n->attrs, SL_STR("_class"))) return SL_OK;
    if (sl_attr_string_list(&classes, &count, &n->attrs, "_class", NULL) != SL_OK) return SL_OK;
    for (int i = 0; i < count; i++) {
        if (!sl_str_starts(classes[i], SL_STR("loc:@"))) continue;
        struct sl_str name = {classes[i].p + 5, classes[i].n - 5};
        struct sl_node *other = sl_graph_find(g->graph, name);
        if (!other) other = sl_str_map_get(absent, name);
        if (other) SL_TRY(join(g, n, other, false));
        else if (sl_str_map_put(absent, name, n)) return sl_fail_memory(g->err, sizeof(struct sl_str_map_entry));
    }
    return SL_OK;
}

/* Those that take functions and resources: the function says where the resource goes. */
static bool is_free_of_resources(const struct sl_node *n) {
    switch (n->op->index) {
    case SL_ROW_IdentityN:
    case SL_ROW_PartitionedCall:
    case SL_ROW_StatefulPartitionedCall:
    case SL_ROW__Retval: return true;
    default: return n->op->index == SL_OP_NO_ROW;
    }
}

static sl_code join_resources(struct sl_groups *g, struct sl_node *n) {
    if (is_free_of_resources(n)) return SL_OK;
    for (int i = 0; i < n->n_inputs; i++) {
        struct sl_node *from = n->inputs[i].node;
        if (!sl_dtype_is_ref(n->in_types[i]) && n->in_types[i] != SL_RESOURCE) continue;
        if (from && from->op->index != SL_ROW__Arg && !is_free_of_resources(from)) SL_TRY(join(g, from, n, true));
    }
    return SL_OK;
}

sl_code sl_groups_make(struct sl_groups *out, struct sl_graph *graph, bool is_soft, struct sl_arena *scratch,
                       struct sl_error *err) {
    size_t n = graph->nodes.n;
    struct sl_groups g = {.graph = graph, .is_soft = is_soft, .scratch = scratch, .err = err};
    g.parent = SL_ARENA_ARRAY(scratch, uint32_t, n);
    g.request = SL_ARENA_ARRAY(scratch, struct sl_device_name, n);
    g.has_request = SL_ARENA_ARRAY(scratch, bool, n);
    if (!g.parent || !g.request || !g.has_request) return sl_fail_memory(err, n * sizeof *g.request);
    for (size_t i = 0; i < n; i++) g.parent[i] = (uint32_t)i;
    SL_GRAPH_EACH(node, graph) {
        g.has_request[node->id] = node->device.n != 0;
        if (node->device.n) SL_TRY(sl_device_parse(&g.request[node->id], node->device, err));
    }
    struct sl_str_map absent = {0};
    sl_code code = SL_OK;
    SL_GRAPH_EACH(node, graph) if (code == SL_OK) code = join_resources(&g, node);
    SL_GRAPH_EACH(node, graph) if (code == SL_OK) code = join_classes(&g, &absent, node);
    sl_str_map_free(&absent);
    *out = g;
    return code;
}
