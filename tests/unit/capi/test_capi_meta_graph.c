/* MetaGraphs: collections of every kind, both formats, a Saver for a graph without one, what is no MetaGraph. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sluice/graph_file.h"
#include "sluice/meta_graph_file.h"
#include "sluice/saver.h"
#include "unit/capi/capi_fixture.h"

#define SAMPLE SL_TEST_DATA "/graphs/average.meta"

static char folder[64];

static int enter_folder(void **state) {
    strcpy(folder, "/tmp/sluice-meta-XXXXXX");
    return !mkdtemp(folder) || chdir(folder) || fixture_set_up(state);
}

static int leave_folder(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return fixture_tear_down(state) || chdir("/") || system(command);
}

static struct sl_collection collection(const struct sl_meta_graph *meta, const char *name) {
    struct sl_collection c;
    for (int i = 0; sl_meta_graph_collection(&c, meta, i); i++)
        if (!strcmp(c.name, name)) return c;
    fail_msg("no collection %s", name);
    return c;
}

static struct sl_collection_item item(const struct sl_meta_graph *meta, const char *name, int number) {
    struct sl_collection c;
    struct sl_collection_item found = {0};
    for (int i = 0; sl_meta_graph_collection(&c, meta, i); i++)
        if (!strcmp(c.name, name)) assert_true(sl_meta_graph_item(&found, meta, i, number));
    return found;
}

static void check_sample(const struct sl_meta_graph *meta) {
    struct sl_collection c;
    struct sl_collection_item none;
    c = collection(meta, "contexts"); /* text sorts them by name */
    assert_int_equal(c.kind * 10 + c.count, SL_COLLECTION_BYTES * 10 + 2);
    assert_false(sl_meta_graph_collection(&c, meta, 5) || sl_meta_graph_collection(&c, meta, -1));
    assert_false(sl_meta_graph_item(&none, meta, 3, 2) || sl_meta_graph_item(&none, meta, 9, 0));
    assert_string_equal(item(meta, "train_op", 0).bytes, "train");
    assert_true(item(meta, "rates", 1).real == 0.25f);
    assert_int_equal(item(meta, "sizes", 1).number, -4611686018427387904);
    assert_int_equal(item(meta, "contexts", 0).size, 2);
    assert_memory_equal(item(meta, "contexts", 0).bytes, "\0\xff", 2);
    assert_int_equal(item(meta, "contexts", 1).size, 0);
    assert_string_equal(item(meta, "attributes", 0).type_url, "type.googleapis.com/tensorflow.AttrValue");
    assert_memory_equal(item(meta, "attributes", 0).bytes, "\x18\x07", 2);
}

static struct sl_meta_graph *read_sample(TF_Status *s, const char *path) {
    struct sl_meta_graph *meta = sl_meta_graph_read(path, s);
    assert_status_ok(s);
    return meta;
}

static void collections_there_and_back(void **state) {
    struct fixture *f = *state;
    struct sl_meta_graph *meta = read_sample(f->status, SAMPLE);
    check_sample(meta);
    sl_meta_graph_write(meta, "binary", 0, f->status);
    assert_status_ok(f->status);
    sl_meta_graph_write(meta, "text", 1, f->status);
    assert_status_ok(f->status);
    sl_meta_graph_delete(meta);
    for (int i = 0; i < 2; i++) {
        meta = read_sample(f->status, i ? "text" : "binary");
        check_sample(meta);
        TF_Graph *graph = TF_NewGraph();
        sl_meta_graph_import(meta, graph, NULL, f->status);
        assert_status_ok(f->status);
        assert_int_equal(count_operations(graph), 18);
        TF_DeleteGraph(graph);
        graph = TF_NewGraph();
        sl_graph_read(graph, i ? "text" : "binary", NULL, f->status); /* takes the graph out of it */
        assert_status_ok(f->status);
        assert_int_equal(count_operations(graph), 18);
        TF_DeleteGraph(graph);
        TF_Buffer *bytes = sl_graph_file_bytes(i ? "text" : "binary", f->status); /* the same, as a GraphDef */
        assert_status_ok(f->status);
        graph = TF_NewGraph();
        TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
        TF_GraphImportGraphDef(graph, bytes, options, f->status);
        assert_status_ok(f->status);
        assert_int_equal(count_operations(graph), 18);
        TF_DeleteImportGraphDefOptions(options);
        TF_DeleteGraph(graph);
        for (int k = 0; k < 2; k++) { /* and written in both formats */
            const char *name = k ? "again.pbtxt" : "again.pb";
            sl_graph_file_write(name, bytes, f->status);
            assert_status_ok(f->status);
            graph = TF_NewGraph();
            sl_graph_read(graph, name, NULL, f->status);
            assert_status_ok(f->status);
            assert_int_equal(count_operations(graph), 18);
            TF_DeleteGraph(graph);
        }
        TF_DeleteBuffer(bytes);
        sl_meta_graph_delete(meta);
    }
    assert_null(sl_graph_file_bytes("missing", f->status));
    assert_int_equal(TF_GetCode(f->status), TF_NOT_FOUND);
}

