/* Waiting lines. Called by the kernels of queues, barriers, accumulators and staging areas.
 *
 * An attempt is unlinked from its line exactly once, with the lock held: by being through, by the close of its line,
 * or by cancellation. Whoever did it ends it after the lock is free. The end waits for a cancellation that is
 * looking at the attempt at that moment (it finds it through, and leaves); only the cancellation itself need not. */
#include "backends/any/waiting_line.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "kernel/resources.h"

void sl_lines_init(struct sl_lines *l, bool in_any_order) {
    sl_mutex_init(&l->mutex);
    for (int i = 0; i < SL_LINES; i++) {
        l->first[i] = NULL;
        l->last[i] = &l->first[i];
    }
    l->through = NULL;
    l->in_any_order = in_any_order;
    l->describe = NULL;
}

void sl_lines_clear(struct sl_lines *l) { sl_mutex_clear(&l->mutex); }

void sl_lines_lock(struct sl_lines *l) { sl_mutex_lock(&l->mutex); }

/* ---- with the lock held */

static void append(struct sl_lines *l, int line, struct sl_attempt *a) {
    a->next = NULL;
    a->at = l->last[line];
    *a->at = a;
    l->last[line] = &a->next;
}

/* Takes it off its line and puts it among those to be ended. */
static void set_through(struct sl_attempt *a) {
    struct sl_lines *l = a->lines;
    *a->at = a->next;
    if (a->next) a->next->at = a->at;
    for (int line = 0; line < SL_LINES; line++)
        if (l->last[line] == &a->next) l->last[line] = a->at;
    a->is_through = true;
    a->next = l->through;
    l->through = a;
}

static void set_cancelled(struct sl_attempt *a) {
    a->code = sl_fail(a->k->err, SL_CANCELLED, "%s", a->cancelled);
    set_through(a);
}

void sl_lines_cancel(struct sl_lines *l, int line) {
    while (l->first[line]) set_cancelled(l->first[line]);
}

/* Tries those of a line that may go on; true when something has changed. */
static bool try_line(struct sl_lines *l, int line) {
    bool has_changed = false;
    struct sl_attempt *a = l->first[line];
    while (a) {
        struct sl_attempt *next = a->next;
        enum sl_attempt_result result = a->try(a);
        has_changed |= result != SL_ATTEMPT_WAITS;
        if (result == SL_ATTEMPT_THROUGH) set_through(a);
        else if (!l->in_any_order) break;
        a = l->in_any_order ? next : l->first[line];
    }
    return has_changed;
}

static void try_all(struct sl_lines *l) {
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int line = 0; line < SL_LINES; line++) has_changed |= try_line(l, line);
    }
}

/* ---- ending */

static void end(struct sl_attempt *a) {
    struct sl_kernel_context *k = a->k;
    if (a->is_registered && !a->is_cancelling) sl_cancellation_unregister(k->env->cancellation, &a->callback);
    sl_code code = a->code;
    if (code == SL_OK && a->finish) code = a->finish(a);
    if (a->clear) a->clear(a);
    struct sl_object *object = a->object;
    sl_free(a);
    sl_object_unref(object);
    sl_kernel_done(k, code);
}

/* The list is built from its end, so what was through first is ended last: the order is turned again here. */
static struct sl_attempt *in_order(struct sl_attempt *through) {
    struct sl_attempt *turned = NULL;
    while (through) {
        struct sl_attempt *next = through->next;
        through->next = turned;
        turned = through;
        through = next;
    }
    return turned;
}

static void unlock_and_end(struct sl_lines *l) {
    struct sl_attempt *through = in_order(l->through);
    l->through = NULL;
    sl_mutex_unlock(&l->mutex);
    while (through) {
        struct sl_attempt *next = through->next;
        end(through);
        through = next;
    }
}

void sl_lines_unlock(struct sl_lines *l) {
    try_all(l);
    unlock_and_end(l);
}

/* ---- starting */

static void cancel(void *arg) {
    struct sl_attempt *a = arg;
    struct sl_lines *l = a->lines;
    sl_lines_lock(l);
    if (a->is_through) { /* somebody is about to end it, and waits for us */
        sl_mutex_unlock(&l->mutex);
        return;
    }
    a->is_cancelling = true;
    set_cancelled(a);
    sl_lines_unlock(l);
}

static size_t length_of(const struct sl_lines *l, int line) {
    size_t n = 0;
    for (const struct sl_attempt *a = l->first[line]; a; a = a->next) n++;
    return n;
}

/* "node 'take' (QueueDequeueV2) waits on 'three', which is empty, in iteration 3 of its loop; 2 nodes wait there" */
static void tell(void *arg, struct sl_wait_listener *to) {
    struct sl_attempt *a = arg;
    struct sl_lines *l = a->lines;
    const struct sl_kernel_node *node = a->k->node;
    struct sl_str container, name = SL_STR("");
    char state[160] = "", turn[64] = "", others[64] = "", part[96] = "";
    struct sl_arena arena;
    sl_lines_lock(l);
    const bool waits = !a->is_through;
    const size_t n = length_of(l, 0) + length_of(l, 1);
    if (waits && l->describe) l->describe(state, sizeof state, l);
    if (waits && a->describe) a->describe(part, sizeof part, a);
    sl_mutex_unlock(&l->mutex);
    if (!waits) return;
    sl_arena_init(&arena);
    if (a->k->env->session_resources)
        (void)sl_resources_name_of(&container, &name, a->k->env->session_resources, a->object, &arena, NULL);
    if (a->k->frame) snprintf(turn, sizeof turn, " in iteration %" PRIu64 " of its loop", a->k->iteration);
    if (n > 1) snprintf(others, sizeof others, "; %zu nodes wait there", n);
    const char *quote = l->names_itself ? "" : "'", *before = *state && !l->names_itself ? ", which " : "";
    sl_wait_say(to, "node '%.*s' (%.*s)%s waits on %s%.*s%s%s%s%s%s%s", SL_STR_ARG(node->name),
                SL_STR_ARG(node->op->name), part, quote, SL_STR_ARG(name), quote, before, state,
                *state && *turn ? "," : "", turn, others);
    sl_arena_clear(&arena);
}

void *sl_attempt_new(size_t bytes, struct sl_kernel_context *k) {
    struct sl_attempt *a = sl_calloc(1, bytes);
    if (!a) {
        sl_fail_memory(k->err, bytes);
        return NULL;
    }
    a->k = k;
    return a;
}

void sl_attempt_start(struct sl_attempt *a, struct sl_object *object, struct sl_lines *l, int line) {
    struct sl_cancellation *c = a->k->env->cancellation;
    bool is_cancelled = c && sl_cancellation_is_on(c); /* which may run callbacks, so not with the lock held */
    a->object = sl_object_ref(object);
    a->lines = l;
    sl_lines_lock(l);
    append(l, line, a);
    if (is_cancelled) set_cancelled(a);
    try_all(l);
    if (c && !a->is_through) {
        a->callback = (struct sl_cancellation_callback){.fn = cancel, .arg = a, .tell = tell};
        a->is_registered = sl_cancellation_register(c, &a->callback);
        if (!a->is_registered) set_cancelled(a);
    }
    sl_lines_unlock(l);
}

enum sl_attempt_result sl_attempt_fail(struct sl_attempt *a, sl_code code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    a->code = sl_fail_v(a->k->err, code, format, args);
    va_end(args);
    return SL_ATTEMPT_THROUGH;
}
