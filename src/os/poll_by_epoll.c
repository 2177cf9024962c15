/* epoll: the system keeps the list. */
#if defined(__linux__)

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/fault.h"
#include "os/file.h"
#include "os/poll_way.h"

enum { MOST_AT_ONCE = 64 };

static sl_code create(void **state, struct sl_error *err) {
    int *fd = sl_malloc(sizeof *fd);
    if (!fd) return sl_fail_memory(err, sizeof *fd);
    *fd = sl_fault() ? -1 : epoll_create1(EPOLL_CLOEXEC);
    if (*fd < 0) {
        sl_free(fd);
        return sl_fail_errno(err, "epoll", errno);
    }
    *state = fd;
    return SL_OK;
}

static void destroy(void *state) {
    close(*(int *)state);
    sl_free(state);
}

static sl_code control(void *state, int operation, int fd, unsigned what, void *data, struct sl_error *err) {
    struct epoll_event event = {.data = {.ptr = data}};
    if (what & SL_POLL_READ) event.events |= EPOLLIN | EPOLLRDHUP;
    if (what & SL_POLL_WRITE) event.events |= EPOLLOUT;
    bool failed = sl_fault() || epoll_ctl(*(int *)state, operation, fd, &event);
    return failed ? sl_fail_errno(err, "epoll", errno) : SL_OK;
}

static sl_code add(void *state, int fd, unsigned what, void *data, struct sl_error *err) {
    return control(state, EPOLL_CTL_ADD, fd, what, data, err);
}

static sl_code change(void *state, int fd, unsigned what, void *data, struct sl_error *err) {
    return control(state, EPOLL_CTL_MOD, fd, what, data, err);
}

static void remove_fd(void *state, int fd) { epoll_ctl(*(int *)state, EPOLL_CTL_DEL, fd, NULL); }

static unsigned what_of(uint32_t bits) {
    unsigned what = 0;
    if (bits & (EPOLLIN | EPOLLRDHUP)) what |= SL_POLL_READ;
    if (bits & EPOLLOUT) what |= SL_POLL_WRITE;
    if (bits & (EPOLLERR | EPOLLHUP)) what |= SL_POLL_GONE;
    return what;
}

static int wait_for(struct sl_poll_event *events, int most, void *state, int timeout_ms) {
    struct epoll_event found[MOST_AT_ONCE];
    int n = epoll_wait(*(int *)state, found, most < MOST_AT_ONCE ? most : MOST_AT_ONCE, timeout_ms);
    for (int i = 0; i < n; i++) events[i] = (struct sl_poll_event){found[i].data.ptr, what_of(found[i].events)};
    return n < 0 ? 0 : n;
}

const struct sl_poll_way sl_poll_by_epoll = {create, destroy, add, change, remove_fd, wait_for};

#else
typedef int sl_no_epoll; /* a file must declare something */
#endif
