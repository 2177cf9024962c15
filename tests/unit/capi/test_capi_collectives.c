/* Collectives of an eager context: ops and functions that different threads call meet, whatever device and step they
 * have; aborting fails those that wait and those that come. */
#include <pthread.h>
#include <stdio.h>

#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/kernels_experimental.h"
#include "unit/capi/eager_words.h"

static const char two_cpus[] = "\x0a\x07\x0a\x03"
                               "CPU\x10\x02"; /* ConfigProto: device_count { CPU: 2 } */

struct member {
    TFE_Context *context;
    const char *op, *device;
    float gives, gets;
    TF_Code code;
    char message[256];
};

static TFE_TensorHandle *int_handle(int32_t value) {
    TF_Status *s = TF_NewStatus();
    TFE_TensorHandle *h = TFE_NewTensorHandleFromScalar(TF_INT32, &value, sizeof value, s);
    assert_status_ok(s);
    TF_DeleteStatus(s);
    return h;
}

static void add_and_drop(TFE_Op *op, TFE_TensorHandle *h, TF_Status *s) {
    TFE_OpAddInput(op, h, s);
    TFE_DeleteTensorHandle(h);
}

/* The sum of what two members give; by the op, or by a function that has only the value as its argument. */
static void *reduce(void *arg) {
    struct member *m = arg;
    TF_Status *s = TF_NewStatus();
    TFE_TensorHandle *out = NULL;
    int n = 1;
    TFE_Op *op = TFE_NewOp(m->context, m->op, s);
    TFE_OpSetDevice(op, m->device, s);
    add_and_drop(op, scalar(m->gives), s);
    if (strcmp(m->op, "CollectiveReduceV2") == 0) {
        add_and_drop(op, int_handle(2), s); /* members */
        add_and_drop(op, int_handle(7), s); /* of the group 7 */
        add_and_drop(op, int_handle(1), s);
        TFE_OpAddInputList(op, NULL, 0, s);
        TFE_OpSetAttrString(op, "merge_op", "Add", 3);
        TFE_OpSetAttrString(op, "final_op", "Id", 2);
    }
    TFE_Execute(op, &out, &n, s);
    m->code = TF_GetCode(s);
    snprintf(m->message, sizeof m->message, "%s", TF_Message(s));
    if (m->code == TF_OK) m->gets = value_of(out);
    TFE_DeleteOp(op);
    TF_DeleteStatus(s);
    return NULL;
}

static void both_meet(TFE_Context *c, const char *op) {
    struct member a = {.context = c, .op = op, .device = "/cpu:0", .gives = 1},
                  b = {.context = c, .op = op, .device = "/cpu:1", .gives = 2};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, reduce, &a), 0);
    reduce(&b);
    pthread_join(thread, NULL);
    assert_string_equal(a.message, "");
    assert_string_equal(b.message, "");
    assert_true(a.gets == 3 && b.gets == 3);
}

static void ops_on_two_devices_meet(void **state) {
    (void)state;
    TFE_Context *c = context_of(false, two_cpus, sizeof two_cpus - 1);
    for (int i = 0; i < 3; i++) both_meet(c, "CollectiveReduceV2");
    TFE_DeleteContext(c);
}

static TF_Output int_constant(struct fixture *f, const char *name, int32_t value) {
    TF_Tensor *t = TF_AllocateTensor(TF_INT32, NULL, 0, sizeof value);
    *(int32_t *)TF_TensorData(t) = value;
    TF_OperationDescription *d = TF_NewOperation(f->graph, "Const", name);
    TF_SetAttrTensor(d, "value", t, f->status);
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_Output out = {TF_FinishOperation(d, f->status), 0};
    assert_status_ok(f->status);
    TF_DeleteTensor(t);
    return out;
}

/* Each call of a function is a step of its own. */
static void functions_on_two_devices_meet(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = context_of(false, two_cpus, sizeof two_cpus - 1);
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "CollectiveReduceV2", "sum");
    TF_AddInput(d, x);
    TF_AddInput(d, int_constant(f, "size", 2));
    TF_AddInput(d, int_constant(f, "group", 7));
    TF_AddInput(d, int_constant(f, "instance", 1));
    TF_AddInputList(d, NULL, 0);
    TF_SetAttrString(d, "merge_op", "Add", 3);
    TF_SetAttrString(d, "final_op", "Id", 2);
    TF_Output y = {TF_FinishOperation(d, f->status), 0};
    assert_status_ok(f->status);
    TF_Function *sum =
        TF_GraphToFunction(f->graph, "sum_of_both", 0, -1, NULL, 1, &x, 1, &y, NULL, NULL, NULL, f->status);
    TFE_ContextAddFunction(c, sum, f->status);
    assert_status_ok(f->status);
    TF_DeleteFunction(sum);
    for (int i = 0; i < 3; i++) both_meet(c, "sum_of_both");
    TFE_DeleteContext(c);
}

