/* Which heavy items of a region (kernels, and loops with heavy kernels) may run at the same time. Looks at the units of
 * one guard. Heavy units with the same number of heavy units before them, on the longest way, do not depend on each
 * other: two or more of them make a fork, each in its own strand. A strand goes on with units that depend on it only:
 * light ones, and the next heavy ones when each of them depends on one strand. All other units come before or after the
 * fork, as do those that change more than arrays and stacks of the step. The executor decides whether strands are worth
 * several threads; the order of items is the same either way. Called by linear_emit.c. */
#include <string.h>

#include "program/linear_emitter.h"

enum { BEHIND = UINT32_MAX - 1, NO_STRAND = UINT32_MAX, NO_UNIT = UINT32_MAX };

struct strands {
    struct sl_linear_emitter *e;
    const struct sl_unit *units;
    uint32_t n; /* units of the block */
    bool *is_heavy, *is_ordered;
    uint32_t *region, n_regions; /* by unit: number of its stretch; the last one is looked at */
    uint32_t *depth;             /* heavy units before it on the longest way */
    uint32_t *key; /* 2 * depth, + 1 when it is heavy: a light unit stands before the heavy ones of its depth */
    SL_VEC(uint32_t) effects;           /* units that others wait for because of their effects */
    uint32_t *first_effect, *n_effects; /* by unit: a stretch of `effects` */
    uint32_t *fork;                     /* number of the fork that the unit belongs to or stands behind; 0: none */
    uint32_t *strand;
    uint32_t *sorted;
    uint32_t *members, n_members, n_strands; /* of the open fork */
    uint32_t *seen;                          /* by strand; zeros */
    uint32_t forks;                          /* so far; the last one is open when it has members */
    uint32_t *out, n_out;
    struct sl_strand_mark *marks;
};

/* ---- units and what they wait for */

/* The unit of this block that `from` belongs to. */
static uint32_t unit_in_block(const struct strands *l, const struct sl_node *from) {
    const struct sl_linear_emitter *e = l->e;
    const int frame = sl_frame_of(e->l, from);
    if (e->c->flow[from->id] == SL_FLOW_NEXT) return NO_UNIT;
    if (frame == e->level) return e->l->phase[from->id] == e->phase ? e->unit_of_node[from->id] : NO_UNIT;
    if (e->c->flow[from->id] != SL_FLOW_EXIT || e->c->frames.frames[frame].parent != e->level) return NO_UNIT;
    const uint32_t unit = e->unit_of_loop[frame];
    return unit < l->n && !l->units[unit].node && l->units[unit].loop == frame ? unit : NO_UNIT;
}

typedef void (*visit_fn)(struct strands *l, uint32_t unit, uint32_t waits_for);

static void visit(struct strands *l, uint32_t unit, const struct sl_node *from, visit_fn fn) {
    const uint32_t waits_for = unit_in_block(l, from);
    if (waits_for != NO_UNIT && l->region[waits_for] == l->n_regions) fn(l, unit, waits_for);
}

static void each_before(struct strands *l, uint32_t unit, visit_fn fn) {
    const struct sl_unit *u = &l->units[unit];
    for (uint32_t i = 0; i < l->n_effects[unit]; i++) fn(l, unit, l->effects.items[l->first_effect[unit] + i]);
    if (u->node) {
        for (int i = 0; i < u->node->n_inputs; i++) visit(l, unit, u->node->inputs[i].node, fn);
        for (int i = 0; i < u->node->n_controls; i++) visit(l, unit, u->node->controls[i], fn);
        return;
    }
    const struct sl_linear_loop *loop = &l->e->l->loops[u->loop];
    for (size_t i = 0; i < loop->enters.n; i++) visit(l, unit, loop->enters.items[i], fn);
}

/* ---- what waits because of effects: who changes things at large for all that read or change them before it, who
 * reads for the last change; and who uses an array or a stack of the step for the last one that did. */

static void wait_for(struct strands *l, uint32_t unit, uint32_t waits_for) {
    SL_EMIT_PUSH(l->e, &l->effects, waits_for);
    if (!l->e->failed) l->n_effects[unit]++;
}

static void wait_for_resource(void *arg, uint32_t unit, uint32_t resource) {
    struct strands *l = arg;
    uint32_t *last = &l->e->last_use_of[resource];
    if (*last && *last - 1 != unit) wait_for(l, unit, *last - 1);
    *last = unit + 1;
}
static void forget_resource(void *arg, uint32_t unit, uint32_t resource) {
    struct strands *l = arg;
    (void)unit;
    l->e->last_use_of[resource] = 0;
}

