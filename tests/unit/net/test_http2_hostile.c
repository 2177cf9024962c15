/* Clients that do what they should not. Each is answered or loses its connection; the server's other client, its memory
 * and its time do not suffer. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "os/clock.h"
#include "unit/net/peers.h"
#include "unit/net/raw_peer.h"

enum { PROTOCOL_ERROR = 1, FRAME_SIZE_ERROR = 6, REFUSED_STREAM = 7, ENHANCE_YOUR_CALM = 11 };

static struct peers peers;
static struct raw_frame frame;

static int begin(void **state) {
    (void)state;
    const struct sl_rpc_limits limits = {.message_bytes = 1 << 20,
                                         .unfinished_bytes = 4 << 20,
                                         .connections = 8,
                                         .calls = 16,
                                         .header_bytes = 4096,
                                         .control_frames = 200,
                                         .idle_ns = 1000000000,
                                         .stalled_ns = 300000000};
    peers_begin(&peers, "127.0.0.1:0", &limits, NULL, NULL);
    return 0;
}

static int end(void **state) {
    (void)state;
    peers_end(&peers);
    return 0;
}

static void others_are_served(void) {
    struct asked a;
    assert_int_equal(ask(&a, peers.channel, "/test/Echo", "well", 4), SL_OK);
    asked_clear(&a);
}

static int new_client(void) {
    int fd = raw_connect(peers.address);
    assert_true(raw_begin_client(fd));
    return fd;
}

/* One that may send frames of more than 16 KiB. */
static int new_client_of_large_frames(void) {
    int fd = new_client();
    assert_true(raw_expect(&frame, fd, RAW_SETTINGS));
    assert_true(raw_send(fd, RAW_SETTINGS, RAW_ACK, 0, NULL, 0));
    return fd;
}

static void is_sent_away(int fd, int wanted) {
    int error;
    assert_true(raw_is_closed(fd, &error));
    assert_int_equal(error, wanted);
    raw_close(fd);
    others_are_served();
}

/* ---- what is no HTTP/2 */

static void what_is_no_http2_is_closed(void **state) {
    (void)state;
    int fd = raw_connect(peers.address), error;
    raw_write(fd, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 27);
    assert_true(raw_is_closed(fd, &error));
    raw_close(fd);
    others_are_served();
}

static void who_says_nothing_is_closed(void **state) {
    (void)state;
    int fd = raw_connect(peers.address), error;
    int64_t from = sl_clock_ns();
    assert_true(raw_is_closed(fd, &error));
    assert_true(sl_clock_ns() - from < INT64_C(5000000000));
    raw_close(fd);
    others_are_served();
}

static void noise_is_closed(void **state) {
    (void)state;
    unsigned seed = 1;
    for (int i = 0; i < 40; i++) {
        unsigned char noise[3000];
        for (size_t k = 0; k < sizeof noise; k++) {
            seed = seed * 1103515245 + 12345;
            noise[k] = (unsigned char)(seed >> 16);
        }
        noise[0] = noise[1] = 0; /* a frame of some length and type, then whatever follows */
        noise[3] %= 10;
        int fd = new_client(), error;
        raw_write(fd, noise, sizeof noise);
        assert_true(raw_is_closed(fd, &error));
        raw_close(fd);
    }
    others_are_served();
}

static void broken_frames_are_errors(void **state) {
    (void)state;
    int fd = new_client();
    raw_send(fd, RAW_DATA, 0, 0, "x", 1);
    is_sent_away(fd, PROTOCOL_ERROR);
    fd = new_client();
    raw_call(fd, 2, "/test/Echo"); /* clients' streams are odd */
    is_sent_away(fd, PROTOCOL_ERROR);
    fd = new_client();
    const unsigned char head[9] = {0xff, 0xff, 0xff, RAW_DATA, 0, 0, 0, 0, 1};
    raw_write(fd, head, sizeof head);
    is_sent_away(fd, FRAME_SIZE_ERROR);
}

/* ---- floods */

static void control_frames_have_a_limit(void **state) {
    (void)state;
    const struct {
        unsigned type;
        uint32_t stream;
        size_t size;
    } kinds[] = {{RAW_PING, 0, 8}, {RAW_SETTINGS, 0, 0}, {RAW_PRIORITY, 1, 5}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int fd = new_client();
        unsigned char zeros[8] = {0};
        for (int i = 0; i < 1000; i++)
            if (!raw_send(fd, kinds[k].type, 0, kinds[k].stream, zeros, kinds[k].size)) break;
        is_sent_away(fd, ENHANCE_YOUR_CALM);
    }
}

