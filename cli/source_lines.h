/* The lines of the programs that made the nodes of a graph, as far as files say: GraphDef.debug_info, or
 * debug/saved_model_debug_info.pb of a SavedModel. One thread. */
#ifndef SLUICE_CLI_SOURCE_LINES_H
#define SLUICE_CLI_SOURCE_LINES_H

#include "tensorflow/c/c_api.h"

struct source_line {
    char *node, *text; /* "FILE:LINE in FUNCTION" */
};
struct source_lines {
    struct source_line *items; /* sorted by node */
    size_t n;
};

/* Of a graph's file or a SavedModel; what is not there, or cannot be read, has no lines. */
void source_lines_read(struct source_lines *out, const char *path);
/* The line of a node, also of one within functions ("CALL/NODE"); NULL: not known. */
const char *source_line_of(const struct source_lines *lines, const char *node);
void source_lines_clear(struct source_lines *lines);

#endif
