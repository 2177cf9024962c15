/* Versions, batches and REST calls, without sockets. */
#include <stdio.h>

#include "os/file.h"
#include "os/thread.h"
#include "root/root.h"
#include "serving/rest.h"
#include "unit/serving/serving_fixture.h"

static struct sl_error err;

/* ---- REST */

/* Asks; the answer has to have this status and text. */
static void check_rest(struct sl_model_host *host, const char *method, const char *path, const char *body, int status,
                       const char *wanted) {
    const struct sl_rest_request request = {sl_str_of(method), sl_str_of(path), sl_str_of(body)};
    struct sl_rest_answer answer;
    const struct sl_model_hosts hosts = {&host, 1};
    sl_rest_serve(&answer, &hosts, &request);
    sl_text_byte(&answer.body, 0);
    if (answer.status != status || !strstr(answer.body.p, wanted))
        fail_msg("%s %s %s: %d %s\nwanted %d ...%s...", method, path, body, answer.status, answer.body.p, status,
                 wanted);
    sl_text_free(&answer.body);
}

static void rest(void **state) {
    static const struct {
        const char *method, *path, *body;
        int status;
        const char *wanted;
    } rows[] = {
        {"POST", ":predict", "{\"instances\": [1, 2]}", 200, "\"predictions\": [3.0,\n        6.0]"},
        {"POST", ":predict", "{\"inputs\": [1, 2]}", 200, "\"outputs\": [3.0, 6.0]"},
        {"POST", "/versions/1:predict", "{\"inputs\": {\"x\": [1]}}", 200, "\"outputs\": [3.0]"},
        {"POST", ":predict", "{\"signature_name\": \"both\", \"instances\": [{\"x\": [1, 2], \"n\": 7}]}", 200,
         "[{\"n\": 7, \"x\": [1.0, 2.0]}]"},
        {"POST", ":predict", "{\"signature_name\": \"total\", \"inputs\": [1, 2]}", 200, "\"outputs\": 3.0"},
        {"POST", ":predict", "{\"signature_name\": \"total\", \"instances\": [1, 2]}", 400, "has no row for each"},
        {"POST", ":predict", "{\"signature_name\": \"both\", \"inputs\": {\"x\": [[1, 2]]}}", 400,
         "Input \\\"n\\\" is missing"},
        {"POST", ":predict", "{\"signature_name\": \"other\", \"inputs\": [1]}", 404, "no signature \\\"other\\\""},
        {"POST", ":predict", "{\"signature_name\": 1, \"inputs\": [1]}", 400, "must be a string"},
        {"POST", ":predict", "{\"inputs\": [[1]]}", 400, "has shape [1,1], the signature wants [?]"},
        {"POST", ":predict", "{}", 400, "neither \\\"instances\\\" nor \\\"inputs\\\""},
        {"POST", ":predict", "{\"inputs\": [1], \"instances\": [1]}", 400, "one of them is wanted"},
        {"POST", ":predict", "{\"inputs\": [1]", 400, "JSON: unexpected end"},
        {"POST", ":predict", "", 400, "JSON: unexpected end"},
        {"POST", ":predict", "[1]", 400, "must be an object, not a list"},
        {"POST", ":predict", "{\"inputs\": [\"\xff\"]}", 400, "invalid UTF-8"},
        {"POST", ":predict", "{\"signature_name\": \"checked\", \"inputs\": [NaN]}", 400, "a bad row"},
        {"POST", "/versions/9:predict", "{\"inputs\": [1]}", 404, "Specific(m, 9)"},
        {"POST", ":classify", "{\"signature_name\": \"classify\", \"examples\": [{\"x\": 1.5}, {\"x\": 2}]}", 400, "x"},
        {"POST", ":classify", "{\"signature_name\": \"classify\", \"examples\": [{\"x\": 1.5}, {\"x\": [2.5]}, {}]}",
         200, "\"results\": [[[\"1.5\", 4.5]], [[\"2.5\", 7.5]], [[\"0.0\", 0.0]]]"},
        {"POST", ":regress",
         "{\"signature_name\": \"regress\", \"context\": {\"x\": 1.5}, \"examples\": [{}, {\"x\": 2.5}]}", 200,
         "\"results\": [4.5, 7.5]"},
        {"POST", ":regress", "{\"signature_name\": \"classify\", \"examples\": [{}]}", 400,
         "is of method \\\"tensorflow/serving/classify\\\", not tensorflow/serving/regress"},
        {"POST", ":regress", "{\"signature_name\": \"regress\", \"examples\": []}", 400, "Input is empty."},
        {"POST", ":regress", "{\"signature_name\": \"regress\"}", 400, "no list \\\"examples\\\""},
        {"GET", "", "", 200, "\"state\": \"AVAILABLE\""},
        {"GET", "/versions/1", "", 200, "\"version\": \"1\""},
        {"GET", "/versions/2", "", 404, "Could not find version 2"},
        {"GET", "/metadata", "", 200, "\"dtype\": \"DT_INT64\""},
        {"GET", ":predict", "", 405, "Method not allowed"},
        {"GET", "/other", "", 404, "Malformed request"},
        {"GET", "/versions/", "", 404, "Malformed request"},
        {"GET", "/versions/99999999999999999999", "", 404, "Malformed request"},
    };
    char folder[FOLDER_TEXT], path[256];
    struct hosted h;
    (void)state;
    folder_new(folder);
    model_write(folder, "", 3);
    hosted_begin(&h, folder, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(path, sizeof path, "/v1/models/m%s", rows[i].path);
        check_rest(h.host, rows[i].method, path, rows[i].body, rows[i].status, rows[i].wanted);
    }
    check_rest(h.host, "GET", "/v1/models/other", "", 404, "Latest(other)");
    check_rest(h.host, "GET", "/", "", 404, "Malformed request");
    check_rest(
        h.host, "GET", "/monitoring/prometheus/metrics", "", 200,
        ":tensorflow:serving:request_count{model_name=\"m\",API=\"Regress\",entrypoint=\"REST\",status=\"OK\"} 1\n");
    check_rest(h.host, "GET", "/monitoring/prometheus/metrics", "", 200, "sluice_model_version{model_name=\"m\"} 1\n");
    check_rest(h.host, "GET", "/monitoring/prometheus/metrics", "", 200,
               "request_latency_bucket{model_name=\"m\",API=\"Regress\",entrypoint=\"REST\",le=\"+Inf\"} 4\n");
    hosted_end(&h);
    folder_remove(folder);
}

