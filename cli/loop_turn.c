/* The loop is kept, with a counter among its variables:
 *
 *     cond = LoopCond(LogicalAnd(as it was, counter < limit))
 *
 * Behind each Switch of the loop stands an Exit, which has the variable's value after `limit` iterations, so the nodes
 * that stand once more begin with it where they had a Merge. What they write (TensorArrays, stacks) is written once: by the loop
 * in the iterations before, by them in theirs. */
#include "loop_turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "graph_parts.h"

enum { NAME = 2048 };

struct frame {
    char *name;
    int parent; /* -1: in no loop */
};
struct graph_loops {
    struct graph_parts g;
    int *by_name;  /* numbers of nodes, sorted by their names */
    int *frame_of; /* of an Enter: the frame that it opens; of an Exit: the one that it leaves */
    struct frame *frames;
    int n_frames;
};

/* ---- the nodes of loops */

static const struct graph_parts *sorted_parts; /* for qsort */
static int compare_names(const void *a, const void *b) {
    return strcmp(sorted_parts->nodes[*(const int *)a].name, sorted_parts->nodes[*(const int *)b].name);
}

static int find(const struct graph_loops *l, const char *name, size_t n) {
    int low = 0, high = l->g.n;
    while (low < high) {
        const int middle = (low + high) / 2;
        const char *at = l->g.nodes[l->by_name[middle]].name;
        const int order = strncmp(at, name, n);
        if (order < 0) low = middle + 1;
        else if (order > 0 || at[n]) high = middle;
        else return l->by_name[middle];
    }
    return -1;
}

/* The node that an input is from; -1: there is none. */
static int source(const struct graph_loops *l, const char *input) {
    input += *input == '^';
    const char *colon = strrchr(input, ':');
    return find(l, input, colon ? (size_t)(colon - input) : strlen(input));
}

static bool is_op(const struct part *p, const char *op) { return !strcmp(p->op, op); }

static int depth_of(const struct graph_loops *l, int frame) {
    int depth = 0;
    for (; frame >= 0; frame = l->frames[frame].parent) depth++;
    return depth;
}

static int frame_number(struct graph_loops *l, struct bytes name, int parent) {
    for (int i = 0; i < l->n_frames; i++)
        if (l->frames[i].parent == parent && strlen(l->frames[i].name) == name.n &&
            !memcmp(l->frames[i].name, name.p, name.n))
            return i;
    l->frames = must_allocate(l->frames, (size_t)(l->n_frames + 1) * sizeof *l->frames);
    char *copy = must_allocate(NULL, name.n + 1);
    memcpy(copy, name.p, name.n);
    copy[name.n] = 0;
    l->frames[l->n_frames] = (struct frame){copy, parent};
    return l->n_frames++;
}

/* The innermost frame that the node's inputs are in. */
static int frame_of_inputs(const struct graph_loops *l, const struct part *p) {
    int frame = -1;
    for (int i = 0; i < p->n_inputs; i++) {
        const int from = source(l, p->inputs[i]);
        if (from < 0) continue;
        int other = l->frame_of[from];
        if (is_op(&l->g.nodes[from], "Exit") && other >= 0) other = l->frames[other].parent;
        if (depth_of(l, other) > depth_of(l, frame)) frame = other;
    }
    return frame;
}

static void find_frames(struct graph_loops *l) {
    bool changed = true;
    for (int i = 0; i < l->g.n; i++) l->frame_of[i] = -1;
    for (int pass = 0; changed && pass <= l->g.n; pass++) {
        changed = false;
        for (int i = 0; i < l->g.n; i++) {
            const struct part *p = &l->g.nodes[i];
            int frame = frame_of_inputs(l, p);
            if (is_op(p, "Enter")) frame = frame_number(l, bytes_of(part_attr(p, "frame_name"), 2), frame);
            changed = changed || frame != l->frame_of[i];
            l->frame_of[i] = frame;
        }
    }
}

struct graph_loops *graph_loops_read(TF_Graph *graph) {
    struct graph_loops *l = must_allocate(NULL, sizeof *l);
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *bytes = must_have(TF_NewBuffer());
    *l = (struct graph_loops){0};
    TF_GraphToGraphDef(graph, bytes, status);
    graph_parts_read(&l->g, (struct bytes){bytes->data, bytes->length});
    TF_DeleteBuffer(bytes);
    TF_DeleteStatus(status);
    l->by_name = must_allocate(NULL, ((size_t)l->g.n + 1) * sizeof *l->by_name);
    l->frame_of = must_allocate(NULL, ((size_t)l->g.n + 1) * sizeof *l->frame_of);
    for (int i = 0; i < l->g.n; i++) l->by_name[i] = i;
    sorted_parts = &l->g;
    if (l->g.n) qsort(l->by_name, (size_t)l->g.n, sizeof *l->by_name, compare_names);
    find_frames(l);
    return l;
}

