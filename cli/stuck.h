/* What a run waits for: the sentences of the library (sl_explain_step), and where the nodes were made that they name. */
#ifndef SLUICE_CLI_STUCK_H
#define SLUICE_CLI_STUCK_H

#include "sluice/explain.h"

/* Prints on stderr; `sentences` are lines. `lines` may be NULL. */
void stuck_explain(const struct sl_source_lines *lines, const char *sentences);

#endif
