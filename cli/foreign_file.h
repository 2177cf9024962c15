/* Files that are neither graphs nor SavedModels, but are taken for such. */
#ifndef SLUICE_CLI_FOREIGN_FILE_H
#define SLUICE_CLI_FOREIGN_FILE_H

#include <stdbool.h>

/* What the file is, and what to do with it: "a Keras model: ..."; NULL when it is none of those that are known here, or
 * is not there. Static. */
const char *foreign_file(const char *path);
/* Says so, when the file is a foreign one; then true. */
bool complain_foreign(const char *path);

#endif
