/* Shape functions of queues, barriers, staging areas and accumulators. Old handles are pairs of strings by reference,
 * new ones scalar resources; accumulators have pairs. */
#include "ops/shape_functions.h"

SL_SHAPE_RULE(pair, "-> [2]")
SL_SHAPE_RULE(pair_close, "[2] ->")
SL_SHAPE_RULE(pair_size, "[2] -> []")
SL_SHAPE_RULE(barrier_insert, "[2] [n] [n,s...] ->")
SL_SHAPE_RULE(accumulator_set_step, "* [] ->")
SL_SHAPE_RULE(accumulator_apply, "* [] * ->")
SL_SHAPE_RULE(accumulator_apply_sparse, "* [] * * * ->")
SL_SHAPE_RULE(accumulator_take, "* [] -> *")
SL_SHAPE_RULE(accumulator_take_sparse, "* [] -> * * *")
