/* Heap allocation that can be told to fail, for torture runs. Threads: all functions are thread-safe. */
#ifndef SL_BASE_ALLOC_H
#define SL_BASE_ALLOC_H

#include <stddef.h>

/* As malloc, calloc, realloc and aligned_alloc, but for one rule: with SLUICE_ALLOC_FAIL=n in the environment the n-th
 * call of the process (counted from 1, all four together) returns NULL once. Freed by `sl_free`. */
void *sl_malloc(size_t bytes);
void *sl_calloc(size_t count, size_t bytes); /* NULL when the product overflows */
void *sl_realloc(void *old, size_t bytes);
void *sl_alloc_aligned(size_t alignment, size_t bytes); /* alignment: a power of two, at least sizeof(void *) */
void sl_free(void *p);                                  /* NULL is fine */

/* Doubles a growing array: ensures room for `need` elements of `size` bytes in `*items` whose capacity is `*cap`.
 * Returns 0 on success, -1 when memory is out or the size overflows (`*items` is then unchanged). */
int sl_grow(void **items, size_t *cap, size_t need, size_t size);

#endif
