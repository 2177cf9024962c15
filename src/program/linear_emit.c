/* Emission of the linear form: the order of items within each block, regions, slots, and where every slot's value ends.
 *
 * Levels are frames: the root and each loop. A slot belongs to the level in which it is written; a use from an inner loop counts as a
 * use by that loop's item. Within a loop the order is condition, body, moves to the next iteration; or condition, tail, exits. A
 * value is released (or taken over) by its last use on each of these two ways. */
#include <string.h>

#include "base/heap.h"
#include "program/linear.h"

enum use_kind { USE_PLAIN, USE_INPUT, USE_MOVE, USE_MERGE_INPUT, USE_RET };
enum mark { MARK_NONE, MARK_NEXTS, MARK_EXITS, MARK_RETS }; /* items that stand for what follows a block; not emitted */

struct use {
    uint32_t slot, item;
    uint32_t index; /* input, move, merge input or result: what may take the value */
    uint8_t kind;
};

struct draft {
    struct sl_item item;
    uint32_t guard;
    int level;
    uint8_t phase, mark;
    uint32_t release_first; /* while release lists are built: chain of `chains` */
};

struct slot {
    int level;
    uint8_t phase;
    bool is_constant, is_loop_variable;
    uint32_t defined;                                   /* item; UINT32_MAX: before all items */
    uint32_t last, last_count, last_use;                /* among condition, body, nexts (root: all) */
    uint32_t last_tail, last_tail_count, last_tail_use; /* among tail and exits */
    uint32_t order;                                     /* slots are written in this order */
};

struct chain {
    uint32_t slot, next;
};

/* What stands in the order of a block: a node, or a whole loop. */
struct unit {
    struct sl_node *node; /* NULL: a loop */
    int loop;
    uint32_t guard, missing;
};

struct block { /* the units of one phase of one level, in the order of the sequence */
    SL_VEC(struct unit) units;
};

struct emitter {
    struct sl_linear *l;
    struct sl_compilation *c;
    SL_VEC(struct draft) drafts;
    SL_VEC(struct use) uses;
    SL_VEC(struct slot) slots;
    SL_VEC(struct sl_value) constants; /* in the order of their slots */
    SL_VEC(struct sl_merge) merges;
    SL_VEC(struct sl_merge_input) merge_inputs;
    SL_VEC(uint32_t) merge_guards; /* by merge input: guard set */
    SL_VEC(struct sl_move) moves;
    SL_VEC(struct sl_loop) loops;
    SL_VEC(struct chain) chains;
    SL_VEC(uint32_t) lists;
    SL_VEC(struct sl_item) items;
    SL_VEC(struct sl_region) regions;
    SL_VEC(struct sl_literal) literals;
    uint32_t *slot_of_port;
    struct block *blocks;                  /* by level * 3 + phase */
    uint32_t *loop_item, *loop_index;      /* by level */
    uint32_t *loop_back, *loop_release;    /* by level: chains */
    uint32_t finals;                       /* chain */
    uint32_t *unit_of_node, *unit_of_loop; /* within the block that is being ordered */
    struct sl_program_arg *args;
    struct sl_program_ret *rets;
    uint32_t *ret_guards;
    uint32_t *final_slot;
    uint32_t dead_slot;
    uint32_t *guard_queue; /* by guard set: index of its heap + 1 while a block is ordered */
    size_t n_guard_queue;
    int level;
    uint8_t phase;
    bool failed; /* memory is out */
};

#define PUSH(vec, ...) (sl_vec_push(vec, (__VA_ARGS__)) ? (void)(e->failed = true) : (void)0)

static uint32_t new_slot(struct emitter *e, uint32_t defined) {
    struct slot s = {
        .level = e->level, .phase = e->phase, .defined = defined, .last = SL_NO_SLOT, .last_tail = SL_NO_SLOT};
    s.order = (uint32_t)e->slots.n;
    PUSH(&e->slots, s);
    return (uint32_t)e->slots.n - 1;
}

static uint32_t new_constant(struct emitter *e, struct sl_value value) {
    uint32_t s = new_slot(e, UINT32_MAX);
    if (e->failed) return s;
    e->slots.items[s].is_constant = true;
    e->slots.items[s].level = 0;
    PUSH(&e->constants, value);
    return s;
}

static void use(struct emitter *e, uint32_t slot, uint32_t item, enum use_kind kind, uint32_t index) {
    struct use u = {slot, item, index, (uint8_t)kind};
    PUSH(&e->uses, u);
}

static uint32_t new_draft(struct emitter *e, enum sl_item_kind kind, uint32_t guard,
                          const struct sl_kernel_node *node) {
    struct draft d = {
        .item = {.kind = (uint8_t)kind, .out = SL_NO_SLOT, .a = SL_NO_SLOT, .b = SL_NO_SLOT, .node = node},
        .guard = guard,
        .level = e->level,
        .phase = e->phase,
        .release_first = SL_NO_SLOT};
    PUSH(&e->drafts, d);
    return (uint32_t)e->drafts.n - 1;
}

