/* Which memory a block gets. What malloc would give back to the system at the end of a step costs a page fault a
 * block in the next, so what is freed is kept: a quarter GiB of it, or an eighth of the machine's memory where that
 * is more, as a step that needs a GiB needs it again in the next. The cache is process-wide, like malloc's own,
 * under one mutex.
 *
 * Large blocks share the memory of a heap (block_heap.c). From 1 KiB up to there: size classes of four steps per
 * power of two; each is a stack of idle blocks, and the one that was given back last, which the processor's cache
 * may still have, is taken first.
 *
 * Smaller blocks come from plain malloc, which keeps them for each thread, and are aligned within what it gives: its
 * own aligned allocation keeps nothing, and costs ten times as much. How far a block is from its beginning stands in
 * the byte before it.
 *
 * All but the smaller ones count towards what the process may hold (base/memory_limit.h); what is idle then gets what
 * is left of that. */
#include "tensor/block.h"

#include <stdint.h>

#include "base/alloc.h"
#include "base/memory_limit.h"
#include "os/mutex.h"
#include "os/page.h"
#include "tensor/block_heap.h"

enum {
    ALIGNMENT = 64,
    SMALLEST_LOG2 = 10,
    SMALLEST = 1 << SMALLEST_LOG2,
    LARGE_LOG2 = 17, /* and more: from the heap */
    STEPS = 4,
    CLASSES = (LARGE_LOG2 - SMALLEST_LOG2) * STEPS + 1
};
_Static_assert(SL_BLOCK_LARGE == 1 << LARGE_LOG2, "the classes end where large blocks begin");
static const size_t LEAST_LIMIT = (size_t)256 << 20;

struct idle_block {
    struct idle_block *next;
};

static struct {
    struct sl_mutex mutex;
    struct idle_block *stacks[CLASSES];
    size_t idle;  /* in the stacks */
    size_t limit; /* of what is idle in all; 0: not known yet */
    struct sl_block_heap heap;
} cache = {.mutex = SL_MUTEX_INIT};

/* Class whose blocks hold at least `bytes`, and their size; SMALLEST <= bytes < SL_BLOCK_LARGE. */
static int class_of(size_t bytes, size_t *rounded) {
    int log2 = 63 - __builtin_clzll(bytes);
    size_t step = (size_t)1 << (log2 - 2);
    size_t steps = (bytes - ((size_t)1 << log2) + step - 1) / step;
    *rounded = ((size_t)1 << log2) + steps * step;
    return (log2 - SMALLEST_LOG2) * STEPS + (int)steps;
}

static size_t class_size(int c) { return ((size_t)SMALLEST << (c / STEPS)) / STEPS * (size_t)(STEPS + c % STEPS); }

static void *small_alloc(size_t bytes) {
    char *start = sl_malloc(bytes + ALIGNMENT);
    if (!start) return NULL;
    size_t shift = ALIGNMENT - ((uintptr_t)start & (ALIGNMENT - 1)); /* 1 to ALIGNMENT */
    start[shift - 1] = (char)shift;
    return start + shift;
}

static void small_free(char *block) { sl_free(block - block[-1]); }

/* With the lock held. */
static size_t idle_limit(void) {
    if (!cache.limit) {
        const size_t part = sl_pages_of_machine() / 8;
        cache.limit = part > LEAST_LIMIT ? part : LEAST_LIMIT;
    }
    const size_t most = sl_memory_limit(), held = sl_memory_held();
    if (!most || most - held > cache.limit) return cache.limit;
    return most > held ? most - held : 0;
}

/* With the lock held. */
static void trim(size_t keep) {
    if (cache.idle + cache.heap.idle > keep) sl_block_heap_trim(&cache.heap, keep > cache.idle ? keep - cache.idle : 0);
    for (int c = CLASSES - 1; c >= 0; c--)
        while (cache.idle + cache.heap.idle > keep && cache.stacks[c]) {
            struct idle_block *b = cache.stacks[c];
            cache.stacks[c] = b->next;
            cache.idle -= class_size(c);
            sl_free(b);
        }
}

static void *large_alloc(size_t bytes) {
    if (!sl_memory_take(bytes)) return NULL;
    sl_mutex_lock(&cache.mutex);
    if (sl_memory_limit()) trim(idle_limit()); /* the block may be cut out of what is idle, or be new */
    void *block = sl_block_heap_alloc(&cache.heap, bytes);
    sl_mutex_unlock(&cache.mutex);
    if (!block) sl_memory_give(bytes);
    return block;
}

void *sl_block_alloc(size_t bytes) {
    size_t size;
    if (bytes < SMALLEST) return small_alloc(bytes);
    if (bytes >= SL_BLOCK_LARGE) return large_alloc(bytes);
    const int c = class_of(bytes, &size);
    if (!sl_memory_take(size)) return NULL;
    sl_mutex_lock(&cache.mutex);
    struct idle_block *b = cache.stacks[c];
    if (b) {
        cache.stacks[c] = b->next;
        cache.idle -= size;
    }
    sl_mutex_unlock(&cache.mutex);
    if (!b) b = sl_alloc_aligned(ALIGNMENT, size);
    if (!b) sl_memory_give(size);
    return b;
}

void **sl_block_word(void *block) { return sl_block_heap_word(block); }

static void large_free(void *block, size_t bytes) {
    sl_memory_give(bytes);
    sl_mutex_lock(&cache.mutex);
    const size_t most = idle_limit();
    sl_block_heap_free(&cache.heap, block, most > cache.idle ? most - cache.idle : 0);
    sl_mutex_unlock(&cache.mutex);
}

void sl_block_free(void *block, size_t bytes) {
    size_t size;
    if (!block) return;
    if (bytes < SMALLEST) {
        small_free(block);
        return;
    }
    if (bytes >= SL_BLOCK_LARGE) {
        large_free(block, bytes);
        return;
    }
    const int c = class_of(bytes, &size);
    sl_memory_give(size);
    sl_mutex_lock(&cache.mutex);
    if (cache.idle + cache.heap.idle + size <= idle_limit()) {
        struct idle_block *b = block;
        b->next = cache.stacks[c];
        cache.stacks[c] = b;
        cache.idle += size;
        block = NULL;
    }
    sl_mutex_unlock(&cache.mutex);
    sl_free(block);
}

void sl_block_trim(size_t keep) {
    sl_mutex_lock(&cache.mutex);
    trim(keep);
    sl_mutex_unlock(&cache.mutex);
}

size_t sl_block_idle(void) {
    sl_mutex_lock(&cache.mutex);
    size_t n = cache.idle + cache.heap.idle;
    sl_mutex_unlock(&cache.mutex);
    return n;
}
