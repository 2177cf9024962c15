/* Loops of TF_NewWhile: their nodes, their values, their mistakes. */
#include "tensorflow/c/c_api.h"

#include "unit/capi/capi_fixture.h"

struct loop {
    struct fixture f;
    TF_Output inputs[2], outputs[2];
    TF_WhileParams params;
};

static int set_up(void **state) {
    static struct loop l;
    l.f.graph = TF_NewGraph();
    l.f.status = TF_NewStatus();
    l.inputs[0] = placeholder(l.f.graph, l.f.status, "p1");
    l.inputs[1] = placeholder(l.f.graph, l.f.status, "p2");
    *state = &l;
    return 0;
}

static int tear_down(void **state) {
    struct loop *l = *state;
    TF_DeleteGraph(l->f.graph);
    TF_DeleteStatus(l->f.status);
    return 0;
}

/* while (a < limit) { a += b; b += 1; } but for what the caller changes. */
static void start(struct loop *l, int32_t limit) {
    TF_Status *s = l->f.status;
    TF_WhileParams fresh = TF_NewWhile(l->f.graph, l->inputs, 2, s);
    memcpy(&l->params, &fresh, sizeof fresh); /* some members are const */
    assert_status_ok(s);
    TF_WhileParams *w = &l->params;
    w->name = "loop";
    w->cond_output =
        binary(w->cond_graph, s, "Less", "less", w->cond_inputs[0], constant(w->cond_graph, s, "limit", limit));
    w->body_outputs[0] = binary(w->body_graph, s, "AddV2", "sum", w->body_inputs[0], w->body_inputs[1]);
    w->body_outputs[1] =
        binary(w->body_graph, s, "AddV2", "next", w->body_inputs[1], constant(w->body_graph, s, "one", 1));
}

static void expect_failure(struct loop *l, const char *text) {
    int before = count_operations(l->f.graph);
    TF_FinishWhile(&l->params, l->f.status, l->outputs);
    assert_status(l->f.status, TF_INVALID_ARGUMENT, text);
    assert_int_equal(count_operations(l->f.graph), before);
}

static void loops_run(void **state) {
    struct loop *l = *state;
    int before = count_operations(l->f.graph);
    start(l, 10);
    assert_int_equal(count_operations(l->f.graph), before);
    TF_FinishWhile(&l->params, l->f.status, l->outputs);
    assert_status_ok(l->f.status);
    TF_Session *session = new_session(l->f.graph, l->f.status);
    TF_Tensor *in[2] = {int_tensor(0), int_tensor(1)}, *out[2];
    TF_SessionRun(session, NULL, l->inputs, in, 2, l->outputs, out, 2, NULL, 0, NULL, l->f.status);
    assert_status_ok(l->f.status);
    assert_int_equal(int_of(out[0]), 10); /* 0 1 3 6 10 */
    assert_int_equal(int_of(out[1]), 5);
    for (int i = 0; i < 2; i++) TF_DeleteTensor(in[i]);
    TF_DeleteSession(session, l->f.status);
}

static void nodes_have_the_names_of_the_original(void **state) {
    struct loop *l = *state;
    static const char *const names[] = {"p1",
                                        "p2",
                                        "loop/Enter",
                                        "loop/Enter_1",
                                        "loop/Merge",
                                        "loop/Merge_1",
                                        "loop/cond/limit",
                                        "loop/cond/less",
                                        "loop/LoopCond",
                                        "loop/Switch",
                                        "loop/Switch_1",
                                        "loop/body/sum",
                                        "loop/body/one",
                                        "loop/body/next",
                                        "loop/NextIteration",
                                        "loop/NextIteration_1",
                                        "loop/Exit",
                                        "loop/Exit_1"};
    size_t pos = 0;
    start(l, 10);
    TF_FinishWhile(&l->params, l->f.status, l->outputs);
    assert_status_ok(l->f.status);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(TF_OperationName(TF_GraphNextOperation(l->f.graph, &pos)), names[i]);
    assert_null(TF_GraphNextOperation(l->f.graph, &pos));
    TF_Operation *control = NULL, *one = TF_GraphOperationByName(l->f.graph, "loop/body/one");
    assert_int_equal(TF_OperationGetControlInputs(one, &control, 1), 1);
    assert_string_equal(TF_OperationName(control), "loop/Switch");
    char frame[4];
    TF_OperationGetAttrString(TF_GraphOperationByName(l->f.graph, "loop/Enter"), "frame_name", frame, 4, l->f.status);
    assert_memory_equal(frame, "loop", 4);
}

