/* TLS over a socket, by OpenSSL 3, which is looked for when the first context is made: programs without TLS do not
 * load it. Both sides must agree on "h2" (ALPN). Without OpenSSL every context is UNIMPLEMENTED. */
#ifndef SL_NET_TLS_H
#define SL_NET_TLS_H

#include "net/rpc.h"
#include "os/socket.h"

/* Certificates and keys of a channel or server. Constant; thread-safe. */
struct sl_tls_context;
/* INVALID_ARGUMENT, with the file's name, for what cannot be read or does not fit together. */
sl_code sl_tls_context_new(struct sl_tls_context **out, const struct sl_rpc_tls *tls, bool is_server,
                           struct sl_error *err);
void sl_tls_context_free(struct sl_tls_context *context); /* NULL is fine */

/* One connection. One thread at a time. */
struct sl_tls;
/* `host`: a client's, the name that the server's certificate must have. The socket stays the caller's. */
sl_code sl_tls_new(struct sl_tls **out, const struct sl_tls_context *context, int fd, const char *host,
                   struct sl_error *err);
void sl_tls_free(struct sl_tls *tls); /* NULL is fine */
/* As sl_socket_read and sl_socket_write; the first ones shake hands. */
sl_code sl_tls_read(ptrdiff_t *n, struct sl_tls *tls, void *data, size_t size, struct sl_error *err);
sl_code sl_tls_write(ptrdiff_t *n, struct sl_tls *tls, const struct sl_socket_piece *pieces, int n_pieces,
                     struct sl_error *err);
/* Whether the last call waits for room in the socket, and not for something to read. */
bool sl_tls_wants_room(const struct sl_tls *tls);

#endif
