/* The first half of freezing: what of the graph is needed, and what the variables hold. A handle's constant keeps
 * the variable's name. */
#include "session/freeze_graph.h"

#include "base/alloc.h"
#include "graph/tensor_name.h"
#include "ops/op_effects.h"
#include "session/freeze_rewrite.h"
#include "session/saver_nodes.h"
#include "session/variable_values.h"
#include "tensor/tensor_proto.h"

struct freeze {
    struct sl_freezer freezer;
    struct sl_session *session;
    const struct sl_graph *graph;
    struct sl_freeze_scope scope;
    struct sl_str_map wanted;          /* names of nodes -> anything */
    SL_VEC(struct sl_str) to_visit;    /* names */
    SL_VEC(struct sl_pb_NodeDef) kept; /* what becomes scope.nodes */
    SL_VEC(struct sl_port) variables;  /* nodes of `kept` that are variables */
    SL_VEC(struct sl_tensor *) values; /* one each */
};

/* ---- what is needed */

static sl_code want(struct freeze *f, struct sl_str name, struct sl_error *err) {
    if (sl_str_map_get(&f->wanted, name)) return SL_OK;
    if (sl_str_map_put(&f->wanted, name, f) || sl_vec_push(&f->to_visit, name)) return sl_fail_memory(err, name.n);
    return SL_OK;
}

static bool is_fed(const struct sl_node *node, const struct sl_port *inputs, int n) {
    for (int i = 0; i < n; i++)
        if (inputs[i].node == node) return true;
    return false;
}

/* Marks all that the outputs need, back to what is fed. */
static sl_code find_wanted(struct freeze *f, const struct sl_port *inputs, int n_inputs, const struct sl_port *outputs,
                           int n_outputs, struct sl_error *err) {
    for (int i = 0; i < n_inputs; i++) {
        if (inputs[i].index != 0)
            return sl_fail(err, SL_UNIMPLEMENTED, "the input %.*s:%d is not the first output of its node",
                           SL_STR_ARG(inputs[i].node->name), inputs[i].index);
        SL_TRY(want(f, inputs[i].node->name, err));
    }
    for (int i = 0; i < n_outputs; i++) SL_TRY(want(f, outputs[i].node->name, err));
    while (f->to_visit.n) {
        const struct sl_node *node = sl_graph_find(f->graph, f->to_visit.items[--f->to_visit.n]);
        if (!node || is_fed(node, inputs, n_inputs)) continue;
        for (int i = 0; i < node->n_inputs; i++)
            if (node->inputs[i].node) SL_TRY(want(f, node->inputs[i].node->name, err));
        for (int i = 0; i < node->n_controls; i++) SL_TRY(want(f, node->controls[i]->name, err));
    }
    return SL_OK;
}

static sl_code make_placeholder(struct sl_pb_NodeDef *node, int dtype, struct sl_arena *arena, struct sl_error *err) {
    if (sl_str_is(node->op, "Placeholder")) return SL_OK;
    node->op = SL_STR("Placeholder");
    node->input.n = node->attr.n = 0;
    return sl_freeze_set_type(node, "dtype", sl_dtype_base(dtype), arena, err);
}

static sl_code check_kept(const struct sl_node *node, struct sl_error *err) {
    for (int i = 0; i < node->n_inputs; i++)
        if (sl_dtype_is_ref(node->in_types[i]))
            return sl_fail(err, SL_UNIMPLEMENTED,
                           "{{node %.*s}} (%.*s) takes a variable in a way that no constant can stand for, so the "
                           "graph cannot be frozen",
                           SL_STR_ARG(node->name), SL_STR_ARG(node->op->name));
    for (int i = 0; i < node->n_outputs && !sl_op_has(node->op, SL_OP_VARIABLE); i++)
        if (node->out_types[i] == SL_RESOURCE && node->n_inputs == 0)
            return sl_fail(err, SL_UNIMPLEMENTED,
                           "{{node %.*s}} (%.*s) is a resource that is no variable, so the graph cannot be frozen",
                           SL_STR_ARG(node->name), SL_STR_ARG(node->op->name));
    return SL_OK;
}

