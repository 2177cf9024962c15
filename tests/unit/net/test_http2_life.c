/* How channels and servers come and go: connections that are shared, lost and made again, drained; Unix sockets, TLS,
 * servers that answer a client as they should not. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/clock.h"
#include "os/thread.h"
#include "unit/net/peers.h"
#include "unit/net/raw_peer.h"

static struct peers peers;
static struct sl_error err;
static struct raw_frame frame;

static int begin(void **state) {
    (void)state;
    peers_begin(&peers, "127.0.0.1:0", NULL, NULL, NULL);
    return 0;
}

static int end(void **state) {
    (void)state;
    peers_end(&peers);
    return 0;
}

static void is_served(struct sl_rpc_channel *channel) {
    struct asked a;
    assert_int_equal(ask(&a, channel, "/test/Echo", "well", 4), SL_OK);
    asked_clear(&a);
}

/* ---- addresses */

static void addresses_are_checked(void **state) {
    (void)state;
    struct sl_rpc_channel *channel;
    assert_fails(err, SL_INVALID_ARGUMENT, "nowhere", sl_net_dial(&channel, peers.net, "nowhere", NULL, &err));
    struct sl_rpc_serving how = {.address = peers.address};
    struct sl_rpc_server *server;
    assert_fails(err, SL_FAILED_PRECONDITION, "in use", sl_net_serve(&server, peers.net, &how, &err));
}

static void channels_of_one_address_are_one(void **state) {
    (void)state;
    struct sl_rpc_channel *again;
    assert_ok(err, sl_net_dial(&again, peers.net, peers.address, NULL, &err));
    assert_ptr_equal(again, peers.channel);
    is_served(again);
    sl_rpc_channel_free(again);
    is_served(peers.channel);
}

static void names_are_resolved(void **state) {
    (void)state;
    char address[64];
    struct sl_rpc_channel *channel;
    snprintf(address, sizeof address, "localhost:%d", sl_rpc_server_port(peers.server));
    assert_ok(err, sl_net_dial(&channel, peers.net, address, NULL, &err));
    is_served(channel);
    sl_rpc_channel_free(channel);
    assert_ok(err, sl_net_dial(&channel, peers.net, "no.such.host.invalid:1", NULL, &err));
    struct asked a;
    assert_int_equal(ask(&a, channel, "/test/Echo", "x", 1), SL_UNAVAILABLE);
    assert_non_null(strstr(a.text, "no.such.host.invalid"));
    asked_clear(&a);
    sl_rpc_channel_free(channel);
}

static void unix_sockets_serve(void **state) {
    (void)state;
    peers_begin(&peers, "unix:test_http2_life.socket", NULL, NULL, NULL);
    is_served(peers.channel);
    assert_int_equal(access("test_http2_life.socket", F_OK), 0);
    assert_int_equal(sl_rpc_server_port(peers.server), 0);
    peers_end(&peers);
    assert_int_not_equal(access("test_http2_life.socket", F_OK), 0);
}

/* ---- servers that go and come */

static void calls_fail_when_nobody_is_there(void **state) {
    (void)state;
    struct asked a;
    sl_rpc_server_free(peers.server);
    peers.server = NULL;
    assert_int_equal(ask(&a, peers.channel, "/test/Echo", "x", 1), SL_UNAVAILABLE);
    assert_non_null(strstr(a.text, "Connection refused"));
    asked_clear(&a);
}

/* Also calls that do not wait: who was refused once is refused no more when the server has come. */
static void a_server_comes_after_a_refusal(void **state) {
    (void)state;
    struct asked a;
    char address[256];
    snprintf(address, sizeof address, "%s", peers.address);
    sl_rpc_server_free(peers.server);
    peers.server = NULL;
    assert_int_equal(ask(&a, peers.channel, "/test/Echo", "x", 1), SL_UNAVAILABLE);
    asked_clear(&a);
    peers_serve(&peers, address, NULL, NULL);
    for (int i = 0; i < 5000; i++) {
        sl_code code = ask(&a, peers.channel, "/test/Echo", "x", 1);
        asked_clear(&a);
        if (code == SL_OK) return;
        usleep(1000);
    }
    fail_msg("the channel does not connect again");
}

