/* Cuts a function out of a graph, by TF_GraphToFunction's rules: which nodes belong to it, what arguments, results
 * and nodes are called, how inputs are spelt, which attrs move to the signature. Written as a FunctionDef in a
 * scratch arena, which sl_function_new then copies. */
#include "base/alloc.h"
#include "graph/function_hash.h"
#include "graph/graph.h"

#include <stdlib.h>

struct cutter {
    struct sl_graph *graph;
    const struct sl_to_function *spec;
    struct sl_arena arena;
    struct sl_str_map used;      /* names taken in the function -> int: number to try next */
    struct sl_str_map arguments; /* "node:index" -> name of the argument, as a struct sl_str */
    struct sl_str *name_of;      /* by node id: what a control edge from it is called; NULL: not in the function */
    struct sl_node **body;
    size_t n_body;
    bool *in_body; /* by node id */
    struct sl_pb_FunctionDef def;
    struct sl_pb_OpDef signature;
    struct sl_error *err;
};

static void *new_array(struct cutter *c, size_t n, size_t size) {
    void *p = sl_arena_array(&c->arena, n, size);
    if (!p) sl_fail_memory(c->err, n * size);
    return p;
}

/* ---- names */

static bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

/* Lower case, '_' for what is neither letter nor digit, from the first letter on. */
static struct sl_str normal(struct cutter *c, struct sl_str name) {
    struct sl_str copy = sl_arena_str(&c->arena, name);
    if (!copy.p) return copy;
    char *p = (char *)copy.p;
    for (size_t i = 0; i < copy.n; i++) {
        if (p[i] >= 'A' && p[i] <= 'Z') p[i] = (char)(p[i] - 'A' + 'a');
        else if (!is_letter(p[i]) && (p[i] < '0' || p[i] > '9')) p[i] = '_';
    }
    while (copy.n && !is_letter(copy.p[0])) copy = (struct sl_str){copy.p + 1, copy.n - 1};
    return copy.n ? copy : SL_STR("unknown");
}

static bool take(struct cutter *c, struct sl_str name) {
    int *next = SL_ARENA_NEW(&c->arena, int);
    return next && sl_str_map_put(&c->used, name, next) == 0;
}

/* The name itself, or with the first of _0, _1, ... that makes it new. NULL when memory is out. */
static struct sl_str fresh(struct cutter *c, struct sl_str name) {
    int *next = sl_str_map_get(&c->used, name);
    struct sl_str out = name;
    while (out.p && sl_str_map_get(&c->used, out))
        out = sl_str_of(sl_arena_format(&c->arena, "%.*s_%d", SL_STR_ARG(name), (*next)++));
    if (!out.p || !take(c, out)) sl_fail_memory(c->err, name.n);
    return out;
}

/* ---- checks of the call */
static sl_code check_port(struct cutter *c, struct sl_port port, const char *where, int i, const char *from) {
    struct sl_str name = c->spec->name;
    if (!port.node || port.node->graph != c->graph || port.node->is_removed)
        return sl_fail(c->err, SL_INVALID_ARGUMENT,
                       "Node is null or of another graph\n\tEncountered while processing %s %d %s function '%.*s'",
                       where, i, from, SL_STR_ARG(name));
    if (port.index < 0 || port.index >= port.node->n_outputs)
        return sl_fail(c->err, SL_OUT_OF_RANGE,
                       "Node '%.*s' (type: '%.*s', num of outputs: %d) does not have output %d\n\tEncountered while "
                       "processing %s %d %s function '%.*s'",
                       SL_STR_ARG(port.node->name), SL_STR_ARG(port.node->op->name), port.node->n_outputs, port.index,
                       where, i, from, SL_STR_ARG(name));
    return SL_OK;
}

static struct sl_str port_key(struct cutter *c, struct sl_port port) {
    return sl_str_of(sl_arena_format(&c->arena, "%.*s:%d", SL_STR_ARG(port.node->name), port.index));
}

