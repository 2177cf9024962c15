/* Importing GraphDefs: prefixes, mappings, control dependencies, results. */
#include "tensorflow/c/c_api.h"

#include "unit/capi/capi_fixture.h"

/* The GraphDef of feed -> neg, with a constant beside them, in a fresh buffer. */
static TF_Buffer *small_graph_def(TF_Status *s) {
    TF_Graph *graph = TF_NewGraph();
    TF_Buffer *bytes = TF_NewBuffer();
    TF_Output feed = placeholder(graph, s, "feed");
    constant(graph, s, "scalar", 3);
    unary(graph, s, "Neg", "neg", feed);
    TF_GraphToGraphDef(graph, bytes, s);
    assert_status_ok(s);
    TF_DeleteGraph(graph);
    return bytes;
}

struct import {
    struct fixture f;
    TF_Buffer *def;
    TF_ImportGraphDefOptions *options;
};

static int set_up(void **state) {
    static struct import i;
    i.f.graph = TF_NewGraph();
    i.f.status = TF_NewStatus();
    i.def = small_graph_def(i.f.status);
    i.options = TF_NewImportGraphDefOptions();
    *state = &i;
    return 0;
}

static int tear_down(void **state) {
    struct import *i = *state;
    TF_DeleteImportGraphDefOptions(i->options);
    TF_DeleteBuffer(i->def);
    TF_DeleteStatus(i->f.status);
    TF_DeleteGraph(i->f.graph);
    return 0;
}

static TF_Operation *find(struct import *i, const char *name) {
    TF_Operation *operation = TF_GraphOperationByName(i->f.graph, name);
    if (!operation) fail_msg("no operation %s", name);
    return operation;
}

static void names_get_a_prefix(void **state) {
    struct import *i = *state;
    TF_ImportGraphDefOptionsSetPrefix(i->options, "imported");
    TF_GraphImportGraphDef(i->f.graph, i->def, i->options, i->f.status);
    assert_status_ok(i->f.status);
    TF_Operation *neg = find(i, "imported/neg");
    assert_ptr_equal(TF_OperationInput((TF_Input){neg, 0}).oper, find(i, "imported/feed"));
    assert_null(TF_GraphOperationByName(i->f.graph, "neg"));
    assert_int_equal(count_operations(i->f.graph), 3);
}

static void a_name_that_is_taken_fails_the_import(void **state) {
    struct import *i = *state;
    placeholder(i->f.graph, i->f.status, "neg");
    TF_GraphImportGraphDef(i->f.graph, i->def, i->options, i->f.status);
    assert_status(i->f.status, TF_INVALID_ARGUMENT, "Node name 'neg' already exists in the Graph");
    assert_int_equal(count_operations(i->f.graph), 1);
}

static void names_are_made_unique_if_wanted(void **state) {
    struct import *i = *state;
    TF_GraphImportGraphDef(i->f.graph, i->def, i->options, i->f.status);
    TF_ImportGraphDefOptionsSetUniquifyNames(i->options, 1);
    TF_GraphImportGraphDef(i->f.graph, i->def, i->options, i->f.status);
    assert_status_ok(i->f.status);
    assert_ptr_equal(TF_OperationInput((TF_Input){find(i, "neg_1"), 0}).oper, find(i, "feed_1"));
}

static void prefixes_are_made_unique_if_wanted(void **state) {
    struct import *i = *state;
    TF_ImportGraphDefOptionsSetPrefix(i->options, "part");
    TF_ImportGraphDefOptionsSetUniquifyPrefix(i->options, 1);
    TF_GraphImportGraphDef(i->f.graph, i->def, i->options, i->f.status);
    TF_GraphImportGraphDef(i->f.graph, i->def, i->options, i->f.status);
    assert_status_ok(i->f.status);
    find(i, "part/neg");
    find(i, "part_1/neg");
}

static void devices_are_given_to_those_without(void **state) {
    struct import *i = *state;
    TF_ImportGraphDefOptionsSetDefaultDevice(i->options, "/device:CPU:0");
    TF_GraphImportGraphDef(i->f.graph, i->def, i->options, i->f.status);
    assert_status_ok(i->f.status);
    assert_string_equal(TF_OperationDevice(find(i, "neg")), "/device:CPU:0");
}

static void inputs_can_be_mapped_and_outputs_returned(void **state) {
    struct import *i = *state;
    TF_Output here = placeholder(i->f.graph, i->f.status, "here"), *outputs;
    TF_Operation **operations;
    int n;
    TF_ImportGraphDefOptionsSetPrefix(i->options, "p");
    TF_ImportGraphDefOptionsAddInputMapping(i->options, "feed", 0, here);
    TF_ImportGraphDefOptionsAddReturnOutput(i->options, "feed", 0);
    TF_ImportGraphDefOptionsAddReturnOutput(i->options, "scalar", 0);
    TF_ImportGraphDefOptionsAddReturnOperation(i->options, "feed");
    assert_int_equal(TF_ImportGraphDefOptionsNumReturnOutputs(i->options), 2);
    assert_int_equal(TF_ImportGraphDefOptionsNumReturnOperations(i->options), 1);
    TF_ImportGraphDefResults *results = TF_GraphImportGraphDefWithResults(i->f.graph, i->def, i->options, i->f.status);
    assert_status_ok(i->f.status);
    assert_ptr_equal(TF_OperationInput((TF_Input){find(i, "p/neg"), 0}).oper, here.oper);
    TF_ImportGraphDefResultsReturnOutputs(results, &n, &outputs);
    assert_int_equal(n, 2);
    assert_ptr_equal(outputs[0].oper, here.oper); /* mapped */
    assert_ptr_equal(outputs[1].oper, find(i, "p/scalar"));
    TF_ImportGraphDefResultsReturnOperations(results, &n, &operations);
    assert_int_equal(n, 1);
    assert_ptr_equal(operations[0], find(i, "p/feed")); /* not mapped */
    TF_DeleteImportGraphDefResults(results);
}

