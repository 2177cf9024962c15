/* Finding, loading and binding a companion. */
#include "companion/companion.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "os/library.h"

static sl_code find(char path[PATH_MAX], const char *name, struct sl_error *err) {
    const char *folder = sl_env_text(SL_ENV_COMPANIONS);
    char file[64];
    snprintf(file, sizeof file, "libsluice_%s.so", name);
    if (!folder) return sl_library_beside(path, PATH_MAX, file, err);
    if (snprintf(path, PATH_MAX, "%s/%s", folder, file) < PATH_MAX) return SL_OK;
    return sl_fail(err, SL_NOT_FOUND, "%s: its path is too long", file);
}

static sl_code bind(const struct sl_companion **out, const struct sl_library *library, const char *path,
                    const struct sl_core *core, struct sl_error *err) {
    void *symbol;
    if (sl_library_symbol(&symbol, library, "sluice_companion", NULL) != SL_OK)
        return sl_fail(err, SL_FAILED_PRECONDITION, "%s: it is no companion of this library", path);
    const struct sl_companion_file *file = symbol;
    if (strcmp(file->build, core->build) != 0)
        return sl_fail(err, SL_FAILED_PRECONDITION, "%s: it is of another build than the library", path);
    if (!file->bind(core))
        return sl_fail(err, SL_FAILED_PRECONDITION, "%s: it serves another copy of the library in this process", path);
    *out = file->companion;
    return SL_OK;
}

sl_code sl_companion_load(const struct sl_companion **out, const char *name, const struct sl_core *core,
                          struct sl_error *err) {
    char path[PATH_MAX];
    struct sl_library library;
    SL_TRY(find(path, name, err));
    SL_TRY(sl_library_open(&library, path, err));
    sl_code code = bind(out, &library, path, core, err);
    if (code == SL_OK) sl_library_stay();
    else sl_library_close(&library);
    return code;
}
