/* Follows waits through the graph. The library knows what waits and on what; the graph knows who else uses that. */
#include "stuck.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* ---- nodes in a set, by the graph's order */

struct reach {
    TF_Operation **items;
    int n, room;
};

static bool has(const struct reach *r, const TF_Operation *op) {
    for (int i = 0; i < r->n; i++)
        if (r->items[i] == op) return true;
    return false;
}

static void add(struct reach *r, TF_Operation *op) {
    if (!op || has(r, op)) return;
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->items = must_allocate(r->items, (size_t)r->room * sizeof *r->items);
    }
    r->items[r->n++] = op;
}

static bool is_fed(const struct stuck_run *run, TF_Output output) {
    for (int i = 0; i < run->n_feeds; i++)
        if (run->feeds[i].oper == output.oper && run->feeds[i].index == output.index) return true;
    return false;
}

/* All that the nodes of the set need, them among it. `run` NULL: nothing is fed. */
static void close_over(struct reach *r, const struct stuck_run *run) {
    for (int i = 0; i < r->n; i++) {
        TF_Operation *op = r->items[i];
        for (int k = 0; k < TF_OperationNumInputs(op); k++) {
            TF_Output from = TF_OperationInput((TF_Input){op, k});
            if (!run || !is_fed(run, from)) add(r, from.oper);
        }
        int n = TF_OperationNumControlInputs(op);
        TF_Operation **controls = must_allocate(NULL, ((size_t)n + 1) * sizeof *controls);
        n = TF_OperationGetControlInputs(op, controls, n);
        for (int k = 0; k < n; k++) add(r, controls[k]);
        free(controls);
    }
}

static bool needs(TF_Operation *op, const TF_Operation *wanted) {
    struct reach r = {0};
    add(&r, op);
    close_over(&r, NULL);
    bool found = op != wanted && has(&r, wanted);
    free(r.items);
    return found;
}

/* ---- what gives and takes */

static bool starts(const char *text, const char *word) { return !strncmp(text, word, strlen(word)); }

enum role { OTHER, GIVES, TAKES, CLOSES };

/* What a node does to the resource that its first input, or itself, is. */
static enum role role_of(const char *op) {
    static const struct {
        const char *op;
        enum role role;
    } roles[] = {{"QueueEnqueue", GIVES},
                 {"QueueDequeue", TAKES},
                 {"QueueClose", CLOSES},
                 {"BarrierInsertMany", GIVES},
                 {"BarrierTakeMany", TAKES},
                 {"BarrierClose", CLOSES},
                 {"AccumulatorApplyGradient", GIVES},
                 {"AccumulatorTakeGradient", TAKES},
                 {"ResourceAccumulatorApplyGradient", GIVES},
                 {"ResourceAccumulatorTakeGradient", TAKES},
                 {"SparseAccumulatorApplyGradient", GIVES},
                 {"SparseAccumulatorTakeGradient", TAKES},
                 {"ReaderRead", TAKES},
                 {"Stage", GIVES},
                 {"Unstage", TAKES},
                 {"MapStage", GIVES},
                 {"MapUnstage", TAKES},
                 {"OrderedMapStage", GIVES},
                 {"OrderedMapUnstage", TAKES}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (starts(op, roles[i].op)) return roles[i].role;
    return OTHER;
}

static bool passes_on(const char *op) {
    static const char *const ops[] = {"Identity", "Enter", "RefEnter", "Switch", "RefSwitch", "RefIdentity"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(op, ops[i])) return true;
    return false;
}

/* The node that makes the resource that `op` uses; of staging areas, which have none, `op` itself. */
static TF_Operation *maker_of(TF_Operation *op) {
    if (strstr(TF_OperationOpType(op), "tage")) return op;
    if (starts(TF_OperationOpType(op), "ReaderRead") && TF_OperationNumInputs(op) > 1)
        op = TF_OperationInput((TF_Input){op, 1}).oper;
    else if (TF_OperationNumInputs(op)) op = TF_OperationInput((TF_Input){op, 0}).oper;
    while (passes_on(TF_OperationOpType(op)) && TF_OperationNumInputs(op))
        op = TF_OperationInput((TF_Input){op, 0}).oper;
    return op;
}

static void shared_name(char name[256], TF_Operation *op) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_AttrMetadata meta = TF_OperationGetAttrMetadata(op, "shared_name", status);
    name[0] = 0;
    if (TF_GetCode(status) == TF_OK && meta.total_size > 0 && meta.total_size < 256) {
        TF_OperationGetAttrString(op, "shared_name", name, 255, status);
        name[meta.total_size] = 0;
    }
    TF_DeleteStatus(status);
}

