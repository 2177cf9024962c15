/* A companion of a build that never was. */
#include "companion/companion.h"

static bool bind(const struct sl_core *core) {
    (void)core;
    return true;
}

__attribute__((visibility("default"))) extern const struct sl_companion_file sluice_companion;
const struct sl_companion_file sluice_companion = {"another build", NULL, bind};
