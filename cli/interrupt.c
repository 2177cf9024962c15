/* A handler may do next to nothing, so it writes a byte for a thread that does the rest. */
#include "interrupt.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "command.h"

static struct {
    TF_Session *session;
    struct explained explained;
    pthread_t thread;
    int ends[2]; /* of a pipe: 's' a signal came, 'u' SIGUSR1 did, 'e' the watch ends */
    bool is_on, was_interrupted;
} watch;

static void tell(int number) {
    int kept = errno;
    if (write(watch.ends[1], number == SIGUSR1 ? "u" : "s", 1) != 1) _exit(EXIT_FAILED);
    errno = kept;
}

/* What has come; 'u' too when nothing has for `explained.after_ms`. */
static char next_event(int64_t *left_ms) {
    struct pollfd end = {.fd = watch.ends[0], .events = POLLIN};
    char what = 'e';
    int n;
    do n = poll(&end, 1, *left_ms > 0 && *left_ms < 1000000000 ? (int)*left_ms : -1);
    while (n < 0 && errno == EINTR);
    if (n == 0) {
        *left_ms = 0; /* once */
        return 'u';
    }
    while (read(watch.ends[0], &what, 1) < 0 && errno == EINTR)
        ;
    return what;
}

static void *wait_for_signal(void *arg) {
    int64_t left_ms = watch.explained.after_ms;
    char what;
    (void)arg;
    while ((what = next_event(&left_ms)) == 'u') watch.explained.explain(watch.explained.arg, watch.session);
    if (what != 's') return NULL;
    watch.was_interrupted = true;
    TF_Status *status = must_have(TF_NewStatus());
    TF_CloseSession(watch.session, status);
    TF_DeleteStatus(status);
    return NULL;
}

bool interrupt_watch(TF_Session *session, const struct explained *explained) {
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND}, ask = {.sa_flags = SA_RESTART};
    action.sa_handler = ask.sa_handler = tell;
    watch.session = session;
    watch.explained = *explained;
    watch.was_interrupted = false;
    if (pipe(watch.ends)) return false;
    if (pthread_create(&watch.thread, NULL, wait_for_signal, NULL)) {
        close(watch.ends[0]);
        close(watch.ends[1]);
        return false;
    }
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &ask, NULL);
    return watch.is_on = true;
}

bool interrupt_end(void) {
    if (!watch.is_on) return false;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGUSR1, SIG_IGN); /* who asks too late should not end the process */
    if (write(watch.ends[1], "e", 1) != 1) _exit(EXIT_FAILED);
    pthread_join(watch.thread, NULL);
    close(watch.ends[0]);
    close(watch.ends[1]);
    watch.is_on = false;
    return watch.was_interrupted;
}
