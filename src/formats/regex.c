/* Programs of regular expressions and how they run. Thompson's construction; Pike's way to keep the captures of all
 * threads apart.
 *
 *   add: from an instruction, follows those that take no character, and lists those that do, the preferred way first
 *   step: of every listed thread, in order, those that take the next character go on into the other list
 *
 * A thread is listed once for each place, so the work is bounded by the size of the program times the length of the
 * text. Called by regex_cpu.c. */
#include "formats/regex.h"

#include "base/vec.h"
#include "formats/regex_tree.h"
#include "formats/unicode.h"

enum operation {
    OP_CHAR,
    OP_CHAR_FOLDED,
    OP_ANY,
    OP_ANY_BUT_LF,
    OP_SET,
    OP_SPLIT,
    OP_JUMP,
    OP_SAVE,
    OP_ASSERT,
    OP_MATCH
};

struct instruction {
    enum operation op;
    int32_t c;    /* character, slot to save in, place to assert; of a jump: where to; of a split: the second way */
    int32_t next; /* the instruction after this one; of a split: the preferred way */
    const struct sl_regex_set *set;
};

enum { LARGEST_PROGRAM = 200000 };

struct sl_regex {
    struct sl_arena arena; /* sets */
    SL_VEC(struct instruction) program;
    int groups;
    bool has_first;    /* a match begins with one of: */
    uint64_t first[4]; /* bits of bytes */
    bool is_at_begin;  /* matches begin with the text */
    bool has_asserts;
};

/* ---- sets */

static bool range_has(const struct sl_regex_range *r, int32_t c) {
    return r->is_class ? sl_unicode_is_in(c, r->first) != (r->last != 0) : c >= r->first && c <= r->last;
}
static bool ranges_have(const struct sl_regex_set *set, int32_t c) {
    for (size_t i = 0; i < set->n; i++)
        if (range_has(&set->ranges[i], c)) return true;
    return false;
}

/* Letters of one case class are few: those that fold alike. Kelvin, long s and the like have upper or lower forms in
 * ASCII. */
static bool ranges_have_folded(const struct sl_regex_set *set, int32_t c) {
    int32_t others[4];
    int n = sl_unicode_cases(others, c);
    for (int i = 0; i < n; i++)
        if (ranges_have(set, others[i])) return true;
    return false;
}

static bool set_has_slowly(const struct sl_regex_set *set, int32_t c) {
    return (set->folds ? ranges_have_folded(set, c) : ranges_have(set, c)) != set->is_reversed;
}
static bool set_has(const struct sl_regex_set *set, int32_t c) {
    return c < 128 ? set->ascii[c >> 6] >> (c & 63) & 1 : set_has_slowly(set, c);
}

/* ---- compiling */

struct compiler {
    struct sl_regex *re;
    struct sl_error *err;
};

static sl_code emit(int32_t *at, struct compiler *k, enum operation op, int32_t c) {
    struct instruction i = {.op = op, .c = c, .next = (int32_t)k->re->program.n + 1};
    if (k->re->program.n >= LARGEST_PROGRAM)
        return sl_fail(k->err, SL_INVALID_ARGUMENT, "pattern too large - compile failed");
    if (sl_vec_push(&k->re->program, i)) return sl_fail_memory(k->err, sizeof i);
    if (at) *at = (int32_t)k->re->program.n - 1;
    return SL_OK;
}
static struct instruction *instruction(struct compiler *k, int32_t at) { return &k->re->program.items[at]; }
static int32_t here(const struct compiler *k) { return (int32_t)k->re->program.n; }

static sl_code compile(struct compiler *k, const struct sl_regex_node *n);

/* A split whose ways are the next instruction and one not known yet: `set_other` says it. `prefers_next`: which is
 * preferred. */
static sl_code emit_split(int32_t *at, struct compiler *k) { return emit(at, k, OP_SPLIT, 0); }
static void set_other(struct compiler *k, int32_t split, int32_t other, bool prefers_next) {
    struct instruction *i = instruction(k, split);
    i->next = prefers_next ? split + 1 : other;
    i->c = prefers_next ? other : split + 1;
}

