/* Writes the tables of a linear program from its drafts: slots numbered (constants first), lists of releases,
 * guards, regions, blocks. The last step of linear_emit.c; afterwards the program's arena holds all of it. */
#include <string.h>

#include "program/linear_code.h"
#include "program/linear_emitter.h"

static struct sl_table_range put_chain(struct sl_linear_emitter *e, uint32_t chain) {
    struct sl_table_range r = {(uint32_t)e->lists.n, 0};
    for (; chain != SL_NO_SLOT && !e->failed; chain = e->chains.items[chain].next) {
        SL_EMIT_PUSH(e, &e->lists, e->final_slot[e->chains.items[chain].slot]);
        r.n++;
    }
    return r;
}

static struct sl_table_range put_guard(struct sl_linear_emitter *e, uint32_t guard) {
    struct sl_table_range r = {(uint32_t)e->literals.n, 0};
    const struct sl_guard_set *set = &e->l->guards.sets.items[guard];
    for (uint32_t i = 0; i < set->n; i++) {
        const struct sl_guard_literal *g = &e->l->guards.literals.items[set->literals[i]];
        uint32_t slot = g->port == UINT32_MAX ? e->dead_slot : e->slot_of_port[e->l->root[g->port]];
        struct sl_literal lit = {.slot = slot, .index = g->index, .n = g->n, .kind = g->kind, .node = g->node};
        SL_EMIT_PUSH(e, &e->literals, lit);
        if (e->failed) return r;
        /* in the order in which the slots are written: what is looked at later may exist only when the earlier ones
         * hold */
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

/* Adds the item that was written last to the strand that it belongs to. */
static void put_in_strand(struct sl_linear_emitter *e, const struct sl_draft *d) {
    struct sl_fork *fork = &e->forks.items[e->drafts.items[d->fork].item.detail];
    const uint32_t at = (uint32_t)e->items.n - 1;
    if (!fork->strands.n) fork->strands.first = (uint32_t)e->strands.n;
    if (!fork->strands.n || e->drafts.items[e->strand_draft].strand != d->strand) {
        SL_EMIT_PUSH(e, &e->strands, (struct sl_strand){.items = {at, 0}});
        fork->strands.n++;
    }
    if (e->failed) return;
    struct sl_strand *strand = &e->strands.items[e->strands.n - 1];
    strand->items.n++;
    const struct sl_item *item = &d->item;
    strand->n_heavy += item->kind == SL_ITEM_LOOP || (item->kind == SL_ITEM_KERNEL && sl_kernel_is_heavy(item->node));
    fork->n_items++;
    e->strand_draft = (uint32_t)(d - e->drafts.items);
}

/* The regions of one phase of one level: runs of drafts with the same guard. */
static struct sl_table_range put_block(struct sl_linear_emitter *e, const uint32_t *drafts, uint32_t n) {
    struct sl_table_range block = {(uint32_t)e->regions.n, 0};
    for (uint32_t i = 0; i < n && !e->failed;) {
        uint32_t guard = e->drafts.items[drafts[i]].guard, releases = (uint32_t)e->lists.n;
        struct sl_region region = {.items = {(uint32_t)e->items.n, 0}};
        for (; i < n && e->drafts.items[drafts[i]].guard == guard && !e->failed; i++) {
            struct sl_draft *d = &e->drafts.items[drafts[i]];
            struct sl_item item = d->item;
            item.release = put_chain(e, d->release_first);
            if (item.out != SL_NO_SLOT) item.out = e->final_slot[item.out];
            if (item.a != SL_NO_SLOT) item.a = e->final_slot[item.a];
            if (item.b != SL_NO_SLOT) item.b = e->final_slot[item.b];
            SL_EMIT_PUSH(e, &e->items, item);
            region.items.n++;
            if (d->fork != SL_NO_SLOT && !e->failed) put_in_strand(e, d);
        }
        region.release = (struct sl_table_range){releases, (uint32_t)e->lists.n - releases};
        region.guard = put_guard(e, guard);
        SL_EMIT_PUSH(e, &e->regions, region);
        block.n++;
    }
    return block;
}

static void put_blocks(struct sl_linear_emitter *e) {
    int levels = e->c->frames.n;
    SL_VEC(uint32_t) *members = sl_calloc((size_t)levels * 3, sizeof *members);
    if (!members) {
        e->failed = true;
        return;
    }
    for (size_t i = 0; i < e->drafts.n; i++) {
        const struct sl_draft *d = &e->drafts.items[i];
        if (d->mark == SL_MARK_NONE) SL_EMIT_PUSH(e, &members[d->level * 3 + d->phase], (uint32_t)i);
    }
    for (int level = 0; level < levels && !e->failed; level++) {
        struct sl_table_range r[3];
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

static void number_slots(struct sl_linear_emitter *e) {
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

static const void *keep(struct sl_linear_emitter *e, const void *items, size_t n, size_t size) {
    void *copy = sl_arena_alloc(&e->c->program->arena, n * size + 1);
    if (!copy) e->failed = true;
    else if (n) memcpy(copy, items, n * size);
    return copy;
}
#define KEEP(vec) keep(e, (vec)->items, (vec)->n, sizeof *(vec)->items)

void sl_linear_write(struct sl_linear_emitter *e) {
    struct sl_program *p = e->c->program;
    e->final_slot = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, e->slots.n + 1);
    if (!e->final_slot) {
        e->failed = true;
        return;
    }
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
    p->forks = KEEP(&e->forks);
    p->strands = KEEP(&e->strands);
    p->moves = KEEP(&e->moves);
    p->slot_lists = KEEP(&e->lists);
    p->args = e->args;
    p->rets = e->rets;
    p->constants = KEEP(&e->constants);
    if (e->failed || !sl_loops_to_code(p, e->loops.items, e->loops.n, e->c->options->watch, &e->c->scratch))
        e->failed = true;
    p->loops = KEEP(&e->loops);
    p->is_linear = true;
}
