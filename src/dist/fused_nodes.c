/* A chain: each node reads the one before it, and then inputs of the whole that are its own. */
#include "dist/fused_nodes.h"

#include <string.h>

/* What may come after the first node of a chain. */
struct part {
    const char *fused, *op;
    int n_args;           /* inputs of the whole that it takes */
    const char *attrs[3]; /* of the whole, that it has besides T: "name" or "its name=name of the whole" */
};
static const struct part parts[] = {
    {"BiasAdd", "BiasAdd", 1, {"data_format"}},
    {"Add", "AddV2", 1, {NULL}},
    {"Relu", "Relu", 0, {NULL}},
    {"Relu6", "Relu6", 0, {NULL}},
    {"Elu", "Elu", 0, {NULL}},
    {"LeakyRelu", "LeakyRelu", 0, {"alpha=leakyrelu_alpha"}},
    {"Tanh", "Tanh", 0, {NULL}},
    {"Sigmoid", "Sigmoid", 0, {NULL}},
    {"FusedBatchNorm", "FusedBatchNormV3", 4, {"data_format", "epsilon"}},
};

struct whole {
    const char *op, *first; /* the first node's op; NULL: the list has it, too */
    const char *list;
    int n_inputs; /* of the first node */
    const char *attrs[7];
};
static const struct whole wholes[] = {
    {"_UnaryOpsComposition", NULL, "op_names", 1, {NULL}},
    {"_FusedMatMul", "MatMul", "fused_ops", 2, {"transpose_a", "transpose_b"}},
    {"_FusedConv2D",
     "Conv2D",
     "fused_ops",
     2,
     {"strides", "padding", "explicit_paddings", "data_format", "dilations", "use_cudnn_on_gpu"}},
    {"_FusedDepthwiseConv2dNative",
     "DepthwiseConv2dNative",
     "fused_ops",
     2,
     {"strides", "padding", "explicit_paddings", "data_format", "dilations"}},
};

struct split {
    const struct sl_pb_NodeDef *node;
    const struct whole *whole;
    const struct sl_pb_array_str *names; /* of the list */
    struct sl_pb_NodeDef *out;           /* of the chain, `n` so far */
    size_t n, n_chain, n_data, used;     /* inputs: data, and of these taken */
    struct sl_arena *arena;
    struct sl_error *err;
};

static const struct whole *find_whole(struct sl_str op) {
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (sl_str_is(op, wholes[i].op)) return &wholes[i];
    return NULL;
}

static const struct part *find_part(struct sl_str name) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (sl_str_is(name, parts[i].fused)) return &parts[i];
    return NULL;
}

static const struct sl_pb_array_str *find_list(const struct sl_pb_NodeDef *node, const char *name) {
    const struct sl_pb_AttrValue *value = sl_pb_find_string_AttrValue(&node->attr, sl_str_of(name));
    return value && value->which == SL_PB_AttrValue_list ? &value->list->s : NULL;
}

/* How many nodes the node becomes; 0: it stays. */
static size_t chain_length(const struct sl_pb_NodeDef *node, const struct whole *whole) {
    const struct sl_pb_array_str *names = find_list(node, whole->list);
    size_t n_data = 0, wanted = (size_t)whole->n_inputs;
    if (!names || !names->n) return 0;
    while (n_data < node->input.n && !(node->input.items[n_data].n && node->input.items[n_data].p[0] == '^')) n_data++;
    for (size_t i = 0; whole->first && i < names->n; i++) {
        const struct part *part = find_part(names->items[i]);
        if (!part) return 0;
        wanted += (size_t)part->n_args;
    }
    return n_data == wanted ? names->n + (whole->first != NULL) : 0;
}

/* ---- one node of a chain */

static void copy_attr(struct sl_pb_NodeDef *to, const struct split *s, const char *name) {
    const char *equals = strchr(name, '=');
    const struct sl_str own = equals ? (struct sl_str){name, (size_t)(equals - name)} : sl_str_of(name);
    const struct sl_pb_AttrValue *value =
        sl_pb_find_string_AttrValue(&s->node->attr, sl_str_of(equals ? equals + 1 : name));
    if (value) to->attr.items[to->attr.n++] = (struct sl_pb_entry_string_AttrValue){.key = own, .value = *value};
}

