/* Shape functions of collective communication. */
#include "ops/shape_functions.h"

/* The members' tensors one behind the other in the first dim. */
sl_code sl_shape_collective_gather(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), out;
    int64_t size, n;
    SL_TRY(sl_infer_int(&size, c, "group_size"));
    if (in.rank <= 0) return in.rank < 0 ? SL_OK : sl_infer_set_dims(c, 0, 1, &size);
    SL_TRY(sl_infer_multiply(&n, c, in.dims[0], size));
    SL_TRY(sl_infer_replace_dim(&out, c, in, 0, n));
    return sl_infer_set(c, 0, out);
}
