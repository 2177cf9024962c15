/* How rows of kernel tables are written. A backend gives its own KERNEL (see backends/cpu/cpu_kernels.h), a row reads
 *
 *     KERNEL("Gather", RULE("Tparams", SL_SET_ALL) RULE("Tindices", SL_SET(INT32) | SL_SET(INT64)), .run = gather_run)
 *     KERNEL("LoopCond", NO_RULE, .run = loop_cond_run, .flags = SL_KERNEL_CHEAP)
 *
 * and a family's file ends with
 *
 *     const struct sl_kernel_def sl_cpu_array_rows[] = {
 *         KERNEL(...)
 *         KERNEL(...)
 *         SL_ROWS_END
 *     };
 *
 * No commas between rows. Members of struct sl_kernel_def that a row does not name are zero. */
#ifndef SL_KERNEL_ROW_H
#define SL_KERNEL_ROW_H

#include "kernel/kernel.h"

/* The node's attr `attr` (a type or a list of types) is in `set`. Up to SL_KERNEL_RULES of them, side by side. */
#define RULE(attr, set) {attr, set},
#define NO_RULE

/* A backend's KERNEL is defined in one step, as a rule's commas must not be read as those of a macro's arguments:
 *     #define KERNEL(op_, rules, ...) {.op = op_, .device = SL_HOST_DEVICE, .types = {rules}, __VA_ARGS__},
 * A row without device is for any device. */
#define SL_ROWS_END {.op = NULL},

#endif
