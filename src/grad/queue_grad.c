/* What of src/ops/queue.def has no gradient. */
#include "grad/words.h"

RULES(queue) = {
    /* clang-format off */
    NO_GRAD(QueueClose) NO_GRAD(QueueCloseV2) NO_GRAD(QueueDequeue) NO_GRAD(QueueDequeueMany)
    NO_GRAD(QueueDequeueManyV2) NO_GRAD(QueueDequeueUpTo) NO_GRAD(QueueDequeueUpToV2) NO_GRAD(QueueDequeueV2)
    NO_GRAD(QueueEnqueue) NO_GRAD(QueueEnqueueMany) NO_GRAD(QueueEnqueueManyV2) NO_GRAD(QueueEnqueueV2)
    NO_GRAD(QueueSize) NO_GRAD(QueueSizeV2)
    UNDEFINED(ResourceAccumulatorTakeGradient)
    RULES_END
    /* clang-format on */
};
