/* Offers and takes. An answer is written around the memory of the tensors, each of which it takes a reference of.
 *
 *     RecvBufResponse { num_bytes, transport_options: Any { type_url, value: RecvBufRespExtra { tensor_content, ... } } }
 *
 * Who has a ticket of the carrier gets them by that, and an answer of a few bytes: transport_options: Any { type_url }. */
#include "dist/collective_buffers.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

enum { PARKED_MAX = 4096, WITHDRAWN_KEPT = 256, VARINT = 10 };

struct parked_recv {
    struct parked_recv *next, **at; /* `at` NULL: is not in the list; guarded, as is the next */
    bool is_gone;
    struct sl_collective_buffers *buffers;
    struct sl_rpc_call *call;
    uint64_t step;
    char key[BUFFER_KEY_ROOM];
    size_t begin, bytes;
    struct sl_ticket ticket;
    bool has_ticket, is_foreign;
    atomic_uint holders; /* who ends the call, and who is told that its client has gone */
};

/* ---- answers */

static char *put_varint(char *at, uint64_t v) {
    for (; v >= 0x80; v >>= 7) *at++ = (char)(v | 0x80);
    *at++ = (char)v;
    return at;
}

static size_t varint_bytes(uint64_t v) {
    size_t n = 1;
    for (; v >= 0x80; v >>= 7) n++;
    return n;
}

static void release_tensor(void *owner) { sl_tensor_unref(owner); }

static sl_code add_head(struct sl_rpc_message *m, size_t bytes, size_t n, bool is_foreign, struct sl_error *err) {
    static const struct sl_str url = SL_STR("type.googleapis.com/tensorflow.RecvBufRespExtra");
    char head[8 * VARINT + 64], *at = head;
    size_t extra = n * (1 + varint_bytes(bytes) + bytes), any = 1 + varint_bytes(extra) + extra;
    if (is_foreign) any += 2 + url.n;
    *at++ = 2 << 3;
    at = put_varint(at, bytes * n);
    *at++ = 4 << 3 | 2;
    at = put_varint(at, any);
    if (is_foreign) {
        *at++ = 1 << 3 | 2;
        at = put_varint(at, url.n);
        memcpy(at, url.p, url.n);
        at += url.n;
    }
    *at++ = 2 << 3 | 2;
    at = put_varint(at, extra);
    return sl_rpc_message_add_bytes(m, (struct sl_str){head, (size_t)(at - head)}, err);
}

static sl_code write_range(struct sl_rpc_message *m, const struct sl_collective_offer *offer, size_t begin,
                           size_t bytes, struct sl_error *err) {
    SL_TRY(add_head(m, bytes, offer->n, offer->is_foreign, err));
    for (size_t i = 0; i < offer->n; i++) {
        char head[1 + VARINT], *at = head;
        *at++ = 1 << 3 | 2;
        at = put_varint(at, bytes);
        SL_TRY(sl_rpc_message_add_bytes(m, (struct sl_str){head, (size_t)(at - head)}, err));
        struct sl_tensor *t = sl_tensor_ref(offer->tensors[i]);
        const struct sl_rpc_piece piece = {(const char *)t->data + begin, bytes, release_tensor, t};
        SL_TRY(sl_rpc_message_add(m, piece, err));
    }
    return SL_OK;
}

static sl_code send_range(struct sl_rpc_message *m, const struct sl_collective_buffers *b,
                          const struct sl_collective_offer *offer, const struct parked_recv *p, struct sl_error *err) {
    struct sl_pb_Any how = {.type_url = SL_STR(SL_CARRIER_URL)};
    const struct sl_pb_RecvBufResponse answer = {.num_bytes = (int64_t)(p->bytes * offer->n),
                                                 .transport_options = &how};
    SL_TRY(sl_wire_add_message(m, SL_PB_TYPE_OF(RecvBufResponse), &answer, err));
    return sl_carrier_send(b->carrier, p->ticket, offer->tensors, offer->n, p->begin, p->bytes, err);
}

/* ---- offers */

static void recv_release(struct parked_recv *p) {
    if (atomic_fetch_sub(&p->holders, 1) == 1) sl_free(p);
}

