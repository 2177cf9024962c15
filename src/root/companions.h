/* The companions that there are, as sources of the kernel table: which op has its kernels in which, and where each
 * comes from: linked into the program, or loaded. */
#ifndef SL_ROOT_COMPANIONS_H
#define SL_ROOT_COMPANIONS_H

#include "kernel/table.h"

enum sl_companion_id {
    SL_COMPANION_DATA,
    SL_COMPANION_IMAGES,
    SL_COMPANION_KERNELS,
    SL_COMPANION_NET,
    SL_COMPANION_COUNT
};

/* Constant; thread-safe. What was loaded stays for ever, and what could not be loaded is tried again when it is
 * asked for again. */
extern const struct sl_kernel_sources sl_root_companions;

/* The doors of the companion that has servers, and sessions at servers; each loads it. */
struct sl_dist_door;
struct sl_serving_door;
sl_code sl_root_dist_door(const struct sl_dist_door **out, struct sl_error *err);
sl_code sl_root_serving_door(const struct sl_serving_door **out, struct sl_error *err);

#endif
