/* Regular expressions in the syntax of RE2 (github.com/google/re2/wiki/Syntax; but for \C, which is UNIMPLEMENTED),
 * matched in time linear in the text: a pattern is compiled to a program, and all ways to match are followed side by
 * side. The first alternative that matches wins, as in Perl. A compiled pattern is immutable and may be used by many
 * threads; a matcher has one owner. */
#ifndef SL_FORMATS_REGEX_H
#define SL_FORMATS_REGEX_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct sl_regex;
/* INVALID_ARGUMENT "bad repetition operator: **" and so on; the pattern itself is for the caller to name. */
sl_code sl_regex_new(struct sl_regex **out, struct sl_str pattern, struct sl_error *err);
void sl_regex_free(struct sl_regex *re);
/* Groups in parentheses that are captured, the whole match not among them. */
int sl_regex_groups(const struct sl_regex *re);

/* Where a group matched, in bytes of the text; begin -1: it did not. */
struct sl_regex_span {
    int64_t begin, end;
};

/* What matching needs besides the program. */
struct sl_regex_matcher;
sl_code sl_regex_matcher_new(struct sl_regex_matcher **out, const struct sl_regex *re, struct sl_error *err);
void sl_regex_matcher_free(struct sl_regex_matcher *m);

/* The first match in `text` that begins at or after `from`; `spans`: the whole match and the groups up to `n` in
 * all. The text before `from` counts for ^ and \b. */
bool sl_regex_search(struct sl_regex_matcher *m, struct sl_str text, int64_t from, struct sl_regex_span *spans, int n);
/* Whether the pattern matches all of the text. */
bool sl_regex_is_match(struct sl_regex_matcher *m, struct sl_str text);

#endif
