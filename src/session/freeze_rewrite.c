/* How each kind of node takes a value in place of a variable's handle. Marks go first, through what only passes a
 * tensor on; then every node that takes a marked tensor is rewritten. Functions are copied for each set of arguments
 * that are values. */
#include "session/freeze_rewrite.h"

#include <stdio.h>

#include "base/alloc.h"
#include "tensor/dtype.h"

enum { FUNCTION_DEPTH_MAX = 100 };

/* ---- attrs */

static struct sl_pb_AttrValue *find_attr(const struct sl_pb_NodeDef *node, const char *name) {
    return sl_pb_find_string_AttrValue(&node->attr, sl_str_of(name));
}

sl_code sl_freeze_set_attr(struct sl_pb_NodeDef *node, const char *name, const struct sl_pb_AttrValue *value,
                           struct sl_arena *arena, struct sl_error *err) {
    size_t n = node->attr.n, at = 0;
    struct sl_pb_entry_string_AttrValue *items = SL_ARENA_ARRAY(arena, struct sl_pb_entry_string_AttrValue, n + 1);
    struct sl_str key = sl_arena_str(arena, sl_str_of(name));
    if (!items || !key.p) return sl_fail_memory(err, n * sizeof *items);
    if (n) memcpy(items, node->attr.items, n * sizeof *items);
    while (at < n && !sl_str_eq(items[at].key, key)) at++;
    items[at] = (struct sl_pb_entry_string_AttrValue){.key = key, .value = *value};
    node->attr.items = items;
    node->attr.n = at < n ? n : n + 1;
    return SL_OK;
}

void sl_freeze_drop_attr(struct sl_pb_NodeDef *node, const char *name) {
    for (size_t i = 0; i < node->attr.n; i++)
        if (sl_str_is(node->attr.items[i].key, name)) {
            memmove(&node->attr.items[i], &node->attr.items[i + 1], (node->attr.n - i - 1) * sizeof *node->attr.items);
            node->attr.n--;
            return;
        }
}

sl_code sl_freeze_set_type(struct sl_pb_NodeDef *node, const char *name, int dtype, struct sl_arena *arena,
                           struct sl_error *err) {
    struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_type, .type = dtype};
    return sl_freeze_set_attr(node, name, &value, arena, err);
}

/* ---- marks */

static bool is_control(struct sl_str input) { return input.n && input.p[0] == '^'; }

/* In a graph "node:0" is "node". */
static int frozen_type(const struct sl_freeze_scope *scope, struct sl_str input) {
    if (is_control(input)) return 0;
    if (!scope->is_function && input.n > 2 && memcmp(input.p + input.n - 2, ":0", 2) == 0) input.n -= 2;
    return (int)(uintptr_t)sl_str_map_get(&scope->frozen, input);
}

static char *tensor_name(const struct sl_freeze_scope *scope, struct sl_str node, int i, const char *output) {
    struct sl_arena *arena = scope->freezer->arena;
    if (scope->is_function) return sl_arena_format(arena, "%.*s:%s:%d", SL_STR_ARG(node), output, i);
    return i ? sl_arena_format(arena, "%.*s:%d", SL_STR_ARG(node), i)
             : sl_arena_format(arena, "%.*s", SL_STR_ARG(node));
}

sl_code sl_freeze_mark(struct sl_freeze_scope *scope, struct sl_str node, int i, const char *output, int dtype,
                       struct sl_error *err) {
    char *name = tensor_name(scope, node, i, output);
    if (!name || sl_str_map_put(&scope->frozen, sl_str_of(name), (void *)(uintptr_t)dtype))
        return sl_fail_memory(err, node.n);
    return SL_OK;
}

static bool is_while(const struct sl_pb_NodeDef *node) {
    return sl_str_is(node->op, "While") || sl_str_is(node->op, "StatelessWhile");
}

