/* A server with a few methods and clients that wait for answers, in one process over real sockets. */
#ifndef SL_TESTS_NET_PEERS_H
#define SL_TESTS_NET_PEERS_H

#include "net/http2_net.h"
#include "os/mutex.h"
#include "unit/unit.h"

/* ---- a request and what it has come to */

struct asked {
    struct sl_rpc_request request;
    struct sl_mutex mutex;
    struct sl_condition changed;
    bool is_done;
    sl_code code;
    char text[8192];
    struct sl_rpc_body *body;
};
void asked_init(struct asked *a, const char *path, const void *data, size_t size);
void asked_wait(struct asked *a);
void asked_clear(struct asked *a);
/* Calls and waits; the text in `a` says what has come. */
sl_code ask(struct asked *a, struct sl_rpc_channel *channel, const char *path, const void *data, size_t size);

/* ---- a server
 *
 *   /test/Echo      the message again
 *   /test/Fail      fails with the code in the first byte, and the rest as text
 *   /test/Later     the same, on another thread
 *   /test/Hold      is kept until peers_release
 *   /test/Size      4 bytes: answers with so many
 *   /test/Sum       the sum of the bytes, and their number
 *   /test/Talk      a stream: each message again, until the last */
struct peers {
    struct sl_net *net;
    struct sl_rpc_server *server;
    struct sl_rpc_channel *channel;
    char address[256];
    struct sl_rpc_service service;
    struct sl_mutex mutex;
    struct sl_condition changed;
    struct sl_rpc_call *held[2048];
    int n_held, n_gone, n_called;
    sl_code gone_code;
    bool is_released;
};
/* All but `address` may be NULL. Also dials. */
void peers_begin(struct peers *p, const char *address, const struct sl_rpc_limits *limits,
                 const struct sl_rpc_tls *server_tls, const struct sl_rpc_tls *client_tls);
void peers_serve(struct peers *p, const char *address, const struct sl_rpc_limits *limits,
                 const struct sl_rpc_tls *tls);
void peers_end(struct peers *p);
void peers_wait_held(struct peers *p, int n);
void peers_wait_gone(struct peers *p, int n);
void peers_release(struct peers *p); /* answers what is held, and what comes */

#endif
