/* A connection's socket and its life: reading, writing, closing, and what has waited too long. */
#if SL_HAVE_NGHTTP2
#include "net/http2_link.h"

#include <stdio.h>

#include "base/alloc.h"
#include "net/tls.h"
#include "os/clock.h"

/* Bytes that one thread writes before another connection has its turn; and reads, where those of large messages that
 * come into their place count as a sixteenth: frames cost more. */
static const size_t turn_of_caller = (size_t)1 << 20, turn_of_thread = (size_t)4 << 20, turn_of_reading = SL_HTTP2_READ;
static const int64_t ms_ns = 1000000;
/* To read into its own memory is worth it for so much of a message; behind it, this much of what follows. */
enum { PLACE_LEAST = 16384, BEHIND_PLACE = 16384 };

/* ---- references, the lock */

struct sl_http2_link *sl_http2_link_ref(struct sl_http2_link *link) {
    atomic_fetch_add_explicit(&link->refs, 1, memory_order_relaxed);
    return link;
}

void sl_http2_link_unref(struct sl_http2_link *link) {
    if (!link || atomic_fetch_sub_explicit(&link->refs, 1, memory_order_acq_rel) != 1) return;
    struct sl_http2_outgoing *dropped = link->dropped;
    sl_http2_output_written(&dropped, &link->output, SIZE_MAX);
    sl_http2_outgoing_free(dropped);
    nghttp2_session_del(link->session);
    sl_tls_free(link->tls);
    sl_socket_close(link->fd);
    sl_free(link->output.bytes);
    sl_mutex_clear(&link->own);
    sl_condition_clear(&link->changed);
    void (*freed)(void *owner) = link->is_begun ? link->role->freed : NULL;
    void *owner = link->owner;
    sl_free(link);
    if (freed) freed(owner);
}

void sl_http2_link_lock(struct sl_http2_link *link) { sl_mutex_lock(link->mutex); }

void sl_http2_link_unlock(struct sl_http2_link *link) {
    struct sl_http2_outgoing *dropped = link->dropped;
    link->dropped = NULL;
    sl_mutex_unlock(link->mutex);
    sl_http2_outgoing_free(dropped);
}

/* ---- its end */

void sl_http2_link_attend(struct sl_http2_link *link) {
    if (link->is_attend_queued || link->is_ended) return;
    link->is_attend_queued = true;
    sl_http2_link_ref(link);
    sl_http2_soon(link->net, &link->attend_task);
}

static void give_reason(struct sl_http2_link *link, sl_code code, const char *text) {
    if (link->reason[0]) return;
    link->code = code;
    snprintf(link->reason, sizeof link->reason, "%s", text);
}

void sl_http2_link_fail(struct sl_http2_link *link, sl_code code, const char *text) {
    give_reason(link, code, text);
    link->is_failed = true;
    sl_http2_link_attend(link);
}

void sl_http2_link_drop(struct sl_http2_link *link, const char *text) {
    link->is_at_fault |= !link->is_failed && !link->is_closing;
    sl_http2_link_fail(link, SL_UNAVAILABLE, text);
}

void sl_http2_link_close(struct sl_http2_link *link, uint32_t error, sl_code code, const char *text) {
    if (link->is_closing || link->is_failed) return;
    link->is_at_fault = true;
    give_reason(link, code, text);
    link->is_closing = link->is_leaving = true;
    link->closing_ns = sl_clock_ns();
    nghttp2_session_terminate_session(link->session, error);
    sl_http2_link_attend(link);
    sl_http2_link_flush(link);
}

void sl_http2_link_leave(struct sl_http2_link *link) {
    if (link->is_leaving || link->is_failed) return;
    link->is_leaving = true;
    nghttp2_submit_goaway(link->session, NGHTTP2_FLAG_NONE, nghttp2_session_get_last_proc_stream_id(link->session),
                          NGHTTP2_NO_ERROR, NULL, 0);
    sl_http2_link_attend(link);
    sl_http2_link_flush(link);
}

/* All is said and written. */
static bool is_done(const struct sl_http2_link *link) {
    if (!sl_http2_output_is_empty(&link->output) || link->is_writing) return false;
    if (nghttp2_session_want_write(link->session)) return false;
    return !nghttp2_session_want_read(link->session) || (link->is_leaving && !link->streams);
}

