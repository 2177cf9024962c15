/* Looking at graphs through the C API: opening, finding by name, inputs and results, types and shapes as text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "sluice/graph_file.h"

TF_Graph *open_graph(const char *path) {
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

static int smaller(int a, int b) { return a < b ? a : b; }

/* Edit distance, cut off: names longer than the table are compared by their beginnings. */
static int distance(const char *a, const char *b) {
    enum { MOST = 64 };
    int row[MOST + 1], m = (int)strnlen(b, MOST), n = (int)strnlen(a, MOST);
    for (int j = 0; j <= m; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0]++;
        for (int j = 1; j <= m; j++) {
            int old = row[j];
            row[j] = smaller(diagonal + (a[i - 1] != b[j - 1]), smaller(row[j], row[j - 1]) + 1);
            diagonal = old;
        }
    }
    return row[m];
}

static void suggest(TF_Graph *graph, const char *name) {
    size_t at = 0;
    int best = 1 << 20;
    const char *nearest = NULL;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        const char *have = TF_OperationName(op);
        int d = strstr(have, name) ? 1 : distance(have, name);
        if (d < best) {
            best = d;
            nearest = have;
        }
    }
    if (nearest && best <= 1 + (int)strlen(name) / 3) complain("did you mean '%s'?", nearest);
    complain("'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes");
}

bool find_output(TF_Output *out, TF_Graph *graph, const char *text) {
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
    out->oper = TF_GraphOperationByName(graph, name);
    out->index = (int)index;
    if (!out->oper) {
        complain("there is no node '%s' in the graph", name);
        suggest(graph, name);
        return false;
    }
    if (index >= TF_OperationNumOutputs(out->oper)) {
        complain("node '%s' has %d outputs, there is no output %" PRId64, name, TF_OperationNumOutputs(out->oper),
                 index);
        return false;
    }
    return true;
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

/* Whether the outputs of `op` come once for each iteration of a loop. All that a node reads is inside as many loops
 * as the node, so one way back to the graph's sources tells. */
static bool is_in_loop(TF_Operation *op) {
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
