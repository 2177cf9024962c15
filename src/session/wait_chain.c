/* The nodes that a sentence names are looked up among the partners; nodes of functions, which are not among them, by what
 * the sentence says of the op and of the name of what is waited on. Which nodes need which is walked anew each time: nobody
 * asks often. */
#include "session/wait_chain.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* ---- what nodes do */

enum role { OTHER, GIVES, TAKES, LOOKS, JOINS, ELEMENTS, RELEASES };

static const struct {
    struct sl_str op; /* ops begin so */
    enum role role;
} roles[] = {{SL_STR("QueueEnqueue"), GIVES},
             {SL_STR("QueueDequeue"), TAKES},
             {SL_STR("BarrierInsertMany"), GIVES},
             {SL_STR("BarrierTakeMany"), TAKES},
             {SL_STR("AccumulatorApplyGradient"), GIVES},
             {SL_STR("AccumulatorTakeGradient"), TAKES},
             {SL_STR("ResourceAccumulatorApplyGradient"), GIVES},
             {SL_STR("ResourceAccumulatorTakeGradient"), TAKES},
             {SL_STR("SparseAccumulatorApplyGradient"), GIVES},
             {SL_STR("SparseAccumulatorTakeGradient"), TAKES},
             {SL_STR("ReaderRead"), TAKES},
             {SL_STR("StageClear"), OTHER},
             {SL_STR("StageSize"), OTHER},
             {SL_STR("StagePeek"), LOOKS},
             {SL_STR("MapPeek"), LOOKS},
             {SL_STR("OrderedMapPeek"), LOOKS},
             {SL_STR("Stage"), GIVES},
             {SL_STR("Unstage"), TAKES},
             {SL_STR("MapStage"), GIVES},
             {SL_STR("MapUnstage"), TAKES},
             {SL_STR("OrderedMapStage"), GIVES},
             {SL_STR("OrderedMapUnstage"), TAKES},
             {SL_STR("Collective"), JOINS},
             {SL_STR("ConsumeMutexLock"), RELEASES},
             {SL_STR("IteratorGetNext"), ELEMENTS}};

static enum role role_of(struct sl_str op) {
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (sl_str_starts(op, roles[i].op)) return roles[i].role;
    return OTHER;
}

/* Most nodes of a graph have no effects, and are no partners: that is seen at once. */
static enum role role(const struct sl_node *n) {
    return sl_op_is_stateful(n->op) || n->op->writes ? role_of(n->op->name) : OTHER;
}

static bool is_op(const struct sl_node *n, const char *const *ops) {
    for (; *ops; ops++)
        if (sl_str_is(n->op->name, *ops)) return true;
    return false;
}