static void close_socket(struct sl_http2_link *link) {
    sl_socket_close(link->fd);
    link->fd = -1;
}

/* On the net's thread. */
static void finish(struct sl_http2_link *link) {
    link->is_ended = true;
    sl_event_loop_unwatch(link->net->loop, &link->watch);
    sl_event_loop_cancel_timer(link->net->loop, &link->timer);
    if (!link->is_writing) close_socket(link); /* else who writes does */
    while (link->streams) {
        struct sl_http2_stream *s = link->streams;
        link->streams = s->next;
        if (s->next) s->next->previous = NULL;
        s->is_listed = false;
        link->n_streams--;
        sl_http2_stream_clear(s);
        link->role->closed(s, NGHTTP2_NO_ERROR);
    }
    link->role->ended(link);
}

/* ---- writing */

static sl_code write_some(ptrdiff_t *n, struct sl_http2_link *link, struct sl_error *err) {
    struct sl_http2_output *out = &link->output;
    const struct sl_socket_piece *pieces = out->pieces + out->first;
    if (link->tls) {
        SL_TRY(sl_tls_write(n, link->tls, pieces, out->n - out->first, err));
        return SL_OK;
    }
    sl_http2_link_unlock(link);
    sl_code code = sl_socket_write(n, link->fd, pieces, out->n - out->first, err);
    sl_http2_link_lock(link);
    return code;
}

/* Fills the output when it is empty; whether there is something to write. */
static bool fill_output(struct sl_http2_link *link) {
    if (!sl_http2_output_is_empty(&link->output)) return true;
    int failed = nghttp2_session_send(link->session);
    if (failed) sl_http2_link_fail(link, SL_INTERNAL, nghttp2_strerror(failed));
    return !failed && !sl_http2_output_is_empty(&link->output);
}

static void write_turn(struct sl_http2_link *link, size_t turn) {
    struct sl_error err;
    for (size_t written = 0; fill_output(link);) {
        ptrdiff_t n;
        const size_t left = sl_http2_output_left(&link->output);
        if (written >= turn) {
            link->is_blocked = true; /* the net's thread goes on as soon as the socket takes something */
            return;
        }
        sl_code code = write_some(&n, link, &err);
        if (link->is_failed) return;
        if (code != SL_OK) {
            sl_http2_link_fail(link, SL_UNAVAILABLE, err.message);
            return;
        }
        if (n == SL_SOCKET_WAIT) {
            link->is_blocked = !link->tls || sl_tls_wants_room(link->tls);
            return;
        }
        written += (size_t)n;
        link->went += (size_t)n;
        if (link->went >= SL_HTTP2_PROGRESS || (size_t)n == left) link->waiting_ns = 0;
        sl_http2_output_written(&link->dropped, &link->output, (size_t)n);
    }
}

static void write_out(struct sl_http2_link *link, size_t turn) {
    if (link->is_writing || link->is_blocked || link->is_failed || link->is_finished) return;
    link->is_writing = true;
    write_turn(link, turn);
    link->is_writing = false;
    if (link->is_ended) close_socket(link);
    bool is_watched = link->watched & SL_POLL_WRITE;
    if (link->is_blocked != is_watched || is_done(link)) sl_http2_link_attend(link);
}

void sl_http2_link_flush(struct sl_http2_link *link) {
    if (!sl_http2_on_thread(link->net)) {
        write_out(link, turn_of_caller);
    } else if (!link->is_flush_queued) {
        link->is_flush_queued = true;
        sl_http2_link_ref(link);
        sl_http2_late(link->net, &link->flush_task);
    }
}

static void run_flush(struct sl_loop_task *task) {
    struct sl_http2_link *link = (struct sl_http2_link *)((char *)task - offsetof(struct sl_http2_link, flush_task));
    sl_http2_link_lock(link);
    link->is_flush_queued = false;
    write_out(link, turn_of_thread);
    sl_http2_link_unlock(link);
    sl_http2_link_unref(link);
}

/* ---- reading, on the net's thread */

