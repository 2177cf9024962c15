/* One HTTP/2 connection, of a client or a server: its socket, nghttp2's session, its streams, what is to be written.
 *
 *   any thread   lock ── submit to the session ── flush: session → output → socket ── unlock
 *   net's thread socket → session → role: headers, messages, ends ── tasks for what users are to hear
 *
 * The system is called without the lock: one thread writes at a time, and sees what others add meanwhile. Large
 * messages are read into their own memory. The end of a connection is dealt with on the net's thread alone.
 *
 * The lock is the connection's own or that of the channel whose connection it is. */
#ifndef SL_NET_HTTP2_LINK_H
#define SL_NET_HTTP2_LINK_H

#if SL_HAVE_NGHTTP2
#include <nghttp2/nghttp2.h>

#include "net/http2_loop.h"
#include "net/http2_output.h"

struct sl_http2_link;

/* Begins what a role has of a stream. With the link's lock, but for `links`. */
struct sl_http2_stream {
    struct sl_http2_link *link; /* a reference; NULL before it has one */
    struct sl_http2_stream *next, *previous;
    int32_t id;
    bool is_listed; /* on the link's list: open */
    /* what comes */
    struct sl_grpc_assembler in;
    bool awaits;      /* a message, or the rest of one; what else comes is passed over */
    bool may_pause;   /* between messages */
    bool is_paused;   /* the peer gets no room */
    int64_t came_ns;  /* when it last got on: SL_HTTP2_PROGRESS bytes, or a message's end */
    size_t came;      /* bytes since then */
    size_t accounted; /* bytes of the unfinished message that are counted */
    size_t held;      /* bytes for which the peer is not given room yet */
    size_t window;    /* that the peer has for this stream */
    size_t n_headers; /* bytes of headers, in this call */
    /* what goes */
    struct sl_http2_outgoing *first, *last;
    int64_t waiting_ns; /* since when they are there and did not get on; 0: not known */
    size_t went;        /* bytes since then */
    bool is_ending;     /* nothing follows those */
    bool is_deferred;   /* nghttp2 waits for more */
};

/* What client and server do with what comes, with the lock: on the net's thread, but for `closed` and `end`, which come
 * on any that writes. */
struct sl_http2_role {
    struct sl_http2_stream *(*begun)(struct sl_http2_link *link); /* NULL: refuse the call; a client has none */
    void (*header)(struct sl_http2_stream *s, struct sl_str name, struct sl_str value);
    void (*headers)(struct sl_http2_stream *s); /* a block of them is complete */
    void (*message)(struct sl_http2_stream *s, struct sl_rpc_body *body);
    void (*refused)(struct sl_http2_stream *s, sl_code code, const char *text); /* what came is not to be had */
    void (*finished)(struct sl_http2_stream *s);                                /* nothing more comes */
    void (*closed)(struct sl_http2_stream *s, uint32_t error); /* off the list; it is the role's alone now */
    bool (*end)(struct sl_http2_stream *s);                    /* all is written: whether it has submitted trailers */
    void (*ready)(struct sl_http2_link *link);                 /* the peer has sent its settings */
    void (*leaving)(struct sl_http2_link *link, sl_code code, const char *text); /* it takes no further calls */
    void (*ended)(struct sl_http2_link *link); /* all streams are closed; afterwards nobody calls back */
    void (*freed)(void *owner);                /* nobody has the link any more; on any thread, without the lock */
    int64_t (*tick)(struct sl_http2_link *link, int64_t now); /* looks at deadlines; returns the next or INT64_MAX */
};

/* SL_HTTP2_PROGRESS: a peer that moves fewer bytes than this within the limit `stalled_ns` does not get on. */
enum { SL_HTTP2_REASON = 256, SL_HTTP2_PROGRESS = 16384 };
/* What a connection may have on its way, in and out, also when all of them together have too much: so those who take
 * what they ask for do not suffer from those who do not. */
enum { SL_HTTP2_OWN_SHARE = 65536 };

struct sl_http2_link {
    atomic_uint refs;
    struct sl_http2_net *net;
    const struct sl_http2_role *role;
    void *owner;            /* the role's: channel or server */
    struct sl_mutex *mutex; /* what has no other remark is under it */
    struct sl_mutex own;
    struct sl_condition changed;           /* somebody waits with the lock */
    struct sl_http2_link *next, *previous; /* of the owner's list */
    bool is_server;
    struct sl_rpc_limits limits;
    atomic_size_t *unfinished;  /* bytes of unfinished messages; NULL: not counted */
    size_t unfinished_in;       /* those of them that come by this link */
    char peer[SL_ADDRESS_TEXT]; /* constant */

    int fd;
    struct sl_tls *tls; /* NULL: none */
    nghttp2_session *session;
    struct sl_http2_stream *streams;
    unsigned n_streams;

    /* what comes; of the net's thread */
    struct sl_loop_watch watch;
    unsigned watched;
    int32_t data_stream; /* of the DATA frame that is being read */
    size_t data_left;    /* bytes of it */
    int64_t now_ns;      /* of this round */
    int64_t read_ns;     /* something came */

