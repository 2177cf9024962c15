/* The rendezvous within a process: for every pair a short list of values that nobody has taken, or of waiters
 * whose value has not come; never both.
 *
 * A cancellation calls all waiters with its reason. If the step waited for one of them only, the step ends and
 * frees the rendezvous from within that callback; the memory is freed when the callback returns. */
#include "kernel/rendezvous.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "kernel/cancellation.h"
#include "os/mutex.h"

struct sent_value { /* that nobody has taken */
    struct sent_value *next;
    uint64_t frame, iteration;
    struct sl_value value;
};

struct pair_queue {
    struct sent_value *values;
    struct sl_waiter *waiters;
    uint8_t side; /* enum sl_pair_side */
};

struct local {
    struct sl_rendezvous base;
    struct sl_mutex mutex;
    struct sl_cancellation *cancellation;
    struct sl_cancellation_callback callback;
    bool is_closed, is_closing; /* closing: within the callback */
    bool is_given_up;           /* freed meanwhile */
    struct sl_error reason;
    struct sl_rendezvous_load load;
    void (*wanted)(void *arg, const struct sl_rendezvous_key *key);
    void *arg_of_wanted;
    uint32_t n_pairs;
    struct pair_queue queues[];
};

static sl_code refuse(struct sl_error *err, const struct local *r) {
    return sl_fail(err, r->reason.code, "%s", r->reason.message);
}

