/* Writing pipelines: a node for each dataset, as the one that made it was, and constants for its arguments. Names are
 * TensorFlow's: the op and a number, producers first. */
#include "backends/any/dataset_graph.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "data/cache.h"
#include "data/kinds.h"
#include "data/seeds.h"
#include "kernel/variable.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

struct writer {
    const struct sl_dataset_graph_options *options;
    struct sl_arena *arena;
    struct sl_error *err;
    SL_VEC(struct sl_pb_NodeDef) nodes;
    SL_VEC(struct sl_str) names; /* of functions */
};

/* ---- nodes */

static sl_code number_name(struct sl_str *name, struct writer *w, struct sl_str op) {
    *name = sl_str_of(sl_arena_format(w->arena, "%.*s/_%zu", SL_STR_ARG(op), w->nodes.n));
    return name->p ? SL_OK : sl_fail_memory(w->err, op.n);
}

static sl_code push_node(struct writer *w, const struct sl_pb_NodeDef *node) {
    return sl_vec_push(&w->nodes, *node) ? sl_fail_memory(w->err, sizeof *node) : SL_OK;
}

static int by_key(const void *a, const void *b) {
    return sl_str_cmp(((const struct sl_pb_entry_string_AttrValue *)a)->key,
                      ((const struct sl_pb_entry_string_AttrValue *)b)->key);
}

/* A node with these attrs, whose inputs are there. */
static sl_code write_node(struct sl_str *name, struct writer *w, struct sl_str op, struct sl_pb_array_str inputs,
                          const struct sl_attr *attrs, int n) {
    struct sl_pb_NodeDef node = {.op = op, .input = inputs};
    SL_TRY(number_name(&node.name, w, op));
    node.attr.items = SL_ARENA_ARRAY(w->arena, struct sl_pb_entry_string_AttrValue, (size_t)n + 1);
    if (!node.attr.items) return sl_fail_memory(w->err, (size_t)n * sizeof *node.attr.items);
    for (int i = 0; i < n; i++) {
        if (!attrs[i].value) return sl_fail_memory(w->err, sizeof *attrs[i].value);
        if (attrs[i].name.p[0] == '_') continue; /* where the node stood, not what it is */
        if (w->options->drops_metadata && sl_str_is(attrs[i].name, "metadata")) continue;
        node.attr.items[node.attr.n++] =
            (struct sl_pb_entry_string_AttrValue){.key = attrs[i].name, .value = *attrs[i].value};
    }
    if (node.attr.n > 1) qsort(node.attr.items, node.attr.n, sizeof *node.attr.items, by_key);
    *name = node.name;
    return push_node(w, &node);
}

/* ---- arguments */

static sl_code write_constant(struct sl_str *name, struct writer *w, const struct sl_value *value) {
    struct sl_tensor *t;
    struct sl_str bytes;
    struct sl_pb_TensorProto *proto = SL_ARENA_NEW(w->arena, struct sl_pb_TensorProto), written;
    if (!proto) return sl_fail_memory(w->err, sizeof *proto);
    SL_TRY(sl_value_to_tensor(&t, value, w->err));
    sl_code code = sl_tensor_to_proto(&written, t, w->arena, w->err);
    if (code == SL_OK) code = sl_tensor_proto_encode(&bytes, &written, w->arena, w->err); /* the tensor may go */
    sl_tensor_unref(t);
    SL_TRY(code);
    SL_TRY(sl_tensor_proto_decode(proto, bytes, w->arena, w->err));
    const struct sl_attr attrs[] = {sl_attr_new_type(w->arena, SL_STR("dtype"), value->dtype),
                                    sl_attr_new(w->arena, SL_STR("value"), SL_ATTR_VALUE(tensor, proto))};
    return write_node(name, w, SL_STR("Const"), (struct sl_pb_array_str){NULL, 0}, attrs, 2);
}

