/* Ctrl-C stops what the main thread waits for: steps of sessions, eager ops, functions, gradients.
 *
 * Python's handler of SIGINT only notes the signal, and the main thread looks at the note when it next runs Python: too
 * late for a step that does not end. So a handler of this file is chained before it, which wakes the watcher, a thread of
 * its own; that cancels what the main thread runs. The step fails with CANCELLED, the main thread asks Python, and
 * Python raises KeyboardInterrupt. Handlers other than Python's own (signal.default_int_handler) may mean to let a step
 * end, and nothing is cancelled for them.
 *
 * Programs replace handlers (Jupyter does so for every cell). The watcher looks every 50 ms as long as the main thread
 * runs steps, and chains its handler again when one step has taken so long; it sleeps when there are none.
 *
 * A step costs a store and an exchange: `state` has the number of the step under way. The watcher cancels only the step
 * that ran when the signal came. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "native.h"
#include "sluice/cancel.h"

enum { RUNNING = 1, CANCELLING = 2, NEXT_STEP = 4, LOOK_MS = 50, IDLE_LOOKS = 20 };

static _Atomic uint64_t state; /* the main thread's last step and whether it runs; written by that thread, and by the
                                      watcher who sets CANCELLING */
static _Atomic uint64_t signalled; /* `state` as the signal found it */
static atomic_bool has_signal, is_awake;
static sem_t wake;
static pthread_mutex_t cancelling = PTHREAD_MUTEX_INITIALIZER;
static TFE_CancellationManager *manager;    /* of the main thread */
static struct sigaction chained;            /* the handler that ours calls */
static bool is_ready;                       /* in this process */
static _Thread_local signed char of_thread; /* 0: not known, 1: the main thread, -1: another one */

/* ---- the signal */

static void on_signal(int number, siginfo_t *info, void *context) {
    const int error = errno;
    atomic_store(&signalled, atomic_load(&state));
    atomic_store(&has_signal, true);
    sem_post(&wake);
    if (chained.sa_flags & SA_SIGINFO) chained.sa_sigaction(number, info, context);
    else chained.sa_handler(number);
    errno = error;
}

/* Before whatever handles SIGINT now, if anything does. */
static void chain_handler(void) {
    struct sigaction now;
    if (sigaction(SIGINT, NULL, &now)) return;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_signal) return;
    if (!(now.sa_flags & SA_SIGINFO) && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)) return;
    chained = now;
    now.sa_sigaction = on_signal;
    now.sa_flags |= SA_SIGINFO;
    sigaction(SIGINT, &now, NULL);
}

/* ---- the watcher */

static bool is_pythons_own_handler(void) {
    if (!Py_IsInitialized()) return false;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *module = PyImport_ImportModule("signal");
    PyObject *now = module ? PyObject_CallMethod(module, "getsignal", "i", SIGINT) : NULL;
    PyObject *own = now ? PyObject_GetAttrString(module, "default_int_handler") : NULL;
    const bool is_same = own && own == now;
    PyErr_Clear();
    Py_XDECREF(own);
    Py_XDECREF(now);
    Py_XDECREF(module);
    PyGILState_Release(gil);
    return is_same;
}

static void handle_signal(void) {
    uint64_t seen = atomic_load(&signalled);
    if (!(seen & RUNNING) || atomic_load(&state) != seen || !is_pythons_own_handler()) return;
    pthread_mutex_lock(&cancelling);
    if (atomic_compare_exchange_strong(&state, &seen, seen | CANCELLING)) TFE_CancellationManagerStartCancel(manager);
    pthread_mutex_unlock(&cancelling);
}

static void wait_a_while(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    sem_timedwait(&wake, &until);
}

