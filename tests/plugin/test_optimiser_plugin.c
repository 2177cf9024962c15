/* Loads a plug-in with a graph optimiser: what it makes of a graph runs, what it spoils does not. */
#include <dlfcn.h>
#include <stdlib.h>

#include "plugin/optimiser_plugin.h"
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/experimental/grappler/grappler.h"
#include "unit/capi/eager_words.h"

static enum optimiser_mode *mode;
static struct optimiser_notes *notes;

/* What describes no optimiser is refused, and may be loaded again. */
static void a_bad_description_is_refused(void **state) {
    struct fixture *f = *state;
    setenv("OPTIMISER_LACKS", "device_type", 1);
    assert_null(TF_LoadPluggableDeviceLibrary(PLUGIN, f->status));
    assert_status(f->status, TF_FAILED_PRECONDITION, "'device_type' field must be set");
    setenv("OPTIMISER_LACKS", "optimize_func", 1);
    assert_null(TF_LoadPluggableDeviceLibrary(PLUGIN, f->status));
    assert_status(f->status, TF_FAILED_PRECONDITION, "'optimize_func' field must be set");
    setenv("OPTIMISER_LACKS", "all", 1);
    assert_null(TF_LoadPluggableDeviceLibrary(PLUGIN, f->status));
    assert_status(f->status, TF_UNAVAILABLE, "not today");
    unsetenv("OPTIMISER_LACKS");
    assert_null(TF_LoadPluggableDeviceLibrary("/nonesuch.so", f->status));
    assert_int_equal(TF_GetCode(f->status), TF_NOT_FOUND);
}

static void it_is_loaded_once(void **state) {
    struct fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        TF_Library *library = TF_LoadPluggableDeviceLibrary(PLUGIN, f->status);
        assert_status_ok(f->status);
        TF_DeletePluggableDeviceLibraryHandle(library);
    }
    void *handle = dlopen(PLUGIN, RTLD_NOW);
    mode = dlsym(handle, "optimiser_mode");
    notes = dlsym(handle, "optimiser_notes");
    assert_non_null(mode);
    assert_non_null(notes);
}

/* (x - 2) with x = 7, in a session of its own. */
static int32_t run(struct fixture *f) {
    TF_Graph *graph = TF_NewGraph();
    TF_Output x = placeholder(graph, f->status, "x");
    TF_Output y = binary(graph, f->status, "Sub", "difference", x, constant(graph, f->status, "two", 2));
    TF_Session *session = new_session(graph, f->status);
    const int32_t value = run_int(session, f->status, x, 7, y);
    TF_DeleteSession(session, f->status);
    TF_DeleteGraph(graph);
    return value;
}

static void its_graph_runs(void **state) {
    assert_int_equal(run(*state), 14);
    assert_int_equal(notes->n_runs, 1);
    assert_int_equal(notes->n_alive, 1);
    assert_int_equal(notes->n_preserved, 3); /* the argument, the result, and what is fetched */
    assert_int_equal(notes->n_fetches, 1);
    assert_string_equal(notes->fetch, "difference");
    assert_int_equal(notes->small_storage, TF_INVALID_ARGUMENT);
    assert_true(notes->n_op_def > 0);
    assert_int_equal(notes->no_op, TF_NOT_FOUND);
}

/* Type int32, a scalar's shape, the value 2. */
static void it_knows_shapes_and_values(void **state) {
    (void)state;
    assert_true(notes->n_before == 0 && notes->n_outputs == 1 && notes->n_inputs == 2 && notes->n_nowhere == 0);
    assert_true(notes->n_properties > 4);
    assert_memory_equal(notes->properties, "\x08\x03\x12\x00\x1a", 5);
}

static void what_it_spoils_is_not_used(void **state) {
    static const enum optimiser_mode modes[] = {OPTIMISER_FAILS, OPTIMISER_GIVES_GARBAGE, OPTIMISER_LOSES_ALL,
                                                OPTIMISER_GIVES_NOTHING};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const int before = notes->n_runs;
        *mode = modes[i];
        assert_int_equal(run(*state), 5);
        assert_int_equal(notes->n_runs, before + 1);
    }
    *mode = OPTIMISER_MULTIPLIES;
    assert_int_equal(run(*state), 14);
}

