/* Messages to send, bodies that have come, and the default limits. */
#include "net/rpc.h"

#include "base/alloc.h"
#include "os/page.h"

/* ---- messages to send */

static void release(const struct sl_rpc_piece *piece) {
    if (piece->release) piece->release(piece->owner);
}

void sl_rpc_message_clear(struct sl_rpc_message *m) {
    for (size_t i = 0; i < m->n; i++) release(&m->pieces[i]);
    sl_free(m->pieces);
    *m = (struct sl_rpc_message){0};
}

sl_code sl_rpc_message_add(struct sl_rpc_message *m, struct sl_rpc_piece piece, struct sl_error *err) {
    if (!piece.size || sl_grow((void **)&m->pieces, &m->room, m->n + 1, sizeof piece)) {
        release(&piece);
        return piece.size ? sl_fail_memory(err, sizeof piece) : SL_OK;
    }
    m->pieces[m->n++] = piece;
    m->size += piece.size;
    return SL_OK;
}

sl_code sl_rpc_message_add_bytes(struct sl_rpc_message *m, struct sl_str bytes, struct sl_error *err) {
    if (!bytes.n) return SL_OK;
    void *copy = sl_malloc(bytes.n);
    if (!copy) return sl_fail_memory(err, bytes.n);
    memcpy(copy, bytes.p, bytes.n);
    return sl_rpc_message_add(m, (struct sl_rpc_piece){copy, bytes.n, sl_free, copy}, err);
}

/* ---- messages that have come */

struct sl_rpc_body *sl_rpc_body_ref(struct sl_rpc_body *body) {
    atomic_fetch_add_explicit(&body->refs, 1, memory_order_relaxed);
    return body;
}

void sl_rpc_body_unref(struct sl_rpc_body *body) {
    if (body && atomic_fetch_sub_explicit(&body->refs, 1, memory_order_acq_rel) == 1) body->free(body);
}

/* ---- limits */

enum { MOST_CONNECTIONS = 4096, MOST_CALLS = 4096, MOST_HEADER_BYTES = 16384, MOST_CONTROL_FRAMES = 4000 };
static const int64_t second_ns = 1000000000;

struct sl_rpc_limits sl_rpc_default_limits(void) {
    size_t least = (size_t)1 << 30, quarter = sl_pages_of_machine() / 4;
    return (struct sl_rpc_limits){.message_bytes = INT32_MAX,
                                  .unfinished_bytes = quarter > least ? quarter : least,
                                  .connections = MOST_CONNECTIONS,
                                  .calls = MOST_CALLS,
                                  .header_bytes = MOST_HEADER_BYTES,
                                  .control_frames = MOST_CONTROL_FRAMES,
                                  .idle_ns = 300 * second_ns,
                                  .stalled_ns = 30 * second_ns};
}

struct sl_rpc_limits sl_rpc_limits_or_default(const struct sl_rpc_limits *asked) {
    struct sl_rpc_limits limits = sl_rpc_default_limits();
#define TAKE(name)                                                                                                     \
    if (asked->name) limits.name = asked->name;
    TAKE(message_bytes)
    TAKE(unfinished_bytes)
    TAKE(connections)
    TAKE(calls)
    TAKE(header_bytes)
    TAKE(control_frames)
    TAKE(idle_ns)
    TAKE(stalled_ns)
#undef TAKE
    return limits;
}
