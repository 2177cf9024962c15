/* How exactly products of float tensors are made: whether their factors may be rounded to bfloat16 first. Off, unless
 * SLUICE_FPMATH or the program asks. One choice for the process; thread-safe. */
#ifndef SL_BACKENDS_CPU_PRODUCT_FPMATH_H
#define SL_BACKENDS_CPU_PRODUCT_FPMATH_H

#include <stdbool.h>

/* Whether bfloat16 was asked for, be there loops for it or not. */
bool sl_fpmath_is_bf16(void);
/* Whether products of tensors of this type may round their factors: of float where it was asked for. */
bool sl_fpmath_rounds(int dtype);
/* From the next kernel on. */
void sl_fpmath_choose_bf16(bool is_bf16);

#endif
