/* Building operations: TF_OperationDescription and its end, TF_FinishOperation. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/description.h"
#include "ops/op_summary.h"
#include "tensor/tensor.h"

/* ---- mistakes and values */
void sl_description_fail(TF_OperationDescription *d, sl_code code, bool says_where, const char *format, ...) {
    if (d->code != SL_OK) return;
    struct sl_error err;
    va_list args;
    va_start(args, format);
    sl_fail_v(&err, code, format, args);
    va_end(args);
    d->code = code;
    d->says_where = says_where;
    d->message = sl_arena_str(&d->arena, sl_str_of(err.message)).p;
}

void sl_description_no_memory(TF_OperationDescription *d) {
    if (d->code != SL_OK) return;
    d->code = SL_RESOURCE_EXHAUSTED;
    d->message = "out of memory";
}

struct sl_pb_AttrValue *sl_description_value(TF_OperationDescription *d, int which) {
    if (!d) return NULL;
    struct sl_pb_AttrValue *value = SL_ARENA_NEW(&d->arena, struct sl_pb_AttrValue);
    if (value) value->which = which;
    else sl_description_no_memory(d);
    return value;
}

struct sl_pb_AttrValue *sl_description_list(TF_OperationDescription *d) {
    struct sl_pb_AttrValue *value = sl_description_value(d, SL_PB_AttrValue_list);
    if (!value) return NULL;
    value->list = SL_ARENA_NEW(&d->arena, struct sl_pb_AttrValue_ListValue);
    if (value->list) return value;
    sl_description_no_memory(d);
    return NULL;
}

char *sl_description_copy(TF_OperationDescription *d, const void *p, size_t n) {
    struct sl_str copy = sl_arena_str(&d->arena, (struct sl_str){p ? p : "", p ? n : 0});
    if (!copy.p) sl_description_no_memory(d);
    return (char *)copy.p;
}

static bool copy_name(struct sl_str *out, TF_OperationDescription *d, const char *text) {
    size_t n = text ? strlen(text) : 0;
    out->p = sl_description_copy(d, text, n);
    out->n = out->p ? n : 0;
    return out->p != NULL;
}

static void set_colocations(TF_OperationDescription *d, const struct sl_pb_AttrValue *value) {
    d->colocations.n = 0;
    if (value->which == 0) return;
    if (value->which != SL_PB_AttrValue_list) {
        sl_description_fail(d, SL_INVALID_ARGUMENT, false, "Expected \"list\" field for \"_class\" attribute");
        return;
    }
    for (size_t i = 0; i < value->list->s.n; i++)
        if (sl_vec_push(&d->colocations, value->list->s.items[i])) sl_description_no_memory(d);
}

void sl_description_set(TF_OperationDescription *d, const char *name, const struct sl_pb_AttrValue *value) {
    if (!d || !value || !name) return;
    if (strcmp(name, "_class") == 0) {
        set_colocations(d, value);
        return;
    }
    for (size_t i = 0; i < d->attrs.n; i++) {
        if (!sl_str_is(d->attrs.items[i].name, name)) continue;
        char old[SL_SUMMARY_MAX], new[SL_SUMMARY_MAX];
        if (!sl_attr_equal(d->attrs.items[i].value, value))
            sl_description_fail(d, SL_INVALID_ARGUMENT, true, "Inconsistent values for attr '%s' %s vs. %s", name,
                                sl_attr_summary(old, d->attrs.items[i].value), sl_attr_summary(new, value));
        return;
    }
    struct sl_attr attr = {.value = value};
    if (!copy_name(&attr.name, d, name) || sl_vec_push(&d->attrs, attr)) sl_description_no_memory(d);
}

/* ---- start and end of life */
static TF_OperationDescription *description_new(TF_Graph *graph, const char *op_type, const char *name) {
    TF_OperationDescription *d = sl_calloc(1, sizeof *d);
    if (!d) return NULL;
    d->graph = graph;
    sl_arena_init(&d->arena);
    copy_name(&d->type, d, op_type);
    copy_name(&d->name, d, name);
    return d;
}

