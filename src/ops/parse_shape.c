/* Shape functions of decoding records, examples and tensors.
 *
 * Parsed examples come as: indices, values and shape of each sparse feature (three lists), dense features, then ragged
 * features' values and splits. The functions walk the outputs in that order. */
#include <inttypes.h>

#include "ops/attr.h"
#include "ops/shape_functions.h"

/* Defaults of columns of comma-separated values: a vector of at most one element, or a scalar. */
static sl_code check_defaults(struct sl_shape_ctx *c, int first, int n) {
    for (int i = first; i < first + n; i++) {
        struct sl_shape s;
        SL_TRY(sl_infer_with_rank_at_most(&s, c, sl_infer_in(c, i), 1));
        if (s.rank == 1 && s.dims[0] > 1)
            return sl_infer_fail(c, "Shape of a default must be a length-0 or length-1 vector, or a scalar.");
    }
    return SL_OK;
}

sl_code sl_shape_decode_csv(struct sl_shape_ctx *c) {
    SL_TRY(check_defaults(c, 1, c->n_in - 1));
    for (int o = 0; o < c->n_out; o++) SL_TRY(sl_infer_set(c, o, sl_infer_in(c, 0)));
    return SL_OK;
}

/* Files, how they are written, columns to keep, defaults, and in the second version columns to leave out. */
sl_code sl_shape_csv_dataset(struct sl_shape_ctx *c) {
    enum { SELECTED = 7 };
    struct sl_shape s;
    int first = 0, n = 0;
    SL_TRY(sl_infer_with_rank_at_most(&s, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_check_scalars(c, 1, SELECTED - 1));
    SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, SELECTED), 1));
    if (sl_infer_arg(&first, &n, c, "record_defaults")) SL_TRY(check_defaults(c, first, n));
    if (first + n < c->n_in) SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, first + n), 1));
    return sl_shape_scalar_shape(c);
}

/* How many elements a string holds is in the data. */
SL_SHAPE_RULE(decode_raw, "x -> [x...,?]")

sl_code sl_shape_decode_padded_raw(struct sl_shape_ctx *c) {
    struct sl_shape out;
    int64_t bytes, width, n = -1;
    int dtype;
    SL_TRY(sl_infer_type(&dtype, c, "out_type"));
    width = (int64_t)sl_dtype_size(dtype);
    SL_TRY(sl_infer_scalar_dim(&bytes, c, 1));
    if (bytes >= 0) {
        if (width == 0 || bytes % width != 0)
            return sl_infer_fail(c, "fixed_length must be a positive multiple of the size of out_type, but is %" PRId64,
                                 bytes);
        n = bytes / width;
    }
    SL_TRY(sl_infer_append(&out, c, sl_infer_in(c, 0), n));
    return sl_infer_set(c, 0, out);
}

/* Sizes of each field, then the fields' values. */
sl_code sl_shape_decode_proto(struct sl_shape_ctx *c) {
    struct sl_shape out;
    for (int o = 0; o < c->n_out; o++) {
        SL_TRY(sl_infer_append(&out, c, sl_infer_in(c, 0), o == 0 ? c->n_out - 1 : -1));
        SL_TRY(sl_infer_set(c, o, out));
    }
    return SL_OK;
}

sl_code sl_shape_encode_proto(struct sl_shape_ctx *c) {
    struct sl_shape sizes, out = SL_SHAPE_UNKNOWN;
    SL_TRY(sl_infer_with_rank_at_least(&sizes, c, sl_infer_in(c, 0), 1));
    for (int i = 1; i < c->n_in; i++) {
        struct sl_shape value;
        SL_TRY(sl_infer_with_rank_at_least(&value, c, sl_infer_in(c, i), 2));
        SL_TRY(sl_infer_subshape(&value, c, value, 0, -1));
        SL_TRY(sl_infer_merge(&out, c, out, value));
    }
    return sl_infer_set(c, 0, out);
}

/* ---- examples */
struct outputs {
    struct sl_shape_ctx *c;
    int next;
};

static sl_code put(struct outputs *o, struct sl_shape s) {
    if (o->next >= o->c->n_out) return sl_infer_fail(o->c, "Attrs say more features than there are outputs");
    return sl_infer_set(o->c, o->next++, s);
}

