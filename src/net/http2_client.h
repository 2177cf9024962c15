/* A channel: the calls to one address, and the connection that they share.
 *
 *   idle ──a call──► connecting: resolve, try each address, shake hands, settings ──► connected
 *    ▲                  │ failed                                                       │ lost, or the server leaves
 *    │                  ▼                                                              │
 *    └──── time ──── waiting: 20 ms, longer each time, 1 s at most ◄────── idle ◄──────┘ (the next call connects)
 *
 * Calls that were not begun, or that the server says it has not looked at, go to the next connection. */
#ifndef SL_NET_HTTP2_CLIENT_H
#define SL_NET_HTTP2_CLIENT_H

#if SL_HAVE_NGHTTP2
#include "net/http2_link.h"

enum { SL_HTTP2_ADDRESSES = 8 };
enum sl_http2_channel_state { SL_HTTP2_IDLE, SL_HTTP2_CONNECTING, SL_HTTP2_CONNECTED, SL_HTTP2_WAITING };

struct sl_http2_channel {
    struct sl_rpc_channel base;
    struct sl_http2_net *net;
    struct sl_http2_channel *next; /* of the net's list, with the net's lock, as `users` */
    unsigned users;
    bool is_listed;
    struct sl_rpc_tls tls_files; /* strings in `texts`, as `address` */
    char *texts;
    const char *address;
    unsigned lane;
    char host[256]; /* without the port; "localhost" for a Unix socket */
    struct sl_tls_context *tls;
    struct sl_rpc_limits limits;

    struct sl_mutex mutex; /* for what follows, and that of its links */
    enum sl_http2_channel_state state;
    struct sl_http2_link *link;   /* that takes calls; NULL unless connected */
    struct sl_http2_link *trying; /* that shakes hands */
    struct sl_http2_link *links;  /* all */
    struct sl_http2_client_call *first, *last;
    struct sl_rpc_request *failed; /* without memory for a call; a list through `call` */
    unsigned n_inside;             /* threads in a function of the channel, and links not freed yet */
    bool is_closing, is_attend_queued, is_resolving;
    bool must_try_next; /* the connection did not come to be */
    struct sl_loop_task attend_task, resolved_task;
    int64_t look_ns; /* when to look at deadlines and states again */
    int64_t backoff_ns, retry_ns, give_up_ns;
    struct sl_error why; /* the last attempt failed */

    /* of the net's thread */
    struct sl_timer timer;
    struct sl_address addresses[SL_HTTP2_ADDRESSES];
    int n_addresses, next_address;
    sl_code resolved;
    int fd; /* that connects; -1: none */
    struct sl_loop_watch watch;
};

/* ---- http2_connect.c; on the net's thread, without the lock */

/* From idle. */
void sl_http2_connect(struct sl_http2_channel *channel);
/* The attempt has failed (`why` says how): tries the next address, or waits. */
void sl_http2_connect_next(struct sl_http2_channel *channel);
/* Lets go of a socket that connects. */
void sl_http2_connect_stop(struct sl_http2_channel *channel);
void sl_http2_resolved(struct sl_loop_task *task);

/* ---- http2_client.c */

extern const struct sl_http2_role sl_http2_client_role;
/* With the lock: no address answered, so that calls which do not wait have failed. */
void sl_http2_channel_failed(struct sl_http2_channel *channel);
/* With the lock: has the net's thread see to it soon. */
void sl_http2_channel_attend(struct sl_http2_channel *channel);
#endif

#endif
