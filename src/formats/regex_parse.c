/* From a pattern's text to its tree. Recursive descent; depth is bounded. Called by regex.c. */
#include <stdlib.h>

#include "base/vec.h"
#include "formats/regex_tree.h"
#include "formats/unicode.h"

enum { DEEPEST = 1000, MOST_TIMES = 1000 };
enum flags { FOLD = 1, LINES = 2, DOT_ALL = 4, LAZY = 8 };

struct parser {
    struct sl_str rest;
    struct sl_arena *arena;
    struct sl_error *err;
    int groups, depth;
    unsigned flags;
};

typedef SL_VEC(struct sl_regex_range) range_vec;

static sl_code bad(struct parser *p, const char *what, const char *begin, size_t n) {
    return sl_fail(p->err, SL_INVALID_ARGUMENT, "%s: %.*s", what, (int)n, begin);
}
static sl_code bad_since(struct parser *p, const char *what, const char *begin) {
    return bad(p, what, begin, (size_t)(p->rest.p - begin));
}

static bool at(const struct parser *p, const char *text) { return sl_str_starts(p->rest, sl_str_of(text)); }
static void skip(struct parser *p, size_t n) { p->rest = (struct sl_str){p->rest.p + n, p->rest.n - n}; }
static bool take(struct parser *p, const char *text) {
    if (!at(p, text)) return false;
    skip(p, strlen(text));
    return true;
}

static sl_code new_node(struct sl_regex_node **out, struct parser *p, enum sl_regex_kind kind) {
    *out = SL_ARENA_NEW(p->arena, struct sl_regex_node);
    if (!*out) return sl_fail_memory(p->err, sizeof **out);
    (*out)->kind = kind;
    return SL_OK;
}

static sl_code next_char(int32_t *c, struct parser *p) {
    *c = sl_utf8_next(&p->rest);
    return *c < 0 ? sl_fail(p->err, SL_INVALID_ARGUMENT, "invalid UTF-8") : SL_OK;
}

/* ---- escapes */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

static bool take_hex(int32_t *c, struct parser *p) {
    *c = 0;
    if (!take(p, "{")) {
        if (p->rest.n < 2 || hex_digit(p->rest.p[0]) < 0 || hex_digit(p->rest.p[1]) < 0) return false;
        *c = hex_digit(p->rest.p[0]) << 4 | hex_digit(p->rest.p[1]);
        skip(p, 2);
        return true;
    }
    bool has_digit = false;
    for (; p->rest.n && hex_digit(p->rest.p[0]) >= 0 && *c <= SL_UNICODE_MAX; skip(p, 1)) {
        *c = *c << 4 | hex_digit(p->rest.p[0]);
        has_digit = true;
    }
    return has_digit && *c <= SL_UNICODE_MAX && take(p, "}");
}

static bool take_octal(int32_t *c, struct parser *p, int most) {
    int n = 0;
    for (; n < most && p->rest.n && p->rest.p[0] >= '0' && p->rest.p[0] <= '7'; n++, skip(p, 1))
        *c = *c << 3 | (p->rest.p[0] - '0');
    return n > 0;
}

/* One character behind a backslash, for patterns and sets alike. `p` stands at the backslash. */
static sl_code parse_escape(int32_t *c, struct parser *p) {
    static const char letters[] = "afnrtv", meanings[] = "\a\f\n\r\t\v";
    const char *begin = p->rest.p;
    skip(p, 1);
    if (p->rest.n == 0) return sl_fail(p->err, SL_INVALID_ARGUMENT, "trailing \\");
    SL_TRY(next_char(c, p));
    const char *letter = *c < 0x80 && *c ? strchr(letters, *c) : NULL;
    if (letter) {
        *c = meanings[letter - letters];
        return SL_OK;
    }
    if (*c == 'x') return take_hex(c, p) ? SL_OK : bad_since(p, "invalid escape sequence", begin);
    if (*c == '0') {
        *c = 0;
        take_octal(c, p, 2);
        return SL_OK;
    }
    if (*c >= '1' && *c <= '7') { /* one digit alone would be a reference back */
        *c -= '0';
        return take_octal(c, p, 2) ? SL_OK : bad_since(p, "invalid escape sequence", begin);
    }
    bool is_plain = *c < 0x80 && !(*c >= '0' && *c <= '9') && !((*c | 32) >= 'a' && (*c | 32) <= 'z');
    return is_plain ? SL_OK : bad_since(p, "invalid escape sequence", begin);
}

