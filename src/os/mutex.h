/* Mutex, condition variable and reader-writer lock over pthreads. Zero-cost wrappers: the names say what may be
 * used, and timed waits always follow the monotonic clock. All three may be initialised statically and must not be
 * moved or copied once used. A failed pthread call here means a bug of ours (unlocking what is not locked) and is
 * not reported. */
#ifndef SL_OS_MUTEX_H
#define SL_OS_MUTEX_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sl_mutex {
    pthread_mutex_t native;
};
struct sl_condition {
    pthread_cond_t native;
};
struct sl_rwlock {
    pthread_rwlock_t native;
};

#define SL_MUTEX_INIT                                                                                                  \
    { PTHREAD_MUTEX_INITIALIZER }
#define SL_CONDITION_INIT                                                                                              \
    { PTHREAD_COND_INITIALIZER }
#define SL_RWLOCK_INIT                                                                                                 \
    { PTHREAD_RWLOCK_INITIALIZER }

static inline void sl_mutex_init(struct sl_mutex *m) { pthread_mutex_init(&m->native, NULL); }
static inline void sl_mutex_clear(struct sl_mutex *m) { pthread_mutex_destroy(&m->native); }
static inline void sl_mutex_lock(struct sl_mutex *m) { pthread_mutex_lock(&m->native); }
static inline bool sl_mutex_try(struct sl_mutex *m) { return pthread_mutex_trylock(&m->native) == 0; }
static inline void sl_mutex_unlock(struct sl_mutex *m) { pthread_mutex_unlock(&m->native); }

/* Waits may wake for no reason: always wait in a loop on the condition itself. */
static inline void sl_condition_init(struct sl_condition *c) { pthread_cond_init(&c->native, NULL); }
static inline void sl_condition_clear(struct sl_condition *c) { pthread_cond_destroy(&c->native); }
static inline void sl_condition_wait(struct sl_condition *c, struct sl_mutex *m) {
    pthread_cond_wait(&c->native, &m->native);
}
static inline void sl_condition_signal(struct sl_condition *c) { pthread_cond_signal(&c->native); }
static inline void sl_condition_broadcast(struct sl_condition *c) { pthread_cond_broadcast(&c->native); }
/* Waits until signalled or until `deadline_ns` on the clock of `sl_clock_ns`. False when the deadline has passed. */
bool sl_condition_wait_until(struct sl_condition *c, struct sl_mutex *m, int64_t deadline_ns);

static inline void sl_rwlock_init(struct sl_rwlock *l) { pthread_rwlock_init(&l->native, NULL); }
static inline void sl_rwlock_clear(struct sl_rwlock *l) { pthread_rwlock_destroy(&l->native); }
static inline void sl_rwlock_read(struct sl_rwlock *l) { pthread_rwlock_rdlock(&l->native); }
static inline void sl_rwlock_write(struct sl_rwlock *l) { pthread_rwlock_wrlock(&l->native); }
static inline void sl_rwlock_unlock(struct sl_rwlock *l) { pthread_rwlock_unlock(&l->native); }

#endif
