/* Threads: start, join, name. Signals are blocked in started threads, so that the program's own threads handle them.
 * One owner starts and joins a `struct sl_thread`. */
#ifndef SL_OS_THREAD_H
#define SL_OS_THREAD_H

#include <pthread.h>
#include <stddef.h>

#include "base/error.h"

struct sl_thread {
    pthread_t native;
    void (*body)(void *arg);
    void *arg;
    char name[16]; /* what debuggers and `top -H` show; longer names are cut */
};

/* Runs `body(arg)` on a new thread. `stack_bytes` 0 means the system's default. `thread` must stay where it is until
 * it is joined. RESOURCE_EXHAUSTED when no thread can be had; `thread` then needs no join. */
sl_code sl_thread_start(struct sl_thread *thread, const char *name, size_t stack_bytes, void (*body)(void *arg),
                        void *arg, struct sl_error *err);
/* Waits for the end of `body`. Exactly once for each started thread. */
void sl_thread_join(struct sl_thread *thread);
/* Instead of joining: `thread` may be freed by the body's last action. Called on the thread itself only. */
void sl_thread_detach_self(void);

/* Lets another thread run. */
void sl_thread_yield(void);

/* Tells the processor that this is a spin loop. */
static inline void sl_thread_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
