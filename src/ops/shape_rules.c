/* Patterns, single dims, dims that inputs give. A pattern is read anew for every node: it is short, and nothing
 * has to be kept. Patterns are ours, so a bad one is an INTERNAL error. */
#include "ops/shape_rules.h"

#include <ctype.h>
#include <inttypes.h>

/* ---- single dims */
sl_code sl_infer_with_value(int64_t *out, struct sl_shape_ctx *c, int64_t dim, int64_t value) {
    if (dim >= 0 && dim != value) return sl_infer_fail(c, "Dimension must be %" PRId64 " but is %" PRId64, value, dim);
    *out = value;
    return SL_OK;
}

sl_code sl_infer_replace_dim(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int i, int64_t value) {
    *out = SL_SHAPE_UNKNOWN;
    if (s.rank < 0) return SL_OK;
    int at = i < 0 ? i + s.rank : i;
    if (at < 0 || at >= s.rank)
        return sl_infer_fail(c, "Out of range dim_index %d for shape with %d dimensions", i, s.rank);
    int64_t *dims = sl_infer_dims(c, s);
    if (!dims) return sl_fail_memory(c->err, (size_t)s.rank * sizeof *dims);
    dims[at] = value < 0 ? -1 : value;
    *out = (struct sl_shape){s.rank, dims};
    return SL_OK;
}

sl_code sl_infer_merge_prefix(struct sl_shape *s, struct sl_shape *prefix, struct sl_shape_ctx *c) {
    if (prefix->rank < 0) return SL_OK;
    if (s->rank < 0) return SL_OK;
    SL_TRY(sl_infer_with_rank_at_least(s, c, *s, prefix->rank));
    int64_t *dims = sl_infer_dims(c, *s);
    if (s->rank > 0 && !dims) return sl_fail_memory(c->err, (size_t)s->rank * sizeof *dims);
    for (int i = 0; i < prefix->rank; i++) SL_TRY(sl_infer_merge_dim(&dims[i], c, s->dims[i], prefix->dims[i]));
    s->dims = dims;
    if (prefix->rank > 0) prefix->dims = dims;
    return SL_OK;
}

sl_code sl_infer_prepend(struct sl_shape *out, struct sl_shape_ctx *c, int64_t first, struct sl_shape s) {
    return sl_infer_concat(out, c, sl_infer_vector(c, first), s);
}

sl_code sl_infer_append(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int64_t last) {
    return sl_infer_concat(out, c, s, sl_infer_vector(c, last));
}

sl_code sl_infer_check_scalars(struct sl_shape_ctx *c, int first, int n) {
    struct sl_shape s;
    for (int i = first; i < first + n; i++) SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 0));
    return SL_OK;
}

/* ---- what inputs give */
bool sl_infer_constant_int(int64_t *value, struct sl_shape_ctx *c, int i) {
    const int64_t *values;
    int64_t n;
    if (!sl_infer_constant_ints(&values, &n, c, i) || n != 1) return false;
    *value = values[0];
    return true;
}

static sl_code scalar_value(int64_t *value, bool *is_known, struct sl_shape_ctx *c, int i) {
    const struct sl_tensor *t = sl_infer_constant(c, i);
    *is_known = t != NULL;
    if (!t) return SL_OK;
    if (t->rank != 0) return sl_infer_fail(c, "Input must be scalar but has rank %d", t->rank);
    if (t->dtype == SL_INT16) *value = *(const int16_t *)t->data;
    else if (!sl_infer_constant_int(value, c, i)) return sl_infer_fail(c, "Scalar input must be int32 or int64.");
    return SL_OK;
}

sl_code sl_infer_scalar_dim(int64_t *out, struct sl_shape_ctx *c, int i) {
    int64_t value = -1;
    bool is_known;
    SL_TRY(scalar_value(&value, &is_known, c, i));
    if (is_known && value < 0)
        return sl_infer_fail(c, "Dimension size, given by scalar input %d, must be non-negative but is %" PRId64, i,
                             value);
    *out = value;
    return SL_OK;
}

