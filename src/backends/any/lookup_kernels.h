/* What kernels of lookup tables share: lookup_any.c has it. Threads: as the kernels. */
#ifndef SL_BACKENDS_ANY_LOOKUP_KERNELS_H
#define SL_BACKENDS_ANY_LOOKUP_KERNELS_H

#include "backends/any/lookup_table.h"
#include "kernel/kernel.h"

typedef sl_code (*sl_table_work)(struct sl_kernel_context *k, struct sl_table *t);

/* Holds the table of input 0 while `work` runs on it. */
sl_code sl_with_table(struct sl_kernel_context *k, sl_table_work work);

/* INVALID_ARGUMENT with the table's name when it is of a kind that is not filled once. */
sl_code sl_table_check_initializable(struct sl_kernel_context *k, const struct sl_table *t);

#endif
