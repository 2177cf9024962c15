/* What of src/ops/scatter.def has no gradient. */
#include "grad/words.h"

RULES(scatter) = {
    /* clang-format off */
    NO_GRAD(ScatterAdd) NO_GRAD(ScatterDiv) NO_GRAD(ScatterMul) NO_GRAD(ScatterNdAdd) NO_GRAD(ScatterNdSub)
    NO_GRAD(ScatterNdUpdate) NO_GRAD(ScatterSub)
    UNDEFINED(ScatterMax) UNDEFINED(ScatterMin) UNDEFINED(ScatterNdMax) UNDEFINED(ScatterNdMin) UNDEFINED(ScatterUpdate)
    RULES_END
    /* clang-format on */
};