/* What follows a block, as the place of uses. */
static uint32_t new_mark(struct emitter *e, enum mark mark) {
    uint32_t item = new_draft(e, SL_ITEM_KERNEL, SL_GUARD_ALWAYS, NULL);
    if (!e->failed) e->drafts.items[item].mark = (uint8_t)mark;
    return item;
}

static uint32_t port_slot(const struct emitter *e, struct sl_port p) {
    return e->slot_of_port[e->l->root[sl_port_number(e->l, p)]];
}

/* Every literal of a guard reads its slot. */
static void use_guard(struct emitter *e, uint32_t guard, uint32_t item) {
    const struct sl_guard_set *set = &e->l->guards.sets.items[guard];
    for (uint32_t i = 0; i < set->n; i++) {
        uint32_t port = e->l->guards.literals.items[set->literals[i]].port;
        use(e, e->slot_of_port[e->l->root[port]], item, USE_PLAIN, 0);
    }
}

static uint32_t local_guard(struct emitter *e, uint32_t guard) {
    if (e->level == 0) return guard;
    const struct sl_linear_loop *loop = &e->l->loops[e->level];
    if (e->phase == SL_PHASE_BODY) return sl_guard_minus(&e->l->guards, guard, loop->when_true);
    if (e->phase == SL_PHASE_TAIL) return sl_guard_minus(&e->l->guards, guard, loop->when_false);
    return guard;
}

static uint32_t begin_item(struct emitter *e, enum sl_item_kind kind, const struct sl_node *n) {
    uint32_t guard = local_guard(e, e->l->node_guard[n->id]);
    uint32_t item = new_draft(e, kind, guard, e->c->kernels[n->id]);
    use_guard(e, guard, item);
    return item;
}

/* `out` gets what the reference in the producer's slot holds. */
static void emit_deref(struct emitter *e, const struct sl_node *n, int i, uint32_t out) {
    uint32_t item = begin_item(e, SL_ITEM_DEREF, n);
    if (e->failed) return;
    uint32_t from = port_slot(e, n->inputs[i]);
    e->drafts.items[item].item.a = from;
    e->drafts.items[item].item.out = out;
    e->slots.items[out].defined = item;
    use(e, from, item, USE_PLAIN, 0);
}

/* Slot of an input; a reference that is read as a value is read now. */
static uint32_t input_slot(struct emitter *e, const struct sl_node *n, int i) {
    if (!sl_needs_deref(n, i)) return port_slot(e, n->inputs[i]);
    uint32_t out = new_slot(e, 0);
    if (!e->failed) emit_deref(e, n, i, out);
    return out;
}

static void emit_kernel(struct emitter *e, const struct sl_node *n) {
    struct sl_kernel_node *k = e->c->kernels[n->id];
    uint32_t *in = (uint32_t *)(uintptr_t)k->in;
    for (int i = 0; i < n->n_inputs; i++) in[i] = input_slot(e, n, i);
    uint32_t item = begin_item(e, SL_ITEM_KERNEL, n);
    uint32_t first = (uint32_t)e->slots.n;
    for (int o = 0; o < n->n_outputs; o++) e->slot_of_port[e->l->port_base[n->id] + (uint32_t)o] = new_slot(e, item);
    if (e->failed) return;
    k->out = first;
    for (int i = 0; i < n->n_inputs; i++) use(e, in[i], item, USE_INPUT, (uint32_t)i);
    if (k->def->scalar && n->n_outputs == 1 && (n->n_inputs == 1 || n->n_inputs == 2)) {
        struct sl_kernel_setup setup = {.def = k->def,
                                        .op = n->op,
                                        .name = n->name,
                                        .attrs = &n->attrs,
                                        .n_in = n->n_inputs,
                                        .n_out = n->n_outputs,
                                        .in_types = k->in_types,
                                        .out_types = k->out_types};
        struct sl_item *it = &e->drafts.items[item].item;
        it->scalar = k->def->scalar(&setup);
        if (it->scalar) {
            it->kind = SL_ITEM_SCALAR;
            it->out_dtype = (uint8_t)sl_dtype_base(n->out_types[0]);
            it->a = in[0];
            it->b = in[n->n_inputs - 1];
            it->out = first;
        }
    }
}

