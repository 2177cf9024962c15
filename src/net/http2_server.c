/* Servers: listening, accepting, draining, stopping. A server's connections are of the net's thread. */
#if SL_HAVE_NGHTTP2
#include "net/http2_server.h"

#include <stdio.h>

#include "base/alloc.h"
#include "net/tls.h"
#include "os/clock.h"
#include "os/file.h"

enum { ACCEPT_AT_ONCE = 64 };
static const int64_t accept_again_ns = 100000000, close_most_ns = 2000000000;
static const int64_t tell_again_ns = 1000000000, least_idle_ns = 1000000000;

/* ---- connections */

static void add_link(struct sl_http2_server *server, struct sl_http2_link *link) {
    link->previous = NULL;
    link->next = server->links;
    if (link->next) link->next->previous = link;
    else server->oldest = link;
    server->links = link;
    sl_mutex_lock(&server->mutex);
    server->n_links++;
    server->counts.accepted++;
    sl_mutex_unlock(&server->mutex);
}

/* Once a second at most, since a peer that means ill may come again at once. */
static void tell_fault(struct sl_http2_server *server, int64_t *count, const char *event, const char *peer,
                       const char *why) {
    char text[SL_ADDRESS_TEXT + SL_HTTP2_REASON + 64], more[64] = "";
    int64_t now = sl_clock_ns();
    sl_mutex_lock(&server->mutex);
    ++*count;
    sl_mutex_unlock(&server->mutex);
    if (!server->tell) return;
    if (server->told_ns && now - server->told_ns < tell_again_ns) {
        server->n_untold++;
        return;
    }
    if (server->n_untold) snprintf(more, sizeof more, " (and %u others before)", server->n_untold);
    snprintf(text, sizeof text, "%s: %s%s", peer, why, more);
    server->told_ns = now;
    server->n_untold = 0;
    server->tell(server->arg_of_tell, event, text);
}

void sl_http2_server_lost(struct sl_http2_server *server, struct sl_http2_link *link) {
    if (link->previous) link->previous->next = link->next;
    else server->links = link->next;
    if (link->next) link->next->previous = link->previous;
    else server->oldest = link->previous;
    if (link->is_at_fault) tell_fault(server, &server->counts.closed, "closed", link->peer, link->reason);
}

void sl_http2_server_freed(void *owner) {
    struct sl_http2_server *server = owner;
    sl_mutex_lock(&server->mutex);
    server->n_links--;
    sl_condition_broadcast(&server->changed);
    sl_mutex_unlock(&server->mutex);
}

void sl_http2_count_calls(struct sl_http2_server *server, int change) {
    sl_mutex_lock(&server->mutex);
    server->n_calls = (unsigned)((int)server->n_calls + change);
    if (change > 0) server->counts.called++;
    if (!server->n_calls) sl_condition_broadcast(&server->changed);
    sl_mutex_unlock(&server->mutex);
}

bool sl_http2_server_has_room(struct sl_http2_server *server, const struct sl_http2_link *link) {
    unsigned most = server->limits.calls_of_all, n = atomic_load_explicit(&server->n_streams, memory_order_relaxed);
    if (n < most) return true;
    sl_mutex_lock(&server->mutex);
    unsigned n_links = server->n_links ? server->n_links : 1;
    sl_mutex_unlock(&server->mutex);
    return !link->n_streams || link->n_streams < most / n_links;
}

void sl_http2_count(struct sl_rpc_counts *out, struct sl_rpc_server *base) {
    struct sl_http2_server *server = (struct sl_http2_server *)base;
    sl_mutex_lock(&server->mutex);
    *out = server->counts;
    out->connections = server->n_links;
    out->calls = server->n_calls;
    sl_mutex_unlock(&server->mutex);
    out->unfinished_bytes = (int64_t)atomic_load_explicit(&server->unfinished, memory_order_relaxed);
}

