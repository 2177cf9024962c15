/* Strings one by one: joining, length, case, white space, parts, numbers. */
#include <inttypes.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/string/string_map.h"
#include "formats/number_text.h"
#include "formats/text.h"
#include "formats/unicode.h"

/* ---- StringJoin: scalars are used with every element of the others */

static sl_code string_join_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str separator;
    SL_TRY(sl_attr_string(&separator, setup->attrs, "separator", setup->err));
    struct sl_text *kept = sl_calloc(1, sizeof *kept);
    if (!kept) return sl_fail_memory(setup->err, sizeof *kept);
    sl_text_add(kept, separator);
    *state = kept;
    return SL_OK;
}
static void text_destroy(void *state) {
    sl_text_free(state);
    sl_free(state);
}

static sl_code join_shape(struct sl_shape *shape, struct sl_kernel_context *k) {
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    *shape = SL_SHAPE_SCALAR;
    for (int i = 0; i < sl_in_count(k); i++) {
        struct sl_shape s = sl_view_shape(sl_in(k, i));
        if (s.rank == 0) continue;
        if (shape->rank == 0) *shape = s;
        else if (!sl_shape_equal(*shape, s))
            return sl_invalid(k, "Input shapes do not match: %s vs. %s", sl_shape_text(a, *shape), sl_shape_text(b, s));
    }
    return SL_OK;
}

struct join {
    struct sl_kernel_context *k;
    TF_TString *out;
};
static sl_code join_one(const void *arg, int64_t e, struct sl_error *err) {
    const struct join *j = arg;
    const struct sl_str separator = sl_text_str(j->k->state);
    size_t n = 0;
    for (int i = 0; i < sl_in_count(j->k); i++) {
        struct sl_view in = sl_in(j->k, i);
        n += (i ? separator.n : 0) + sl_string_get((const TF_TString *)in.data + (in.rank ? e : 0)).n;
    }
    char *to = sl_string_reserve(j->out + e, n);
    if (!to) return sl_fail_memory(err, n);
    for (int i = 0; i < sl_in_count(j->k); i++) {
        struct sl_view in = sl_in(j->k, i);
        struct sl_str s = sl_string_get((const TF_TString *)in.data + (in.rank ? e : 0));
        if (i && separator.n) to = (char *)memcpy(to, separator.p, separator.n) + separator.n;
        if (s.n) to = (char *)memcpy(to, s.p, s.n) + s.n;
    }
    return SL_OK;
}

static sl_code string_join_run(struct sl_kernel_context *k) {
    struct sl_shape shape;
    struct sl_view out;
    SL_TRY(join_shape(&shape, k));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    struct join j = {k, out.data};
    return sl_string_each(k, out.count, join_one, &j, 20 + 20 * (double)sl_in_count(k));
}

/* ---- length, case, white space */

static sl_code byte_length(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    (void)arg;
    (void)err;
    *(int32_t *)to = (int32_t)s.n;
    return SL_OK;
}
static sl_code utf8_length(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    (void)arg;
    (void)err;
    *(int32_t *)to = (int32_t)sl_utf8_count(s);
    return SL_OK;
}

/* State of the ops that have a string attr of two values: whether it is the second. */
static sl_code flag_create(void **state, struct sl_kernel_setup *setup, const char *name, const char *second) {
    struct sl_str value;
    SL_TRY(sl_attr_string(&value, setup->attrs, name, setup->err));
    bool *flag = sl_malloc(sizeof *flag);
    if (!flag) return sl_fail_memory(setup->err, sizeof *flag);
    *flag = sl_str_is(value, second);
    *state = flag;
    return SL_OK;
}
static sl_code unit_create(void **state, struct sl_kernel_setup *setup) {
    return flag_create(state, setup, "unit", "UTF8_CHAR");
}
static sl_code encoding_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str encoding;
    SL_TRY(sl_attr_string(&encoding, setup->attrs, "encoding", setup->err));
    if (encoding.n && !sl_str_is(encoding, "utf-8"))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "only utf-8 or '' (no encoding) is supported, received %.*s",
                       SL_STR_ARG(encoding));
    return flag_create(state, setup, "encoding", "utf-8");
}

