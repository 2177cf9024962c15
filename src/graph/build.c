/* Graphs and their nodes: making, finding, naming, removing. A node and its arrays are one piece of the arena;
 * removing it takes it off every list but gives no memory back. Node ids are positions in `nodes` and are never used
 * again. */
#include "base/alloc.h"
#include "graph/constants.h"
#include "graph/node_names.h"
#include "graph/node_store.h"
#include "os/page.h"

sl_code sl_graph_new(struct sl_graph **out, struct sl_op_registry *registry, struct sl_error *err) {
    struct sl_graph *graph = sl_calloc(1, sizeof *graph);
    if (!graph) return sl_fail_memory(err, sizeof *graph);
    sl_arena_init_large(&graph->arena, sl_pages_prefer_large);
    graph->registry = registry;
    graph->producer = SL_GRAPH_DEF_VERSION;
    graph->min_consumer = SL_GRAPH_DEF_MIN_CONSUMER;
    *out = graph;
    return SL_OK;
}

void sl_graph_free(struct sl_graph *graph) {
    if (!graph) return;
    sl_constants_free(graph);
    for (size_t i = 0; i < graph->adopted.n; i++) sl_graph_free(graph->adopted.items[i]); /* they adopt nobody */
    for (size_t i = 0; i < graph->functions.n; i++) sl_function_unref(graph->functions.items[i]);
    for (size_t i = 0; i < graph->retired.n; i++) sl_function_unref(graph->retired.items[i]);
    sl_vec_free(&graph->adopted);
    sl_vec_free(&graph->functions);
    sl_vec_free(&graph->retired);
    sl_vec_free(&graph->gradients);
    sl_vec_free(&graph->nodes);
    sl_str_map_free(&graph->functions_by_name);
    sl_free(graph->names.slots);
    sl_str_map_free(&graph->unique_prefixes);
    sl_str_map_free(&graph->scopes);
    sl_arena_clear(&graph->arena);
    sl_free(graph);
}

sl_code sl_graph_adopt(struct sl_graph *graph, struct sl_graph *other, struct sl_error *err) {
    if (sl_vec_push(&graph->adopted, other) == 0) return SL_OK;
    sl_graph_free(other);
    return sl_fail_memory(err, sizeof other);
}

sl_code sl_graph_reserve(struct sl_graph *graph, size_t names, size_t nodes, struct sl_error *err) {
    if (sl_node_names_reserve(graph, names) || sl_vec_reserve(&graph->nodes, nodes))
        return sl_fail_memory(err, (names + nodes) * sizeof(struct sl_node *));
    sl_arena_expect(&graph->arena, nodes * sizeof(struct sl_node));
    return SL_OK;
}

struct sl_node *sl_graph_find(const struct sl_graph *graph, struct sl_str name) {
    return sl_node_names_find(graph, name, sl_hash_name(name.p, name.n));
}

/* ---- names */
enum { BEGINS = 1, FOLLOWS = 2 }; /* may begin a piece of a name; may stand within one */

static const uint8_t name_bytes[256] = {
    ['a' ... 'z'] = BEGINS | FOLLOWS,
    ['A' ... 'Z'] = BEGINS | FOLLOWS,
    ['0' ... '9'] = BEGINS | FOLLOWS,
    ['.'] = BEGINS | FOLLOWS,
    ['_'] = FOLLOWS,
    ['-'] = FOLLOWS,
    ['/'] = FOLLOWS,
};

/* One or more pieces with '>' between: each begins with a letter, digit or dot. */
static bool is_valid_from(struct sl_str name, size_t at, int wanted) {
    for (; at < name.n; at++) {
        unsigned char c = (unsigned char)name.p[at];
        if (name_bytes[c] & wanted) wanted = FOLLOWS;
        else if (c == '>' && wanted == FOLLOWS) wanted = BEGINS;
        else return false;
    }
    return wanted == FOLLOWS;
}

bool sl_node_name_is_valid(struct sl_str name) {
    if (!name.n || !(name_bytes[(unsigned char)*name.p] & BEGINS)) return false;
    int all = FOLLOWS; /* mostly it is one piece: nothing to be decided at each byte */
    for (size_t i = 1; i < name.n; i++) all &= name_bytes[(unsigned char)name.p[i]];
    return all || is_valid_from(name, 0, BEGINS);
}

bool sl_node_name_is_internal(struct sl_str name) {
    return name.n && name.p[0] == '_' && is_valid_from(name, 1, FOLLOWS);
}

