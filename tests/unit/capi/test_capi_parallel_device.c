/* The parallel device: tensors with a component on each of two devices, ops that run on both at once. */
#include "tensorflow/c/eager/parallel_device/parallel_device.h"
#include "unit/capi/eager_words.h"

#define TASK   "/job:localhost/replica:0/task:0/device:"
#define DEVICE TASK "CUSTOM:0"

static const char two_cpus[] = "\n\007\n\003CPU\020\002"; /* device_count { key: "CPU" value: 2 } */
static const char *const cpus[] = {TASK "CPU:0", TASK "CPU:1"};

static TFE_Context *parallel_context(TF_Status *s, int n) {
    TFE_Context *c = context_of(false, two_cpus, sizeof two_cpus - 1);
    TFE_CustomDevice device;
    void *info;
    AllocateParallelDevice(DEVICE, cpus, n, &device, &info);
    assert_non_null(info);
    TFE_RegisterCustomDevice(c, device, DEVICE, info, s);
    assert_status_ok(s);
    return c;
}

static TFE_Op *placed(TFE_Context *c, TF_Status *s, const char *name) {
    TFE_Op *op = TFE_NewOp(c, name, s);
    assert_status_ok(s);
    TFE_OpSetDevice(op, DEVICE, s);
    assert_status_ok(s);
    return op;
}

/* Executes and deletes; how many outputs there are, -1 on failure. */
static int run(TF_Status *s, TFE_Op *op, TFE_TensorHandle **out, int room) {
    TFE_Execute(op, out, &room, s);
    TFE_DeleteOp(op);
    return TF_GetCode(s) == TF_OK ? room : -1;
}

/* Takes both over. */
static TFE_TensorHandle *pack(TFE_Context *c, TF_Status *s, TFE_TensorHandle *a, TFE_TensorHandle *b) {
    TFE_TensorHandle *both[] = {a, b}, *out = NULL;
    TFE_Op *op = placed(c, s, "TPUReplicatedInput");
    TFE_OpAddInputList(op, both, 2, s);
    assert_status_ok(s);
    run(s, op, &out, 1);
    TFE_DeleteTensorHandle(a);
    TFE_DeleteTensorHandle(b);
    return out;
}

static void unpack(TFE_Context *c, TF_Status *s, TFE_TensorHandle *x, TFE_TensorHandle **out) {
    TFE_Op *op = placed(c, s, "TPUReplicatedOutput");
    TFE_OpSetAttrInt(op, "num_replicas", 2);
    TFE_OpAddInput(op, x, s);
    assert_int_equal(run(s, op, out, 2), 2);
    assert_status_ok(s);
}

static TFE_TensorHandle *call_placed(TFE_Context *c, TF_Status *s, const char *name, TFE_TensorHandle *x,
                                     TFE_TensorHandle *y) {
    TFE_TensorHandle *out = NULL;
    TFE_Op *op = placed(c, s, name);
    TFE_OpAddInput(op, x, s);
    if (y) TFE_OpAddInput(op, y, s);
    assert_status_ok(s);
    run(s, op, &out, 1);
    return out;
}

static void an_op_runs_on_each_device(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = parallel_context(s, 2);
    TFE_TensorHandle *x = pack(c, s, scalar(2), scalar(5)), *parts[2];
    assert_status_ok(s);
    assert_string_equal(TFE_TensorHandleDeviceName(x, s), DEVICE);
    TFE_TensorHandle *y = call_placed(c, s, "Mul", x, x);
    assert_status_ok(s);
    unpack(c, s, y, parts);
    assert_string_equal(TFE_TensorHandleDeviceName(parts[0], s), cpus[0]);
    assert_string_equal(TFE_TensorHandleDeviceName(parts[1], s), cpus[1]);
    assert_true(value_of(parts[0]) == 4);
    assert_true(value_of(parts[1]) == 25);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteTensorHandle(y);
    TFE_DeleteContext(c);
}

/* A variable is one on each device. */
static void variables_have_components(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = parallel_context(s, 2);
    TFE_TensorHandle *v = NULL, *x = pack(c, s, scalar(1), scalar(2)), *parts[2];
    TFE_Op *op = placed(c, s, "VarHandleOp");
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_OpSetAttrShape(op, "shape", NULL, 0, s);
    assert_int_equal(run(s, op, &v, 1), 1);
    assert_int_equal(TFE_TensorHandleDataType(v), TF_RESOURCE);
    for (int i = 0; i < 2; i++) {
        op = placed(c, s, i ? "AssignAddVariableOp" : "AssignVariableOp");
        TFE_OpAddInput(op, v, s);
        TFE_OpAddInput(op, x, s);
        assert_int_equal(run(s, op, parts, 0), 0);
        assert_status_ok(s);
    }
    op = placed(c, s, "ReadVariableOp");
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_OpAddInput(op, v, s);
    TFE_TensorHandle *read = NULL;
    assert_int_equal(run(s, op, &read, 1), 1);
    unpack(c, s, read, parts);
    assert_true(value_of(parts[0]) == 2);
    assert_true(value_of(parts[1]) == 4);
    TFE_TensorHandle *all[] = {v, x, read};
    for (int i = 0; i < 3; i++) TFE_DeleteTensorHandle(all[i]);
    TFE_DeleteContext(c);
}

