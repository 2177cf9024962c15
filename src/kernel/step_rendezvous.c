/* The rendezvous of one step with peers. Until it is opened it keeps their messages in the order in which they
 * came. From then on it looks up the pair of a name and passes the message on under the number of the pair. No
 * `done` is called with the lock held. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "kernel/step_rendezvous_state.h"

struct sl_step_rendezvous *sl_step_rendezvous_make(struct sl_rendezvous_table *table, uint64_t step_id) {
    struct sl_step_rendezvous *r = sl_calloc(1, sizeof *r);
    if (!r) return NULL;
    r->table = table;
    r->step_id = step_id;
    r->last_early = &r->early;
    atomic_store(&r->references, 1);
    atomic_fetch_add(&table->n_early, 1);
    sl_mutex_init(&r->mutex);
    return r;
}

/* With the lock held, or by the last who knows it. */
static struct sl_early_message *take_early(struct sl_step_rendezvous *r) {
    struct sl_early_message *all = r->early;
    for (struct sl_early_message *m = all; m; m = m->next) atomic_fetch_sub(&r->table->early_bytes, m->bytes);
    r->early = NULL;
    r->last_early = &r->early;
    r->n_early = 0;
    return all;
}

/* Ends messages with the reason. */
static void refuse_all(struct sl_early_message *messages, const struct sl_error *reason) {
    while (messages) {
        struct sl_early_message *m = messages;
        messages = m->next;
        sl_value_clear(&m->value);
        if (m->waiter) m->waiter->done(m->waiter, reason->code, reason);
        sl_free(m);
    }
}

void sl_step_rendezvous_unref(struct sl_step_rendezvous *r) {
    if (!r || atomic_fetch_sub(&r->references, 1) != 1) return;
    if (!r->inner && !r->is_exchange) atomic_fetch_sub(&r->table->n_early, 1);
    sl_rendezvous_free(r->inner);
    sl_remote_pairs_unref(r->pairs);
    sl_mutex_clear(&r->mutex);
    sl_free(r);
}

/* ---- before the step begins; with the lock held */

static sl_code full(struct sl_error *err, const struct sl_step_rendezvous *r) {
    return sl_fail(err, SL_RESOURCE_EXHAUSTED, "Peers have left too much in step %" PRIu64 ".", r->step_id);
}

static size_t bytes_of(const struct sl_value *value) {
    if (!value || value->kind != SL_VALUE_TENSOR) return 0;
    return (size_t)value->tensor->count * sl_dtype_size(value->tensor->dtype);
}

/* Either `value`, which it takes over, or `waiter`. */
static sl_code keep(struct sl_step_rendezvous *r, struct sl_str name, struct sl_value *value, struct sl_waiter *waiter,
                    struct sl_error *err) {
    struct sl_rendezvous_pair pair;
    uint64_t frame, iteration;
    SL_TRY(sl_rendezvous_key_parse(&pair, &frame, &iteration, name, err));
    size_t most = r->table->limits.early_bytes, size = sizeof(struct sl_early_message) + name.n;
    size_t bytes = size + (r->is_exchange ? 0 : bytes_of(value));
    if (r->n_early >= r->table->limits.names || bytes > most) return full(err, r);
    struct sl_early_message *m = NULL;
    bool is_full = atomic_fetch_add(&r->table->early_bytes, bytes) > most - bytes;
    if (!is_full) m = sl_malloc(size);
    if (!m) {
        atomic_fetch_sub(&r->table->early_bytes, bytes);
        return is_full ? full(err, r) : sl_fail_memory(err, size);
    }
    *m = (struct sl_early_message){.waiter = waiter, .bytes = bytes, .name_length = name.n};
    if (value) m->value = sl_value_move(value);
    memcpy(m->name, name.p, name.n);
    *r->last_early = m;
    r->last_early = &m->next;
    r->n_early++;
    return SL_OK;
}

/* Takes out the message of this name that is a waiter, or a value; NULL. */
static struct sl_early_message *take_one(struct sl_step_rendezvous *r, struct sl_str name, bool is_waiter) {
    struct sl_early_message **at = &r->early, *m;
    while ((m = *at) &&
           ((m->waiter != NULL) != is_waiter || !sl_str_eq(name, (struct sl_str){m->name, m->name_length})))
        at = &m->next;
    if (!m) return NULL;
    *at = m->next;
    if (r->last_early == &m->next) r->last_early = at;
    r->n_early--;
    atomic_fetch_sub(&r->table->early_bytes, m->bytes);
    return m;
}

