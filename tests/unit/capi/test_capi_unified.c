/* One API over eager execution and tracing: the same steps run at once, or become a function that runs later. */
#include "tensorflow/c/eager/c_api_unified_experimental.h"
#include "unit/capi/capi_fixture.h"

/* ---- short words */

static TF_ExecutionContext *new_eager(TF_Status *s) {
    TFE_ContextOptions *options = TFE_NewContextOptions();
    TF_ExecutionContext *c = TF_NewEagerExecutionContext(options, s);
    TFE_DeleteContextOptions(options);
    assert_status_ok(s);
    return c;
}

static TF_AbstractTensor *scalar(TF_Status *s, float value) {
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof value);
    memcpy(TF_TensorData(t), &value, sizeof value);
    TF_AbstractTensor *a = TF_CreateAbstractTensorFromEagerTensor(TFE_NewTensorHandle(t, s), s);
    assert_status_ok(s);
    TF_DeleteTensor(t);
    return a;
}

static float value_of(TF_Status *s, TF_AbstractTensor *tensor) {
    TF_Tensor *t = TFE_TensorHandleResolve(TF_AbstractTensorGetEagerTensor(tensor, s), s);
    assert_status_ok(s);
    const float value = *(const float *)TF_TensorData(t);
    TF_DeleteTensor(t);
    return value;
}

/* One output, NULL on failure. A `node` is named when tracing. */
static TF_AbstractTensor *call(TF_ExecutionContext *c, TF_Status *s, const char *type, const char *node,
                               TF_AbstractTensor *x, TF_AbstractTensor *y) {
    TF_AbstractTensor *inputs[] = {x, y}, *result = NULL;
    TF_AbstractOp *op = TF_NewAbstractOp(c);
    TF_OutputList *out = TF_NewOutputList();
    TF_AbstractOpSetOpType(op, type, s);
    if (node && TF_GetCode(s) == TF_OK) TF_AbstractOpSetOpName(op, node, s);
    if (TF_GetCode(s) == TF_OK) TF_OutputListSetNumOutputs(out, 1, s);
    if (TF_GetCode(s) == TF_OK) TF_ExecuteOperation(op, y ? 2 : 1, inputs, out, s);
    if (TF_GetCode(s) == TF_OK) result = TF_OutputListGet(out, 0);
    TF_DeleteOutputList(out);
    TF_DeleteAbstractOp(op);
    return result;
}

static TF_AbstractFunction *finish(TF_ExecutionContext *trace, TF_Status *s, TF_AbstractTensor *result) {
    TF_OutputList *out = TF_NewOutputList();
    TF_OutputListPushBack(out, result, s);
    TF_AbstractFunction *f = TF_FinalizeFunction(trace, out, s);
    TF_DeleteOutputList(out);
    return f;
}

/* x * x + y, traced. */
static TF_AbstractFunction *trace_function(TF_Status *s, const char *name) {
    int64_t dims[] = {-1};
    TF_ExecutionContext *trace = TF_CreateFunction(name, s);
    assert_status_ok(s);
    TF_AbstractTensor *x = TF_AddFunctionParameter(trace, TF_FLOAT, (TF_Shape){-1, NULL}, s);
    assert_status_ok(s);
    TF_AbstractTensor *y = TF_AddFunctionParameter(trace, TF_FLOAT, (TF_Shape){0, dims}, s);
    assert_status_ok(s);
    TF_AbstractTensor *square = call(trace, s, "Mul", "same", x, x);
    assert_status_ok(s);
    TF_AbstractTensor *sum = call(trace, s, "AddV2", "same", square, y);
    assert_status_ok(s);
    TF_AbstractFunction *f = finish(trace, s, sum);
    TF_AbstractTensor *all[] = {x, y, square, sum};
    for (int i = 0; i < 4; i++) TF_DeleteAbstractTensor(all[i]); /* they outlive their function */
    return f;
}

/* ---- what works */

static void an_op_runs_at_once(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TF_ExecutionContext *c = new_eager(s);
    TF_AbstractTensor *a = scalar(s, 2), *b = scalar(s, 3), *sum = call(c, s, "AddV2", NULL, a, b);
    assert_status_ok(s);
    assert_true(value_of(s, sum) == 5);
    TF_DeleteAbstractTensor(a);
    TFE_DeleteTensorHandle(TF_AbstractTensorGetEagerTensor(b, s)); /* the same, under its other name */
    TF_DeleteAbstractTensor(sum);
    TF_DeleteExecutionContext(c);
}