/* ---- sets */

static sl_code add_range(range_vec *v, struct parser *p, int32_t first, int32_t last, bool is_class) {
    struct sl_regex_range range = {first, last, is_class};
    return sl_vec_push(v, range) ? sl_fail_memory(p->err, sizeof range) : SL_OK;
}

/* Named sets of ASCII: pairs of first and last characters. `name` in [:name:], or the letter of an escape. */
static const struct {
    char name[8];
    char letter;
    const char *pairs;
} named_sets[] = {
    {"alnum", 0, "09AZaz"},    {"alpha", 0, "AZaz"},    {"blank", 0, "\t\t  "},  {"cntrl", 0, "\1\037\177\177"},
    {"digit", 'd', "09"},      {"graph", 0, "!~"},      {"lower", 0, "az"},      {"print", 0, " ~"},
    {"punct", 0, "!/:@[`{~"},  {"space", 0, "\t\r  "},  {"", 's', "\t\n\f\r  "}, {"upper", 0, "AZ"},
    {"word", 'w', "09AZaz__"}, {"xdigit", 0, "09AFaf"}, {"ascii", 0, "\1\177"},
};

/* Adds the set, or all characters that are not in it. Pairs are in ascending order. */
static sl_code add_pairs(range_vec *v, struct parser *p, const char *pairs, bool has_nul, bool is_reversed) {
    int32_t next = has_nul ? 1 : 0;
    if (has_nul && !is_reversed) SL_TRY(add_range(v, p, 0, 0, false));
    for (; *pairs; pairs += 2) {
        if (!is_reversed) SL_TRY(add_range(v, p, pairs[0], pairs[1], false));
        else if (pairs[0] > next) SL_TRY(add_range(v, p, next, pairs[0] - 1, false));
        next = pairs[1] + 1;
    }
    return is_reversed ? add_range(v, p, next, SL_UNICODE_MAX, false) : SL_OK;
}

/* \d, \s, \w and their opposites; `*found` says whether that is what stood here. */
static sl_code parse_letter_set(range_vec *v, bool *found, struct parser *p) {
    *found = false;
    if (p->rest.n < 2 || p->rest.p[0] != '\\') return SL_OK;
    char letter = p->rest.p[1];
    for (size_t i = 0; i < sizeof named_sets / sizeof *named_sets; i++)
        if (named_sets[i].letter && (letter | 32) == named_sets[i].letter) {
            *found = true;
            skip(p, 2);
            return add_pairs(v, p, named_sets[i].pairs, false, letter < 'a');
        }
    return SL_OK;
}

/* \pN, \p{Greek}, \P{...}, \p{^...} */
static sl_code parse_property(range_vec *v, bool *found, struct parser *p) {
    *found = p->rest.n >= 2 && p->rest.p[0] == '\\' && (p->rest.p[1] | 32) == 'p';
    if (!*found) return SL_OK;
    const char *begin = p->rest.p;
    bool is_reversed = p->rest.p[1] == 'P';
    struct sl_str name;
    int32_t c;
    skip(p, 2);
    if (p->rest.n == 0) return bad_since(p, "invalid character class range", begin);
    if (take(p, "{")) {
        const char *end = memchr(p->rest.p, '}', p->rest.n);
        if (!end) return bad(p, "invalid character class range", begin, p->rest.n + (size_t)(p->rest.p - begin));
        name = (struct sl_str){p->rest.p, (size_t)(end - p->rest.p)};
        skip(p, name.n + 1);
    } else {
        name.p = p->rest.p;
        SL_TRY(next_char(&c, p));
        name.n = (size_t)(p->rest.p - name.p);
    }
    if (name.n && name.p[0] == '^') {
        is_reversed = !is_reversed;
        name = (struct sl_str){name.p + 1, name.n - 1};
    }
    int class = sl_unicode_class(name);
    if (class < 0) return bad_since(p, "invalid character class range", begin);
    return add_range(v, p, class, is_reversed, true);
}

