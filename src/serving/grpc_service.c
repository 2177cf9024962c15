/* The messages are in proto/serving.proto. Tensors are read where they came, and sent from where they are.
 *
 *   begin ─► serve: reads the request, prepares a run ─► sl_served_begin ─► after: writes the answer, or ─► end
 *                                 ▲                                           prepares the next run
 *                                 └──────────────────────────────────────────────┘
 *
 * A call belongs to whoever runs it, and between sl_served_begin and `done` to predict.c. */
#include "serving/grpc_service.h"

#include "base/alloc.h"
#include "dist/service_call.h"
#include "os/clock.h"
#include "serving/example_calls.h"
#include "tensor/tensor_proto.h"

void sl_grpc_serving_init(struct sl_grpc_serving *serving, const struct sl_model_hosts *hosts) {
    *serving = (struct sl_grpc_serving){.hosts = hosts};
    sl_mutex_init(&serving->mutex);
    sl_condition_init(&serving->changed);
}

sl_code sl_grpc_serving_open(struct sl_grpc_serving *serving, struct sl_net *net, unsigned step_threads,
                             struct sl_error *err) {
    serving->places.net = net;
    if (serving->places.threads) return SL_OK; /* what it was opened for failed */
    return sl_bounded_threads_new(&serving->places.threads, step_threads, err);
}

void sl_grpc_serving_drain(struct sl_grpc_serving *serving) {
    sl_mutex_lock(&serving->mutex);
    serving->drains = true;
    while (serving->n_calls) sl_condition_wait(&serving->changed, &serving->mutex);
    sl_mutex_unlock(&serving->mutex);
}

void sl_grpc_serving_clear(struct sl_grpc_serving *serving) {
    sl_bounded_threads_free(serving->places.threads);
    sl_condition_clear(&serving->changed);
    sl_mutex_clear(&serving->mutex);
}

enum { TASKS_MOST = 256 }; /* of a MultiInference */

/* ---- a call's way */

struct call {
    struct sl_served_call run; /* of its signature */
    struct sl_net_task task;
    struct sl_grpc_serving *serving;
    struct sl_model_host *host; /* NULL until the request has named it */
    struct sl_rpc_call *rpc;
    enum sl_serving_api api;
    bool is_here, has_run; /* on a net's thread; a run has been prepared */
    atomic_bool is_gone;   /* the client */
    sl_code (*serve)(struct call *c);
    sl_code (*after)(struct call *c); /* the run, with c->run.outputs */
    struct sl_served_model *model;    /* NULL, or a reference */
    struct sl_served_signature *signature;
    struct sl_tensor **tensors; /* inputs, then outputs */
    size_t n_tensors;
    void *asked; /* what `after` has to know; in the arena, as: */
    struct sl_served_examples *examples;
    struct sl_rpc_message answer;
    int64_t start_ns;
    struct sl_arena arena;
    struct sl_error err;
};

static void drop_tensors(struct call *c) {
    for (size_t i = 0; i < c->n_tensors; i++) sl_tensor_unref(c->tensors[i]);
    c->n_tensors = 0;
}

static void end(struct call *c, sl_code code) {
    struct sl_grpc_serving *serving = c->serving;
    drop_tensors(c);
    sl_served_model_unref(c->model);
    if (c->host) sl_metrics_count(&c->host->metrics, SL_SERVING_GRPC, c->api, code, sl_clock_ns() - c->start_ns);
    sl_service_end(c->rpc, &c->answer, code, &c->err);
    sl_arena_clear(&c->arena);
    sl_free(c);
    sl_mutex_lock(&serving->mutex);
    if (--serving->n_calls == 0) sl_condition_broadcast(&serving->changed);
    sl_mutex_unlock(&serving->mutex);
}

static sl_code after_run(struct call *c) { return c->run.code == SL_OK ? c->after(c) : c->run.code; }

static void go_on(struct call *c, sl_code code) {
    while (code == SL_OK && c->has_run) {
        c->has_run = false;
        if (atomic_load(&c->is_gone)) code = sl_fail(&c->err, SL_CANCELLED, "The client has gone");
        else if (!sl_served_begin(&c->run)) return;
        else code = after_run(c);
    }
    end(c, code);
}

/* On one of the threads. */
static void run_done(struct sl_served_call *run) {
    struct call *c = (struct call *)((char *)run - offsetof(struct call, run));
    c->is_here = false;
    go_on(c, after_run(c));
}

