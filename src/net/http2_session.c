/* What nghttp2 asks and tells: frames to the output, what comes to the role. All under the link's lock. */
#if SL_HAVE_NGHTTP2
#include <stdio.h>

#include "base/alloc.h"
#include "net/grpc_text.h"
#include "net/http2_link.h"

static const size_t first_window = (size_t)4 << 20;    /* of a stream, as TensorFlow's */
static const size_t largest_window = (size_t)64 << 20; /* of one with a large message */
enum { CONNECTION_WINDOW = 1 << 30, FRAME_MOST = 4 << 20, DATA_MOST = 1 << 20 };

static struct sl_http2_stream *stream_of(nghttp2_session *session, int32_t id) {
    return nghttp2_session_get_stream_user_data(session, id);
}

/* ---- what goes */

static ssize_t send_bytes(nghttp2_session *session, const uint8_t *data, size_t size, int flags, void *arg) {
    struct sl_http2_link *link = arg;
    (void)session;
    (void)flags;
    size_t n = sl_http2_output_add(&link->output, data, size);
    return n ? (ssize_t)n : NGHTTP2_ERR_WOULDBLOCK;
}

static ssize_t data_length(nghttp2_session *session, uint8_t type, int32_t id, int32_t session_window,
                           int32_t stream_window, uint32_t frame_most, void *arg) {
    (void)session;
    (void)type;
    (void)id;
    (void)arg;
    int64_t n = session_window < stream_window ? session_window : stream_window;
    if (n > frame_most) n = frame_most;
    return n < DATA_MOST ? (ssize_t)n : DATA_MOST;
}

static ssize_t read_data(nghttp2_session *session, int32_t id, uint8_t *buffer, size_t size, uint32_t *flags,
                         nghttp2_data_source *source, void *arg) {
    struct sl_http2_stream *s = source->ptr;
    const struct sl_http2_link *link = arg;
    (void)session;
    (void)id;
    (void)buffer;
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    size_t n = s->first ? sl_http2_output_fits(s->first, size) : 0;
    bool is_all = !s->first || (!s->first->next && n == sl_http2_outgoing_left(s->first));
    if (is_all && s->is_ending) {
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        if (link->role->end(s)) *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
    } else if (!s->first) {
        s->is_deferred = true;
        return NGHTTP2_ERR_DEFERRED;
    }
    return (ssize_t)n;
}

static int send_data(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head, size_t size,
                     nghttp2_data_source *source, void *arg) {
    struct sl_http2_stream *s = source->ptr;
    struct sl_http2_link *link = arg;
    struct sl_http2_outgoing *o = s->first;
    (void)session;
    (void)frame;
    if (!sl_http2_output_add_frame(&link->output, o, head, size)) return NGHTTP2_ERR_WOULDBLOCK;
    s->went += size;
    if (s->went >= SL_HTTP2_PROGRESS) s->waiting_ns = 0;
    if (o && !sl_http2_outgoing_left(o)) {
        s->waiting_ns = 0;
        s->first = o->next;
        if (!s->first) s->last = NULL;
        sl_http2_outgoing_drop(&link->dropped, o);
    }
    return 0;
}

nghttp2_data_provider sl_http2_stream_provider(struct sl_http2_stream *s) {
    return (nghttp2_data_provider){.source.ptr = s, .read_callback = read_data};
}

void sl_http2_stream_send(struct sl_http2_stream *s, struct sl_http2_outgoing *o, bool is_last) {
    s->is_ending = is_last;
    if (o) {
        o->next = NULL;
        if (s->last) s->last->next = o;
        else s->first = o;
        s->last = o;
    }
    if (!s->is_deferred) return;
    s->is_deferred = false;
    nghttp2_session_resume_data(s->link->session, s->id);
}

/* A server is done with a call whose client still sends: it need not. */
static int frame_sent(nghttp2_session *session, const nghttp2_frame *frame, void *arg) {
    const struct sl_http2_link *link = arg;
    bool is_end = (frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) &&
                  frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    if (is_end && link->is_server && nghttp2_session_get_stream_remote_close(session, frame->hd.stream_id) == 0)
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_NO_ERROR);
    return 0;
}

/* ---- streams */

void sl_http2_stream_open(struct sl_http2_stream *s, struct sl_http2_link *link) {
    s->link = sl_http2_link_ref(link);
    s->is_listed = true;
    s->in.most = link->limits.message_bytes;
    s->window = first_window;
    s->previous = NULL;
    s->next = link->streams;
    if (s->next) s->next->previous = s;
    link->streams = s;
    link->n_streams++;
}

static void unlist(struct sl_http2_stream *s) {
    struct sl_http2_link *link = s->link;
    if (s->previous) s->previous->next = s->next;
    else link->streams = s->next;
    if (s->next) s->next->previous = s->previous;
    s->is_listed = false;
    link->n_streams--;
}

