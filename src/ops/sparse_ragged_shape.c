/* Shape functions of ragged tensors: values, and splits of their first dim into rows for each ragged dim. */
#include <inttypes.h>

#include "ops/attr.h"
#include "ops/shape_functions.h"

SL_SHAPE_RULE(ragged_fill_empty_rows, "[n] [n] [] [] -> [?] [?] [?] [n]")

/* Starts, limits, deltas: single values go with vectors. */
sl_code sl_shape_ragged_range(struct sl_shape_ctx *c) {
    int64_t n = -1;
    bool are_scalars = true;
    for (int i = 0; i < 3; i++) {
        struct sl_shape s;
        SL_TRY(sl_infer_with_rank_at_most(&s, c, sl_infer_in(c, i), 1));
        if (s.rank != 0) are_scalars = false;
        if (s.rank == 1) SL_TRY(sl_infer_merge_dim(&n, c, n, s.dims[0]));
    }
    if (are_scalars) n = 1;
    if (n >= 0) SL_TRY(sl_infer_add(&n, c, n, 1));
    SL_TRY(sl_infer_set_dims(c, 0, 1, &n));
    return sl_infer_set_dims(c, 1, 1, (int64_t[]){-1});
}

/* Splits, then values: a scalar, or a scalar for each row. */
sl_code sl_shape_ragged_to_variant(struct sl_shape_ctx *c) {
    struct sl_shape s;
    bool is_batched;
    SL_TRY(sl_infer_bool(&is_batched, c, "batched_input"));
    for (int i = 0; i + 1 < c->n_in; i++) SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 1));
    if (c->n_in > 1) SL_TRY(sl_infer_with_rank_at_least(&s, c, sl_infer_in(c, c->n_in - 1), 1));
    if (!is_batched) return sl_infer_set(c, 0, SL_SHAPE_SCALAR);
    struct sl_shape splits = sl_infer_in(c, 0);
    int64_t rows = -1;
    if (c->n_in > 1) {
        SL_TRY(sl_infer_with_rank_at_least(&splits, c, splits, 1));
        SL_TRY(sl_infer_subtract(&rows, c, sl_infer_dim(splits, 0), 1));
    } else if (splits.rank > 0) {
        rows = splits.dims[0];
    }
    return sl_infer_set_dims(c, 0, 1, &rows);
}

/* Splits and values; the variants' dims become ragged ones. */
sl_code sl_shape_ragged_from_variant(struct sl_shape_ctx *c) {
    struct sl_shape s;
    int64_t inside, all;
    SL_TRY(sl_infer_int(&inside, c, "input_ragged_rank"));
    SL_TRY(sl_infer_int(&all, c, "output_ragged_rank"));
    if (inside >= 0 && sl_infer_in(c, 0).rank >= 0) {
        if (all < inside || all - inside > SL_MAX_RANK)
            return sl_infer_fail(c, "output_ragged_rank must not be smaller than input_ragged_rank");
        SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, 0), (int)(all - inside)));
    }
    for (int o = 0; o + 1 < c->n_out; o++) SL_TRY(sl_infer_set_dims(c, o, 1, (int64_t[]){-1}));
    return SL_OK;
}

/* Splits, then values: every value becomes an element. */
sl_code sl_shape_ragged_to_sparse(struct sl_shape_ctx *c) {
    struct sl_shape s, values;
    int n = c->n_in - 1;
    for (int i = 0; i < n; i++) SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 1));
    SL_TRY(sl_infer_with_rank_at_least(&values, c, sl_infer_in(c, n), 1));
    int64_t rank = values.rank < 0 ? -1 : values.rank + n, count = sl_infer_count(values);
    SL_TRY(sl_infer_set_dims(c, 0, 2, (int64_t[]){count, rank}));
    SL_TRY(sl_infer_set_dims(c, 1, 1, &count));
    return sl_infer_set_dims(c, 2, 1, &rank);
}

/* Ragged dims that row partitions of these types give. A size in front stands for none. */
static sl_code count_ragged_dims(int *out, struct sl_shape_ctx *c) {
    const struct sl_str *types;
    int n;
    SL_TRY(sl_attr_string_list(&types, &n, c->attrs, "row_partition_types", c->err));
    for (int i = 0; i < n; i++)
        if (!sl_str_is(types[i], "FIRST_DIM_SIZE") && !sl_str_is(types[i], "VALUE_ROWIDS") &&
            !sl_str_is(types[i], "ROW_SPLITS"))
            return sl_infer_fail(c, "Unknown string for partition info type: %.*s", SL_STR_ARG(types[i]));
    *out = n > 0 && sl_str_is(types[0], "FIRST_DIM_SIZE") ? n - 1 : n;
    for (int i = 0; i < n; i++) { /* a size is a scalar, what else there is are vectors */
        struct sl_shape s = sl_infer_in(c, 3 + i);
        bool is_size = i == 0 && *out < n;
        if (s.rank >= 0 && s.rank != !is_size)
            return sl_infer_fail(c, is_size ? "First dimension size must be a scalar."
                                            : "Row partition must be a vector.");
    }
    return SL_OK;
}