static void *watch(void *unused) {
    (void)unused;
    uint64_t last = 0;
    int idle = 0;
    for (;;) {
        if (idle < IDLE_LOOKS) wait_a_while();
        else {
            atomic_store(&is_awake, false);
            if (atomic_load(&state) == last) sem_wait(&wake);
            atomic_store(&is_awake, true);
            idle = 0;
        }
        if (atomic_exchange(&has_signal, false)) handle_signal();
        const uint64_t now = atomic_load(&state);
        if ((now & RUNNING) && now == last) chain_handler();
        idle = now == last && !(now & RUNNING) ? idle + 1 : 0;
        last = now;
    }
    return NULL;
}

static int start_watcher(void) {
    sigset_t all, before;
    pthread_t thread;
    pthread_attr_t attr;
    if (pthread_attr_init(&attr)) return -1;
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, (size_t)256 << 10);
    sigfillset(&all); /* signals are for the other threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&thread, &attr, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return failed;
}

/* ---- fork: the child has no watcher; its main thread is the one that forked */

static void begin_anew(void) {
    is_ready = false;
    of_thread = 0;
    manager = NULL; /* the parent's, which may be locked */
    pthread_mutex_init(&cancelling, NULL);
    atomic_store(&state, atomic_load(&state) & ~(uint64_t)(RUNNING | CANCELLING));
    atomic_store(&has_signal, false);
    sl_thread_stops_with(NULL);
}

/* ---- steps */

/* With the GIL. Without a watcher steps run, and Ctrl-C waits for them. */
static void get_ready(void) {
    static bool watches_forks;
    is_ready = true;
    if (!watches_forks) watches_forks = !pthread_atfork(NULL, NULL, begin_anew);
    atomic_store(&is_awake, true);
    manager = TFE_NewCancellationManager();
    if (!manager || sem_init(&wake, 0, 0) || start_watcher()) {
        of_thread = -1;
        return;
    }
    sl_thread_stops_with(manager);
    chain_handler();
}

/* Which thread this is; the main one gets ready. */
static bool is_main_thread(void) {
    of_thread = getpid() == (pid_t)syscall(SYS_gettid) ? 1 : -1;
    if (of_thread == 1 && !is_ready) get_ready();
    return of_thread == 1;
}

PyThreadState *interruptible_begin(bool *is_watched) {
    *is_watched = false;
    if (of_thread == 1 || (of_thread == 0 && is_main_thread())) {
        const uint64_t now = atomic_load_explicit(&state, memory_order_relaxed);
        if (!(now & RUNNING)) { /* else it is a callback within a step */
            *is_watched = true;
            atomic_store_explicit(&state, now + NEXT_STEP + RUNNING, memory_order_release);
            if (!atomic_load_explicit(&is_awake, memory_order_relaxed)) {
                atomic_store(&is_awake, true);
                sem_post(&wake);
            }
        }
    }
    return PyEval_SaveThread();
}

/* The step was cancelled: its manager is of no use any more. */
static void renew_manager(void) {
    pthread_mutex_lock(&cancelling); /* the watcher is still at it, maybe */
    TFE_CancellationManager *used = manager;
    manager = TFE_NewCancellationManager();
    sl_thread_stops_with(manager);
    TFE_DeleteCancellationManager(used);
    atomic_store(&state, atomic_load(&state) & ~(uint64_t)(RUNNING | CANCELLING));
    pthread_mutex_unlock(&cancelling);
}

int interruptible_end(PyThreadState *thread, bool is_watched, const TF_Status *status) {
    bool is_interrupted = false;
    if (is_watched) {
        uint64_t now = atomic_load_explicit(&state, memory_order_relaxed) & ~(uint64_t)CANCELLING;
        is_interrupted = !atomic_compare_exchange_strong(&state, &now, now & ~(uint64_t)RUNNING);
        if (is_interrupted) renew_manager();
    }
    PyEval_RestoreThread(thread);
    if (!is_interrupted || TF_GetCode(status) == TF_OK) return 0;
    if (!PyErr_CheckSignals()) PyErr_SetNone(PyExc_KeyboardInterrupt); /* a callback has seen to the signal */
    return -1;
}