/* "wanted_7", written by hand: every node that a gradient adds has such a name. */
static struct sl_str numbered(struct sl_arena *arena, struct sl_str wanted, int number) {
    enum { DIGITS = 12 };
    char digits[DIGITS], *first = digits + DIGITS;
    for (unsigned n = (unsigned)number; first == digits + DIGITS || n; n /= 10) *--first = (char)('0' + n % 10);
    size_t n_digits = (size_t)(digits + DIGITS - first), n = wanted.n + 1 + n_digits;
    char *name = sl_arena_alloc(arena, n + 1);
    if (!name) return (struct sl_str){NULL, 0};
    if (wanted.n) memcpy(name, wanted.p, wanted.n);
    name[wanted.n] = '_';
    memcpy(name + wanted.n + 1, first, n_digits);
    name[n] = 0;
    return (struct sl_str){name, n};
}

/* Numbers tried for one wanted name: kept, so that thousands of nodes may want the same. */
struct sl_str sl_graph_unique_name(struct sl_graph *graph, struct sl_str wanted) {
    if (!sl_graph_find(graph, wanted)) return sl_arena_str(&graph->arena, wanted);
    int *tried = sl_str_map_get(&graph->unique_prefixes, wanted);
    if (!tried) {
        struct sl_str key = sl_arena_str(&graph->arena, wanted);
        tried = SL_ARENA_NEW(&graph->arena, int);
        if (!key.p || !tried || sl_str_map_put(&graph->unique_prefixes, key, tried)) return (struct sl_str){NULL, 0};
    }
    for (;;) {
        struct sl_str name = numbered(&graph->arena, wanted, ++*tried);
        if (!name.p || !sl_graph_find(graph, name)) return name;
    }
}

/* ---- making */
enum { MOST_OUTPUTS = 1 << 24 }; /* of a graph: a few bytes of a GraphDef can declare a million */

/* [ sl_node | inputs | controls | uses | shapes | name ]: one piece, since a graph has tens of thousands. */
sl_code sl_node_make(struct sl_node **out, struct sl_graph *graph, const struct sl_node_parts *parts,
                     struct sl_error *err) {
    size_t n_in = (size_t)parts->n_inputs, n_out = (size_t)parts->n_outputs;
    size_t n_controls = (size_t)parts->n_controls, n_uses = (size_t)parts->n_uses;
    size_t inputs = sizeof **out, controls = inputs + n_in * sizeof(struct sl_port);
    size_t uses = controls + n_controls * sizeof(struct sl_node *), shapes = uses + n_uses * sizeof(struct sl_use);
    size_t name = shapes + n_out * sizeof(struct sl_shape), bytes = name + parts->name.n + 1;
    graph->n_outputs += n_out;
    if (graph->n_outputs > MOST_OUTPUTS)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "The graph has more than %d outputs", MOST_OUTPUTS);
    if (graph->nodes.n >= UINT32_MAX)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "A graph holds at most 2^32 - 1 nodes");
    char *piece = sl_arena_alloc(&graph->arena, bytes);
    bool is_full = graph->nodes.n == graph->nodes.cap;
    if (!piece || (is_full && sl_vec_reserve(&graph->nodes, 1))) return sl_fail_memory(err, bytes);
    struct sl_node *node = (void *)piece;
    node->graph = graph; /* each member by itself: the compiler would clear all of them first */
    node->id = (uint32_t)graph->nodes.n;
    node->name_hash = parts->name_hash ? parts->name_hash : sl_hash_name(parts->name.p, parts->name.n);
    node->n_inputs = parts->n_inputs;
    node->n_outputs = parts->n_outputs;
    node->n_controls = 0;
    node->cap_controls = parts->n_controls;
    node->is_removed = false;
    node->name = (struct sl_str){piece + name, parts->name.n};
    node->device = parts->device;
    node->assigned = SL_STR("");
    node->op = parts->op;
    node->attrs = parts->attrs;
    node->inputs = (void *)(piece + inputs);
    node->controls = (void *)(piece + controls);
    node->in_types = parts->in_types;
    node->out_types = parts->out_types;
    node->shapes = (void *)(piece + shapes);
    node->handles = NULL;
    node->uses.items = (void *)(piece + uses);
    node->uses.n = 0;
    node->uses.cap = (uint32_t)parts->n_uses;
    node->notes = parts->notes;
    node->mark = NULL;
    for (size_t i = 0; i < n_in; i++) node->inputs[i] = (struct sl_port){NULL, 0};
    for (size_t i = 0; i < n_out; i++) node->shapes[i] = SL_SHAPE_UNKNOWN;
    memcpy(piece + name, parts->name.p, parts->name.n);
    piece[name + parts->name.n] = 0;
    graph->nodes.items[graph->nodes.n++] = node;
    if (!parts->is_listed && sl_node_names_add(graph, node)) {
        graph->nodes.n--;
        return sl_fail_memory(err, sizeof(struct sl_str));
    }
    graph->live++;
    *out = node;
    return SL_OK;
}

