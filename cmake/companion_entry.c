/* What the file of a companion exports, and how it is bound to the library. Part of the shared objects alone; the
 * build defines SL_COMPANION, the companion's struct, and gives SL_CORE_BUILD in the header that it writes. */
#include <stdatomic.h>

#include "companion/companion.h"
#include "companion/imports.h"
#include "core_build.h"

void (*const *sl_core_functions)(void);

/* Two copies of the library that share this file come here by turns or at once: the first one has it. */
static bool bind(const struct sl_core *core) {
    static _Atomic(const struct sl_core *) owner;
    const struct sl_core *before = NULL;
    if (!atomic_compare_exchange_strong(&owner, &before, core)) return before == core;
    sl_core_functions = core->functions;
    return true;
}

extern const struct sl_companion SL_COMPANION;
__attribute__((visibility("default"))) extern const struct sl_companion_file sluice_companion;
const struct sl_companion_file sluice_companion = {SL_CORE_BUILD, &SL_COMPANION, bind};
