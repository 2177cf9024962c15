/* Sessions: runs, growing graphs, partial runs, names instead of handles, devices, ends. */
#include <pthread.h>
#include <stdio.h>

#include "tensorflow/c/c_api.h"
#include "unit/capi/capi_fixture.h"

static void runs_feed_and_fetch(void **state) {
    struct fixture *f = *state;
    TF_Output feed = placeholder(f->graph, f->status, "feed"), two = constant(f->graph, f->status, "two", 2);
    TF_Output add = binary(f->graph, f->status, "AddV2", "add", feed, two);
    TF_Session *session = new_session(f->graph, f->status);
    assert_int_equal(run_int(session, f->status, feed, 3, add), 5);
    assert_int_equal(run_int(session, f->status, feed, 40, add), 42);
    TF_Output nothing = {NULL, 0};
    assert_int_equal(run_int(session, f->status, nothing, 0, two), 2);
    TF_CloseSession(session, f->status);
    assert_status_ok(f->status);
    TF_DeleteSession(session, f->status);
    assert_status_ok(f->status);
}

/* One output of a node is fed, the other is computed. What is fed cannot be fetched; what only waits for it can. */
static void outputs_are_fed_one_by_one(void **state) {
    struct fixture *f = *state;
    TF_Output feed = placeholder(f->graph, f->status, "feed"), five = constant(f->graph, f->status, "five", 5);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "Merge", "merge");
    TF_AddInputList(d, &five, 1);
    TF_Operation *merge = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    TF_Output value = {merge, 0}, index = {merge, 1}, sum = binary(f->graph, f->status, "AddV2", "sum", value, index);
    d = TF_NewOperation(f->graph, "Identity", "waits");
    TF_AddInput(d, five);
    TF_AddControlInput(d, feed.oper);
    TF_Output waits = {TF_FinishOperation(d, f->status), 0};
    assert_status_ok(f->status);
    TF_Session *session = new_session(f->graph, f->status);
    assert_int_equal(run_int(session, f->status, index, 40, sum), 45);
    assert_int_equal(run_int(session, f->status, value, 40, sum), 40);
    assert_int_equal(run_int(session, f->status, feed, 1, waits), 5);
    TF_Tensor *in = int_tensor(1), *out = NULL;
    TF_SessionRun(session, NULL, &feed, &in, 1, &feed, &out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Tensor feed:0 is both fed and fetched.");
    assert_null(out);
    TF_DeleteTensor(in);
    TF_DeleteSession(session, f->status);
}

static void graphs_may_grow_between_runs(void **state) {
    struct fixture *f = *state;
    TF_Output feed = placeholder(f->graph, f->status, "feed");
    TF_Output neg = unary(f->graph, f->status, "Neg", "neg", feed);
    TF_Session *session = new_session(f->graph, f->status);
    assert_int_equal(run_int(session, f->status, feed, 3, neg), -3);
    TF_Output more = binary(f->graph, f->status, "AddV2", "more", neg, neg);
    assert_int_equal(run_int(session, f->status, feed, 7, more), -14);
    assert_int_equal(run_int(session, f->status, feed, 7, neg), -7);
    TF_DeleteSession(session, f->status);
}

static void extending_by_hand_leaves_it_to_the_caller(void **state) {
    struct fixture *f = *state;
    TF_Output feed = placeholder(f->graph, f->status, "feed");
    TF_Session *session = new_session(f->graph, f->status);
    TF_ExtendSession(session, f->status);
    assert_status_ok(f->status);
    TF_Output neg = unary(f->graph, f->status, "Neg", "neg", feed);
    TF_Tensor *in = int_tensor(3), *out = NULL;
    TF_SessionRun(session, NULL, &feed, &in, 1, &neg, &out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT,
                  "Tensor neg:0, specified in either feed_devices or fetch_devices was not found");
    assert_null(out);
    TF_ExtendSession(session, f->status);
    TF_DeleteTensor(in);
    assert_int_equal(run_int(session, f->status, feed, 3, neg), -3);
    TF_DeleteSession(session, f->status);
}

