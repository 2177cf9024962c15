/* How exactly products are made.
 *
 *     sl_set_bf16_products(true);        -- before the first run: what constant weights were packed into is kept
 *
 * Products of float matrices, and convolutions (not their gradients), may round their factors to bfloat16 where the
 * processor has instructions for it (AMX, AVX512-BF16); their sums stay float. That is several times as fast, and
 * leaves two to three decimal digits: docs/precision.md has the errors of whole nets. */
#ifndef SLUICE_PRECISION_H
#define SLUICE_PRECISION_H

#include <stdbool.h>

#include "sluice/sluice.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For all of the process, from the next kernel on. At first it is as SLUICE_FPMATH says ("bf16"), else false. */
SL_API void sl_set_bf16_products(bool allowed);
/* Whether that is allowed, be there such instructions or not. */
SL_API bool sl_bf16_products_allowed(void);

#ifdef __cplusplus
}
#endif

#endif
