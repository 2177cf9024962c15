/* Channels and the calls of clients: begun, sent once more where that is safe, ended exactly once. */
#if SL_HAVE_NGHTTP2
#include "net/http2_client.h"

#include <stdio.h>

#include "base/alloc.h"
#include "net/grpc_text.h"
#include "net/tls.h"
#include "os/clock.h"

enum { MOST_TRIES = 5, HEADER_BYTES = 65536 };

struct sl_http2_client_call {
    struct sl_http2_stream stream;
    struct sl_http2_channel *channel;
    struct sl_rpc_request *request;
    struct sl_http2_client_call *next, *previous; /* of the channel's list, until it is told */
    struct sl_http2_outgoing *message;
    struct sl_loop_task task;
    unsigned tries;
    bool is_pending; /* waits for a connection */
    bool is_over;    /* the task is about to tell, or has told */
    bool is_told;
    /* what came */
    int http_status;
    bool has_status, is_grpc;
    sl_code status;
    char *status_text, *encoding;
    struct sl_rpc_body *body;
    /* what it has come to */
    sl_code code;
    char *text; /* NULL: no memory for it, or none */
};

static struct sl_http2_client_call *call_of(struct sl_http2_stream *s) {
    return (struct sl_http2_client_call *)((char *)s - offsetof(struct sl_http2_client_call, stream));
}

