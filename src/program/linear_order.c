/* The order of items within a block of the linear form. Units are nodes and whole loops; units of one guard stand
 * together as far as dependences allow, so that a region is long and its guard is looked at once. Called by
 * linear_emit.c for every block. */
#include "base/heap.h"
#include "program/linear_emitter.h"

uint32_t sl_local_guard(struct sl_linear_emitter *e, uint32_t guard) {
    if (e->level == 0) return guard;
    const struct sl_linear_loop *loop = &e->l->loops[e->level];
    if (e->phase == SL_PHASE_BODY) return sl_guard_minus(&e->l->guards, guard, loop->when_true);
    if (e->phase == SL_PHASE_TAIL) return sl_guard_minus(&e->l->guards, guard, loop->when_false);
    return guard;
}

struct ordering {
    struct sl_unit *units;
    uint32_t n;
    struct sl_heap ready;            /* all that wait for nothing; those that have been taken may still stand in it */
    SL_VEC(struct sl_heap) by_guard; /* the same, apart for each guard */
    bool *is_done;
    uint32_t *out;
};

static void make_ready(struct sl_linear_emitter *e, struct ordering *o, uint32_t unit) {
    uint32_t *queue = &e->guard_queue[o->units[unit].guard];
    if (!*queue) {
        struct sl_heap empty = {0};
        SL_EMIT_PUSH(e, &o->by_guard, empty);
        *queue = (uint32_t)o->by_guard.n;
    }
    if (!e->failed) e->failed = sl_heap_push(&o->ready, unit) || sl_heap_push(&o->by_guard.items[*queue - 1], unit);
}

static bool is_in_block(const struct sl_linear_emitter *e, const struct sl_node *n) {
    return sl_frame_of(e->l, n) == e->level && e->l->phase[n->id] == e->phase;
}

static uint8_t loop_phase(const struct sl_linear_emitter *e, int loop) {
    int parent = e->c->frames.frames[loop].parent;
    if (parent == 0) return SL_PHASE_CONDITION;
    const struct sl_linear_loop *around = &e->l->loops[parent];
    uint32_t guard = e->l->loops[loop].guard;
    if (sl_guard_implies(&e->l->guards, guard, around->when_true)) return SL_PHASE_BODY;
    if (sl_guard_implies(&e->l->guards, guard, around->when_false)) return SL_PHASE_TAIL;
    return SL_PHASE_CONDITION;
}

/* Calls `visit` for every unit of this block that waits for `from`. */
static void each_successor(struct sl_linear_emitter *e, struct ordering *o, const struct sl_node *from,
                           void (*visit)(struct sl_linear_emitter *, struct ordering *, uint32_t unit)) {
    int child =
        e->c->flow[from->id] == SL_FLOW_ENTER && sl_frame_of(e->l, from) == e->level ? sl_child_frame(e->l, from) : -1;
    if (child > 0) {
        if (loop_phase(e, child) == e->phase) visit(e, o, e->unit_of_loop[child]);
        return;
    }
    if (e->c->flow[from->id] == SL_FLOW_NEXT) return;
    for (uint32_t u = 0; u < from->uses.n; u++) {
        const struct sl_node *to = from->uses.items[u].node;
        if (is_in_block(e, to)) visit(e, o, e->unit_of_node[to->id]);
    }
}

static void each_successor_of_unit(struct sl_linear_emitter *e, struct ordering *o, uint32_t unit,
                                   void (*visit)(struct sl_linear_emitter *, struct ordering *, uint32_t unit)) {
    const struct sl_unit *u = &o->units[unit];
    if (u->node) {
        each_successor(e, o, u->node, visit);
        return;
    }
    const struct sl_linear_loop *loop = &e->l->loops[u->loop];
    for (size_t x = 0; x < loop->exits.n; x++) {
        const struct sl_node *exit = loop->exits.items[x];
        for (uint32_t i = 0; i < exit->uses.n; i++) {
            const struct sl_node *to = exit->uses.items[i].node;
            if (is_in_block(e, to)) visit(e, o, e->unit_of_node[to->id]);
        }
    }
}

static void count_one(struct sl_linear_emitter *e, struct ordering *o, uint32_t unit) {
    (void)e;
    o->units[unit].missing++;
}

static void finish_one(struct sl_linear_emitter *e, struct ordering *o, uint32_t unit) {
    if (--o->units[unit].missing == 0) make_ready(e, o, unit);
}

