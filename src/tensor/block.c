/* Size classes of four steps per power of two from 1 KiB up; each class is a stack of idle blocks under one mutex. What malloc
 * would give back to the system at the end of a step costs a page fault a block in the next. At most a quarter GiB stays
 * idle. The cache is process-wide, like malloc's own.
 *
 * Smaller blocks come from plain malloc, which keeps them for each thread, and are aligned within what it gives: its own aligned
 * allocation keeps nothing, and costs ten times as much. How far a block is from its beginning stands in the byte before it.
 *
 * Blocks of megabytes ask for large pages: on a virtual machine the walks through page tables cost as much as the elements. Not those
 * so large that the cache keeps few of them: a fresh large page has to be got from the host and cleared as a whole, which was measured to
 * cost four times what small pages do, and only pays when the block comes back. */
#include "tensor/block.h"

#include <stdint.h>

#include "base/alloc.h"
#include "os/mutex.h"
#include "os/page.h"

enum {
    ALIGNMENT = 64,
    SMALLEST_LOG2 = 10,
    SMALLEST = 1 << SMALLEST_LOG2,
    LARGEST_LOG2 = 32,
    STEPS = 4,
    CLASSES = (LARGEST_LOG2 - SMALLEST_LOG2) * STEPS
};
static const size_t IDLE_LIMIT = (size_t)256 << 20, LARGE_PAGES_LIMIT = (size_t)32 << 20;

struct idle_block {
    struct idle_block *next;
};

static struct {
    struct sl_mutex mutex;
    struct idle_block *stacks[CLASSES];
    size_t idle;
} cache = {.mutex = SL_MUTEX_INIT};

/* Class whose blocks hold at least `bytes`, and their size; -1 when the cache does not serve this size. */
static int class_of(size_t bytes, size_t *rounded) {
    if (bytes < SMALLEST || bytes > (size_t)1 << (LARGEST_LOG2 - 1)) return -1;
    int log2 = 63 - __builtin_clzll(bytes);
    size_t step = (size_t)1 << (log2 - 2);
    size_t steps = (bytes - ((size_t)1 << log2) + step - 1) / step;
    *rounded = ((size_t)1 << log2) + steps * step;
    return (log2 - SMALLEST_LOG2) * STEPS + (int)steps;
}

static void *small_alloc(size_t bytes) {
    char *start = sl_malloc(bytes + ALIGNMENT);
    if (!start) return NULL;
    size_t shift = ALIGNMENT - ((uintptr_t)start & (ALIGNMENT - 1)); /* 1 to ALIGNMENT */
    start[shift - 1] = (char)shift;
    return start + shift;
}

static void small_free(char *block) {
    if (block) sl_free(block - block[-1]);
}

void *sl_block_alloc(size_t bytes) {
    size_t size = bytes;
    if (bytes < SMALLEST) return small_alloc(bytes);
    int c = class_of(bytes, &size);
    if (c >= 0) {
        sl_mutex_lock(&cache.mutex);
        struct idle_block *b = cache.stacks[c];
        if (b) {
            cache.stacks[c] = b->next;
            cache.idle -= size;
        }
        sl_mutex_unlock(&cache.mutex);
        if (b) return b;
    }
    if (size < SL_LARGE_PAGE) return sl_alloc_aligned(ALIGNMENT, size);
    void *block = sl_alloc_aligned(SL_LARGE_PAGE, size);
    if (block && size <= LARGE_PAGES_LIMIT) sl_pages_prefer_large(block, size);
    return block;
}

void sl_block_free(void *block, size_t bytes) {
    size_t size = bytes;
    if (bytes < SMALLEST) {
        small_free(block);
        return;
    }
    int c = class_of(bytes, &size);
    if (c >= 0) {
        sl_mutex_lock(&cache.mutex);
        if (cache.idle + size <= IDLE_LIMIT) {
            struct idle_block *b = block;
            b->next = cache.stacks[c];
            cache.stacks[c] = b;
            cache.idle += size;
            block = NULL;
        }
        sl_mutex_unlock(&cache.mutex);
    }
    sl_free(block);
}

void sl_block_trim(void) {
    sl_mutex_lock(&cache.mutex);
    for (int c = 0; c < CLASSES; c++)
        while (cache.stacks[c]) {
            struct idle_block *b = cache.stacks[c];
            cache.stacks[c] = b->next;
            sl_free(b);
        }
    cache.idle = 0;
    sl_mutex_unlock(&cache.mutex);
}

size_t sl_block_idle(void) {
    sl_mutex_lock(&cache.mutex);
    size_t n = cache.idle;
    sl_mutex_unlock(&cache.mutex);
    return n;
}
