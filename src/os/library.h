/* Dynamic libraries. Thread-safe. */
#ifndef SL_OS_LIBRARY_H
#define SL_OS_LIBRARY_H

#include <stddef.h>

#include "base/error.h"

struct sl_library {
    void *handle; /* NULL: not open */
};

/* Loads the library at `path` (a bare name is searched as the system does). NOT_FOUND with the loader's own words. */
sl_code sl_library_open(struct sl_library *library, const char *path, struct sl_error *err);
/* Looks up `name`: NOT_FOUND when it is not there. `*symbol` is borrowed from the library. */
sl_code sl_library_symbol(void **symbol, const struct sl_library *library, const char *name, struct sl_error *err);
/* Unloads. Harmless on a library that is not open. */
void sl_library_close(struct sl_library *library);

/* The path of a file called `name` beside the library (or program) that this code is in: in the folder that it was
 * loaded from or, when there is no such file and it was loaded through a link, in the folder where the link leads.
 * Nobody looks whether the file exists in the end. NOT_FOUND when the folder is not known. */
sl_code sl_library_beside(char *path, size_t size, const char *name, struct sl_error *err);
/* Keeps the library that this code is in loaded until the process ends: for who gives its functions to libraries
 * that stay. */
void sl_library_stay(void);

#endif
