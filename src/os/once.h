/* Lazy initialisation that can fail: the first success counts, a failure leaves things as they were and the next caller
 * tries again. Thread-safe; the fast path is one load. Zero-initialised by SL_ONCE_INIT. */
#ifndef SL_OS_ONCE_H
#define SL_OS_ONCE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "os/mutex.h"

struct sl_once {
    _Atomic bool done;
    struct sl_mutex mutex;
};

#define SL_ONCE_INIT                                                                                                   \
    { false, SL_MUTEX_INIT }

/* Calls `make(arg, err)` unless an earlier call has succeeded. Callers that come meanwhile wait for it. `make` must not
 * run the same `once` again. */
static inline sl_code sl_once_run(struct sl_once *once, sl_code (*make)(void *arg, struct sl_error *err), void *arg,
                                  struct sl_error *err) {
    if (atomic_load_explicit(&once->done, memory_order_acquire)) return SL_OK;
    sl_mutex_lock(&once->mutex);
    sl_code code = SL_OK;
    if (!atomic_load_explicit(&once->done, memory_order_relaxed)) {
        code = make(arg, err);
        if (code == SL_OK) atomic_store_explicit(&once->done, true, memory_order_release);
    }
    sl_mutex_unlock(&once->mutex);
    return code;
}

#endif
