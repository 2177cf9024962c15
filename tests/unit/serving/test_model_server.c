/* A server on sockets: gRPC by the library's own client, REST by bytes on a socket. */
#include <dirent.h>
#include <stdio.h>

#include "dist/tensor_wire.h"
#include "dist/waited_call.h"
#include "net/http2_net.h"
#include "os/address.h"
#include "os/clock.h"
#include "os/socket.h"
#include "root/root.h"
#include "serving/serving_server.h"
#include "unit/serving/serving_fixture.h"

static struct sl_error err;
static struct sl_net *net; /* of the process; NULL: built without nghttp2 */

static sl_code net_of(struct sl_net **out, struct sl_error *e) {
    if (!net) SL_TRY(sl_http2_net_new(&net, e));
    *out = net;
    return SL_OK;
}

struct server {
    char folder[FOLDER_TEXT];
    struct sl_model_server *server;
    struct sl_rpc_channel *channel;
    struct sl_arena arena;
};

static void server_begin(struct server *s, struct sl_model_server_options options) {
    const struct sl_registries *registries;
    char address[64];
    *s = (struct server){.server = NULL};
    folder_new(s->folder);
    model_write(s->folder, "", 2);
    options.name = "m";
    options.poll_ms = -1;
    sl_arena_init(&s->arena);
    assert_ok(err, sl_root_registries(&registries, &err));
    assert_ok(err, sl_model_server_make(&s->server, registries, net_of, s->folder, &options, &err));
    assert_ok(err, sl_model_server_listen(s->server, &err));
    assert_fails(err, SL_FAILED_PRECONDITION, "started before", sl_model_server_listen(s->server, &err));
    if (!options.grpc) return;
    snprintf(address, sizeof address, "127.0.0.1:%d", sl_model_server_port_of_grpc(s->server));
    assert_ok(err, sl_net_dial(&s->channel, net, address, NULL, &err));
}

static void server_end(struct server *s) {
    sl_rpc_channel_free(s->channel);
    sl_model_server_free(s->server);
    sl_arena_clear(&s->arena);
    folder_remove(s->folder);
}

/* ---- gRPC */

