/* The partition: what each device gets, how few transfers there are, and the loops that devices go round by
 * themselves. */
#include "passes/partition.h"
#include "passes/place.h"
#include "unit/graph/graph_fixture.h"

#define OF_FLOAT "T type: DT_FLOAT"
#define OF_BOOL  "T type: DT_BOOL"
#define CONST    "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 }"

/* "[0] a b(a)\n[1] c": the wiring of the graph of each part, with its first device. Takes the devices over. */
static const char *cut_on(struct graph_fixture *f, struct sl_device_set *set, enum sl_cut_by by, const char *graph,
                          uint32_t n_pairs) {
    struct sl_partitions parts = {NULL, 0, 0};
    struct sl_import_options import = {.allow_internal_names = true};
    char *text = sl_arena_format(&f->arena, "%s", "");
    start_again(f);
    import_text(f, graph, &import);
    struct sl_place_options options = {.devices = set};
    assert_ok(f->err, sl_pass_place(f->graph, &options, &f->err));
    sl_code code = sl_pass_partition(&parts, f->graph, set, by, &f->err);
    for (int i = 0; i < parts.n; i++) {
        assert_ok(f->err, sl_graph_check(parts.items[i].graph, &f->err));
        text = sl_arena_format(&f->arena, "%s%s[%d] %s", text, i ? "\n" : "", parts.items[i].device,
                               wiring_of(f, parts.items[i].graph));
    }
    if (code == SL_OK) assert_int_equal(parts.n_pairs, n_pairs);
    sl_partitions_clear(&parts);
    sl_device_set_clear(set);
    return code == SL_OK ? text : f->err.message;
}

static const char *cut(struct graph_fixture *f, const char *graph, uint32_t n_pairs) {
    struct sl_device_set set;
    assert_ok(f->err, sl_device_set_new(&set, SL_STR("/job:localhost/replica:0/task:0"), 3, 5, &f->err));
    return cut_on(f, &set, SL_CUT_BY_DEVICE, graph, n_pairs);
}

/* On two tasks with two devices each. */
static const char *cut_by_task(struct graph_fixture *f, const char *graph, uint32_t n_pairs) {
    struct sl_device_set set;
    devices_of_tasks(&set, f, 2, &(struct sl_device_request){&sl_host_device_type, 2}, 1);
    return cut_on(f, &set, SL_CUT_BY_TASK, graph, n_pairs);
}

GRAPH_TEST(one_transfer_for_all_readers_on_a_device) {
    assert_text(cut(f,
                    "a = Const()@/cpu:0 " CONST "\n b = Neg(a)@/cpu:1 " OF_FLOAT "\n c = Add(a, a)@/cpu:1 " OF_FLOAT
                    "\n d = Neg(a)@/cpu:2 " OF_FLOAT "\n e = Add(b, c)@/cpu:0 " OF_FLOAT,
                    4),
                "[0] a e(b,c) a_1(a) a_2(a) b c\n"
                "[1] b(a) c(a,a) a b_1(b) c_1(c)\n"
                "[2] d(a) a");
}

GRAPH_TEST(control_edges_send_a_signal) {
    assert_text(cut(f, "a = NoOp()@/cpu:0\n b = Const(^a)@/cpu:1 " CONST "\n c = Const(^a)@/cpu:1 " CONST, 1),
                "[0] a a_1(^a) a_2(a_1)\n[1] b(^a) c(^a) a");
}

GRAPH_TEST(a_signal_between_tasks_arrives_as_a_value) {
    assert_text(cut_by_task(f, "a = NoOp()@/task:0/cpu:0\n b = Const(^a)@/task:1/cpu:0 " CONST, 1),
                "[0] a a_1(^a) a_2(a_1)\n[2] b(^a_1) a a_1(a)");
}

GRAPH_TEST(references_stay_where_they_are) {
    const char *readers = "v = VariableV2()@/cpu:0 dtype type: DT_FLOAT; shape shape {}\n a = Neg(v)@/cpu:1 " OF_FLOAT
                          "\n b = Neg(v)@/cpu:1 " OF_FLOAT;
    assert_text(cut(f, readers, 2), "[0] v v_1(v) v_2(v)\n[1] a(v) b(v_1) v v_1");
}

#define LOOP                                                                                                           \
    "c = Const()@/cpu:0 " CONST "\n enter = Enter(c)@/cpu:0 " OF_FLOAT "; frame_name s: 'f'\n"                         \
    "merge = Merge(enter, next)@/cpu:0 " OF_FLOAT "; N i: 2\n less = Less(merge, merge)@/cpu:0 " OF_FLOAT              \
    "\n cond = LoopCond(less)@/cpu:0 \n switch = Switch(merge, cond)@/cpu:0 " OF_FLOAT                                 \
    "\n next = NextIteration(body)@/cpu:0 " OF_FLOAT "\n exit = Exit(switch)@/cpu:0 " OF_FLOAT

