/* Routes, and the JSON around what json_tensors.c reads and writes. */
#include "serving/rest.h"

#include <stdio.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "proto/wire.h"
#include "serving/example_calls.h"
#include "serving/json_tensors.h"

static const char json_type[] = "application/json";

void sl_rest_fail(struct sl_rest_answer *out, int status, const char *message) {
    sl_text_clear(&out->body);
    out->status = status;
    out->type = json_type;
    sl_text_words(&out->body, "{\n    \"error\": ");
    sl_json_put_string(&out->body, sl_str_of(message));
    sl_text_words(&out->body, "\n}\n");
}

static int status_of(sl_code code) {
    switch (code) {
    case SL_OK: return 200;
    case SL_INVALID_ARGUMENT:
    case SL_FAILED_PRECONDITION:
    case SL_OUT_OF_RANGE: return 400;
    case SL_UNAUTHENTICATED: return 401;
    case SL_PERMISSION_DENIED: return 403;
    case SL_NOT_FOUND: return 404;
    case SL_ALREADY_EXISTS:
    case SL_ABORTED: return 409;
    case SL_RESOURCE_EXHAUSTED: return 429;
    case SL_CANCELLED: return 499;
    case SL_UNIMPLEMENTED: return 501;
    case SL_UNAVAILABLE: return 503;
    case SL_DEADLINE_EXCEEDED: return 504;
    default: return 500;
    }
}

/* ---- what a call has */

struct call {
    struct sl_model_host *host;
    struct sl_str name, body;
    struct sl_str label; /* of the version; "": none */
    int64_t version;     /* -1: the highest */
    struct sl_served_model *model;
    struct sl_served_signature *signature;
    struct sl_text *out;
    struct sl_arena arena;
    struct sl_error err;
};

/* A member of the body, which is an object. */
static sl_code member(bool *found, struct sl_str *out, struct call *c, const char *name) {
    return sl_json_member(found, out, c->body, name, &c->arena, &c->err);
}

/* Checks the body, finds model and signature. */
static sl_code open_call(struct call *c) {
    struct sl_str value, name = SL_STR("");
    bool has_name;
    SL_TRY(sl_json_check(c->body, &c->err));
    struct sl_json j = sl_json_begin(c->body);
    if (sl_json_kind(&j) != SL_JSON_OBJECT)
        return sl_fail(&c->err, SL_INVALID_ARGUMENT, "The request must be an object, not %s",
                       sl_json_kind_name(sl_json_kind(&j)));
    SL_TRY(member(&has_name, &value, c, "signature_name"));
    j = sl_json_begin(value);
    if (has_name && sl_json_kind(&j) != SL_JSON_STRING)
        return sl_fail(&c->err, SL_INVALID_ARGUMENT, "\"signature_name\" must be a string");
    if (has_name) SL_TRY(sl_json_string(&name, &j, &c->arena, &c->err));
    SL_TRY(sl_model_host_get(&c->model, c->host, c->name, c->version, &c->err));
    return sl_served_signature_find(&c->signature, c->model, name, &c->err);
}

/* ---- predict */

static sl_code answer_predict(struct call *c, bool is_rows, struct sl_tensor *const *outputs) {
    sl_text_words(c->out, is_rows ? "{\n    \"predictions\": " : "{\n    \"outputs\": ");
    SL_TRY((is_rows ? sl_json_rows_put : sl_json_columns_put)(c->out, c->signature, outputs, &c->err));
    sl_text_words(c->out, "\n}\n");
    return SL_OK;
}

static sl_code run_predict(struct call *c, struct sl_tensor **inputs, struct sl_tensor **outputs) {
    struct sl_str rows, columns;
    bool has_rows, has_columns;
    SL_TRY(member(&has_rows, &rows, c, "instances"));
    SL_TRY(member(&has_columns, &columns, c, "inputs"));
    if (has_rows == has_columns)
        return sl_fail(&c->err, SL_INVALID_ARGUMENT,
                       has_rows ? "The request has \"instances\" and \"inputs\": one of them is wanted"
                                : "The request has neither \"instances\" nor \"inputs\"");
    if (has_rows) SL_TRY(sl_json_rows_read(inputs, c->signature, rows, &c->arena, &c->err));
    else SL_TRY(sl_json_columns_read(inputs, c->signature, columns, &c->arena, &c->err));
    SL_TRY(sl_served_run(outputs, c->model, c->signature, inputs, &c->host->options.batching, &c->err));
    return answer_predict(c, has_rows, outputs);
}

