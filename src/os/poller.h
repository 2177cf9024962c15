/* Waiting for many file descriptors at once: epoll on Linux, poll elsewhere. What is ready is told each time until
 * it is dealt with (level-triggered). One owner, but for sl_poller_wake. A forked child must not use one that its
 * parent made: they would share it. */
#ifndef SL_OS_POLLER_H
#define SL_OS_POLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum sl_poll_what {
    SL_POLL_READ = 1,  /* data, a peer to accept, or the end of what the peer writes */
    SL_POLL_WRITE = 2, /* room, or a connection that stands or has failed */
    SL_POLL_GONE = 4   /* an error, or both directions are closed; told unasked, with READ and WRITE as asked for */
};
struct sl_poll_event {
    void *data;
    unsigned what; /* of enum sl_poll_what */
};

struct sl_poller;
/* `is_portable`: by poll on every system. */
sl_code sl_poller_new(struct sl_poller **out, bool is_portable, struct sl_error *err);
void sl_poller_free(struct sl_poller *p); /* NULL is fine */

/* A descriptor is watched once. `what` may be 0: GONE alone. */
sl_code sl_poller_add(struct sl_poller *p, int fd, unsigned what, void *data, struct sl_error *err);
sl_code sl_poller_change(struct sl_poller *p, int fd, unsigned what, void *data, struct sl_error *err);
/* Before the descriptor is closed. */
void sl_poller_remove(struct sl_poller *p, int fd);
/* Waits until something is ready, it is woken, or `timeout_ns` have passed (up to a millisecond more; negative: for
 * ever). Fills up to `most` events; returns how many. */
int sl_poller_wait(struct sl_poll_event *events, int most, struct sl_poller *p, int64_t timeout_ns);
/* Ends a wait, the one to come when there is none; several at once are one. From any thread. */
void sl_poller_wake(struct sl_poller *p);

#endif
