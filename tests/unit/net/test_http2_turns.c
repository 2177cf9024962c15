/* Tasks on the net's own thread: whoever blocks there holds nobody up, and every call is answered once. */
#include <stdio.h>
#include <stdlib.h>

#include "os/task_threads.h"
#include "unit/net/peers.h"

enum { BLOCKED = 12, ROUNDS = 5, QUICK = 500 };

static struct sl_mutex mutex = SL_MUTEX_INIT;
static struct sl_condition changed = SL_CONDITION_INIT;
static int n_blocked, n_here, n_elsewhere;
static bool is_open;

struct work {
    struct sl_net_task task;
    struct sl_rpc_call *call;
};

static struct peers peers; /* its client's side; the server is the test's */

static void answer(struct work *w) {
    struct sl_rpc_message m = {0};
    sl_rpc_message_add_bytes(&m, w->call->body->bytes, NULL);
    sl_rpc_call_answer(w->call, &m);
    free(w);
}

static void block(struct sl_net_task *task) {
    sl_mutex_lock(&mutex);
    n_blocked++;
    sl_condition_broadcast(&changed);
    while (!is_open) sl_condition_wait(&changed, &mutex);
    n_blocked--;
    sl_condition_broadcast(&changed);
    sl_mutex_unlock(&mutex);
    answer((struct work *)task);
}

static void quick(struct sl_net_task *task) { answer((struct work *)task); }

static void run_elsewhere(void *arg) {
    struct work *w = arg;
    w->task.run(&w->task);
}

static void begin_work(struct sl_rpc_call *call, void (*run)(struct sl_net_task *task)) {
    struct work *w = malloc(sizeof *w);
    *w = (struct work){{.run = run}, call};
    bool is_here = sl_net_run_here(peers.net, &w->task);
    sl_mutex_lock(&mutex);
    n_here += is_here;
    n_elsewhere += !is_here;
    sl_mutex_unlock(&mutex);
    if (!is_here) sl_task_threads_run(run_elsewhere, w);
}

static void called_block(void *service, struct sl_rpc_call *call) {
    (void)service;
    begin_work(call, block);
}
static void called_quick(void *service, struct sl_rpc_call *call) {
    (void)service;
    begin_work(call, quick);
}

static const struct sl_rpc_method methods[] = {{"/test/Block", false, called_block},
                                               {"/test/Quick", false, called_quick},
                                               {0}};
static const struct sl_rpc_service service = {methods, NULL};

static int begin(void **state) {
    (void)state;
    struct sl_error err;
    char address[64];
    memset(&peers, 0, sizeof peers);
    n_blocked = n_here = n_elsewhere = 0;
    is_open = false;
    assert_ok(err, sl_http2_net_new(&peers.net, &err));
    struct sl_rpc_serving how = {.address = "127.0.0.1:0", .services = &service, .n_services = 1};
    assert_ok(err, sl_net_serve(&peers.server, peers.net, &how, &err));
    snprintf(address, sizeof address, "127.0.0.1:%d", sl_rpc_server_port(peers.server));
    assert_ok(err, sl_net_dial(&peers.channel, peers.net, address, NULL, &err));
    return 0;
}

static int end(void **state) {
    (void)state;
    sl_rpc_channel_free(peers.channel);
    sl_rpc_server_free(peers.server);
    sl_net_free(peers.net);
    return 0;
}

static void ask_quick(void) {
    struct asked a;
    assert_int_equal(ask(&a, peers.channel, "/test/Quick", "q", 1), SL_OK);
    assert_int_equal(a.body->bytes.n, 1);
    asked_clear(&a);
}

static void wait_blocked(int n) {
    sl_mutex_lock(&mutex);
    while (n_blocked != n) sl_condition_wait(&changed, &mutex);
    sl_mutex_unlock(&mutex);
}

static void set_open(bool open) {
    sl_mutex_lock(&mutex);
    is_open = open;
    sl_condition_broadcast(&changed);
    sl_mutex_unlock(&mutex);
}

static void short_tasks_run_where_they_come(void **state) {
    (void)state;
    for (int i = 0; i < QUICK; i++) ask_quick();
    assert_int_equal(n_here, QUICK);
}

static void who_blocks_holds_nobody_up(void **state) {
    (void)state;
    static struct asked blocked[BLOCKED];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < BLOCKED; i++) {
            asked_init(&blocked[i], "/test/Block", "b", 1);
            sl_rpc_channel_call(peers.channel, &blocked[i].request);
            wait_blocked(i + 1);
            ask_quick();
        }
        set_open(true);
        wait_blocked(0);
        for (int i = 0; i < BLOCKED; i++) {
            asked_wait(&blocked[i]);
            assert_int_equal(blocked[i].code, SL_OK);
            asked_clear(&blocked[i]);
        }
        set_open(false);
        ask_quick();
    }
    assert_true(n_here > 0 && n_elsewhere > 0); /* not all of them at once */
}

/* What queues behind a task that blocks goes on with the thread that serves then. */
static void what_comes_behind_goes_on(void **state) {
    (void)state;
    static struct asked asked[2 * QUICK];
    for (int i = 0; i < 2 * QUICK; i++) {
        asked_init(&asked[i], i % QUICK ? "/test/Quick" : "/test/Block", "x", 1);
        sl_rpc_channel_call(peers.channel, &asked[i].request);
    }
    for (int i = 0; i < 2 * QUICK; i++)
        if (i % QUICK) asked_wait(&asked[i]);
    set_open(true);
    for (int i = 0; i < 2 * QUICK; i++) {
        asked_wait(&asked[i]);
        assert_int_equal(asked[i].code, SL_OK);
        asked_clear(&asked[i]);
    }
}

static void others_are_refused(void **state) {
    (void)state;
    struct sl_net_task task = {.run = quick};
    assert_false(sl_net_run_here(peers.net, &task)); /* this thread does not serve */
}

int main(void) {
    struct sl_net *net = NULL;
    if (sl_http2_net_new(&net, NULL) == SL_UNIMPLEMENTED) return 0; /* built without nghttp2 */
    sl_net_free(net);
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(short_tasks_run_where_they_come),
        TEST(who_blocks_holds_nobody_up),
        TEST(what_comes_behind_goes_on),
        TEST(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