static sl_code predict(struct call *c) {
    SL_TRY(open_call(c));
    size_t n = (size_t)c->signature->n_inputs + (size_t)c->signature->n_outputs;
    struct sl_tensor **tensors = SL_ARENA_ARRAY(&c->arena, struct sl_tensor *, n + 1);
    if (!tensors) return sl_fail_memory(&c->err, n * sizeof *tensors);
    sl_code code = run_predict(c, tensors, tensors + c->signature->n_inputs);
    for (size_t i = 0; i < n; i++) sl_tensor_unref(tensors[i]);
    return code;
}

/* ---- classify and regress */

static sl_code read_examples(struct sl_served_examples *out, struct call *c) {
    struct sl_str context = SL_STR(""), list, own;
    bool has_context, has_list;
    SL_TRY(member(&has_context, &context, c, "context"));
    SL_TRY(member(&has_list, &list, c, "examples"));
    struct sl_json j = sl_json_begin(list);
    if (!has_list || sl_json_kind(&j) != SL_JSON_LIST)
        return sl_fail(&c->err, SL_INVALID_ARGUMENT, "The request has no list \"examples\"");
    if (has_context) SL_TRY(sl_json_example_read(&context, context, &c->arena, &c->err));
    struct sl_str *examples = SL_ARENA_ARRAY(&c->arena, struct sl_str, sl_json_count(&j) + 1);
    if (!examples) return sl_fail_memory(&c->err, list.n);
    *out = (struct sl_served_examples){c->model, c->signature, examples, 0, &c->host->options.batching};
    for (sl_json_enter(&j); sl_json_next(&j);) {
        SL_TRY(sl_json_example_read(&own, sl_json_slice(&j), &c->arena, &c->err));
        char *both = context.n ? sl_arena_alloc(&c->arena, context.n + own.n) : NULL;
        if (context.n && !both) return sl_fail_memory(&c->err, own.n);
        if (both) { /* the example's own features count */
            memcpy(both, context.p, context.n);
            memcpy(both + context.n, own.p, own.n);
            own = (struct sl_str){both, context.n + own.n};
        }
        examples[out->n++] = own;
    }
    return SL_OK;
}

static sl_code classify(struct call *c) {
    struct sl_served_examples examples;
    struct sl_pb_serving_ClassificationResult result;
    SL_TRY(open_call(c));
    SL_TRY(read_examples(&examples, c));
    SL_TRY(sl_served_classify(&result, &examples, &c->arena, &c->err));
    sl_text_words(c->out, "{\n    \"results\": [");
    for (size_t i = 0; i < result.classifications.n; i++) {
        const struct sl_pb_serving_Classifications *one = &result.classifications.items[i];
        sl_text_words(c->out, i ? ", [" : "[");
        for (size_t k = 0; k < one->classes.n; k++) {
            sl_text_words(c->out, k ? ", [" : "[");
            sl_json_put_string(c->out, one->classes.items[k].label);
            sl_text_words(c->out, ", ");
            sl_json_put_float(c->out, one->classes.items[k].score);
            sl_text_byte(c->out, ']');
        }
        sl_text_byte(c->out, ']');
    }
    sl_text_words(c->out, "]\n}\n");
    return SL_OK;
}

static sl_code regress(struct call *c) {
    struct sl_served_examples examples;
    struct sl_pb_serving_RegressionResult result;
    SL_TRY(open_call(c));
    SL_TRY(read_examples(&examples, c));
    SL_TRY(sl_served_regress(&result, &examples, &c->arena, &c->err));
    sl_text_words(c->out, "{\n    \"results\": [");
    for (size_t i = 0; i < result.regressions.n; i++) {
        sl_text_words(c->out, i ? ", " : "");
        sl_json_put_float(c->out, result.regressions.items[i].value);
    }
    sl_text_words(c->out, "]\n}\n");
    return SL_OK;
}

/* ---- status and metadata, as protobuf's JSON writes these messages */

static const char *state_name(int32_t state) {
    switch (state) {
    case SL_PB_serving_ModelVersionStatus_State_START: return "START";
    case SL_PB_serving_ModelVersionStatus_State_LOADING: return "LOADING";
    case SL_PB_serving_ModelVersionStatus_State_AVAILABLE: return "AVAILABLE";
    case SL_PB_serving_ModelVersionStatus_State_UNLOADING: return "UNLOADING";
    case SL_PB_serving_ModelVersionStatus_State_END: return "END";
    default: return "UNKNOWN";
    }
}

