/* Shape functions of tensor lists and maps. A list is a scalar variant; its handle data are type and shape of an
 * element. Element shapes as inputs are vectors, or a scalar -1 for "unknown". */
#include "ops/shape_functions.h"

/* What is known of the elements of list input `i`; their type must be that of attr element_dtype. */
static sl_code element_of(struct sl_shape *out, struct sl_shape_ctx *c, int i, const char *what) {
    int dtype;
    *out = SL_SHAPE_UNKNOWN;
    SL_TRY(sl_infer_type(&dtype, c, "element_dtype"));
    if (!c->in_handles || c->in_handles[i].n == 0) return SL_OK;
    if (c->in_handles[i].n != 1) return sl_infer_fail(c, "Trying to %s list with wrong variant data.", what);
    const struct sl_handle_item *item = &c->in_handles[i].items[0];
    if (item->dtype != dtype)
        return sl_infer_fail(
            c,
            "Trying to %s list with wrong element dtype. List has type %s but trying to %s element with "
            "type %s",
            what, sl_dtype_name(item->dtype), what, sl_dtype_name(dtype));
    *out = item->shape;
    return SL_OK;
}

/* The same, and what input `shape_at` says of it. */
static sl_code element_with(struct sl_shape *out, struct sl_shape_ctx *c, int i, const char *what, int shape_at) {
    struct sl_shape given;
    SL_TRY(element_of(out, c, i, what));
    SL_TRY(sl_infer_shape_of_tensor(&given, c, shape_at));
    return sl_infer_merge(out, c, *out, given);
}

static sl_code set_list(struct sl_shape_ctx *c, int o, struct sl_shape element) {
    int dtype;
    SL_TRY(sl_infer_type(&dtype, c, "element_dtype"));
    SL_TRY(sl_infer_set(c, o, SL_SHAPE_SCALAR));
    return sl_infer_set_handle(c, o, dtype, element);
}

/* ---- making */
/* Input 0 is the element shape. */
sl_code sl_shape_list_new(struct sl_shape_ctx *c) {
    struct sl_shape element;
    SL_TRY(sl_infer_shape_of_tensor(&element, c, 0));
    return set_list(c, 0, element);
}

sl_code sl_shape_list_from_tensor(struct sl_shape_ctx *c) {
    struct sl_shape rows, element;
    SL_TRY(sl_infer_shape_of_tensor(&element, c, 1));
    SL_TRY(sl_infer_subshape(&rows, c, sl_infer_in(c, 0), 1, INT64_MAX));
    SL_TRY(sl_infer_merge(&rows, c, rows, element));
    return set_list(c, 0, element); /* as it was asked for, even when the rows say more */
}

/* Tensor, element shape, lengths: pieces of the first dim. */
sl_code sl_shape_list_split(struct sl_shape_ctx *c) {
    struct sl_shape element, tensor, piece, lengths;
    SL_TRY(sl_infer_with_rank(&lengths, c, sl_infer_in(c, 2), 1));
    SL_TRY(sl_infer_shape_of_tensor(&element, c, 1));
    SL_TRY(sl_infer_with_rank_at_least(&tensor, c, sl_infer_in(c, 0), 1));
    piece = element;
    if (piece.rank > 0) SL_TRY(sl_infer_replace_dim(&piece, c, piece, 0, -1));
    SL_TRY(sl_infer_merge(&piece, c, tensor, piece));
    return set_list(c, 0, element);
}

/* Tensor, indices, element shape. */
sl_code sl_shape_list_scatter(struct sl_shape_ctx *c) {
    struct sl_shape element;
    SL_TRY(sl_infer_shape_of_tensor(&element, c, 2));
    return set_list(c, 0, element);
}

/* ---- changing */
sl_code sl_shape_list_push(struct sl_shape_ctx *c) {
    struct sl_shape element;
    SL_TRY(element_of(&element, c, 0, "push to")); /* the new element is not looked at */
    return set_list(c, 0, element);
}

sl_code sl_shape_list_pop(struct sl_shape_ctx *c) {
    struct sl_shape element;
    SL_TRY(element_of(&element, c, 0, "read from"));
    SL_TRY(set_list(c, 0, element));
    return sl_infer_set(c, 1, element);
}

/* Whether the item is of the list's type shows when it runs. */
sl_code sl_shape_list_set_item(struct sl_shape_ctx *c) {
    struct sl_shape merged;
    if (!c->in_handles || c->in_handles[0].n == 0) return set_list(c, 0, SL_SHAPE_UNKNOWN);
    if (c->in_handles[0].n != 1) return sl_infer_fail(c, "Trying to write to list with wrong variant data.");
    const struct sl_handle_item *item = &c->in_handles[0].items[0];
    SL_TRY(sl_infer_merge(&merged, c, item->shape, sl_infer_in(c, 2)));
    SL_TRY(sl_infer_set(c, 0, SL_SHAPE_SCALAR));
    return sl_infer_set_handle(c, 0, item->dtype, item->shape);
}

