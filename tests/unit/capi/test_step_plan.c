/* Plans of runs (sluice/step_plan.h): where nodes are and why, what the parts hold, errors. */
#include "sluice/step_plan.h"

#include "sluice/devices.h"
#include "sluice/ops.h"
#include "unit/capi/front_fixture.h"

static TF_Session *session_on(struct front *f, int n, bool by_cost) {
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    sl_options_set_cpus(options, n, status);
    sl_options_place_by_cost(options, by_cost);
    f->session = TF_NewSession(f->graph, options, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    TF_DeleteSessionOptions(options);
    TF_DeleteStatus(status);
    return f->session;
}

static struct sl_step_plan *plan_of(TF_Session *session, TF_Output feed, TF_Output fetch, enum sl_plan_stage stage) {
    TF_Status *status = TF_NewStatus();
    struct sl_step_plan *plan = sl_step_plan_new(session, &feed, 1, &fetch, 1, NULL, 0, stage, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    TF_DeleteStatus(status);
    return plan;
}

static struct sl_plan_node node_called(const struct sl_step_plan *plan, int graph, const char *name) {
    struct sl_plan_node node;
    TF_Operation *op = TF_GraphOperationByName(sl_step_plan_graph(plan, graph), name);
    if (!op) fail_msg("no node %s", name);
    sl_step_plan_node(&node, plan, op);
    return node;
}

/* y = tanh(x) on CPU:1, z = -y anywhere. */
static TF_Output spread(struct front *f, TF_Output *x) {
    *x = sl_placeholder(f->s, "x", TF_FLOAT, SL_SHAPE(4, 4));
    sl_push_device(f->s, "/cpu:1");
    TF_Output y = sl_tanh(sl_name(f->s, "y"), *x);
    sl_pop(f->s);
    TF_Output z = sl_neg(sl_name(f->s, "z"), y);
    if (!sl_scope_ok(f->s)) fail_msg("%s", sl_scope_message(f->s));
    return z;
}

static void nodes_are_placed(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x, z = spread(&f, &x);
    struct sl_step_plan *plan = plan_of(session_on(&f, 2, false), x, z, SL_PLAN_PLACED);
    assert_int_equal(sl_step_plan_num_graphs(plan), 1);
    assert_null(sl_step_plan_graph(plan, 1));
    struct sl_plan_node y = node_called(plan, 0, "y"), n = node_called(plan, 0, "z");
    assert_int_equal(y.device, 1);
    assert_int_equal(y.reason, SL_PLAN_AS_ASKED);
    assert_true(y.ns > 0);
    assert_null(y.finish_ns);
    assert_int_equal(n.device, 0);
    assert_int_equal(n.reason, SL_PLAN_BY_DEFAULT);
    assert_int_equal(node_called(plan, 0, "_arg_x_0_0").reason, SL_PLAN_FED_OR_FETCHED);
    sl_step_plan_delete(plan);
    front_delete(&f);
}

static void costs_are_told(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Output x, z = spread(&f, &x);
    struct sl_step_plan *plan = plan_of(session_on(&f, 2, true), x, z, SL_PLAN_PLACED);
    struct sl_plan_node y = node_called(plan, 0, "y"), n = node_called(plan, 0, "z");
    assert_true(y.finish_ns && y.finish_ns[0] < 0 && y.finish_ns[1] >= y.ns); /* CPU:0 was not asked for */
    assert_int_equal(n.device, 1);
    assert_int_equal(n.reason, SL_PLAN_NEAR_INPUT);
    sl_step_plan_delete(plan);
    front_delete(&f);
}

static void parts_have_graphs(void **state) {
    (void)state;
    struct front f = front_new();
    int64_t dims[2];
    TF_Status *status = TF_NewStatus();
    TF_Output x, z = spread(&f, &x);
    struct sl_step_plan *plan = plan_of(session_on(&f, 3, false), x, z, SL_PLAN_CUT);
    assert_int_equal(sl_step_plan_num_graphs(plan), 2); /* nothing is on CPU:2 */
    assert_int_equal(node_called(plan, 0, "z").device, 0);
    assert_int_equal(node_called(plan, 1, "y").device, 1);
    TF_Operation *recv =
        TF_OperationInput((TF_Input){TF_GraphOperationByName(sl_step_plan_graph(plan, 0), "z"), 0}).oper;
    assert_string_equal(TF_OperationOpType(recv), "_Recv");
    TF_GraphGetTensorShape(sl_step_plan_graph(plan, 0), (TF_Output){recv, 0}, dims, 2, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    assert_int_equal(dims[0] * dims[1], 16); /* shapes are those of the client's graph */
    sl_step_plan_delete(plan);
    expect_floats(&f, sl_float_vector(f.s, FLOATS(1, 2)), 1, 2); /* the session runs as ever */
    TF_DeleteStatus(status);
    front_delete(&f);
}

static void what_cannot_run_cannot_be_planned(void **state) {
    (void)state;
    struct front f = front_new();
    TF_Status *status = TF_NewStatus();
    TF_Output x, z = spread(&f, &x);
    TF_Session *session = session_on(&f, 1, false);
    assert_null(sl_step_plan_new(session, &x, 1, &z, 1, NULL, 0, SL_PLAN_CUT, status));
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    assert_non_null(strstr(TF_Message(status), "{{node y}} was explicitly assigned to /device:CPU:1"));
    session = session_on(&f, 2, false);
    TF_Output none = {z.oper, 7};
    assert_null(sl_step_plan_new(session, &x, 1, &none, 1, NULL, 0, SL_PLAN_PLACED, status));
    assert_int_equal(TF_GetCode(status), TF_OUT_OF_RANGE);
    assert_null(sl_step_plan_new(session, NULL, 0, NULL, 0, NULL, -1, SL_PLAN_PLACED, status));
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    sl_step_plan_delete(NULL);
    TF_DeleteStatus(status);
    front_delete(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_placed),
        cmocka_unit_test(costs_are_told),
        cmocka_unit_test(parts_have_graphs),
        cmocka_unit_test(what_cannot_run_cannot_be_planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