/* Copies the nodes that are wanted, in the order they have. */
static sl_code keep_wanted(struct freeze *f, const struct sl_pb_GraphDef *def, const struct sl_port *inputs,
                           int n_inputs, struct sl_error *err) {
    for (size_t i = 0; i < def->node.n; i++) {
        struct sl_pb_NodeDef node = def->node.items[i];
        if (!sl_str_map_get(&f->wanted, node.name)) continue;
        const struct sl_node *in_graph = sl_graph_find(f->graph, node.name);
        sl_freeze_drop_attr(&node, "_class"); /* may name what is gone */
        if (is_fed(in_graph, inputs, n_inputs))
            SL_TRY(make_placeholder(&node, in_graph->out_types[0], f->freezer.arena, err));
        else SL_TRY(check_kept(in_graph, err));
        if (sl_is_variable_op(f->graph->registry, node.op)) {
            struct sl_port port = {(struct sl_node *)(uintptr_t)in_graph, 0};
            if (sl_vec_push(&f->variables, port)) return sl_fail_memory(err, sizeof port);
        }
        if (sl_vec_push(&f->kept, node)) return sl_fail_memory(err, f->kept.n * sizeof node);
    }
    return SL_OK;
}

/* ---- what variables hold */

static sl_code read_values(struct freeze *f, struct sl_error *err) {
    size_t n = f->variables.n;
    if (n == 0) return SL_OK;
    if (sl_vec_reserve(&f->values, n)) return sl_fail_memory(err, n * sizeof *f->values.items);
    SL_TRY(sl_session_read_variables(f->values.items, f->session, f->variables.items, n, err));
    f->values.n = n;
    return SL_OK;
}

/* The tensor's elements live as long as the arena. */
static sl_code to_message(struct sl_pb_TensorProto **out, const struct sl_tensor *t, struct sl_arena *arena,
                          struct sl_error *err) {
    struct sl_pb_TensorProto *proto = SL_ARENA_NEW(arena, struct sl_pb_TensorProto);
    if (!proto) return sl_fail_memory(err, sizeof *proto);
    SL_TRY(sl_tensor_to_proto(proto, t, arena, err));
    proto->tensor_content = sl_arena_str(arena, proto->tensor_content);
    for (size_t i = 0; i < proto->string_val.n; i++) {
        proto->string_val.items[i] = sl_arena_str(arena, proto->string_val.items[i]);
        if (!proto->string_val.items[i].p) return sl_fail_memory(err, t->bytes);
    }
    *out = proto;
    return proto->tensor_content.p ? SL_OK : sl_fail_memory(err, t->bytes);
}

/* Nodes of variables become constants. A reference is a tensor like others already; a handle is one from now on. */
static sl_code make_constants(struct freeze *f, struct sl_error *err) {
    struct sl_arena *arena = f->freezer.arena;
    size_t next = 0;
    for (size_t i = 0; i < f->kept.n; i++) {
        struct sl_pb_NodeDef *node = &f->kept.items[i];
        if (!sl_is_variable_op(f->graph->registry, node->op)) continue;
        const struct sl_tensor *t = f->values.items[next++];
        struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_tensor};
        if (sl_str_is(node->op, "VarHandleOp")) SL_TRY(sl_freeze_mark(&f->scope, node->name, 0, "", t->dtype, err));
        SL_TRY(to_message(&value.tensor, t, arena, err));
        node->op = SL_STR("Const");
        node->attr.n = 0;
        node->experimental_type = NULL;
        SL_TRY(sl_freeze_set_attr(node, "value", &value, arena, err));
        SL_TRY(sl_freeze_set_type(node, "dtype", t->dtype, arena, err));
    }
    return SL_OK;
}

/* ---- functions that are still called */

static sl_code use_functions(struct freeze *f, const struct sl_pb_NodeDef *nodes, size_t n, struct sl_error *err);

static sl_code use_function(struct freeze *f, struct sl_str name, struct sl_error *err) {
    const struct sl_pb_FunctionDef *function = sl_str_map_get(&f->freezer.functions, name);
    if (!function || sl_str_map_get(&f->wanted, name)) return SL_OK;
    if (sl_str_map_put(&f->wanted, name, f)) return sl_fail_memory(err, name.n);
    if (f->freezer.depth > 1000) return sl_fail(err, SL_UNIMPLEMENTED, "functions are nested too deep");
    f->freezer.depth++;
    sl_code code = use_functions(f, function->node_def.items, function->node_def.n, err);
    f->freezer.depth--;
    return code;
}

static sl_code use_functions(struct freeze *f, const struct sl_pb_NodeDef *nodes, size_t n, struct sl_error *err) {
    for (size_t i = 0; i < n; i++) {
        SL_TRY(use_function(f, nodes[i].op, err));
        for (size_t a = 0; a < nodes[i].attr.n; a++) {
            const struct sl_pb_AttrValue *value = &nodes[i].attr.items[a].value;
            if (value->which == SL_PB_AttrValue_func) SL_TRY(use_function(f, value->func->name, err));
            for (size_t k = 0; value->which == SL_PB_AttrValue_list && k < value->list->func.n; k++)
                SL_TRY(use_function(f, value->list->func.items[k].name, err));
        }
    }
    return SL_OK;
}

