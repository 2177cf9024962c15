/* Cancellation of a step or session: a flag, a deadline, and callbacks for those that wait.
 * Threads: thread-safe. Callbacks run on the thread that cancels, without the lock held. */
#ifndef SL_KERNEL_CANCELLATION_H
#define SL_KERNEL_CANCELLATION_H

#include <stdatomic.h>
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
 * the step starts; that of a walk through a dataset while stages of it run ahead, too. */
void sl_cancellation_set_deadline(struct sl_cancellation *c, int64_t ns);
int64_t sl_cancellation_deadline(const struct sl_cancellation *c); /* 0: none */
bool sl_cancellation_is_on_slowly(struct sl_cancellation *c);
/* What a cancellation begins with. */
enum sl_cancellation_news { SL_CANCELLATION_ON = 1, SL_CANCELLATION_ASKS = 2 };
struct sl_cancellation_head {
    atomic_uchar news;             /* enum sl_cancellation_news */
    _Atomic int64_t deadline;      /* 0: none; set before the step starts */
    _Atomic(const void *) subject; /* what runs, for the parent's follower; NULL: it does not know */
};
/* Whether there is anything for a loop to heed: then it answers and asks sl_cancellation_is_on. */
static inline bool sl_cancellation_has_news(const struct sl_cancellation *c) {
    const struct sl_cancellation_head *head = (const struct sl_cancellation_head *)c;
    return atomic_load_explicit(&head->news, memory_order_acquire) ||
           atomic_load_explicit(&head->deadline, memory_order_relaxed);
}
/* Cheap: two loads, and the clock when there is a deadline. */
static inline bool sl_cancellation_is_on(struct sl_cancellation *c) {
    return sl_cancellation_has_news(c) && sl_cancellation_is_on_slowly(c);
}
/* Whether it is on or its time is over. Runs no callback, as the others may when time is over: for who holds a lock that callbacks
 * take. */
bool sl_cancellation_is_due(struct sl_cancellation *c);
sl_code sl_cancellation_status(struct sl_cancellation *c, struct sl_error *err); /* OK, or the reason */
/* Adds something that waited when time was over, or when somebody cancelled, to the text of the reason; nothing when
 * there is no cancellation, for another reason, or when the text has `who` already. `what` begins with `who`. */
void sl_cancellation_note_wait(struct sl_cancellation *c, const char *who, const char *what);
bool sl_cancellation_has_waits(struct sl_cancellation *c);
/* ---- what waits, in sentences, while it does */
struct sl_wait_listener {
    void (*hear)(struct sl_wait_listener *self, const char *sentence); /* on any thread, one after the other */
    size_t n;                                                          /* sentences so far */
};
/* Knows more of what waits: who could end it. Of a session: its steps, whose subject says what runs, ask it. */
struct sl_wait_follower {
    /* Says the sentences, which are lines, and after a sentence what follows of it: sentences that begin with two spaces. On
     * any thread. */
    void (*follow)(struct sl_wait_follower *self, const void *subject, const char *lines, struct sl_wait_listener *to);
};
/* Before there are children. Borrowed. */
void sl_cancellation_set_follower(struct sl_cancellation *c, struct sl_wait_follower *follower);
/* Borrowed until the cancellation is freed. */
static inline void sl_cancellation_set_subject(struct sl_cancellation *c, const void *subject) {
    atomic_store_explicit(&((struct sl_cancellation_head *)c)->subject, subject, memory_order_release);
}
/* Adds a sentence to the text of an error: "TEXT. Waiting: SENTENCE (WHAT FOLLOWS; WHAT FOLLOWS), SENTENCE". */
void sl_wait_add_to_error(struct sl_error *err, bool is_first, const char *sentence);
void sl_wait_say(struct sl_wait_listener *to, const char *format, ...) SL_PRINTF(2, 3);
/* Asks the children of a session's cancellation, its steps. Call it, and the next, with no lock held. */
void sl_cancellation_tell(struct sl_cancellation *c, struct sl_wait_listener *to);
/* Asks all that is registered for a step. If nothing waits, the loop that it is in may answer; for that this waits 0.2 s at most. */
void sl_cancellation_tell_of_step(struct sl_cancellation *c, struct sl_wait_listener *to);
/* The answer of a loop, to whoever asks; nothing when nobody does. */
void sl_cancellation_answer(struct sl_cancellation *c, const char *sentence);

/* Registers; false when already cancelled (then `fn` is not called). `token` is the caller's, unregister with it. */
struct sl_cancellation_callback {
    void (*fn)(void *arg);
    void *arg;
    /* Says what is waited for; with no lock of the cancellation held, and before `fn` if at all. NULL: it tells nothing. */
    void (*tell)(void *arg, struct sl_wait_listener *to);
    struct sl_cancellation_callback *next, **at;
    unsigned told; /* in which round */
};
bool sl_cancellation_register(struct sl_cancellation *c, struct sl_cancellation_callback *callback);
/* After it returns `fn` is not running and will not run. Not from within `fn`. True when it was still registered. */
bool sl_cancellation_unregister(struct sl_cancellation *c, struct sl_cancellation_callback *callback);

/* What the calling thread runs stops with this one too; NULL, the default: with none. Borrowed: it must outlive what runs.
 * Gives the one before. */
struct sl_cancellation *sl_cancellation_of_thread_set(struct sl_cancellation *c);
struct sl_cancellation *sl_cancellation_of_thread(void);
/* From linking to unlinking, cancelling `from` cancels `to`. `from` may be NULL. */
struct sl_cancellation_link {
    struct sl_cancellation_callback callback;
    struct sl_cancellation *from, *to;
};
void sl_cancellation_link(struct sl_cancellation_link *link, struct sl_cancellation *to, struct sl_cancellation *from);
void sl_cancellation_unlink(struct sl_cancellation_link *link);

#endif