GRAPH_TEST(a_device_that_takes_part_goes_round) {
    assert_text(
        cut(f, LOOP "\n body = Neg(switch:1)@/cpu:1 " OF_FLOAT, 3),
        "[0] c enter(c) merge(enter,next) less(merge,merge) cond(less) switch(merge,cond) exit(switch) next(body) "
        "_cloop/Const _cloop/Enter(_cloop/Const) _cloop/Merge(_cloop/Enter,_cloop/NextIteration) "
        "_cloop/Switch(_cloop/Merge,cond) _cloop/NextIteration(_cloop/Switch:1) switch_1(switch:1) "
        "body(^_cloop/Merge) cond_1(cond)\n"
        "[1] body(switch) _cloop/Const_1 _cloop/Enter_1(_cloop/Const_1) "
        "_cloop/Merge_1(_cloop/Enter_1,_cloop/NextIteration_1) _cloop/Switch_1(_cloop/Merge_1,cond) "
        "_cloop/NextIteration_1(_cloop/Switch_1:1) switch(^_cloop/Merge_1) body_1(body) cond(^_cloop/Merge_1)");
    assert_text(cut(f, LOOP "\n body = Neg(switch:1)@/cpu:0 " OF_FLOAT "\n after = Neg(exit)@/cpu:1 " OF_FLOAT, 1),
                "[0] c enter(c) merge(enter,next) less(merge,merge) cond(less) switch(merge,cond) exit(switch) "
                "body(switch:1) next(body) exit_1(exit)\n"
                "[1] after(exit) exit");
}

GRAPH_TEST(a_loop_without_condition_stays_whole) {
    const char *text = cut(f,
                           "c = Const()@/cpu:0 " CONST "\n e = Enter(c)@/cpu:0 " OF_FLOAT
                           "; frame_name s: 'f'\n a = Neg(e)@/cpu:0 " OF_FLOAT "\n b = Neg(a)@/cpu:1 " OF_FLOAT,
                           0);
    assert_non_null(strstr(text, "A cross-device loop must have a pivot predicate: f"));
}

GRAPH_TEST(both_ends_say_the_same) {
    struct sl_device_set set;
    struct sl_partitions parts;
    import_text(f, "a = Const()@/cpu:0 " CONST "\n b = Neg(a)@/cpu:1 " OF_FLOAT, NULL);
    assert_ok(f->err, sl_device_set_new(&set, SL_STR("/job:w/replica:0/task:0"), 2, 5, &f->err));
    assert_ok(f->err, sl_pass_place(f->graph, &(struct sl_place_options){.devices = &set}, &f->err));
    assert_true(sl_graph_is_spread(f->graph));
    assert_ok(f->err, sl_pass_partition(&parts, f->graph, &set, SL_CUT_BY_DEVICE, &f->err));
    const struct sl_node *ends[] = {sl_graph_find(parts.items[0].graph, SL_STR("a_1")),
                                    sl_graph_find(parts.items[1].graph, SL_STR("a"))};
    for (int e = 0; e < 2; e++) {
        struct sl_str send, recv, name;
        int64_t incarnation, pair;
        assert_ok(f->err, sl_attr_string(&send, &ends[e]->attrs, "send_device", &f->err));
        assert_ok(f->err, sl_attr_string(&recv, &ends[e]->attrs, "recv_device", &f->err));
        assert_ok(f->err, sl_attr_string(&name, &ends[e]->attrs, "tensor_name", &f->err));
        assert_ok(f->err, sl_attr_int(&incarnation, &ends[e]->attrs, "send_device_incarnation", &f->err));
        assert_ok(f->err, sl_attr_int(&pair, &ends[e]->attrs, "_pair", &f->err));
        assert_true(sl_str_is(send, "/job:w/replica:0/task:0/device:CPU:0"));
        assert_true(sl_str_is(recv, "/job:w/replica:0/task:0/device:CPU:1"));
        assert_true(sl_str_is(name, "edge_0_a"));
        assert_int_equal(incarnation, 5);
        assert_int_equal(pair, 0);
    }
    sl_partitions_clear(&parts);
    sl_device_set_clear(&set);
}

/* ---- by task */

/* Edges between devices of a task stay as they are, control flow among them. */
GRAPH_TEST(a_task_stays_whole) {
    assert_text(cut_by_task(f,
                            "a = Const()@/task:0/cpu:1 " CONST "\n b = Neg(a)@/task:0/cpu:0 " OF_FLOAT
                            "\n c = Neg(b)@/task:1/cpu:0 " OF_FLOAT "\n d = Neg(b)@/task:1/cpu:1 " OF_FLOAT
                            "\n e = Add(c, d)@/task:1/cpu:1 " OF_FLOAT,
                            1),
                "[0] a b(a) b_1(b)\n"
                "[2] c(b) d(b) e(c,d) b");
    assert_text(cut_by_task(f,
                            "a = Const()@/task:1/cpu:0 " CONST "\n p = Placeholder()@/task:1/cpu:1 dtype type: DT_BOOL"
                            "\n s = Switch(a, p)@/task:1/cpu:1 " OF_FLOAT,
                            0),
                "[2] a p s(a,p)");
}

