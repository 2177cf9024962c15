/* Device-free kernels: their rows, by family. README.md says how to add one. Constant data; thread-safe. */
#ifndef SL_BACKENDS_ANY_ANY_KERNELS_H
#define SL_BACKENDS_ANY_ANY_KERNELS_H

#include "kernel/row.h"
#include "kernel/table.h"

/* A row of this backend: it serves nodes on every device. */
#define KERNEL(op_, rules, ...) {.op = op_, .types = {rules}, __VA_ARGS__},

/* sl_any_control_rows and so on; the last row of each has no op. */
#define FAMILY(name) extern const struct sl_kernel_def sl_any_##name##_rows[];
#include "backends/any/any_kernels.def"
#include "backends/any/companion_data.def"
#undef FAMILY

/* Serves every node whose op is a function of the library. */
extern const struct sl_kernel_def sl_call_by_name;

/* The families that are in the library itself, for the composition root; `*n` is their number. Static. */
const struct sl_kernel_family *sl_any_families(size_t *n);

#endif
