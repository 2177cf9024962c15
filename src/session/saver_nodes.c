/* The nodes of a Saver:
 *
 *     save/Const (the prefix) ──► save/SaveV2 ◄── variables
 *              └──► save/RestoreV2 ──► save/Assign_i ──► variables
 *
 *     save/control_dependency    the prefix, after SaveV2
 *     save/restore_all           runs after every assignment */
#include "session/saver_nodes.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "graph/tensor_name.h"
#include "ops/op_effects.h"
#include "proto/wire.h"
#include "session/freeze_rewrite.h"
#include "tensor/dtype.h"

struct variable {
    struct sl_str name, value; /* `value`: the tensor to save */
    int dtype;
    bool is_resource;
    struct sl_str initializer, initial_value, snapshot; /* "" as long as no node of the graph is one */
};

struct saver {
    struct sl_arena *arena;
    struct sl_op_registry *registry;
    struct sl_pb_GraphDef *graph;
    char scope[32];
    SL_VEC(struct variable) variables;
    SL_VEC(struct sl_pb_NodeDef) nodes; /* the new ones */
    struct sl_str_map by_name;          /* variables: index + 1 */
};

bool sl_is_variable_op(struct sl_op_registry *registry, struct sl_str name) {
    const struct sl_op *op;
    return sl_op_find(&op, registry, name, NULL) == SL_OK && sl_op_has(op, SL_OP_VARIABLE);
}

/* ---- the variables */

static sl_code find_variables(struct saver *s, struct sl_error *err) {
    for (size_t i = 0; i < s->graph->node.n; i++) {
        const struct sl_pb_NodeDef *node = &s->graph->node.items[i];
        if (!sl_is_variable_op(s->registry, node->op)) continue;
        const struct sl_pb_AttrValue *dtype = sl_pb_find_string_AttrValue(&node->attr, SL_STR("dtype"));
        if (!dtype || dtype->which != SL_PB_AttrValue_type)
            return sl_fail(err, SL_INVALID_ARGUMENT, "The variable %.*s has no type", SL_STR_ARG(node->name));
        struct variable v = {.name = node->name, .value = node->name, .dtype = dtype->type};
        v.is_resource = sl_str_is(node->op, "VarHandleOp");
        if (sl_vec_push(&s->variables, v) || sl_str_map_put(&s->by_name, node->name, (void *)(uintptr_t)s->variables.n))
            return sl_fail_memory(err, sizeof v);
    }
    return SL_OK;
}

/* "node:index", in the arena. */
static struct sl_str full_name(struct saver *s, struct sl_tensor_name name) {
    return sl_str_of(sl_arena_format(s->arena, "%.*s:%d", SL_STR_ARG(name.node), name.index));
}

/* Notes what of the graph initialises and reads the variables: the first node that does. */
static sl_code find_uses(struct saver *s, struct sl_error *err) {
    for (size_t i = 0; i < s->graph->node.n; i++) {
        const struct sl_pb_NodeDef *node = &s->graph->node.items[i];
        bool assigns = sl_str_is(node->op, "Assign") || sl_str_is(node->op, "AssignVariableOp");
        bool reads = sl_str_is(node->op, "ReadVariableOp") || sl_str_is(node->op, "Identity");
        if (node->input.n < 1 || !(reads || (assigns && node->input.n >= 2))) continue;
        struct sl_tensor_name of = sl_tensor_name_of(node->input.items[0]);
        uintptr_t found = of.index ? 0 : (uintptr_t)sl_str_map_get(&s->by_name, of.node);
        struct variable *v = found ? &s->variables.items[found - 1] : NULL;
        if (!v || (reads && v->is_resource == sl_str_is(node->op, "Identity"))) continue;
        if (assigns && !v->initializer.n) {
            v->initializer = node->name;
            v->initial_value = full_name(s, sl_tensor_name_of(node->input.items[1]));
            if (!v->initial_value.p) return sl_fail_memory(err, node->name.n);
        } else if (reads && !v->snapshot.n) {
            v->snapshot = full_name(s, (struct sl_tensor_name){node->name, 0});
            if (!v->snapshot.p) return sl_fail_memory(err, node->name.n);
        }
    }
    return SL_OK;
}

