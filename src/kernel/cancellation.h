/* Cancellation of a step or session: a flag, a deadline, and callbacks for those that wait.
 * Threads: thread-safe. Callbacks run on the thread that cancels, without the lock held. */
#ifndef SL_KERNEL_CANCELLATION_H
#define SL_KERNEL_CANCELLATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct sl_cancellation;
/* `parent` may be NULL; it must outlive the child, and cancelling it cancels the child. */
sl_code sl_cancellation_new(struct sl_cancellation **out, struct sl_cancellation *parent, struct sl_error *err);
void sl_cancellation_free(struct sl_cancellation *c);
/* Cancels once with a reason; later calls change nothing. */
void sl_cancellation_start(struct sl_cancellation *c, sl_code code, const char *message);
/* Time on the clock of sl_clock_ns after which is_cancelled turns true with DEADLINE_EXCEEDED; 0: never. Set before
 * the step starts. */
void sl_cancellation_set_deadline(struct sl_cancellation *c, int64_t ns);
int64_t sl_cancellation_deadline(const struct sl_cancellation *c); /* 0: none */
bool sl_cancellation_is_on(struct sl_cancellation *c); /* cheap: one load, and the clock when there is a deadline */
sl_code sl_cancellation_status(struct sl_cancellation *c, struct sl_error *err); /* OK, or the reason */
/* Registers; false when already cancelled (then `fn` is not called). `token` is the caller's, unregister with it. */
struct sl_cancellation_callback {
    void (*fn)(void *arg);
    void *arg;
    struct sl_cancellation_callback *next, **at;
};
bool sl_cancellation_register(struct sl_cancellation *c, struct sl_cancellation_callback *callback);
/* After it returns `fn` is not running and will not run. Not from within `fn`. True when it was still registered. */
bool sl_cancellation_unregister(struct sl_cancellation *c, struct sl_cancellation_callback *callback);

#endif
