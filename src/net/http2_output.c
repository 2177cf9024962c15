/* Frames as pieces. */
#include "net/http2_output.h"

#include "base/alloc.h"

/* A frame takes at most this of an output; the rest is for its head and what stands before it. Small pieces of a
 * message are copied: a piece costs the system more than a hundred bytes do. */
enum { FRAME_PIECES = 24, FRAME_BYTES = 6144, SMALL = 1024, OUTPUT_SIZE = 1 << 20 };

/* ---- messages */

struct sl_http2_outgoing *sl_http2_outgoing_new(struct sl_rpc_message *message, atomic_size_t *accounted) {
    struct sl_http2_outgoing *o = sl_calloc(1, sizeof *o);
    if (!o) return NULL;
    o->message = *message;
    *message = (struct sl_rpc_message){0};
    o->refs = 1;
    o->accounted = accounted;
    if (accounted) atomic_fetch_add_explicit(accounted, o->message.size, memory_order_relaxed);
    sl_grpc_prefix_write(o->prefix, o->message.size);
    return o;
}

void sl_http2_outgoing_drop(struct sl_http2_outgoing **dropped, struct sl_http2_outgoing *o) {
    if (!o || --o->refs) return;
    if (o->accounted) atomic_fetch_sub_explicit(o->accounted, o->message.size, memory_order_relaxed);
    o->next = *dropped;
    *dropped = o;
}

void sl_http2_outgoing_free(struct sl_http2_outgoing *list) {
    while (list) {
        struct sl_http2_outgoing *o = list;
        list = o->next;
        sl_rpc_message_clear(&o->message);
        sl_free(o);
    }
}

void sl_http2_outgoing_rewind(struct sl_http2_outgoing *o) {
    o->next = NULL;
    o->at = o->piece = o->piece_at = 0;
}

/* ---- what is about to be written */

/* Joins the last piece where it can. */
static void add_piece(struct sl_http2_output *out, const void *data, size_t size, struct sl_http2_outgoing *owner) {
    struct sl_socket_piece *last = out->n > out->first ? &out->pieces[out->n - 1] : NULL;
    out->size += size;
    if (last && out->owners[out->n - 1] == owner && (const char *)last->data + last->size == data) {
        last->size += size;
        return;
    }
    if (owner) owner->refs++;
    out->pieces[out->n] = (struct sl_socket_piece){data, size};
    out->owners[out->n++] = owner;
}

static void add_copy(struct sl_http2_output *out, const void *data, size_t size) {
    unsigned char *to = out->bytes + out->n_bytes;
    memcpy(to, data, size);
    out->n_bytes += size;
    add_piece(out, to, size, NULL);
}

size_t sl_http2_output_add(struct sl_http2_output *out, const void *data, size_t size) {
    size_t room = SL_HTTP2_OUTPUT_BYTES - out->n_bytes;
    if (out->n == SL_HTTP2_OUTPUT_PIECES) room = 0;
    if (size > room) size = room;
    if (size) add_copy(out, data, size);
    return size;
}

size_t sl_http2_output_fits(const struct sl_http2_outgoing *o, size_t most) {
    size_t left = sl_http2_outgoing_left(o), size = 0, bytes = 0, pieces = 0, at = o->piece_at;
    if (left < most) most = left;
    if (o->at < SL_GRPC_PREFIX) size = bytes = SL_GRPC_PREFIX - o->at;
    for (size_t i = o->piece; i < o->message.n && size < most && pieces < FRAME_PIECES; i++, at = 0) {
        size_t part = o->message.pieces[i].size - at;
        if (part < SMALL && bytes + part > FRAME_BYTES) break;
        if (part < SMALL) bytes += part;
        else pieces++;
        size += part;
    }
    return size < most ? size : most;
}

/* The next bytes of a message, of one of its pieces, up to `size`; returns how many. */
static size_t add_part(struct sl_http2_output *out, struct sl_http2_outgoing *o, size_t size) {
    const struct sl_rpc_piece *piece = &o->message.pieces[o->piece];
    const char *data = (const char *)piece->data + o->piece_at;
    size_t left = piece->size - o->piece_at, part = left < size ? left : size;
    if (left < SMALL) add_copy(out, data, part);
    else add_piece(out, data, part, o);
    o->piece_at += part;
    o->at += part;
    if (o->piece_at == piece->size) {
        o->piece++;
        o->piece_at = 0;
    }
    return part;
}

bool sl_http2_output_add_frame(struct sl_http2_output *out, struct sl_http2_outgoing *o, const unsigned char *head,
                               size_t size) {
    bool has_room = out->n + 2 * FRAME_PIECES + 2 <= SL_HTTP2_OUTPUT_PIECES && out->size < OUTPUT_SIZE &&
                    out->n_bytes + SL_HTTP2_FRAME_HEAD + SL_GRPC_PREFIX + FRAME_BYTES <= SL_HTTP2_OUTPUT_BYTES;
    if (!has_room) return false;
    add_copy(out, head, SL_HTTP2_FRAME_HEAD);
    if (size && o->at < SL_GRPC_PREFIX) {
        size_t left = SL_GRPC_PREFIX - o->at, part = left < size ? left : size;
        add_copy(out, o->prefix + o->at, part);
        o->at += part;
        size -= part;
    }
    while (size) size -= add_part(out, o, size);
    out->has_data = true;
    return true;
}

size_t sl_http2_output_left(const struct sl_http2_output *out) {
    size_t n = 0;
    for (int i = out->first; i < out->n; i++) n += out->pieces[i].size;
    return n;
}

void sl_http2_output_written(struct sl_http2_outgoing **dropped, struct sl_http2_output *out, size_t n) {
    while (out->first < out->n) {
        struct sl_socket_piece *piece = &out->pieces[out->first];
        if (n < piece->size) {
            piece->data = (const char *)piece->data + n;
            piece->size -= n;
            return;
        }
        n -= piece->size;
        sl_http2_outgoing_drop(dropped, out->owners[out->first++]);
    }
    out->first = out->n = 0;
    out->n_bytes = out->size = 0;
    out->has_data = false;
}
