/* Shape functions of ops without a family. */
#include "ops/shape_functions.h"

SL_SHAPE_RULE(isotonic_regression, "x -> x x")
SL_SHAPE_RULE(fingerprint_pair, "[n] -> [n,2]")
