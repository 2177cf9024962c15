/* Waking a thread that polls: an eventfd, elsewhere a pipe. */
#ifndef SL_OS_WAKER_H
#define SL_OS_WAKER_H

#include "base/error.h"

struct sl_waker {
    int read_fd, write_fd; /* the same for an eventfd; `read_fd` is readable when somebody was woken */
};
sl_code sl_waker_init(struct sl_waker *w, struct sl_error *err);
void sl_waker_clear(struct sl_waker *w);
void sl_waker_wake(const struct sl_waker *w);  /* thread-safe */
void sl_waker_drain(const struct sl_waker *w); /* by who polls: not readable any more */

#endif
