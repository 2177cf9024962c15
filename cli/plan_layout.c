/* The layout in five steps: boxes and lines from nodes and edges; lanes; rows, with at most so many boxes of a lane
 * in each; wires through the rows that a line crosses, so that it passes no box; and places within the rows, near
 * what a box is joined to. */
#include "plan_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan_groups.h"

enum { MARGIN = 24, PADDING = 18, LANE_GAP = 34, HEADER = 34, TOP = 92, SWEEPS = 8, NESTED_TITLE = 16 };

/* ---- boxes and lines */

static int *make_boxes(struct picture_layout *l) {
    const struct plan *p = l->plan;
    int *groups = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *groups);
    int *box_of = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *box_of);
    l->levels = groups_find(groups, p);
    l->boxes = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *l->boxes);
    for (int i = 0; i < p->n_nodes; i++) {
        const struct plan_node *n = &p->nodes[i];
        box_of[i] = -1;
        if (n->is_hidden) continue;
        if (groups[i] == i) l->boxes[l->n_boxes++] = (struct picture_box){.node = n, .row = -1};
        box_of[i] = groups[i] == i ? l->n_boxes - 1 : box_of[groups[i]];
        struct picture_box *b = &l->boxes[box_of[i]];
        if (b->node->role == ROLE_CONSTANT) b->node = n; /* others say more */
        b->n_nodes++;
        b->ns += plan_step_ns(p, n);
        b->bytes = n->bytes < 0 || b->bytes < 0 ? -1 : b->bytes + n->bytes;
    }
    for (int b = 0; b < l->n_boxes; b++)
        l->boxes[b].title = group_title(l->boxes[b].node, l->boxes[b].n_nodes, l->levels);
    l->n_shown = l->n_boxes;
    free(groups);
    return box_of;
}

static int by_ends(const void *a, const void *b) {
    const struct picture_line *x = a, *y = b;
    if (x->from != y->from) return x->from - y->from;
    if (x->to != y->to) return x->to - y->to;
    return (int)x->kind != (int)y->kind ? (int)x->kind - (int)y->kind : (int)x->travel - (int)y->travel;
}

static void make_lines(struct picture_layout *l, const int *box_of) {
    const struct plan *p = l->plan;
    int n = 0;
    l->lines = must_allocate(NULL, ((size_t)p->n_edges + 1) * sizeof *l->lines);
    for (int e = 0; e < p->n_edges; e++) {
        const struct plan_edge *edge = &p->edges[e];
        const struct plan_node *from = &p->nodes[edge->from], *to = &p->nodes[edge->to];
        struct picture_line line = {.from = box_of[edge->from], .to = box_of[edge->to], .kind = edge->kind};
        if (line.from < 0 || line.to < 0 || line.from == line.to) continue;
        if (edge->kind == EDGE_PAIR) line.travel = from->travel;
        else if (from->device != to->device) {
            line.travel = edge->kind == EDGE_CONTROL ? TRANSFER_CONTROL
                          : from->dead_depth > 0     ? TRANSFER_DEAD
                                                     : TRANSFER_DATA;
            if (edge->kind != EDGE_BACK) line.kind = EDGE_PAIR;
        }
        l->lines[n++] = line;
    }
    if (n) qsort(l->lines, (size_t)n, sizeof *l->lines, by_ends);
    for (int i = 0; i < n; i++)
        if (i == 0 || by_ends(&l->lines[i], &l->lines[l->n_lines - 1]) != 0) l->lines[l->n_lines++] = l->lines[i];
}

/* Boxes in an order in which lines go forwards, but for back edges and, between groups, those that close a cycle:
 * these are turned. */
