/* Servers with TLS, and with a limit of what they may hold. */
#include <stdlib.h>

#include "dist/task_processes.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "root/root.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"
#include "unit/unit.h"

#define TLS_FILE(name) SL_TEST_DATA "/tls/" name

static struct sl_error err;

/* A session, with nodes of a graph by name. */
struct client {
    struct task_processes tasks;
    struct sl_arena arena;
    struct sl_graph *graph;
    struct sl_session *session;
};

static void client_begin(struct client *c, int n, const char *const *options, const char *scheme, const char *text) {
    struct sl_pb_GraphDef def;
    const struct sl_registries *registries;
    sl_arena_init(&c->arena);
    tasks_start(&c->tasks, n, options);
    assert_ok(err, sl_root_registries(&registries, &err));
    assert_ok(err, sl_graph_new(&c->graph, registries->ops, &err));
    assert_ok(err, sl_pb_text_parse(&def, SL_PB_TYPE(GraphDef), sl_str_of(text), &c->arena, &err));
    assert_ok(err, sl_graph_import(NULL, c->graph, &def, &(struct sl_import_options){.no_inference = true}, &err));
    const char *target = sl_arena_format(&c->arena, "%s://unix:%s/0", scheme, c->tasks.folder);
    const struct sl_session_options how = {.target = sl_str_of(target)};
    assert_ok(err, sl_session_new(&c->session, sl_root_targets(), registries, &how, &err));
    assert_ok(err, sl_session_extend(c->session, c->graph, &err));
}

static void client_end(struct client *c) {
    sl_session_free(c->session);
    tasks_end(&c->tasks);
    sl_graph_free(c->graph);
    sl_arena_clear(&c->arena);
}

/* A scalar float. */
static sl_code fetch(float *out, struct client *c, const char *name) {
    struct sl_tensor *value = NULL;
    const struct sl_port port = {sl_graph_find(c->graph, sl_str_of(name)), 0};
    const struct sl_run run = {.fetches = &port, .fetch_tensors = &value, .n_fetches = 1};
    SL_TRY(sl_session_run(c->session, &run, &err));
    *out = *(const float *)value->data;
    sl_tensor_unref(value);
    return SL_OK;
}

#define CONST(name, task, type, value)                                                                                 \
    "node { name: '" name "' op: 'Const' device: '/job:worker/task:" task "' attr { key: 'dtype' value { type: " type  \
    " } } attr { key: 'value' value { tensor { dtype: " type " tensor_shape { } " value " } } } } "
#define T(type) "attr { key: 'T' value { type: " type " } } "

/* Values go from task to task by TLS, too. */
static const char over_tasks[] = CONST("a", "0", "DT_FLOAT", "float_val: 2")
    CONST("b", "1", "DT_FLOAT",
          "float_val: 3") "node { name: 'p' op: 'Placeholder' device: '/job:worker/task:0' attr { key: 'dtype' value { "
                          "type: DT_FLOAT } } } "
                          "node { name: 'far' op: 'Mul' input: 'a' input: 'b' device: '/job:worker/task:1' " T(
                              "DT_FLOAT") "} "
                                          "node { name: 'sum' op: 'AddV2' input: 'far' input: 'a' device: "
                                          "'/job:worker/task:0' " T("DT_FLOAT") "}";

