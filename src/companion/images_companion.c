/* What is in the companion `images`: files and sizes of images, colours, boxes. */
#include "backends/cpu/cpu_kernels.h"
#include "companion/companion.h"

#define FAMILY(name) {sl_cpu_##name##_rows},
static const struct sl_kernel_family families[] = {
#include "backends/cpu/companion_images.def"
};
#undef FAMILY

extern const struct sl_companion sl_companion_images;
const struct sl_companion sl_companion_images = {families, sizeof families / sizeof *families, NULL, NULL};