/* A captured variable is the one of that name. */
static sl_code write_variable(struct sl_str *name, struct writer *w, const struct sl_variable *v,
                              const struct sl_object *o) {
    struct sl_str container, own;
    struct sl_pb_TensorShapeProto *shape;
    SL_TRY(sl_resources_name_of(&container, &own, w->options->resources, o, w->arena, w->err));
    SL_TRY(sl_shape_to_proto(&shape, (struct sl_shape){-1, NULL}, w->arena, w->err));
    if (!own.n) return sl_fail(w->err, SL_UNIMPLEMENTED, "A variable without a name as a part of a graph");
    const struct sl_attr attrs[] = {sl_attr_new(w->arena, SL_STR("container"), SL_ATTR_VALUE(s, container)),
                                    sl_attr_new_type(w->arena, SL_STR("dtype"), v->dtype),
                                    sl_attr_new(w->arena, SL_STR("shape"), SL_ATTR_VALUE(shape, shape)),
                                    sl_attr_new(w->arena, SL_STR("shared_name"), SL_ATTR_VALUE(s, own))};
    return write_node(name, w, SL_STR("VarHandleOp"), (struct sl_pb_array_str){NULL, 0}, attrs, 4);
}

/* Generators of seeds and caches are made anew: whoever gets a handle to nothing makes one of its own. */
static sl_code write_resource(struct sl_str *name, struct writer *w, struct sl_object *o) {
    const struct sl_variable *v = sl_variable_of(o);
    if (v) return write_variable(name, w, v, o);
    if (o && o->type != &sl_seed_source_type && o->type != &sl_memory_cache_type)
        return sl_fail(w->err, SL_UNIMPLEMENTED, "A resource of type %s as a part of a graph", o->type->name);
    return write_node(name, w, SL_STR("DummySeedGenerator"), (struct sl_pb_array_str){NULL, 0}, NULL, 0);
}

static sl_code write_dataset(struct sl_str *name, struct writer *w, const struct sl_dataset *d);

static sl_code write_value(struct sl_str *name, struct writer *w, const struct sl_value *value) {
    struct sl_dataset *d;
    const struct sl_view v = sl_value_view(value);
    if (v.dtype == SL_VARIANT && sl_dataset_of_value(&d, value, NULL) == SL_OK) return write_dataset(name, w, d);
    if (v.dtype == SL_RESOURCE && v.count == 1) return write_resource(name, w, *(struct sl_object **)v.data);
    return write_constant(name, w, value);
}

/* ---- datasets */

static sl_code collect_names(struct writer *w, const struct sl_attrs *attrs) {
    for (int i = 0; i < attrs->n; i++) {
        const struct sl_pb_AttrValue *v = attrs->items[i].value;
        if (v->which == SL_PB_AttrValue_func && v->func && sl_vec_push(&w->names, v->func->name))
            return sl_fail_memory(w->err, sizeof v->func->name);
        if (v->which != SL_PB_AttrValue_list || !v->list) continue;
        for (size_t j = 0; j < v->list->func.n; j++)
            if (sl_vec_push(&w->names, v->list->func.items[j].name))
                return sl_fail_memory(w->err, sizeof v->list->func.items[j].name);
    }
    return SL_OK;
}

/* Windows, which no node made: WindowOp over their elements. */
static sl_code write_window(struct sl_str *name, struct writer *w, const struct sl_dataset *d,
                            struct sl_pb_array_str inputs) {
    struct sl_pb_AttrValue_ListValue types = {.unknown = NULL}, shapes = {.unknown = NULL}, all = {.unknown = NULL};
    types.type.items = SL_ARENA_ARRAY(w->arena, int32_t, (size_t)d->n);
    shapes.shape.items = SL_ARENA_ARRAY(w->arena, struct sl_pb_TensorShapeProto, (size_t)d->n);
    all.type.items = SL_ARENA_ARRAY(w->arena, int32_t, (size_t)d->n_values + 1);
    if (!types.type.items || !shapes.shape.items || !all.type.items)
        return sl_fail_memory(w->err, (size_t)d->n_values * sizeof *all.type.items);
    for (int i = 0; i < d->n; i++) {
        struct sl_pb_TensorShapeProto *shape;
        SL_TRY(sl_shape_to_proto(&shape, d->shapes[i], w->arena, w->err));
        shapes.shape.items[shapes.shape.n++] = *shape;
        types.type.items[types.type.n++] = d->types[i];
    }
    for (int i = 0; i < d->n_values; i++) all.type.items[all.type.n++] = d->values[i].dtype;
    const struct sl_attr attrs[] = {sl_attr_new_list(w->arena, SL_STR("Tinputs"), &all),
                                    sl_attr_new_list(w->arena, SL_STR("output_shapes"), &shapes),
                                    sl_attr_new_list(w->arena, SL_STR("output_types"), &types)};
    return write_node(name, w, SL_STR("WindowOp"), inputs, attrs, 3);
}

