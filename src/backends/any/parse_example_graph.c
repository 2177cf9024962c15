/*      serialized ──► ParseExampleV2 ──► sparse: SerializeSparse ───────► _Retval
 *      defaults   ──►                    ragged: RaggedTensorToVariant ─►    "
 *      keys (Const)                      dense ─────────────────────────►    "       in the order of keys
 */
#include "backends/any/parse_example_graph.h"

#include <stdlib.h>

#include "ops/attr.h"
#include "proto/gen/messages.h"

enum sort { SPARSE, DENSE, RAGGED, SORTS };

struct feature {
    struct sl_str key, output; /* output: of the node that gives it */
    enum sort sort;
    int number, dtype; /* dtype: of its _Retval */
};

struct writer {
    struct sl_kernel_setup *setup;
    struct sl_arena *arena;
    struct sl_pb_GraphDef *graph;
    const struct sl_str *keys[SORTS];
    int n[SORTS];
    const int32_t *types[SORTS], *split_types;
    size_t room;
};

static sl_code fail_memory(const struct writer *w) {
    return sl_fail_memory(w->setup->err, sizeof(struct sl_pb_NodeDef));
}

static struct sl_str numbered(struct writer *w, const char *format, int i) {
    return sl_str_of(sl_arena_format(w->arena, format, i));
}

/* ---- nodes */

static struct sl_pb_NodeDef *add_node(struct writer *w, const char *op, struct sl_str name, size_t inputs,
                                      size_t attrs) {
    if (w->graph->node.n >= w->room || !name.p) return NULL;
    struct sl_pb_NodeDef *node = &w->graph->node.items[w->graph->node.n++];
    *node = (struct sl_pb_NodeDef){.name = name, .op = sl_str_of(op)};
    node->input.items = SL_ARENA_ARRAY(w->arena, struct sl_str, inputs + 1);
    node->attr.items = SL_ARENA_ARRAY(w->arena, struct sl_pb_entry_string_AttrValue, attrs + 1);
    return node->input.items && node->attr.items ? node : NULL;
}

static void add_attr(struct sl_pb_NodeDef *node, const char *name, const struct sl_pb_AttrValue *value) {
    node->attr.items[node->attr.n++] = (struct sl_pb_entry_string_AttrValue){.key = sl_str_of(name), .value = *value};
}

static void add_type(struct sl_pb_NodeDef *node, const char *name, int dtype) {
    add_attr(node, name, SL_ATTR_VALUE(type, dtype));
}

static void add_input(struct sl_pb_NodeDef *node, struct sl_str from) { node->input.items[node->input.n++] = from; }

static sl_code add_end(struct writer *w, const char *op, const char *format, int i, int dtype, struct sl_str from) {
    struct sl_pb_NodeDef *node = add_node(w, op, numbered(w, format, i), 1, 2);
    if (!node) return fail_memory(w);
    if (from.p) add_input(node, from);
    add_type(node, "T", dtype);
    add_attr(node, "index", SL_ATTR_VALUE(i, i));
    return SL_OK;
}

/* A vector of strings. */
static sl_code add_keys(struct writer *w, const char *name, const struct sl_str *keys, int n) {
    struct sl_pb_NodeDef *node = add_node(w, "Const", sl_str_of(name), 0, 2);
    struct sl_pb_TensorProto *value = SL_ARENA_NEW(w->arena, struct sl_pb_TensorProto);
    struct sl_pb_TensorShapeProto *shape = SL_ARENA_NEW(w->arena, struct sl_pb_TensorShapeProto);
    struct sl_pb_TensorShapeProto_Dim *dim = SL_ARENA_NEW(w->arena, struct sl_pb_TensorShapeProto_Dim);
    if (!node || !value || !shape || !dim) return fail_memory(w);
    dim->size = n;
    shape->dim.items = dim;
    shape->dim.n = 1;
    value->dtype = SL_STRING;
    value->tensor_shape = shape;
    value->string_val = (struct sl_pb_array_str){(struct sl_str *)keys, (size_t)n};
    add_type(node, "dtype", SL_STRING);
    add_attr(node, "value", SL_ATTR_VALUE(tensor, value));
    return SL_OK;
}

/* ---- the op that parses */

