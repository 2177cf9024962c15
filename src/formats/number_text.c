/* Numbers from text. Called by StringToNumber and the parsing ops. */
#include "formats/number_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct sl_str sl_str_trimmed(struct sl_str s) {
    while (s.n && sl_is_blank(s.p[0])) s = (struct sl_str){s.p + 1, s.n - 1};
    while (s.n && sl_is_blank(s.p[s.n - 1])) s.n--;
    return s;
}

/* Digits with a sign, as an absolute value at most `most` and whether it is below 0. */
static bool read_integer(uint64_t *to, bool *is_negative, struct sl_str s) {
    *is_negative = s.n && s.p[0] == '-';
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) s = (struct sl_str){s.p + 1, s.n - 1};
    if (s.n == 0) return false;
    *to = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9') return false;
        if (__builtin_mul_overflow(*to, (uint64_t)10, to)) return false;
        if (__builtin_add_overflow(*to, (uint64_t)(s.p[i] - '0'), to)) return false;
    }
    return true;
}

static bool read_signed(int64_t *to, struct sl_str s, int64_t least, int64_t most) {
    uint64_t value;
    bool is_negative;
    if (!read_integer(&value, &is_negative, s)) return false;
    if (value > (is_negative ? (uint64_t)0 - (uint64_t)least : (uint64_t)most)) return false;
    *to = (int64_t)(is_negative ? (uint64_t)0 - value : value);
    return true;
}
static bool read_unsigned(uint64_t *to, struct sl_str s, uint64_t most) {
    bool is_negative;
    return read_integer(to, &is_negative, s) && !is_negative && *to <= most;
}

/* A decimal whose digits and power of ten are exact in double: one multiplication or division then is rounded as it
 * must be (Clinger, "How to read floating point numbers accurately", 1990). False: it is not such a one, or no
 * decimal at all. */
static bool read_short_decimal(double *to, struct sl_str s) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { MOST_POWER = 22, MOST_DIGITS = 18 };
    const char *p = s.p, *const end = s.p + s.n;
    const bool is_negative = p < end && *p == '-';
    uint64_t digits = 0;
    int n = 0, behind = 0, power = 0;
    bool has_point = false;
    if (p < end && (*p == '-' || *p == '+')) p++;
    for (; p < end && n <= MOST_DIGITS; p++) {
        if (*p == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (*p < '0' || *p > '9') break;
        digits = digits * 10 + (uint64_t)(*p - '0');
        n++;
        behind += has_point;
    }
    if (n == 0 || n > MOST_DIGITS || digits > UINT64_C(1) << 53) return false;
    if (p < end && (*p | 32) == 'e') {
        const bool is_below = ++p < end && *p == '-';
        if (p < end && (*p == '-' || *p == '+')) p++;
        if (p == end || end - p > 2) return false;
        for (; p < end && *p >= '0' && *p <= '9'; p++) power = power * 10 + (*p - '0');
        if (is_below) power = -power;
    }
    power -= behind;
    if (p != end || power < -MOST_POWER || power > MOST_POWER) return false;
    const double value = power < 0 ? (double)digits / tens[-power] : (double)digits * tens[power];
    *to = is_negative ? -value : value;
    return true;
}
/* Whether rounding x to float gives what rounding the number would that was rounded to x: not half way between two
 * floats. */
static bool rounds_once(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const double size = fabs(x);
    return x == 0 || (size > 0x1p-126 && size < 0x1p127 && (bits & 0x1fffffff) != 0x10000000);
}

/* strtod of a piece that has no NUL behind it. */
static bool read_float(void *to, int dtype, struct sl_str s) {
    double value;
    if (read_short_decimal(&value, s) && (dtype != SL_FLOAT || rounds_once(value))) {
        if (dtype == SL_FLOAT) *(float *)to = (float)value;
        else *(double *)to = value;
        return true;
    }
    char room[128], *copy = room, *end;
    if (s.n == 0 || memchr(s.p, 0, s.n)) return false;
    if (s.n >= sizeof room && !(copy = sl_malloc(s.n + 1))) return false;
    memcpy(copy, s.p, s.n);
    copy[s.n] = 0;
    if (dtype == SL_FLOAT) *(float *)to = strtof(copy, &end);
    else *(double *)to = strtod(copy, &end);
    bool is_all = end == copy + s.n;
    if (copy != room) sl_free(copy);
    return is_all;
}

bool sl_number_read(void *to, int dtype, struct sl_str s) {
    int64_t i = 0;
    uint64_t u = 0;
    bool is_number;
    s = sl_str_trimmed(s);
    switch (dtype) {
    case SL_FLOAT:
    case SL_DOUBLE: return read_float(to, dtype, s);
    case SL_INT32:
        is_number = read_signed(&i, s, INT32_MIN, INT32_MAX);
        *(int32_t *)to = (int32_t)i;
        return is_number;
    case SL_INT64: return read_signed(to, s, INT64_MIN, INT64_MAX);
    case SL_UINT32:
        is_number = read_unsigned(&u, s, UINT32_MAX);
        *(uint32_t *)to = (uint32_t)u;
        return is_number;
    case SL_UINT64: return read_unsigned(to, s, UINT64_MAX);
    default: return false;
    }
}