static void uncount(struct sl_http2_stream *s) {
    if (s->link->unfinished) atomic_fetch_sub_explicit(s->link->unfinished, s->accounted, memory_order_relaxed);
    s->link->unfinished_in -= s->accounted;
    s->accounted = 0;
}

void sl_http2_stream_clear(struct sl_http2_stream *s) {
    while (s->first) {
        struct sl_http2_outgoing *o = s->first;
        s->first = o->next;
        sl_http2_outgoing_drop(&s->link->dropped, o);
    }
    s->last = NULL;
    s->awaits = false;
    uncount(s);
    sl_grpc_assembler_clear(&s->in);
}

void sl_http2_stream_reset(struct sl_http2_stream *s, uint32_t error) {
    if (s->is_listed) nghttp2_submit_rst_stream(s->link->session, NGHTTP2_FLAG_NONE, s->id, error);
}

static void close_stream(struct sl_http2_stream *s, uint32_t error) {
    const struct sl_http2_link *link = s->link;
    nghttp2_session_set_stream_user_data(link->session, s->id, NULL);
    unlist(s);
    sl_http2_stream_clear(s);
    link->role->closed(s, error);
}

static int stream_closed(nghttp2_session *session, int32_t id, uint32_t error, void *arg) {
    struct sl_http2_stream *s = stream_of(session, id);
    (void)arg;
    if (s && s->is_listed) close_stream(s, error);
    return 0;
}

/* A request that could not be sent: the peer is leaving, or it was cancelled before. nghttp2 knows no stream of it. */
static int not_sent(nghttp2_session *session, const nghttp2_frame *frame, int error, void *arg) {
    const struct sl_http2_link *link = arg;
    (void)session;
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    for (struct sl_http2_stream *s = link->streams; s; s = s->next) {
        if (s->id != frame->hd.stream_id) continue;
        close_stream(s,
                     error == NGHTTP2_ERR_START_STREAM_NOT_ALLOWED ? NGHTTP2_REFUSED_STREAM : NGHTTP2_INTERNAL_ERROR);
        break;
    }
    return 0;
}

/* ---- what comes: headers */

static int headers_begun(nghttp2_session *session, const nghttp2_frame *frame, void *arg) {
    struct sl_http2_link *link = arg;
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST || !link->is_server) return 0;
    struct sl_http2_stream *s = link->is_leaving ? NULL : link->role->begun(link);
    if (!s) {
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_REFUSED_STREAM);
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    s->id = frame->hd.stream_id;
    s->awaits = true;
    s->came_ns = link->now_ns;
    sl_http2_stream_open(s, link);
    nghttp2_session_set_stream_user_data(session, s->id, s);
    return 0;
}

static int header_came(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t n_name,
                       const uint8_t *value, size_t n_value, uint8_t flags, void *arg) {
    enum { OVERHEAD = 32, TOO_MANY = 8 }; /* of one header, RFC 9113 section 6.5.2 */
    struct sl_http2_link *link = arg;
    struct sl_http2_stream *s = stream_of(session, frame->hd.stream_id);
    (void)flags;
    if (!s) return 0;
    s->n_headers += n_name + n_value + OVERHEAD;
    if (s->n_headers > TOO_MANY * (size_t)link->limits.header_bytes)
        sl_http2_link_close(link, NGHTTP2_ENHANCE_YOUR_CALM, SL_RESOURCE_EXHAUSTED, "it sent headers without end");
    if (s->n_headers <= link->limits.header_bytes)
        link->role->header(s, (struct sl_str){(const char *)name, n_name},
                           (struct sl_str){(const char *)value, n_value});
    return 0;
}

static void headers_came(struct sl_http2_link *link, struct sl_http2_stream *s, bool is_end) {
    if (s->n_headers > link->limits.header_bytes)
        link->role->refused(s, SL_RESOURCE_EXHAUSTED, "there are too many bytes of headers");
    else link->role->headers(s);
    if (is_end && s->is_listed) link->role->finished(s);
}

/* ---- what comes: messages */

bool sl_http2_link_is_full(const struct sl_http2_link *link, size_t own, size_t times) {
    if (!link->unfinished) return false;
    size_t all = atomic_load_explicit(link->unfinished, memory_order_relaxed);
    return all / times > link->limits.unfinished_bytes && all > own;
}

/* One message alone always goes on. */
static bool is_full(const struct sl_http2_stream *s, size_t times) {
    return s->link->unfinished_in > SL_HTTP2_OWN_SHARE && sl_http2_link_is_full(s->link, s->accounted, times);
}