static struct sl_waiter *unlink_waiter(struct pair_queue *queue, const struct sl_rendezvous_key *key) {
    for (struct sl_waiter **at = &queue->waiters; *at; at = &(*at)->next)
        if ((*at)->key.frame == key->frame && (*at)->key.iteration == key->iteration) {
            struct sl_waiter *found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

static struct sent_value *unlink_value(struct pair_queue *queue, const struct sl_rendezvous_key *key) {
    for (struct sent_value **at = &queue->values; *at; at = &(*at)->next)
        if ((*at)->frame == key->frame && (*at)->iteration == key->iteration) {
            struct sent_value *found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

/* Values of one key are taken in the order in which they came. */
static void append_value(struct pair_queue *queue, struct sent_value *sent) {
    struct sent_value **at = &queue->values;
    while (*at) at = &(*at)->next;
    *at = sent;
}

static void append_waiter(struct pair_queue *queue, struct sl_waiter *waiter) {
    struct sl_waiter **at = &queue->waiters;
    while (*at) at = &(*at)->next;
    waiter->next = NULL;
    *at = waiter;
}

static sl_code put(struct sl_rendezvous *self, const struct sl_rendezvous_key *key, struct sl_value *value,
                   struct sl_error *err) {
    struct local *r = (struct local *)self;
    struct pair_queue *queue = &r->queues[key->pair->number];
    sl_code code = SL_OK;
    sl_mutex_lock(&r->mutex);
    struct sl_waiter *waiter = r->is_closed ? NULL : unlink_waiter(queue, key);
    r->load.waiters[queue->side] -= waiter != NULL;
    if (r->is_closed) {
        code = refuse(err, r);
    } else if (!waiter) {
        struct sent_value *sent = sl_malloc(sizeof *sent);
        if (sent) {
            *sent = (struct sent_value){NULL, key->frame, key->iteration, sl_value_move(value)};
            append_value(queue, sent);
            r->load.values[queue->side]++;
        } else {
            code = sl_fail_memory(err, sizeof *sent);
        }
    }
    sl_mutex_unlock(&r->mutex);
    if (waiter) {
        waiter->value = sl_value_move(value);
        waiter->done(waiter, SL_OK, NULL);
    }
    sl_value_clear(value);
    return code;
}

static void take(struct sl_rendezvous *self, struct sl_waiter *waiter) {
    struct local *r = (struct local *)self;
    struct pair_queue *queue = &r->queues[waiter->key.pair->number];
    const struct sl_rendezvous_key key = waiter->key; /* one that waits may be gone at once */
    struct sent_value *sent = NULL;
    void (*wanted)(void *, const struct sl_rendezvous_key *) = NULL;
    void *arg = r->arg_of_wanted;
    sl_mutex_lock(&r->mutex);
    bool is_closed = r->is_closed;
    if (!is_closed) sent = unlink_value(queue, &waiter->key);
    bool waits = !is_closed && !sent;
    if (waits) {
        append_waiter(queue, waiter);
        r->load.waiters[queue->side]++;
        if (queue->side == SL_PAIR_COMES_IN) wanted = r->wanted;
    } else if (sent) {
        r->load.values[queue->side]--;
    }
    sl_mutex_unlock(&r->mutex);
    if (waits) {
        if (wanted) wanted(arg, &key);
    } else if (is_closed) { /* the reason does not change any more */
        waiter->done(waiter, r->reason.code, &r->reason);
    } else {
        waiter->value = sent->value;
        sl_free(sent);
        waiter->done(waiter, SL_OK, NULL);
    }
}

static void give_load(struct sl_rendezvous *self, struct sl_rendezvous_load *load) {
    struct local *r = (struct local *)self;
    sl_mutex_lock(&r->mutex);
    *load = r->load;
    sl_mutex_unlock(&r->mutex);
}

static void destroy(struct local *r) {
    for (uint32_t p = 0; p < r->n_pairs; p++)
        while (r->queues[p].values) {
            struct sent_value *sent = r->queues[p].values;
            r->queues[p].values = sent->next;
            sl_value_clear(&sent->value);
            sl_free(sent);
        }
    sl_mutex_clear(&r->mutex);
    sl_free(r);
}

/* Takes all that wait; in a list. With the lock held. */
static struct sl_waiter *take_all_locked(struct local *r) {
    struct sl_waiter *all = NULL;
    for (uint32_t p = 0; p < r->n_pairs; p++)
        while (r->queues[p].waiters) {
            struct sl_waiter *waiter = r->queues[p].waiters;
            r->queues[p].waiters = waiter->next;
            waiter->next = all;
            all = waiter;
        }
    memset(r->load.waiters, 0, sizeof r->load.waiters);
    return all;
}

/* The first reason stays. */
static void close_for(struct local *r, const struct sl_error *reason, bool is_callback) {
    sl_mutex_lock(&r->mutex);
    if (!r->is_closed) r->reason = *reason;
    r->is_closed = true;
    r->is_closing |= is_callback;
    struct sl_waiter *waiting = take_all_locked(r);
    sl_mutex_unlock(&r->mutex);
    while (waiting) {
        struct sl_waiter *waiter = waiting;
        waiting = waiter->next;
        waiter->done(waiter, r->reason.code, &r->reason);
    }
}

static void follow(void *arg) {
    struct local *r = arg;
    struct sl_error reason = {0};
    sl_cancellation_status(r->cancellation, &reason);
    close_for(r, &reason, true);
    sl_mutex_lock(&r->mutex);
    r->is_closing = false;
    bool is_given_up = r->is_given_up;
    sl_mutex_unlock(&r->mutex);
    if (is_given_up) destroy(r);
}

/* Of those that wait for what comes from within the step or from a peer, the first few. */
static void tell(void *arg, struct sl_wait_listener *to) {
    enum { MOST = 8 };
    struct local *r = arg;
    struct sl_rendezvous_key keys[MOST];
    int n = 0;
    char of_iteration[48];
    sl_mutex_lock(&r->mutex);
    for (uint32_t p = 0; p < r->n_pairs; p++)
        for (const struct sl_waiter *w = r->queues[p].waiters; w && n < MOST; w = w->next) keys[n++] = w->key;
    sl_mutex_unlock(&r->mutex);
    for (int i = 0; i < n; i++) {
        (void)snprintf(of_iteration, sizeof of_iteration, " of iteration %" PRIu64, keys[i].iteration);
        sl_wait_say(to, "device %.*s waits for '%.*s'%s, which device %.*s has not sent",
                    SL_STR_ARG(keys[i].pair->recv_device), SL_STR_ARG(keys[i].pair->tensor_name),
                    keys[i].iteration ? of_iteration : "", SL_STR_ARG(keys[i].pair->send_device));
    }
}

sl_code sl_rendezvous_new(struct sl_rendezvous **out, uint32_t n_pairs, struct sl_cancellation *cancellation,
                          struct sl_error *err) {
    struct local *r = sl_calloc(1, sizeof *r + n_pairs * sizeof(struct pair_queue));
    if (!r) return sl_fail_memory(err, n_pairs * sizeof(struct pair_queue));
    r->base = (struct sl_rendezvous){put, take, give_load};
    r->n_pairs = n_pairs;
    r->callback = (struct sl_cancellation_callback){.fn = follow, .arg = r, .tell = tell};
    sl_mutex_init(&r->mutex);
    if (cancellation) sl_rendezvous_attach(&r->base, cancellation);
    *out = &r->base;
    return SL_OK;
}

void sl_rendezvous_set_peers(struct sl_rendezvous *base, const uint8_t *sides,
                             void (*wanted)(void *arg, const struct sl_rendezvous_key *key), void *arg) {
    struct local *r = (struct local *)base;
    for (uint32_t p = 0; p < r->n_pairs; p++) r->queues[p].side = sides[p];
    r->wanted = wanted;
    r->arg_of_wanted = arg;
}

void sl_rendezvous_attach(struct sl_rendezvous *base, struct sl_cancellation *cancellation) {
    struct local *r = (struct local *)base;
    struct sl_error reason = {0};
    r->cancellation = cancellation;
    if (sl_cancellation_register(cancellation, &r->callback)) return;
    r->cancellation = NULL;
    sl_cancellation_status(cancellation, &reason);
    close_for(r, &reason, false);
}

/* True when the callback is under way, with all that it needs; who `gives_up` the rendezvous leaves it to the
 * callback then. */
static bool forget_cancellation(struct local *r, bool gives_up) {
    sl_mutex_lock(&r->mutex);
    struct sl_cancellation *cancellation = r->cancellation;
    bool is_closing = r->is_closing;
    r->is_given_up = gives_up && is_closing;
    if (is_closing) r->cancellation = NULL;
    sl_mutex_unlock(&r->mutex);
    if (is_closing) return true;
    if (cancellation) sl_cancellation_unregister(cancellation, &r->callback);
    r->cancellation = NULL;
    return false;
}

void sl_rendezvous_detach(struct sl_rendezvous *base) { forget_cancellation((struct local *)base, false); }

void sl_rendezvous_close(struct sl_rendezvous *base, const struct sl_error *reason) {
    close_for((struct local *)base, reason, false);
}

bool sl_rendezvous_withdraw(struct sl_rendezvous *base, struct sl_waiter *waiter) {
    struct local *r = (struct local *)base;
    sl_mutex_lock(&r->mutex);
    struct pair_queue *queue = &r->queues[waiter->key.pair->number];
    struct sl_waiter **at = &queue->waiters;
    while (*at && *at != waiter) at = &(*at)->next;
    bool waits = *at != NULL;
    if (waits) *at = waiter->next;
    r->load.waiters[queue->side] -= waits;
    sl_mutex_unlock(&r->mutex);
    return waits;
}

void sl_rendezvous_free(struct sl_rendezvous *base) {
    struct local *r = (struct local *)base;
    if (r && !forget_cancellation(r, true)) destroy(r);
}
