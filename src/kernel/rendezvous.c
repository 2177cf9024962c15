/* The rendezvous within a process: for every pair a short list of values nobody has taken, or of receipts nobody has served; never both.
 *
 * Ends by cancellation: the callback serves all receipts with the reason. One of them may be the last thing its step waited for, and then
 * the rendezvous is freed from within the callback: its memory goes when the callback is through. */
#include "kernel/rendezvous.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "kernel/cancellation.h"
#include "os/mutex.h"

struct parcel { /* a value on its way */
    struct parcel *next;
    uint64_t frame, iteration;
    struct sl_value value;
};

struct place {
    struct parcel *parcels;
    struct sl_receipt *receipts;
};

struct local {
    struct sl_rendezvous base;
    struct sl_mutex mutex;
    struct sl_cancellation *cancellation;
    struct sl_cancellation_callback callback;
    bool is_closed, is_closing; /* closing: within the callback */
    bool is_given_up;           /* freed meanwhile */
    struct sl_error reason;
    size_t n_waiting; /* receipts in all places */
    uint32_t n_pairs;
    struct place places[];
};

static sl_code refuse(struct sl_error *err, const struct local *r) {
    return sl_fail(err, r->reason.code, "%s", r->reason.message);
}

static struct sl_receipt *unlink_receipt(struct place *place, const struct sl_rendezvous_key *key) {
    for (struct sl_receipt **at = &place->receipts; *at; at = &(*at)->next)
        if ((*at)->key.frame == key->frame && (*at)->key.iteration == key->iteration) {
            struct sl_receipt *found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

static struct parcel *unlink_parcel(struct place *place, const struct sl_rendezvous_key *key) {
    for (struct parcel **at = &place->parcels; *at; at = &(*at)->next)
        if ((*at)->frame == key->frame && (*at)->iteration == key->iteration) {
            struct parcel *found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

/* Values of one key are taken in the order in which they came. */
static void append_parcel(struct place *place, struct parcel *parcel) {
    struct parcel **at = &place->parcels;
    while (*at) at = &(*at)->next;
    *at = parcel;
}

static void append_receipt(struct place *place, struct sl_receipt *receipt) {
    struct sl_receipt **at = &place->receipts;
    while (*at) at = &(*at)->next;
    receipt->next = NULL;
    *at = receipt;
}

static sl_code put(struct sl_rendezvous *self, const struct sl_rendezvous_key *key, struct sl_value *value,
                   struct sl_error *err) {
    struct local *r = (struct local *)self;
    struct place *place = &r->places[key->pair->number];
    sl_code code = SL_OK;
    sl_mutex_lock(&r->mutex);
    struct sl_receipt *receipt = r->is_closed ? NULL : unlink_receipt(place, key);
    r->n_waiting -= receipt != NULL;
    if (r->is_closed) {
        code = refuse(err, r);
    } else if (!receipt) {
        struct parcel *parcel = sl_malloc(sizeof *parcel);
        if (parcel) {
            *parcel = (struct parcel){NULL, key->frame, key->iteration, sl_value_move(value)};
            append_parcel(place, parcel);
        } else {
            code = sl_fail_memory(err, sizeof *parcel);
        }
    }
    sl_mutex_unlock(&r->mutex);
    if (receipt) {
        receipt->value = sl_value_move(value);
        receipt->done(receipt, SL_OK, NULL);
    }
    sl_value_clear(value);
    return code;
}

static void take(struct sl_rendezvous *self, struct sl_receipt *receipt) {
    struct local *r = (struct local *)self;
    struct place *place = &r->places[receipt->key.pair->number];
    struct parcel *parcel = NULL;
    sl_mutex_lock(&r->mutex);
    bool is_closed = r->is_closed;
    if (!is_closed) parcel = unlink_parcel(place, &receipt->key);
    if (!is_closed && !parcel) append_receipt(place, receipt);
    r->n_waiting += !is_closed && !parcel;
    sl_mutex_unlock(&r->mutex);
    if (is_closed) { /* the reason does not change any more */
        receipt->done(receipt, r->reason.code, &r->reason);
    } else if (parcel) {
        receipt->value = parcel->value;
        sl_free(parcel);
        receipt->done(receipt, SL_OK, NULL);
    }
}

static void destroy(struct local *r) {
    for (uint32_t p = 0; p < r->n_pairs; p++)
        while (r->places[p].parcels) {
            struct parcel *parcel = r->places[p].parcels;
            r->places[p].parcels = parcel->next;
            sl_value_clear(&parcel->value);
            sl_free(parcel);
        }
    sl_mutex_clear(&r->mutex);
    sl_free(r);
}

/* Takes all that wait; in a list. With the lock held. */
static struct sl_receipt *take_all_locked(struct local *r) {
    struct sl_receipt *all = NULL;
    for (uint32_t p = 0; p < r->n_pairs; p++)
        while (r->places[p].receipts) {
            struct sl_receipt *receipt = r->places[p].receipts;
            r->places[p].receipts = receipt->next;
            receipt->next = all;
            all = receipt;
        }
    r->n_waiting = 0;
    return all;
}

static void close_all(void *arg) {
    struct local *r = arg;
    struct sl_error reason = {0};
    sl_cancellation_status(r->cancellation, &reason);
    sl_mutex_lock(&r->mutex);
    r->reason = reason;
    r->is_closed = r->is_closing = true;
    struct sl_receipt *waiting = take_all_locked(r);
    sl_mutex_unlock(&r->mutex);
    while (waiting) {
        struct sl_receipt *receipt = waiting;
        waiting = receipt->next;
        receipt->done(receipt, reason.code, &reason);
    }
    sl_mutex_lock(&r->mutex);
    r->is_closing = false;
    bool is_given_up = r->is_given_up;
    sl_mutex_unlock(&r->mutex);
    if (is_given_up) destroy(r);
}

sl_code sl_rendezvous_new(struct sl_rendezvous **out, uint32_t n_pairs, struct sl_cancellation *cancellation,
                          struct sl_error *err) {
    struct local *r = sl_calloc(1, sizeof *r + n_pairs * sizeof(struct place));
    if (!r) return sl_fail_memory(err, n_pairs * sizeof(struct place));
    r->base = (struct sl_rendezvous){put, take};
    r->n_pairs = n_pairs;
    r->cancellation = cancellation;
    r->callback = (struct sl_cancellation_callback){.fn = close_all, .arg = r};
    sl_mutex_init(&r->mutex);
    if (cancellation && !sl_cancellation_register(cancellation, &r->callback)) {
        r->is_closed = true;
        sl_cancellation_status(cancellation, &r->reason);
    }
    *out = &r->base;
    return SL_OK;
}

size_t sl_rendezvous_waiting(struct sl_rendezvous *base, struct sl_rendezvous_key *some) {
    struct local *r = (struct local *)base;
    sl_mutex_lock(&r->mutex);
    size_t n = r->n_waiting;
    for (uint32_t p = 0; p < r->n_pairs && n && some; p++)
        if (r->places[p].receipts) {
            *some = r->places[p].receipts->key;
            break;
        }
    sl_mutex_unlock(&r->mutex);
    return n;
}

void sl_rendezvous_free(struct sl_rendezvous *base) {
    struct local *r = (struct local *)base;
    if (!r) return;
    sl_mutex_lock(&r->mutex);
    r->is_given_up = r->is_closing;
    bool is_later = r->is_closing;
    sl_mutex_unlock(&r->mutex);
    if (is_later) return;
    if (r->cancellation) sl_cancellation_unregister(r->cancellation, &r->callback);
    destroy(r);
}

int sl_rendezvous_key_print(char *text, size_t size, const struct sl_rendezvous_key *key) {
    const struct sl_rendezvous_pair *p = key->pair;
    return snprintf(text, size, "%.*s;%016" PRIx64 ";%.*s;%.*s;%" PRIu64 ":%" PRIu64, SL_STR_ARG(p->send_device),
                    p->incarnation, SL_STR_ARG(p->recv_device), SL_STR_ARG(p->tensor_name), key->frame, key->iteration);
}