/* Where the rest of the DATA frame belongs that is being read; none for little. */
static struct sl_socket_place place_of(struct sl_http2_link *link, struct sl_rpc_body **owner) {
    struct sl_socket_place place = {NULL, 0};
    if (link->data_left < PLACE_LEAST) return place;
    struct sl_http2_stream *s = nghttp2_session_get_stream_user_data(link->session, link->data_stream);
    if (!s || !s->awaits) return place;
    place.data = sl_grpc_assembler_place(&place.size, owner, &s->in);
    if (place.data && place.size > link->data_left) place.size = link->data_left;
    return place;
}

static sl_code read_some(ptrdiff_t *n, struct sl_http2_link *link, const struct sl_socket_place places[2],
                         struct sl_error *err) {
    if (link->tls) {
        const struct sl_socket_place *to = &places[places[0].size == 0];
        return sl_tls_read(n, link->tls, to->data, to->size, err);
    }
    sl_http2_link_unlock(link);
    sl_code code = places[0].size ? sl_socket_read_both(n, link->fd, places, err)
                                  : sl_socket_read(n, link->fd, places[1].data, places[1].size, err);
    sl_http2_link_lock(link);
    return code;
}

static void feed(struct sl_http2_link *link, const void *data, size_t size) {
    if (!size || link->is_failed || link->is_finished) return;
    ssize_t n = nghttp2_session_mem_recv(link->session, data, size);
    if (n == NGHTTP2_ERR_FLOODED)
        sl_http2_link_close(link, NGHTTP2_ENHANCE_YOUR_CALM, SL_RESOURCE_EXHAUSTED, "it does not take answers");
    else if (n < 0) sl_http2_link_close(link, NGHTTP2_PROTOCOL_ERROR, SL_UNAVAILABLE, nghttp2_strerror((int)n));
}

/* What came of the two places. */
static void feed_places(struct sl_http2_link *link, const struct sl_socket_place places[2], size_t n) {
    size_t first = n < places[0].size ? n : places[0].size;
    feed(link, places[0].data, first);
    feed(link, places[1].data, n - first);
}

/* Once; whether there may be more. */
static bool read_once(size_t *got, struct sl_http2_link *link) {
    struct sl_rpc_body *owner = NULL;
    struct sl_error err;
    struct sl_socket_place places[2] = {place_of(link, &owner)};
    ptrdiff_t n;
    places[1] = (struct sl_socket_place){link->net->buffer, places[0].size ? BEHIND_PLACE : SL_HTTP2_READ};
    size_t asked = places[0].size + places[1].size;
    sl_code code = read_some(&n, link, places, &err);
    if (code != SL_OK) {
        sl_http2_link_fail(link, SL_UNAVAILABLE, err.message);
    } else if (n == SL_SOCKET_END) {
        sl_http2_link_fail(link, SL_UNAVAILABLE, "Socket closed");
    } else if (n == SL_SOCKET_WAIT) {
        link->is_blocked |= link->tls && sl_tls_wants_room(link->tls);
    } else {
        size_t placed = (size_t)n < places[0].size ? (size_t)n : places[0].size;
        *got += (size_t)n - placed + placed / 16;
        link->read_ns = link->now_ns;
        feed_places(link, places, (size_t)n);
    }
    sl_rpc_body_unref(owner);
    return n > 0 && !link->is_failed && (link->tls || (size_t)n == asked);
}

static void ready(void *arg, unsigned what) {
    struct sl_http2_link *link = arg;
    struct sl_http2_net *net = link->net;
    sl_http2_link_ref(link);
    sl_http2_link_lock(link);
    link->now_ns = sl_clock_ns();
    if (what & (SL_POLL_WRITE | SL_POLL_GONE)) link->is_blocked = false;
    size_t got = 0;
    if (!link->is_failed && what & (SL_POLL_READ | SL_POLL_GONE))
        while (got < turn_of_reading && read_once(&got, link)) {}
    sl_http2_link_flush(link);
    sl_http2_link_unlock(link);
    sl_http2_link_unref(link);
    sl_http2_settle(net);
}

/* ---- what it waits for, on the net's thread */

static void watch(struct sl_http2_link *link) {
    unsigned what = SL_POLL_READ | (link->is_blocked ? SL_POLL_WRITE : 0);
    if (what == link->watched) return;
    struct sl_error err;
    if (sl_event_loop_watch(link->net->loop, &link->watch, what, &err) == SL_OK) link->watched = what;
    else sl_http2_link_fail(link, SL_RESOURCE_EXHAUSTED, err.message);
}