static void a_call_may_wait_for_the_server(void **state) {
    (void)state;
    struct asked a, late;
    char address[256];
    snprintf(address, sizeof address, "%s", peers.address);
    is_served(peers.channel);
    sl_rpc_server_free(peers.server);
    peers.server = NULL;
    asked_init(&a, "/test/Echo", "x", 1);
    a.request.waits_for_ready = true;
    asked_init(&late, "/test/Echo", "x", 1);
    late.request.waits_for_ready = true;
    late.request.deadline_ns = sl_clock_ns() + 50000000;
    sl_rpc_channel_call(peers.channel, &a.request);
    sl_rpc_channel_call(peers.channel, &late.request);
    asked_wait(&late);
    assert_int_equal(late.code, SL_DEADLINE_EXCEEDED);
    assert_false(a.is_done);
    peers_serve(&peers, address, NULL, NULL);
    asked_wait(&a);
    assert_int_equal(a.code, SL_OK);
    asked_clear(&a);
    asked_clear(&late);
}

static void end_server(void *arg) {
    (void)arg;
    sl_rpc_server_free(peers.server);
}

static void calls_are_told_when_their_server_ends(void **state) {
    (void)state;
    struct asked a;
    struct sl_thread thread;
    asked_init(&a, "/test/Hold", "x", 1);
    sl_rpc_channel_call(peers.channel, &a.request);
    peers_wait_held(&peers, 1);
    assert_ok(err, sl_thread_start(&thread, "end", 0, end_server, NULL, &err));
    peers_wait_gone(&peers, 1);
    assert_int_equal(peers.gone_code, SL_UNAVAILABLE);
    peers_release(&peers);
    sl_thread_join(&thread);
    peers.server = NULL;
    asked_wait(&a);
    assert_int_equal(a.code, SL_OK); /* it was answered after all */
    asked_clear(&a);
}

static void a_drained_server_ends_what_it_has(void **state) {
    (void)state;
    struct asked a, b;
    asked_init(&a, "/test/Hold", "x", 1);
    sl_rpc_channel_call(peers.channel, &a.request);
    peers_wait_held(&peers, 1);
    sl_rpc_server_drain(peers.server);
    assert_int_equal(ask(&b, peers.channel, "/test/Echo", "x", 1), SL_UNAVAILABLE); /* it listens no more */
    asked_clear(&b);
    assert_false(a.is_done);
    peers_release(&peers);
    asked_wait(&a);
    assert_int_equal(a.code, SL_OK);
    asked_clear(&a);
}

/* Calls that do not wait for a server find one that comes after some of them have failed. */
static void a_server_that_comes_later_is_found(void **state) {
    (void)state;
    struct asked a;
    sl_rpc_server_free(peers.server);
    peers.server = NULL;
    assert_int_equal(ask(&a, peers.channel, "/test/Echo", "x", 1), SL_UNAVAILABLE);
    asked_clear(&a);
    peers_serve(&peers, peers.address, NULL, NULL);
    sl_code code = SL_UNAVAILABLE;
    for (int i = 0; i < 100 && code != SL_OK; i++) {
        code = ask(&a, peers.channel, "/test/Echo", "x", 1);
        asked_clear(&a);
        usleep(50000);
    }
    assert_int_equal(code, SL_OK);
}

/* ---- servers by hand */

static int listener;

static int begin_by_hand(void **state) {
    (void)state;
    int port;
    memset(&peers, 0, sizeof peers);
    listener = raw_listen(&port);
    snprintf(peers.address, sizeof peers.address, "127.0.0.1:%d", port);
    assert_ok(err, sl_http2_net_new(&peers.net, &err));
    assert_ok(err, sl_net_dial(&peers.channel, peers.net, peers.address, NULL, &err));
    return 0;
}

static int end_by_hand(void **state) {
    (void)state;
    sl_rpc_channel_free(peers.channel);
    sl_net_free(peers.net);
    raw_close(listener);
    return 0;
}

/* Takes a call of the channel on a connection; returns its stream. */
static uint32_t take_call(int fd) {
    assert_true(raw_expect(&frame, fd, RAW_HEADERS));
    uint32_t stream = frame.stream;
    if (!(frame.flags & RAW_END_STREAM)) do
            assert_true(raw_expect(&frame, fd, RAW_DATA));
        while (!(frame.flags & RAW_END_STREAM));
    return stream;
}