/* What gives its first input on, its type being attr T. */
static bool is_passing(const struct sl_pb_NodeDef *node) {
    static const char *const ops[] = {"Identity", "Enter", "Exit", "NextIteration", "Switch", "Merge"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (sl_str_is(node->op, ops[i])) return true;
    return false;
}

static sl_code mark_passed(bool *is_new, struct sl_freeze_scope *scope, const struct sl_pb_NodeDef *node,
                           struct sl_error *err) {
    int dtype = 0;
    for (size_t i = 0; i < node->input.n && !dtype; i++) dtype = frozen_type(scope, node->input.items[i]);
    bool is_switch = sl_str_is(node->op, "Switch");
    char *name = tensor_name(scope, node->name, 0, is_switch ? "output_false" : "output");
    if (!name) return sl_fail_memory(err, node->name.n);
    if (!dtype || sl_str_map_get(&scope->frozen, sl_str_of(name))) return SL_OK;
    *is_new = true;
    SL_TRY(sl_freeze_mark(scope, node->name, 0, is_switch ? "output_false" : "output", dtype, err));
    if (!is_switch) return SL_OK;
    return scope->is_function ? sl_freeze_mark(scope, node->name, 0, "output_true", dtype, err)
                              : sl_freeze_mark(scope, node->name, 1, "", dtype, err);
}

/* Variables of a loop that are values before it are values after it. */
static sl_code mark_loop(bool *is_new, struct sl_freeze_scope *scope, const struct sl_pb_NodeDef *node,
                         struct sl_error *err) {
    for (size_t i = 0; i < node->input.n; i++) {
        int dtype = frozen_type(scope, node->input.items[i]);
        char *name = dtype ? tensor_name(scope, node->name, (int)i, "output") : NULL;
        if (dtype && !name) return sl_fail_memory(err, node->name.n);
        if (!dtype || sl_str_map_get(&scope->frozen, sl_str_of(name))) continue;
        *is_new = true;
        SL_TRY(sl_freeze_mark(scope, node->name, (int)i, "output", dtype, err));
    }
    return SL_OK;
}

static sl_code mark_all(struct sl_freeze_scope *scope, struct sl_error *err) {
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = 0; i < scope->n; i++) {
            if (is_passing(&scope->nodes[i])) SL_TRY(mark_passed(&is_new, scope, &scope->nodes[i], err));
            else if (is_while(&scope->nodes[i])) SL_TRY(mark_loop(&is_new, scope, &scope->nodes[i], err));
        }
    }
    return SL_OK;
}

/* ---- functions */

static sl_code no_way(const struct sl_pb_NodeDef *node, struct sl_error *err) {
    return sl_fail(err, SL_UNIMPLEMENTED,
                   "{{node %.*s}} (%.*s) takes a variable in a way that no constant can stand for, so the graph cannot "
                   "be frozen",
                   SL_STR_ARG(node->name), SL_STR_ARG(node->op));
}

/* Copies an array of arguments and gives the i-th the type `types[i]`, when that is not 0. */
static sl_code retype(struct sl_pb_array_OpDef_ArgDef *args, const int *types, struct sl_arena *arena,
                      struct sl_error *err) {
    struct sl_pb_OpDef_ArgDef *copy = SL_ARENA_ARRAY(arena, struct sl_pb_OpDef_ArgDef, args->n + 1);
    if (!copy) return sl_fail_memory(err, args->n * sizeof *copy);
    if (args->n) memcpy(copy, args->items, args->n * sizeof *copy);
    for (size_t i = 0; i < args->n; i++) {
        if (!types[i]) continue;
        copy[i].type = types[i];
        copy[i].handle_data.n = 0;
        copy[i].experimental_full_type = NULL;
    }
    args->items = copy;
    return SL_OK;
}

static sl_code rewrite_body(struct sl_pb_FunctionDef *f, struct sl_freezer *freezer, const int *types,
                            struct sl_error *err);

/* A copy of the function whose argument i is a value of type types[i], where that is not 0. `types` has one for each
 * argument. */