/* Whether something waits for longer than `most`; `*since`: from now on, if it was not known. */
static bool waits_too_long(int64_t *since, size_t *went, int64_t now, int64_t most) {
    if (*since) return now - *since > most;
    *since = now;
    *went = 0;
    return false;
}

/* Clients that neither take nor send what they should. Where memory is short, one second is long. */
static void look_for_stalls(struct sl_http2_link *link, int64_t now) {
    const int64_t most_pressed = 1000 * ms_ns, stalled = link->limits.stalled_ns;
    int64_t most = sl_http2_link_is_full(link, 0, 1) && most_pressed < stalled ? most_pressed : stalled;
    for (struct sl_http2_stream *s = link->streams; s; s = s->next) {
        bool must_send = s->awaits && !s->held && (!s->may_pause || sl_grpc_assembler_is_amid(&s->in));
        if (must_send && now - s->came_ns > most)
            sl_http2_link_close(link, NGHTTP2_ENHANCE_YOUR_CALM, SL_UNAVAILABLE, "it sends nothing of a message");
        if (s->first && waits_too_long(&s->waiting_ns, &s->went, now, most))
            sl_http2_link_drop(link, "it takes nothing of a message");
    }
    if (!link->output.has_data) link->waiting_ns = 0;
    else if (waits_too_long(&link->waiting_ns, &link->went, now, most))
        sl_http2_link_drop(link, "it takes nothing of a message");
}

/* Servers look after silent clients; clients after silent servers whose answers they wait for, and seldom: servers of
 * others take pings more often than every five minutes amiss. */
static void look_for_silence(struct sl_http2_link *link, int64_t now) {
    const int64_t most_wait = 20000 * ms_ns, clients_idle = 360000 * ms_ns;
    int64_t idle = link->is_server ? link->limits.idle_ns : clients_idle;
    if (link->pinged_ns) {
        if (now - link->pinged_ns > (idle < most_wait ? idle : most_wait))
            sl_http2_link_drop(link, "the peer does not answer pings");
    } else if ((link->is_server || link->streams) && now - link->read_ns > idle) {
        link->pinged_ns = now;
        nghttp2_submit_ping(link->session, NGHTTP2_FLAG_NONE, NULL);
        sl_http2_link_flush(link);
    }
}

static int64_t period_of(const struct sl_http2_link *link) {
    const struct sl_rpc_limits *l = &link->limits;
    int64_t period = (l->idle_ns < l->stalled_ns ? l->idle_ns : l->stalled_ns) / 4;
    if (l->greeting_ns / 4 < period && !link->is_ready) period = l->greeting_ns / 4;
    if (period > 5000 * ms_ns) period = 5000 * ms_ns;
    if (period > 250 * ms_ns && link->streams && sl_http2_link_is_full(link, 0, 1)) period = 250 * ms_ns;
    return period > 5 * ms_ns ? period : 5 * ms_ns;
}

/* Looks at all that depends on time; returns when to look again. */
static int64_t look(struct sl_http2_link *link, int64_t now) {
    const int64_t held_again = 20 * ms_ns, closing_most = 1000 * ms_ns;
    int64_t stalled = link->limits.stalled_ns, greeting = link->limits.greeting_ns, next = now + period_of(link);
    if (link->is_closing) {
        if (now - link->closing_ns > closing_most) sl_http2_link_fail(link, SL_UNAVAILABLE, "closed");
        return now + closing_most / 10;
    }
    if (!link->is_ready && now - link->born_ns > (stalled < greeting ? stalled : greeting))
        sl_http2_link_drop(link, "the peer does not speak HTTP/2");
    if (link->is_server) look_for_stalls(link, now);
    look_for_silence(link, now);
    if (sl_http2_link_release_held(link, now)) next = now + held_again;
    int64_t of_role = link->role->tick(link, now);
    return of_role < next ? of_role : next;
}

/* A socket that is closed with bytes unread takes back what the peer has not read either: the reason of a GOAWAY. */
static void close_half(struct sl_http2_link *link) {
    if (!link->is_closing) {
        sl_http2_link_fail(link, SL_UNAVAILABLE, "the peer closed the connection");
    } else if (!link->is_finished) {
        link->is_finished = true;
        sl_socket_finish(link->fd, NULL);
    }
}