static bool is_for(const struct parked_recv *p, const struct sl_collective_offer *offer) {
    return p->step == offer->step && p->is_foreign == offer->is_foreign && strcmp(p->key, offer->key) == 0;
}

static void unpark(struct sl_collective_buffers *b, struct parked_recv *p) {
    *p->at = p->next;
    if (p->next) p->next->at = p->at;
    p->at = NULL;
    b->n_parked--;
}

static void unlist(struct sl_collective_offer *offer) {
    *offer->at = offer->next;
    if (offer->next) offer->next->at = offer->at;
    offer->at = NULL;
}

/* With the mutex held: what is taken is counted, and written while the offer is there. */
static sl_code take(bool *is_last, struct sl_rpc_message *m, const struct sl_collective_buffers *b,
                    struct sl_collective_offer *offer, struct parked_recv *p, struct sl_error *err) {
    if (p->is_foreign) p->begin = offer->begin;
    if (p->is_foreign && p->bytes != offer->end - offer->begin)
        return sl_fail(err, SL_INVALID_ARGUMENT, "RecvBuf of %zu bytes under the key %s, which has %zu", p->bytes,
                       p->key, offer->end - offer->begin);
    if (p->begin < offer->begin || p->begin > offer->end || p->bytes > offer->end - p->begin)
        return sl_fail(err, SL_INVALID_ARGUMENT, "RecvBuf of %zu bytes from %zu on, of %zu to %zu that are there",
                       p->bytes, p->begin, offer->begin, offer->end);
    if (p->has_ticket) SL_TRY(send_range(m, b, offer, p, err));
    else SL_TRY(write_range(m, offer, p->begin, p->bytes, err));
    *is_last = --offer->takes == 0;
    if (*is_last) unlist(offer);
    return SL_OK;
}

static void answer(struct parked_recv *p, struct sl_rpc_message *m, sl_code code, const struct sl_error *err) {
    sl_service_end(p->call, m, code, err);
    recv_release(p);
}

void sl_collective_offer(struct sl_collective_buffers *b, struct sl_collective_offer *offer) {
    bool is_last = false;
    sl_mutex_lock(&b->mutex);
    offer->next = b->offers;
    offer->at = &b->offers;
    if (offer->next) offer->next->at = &offer->next;
    b->offers = offer;
    for (struct parked_recv *p = b->parked, *next; p && !is_last; p = next) {
        struct sl_rpc_message m = {.n = 0};
        struct sl_error err;
        next = p->next;
        if (!is_for(p, offer)) continue;
        unpark(b, p);
        sl_code code = take(&is_last, &m, b, offer, p, &err);
        sl_mutex_unlock(&b->mutex);
        answer(p, &m, code, &err);
        sl_mutex_lock(&b->mutex);
        if (is_last) break;
        next = b->parked; /* the list may be another one */
    }
    sl_mutex_unlock(&b->mutex);
    if (is_last) offer->taken(offer);
}

/* A '*' at the end stands for any. */
static bool is_key(const char *pattern, const char *key) {
    size_t n = strlen(pattern);
    if (n && pattern[n - 1] == '*') return strncmp(pattern, key, n - 1) == 0;
    return strcmp(pattern, key) == 0;
}

static void fail_parked(struct sl_collective_buffers *b, uint64_t step, const char *key) {
    struct sl_error err;
    sl_fail(&err, SL_ABORTED, "[_Derived_]The collective has failed at %s",
            sl_cluster_own_name(b->worker->options.cluster));
    for (;;) {
        struct sl_rpc_message m = {.n = 0};
        sl_mutex_lock(&b->mutex);
        struct parked_recv *p = b->parked;
        while (p && (p->step != step || !is_key(key, p->key))) p = p->next;
        if (p) unpark(b, p);
        sl_mutex_unlock(&b->mutex);
        if (!p) return;
        answer(p, &m, err.code, &err);
    }
}

/* With the mutex held. */
static void note_withdrawn(struct sl_collective_buffers *b, uint64_t step, const char *key) {
    struct withdrawn *w = &b->withdrawn[b->n_withdrawn++ % WITHDRAWN_KEPT];
    w->step = step;
    (void)snprintf(w->key, sizeof w->key, "%s", key);
}

