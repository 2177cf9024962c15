/* Limits of what a session's steps, or all of the process, may take.
 *
 *     TF_SessionOptions *options = TF_NewSessionOptions();
 *     sl_options_set_step_memory(options, (size_t)2 << 30);        -- before TF_NewSession
 *
 * How long a step may take is in TensorFlow's own options: timeout_in_ms of RunOptions, operation_timeout_in_ms of
 * ConfigProto. */
#ifndef SLUICE_LIMITS_H
#define SLUICE_LIMITS_H

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the tensors that one step makes may hold at the same time, in bytes. A step that needs more fails with
 * RESOURCE_EXHAUSTED; the message says which node asked, and which nodes made the most of what was held. Counted are
 * the elements of tensors, strings with their bytes, and large scratch memory of kernels; not what was there before the
 * step (feeds, variables, constants) and not structures of kernels, such as hash tables. 0, the default: as
 * SLUICE_STEP_MEMORY says, else no limit. */
SL_API void sl_options_set_step_memory(TF_SessionOptions *options, size_t bytes);

/* What all tensors of the process, and messages that have come from other processes, may hold together. A step or call
 * that needs more fails with RESOURCE_EXHAUSTED; who holds memory already keeps it. Tensors of less than a KiB and what
 * is no tensor (graphs, programs) do not count, and what the library keeps to use again is part of it. 0, the default:
 * no limit. */
SL_API void sl_set_memory_limit(size_t bytes);
/* What they hold now. */
SL_API size_t sl_memory_in_use(void);

#ifdef __cplusplus
}
#endif

#endif