/* Calls; decodes the answer into `out`. */
static sl_code call(struct server *s, const char *path, int request_type, const void *request, int answer_type,
                    void *answer) {
    struct sl_rpc_message m = {.n = 0};
    struct sl_rpc_body *body;
    struct sl_str bytes;
    sl_error_clear(&err);
    SL_TRY(sl_wire_add_message(&m, sl_pb_type(request_type), request, &err));
    SL_TRY(sl_waited_call(&body, s->channel, path, &m, sl_net_now(net) + INT64_C(60000000000), true, &err));
    bytes = sl_arena_str(&s->arena, body->bytes);
    sl_rpc_body_unref(body);
    return sl_pb_decode(answer, sl_pb_type(answer_type), bytes, &s->arena, &err);
}
#define CALL(s, service, method, kind, request, answer)                                                                \
    call(s, "/tensorflow.serving." #service "/" #method, SL_PB_INDEX_serving_##kind##Request, request,                 \
         SL_PB_INDEX_serving_##kind##Response, answer)

static bool skips(void) {
    struct sl_net *one;
    if (net_of(&one, &err) == SL_OK) return false;
    print_message("skipped: %s\n", err.message);
    return true;
}

static void predict(void **state) {
    struct server s;
    struct sl_pb_serving_PredictResponse answer;
    float x[] = {1, 2.5f};
    struct sl_pb_TensorShapeProto_Dim dim = {.size = 2};
    struct sl_pb_TensorShapeProto shape = {.dim = {&dim, 1}};
    struct sl_pb_entry_string_TensorProto input = {.key = SL_STR("x"),
                                                   .value = {.dtype = SL_FLOAT,
                                                             .tensor_shape = &shape,
                                                             .tensor_content = {(char *)x, sizeof x}}};
    struct sl_pb_Int64Value version = {.value = 1};
    struct sl_pb_serving_ModelSpec spec = {.name = SL_STR("m")};
    struct sl_pb_serving_PredictRequest request = {.model_spec = &spec, .inputs = {&input, 1}};
    struct sl_str wanted = SL_STR("y");
    (void)state;
    if (skips()) return;
    server_begin(&s, (struct sl_model_server_options){.grpc = "0"});
    for (int times = 0; times < 2; times++) { /* without and with a version and a filter */
        assert_ok(err, CALL(&s, PredictionService, Predict, Predict, &request, &answer));
        assert_int_equal(answer.outputs.n, 1);
        assert_true(sl_str_is(answer.outputs.items[0].key, "y"));
        struct sl_tensor *y;
        assert_ok(err, sl_wire_read_tensor(&y, &answer.outputs.items[0].value, NULL, &err));
        assert_int_equal(y->count, 2);
        assert_true(((float *)y->data)[0] == 2 && ((float *)y->data)[1] == 5);
        sl_tensor_unref(y);
        assert_true(sl_str_is(answer.model_spec->name, "m"));
        assert_true(sl_str_is(answer.model_spec->signature_name, "serving_default"));
        assert_int_equal(answer.model_spec->version->value, 1);
        spec.which = SL_PB_serving_ModelSpec_version;
        spec.version = &version;
        request.output_filter.items = &wanted;
        request.output_filter.n = 1;
    }
    wanted = SL_STR("z");
    assert_int_equal(CALL(&s, PredictionService, Predict, Predict, &request, &answer), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(err.message, "output tensor alias not found in signature: z"));
    wanted = SL_STR("y");
    version.value = 7;
    assert_int_equal(CALL(&s, PredictionService, Predict, Predict, &request, &answer), SL_NOT_FOUND);
    assert_non_null(strstr(err.message, "Servable not found for request: Specific(m, 7)"));
    spec.which = SL_PB_serving_ModelSpec_version_label;
    spec.version_label = SL_STR("stable");
    assert_int_equal(CALL(&s, PredictionService, Predict, Predict, &request, &answer), SL_NOT_FOUND);
    assert_non_null(strstr(err.message, "Unrecognized servable version label: stable"));
    spec.which = 0;
    input.value.dtype = SL_INT32;
    assert_int_equal(CALL(&s, PredictionService, Predict, Predict, &request, &answer), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(err.message, "Input \"x\" has type int32, the signature wants float"));
    request.inputs.n = 0;
    assert_int_equal(CALL(&s, PredictionService, Predict, Predict, &request, &answer), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(err.message, "Input \"x\" is missing"));
    request.model_spec = NULL;
    assert_int_equal(CALL(&s, PredictionService, Predict, Predict, &request, &answer), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(err.message, "Missing ModelSpec"));
    server_end(&s);
}

static void examples(void **state) {
    struct server s;
    float value = 1.5f;
    struct sl_pb_FloatList list = {.value = {&value, 1}};
    struct sl_pb_entry_string_Feature feature = {.key = SL_STR("x"),
                                                 .value = {.which = SL_PB_Feature_float_list, .float_list = &list}};
    struct sl_pb_Features features = {.feature = {&feature, 1}};
    struct sl_pb_Example example = {.features = &features};
    struct sl_str bytes[2] = {SL_STR(""), SL_STR("")};
    struct sl_pb_serving_ExampleList plain = {.examples = {bytes, 2}};
    struct sl_pb_serving_ExampleListWithContext with_context = {.examples = {bytes + 1, 1}};
    struct sl_pb_serving_Input input = {.which = SL_PB_serving_Input_example_list, .example_list = &plain};
    struct sl_pb_serving_ModelSpec spec = {.name = SL_STR("m"), .signature_name = SL_STR("classify")};
    struct sl_pb_serving_ClassificationRequest request = {.model_spec = &spec, .input = &input};
    struct sl_pb_serving_ClassificationResponse classes;
    struct sl_pb_serving_RegressionRequest regression = {.model_spec = &spec, .input = &input};
    struct sl_pb_serving_RegressionResponse values;
    (void)state;
    if (skips()) return;
    server_begin(&s, (struct sl_model_server_options){.grpc = "0"});
    assert_ok(err, sl_pb_encode(&bytes[0], SL_PB_TYPE_OF(Example), &example, 0, &s.arena, &err));
    assert_ok(err, CALL(&s, PredictionService, Classify, Classification, &request, &classes));
    assert_int_equal(classes.result->classifications.n, 2);
    assert_int_equal(classes.result->classifications.items[0].classes.n, 1);
    assert_true(sl_str_is(classes.result->classifications.items[0].classes.items[0].label, "1.5"));
    assert_true(classes.result->classifications.items[0].classes.items[0].score == 3);
    assert_true(sl_str_is(classes.result->classifications.items[1].classes.items[0].label, "0.0"));
    assert_int_equal(CALL(&s, PredictionService, Regress, Regression, &regression, &values), SL_INVALID_ARGUMENT);
    spec.signature_name = SL_STR("regress");
    assert_ok(err, CALL(&s, PredictionService, Regress, Regression, &regression, &values));
    assert_int_equal(values.result->regressions.n, 2);
    assert_true(values.result->regressions.items[0].value == 3 && values.result->regressions.items[1].value == 0);
    with_context.context = bytes[0];
    input.which = SL_PB_serving_Input_example_list_with_context;
    input.example_list_with_context = &with_context;
    assert_ok(err, CALL(&s, PredictionService, Regress, Regression, &regression, &values));
    assert_int_equal(values.result->regressions.n, 1);
    assert_true(values.result->regressions.items[0].value == 3);
    regression.input = NULL;
    assert_int_equal(CALL(&s, PredictionService, Regress, Regression, &regression, &values), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(err.message, "Input is empty."));
    server_end(&s);
}

/* Two signatures on the same examples. */
static void several_signatures(void **state) {
    struct server s;
    struct sl_str bytes[2] = {SL_STR(""), SL_STR("")};
    struct sl_pb_serving_ExampleList list = {.examples = {bytes, 2}};
    struct sl_pb_serving_Input input = {.which = SL_PB_serving_Input_example_list, .example_list = &list};
    struct sl_pb_serving_ModelSpec specs[2] = {{.name = SL_STR("m"), .signature_name = SL_STR("classify")},
                                               {.name = SL_STR("m"), .signature_name = SL_STR("regress")}};
    struct sl_pb_serving_InferenceTask tasks[2] = {{.model_spec = &specs[0],
                                                    .method_name = SL_STR("tensorflow/serving/classify")},
                                                   {.model_spec = &specs[1],
                                                    .method_name = SL_STR("tensorflow/serving/regress")}};
    struct sl_pb_serving_MultiInferenceRequest request = {.tasks = {tasks, 2}, .input = &input};
    struct sl_pb_serving_MultiInferenceResponse answer;
    (void)state;
    if (skips()) return;
    server_begin(&s, (struct sl_model_server_options){.grpc = "0"});
    assert_ok(err, CALL(&s, PredictionService, MultiInference, MultiInference, &request, &answer));
    assert_int_equal(answer.results.n, 2);
    assert_int_equal(answer.results.items[0].which, SL_PB_serving_InferenceResult_classification_result);
    assert_int_equal(answer.results.items[0].classification_result->classifications.n, 2);
    assert_int_equal(answer.results.items[1].which, SL_PB_serving_InferenceResult_regression_result);
    assert_int_equal(answer.results.items[1].regression_result->regressions.n, 2);
    assert_true(sl_str_is(answer.results.items[1].model_spec->signature_name, "regress"));
    static const struct {
        const char *model, *signature, *method, *text;
        sl_code code;
    } rows[] = {
        {"m", "classify", "tensorflow/serving/classify", "Duplicate evaluation of signature: classify",
         SL_INVALID_ARGUMENT},
        {"n", "regress", "tensorflow/serving/regress", "the same model name", SL_INVALID_ARGUMENT},
        {"m", "regress", "tensorflow/serving/predict", "Unsupported signature method_name", SL_UNIMPLEMENTED},
        {"m", "none", "tensorflow/serving/regress", "no signature \"none\"", SL_NOT_FOUND},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        specs[1].name = sl_str_of(rows[i].model);
        specs[1].signature_name = sl_str_of(rows[i].signature);
        tasks[1].method_name = sl_str_of(rows[i].method);
        assert_int_equal(CALL(&s, PredictionService, MultiInference, MultiInference, &request, &answer), rows[i].code);
        assert_non_null(strstr(err.message, rows[i].text));
    }
    server_end(&s);
}

/* ---- many calls at a time */

enum { MANY = 200 };

struct many {
    struct sl_mutex mutex;
    struct sl_condition changed;
    int n_left;
};
struct many_call {
    struct sl_rpc_request rpc;
    struct many *all;
    sl_code code;
    char text[64];
    float y;
    struct sl_arena arena;
};

static int count_threads(void) {
    DIR *dir = opendir("/proc/self/task");
    int n = 0;
    if (!dir) return 0;
    for (const struct dirent *entry; (entry = readdir(dir));) n += entry->d_name[0] != '.';
    closedir(dir);
    return n;
}

static void many_done(struct sl_rpc_request *rpc, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct many_call *c = rpc->arg;
    struct sl_pb_serving_PredictResponse answer;
    struct sl_tensor *y;
    c->code = code;
    snprintf(c->text, sizeof c->text, "%s", text ? text : "");
    if (code == SL_OK &&
        sl_pb_decode(&answer, SL_PB_TYPE_OF(serving_PredictResponse), body->bytes, &c->arena, NULL) == SL_OK &&
        answer.outputs.n && sl_wire_read_tensor(&y, &answer.outputs.items[0].value, NULL, NULL) == SL_OK) {
        c->y = ((float *)y->data)[0];
        sl_tensor_unref(y);
    }
    if (body) sl_rpc_body_unref(body);
    sl_mutex_lock(&c->all->mutex);
    if (--c->all->n_left == 0) sl_condition_signal(&c->all->changed);
    sl_mutex_unlock(&c->all->mutex);
}

/* The i-th asks for i (NaN for `nan`), all at once; when all are answered. */
static void ask_many(struct many_call *calls, struct server *s, const char *signature, int nan) {
    struct many all = {.n_left = MANY};
    sl_mutex_init(&all.mutex);
    sl_condition_init(&all.changed);
    for (int i = 0; i < MANY; i++) {
        float x = i == nan ? __builtin_nanf("") : (float)i;
        struct sl_pb_TensorShapeProto_Dim dim = {.size = 1};
        struct sl_pb_TensorShapeProto shape = {.dim = {&dim, 1}};
        struct sl_pb_entry_string_TensorProto input = {.key = SL_STR("x"),
                                                       .value = {.dtype = SL_FLOAT,
                                                                 .tensor_shape = &shape,
                                                                 .tensor_content = {(char *)&x, sizeof x}}};
        struct sl_pb_serving_ModelSpec spec = {.name = SL_STR("m"), .signature_name = sl_str_of(signature)};
        struct sl_pb_serving_PredictRequest request = {.model_spec = &spec, .inputs = {&input, 1}};
        calls[i] = (struct many_call){.all = &all, .y = -1};
        sl_arena_init(&calls[i].arena);
        calls[i].rpc = (struct sl_rpc_request){.path = SL_STR("/tensorflow.serving.PredictionService/Predict"),
                                               .waits_for_ready = true,
                                               .done = many_done,
                                               .arg = &calls[i]};
        assert_ok(err,
                  sl_wire_add_message(&calls[i].rpc.message, SL_PB_TYPE_OF(serving_PredictRequest), &request, &err));
        sl_rpc_channel_call(s->channel, &calls[i].rpc);
    }
    sl_mutex_lock(&all.mutex);
    while (all.n_left) sl_condition_wait(&all.changed, &all.mutex);
    sl_mutex_unlock(&all.mutex);
    sl_condition_clear(&all.changed);
    sl_mutex_clear(&all.mutex);
    for (int i = 0; i < MANY; i++) sl_arena_clear(&calls[i].arena);
}

/* Few threads, whether all wait in one batch, which is full exactly when all have come, or each runs alone. */
static void many_calls(void **state) {
    static const struct {
        int64_t batch_size, patience_us;
    } rows[] = {{MANY, 3600000000}, {0, 0}, {8, 3600000000}, {2 * MANY, 2000}};
    static struct many_call calls[MANY];
    (void)state;
    if (skips()) return;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct server s;
        server_begin(&s, (struct sl_model_server_options){.grpc = "0",
                                                          .limits = "step_threads=2",
                                                          .batch_size = rows[r].batch_size,
                                                          .batch_timeout_us = rows[r].patience_us});
        const int before = count_threads();
        for (int times = 0; times < 3; times++) {
            ask_many(calls, &s, "", -1);
            for (int i = 0; i < MANY; i++) {
                assert_string_equal(calls[i].text, "");
                assert_int_equal(calls[i].code, SL_OK);
                assert_true(calls[i].y == 2 * (float)i);
            }
        }
        const int of_net = 6, of_steps = 2, watcher = 1; /* all stay for a second */
        assert_true(count_threads() <= before + of_net + of_steps + watcher);
        ask_many(calls, &s, "checked", 5); /* whoever is in a batch with it runs alone */
        for (int i = 0; i < MANY; i++) {
            assert_int_equal(calls[i].code, i == 5 ? SL_INVALID_ARGUMENT : SL_OK);
            if (i != 5) assert_true(calls[i].y == (float)i);
            else assert_non_null(strstr(calls[i].text, "a bad row"));
        }
        server_end(&s);
    }
}

