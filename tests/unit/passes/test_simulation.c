/* Simulated time (bench/scaling/simulation.h): what each part of a step adds, to the nanosecond. */
#include "simulation.h"

#include "passes/place.h"
#include "unit/graph/graph_fixture.h"

#define OF_FLOAT "T type: DT_FLOAT"
#define CONST    "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 }"

static const struct simulated_machine one_host = {"one host", 2, 100, 10, 1, 1000, 10000, 2},
                                      hosts = {"hosts", 1, 1, 10, 1, 1000, 10000, 2};

static double work(const struct sl_node *n, void *ns) { return sl_node_is(n, "Neg") ? *(double *)ns : 0; }

/* 3 devices, and 100 ns for each Neg. */
static sl_code simulated(struct simulation_result *out, struct graph_fixture *f,
                         const struct simulated_machine *machine, int rounds, const char *graph) {
    struct sl_device_set set;
    struct sl_partitions parts = {NULL, 0, 0};
    double ns = 100;
    start_again(f);
    import_text(f, graph, NULL);
    assert_ok(f->err, sl_device_set_new(&set, SL_STR("/job:localhost/replica:0/task:0"), 3, 5, &f->err));
    assert_ok(f->err, sl_pass_place(f->graph, &(struct sl_place_options){.devices = &set}, &f->err));
    assert_ok(f->err, sl_pass_partition(&parts, f->graph, &set, SL_CUT_BY_DEVICE, &f->err));
    sl_code code = simulate(out, &(struct simulation_request){&parts, machine, rounds, work, &ns}, &f->err);
    sl_partitions_clear(&parts);
    sl_device_set_clear(&set);
    return code;
}

GRAPH_TEST(a_message_costs_its_ends_and_the_way) {
    const char *there_and_back =
        "a = Const()@/cpu:0 " CONST "\n b = Neg(a)@/cpu:1 " OF_FLOAT "\n c = Neg(b)@/cpu:0 " OF_FLOAT;
    struct simulation_result r;
    assert_ok(f->err, simulated(&r, f, &one_host, 0, there_and_back));
    assert_int_equal(r.nodes, 7); /* two _Sends and two _Recvs besides */
    assert_int_equal(r.messages, 2);
    assert_true(r.time == 7 * 10 + 4 * 1 + 2 * 100);
    assert_ok(f->err, simulated(&r, f, &hosts, 0, there_and_back));
    assert_true(r.time == 7 * 10 + 4 * 1000 + 2 * (10000 + 4 * 2) + 2 * 100);
    assert_int_equal(r.busiest_device, 0);
    assert_true(r.sending == 2 * 1000);
    assert_ok(f->err, simulated(&r, f, &hosts, 0,
                                "a = Const()@/cpu:0 " CONST "\n b = Neg(a)@/cpu:0 " OF_FLOAT
                                "\n c = Const()@/cpu:1 " CONST "\n d = Neg(c)@/cpu:1 " OF_FLOAT));
    assert_true(r.time == 2 * 10 + 100); /* side by side */
}

GRAPH_TEST(a_loop_sends_its_condition_and_ends) {
    const char *loop =
        "c = Const()@/cpu:0 " CONST "\n e = Enter(c)@/cpu:0 " OF_FLOAT "; frame_name s: 'f'\n"
        "m = Merge(e, n)@/cpu:0 " OF_FLOAT "; N i: 2\n l = Less(m, m)@/cpu:0 " OF_FLOAT
        "\n p = LoopCond(l)@/cpu:0 \n s = Switch(m, p)@/cpu:0 " OF_FLOAT "\n b = Neg(s:1)@/cpu:1 " OF_FLOAT
        "\n n = NextIteration(b)@/cpu:0 " OF_FLOAT "\n x = Exit(s)@/cpu:0 " OF_FLOAT;
    struct simulation_result short_loop, long_loop;
    assert_ok(f->err, simulated(&short_loop, f, &hosts, 3, loop));
    assert_int_equal(short_loop.conditions, 3 + 1);
    assert_int_equal(short_loop.messages, 3 * (3 + 1)); /* dead ones in the last iteration */
    assert_ok(f->err, simulated(&long_loop, f, &hosts, 6, loop));
    assert_int_equal(long_loop.messages, 3 * (6 + 1));
    assert_true(long_loop.time > 1.7 * short_loop.time);
}

GRAPH_TEST(a_conditional_runs_one_side) {
    const char *graph = "c = Const()@/cpu:0 " CONST "\n l = Less(c, c)@/cpu:0 " OF_FLOAT
                        "\n s = Switch(c, l)@/cpu:0 " OF_FLOAT "\n a = Neg(s:1)@/cpu:1 " OF_FLOAT
                        "\n b = Neg(s)@/cpu:0 " OF_FLOAT "\n m = Merge(a, b)@/cpu:0 " OF_FLOAT "; N i: 2";
    struct simulation_result r;
    assert_ok(f->err, simulated(&r, f, &one_host, 0, graph));
    assert_int_equal(r.nodes, 10);
    assert_true(r.busiest >= 100 && r.busiest < 200); /* the Neg of the second device is dead */
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(a_message_costs_its_ends_and_the_way),
                                       graph_unit_test(a_loop_sends_its_condition_and_ends),
                                       graph_unit_test(a_conditional_runs_one_side)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
