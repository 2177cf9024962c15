/* Shape functions of training updates. The arguments' names say what they are: a variable and its slots, which are
 * alike; hyperparameters, which are scalars; a gradient like the variable, or rows of one when there are indices.
 * Variables by resource are known by what they hold. */
#include "ops/op.h"
#include "ops/shape_functions.h"

static bool is_one_of(struct sl_str name, const char *const *names) {
    for (; *names; names++)
        if (sl_str_is(name, *names)) return true;
    return false;
}

static struct sl_shape held_or_own(struct sl_shape_ctx *c, int i) {
    if (c->in_types[i] != SL_RESOURCE) return sl_infer_in(c, i);
    return c->in_handles && c->in_handles[i].n > 0 ? c->in_handles[i].items[0].shape : SL_SHAPE_UNKNOWN;
}

/* Rows of a gradient, one for each index. Of a variable by resource they are not looked at. */
static sl_code merge_rows(struct sl_shape *variable, struct sl_shape_ctx *c, struct sl_shape rows, int indices_at) {
    struct sl_shape indices;
    int64_t n;
    SL_TRY(sl_infer_with_rank(&indices, c, sl_infer_in(c, indices_at), 1));
    if (c->in_types[0] == SL_RESOURCE) return SL_OK;
    SL_TRY(sl_infer_with_rank_at_least(&rows, c, rows, 1));
    SL_TRY(sl_infer_merge_dim(&n, c, indices.dims[0], sl_infer_dim(rows, 0)));
    SL_TRY(sl_infer_replace_dim(&rows, c, rows, 0, -1));
    return sl_infer_merge(variable, c, *variable, rows);
}

sl_code sl_shape_update(struct sl_shape_ctx *c) {
    static const char *const states[] = {"var",
                                         "accum",
                                         "accum_update",
                                         "m",
                                         "v",
                                         "vhat",
                                         "ms",
                                         "mom",
                                         "mg",
                                         "linear",
                                         "gradient_accumulator",
                                         "gradient_squared_accumulator",
                                         NULL};
    static const char *const gradients[] = {"grad", "delta", NULL};
    struct sl_shape variable = SL_SHAPE_UNKNOWN;
    int indices_at = -1, unchecked_at = -1, n;
    if (!sl_infer_arg(&indices_at, &n, c, "indices")) indices_at = -1;
    if (sl_infer_arg(&unchecked_at, &n, c, "l2_shrinkage"))
        unchecked_at++; /* a power behind a shrinkage may be anything */
    for (int i = 0; i < c->n_in && i < c->op->n_inputs; i++) {
        struct sl_str name = c->op->inputs[i].name;
        if (is_one_of(name, states)) SL_TRY(sl_infer_merge(&variable, c, variable, held_or_own(c, i)));
        else if (!is_one_of(name, gradients)) {
            if (i != indices_at && i != unchecked_at) SL_TRY(sl_infer_check_scalars(c, i, 1));
        } else if (indices_at >= 0) SL_TRY(merge_rows(&variable, c, sl_infer_in(c, i), indices_at));
        else SL_TRY(sl_infer_merge(&variable, c, variable, sl_infer_in(c, i)));
    }
    return c->n_out > 0 ? sl_infer_set(c, 0, variable) : SL_OK;
}