static void metadata(void **state) {
    struct server s;
    struct sl_str field = SL_STR("signature_def");
    struct sl_pb_serving_ModelSpec spec = {.name = SL_STR("m")};
    struct sl_pb_serving_GetModelMetadataRequest request = {.model_spec = &spec, .metadata_field = {&field, 1}};
    struct sl_pb_serving_GetModelMetadataResponse answer;
    struct sl_pb_serving_SignatureDefMap map;
    struct sl_pb_serving_GetModelStatusRequest status_request = {.model_spec = &spec};
    struct sl_pb_serving_GetModelStatusResponse status;
    (void)state;
    if (skips()) return;
    server_begin(&s, (struct sl_model_server_options){.grpc = "0"});
    assert_ok(err, CALL(&s, PredictionService, GetModelMetadata, GetModelMetadata, &request, &answer));
    assert_int_equal(answer.metadata.n, 1);
    assert_true(
        sl_str_is(answer.metadata.items[0].value.type_url, "type.googleapis.com/tensorflow.serving.SignatureDefMap"));
    assert_ok(err, sl_pb_decode(&map, SL_PB_TYPE_OF(serving_SignatureDefMap), answer.metadata.items[0].value.value,
                                &s.arena, &err));
    assert_non_null(sl_pb_find_string_SignatureDef(&map.signature_def, SL_STR("serving_default")));
    field = SL_STR("other");
    assert_int_equal(CALL(&s, PredictionService, GetModelMetadata, GetModelMetadata, &request, &answer),
                     SL_INVALID_ARGUMENT);
    assert_ok(err, CALL(&s, ModelService, GetModelStatus, GetModelStatus, &status_request, &status));
    assert_int_equal(status.model_version_status.n, 1);
    assert_int_equal(status.model_version_status.items[0].state, SL_PB_serving_ModelVersionStatus_State_AVAILABLE);
    spec.name = SL_STR("other");
    assert_int_equal(CALL(&s, ModelService, GetModelStatus, GetModelStatus, &status_request, &status), SL_NOT_FOUND);
    server_end(&s);
}

