/* Nothing can go wrong when waking: a full pipe or counter is readable anyway. */
#include "os/waker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/eventfd.h>
#endif

#include "os/fault.h"
#include "os/file.h"

#if defined(__linux__)
static int make(struct sl_waker *w) { return w->read_fd = w->write_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
#else
static int make(struct sl_waker *w) {
    int fds[2];
    if (pipe(fds)) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(fds[i], F_SETFD, FD_CLOEXEC);
        fcntl(fds[i], F_SETFL, O_NONBLOCK);
    }
    w->read_fd = fds[0];
    w->write_fd = fds[1];
    return 0;
}
#endif

sl_code sl_waker_init(struct sl_waker *w, struct sl_error *err) {
    return sl_fault() || make(w) < 0 ? sl_fail_errno(err, "a way to wake a thread", errno) : SL_OK;
}

void sl_waker_clear(struct sl_waker *w) {
    close(w->read_fd);
    if (w->write_fd != w->read_fd) close(w->write_fd);
}

void sl_waker_wake(const struct sl_waker *w) {
    const uint64_t one = 1;
    ssize_t rc;
    do rc = write(w->write_fd, &one, sizeof one);
    while (rc < 0 && errno == EINTR);
}

void sl_waker_drain(const struct sl_waker *w) {
    uint64_t words[64];
    ssize_t rc;
    do rc = read(w->read_fd, words, sizeof words);
    while (rc == sizeof words || (rc < 0 && errno == EINTR));
}
