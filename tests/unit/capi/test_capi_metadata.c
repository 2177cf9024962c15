/* RunMetadata: what each trace level and option asks for is told, by device and node, and nothing else. */
#include <stdlib.h>

#include "proto/gen/messages.h"
#include "proto/wire.h"
#include "sluice/devices.h"
#include "tensorflow/c/c_api_experimental.h"
#include "unit/capi/capi_fixture.h"

struct told {
    struct fixture f;
    struct sl_arena arena;
    struct sl_pb_RunMetadata metadata;
};

static int set_up(void **state) {
    struct told *t = calloc(1, sizeof *t);
    void *f;
    if (fixture_set_up(&f)) return -1;
    t->f = *(struct fixture *)f;
    free(f);
    sl_arena_init(&t->arena);
    *state = t;
    return 0;
}

static int tear_down(void **state) {
    struct told *t = *state;
    sl_arena_clear(&t->arena);
    TF_DeleteGraph(t->f.graph);
    TF_DeleteStatus(t->f.status);
    free(t);
    return 0;
}

static TF_Session *session_on(struct told *t, int n_cpus) {
    TF_SessionOptions *options = TF_NewSessionOptions();
    sl_options_set_cpus(options, n_cpus, t->f.status);
    TF_Session *session = TF_NewSession(t->f.graph, options, t->f.status);
    assert_status_ok(t->f.status);
    TF_DeleteSessionOptions(options);
    return session;
}

/* Runs with a matrix of int32 fed; the size of the metadata. NULL `options`: none at all. */
static size_t run(struct told *t, TF_Session *session, const struct sl_pb_RunOptions *options, TF_Output feed,
                  TF_Output fetch) {
    struct sl_error err;
    struct sl_str bytes;
    const int64_t dims[] = {2, 2};
    TF_Buffer *metadata = TF_NewBuffer(), *asked = NULL;
    TF_Tensor *in = TF_AllocateTensor(TF_INT32, dims, 2, 16), *out = NULL;
    memcpy(TF_TensorData(in), ((int32_t[]){1, 2, 3, 4}), 16);
    if (options) {
        assert_int_equal(sl_pb_encode(&bytes, SL_PB_TYPE(RunOptions), options, 0, &t->arena, &err), SL_OK);
        asked = TF_NewBufferFromString(bytes.p, bytes.n);
    }
    TF_SessionRun(session, asked, &feed, &in, 1, &fetch, &out, 1, NULL, 0, metadata, t->f.status);
    assert_status_ok(t->f.status);
    size_t n = metadata->length;
    bytes = sl_arena_str(&t->arena, (struct sl_str){metadata->data, n});
    assert_int_equal(sl_pb_decode(&t->metadata, SL_PB_TYPE(RunMetadata), bytes, &t->arena, &err), SL_OK);
    TF_DeleteTensor(in);
    TF_DeleteTensor(out);
    TF_DeleteBuffer(asked);
    TF_DeleteBuffer(metadata);
    return n;
}

static bool ends(struct sl_str text, const char *end) {
    size_t n = strlen(end);
    return text.n >= n && memcmp(text.p + text.n - n, end, n) == 0;
}

static const struct sl_pb_DeviceStepStats *find_device(const struct told *t, const char *suffix) {
    const struct sl_pb_StepStats *steps = t->metadata.step_stats;
    for (size_t i = 0; steps && i < steps->dev_stats.n; i++)
        if (ends(steps->dev_stats.items[i].device, suffix)) return &steps->dev_stats.items[i];
    return NULL;
}

/* The last of that name; `*n` is how many there are. */
static const struct sl_pb_NodeExecStats *find_node(const struct sl_pb_DeviceStepStats *device, const char *name,
                                                   int *n) {
    const struct sl_pb_NodeExecStats *found = NULL;
    *n = 0;
    for (size_t i = 0; i < device->node_stats.n; i++) {
        if (!sl_str_is(device->node_stats.items[i].node_name, name)) continue;
        found = &device->node_stats.items[i];
        ++*n;
    }
    return found;
}

static void nothing_is_told_unless_it_is_asked_for(void **state) {
    struct told *t = *state;
    const struct sl_pb_RunOptions none = {.timeout_in_ms = 100000};
    TF_Output x = placeholder(t->f.graph, t->f.status, "x"), neg = unary(t->f.graph, t->f.status, "Neg", "neg", x);
    TF_Session *session = new_session(t->f.graph, t->f.status);
    assert_int_equal(run(t, session, NULL, x, neg), 0);
    assert_int_equal(run(t, session, &none, x, neg), 0);
    TF_DeleteSession(session, t->f.status);
}