static int *order_boxes(struct picture_layout *l) {
    int n = l->n_boxes, done = 0, next = 0;
    int *order = must_allocate(NULL, ((size_t)n + 1) * sizeof *order);
    int *rank = must_allocate(NULL, ((size_t)n + 1) * sizeof *rank);
    int *missing = must_allocate(NULL, ((size_t)n + 1) * sizeof *missing);
    memset(missing, 0, ((size_t)n + 1) * sizeof *missing);
    for (int i = 0; i < n; i++) rank[i] = -1;
    for (int i = 0; i < l->n_lines; i++) missing[l->lines[i].to] += l->lines[i].kind != EDGE_BACK;
    for (int i = 0; i < n; i++)
        if (!missing[i]) rank[order[done++] = i] = 0;
    for (; next < n; next++) {
        if (next == done) { /* a cycle: break it at the first of the rest */
            int i = 0;
            while (rank[i] >= 0) i++;
            rank[order[done++] = i] = 0;
        }
        rank[order[next]] = next;
        int first = 0, last = l->n_lines;
        while (first < last) { /* lines are sorted by `from` */
            int middle = (first + last) / 2;
            if (l->lines[middle].from < order[next]) first = middle + 1;
            else last = middle;
        }
        for (; first < l->n_lines && l->lines[first].from == order[next]; first++) {
            const struct picture_line *line = &l->lines[first];
            if (line->kind != EDGE_BACK && --missing[line->to] == 0 && rank[line->to] < 0)
                rank[order[done++] = line->to] = 0;
        }
    }
    for (int i = 0; i < l->n_lines; i++) {
        struct picture_line *line = &l->lines[i];
        if (rank[line->from] < rank[line->to]) continue;
        int from = line->from;
        line->from = line->to;
        line->to = from;
        line->is_turned = true;
    }
    free(rank);
    free(missing);
    return order;
}

/* ---- lanes */

static void add_lane(struct picture_layout *l, int device, int frame, int parent, const bool *is_used) {
    const struct plan *p = l->plan;
    int lane = l->n_lanes;
    l->lanes = must_allocate(l->lanes, ((size_t)lane + 1) * sizeof *l->lanes);
    l->lanes[l->n_lanes++] = (struct picture_lane){.device = device,
                                                   .frame = frame,
                                                   .parent = parent,
                                                   .first_row = 1 << 30,
                                                   .last_row = -1,
                                                   .depth = p->frames[frame].depth};
    for (int f = frame + 1; f < p->n_frames; f++)
        if (p->frames[f].parent == frame && is_used[f]) add_lane(l, device, f, lane, is_used);
}

static void make_lanes(struct picture_layout *l) {
    const struct plan *p = l->plan;
    bool *is_used = must_allocate(NULL, (size_t)p->n_frames * sizeof *is_used);
    l->device_lanes = must_allocate(NULL, ((size_t)p->n_devices + 1) * sizeof *l->device_lanes);
    for (int d = 0; d < p->n_devices; d++) {
        memset(is_used, 0, (size_t)p->n_frames * sizeof *is_used);
        bool any = false;
        for (int b = 0; b < l->n_boxes; b++)
            for (int f = l->levels == -2 ? 0 : l->boxes[b].node->frame; l->boxes[b].node->device == d;
                 f = p->frames[f].parent) {
                any = is_used[f] = true;
                if (f == 0) break;
            }
        l->device_lanes[d] = any ? l->n_lanes : -1;
        if (any) add_lane(l, d, 0, -1, is_used);
    }
    for (int b = 0; b < l->n_boxes; b++)
        for (int i = 0; i < l->n_lanes; i++)
            if (l->lanes[i].device == l->boxes[b].node->device &&
                l->lanes[i].frame == (l->levels == -2 ? 0 : l->boxes[b].node->frame))
                l->boxes[b].lane = i;
    free(is_used);
}

/* ---- rows */

struct rows {
    struct picture_layout *l;
    int *used; /* by lane and row: boxes there */
    int most_rows;
    int *most;         /* by lane: boxes of a row */
    int *begin, *into; /* lines by `to` */
};

