/* Graphs as pictures. Graphviz gets nodes and edges as they are. The SVG has a layout of its own: a node stands one
 * row below the lowest of its inputs (edges from NextIteration go back up), rows are centred, and within a row nodes
 * stand in the order of their inputs. */
#include "picture.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

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

void print_dot(TF_Graph *graph) {
    size_t at = 0;
    puts("digraph graph_ {\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];");
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        fputs("  \"", stdout);
        put_escaped(TF_OperationName(op), false);
        fputs("\" [label=\"", stdout);
        put_escaped(TF_OperationName(op), false);
        printf("\\n%s\", fillcolor=\"%s\"];\n", TF_OperationOpType(op), colour(op));
    }
    at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
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

/* ---- SVG */

enum { BOX_WIDTH = 168, BOX_HEIGHT = 40, GAP_X = 18, GAP_Y = 44, MARGIN = 20 };

struct box {
    TF_Operation *op;
    int row, column;
    double x, wish; /* where it would like to stand: the middle of its inputs */
};

static int by_name(const void *a, const void *b) {
    const struct box *const *x = a, *const *y = b;
    return strcmp(TF_OperationName((*x)->op), TF_OperationName((*y)->op));
}

static int by_place(const void *a, const void *b) {
    const struct box *const *x = a, *const *y = b;
    if ((*x)->row != (*y)->row) return (*x)->row - (*y)->row;
    if ((*x)->wish != (*y)->wish) return (*x)->wish < (*y)->wish ? -1 : 1;
    return strcmp(TF_OperationName((*x)->op), TF_OperationName((*y)->op));
}

static struct box *box_of(struct box **sorted, size_t n, TF_Operation *op) {
    struct box key = {.op = op}, *key_at = &key;
    struct box **found = bsearch(&key_at, sorted, n, sizeof *sorted, by_name);
    return found ? *found : NULL;
}

/* Rows by repeated relaxation over the nodes in their order, which is one of producers first in nearly every file:
 * few rounds. */
static int find_rows(struct box *boxes, size_t n, struct box **sorted) {
    int rows = 1;
    for (int round = 0, changed = 1; changed && round < 64; round++) {
        changed = 0;
        for (size_t i = 0; i < n; i++) {
            if (!strcmp(TF_OperationOpType(boxes[i].op), "Merge") && round > 0)
                continue; /* its back edge would go round for ever */
            int inputs = TF_OperationNumInputs(boxes[i].op), row = boxes[i].row;
            for (int k = 0; k < inputs; k++) {
                TF_Operation *from = TF_OperationInput((TF_Input){boxes[i].op, k}).oper;
                if (!strcmp(TF_OperationOpType(from), "NextIteration")) continue;
                const struct box *b = box_of(sorted, n, from);
                if (b && b->row + 1 > row) row = b->row + 1;
            }
            changed |= row != boxes[i].row;
            boxes[i].row = row;
            if (row + 1 > rows) rows = row + 1;
        }
    }
    return rows;
}

static int place_boxes(struct box *boxes, size_t n, struct box **sorted, struct box **order) {
    int widest = 1;
    for (size_t i = 0; i < n; i++) order[i] = &boxes[i];
    for (int pass = 0; pass < 4; pass++) {
        for (size_t i = 0; i < n; i++) {
            int inputs = TF_OperationNumInputs(boxes[i].op), counted = 0;
            double sum = 0;
            for (int k = 0; k < inputs; k++) {
                const struct box *b = box_of(sorted, n, TF_OperationInput((TF_Input){boxes[i].op, k}).oper);
                if (b && b->row < boxes[i].row) {
                    sum += b->x;
                    counted++;
                }
            }
            boxes[i].wish = counted ? sum / counted : boxes[i].x;
        }
        qsort(order, n, sizeof *order, by_place);
        for (size_t i = 0, first = 0; i <= n; i++) {
            if (i < n && order[i]->row == order[first]->row) continue;
            int count = (int)(i - first);
            if (count > widest) widest = count;
            for (size_t j = first; j < i; j++) {
                order[j]->column = (int)(j - first);
                order[j]->x = ((double)(j - first) - (count - 1) / 2.0) * (BOX_WIDTH + GAP_X);
            }
            first = i;
        }
    }
    return widest;
}

