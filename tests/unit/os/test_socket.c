/* os/socket and os/address: who is reached and who is not, halves of connections, large and small pieces, what is
 * left behind after failures. Over loopback alone. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "os/fault.h"
#include "os/socket.h"
#include "os/thread.h"
#include "unit/os/scratch.h"
#include "unit/unit.h"

static struct sl_error err;

static struct sl_address address_of(const char *text) {
    struct sl_address a[8];
    int n;
    assert_ok(err, sl_address_resolve(a, &n, 8, text, &err));
    assert_true(n >= 1);
    return a[0];
}

/* Waits up to ten seconds. */
static void wait_until(int fd, short what) {
    struct pollfd p = {.fd = fd, .events = what};
    assert_int_equal(poll(&p, 1, 10000), 1);
}

static bool has_ipv6(void) {
    struct sl_address at = address_of("[::1]:0");
    int fd;
    bool has = sl_socket_listen(&fd, &at, NULL) == SL_OK;
    if (has) sl_socket_close(fd);
    return has;
}

static int listen_at(struct sl_address *bound, const char *text) {
    struct sl_address at = address_of(text);
    int fd;
    assert_ok(err, sl_socket_listen(&fd, &at, &err));
    assert_ok(err, sl_socket_local(bound, fd, &err));
    return fd;
}

static int connect_to(const struct sl_address *to) {
    int fd;
    bool is_done;
    assert_ok(err, sl_socket_connect(&fd, &is_done, to, &err));
    if (!is_done) wait_until(fd, POLLOUT);
    assert_ok(err, sl_socket_connected(fd, to, &err));
    return fd;
}

static int accept_from(int listener) {
    int fd;
    wait_until(listener, POLLIN);
    assert_ok(err, sl_socket_accept(&fd, NULL, listener, &err));
    assert_true(fd >= 0);
    return fd;
}

static void write_all(int fd, const char *data, size_t size) {
    while (size) {
        ptrdiff_t n;
        const struct sl_socket_piece piece = {data, size};
        assert_ok(err, sl_socket_write(&n, fd, &piece, 1, &err));
        if (n == SL_SOCKET_WAIT) {
            wait_until(fd, POLLOUT);
            continue;
        }
        data += n;
        size -= (size_t)n;
    }
}

/* Until the end; returns how many bytes there were. */
static size_t read_all(int fd, char *data, size_t room) {
    size_t got = 0;
    for (;;) {
        ptrdiff_t n;
        wait_until(fd, POLLIN);
        assert_ok(err, sl_socket_read(&n, fd, data + got, room - got, &err));
        if (n == SL_SOCKET_END) return got;
        if (n > 0) got += (size_t)n;
        assert_true(got < room);
    }
}

/* ---- addresses */