/* The default fills rows up: it is like the end of a value, or broadcasts to it. */
static sl_code check_default(struct sl_shape_ctx *c, struct sl_shape value, struct sl_shape given) {
    char text[2][SL_SHAPE_TEXT];
    if (value.rank < 0 || given.rank < 0) return SL_OK;
    sl_shape_text(text[0], given);
    sl_shape_text(text[1], value);
    if (given.rank >= value.rank)
        return sl_infer_fail(c,
                             "default_value.shape=%s and rt_input.flat_values.shape=%s are incompatible: "
                             "default_value.rank = %d  must be less than rt_input.flat_values.rank = %d",
                             text[0], text[1], given.rank, value.rank);
    for (int i = given.rank; i > 0; i--) {
        int64_t a = sl_infer_dim(given, -i), b = sl_infer_dim(value, -i);
        if (a >= 0 && b >= 0 && a != 1 && a != b)
            return sl_infer_fail(c,
                                 "default_value.shape=%s and rt_input.flat_values.shape=%s are incompatible: "
                                 "default_value.shape[%d] = %" PRId64 " but rt_input.flat_values.shape[%d] = %" PRId64,
                                 text[0], text[1], -i, a, -i, b);
    }
    return SL_OK;
}

/* Shape, values, default, row partitions. */
sl_code sl_shape_ragged_to_tensor(struct sl_shape_ctx *c) {
    struct sl_shape asked, values = sl_infer_in(c, 1), whole, rest;
    int n_ragged = 0;
    SL_TRY(sl_infer_shape_of_tensor(&asked, c, 0));
    SL_TRY(count_ragged_dims(&n_ragged, c));
    SL_TRY(check_default(c, values, sl_infer_in(c, 2)));
    if (values.rank < 0) return sl_infer_set(c, 0, asked);
    SL_TRY(sl_infer_subshape(&rest, c, values, 1, INT64_MAX));
    SL_TRY(sl_infer_concat(&whole, c, sl_infer_unknown_of_rank(c, n_ragged + 1), rest));
    if (asked.rank >= 0 && asked.rank != whole.rank) {
        char text[SL_SHAPE_TEXT];
        return sl_infer_fail(c, "rt_input.shape and shape=%s are incompatible: rt_input.rank = %d but shape.rank = %d",
                             sl_shape_text(text, asked), whole.rank, asked.rank);
    }
    for (int i = 0; i < asked.rank; i++) {
        char text[SL_SHAPE_TEXT];
        if (asked.dims[i] >= 0 && whole.dims[i] >= 0 && asked.dims[i] != whole.dims[i])
            return sl_infer_fail(c,
                                 "rt_input.shape and shape=%s are incompatible: rt_input.shape[%d] = %" PRId64
                                 " but shape[%d] = %" PRId64,
                                 sl_shape_text(text, asked), i, whole.dims[i], i, asked.dims[i]);
    }
    SL_TRY(sl_infer_merge(&whole, c, asked, whole));
    return sl_infer_set(c, 0, whole);
}

/* Splits, values, indices: splits and values of the rows gathered. */
sl_code sl_shape_ragged_gather(struct sl_shape_ctx *c) {
    struct sl_shape s, values, out;
    int n = c->n_in - 2;
    for (int i = 0; i < n; i++) SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 1));
    SL_TRY(sl_infer_with_rank_at_least(&values, c, sl_infer_in(c, n), 1));
    if (c->n_out - n < 0) return sl_infer_fail(c, "OUTPUT_RAGGED_RANK must be at least PARAMS_RAGGED_RANK - 1");
    SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, n + 1), c->n_out - n));
    for (int o = 0; o + 1 < c->n_out; o++) SL_TRY(sl_infer_set_dims(c, o, 1, (int64_t[]){-1}));
    SL_TRY(sl_infer_subshape(&out, c, values, 1, INT64_MAX));
    SL_TRY(sl_infer_prepend(&out, c, -1, out));
    return sl_infer_set(c, c->n_out - 1, out);
}

/* Ragged values and splits, sparse tensors, dense rows; what has a batch must have the same. */
sl_code sl_shape_ragged_cross(struct sl_shape_ctx *c) {
    int64_t splits = -1;
    int first, n, n_splits = 0, n_values = 0;
    if (sl_infer_arg(&first, &n, c, "ragged_values")) n_values = n;
    if (sl_infer_arg(&first, &n, c, "ragged_row_splits")) n_splits = n;
    if (n_values != n_splits) return sl_infer_fail(c, "ragged values and splits must have the same length.");
    if (sl_infer_arg(&first, &n, c, "sparse_values")) n_values = n;
    if (sl_infer_arg(&first, &n, c, "sparse_indices") && n != n_values)
        return sl_infer_fail(c, "sparse indices and values must have the same length");
    if (sl_infer_arg(&first, &n, c, "ragged_row_splits"))
        for (int i = 0; i < n; i++) {
            struct sl_shape s;
            SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, first + i), 1));
            SL_TRY(sl_infer_merge_dim(&splits, c, splits, s.dims[0]));
        }
    if (sl_infer_arg(&first, &n, c, "dense_inputs"))
        for (int i = 0; i < n; i++) {
            struct sl_shape s;
            int64_t rows;
            s = sl_infer_in(c, first + i);
            if (s.rank >= 0 && s.rank != 2) return sl_infer_fail(c, "tf.ragged.cross only supports inputs with rank=2");
            if (s.rank < 0 || s.dims[0] < 0) continue;
            SL_TRY(sl_infer_add(&rows, c, s.dims[0], 1));
            SL_TRY(sl_infer_merge_dim(&splits, c, splits, rows));
        }
    SL_TRY(sl_infer_set_dims(c, 0, 1, (int64_t[]){-1}));
    return sl_infer_set_dims(c, 1, 1, &splits);
}