static sl_code begin_link(struct sl_http2_server *server, int fd, const struct sl_address *peer, struct sl_error *err) {
    char text[SL_ADDRESS_TEXT];
    struct sl_http2_link *link;
    struct sl_http2_link_setup setup = {.net = server->net,
                                        .role = &sl_http2_server_role,
                                        .owner = server,
                                        .fd = fd,
                                        .is_server = true,
                                        .limits = &server->limits,
                                        .unfinished = &server->unfinished,
                                        .peer = sl_address_print(text, peer)};
    if (server->tls) {
        sl_code code = sl_tls_new(&setup.tls, server->tls, fd, NULL, err);
        if (code != SL_OK) {
            sl_socket_close(fd);
            return code;
        }
    }
    SL_TRY(sl_http2_link_new(&link, &setup, err));
    add_link(server, link);
    sl_http2_link_begin(link);
    return SL_OK;
}

/* ---- accepting */

static void listen_for(struct sl_http2_server *server, unsigned what) {
    sl_event_loop_watch(server->net->loop, &server->watch, what, NULL);
}

/* No memory or no descriptors: the peers wait for a while. */
static void pause_accepting(struct sl_http2_server *server) {
    listen_for(server, 0);
    sl_event_loop_set_timer(server->net->loop, &server->timer, sl_clock_ns() + accept_again_ns, NULL);
}

/* One that has never called goes for a new one: the oldest of those that have not even greeted, or of those that did a
 * second ago or more. False: all are in use. */
static bool make_room(struct sl_http2_server *server) {
    struct sl_http2_link *found = NULL;
    int64_t now = sl_clock_ns();
    for (struct sl_http2_link *link = server->oldest; link; link = link->previous) {
        sl_http2_link_lock(link);
        bool is_idle = !link->is_used && !link->is_failed && now - link->born_ns > least_idle_ns;
        bool has_greeted = link->is_ready;
        sl_http2_link_unlock(link);
        if (is_idle && (!found || !has_greeted)) found = link;
        if (is_idle && !has_greeted) break;
    }
    if (!found) return false;
    sl_http2_link_lock(found);
    sl_http2_link_drop(found, "it did not call, and others want to");
    sl_http2_link_unlock(found);
    return true;
}

static bool has_room(struct sl_http2_server *server) {
    sl_mutex_lock(&server->mutex);
    bool has = server->n_links < server->limits.connections;
    sl_mutex_unlock(&server->mutex);
    return has || make_room(server);
}

static void accept_some(void *arg, unsigned what) {
    struct sl_http2_server *server = arg;
    (void)what;
    for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
        int fd;
        struct sl_address peer;
        sl_code code = sl_socket_accept(&fd, &peer, server->fd, NULL);
        if (code == SL_OK && fd < 0) break;
        if (code == SL_OK && !has_room(server)) {
            char text[SL_ADDRESS_TEXT];
            tell_fault(server, &server->counts.turned_away, "turned_away", sl_address_print(text, &peer),
                       "there are as many connections as there may be");
            sl_socket_close(fd);
            continue;
        }
        if (code == SL_OK) code = begin_link(server, fd, &peer, NULL);
        if (code == SL_OK) continue;
        pause_accepting(server);
        break;
    }
    sl_http2_settle(server->net);
}

static void timer_due(void *arg) {
    struct sl_http2_server *server = arg;
    if (server->is_closing) {
        for (struct sl_http2_link *link = server->links; link; link = link->next) {
            sl_http2_link_lock(link);
            sl_http2_link_fail(link, SL_UNAVAILABLE, "the server has ended");
            sl_http2_link_unlock(link);
        }
    } else if (server->fd >= 0) {
        listen_for(server, SL_POLL_READ);
    }
    /* it keeps its place among the loop's timers */
    sl_event_loop_set_timer(server->net->loop, &server->timer, INT64_MAX, NULL);
    sl_http2_settle(server->net);
}

/* ---- its end */