/* ---- versions */

static void no_versions(void **state) {
    const struct sl_model_host_options options = {.dir = "/nowhere/at/all"};
    struct sl_model_host *host;
    char folder[FOLDER_TEXT];
    (void)state;
    assert_fails(err, SL_NOT_FOUND, "/nowhere/at/all", sl_model_host_new(&host, &options, &err));
    folder_new(folder);
    const struct sl_model_host_options empty = {.dir = folder};
    assert_fails(err, SL_NOT_FOUND, "neither a SavedModel nor a folder with", sl_model_host_new(&host, &empty, &err));
    folder_remove(folder);
}

static void new_versions(void **state) {
    char folder[FOLDER_TEXT], file[2 * FOLDER_TEXT];
    struct sl_served_model *held;
    struct hosted h;
    (void)state;
    folder_new(folder);
    model_write(folder, "3", 3);
    model_write(folder, "20", 20);
    model_write(folder, "name", 1); /* no number */
    hosted_begin(&h, folder, NULL);
    check_rest(h.host, "POST", "/v1/models/m:predict", "{\"inputs\": [1]}", 200, "[20.0]");
    assert_ok(err, sl_model_host_get(&held, h.host, SL_STR("m"), 20, &err));

    model_write(folder, "21", 21);
    sl_model_host_poll(h.host);
    check_rest(h.host, "POST", "/v1/models/m:predict", "{\"inputs\": [1]}", 200, "[21.0]");
    check_rest(h.host, "POST", "/v1/models/m/versions/20:predict", "{\"inputs\": [1]}", 404, "Specific(m, 20)");
    check_rest(h.host, "GET", "/v1/models/m/versions/20", "", 200, "UNLOADING");
    assert_false(hosted_told(&h, "unloaded"));
    sl_served_model_unref(held);
    assert_true(hosted_told(&h, "unloaded m version 20\n"));
    check_rest(h.host, "GET", "/v1/models/m/versions/20", "", 200, "\"END\"");

    /* One that cannot be loaded: the one before goes on, and its state says why. */
    snprintf(file, sizeof file, "%s/22", folder);
    assert_ok(err, sl_dir_create(file, &err));
    snprintf(file, sizeof file, "%s/22/saved_model.pb", folder);
    assert_ok(err, sl_file_write(file, "\xff\xff", 2, &err));
    sl_model_host_poll(h.host);
    sl_model_host_poll(h.host);
    check_rest(h.host, "POST", "/v1/models/m:predict", "{\"inputs\": [1]}", 200, "[21.0]");
    check_rest(h.host, "GET", "/v1/models/m/versions/22", "", 200, "DATA_LOSS");
    assert_true(hosted_told(&h, "failed m version 22: DATA_LOSS"));
    assert_null(strstr(strstr(h.told, "failed") + 1, "failed")); /* told once */

    /* The highest ones are taken away: the next lower one is served again. */
    snprintf(file, sizeof file, "%s/22", folder);
    assert_ok(err, sl_dir_remove_all(file, &err));
    snprintf(file, sizeof file, "%s/21", folder);
    assert_ok(err, sl_dir_remove_all(file, &err));
    sl_model_host_poll(h.host);
    check_rest(h.host, "POST", "/v1/models/m:predict", "{\"inputs\": [1]}", 200, "[20.0]");
    assert_true(hosted_told(&h, "unloaded m version 21\n"));
    hosted_end(&h);
    folder_remove(folder);
}

