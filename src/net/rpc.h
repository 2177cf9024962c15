/* Remote procedure calls: a client sends one message to a method of a server and gets one back, or a status. What
 * carries them is a table (struct sl_net_methods): HTTP/2 between processes (http2_net.h), or whatever a test puts there.
 *
 *   client                                                        server
 *   sl_rpc_channel_call(channel, request) ── path, message ─────► method->called(service, call)
 *   request->done(request, code, text)    ◄── message or status ── sl_rpc_call_answer / sl_rpc_call_fail
 *   sl_rpc_channel_cancel(channel, request) ────────────────────► the call's `gone`
 *
 * Messages are bytes; nobody here knows what they mean. Large ones are sent from the memory that they are in, and come
 * in one block that may be kept. Statuses are sl_code and a text: gRPC has the same codes.
 *
 * Threads: every function is thread-safe unless it says otherwise. `called`, `message`, `gone` and `done` come on a
 * thread of the net, which serves other calls too: they compute little, and wait for nothing. */
#ifndef SL_NET_RPC_H
#define SL_NET_RPC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

/* ---- messages to send */

struct sl_rpc_piece {
    const void *data;
    size_t size;
    void (*release)(void *owner); /* once, when the piece has been sent or will not be; NULL: static */
    void *owner;
};
/* The pieces one after the other. Zeroed: no bytes. One owner; a function that "takes" it leaves it zeroed. */
struct sl_rpc_message {
    struct sl_rpc_piece *pieces;
    size_t n, room;
    size_t size; /* in bytes, of all pieces */
};
void sl_rpc_message_clear(struct sl_rpc_message *m);
/* Adds a piece. Also on failure (no memory) the piece is the message's, released by clear or at once. */
sl_code sl_rpc_message_add(struct sl_rpc_message *m, struct sl_rpc_piece piece, struct sl_error *err);
/* Adds a copy of some bytes. */
sl_code sl_rpc_message_add_bytes(struct sl_rpc_message *m, struct sl_str bytes, struct sl_error *err);

/* ---- messages that have come: a block of memory, immutable, with counted references. The end of one of a kilobyte or
 * more lies at a multiple of 64 bytes: a tensor at the end of its message, of a multiple of 64 bytes, is aligned. */

struct sl_rpc_body {
    struct sl_str bytes;
    void (*free)(struct sl_rpc_body *body); /* when nobody has it any more */
    atomic_uint refs;
};
struct sl_rpc_body *sl_rpc_body_ref(struct sl_rpc_body *body);
void sl_rpc_body_unref(struct sl_rpc_body *body); /* NULL is fine */

/* ---- the client's side */

/* Calls to one address. It connects when a call asks for it, and again when the connection has gone, waiting longer
 * each time. What a net makes begins with this; counted by the net: dialling the same address gives the same channel. */
struct sl_rpc_channel {
    const struct sl_net_methods *methods;
};

/* One call, in the caller's memory from sl_rpc_channel_call until `done`. Set these, zero the rest. */
struct sl_rpc_request {
    struct sl_str path;            /* "/tensorflow.MasterService/RunStep"; borrowed */
    struct sl_rpc_message message; /* taken */
    int64_t deadline_ns;           /* on sl_clock_ns; then DEADLINE_EXCEEDED, and the server is told; 0: never */
    bool waits_for_ready;          /* for a server that is not there (yet); otherwise that is UNAVAILABLE */
    /* Exactly once. `body` is the answer, a reference of the callee's; NULL unless `code` is SL_OK. */
    void (*done)(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body);
    void *arg; /* the caller's */
    /* of the net: */
    void *call;
};

/* ---- the server's side */

struct sl_rpc_call; /* a call that a client has begun; the server's until it is answered or failed */

struct sl_rpc_method {
    const char *path;
    bool is_stream; /* the client may send any number of messages, and be sent any number */
    /* A call has come. Not a stream: with its message. */
    void (*called)(void *service, struct sl_rpc_call *call);
};
struct sl_rpc_service {
    const struct sl_rpc_method *methods; /* to the one without path */
    void *arg;
};

struct sl_rpc_call {
    const struct sl_net_methods *methods;
    struct sl_rpc_body *body; /* the message; the call's reference. NULL in a stream */
    int64_t deadline_ns;      /* the client's, on sl_clock_ns; 0: none */
    const char *peer;         /* its address, for messages; until the call has ended */
    void *arg;                /* the callee's */
};

/* Ends that reach a call from the client: it has cancelled, its deadline is over, its connection has gone. */
struct sl_rpc_listener {
    void (*gone)(struct sl_rpc_call *call, sl_code code); /* once at most; answer or fail is due all the same */
    /* Of a stream: each message, in order, a reference of the callee's; NULL after the client's last one. */
    void (*message)(struct sl_rpc_call *call, struct sl_rpc_body *body);
};
struct sl_rpc_server {
    const struct sl_net_methods *methods;
};

