/* Graphs as pictures on stdout. */
#ifndef SLUICE_CLI_PICTURE_H
#define SLUICE_CLI_PICTURE_H

#include <stdbool.h>

#include "tensorflow/c/c_api.h"

void print_dot(TF_Graph *graph);
void print_svg(TF_Graph *graph);
/* Text for XML, or else for a string of Graphviz. */
void put_escaped(const char *text, bool xml);

#endif
