/* A chain: each node reads the one before it, and then inputs of the whole that are its own. */
#include "dist/fused_nodes.h"

#include <string.h>

#include "base/str_map.h"
#include "graph/tensor_name.h"

/* What may come after the first node of a chain. */
struct part {
    const char *fused, *op;
    int n_args;           /* inputs of the whole that it takes */
    bool rereads;         /* and then input 0 of the whole once more */
    const char *attrs[3]; /* of the whole, that it has besides T: "name" or "its name=name of the whole" */
};
static const struct part parts[] = {
    {"BiasAdd", "BiasAdd", 1, false, {"data_format"}},
    {"Add", "AddV2", 1, false, {NULL}},
    {"Relu", "Relu", 0, false, {NULL}},
    {"Relu6", "Relu6", 0, false, {NULL}},
    {"Elu", "Elu", 0, false, {NULL}},
    {"LeakyRelu", "LeakyRelu", 0, false, {"alpha=leakyrelu_alpha"}},
    {"Tanh", "Tanh", 0, false, {NULL}},
    {"Sigmoid", "Sigmoid", 0, false, {NULL}},
    {"_MklSwish", "Mul", 0, true, {NULL}},
    {"FusedBatchNorm", "FusedBatchNormV3", 4, false, {"data_format", "epsilon"}},
};

struct whole {
    const char *op, *first; /* the first node's op; NULL: the list has it, too */
    const char *list;       /* attr with the names of the parts; NULL: `only`, else as attrs of _FusedBatchNormEx say */
    const char *only;
    int n_inputs; /* of the first node */
    const char *attrs[7];
};
static const struct whole wholes[] = {
    {"_UnaryOpsComposition", NULL, "op_names", NULL, 1, {NULL}},
    {"_MklSwish", "Sigmoid", NULL, "_MklSwish", 1, {NULL}},
    {"_FusedBatchNormEx",
     "FusedBatchNormV3",
     NULL,
     NULL,
     5,
     {"U", "epsilon", "exponential_avg_factor", "data_format", "is_training"}},
    {"_FusedMatMul", "MatMul", "fused_ops", NULL, 2, {"transpose_a", "transpose_b"}},
    {"_FusedConv2D",
     "Conv2D",
     "fused_ops",
     NULL,
     2,
     {"strides", "padding", "explicit_paddings", "data_format", "dilations", "use_cudnn_on_gpu"}},
    {"_FusedDepthwiseConv2dNative",
     "DepthwiseConv2dNative",
     "fused_ops",
     NULL,
     2,
     {"strides", "padding", "explicit_paddings", "data_format", "dilations"}},
};

