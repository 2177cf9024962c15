/* A plan as a picture: SVG with a layout of its own (plan_layout.c), a column for each device; and all nodes for
 * Graphviz, a cluster for each device and loop. Colours differ in brightness and lines in dashes too, for print. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "plan_layout.h"

enum { LETTERS = 19, OP_LETTERS = 23, COLUMN_TOP = 62 };

static const char *const fills[] = {"#ffffff", "#cfe8ff", "#d4f5d0", "#ececec", "#ffe3b8", "#ffffff", "#ffffff"};
static const char *const travel_classes[] = {"data", "signal", "dead"};

/* ---- words on boxes */

/* The end of a name that is too long, from a slash where there is one. */
static void put_short(const char *name, size_t letters) {
    size_t n = strlen(name);
    if (n > letters) {
        const char *tail = name + n - (letters - 1), *slash = strchr(tail, '/');
        fputs("\xe2\x80\xa6", stdout);
        name = slash && slash[1] && strlen(slash) > letters / 3 ? slash : tail;
    }
    put_escaped(name, true);
}

static const char *box_name(const struct picture_box *b) {
    return b->title ? b->title : b->node->tensor ? b->node->tensor : b->node->name;
}

static void put_details(const struct plan *p, const struct picture_box *b) {
    char amount[AMOUNT_TEXT];
    const struct plan_node *n = b->node;
    if (n->peer >= 0) {
        bool is_send = n->role == ROLE_SEND;
        printf("%s %s", is_send ? "send to" : "receive from", p->devices[p->nodes[n->peer].device]);
        if (is_send && n->travel == TRANSFER_CONTROL) printf(" \xc2\xb7 control");
        else if (is_send && b->bytes >= 0) printf(" \xc2\xb7 %s", bytes_text(amount, b->bytes));
        return;
    }
    if (b->n_nodes > 1) printf("%d nodes", b->n_nodes);
    else if (!p->is_mere_graph && (n->role == ROLE_FED || n->role == ROLE_FETCHED))
        printf(n->role == ROLE_FED ? "fed" : "fetched");
    else put_short(n->type, OP_LETTERS);
    if (b->ns >= 1000) printf(" \xc2\xb7 %s", time_text(amount, b->ns));
}

static void put_tip(const struct plan *p, const struct picture_box *b) {
    char amount[AMOUNT_TEXT];
    const struct plan_node *n = b->node;
    put_escaped(box_name(b), true);
    if (p->is_mere_graph) printf("\n%s", b->n_nodes > 1 ? "group" : n->type);
    else printf("\n%s on %s, %s", b->n_nodes > 1 ? "group" : n->type, p->devices[n->device], time_text(amount, b->ns));
    if (n->frame > 0) {
        printf("\nin the loop ");
        put_escaped(p->frames[n->frame].name, true);
    }
    if (n->peer >= 0) printf("\n%s, %s", transfer_text(n->travel), bytes_text(amount, b->bytes));
    if (p->stage == SL_PLAN_PLACED && b->n_nodes == 1 && !p->is_mere_graph) printf("\n%s", reason_text(n->plan.reason));
    for (int d = 0; d < p->n_devices && b->n_nodes == 1 && n->plan.finish_ns; d++)
        if (n->plan.finish_ns[d] >= 0)
            printf("\nfinished on %s after %s", p->devices[d], time_text(amount, n->plan.finish_ns[d]));
}

/* ---- the parts of the picture */

static double middle_of(const struct picture_layout *l, const struct picture_box *b) {
    return l->lanes[b->lane].x + b->x;
}

