/* Sessions over one task and over several, in messages. */
#include "unit/dist/dist_fixture.h"
#include "unit/dist/graph_words.h"

static void one_task_runs_extends_and_closes(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_ExtendSessionResponse extended;
    create_session(f, HOLDER("x", "") NODE("y", "Square", T_FLOAT IN("x")), "device_filters: '/job:worker/task:0'");
    assert_true(run_float(f, FEED("x:0", "3") "fetch: 'y:0'") == 9);
    const char *more =
        sl_arena_format(&f->arena, "session_handle: '%s' graph_def { " NODE("z", "Add", T_FLOAT IN("y") IN("x:0")) " }",
                        f->session);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", ExtendSession, more, &extended));
    assert_int_equal(extended.new_graph_version, 1);
    assert_true(run_float(f, FEED("x:0", "3") "fetch: 'z:0'") == 12);
    assert_int_equal(CALL(f, "a:1", "MasterService", ExtendSession, more, &extended), SL_ABORTED);
    close_session(f);
    assert_int_equal(run_step(NULL, f, "fetch: 'z:0'"), SL_ABORTED);
    assert_non_null(strstr(f->err.message, "is not found."));
    assert_int_equal(fake_net_count(f->net, "/tensorflow.WorkerService/GetStatus"), 0);
}

static void values_go_between_tasks(void **state) {
    struct dist_fixture *f = *state;
    create_session(f,
                   HOLDER("x", WORKER_0) NODE("y", "Square", T_FLOAT PS IN("x"))
                       NODE("z", "Add", T_FLOAT WORKER_1 IN("y") IN("x")) NODE("w", "Neg", T_FLOAT WORKER_0 IN("z")),
                   "");
    for (int i = 0; i < 20; i++) assert_true(run_float(f, FEED("x:0", "3") "fetch: 'w:0'") == -12);
    assert_int_equal(fake_net_count(f->net, "/tensorflow.WorkerService/RegisterGraph"), 2);
    assert_int_equal(fake_net_count(f->net, "/tensorflow.WorkerService/RunGraph"), 40);
    close_session(f);
    assert_int_equal(fake_net_count(f->net, "/tensorflow.WorkerService/DeleteWorkerSession"), 2);
}

/* What came from other tasks, and for whom. */
static void traces_tell_of_values_between_tasks(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_RunStepResponse answer;
    create_session(f,
                   CONST("x", "3", PS) NODE("y", "Neg", T_FLOAT WORKER_1 IN("x"))
                       NODE("z", "Neg", T_FLOAT WORKER_0 IN("y")),
                   "");
    const char *text =
        sl_arena_format(&f->arena, "session_handle: '%s' fetch: 'z:0' options { trace_level: FULL_TRACE }", f->session);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", RunStep, text, &answer));
    assert_non_null(answer.metadata->step_stats);
    int worker_0 = 0, worker_1 = 0;
    for (size_t d = 0; d < answer.metadata->step_stats->dev_stats.n; d++) {
        const struct sl_pb_DeviceStepStats *told = &answer.metadata->step_stats->dev_stats.items[d];
        for (size_t n = 0; n < told->node_stats.n; n++) {
            if (!sl_str_is(told->node_stats.items[n].node_name, "RecvTensor")) continue;
            worker_0 += sl_str_is(told->device, "/job:worker/replica:0/task:0/device:CPU:0");
            worker_1 += sl_str_is(told->device, "/job:worker/replica:0/task:1/device:CPU:0");
            assert_true(told->node_stats.items[n].timeline_label.n > 0);
        }
    }
    assert_int_equal(worker_0, 1);
    assert_int_equal(worker_1, 1);
    close_session(f);
}

static void an_error_names_task_and_node(void **state) {
    struct dist_fixture *f = *state;
    create_session(f,
                   HOLDER("x", WORKER_0)
                       NODE("y", "CheckNumerics", T_FLOAT PS IN("x") "attr { key: 'message' value { s: 'bad' } } ")
                           NODE("z", "Neg", T_FLOAT WORKER_1 IN("y")) NODE("w", "Neg", T_FLOAT WORKER_0 IN("z")),
                   "");
    assert_int_equal(run_step(NULL, f, FEED("x:0", "inf") "fetch: 'w:0'"), SL_INVALID_ARGUMENT);
    assert_ptr_equal(strstr(f->err.message, "From /job:ps/replica:0/task:0:\nbad : Tensor had Inf"), f->err.message);
    assert_non_null(strstr(f->err.message, "[[{{node y}}]]"));
    assert_true(run_float(f, FEED("x:0", "3") "fetch: 'w:0'") == 3);
    close_session(f);
}