static void calls_that_are_cancelled_at_once_have_a_limit(void **state) {
    (void)state;
    int fd = new_client();
    const unsigned char cancel[4] = {0, 0, 0, 8};
    for (uint32_t stream = 1; stream < 2000; stream += 2)
        if (!raw_call(fd, stream, "/test/Hold") || !raw_send(fd, RAW_RST_STREAM, 0, stream, cancel, 4)) break;
    is_sent_away(fd, ENHANCE_YOUR_CALM);
}

static void empty_data_has_a_limit(void **state) {
    (void)state;
    int fd = new_client();
    raw_call(fd, 1, "/test/Echo");
    for (int i = 0; i < 1000; i++)
        if (!raw_send(fd, RAW_DATA, 0, 1, NULL, 0)) break;
    is_sent_away(fd, ENHANCE_YOUR_CALM);
}

static void continuations_have_a_limit(void **state) {
    (void)state;
    int fd = new_client(), error;
    unsigned char block[64];
    size_t n = raw_headers(block, "name", "value", (char *)NULL);
    raw_send(fd, RAW_HEADERS, 0, 1, block, n);
    for (int i = 0; i < 100000; i++)
        if (!raw_send(fd, RAW_CONTINUATION, 0, 1, block, n)) break;
    assert_true(raw_is_closed(fd, &error));
    raw_close(fd);
    others_are_served();
}

static void calls_beyond_the_limit_are_refused(void **state) {
    (void)state;
    int fd = new_client();
    for (uint32_t i = 0; i < 20; i++) {
        raw_call(fd, 2 * i + 1, "/test/Hold");
        raw_message(fd, 2 * i + 1, "x", 1, RAW_END_STREAM);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(raw_expect(&frame, fd, RAW_RST_STREAM));
        assert_int_equal(raw_number(frame.data), REFUSED_STREAM);
        assert_true(frame.stream >= 33);
    }
    peers_wait_held(&peers, 16);
    others_are_served();
    raw_close(fd);
    peers_wait_gone(&peers, 16);
    assert_int_equal(peers.gone_code, SL_UNAVAILABLE);
}

static void connections_beyond_the_limit_are_closed(void **state) {
    (void)state;
    int fds[8], error;
    others_are_served(); /* one is the channel's */
    for (int i = 0; i < 7; i++) {
        fds[i] = new_client();
        assert_true(raw_expect(&frame, fds[i], RAW_SETTINGS));
    }
    fds[7] = raw_connect(peers.address);
    assert_true(raw_is_closed(fds[7], &error));
    for (int i = 0; i < 8; i++) raw_close(fds[i]);
    others_are_served();
}

static void headers_have_a_limit(void **state) {
    (void)state;
    static unsigned char block[70000];
    static char value[60001];
    int fd = new_client_of_large_frames();
    memset(value, 'v', 6000);
    size_t n = raw_headers(block, ":path", "/test/Echo", ":authority", "t", ":method", "POST", ":scheme", "http",
                           "content-type", "application/grpc", "x", value, (char *)NULL);
    raw_send(fd, RAW_HEADERS, RAW_END_HEADERS, 1, block, n);
    assert_true(raw_expect(&frame, fd, RAW_HEADERS)); /* an answer, RESOURCE_EXHAUSTED */
    assert_true(frame.flags & RAW_END_STREAM);
    memset(value, 'v', 60000);
    n = raw_headers(block, ":path", "/test/Echo", ":authority", "t", ":method", "POST", ":scheme", "http", "x", value,
                    (char *)NULL);
    raw_send(fd, RAW_HEADERS, RAW_END_HEADERS, 3, block, n);
    is_sent_away(fd, ENHANCE_YOUR_CALM);
}

/* ---- messages */

static void lies_about_sizes_cost_nothing(void **state) {
    (void)state;
    const unsigned char lie[15] = {0, 0, 0x0f, 0xff, 0xff}; /* a megabyte, of which ten bytes come */
    int fd = new_client();
    raw_call(fd, 1, "/test/Echo");
    raw_send(fd, RAW_DATA, 0, 1, lie, sizeof lie);
    is_sent_away(fd, ENHANCE_YOUR_CALM);
    fd = new_client();
    raw_call(fd, 1, "/test/Echo");
    raw_send(fd, RAW_DATA, RAW_END_STREAM, 1, lie, sizeof lie);
    assert_true(raw_expect(&frame, fd, RAW_HEADERS));
    assert_true(frame.flags & RAW_END_STREAM);
    const unsigned char much[5] = {0, 0x7f, 0xff, 0xff, 0xff};
    raw_call(fd, 3, "/test/Echo");
    raw_send(fd, RAW_DATA, 0, 3, much, sizeof much);
    assert_true(raw_expect(&frame, fd, RAW_HEADERS));
    assert_int_equal(frame.stream, 3);
    raw_close(fd);
    assert_int_equal(peers.n_called, 1); /* that of is_sent_away */
    others_are_served();
}