void graph_loops_free(struct graph_loops *l) {
    if (!l) return;
    graph_parts_clear(&l->g);
    for (int i = 0; i < l->n_frames; i++) free(l->frames[i].name);
    free(l->frames);
    free(l->by_name);
    free(l->frame_of);
    free(l);
}

int graph_loops_count(const struct graph_loops *l) { return l->n_frames; }

int graph_loops_of_exit(const struct graph_loops *l, const char *node) {
    const int i = find(l, node, strlen(node));
    if (i < 0 || !is_op(&l->g.nodes[i], "Exit") || l->frame_of[i] < 0) return -1;
    return l->frames[l->frame_of[i]].parent < 0 ? l->frame_of[i] : -1;
}

int graph_loops_find(const struct graph_loops *l, const char *frame) {
    for (int i = 0; i < l->n_frames; i++)
        if (l->frames[i].parent < 0 && !strcmp(l->frames[i].name, frame)) return i;
    return -1;
}

const char *graph_loops_name(const struct graph_loops *l, int loop) { return l->frames[loop].name; }

static bool is_within(const struct graph_loops *l, int loop, int node) {
    int frame = l->frame_of[node];
    if (frame >= 0 && is_op(&l->g.nodes[node], "Exit")) frame = l->frames[frame].parent;
    for (; frame >= 0; frame = l->frames[frame].parent)
        if (frame == loop) return true;
    return false;
}

bool graph_loops_has(const struct graph_loops *l, int loop, const char *node) {
    const int i = find(l, node, strlen(node));
    return i >= 0 && is_within(l, loop, i);
}

/* ---- writing nodes */

static void put_attr(struct message *node, const char *name, struct bytes value) {
    struct message entry = {0};
    message_text(&entry, 1, name);
    message_bytes(&entry, 2, value.p, value.n);
    message_message(node, 5, &entry);
}

static void put_number_attr(struct part *p, const char *name, int field, uint64_t value) {
    struct message m = {0};
    message_number(&m, field, value);
    put_attr(&p->rest, name, (struct bytes){m.p, m.n});
    free(m.p);
}

static void put_text_attr(struct part *p, const char *name, const char *text) {
    struct message m = {0};
    message_text(&m, 2, text);
    put_attr(&p->rest, name, (struct bytes){m.p, m.n});
    free(m.p);
}

static void copy_attr(struct part *to, const struct part *from, const char *name) {
    const struct bytes value = part_attr(from, name);
    if (value.p) put_attr(&to->rest, name, value);
}

static struct part *add_node(struct graph_parts *g, const char *name, const char *op) {
    if (!(g->n & (g->n - 1))) g->nodes = must_allocate(g->nodes, (g->n ? 2 * (size_t)g->n : 1) * sizeof *g->nodes);
    struct part *p = &g->nodes[g->n++];
    *p = (struct part){.name = must_have(strdup(name)), .op = must_have(strdup(op))};
    return p;
}

static void add_input(struct part *p, const char *input) {
    p->inputs = must_allocate(p->inputs, (size_t)(p->n_inputs + 1) * sizeof *p->inputs);
    p->inputs[p->n_inputs++] = must_have(strdup(input));
}

/* ---- the loop with a limit */

struct turn {
    const struct graph_loops *l;
    struct graph_parts out;
    struct turn_names *names;
    int loop, depth, condition; /* the number of the LoopCond */
    const struct part *enter;   /* some Enter of the loop */
};

enum { BOOL_FIELD = 5, TYPE_FIELD = 6, INT_FIELD = 3 }; /* of AttrValue */

static char *counter_name(char text[NAME], const struct turn *t, const char *part) {
    snprintf(text, NAME, ".turns%d/%s", t->depth, part);
    return text;
}

static struct part *add_counter_node(struct turn *t, const char *name, const char *op, const char *a, const char *b) {
    char text[NAME];
    struct part *p = add_node(&t->out, counter_name(text, t, name), op);
    if (a) add_input(p, counter_name(text, t, a));
    if (b) add_input(p, counter_name(text, t, b));
    return p;
}

static void add_constant(struct turn *t, const char *name, int64_t value) {
    TF_Tensor *number = must_have(TF_AllocateTensor(TF_INT64, NULL, 0, sizeof value));
    memcpy(TF_TensorData(number), &value, sizeof value);
    part_set_value(add_counter_node(t, name, "Const", NULL, NULL), number);
    TF_DeleteTensor(number);
}

