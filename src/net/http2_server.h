/* A server and its calls. */
#ifndef SL_NET_HTTP2_SERVER_H
#define SL_NET_HTTP2_SERVER_H

#if SL_HAVE_NGHTTP2
#include "base/str_map.h"
#include "net/http2_link.h"

struct sl_http2_method {
    const struct sl_rpc_method *method;
    void *service;
};

struct sl_http2_server {
    struct sl_rpc_server base;
    struct sl_http2_net *net;
    struct sl_rpc_limits limits;
    struct sl_http2_method *rows; /* constant, as `by_path` */
    struct sl_str_map by_path;    /* struct sl_http2_method */
    struct sl_tls_context *tls;
    int port;
    char *unix_path;          /* to be removed; NULL: none */
    atomic_size_t unfinished; /* bytes of messages on their way */
    atomic_uint n_streams;    /* calls that clients have begun and that have not ended */
    void (*tell)(void *arg, const char *event, const char *text);
    void *arg_of_tell;
    /* of the net's thread */
    int fd;
    struct sl_loop_watch watch;
    struct sl_timer timer;                /* accepts again, when that failed; ends what does not close */
    struct sl_http2_link *links, *oldest; /* from the newest on */
    int64_t told_ns;                      /* of a peer at fault */
    unsigned n_untold;
    bool is_closing;
    sl_code started;
    /* with the lock, which is taken last */
    struct sl_mutex mutex;
    struct sl_condition changed;
    unsigned n_links, n_calls;   /* calls that a service has, until they are answered */
    struct sl_rpc_counts counts; /* those that only grow */
};

extern const struct sl_http2_role sl_http2_server_role;
/* With the link's lock: tells its calls that they have gone, those that have not begun that the server is not there. */
void sl_http2_calls_go(struct sl_http2_link *link);
void sl_http2_count_calls(struct sl_http2_server *server, int change);
/* Whether a call more may begin: when there are many, each connection has its share. With the link's lock. */
bool sl_http2_server_has_room(struct sl_http2_server *server, const struct sl_http2_link *link);
/* A link of the server has ended. On the net's thread, with the link's lock. */
void sl_http2_server_lost(struct sl_http2_server *server, struct sl_http2_link *link);
/* Its memory is freed. */
void sl_http2_server_freed(void *server);
#endif

#endif