static sl_code convert_function(const struct sl_pb_FunctionDef **out, struct sl_freezer *freezer, struct sl_str name,
                                const int *types, size_t n, struct sl_error *err) {
    const struct sl_pb_FunctionDef *original = sl_str_map_get(&freezer->functions, name);
    if (!original || !original->signature || original->signature->input_arg.n != n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "the function %.*s is not in the graph, or has other arguments",
                       SL_STR_ARG(name));
    char *key = sl_arena_alloc(freezer->arena, name.n + 4 * n + 1);
    if (!key) return sl_fail_memory(err, n);
    memcpy(key, name.p, name.n);
    size_t at = name.n;
    for (size_t i = 0; i < n; i++) at += (size_t)sprintf(key + at, ",%d", types[i]);
    const struct sl_pb_FunctionDef *known = sl_str_map_get(&freezer->done, (struct sl_str){key, at});
    if (known) {
        *out = known;
        return SL_OK;
    }
    if (freezer->depth >= FUNCTION_DEPTH_MAX) return sl_fail(err, SL_UNIMPLEMENTED, "functions are nested too deep");
    struct sl_pb_FunctionDef *f = SL_ARENA_NEW(freezer->arena, struct sl_pb_FunctionDef);
    struct sl_pb_OpDef *signature = SL_ARENA_NEW(freezer->arena, struct sl_pb_OpDef);
    char *copy_name = sl_arena_format(freezer->arena, "%.*s_frozen_%zu", SL_STR_ARG(name), freezer->made.n);
    if (!f || !signature || !copy_name || sl_vec_push(&freezer->made, f) ||
        sl_str_map_put(&freezer->done, (struct sl_str){key, at}, f))
        return sl_fail_memory(err, sizeof *f);
    *f = *original;
    *signature = *original->signature;
    signature->name = sl_str_of(copy_name);
    f->signature = signature;
    f->arg_attr.n = 0; /* told shapes of handles */
    f->resource_arg_unique_id.n = 0;
    freezer->depth++;
    sl_code code = retype(&signature->input_arg, types, freezer->arena, err);
    if (code == SL_OK) code = rewrite_body(f, freezer, types, err);
    freezer->depth--;
    *out = f;
    return code;
}

static sl_code mark_arguments(struct sl_freeze_scope *scope, const struct sl_pb_FunctionDef *f, const int *types,
                              struct sl_error *err) {
    for (size_t i = 0; i < f->signature->input_arg.n; i++)
        if (types[i] &&
            sl_str_map_put(&scope->frozen, f->signature->input_arg.items[i].name, (void *)(uintptr_t)types[i]))
            return sl_fail_memory(err, sizeof *types);
    return SL_OK;
}

static struct sl_str new_name(const struct sl_freeze_scope *scope, struct sl_str tensor) {
    const char *name = sl_str_map_get(&scope->renamed, tensor);
    return name ? sl_str_of(name) : tensor;
}

/* Results that are values. */
static sl_code retype_results(struct sl_pb_FunctionDef *f, const struct sl_freeze_scope *scope, struct sl_error *err) {
    struct sl_arena *arena = scope->freezer->arena;
    struct sl_pb_array_OpDef_ArgDef *results = &f->signature->output_arg;
    int *types = SL_ARENA_ARRAY(arena, int, results->n + 1);
    if (!types) return sl_fail_memory(err, results->n);
    for (size_t i = 0; i < results->n; i++)
        for (size_t k = 0; k < f->ret.n; k++)
            if (sl_str_eq(f->ret.items[k].key, results->items[i].name))
                types[i] = frozen_type(scope, f->ret.items[k].value);
    struct sl_pb_entry_string_string *ret = SL_ARENA_ARRAY(arena, struct sl_pb_entry_string_string, f->ret.n + 1);
    if (!ret) return sl_fail_memory(err, f->ret.n * sizeof *ret);
    if (f->ret.n) memcpy(ret, f->ret.items, f->ret.n * sizeof *ret);
    for (size_t k = 0; k < f->ret.n; k++) ret[k].value = new_name(scope, ret[k].value);
    f->ret.items = ret;
    return retype(results, types, arena, err);
}

