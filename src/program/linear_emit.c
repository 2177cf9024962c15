/* Emission of the linear form: drafts of all items with their slots and uses, block by block, loops within loops.
 * linear_order.c says in which order, linear_liveness.c where values end, linear_write.c makes tables of it. Called
 * by compile.c through sl_lower_linear. */
#include "program/linear_emitter.h"

static uint32_t new_slot(struct sl_linear_emitter *e, uint32_t defined) {
    struct sl_draft_slot s = {
        .level = e->level, .phase = e->phase, .defined = defined, .last = SL_NO_SLOT, .last_tail = SL_NO_SLOT};
    s.order = (uint32_t)e->slots.n;
    SL_EMIT_PUSH(e, &e->slots, s);
    return (uint32_t)e->slots.n - 1;
}

static uint32_t new_constant(struct sl_linear_emitter *e, struct sl_value value) {
    uint32_t s = new_slot(e, UINT32_MAX);
    if (e->failed) return s;
    e->slots.items[s].is_constant = true;
    e->slots.items[s].level = 0;
    SL_EMIT_PUSH(e, &e->constants, value);
    return s;
}

static void use(struct sl_linear_emitter *e, uint32_t slot, uint32_t item, enum sl_slot_use_kind kind, uint32_t index) {
    struct sl_slot_use u = {slot, item, index, (uint8_t)kind};
    SL_EMIT_PUSH(e, &e->uses, u);
}

static uint32_t new_draft(struct sl_linear_emitter *e, enum sl_item_kind kind, uint32_t guard,
                          const struct sl_kernel_node *node) {
    struct sl_draft d = {
        .item = {.kind = (uint8_t)kind, .out = SL_NO_SLOT, .a = SL_NO_SLOT, .b = SL_NO_SLOT, .node = node},
        .guard = guard,
        .level = e->level,
        .phase = e->phase,
        .release_first = SL_NO_SLOT,
        .fork = e->fork,
        .strand = e->strand};
    SL_EMIT_PUSH(e, &e->drafts, d);
    return (uint32_t)e->drafts.n - 1;
}

/* What follows a block, as the position of uses. */
static uint32_t new_mark(struct sl_linear_emitter *e, enum sl_mark mark) {
    uint32_t item = new_draft(e, SL_ITEM_KERNEL, SL_GUARD_ALWAYS, NULL);
    if (!e->failed) e->drafts.items[item].mark = (uint8_t)mark;
    return item;
}

static uint32_t port_slot(const struct sl_linear_emitter *e, struct sl_port p) {
    return e->slot_of_port[e->l->root[sl_port_number(e->l, p)]];
}

/* Every literal of a guard reads its slot. */
static void use_guard(struct sl_linear_emitter *e, uint32_t guard, uint32_t item) {
    const struct sl_guard_set *set = &e->l->guards.sets.items[guard];
    for (uint32_t i = 0; i < set->n; i++) {
        uint32_t port = e->l->guards.literals.items[set->literals[i]].port;
        use(e, e->slot_of_port[e->l->root[port]], item, SL_USE_PLAIN, 0);
    }
}

static uint32_t begin_item(struct sl_linear_emitter *e, enum sl_item_kind kind, const struct sl_node *n) {
    uint32_t guard = sl_local_guard(e, e->l->node_guard[n->id]);
    uint32_t item = new_draft(e, kind, guard, e->c->kernels[n->id]);
    use_guard(e, guard, item);
    return item;
}

/* `out` gets what the reference in the producer's slot holds. */
static void emit_deref(struct sl_linear_emitter *e, const struct sl_node *n, int i, uint32_t out) {
    uint32_t item = begin_item(e, SL_ITEM_DEREF, n);
    if (e->failed) return;
    uint32_t from = port_slot(e, n->inputs[i]);
    e->drafts.items[item].item.a = from;
    e->drafts.items[item].item.out = out;
    e->slots.items[out].defined = item;
    use(e, from, item, SL_USE_PLAIN, 0);
}

