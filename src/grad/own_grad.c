/* What of src/ops/own.def has no gradient. */
#include "grad/words.h"

RULES(own) = {
    /* clang-format off */
    NO_GRAD(CompareAndBitpack) NO_GRAD(_CopyToDevice) NO_GRAD(_CopyToHost) NO_GRAD(_ElementwiseProgram) NO_GRAD(_FusedAttention)
    NO_GRAD(_FusedBatchMatMulV2) NO_GRAD(_Mish) NO_GRAD(_Silu) NO_GRAD(_TanhSoftplus)
    RULES_END
    /* clang-format on */
};