sl_code sl_shape_list_scatter_into(struct sl_shape_ctx *c) {
    struct sl_shape element, rows, indices;
    SL_TRY(sl_infer_with_rank(&indices, c, sl_infer_in(c, 2), 1));
    SL_TRY(element_of(&element, c, 0, "write to"));
    SL_TRY(sl_infer_with_rank_at_least(&rows, c, sl_infer_in(c, 1), 1));
    return set_list(c, 0, element);
}

/* The list with another length. */
sl_code sl_shape_list_resize(struct sl_shape_ctx *c) {
    SL_TRY(sl_infer_check_scalars(c, 1, 1));
    SL_TRY(sl_infer_set(c, 0, SL_SHAPE_SCALAR));
    return sl_infer_copy_handle(c, 0, 0);
}

/* A row of the tensor for each list of a vector of lists. */
sl_code sl_shape_list_push_batch(struct sl_shape_ctx *c) {
    struct sl_shape lists, values, element;
    int64_t n;
    int dtype;
    SL_TRY(sl_infer_with_rank(&lists, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_with_rank_at_least(&values, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_merge_dim(&n, c, lists.dims[0], sl_infer_dim(values, 0)));
    SL_TRY(element_of(&element, c, 0, "push to"));
    SL_TRY(sl_infer_type(&dtype, c, "element_dtype"));
    SL_TRY(sl_infer_set_dims(c, 0, 1, &n));
    return sl_infer_set_handle(c, 0, dtype, element);
}

sl_code sl_shape_list_concat_lists(struct sl_shape_ctx *c) {
    struct sl_shape lists, a, b;
    int dtype;
    SL_TRY(sl_infer_merge(&lists, c, sl_infer_in(c, 0), sl_infer_in(c, 1)));
    SL_TRY(element_of(&a, c, 0, "concatenate"));
    SL_TRY(element_of(&b, c, 1, "concatenate"));
    SL_TRY(sl_infer_merge(&a, c, a, b));
    SL_TRY(sl_infer_type(&dtype, c, "element_dtype"));
    SL_TRY(sl_infer_set(c, 0, lists));
    return sl_infer_set_handle(c, 0, dtype, a);
}

/* ---- reading */
sl_code sl_shape_list_get_item(struct sl_shape_ctx *c) {
    struct sl_shape element;
    SL_TRY(element_with(&element, c, 0, "read from", 2));
    return sl_infer_set(c, 0, element);
}

sl_code sl_shape_list_stack(struct sl_shape_ctx *c) {
    struct sl_shape element, out;
    int64_t n;
    SL_TRY(sl_infer_int(&n, c, "num_elements"));
    SL_TRY(element_with(&element, c, 0, "read from", 1));
    SL_TRY(sl_infer_prepend(&out, c, n, element));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_list_gather(struct sl_shape_ctx *c) {
    struct sl_shape element, out;
    SL_TRY(element_with(&element, c, 0, "read from", 2));
    SL_TRY(sl_infer_concat(&out, c, sl_infer_in(c, 1), element));
    return sl_infer_set(c, 0, out);
}

static sl_code set_concat(struct sl_shape_ctx *c, struct sl_shape element) {
    struct sl_shape rows, out;
    SL_TRY(sl_infer_subshape(&rows, c, element, 1, INT64_MAX));
    SL_TRY(sl_infer_prepend(&out, c, -1, rows));
    SL_TRY(sl_infer_set(c, 0, out));
    return sl_infer_set_dims(c, 1, 1, (int64_t[]){-1});
}

/* Elements may differ in their first dim. */
sl_code sl_shape_list_concat(struct sl_shape_ctx *c) {
    struct sl_shape element, given;
    SL_TRY(element_of(&element, c, 0, "read from"));
    SL_TRY(sl_infer_shape_attr(&given, c, "element_shape"));
    SL_TRY(sl_infer_merge(&element, c, element, given));
    return set_concat(c, element);
}

sl_code sl_shape_list_concat_v2(struct sl_shape_ctx *c) {
    struct sl_shape element;
    SL_TRY(element_with(&element, c, 0, "read from", 1));
    return set_concat(c, element);
}

sl_code sl_shape_list_element_shape(struct sl_shape_ctx *c) {
    struct sl_shape element;
    SL_TRY(sl_infer_held(&element, c, 0, NULL));
    return element.rank >= 0 ? sl_infer_set_dims(c, 0, 1, (int64_t[]){element.rank}) : SL_OK;
}