static void emit_merge(struct emitter *e, const struct sl_node *n) {
    uint32_t *in = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, (size_t)n->n_inputs);
    if (!in) {
        e->failed = true;
        return;
    }
    for (int i = 0; i < n->n_inputs; i++)
        if (e->l->port_guard[sl_port_number(e->l, n->inputs[i])] != SL_GUARD_NEVER) in[i] = input_slot(e, n, i);
    uint32_t item = begin_item(e, SL_ITEM_MERGE, n), base = e->l->port_base[n->id];
    uint32_t out = new_slot(e, item), index = n->n_outputs > 1 ? new_slot(e, item) : SL_NO_SLOT;
    if (e->failed) return;
    e->slot_of_port[base] = out;
    if (n->n_outputs > 1) e->slot_of_port[base + 1] = index;
    struct sl_merge m = {.inputs = {(uint32_t)e->merge_inputs.n, 0}, .value_index = index};
    for (int i = 0; i < n->n_inputs; i++) {
        uint32_t guard = e->l->port_guard[sl_port_number(e->l, n->inputs[i])];
        struct sl_merge_input input = {.slot = e->dead_slot};
        if (guard == SL_GUARD_NEVER) { /* keeps its place, so that value_index counts right */
            struct sl_guard_literal never = {UINT32_MAX, SL_LITERAL_LIVE, 0, 0};
            guard = sl_guard_with(&e->l->guards, SL_GUARD_ALWAYS, never);
        } else {
            guard = sl_guard_minus(&e->l->guards, guard, e->l->node_guard[n->id]);
            input.slot = in[i];
            use_guard(e, guard, item);
            use(e, in[i], item, USE_MERGE_INPUT, (uint32_t)e->merge_inputs.n);
        }
        PUSH(&e->merge_inputs, input);
        PUSH(&e->merge_guards, guard);
        m.inputs.n++;
    }
    e->drafts.items[item].item.out = out;
    e->drafts.items[item].item.detail = (uint32_t)e->merges.n;
    PUSH(&e->merges, m);
}

static void emit_ret(struct emitter *e, const struct sl_node *n) {
    int64_t index = 0;
    sl_attr_int(&index, &n->attrs, "index", NULL);
    uint32_t guard = e->l->node_guard[n->id];
    bool never = guard == SL_GUARD_NEVER;
    e->rets[index].slot = never ? e->dead_slot : input_slot(e, n, 0);
    e->ret_guards[index] = never ? SL_GUARD_ALWAYS : guard;
}

static void emit_node(struct emitter *e, const struct sl_node *n) {
    uint32_t base = e->l->port_base[n->id];
    if (sl_node_is_ret(n)) {
        emit_ret(e, n);
        return;
    }
    if (e->l->node_guard[n->id] == SL_GUARD_NEVER) return;
    switch (e->c->flow[n->id]) {
    case SL_FLOW_MERGE:
        if (!sl_is_loop_merge(e->l, n)) emit_merge(e, n);
        return;
    case SL_FLOW_EXIT:
    case SL_FLOW_NEXT:
    case SL_FLOW_TRIGGER: return;
    case SL_FLOW_SWITCH:
    case SL_FLOW_SWITCH_N:
    case SL_FLOW_ENTER:
    case SL_FLOW_COND:
        for (int o = 0; o < n->n_outputs; o++) {
            if (e->l->root[base + (uint32_t)o] != base + (uint32_t)o) continue; /* another name */
            if (!sl_needs_deref(n, 0)) continue; /* an Enter: the loop's moves read its input */
            uint32_t out = new_slot(e, 0);
            e->slot_of_port[base + (uint32_t)o] = out;
            if (!e->failed) emit_deref(e, n, 0, out);
        }
        return;
    case SL_FLOW_NONE: break;
    }
    const struct sl_kernel_node *k = e->c->kernels[n->id];
    if (!k->def) return; /* constants and arguments have their slots; NoOp has nothing */
    if (n->n_outputs == 1 && e->l->root[base] != base) return;
    if ((k->def->flags & SL_KERNEL_PASS) && n->n_inputs && sl_needs_deref(n, 0)) {
        uint32_t out = new_slot(e, 0);
        e->slot_of_port[base] = out;
        if (!e->failed) emit_deref(e, n, 0, out);
        return;
    }
    emit_kernel(e, n);
}

/* ---- the order within a block: units are nodes and whole loops; units of one guard stand together as far as dependences allow */

struct ordering {
    struct unit *units;
    uint32_t n;
    struct sl_heap ready;            /* all that wait for nothing; those that have been taken may still stand in it */
    SL_VEC(struct sl_heap) by_guard; /* the same, apart for each guard */
    bool *is_done;
    uint32_t *out;
};

static void make_ready(struct emitter *e, struct ordering *o, uint32_t unit) {
    uint32_t *queue = &e->guard_queue[o->units[unit].guard];
    if (!*queue) {
        struct sl_heap empty = {0};
        PUSH(&o->by_guard, empty);
        *queue = (uint32_t)o->by_guard.n;
    }
    if (!e->failed) e->failed = sl_heap_push(&o->ready, unit) || sl_heap_push(&o->by_guard.items[*queue - 1], unit);
}

static bool is_in_block(const struct emitter *e, const struct sl_node *n) {
    return sl_frame_of(e->l, n) == e->level && e->l->phase[n->id] == e->phase;
}

static uint8_t loop_phase(const struct emitter *e, int loop) {
    int parent = e->c->frames.frames[loop].parent;
    if (parent == 0) return SL_PHASE_CONDITION;
    const struct sl_linear_loop *around = &e->l->loops[parent];
    uint32_t guard = e->l->loops[loop].guard;
    if (sl_guard_implies(&e->l->guards, guard, around->when_true)) return SL_PHASE_BODY;
    if (sl_guard_implies(&e->l->guards, guard, around->when_false)) return SL_PHASE_TAIL;
    return SL_PHASE_CONDITION;
}

