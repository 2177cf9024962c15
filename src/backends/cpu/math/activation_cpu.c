/* Element-wise activations of neural nets: nothing but the lines of isa/activation_loops.def. */
#include "backends/cpu/math/elementwise.h"

/* clang-format off */
const struct sl_kernel_def sl_cpu_activation_rows[] = {
#include "backends/cpu/math/elementwise_rows.inc"
#include "backends/cpu/isa/activation_loops.def"
    SL_ROWS_END
};
