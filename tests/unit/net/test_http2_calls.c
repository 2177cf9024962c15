/* Calls between a client and a server over sockets: answers, errors, many at a time, large messages, ends from either
 * side. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "os/clock.h"
#include "os/thread.h"
#include "unit/net/peers.h"

static struct peers peers;

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

static void a_call_is_answered(void **state) {
    (void)state;
    struct asked a;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ask(&a, peers.channel, "/test/Echo", "hello", 5), SL_OK);
        assert_int_equal(a.body->bytes.n, 5);
        assert_memory_equal(a.body->bytes.p, "hello", 5);
        asked_clear(&a);
    }
    assert_int_equal(ask(&a, peers.channel, "/test/Echo", "", 0), SL_OK);
    assert_int_equal(a.body->bytes.n, 0);
    asked_clear(&a);
}

static void errors_come_as_they_were_given(void **state) {
    (void)state;
    struct asked a;
    const char text[] = "\x09"
                        "From /job:a:\nop\n\t [[{{node b}}]] 100% \xc3\xa9";
    assert_int_equal(ask(&a, peers.channel, "/test/Fail", text, sizeof text - 1), SL_FAILED_PRECONDITION);
    assert_string_equal(a.text, text + 1);
    assert_null(a.body);
    asked_clear(&a);
    char many[5000];
    memset(many, 'x', sizeof many);
    many[0] = SL_NOT_FOUND;
    assert_int_equal(ask(&a, peers.channel, "/test/Fail", many, sizeof many), SL_NOT_FOUND);
    assert_int_equal(strlen(a.text), 3072 + 16);
    assert_string_equal(a.text + 3072, " ... [truncated]");
    asked_clear(&a);
    assert_int_equal(ask(&a, peers.channel, "/test/Nothing", "", 0), SL_UNIMPLEMENTED);
    assert_string_equal(a.text, "unknown method /test/Nothing");
    asked_clear(&a);
}

static void a_thousand_calls_at_a_time(void **state) {
    (void)state;
    enum { N = 1000 };
    struct asked *all = calloc(N, sizeof *all);
    for (int i = 0; i < N; i++) {
        asked_init(&all[i], "/test/Hold", "", 0);
        sl_rpc_channel_call(peers.channel, &all[i].request);
    }
    peers_wait_held(&peers, N);
    peers_release(&peers);
    for (int i = 0; i < N; i++) {
        asked_wait(&all[i]);
        assert_int_equal(all[i].code, SL_OK);
        assert_memory_equal(all[i].body->bytes.p, "held", 4);
        asked_clear(&all[i]);
    }
    free(all);
}

static void large_messages_go_both_ways(void **state) {
    (void)state;
    const uint32_t size = 64 << 20;
    struct asked a;
    unsigned char *data = malloc(size);
    uint64_t sum = 0, got[2];
    for (uint32_t i = 0; i < size; i++) sum += data[i] = (unsigned char)(i * 7 + i / 251);
    assert_int_equal(ask(&a, peers.channel, "/test/Sum", data, size), SL_OK);
    memcpy(got, a.body->bytes.p, sizeof got);
    assert_true(got[0] == sum && got[1] == size);
    asked_clear(&a);
    assert_int_equal(ask(&a, peers.channel, "/test/Size", &size, 4), SL_OK);
    assert_int_equal(a.body->bytes.n, size);
    assert_memory_equal(a.body->bytes.p, data, size);
    assert_int_equal((uintptr_t)a.body->bytes.p % 64, 0);
    asked_clear(&a);
    assert_int_equal(ask(&a, peers.channel, "/test/Echo", data, size), SL_OK);
    assert_memory_equal(a.body->bytes.p, data, size);
    asked_clear(&a);
    free(data);
}

/* Each thread calls, and cancels some at any time: every call ends once, and those that are answered are right. */
static void call_and_cancel(void *arg) {
    enum { ROUNDS = 40, AT_ONCE = 8, LARGE = 70000 };
    static char data[LARGE];
    unsigned seed = *(const unsigned *)arg;
    for (int round = 0; round < ROUNDS; round++) {
        struct asked a[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++) {
            seed = seed * 1103515245 + 12345;
            asked_init(&a[i], seed >> 16 & 1 ? "/test/Later" : "/test/Echo", data, seed >> 17 & 7 ? i : LARGE);
            if (!(seed >> 20 & 7)) a[i].request.deadline_ns = sl_clock_ns() + (seed >> 24) * 1000;
            sl_rpc_channel_call(peers.channel, &a[i].request);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            sl_mutex_lock(&a[i].mutex); /* the lock by which those who cancel and those who are told agree */
            bool is_cancelled = !a[i].is_done && (seed >> i & 3) == 0;
            if (is_cancelled) sl_rpc_channel_cancel(peers.channel, &a[i].request);
            sl_mutex_unlock(&a[i].mutex);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            asked_wait(&a[i]);
            if (a[i].code != SL_CANCELLED && a[i].code != SL_DEADLINE_EXCEEDED) assert_int_equal(a[i].code, SL_OK);
            asked_clear(&a[i]);
        }
    }
}