static bool is_in_scope(struct sl_str name, const char *scope) {
    size_t n = strlen(scope);
    return name.n >= n && !memcmp(name.p, scope, n) && (name.n == n || name.p[n] == '/');
}

static void choose_scope(struct saver *s) {
    snprintf(s->scope, sizeof s->scope, "save");
    for (size_t i = 0, number = 1; i < s->graph->node.n; i++)
        if (is_in_scope(s->graph->node.items[i].name, s->scope)) {
            snprintf(s->scope, sizeof s->scope, "save_%zu", number++);
            i = (size_t)-1; /* once more from the first */
        }
}

/* ---- the nodes */

/* "SCOPE/NAME", and "SCOPE/NAME_i" from i = 1 on. */
static struct sl_str scoped(struct saver *s, const char *name, size_t i) {
    return sl_str_of(i ? sl_arena_format(s->arena, "%s/%s_%zu", s->scope, name, i)
                       : sl_arena_format(s->arena, "%s/%s", s->scope, name));
}

/* A node with room for so many inputs, none of which is there yet. It stays where it is until the next one. */
static struct sl_pb_NodeDef *add_node(struct saver *s, const char *op, struct sl_str name, size_t room) {
    struct sl_pb_NodeDef node = {.op = sl_str_of(op), .name = name};
    node.input.items = SL_ARENA_ARRAY(s->arena, struct sl_str, room + 1);
    if (!name.p || !node.input.items || sl_vec_push(&s->nodes, node)) return NULL;
    return &s->nodes.items[s->nodes.n - 1];
}

static void add_input(struct sl_pb_NodeDef *node, struct sl_str input) { node->input.items[node->input.n++] = input; }

/* "^NAME"; false when memory is out. */
static bool add_control(struct saver *s, struct sl_pb_NodeDef *node, struct sl_str name) {
    const char *text = sl_arena_format(s->arena, "^%.*s", SL_STR_ARG(name));
    if (text) add_input(node, sl_str_of(text));
    return text != NULL;
}

/* A constant of strings, of rank 0 when `n` is -1. */
static sl_code add_strings(struct sl_str *name, struct saver *s, const char *last, const struct sl_str *strings, int n,
                           struct sl_error *err) {
    struct sl_pb_TensorProto *t = SL_ARENA_NEW(s->arena, struct sl_pb_TensorProto);
    struct sl_pb_TensorShapeProto *shape = SL_ARENA_NEW(s->arena, struct sl_pb_TensorShapeProto);
    struct sl_pb_TensorShapeProto_Dim *dim = SL_ARENA_NEW(s->arena, struct sl_pb_TensorShapeProto_Dim);
    size_t count = n < 0 ? 1 : (size_t)n;
    struct sl_str *copy = SL_ARENA_ARRAY(s->arena, struct sl_str, count + 1);
    *name = scoped(s, last, 0);
    struct sl_pb_NodeDef *node = add_node(s, "Const", *name, 0);
    if (!t || !shape || !dim || !copy || !node) return sl_fail_memory(err, count * sizeof *copy);
    memcpy(copy, strings, count * sizeof *copy);
    dim->size = (int64_t)count;
    if (n >= 0) shape->dim = (struct sl_pb_array_TensorShapeProto_Dim){dim, 1};
    *t = (struct sl_pb_TensorProto){.dtype = SL_STRING, .tensor_shape = shape, .string_val = {copy, count}};
    SL_TRY(sl_freeze_set_type(node, "dtype", SL_STRING, s->arena, err));
    struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_tensor, .tensor = t};
    return sl_freeze_set_attr(node, "value", &value, s->arena, err);
}

static sl_code set_types(struct saver *s, struct sl_pb_NodeDef *node, struct sl_error *err) {
    struct sl_pb_AttrValue_ListValue *list = SL_ARENA_NEW(s->arena, struct sl_pb_AttrValue_ListValue);
    int32_t *types = SL_ARENA_ARRAY(s->arena, int32_t, s->variables.n);
    if (!list || !types) return sl_fail_memory(err, s->variables.n * sizeof *types);
    for (size_t i = 0; i < s->variables.n; i++) types[i] = s->variables.items[i].dtype;
    list->type.items = types;
    list->type.n = s->variables.n;
    struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_list, .list = list};
    return sl_freeze_set_attr(node, "dtypes", &value, s->arena, err);
}

