/* What of src/ops/string.def has no gradient. */
#include "grad/words.h"

RULES(string) = {
    /* clang-format off */
    NO_GRAD(AsString) NO_GRAD(DecodeBase64) NO_GRAD(EditDistance) NO_GRAD(EncodeBase64) NO_GRAD(ReduceJoin)
    NO_GRAD(RegexReplace) NO_GRAD(SdcaFprint) NO_GRAD(StringJoin) NO_GRAD(StringSplit) NO_GRAD(StringSplitV2)
    NO_GRAD(StringToHashBucket) NO_GRAD(StringToHashBucketFast) NO_GRAD(StringToHashBucketStrong)
    NO_GRAD(StringToNumber)
    RULES_END
    /* clang-format on */
};