void sl_description_free(TF_OperationDescription *d) {
    for (size_t i = 0; i < d->tensors.n; i++) sl_tensor_unref(d->tensors.items[i]);
    sl_vec_free(&d->tensors);
    sl_vec_free(&d->inputs);
    sl_vec_free(&d->given);
    sl_vec_free(&d->controls);
    sl_vec_free(&d->attrs);
    sl_vec_free(&d->colocations);
    sl_arena_clear(&d->arena);
    sl_free(d);
}

TF_OperationDescription *TF_NewOperation(TF_Graph *graph, const char *op_type, const char *operation_name) {
    return description_new(graph, op_type, operation_name);
}

TF_OperationDescription *TF_NewOperationLocked(TF_Graph *graph, const char *op_type, const char *operation_name) {
    return description_new(graph, op_type, operation_name);
}

void TF_SetDevice(TF_OperationDescription *description, const char *device) {
    if (description) copy_name(&description->device, description, device);
}

/* ---- inputs */
/* Whether the output exists; keeps the mistake otherwise. */
static bool check_input(TF_OperationDescription *d, TF_Output input) {
    const struct sl_node *node = sl_as_node(input.oper);
    if (!node) {
        sl_description_fail(d, SL_INVALID_ARGUMENT, false, "Attempt to add nullptr Node to node with type %.*s",
                            SL_STR_ARG(d->type));
    } else if (node->graph != d->graph->graph) {
        sl_description_fail(d, SL_INVALID_ARGUMENT, false,
                            "Attempt to add output %d of %.*s, which is in another graph, to node with type %.*s",
                            input.index, SL_STR_ARG(node->name), SL_STR_ARG(d->type));
    } else if (input.index < 0 || input.index >= node->n_outputs) {
        sl_description_fail(
            d, SL_INVALID_ARGUMENT, false,
            "Attempt to add output %d of %.*s not in range [0, %d) to node with type %.*s. Node: {{node %.*s}}",
            input.index, SL_STR_ARG(node->name), node->n_outputs, SL_STR_ARG(d->type), SL_STR_ARG(node->name));
    } else {
        return true;
    }
    return false;
}

static void add_inputs(TF_OperationDescription *d, const TF_Output *inputs, int n, bool is_list) {
    if (!d || n < 0) return;
    uint8_t *types = SL_ARENA_ARRAY(&d->arena, uint8_t, (size_t)n);
    if (!types || sl_vec_reserve(&d->inputs, n)) {
        sl_description_no_memory(d);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (!check_input(d, inputs[i])) return;
        types[i] = sl_as_node(inputs[i].oper)->out_types[inputs[i].index];
        d->inputs.items[d->inputs.n++] = sl_as_port(inputs[i]);
    }
    struct sl_given_input given = {.is_list = is_list, .n = n, .types = types};
    if (sl_vec_push(&d->given, given)) sl_description_no_memory(d);
}

void TF_AddInput(TF_OperationDescription *description, TF_Output input) { add_inputs(description, &input, 1, false); }

void TF_AddInputList(TF_OperationDescription *description, const TF_Output *inputs, int num_inputs) {
    add_inputs(description, inputs, num_inputs, true);
}

void TF_AddControlInput(TF_OperationDescription *description, TF_Operation *input) {
    TF_OperationDescription *d = description;
    if (!d) return;
    struct sl_node *node = sl_as_node(input);
    if (!node || node->graph != d->graph->graph)
        sl_description_fail(d, SL_INVALID_ARGUMENT, false,
                            "Attempt to add a control input that is not in the graph to node with type %.*s",
                            SL_STR_ARG(d->type));
    else if (sl_vec_push(&d->controls, node)) sl_description_no_memory(d);
}

void TF_ColocateWith(TF_OperationDescription *description, TF_Operation *op) {
    TF_OperationDescription *d = description;
    if (!d || !op) return;
    struct sl_str name = sl_as_node(op)->name;
    struct sl_str colocation = sl_str_of(sl_arena_format(&d->arena, "loc:@%.*s", SL_STR_ARG(name)));
    if (!colocation.p || sl_vec_push(&d->colocations, colocation)) sl_description_no_memory(d);
}