static void graphs_live_as_long_as_their_sessions(void **state) {
    struct fixture *f = *state;
    TF_Graph *graph = TF_NewGraph();
    TF_Output feed = placeholder(graph, f->status, "feed"), neg = unary(graph, f->status, "Neg", "neg", feed);
    TF_Session *first = new_session(graph, f->status), *second = new_session(graph, f->status);
    TF_DeleteGraph(graph);
    assert_int_equal(run_int(first, f->status, feed, 3, neg), -3);
    TF_DeleteSession(first, f->status);
    assert_int_equal(run_int(second, f->status, feed, 4, neg), -4);
    TF_DeleteSession(second, f->status);
}

static void targets_run_without_a_value(void **state) {
    struct fixture *f = *state;
    TF_Output c = constant(f->graph, f->status, "c", 1);
    const TF_Operation *target = c.oper;
    TF_Session *session = new_session(f->graph, f->status);
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &target, 1, NULL, f->status);
    assert_status_ok(f->status);
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Must specify at least one target to fetch or execute.");
    TF_DeleteSession(session, f->status);
}

static void runs_of_what_is_wrong_fail(void **state) {
    struct fixture *f = *state;
    TF_Output feed = placeholder(f->graph, f->status, "feed"), neg = unary(f->graph, f->status, "Neg", "neg", feed);
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *out = (TF_Tensor *)f;
    TF_SessionRun(session, NULL, NULL, NULL, 0, &neg, &out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT,
                  "You must feed a value for placeholder tensor 'feed' with dtype int32");
    assert_null(out);

    TF_Output beyond = {neg.oper, 5};
    TF_SessionRun(session, NULL, NULL, NULL, 0, &beyond, &out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_OUT_OF_RANGE, "Node 'neg' (type: 'Neg', num of outputs: 1) does not have output 5");

    const int64_t dims[1] = {0};
    TF_Tensor *wrong = TF_AllocateTensor(TF_FLOAT, dims, 1, 0);
    TF_SessionRun(session, NULL, &feed, &wrong, 1, &neg, &out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "");
    TF_DeleteTensor(wrong);

    TF_Tensor *in = int_tensor(1);
    TF_Buffer *junk = TF_NewBufferFromString("\xff\xff", 2);
    TF_SessionRun(session, junk, &feed, &in, 1, &neg, &out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Unparseable RunOptions proto");
    TF_SessionRun(session, NULL, &feed, &in, 1, &neg, &out, 1, NULL, 0, junk, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Passing non-empty run_metadata is invalid.");
    TF_DeleteBuffer(junk);
    TF_DeleteTensor(in);
    TF_DeleteSession(session, f->status);
}

/* A fetch on the branch that is not taken: named, and nothing of the run is handed out. */
static void dead_fetches_are_refused(void **state) {
    struct fixture *f = *state;
    TF_Output on = typed_placeholder(f->graph, f->status, "on", TF_BOOL);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "Switch", "switch");
    TF_AddInput(d, constant(f->graph, f->status, "five", 5));
    TF_AddInput(d, on);
    TF_Operation *both = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    TF_Session *session = new_session(f->graph, f->status);
    const TF_Output fetches[] = {{both, 1}, {both, 0}};
    TF_Tensor *in = TF_AllocateTensor(TF_BOOL, NULL, 0, 1), *out[2] = {NULL, NULL};
    *(bool *)TF_TensorData(in) = true;
    TF_SessionRun(session, NULL, &on, &in, 1, fetches, out, 2, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Retval[1] does not have value: switch:0");
    assert_null(out[0]);
    assert_null(out[1]);
    TF_SessionRun(session, NULL, &on, &in, 1, fetches, out, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(out[0]), 5);
    TF_DeleteTensor(in);
    TF_DeleteSession(session, f->status);
}

static TF_Output op_of_two(struct fixture *f, const char *op, const char *name, TF_Output x, TF_Output y,
                           bool is_list) {
    TF_OperationDescription *d = TF_NewOperation(f->graph, op, name);
    const TF_Output both[] = {x, y};
    if (is_list) TF_AddInputList(d, both, 2);
    for (int i = 0; i < 2 && !is_list; i++) TF_AddInput(d, both[i]);
    TF_Operation *made = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return (TF_Output){made, 0};
}

/* Which input a Merge took is dead as the Merge is, whatever a run before left there. */
static void dead_merges_have_no_index(void **state) {
    struct fixture *f = *state;
    TF_Output x = placeholder(f->graph, f->status, "x"), feeds[3] = {x};
    for (int i = 1; i < 3; i++) feeds[i] = typed_placeholder(f->graph, f->status, i == 1 ? "on" : "second", TF_BOOL);
    TF_Output outer = op_of_two(f, "Switch", "outer", x, feeds[1], false);
    outer.index = 1;
    TF_Output inner = op_of_two(f, "Switch", "inner", outer, feeds[2], false), other = inner;
    other.index = 1;
    TF_Output index = op_of_two(f, "Merge", "merge", inner, other, true);
    index.index = 1;
    TF_Session *session = new_session(f->graph, f->status);
    for (int i = 0; i < 6; i++) {
        TF_Tensor *in[3] = {int_tensor(5), TF_AllocateTensor(TF_BOOL, NULL, 0, 1),
                            TF_AllocateTensor(TF_BOOL, NULL, 0, 1)};
        TF_Tensor *out = NULL;
        *(bool *)TF_TensorData(in[1]) = i % 2 == 0;
        *(bool *)TF_TensorData(in[2]) = i > 2;
        TF_SessionRun(session, NULL, feeds, in, 3, &index, &out, 1, NULL, 0, NULL, f->status);
        if (i % 2) {
            assert_status(f->status, TF_INVALID_ARGUMENT, "Retval[0] does not have value: merge:1");
        } else {
            assert_status_ok(f->status);
            assert_int_equal(int_of(out), i > 2);
        }
        for (int k = 0; k < 3; k++) TF_DeleteTensor(in[k]);
    }
    TF_DeleteSession(session, f->status);
}

/* Runs alike but for one word: the index of a fetch, of a feed, or a target more. */
static void runs_are_told_apart(void **state) {
    struct fixture *f = *state;
    const int64_t dims[1] = {4};
    TF_Tensor *four = TF_AllocateTensor(TF_INT32, dims, 1, 16);
    memcpy(TF_TensorData(four), (int32_t[]){1, 2, 3, 4}, 16);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "Const", "four");
    TF_SetAttrTensor(d, "value", four, f->status);
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_Output value = {TF_FinishOperation(d, f->status), 0};
    d = TF_NewOperation(f->graph, "Split", "split");
    TF_AddInput(d, constant(f->graph, f->status, "axis", 0));
    TF_AddInput(d, value);
    TF_SetAttrInt(d, "num_split", 4);
    TF_Operation *split = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    TF_Session *session = new_session(f->graph, f->status);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 4; i++) {
            const TF_Output fetch = {split, i};
            const TF_Operation *target = split;
            TF_Tensor *out = NULL;
            TF_SessionRun(session, NULL, NULL, NULL, 0, &fetch, &out, 1, &target, round, NULL, f->status);
            assert_status_ok(f->status);
            assert_int_equal(*(int32_t *)TF_TensorData(out), i + 1);
            TF_DeleteTensor(out);
        }
    TF_DeleteTensor(four);
    TF_DeleteSession(session, f->status);
}