/* ---- names and pairs; with the lock held */

/* The key of a message that peers may bring: theirs to send (COMES_IN), or theirs to take. */
static sl_code find(struct sl_rendezvous_key *key, const struct sl_step_rendezvous *r, struct sl_str name,
                    enum sl_pair_side side, struct sl_error *err) {
    const struct sl_remote_pair *pair;
    SL_TRY(sl_remote_pairs_find(&pair, key, r->pairs, name, err));
    if (pair->side == side) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "This step %s '%.*s' itself.",
                   side == SL_PAIR_COMES_IN ? "sends" : "takes", SL_STR_ARG(name));
}

static sl_code check_room(const struct sl_step_rendezvous *r, struct sl_error *err) {
    struct sl_rendezvous_load load;
    r->inner->load(r->inner, &load);
    size_t left = load.values[SL_PAIR_COMES_IN] + load.waiters[SL_PAIR_GOES_OUT];
    return left < r->table->limits.names ? SL_OK : full(err, r);
}

static sl_code refuse(const struct sl_step_rendezvous *r, struct sl_error *err) {
    return sl_fail(err, r->reason.code, "%s", r->reason.message);
}

/* Passes what was kept on to its pairs, of which no node has come yet: so this completes nothing. Waiters that have
 * no pair go to `unknown`. */
static sl_code pass_on(struct sl_early_message **unknown, struct sl_step_rendezvous *r, struct sl_error *err) {
    sl_code code = SL_OK;
    for (struct sl_early_message *m = take_early(r), *next; m; m = next) {
        struct sl_rendezvous_key key;
        next = m->next;
        enum sl_pair_side side = m->waiter ? SL_PAIR_GOES_OUT : SL_PAIR_COMES_IN;
        if (find(&key, r, (struct sl_str){m->name, m->name_length}, side, NULL) != SL_OK) {
            m->next = *unknown;
            *unknown = m;
            continue;
        }
        if (m->waiter) {
            m->waiter->key = key;
            r->inner->take(r->inner, m->waiter);
        } else if (code == SL_OK) {
            code = r->inner->put(r->inner, &key, &m->value, err);
        }
        sl_value_clear(&m->value);
        sl_free(m);
    }
    return code;
}

/* ---- for who runs the step */

static sl_code open(struct sl_early_message **unknown, struct sl_step_rendezvous *r,
                    const struct sl_rendezvous_opening *opening, struct sl_error *err) {
    if (r->is_aborted) return refuse(r, err);
    if (r->inner || r->is_exchange)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Step %" PRIu64 " runs already, or has run.", r->step_id);
    SL_TRY(sl_rendezvous_new(&r->inner, opening->n_pairs, NULL, err));
    r->pairs = sl_remote_pairs_ref(opening->pairs);
    atomic_fetch_sub(&r->table->n_early, 1);
    if (r->pairs)
        sl_rendezvous_set_peers(r->inner, sl_remote_pairs_sides(r->pairs), opening->wanted, opening->arg_of_wanted);
    return pass_on(unknown, r, err);
}

sl_code sl_step_rendezvous_open(struct sl_rendezvous **out, struct sl_step_rendezvous *r,
                                const struct sl_rendezvous_opening *opening, struct sl_error *err) {
    struct sl_early_message *unknown = NULL;
    struct sl_error reason = {0};
    sl_mutex_lock(&r->mutex);
    sl_code code = open(&unknown, r, opening, err);
    sl_mutex_unlock(&r->mutex);
    sl_fail(&reason, SL_NOT_FOUND, "No node of step %" PRIu64 " sends that.", r->step_id);
    refuse_all(unknown, &reason);
    if (code != SL_OK) return code;
    *out = r->inner;
    if (opening->cancellation) sl_rendezvous_attach(r->inner, opening->cancellation);
    return SL_OK;
}

sl_code sl_step_rendezvous_exchange(struct sl_step_rendezvous *r, struct sl_error *err) {
    sl_mutex_lock(&r->mutex);
    sl_code code = SL_OK;
    if (r->inner || r->is_exchange)
        code = sl_fail(err, SL_FAILED_PRECONDITION, "Step %" PRIu64 " runs already, or has run.", r->step_id);
    else atomic_fetch_sub(&r->table->n_early, 1);
    r->is_exchange = code == SL_OK || r->is_exchange;
    sl_mutex_unlock(&r->mutex);
    return code;
}

