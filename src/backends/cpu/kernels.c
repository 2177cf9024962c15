/* The list of families, from kernels.def. */
#include "backends/cpu/cpu_kernels.h"

const struct sl_kernel_family *sl_cpu_families(size_t *n) {
    static const struct sl_kernel_family families[] = {
#define FAMILY(name) {sl_cpu_##name##_rows},
#include "backends/cpu/kernels.def"
#undef FAMILY
    };
    *n = sizeof families / sizeof *families;
    return families;
}