/* The signature's run comes next, and then `after`. Room for its inputs, of which each that is given is a reference. */
static sl_code prepare_run(struct call *c, sl_code (*after)(struct call *c)) {
    const struct sl_served_signature *s = c->signature;
    const size_t n = (size_t)s->n_inputs + (size_t)s->n_outputs;
    drop_tensors(c);
    c->tensors = SL_ARENA_ARRAY(&c->arena, struct sl_tensor *, n + 1);
    if (!c->tensors) return sl_fail_memory(&c->err, n * sizeof *c->tensors);
    c->n_tensors = n;
    c->after = after;
    c->has_run = true;
    c->run = (struct sl_served_call){.model = c->model,
                                     .signature = c->signature,
                                     .inputs = c->tensors,
                                     .outputs = c->tensors + s->n_inputs,
                                     .batching = &c->host->options.batching,
                                     .places = &c->serving->places,
                                     .is_here = c->is_here,
                                     .done = run_done,
                                     .err = &c->err};
    return SL_OK;
}

static void client_gone(struct sl_rpc_call *rpc, sl_code code) {
    struct call *c = rpc->arg;
    (void)code;
    atomic_store(&c->is_gone, true);
}

static void run_call(void *arg) {
    static const struct sl_rpc_listener listener = {.gone = client_gone};
    struct call *c = arg;
    sl_rpc_call_listen(c->rpc, &listener);
    go_on(c, c->serve(c));
}

static void run_call_here(struct sl_net_task *task) { run_call((char *)task - offsetof(struct call, task)); }

