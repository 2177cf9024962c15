/* Interned sets of literals. Sets are short (the depth of nested conditionals), so all work on them is linear. */
#include "program/guard.h"

#include <string.h>

#include "base/hash.h"
#include "program/program.h"

enum { MOST_LITERALS = 256 };

int sl_guards_init(struct sl_guards *g, struct sl_arena *arena) {
    *g = (struct sl_guards){.arena = arena};
    struct sl_guard_set empty = {NULL, 0};
    for (int i = 0; i < 3; i++)
        if (sl_vec_push(&g->sets, empty)) return -1;
    return 0;
}

void sl_guards_clear(struct sl_guards *g) {
    sl_vec_free(&g->literals);
    sl_vec_free(&g->sets);
    sl_free(g->index);
    sl_free(g->literal_index);
}

static bool is_plain(uint32_t set) { return set != SL_GUARD_NEVER && set != SL_GUARD_OUT_OF_MEMORY; }

static int grow_index(struct sl_guards *g) {
    size_t size = g->index_size ? g->index_size * 2 : 64;
    uint32_t *index = sl_calloc(size, sizeof *index);
    if (!index) return -1;
    for (size_t s = 3; s < g->sets.n; s++) {
        const struct sl_guard_set *set = &g->sets.items[s];
        size_t i = (size_t)sl_hash_bytes(set->literals, set->n * sizeof(uint32_t)) & (size - 1);
        while (index[i]) i = (i + 1) & (size - 1);
        index[i] = (uint32_t)s + 1;
    }
    sl_free(g->index);
    g->index = index;
    g->index_size = size;
    return 0;
}

static uint32_t intern(struct sl_guards *g, const uint32_t *literals, uint32_t n) {
    if (n == 0) return SL_GUARD_ALWAYS;
    if (g->sets.n * 2 >= g->index_size && grow_index(g)) return SL_GUARD_OUT_OF_MEMORY;
    size_t mask = g->index_size - 1, i = (size_t)sl_hash_bytes(literals, n * sizeof *literals) & mask;
    for (; g->index[i]; i = (i + 1) & mask) {
        const struct sl_guard_set *s = &g->sets.items[g->index[i] - 1];
        if (s->n == n && !memcmp(s->literals, literals, n * sizeof *literals)) return g->index[i] - 1;
    }
    uint32_t *copy = sl_arena_alloc(g->arena, n * sizeof *copy);
    struct sl_guard_set set = {copy, n};
    if (!copy || sl_vec_push(&g->sets, set)) return SL_GUARD_OUT_OF_MEMORY;
    memcpy(copy, literals, n * sizeof *copy);
    g->index[i] = (uint32_t)g->sets.n;
    return (uint32_t)g->sets.n - 1;
}

static bool contradicts(const struct sl_guard_literal *a, const struct sl_guard_literal *b) {
    if (a->port != b->port) return false;
    if (a->kind == SL_LITERAL_INDEX && b->kind == SL_LITERAL_INDEX) return a->index != b->index;
    return (a->kind == SL_LITERAL_TRUE && b->kind == SL_LITERAL_FALSE) ||
           (a->kind == SL_LITERAL_FALSE && b->kind == SL_LITERAL_TRUE);
}

uint32_t sl_guard_and(struct sl_guards *g, uint32_t a, uint32_t b) {
    if (a == SL_GUARD_OUT_OF_MEMORY || b == SL_GUARD_OUT_OF_MEMORY) return SL_GUARD_OUT_OF_MEMORY;
    if (a == SL_GUARD_NEVER || b == SL_GUARD_NEVER) return SL_GUARD_NEVER;
    if (a == b || b == SL_GUARD_ALWAYS) return a;
    if (a == SL_GUARD_ALWAYS) return b;
    struct sl_guard_set x = g->sets.items[a], y = g->sets.items[b];
    if (x.n + y.n > MOST_LITERALS) return SL_GUARD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < x.n; i++)
        for (uint32_t j = 0; j < y.n; j++)
            if (contradicts(&g->literals.items[x.literals[i]], &g->literals.items[y.literals[j]]))
                return SL_GUARD_NEVER;
    uint32_t both[MOST_LITERALS], n = 0, i = 0, j = 0;
    while (i < x.n || j < y.n) {
        uint32_t next = j == y.n || (i < x.n && x.literals[i] <= y.literals[j]) ? x.literals[i] : y.literals[j];
        if (i < x.n && x.literals[i] == next) i++;
        if (j < y.n && y.literals[j] == next) j++;
        both[n++] = next;
    }
    return intern(g, both, n);
}

static size_t literal_hash(const struct sl_guard_literal *l) {
    return (size_t)sl_hash_mix(sl_hash_mix(l->port, l->kind), (uint64_t)(uint32_t)l->index);
}

static int grow_literal_index(struct sl_guards *g) {
    size_t size = g->literal_index_size ? g->literal_index_size * 2 : 64;
    uint32_t *index = sl_calloc(size, sizeof *index);
    if (!index) return -1;
    for (size_t l = 0; l < g->literals.n; l++) {
        size_t i = literal_hash(&g->literals.items[l]) & (size - 1);
        while (index[i]) i = (i + 1) & (size - 1);
        index[i] = (uint32_t)l + 1;
    }
    sl_free(g->literal_index);
    g->literal_index = index;
    g->literal_index_size = size;
    return 0;
}

