/* Bodies of functions: a FunctionDef with its attrs bound is written out as a GraphDef and imported.
 *
 * In a FunctionDef inputs are spelt otherwise than in a GraphDef: "x" and "x:1" are an argument, whole or one of its
 * tensors; "n:y" and "n:y:1" output argument y of node n, whole or one of its tensors; "^n" is as usual. */
#include "base/alloc.h"
#include "graph/infer.h"

struct writer {
    const struct sl_function_def *f;
    const struct sl_graph *library;
    const struct sl_attrs *attrs;  /* of the call */
    struct sl_attrs bound;         /* of the signature */
    struct sl_signature signature; /* types of the arguments and results */
    struct sl_arena arena;
    struct sl_str_map arguments; /* name -> position in the signature + 1 */
    struct sl_str_map nodes;     /* name -> its NodeDef in the function */
    struct sl_str_map taken;     /* names given to nodes of the body */
    struct sl_pb_GraphDef graph;
    struct sl_str *names; /* of arguments, then results, then control results */
    struct sl_error *err;
};

static void *new_array(struct writer *w, size_t n, size_t size) {
    void *p = sl_arena_array(&w->arena, n, size);
    if (!p) sl_fail_memory(w->err, n * size);
    return p;
}

static struct sl_str format(struct writer *w, const char *text) {
    if (!text) sl_fail_memory(w->err, sizeof(struct sl_str));
    (void)w;
    return sl_str_of(text);
}

/* A name for a node that the FunctionDef has not named: "x", or "x_1" when that is taken. */
static struct sl_str free_name(struct writer *w, struct sl_str wanted) {
    struct sl_str name = wanted;
    for (int i = 1; sl_str_map_get(&w->taken, name) || sl_str_map_get(&w->nodes, name); i++) {
        name = format(w, sl_arena_format(&w->arena, "%.*s_%d", SL_STR_ARG(wanted), i));
        if (!name.p) return name;
    }
    return sl_str_map_put(&w->taken, name, w) ? format(w, NULL) : name;
}

/* ---- attrs */
static const struct sl_pb_AttrValue *value_of(const struct writer *w, struct sl_str placeholder) {
    const struct sl_pb_AttrValue *value = sl_attr_find(w->attrs, placeholder);
    return value ? value : sl_attr_find(&w->bound, placeholder);
}

static sl_code bind_map(struct sl_pb_map_string_AttrValue *map, struct writer *w, int depth);

static sl_code bind_func(struct sl_pb_NameAttrList *out, struct writer *w, const struct sl_pb_NameAttrList *func,
                         int depth) {
    *out = *func;
    return bind_map(&out->attr, w, depth + 1);
}

static bool has_placeholders(const struct sl_pb_map_string_AttrValue *map) {
    for (size_t i = 0; i < map->n; i++) {
        const struct sl_pb_AttrValue *v = &map->items[i].value;
        if (v->which == SL_PB_AttrValue_placeholder || v->which == SL_PB_AttrValue_func ||
            (v->which == SL_PB_AttrValue_list && v->list->func.n))
            return true;
    }
    return false;
}

static sl_code bind_value(struct sl_pb_AttrValue *value, struct writer *w, struct sl_str name, int depth) {
    if (value->which == SL_PB_AttrValue_placeholder) {
        const struct sl_pb_AttrValue *known = value_of(w, value->placeholder);
        if (!known)
            return sl_fail(w->err, SL_INVALID_ARGUMENT,
                           "Failed to bind all placeholders in attr '%.*s' of function '%.*s'", SL_STR_ARG(name),
                           SL_STR_ARG(w->f->name));
        *value = *known;
    } else if (value->which == SL_PB_AttrValue_func) {
        struct sl_pb_NameAttrList *func = new_array(w, 1, sizeof *func);
        if (!func) return SL_RESOURCE_EXHAUSTED;
        SL_TRY(bind_func(func, w, value->func, depth));
        value->func = func;
    } else if (value->which == SL_PB_AttrValue_list && value->list->func.n) {
        struct sl_pb_AttrValue_ListValue *list = new_array(w, 1, sizeof *list);
        struct sl_pb_NameAttrList *funcs = new_array(w, value->list->func.n, sizeof *funcs);
        if (!list || !funcs) return SL_RESOURCE_EXHAUSTED;
        for (size_t i = 0; i < value->list->func.n; i++)
            SL_TRY(bind_func(&funcs[i], w, &value->list->func.items[i], depth));
        *list = *value->list;
        list->func.items = funcs;
        value->list = list;
    }
    return SL_OK;
}