static void order_effects(struct strands *l, const uint32_t *order, uint32_t n) {
    uint32_t change = NO_UNIT, behind_change = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t u = order[i];
        const enum sl_effects effects = sl_unit_effects(l->e, &l->units[u]);
        l->first_effect[u] = (uint32_t)l->effects.n;
        if (effects != SL_EFFECTS_NONE && change != NO_UNIT) wait_for(l, u, change);
        if (effects == SL_EFFECTS_CHANGES) {
            for (uint32_t j = behind_change; j < i; j++)
                if (sl_unit_effects(l->e, &l->units[order[j]]) == SL_EFFECTS_READS) wait_for(l, u, order[j]);
            change = u;
            behind_change = i + 1;
        }
        sl_unit_resources(l->e, u, &l->units[u], wait_for_resource, l);
    }
    for (uint32_t i = 0; i < n; i++) sl_unit_resources(l->e, order[i], &l->units[order[i]], forget_resource, l);
}

/* ---- the order by depth */

static void deepen(struct strands *l, uint32_t unit, uint32_t waits_for) {
    const uint32_t depth = l->depth[waits_for] + l->is_heavy[waits_for];
    if (depth > l->depth[unit]) l->depth[unit] = depth;
}

/* What waits for nothing heavy stands as late as it may, so that its results do not lie about. */
static void delay(struct strands *l, uint32_t unit, uint32_t waits_for) {
    const uint32_t key = l->key[unit] & ~1U;
    if (!l->is_heavy[waits_for] && l->depth[waits_for] == 0 && key < l->key[waits_for]) l->key[waits_for] = key;
}

/* Depth and key of the `n` units of `order`. True when heavy ones share a depth. */
static bool find_keys(struct strands *l, const uint32_t *order, uint32_t n) {
    uint32_t *heavy_at_depth = l->sorted;
    bool any = false;
    memset(heavy_at_depth, 0, n * sizeof *heavy_at_depth);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t u = order[i];
        each_before(l, u, deepen);
        any |= l->is_heavy[u] && heavy_at_depth[l->depth[u]]++;
        l->key[u] = l->is_heavy[u] || l->depth[u] ? 2 * l->depth[u] + l->is_heavy[u] : UINT32_MAX;
    }
    for (uint32_t i = n; any && i-- > 0;) {
        if (l->key[order[i]] == UINT32_MAX) l->key[order[i]] = 0;
        each_before(l, order[i], delay);
    }
    return any;
}

/* By key, otherwise as they were. */
static void sort_by_key(struct strands *l, const uint32_t *order, uint32_t n, uint32_t *count) {
    memset(count, 0, (2 * (size_t)n + 2) * sizeof *count);
    for (uint32_t i = 0; i < n; i++) count[l->key[order[i]] + 1]++;
    for (uint32_t k = 0; k < 2 * n; k++) count[k + 1] += count[k];
    for (uint32_t i = 0; i < n; i++) l->sorted[count[l->key[order[i]]]++] = order[i];
}

/* ---- forks */

static void put(struct strands *l, uint32_t unit, uint32_t fork, uint32_t strand) {
    l->marks[l->n_out] = (struct sl_strand_mark){fork, strand};
    l->out[l->n_out++] = unit;
}

/* Writes the open fork: strand by strand, then what stands behind it. */
static void close_fork(struct strands *l, uint32_t *first) {
    if (!l->n_members) return;
    uint32_t behind = 0;
    memset(first, 0, (l->n_strands + 1) * sizeof *first);
    for (uint32_t i = 0; i < l->n_members; i++)
        if (l->strand[l->members[i]] != BEHIND) first[l->strand[l->members[i]] + 1]++;
    for (uint32_t j = 0; j < l->n_strands; j++) first[j + 1] += first[j];
    const uint32_t inside = first[l->n_strands], begin = l->n_out;
    for (uint32_t i = 0; i < l->n_members; i++) {
        const uint32_t u = l->members[i], strand = l->strand[u];
        const uint32_t at = begin + (strand == BEHIND ? inside + behind++ : first[strand]++);
        l->out[at] = u;
        l->marks[at] = strand == BEHIND ? (struct sl_strand_mark){0, 0} : (struct sl_strand_mark){l->forks, strand};
    }
    l->n_out += l->n_members;
    l->n_members = l->n_strands = 0;
}

static void join_strand(struct strands *l, uint32_t unit, uint32_t waits_for) {
    if (l->fork[waits_for] != l->forks) return;
    if (l->strand[unit] == NO_STRAND) l->strand[unit] = l->strand[waits_for];
    else if (l->strand[unit] != l->strand[waits_for]) l->strand[unit] = BEHIND;
}

/* The strand of the open fork that a unit depends on; NO_STRAND: none. */
static uint32_t find_strand(struct strands *l, uint32_t unit) {
    l->strand[unit] = NO_STRAND;
    each_before(l, unit, join_strand);
    if (l->strand[unit] != NO_STRAND && l->is_ordered[unit]) l->strand[unit] = BEHIND;
    return l->strand[unit];
}

