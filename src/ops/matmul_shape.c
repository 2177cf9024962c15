/* Shape functions of matrix products and Einsum. */
#include <ctype.h>
#include <inttypes.h>

#include "ops/shape_functions.h"

/* The product of the last two dims of a and b, [m, k] x [k, n]. */
static sl_code multiply_ends(int64_t mn[2], struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b,
                             bool transpose_a, bool transpose_b) {
    int64_t inner;
    SL_TRY(
        sl_infer_merge_dim(&inner, c, sl_infer_dim(a, transpose_a ? -2 : -1), sl_infer_dim(b, transpose_b ? -1 : -2)));
    mn[0] = sl_infer_dim(a, transpose_a ? -1 : -2);
    mn[1] = sl_infer_dim(b, transpose_b ? -2 : -1);
    return SL_OK;
}

sl_code sl_shape_matmul(struct sl_shape_ctx *c) {
    struct sl_shape a, b;
    bool transpose_a, transpose_b;
    int64_t mn[2];
    SL_TRY(sl_infer_bool(&transpose_a, c, "transpose_a"));
    SL_TRY(sl_infer_bool(&transpose_b, c, "transpose_b"));
    SL_TRY(sl_infer_with_rank(&a, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_with_rank(&b, c, sl_infer_in(c, 1), 2));
    SL_TRY(multiply_ends(mn, c, a, b, transpose_a, transpose_b));
    return sl_infer_set_dims(c, 0, 2, mn);
}

/* Batch dims alike (first version) or broadcast (later ones). */
static sl_code batch_matmul(struct sl_shape_ctx *c, bool is_broadcast) {
    struct sl_shape a, b, batch_a, batch_b, batch, out;
    bool adj_a, adj_b;
    int64_t mn[2];
    SL_TRY(sl_infer_bool(&adj_a, c, "adj_x"));
    SL_TRY(sl_infer_bool(&adj_b, c, "adj_y"));
    SL_TRY(sl_infer_with_rank_at_least(&a, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_with_rank_at_least(&b, c, sl_infer_in(c, 1), 2));
    SL_TRY(multiply_ends(mn, c, a, b, adj_a, adj_b));
    SL_TRY(sl_infer_subshape(&batch_a, c, a, 0, -2));
    SL_TRY(sl_infer_subshape(&batch_b, c, b, 0, -2));
    if (is_broadcast) SL_TRY(sl_infer_broadcast(&batch, c, batch_a, batch_b));
    else SL_TRY(sl_infer_merge(&batch, c, batch_a, batch_b));
    SL_TRY(sl_infer_concat(&out, c, batch, (struct sl_shape){2, mn}));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_batch_matmul(struct sl_shape_ctx *c) { return batch_matmul(c, false); }
sl_code sl_shape_batch_matmul_v2(struct sl_shape_ctx *c) { return batch_matmul(c, true); }

/* ---- Einsum: labels are letters, "..." stands for broadcast dims */
struct einsum {
    struct sl_shape_ctx *c;
    int64_t dims[256]; /* by label; -1: unknown */
    bool is_seen[256];
    struct sl_shape rest; /* what the ellipses broadcast to */
};

struct subscript {
    const char *p;
    int n, n_labels, ellipsis; /* ellipsis: labels before it; -1: there is none */
};

/* Reads up to a comma, an arrow or the end; blanks do not count. */
static sl_code read_subscript(struct subscript *s, struct sl_shape_ctx *c, struct sl_str equation, size_t *at) {
    *s = (struct subscript){.p = equation.p + *at, .ellipsis = -1};
    size_t start = *at;
    for (; *at < equation.n && equation.p[*at] != ',' && equation.p[*at] != '-'; ++*at) {
        char ch = equation.p[*at];
        if (isalpha((unsigned char)ch)) {
            s->n_labels++;
        } else if (ch == '.') {
            if (*at + 2 >= equation.n || equation.p[*at + 1] != '.' || equation.p[*at + 2] != '.' || s->ellipsis >= 0)
                return sl_infer_fail(c, "Invalid ellipsis in Einsum equation '%.*s'", SL_STR_ARG(equation));
            s->ellipsis = s->n_labels;
            *at += 2;
        } else if (ch != ' ') {
            return sl_infer_fail(c, "Invalid character '%c' in Einsum equation '%.*s'", ch, SL_STR_ARG(equation));
        }
    }
    s->n = (int)(*at - start);
    return SL_OK;
}

static sl_code bind_input(struct einsum *e, const struct subscript *s, struct sl_shape in) {
    if (s->ellipsis < 0) SL_TRY(sl_infer_with_rank(&in, e->c, in, s->n_labels));
    else SL_TRY(sl_infer_with_rank_at_least(&in, e->c, in, s->n_labels));
    int n_after = s->ellipsis < 0 ? 0 : s->n_labels - s->ellipsis;
    for (int i = 0, k = 0; i < s->n; i++) {
        unsigned char label = (unsigned char)s->p[i];
        if (!isalpha(label)) continue;
        int64_t dim = s->ellipsis >= 0 && k >= s->ellipsis ? sl_infer_dim(in, k - s->n_labels) : sl_infer_dim(in, k);
        k++;
        if (!e->is_seen[label]) e->dims[label] = dim;
        else SL_TRY(sl_infer_merge_dim(&e->dims[label], e->c, e->dims[label], dim));
        e->is_seen[label] = true;
    }
    if (s->ellipsis < 0) return SL_OK;
    struct sl_shape rest = SL_SHAPE_UNKNOWN;
    if (in.rank >= 0) SL_TRY(sl_infer_subshape(&rest, e->c, in, s->ellipsis, in.rank - n_after));
    return sl_infer_broadcast(&e->rest, e->c, e->rest, rest);
}

static sl_code no_such_label(struct sl_shape_ctx *c, struct sl_str equation, char label) {
    return sl_infer_fail(
        c,
        "Einsum output subscripts for equation '%.*s' has label '%c' which is not present in the input "
        "subscripts",
        SL_STR_ARG(equation), label);
}

static sl_code build_einsum(struct einsum *e, const struct subscript *s, struct sl_str equation) {
    int64_t dims[SL_MAX_RANK + 1];
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        unsigned char label = (unsigned char)s->p[i];
        if (!isalpha(label)) continue;
        if (!e->is_seen[label]) return no_such_label(e->c, equation, (char)label);
        if (n == SL_MAX_RANK) return sl_infer_fail(e->c, "Einsum output has too many labels");
        dims[n++] = e->dims[label];
    }
    if (s->ellipsis < 0) return sl_infer_set_dims(e->c, 0, n, dims);
    struct sl_shape out;
    SL_TRY(sl_infer_concat(&out, e->c, (struct sl_shape){s->ellipsis, dims}, e->rest));
    SL_TRY(sl_infer_concat(&out, e->c, out, (struct sl_shape){n - s->ellipsis, dims + s->ellipsis}));
    return sl_infer_set(e->c, 0, out);
}

sl_code sl_shape_einsum(struct sl_shape_ctx *c) {
    struct sl_str equation;
    struct subscript s;
    struct einsum e = {.c = c, .rest = SL_SHAPE_SCALAR};
    SL_TRY(sl_infer_string(&equation, c, "equation"));
    size_t at = 0;
    for (int i = 0; i < c->n_in; i++) {
        SL_TRY(read_subscript(&s, c, equation, &at));
        SL_TRY(bind_input(&e, &s, c->in[i]));
        if (i + 1 == c->n_in) break;
        if (at >= equation.n || equation.p[at] != ',')
            return sl_infer_fail(c, "Expected %d inputs for equation %.*s", c->n_in, SL_STR_ARG(equation));
        at++;
    }
    if (at + 1 >= equation.n || equation.p[at] != '-' || equation.p[at + 1] != '>')
        return sl_infer_fail(c, "Expecting exactly one '->' in einsum equation: %.*s", SL_STR_ARG(equation));
    at += 2;
    SL_TRY(read_subscript(&s, c, equation, &at));
    if (at + 1 < equation.n && equation.p[at] == '-' && equation.p[at + 1] == '>')
        return sl_infer_fail(c, "Expecting exactly one '->' in einsum equation: %.*s", SL_STR_ARG(equation));
    if (at < equation.n) return no_such_label(c, equation, equation.p[at]);
    return build_einsum(&e, &s, equation);
}
