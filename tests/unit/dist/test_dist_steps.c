/* Sessions over one task and over several, in messages. */
#include <inttypes.h>

#include "dist/tensor_wire.h"
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

/* Of two values, of which one is an optional itself; and one of nothing. */
static void optionals_go_between_tasks(void **state) {
#define TYPES(key, types) "attr { key: '" key "' value { list { " types " } } } "
#define SHAPES                                                                                                         \
    "attr { key: 'output_shapes' value { list { shape { unknown_rank: true } shape { unknown_rank: true } } } } "
#define SHAPE "attr { key: 'output_shapes' value { list { shape { } } } } "
    struct dist_fixture *f = *state;
    create_session(
        f,
        HOLDER("x", WORKER_0) NODE("inner", "OptionalFromValue",
                                   TYPES("Toutput_types", "type: DT_FLOAT") WORKER_0 IN("x"))
            NODE("both", "OptionalFromValue",
                 TYPES("Toutput_types", "type: DT_FLOAT type: DT_VARIANT") WORKER_0 IN("x") IN("inner"))
                NODE("got", "OptionalGetValue",
                     TYPES("output_types", "type: DT_FLOAT type: DT_VARIANT") SHAPES WORKER_1 IN("both"))
                    NODE("y", "OptionalGetValue", TYPES("output_types", "type: DT_FLOAT") SHAPE PS IN("got:1"))
                        NODE("sum", "Add", T_FLOAT PS IN("y") IN("got:0")) NODE("none", "OptionalNone", WORKER_0)
                            NODE("has", "OptionalHasValue", WORKER_1 IN("none"))
                                NODE("z", "Cast",
                                     "attr { key: 'SrcT' value { type: DT_BOOL } } attr { key: 'DstT' value { type: "
                                     "DT_FLOAT } } " WORKER_1 IN("has")),
        "");
    assert_true(run_float(f, FEED("x:0", "3") "fetch: 'sum:0'") == 6);
    assert_true(run_float(f, FEED("x:0", "3") "fetch: 'z:0'") == 0);
    close_session(f);
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

/* One task sends what another one receives, without a master. The step's graph at `address`, by its handle. */
static const char *register_transfer(struct dist_fixture *f, const char *address, const char *node) {
    struct sl_pb_GetStatusResponse status;
    struct sl_pb_RegisterGraphResponse made;
    assert_ok(f->err, CALL(f, "b:1", "WorkerService", GetStatus, "", &status));
    const char *graph =
        sl_arena_format(&f->arena,
                        "graph_def { %s attr { key: 'tensor_name' value { s: 'edge_1_x' } } attr { key: 'send_device' "
                        "value { s: '%.*s' } } "
                        "attr { key: 'send_device_incarnation' value { i: %" PRId64 " } } "
                        "attr { key: 'recv_device' value { s: '/job:ps/replica:0/task:0/device:CPU:0' } } } }",
                        node, SL_STR_ARG(status.device_attributes.items[0].name),
                        (int64_t)status.device_attributes.items[0].incarnation);
    assert_ok(f->err, CALL(f, address, "WorkerService", RegisterGraph, graph, &made));
    return sl_arena_str(&f->arena, made.graph_handle).p;
}

static void run_transfer(struct dist_fixture *f, const char *address, const char *handle, int step) {
    const char *run = sl_arena_format(&f->arena, "graph_handle: '%s' step_id: %d", handle, step);
    assert_ok(f->err, CALL(f, address, "WorkerService", RunGraph, run, NULL));
}

#define AT(device) "device: '/job:" device "/device:CPU:0' "
static void masters_ask_what_steps_have_received(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_LoggingResponse log;
    const char *send = register_transfer(
        f, "b:1",
        CONST("x", "3", AT("worker/replica:0/task:1")) "node { name: 's' op: '_Send' input: 'x' " T_FLOAT AT(
            "worker/replica:0/task:1"));
    const char *receive = register_transfer(f, "c:1",
                                            "node { name: 'r' op: '_Recv' attr { key: 'tensor_type' value { type: "
                                            "DT_FLOAT } } " AT("ps/replica:0/task:0"));
    for (int step = 1; step <= 3; step++) { /* logged is the second alone */
        const char *order = step == 2 ? "enable_rpc_logging: true" : "disable_rpc_logging: true";
        assert_ok(f->err, CALL(f, "c:1", "WorkerService", Logging, order, &log));
        assert_int_equal(log.step.n, 0);
        run_transfer(f, "b:1", send, step);
        run_transfer(f, "c:1", receive, step);
    }
    for (int time = 0; time < 2; time++) { /* then it is cleared */
        const char *ask = "fetch_step_id: 1 fetch_step_id: 2 fetch_step_id: 3 clear: true";
        assert_ok(f->err, CALL(f, "c:1", "WorkerService", Logging, ask, &log));
        assert_int_equal(log.step.n, time ? 0 : 1);
        if (time) continue;
        assert_int_equal(log.step.items[0].step_id, 2);
        const struct sl_pb_DeviceStepStats *told = log.step.items[0].step_stats->dev_stats.items;
        assert_true(sl_str_is(told->device, "/job:ps/replica:0/task:0/device:CPU:0"));
        assert_true(sl_str_is(told->node_stats.items[0].node_name, "RecvTensor"));
    }
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

/* The message that brings it fails, and the session is as it was before. */
static void a_device_that_is_not_there(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_CreateSessionResponse created;
    struct sl_pb_ExtendSessionResponse extended;
    static const char why[] = "Cannot assign a device for operation b: {{node b}} was explicitly assigned to "
                              "/job:nosuch/task:7 but available devices are [ ";
    assert_int_equal(CALL(f, "a:1", "MasterService", CreateSession,
                          "graph_def { " CONST("a", "1", "") CONST("b", "1", "device: '/job:nosuch/task:7' ") " }",
                          &created),
                     SL_INVALID_ARGUMENT);
    assert_non_null(strstr(f->err.message, why));
    create_session(f, CONST("a", "1", ""), "");
    const char *bad = sl_arena_format(&f->arena,
                                      "session_handle: '%s' graph_def { " CONST("c", "2", "")
                                          CONST("b", "1", "device: '/job:nosuch/task:7' ") " }",
                                      f->session);
    assert_int_equal(CALL(f, "a:1", "MasterService", ExtendSession, bad, &extended), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(f->err.message, why));
    assert_true(run_float(f, "fetch: 'a:0'") == 1);
    assert_int_equal(run_step(NULL, f, "fetch: 'c:0'"), SL_INVALID_ARGUMENT);
    const char *good =
        sl_arena_format(&f->arena, "session_handle: '%s' graph_def { " CONST("b", "3", PS) " }", f->session);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", ExtendSession, good, &extended));
    assert_true(run_float(f, "fetch: 'b:0'") == 3);
    close_session(f);
}

static const struct sl_pb_CostGraphDef_Node *find_cost(const struct sl_pb_CostGraphDef *costs, const char *name,
                                                       const char *device) {
    for (size_t i = 0; i < costs->node.n; i++)
        if (sl_str_is(costs->node.items[i].name, name) && sl_str_is(costs->node.items[i].device, device))
            return &costs->node.items[i];
    return NULL;
}

/* Every third step of a signature, of all its tasks in one list. */
static void steps_tell_what_they_cost(void **state) {
    struct dist_fixture *f = *state;
    struct sl_pb_RunStepResponse answer;
    create_session(f,
                   HOLDER("x", WORKER_0) NODE("y", "Square", T_FLOAT PS IN("x"))
                       NODE("z", "Neg", T_FLOAT WORKER_0 IN("y")),
                   "graph_options { build_cost_model: 3 build_cost_model_after: 1 }");
    for (int i = 0; i < 8; i++) {
        const char *text =
            sl_arena_format(&f->arena, "session_handle: '%s' fetch: 'z:0' " FEED("x:0", "3"), f->session);
        assert_ok(f->err, CALL(f, "a:1", "MasterService", RunStep, text, &answer));
        const struct sl_pb_CostGraphDef *costs = answer.metadata->cost_graph;
        assert_int_equal(costs != NULL, i % 3 == 0);
        assert_null(answer.metadata->step_stats);
        assert_int_equal(answer.metadata->partition_graphs.n, 0);
        if (!costs) continue;
        for (size_t k = 0; k < costs->node.n; k++) {
            const struct sl_pb_CostGraphDef_Node *node = &costs->node.items[k];
            assert_int_equal(node->id, k);
            for (size_t c = 0; c < node->input_info.n; c++)
                assert_in_range(node->input_info.items[c].preceding_node, 2, costs->node.n - 1);
        }
        const struct sl_pb_CostGraphDef_Node *y = find_cost(costs, "y", "/job:ps/replica:0/task:0/device:CPU:0");
        const struct sl_pb_CostGraphDef_Node *z = find_cost(costs, "z", "/job:worker/replica:0/task:0/device:CPU:0");
        assert_non_null(y);
        assert_non_null(z);
        assert_int_equal(y->output_info.items[0].size, 4);
        assert_int_equal(z->output_info.items[0].dtype, SL_FLOAT);
    }
    close_session(f);
}

#define VARIABLE(name)                                                                                                 \
    NODE(name, "VarHandleOp",                                                                                          \
         FLOAT WORKER_0 "attr { key: 'shape' value { shape { } } } attr { key: 'shared_name' value { s: '" name        \
                        "' } } ")
#define READ(name, in) NODE(name, "ReadVariableOp", FLOAT WORKER_0 IN(in))

/* A client has them as bytes, and may feed them. */
static void handles_of_resources_go_to_the_client_and_back(void **state) {
    static const unsigned char of_variable[] = "\x0a\x29/job:worker/replica:0/task:0/device:CPU:0\x12\x09localhost"
                                               "\x1a\x01v\x20\xe5\xf3\xa5\xf0\xaf\xa4\x94\x9e\xf2\x01"
                                               "\x2a\x12N10tensorflow3VarE";
    struct dist_fixture *f = *state;
    struct sl_pb_RunStepResponse answer;
    create_session(f,
                   VARIABLE("v") CONST("c", "5", WORKER_0) READ("r", "h")
                       NODE("set", "AssignVariableOp", FLOAT WORKER_0 IN("v") IN("c"))
                           NODE("h", "Placeholder", "attr { key: 'dtype' value { type: DT_RESOURCE } } " WORKER_0),
                   "device_filters: '/job:worker/task:0'");
    assert_ok(f->err, run_step(NULL, f, "target: 'set'"));
    const char *text = sl_arena_format(&f->arena, "session_handle: '%s' fetch: 'v:0'", f->session);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", RunStep, text, &answer));
    const struct sl_pb_TensorProto *t = answer.tensor.items[0].tensor;
    assert_int_equal(t->dtype, SL_RESOURCE);
    assert_int_equal((unsigned char)t->tensor_content.p[0], t->tensor_content.n - 1); /* its length */
    assert_memory_equal(t->tensor_content.p + 1, of_variable, sizeof of_variable - 1);
#define HANDLE(device, name)                                                                                           \
    "feed { name: 'h:0' tensor { dtype: DT_RESOURCE tensor_shape { } resource_handle_val { device: '" device "' "      \
    "container: 'localhost' name: '" name "' maybe_type_name: 'N10tensorflow3VarE' } } } "
    assert_true(run_float(f, HANDLE("/job:worker/replica:0/task:0/device:CPU:0", "v") "fetch: 'r:0'") == 5);
    assert_int_equal(run_step(NULL, f, HANDLE("/job:worker/replica:0/task:0/device:CPU:0", "w") "fetch: 'r:0'"),
                     SL_NOT_FOUND);
    assert_string_equal(f->err.message, "Resource localhost/w/N10tensorflow3VarE does not exist.");
    assert_int_not_equal(run_step(NULL, f, HANDLE("/job:ps/replica:0/task:0/device:CPU:0", "v") "fetch: 'r:0'"), SL_OK);
    assert_int_not_equal(run_step(NULL, f,
                                  "feed { name: 'h:0' tensor { dtype: DT_RESOURCE tensor_shape { } tensor_content: "
                                  "'\\003ab' } } fetch: 'r:0'"),
                         SL_OK);
    assert_int_not_equal(run_step(NULL, f,
                                  "feed { name: 'h:0' tensor { dtype: DT_RESOURCE tensor_shape { } tensor_content: "
                                  "'\\002ab' } } fetch: 'r:0'"),
                         SL_OK);
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
    assert_int_equal(run_step(NULL, f, "partial_run_handle: '0' fetch: 'y:0'"), SL_INVALID_ARGUMENT);
    assert_string_equal(f->err.message, "Fetch a:0 can't be computed from the feeds that have been fed so far.");
    assert_true(run_float(f, "partial_run_handle: '0'" FEED("a:0", "3") "fetch: 'y:0'") == 9);
    assert_int_equal(run_step(NULL, f, "partial_run_handle: '0' fetch: 'z:0'"), SL_INVALID_ARGUMENT);
    assert_string_equal(f->err.message, "Fetch b:0 can't be computed from the feeds that have been fed so far.");
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

/* A callable of the session whose options are this text; what it gives when it is run without feeds. */
static sl_code run_connected(float *out, struct dist_fixture *f, const char *options) {
    struct sl_pb_MakeCallableResponse made;
    struct sl_pb_RunCallableResponse ran;
    struct sl_tensor *t;
    const char *make = sl_arena_format(&f->arena, "session_handle: '%s' options { %s }", f->session, options);
    assert_ok(f->err, CALL(f, "a:1", "MasterService", MakeCallable, make, &made));
    const char *run = sl_arena_format(&f->arena, "session_handle: '%s' handle: %d", f->session, (int)made.handle);
    sl_code code = CALL(f, "a:1", "MasterService", RunCallable, run, &ran);
    if (code != SL_OK) return code;
    assert_int_equal(ran.fetch.n, 1);
    assert_ok(f->err, sl_wire_read_tensor(&t, &ran.fetch.items[0], NULL, &f->err));
    *out = *(float *)t->data;
    sl_tensor_unref(t);
    return SL_OK;
}

#define JOIN(from, to) "tensor_connection { from_tensor: '" from "' to_tensor: '" to "' } "

static void callables_read_one_tensor_for_another(void **state) {
    static const struct {
        const char *options, *text;
        sl_code code;
        float x;
    } cases[] = {
        {JOIN("d:0", "a:0") "fetch: 'e:0'", NULL, SL_OK, 30},
        {JOIN("d", "b:0") "fetch: 'e:0'", NULL, SL_OK, 30},
        {JOIN("far:0", "a:0") JOIN("c:0", "h:0") "fetch: 'g:0'", NULL, SL_OK, 93},
        {"fetch: 'far:0'", NULL, SL_OK, 9}, /* the graph is as it was */
        {JOIN("d:0", "a:0") "fetch: 'a:0'", "a:0 is both fed and fetched.", SL_INVALID_ARGUMENT, 0},
        {JOIN("no:0", "a:0") "fetch: 'e:0'", "Requested tensor connection from unknown node: \"a:0\".",
         SL_INVALID_ARGUMENT, 0},
        {JOIN("d:0", "no:0") "fetch: 'e:0'", "FeedInputs: unable to find feed output no:0", SL_NOT_FOUND, 0},
        {JOIN("d:0", "a:0") JOIN("c:0", "a:0") "fetch: 'e:0'", "Endpoint \"a:0\" fed more than once.",
         SL_INVALID_ARGUMENT, 0},
        {JOIN("e:0", "a:0") "fetch: 'e:0'",
         "Requested Tensor connection between nodes \"a\" and \"e\" would create a cycle.", SL_INVALID_ARGUMENT, 0},
    };
    struct dist_fixture *f = *state;
    create_session(f,
                   HOLDER("a", "") HOLDER("h", "") NODE("b", "Identity", T_FLOAT WORKER_1 IN("a")) CONST("c", "3", "")
                       CONST("ten", "10", "") NODE("d", "Identity", T_FLOAT IN("c"))
                           NODE("e", "Mul", T_FLOAT IN("b") IN("ten")) NODE("far", "Square", T_FLOAT PS IN("c"))
                               NODE("g", "Add", T_FLOAT IN("e") IN("h")),
                   "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float x = 0;
        sl_code code = run_connected(&x, f, cases[i].options);
        assert_int_equal(code, cases[i].code);
        if (cases[i].text) assert_string_equal(f->err.message, cases[i].text);
        else assert_true(x == cases[i].x);
    }
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
                                       TEST(optionals_go_between_tasks),
                                       TEST(traces_tell_of_values_between_tasks),
                                       TEST(masters_ask_what_steps_have_received),
                                       TEST(an_error_names_task_and_node),
                                       TEST(variables_outlive_sessions_unless_isolated),
                                       TEST(a_device_that_is_not_there),
                                       TEST(steps_tell_what_they_cost),
                                       TEST(handles_of_resources_go_to_the_client_and_back),
                                       TEST(partial_runs_go_over_tasks),
                                       TEST(callables_run_by_position),
                                       TEST(callables_read_one_tensor_for_another),
                                       TEST(a_request_counts_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
