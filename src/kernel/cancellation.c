/* Cancellation. The flag is read without the lock; callbacks are taken off the list one by one, so that a callback
 * may be unregistered while others run. */
#include "kernel/cancellation.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "os/clock.h"
#include "os/mutex.h"

struct sl_cancellation {
    struct sl_cancellation_head head;
    struct sl_mutex mutex;
    struct sl_condition idle;
    struct sl_cancellation_callback *callbacks, *running, *telling;
    bool is_telling; /* somebody goes round */
    unsigned rounds;
    struct sl_wait_listener *asks; /* hears the answer of a loop */
    struct sl_cancellation *parent;
    struct sl_wait_follower *follower; /* of the children */
    struct sl_cancellation_callback from_parent;
    bool has_waits;         /* the reason's text names some */
    struct sl_error reason; /* last: every step makes one of these, and the message is not cleared */
};

static bool is_on(struct sl_cancellation *c) {
    return atomic_load_explicit(&c->head.news, memory_order_acquire) & SL_CANCELLATION_ON;
}

static void pass_on(struct sl_cancellation *to, struct sl_cancellation *from) {
    struct sl_error reason = {0};
    sl_cancellation_status(from, &reason);
    sl_cancellation_start(to, reason.code == SL_OK ? SL_CANCELLED : reason.code, reason.message);
}

static void cancel_child(void *arg) {
    struct sl_cancellation *c = arg;
    pass_on(c, c->parent);
}

static void tell_of_child(void *arg, struct sl_wait_listener *to) { sl_cancellation_tell_of_step(arg, to); }