static bool can_be_empty(const struct sl_regex_node *n) {
    switch (n->kind) {
    case SL_REGEX_EMPTY:
    case SL_REGEX_ASSERT: return true;
    case SL_REGEX_CAT:
        for (const struct sl_regex_node *c = n->first; c; c = c->next)
            if (!can_be_empty(c)) return false;
        return true;
    case SL_REGEX_ALT:
        for (const struct sl_regex_node *c = n->first; c; c = c->next)
            if (can_be_empty(c)) return true;
        return false;
    case SL_REGEX_REPEAT: return n->min == 0 || can_be_empty(n->first);
    case SL_REGEX_GROUP: return can_be_empty(n->first);
    default: return false;
    }
}

/* L: body; split L, out. Once at least. */
static sl_code compile_plus(struct compiler *k, const struct sl_regex_node *body, bool is_greedy) {
    int32_t begin = here(k), split = 0;
    SL_TRY(compile(k, body));
    SL_TRY(emit_split(&split, k));
    set_other(k, split, begin, !is_greedy);
    return SL_OK;
}

/* What can be empty is repeated as "(once or more) or not at all": then the first round may be empty, as in Perl. */
static sl_code compile_star(struct compiler *k, const struct sl_regex_node *body, bool is_greedy) {
    int32_t split = 0, jump = 0;
    SL_TRY(emit_split(&split, k));
    if (can_be_empty(body)) {
        SL_TRY(compile_plus(k, body, is_greedy));
    } else {
        SL_TRY(compile(k, body));
        SL_TRY(emit(&jump, k, OP_JUMP, split));
    }
    set_other(k, split, here(k), is_greedy);
    return SL_OK;
}

static sl_code compile_repeat(struct compiler *k, const struct sl_regex_node *n) {
    const struct sl_regex_node *body = n->first;
    if (n->max < 0 && n->min == 0) return compile_star(k, body, n->flag);
    for (int i = 0; i < n->min - (n->max < 0); i++) SL_TRY(compile(k, body));
    if (n->max < 0) return compile_plus(k, body, n->flag);
    const int optional = n->max - n->min;
    int32_t first = -1;
    for (int i = 0; i < optional; i++) { /* each split is chained to the one before by its `c` until the end is known */
        int32_t split = 0;
        SL_TRY(emit_split(&split, k));
        instruction(k, split)->c = first;
        first = split;
        SL_TRY(compile(k, body));
    }
    while (first >= 0) {
        int32_t before = instruction(k, first)->c;
        set_other(k, first, here(k), n->flag);
        first = before;
    }
    return SL_OK;
}

static sl_code compile_alternatives(struct compiler *k, const struct sl_regex_node *n) {
    int32_t last_jump = -1;
    for (const struct sl_regex_node *c = n->first; c; c = c->next) {
        int32_t split = -1, jump = 0;
        if (c->next) SL_TRY(emit_split(&split, k));
        SL_TRY(compile(k, c));
        if (!c->next) break;
        SL_TRY(emit(&jump, k, OP_JUMP, last_jump));
        last_jump = jump;
        set_other(k, split, here(k), true);
    }
    while (last_jump >= 0) {
        int32_t before = instruction(k, last_jump)->c;
        instruction(k, last_jump)->c = here(k);
        last_jump = before;
    }
    return SL_OK;
}

static sl_code compile_set(struct compiler *k, struct sl_regex_set *set) {
    int32_t at = 0;
    for (int32_t c = 0; c < 128; c++)
        if (set_has_slowly(set, c)) set->ascii[c >> 6] |= UINT64_C(1) << (c & 63);
    SL_TRY(emit(&at, k, OP_SET, 0));
    instruction(k, at)->set = set;
    return SL_OK;
}