static sl_code rewrite_body(struct sl_pb_FunctionDef *f, struct sl_freezer *freezer, const int *types,
                            struct sl_error *err) {
    struct sl_freeze_scope scope = {.freezer = freezer, .is_function = true, .n = f->node_def.n};
    scope.nodes = SL_ARENA_ARRAY(freezer->arena, struct sl_pb_NodeDef, scope.n + 1);
    if (!scope.nodes) return sl_fail_memory(err, scope.n * sizeof *scope.nodes);
    if (scope.n) memcpy(scope.nodes, f->node_def.items, scope.n * sizeof *scope.nodes);
    for (size_t i = 0; i < scope.n; i++) { /* attrs are changed in place */
        struct sl_pb_map_string_AttrValue *attr = &scope.nodes[i].attr, old = *attr;
        attr->items = SL_ARENA_ARRAY(freezer->arena, struct sl_pb_entry_string_AttrValue, old.n + 1);
        if (!attr->items) return sl_fail_memory(err, old.n * sizeof *attr->items);
        if (old.n) memcpy(attr->items, old.items, old.n * sizeof *attr->items);
    }
    sl_code code = mark_arguments(&scope, f, types, err);
    if (code == SL_OK) code = sl_freeze_rewrite(&scope, err);
    if (code == SL_OK) code = retype_results(f, &scope, err);
    f->node_def.items = scope.nodes;
    f->node_def.n = scope.n;
    sl_str_map_free(&scope.frozen);
    sl_str_map_free(&scope.renamed);
    return code;
}

/* ---- nodes */

/* The types of the data inputs from `first` on that are values, in the arena; `*n` of them. */
static sl_code input_types(int **out, size_t *n, const struct sl_freeze_scope *scope, const struct sl_pb_NodeDef *node,
                           size_t first, struct sl_error *err) {
    *n = 0;
    *out = SL_ARENA_ARRAY(scope->freezer->arena, int, node->input.n + 1);
    if (!*out) return sl_fail_memory(err, node->input.n);
    for (size_t i = first; i < node->input.n && !is_control(node->input.items[i]); i++)
        (*out)[(*n)++] = frozen_type(scope, node->input.items[i]);
    return SL_OK;
}

/* Puts the types into the list attr `name`, where they are not 0. */
static sl_code set_types(struct sl_pb_NodeDef *node, const char *name, const int *types, size_t n,
                         struct sl_arena *arena, struct sl_error *err) {
    const struct sl_pb_AttrValue *old = find_attr(node, name);
    if (!old) return SL_OK; /* a call by name */
    if (old->which != SL_PB_AttrValue_list || old->list->type.n != n) return no_way(node, err);
    struct sl_pb_AttrValue_ListValue *list = SL_ARENA_NEW(arena, struct sl_pb_AttrValue_ListValue);
    int32_t *items = SL_ARENA_ARRAY(arena, int32_t, n + 1);
    if (!list || !items) return sl_fail_memory(err, n);
    for (size_t i = 0; i < n; i++) items[i] = types[i] ? types[i] : old->list->type.items[i];
    list->type.items = items;
    list->type.n = n;
    struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_list, .list = list};
    return sl_freeze_set_attr(node, name, &value, arena, err);
}

/* Whether result i is a value exactly when wanted[i]; `wanted` NULL: none may be. */
static bool has_results(const struct sl_pb_FunctionDef *original, const struct sl_pb_FunctionDef *f,
                        const int *wanted) {
    for (size_t i = 0; i < f->signature->output_arg.n; i++) {
        bool is_value = f->signature->output_arg.items[i].type != original->signature->output_arg.items[i].type;
        if (is_value != (wanted && wanted[i] != 0)) return false;
    }
    return true;
}

static sl_code convert_called(struct sl_str *called, struct sl_freeze_scope *scope, const struct sl_pb_NodeDef *node,
                              struct sl_str name, const int *types, size_t n, const int *results,
                              struct sl_error *err) {
    const struct sl_pb_FunctionDef *f = NULL;
    SL_TRY(convert_function(&f, scope->freezer, name, types, n, err));
    if (!has_results(sl_str_map_get(&scope->freezer->functions, name), f, results)) return no_way(node, err);
    *called = f->signature->name;
    return SL_OK;
}

/* The function that attr `attr` names. */
static sl_code convert_attr(struct sl_freeze_scope *scope, struct sl_pb_NodeDef *node, const char *attr,
                            const int *types, size_t n, const int *results, struct sl_error *err) {
    const struct sl_pb_AttrValue *old = find_attr(node, attr);
    if (!old || old->which != SL_PB_AttrValue_func) return no_way(node, err);
    struct sl_pb_NameAttrList *called = SL_ARENA_NEW(scope->freezer->arena, struct sl_pb_NameAttrList);
    if (!called) return sl_fail_memory(err, sizeof *called);
    *called = *old->func;
    SL_TRY(convert_called(&called->name, scope, node, old->func->name, types, n, results, err));
    struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_func, .func = called};
    return sl_freeze_set_attr(node, attr, &value, scope->freezer->arena, err);
}