/* The body: what the caller lists, or all nodes but those whose outputs are arguments. */
static sl_code find_body(struct cutter *c) {
    const struct sl_to_function *spec = c->spec;
    size_t n = spec->body ? (size_t)spec->n_body : c->graph->live;
    bool *is_argument = new_array(c, c->graph->nodes.n, sizeof *is_argument);
    c->in_body = new_array(c, c->graph->nodes.n, sizeof *c->in_body);
    c->name_of = new_array(c, c->graph->nodes.n, sizeof *c->name_of);
    c->body = new_array(c, n, sizeof(struct sl_node *));
    if (!is_argument || !c->in_body || !c->name_of || !c->body) return SL_RESOURCE_EXHAUSTED;
    for (int i = 0; i < spec->n_inputs; i++) is_argument[spec->inputs[i].node->id] = true;
    for (size_t i = 0; spec->body && i < n; i++) {
        struct sl_node *node = spec->body[i];
        if (!c->in_body[node->id]) c->body[c->n_body++] = node;
        c->in_body[node->id] = true;
    }
    if (spec->body) return SL_OK;
    SL_GRAPH_EACH(node, c->graph) {
        if (is_argument[node->id] && node->n_outputs != 1)
            return sl_fail(
                c->err, SL_INVALID_ARGUMENT,
                "When `num_opers` is set to -1, nodes referenced in `inputs` must have a single output. Node "
                "%.*s has %d outputs. Encountered while creating function '%.*s'",
                SL_STR_ARG(node->name), node->n_outputs, SL_STR_ARG(spec->name));
        if (is_argument[node->id]) continue;
        c->body[c->n_body++] = node;
        c->in_body[node->id] = true;
    }
    return SL_OK;
}

static sl_code check_call(struct cutter *c) {
    const struct sl_to_function *spec = c->spec;
    for (int i = 0; i < spec->n_inputs; i++) {
        SL_TRY(check_port(c, spec->inputs[i], "input", i, "into"));
        struct sl_str key = port_key(c, spec->inputs[i]), *name = new_array(c, 1, sizeof *name);
        if (!key.p || !name) return sl_fail_memory(c->err, sizeof(struct sl_str));
        if (sl_str_map_get(&c->arguments, key))
            return sl_fail(c->err, SL_INVALID_ARGUMENT, "TF_Output %.*s appears more than once in the input list",
                           SL_STR_ARG(key));
        if (sl_str_map_put(&c->arguments, key, name)) return sl_fail_memory(c->err, sizeof(struct sl_str_map_entry));
    }
    for (int i = 0; i < spec->n_outputs; i++) SL_TRY(check_port(c, spec->outputs[i], "output", i, "from"));
    return find_body(c);
}

/* ---- signature */
static sl_code write_outputs(struct cutter *c) {
    const struct sl_to_function *spec = c->spec;
    struct sl_pb_OpDef_ArgDef *args = new_array(c, (size_t)spec->n_outputs, sizeof *args);
    if (!args) return SL_RESOURCE_EXHAUSTED;
    for (int i = 0; i < spec->n_outputs; i++) {
        struct sl_port port = spec->outputs[i];
        args[i].type = port.node->out_types[port.index];
        if (spec->output_names) {
            args[i].name = spec->output_names[i];
            if (sl_str_map_get(&c->used, args[i].name))
                return sl_fail(c->err, SL_INVALID_ARGUMENT,
                               "Cannot have duplicate output names. Name '%.*s' appears more than once in "
                               "'output_names' array.",
                               SL_STR_ARG(args[i].name));
            if (!take(c, args[i].name)) return sl_fail_memory(c->err, sizeof(struct sl_str));
        } else {
            args[i].name = normal(c, port.node->name);
            if (args[i].name.p) args[i].name = fresh(c, args[i].name);
            if (!args[i].name.p) return SL_RESOURCE_EXHAUSTED;
        }
    }
    c->signature.output_arg = (struct sl_pb_array_OpDef_ArgDef){args, (size_t)spec->n_outputs};
    return SL_OK;
}

/* The attr _output_shapes that keeps what is known of an argument's shape, or NULL. */
static sl_code known_shape(struct sl_pb_AttrValue *out, struct cutter *c, const struct sl_attr *attr, int type) {
    const struct sl_pb_TensorShapeProto *shape = NULL;
    *out = (struct sl_pb_AttrValue){0};
    if (sl_str_is(attr->name, "shape") && attr->value->which == SL_PB_AttrValue_shape && type != SL_RESOURCE)
        shape = attr->value->shape;
    if (sl_str_is(attr->name, "value") && attr->value->which == SL_PB_AttrValue_tensor)
        shape = attr->value->tensor->tensor_shape;
    if (!shape) return SL_OK;
    struct sl_pb_AttrValue_ListValue *list = new_array(c, 1, sizeof *list);
    struct sl_pb_TensorShapeProto *copy = new_array(c, 1, sizeof *copy);
    if (!list || !copy) return SL_RESOURCE_EXHAUSTED;
    *copy = *shape;
    list->shape = (struct sl_pb_array_TensorShapeProto){copy, 1};
    out->which = SL_PB_AttrValue_list;
    out->list = list;
    return SL_OK;
}

