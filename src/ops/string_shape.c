/* Shape functions of strings and text. */
#include <inttypes.h>

#include "ops/shape_functions.h"

SL_SHAPE_RULE(regex_match, "x [] -> x")
SL_SHAPE_RULE(regex_replace, "x [] [] -> x")
SL_SHAPE_RULE(string_split, "[n] [] -> [?,2] [?] [2]")
SL_SHAPE_RULE(string_n_grams, "[n] [s] -> [?] [s]")
SL_SHAPE_RULE(fingerprint_pair, "[n] -> [n,2]")

/* Scalars go with everything; of the others all are alike. */
sl_code sl_shape_string_join(struct sl_shape_ctx *c) {
    struct sl_shape out = SL_SHAPE_UNKNOWN;
    bool are_scalars = true;
    for (int i = 0; i < c->n_in; i++) {
        struct sl_shape in = sl_infer_in(c, i);
        if (in.rank != 0) are_scalars = false;
        if (in.rank > 0) SL_TRY(sl_infer_merge(&out, c, out, in));
    }
    return sl_infer_set(c, 0, are_scalars ? SL_SHAPE_SCALAR : out);
}

/* Placeholders of the template, which do not overlap, are as many as inputs. */
sl_code sl_shape_string_format(struct sl_shape_ctx *c) {
    struct sl_str template, placeholder;
    int n = 0;
    SL_TRY(sl_infer_string(&template, c, "template"));
    SL_TRY(sl_infer_string(&placeholder, c, "placeholder"));
    for (size_t at = 0; placeholder.n && at + placeholder.n <= template.n; at++)
        if (memcmp(template.p + at, placeholder.p, placeholder.n) == 0) {
            n++;
            at += placeholder.n - 1;
        }
    if (n != c->n_in)
        return sl_infer_fail(c, "num placeholders in template and num inputs must match: %d vs. %d", n, c->n_in);
    return sl_infer_set(c, 0, SL_SHAPE_SCALAR);
}

/* Position and length are alike and broadcast with the strings. */
sl_code sl_shape_substr(struct sl_shape_ctx *c) {
    struct sl_shape position = sl_infer_in(c, 1), length = sl_infer_in(c, 2);
    char text[2][SL_SHAPE_TEXT];
    bool is_bad = position.rank >= 0 && length.rank >= 0 && position.rank != length.rank;
    for (int i = 0; i < position.rank && !is_bad; i++) is_bad = position.dims[i] != sl_infer_dim(length, i);
    if (is_bad)
        return sl_infer_fail(c, "pos and len shapes must match: %s vs. %s", sl_shape_text(text[0], position),
                             sl_shape_text(text[1], length));
    return sl_shape_broadcast_binary_shape(c);
}

/* One string a row: a row more has a split more. */
sl_code sl_shape_unicode_encode(struct sl_shape_ctx *c) {
    struct sl_shape values, splits;
    int64_t n;
    SL_TRY(sl_infer_with_rank(&values, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_with_rank(&splits, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_subtract(&n, c, splits.dims[0], 1));
    return sl_infer_set_dims(c, 0, 1, &n);
}

/* Row splits of the strings, then a value for each of their characters. */
sl_code sl_shape_unicode_decode(struct sl_shape_ctx *c) {
    int64_t n = sl_infer_count(sl_infer_in(c, 0)), splits, unknown = -1;
    SL_TRY(sl_infer_add(&splits, c, n, 1));
    SL_TRY(sl_infer_set_dims(c, 0, 1, &splits));
    for (int o = 1; o < c->n_out; o++) SL_TRY(sl_infer_set_dims(c, o, 1, &unknown));
    return SL_OK;
}

/* Eight bytes a row. */
sl_code sl_shape_fingerprint(struct sl_shape_ctx *c) {
    struct sl_shape data;
    SL_TRY(sl_infer_with_rank_at_least(&data, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_check_scalars(c, 1, 1));
    const struct sl_tensor *method = sl_infer_constant(c, 1);
    bool is_known = method && method->dtype == SL_STRING && method->count == 1 &&
                    sl_str_is(sl_string_get(method->data), "farmhash64");
    return sl_infer_set_dims(c, 0, 2, (int64_t[]){sl_infer_dim(data, 0), is_known ? 8 : -1});
}

/* Two sparse tensors whose last dim is the sequence: a distance for each place of the other dims. */
sl_code sl_shape_edit_distance(struct sl_shape_ctx *c) {
    const int64_t *shapes[2];
    int64_t n[2], dims[SL_MAX_RANK];
    for (int k = 0; k < 2; k++) SL_TRY(sl_infer_check_sparse(&n[k], c, 3 * k));
    for (int k = 0; k < 2; k++)
        if (!sl_infer_constant_ints(&shapes[k], &n[k], c, 3 * k + 2)) return SL_OK;
    if (n[0] != n[1])
        return sl_infer_fail(c, "Num elements of hypothesis_shape does not match truth_shape: %" PRId64 " vs. %" PRId64,
                             n[0], n[1]);
    if (n[0] < 1 || n[0] > SL_MAX_RANK) return sl_infer_fail(c, "hypothesis_shape has %" PRId64 " elements", n[0]);
    for (int i = 0; i + 1 < n[0]; i++) dims[i] = shapes[0][i] > shapes[1][i] ? shapes[0][i] : shapes[1][i];
    return sl_infer_set_dims(c, 0, (int)n[0] - 1, dims);
}