static void variables_outlive_sessions_unless_isolated(void **state) {
    struct dist_fixture *f = *state;
    static const char graph[] =
        NODE("v", "VariableV2", FLOAT PS "attr { key: 'shape' value { shape { } } } ") CONST("c", "5", PS)
            NODE("set", "Assign", T_FLOAT PS IN("v") IN("c")) NODE("read", "Identity", T_FLOAT PS IN("v"));
    create_session(f, graph, "");
    assert_ok(f->err, run_step(NULL, f, "target: 'set'"));
    close_session(f);
    create_session(f, graph, "");
    assert_true(run_float(f, "fetch: 'read:0'") == 5);
    close_session(f);
    create_session(f, graph, "isolate_session_state: true");
    assert_int_equal(run_step(NULL, f, "fetch: 'read:0'"), SL_FAILED_PRECONDITION);
    close_session(f);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", Reset, "container: ''", NULL));
    create_session(f, graph, "");
    assert_int_equal(run_step(NULL, f, "fetch: 'read:0'"), SL_FAILED_PRECONDITION);
    close_session(f);
}

static void a_device_that_is_not_there(void **state) {
    struct dist_fixture *f = *state;
    create_session(f, CONST("b", "1", "device: '/job:nosuch/task:7' "), "");
    assert_int_equal(run_step(NULL, f, "fetch: 'b:0'"), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(f->err.message, "Cannot assign a device for operation b: {{node b}} was explicitly assigned "
                                           "to /job:nosuch/task:7 but available devices are [ "));
    close_session(f);
}

static void partial_runs_go_over_tasks(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_PartialRunSetupResponse setup;
    create_session(f,
                   HOLDER("a", "") HOLDER("b", "") NODE("y", "Square", T_FLOAT PS IN("a"))
                       NODE("z", "Add", T_FLOAT IN("y") IN("b")),
                   "");
    const char *all =
        sl_arena_format(&f->arena, "session_handle: '%s' feed: 'a:0' feed: 'b:0' fetch: 'y:0' fetch: 'z:0'",
                        f->session);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", PartialRunSetup, all, &setup));
    assert_true(sl_str_is(setup.partial_run_handle, "0"));
    assert_true(run_float(f, "partial_run_handle: '0'" FEED("a:0", "3") "fetch: 'y:0'") == 9);
    assert_int_equal(run_step(NULL, f, "partial_run_handle: '0'" FEED("a:0", "3")), SL_INVALID_ARGUMENT);
    assert_string_equal(f->err.message, "The feed a:0 has already been fed.");
    assert_true(run_float(f, "partial_run_handle: '0'" FEED("b:0", "1") "fetch: 'z:0'") == 10);
    assert_int_equal(run_step(NULL, f, "partial_run_handle: '0'" FEED("b:0", "1")), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(f->err.message, "Must run PartialRunSetup before performing partial runs"));
    assert_ok(f->err, CALL(f, "a:1", "MasterService", PartialRunSetup, all, &setup));
    close_session(f); /* with a partial run that has not ended */
}

static void callables_run_by_position(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_MakeCallableResponse made;
    struct sl_pb_RunCallableResponse ran;
    create_session(f, HOLDER("x", "") NODE("y", "Square", T_FLOAT PS IN("x")), "");
    const char *make =
        sl_arena_format(&f->arena, "session_handle: '%s' options { feed: 'x:0' fetch: 'y:0' }", f->session);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", MakeCallable, make, &made));
    assert_int_equal(made.handle, 0);
    const char *run =
        sl_arena_format(&f->arena, "session_handle: '%s' feed { dtype: DT_FLOAT tensor_shape { } float_val: 4 }",
                        f->session);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", RunCallable, run, &ran));
    assert_int_equal(ran.fetch.n, 1);
    const char *end = sl_arena_format(&f->arena, "session_handle: '%s'", f->session);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", ReleaseCallable, end, NULL));
    assert_int_equal(CALL(f, "a:1", "MasterService", RunCallable, run, &ran), SL_INVALID_ARGUMENT);
    close_session(f);
}

static void a_request_counts_once(void **state) {
    struct dist_fixture *f = *state;
    create_session(f, CONST("c", "2", ""), "");
    assert_true(run_float(f, "fetch: 'c:0' request_id: 77") == 2);
    assert_int_equal(run_step(NULL, f, "fetch: 'c:0' request_id: 77"), SL_ABORTED);
    assert_string_equal(f->err.message, "The same RunStep request was received twice.");
    close_session(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, dist_setup, dist_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {TEST(one_task_runs_extends_and_closes),
                                       TEST(values_go_between_tasks),
                                       TEST(traces_tell_of_values_between_tasks),
                                       TEST(an_error_names_task_and_node),
                                       TEST(variables_outlive_sessions_unless_isolated),
                                       TEST(a_device_that_is_not_there),
                                       TEST(partial_runs_go_over_tasks),
                                       TEST(callables_run_by_position),
                                       TEST(a_request_counts_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