static char *copy_text(const char *text, size_t n) {
    char *copy = n ? sl_malloc(n + 1) : NULL;
    if (!copy) return NULL;
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

/* ---- the end of a call */

static void drop_message(struct sl_http2_client_call *c, struct sl_http2_outgoing **dropped) {
    sl_http2_outgoing_drop(dropped, c->message);
    c->message = NULL;
}

/* With the lock. What its message had goes into `dropped`. */
static void free_when_told(struct sl_http2_client_call *c, struct sl_http2_outgoing **dropped) {
    if (!c->is_told || c->stream.is_listed) return;
    drop_message(c, dropped);
    sl_free(c->status_text);
    sl_free(c->encoding);
    sl_free(c->text);
    struct sl_http2_link *link = c->stream.link;
    sl_free(c);
    sl_http2_link_unref(link); /* not the last: others have one who have the lock, or `dropped` is their own */
}

static void tell(struct sl_loop_task *task) {
    struct sl_http2_client_call *c =
        (struct sl_http2_client_call *)((char *)task - offsetof(struct sl_http2_client_call, task));
    struct sl_http2_channel *channel = c->channel;
    struct sl_http2_net *net = channel->net;
    struct sl_http2_outgoing *dropped = NULL;
    sl_mutex_lock(&channel->mutex);
    if (c->previous) c->previous->next = c->next;
    else channel->first = c->next;
    if (c->next) c->next->previous = c->previous;
    else channel->last = c->previous;
    channel->n_inside++;
    struct sl_rpc_body *body = c->code == SL_OK ? c->body : NULL;
    if (!body) sl_rpc_body_unref(c->body);
    sl_mutex_unlock(&channel->mutex);
    c->request->done(c->request, c->code, c->text ? c->text : "", body);
    sl_mutex_lock(&channel->mutex);
    struct sl_http2_link *link = c->stream.link ? sl_http2_link_ref(c->stream.link) : NULL;
    c->is_told = true;
    free_when_told(c, &dropped);
    if (!--channel->n_inside && channel->is_closing) sl_http2_channel_attend(channel);
    sl_mutex_unlock(&channel->mutex);
    sl_http2_outgoing_free(dropped);
    sl_http2_link_unref(link);
    sl_http2_settle(net);
}

/* It has come to this. */
static void end_call(struct sl_http2_client_call *c, sl_code code, const char *text) {
    if (c->is_over) return;
    c->is_over = true;
    c->is_pending = false;
    c->code = code;
    c->text = copy_text(text, strlen(text));
    c->stream.awaits = false;
    sl_http2_soon(c->channel->net, &c->task);
}

/* The same, of a call that the server has not ended; the caller has a reference to its link. To write, a caller's thread
 * lets go of the lock, and the call may be told and freed meanwhile. */
static void break_off(struct sl_http2_client_call *c, sl_code code, const char *text) {
    struct sl_http2_link *resets = !c->is_over && c->stream.is_listed ? c->stream.link : NULL;
    if (resets) sl_http2_stream_reset(&c->stream, NGHTTP2_CANCEL);
    end_call(c, code, text);
    if (resets) sl_http2_link_flush(resets);
}

/* ---- the beginning */

static size_t request_headers(nghttp2_nv out[9], char timeout[SL_GRPC_TIMEOUT_ROOM],
                              const struct sl_http2_client_call *c) {
    const struct sl_http2_channel *channel = c->channel;
    bool is_unix = !strncmp(channel->address, "unix:", 5);
    size_t n = 0;
    out[n++] = sl_http2_header(":path", c->request->path);
    out[n++] = sl_http2_header(":authority", sl_str_of(is_unix ? "localhost" : channel->address));
    out[n++] = sl_http2_header(":method", SL_STR("POST"));
    out[n++] = sl_http2_header(":scheme", channel->tls ? SL_STR("https") : SL_STR("http"));
    out[n++] = sl_http2_header("content-type", SL_STR("application/grpc"));
    out[n++] = sl_http2_header("te", SL_STR("trailers"));
    out[n++] = sl_http2_header("grpc-accept-encoding", SL_STR("identity"));
    if (c->request->deadline_ns) {
        size_t size = sl_grpc_timeout_print(timeout, c->request->deadline_ns - sl_clock_ns());
        out[n++] = sl_http2_header("grpc-timeout", (struct sl_str){timeout, size});
    }
    out[n++] = sl_http2_header("user-agent", SL_STR("grpc-c-sluice"));
    return n;
}

/* Sends it over a link. */
static void begin_call(struct sl_http2_client_call *c, struct sl_http2_link *link) {
    nghttp2_nv headers[9];
    char timeout[SL_GRPC_TIMEOUT_ROOM];
    size_t n = request_headers(headers, timeout, c);
    nghttp2_data_provider provider = sl_http2_stream_provider(&c->stream);
    c->is_pending = false;
    c->tries++;
    c->stream.id = nghttp2_submit_request(link->session, NULL, headers, n, &provider, &c->stream);
    if (c->stream.id < 0) {
        end_call(c, SL_UNAVAILABLE, nghttp2_strerror(c->stream.id));
        return;
    }
    sl_http2_stream_open(&c->stream, link);
    c->stream.awaits = true;
    c->message->refs++;
    sl_http2_stream_send(&c->stream, c->message, true);
}

/* The server has not looked at it: to the next connection. With the link's lock, which is the channel's. */
static void try_again(struct sl_http2_client_call *c) {
    struct sl_http2_link *link = c->stream.link;
    sl_http2_outgoing_rewind(c->message);
    c->stream = (struct sl_http2_stream){0};
    sl_http2_link_unref(link);
    c->is_pending = true;
    sl_http2_channel_attend(c->channel);
}

/* ---- what comes */

static void answer_header(struct sl_http2_stream *s, struct sl_str name, struct sl_str value) {
    struct sl_http2_client_call *c = call_of(s);
    if (sl_str_is(name, ":status")) {
        c->http_status = 0;
        for (size_t i = 0; i < value.n && i < 3; i++) c->http_status = c->http_status * 10 + (value.p[i] - '0');
    } else if (sl_str_is(name, "content-type")) {
        c->is_grpc = sl_str_starts(value, SL_STR("application/grpc"));
    } else if (sl_str_is(name, "grpc-status")) {
        c->has_status = sl_grpc_status_parse(&c->status, value);
    } else if (sl_str_is(name, "grpc-message") && !c->status_text) {
        c->status_text = copy_text(value.p, value.n);
        if (c->status_text) c->status_text[sl_grpc_message_decode(c->status_text, value.p, value.n)] = 0;
    } else if (sl_str_is(name, "grpc-encoding") && !c->encoding && !sl_str_is(value, "identity")) {
        c->encoding = copy_text(value.p, value.n);
        s->in.encoding = c->encoding;
    }
}

static void answer_headers(struct sl_http2_stream *s) { (void)s; }

static void answer_message(struct sl_http2_stream *s, struct sl_rpc_body *body) {
    struct sl_http2_client_call *c = call_of(s);
    if (!c->body) {
        c->body = body;
        return;
    }
    sl_rpc_body_unref(body);
    break_off(c, SL_INTERNAL, "the server sent a second answer");
}

static void answer_refused(struct sl_http2_stream *s, sl_code code, const char *text) {
    break_off(call_of(s), code, text);
}

/* What TensorFlow's clients take it for: the server's process has ended. */
static bool is_lost(sl_code code, const char *text) { return code == SL_UNKNOWN && !strcmp(text, "Stream removed"); }

static void answer_finished(struct sl_http2_stream *s) {
    struct sl_http2_client_call *c = call_of(s);
    const char *said = c->status_text ? c->status_text : "";
    char text[64];
    if (c->is_over) return;
    if (s->first) sl_http2_stream_reset(s, NGHTTP2_CANCEL); /* the server has heard enough */
    if (c->has_status && c->status != SL_OK) {
        end_call(c, is_lost(c->status, said) ? SL_UNAVAILABLE : c->status, said);
    } else if (!c->has_status && c->http_status && c->http_status != 200) {
        snprintf(text, sizeof text, "Received http2 header with status: %d", c->http_status);
        end_call(c, sl_grpc_code_of_http(c->http_status), text);
    } else if (!c->has_status) {
        end_call(c, c->is_grpc ? SL_INTERNAL : SL_UNKNOWN, "the server ended the call without a status");
    } else {
        bool has_message = c->body && !sl_grpc_assembler_is_amid(&s->in);
        end_call(c, has_message ? SL_OK : SL_INTERNAL, has_message ? "" : "the server sent no answer");
    }
}

static void answer_closed(struct sl_http2_stream *s, uint32_t error) {
    struct sl_http2_client_call *c = call_of(s);
    struct sl_http2_link *link = s->link;
    char text[128];
    if (!c->is_over && !link->is_failed && error == NGHTTP2_REFUSED_STREAM && c->tries < MOST_TRIES &&
        !c->channel->is_closing) {
        try_again(c);
        return;
    }
    if (link->is_failed) {
        end_call(c, SL_UNAVAILABLE, link->reason);
    } else {
        snprintf(text, sizeof text, "the server ended the call by RST_STREAM: %s", sl_http2_error_name(error));
        end_call(c, sl_grpc_code_of_reset(error), text);
    }
    free_when_told(c, &link->dropped);
}

static void link_ready(struct sl_http2_link *link) {
    struct sl_http2_channel *channel = link->owner;
    if (channel->trying != link) return;
    channel->trying = NULL;
    channel->link = link;
    channel->state = SL_HTTP2_CONNECTED;
    channel->backoff_ns = 0;
    for (struct sl_http2_client_call *c = channel->first; c; c = c->next)
        if (c->is_pending) begin_call(c, link);
    sl_http2_link_flush(link);
}

/* The next calls go over another one. */
static void give_up_link(struct sl_http2_channel *channel, const struct sl_http2_link *link) {
    if (channel->link != link) return;
    channel->link = NULL;
    channel->state = SL_HTTP2_IDLE;
    sl_http2_channel_attend(channel);
}

static void link_leaving(struct sl_http2_link *link, sl_code code, const char *text) {
    struct sl_http2_channel *channel = link->owner;
    if (!link->reason[0]) {
        link->code = code;
        snprintf(link->reason, sizeof link->reason, "%s", text);
    }
    link->is_leaving = true;
    if (channel->trying == link) sl_http2_link_fail(link, SL_UNAVAILABLE, text);
    give_up_link(channel, link);
    sl_http2_link_attend(link);
}

static void link_ended(struct sl_http2_link *link) {
    struct sl_http2_channel *channel = link->owner;
    if (link->previous) link->previous->next = link->next;
    else channel->links = link->next;
    if (link->next) link->next->previous = link->previous;
    give_up_link(channel, link);
    if (channel->trying == link) {
        channel->trying = NULL;
        sl_fail(&channel->why, SL_UNAVAILABLE, "%s: %s", link->peer, link->reason);
        channel->must_try_next = true;
    }
    sl_http2_channel_attend(channel);
}

/* Its lock was the channel's, which could not be freed before. */
static void link_freed(void *owner) {
    struct sl_http2_channel *channel = owner;
    sl_mutex_lock(&channel->mutex);
    if (!--channel->n_inside && channel->is_closing) sl_http2_channel_attend(channel);
    sl_mutex_unlock(&channel->mutex);
}

static bool no_trailers(struct sl_http2_stream *s) {
    (void)s;
    return false;
}

static int64_t link_tick(struct sl_http2_link *link, int64_t now) {
    (void)link;
    (void)now;
    return INT64_MAX; /* deadlines are the channel's */
}

const struct sl_http2_role sl_http2_client_role = {.header = answer_header,
                                                   .headers = answer_headers,
                                                   .message = answer_message,
                                                   .refused = answer_refused,
                                                   .finished = answer_finished,
                                                   .closed = answer_closed,
                                                   .end = no_trailers,
                                                   .ready = link_ready,
                                                   .leaving = link_leaving,
                                                   .ended = link_ended,
                                                   .freed = link_freed,
                                                   .tick = link_tick};

/* ---- the channel, on the net's thread */

static bool has_pending(const struct sl_http2_channel *channel) {
    for (const struct sl_http2_client_call *c = channel->first; c; c = c->next)
        if (c->is_pending) return true;
    return false;
}

static const char *reason_of(const struct sl_http2_channel *channel) {
    return channel->why.message[0] ? channel->why.message : "there is no connection";
}

void sl_http2_channel_failed(struct sl_http2_channel *channel) {
    for (struct sl_http2_client_call *c = channel->first; c; c = c->next)
        if (c->is_pending && !c->request->waits_for_ready) end_call(c, SL_UNAVAILABLE, reason_of(channel));
    sl_http2_channel_attend(channel);
}

static void look_for_deadlines(struct sl_http2_channel *channel, int64_t now) {
    channel->look_ns = INT64_MAX;
    for (struct sl_http2_client_call *c = channel->first; c; c = c->next) {
        int64_t deadline = c->request->deadline_ns;
        if (c->is_over || !deadline) continue;
        if (deadline <= now) break_off(c, SL_DEADLINE_EXCEEDED, "Deadline Exceeded");
        else if (deadline < channel->look_ns) channel->look_ns = deadline;
    }
}

/* What the state asks for; whether somebody has to connect. */
static bool look_at_state(struct sl_http2_channel *channel, int64_t now) {
    bool asks = has_pending(channel);
    switch (channel->state) {
    case SL_HTTP2_CONNECTED:
        for (struct sl_http2_client_call *c = channel->first; c; c = c->next)
            if (c->is_pending) begin_call(c, channel->link);
        if (asks) sl_http2_link_flush(channel->link);
        return false;
    case SL_HTTP2_WAITING:
        if (now < channel->retry_ns) {
            if (asks && channel->retry_ns < channel->look_ns) channel->look_ns = channel->retry_ns;
            return false;
        }
        channel->state = SL_HTTP2_IDLE;
        return asks;
    case SL_HTTP2_CONNECTING:
        if (channel->give_up_ns < channel->look_ns) channel->look_ns = channel->give_up_ns;
        return false;
    default: return asks;
    }
}

/* An attempt takes too long. What resolves a name cannot be stopped. */
static bool look_at_attempt(struct sl_http2_channel *channel, int64_t now) {
    if (channel->state != SL_HTTP2_CONNECTING || channel->is_resolving || now < channel->give_up_ns) return false;
    channel->give_up_ns = INT64_MAX;
    if (channel->trying) {
        sl_http2_link_fail(channel->trying, SL_UNAVAILABLE, "it takes too long to connect");
        return false;
    }
    sl_fail(&channel->why, SL_UNAVAILABLE, "connect to %s; it takes too long", channel->address);
    return true;
}

static void free_channel(struct sl_http2_channel *channel) {
    sl_tls_context_free(channel->tls);
    sl_mutex_clear(&channel->mutex);
    sl_free(channel->texts);
    sl_free(channel);
}

/* Whether nobody has anything of it any more. With the lock. */
static bool close_channel(struct sl_http2_channel *channel) {
    for (struct sl_http2_link *link = channel->links; link; link = link->next)
        sl_http2_link_fail(link, SL_CANCELLED, "the channel is closed");
    return !channel->links && !channel->is_resolving && !channel->n_inside && !channel->first;
}

static void tell_failed(struct sl_http2_channel *channel) {
    while (channel->failed) {
        struct sl_rpc_request *request = channel->failed;
        channel->failed = request->call;
        request->call = NULL;
        sl_mutex_unlock(&channel->mutex);
        request->done(request, SL_RESOURCE_EXHAUSTED, "out of memory", NULL);
        sl_mutex_lock(&channel->mutex);
    }
}

static void set_channel_timer(struct sl_http2_channel *channel) {
    int64_t at = channel->look_ns;
    if (sl_event_loop_set_timer(channel->net->loop, &channel->timer, at, NULL) == SL_OK) return;
    sl_http2_channel_attend(channel); /* no memory: looks again, and again */
}

static void attend(struct sl_http2_channel *channel) {
    struct sl_http2_net *net = channel->net;
    int64_t now = sl_clock_ns();
    sl_mutex_lock(&channel->mutex);
    tell_failed(channel);
    if (channel->is_closing) {
        bool is_over = close_channel(channel) && !channel->is_attend_queued;
        sl_mutex_unlock(&channel->mutex);
        sl_http2_connect_stop(channel);
        if (!is_over) return;
        sl_event_loop_cancel_timer(net->loop, &channel->timer);
        free_channel(channel);
        sl_http2_alive(net, -1);
        return;
    }
    look_for_deadlines(channel, now);
    bool connects = look_at_state(channel, now);
    bool tries_next = look_at_attempt(channel, now) || channel->must_try_next;
    channel->must_try_next = false;
    set_channel_timer(channel);
    sl_mutex_unlock(&channel->mutex);
    if (connects) sl_http2_connect(channel);
    else if (tries_next) sl_http2_connect_next(channel);
}

static void run_attend(struct sl_loop_task *task) {
    struct sl_http2_channel *channel =
        (struct sl_http2_channel *)((char *)task - offsetof(struct sl_http2_channel, attend_task));
    struct sl_http2_net *net = channel->net;
    sl_mutex_lock(&channel->mutex);
    channel->is_attend_queued = false;
    sl_mutex_unlock(&channel->mutex);
    attend(channel);
    sl_http2_settle(net);
}

static void timer_due(void *arg) {
    struct sl_http2_channel *channel = arg;
    struct sl_http2_net *net = channel->net;
    attend(channel);
    sl_http2_settle(net);
}

void sl_http2_channel_attend(struct sl_http2_channel *channel) {
    if (channel->is_attend_queued) return;
    channel->is_attend_queued = true;
    sl_http2_soon(channel->net, &channel->attend_task);
}

/* ---- what users say, on any thread */

static struct sl_http2_client_call *new_call(struct sl_http2_channel *channel, struct sl_rpc_request *request) {
    struct sl_http2_client_call *c = sl_calloc(1, sizeof *c);
    if (!c) return NULL;
    c->message = sl_http2_outgoing_new(&request->message, NULL);
    if (!c->message) {
        sl_free(c);
        return NULL;
    }
    c->channel = channel;
    c->request = request;
    c->task.run = tell;
    request->call = c;
    return c;
}

static void place_call(struct sl_http2_channel *channel, struct sl_http2_client_call *c) {
    int64_t deadline = c->request->deadline_ns;
    c->previous = channel->last;
    if (c->previous) c->previous->next = c;
    else channel->first = c;
    channel->last = c;
    if (deadline && deadline <= sl_clock_ns()) {
        end_call(c, SL_DEADLINE_EXCEEDED, "Deadline Exceeded");
        return;
    }
    if (channel->link) {
        begin_call(c, channel->link);
        sl_http2_link_flush(channel->link);
    } else if (channel->state == SL_HTTP2_WAITING && !c->request->waits_for_ready &&
               sl_clock_ns() < channel->retry_ns) {
        end_call(c, SL_UNAVAILABLE, reason_of(channel));
    } else {
        c->is_pending = true;
        if (channel->state != SL_HTTP2_CONNECTING) sl_http2_channel_attend(channel);
    }
    if (!deadline || deadline >= channel->look_ns) return;
    channel->look_ns = deadline;
    sl_http2_channel_attend(channel);
}

/* Locks the channel, for one who comes from outside. The link that it has stays until `leave`. */
static struct sl_http2_link *enter(struct sl_http2_channel *channel) {
    sl_mutex_lock(&channel->mutex);
    channel->n_inside++;
    return channel->link ? sl_http2_link_ref(channel->link) : NULL;
}

static void leave(struct sl_http2_channel *channel, struct sl_http2_link *link) {
    struct sl_http2_outgoing *dropped = link ? link->dropped : NULL;
    if (link) link->dropped = NULL;
    if (!--channel->n_inside && channel->is_closing) sl_http2_channel_attend(channel);
    sl_mutex_unlock(&channel->mutex);
    sl_http2_outgoing_free(dropped);
    sl_http2_link_unref(link);
}

void sl_http2_call(struct sl_rpc_channel *base, struct sl_rpc_request *request) {
    struct sl_http2_channel *channel = (struct sl_http2_channel *)base;
    struct sl_error err;
    sl_code code = sl_http2_check_process(channel->net, &err);
    if (code != SL_OK) { /* no thread of the net is here to say so */
        sl_rpc_message_clear(&request->message);
        request->done(request, code, err.message, NULL);
        return;
    }
    struct sl_http2_client_call *c = new_call(channel, request);
    if (!c) sl_rpc_message_clear(&request->message);
    struct sl_http2_link *link = enter(channel);
    if (c) {
        place_call(channel, c);
    } else {
        request->call = channel->failed;
        channel->failed = request;
        sl_http2_channel_attend(channel);
    }
    leave(channel, link);
}

void sl_http2_cancel(struct sl_rpc_channel *base, struct sl_rpc_request *request) {
    struct sl_http2_channel *channel = (struct sl_http2_channel *)base;
    struct sl_http2_link *link = enter(channel), *of_call = NULL;
    struct sl_http2_client_call *c = request->call;
    const struct sl_rpc_request *failed = channel->failed;
    while (failed && failed != request) failed = failed->call;
    if (!failed && !c->is_over) {
        if (c->stream.link) of_call = sl_http2_link_ref(c->stream.link);
        break_off(c, SL_CANCELLED, "CANCELLED");
    }
    leave(channel, link);
    sl_http2_link_unref(of_call);
}

/* ---- dialling */

static bool is_same(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static bool is_for(const struct sl_http2_channel *channel, const char *address, unsigned lane,
                   const struct sl_rpc_tls *tls) {
    const struct sl_rpc_tls *own = &channel->tls_files;
    if (strcmp(channel->address, address) != 0 || channel->lane != lane || !channel->tls != !tls) return false;
    return !tls || (is_same(own->certificate, tls->certificate) && is_same(own->key, tls->key) &&
                    is_same(own->authorities, tls->authorities) && is_same(own->name, tls->name));
}

/* Copies of the texts, one behind the other. */
static sl_code take_texts(struct sl_http2_channel *channel, const char *address, const struct sl_rpc_tls *tls,
                          struct sl_error *err) {
    const char *from[] = {address, tls ? tls->certificate : NULL, tls ? tls->key : NULL, tls ? tls->authorities : NULL,
                          tls ? tls->name : NULL};
    const char **to[] = {&channel->address, &channel->tls_files.certificate, &channel->tls_files.key,
                         &channel->tls_files.authorities, &channel->tls_files.name};
    enum { TEXTS = sizeof from / sizeof *from };
    size_t size = 0;
    for (int i = 0; i < TEXTS; i++) size += from[i] ? strlen(from[i]) + 1 : 0;
    char *at = channel->texts = sl_malloc(size);
    if (!at) return sl_fail_memory(err, size);
    for (int i = 0; i < TEXTS; i++) {
        if (!from[i]) continue;
        size_t n = strlen(from[i]) + 1;
        memcpy(at, from[i], n);
        *to[i] = at;
        at += n;
    }
    return SL_OK;
}

static sl_code make(struct sl_http2_channel *channel, const char *address, const struct sl_rpc_tls *tls,
                    struct sl_error *err) {
    SL_TRY(sl_address_split(channel->host, sizeof channel->host, address, err));
    SL_TRY(take_texts(channel, address, tls, err));
    return tls ? sl_tls_context_new(&channel->tls, tls, false, err) : SL_OK;
}

static sl_code new_channel(struct sl_http2_channel **out, struct sl_http2_net *net, const char *address, unsigned lane,
                           const struct sl_rpc_tls *tls, struct sl_error *err) {
    struct sl_http2_channel *channel = sl_calloc(1, sizeof *channel);
    if (!channel) return sl_fail_memory(err, sizeof *channel);
    channel->base.methods = &sl_http2_methods;
    channel->net = net;
    channel->users = 1;
    channel->lane = lane;
    channel->limits = sl_rpc_default_limits();
    channel->limits.header_bytes = HEADER_BYTES;
    channel->fd = -1;
    channel->look_ns = INT64_MAX;
    channel->attend_task.run = run_attend;
    channel->resolved_task.run = sl_http2_resolved;
    channel->timer = (struct sl_timer){.fire = timer_due, .arg = channel};
    sl_mutex_init(&channel->mutex);
    sl_code code = make(channel, address, tls, err);
    if (code == SL_OK) *out = channel;
    else free_channel(channel);
    return code;
}

/* One that is there, with one user more. */
static struct sl_http2_channel *find(struct sl_http2_net *net, const char *address, unsigned lane,
                                     const struct sl_rpc_tls *tls) {
    for (struct sl_http2_channel *channel = net->channels; channel; channel = channel->next) {
        if (!is_for(channel, address, lane, tls)) continue;
        channel->users++;
        return channel;
    }
    return NULL;
}

sl_code sl_http2_dial(struct sl_rpc_channel **out, struct sl_net *base, const char *address, unsigned lane,
                      const struct sl_rpc_tls *tls, struct sl_error *err) {
    struct sl_http2_net *net = (struct sl_http2_net *)base;
    struct sl_http2_channel *channel;
    SL_TRY(sl_http2_check_process(net, err));
    sl_mutex_lock(&net->mutex);
    channel = find(net, address, lane, tls);
    sl_code code = channel ? SL_OK : new_channel(&channel, net, address, lane, tls, err);
    if (code == SL_OK && channel->users == 1 && !channel->is_listed) {
        channel->is_listed = true;
        channel->next = net->channels;
        net->channels = channel;
        net->n_alive++;
    }
    sl_mutex_unlock(&net->mutex);
    if (code == SL_OK) *out = &channel->base;
    return code;
}

void sl_http2_hang_up(struct sl_rpc_channel *base) {
    struct sl_http2_channel *channel = (struct sl_http2_channel *)base;
    struct sl_http2_net *net = channel->net;
    if (sl_http2_check_process(net, NULL) != SL_OK) return;
    sl_mutex_lock(&net->mutex);
    bool is_last = --channel->users == 0;
    struct sl_http2_channel **at = &net->channels;
    while (is_last && *at != channel) at = &(*at)->next;
    if (is_last) *at = channel->next;
    sl_mutex_unlock(&net->mutex);
    if (!is_last) return;
    sl_mutex_lock(&channel->mutex);
    channel->is_closing = true;
    sl_http2_channel_attend(channel);
    sl_mutex_unlock(&channel->mutex);
}
#endif