static void begin(struct sl_grpc_serving *serving, struct sl_rpc_call *rpc, enum sl_serving_api api,
                  sl_code (*serve)(struct call *c), bool may_be_here) {
    const size_t most = 16384; /* to read more takes a while */
    struct call *c = sl_calloc(1, sizeof *c);
    if (!c) {
        sl_rpc_call_fail(rpc, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    c->serving = serving;
    c->rpc = rpc;
    c->api = api;
    c->serve = serve;
    c->start_ns = sl_clock_ns();
    c->task.run = run_call_here;
    c->is_here = may_be_here && (!rpc->body || rpc->body->bytes.n <= most);
    sl_arena_init(&c->arena);
    rpc->arg = c;
    sl_mutex_lock(&serving->mutex);
    serving->n_calls++;
    sl_mutex_unlock(&serving->mutex);
    if (c->is_here && sl_net_run_here(serving->places.net, &c->task)) return;
    c->is_here = false;
    sl_bounded_threads_run(serving->places.threads, run_call, c);
}

static sl_code decode(void *message, struct call *c, const struct sl_pb_message *type) {
    struct sl_str bytes = c->rpc->body ? c->rpc->body->bytes : SL_STR("");
    sl_code code = sl_pb_decode(message, type, bytes, &c->arena, &c->err);
    return code == SL_OK || code == SL_RESOURCE_EXHAUSTED ? code : (c->err.code = SL_INVALID_ARGUMENT);
}

/* ---- which model */

/* What a ModelSpec asks for; -1: the highest version. Sets the call's host. */
static sl_code read_spec(int64_t *version, struct call *c, const struct sl_pb_serving_ModelSpec *spec) {
    if (!spec || !spec->name.n) return sl_fail(&c->err, SL_INVALID_ARGUMENT, "Missing ModelSpec");
    struct sl_model_host *host;
    SL_TRY(sl_model_hosts_find(&host, c->serving->hosts, spec->name, &c->err));
    c->host = host;
    if (spec->which == SL_PB_serving_ModelSpec_version_label)
        return sl_model_host_labelled(version, c->host, spec->version_label, &c->err);
    *version = spec->which == SL_PB_serving_ModelSpec_version && spec->version ? spec->version->value : -1;
    if (*version >= -1) return SL_OK;
    return sl_fail(&c->err, SL_INVALID_ARGUMENT, "%lld is no version", (long long)*version);
}

static sl_code find_model(struct call *c, const struct sl_pb_serving_ModelSpec *spec) {
    int64_t version;
    SL_TRY(read_spec(&version, c, spec));
    return sl_model_host_get(&c->model, c->host, spec->name, version, &c->err);
}

static sl_code find_signature(struct call *c, const struct sl_pb_serving_ModelSpec *spec) {
    SL_TRY(find_model(c, spec));
    return sl_served_signature_find(&c->signature, c->model, spec->signature_name, &c->err);
}

/* What has answered: in a ModelSpec of the answer. */
struct spec {
    struct sl_pb_serving_ModelSpec message;
    struct sl_pb_Int64Value version;
};
static struct sl_pb_serving_ModelSpec *fill_spec(struct spec *s, const struct call *c) {
    s->version = (struct sl_pb_Int64Value){.value = c->model->version};
    s->message = (struct sl_pb_serving_ModelSpec){.name = sl_str_of(c->host->name),
                                                  .which = SL_PB_serving_ModelSpec_version,
                                                  .version = &s->version};
    if (c->signature) s->message.signature_name = c->signature->name;
    return &s->message;
}

static sl_code set_answer(struct call *c, const struct sl_pb_message *type, const void *message) {
    return sl_wire_add_message(&c->answer, type, message, &c->err);
}

/* ---- Predict */

static sl_code read_inputs(struct sl_tensor **inputs, struct call *c, const struct sl_pb_map_string_TensorProto *map) {
    for (size_t i = 0; i < map->n; i++) {
        int k = sl_served_port_find(c->signature->inputs, c->signature->n_inputs, map->items[i].key);
        if (k < 0)
            return sl_fail(&c->err, SL_INVALID_ARGUMENT, "The signature has no input \"%.*s\"",
                           SL_STR_ARG(map->items[i].key));
        sl_tensor_unref(inputs[k]);
        inputs[k] = NULL;
        SL_TRY(sl_wire_read_tensor(&inputs[k], &map->items[i].value, c->rpc->body, &c->err));
    }
    return SL_OK;
}

/* An entry of `outputs`. Strings as string_val, which all clients read; a NamedTensorProto has the fields of an entry. */
static sl_code add_output(struct call *c, struct sl_str name, struct sl_tensor *t) {
    struct sl_pb_entry_string_TensorProto entry = {.key = name};
    struct sl_pb_serving_PredictResponse answer = {.outputs = {&entry, 1}};
    if (t->dtype != SL_STRING) return sl_wire_add_tensor(&c->answer, 1, name, t, &c->err);
    SL_TRY(sl_tensor_to_proto(&entry.value, t, &c->arena, &c->err));
    return set_answer(c, SL_PB_TYPE_OF(serving_PredictResponse), &answer);
}

static sl_code add_outputs(struct call *c) {
    const struct sl_served_signature *s = c->signature;
    const struct sl_pb_array_str *filter = &((const struct sl_pb_serving_PredictRequest *)c->asked)->output_filter;
    struct spec spec;
    struct sl_pb_serving_PredictResponse head = {.model_spec = fill_spec(&spec, c)};
    for (int i = 0; i < s->n_outputs; i++) {
        bool is_wanted = filter->n == 0;
        for (size_t k = 0; k < filter->n; k++) is_wanted |= sl_str_eq(filter->items[k], s->outputs[i].name);
        if (is_wanted) SL_TRY(add_output(c, s->outputs[i].name, c->run.outputs[i]));
    }
    return set_answer(c, SL_PB_TYPE_OF(serving_PredictResponse), &head);
}

static sl_code predict(struct call *c) {
    struct sl_pb_serving_PredictRequest *request = c->asked =
        SL_ARENA_NEW(&c->arena, struct sl_pb_serving_PredictRequest);
    if (!request) return sl_fail_memory(&c->err, sizeof *request);
    SL_TRY(decode(request, c, SL_PB_TYPE_OF(serving_PredictRequest)));
    SL_TRY(find_signature(c, request->model_spec));
    const struct sl_served_signature *s = c->signature;
    for (size_t k = 0; k < request->output_filter.n; k++)
        if (sl_served_port_find(s->outputs, s->n_outputs, request->output_filter.items[k]) < 0)
            return sl_fail(&c->err, SL_INVALID_ARGUMENT, "output tensor alias not found in signature: %.*s",
                           SL_STR_ARG(request->output_filter.items[k]));
    SL_TRY(prepare_run(c, add_outputs));
    return read_inputs(c->run.inputs, c, &request->inputs);
}

/* ---- Classify and Regress */

static sl_code read_examples(struct sl_served_examples *out, struct call *c, const struct sl_pb_serving_Input *input) {
    *out = (struct sl_served_examples){.model = c->model,
                                       .signature = c->signature,
                                       .batching = &c->host->options.batching};
    if (input && input->which == SL_PB_serving_Input_example_list) {
        out->examples = input->example_list->examples.items;
        out->n = input->example_list->examples.n;
    }
    if (!input || input->which != SL_PB_serving_Input_example_list_with_context) return SL_OK;
    const struct sl_pb_serving_ExampleListWithContext *list = input->example_list_with_context;
    struct sl_str *examples = SL_ARENA_ARRAY(&c->arena, struct sl_str, list->examples.n + 1);
    if (!examples) return sl_fail_memory(&c->err, list->examples.n * sizeof *examples);
    for (size_t i = 0; i < list->examples.n; i++) { /* one behind the other, messages are merged: the own count */
        struct sl_str own = list->examples.items[i];
        char *both = sl_arena_alloc(&c->arena, list->context.n + own.n);
        if (!both) return sl_fail_memory(&c->err, own.n);
        if (list->context.n) memcpy(both, list->context.p, list->context.n);
        if (own.n) memcpy(both + list->context.n, own.p, own.n);
        examples[i] = (struct sl_str){both, list->context.n + own.n};
    }
    out->examples = examples;
    out->n = list->examples.n;
    return SL_OK;
}

/* The run of a classification or regression: its one input is made of the examples. */
static sl_code prepare_examples(struct call *c, const struct sl_pb_serving_Input *input,
                                sl_code (*after)(struct call *c),
                                sl_code (*make_input)(struct sl_tensor **out, const struct sl_served_examples *call,
                                                      struct sl_error *err)) {
    struct sl_served_examples *examples = SL_ARENA_NEW(&c->arena, struct sl_served_examples);
    struct sl_tensor *made;
    if (!examples) return sl_fail_memory(&c->err, sizeof *examples);
    SL_TRY(read_examples(examples, c, input));
    SL_TRY(make_input(&made, examples, &c->err));
    sl_code code = prepare_run(c, after);
    if (code != SL_OK) sl_tensor_unref(made);
    else c->run.inputs[0] = made;
    c->examples = examples;
    return code;
}

static sl_code answer_classify(struct call *c) {
    struct sl_pb_serving_ClassificationResult result;
    struct spec spec;
    SL_TRY(sl_served_classify_result(&result, c->examples, c->run.outputs, &c->arena, &c->err));
    struct sl_pb_serving_ClassificationResponse answer = {.model_spec = fill_spec(&spec, c), .result = &result};
    return set_answer(c, SL_PB_TYPE_OF(serving_ClassificationResponse), &answer);
}

static sl_code classify(struct call *c) {
    struct sl_pb_serving_ClassificationRequest request;
    SL_TRY(decode(&request, c, SL_PB_TYPE_OF(serving_ClassificationRequest)));
    SL_TRY(find_signature(c, request.model_spec));
    return prepare_examples(c, request.input, answer_classify, sl_served_classify_input);
}

static sl_code answer_regress(struct call *c) {
    struct sl_pb_serving_RegressionResult result;
    struct spec spec;
    SL_TRY(sl_served_regress_result(&result, c->examples, c->run.outputs, &c->arena, &c->err));
    struct sl_pb_serving_RegressionResponse answer = {.model_spec = fill_spec(&spec, c), .result = &result};
    return set_answer(c, SL_PB_TYPE_OF(serving_RegressionResponse), &answer);
}

static sl_code regress(struct call *c) {
    struct sl_pb_serving_RegressionRequest request;
    SL_TRY(decode(&request, c, SL_PB_TYPE_OF(serving_RegressionRequest)));
    SL_TRY(find_signature(c, request.model_spec));
    return prepare_examples(c, request.input, answer_regress, sl_served_regress_input);
}

/* ---- MultiInference: several signatures of one version, on the same examples */

struct inference {
    struct sl_pb_serving_MultiInferenceRequest request;
    struct sl_pb_serving_MultiInferenceResponse answer;
    struct spec *specs;
    size_t done; /* tasks */
};

static sl_code prepare_task(struct call *c);

static sl_code end_task(struct call *c, struct sl_pb_serving_InferenceResult *out) {
    struct inference *all = c->asked;
    out->model_spec = fill_spec(&all->specs[all->done], c);
    if (++all->done < all->request.tasks.n) return prepare_task(c);
    return set_answer(c, SL_PB_TYPE_OF(serving_MultiInferenceResponse), &all->answer);
}

static sl_code take_classes(struct call *c) {
    struct inference *all = c->asked;
    struct sl_pb_serving_InferenceResult *out = &all->answer.results.items[all->done];
    out->which = SL_PB_serving_InferenceResult_classification_result;
    out->classification_result = SL_ARENA_NEW(&c->arena, struct sl_pb_serving_ClassificationResult);
    if (!out->classification_result) return sl_fail_memory(&c->err, sizeof *out->classification_result);
    SL_TRY(sl_served_classify_result(out->classification_result, c->examples, c->run.outputs, &c->arena, &c->err));
    return end_task(c, out);
}

static sl_code take_values(struct call *c) {
    struct inference *all = c->asked;
    struct sl_pb_serving_InferenceResult *out = &all->answer.results.items[all->done];
    out->which = SL_PB_serving_InferenceResult_regression_result;
    out->regression_result = SL_ARENA_NEW(&c->arena, struct sl_pb_serving_RegressionResult);
    if (!out->regression_result) return sl_fail_memory(&c->err, sizeof *out->regression_result);
    SL_TRY(sl_served_regress_result(out->regression_result, c->examples, c->run.outputs, &c->arena, &c->err));
    return end_task(c, out);
}

static sl_code prepare_task(struct call *c) {
    struct inference *all = c->asked;
    const struct sl_pb_serving_InferenceTask *task = &all->request.tasks.items[all->done];
    struct sl_str method = task->method_name;
    SL_TRY(sl_served_signature_find(&c->signature, c->model, task->model_spec->signature_name, &c->err));
    if (sl_str_is(method, "tensorflow/serving/classify"))
        return prepare_examples(c, all->request.input, take_classes, sl_served_classify_input);
    if (sl_str_is(method, "tensorflow/serving/regress"))
        return prepare_examples(c, all->request.input, take_values, sl_served_regress_input);
    return sl_fail(&c->err, SL_UNIMPLEMENTED, "Unsupported signature method_name: %.*s", SL_STR_ARG(method));
}

/* All tasks are of one model and version, each of a signature of its own. */
static sl_code check_tasks(struct call *c, const struct sl_pb_serving_MultiInferenceRequest *request) {
    const struct sl_pb_serving_InferenceTask *tasks = request->tasks.items;
    if (!request->tasks.n || !tasks[0].model_spec)
        return sl_fail(&c->err, SL_INVALID_ARGUMENT, "Inference request does not have tasks with a model_spec");
    for (size_t i = 0; i < request->tasks.n; i++) {
        if (!tasks[i].model_spec || !sl_str_eq(tasks[i].model_spec->name, tasks[0].model_spec->name))
            return sl_fail(&c->err, SL_INVALID_ARGUMENT, "All tasks of a MultiInference must have the same model name");
        for (size_t k = 0; k < i; k++)
            if (sl_str_eq(tasks[i].model_spec->signature_name, tasks[k].model_spec->signature_name))
                return sl_fail(&c->err, SL_INVALID_ARGUMENT, "Duplicate evaluation of signature: %.*s",
                               SL_STR_ARG(tasks[i].model_spec->signature_name));
    }
    return SL_OK;
}

static sl_code multi_inference(struct call *c) {
    struct inference *all = c->asked = SL_ARENA_NEW(&c->arena, struct inference);
    if (!all) return sl_fail_memory(&c->err, sizeof *all);
    SL_TRY(decode(&all->request, c, SL_PB_TYPE_OF(serving_MultiInferenceRequest)));
    size_t n = all->request.tasks.n;
    if (n > TASKS_MOST)
        return sl_fail(&c->err, SL_INVALID_ARGUMENT, "a MultiInference has %d tasks at most", TASKS_MOST);
    SL_TRY(check_tasks(c, &all->request));
    SL_TRY(find_model(c, all->request.tasks.items[0].model_spec));
    all->specs = SL_ARENA_ARRAY(&c->arena, struct spec, n);
    all->answer.results.items = SL_ARENA_ARRAY(&c->arena, struct sl_pb_serving_InferenceResult, n);
    all->answer.results.n = n;
    if (!all->specs || !all->answer.results.items) return sl_fail_memory(&c->err, n * sizeof *all->specs);
    return prepare_task(c);
}

/* ---- metadata and status */

static sl_code get_metadata(struct call *c) {
    struct sl_pb_serving_GetModelMetadataRequest request;
    struct spec spec;
    SL_TRY(decode(&request, c, SL_PB_TYPE_OF(serving_GetModelMetadataRequest)));
    if (!request.metadata_field.n)
        return sl_fail(&c->err, SL_INVALID_ARGUMENT,
                       "GetModelMetadataRequest must specify at least one metadata_field");
    for (size_t i = 0; i < request.metadata_field.n; i++)
        if (!sl_str_is(request.metadata_field.items[i], "signature_def"))
            return sl_fail(&c->err, SL_INVALID_ARGUMENT, "Metadata field %.*s is not supported",
                           SL_STR_ARG(request.metadata_field.items[i]));
    SL_TRY(find_model(c, request.model_spec));
    struct sl_pb_entry_string_Any entry = {.key = SL_STR("signature_def"),
                                           .value = {.type_url = SL_STR(
                                                         "type.googleapis.com/tensorflow.serving.SignatureDefMap"),
                                                     .value = c->model->signature_map}};
    struct sl_pb_serving_GetModelMetadataResponse answer = {.model_spec = fill_spec(&spec, c), .metadata = {&entry, 1}};
    return set_answer(c, SL_PB_TYPE_OF(serving_GetModelMetadataResponse), &answer);
}

static sl_code get_status(struct call *c) {
    struct sl_pb_serving_GetModelStatusRequest request;
    struct sl_pb_serving_GetModelStatusResponse answer;
    int64_t version;
    SL_TRY(decode(&request, c, SL_PB_TYPE_OF(serving_GetModelStatusRequest)));
    SL_TRY(read_spec(&version, c, request.model_spec));
    SL_TRY(sl_model_host_status(&answer, c->host, request.model_spec->name, version, &c->arena, &c->err));
    return set_answer(c, SL_PB_TYPE_OF(serving_GetModelStatusResponse), &answer);
}

/* ---- health. Its messages are one string and one number, and so written by hand. */

static void check_health(void *arg, struct sl_rpc_call *rpc) {
    enum { SERVING = 1, NOT_SERVING = 2 };
    static const char *const known[] = {"", "tensorflow.serving.PredictionService", "tensorflow.serving.ModelService"};
    struct sl_grpc_serving *serving = arg;
    struct sl_str b = rpc->body ? rpc->body->bytes : SL_STR(""), service = SL_STR("");
    struct sl_rpc_message m = {.n = 0};
    bool is_known = false;
    if (b.n >= 2 && b.p[0] == 0x0a && (unsigned char)b.p[1] == b.n - 2) service = (struct sl_str){b.p + 2, b.n - 2};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= sl_str_is(service, known[i]);
    sl_mutex_lock(&serving->mutex);
    const char answer[] = {0x08, serving->drains ? NOT_SERVING : SERVING};
    sl_mutex_unlock(&serving->mutex);
    if (!is_known) sl_rpc_call_fail(rpc, SL_NOT_FOUND, "unknown service");
    else if (sl_rpc_message_add_bytes(&m, (struct sl_str){answer, sizeof answer}, NULL) == SL_OK)
        sl_rpc_call_answer(rpc, &m);
    else sl_rpc_call_fail(rpc, SL_RESOURCE_EXHAUSTED, "out of memory");
}

/* ---- the methods */

#define METHOD(name, api, serve, may_be_here)                                                                          \
    static void begin_##name(void *arg, struct sl_rpc_call *rpc) { begin(arg, rpc, api, serve, may_be_here); }
METHOD(predict, SL_SERVING_PREDICT, predict, true)
METHOD(classify, SL_SERVING_CLASSIFY, classify, true)
METHOD(regress, SL_SERVING_REGRESS, regress, true)
METHOD(multi_inference, SL_SERVING_MULTI_INFERENCE, multi_inference, true)
METHOD(metadata, SL_SERVING_METADATA, get_metadata, false)
METHOD(status, SL_SERVING_STATUS, get_status, false)

const struct sl_rpc_method sl_grpc_serving_methods[] = {
    {"/tensorflow.serving.PredictionService/Predict", false, begin_predict},
    {"/tensorflow.serving.PredictionService/Classify", false, begin_classify},
    {"/tensorflow.serving.PredictionService/Regress", false, begin_regress},
    {"/tensorflow.serving.PredictionService/MultiInference", false, begin_multi_inference},
    {"/tensorflow.serving.PredictionService/GetModelMetadata", false, begin_metadata},
    {"/tensorflow.serving.ModelService/GetModelStatus", false, begin_status},
    {"/grpc.health.v1.Health/Check", false, check_health},
    {NULL, false, NULL}};
