/* What is in the companion `kernels`: families that few graphs use. */
#include "backends/cpu/cpu_kernels.h"
#include "companion/companion.h"

#define FAMILY(name) {sl_cpu_##name##_rows},
static const struct sl_kernel_family families[] = {
#include "backends/cpu/companion_kernels.def"
};
#undef FAMILY

extern const struct sl_companion sl_companion_kernels;
const struct sl_companion sl_companion_kernels = {families, sizeof families / sizeof *families, NULL, NULL};