static sl_code rewrite_call(struct sl_freeze_scope *scope, struct sl_pb_NodeDef *node, struct sl_error *err) {
    struct sl_arena *arena = scope->freezer->arena;
    int *types;
    size_t n;
    bool is_if = sl_str_is(node->op, "If") || sl_str_is(node->op, "StatelessIf");
    SL_TRY(input_types(&types, &n, scope, node, is_if, err));
    sl_freeze_drop_attr(node, "_handle_dtypes");
    if (is_while(node)) {
        SL_TRY(set_types(node, "T", types, n, arena, err));
        SL_TRY(convert_attr(scope, node, "cond", types, n, NULL, err));
        return convert_attr(scope, node, "body", types, n, types, err);
    }
    SL_TRY(set_types(node, "Tin", types, n, arena, err));
    if (is_if) {
        SL_TRY(convert_attr(scope, node, "then_branch", types, n, NULL, err));
        return convert_attr(scope, node, "else_branch", types, n, NULL, err);
    }
    if (sl_str_is(node->op, "PartitionedCall") || sl_str_is(node->op, "StatefulPartitionedCall"))
        return convert_attr(scope, node, "f", types, n, NULL, err);
    return convert_called(&node->op, scope, node, node->op, types, n, NULL, err);
}

/* The only attrs that a node of another op keeps. */
static sl_code become(struct sl_pb_NodeDef *node, const char *op, int dtype, const char *type_attr,
                      const char *const *kept, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_NodeDef old = *node;
    node->op = sl_str_of(op);
    node->attr.n = 0;
    node->experimental_type = NULL;
    for (; kept && *kept; kept++) {
        const struct sl_pb_AttrValue *value = find_attr(&old, *kept);
        if (value) SL_TRY(sl_freeze_set_attr(node, *kept, value, arena, err));
    }
    return sl_freeze_set_type(node, type_attr, dtype, arena, err);
}

/* ReadVariableOp -> Identity, whose output has another name. */
static sl_code rewrite_read(struct sl_freeze_scope *scope, struct sl_pb_NodeDef *node, int dtype,
                            struct sl_error *err) {
    char *old = tensor_name(scope, node->name, 0, "value"), *name = tensor_name(scope, node->name, 0, "output");
    if (!old || !name || (scope->is_function && sl_str_map_put(&scope->renamed, sl_str_of(old), name)))
        return sl_fail_memory(err, node->name.n);
    return become(node, "Identity", dtype, "T", NULL, scope->freezer->arena, err);
}

/* ResourceGather -> GatherV2 along axis 0, which is a node of its own. */
static sl_code rewrite_gather(struct sl_freeze_scope *scope, struct sl_pb_NodeDef *node, int dtype,
                              struct sl_error *err) {
    static const char *const kept[] = {"Tindices", "batch_dims", NULL};
    struct sl_arena *arena = scope->freezer->arena;
    const struct sl_pb_AttrValue *batch = find_attr(node, "batch_dims");
    struct sl_pb_NodeDef axis = {.name = sl_str_of(sl_arena_format(arena, "%.*s/axis", SL_STR_ARG(node->name)))};
    struct sl_pb_TensorProto *zero = SL_ARENA_NEW(arena, struct sl_pb_TensorProto);
    int32_t *value = SL_ARENA_NEW(arena, int32_t);
    struct sl_str *inputs = SL_ARENA_ARRAY(arena, struct sl_str, node->input.n + 1);
    if (!axis.name.p || !zero || !value || !inputs) return sl_fail_memory(err, sizeof *zero);
    if (batch && batch->i < 0) return no_way(node, err);
    *value = batch ? (int32_t)batch->i : 0; /* rows are those behind the batch */
    *zero = (struct sl_pb_TensorProto){.dtype = SL_INT32, .int_val = {value, 1}};
    zero->tensor_shape = SL_ARENA_NEW(arena, struct sl_pb_TensorShapeProto);
    if (!zero->tensor_shape) return sl_fail_memory(err, sizeof *zero);
    struct sl_pb_AttrValue tensor = {.which = SL_PB_AttrValue_tensor, .tensor = zero};
    axis.op = SL_STR("Const");
    SL_TRY(sl_freeze_set_attr(&axis, "value", &tensor, arena, err));
    SL_TRY(sl_freeze_set_type(&axis, "dtype", SL_INT32, arena, err));
    memcpy(inputs, node->input.items, 2 * sizeof *inputs);
    inputs[2] =
        scope->is_function ? sl_str_of(sl_arena_format(arena, "%.*s:output:0", SL_STR_ARG(axis.name))) : axis.name;
    if (!inputs[2].p || sl_vec_push(&scope->more, axis)) return sl_fail_memory(err, sizeof axis);
    if (node->input.n > 2) memcpy(inputs + 3, node->input.items + 2, (node->input.n - 2) * sizeof *inputs);
    node->input.items = inputs;
    node->input.n++;
    SL_TRY(become(node, "GatherV2", dtype, "Tparams", kept, arena, err));
    return sl_freeze_set_type(node, "Taxis", SL_INT32, arena, err);
}

