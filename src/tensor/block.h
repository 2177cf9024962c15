/* Memory blocks of tensors. Fresh pages cost ten times a copy, so large blocks are kept and used again.
 * Threads: thread-safe. */
#ifndef SL_TENSOR_BLOCK_H
#define SL_TENSOR_BLOCK_H

#include <stddef.h>

/* At least `bytes` bytes aligned to 64, uninitialised; NULL when memory is out, or the process may hold no more. */
void *sl_block_alloc(size_t bytes);
/* `bytes`: as asked for. */
void sl_block_free(void *block, size_t bytes);
/* Blocks of at least SL_BLOCK_LARGE bytes carry a word for who has them, NULL at first. */
enum { SL_BLOCK_LARGE = 1 << 17 };
void **sl_block_word(void *block);
/* Gives idle blocks back to the system, but for about `keep` bytes. */
void sl_block_trim(size_t keep);
/* Bytes of idle blocks held now. */
size_t sl_block_idle(void);

#endif