static sl_code compile(struct compiler *k, const struct sl_regex_node *n) {
    switch (n->kind) {
    case SL_REGEX_EMPTY: return SL_OK;
    case SL_REGEX_CHAR: return emit(NULL, k, n->folds ? OP_CHAR_FOLDED : OP_CHAR, n->c);
    case SL_REGEX_ANY: return emit(NULL, k, n->flag ? OP_ANY : OP_ANY_BUT_LF, 0);
    case SL_REGEX_SET: return compile_set(k, n->set);
    case SL_REGEX_ASSERT: return emit(NULL, k, OP_ASSERT, n->c);
    case SL_REGEX_CAT:
        for (const struct sl_regex_node *c = n->first; c; c = c->next) SL_TRY(compile(k, c));
        return SL_OK;
    case SL_REGEX_ALT: return compile_alternatives(k, n);
    case SL_REGEX_REPEAT: return compile_repeat(k, n);
    case SL_REGEX_GROUP:
        SL_TRY(emit(NULL, k, OP_SAVE, 2 * n->c));
        SL_TRY(compile(k, n->first));
        return emit(NULL, k, OP_SAVE, 2 * n->c + 1);
    }
    return SL_OK;
}

/* ---- what a match can begin with */

static void add_first(struct sl_regex *re, const struct instruction *i) {
    bool is_above =
        i->op == OP_ANY || i->op == OP_ANY_BUT_LF || i->op == OP_SET || i->op == OP_CHAR_FOLDED || i->c >= 128;
    for (int32_t c = 0; c < 128; c++) {
        bool is_in = i->op == OP_CHAR          ? c == i->c
                     : i->op == OP_CHAR_FOLDED ? sl_unicode_fold(c) == i->c
                     : i->op == OP_SET         ? set_has(i->set, c)
                                               : i->op != OP_ANY_BUT_LF || c != '\n';
        if (is_in) re->first[c >> 6] |= UINT64_C(1) << (c & 63);
    }
    if (is_above) re->first[2] = re->first[3] = UINT64_MAX;
}

/* Follows what takes no character. `seen` has a bool for each instruction, `stack` room for all. */
static void find_first(struct sl_regex *re, bool *seen, int32_t *stack) {
    int n = 0;
    re->has_first = true;
    stack[n++] = 0;
    while (n) {
        int32_t at = stack[--n];
        const struct instruction *i = &re->program.items[at];
        if (seen[at]) continue;
        seen[at] = true;
        if (i->op == OP_ASSERT) re->has_asserts = true;
        if (i->op == OP_MATCH) re->has_first = false;
        else if (i->op == OP_JUMP) stack[n++] = i->c;
        else if (i->op == OP_SAVE || i->op == OP_ASSERT) stack[n++] = i->next;
        else if (i->op == OP_SPLIT) {
            stack[n++] = i->next;
            stack[n++] = i->c;
        } else add_first(re, i);
    }
}

static sl_code make_program(struct sl_regex *re, struct sl_str pattern, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_regex_tree tree;
    struct compiler k = {re, err};
    sl_arena_init(&arena);
    sl_code code = sl_regex_parse(&tree, pattern, &re->arena, err);
    if (code == SL_OK) code = compile(&k, tree.root);
    if (code == SL_OK) code = emit(NULL, &k, OP_MATCH, 0);
    if (code == SL_OK) {
        re->groups = tree.groups;
        size_t n = re->program.n;
        bool *seen = SL_ARENA_ARRAY(&arena, bool, n);
        int32_t *stack = SL_ARENA_ARRAY(&arena, int32_t, 2 * n + 2);
        if (seen && stack) find_first(re, seen, stack);
        else code = sl_fail_memory(err, n * sizeof *stack);
    }
    sl_arena_clear(&arena);
    const struct instruction *i = re->program.items;
    re->is_at_begin = code == SL_OK && i->op == OP_ASSERT && i->c == SL_REGEX_TEXT_BEGIN;
    return code;
}

sl_code sl_regex_new(struct sl_regex **out, struct sl_str pattern, struct sl_error *err) {
    struct sl_regex *re = sl_calloc(1, sizeof *re);
    if (!re) return sl_fail_memory(err, sizeof *re);
    sl_arena_init(&re->arena);
    sl_code code = make_program(re, pattern, err);
    if (code == SL_OK) *out = re;
    else sl_regex_free(re);
    return code;
}