static const struct sl_pb_AttrValue *list_of_types(struct writer *w, const int32_t *types, int n) {
    struct sl_pb_AttrValue_ListValue *list = SL_ARENA_NEW(w->arena, struct sl_pb_AttrValue_ListValue);
    struct sl_pb_AttrValue *value = SL_ARENA_NEW(w->arena, struct sl_pb_AttrValue);
    if (!list || !value) return NULL;
    list->type = (struct sl_pb_array_i32){(int32_t *)types, (size_t)n};
    *value = *SL_ATTR_VALUE(list, list);
    return value;
}

static sl_code add_parse(struct writer *w) {
    enum { INPUTS = 5, ATTRS = 6 };
    static const char *const keys[] = {"serialized", "names", "sparse_keys", "dense_keys", "ragged_keys"};
    struct sl_pb_NodeDef *node = add_node(w, "ParseExampleV2", SL_STR("parse"), INPUTS + (size_t)w->n[DENSE], ATTRS);
    const struct sl_pb_AttrValue *shapes = sl_attr_find(w->setup->attrs, SL_STR("dense_shapes")),
                                 *sparse = list_of_types(w, w->types[SPARSE], w->n[SPARSE]),
                                 *dense = list_of_types(w, w->types[DENSE], w->n[DENSE]),
                                 *ragged = list_of_types(w, w->types[RAGGED], w->n[RAGGED]),
                                 *splits = list_of_types(w, w->split_types, w->n[RAGGED]);
    if (!node || !shapes || !sparse || !dense || !ragged || !splits) return fail_memory(w);
    for (int i = 0; i < INPUTS; i++) add_input(node, sl_str_of(keys[i]));
    for (int i = 0; i < w->n[DENSE]; i++) add_input(node, numbered(w, "default_%d", i + 1));
    add_attr(node, "Tdense", dense);
    add_attr(node, "dense_shapes", shapes);
    add_attr(node, "num_sparse", SL_ATTR_VALUE(i, w->n[SPARSE]));
    add_attr(node, "ragged_split_types", splits);
    add_attr(node, "ragged_value_types", ragged);
    add_attr(node, "sparse_types", sparse);
    return SL_OK;
}

/* ---- features as they leave the dataset. Outputs of the op: indices, values, shapes of sparse ones; dense ones; values
 * and splits of ragged ones. */

static sl_code add_sparse(struct writer *w, struct feature *f) {
    const int n = w->n[SPARSE];
    struct sl_pb_NodeDef *node = add_node(w, "SerializeSparse", numbered(w, "sparse_%d", f->number), 3, 2);
    if (!node) return fail_memory(w);
    for (int m = 0; m < 3; m++) add_input(node, numbered(w, "parse:%d", m * n + f->number));
    add_type(node, "T", w->types[SPARSE][f->number]);
    add_type(node, "out_type", SL_VARIANT);
    f->output = node->name;
    return SL_OK;
}

static sl_code add_ragged(struct writer *w, struct feature *f) {
    const int values = 3 * w->n[SPARSE] + w->n[DENSE] + f->number, splits = values + w->n[RAGGED];
    struct sl_pb_NodeDef *node = add_node(w, "RaggedTensorToVariant", numbered(w, "ragged_%d", f->number), 2, 4);
    if (!node) return fail_memory(w);
    add_input(node, numbered(w, "parse:%d", splits));
    add_input(node, numbered(w, "parse:%d", values));
    add_attr(node, "RAGGED_RANK", SL_ATTR_VALUE(i, 1));
    add_type(node, "Tsplits", w->split_types[f->number]);
    add_type(node, "Tvalues", w->types[RAGGED][f->number]);
    add_attr(node, "batched_input", SL_ATTR_VALUE(b, false));
    f->output = node->name;
    return SL_OK;
}

static sl_code add_feature(struct writer *w, struct feature *f) {
    f->dtype = SL_VARIANT;
    if (f->sort == SPARSE) return add_sparse(w, f);
    if (f->sort == RAGGED) return add_ragged(w, f);
    f->dtype = w->types[DENSE][f->number];
    f->output = numbered(w, "parse:%d", 3 * w->n[SPARSE] + f->number);
    return SL_OK;
}