/* Of staging areas: they have no node that makes them. */
static bool is_area(struct sl_str op) {
    static const char *const ops[] = {"Stage", "Unstage", "MapStage", "MapUnstage", "MapPeek", "OrderedMap"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (sl_str_starts(op, sl_str_of(ops[i]))) return true;
    return false;
}

sl_code sl_wait_partners_add(struct sl_wait_partners *partners, const struct sl_graph *graph, size_t from,
                             struct sl_error *err) {
    for (size_t i = from; i < graph->nodes.n; i++) {
        struct sl_node *n = graph->nodes.items[i];
        if (n->is_removed || role(n) == OTHER) continue;
        if (sl_vec_push(&partners->nodes, n)) return sl_fail_memory(err, sizeof n);
    }
    return SL_OK;
}

void sl_wait_partners_clear(struct sl_wait_partners *partners) { sl_vec_free(&partners->nodes); }

/* ---- nodes in a set */

struct reach {
    SL_VEC(struct sl_node *) items;
    SL_VEC(uint64_t) bits; /* by id */
    bool failed;
};

static bool has(const struct reach *r, const struct sl_node *n) {
    return n->id / 64 < r->bits.n && r->bits.items[n->id / 64] >> (n->id % 64) & 1;
}

static void add(struct reach *r, struct sl_node *n) {
    if (!n || has(r, n)) return;
    while (r->bits.n <= n->id / 64 && !r->failed) r->failed = sl_vec_push(&r->bits, 0) != 0;
    if (r->failed || sl_vec_push(&r->items, n)) {
        r->failed = true;
        return;
    }
    r->bits.items[n->id / 64] |= UINT64_C(1) << (n->id % 64);
}

static void reach_clear(struct reach *r) {
    sl_vec_free(&r->items);
    sl_vec_free(&r->bits);
}

static bool is_fed(const struct sl_run *run, struct sl_port port) {
    for (int i = 0; i < run->n_feeds; i++)
        if (run->feeds[i].node == port.node && run->feeds[i].index == port.index) return true;
    return false;
}

/* All that the nodes of the set need, them among it. `run` NULL: nothing is fed. */
static void close_over(struct reach *r, const struct sl_run *run) {
    for (size_t i = 0; i < r->items.n && !r->failed; i++) {
        const struct sl_node *n = r->items.items[i];
        for (int k = 0; k < n->n_inputs; k++)
            if (!run || !is_fed(run, n->inputs[k])) add(r, n->inputs[k].node);
        for (int k = 0; k < n->n_controls; k++) add(r, n->controls[k]);
    }
}

static bool needs(struct sl_node *n, const struct sl_node *wanted) {
    struct reach r = {.failed = false};
    add(&r, n);
    close_over(&r, NULL);
    const bool found = n != wanted && has(&r, wanted);
    reach_clear(&r);
    return found;
}

static void reach_run(struct reach *r, const struct sl_run *run) {
    for (int i = 0; i < run->n_fetches; i++)
        if (!is_fed(run, run->fetches[i])) add(r, run->fetches[i].node);
    for (int i = 0; i < run->n_targets; i++) add(r, run->targets[i]);
    close_over(r, run);
}

/* ---- what they wait on */

/* The node that makes the resource that `n` uses; of staging areas, which have none, `n` itself. */
static const struct sl_node *maker_of(const struct sl_node *n) {
    static const char *const passing[] = {"Identity", "Enter", "RefEnter", "Switch", "RefSwitch", "RefIdentity", NULL};
    enum { LONGEST_WAY = 1000 };
    if (is_area(n->op->name)) return n;
    const int from = sl_str_starts(n->op->name, SL_STR("ReaderRead")) && n->n_inputs > 1;
    if (n->n_inputs > from && n->inputs[from].node) n = n->inputs[from].node;
    for (int i = 0; i < LONGEST_WAY && is_op(n, passing) && n->n_inputs && n->inputs[0].node; i++)
        n = n->inputs[0].node;
    return n;
}

static struct sl_str shared_name(const struct sl_node *n) {
    struct sl_str name = {NULL, 0};
    return sl_attr_find(&n->attrs, SL_STR("shared_name")) &&
                   sl_attr_string(&name, &n->attrs, "shared_name", NULL) == SL_OK
               ? name
               : (struct sl_str){NULL, 0};
}

static int64_t whole(const struct sl_node *n, const char *name) {
    int64_t value = -1;
    if (sl_attr_find(&n->attrs, sl_str_of(name))) (void)sl_attr_int(&value, &n->attrs, name, NULL);
    return value;
}

/* Who waits, as far as the sentence tells. */
struct waiter {
    struct sl_str name, op, on; /* `on`: the name of what is waited on; empty where none is told */
    struct sl_node *node;       /* NULL: it is in a function */
    struct sl_node *around;     /* the node, or the call that it is in; NULL: not known */
};

/* Whether `n` uses what the waiter waits on: it is of one node, or of nodes with one shared name. */
static bool uses_same(const struct waiter *w, const struct sl_node *n) {
    const struct sl_node *maker = maker_of(n);
    const struct sl_str name = shared_name(maker);
    if (!w->node) return w->on.n && sl_str_eq(name.n ? name : maker->name, w->on);
    const struct sl_node *own = maker_of(w->node);
    return own == maker || (name.n && sl_str_eq(name, shared_name(own)));
}

/* All that a node reads is inside as many loops as the node, so one way back to the graph's sources tells. */
static bool is_in_loop(const struct sl_node *n) {
    static const char *const enters[] = {"Enter", "RefEnter", NULL}, *const exits[] = {"Exit", "RefExit", NULL},
                             *const nexts[] = {"NextIteration", "RefNextIteration", NULL};
    enum { LONGEST_WAY = 1000000 };
    int depth = 0;
    for (int i = 0; n && i < LONGEST_WAY; i++) {
        const struct sl_node *from = NULL;
        depth += is_op(n, enters) - is_op(n, exits);
        for (int k = 0; k < n->n_inputs && !from; k++)
            if (n->inputs[k].node && !is_op(n->inputs[k].node, nexts)) from = n->inputs[k].node;
        n = from || !n->n_controls ? from : n->controls[0];
    }
    return depth > 0;
}

/* A Switch that the node is behind, and no Merge between; NULL: none. Those of loops do not count. */
static const struct sl_node *switch_before(struct sl_node *n) {
    static const char *const stops[] = {"Merge", "RefMerge", "Enter", "RefEnter", NULL}, *const switches[] = {
                                                                                             "Switch", "RefSwitch",
                                                                                             NULL};
    struct reach r = {.failed = false};
    const struct sl_node *found = NULL;
    add(&r, n);
    for (size_t i = 0; i < r.items.n && !r.failed && !found; i++) {
        const struct sl_node *at = r.items.items[i];
        if (is_op(at, stops)) continue;
        if (is_op(at, switches) && !is_in_loop(at)) found = at;
        for (int k = 0; k < at->n_inputs; k++) add(&r, at->inputs[k].node);
        for (int k = 0; k < at->n_controls; k++) add(&r, at->controls[k]);
    }
    reach_clear(&r);
    return found;
}

/* ---- sentences */

struct chain {
    struct sl_wait_listener *to;
    struct sl_node *const *partners;
    size_t n;
    struct reach run;
    enum sl_wait_runs runs;
    const char *lines;
};

/* What stands between `before` and the next `after`; empty when there is none. */
static struct sl_str between(const char *text, const char *before, const char *after) {
    const char *at = strstr(text, before);
    if (!at) return (struct sl_str){NULL, 0};
    at += strlen(before);
    const char *end = strstr(at, after);
    return end ? (struct sl_str){at, (size_t)(end - at)} : (struct sl_str){NULL, 0};
}

static struct sl_node *named(const struct chain *c, struct sl_str name) {
    for (size_t i = 0; i < c->run.items.n; i++)
        if (sl_str_eq(c->run.items.items[i]->name, name)) return c->run.items.items[i];
    return NULL;
}

/* The node, of the run, in whose functions one of this name is: that with the longest beginning of it. */
static struct sl_node *around(const struct chain *c, struct sl_str name) {
    struct sl_node *found = NULL;
    for (size_t end = name.n; end && !found; end--)
        if (end == name.n || name.p[end] == '/') found = named(c, (struct sl_str){name.p, end});
    return found;
}

static bool waits_itself(const struct chain *c, const struct sl_node *n) {
    char who[600];
    snprintf(who, sizeof who, "node '%.*s' (", SL_STR_ARG(n->name));
    return strstr(c->lines, who) != NULL;
}

/* `verb`: what `n`, a node that could end the wait, does. */
static void say_of(const struct chain *c, const struct waiter *w, struct sl_node *n, const char *verb) {
    const struct sl_node *branch;
    static const char *const no_parts[] = {"is not part of this run, and there is no other",
                                           "is not part of this run; another may have it", "is not part of any run"};
    if (!has(&c->run, n))
        sl_wait_say(c->to, "  node '%.*s', which %s, %s", SL_STR_ARG(n->name), verb, no_parts[c->runs]);
    else if (w->around && needs(n, w->around))
        sl_wait_say(c->to, "  node '%.*s', which %s, runs only after node '%.*s'", SL_STR_ARG(n->name), verb,
                    SL_STR_ARG(w->around->name));
    else if (waits_itself(c, n)) sl_wait_say(c->to, "  node '%.*s', which %s, waits itself", SL_STR_ARG(n->name), verb);
    else if ((branch = switch_before(n)))
        sl_wait_say(c->to, "  node '%.*s', which %s, is behind node '%.*s', which may have gone the other way",
                    SL_STR_ARG(n->name), verb, SL_STR_ARG(branch->name));
    else sl_wait_say(c->to, "  node '%.*s', which %s, has run, or waits for its inputs", SL_STR_ARG(n->name), verb);
}

static void say_area(const struct chain *c, const struct sl_node *other) {
    sl_wait_say(c->to, "  node '%.*s' (%.*s) has another area: one shared_name for both makes it the same",
                SL_STR_ARG(other->name), SL_STR_ARG(other->op->name));
}

/* Who gives what is waited for, or takes what is in the way. */
static void say_other_side(const struct chain *c, const struct waiter *w, enum role wanted) {
    const char *verb = wanted == GIVES ? "puts something in" : "takes something out";
    const struct sl_node *other_area = NULL;
    bool found = false;
    for (size_t i = 0; i < c->n; i++) {
        struct sl_node *n = c->partners[i];
        if (role(n) != wanted) continue;
        if (is_area(w->op) && is_area(n->op->name) && !other_area) other_area = n;
        if (is_area(w->op) != is_area(n->op->name) || !uses_same(w, n)) continue;
        found = true;
        say_of(c, w, n, verb);
    }
    if (!found && other_area) say_area(c, other_area);
    else if (!found) sl_wait_say(c->to, "  no node of the graph %s", verb);
}

/* Of a collective: which members the graph has, and whether they run. */
static void say_members(const struct chain *c, const struct waiter *w) {
    const int64_t group = w->node ? whole(w->node, "group_key") : -1;
    int n = 0, n_run = 0;
    if (group < 0) return;
    for (size_t i = 0; i < c->n; i++) {
        const struct sl_node *other = c->partners[i];
        if (role(other) != JOINS || whole(other, "group_key") != group ||
            whole(other, "instance_key") != whole(w->node, "instance_key"))
            continue;
        n++;
        n_run += has(&c->run, other);
    }
    sl_wait_say(c->to, "  the graph has %d member%s with these numbers, %d in this run; the group wants %d", n,
                n == 1 ? "" : "s", n_run, (int)whole(w->node, "group_size"));
}

/* Of a mutex: who gives back what the holder has. */
static void say_release(const struct chain *c, const struct waiter *w, struct sl_str holder) {
    for (size_t i = 0; i < c->n; i++) {
        struct sl_node *n = c->partners[i];
        if (role(n) == RELEASES && sl_str_eq(maker_of(n)->name, holder)) say_of(c, w, n, "releases it");
    }
}

/* A stage of a pipeline waits: so does who takes elements, where that can only be one node. */
static void say_taker(const struct chain *c) {
    const struct sl_node *taker = NULL;
    for (size_t i = 0; i < c->n; i++) {
        const struct sl_node *n = c->partners[i];
        if (role(n) != ELEMENTS || !has(&c->run, n)) continue;
        if (taker) return;
        taker = n;
    }
    if (taker)
        sl_wait_say(c->to, "  node '%.*s' (%.*s) waits for its next element", SL_STR_ARG(taker->name),
                    SL_STR_ARG(taker->op->name));
}

static void follow_sentence(const struct chain *c, const char *sentence) {
    struct waiter w = {.name = between(sentence, "node '", "'"),
                       .op = between(sentence, "' (", ")"),
                       .on = between(sentence, " waits on '", "'")};
    const struct sl_str holder = between(sentence, "which node '", "' holds");
    const enum role own = role_of(w.op);
    if (!w.name.n) {
        if (strstr(sentence, " dataset ")) say_taker(c);
        return;
    }
    w.node = named(c, w.name);
    w.around = w.node ? w.node : around(c, w.name);
    if (own == TAKES || own == GIVES) say_other_side(c, &w, own == TAKES ? GIVES : TAKES);
    else if (own == LOOKS) say_other_side(c, &w, GIVES);
    else if (own == JOINS) say_members(c, &w);
    else if (holder.n) say_release(c, &w, holder);
}

void sl_wait_chain_say(struct sl_wait_listener *to, struct sl_node *const *partners, size_t n_partners,
                       const struct sl_run *run, enum sl_wait_runs runs, const char *lines) {
    struct chain c = {.to = to, .partners = partners, .n = n_partners, .runs = runs, .lines = lines};
    char sentence[1024];
    reach_run(&c.run, run);
    for (const char *at = lines, *end; *at; at = end + (*end != 0)) {
        end = at + strcspn(at, "\n");
        snprintf(sentence, sizeof sentence, "%.*s", (int)(end - at), at);
        sl_wait_say(to, "%s", sentence);
        if (!c.run.failed) follow_sentence(&c, sentence);
    }
    reach_clear(&c.run);
}