struct split {
    const struct sl_pb_NodeDef *node;
    const struct whole *whole;
    struct sl_pb_array_str names;    /* of the parts */
    struct sl_pb_NodeDef *out;       /* of the chain, `n` so far */
    size_t n, n_chain, n_data, used; /* inputs: data, and of these taken */
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

/* Names of the parts, in the room of two or the node's own. */
static struct sl_pb_array_str find_names(const struct sl_pb_NodeDef *node, const struct whole *whole,
                                         struct sl_str room[2]) {
    struct sl_pb_array_str names = {room, 0};
    const struct sl_pb_AttrValue *value;
    if (whole->list) {
        value = sl_pb_find_string_AttrValue(&node->attr, sl_str_of(whole->list));
        return value && value->which == SL_PB_AttrValue_list ? value->list->s : names;
    }
    if (whole->only) {
        room[names.n++] = sl_str_of(whole->only);
        return names;
    }
    value = sl_pb_find_string_AttrValue(&node->attr, SL_STR("num_side_inputs"));
    if (value && value->i == 1) room[names.n++] = SL_STR("Add");
    value = sl_pb_find_string_AttrValue(&node->attr, SL_STR("activation_mode"));
    if (value && !sl_str_is(value->s, "Identity")) room[names.n++] = value->s;
    return names;
}

static size_t count_data(const struct sl_pb_NodeDef *node) {
    size_t n = 0;
    while (n < node->input.n && !(node->input.items[n].n && node->input.items[n].p[0] == '^')) n++;
    return n;
}

/* How many nodes the node becomes; 0: it stays. */
static size_t chain_length(const struct sl_pb_NodeDef *node, const struct whole *whole) {
    struct sl_str room[2];
    const struct sl_pb_array_str names = find_names(node, whole, room);
    size_t wanted = (size_t)whole->n_inputs;
    if (whole->list && !names.n) return 0;
    for (size_t i = 0; whole->first && i < names.n; i++) {
        const struct part *part = find_part(names.items[i]);
        if (!part) return 0;
        wanted += (size_t)part->n_args;
    }
    return count_data(node) == wanted ? names.n + (whole->first != NULL) : 0;
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

static sl_code add_node(struct split *s, struct sl_str op, int n_args, bool rereads, const char *const *attrs,
                        size_t n_attrs) {
    enum { MORE = 3 }; /* T, and those of a normalisation */
    const bool is_first = s->n == 0, is_last = s->n + 1 == s->n_chain;
    struct sl_pb_NodeDef *to = &s->out[s->n];
    const size_t n_inputs = (size_t)n_args + 2 + (is_first ? s->node->input.n - s->n_data : 0);
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
    if (rereads) to->input.items[to->input.n++] = s->node->input.items[0];
    for (size_t i = s->n_data; is_first && i < s->node->input.n; i++)
        to->input.items[to->input.n++] = s->node->input.items[i];
    copy_attr(to, s, "T");
    if (!to->attr.n && s->whole->only) /* its default there */
        add_attr(to, "T", (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_type, .type = SL_PB_DT_FLOAT});
    for (size_t i = 0; i < n_attrs && attrs[i]; i++) copy_attr(to, s, attrs[i]);
    if (!is_first && sl_str_is(op, "FusedBatchNormV3")) {
        add_attr(to, "U", (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_type, .type = SL_PB_DT_FLOAT});
        add_attr(to, "is_training", (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_b, .b = false});
    }
    s->n++;
    return SL_OK;
}

static sl_code split_node(struct split *s) {
    enum { OF_WHOLE = sizeof s->whole->attrs / sizeof *s->whole->attrs };
    const struct whole *whole = s->whole;
    s->n_data = count_data(s->node);
    if (whole->first) SL_TRY(add_node(s, sl_str_of(whole->first), whole->n_inputs, false, whole->attrs, OF_WHOLE));
    for (size_t i = 0; i < s->names.n; i++) {
        const struct part *part = whole->first ? find_part(s->names.items[i]) : NULL;
        if (part)
            SL_TRY(add_node(s, sl_str_of(part->op), part->n_args, part->rereads, part->attrs,
                            sizeof part->attrs / sizeof *part->attrs));
        else SL_TRY(add_node(s, s->names.items[i], s->n == 0, false, NULL, 0));
    }
    return SL_OK;
}

/* Outputs behind the first are those of the chain's first node. */
static sl_code rename_outputs(struct sl_pb_GraphDef *def, const struct sl_str_map *firsts, struct sl_arena *arena,
                              struct sl_error *err) {
    for (size_t i = 0; i < def->node.n; i++)
        for (size_t k = 0; k < def->node.items[i].input.n; k++) {
            struct sl_str *input = &def->node.items[i].input.items[k];
            const struct sl_tensor_name name = sl_tensor_name_of(*input);
            const struct sl_pb_NodeDef *first = name.index > 0 ? sl_str_map_get(firsts, name.node) : NULL;
            if (!first) continue;
            const char *text = sl_arena_format(arena, "%.*s:%d", SL_STR_ARG(first->name), name.index);
            if (!text) return sl_fail_memory(err, input->n);
            *input = sl_str_of(text);
        }
    return SL_OK;
}

/* ---- the graph */

/* The nodes of the new graph; `firsts` has the first nodes of chains by the name of the whole. */
static sl_code split_all(struct sl_pb_NodeDef *nodes, size_t *n, const struct sl_pb_GraphDef *def,
                         struct sl_str_map *firsts, struct sl_arena *arena, struct sl_error *err) {
    for (size_t i = 0; i < def->node.n; i++) {
        const struct sl_pb_NodeDef *node = &def->node.items[i];
        const struct whole *whole = find_whole(node->op);
        const size_t length = whole ? chain_length(node, whole) : 0;
        struct sl_str room[2];
        if (!length) {
            nodes[(*n)++] = *node;
            continue;
        }
        struct split s = {.node = node,
                          .whole = whole,
                          .names = find_names(node, whole, room),
                          .out = nodes + *n,
                          .n_chain = length,
                          .arena = arena,
                          .err = err};
        SL_TRY(split_node(&s));
        if (sl_str_map_put(firsts, node->name, s.out)) return sl_fail_memory(err, node->name.n);
        *n += length;
    }
    return SL_OK;
}

sl_code sl_fused_nodes_split(struct sl_pb_GraphDef *def, struct sl_arena *arena, struct sl_error *err) {
    struct sl_str_map firsts = {.n = 0};
    size_t more = 0, n = 0;
    for (size_t i = 0; i < def->node.n; i++) {
        const struct whole *whole = find_whole(def->node.items[i].op);
        if (whole) more += chain_length(&def->node.items[i], whole);
    }
    if (!more) return SL_OK;
    struct sl_pb_NodeDef *nodes = SL_ARENA_ARRAY(arena, struct sl_pb_NodeDef, def->node.n + more);
    if (!nodes) return sl_fail_memory(err, (def->node.n + more) * sizeof *nodes);
    sl_code code = split_all(nodes, &n, def, &firsts, arena, err);
    def->node.items = nodes;
    def->node.n = n;
    if (code == SL_OK) code = rename_outputs(def, &firsts, arena, err);
    sl_str_map_free(&firsts);
    return code;
}
