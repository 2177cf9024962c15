/* A stage is a node that makes, reads or points at a dataset or an iterator. What it takes is named by its op's definition, which
 * comes as protobuf bytes: OpDef has arguments in field 2, whose names are in field 1. */
#include "show_pipeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "graph_walk.h"
#include "picture.h"
#include "plan.h"
#include "protobuf_bytes.h"
#include "sluice/function_graph.h"

enum { TEXT = 1024, MOST_CALLED = 8 };

static bool is_stage(TF_Operation *op) {
    const char *type = TF_OperationOpType(op);
    return strstr(type, "Dataset") || strstr(type, "Iterator");
}

/* ---- texts, which are cut where they are too long */

static void put(char text[TEXT], const char *more) {
    size_t n = strlen(text);
    while (*more && n + 1 < TEXT) text[n++] = *more++;
    text[n] = 0;
}

static void add(char text[TEXT], const char *separator, const char *more) {
    if (*text) put(text, separator);
    put(text, more);
}

static void print_number(char *text, size_t room, TF_DataType type, const void *at) {
    if (type == TF_INT64) snprintf(text, room, "%" PRId64, *(const int64_t *)at);
    else if (type == TF_INT32) snprintf(text, room, "%" PRId32, *(const int32_t *)at);
    else if (type == TF_FLOAT) snprintf(text, room, "%g", (double)*(const float *)at);
    else if (type == TF_DOUBLE) snprintf(text, room, "%g", *(const double *)at);
    else if (type == TF_BOOL) snprintf(text, room, "%s", *(const bool *)at ? "true" : "false");
}

/* The value of a constant scalar; nothing for others. */
static void print_constant(char *text, size_t room, TF_Operation *op) {
    *text = 0;
    if (strcmp(TF_OperationOpType(op), "Const") != 0) return;
    TF_Status *status = must_have(TF_NewStatus());
    TF_Tensor *value = NULL;
    TF_OperationGetAttrTensor(op, "value", &value, status);
    must_have_memory(status);
    TF_DeleteStatus(status);
    if (!value) return;
    if (TF_NumDims(value) == 0 && TF_TensorType(value) == TF_STRING) {
        const TF_TString *s = TF_TensorData(value);
        snprintf(text, room, "'%.*s'", (int)TF_StringGetSize(s), TF_StringGetDataPointer(s));
    } else if (TF_NumDims(value) == 0) {
        print_number(text, room, TF_TensorType(value), TF_TensorData(value));
    }
    TF_DeleteTensor(value);
}

/* "batch_size 32", or the name of the node that it comes from. */
static void add_input(char text[TEXT], TF_Operation *op, int input, const char *arg) {
    char value[128];
    TF_Output from = TF_OperationInput((TF_Input){op, input});
    if (is_stage(from.oper)) return;
    print_constant(value, sizeof value, from.oper);
    add(text, ", ", arg);
    put(text, " ");
    put(text, *value ? value : TF_OperationName(from.oper));
}

static void add_stages(char text[TEXT], TF_Operation *op) {
    char part[TEXT] = "";
    for (int i = 0; i < TF_OperationNumInputs(op); i++) {
        TF_Output from = TF_OperationInput((TF_Input){op, i});
        if (is_stage(from.oper)) add(part, ", ", TF_OperationName(from.oper));
    }
    if (!*part) return;
    add(text, "; ", "of ");
    put(text, part);
}

static void add_inputs(char text[TEXT], TF_Graph *graph, TF_Operation *op) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *buffer = must_have(TF_NewBuffer());
    char part[TEXT] = "";
    TF_GraphGetOpDef(graph, TF_OperationOpType(op), buffer, status);
    must_have_memory(status);
    struct bytes def = {buffer->data, TF_GetCode(status) == TF_OK ? buffer->length : 0};
    int input = 0;
    for (struct field f; next_field(&f, &def);) {
        if (f.number != 2) continue;
        char arg[128];
        struct bytes name = bytes_of(f.bytes, 1);
        snprintf(arg, sizeof arg, "%.*s", (int)name.n, (const char *)name.p);
        const int n = TF_OperationInputListLength(op, arg, status);
        for (int i = 0; TF_GetCode(status) == TF_OK && i < n; i++) add_input(part, op, input++, arg);
    }
    if (*part) add(text, "; ", part);
    TF_DeleteBuffer(buffer);
    TF_DeleteStatus(status);
}

/* ---- functions */

static bool is_work(TF_Operation *op) {
    static const char *const others[] = {"_Arg", "_Retval", "Const", "Identity", "NoOp"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(TF_OperationOpType(op), others[i])) return false;
    return true;
}

/* "map_func: Cast, RealDiv", what it does in the order in which it was written. */
static void add_function(char text[TEXT], TF_Graph *graph, const char *attr, struct bytes name) {
    char function[TEXT], part[TEXT] = "", rest[32];
    TF_Status *status = must_have(TF_NewStatus());
    snprintf(function, sizeof function, "%.*s", (int)name.n, (const char *)name.p);
    TF_Graph *body = sl_function_graph(graph, function, status);
    must_have_memory(status);
    TF_DeleteStatus(status);
    size_t at = 0;
    int n = 0;
    for (TF_Operation *op; body && (op = TF_GraphNextOperation(body, &at));)
        if (is_work(op) && n++ < MOST_CALLED) add(part, ", ", TF_OperationOpType(op));
    snprintf(rest, sizeof rest, "%d more", n - MOST_CALLED);
    if (n > MOST_CALLED) add(part, ", ", rest);
    if (body) TF_DeleteGraph(body);
    add(text, "; ", attr);
    put(text, ": ");
    put(text, body ? (n ? part : "nothing") : "not in the graph");
}

