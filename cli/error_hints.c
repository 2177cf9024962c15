/* The node is the one that the message names, "{{node X}}" or "node 'X'"; X may be in functions, as CALL/NODE. */
#include "error_hints.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "graph_walk.h"
#include "source_lines.h"

enum { NAME = 1024, TEXT = 2048 };

static bool take_between(char name[NAME], const char *text, const char *before, const char *after) {
    const char *at = strstr(text, before), *end = at ? strstr(at + strlen(before), after) : NULL;
    if (!end || end - at - (long)strlen(before) >= NAME) return false;
    snprintf(name, NAME, "%.*s", (int)(end - at - (long)strlen(before)), at + strlen(before));
    return true;
}

/* ---- the node, also within functions */

struct search {
    const char *name;
    TF_Graph *graph; /* of the node */
    TF_Operation *op;
    char calls[TEXT];   /* the nodes that call the functions it is in, outermost first */
    int n_calls, depth; /* how many these are; how many functions it is in */
};

static void look_at(const struct walked *node, void *arg) {
    struct search *s = arg;
    const size_t n = strlen(node->name), at = strlen(s->calls);
    if (!strcmp(node->name, s->name)) {
        s->op = node->op;
        s->graph = node->graph;
        s->depth = node->depth;
    } else if (!strncmp(node->name, s->name, n) && s->name[n] == '/' && node->depth == s->depth &&
               at + n + 300 < TEXT) {
        snprintf(s->calls + at, TEXT - at, "%s'%s' (%s)", at ? ", in one that is called by " : "", node->name,
                 TF_OperationOpType(node->op));
        s->n_calls++;
    }
}

static void print_node(const struct search *s) {
    char text[TEXT], shape[SHAPE_TEXT];
    int n = snprintf(text, sizeof text, "  node '%s' (%s)", s->name, TF_OperationOpType(s->op));
    for (int i = 0; i < TF_OperationNumInputs(s->op) && i < 8 && n < TEXT - 700; i++) {
        const TF_Output from = TF_OperationInput((TF_Input){s->op, i});
        n += snprintf(text + n, (size_t)(TEXT - n), "%s'%.200s:%d' (%s)", i ? ", " : " reads ",
                      TF_OperationName(from.oper), from.index, output_text(shape, s->graph, from));
    }
    complain("%s", text);
    if (s->depth) complain("  it is in a function that is called by %s", s->calls);
}

/* Errors that say nothing of the node: the run ended for another reason, or the node could not be placed. */
static bool is_of_node(TF_Code code, const char *message) {
    return code != TF_OK && code != TF_CANCELLED && code != TF_DEADLINE_EXCEEDED && code != TF_RESOURCE_EXHAUSTED &&
           !strstr(message, "available devices are") && !strstr(message, "You must feed") &&
           !strstr(message, "Watching numbers");
}

static void print_line(const char *path, const char *name) {
    struct source_lines lines;
    source_lines_read(&lines, path);
    const char *line = source_line_of(&lines, name);
    if (line) complain("  it was made at %s", line);
    source_lines_clear(&lines);
}

/* ---- advice */

static const struct {
    const char *text, *advice; /* what a message has, and what would be right */
} common[] = {
    {"Incompatible shapes", "shapes are compared from the last axis on: two lengths must be equal, or one of them 1"},
    {"required broadcastable shapes",
     "shapes are compared from the last axis on: two lengths must be equal, or one of them 1"},
    {"size-incompatible",
     "the first matrix must have as many columns as the second has rows; transpose_a and transpose_b turn one of them"},
    {"Dimensions must be equal",
     "the two lengths must be the same; of a product those are the columns of the first and the rows of the second"},
    {"values, but the requested shape has",
     "a new shape must have as many elements; -1 stands for the one length that follows from the others"},
    {"is not in [0,", "an index lies outside of what is indexed: a table of N rows has the rows 0 to N - 1"},
    {"End of sequence", "the dataset is at its end: repeat it, or take this error for the end"},
    {"Integer division by zero",
     "a whole number has been divided by 0: DivNoNan is for real numbers, else look before"},
    {"No OpKernel was registered", "no kernel serves the op with these types: sluice ops NAME says which there are"},
    {"Dimensions of inputs should match", "what is joined must have the same lengths on all other axes"},
    {"StringToNumberOp could not correctly convert", "a text is no number: empty fields and units have to go before"},
    {"assertion failed", "the graph checks this itself: its author has put an Assert there"},
};

static void print_advice(const char *message) {
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        if (!strstr(message, common[i].text)) continue;
        complain("  %s", common[i].advice);
        return;
    }
}

void hint_error(const TF_Status *status, TF_Graph *graph, const char *path) {
    const char *message = TF_Message(status);
    char name[NAME];
    const TF_Code code = TF_GetCode(status);
    if (code == TF_OK) return;
    if (take_between(name, message, "{{node ", "}}") || take_between(name, message, "node '", "'")) {
        struct search s = {.name = name};
        struct walk *w = walk_new(graph);
        walk_each(w, look_at, &s);
        if (s.op && is_of_node(code, message)) print_node(&s);
        if (code != TF_DEADLINE_EXCEEDED) print_line(path, name);
        walk_free(w);
    }
    if (is_of_node(code, message)) print_advice(message);
}