static void check_nodes(struct told *t, TF_Output x, TF_Output neg, int trace_level) {
    static const char name[] = "/job:localhost/replica:0/task:0/device:CPU:0";
    int n;
    TF_Session *session = new_session(t->f.graph, t->f.status);
    run(t, session, &(struct sl_pb_RunOptions){.trace_level = trace_level}, x, neg);
    assert_int_equal(t->metadata.partition_graphs.n, 0);
    assert_int_equal(t->metadata.step_stats->dev_stats.n, 1);
    const struct sl_pb_DeviceStepStats *device = &t->metadata.step_stats->dev_stats.items[0];
    assert_true(sl_str_is(device->device, name));

    const struct sl_pb_NodeExecStats *node = find_node(device, "mm", &n);
    assert_int_equal(n, 1);
    assert_true(sl_str_is(node->timeline_label, "mm = MatMul(_arg_x_0_0, _arg_x_0_0)"));
    assert_true(node->all_start_micros > 1600000000000000); /* since 1970 */
    assert_true(node->all_start_nanos / 1000 == node->all_start_micros);
    assert_true(node->op_start_rel_nanos >= 0 && node->op_end_rel_nanos >= node->op_start_rel_nanos);
    assert_true(node->all_end_rel_nanos >= node->op_end_rel_nanos);
    assert_true(node->all_end_rel_nanos / 1000 == node->all_end_rel_micros);
    assert_int_not_equal(node->thread_id, 0);
    assert_int_equal(node->output.n, 1);
    const struct sl_pb_TensorDescription *what = node->output.items[0].tensor_description;
    assert_int_equal(what->dtype, TF_INT32);
    assert_int_equal(what->shape->dim.n, 2);
    assert_int_equal(what->shape->dim.items[1].size, 2);
    assert_int_equal(what->allocation_description->requested_bytes, 16);
    assert_true(sl_str_is(what->allocation_description->allocator_name, "cpu"));
    assert_int_equal(node->memory.n, 1);
    assert_true(sl_str_is(node->memory.items[0].allocator_name, "cpu"));
    assert_int_equal(node->memory.items[0].total_bytes, 16);

    const struct sl_pb_NodeExecStats *after = find_node(device, "neg", &n);
    assert_int_equal(n, 1);
    assert_true(sl_str_is(after->timeline_label, "neg = Neg(mm)"));
    assert_true(after->all_start_nanos >= node->all_start_nanos + node->op_end_rel_nanos);
    assert_int_equal(after->memory.n, 0); /* in place */
    TF_DeleteSession(session, t->f.status);
}

static void every_level_above_none_tells_of_nodes(void **state) {
    struct told *t = *state;
    TF_Output x = placeholder(t->f.graph, t->f.status, "x");
    TF_Output mm = binary(t->f.graph, t->f.status, "MatMul", "mm", x, x);
    TF_Output neg = unary(t->f.graph, t->f.status, "Neg", "neg", mm);
    for (int level = SL_PB_RunOptions_TraceLevel_SOFTWARE_TRACE; level <= SL_PB_RunOptions_TraceLevel_FULL_TRACE;
         level++)
        check_nodes(t, x, neg, level);
    setenv("SLUICE_EXEC", "frames", 1);
    check_nodes(t, x, neg, SL_PB_RunOptions_TraceLevel_FULL_TRACE);
    unsetenv("SLUICE_EXEC");
}

/* A graph that was compiled before it is asked about tells the same. */
static void graphs_are_told_as_they_ran(void **state) {
    struct told *t = *state;
    int n;
    TF_Output x = placeholder(t->f.graph, t->f.status, "x");
    TF_OperationDescription *d = TF_NewOperation(t->f.graph, "MatMul", "mm");
    TF_SetDevice(d, "/cpu:1");
    TF_AddInput(d, x);
    TF_AddInput(d, x);
    TF_Output mm = {TF_FinishOperation(d, t->f.status), 0};
    TF_Output neg = unary(t->f.graph, t->f.status, "Neg", "neg", mm);
    TF_Session *session = session_on(t, 2);
    assert_int_equal(run(t, session, NULL, x, neg), 0);
    run(t, session, &(struct sl_pb_RunOptions){.output_partition_graphs = true}, x, neg);
    assert_null(t->metadata.step_stats);
    assert_int_equal(t->metadata.partition_graphs.n, 2);
    for (int g = 0; g < 2; g++) {
        const struct sl_pb_GraphDef *graph = &t->metadata.partition_graphs.items[g];
        int sends = 0, receives = 0;
        for (size_t i = 0; i < graph->node.n; i++) {
            const struct sl_pb_NodeDef *node = &graph->node.items[i];
            assert_true(ends(node->device, g ? "/device:CPU:1" : "/device:CPU:0"));
            sends += sl_str_is(node->op, "_Send");
            receives += sl_str_is(node->op, "_Recv");
        }
        assert_int_equal(sends, 1);
        assert_int_equal(receives, 1);
    }
    run(t, session, &(struct sl_pb_RunOptions){.output_partition_graphs = true, .trace_level = 3}, x, neg);
    assert_int_equal(t->metadata.partition_graphs.n, 2);
    assert_non_null(find_node(find_device(t, "CPU:0"), "neg", &n));
    assert_non_null(find_node(find_device(t, "CPU:1"), "mm", &n));
    TF_DeleteSession(session, t->f.status);
}

