/* Calls that have come: from their first header to the end of their stream and their answer, whichever is later.
 *
 * What a call has to be told (that it has come, its messages, that it has gone) is told by its task, on the net's
 * thread, without the lock. The call is freed when its stream is closed, its service has ended it, and no task is about
 * to run. */
#if SL_HAVE_NGHTTP2
#include <stdio.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "net/grpc_text.h"
#include "net/http2_server.h"
#include "os/clock.h"

struct message {
    struct message *next;
    struct sl_rpc_body *body; /* NULL: the client has sent its last */
};

struct call {
    struct sl_rpc_call base;
    struct sl_http2_stream stream;
    struct sl_http2_server *server;
    const struct sl_http2_method *method;
    const struct sl_rpc_listener *listener;
    struct message *first, *last; /* of a stream, not told yet */
    struct sl_loop_task task;
    char path[128]; /* for messages; cut */
    char *encoding; /* what the client says that its messages are compressed by */
    bool is_grpc, has_path, has_bad_timeout;
    bool is_due;                  /* to be told that it has come */
    bool is_called, is_refused;   /* the service has it, or will never */
    bool is_gone, is_told_of_end; /* by the client */
    bool is_in_gone;              /* `gone` runs */
    bool is_queued, is_telling;   /* the task */
    unsigned users;               /* threads that are amid something with it */
    bool is_begun;                /* its headers have been sent */
    bool is_ended;                /* by the service */
    bool is_closed;               /* its stream */
    sl_code gone_code, code;      /* code, text: what it has ended with */
    char *text;                   /* percent-encoded */
};

static struct call *call_of(struct sl_http2_stream *s) {
    return (struct call *)((char *)s - offsetof(struct call, stream));
}

/* ---- its end */

static void free_messages(struct call *c) {
    while (c->first) {
        struct message *m = c->first;
        c->first = m->next;
        sl_rpc_body_unref(m->body);
        sl_free(m);
    }
    c->last = NULL;
}

/* With the lock; whoever has it has a reference of the link, too, so that the call's is not the last. */
static void free_when_over(struct call *c) {
    if (!c->is_closed || c->is_queued || c->users || (c->is_called && !c->is_ended)) return;
    struct sl_http2_link *link = c->stream.link;
    free_messages(c);
    sl_rpc_body_unref(c->base.body);
    sl_free(c->encoding);
    sl_free(c->text);
    sl_free(c);
    sl_http2_link_unref(link);
}

/* ---- what the client is told */

static void set_text(struct call *c, const char *text) {
    char encoded[SL_GRPC_MESSAGE_ROOM];
    size_t n = sl_grpc_message_encode(encoded, text);
    c->text = n ? sl_malloc(n + 1) : NULL;
    if (c->text) memcpy(c->text, encoded, n + 1);
}

/* "grpc-status" and perhaps "grpc-message"; returns how many. */
static size_t status_headers(nghttp2_nv out[2], char number[4], const struct call *c) {
    int n = snprintf(number, 4, "%d", (int)c->code);
    out[0] = sl_http2_header("grpc-status", (struct sl_str){number, (size_t)n});
    if (!c->text) return 1;
    out[1] = sl_http2_header("grpc-message", sl_str_of(c->text));
    return 2;
}

static size_t first_headers(nghttp2_nv out[3]) {
    out[0] = sl_http2_header(":status", SL_STR("200"));
    out[1] = sl_http2_header("content-type", SL_STR("application/grpc"));
    out[2] = sl_http2_header("grpc-accept-encoding", SL_STR("identity"));
    return 3;
}

static bool submit_trailers(struct sl_http2_stream *s) {
    const struct call *c = call_of(s);
    nghttp2_nv headers[2];
    char number[4];
    size_t n = status_headers(headers, number, c);
    return nghttp2_submit_trailer(s->link->session, s->id, headers, n) == 0;
}

