/* Shape functions of batch and local response normalisation. */
#include "ops/attr.h"
#include "ops/shape_functions.h"

/* The layouts of FusedBatchNormV3 have 4 or 5 dims; channels are dim 1 or the last. */
static sl_code read_input(struct sl_shape *x, int *depth_at, struct sl_shape_ctx *c, int at) {
    struct sl_str format;
    SL_TRY(sl_infer_string(&format, c, "data_format"));
    int rank = sl_str_is(format, "NDHWC") || sl_str_is(format, "NCDHW") ? 5 : 4;
    SL_TRY(sl_infer_with_rank(x, c, sl_infer_in(c, at), rank));
    *depth_at = sl_str_starts(format, SL_STR("NC")) ? 1 : rank - 1;
    return SL_OK;
}

static sl_code merge_vectors(int64_t *depth, struct sl_shape_ctx *c, int first, int end) {
    for (int i = first; i < end; i++) {
        struct sl_shape s;
        SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, i), 1));
        SL_TRY(sl_infer_merge_dim(depth, c, *depth, s.dims[0]));
    }
    return SL_OK;
}

sl_code sl_shape_fused_batch_norm(struct sl_shape_ctx *c) {
    struct sl_shape x;
    int depth_at;
    bool is_training;
    SL_TRY(read_input(&x, &depth_at, c, 0));
    SL_TRY(sl_infer_bool(&is_training, c, "is_training"));
    int64_t depth = x.dims[depth_at];
    SL_TRY(merge_vectors(&depth, c, 1, is_training ? 3 : 5)); /* means and variances may be empty while training */
    SL_TRY(sl_infer_replace_dim(&x, c, x, depth_at, depth));
    SL_TRY(sl_infer_set(c, 0, x));
    for (int o = 1; o < 5; o++) SL_TRY(sl_infer_set_dims(c, o, 1, &depth));
    return SL_OK;
}

sl_code sl_shape_fused_batch_norm_grad(struct sl_shape_ctx *c) {
    struct sl_shape y, x;
    int depth_at;
    SL_TRY(read_input(&y, &depth_at, c, 0));
    SL_TRY(read_input(&x, &depth_at, c, 1));
    int64_t depth, none = 0;
    SL_TRY(sl_infer_merge_dim(&depth, c, y.dims[depth_at], x.dims[depth_at]));
    SL_TRY(merge_vectors(&depth, c, 2, 5));
    SL_TRY(sl_infer_replace_dim(&y, c, y, depth_at, depth));
    SL_TRY(sl_infer_set(c, 0, y));
    for (int o = 1; o < 5; o++) SL_TRY(sl_infer_set_dims(c, o, 1, o > 2 ? &none : &depth));
    return SL_OK;
}

SL_SHAPE_RULE(batch_norm_global, "[a,b,d,n] [n] [n] [n] [n] -> [a,b,d,n]")
SL_SHAPE_RULE(lrn_grad, "[a,b,d,n] [a,b,d,n] [a,b,d,n] -> [a,b,d,n]")

sl_code sl_shape_batch_norm_global_grad(struct sl_shape_ctx *c) {
    struct sl_shape t, backprop;
    SL_TRY(sl_infer_with_rank(&t, c, sl_infer_in(c, 0), 4));
    SL_TRY(sl_infer_with_rank(&backprop, c, sl_infer_in(c, 4), 4));
    SL_TRY(sl_infer_merge(&t, c, t, backprop));
    int64_t depth = t.dims[3];
    SL_TRY(merge_vectors(&depth, c, 1, 4));
    SL_TRY(sl_infer_replace_dim(&t, c, t, 3, depth));
    SL_TRY(sl_infer_set(c, 0, t));
    for (int o = 1; o < 5; o++) SL_TRY(sl_infer_set_dims(c, o, 1, &depth));
    return SL_OK;
}
