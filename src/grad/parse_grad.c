/* What of src/ops/parse.def has no gradient. */
#include "grad/words.h"

RULES(parse) = {
    /* clang-format off */
    NO_GRAD(DecodePaddedRaw) NO_GRAD(DecodeProtoV2) NO_GRAD(DecodeRaw) NO_GRAD(EncodeProto) NO_GRAD(ParseTensor)
    NO_GRAD(SerializeTensor)
    UNDEFINED(DecodeCSV) UNDEFINED(ParseExample) UNDEFINED(ParseExampleV2) UNDEFINED(ParseSequenceExample)
    UNDEFINED(ParseSequenceExampleV2) UNDEFINED(ParseSingleExample) UNDEFINED(ParseSingleSequenceExample)
    RULES_END
    /* clang-format on */
};