static void draw_columns(const struct picture_layout *l) {
    const struct plan *p = l->plan;
    char time[AMOUNT_TEXT];
    double bottom = l->row_y[l->n_rows];
    for (int d = 0; d < p->n_devices; d++) {
        if (l->device_lanes[d] < 0) continue;
        int nodes = 0, sends = 0, recvs = 0, after = d + 1;
        double ns = 0;
        for (int i = 0; i < p->n_nodes; i++) {
            const struct plan_node *n = &p->nodes[i];
            if (n->device != d) continue;
            nodes++;
            sends += n->role == ROLE_SEND;
            recvs += n->role == ROLE_RECV;
            ns += plan_step_ns(p, n);
        }
        while (after < p->n_devices && l->device_lanes[after] < 0) after++;
        double x = l->column_x[d], width = l->column_x[after] - x - 10, top = COLUMN_TOP;
        printf("<rect class=\"device\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" rx=\"8\"/>\n", x, top,
               width, bottom - top);
        if (p->is_mere_graph) continue;
        printf("<text class=\"head\" x=\"%.0f\" y=\"%.0f\">%s</text>"
               "<text class=\"about\" x=\"%.0f\" y=\"%.0f\">%d nodes, %s",
               x + 14, top + 24, p->devices[d], x + 14, top + 40, nodes, time_text(time, ns));
        if (sends + recvs) printf(", %d sent, %d received", sends, recvs);
        printf("</text>\n");
    }
}

static void draw_loops(const struct picture_layout *l) {
    for (int i = 0; i < l->n_lanes; i++) {
        const struct picture_lane *lane = &l->lanes[i];
        if (!lane->depth || lane->last_row < lane->first_row) continue;
        int deeper = 0;
        for (int k = i + 1; k < l->n_lanes && l->lanes[k].depth > lane->depth; k++)
            if (l->lanes[k].first_row == lane->first_row && l->lanes[k].depth - lane->depth > deeper)
                deeper = l->lanes[k].depth - lane->depth;
        double top = l->row_y[lane->first_row] - 20 - 16 * deeper, bottom = l->row_y[lane->last_row] + BOX_HEIGHT + 9;
        printf("<rect class=\"loop\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" rx=\"8\"/>\n"
               "<text class=\"about\" x=\"%.0f\" y=\"%.0f\">loop ",
               lane->x - 6, top, lane->whole_width + 12, bottom - top, lane->x + 2, top + 13);
        put_short(l->plan->frames[lane->frame].name, LETTERS);
        printf("</text>\n");
    }
}

static const char *line_class(const struct picture_line *line) {
    switch (line->kind) {
    case EDGE_CONTROL: return "control";
    case EDGE_BACK: return "back";
    case EDGE_PAIR: return travel_classes[line->travel];
    default: return "edge";
    }
}

/* Down from a row to the next one: a curve within the space between them. */
static void put_curve(double x1, double y1, double x2, double y2) {
    double bend = (y2 - y1) * 0.55;
    printf("C%.0f %.0f %.0f %.0f %.0f %.0f", x1, y1 + bend, x2, y2 - bend, x2, y2);
}

static void draw_line(const struct picture_layout *l, const struct picture_line *line) {
    const struct picture_box *from = &l->boxes[line->from], *to = &l->boxes[line->to];
    const char *kind = line_class(line);
    double x = middle_of(l, from), y = l->row_y[from->row] + BOX_HEIGHT;
    double target_x = middle_of(l, to), target_y = l->row_y[to->row];
    double start = line->is_turned ? y + 5 : y, end = line->is_turned ? target_y : target_y - 5;
    printf("<path class=\"%s\" marker-%s=\"url(#%s)\" d=\"M%.0f %.0f", kind, line->is_turned ? "start" : "end", kind, x,
           start);
    y = start;
    for (int w = 0; w < line->n_wires; w++) {
        const struct picture_box *wire = &l->boxes[line->wires[w]];
        double wire_x = middle_of(l, wire), top = l->row_y[wire->row];
        put_curve(x, y, wire_x, top);
        x = wire_x;
        y = top + BOX_HEIGHT;
        printf("L%.0f %.0f", x, y);
    }
    put_curve(x, y, target_x, end);
    printf("\"/>\n");
}