/* ---- several models */

static void write_config(char file[2 * FOLDER_TEXT], const char *folder, const char *text) {
    snprintf(file, 2 * FOLDER_TEXT, "%s/models", folder);
    assert_ok(err, sl_file_write(file, text, strlen(text), &err));
}

static sl_code open_config(struct sl_model_hosts *hosts, const char *folder, const char *text) {
    const struct sl_registries *registries;
    char file[2 * FOLDER_TEXT];
    write_config(file, folder, text);
    assert_ok(err, sl_root_registries(&registries, &err));
    const struct sl_model_host_options options = {.registries = registries};
    return sl_model_hosts_open(hosts, &options, file, &err);
}

/* Asks one of them for the factor of its default signature. */
static void check_factor(const struct sl_model_hosts *hosts, const char *path, int status, const char *wanted) {
    const struct sl_rest_request request = {SL_STR("POST"), sl_str_of(path), SL_STR("{\"inputs\": [1]}")};
    struct sl_rest_answer answer;
    sl_rest_serve(&answer, hosts, &request);
    sl_text_byte(&answer.body, 0);
    if (answer.status != status || !strstr(answer.body.p, wanted))
        fail_msg("%s: %d %s, not %d ...%s...", path, answer.status, answer.body.p, status, wanted);
    sl_text_free(&answer.body);
}