/* Headers, messages, trailers to come. */
static void submit_headers(struct call *c) {
    nghttp2_nv headers[3];
    size_t n = first_headers(headers);
    nghttp2_data_provider provider = sl_http2_stream_provider(&c->stream);
    c->is_begun = true;
    if (nghttp2_submit_response(c->stream.link->session, c->stream.id, headers, n, &provider))
        sl_http2_stream_reset(&c->stream, NGHTTP2_INTERNAL_ERROR);
}

static void submit_status_alone(struct call *c) {
    nghttp2_nv headers[5];
    char number[4];
    size_t n = first_headers(headers);
    n += status_headers(headers + n, number, c);
    c->is_begun = true;
    if (nghttp2_submit_response(c->stream.link->session, c->stream.id, headers, n, NULL))
        sl_http2_stream_reset(&c->stream, NGHTTP2_INTERNAL_ERROR);
}

/* The end of what the client hears. */
static void say_end(struct call *c, sl_code code, const char *text, struct sl_http2_outgoing *message) {
    c->code = code;
    if (code != SL_OK) set_text(c, text);
    if (!message && !c->is_begun) {
        submit_status_alone(c);
        return;
    }
    if (!c->is_begun) submit_headers(c);
    sl_http2_stream_send(&c->stream, message, true);
}

/* No service hears of the call, or of more of it. */
static void refuse(struct sl_http2_stream *s, sl_code code, const char *text) {
    struct call *c = call_of(s);
    s->awaits = false;
    if (c->is_refused) return;
    if (!c->is_called && !c->is_due) {
        c->is_refused = true;
        say_end(c, code, text, NULL);
    } else { /* a stream: its service has to end it */
        sl_http2_stream_reset(s, NGHTTP2_CANCEL);
    }
    sl_http2_link_flush(s->link);
}

/* ---- what the service is told */

static void tell_soon(struct call *c) {
    if (c->is_queued || c->is_telling) return;
    c->is_queued = true;
    sl_http2_soon(c->server->net, &c->task);
}

static void go(struct call *c, sl_code code) {
    if (c->is_gone || c->is_ended) return;
    c->is_gone = true;
    c->gone_code = code;
    if (c->is_called && c->listener) tell_soon(c);
}

/* With the lock, which it releases meanwhile. */
static void tell_of_end(struct call *c) {
    struct sl_http2_link *link = c->stream.link;
    const struct sl_rpc_listener *listener = c->listener;
    c->is_told_of_end = c->is_in_gone = true;
    sl_http2_link_unlock(link);
    if (listener->gone) listener->gone(&c->base, c->gone_code);
    sl_http2_link_lock(link);
    c->is_in_gone = false;
    sl_condition_broadcast(&link->changed);
}

static void tell_message(struct call *c) {
    struct sl_http2_link *link = c->stream.link;
    const struct sl_rpc_listener *listener = c->listener;
    struct message *m = c->first;
    c->first = m->next;
    if (!c->first) c->last = NULL;
    sl_http2_link_unlock(link);
    if (listener->message) listener->message(&c->base, m->body);
    else sl_rpc_body_unref(m->body);
    sl_free(m);
    sl_http2_link_lock(link);
}

static void tell_call(struct call *c) {
    struct sl_http2_link *link = c->stream.link;
    c->is_due = false;
    c->is_called = true;
    sl_http2_count_calls(c->server, 1);
    sl_http2_link_unlock(link);
    c->method->method->called(c->method->service, &c->base);
    sl_http2_link_lock(link);
}

static void tell(struct sl_loop_task *task) {
    struct call *c = (struct call *)((char *)task - offsetof(struct call, task));
    struct sl_http2_link *link = sl_http2_link_ref(c->stream.link);
    struct sl_http2_net *net = link->net;
    sl_http2_link_lock(link);
    c->is_queued = false;
    c->is_telling = true;
    c->users++;
    for (;;) {
        if (c->is_due) tell_call(c);
        else if (c->is_ended || !c->listener) break;
        else if (c->first) tell_message(c);
        else if (c->is_gone && !c->is_told_of_end) tell_of_end(c);
        else break;
    }
    c->is_telling = false;
    c->users--;
    free_when_over(c);
    sl_http2_link_unlock(link);
    sl_http2_link_unref(link);
    sl_http2_settle(net);
}