static void mappings_of_what_is_not_there_are_told(void **state) {
    struct import *i = *state;
    TF_Output here = placeholder(i->f.graph, i->f.status, "here");
    const char **names;
    int n, *indexes;
    TF_ImportGraphDefOptionsSetPrefix(i->options, "p");
    TF_ImportGraphDefOptionsAddInputMapping(i->options, "scalar", 0, here); /* there, but read by nobody */
    TF_ImportGraphDefOptionsAddInputMapping(i->options, "fake", 0, here);
    TF_ImportGraphDefResults *results = TF_GraphImportGraphDefWithResults(i->f.graph, i->def, i->options, i->f.status);
    assert_status_ok(i->f.status);
    TF_ImportGraphDefResultsMissingUnusedInputMappings(results, &n, &names, &indexes);
    assert_int_equal(n, 1);
    assert_string_equal(names[0], "fake");
    assert_int_equal(indexes[0], 0);
    TF_DeleteImportGraphDefResults(results);
}

static void outputs_are_returned_to_an_array(void **state) {
    struct import *i = *state;
    TF_Output outputs[1] = {{NULL, 0}};
    TF_ImportGraphDefOptionsAddReturnOutput(i->options, "neg", 0);
    TF_GraphImportGraphDefWithReturnOutputs(i->f.graph, i->def, i->options, outputs, 0, i->f.status);
    assert_status(i->f.status, TF_INVALID_ARGUMENT, "Expected 'num_return_outputs' to be 1, got 0");
    TF_GraphImportGraphDefWithReturnOutputs(i->f.graph, i->def, i->options, outputs, 1, i->f.status);
    assert_status_ok(i->f.status);
    assert_ptr_equal(outputs[0].oper, find(i, "neg"));
}

static void roots_get_control_dependencies(void **state) {
    struct import *i = *state;
    TF_Output first = placeholder(i->f.graph, i->f.status, "first");
    TF_ImportGraphDefOptionsAddControlDependency(i->options, first.oper);
    TF_GraphImportGraphDef(i->f.graph, i->def, i->options, i->f.status);
    assert_status_ok(i->f.status);
    assert_int_equal(TF_OperationNumControlInputs(find(i, "feed")), 1);
    assert_int_equal(TF_OperationNumControlInputs(find(i, "scalar")), 1);
    assert_int_equal(TF_OperationNumControlInputs(find(i, "neg")), 0);
}

static void control_dependencies_can_be_mapped(void **state) {
    struct import *i = *state;
    TF_Graph *graph = TF_NewGraph();
    TF_Buffer *def = TF_NewBuffer();
    TF_Output feed = placeholder(graph, i->f.status, "feed");
    TF_OperationDescription *d = TF_NewOperation(graph, "NoOp", "later");
    TF_AddControlInput(d, feed.oper);
    TF_FinishOperation(d, i->f.status);
    TF_GraphToGraphDef(graph, def, i->f.status);
    assert_status_ok(i->f.status);
    TF_Output here = placeholder(i->f.graph, i->f.status, "here");
    TF_ImportGraphDefOptionsSetPrefix(i->options, "p");
    TF_ImportGraphDefOptionsRemapControlDependency(i->options, "feed", here.oper);
    TF_GraphImportGraphDef(i->f.graph, def, i->options, i->f.status);
    assert_status_ok(i->f.status);
    TF_Operation *control = NULL;
    assert_int_equal(TF_OperationGetControlInputs(find(i, "p/later"), &control, 1), 1);
    assert_ptr_equal(control, here.oper);
    TF_DeleteBuffer(def);
    TF_DeleteGraph(graph);
}

static void bytes_that_are_no_graph_are_refused(void **state) {
    struct import *i = *state;
    TF_Buffer *bytes = TF_NewBufferFromString("\xff\xff\xff", 3);
    TF_GraphImportGraphDef(i->f.graph, bytes, i->options, i->f.status);
    assert_status(i->f.status, TF_INVALID_ARGUMENT, "Invalid GraphDef");
    assert_int_equal(count_operations(i->f.graph), 0);
    TF_DeleteBuffer(bytes);
}

static void what_is_exported_can_be_imported(void **state) {
    struct import *i = *state;
    TF_Buffer *again = TF_NewBuffer();
    TF_GraphImportGraphDef(i->f.graph, i->def, i->options, i->f.status);
    TF_GraphToGraphDef(i->f.graph, again, i->f.status);
    assert_status_ok(i->f.status);
    TF_Graph *other = TF_NewGraph();
    TF_GraphImportGraphDef(other, again, i->options, i->f.status);
    assert_status_ok(i->f.status);
    assert_int_equal(count_operations(other), 3);
    TF_DeleteGraph(other);
    TF_DeleteBuffer(again);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(names_get_a_prefix),
        TEST(a_name_that_is_taken_fails_the_import),
        TEST(names_are_made_unique_if_wanted),
        TEST(prefixes_are_made_unique_if_wanted),
        TEST(devices_are_given_to_those_without),
        TEST(inputs_can_be_mapped_and_outputs_returned),
        TEST(mappings_of_what_is_not_there_are_told),
        TEST(outputs_are_returned_to_an_array),
        TEST(roots_get_control_dependencies),
        TEST(control_dependencies_can_be_mapped),
        TEST(bytes_that_are_no_graph_are_refused),
        TEST(what_is_exported_can_be_imported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
