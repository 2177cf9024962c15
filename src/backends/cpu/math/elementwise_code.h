/* Machine code for the blocks of an _ElementwiseProgram (jit/vectors.h): steps next to each other of which each is a few
 * instructions become one loop, with what is between them in registers. Other steps run by their loops, so programs with
 * an exponential are code before it and behind it. The bits are those of the loops, which remain the reference.
 *
 * Code is made for one way in which the values lie (which are single elements, which steps ran before) when a program has
 * done so much work that it is worth it. A program's codes belong to it; any number of threads may look for them. */
#ifndef SL_BACKENDS_CPU_MATH_ELEMENTWISE_CODE_H
#define SL_BACKENDS_CPU_MATH_ELEMENTWISE_CODE_H

#include "backends/cpu/math/elementwise_steps.h"

struct sl_elementwise_codes;

/* NULL: there will be no code for this program. */
struct sl_elementwise_codes *sl_elementwise_codes_new(const struct sl_elementwise_program *p);
void sl_elementwise_codes_free(struct sl_elementwise_codes *codes); /* NULL is fine */

/* The code for a run whose plan is made; NULL: there is none, and the steps run by their loops. */
const struct sl_elementwise_code *sl_elementwise_code_of(const struct sl_elementwise_program_run *r);
/* Elements [begin, end) of the result, by r->code. For sl_kernel_split. */
void sl_elementwise_code_run(void *r, int64_t begin, int64_t end);

#endif