/* Whether both use one resource: it is of one node, or of nodes with one shared name. */
static bool uses_same(TF_Operation *a, TF_Operation *b) {
    char left[256], right[256];
    TF_Operation *x = maker_of(a), *y = maker_of(b);
    if (x == y) return true;
    shared_name(left, x);
    shared_name(right, y);
    return *left && !strcmp(left, right);
}

/* ---- sentences */

/* The name between the first quotes behind `word`; false when there is none. */
static bool quoted_behind(char *name, size_t size, const char *text, const char *word) {
    const char *at = strstr(text, word), *end = at ? strchr(at + strlen(word), '\'') : NULL;
    if (!end || (size_t)(end - at) >= size) return false;
    at += strlen(word);
    memcpy(name, at, (size_t)(end - at));
    name[end - at] = 0;
    return true;
}

static bool waits_itself(const char *sentences, const TF_Operation *op) {
    char who[600];
    snprintf(who, sizeof who, "node '%s' (", TF_OperationName((TF_Operation *)op));
    return strstr(sentences, who) != NULL;
}

/* A Switch that the node is behind, and no Merge between; NULL: none. Loops have some, which do not count. */
static TF_Operation *switch_before(TF_Operation *op) {
    struct reach r = {0};
    TF_Operation *found = NULL;
    add(&r, op);
    for (int i = 0; i < r.n && !found; i++) {
        TF_Operation *at = r.items[i], *controls[64];
        const char *type = TF_OperationOpType(at);
        if (!strcmp(type, "Merge") || !strcmp(type, "Enter")) continue;
        if (!strcmp(type, "Switch") && !is_in_loop(at)) found = at;
        for (int k = 0; k < TF_OperationNumInputs(at); k++) add(&r, TF_OperationInput((TF_Input){at, k}).oper);
        const int n = TF_OperationNumControlInputs(at) <= 64 ? TF_OperationGetControlInputs(at, controls, 64) : 0;
        for (int k = 0; k < n; k++) add(&r, controls[k]);
    }
    free(r.items);
    return found;
}

/* Where nobody gives to (or takes from) a staging area, though there are others. */
static bool follow_areas(const struct stuck_run *run, TF_Operation *op, enum role wanted) {
    size_t at = 0;
    if (!strstr(TF_OperationOpType(op), "tage")) return false;
    for (TF_Operation *other; (other = TF_GraphNextOperation(run->graph, &at));) {
        if (role_of(TF_OperationOpType(other)) != wanted || !strstr(TF_OperationOpType(other), "tage")) continue;
        complain("  node '%s' (%s) has another area: one shared_name for both makes it the same",
                 TF_OperationName(other), TF_OperationOpType(other));
        return true;
    }
    return false;
}

static int64_t whole_attr(TF_Operation *op, const char *name) {
    int64_t value = -1;
    TF_Status *status = must_have(TF_NewStatus());
    TF_OperationGetAttrInt(op, name, &value, status);
    TF_DeleteStatus(status);
    return value;
}

