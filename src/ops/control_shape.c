/* Shape functions of control flow by frames and dead tokens. */
#include "ops/shape_functions.h"

/* The data goes to every output; which one lives is decided by scalar input 1. */
sl_code sl_shape_switch(struct sl_shape_ctx *c) {
    SL_TRY(sl_infer_check_scalars(c, 1, 1));
    for (int o = 0; o < c->n_out; o++) {
        SL_TRY(sl_infer_set(c, o, sl_infer_in(c, 0)));
        SL_TRY(sl_infer_copy_handle(c, o, 0));
    }
    return SL_OK;
}

/* One of the inputs comes through: what all have in common. */
sl_code sl_shape_merge(struct sl_shape_ctx *c) {
    struct sl_shape all = sl_infer_in(c, 0);
    for (int i = 1; i < c->n_in; i++) all = sl_infer_common(c, all, sl_infer_in(c, i));
    SL_TRY(sl_infer_set(c, 0, all));
    return sl_infer_set(c, 1, SL_SHAPE_SCALAR);
}

sl_code sl_shape_ref_select(struct sl_shape_ctx *c) {
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    struct sl_shape first = sl_infer_in(c, 1);
    for (int i = 1; i < c->n_in; i++)
        if (!sl_shape_is_known(sl_infer_in(c, i)) || !sl_shape_equal(first, sl_infer_in(c, i))) return SL_OK;
    return sl_infer_set(c, 0, first);
}

/* What a loop variable becomes is not known; a constant stays as it is. */
sl_code sl_shape_enter(struct sl_shape_ctx *c) {
    bool is_constant;
    SL_TRY(sl_infer_bool(&is_constant, c, "is_constant"));
    if (is_constant) SL_TRY(sl_infer_set(c, 0, sl_infer_in(c, 0)));
    return sl_infer_copy_handle(c, 0, 0);
}

SL_SHAPE_RULE(loop_condition, "[] -> []")
