/* Shape functions of assertions, printing, numeric checks. */
#include "ops/shape_functions.h"

sl_code sl_shape_print(struct sl_shape_ctx *c) {
    if (sl_infer_in(c, 0).rank > 0)
        return sl_infer_fail(c, "input must be a scalar, but has rank: %d", sl_infer_in(c, 0).rank);
    return SL_OK;
}
