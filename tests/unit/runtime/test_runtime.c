/* A runtime without a session: made in three lines, with any devices, it compiles graphs and functions and runs
 * them. */
#include "runtime/instances.h"
#include "unit/runtime/runtime_fixture.h"

/* The program that feeds `feed` and fetches `fetch`. */
static struct sl_program *compiled(struct graph_fixture *f, struct sl_runtime *runtime, const char *feed,
                                   const char *fetch) {
    struct sl_front front;
    front_of(&front, f, runtime, feed, fetch, NULL);
    assert_int_equal(front.n_parts, 1);
    struct sl_program *program = back_of(f, runtime, &front.parts[0]);
    sl_front_clear(&front);
    return program;
}

GRAPH_TEST(an_op_runs) {
    const struct sl_registries *registries = registries_of(f);
    struct sl_device_set devices;
    struct sl_runtime *runtime;
    assert_ok(f->err, sl_device_set_new(&devices, SL_STR("/job:worker/replica:0/task:3"), 1, 7, &f->err));
    assert_ok(f->err, sl_runtime_new(&runtime, registries, &devices, NULL, &f->err));
    import_client(f, "x = Placeholder() dtype type: DT_FLOAT\n y = Square(x) " OF_FLOAT);
    struct sl_program *program = compiled(f, runtime, "x", "y");
    assert_true(run_program(f, runtime, program, 3) == 9);
    sl_program_free(program);
    sl_runtime_free(runtime);
}

/* As eager execution would: no graph and no program. */
GRAPH_TEST(an_op_runs_by_itself) {
    struct sl_runtime *runtime = runtime_of_task(f, "/job:worker/replica:0/task:3", 2);
    const struct sl_attr type = sl_attr_new_type(&f->arena, SL_STR("T"), SL_FLOAT);
    const struct sl_attrs attrs = {&type, 1};
    struct sl_kernel_request request = {.attrs = &attrs,
                                        .device = runtime->devices.items[1].name,
                                        .device_type = "CPU"};
    struct sl_kernel_instance *add;
    struct sl_value values[3] = {scalar(3), scalar(4)};
    struct sl_step_env env;
    assert_ok(f->err, sl_op_find(&request.op, runtime->registries->ops, SL_STR("AddV2"), &f->err));
    assert_ok(f->err, sl_kernel_prepare(&add, runtime->registries->instances, &request, &f->err));
    assert_ok(f->err, sl_runtime_begin_step(&env, runtime, NULL, 0, &f->err));
    assert_ok(f->err, sl_kernel_instance_run(add, &env, values, 0, &f->err));
    assert_true(float_of(&values[2]) == 7);
    sl_runtime_end_step(&env);
    sl_kernel_instance_unref(add);
    sl_runtime_free(runtime);
}

GRAPH_TEST(its_devices_are_any_devices) {
    struct sl_runtime *runtime = runtime_of_task(f, "/job:worker/replica:0/task:3", 3);
    import_client(f, "x = Placeholder() dtype type: DT_FLOAT\n y = Square(x)@/job:worker/task:3/cpu:1 " OF_FLOAT
                     " z = Add(x, y)@/cpu:2 " OF_FLOAT);
    struct sl_program *program = compiled(f, runtime, "x", "z");
    assert_true(run_program(f, runtime, program, 3) == 12);
    sl_program_free(program);
    sl_runtime_free(runtime);
}

GRAPH_TEST(a_runtime_needs_a_device) {
    struct sl_runtime *runtime;
    struct sl_device_set none = {.n = 0};
    assert_fails(f->err, SL_INVALID_ARGUMENT, "needs a device",
                 sl_runtime_new(&runtime, registries_of(f), &none, NULL, &f->err));
}

/* ---- functions */

static float call(struct graph_fixture *f, struct sl_runtime *runtime, struct sl_function *function, float x) {
    struct sl_step_env env;
    struct sl_value arg = scalar(x), ret;
    assert_ok(f->err, sl_runtime_begin_step(&env, runtime, NULL, 0, &f->err));
    assert_ok(f->err, sl_instance_call(function, &env, &arg, &ret, &f->err));
    sl_runtime_end_step(&env);
    return float_of(&ret);
}