/* Replaces placeholders, in functions within too. The map is copied only when there is something to replace. */
static sl_code bind_map(struct sl_pb_map_string_AttrValue *map, struct writer *w, int depth) {
    enum { MOST_DEPTH = 64 };
    if (!has_placeholders(map)) return SL_OK;
    if (depth > MOST_DEPTH)
        return sl_fail(w->err, SL_INVALID_ARGUMENT, "Attrs of function '%.*s' are nested too deep",
                       SL_STR_ARG(w->f->name));
    struct sl_pb_entry_string_AttrValue *items = new_array(w, map->n, sizeof *items);
    if (!items) return SL_RESOURCE_EXHAUSTED;
    memcpy(items, map->items, map->n * sizeof *items);
    map->items = items;
    for (size_t i = 0; i < map->n; i++) SL_TRY(bind_value(&items[i].value, w, items[i].key, depth));
    return SL_OK;
}

/* ---- inputs */
struct inputs {
    struct sl_pb_array_str names;
    size_t cap;
};

static sl_code push_input(struct inputs *inputs, struct writer *w, const char *text) {
    struct sl_str name = format(w, text);
    if (!name.p) return SL_RESOURCE_EXHAUSTED;
    if (inputs->names.n == inputs->cap) {
        size_t cap = inputs->cap ? inputs->cap * 2 : 4;
        struct sl_str *more = new_array(w, cap, sizeof *more);
        if (!more) return SL_RESOURCE_EXHAUSTED;
        if (inputs->names.n) memcpy(more, inputs->names.items, inputs->names.n * sizeof *more);
        inputs->names.items = more;
        inputs->cap = cap;
    }
    inputs->names.items[inputs->names.n++] = name;
    return SL_OK;
}

/* "a:b:c" -> the parts; those that are not there are empty. */
static int split(struct sl_str parts[3], struct sl_str text) {
    int n = 0;
    while (n < 2) {
        const char *colon = text.n ? memchr(text.p, ':', text.n) : NULL;
        if (!colon) break;
        size_t at = (size_t)(colon - text.p);
        parts[n++] = (struct sl_str){text.p, at};
        text = (struct sl_str){colon + 1, text.n - at - 1};
    }
    parts[n++] = text;
    return n;
}

static bool number(int *out, struct sl_str text) {
    *out = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9' || *out > 1000000) return false;
        *out = *out * 10 + (text.p[i] - '0');
    }
    return text.n > 0;
}

static sl_code fail_input(struct writer *w, struct sl_str input, struct sl_str reader) {
    return sl_fail(w->err, SL_INVALID_ARGUMENT, "input %.*s is not found: {{function_node %.*s}} {{node %.*s}}",
                   SL_STR_ARG(input), SL_STR_ARG(w->f->name), SL_STR_ARG(reader));
}

/* First output and number of outputs of an output argument. */
static sl_code output_range(int *first, int *n, struct writer *w, const struct sl_pb_NodeDef *def, struct sl_str arg,
                            bool *is_there) {
    const struct sl_op *op;
    SL_TRY(sl_graph_find_op(&op, w->library, def->op, w->err));
    *is_there = false;
    for (int i = 0; i < op->n_outputs; i++) {
        if (!sl_str_eq(op->outputs[i].name, arg)) continue;
        *is_there = true;
        *first = i;
        *n = 1;
        if (!op->has_lists) return SL_OK;
        struct sl_pb_map_string_AttrValue map = def->attr;
        struct sl_attrs given, bound;
        SL_TRY(bind_map(&map, w, 0));
        SL_TRY(sl_attrs_of_map(&given, &w->arena, &map, w->err));
        SL_TRY(sl_attrs_bind(&bound, &w->arena, op, &given, def->name, w->err));
        sl_op_output_range(first, n, op, i, &bound);
        return SL_OK;
    }
    return SL_OK;
}

/* Appends what an input of the FunctionDef's spelling stands for. */
static sl_code write_input(struct inputs *inputs, struct writer *w, struct sl_str input, struct sl_str reader) {
    struct sl_str parts[3];
    int n_parts = split(parts, input), first, n, one = 0;
    size_t argument = (size_t)(uintptr_t)sl_str_map_get(&w->arguments, parts[0]);
    if (argument && (n_parts == 1 || (n_parts == 2 && number(&one, parts[1])))) {
        sl_op_input_range(&first, &n, &w->f->op, (int)argument - 1, &w->bound);
        if (n_parts == 2 && one >= n) return fail_input(w, input, reader);
        for (int i = n_parts == 2 ? one : 0; i < (n_parts == 2 ? one + 1 : n); i++)
            SL_TRY(push_input(inputs, w, w->names[first + i].p));
        return SL_OK;
    }
    const struct sl_pb_NodeDef *def = sl_str_map_get(&w->nodes, parts[0]);
    bool is_there = false;
    if (def && n_parts > 1) SL_TRY(output_range(&first, &n, w, def, parts[1], &is_there));
    if (!is_there || (n_parts == 3 && (!number(&one, parts[2]) || one >= n))) return fail_input(w, input, reader);
    for (int i = n_parts == 3 ? one : 0; i < (n_parts == 3 ? one + 1 : n); i++)
        SL_TRY(push_input(inputs, w, sl_arena_format(&w->arena, "%.*s:%d", SL_STR_ARG(def->name), first + i)));
    return SL_OK;
}