static sl_code length_run(struct sl_kernel_context *k) {
    return sl_string_map(k, *(const bool *)k->state ? utf8_length : byte_length, NULL, 5);
}

static sl_code strip(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    (void)arg;
    return sl_string_set(to, sl_str_trimmed(s), err);
}
static sl_code strip_run(struct sl_kernel_context *k) { return sl_string_map(k, strip, NULL, 40); }

/* Letters of ASCII alone. `arg` points to the first letter to change. */
static sl_code change_case(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    const char first = *(const char *)arg;
    char *p = sl_string_reserve(to, s.n);
    if (!p) return sl_fail_memory(err, s.n);
    for (size_t i = 0; i < s.n; i++) {
        bool is_letter = (unsigned char)(s.p[i] - first) < 26;
        p[i] = (char)(s.p[i] ^ (is_letter ? 0x20 : 0));
    }
    return SL_OK;
}
static sl_code lower_utf8(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    (void)arg;
    return sl_utf8_lower(to, s, err);
}
static sl_code upper_utf8(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    (void)arg;
    return sl_utf8_upper(to, s, err);
}
static sl_code lower_run(struct sl_kernel_context *k) {
    return *(const bool *)k->state ? sl_string_map(k, lower_utf8, NULL, 200) : sl_string_map(k, change_case, "A", 50);
}
static sl_code upper_run(struct sl_kernel_context *k) {
    return *(const bool *)k->state ? sl_string_map(k, upper_utf8, NULL, 200) : sl_string_map(k, change_case, "a", 50);
}

/* ---- numbers; `arg` points to the type */

static sl_code to_number(void *to, struct sl_str s, const void *arg, struct sl_error *err) {
    if (sl_number_read(to, *(const int *)arg, s)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "StringToNumberOp could not correctly convert string: %.*s",
                   SL_STR_ARG(s));
}
static sl_code to_number_run(struct sl_kernel_context *k) {
    int dtype = sl_out_type(k, 0);
    return sl_string_map(k, to_number, &dtype, 60);
}

/* ---- Substr: a part of each string; strings and places broadcast to each other, in up to two dimensions */

struct parts {
    struct sl_view in, at, length, out;
    int64_t dims[2], in_dims[2], at_dims[2]; /* of the result, of what broadcasts to it */
    bool is_utf8;
};

static int64_t integer_at(struct sl_view v, int64_t i) {
    return v.dtype == SL_INT64 ? ((const int64_t *)v.data)[i] : ((const int32_t *)v.data)[i];
}

/* Bytes of `s` that its first `n` characters take, all of them if there are fewer. */
static size_t bytes_of(struct sl_str s, uint64_t n) {
    size_t at = 0;
    for (; at < s.n && n; n--) at += sl_utf8_step((struct sl_str){s.p + at, s.n - at});
    return at;
}

/* `at` counts from the end when it is negative. A negative length is all the rest of the bytes, but no characters,
 * and from the end not even that. False: the part is outside. */
static bool take_part(struct sl_str *part, struct sl_str s, int64_t at, int64_t length, bool is_utf8) {
    int64_t size = (int64_t)(is_utf8 ? sl_utf8_count(s) : s.n);
    if (at < -size || at > size || (is_utf8 && length < 0 && at < 0)) return false;
    uint64_t start = (uint64_t)(at < 0 ? at + size : at), most = (uint64_t)(is_utf8 && length < 0 ? 0 : length);
    size_t from = is_utf8 ? bytes_of(s, start) : start;
    *part = (struct sl_str){s.p + from, s.n - from};
    if (is_utf8) part->n = bytes_of(*part, most);
    else if (part->n > most) part->n = most;
    return true;
}

static sl_code put_part(const void *arg, int64_t o, struct sl_error *err) {
    const struct parts *p = arg;
    const int64_t row = o / p->dims[1], column = o % p->dims[1];
    const int64_t i = (p->in_dims[0] == 1 ? 0 : row * p->in_dims[1]) + (p->in_dims[1] == 1 ? 0 : column);
    const int64_t j = (p->at_dims[0] == 1 ? 0 : row * p->at_dims[1]) + (p->at_dims[1] == 1 ? 0 : column);
    struct sl_str s = sl_string_get((const TF_TString *)p->in.data + i), part;
    int64_t at = integer_at(p->at, j);
    if (!take_part(&part, s, at, integer_at(p->length, j), p->is_utf8))
        return sl_fail(err, SL_INVALID_ARGUMENT, "pos %" PRId64 " out of range for string b'%.*s' at index %" PRId64,
                       at, SL_STR_ARG(s), o);
    return sl_string_set((TF_TString *)p->out.data + o, part, err);
}