sl_code sl_infer_scalar_axis(int64_t *out, struct sl_shape_ctx *c, int i, int rank) {
    int64_t value = -1;
    bool is_known;
    SL_TRY(scalar_value(&value, &is_known, c, i));
    *out = -1;
    if (!is_known || (value < 0 && rank < 0)) return SL_OK;
    if (rank >= 0 && (value < -rank || value >= rank))
        return sl_infer_fail(c, "Dimension size, given by scalar input %" PRId64 " must be in range [-%d, %d)", value,
                             rank, rank);
    *out = value < 0 ? value + rank : value;
    return SL_OK;
}

sl_code sl_infer_shape_of_vector(struct sl_shape *out, struct sl_shape_ctx *c, int i) {
    struct sl_shape in;
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, i), 1));
    return sl_infer_shape_of_tensor(out, c, i);
}

sl_code sl_infer_check_sparse(int64_t *rank, struct sl_shape_ctx *c, int first) {
    struct sl_shape indices, values, shape;
    SL_TRY(sl_infer_with_rank(&indices, c, sl_infer_in(c, first), 2));
    SL_TRY(sl_infer_with_rank(&values, c, sl_infer_in(c, first + 1), 1));
    SL_TRY(sl_infer_with_rank(&shape, c, sl_infer_in(c, first + 2), 1));
    int64_t n = indices.dims[0], depth = indices.dims[1], length = shape.dims[0];
    if (n >= 0 && values.dims[0] >= 0 && n != values.dims[0])
        return sl_infer_fail(c, "Number of elements in index (%" PRId64 ") and values (%" PRId64 ") do not match.", n,
                             values.dims[0]);
    if (depth >= 0 && length >= 0 && depth != length)
        return sl_infer_fail(c, "Index rank (%" PRId64 ") and shape rank (%" PRId64 ") do not match.", depth, length);
    *rank = length;
    return SL_OK;
}

sl_code sl_infer_held(struct sl_shape *out, struct sl_shape_ctx *c, int i, const char *dtype_attr) {
    *out = SL_SHAPE_UNKNOWN;
    if (!c->in_handles || i < 0 || i >= c->n_in || c->in_handles[i].n < 1) return SL_OK;
    const struct sl_handle_item *item = &c->in_handles[i].items[0];
    int dtype;
    if (dtype_attr) {
        SL_TRY(sl_infer_type(&dtype, c, dtype_attr));
        if (dtype != item->dtype)
            return sl_infer_fail(c, "Trying to read variable with wrong dtype. Expected %s got %s",
                                 sl_dtype_name(item->dtype), sl_dtype_name(dtype));
    }
    *out = item->shape;
    return SL_OK;
}

sl_code sl_infer_size_input(int64_t size[2], struct sl_shape_ctx *c, int i) {
    struct sl_shape s;
    int64_t n;
    const int64_t *values;
    SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 1));
    SL_TRY(sl_infer_with_value(&n, c, s.dims[0], 2));
    bool is_known = sl_infer_constant_ints(&values, &n, c, i) && n == 2;
    for (int k = 0; k < 2; k++) size[k] = is_known && values[k] >= 0 ? values[k] : -1;
    return SL_OK;
}

/* ---- patterns */
enum { NAMES_MAX = 24 };
#define ANY INT64_MIN /* a dim that is not checked */
struct pattern_state {
    struct sl_shape_ctx *c;
    const char *at;
    int n_names;
    struct pattern_name {
        struct sl_str name;
        int64_t dim;           /* of a dim's name */
        struct sl_shape shape; /* of a rest's or a whole shape's name */
    } names[NAMES_MAX];
};

static sl_code bad_pattern(struct pattern_state *p) {
    return sl_fail(p->c->err, SL_INTERNAL, "Bad shape pattern at '%s'", p->at);
}

static bool is_name(char ch) { return isalnum((unsigned char)ch) || ch == '_'; }

static struct sl_str read_name(struct pattern_state *p) {
    const char *start = p->at;
    while (is_name(*p->at)) p->at++;
    return (struct sl_str){start, (size_t)(p->at - start)};
}

