/* Two numbers. */
#include "base/memory_limit.h"

#include <stdatomic.h>

static atomic_size_t held, limit;

bool sl_memory_take(size_t bytes) {
    size_t before = atomic_fetch_add_explicit(&held, bytes, memory_order_relaxed);
    size_t most = atomic_load_explicit(&limit, memory_order_relaxed);
    if (__builtin_expect(!most || (before <= most && bytes <= most - before), 1)) return true;
    atomic_fetch_sub_explicit(&held, bytes, memory_order_relaxed);
    return false;
}

void sl_memory_give(size_t bytes) { atomic_fetch_sub_explicit(&held, bytes, memory_order_relaxed); }
size_t sl_memory_held(void) { return atomic_load_explicit(&held, memory_order_relaxed); }
size_t sl_memory_limit(void) { return atomic_load_explicit(&limit, memory_order_relaxed); }
void sl_memory_set_limit(size_t bytes) { atomic_store_explicit(&limit, bytes, memory_order_relaxed); }
