/* Regular expressions on strings: RegexFullMatch, RegexReplace and the forms whose pattern is an attr. */
#include <stdatomic.h>

#include "backends/cpu/cpu_kernels.h"
#include "formats/regex.h"
#include "formats/unicode.h"

enum { GROUPS = 10 };

static sl_code compile_pattern(struct sl_regex **out, struct sl_str pattern, struct sl_error *err) {
    struct sl_error why;
    sl_error_clear(&why);
    sl_code code = sl_regex_new(out, pattern, &why);
    if (code == SL_OK || code != SL_INVALID_ARGUMENT)
        return code == SL_OK ? SL_OK : sl_fail(err, code, "%s", why.message);
    return sl_fail(err, code, "Invalid pattern: %.*s, error: %s", SL_STR_ARG(pattern), why.message);
}

/* ---- replacing */

struct replacement {
    struct sl_regex *re;
    struct sl_str rewrite;
    bool is_global;
};

/* The largest group that the rewrite names. */
static int last_group(struct sl_str rewrite) {
    int last = 0;
    for (size_t i = 0; i + 1 < rewrite.n; i++) {
        if (rewrite.p[i] != '\\') continue;
        char c = rewrite.p[++i];
        if (c >= '0' && c <= '9' && c - '0' > last) last = c - '0';
    }
    return last;
}
/* Appends what stands for a match: "\0" to "\9" are the groups, "\\" is a backslash. False: a backslash stands
 * before something else; what is before it has been appended. */
static bool add_rewrite(struct sl_text *to, struct sl_str text, struct sl_str rewrite,
                        const struct sl_regex_span *spans) {
    for (size_t i = 0; i < rewrite.n; i++) {
        if (rewrite.p[i] != '\\') {
            sl_text_byte(to, rewrite.p[i]);
            continue;
        }
        char c = ++i < rewrite.n ? rewrite.p[i] : 0;
        if (c == '\\') sl_text_byte(to, c);
        else if (c < '0' || c > '9') return false;
        else if (spans[c - '0'].begin >= 0)
            sl_text_add(to, (struct sl_str){text.p + spans[c - '0'].begin,
                                            (size_t)(spans[c - '0'].end - spans[c - '0'].begin)});
    }
    return true;
}

/* An empty match right behind the last one does not count: a character is passed over instead. */
static void replace_in(struct sl_text *to, struct sl_regex_matcher *m, struct sl_str text,
                       const struct replacement *r) {
    struct sl_regex_span spans[GROUPS];
    int64_t at = 0, last_end = -1;
    const int64_t n = (int64_t)text.n;
    while (at <= n && sl_regex_search(m, text, at, spans, GROUPS)) {
        sl_text_add(to, (struct sl_str){text.p + at, (size_t)(spans[0].begin - at)});
        if (spans[0].begin == last_end && spans[0].end == last_end) {
            struct sl_str rest = {text.p + last_end, (size_t)(n - last_end)};
            at = last_end;
            if (rest.n == 0) break;
            sl_utf8_next(&rest);
            sl_text_add(to, (struct sl_str){text.p + at, (size_t)(rest.p - text.p - at)});
            at = rest.p - text.p;
            last_end = -1;
            continue;
        }
        if (!add_rewrite(to, text, r->rewrite, spans) && !r->is_global) { /* nothing is replaced at all */
            sl_text_clear(to);
            at = 0;
            break;
        }
        at = last_end = spans[0].end;
        if (!r->is_global) break;
    }
    if (at < n) sl_text_add(to, (struct sl_str){text.p + at, (size_t)(n - at)});
}

/* ---- strings one by one, on several threads, each with a matcher */
struct strings {
    const struct sl_regex *re;
    const struct replacement *replacement; /* NULL: whether all of it matches is asked */
    struct sl_view in, out;
    atomic_bool is_out_of_memory;
};
static sl_code replace_range(const struct strings *s, struct sl_regex_matcher *m, int64_t begin, int64_t end) {
    struct sl_text text = {.n = 0};
    sl_code code = SL_OK;
    for (int64_t i = begin; i < end && code == SL_OK; i++) {
        sl_text_clear(&text);
        replace_in(&text, m, sl_string_get((const TF_TString *)s->in.data + i), s->replacement);
        code = sl_text_store((TF_TString *)s->out.data + i, &text, NULL);
    }
    sl_text_free(&text);
    return code;
}
static void run_range(void *arg, int64_t begin, int64_t end) {
    struct strings *s = arg;
    struct sl_regex_matcher *m;
    sl_code code = sl_regex_matcher_new(&m, s->re, NULL);
    if (code == SL_OK) {
        if (s->replacement) code = replace_range(s, m, begin, end);
        else
            for (int64_t i = begin; i < end; i++)
                ((bool *)s->out.data)[i] = sl_regex_is_match(m, sl_string_get((const TF_TString *)s->in.data + i));
        sl_regex_matcher_free(m);
    }
    if (code != SL_OK) atomic_store(&s->is_out_of_memory, true);
}
static sl_code run_strings(struct sl_kernel_context *k, struct strings *s) {
    sl_kernel_split(k, s->in.count, s->replacement ? 500 : 150, run_range, s);
    return atomic_load(&s->is_out_of_memory) ? sl_fail_memory(k->err, (size_t)s->in.count * sizeof(TF_TString)) : SL_OK;
}

