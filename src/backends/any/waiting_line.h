/* Waiting without a thread: attempts of kernels that an object cannot serve at once stand in its lines until it can.
 *
 *   object ── lock ── line 0: attempt, attempt ...      (say, those that put something in)
 *                  └─ line 1: attempt ...               (those that take something out)
 *
 * Whoever changes the object does it between sl_lines_lock and sl_lines_unlock; the latter tries all that may go on
 * now, and ends those that are through after the lock is free. A wait also ends when its step is cancelled.
 * Thread-safe. */
#ifndef SL_BACKENDS_ANY_WAITING_LINE_H
#define SL_BACKENDS_ANY_WAITING_LINE_H

#include "kernel/cancellation.h"
#include "kernel/kernel.h"
#include "os/mutex.h"

struct sl_lines;

enum sl_attempt_result {
    SL_ATTEMPT_WAITS,  /* nothing has changed */
    SL_ATTEMPT_MOVED,  /* the object has changed, but there is more to do */
    SL_ATTEMPT_THROUGH /* the end; `code` says which, the text is in k->err */
};

/* The first member of what a waiting kernel knows; on the heap. */
struct sl_attempt {
    struct sl_kernel_context *k; /* its inputs stay in their slots until the end */
    /* Called with the lock held, as often as anything changes. */
    enum sl_attempt_result (*try)(struct sl_attempt *a);
    /* After a good end, without the lock: makes outputs. May be NULL. */
    sl_code (*finish)(struct sl_attempt *a);
    /* Frees what it has, but not itself. May be NULL. */
    void (*clear)(struct sl_attempt *a);
    /* "has 1 of 2": how far it is, for who asks; with the lock held. NULL: nothing to say. */
    int (*describe)(char *text, size_t size, const struct sl_attempt *a);
    const char *cancelled; /* message when the wait is cancelled: "Enqueue operation was cancelled" */
    sl_code code;
    /* of waiting_line.c */
    struct sl_lines *lines;
    struct sl_object *object;
    struct sl_attempt *next, **at;
    struct sl_cancellation_callback callback;
    bool is_through, is_registered, is_cancelling;
};

enum { SL_LINES = 2 };
struct sl_lines {
    struct sl_mutex mutex;
    struct sl_attempt *first[SL_LINES], **last[SL_LINES];
    struct sl_attempt *through; /* to be ended once the lock is free */
    bool in_any_order;          /* all of a line are tried; else the first alone */
    /* "is empty": how the object is, for who asks what is waited for; with the lock held. NULL: nothing to say. */
    int (*describe)(char *text, size_t size, const struct sl_lines *l);
    bool
        names_itself; /* `describe` tells what it is, too, "group 1, which has 1 of 2 members": no resource has its name */
};
void sl_lines_init(struct sl_lines *l, bool in_any_order);
void sl_lines_clear(struct sl_lines *l); /* nobody waits: attempts hold the object */

void sl_lines_lock(struct sl_lines *l);
void sl_lines_unlock(struct sl_lines *l);
static inline bool sl_lines_is_empty(const struct sl_lines *l, int line) { return l->first[line] == NULL; }
/* Ends all attempts of a line as cancelled. With the lock held. */
void sl_lines_cancel(struct sl_lines *l, int line);

/* An attempt with zeros after its head; NULL when memory is out. */
void *sl_attempt_new(size_t bytes, struct sl_kernel_context *k);
/* Lets it wait at the end of a line of `object`, of which it takes a reference of its own, and takes the attempt
 * over. The kernel is done when it is through, maybe before this returns. */
void sl_attempt_start(struct sl_attempt *a, struct sl_object *object, struct sl_lines *l, int line);
/* `a` is through with this error: SL_ATTEMPT_THROUGH. For `try`. */
enum sl_attempt_result sl_attempt_fail(struct sl_attempt *a, sl_code code, const char *format, ...) SL_PRINTF(3, 4);

#endif
