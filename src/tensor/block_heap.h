/* Where large blocks lie. Memory comes from the system in segments; a segment is cut into spans, and a span that
 * becomes free is joined with its free neighbours. A block takes the smallest free span that fits. So blocks of all
 * sizes share the same memory one after the other, and what a step needs is little more than what lives in it at
 * once.
 * Threads: one at a time; the block cache (block.c) has the lock. */
#ifndef SL_TENSOR_BLOCK_HEAP_H
#define SL_TENSOR_BLOCK_HEAP_H

#include <stddef.h>
#include <stdint.h>

enum { SL_BLOCK_HEAP_CLASSES = 88, SL_BLOCK_HEAP_WORDS = 2 };

struct sl_span;

/* Free spans by size. */
struct sl_span_table {
    struct sl_span *lists[SL_BLOCK_HEAP_CLASSES];
    uint64_t filled[SL_BLOCK_HEAP_WORDS]; /* bit: the list holds something */
};

/* All zero: empty. */
struct sl_block_heap {
    struct sl_span_table used_before,
        untouched; /* free spans, of memory that the system has given and of memory it has yet to give */
    size_t held;   /* bytes of all segments */
    size_t idle;   /* about how much of what is free the system has given */
};

/* At least `bytes` bytes aligned to 64, uninitialised; NULL when memory is out. `bytes` < SIZE_MAX / 2. */
void *sl_block_heap_alloc(struct sl_block_heap *h, size_t bytes);
/* `idle_limit`: when more than this is idle, the block's memory goes back to the system. */
void sl_block_heap_free(struct sl_block_heap *h, void *block, size_t idle_limit);
/* A word of the block's header, which is the holder's: NULL in a fresh block. */
void **sl_block_heap_word(void *block);
/* Gives what is free back to the system, the largest spans first, until no more than `keep` bytes are idle. */
void sl_block_heap_trim(struct sl_block_heap *h, size_t keep);

#endif