static void add_member(struct strands *l, uint32_t unit) {
    l->fork[unit] = l->forks;
    l->members[l->n_members++] = unit;
}

static void assign_light(struct strands *l, uint32_t unit) {
    if (l->n_members && find_strand(l, unit) != NO_STRAND) add_member(l, unit);
    else put(l, unit, 0, 0);
}

/* Whether the heavy units of one depth go on with the open fork: each behind a strand of its own, or behind none. */
static bool continues(struct strands *l, const uint32_t *heavy, uint32_t n) {
    bool fits = l->n_members && n > 1;
    uint32_t found = 0;
    for (; found < n && fits; found++) {
        const uint32_t strand = find_strand(l, heavy[found]);
        fits = strand == NO_STRAND || (strand != BEHIND && !l->seen[strand]++);
    }
    for (uint32_t i = 0; i < found; i++)
        if (l->strand[heavy[i]] < BEHIND) l->seen[l->strand[heavy[i]]] = 0;
    return fits;
}

static void assign_heavy(struct strands *l, const uint32_t *heavy, uint32_t n, uint32_t *scratch) {
    const bool goes_on = continues(l, heavy, n);
    if (!goes_on) {
        close_fork(l, scratch);
        if (n == 1) {
            put(l, heavy[0], 0, 0);
            return;
        }
        l->forks++;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!goes_on || l->strand[heavy[i]] == NO_STRAND) l->strand[heavy[i]] = l->n_strands++;
        add_member(l, heavy[i]);
    }
}

static void assign_all(struct strands *l, uint32_t n_units, uint32_t *scratch) {
    for (uint32_t i = 0, n = 1; i < n_units; i += n) {
        for (n = 1; i + n < n_units && l->key[l->sorted[i + n]] == l->key[l->sorted[i]];) n++;
        if (l->is_heavy[l->sorted[i]]) assign_heavy(l, l->sorted + i, n, scratch);
        else
            for (uint32_t j = 0; j < n; j++) assign_light(l, l->sorted[i + j]);
    }
    close_fork(l, scratch);
}

static bool strands_init(struct strands *l, struct sl_linear_emitter *e) {
    uint32_t **arrays[] = {&l->depth,  &l->key,    &l->first_effect, &l->n_effects, &l->fork,
                           &l->strand, &l->sorted, &l->members,      &l->seen,      &l->region};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, (size_t)l->n + 1);
        if (!*arrays[i]) return false;
    }
    return true;
}

/* The strands of `n` units that stand next to each other and have one guard, from `order[begin]` on. */
static void region_strands(struct strands *l, uint32_t begin, uint32_t n, uint32_t *scratch) {
    const uint32_t *order = l->out + begin;
    uint32_t heavy = 0;
    for (uint32_t i = 0; i < n; i++) heavy += l->is_heavy[order[i]];
    if (heavy < 2) return;
    l->n_regions++;
    for (uint32_t i = 0; i < n; i++) l->region[order[i]] = l->n_regions;
    order_effects(l, order, n);
    if (l->e->failed || !find_keys(l, order, n)) return;
    sort_by_key(l, order, n, scratch);
    l->n_out = begin;
    assign_all(l, n, scratch);
}

void sl_block_strands(struct sl_strand_mark *marks, uint32_t *order, struct sl_linear_emitter *e,
                      const struct sl_unit_block *b) {
    struct strands l = {.e = e, .units = b->units.items, .n = (uint32_t)b->units.n, .out = order, .marks = marks};
    uint32_t heavy = 0;
    for (uint32_t i = 0; i < l.n; i++) heavy += sl_unit_is_heavy(e, &b->units.items[i]);
    if (heavy < 2) return;
    l.is_heavy = SL_ARENA_ARRAY(&e->c->scratch, bool, l.n);
    l.is_ordered = SL_ARENA_ARRAY(&e->c->scratch, bool, l.n);
    uint32_t *scratch = SL_ARENA_ARRAY(&e->c->scratch, uint32_t, 2 * (size_t)l.n + 2);
    if (!l.is_heavy || !l.is_ordered || !scratch || !strands_init(&l, e)) {
        e->failed = true;
        return;
    }
    for (uint32_t i = 0; i < l.n; i++) {
        l.is_ordered[i] = sl_unit_effects(e, &l.units[i]) == SL_EFFECTS_CHANGES;
        l.is_heavy[i] = !l.is_ordered[i] && sl_unit_is_heavy(e, &l.units[i]);
    }
    for (uint32_t begin = 0, n; begin < l.n; begin += n) {
        const uint32_t guard = l.units[order[begin]].guard;
        for (n = 1; begin + n < l.n && l.units[order[begin + n]].guard == guard;) n++;
        if (!e->failed) region_strands(&l, begin, n, scratch);
    }
    sl_vec_free(&l.effects);
}
