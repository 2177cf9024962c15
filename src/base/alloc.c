/* The one place that calls malloc. The failure counter costs one predictable branch when it is off. */
#include "base/alloc.h"

#include "base/env.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* -1: not read yet; 0: off; n > 0: the n-th call from now fails. Torture runs only; see docs/environment.md. */
static atomic_llong fail_after = -1;

static int must_fail(void) {
    long long left = atomic_load_explicit(&fail_after, memory_order_relaxed);
    if (__builtin_expect(left == 0, 1)) return 0;
    if (left < 0) {
        atomic_compare_exchange_strong(&fail_after, &left, sl_env_number(SL_ENV_ALLOC_FAIL, 0));
        return must_fail();
    }
    while (left > 0)
        if (atomic_compare_exchange_weak(&fail_after, &left, left - 1)) return left == 1;
    return 0;
}

void *sl_malloc(size_t bytes) { return must_fail() ? NULL : malloc(bytes ? bytes : 1); }

/* glibc's calloc passes by the thread's own list of free blocks, which malloc takes small ones from: for these,
 * malloc and clearing take a fifth of the instructions, whatever the heap looks like. */
enum { SMALL = 1024 };

void *sl_calloc(size_t count, size_t bytes) {
    if (must_fail()) return NULL;
    if (count > SMALL || bytes > SMALL || count * bytes > SMALL) return calloc(count ? count : 1, bytes ? bytes : 1);
    const size_t n = count * bytes;
    void *p = malloc(n > 0 ? n : 1);
    return p ? memset(p, 0, n) : NULL;
}

void *sl_realloc(void *old, size_t bytes) { return must_fail() ? NULL : realloc(old, bytes ? bytes : 1); }

void *sl_alloc_aligned(size_t alignment, size_t bytes) {
    if (must_fail() || bytes > SIZE_MAX - alignment) return NULL;
    size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
    return aligned_alloc(alignment, rounded ? rounded : alignment);
}

void sl_free(void *p) { free(p); }

int sl_grow(void **items, size_t *cap, size_t need, size_t size) {
    if (need <= *cap) return 0;
    size_t want = *cap ? *cap : 8;
    while (want < need) {
        if (want > SIZE_MAX / 2) return -1;
        want *= 2;
    }
    if (size && want > SIZE_MAX / size) return -1;
    void *grown = sl_realloc(*items, want * size);
    if (!grown) return -1;
    *items = grown;
    *cap = want;
    return 0;
}