/* What reads resources. */
static sl_code add_reads(struct saver *s, struct sl_error *err) {
    for (size_t i = 0; i < s->variables.n; i++) {
        struct variable *v = &s->variables.items[i];
        if (!v->is_resource) continue;
        struct sl_pb_NodeDef *node = add_node(s, "ReadVariableOp", scoped(s, "Read", i), 1);
        if (!node) return sl_fail_memory(err, sizeof *node);
        add_input(node, v->name);
        SL_TRY(sl_freeze_set_type(node, "dtype", v->dtype, s->arena, err));
        v->value = node->name;
    }
    return SL_OK;
}

static sl_code add_save(struct sl_str *saved, struct saver *s, struct sl_str prefix, struct sl_str names,
                        struct sl_str slices, struct sl_error *err) {
    struct sl_pb_NodeDef *node = add_node(s, "SaveV2", scoped(s, "SaveV2", 0), 3 + s->variables.n);
    if (!node) return sl_fail_memory(err, sizeof *node);
    add_input(node, prefix);
    add_input(node, names);
    add_input(node, slices);
    for (size_t i = 0; i < s->variables.n; i++) add_input(node, s->variables.items[i].value);
    SL_TRY(set_types(s, node, err));
    struct sl_str save = node->name;
    node = add_node(s, "Identity", scoped(s, "control_dependency", 0), 2);
    if (!node) return sl_fail_memory(err, sizeof *node);
    *saved = node->name;
    add_input(node, prefix);
    if (!add_control(s, node, save)) return sl_fail_memory(err, save.n);
    return sl_freeze_set_type(node, "T", SL_STRING, s->arena, err);
}

/* Gives one variable what the restoring node has at `i`. */
static sl_code add_assignment(struct saver *s, const struct variable *v, size_t i, struct sl_str restore,
                              struct sl_error *err) {
    struct sl_pb_NodeDef *node = add_node(s, v->is_resource ? "AssignVariableOp" : "Assign", scoped(s, "Assign", i), 2);
    const char *value = i ? sl_arena_format(s->arena, "%.*s:%zu", SL_STR_ARG(restore), i) : restore.p;
    if (!node || !value) return sl_fail_memory(err, sizeof *node);
    add_input(node, v->name);
    add_input(node, sl_str_of(value));
    return sl_freeze_set_type(node, v->is_resource ? "dtype" : "T", v->dtype, s->arena, err);
}

static sl_code add_restore(struct sl_str *restored, struct saver *s, struct sl_str prefix, struct sl_str names,
                           struct sl_str slices, struct sl_error *err) {
    struct sl_pb_NodeDef *node = add_node(s, "RestoreV2", scoped(s, "RestoreV2", 0), 3);
    if (!node) return sl_fail_memory(err, sizeof *node);
    struct sl_str restore = node->name;
    add_input(node, prefix);
    add_input(node, names);
    add_input(node, slices);
    SL_TRY(set_types(s, node, err));
    for (size_t i = 0; i < s->variables.n; i++) SL_TRY(add_assignment(s, &s->variables.items[i], i, restore, err));
    node = add_node(s, "NoOp", scoped(s, "restore_all", 0), s->variables.n);
    if (!node) return sl_fail_memory(err, sizeof *node);
    *restored = node->name;
    for (size_t i = 0; i < s->variables.n; i++)
        if (!add_control(s, node, scoped(s, "Assign", i))) return sl_fail_memory(err, node->name.n);
    return SL_OK;
}

static sl_code append_nodes(struct saver *s, struct sl_error *err) {
    struct sl_pb_array_NodeDef *old = &s->graph->node;
    struct sl_pb_NodeDef *all = SL_ARENA_ARRAY(s->arena, struct sl_pb_NodeDef, old->n + s->nodes.n);
    if (!all) return sl_fail_memory(err, (old->n + s->nodes.n) * sizeof *all);
    memcpy(all, old->items, old->n * sizeof *all);
    memcpy(all + old->n, s->nodes.items, s->nodes.n * sizeof *all);
    *old = (struct sl_pb_array_NodeDef){all, old->n + s->nodes.n};
    return SL_OK;
}