static sl_code make_library(struct sl_pb_GraphDef *out, struct freeze *f, const struct sl_pb_FunctionDefLibrary *old,
                            struct sl_error *err) {
    struct sl_arena *arena = f->freezer.arena;
    size_t n = (old ? old->function.n : 0) + f->freezer.made.n;
    if (n == 0) return SL_OK;
    struct sl_pb_FunctionDef **all = SL_ARENA_ARRAY(arena, struct sl_pb_FunctionDef *, n);
    out->library = SL_ARENA_NEW(arena, struct sl_pb_FunctionDefLibrary);
    if (!all || !out->library) return sl_fail_memory(err, n * sizeof *all);
    for (size_t i = 0; i < n - f->freezer.made.n; i++) all[i] = &old->function.items[i];
    for (size_t i = 0; i < f->freezer.made.n; i++) {
        all[n - 1 - i] = f->freezer.made.items[i];
        if (sl_str_map_put(&f->freezer.functions, f->freezer.made.items[i]->signature->name, f->freezer.made.items[i]))
            return sl_fail_memory(err, n);
    }
    sl_str_map_free(&f->wanted); /* names of functions from here on */
    SL_TRY(use_functions(f, out->node.items, out->node.n, err));
    out->library->function.items = SL_ARENA_ARRAY(arena, struct sl_pb_FunctionDef, n);
    if (!out->library->function.items) return sl_fail_memory(err, n * sizeof **all);
    for (size_t i = 0; i < n; i++)
        if (sl_str_map_get(&f->wanted, all[i]->signature->name))
            out->library->function.items[out->library->function.n++] = *all[i];
    return SL_OK;
}

/* ---- all of it */

static sl_code list_functions(struct freeze *f, const struct sl_pb_FunctionDefLibrary *library, struct sl_error *err) {
    for (size_t i = 0; library && i < library->function.n; i++) {
        struct sl_pb_FunctionDef *function = &library->function.items[i];
        if (function->signature && sl_str_map_put(&f->freezer.functions, function->signature->name, function))
            return sl_fail_memory(err, sizeof *function);
    }
    return SL_OK;
}

static sl_code freeze_graph(struct sl_pb_GraphDef *out, struct freeze *f, const struct sl_pb_GraphDef *def,
                            struct sl_error *err) {
    SL_TRY(read_values(f, err));
    SL_TRY(list_functions(f, def->library, err));
    SL_TRY(make_constants(f, err));
    f->scope.nodes = f->kept.items;
    f->scope.n = f->kept.n;
    SL_TRY(sl_freeze_rewrite(&f->scope, err));
    out->versions = def->versions;
    out->node.n = f->scope.n;
    out->node.items = SL_ARENA_ARRAY(f->freezer.arena, struct sl_pb_NodeDef, f->scope.n + 1);
    if (!out->node.items) return sl_fail_memory(err, f->scope.n * sizeof *out->node.items);
    if (f->scope.n) memcpy(out->node.items, f->scope.nodes, f->scope.n * sizeof *out->node.items);
    return make_library(out, f, def->library, err);
}

sl_code sl_freeze(struct sl_pb_GraphDef **out, struct sl_session *session, const struct sl_graph *graph,
                  const struct sl_port *inputs, int n_inputs, const struct sl_port *outputs, int n_outputs,
                  struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_GraphDef *def, *frozen = SL_ARENA_NEW(arena, struct sl_pb_GraphDef);
    struct freeze f = {.session = session, .graph = graph};
    if (!frozen) return sl_fail_memory(err, sizeof *frozen);
    SL_TRY(sl_graph_export(&def, graph, arena, err));
    f.freezer.arena = arena;
    f.scope.freezer = &f.freezer;
    sl_code code = find_wanted(&f, inputs, n_inputs, outputs, n_outputs, err);
    if (code == SL_OK) code = keep_wanted(&f, def, inputs, n_inputs, err);
    if (code == SL_OK) code = freeze_graph(frozen, &f, def, err);
    for (size_t i = 0; i < f.values.n; i++) sl_tensor_unref(f.values.items[i]);
    sl_vec_free(&f.values);
    sl_vec_free(&f.variables);
    sl_vec_free(&f.kept);
    sl_vec_free(&f.to_visit);
    sl_vec_free(&f.freezer.made);
    sl_str_map_free(&f.wanted);
    sl_str_map_free(&f.scope.frozen);
    sl_str_map_free(&f.scope.renamed);
    sl_str_map_free(&f.freezer.functions);
    sl_str_map_free(&f.freezer.done);
    *out = frozen;
    return code;
}