void sl_regex_free(struct sl_regex *re) {
    if (!re) return;
    sl_arena_clear(&re->arena);
    sl_vec_free(&re->program);
    sl_free(re);
}

int sl_regex_groups(const struct sl_regex *re) { return re->groups; }

/* ---- matching */

enum { MOST_SLOTS = 20 };

/* Threads at one place, in order of preference. Thread t is at instruction `at[t]`, its captures are `slots[t *
 * n_slots]`. */
struct threads {
    int32_t n, *at, *index; /* index[i]: the thread at instruction i, if at[index[i]] says so */
    int64_t *slots;
};
/* Of `add`: an instruction to follow, or a slot to set back (`at` < 0). */
struct pending {
    int32_t at, slot;
    int64_t old;
};

/* Whether a whole text matches needs no captures and no order: what the threads are at is then one of few sets, and
 * where a set goes with a character of ASCII is written down when it first happens. */
enum { MOST_SETS = 128, ASCII = 128, SET_ROOM = 4096, UNKNOWN = -1 };
struct sets {
    int n;
    int32_t first[MOST_SETS + 1], at[SET_ROOM]; /* set s: at[first[s]] ... at[first[s + 1] - 1] */
    int16_t next[MOST_SETS][ASCII];
    bool has_match[MOST_SETS];
};

struct sl_regex_matcher {
    const struct sl_regex *re;
    struct sets *sets; /* NULL: there is no room, or places are asserted */
    struct threads now, next;
    struct pending *stack;
    int64_t slots[MOST_SLOTS]; /* of the thread being added */
    int n_slots;               /* kept in this search */
    struct sl_str text;
    bool is_whole; /* a match counts at the end of the text alone */
};

static bool make_threads(struct threads *t, size_t n) {
    t->at = sl_calloc(n, sizeof *t->at);
    t->index = sl_calloc(n, sizeof *t->index);
    t->slots = sl_calloc(n, sizeof *t->slots * MOST_SLOTS);
    return t->at && t->index && t->slots;
}
static void free_threads(struct threads *t) {
    sl_free(t->at);
    sl_free(t->index);
    sl_free(t->slots);
}

sl_code sl_regex_matcher_new(struct sl_regex_matcher **out, const struct sl_regex *re, struct sl_error *err) {
    const size_t n = re->program.n;
    struct sl_regex_matcher *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(err, sizeof *m);
    m->re = re;
    m->stack = sl_calloc(2 * n + 2, sizeof *m->stack);
    if (n <= SET_ROOM && !re->has_asserts) m->sets = sl_malloc(sizeof *m->sets);
    if (m->sets) m->sets->n = 0;
    if (make_threads(&m->now, n) && make_threads(&m->next, n) && m->stack) {
        *out = m;
        return SL_OK;
    }
    sl_regex_matcher_free(m);
    return sl_fail_memory(err, n * sizeof(int64_t) * MOST_SLOTS);
}

void sl_regex_matcher_free(struct sl_regex_matcher *m) {
    if (!m) return;
    free_threads(&m->now);
    free_threads(&m->next);
    sl_free(m->stack);
    sl_free(m->sets);
    sl_free(m);
}