/* ---- what comes */

static struct sl_http2_stream *call_begun(struct sl_http2_link *link) {
    struct sl_http2_server *server = link->owner;
    struct call *c = sl_http2_server_has_room(server, link) ? sl_calloc(1, sizeof *c) : NULL;
    if (!c) return NULL;
    atomic_fetch_add_explicit(&server->n_streams, 1, memory_order_relaxed);
    link->is_used = true;
    c->server = server;
    c->base.methods = &sl_http2_methods;
    c->base.peer = link->peer;
    c->task.run = tell;
    return &c->stream;
}

static void take_path(struct call *c, struct sl_str path) {
    c->has_path = true;
    c->method = sl_str_map_get(&c->server->by_path, path);
    snprintf(c->path, sizeof c->path, "%.*s", SL_STR_ARG(path));
}

static void take_timeout(struct call *c, struct sl_str text) {
    int64_t ns;
    if (!sl_grpc_timeout_parse(&ns, text)) c->has_bad_timeout = true;
    else if (!sl_add_i64(&c->base.deadline_ns, sl_clock_ns(), ns)) c->base.deadline_ns = INT64_MAX;
}

static void take_encoding(struct call *c, struct sl_str name) {
    if (sl_str_is(name, "identity") || c->encoding) return;
    c->encoding = sl_malloc(name.n + 1);
    if (!c->encoding) return;
    memcpy(c->encoding, name.p, name.n);
    c->encoding[name.n] = 0;
}

static void call_header(struct sl_http2_stream *s, struct sl_str name, struct sl_str value) {
    struct call *c = call_of(s);
    if (c->has_path && name.p[0] == ':') return;
    if (sl_str_is(name, ":path")) take_path(c, value);
    else if (sl_str_is(name, "content-type")) c->is_grpc = sl_str_starts(value, SL_STR("application/grpc"));
    else if (sl_str_is(name, "grpc-timeout")) take_timeout(c, value);
    else if (sl_str_is(name, "grpc-encoding")) take_encoding(c, value);
}

/* Not for us: the client is told in HTTP's words. */
static void answer_http(struct call *c, const char *status) {
    nghttp2_nv header = sl_http2_header(":status", sl_str_of(status));
    c->is_refused = true;
    c->stream.awaits = false;
    nghttp2_submit_response(c->stream.link->session, c->stream.id, &header, 1, NULL);
    sl_http2_link_flush(c->stream.link);
}

static void call_headers(struct sl_http2_stream *s) {
    struct call *c = call_of(s);
    char text[256];
    if (c->is_refused || c->is_called || c->is_due || c->base.body) return; /* the client's trailers */
    if (!c->is_grpc) {
        answer_http(c, "415");
        return;
    }
    if (!c->method) {
        snprintf(text, sizeof text, "unknown method %s", c->path);
        refuse(s, SL_UNIMPLEMENTED, text);
        return;
    }
    if (c->encoding) {
        snprintf(text, sizeof text, "messages compressed by %.100s are not supported", c->encoding);
        refuse(s, SL_UNIMPLEMENTED, text);
        return;
    }
    if (c->has_bad_timeout) {
        refuse(s, SL_INTERNAL, "grpc-timeout is no timeout");
        return;
    }
    if (c->base.deadline_ns) sl_http2_link_look_at(s->link, c->base.deadline_ns);
    s->may_pause = c->method->method->is_stream;
    if (!s->may_pause) return;
    c->is_due = true;
    tell_soon(c);
}

