/* Dynamic libraries. Thread-safe. */
#ifndef SL_OS_LIBRARY_H
#define SL_OS_LIBRARY_H

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

#endif