static void add_attr(struct sl_pb_NodeDef *to, const char *name, struct sl_pb_AttrValue value) {
    to->attr.items[to->attr.n++] = (struct sl_pb_entry_string_AttrValue){.key = sl_str_of(name), .value = value};
}

static sl_code add_node(struct split *s, struct sl_str op, int n_args, const char *const *attrs, size_t n_attrs) {
    enum { MORE = 3 }; /* T, and those of a normalisation */
    const bool is_first = s->n == 0, is_last = s->n + 1 == s->n_chain;
    struct sl_pb_NodeDef *to = &s->out[s->n];
    const size_t n_inputs = (size_t)n_args + 1 + (is_first ? s->node->input.n - s->n_data : 0);
    *to = (struct sl_pb_NodeDef){.name = s->node->name, .op = op, .device = s->node->device};
    to->input.items = SL_ARENA_ARRAY(s->arena, struct sl_str, n_inputs);
    to->attr.items = SL_ARENA_ARRAY(s->arena, struct sl_pb_entry_string_AttrValue, n_attrs + MORE);
    if (!to->input.items || !to->attr.items) return sl_fail_memory(s->err, n_inputs * sizeof *to->input.items);
    if (!is_last) {
        const char *name = sl_arena_format(s->arena, "%.*s/_fused/%zu", SL_STR_ARG(s->node->name), s->n);
        if (!name) return sl_fail_memory(s->err, s->node->name.n);
        to->name = sl_str_of(name);
    }
    if (!is_first) to->input.items[to->input.n++] = s->out[s->n - 1].name;
    for (int i = 0; i < n_args; i++) to->input.items[to->input.n++] = s->node->input.items[s->used++];
    for (size_t i = s->n_data; is_first && i < s->node->input.n; i++)
        to->input.items[to->input.n++] = s->node->input.items[i];
    copy_attr(to, s, "T");
    for (size_t i = 0; i < n_attrs && attrs[i]; i++) copy_attr(to, s, attrs[i]);
    if (sl_str_is(op, "FusedBatchNormV3")) {
        add_attr(to, "U", (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_type, .type = SL_PB_DT_FLOAT});
        add_attr(to, "is_training", (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_b, .b = false});
    }
    s->n++;
    return SL_OK;
}

static sl_code split_node(struct split *s) {
    const struct whole *whole = s->whole;
    s->n_data = 0;
    while (s->n_data < s->node->input.n && s->node->input.items[s->n_data].p[0] != '^') s->n_data++;
    if (whole->first)
        SL_TRY(add_node(s, sl_str_of(whole->first), whole->n_inputs, whole->attrs,
                        sizeof whole->attrs / sizeof *whole->attrs));
    for (size_t i = 0; i < s->names->n; i++) {
        const struct part *part = whole->first ? find_part(s->names->items[i]) : NULL;
        if (part)
            SL_TRY(
                add_node(s, sl_str_of(part->op), part->n_args, part->attrs, sizeof part->attrs / sizeof *part->attrs));
        else SL_TRY(add_node(s, s->names->items[i], s->n == 0, NULL, 0));
    }
    return SL_OK;
}

/* ---- the graph */

sl_code sl_fused_nodes_split(struct sl_pb_GraphDef *def, struct sl_arena *arena, struct sl_error *err) {
    size_t more = 0, n = 0;
    for (size_t i = 0; i < def->node.n; i++) {
        const struct whole *whole = find_whole(def->node.items[i].op);
        if (whole) more += chain_length(&def->node.items[i], whole);
    }
    if (!more) return SL_OK;
    struct sl_pb_NodeDef *nodes = SL_ARENA_ARRAY(arena, struct sl_pb_NodeDef, def->node.n + more);
    if (!nodes) return sl_fail_memory(err, (def->node.n + more) * sizeof *nodes);
    for (size_t i = 0; i < def->node.n; i++) {
        const struct sl_pb_NodeDef *node = &def->node.items[i];
        const struct whole *whole = find_whole(node->op);
        const size_t length = whole ? chain_length(node, whole) : 0;
        if (!length) {
            nodes[n++] = *node;
            continue;
        }
        struct split s = {.node = node,
                          .whole = whole,
                          .names = find_list(node, whole->list),
                          .out = nodes + n,
                          .n_chain = length,
                          .arena = arena,
                          .err = err};
        SL_TRY(split_node(&s));
        n += length;
    }
    def->node.items = nodes;
    def->node.n = n;
    return SL_OK;
}
