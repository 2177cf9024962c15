/* UTF-8, and properties of characters looked up by bisection in the tables. Called by the kernels of strings and by
 * regex.c. */
#include "formats/unicode.h"

struct script_name {
    char name[24];
    uint8_t number;
};
struct case_range {
    int32_t first, last, step, add;
};
struct case_list {
    int32_t from, to[3];
};
#include "formats/unicode_tables.inc"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- UTF-8 */

/* Bytes that follow a first byte; 0: it is no first byte of more than one. */
static size_t followers(unsigned char first) {
    return first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

/* Whether the second byte may follow the first: shortest forms, no surrogates, at most U+10FFFF. */
static bool is_second(unsigned char first, unsigned char second) {
    switch (first) {
    case 0xe0: return second >= 0xa0 && second < 0xc0;
    case 0xed: return second >= 0x80 && second < 0xa0;
    case 0xf0: return second >= 0x90 && second < 0xc0;
    case 0xf4: return second >= 0x80 && second < 0x90;
    default: return second >= 0x80 && second < 0xc0;
    }
}

static bool is_follower(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

int32_t sl_utf8_next(struct sl_str *s) {
    const unsigned char *p = (const unsigned char *)s->p;
    size_t more = followers(p[0]), n = 1;
    int32_t c = p[0];
    if (c >= 0x80) {
        bool is_good = more > 0;
        c = more == 1 ? c & 0x1f : more == 2 ? c & 0x0f : c & 0x07;
        for (; is_good && n <= more; n++) {
            is_good = n < s->n && (n == 1 ? is_second(p[0], p[1]) : is_follower(s->p[n]));
            if (!is_good) break;
            c = c << 6 | (p[n] & 0x3f);
        }
        if (!is_good) c = -1;
    }
    *s = (struct sl_str){s->p + n, s->n - n};
    return c;
}

void sl_utf8_add(struct sl_text *to, int32_t c) {
    if (c < 0x80) {
        sl_text_byte(to, (char)c);
        return;
    }
    char bytes[4];
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6) bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | c);
    sl_text_add(to, (struct sl_str){bytes, n});
}

size_t sl_utf8_count(struct sl_str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) n += !is_follower(s.p[i]);
    return n;
}

size_t sl_utf8_step(struct sl_str s) {
    size_t n = 1;
    while (n < s.n && is_follower(s.p[n])) n++;
    return n;
}

/* ---- properties */

static int range_value(const uint32_t *ranges, size_t n, int32_t c) {
    size_t low = 0, high = n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if ((int32_t)(ranges[middle] >> 8) <= c) low = middle;
        else high = middle;
    }
    return (int)(ranges[low] & 0xff);
}

int sl_unicode_script_of(int32_t c) {
    return c < 0 || c > SL_UNICODE_MAX ? -1 : range_value(script_ranges, LENGTH(script_ranges), c);
}

/* Classes are numbered: categories, then letters that some categories begin with, then scripts, then "Any". */
enum { LETTERS = 256, SCRIPTS = 512, ANY = 1024 };

int sl_unicode_class(struct sl_str name) {
    if (sl_str_is(name, "Any")) return ANY;
    for (size_t i = 0; i < LENGTH(categories); i++) {
        if (sl_str_is(name, categories[i])) return (int)i;
        if (name.n == 1 && name.p[0] == categories[i][0]) return LETTERS + name.p[0];
    }
    for (size_t i = 0; i < LENGTH(script_names); i++)
        if (sl_str_is(name, script_names[i].name)) return SCRIPTS + script_names[i].number;
    return -1;
}

static int category_of(int32_t c) { return range_value(category_ranges, LENGTH(category_ranges), c); }

bool sl_unicode_is_in(int32_t c, int class) {
    if (class == ANY) return true;
    if (class >= SCRIPTS) return sl_unicode_script_of(c) == class - SCRIPTS;
    if (class >= LETTERS) return categories[category_of(c)][0] == class - LETTERS;
    return category_of(c) == class;
}

/* ---- case */

static int32_t change_case(const struct case_range *ranges, size_t n, int32_t c) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].last < c) low = middle + 1;
        else high = middle;
    }
    bool is_in = low < n && c >= ranges[low].first && (c - ranges[low].first) % ranges[low].step == 0;
    return is_in ? c + ranges[low].add : c;
}
static int32_t lower(int32_t c) {
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    return change_case(lower_case, LENGTH(lower_case), c);
}
static int32_t upper(int32_t c) {
    if (c < 0x80) return c >= 'a' && c <= 'z' ? c - 32 : c;
    return change_case(upper_case, LENGTH(upper_case), c);
}