/* What a server holds its clients to (net/limits.def). 0: the default of `sl_rpc_default_limits`. */
struct sl_rpc_limits {
#define SL_LIMIT(type, member, name, unit, otherwise, what) type member;
#include "net/limits.def"
#undef SL_LIMIT
};
struct sl_rpc_limits sl_rpc_default_limits(void);
struct sl_rpc_limits sl_rpc_limits_or_default(const struct sl_rpc_limits *asked); /* with the defaults for zeros */
/* Sets those that "connections=100,message_bytes=64M" names (K, M, G: 2^10, 2^20, 2^30). INVALID_ARGUMENT for what is no
 * limit, with all names and defaults, and for what is no number from 1. NULL sets nothing. */
sl_code sl_rpc_limits_parse(struct sl_rpc_limits *limits, const char *text, struct sl_error *err);

/* A line for each limit: its name, its default, what it is of. Returns the length that it would have; ends in NUL. */
size_t sl_rpc_limits_print(char *out, size_t size);

/* What a server has now, and has had since it began. */
struct sl_rpc_counts {
    int64_t connections, calls;  /* now; calls that a service has */
    int64_t unfinished_bytes;    /* now */
    int64_t accepted, called;    /* connections and calls so far */
    int64_t turned_away, closed; /* connections beyond the limit; those of peers that broke a rule or a limit */
};

/* Certificates and keys, as paths of PEM files; all NULL: no TLS. */
struct sl_rpc_tls {
    const char *certificate, *key; /* of this side */
    const char *authorities;       /* the other side must show a certificate of one of these; NULL: a client trusts the
                                      system's, a server asks for none */
    const char *name;              /* a client's: the name that the server's certificate must have; NULL: the host's */
};

struct sl_rpc_serving {
    const char *address;                   /* "127.0.0.1:0", "[::]:2222", "unix:/run/sluice" */
    const struct sl_rpc_service *services; /* constant until the server has been freed */
    size_t n_services;
    struct sl_rpc_limits limits;
    struct sl_rpc_tls tls; /* strings are borrowed until serve returns */
    /* Told of peers that were closed or turned away, in words, once a second at most; on the net's thread, with locks
     * held: it calls nothing of the net. NULL: nobody. */
    void (*tell)(void *arg, const char *event, const char *text);
    void *arg_of_tell;
};

/* ---- what carries calls */

struct sl_net {
    const struct sl_net_methods *methods;
};

struct sl_net_timer {
    void (*due)(struct sl_net_timer *timer);
    void *arg;
    void *state[4]; /* of the net */
};

struct sl_net_task {
    void (*run)(struct sl_net_task *task); /* the memory is the owner's again */
    struct sl_net_task *next;              /* of the net */
};

struct sl_net_methods {
    void (*free)(struct sl_net *net); /* after its channels and servers */
    sl_code (*dial)(struct sl_rpc_channel **out, struct sl_net *net, const char *address, unsigned lane,
                    const struct sl_rpc_tls *tls, struct sl_error *err);
    void (*hang_up)(struct sl_rpc_channel *channel);
    void (*call)(struct sl_rpc_channel *channel, struct sl_rpc_request *request);
    void (*cancel)(struct sl_rpc_channel *channel, struct sl_rpc_request *request);
    sl_code (*serve)(struct sl_rpc_server **out, struct sl_net *net, const struct sl_rpc_serving *how,
                     struct sl_error *err);
    int (*port)(const struct sl_rpc_server *server);
    void (*drain)(struct sl_rpc_server *server);
    void (*stop)(struct sl_rpc_server *server);
    void (*listen)(struct sl_rpc_call *call, const struct sl_rpc_listener *listener);
    void (*send)(struct sl_rpc_call *call, struct sl_rpc_message *message);
    void (*pause)(struct sl_rpc_call *call, bool is_paused);
    void (*end)(struct sl_rpc_call *call, sl_code code, const char *text, struct sl_rpc_message *message);
    int64_t (*now)(struct sl_net *net);
    void (*set_timer)(struct sl_net *net, struct sl_net_timer *timer, int64_t at_ns);
    void (*cancel_timer)(struct sl_net *net, struct sl_net_timer *timer);
    void (*count)(struct sl_rpc_counts *out, struct sl_rpc_server *server); /* NULL: it does not */
    bool (*run_here)(struct sl_net *net, struct sl_net_task *task);         /* NULL: it does not */
};

