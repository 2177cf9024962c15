/* Threads over pthreads (C11's thrd_create is not known to the thread sanitizer). */
#include "os/thread.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Does not touch `thread` once the body runs its last line: it may be freed by then. */
static void *run_body(void *arg) {
    struct sl_thread *thread = arg;
#if defined(__APPLE__)
    pthread_setname_np(thread->name);
#else
    pthread_setname_np(pthread_self(), thread->name);
#endif
    thread->body(thread->arg);
    return NULL;
}

static int set_stack(pthread_attr_t *attributes, size_t bytes) {
    if (bytes == 0) return 0;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
    if (bytes < least) bytes = least;
    return pthread_attr_setstacksize(attributes, (bytes + page - 1) / page * page);
}

sl_code sl_thread_start(struct sl_thread *thread, const char *name, size_t stack_bytes, void (*body)(void *arg),
                        void *arg, struct sl_error *err) {
    thread->body = body;
    thread->arg = arg;
    snprintf(thread->name, sizeof thread->name, "%s", name);

    pthread_attr_t attributes;
    int rc = pthread_attr_init(&attributes);
    if (rc == 0) {
        rc = set_stack(&attributes, stack_bytes);
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before); /* a new thread inherits the mask */
        if (rc == 0) rc = pthread_create(&thread->native, &attributes, run_body, thread);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    if (rc == 0) return SL_OK;
    return sl_fail(err, SL_RESOURCE_EXHAUSTED, "could not start thread '%s': error %d", thread->name, rc);
}

void sl_thread_join(struct sl_thread *thread) { pthread_join(thread->native, NULL); }

void sl_thread_detach_self(void) { pthread_detach(pthread_self()); }

void sl_thread_yield(void) { sched_yield(); }
