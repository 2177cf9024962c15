/* Graphs as pictures: what is shown, all nodes and edges for Graphviz, and the SVG of plan_picture.c. */
#include "picture.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "plan.h"
#include "sluice/function_graph.h"
#include "sluice/saved_model_file.h"

void put_escaped(const char *text, bool xml) {
    for (; *text; text++) {
        if (xml && *text == '<') fputs("&lt;", stdout);
        else if (xml && *text == '&') fputs("&amp;", stdout);
        else if (xml && *text == '"') fputs("&quot;", stdout);
        else if (!xml && (*text == '"' || *text == '\\')) printf("\\%c", *text);
        else putchar(*text);
    }
}

static bool is_flow(const char *type) {
    static const char *const flow[] = {"Switch",   "Merge", "Enter", "Exit", "NextIteration",
                                       "LoopCond", "If",    "While", "Case"};
    for (size_t i = 0; i < sizeof flow / sizeof *flow; i++)
        if (!strcmp(flow[i], type)) return true;
    return false;
}

static const char *colour(TF_Operation *op) {
    const char *type = TF_OperationOpType(op);
    if (is_placeholder(op)) return "#cfe8ff";
    if (is_result(op)) return "#d4f5d0";
    if (!strcmp(type, "Const")) return "#eeeeee";
    return is_flow(type) ? "#ffe3b8" : "#ffffff";
}

/* ---- what is shown */

/* Operations; sorted by address once they are all there. */
struct op_set {
    TF_Operation **ops;
    size_t n, room;
};

static int by_address(const void *a, const void *b) {
    uintptr_t x = (uintptr_t) * (TF_Operation *const *)a, y = (uintptr_t) * (TF_Operation *const *)b;
    return (x > y) - (x < y);
}

static void add_op(struct op_set *set, TF_Operation *op) {
    if (set->n == set->room) {
        set->room = set->room ? 2 * set->room : 256;
        set->ops = must_allocate(set->ops, set->room * sizeof *set->ops);
    }
    set->ops[set->n++] = op;
}

static bool has_op(const struct op_set *set, TF_Operation *op) {
    return set->n && bsearch(&op, set->ops, set->n, sizeof *set->ops, by_address);
}

/* Everything, in the order of the graph. */
static struct op_set all_ops(TF_Graph *graph) {
    struct op_set all = {NULL, 0, 0};
    size_t at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) add_op(&all, op);
    return all;
}

/* Marks what an operation reads and waits for. */
static void mark_inputs(struct op_set *todo, bool *is_needed, const struct op_set *sorted, TF_Operation *op) {
    int n = TF_OperationNumInputs(op), controls = TF_OperationNumControlInputs(op);
    TF_Operation **from = must_allocate(NULL, (size_t)(controls + 1) * sizeof *from);
    controls = TF_OperationGetControlInputs(op, from, controls);
    for (int i = 0; i < n + controls; i++) {
        TF_Operation *source = i < n ? TF_OperationInput((TF_Input){op, i}).oper : from[i - n];
        TF_Operation **found = bsearch(&source, sorted->ops, sorted->n, sizeof *sorted->ops, by_address);
        if (!found || is_needed[found - sorted->ops]) continue;
        is_needed[found - sorted->ops] = true;
        add_op(todo, source);
    }
    free(from);
}

/* What the outputs of a signature need. */
static struct op_set needed_ops(TF_Graph *graph, const struct sl_model_signature *s) {
    struct op_set sorted = all_ops(graph), todo = {NULL, 0, 0};
    TF_Output output;
    if (sorted.n) qsort(sorted.ops, sorted.n, sizeof *sorted.ops, by_address);
    bool *is_needed = must_allocate(NULL, sorted.n + 1);
    memset(is_needed, 0, sorted.n + 1);
    for (int i = 0; i < s->num_outputs; i++) {
        if (!find_output(&output, graph, NULL, s->outputs[i].tensor)) continue;
        TF_Operation **found = bsearch(&output.oper, sorted.ops, sorted.n, sizeof *sorted.ops, by_address);
        if (!is_needed[found - sorted.ops]) add_op(&todo, output.oper);
        is_needed[found - sorted.ops] = true;
    }
    for (size_t i = 0; i < todo.n; i++) mark_inputs(&todo, is_needed, &sorted, todo.ops[i]);
    free(is_needed);
    free(sorted.ops);
    if (todo.n) qsort(todo.ops, todo.n, sizeof *todo.ops, by_address);
    return todo;
}

/* The shown ones in the order of the graph. */
static struct op_set shown_ops(TF_Graph *graph, const struct sl_model_signature *s) {
    struct op_set all = all_ops(graph);
    if (!s || !s->name) return all;
    struct op_set needed = needed_ops(graph, s);
    size_t n = 0;
    for (size_t i = 0; i < all.n; i++)
        if (has_op(&needed, all.ops[i])) all.ops[n++] = all.ops[i];
    all.n = n;
    free(needed.ops);
    return all;
}

/* ---- Graphviz */

static void print_dot(const struct op_set *shown) {
    puts("digraph graph_ {\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];");
    for (size_t k = 0; k < shown->n; k++) {
        TF_Operation *op = shown->ops[k];
        fputs("  \"", stdout);
        put_escaped(TF_OperationName(op), false);
        fputs("\" [label=\"", stdout);
        put_escaped(TF_OperationName(op), false);
        printf("\\n%s\", fillcolor=\"%s\"];\n", TF_OperationOpType(op), colour(op));
    }
    for (size_t k = 0; k < shown->n; k++) {
        TF_Operation *op = shown->ops[k];
        int n = TF_OperationNumInputs(op), controls = TF_OperationNumControlInputs(op);
        TF_Operation **from = must_allocate(NULL, (size_t)(controls + 1) * sizeof *from);
        controls = TF_OperationGetControlInputs(op, from, controls);
        for (int i = 0; i < n + controls; i++) {
            TF_Operation *source = i < n ? TF_OperationInput((TF_Input){op, i}).oper : from[i - n];
            fputs("  \"", stdout);
            put_escaped(TF_OperationName(source), false);
            fputs("\" -> \"", stdout);
            put_escaped(TF_OperationName(op), false);
            puts(i < n ? "\";" : "\" [style=dashed];");
        }
        free(from);
    }
    puts("}");
}

/* The layout is that of plans, which knows loops and how to keep a picture narrow. */
static void print_svg(TF_Graph *graph, const struct op_set *shown) {
    struct plan *plan = plan_of_graph(graph, shown->ops, (int)shown->n);
    print_plan_svg(plan);
    plan_free(plan);
}

void show_picture(TF_Graph *graph, const struct sl_model_signature *signature, const char *form) {
    TF_Status *status = must_have(TF_NewStatus());
    sl_graph_inline(graph, false, status);
    if (!complain_status(status)) {
        struct op_set shown = shown_ops(graph, signature);
        if (!strcmp(form, "dot")) print_dot(&shown);
        else print_svg(graph, &shown);
        free(shown.ops);
    }
    TF_DeleteStatus(status);
}
