/* A handler may do next to nothing, so it writes a byte for a thread that does the rest. */
#include "interrupt.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "command.h"

static struct {
    TF_Session *session;
    pthread_t thread;
    int ends[2]; /* of a pipe: 's' a signal came, 'e' the watch ends */
    bool is_on, was_interrupted;
} watch;

static void tell(int number) {
    int kept = errno;
    (void)number;
    if (write(watch.ends[1], "s", 1) != 1) _exit(EXIT_FAILED);
    errno = kept;
}

static void *wait_for_signal(void *arg) {
    char what = 'e';
    (void)arg;
    while (read(watch.ends[0], &what, 1) < 0 && errno == EINTR)
        ;
    if (what != 's') return NULL;
    watch.was_interrupted = true;
    TF_Status *status = must_have(TF_NewStatus());
    TF_CloseSession(watch.session, status);
    TF_DeleteStatus(status);
    return NULL;
}

bool interrupt_watch(TF_Session *session) {
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
    action.sa_handler = tell;
    watch.session = session;
    watch.was_interrupted = false;
    if (pipe(watch.ends)) return false;
    if (pthread_create(&watch.thread, NULL, wait_for_signal, NULL)) {
        close(watch.ends[0]);
        close(watch.ends[1]);
        return false;
    }
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return watch.is_on = true;
}

bool interrupt_end(void) {
    if (!watch.is_on) return false;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (write(watch.ends[1], "e", 1) != 1) _exit(EXIT_FAILED);
    pthread_join(watch.thread, NULL);
    close(watch.ends[0]);
    close(watch.ends[1]);
    watch.is_on = false;
    return watch.was_interrupted;
}
