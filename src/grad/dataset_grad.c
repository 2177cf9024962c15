/* What of src/ops/dataset.def has no gradient. */
#include "grad/words.h"

RULES(dataset) = {
    /* clang-format off */
    NO_GRAD(OptionalHasValue) NO_GRAD(OptionalNone) NO_GRAD(ReduceDataset)
    RULES_END
    /* clang-format on */
};