static sl_code write_control(struct inputs *inputs, struct writer *w, struct sl_str input, struct sl_str reader) {
    struct sl_str name = {input.p + 1, input.n - 1};
    size_t argument = (size_t)(uintptr_t)sl_str_map_get(&w->arguments, name);
    int first, n;
    if (argument) {
        sl_op_input_range(&first, &n, &w->f->op, (int)argument - 1, &w->bound);
        if (n == 0) return fail_input(w, input, reader);
        name = w->names[first];
    } else if (!sl_str_map_get(&w->nodes, name)) {
        return fail_input(w, input, reader);
    }
    return push_input(inputs, w, sl_arena_format(&w->arena, "^%.*s", SL_STR_ARG(name)));
}

/* ---- nodes */
static struct sl_pb_NodeDef *new_node(struct writer *w, struct sl_str name, const char *op, int type, int index,
                                      size_t more_attrs) {
    struct sl_pb_NodeDef *def = &w->graph.node.items[w->graph.node.n++];
    struct sl_pb_entry_string_AttrValue *attrs = new_array(w, 2 + more_attrs, sizeof *attrs);
    if (!attrs) return NULL;
    attrs[0].key = SL_STR("T");
    attrs[0].value.which = SL_PB_AttrValue_type;
    attrs[0].value.type = type;
    attrs[1].key = SL_STR("index");
    attrs[1].value.which = SL_PB_AttrValue_i;
    attrs[1].value.i = index;
    def->name = name;
    def->op = sl_str_of(op);
    def->attr.items = attrs;
    def->attr.n = 2;
    return def;
}

static const struct sl_pb_FunctionDef_ArgAttrs *arg_attrs(const struct sl_pb_FunctionDef *def, uint32_t arg) {
    for (size_t i = 0; i < def->arg_attr.n; i++)
        if (def->arg_attr.items[i].key == arg) return &def->arg_attr.items[i].value;
    return NULL;
}

static sl_code write_argument(struct writer *w, int arg) {
    const struct sl_op *op = &w->f->op;
    const struct sl_pb_FunctionDef *def = w->f->def;
    const struct sl_pb_FunctionDef_ArgAttrs *more = arg_attrs(def, (uint32_t)arg);
    int first, n;
    sl_op_input_range(&first, &n, op, arg, &w->bound);
    for (int i = 0; i < n; i++) {
        struct sl_str wanted = op->inputs[arg].name.n ? op->inputs[arg].name : SL_STR("");
        if (n > 1) wanted = format(w, sl_arena_format(&w->arena, "%.*s_%d", SL_STR_ARG(wanted), i));
        struct sl_str name = wanted.p ? free_name(w, wanted) : wanted;
        if (!name.p) return SL_RESOURCE_EXHAUSTED;
        name = format(w, sl_arena_str(&w->arena, name).p); /* ended by a NUL, for write_input */
        struct sl_pb_NodeDef *node =
            new_node(w, name, "_Arg", w->signature.inputs[first + i], first + i, (more ? more->attr.n : 0) + 1);
        if (!node) return SL_RESOURCE_EXHAUSTED;
        for (size_t k = 0; more && k < more->attr.n; k++) node->attr.items[node->attr.n++] = more->attr.items[k];
        for (size_t k = 0; k < def->resource_arg_unique_id.n; k++) {
            if (def->resource_arg_unique_id.items[k].key != (uint32_t)arg) continue;
            struct sl_pb_entry_string_AttrValue *id = &node->attr.items[node->attr.n++];
            id->key = SL_STR("_resource_arg_unique_id");
            id->value.which = SL_PB_AttrValue_i;
            id->value.i = def->resource_arg_unique_id.items[k].value;
            break;
        }
        w->names[first + i] = name;
    }
    return SL_OK;
}