static sl_code substr_broadcast(struct sl_kernel_context *k, struct parts *p) {
    struct sl_shape a = sl_view_shape(p->in), b = sl_view_shape(p->at);
    int rank = a.rank > b.rank ? a.rank : b.rank;
    char x[SL_SHAPE_TEXT], y[SL_SHAPE_TEXT];
    if (rank > 2) return sl_fail(k->err, SL_UNIMPLEMENTED, "Substr broadcast not implemented for %d dimensions", rank);
    for (int d = 0; d < a.rank; d++) p->in_dims[2 - a.rank + d] = a.dims[d];
    for (int d = 0; d < b.rank; d++) p->at_dims[2 - b.rank + d] = b.dims[d];
    for (int d = 0; d < 2; d++) {
        if (p->in_dims[d] != p->at_dims[d] && p->in_dims[d] != 1 && p->at_dims[d] != 1)
            return sl_invalid(k, "Incompatible shapes: %s vs. %s", sl_shape_text(x, a), sl_shape_text(y, b));
        p->dims[d] = p->in_dims[d] == 1 ? p->at_dims[d] : p->in_dims[d];
    }
    SL_TRY(sl_out_new(&p->out, k, 0, (struct sl_shape){rank, p->dims + 2 - rank}));
    return sl_string_each(k, p->out.count, put_part, p, 40);
}

static sl_code substr_run(struct sl_kernel_context *k) {
    struct parts p = {.in = sl_in(k, 0), .at = sl_in(k, 1), .length = sl_in(k, 2), .is_utf8 = *(const bool *)k->state};
    char x[SL_SHAPE_TEXT], y[SL_SHAPE_TEXT];
    if (!sl_shape_equal(sl_view_shape(p.at), sl_view_shape(p.length)))
        return sl_invalid(k, "pos and len should have the same shape, got: %s vs. %s",
                          sl_shape_text(x, sl_view_shape(p.at)), sl_shape_text(y, sl_view_shape(p.length)));
    const bool is_same = sl_shape_equal(sl_view_shape(p.in), sl_view_shape(p.at));
    for (int d = 0; d < 2; d++) p.dims[d] = p.in_dims[d] = p.at_dims[d] = 1;
    if (p.at.rank != 0 && !is_same) return substr_broadcast(k, &p);
    SL_TRY(sl_out_new(&p.out, k, 0, sl_view_shape(p.in)));
    p.dims[1] = p.in_dims[1] = p.in.count; /* one row, whatever the rank */
    if (is_same) p.at_dims[1] = p.in.count;
    return sl_string_each(k, p.out.count, put_part, &p, 40);
}

#define NUMBERS SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET(INT32) | SL_SET(INT64) | SL_SET(UINT32) | SL_SET(UINT64)

/* clang-format off */
const struct sl_kernel_def sl_cpu_string_rows[] = {
    KERNEL("StringJoin", NO_RULE, .create = string_join_create, .destroy = text_destroy, .run = string_join_run, .cost_element = 40)
    KERNEL("StringLength", NO_RULE, .create = unit_create, .destroy = sl_free, .run = length_run, .cost_element = 5)
    KERNEL("StringLower", NO_RULE, .create = encoding_create, .destroy = sl_free, .run = lower_run, .cost_element = 50)
    KERNEL("StringUpper", NO_RULE, .create = encoding_create, .destroy = sl_free, .run = upper_run, .cost_element = 50)
    KERNEL("StringStrip", NO_RULE, .run = strip_run, .cost_element = 40)
    KERNEL("StringToNumber", RULE("out_type", NUMBERS), .run = to_number_run, .cost_element = 60)
    KERNEL("Substr", NO_RULE, .create = unit_create, .destroy = sl_free, .run = substr_run, .cost_element = 40)
    SL_ROWS_END
};
/* clang-format on */