/* NULL is fine. */
static inline void sl_net_free(struct sl_net *net) {
    if (net) net->methods->free(net);
}
/* A channel to an address; names nobody and connects nowhere yet. INVALID_ARGUMENT for what is no address. `tls` NULL:
 * without. */
static inline sl_code sl_net_dial(struct sl_rpc_channel **out, struct sl_net *net, const char *address,
                                  const struct sl_rpc_tls *tls, struct sl_error *err) {
    return net->methods->dial(out, net, address, 0, tls, err);
}
/* The same by another connection for each `lane`, so that calls do not wait behind the large messages of others. */
static inline sl_code sl_net_dial_lane(struct sl_rpc_channel **out, struct sl_net *net, const char *address,
                                       unsigned lane, const struct sl_rpc_tls *tls, struct sl_error *err) {
    return net->methods->dial(out, net, address, lane, tls, err);
}
/* Its calls have ended. NULL is fine. */
static inline void sl_rpc_channel_free(struct sl_rpc_channel *channel) {
    if (channel) channel->methods->hang_up(channel);
}
static inline void sl_rpc_channel_call(struct sl_rpc_channel *channel, struct sl_rpc_request *request) {
    channel->methods->call(channel, request);
}
/* `done` comes with CANCELLED unless it is about to come. Only before `done` has begun: whoever cancels and whoever is
 * told agree on that by a lock of their own. */
static inline void sl_rpc_channel_cancel(struct sl_rpc_channel *channel, struct sl_rpc_request *request) {
    channel->methods->cancel(channel, request);
}
/* From now on; `gone` at once, on this thread, when it has gone already. The listener is constant. */
static inline void sl_rpc_call_listen(struct sl_rpc_call *call, const struct sl_rpc_listener *listener) {
    call->methods->listen(call, listener);
}
/* One of these, once; takes the message (NULL, of a stream: none). When it returns, `gone` is not running and will not
 * run: call it with no lock held that `gone` takes, and not from within `gone`. The call is no more. */
static inline void sl_rpc_call_answer(struct sl_rpc_call *call, struct sl_rpc_message *message) {
    call->methods->end(call, SL_OK, "", message);
}
static inline void sl_rpc_call_fail(struct sl_rpc_call *call, sl_code code, const char *text) {
    call->methods->end(call, code, text, NULL);
}
/* A message of a stream, taken; the call goes on. */
static inline void sl_rpc_call_send(struct sl_rpc_call *call, struct sl_rpc_message *message) {
    call->methods->send(call, message);
}
/* The client of a stream gets no room for further messages, or gets it again; those on their way still come. */
static inline void sl_rpc_call_pause(struct sl_rpc_call *call, bool is_paused) {
    call->methods->pause(call, is_paused);
}
/* Listens, and calls the services until it is stopped. */
static inline sl_code sl_net_serve(struct sl_rpc_server **out, struct sl_net *net, const struct sl_rpc_serving *how,
                                   struct sl_error *err) {
    return net->methods->serve(out, net, how, err);
}
/* What it listens at; 0 for a Unix socket. */
static inline int sl_rpc_server_port(const struct sl_rpc_server *server) { return server->methods->port(server); }
static inline void sl_rpc_server_count(struct sl_rpc_counts *out, struct sl_rpc_server *server) {
    *out = (struct sl_rpc_counts){.calls = 0};
    if (server->methods->count) server->methods->count(out, server);
}
/* Takes no further calls; clients are told to go elsewhere. */
static inline void sl_rpc_server_drain(struct sl_rpc_server *server) { server->methods->drain(server); }
/* Drains, tells every call that it has gone, waits until all have ended, frees. NULL is fine. Not from within calls. */
static inline void sl_rpc_server_free(struct sl_rpc_server *server) {
    if (server) server->methods->stop(server);
}

/* Time and timers, so that what is built on this can be run in made-up time. `due` comes once, on a thread of the net;
 * after cancel it is not running and will not run. */
static inline int64_t sl_net_now(struct sl_net *net) { return net->methods->now(net); }
static inline void sl_net_set_timer(struct sl_net *net, struct sl_net_timer *timer, int64_t at_ns) {
    net->methods->set_timer(net, timer, at_ns);
}
static inline void sl_net_cancel_timer(struct sl_net *net, struct sl_net_timer *timer) {
    net->methods->cancel_timer(net, timer);
}

/* Within `called`, `message` or `done`: work of some microseconds, for which it is not worth it to wake another thread. It
 * runs on this one, when that is done with what has come, and holds nobody up: if it takes longer, or waits, another thread
 * serves meanwhile. False: not now, and it does not run. */
static inline bool sl_net_run_here(struct sl_net *net, struct sl_net_task *task) {
    return net->methods->run_here && net->methods->run_here(net, task);
}

#endif
