/* Dynamic libraries over dlopen. */
#include "os/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* ---- this library */

/* Its handle, and the name it was loaded by; NULL when the loader does not know it by that name, as a program's may
 * be. */
static void *open_self(Dl_info *info, int flags) {
    static const char inside;
    return dladdr(&inside, info) ? dlopen(info->dli_fname, RTLD_NOW | RTLD_NOLOAD | flags) : NULL;
}

void sl_library_stay(void) {
    Dl_info info;
    void *self = open_self(&info, RTLD_NODELETE);
    if (self) dlclose(self);
}

/* Its path; absolute even when the name that it was loaded by is relative to a folder which is no longer the current
 * one. */
static bool find_self(char path[PATH_MAX]) {
    Dl_info info;
    char origin[PATH_MAX];
    void *self = open_self(&info, 0);
    if (!self) return false;
    int failed = dlinfo(self, RTLD_DI_ORIGIN, origin);
    dlclose(self);
    const char *slash = strrchr(info.dli_fname, '/');
    return !failed && snprintf(path, PATH_MAX, "%s/%s", origin, slash ? slash + 1 : info.dli_fname) < PATH_MAX;
}

static bool path_beside(char *path, size_t size, const char *file, const char *name) {
    int folder = (int)(strrchr(file, '/') - file);
    return (size_t)snprintf(path, size, "%.*s/%s", folder, file, name) < size;
}

sl_code sl_library_beside(char *path, size_t size, const char *name, struct sl_error *err) {
    char self[PATH_MAX], target[PATH_MAX];
    if (!find_self(self)) return sl_fail(err, SL_NOT_FOUND, "%s: the folder of the library is not known", name);
    if (path_beside(path, size, self, name) && access(path, F_OK) == 0) return SL_OK;
    if (realpath(self, target) && path_beside(path, size, target, name) && access(path, F_OK) == 0) return SL_OK;
    if (path_beside(path, size, self, name)) return SL_OK; /* where it should be */
    return sl_fail(err, SL_NOT_FOUND, "%s: its path is too long", name);
}
