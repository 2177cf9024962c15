/* Eager execution through the C API: ops by themselves, functions, executors, devices, and what a caller does wrong. */
#include <pthread.h>

#include "tensorflow/c/c_api_experimental.h"
#include "unit/capi/eager_words.h"

/* ---- ops */

static void an_op_runs(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *a = scalar(2), *b = scalar(3);
    for (int i = 0; i < 3; i++) {
        TFE_TensorHandle *sum = call(c, f->status, "AddV2", a, b);
        assert_status_ok(f->status);
        assert_true(value_of(sum) == 5);
    }
    TFE_DeleteTensorHandle(a);
    TFE_DeleteTensorHandle(b);
    TFE_DeleteContext(c);
}

/* An op object is executed again with other inputs, and made into another op. */
static void an_op_object_is_used_again(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *a = scalar(2), *b = scalar(3), *out;
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, "Mul", f->status);
    TFE_OpAddInput(op, a, f->status);
    TFE_OpAddInput(op, b, f->status);
    assert_int_equal(TFE_OpGetFlatInputCount(op, f->status), 2);
    TFE_Execute(op, &out, &n, f->status);
    assert_true(value_of(out) == 6);
    assert_int_equal(TFE_OpGetFlatInputCount(op, f->status), 0);
    TFE_OpAddInput(op, b, f->status);
    TFE_OpAddInput(op, b, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_true(value_of(out) == 9);
    TFE_OpReset(op, "Neg", NULL, f->status);
    assert_status_ok(f->status);
    TFE_OpAddInput(op, b, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_true(value_of(out) == -3);
    TFE_DeleteOp(op);
    TFE_DeleteTensorHandle(a);
    TFE_DeleteTensorHandle(b);
    TFE_DeleteContext(c);
}

/* The caller's tensor is shared; a kernel never writes where somebody else can see it. */
static void elements_are_shared_and_not_written_to(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    const int64_t dims[] = {2};
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, dims, 1, 8);
    float *p = TF_TensorData(t);
    p[0] = p[1] = 1;
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, f->status);
    p[1] = 7;
    TFE_TensorHandle *y = call(c, f->status, "Neg", h, NULL);
    TFE_DeleteTensorHandle(h);
    assert_true(p[0] == 1 && p[1] == 7);
    TF_Tensor *seen = TFE_TensorHandleResolve(y, f->status);
    assert_true(((float *)TF_TensorData(seen))[1] == -7);
    TF_Tensor *again = TFE_TensorHandleResolve(y, f->status);
    assert_ptr_equal(TF_TensorData(seen), TF_TensorData(again));
    TF_DeleteTensor(seen);
    TF_DeleteTensor(again);
    TFE_DeleteTensorHandle(y);
    TF_DeleteTensor(t);
    TFE_DeleteContext(c);
}

static void lists_give_numbers_and_types(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    const int64_t dims[] = {1};
    float one = 1, two = 2;
    TFE_TensorHandle *parts[] = {floats(&one, dims, 1, 1), floats(&two, dims, 1, 1)}, *out;
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, "Pack", f->status);
    TFE_OpAddInputList(op, parts, 2, f->status);
    assert_int_equal(TFE_OpGetInputLength(op, "values", f->status), 2);
    TFE_OpSetAttrInt(op, "axis", 1);
    TFE_OpSetAttrInt(op, "axis", 0); /* the first value stays */
    TFE_Execute(op, &out, &n, f->status);
    assert_status_ok(f->status);
    assert_int_equal(TFE_TensorHandleDim(out, 1, f->status), 2);
    TFE_DeleteTensorHandle(out);
    TFE_DeleteOp(op);
    for (int i = 0; i < 2; i++) TFE_DeleteTensorHandle(parts[i]);
    TFE_DeleteContext(c);
}

/* ---- state */

