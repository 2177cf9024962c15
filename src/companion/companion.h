/* Companions: shared objects beside the library, each with some families of kernels, loaded when the first op of
 * theirs is used.
 *
 *     libtensorflow.so.2                         libsluice_images.so
 *     sl_core: build, functions ── bind ───────► sl_core_functions ◄── jumps ◄── calls of library functions
 *     kernel table ◄──────── sluice_companion ── families
 *
 * A companion takes nothing from the library by name. The build makes one table of all functions of the library that
 * companions call (cmake/core_table.cmake), and links a jump through that table for each into every companion
 * (imports.h). So the library exports no inner function, several copies of it in one process keep to their own, and
 * what a companion calls and the library lacks does not link. Constant data; the functions are thread-safe. */
#ifndef SL_COMPANION_COMPANION_H
#define SL_COMPANION_COMPANION_H

#include "companion/core.h"
#include "kernel/table.h"

struct sl_dist_door;
struct sl_serving_door;

/* What is in a companion, as a program that links its archive has it: sl_companion_images and so on. */
struct sl_companion {
    const struct sl_kernel_family *families;
    size_t n;
    const struct sl_dist_door *dist;       /* dist/dist_door.h; NULL: it has none */
    const struct sl_serving_door *serving; /* serving/serving_door.h; the same */
};

/* What a companion's file exports, as `sluice_companion`. `build` stays first, so that every build can read that of
 * every other. */
struct sl_companion_file {
    const char *build;
    const struct sl_companion *companion;
    /* Gives it the functions of `core`, which then stay valid for ever. False when it has those of another copy of
     * the library. */
    bool (*bind)(const struct sl_core *core);
};

/* Loads libsluice_NAME.so from the folder that SLUICE_COMPANIONS names, else from beside the library, and binds it
 * to `core`. It stays loaded, and so does the library. NOT_FOUND with the loader's words when it cannot be loaded,
 * FAILED_PRECONDITION when it is of another build or serves another copy of the library; the message begins with the
 * file's path. */
sl_code sl_companion_load(const struct sl_companion **out, const char *name, const struct sl_core *core,
                          struct sl_error *err);

#endif