/* The one that waits hears why, and so does who comes later. */
static void aborting_fails_all(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = context_of(false, two_cpus, sizeof two_cpus - 1);
    struct member a = {.context = c, .op = "CollectiveReduceV2", .device = "/cpu:0", .gives = 1}, b = a;
    b.device = "/cpu:1";
    TFE_AbortCollectiveOps(c, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "it must say why");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, reduce, &a), 0);
    TF_SetStatus(f->status, TF_UNAVAILABLE, "the other one has left");
    TFE_AbortCollectiveOps(c, f->status);
    assert_status(f->status, TF_UNAVAILABLE, "the other one has left");
    pthread_join(thread, NULL);
    assert_int_equal(a.code, TF_UNAVAILABLE);
    assert_non_null(strstr(a.message, "Collective ops is aborted by: the other one has left"));
    reduce(&b);
    assert_int_equal(b.code, TF_UNAVAILABLE);
    assert_non_null(strstr(b.message, "the other one has left"));
    TFE_DeleteContext(c);
}

/* A ServerDef for task `task` of the job "worker", which has the tasks 0 to n-1. */
static TF_Buffer *server_def(struct fixture *f, const char *job, int task, int n) {
    char text[512];
    int at = snprintf(text, sizeof text,
                      "job_name: '%s' task_index: %d protocol: 'grpc' cluster { job { name: 'worker' ", job, task);
    for (int i = 0; i < n; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "tasks { key: %d value: 'localhost:%d' } ", i, 2222 + i);
    snprintf(text + at, sizeof text - (size_t)at, "} }");
    TF_Buffer *def = TFE_GetServerDef(text, f->status);
    assert_status_ok(f->status);
    return def;
}

static void assert_first_device(TFE_Context *c, TF_Status *s, const char *name) {
    TF_DeviceList *devices = TFE_ContextListDevices(c, s);
    assert_string_equal(TF_DeviceListName(devices, 0, s), name);
    TF_DeleteDeviceList(devices);
}

/* The context has the name of its task, and all that it had. */
static void a_context_becomes_a_task(void **state) {
    struct fixture *f = *state;
    static const char *const own = "/job:worker/replica:0/task:1/device:CPU:0";
    TFE_Context *c = new_context();
    TFE_TensorHandle *two = scalar(2), *x = call(c, f->status, "Neg", two, NULL), *out = NULL;
    int n = 1;
    TF_Buffer *def = server_def(f, "worker", 1, 2);
    assert_true(TFE_GetContextId(c) == 0);
    TFE_InitializeLocalOnlyContext(c, 0, def->data, def->length, f->status);
    assert_status_ok(f->status);
    assert_first_device(c, f->status, own);
    assert_string_equal(TFE_TensorHandleDeviceName(x, f->status), own);
    assert_true(TFE_GetContextId(c) != 0);
    assert_true(TFE_ContextCheckAlive(c, "/job:worker/replica:0/task:1", f->status));
    TFE_Op *op = TFE_NewOp(c, "AddV2", f->status);
    TFE_OpSetDevice(op, own, f->status);
    TFE_OpAddInput(op, x, f->status);
    TFE_OpAddInput(op, two, f->status);
    TFE_Execute(op, &out, &n, f->status);
    assert_status_ok(f->status);
    assert_string_equal(TFE_TensorHandleDeviceName(out, f->status), own);
    assert_true(value_of(out) == 0);
    TFE_DeleteOp(op);
    TF_DeleteBuffer(def);
    TFE_DeleteTensorHandle(two);
    TFE_DeleteTensorHandle(x);
    TFE_DeleteContext(c);
}