static void several_models(void **state) {
    char folder[FOLDER_TEXT], one[2 * FOLDER_TEXT], text[4096];
    struct sl_model_hosts hosts;
    (void)state;
    folder_new(folder);
    for (int i = 0; i < 2; i++) {
        snprintf(one, sizeof one, "%s/%c", folder, 'a' + i);
        assert_ok(err, sl_dir_create(one, &err));
        for (int version = 1; version <= 4; version++) {
            char name[8];
            snprintf(name, sizeof name, "%d", version);
            model_write(one, name, 10 * (i + 1) + version);
        }
    }
    snprintf(text, sizeof text,
             "model_config_list { config { name: 'first' base_path: '%s/a' model_platform: 'tensorflow'\n"
             "  model_version_policy { specific { versions: 2 versions: 3 } }\n"
             "  version_labels { key: 'stable' value: 2 } version_labels { key: 'gone' value: 4 } }\n"
             "config { name: 'second' base_path: '%s/b' model_version_policy { latest { num_versions: 2 } } }\n"
             "config { name: 'third' base_path: '%s/b' model_version_policy { all { } } }\n"
             "config { name: 'fourth' base_path: '%s/b' } }\n",
             folder, folder, folder, folder);
    assert_ok(err, open_config(&hosts, folder, text));
    assert_int_equal(hosts.n, 4);
    check_factor(&hosts, "/v1/models/first:predict", 200, "[13.0]");
    check_factor(&hosts, "/v1/models/first/versions/2:predict", 200, "[12.0]");
    check_factor(&hosts, "/v1/models/first/versions/4:predict", 404, "Specific(first, 4)");
    check_factor(&hosts, "/v1/models/first/labels/stable:predict", 200, "[12.0]");
    check_factor(&hosts, "/v1/models/first/labels/gone:predict", 404, "Specific(first, 4)");
    check_factor(&hosts, "/v1/models/first/labels/other:predict", 404, "Unrecognized servable version label: other");
    check_factor(&hosts, "/v1/models/first/labels/:predict", 404, "Malformed request");
    check_factor(&hosts, "/v1/models/second:predict", 200, "[24.0]");
    check_factor(&hosts, "/v1/models/second/versions/3:predict", 200, "[23.0]");
    check_factor(&hosts, "/v1/models/second/versions/2:predict", 404, "Specific(second, 2)");
    check_factor(&hosts, "/v1/models/third/versions/1:predict", 200, "[21.0]");
    check_factor(&hosts, "/v1/models/fourth/versions/3:predict", 404, "Specific(fourth, 3)");
    check_factor(&hosts, "/v1/models/fifth:predict", 404, "Latest(fifth)");

    /* What the policy wants changes with the folder. */
    snprintf(one, sizeof one, "%s/b", folder);
    model_write(one, "5", 25);
    for (int i = 0; i < hosts.n; i++) sl_model_host_poll(hosts.items[i]);
    check_factor(&hosts, "/v1/models/second:predict", 200, "[25.0]");
    check_factor(&hosts, "/v1/models/second/versions/4:predict", 200, "[24.0]");
    check_factor(&hosts, "/v1/models/second/versions/3:predict", 404, "Specific(second, 3)");
    check_factor(&hosts, "/v1/models/third/versions/1:predict", 200, "[21.0]");
    sl_model_hosts_close(&hosts);
    folder_remove(folder);
}

static void wrong_configs(void **state) {
    static const struct {
        const char *text, *wanted;
        sl_code code;
    } rows[] = {
        {"", "from 1 to", SL_INVALID_ARGUMENT},
        {"model_config_list { }", "from 1 to", SL_INVALID_ARGUMENT},
        {"model { }", "models: 1:1", SL_INVALID_ARGUMENT},
        {"model_config_list { config { name: 'm' } }", "a name and a base_path", SL_INVALID_ARGUMENT},
        {"model_config_list { config { name: 'm' base_path: '/x' model_platform: 'other' } }", "no platform \"other\"",
         SL_UNIMPLEMENTED},
        {"model_config_list { config { name: 'm' base_path: '/x' model_version_policy { specific { } } } }",
         "names none", SL_INVALID_ARGUMENT},
        {"model_config_list { config { name: 'm' base_path: '/nowhere' } }", "/nowhere", SL_NOT_FOUND},
        {"model_config_list { config { name: 'm' base_path: '%s/a' } config { name: 'm' base_path: '%s/a' } }",
         "two models of the name m", SL_INVALID_ARGUMENT},
        {"model_config_list { config { name: 'm' base_path: '%s/a' model_version_policy { specific { versions: 7 } } } "
         "} # %s",
         "none of the versions", SL_NOT_FOUND},
    };
    char folder[FOLDER_TEXT], text[4096];
    struct sl_model_hosts hosts;
    (void)state;
    folder_new(folder);
    model_write(folder, "a", 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *from = rows[i].text, *at;
        size_t n = 0;
        for (; (at = strstr(from, "%s")); from = at + 2)
            n += (size_t)snprintf(text + n, sizeof text - n, "%.*s%s", (int)(at - from), from, folder);
        snprintf(text + n, sizeof text - n, "%s", from);
        assert_fails(err, rows[i].code, rows[i].wanted, open_config(&hosts, folder, text));
        sl_model_hosts_close(&hosts);
    }
    folder_remove(folder);
}

/* Threads that ask while versions come: each answer is of one version, and none fails. */
struct asking {
    struct sl_model_host *host;
    struct sl_thread thread;
    const struct sl_batching *batching;
    atomic_bool *stops;
    int n, n_failed;
};