/* The peer may send as many bytes more as were held back. A large message gets a larger window. */
static void give_room(struct sl_http2_stream *s) {
    nghttp2_session *session = s->link->session;
    nghttp2_session_consume_stream(session, s->id, s->held);
    s->held = 0;
    if (s->in.size <= s->window || s->window == largest_window) return;
    s->window = s->in.size < largest_window ? s->in.size : largest_window;
    nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, s->id, (int32_t)s->window);
}

static void refuse(struct sl_http2_stream *s, sl_code code, const char *text) {
    const struct sl_http2_link *link = s->link;
    s->awaits = false;
    s->in.most = 0;
    uncount(s);
    sl_grpc_assembler_clear(&s->in);
    link->role->refused(s, code, text);
}

static const char full_text[] = "the messages on their way hold more memory than this server allows";

bool sl_http2_link_release_held(struct sl_http2_link *link, int64_t now) {
    bool some_wait = false;
    for (struct sl_http2_stream *s = link->streams, *next; s; s = next) {
        next = s->next;
        if (!s->held) continue;
        if (s->is_paused) continue;
        if (!is_full(s, 1)) give_room(s);
        else if (now - s->came_ns > link->limits.stalled_ns) refuse(s, SL_RESOURCE_EXHAUSTED, full_text);
        else some_wait = true;
    }
    return some_wait;
}

void sl_http2_stream_pause(struct sl_http2_stream *s, bool is_paused) {
    s->is_paused = is_paused;
    if (!is_paused && s->is_listed && s->held && !is_full(s, 1)) give_room(s);
}

static void take_messages(struct sl_http2_stream *s, const unsigned char *data, size_t size) {
    struct sl_http2_link *link = s->link;
    while (size && s->awaits) {
        struct sl_rpc_body *body;
        struct sl_error err;
        size_t before = size;
        sl_code code = sl_grpc_assembler_take(&body, &s->in, &data, &size, &err);
        s->accounted += before - size;
        link->unfinished_in += before - size;
        if (link->unfinished) atomic_fetch_add_explicit(link->unfinished, before - size, memory_order_relaxed);
        if (code != SL_OK) refuse(s, code, err.message);
        else if (is_full(s, 2)) refuse(s, SL_RESOURCE_EXHAUSTED, full_text);
        if (!body || code != SL_OK) continue;
        uncount(s);
        link->role->message(s, body);
    }
}

static int data_came(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *data, size_t size, void *arg) {
    struct sl_http2_link *link = arg;
    struct sl_http2_stream *s = stream_of(session, id);
    (void)flags;
    link->data_left -= size < link->data_left ? size : link->data_left;
    nghttp2_session_consume_connection(session, size);
    if (!s) {
        nghttp2_session_consume_stream(session, id, size);
        return 0;
    }
    s->held += size;
    s->came += size;
    if (s->awaits) take_messages(s, data, size);
    if (s->came >= SL_HTTP2_PROGRESS || !sl_grpc_assembler_is_amid(&s->in)) {
        s->came_ns = link->now_ns;
        s->came = 0;
    }
    if (s->is_listed && !s->is_paused && !is_full(s, 1)) give_room(s);
    return 0;
}

/* ---- what comes: frames */

/* Frames that cost more to take than to send. */
static bool is_control(const nghttp2_frame_hd *head) {
    switch (head->type) {
    case NGHTTP2_DATA: return !head->length && !(head->flags & NGHTTP2_FLAG_END_STREAM);
    case NGHTTP2_HEADERS:
    case NGHTTP2_WINDOW_UPDATE: return false;
    default: return true;
    }
}

static int frame_begun(nghttp2_session *session, const nghttp2_frame_hd *head, void *arg) {
    const int64_t second = 1000000000;
    struct sl_http2_link *link = arg;
    (void)session;
    bool is_plain_data = head->type == NGHTTP2_DATA && !(head->flags & NGHTTP2_FLAG_PADDED);
    link->data_stream = head->stream_id;
    link->data_left = is_plain_data ? head->length : 0;
    if (!is_control(head)) return 0;
    if (link->now_ns - link->second_ns > second) {
        link->second_ns = link->now_ns;
        link->n_control = 0;
    }
    if (++link->n_control > link->limits.control_frames)
        sl_http2_link_close(link, NGHTTP2_ENHANCE_YOUR_CALM, SL_RESOURCE_EXHAUSTED, "it sent too many control frames");
    return 0;
}

static void goaway_came(struct sl_http2_link *link, const nghttp2_goaway *frame) {
    char text[SL_HTTP2_REASON];
    int n = frame->opaque_data_len < 128 ? (int)frame->opaque_data_len : 128;
    snprintf(text, sizeof text, "the server is leaving: %s%s%.*s", sl_http2_error_name(frame->error_code),
             n ? ": " : "", n, n ? (const char *)frame->opaque_data : "");
    bool is_calm = frame->error_code == NGHTTP2_ENHANCE_YOUR_CALM;
    link->role->leaving(link, is_calm ? SL_RESOURCE_EXHAUSTED : SL_UNAVAILABLE, text);
}