static sl_code write_node(struct writer *w, const struct sl_pb_NodeDef *def) {
    struct sl_pb_NodeDef *node = &w->graph.node.items[w->graph.node.n++];
    struct inputs inputs = {0};
    const struct sl_op *op;
    SL_TRY(sl_graph_find_op(&op, w->library, def->op, w->err)); /* this first, whatever else is wrong */
    *node = *def;
    for (size_t i = 0; i < def->input.n; i++) {
        struct sl_str input = def->input.items[i];
        if (input.n && input.p[0] == '^') SL_TRY(write_control(&inputs, w, input, def->name));
        else SL_TRY(write_input(&inputs, w, input, def->name));
    }
    node->input = inputs.names;
    return bind_map(&node->attr, w, 0);
}

static const struct sl_str *find_in(const struct sl_pb_map_string_string *map, struct sl_str name) {
    for (size_t i = 0; i < map->n; i++)
        if (sl_str_eq(map->items[i].key, name)) return &map->items[i].value;
    return NULL;
}

/* As the signature says it: "float", or the attr that tells. */
static struct sl_str output_type(const struct sl_op *op, int arg) {
    const struct sl_op_arg *output = &op->outputs[arg];
    int attr = output->type_attr >= 0 ? output->type_attr : output->type_list_attr;
    return attr < 0 ? sl_str_of(sl_dtype_name(output->type)) : op->attrs[attr].name;
}

static sl_code write_result(struct writer *w, int arg) {
    const struct sl_op *op = &w->f->op;
    struct sl_str name = op->outputs[arg].name;
    const struct sl_str *from = find_in(&w->f->def->ret, name);
    struct inputs inputs = {0};
    int first, n;
    if (!from) return sl_fail(w->err, SL_INVALID_ARGUMENT, "Return %.*s missing.", SL_STR_ARG(name));
    if (write_input(&inputs, w, *from, name))
        return sl_fail(w->err, SL_INVALID_ARGUMENT, "Return %.*s -> %.*s is not found.\n\tIn function output %.*s:%.*s",
                       SL_STR_ARG(name), SL_STR_ARG(*from), SL_STR_ARG(name), SL_STR_ARG(output_type(op, arg)));
    sl_op_output_range(&first, &n, op, arg, &w->bound);
    if ((size_t)n != inputs.names.n)
        return sl_fail(w->err, SL_INVALID_ARGUMENT, "Invalid ret types %.*s : %d vs. %zu", SL_STR_ARG(name), n,
                       inputs.names.n);
    for (int i = 0; i < n; i++) {
        struct sl_str wanted = format(w, n > 1 ? sl_arena_format(&w->arena, "%.*s_RetVal_%d", SL_STR_ARG(name), i)
                                               : sl_arena_format(&w->arena, "%.*s_RetVal", SL_STR_ARG(name)));
        struct sl_str own = wanted.p ? free_name(w, wanted) : wanted;
        if (!own.p) return SL_RESOURCE_EXHAUSTED;
        struct sl_pb_NodeDef *node = new_node(w, own, "_Retval", w->signature.outputs[first + i], first + i, 0);
        if (!node) return SL_RESOURCE_EXHAUSTED;
        node->input = (struct sl_pb_array_str){&inputs.names.items[i], 1};
        w->names[w->signature.n_inputs + first + i] = own;
    }
    return SL_OK;
}

/* ---- the whole */
static sl_code index_names(struct writer *w) {
    const struct sl_op *op = &w->f->op;
    const struct sl_pb_FunctionDef *def = w->f->def;
    for (int i = 0; i < op->n_inputs; i++)
        if (sl_str_map_put(&w->arguments, op->inputs[i].name, (void *)(uintptr_t)(i + 1)))
            return sl_fail_memory(w->err, sizeof(struct sl_str_map_entry));
    for (size_t i = 0; i < def->node_def.n; i++)
        if (sl_str_map_put(&w->nodes, def->node_def.items[i].name, &def->node_def.items[i]))
            return sl_fail_memory(w->err, sizeof(struct sl_str));
    return SL_OK;
}

/* A function whose types are left open has to be told them. */
static sl_code check_types(struct writer *w, const struct sl_attrs *given) {
    const struct sl_op *op = &w->f->op;
    for (int a = 0; a < op->n_attrs; a++)
        if (op->attrs[a].kind == SL_ATTR_TYPE && !op->attrs[a].default_value && !sl_attr_find(given, op->attrs[a].name))
            return sl_fail(w->err, SL_NOT_FOUND, "type attr not found: %.*s of function %.*s",
                           SL_STR_ARG(op->attrs[a].name), SL_STR_ARG(w->f->name));
    return SL_OK;
}