static void what_is_traced_runs_as_a_function(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TF_SetTracingImplementation("graphdef", s);
    assert_status_ok(s);
    TF_ExecutionContext *c = new_eager(s);
    TF_AbstractFunction *f = trace_function(s, "square_and_add");
    assert_status_ok(s);
    TF_ExecutionContextRegisterFunction(c, f, s);
    assert_status_ok(s);
    assert_int_equal(TFE_ContextHasFunction(TF_ExecutionContextGetTFEContext(c, s), "square_and_add"), 1);
    TF_DeleteAbstractFunction(f);
    TF_AbstractTensor *a = scalar(s, 4), *b = scalar(s, 1), *y = call(c, s, "square_and_add", NULL, a, b);
    assert_status_ok(s);
    assert_true(value_of(s, y) == 17);
    TF_DeleteAbstractTensor(a);
    TF_DeleteAbstractTensor(b);
    TF_DeleteAbstractTensor(y);
    TF_DeleteExecutionContext(c);
}

static void a_function_calls_another(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TF_ExecutionContext *c = new_eager(s), *trace = TF_CreateFunction("outer", s);
    TF_AbstractFunction *inner = trace_function(s, "inner");
    TF_ExecutionContextRegisterFunction(trace, inner, s);
    TF_ExecutionContextRegisterFunction(c, inner, s);
    assert_status_ok(s);
    TF_AbstractTensor *x = TF_AddFunctionParameter(trace, TF_FLOAT, (TF_Shape){0, NULL}, s);
    TF_AbstractTensor *once = call(trace, s, "inner", "once", x, x);
    assert_status_ok(s);
    TF_AbstractFunction *outer = finish(trace, s, once);
    assert_status_ok(s);
    TF_ExecutionContextRegisterFunction(c, outer, s);
    TF_AbstractTensor *a = scalar(s, 3), *y = call(c, s, "outer", NULL, a, NULL);
    assert_status_ok(s);
    assert_true(value_of(s, y) == 12);
    TF_AbstractTensor *all[] = {x, once, a, y};
    for (int i = 0; i < 4; i++) TF_DeleteAbstractTensor(all[i]);
    TF_DeleteAbstractFunction(inner);
    TF_DeleteAbstractFunction(outer);
    TF_DeleteExecutionContext(c);
}

static void an_op_object_is_used_again(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TF_ExecutionContext *c = new_eager(s);
    TF_AbstractTensor *a = scalar(s, 2), *results[2];
    TF_OutputList *out = TF_NewOutputList();
    TF_AbstractOp *op = TF_NewAbstractOp(c);
    TF_AbstractOpSetOpType(op, "Neg", s);
    TF_AbstractOpSetAttrType(op, "T", TF_FLOAT, s);
    for (int i = 0; i < 2; i++) {
        TF_OutputListSetNumOutputs(out, 1, s);
        TF_ExecuteOperation(op, 1, &a, out, s);
        assert_status_ok(s);
        results[i] = TF_OutputListGet(out, 0);
        TF_AbstractOpSetOpType(op, "Square", s);
        assert_status_ok(s);
    }
    assert_true(value_of(s, results[0]) == -2 && value_of(s, results[1]) == 4);
    TF_DeleteAbstractOp(op);
    TF_DeleteOutputList(out);
    TF_DeleteAbstractTensor(results[0]);
    TF_DeleteAbstractTensor(results[1]);
    TF_DeleteAbstractTensor(a);
    TF_DeleteExecutionContext(c);
}

/* ---- what does not */

