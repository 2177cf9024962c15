/* Graphs in files: binary (.pb) and text (.pbtxt). */
#ifndef SLUICE_GRAPH_FILE_H
#define SLUICE_GRAPH_FILE_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a file with a GraphDef or a MetaGraphDef, binary or text, and adds the nodes and functions of the graph to
 * `graph`, all or none. The function finds out by the contents what the file is. Errors name the file: NOT_FOUND,
 * PERMISSION_DENIED, INVALID_ARGUMENT with a byte offset or a line and column, and those of TF_GraphImportGraphDef.
 * `options` may be NULL. */
SL_API void sl_graph_read(TF_Graph *graph, const char *path, const TF_ImportGraphDefOptions *options,
                          TF_Status *status);
/* The graph of such a file as a binary GraphDef, also with what `sl_graph_read` does not keep, such as the lines of the
 * program that made it (GraphDef.debug_info). It is not checked. The caller's; NULL on failure. */
SL_API TF_Buffer *sl_graph_file_bytes(const char *path, TF_Status *status);
/* Writes a binary GraphDef to a file, as text when its name ends in ".pbtxt"; the file is whole, or as it was. */
SL_API void sl_graph_file_write(const char *path, const TF_Buffer *graph, TF_Status *status);
/* The output that is called `name`, "node:0" or, for output 0, "node": what a signature of a SavedModel says (struct
 * sl_model_port), or where a graph was loaded from a file. {NULL, 0} on failure: NOT_FOUND, INVALID_ARGUMENT. */
SL_API TF_Output sl_output_named(TF_Graph *graph, const char *name, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
