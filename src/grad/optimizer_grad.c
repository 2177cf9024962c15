/* What of src/ops/optimizer.def has no gradient. */
#include "grad/words.h"

RULES(optimizer) = {
    /* clang-format off */
    NO_GRAD(SdcaOptimizer) NO_GRAD(SdcaOptimizerV2) NO_GRAD(SdcaShrinkL1)
    UNDEFINED(ApplyAdaMax) UNDEFINED(ApplyAdadelta) UNDEFINED(ApplyAdagrad) UNDEFINED(ApplyAdagradDA)
    UNDEFINED(ApplyAdagradV2) UNDEFINED(ApplyAdam) UNDEFINED(ApplyAddSign) UNDEFINED(ApplyCenteredRMSProp)
    UNDEFINED(ApplyFtrl) UNDEFINED(ApplyFtrlV2) UNDEFINED(ApplyGradientDescent) UNDEFINED(ApplyMomentum)
    UNDEFINED(ApplyPowerSign) UNDEFINED(ApplyProximalAdagrad) UNDEFINED(ApplyProximalGradientDescent)
    UNDEFINED(ApplyRMSProp) UNDEFINED(SparseApplyAdadelta) UNDEFINED(SparseApplyAdagrad) UNDEFINED(SparseApplyAdagradDA)
    UNDEFINED(SparseApplyAdagradV2) UNDEFINED(SparseApplyCenteredRMSProp) UNDEFINED(SparseApplyFtrl)
    UNDEFINED(SparseApplyFtrlV2) UNDEFINED(SparseApplyMomentum) UNDEFINED(SparseApplyProximalAdagrad)
    UNDEFINED(SparseApplyProximalGradientDescent) UNDEFINED(SparseApplyRMSProp)
    RULES_END
    /* clang-format on */
};
