/* What is in the companion `data`: input pipelines. */
#include "backends/any/any_kernels.h"
#include "companion/companion.h"

#define FAMILY(name) {sl_any_##name##_rows},
static const struct sl_kernel_family families[] = {
#include "backends/any/companion_data.def"
};
#undef FAMILY

extern const struct sl_companion sl_companion_data;
const struct sl_companion sl_companion_data = {families, sizeof families / sizeof *families, NULL, NULL};