static void many_threads_call_and_cancel(void **state) {
    (void)state;
    enum { THREADS = 4 };
    struct sl_thread threads[THREADS];
    unsigned seeds[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        seeds[i] = i + 1;
        assert_int_equal(sl_thread_start(&threads[i], "calls", 0, call_and_cancel, &seeds[i], NULL), SL_OK);
    }
    for (int i = 0; i < THREADS; i++) sl_thread_join(&threads[i]);
}

static void a_cancelled_call_is_told_to_the_server(void **state) {
    (void)state;
    struct asked a;
    asked_init(&a, "/test/Hold", "x", 1);
    sl_rpc_channel_call(peers.channel, &a.request);
    peers_wait_held(&peers, 1);
    sl_rpc_channel_cancel(peers.channel, &a.request);
    asked_wait(&a);
    assert_int_equal(a.code, SL_CANCELLED);
    peers_wait_gone(&peers, 1);
    assert_int_equal(peers.gone_code, SL_CANCELLED);
    asked_clear(&a);
}

static void deadlines_end_calls_on_both_sides(void **state) {
    (void)state;
    struct asked a;
    asked_init(&a, "/test/Hold", "x", 1);
    int64_t from = sl_clock_ns();
    a.request.deadline_ns = from + 100000000;
    sl_rpc_channel_call(peers.channel, &a.request);
    asked_wait(&a);
    assert_int_equal(a.code, SL_DEADLINE_EXCEEDED);
    assert_true(sl_clock_ns() - from >= 100000000);
    peers_wait_gone(&peers, 1);
    asked_clear(&a);
    asked_init(&a, "/test/Echo", "x", 1);
    a.request.deadline_ns = sl_clock_ns() - 1;
    sl_rpc_channel_call(peers.channel, &a.request);
    asked_wait(&a);
    assert_int_equal(a.code, SL_DEADLINE_EXCEEDED);
    asked_clear(&a);
}

int main(void) {
    struct sl_net *net = NULL;
    if (sl_http2_net_new(&net, NULL) == SL_UNIMPLEMENTED) return 0; /* built without nghttp2 */
    sl_net_free(net);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_call_is_answered, begin, end),
        cmocka_unit_test_setup_teardown(errors_come_as_they_were_given, begin, end),
        cmocka_unit_test_setup_teardown(a_thousand_calls_at_a_time, begin, end),
        cmocka_unit_test_setup_teardown(many_threads_call_and_cancel, begin, end),
        cmocka_unit_test_setup_teardown(large_messages_go_both_ways, begin, end),
        cmocka_unit_test_setup_teardown(a_cancelled_call_is_told_to_the_server, begin, end),
        cmocka_unit_test_setup_teardown(deadlines_end_calls_on_both_sides, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