static sl_code write(struct writer *w) {
    const struct sl_op *op = &w->f->op;
    const struct sl_pb_FunctionDef *def = w->f->def;
    struct sl_attrs declared = {0};
    const struct sl_attrs *given = w->attrs ? w->attrs : &declared;
    SL_TRY(check_types(w, given));
    SL_TRY(sl_attrs_bind(&w->bound, &w->arena, op, given, w->f->name, w->err));
    SL_TRY(sl_op_signature(&w->signature, &w->arena, op, &w->bound, w->err));
    size_t n_ends = (size_t)w->signature.n_inputs + (size_t)w->signature.n_outputs;
    w->graph.node.items = new_array(w, def->node_def.n + n_ends, sizeof *w->graph.node.items);
    w->names = new_array(w, n_ends + def->control_ret.n, sizeof *w->names);
    if (!w->graph.node.items || !w->names) return SL_RESOURCE_EXHAUSTED;
    SL_TRY(index_names(w));
    for (int i = 0; i < op->n_inputs; i++) SL_TRY(write_argument(w, i));
    for (size_t i = 0; i < def->node_def.n; i++) SL_TRY(write_node(w, &def->node_def.items[i]));
    for (int i = 0; i < op->n_outputs; i++) SL_TRY(write_result(w, i));
    for (size_t i = 0; i < def->control_ret.n; i++) w->names[n_ends + i] = def->control_ret.items[i].value;
    return SL_OK;
}

static sl_code import(struct sl_body *out, struct writer *w) {
    size_t n_controls = w->f->def->control_ret.n;
    size_t n = (size_t)w->signature.n_inputs + (size_t)w->signature.n_outputs + n_controls;
    struct sl_import_return *returns = new_array(w, n, sizeof *returns);
    struct sl_node **nodes = SL_ARENA_ARRAY(&out->graph->arena, struct sl_node *, n);
    struct sl_pb_VersionDef versions = {.producer = w->library->producer};
    if (!returns || !nodes) return sl_fail_memory(w->err, n * sizeof *returns);
    for (size_t i = 0; i < n; i++) returns[i] = (struct sl_import_return){w->names[i], -1};
    struct sl_import_options options = {.returns = returns,
                                        .n_returns = (int)n,
                                        .no_inference = true,
                                        .allow_unknown_colocation = true,
                                        .allow_internal_names = true};
    struct sl_import_results results;
    w->graph.versions = &versions;
    SL_TRY(sl_graph_import(&results, out->graph, &w->graph, &options, w->err));
    for (size_t i = 0; i < n; i++) nodes[i] = results.returns[i].node;
    out->args = nodes;
    out->n_args = w->signature.n_inputs;
    out->rets = nodes + out->n_args;
    out->n_rets = w->signature.n_outputs;
    out->controls = out->rets + out->n_rets;
    out->n_controls = (int)n_controls;
    return SL_OK;
}

static sl_code instantiate(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                           const struct sl_graph *library, struct sl_error *err) {
    static const struct sl_attrs no_attrs = {0};
    struct writer w = {.f = f, .library = library, .attrs = attrs ? attrs : &no_attrs, .err = err};
    sl_arena_init(&w.arena);
    sl_code code = write(&w);
    if (code == SL_OK) code = import(out, &w);
    sl_str_map_free(&w.arguments);
    sl_str_map_free(&w.nodes);
    sl_str_map_free(&w.taken);
    sl_arena_clear(&w.arena);
    return code;
}

sl_code sl_function_instantiate(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                                const struct sl_graph *library, struct sl_error *err) {
    SL_TRY(sl_graph_new(&out->graph, library->registry, err));
    out->graph->outer = library;
    out->graph->evaluator = library->evaluator;
    sl_code code = instantiate(out, f, attrs, library, err);
    if (code != SL_OK) {
        sl_graph_free(out->graph);
        out->graph = NULL;
    }
    return code;
}

static bool same_types(struct sl_node *const *nodes, int n_nodes, bool is_arg, const uint8_t *types, int n) {
    if (n_nodes != n) return false;
    for (int i = 0; i < n; i++) {
        int type = is_arg ? nodes[i]->out_types[0] : nodes[i]->in_types[0];
        if (sl_dtype_base(type) != sl_dtype_base(types[i])) return false;
    }
    return true;
}

bool sl_body_fits(const struct sl_body *body, const uint8_t *args, int n_args, const uint8_t *rets, int n_rets) {
    return same_types(body->args, body->n_args, true, args, n_args) &&
           same_types(body->rets, body->n_rets, false, rets, n_rets);
}