static void stop_listening(struct sl_http2_server *server) {
    if (server->fd < 0) return;
    sl_event_loop_unwatch(server->net->loop, &server->watch);
    sl_socket_close(server->fd);
    server->fd = -1;
    if (server->unix_path) sl_file_remove(server->unix_path, NULL);
}

static void drain(struct sl_http2_server *server) {
    stop_listening(server);
    for (struct sl_http2_link *link = server->links; link; link = link->next) {
        sl_http2_link_lock(link);
        sl_http2_link_leave(link);
        sl_http2_link_unlock(link);
    }
}

static void send_away(struct sl_http2_server *server) {
    drain(server);
    server->is_closing = true;
    for (struct sl_http2_link *link = server->links; link; link = link->next) {
        sl_http2_link_lock(link);
        sl_http2_calls_go(link);
        sl_http2_link_unlock(link);
    }
}

/* All calls have ended. Connections close when their clients have the answers, or after a while. */
static void close_soon(struct sl_http2_server *server) {
    sl_event_loop_set_timer(server->net->loop, &server->timer, sl_clock_ns() + close_most_ns, NULL);
}

static void forget(struct sl_http2_server *server) { sl_event_loop_cancel_timer(server->net->loop, &server->timer); }

/* ---- what other threads have done on the net's */

struct errand {
    struct sl_loop_task task;
    struct sl_http2_server *server;
    void (*what)(struct sl_http2_server *server);
    bool is_done;
};

static void run_errand(struct sl_loop_task *task) {
    struct errand *errand = (struct errand *)task;
    struct sl_http2_server *server = errand->server;
    struct sl_http2_net *net = server->net;
    errand->what(server);
    sl_http2_settle(net);
    sl_mutex_lock(&server->mutex);
    errand->is_done = true;
    sl_condition_broadcast(&server->changed);
    sl_mutex_unlock(&server->mutex);
}

static void on_thread(struct sl_http2_server *server, void (*what)(struct sl_http2_server *server)) {
    struct errand errand = {.task.run = run_errand, .server = server, .what = what};
    if (sl_http2_on_thread(server->net)) {
        what(server);
        return;
    }
    sl_http2_soon(server->net, &errand.task);
    sl_mutex_lock(&server->mutex);
    while (!errand.is_done) sl_condition_wait(&server->changed, &server->mutex);
    sl_mutex_unlock(&server->mutex);
}

static void free_server(struct sl_http2_server *server) {
    sl_str_map_free(&server->by_path);
    sl_free(server->rows);
    sl_tls_context_free(server->tls);
    sl_socket_close(server->fd);
    sl_free(server->unix_path);
    sl_mutex_clear(&server->mutex);
    sl_condition_clear(&server->changed);
    sl_free(server);
}

void sl_http2_drain(struct sl_rpc_server *base) { on_thread((struct sl_http2_server *)base, drain); }

static void wait_for(struct sl_http2_server *server, const unsigned *count) {
    sl_mutex_lock(&server->mutex);
    while (*count) sl_condition_wait(&server->changed, &server->mutex);
    sl_mutex_unlock(&server->mutex);
}

void sl_http2_stop(struct sl_rpc_server *base) {
    struct sl_http2_server *server = (struct sl_http2_server *)base;
    struct sl_http2_net *net = server->net;
    if (sl_http2_check_process(net, NULL) != SL_OK) return; /* it is the parent's */
    on_thread(server, send_away);
    wait_for(server, &server->n_calls);
    on_thread(server, close_soon);
    wait_for(server, &server->n_links);
    on_thread(server, forget);
    free_server(server);
    sl_http2_alive(net, -1);
}

/* ---- its beginning */

