/* Shape functions of tensor arrays and stacks. A handle is a pair; its handle data are type and shape of an element. */
#include "ops/shape_functions.h"

/* ---- tensor arrays */
sl_code sl_shape_tensor_array(struct sl_shape_ctx *c) {
    struct sl_shape element;
    int dtype;
    bool are_alike;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(sl_infer_bool(&are_alike, c, "identical_element_shapes"));
    SL_TRY(sl_infer_type(&dtype, c, "dtype"));
    SL_TRY(sl_infer_shape_attr(&element, c, "element_shape"));
    SL_TRY(sl_infer_set_dims(c, 0, 1, (int64_t[]){2}));
    SL_TRY(sl_infer_set(c, 1, SL_SHAPE_SCALAR));
    return are_alike || sl_shape_is_known(element) ? sl_infer_set_handle(c, 0, dtype, element) : SL_OK;
}

SL_SHAPE_RULE(tensor_array_close, "[2] ->")
SL_SHAPE_RULE(tensor_array_size, "[2] * -> []")

static sl_code check_pair(struct sl_shape_ctx *c) {
    struct sl_shape handle;
    int64_t two;
    SL_TRY(sl_infer_with_rank(&handle, c, sl_infer_in(c, 0), 1));
    return sl_infer_with_value(&two, c, handle.dims[0], 2);
}

/* Handle, ..., flow: the inputs in between are checked by who calls. */
static sl_code check_handle(struct sl_shape_ctx *c) {
    SL_TRY(check_pair(c));
    return sl_infer_check_scalars(c, c->n_in - 1, 1);
}

sl_code sl_shape_tensor_array_grad(struct sl_shape_ctx *c) {
    SL_TRY(check_pair(c));
    SL_TRY(sl_infer_set_dims(c, 0, 1, (int64_t[]){2}));
    SL_TRY(sl_infer_set(c, 1, SL_SHAPE_SCALAR));
    return sl_infer_copy_handle(c, 0, 0);
}

/* Handle, flow, shape to put before the elements' shape. */
sl_code sl_shape_tensor_array_grad_with_shape(struct sl_shape_ctx *c) {
    struct sl_shape before, element;
    SL_TRY(check_pair(c));
    SL_TRY(sl_infer_set_dims(c, 0, 1, (int64_t[]){2}));
    SL_TRY(sl_infer_set(c, 1, SL_SHAPE_SCALAR));
    if (!c->in_handles || c->in_handles[0].n < 1) return SL_OK;
    SL_TRY(sl_infer_with_rank(&before, c, sl_infer_in(c, 2), 1)); /* its length counts, not what it holds */
    if (before.dims[0] > SL_MAX_RANK) return sl_infer_fail(c, "shape_to_prepend has too many dims");
    before = sl_infer_unknown_of_rank(c, (int)before.dims[0]);
    SL_TRY(sl_infer_concat(&element, c, before, c->in_handles[0].items[0].shape));
    return sl_infer_set_handle(c, 0, c->in_handles[0].items[0].dtype, element);
}

sl_code sl_shape_tensor_array_write(struct sl_shape_ctx *c) {
    struct sl_shape element;
    SL_TRY(check_handle(c));
    SL_TRY(sl_infer_check_scalars(c, 1, 1));
    SL_TRY(sl_infer_held(&element, c, 0, NULL));
    SL_TRY(sl_infer_merge(&element, c, element, sl_infer_in(c, 2)));
    return sl_infer_set(c, 0, SL_SHAPE_SCALAR);
}

sl_code sl_shape_tensor_array_read(struct sl_shape_ctx *c) {
    struct sl_shape element;
    SL_TRY(check_handle(c));
    SL_TRY(sl_infer_check_scalars(c, 1, 1));
    SL_TRY(sl_infer_held(&element, c, 0, NULL));
    return sl_infer_set(c, 0, element);
}

sl_code sl_shape_tensor_array_gather(struct sl_shape_ctx *c) {
    struct sl_shape indices, element, given, out;
    SL_TRY(check_handle(c));
    SL_TRY(sl_infer_with_rank(&indices, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_held(&element, c, 0, NULL));
    SL_TRY(sl_infer_shape_attr(&given, c, "element_shape"));
    if (!c->in_handles || c->in_handles[0].n < 1) element = given;
    SL_TRY(sl_infer_prepend(&out, c, indices.dims[0], element));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_tensor_array_scatter(struct sl_shape_ctx *c) {
    struct sl_shape indices, element, rows, value = sl_infer_in(c, 2);
    int64_t n;
    SL_TRY(check_handle(c));
    SL_TRY(sl_infer_with_rank(&indices, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_rank_at_least(&value, c, value, 1));
    SL_TRY(sl_infer_merge_dim(&n, c, indices.dims[0], sl_infer_dim(value, 0)));
    SL_TRY(sl_infer_held(&element, c, 0, NULL));
    SL_TRY(sl_infer_subshape(&rows, c, value, 1, INT64_MAX));
    SL_TRY(sl_infer_merge(&element, c, element, rows));
    return sl_infer_set(c, 0, SL_SHAPE_SCALAR);
}

SL_SHAPE_RULE(tensor_array_concat, "[2] [] -> * [?]")
SL_SHAPE_RULE(tensor_array_split, "[2] * [n] [] -> []")

/* ---- stacks */
SL_SHAPE_RULE(stack, "-> [2]")
SL_SHAPE_RULE(stack_v2, "* -> [2]")
SL_SHAPE_RULE(stack_push, "* x -> x")