static void draw_box(const struct picture_layout *l, const struct picture_box *b) {
    const struct plan_node *n = b->node;
    bool is_transfer = n->role == ROLE_SEND || n->role == ROLE_RECV;
    double x = middle_of(l, b) - BOX_WIDTH / 2.0, y = l->row_y[b->row];
    printf("<g><title>");
    put_tip(l->plan, b);
    printf("</title>");
    if (b->n_nodes > 1)
        printf("<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\"/>", x + 3, y + 3,
               BOX_WIDTH, BOX_HEIGHT, is_transfer ? BOX_HEIGHT / 2 : 6, fills[n->role]);
    printf("<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\"", x, y, BOX_WIDTH, BOX_HEIGHT,
           is_transfer ? BOX_HEIGHT / 2 : 6, fills[n->role]);
    if (is_transfer) printf(" class=\"end %s\"", travel_classes[n->travel]);
    else if (n->is_added) printf(" class=\"added\"");
    printf("/><text x=\"%.0f\" y=\"%.0f\">", x + BOX_WIDTH / 2.0, y + 16);
    put_short(box_name(b), is_transfer ? LETTERS - 2 : LETTERS);
    printf("</text><text class=\"op\" x=\"%.0f\" y=\"%.0f\">", x + BOX_WIDTH / 2.0, y + 30);
    put_details(l->plan, b);
    printf("</text></g>\n");
}

/* ---- the legend */

struct legend {
    double x;
};

static void legend_box(struct legend *g, const char *fill, const char *class, const char *text) {
    printf("<rect x=\"%.0f\" y=\"34\" width=\"22\" height=\"14\" rx=\"4\" fill=\"%s\"%s%s%s/>"
           "<text class=\"about\" x=\"%.0f\" y=\"45\">%s</text>\n",
           g->x, fill, *class ? " class=\"" : "", class, *class ? "\"" : "", g->x + 28, text);
    g->x += 44 + 6.2 * (double)strlen(text);
}

static void legend_line(struct legend *g, const char *class, const char *text) {
    printf("<path class=\"%s\" marker-end=\"url(#%s)\" d=\"M%.0f 41h24\"/>"
           "<text class=\"about\" x=\"%.0f\" y=\"45\">%s</text>\n",
           class, class, g->x, g->x + 36, text);
    g->x += 52 + 6.2 * (double)strlen(text);
}

static double draw_legend(const struct picture_layout *l) {
    bool has_role[ROLE_RECV + 1] = {false}, has_kind[EDGE_PAIR + 1] = {false}, has_travel[3] = {false},
                              has_added = false;
    struct legend g = {26};
    for (int b = 0; b < l->n_shown; b++) {
        has_role[l->boxes[b].node->role] = true;
        has_added = has_added || l->boxes[b].node->is_added;
    }
    for (int i = 0; i < l->n_lines; i++) {
        has_kind[l->lines[i].kind] = true;
        if (l->lines[i].kind == EDGE_PAIR) has_travel[l->lines[i].travel] = true;
    }
    bool is_graph = l->plan->is_mere_graph;
    if (has_role[ROLE_FED]) legend_box(&g, fills[ROLE_FED], "", is_graph ? "input" : "fed");
    if (has_role[ROLE_FETCHED]) legend_box(&g, fills[ROLE_FETCHED], "", is_graph ? "result" : "fetched");
    if (has_role[ROLE_CONSTANT]) legend_box(&g, fills[ROLE_CONSTANT], "", "constant");
    if (has_role[ROLE_FLOW]) legend_box(&g, fills[ROLE_FLOW], "", "control flow");
    if (has_added) legend_box(&g, fills[ROLE_FLOW], "added", "added to go along with a loop");
    if (has_kind[EDGE_CONTROL]) legend_line(&g, "control", "waits for");
    if (has_kind[EDGE_BACK]) legend_line(&g, "back", "next iteration");
    if (has_travel[TRANSFER_DATA]) legend_line(&g, "data", "sent");
    if (has_travel[TRANSFER_DEAD]) legend_line(&g, "dead", "sent, may be dead");
    if (has_travel[TRANSFER_CONTROL]) legend_line(&g, "signal", "sent signal");
    return g.x;
}

