/* Remote procedure calls by gRPC: HTTP/2 over TCP or Unix sockets, with TLS by OpenSSL where it is asked for.
 *
 * One thread for all channels and servers of a net: it waits for sockets and timers, reads, and calls back. Calls,
 * answers and messages are written at once by the thread that makes them; what the socket does not take the net's
 * thread writes later. A child of fork must not use the nets of its parent, and may free them. */
#ifndef SL_NET_HTTP2_NET_H
#define SL_NET_HTTP2_NET_H

#include "net/rpc.h"

/* UNIMPLEMENTED where the library was built without nghttp2. */
sl_code sl_http2_net_new(struct sl_net **out, struct sl_error *err);

#endif