static bool is_withdrawn(const struct sl_collective_buffers *b, uint64_t step, const char *key) {
    size_t n = b->n_withdrawn < WITHDRAWN_KEPT ? b->n_withdrawn : WITHDRAWN_KEPT;
    for (size_t i = 0; i < n; i++)
        if (b->withdrawn[i].step == step && is_key(b->withdrawn[i].key, key)) return true;
    return false;
}

void sl_collective_refuse(struct sl_collective_buffers *b, uint64_t step, const char *key) {
    sl_mutex_lock(&b->mutex);
    note_withdrawn(b, step, key);
    sl_mutex_unlock(&b->mutex);
    fail_parked(b, step, key);
}

void sl_collective_allow(struct sl_collective_buffers *b, uint64_t step, const char *key) {
    sl_mutex_lock(&b->mutex);
    size_t n = b->n_withdrawn < WITHDRAWN_KEPT ? b->n_withdrawn : WITHDRAWN_KEPT;
    for (size_t i = 0; i < n; i++)
        if (b->withdrawn[i].step == step && strcmp(b->withdrawn[i].key, key) == 0) *b->withdrawn[i].key = '\0';
    sl_mutex_unlock(&b->mutex);
}

bool sl_collective_withdraw(struct sl_collective_buffers *b, struct sl_collective_offer *offer) {
    sl_mutex_lock(&b->mutex);
    bool is_there = offer->at != NULL;
    if (is_there) {
        unlist(offer);
        note_withdrawn(b, offer->step, offer->key);
    }
    sl_mutex_unlock(&b->mutex);
    if (is_there) fail_parked(b, offer->step, offer->key);
    return is_there;
}

/* ---- RecvBuf */

static sl_code refuse_key(struct sl_str text, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "RecvBuf for '%.*s', which is no key of a collective",
                   (int)(text.n < 100 ? text.n : 100), text.p);
}

static sl_code read_foreign(struct parked_recv *p, const struct sl_pb_RecvBufRequest *request, struct sl_error *err) {
    struct sl_str key = request->buf_rendezvous_key;
    if (key.n == 0 || key.n >= sizeof p->key || request->num_bytes < 0) return refuse_key(key, err);
    memcpy(p->key, key.p, key.n);
    p->is_foreign = true;
    p->bytes = (size_t)request->num_bytes;
    return SL_OK;
}

/* KEY:BEGIN:BYTES */
static sl_code read_key(struct parked_recv *p, struct sl_str text, struct sl_error *err) {
    size_t colons[2], n = 0;
    for (size_t i = text.n; i > 0 && n < 2; i--)
        if (text.p[i - 1] == ':') colons[n++] = i - 1;
    if (n == 2 && colons[1] > 0 && colons[1] < sizeof p->key && text.n - colons[1] < 48) {
        char numbers[48], *end;
        memcpy(p->key, text.p, colons[1]);
        (void)snprintf(numbers, sizeof numbers, "%.*s", (int)(text.n - colons[1] - 1), text.p + colons[1] + 1);
        p->begin = strtoull(numbers, &end, 10);
        if (*end == ':') {
            p->bytes = strtoull(end + 1, &end, 10);
            if (!*end) return SL_OK;
        }
    }
    return refuse_key(text, err);
}

static void leave(void *arg) {
    struct parked_recv *p = arg;
    struct sl_collective_buffers *b = p->buffers;
    sl_mutex_lock(&b->mutex);
    bool is_there = p->at != NULL;
    p->is_gone = true;
    if (is_there) unpark(b, p);
    sl_mutex_unlock(&b->mutex);
    if (is_there) {
        sl_rpc_call_fail(p->call, SL_CANCELLED, "RecvBuf was cancelled");
        recv_release(p);
    }
    recv_release(p);
    sl_mutex_lock(&b->mutex);
    if (--b->n_spawned == 0) sl_condition_broadcast(&b->idle);
    sl_mutex_unlock(&b->mutex);
}