static int by_key(const void *a, const void *b) {
    const struct feature *x = a, *y = b;
    const int order = sl_str_cmp(x->key, y->key);
    if (order) return order;
    return x->sort != y->sort ? (int)x->sort - (int)y->sort : x->number - y->number;
}

static sl_code add_features(struct writer *w) {
    int n = 0;
    struct feature *features =
        SL_ARENA_ARRAY(w->arena, struct feature, (size_t)w->n[SPARSE] + (size_t)w->n[DENSE] + (size_t)w->n[RAGGED] + 1);
    if (!features) return fail_memory(w);
    for (enum sort sort = 0; sort < SORTS; sort++)
        for (int i = 0; i < w->n[sort]; i++)
            features[n++] = (struct feature){.key = w->keys[sort][i], .sort = sort, .number = i};
    if (n > 1) qsort(features, (size_t)n, sizeof *features, by_key);
    for (int i = 0; i < n; i++) {
        SL_TRY(add_feature(w, &features[i]));
        SL_TRY(add_end(w, "_Retval", "result_%d", i, features[i].dtype, features[i].output));
    }
    return SL_OK;
}

/* ---- what the node says */

static sl_code read_keys(struct writer *w, enum sort sort, const char *keys, const char *types) {
    const struct sl_attrs *attrs = w->setup->attrs;
    int n;
    SL_TRY(sl_attr_string_list(&w->keys[sort], &w->n[sort], attrs, keys, w->setup->err));
    SL_TRY(sl_attr_type_list(&w->types[sort], &n, attrs, types, w->setup->err));
    if (n == w->n[sort]) return SL_OK;
    return sl_fail(w->setup->err, SL_INVALID_ARGUMENT, "len(%s) != len(%s)", keys, types);
}

static sl_code read_node(struct writer *w) {
    int n;
    SL_TRY(read_keys(w, SPARSE, "sparse_keys", "sparse_types"));
    SL_TRY(read_keys(w, DENSE, "dense_keys", "Tdense"));
    if (!sl_attr_find(w->setup->attrs, SL_STR("ragged_keys"))) return SL_OK;
    SL_TRY(read_keys(w, RAGGED, "ragged_keys", "ragged_value_types"));
    SL_TRY(sl_attr_type_list(&w->split_types, &n, w->setup->attrs, "ragged_split_types", w->setup->err));
    if (n == w->n[RAGGED]) return SL_OK;
    return sl_fail(w->setup->err, SL_INVALID_ARGUMENT, "len(ragged_keys) != len(ragged_split_types)");
}

sl_code sl_parse_example_graph(struct sl_pb_GraphDef *out, int *n_captured, struct sl_kernel_setup *setup,
                               struct sl_arena *arena) {
    enum { OTHER_NODES = 6, NODES_OF_FEATURE = 3 };
    struct writer w = {.setup = setup, .arena = arena, .graph = out};
    *out = (struct sl_pb_GraphDef){.versions = SL_ARENA_NEW(arena, struct sl_pb_VersionDef)};
    SL_TRY(read_node(&w));
    w.room = OTHER_NODES + NODES_OF_FEATURE * ((size_t)w.n[SPARSE] + (size_t)w.n[DENSE] + (size_t)w.n[RAGGED]);
    out->node.items = SL_ARENA_ARRAY(arena, struct sl_pb_NodeDef, w.room);
    if (!out->node.items || !out->versions) return fail_memory(&w);
    out->versions->producer = setup->graph_version;
    *n_captured = w.n[DENSE];
    SL_TRY(add_end(&w, "_Arg", "serialized", 0, SL_STRING, (struct sl_str){NULL, 0}));
    for (int i = 0; i < w.n[DENSE]; i++)
        SL_TRY(add_end(&w, "_Arg", "default_%d", i + 1, w.types[DENSE][i], (struct sl_str){NULL, 0}));
    SL_TRY(add_keys(&w, "names", NULL, 0));
    SL_TRY(add_keys(&w, "sparse_keys", w.keys[SPARSE], w.n[SPARSE]));
    SL_TRY(add_keys(&w, "dense_keys", w.keys[DENSE], w.n[DENSE]));
    SL_TRY(add_keys(&w, "ragged_keys", w.keys[RAGGED], w.n[RAGGED]));
    SL_TRY(add_parse(&w));
    return add_features(&w);
}
