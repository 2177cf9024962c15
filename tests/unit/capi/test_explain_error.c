/* What an error is about, and the lines of programs that files of graphs have. */
#include <stdlib.h>

#include "sluice/explain.h"
#include "sluice/graph_file.h"
#include "unit/capi/capi_fixture.h"

#define GRAPH SL_TEST_DATA "/graphs/calls.pbtxt"

static void explained(const char *message, TF_Code code, const struct sl_source_lines *lines, const char *wanted) {
    TF_Status *status = TF_NewStatus(), *error = TF_NewStatus();
    TF_Graph *graph = TF_NewGraph();
    sl_graph_read(graph, GRAPH, NULL, status);
    assert_status(status, TF_OK, "");
    TF_SetStatus(error, code, message);
    TF_Buffer *text = sl_explain_error(graph, error, lines, status);
    assert_status(status, TF_OK, "");
    assert_int_equal(TF_GetCode(error), code);
    assert_string_equal(TF_Message(error), message);
    char *got = calloc(1, text->length + 1);
    memcpy(got, text->data, text->length);
    assert_string_equal(got, wanted);
    free(got);
    TF_DeleteBuffer(text);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(error);
    TF_DeleteStatus(status);
}

static void test_sentences(void **state) {
    (void)state;
    explained("", TF_OK, NULL, "");
    explained("whatever", TF_INTERNAL, NULL, "");
    explained("no such [[{{node nowhere/else}}]]", TF_INTERNAL, NULL, "");
    explained("Incompatible shapes: [2] vs. [3]\n\t [[{{node y}}]]", TF_CANCELLED, NULL, "");
    explained("Incompatible shapes: [2] vs. [3]\n\t [[{{node y/scale/times}}]]", TF_INVALID_ARGUMENT, NULL,
              "node 'y/scale/times' (Mul) reads 'x:0' (float <unknown>), 'two:0' (float [])\n"
              "it is in a function that is called by 'y' (PartitionedCall), in one that is called by 'scale' "
              "(PartitionedCall)\n"
              "shapes are compared from the last axis on: two lengths must be equal, or one of them 1\n");
}

static void test_numbers_and_no_graph(void **state) {
    static const char watched[] = "Watching numbers: node 'y/scale/times' (Mul) makes a NaN: of the 1 values";
    (void)state;
    explained(watched, TF_INVALID_ARGUMENT, NULL,
              "input 0 of 'y/scale/times' is 'x:0' (_Arg)\n"
              "input 1 of 'y/scale/times' is 'two:0' (Const)\n"
              "0 times infinity is NaN: bound what was infinite before\n");
    TF_Status *status = TF_NewStatus(), *error = TF_NewStatus();
    TF_SetStatus(error, TF_INVALID_ARGUMENT, watched);
    TF_Buffer *text = sl_explain_error(NULL, error, NULL, status);
    assert_status(status, TF_OK, "");
    assert_memory_equal(text->data, "0 times infinity", 16);
    TF_DeleteBuffer(text);
    TF_DeleteStatus(error);
    TF_DeleteStatus(status);
}

/* GraphDebugInfo: files "net.py" and "/site-packages/lib.py", a frame of each, a trace of both, and "times@g" has it. */
static const unsigned char debug_info[] = {
    10,  6,   110, 101, 116, 46,  112, 121, 10,  21,  47,  115, 105, 116, 101, 45, 112, 97, 99, 107, 97, 103, 101, 115,
    47,  108, 105, 98,  46,  112, 121, 34,  19,  9,   1,   0,   0,   0,   0,   0,  0,   0,  18, 8,   16, 12,  34,  4,
    109, 97,  107, 101, 34,  15,  9,   2,   0,   0,   0,   0,   0,   0,   0,   18, 4,   8,  1,  16,  7,  50,  29,  9,
    5,   0,   0,   0,   0,   0,   0,   0,   18,  18,  17,  1,   0,   0,   0,   0,  0,   0,  0,  17,  2,  0,   0,   0,
    0,   0,   0,   0,   42,  18,  10,  7,   116, 105, 109, 101, 115, 64,  103, 17, 5,   0,  0,  0,   0,  0,   0,   0,
};

