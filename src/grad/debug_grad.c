/* What passes its input on while it shows or copies it. */
#include "grad/words.h"

GRAD(Print) { g->dx[0] = g->dy[0]; }

RULES(debug) = {
    /* clang-format off */
    RULE(Print) RULE_OF(DebugGradientRefIdentity, Print) RULE_OF(DebugIdentityV2, Print) RULE_OF(_EagerConst, Print)
    RULE_OF(Copy, Print) RULE_OF(CopyHost, Print)
    NO_GRAD(Assert) NO_GRAD(Timestamp)
    UNDEFINED(DebugNumericSummaryV2)
    RULES_END
    /* clang-format on */
};
