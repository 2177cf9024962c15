/* Parking on a word. The Linux kernel keys waiters by address; elsewhere a fixed table of mutexes and condition
 * variables does, where threads that share a bucket may wake for nothing. */
#include "os/park.h"

#include "os/clock.h"

#if defined(__linux__) && !defined(SL_PARK_PORTABLE)

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool sl_park(sl_park_word *word, uint32_t value, int64_t deadline_ns) {
    struct timespec until = {deadline_ns / 1000000000, deadline_ns % 1000000000};
    long rc = syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value, deadline_ns ? &until : NULL, NULL,
                      FUTEX_BITSET_MATCH_ANY);
    return rc == 0 || errno != ETIMEDOUT;
}

void sl_unpark(sl_park_word *word, int count) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0); }

void sl_park_forget(void) {} /* the kernel knows */

#else

#include "os/mutex.h"

enum { BUCKETS = 64 };

static struct bucket {
    struct sl_mutex mutex;
    struct sl_condition cond;
} buckets[BUCKETS] = {[0 ... BUCKETS - 1] = {SL_MUTEX_INIT, SL_CONDITION_INIT}};

static struct bucket *bucket_of(const sl_park_word *word) {
    return &buckets[((uintptr_t)word >> 6 ^ (uintptr_t)word >> 2) % BUCKETS];
}

/* The word is compared under the bucket's mutex, and a waker takes that mutex after changing the word: no wake is
 * lost. */
bool sl_park(sl_park_word *word, uint32_t value, int64_t deadline_ns) {
    struct bucket *bucket = bucket_of(word);
    bool in_time = true;
    sl_mutex_lock(&bucket->mutex);
    if (atomic_load(word) == value) {
        if (deadline_ns) in_time = sl_condition_wait_until(&bucket->cond, &bucket->mutex, deadline_ns);
        else sl_condition_wait(&bucket->cond, &bucket->mutex);
    }
    sl_mutex_unlock(&bucket->mutex);
    return in_time;
}

void sl_unpark(sl_park_word *word, int count) {
    (void)count; /* another word's waiter might take a single signal */
    struct bucket *bucket = bucket_of(word);
    sl_mutex_lock(&bucket->mutex);
    sl_condition_broadcast(&bucket->cond);
    sl_mutex_unlock(&bucket->mutex);
}

void sl_park_forget(void) {
    for (int i = 0; i < BUCKETS; i++) {
        sl_mutex_init(&buckets[i].mutex);
        sl_condition_init(&buckets[i].cond);
    }
}

#endif