/* The kernel of the same call goes on where it stopped, until the context forgets it. */
static void generators_go_on(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    float got[3];
    const int64_t dims[] = {1};
    for (int i = 0; i < 3; i++) {
        if (i == 2) TFE_ContextClearCaches(c);
        TF_Tensor *shape = TF_AllocateTensor(TF_INT32, dims, 1, 4);
        *(int32_t *)TF_TensorData(shape) = 1;
        TFE_TensorHandle *h = TFE_NewTensorHandle(shape, f->status), *out;
        TFE_Op *op = TFE_NewOp(c, "RandomUniform", f->status);
        int n = 1;
        TFE_OpAddInput(op, h, f->status);
        TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
        TFE_OpSetAttrInt(op, "seed", 5);
        TFE_Execute(op, &out, &n, f->status);
        assert_status_ok(f->status);
        got[i] = value_of(out);
        TFE_DeleteOp(op);
        TFE_DeleteTensorHandle(h);
        TF_DeleteTensor(shape);
    }
    assert_true(got[0] != got[1] && got[0] == got[2]);
    TFE_DeleteContext(c);
}

static TFE_TensorHandle *variable(TFE_Context *c, TF_Status *s, const char *name, const char *device) {
    TFE_TensorHandle *h = NULL;
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, "VarHandleOp", s);
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_OpSetAttrShape(op, "shape", NULL, 0, s);
    TFE_OpSetAttrString(op, "shared_name", name, strlen(name));
    TFE_OpSetDevice(op, device, s);
    TFE_Execute(op, &h, &n, s);
    assert_status_ok(s);
    TFE_DeleteOp(op);
    return h;
}

static void assign(TFE_Context *c, TF_Status *s, TFE_TensorHandle *v, float value) {
    TFE_TensorHandle *x = scalar(value);
    TFE_Op *op = TFE_NewOp(c, "AssignVariableOp", s);
    int n = 0;
    TFE_OpAddInput(op, v, s);
    TFE_OpAddInput(op, x, s);
    TFE_Execute(op, NULL, &n, s);
    assert_status_ok(s);
    TFE_DeleteOp(op);
    TFE_DeleteTensorHandle(x);
}

static float read(TFE_Context *c, TF_Status *s, TFE_TensorHandle *v) {
    TFE_TensorHandle *out;
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, "ReadVariableOp", s);
    TFE_OpAddInput(op, v, s);
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_Execute(op, &out, &n, s);
    TFE_DeleteOp(op);
    return TF_GetCode(s) == TF_OK ? value_of(out) : -1;
}

/* A variable of one name is one on each device, and what is read of it does not change any more. */
static void variables_are_a_devices_own(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = context_of(false,
                                "\x0a\x07\x0a\x03"
                                "CPU"
                                "\x10\x02",
                                9); /* device_count { CPU: 2 } */
    TFE_TensorHandle *here = variable(c, f->status, "v", ""), *there = variable(c, f->status, "v", "/device:CPU:1"),
                     *same = variable(c, f->status, "v", "");
    assign(c, f->status, here, 4);
    assert_true(read(c, f->status, same) == 4);
    read(c, f->status, there);
    assert_status(f->status, TF_FAILED_PRECONDITION, "Could not find variable v");
    assign(c, f->status, there, 9);
    assert_true(read(c, f->status, here) == 4 && read(c, f->status, there) == 9);
    assert_string_equal(TFE_TensorHandleDeviceName(there, f->status), "/job:localhost/replica:0/task:0/device:CPU:1");
    TFE_DeleteTensorHandle(here);
    TFE_DeleteTensorHandle(there);
    TFE_DeleteTensorHandle(same);
    TFE_DeleteContext(c);
}

/* ---- functions */