/* Messages by hand: a healthy server, a service that is not known, a message that is none. */
static void raw_calls(void **state) {
    static const struct {
        const char *path;
        struct sl_str message;
        sl_code code;
        struct sl_str answer;
    } rows[] = {
        {"/grpc.health.v1.Health/Check", {"", 0}, SL_OK, {"\x08\x01", 2}},
        {"/grpc.health.v1.Health/Check", {"\n\x1ftensorflow.serving.ModelService", 33}, SL_OK, {"\x08\x01", 2}},
        {"/grpc.health.v1.Health/Check", {"\n\x01x", 3}, SL_NOT_FOUND, {"", 0}},
        {"/tensorflow.serving.PredictionService/Predict", {"\xff\xff", 2}, SL_INVALID_ARGUMENT, {"", 0}},
        {"/tensorflow.serving.PredictionService/MultiInference", {"", 0}, SL_INVALID_ARGUMENT, {"", 0}},
        {"/tensorflow.serving.SessionService/SessionRun", {"", 0}, SL_UNIMPLEMENTED, {"", 0}},
    };
    struct server s;
    (void)state;
    if (skips()) return;
    server_begin(&s, (struct sl_model_server_options){.grpc = "0"});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_rpc_message m = {.n = 0};
        struct sl_rpc_body *body = NULL;
        assert_ok(err, sl_rpc_message_add_bytes(&m, rows[i].message, &err));
        sl_code code =
            sl_waited_call(&body, s.channel, rows[i].path, &m, sl_net_now(net) + INT64_C(60000000000), true, &err);
        assert_int_equal(code, rows[i].code);
        if (code == SL_OK) assert_true(sl_str_eq(body->bytes, rows[i].answer));
        if (code == SL_OK) sl_rpc_body_unref(body);
    }
    server_end(&s);
}

