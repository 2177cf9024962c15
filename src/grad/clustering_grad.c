/* What of src/ops/clustering.def has no gradient. */
#include "grad/words.h"

RULES(clustering) = {
    /* clang-format off */
    UNDEFINED(KmeansPlusPlusInitialization) UNDEFINED(NearestNeighbors)
    RULES_END
    /* clang-format on */
};