static bool has_room(const struct rows *r, int box, int row) {
    int lane = r->l->boxes[box].lane;
    return r->used[lane * r->most_rows + row] < r->most[lane];
}

static void put(struct rows *r, int box, int row) {
    struct picture_box *b = &r->l->boxes[box];
    b->row = row;
    r->used[b->lane * r->most_rows + row]++;
    if (row + 1 > r->l->n_rows) r->l->n_rows = row + 1;
    for (int lane = b->lane; lane >= 0; lane = r->l->lanes[lane].parent) {
        if (row < r->l->lanes[lane].first_row) r->l->lanes[lane].first_row = row;
        if (row > r->l->lanes[lane].last_row) r->l->lanes[lane].last_row = row;
    }
}

static bool is_source(const struct rows *r, int box) { return r->begin[box] == r->begin[box + 1]; }

/* The sources that a box alone waits for stand above it, as near as there is room. */
static void put_sources(struct rows *r, int box) {
    for (int k = r->begin[box]; k < r->begin[box + 1]; k++) {
        int from = r->l->lines[r->into[k]].from, row = r->l->boxes[box].row - 1;
        if (r->l->boxes[from].row >= 0) continue;
        while (row > 0 && !has_room(r, from, row)) row--;
        put(r, from, row);
    }
}

static void put_below_inputs(struct rows *r, int box) {
    int row = 0, sources = 0, room = 0;
    for (int k = r->begin[box]; k < r->begin[box + 1]; k++) {
        int from = r->l->lines[r->into[k]].from, at = r->l->boxes[from].row;
        if (at < 0) sources++;
        if (at + 1 > row) row = at + 1;
    }
    if (sources && row == 0) row = 1;
    for (; row < r->most_rows - 1; row++) { /* room for itself, and above it for its sources */
        room = 0;
        int lane = r->l->boxes[box].lane;
        for (int above = 0; above < row && room < sources; above++)
            room += r->most[lane] - r->used[lane * r->most_rows + above];
        if (has_room(r, box, row) && room >= sources) break;
    }
    put(r, box, row);
    put_sources(r, box);
}

static void index_lines(struct rows *r) {
    const struct picture_layout *l = r->l;
    r->begin = must_allocate(NULL, ((size_t)l->n_boxes + 2) * sizeof *r->begin);
    r->into = must_allocate(NULL, ((size_t)l->n_lines + 1) * sizeof *r->into);
    memset(r->begin, 0, ((size_t)l->n_boxes + 2) * sizeof *r->begin);
    for (int i = 0; i < l->n_lines; i++) r->begin[l->lines[i].to + 1]++;
    for (int b = 0; b <= l->n_boxes; b++) r->begin[b + 1] += r->begin[b];
    int *at = must_allocate(NULL, ((size_t)l->n_boxes + 2) * sizeof *at);
    memcpy(at, r->begin, ((size_t)l->n_boxes + 2) * sizeof *at);
    for (int i = 0; i < l->n_lines; i++) r->into[at[l->lines[i].to]++] = i;
    free(at);
}

/* A device gets as much of the picture's width as it has of the boxes; loops are narrow. */
static int *row_limits(const struct picture_layout *l) {
    enum { LEAST = 2, MOST = 8, TOGETHER = 10, IN_LOOP = 3 };
    int *most = must_allocate(NULL, ((size_t)l->n_lanes + 1) * sizeof *most);
    for (int i = 0; i < l->n_lanes; i++) {
        int boxes = 0;
        for (int b = 0; b < l->n_boxes; b++) boxes += l->boxes[b].node->device == l->lanes[i].device;
        int share = (boxes * TOGETHER + l->n_boxes / 2) / l->n_boxes;
        most[i] = l->lanes[i].depth ? IN_LOOP : share < LEAST ? LEAST : share > MOST ? MOST : share;
    }
    return most;
}

