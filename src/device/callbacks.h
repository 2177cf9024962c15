/* Threads on which waiters are told that a stream has come so far. A device's own thread must not do that: what
 * waits may be a whole step, which works on and waits for the device again.
 *
 * One thread takes a waiter at a time, and makes sure before it calls that another one takes the next: a waiter that
 * waits itself holds nobody up. There are as many threads as ever waited at once. Threads: thread-safe. */
#ifndef SL_DEVICE_CALLBACKS_H
#define SL_DEVICE_CALLBACKS_H

#include "device/device.h"

struct sl_callbacks;

sl_code sl_callbacks_new(struct sl_callbacks **out, const char *thread_name, struct sl_error *err);
/* Calls what is still there, then ends the threads. NULL is fine. */
void sl_callbacks_free(struct sl_callbacks *c);
/* `waiter->done(waiter, code, err)` soon, in the order of posts; `err` is copied. */
void sl_callbacks_post(struct sl_callbacks *c, struct sl_device_waiter *waiter, sl_code code,
                       const struct sl_error *err);

#endif