/* twice(x) = square(x) + square(x), which calls the other. */
#define TWICE                                                                                                          \
    SIGNATURE("twice")                                                                                                 \
    "node_def { name: 's' op: 'square' input: 'x' } node_def { name: 'n' op: 'Add' input: 's:y:0' input: "             \
    "'s:y:0' " TYPE "} ret { key: 'y' value: 'n:z:0' }"

GRAPH_TEST(a_function_is_compiled_and_called) {
    struct sl_runtime *runtime = runtime_of_task(f, "/job:localhost/replica:0/task:0", 2);
    struct sl_function *square, *twice, *there;
    add_function(f, runtime, SQUARE);
    add_function(f, runtime, TWICE);
    assert_ok(f->err, sl_instance_find(&square, runtime, SL_STR("square"), NULL, SL_STR(""), &f->err));
    assert_ok(f->err, sl_instance_find(&twice, runtime, SL_STR("twice"), NULL, SL_STR(""), &f->err));
    assert_true(call(f, runtime, square, 3) == 9);
    assert_true(call(f, runtime, twice, 3) == 18);

    assert_ok(f->err, sl_instance_find(&there, runtime, SL_STR("square"), NULL,
                                       SL_STR("/job:localhost/replica:0/task:0/device:CPU:1"), &f->err));
    assert_ptr_not_equal(there, square);
    assert_true(call(f, runtime, there, 4) == 16);
    sl_instance_unref(there);
    assert_ok(f->err, sl_instance_find(&there, runtime, SL_STR("square"), NULL, SL_STR(""), &f->err));
    assert_ptr_equal(there, square);
    sl_instance_unref(there);
    sl_instance_unref(square);
    sl_instance_unref(twice);
    sl_runtime_free(runtime);
}

GRAPH_TEST(a_function_tells_its_signature_and_its_program) {
    struct sl_runtime *runtime = runtime_of_task(f, "/job:localhost/replica:0/task:0", 1);
    struct sl_function *square;
    struct sl_program *program, *again;
    const uint8_t *arg_types, *ret_types;
    int n_args, n_rets;
    add_function(f, runtime, SQUARE);
    assert_ok(f->err, sl_instance_find(&square, runtime, SL_STR("square"), NULL, SL_STR(""), &f->err));
    sl_instance_signature(square, &n_args, &arg_types, &n_rets, &ret_types);
    assert_int_equal(n_args, 1);
    assert_int_equal(n_rets, 1);
    const struct sl_functions *calls = sl_runtime_calls(runtime, false);
    assert_false(calls->keeps_states(square)); /* its arguments do not count */
    assert_int_equal(arg_types[0], SL_FLOAT);
    assert_int_equal(ret_types[0], SL_FLOAT);
    assert_ok(f->err, sl_instance_program(&program, square, &f->err));
    assert_ok(f->err, sl_instance_program(&again, square, &f->err));
    assert_ptr_equal(program, again);
    assert_true(run_program(f, runtime, program, 5) == 25);
    sl_instance_unref(square);
    sl_runtime_free(runtime);
}

/* What calls itself holds itself, until the runtime ends. */
GRAPH_TEST(functions_that_are_taken_away_go_with_their_last_holder) {
    static const char *const names[] = {"itself", "twice", "square"};
    struct sl_runtime *runtime = runtime_of_task(f, "/job:localhost/replica:0/task:0", 1);
    struct sl_function *twice, *itself;
    struct sl_program *program;
    add_function(f, runtime, SQUARE);
    add_function(f, runtime, TWICE);
    add_function(f, runtime,
                 SIGNATURE("itself") "node_def { name: 's' op: 'itself' input: 'x' } ret { key: 'y' value: 's:y:0' }");
    assert_ok(f->err, sl_instance_find(&itself, runtime, SL_STR("itself"), NULL, SL_STR(""), &f->err));
    assert_ok(f->err, sl_instance_program(&program, itself, &f->err));
    sl_instance_unref(itself);
    assert_ok(f->err, sl_instance_find(&twice, runtime, SL_STR("twice"), NULL, SL_STR(""), &f->err));
    assert_true(call(f, runtime, twice, 3) == 18);
    for (int i = 0; i < 3; i++) sl_runtime_remove_function(runtime, sl_str_of(names[i]));
    assert_true(call(f, runtime, twice, 4) == 32);
    assert_int_equal(runtime->functions.n_all, 2); /* the call of `square` was expanded */
    sl_instance_unref(twice);
    assert_int_equal(runtime->functions.n_all, 1);
    sl_runtime_free(runtime);
}