static TF_Session *session_with(struct told *t, const struct sl_pb_GraphOptions *how) {
    struct sl_error err;
    struct sl_str bytes;
    const struct sl_pb_ConfigProto config = {.graph_options = (struct sl_pb_GraphOptions *)how};
    assert_int_equal(sl_pb_encode(&bytes, SL_PB_TYPE(ConfigProto), &config, 0, &t->arena, &err), SL_OK);
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetConfig(options, bytes.p, bytes.n, t->f.status);
    TF_Session *session = TF_NewSession(t->f.graph, options, t->f.status);
    assert_status_ok(t->f.status);
    TF_DeleteSessionOptions(options);
    return session;
}

/* Of a session that is to tell so, every so manieth run of a signature. */
static void runs_tell_what_they_cost(void **state) {
    struct told *t = *state;
    TF_Output x = placeholder(t->f.graph, t->f.status, "x");
    TF_Output mm = binary(t->f.graph, t->f.status, "MatMul", "mm", x, x);
    TF_Output neg = unary(t->f.graph, t->f.status, "Neg", "neg", mm);
    TF_Session *session =
        session_with(t, &(struct sl_pb_GraphOptions){.build_cost_model = 2, .build_cost_model_after = 3});
    for (int i = 0; i < 9; i++) {
        size_t n = run(t, session, NULL, x, i == 8 ? mm : neg);
        assert_int_equal(n != 0, i == 4 || i == 6);
        if (!n) continue;
        const struct sl_pb_array_CostGraphDef_Node *nodes = &t->metadata.cost_graph->node;
        assert_int_equal(t->metadata.step_stats->dev_stats.n, 1);
        assert_int_equal(t->metadata.partition_graphs.n, 0);
        assert_true(sl_str_is(nodes->items[0].name, "_SOURCE"));
        assert_true(sl_str_is(nodes->items[1].name, "_SINK"));
        const struct sl_pb_CostGraphDef_Node *product = NULL, *negated = NULL;
        for (size_t k = 0; k < nodes->n; k++) {
            assert_int_equal(nodes->items[k].id, k);
            if (sl_str_is(nodes->items[k].name, "mm")) product = &nodes->items[k];
            if (sl_str_is(nodes->items[k].name, "neg")) negated = &nodes->items[k];
        }
        assert_int_equal(product->input_info.n, 2);
        assert_true(sl_str_is(product->device, "/job:localhost/replica:0/task:0/device:CPU:0"));
        assert_int_equal(product->output_info.n, 1);
        assert_int_equal(product->output_info.items[0].size, 16);
        assert_int_equal(product->output_info.items[0].dtype, TF_INT32);
        assert_int_equal(product->output_info.items[0].shape->dim.n, 2);
        assert_int_equal(product->output_info.items[0].alias_input_port, -1);
        assert_int_equal(negated->input_info.items[0].preceding_node, product->id);
        assert_int_equal(negated->output_info.items[0].alias_input_port, 0); /* in place */
    }
    TF_DeleteSession(session, t->f.status);
}

/* A device that is not there is an error whatever runs, unless the session places what it runs alone. */
static void devices_are_checked_when_nodes_come(void **state) {
    struct told *t = *state;
    TF_Output x = placeholder(t->f.graph, t->f.status, "x"), neg = unary(t->f.graph, t->f.status, "Neg", "neg", x);
    TF_Session *whole = new_session(t->f.graph, t->f.status);
    TF_Session *pruned = session_with(t, &(struct sl_pb_GraphOptions){.place_pruned_graph = true});
    run(t, whole, NULL, x, neg);
    TF_OperationDescription *d = TF_NewOperation(t->f.graph, "Neg", "far");
    TF_SetDevice(d, "/device:GPU:0");
    TF_AddInput(d, x);
    TF_FinishOperation(d, t->f.status);
    assert_status_ok(t->f.status);
    run(t, pruned, NULL, x, neg);
    TF_Tensor *in = TF_AllocateTensor(TF_INT32, (const int64_t[]){1, 1}, 2, 4), *out = NULL;
    *(int32_t *)TF_TensorData(in) = 1;
    for (int i = 0; i < 2; i++) {
        TF_SessionRun(whole, NULL, &x, &in, 1, &neg, &out, 1, NULL, 0, NULL, t->f.status);
        assert_int_equal(TF_GetCode(t->f.status), TF_INVALID_ARGUMENT);
        assert_non_null(strstr(TF_Message(t->f.status), "Cannot assign a device for operation far: {{node far}} was "
                                                        "explicitly assigned to /device:GPU:0 but available devices"));
    }
    TF_DeleteTensor(in);
    TF_DeleteSession(whole, t->f.status);
    TF_DeleteSession(pruned, t->f.status);
}