/* ---- the end */
static int compare_colocations(const void *a, const void *b) {
    return sl_str_cmp(*(const struct sl_str *)a, *(const struct sl_str *)b);
}

/* The attr _class: the colocations, sorted, each once. */
static sl_code add_class(TF_OperationDescription *d, struct sl_error *err) {
    if (d->colocations.n == 0) return SL_OK;
    struct sl_str *colocations = d->colocations.items;
    size_t n = 1;
    qsort(colocations, d->colocations.n, sizeof *colocations, compare_colocations);
    for (size_t i = 1; i < d->colocations.n; i++)
        if (!sl_str_eq(colocations[i], colocations[n - 1])) colocations[n++] = colocations[i];
    struct sl_pb_AttrValue *value = sl_description_list(d);
    if (!value) return sl_fail_memory(err, sizeof *value);
    value->list->s.items = colocations;
    value->list->s.n = n;
    struct sl_attr attr = {SL_STR("_class"), value};
    return sl_vec_push(&d->attrs, attr) ? sl_fail_memory(err, sizeof attr) : SL_OK;
}

/* The op; a name that nobody registered is a mistake like any other in a description. */
static sl_code find_op(const struct sl_op **op, TF_OperationDescription *d, struct sl_error *err) {
    sl_code code = sl_graph_find_op(op, d->graph->graph, d->type, err);
    if (code != SL_NOT_FOUND) return code;
    struct sl_error found = *err;
    return sl_fail(err, SL_INVALID_ARGUMENT, "%s while building NodeDef '%.*s'", found.message, SL_STR_ARG(d->name));
}

static sl_code tell_mistake(TF_OperationDescription *d, const struct sl_op *op, struct sl_error *err) {
    char summary[SL_SUMMARY_MAX];
    const char *message = d->message ? d->message : "out of memory";
    if (!d->says_where) return sl_fail(err, d->code, "%s", message);
    return sl_fail(err, d->code, "%s while building NodeDef '%.*s' using %s", message, SL_STR_ARG(d->name),
                   sl_op_summary(summary, op));
}

static sl_code add_operation(struct sl_node **out, TF_OperationDescription *d, struct sl_error *err) {
    const struct sl_op *op;
    struct sl_graph *graph = d->graph->graph;
    if (d->code == SL_RESOURCE_EXHAUSTED) return sl_fail(err, d->code, "%s", d->message);
    if (sl_graph_find(graph, d->name))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Duplicate node name in graph: '%.*s'", SL_STR_ARG(d->name));
    SL_TRY(find_op(&op, d, err));
    SL_TRY(add_class(d, err));
    if (d->code != SL_OK) return tell_mistake(d, op, err);
    struct sl_attrs given = {d->attrs.items, (int)d->attrs.n}, attrs;
    SL_TRY(sl_attrs_infer(&attrs, &d->arena, op, d->given.items, (int)d->given.n, &given, d->name, err));
    struct sl_node_spec spec = {
        .name = d->name,
        .device = d->device,
        .op = op,
        .attrs = attrs,
        .inputs = d->inputs.items,
        .n_inputs = (int)d->inputs.n,
        .controls = d->controls.items,
        .n_controls = (int)d->controls.n,
    };
    SL_TRY(sl_graph_add(out, graph, &spec, err));
    sl_graph_touch(d->graph);
    return SL_OK;
}

TF_Operation *TF_FinishOperationLocked(TF_OperationDescription *description, TF_Status *status) {
    struct sl_error err;
    struct sl_node *node = NULL;
    if (!description) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    bool ok = sl_status_take(status, add_operation(&node, description, &err), &err);
    sl_description_free(description);
    return ok ? sl_as_operation(node) : NULL;
}

TF_Operation *TF_FinishOperation(TF_OperationDescription *description, TF_Status *status) {
    if (!description) return TF_FinishOperationLocked(NULL, status);
    TF_Graph *graph = description->graph;
    sl_graph_lock(graph);
    TF_Operation *operation = TF_FinishOperationLocked(description, status);
    sl_graph_unlock(graph);
    return operation;
}
