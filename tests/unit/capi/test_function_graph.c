/* sluice/function_graph.h: bodies as graphs, and in place of what calls them. */
#include "sluice/function_graph.h"

#include <stdio.h>
#include <string.h>

#include "sluice/flow.h"
#include "sluice/gradient.h"
#include "sluice/ops.h"
#include "sluice/variables.h"
#include "unit/capi/front_fixture.h"

/* By `is_on`, x doubled or what a variable counts up to. */
struct model {
    struct front f;
    struct sl_var count;
    TF_Output x, is_on, choice;
};

static void doubled(struct sl_scope *s, TF_Output *outputs, void *arg) {
    struct model *m = arg;
    outputs[0] = sl_mul(s, m->x, sl_scalar(s, TF_FLOAT, 2));
}

static void counted(struct sl_scope *s, TF_Output *outputs, void *arg) {
    struct model *m = arg;
    TF_Operation *add = sl_variable_add(s, m->count, sl_scalar(s, TF_FLOAT, 1));
    sl_push_control(s, &add, 1);
    outputs[0] = sl_read(s, m->count);
    sl_pop(s);
}

static struct model model_new(void) {
    struct model m = {.f = front_new()};
    struct sl_scope *s = m.f.s;
    m.count = sl_variable(s, "count", sl_scalar(s, TF_FLOAT, 0));
    m.x = sl_placeholder(s, "x", TF_FLOAT, SL_SCALAR);
    m.is_on = sl_scalar(s, TF_BOOL, 1);
    sl_push_functional(s, true);
    sl_cond(s, &m.choice, 1, m.is_on, doubled, counted, &m);
    sl_pop(s);
    if (!sl_scope_ok(s)) fail_msg("%s", sl_scope_message(s));
    return m;
}

static const char *first_function(char name[128], TF_Graph *graph) {
    TF_Function *functions[8];
    TF_Status *status = TF_NewStatus();
    int n = TF_GraphGetFunctions(graph, functions, 8, status);
    assert_int_equal(n, 2);
    snprintf(name, 128, "%s", TF_FunctionName(functions[0]));
    for (int i = 0; i < n; i++) TF_DeleteFunction(functions[i]);
    TF_DeleteStatus(status);
    return name;
}

static void bodies(void **state) {
    (void)state;
    char name[128];
    struct model m = model_new();
    TF_Status *status = TF_NewStatus();
    TF_Graph *body = sl_function_graph(m.f.graph, first_function(name, m.f.graph), status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    int args = 0, results = 0;
    size_t at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(body, &at));) {
        args += !strcmp(TF_OperationOpType(op), "_Arg");
        results += !strcmp(TF_OperationOpType(op), "_Retval");
    }
    assert_true(args > 0);
    assert_int_equal(results, 1);
    TF_DeleteGraph(body);
    assert_null(sl_function_graph(m.f.graph, "nobody", status));
    assert_int_equal(TF_GetCode(status), TF_NOT_FOUND);
    TF_DeleteStatus(status);
    front_delete(&m.f);
}

/* A SavedModel whose function gives x scaled and counts its calls. */
static const char CALL[] = "StatefulPartitionedCall_1",
                  INNER[] = "StatefulPartitionedCall_1/StatefulPartitionedCall/mul";

static TF_Output named(TF_Graph *graph, const char *name, int index) {
    return (TF_Output){TF_GraphOperationByName(graph, name), index};
}

/* Runs with x = [1, 10]; what `scaled` gives, and the count, when that is wanted. */
static int run_model(float out[2], TF_Session *session, TF_Graph *graph, TF_Output scaled, bool counts) {
    TF_Status *status = TF_NewStatus();
    const int64_t dims[] = {2};
    const float values[] = {1, 10};
    TF_Output x = named(graph, "serving_default_x", 0), fetches[] = {scaled, named(graph, CALL, 0)};
    TF_Tensor *fed = TF_AllocateTensor(TF_FLOAT, dims, 1, sizeof values), *got[2] = {NULL, NULL};
    memcpy(TF_TensorData(fed), values, sizeof values);
    assert_non_null(scaled.oper);
    TF_SessionRun(session, NULL, &x, &fed, 1, fetches, got, counts ? 2 : 1, NULL, 0, NULL, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    memcpy(out, TF_TensorData(got[0]), 2 * sizeof *out);
    int count = counts ? *(int32_t *)TF_TensorData(got[1]) : 0;
    TF_DeleteTensor(fed);
    TF_DeleteTensor(got[0]);
    TF_DeleteTensor(got[1]);
    TF_DeleteStatus(status);
    return count;
}

/* A session that ran before goes on with its variables, effects happen once, and names of calls stay good. */
static void in_place(void **state) {
    (void)state;
    float y[2];
    static const char *const tags[] = {"serve"};
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_LoadSessionFromSavedModel(options, NULL, SL_TEST_DATA "/saved_model/functions", tags, 1,
                                                       graph, NULL, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    assert_int_equal(run_model(y, session, graph, named(graph, CALL, 1), true), 1);
    assert_float_equal(y[1], 40, 0);
    assert_null(TF_GraphOperationByName(graph, INNER));
    for (int i = 0; i < 2; i++) { /* the second time nothing is left to do */
        sl_graph_inline(graph, true, status);
        assert_int_equal(TF_GetCode(status), TF_OK);
        assert_int_equal(run_model(y, session, graph, named(graph, INNER, 0), true), 2 + 2 * i);
        assert_float_equal(y[1], 40, 0);
        run_model(y, session, graph, named(graph, INNER, 0), false); /* needs no counting */
        assert_string_equal(TF_OperationOpType(TF_GraphOperationByName(graph, CALL)), "IdentityN");
        assert_int_equal(run_model(y, session, graph, named(graph, CALL, 1), true), 3 + 2 * i);
        assert_float_equal(y[0], 3, 0);
    }
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
}

/* Without control flow the conditional stays. */
static void calls_alone(void **state) {
    (void)state;
    struct model m = model_new();
    TF_Status *status = TF_NewStatus();
    const char *type = TF_OperationOpType(m.choice.oper);
    sl_graph_inline(m.f.graph, false, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    assert_string_equal(TF_OperationOpType(named(m.f.graph, TF_OperationName(m.choice.oper), 0).oper), type);
    TF_DeleteStatus(status);
    front_delete(&m.f);
}

/* What the gradient of the conditional made has the mark in its name. */
static void marks(void **state) {
    (void)state;
    struct model m = model_new();
    TF_Status *status = TF_NewStatus();
    TF_Function *functions[16];
    struct sl_slices dx;
    sl_graph_mark_functions(m.f.graph, "a b", status);
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    sl_graph_mark_functions(m.f.graph, "g7_", status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    sl_add_gradients(m.f.graph, &m.choice, NULL, 1, &m.x, 1, NULL, &dx, status);
    assert_int_equal(TF_GetCode(status), TF_OK);
    const int n = TF_GraphGetFunctions(m.f.graph, functions, 16, status);
    assert_true(n > 2);
    int marked = 0;
    for (int i = 0; i < n; i++) {
        marked += strstr(TF_FunctionName(functions[i]), "_g7_") != NULL;
        TF_DeleteFunction(functions[i]);
    }
    assert_int_equal(marked, n - 2);
    TF_DeleteStatus(status);
    front_delete(&m.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies),
        cmocka_unit_test(in_place),
        cmocka_unit_test(calls_alone),
        cmocka_unit_test(marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