static sl_code write_arg_attrs(struct cutter *c, uint32_t arg, const struct sl_node *node, int type) {
    struct sl_pb_entry_string_AttrValue *items = new_array(c, (size_t)node->attrs.n, sizeof *items);
    if (!items) return SL_RESOURCE_EXHAUSTED;
    size_t n = 0;
    for (int i = 0; i < node->attrs.n; i++) {
        const struct sl_attr *attr = &node->attrs.items[i];
        struct sl_pb_AttrValue value;
        SL_TRY(known_shape(&value, c, attr, type));
        if (value.which) {
            items[n].key = SL_STR("_output_shapes");
            items[n++].value = value;
        }
        if (!sl_str_starts(attr->name, SL_STR("_"))) continue;
        items[n].key = attr->name;
        items[n++].value = *attr->value;
        if (!sl_str_is(attr->name, "_resource_arg_unique_id")) continue;
        struct sl_pb_map_uint32_uint32 *ids = &c->def.resource_arg_unique_id;
        ids->items[ids->n].key = arg;
        ids->items[ids->n++].value = (uint32_t)attr->value->i;
    }
    if (!n) return SL_OK;
    struct sl_pb_map_uint32_FunctionDef_ArgAttrs *map = &c->def.arg_attr;
    map->items[map->n].key = arg;
    map->items[map->n++].value.attr = (struct sl_pb_map_string_AttrValue){items, n};
    return SL_OK;
}

static sl_code write_inputs(struct cutter *c) {
    size_t n = (size_t)c->spec->n_inputs;
    struct sl_pb_OpDef_ArgDef *args = new_array(c, n, sizeof *args);
    c->def.arg_attr.items = new_array(c, n, sizeof *c->def.arg_attr.items);
    c->def.resource_arg_unique_id.items = new_array(c, n, sizeof *c->def.resource_arg_unique_id.items);
    if (!args || !c->def.arg_attr.items || !c->def.resource_arg_unique_id.items) return SL_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < n; i++) {
        struct sl_port port = c->spec->inputs[i];
        args[i].type = port.node->out_types[port.index];
        args[i].name = normal(c, port.node->name);
        if (args[i].name.p) args[i].name = fresh(c, args[i].name);
        struct sl_str key = port_key(c, port);
        if (!args[i].name.p || !key.p) return sl_fail_memory(c->err, sizeof(struct sl_str));
        *(struct sl_str *)sl_str_map_get(&c->arguments, key) = args[i].name;
        c->name_of[port.node->id] = args[i].name;
        SL_TRY(write_arg_attrs(c, (uint32_t)i, port.node, args[i].type));
    }
    c->signature.input_arg = (struct sl_pb_array_OpDef_ArgDef){args, n};
    return SL_OK;
}

/* ---- body */

/* What an output is called in the function: an argument, or "node:arg:number"; `.n` 0 when it is in neither. */
static sl_code port_name(struct sl_str *out, struct cutter *c, struct sl_port port) {
    const struct sl_node *node = port.node;
    struct sl_str key = port_key(c, port);
    if (!key.p) return sl_fail_memory(c->err, sizeof(struct sl_str));
    const struct sl_str *argument = sl_str_map_get(&c->arguments, key);
    *out = argument ? *argument : SL_STR("");
    if (argument || !c->in_body[node->id]) return SL_OK;
    for (int i = 0; i < node->op->n_outputs; i++) {
        int first, n;
        sl_op_output_range(&first, &n, node->op, i, &node->attrs);
        if (port.index < first || port.index >= first + n) continue;
        *out = sl_str_of(sl_arena_format(&c->arena, "%.*s:%.*s:%d", SL_STR_ARG(c->name_of[node->id]),
                                         SL_STR_ARG(node->op->outputs[i].name), port.index - first));
        return out->p ? SL_OK : sl_fail_memory(c->err, sizeof(struct sl_str));
    }
    return SL_OK;
}

/* The number TensorFlow would give the control edge: edges are counted as nodes are made, after the one from source to
 * sink. */
static int edge_number(const struct cutter *c, const struct sl_node *to, int control) {
    int number = 1;
    for (uint32_t id = 0; id < to->id; id++) {
        const struct sl_node *node = c->graph->nodes.items[id];
        if (!node->is_removed) number += node->n_inputs + node->n_controls;
    }
    return number + to->n_inputs + control;
}

static int by_node_name(const void *a, const void *b) {
    return sl_str_cmp((*(struct sl_node *const *)a)->name, (*(struct sl_node *const *)b)->name);
}