static bool is_word(struct sl_str s, int64_t at) {
    if (at < 0 || at >= (int64_t)s.n) return false;
    char c = s.p[at];
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool is_place(struct sl_str s, int64_t at, int place) {
    const int64_t n = (int64_t)s.n;
    switch (place) {
    case SL_REGEX_TEXT_BEGIN: return at == 0;
    case SL_REGEX_TEXT_END: return at == n;
    case SL_REGEX_LINE_BEGIN: return at == 0 || s.p[at - 1] == '\n';
    case SL_REGEX_LINE_END: return at == n || s.p[at] == '\n';
    default: return (is_word(s, at - 1) != is_word(s, at)) == (place == SL_REGEX_WORD_EDGE);
    }
}

/* Lists the threads that follow from instruction `from` at place `at` of the text; `slots` are their captures so
 * far. */
static void add(struct sl_regex_matcher *m, struct threads *t, int32_t from, int64_t at, const int64_t *slots) {
    const struct instruction *program = m->re->program.items;
    int n = 0;
    if (m->n_slots) memcpy(m->slots, slots, (size_t)m->n_slots * sizeof *slots);
    m->stack[n++] = (struct pending){.at = from};
    while (n) {
        struct pending p = m->stack[--n];
        if (p.at < 0) {
            m->slots[p.slot] = p.old;
            continue;
        }
        const struct instruction *i = &program[p.at];
        int32_t seen = t->index[p.at];
        if (seen < t->n && t->at[seen] == p.at) continue;
        t->index[p.at] = t->n;
        t->at[t->n] = p.at;
        if (m->n_slots) memcpy(t->slots + (size_t)t->n * MOST_SLOTS, m->slots, (size_t)m->n_slots * sizeof *slots);
        t->n++;
        switch (i->op) {
        case OP_JUMP: m->stack[n++] = (struct pending){.at = i->c}; break;
        case OP_SPLIT:
            m->stack[n++] = (struct pending){.at = i->c};
            m->stack[n++] = (struct pending){.at = i->next};
            break;
        case OP_ASSERT:
            if (is_place(m->text, at, i->c)) m->stack[n++] = (struct pending){.at = i->next};
            break;
        case OP_SAVE:
            if (i->c < m->n_slots) {
                m->stack[n++] = (struct pending){.at = -1, .slot = i->c, .old = m->slots[i->c]};
                m->slots[i->c] = at;
            }
            m->stack[n++] = (struct pending){.at = i->next};
            break;
        default: break;
        }
    }
}

static bool takes(const struct instruction *i, int32_t c) {
    switch (i->op) {
    case OP_CHAR: return c == i->c;
    case OP_CHAR_FOLDED: return c >= 0 && sl_unicode_fold(c) == i->c;
    case OP_ANY: return c >= 0;
    case OP_ANY_BUT_LF: return c >= 0 && c != '\n';
    case OP_SET: return c >= 0 && set_has(i->set, c);
    default: return false;
    }
}

/* Moves all threads over character `c`, which ends at `end`; -2: there is none. True: one matches here and its
 * captures are in `best`; those less preferred are dropped. */
static bool step(struct sl_regex_matcher *m, int64_t at, int32_t c, int64_t end, int64_t *best) {
    const struct instruction *program = m->re->program.items;
    for (int32_t t = 0; t < m->now.n; t++) {
        const struct instruction *i = &program[m->now.at[t]];
        const int64_t *slots = m->now.slots + (size_t)t * MOST_SLOTS;
        if (i->op == OP_MATCH) {
            if (m->is_whole && at != (int64_t)m->text.n) continue;
            if (m->n_slots) memcpy(best, slots, (size_t)m->n_slots * sizeof *slots);
            if (m->n_slots) best[1] = at;
            return true;
        }
        if (c != -2 && takes(i, c)) add(m, &m->next, i->next, end, slots);
    }
    return false;
}

/* The first place from `at` on whose byte a match can begin with. */
static int64_t skip_to_first(const struct sl_regex *re, struct sl_str text, int64_t at) {
    for (; at < (int64_t)text.n; at++) {
        unsigned char c = (unsigned char)text.p[at];
        if (re->first[c >> 6] >> (c & 63) & 1) break;
    }
    return at;
}

static bool run(struct sl_regex_matcher *m, struct sl_str text, int64_t from, bool is_anchored, int64_t *best) {
    const int64_t n = (int64_t)text.n;
    int64_t begin[MOST_SLOTS];
    bool has_match = false;
    m->text = text;
    m->now.n = 0;
    for (int s = 0; s < MOST_SLOTS; s++) begin[s] = -1;
    for (int64_t at = from; at <= n;) {
        if (!has_match && (at == from || !is_anchored)) {
            if (m->now.n == 0 && m->re->has_first && !is_anchored) at = skip_to_first(m->re, text, at);
            begin[0] = at;
            add(m, &m->now, 0, at, begin);
        }
        if (m->now.n == 0 && (has_match || is_anchored)) break;
        struct sl_str rest = {text.p + at, (size_t)(n - at)};
        int32_t c = at < n ? sl_utf8_next(&rest) : -2;
        int64_t end = at < n ? rest.p - text.p : n + 1;
        m->next.n = 0;
        if (step(m, at, c, end, best)) has_match = true;
        struct threads swap = m->now;
        m->now = m->next;
        m->next = swap;
        at = end;
    }
    return has_match;
}

bool sl_regex_search(struct sl_regex_matcher *m, struct sl_str text, int64_t from, struct sl_regex_span *spans, int n) {
    int64_t best[MOST_SLOTS];
    m->is_whole = false;
    m->n_slots = 2 * n < MOST_SLOTS ? 2 * n : MOST_SLOTS;
    if (m->re->is_at_begin && from > 0) return false;
    if (!run(m, text, from, m->re->is_at_begin, best)) return false;
    for (int i = 0; i < n; i++) {
        bool is_set = 2 * i + 1 < m->n_slots && best[2 * i] >= 0 && best[2 * i + 1] >= 0;
        spans[i] = is_set ? (struct sl_regex_span){best[2 * i], best[2 * i + 1]} : (struct sl_regex_span){-1, -1};
    }
    return true;
}

/* The set of what `m->next` lists; UNKNOWN when there is no more room. */
static int set_of_next(struct sl_regex_matcher *m) {
    struct sets *s = m->sets;
    const struct threads *t = &m->next;
    for (int i = 0; i < s->n; i++) {
        const int32_t n = s->first[i + 1] - s->first[i];
        if (n == t->n && !memcmp(s->at + s->first[i], t->at, (size_t)n * sizeof *t->at)) return i;
    }
    if (s->n == 0) s->first[0] = 0;
    if (s->n == MOST_SETS || t->n > SET_ROOM - s->first[s->n]) return UNKNOWN;
    memcpy(s->at + s->first[s->n], t->at, (size_t)t->n * sizeof *t->at);
    s->first[s->n + 1] = s->first[s->n] + t->n;
    s->has_match[s->n] = false;
    for (int32_t i = 0; i < t->n; i++) s->has_match[s->n] |= m->re->program.items[t->at[i]].op == OP_MATCH;
    for (int c = 0; c < ASCII; c++) s->next[s->n][c] = UNKNOWN;
    return s->n++;
}
/* Where the set goes with this character. */
static int follow(struct sl_regex_matcher *m, int set, int32_t c) {
    const struct sets *s = m->sets;
    m->next.n = 0;
    for (int32_t i = s->first[set]; i < s->first[set + 1]; i++) {
        const struct instruction *at = &m->re->program.items[s->at[i]];
        if (takes(at, c)) add(m, &m->next, at->next, 0, NULL);
    }
    const int next = set_of_next(m);
    if (c >= 0 && c < ASCII) m->sets->next[set][c] = (int16_t)next;
    return next;
}
/* Whether the whole text matches; UNKNOWN when there are too many sets. */
static int match_by_sets(struct sl_regex_matcher *m, struct sl_str text) {
    m->n_slots = 0;
    m->text = text;
    if (m->sets->n == 0) {
        m->next.n = 0;
        add(m, &m->next, 0, 0, NULL);
        if (set_of_next(m) == UNKNOWN) return UNKNOWN;
    }
    int set = 0;
    while (text.n > 0) {
        const unsigned char byte = (unsigned char)text.p[0];
        int next = byte < ASCII ? m->sets->next[set][byte] : UNKNOWN;
        if (next == UNKNOWN) next = follow(m, set, sl_utf8_next(&text));
        else text = (struct sl_str){text.p + 1, text.n - 1};
        if (next == UNKNOWN) return UNKNOWN;
        set = next;
        if (m->sets->first[set] == m->sets->first[set + 1]) return false;
    }
    return m->sets->has_match[set];
}

bool sl_regex_is_match(struct sl_regex_matcher *m, struct sl_str text) {
    int64_t best[MOST_SLOTS];
    const int known = m->sets ? match_by_sets(m, text) : UNKNOWN;
    if (known != UNKNOWN) return known;
    m->is_whole = true;
    m->n_slots = 0;
    return run(m, text, 0, true, best);
}
