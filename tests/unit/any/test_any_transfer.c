/* _Send and _Recv over a rendezvous: either may come first, dead values travel, loops keep their iterations apart, a
 * cancelled step waits for nothing. */
#include "unit/any/one_node.h"

#include "kernel/rendezvous.h"

#define PAIR                                                                                                           \
    "attr { key: 'tensor_name' value { s: 't' } } attr { key: 'send_device' value { s: '/cpu:0' } }"                   \
    "attr { key: 'send_device_incarnation' value { i: 10 } } attr { key: 'recv_device' value { s: '/cpu:1' } }"        \
    "attr { key: '_pair' value { i: 1 } }"
#define SENDS    "attr { key: 'T' value { type: DT_FLOAT } }" PAIR
#define RECEIVES "attr { key: 'tensor_type' value { type: DT_FLOAT } }" PAIR

static void start_step(struct bench *b) {
    assert_ok(b->err, sl_rendezvous_new(&b->env.rendezvous, 2, b->env.cancellation, &b->err));
}
static void end_step(struct bench *b) {
    sl_rendezvous_free(b->env.rendezvous);
    b->env.rendezvous = NULL;
}

static void send(struct bench *b, const char *op, float value, uint64_t iteration, bool is_dead) {
    struct node n;
    node_make(&n, b, op, SENDS);
    n.k.iteration = iteration;
    n.k.is_dead = is_dead;
    if (!is_dead) node_in(&n, 0, f32(value));
    assert_ok(b->err, node_run(&n));
    node_end(&n);
}

static void receive(struct node *n, struct bench *b, const char *op, uint64_t iteration) {
    node_make(n, b, op, RECEIVES);
    n->k.iteration = iteration;
    node_start(n);
}

static void values_meet_whoever_comes_first(void **state) {
    struct bench *b = *state;
    struct node n;
    const char *const ops[][2] = {{"_Send", "_Recv"}, {"_HostSend", "_HostRecv"}};
    start_step(b);
    for (int o = 0; o < 2; o++) {
        send(b, ops[o][0], 3, 0, false);
        receive(&n, b, ops[o][1], 0);
        assert_true(n.is_done);
        take_and_expect(node_take(&n, 0), "[]", "3");
        node_end(&n);
        receive(&n, b, ops[o][1], 0);
        assert_false(n.is_done);
        send(b, ops[o][0], 4, 0, false);
        assert_true(n.is_done);
        take_and_expect(node_take(&n, 0), "[]", "4");
        node_end(&n);
    }
    end_step(b);
}

static void iterations_are_kept_apart(void **state) {
    struct bench *b = *state;
    struct node first, second;
    start_step(b);
    receive(&first, b, "_Recv", 1);
    receive(&second, b, "_Recv", 2);
    send(b, "_Send", 20, 2, false);
    assert_true(second.is_done && !first.is_done);
    send(b, "_Send", 10, 1, false);
    take_and_expect(node_take(&first, 0), "[]", "10");
    take_and_expect(node_take(&second, 0), "[]", "20");
    send(b, "_Send", 30, 3, false); /* nobody takes it: freed with the rendezvous */
    node_end(&first);
    node_end(&second);
    end_step(b);
}

static void dead_values_travel(void **state) {
    struct bench *b = *state;
    struct node n;
    start_step(b);
    send(b, "_Send", 0, 0, true);
    receive(&n, b, "_Recv", 0);
    assert_int_equal(n.code, SL_OK);
    assert_int_equal(node_out(&n, 0)->kind, SL_VALUE_DEAD);
    node_end(&n);
    node_make(&n, b, "_Recv", RECEIVES); /* a dead one takes the value and stays dead */
    n.k.is_dead = true;
    node_start(&n);
    send(b, "_Send", 5, 0, false);
    assert_true(n.is_done);
    assert_int_equal(node_out(&n, 0)->kind, SL_VALUE_DEAD);
    node_end(&n);
    end_step(b);
}

static void cancellation_ends_waits(void **state) {
    struct bench *b = *state;
    struct node n;
    struct sl_error err = {0};
    start_step(b);
    receive(&n, b, "_Recv", 0);
    assert_false(n.is_done);
    sl_cancellation_start(b->env.cancellation, SL_INVALID_ARGUMENT, "elsewhere");
    assert_true(n.is_done);
    assert_int_equal(n.code, SL_INVALID_ARGUMENT);
    assert_string_equal(b->err.message, "elsewhere");
    node_end(&n);
    node_make(&n, b, "_Send", SENDS);
    node_in(&n, 0, f32(1));
    assert_fails(err, SL_INVALID_ARGUMENT, "elsewhere", (err.code = node_run(&n), err = b->err, err.code));
    node_end(&n);
    receive(&n, b, "_Recv", 0);
    assert_true(n.is_done && n.code == SL_INVALID_ARGUMENT);
    node_end(&n);
    end_step(b);
}

static void keys_print_in_five_parts(void **state) {
    (void)state;
    char text[128];
    struct sl_rendezvous_pair pair = {.incarnation = 10,
                                      .send_device = SL_STR("/cpu:0"),
                                      .recv_device = SL_STR("/cpu:1"),
                                      .tensor_name = SL_STR("edge_1_x")};
    sl_rendezvous_key_print(text, sizeof text, &(struct sl_rendezvous_key){&pair, 7, 2});
    assert_string_equal(text, "/cpu:0;000000000000000a;/cpu:1;edge_1_x;7:2");
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
    const struct CMUnitTest tests[] = {
        TEST(values_meet_whoever_comes_first), TEST(iterations_are_kept_apart), TEST(dead_values_travel),
        TEST(cancellation_ends_waits),         TEST(keys_print_in_five_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