/* A loop is no node; what is in it is told for each iteration. */
static void iterations_are_told_one_by_one(void **state) {
    struct told *t = *state;
    TF_Status *s = t->f.status;
    int n;
    TF_Output x = placeholder(t->f.graph, s, "x"), zero = constant(t->f.graph, s, "zero", 0), out[2];
    TF_Output inputs[] = {zero, x};
    TF_WhileParams loop = TF_NewWhile(t->f.graph, inputs, 2, s);
    assert_status_ok(s);
    loop.name = "loop";
    loop.cond_output =
        binary(loop.cond_graph, s, "Less", "less", loop.cond_inputs[0], constant(loop.cond_graph, s, "most", 3));
    loop.body_outputs[0] =
        binary(loop.body_graph, s, "AddV2", "next", loop.body_inputs[0], constant(loop.body_graph, s, "one", 1));
    loop.body_outputs[1] = binary(loop.body_graph, s, "MatMul", "mm", loop.body_inputs[1], loop.body_inputs[1]);
    TF_FinishWhile(&loop, s, out);
    assert_status_ok(s);
    for (int form = 0; form < 2; form++) {
        if (form) setenv("SLUICE_EXEC", "frames", 1);
        TF_Session *session = new_session(t->f.graph, s);
        run(t, session, &(struct sl_pb_RunOptions){.trace_level = 3}, x, out[1]);
        const struct sl_pb_DeviceStepStats *device = find_device(t, "CPU:0");
        find_node(device, "loop/body/mm", &n);
        assert_int_equal(n, 3);
        find_node(device, "loop/cond/less", &n);
        assert_int_equal(n, 4);
        find_node(device, "loop", &n);
        assert_int_equal(n, 0);
        TF_DeleteSession(session, s);
    }
    unsetenv("SLUICE_EXEC");
}

/* Kernels that wait have one event, with what they put out. */
static void what_waited_is_told_once(void **state) {
    struct told *t = *state;
    TF_Status *s = t->f.status;
    int n;
    const TF_DataType types[] = {TF_INT32};
    TF_Output x = placeholder(t->f.graph, s, "x");
    TF_OperationDescription *d = TF_NewOperation(t->f.graph, "FIFOQueueV2", "queue");
    TF_SetAttrTypeList(d, "component_types", types, 1);
    TF_Output queue = {TF_FinishOperation(d, s), 0};
    d = TF_NewOperation(t->f.graph, "QueueEnqueueV2", "put");
    TF_AddInput(d, queue);
    TF_AddInputList(d, &x, 1);
    TF_Operation *put = TF_FinishOperation(d, s);
    d = TF_NewOperation(t->f.graph, "QueueDequeueV2", "take");
    TF_AddInput(d, queue);
    TF_SetAttrTypeList(d, "component_types", types, 1);
    TF_AddControlInput(d, put);
    TF_Output take = {TF_FinishOperation(d, s), 0};
    assert_status_ok(s);
    TF_Session *session = new_session(t->f.graph, s);
    run(t, session, &(struct sl_pb_RunOptions){.trace_level = 3}, x, take);
    const struct sl_pb_NodeExecStats *node = find_node(find_device(t, "CPU:0"), "take", &n);
    assert_int_equal(n, 1);
    assert_true(sl_str_is(node->timeline_label, "take = QueueDequeueV2(queue, ^put)"));
    assert_int_equal(node->output.n, 1);
    assert_int_equal(node->output.items[0].tensor_description->shape->dim.n, 2);
    TF_DeleteSession(session, s);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_told_unless_it_is_asked_for),
        TEST(every_level_above_none_tells_of_nodes),
        TEST(graphs_are_told_as_they_ran),
        TEST(iterations_are_told_one_by_one),
        TEST(what_waited_is_told_once),
        TEST(runs_tell_what_they_cost),
        TEST(devices_are_checked_when_nodes_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
