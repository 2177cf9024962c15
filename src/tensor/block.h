/* Memory blocks of tensors. Fresh pages cost ten times a copy, so large blocks are kept and used again.
 * Threads: thread-safe. */
#ifndef SL_TENSOR_BLOCK_H
#define SL_TENSOR_BLOCK_H

#include <stddef.h>

/* At least `bytes` bytes aligned to 64, uninitialised; NULL when memory is out. */
void *sl_block_alloc(size_t bytes);
/* `bytes`: as asked for. */
void sl_block_free(void *block, size_t bytes);
/* Gives idle blocks back to the system, but for about `keep` bytes. */
void sl_block_trim(size_t keep);
/* Bytes of idle blocks held now. */
size_t sl_block_idle(void);

#endif
