/* Where random ops take their numbers from: a generator of the node that goes on from run to run, or one made anew
 * from seeds that are inputs. Threads: thread-safe. */
#ifndef SL_BACKENDS_CPU_RANDOM_RANDOM_SOURCE_H
#define SL_BACKENDS_CPU_RANDOM_RANDOM_SOURCE_H

#include "kernel/kernel.h"
#include "kernel/philox.h"

/* Blocks of four words that ops set aside for each number they make; far more than they draw. */
enum { SL_RANDOM_BLOCKS_EACH = 256 };

/* ---- stateful: `create` and `destroy` of a row whose op has the attrs seed and seed2; both 0: seeded by the system */
sl_code sl_random_create(void **state, struct sl_kernel_setup *setup);
void sl_random_destroy(void *state); /* may be NULL */
/* As sl_random_create, for a kernel that has it in a state of its own. */
struct sl_random_state;
sl_code sl_random_new(struct sl_random_state **out, struct sl_kernel_setup *setup);
/* A generator at the next blocks of the state, which goes on behind them. */
struct sl_philox sl_random_reserve(void *state, uint64_t blocks);

/* A generator that nobody can foresee. INTERNAL when the system gives no numbers. */
sl_code sl_random_of_system(struct sl_philox *out, struct sl_error *err);

/* ---- of a generator that a variable holds (tf.random.Generator): input 0 is the variable, input 1 the algorithm */
enum sl_generator_algorithm { SL_GENERATOR_PHILOX = 1, SL_GENERATOR_THREEFRY = 2, SL_GENERATOR_AUTOMATIC = 3 };
/* Whatever input 1, a scalar, says. */
sl_code sl_generator_algorithm(int64_t *out, struct sl_kernel_context *k);
/* The generator as it is; the variable then holds it `blocks` further on. */
sl_code sl_generator_take(struct sl_philox *out, struct sl_kernel_context *k, uint64_t blocks);

/* ---- stateless */
/* From input i, a vector of two integers. */
sl_code sl_random_of_seed(struct sl_philox *out, struct sl_kernel_context *k, int i);
/* From inputs i, i + 1, i + 2: key, counter, algorithm. Philox is the only algorithm on this device. */
sl_code sl_random_of_key(struct sl_philox *out, struct sl_kernel_context *k, int i);

#endif