static void make_rows(struct picture_layout *l, const int *order) {
    struct rows r = {.l = l, .most_rows = 2 * l->n_boxes + 2, .most = row_limits(l)};
    size_t size = (size_t)l->n_lanes * (size_t)r.most_rows + 1;
    r.used = must_allocate(NULL, size * sizeof *r.used);
    memset(r.used, 0, size * sizeof *r.used);
    index_lines(&r);
    for (int i = 0; i < l->n_boxes; i++)
        if (!is_source(&r, order[i])) put_below_inputs(&r, order[i]);
    for (int i = 0; i < l->n_boxes; i++) { /* what nobody reads */
        int row = 0;
        if (l->boxes[order[i]].row >= 0) continue;
        while (!has_room(&r, order[i], row)) row++;
        put(&r, order[i], row);
    }
    free(r.used);
    free(r.most);
    free(r.begin);
    free(r.into);
}

/* ---- wires */

/* The wires of one box in one lane, shared by lines that go further and less far. */
struct chain {
    int from, lane, n;
    enum edge_kind kind;
    enum transfer_kind travel;
    bool is_turned;
    int *wires;
};

static int wire_lane(const struct picture_layout *l, const struct picture_line *line) {
    int from = l->boxes[line->from].lane, to = l->boxes[line->to].lane;
    bool is_out = l->lanes[from].device == l->lanes[to].device && l->lanes[to].depth < l->lanes[from].depth;
    return is_out ? to : from;
}

static struct chain *find_chain(struct chain **chains, int *n, const struct picture_layout *l,
                                const struct picture_line *line) {
    int lane = wire_lane(l, line);
    for (int c = 0; c < *n; c++) {
        struct chain *x = &(*chains)[c];
        if (x->from == line->from && x->lane == lane && x->kind == line->kind && x->travel == line->travel &&
            x->is_turned == line->is_turned)
            return x;
    }
    *chains = must_allocate(*chains, ((size_t)*n + 1) * sizeof **chains);
    (*chains)[*n] = (struct chain){
        .from = line->from, .lane = lane, .kind = line->kind, .travel = line->travel, .is_turned = line->is_turned};
    return &(*chains)[(*n)++];
}

static void make_wires(struct picture_layout *l) {
    struct chain *chains = NULL;
    int n = 0;
    for (int i = 0; i < l->n_lines; i++) {
        struct picture_line *line = &l->lines[i];
        int first = l->boxes[line->from].row + 1;
        line->n_wires = l->boxes[line->to].row - first;
        if (line->n_wires <= 0) continue;
        struct chain *chain = find_chain(&chains, &n, l, line);
        if (chain->n < line->n_wires) {
            chain->wires = must_allocate(chain->wires, (size_t)line->n_wires * sizeof(int));
            l->boxes = must_allocate(l->boxes, ((size_t)l->n_boxes + (size_t)line->n_wires) * sizeof *l->boxes);
        }
        for (; chain->n < line->n_wires; chain->n++) {
            chain->wires[chain->n] = l->n_boxes;
            l->boxes[l->n_boxes++] =
                (struct picture_box){.lane = chain->lane, .row = first + chain->n, .is_wire = true};
        }
        line->wires = must_allocate(NULL, (size_t)line->n_wires * sizeof(int));
        memcpy(line->wires, chain->wires, (size_t)line->n_wires * sizeof(int));
    }
    for (int c = 0; c < n; c++) free(chains[c].wires);
    free(chains);
}

/* ---- places */

/* The boxes of one row of one lane, from left to right. */
struct cell {
    int n, *boxes;
};

struct places {
    struct picture_layout *l;
    struct cell *cells; /* by row and lane */
    int (*links)[2];    /* upper and lower box, in neighbouring rows */
    int n_links;
    double *sum; /* by box: of neighbours' places */
    int *count;
};