static void draw_edge(const struct box *from, const struct box *to, double middle, bool is_control) {
    double x1 = middle + from->x, y1 = MARGIN + from->row * (BOX_HEIGHT + GAP_Y) + BOX_HEIGHT;
    double x2 = middle + to->x, y2 = MARGIN + to->row * (BOX_HEIGHT + GAP_Y);
    if (to->row <= from->row) { /* a back edge: round the side */
        double side = x1 + BOX_WIDTH * 0.75;
        printf("<path class=\"back\" d=\"M%.0f %.0f C%.0f %.0f %.0f %.0f %.0f %.0f\"/>\n", x1, y1, side, y1 + 30, side,
               y2 - 30, x2, y2);
        return;
    }
    printf("<path%s d=\"M%.0f %.0f C%.0f %.0f %.0f %.0f %.0f %.0f\"/>\n", is_control ? " class=\"control\"" : "", x1,
           y1, x1, y1 + GAP_Y * 0.6, x2, y2 - GAP_Y * 0.6, x2, y2);
}

static void draw_box(const struct box *b, double middle) {
    const char *name = TF_OperationName(b->op), *slash = strrchr(name, '/');
    char shown[26];
    snprintf(shown, sizeof shown, "%s", slash && strlen(name) > 24 ? slash + 1 : name);
    if (strlen(slash && strlen(name) > 24 ? slash + 1 : name) > 25) memcpy(shown + 22, "...", 4);
    double x = middle + b->x - BOX_WIDTH / 2.0, y = MARGIN + b->row * (BOX_HEIGHT + GAP_Y);
    printf("<g><title>");
    put_escaped(name, true);
    printf("</title><rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\"/>", x, y, BOX_WIDTH,
           BOX_HEIGHT, colour(b->op));
    printf("<text x=\"%.0f\" y=\"%.0f\">", middle + b->x, y + 17);
    put_escaped(shown, true);
    printf("</text><text class=\"op\" x=\"%.0f\" y=\"%.0f\">", middle + b->x, y + 32);
    put_escaped(TF_OperationOpType(b->op), true);
    printf("</text></g>\n");
}

void print_svg(TF_Graph *graph) {
    size_t n = 0, at = 0;
    while (TF_GraphNextOperation(graph, &at)) n++;
    struct box *boxes = must_allocate(NULL, (n + 1) * sizeof *boxes);
    struct box **sorted = must_allocate(NULL, (n + 1) * sizeof *sorted),
               **order = must_allocate(NULL, (n + 1) * sizeof *order);
    at = 0;
    for (size_t i = 0; i < n; i++) {
        boxes[i] = (struct box){.op = TF_GraphNextOperation(graph, &at)};
        sorted[i] = &boxes[i];
    }
    qsort(sorted, n, sizeof *sorted, by_name);
    int rows = find_rows(boxes, n, sorted), widest = place_boxes(boxes, n, sorted, order);
    int width = widest * (BOX_WIDTH + GAP_X) + 2 * MARGIN, height = rows * (BOX_HEIGHT + GAP_Y) + 2 * MARGIN;
    double middle = width / 2.0;
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
           "<style>rect{stroke:#667}text{font:12px sans-serif;text-anchor:middle}.op{fill:#556;font-size:10px}"
           "path{fill:none;stroke:#89a;stroke-width:1.2}.control{stroke-dasharray:4 3}.back{stroke:#d80}</style>\n"
           "<rect width=\"%d\" height=\"%d\" fill=\"white\" style=\"stroke:none\"/>\n",
           width, height, width, height, width, height);
    for (size_t i = 0; i < n; i++) {
        int inputs = TF_OperationNumInputs(boxes[i].op), controls = TF_OperationNumControlInputs(boxes[i].op);
        TF_Operation **from = must_allocate(NULL, (size_t)(controls + 1) * sizeof *from);
        controls = TF_OperationGetControlInputs(boxes[i].op, from, controls);
        for (int k = 0; k < inputs + controls; k++) {
            TF_Operation *source = k < inputs ? TF_OperationInput((TF_Input){boxes[i].op, k}).oper : from[k - inputs];
            const struct box *b = box_of(sorted, n, source);
            if (b) draw_edge(b, &boxes[i], middle, k >= inputs);
        }
        free(from);
    }
    for (size_t i = 0; i < n; i++) draw_box(&boxes[i], middle);
    puts("</svg>");
    free(boxes);
    free(sorted);
    free(order);
}