void sl_graph_truncate(struct sl_graph *graph, size_t first) {
    while (graph->nodes.n > first) {
        struct sl_node *node = graph->nodes.items[--graph->nodes.n];
        if (node->is_removed) continue;
        for (int i = 0; i < node->n_inputs + node->n_controls; i++) {
            struct sl_node *from = i < node->n_inputs ? node->inputs[i].node : node->controls[i - node->n_inputs];
            if (!from || from->id >= first) continue;
            while (from->uses.n && from->uses.items[from->uses.n - 1].node->id >= first) from->uses.n--;
        }
        sl_node_names_remove(graph, node);
        node->is_removed = true;
        graph->live--;
    }
    sl_constants_truncate(graph, first);
    if (graph->n_scoped > first) graph->n_scoped = first;
}

/* ---- adding one node */
/* Types, booleans and small numbers are most of all values: of these a graph keeps one each. */
static const struct sl_pb_AttrValue **common_value(struct sl_graph *graph, const struct sl_pb_AttrValue *value) {
    if (value->unknown) return NULL;
    switch (value->which) {
    case SL_PB_AttrValue_type:
        return value->type >= 0 && value->type < SL_DTYPE_COUNT ? &graph->common.types[value->type] : NULL;
    case SL_PB_AttrValue_b: return &graph->common.booleans[value->b];
    case SL_PB_AttrValue_i: return value->i >= 0 && value->i < 8 ? &graph->common.numbers[value->i] : NULL;
    default: return NULL;
    }
}

static sl_code copy_value(struct sl_attr *attr, struct sl_graph *graph, bool copies_name, struct sl_error *err) {
    const struct sl_pb_AttrValue **common = common_value(graph, attr->value);
    struct sl_attrs copy;
    if (common && *common && !copies_name) {
        attr->value = *common;
        return SL_OK;
    }
    SL_TRY(sl_attrs_copy(&copy, &graph->arena, &(struct sl_attrs){attr, 1}, err));
    attr->value = copy.items->value;
    if (copies_name) attr->name = copy.items->name;
    if (common) *common = attr->value;
    return SL_OK;
}

sl_code sl_node_attrs_bind(struct sl_attrs *out, struct sl_graph *graph, const struct sl_op *op,
                           const struct sl_attrs *given, struct sl_str node, struct sl_error *err) {
    SL_TRY(sl_attrs_bind(out, &graph->arena, op, given, node, err));
    struct sl_attr *items = (struct sl_attr *)out->items; /* made just now, so it is ours */
    for (int i = 0; i < out->n; i++)
        if (i >= op->n_attrs || items[i].value != op->attrs[i].default_value)
            SL_TRY(copy_value(&items[i], graph, i >= op->n_attrs, err));
    return SL_OK;
}

static sl_code check_names_and_inputs(const struct sl_graph *graph, const struct sl_node_spec *spec,
                                      struct sl_error *err) {
    if (sl_graph_find(graph, spec->name))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Duplicate node name in graph: '%.*s'", SL_STR_ARG(spec->name));
    for (int i = 0; i < spec->n_inputs; i++) {
        struct sl_port from = spec->inputs[i];
        if (!from.node && spec->allow_missing_back_edges) continue;
        if (!from.node || from.index < 0 || from.index >= from.node->n_outputs)
            return sl_fail(
                err, SL_INVALID_ARGUMENT,
                "Attempt to add output %d of %.*s not in range [0, %d) to node with type %.*s. Node: {{node %.*s}}",
                from.index, SL_STR_ARG(from.node ? from.node->name : SL_STR("")), from.node ? from.node->n_outputs : 0,
                SL_STR_ARG(spec->op->name), SL_STR_ARG(spec->name));
    }
    return SL_OK;
}