/* A kernel may write into inputs that nobody needs any more: not into others, however many it has. */
static void many_inputs_are_told_apart(void **state) {
    struct fixture *f = *state;
    enum { MANY = 70, SOME = 64, WIDE = 100 };
    const int64_t dims[] = {WIDE};
    TF_Output x = placeholder(f->graph, f->status, "x"), zero = constant(f->graph, f->status, "zero", 0), rolled[MANY];
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "by%d", i);
        TF_OperationDescription *d;
        TF_Output by = constant(f->graph, f->status, name, i);
        snprintf(name, sizeof name, "roll%d", i);
        d = TF_NewOperation(f->graph, "Roll", name);
        TF_AddInput(d, x);
        TF_AddInput(d, by);
        TF_AddInput(d, zero);
        rolled[i] = (TF_Output){TF_FinishOperation(d, f->status), 0};
        assert_status_ok(f->status);
    }
    TF_OperationDescription *d = TF_NewOperation(f->graph, "AddN", "all");
    TF_AddInputList(d, rolled, MANY);
    TF_Output sums[2] = {{TF_FinishOperation(d, f->status), 0}};
    d = TF_NewOperation(f->graph, "AddN", "some"); /* afterwards */
    TF_AddInputList(d, rolled, SOME);
    TF_AddControlInput(d, sums[0].oper);
    sums[1] = (TF_Output){TF_FinishOperation(d, f->status), 0};
    assert_status_ok(f->status);
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *in = TF_AllocateTensor(TF_INT32, dims, 1, WIDE * 4), *out[2];
    for (int i = 0; i < WIDE; i++) ((int32_t *)TF_TensorData(in))[i] = i * i;
    TF_SessionRun(session, NULL, &x, &in, 1, sums, out, 2, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < WIDE; i++) {
            int32_t sum = 0;
            for (int k = 0; k < (which ? SOME : MANY); k++) sum += (i + WIDE - k) % WIDE * ((i + WIDE - k) % WIDE);
            assert_int_equal(((int32_t *)TF_TensorData(out[which]))[i], sum);
        }
        TF_DeleteTensor(out[which]);
    }
    TF_DeleteTensor(in);
    TF_DeleteSession(session, f->status);
}