static void who_does_not_read_is_closed(void **state) {
    (void)state;
    int fd = raw_connect(peers.address), error;
    const unsigned char no_window[6] = {0, 4, 0, 0, 0, 0};
    const uint32_t size = 1 << 20;
    raw_write(fd, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
    raw_send(fd, RAW_SETTINGS, 0, 0, no_window, sizeof no_window);
    raw_call(fd, 1, "/test/Size");
    raw_message(fd, 1, &size, 4, RAW_END_STREAM);
    int64_t from = sl_clock_ns();
    assert_true(raw_is_closed(fd, &error)); /* no room for the answer is ever given */
    assert_true(sl_clock_ns() - from < INT64_C(5000000000));
    raw_close(fd);
    others_are_served();
}

/* A byte from time to time is not enough. */
static void who_dribbles_is_closed(void **state) {
    (void)state;
    int fd = new_client(), error, n = 0;
    raw_call(fd, 1, "/test/Sum");
    raw_send(fd, RAW_DATA, 0, 1, "\0\0\1\0\0", 5);
    while (n < 400 && raw_send(fd, RAW_DATA, 0, 1, "x", 1)) {
        usleep(20000);
        n++;
    }
    assert_true(n < 400); /* 8 s; the limit is 0.3 s */
    raw_is_closed(fd, &error);
    raw_close(fd);
    others_are_served();
}

/* ---- servers whose places are taken */

/* Those who came, and greeted or not, and did not call go for one who does. */
static void who_never_calls_makes_room(void **state) {
    (void)state;
    const struct sl_rpc_limits limits = {.connections = 4};
    struct peers full;
    struct asked a;
    int fds[4];
    peers_begin(&full, "127.0.0.1:0", &limits, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        fds[i] = raw_connect(full.address);
        if (i % 2) assert_true(raw_begin_client(fds[i]) && raw_expect(&frame, fds[i], RAW_SETTINGS));
    }
    sl_code code = SL_UNAVAILABLE;
    for (int i = 0; i < 100 && code != SL_OK; i++) { /* they may stay for a second */
        code = ask(&a, full.channel, "/test/Echo", "well", 4);
        asked_clear(&a);
        usleep(100000);
    }
    assert_int_equal(code, SL_OK);
    struct sl_rpc_counts counts;
    sl_rpc_server_count(&counts, full.server);
    assert_true(counts.closed > 0 && counts.connections <= 4 && counts.called > 0);
    for (int i = 0; i < 4; i++) raw_close(fds[i]);
    peers_end(&full);
}

/* One connection has all calls that there may be; another still has its share. */
static void each_connection_has_its_share_of_calls(void **state) {
    (void)state;
    const struct sl_rpc_limits limits = {.calls_of_all = 8};
    struct peers full;
    struct asked a;
    peers_begin(&full, "127.0.0.1:0", &limits, NULL, NULL);
    int fd = raw_connect(full.address);
    assert_true(raw_begin_client(fd));
    for (uint32_t stream = 1; stream <= 2 * 9 - 1; stream += 2) raw_call(fd, stream, "/test/Hold");
    assert_true(raw_expect(&frame, fd, RAW_RST_STREAM)); /* the ninth */
    assert_int_equal(frame.stream, 17);
    assert_int_equal(raw_number(frame.data), REFUSED_STREAM);
    assert_int_equal(ask(&a, full.channel, "/test/Echo", "well", 4), SL_OK);
    asked_clear(&a);
    raw_close(fd);
    peers_end(&full);
}

static void silent_clients_are_asked_and_closed(void **state) {
    (void)state;
    int fd = new_client(), error;
    assert_true(raw_expect(&frame, fd, RAW_PING));
    raw_send(fd, RAW_PING, RAW_ACK, 0, frame.data, 8);
    assert_true(raw_expect(&frame, fd, RAW_PING)); /* it is still there, and asked again */
    assert_true(raw_is_closed(fd, &error));
    raw_close(fd);
    others_are_served();
}

/* Unfinished messages of many calls: together they may not hold more than the limit allows. */
static void unfinished_messages_have_a_limit(void **state) {
    (void)state;
    static char part[32000];
    int fd = new_client_of_large_frames();
    for (uint32_t stream = 1; stream < 33; stream += 2) raw_call(fd, stream, "/test/Sum");
    const unsigned char prefix[5] = {0, 0, 0x0f, 0xff, 0xff};
    bool is_refused = false;
    for (uint32_t stream = 1; stream < 33; stream += 2) raw_send(fd, RAW_DATA, 0, stream, prefix, 5);
    for (int i = 0; i < 20; i++)
        for (uint32_t stream = 1; stream < 33; stream += 2) raw_send(fd, RAW_DATA, 0, stream, part, sizeof part);
    for (int i = 0; i < 16 && !is_refused; i++) is_refused = raw_expect(&frame, fd, RAW_HEADERS);
    assert_true(is_refused);
    raw_close(fd);
    others_are_served();
}

/* ---- streams, by hand since clients here make none */

static void streams_carry_messages_both_ways(void **state) {
    (void)state;
    int fd = new_client();
    raw_call(fd, 1, "/test/Talk");
    for (int i = 0; i < 3; i++) {
        char text[2] = {'a', (char)('0' + i)};
        raw_message(fd, 1, text, 2, 0);
        assert_true(raw_expect(&frame, fd, RAW_DATA));
        assert_int_equal(frame.length, 7);
        assert_memory_equal(frame.data + 5, text, 2);
        if (i == 1) usleep(500000); /* a stream may pause */
    }
    raw_send(fd, RAW_DATA, RAW_END_STREAM, 1, NULL, 0);
    assert_true(raw_expect(&frame, fd, RAW_HEADERS));
    assert_true(frame.flags & RAW_END_STREAM);
    raw_call(fd, 3, "/test/Talk");
    raw_message(fd, 3, "b", 1, 0);
    assert_true(raw_expect(&frame, fd, RAW_DATA));
    const unsigned char cancel[4] = {0, 0, 0, 8};
    raw_send(fd, RAW_RST_STREAM, 0, 3, cancel, 4);
    peers_wait_gone(&peers, 1);
    assert_int_equal(peers.gone_code, SL_CANCELLED);
    raw_close(fd);
}

/* A message in frames of one byte, with padding and an empty frame among them. */
static void frames_may_be_cut_anywhere(void **state) {
    (void)state;
    int fd = new_client();
    const unsigned char all[9] = {0, 0, 0, 0, 4, 'a', 'b', 'c', 'd'};
    raw_call(fd, 1, "/test/Echo");
    for (int i = 0; i < 8; i++) {
        const unsigned char padded[4] = {2, all[i], 0, 0};
        raw_send(fd, RAW_DATA, RAW_PADDED, 1, padded, sizeof padded);
    }
    raw_send(fd, RAW_DATA, 0, 1, NULL, 0);
    raw_send(fd, RAW_DATA, RAW_END_STREAM, 1, all + 8, 1);
    assert_true(raw_expect(&frame, fd, RAW_DATA));
    assert_int_equal(frame.length, 9);
    assert_memory_equal(frame.data, all, 9);
    raw_close(fd);
}

static void settings_may_change_amid_an_answer(void **state) {
    (void)state;
    int fd = raw_connect(peers.address);
    const unsigned char small[12] = {0, 4, 0, 0, 0, 10, 0, 5, 0, 0x00, 0x40, 0x00};
    const unsigned char large[12] = {0, 4, 0, 0x20, 0, 0, 0, 5, 0, 0xff, 0xff, 0xff};
    const unsigned char more[4] = {0, 0x20, 0, 0};
    const uint32_t size = 1000000;
    size_t got = 0;
    raw_write(fd, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
    raw_send(fd, RAW_SETTINGS, 0, 0, small, sizeof small);
    raw_send(fd, RAW_WINDOW_UPDATE, 0, 0, more, 4);
    raw_call(fd, 1, "/test/Size");
    raw_message(fd, 1, &size, 4, RAW_END_STREAM);
    assert_true(raw_expect(&frame, fd, RAW_DATA));
    assert_int_equal(frame.length, 10);
    got += frame.length;
    raw_send(fd, RAW_SETTINGS, 0, 0, large, sizeof large);
    while (got < size + 5) {
        assert_true(raw_expect(&frame, fd, RAW_DATA));
        got += frame.length;
    }
    assert_int_equal(got, size + 5);
    raw_close(fd);
}

int main(void) {
    struct sl_net *net = NULL;
    if (sl_http2_net_new(&net, NULL) == SL_UNIMPLEMENTED) return 0; /* built without nghttp2 */
    sl_net_free(net);
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_http2_is_closed),
        TEST(who_says_nothing_is_closed),
        TEST(noise_is_closed),
        TEST(broken_frames_are_errors),
        TEST(control_frames_have_a_limit),
        TEST(calls_that_are_cancelled_at_once_have_a_limit),
        TEST(empty_data_has_a_limit),
        TEST(continuations_have_a_limit),
        TEST(calls_beyond_the_limit_are_refused),
        TEST(connections_beyond_the_limit_are_closed),
        TEST(headers_have_a_limit),
        TEST(lies_about_sizes_cost_nothing),
        TEST(who_does_not_read_is_closed),
        TEST(who_dribbles_is_closed),
        TEST(who_never_calls_makes_room),
        TEST(each_connection_has_its_share_of_calls),
        TEST(silent_clients_are_asked_and_closed),
        TEST(unfinished_messages_have_a_limit),
        TEST(streams_carry_messages_both_ways),
        TEST(frames_may_be_cut_anywhere),
        TEST(settings_may_change_amid_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