static sl_code write_node_inputs(struct sl_pb_array_str *out, struct cutter *c, const struct sl_node *node) {
    struct sl_str function = c->spec->name;
    size_t n_controls = (size_t)node->n_controls;
    struct sl_node **controls = new_array(c, n_controls, sizeof(struct sl_node *));
    out->items = new_array(c, (size_t)node->n_inputs + n_controls, sizeof *out->items);
    if (!out->items || !controls) return SL_RESOURCE_EXHAUSTED;
    for (int i = 0; i < node->n_inputs; i++) {
        struct sl_port from = node->inputs[i];
        struct sl_str name = SL_STR("");
        if (!from.node)
            return sl_fail(
                c->err, SL_INVALID_ARGUMENT,
                "Graph to be converted to function appears to be malformed. Node %.*s is missing input edge %d",
                SL_STR_ARG(node->name), i);
        SL_TRY(port_name(&name, c, from));
        if (!name.n)
            return sl_fail(c->err, SL_INVALID_ARGUMENT,
                           "Input %d, '%.*s:%d', of node '%.*s' in function '%.*s' is not available. You might need to "
                           "include it in inputs or include its source node in the body",
                           i, SL_STR_ARG(from.node->name), from.index, SL_STR_ARG(node->name), SL_STR_ARG(function));
        out->items[out->n++] = name;
    }
    if (n_controls) memcpy(controls, node->controls, n_controls * sizeof(struct sl_node *));
    if (n_controls) qsort(controls, n_controls, sizeof(struct sl_node *), by_node_name);
    for (size_t i = 0; i < n_controls; i++) {
        struct sl_str name = c->name_of[controls[i]->id];
        if (!name.p)
            return sl_fail(
                c->err, SL_INVALID_ARGUMENT,
                "The source of control edge [id=%d %.*s:-1 -> %.*s:-1] is not in the body. Encountered while "
                "creating function '%.*s'",
                edge_number(c, node, (int)i), SL_STR_ARG(controls[i]->name), SL_STR_ARG(node->name),
                SL_STR_ARG(function));
        out->items[out->n] = sl_str_of(sl_arena_format(&c->arena, "^%.*s", SL_STR_ARG(name)));
        if (!out->items[out->n++].p) return sl_fail_memory(c->err, sizeof(struct sl_str));
    }
    return SL_OK;
}

static bool is_declared(const struct sl_pb_array_OpDef_AttrDef *attrs, struct sl_str name) {
    for (size_t i = 0; i < attrs->n; i++)
        if (sl_str_eq(attrs->items[i].name, name)) return true;
    return false;
}

/* Attrs whose values are open become attrs of the function, by name. */
static sl_code declare_placeholders(struct cutter *c, const struct sl_op *op, const struct sl_pb_NodeDef *def) {
    struct sl_pb_array_OpDef_AttrDef *declared = &c->signature.attr;
    for (size_t i = 0; i < def->attr.n; i++) {
        const struct sl_pb_entry_string_AttrValue *attr = &def->attr.items[i];
        if (attr->value.which != SL_PB_AttrValue_placeholder) continue;
        if (is_declared(declared, attr->value.placeholder)) continue;
        int at = sl_op_attr_index(op, attr->key);
        if (at < 0)
            return sl_fail(
                c->err, SL_UNIMPLEMENTED,
                "Placeholder value is not supported for attributes not in OpDef. Attribute: %.*s, OpDef: %.*s",
                SL_STR_ARG(attr->key), SL_STR_ARG(op->name));
        struct sl_pb_OpDef_AttrDef *more = new_array(c, declared->n + 1, sizeof *more);
        if (!more) return SL_RESOURCE_EXHAUSTED;
        if (declared->n) memcpy(more, declared->items, declared->n * sizeof *more);
        more[declared->n].name = attr->value.placeholder;
        more[declared->n].type = sl_str_of(sl_attr_kind_name(op->attrs[at].kind, op->attrs[at].is_list));
        *declared = (struct sl_pb_array_OpDef_AttrDef){more, declared->n + 1};
    }
    return SL_OK;
}