/* Headers, or without `status` trailers. */
static bool answer(int fd, uint32_t stream, const char *status, const char *grpc_status, const char *text,
                   unsigned flags) {
    unsigned char block[4096];
    size_t n = 0;
    if (status) n += raw_headers(block, ":status", status, "content-type", "application/grpc", (char *)NULL);
    if (grpc_status) n += raw_headers(block + n, "grpc-status", grpc_status, (char *)NULL);
    if (text) n += raw_headers(block + n, "grpc-message", text, (char *)NULL);
    return raw_send(fd, RAW_HEADERS, RAW_END_HEADERS | flags, stream, block, n);
}

static const struct reply {
    const char *status, *grpc_status, *text;
    sl_code code;
    const char *said;
} replies[] = {
    {"200", "5", "no%20such%0Athing", SL_NOT_FOUND, "no such\nthing"},
    {"200", "2", "Stream removed", SL_UNAVAILABLE, "Stream removed"},
    {"200", "99", NULL, SL_UNKNOWN, ""},
    {"200", "0", NULL, SL_INTERNAL, "the server sent no answer"},
    {"200", NULL, NULL, SL_INTERNAL, "the server ended the call without a status"},
    {"404", NULL, NULL, SL_UNIMPLEMENTED, "Received http2 header with status: 404"},
    {"503", NULL, NULL, SL_UNAVAILABLE, "Received http2 header with status: 503"},
};

static void answers_without_messages_are_errors(void **state) {
    (void)state;
    enum { N = sizeof replies / sizeof *replies };
    struct asked a[N];
    int fd = -1;
    for (int i = 0; i < N; i++) {
        asked_init(&a[i], "/x", "x", 1);
        sl_rpc_channel_call(peers.channel, &a[i].request);
        if (!i) assert_true((fd = raw_accept(listener)) >= 0 && raw_begin_server(fd));
        uint32_t stream = take_call(fd);
        answer(fd, stream, replies[i].status, replies[i].grpc_status, replies[i].text, RAW_END_STREAM);
        asked_wait(&a[i]);
        assert_int_equal(a[i].code, replies[i].code);
        assert_string_equal(a[i].text, replies[i].said);
        asked_clear(&a[i]);
    }
    raw_close(fd);
}

static void resets_are_statuses(void **state) {
    (void)state;
    const struct {
        unsigned char error;
        sl_code code;
    } resets[] = {
        {0, SL_INTERNAL}, {1, SL_INTERNAL}, {8, SL_CANCELLED}, {11, SL_RESOURCE_EXHAUSTED}, {12, SL_PERMISSION_DENIED}};
    struct asked a;
    int fd = -1;
    for (size_t i = 0; i < sizeof resets / sizeof *resets; i++) {
        asked_init(&a, "/x", "x", 1);
        sl_rpc_channel_call(peers.channel, &a.request);
        if (!i) assert_true((fd = raw_accept(listener)) >= 0 && raw_begin_server(fd));
        const unsigned char error[4] = {0, 0, 0, resets[i].error};
        raw_send(fd, RAW_RST_STREAM, 0, take_call(fd), error, 4);
        asked_wait(&a);
        assert_int_equal(a.code, resets[i].code);
        assert_non_null(strstr(a.text, "RST_STREAM"));
        asked_clear(&a);
    }
    raw_close(fd);
}

static void what_a_leaving_server_did_not_take_goes_to_the_next(void **state) {
    (void)state;
    struct asked a;
    asked_init(&a, "/x", "x", 1);
    sl_rpc_channel_call(peers.channel, &a.request);
    int fd = raw_accept(listener);
    assert_true(raw_begin_server(fd));
    take_call(fd);
    const unsigned char goaway[8] = {0};
    raw_send(fd, RAW_GOAWAY, 0, 0, goaway, 8);
    int next = raw_accept(listener);
    assert_true(raw_begin_server(next));
    uint32_t stream = take_call(next);
    answer(next, stream, "200", NULL, NULL, 0);
    raw_message(next, stream, "yes", 3, 0);
    answer(next, stream, NULL, "0", NULL, RAW_END_STREAM);
    asked_wait(&a);
    assert_int_equal(a.code, SL_OK);
    assert_memory_equal(a.body->bytes.p, "yes", 3);
    asked_clear(&a);
    raw_close(fd);
    raw_close(next);
}

static void lost_connections_end_calls(void **state) {
    (void)state;
    struct asked a;
    asked_init(&a, "/x", "x", 1);
    sl_rpc_channel_call(peers.channel, &a.request);
    int fd = raw_accept(listener);
    assert_true(raw_begin_server(fd));
    uint32_t stream = take_call(fd);
    answer(fd, stream, "200", NULL, NULL, 0);
    const unsigned char lie[6] = {0, 0x7f, 0xff, 0xff, 0xff, 'x'};
    raw_send(fd, RAW_DATA, 0, stream, lie, sizeof lie);
    raw_close(fd);
    asked_wait(&a);
    assert_int_equal(a.code, SL_UNAVAILABLE);
    asked_clear(&a);
}