static void servers_with_tls(void **state) {
    static const char *const options[] = {
        "--tls-certificate", TLS_FILE("server.pem"),    "--tls-key", TLS_FILE("server.key"),
        "--tls-authorities", TLS_FILE("authority.pem"), NULL};
    struct client c;
    float value;
    (void)state;
    if (!tasks_may_run()) return;
    setenv("SLUICE_TLS_AUTHORITIES", TLS_FILE("authority.pem"), 1);
    setenv("SLUICE_TLS_CERTIFICATE", TLS_FILE("server.pem"), 1);
    setenv("SLUICE_TLS_KEY", TLS_FILE("server.key"), 1);
    client_begin(&c, 2, options, "grpcs", over_tasks);
    assert_ok(err, fetch(&value, &c, "sum"));
    assert_true(value == 8);
    sl_session_free(c.session);

    /* Without a certificate, with one of a stranger's, and without TLS: none is served. */
    const struct sl_registries *registries;
    assert_ok(err, sl_root_registries(&registries, &err));
    static const char *const rows[][3] = {{"grpcs", NULL, NULL},
                                          {"grpcs", TLS_FILE("stranger.pem"), TLS_FILE("stranger.key")},
                                          {"grpc", NULL, NULL}};
    for (size_t i = 0; i < 3; i++) {
        struct sl_pb_ConfigProto config = {.operation_timeout_in_ms = 2000};
        const char *target = sl_arena_format(&c.arena, "%s://unix:%s/0", rows[i][0], c.tasks.folder);
        const struct sl_session_options how = {.target = sl_str_of(target), .config = &config};
        unsetenv("SLUICE_TLS_CERTIFICATE");
        unsetenv("SLUICE_TLS_KEY");
        if (rows[i][1]) setenv("SLUICE_TLS_CERTIFICATE", rows[i][1], 1);
        if (rows[i][1]) setenv("SLUICE_TLS_KEY", rows[i][2], 1);
        assert_ok(err, sl_session_new(&c.session, sl_root_targets(), registries, &how, &err));
        sl_code code = sl_session_extend(c.session, c.graph, &err);
        if (code == SL_OK) code = fetch(&value, &c, "sum");
        if (code != SL_UNAVAILABLE && code != SL_DEADLINE_EXCEEDED) fail_msg("row %zu: %d %s", i, code, err.message);
        if (i < 2) sl_session_free(c.session);
    }
    client_end(&c);
}

