/* What can be asked beside execution: shapes of results, which kernels there are, functions of a context, counters by
 * name. */
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api_experimental.h"
#include "tensorflow/c/eager/c_api_experimental_reader.h"
#include "unit/capi/capi_fixture.h"

static TFE_Context *new_context(TF_Status *s) {
    TFE_ContextOptions *options = TFE_NewContextOptions();
    TFE_Context *c = TFE_NewContext(options, s);
    TFE_DeleteContextOptions(options);
    assert_status_ok(s);
    return c;
}

/* ---- shapes */

static TF_Tensor *two_ints(int32_t a, int32_t b) {
    TF_Tensor *t = TF_AllocateTensor(TF_INT32, (int64_t[]){2}, 1, 8);
    memcpy(TF_TensorData(t), (int32_t[]){a, b}, 8);
    return t;
}

/* The types of inputs follow from attrs, their defaults, and values: nobody says them. */
static void shapes_follow_from_values(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = new_context(s);
    TF_ShapeAndTypeList *in = TF_NewShapeAndTypeList(2), *out = NULL;
    TF_Tensor *to = two_ints(3, -1), *dims = two_ints(2, 7), *values[] = {NULL, to};
    TFE_Op *op = TFE_NewOp(c, "Reshape", s);
    TF_ShapeAndTypeListSetShape(in, 0, (int64_t[]){2, 6}, 2);
    TF_ShapeAndTypeListSetShape(in, 1, (int64_t[]){2}, 1);
    TFE_InferShapes(op, in, values, NULL, NULL, &out, NULL, s);
    assert_status_ok(s);
    assert_true(out->items[0].num_dims == 2 && out->items[0].dims[0] == 3 && out->items[0].dims[1] == 4);
    TF_DeleteShapeAndTypeList(out);
    TFE_OpReset(op, "Fill", NULL, s);
    TF_ShapeAndTypeListSetShape(in, 0, (int64_t[]){2}, 1);
    TF_ShapeAndTypeListSetShape(in, 1, NULL, 0);
    TFE_InferShapes(op, in, (TF_Tensor *[]){dims, NULL}, NULL, NULL, &out, NULL, s);
    assert_status_ok(s);
    assert_true(out->items[0].num_dims == 2 && out->items[0].dims[0] == 2 && out->items[0].dims[1] == 7);
    TF_DeleteShapeAndTypeList(out);
    TFE_OpReset(op, "Conv2D", NULL, s); /* padding is missing, too */
    TF_ShapeAndTypeListSetShape(in, 0, (int64_t[]){1, 8, 8, 3}, 4);
    TF_ShapeAndTypeListSetShape(in, 1, (int64_t[]){3, 3, 3, 5}, 4);
    TFE_InferShapes(op, in, NULL, NULL, NULL, &out, NULL, s);
    assert_status(s, TF_NOT_FOUND, "No attr named 'strides' in NodeDef");
    TF_DeleteTensor(to);
    TF_DeleteTensor(dims);
    TF_DeleteShapeAndTypeList(in);
    TFE_DeleteOp(op);
    TFE_DeleteContext(c);
}

/* ---- kernels */