static void collections_grow_and_go(void **state) {
    struct fixture *f = *state;
    struct sl_meta_graph *meta = read_sample(f->status, SAMPLE);
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "node_%d", i);
        struct sl_collection_item node = {.bytes = name, .size = strlen(name)};
        sl_meta_graph_add(meta, i % 2 ? "train_op" : "new", SL_COLLECTION_NODES, &node, f->status);
        assert_status_ok(f->status);
    }
    assert_string_equal(item(meta, "train_op", 50).bytes, "node_99");
    assert_string_equal(item(meta, "new", 49).bytes, "node_98");
    sl_meta_graph_add(meta, "rates", SL_COLLECTION_INTS, &(struct sl_collection_item){.number = 1}, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "of another kind");
    sl_meta_graph_add(meta, "rates", (enum sl_collection_kind)9, &(struct sl_collection_item){.number = 1}, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "kind 9");
    assert_true(sl_meta_graph_drop(meta, "contexts"));
    assert_false(sl_meta_graph_drop(meta, "contexts"));
    struct sl_collection c;
    assert_true(sl_meta_graph_collection(&c, meta, 3));
    assert_string_equal(c.name, "attributes");
    sl_meta_graph_delete(meta);
}

/* Trains one step, saves by the Saver that was added, restores into another session. */
static void a_saver_is_added(void **state) {
    struct fixture *f = *state;
    struct sl_saver_names names;
    struct sl_meta_graph *meta = read_sample(f->status, SAMPLE);
    assert_false(sl_meta_graph_saver(&names, meta));
    sl_meta_graph_add_saver(meta, f->status);
    assert_status_ok(f->status);
    assert_true(sl_meta_graph_saver(&names, meta));
    assert_string_equal(names.filename_tensor, "save/Const:0");
    assert_string_equal(names.restore_op, "save/restore_all");
    assert_int_equal(item(meta, "variables", 1).size > 0, 1);
    assert_non_null(strstr(item(meta, "trainable_variables", 0).bytes, "mean/Assign"));
    sl_meta_graph_import(meta, f->graph, NULL, f->status);
    assert_status_ok(f->status);
    struct sl_saver *saver = sl_saver_new(f->graph, NULL, f->status);
    assert_status_ok(f->status);
    assert_null(TF_GraphOperationByName(f->graph, "sluice_saver/mean/read")); /* the graph's own is used */
    TF_Session *session = new_session(f->graph, f->status), *other = new_session(f->graph, f->status);
    const char *const targets[] = {"init", "train"};
    for (int i = 0; i < 2; i++) {
        const TF_Operation *target = TF_GraphOperationByName(f->graph, targets[i]);
        TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &target, 1, NULL, f->status);
        assert_status_ok(f->status);
    }
    sl_saver_save(saver, session, "m", 1, f->status);
    assert_status_ok(f->status);
    sl_saver_restore(saver, other, "m-1", f->status);
    assert_status_ok(f->status);
    TF_Output mean = {TF_GraphOperationByName(f->graph, "mean/Read"), 0};
    TF_Tensor *value = NULL;
    TF_SessionRun(other, NULL, NULL, NULL, 0, &mean, &value, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_true(*(float *)TF_TensorData(value) == 2);
    TF_DeleteTensor(value);
    TF_DeleteSession(session, f->status);
    TF_DeleteSession(other, f->status);
    sl_saver_delete(saver);
    /* A graph with a Saver gets a second one beside it. */
    sl_meta_graph_set_graph(meta, f->graph, f->status);
    sl_meta_graph_add_saver(meta, f->status);
    assert_status_ok(f->status);
    assert_true(sl_meta_graph_saver(&names, meta));
    assert_string_equal(names.filename_tensor, "save_1/Const:0");
    sl_meta_graph_delete(meta);
}

static void what_is_no_meta_graph(void **state) {
    struct fixture *f = *state;
    const struct {
        const char *bytes;
        TF_Code code;
        const char *why;
    } rows[] = {
        {"graph_def {", TF_INVALID_ARGUMENT, "found the end"},
        {"node { name: \"a\" }", TF_INVALID_ARGUMENT, "node"},
        {"\n\x0e\n\x01x\x12\tNoOperate", TF_INVALID_ARGUMENT, "a GraphDef"},
        {"\x12\x7f", TF_DATA_LOSS, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(sl_meta_graph_parse(rows[i].bytes, strlen(rows[i].bytes), f->status));
        if (TF_GetCode(f->status) != TF_INVALID_ARGUMENT) assert_int_equal(TF_GetCode(f->status), TF_DATA_LOSS);
        assert_non_null(strstr(TF_Message(f->status), rows[i].why));
    }
    assert_null(sl_meta_graph_read("missing", f->status));
    assert_status(f->status, TF_NOT_FOUND, "missing");
    struct sl_meta_graph *meta = sl_meta_graph_new(f->status);
    sl_meta_graph_import(meta, f->graph, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "has no graph");
    sl_meta_graph_add_saver(meta, f->status);
    assert_status(f->status, TF_FAILED_PRECONDITION, "has no graph");
    sl_meta_graph_set_graph(meta, f->graph, f->status); /* an empty one has no variables, so no Saver */
    sl_meta_graph_add_saver(meta, f->status);
    assert_status_ok(f->status);
    assert_false(sl_meta_graph_saver(&(struct sl_saver_names){NULL, NULL, NULL}, meta));
    sl_meta_graph_delete(meta);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(collections_there_and_back),
        TEST(collections_grow_and_go),
        TEST(a_saver_is_added),
        TEST(what_is_no_meta_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