/* [:alpha:], [:^alpha:]: inside of brackets. */
static sl_code parse_named_set(range_vec *v, bool *found, struct parser *p) {
    *found = false;
    if (!at(p, "[:")) return SL_OK;
    const char *begin = p->rest.p, *end = memmem(begin + 2, p->rest.n - 2, ":]", 2);
    if (!end) return SL_OK;
    bool is_reversed = begin[2] == '^';
    struct sl_str name = {begin + 2 + is_reversed, (size_t)(end - begin) - 2 - is_reversed};
    skip(p, (size_t)(end - begin) + 2);
    for (size_t i = 0; i < sizeof named_sets / sizeof *named_sets; i++)
        if (named_sets[i].name[0] && sl_str_is(name, named_sets[i].name)) {
            *found = true;
            bool has_nul = name.p[0] == 'c' || sl_str_is(name, "ascii");
            return add_pairs(v, p, named_sets[i].pairs, has_nul, is_reversed);
        }
    return bad_since(p, "invalid character class range", begin);
}

static sl_code parse_set_char(int32_t *c, struct parser *p, const char *set_begin) {
    if (p->rest.n == 0) return bad_since(p, "missing ]", set_begin);
    return p->rest.p[0] == '\\' ? parse_escape(c, p) : next_char(c, p);
}

static sl_code parse_set_items(range_vec *v, struct parser *p) {
    const char *begin = p->rest.p - 1;
    if (begin[0] == '^') begin--;
    for (bool is_first = true; is_first || !at(p, "]"); is_first = false) {
        bool found;
        int32_t first, last;
        if (p->rest.n == 0) return bad_since(p, "missing ]", begin);
        SL_TRY(parse_named_set(v, &found, p));
        if (!found) SL_TRY(parse_property(v, &found, p));
        if (!found) SL_TRY(parse_letter_set(v, &found, p));
        if (found) continue;
        const char *range = p->rest.p;
        SL_TRY(parse_set_char(&first, p, begin));
        last = first;
        if (p->rest.n >= 2 && p->rest.p[0] == '-' && p->rest.p[1] != ']') {
            skip(p, 1);
            SL_TRY(parse_set_char(&last, p, begin));
            if (last < first) return bad_since(p, "invalid character class range", range);
        }
        SL_TRY(add_range(v, p, first, last, false));
    }
    skip(p, 1);
    return SL_OK;
}

static sl_code set_node(struct sl_regex_node **out, struct parser *p, const range_vec *v, bool is_reversed) {
    SL_TRY(new_node(out, p, SL_REGEX_SET));
    struct sl_regex_set *set = (*out)->set = SL_ARENA_NEW(p->arena, struct sl_regex_set);
    if (!set || !(set->ranges = SL_ARENA_ARRAY(p->arena, struct sl_regex_range, v->n)))
        return sl_fail_memory(p->err, v->n);
    if (v->n) memcpy(set->ranges, v->items, v->n * sizeof *v->items);
    set->n = v->n;
    set->is_reversed = is_reversed;
    set->folds = p->flags & FOLD;
    return SL_OK;
}