static void eager_ops_refuse(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TF_ExecutionContext *c = new_eager(s), *trace = TF_CreateFunction("f", s);
    TF_AbstractTensor *x = TF_AddFunctionParameter(trace, TF_FLOAT, (TF_Shape){0, NULL}, s), *a = scalar(s, 1);
    TF_AbstractTensor *both[] = {a, x}, *none[] = {a, NULL};
    TF_OutputList *out = TF_NewOutputList();
    TF_AbstractOp *op = TF_NewAbstractOp(c);
    TF_ExecuteOperation(op, 1, &a, out, s);
    assert_status(s, TF_INVALID_ARGUMENT, "incomplete");
    TF_AbstractOpSetAttrType(op, "T", TF_FLOAT, s);
    assert_status(s, TF_FAILED_PRECONDITION, "type");
    TF_AbstractOpSetOpType(op, "NoSuchOp", s);
    assert_status(s, TF_NOT_FOUND, "NoSuchOp");
    TF_AbstractOpSetOpType(op, NULL, s);
    assert_status(s, TF_INVALID_ARGUMENT, "type");
    TF_AbstractOpSetOpType(op, "AddV2", s);
    TF_AbstractOpSetOpName(op, "sum", s);
    assert_status(s, TF_INVALID_ARGUMENT, "not a TracingOperation");
    TF_ExecuteOperation(op, 2, both, out, s);
    assert_status(s, TF_INVALID_ARGUMENT, "input 1");
    TF_AbstractOpSetOpType(op, "AddV2", s);
    TF_ExecuteOperation(op, 2, none, out, s);
    assert_status(s, TF_INVALID_ARGUMENT, "input 1");
    TF_AbstractOpSetOpType(op, "Neg", s);
    TF_ExecuteOperation(op, 1, &a, out, s);
    assert_status(s, TF_INVALID_ARGUMENT, "Expecting 1 outputs");
    TF_ExecuteOperation(op, -1, NULL, out, s);
    assert_status(s, TF_INVALID_ARGUMENT, "no inputs");
    TF_ExecuteOperation(op, 0, NULL, NULL, s);
    assert_status(s, TF_INVALID_ARGUMENT, "no list");
    TF_ExecuteOperation(NULL, 0, NULL, out, s);
    assert_status(s, TF_INVALID_ARGUMENT, "no op");
    assert_null(TF_AddFunctionParameter(c, TF_FLOAT, (TF_Shape){0, NULL}, s));
    assert_status(s, TF_INVALID_ARGUMENT, "traces no function");
    assert_null(TF_FinalizeFunction(c, out, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Only TracingContext");
    assert_null(TF_AbstractTensorGetEagerTensor(x, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Not an eager tensor");
    assert_null(TF_ExecutionContextGetTFEContext(trace, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Not an eager context");
    TF_DeleteExecutionContext(c);
    TF_AbstractOpSetOpType(op, "Neg", s);
    assert_status(s, TF_FAILED_PRECONDITION, "deleted");
    TF_DeleteAbstractOp(op);
    TF_DeleteOutputList(out);
    TF_DeleteAbstractTensor(a);
    TF_DeleteExecutionContext(trace);
    TF_DeleteAbstractTensor(x);
}

static void tracing_refuses(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    int64_t dims[] = {-2};
    TF_ExecutionContext *trace = TF_CreateFunction("f", s), *other = TF_CreateFunction("g", s);
    TF_AbstractTensor *x = TF_AddFunctionParameter(trace, TF_FLOAT, (TF_Shape){0, NULL}, s);
    TF_AbstractTensor *y = TF_AddFunctionParameter(other, TF_FLOAT, (TF_Shape){0, NULL}, s), *both[] = {x, y};
    TF_OutputList *out = TF_NewOutputList();
    assert_null(TF_AddFunctionParameter(trace, TF_FLOAT, (TF_Shape){1, dims}, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Dimension 0");
    assert_null(TF_AddFunctionParameter(trace, TF_FLOAT, (TF_Shape){1, NULL}, s));
    assert_status(s, TF_INVALID_ARGUMENT, "rank 1");
    assert_null(TF_AddFunctionParameter(trace, TF_FLOAT, (TF_Shape){-2, NULL}, s));
    assert_status(s, TF_INVALID_ARGUMENT, "rank -2");
    assert_null(TF_AddFunctionParameter(trace, (TF_DataType)99, (TF_Shape){0, NULL}, s));
    assert_int_not_equal(TF_GetCode(s), TF_OK);
    TF_AbstractOp *op = TF_NewAbstractOp(trace);
    TF_AbstractOpSetOpName(op, "sum", s);
    assert_status(s, TF_FAILED_PRECONDITION, "TF_AbstractOpSetOpType");
    TF_AbstractOpSetOpType(op, "AddV2", s);
    TF_ExecuteOperation(op, 2, both, out, s);
    assert_status(s, TF_INVALID_ARGUMENT, "name");
    TF_AbstractOpSetAttrType(op, "T", TF_FLOAT, s);
    assert_status(s, TF_FAILED_PRECONDITION, "name");
    TF_AbstractOpSetOpName(op, "sum", s);
    assert_status_ok(s);
    TF_AbstractOpSetOpName(op, "sum", s);
    assert_status(s, TF_FAILED_PRECONDITION, "already built");
    TF_AbstractOpSetOpType(op, "Mul", s);
    assert_status(s, TF_FAILED_PRECONDITION, "already built");
    TF_ExecuteOperation(op, 2, both, out, s);
    assert_status(s, TF_INVALID_ARGUMENT, "input 1");
    both[1] = x;
    TF_ExecuteOperation(op, 2, both, out, s);
    assert_status(s, TF_INVALID_ARGUMENT, "Expecting 1 outputs");
    TF_AbstractOpSetOpName(op, "sum", s); /* the name is free again, and the op may go on */
    TF_OutputListSetNumOutputs(out, 1, s);
    TF_ExecuteOperation(op, 2, both, out, s);
    assert_status_ok(s);
    TF_DeleteAbstractTensor(TF_OutputListGet(out, 0));
    TF_AbstractOpSetOpName(op, "half", s); /* and is left half made */
    TF_OutputListSetNumOutputs(out, 0, s);
    TF_OutputListPushBack(out, y, s);
    assert_null(TF_FinalizeFunction(trace, out, s)); /* a tensor of another function */
    assert_status(s, TF_INVALID_ARGUMENT, "not found");
    TF_AbstractOpSetAttrType(op, "T", TF_FLOAT, s);
    assert_status(s, TF_FAILED_PRECONDITION, "finished");
    TF_DeleteAbstractOp(op);
    TF_AbstractTensor *eager = scalar(s, 1);
    TF_OutputListSetNumOutputs(out, 0, s);
    TF_OutputListPushBack(out, eager, s);
    assert_null(TF_FinalizeFunction(other, out, s));
    assert_status(s, TF_UNIMPLEMENTED, "non-graph tensor");
    TF_DeleteOutputList(out);
    TF_DeleteAbstractTensor(x);
    TF_DeleteAbstractTensor(y);
    TF_DeleteAbstractTensor(eager);
}

static void nothing_is_an_error_or_nothing(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TF_SetTracingImplementation("mlir", s);
    assert_status(s, TF_INVALID_ARGUMENT, "available: graphdef");
    TF_SetTracingImplementation(NULL, s);
    assert_status(s, TF_INVALID_ARGUMENT, "graphdef");
    assert_null(TF_CreateFunction("", s));
    assert_status(s, TF_INVALID_ARGUMENT, "name");
    assert_null(TF_CreateFunction(NULL, s));
    assert_status(s, TF_INVALID_ARGUMENT, "name");
    assert_null(TF_CreateAbstractTensorFromEagerTensor(NULL, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Invalid handle");
    assert_null(TF_NewAbstractOp(NULL));
    TF_ExecutionContextRegisterFunction(NULL, NULL, s);
    assert_status(s, TF_INVALID_ARGUMENT, "no context");
    TF_OutputList *out = TF_NewOutputList();
    TF_OutputListSetNumOutputs(out, -1, s);
    assert_status(s, TF_INVALID_ARGUMENT, "-1");
    TF_OutputListPushBack(out, NULL, s);
    assert_status(s, TF_INVALID_ARGUMENT, "no tensor");
    TF_OutputListPushBack(NULL, NULL, s);
    assert_status(s, TF_INVALID_ARGUMENT, "no list");
    assert_null(TF_OutputListGet(out, 0));
    assert_null(TF_OutputListGet(out, -1));
    assert_int_equal(TF_OutputListNumOutputs(out), 0);
    TF_DeleteOutputList(out);
    TF_DeleteOutputList(NULL);
    TF_DeleteAbstractOp(NULL);
    TF_DeleteAbstractTensor(NULL);
    TF_DeleteAbstractFunction(NULL);
    TF_DeleteExecutionContext(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_op_runs_at_once),
        TEST(what_is_traced_runs_as_a_function),
        TEST(a_function_calls_another),
        TEST(an_op_object_is_used_again),
        TEST(eager_ops_refuse),
        TEST(tracing_refuses),
        TEST(nothing_is_an_error_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