sl_code sl_cancellation_new(struct sl_cancellation **out, struct sl_cancellation *parent, struct sl_error *err) {
    struct sl_cancellation *c = sl_malloc(sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    memset(c, 0, offsetof(struct sl_cancellation, reason.message) + 1);
    sl_mutex_init(&c->mutex);
    sl_condition_init(&c->idle);
    if (parent) {
        c->parent = parent;
        c->from_parent = (struct sl_cancellation_callback){.fn = cancel_child, .arg = c, .tell = tell_of_child};
        if (!sl_cancellation_register(parent, &c->from_parent)) cancel_child(c);
    }
    *out = c;
    return SL_OK;
}

void sl_cancellation_free(struct sl_cancellation *c) {
    if (!c) return;
    if (c->parent) sl_cancellation_unregister(c->parent, &c->from_parent);
    sl_mutex_clear(&c->mutex);
    sl_condition_clear(&c->idle);
    sl_free(c);
}

static void unlink_callback(struct sl_cancellation_callback *b) {
    *b->at = b->next;
    if (b->next) b->next->at = b->at;
    b->at = NULL;
}

void sl_cancellation_start(struct sl_cancellation *c, sl_code code, const char *message) {
    sl_mutex_lock(&c->mutex);
    if (!is_on(c)) {
        sl_fail(&c->reason, code, "%s", message);
        atomic_fetch_or(&c->head.news, SL_CANCELLATION_ON);
        for (;;) {
            while (c->telling) sl_condition_wait(&c->idle, &c->mutex);
            if (!c->callbacks) break;
            struct sl_cancellation_callback *b = c->callbacks;
            unlink_callback(b);
            c->running = b;
            void (*fn)(void *) = b->fn;
            void *arg = b->arg;
            sl_mutex_unlock(&c->mutex);
            fn(arg);
            sl_mutex_lock(&c->mutex);
            c->running = NULL;
            sl_condition_broadcast(&c->idle);
        }
    }
    sl_mutex_unlock(&c->mutex);
}

/* ---- telling */

void sl_wait_say(struct sl_wait_listener *to, const char *format, ...) {
    char text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    to->n++;
    to->hear(to, text);
}

/* The next that has not told in this round, with the lock held. */
static struct sl_cancellation_callback *next_to_tell(const struct sl_cancellation *c) {
    struct sl_cancellation_callback *b = c->callbacks;
    while (b && (!b->tell || b->told == c->rounds)) b = b->next;
    return b;
}

/* While one tells, the others may come and go: each round begins at the first again. */
static void ask_all(struct sl_cancellation *c, struct sl_wait_listener *to) {
    sl_mutex_lock(&c->mutex);
    while (c->is_telling) sl_condition_wait(&c->idle, &c->mutex);
    c->is_telling = true;
    if (!++c->rounds) c->rounds = 1;
    for (struct sl_cancellation_callback *b; !is_on(c) && (b = next_to_tell(c));) {
        b->told = c->rounds;
        c->telling = b;
        void (*tell)(void *, struct sl_wait_listener *) = b->tell;
        void *arg = b->arg;
        sl_mutex_unlock(&c->mutex);
        tell(arg, to);
        sl_mutex_lock(&c->mutex);
        c->telling = NULL;
        sl_condition_broadcast(&c->idle);
    }
    c->is_telling = false;
    sl_condition_broadcast(&c->idle);
    sl_mutex_unlock(&c->mutex);
}

/* Sentences that the follower hears when there is no further one. */
struct gathered {
    struct sl_wait_listener base;
    struct sl_wait_listener *to; /* without memory: at once */
    SL_VEC(char) lines;
};
static void gather(struct sl_wait_listener *self, const char *sentence) {
    struct gathered *g = (struct gathered *)self;
    const size_t n = strlen(sentence);
    if (sl_vec_reserve(&g->lines, n + 2)) {
        sl_wait_say(g->to, "%s", sentence);
        return;
    }
    memcpy(g->lines.items + g->lines.n, sentence, n);
    memcpy(g->lines.items + g->lines.n + n, "\n", 2);
    g->lines.n += n + 1;
}

static void tell_round(struct sl_cancellation *c, struct sl_wait_listener *to) {
    struct sl_wait_follower *follower = c->parent ? c->parent->follower : NULL;
    const void *subject = atomic_load_explicit(&c->head.subject, memory_order_acquire);
    struct gathered g = {.base = {.hear = gather}, .to = to};
    if (!follower || !subject) {
        ask_all(c, to);
        return;
    }
    ask_all(c, &g.base);
    if (g.lines.n) follower->follow(follower, subject, g.lines.items, to);
    sl_vec_free(&g.lines);
}

void sl_cancellation_set_follower(struct sl_cancellation *c, struct sl_wait_follower *follower) {
    c->follower = follower;
}

void sl_cancellation_tell(struct sl_cancellation *c, struct sl_wait_listener *to) { tell_round(c, to); }

void sl_cancellation_tell_of_step(struct sl_cancellation *c, struct sl_wait_listener *to) {
    enum { PATIENCE_NS = 200000000 };
    const size_t before = to->n;
    tell_round(c, to);
    if (to->n != before) return;
    sl_mutex_lock(&c->mutex);
    if (!c->asks && !is_on(c)) {
        const int64_t until = sl_clock_ns() + PATIENCE_NS;
        c->asks = to;
        atomic_fetch_or(&c->head.news, SL_CANCELLATION_ASKS);
        while (c->asks == to && sl_condition_wait_until(&c->idle, &c->mutex, until))
            ;
        if (c->asks == to) c->asks = NULL;
        atomic_fetch_and(&c->head.news, (unsigned char)~SL_CANCELLATION_ASKS);
    }
    sl_mutex_unlock(&c->mutex);
}

void sl_cancellation_answer(struct sl_cancellation *c, const char *sentence) {
    if (!(atomic_load_explicit(&c->head.news, memory_order_acquire) & SL_CANCELLATION_ASKS)) return;
    sl_mutex_lock(&c->mutex);
    if (c->asks) sl_wait_say(c->asks, "%s", sentence);
    c->asks = NULL;
    atomic_fetch_and(&c->head.news, (unsigned char)~SL_CANCELLATION_ASKS);
    sl_condition_broadcast(&c->idle);
    sl_mutex_unlock(&c->mutex);
}

/* What waited goes into a reason's text. */
struct note {
    struct sl_wait_listener base;
    struct sl_error *reason;
};
void sl_wait_add_to_error(struct sl_error *err, bool is_first, const char *sentence) {
    const size_t n = strlen(err->message);
    const bool is_more = !strncmp(sentence, "  ", 2);
    if (is_more && n && err->message[n - 1] == ')') { /* other sentences end with a word or a number */
        err->message[n - 1] = 0;
        sl_error_append(err, "; %s)", sentence + 2);
    } else if (is_more) {
        sl_error_append(err, " (%s)", sentence + 2);
    } else {
        const char *end = n && err->message[n - 1] == '.' ? "" : ".";
        sl_error_append(err, "%s%s%s", is_first ? end : "", is_first ? " Waiting: " : ", ", sentence);
    }
}
static void add_to_note(struct sl_wait_listener *self, const char *sentence) {
    sl_wait_add_to_error(((struct note *)self)->reason, self->n == 1, sentence);
}

void sl_cancellation_set_deadline(struct sl_cancellation *c, int64_t ns) {
    atomic_store_explicit(&c->head.deadline, ns, memory_order_relaxed);
}

int64_t sl_cancellation_deadline(const struct sl_cancellation *c) {
    return atomic_load_explicit(&c->head.deadline, memory_order_relaxed);
}

bool sl_cancellation_is_on_slowly(struct sl_cancellation *c) {
    if (is_on(c)) return true;
    const int64_t deadline = sl_cancellation_deadline(c); /* once: the next step of a walk may change it */
    if (deadline == 0 || sl_clock_ns() < deadline) return false;
    struct sl_error waits = {0};
    struct note note = {{add_to_note, 0}, &waits};
    sl_fail(&waits, SL_DEADLINE_EXCEEDED, "Timed out waiting for notification");
    tell_round(c, &note.base);
    if (note.base.n) c->has_waits = true;
    sl_cancellation_start(c, SL_DEADLINE_EXCEEDED, waits.message);
    return true;
}

bool sl_cancellation_is_due(struct sl_cancellation *c) {
    const int64_t deadline = sl_cancellation_deadline(c);
    return is_on(c) || (deadline && sl_clock_ns() >= deadline);
}

sl_code sl_cancellation_status(struct sl_cancellation *c, struct sl_error *err) {
    if (!sl_cancellation_is_on(c)) return SL_OK;
    sl_mutex_lock(&c->mutex);
    sl_code code = sl_fail(err, c->reason.code, "%s", c->reason.message);
    sl_mutex_unlock(&c->mutex);
    return code;
}

void sl_cancellation_note_wait(struct sl_cancellation *c, const char *who, const char *what) {
    if (!is_on(c)) return;
    sl_mutex_lock(&c->mutex);
    if ((c->reason.code == SL_DEADLINE_EXCEEDED || c->reason.code == SL_CANCELLED) && !strstr(c->reason.message, who)) {
        sl_wait_add_to_error(&c->reason, !c->has_waits, what);
        c->has_waits = true;
    }
    sl_mutex_unlock(&c->mutex);
}

bool sl_cancellation_has_waits(struct sl_cancellation *c) {
    sl_mutex_lock(&c->mutex);
    bool has = c->has_waits;
    sl_mutex_unlock(&c->mutex);
    return has;
}

bool sl_cancellation_register(struct sl_cancellation *c, struct sl_cancellation_callback *callback) {
    sl_mutex_lock(&c->mutex);
    bool open = !is_on(c);
    callback->at = NULL;
    callback->told = 0;
    if (open) {
        callback->next = c->callbacks;
        callback->at = &c->callbacks;
        if (c->callbacks) c->callbacks->at = &callback->next;
        c->callbacks = callback;
    }
    sl_mutex_unlock(&c->mutex);
    return open;
}

bool sl_cancellation_unregister(struct sl_cancellation *c, struct sl_cancellation_callback *callback) {
    sl_mutex_lock(&c->mutex);
    bool was_waiting = callback->at != NULL;
    if (was_waiting) unlink_callback(callback);
    while (c->running == callback || c->telling == callback) sl_condition_wait(&c->idle, &c->mutex);
    sl_mutex_unlock(&c->mutex);
    return was_waiting;
}

/* ---- of threads */

static _Thread_local struct sl_cancellation *of_thread;

struct sl_cancellation *sl_cancellation_of_thread(void) {
    return of_thread;
}

struct sl_cancellation *sl_cancellation_of_thread_set(struct sl_cancellation *c) {
    struct sl_cancellation *before = of_thread;
    of_thread = c;
    return before;
}

static void cancel_linked(void *arg) {
    struct sl_cancellation_link *link = arg;
    pass_on(link->to, link->from);
}

void sl_cancellation_link(struct sl_cancellation_link *link, struct sl_cancellation *to, struct sl_cancellation *from) {
    link->from = from;
    link->to = to;
    link->callback = (struct sl_cancellation_callback){.fn = cancel_linked, .arg = link};
    if (from && !sl_cancellation_register(from, &link->callback)) cancel_linked(link);
}

void sl_cancellation_unlink(struct sl_cancellation_link *link) {
    if (link->from) sl_cancellation_unregister(link->from, &link->callback);
}