static sl_code add_nodes(struct sl_pb_SaverDef *def, struct saver *s, struct sl_error *err) {
    struct sl_str model = SL_STR("model"), prefix, names, slices, saved = SL_STR("");
    struct sl_str *texts = SL_ARENA_ARRAY(s->arena, struct sl_str, s->variables.n);
    if (!texts) return sl_fail_memory(err, s->variables.n * sizeof *texts);
    SL_TRY(add_strings(&prefix, s, "Const", &model, -1, err));
    for (size_t i = 0; i < s->variables.n; i++) texts[i] = SL_STR("");
    SL_TRY(add_strings(&slices, s, "slices", texts, (int)s->variables.n, err));
    for (size_t i = 0; i < s->variables.n; i++) texts[i] = s->variables.items[i].name;
    SL_TRY(add_strings(&names, s, "names", texts, (int)s->variables.n, err));
    SL_TRY(add_reads(s, err));
    SL_TRY(add_save(&saved, s, prefix, names, slices, err));
    SL_TRY(add_restore(&def->restore_op_name, s, prefix, names, slices, err));
    def->filename_tensor_name = full_name(s, (struct sl_tensor_name){prefix, 0});
    def->save_tensor_name = full_name(s, (struct sl_tensor_name){saved, 0});
    def->max_to_keep = 5;
    def->keep_checkpoint_every_n_hours = 10000;
    def->version = SL_PB_SaverDef_CheckpointFormatVersion_V2;
    if (!def->filename_tensor_name.p || !def->save_tensor_name.p) return sl_fail_memory(err, prefix.n);
    return append_nodes(s, err);
}

/* ---- what is said of the variables */

static sl_code describe(struct sl_str *out, struct saver *s, const struct variable *v, size_t i, struct sl_error *err) {
    struct sl_pb_VariableDef def = {.initializer_name = v->initializer,
                                    .initial_value_name = v->initial_value,
                                    .snapshot_name = v->snapshot,
                                    .is_resource = v->is_resource,
                                    .trainable = sl_set_has(SL_SET_FLOATS, v->dtype)};
    def.variable_name = full_name(s, (struct sl_tensor_name){v->name, 0});
    if (!def.initializer_name.n) def.initializer_name = scoped(s, "Assign", i);
    if (!def.snapshot_name.n) def.snapshot_name = full_name(s, (struct sl_tensor_name){v->value, 0});
    if (!def.variable_name.p || !def.initializer_name.p || !def.snapshot_name.p) return sl_fail_memory(err, v->name.n);
    return sl_pb_encode(out, SL_PB_TYPE(VariableDef), &def, 0, s->arena, err);
}

static sl_code describe_all(struct sl_pb_array_str *out, struct saver *s, struct sl_error *err) {
    out->items = SL_ARENA_ARRAY(s->arena, struct sl_str, s->variables.n + 1);
    if (!out->items) return sl_fail_memory(err, s->variables.n * sizeof *out->items);
    for (size_t i = 0; i < s->variables.n; i++) SL_TRY(describe(&out->items[i], s, &s->variables.items[i], i, err));
    out->n = s->variables.n;
    return SL_OK;
}

static sl_code add_saver(struct sl_pb_array_str *variables, struct sl_pb_MetaGraphDef *meta, struct saver *s,
                         struct sl_error *err) {
    meta->saver_def = NULL;
    *variables = (struct sl_pb_array_str){NULL, 0};
    SL_TRY(find_variables(s, err));
    if (!s->variables.n) return SL_OK;
    SL_TRY(find_uses(s, err));
    choose_scope(s);
    struct sl_pb_SaverDef *def = SL_ARENA_NEW(s->arena, struct sl_pb_SaverDef);
    if (!def) return sl_fail_memory(err, sizeof *def);
    SL_TRY(add_nodes(def, s, err));
    SL_TRY(describe_all(variables, s, err));
    meta->saver_def = def;
    return SL_OK;
}

sl_code sl_saver_nodes_add(struct sl_pb_array_str *variables, struct sl_pb_MetaGraphDef *meta,
                           struct sl_op_registry *registry, struct sl_arena *arena, struct sl_error *err) {
    struct saver s = {.arena = arena, .registry = registry, .graph = meta->graph_def};
    sl_code code = add_saver(variables, meta, &s, err);
    sl_vec_free(&s.variables);
    sl_vec_free(&s.nodes);
    sl_str_map_free(&s.by_name);
    return code;
}
