/* Graphs as pictures on stdout. */
#ifndef SLUICE_CLI_PICTURE_H
#define SLUICE_CLI_PICTURE_H

#include "tensorflow/c/c_api.h"

void print_dot(TF_Graph *graph);
void print_svg(TF_Graph *graph);

#endif
