/* Looking at graphs through the C API: opening, finding by name, inputs and results, types and shapes as text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "foreign_file.h"
#include "nearest.h"
#include "sluice/graph_file.h"
#include "sluice/saved_model_file.h"

TF_Graph *open_graph(const char *path) {
    if (complain_foreign(path)) return NULL;
    TF_Status *status = must_have(TF_NewStatus());
    TF_Graph *graph = must_have(TF_NewGraph());
    sl_graph_read(graph, path, NULL, status);
    if (complain_status(status)) {
        TF_DeleteGraph(graph);
        graph = NULL;
    }
    TF_DeleteStatus(status);
    return graph;
}

/* The inputs, or outputs, of a signature in a line. */
static void print_ports(const char *title, const struct sl_model_port *ports, int n) {
    fprintf(stderr, "sluice: %s", title);
    for (int i = 0; i < n; i++) fprintf(stderr, "%s%s", i ? ", " : " ", ports[i].name);
    fputs(n ? "\n" : " none\n", stderr);
}

static void suggest(TF_Graph *graph, const struct sl_model_signature *s, const char *name) {
    size_t at = 0;
    struct nearest nearest = {.wanted = name};
    bool has_signature = s && s->name;
    for (int i = 0; has_signature && i < s->num_inputs; i++) nearest_offer(&nearest, s->inputs[i].name);
    for (int i = 0; has_signature && i < s->num_outputs; i++) nearest_offer(&nearest, s->outputs[i].name);
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) nearest_offer(&nearest, TF_OperationName(op));
    nearest_say(&nearest);
    if (has_signature) {
        complain("the signature %s has", s->name);
        print_ports("  inputs ", s->inputs, s->num_inputs);
        print_ports("  outputs", s->outputs, s->num_outputs);
    } else {
        complain("'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes");
    }
}

TF_Operation *find_node(TF_Graph *graph, const struct sl_model_signature *signature, const char *name) {
    TF_Operation *op = TF_GraphOperationByName(graph, name);
    if (op) return op;
    if (signature && signature->name)
        complain("there is no '%s' in the signature, and no such node in the graph", name);
    else complain("there is no node '%s' in the graph", name);
    suggest(graph, signature, name);
    return NULL;
}

bool find_output(TF_Output *out, TF_Graph *graph, const struct sl_model_signature *signature, const char *text) {
    char name[1024];
    const char *colon = strrchr(text, ':');
    int64_t index = 0;
    size_t length = strlen(text);
    if (colon && parse_number(&index, colon + 1, 0, INT32_MAX)) length = (size_t)(colon - text);
    if (length >= sizeof name) {
        complain("the name '%.40s...' is too long", text);
        return false;
    }
    memcpy(name, text, length);
    name[length] = 0;
    out->oper = find_node(graph, signature, name);
    out->index = (int)index;
    if (!out->oper) return false;
    if (index < TF_OperationNumOutputs(out->oper)) return true;
    int n = TF_OperationNumOutputs(out->oper);
    complain("node '%s' has %d output%s, there is no output %" PRId64, name, n, n == 1 ? "" : "s", index);
    return false;
}

bool is_placeholder(TF_Operation *op) {
    const char *type = TF_OperationOpType(op);
    return !strcmp(type, "Placeholder") || !strcmp(type, "PlaceholderV2");
}

static bool is_of_type(TF_Operation *op, const char *type) { return !strcmp(TF_OperationOpType(op), type); }

/* What `op` reads first, data or control, that is not a back edge; NULL when it reads nothing. */
static TF_Operation *first_source(TF_Operation *op) {
    TF_Operation *control = NULL;
    for (int i = 0; i < TF_OperationNumInputs(op); i++) {
        TF_Operation *source = TF_OperationInput((TF_Input){op, i}).oper;
        if (!is_of_type(source, "NextIteration")) return source;
    }
    if (TF_OperationNumControlInputs(op)) TF_OperationGetControlInputs(op, &control, 1);
    return control;
}

/* All that a node reads is inside as many loops
 * as the node, so one way back to the graph's sources tells. */
bool is_in_loop(TF_Operation *op) {
    enum { LONGEST_WAY = 1000000 };
    int depth = 0;
    for (int steps = 0; op && steps < LONGEST_WAY; steps++, op = first_source(op)) {
        if (is_of_type(op, "Enter") || is_of_type(op, "RefEnter")) depth++;
        else if (is_of_type(op, "Exit") || is_of_type(op, "RefExit")) depth--;
    }
    return depth > 0;
}

bool is_result(TF_Operation *op) {
    int n = TF_OperationNumOutputs(op);
    if (!n || is_placeholder(op) || is_of_type(op, "Const")) return false;
    for (int i = 0; i < n; i++)
        if (TF_OperationOutputNumConsumers((TF_Output){op, i})) return false;
    return !is_in_loop(op);
}

const char *type_name(TF_DataType type) {
    static const char *const names[] = {"invalid",
                                        "float",
                                        "double",
                                        "int32",
                                        "uint8",
                                        "int16",
                                        "int8",
                                        "string",
                                        "complex64",
                                        "int64",
                                        "bool",
                                        "qint8",
                                        "quint8",
                                        "qint32",
                                        "bfloat16",
                                        "qint16",
                                        "quint16",
                                        "uint16",
                                        "complex128",
                                        "half",
                                        "resource",
                                        "variant",
                                        "uint32",
                                        "uint64",
                                        "float8_e5m2",
                                        "float8_e4m3fn",
                                        "float8_e4m3fnuz",
                                        "float8_e4m3b11fnuz",
                                        "float8_e5m2fnuz",
                                        "int4",
                                        "uint4",
                                        "int2",
                                        "uint2"};
    int base = (int)type > 100 ? (int)type - 100 : (int)type;
    return base >= 0 && base < (int)(sizeof names / sizeof *names) ? names[base] : "unknown";
}

const char *output_text(char text[SHAPE_TEXT], TF_Graph *graph, TF_Output output) {
    TF_Status *status = must_have(TF_NewStatus());
    int at = snprintf(text, SHAPE_TEXT, "%s ", type_name(TF_OperationOutputType(output)));
    int rank = TF_GraphGetTensorNumDims(graph, output, status);
    if (rank < 0 || TF_GetCode(status) != TF_OK) {
        snprintf(text + at, SHAPE_TEXT - (size_t)at, "<unknown>");
    } else {
        int64_t *dims = must_allocate(NULL, (size_t)(rank + 1) * sizeof *dims);
        TF_GraphGetTensorShape(graph, output, dims, rank, status);
        at += snprintf(text + at, SHAPE_TEXT - (size_t)at, "[");
        for (int i = 0; i < rank && at < SHAPE_TEXT - 32; i++) {
            if (dims[i] < 0) at += snprintf(text + at, SHAPE_TEXT - (size_t)at, "%s?", i ? "," : "");
            else at += snprintf(text + at, SHAPE_TEXT - (size_t)at, "%s%" PRId64, i ? "," : "", dims[i]);
        }
        snprintf(text + at, SHAPE_TEXT - (size_t)at, "]");
        free(dims);
    }
    TF_DeleteStatus(status);
    return text;
}
