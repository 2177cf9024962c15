/* Gradients of calls, conditionals and loops that do not agree with their functions: refused with the names of both,
 * and nothing is left behind. Graphs are written as text and come in as bytes, like those of a file. */
#include "capi/handles.h"
#include "graph/graph.h"
#include "proto/gen/messages.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "tensorflow/c/c_api.h"
#include "unit/unit.h"

static void import(TF_Graph *graph, const char *text, TF_Status *status) {
    struct sl_arena arena;
    struct sl_error err = {0};
    struct sl_pb_GraphDef def;
    struct sl_str bytes;
    sl_arena_init(&arena);
    assert_ok(err, sl_pb_text_parse(&def, SL_PB_TYPE(GraphDef), sl_str_of(text), &arena, &err));
    assert_ok(err, sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), &def, 0, &arena, &err));
    TF_Buffer *buffer = TF_NewBufferFromString(bytes.p, bytes.n);
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(graph, buffer, options, status);
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(buffer);
    sl_arena_clear(&arena);
}

/* The gradient of "y" by "x" is refused with this, and leaves the graph as it was. */
static void refused(const char *text, const char *says) {
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    struct sl_error err = {0};
    import(graph, text, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    TF_Output y = {TF_GraphOperationByName(graph, "y"), 0}, x = {TF_GraphOperationByName(graph, "x"), 0}, dx;
    assert_non_null(y.oper);
    assert_non_null(x.oper);
    const size_t live = graph->graph->live;
    TF_AddGradients(graph, &y, 1, &x, 1, NULL, status, &dx);
    if (TF_GetCode(status) != TF_INVALID_ARGUMENT || !strstr(TF_Message(status), says))
        fail_msg("got %d: %s\nwanted: ...%s...", (int)TF_GetCode(status), TF_Message(status), says);
    assert_int_equal(graph->graph->live, live);
    assert_ok(err, sl_graph_check(graph->graph, &err));
    TF_DeleteStatus(status);
    TF_DeleteGraph(graph);
}

#define ATTR_TYPE(key, type)          "attr { key: '" key "' value { type: " type " } } "
#define TYPES(key, types)             "attr { key: '" key "' value { list { " types " } } } "
#define CALLS(key, f)                 "attr { key: '" key "' value { func { name: '" f "' } } } "
#define REAL                          "type: DT_FLOAT "
#define WHOLE                         "type: DT_INT32 "
#define NODE(name, op, inputs, attrs) "node { name: '" name "' op: '" op "' " inputs attrs "} "
#define IN(port)                      "input: '" port "' "
#define SCALAR(name, type, value)                                                                                      \
    NODE(name, "Const", "",                                                                                            \
         ATTR_TYPE("dtype", type) "attr { key: 'value' value { tensor { dtype: " type " tensor_shape { } " value       \
                                  " } } } ")
#define X                                    SCALAR("x", "DT_FLOAT", "float_val: 2")
#define CHOICE                               SCALAR("c", "DT_BOOL", "bool_val: true")
#define COUNT                                SCALAR("n", "DT_INT32", "int_val: 1")
#define ARG(name, type)                      "input_arg { name: '" name "' type: " type " } "
#define RESULT(name, type)                   "output_arg { name: '" name "' type: " type " } "
#define BODY(op, inputs)                     "node_def { name: 'of' op: '" op "' " inputs ATTR_TYPE("T", "DT_FLOAT") "} "
#define FUNCTION(name, signature, body, ret) "function { signature { name: '" name "' " signature "} " body ret "} "
#define RET(name, from)                      "ret { key: '" name "' value: '" from "' } "
/* Functions of none, one and two arguments, of another type, of two results, of a bool. */
#define FUNCTIONS                                                                                                      \
    "library { " FUNCTION("none", RESULT("r", "DT_FLOAT"),                                                             \
                          "node_def { name: 'of' op: 'Const' " ATTR_TYPE(                                              \
                              "dtype",                                                                                 \
                              "DT_FLOAT") "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } "     \
                                          "float_val: 1 } } } } ",                                                     \
                          RET("r", "of:output:0"))                                                                     \
        FUNCTION("one", ARG("a", "DT_FLOAT") RESULT("r", "DT_FLOAT"), BODY("Square", IN("a")), RET("r", "of:y:0"))     \
            FUNCTION("two", ARG("a", "DT_FLOAT") ARG("b", "DT_FLOAT") RESULT("r", "DT_FLOAT"),                         \
                     BODY("Mul", IN("a") IN("b")), RET("r", "of:z:0"))                                                 \
                FUNCTION("other", ARG("a", "DT_DOUBLE") RESULT("r", "DT_DOUBLE"),                                      \
                         "node_def { name: 'of' op: 'Square' input: 'a' " ATTR_TYPE("T", "DT_DOUBLE") "} ",            \
                         RET("r", "of:y:0"))                                                                           \
                    FUNCTION("both", ARG("a", "DT_FLOAT") RESULT("r", "DT_FLOAT") RESULT("s", "DT_FLOAT"),             \
                             BODY("Square", IN("a")), RET("r", "of:y:0") RET("s", "of:y:0"))                           \
                        FUNCTION("less", ARG("a", "DT_FLOAT") RESULT("r", "DT_BOOL"), BODY("Less", IN("a") IN("a")),   \
                                 RET("r", "of:z:0")) "} "

#define CALL(f) X FUNCTIONS NODE("y", "PartitionedCall", IN("x"), CALLS("f", f) TYPES("Tin", REAL) TYPES("Tout", REAL))
#define IF(yes, no)                                                                                                    \
    X CHOICE FUNCTIONS NODE("y", "StatelessIf", IN("c") IN("x"),                                                       \
                            CALLS("then_branch", yes) CALLS("else_branch", no) TYPES("Tin", REAL) TYPES("Tout", REAL)  \
                                ATTR_TYPE("Tcond", "DT_BOOL"))
#define CASE(a, b)                                                                                                     \
    X COUNT FUNCTIONS NODE("y", "Case", IN("n") IN("x"),                                                               \
                           "attr { key: 'branches' value { list { func { name: '" a "' } func { name: '" b             \
                           "' } } } } " TYPES("Tin", REAL) TYPES("Tout", REAL))
#define WHILE(condition, body)                                                                                         \
    X FUNCTIONS NODE("y", "StatelessWhile", IN("x"),                                                                   \
                     CALLS("cond", condition) CALLS("body", body)                                                      \
                         TYPES("T", REAL) "attr { key: 'output_shapes' value { list { } } } ")

static void calls(void **state) {
    (void)state;
    refused(CALL("none"), "Function 'none', of 0 arguments and 1 results, does not fit node 'y' that calls it");
    refused(CALL("other"), "Function 'other', of 1 arguments and 1 results, does not fit node 'y'");
}

static void conditionals(void **state) {
    (void)state;
    refused(IF("none", "one"), "Function 'none', of 0 arguments and 1 results, does not fit node 'y'");
    refused(IF("one", "none"), "Function 'none', of 0 arguments and 1 results, does not fit node 'y'");
    refused(IF("one", "two"), "Function 'two', of 2 arguments and 1 results, does not fit node 'y'");
    refused(IF("other", "one"), "Function 'other', of 1 arguments and 1 results, does not fit node 'y'");
    refused(IF("both", "one"), "Function 'both', of 1 arguments and 2 results, does not fit node 'y'");
    refused(CASE("one", "none"), "Function 'none', of 0 arguments and 1 results, does not fit node 'y'");
    refused(CASE("two", "one"), "Function 'two', of 2 arguments and 1 results, does not fit node 'y'");
}

static void loops(void **state) {
    (void)state;
    refused(WHILE("less", "none"), "Function 'none', of 0 arguments and 1 results, does not fit node 'y'");
    refused(WHILE("less", "two"), "Function 'two', of 2 arguments and 1 results, does not fit node 'y'");
    refused(WHILE("less", "both"), "Function 'both', of 1 arguments and 2 results, does not fit node 'y'");
    refused(WHILE("less", "other"), "Function 'other', of 1 arguments and 1 results, does not fit node 'y'");
    refused(WHILE("two", "one"), "The condition of a loop does not fit its variables");
    refused(WHILE("none", "one"), "The condition of a loop does not fit its variables");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls),
        cmocka_unit_test(conditionals),
        cmocka_unit_test(loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
