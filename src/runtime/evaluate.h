/* Running single nodes on known values, for the constants that shape inference, folding and TF_TryEvaluateConstant
 * ask for. */
#ifndef SL_RUNTIME_EVALUATE_H
#define SL_RUNTIME_EVALUATE_H

#include "runtime/registries.h"

/* An evaluator for graphs (sl_graph.evaluator); `registries` must outlive it. Stateless kernels alone: everything
 * else, and every error, means that the value is not known. Thread-safe. */
struct sl_evaluator sl_registries_evaluator(const struct sl_registries *registries);

#endif
