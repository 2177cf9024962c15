/* Sockets: streams over TCP and Unix sockets. All are non-blocking and closed on exec; none raises SIGPIPE; small
 * messages are not held back (TCP_NODELAY). A socket is its file descriptor, the caller's to close. Calls that were
 * interrupted are repeated.
 *
 * Errors: a peer that is not there, refuses or has gone is UNAVAILABLE, as users of gRPC expect. Messages: "connect
 * to 127.0.0.1:80; Connection refused". Thread-safe; of one socket one thread reads and one writes at a time. */
#ifndef SL_OS_SOCKET_H
#define SL_OS_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include "os/address.h"

/* ---- making connections */

/* Listens; port 0 takes any that is free (sl_socket_local says which). An IPv6 address for any host takes IPv4 peers
 * too. A Unix socket that nobody listens at any more is replaced. FAILED_PRECONDITION when the address is in use. */
sl_code sl_socket_listen(int *fd, const struct sl_address *at, struct sl_error *err);
/* The next peer, or *fd = -1 when none waits. `peer` may be NULL. RESOURCE_EXHAUSTED when the process has too many
 * open files; the peer waits on. */
sl_code sl_socket_accept(int *fd, struct sl_address *peer, int listener, struct sl_error *err);
/* Begins to connect. Unless `*is_done`, wait until the socket can be written to, and ask sl_socket_connected. */
sl_code sl_socket_connect(int *fd, bool *is_done, const struct sl_address *to, struct sl_error *err);
/* Whether the connection stands. `to` is for the message. */
sl_code sl_socket_connected(int fd, const struct sl_address *to, struct sl_error *err);
/* Two ends of a connection within the process. */
sl_code sl_socket_pair(int fds[2], struct sl_error *err);

sl_code sl_socket_local(struct sl_address *out, int fd, struct sl_error *err);
sl_code sl_socket_peer(struct sl_address *out, int fd, struct sl_error *err);

/* ---- bytes */

enum { SL_SOCKET_END = 0, SL_SOCKET_WAIT = -1, SL_SOCKET_PIECES = 64 };
struct sl_socket_piece {
    const void *data;
    size_t size;
};
/* Up to `size` bytes; `*n` is how many came, SL_SOCKET_END when the peer has finished, SL_SOCKET_WAIT when nothing
 * is there. */
sl_code sl_socket_read(ptrdiff_t *n, int fd, void *data, size_t size, struct sl_error *err);
struct sl_socket_place {
    void *data;
    size_t size;
};
/* The same into two places, the second after the first is full. */
sl_code sl_socket_read_both(ptrdiff_t *n, int fd, const struct sl_socket_place places[2], struct sl_error *err);
/* `*n` is how many bytes of all pieces were taken, perhaps not all; SL_SOCKET_WAIT when the socket takes none. Of
 * more than SL_SOCKET_PIECES pieces the rest waits for another call. */
sl_code sl_socket_write(ptrdiff_t *n, int fd, const struct sl_socket_piece *pieces, int n_pieces, struct sl_error *err);
/* Nothing more will be written: the peer reads to the end. It may go on writing. */
sl_code sl_socket_finish(int fd, struct sl_error *err);
void sl_socket_close(int fd); /* -1 is fine */
/* How many descriptors the process may have open; 0 where that cannot be asked. */
unsigned sl_socket_most(void);

#endif
