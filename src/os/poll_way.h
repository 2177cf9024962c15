/* A way to wait for descriptors: what poller.c asks of the system. Internal to poller.c, poll_by_epoll.c,
 * poll_by_poll.c. */
#ifndef SL_OS_POLL_WAY_H
#define SL_OS_POLL_WAY_H

#include "os/poller.h"

/* `state` is what `create` made. As in poller.h else; `timeout_ms` is that of poll. An interrupted wait ends with
 * nothing. */
struct sl_poll_way {
    sl_code (*create)(void **state, struct sl_error *err);
    void (*destroy)(void *state);
    sl_code (*add)(void *state, int fd, unsigned what, void *data, struct sl_error *err);
    sl_code (*change)(void *state, int fd, unsigned what, void *data, struct sl_error *err);
    void (*remove)(void *state, int fd);
    int (*wait)(struct sl_poll_event *events, int most, void *state, int timeout_ms);
};
extern const struct sl_poll_way sl_poll_by_poll;
#if defined(__linux__)
extern const struct sl_poll_way sl_poll_by_epoll;
#endif

#endif
