/* What a session tells of its steps: where a NaN came from.
 *
 *     TF_SessionOptions *options = TF_NewSessionOptions();
 *     sl_watch_numerics(options, SL_WATCH_NANS | SL_WATCH_INFINITIES);        -- before TF_NewSession
 *
 * The graph is the same as without. A session that does not watch does no work for it. */
#ifndef SLUICE_EXPLAIN_H
#define SLUICE_EXPLAIN_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sl_watched_numbers { SL_WATCH_NANS = 1, SL_WATCH_INFINITIES = 2 };

/* A step ends with INVALID_ARGUMENT at the first node that makes such a number out of inputs that have none, or whose
 * inputs are no numbers and that brings a NaN in (a variable, an iterator). The message says node, op and output; type,
 * shape and range of each input; the iteration of each loop around it; the nodes whose functions it is in; and, for a node
 * of a gradient by TensorFlow's naming, the node that is differentiated. Numbers that are fed or constant are not
 * looked at. `what`: a sum of enum sl_watched_numbers; 0, the default: as SLUICE_WATCH_NAN says, else nothing.
 *
 * Nodes are not fused while numbers are watched, so that each is told by its name. */
SL_API void sl_watch_numerics(TF_SessionOptions *options, unsigned what);

#ifdef __cplusplus
}
#endif

#endif