void sl_step_rendezvous_leave(struct sl_step_rendezvous *r) {
    if (r->inner) sl_rendezvous_detach(r->inner);
}

void sl_step_rendezvous_abort(struct sl_step_rendezvous *r, sl_code code, const char *message) {
    sl_mutex_lock(&r->mutex);
    if (!r->is_aborted) sl_fail(&r->reason, code, "%s", message);
    r->is_aborted = true;
    struct sl_early_message *early = take_early(r);
    sl_mutex_unlock(&r->mutex);
    refuse_all(early, &r->reason);
    if (r->inner) sl_rendezvous_close(r->inner, &r->reason);
}

/* ---- for peers */

/* Whether the message goes on to `inner`, under `key`, or meets the other one of an exchange. */
static sl_code admit(bool *goes_on, struct sl_early_message **met, struct sl_rendezvous_key *key,
                     struct sl_step_rendezvous *r, struct sl_str name, struct sl_value *value, struct sl_waiter *waiter,
                     struct sl_error *err) {
    *goes_on = false;
    *met = NULL;
    if (r->is_aborted) return refuse(r, err);
    if (r->is_exchange && (*met = take_one(r, name, !waiter))) return SL_OK;
    if (!r->inner) return keep(r, name, value, waiter, err);
    SL_TRY(find(key, r, name, waiter ? SL_PAIR_GOES_OUT : SL_PAIR_COMES_IN, err));
    SL_TRY(check_room(r, err));
    *goes_on = true;
    return SL_OK;
}

/* Of an exchange; frees the message. */
static void give(struct sl_waiter *waiter, struct sl_early_message *met, struct sl_value *value) {
    waiter->value = sl_value_move(value);
    sl_free(met);
    waiter->done(waiter, SL_OK, NULL);
}

sl_code sl_step_rendezvous_put(struct sl_step_rendezvous *r, struct sl_str name, struct sl_value *value,
                               struct sl_error *err) {
    struct sl_early_message *met;
    struct sl_rendezvous_key key;
    bool goes_on;
    sl_mutex_lock(&r->mutex);
    sl_code code = admit(&goes_on, &met, &key, r, name, value, NULL, err);
    sl_mutex_unlock(&r->mutex);
    if (goes_on) return r->inner->put(r->inner, &key, value, err);
    if (met) give(met->waiter, met, value);
    sl_value_clear(value);
    return code;
}

void sl_step_rendezvous_take(struct sl_step_rendezvous *r, struct sl_str name, struct sl_waiter *waiter) {
    struct sl_early_message *met;
    struct sl_error err;
    bool goes_on;
    sl_error_clear(&err);
    waiter->value.kind = SL_VALUE_NONE;
    waiter->key.pair = NULL;
    sl_mutex_lock(&r->mutex);
    sl_code code = admit(&goes_on, &met, &waiter->key, r, name, NULL, waiter, &err);
    sl_mutex_unlock(&r->mutex);
    if (goes_on) r->inner->take(r->inner, waiter);
    else if (met) give(waiter, met, &met->value);
    else if (code != SL_OK) waiter->done(waiter, code, &err);
}

/* Of those that wait for the step to begin. With the lock held. */
static bool withdraw_early(struct sl_step_rendezvous *r, const struct sl_waiter *waiter) {
    struct sl_early_message **at = &r->early, *m;
    while (*at && (*at)->waiter != waiter) at = &(*at)->next;
    if (!(m = *at)) return false;
    *at = m->next;
    if (r->last_early == &m->next) r->last_early = at;
    r->n_early--;
    atomic_fetch_sub(&r->table->early_bytes, m->bytes);
    sl_free(m);
    return true;
}

bool sl_step_rendezvous_withdraw(struct sl_step_rendezvous *r, struct sl_waiter *waiter) {
    sl_mutex_lock(&r->mutex);
    bool waited = withdraw_early(r, waiter);
    bool may_wait = !waited && r->inner && waiter->key.pair;
    sl_mutex_unlock(&r->mutex);
    return waited || (may_wait && sl_rendezvous_withdraw(r->inner, waiter));
}