static void test_lines(void **state) {
    TF_Status *status = TF_NewStatus();
    struct sl_source_lines *lines = sl_source_lines_parse(debug_info, sizeof debug_info, status);
    (void)state;
    assert_status(status, TF_OK, "");
    assert_int_equal(sl_source_lines_count(lines), 1);
    assert_string_equal(sl_source_line_of(lines, "times"), "net.py:12 in make");
    assert_string_equal(sl_source_line_of(lines, "y/scale/times"), "net.py:12 in make");
    assert_null(sl_source_line_of(lines, "y/scale/time"));
    assert_string_equal(sl_source_line_of(lines, "times@g"), "net.py:12 in make");
    assert_null(sl_source_line_of(lines, "times@"));
    assert_null(sl_source_line_of(lines, "times@f"));
    assert_null(sl_source_line_of(NULL, "times"));
    explained("bad [[{{node y/scale/times}}]]", TF_DATA_LOSS, lines,
              "node 'y/scale/times' (Mul) reads 'x:0' (float <unknown>), 'two:0' (float [])\n"
              "it is in a function that is called by 'y' (PartitionedCall), in one that is called by 'scale' "
              "(PartitionedCall)\n"
              "it was made at net.py:12 in make\n");
    sl_source_lines_free(lines);
    sl_source_lines_free(NULL);
    assert_null(sl_source_lines_parse("\xff", 1, status));
    assert_int_equal(TF_GetCode(status), TF_DATA_LOSS);
    lines = sl_source_lines_read(GRAPH, status);
    assert_status(status, TF_OK, "");
    assert_int_equal(sl_source_lines_count(lines), 0);
    sl_source_lines_free(lines);
    assert_null(sl_source_lines_read("/no/such/file.pb", status));
    assert_int_equal(TF_GetCode(status), TF_NOT_FOUND);
    TF_DeleteStatus(status);
}

/* The same of two functions: "times@line" and "times@twice", of different lines. */
static const unsigned char two_functions[] = {
    10,  6,   110, 101, 116, 46,  112, 121, 34,  19,  9,   1,   0,   0,   0,   0,   0,  0, 0,  18, 8,  16, 12,  34,
    4,   109, 97,  107, 101, 34,  19,  9,   2,   0,   0,   0,   0,   0,   0,   0,   18, 8, 16, 7,  34, 4,  104, 97,
    108, 102, 42,  21,  10,  10,  116, 105, 109, 101, 115, 64,  108, 105, 110, 101, 17, 5, 0,  0,  0,  0,  0,   0,
    0,   42,  22,  10,  11,  116, 105, 109, 101, 115, 64,  116, 119, 105, 99,  101, 17, 6, 0,  0,  0,  0,  0,   0,
    0,   50,  21,  9,   5,   0,   0,   0,   0,   0,   0,   0,   18,  10,  18,  8,   1,  0, 0,  0,  0,  0,  0,   0,
    50,  21,  9,   6,   0,   0,   0,   0,   0,   0,   0,   18,  10,  18,  8,   2,   0,  0, 0,  0,  0,  0,  0,
};

static void test_lines_of_functions(void **state) {
    TF_Status *status = TF_NewStatus();
    struct sl_source_lines *lines = sl_source_lines_parse(two_functions, sizeof two_functions, status);
    (void)state;
    assert_status(status, TF_OK, "");
    assert_int_equal(sl_source_lines_count(lines), 1);
    assert_null(sl_source_line_of(lines, "y/scale/times"));
    assert_string_equal(sl_source_line_of(lines, "times@line"), "net.py:12 in make");
    explained("bad [[{{node y/scale/times}}]]", TF_DATA_LOSS, lines,
              "node 'y/scale/times' (Mul) reads 'x:0' (float <unknown>), 'two:0' (float [])\n"
              "it is in a function that is called by 'y' (PartitionedCall), in one that is called by 'scale' "
              "(PartitionedCall)\n"
              "it was made at net.py:7 in half\n");
    sl_source_lines_free(lines);
    TF_DeleteStatus(status);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sentences), cmocka_unit_test(test_numbers_and_no_graph),
                                       cmocka_unit_test(test_lines), cmocka_unit_test(test_lines_of_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