static void add_enter(struct turn *t, const char *name, const char *of, bool is_constant) {
    struct part *p = add_counter_node(t, name, "Enter", of, NULL);
    put_number_attr(p, "T", TYPE_FIELD, TF_INT64);
    copy_attr(p, t->enter, "frame_name");
    copy_attr(p, t->enter, "parallel_iterations");
    put_number_attr(p, "is_constant", BOOL_FIELD, is_constant);
}

static void add_counter(struct turn *t) {
    char text[NAME];
    struct part *limit = add_counter_node(t, "limit", "Placeholder", NULL, NULL);
    put_number_attr(limit, "dtype", TYPE_FIELD, TF_INT64);
    put_attr(&limit->rest, "shape", (struct bytes){(const unsigned char *)"\x3a\x00", 2}); /* shape {} */
    add_constant(t, "zero", 0);
    add_constant(t, "one", 1);
    add_enter(t, "begin", "zero", false);
    add_enter(t, "most", "limit", true);
    add_enter(t, "step", "one", true);
    struct part *merge = add_counter_node(t, "merge", "Merge", "begin", "next");
    put_number_attr(merge, "N", INT_FIELD, 2);
    put_number_attr(merge, "T", TYPE_FIELD, TF_INT64);
    put_number_attr(add_counter_node(t, "less", "Less", "merge", "most"), "T", TYPE_FIELD, TF_INT64);
    add_input(add_counter_node(t, "goes_on", "LogicalAnd", "less", NULL), t->l->g.nodes[t->condition].inputs[0]);
    struct part *part = add_counter_node(t, "switch", "Switch", "merge", NULL);
    add_input(part, t->l->g.nodes[t->condition].name);
    put_number_attr(part, "T", TYPE_FIELD, TF_INT64);
    put_number_attr(add_counter_node(t, "add", "AddV2", "switch:1", "step"), "T", TYPE_FIELD, TF_INT64);
    put_number_attr(add_counter_node(t, "next", "NextIteration", "add", NULL), "T", TYPE_FIELD, TF_INT64);
    t->names->limit = must_have(strdup(counter_name(text, t, "limit")));
}

/* The Switch by which the loop goes on with this variable, or ends; NULL: there is none. */
static const struct part *switch_of(const struct turn *t, int merge) {
    for (int i = 0; i < t->l->g.n; i++) {
        const struct part *p = &t->l->g.nodes[i];
        if (t->l->frame_of[i] == t->loop && is_op(p, "Switch") && p->n_inputs >= 2 &&
            source(t->l, p->inputs[0]) == merge && source(t->l, p->inputs[1]) == t->condition)
            return p;
    }
    return NULL;
}

static bool goes_back(const struct turn *t, const struct part *merge) {
    for (int i = 0; i < merge->n_inputs; i++) {
        const int from = source(t->l, merge->inputs[i]);
        if (from >= 0 && is_op(&t->l->g.nodes[from], "NextIteration")) return true;
    }
    return false;
}

/* ---- its nodes once more */

static void name_again(char text[NAME], const char *name) {
    const char *colon = strrchr(name, ':');
    const int n = colon ? (int)(colon - name) : (int)strlen(name);
    snprintf(text, NAME, "%.*s" TURN_SUFFIX "%s", n, name, colon ? colon : "");
}

/* An input of a node of the loop, for the node that stands there once more. */
static void add_again(const struct turn *t, struct part *p, const char *input) {
    char text[NAME];
    const int from = source(t->l, input);
    if (from >= 0 && is_within(t->l, t->loop, from)) {
        name_again(text, input);
        add_input(p, text);
    } else {
        add_input(p, input);
    }
}

/* All its attrs; loops within the loop get names of their own. */
static void copy_rest(struct part *to, const struct part *from) {
    struct bytes rest = {from->rest.p, from->rest.n};
    struct field f;
    char text[NAME];
    while (next_field(&f, &rest)) {
        const struct bytes key = bytes_of(f.bytes, 1), value = bytes_of(bytes_of(f.bytes, 2), 2);
        if (f.number != 5 || key.n != 10 || memcmp(key.p, "frame_name", 10) != 0) {
            message_bytes(&to->rest, (int)f.number, f.bytes.p, f.bytes.n);
            continue;
        }
        snprintf(text, NAME, "%.*s" TURN_SUFFIX, (int)value.n, (const char *)value.p);
        put_text_attr(to, "frame_name", text);
    }
}