static sl_code put_vectors(struct outputs *o, int64_t n, int64_t length) {
    for (int64_t i = 0; i < n; i++) SL_TRY(put(o, (struct sl_shape){1, &length}));
    return SL_OK;
}

/* n sparse tensors of that rank (-1: unknown). */
static sl_code put_sparse(struct outputs *o, int64_t n, int64_t rank) {
    for (int64_t i = 0; i < n; i++) SL_TRY(put(o, (struct sl_shape){2, (int64_t[]){-1, rank}}));
    SL_TRY(put_vectors(o, n, -1));
    return put_vectors(o, n, rank);
}

/* Dense features: their shapes behind `before`. */
static sl_code put_dense(struct outputs *o, struct sl_shape before, const char *attr) {
    const struct sl_shape *shapes;
    struct sl_shape out;
    int n;
    SL_TRY(sl_infer_shape_list(&shapes, &n, o->c, attr));
    for (int i = 0; i < n; i++) {
        SL_TRY(sl_infer_concat(&out, o->c, before, shapes[i]));
        SL_TRY(put(o, out));
    }
    return SL_OK;
}

static sl_code list_length(int64_t *n, struct sl_shape_ctx *c, const char *attr) {
    const int32_t *types;
    int count;
    SL_TRY(sl_attr_type_list(&types, &count, c->attrs, attr, c->err));
    *n = count;
    return SL_OK;
}

/* A dense feature of varying length has no first dim in its shape: each example may have another. */
static sl_code check_dense_shapes(struct sl_shape_ctx *c, const char *attr) {
    const struct sl_shape *shapes;
    int n;
    SL_TRY(sl_infer_shape_list(&shapes, &n, c, attr));
    for (int i = 0; i < n; i++) {
        bool is_bad = shapes[i].rank < 0;
        for (int k = 1; k < shapes[i].rank; k++) is_bad = is_bad || shapes[i].dims[k] < 0;
        if (is_bad) {
            char text[SL_SHAPE_TEXT];
            return sl_infer_fail(c, "dense_shapes[%d] has unknown rank or unknown inner dimensions: %s", i,
                                 sl_shape_text(text, shapes[i]));
        }
    }
    return SL_OK;
}

/* As many types as features. */
static sl_code check_length(struct sl_shape_ctx *c, int64_t n, const char *types) {
    int64_t length;
    SL_TRY(list_length(&length, c, types));
    if (n != length)
        return sl_infer_fail(c, "The number of sparse features (%" PRId64 ") must match the size of %s (%" PRId64 ")",
                             n, types, length);
    return SL_OK;
}

