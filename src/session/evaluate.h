/* Running single nodes on known values, for the constants that shape inference and TF_TryEvaluateConstant ask for. */
#ifndef SL_SESSION_EVALUATE_H
#define SL_SESSION_EVALUATE_H

#include "session/session.h"

/* An evaluator for graphs of this runtime (sl_graph.evaluator); `runtime` must outlive it. Stateless kernels alone: everything else, and every
 * error, means that the value is not known. Thread-safe. */
struct sl_evaluator sl_runtime_evaluator(struct sl_runtime *runtime);

#endif
