/* Connecting: names resolved on a thread that may wait, addresses tried in turn, times between attempts. */
#if SL_HAVE_NGHTTP2
#include <stdio.h>

#include "net/http2_client.h"
#include "net/tls.h"
#include "os/clock.h"
#include "os/task_threads.h"

static const int64_t ms_ns = 1000000;
enum { FIRST_BACKOFF_MS = 20, LAST_BACKOFF_MS = 1000, ATTEMPT_MS = 20000 };

static void fail_attempt(struct sl_http2_channel *channel) {
    sl_mutex_lock(&channel->mutex);
    int64_t backoff = channel->backoff_ns ? channel->backoff_ns * 8 / 5 : FIRST_BACKOFF_MS * ms_ns;
    channel->backoff_ns = backoff < LAST_BACKOFF_MS * ms_ns ? backoff : LAST_BACKOFF_MS * ms_ns;
    channel->retry_ns = sl_clock_ns() + channel->backoff_ns;
    channel->state = SL_HTTP2_WAITING;
    sl_http2_channel_failed(channel);
    sl_mutex_unlock(&channel->mutex);
}

static sl_code begin_link(struct sl_http2_channel *channel) {
    struct sl_http2_link *link;
    char text[SL_ADDRESS_TEXT];
    const struct sl_address *address = &channel->addresses[channel->next_address - 1];
    const char *name = channel->tls_files.name ? channel->tls_files.name : channel->host;
    struct sl_http2_link_setup setup = {.net = channel->net,
                                        .role = &sl_http2_client_role,
                                        .owner = channel,
                                        .mutex = &channel->mutex,
                                        .fd = channel->fd,
                                        .limits = &channel->limits,
                                        .peer = sl_address_print(text, address)};
    if (channel->tls) SL_TRY(sl_tls_new(&setup.tls, channel->tls, channel->fd, name, &channel->why));
    channel->fd = -1;
    SL_TRY(sl_http2_link_new(&link, &setup, &channel->why));
    sl_mutex_lock(&channel->mutex);
    channel->trying = link;
    link->next = channel->links;
    if (link->next) link->next->previous = link;
    channel->links = link;
    channel->n_inside++;
    sl_mutex_unlock(&channel->mutex);
    sl_http2_link_begin(link);
    return SL_OK;
}

void sl_http2_connect_stop(struct sl_http2_channel *channel) {
    sl_event_loop_unwatch(channel->net->loop, &channel->watch);
    sl_socket_close(channel->fd);
    channel->fd = -1;
}

static void socket_ready(void *arg, unsigned what) {
    struct sl_http2_channel *channel = arg;
    const struct sl_address *address = &channel->addresses[channel->next_address - 1];
    (void)what;
    sl_event_loop_unwatch(channel->net->loop, &channel->watch);
    sl_code code = sl_socket_connected(channel->fd, address, &channel->why);
    if (code == SL_OK) code = begin_link(channel);
    if (code != SL_OK) sl_http2_connect_next(channel);
    sl_http2_settle(channel->net);
}

/* Whether something has come of the address: a link, or a socket that is watched. */
static sl_code try_address(struct sl_http2_channel *channel, const struct sl_address *address) {
    bool is_done;
    SL_TRY(sl_socket_connect(&channel->fd, &is_done, address, &channel->why));
    if (is_done) return begin_link(channel);
    channel->watch = (struct sl_loop_watch){.fd = channel->fd, .ready = socket_ready, .arg = channel};
    return sl_event_loop_watch(channel->net->loop, &channel->watch, SL_POLL_WRITE, &channel->why);
}

void sl_http2_connect_next(struct sl_http2_channel *channel) {
    while (channel->next_address < channel->n_addresses) {
        sl_http2_connect_stop(channel);
        if (try_address(channel, &channel->addresses[channel->next_address++]) == SL_OK) return;
    }
    sl_http2_connect_stop(channel);
    fail_attempt(channel);
}

/* ---- names */

/* Whether the address is a number or a path: then nobody has to be asked. */
static bool is_known(const char *address) {
    const char *colon = strrchr(address, ':');
    if (!strncmp(address, "unix:", 5) || address[0] == '[') return true;
    return colon && strspn(address, "0123456789.") == (size_t)(colon - address);
}

static void resolve(void *arg) {
    struct sl_http2_channel *channel = arg;
    channel->resolved = sl_address_resolve(channel->addresses, &channel->n_addresses, SL_HTTP2_ADDRESSES,
                                           channel->address, &channel->why);
    sl_http2_soon(channel->net, &channel->resolved_task);
}

void sl_http2_resolved(struct sl_loop_task *task) {
    struct sl_http2_channel *channel =
        (struct sl_http2_channel *)((char *)task - offsetof(struct sl_http2_channel, resolved_task));
    struct sl_http2_net *net = channel->net;
    sl_mutex_lock(&channel->mutex);
    channel->is_resolving = false;
    bool is_closing = channel->is_closing;
    if (is_closing) sl_http2_channel_attend(channel);
    sl_mutex_unlock(&channel->mutex);
    if (is_closing) {
    } else if (channel->resolved == SL_OK) {
        sl_http2_connect_next(channel);
    } else {
        fail_attempt(channel);
    }
    sl_http2_settle(net);
}

void sl_http2_connect(struct sl_http2_channel *channel) {
    sl_mutex_lock(&channel->mutex);
    channel->state = SL_HTTP2_CONNECTING;
    channel->give_up_ns = sl_clock_ns() + ATTEMPT_MS * ms_ns;
    channel->is_resolving = true;
    sl_mutex_unlock(&channel->mutex);
    channel->next_address = channel->n_addresses = 0;
    if (is_known(channel->address)) resolve(channel);
    else sl_task_threads_run(resolve, channel);
}
#endif