static void shapes_may_differ(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = parallel_context(s, 2);
    const float values[6] = {0};
    TFE_TensorHandle *x = pack(c, s, floats(values, (int64_t[]){2, 1}, 2, 2), floats(values, (int64_t[]){2, 3}, 2, 6));
    assert_int_equal(TFE_TensorHandleNumDims(x, s), 2);
    assert_int_equal(TFE_TensorHandleDim(x, 0, s), 2);
    assert_int_equal(TFE_TensorHandleDim(x, 1, s), -1);
    assert_status_ok(s);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

/* A queue of one device is closed, the other's is empty for ever: who waits there is woken. */
static void a_failure_cancels_the_others(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = parallel_context(s, 2);
    TFE_TensorHandle *queues = NULL, *parts[2], *out = NULL;
    const TF_DataType types[] = {TF_FLOAT};
    TFE_Op *op = placed(c, s, "FIFOQueueV2");
    TFE_OpSetAttrTypeList(op, "component_types", types, 1);
    assert_int_equal(run(s, op, &queues, 1), 1);
    unpack(c, s, queues, parts);
    op = TFE_NewOp(c, "QueueCloseV2", s);
    TFE_OpAddInput(op, parts[1], s);
    assert_int_equal(run(s, op, NULL, 0), 0);
    op = placed(c, s, "QueueDequeueV2");
    TFE_OpSetAttrTypeList(op, "component_types", types, 1);
    TFE_OpAddInput(op, queues, s);
    assert_int_equal(run(s, op, &out, 1), -1);
    assert_status(s, TF_OUT_OF_RANGE, "is closed and has insufficient elements");
    TFE_TensorHandle *all[] = {queues, parts[0], parts[1]};
    for (int i = 0; i < 3; i++) TFE_DeleteTensorHandle(all[i]);
    TFE_DeleteContext(c);
}

static void of_one_device_it_is_that(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = parallel_context(s, 1);
    TFE_TensorHandle *a = scalar(3), *x = NULL;
    TFE_Op *op = placed(c, s, "TPUReplicatedInput");
    TFE_OpAddInputList(op, &a, 1, s);
    assert_int_equal(run(s, op, &x, 1), 1);
    assert_true(value_of(x) == 3);
    TFE_DeleteTensorHandle(a);
    TFE_DeleteContext(c);
}

static void what_does_not_fit_is_refused(void **state) {
    TF_Status *s = ((struct fixture *)*state)->status;
    TFE_Context *c = parallel_context(s, 2);
    TFE_TensorHandle *x = pack(c, s, scalar(1), scalar(2)), *a = scalar(3), *out = NULL;
    assert_null(TFE_TensorHandleResolve(x, s));
    assert_status(s, TF_UNIMPLEMENTED, "unpacked explicitly");
    assert_null(TFE_TensorHandleCopyToDevice(a, c, DEVICE, s));
    assert_status(s, TF_UNIMPLEMENTED, "on to the parallel device");
    assert_null(call_placed(c, s, "Mul", x, a));
    assert_status(s, TF_INVALID_ARGUMENT, "Got a non-parallel tensor as input 1");
    TFE_Op *op = TFE_NewOp(c, "Neg", s);
    TFE_OpAddInput(op, x, s);
    assert_int_equal(run(s, op, &out, 1), -1);
    assert_status(s, TF_INTERNAL, "placed on the parallel device explicitly");
    op = placed(c, s, "TPUReplicatedInput");
    TFE_OpAddInputList(op, &a, 1, s);
    assert_int_equal(run(s, op, &out, 1), -1);
    assert_status(s, TF_INVALID_ARGUMENT, "expected 2 inputs to TPUReplicatedInput, but got 1");
    op = placed(c, s, "TPUReplicatedInput");
    TFE_OpAddInputList(op, (TFE_TensorHandle *[]){x, x}, 2, s);
    assert_int_equal(run(s, op, &out, 1), -1);
    assert_status(s, TF_INVALID_ARGUMENT, "non-parallel TensorHandles");
    op = placed(c, s, "TPUReplicatedOutput");
    TFE_OpAddInput(op, x, s);
    assert_int_equal(run(s, op, &out, 1), -1);
    assert_status(s, TF_INVALID_ARGUMENT, "room for 1 outputs");
    op = placed(c, s, "TPUReplicatedOutput");
    TFE_OpAddInput(op, a, s);
    assert_int_equal(run(s, op, &out, 1), -1);
    assert_status(s, TF_INVALID_ARGUMENT, "takes one tensor that is there");
    op = placed(c, s, "Neg");
    TFE_OpAddInput(op, x, s);
    assert_int_equal(run(s, op, &out, 0), -1);
    assert_status(s, TF_INVALID_ARGUMENT, "Expecting 1 outputs");
    TF_Tensor *i = int_tensor(1);
    TFE_TensorHandle *h = TFE_NewTensorHandle(i, s);
    TF_DeleteTensor(i);
    assert_null(pack(c, s, h, scalar(1)));
    assert_status(s, TF_INVALID_ARGUMENT, "of types int32 and float");
    TFE_DeleteTensorHandle(x);
    TFE_DeleteTensorHandle(a);
    TFE_CustomDevice device;
    void *info;
    AllocateParallelDevice("/job:localhost/replica:0/task:0/device:CUSTOM:1", NULL, 0, &device, &info);
    assert_null(info);
    TFE_RegisterCustomDevice(c, device, TASK "CUSTOM:1", info, s);
    assert_status(s, TF_INVALID_ARGUMENT, "lacks a function");
    TFE_DeleteContext(c);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_op_runs_on_each_device),    TEST(variables_have_components), TEST(shapes_may_differ),
        TEST(a_failure_cancels_the_others), TEST(of_one_device_it_is_that),  TEST(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
