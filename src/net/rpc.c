/* Messages to send, bodies that have come, and the default limits. */
#include "net/rpc.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/env.h"
#include "os/cpu.h"
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

static const int64_t ns_of_ms = 1000000;

static size_t unfinished_default(void) {
    size_t least = (size_t)1 << 30, quarter = sl_pages_of_machine() / 4;
    return quarter > least ? quarter : least;
}

/* More than there are processors, so that short steps go on beside long ones. */
static unsigned step_threads_default(void) {
    const unsigned some = 4 * (unsigned)sl_cpu_count();
    return some > 16 ? some : 16;
}

struct sl_rpc_limits sl_rpc_default_limits(void) {
    return (struct sl_rpc_limits){
#define SL_LIMIT(type, member, name, unit, otherwise, what) .member = (type)(otherwise),
#include "net/limits.def"
#undef SL_LIMIT
    };
}

struct sl_rpc_limits sl_rpc_limits_or_default(const struct sl_rpc_limits *asked) {
    struct sl_rpc_limits limits = sl_rpc_default_limits();
#define SL_LIMIT(type, member, name, unit, otherwise, what)                                                            \
    if (asked->member) limits.member = asked->member;
#include "net/limits.def"
#undef SL_LIMIT
    return limits;
}

size_t sl_rpc_limits_print(char *out, size_t size) {
    size_t n = 0;
#define SL_LIMIT(type, member, name, unit, otherwise, what)                                                            \
    n += (size_t)snprintf(n < size ? out + n : NULL, n < size ? size - n : 0, "%-18s %12lld  %s\n", name,              \
                          (long long)(otherwise) / (long long)(unit), what);
#include "net/limits.def"
#undef SL_LIMIT
    return n;
}

static sl_code fail_unknown(struct sl_str name, struct sl_error *err) {
    char names[1024];
    size_t n = 0;
#define SL_LIMIT(type, member, name, unit, otherwise, what)                                                            \
    n += (size_t)snprintf(names + n, sizeof names - n, " %s=%lld", name, (long long)(otherwise) / (long long)(unit));
#include "net/limits.def"
#undef SL_LIMIT
    return sl_fail(err, SL_INVALID_ARGUMENT, "there is no limit '%.*s'; there are, with their defaults:%s",
                   SL_STR_ARG(name), names);
}

static sl_code set_limit(struct sl_rpc_limits *limits, struct sl_str name, const char *value, struct sl_error *err) {
    size_t number;
    bool is_number = sl_size_parse(&number, value) && number;
#define SL_LIMIT(type, member, text, unit, otherwise, what)                                                            \
    if (sl_str_is(name, text)) {                                                                                       \
        size_t most = sizeof(type) < 8 ? (size_t)INT32_MAX : (size_t)INT64_MAX / (size_t)(unit);                       \
        if (!is_number || number > most)                                                                               \
            return sl_fail(err, SL_INVALID_ARGUMENT, "the limit %s is a number from 1, not '%s'", text, value);        \
        limits->member = (type)((type)number * (type)(unit));                                                          \
        return SL_OK;                                                                                                  \
    }
#include "net/limits.def"
#undef SL_LIMIT
    return fail_unknown(name, err);
}

sl_code sl_rpc_limits_parse(struct sl_rpc_limits *limits, const char *text, struct sl_error *err) {
    while (text && *text) {
        size_t n = strcspn(text, ","), n_name = strcspn(text, "=,");
        char value[32];
        size_t n_value = n_name < n ? n - n_name - 1 : 0;
        if (n_value >= sizeof value) n_value = sizeof value - 1; /* no number is that long */
        memcpy(value, text + n - n_value, n_value);
        value[n_value] = '\0';
        SL_TRY(set_limit(limits, (struct sl_str){text, n_name}, value, err));
        text += n + (text[n] == ',');
    }
    return SL_OK;
}