static void ask_on(void *arg) {
    struct asking *a = arg;
    while (!atomic_load(a->stops) || a->n < 20) {
        struct sl_served_model *model = NULL;
        struct sl_served_signature *s = NULL;
        struct sl_tensor *x = NULL, *y = NULL;
        int64_t rows = 2;
        bool is_good = sl_model_host_get(&model, a->host, SL_STR("m"), -1, NULL) == SL_OK &&
                       sl_served_signature_find(&s, model, SL_STR(""), NULL) == SL_OK &&
                       sl_tensor_new(&x, SL_FLOAT, (struct sl_shape){1, &rows}, NULL) == SL_OK;
        if (is_good) {
            ((float *)x->data)[0] = 1;
            ((float *)x->data)[1] = 2;
            is_good = sl_served_run(&y, model, s, &x, a->batching, NULL) == SL_OK && y->count == 2 &&
                      ((float *)y->data)[0] == (float)model->version &&
                      ((float *)y->data)[1] == 2 * (float)model->version;
        }
        a->n++;
        a->n_failed += !is_good;
        sl_tensor_unref(x);
        sl_tensor_unref(y);
        sl_served_model_unref(model);
    }
}

static void swap_under_load(const struct sl_batching *batching) {
    enum { THREADS = 4, VERSIONS = 6 };
    struct asking asking[THREADS];
    atomic_bool stops = false;
    char folder[FOLDER_TEXT], name[16];
    struct hosted h;
    folder_new(folder);
    model_write(folder, "1", 1);
    hosted_begin(&h, folder, batching);
    for (int i = 0; i < THREADS; i++) {
        asking[i] = (struct asking){.host = h.host, .batching = batching, .stops = &stops};
        assert_ok(err, sl_thread_start(&asking[i].thread, "asks", 0, ask_on, &asking[i], &err));
    }
    for (int version = 2; version <= VERSIONS; version++) {
        snprintf(name, sizeof name, "%d", version);
        model_write(folder, name, version);
        sl_model_host_poll(h.host);
    }
    atomic_store(&stops, true);
    for (int i = 0; i < THREADS; i++) {
        sl_thread_join(&asking[i].thread);
        assert_int_equal(asking[i].n_failed, 0);
        assert_true(asking[i].n >= 20);
    }
    hosted_end(&h);
    assert_non_null(strstr(h.told, "unloaded m version 5\n"));
    assert_non_null(strstr(h.told, "unloaded m version 6\n"));
    folder_remove(folder);
}

static void swaps(void **state) {
    (void)state;
    swap_under_load(&(struct sl_batching){0, 0});
}
static void swaps_with_batches(void **state) {
    (void)state;
    swap_under_load(&(struct sl_batching){6, 200000});
}

/* ---- batches */

/* One call of a signature over some numbers. */
struct one_call {
    struct sl_thread thread;
    struct sl_model_host *host;
    const char *signature;
    const struct sl_batching *batching;
    float x[4];
    int64_t n;
    sl_code code;
    struct sl_error err;
    struct sl_tensor *out;
};

static void run_call(void *arg) {
    struct one_call *c = arg;
    struct sl_served_model *model;
    struct sl_served_signature *s;
    struct sl_tensor *x = NULL;
    c->out = NULL;
    c->code = sl_model_host_get(&model, c->host, SL_STR(""), -1, &c->err);
    if (c->code != SL_OK) return;
    c->code = sl_served_signature_find(&s, model, sl_str_of(c->signature), &c->err);
    if (c->code == SL_OK) c->code = sl_tensor_new(&x, SL_FLOAT, (struct sl_shape){1, &c->n}, &c->err);
    if (c->code == SL_OK) {
        memcpy(x->data, c->x, (size_t)c->n * sizeof *c->x);
        c->code = sl_served_run(&c->out, model, s, &x, c->batching, &c->err);
    }
    sl_tensor_unref(x);
    sl_served_model_unref(model);
}

static void run_calls(struct one_call *calls, int n, struct sl_model_host *host, const char *signature,
                      const struct sl_batching *batching) {
    for (int i = 0; i < n; i++) {
        calls[i].host = host;
        calls[i].signature = signature;
        calls[i].batching = batching;
        assert_ok(err, sl_thread_start(&calls[i].thread, "calls", 0, run_call, &calls[i], &err));
    }
    for (int i = 0; i < n; i++) sl_thread_join(&calls[i].thread);
}

