/* Element-wise activations of neural nets: nothing but the lines of isa/activation_loops.def. */
#include "backends/cpu/elementwise.h"

const struct sl_kernel_def sl_cpu_activation_rows[] = {
#include "backends/cpu/elementwise_rows.inc"
#include "backends/cpu/isa/activation_loops.def"
    SL_ROWS_END};
