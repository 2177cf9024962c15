/* Graphs in files: binary (.pb) and text (.pbtxt). */
#ifndef SLUICE_GRAPH_FILE_H
#define SLUICE_GRAPH_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a GraphDef, or that of a MetaGraphDef, from a file and adds its nodes and functions to `graph`, all or none.
 * Which of these it is, and in which format, is seen from the contents. Errors name the file: NOT_FOUND,
 * PERMISSION_DENIED, INVALID_ARGUMENT with byte offset or line and column, and those of TF_GraphImportGraphDef.
 * `options` may be NULL. */
SL_API void sl_graph_read(TF_Graph *graph, const char *path, const TF_ImportGraphDefOptions *options,
                          TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