/* Members of a collective: those of the graph, and whether they are run. */
static void follow_members(const struct stuck_run *run, const struct reach *all, TF_Operation *op) {
    size_t at = 0;
    int n = 0, n_run = 0;
    const int64_t group = whole_attr(op, "group_key"), instance = whole_attr(op, "instance_key");
    if (!starts(TF_OperationOpType(op), "Collective") || group < 0) return;
    for (TF_Operation *other; (other = TF_GraphNextOperation(run->graph, &at));) {
        if (!starts(TF_OperationOpType(other), "Collective") || whole_attr(other, "group_key") != group ||
            whole_attr(other, "instance_key") != instance)
            continue;
        n++;
        n_run += has(all, other);
    }
    complain("  the graph has %d member%s with these numbers, %d in this run; the group wants %d", n, n == 1 ? "" : "s",
             n_run, (int)whole_attr(op, "group_size"));
}

/* Who could end the wait of `op`, which takes (or gives: then takers are wanted). */
static void follow(const struct stuck_run *run, const struct reach *all, TF_Operation *op, const char *sentences) {
    const enum role role = role_of(TF_OperationOpType(op)), wanted = role == TAKES ? GIVES : TAKES;
    const char *verb = wanted == GIVES ? "puts something in" : "takes something out";
    size_t at = 0;
    int found = 0;
    TF_Operation *other;
    if (role != TAKES && role != GIVES) return;
    while ((other = TF_GraphNextOperation(run->graph, &at))) {
        const char *name = TF_OperationName(other);
        if (role_of(TF_OperationOpType(other)) != wanted || !uses_same(op, other)) continue;
        found++;
        if (!has(all, other)) complain("  node '%s', which %s, is not part of this run", name, verb);
        else if (needs(other, op))
            complain("  node '%s', which %s, runs only after node '%s'", name, verb, TF_OperationName(op));
        else if (waits_itself(sentences, other)) complain("  node '%s', which %s, waits itself", name, verb);
        else if (switch_before(other))
            complain("  node '%s', which %s, is behind node '%s', which may have gone the other way", name, verb,
                     TF_OperationName(switch_before(other)));
        else complain("  node '%s', which %s, has run, or waits for its inputs", name, verb);
    }
    if (!found && follow_areas(run, op, wanted)) return;
    if (!found) complain("  no node of the graph %s", verb);
}

/* A stage of a pipeline waits: so does who takes elements, where that can only be one node. */
static void follow_pipeline(const struct stuck_run *run, const struct reach *all, const char *line) {
    TF_Operation *taker = NULL;
    size_t at = 0;
    int n = 0;
    if (!strstr(line, " dataset ") || strstr(line, "node '")) return;
    for (TF_Operation *op; (op = TF_GraphNextOperation(run->graph, &at));) {
        if (!starts(TF_OperationOpType(op), "IteratorGetNext") || !has(all, op)) continue;
        taker = op;
        n++;
    }
    if (n == 1)
        complain("  node '%s' (%s) waits for its next element", TF_OperationName(taker), TF_OperationOpType(taker));
}

void stuck_explain(const struct stuck_run *run, const char *sentences) {
    struct reach all = {0};
    char *lines = must_allocate(NULL, strlen(sentences) + 1), name[512], *rest = lines;
    strcpy(lines, sentences);
    for (int i = 0; i < run->n_fetches; i++)
        if (!is_fed(run, run->fetches[i])) add(&all, run->fetches[i].oper);
    for (int i = 0; i < run->n_targets; i++) add(&all, (TF_Operation *)run->targets[i]);
    close_over(&all, run);
    if (!*lines) complain("nothing runs");
    for (char *line; (line = strsep(&rest, "\n")) && *line;) {
        complain("%s", line);
        const bool is_named = quoted_behind(name, sizeof name, line, "node '");
        TF_Operation *op = is_named ? TF_GraphOperationByName(run->graph, name) : NULL;
        const char *made = is_named ? sl_source_line_of(run->lines, name) : NULL;
        if (made) complain("  node '%s' was made at %s", name, made);
        if (op) follow(run, &all, op, sentences);
        if (op) follow_members(run, &all, op);
        follow_pipeline(run, &all, line);
    }
    free(lines);
    free(all.items);
}