static int frame_came(nghttp2_session *session, const nghttp2_frame *frame, void *arg) {
    struct sl_http2_link *link = arg;
    struct sl_http2_stream *s = frame->hd.stream_id ? stream_of(session, frame->hd.stream_id) : NULL;
    bool is_end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM, is_ack = frame->hd.flags & NGHTTP2_FLAG_ACK;
    switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
        if (s) headers_came(link, s, is_end);
        break;
    case NGHTTP2_DATA:
        if (s && is_end) link->role->finished(s);
        break;
    case NGHTTP2_SETTINGS:
        if (is_ack || link->is_ready) break;
        link->is_ready = true;
        link->role->ready(link);
        break;
    case NGHTTP2_PING:
        if (is_ack) link->pinged_ns = 0;
        break;
    case NGHTTP2_GOAWAY: goaway_came(link, &frame->goaway); break;
    default: break;
    }
    return 0;
}

/* ---- the session */

/* Its memory is ours, so that it can be made to fail, too. */
static void *malloc_of(size_t size, void *arg) {
    (void)arg;
    return sl_malloc(size);
}
static void *calloc_of(size_t n, size_t size, void *arg) {
    (void)arg;
    return sl_calloc(n, size);
}
static void *realloc_of(void *old, size_t size, void *arg) {
    (void)arg;
    return sl_realloc(old, size);
}
static void free_of(void *p, void *arg) {
    (void)arg;
    sl_free(p);
}

static int make(nghttp2_session **out, struct sl_http2_link *link, nghttp2_session_callbacks *on,
                nghttp2_option *options) {
    nghttp2_session_callbacks_set_send_callback(on, send_bytes);
    nghttp2_session_callbacks_set_send_data_callback(on, send_data);
    nghttp2_session_callbacks_set_data_source_read_length_callback(on, data_length);
    nghttp2_session_callbacks_set_on_frame_send_callback(on, frame_sent);
    nghttp2_session_callbacks_set_on_frame_not_send_callback(on, not_sent);
    nghttp2_session_callbacks_set_on_stream_close_callback(on, stream_closed);
    nghttp2_session_callbacks_set_on_begin_headers_callback(on, headers_begun);
    nghttp2_session_callbacks_set_on_header_callback(on, header_came);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(on, data_came);
    nghttp2_session_callbacks_set_on_begin_frame_callback(on, frame_begun);
    nghttp2_session_callbacks_set_on_frame_recv_callback(on, frame_came);
    nghttp2_option_set_no_auto_window_update(options, 1);
    nghttp2_option_set_no_closed_streams(options, 1);
#if SL_NGHTTP2_HAS_RESET_LIMIT
    /* Its own limit of cancelled calls, 33 a second, would end clients that may cancel more: the link counts. */
    nghttp2_option_set_stream_reset_rate_limit(options, UINT32_MAX, UINT32_MAX);
#endif
    nghttp2_mem memory = {NULL, malloc_of, free_of, calloc_of, realloc_of};
    return link->is_server ? nghttp2_session_server_new3(out, on, link, options, &memory)
                           : nghttp2_session_client_new3(out, on, link, options, &memory);
}

static int submit_settings(struct sl_http2_link *link) {
    nghttp2_settings_entry entries[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, link->is_server ? link->limits.calls : 0},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, (uint32_t)first_window},
        {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, FRAME_MOST},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, link->limits.header_bytes},
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0}, /* of a client */
    };
    int failed = nghttp2_submit_settings(link->session, NGHTTP2_FLAG_NONE, entries, link->is_server ? 4 : 5);
    if (failed) return failed;
    return nghttp2_session_set_local_window_size(link->session, NGHTTP2_FLAG_NONE, 0, CONNECTION_WINDOW);
}

sl_code sl_http2_session_new(struct sl_http2_link *link, struct sl_error *err) {
    nghttp2_session_callbacks *on = NULL;
    nghttp2_option *options = NULL;
    int failed = nghttp2_session_callbacks_new(&on);
    if (!failed) failed = nghttp2_option_new(&options);
    if (!failed) failed = make(&link->session, link, on, options);
    if (!failed) failed = submit_settings(link);
    nghttp2_session_callbacks_del(on);
    nghttp2_option_del(options);
    return failed ? sl_fail(err, SL_RESOURCE_EXHAUSTED, "an HTTP/2 session: %s", nghttp2_strerror(failed)) : SL_OK;
}
#endif