/* Slot of an input; a reference that is read as a value is read now. */
static uint32_t input_slot(struct sl_linear_emitter *e, const struct sl_node *n, int i) {
    if (!sl_needs_deref(n, i)) return port_slot(e, n->inputs[i]);
    uint32_t out = new_slot(e, 0);
    if (!e->failed) emit_deref(e, n, i, out);
    return out;
}

static void emit_kernel(struct sl_linear_emitter *e, const struct sl_node *n) {
    struct sl_kernel_node *k = e->c->kernels[n->id];
    uint32_t *in = (uint32_t *)(uintptr_t)k->in;
    for (int i = 0; i < n->n_inputs; i++) in[i] = input_slot(e, n, i);
    uint32_t item = begin_item(e, SL_ITEM_KERNEL, n);
    uint32_t first = (uint32_t)e->slots.n;
    for (int o = 0; o < n->n_outputs; o++) e->slot_of_port[e->l->port_base[n->id] + (uint32_t)o] = new_slot(e, item);
    if (e->failed) return;
    k->out = first;
    for (int i = 0; i < n->n_inputs; i++) use(e, in[i], item, SL_USE_INPUT, (uint32_t)i);
    if (k->scalar) {
        struct sl_item *it = &e->drafts.items[item].item;
        it->kind = SL_ITEM_SCALAR;
        it->scalar = k->scalar;
        it->out_dtype = (uint8_t)sl_dtype_base(n->out_types[0]);
        it->a = in[0];
        it->b = in[n->n_inputs - 1];
        it->out = first;
    }
}

static void emit_merge(struct sl_linear_emitter *e, const struct sl_node *n) {
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
    struct sl_slot_merge m = {.inputs = {(uint32_t)e->merge_inputs.n, 0}, .value_index = index};
    for (int i = 0; i < n->n_inputs; i++) {
        uint32_t guard = e->l->port_guard[sl_port_number(e->l, n->inputs[i])];
        struct sl_slot_merge_input input = {.slot = e->dead_slot};
        if (guard == SL_GUARD_NEVER) { /* keeps its place, so that value_index counts right */
            struct sl_guard_literal never = {.port = UINT32_MAX, .kind = SL_LITERAL_LIVE};
            guard = sl_guard_with(&e->l->guards, SL_GUARD_ALWAYS, never);
        } else {
            guard = sl_guard_minus(&e->l->guards, guard, e->l->node_guard[n->id]);
            input.slot = in[i];
            use_guard(e, guard, item);
            use(e, in[i], item, SL_USE_MERGE_INPUT, (uint32_t)e->merge_inputs.n);
        }
        SL_EMIT_PUSH(e, &e->merge_inputs, input);
        SL_EMIT_PUSH(e, &e->merge_guards, guard);
        m.inputs.n++;
    }
    e->drafts.items[item].item.out = out;
    e->drafts.items[item].item.detail = (uint32_t)e->merges.n;
    SL_EMIT_PUSH(e, &e->merges, m);
}

static void emit_ret(struct sl_linear_emitter *e, const struct sl_node *n) {
    int64_t index = 0;
    sl_attr_int(&index, &n->attrs, "index", NULL);
    uint32_t guard = e->l->node_guard[n->id];
    bool never = guard == SL_GUARD_NEVER;
    e->rets[index].slot = never ? e->dead_slot : input_slot(e, n, 0);
    e->ret_guards[index] = never ? SL_GUARD_ALWAYS : guard;
}