    /* what goes */
    struct sl_http2_output output;
    struct sl_http2_outgoing *dropped; /* to be freed after the lock is released */
    bool is_writing;                   /* a thread does */
    bool is_blocked;                   /* the socket takes nothing; the net's thread waits for it */
    int64_t waiting_ns;                /* since when some of a message is there, and the socket takes little; 0: not */
    size_t went;                       /* bytes since then */

    /* its life */
    struct sl_timer timer; /* of the net's thread */
    struct sl_loop_task flush_task, attend_task;
    bool is_flush_queued, is_attend_queued;
    bool is_begun;    /* the owner knows it */
    bool is_used;     /* a call has begun */
    bool is_at_fault; /* the peer broke a rule or a limit: that is why it ends */
    bool is_ready;    /* the peer's settings have come */
    bool is_leaving;  /* it takes no further calls, closes after the last */
    bool is_closing;  /* closes when what is there has been written */
    bool is_finished; /* our half of it is closed; what comes is thrown away until the peer has closed its own */
    bool is_failed, is_ended;
    int64_t born_ns, pinged_ns, closing_ns; /* pinged: without an answer yet; 0: not */
    int64_t look_ns;                        /* when to look at what depends on time */
    int64_t second_ns;                      /* when the second began whose frames are counted */
    unsigned n_control;
    sl_code code; /* why it ended */
    char reason[SL_HTTP2_REASON];
};

/* Makes one of a connected socket, which it takes also on failure; `tls`: taken, too. Its settings are submitted. On
 * the net's thread, which owns the one reference until `ended` has been called. `mutex` NULL: its own. */
struct sl_http2_link_setup {
    struct sl_http2_net *net;
    const struct sl_http2_role *role;
    void *owner;
    struct sl_mutex *mutex;
    int fd;
    struct sl_tls *tls;
    bool is_server;
    const struct sl_rpc_limits *limits;
    atomic_size_t *unfinished;
    const char *peer;
};
sl_code sl_http2_link_new(struct sl_http2_link **out, const struct sl_http2_link_setup *setup, struct sl_error *err);
/* Watches the socket; after `owner` knows it. On the net's thread, without the lock. */
void sl_http2_link_begin(struct sl_http2_link *link);
struct sl_http2_link *sl_http2_link_ref(struct sl_http2_link *link);
void sl_http2_link_unref(struct sl_http2_link *link); /* without the lock */

void sl_http2_link_lock(struct sl_http2_link *link);
/* Releases the lock, and then what has been written. */
void sl_http2_link_unlock(struct sl_http2_link *link);

/* ---- with the lock, on any thread */

/* Writes what is there: at once, or on the net's thread at the end of its round. */
void sl_http2_link_flush(struct sl_http2_link *link);
/* Its streams are told that it has gone, soon. The first reason counts. */
void sl_http2_link_fail(struct sl_http2_link *link, sl_code code, const char *text);
/* The same, by the peer's fault. */
void sl_http2_link_drop(struct sl_http2_link *link, const char *text);
/* Tells the peer to leave, by this error of HTTP/2, and closes at once. */
void sl_http2_link_close(struct sl_http2_link *link, uint32_t error, sl_code code, const char *text);
/* Takes no further calls, and closes after the last. */
void sl_http2_link_leave(struct sl_http2_link *link);
/* Has the net's thread see to it soon. */
void sl_http2_link_attend(struct sl_http2_link *link);
/* Has `tick` called at that time. */
void sl_http2_link_look_at(struct sl_http2_link *link, int64_t at_ns);
/* Whether the unfinished messages of all connections are more than `times` what the limits allow, `own` bytes of which
 * do not count when they are all. */
bool sl_http2_link_is_full(const struct sl_http2_link *link, size_t own, size_t times);
/* Gives the peers of streams room again that was held back; whether some wait still. */
bool sl_http2_link_release_held(struct sl_http2_link *link, int64_t now);

/* Puts a new stream on the list. */
void sl_http2_stream_open(struct sl_http2_stream *s, struct sl_http2_link *link);
/* Takes the caller's reference of a message, to be sent after those before; `is_last`: none follows. NULL: none. */
void sl_http2_stream_send(struct sl_http2_stream *s, struct sl_http2_outgoing *o, bool is_last);
/* The peer gets no room for more, or gets it again. */
void sl_http2_stream_pause(struct sl_http2_stream *s, bool is_paused);
void sl_http2_stream_reset(struct sl_http2_stream *s, uint32_t error);
/* Lets go of what it has; the link's reference stays. */
void sl_http2_stream_clear(struct sl_http2_stream *s);
/* What a session writes for a stream, to be given with a request or an answer. */
nghttp2_data_provider sl_http2_stream_provider(struct sl_http2_stream *s);

static inline nghttp2_nv sl_http2_header(const char *name, struct sl_str value) {
    return (nghttp2_nv){(uint8_t *)(uintptr_t)name, (uint8_t *)(uintptr_t)value.p, strlen(name), value.n,
                        NGHTTP2_NV_FLAG_NONE};
}

/* Between http2_link.c and http2_session.c. */
sl_code sl_http2_session_new(struct sl_http2_link *link, struct sl_error *err);
#endif

#endif