static sl_code parse_brackets(struct sl_regex_node **out, struct parser *p) {
    range_vec v = {NULL, 0, 0};
    skip(p, 1);
    bool is_reversed = take(p, "^");
    sl_code code = parse_set_items(&v, p);
    if (code == SL_OK) code = set_node(out, p, &v, is_reversed);
    sl_vec_free(&v);
    return code;
}

/* A set that stands alone: \d, \pL. `*out` stays NULL when there is none. */
static sl_code parse_escaped_set(struct sl_regex_node **out, struct parser *p) {
    range_vec v = {NULL, 0, 0};
    bool found;
    sl_code code = parse_letter_set(&v, &found, p);
    if (code == SL_OK && !found) code = parse_property(&v, &found, p);
    if (code == SL_OK && found) code = set_node(out, p, &v, false);
    sl_vec_free(&v);
    return code;
}

/* ---- one thing: a character, a set, a place, parentheses */

static sl_code char_node(struct sl_regex_node **out, struct parser *p, int32_t c) {
    SL_TRY(new_node(out, p, SL_REGEX_CHAR));
    (*out)->folds = p->flags & FOLD;
    (*out)->c = (*out)->folds ? sl_unicode_fold(c) : c;
    return SL_OK;
}
static sl_code place_node(struct sl_regex_node **out, struct parser *p, enum sl_regex_place place) {
    SL_TRY(new_node(out, p, SL_REGEX_ASSERT));
    (*out)->c = place;
    return SL_OK;
}

static sl_code parse_alternatives(struct sl_regex_node **out, struct parser *p);

/* "i-s" in "(?i-s)" or "(?i-s:"; `p` stands behind the question mark. */
static sl_code parse_flags(struct parser *p, const char *begin) {
    static const char letters[] = "imsU";
    bool is_off = false, has_letter = false;
    for (; p->rest.n && p->rest.p[0] != ':' && p->rest.p[0] != ')'; skip(p, 1)) {
        const char *letter = p->rest.p[0] ? strchr(letters, p->rest.p[0]) : NULL;
        unsigned bit = letter ? 1u << (letter - letters) : 0;
        if (!letter && (p->rest.p[0] != '-' || is_off)) {
            skip(p, 1);
            return bad_since(p, "invalid perl operator", begin);
        }
        if (!letter) {
            is_off = true;
            has_letter = false;
            continue;
        }
        has_letter = true;
        p->flags = is_off ? p->flags & ~bit : p->flags | bit;
    }
    if (p->rest.n == 0) return bad_since(p, "missing )", begin);
    return is_off && !has_letter ? bad_since(p, "invalid perl operator", begin) : SL_OK;
}

static sl_code parse_group_name(struct parser *p, const char *begin) {
    const char *end = p->rest.n ? memchr(p->rest.p, '>', p->rest.n) : NULL;
    if (!end) return bad(p, "invalid named capture group", begin, p->rest.n + (size_t)(p->rest.p - begin));
    for (const char *c = p->rest.p; c < end; c++)
        if (*c != '_' && !(*c >= '0' && *c <= '9') && !((*c | 32) >= 'a' && (*c | 32) <= 'z')) end = c;
    if (*end != '>' || end == p->rest.p) return bad(p, "invalid named capture group", begin, (size_t)(end - begin) + 1);
    skip(p, (size_t)(end - p->rest.p) + 1);
    return SL_OK;
}