static void a_loop_is_finished_and_its_parts_are_freed_later(void **state) {
    struct loop *l = *state;
    start(l, 10);
    TF_FinishWhileHelper(&l->params, l->f.status, l->outputs);
    assert_status_ok(l->f.status);
    assert_non_null(TF_GraphOperationByName(l->f.graph, "loop/Exit_1"));
    assert_non_null(TF_GraphOperationByName(l->params.body_graph, "next")); /* still there */
    TF_AbortWhile(&l->params);
}

static void loops_nest(void **state) {
    struct loop *l = *state;
    TF_Status *s = l->f.status;
    start(l, 20);
    TF_Output inner_inputs[2] = {l->params.body_inputs[0], l->params.body_inputs[1]}, inner_outputs[2];
    TF_WhileParams inner = TF_NewWhile(l->params.body_graph, inner_inputs, 2, s);
    assert_status_ok(s);
    inner.name = "inner";
    inner.cond_output =
        binary(inner.cond_graph, s, "Less", "less", inner.cond_inputs[1], constant(inner.cond_graph, s, "limit", 3));
    inner.body_outputs[0] = inner.body_inputs[0];
    inner.body_outputs[1] =
        binary(inner.body_graph, s, "AddV2", "next", inner.body_inputs[1], constant(inner.body_graph, s, "one", 1));
    TF_FinishWhile(&inner, s, inner_outputs);
    assert_status_ok(s);
    l->params.body_outputs[0] = binary(l->params.body_graph, s, "AddV2", "outer", inner_outputs[0], inner_outputs[1]);
    TF_FinishWhile(&l->params, s, l->outputs);
    assert_status_ok(s);
    assert_non_null(TF_GraphOperationByName(l->f.graph, "loop/body/inner/Enter"));

    TF_Session *session = new_session(l->f.graph, s);
    TF_Tensor *in[2] = {int_tensor(0), int_tensor(0)}, *out[2];
    TF_SessionRun(session, NULL, l->inputs, in, 2, l->outputs, out, 2, NULL, 0, NULL, s);
    assert_status_ok(s);
    assert_int_equal(int_of(out[0]), 21); /* 3 3 3 3 4 5 added up */
    TF_DeleteTensor(out[1]);
    for (int i = 0; i < 2; i++) TF_DeleteTensor(in[i]);
    TF_DeleteSession(session, s);
}

static void unset_parts_are_told(void **state) {
    struct loop *l = *state;
    start(l, 10);
    l->params.cond_output.oper = NULL;
    expect_failure(l, "TF_WhileParams `cond_output` field isn't set");
    start(l, 10);
    l->params.body_outputs[0].oper = NULL;
    expect_failure(l, "TF_WhileParams `body_outputs[0]` field isn't set");
    start(l, 10);
    l->params.name = NULL;
    expect_failure(l, "TF_WhileParams `name` field is null");
}

static void wrong_parts_are_told(void **state) {
    struct loop *l = *state;
    start(l, 10);
    l->params.cond_output = l->params.cond_inputs[0];
    expect_failure(l, "BuildWhileLoop: 'cond' argument must return a boolean output, got int32");
    start(l, 10);
    l->params.cond_output.index = 100;
    expect_failure(l, "Invalid return output 100 of node 'less', which has 1 output(s)");
    start(l, 10);
    l->params.cond_output = l->params.body_outputs[0];
    expect_failure(l, "Requested return tensor 'sum:0' not found in graph def");
    start(l, 10);
    l->params.body_outputs[1] = l->params.cond_output;
    expect_failure(l, "Requested return tensor 'less:0' not found in graph def");
}

static void a_name_serves_one_loop(void **state) {
    struct loop *l = *state;
    start(l, 10);
    TF_FinishWhile(&l->params, l->f.status, l->outputs);
    assert_status_ok(l->f.status);
    start(l, 10);
    expect_failure(l, "already exists");
}

static void loops_can_be_given_up(void **state) {
    struct loop *l = *state;
    start(l, 10);
    TF_AbortWhile(&l->params);
    assert_int_equal(count_operations(l->f.graph), 2);
    TF_NewWhile(l->f.graph, l->inputs, 0, l->f.status);
    assert_status(l->f.status, TF_INVALID_ARGUMENT, "TF_NewWhile() must be passed at least one input");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(loops_run),
        TEST(nodes_have_the_names_of_the_original),
        TEST(loops_nest),
        TEST(a_loop_is_finished_and_its_parts_are_freed_later),
        TEST(unset_parts_are_told),
        TEST(wrong_parts_are_told),
        TEST(a_name_serves_one_loop),
        TEST(loops_can_be_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
