/* Parts: the front cuts a run into one for each task, each goes as a message to a runtime that has the devices of
 * its task, and the back makes a program of it there. No session is about but the one whose results are compared. */
#include "proto/wire.h"
#include "runtime/part_message.h"
#include "session/local_session.h"
#include "unit/runtime/runtime_fixture.h"

#define CONST(v) "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: " #v " }\n"

/* The part as bytes, and read again by `runtime`. */
static sl_code send_part(struct sl_part *out, struct graph_fixture *f, const struct sl_part *part,
                         struct sl_runtime *sender, struct sl_runtime *receiver) {
    struct sl_pb_GraphDef *def, received = {0};
    struct sl_str bytes;
    assert_ok(f->err, sl_part_export(&def, part, sender, &f->arena, &f->err));
    assert_ok(f->err, sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), def, 0, &f->arena, &f->err));
    assert_ok(f->err, sl_pb_decode(&received, SL_PB_TYPE(GraphDef), bytes, &f->arena, &f->err));
    return sl_part_import(out, receiver, &received, &f->err);
}

/* ---- one task */

/* A loop over two devices that doubles x until it is 1000 or more, and an If that calls a function of the library
 * when it runs. */
#define LOOP                                                                                                           \
    "x = Placeholder() dtype type: DT_FLOAT\n limit = Const() " CONST(1000) "two = Const()@/cpu:1 " CONST(             \
        2) "enter = Enter(x) " OF_FLOAT_IN_FRAME "to = Enter(limit) " OF_FLOAT_IN_FRAME                                \
           "by = Enter(two)@/cpu:1 T type: DT_FLOAT; frame_name s: 'f'; is_constant b: true\n"                         \
           "merge = Merge(enter, next) T type: DT_FLOAT; N i: 2\n less = Less(merge, to_each) " OF_FLOAT               \
           "to_each = Merge(to, to_next) T type: DT_FLOAT; N i: 2\n to_switch = Switch(to_each, cond) " OF_FLOAT       \
           "to_next = NextIteration(to_switch:1) " OF_FLOAT                                                            \
           "cond = LoopCond(less)\n switch = Switch(merge, cond) " OF_FLOAT                                            \
           "body = Mul(switch:1, by)@/cpu:1 " OF_FLOAT "next = NextIteration(body) " OF_FLOAT                          \
           "exit = Exit(switch) " OF_FLOAT
#define OF_FLOAT_IN_FRAME "T type: DT_FLOAT; frame_name s: 'f'\n"
#define CHOICE                                                                                                         \
    "zero = Const() " CONST(                                                                                           \
        0) "is_more = Less(zero, exit) " OF_FLOAT                                                                      \
           "y = If(is_more, exit) Tcond type: DT_BOOL; Tin list { type: DT_FLOAT }; Tout list { type: DT_FLOAT }; "    \
           "then_branch func { name: 'square' }; else_branch func { name: 'negate' }\n"
#define NEGATE SIGNATURE("negate") "node_def { name: 'n' op: 'Neg' input: 'x' " TYPE "} ret { key: 'y' value: 'n:y:0' }"

static float in_session(struct graph_fixture *f, float x) {
    struct sl_session *session;
    struct sl_pb_ConfigProto config = {.allow_soft_placement = false};
    __typeof__(*config.device_count.items) cpus = {.key = SL_STR("CPU"), .value = 2};
    config.device_count.items = &cpus;
    config.device_count.n = 1;
    const struct sl_session_options options = {.config = &config};
    struct sl_tensor *fed, *fetched;
    struct sl_port feed = port_of(f, "x", 0), fetch = port_of(f, "y", 0);
    assert_ok(f->err, sl_tensor_new(&fed, SL_FLOAT, (struct sl_shape){.rank = 0}, &f->err));
    *(float *)fed->data = x;
    assert_ok(f->err, sl_local_session_new(&session, registries_of(f), &options, &f->err));
    assert_ok(f->err, sl_session_extend(session, f->graph, &f->err));
    const struct sl_run run = {&feed, &fed, 1, &fetch, &fetched, 1, NULL, 0, NULL, NULL};
    assert_ok(f->err, sl_session_run(session, &run, &f->err));
    float y = *(const float *)fetched->data;
    sl_tensor_unref(fed);
    sl_tensor_unref(fetched);
    sl_session_free(session);
    return y;
}

