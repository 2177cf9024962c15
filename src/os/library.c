/* Dynamic libraries over dlopen. */
#include "os/library.h"

#include <dlfcn.h>

sl_code sl_library_open(struct sl_library *library, const char *path, struct sl_error *err) {
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library->handle) return SL_OK;
    const char *words = dlerror();
    return sl_fail(err, SL_NOT_FOUND, "%s", words ? words : path);
}

sl_code sl_library_symbol(void **symbol, const struct sl_library *library, const char *name, struct sl_error *err) {
    if (!library->handle) return sl_fail(err, SL_FAILED_PRECONDITION, "library is not open; cannot look up %s", name);
    dlerror();
    void *found = dlsym(library->handle, name);
    const char *words = dlerror(); /* a symbol may be NULL; only dlerror tells */
    if (words) return sl_fail(err, SL_NOT_FOUND, "%s", words);
    *symbol = found;
    return SL_OK;
}

void sl_library_close(struct sl_library *library) {
    if (library->handle) dlclose(library->handle);
    library->handle = NULL;
}