static void who_speaks_no_http2_is_not_there(void **state) {
    (void)state;
    struct asked a;
    asked_init(&a, "/x", "x", 1);
    sl_rpc_channel_call(peers.channel, &a.request);
    int fd = raw_accept(listener);
    raw_write(fd, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
    asked_wait(&a);
    assert_int_equal(a.code, SL_UNAVAILABLE);
    asked_clear(&a);
    raw_close(fd);
}

/* ---- TLS */

#define TLS_FILE(name) SL_TEST_DATA "/tls/" name
static const struct sl_rpc_tls server_files = {TLS_FILE("server.pem"), TLS_FILE("server.key"), NULL, NULL};
static const struct sl_rpc_tls strict_server = {TLS_FILE("server.pem"), TLS_FILE("server.key"),
                                                TLS_FILE("authority.pem"), NULL};
static const struct sl_rpc_tls plain_client = {NULL, NULL, TLS_FILE("authority.pem"), NULL};
static const struct sl_rpc_tls known_client = {TLS_FILE("client.pem"), TLS_FILE("client.key"),
                                               TLS_FILE("authority.pem"), NULL};
static const struct sl_rpc_tls strange_client = {TLS_FILE("stranger.pem"), TLS_FILE("stranger.key"),
                                                 TLS_FILE("authority.pem"), NULL};
static const struct sl_rpc_tls misled_client = {NULL, NULL, TLS_FILE("authority.pem"), "other.example"};
static const struct sl_rpc_tls doubting_client = {NULL, NULL, TLS_FILE("stranger.pem"), NULL};

static bool has_tls(void) {
    struct sl_rpc_channel *channel;
    struct sl_net *net;
    assert_ok(err, sl_http2_net_new(&net, &err));
    sl_code code = sl_net_dial(&channel, net, "127.0.0.1:1", &plain_client, &err);
    if (code == SL_OK) sl_rpc_channel_free(channel);
    else assert_int_equal(code, SL_UNIMPLEMENTED);
    sl_net_free(net);
    return code == SL_OK;
}

static void tls_asks_who_is_there(void **state) {
    (void)state;
    const struct {
        const struct sl_rpc_tls *server, *client;
        const char *said; /* NULL: they talk */
    } rows[] = {
        {&server_files, &plain_client, NULL},
        {&server_files, &misled_client, "mismatch"},
        {&server_files, &doubting_client, "TLS"},
        {&strict_server, &known_client, NULL},
        {&strict_server, &plain_client, ""},
        {&strict_server, &strange_client, ""},
        {&server_files, NULL, ""},
        {NULL, &plain_client, ""},
    };
    if (!has_tls()) skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct asked a;
        peers_begin(&peers, "127.0.0.1:0", NULL, rows[i].server, rows[i].client);
        sl_code code = ask(&a, peers.channel, "/test/Echo", "x", 1);
        assert_int_equal(code, rows[i].said ? SL_UNAVAILABLE : SL_OK);
        if (rows[i].said && !strstr(a.text, rows[i].said)) fail_msg("row %zu: %s", i, a.text);
        asked_clear(&a);
        peers_end(&peers);
    }
}

static void tls_carries_large_messages(void **state) {
    (void)state;
    const uint32_t size = 32 << 20;
    struct asked a;
    if (!has_tls()) skip();
    unsigned char *data = malloc(size);
    for (uint32_t i = 0; i < size; i++) data[i] = (unsigned char)(i * 7 + i / 251);
    peers_begin(&peers, "127.0.0.1:0", NULL, &strict_server, &known_client);
    assert_int_equal(ask(&a, peers.channel, "/test/Echo", data, size), SL_OK);
    assert_int_equal(a.body->bytes.n, size);
    assert_memory_equal(a.body->bytes.p, data, size);
    asked_clear(&a);
    peers_end(&peers);
    free(data);
}