static void addresses_are_read_and_printed(void **state) {
    (void)state;
    char text[SL_ADDRESS_TEXT];
    const char *const same[] = {"127.0.0.1:80", "[::1]:65535", "unix:/tmp/some.socket", "0.0.0.0:0"};
    const int ports[] = {80, 65535, 0, 0};
    for (int i = 0; i < 4; i++) {
        struct sl_address a = address_of(same[i]);
        assert_string_equal(sl_address_print(text, &a), same[i]);
        assert_int_equal(sl_address_port(&a), ports[i]);
    }
    struct sl_address a[8];
    int n;
    assert_ok(err, sl_address_resolve(a, &n, 8, "localhost:7", &err));
    for (int i = 0; i < n; i++) {
        sl_address_print(text, &a[i]);
        assert_true(!strcmp(text, "127.0.0.1:7") || !strcmp(text, "[::1]:7"));
    }
    assert_ok(err, sl_address_resolve(a, &n, 8, ":7", &err));
    for (int i = 0; i < n; i++) {
        sl_address_print(text, &a[i]);
        assert_true(!strcmp(text, "0.0.0.0:7") || !strcmp(text, "[::]:7"));
    }
    assert_ok(err, sl_address_resolve(a, &n, 1, "localhost:7", &err));
    assert_int_equal(n, 1);
    const char *const bad[] = {"",       "host",  "host:",   "host:http", "host:65536", "host:123456",
                               "::1:80", "[]:80", "[::1]80", "unix:",     "a:-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(err, SL_INVALID_ARGUMENT, bad[i], sl_address_resolve(a, &n, 8, bad[i], &err));
    char long_path[200] = "unix:/";
    memset(long_path + 6, 'x', 150);
    assert_fails(err, SL_INVALID_ARGUMENT, "is longer than", sl_address_resolve(a, &n, 8, long_path, &err));
    assert_fails(err, SL_UNAVAILABLE, "no such host.invalid:1' has no address",
                 sl_address_resolve(a, &n, 8, "no such host.invalid:1", &err));
}

static void hosts_are_split_off(void **state) {
    (void)state;
    const char *const texts[] = {"a.b:1", "[::1]:80", "unix:some/path", ":7", "127.0.0.1:0"};
    const char *const hosts[] = {"a.b", "::1", "localhost", "", "127.0.0.1"};
    char host[32];
    for (int i = 0; i < 5; i++) {
        assert_ok(err, sl_address_split(host, sizeof host, texts[i], &err));
        assert_string_equal(host, hosts[i]);
    }
    assert_fails(err, SL_INVALID_ARGUMENT, "host", sl_address_split(host, sizeof host, "host", &err));
}

/* ---- connections */

static void exchange(int a, int b) {
    char text[16];
    write_all(a, "ping", 4);
    sl_socket_finish(a, &err);
    assert_int_equal(read_all(b, text, sizeof text), 4);
    write_all(b, "pong!", 5); /* its half is still open */
    sl_socket_finish(b, &err);
    assert_int_equal(read_all(a, text, sizeof text), 5);
    assert_memory_equal(text, "pong!", 5);
}

static void peers_talk_over_every_family(void **state) {
    (void)state;
    const char *const texts[] = {"127.0.0.1:0", "unix:socket", "[::1]:0"};
    for (int i = 0; i < (has_ipv6() ? 3 : 2); i++) {
        struct sl_address bound, peer;
        int listener = listen_at(&bound, texts[i]), nobody;
        assert_ok(err, sl_socket_accept(&nobody, &peer, listener, &err));
        assert_int_equal(nobody, -1);
        int client = connect_to(&bound), server = accept_from(listener);
        assert_ok(err, sl_socket_peer(&peer, client, &err));
        if (i != 1) assert_int_equal(sl_address_port(&peer), sl_address_port(&bound));
        exchange(client, server);
        sl_socket_close(client);
        sl_socket_close(server);
        sl_socket_close(listener);
    }
    int pair[2];
    assert_ok(err, sl_socket_pair(pair, &err));
    exchange(pair[0], pair[1]);
    sl_socket_close(pair[0]);
    sl_socket_close(pair[1]);
    sl_socket_close(-1);
}

static void bytes_are_read_into_two_places(void **state) {
    (void)state;
    int pair[2];
    char first[4], second[16];
    const struct sl_socket_place places[2] = {{first, sizeof first}, {second, sizeof second}};
    ptrdiff_t n;
    assert_ok(err, sl_socket_pair(pair, &err));
    assert_ok(err, sl_socket_read_both(&n, pair[1], places, &err));
    assert_int_equal(n, SL_SOCKET_WAIT);
    write_all(pair[0], "0123456789", 10);
    assert_ok(err, sl_socket_read_both(&n, pair[1], places, &err));
    assert_int_equal(n, 10);
    assert_memory_equal(first, "0123", 4);
    assert_memory_equal(second, "456789", 6);
    sl_socket_close(pair[0]);
    assert_ok(err, sl_socket_read_both(&n, pair[1], places, &err));
    assert_int_equal(n, SL_SOCKET_END);
    sl_socket_close(pair[1]);
}

static void any_address_takes_peers_of_both_families(void **state) {
    (void)state;
    if (!has_ipv6()) skip();
    struct sl_address bound, to;
    char text[32];
    int listener = listen_at(&bound, "[::]:0");
    for (int v6 = 0; v6 < 2; v6++) {
        snprintf(text, sizeof text, "%s:%d", v6 ? "[::1]" : "127.0.0.1", sl_address_port(&bound));
        to = address_of(text);
        int client = connect_to(&to), server = accept_from(listener);
        exchange(client, server);
        sl_socket_close(client);
        sl_socket_close(server);
    }
    sl_socket_close(listener);
}

static void who_is_not_there_is_unavailable(void **state) {
    (void)state;
    struct sl_address bound, to;
    char text[SL_ADDRESS_TEXT + 32];
    int fd;
    bool is_done;
    sl_socket_close(listen_at(&bound, "127.0.0.1:0")); /* nobody listens there any more */
    sl_code code = sl_socket_connect(&fd, &is_done, &bound, &err);
    if (code == SL_OK) {
        wait_until(fd, POLLOUT);
        code = sl_socket_connected(fd, &bound, &err);
        sl_socket_close(fd);
    }
    assert_int_equal(code, SL_UNAVAILABLE);
    assert_int_equal(err.code, SL_UNAVAILABLE);
    snprintf(text, sizeof text, "connect to 127.0.0.1:%d; Connection refused", sl_address_port(&bound));
    assert_string_equal(err.message, text);
    to = address_of("unix:nothing");
    assert_fails(err, SL_UNAVAILABLE, "connect to unix:nothing; No such file or directory",
                 sl_socket_connect(&fd, &is_done, &to, &err));
    assert_int_equal(fd, -1);
}

static void an_address_is_listened_at_once(void **state) {
    (void)state;
    struct sl_address bound, at;
    int other, listener = listen_at(&bound, "127.0.0.1:0");
    assert_fails(err, SL_FAILED_PRECONDITION, "; Address already in use", sl_socket_listen(&other, &bound, &err));
    sl_socket_close(connect_to(&bound));
    sl_socket_close(accept_from(listener));
    sl_socket_close(listener);
    assert_ok(err, sl_socket_listen(&listener, &bound, &err)); /* at once, whatever old connections there are */
    sl_socket_close(listener);
    listener = listen_at(&at, "unix:once");
    assert_fails(err, SL_FAILED_PRECONDITION, "listen at unix:once; Address already in use",
                 sl_socket_listen(&other, &at, &err));
    sl_socket_close(listener); /* leaves its file behind */
    listener = listen_at(&at, "unix:once");
    sl_socket_close(connect_to(&at));
    sl_socket_close(listener);
    scratch_write("file", "what is no socket stays");
    at = address_of("unix:file");
    assert_fails(err, SL_FAILED_PRECONDITION, "; Address already in use", sl_socket_listen(&other, &at, &err));
    assert_string_equal(scratch_read("file"), "what is no socket stays");
}

/* ---- bytes */

enum { LARGE = 8 << 20, PIECES = 100 };

struct sender {
    int fd;
    char *data;
};

static void send_in_pieces(void *arg) {
    struct sender *s = arg;
    struct sl_socket_piece pieces[PIECES];
    for (size_t at = 0; at < LARGE;) {
        struct sl_error own;
        ptrdiff_t n;
        size_t size = (LARGE - at) / PIECES + 1, from = at;
        int count = 0;
        for (; count < PIECES && from < LARGE; count++) {
            pieces[count] = (struct sl_socket_piece){s->data + from, size < LARGE - from ? size : LARGE - from};
            from += pieces[count].size;
        }
        assert_ok(own, sl_socket_write(&n, s->fd, pieces, count, &own));
        if (n == SL_SOCKET_WAIT) wait_until(s->fd, POLLOUT);
        else at += (size_t)n;
    }
    sl_socket_finish(s->fd, NULL);
}

static void large_transfers_arrive_in_pieces(void **state) {
    (void)state;
    struct sl_address bound;
    int listener = listen_at(&bound, "127.0.0.1:0");
    struct sender sender = {connect_to(&bound), malloc(LARGE)};
    struct sl_thread thread;
    int server = accept_from(listener);
    char *got = malloc(LARGE + 1);
    for (size_t i = 0; i < LARGE; i++) sender.data[i] = (char)(i * 2654435761u >> 24);
    assert_ok(err, sl_thread_start(&thread, "sender", 0, send_in_pieces, &sender, &err));
    assert_int_equal(read_all(server, got, LARGE + 1), LARGE);
    sl_thread_join(&thread);
    assert_memory_equal(got, sender.data, LARGE);
    free(got);
    free(sender.data);
    sl_socket_close(sender.fd);
    sl_socket_close(server);
    sl_socket_close(listener);
}

static void nothing_there_is_no_error(void **state) {
    (void)state;
    int pair[2];
    ptrdiff_t n;
    char byte, *block = calloc(1, 1 << 20);
    const struct sl_socket_piece piece = {block, 1 << 20}, empty = {block, 0};
    assert_ok(err, sl_socket_pair(pair, &err));
    assert_ok(err, sl_socket_read(&n, pair[0], &byte, 1, &err));
    assert_int_equal(n, SL_SOCKET_WAIT);
    assert_ok(err, sl_socket_write(&n, pair[0], &empty, 1, &err));
    assert_int_equal(n, 0);
    do assert_ok(err, sl_socket_write(&n, pair[0], &piece, 1, &err));
    while (n != SL_SOCKET_WAIT);
    sl_socket_close(pair[0]);
    sl_socket_close(pair[1]);
    free(block);
}

/* No signal ends the process. */
static void a_peer_that_has_gone_is_an_error(void **state) {
    (void)state;
    int pair[2];
    ptrdiff_t n;
    char byte;
    const struct sl_socket_piece piece = {"x", 1};
    signal(SIGPIPE, SIG_DFL);
    assert_ok(err, sl_socket_pair(pair, &err));
    sl_socket_close(pair[1]);
    assert_fails(err, SL_UNAVAILABLE, "write to peer; Broken pipe", sl_socket_write(&n, pair[0], &piece, 1, &err));
    assert_ok(err, sl_socket_read(&n, pair[0], &byte, 1, &err));
    assert_int_equal(n, SL_SOCKET_END);
    sl_socket_close(pair[0]);
    struct sl_address bound; /* a connection that is reset: the peer closes with bytes unread */
    int listener = listen_at(&bound, "127.0.0.1:0"), client = connect_to(&bound), server = accept_from(listener);
    write_all(client, "unread", 6);
    wait_until(server, POLLIN);
    sl_socket_close(server);
    wait_until(client, POLLIN);
    assert_fails(err, SL_UNAVAILABLE, "read from peer; Connection reset by peer",
                 sl_socket_read(&n, client, &byte, 1, &err));
    sl_socket_close(client);
    sl_socket_close(listener);
}

static void sockets_close_on_exec_and_do_not_block(void **state) {
    (void)state;
    struct sl_address bound;
    int fds[5], listener = listen_at(&bound, "127.0.0.1:0");
    fds[0] = listener;
    fds[1] = connect_to(&bound);
    fds[2] = accept_from(listener);
    assert_ok(err, sl_socket_pair(fds + 3, &err));
    for (int i = 0; i < 5; i++) {
        assert_true(fcntl(fds[i], F_GETFD) & FD_CLOEXEC);
        assert_true(fcntl(fds[i], F_GETFL) & O_NONBLOCK);
        sl_socket_close(fds[i]);
    }
}

/* ---- failing system calls: an error, and no descriptor left open */

static int open_files(void) {
    int n = 0;
    for (int fd = 0; fd < 256; fd++) n += fcntl(fd, F_GETFD) != -1;
    return n;
}

static sl_code try_all(void) {
    struct sl_address at = address_of("127.0.0.1:0"), bound;
    int listener = -1, client = -1, server = -1, pair[2] = {-1, -1};
    bool is_done;
    ptrdiff_t n;
    char byte;
    const struct sl_socket_piece piece = {"x", 1};
    sl_code code = sl_socket_listen(&listener, &at, &err);
    if (code == SL_OK) code = sl_socket_local(&bound, listener, &err);
    if (code == SL_OK) code = sl_socket_connect(&client, &is_done, &bound, &err);
    if (code == SL_OK) code = sl_socket_accept(&server, NULL, listener, &err);
    if (code == SL_OK) code = sl_socket_pair(pair, &err);
    if (code == SL_OK) code = sl_socket_write(&n, pair[0], &piece, 1, &err);
    if (code == SL_OK) code = sl_socket_read(&n, pair[1], &byte, 1, &err);
    sl_socket_close(listener);
    sl_socket_close(client);
    sl_socket_close(server);
    if (pair[0] >= 0) sl_socket_close(pair[0]);
    if (pair[0] >= 0) sl_socket_close(pair[1]);
    return code;
}

static void failures_leave_nothing_open(void **state) {
    (void)state;
    int before = open_files();
    sl_fault_arm(0, 0, 0);
    assert_int_equal(try_all(), SL_OK);
    int64_t calls = sl_fault_disarm();
    assert_true(calls >= 8);
    for (int64_t n = 1; n <= calls; n++) {
        sl_error_clear(&err);
        sl_fault_arm(n, EMFILE, 0);
        sl_code code = try_all();
        sl_fault_disarm();
        assert_int_equal(code, SL_RESOURCE_EXHAUSTED);
        assert_int_equal(err.code, code);
        assert_int_equal(open_files(), before);
        sl_fault_arm(n, EINTR, 0); /* as if nothing had happened */
        assert_int_equal(try_all(), SL_OK);
        sl_fault_disarm();
        assert_int_equal(open_files(), before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read_and_printed),
        cmocka_unit_test(hosts_are_split_off),
        cmocka_unit_test(bytes_are_read_into_two_places),
        cmocka_unit_test(peers_talk_over_every_family),
        cmocka_unit_test(any_address_takes_peers_of_both_families),
        cmocka_unit_test(who_is_not_there_is_unavailable),
        cmocka_unit_test(an_address_is_listened_at_once),
        cmocka_unit_test(large_transfers_arrive_in_pieces),
        cmocka_unit_test(nothing_there_is_no_error),
        cmocka_unit_test(a_peer_that_has_gone_is_an_error),
        cmocka_unit_test(sockets_close_on_exec_and_do_not_block),
        cmocka_unit_test(failures_leave_nothing_open),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
