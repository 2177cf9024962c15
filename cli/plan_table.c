/* A plan as tables: what each device does, what goes between them, where each node is and why. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

/* What goes from one device to another: a pair or, before the cut, what will be one. */
struct transfer {
    int from, to, frame;
    enum transfer_kind kind;
    int64_t bytes;
    const char *name;
    int node, output; /* that makes it */
};
struct transfers {
    struct transfer *items;
    int n;
};

static void add_transfer(struct transfers *t, struct transfer transfer) {
    if (t->n % 64 == 0) t->items = must_allocate(t->items, ((size_t)t->n + 64) * sizeof *t->items);
    t->items[t->n++] = transfer;
}

static int by_value(const void *a, const void *b) {
    const struct transfer *x = a, *y = b;
    if (x->node != y->node) return x->node - y->node;
    return x->output != y->output ? x->output - y->output : x->to - y->to;
}

static int by_way(const void *a, const void *b) {
    const struct transfer *x = a, *y = b;
    if (x->from != y->from) return x->from - y->from;
    return x->to != y->to ? x->to - y->to : by_value(a, b);
}

/* Edges between devices, one for each value and device that reads it. */
static void find_crossings(struct transfers *t, const struct plan *p) {
    int n = 0;
    for (int e = 0; e < p->n_edges; e++) {
        const struct plan_edge *edge = &p->edges[e];
        const struct plan_node *from = &p->nodes[edge->from], *to = &p->nodes[edge->to];
        if (from->device == to->device) continue;
        enum transfer_kind kind = edge->kind == EDGE_CONTROL ? TRANSFER_CONTROL
                                  : from->dead_depth > 0     ? TRANSFER_DEAD
                                                             : TRANSFER_DATA;
        add_transfer(t, (struct transfer){from->device, to->device, frame_behind(p, from), kind, -1, from->name,
                                          edge->from, edge->output});
    }
    if (t->n) qsort(t->items, (size_t)t->n, sizeof *t->items, by_value);
    for (int i = 0; i < t->n; i++)
        if (i == 0 || by_value(&t->items[i], &t->items[n - 1]) != 0) t->items[n++] = t->items[i];
    t->n = n;
    for (int i = 0; i < n; i++) {
        const struct plan_node *from = &p->nodes[t->items[i].node];
        t->items[i].bytes =
            t->items[i].output < 0 ? 0 : output_bytes(from->graph, (TF_Output){from->op, t->items[i].output});
    }
}

static struct transfers find_transfers(const struct plan *p) {
    struct transfers t = {NULL, 0};
    for (int i = 0; i < p->n_nodes && p->stage == SL_PLAN_CUT; i++) {
        const struct plan_node *n = &p->nodes[i];
        if (n->role == ROLE_SEND && n->peer >= 0)
            add_transfer(&t, (struct transfer){n->device, p->nodes[n->peer].device, n->frame, n->travel, n->bytes,
                                               n->tensor, i, 0});
    }
    if (p->stage != SL_PLAN_CUT) find_crossings(&t, p);
    if (t.n) qsort(t.items, (size_t)t.n, sizeof *t.items, by_way);
    return t;
}

/* ---- devices */

struct device_sums {
    int nodes, sends, recvs;
    double ns;
    int64_t bytes_out, bytes_in; /* of those that are known */
    bool is_more_out, is_more_in;
};

static void add_bytes(int64_t *sum, bool *is_more, int64_t bytes) {
    if (bytes < 0 || *sum > INT64_MAX - bytes) *is_more = true;
    else *sum += bytes;
}

static const char *sum_text(char text[AMOUNT_TEXT + 1], int64_t bytes, bool is_more) {
    bytes_text(text, bytes);
    if (is_more) strcat(text, "+");
    return text;
}

static void print_devices(const struct plan *p, const struct transfers *t) {
    char time[AMOUNT_TEXT], out[AMOUNT_TEXT + 1], in[AMOUNT_TEXT + 1];
    struct device_sums *sums = must_allocate(NULL, ((size_t)p->n_devices + 1) * sizeof *sums);
    memset(sums, 0, ((size_t)p->n_devices + 1) * sizeof *sums);
    for (int i = 0; i < p->n_nodes; i++) {
        sums[p->nodes[i].device].nodes++;
        sums[p->nodes[i].device].ns += plan_step_ns(p, &p->nodes[i]);
    }
    for (int i = 0; i < t->n; i++) {
        struct device_sums *from = &sums[t->items[i].from], *to = &sums[t->items[i].to];
        from->sends++;
        to->recvs++;
        add_bytes(&from->bytes_out, &from->is_more_out, t->items[i].bytes);
        add_bytes(&to->bytes_in, &to->is_more_in, t->items[i].bytes);
    }
    printf("%-10s %7s %10s %8s %10s %8s %10s\n", "device", "nodes", "time", "sends", "bytes", "receives", "bytes");
    for (int d = 0; d < p->n_devices; d++)
        printf("%-10s %7d %10s %8d %10s %8d %10s\n", p->devices[d], sums[d].nodes, time_text(time, sums[d].ns),
               sums[d].sends, sum_text(out, sums[d].bytes_out, sums[d].is_more_out), sums[d].recvs,
               sum_text(in, sums[d].bytes_in, sums[d].is_more_in));
    free(sums);
}

