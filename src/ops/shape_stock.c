/* Shape functions that rows of many families share. */
#include "ops/shape_ctx.h"

sl_code sl_shape_unknown_shape(struct sl_shape_ctx *c) {
    (void)c; /* outputs start unknown */
    return SL_OK;
}

sl_code sl_shape_unchanged_shape(struct sl_shape_ctx *c) {
    SL_TRY(sl_infer_set(c, 0, sl_infer_in(c, 0)));
    return sl_infer_copy_handle(c, 0, 0);
}

sl_code sl_shape_scalar_shape(struct sl_shape_ctx *c) {
    for (int o = 0; o < c->n_out; o++) SL_TRY(sl_infer_set(c, o, SL_SHAPE_SCALAR));
    return SL_OK;
}

sl_code sl_shape_no_outputs(struct sl_shape_ctx *c) {
    (void)c;
    return SL_OK;
}

sl_code sl_shape_broadcast_binary_shape(struct sl_shape_ctx *c) {
    struct sl_shape out;
    SL_TRY(sl_infer_broadcast(&out, c, sl_infer_in(c, 0), sl_infer_in(c, 1)));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_merge_binary_shape(struct sl_shape_ctx *c) {
    struct sl_shape out;
    SL_TRY(sl_infer_merge(&out, c, sl_infer_in(c, 0), sl_infer_in(c, 1)));
    return sl_infer_set(c, 0, out);
}
