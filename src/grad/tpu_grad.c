/* What of src/ops/tpu.def has no gradient. */
#include "grad/words.h"

RULES(tpu) = {
    /* clang-format off */
    NO_GRAD(TPUReplicatedInput)
    RULES_END
    /* clang-format on */
};