static void print_transfers(const struct plan *p, const struct transfers *t) {
    char bytes[AMOUNT_TEXT];
    if (!t->n) return;
    printf("\n%-10s %-10s %-12s %10s  %s\n", "from", "to", "kind", "bytes", "tensor");
    for (int i = 0; i < t->n; i++) {
        const struct transfer *x = &t->items[i];
        printf("%-10s %-10s %-12s %10s  %s", p->devices[x->from], p->devices[x->to], transfer_text(x->kind),
               bytes_text(bytes, x->bytes), x->name);
        if (p->frames[x->frame].depth) printf("   (in %s)", p->frames[x->frame].name);
        printf("\n");
    }
}

static void print_loops(const struct plan *p) {
    enum { ABSENT, PRESENT, GOES_ALONG };
    size_t devices = (size_t)p->n_devices, size = (size_t)p->n_frames * devices;
    char *is_there = must_allocate(NULL, size);
    memset(is_there, ABSENT, size);
    for (int i = 0; i < p->n_nodes; i++) {
        char *at = &is_there[(size_t)p->nodes[i].frame * devices + (size_t)p->nodes[i].device];
        if (*at != GOES_ALONG) *at = p->nodes[i].is_added ? GOES_ALONG : PRESENT;
    }
    for (int f = 1; f < p->n_frames; f++) {
        printf("%s%-*s %s, on", f == 1 ? "\n" : "", 10, f == 1 ? "loops" : "", p->frames[f].name);
        for (size_t d = 0; d < devices; d++) {
            char at = is_there[(size_t)f * devices + d];
            if (at) printf(" %s%s", p->devices[d], at == GOES_ALONG ? " (with a loop of its own)" : "");
        }
        printf("\n");
    }
    free(is_there);
}

/* ---- nodes */

static void print_reasons(const struct plan *p) {
    int counts[SL_PLAN_FIRST + 1] = {0};
    bool is_first = true;
    for (int i = 0; i < p->n_nodes; i++) counts[p->nodes[i].plan.reason]++;
    printf("\n");
    for (int r = 0; r <= SL_PLAN_FIRST; r++) {
        if (!counts[r]) continue;
        printf("%-10s %7d  %s\n", is_first ? "why" : "", counts[r], reason_text((enum sl_plan_reason)r));
        is_first = false;
    }
}

static void print_nodes(const struct plan *p) {
    char time[AMOUNT_TEXT];
    int width = 4, op_width = 2;
    for (int i = 0; i < p->n_nodes; i++) {
        if ((int)strlen(p->nodes[i].name) > width) width = (int)strlen(p->nodes[i].name);
        if ((int)strlen(p->nodes[i].type) > op_width) op_width = (int)strlen(p->nodes[i].type);
    }
    printf("\n%-*s %-*s %-10s %10s%s\n", width, "node", op_width, "op", "device", "time",
           p->stage == SL_PLAN_PLACED ? "  why" : "");
    for (int i = 0; i < p->n_nodes; i++) {
        const struct plan_node *n = &p->nodes[i];
        printf("%-*s %-*s %-10s %10s", width, n->name, op_width, n->type, p->devices[n->device],
               time_text(time, plan_step_ns(p, n)));
        if (p->stage == SL_PLAN_PLACED) printf("  %s", reason_text(n->plan.reason));
        const char *separator = ": done on";
        for (int d = 0; d < p->n_devices && n->plan.finish_ns; d++) {
            if (n->plan.finish_ns[d] < 0) continue;
            printf("%s %s after %s", separator, p->devices[d], time_text(time, n->plan.finish_ns[d]));
            separator = ",";
        }
        printf("\n");
    }
}

void print_plan_table(const struct plan *p, bool lists_nodes) {
    struct transfers t = find_transfers(p);
    printf("%s\n", p->stage == SL_PLAN_PLACED ? "placed" : "cut, after the passes that optimise");
    print_devices(p, &t);
    if (p->stage == SL_PLAN_PLACED) print_reasons(p);
    print_loops(p);
    print_transfers(p, &t);
    if (lists_nodes) print_nodes(p);
    free(t.items);
}