static void emit_node(struct sl_linear_emitter *e, const struct sl_node *n) {
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

static void emit_loop(struct sl_linear_emitter *e, int level);

/* The item of a fork, before those of its strands. */
static uint32_t new_fork(struct sl_linear_emitter *e, uint32_t guard) {
    uint32_t item = new_draft(e, SL_ITEM_FORK, guard, NULL);
    if (!e->failed) e->drafts.items[item].item.detail = (uint32_t)e->forks.n;
    SL_EMIT_PUSH(e, &e->forks, (struct sl_fork){.n_items = 0});
    return item;
}

/* Emits the units of the current level and phase, in order. */
static void emit_block(struct sl_linear_emitter *e) {
    const struct sl_unit_block *b = &e->blocks[e->level * 3 + e->phase];
    const uint32_t around = e->fork, strand_around = e->strand; /* of the loop that the block belongs to */
    uint32_t *order = sl_calloc(b->units.n + 1, sizeof *order), fork = 0;
    e->fork = SL_NO_SLOT;
    struct sl_strand_mark *marks = sl_calloc(b->units.n + 1, sizeof *marks);
    e->failed |= !order || !marks;
    if (!e->failed) sl_block_order(order, e, b);
    if (!e->failed) sl_block_strands(marks, order, e, b);
    for (size_t i = 0; i < b->units.n && !e->failed; i++) {
        const struct sl_unit *u = &b->units.items[order[i]];
        if (marks[i].fork != fork) {
            fork = marks[i].fork;
            e->fork = SL_NO_SLOT;
            if (fork) e->fork = new_fork(e, u->guard);
        }
        e->strand = marks[i].strand;
        if (u->node) emit_node(e, u->node);
        else emit_loop(e, u->loop);
    }
    e->fork = around;
    e->strand = strand_around;
    sl_free(order);
    sl_free(marks);
}

/* ---- loops */

static void add_move(struct sl_linear_emitter *e, uint32_t item, uint32_t from, uint32_t to) {
    struct sl_slot_move m = {.from = from, .to = to};
    use(e, from, item, SL_USE_MOVE, (uint32_t)e->moves.n);
    SL_EMIT_PUSH(e, &e->moves, m);
}

static void emit_nexts(struct sl_linear_emitter *e, struct sl_loop *out, const struct sl_linear_loop *loop,
                       uint32_t mark) {
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
        const struct sl_draft_slot *s = &e->slots.items[from[m]];
        if (!s->is_loop_variable || s->level != e->level || from[m] == to[m]) continue;
        uint32_t aside = new_slot(e, mark);
        if (e->failed) return;
        add_move(e, mark, from[m], aside);
        from[m] = aside;
    }
    for (size_t m = 0; m < n; m++) {
        if (from[m] == to[m]) use(e, from[m], mark, SL_USE_PLAIN, 0);
        else add_move(e, mark, from[m], to[m]);
    }
    out->nexts.n = (uint32_t)e->moves.n - out->nexts.first;
}

/* The exits' slots are of the level around, where `item`, the loop, writes them. */
static void emit_exits(struct sl_linear_emitter *e, struct sl_loop *out, const struct sl_linear_loop *loop,
                       uint32_t item, uint32_t mark) {
    const struct sl_draft around = e->drafts.items[item];
    int level = e->level;
    uint8_t phase = e->phase;
    out->exits.first = (uint32_t)e->moves.n;
    for (size_t x = 0; x < loop->exits.n && !e->failed; x++) {
        const struct sl_node *exit = loop->exits.items[x];
        if (!exit->uses.n) continue;
        uint32_t from = port_slot(e, exit->inputs[0]);
        e->level = around.level;
        e->phase = around.phase;
        uint32_t to = new_slot(e, item);
        e->level = level;
        e->phase = phase;
        e->slot_of_port[e->l->port_base[exit->id]] = to;
        if (!e->failed) add_move(e, mark, from, to);
    }
    out->exits.n = (uint32_t)e->moves.n - out->exits.first;
}

