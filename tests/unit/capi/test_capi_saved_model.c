/* SavedModels as graph and session: variables, assets, functions, tags, what cannot be loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sluice/saved_model_file.h"
#include "tensorflow/c/c_api.h"
#include "unit/capi/capi_fixture.h"

#define MODELS SL_TEST_DATA "/saved_model/"

static TF_Session *load(struct fixture *f, const char *dir, const char *const *tags, int n, TF_Buffer *meta) {
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_LoadSessionFromSavedModel(options, NULL, dir, tags, n, f->graph, meta, f->status);
    TF_DeleteSessionOptions(options);
    return session;
}

static const char *const serve[] = {"serve"};

static TF_Output output(struct fixture *f, const char *name, int index) {
    TF_Output found = {TF_GraphOperationByName(f->graph, name), index};
    assert_non_null(found.oper);
    return found;
}

static TF_Tensor *two_floats(float a, float b) {
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, (int64_t[]){2}, 1, 2 * sizeof(float));
    memcpy(TF_TensorData(t), (float[]){a, b}, 2 * sizeof(float));
    return t;
}

static void a_model_with_a_main_op(void **state) {
    struct fixture *f = *state;
    TF_Buffer *meta = TF_NewBuffer();
    TF_Session *session = load(f, MODELS "main_op", serve, 1, meta);
    assert_status_ok(f->status);
    assert_true(buffer_contains(meta, "serving_default"));
    TF_DeleteBuffer(meta);
    TF_Output x = output(f, "x", 0), fetches[] = {output(f, "y", 0), output(f, "words/Read/ReadVariableOp", 0)};
    TF_Tensor *in = two_floats(1, 4), *out[2] = {NULL, NULL};
    TF_SessionRun(session, NULL, &x, &in, 1, fetches, out, 2, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_memory_equal(TF_TensorData(out[0]), ((float[]){2.5, 4}), 8);
    const TF_TString *words = TF_TensorData(out[1]); /* what the asset holds */
    assert_int_equal(TF_StringGetSize(words), 7);
    assert_memory_equal(TF_StringGetDataPointer(words), "one two", 7);
    TF_DeleteTensor(in);
    TF_DeleteTensor(out[0]);
    TF_DeleteTensor(out[1]);
    TF_DeleteSession(session, f->status);
}

static void a_model_of_functions(void **state) {
    struct fixture *f = *state;
    TF_Session *session = load(f, MODELS "functions", serve, 1, NULL);
    assert_status_ok(f->status);
    TF_Output x = output(f, "serving_default_x", 0);
    TF_Output fetches[] = {output(f, "StatefulPartitionedCall_1", 0), output(f, "StatefulPartitionedCall_1", 1)};
    for (int run = 1; run < 3; run++) {
        TF_Tensor *in = two_floats(1, 10), *out[2] = {NULL, NULL};
        TF_SessionRun(session, NULL, &x, &in, 1, fetches, out, 2, NULL, 0, NULL, f->status);
        assert_status_ok(f->status);
        for (int i = 0; i < 2; i++) {
            if (TF_TensorType(out[i]) == TF_FLOAT) assert_memory_equal(TF_TensorData(out[i]), ((float[]){3, 40}), 8);
            else assert_int_equal(*(int32_t *)TF_TensorData(out[i]), run); /* the count is kept between runs */
            TF_DeleteTensor(out[i]);
        }
        TF_DeleteTensor(in);
    }
    TF_DeleteSession(session, f->status);
}

static void tags_choose_the_graph(void **state) {
    struct fixture *f = *state;
    const char *const both[] = {"gpu", "train"}, *const one[] = {"train"};
    assert_null(load(f, MODELS "main_op", one, 1, NULL));
    assert_status(f->status, TF_NOT_FOUND, "matching supplied tags: { train }");
    assert_status(f->status, TF_NOT_FOUND, "{ train gpu }");
    assert_null(load(f, MODELS "main_op", NULL, 0, NULL));
    assert_status(f->status, TF_NOT_FOUND, "matching supplied tags: { }");
    assert_int_equal(count_operations(f->graph), 0);
    TF_Session *session = load(f, MODELS "main_op", both, 2, NULL);
    assert_status_ok(f->status);
    TF_DeleteSession(session, f->status);
    assert_null(load(f, MODELS "main_op", both, 2, NULL));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Graph is non-empty.");
}

/* The graph alone, without a session. */
static void a_graph_by_its_number(void **state) {
    struct fixture *f = *state;
    struct sl_model *model = sl_model_read(MODELS "main_op", f->status);
    assert_status_ok(f->status);
    sl_model_graph(f->graph, model, 2, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "the model has no graph of number 2");
    sl_model_graph(f->graph, model, 1, f->status);
    assert_status_ok(f->status);
    output(f, "save/restore_all", 0);
    sl_model_graph(f->graph, model, 0, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Graph is non-empty.");
    sl_model_delete(model);
}

/* A directory with one file of this text. */
static void write_model(const char *dir, const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(text, 1, strlen(text), file);
    fclose(file);
}

static void what_cannot_be_loaded(void **state) {
    struct fixture *f = *state;
    char dir[] = "/tmp/sluice-test-XXXXXX", path[256];
    assert_non_null(mkdtemp(dir));
    const struct {
        const char *name, *text;
        TF_Code code;
        const char *why;
    } rows[] = {
        {"unrelated", "", TF_NOT_FOUND, "Could not find SavedModel .pb or .pbtxt"},
        {"saved_model.cpb", "", TF_UNIMPLEMENTED, "in pieces (.cpb)"},
        {"saved_model.pbtxt", "nonsense {", TF_INVALID_ARGUMENT, "as text proto"},
        {"saved_model.pbtxt", "meta_graphs { meta_info_def { tags: \"serve\" } }", TF_DATA_LOSS, "has no graph"},
        {"saved_model.pbtxt",
         "meta_graphs { meta_info_def { tags: \"serve\" } graph_def { node { name: \"c\" op: \"Const\" } } }",
         TF_FAILED_PRECONDITION, "no value has been provided"},
        {"saved_model.pbtxt",
         "meta_graphs { meta_info_def { tags: \"serve\" } graph_def { } collection_def { key: \"legacy_init_op\" "
         "value { node_list { value: \"nobody\" } } } }",
         TF_INVALID_ARGUMENT, "no operation 'nobody'"},
        {"saved_model.pbtxt",
         "meta_graphs { meta_info_def { tags: \"serve\" } graph_def { } asset_file_def { tensor_info { name: \"a:0\" } "
         "} }",
         TF_INVALID_ARGUMENT, "no tensor 'a:0'"},
        {"saved_model.pb", "\xff\xff", TF_DATA_LOSS, "as binary proto"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TF_DeleteGraph(f->graph);
        f->graph = TF_NewGraph();
        write_model(dir, rows[i].name, rows[i].text);
        assert_null(load(f, dir, serve, 1, NULL));
        assert_status(f->status, rows[i].code, rows[i].why);
        snprintf(path, sizeof path, "%s/%s", dir, rows[i].name);
        unlink(path);
    }
    rmdir(dir);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_model_with_a_main_op), TEST(a_model_of_functions),  TEST(tags_choose_the_graph),
        TEST(a_graph_by_its_number),  TEST(what_cannot_be_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