static void a_function_is_an_op(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Function *function = doubling(f);
    TFE_ContextAddFunction(c, function, f->status);
    TFE_ContextAddFunction(c, function, f->status); /* counted */
    assert_status_ok(f->status);
    TF_DeleteFunction(function);
    TFE_TensorHandle *x = scalar(4);
    for (int i = 0; i < 2; i++) {
        TFE_TensorHandle *y = call(c, f->status, "double", x, NULL);
        assert_status_ok(f->status);
        assert_true(value_of(y) == 8);
        TFE_ContextRemoveFunction(c, "double", f->status);
        assert_status_ok(f->status);
        assert_int_equal(TFE_ContextHasFunction(c, "double"), i == 0);
    }
    assert_null(call(c, f->status, "double", x, NULL));
    assert_status(f->status, TF_NOT_FOUND, "'double' is neither a type of a primitive operation");
    TFE_ContextRemoveFunction(c, "double", f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Tried to remove non-existent function 'double'.");
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

/* How many graphs there are in RunMetadata, which is emptied: fields 3 and 4, whose tags come one after another. */
static void count_graphs(TFE_Context *c, TF_Status *s, int *pieces, int *functions) {
    TF_Buffer *b = TF_NewBuffer();
    TFE_ContextExportRunMetadata(c, b, s);
    assert_status_ok(s);
    const uint8_t *p = b->data, *end = p + b->length;
    *pieces = *functions = 0;
    while (p < end) {
        const int tag = *p++;
        size_t length = 0;
        for (int shift = 0;; shift += 7) {
            length |= (size_t)(*p & 127) << shift;
            if (*p++ < 128) break;
        }
        *pieces += tag == (3 << 3 | 2);
        *functions += tag == (4 << 3 | 2);
        p += length;
    }
    TF_DeleteBuffer(b);
}

/* Those who ask see a function's graphs once, when it is compiled. */
/* A call says that there are more results than the function has: what is missing is empty, on each call. */
static void results_that_are_missing(void **state) {
    struct fixture *f = *state;
    for (int is_async = 0; is_async < 2; is_async++) {
        TFE_Context *c = context_of(is_async, NULL, 0);
        TF_Function *function = doubling(f);
        TFE_ContextAddFunction(c, function, f->status);
        assert_status_ok(f->status);
        TFE_TensorHandle *x = scalar(3);
        for (int i = 0; i < 2; i++) {
            const TF_DataType types[] = {TF_FLOAT, TF_INT32, TF_STRING};
            TFE_TensorHandle *out[4] = {NULL};
            int n = 4;
            TFE_Op *op = TFE_NewOp(c, i ? "StatefulPartitionedCall" : "PartitionedCall", f->status);
            TFE_OpAddInputList(op, &x, 1, f->status);
            TFE_OpSetAttrFunctionName(op, "f", "double", 6);
            TFE_OpSetAttrTypeList(op, "Tout", types, 3);
            TFE_Execute(op, out, &n, f->status);
            assert_status_ok(f->status);
            assert_int_equal(n, 3);
            assert_true(value_of(out[0]) == 6);
            for (int o = 1; o < 3; o++) {
                assert_int_equal(TFE_TensorHandleDataType(out[o]), types[o]);
                assert_true(TFE_TensorHandleNumElements(out[o], f->status) == 0);
                TFE_DeleteTensorHandle(out[o]);
            }
            TFE_DeleteOp(op);
        }
        TFE_DeleteTensorHandle(x);
        TFE_DeleteContext(c);
        TF_DeleteFunction(function);
        TF_DeleteGraph(f->graph);
        f->graph = TF_NewGraph();
    }
}

static void graphs_of_functions_are_shown(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Function *function = doubling(f);
    TFE_TensorHandle *x = scalar(4);
    int pieces, functions;
    TFE_ContextAddFunction(c, function, f->status);
    TF_DeleteFunction(function);
    TFE_ContextEnableRunMetadata(c);
    TFE_DeleteTensorHandle(call(c, f->status, "Neg", x, NULL));
    count_graphs(c, f->status, &pieces, &functions);
    assert_int_equal(pieces + functions, 0);
    for (int i = 0; i < 2; i++) {
        TFE_DeleteTensorHandle(call(c, f->status, "double", x, NULL));
        count_graphs(c, f->status, &pieces, &functions);
        assert_int_equal(pieces, i == 0);
        assert_int_equal(functions, i == 0);
    }
    TFE_ContextDisableRunMetadata(c);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

/* y = x + x on /device:GPU:0. A ConfigProto of the call lets it go elsewhere; the context's soft placement does not. */
static void a_call_says_how_nodes_are_placed(void **state) {
    struct fixture *f = *state;
    static const char soft[] = "\x38\x01"; /* allow_soft_placement */
    TFE_Context *c = context_of(false, soft, 2);
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "AddV2", "y");
    TF_AddInput(d, x);
    TF_AddInput(d, x);
    TF_SetDevice(d, "/device:GPU:0");
    TF_Output y = {TF_FinishOperation(d, f->status), 0};
    TF_Function *function = TF_GraphToFunction(f->graph, "far", 0, -1, NULL, 1, &x, 1, &y, NULL, NULL, NULL, f->status);
    TFE_ContextAddFunction(c, function, f->status);
    TF_DeleteFunction(function);
    TFE_TensorHandle *value = scalar(3), *out = NULL;
    assert_null(call(c, f->status, "far", value, NULL));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Unable to find any devices for spec /device:GPU:0");
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, "far", f->status);
    TFE_OpSetAttrString(op, "config_proto", soft, 2);
    TFE_OpAddInput(op, value, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_status_ok(f->status);
    assert_true(value_of(out) == 6);
    TFE_OpReset(op, "far", NULL, f->status);
    TFE_OpSetAttrString(op, "config_proto", "\xff", 1);
    TFE_OpAddInput(op, value, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "config_proto");
    TFE_DeleteOp(op);
    TFE_DeleteTensorHandle(value);
    TFE_DeleteContext(c);
}

/* ---- switches, devices, steps */

static void ops_may_run_as_functions(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *two = floats((const float[]){1, 2}, (const int64_t[]){2}, 1, 2),
                     *three = floats((const float[]){1, 2, 3}, (const int64_t[]){3}, 1, 3), *parts[] = {two, three},
                     *out;
    TFE_ContextSetRunEagerOpAsFunction(c, 1, f->status);
    assert_null(call(c, f->status, "AddV2", two, three));
    assert_status(
        f->status, TF_INVALID_ARGUMENT,
        "{{function_node __wrapped__AddV2_device_/job:localhost/replica:0/task:0/device:CPU:0}} Incompatible");
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, "Pack", f->status);
    TFE_OpAddInputList(op, parts, 2, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "{{function_node __wrapped__Pack_N_2_device_");
    TFE_OpReset(op, "Shape", NULL, f->status);
    TFE_OpAddInput(op, two, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_status(f->status, TF_NOT_FOUND, "No attr named 'out_type' in NodeDef:");
    TFE_OpReset(op, "Neg", NULL, f->status);
    TFE_OpSetAttrInt(op, "_mine", 1);
    TFE_OpAddInput(op, two, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_status(f->status, TF_UNIMPLEMENTED, "Neg has a private attr '_mine'");
    TFE_DeleteOp(op);
    TFE_ContextSetRunEagerOpAsFunction(c, 0, f->status);
    assert_null(call(c, f->status, "AddV2", two, three));
    assert_null(strstr(TF_Message(f->status), "__wrapped__"));
    TFE_DeleteTensorHandle(two);
    TFE_DeleteTensorHandle(three);
    TFE_DeleteContext(c);
}

static void devices_may_be_added(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *x = scalar(3), *there, *sum;
    there = call(c, f->status, "Neg", x, NULL);
    TFE_SetLogicalCpuDevices(c, 3, "/job:localhost/replica:0/task:0", f->status);
    assert_status_ok(f->status);
    TFE_DeleteTensorHandle(x);
    x = TFE_TensorHandleCopyToDevice(there, c, "CPU:2", f->status);
    assert_status_ok(f->status);
    sum = call(c, f->status, "AddV2", x, there);
    assert_status_ok(f->status);
    assert_true(value_of(sum) == -6);
    TFE_SetLogicalCpuDevices(c, 2, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Trying to add device");
    TFE_SetLogicalCpuDevices(c, 2, "/job:worker/replica:0/task:0", f->status);
    assert_status(f->status, TF_UNIMPLEMENTED, "devices of another task");
    TFE_DeleteTensorHandle(x);
    TFE_DeleteTensorHandle(there);
    TFE_DeleteContext(c);
    c = new_context();
    TFE_SetLogicalCpuDevices(c, 1000, "", f->status);
    assert_status(f->status, TF_RESOURCE_EXHAUSTED, "there is room for 31 more");
    TFE_DeleteContext(c);
}

/* A stack is its step's: whoever has its handle afterwards has nothing. */
static void steps_end(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    const int32_t size = 4;
    TFE_TensorHandle *most = TFE_NewTensorHandleFromScalar(TF_INT32, (void *)&size, 4, f->status), *stack = NULL,
                     *x = scalar(5);
    int n = 1;
    TFE_ContextStartStep(c);
    TFE_Op *op = TFE_NewOp(c, "StackV2", f->status);
    TFE_OpAddInput(op, most, f->status);
    TFE_OpSetAttrType(op, "elem_type", TF_FLOAT);
    TFE_Execute(op, &stack, &n, f->status);
    assert_status_ok(f->status);
    TFE_DeleteTensorHandle(call(c, f->status, "StackPushV2", stack, x));
    assert_status_ok(f->status);
    TFE_ContextEndStep(c);
    assert_null(call(c, f->status, "StackPushV2", stack, x));
    assert_status(f->status, TF_NOT_FOUND, "Container __per_step_0 does not exist");
    TFE_DeleteOp(op);
    TFE_DeleteTensorHandle(most);
    TFE_DeleteTensorHandle(stack);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

/* ---- asynchronous */

/* The error comes to what reads the value, and to whoever waits; later calls are refused until it is cleared. */
static void errors_come_later(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = context_of(true, NULL, 0);
    const int64_t two[] = {2}, three[] = {3};
    TFE_TensorHandle *a = floats((float[]){1, 2}, two, 1, 2), *b = floats((float[]){1, 2, 3}, three, 1, 3);
    TFE_TensorHandle *good = call(c, f->status, "Neg", a, NULL), *bad = call(c, f->status, "AddV2", a, b);
    assert_non_null(bad);
    assert_null(TFE_TensorHandleResolve(bad, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Incompatible shapes: [2] vs. [3]");
    TFE_ContextAsyncWait(c, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Incompatible shapes: [2] vs. [3]");
    TFE_ContextAsyncWait(c, f->status);
    assert_status_ok(f->status);
    assert_int_equal(TFE_TensorHandleNumElements(good, f->status), 2);
    TFE_TensorHandle *later = call(c, f->status, "Neg", good, NULL);
    assert_int_equal(TFE_TensorHandleNumElements(later, f->status), 2);
    assert_status_ok(f->status);
    TFE_TensorHandle *all[] = {a, b, good, bad, later};
    for (int i = 0; i < 5; i++) TFE_DeleteTensorHandle(all[i]);
    TFE_DeleteContext(c);
}

static void order_is_kept(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = context_of(true, NULL, 0);
    TFE_TensorHandle *x = scalar(0), *one = scalar(1);
    for (int i = 0; i < 1000; i++) {
        TFE_TensorHandle *y = call(c, f->status, "AddV2", x, one);
        assert_status_ok(f->status);
        TFE_DeleteTensorHandle(x);
        x = y;
    }
    assert_true(value_of(x) == 1000);
    TFE_DeleteTensorHandle(one);
    TFE_DeleteContext(c);
}

/* A thread's own executor, until it is deleted. */
static void a_thread_has_its_executor(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_Executor *own = TFE_NewExecutor(true, false, 2), *now;
    TFE_ContextSetExecutorForThread(c, own);
    now = TFE_ContextGetExecutorForThread(c);
    assert_true(TFE_ExecutorIsAsync(now));
    TFE_DeleteExecutor(now);
    TFE_TensorHandle *x = scalar(3), *y = call(c, f->status, "Neg", x, NULL);
    TFE_ExecutorWaitForAllPendingNodes(own, f->status);
    assert_status_ok(f->status);
    assert_true(value_of(y) == -3);
    TFE_DeleteExecutor(own);
    now = TFE_ContextGetExecutorForThread(c);
    assert_false(TFE_ExecutorIsAsync(now));
    TFE_DeleteExecutor(now);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

/* ---- threads */
enum { CALLERS = 4, CALLS = 500 };
static void *call_often(void *arg) {
    TF_Status *s = TF_NewStatus();
    TFE_TensorHandle *x = scalar(1), *one = scalar(1);
    for (int i = 0; i < CALLS; i++) {
        TFE_TensorHandle *y = call(arg, s, i % 2 ? "AddV2" : "Mul", x, one);
        if (i % 100 == 99) TFE_ContextClearCaches(arg);
        TFE_DeleteTensorHandle(x);
        x = y;
    }
    assert_true(value_of(x) == 1 + CALLS / 2);
    TFE_DeleteTensorHandle(one);
    TF_DeleteStatus(s);
    return NULL;
}

static void threads_share_a_context(void **state) {
    (void)state;
    TFE_Context *c = new_context();
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; i++) assert_int_equal(pthread_create(&threads[i], NULL, call_often, c), 0);
    for (int i = 0; i < CALLERS; i++) pthread_join(threads[i], NULL);
    TFE_DeleteContext(c);
}

/* ---- beside execution */

static void shapes_are_inferred(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_ShapeAndTypeList *in = TF_NewShapeAndTypeList(2), *out = NULL;
    TFE_Op *op = TFE_NewOp(c, "AddV2", f->status);
    TF_ShapeAndTypeListSetShape(in, 0, (int64_t[]){2, -1}, 2);
    TF_ShapeAndTypeListSetShape(in, 1, (int64_t[]){3}, 1);
    TFE_InferShapes(op, in, NULL, NULL, NULL, &out, NULL, f->status);
    assert_status_ok(f->status);
    assert_true(out->num_items == 1 && out->items[0].num_dims == 2 && out->items[0].dims[1] == 3);
    TF_DeleteShapeAndTypeList(out);
    TF_ShapeAndTypeListSetShape(in, 0, (int64_t[]){2, 4}, 2);
    TFE_InferShapes(op, in, NULL, NULL, NULL, &out, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Dimensions must be equal, but are 4 and 3");
    TF_DeleteShapeAndTypeList(in);
    TFE_DeleteOp(op);
    TFE_DeleteContext(c);
}

/* A cell for each tuple of labels. */
static void metrics_count(void **state) {
    struct fixture *f = *state;
    TFE_MonitoringCounter2 *runs = TFE_MonitoringNewCounter2("runs", f->status, "how often", "who", "where");
    TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringGetCellCounter2(runs, "a", "b"), 2);
    TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringGetCellCounter2(runs, "a", "b"), 3);
    assert_int_equal(TFE_MonitoringCounterCellValue(TFE_MonitoringGetCellCounter2(runs, "a", "b")), 5);
    assert_int_equal(TFE_MonitoringCounterCellValue(TFE_MonitoringGetCellCounter2(runs, "b", "a")), 0);
    TFE_MonitoringDeleteCounter2(runs);
    TFE_MonitoringStringGauge1 *what = TFE_MonitoringNewStringGauge1("what", f->status, "", "who");
    TFE_MonitoringStringGaugeCell *cell = TFE_MonitoringGetCellStringGauge1(what, "a");
    TF_Buffer *text = TF_NewBuffer();
    TFE_MonitoringStringGaugeCellSet(cell, "first");
    TFE_MonitoringStringGaugeCellSet(cell, "second");
    TFE_MonitoringStringGaugeCellValue(cell, text);
    assert_true(text->length == 6 && buffer_contains(text, "second"));
    TF_DeleteBuffer(text);
    TFE_MonitoringDeleteStringGauge1(what);
    TFE_MonitoringBuckets *buckets = TFE_MonitoringNewExponentialBuckets(1, 2, 3);
    TFE_MonitoringSampler0 *times = TFE_MonitoringNewSampler0("times", buckets, f->status, "");
    TFE_MonitoringDeleteBuckets(buckets);
    TFE_MonitoringSamplerCellAdd(TFE_MonitoringGetCellSampler0(times), 3);
    TF_Buffer *histogram = TF_NewBuffer();
    TFE_MonitoringSamplerCellValue(TFE_MonitoringGetCellSampler0(times), histogram);
    assert_true(histogram->length > 64); /* 4 limits, 4 counts */
    TF_DeleteBuffer(histogram);
    TFE_MonitoringDeleteSampler0(times);
}

/* ---- what is wrong */

static void mistakes_are_told(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *x = scalar(1), *out[2];
    TF_Tensor *i32 = int_tensor(3);
    TFE_TensorHandle *i = TFE_NewTensorHandle(i32, f->status);
    assert_null(call(c, f->status, "NoSuchOp", x, NULL));
    assert_status(f->status, TF_NOT_FOUND, "'NoSuchOp' is neither");
    assert_null(call(c, f->status, "AddV2", x, i));
    assert_status(f->status, TF_INVALID_ARGUMENT,
                  "input #1(zero-based) was expected to be a float tensor but is a int32 tensor");
    assert_null(call(c, f->status, "AddV2", x, NULL));
    assert_int_equal(TF_GetCode(f->status), TF_INVALID_ARGUMENT);
    TFE_Op *op = TFE_NewOp(c, "Neg", f->status);
    TFE_OpSetDevice(op, "CPU:1", f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Malformed device specification 'CPU:1'");
    TFE_OpSetDevice(op, "/device:GPU:0", f->status);
    TFE_OpAddInput(op, x, f->status);
    TFE_OpAddInput(op, x, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Neg takes 1 arguments");
    TFE_OpAddInput(op, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Invalid handle");
    int n = 0;
    TFE_Execute(op, out, &n, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Could not satisfy device specification '/device:GPU:0'");
    TFE_OpReset(op, "Neg", NULL, f->status);
    TFE_OpAddInput(op, x, f->status);
    TFE_Execute(op, out, &n, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Expecting 1 outputs, but *num_retvals is 0");
    TFE_OpReset(op, "NoSuchOp", NULL, f->status);
    assert_int_equal(TF_GetCode(f->status), TF_NOT_FOUND);
    TFE_Execute(op, out, &n, f->status);
    assert_int_equal(TF_GetCode(f->status), TF_INVALID_ARGUMENT);
    unsigned char is_list;
    TF_Buffer *buffer = TF_NewBuffer();
    assert_int_equal(TFE_OpGetInputLength(op, "x", f->status), -1); /* whatever an op without a name is asked */
    assert_status(f->status, TF_FAILED_PRECONDITION, "the op has no name");
    assert_int_equal(TFE_OpGetOutputLength(op, "y", f->status), -1);
    assert_status(f->status, TF_FAILED_PRECONDITION, "the op has no name");
    (void)TFE_OpGetAttrType(op, "T", &is_list, f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "the op has no name");
    TFE_OpAttrsSerialize(TFE_OpGetAttrs(op), buffer, f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "the op has no name");
    TF_DeleteBuffer(buffer);
    TFE_DeleteOp(op);
    assert_int_equal(TFE_TensorHandleDim(x, 0, f->status), -1);
    assert_status(f->status, TF_INVALID_ARGUMENT, "there is no dim 0 in a tensor of rank 0");
    assert_int_equal(TFE_TensorHandleNumDims(NULL, f->status), -1);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Invalid handle");
    TFE_DeleteTensorHandle(x);
    TFE_DeleteTensorHandle(i);
    TF_DeleteTensor(i32);
    TFE_DeleteContext(c);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(an_op_runs),
        TEST(an_op_object_is_used_again),
        TEST(elements_are_shared_and_not_written_to),
        TEST(lists_give_numbers_and_types),
        TEST(generators_go_on),
        TEST(variables_are_a_devices_own),
        TEST(a_function_is_an_op),
        TEST(results_that_are_missing),
        TEST(graphs_of_functions_are_shown),
        TEST(a_call_says_how_nodes_are_placed),
        TEST(ops_may_run_as_functions),
        TEST(devices_may_be_added),
        TEST(steps_end),
        TEST(errors_come_later),
        TEST(order_is_kept),
        TEST(a_thread_has_its_executor),
        TEST(threads_share_a_context),
        TEST(shapes_are_inferred),
        TEST(metrics_count),
        TEST(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