static sl_code find_name(struct pattern_name **out, struct pattern_state *p, struct sl_str name) {
    for (int i = 0; i < p->n_names; i++)
        if (sl_str_eq(p->names[i].name, name)) {
            *out = &p->names[i];
            return SL_OK;
        }
    if (!name.n || p->n_names == NAMES_MAX) return bad_pattern(p);
    *out = &p->names[p->n_names++];
    **out = (struct pattern_name){name, -1, SL_SHAPE_UNKNOWN};
    return SL_OK;
}

static int64_t read_number(struct pattern_state *p) {
    int64_t n = 0;
    while (isdigit((unsigned char)*p->at)) n = n * 10 + (*p->at++ - '0');
    return n;
}

static sl_code read_attr_dim(int64_t *dim, struct pattern_state *p) {
    char attr[64];
    p->at++;
    struct sl_str name = read_name(p);
    if (!name.n || name.n >= sizeof attr) return bad_pattern(p);
    memcpy(attr, name.p, name.n);
    attr[name.n] = 0;
    return sl_infer_int(dim, p->c, attr);
}

/* One dim of a pattern: its value as far as it is known, and its name when it has one. */
static sl_code read_dim(int64_t *dim, struct pattern_name **name, struct pattern_state *p) {
    *name = NULL;
    *dim = ANY;
    if (isdigit((unsigned char)*p->at)) *dim = read_number(p);
    else if (*p->at == '?') p->at++;
    else if (*p->at == '@') SL_TRY(read_attr_dim(dim, p));
    else if (*p->at == '#') {
        p->at++;
        SL_TRY(sl_infer_scalar_dim(dim, p->c, (int)read_number(p)));
    } else {
        SL_TRY(find_name(name, p, read_name(p)));
        *dim = (*name)->dim;
    }
    if (*p->at != '+' || !isdigit((unsigned char)p->at[1])) return SL_OK;
    p->at++;
    int64_t more = read_number(p);
    return *dim < 0 ? SL_OK : sl_infer_add(dim, p->c, *dim, more);
}

/* What is in brackets: dims before the rest, the rest's name, dims after. */
struct bracket {
    int64_t dims[NAMES_MAX];
    struct pattern_name *names[NAMES_MAX], *rest;
    int n, n_before;
};

static sl_code read_bracket(struct bracket *b, struct pattern_state *p) {
    *b = (struct bracket){.n_before = -1};
    p->at++;
    while (*p->at != ']') {
        if (b->n == NAMES_MAX) return bad_pattern(p);
        SL_TRY(read_dim(&b->dims[b->n], &b->names[b->n], p));
        if (strncmp(p->at, "...", 3) == 0) {
            p->at += 3;
            b->rest = b->names[b->n];
            b->n_before = b->n;
        } else {
            b->n++;
        }
        if (*p->at == ',') p->at++;
        else if (*p->at != ']') return bad_pattern(p);
    }
    p->at++;
    return SL_OK;
}

static sl_code match_dims(struct pattern_state *p, struct bracket *b, int from, int to, const int64_t *dims) {
    for (int k = from; k < to; k++) {
        int64_t merged;
        if (!b->names[k]) {
            if (b->dims[k] != ANY) SL_TRY(sl_infer_with_value(&merged, p->c, dims[k - from], b->dims[k]));
            continue;
        }
        SL_TRY(sl_infer_merge_dim(&merged, p->c, b->names[k]->dim, dims[k - from]));
        b->names[k]->dim = merged;
    }
    return SL_OK;
}

static sl_code match_bracket(struct pattern_state *p, struct bracket *b, struct sl_shape s) {
    if (!b->rest) {
        SL_TRY(sl_infer_with_rank(&s, p->c, s, b->n));
        return match_dims(p, b, 0, b->n, s.dims);
    }
    SL_TRY(sl_infer_with_rank_at_least(&s, p->c, s, b->n));
    if (s.rank < 0) return SL_OK;
    int n_after = b->n - b->n_before, end = s.rank - n_after;
    SL_TRY(match_dims(p, b, 0, b->n_before, s.dims));
    SL_TRY(match_dims(p, b, b->n_before, b->n, s.dims + end));
    struct sl_shape rest = {end - b->n_before, end > b->n_before ? s.dims + b->n_before : NULL};
    return sl_infer_merge(&b->rest->shape, p->c, b->rest->shape, rest);
}