/* The call must not end within this. */
static void client_gone(struct sl_rpc_call *call, sl_code code) {
    struct parked_recv *p = call->arg;
    (void)code;
    atomic_fetch_add(&p->holders, 1);
    sl_mutex_lock(&p->buffers->mutex);
    p->buffers->n_spawned++;
    sl_mutex_unlock(&p->buffers->mutex);
    sl_worker_spawn(p->buffers->worker, leave, p);
}

/* With the mutex held: takes, or waits. */
static sl_code take_or_park(bool *waits, struct sl_collective_offer **finished, struct sl_rpc_message *m,
                            struct sl_collective_buffers *b, struct parked_recv *p, struct sl_error *err) {
    struct sl_collective_offer *offer = b->offers;
    bool is_last = false;
    while (offer && !is_for(p, offer)) offer = offer->next;
    if (offer) {
        sl_code code = take(&is_last, m, b, offer, p, err);
        if (is_last) *finished = offer;
        return code;
    }
    if (p->is_gone) return sl_fail(err, SL_CANCELLED, "RecvBuf was cancelled");
    if (is_withdrawn(b, p->step, p->key))
        return sl_fail(err, SL_ABORTED, "[_Derived_]The collective has failed at %s",
                       sl_cluster_own_name(b->worker->options.cluster));
    if (b->n_parked >= PARKED_MAX)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%d calls of RecvBuf wait already", PARKED_MAX);
    p->next = b->parked;
    p->at = &b->parked;
    if (p->next) p->next->at = &p->next;
    b->parked = p;
    b->n_parked++;
    *waits = true;
    return SL_OK;
}

void sl_collective_recv_buf(struct sl_collective_buffers *b, struct sl_rpc_call *call) {
    static const struct sl_rpc_listener listener = {.gone = client_gone};
    struct sl_pb_RecvBufRequest request;
    struct parked_recv *p = sl_calloc(1, sizeof *p);
    struct sl_collective_offer *finished = NULL;
    struct sl_rpc_message m = {.n = 0};
    struct sl_arena arena;
    struct sl_error err;
    bool waits = false;
    if (!p) {
        sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    sl_arena_init(&arena);
    if (!sl_service_decode(&request, SL_PB_TYPE_OF(RecvBufRequest), call, &arena)) {
        sl_free(p);
        sl_arena_clear(&arena);
        return;
    }
    p->buffers = b;
    p->call = call;
    p->step = (uint64_t)request.step_id;
    atomic_store(&p->holders, 1);
    sl_code code =
        request.src_device.n ? read_foreign(p, &request, &err) : read_key(p, request.buf_rendezvous_key, &err);
    if (request.transport_options && sl_str_is(request.transport_options->type_url, SL_CARRIER_URL))
        p->has_ticket = sl_carrier_read_ticket(&p->ticket, b->carrier, request.transport_options->value);
    sl_arena_clear(&arena);
    call->arg = p;
    sl_rpc_call_listen(call, &listener);
    if (code == SL_OK) {
        sl_mutex_lock(&b->mutex);
        code = take_or_park(&waits, &finished, &m, b, p, &err);
        sl_mutex_unlock(&b->mutex);
    }
    if (!waits) answer(p, &m, code, &err);
    if (finished) finished->taken(finished);
}

/* ---- making and ending */

sl_code sl_collective_buffers_init(struct sl_collective_buffers *b, struct sl_worker *worker, struct sl_error *err) {
    *b = (struct sl_collective_buffers){.worker = worker};
    b->withdrawn = sl_calloc(WITHDRAWN_KEPT, sizeof *b->withdrawn);
    if (!b->withdrawn) return sl_fail_memory(err, WITHDRAWN_KEPT * sizeof *b->withdrawn);
    sl_mutex_init(&b->mutex);
    sl_condition_init(&b->idle);
    return SL_OK;
}

void sl_collective_buffers_clear(struct sl_collective_buffers *b) {
    if (!b->withdrawn) return;
    sl_mutex_lock(&b->mutex);
    while (b->n_spawned) sl_condition_wait(&b->idle, &b->mutex);
    sl_mutex_unlock(&b->mutex);
    sl_condition_clear(&b->idle);
    sl_mutex_clear(&b->mutex);
    sl_free(b->withdrawn);
    b->withdrawn = NULL;
}
