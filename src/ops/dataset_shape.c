/* Shape functions of datasets, iterators and optionals. */
#include "ops/shape_functions.h"

/* What a scalar (a dataset, an iterator, an optional) gives: attr output_shapes says what it holds. */
sl_code sl_shape_declared_elements(struct sl_shape_ctx *c) {
    const struct sl_shape *shapes;
    int n;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(sl_infer_shape_list(&shapes, &n, c, "output_shapes"));
    if (n != c->n_out)
        return sl_infer_fail(c, "`output_shapes` must be the same length as `output_types` (%d vs. %d)", n, c->n_out);
    for (int o = 0; o < n; o++) SL_TRY(sl_infer_set(c, o, shapes[o]));
    return SL_OK;
}