/* Targets, variables and what a run leaves behind go on as before. */
static void targets_stay(void **state) {
    struct fixture *f = *state;
    TF_OperationDescription *d = TF_NewOperation(f->graph, "VarHandleOp", "v");
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_SetAttrShape(d, "shape", NULL, 0);
    TF_Output v = {TF_FinishOperation(d, f->status), 0};
    TF_Output two = constant(f->graph, f->status, "two", 2), five = constant(f->graph, f->status, "five", 5);
    TF_Output product = binary(f->graph, f->status, "Sub", "product", five, two);
    d = TF_NewOperation(f->graph, "AssignVariableOp", "assign");
    TF_AddInput(d, v);
    TF_AddInput(d, product);
    const TF_Operation *assign = TF_FinishOperation(d, f->status);
    d = TF_NewOperation(f->graph, "ReadVariableOp", "read");
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_AddInput(d, v);
    TF_Output read = {TF_FinishOperation(d, f->status), 0};
    assert_status_ok(f->status);
    TF_Session *session = new_session(f->graph, f->status);
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &assign, 1, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(run_int(session, f->status, (TF_Output){NULL, 0}, 0, read), 10);
    TF_DeleteSession(session, f->status);
}

/* x - 2, as the body of a function. */
static TF_Function *subtracting(struct fixture *f) {
    TF_Graph *graph = TF_NewGraph();
    TF_Output x = placeholder(graph, f->status, "x");
    TF_Output y = binary(graph, f->status, "Sub", "difference", x, constant(graph, f->status, "two", 2));
    TF_Function *function = TF_GraphToFunction(graph, "less", 0, -1, NULL, 1, &x, 1, &y, NULL, NULL, NULL, f->status);
    assert_status_ok(f->status);
    TF_DeleteGraph(graph);
    return function;
}

/* Called by the eager API, where a body is all that there is. */
static void bodies_of_functions_go_there(void **state) {
    struct fixture *f = *state;
    const int before = notes->n_runs;
    TFE_Context *c = new_context();
    TF_Function *function = subtracting(f);
    TFE_ContextAddFunction(c, function, f->status);
    assert_status_ok(f->status);
    TF_DeleteFunction(function);
    TF_Tensor *seven = int_tensor(7);
    TFE_TensorHandle *x = TFE_NewTensorHandle(seven, f->status), *y;
    for (int i = 0; i < 2; i++) {
        y = call(c, f->status, "less", x, NULL);
        assert_status_ok(f->status);
        assert_int_equal(int_of(TFE_TensorHandleResolve(y, f->status)), 14);
        TFE_DeleteTensorHandle(y);
    }
    assert_int_equal(notes->n_runs, before + 1);
    assert_int_equal(notes->n_fetches, 1);
    assert_memory_equal(notes->fetch, "difference", strlen("difference"));
    TFE_DeleteTensorHandle(x);
    TF_DeleteTensor(seven);
    TFE_DeleteContext(c);
}

static void bodies_that_it_spoils_are_not_used(void **state) {
    static const enum optimiser_mode modes[] = {OPTIMISER_FAILS, OPTIMISER_GIVES_GARBAGE, OPTIMISER_LOSES_ALL,
                                                OPTIMISER_GIVES_NOTHING};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        TFE_Context *c = new_context();
        TF_Function *function = subtracting(f);
        *mode = modes[i];
        TFE_ContextAddFunction(c, function, f->status);
        TF_DeleteFunction(function);
        TF_Tensor *seven = int_tensor(7);
        TFE_TensorHandle *x = TFE_NewTensorHandle(seven, f->status), *y = call(c, f->status, "less", x, NULL);
        assert_status_ok(f->status);
        assert_int_equal(int_of(TFE_TensorHandleResolve(y, f->status)), 5);
        TFE_DeleteTensorHandle(x);
        TFE_DeleteTensorHandle(y);
        TF_DeleteTensor(seven);
        TFE_DeleteContext(c);
    }
    *mode = OPTIMISER_MULTIPLIES;
}

static void nothing_is_an_error(void **state) {
    struct fixture *f = *state;
    int n;
    size_t bytes;
    TF_Buffer *buffer = TF_NewBufferFromString("\x07", 1);
    TF_GetNodesToPreserveListSize(NULL, &n, &bytes, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "GrapplerItem cannot be NULL");
    TF_GetFetchNodesList(NULL, NULL, NULL, 0, NULL, 0, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "GrapplerItem cannot be NULL");
    assert_null(TF_NewGraphProperties(NULL));
    TF_InferStatically(NULL, 0, 0, 0, 0, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "GraphProperties cannot be NULL");
    assert_null(TF_NewFunctionLibraryDefinition(NULL, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "no GraphDef");
    assert_null(TF_NewFunctionLibraryDefinition(buffer, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Unparseable GraphDef");
    TF_LookUpOpDef(NULL, "Add", buffer, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "no library");
    TF_DeleteGraphProperties(NULL);
    TF_DeleteFunctionLibraryDefinition(NULL);
    TF_DeleteBuffer(buffer);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_bad_description_is_refused),
        TEST(it_is_loaded_once),
        TEST(its_graph_runs),
        TEST(it_knows_shapes_and_values),
        TEST(what_it_spoils_is_not_used),
        TEST(targets_stay),
        TEST(bodies_of_functions_go_there),
        TEST(bodies_that_it_spoils_are_not_used),
        TEST(nothing_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