/* Its timer has a place in the loop's heap, since it is always set: that cannot fail. */
static void keep_on(struct sl_http2_link *link) {
    int64_t now = sl_clock_ns();
    if (now >= link->look_ns) {
        link->look_ns = INT64_MAX;
        int64_t next = look(link, now);
        if (next < link->look_ns) link->look_ns = next;
    }
    if (!link->is_failed && is_done(link)) close_half(link);
    if (!link->is_failed) watch(link);
    sl_event_loop_set_timer(link->net->loop, &link->timer, link->look_ns, NULL);
}

static void attend(struct sl_http2_link *link) {
    bool ends = false;
    sl_http2_link_lock(link);
    if (!link->is_ended) {
        if (!link->is_failed) keep_on(link);
        ends = link->is_failed;
        if (ends) finish(link);
    }
    sl_http2_link_unlock(link);
    if (ends) sl_http2_link_unref(link); /* the thread's */
}

void sl_http2_link_look_at(struct sl_http2_link *link, int64_t at_ns) {
    if (at_ns >= link->look_ns) return;
    link->look_ns = at_ns;
    sl_http2_link_attend(link);
}

static void run_attend(struct sl_loop_task *task) {
    struct sl_http2_link *link = (struct sl_http2_link *)((char *)task - offsetof(struct sl_http2_link, attend_task));
    struct sl_http2_net *net = link->net;
    sl_http2_link_lock(link);
    link->is_attend_queued = false;
    sl_http2_link_unlock(link);
    attend(link);
    sl_http2_link_unref(link);
    sl_http2_settle(net);
}

static void timer_due(void *arg) {
    struct sl_http2_link *link = arg;
    struct sl_http2_net *net = link->net;
    attend(link);
    sl_http2_settle(net);
}

/* ---- its beginning */

static sl_code make(struct sl_http2_link *link, struct sl_error *err) {
    link->output.bytes = sl_malloc(SL_HTTP2_OUTPUT_BYTES);
    if (!link->output.bytes) return sl_fail_memory(err, SL_HTTP2_OUTPUT_BYTES);
    SL_TRY(sl_event_loop_set_timer(link->net->loop, &link->timer, INT64_MAX, err));
    link->look_ns = link->born_ns;
    return sl_http2_session_new(link, err);
}

sl_code sl_http2_link_new(struct sl_http2_link **out, const struct sl_http2_link_setup *setup, struct sl_error *err) {
    struct sl_http2_link *link = sl_calloc(1, sizeof *link);
    if (!link) {
        sl_tls_free(setup->tls);
        sl_socket_close(setup->fd);
        return sl_fail_memory(err, sizeof *link);
    }
    atomic_init(&link->refs, 1);
    sl_mutex_init(&link->own);
    sl_condition_init(&link->changed);
    link->net = setup->net;
    link->role = setup->role;
    link->owner = setup->owner;
    link->mutex = setup->mutex ? setup->mutex : &link->own;
    link->fd = setup->fd;
    link->tls = setup->tls;
    link->is_server = setup->is_server;
    link->limits = *setup->limits;
    link->unfinished = setup->unfinished;
    snprintf(link->peer, sizeof link->peer, "%s", setup->peer);
    link->born_ns = link->read_ns = link->now_ns = link->second_ns = sl_clock_ns();
    link->watch = (struct sl_loop_watch){.fd = link->fd, .ready = ready, .arg = link};
    link->timer = (struct sl_timer){.fire = timer_due, .arg = link};
    link->flush_task.run = run_flush;
    link->attend_task.run = run_attend;
    sl_code code = make(link, err);
    if (code == SL_OK) {
        *out = link;
        return SL_OK;
    }
    sl_event_loop_cancel_timer(link->net->loop, &link->timer);
    sl_http2_link_unref(link);
    return code;
}

void sl_http2_link_begin(struct sl_http2_link *link) {
    sl_http2_link_lock(link);
    link->is_begun = true;
    sl_http2_link_flush(link);
    sl_http2_link_attend(link);
    sl_http2_link_unlock(link);
}
#endif