/* The smallest unit of `heap` that has not been taken; false when there is none. */
static bool take(uint32_t *unit, struct ordering *o, struct sl_heap *heap) {
    while (heap->n) {
        *unit = sl_heap_pop(heap);
        if (o->is_done[*unit]) continue;
        o->is_done[*unit] = true;
        return true;
    }
    return false;
}

/* One of the guard that was current, else the smallest of all. */
static bool take_next(uint32_t *unit, struct sl_linear_emitter *e, struct ordering *o, uint32_t guard) {
    uint32_t queue = e->guard_queue[guard];
    return (queue && take(unit, o, &o->by_guard.items[queue - 1])) || take(unit, o, &o->ready);
}

static void order_by_guard(struct sl_linear_emitter *e, struct ordering *o) {
    if (e->n_guard_queue < e->l->guards.sets.n) {
        sl_free(e->guard_queue);
        e->n_guard_queue = e->l->guards.sets.n * 2;
        e->guard_queue = sl_calloc(e->n_guard_queue, sizeof *e->guard_queue);
    }
    o->is_done = sl_calloc(o->n, sizeof *o->is_done);
    if (!e->guard_queue || !o->is_done) {
        e->failed = true;
        sl_free(o->is_done);
        return;
    }
    for (uint32_t i = 0; i < o->n; i++) each_successor_of_unit(e, o, i, count_one);
    for (uint32_t i = 0; i < o->n; i++)
        if (!o->units[i].missing) make_ready(e, o, i);
    uint32_t current = SL_GUARD_ALWAYS, done = 0, unit;
    while (!e->failed && take_next(&unit, e, o, current)) {
        current = o->units[unit].guard;
        o->out[done++] = unit;
        each_successor_of_unit(e, o, unit, finish_one);
    }
    for (uint32_t i = 0; i < o->n; i++) e->guard_queue[o->units[i].guard] = 0;
    for (size_t i = 0; i < o->by_guard.n; i++) sl_vec_free(&o->by_guard.items[i]);
    sl_vec_free(&o->by_guard);
    sl_vec_free(&o->ready);
    sl_free(o->is_done);
}

void sl_block_order(uint32_t *out, struct sl_linear_emitter *e, const struct sl_unit_block *b) {
    struct sl_linear *l = e->l;
    struct ordering o = {.units = b->units.items, .n = (uint32_t)b->units.n, .out = out};
    bool one_guard = true;
    for (uint32_t i = 0; i < o.n; i++) {
        struct sl_unit *u = &o.units[i];
        u->guard = sl_local_guard(e, u->node ? l->node_guard[u->node->id] : l->loops[u->loop].guard);
        one_guard &= u->guard == o.units[0].guard;
        if (u->node) e->unit_of_node[u->node->id] = i;
        else e->unit_of_loop[u->loop] = i;
        out[i] = i;
    }
    if (!one_guard && !e->failed) order_by_guard(e, &o); /* else the sequence is an order already */
}

static void add_unit(struct sl_linear_emitter *e, int level, uint8_t phase, struct sl_node *node, int loop) {
    struct sl_unit_block *b = &e->blocks[level * 3 + phase];
    struct sl_unit u = {.node = node, .loop = loop};
    SL_EMIT_PUSH(e, &b->units, u);
}

void sl_blocks_fill(struct sl_linear_emitter *e) {
    struct sl_linear *l = e->l;
    int n_frames = e->c->frames.n, *at_gate = SL_ARENA_ARRAY(&e->c->scratch, int, l->n_sequence + 1);
    int *next_at_gate = SL_ARENA_ARRAY(&e->c->scratch, int, (size_t)n_frames);
    if (!at_gate || !next_at_gate) {
        e->failed = true;
        return;
    }
    for (int f = n_frames - 1; f >= 1; f--) {
        next_at_gate[f] = at_gate[l->loops[f].gate];
        at_gate[l->loops[f].gate] = f;
    }
    for (size_t at = 0; at <= l->n_sequence && !e->failed; at++) {
        for (int f = at_gate[at]; f; f = next_at_gate[f])
            if (l->loops[f].enters.n) add_unit(e, e->c->frames.frames[f].parent, loop_phase(e, f), NULL, f);
        if (at == l->n_sequence) break;
        struct sl_node *n = l->sequence[at];
        add_unit(e, sl_frame_of(l, n), l->phase[n->id], n, 0);
    }
}