static void a_cluster_of_one_task(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Buffer *def = server_def(f, "worker", 0, 1);
    TFE_ContextUpdateServerDef(c, 0, def->data, def->length, f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "the context is in no cluster");
    TFE_EnableCollectiveOps(c, def->data, def->length, f->status);
    assert_status_ok(f->status);
    assert_first_device(c, f->status, "/job:worker/replica:0/task:0/device:CPU:0");
    assert_true(TFE_GetContextId(c) == 0);
    TFE_ContextSetServerDef(c, 0, def->data, def->length, f->status);
    assert_status_ok(f->status);
    const uint64_t id = TFE_GetContextId(c);
    assert_true(id != 0);
    TFE_ContextUpdateServerDefWithTimeout(c, 0, def->data, def->length, 1000, f->status);
    assert_status_ok(f->status);
    assert_true(TFE_GetContextId(c) == id);
    TFE_ContextSetServerDefWithTimeoutAndRetries(c, 0, def->data, def->length, 1000, 1, f->status, true);
    assert_status_ok(f->status);
    assert_true(TFE_GetContextId(c) != id);
    TF_DeleteBuffer(def);
    TFE_DeleteContext(c);
}

static void clusters_that_a_context_cannot_be_in(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    TF_Buffer *two = server_def(f, "worker", 0, 2), *other_job = server_def(f, "ps", 0, 1),
              *other_task = server_def(f, "worker", 7, 1);
    TFE_ContextSetServerDefWithTimeout(c, 0, two->data, two->length, 100, f->status, false); /* nobody is there */
    assert_int_not_equal(TF_GetCode(f->status), TF_OK);
    assert_true(TFE_GetContextId(c) == 0);
    TFE_EnableCollectiveOps(c, "\377", 1, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Invalid tensorflow.ServerDef protocol buffer");
    TFE_EnableCollectiveOps(c, NULL, 0, f->status);
    assert_status(f->status, TF_NOT_FOUND, "No server factory registered for the given ServerDef");
    TFE_ContextSetServerDefWithTimeout(c, 0, other_job->data, other_job->length, 1000, f->status, false);
    assert_status(f->status, TF_INTERNAL, "Job \"ps\" was not defined in cluster");
    TFE_InitializeLocalOnlyContext(c, 0, other_task->data, other_task->length, f->status);
    assert_status(f->status, TF_INTERNAL, "Task 7 was not defined in job \"worker\"");
    assert_first_device(c, f->status, "/job:localhost/replica:0/task:0/device:CPU:0");
    TF_DeleteBuffer(two);
    TF_DeleteBuffer(other_job);
    TF_DeleteBuffer(other_task);
    TFE_DeleteContext(c);
}

/* What is asked of a context that is in no cluster. */
static void there_is_no_cluster(void **state) {
    struct fixture *f = *state;
    TFE_Context *c = new_context();
    assert_true(TFE_ContextCheckAlive(c, "/job:localhost/replica:0/task:0", f->status));
    assert_status_ok(f->status);
    assert_false(TFE_ContextCheckAlive(c, "/job:worker/replica:0/task:1", f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "There is no worker '/job:worker/replica:0/task:1'");
    assert_false(TFE_ContextCheckAlive(c, "", f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "knows its own task alone");
    TFE_CollectiveOpsCheckPeerHealth(c, "/job:worker/replica:0/task:1", 1000, f->status);
    assert_status(f->status, TF_INTERNAL, "There is no peer '/job:worker/replica:0/task:1'");
    TF_Buffer *tasks = TF_NewBuffer();
    TFE_GetTaskStates(c, tasks, NULL, f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "Coordination service is not enabled.");
    TF_DeleteBuffer(tasks);
    TFE_DeleteContext(c);
}

/* The same by the names that kernels of plug-ins use, which have no public header. */
TF_CoordinationServiceAgent *TF_GetCoordinationServiceAgent(TF_OpKernelContext *context);
bool TF_CoordinationServiceIsInitialized(TF_CoordinationServiceAgent *agent);
TF_Buffer *TF_CoordinationServiceTryGetKeyValue(const char *key, int64_t key_size, TF_CoordinationServiceAgent *agent,
                                                TF_Status *status);
static void kernels_find_no_coordination_service(void **state) {
    struct fixture *f = *state;
    TF_CoordinationServiceAgent *agent = TF_GetCoordinationServiceAgent(NULL);
    assert_null(agent);
    assert_false(TF_CoordinationServiceIsInitialized(agent));
    assert_null(TF_CoordinationServiceTryGetKeyValue("key", 3, agent, f->status));
    assert_status(f->status, TF_FAILED_PRECONDITION, "Coordination service is not enabled.");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(ops_on_two_devices_meet), TEST(functions_on_two_devices_meet),        TEST(aborting_fails_all),
        TEST(there_is_no_cluster),     TEST(kernels_find_no_coordination_service), TEST(a_context_becomes_a_task),
        TEST(a_cluster_of_one_task),   TEST(clusters_that_a_context_cannot_be_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