sl_code sl_shape_parse_example(struct sl_shape_ctx *c) {
    struct sl_shape serialized, names;
    struct outputs o = {c, 0};
    int64_t n_sparse;
    SL_TRY(sl_infer_int(&n_sparse, c, "Nsparse"));
    SL_TRY(check_dense_shapes(c, "dense_shapes"));
    SL_TRY(sl_infer_with_rank(&serialized, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_with_rank(&names, c, sl_infer_in(c, 1), 1));
    SL_TRY(check_length(c, n_sparse, "sparse_types"));
    SL_TRY(put_sparse(&o, n_sparse, 2));
    return put_dense(&o, serialized, "dense_shapes");
}

/* One example, or a vector of them, which adds a dim. */
sl_code sl_shape_parse_example_v2(struct sl_shape_ctx *c) {
    struct sl_shape serialized, names;
    struct outputs o = {c, 0};
    int64_t n_sparse, n_ragged;
    SL_TRY(sl_infer_int(&n_sparse, c, "num_sparse"));
    SL_TRY(check_dense_shapes(c, "dense_shapes"));
    SL_TRY(list_length(&n_ragged, c, "ragged_value_types"));
    SL_TRY(sl_infer_with_rank_at_most(&serialized, c, sl_infer_in(c, 0), 1));
    int64_t n_splits = -1, rank = serialized.rank < 0 ? -1 : serialized.rank + 1;
    if (serialized.rank == 1) SL_TRY(sl_infer_add(&n_splits, c, serialized.dims[0], 1));
    SL_TRY(sl_infer_with_rank_at_most(&names, c, sl_infer_in(c, 1), 1));
    SL_TRY(check_length(c, n_sparse, "sparse_types"));
    SL_TRY(put_sparse(&o, n_sparse, rank));
    SL_TRY(put_dense(&o, serialized, "dense_shapes"));
    SL_TRY(put_vectors(&o, n_ragged, -1));
    return put_vectors(&o, n_ragged, n_splits);
}

sl_code sl_shape_parse_single_example(struct sl_shape_ctx *c) {
    struct outputs o = {c, 0};
    int64_t n_sparse;
    SL_TRY(sl_infer_int(&n_sparse, c, "num_sparse"));
    SL_TRY(check_dense_shapes(c, "dense_shapes"));
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(check_length(c, n_sparse, "sparse_types"));
    SL_TRY(put_sparse(&o, n_sparse, 1));
    return put_dense(&o, SL_SHAPE_SCALAR, "dense_shapes");
}

/* ---- sequences: a context as above, then features that have a list of values a sequence */

static sl_code put_sequence(struct sl_shape_ctx *c, struct sl_shape batch, bool has_lengths, bool has_ragged) {
    struct outputs o = {c, 0};
    int64_t n_context, n_lists, n_ragged = 0, n_list_ragged = 0, n_splits = -1,
                                rank = batch.rank < 0 ? -1 : batch.rank + 1;
    struct sl_shape rows;
    const struct sl_shape *dense;
    int n_dense;
    SL_TRY(sl_infer_int(&n_context, c, "Ncontext_sparse"));
    SL_TRY(sl_infer_int(&n_lists, c, "Nfeature_list_sparse"));
    if (has_ragged) {
        SL_TRY(list_length(&n_ragged, c, "context_ragged_value_types"));
        SL_TRY(list_length(&n_list_ragged, c, "feature_list_ragged_value_types"));
    }
    if (batch.rank == 1) SL_TRY(sl_infer_add(&n_splits, c, batch.dims[0], 1));
    SL_TRY(check_length(c, n_context, "context_sparse_types"));
    SL_TRY(check_length(c, n_lists, "feature_list_sparse_types"));
    SL_TRY(put_sparse(&o, n_context, rank));
    SL_TRY(put_dense(&o, batch, "context_dense_shapes"));
    SL_TRY(put_vectors(&o, n_ragged, -1));
    SL_TRY(put_vectors(&o, n_ragged, n_splits));
    SL_TRY(put_sparse(&o, n_lists, rank < 0 ? -1 : rank + 1));
    SL_TRY(sl_infer_append(&rows, c, batch, -1));
    SL_TRY(put_dense(&o, rows, "feature_list_dense_shapes"));
    SL_TRY(sl_infer_shape_list(&dense, &n_dense, c, "feature_list_dense_shapes"));
    for (int i = 0; has_lengths && i < n_dense; i++) SL_TRY(put(&o, batch));
    SL_TRY(put_vectors(&o, n_list_ragged, -1));
    SL_TRY(put_vectors(&o, n_list_ragged, n_splits));
    return put_vectors(&o, n_list_ragged, -1);
}

sl_code sl_shape_parse_single_sequence(struct sl_shape_ctx *c) {
    struct sl_shape missing;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(sl_infer_with_rank(&missing, c, sl_infer_in(c, 1), 1));
    return put_sequence(c, SL_SHAPE_SCALAR, false, false);
}

sl_code sl_shape_parse_sequence(struct sl_shape_ctx *c) {
    struct sl_shape batch;
    SL_TRY(sl_infer_with_rank(&batch, c, sl_infer_in(c, 0), 1));
    return put_sequence(c, batch, true, false);
}

sl_code sl_shape_parse_sequence_v2(struct sl_shape_ctx *c) {
    struct sl_shape batch, names;
    SL_TRY(sl_infer_with_rank_at_most(&batch, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_with_rank_at_most(&names, c, sl_infer_in(c, 1), 1));
    return put_sequence(c, batch, true, true);
}