static sl_code take_methods(struct sl_http2_server *server, const struct sl_rpc_serving *how, struct sl_error *err) {
    size_t n = 0;
    for (size_t i = 0; i < how->n_services; i++)
        for (const struct sl_rpc_method *m = how->services[i].methods; m->path; m++) n++;
    server->rows = sl_calloc(n + 1, sizeof *server->rows);
    if (!server->rows || sl_str_map_reserve(&server->by_path, n)) return sl_fail_memory(err, n * sizeof *server->rows);
    n = 0;
    for (size_t i = 0; i < how->n_services; i++) {
        for (const struct sl_rpc_method *m = how->services[i].methods; m->path; m++, n++) {
            server->rows[n] = (struct sl_http2_method){m, how->services[i].arg};
            if (sl_str_map_put(&server->by_path, sl_str_of(m->path), &server->rows[n])) return sl_fail_memory(err, n);
        }
    }
    return SL_OK;
}

static sl_code bind_to(struct sl_http2_server *server, const char *text, struct sl_error *err) {
    enum { MOST = 8 };
    struct sl_address addresses[MOST], bound;
    int n;
    SL_TRY(sl_address_resolve(addresses, &n, MOST, text, err));
    sl_code code = SL_OK;
    for (int i = 0; i < n; i++) {
        code = sl_socket_listen(&server->fd, &addresses[i], err);
        if (code == SL_OK) break;
    }
    SL_TRY(code);
    SL_TRY(sl_socket_local(&bound, server->fd, err));
    server->port = sl_address_port(&bound);
    if (strncmp(text, "unix:", 5) != 0) return SL_OK;
    size_t size = strlen(text + 5) + 1;
    server->unix_path = sl_malloc(size);
    if (!server->unix_path) return sl_fail_memory(err, size);
    memcpy(server->unix_path, text + 5, size);
    return SL_OK;
}

static void start(struct sl_http2_server *server) {
    struct sl_event_loop *loop = server->net->loop;
    server->started = sl_event_loop_set_timer(loop, &server->timer, INT64_MAX, NULL);
    if (server->started != SL_OK) return;
    server->started = sl_event_loop_watch(loop, &server->watch, SL_POLL_READ, NULL);
    if (server->started != SL_OK) forget(server);
}

/* As many as the process may have open, but for a quarter: files want to be read and written, too. */
static void limit_connections(struct sl_rpc_limits *limits) {
    unsigned most = sl_socket_most() / 4 * 3;
    if (most && limits->connections > most) limits->connections = most;
}

static sl_code make(struct sl_http2_server *server, const struct sl_rpc_serving *how, struct sl_error *err) {
    const struct sl_rpc_tls *tls = &how->tls;
    SL_TRY(take_methods(server, how, err));
    if (tls->certificate || tls->key || tls->authorities) SL_TRY(sl_tls_context_new(&server->tls, tls, true, err));
    return bind_to(server, how->address, err);
}

sl_code sl_http2_serve(struct sl_rpc_server **out, struct sl_net *base, const struct sl_rpc_serving *how,
                       struct sl_error *err) {
    struct sl_http2_net *net = (struct sl_http2_net *)base;
    SL_TRY(sl_http2_check_process(net, err));
    struct sl_http2_server *server = sl_calloc(1, sizeof *server);
    if (!server) return sl_fail_memory(err, sizeof *server);
    server->base.methods = &sl_http2_methods;
    server->net = net;
    server->limits = sl_rpc_limits_or_default(&how->limits);
    limit_connections(&server->limits);
    server->tell = how->tell;
    server->arg_of_tell = how->arg_of_tell;
    server->fd = -1;
    sl_mutex_init(&server->mutex);
    sl_condition_init(&server->changed);
    sl_code code = make(server, how, err);
    if (code == SL_OK) {
        server->watch = (struct sl_loop_watch){.fd = server->fd, .ready = accept_some, .arg = server};
        server->timer = (struct sl_timer){.fire = timer_due, .arg = server};
        on_thread(server, start);
        if (server->started != SL_OK) code = sl_fail(err, server->started, "the net's thread takes no further server");
    }
    if (code != SL_OK) {
        free_server(server);
        return code;
    }
    sl_http2_alive(net, 1);
    *out = &server->base;
    return SL_OK;
}

int sl_http2_port(const struct sl_rpc_server *base) { return ((const struct sl_http2_server *)base)->port; }
#endif