/* The batch is full exactly when all have come: with an hour's patience nothing else ends the wait. */
static const struct sl_batching of_six = {6, INT64_C(3600000000000)};

static void batches(void **state) {
    struct one_call calls[3] = {{.x = {1}, .n = 1}, {.x = {2, 3}, .n = 2}, {.x = {4, 5, 6}, .n = 3}};
    char folder[FOLDER_TEXT];
    struct hosted h;
    (void)state;
    folder_new(folder);
    model_write(folder, "", 2);
    hosted_begin(&h, folder, &of_six);
    run_calls(calls, 3, h.host, "", &of_six);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(calls[i].code, SL_OK);
        assert_int_equal(calls[i].out->count, calls[i].n);
        for (int k = 0; k < calls[i].n; k++) assert_true(((float *)calls[i].out->data)[k] == 2 * calls[i].x[k]);
    }
    /* They share the memory of one step. */
    assert_non_null(calls[0].out->owner);
    assert_ptr_equal(calls[0].out->owner, calls[1].out->owner);
    for (int i = 0; i < 3; i++) sl_tensor_unref(calls[i].out);
    hosted_end(&h);
    folder_remove(folder);
}

static void a_bad_member(void **state) {
    struct one_call calls[3] = {{.x = {1}, .n = 1}, {.x = {2, __builtin_nanf("")}, .n = 2}, {.x = {4, 5, 6}, .n = 3}};
    char folder[FOLDER_TEXT];
    struct hosted h;
    (void)state;
    folder_new(folder);
    model_write(folder, "", 2);
    hosted_begin(&h, folder, &of_six);
    run_calls(calls, 3, h.host, "checked", &of_six);
    assert_int_equal(calls[0].code, SL_OK);
    assert_int_equal(calls[1].code, SL_INVALID_ARGUMENT);
    assert_non_null(strstr(calls[1].err.message, "a bad row"));
    assert_null(calls[1].out);
    assert_int_equal(calls[2].code, SL_OK);
    assert_true(((float *)calls[2].out->data)[2] == 6);
    for (int i = 0; i < 3; i++) sl_tensor_unref(calls[i].out);
    hosted_end(&h);
    folder_remove(folder);
}

static void outputs_without_rows(void **state) {
    struct one_call calls[3] = {{.x = {1}, .n = 1}, {.x = {2, 3}, .n = 2}, {.x = {4, 5, 6}, .n = 3}};
    char folder[FOLDER_TEXT];
    struct hosted h;
    (void)state;
    folder_new(folder);
    model_write(folder, "", 2);
    hosted_begin(&h, folder, &of_six);
    for (int times = 0; times < 2; times++) { /* the second time nobody waits for others */
        run_calls(calls, 3, h.host, "total", &of_six);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(calls[i].code, SL_OK);
            assert_true(*(float *)calls[i].out->data == (i == 0 ? 1 : i == 1 ? 5 : 15));
            sl_tensor_unref(calls[i].out);
        }
    }
    hosted_end(&h);
    folder_remove(folder);
}

/* A call alone waits no longer than the batch's time, and one with too many rows not at all. */
static void alone(void **state) {
    const struct sl_batching short_wait = {3, 1000000};
    struct one_call call = {.x = {1}, .n = 1}, large = {.x = {1, 2, 3, 4}, .n = 4};
    char folder[FOLDER_TEXT];
    struct hosted h;
    (void)state;
    folder_new(folder);
    model_write(folder, "", 2);
    hosted_begin(&h, folder, &short_wait);
    run_calls(&call, 1, h.host, "", &short_wait);
    run_calls(&large, 1, h.host, "", &short_wait);
    assert_int_equal(call.code, SL_OK);
    assert_int_equal(large.code, SL_OK);
    assert_true(((float *)large.out->data)[3] == 8);
    sl_tensor_unref(call.out);
    sl_tensor_unref(large.out);
    hosted_end(&h);
    folder_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest),
        cmocka_unit_test(no_versions),
        cmocka_unit_test(new_versions),
        cmocka_unit_test(several_models),
        cmocka_unit_test(wrong_configs),
        cmocka_unit_test(swaps),
        cmocka_unit_test(batches),
        cmocka_unit_test(a_bad_member),
        cmocka_unit_test(alone),
        cmocka_unit_test(outputs_without_rows),
        cmocka_unit_test(swaps_with_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
