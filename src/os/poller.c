/* A poller: a way to wait, and a waker among what is waited for, which the caller does not see. */
#include "os/poller.h"

#include <limits.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "os/poll_way.h"
#include "os/waker.h"

struct sl_poller {
    const struct sl_poll_way *way;
    void *state;
    struct sl_waker waker;
    atomic_bool is_woken; /* and has not noticed: the waker need not be told again */
};

static const struct sl_poll_way *best_way(bool is_portable) {
#if defined(__linux__)
    if (!is_portable) return &sl_poll_by_epoll;
#endif
    (void)is_portable;
    return &sl_poll_by_poll;
}

sl_code sl_poller_new(struct sl_poller **out, bool is_portable, struct sl_error *err) {
    struct sl_poller *p = sl_calloc(1, sizeof *p);
    if (!p) return sl_fail_memory(err, sizeof *p);
    p->way = best_way(is_portable);
    sl_code code = sl_waker_init(&p->waker, err);
    if (code != SL_OK) {
        sl_free(p);
        return code;
    }
    code = p->way->create(&p->state, err);
    if (code == SL_OK) {
        code = p->way->add(p->state, p->waker.read_fd, SL_POLL_READ, p, err);
        if (code != SL_OK) p->way->destroy(p->state);
    }
    if (code != SL_OK) {
        sl_waker_clear(&p->waker);
        sl_free(p);
        return code;
    }
    *out = p;
    return SL_OK;
}

void sl_poller_free(struct sl_poller *p) {
    if (!p) return;
    p->way->destroy(p->state);
    sl_waker_clear(&p->waker);
    sl_free(p);
}

sl_code sl_poller_add(struct sl_poller *p, int fd, unsigned what, void *data, struct sl_error *err) {
    return p->way->add(p->state, fd, what, data, err);
}

sl_code sl_poller_change(struct sl_poller *p, int fd, unsigned what, void *data, struct sl_error *err) {
    return p->way->change(p->state, fd, what, data, err);
}

void sl_poller_remove(struct sl_poller *p, int fd) { p->way->remove(p->state, fd); }

/* In whole milliseconds, never too early. */
static int milliseconds(int64_t ns) {
    if (ns < 0) return -1;
    int64_t ms = ns / 1000000 + (ns % 1000000 != 0);
    return ms < INT_MAX ? (int)ms : INT_MAX;
}

int sl_poller_wait(struct sl_poll_event *events, int most, struct sl_poller *p, int64_t timeout_ns) {
    int n = p->way->wait(events, most, p->state, milliseconds(timeout_ns));
    for (int i = 0; i < n; i++) {
        if (events[i].data != p) continue;
        sl_waker_drain(&p->waker);
        atomic_store(&p->is_woken,
                     false); /* not before: then a wake in between would be drained and yet count as told */
        events[i] = events[--n];
        break;
    }
    return n;
}

void sl_poller_wake(struct sl_poller *p) {
    if (!atomic_exchange(&p->is_woken, true)) sl_waker_wake(&p->waker);
}
