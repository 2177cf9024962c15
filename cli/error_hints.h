/* What the graph says of a node that failed, which the library's message does not: where it was made, what it reads, in which
 * functions it is, and what would be right where the cause is a common one. One thread. */
#ifndef SLUICE_CLI_ERROR_HINTS_H
#define SLUICE_CLI_ERROR_HINTS_H

#include "sluice/explain.h"

/* After a run that failed, on stderr; nothing when the message names no node. `path` is that of the graph. */
void hint_error(const TF_Status *status, TF_Graph *graph, const char *path);
/* The lines that made the nodes, as far as files say; NULL: they do not, or cannot be read. The caller's. */
struct sl_source_lines *read_source_lines(const char *path);

#endif