GRAPH_TEST(a_part_that_was_sent_runs_as_in_a_session) {
    struct sl_runtime *sender = runtime_of_task(f, "/job:localhost/replica:0/task:0", 2);
    struct sl_runtime *receiver = runtime_of_task(f, "/job:localhost/replica:0/task:0", 2);
    struct sl_front front;
    struct sl_part part;
    import_client(f, LOOP CHOICE);
    add_function(f, sender, SQUARE);
    add_function(f, sender, NEGATE);
    front_of(&front, f, sender, "x", "y", NULL);
    assert_int_equal(front.n_parts, 1);
    assert_null(front.whole);
    assert_ok(f->err, send_part(&part, f, &front.parts[0], sender, receiver));
    sl_front_clear(&front);
    sl_runtime_free(sender);
    struct sl_program *program = back_of(f, receiver, &part);
    sl_part_clear(&part);
    assert_int_equal(program->n_parts, 2);
    static const float inputs[] = {1, 3, 700};
    for (int i = 0; i < 3; i++) {
        float y = run_program(f, receiver, program, inputs[i]);
        assert_true(y == in_session(f, inputs[i]) && y >= 1000000);
    }
    sl_program_free(program);
    sl_runtime_free(receiver);
}

GRAPH_TEST(a_part_for_other_devices_is_refused) {
    struct sl_runtime *sender = runtime_of_task(f, "/job:localhost/replica:0/task:0", 2);
    struct sl_runtime *receiver = runtime_of_task(f, "/job:localhost/replica:0/task:0", 1);
    struct sl_front front;
    struct sl_part part;
    import_client(f, "x = Placeholder() dtype type: DT_FLOAT\n y = Square(x)@/cpu:1 " OF_FLOAT);
    front_of(&front, f, sender, "x", "y", NULL);
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "{{node y}} is placed on '/job:localhost/replica:0/task:0/device:CPU:1', which is not there",
                 send_part(&part, f, &front.parts[0], sender, receiver));
    assert_null(part.graph);
    sl_front_clear(&front);
    sl_runtime_free(sender);
    sl_runtime_free(receiver);
}

/* ---- several tasks */

/* "0: a b(a) | 1: c": the wiring of each part, with the task of its devices. */
static const char *parts_of(struct graph_fixture *f, const struct sl_front *front, const struct sl_runtime *runtime) {
    const char *text = "";
    for (int i = 0; i < front->n_parts; i++)
        text = sl_arena_format(&f->arena, "%s%s%d: %s", text, i ? " | " : "",
                               runtime->devices.items[front->parts[i].device].parsed.task,
                               wiring_of(f, front->parts[i].graph));
    return text;
}

GRAPH_TEST(each_task_has_a_part) {
    struct sl_device_set devices;
    struct sl_front front;
    devices_of_tasks(&devices, f, 3, &(struct sl_device_request){&sl_host_device_type, 2}, 1);
    struct sl_runtime *master = runtime_on(f, &devices);
    import_client(f, "x = Placeholder() dtype type: DT_FLOAT\n a = Neg(x)@/task:2/cpu:1 " OF_FLOAT
                     "b = Square(a)@/task:2/cpu:0 " OF_FLOAT "c = Add(x, b)@/task:0/cpu:1 " OF_FLOAT);
    front_of(&front, f, master, "x", "c", NULL);
    assert_text(parts_of(f, &front, master),
                "0: _arg_x_0_0 c(_arg_x_0_0,b) _retval_c_0_0(c) _arg_x_0_0_1(_arg_x_0_0) b | "
                "2: a(_arg_x_0_0) b(a) _arg_x_0_0 b_1(b)");
    assert_non_null(front.whole);
    assert_int_equal(front.parts[0].device, 0); /* of arguments and results */
    sl_front_clear(&front);
    front_of(&front, f, master, "a", "b", NULL);
    assert_int_equal(front.n_parts, 2);
    sl_front_clear(&front);
    sl_runtime_free(master);
}

/* A target stays though nothing reads it any more: in the part that it is in. */
GRAPH_TEST(targets_stay_with_their_part) {
    struct sl_device_set devices;
    struct sl_front front;
    devices_of_tasks(&devices, f, 2, &(struct sl_device_request){&sl_host_device_type, 1}, 1);
    struct sl_runtime *master = runtime_on(f, &devices);
    import_client(f, "x = Placeholder() dtype type: DT_FLOAT\n n = NoOp()@/task:1\n t = NoOp(^n)@/task:1\n"
                     "y = Square(x, ^t)@/task:0 " OF_FLOAT);
    front_of(&front, f, master, "x", "y", "n");
    assert_int_equal(front.n_parts, 2);
    for (int i = 0; i < 2; i++) {
        struct sl_part *part = &front.parts[i];
        assert_int_equal(part->n_targets, 1);
        assert_ptr_equal(part->targets[0], sl_graph_find(part->graph, SL_STR("n")));
        assert_int_equal(part->targets[0] != NULL, i == 1);
        assert_ok(f->err, sl_pipeline_optimise(part, master, &f->err));
    }
    assert_false(front.parts[1].targets[0]->is_removed);
    sl_front_clear(&front);
    sl_runtime_free(master);
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(a_part_that_was_sent_runs_as_in_a_session),
                                       graph_unit_test(a_part_for_other_devices_is_refused),
                                       graph_unit_test(each_task_has_a_part),
                                       graph_unit_test(targets_stay_with_their_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
