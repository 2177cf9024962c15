/* What of src/ops/pool.def has no gradient. */
#include "grad/words.h"

RULES(pool) = {
    /* clang-format off */
    UNDEFINED(FractionalAvgPoolGrad) UNDEFINED(FractionalMaxPoolGrad) UNDEFINED(MaxPoolGradGradV2)
    UNDEFINED(MaxPoolGradGradWithArgmax) UNDEFINED(MaxPoolGradWithArgmax)
    RULES_END
    /* clang-format on */
};
