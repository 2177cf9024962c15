/* Graphs as pictures on stdout. */
#ifndef SLUICE_CLI_PICTURE_H
#define SLUICE_CLI_PICTURE_H

#include <stdbool.h>

#include "tensorflow/c/c_api.h"

/* The graph with functions in place of what calls them (which changes it), "dot" or "svg"; of a signature, which may be
 * NULL or have no name, what its outputs need. */
struct sl_model_signature;
void show_picture(TF_Graph *graph, const struct sl_model_signature *signature, const char *form);
/* Text for XML, or else for a string of Graphviz. */
void put_escaped(const char *text, bool xml);

#endif
