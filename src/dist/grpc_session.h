/* The session that a server runs: target "grpc://HOST:PORT". Its methods are calls; the graph is sent node by node as
 * the client's grows.
 * Threads: as in session/session.h. A call holds the thread that makes it until the answer has come. */
#ifndef SL_DIST_GRPC_SESSION_H
#define SL_DIST_GRPC_SESSION_H

#include "net/rpc.h"
#include "session/session.h"

/* Connects to nobody yet. The net outlives it. */
sl_code sl_grpc_session_new(struct sl_session **out, struct sl_net *net, const struct sl_session_options *options,
                            struct sl_error *err);

/* The files that SLUICE_TLS_CERTIFICATE, SLUICE_TLS_KEY and SLUICE_TLS_AUTHORITIES name; NULL for those that are not set. */
struct sl_rpc_tls sl_dist_tls_of_environment(void);

#endif