/* A message of a stream; NULL: the last has come. */
static void add_message(struct call *c, struct sl_rpc_body *body) {
    struct message *m = sl_malloc(sizeof *m);
    if (!m) {
        sl_rpc_body_unref(body);
        refuse(&c->stream, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    *m = (struct message){NULL, body};
    if (c->last) c->last->next = m;
    else c->first = m;
    c->last = m;
    if (c->listener) tell_soon(c);
}

static void call_message(struct sl_http2_stream *s, struct sl_rpc_body *body) {
    struct call *c = call_of(s);
    if (s->may_pause) {
        add_message(c, body);
    } else if (c->base.body) {
        sl_rpc_body_unref(body);
        refuse(s, SL_INTERNAL, "a second message came, of a call that has one");
    } else {
        c->base.body = body;
    }
}

static void call_finished(struct sl_http2_stream *s) {
    struct call *c = call_of(s);
    if (c->is_refused || !s->awaits) return;
    if (sl_grpc_assembler_is_amid(&s->in)) {
        refuse(s, SL_INTERNAL, "the call ends amid a message");
    } else if (s->may_pause) {
        s->awaits = false;
        add_message(c, NULL);
    } else if (!c->base.body) {
        refuse(s, SL_INTERNAL, "the call ends without a message");
    } else {
        s->awaits = false;
        c->is_due = true;
        tell_soon(c);
    }
}

static sl_code code_of_loss(const struct sl_http2_link *link, uint32_t error) {
    if (link->is_failed) return SL_UNAVAILABLE;
    return error == NGHTTP2_NO_ERROR ? SL_CANCELLED : sl_grpc_code_of_reset(error);
}

static void call_closed(struct sl_http2_stream *s, uint32_t error) {
    struct call *c = call_of(s);
    c->is_closed = true;
    c->is_due = false; /* nobody waits for it any more */
    atomic_fetch_sub_explicit(&c->server->n_streams, 1, memory_order_relaxed);
    go(c, code_of_loss(s->link, error));
    free_when_over(c);
}

static int64_t call_tick(struct sl_http2_link *link, int64_t now) {
    int64_t next = INT64_MAX;
    for (struct sl_http2_stream *s = link->streams; s; s = s->next) {
        struct call *c = call_of(s);
        if (!c->base.deadline_ns || c->is_gone || c->is_ended || c->is_refused) continue;
        if (c->base.deadline_ns > now) {
            if (c->base.deadline_ns < next) next = c->base.deadline_ns;
        } else if (!c->is_called && !c->is_due) {
            refuse(s, SL_DEADLINE_EXCEEDED, "Deadline Exceeded");
        } else {
            go(c, SL_DEADLINE_EXCEEDED);
        }
    }
    return next;
}

void sl_http2_calls_go(struct sl_http2_link *link) {
    for (struct sl_http2_stream *s = link->streams; s; s = s->next) {
        struct call *c = call_of(s);
        if (c->is_called || c->is_due) go(c, SL_UNAVAILABLE);
        else if (!c->is_refused) refuse(s, SL_UNAVAILABLE, "the server is about to end");
    }
}

static void link_ready(struct sl_http2_link *link) { (void)link; }

static void link_leaving(struct sl_http2_link *link, sl_code code, const char *text) {
    (void)code;
    (void)text;
    link->is_leaving = true;
    sl_http2_link_attend(link);
}

static void link_ended(struct sl_http2_link *link) { sl_http2_server_lost(link->owner, link); }

const struct sl_http2_role sl_http2_server_role = {.begun = call_begun,
                                                   .header = call_header,
                                                   .headers = call_headers,
                                                   .message = call_message,
                                                   .refused = refuse,
                                                   .finished = call_finished,
                                                   .closed = call_closed,
                                                   .end = submit_trailers,
                                                   .ready = link_ready,
                                                   .leaving = link_leaving,
                                                   .ended = link_ended,
                                                   .freed = sl_http2_server_freed,
                                                   .tick = call_tick};

/* ---- what the service says */

void sl_http2_listen(struct sl_rpc_call *base, const struct sl_rpc_listener *listener) {
    struct call *c = (struct call *)base;
    struct sl_http2_link *link = c->stream.link;
    sl_http2_link_lock(link);
    c->listener = listener;
    if (c->is_gone && !c->is_told_of_end) tell_of_end(c);
    if (c->first) tell_soon(c);
    sl_http2_link_unlock(link); /* the call is not ended: it lasts */
}

/* NULL when the client does not want it any more, or there is no memory: then the message is let go of by the caller. */
static struct sl_http2_outgoing *take_message(struct call *c, struct sl_rpc_message *message) {
    return message ? sl_http2_outgoing_new(message, c->stream.link->unfinished) : NULL;
}

void sl_http2_send(struct sl_rpc_call *base, struct sl_rpc_message *message) {
    struct call *c = (struct call *)base;
    struct sl_http2_link *link = c->stream.link;
    struct sl_http2_outgoing *o = NULL;
    sl_http2_link_lock(link);
    if (!c->is_closed && !sl_http2_link_is_full(link, 0, 2)) o = take_message(c, message);
    if (o) {
        if (!c->is_begun) submit_headers(c);
        sl_http2_stream_send(&c->stream, o, false);
        sl_http2_link_flush(link);
    } else if (!c->is_closed) {
        sl_http2_stream_reset(&c->stream, NGHTTP2_ENHANCE_YOUR_CALM);
        sl_http2_link_flush(link);
    }
    sl_http2_link_unlock(link);
    sl_rpc_message_clear(message);
}

void sl_http2_pause(struct sl_rpc_call *base, bool is_paused) {
    struct call *c = (struct call *)base;
    struct sl_http2_link *link = c->stream.link;
    sl_http2_link_lock(link);
    if (!c->is_closed) {
        sl_http2_stream_pause(&c->stream, is_paused);
        sl_http2_link_flush(link);
    }
    sl_http2_link_unlock(link); /* the call is not ended: it lasts */
}

/* Who takes what it gets has one answer more, also where others do not. */
static bool is_full_for(const struct sl_http2_link *link, size_t size) {
    bool has_waiting = link->output.has_data && link->is_blocked; /* else it is being written */
    if (!sl_http2_link_is_full(link, 0, 2)) return false;
    for (const struct sl_http2_stream *s = link->streams; s && !has_waiting; s = s->next) has_waiting = s->first;
    return has_waiting || (size > SL_HTTP2_OWN_SHARE && sl_http2_link_is_full(link, 0, 4));
}

static void end_open(struct call *c, sl_code code, const char *text, struct sl_rpc_message *message) {
    bool is_full = code == SL_OK && message && is_full_for(c->stream.link, message->size);
    struct sl_http2_outgoing *o = code == SL_OK && !is_full ? take_message(c, message) : NULL;
    if (is_full) say_end(c, SL_RESOURCE_EXHAUSTED, "the answers that wait for their clients are too many", NULL);
    else if (message && code == SL_OK && !o) say_end(c, SL_RESOURCE_EXHAUSTED, "out of memory", NULL);
    else say_end(c, code, text, o);
    c->stream.awaits = false;
    sl_http2_link_flush(c->stream.link);
}

void sl_http2_end(struct sl_rpc_call *base, sl_code code, const char *text, struct sl_rpc_message *message) {
    struct call *c = (struct call *)base;
    struct sl_http2_server *server = c->server;
    struct sl_http2_link *link = sl_http2_link_ref(c->stream.link);
    sl_http2_link_lock(link);
    c->users++;
    while (c->is_in_gone) sl_condition_wait(&link->changed, link->mutex);
    c->is_ended = true;
    sl_rpc_body_unref(c->base.body);
    c->base.body = NULL;
    if (!c->is_closed) end_open(c, code, text, message);
    c->users--;
    free_when_over(c);
    sl_http2_link_unlock(link);
    sl_http2_link_unref(link);
    if (message) sl_rpc_message_clear(message);
    sl_http2_count_calls(server, -1);
}
#endif