/* Flags set inside of parentheses end there. "(?i)" sets them for what follows, and matches nothing itself. */
static sl_code parse_parentheses(struct sl_regex_node **out, struct parser *p) {
    const char *begin = p->rest.p;
    unsigned flags = p->flags;
    bool is_captured = true;
    skip(p, 1);
    if (take(p, "?P<")) SL_TRY(parse_group_name(p, begin));
    else if (take(p, "?")) {
        is_captured = false;
        SL_TRY(parse_flags(p, begin));
        if (take(p, ")")) return new_node(out, p, SL_REGEX_EMPTY);
        skip(p, 1);
    }
    struct sl_regex_node *inside;
    int group = is_captured ? ++p->groups : 0;
    if (++p->depth > DEEPEST) return sl_fail(p->err, SL_INVALID_ARGUMENT, "expression nesting depth too large");
    SL_TRY(parse_alternatives(&inside, p));
    p->depth--;
    if (!take(p, ")")) return bad(p, "missing )", begin, p->rest.n + (size_t)(p->rest.p - begin));
    p->flags = flags;
    *out = inside;
    if (!is_captured) return SL_OK;
    SL_TRY(new_node(out, p, SL_REGEX_GROUP));
    (*out)->first = inside;
    (*out)->c = group;
    return SL_OK;
}

static sl_code parse_backslash(struct sl_regex_node **out, struct parser *p) {
    int32_t c;
    *out = NULL;
    if (take(p, "\\A")) return place_node(out, p, SL_REGEX_TEXT_BEGIN);
    if (take(p, "\\z")) return place_node(out, p, SL_REGEX_TEXT_END);
    if (take(p, "\\b")) return place_node(out, p, SL_REGEX_WORD_EDGE);
    if (take(p, "\\B")) return place_node(out, p, SL_REGEX_NO_WORD_EDGE);
    if (at(p, "\\C")) return sl_fail(p->err, SL_UNIMPLEMENTED, "regular expressions with \\C (any byte)");
    SL_TRY(parse_escaped_set(out, p));
    if (*out) return SL_OK;
    SL_TRY(parse_escape(&c, p));
    return char_node(out, p, c);
}

static sl_code parse_one(struct sl_regex_node **out, struct parser *p) {
    int32_t c;
    switch (p->rest.p[0]) {
    case '(': return parse_parentheses(out, p);
    case '[': return parse_brackets(out, p);
    case '\\': return parse_backslash(out, p);
    case '.':
        skip(p, 1);
        SL_TRY(new_node(out, p, SL_REGEX_ANY));
        (*out)->flag = p->flags & DOT_ALL;
        return SL_OK;
    case '^': skip(p, 1); return place_node(out, p, p->flags & LINES ? SL_REGEX_LINE_BEGIN : SL_REGEX_TEXT_BEGIN);
    case '$': skip(p, 1); return place_node(out, p, p->flags & LINES ? SL_REGEX_LINE_END : SL_REGEX_TEXT_END);
    default: SL_TRY(next_char(&c, p)); return char_node(out, p, c);
    }
}

/* ---- repetition */

static bool take_number(int *n, struct sl_str *s) {
    if (s->n == 0 || s->p[0] < '0' || s->p[0] > '9') return false;
    for (*n = 0; s->n && s->p[0] >= '0' && s->p[0] <= '9'; *s = (struct sl_str){s->p + 1, s->n - 1})
        if (*n <= MOST_TIMES) *n = *n * 10 + (s->p[0] - '0');
    return true;
}
static bool take_byte(struct sl_str *s, char c) {
    if (s->n == 0 || s->p[0] != c) return false;
    *s = (struct sl_str){s->p + 1, s->n - 1};
    return true;
}

/* "*", "+", "?", "{2}", "{2,}", "{2,5}"; anything else in braces is plain text. */
static bool take_repetition(int *min, int *max, struct parser *p) {
    struct sl_str s = p->rest;
    *min = 0;
    *max = -1;
    if (take_byte(&s, '*')) *min = 0;
    else if (take_byte(&s, '+')) *min = 1;
    else if (take_byte(&s, '?')) *max = 1;
    else {
        if (!take_byte(&s, '{') || !take_number(min, &s)) return false;
        if (!take_byte(&s, ',')) *max = *min;
        else if (s.n && s.p[0] != '}' && !take_number(max, &s)) return false;
        if (!take_byte(&s, '}')) return false;
    }
    p->rest = s;
    return true;
}