static double width_of(const struct picture_box *b) { return b->is_wire ? WIRE_WIDTH : BOX_WIDTH + BOX_GAP; }
static double place_of(const struct picture_layout *l, const struct picture_box *b) {
    return l->lanes[b->lane].x + b->x;
}

static void link_boxes(struct places *p, int upper, int lower) {
    if (p->n_links % 256 == 0) p->links = must_allocate(p->links, ((size_t)p->n_links + 256) * sizeof *p->links);
    p->links[p->n_links][0] = upper;
    p->links[p->n_links++][1] = lower;
}

static void make_links(struct places *p) {
    for (int i = 0; i < p->l->n_lines; i++) {
        const struct picture_line *line = &p->l->lines[i];
        int last = line->from;
        for (int w = 0; w < line->n_wires; w++) {
            link_boxes(p, last, line->wires[w]);
            last = line->wires[w];
        }
        link_boxes(p, last, line->to);
    }
}

static struct cell *cell_at(const struct places *p, int row, int lane) { return &p->cells[row * p->l->n_lanes + lane]; }

static void make_cells(struct places *p) {
    struct picture_layout *l = p->l;
    size_t n = (size_t)l->n_rows * (size_t)l->n_lanes + 1;
    p->cells = must_allocate(NULL, n * sizeof *p->cells);
    memset(p->cells, 0, n * sizeof *p->cells);
    for (int b = 0; b < l->n_boxes; b++) {
        struct cell *c = cell_at(p, l->boxes[b].row, l->boxes[b].lane);
        if (c->n % 16 == 0) c->boxes = must_allocate(c->boxes, ((size_t)c->n + 16) * sizeof(int));
        c->boxes[c->n++] = b;
    }
}

/* The rows in which a lane, or one within it, has boxes or wires. */
struct extent {
    int first, last;
};

/* A lane is as wide as its fullest row. */
static void measure_lane(const struct places *p, struct extent *extents, int i) {
    struct picture_lane *lane = &p->l->lanes[i];
    lane->width = lane->depth ? 0 : BOX_WIDTH + BOX_GAP;
    for (int row = 0; row < p->l->n_rows; row++) {
        const struct cell *c = cell_at(p, row, i);
        double width = 0;
        for (int k = 0; k < c->n; k++) width += width_of(&p->l->boxes[c->boxes[k]]);
        if (width > lane->width) lane->width = width;
        if (c->n && row < extents[i].first) extents[i].first = row;
        if (c->n && row > extents[i].last) extents[i].last = row;
    }
}

/* The first lane before `i` in the same lane that starts a stack in which no lane shares a row with `i`; `i` itself
 * when it starts one. */
static int find_stack(const struct picture_layout *l, const struct extent *extents, const int *stacks, int i) {
    for (int first = l->lanes[i].parent + 1; first < i; first++) {
        bool fits = l->lanes[first].parent == l->lanes[i].parent && stacks[first] == first;
        for (int k = first; k < i && fits; k++)
            if (l->lanes[k].parent == l->lanes[i].parent && stacks[k] == first)
                fits = extents[k].last < extents[i].first || extents[i].last < extents[k].first;
        if (fits) return first;
    }
    return i;
}

/* Puts the lanes within lane `i` beside its own boxes, one below the other where their rows allow it. Their x counts
 * from that of `i` until set_widths moves them. */
static void arrange_within(struct picture_layout *l, int *stacks, const struct extent *extents, int i) {
    struct picture_lane *lane = &l->lanes[i];
    double x = lane->width + (lane->width > 0 ? LANE_GAP : LANE_GAP / 2);
    lane->whole_width = lane->width;
    for (int first = i + 1; first < l->n_lanes && l->lanes[first].depth > lane->depth; first++)
        if (l->lanes[first].parent == i) stacks[first] = find_stack(l, extents, stacks, first);
    for (int first = i + 1; first < l->n_lanes && l->lanes[first].depth > lane->depth; first++) {
        double widest = 0;
        if (l->lanes[first].parent != i || stacks[first] != first) continue;
        for (int k = first; k < l->n_lanes && l->lanes[k].depth > lane->depth; k++) {
            if (l->lanes[k].parent != i || stacks[k] != first) continue;
            l->lanes[k].x = x;
            if (l->lanes[k].whole_width > widest) widest = l->lanes[k].whole_width;
        }
        lane->whole_width = x + widest + 12;
        x += widest + LANE_GAP;
    }
}

