/* What of src/ops/collective.def has no gradient. */
#include "grad/words.h"

RULES(collective) = {
    /* clang-format off */
    UNDEFINED(CollectiveAllToAllV2) UNDEFINED(CollectiveAllToAllV3) UNDEFINED(CollectiveBcastSend)
    UNDEFINED(CollectiveBcastSendV2) UNDEFINED(CollectiveGather) UNDEFINED(CollectiveGatherV2)
    UNDEFINED(CollectiveReduce) UNDEFINED(CollectiveReduceScatterV2) UNDEFINED(CollectiveReduceV2)
    UNDEFINED(CollectiveReduceV3)
    RULES_END
    /* clang-format on */
};
