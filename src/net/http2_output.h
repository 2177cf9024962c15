/* What a connection is about to write: frames, as pieces of memory. The heads of frames and small messages lie in one
 * buffer; large messages stay where they are until they have been written.
 *
 *   bytes   │ head, headers │ head │        │ head, trailers │
 *   pieces  ├───────────────┴──────┤ tensor ├────────────────┤   one call of the system
 *
 * Of one connection, with its lock. */
#ifndef SL_NET_HTTP2_OUTPUT_H
#define SL_NET_HTTP2_OUTPUT_H

#include "net/grpc_message.h"
#include "os/socket.h"

/* A message on its way out, in the list of its stream. */
struct sl_http2_outgoing {
    struct sl_http2_outgoing *next;
    struct sl_rpc_message message;
    unsigned char prefix[SL_GRPC_PREFIX];
    unsigned refs;            /* of the stream, of the call, of pieces that are not written yet */
    size_t at;                /* bytes put into the output, the prefix among them */
    size_t piece, piece_at;   /* where the rest begins */
    atomic_size_t *accounted; /* where its size is counted; NULL: nowhere */
};
/* Takes the message. With one reference. NULL when memory is out (the message is then the caller's still). */
struct sl_http2_outgoing *sl_http2_outgoing_new(struct sl_rpc_message *message, atomic_size_t *accounted);
/* Drops a reference; the last one puts it into the list `*dropped`, whose messages are for sl_http2_outgoing_free, with
 * no lock held: the owners of their pieces are told. */
void sl_http2_outgoing_drop(struct sl_http2_outgoing **dropped, struct sl_http2_outgoing *o);
void sl_http2_outgoing_free(struct sl_http2_outgoing *list);
void sl_http2_outgoing_rewind(struct sl_http2_outgoing *o); /* to be sent once more */
static inline size_t sl_http2_outgoing_left(const struct sl_http2_outgoing *o) {
    return SL_GRPC_PREFIX + o->message.size - o->at;
}

enum { SL_HTTP2_OUTPUT_BYTES = 16384, SL_HTTP2_OUTPUT_PIECES = SL_SOCKET_PIECES, SL_HTTP2_FRAME_HEAD = 9 };

struct sl_http2_output {
    unsigned char *bytes; /* SL_HTTP2_OUTPUT_BYTES */
    size_t n_bytes;
    struct sl_socket_piece pieces[SL_HTTP2_OUTPUT_PIECES];
    struct sl_http2_outgoing *owners[SL_HTTP2_OUTPUT_PIECES]; /* NULL: `bytes` */
    int first, n;                                             /* those not written yet */
    size_t size;                                              /* in bytes, of what was added since it was empty */
    bool has_data;                                            /* something of a message is among it */
};
/* Bytes that wait to be written. */
size_t sl_http2_output_left(const struct sl_http2_output *out);
static inline bool sl_http2_output_is_empty(const struct sl_http2_output *out) { return out->first == out->n; }

/* Adds a copy of up to `size` bytes; returns how many there was room for. */
size_t sl_http2_output_add(struct sl_http2_output *out, const void *data, size_t size);
/* How many bytes of the message, up to `most`, one frame takes. */
size_t sl_http2_output_fits(const struct sl_http2_outgoing *o, size_t most);
/* Adds a frame: its head and the next `size` bytes of the message, which fit by sl_http2_output_fits. False: there is
 * no room before the output has been written. */
bool sl_http2_output_add_frame(struct sl_http2_output *out, struct sl_http2_outgoing *o, const unsigned char *head,
                               size_t size);
/* The first `n` bytes have been written. */
void sl_http2_output_written(struct sl_http2_outgoing **dropped, struct sl_http2_output *out, size_t n);

#endif