static void add_functions(char text[TEXT], TF_Graph *graph, TF_Operation *op) {
    TF_Status *status = must_have(TF_NewStatus());
    for (int i = 0; i < TF_OperationGetNumAttrs(op); i++) {
        char attr[128];
        const int length = TF_OperationGetAttrNameLength(op, i);
        if (length <= 0 || length >= (int)sizeof attr) continue;
        TF_OperationGetAttrName(op, i, attr, status);
        attr[length] = 0;
        TF_AttrMetadata about = TF_OperationGetAttrMetadata(op, attr, status);
        if (TF_GetCode(status) != TF_OK || about.type != TF_ATTR_FUNC || about.is_list) continue;
        TF_Buffer *buffer = must_have(TF_NewBuffer());
        TF_OperationGetAttrValueProto(op, attr, buffer, status);
        must_have_memory(status);
        add_function(text, graph, attr, bytes_of(bytes_of((struct bytes){buffer->data, buffer->length}, 10), 1));
        TF_DeleteBuffer(buffer);
    }
    TF_DeleteStatus(status);
}

/* ---- elements */

static void add_shape(char *text, size_t room, TF_DataType type, const int64_t *dims, int rank) {
    size_t n = (size_t)snprintf(text, room, rank < 0 ? "%s <unknown>" : "%s [", type_name(type));
    for (int d = 0; d < rank && n < room; d++)
        n += (size_t)snprintf(text + n, room - n, dims[d] < 0 ? "%s?" : "%s%" PRId64, d ? "," : "", dims[d]);
    if (rank >= 0 && n < room) snprintf(text + n, room - n, "]");
}

static void add_element(char text[TEXT], TF_Operation *op) {
    enum { MOST = 32, MOST_DIMS = 256 };
    TF_DataType types[MOST];
    int64_t dims[MOST_DIMS], *shapes[MOST];
    int ranks[MOST];
    char all[TEXT] = "";
    TF_Status *status = must_have(TF_NewStatus());
    TF_AttrMetadata about = TF_OperationGetAttrMetadata(op, "output_types", status);
    const int n = TF_GetCode(status) == TF_OK && about.list_size <= MOST ? (int)about.list_size : 0;
    TF_OperationGetAttrTypeList(op, "output_types", types, n, status);
    TF_OperationGetAttrShapeList(op, "output_shapes", shapes, ranks, n, dims, MOST_DIMS, status);
    for (int i = 0; i < n && TF_GetCode(status) == TF_OK; i++) {
        char part[TEXT];
        add_shape(part, sizeof part, types[i], shapes[i], ranks[i]);
        add(all, ", ", part);
    }
    must_have_memory(status);
    TF_DeleteStatus(status);
    if (!*all) return;
    add(text, "; ", "gives ");
    put(text, all);
}

/* "of RangeDataset; f: AddV2; gives int64 []" */
static const char *describe(char text[TEXT], TF_Graph *graph, TF_Operation *op) {
    *text = 0;
    add_stages(text, op);
    add_inputs(text, graph, op);
    add_functions(text, graph, op);
    add_element(text, op);
    return text;
}

/* ---- forms */

static void print_stage(const struct walked *node, void *arg) {
    char text[TEXT];
    if (!is_stage(node->op)) return;
    ++*(int *)arg;
    printf("%*s%-*s %-24s %s\n", 2 * node->depth, "", 36 - 2 * node->depth, node->name, TF_OperationOpType(node->op),
           describe(text, node->graph, node->op));
}

/* Stages of the graph itself, as boxes whose second line says what they do. */
static int print_boxes(TF_Graph *graph, const char *form) {
    size_t at = 0;
    int n = 0;
    TF_Operation **ops = NULL;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        if (!is_stage(op)) continue;
        ops = must_allocate(ops, (size_t)(n + 1) * sizeof *ops);
        ops[n++] = op;
    }
    struct plan *plan = plan_of_graph(graph, ops, n);
    char **texts = must_allocate(NULL, (size_t)(n + 1) * sizeof *texts);
    for (int i = 0; i < plan->n_nodes; i++) {
        char text[TEXT], whole[2 * TEXT];
        TF_Operation *op = plan->nodes[i].op;
        *text = 0;
        add_inputs(text, graph, op);
        add_functions(text, graph, op);
        snprintf(whole, sizeof whole, "%s%s%s", TF_OperationOpType(op), *text ? "; " : "", text);
        plan->nodes[i].type = texts[i] = must_have(strdup(whole));
    }
    if (n && !strcmp(form, "dot")) print_plan_dot(plan);
    else if (n) print_plan_svg(plan);
    for (int i = 0; i < plan->n_nodes; i++) free(texts[i]);
    free(texts);
    plan_free(plan);
    free(ops);
    return n;
}

bool show_pipeline(TF_Graph *graph, const char *form) {
    int n = 0;
    if (!strcmp(form, "dot") || !strcmp(form, "svg")) {
        n = print_boxes(graph, form);
    } else {
        struct walk *w = walk_new(graph);
        walk_each(w, print_stage, &n);
        walk_free(w);
    }
    if (n == 0) complain("there is no input pipeline in the graph");
    return n > 0;
}