/* Columns from left to right, lanes within them. */
static void set_widths(struct places *p) {
    struct picture_layout *l = p->l;
    double x = MARGIN;
    struct extent *extents = must_allocate(NULL, ((size_t)l->n_lanes + 1) * sizeof *extents);
    int *stacks = must_allocate(NULL, ((size_t)l->n_lanes + 1) * sizeof *stacks);
    l->column_x = must_allocate(NULL, ((size_t)l->plan->n_devices + 1) * sizeof *l->column_x);
    for (int i = 0; i < l->n_lanes; i++) extents[i] = (struct extent){l->n_rows, -1};
    for (int i = l->n_lanes; i-- > 0;) { /* inner lanes come after outer ones */
        int parent = l->lanes[i].parent;
        measure_lane(p, extents, i);
        arrange_within(l, stacks, extents, i);
        if (parent < 0) continue;
        if (extents[i].first < extents[parent].first) extents[parent].first = extents[i].first;
        if (extents[i].last > extents[parent].last) extents[parent].last = extents[i].last;
    }
    for (int i = 0; i < l->n_lanes; i++) {
        struct picture_lane *lane = &l->lanes[i];
        if (lane->depth) {
            lane->x += l->lanes[lane->parent].x;
            continue;
        }
        l->column_x[lane->device] = x;
        lane->x = x + PADDING;
        x += lane->whole_width + LANE_GAP + PADDING;
    }
    l->column_x[l->plan->n_devices] = x;
    free(extents);
    free(stacks);
}

struct wish {
    double x;
    int box;
};

static int by_wish(const void *a, const void *b) {
    const struct wish *x = a, *y = b;
    if (x->x != y->x) return x->x < y->x ? -1 : 1;
    return x->box - y->box;
}

static void sort_cell(const struct picture_layout *l, struct cell *c) {
    struct wish *wishes = must_allocate(NULL, ((size_t)c->n + 1) * sizeof *wishes);
    for (int k = 0; k < c->n; k++) wishes[k] = (struct wish){l->boxes[c->boxes[k]].wish, c->boxes[k]};
    if (c->n) qsort(wishes, (size_t)c->n, sizeof *wishes, by_wish);
    for (int k = 0; k < c->n; k++) c->boxes[k] = wishes[k].box;
    free(wishes);
}

/* Puts the boxes of a cell as near to their wishes as they can stand side by side; in the order of their wishes with
 * `sorts`. */
static void settle(struct picture_layout *l, struct cell *c, int lane, bool sorts) {
    double left = 0, right = l->lanes[lane].width;
    if (sorts) sort_cell(l, c);
    for (int k = 0; k < c->n; k++) {
        struct picture_box *b = &l->boxes[c->boxes[k]];
        double half = width_of(b) / 2, wish = b->wish - l->lanes[lane].x;
        b->x = wish > left + half ? wish : left + half;
        left = b->x + half;
    }
    for (int k = c->n; k-- > 0;) {
        struct picture_box *b = &l->boxes[c->boxes[k]];
        double half = width_of(b) / 2;
        if (b->x > right - half) b->x = right - half;
        right = b->x - half;
    }
}