static sl_code replace_all(struct sl_kernel_context *k, const struct replacement *r) {
    struct sl_view in = sl_in(k, 0);
    struct strings s = {.re = r->re, .in = in, .replacement = r};
    if (last_group(r->rewrite) > sl_regex_groups(r->re)) { /* matches nothing */
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    SL_TRY(sl_out_new(&s.out, k, 0, sl_view_shape(in)));
    return run_strings(k, &s);
}

static sl_code match_all(struct sl_kernel_context *k, const struct sl_regex *re) {
    struct strings s = {.re = re, .in = sl_in(k, 0)};
    SL_TRY(sl_out_new(&s.out, k, 0, sl_view_shape(s.in)));
    return run_strings(k, &s);
}

/* ---- patterns as inputs */

static sl_code replace_run(struct sl_kernel_context *k) {
    struct sl_view pattern = sl_in(k, 1), rewrite = sl_in(k, 2);
    char text[SL_SHAPE_TEXT];
    if (pattern.rank != 0)
        return sl_invalid(k, "Pattern must be scalar, but received %s", sl_shape_text(text, sl_view_shape(pattern)));
    if (rewrite.rank != 0)
        return sl_invalid(k, "Rewrite must be scalar, but received %s", sl_shape_text(text, sl_view_shape(rewrite)));
    struct replacement r = {.rewrite = sl_string_get(rewrite.data), .is_global = *(const bool *)k->state};
    SL_TRY(compile_pattern(&r.re, sl_string_get(pattern.data), k->err));
    sl_code code = replace_all(k, &r);
    sl_regex_free(r.re);
    return code;
}
static sl_code global_create(void **state, struct sl_kernel_setup *setup) {
    bool *is_global = sl_malloc(sizeof *is_global);
    if (!is_global) return sl_fail_memory(setup->err, sizeof *is_global);
    *state = is_global;
    sl_code code = sl_attr_bool(is_global, setup->attrs, "replace_global", setup->err);
    if (code != SL_OK) sl_free(is_global);
    return code;
}

static sl_code match_run(struct sl_kernel_context *k) {
    struct sl_view pattern = sl_in(k, 1);
    struct sl_regex *re;
    char text[SL_SHAPE_TEXT];
    if (pattern.rank != 0)
        return sl_invalid(k, "Pattern must be scalar, but received %s", sl_shape_text(text, sl_view_shape(pattern)));
    SL_TRY(compile_pattern(&re, sl_string_get(pattern.data), k->err));
    sl_code code = match_all(k, re);
    sl_regex_free(re);
    return code;
}

/* ---- patterns as attrs */

static void static_destroy(void *state) {
    struct replacement *r = state;
    sl_regex_free(r->re);
    sl_free((void *)(uintptr_t)r->rewrite.p);
    sl_free(r);
}

static sl_code read_static(struct replacement *r, struct sl_kernel_setup *setup) {
    struct sl_str pattern, rewrite;
    SL_TRY(sl_attr_string(&pattern, setup->attrs, "pattern", setup->err));
    SL_TRY(compile_pattern(&r->re, pattern, setup->err));
    if (!sl_attr_find(setup->attrs, SL_STR("rewrite"))) return SL_OK;
    SL_TRY(sl_attr_bool(&r->is_global, setup->attrs, "replace_global", setup->err));
    SL_TRY(sl_attr_string(&rewrite, setup->attrs, "rewrite", setup->err));
    char *copy = sl_malloc(rewrite.n + 1);
    if (!copy) return sl_fail_memory(setup->err, rewrite.n);
    if (rewrite.n) memcpy(copy, rewrite.p, rewrite.n);
    r->rewrite = (struct sl_str){copy, rewrite.n};
    return SL_OK;
}
static sl_code static_create(void **state, struct sl_kernel_setup *setup) {
    struct replacement *r = sl_calloc(1, sizeof *r);
    if (!r) return sl_fail_memory(setup->err, sizeof *r);
    sl_code code = read_static(r, setup);
    if (code == SL_OK) *state = r;
    else static_destroy(r);
    return code;
}
static sl_code static_replace_run(struct sl_kernel_context *k) { return replace_all(k, k->state); }
static sl_code static_match_run(struct sl_kernel_context *k) {
    return match_all(k, ((const struct replacement *)k->state)->re);
}

#define STATIC .create = static_create, .destroy = static_destroy, .cost_element = 300

/* clang-format off */
const struct sl_kernel_def sl_cpu_regex_rows[] = {
    KERNEL("RegexFullMatch", NO_RULE, .run = match_run, .cost_ns = 1000, .cost_element = 300)
    KERNEL("RegexReplace", NO_RULE, .create = global_create, .destroy = sl_free, .run = replace_run, .cost_ns = 1000, .cost_element = 300)
    KERNEL("StaticRegexFullMatch", NO_RULE, STATIC, .run = static_match_run)
    KERNEL("StaticRegexReplace", NO_RULE, STATIC, .run = static_replace_run)
    SL_ROWS_END
};
/* clang-format on */