static sl_code rewrite_node(struct sl_freeze_scope *scope, struct sl_pb_NodeDef *node, struct sl_error *err) {
    static const char *const out_type[] = {"out_type", NULL}, *const indices[] = {"Tindices", NULL};
    struct sl_arena *arena = scope->freezer->arena;
    int dtype = 0, first = node->input.n ? frozen_type(scope, node->input.items[0]) : 0;
    for (size_t i = 0; i < node->input.n && !dtype; i++) dtype = frozen_type(scope, node->input.items[i]);
    if (!dtype) return SL_OK;
    sl_freeze_drop_attr(node, "_output_shapes");
    if (is_passing(node)) return sl_freeze_set_type(node, "T", dtype, arena, err);
    if (sl_str_is(node->op, "ReadVariableOp")) return rewrite_read(scope, node, dtype, err);
    if (sl_str_is(node->op, "VariableShape")) return become(node, "Shape", dtype, "T", out_type, arena, err);
    if (sl_str_is(node->op, "ResourceGather") && first && node->input.n >= 2)
        return rewrite_gather(scope, node, dtype, err);
    if (sl_str_is(node->op, "ResourceGatherNd") && first)
        return become(node, "GatherNd", dtype, "Tparams", indices, arena, err);
    if (is_while(node) || find_attr(node, "f") || find_attr(node, "then_branch") ||
        sl_str_map_get(&scope->freezer->functions, node->op))
        return rewrite_call(scope, node, err);
    return no_way(node, err);
}

/* Inputs of all nodes by their new names; each array of them is copied, as it may belong to the original. */
static sl_code rename_inputs(struct sl_freeze_scope *scope, struct sl_error *err) {
    for (size_t i = 0; scope->renamed.n && i < scope->n; i++) {
        struct sl_pb_array_str *input = &scope->nodes[i].input;
        struct sl_str *names = SL_ARENA_ARRAY(scope->freezer->arena, struct sl_str, input->n + 1);
        if (!names) return sl_fail_memory(err, input->n * sizeof *names);
        for (size_t k = 0; k < input->n; k++) names[k] = new_name(scope, input->items[k]);
        input->items = names;
    }
    return SL_OK;
}

sl_code sl_freeze_rewrite(struct sl_freeze_scope *scope, struct sl_error *err) {
    sl_code code = mark_all(scope, err);
    for (size_t i = 0; code == SL_OK && i < scope->n; i++) code = rewrite_node(scope, &scope->nodes[i], err);
    if (code == SL_OK) code = rename_inputs(scope, err);
    if (code == SL_OK && scope->more.n) {
        size_t n = scope->n + scope->more.n;
        struct sl_pb_NodeDef *all = SL_ARENA_ARRAY(scope->freezer->arena, struct sl_pb_NodeDef, n);
        if (all) {
            if (scope->n) memcpy(all, scope->nodes, scope->n * sizeof *all);
            memcpy(all + scope->n, scope->more.items, scope->more.n * sizeof *all);
            scope->nodes = all;
            scope->n = n;
        } else {
            code = sl_fail_memory(err, n * sizeof *all);
        }
    }
    sl_vec_free(&scope->more);
    return code;
}
