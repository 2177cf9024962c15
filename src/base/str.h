/* Borrowed byte strings: pointer and length, not NUL-terminated unless said. Immutable. */
#ifndef SL_BASE_STR_H
#define SL_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct sl_str {
    const char *p;
    size_t n;
};

#define SL_STR(literal) ((struct sl_str){literal, sizeof(literal) - 1})
/* For printf: "%.*s", SL_STR_ARG(s). */
#define SL_STR_ARG(s) (int)(s).n, (s).p ? (s).p : ""

static inline struct sl_str sl_str_of(const char *c) { return (struct sl_str){c, c ? strlen(c) : 0}; }
static inline bool sl_str_eq(struct sl_str a, struct sl_str b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
static inline bool sl_str_is(struct sl_str a, const char *c) { return sl_str_eq(a, sl_str_of(c)); }
static inline bool sl_str_starts(struct sl_str a, struct sl_str prefix) {
    return a.n >= prefix.n && (prefix.n == 0 || memcmp(a.p, prefix.p, prefix.n) == 0);
}
/* Bytewise order, shorter first on a common prefix: <0, 0, >0. */
static inline int sl_str_cmp(struct sl_str a, struct sl_str b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

#endif