static void put_style(void) {
    static const char *const lines[][2] = {{"edge", "#7d8896"}, {"control", "#7d8896"}, {"back", "#c97a00"},
                                           {"data", "#1f6fb2"}, {"signal", "#7a4fb0"},  {"dead", "#c0392b"}};
    printf("<style>rect{stroke:#667;stroke-width:1}text{font:12px "
           "sans-serif;text-anchor:middle}.op{fill:#556;font-size:10px}"
           ".head{font-size:15px;font-weight:bold;text-anchor:start}.about{fill:#445;font-size:11px;text-anchor:start}"
           ".device{fill:#f6f8fa;stroke:#c5ccd4}.loop{fill:#fff6e6;stroke:#c97a00;stroke-dasharray:7 4}"
           ".added{stroke:#c97a00;stroke-dasharray:4 3}.none{stroke:none}"
           "path{fill:none;stroke-width:1.2}.edge,.control{stroke:#7d8896}.control{stroke-dasharray:4 3}"
           ".back{stroke:#c97a00;stroke-width:1.6}.data,.signal,.dead{stroke-width:2.2}.data{stroke:#1f6fb2}"
           ".signal{stroke:#7a4fb0;stroke-dasharray:7 4}.dead{stroke:#c0392b;stroke-dasharray:2 3}"
           ".end{stroke-dasharray:none}</style>\n<defs>");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        printf("<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"3\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
               "markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" "
               "style=\"fill:%s;stroke:none\"/></marker>",
               lines[i][0], lines[i][1]);
    printf("</defs>\n");
}

static void put_title(const struct picture_layout *l) {
    const struct plan *p = l->plan;
    printf("<text class=\"about\" x=\"26\" y=\"22\">%s: %d nodes",
           p->is_mere_graph             ? "graph"
           : p->stage == SL_PLAN_PLACED ? "placed"
                                        : "cut, after the passes that optimise",
           p->n_nodes);
    if (l->levels > 0)
        printf(", in %d boxes by name scope, %d level%s deep", l->n_shown, l->levels, l->levels > 1 ? "s" : "");
    else if (l->levels < 0) printf(", in %d boxes by op", l->n_shown);
    printf("</text>\n");
}

void print_plan_svg(const struct plan *p) {
    struct picture_layout l;
    layout_make(&l, p);
    double width = l.column_x[p->n_devices] + 14, height = l.row_y[l.n_rows] + 20;
    if (width < 900) width = 900; /* the legend */
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
           width, height, width, height);
    put_style();
    printf("<rect class=\"none\" width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n", width, height);
    put_title(&l);
    draw_legend(&l);
    draw_columns(&l);
    draw_loops(&l);
    for (int i = 0; i < l.n_lines; i++) draw_line(&l, &l.lines[i]);
    for (int b = 0; b < l.n_shown; b++) draw_box(&l, &l.boxes[b]);
    puts("</svg>");
    layout_clear(&l);
}

/* ---- Graphviz */

static void put_node(const struct plan *p, const struct plan_node *n) {
    int i = (int)(n - p->nodes);
    printf("      n%d [label=\"", i);
    put_escaped(n->tensor ? n->tensor : n->name, false);
    printf("\\n%s\", fillcolor=\"%s\"];\n", n->type, fills[n->role]);
}

static void put_cluster(const struct plan *p, int device, int frame) {
    if (frame) {
        printf("    subgraph cluster_%d_%d {\n      style=dashed; color=\"#c97a00\"; label=\"loop ", device, frame);
        put_escaped(p->frames[frame].name, false);
        puts("\";");
    }
    for (int i = 0; i < p->n_nodes; i++)
        if (p->nodes[i].device == device && p->nodes[i].frame == frame && !p->nodes[i].is_hidden)
            put_node(p, &p->nodes[i]);
    for (int f = frame + 1; f < p->n_frames; f++)
        if (p->frames[f].parent == frame) put_cluster(p, device, f);
    if (frame) puts("    }");
}

void print_plan_dot(const struct plan *p) {
    static const char *const styles[] = {"", " [style=dashed]", " [color=\"#c97a00\", constraint=false]",
                                         " [color=\"#1f6fb2\", penwidth=2.2]"};
    puts("digraph plan {\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];");
    for (int d = 0; d < p->n_devices; d++) {
        printf("  subgraph cluster_%d {\n    label=\"%s\";\n", d, p->devices[d]);
        put_cluster(p, d, 0);
        puts("  }");
    }
    for (int e = 0; e < p->n_edges; e++) {
        const struct plan_edge *edge = &p->edges[e];
        const struct plan_node *from = &p->nodes[edge->from], *to = &p->nodes[edge->to];
        if (from->is_hidden || to->is_hidden) continue;
        bool is_sent = from->device != to->device && edge->kind == EDGE_DATA;
        printf("  n%d -> n%d%s;\n", edge->from, edge->to, styles[is_sent ? EDGE_PAIR : edge->kind]);
    }
    puts("}");
}