/* Each box wishes for the middle of its neighbours above (`side` 0), below (1) or both (2). */
static void sweep(struct places *p, int side, bool sorts) {
    struct picture_layout *l = p->l;
    for (int i = 0; i < l->n_rows; i++) {
        int row = side == 1 ? l->n_rows - 1 - i : i;
        memset(p->sum, 0, (size_t)l->n_boxes * sizeof *p->sum);
        memset(p->count, 0, (size_t)l->n_boxes * sizeof *p->count);
        for (int k = 0; k < p->n_links; k++)
            for (int end = 0; end < 2; end++) { /* end 1: the lower one looks up */
                int box = p->links[k][end], other = p->links[k][!end];
                if (l->boxes[box].row != row || (side != 2 && side == end)) continue;
                p->sum[box] += place_of(l, &l->boxes[other]);
                p->count[box]++;
            }
        for (int lane = 0; lane < l->n_lanes; lane++) {
            struct cell *c = cell_at(p, row, lane);
            for (int k = 0; k < c->n; k++) {
                int b = c->boxes[k];
                l->boxes[b].wish = p->count[b] ? p->sum[b] / p->count[b] : place_of(l, &l->boxes[b]);
            }
            settle(l, c, lane, sorts);
        }
    }
}

/* Whether a wire could go through its row at x, counted from its lane's left. */
static bool is_free(const struct places *p, int wire, double x) {
    const struct picture_layout *l = p->l;
    const struct picture_box *b = &l->boxes[wire];
    const struct cell *c = cell_at(p, b->row, b->lane);
    if (x < WIRE_WIDTH / 2.0 || x > l->lanes[b->lane].width - WIRE_WIDTH / 2.0) return false;
    for (int k = 0; k < c->n; k++) {
        const struct picture_box *other = &l->boxes[c->boxes[k]];
        if (c->boxes[k] != wire && fabs(other->x - x) < (WIRE_WIDTH + width_of(other)) / 2 - 0.01) return false;
    }
    return true;
}

/* How many wires of a line from its w-th on could stand at x. */
static int free_run(const struct places *p, const struct picture_line *line, int w, double x) {
    int n = 0;
    while (w + n < line->n_wires && is_free(p, line->wires[w + n], x)) n++;
    return n;
}

/* Makes a line straight as far as there is room: below where it comes from, above where it goes, or where one of its
 * wires is. */
static void straighten(struct places *p, const struct picture_line *line) {
    struct picture_layout *l = p->l;
    for (int w = 0; w < line->n_wires;) {
        double left = l->lanes[l->boxes[line->wires[w]].lane].x, best = l->boxes[line->wires[w]].x;
        int longest = 0;
        for (int k = -2; k < line->n_wires; k++) {
            int box = k == -2 ? line->from : k == -1 ? line->to : line->wires[k];
            double x = place_of(l, &l->boxes[box]) - left;
            int n = free_run(p, line, w, x);
            if (n > longest) {
                longest = n;
                best = x;
            }
        }
        for (int end = w + (longest ? longest : 1); w < end; w++) l->boxes[line->wires[w]].x = best;
    }
}

static int by_length(const void *a, const void *b) {
    const struct picture_line *const *x = a, *const *y = b;
    if ((*x)->n_wires != (*y)->n_wires) return (*y)->n_wires - (*x)->n_wires;
    return by_ends(*x, *y);
}

/* The longest first, each wire once: shorter lines share those of a longer one. */
static void straighten_all(struct places *p) {
    struct picture_layout *l = p->l;
    const struct picture_line **lines = must_allocate(NULL, ((size_t)l->n_lines + 1) * sizeof(struct picture_line *));
    bool *is_done = must_allocate(NULL, ((size_t)l->n_boxes + 1) * sizeof *is_done);
    memset(is_done, 0, ((size_t)l->n_boxes + 1) * sizeof *is_done);
    for (int i = 0; i < l->n_lines; i++) lines[i] = &l->lines[i];
    if (l->n_lines) qsort(lines, (size_t)l->n_lines, sizeof(struct picture_line *), by_length);
    for (int i = 0; i < l->n_lines; i++) {
        if (lines[i]->n_wires <= 0 || is_done[lines[i]->wires[0]]) continue;
        straighten(p, lines[i]);
        for (int w = 0; w < lines[i]->n_wires; w++) is_done[lines[i]->wires[w]] = true;
    }
    free(lines);
    free(is_done);
}