static void emit_loop(struct sl_linear_emitter *e, int level) {
    struct sl_linear *l = e->l;
    struct sl_linear_loop *loop = &l->loops[level];
    int outer_level = e->level;
    uint8_t outer_phase = e->phase;
    const uint32_t fork = e->fork;
    struct sl_loop out = {.name = sl_arena_str(&e->c->program->arena, e->c->frames.frames[level].name)};
    SL_VEC(uint32_t) sources = {0};
    if (!out.name.p) e->failed = true;
    for (size_t m = 0; m < loop->merges.n; m++)
        SL_EMIT_PUSH(e, &sources, input_slot(e, loop->merges.items[m]->inputs[0].node, 0));
    uint32_t guard = sl_local_guard(e, loop->guard);
    uint32_t item = new_draft(e, SL_ITEM_LOOP, guard, NULL);
    if (e->failed) goto done;
    use_guard(e, guard, item);
    e->loop_item[level] = item;
    e->fork = SL_NO_SLOT; /* what is within stands for itself */
    uint32_t index = (uint32_t)e->loops.n;
    e->loop_index[level] = e->drafts.items[item].item.detail = index;
    SL_EMIT_PUSH(e, &e->loops, out);

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
    uint32_t nexts = new_mark(e, SL_MARK_NEXTS);
    if (e->failed) goto done;
    emit_nexts(e, &out, loop, nexts);
    e->phase = SL_PHASE_TAIL;
    emit_block(e);
    uint32_t exits = new_mark(e, SL_MARK_EXITS);
    if (e->failed) goto done;

    struct sl_port pred = {e->c->frames.frames[level].loop_cond, 0};
    out.predicate = port_slot(e, pred);
    out.node = loop->by_predicate;
    use(e, out.predicate, nexts, SL_USE_PLAIN, 0);
    use(e, out.predicate, exits, SL_USE_PLAIN, 0);
    if (!e->failed) emit_exits(e, &out, loop, item, exits);
    if (!e->failed) e->loops.items[index] = out;
done:
    e->fork = fork;
    e->level = outer_level;
    e->phase = outer_phase;
    sl_vec_free(&sources);
}

/* Constants and arguments have their slots before anything runs. */
static sl_code emit_sources(struct sl_linear_emitter *e) {
    struct sl_value dead = {.kind = SL_VALUE_DEAD};
    e->dead_slot = new_constant(e, dead);
    for (int i = 0; i < e->c->program->n_args; i++) e->args[i].slot = SL_NO_SLOT;
    SL_GRAPH_EACH(n, e->c->graph) {
        uint32_t base = e->l->port_base[n->id];
        if (sl_node_is_constant(n)) {
            struct sl_value v;
            SL_TRY(sl_constant_value(&v, e->c, n));
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
static void drop_unused_args(struct sl_linear_emitter *e) {
    for (int i = 0; i < e->c->program->n_args; i++) {
        uint32_t s = e->args[i].slot;
        if (s != SL_NO_SLOT && e->slots.items[s].last == SL_NO_SLOT) e->args[i].slot = SL_NO_SLOT;
    }
}

static sl_code emit_all(struct sl_linear_emitter *e) {
    SL_TRY(emit_sources(e));
    emit_block(e);
    uint32_t end = new_mark(e, SL_MARK_RETS);
    if (e->failed) return sl_fail_memory(e->c->err, 0);
    for (int i = 0; i < e->c->program->n_rets; i++) {
        use_guard(e, e->ret_guards[i], end);
        use(e, e->rets[i].slot, end, SL_USE_RET, (uint32_t)i);
    }
    if (!e->failed) sl_slots_end(e);
    drop_unused_args(e);
    if (!e->failed) sl_linear_write(e);
    return e->failed ? sl_fail_memory(e->c->err, 0) : SL_OK;
}

sl_code sl_linear_emit(struct sl_linear *l) {
    struct sl_compilation *c = l->c;
    struct sl_linear_emitter emitter = {.l = l, .c = c, .finals = SL_NO_SLOT, .fork = SL_NO_SLOT}, *e = &emitter;
    size_t levels = (size_t)c->frames.n;
    struct sl_program *p = c->program;
    e->slot_of_port = SL_ARENA_ARRAY(&c->scratch, uint32_t, l->n_ports + 1);
    e->unit_of_node = SL_ARENA_ARRAY(&c->scratch, uint32_t, c->graph->nodes.n + 1);
    e->unit_of_loop = SL_ARENA_ARRAY(&c->scratch, uint32_t, levels);
    e->blocks = SL_ARENA_ARRAY(&c->scratch, struct sl_unit_block, levels * 3);
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
        sl_blocks_fill(e);
        sl_effects_find(e);
        code = e->failed ? sl_fail_memory(c->err, l->n_ports) : emit_all(e);
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
    sl_vec_free(&e->forks);
    sl_vec_free(&e->strands);
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