static void options_and_metadata_travel(void **state) {
    struct fixture *f = *state;
    TF_Output c = constant(f->graph, f->status, "c", 5);
    TF_Session *session = new_session(f->graph, f->status);
    TF_Buffer *options = TF_NewBufferFromString("\x08\x03", 2), *metadata = TF_NewBuffer(); /* trace_level: FULL */
    TF_Tensor *out = NULL;
    TF_SessionRun(session, options, NULL, NULL, 0, &c, &out, 1, NULL, 0, metadata, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(out), 5);
    TF_DeleteBuffer(options);
    TF_DeleteBuffer(metadata);
    TF_DeleteSession(session, f->status);
}

static void closed_sessions_run_nothing(void **state) {
    struct fixture *f = *state;
    TF_Output c = constant(f->graph, f->status, "c", 5);
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *out = NULL;
    TF_CloseSession(session, f->status);
    assert_status_ok(f->status);
    TF_SessionRun(session, NULL, NULL, NULL, 0, &c, &out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_CANCELLED, "Session has been closed.");
    TF_DeleteSession(session, f->status);
}

static void options_are_checked(void **state) {
    struct fixture *f = *state;
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetConfig(options, "\xff\xff", 2, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Unparseable ConfigProto");
    TF_SetStatus(f->status, TF_OK, "");
    TF_SetConfig(options, "\x10\x01\x28\x01", 4, f->status); /* one thread each */
    assert_status_ok(f->status);
    TF_SetTarget(options, "local");
    TF_Session *session = TF_NewSession(f->graph, options, f->status);
    assert_status_ok(f->status);
    TF_DeleteSession(session, f->status);
    TF_SetTarget(options, "nowhere://");
    assert_null(TF_NewSession(f->graph, options, f->status));
    assert_status(f->status, TF_NOT_FOUND, "No session factory registered for the given session options");
    TF_DeleteSessionOptions(options);
}

static void devices_are_listed(void **state) {
    struct fixture *f = *state;
    TF_Session *session = new_session(f->graph, f->status);
    TF_DeviceList *list = TF_SessionListDevices(session, f->status);
    assert_status_ok(f->status);
    assert_true(TF_DeviceListCount(list) >= 1);
    assert_string_equal(TF_DeviceListName(list, 0, f->status), "/job:localhost/replica:0/task:0/device:CPU:0");
    assert_string_equal(TF_DeviceListType(list, 0, f->status), "CPU");
    assert_true(TF_DeviceListMemoryBytes(list, 0, f->status) > 0);
    assert_true(TF_DeviceListIncarnation(list, 0, f->status) != 0);
    assert_status_ok(f->status);
    assert_null(TF_DeviceListName(list, 99, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "index out of bounds");
    assert_true(TF_DeviceListMemoryBytes(list, -1, f->status) == -1);
    TF_DeleteDeviceList(list);
    TF_DeleteSession(session, f->status);
}

/* ---- partial runs */
static void partial_runs_feed_bit_by_bit(void **state) {
    struct fixture *f = *state;
    TF_Output a = placeholder(f->graph, f->status, "a"), b = placeholder(f->graph, f->status, "b");
    TF_Output two = constant(f->graph, f->status, "two", 2);
    TF_Output plus2 = binary(f->graph, f->status, "AddV2", "plus2", a, two);
    TF_Output plus_b = binary(f->graph, f->status, "AddV2", "plus_b", plus2, b);
    TF_Session *session = new_session(f->graph, f->status);
    const TF_Output feeds[2] = {a, b}, fetches[2] = {plus2, plus_b};
    const char *handle = NULL;
    TF_SessionPRunSetup(session, feeds, 2, fetches, 2, NULL, 0, &handle, f->status);
    assert_status_ok(f->status);
    assert_non_null(handle);

    TF_Tensor *in = int_tensor(1), *out = NULL;
    TF_SessionPRun(session, handle, &a, &in, 1, &plus2, &out, 1, NULL, 0, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(out), 3);
    TF_DeleteTensor(in);
    in = int_tensor(4);
    TF_SessionPRun(session, handle, &b, &in, 1, &plus_b, &out, 1, NULL, 0, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(out), 7);
    TF_SessionPRun(session, handle, &b, &in, 1, &plus_b, &out, 1, NULL, 0, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Must run 'setup' before performing partial runs!");
    TF_DeleteTensor(in);
    TF_DeletePRunHandle(handle);

    /* one that is never finished goes with its session */
    TF_SessionPRunSetup(session, feeds, 2, fetches, 2, NULL, 0, &handle, f->status);
    assert_status_ok(f->status);
    TF_DeletePRunHandle(handle);
    TF_DeleteSession(session, f->status);
}

static void partial_runs_are_checked(void **state) {
    struct fixture *f = *state;
    TF_Output c = constant(f->graph, f->status, "c", 5);
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *out = NULL;
    const char *handle = "h";
    TF_SessionPRun(session, "nothing", NULL, NULL, 0, &c, &out, 1, NULL, 0, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Must run 'setup' before performing partial runs!");
    TF_SessionPRunSetup(session, NULL, 0, NULL, 0, NULL, 0, &handle, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Must specify at least one target to fetch or execute.");
    assert_null(handle);
    TF_DeleteSession(session, f->status);
}

/* ---- deprecated sessions */
static void deprecated_sessions_go_by_name(void **state) {
    struct fixture *f = *state;
    TF_Buffer *def = TF_NewBuffer();
    TF_Output feed = placeholder(f->graph, f->status, "feed");
    unary(f->graph, f->status, "Neg", "neg", feed);
    TF_GraphToGraphDef(f->graph, def, f->status);
    assert_status_ok(f->status);

    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_DeprecatedSession *session = TF_NewDeprecatedSession(options, f->status);
    assert_status_ok(f->status);
    TF_DeleteSessionOptions(options);
    const char *input = "feed:0", *output = "neg:0", *target = "neg";
    TF_Tensor *out = NULL;
    TF_Run(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &target, 1, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Session was not created with a graph before Run()!");
    TF_ExtendGraph(session, def->data, def->length, f->status);
    assert_status_ok(f->status);
    const char *nothing = "nothing:0";
    TF_Run(session, NULL, NULL, NULL, 0, &nothing, &out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT,
                  "Tensor nothing:0, specified in either feed_devices or fetch_devices was not found");
    TF_Tensor *in = int_tensor(8);
    TF_Run(session, NULL, &input, &in, 1, &output, &out, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(out), -8);
    TF_DeleteTensor(in);
    TF_DeviceList *devices = TF_DeprecatedSessionListDevices(session, f->status);
    assert_true(TF_DeviceListCount(devices) >= 1);
    TF_DeleteDeviceList(devices);
    TF_CloseDeprecatedSession(session, f->status);
    TF_DeleteDeprecatedSession(session, f->status);
    TF_DeleteBuffer(def);
}

/* ---- threads */
struct runner {
    TF_Session *session;
    TF_Graph *graph;
    TF_Output feed, fetch;
    int number;
    bool is_right;
};

/* Adds operations of its own and runs, while others do the same. */
static void *add_and_run(void *arg) {
    struct runner *r = arg;
    TF_Status *s = TF_NewStatus();
    TF_Output at = r->fetch;
    r->is_right = true;
    for (int i = 0; i < 50; i++) {
        char name[32];
        snprintf(name, sizeof name, "t%d_%d", r->number, i);
        TF_OperationDescription *d = TF_NewOperation(r->graph, "Neg", name);
        TF_AddInput(d, at);
        at = (TF_Output){TF_FinishOperation(d, s), 0};
        TF_Tensor *in = int_tensor(i), *out = NULL;
        TF_SessionRun(r->session, NULL, &r->feed, &in, 1, &at, &out, 1, NULL, 0, NULL, s);
        int32_t wanted = i % 2 ? -i : i; /* one Neg before, i + 1 here */
        r->is_right = r->is_right && TF_GetCode(s) == TF_OK && *(int32_t *)TF_TensorData(out) == wanted;
        TF_DeleteTensor(in);
        TF_DeleteTensor(out);
    }
    TF_DeleteStatus(s);
    return NULL;
}

static void threads_share_graph_and_session(void **state) {
    struct fixture *f = *state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    struct runner runners[THREADS];
    TF_Output feed = placeholder(f->graph, f->status, "feed"), neg = unary(f->graph, f->status, "Neg", "neg", feed);
    TF_Session *session = new_session(f->graph, f->status);
    for (int i = 0; i < THREADS; i++) {
        runners[i] = (struct runner){session, f->graph, feed, neg, i, false};
        assert_int_equal(pthread_create(&threads[i], NULL, add_and_run, &runners[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_true(runners[i].is_right);
    assert_int_equal(count_operations(f->graph), 2 + THREADS * 50);
    TF_DeleteSession(session, f->status);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(runs_feed_and_fetch),
        TEST(outputs_are_fed_one_by_one),
        TEST(graphs_may_grow_between_runs),
        TEST(extending_by_hand_leaves_it_to_the_caller),
        TEST(graphs_live_as_long_as_their_sessions),
        TEST(targets_run_without_a_value),
        TEST(runs_of_what_is_wrong_fail),
        TEST(dead_fetches_are_refused),
        TEST(dead_merges_have_no_index),
        TEST(runs_are_told_apart),
        TEST(many_inputs_are_told_apart),
        TEST(options_and_metadata_travel),
        TEST(closed_sessions_run_nothing),
        TEST(options_are_checked),
        TEST(devices_are_listed),
        TEST(partial_runs_feed_bit_by_bit),
        TEST(partial_runs_are_checked),
        TEST(deprecated_sessions_go_by_name),
        TEST(threads_share_graph_and_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