static void kernels_are_asked_for(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TF_AttrBuilder *b = TF_NewAttrBuilder("MatMul");
    TF_AttrBuilderCheckCanRunOnDevice(b, "CPU", s);
    assert_status(s, TF_INVALID_ARGUMENT, "OpKernel 'MatMul' has constraint on attr 'T' not in NodeDef");
    TF_AttrBuilderSetType(b, "T", TF_FLOAT);
    TF_AttrBuilderCheckCanRunOnDevice(b, "CPU", s);
    assert_status_ok(s);
    TF_AttrBuilderCheckCanRunOnDevice(b, "GPU", s);
    assert_status(s, TF_NOT_FOUND,
                  "No registered 'MatMul' OpKernel for GPU devices compatible with node {{node MatMul}}");
    TF_DeleteAttrBuilder(b);
    b = TF_NewAttrBuilder("MatMul");
    TF_AttrBuilderSetType(b, "T", TF_STRING);
    TF_AttrBuilderCheckCanRunOnDevice(b, "CPU", s);
    assert_status(s, TF_NOT_FOUND, "No registered 'MatMul' OpKernel for CPU devices");
    TF_DeleteAttrBuilder(b);
    b = TF_NewAttrBuilder("NoSuchOp");
    TF_AttrBuilderCheckCanRunOnDevice(b, "CPU", s);
    assert_status(s, TF_NOT_FOUND, "No registered 'NoSuchOp' OpKernel for CPU devices");
    TF_DeleteAttrBuilder(b);
    b = TF_NewAttrBuilder("IdentityN"); /* serves any device */
    TF_AttrBuilderSetTypeList(b, "T", (TF_DataType[]){TF_FLOAT, TF_INT32}, 2);
    TF_AttrBuilderCheckCanRunOnDevice(b, "GPU", s);
    assert_status_ok(s);
    TF_DeleteAttrBuilder(b);
}

/* ---- functions */

static void functions_are_asked_for(void **state) {
    struct fixture *f = *state;
    TF_Status *s = f->status;
    TFE_Context *c = new_context(s);
    TF_Function *made = TF_GraphToFunction(f->graph, "f", 0, -1, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, s);
    assert_status_ok(s);
    TFE_ContextAddFunction(c, made, s);
    TF_DeleteFunction(made);
    TF_Buffer *info = TF_NewBuffer();
    TFE_ContextGetGraphDebugInfo(c, "f", info, s);
    assert_status_ok(s);
    assert_int_equal(info->length, 0);
    TFE_ContextGetGraphDebugInfo(c, "g", info, s);
    assert_status(s, TF_NOT_FOUND, "Unable to find function with name: g");
    TFE_ContextGetFunctionDef(c, "g", info, s);
    assert_status(s, TF_NOT_FOUND, "Unable to find FunctionDef with name: g");
    assert_null(TFE_ContextGetFunction(c, "g", s));
    assert_status(s, TF_NOT_FOUND, "Unable to find Function with name: g");
    TF_DeleteBuffer(info);
    TFE_DeleteContext(c);
}

/* ---- counters */

static void counters_are_read_by_name(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_MonitoringCounterReader *reader = TFE_MonitoringNewCounterReader("queries/calls");
    TFE_MonitoringCounterReader *by_user = TFE_MonitoringNewCounterReader("queries/users");
    assert_ptr_equal(TFE_MonitoringNewCounterReader("queries/calls"), reader);
    assert_int_equal(TFE_MonitoringReadCounter0(reader), 0); /* there is none yet */
    TFE_MonitoringCounter0 *calls = TFE_MonitoringNewCounter0("queries/calls", s, "");
    TFE_MonitoringCounter1 *users = TFE_MonitoringNewCounter1("queries/users", s, "", "user");
    TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringGetCellCounter0(calls), 5);
    TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringGetCellCounter1(users, "eve"), 2);
    assert_int_equal(TFE_MonitoringReadCounter0(reader), 5);
    assert_int_equal(TFE_MonitoringReadCounter1(by_user, "eve"), 2);
    assert_int_equal(TFE_MonitoringReadCounter1(by_user, "adam"), 0);
    assert_int_equal(TFE_MonitoringReadCounter0(by_user), 0); /* it has a label */
    TFE_MonitoringCounter0 *again = TFE_MonitoringNewCounter0("queries/calls", s, "");
    TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringGetCellCounter0(again), 100);
    assert_int_equal(TFE_MonitoringReadCounter0(reader), 5);
    TFE_MonitoringDeleteCounter0(calls);
    assert_int_equal(TFE_MonitoringReadCounter0(reader), 100);
    TFE_MonitoringDeleteCounter0(again);
    TFE_MonitoringDeleteCounter1(users);
    assert_int_equal(TFE_MonitoringReadCounter0(reader), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(shapes_follow_from_values),
        TEST(kernels_are_asked_for),
        TEST(functions_are_asked_for),
        TEST(counters_are_read_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
