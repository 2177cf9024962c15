#include "other_library.h"

#include <dlfcn.h>

#include "command.h"

bool library_open(struct library *out, const char *path) {
#define OWN(name) .name = name,
    *out = (struct library){LIBRARY_FUNCTIONS(OWN)};
#undef OWN
    if (!path) return true;
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!file) {
        complain("%s", dlerror());
        return false;
    }
    const char *missing = NULL;
#define LOAD(name)                                                                                                     \
    *(void **)&out->name = dlsym(file, #name);                                                                         \
    if (!out->name) missing = #name;
    LIBRARY_FUNCTIONS(LOAD)
#undef LOAD
    if (missing) complain("%s has no %s: it is no libtensorflow of 2.4 or later", path, missing);
    out->is_other = true;
    return !missing;
}