/* ---- REST. What comes until the server closes the connection. */

static void exchange(char *got, size_t room, int port, const char *sent, size_t size) {
    char text[64];
    struct sl_address address;
    int fd, n;
    bool is_done;
    size_t at = 0;
    int64_t deadline = sl_clock_ns() + INT64_C(60000000000);
    snprintf(text, sizeof text, "127.0.0.1:%d", port);
    assert_ok(err, sl_address_resolve(&address, &n, 1, text, &err));
    assert_ok(err, sl_socket_connect(&fd, &is_done, &address, &err));
    for (size_t done = 0; done < size && sl_clock_ns() < deadline;) {
        ptrdiff_t wrote = 0;
        struct sl_socket_piece piece = {sent + done, size - done};
        if (sl_socket_write(&wrote, fd, &piece, 1, &err) != SL_OK) break; /* it may answer before all has come */
        if (wrote > 0) done += (size_t)wrote;
        else sl_sleep_ns(1000000);
    }
    while (at < room - 1 && sl_clock_ns() < deadline) {
        ptrdiff_t read = 0;
        if (sl_socket_read(&read, fd, got + at, room - 1 - at, &err) != SL_OK || read == 0) break;
        if (read > 0) at += (size_t)read;
        else sl_sleep_ns(1000000);
    }
    got[at] = 0;
    sl_socket_close(fd);
}

