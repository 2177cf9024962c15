/* Shape functions of variables by reference and by resource. A resource's handle data say what the variable holds. */
#include "ops/shape_functions.h"

/* Old graphs write "unknown" as a scalar. */
sl_code sl_shape_variable(struct sl_shape_ctx *c) {
    struct sl_shape s;
    SL_TRY(sl_infer_shape_attr(&s, c, "shape"));
    return s.rank > 0 ? sl_infer_set(c, 0, s) : SL_OK;
}

sl_code sl_shape_assign(struct sl_shape_ctx *c) {
    bool is_checked;
    SL_TRY(sl_infer_bool(&is_checked, c, "validate_shape"));
    if (is_checked) return sl_shape_merge_binary_shape(c);
    return sl_infer_set(c, 0, sl_infer_in(c, 1));
}

sl_code sl_shape_count_up_to(struct sl_shape_ctx *c) {
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    return sl_infer_set(c, 0, SL_SHAPE_SCALAR);
}

/* ---- by resource */
sl_code sl_shape_var_handle(struct sl_shape_ctx *c) {
    struct sl_shape s;
    int dtype;
    SL_TRY(sl_infer_type(&dtype, c, "dtype"));
    SL_TRY(sl_infer_shape_attr(&s, c, "shape"));
    SL_TRY(sl_infer_set(c, 0, SL_SHAPE_SCALAR));
    return sl_infer_set_handle(c, 0, dtype, s);
}

/* A variable of variants knows what they stand for: the items behind the first. */
sl_code sl_shape_read_variable(struct sl_shape_ctx *c) {
    struct sl_shape s;
    SL_TRY(sl_infer_held(&s, c, 0, "dtype"));
    SL_TRY(sl_infer_set(c, 0, s));
    if (c->in_handles && c->in_handles[0].n > 1 && c->out_types[0] == SL_VARIANT)
        c->out_handles[0] = (struct sl_handle_data){c->in_handles[0].n - 1, c->in_handles[0].items + 1};
    return SL_OK;
}

sl_code sl_shape_assign_variable(struct sl_shape_ctx *c) {
    struct sl_shape held, merged;
    SL_TRY(sl_infer_held(&held, c, 0, "dtype"));
    return sl_infer_merge(&merged, c, held, sl_infer_in(c, 1));
}

sl_code sl_shape_variable_shape(struct sl_shape_ctx *c) {
    struct sl_shape held;
    SL_TRY(sl_infer_held(&held, c, 0, NULL));
    return sl_infer_set_dims(c, 0, 1, (int64_t[]){held.rank});
}

sl_code sl_shape_resource_count_up_to(struct sl_shape_ctx *c) {
    struct sl_shape held;
    if (!c->in_handles || c->in_handles[0].n < 1) return sl_infer_fail(c, "Handle has no shape/type information.");
    SL_TRY(sl_infer_held(&held, c, 0, "T"));
    SL_TRY(sl_infer_with_rank(&held, c, held, 0));
    return sl_infer_set(c, 0, held);
}