static void certificates_are_checked_at_once(void **state) {
    (void)state;
    struct sl_rpc_channel *channel;
    const struct sl_rpc_tls absent = {.authorities = "/nowhere.pem"};
    const struct sl_rpc_tls mixed = {TLS_FILE("client.pem"), TLS_FILE("server.key"), NULL, NULL};
    if (!has_tls()) skip();
    assert_ok(err, sl_http2_net_new(&peers.net, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "/nowhere.pem",
                 sl_net_dial(&channel, peers.net, "127.0.0.1:1", &absent, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "server.key", sl_net_dial(&channel, peers.net, "127.0.0.1:1", &mixed, &err));
    sl_net_free(peers.net);
}

/* ---- timers, fork */

struct ticking {
    struct sl_net_timer timer;
    struct sl_mutex mutex;
    struct sl_condition changed;
    int n, order[3];
};
static struct ticking ticking = {.mutex = SL_MUTEX_INIT, .changed = SL_CONDITION_INIT};

static void tick(struct sl_net_timer *timer) {
    sl_mutex_lock(&ticking.mutex);
    ticking.order[ticking.n++] = *(const int *)timer->arg;
    sl_condition_broadcast(&ticking.changed);
    sl_mutex_unlock(&ticking.mutex);
}

static void timers_are_due_in_order(void **state) {
    (void)state;
    static const int numbers[4] = {0, 1, 2, 3};
    struct sl_net_timer timers[4];
    memset(timers, 0, sizeof timers);
    int64_t now = sl_net_now(peers.net);
    const int64_t after[4] = {30000000, 10000000, 20000000, 15000000};
    for (int i = 0; i < 4; i++) {
        timers[i].due = tick;
        timers[i].arg = (void *)(uintptr_t)&numbers[i];
        sl_net_set_timer(peers.net, &timers[i], now + after[i]);
    }
    sl_net_cancel_timer(peers.net, &timers[3]);
    sl_net_cancel_timer(peers.net, &timers[3]);
    sl_mutex_lock(&ticking.mutex);
    while (ticking.n < 3) sl_condition_wait(&ticking.changed, &ticking.mutex);
    sl_mutex_unlock(&ticking.mutex);
    assert_true(sl_net_now(peers.net) - now >= after[0]);
    assert_int_equal(ticking.order[0], 1);
    assert_int_equal(ticking.order[1], 2);
    assert_int_equal(ticking.order[2], 0);
}

static void a_forked_child_leaves_the_net_alone(void **state) {
    (void)state;
    is_served(peers.channel);
    pid_t child = fork();
    if (!child) {
        struct sl_rpc_channel *channel;
        struct asked a;
        bool is_right = sl_net_dial(&channel, peers.net, "127.0.0.1:1", NULL, NULL) == SL_FAILED_PRECONDITION;
        is_right &= ask(&a, peers.channel, "/test/Echo", "x", 1) == SL_FAILED_PRECONDITION;
        sl_rpc_channel_free(peers.channel);
        sl_rpc_server_free(peers.server);
        sl_net_free(peers.net);
        _exit(is_right ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    is_served(peers.channel);
}

int main(void) {
    struct sl_net *net = NULL;
    if (sl_http2_net_new(&net, NULL) == SL_UNIMPLEMENTED) return 0; /* built without nghttp2 */
    sl_net_free(net);
#define TEST(name)    cmocka_unit_test_setup_teardown(name, begin, end)
#define BY_HAND(name) cmocka_unit_test_setup_teardown(name, begin_by_hand, end_by_hand)
    const struct CMUnitTest tests[] = {
        TEST(addresses_are_checked),
        TEST(channels_of_one_address_are_one),
        TEST(names_are_resolved),
        cmocka_unit_test(unix_sockets_serve),
        TEST(calls_fail_when_nobody_is_there),
        TEST(a_server_comes_after_a_refusal),
        TEST(a_call_may_wait_for_the_server),
        TEST(calls_are_told_when_their_server_ends),
        TEST(a_drained_server_ends_what_it_has),
        TEST(a_server_that_comes_later_is_found),
        BY_HAND(answers_without_messages_are_errors),
        BY_HAND(resets_are_statuses),
        BY_HAND(what_a_leaving_server_did_not_take_goes_to_the_next),
        BY_HAND(lost_connections_end_calls),
        BY_HAND(who_speaks_no_http2_is_not_there),
        cmocka_unit_test(tls_asks_who_is_there),
        cmocka_unit_test(tls_carries_large_messages),
        cmocka_unit_test(certificates_are_checked_at_once),
        TEST(timers_are_due_in_order),
        TEST(a_forked_child_leaves_the_net_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