static sl_code status(struct call *c) {
    struct sl_pb_serving_GetModelStatusResponse all;
    SL_TRY(sl_model_host_status(&all, c->host, c->name, c->version, &c->arena, &c->err));
    sl_text_words(c->out, "{\n \"model_version_status\": [");
    for (size_t i = 0; i < all.model_version_status.n; i++) {
        const struct sl_pb_serving_ModelVersionStatus *s = &all.model_version_status.items[i];
        sl_text_format(c->out,
                       "%s\n  {\n   \"version\": \"%lld\",\n   \"state\": \"%s\",\n   \"status\": {\n    "
                       "\"error_code\": \"%s\",\n    \"error_message\": ",
                       i ? "," : "", (long long)s->version, state_name(s->state),
                       sl_code_name((sl_code)s->status->error_code));
        sl_json_put_string(c->out, s->status->error_message);
        sl_text_words(c->out, "\n   }\n  }");
    }
    sl_text_words(c->out, "\n ]\n}\n");
    return SL_OK;
}

static void put_upper(struct sl_text *to, const char *name) {
    for (; *name; name++) sl_text_byte(to, *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name);
}

static void put_shape(struct sl_text *to, const struct sl_pb_TensorShapeProto *shape) {
    sl_text_words(to, "{\n       \"dim\": [");
    for (size_t d = 0; shape && d < shape->dim.n; d++) {
        sl_text_format(to, "%s\n        {\n         \"size\": \"%lld\",\n         \"name\": ", d ? "," : "",
                       (long long)shape->dim.items[d].size);
        sl_json_put_string(to, shape->dim.items[d].name);
        sl_text_words(to, "\n        }");
    }
    sl_text_format(to, "],\n       \"unknown_rank\": %s\n      }", shape && shape->unknown_rank ? "true" : "false");
}

static void put_infos(struct sl_text *to, const char *what, const struct sl_pb_map_string_TensorInfo *map) {
    sl_text_format(to, "   \"%s\": {", what);
    for (size_t i = 0; i < map->n; i++) {
        const struct sl_pb_TensorInfo *info = &map->items[i].value;
        sl_text_words(to, i ? ",\n    " : "\n    ");
        sl_json_put_string(to, map->items[i].key);
        sl_text_words(to, ": {\n     \"dtype\": \"DT_");
        put_upper(to, sl_dtype_is_valid((int)info->dtype) ? sl_dtype_name((int)info->dtype) : "invalid");
        sl_text_words(to, "\",\n     \"tensor_shape\": ");
        put_shape(to, info->tensor_shape);
        sl_text_words(to, ",\n     \"name\": ");
        sl_json_put_string(to, info->which == SL_PB_TensorInfo_name ? info->name : SL_STR(""));
        sl_text_words(to, "\n    }");
    }
    sl_text_words(to, "\n   },\n");
}

static sl_code metadata(struct call *c) {
    struct sl_pb_serving_SignatureDefMap map;
    SL_TRY(sl_model_host_get(&c->model, c->host, c->name, c->version, &c->err));
    SL_TRY(sl_pb_decode(&map, SL_PB_TYPE_OF(serving_SignatureDefMap), c->model->signature_map, &c->arena, &c->err));
    sl_text_words(c->out, "{\n\"model_spec\": {\n \"name\": ");
    sl_json_put_string(c->out, sl_str_of(c->host->name));
    sl_text_format(c->out,
                   ",\n \"signature_name\": \"\",\n \"version\": \"%lld\"\n},\n\"metadata\": {\"signature_def\": {\n "
                   "\"signature_def\": {",
                   (long long)c->model->version);
    for (size_t i = 0; i < map.signature_def.n; i++) {
        const struct sl_pb_SignatureDef *def = &map.signature_def.items[i].value;
        sl_text_words(c->out, i ? ",\n  " : "\n  ");
        sl_json_put_string(c->out, map.signature_def.items[i].key);
        sl_text_words(c->out, ": {\n");
        put_infos(c->out, "inputs", &def->inputs);
        put_infos(c->out, "outputs", &def->outputs);
        sl_text_words(c->out, "   \"method_name\": ");
        sl_json_put_string(c->out, def->method_name);
        sl_text_words(c->out, "\n  }");
    }
    sl_text_words(c->out, "\n }\n}}\n}\n");
    return SL_OK;
}

/* ---- routes */

static const struct route {
    const char *method, *end; /* what the path ends with, behind model and version */
    enum sl_serving_api api;
    sl_code (*serve)(struct call *c);
} routes[] = {{"POST", ":predict", SL_SERVING_PREDICT, predict},
              {"POST", ":classify", SL_SERVING_CLASSIFY, classify},
              {"POST", ":regress", SL_SERVING_REGRESS, regress},
              {"GET", "/metadata", SL_SERVING_METADATA, metadata},
              {"GET", "", SL_SERVING_STATUS, status}};

