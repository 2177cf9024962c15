/* Shape functions of functional control flow, calls, arguments. What functions give is not looked into here: the
 * graph does that where it knows the functions. */
#include "ops/attr.h"
#include "ops/shape_functions.h"

/* Attr output_shapes, when it is not empty; `*is_set` says whether it was. */
static sl_code set_output_shapes(bool *is_set, struct sl_shape_ctx *c) {
    const struct sl_shape *shapes;
    int n;
    SL_TRY(sl_infer_shape_list(&shapes, &n, c, "output_shapes"));
    *is_set = n > 0;
    if (n == 0) return SL_OK;
    if (n != c->n_out)
        return sl_infer_fail(c, "`output_shapes` must be the same length as num outputs (%d vs. %d)", n, c->n_out);
    for (int o = 0; o < n; o++) SL_TRY(sl_infer_set(c, o, shapes[o]));
    return SL_OK;
}

sl_code sl_shape_branches(struct sl_shape_ctx *c) {
    bool is_set;
    return set_output_shapes(&is_set, c);
}

sl_code sl_shape_while(struct sl_shape_ctx *c) {
    bool is_set;
    SL_TRY(set_output_shapes(&is_set, c));
    return is_set ? SL_OK : sl_shape_identity_n(c);
}

/* Gradients are like the first inputs; of a resource, like what it holds. */
sl_code sl_shape_symbolic_gradient(struct sl_shape_ctx *c) {
    if (c->n_in < c->n_out) return sl_infer_fail(c, "len(inputs) < len(outputs)");
    for (int o = 0; o < c->n_out; o++) {
        struct sl_shape s = sl_infer_in(c, o);
        if (c->in_types[o] == SL_RESOURCE) SL_TRY(sl_infer_held(&s, c, o, NULL));
        SL_TRY(sl_infer_set(c, o, s));
    }
    return SL_OK;
}

/* An argument's shape is in attr _output_shapes, when somebody wrote it there. */
sl_code sl_shape_arg(struct sl_shape_ctx *c) {
    const struct sl_shape *shapes;
    int n;
    if (!sl_attr_find(c->attrs, SL_STR("_output_shapes"))) return SL_OK;
    SL_TRY(sl_infer_shape_list(&shapes, &n, c, "_output_shapes"));
    return n > 0 ? sl_infer_set(c, 0, shapes[0]) : SL_OK;
}