static bool rest_skips(void) {
    struct sl_model_server *server;
    const struct sl_registries *registries;
    char folder[FOLDER_TEXT];
    folder_new(folder);
    model_write(folder, "", 2);
    assert_ok(err, sl_root_registries(&registries, &err));
    const struct sl_model_server_options options = {.rest = "0", .poll_ms = -1};
    assert_ok(err, sl_model_server_make(&server, registries, net_of, folder, &options, &err));
    sl_code code = sl_model_server_listen(server, &err);
    sl_model_server_free(server);
    folder_remove(folder);
    if (code == SL_OK) return false;
    assert_int_equal(code, SL_UNIMPLEMENTED);
    print_message("skipped: %s\n", err.message);
    return true;
}

static void http(void **state) {
    static const struct {
        const char *sent, *wanted;
    } rows[] = {
        {"GET /v1/models/m HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 OK"},
        {"POST /v1/models/m:predict HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 18\r\n\r\n"
         "{\"instances\": [1]}",
         "\"predictions\": [2.0]"},
        {"POST /v1/models/m:predict HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
         "8\r\n{\"instan\r\na\r\nces\": [1]}\r\n0\r\n\r\n",
         "\"predictions\": [2.0]"},
        {"GET /v1/models/%6d/versions/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "AVAILABLE"},
        {"POST /v1/models/m:predict HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n",
         "The body has more than 4096 bytes"},
        {"nonsense\r\n\r\n", ""},
    };
    struct server s;
    char got[4096];
    (void)state;
    if (rest_skips()) return;
    server_begin(
        &s, (struct sl_model_server_options){.rest = "0", .request_bytes = 4096, .connections = 8, .idle_ms = 5000});
    int port = sl_model_server_port_of_rest(s.server);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        exchange(got, sizeof got, port, rows[i].sent, strlen(rows[i].sent));
        if (!strstr(got, rows[i].wanted)) fail_msg("%s\n%s\nwanted ...%s...", rows[i].sent, got, rows[i].wanted);
    }
    /* Headers without an end, and a body that is larger than it may be and does not say so. */
    static char large[100000];
    memset(large, 'a', sizeof large);
    memcpy(large, "GET / HTTP/1.1\r\nX: ", 19);
    exchange(got, sizeof got, port, large, sizeof large);
    assert_null(strstr(got, "200 OK"));
    size_t n =
        (size_t)snprintf(large, sizeof large,
                         "POST /v1/models/m:predict HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8000\r\n");
    memset(large + n, '1', 0x8000);
    exchange(got, sizeof got, port, large, n + 0x8000);
    assert_null(strstr(got, "200 OK"));
    /* It goes on for others. */
    exchange(got, sizeof got, port, rows[0].sent, strlen(rows[0].sent));
    assert_non_null(strstr(got, "200 OK"));
    server_end(&s);
}

static void options(void **state) {
    static const struct {
        struct sl_model_server_options options;
        const char *wanted;
    } rows[] = {
        {{.name = "m"}, "for REST, for gRPC or for both"},  {{.rest = ""}, "no address to listen at"},
        {{.rest = "0", .batch_size = -1}, "out of range"},  {{.rest = "0", .poll_ms = -2}, "out of range"},
        {{.rest = "0", .connections = -1}, "out of range"},
    };
    struct sl_model_server *server;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_fails(err, SL_INVALID_ARGUMENT, rows[i].wanted,
                     sl_model_server_make(&server, NULL, net_of, "/nowhere", &rows[i].options, &err));
}

static int end_net(void **state) {
    (void)state;
    sl_net_free(net);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options),
        cmocka_unit_test(predict),
        cmocka_unit_test(examples),
        cmocka_unit_test(metadata),
        cmocka_unit_test(several_signatures),
        cmocka_unit_test(many_calls),
        cmocka_unit_test(raw_calls),
        cmocka_unit_test(http),
    };
    return cmocka_run_group_tests(tests, NULL, end_net);
}
