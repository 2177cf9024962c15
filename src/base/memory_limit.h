/* What the process may hold in large memory: blocks of tensors, and messages on their way. Nothing else is counted, as
 * the rest is small beside it. Without a limit, the default, there is only the count. Thread-safe. */
#ifndef SL_BASE_MEMORY_LIMIT_H
#define SL_BASE_MEMORY_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

/* Counts bytes that are about to be asked for. False, and nothing is counted: they would be beyond the limit. */
bool sl_memory_take(size_t bytes);
void sl_memory_give(size_t bytes); /* as they were taken */

size_t sl_memory_held(void);
size_t sl_memory_limit(void); /* 0: none */
/* What is held already stays. */
void sl_memory_set_limit(size_t bytes);

#endif