static bool add_variable(struct turn *t, const struct part *merge, int number, struct part *again) {
    char text[NAME];
    const struct part *gate = switch_of(t, number);
    if (!gate) return false;
    if (strlen(merge->name) + 64 > NAME) return false;
    snprintf(text, NAME, ".turns%d/state/%s", t->depth, merge->name);
    add_input(again, text);
    struct part *end = add_node(&t->out, text, "Exit");
    add_input(end, gate->name);
    copy_attr(end, merge, "T");
    t->names->state = must_allocate(t->names->state, ((size_t)t->names->n_state + 1) * sizeof *t->names->state);
    t->names->state[t->names->n_state++] = must_have(strdup(text));
    return true;
}

static bool add_copy(struct turn *t, int number) {
    const struct part *p = &t->l->g.nodes[number];
    const bool is_own = t->l->frame_of[number] == t->loop;
    const bool is_condition = number == t->condition, is_back = is_own && is_op(p, "Merge") && goes_back(t, p);
    const bool passes = is_condition || is_back || (is_own && (is_op(p, "Enter") || is_op(p, "NextIteration")));
    char text[NAME];
    if (strlen(p->name) + sizeof TURN_SUFFIX > NAME) return false;
    name_again(text, p->name);
    const int at = t->out.n;
    add_node(&t->out, text, passes ? "Identity" : p->op);
    struct part again = t->out.nodes[at];
    if (p->device) again.device = must_have(strdup(p->device));
    if (is_condition) put_number_attr(&again, "T", TYPE_FIELD, TF_BOOL);
    else if (passes) copy_attr(&again, p, "T");
    else copy_rest(&again, p);
    bool ok = true;
    if (is_back) ok = add_variable(t, p, number, &again);
    for (int i = 0; i < p->n_inputs; i++)
        if (!is_back || *p->inputs[i] == '^') add_again(t, &again, p->inputs[i]);
    t->out.nodes[at] = again;
    return ok;
}

static bool has_references(const struct turn *t) {
    for (int i = 0; i < t->l->g.n; i++)
        if (!strncmp(t->l->g.nodes[i].op, "Ref", 3) && is_within(t->l, t->loop, i)) return true;
    return false;
}

/* The LoopCond and an Enter; false: there are none, or several. */
static bool find_ends(struct turn *t) {
    t->condition = -1;
    for (int i = 0; i < t->l->g.n; i++) {
        const struct part *p = &t->l->g.nodes[i];
        if (t->l->frame_of[i] != t->loop) continue;
        if (is_op(p, "Enter")) t->enter = p;
        if (!is_op(p, "LoopCond")) continue;
        if (t->condition >= 0 || p->n_inputs < 1) return false;
        t->condition = i;
    }
    return t->condition >= 0 && t->enter;
}

static void limit_condition(struct turn *t, struct part *condition) {
    char text[NAME];
    part_set_input(condition, 0, counter_name(text, t, "goes_on"));
}

TF_Buffer *loop_turn_graph(struct turn_names *names, const struct graph_loops *l, int loop, int depth) {
    struct turn t = {.l = l, .names = names, .loop = loop, .depth = depth};
    char text[NAME];
    *names = (struct turn_names){0};
    if (!find_ends(&t) || has_references(&t)) return NULL;
    struct graph_parts before = graph_parts_copy(&l->g);
    limit_condition(&t, &before.nodes[t.condition]);
    t.out.rest = before.rest;
    before.rest = (struct message){0};
    for (int i = 0; i < before.n; i++) {
        struct part *p = add_node(&t.out, "", "");
        part_clear(p);
        *p = before.nodes[i];
    }
    free(before.nodes);
    add_counter(&t);
    bool ok = true;
    for (int i = 0; i < l->g.n && ok; i++)
        if (is_within(l, loop, i)) ok = add_copy(&t, i);
    name_again(text, l->g.nodes[t.condition].name);
    names->condition = must_have(strdup(text));
    TF_Buffer *out = ok ? graph_parts_write(&t.out) : NULL;
    graph_parts_clear(&t.out);
    return out;
}

void turn_names_clear(struct turn_names *names) {
    for (int i = 0; i < names->n_state; i++) free(names->state[i]);
    free(names->state);
    free(names->limit);
    free(names->condition);
    *names = (struct turn_names){0};
}

int turn_bare_length(const char *name) {
    static const size_t end = sizeof TURN_SUFFIX - 1;
    size_t n = strlen(name);
    while (n > end && !memcmp(name + n - end, TURN_SUFFIX, end)) n -= end;
    return (int)n;
}
