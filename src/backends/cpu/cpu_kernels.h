/* The CPU backend: its kernel rows, by family. README.md says how to add a kernel. Constant data; thread-safe. */
#ifndef SL_BACKENDS_CPU_CPU_KERNELS_H
#define SL_BACKENDS_CPU_CPU_KERNELS_H

#include "kernel/row.h"
#include "kernel/table.h"

/* A row of this backend. */
#define KERNEL(op_, rules, ...) {.op = op_, .device = SL_HOST_DEVICE, .types = {rules}, __VA_ARGS__},

/* sl_cpu_math_rows and so on; the last row of each has no op. */
#define FAMILY(name) extern const struct sl_kernel_def sl_cpu_##name##_rows[];
#include "backends/cpu/companion_images.def"
#include "backends/cpu/companion_kernels.def"
#include "backends/cpu/kernels.def"
#undef FAMILY

/* The families that are in the library itself, for the composition root; `*n` is their number. Static. */
const struct sl_kernel_family *sl_cpu_families(size_t *n);

#endif
