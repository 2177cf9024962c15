/* One step over several tasks (unit/runtime/task_cluster.h) that have an accelerator each: what one of them sends to
 * another process comes to the host first, since a connection reads it there; what is received goes into the memory
 * of the device that wants it. */
#include <stdlib.h>

#include "unit/fake/fake_device.h"
#include "unit/runtime/task_cluster.h"

#define CONST(v) "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: " #v " }\n"

/* What the master knows of a task's accelerator: that there is one. */
static sl_code open_name(struct sl_device *device, struct sl_error *err) {
    static struct sl_memory far = {.name = "far"};
    (void)err;
    device->memory = &far;
    return SL_OK;
}

static void accelerators_init(struct cluster *all, struct graph_fixture *f) {
    static struct sl_device_type name;
    name = (struct sl_device_type){.name = FAKE_DEVICE, .priority = fake_backend.device->priority, .open = open_name};
    const struct sl_device_request own[] = {{&sl_host_device_type, 1}, {fake_backend.device, 1}},
                                   seen[] = {{&sl_host_device_type, 1}, {&name, 1}};
    cluster_init(all, f, own, seen, 2);
}

/* Three steps with pauses and three without. */
static void expect(struct graph_fixture *f, const char *graph, const char *fetch, float wanted) {
    for (int i = 0; i < 2; i++) {
        struct cluster all;
        fake_set_pauses((uint64_t)i, i ? 200000 : 0);
        accelerators_init(&all, f);
        assert_int_equal(cluster_compile_fetch(&all, f, graph, fetch), TASKS);
        for (int step = 0; step < 3; step++) {
            assert_ok(all.err, cluster_run(&all));
            assert_true(float_of(&all.rets[0]) == wanted);
        }
        cluster_clear(&all);
    }
}

GRAPH_TEST(values_go_from_accelerator_to_accelerator) {
    expect(f,
           "a = Const()@/task:1/device:FAKE:0 " CONST(3) "b = Neg(a)@/task:1/device:FAKE:0 " OF_FLOAT
                                                         "c = Square(b)@/task:2/device:FAKE:0 " OF_FLOAT
                                                         "d = Add(c, b)@/task:2/cpu:0 " OF_FLOAT
                                                         "e = Mul(d, c)@/task:0/device:FAKE:0 " OF_FLOAT
                                                         "g = Add(e, b, ^c)@/task:0/cpu:0 " OF_FLOAT,
           "g", 51);
}

/* Each task that reads it gets it, but it comes to the host once. */
GRAPH_TEST(one_copy_for_all_peers) {
    struct cluster all;
    accelerators_init(&all, f);
    cluster_compile_fetch(&all, f,
                          "a = Const()@/task:1/device:FAKE:0 " CONST(2) "b = Exp(a)@/task:1/device:FAKE:0 " OF_FLOAT
                                                                        "c = Neg(b)@/task:2/cpu:0 " OF_FLOAT
                                                                        "d = Add(b, c)@/task:0/cpu:0 " OF_FLOAT,
                          "d");
    unsigned long before = fake_counts().copies_out;
    assert_ok(all.err, cluster_run(&all));
    assert_true(float_of(&all.rets[0]) == 0);
    assert_int_equal(fake_counts().copies_out, before + 1);
    cluster_clear(&all);
}

/* The loop goes round on task 0, its body on the accelerators of the two others; the last values are dead. */
GRAPH_TEST(loops_go_round_over_accelerators) {
    expect(
        f,
        "one = Const()@/task:0/cpu:0 " CONST(1) "limit = Const()@/task:0/cpu:0 " CONST(
            1000) "two = Const()@/task:1/device:FAKE:0 " CONST(2) "enter = Enter(one)@/task:0/cpu:0 T type: DT_FLOAT; "
                                                                  "frame_name s: 'f'\n"
                                                                  "to = Enter(limit)@/task:0/cpu:0 T type: DT_FLOAT; "
                                                                  "frame_name s: 'f'; is_constant b: true\n"
                                                                  "by = Enter(two)@/task:1/device:FAKE:0 T type: "
                                                                  "DT_FLOAT; frame_name s: 'f'; is_constant b: true\n"
                                                                  "merge = Merge(enter, next)@/task:0/cpu:0 T type: "
                                                                  "DT_FLOAT; N i: 2\n"
                                                                  "less = Less(merge, "
                                                                  "to)@/task:0/device:FAKE:0 " OF_FLOAT
                                                                  "cond = LoopCond(less)@/task:0/cpu:0\n"
                                                                  "switch = Switch(merge, cond)@/task:0/cpu:0 " OF_FLOAT
                                                                  "half = "
                                                                  "Square(switch:1)@/task:2/device:FAKE:0 " OF_FLOAT
                                                                  "body = Add(half, by)@/task:1/device:FAKE:0 " OF_FLOAT
                                                                  "next = NextIteration(body)@/task:0/cpu:0 " OF_FLOAT
                                                                  "exit = Exit(switch)@/task:0/cpu:0 " OF_FLOAT
                                                                  "after = Neg(exit)@/task:2/device:FAKE:0 " OF_FLOAT,
        "after", -15131);
}

/* What fails on an accelerator fails the step everywhere, though the others wait for what it sends. */
GRAPH_TEST(errors_of_an_accelerator_end_all_tasks) {
    struct cluster all;
    accelerators_init(&all, f);
    cluster_compile_fetch(
        &all, f,
        "a = Const()@/task:1/cpu:0 " CONST(
            2) "i = Const()@/task:1/cpu:0 dtype type: DT_INT64; value tensor { dtype: DT_INT64 tensor_shape "
               "{ dim { size: 1 } } int64_val: 7 }\n"
               "v = Const()@/task:1/cpu:0 dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape "
               "{ dim { size: 2 } } float_val: 1 }\n"
               "g = Gather(v, i)@/task:1/device:FAKE:0 Tparams type: DT_FLOAT; Tindices type: DT_INT64\n"
               "n = Neg(g)@/task:2/device:FAKE:0 " OF_FLOAT "d = Add(n, a)@/task:0/cpu:0 " OF_FLOAT,
        "d");
    for (int i = 0; i < 5; i++) assert_fails(all.err, SL_INVALID_ARGUMENT, "{{node g}}", cluster_run(&all));
    cluster_clear(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(values_go_from_accelerator_to_accelerator),
                                       graph_unit_test(one_copy_for_all_peers),
                                       graph_unit_test(loops_go_round_over_accelerators),
                                       graph_unit_test(errors_of_an_accelerator_end_all_tasks)};
    struct sl_error err = {0};
    setenv("SLUICE_CHECK", "1", 1);
    if (sl_root_add_backend(&fake_backend, &err) != SL_OK) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