uint32_t sl_guard_with(struct sl_guards *g, uint32_t set, struct sl_guard_literal literal) {
    if (g->literals.n * 2 >= g->literal_index_size && grow_literal_index(g)) return SL_GUARD_OUT_OF_MEMORY;
    size_t mask = g->literal_index_size - 1, i = literal_hash(&literal) & mask;
    for (; g->literal_index[i]; i = (i + 1) & mask) {
        const struct sl_guard_literal *have = &g->literals.items[g->literal_index[i] - 1];
        if (have->port == literal.port && have->kind == literal.kind && have->index == literal.index) break;
    }
    if (!g->literal_index[i]) {
        if (sl_vec_push(&g->literals, literal)) return SL_GUARD_OUT_OF_MEMORY;
        g->literal_index[i] = (uint32_t)g->literals.n;
    }
    uint32_t number = g->literal_index[i] - 1;
    return sl_guard_and(g, set, intern(g, &number, 1));
}

bool sl_guard_implies(const struct sl_guards *g, uint32_t set, uint32_t part) {
    if (!is_plain(set) || !is_plain(part)) return set == part;
    const struct sl_guard_set *s = &g->sets.items[set], *p = &g->sets.items[part];
    uint32_t i = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        while (i < s->n && s->literals[i] < p->literals[j]) i++;
        if (i == s->n || s->literals[i] != p->literals[j]) return false;
    }
    return true;
}

uint32_t sl_guard_minus(struct sl_guards *g, uint32_t set, uint32_t without) {
    if (!is_plain(set) || !is_plain(without)) return set;
    struct sl_guard_set s = g->sets.items[set], w = g->sets.items[without];
    uint32_t left[MOST_LITERALS], n = 0, j = 0;
    for (uint32_t i = 0; i < s.n; i++) {
        while (j < w.n && w.literals[j] < s.literals[i]) j++;
        if (j < w.n && w.literals[j] == s.literals[i]) continue;
        left[n++] = s.literals[i];
    }
    return intern(g, left, n);
}

uint32_t sl_guard_common(struct sl_guards *g, const uint32_t *sets, uint32_t n) {
    if (n == 0) return SL_GUARD_ALWAYS;
    uint32_t common = sets[0];
    for (uint32_t i = 1; i < n && is_plain(common); i++) {
        uint32_t rest = sl_guard_minus(g, common, sets[i]); /* what sets[i] lacks */
        common = sl_guard_minus(g, common, rest);
    }
    return common;
}

/* When a and b differ in one literal each and those are the two sides of one condition: their disjunction is the
 * rest. */
static bool join(uint32_t *out, struct sl_guards *g, uint32_t a, uint32_t b) {
    uint32_t x = sl_guard_minus(g, a, b), y = sl_guard_minus(g, b, a);
    if (g->sets.items[x].n != 1 || g->sets.items[y].n != 1 || !is_plain(x) || !is_plain(y)) return false;
    const struct sl_guard_literal *p = &g->literals.items[g->sets.items[x].literals[0]];
    const struct sl_guard_literal *q = &g->literals.items[g->sets.items[y].literals[0]];
    if (p->port != q->port || p->kind == q->kind || p->kind > SL_LITERAL_FALSE || q->kind > SL_LITERAL_FALSE)
        return false;
    *out = sl_guard_minus(g, a, x);
    return true;
}

/* All branches of one index over a common rest. */
static bool join_branches(uint32_t *out, struct sl_guards *g, const uint32_t *sets, uint32_t n) {
    uint32_t common = sl_guard_common(g, sets, n);
    if (!is_plain(common)) return false;
    uint64_t seen = 0;
    uint32_t port = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rest = sl_guard_minus(g, sets[i], common);
        if (!is_plain(rest) || g->sets.items[rest].n != 1) return false;
        const struct sl_guard_literal *l = &g->literals.items[g->sets.items[rest].literals[0]];
        if (l->kind != SL_LITERAL_INDEX || (i && l->port != port) || l->n > 64 || (uint32_t)l->n != n) return false;
        port = l->port;
        seen |= UINT64_C(1) << l->index;
    }
    if (seen != (n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1)) return false;
    *out = common;
    return true;
}

bool sl_guard_any(uint32_t *out, struct sl_guards *g, const uint32_t *sets, uint32_t n) {
    uint32_t left[64];
    if (n == 0 || n > 64) return false;
    if (join_branches(out, g, sets, n)) return true;
    memcpy(left, sets, n * sizeof *left);
    for (bool changed = true; n > 1 && changed;) {
        changed = false;
        for (uint32_t i = 0; i < n && !changed; i++)
            for (uint32_t j = i + 1; j < n && !changed; j++) {
                uint32_t joined = left[i];
                if (sl_guard_implies(g, left[i], left[j])) joined = left[j]; /* the weaker one says it all */
                else if (!sl_guard_implies(g, left[j], left[i]) && !join(&joined, g, left[i], left[j])) continue;
                left[i] = joined;
                left[j] = left[--n];
                changed = true;
            }
    }
    if (n != 1) return false;
    *out = left[0];
    return true;
}
