/* Placement by cost, on graphs where the best answer is known. */
#include "passes/place.h"
#include "passes/place_greedy.h"
#include "root/root.h"
#include "unit/graph/graph_fixture.h"

#define OF_FLOAT "T type: DT_FLOAT"
#define MATRIX   "dtype type: DT_FLOAT; shape shape { dim { size: 256 } dim { size: 256 } }"
#define SCALAR   "dtype type: DT_FLOAT; shape shape { }"

struct costs {
    double latency_ns, ns_per_byte;
};

static sl_code place(struct graph_fixture *f, int devices, struct costs c, const char *graph) {
    struct sl_device_set set;
    const struct sl_registries *registries;
    struct sl_import_options import = {.allow_internal_names = true, .allow_unknown_colocation = true};
    start_again(f);
    import_text(f, graph, &import);
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    assert_ok(f->err, sl_device_set_new(&set, SL_STR("/job:localhost/replica:0/task:0"), devices, 1, &f->err));
    const struct sl_place_costs costs = {.kernels = registries->kernels,
                                         .latency_ns = c.latency_ns,
                                         .ns_per_byte = c.ns_per_byte};
    const struct sl_place_options options = {.devices = &set, .costs = &costs};
    sl_code code = sl_pass_place(f->graph, &options, &f->err);
    SL_GRAPH_EACH(n, f->graph) n->assigned = sl_arena_str(&f->arena, n->assigned); /* the set goes */
    sl_device_set_clear(&set);
    return code;
}

static char device_of(struct graph_fixture *f, const char *name) {
    struct sl_str device = node_called(f, name)->assigned;
    return device.p[device.n - 1];
}

static const struct costs local = {1500, 0};

/* Two chains of products that meet. */
#define BRANCHES                                                                                                       \
    "x = Placeholder() " MATRIX "\n y = Placeholder() " MATRIX "\n a = MatMul(x, x) " OF_FLOAT                         \
    "\n b = MatMul(a, a) " OF_FLOAT "\n c = MatMul(y, y) " OF_FLOAT "\n d = MatMul(c, c) " OF_FLOAT                    \
    "\n e = Add(b, d) " OF_FLOAT

GRAPH_TEST(independent_work_is_spread) {
    assert_ok(f->err, place(f, 2, local, BRANCHES));
    assert_int_equal(device_of(f, "a"), device_of(f, "b"));
    assert_int_equal(device_of(f, "c"), device_of(f, "d"));
    assert_int_not_equal(device_of(f, "a"), device_of(f, "c"));
    assert_ok(f->err, place(f, 1, local, BRANCHES));
    assert_int_equal(device_of(f, "a"), device_of(f, "c"));
}

GRAPH_TEST(a_chain_stays_together) {
    assert_ok(f->err, place(f, 4, local,
                            "x = Placeholder() " MATRIX "\n a = MatMul(x, x) " OF_FLOAT "\n b = MatMul(a, x) " OF_FLOAT
                            "\n c = Tanh(b) " OF_FLOAT "\n d = MatMul(c, c) " OF_FLOAT));
    for (const char *n = "abcd"; *n; n++) assert_int_equal(device_of(f, (char[]){*n, 0}), '0');
}

/* What costs less than its transfer is not sent away; neither is anything when transfers are slow. */
GRAPH_TEST(transfers_must_pay) {
    assert_ok(f->err, place(f, 2, local,
                            "x = Placeholder() " SCALAR "\n a = Neg(x) " OF_FLOAT "\n b = Square(x) " OF_FLOAT
                            "\n c = Add(a, b) " OF_FLOAT));
    for (const char *n = "abc"; *n; n++) assert_int_equal(device_of(f, (char[]){*n, 0}), '0');
    assert_ok(f->err, place(f, 2, (struct costs){0, 1000},
                            "x = Placeholder() " MATRIX "\n z = Identity(x) " OF_FLOAT "\n a = Neg(z) " OF_FLOAT
                            "\n b = Square(z) " OF_FLOAT "\n c = Add(a, b) " OF_FLOAT));
    assert_int_equal(device_of(f, "a"), device_of(f, "b"));
}

GRAPH_TEST(requests_and_groups_come_first) {
    assert_ok(f->err, place(f, 3, local,
                            "x = Placeholder()@/cpu:2 " MATRIX "\n a = MatMul(x, x)@/cpu:1 " OF_FLOAT
                            "\n b = MatMul(x, x) " OF_FLOAT "; _class list { s: 'loc:@a' }"));
    assert_int_equal(device_of(f, "x"), '2');
    assert_int_equal(device_of(f, "a"), '1');
    assert_int_equal(device_of(f, "b"), '1');
    assert_fails(f->err, SL_INVALID_ARGUMENT, "{{node x}} was explicitly assigned to /device:CPU:7",
                 place(f, 3, local, "x = Placeholder()@/cpu:7 " MATRIX));
}

GRAPH_TEST(a_loop_stays_together) {
    assert_ok(f->err,
              place(f, 2, local,
                    "x = Placeholder() " MATRIX "\n p = Placeholder() dtype type: DT_BOOL; shape shape {}\n"
                    "e = Enter(x) " OF_FLOAT "; frame_name s: 'f'\n g = Enter(x) " OF_FLOAT "; frame_name s: 'f'\n"
                    "i = Enter(p) T type: DT_BOOL; frame_name s: 'f'; is_constant b: true\n l = LoopCond(i)\n"
                    "m = Merge(e, n) " OF_FLOAT "; N i: 2\n s = Switch(m, l) " OF_FLOAT
                    "\n a = MatMul(s:1, s:1) " OF_FLOAT "\n n = NextIteration(a) " OF_FLOAT
                    "\n q = Merge(g, r) " OF_FLOAT "; N i: 2\n t = Switch(q, l) " OF_FLOAT
                    "\n b = MatMul(t:1, t:1) " OF_FLOAT "\n r = NextIteration(b) " OF_FLOAT "\n u = Exit(s) " OF_FLOAT
                    "\n v = Exit(t) " OF_FLOAT));
    assert_int_equal(device_of(f, "a"), device_of(f, "b"));
    assert_int_equal(device_of(f, "m"), device_of(f, "q"));
    assert_int_equal(device_of(f, "a"), device_of(f, "m"));
}

GRAPH_TEST(costs_follow_work) {
    const struct sl_registries *registries;
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    const struct sl_place_costs costs = {.kernels = registries->kernels};
    import_text(f, BRANCHES "\n small = Neg(t) " OF_FLOAT "\n t = Placeholder() " SCALAR, NULL);
    double product = sl_place_cost(node_called(f, "a"), &costs), sum = sl_place_cost(node_called(f, "e"), &costs),
           scalar = sl_place_cost(node_called(f, "small"), &costs);
    assert_true(product > 10 * sum);
    assert_true(sum > 10 * scalar);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(independent_work_is_spread), graph_unit_test(a_chain_stays_together),
        graph_unit_test(transfers_must_pay),         graph_unit_test(requests_and_groups_come_first),
        graph_unit_test(a_loop_stays_together),      graph_unit_test(costs_follow_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
