/* Loads the example plug-in and runs its ops as any others. */
#include "tensorflow/c/kernels.h"
#include "unit/capi/capi_fixture.h"

static TF_Library *library;

static int load(void **state) {
    (void)state;
    TF_Status *s = TF_NewStatus();
    library = TF_LoadLibrary(PLUGIN, s);
    assert_status_ok(s);
    assert_non_null(library);
    TF_DeleteStatus(s);
    return 0;
}

static int unload(void **state) {
    (void)state;
    TF_DeleteLibraryHandle(library);
    return 0;
}

static void libraries_list_their_ops(void **state) {
    struct fixture *f = *state;
    TF_Buffer ops = TF_GetOpList(library), *all = TF_GetAllOpList();
    assert_true(buffer_contains(&ops, "PluginScale") && buffer_contains(&ops, "PluginPair"));
    assert_false(buffer_contains(&ops, "AddV2"));
    assert_true(buffer_contains(all, "PluginScale"));
    TF_DeleteBuffer(all);
    TF_Library *again = TF_LoadLibrary(PLUGIN, f->status);
    assert_status_ok(f->status);
    TF_Buffer same = TF_GetOpList(again);
    assert_int_equal(same.length, ops.length);
    TF_DeleteLibraryHandle(again);
    assert_null(TF_LoadLibrary("/no/such/library.so", f->status));
    assert_status(f->status, TF_NOT_FOUND, "/no/such/library.so");
}

static void kernels_are_chosen_by_type(void **state) {
    struct fixture *f = *state;
    TF_Output x = placeholder(f->graph, f->status, "x"), y = unary(f->graph, f->status, "PluginScale", "y", x);
    TF_Session *session = new_session(f->graph, f->status);
    assert_int_equal(run_int(session, f->status, x, 21, y), 42);

    TF_Output a = typed_placeholder(f->graph, f->status, "a", TF_FLOAT);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "PluginScale", "b");
    TF_AddInput(d, a);
    TF_SetAttrFloat(d, "factor", -0.5f);
    TF_Output b = {TF_FinishOperation(d, f->status), 0};
    assert_status_ok(f->status);
    TF_Output c = unary(f->graph, f->status, "PluginScale", "c", b); /* may reuse what b made */
    const int64_t dims[2] = {2, 2};
    TF_Tensor *in = TF_AllocateTensor(TF_FLOAT, dims, 2, 16), *out = NULL;
    for (int i = 0; i < 4; i++) ((float *)TF_TensorData(in))[i] = (float)i;
    TF_SessionRun(session, NULL, &a, &in, 1, &c, &out, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(TF_NumDims(out), 2);
    for (int i = 0; i < 4; i++) assert_float_equal(((float *)TF_TensorData(out))[i], -(float)i, 0);
    for (int i = 0; i < 4; i++) assert_float_equal(((float *)TF_TensorData(in))[i], (float)i, 0);
    TF_DeleteTensor(in);
    TF_DeleteTensor(out);
    TF_DeleteSession(session, f->status);

    TF_Buffer *kernels = TF_GetRegisteredKernelsForOp("PluginScale", f->status);
    assert_true(buffer_contains(kernels, "PluginScale"));
    TF_DeleteBuffer(kernels);
}

static void kernels_can_refuse(void **state) {
    struct fixture *f = *state;
    TF_Output x = placeholder(f->graph, f->status, "x");
    TF_OperationDescription *d = TF_NewOperation(f->graph, "PluginScale", "y");
    TF_AddInput(d, x);
    TF_SetAttrFloat(d, "factor", 0);
    TF_Output y = {TF_FinishOperation(d, f->status), 0};
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *in = int_tensor(1), *out = NULL;
    TF_SessionRun(session, NULL, &x, &in, 1, &y, &out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "a factor of zero is pointless");
    assert_null(out);
    TF_DeleteTensor(in);
    TF_DeleteSession(session, f->status);
}