static sl_code match_input(struct pattern_state *p, struct sl_shape s) {
    if (*p->at == '*') {
        p->at++;
        return SL_OK;
    }
    if (*p->at == '[') {
        struct bracket b;
        SL_TRY(read_bracket(&b, p));
        return match_bracket(p, &b, s);
    }
    struct pattern_name *name;
    SL_TRY(find_name(&name, p, read_name(p)));
    return sl_infer_merge(&name->shape, p->c, name->shape, s);
}

static sl_code build_output(struct sl_shape *out, struct pattern_state *p) {
    *out = SL_SHAPE_UNKNOWN;
    if (*p->at == '*') {
        p->at++;
        return SL_OK;
    }
    if (*p->at == '$') {
        p->at++;
        *out = sl_infer_in(p->c, (int)read_number(p));
        return SL_OK;
    }
    if (*p->at != '[') {
        struct pattern_name *name;
        SL_TRY(find_name(&name, p, read_name(p)));
        *out = name->shape;
        return SL_OK;
    }
    struct bracket b;
    SL_TRY(read_bracket(&b, p));
    for (int i = 0; i < b.n; i++)
        if (b.dims[i] < 0) b.dims[i] = -1;
    struct sl_shape dims = {b.n, b.dims};
    if (!b.rest) dims = sl_shape_copy(p->c->arena, dims);
    if (dims.rank == -2) return sl_fail_memory(p->c->err, sizeof b.dims);
    *out = dims;
    if (!b.rest) return SL_OK;
    SL_TRY(sl_infer_concat(out, p->c, (struct sl_shape){b.n_before, b.dims}, b.rest->shape));
    SL_TRY(sl_infer_concat(out, p->c, *out, (struct sl_shape){b.n - b.n_before, b.dims + b.n_before}));
    *out = sl_shape_copy(p->c->arena, *out); /* concat may pass its argument on, and that is on the stack here */
    return out->rank == -2 ? sl_fail_memory(p->c->err, sizeof b.dims) : SL_OK;
}

/* Words and lists of one side. */
static void count_words(int *n_words, int *n_lists, const char *at, const char *end) {
    *n_words = *n_lists = 0;
    for (; at < end; at++) {
        if (*at == ' ') continue;
        ++*n_words;
        while (at < end && *at != ' ') at++;
        if (at[-1] == '+') ++*n_lists;
    }
}

/* Goes through one side: `n` shapes, of which each word takes one and each list word an even share of the rest. */
static sl_code walk_side(struct pattern_state *p, const char *end, int n, bool is_input) {
    int n_words, n_lists;
    count_words(&n_words, &n_lists, p->at, end);
    int spare = n - (n_words - n_lists), share = n_lists ? spare / n_lists : 0, k = 0;
    if (spare < 0 || (n_lists ? spare % n_lists : spare) != 0)
        return sl_fail(p->c->err, SL_INTERNAL, "Shape pattern '%s' does not fit %d %s", p->at, n,
                       is_input ? "inputs" : "outputs");
    while (p->at < end) {
        if (*p->at == ' ') {
            p->at++;
            continue;
        }
        const char *word = p->at, *after = p->at;
        while (after < end && *after != ' ') after++;
        for (int times = after[-1] == '+' ? share : 1; times > 0; times--, k++) {
            p->at = word;
            if (is_input) {
                SL_TRY(match_input(p, p->c->in[k]));
            } else {
                struct sl_shape out;
                SL_TRY(build_output(&out, p));
                SL_TRY(sl_infer_set(p->c, k, out));
            }
        }
        p->at = after;
    }
    return SL_OK;
}

sl_code sl_infer_pattern(struct sl_shape_ctx *c, const char *pattern) {
    struct pattern_state p = {.c = c, .at = pattern};
    const char *arrow = strstr(pattern, "->");
    if (!arrow) return bad_pattern(&p);
    SL_TRY(walk_side(&p, arrow, c->n_in, true));
    p.at = arrow + 2;
    return walk_side(&p, pattern + strlen(pattern), c->n_out, false);
}
