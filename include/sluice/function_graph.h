/* Looking into functions: their bodies as graphs, and a graph with the bodies in place of the calls. */
#ifndef SLUICE_FUNCTION_GRAPH_H
#define SLUICE_FUNCTION_GRAPH_H

#include <stdbool.h>

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The body of a function that the graph has, as a graph of its own, which knows the functions of `graph`: an `_Arg` for
 * each argument, a `_Retval` for each result, with the shapes that are known. The caller's, to be freed with
 * TF_DeleteGraph. NULL on failure: NOT_FOUND when there is no such function; INVALID_ARGUMENT when types of its body
 * depend on the caller. */
SL_API TF_Graph *sl_function_graph(TF_Graph *graph, const char *function, TF_Status *status);

/* Puts the bodies of functions in place of the nodes that call them, as each run does in a copy of its own, so that what
 * is in them can be fed, fetched and looked at. Node NODE of the function that CALL calls becomes "CALL/NODE". With
 * `control_flow` If, Case and While that are marked for it (TensorFlow's Python marks all) become Switch, Merge, Enter
 * and so on: nodes of theirs are "IF/then/NODE", "IF/else/NODE", "CASE/branch0/NODE", "WHILE/cond/NODE" and
 * "WHILE/body/NODE", of which those in a loop cannot be fetched. What cannot be put in place stays a call: recursion, and
 * state that is found by its node's name.
 *
 * Under the name of each call there is an IdentityN of its results, or a NoOp, afterwards. The operations that were there
 * before are gone: no TF_Operation of a call may be used any more. Sessions of the graph go on, from their next run with
 * what is there now. Memory running out is RESOURCE_EXHAUSTED, after which the graph can only be deleted. */
SL_API void sl_graph_inline(TF_Graph *graph, bool control_flow, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