/* The task's own loop has its LoopCond, so that the cut by device knows the loop again. */
GRAPH_TEST(a_task_that_takes_part_goes_round) {
    const char *text = cut_by_task(f,
                                   "c = Const()@/task:0/cpu:0 " CONST "\n enter = Enter(c)@/task:0/cpu:0 " OF_FLOAT
                                   "; frame_name s: 'f'\n merge = Merge(enter, next)@/task:0/cpu:0 " OF_FLOAT
                                   "; N i: 2\n less = Less(merge, merge)@/task:0/cpu:1 " OF_FLOAT
                                   "\n cond = LoopCond(less)@/task:0/cpu:1 \n switch = Switch(merge, "
                                   "cond)@/task:0/cpu:0 " OF_FLOAT "\n body = Neg(switch:1)@/task:1/cpu:1 " OF_FLOAT
                                   "\n next = NextIteration(body)@/task:0/cpu:0 " OF_FLOAT
                                   "\n exit = Exit(switch)@/task:0/cpu:0 " OF_FLOAT,
                                   3);
    assert_text(text,
                "[0] c enter(c) merge(enter,next) less(merge,merge) cond(less) switch(merge,cond) next(body) "
                "exit(switch) _cloop/Const _cloop/Enter(_cloop/Const) _cloop/Merge(_cloop/Enter,_cloop/NextIteration) "
                "_cloop/Switch(_cloop/Merge,cond) _cloop/NextIteration(_cloop/Switch:1) switch_1(switch:1) "
                "body(^_cloop/Merge) cond_1(cond)\n"
                "[3] body(switch) _cloop/Const_1 _cloop/Enter_1(_cloop/Const_1) "
                "_cloop/Merge_1(_cloop/Enter_1,_cloop/NextIteration_1) _cloop/LoopCond(cond) "
                "_cloop/Switch_1(_cloop/Merge_1,_cloop/LoopCond) _cloop/NextIteration_1(_cloop/Switch_1:1) "
                "switch(^_cloop/Merge_1) body_1(body) cond(^_cloop/Merge_1)");
}

GRAPH_TEST(ends_are_on_the_devices_of_producer_and_reader) {
    struct sl_device_set set;
    struct sl_partitions parts;
    struct sl_str text;
    int64_t incarnation;
    import_text(f, "a = Const()@/task:1/cpu:1 " CONST "\n b = Neg(a)@/task:0/cpu:1 " OF_FLOAT, NULL);
    devices_of_tasks(&set, f, 2, &(struct sl_device_request){&sl_host_device_type, 2}, 1);
    assert_ok(f->err, sl_pass_place(f->graph, &(struct sl_place_options){.devices = &set}, &f->err));
    assert_ok(f->err, sl_pass_partition(&parts, f->graph, &set, SL_CUT_BY_TASK, &f->err));
    assert_int_equal(parts.n, 2);
    const struct sl_node *send = sl_graph_find(parts.items[1].graph, SL_STR("a_1"));
    const struct sl_node *recv = sl_graph_find(parts.items[0].graph, SL_STR("a"));
    assert_true(sl_str_is(send->assigned, "/job:worker/replica:0/task:1/device:CPU:1"));
    assert_true(sl_str_is(recv->assigned, "/job:worker/replica:0/task:0/device:CPU:1"));
    assert_ok(f->err, sl_attr_string(&text, &send->attrs, "send_device", &f->err));
    assert_true(sl_str_eq(text, send->assigned));
    assert_ok(f->err, sl_attr_string(&text, &send->attrs, "recv_device", &f->err));
    assert_true(sl_str_eq(text, recv->assigned));
    assert_ok(f->err, sl_attr_int(&incarnation, &recv->attrs, "send_device_incarnation", &f->err));
    assert_int_equal(incarnation, 6);
    sl_partitions_clear(&parts);
    sl_device_set_clear(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(one_transfer_for_all_readers_on_a_device),
                                       graph_unit_test(control_edges_send_a_signal),
                                       graph_unit_test(a_signal_between_tasks_arrives_as_a_value),
                                       graph_unit_test(references_stay_where_they_are),
                                       graph_unit_test(a_device_that_takes_part_goes_round),
                                       graph_unit_test(a_loop_without_condition_stays_whole),
                                       graph_unit_test(both_ends_say_the_same),
                                       graph_unit_test(a_task_stays_whole),
                                       graph_unit_test(a_task_that_takes_part_goes_round),
                                       graph_unit_test(ends_are_on_the_devices_of_producer_and_reader)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