/* Attrs whose names begin with "_" are notes on a call: however they differ, it calls one instance. */
GRAPH_TEST(notes_on_calls_make_no_instances) {
    struct sl_runtime *runtime = runtime_of_task(f, "/job:localhost/replica:0/task:0", 1);
    struct sl_function *square, *noted;
    add_function(f, runtime, SQUARE);
    assert_ok(f->err, sl_instance_find(&square, runtime, SL_STR("square"), NULL, SL_STR(""), &f->err));
    for (int i = 0; i < 3; i++) {
        const struct sl_attr note = sl_attr_new(&f->arena, SL_STR("_note"), SL_ATTR_VALUE(i, i));
        const struct sl_attrs attrs = {&note, 1};
        assert_ok(f->err, sl_instance_find(&noted, runtime, SL_STR("square"), &attrs, SL_STR(""), &f->err));
        assert_ptr_equal(noted, square);
        sl_instance_unref(noted);
    }
    sl_instance_unref(square);
    sl_runtime_free(runtime);
}

GRAPH_TEST(a_function_that_is_not_there) {
    struct sl_runtime *runtime = runtime_of_task(f, "/job:localhost/replica:0/task:0", 1);
    struct sl_function *none;
    assert_fails(f->err, SL_NOT_FOUND, "Function none is not defined.",
                 sl_instance_find(&none, runtime, SL_STR("none"), NULL, SL_STR(""), &f->err));
    sl_runtime_free(runtime);
}

/* ---- steps */

/* A program that waits for an element of a queue that stays empty. */
static struct sl_program *waiting(struct graph_fixture *f, struct sl_runtime *runtime) {
    import_text(f,
                "x = Placeholder() dtype type: DT_FLOAT\n q = FIFOQueueV2() component_types list { type: DT_FLOAT }\n"
                "d = QueueDequeueV2(q) component_types list { type: DT_FLOAT }\n y = Add(x, d) " OF_FLOAT,
                NULL);
    return compiled(f, runtime, "x", "y");
}

GRAPH_TEST(a_step_has_its_time) {
    struct sl_runtime *runtime = runtime_of_task(f, "/job:localhost/replica:0/task:0", 1);
    struct sl_program *program = waiting(f, runtime);
    struct sl_step_env env;
    struct sl_value arg = scalar(1), ret;
    assert_ok(f->err, sl_runtime_begin_step(&env, runtime, NULL, 10, &f->err));
    assert_fails(f->err, SL_DEADLINE_EXCEEDED, "Timed out", sl_runtime_run_step(&env, program, &arg, &ret, &f->err));
    sl_runtime_end_step(&env);
    sl_program_free(program);
    sl_runtime_free(runtime);
}

GRAPH_TEST(a_cancelled_driver_ends_its_steps) {
    struct sl_runtime *runtime = runtime_of_task(f, "/job:localhost/replica:0/task:0", 1);
    struct sl_program *program = waiting(f, runtime);
    struct sl_cancellation *driver;
    struct sl_step_env env;
    struct sl_value arg = scalar(1), ret;
    assert_ok(f->err, sl_cancellation_new(&driver, NULL, &f->err));
    assert_ok(f->err, sl_runtime_begin_step(&env, runtime, driver, 0, &f->err));
    sl_cancellation_start(driver, SL_CANCELLED, "the driver stops");
    assert_int_equal(sl_runtime_run_step(&env, program, &arg, &ret, &f->err), SL_CANCELLED);
    sl_runtime_end_step(&env);
    sl_cancellation_free(driver);
    sl_program_free(program);
    sl_runtime_free(runtime);
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(an_op_runs),
                                       graph_unit_test(an_op_runs_by_itself),
                                       graph_unit_test(its_devices_are_any_devices),
                                       graph_unit_test(a_runtime_needs_a_device),
                                       graph_unit_test(a_function_is_compiled_and_called),
                                       graph_unit_test(a_function_tells_its_signature_and_its_program),
                                       graph_unit_test(functions_that_are_taken_away_go_with_their_last_holder),
                                       graph_unit_test(notes_on_calls_make_no_instances),
                                       graph_unit_test(a_function_that_is_not_there),
                                       graph_unit_test(a_step_has_its_time),
                                       graph_unit_test(a_cancelled_driver_ends_its_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
