/* HTTP/1.1 by libmicrohttpd, which is looked for when the first listener is made: what comes whole is handed on, what is
 * too large or too slow is not. A connection has a thread, which runs its requests. */
#ifndef SL_SERVING_HTTP_LISTENER_H
#define SL_SERVING_HTTP_LISTENER_H

#include "base/error.h"
#include "serving/rest.h"

struct sl_http_listener;

struct sl_http_options {
    const char *address; /* "127.0.0.1:0", "unix:/run/models"; see sl_address_resolve */
    /* Answers; thread-safe. */
    void (*serve)(struct sl_rest_answer *out, void *arg, const struct sl_rest_request *request);
    void *arg;
    const char *certificate, *key; /* paths of PEM files; NULL: no TLS */
    const char *authorities;       /* clients must show a certificate of one of these; NULL: they need none */
    size_t body_bytes;             /* of one request */
    size_t header_bytes;           /* the same: its line, and its headers */
    unsigned connections;          /* at a time; others wait to be accepted */
    int64_t idle_ns;               /* a connection on which nothing moves for so long is closed */
    int64_t body_ns;               /* how long the body of a request may take to come */
    int64_t drain_ns;              /* what sl_http_listener_free gives requests that are under way */
};

/* Listens and answers. UNIMPLEMENTED where the library was built without libmicrohttpd, or it is not there. */
sl_code sl_http_listener_new(struct sl_http_listener **out, const struct sl_http_options *options,
                             struct sl_error *err);
int sl_http_listener_port(const struct sl_http_listener *listener); /* 0 for a Unix socket */
/* Accepts no connections any more, waits for requests that are under way, closes. NULL is fine. */
void sl_http_listener_free(struct sl_http_listener *listener);

#endif