int32_t sl_unicode_fold(int32_t c) { return lower(upper(c)); }

/* Characters whose upper or lower form is another pair's, by what they fold to. */
static const int32_t third_cases[][2] = {{'k', 0x212a},    {'s', 0x17f},    {0xe5, 0x212b}, {0x3b8, 0x3d1},
                                         {0x3b8, 0x3f4},   {0x3c9, 0x2126}, {0x3b9, 0x345}, {0x3b9, 0x1fbe},
                                         {0x3bc, 0xb5},    {0x3c3, 0x3c2},  {0x3b2, 0x3d0}, {0x3b5, 0x3f5},
                                         {0x3ba, 0x3f0},   {0x3c0, 0x3d6},  {0x3c1, 0x3f1}, {0x3c6, 0x3d5},
                                         {0x1e61, 0x1e9b}, {0xdf, 0x1e9e}};

int sl_unicode_cases(int32_t to[4], int32_t c) {
    const int32_t folded = sl_unicode_fold(c), capital = upper(folded);
    int n = 0;
    to[n++] = c;
    if (folded != c) to[n++] = folded;
    if (capital != c && capital != folded) to[n++] = capital;
    for (size_t i = 0; i < LENGTH(third_cases) && n < 4; i++)
        if (third_cases[i][0] == folded && third_cases[i][1] != c) to[n++] = third_cases[i][1];
    return n;
}

/* Appends what `c` becomes when that is several characters. */
static bool add_list(struct sl_text *to, const struct case_list *lists, size_t n, int32_t c) {
    for (size_t i = 0; i < n; i++) {
        if (lists[i].from != c) continue;
        for (int j = 0; j < 3 && lists[i].to[j]; j++) sl_utf8_add(to, lists[i].to[j]);
        return true;
    }
    return false;
}

/* Letters that have case; and marks that do not end a word (approximately: those inside words, and what sits on
 * letters). */
static bool is_cased(int32_t c) {
    return lower(c) != c || upper(c) != c || sl_unicode_is_in(c, sl_unicode_class(SL_STR("Lt")));
}
static bool is_passed_over(int32_t c) {
    static const int32_t others[] = {'\'', '.',  ':',  '^',    '`',    0xa8,   0xad,  0xaf,
                                     0xb4, 0xb7, 0xb8, 0x2019, 0x2018, 0x2024, 0x2027};
    for (size_t i = 0; i < LENGTH(others); i++)
        if (c == others[i]) return true;
    const char *category = categories[category_of(c)];
    return !strcmp(category, "Mn") || !strcmp(category, "Me") || !strcmp(category, "Cf") || !strcmp(category, "Lm") ||
           !strcmp(category, "Sk");
}

/* A capital sigma is final when it ends a word of more than one letter. `follows_cased`: a cased letter is before
 * it. */
static bool is_final(struct sl_str rest, bool follows_cased) {
    if (!follows_cased) return false;
    while (rest.n) {
        int32_t c = sl_utf8_next(&rest);
        if (c >= 0 && is_passed_over(c)) continue;
        return c < 0 || !is_cased(c);
    }
    return true;
}

enum { CAPITAL_SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2 };

sl_code sl_utf8_lower(TF_TString *to, struct sl_str s, struct sl_error *err) {
    struct sl_text text = {.n = 0};
    bool follows_cased = false;
    s.n = strnlen(s.p, s.n);
    while (s.n) {
        int32_t c = sl_utf8_next(&s);
        if (c < 0) c = SL_REPLACEMENT;
        if (c == CAPITAL_SIGMA && is_final(s, follows_cased)) sl_utf8_add(&text, FINAL_SIGMA);
        else if (c < 0x80 || !add_list(&text, lower_case_lists, LENGTH(lower_case_lists), c))
            sl_utf8_add(&text, lower(c));
        if (c < 0x80 ? (c | 32) >= 'a' && (c | 32) <= 'z' : is_cased(c)) follows_cased = true;
        else if (!is_passed_over(c)) follows_cased = false;
    }
    sl_code code = sl_text_store(to, &text, err);
    sl_text_free(&text);
    return code;
}

sl_code sl_utf8_upper(TF_TString *to, struct sl_str s, struct sl_error *err) {
    struct sl_text text = {.n = 0};
    s.n = strnlen(s.p, s.n);
    while (s.n) {
        int32_t c = sl_utf8_next(&s);
        if (c < 0) c = SL_REPLACEMENT;
        if (c < 0x80 || !add_list(&text, upper_case_lists, LENGTH(upper_case_lists), c)) sl_utf8_add(&text, upper(c));
    }
    sl_code code = sl_text_store(to, &text, err);
    sl_text_free(&text);
    return code;
}
