/* poll: a list of our own, handed over at each wait. */
#include <errno.h>
#include <poll.h>

#include "base/vec.h"
#include "os/file.h"
#include "os/poll_way.h"

struct watched {
    SL_VEC(struct pollfd) fds;
    SL_VEC(void *) datas; /* beside `fds` */
    size_t next;          /* where the last wait stopped telling, so that nobody is passed over for ever */
};

static sl_code create(void **state, struct sl_error *err) {
    *state = sl_calloc(1, sizeof(struct watched));
    return *state ? SL_OK : sl_fail_memory(err, sizeof(struct watched));
}

static void destroy(void *state) {
    struct watched *w = state;
    sl_vec_free(&w->fds);
    sl_vec_free(&w->datas);
    sl_free(w);
}

/* Its place, or n. */
static size_t find(const struct watched *w, int fd) {
    size_t i = 0;
    while (i < w->fds.n && w->fds.items[i].fd != fd) i++;
    return i;
}

static void set(struct watched *w, size_t i, int fd, unsigned what, void *data) {
    int bits = (what & SL_POLL_READ ? POLLIN : 0) | (what & SL_POLL_WRITE ? POLLOUT : 0);
    w->fds.items[i] = (struct pollfd){.fd = fd, .events = (short)bits};
    w->datas.items[i] = data;
}

static sl_code add(void *state, int fd, unsigned what, void *data, struct sl_error *err) {
    struct watched *w = state;
    if (find(w, fd) < w->fds.n) return sl_fail_errno(err, "poll", EEXIST);
    if (sl_vec_reserve(&w->fds, 1) || sl_vec_reserve(&w->datas, 1)) return sl_fail_memory(err, sizeof(struct pollfd));
    w->datas.n++;
    set(w, w->fds.n++, fd, what, data);
    return SL_OK;
}

static sl_code change(void *state, int fd, unsigned what, void *data, struct sl_error *err) {
    struct watched *w = state;
    size_t i = find(w, fd);
    if (i == w->fds.n) return sl_fail_errno(err, "poll", ENOENT);
    set(w, i, fd, what, data);
    return SL_OK;
}

static void remove_fd(void *state, int fd) {
    struct watched *w = state;
    size_t i = find(w, fd);
    if (i == w->fds.n) return;
    w->fds.items[i] = w->fds.items[--w->fds.n];
    w->datas.items[i] = w->datas.items[--w->datas.n];
}

static unsigned what_of(short bits) {
    unsigned what = 0;
    if (bits & (POLLIN | POLLHUP)) what |= SL_POLL_READ;
    if (bits & POLLOUT) what |= SL_POLL_WRITE;
    if (bits & (POLLERR | POLLHUP | POLLNVAL)) what |= SL_POLL_GONE;
    return what;
}

static int wait_for(struct sl_poll_event *events, int most, void *state, int timeout_ms) {
    struct watched *w = state;
    int ready = poll(w->fds.items, (nfds_t)w->fds.n, timeout_ms), n = 0;
    size_t start = w->next < w->fds.n ? w->next : 0;
    for (size_t k = 0; k < w->fds.n && ready > 0 && n < most; k++) {
        size_t i = (start + k) % w->fds.n;
        unsigned what = what_of(w->fds.items[i].revents);
        if (!what) continue;
        events[n++] = (struct sl_poll_event){w->datas.items[i], what};
        w->next = i + 1;
    }
    return n;
}

const struct sl_poll_way sl_poll_by_poll = {create, destroy, add, change, remove_fd, wait_for};