/* How often the innermost part may be repeated at least, all repetitions around it considered. */
static int times_at_most(const struct sl_regex_node *n) {
    int most = 1;
    for (const struct sl_regex_node *child = n->first; child; child = child->next) {
        int times = times_at_most(child);
        if (times > most) most = times;
    }
    if (n->kind != SL_REGEX_REPEAT) return most;
    int own = n->max > n->min ? n->max : n->min;
    if (own < 1) own = 1;
    return own > MOST_TIMES / most ? MOST_TIMES + 1 : own * most;
}

static sl_code parse_repeated(struct sl_regex_node **out, struct parser *p) {
    const char *last = NULL; /* the repetition before */
    int min, max;
    SL_TRY(parse_one(out, p));
    for (const char *begin = p->rest.p; p->rest.n && take_repetition(&min, &max, p); begin = p->rest.p) {
        bool is_counted = begin[0] == '{';
        size_t length = (size_t)(p->rest.p - begin);
        bool is_lazy = take(p, "?");
        if (last) return bad_since(p, "bad repetition operator", last);
        last = begin;
        if (is_counted && (min > MOST_TIMES || max > MOST_TIMES || (max >= 0 && max < min)))
            return bad(p, "invalid repetition size", begin, length);
        struct sl_regex_node *inside = *out;
        SL_TRY(new_node(out, p, SL_REGEX_REPEAT));
        (*out)->first = inside;
        (*out)->min = min;
        (*out)->max = max;
        (*out)->flag = is_lazy == !!(p->flags & LAZY);
        if (is_counted && times_at_most(*out) > MOST_TIMES) return bad(p, "invalid repetition size", begin, length);
    }
    return SL_OK;
}

/* ---- sequences and alternatives */

/* \Q...\E: plain characters. */
static sl_code parse_quoted(struct sl_regex_node ***end, struct parser *p) {
    skip(p, 2);
    while (p->rest.n && !take(p, "\\E")) {
        int32_t c;
        SL_TRY(next_char(&c, p));
        SL_TRY(char_node(*end, p, c));
        *end = &(**end)->next;
    }
    return SL_OK;
}

static sl_code parse_sequence(struct sl_regex_node **out, struct parser *p) {
    SL_TRY(new_node(out, p, SL_REGEX_CAT));
    struct sl_regex_node **end = &(*out)->first;
    while (p->rest.n && p->rest.p[0] != '|' && p->rest.p[0] != ')') {
        int min, max;
        const char *begin = p->rest.p;
        if (at(p, "\\Q")) {
            SL_TRY(parse_quoted(&end, p));
            continue;
        }
        if (take(p, "\\E")) continue;
        struct parser before = *p;
        if (take_repetition(&min, &max, p)) return bad_since(p, "no argument for repetition operator", begin);
        *p = before;
        SL_TRY(parse_repeated(end, p));
        end = &(*end)->next;
    }
    return SL_OK;
}

static sl_code parse_alternatives(struct sl_regex_node **out, struct parser *p) {
    struct sl_regex_node *first;
    SL_TRY(parse_sequence(&first, p));
    *out = first;
    if (!at(p, "|")) return SL_OK;
    SL_TRY(new_node(out, p, SL_REGEX_ALT));
    (*out)->first = first;
    for (struct sl_regex_node **end = &first->next; take(p, "|"); end = &(*end)->next) SL_TRY(parse_sequence(end, p));
    return SL_OK;
}

sl_code sl_regex_parse(struct sl_regex_tree *out, struct sl_str pattern, struct sl_arena *arena, struct sl_error *err) {
    struct parser p = {.rest = pattern, .arena = arena, .err = err};
    SL_TRY(parse_alternatives(&out->root, &p));
    if (p.rest.n) return bad(&p, "unexpected )", pattern.p, pattern.n);
    out->groups = p.groups;
    return SL_OK;
}
