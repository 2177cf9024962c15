/* What a session tells of its steps: where a NaN came from, what they wait for; what an error is about, and the lines of
 * the program that made the nodes of a graph.
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
 * Of nodes that are fused the one is named where the fusion is element-wise; what a later one of them takes away again
 * (Tanh of an infinity, say) is not seen. A fused convolution or product is named by its last node. */
SL_API void sl_watch_numerics(TF_SessionOptions *options, unsigned what);

/* What the steps that run in the session wait for at this moment: a sentence a line, and below it, behind two spaces, the
 * nodes of the graph that could end the wait, and whether they run, as in
 *
 *     node 'take' (QueueDequeueV2) waits on 'three', which is empty
 *       node 'put', which puts something in, is not part of this run, and there is no other
 *     loop 'while' goes round, 104501 iterations so far; node 'less' (Less) decides by 0 and 10
 *
 * Ask from another thread than the one that waits for the step. It takes 0.2 s when nothing waits. The buffer is the
 * caller's (TF_DeleteBuffer), its bytes end with a line feed, and it has none when no step runs. Of a session at a
 * server each task of ours is asked; with several tasks lines begin "at /job:worker/replica:0/task:1: ", and those that
 * have not answered within a second, or are TensorFlow's, are named. NULL on failure. Thread-safe. */
SL_API TF_Buffer *sl_explain_step(TF_Session *session, TF_Status *status);

/* ---- lines of programs, as far as a graph tells: "FILE:LINE in FUNCTION" for a node. Immutable. */
struct sl_source_lines;

/* Of debug/saved_model_debug_info.pb in the SavedModel with this path; of a graph's file GraphDef.debug_info, or MODEL.debug
 * beside MODEL.meta. There are none where the files have none. NULL on failure. The caller's. */
SL_API struct sl_source_lines *sl_source_lines_read(const char *path, TF_Status *status);
/* The same of a GraphDebugInfo. */
SL_API struct sl_source_lines *sl_source_lines_parse(const void *debug_info, size_t n, TF_Status *status);
/* The line that made a node, also of one within functions ("CALL/NODE"); NULL: not known. "NODE@FUNCTION" is the one of that
 * function, "NODE@" that of the graph itself, where several have a node of that name. Lives as long as `lines`, which may be
 * NULL. */
SL_API const char *sl_source_line_of(const struct sl_source_lines *lines, const char *node);
SL_API size_t sl_source_lines_count(const struct sl_source_lines *lines); /* nodes */
SL_API void sl_source_lines_free(struct sl_source_lines *lines);          /* NULL is fine */

/* What an error of a run of the graph's nodes, or of building it, is about: a sentence a line, as in
 *
 *     node 'f/sum' (AddV2) reads 'x:0' (float [?]), 'y:0' (float [3])
 *     it is in a function that is called by 'f' (PartitionedCall)
 *     it was made at net.py:12 in build
 *     it ran in iteration 3 of loop 'inner', in iteration 0 of loop 'outer'
 *     shapes are compared from the last axis on: two lengths must be equal, or one of them 1
 *
 * The node is the one that the message names, "{{node X}}" or "node 'X'"; the line comes from `lines`, which may be NULL;
 * the iterations, of which the first has number 0, from the status of the run, where they are the payload "sluice.place"; the
 * last sentence says what would be right, when the cause is a common one. Of an error of sl_watch_numerics the inputs of the
 * node are told. `graph` NULL: the last sentence alone, as of ops that run eagerly. `error` is not changed. The buffer is the
 * caller's, its lines end with a line feed, and it is empty where there is nothing to say. NULL on failure. */
SL_API TF_Buffer *sl_explain_error(TF_Graph *graph, const TF_Status *error, const struct sl_source_lines *lines,
                                   TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