static sl_code connect(struct sl_node *node, const struct sl_node_spec *spec, struct sl_error *err) {
    for (int i = 0; i < spec->n_inputs; i++)
        if (spec->inputs[i].node) SL_TRY(sl_graph_set_input(node->graph, node, i, spec->inputs[i], err));
    for (int i = 0; i < spec->n_controls; i++) SL_TRY(sl_graph_add_control(node->graph, spec->controls[i], node, err));
    return SL_OK;
}

static sl_code add(struct sl_node **out, struct sl_graph *graph, const struct sl_node_spec *spec,
                   const struct sl_attrs *bound, bool infers, struct sl_error *err) {
    struct sl_signature signature;
    SL_TRY(sl_op_signature(&signature, &graph->arena, spec->op, bound, err));
    if (!(spec->allow_missing_back_edges && spec->n_inputs < signature.n_inputs))
        SL_TRY(sl_signature_check(&signature, spec->op, spec->n_inputs, spec->name, err));
    struct sl_node_parts parts = {.name = spec->name,
                                  .device = spec->device.n ? sl_arena_str(&graph->arena, spec->device) : SL_STR(""),
                                  .op = spec->op,
                                  .attrs = *bound,
                                  .in_types = signature.inputs,
                                  .out_types = signature.outputs,
                                  .n_inputs = signature.n_inputs,
                                  .n_outputs = signature.n_outputs,
                                  .n_controls = spec->n_controls};
    if (!parts.device.p) return sl_fail_memory(err, spec->device.n);
    size_t first = graph->nodes.n;
    SL_TRY(sl_node_make(out, graph, &parts, err));
    sl_code code = connect(*out, spec, err);
    if (code == SL_OK && infers) code = sl_graph_infer(graph, *out, err);
    if (code != SL_OK) sl_graph_truncate(graph, first);
    return code;
}

sl_code sl_graph_add(struct sl_node **out, struct sl_graph *graph, const struct sl_node_spec *spec,
                     struct sl_error *err) {
    SL_TRY(check_names_and_inputs(graph, spec, err));
    struct sl_attrs bound;
    SL_TRY(sl_node_attrs_bind(&bound, graph, spec->op, &spec->attrs, spec->name, err));
    return add(out, graph, spec, &bound, true, err);
}

sl_code sl_graph_add_trusted(struct sl_node **out, struct sl_graph *graph, const struct sl_node_spec *spec,
                             struct sl_error *err) {
    SL_TRY(check_names_and_inputs(graph, spec, err));
    struct sl_attrs bound;
    SL_TRY(sl_attrs_bind(&bound, &graph->arena, spec->op, &spec->attrs, spec->name, err));
    return add(out, graph, spec, &bound, false, err);
}

/* ---- removing */
void sl_graph_remove(struct sl_graph *graph, struct sl_node *node) {
    if (node->is_removed) return;
    for (int i = 0; i < node->n_inputs; i++)
        if (node->inputs[i].node) sl_use_drop(node->inputs[i].node, node, i);
    for (int i = 0; i < node->n_controls; i++) sl_use_drop(node->controls[i], node, -1);
    while (node->uses.n) { /* those who only waited for it wait no longer */
        struct sl_use use = node->uses.items[node->uses.n - 1];
        if (use.slot < 0) {
            sl_graph_remove_control(graph, node, use.node);
        } else {
            use.node->inputs[use.slot] = (struct sl_port){NULL, 0};
            node->uses.n--;
        }
    }
    node->n_controls = 0;
    node->is_removed = true;
    sl_constants_free(graph);
    sl_node_names_remove(graph, node);
    graph->live--;
}

void sl_graph_keep(struct sl_graph *graph, const bool *keep) {
    sl_constants_free(graph);
    SL_GRAPH_EACH(node, graph) {
        if (!keep[node->id]) {
            sl_node_names_remove(graph, node);
            node->is_removed = true;
            node->uses.n = 0;
            graph->live--;
            continue;
        }
        uint32_t n_uses = 0;
        for (uint32_t i = 0; i < node->uses.n; i++)
            if (keep[node->uses.items[i].node->id]) node->uses.items[n_uses++] = node->uses.items[i];
        node->uses.n = n_uses;
        for (int i = 0; i < node->n_inputs; i++)
            if (node->inputs[i].node && !keep[node->inputs[i].node->id]) node->inputs[i] = (struct sl_port){NULL, 0};
        int n_controls = 0;
        for (int i = 0; i < node->n_controls; i++)
            if (keep[node->controls[i]->id]) node->controls[n_controls++] = node->controls[i];
        node->n_controls = n_controls;
    }
}
