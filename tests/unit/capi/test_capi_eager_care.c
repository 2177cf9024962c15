/* What eager execution must not do for the sake of speed: take inputs that others hold, use a kernel that was made for
 * another call, forget one, run what was cancelled, or go on after an error. */
#include <math.h>
#include <pthread.h>

#include "sluice/cancel.h"
#include "sluice/tape.h"
#include "tensorflow/c/c_api_experimental.h"
#include "unit/capi/eager_words.h"

/* ---- inputs and outputs */

/* A scalar is read when its op runs: what the caller writes to it afterwards is not seen by what came of it. */
static void scalars_are_read_when_the_op_runs(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, NULL, 0, 4);
    *(float *)TF_TensorData(t) = 3;
    TFE_TensorHandle *x = TFE_NewTensorHandle(t, f->status), *y = call(c, f->status, "Identity", x, NULL);
    assert_status_ok(f->status);
    *(float *)TF_TensorData(t) = 4;
    assert_true(value_of(y) == 3);
    TFE_DeleteTensorHandle(x);
    TF_DeleteTensor(t);
    const double d = 2.5;
    x = TFE_NewTensorHandleFromScalar(TF_DOUBLE, (void *)&d, sizeof d, f->status);
    assert_status_ok(f->status);
    assert_int_equal(TFE_TensorHandleDataType(x), TF_DOUBLE);
    TFE_DeleteTensorHandle(x);
    assert_null(TFE_NewTensorHandleFromScalar(TF_DOUBLE, (void *)&d, 4, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "4 bytes are no scalar of type double");
    assert_null(TFE_NewTensorHandleFromScalar(TF_STRING, (void *)&d, sizeof d, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "");
    TFE_DeleteContext(c);
}

/* Also what somebody else still holds is an input: it is not taken away. */
static void inputs_stay_with_who_holds_them(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    const int64_t dims[] = {2};
    float four[] = {4, 4};
    TFE_TensorHandle *x = floats(four, dims, 1, 2), *y = call(c, f->status, "AddV2", x, x);
    assert_status_ok(f->status);
    assert_int_equal(TFE_TensorHandleNumElements(x, f->status), 2);
    assert_true(value_of(y) == 8 && value_of(x) == 4);
    TFE_DeleteContext(c);
}

/* The branch that a Switch does not take is a tensor without elements. */
static void what_did_not_run_is_empty(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    unsigned char yes = 1;
    TFE_TensorHandle *x = scalar(3), *on = TFE_NewTensorHandleFromScalar(TF_BOOL, &yes, 1, f->status), *out[2];
    int n = 2;
    TFE_Op *op = TFE_NewOp(c, "Switch", f->status);
    TFE_OpAddInput(op, x, f->status);
    TFE_OpAddInput(op, on, f->status);
    TFE_Execute(op, out, &n, f->status);
    assert_status_ok(f->status);
    assert_int_equal(TFE_TensorHandleNumElements(out[0], f->status), 0);
    assert_int_equal(TFE_TensorHandleDataType(out[0]), TF_FLOAT);
    assert_true(value_of(out[1]) == 3);
    TFE_DeleteTensorHandle(out[0]);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteTensorHandle(on);
    TFE_DeleteOp(op);
    TFE_DeleteContext(c);
}

static void many_inputs(void **state) {
    struct fixture *f = *state;
    enum { MANY = 70 };
    TFE_Context *c = new_context();
    TFE_TensorHandle *parts[MANY], *out;
    int n = 1;
    for (int i = 0; i < MANY; i++) parts[i] = scalar((float)i);
    TFE_Op *op = TFE_NewOp(c, "AddN", f->status);
    TFE_OpAddInputList(op, parts, MANY, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_status_ok(f->status);
    assert_true(value_of(out) == MANY * (MANY - 1) / 2);
    for (int i = 0; i < MANY; i++) TFE_DeleteTensorHandle(parts[i]);
    TFE_DeleteOp(op);
    TFE_DeleteContext(c);
}

/* Each value of an attribute has a kernel of its own, however many there are. */
static void many_kernels(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *x = scalar(-1);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 300; i++) {
            TFE_TensorHandle *out;
            int n = 1;
            TFE_Op *op = TFE_NewOp(c, "LeakyRelu", f->status);
            TFE_OpSetAttrFloat(op, "alpha", (float)i);
            TFE_OpAddInput(op, x, f->status);
            TFE_Execute(op, &out, &n, f->status);
            assert_status_ok(f->status);
            assert_true(value_of(out) == -(float)i);
            TFE_DeleteOp(op);
        }
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

/* ---- devices */

static TFE_Context *context_of_two_devices(void) {
    return context_of(false,
                      "\x0a\x07\x0a\x03"
                      "CPU"
                      "\x10\x02",
                      9); /* device_count { CPU: 2 } */
}

/* An input on another device than the op: as the thread's policy says. */
static void policies_of_placement(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = context_of_two_devices();
    TF_Tensor *five = int_tensor(5);
    TFE_TensorHandle *here[] = {scalar(3), TFE_NewTensorHandle(five, f->status)}, *there[2];
    static const char *const names[] = {"CPU:1", "/job:localhost/replica:0/task:0/device:CPU:1"};
    for (int i = 0; i < 2; i++) {
        there[i] = TFE_TensorHandleCopyToDevice(here[i], c, names[i], f->status);
        assert_status_ok(f->status);
        assert_string_equal(TFE_TensorHandleDeviceName(there[i], f->status), names[1]);
    }
    assert_null(TFE_TensorHandleCopyToDevice(here[0], c, "CPU:2", f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "CPU:2 unknown device.");
    static const struct {
        TFE_ContextDevicePlacementPolicy policy;
        bool takes_floats, takes_ints;
    } rows[] = {{TFE_DEVICE_PLACEMENT_SILENT, true, true},
                {TFE_DEVICE_PLACEMENT_SILENT_FOR_INT32, false, true},
                {TFE_DEVICE_PLACEMENT_EXPLICIT, false, false},
                {TFE_DEVICE_PLACEMENT_WARN, true, true}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        TFE_ContextSetThreadLocalDevicePlacementPolicy(c, rows[row].policy);
        for (int i = 0; i < 2; i++) {
            TFE_TensorHandle *y = call(c, f->status, "Neg", there[i], NULL);
            assert_int_equal(y != NULL, i ? rows[row].takes_ints : rows[row].takes_floats);
            if (!y) assert_status(f->status, TF_INVALID_ARGUMENT, "Tensors on conflicting devices: cannot compute Neg");
            TFE_DeleteTensorHandle(y);
        }
    }
    for (int i = 0; i < 2; i++) {
        TFE_DeleteTensorHandle(here[i]);
        TFE_DeleteTensorHandle(there[i]);
    }
    TF_DeleteTensor(five);
    TFE_DeleteContext(c);
}

/* A device that is not there is replaced where that is allowed now, whenever the call's kernel was made. */
static void soft_placement_may_change(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *x = scalar(-1), *y;
    for (int i = 0; i < 200; i++) {
        int n = 1;
        TFE_ContextSetSoftDevicePlacement(c, i % 2 == 0, f->status);
        TFE_Op *op = TFE_NewOp(c, "LeakyRelu", f->status);
        TFE_OpSetDevice(op, "/device:GPU:0", f->status);
        TFE_OpSetAttrFloat(op, "alpha", (float)(i / 2));
        TFE_OpAddInput(op, x, f->status);
        TFE_Execute(op, &y, &n, f->status);
        if (i % 2 == 0) {
            assert_status_ok(f->status);
            assert_true(value_of(y) == -(float)(i / 2));
        } else {
            assert_status(f->status, TF_INVALID_ARGUMENT, "Could not satisfy device specification '/device:GPU:0'");
        }
        TFE_DeleteOp(op);
    }
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

/* ---- functions */

/* To forget a function is not to forget kernels: a generator goes on. */
static void generators_outlive_functions(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Function *function = doubling(f);
    float got[2];
    const int64_t dims[] = {1};
    TF_Tensor *shape = TF_AllocateTensor(TF_INT32, dims, 1, 4);
    *(int32_t *)TF_TensorData(shape) = 1;
    TFE_TensorHandle *h = TFE_NewTensorHandle(shape, f->status), *four = scalar(4), *out;
    for (int i = 0; i < 2; i++) {
        TFE_ContextAddFunction(c, function, f->status);
        assert_true(value_of(call(c, f->status, "double", four, NULL)) == 8);
        if (i) TFE_ContextRemoveFunction(c, "double", f->status);
        if (i) TFE_ContextRemoveFunction(c, "double", f->status);
        assert_status_ok(f->status);
        TFE_Op *op = TFE_NewOp(c, "RandomUniform", f->status);
        int n = 1;
        TFE_OpAddInput(op, h, f->status);
        TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
        TFE_OpSetAttrInt(op, "seed", 5);
        TFE_Execute(op, &out, &n, f->status);
        assert_status_ok(f->status);
        got[i] = value_of(out);
        TFE_DeleteOp(op);
    }
    assert_true(got[0] != got[1]);
    TFE_DeleteTensorHandle(four);
    TFE_DeleteTensorHandle(h);
    TF_DeleteTensor(shape);
    TF_DeleteFunction(function);
    TFE_DeleteContext(c);
}

static void count(void *n) { ++*(int *)n; }

static void what_is_cancelled_does_not_begin(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Function *function = doubling(f);
    TFE_CancellationManager *m = TFE_NewCancellationManager();
    TFE_CancellationToken tokens[3];
    TFE_TensorHandle *x = scalar(4), *y;
    int called[3] = {0}, n = 1;
    for (int i = 0; i < 3; i++) {
        const TFE_CancelCallback callback = {count, &called[i]};
        tokens[i] = TFE_CancellationManagerGetToken(m);
        assert_true(TFE_CancellationManagerRegisterCallback(m, tokens[i], &callback, "count"));
    }
    assert_true(TFE_CancellationManagerDeregisterCallback(m, tokens[1]));
    TFE_ContextAddFunction(c, function, f->status);
    for (int i = 0; i < 2; i++) {
        TFE_Op *op = TFE_NewOp(c, "double", f->status);
        TFE_OpSetCancellationManager(op, m, f->status);
        TFE_OpAddInput(op, x, f->status);
        TFE_Execute(op, &y, &n, f->status);
        if (i) assert_status(f->status, TF_CANCELLED, "Function was cancelled before it was started");
        else assert_true(value_of(y) == 8);
        TFE_DeleteOp(op);
        TFE_CancellationManagerStartCancel(m);
    }
    assert_true(TFE_CancellationManagerIsCancelled(m) && !TFE_CancellationManagerDeregisterCallback(m, tokens[0]));
    assert_true(called[0] == 1 && called[1] == 0 && called[2] == 1);
    TFE_DeleteCancellationManager(m);
    TFE_DeleteTensorHandle(x);
    TF_DeleteFunction(function);
    TFE_DeleteContext(c);
}

/* Calls of functions, recorded by a tape or not, and gradients; not a call that has a manager of its own. */
static void a_cancelled_thread_begins_nothing(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Function *function = doubling(f);
    TFE_CancellationManager *m = TFE_NewCancellationManager(), *own = TFE_NewCancellationManager();
    TFE_TensorHandle *x = scalar(4), *y, *z, *dx = NULL;
    TFE_ContextAddFunction(c, function, f->status);
    struct sl_tape *tape = sl_tape_start(c, true, f->status);
    sl_tape_watch(tape, x, f->status);
    for (int i = 0; i < 4; i++) {
        int n = 1;
        TFE_Op *op = TFE_NewOp(c, "double", f->status);
        if (i == 2) TFE_OpSetCancellationManager(op, own, f->status);
        if (i == 3) sl_tape_pause(tape, f->status);
        TFE_OpAddInput(op, x, f->status);
        TFE_Execute(op, i ? &z : &y, &n, f->status);
        if (i % 2) assert_status(f->status, TF_CANCELLED, "cancelled");
        else if (i) assert_true(value_of(z) == 8);
        else assert_status_ok(f->status);
        TFE_DeleteOp(op);
        sl_thread_stops_with(m);
        TFE_CancellationManagerStartCancel(m);
    }
    sl_tape_gradient(&dx, tape, &y, 1, &x, 1, NULL, f->status);
    assert_status(f->status, TF_CANCELLED, "cancelled");
    sl_thread_stops_with(NULL);
    sl_tape_gradient(&dx, tape, &y, 1, &x, 1, NULL, f->status);
    assert_status_ok(f->status);
    assert_true(value_of(dx) == 2 && value_of(y) == 8);
    sl_tape_delete(tape);
    TFE_DeleteCancellationManager(m);
    TFE_DeleteCancellationManager(own);
    TFE_DeleteTensorHandle(x);
    TF_DeleteFunction(function);
    TFE_DeleteContext(c);
}

/* ---- errors that come later */

/* Until the error is cleared nothing more is done; a wait for all tells the first of several. */
static void errors_stay_until_they_are_cleared(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = context_of(true, NULL, 0);
    TFE_Executor *own = TFE_NewExecutor(true, false, 0);
    TFE_TensorHandle *parts[4], *bad, *worse;
    for (int64_t i = 0; i < 4; i++) parts[i] = floats((float[]){1, 2, 3, 4}, (int64_t[]){i + 1}, 1, (int)i + 1);
    TFE_ContextSetExecutorForThread(c, own);
    bad = call(c, f->status, "AddV2", parts[1], parts[2]);
    TFE_ExecutorWaitForAllPendingNodes(own, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Incompatible shapes: [2] vs. [3]");
    assert_null(call(c, f->status, "Neg", parts[0], NULL));
    assert_status(f->status, TF_INVALID_ARGUMENT, "This error cancels all future operations");
    TFE_ExecutorClearError(own);
    TFE_TensorHandle *y = call(c, f->status, "Neg", parts[0], NULL);
    assert_true(value_of(y) == -1);
    TFE_DeleteTensorHandle(bad);

    bad = call(c, f->status, "AddV2", parts[1], parts[2]);
    TFE_ContextSetExecutorForThread(c, NULL);
    worse = call(c, f->status, "AddV2", parts[2], parts[3]);
    TFE_ContextSetExecutorForThread(c, own);
    TFE_ContextAsyncWait(c, f->status); /* the context's own first */
    assert_status(f->status, TF_INVALID_ARGUMENT, "Incompatible shapes: [3] vs. [4]");
    TFE_ContextAsyncWait(c, f->status);
    assert_status_ok(f->status);
    TFE_DeleteTensorHandle(bad);
    TFE_DeleteTensorHandle(worse);
    for (int i = 0; i < 4; i++) TFE_DeleteTensorHandle(parts[i]);
    TFE_DeleteExecutor(own);
    TFE_DeleteContext(c);
}

/* One thread runs into errors, another clears them, all the time. */
static void *clear_often(void *executor) {
    for (int i = 0; i < 20000; i++) TFE_ExecutorClearError(executor);
    return NULL;
}
static void errors_may_be_cleared_at_any_time(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_Executor *own = TFE_NewExecutor(true, false, 0);
    const int64_t two[] = {2}, three[] = {3};
    TFE_TensorHandle *a = floats((float[]){1, 2}, two, 1, 2), *b = floats((float[]){1, 2, 3}, three, 1, 3);
    pthread_t thread;
    TFE_ContextSetExecutorForThread(c, own);
    assert_int_equal(pthread_create(&thread, NULL, clear_often, own), 0);
    for (int i = 0; i < 500; i++) {
        TFE_TensorHandle *bad = call(c, f->status, "AddV2", a, b), *after[4];
        for (int k = 0; k < 4; k++) {
            after[k] = call(c, f->status, "Neg", bad ? bad : a, NULL);
            if (!after[k]) assert_status(f->status, TF_INVALID_ARGUMENT, "Incompatible shapes: [2] vs. [3]");
        }
        for (int k = 0; k < 4; k++) {
            if (!after[k]) continue;
            TF_Tensor *t = TFE_TensorHandleResolve(after[k], f->status);
            if (t) assert_true(!bad && *(float *)TF_TensorData(t) == -1);
            else assert_status(f->status, TF_INVALID_ARGUMENT, "Incompatible shapes: [2] vs. [3]");
            TF_DeleteTensor(t);
            TFE_DeleteTensorHandle(after[k]);
        }
        TFE_DeleteTensorHandle(bad);
    }
    pthread_join(thread, NULL);
    TFE_ExecutorWaitForAllPendingNodes(own, f->status);
    TFE_ExecutorClearError(own);
    TFE_ContextSetExecutorForThread(c, NULL);
    TFE_DeleteTensorHandle(a);
    TFE_DeleteTensorHandle(b);
    TFE_DeleteExecutor(own);
    TFE_DeleteContext(c);
}

/* ---- beside execution */

/* By attributes that nobody has set, and by what the caller says where no value is known. */
/* Tensors of one context go into ops of another, also from devices that the other has not got, and outlive theirs. */
static void handles_of_another_context(void **state) {
    struct fixture *f = *state;
    TFE_Context *first = context_of(false,
                                    "\x0a\x07\x0a\x03"
                                    "CPU\x10\x28",
                                    9), /* 40 devices */
        *second = context_of(false,
                             "\x0a\x07\x0a\x03"
                             "CPU\x10\x02",
                             9);
    TFE_TensorHandle *one = scalar(1), *there;
    there = TFE_TensorHandleCopyToDevice(one, first, "CPU:39", f->status);
    assert_status_ok(f->status);
    for (int policy = TFE_DEVICE_PLACEMENT_EXPLICIT; policy <= TFE_DEVICE_PLACEMENT_SILENT_FOR_INT32; policy++) {
        TFE_ContextSetThreadLocalDevicePlacementPolicy(second, (TFE_ContextDevicePlacementPolicy)policy);
        TFE_TensorHandle *sum = call(second, f->status, "AddV2", there, one);
        assert_status_ok(f->status);
        assert_string_equal(TFE_TensorHandleDeviceName(sum, f->status), "/job:localhost/replica:0/task:0/device:CPU:0");
        assert_true(value_of(sum) == 2);
    }
    TFE_TensorHandle *moved = TFE_TensorHandleCopyToDevice(there, second, "CPU:39", f->status);
    assert_null(moved);
    assert_status(f->status, TF_INVALID_ARGUMENT, "CPU:39 unknown device.");
    TFE_DeleteTensorHandle(there);
    TFE_DeleteContext(first);
    TFE_TensorHandle *sum = call(second, f->status, "AddV2", one, one);
    assert_true(value_of(sum) == 2);
    TFE_DeleteTensorHandle(one);
    TFE_DeleteContext(second);
}

/* After an error an op may be executed again, reset, or deleted; its inputs are no longer there. */
static void an_op_after_an_error(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *one = scalar(1), *out[2] = {NULL, NULL};
    int n = 2;
    TFE_Op *op = TFE_NewOp(c, "AddV2", f->status);
    TFE_OpAddInput(op, one, f->status);
    TFE_Execute(op, out, &n, f->status);
    assert_true(TF_GetCode(f->status) == TF_INVALID_ARGUMENT);
    n = 2;
    TFE_Execute(op, out, &n, f->status);
    assert_true(TF_GetCode(f->status) != TF_OK);
    n = 0; /* there is no room for the result */
    TFE_OpReset(op, "AddV2", NULL, f->status);
    assert_status_ok(f->status);
    TFE_OpAddInput(op, one, f->status);
    TFE_OpAddInput(op, one, f->status);
    TFE_OpAddInput(op, one, f->status);
    assert_true(TF_GetCode(f->status) == TF_INVALID_ARGUMENT);
    TFE_Execute(op, out, &n, f->status);
    assert_true(TF_GetCode(f->status) == TF_INVALID_ARGUMENT);
    TFE_OpReset(op, "NoSuchOp", NULL, f->status);
    assert_true(TF_GetCode(f->status) != TF_OK);
    TFE_OpAddInput(op, one, f->status);
    assert_true(TF_GetCode(f->status) != TF_OK);
    TFE_OpReset(op, "Neg", NULL, f->status);
    TFE_OpAddInput(op, one, f->status);
    n = 2;
    TFE_Execute(op, out, &n, f->status);
    assert_status_ok(f->status);
    assert_int_equal(n, 1);
    assert_true(value_of(out[0]) == -1);
    TFE_DeleteOp(op);
    TFE_DeleteTensorHandle(one);
    TFE_DeleteContext(c);
}

/* An executor that was deleted while a thread has it: the thread's ops go to the context's. */
static void an_executor_that_is_gone(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TFE_TensorHandle *one = scalar(1);
    TFE_Executor *mine = TFE_NewExecutor(true, false, 0);
    TFE_ContextSetExecutorForThread(c, mine);
    TFE_TensorHandle *late = call(c, f->status, "Neg", one, NULL);
    TFE_DeleteExecutor(mine);
    TFE_TensorHandle *sum = call(c, f->status, "AddV2", late, one);
    assert_status_ok(f->status);
    assert_true(value_of(sum) == 0);
    TFE_DeleteTensorHandle(late);
    TFE_DeleteTensorHandle(one);
    TFE_DeleteContext(c);
}

static void shapes_follow_from_defaults(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_ShapeAndTypeList *in = TF_NewShapeAndTypeList(2), *told = TF_NewShapeAndTypeList(2), *out = NULL;
    TFE_Op *op = TFE_NewOp(c, "MatMul", f->status);
    TF_ShapeAndTypeListSetShape(in, 0, (int64_t[]){2, 3}, 2);
    TF_ShapeAndTypeListSetShape(in, 1, (int64_t[]){3, 4}, 2);
    TFE_InferShapes(op, in, NULL, NULL, NULL, &out, NULL, f->status);
    assert_status_ok(f->status);
    assert_true(out->items[0].dims[0] == 2 && out->items[0].dims[1] == 4);
    TF_DeleteShapeAndTypeList(out);
    TFE_OpReset(op, "Reshape", NULL, f->status);
    const int64_t length[] = {2};
    TF_Tensor *shape = TF_AllocateTensor(TF_INT32, length, 1, 8), *known[] = {NULL, shape};
    memcpy(TF_TensorData(shape), (int32_t[]){-1, 2}, 8);
    TF_ShapeAndTypeListSetShape(in, 1, length, 1);
    TF_ShapeAndTypeListSetShape(told, 1, (int64_t[]){-1, 6}, 2);
    for (int i = 0; i < 2; i++) {
        TFE_InferShapes(op, in, i ? known : NULL, told, NULL, &out, NULL, f->status);
        assert_status_ok(f->status);
        assert_true(out->items[0].num_dims == 2 && out->items[0].dims[0] == (i ? 3 : 1));
        TF_DeleteShapeAndTypeList(out);
    }
    TF_DeleteTensor(shape);
    TF_DeleteShapeAndTypeList(told);
    TF_DeleteShapeAndTypeList(in);
    TFE_DeleteOp(op);
    TFE_DeleteContext(c);
}

/* Field `number` of a HistogramProto, as it is encoded: a double, or element `index` of packed ones. */
static double histogram_field(const TF_Buffer *b, int number, int index) {
    const unsigned char *p = b->data, *end = p + b->length;
    double value = 0;
    while (p < end) {
        const int tag = *p++, is_packed = (tag & 7) == 2, n = is_packed ? *p++ : 8;
        if (tag >> 3 == number) memcpy(&value, p + 8 * index, 8);
        p += n;
    }
    return value;
}

static void samples_fall_into_buckets(void **state) {
    struct fixture *f = *state;
    static const double samples[] = {3, 2, 5, 1e9}; /* at a limit: in the bucket behind it */
    static const double limits[] = {1, 2, 4, HUGE_VAL}, counts[] = {0, 0, 2, 2}, sums[] = {2, 1e9, 4, 1e9 + 10};
    TFE_MonitoringBuckets *buckets = TFE_MonitoringNewExponentialBuckets(1, 2, 3);
    TFE_MonitoringSampler0 *times = TFE_MonitoringNewSampler0("times", buckets, f->status, "");
    TF_Buffer *histogram = TF_NewBuffer();
    TFE_MonitoringDeleteBuckets(buckets);
    for (int i = 0; i < 4; i++) TFE_MonitoringSamplerCellAdd(TFE_MonitoringGetCellSampler0(times), samples[i]);
    TFE_MonitoringSamplerCellValue(TFE_MonitoringGetCellSampler0(times), histogram);
    for (int i = 0; i < 4; i++) {
        assert_true(histogram_field(histogram, 6, i) == limits[i]);
        assert_true(histogram_field(histogram, 7, i) == counts[i]);
        assert_true(histogram_field(histogram, i + 1, 0) == sums[i]); /* least, largest, number, sum */
    }
    TF_DeleteBuffer(histogram);
    TFE_MonitoringDeleteSampler0(times);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(scalars_are_read_when_the_op_runs),
        TEST(inputs_stay_with_who_holds_them),
        TEST(what_did_not_run_is_empty),
        TEST(many_inputs),
        TEST(many_kernels),
        TEST(policies_of_placement),
        TEST(soft_placement_may_change),
        TEST(generators_outlive_functions),
        TEST(what_is_cancelled_does_not_begin),
        TEST(a_cancelled_thread_begins_nothing),
        TEST(errors_stay_until_they_are_cleared),
        TEST(errors_may_be_cleared_at_any_time),
        TEST(handles_of_another_context),
        TEST(an_op_after_an_error),
        TEST(an_executor_that_is_gone),
        TEST(shapes_follow_from_defaults),
        TEST(samples_fall_into_buckets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
