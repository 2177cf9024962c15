/* Where every slot's value ends: its last use takes it over or releases it. A value of a loop may end on two ways,
 * with the condition true (condition, body, next iteration) or false (condition, tail, exits); each way releases it
 * exactly once. Called by linear_emit.c. */
#include "program/linear_emitter.h"

static void chain_add(struct sl_linear_emitter *e, uint32_t *head, uint32_t slot) {
    struct sl_slot_chain c = {slot, *head};
    SL_EMIT_PUSH(e, &e->chains, c);
    if (!e->failed) *head = (uint32_t)e->chains.n - 1;
}

static void allow_taking(struct sl_linear_emitter *e, const struct sl_slot_use *u) {
    switch ((enum sl_slot_use_kind)u->kind) {
    case SL_USE_PLAIN: break;
    case SL_USE_INPUT:
        if (u->index < 64) e->drafts.items[u->item].item.may_take |= UINT64_C(1) << u->index;
        break;
    case SL_USE_MOVE: e->moves.items[u->index].take = true; break;
    case SL_USE_MERGE_INPUT: e->merge_inputs.items[u->index].may_take = true; break;
    case SL_USE_RET: e->rets[u->index].take = true; break;
    }
}

static void release_at(struct sl_linear_emitter *e, uint32_t item, uint32_t slot) {
    struct sl_draft *d = &e->drafts.items[item];
    switch ((enum sl_mark)d->mark) {
    case SL_MARK_NONE: chain_add(e, &d->release_first, slot); break;
    case SL_MARK_NEXTS: chain_add(e, &e->loop_back[d->level], slot); break;
    case SL_MARK_EXITS: chain_add(e, &e->loop_release[d->level], slot); break;
    case SL_MARK_RETS: chain_add(e, &e->finals, slot); break;
    }
}

/* The item, or the loop of this level that holds it. */
static uint32_t item_at_level(const struct sl_linear_emitter *e, uint32_t item, int level) {
    while (e->drafts.items[item].level != level) item = e->loop_item[e->drafts.items[item].level];
    return item;
}

/* Finds the last use of every slot on either way, with uses in inner loops counted as uses by the loop's item. */
static void find_last_uses(struct sl_linear_emitter *e) {
    for (size_t i = 0; i < e->uses.n; i++) {
        const struct sl_slot_use *u = &e->uses.items[i];
        struct sl_draft_slot *s = &e->slots.items[u->slot];
        if (s->is_constant) continue;
        const uint32_t item = item_at_level(e, u->item, s->level);
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

/* A slot that several strands of a fork use last ends when they all have ended. */
static void end_behind_forks(struct sl_linear_emitter *e) {
    for (size_t i = 0; i < e->uses.n; i++) {
        const struct sl_slot_use *u = &e->uses.items[i];
        struct sl_draft_slot *s = &e->slots.items[u->slot];
        if (s->is_constant) continue;
        const struct sl_draft *d = &e->drafts.items[item_at_level(e, u->item, s->level)];
        if (d->fork == SL_NO_SLOT) continue;
        const bool in_tail = s->level && d->phase == SL_PHASE_TAIL;
        uint32_t *last = in_tail ? &s->last_tail : &s->last;
        const struct sl_draft *end = &e->drafts.items[*last];
        if (end->fork != d->fork || end->strand == d->strand) continue;
        *last = d->fork;
        *(in_tail ? &s->last_tail_use : &s->last_use) = SL_NO_SLOT;
    }
}

static void end_slot(struct sl_linear_emitter *e, uint32_t slot) {
    struct sl_draft_slot *s = &e->slots.items[slot];
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
    bool is_next = has_last && e->drafts.items[s->last].mark == SL_MARK_NEXTS;
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

void sl_slots_end(struct sl_linear_emitter *e) {
    find_last_uses(e);
    end_behind_forks(e);
    for (size_t s = 0; s < e->slots.n && !e->failed; s++) end_slot(e, (uint32_t)s);
}