/* A float scalar, on the device that is named, added to itself; the caller's handle. */
static TFE_TensorHandle *add_to_itself(TFE_Context *context, TFE_TensorHandle *x, const char *device,
                                       TF_Status *status) {
    TFE_TensorHandle *sum = NULL;
    int n = 1;
    TFE_Op *op = TFE_NewOp(context, "AddV2", status);
    TFE_OpSetDevice(op, device, status);
    TFE_OpAddInput(op, x, status);
    TFE_OpAddInput(op, x, status);
    if (TF_GetCode(status) == TF_OK) TFE_Execute(op, &sum, &n, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    TFE_DeleteOp(op);
    return sum;
}

static void set_cluster(TFE_Context *context, const struct task_processes *tasks, const char *protocol,
                        TF_Status *status) {
    struct sl_arena arena;
    struct sl_pb_ServerDef def;
    struct sl_str bytes;
    sl_arena_init(&arena);
    const char *text = sl_arena_format(&arena,
                                       "cluster { job { name: 'worker' tasks { key: 0 value: 'unix:%s/0' } "
                                       "tasks { key: 1 value: 'unix:%s/1' } } "
                                       "job { name: 'client' tasks { key: 0 value: 'unix:%s/client' } } } "
                                       "job_name: 'client' protocol: '%s'",
                                       tasks->folder, tasks->folder, tasks->folder, protocol);
    assert_ok(err, sl_pb_text_parse(&def, SL_PB_TYPE(ServerDef), sl_str_of(text), &arena, &err));
    assert_ok(err, sl_pb_encode(&bytes, SL_PB_TYPE(ServerDef), &def, 0, &arena, &err));
    TFE_ContextSetServerDefWithTimeout(context, 0, bytes.p, bytes.n, 20000, status, false);
    sl_arena_clear(&arena);
}

/* A program whose ops run at tasks with TLS: calls, and the value that goes from one task to the other, need it, too. */
static void programs_use_tasks_with_tls(void **state) {
    static const char *const options[] = {
        "--tls-certificate", TLS_FILE("server.pem"),    "--tls-key", TLS_FILE("server.key"),
        "--tls-authorities", TLS_FILE("authority.pem"), NULL};
    struct task_processes tasks;
    TF_Status *status = TF_NewStatus();
    TFE_ContextOptions *how = TFE_NewContextOptions();
    (void)state;
    if (!tasks_may_run()) return;
    tasks_start(&tasks, 2, options);
    TFE_Context *context = TFE_NewContext(how, status);
    unsetenv("SLUICE_TLS_CERTIFICATE");
    set_cluster(context, &tasks, "grpcs", status);
    assert_int_equal(TF_GetCode(status), TF_INVALID_ARGUMENT);
    set_cluster(context, &tasks, "gopher", status);
    assert_int_equal(TF_GetCode(status), TF_NOT_FOUND);

    setenv("SLUICE_TLS_AUTHORITIES", TLS_FILE("authority.pem"), 1);
    setenv("SLUICE_TLS_CERTIFICATE", TLS_FILE("server.pem"), 1);
    setenv("SLUICE_TLS_KEY", TLS_FILE("server.key"), 1);
    set_cluster(context, &tasks, "grpcs", status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    TF_Tensor *three = TF_AllocateTensor(TF_FLOAT, NULL, 0, 4), *back;
    *(float *)TF_TensorData(three) = 3;
    TFE_TensorHandle *x = TFE_NewTensorHandle(three, status);
    TFE_TensorHandle *y = add_to_itself(context, x, "/job:worker/replica:0/task:0/device:CPU:0", status);
    TFE_TensorHandle *z = add_to_itself(context, y, "/job:worker/replica:0/task:1/device:CPU:0", status);
    back = TFE_TensorHandleResolve(z, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    assert_true(*(float *)TF_TensorData(back) == 12);
    TFE_TensorHandle *handles[] = {x, y, z};
    for (size_t i = 0; i < 3; i++) TFE_DeleteTensorHandle(handles[i]);
    TF_DeleteTensor(three);
    TF_DeleteTensor(back);
    TFE_DeleteContext(context);
    TFE_DeleteContextOptions(how);
    TF_DeleteStatus(status);
    tasks_end(&tasks);
}

/* So much would be 1 GiB: the step fails, and the next one that is small runs. */
static const char large[] =
    CONST("one", "0", "DT_FLOAT",
          "float_val: 1") "node { name: 'dims' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } attr { key: "
                          "'value' value { tensor { "
                          "dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 268435456 } } } } "
                          "node { name: 'none' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } } "
                          "node { name: 'random' op: 'RandomUniform' input: 'dims' attr { key: 'dtype' value { type: "
                          "DT_FLOAT } } " T(
                              "DT_INT32") "} "
                                          "node { name: 'zero' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 "
                                          "} } attr { key: 'value' value { tensor { "
                                          "dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 0 } } } } "
                                          "node { name: 'order' op: 'RandomShuffle' input: 'random' " T(
                                              "DT_FLOAT") "} "
                                                          "node { name: 'all' op: 'Max' input: 'order' input: 'zero' "
                                                          "attr { key: 'Tidx' value { type: DT_INT32 } } " T(
                                                              "DT_FLOAT") "}"
                                                                          "node { name: 'small' op: 'AddV2' input: "
                                                                          "'one' input: 'one' " T("DT_FLOAT") "}";

static void memory_has_a_limit(void **state) {
    static const char *const options[] = {"--memory-limit", "200M", NULL};
    struct client c;
    float value;
    (void)state;
    if (!tasks_may_run()) return;
    client_begin(&c, 1, options, "grpc", large);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fetch(&value, &c, "all"), SL_RESOURCE_EXHAUSTED);
        assert_non_null(strstr(err.message, "the process may hold 209715200 bytes"));
        assert_ok(err, fetch(&value, &c, "small"));
        assert_true(value == 2);
    }
    client_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(servers_with_tls),
                                       cmocka_unit_test(programs_use_tasks_with_tls),
                                       cmocka_unit_test(memory_has_a_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