static sl_code write_body(struct cutter *c) {
    struct sl_pb_NodeDef *defs = new_array(c, c->n_body, sizeof *defs);
    if (!defs) return SL_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < c->n_body; i++) {
        c->name_of[c->body[i]->id] = fresh(c, c->body[i]->name);
        if (!c->name_of[c->body[i]->id].p) return SL_RESOURCE_EXHAUSTED;
    }
    for (size_t i = 0; i < c->n_body; i++) {
        const struct sl_node *node = c->body[i];
        SL_TRY(sl_node_export(&defs[i], node, &c->arena, c->err));
        if (node->assigned.n) defs[i].device = node->assigned;
        defs[i].name = c->name_of[node->id];
        defs[i].input = (struct sl_pb_array_str){0};
        SL_TRY(write_node_inputs(&defs[i].input, c, node));
        c->signature.is_stateful |= sl_op_is_stateful(node->op);
        SL_TRY(declare_placeholders(c, node->op, &defs[i]));
    }
    c->def.node_def = (struct sl_pb_array_NodeDef){defs, c->n_body};
    return SL_OK;
}

/* ---- results */
static sl_code write_results(struct cutter *c) {
    size_t n = (size_t)c->spec->n_outputs;
    struct sl_pb_map_string_string *ret = &c->def.ret;
    ret->items = new_array(c, n, sizeof *ret->items);
    if (!ret->items) return SL_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < n; i++) {
        struct sl_port port = c->spec->outputs[i];
        ret->items[i].key = c->signature.output_arg.items[i].name;
        SL_TRY(port_name(&ret->items[i].value, c, port));
        if (!ret->items[i].value.n)
            return sl_fail(c->err, SL_INVALID_ARGUMENT,
                           "TF_Output %.*s:%d is neither in the function body nor among function inputs. Encountered "
                           "while creating function '%.*s'",
                           SL_STR_ARG(port.node->name), port.index, SL_STR_ARG(c->spec->name));
    }
    ret->n = n;
    return SL_OK;
}

static int by_text(const void *a, const void *b) {
    return sl_str_cmp(*(const struct sl_str *)a, *(const struct sl_str *)b);
}

static sl_code write_control_results(struct cutter *c) {
    const struct sl_to_function *spec = c->spec;
    size_t n = (size_t)spec->n_control_outputs;
    struct sl_pb_map_string_string *ret = &c->def.control_ret;
    struct sl_str *names = new_array(c, n, sizeof *names);
    ret->items = new_array(c, n, sizeof *ret->items);
    if (!names || !ret->items) return SL_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < n; i++) {
        struct sl_node *node = spec->control_outputs[i];
        names[i] = spec->control_output_names ? spec->control_output_names[i] : node->name;
        if (!names[i].n) return sl_fail(c->err, SL_INVALID_ARGUMENT, "Control output name must be not empty");
        if (!c->name_of[node->id].p)
            return sl_fail(c->err, SL_INVALID_ARGUMENT, "Control output node name must be not empty");
        ret->items[i].key = names[i];
        ret->items[i].value = c->name_of[node->id];
    }
    ret->n = n;
    if (n) qsort(names, n, sizeof *names, by_text);
    for (size_t i = 1; i < n; i++)
        if (sl_str_eq(names[i], names[i - 1]))
            return sl_fail(c->err, SL_INVALID_ARGUMENT, "Repeated control output name: %.*s", SL_STR_ARG(names[i]));
    c->signature.control_output = (struct sl_pb_array_str){names, n};
    return SL_OK;
}

static sl_code write_name(struct cutter *c) {
    c->signature.name = c->spec->name;
    if (!c->spec->append_hash) return SL_OK;
    char suffix[SL_FUNCTION_SUFFIX];
    c->signature.name = SL_STR("");
    SL_TRY(sl_function_suffix(suffix, &c->def, &c->arena, c->err));
    c->signature.name = sl_str_of(sl_arena_format(&c->arena, "%.*s_%s", SL_STR_ARG(c->spec->name), suffix));
    return c->signature.name.p ? SL_OK : sl_fail_memory(c->err, c->spec->name.n);
}

static sl_code cut(struct cutter *c) {
    SL_TRY(check_call(c));
    c->def.signature = &c->signature;
    c->signature.description = c->spec->description;
    SL_TRY(write_outputs(c));
    SL_TRY(write_inputs(c));
    SL_TRY(write_body(c));
    SL_TRY(write_results(c));
    SL_TRY(write_control_results(c));
    return write_name(c);
}

sl_code sl_graph_to_function(struct sl_function_def **out, struct sl_graph *graph, const struct sl_to_function *spec,
                             struct sl_error *err) {
    struct cutter c = {.graph = graph, .spec = spec, .err = err};
    sl_arena_init(&c.arena);
    sl_code code = cut(&c);
    if (code == SL_OK) code = sl_function_new(out, &c.def, err);
    sl_str_map_free(&c.used);
    sl_str_map_free(&c.arguments);
    sl_arena_clear(&c.arena);
    return code;
}
