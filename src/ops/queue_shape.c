/* Shape functions of queues, barriers, staging areas and accumulators. Old handles are pairs of strings by reference, new
 * ones scalar resources. */
#include "ops/shape_functions.h"

SL_SHAPE_RULE(barrier_insert, "[2] [n] [n,s...] ->")