static void make_places(struct picture_layout *l, struct places *p) {
    *p = (struct places){.l = l};
    p->sum = must_allocate(NULL, ((size_t)l->n_boxes + 1) * sizeof *p->sum);
    p->count = must_allocate(NULL, ((size_t)l->n_boxes + 1) * sizeof *p->count);
    make_links(p);
    make_cells(p);
    set_widths(p);
    for (int b = 0; b < l->n_boxes; b++) l->boxes[b].wish = l->lanes[l->boxes[b].lane].x;
    for (int i = 0; i < SWEEPS; i++) sweep(p, i % 2, true);
    for (int i = 0; i < SWEEPS; i++) sweep(p, 2, false);
    straighten_all(p);
}

/* The space between two rows: more where lines go far to the side, and for the titles of loops. */
static void set_heights(struct picture_layout *l, const struct places *p) {
    l->row_y = must_allocate(NULL, ((size_t)l->n_rows + 1) * sizeof *l->row_y);
    double *far = must_allocate(NULL, ((size_t)l->n_rows + 2) * sizeof *far);
    double *above = must_allocate(NULL, ((size_t)l->n_rows + 2) * sizeof *above);
    memset(far, 0, ((size_t)l->n_rows + 2) * sizeof *far);
    memset(above, 0, ((size_t)l->n_rows + 2) * sizeof *above);
    for (int k = 0; k < p->n_links; k++) {
        const struct picture_box *upper = &l->boxes[p->links[k][0]], *lower = &l->boxes[p->links[k][1]];
        double distance = fabs(place_of(l, upper) - place_of(l, lower));
        if (distance > far[lower->row]) far[lower->row] = distance;
    }
    for (int i = 0; i < l->n_lanes; i++) {
        const struct picture_lane *lane = &l->lanes[i];
        if (!lane->depth || lane->last_row < lane->first_row) continue;
        double title = 14 + NESTED_TITLE * lane->depth;
        if (title > above[lane->first_row]) above[lane->first_row] = title;
        if (14 > above[lane->last_row + 1]) above[lane->last_row + 1] = 14;
    }
    double y = TOP + HEADER;
    for (int row = 0; row < l->n_rows; row++) {
        double spread = 2.0 * sqrt(far[row]);
        if (row > 0) y += BOX_HEIGHT + 24 + (spread > 60 ? 60 : spread);
        y += above[row];
        l->row_y[row] = y;
    }
    l->row_y[l->n_rows] = y + BOX_HEIGHT + above[l->n_rows] + PADDING;
    free(far);
    free(above);
}

void layout_make(struct picture_layout *out, const struct plan *p) {
    struct places places;
    *out = (struct picture_layout){.plan = p};
    int *box_of = make_boxes(out);
    make_lines(out, box_of);
    int *order = order_boxes(out);
    make_lanes(out);
    make_rows(out, order);
    make_wires(out);
    make_places(out, &places);
    set_heights(out, &places);
    for (int c = 0; c < out->n_rows * out->n_lanes; c++) free(places.cells[c].boxes);
    free(places.cells);
    free(places.links);
    free(places.sum);
    free(places.count);
    free(box_of);
    free(order);
}

void layout_clear(struct picture_layout *l) {
    for (int b = 0; b < l->n_boxes; b++) free(l->boxes[b].title);
    for (int i = 0; i < l->n_lines; i++) free(l->lines[i].wires);
    free(l->boxes);
    free(l->lines);
    free(l->lanes);
    free(l->row_y);
    free(l->column_x);
    free(l->device_lanes);
}