/* Recursion is as deep as datasets are. */
static sl_code write_dataset(struct sl_str *name, struct writer *w, const struct sl_dataset *d) {
    const size_t n = (size_t)d->n_inputs + (size_t)d->n_values;
    struct sl_pb_array_str inputs = {SL_ARENA_ARRAY(w->arena, struct sl_str, n + 1), 0};
    if (!inputs.items) return sl_fail_memory(w->err, n * sizeof *inputs.items);
    for (int i = 0; i < d->n_inputs; i++) SL_TRY(write_dataset(&inputs.items[inputs.n++], w, d->inputs[i]));
    for (int i = 0; i < d->n_values; i++) SL_TRY(write_value(&inputs.items[inputs.n++], w, &d->values[i]));
    if (d->kind == &sl_listed_data && !d->spec->op.n) return write_window(name, w, d, inputs);
    if (!d->spec->op.n) return sl_fail(w->err, SL_UNIMPLEMENTED, "A %sDataset as a part of a graph", d->kind->name);
    SL_TRY(collect_names(w, &d->spec->attrs));
    return write_node(name, w, d->spec->op, inputs, d->spec->attrs.items, d->spec->attrs.n);
}

static sl_code write_result(struct writer *w, struct sl_str from) {
    struct sl_pb_NodeDef node = {.name = SL_STR("dataset"), .op = SL_STR("_Retval")};
    struct sl_pb_entry_string_AttrValue *attrs = SL_ARENA_ARRAY(w->arena, struct sl_pb_entry_string_AttrValue, 2);
    node.input = (struct sl_pb_array_str){SL_ARENA_NEW(w->arena, struct sl_str), 1};
    if (!attrs || !node.input.items) return sl_fail_memory(w->err, 2 * sizeof *attrs);
    node.input.items[0] = from;
    attrs[0] = (struct sl_pb_entry_string_AttrValue){.key = SL_STR("T"), .value = *SL_ATTR_VALUE(type, SL_VARIANT)};
    attrs[1] = (struct sl_pb_entry_string_AttrValue){.key = SL_STR("index"), .value = *SL_ATTR_VALUE(i, 0)};
    node.attr.items = attrs;
    node.attr.n = 2;
    return push_node(w, &node);
}

static sl_code write_library(struct sl_str *bytes, struct writer *w) {
    *bytes = SL_STR("");
    if (!w->names.n) return SL_OK;
    if (!w->options->functions || !w->options->functions->write_library)
        return sl_fail(w->err, SL_UNIMPLEMENTED, "Functions as a part of a graph");
    return w->options->functions->write_library(bytes, w->options->functions, w->names.items, (int)w->names.n, w->arena,
                                                w->err);
}

static sl_code write_graph(struct sl_str *out, struct writer *w, const struct sl_dataset *d) {
    struct sl_str result, bytes;
    struct sl_pb_VersionDef versions = {.producer = w->options->producer};
    struct sl_pb_FunctionDefLibrary library;
    SL_TRY(write_dataset(&result, w, d));
    SL_TRY(write_result(w, result));
    SL_TRY(write_library(&bytes, w));
    SL_TRY(sl_pb_decode(&library, SL_PB_TYPE_OF(FunctionDefLibrary), bytes, w->arena, w->err));
    const struct sl_pb_GraphDef graph = {.node = {w->nodes.items, w->nodes.n},
                                         .versions = &versions,
                                         .library = &library};
    return sl_pb_encode(out, SL_PB_TYPE_OF(GraphDef), &graph, 0, w->arena, w->err);
}

static void writer_clear(struct writer *w) {
    sl_vec_free(&w->nodes);
    sl_vec_free(&w->names);
}

sl_code sl_dataset_graph(struct sl_str *out, const struct sl_dataset *d, const struct sl_dataset_graph_options *options,
                         struct sl_arena *arena, struct sl_error *err) {
    struct writer w = {.options = options, .arena = arena, .err = err};
    sl_code code = write_graph(out, &w, d);
    writer_clear(&w);
    return code;
}

/* ---- functions alone */

sl_code sl_dataset_functions(struct sl_str *out, const struct sl_dataset *d, struct sl_functions *functions,
                             struct sl_arena *arena, struct sl_error *err) {
    const struct sl_dataset_graph_options options = {.functions = functions};
    struct writer w = {.options = &options, .arena = arena, .err = err};
    sl_code code = collect_names(&w, &d->spec->attrs);
    if (code == SL_OK) code = write_library(out, &w);
    writer_clear(&w);
    return code;
}