/* Calls `visit` for every unit of this block that waits for `from`. */
static void each_successor(struct emitter *e, struct ordering *o, const struct sl_node *from,
                           void (*visit)(struct emitter *, struct ordering *, uint32_t unit)) {
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

static void each_successor_of_unit(struct emitter *e, struct ordering *o, uint32_t unit,
                                   void (*visit)(struct emitter *, struct ordering *, uint32_t unit)) {
    const struct unit *u = &o->units[unit];
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

static void count_one(struct emitter *e, struct ordering *o, uint32_t unit) {
    (void)e;
    o->units[unit].missing++;
}

static void finish_one(struct emitter *e, struct ordering *o, uint32_t unit) {
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
static bool take_next(uint32_t *unit, struct emitter *e, struct ordering *o, uint32_t guard) {
    uint32_t queue = e->guard_queue[guard];
    return (queue && take(unit, o, &o->by_guard.items[queue - 1])) || take(unit, o, &o->ready);
}

static void order_units(struct emitter *e, struct ordering *o) {
    bool one_guard = true;
    for (uint32_t i = 0; i < o->n; i++) {
        o->out[i] = i;
        one_guard &= o->units[i].guard == o->units[0].guard;
    }
    if (one_guard) return; /* the sequence is an order already */
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

static void emit_loop(struct emitter *e, int loop);

static void add_unit(struct emitter *e, int level, uint8_t phase, struct sl_node *node, int loop) {
    struct block *b = &e->blocks[level * 3 + phase];
    struct unit u = {.node = node, .loop = loop};
    PUSH(&b->units, u);
}

/* Shares the sequence out among the blocks; a loop stands where the last of its Enters has been. */
static void fill_blocks(struct emitter *e) {
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

/* Emits the units of the current level and phase, in order. */
static void emit_block(struct emitter *e) {
    struct sl_linear *l = e->l;
    const struct block *b = &e->blocks[e->level * 3 + e->phase];
    struct ordering o = {.units = b->units.items, .n = (uint32_t)b->units.n};
    for (uint32_t i = 0; i < o.n; i++) {
        struct unit *u = &o.units[i];
        u->guard = local_guard(e, u->node ? l->node_guard[u->node->id] : l->loops[u->loop].guard);
        if (u->node) {
            e->unit_of_node[u->node->id] = i;
        } else {
            e->unit_of_loop[u->loop] = i;
        }
    }
    o.out = sl_calloc((size_t)o.n + 1, sizeof *o.out);
    if (!o.out) e->failed = true;
    if (!e->failed) order_units(e, &o);
    for (uint32_t i = 0; i < o.n && !e->failed; i++) {
        const struct unit *u = &b->units.items[o.out[i]];
        if (u->node) emit_node(e, u->node);
        else emit_loop(e, u->loop);
    }
    sl_free(o.out);
}

/* ---- loops */

static void add_move(struct emitter *e, uint32_t item, uint32_t from, uint32_t to) {
    struct sl_move m = {.from = from, .to = to};
    use(e, from, item, USE_MOVE, (uint32_t)e->moves.n);
    PUSH(&e->moves, m);
}

static void emit_nexts(struct emitter *e, struct sl_loop *out, const struct sl_linear_loop *loop, uint32_t mark) {
    size_t n = loop->merges.n;
    uint32_t *from = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, n + 1),
             *to = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, n + 1);
    if (!from || !to) {
        e->failed = true;
        return;
    }
    for (size_t m = 0; m < n; m++) {
        const struct sl_node *merge = loop->merges.items[m];
        to[m] = e->slot_of_port[e->l->port_base[merge->id]];
        from[m] = input_slot(e, merge->inputs[1].node, 0);
    }
    if (e->failed) return;
    out->nexts.first = (uint32_t)e->moves.n;
    for (size_t m = 0; m < n;
         m++) { /* a variable that becomes another one: kept aside before anything is overwritten */
        const struct slot *s = &e->slots.items[from[m]];
        if (!s->is_loop_variable || s->level != e->level || from[m] == to[m]) continue;
        uint32_t aside = new_slot(e, mark);
        if (e->failed) return;
        add_move(e, mark, from[m], aside);
        from[m] = aside;
    }
    for (size_t m = 0; m < n; m++) {
        if (from[m] == to[m]) use(e, from[m], mark, USE_PLAIN, 0);
        else add_move(e, mark, from[m], to[m]);
    }
    out->nexts.n = (uint32_t)e->moves.n - out->nexts.first;
}

static void emit_loop(struct emitter *e, int level) {
    struct sl_linear *l = e->l;
    struct sl_linear_loop *loop = &l->loops[level];
    int outer_level = e->level;
    uint8_t outer_phase = e->phase;
    struct sl_loop out = {0};
    SL_VEC(uint32_t) sources = {0};
    for (size_t m = 0; m < loop->merges.n; m++) PUSH(&sources, input_slot(e, loop->merges.items[m]->inputs[0].node, 0));
    uint32_t guard = local_guard(e, loop->guard);
    uint32_t item = new_draft(e, SL_ITEM_LOOP, guard, NULL);
    if (e->failed) goto done;
    use_guard(e, guard, item);
    e->loop_item[level] = item;
    uint32_t index = (uint32_t)e->loops.n;
    e->loop_index[level] = e->drafts.items[item].item.detail = index;
    PUSH(&e->loops, out);

    e->level = level;
    e->phase = SL_PHASE_CONDITION;
    for (size_t m = 0; m < loop->merges.n; m++) {
        uint32_t slot = new_slot(e, item);
        if (e->failed) goto done;
        e->slots.items[slot].is_loop_variable = true;
        e->slot_of_port[l->port_base[loop->merges.items[m]->id]] = slot;
    }
    out.enters.first = (uint32_t)e->moves.n;
    for (size_t m = 0; m < loop->merges.n && !e->failed; m++)
        add_move(e, item, sources.items[m], e->slot_of_port[l->port_base[loop->merges.items[m]->id]]);
    out.enters.n = (uint32_t)e->moves.n - out.enters.first;

    emit_block(e);
    e->phase = SL_PHASE_BODY;
    emit_block(e);
    uint32_t nexts = new_mark(e, MARK_NEXTS);
    if (e->failed) goto done;
    emit_nexts(e, &out, loop, nexts);
    e->phase = SL_PHASE_TAIL;
    emit_block(e);
    uint32_t exits = new_mark(e, MARK_EXITS);
    if (e->failed) goto done;

    struct sl_port pred = {e->c->frames.frames[level].loop_cond, 0};
    out.predicate = port_slot(e, pred);
    use(e, out.predicate, nexts, USE_PLAIN, 0);
    use(e, out.predicate, exits, USE_PLAIN, 0);
    out.exits.first = (uint32_t)e->moves.n;
    for (size_t x = 0; x < loop->exits.n && !e->failed; x++) {
        const struct sl_node *exit = loop->exits.items[x];
        if (!exit->uses.n) continue;
        uint32_t from = port_slot(e, exit->inputs[0]);
        e->level = outer_level;
        e->phase = outer_phase;
        uint32_t to = new_slot(e, item);
        e->level = level;
        e->phase = SL_PHASE_TAIL;
        e->slot_of_port[l->port_base[exit->id]] = to;
        if (!e->failed) add_move(e, exits, from, to);
    }
    out.exits.n = (uint32_t)e->moves.n - out.exits.first;
    if (!e->failed) e->loops.items[index] = out;
done:
    e->level = outer_level;
    e->phase = outer_phase;
    sl_vec_free(&sources);
}

/* ---- liveness */

static void chain_add(struct emitter *e, uint32_t *head, uint32_t slot) {
    struct chain c = {slot, *head};
    PUSH(&e->chains, c);
    if (!e->failed) *head = (uint32_t)e->chains.n - 1;
}

static void allow_taking(struct emitter *e, const struct use *u) {
    switch ((enum use_kind)u->kind) {
    case USE_PLAIN: break;
    case USE_INPUT:
        if (u->index < 64) e->drafts.items[u->item].item.may_take |= UINT64_C(1) << u->index;
        break;
    case USE_MOVE: e->moves.items[u->index].take = true; break;
    case USE_MERGE_INPUT: e->merge_inputs.items[u->index].may_take = true; break;
    case USE_RET: e->rets[u->index].take = true; break;
    }
}

static void release_at(struct emitter *e, uint32_t item, uint32_t slot) {
    struct draft *d = &e->drafts.items[item];
    switch ((enum mark)d->mark) {
    case MARK_NONE: chain_add(e, &d->release_first, slot); break;
    case MARK_NEXTS: chain_add(e, &e->loop_back[d->level], slot); break;
    case MARK_EXITS: chain_add(e, &e->loop_release[d->level], slot); break;
    case MARK_RETS: chain_add(e, &e->finals, slot); break;
    }
}

/* Finds the last use of every slot on either way, with uses in inner loops counted as uses by the loop's item. */
static void find_last_uses(struct emitter *e) {
    for (size_t i = 0; i < e->uses.n; i++) {
        const struct use *u = &e->uses.items[i];
        struct slot *s = &e->slots.items[u->slot];
        if (s->is_constant) continue;
        uint32_t item = u->item;
        while (e->drafts.items[item].level != s->level) item = e->loop_item[e->drafts.items[item].level];
        bool in_tail = s->level && e->drafts.items[item].phase == SL_PHASE_TAIL;
        uint32_t *last = in_tail ? &s->last_tail : &s->last, *count = in_tail ? &s->last_tail_count : &s->last_count;
        if (*last == SL_NO_SLOT || item > *last) {
            *last = item;
            *count = 0;
        }
        if (item == *last) {
            ++*count;
            *(in_tail ? &s->last_tail_use : &s->last_use) = item == u->item ? (uint32_t)i : SL_NO_SLOT;
        }
    }
}

static void end_slot(struct emitter *e, uint32_t slot) {
    struct slot *s = &e->slots.items[slot];
    bool has_tail = s->last_tail != SL_NO_SLOT, has_last = s->last != SL_NO_SLOT;
    if (s->is_constant) return;
    if (has_tail) {
        if (s->last_tail_count == 1 && s->last_tail_use != SL_NO_SLOT)
            allow_taking(e, &e->uses.items[s->last_tail_use]);
        release_at(e, s->last_tail, slot);
    }
    if (!has_last && !has_tail) {
        if (s->is_loop_variable) chain_add(e, &e->loop_release[s->level], slot);
        else if (s->defined != UINT32_MAX) release_at(e, s->defined, slot);
        return;
    }
    if (s->level == 0) {
        if (s->last_count == 1 && s->last_use != SL_NO_SLOT) allow_taking(e, &e->uses.items[s->last_use]);
        release_at(e, s->last, slot);
        return;
    }
    bool leaves_condition = has_last && e->drafts.items[s->last].phase != SL_PHASE_CONDITION;
    bool before_branch = s->is_loop_variable || s->phase == SL_PHASE_CONDITION;
    bool is_next = has_last && e->drafts.items[s->last].mark == MARK_NEXTS;
    if (has_last && (leaves_condition || !has_tail)) {
        bool stays = s->is_loop_variable && is_next; /* overwritten by the move, or kept as it is */
        if (!stays) {
            if (s->last_count == 1 && s->last_use != SL_NO_SLOT) allow_taking(e, &e->uses.items[s->last_use]);
            release_at(e, s->last, slot);
        }
    } else if (has_tail && !s->is_loop_variable && s->phase == SL_PHASE_CONDITION) {
        chain_add(e, &e->loop_back[s->level], slot);
    }
    if (before_branch && !has_tail && leaves_condition) chain_add(e, &e->loop_release[s->level], slot);
}

/* ---- writing the tables */

static struct sl_range put_chain(struct emitter *e, uint32_t chain) {
    struct sl_range r = {(uint32_t)e->lists.n, 0};
    for (; chain != SL_NO_SLOT && !e->failed; chain = e->chains.items[chain].next) {
        PUSH(&e->lists, e->final_slot[e->chains.items[chain].slot]);
        r.n++;
    }
    return r;
}

static struct sl_range put_guard(struct emitter *e, uint32_t guard) {
    struct sl_range r = {(uint32_t)e->literals.n, 0};
    const struct sl_guard_set *set = &e->l->guards.sets.items[guard];
    for (uint32_t i = 0; i < set->n; i++) {
        const struct sl_guard_literal *g = &e->l->guards.literals.items[set->literals[i]];
        uint32_t slot = g->port == UINT32_MAX ? e->dead_slot : e->slot_of_port[e->l->root[g->port]];
        struct sl_literal lit = {.slot = slot, .index = g->index, .n = g->n, .kind = g->kind};
        PUSH(&e->literals, lit);
        if (e->failed) return r;
        /* in the order in which the slots are written: what is looked at later may exist only when the earlier ones hold */
        struct sl_literal *at = &e->literals.items[e->literals.n - 1];
        for (;
             r.n && at > e->literals.items + r.first && e->slots.items[at[-1].slot].order > e->slots.items[slot].order;
             at--)
            at[0] = at[-1];
        *at = lit;
        r.n++;
    }
    for (uint32_t i = 0; i < r.n; i++)
        e->literals.items[r.first + i].slot = e->final_slot[e->literals.items[r.first + i].slot];
    return r;
}

/* The regions of one phase of one level: runs of drafts with the same guard. */
static struct sl_range put_block(struct emitter *e, const uint32_t *drafts, uint32_t n) {
    struct sl_range block = {(uint32_t)e->regions.n, 0};
    for (uint32_t i = 0; i < n && !e->failed;) {
        uint32_t guard = e->drafts.items[drafts[i]].guard, releases = (uint32_t)e->lists.n;
        struct sl_region region = {.items = {(uint32_t)e->items.n, 0}};
        for (; i < n && e->drafts.items[drafts[i]].guard == guard && !e->failed; i++) {
            struct draft *d = &e->drafts.items[drafts[i]];
            struct sl_item item = d->item;
            item.release = put_chain(e, d->release_first);
            if (item.out != SL_NO_SLOT) item.out = e->final_slot[item.out];
            if (item.a != SL_NO_SLOT) item.a = e->final_slot[item.a];
            if (item.b != SL_NO_SLOT) item.b = e->final_slot[item.b];
            PUSH(&e->items, item);
            region.items.n++;
        }
        region.release = (struct sl_range){releases, (uint32_t)e->lists.n - releases};
        region.guard = put_guard(e, guard);
        PUSH(&e->regions, region);
        block.n++;
    }
    return block;
}

static void put_blocks(struct emitter *e) {
    int levels = e->c->frames.n;
    SL_VEC(uint32_t) *members = sl_calloc((size_t)levels * 3, sizeof *members);
    if (!members) {
        e->failed = true;
        return;
    }
    for (size_t i = 0; i < e->drafts.n; i++) {
        const struct draft *d = &e->drafts.items[i];
        if (d->mark == MARK_NONE) PUSH(&members[d->level * 3 + d->phase], (uint32_t)i);
    }
    for (int level = 0; level < levels && !e->failed; level++) {
        struct sl_range r[3];
        for (int phase = 0; phase < 3; phase++) {
            r[phase] = put_block(e, members[level * 3 + phase].items, (uint32_t)members[level * 3 + phase].n);
        }
        if (level == 0) {
            e->c->program->root = r[0];
            e->c->program->finals = put_chain(e, e->finals);
            continue;
        }
        if (e->loop_item[level] == SL_NO_SLOT) continue; /* a loop that never runs */
        struct sl_loop *loop = &e->loops.items[e->loop_index[level]];
        loop->condition = r[0];
        loop->body = r[1];
        loop->tail = r[2];
        loop->predicate = e->final_slot[loop->predicate];
        loop->back = put_chain(e, e->loop_back[level]);
        loop->release = put_chain(e, e->loop_release[level]);
    }
    for (int i = 0; i < levels * 3; i++) sl_vec_free(&members[i]);
    sl_free(members);
}

static void number_slots(struct emitter *e) {
    uint32_t constants = 0, others = (uint32_t)e->constants.n;
    for (size_t s = 0; s < e->slots.n; s++) e->final_slot[s] = e->slots.items[s].is_constant ? constants++ : others++;
    e->c->program->n_slots = others;
    e->c->program->n_constants = constants;
    for (size_t i = 0; i < e->c->graph->nodes.n; i++) {
        struct sl_kernel_node *k = e->c->kernels[i];
        if (!k || k->out == SL_NO_SLOT) continue; /* not an item */
        uint32_t *in = (uint32_t *)(uintptr_t)k->in;
        for (uint32_t j = 0; j < k->n_in; j++) in[j] = e->final_slot[in[j]];
        k->out = k->n_out ? e->final_slot[k->out] : 0;
    }
    for (size_t m = 0; m < e->moves.n; m++) {
        e->moves.items[m].from = e->final_slot[e->moves.items[m].from];
        e->moves.items[m].to = e->final_slot[e->moves.items[m].to];
    }
    for (size_t m = 0; m < e->merges.n; m++)
        if (e->merges.items[m].value_index != SL_NO_SLOT)
            e->merges.items[m].value_index = e->final_slot[e->merges.items[m].value_index];
    for (size_t m = 0; m < e->merge_inputs.n; m++)
        e->merge_inputs.items[m].slot = e->final_slot[e->merge_inputs.items[m].slot];
}

static const void *keep(struct emitter *e, const void *items, size_t n, size_t size) {
    void *copy = sl_arena_alloc(&e->c->program->arena, n * size + 1);
    if (!copy) e->failed = true;
    else if (n) memcpy(copy, items, n * size);
    return copy;
}
#define KEEP(vec) keep(e, (vec)->items, (vec)->n, sizeof *(vec)->items)

static void write_program(struct emitter *e) {
    struct sl_program *p = e->c->program;
    number_slots(e);
    put_blocks(e);
    for (size_t i = 0; i < e->merge_inputs.n && !e->failed; i++)
        e->merge_inputs.items[i].guard = put_guard(e, e->merge_guards.items[i]);
    for (int i = 0; i < p->n_rets && !e->failed; i++) {
        e->rets[i].guard = put_guard(e, e->ret_guards[i]);
        e->rets[i].slot = e->final_slot[e->rets[i].slot];
    }
    for (int i = 0; i < p->n_args; i++)
        if (e->args[i].slot != SL_NO_SLOT) e->args[i].slot = e->final_slot[e->args[i].slot];
    if (e->failed) return;
    p->n_items = (uint32_t)e->items.n;
    p->n_regions = (uint32_t)e->regions.n;
    p->items = KEEP(&e->items);
    p->regions = KEEP(&e->regions);
    p->literals = KEEP(&e->literals);
    p->merges = KEEP(&e->merges);
    p->merge_inputs = KEEP(&e->merge_inputs);
    p->loops = KEEP(&e->loops);
    p->moves = KEEP(&e->moves);
    p->slot_lists = KEEP(&e->lists);
    p->args = e->args;
    p->rets = e->rets;
    p->constants = KEEP(&e->constants);
    p->is_linear = true;
}

/* Constants and arguments have their slots before anything runs. */
static sl_code emit_sources(struct emitter *e) {
    struct sl_value dead = {.kind = SL_VALUE_DEAD};
    e->dead_slot = new_constant(e, dead);
    for (int i = 0; i < e->c->program->n_args; i++) e->args[i].slot = SL_NO_SLOT;
    SL_GRAPH_EACH(n, e->c->graph) {
        uint32_t base = e->l->port_base[n->id];
        if (sl_node_is_constant(n)) {
            struct sl_value v;
            SL_TRY(sl_constant_value(&v, n, e->c->err));
            size_t before = e->constants.n;
            e->slot_of_port[base] = new_constant(e, v);
            if (e->constants.n == before) sl_value_clear(&v);
        } else if (sl_node_is_arg(n)) {
            int64_t index = 0;
            sl_attr_int(&index, &n->attrs, "index", NULL);
            e->slot_of_port[base] = e->args[index].slot = new_slot(e, UINT32_MAX);
        }
    }
    return e->failed ? sl_fail_memory(e->c->err, 0) : SL_OK;
}

/* An argument that nobody reads is dropped at once. */
static void drop_unread_args(struct emitter *e) {
    for (int i = 0; i < e->c->program->n_args; i++) {
        uint32_t s = e->args[i].slot;
        if (s != SL_NO_SLOT && e->slots.items[s].last == SL_NO_SLOT) e->args[i].slot = SL_NO_SLOT;
    }
}

static sl_code emit_all(struct emitter *e) {
    SL_TRY(emit_sources(e));
    emit_block(e);
    uint32_t end = new_mark(e, MARK_RETS);
    if (e->failed) return sl_fail_memory(e->c->err, 0);
    for (int i = 0; i < e->c->program->n_rets; i++) {
        use_guard(e, e->ret_guards[i], end);
        use(e, e->rets[i].slot, end, USE_RET, (uint32_t)i);
    }
    if (!e->failed) find_last_uses(e);
    for (size_t s = 0; s < e->slots.n && !e->failed; s++) end_slot(e, (uint32_t)s);
    drop_unread_args(e);
    e->final_slot = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, e->slots.n + 1);
    if (!e->final_slot) e->failed = true;
    if (!e->failed) write_program(e);
    return e->failed ? sl_fail_memory(e->c->err, 0) : SL_OK;
}

sl_code sl_linear_emit(struct sl_linear *l) {
    struct sl_compilation *c = l->c;
    struct emitter emitter = {.l = l, .c = c, .finals = SL_NO_SLOT}, *e = &emitter;
    size_t levels = (size_t)c->frames.n;
    struct sl_program *p = c->program;
    e->slot_of_port = SL_ARENA_ARRAY(&c->scratch, uint32_t, l->n_ports + 1);
    e->unit_of_node = SL_ARENA_ARRAY(&c->scratch, uint32_t, c->graph->nodes.n + 1);
    e->unit_of_loop = SL_ARENA_ARRAY(&c->scratch, uint32_t, levels);
    e->blocks = SL_ARENA_ARRAY(&c->scratch, struct block, levels * 3);
    e->loop_item = SL_ARENA_ARRAY(&c->scratch, uint32_t, levels);
    e->loop_index = SL_ARENA_ARRAY(&c->scratch, uint32_t, levels);
    e->loop_back = SL_ARENA_ARRAY(&c->scratch, uint32_t, levels);
    e->loop_release = SL_ARENA_ARRAY(&c->scratch, uint32_t, levels);
    e->ret_guards = SL_ARENA_ARRAY(&c->scratch, uint32_t, (size_t)p->n_rets + 1);
    e->args = SL_ARENA_ARRAY(&p->arena, struct sl_program_arg, (size_t)p->n_args + 1);
    e->rets = SL_ARENA_ARRAY(&p->arena, struct sl_program_ret, (size_t)p->n_rets + 1);
    sl_code code;
    if (!e->slot_of_port || !e->unit_of_node || !e->unit_of_loop || !e->blocks || !e->loop_item || !e->loop_index ||
        !e->loop_back || !e->loop_release || !e->ret_guards || !e->args || !e->rets) {
        code = sl_fail_memory(c->err, l->n_ports);
    } else {
        for (size_t f = 0; f < levels; f++) e->loop_item[f] = e->loop_back[f] = e->loop_release[f] = SL_NO_SLOT;
        fill_blocks(e);
        code = emit_all(e);
    }
    for (size_t b = 0; e->blocks && b < levels * 3; b++) sl_vec_free(&e->blocks[b].units);
    if (code != SL_OK) { /* constants are the program's only when all went well */
        for (size_t i = 0; i < e->constants.n; i++) sl_value_clear(&e->constants.items[i]);
        p->n_constants = 0;
    }
    sl_vec_free(&e->drafts);
    sl_vec_free(&e->uses);
    sl_vec_free(&e->slots);
    sl_vec_free(&e->constants);
    sl_vec_free(&e->merges);
    sl_vec_free(&e->merge_inputs);
    sl_vec_free(&e->merge_guards);
    sl_vec_free(&e->moves);
    sl_vec_free(&e->loops);
    sl_vec_free(&e->chains);
    sl_vec_free(&e->lists);
    sl_vec_free(&e->items);
    sl_vec_free(&e->regions);
    sl_vec_free(&e->literals);
    sl_free(e->guard_queue);
    return code;
}

sl_code sl_lower_linear(bool *fits, struct sl_compilation *c) {
    struct sl_linear l = {.c = c};
    sl_code code = SL_OK;
    if (sl_guards_init(&l.guards, &c->scratch)) code = sl_fail_memory(c->err, 0);
    if (code == SL_OK) code = sl_linear_structure(fits, &l);
    if (code == SL_OK && *fits) code = sl_linear_emit(&l);
    for (int f = 0; l.loops && f < c->frames.n; f++) {
        sl_vec_free(&l.loops[f].enters);
        sl_vec_free(&l.loops[f].merges);
        sl_vec_free(&l.loops[f].exits);
    }
    sl_guards_clear(&l.guards);
    return code;
}
