/* What of src/ops/xla.def has no gradient. */
#include "grad/words.h"

RULES(xla) = {
    /* clang-format off */
    NO_GRAD(XlaVariadicReduce)
    UNDEFINED(XlaDynamicSlice) UNDEFINED(XlaDynamicUpdateSlice) UNDEFINED(XlaOptimizationBarrier)
    RULES_END
    /* clang-format on */
};