static bool take(struct sl_str *s, struct sl_str prefix) {
    if (!sl_str_starts(*s, prefix)) return false;
    *s = (struct sl_str){s->p + prefix.n, s->n - prefix.n};
    return true;
}

/* What comes before the next '/' or ':'. */
static struct sl_str take_word(struct sl_str *s) {
    size_t n = 0;
    while (n < s->n && s->p[n] != '/' && s->p[n] != ':') n++;
    struct sl_str word = {s->p, n};
    *s = (struct sl_str){s->p + n, s->n - n};
    return word;
}

static bool read_version(int64_t *version, struct sl_str text) {
    *version = 0;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] < '0' || text.p[i] > '9' || __builtin_mul_overflow(*version, 10, version) ||
            __builtin_add_overflow(*version, text.p[i] - '0', version))
            return false;
    return text.n > 0;
}

/* "NAME[/versions/N | /labels/LABEL]" and what is behind it. False for what is none of it. */
static bool read_path(struct call *c, struct sl_str *end, struct sl_str path) {
    if (!take(&path, SL_STR("/v1/models/"))) return false;
    c->name = take_word(&path);
    c->version = -1;
    bool is_good = c->name.n > 0;
    if (take(&path, SL_STR("/versions/"))) is_good &= read_version(&c->version, take_word(&path));
    else if (take(&path, SL_STR("/labels/"))) is_good &= (c->label = take_word(&path)).n > 0;
    *end = path;
    return is_good;
}

static sl_code find_host(struct call *c, const struct sl_model_hosts *hosts) {
    SL_TRY(sl_model_hosts_find(&c->host, hosts, c->name, &c->err));
    return c->label.n ? sl_model_host_labelled(&c->version, c->host, c->label, &c->err) : SL_OK;
}

static void serve_route(struct sl_rest_answer *out, const struct sl_model_hosts *hosts, const struct route *route,
                        struct call *c) {
    int64_t start = sl_clock_ns();
    c->out = &out->body;
    sl_arena_init(&c->arena);
    sl_code code = find_host(c, hosts);
    bool is_of_model = c->host && sl_str_is(c->name, c->host->name);
    if (code == SL_OK) code = route->serve(c);
    if (code == SL_OK && out->body.is_broken) code = sl_fail_memory(&c->err, out->body.n);
    sl_served_model_unref(c->model);
    sl_arena_clear(&c->arena);
    if (code != SL_OK) sl_rest_fail(out, status_of(code), c->err.message);
    if (is_of_model) sl_metrics_count(&c->host->metrics, SL_SERVING_REST, route->api, code, sl_clock_ns() - start);
}

static void serve_metrics(struct sl_rest_answer *out, const struct sl_model_hosts *hosts) {
    struct sl_metrics_of *models = sl_calloc((size_t)hosts->n, sizeof *models);
    out->type = "text/plain; version=0.0.4";
    if (!models) {
        sl_rest_fail(out, 500, "out of memory");
        return;
    }
    for (int i = 0; i < hosts->n; i++) {
        struct sl_model_host *host = hosts->items[i];
        struct sl_served_model *model = NULL;
        (void)sl_model_host_get(&model, host, SL_STR(""), -1, NULL);
        models[i] = (struct sl_metrics_of){&host->metrics, host->name, model ? model->version : 0};
        sl_served_model_unref(model);
    }
    sl_metrics_put(&out->body, models, hosts->n);
    sl_free(models);
}

void sl_rest_serve(struct sl_rest_answer *out, const struct sl_model_hosts *hosts,
                   const struct sl_rest_request *request) {
    struct call call = {.body = request->body};
    struct sl_str end;
    bool is_known = false;
    *out = (struct sl_rest_answer){.status = 200, .type = json_type};
    if (sl_str_is(request->path, "/monitoring/prometheus/metrics") && sl_str_is(request->method, "GET")) {
        serve_metrics(out, hosts);
        return;
    }
    bool is_path = read_path(&call, &end, request->path);
    for (size_t i = 0; is_path && i < sizeof routes / sizeof *routes; i++) {
        if (!sl_str_is(end, routes[i].end)) continue;
        is_known = true;
        if (!sl_str_is(request->method, routes[i].method)) continue;
        serve_route(out, hosts, &routes[i], &call);
        return;
    }
    char text[256];
    (void)snprintf(text, sizeof text, "%s: %.*s %.*s", is_known ? "Method not allowed" : "Malformed request",
                   (int)(request->method.n > 16 ? 16 : request->method.n), request->method.p,
                   (int)(request->path.n > 200 ? 200 : request->path.n), request->path.p);
    sl_rest_fail(out, is_known ? 405 : 404, text);
}