static void types_outside_the_rules_are_refused(void **state) {
    struct fixture *f = *state;
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_DOUBLE);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "PluginScale", "y");
    TF_AddInput(d, x);
    assert_null(TF_FinishOperation(d, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "not in the list of allowed values");
}

static void shape_functions_are_called(void **state) {
    struct fixture *f = *state;
    int64_t dims[2] = {3, 4}, got[3];
    TF_Output xs[2] = {placeholder(f->graph, f->status, "a"), placeholder(f->graph, f->status, "b")};
    for (int i = 0; i < 2; i++) TF_GraphSetTensorShape(f->graph, xs[i], dims, 2, f->status);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "PluginPair", "pair");
    TF_AddInputList(d, xs, 2);
    TF_Operation *pair = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    TF_GraphGetTensorShape(f->graph, (TF_Output){pair, 0}, got, 2, f->status);
    assert_status_ok(f->status);
    assert_int_equal(got[1], 4);
    TF_GraphGetTensorShape(f->graph, (TF_Output){pair, 1}, got, 3, f->status);
    assert_status_ok(f->status);
    assert_int_equal(got[0], 2);
    assert_int_equal(got[2], 4);

    dims[1] = 13;
    TF_Output unlucky = placeholder(f->graph, f->status, "c"), scalar = constant(f->graph, f->status, "s", 1);
    TF_GraphSetTensorShape(f->graph, unlucky, dims, 2, f->status);
    d = TF_NewOperation(f->graph, "PluginPair", "unlucky");
    TF_AddInputList(d, &unlucky, 1);
    assert_null(TF_FinishOperation(d, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "thirteen is bad luck");
    d = TF_NewOperation(f->graph, "PluginPair", "scalar");
    TF_AddInputList(d, &scalar, 1);
    assert_null(TF_FinishOperation(d, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Shape must be at least rank 1 but is rank 0");
}

static void lists_and_outputs_are_shared(void **state) {
    struct fixture *f = *state;
    const int64_t dims[1] = {100};
    TF_Output xs[2] = {placeholder(f->graph, f->status, "a"), placeholder(f->graph, f->status, "b")};
    TF_OperationDescription *d = TF_NewOperation(f->graph, "PluginPair", "pair");
    TF_AddInputList(d, xs, 2);
    TF_Operation *pair = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *in[2] = {TF_AllocateTensor(TF_INT32, dims, 1, 400), TF_AllocateTensor(TF_INT32, dims, 1, 400)}, *out[2];
    for (int i = 0; i < 100; i++) ((int32_t *)TF_TensorData(in[0]))[i] = ((int32_t *)TF_TensorData(in[1]))[i] = i;
    const TF_Output fetches[2] = {{pair, 1}, {pair, 0}};
    TF_SessionRun(session, NULL, xs, in, 2, fetches, out, 2, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_ptr_equal(TF_TensorData(out[0]), TF_TensorData(in[1]));
    assert_ptr_equal(TF_TensorData(out[1]), TF_TensorData(in[0]));
    for (int i = 0; i < 2; i++) {
        TF_DeleteTensor(in[i]);
        TF_DeleteTensor(out[i]);
    }
    TF_DeleteSession(session, f->status);
}

static void asynchronous_kernels_end_when_they_say_so(void **state) {
    struct fixture *f = *state;
    TF_Output x = placeholder(f->graph, f->status, "x"), y = unary(f->graph, f->status, "PluginLater", "y", x);
    TF_Output z = unary(f->graph, f->status, "Neg", "z", y);
    TF_Session *session = new_session(f->graph, f->status);
    for (int i = 0; i < 5; i++) assert_int_equal(run_int(session, f->status, x, i, z), -i);
    TF_DeleteSession(session, f->status);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(libraries_list_their_ops),
        TEST(kernels_are_chosen_by_type),
        TEST(kernels_can_refuse),
        TEST(types_outside_the_rules_are_refused),
        TEST(shape_functions_are_called),
        TEST(lists_and_outputs_are_shared),
        TEST(asynchronous_kernels_end_when_they_say_so),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
