/* The list of families, made of any_kernels.def. Called by the composition root. */
#include "backends/any/any_kernels.h"

static const struct sl_kernel_family families[] = {
#define FAMILY(name) {sl_any_##name##_rows},
#include "backends/any/any_kernels.def"
#undef FAMILY
};

const struct sl_kernel_family *sl_any_families(size_t *n) {
    *n = sizeof families / sizeof *families;
    return families;
}
