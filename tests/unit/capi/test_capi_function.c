/* Functions: cut out of graphs, called, exchanged as messages; the library of a graph. */
#include "tensorflow/c/c_api.h"

#include <stdlib.h>

#include "tensorflow/c/c_api_experimental.h"
#include "unit/capi/capi_fixture.h"

/* A function of whole `graph`, without options. */
static TF_Function *whole(TF_Graph *graph, TF_Status *s, const char *name, int n_in, const TF_Output *in, int n_out,
                          const TF_Output *out, const char *const *names) {
    return TF_GraphToFunction(graph, name, 0, -1, NULL, n_in, in, n_out, out, names, NULL, "made by a test", s);
}

/* f(x) = -x in a graph of its own. */
static TF_Function *negation(TF_Status *s, const char *name) {
    TF_Graph *graph = TF_NewGraph();
    TF_Output x = placeholder(graph, s, "x"), neg = unary(graph, s, "Neg", "neg", x);
    TF_Function *function = whole(graph, s, name, 1, &x, 1, &neg, NULL);
    assert_status_ok(s);
    TF_DeleteGraph(graph);
    return function;
}

static TF_Output call(struct fixture *f, const char *function, const char *name, const TF_Output *inputs, int n) {
    TF_OperationDescription *d = TF_NewOperation(f->graph, function, name);
    for (int i = 0; i < n; i++) TF_AddInput(d, inputs[i]);
    TF_Operation *operation = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return (TF_Output){operation, 0};
}

static bool def_contains(TF_Function *function, TF_Status *s, const char *text) {
    TF_Buffer *def = TF_NewBuffer();
    TF_FunctionToFunctionDef(function, def, s);
    assert_status_ok(s);
    bool is_there = buffer_contains(def, text);
    TF_DeleteBuffer(def);
    return is_there;
}

static void functions_are_called_by_name(void **state) {
    struct fixture *f = *state;
    TF_Function *function = negation(f->status, "MyNeg");
    assert_string_equal(TF_FunctionName(function), "MyNeg");
    assert_true(def_contains(function, f->status, "made by a test"));
    TF_GraphCopyFunction(f->graph, function, NULL, f->status);
    assert_status_ok(f->status);
    TF_GraphCopyFunction(f->graph, function, NULL, f->status); /* again is fine */
    assert_status_ok(f->status);
    TF_DeleteFunction(function);
    assert_int_equal(TF_GraphNumFunctions(f->graph), 1);
    TF_Output x = placeholder(f->graph, f->status, "x"), y = call(f, "MyNeg", "call", &x, 1);
    assert_string_equal(TF_OperationOpType(y.oper), "MyNeg");
    TF_Session *session = new_session(f->graph, f->status);
    assert_int_equal(run_int(session, f->status, x, 3, y), -3);
    TF_DeleteSession(session, f->status);
}

static void arguments_and_results_have_names(void **state) {
    struct fixture *f = *state;
    TF_Output a = placeholder(f->graph, f->status, "a"), b = placeholder(f->graph, f->status, "b");
    TF_Output sum = binary(f->graph, f->status, "AddV2", "sum", a, b),
              neg = unary(f->graph, f->status, "Neg", "neg", sum);
    TF_Output in[2] = {a, b}, out[2] = {sum, neg};
    static const char *const names[2] = {"total", "opposite"};
    TF_Function *function = whole(f->graph, f->status, "Both", 2, in, 2, out, names);
    assert_status_ok(f->status);
    assert_true(def_contains(function, f->status, "total") && def_contains(function, f->status, "opposite"));
    TF_GraphCopyFunction(f->graph, function, NULL, f->status);
    TF_DeleteFunction(function);
    TF_Output y = call(f, "Both", "call", in, 2);
    assert_int_equal(TF_OperationNumOutputs(y.oper), 2);
    assert_int_equal(TF_OperationOutputListLength(y.oper, "opposite", f->status), 1);
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *values[2] = {int_tensor(2), int_tensor(5)}, *results[2];
    TF_Output fetches[2] = {y, {y.oper, 1}};
    TF_SessionRun(session, NULL, in, values, 2, fetches, results, 2, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(results[0]), 7);
    assert_int_equal(int_of(results[1]), -7);
    for (int i = 0; i < 2; i++) TF_DeleteTensor(values[i]);
    TF_DeleteSession(session, f->status);
}

static void arguments_may_be_results(void **state) {
    struct fixture *f = *state;
    TF_Output a = placeholder(f->graph, f->status, "a"), b = placeholder(f->graph, f->status, "b");
    TF_Output in[2] = {a, b}, out[2] = {b, a};
    TF_Function *function = whole(f->graph, f->status, "Swap", 2, in, 2, out, NULL);
    assert_status_ok(f->status);
    TF_GraphCopyFunction(f->graph, function, NULL, f->status);
    TF_DeleteFunction(function);
    TF_Output y = call(f, "Swap", "call", in, 2);
    TF_Session *session = new_session(f->graph, f->status);
    TF_Tensor *values[2] = {int_tensor(2), int_tensor(5)}, *result = NULL;
    TF_SessionRun(session, NULL, in, values, 2, &y, &result, 1, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(result), 5);
    for (int i = 0; i < 2; i++) TF_DeleteTensor(values[i]);
    TF_DeleteSession(session, f->status);
}

static void some_operations_make_a_function(void **state) {
    struct fixture *f = *state;
    TF_Output x = placeholder(f->graph, f->status, "x"), one = unary(f->graph, f->status, "Neg", "one", x);
    TF_Output two = unary(f->graph, f->status, "Neg", "two", one),
              three = unary(f->graph, f->status, "Neg", "three", two);
    const TF_Operation *body[1] = {two.oper};
    TF_Function *function =
        TF_GraphToFunction(f->graph, "Middle", 0, 1, body, 1, &one, 1, &two, NULL, NULL, NULL, f->status);
    assert_status_ok(f->status);
    assert_false(def_contains(function, f->status, "three"));
    TF_DeleteFunction(function);
    assert_null(TF_GraphToFunction(f->graph, "F", 0, 1, body, 1, &one, 1, &three, NULL, NULL, NULL, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT,
                  "TF_Output three:0 is neither in the function body nor among function inputs");
    assert_null(TF_GraphToFunction(f->graph, "F", 0, 1, body, 0, NULL, 1, &two, NULL, NULL, NULL, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Input 0, 'one:0', of node 'two' in function 'F' is not available");
}

static void mistakes_name_the_place(void **state) {
    struct fixture *f = *state;
    TF_Status *s = f->status;
    TF_Output x = placeholder(f->graph, s, "x"), neg = unary(f->graph, s, "Neg", "neg", x);
    TF_Output beyond = {x.oper, 5}, none = {NULL, 0}, twice[2] = {x, x}, out[2] = {neg, x};
    static const char *const names[2] = {"same", "same"};
    assert_null(whole(f->graph, s, "F", 1, &beyond, 1, &neg, NULL));
    assert_status(s, TF_OUT_OF_RANGE,
                  "does not have output 5\n\tEncountered while processing input 0 into function 'F'");
    assert_null(whole(f->graph, s, "F", 1, &none, 1, &neg, NULL));
    assert_status(s, TF_INVALID_ARGUMENT, "Node is null\n\tEncountered while processing input 0 into function 'F'");
    assert_null(whole(f->graph, s, "F", 1, &x, 1, &beyond, NULL));
    assert_status(s, TF_OUT_OF_RANGE, "Encountered while processing output 0 from function 'F'");
    assert_null(whole(f->graph, s, "F", 1, &x, 1, &none, NULL));
    assert_status(s, TF_INVALID_ARGUMENT, "Encountered while processing output 0 from function 'F'");
    assert_null(whole(f->graph, s, "F", 2, twice, 1, &neg, NULL));
    assert_status(s, TF_INVALID_ARGUMENT, "TF_Output x:0 appears more than once in the input list");
    assert_null(whole(f->graph, s, "F", 1, &x, 2, out, names));
    assert_status(s, TF_INVALID_ARGUMENT, "Cannot have duplicate output names. Name 'same' appears more than once");
}

static void control_edges_stay_within(void **state) {
    struct fixture *f = *state;
    TF_Output x = placeholder(f->graph, f->status, "x"), c = constant(f->graph, f->status, "c", 4);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "Neg", "neg");
    TF_AddInput(d, x);
    TF_AddControlInput(d, c.oper);
    TF_Output neg = {TF_FinishOperation(d, f->status), 0};
    TF_Function *function = whole(f->graph, f->status, "F", 1, &x, 1, &neg, NULL);
    assert_status_ok(f->status);
    assert_true(def_contains(function, f->status, "^c"));
    TF_DeleteFunction(function);
    const TF_Operation *body[1] = {neg.oper};
    assert_null(TF_GraphToFunction(f->graph, "F", 0, 1, body, 1, &x, 1, &neg, NULL, NULL, NULL, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "");
}

static void names_can_tell_bodies_apart(void **state) {
    struct fixture *f = *state;
    TF_Output x = placeholder(f->graph, f->status, "x"), neg = unary(f->graph, f->status, "Neg", "neg", x);
    TF_Function *first = TF_GraphToFunction(f->graph, "F", 1, -1, NULL, 1, &x, 1, &neg, NULL, NULL, NULL, f->status);
    TF_Function *second = TF_GraphToFunction(f->graph, "F", 1, -1, NULL, 1, &x, 1, &x, NULL, NULL, NULL, f->status);
    assert_status_ok(f->status);
    assert_memory_equal(TF_FunctionName(first), "F_", 2);
    assert_string_not_equal(TF_FunctionName(first), TF_FunctionName(second));
    TF_DeleteFunction(first);
    TF_DeleteFunction(second);
}

static void functions_travel_as_messages(void **state) {
    struct fixture *f = *state;
    TF_Function *function = negation(f->status, "MyNeg");
    TF_Buffer *def = TF_NewBuffer();
    TF_FunctionToFunctionDef(function, def, f->status);
    assert_status_ok(f->status);
    TF_DeleteFunction(function);
    function = TF_FunctionImportFunctionDef(def->data, def->length, f->status);
    assert_status_ok(f->status);
    TF_DeleteBuffer(def);
    TF_GraphCopyFunction(f->graph, function, NULL, f->status);
    assert_status_ok(f->status);
    TF_DeleteFunction(function);
    TF_Output x = placeholder(f->graph, f->status, "x"), y = call(f, "MyNeg", "call", &x, 1);
    TF_Session *session = new_session(f->graph, f->status);
    assert_int_equal(run_int(session, f->status, x, 9, y), -9);
    TF_DeleteSession(session, f->status);
    assert_null(TF_FunctionImportFunctionDef("\xff\xff", 2, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Invalid FunctionDef given to TF_FunctionImportFunctionDef");
}

static void attributes_can_be_set(void **state) {
    struct fixture *f = *state;
    TF_Function *function = negation(f->status, "MyNeg");
    TF_Buffer *value = TF_NewBuffer();
    const char *name = TF_FunctionName(function);
    TF_FunctionSetAttrValueProto(function, "answer", "\x18\x2a", 2, f->status);
    assert_status_ok(f->status);
    TF_FunctionGetAttrValueProto(function, "answer", value, f->status);
    assert_status_ok(f->status);
    assert_int_equal(value->length, 2);
    assert_memory_equal(value->data, "\x18\x2a", 2);
    TF_DeleteBuffer(value);
    value = TF_NewBuffer();
    TF_FunctionGetAttrValueProto(function, "question", value, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Function 'MyNeg' has no attr named 'question'.");
    TF_FunctionSetAttrValueProto(function, "answer", "\xff", 1, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Unparseable AttrValue proto passed to TF_FunctionSetAttrValueProto");
    assert_string_equal(name, "MyNeg"); /* as long as the handle lives */
    TF_DeleteBuffer(value);
    TF_DeleteFunction(function);
}

static void gradients_are_set_once(void **state) {
    struct fixture *f = *state;
    TF_Function *function = negation(f->status, "F"), *gradient = negation(f->status, "G"),
                *other = negation(f->status, "H");
    TF_GraphCopyFunction(f->graph, NULL, gradient, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "'func' argument to TF_GraphCopyFunction cannot be null");
    TF_GraphCopyFunction(f->graph, function, gradient, f->status);
    assert_status_ok(f->status);
    TF_GraphCopyFunction(f->graph, function, gradient, f->status);
    assert_status_ok(f->status);
    TF_GraphCopyFunction(f->graph, function, other, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT,
                  "Cannot assign gradient function 'H' to 'F' because it already has gradient function 'G'");
    assert_int_equal(TF_GraphNumFunctions(f->graph), 2);
    TF_Buffer *def = TF_NewBuffer();
    TF_GraphToGraphDef(f->graph, def, f->status);
    assert_true(buffer_contains(def, "\x0a\x01"
                                     "F"
                                     "\x12\x01"
                                     "G")); /* GradientDef */
    TF_DeleteBuffer(def);
    TF_DeleteFunction(function);
    TF_DeleteFunction(gradient);
    TF_DeleteFunction(other);
}

static void libraries_can_be_read_and_shrunk(void **state) {
    struct fixture *f = *state;
    TF_Function *first = negation(f->status, "First"), *second = negation(f->status, "Second"), *got[3];
    TF_GraphCopyFunction(f->graph, first, NULL, f->status);
    TF_GraphCopyFunction(f->graph, second, NULL, f->status);
    TF_DeleteFunction(first);
    TF_DeleteFunction(second);
    assert_int_equal(TF_GraphGetFunctions(f->graph, got, 1, f->status), 1);
    TF_DeleteFunction(got[0]);
    assert_int_equal(TF_GraphGetFunctions(f->graph, got, 3, f->status), 2);
    for (int i = 0; i < 2; i++) TF_DeleteFunction(got[i]);
    TF_GraphRemoveFunction(f->graph, "First", f->status);
    assert_status_ok(f->status);
    assert_int_equal(TF_GraphNumFunctions(f->graph), 1);
    TF_GraphRemoveFunction(f->graph, "First", f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Tried to remove non-existent function 'First'.");
}

static void functions_have_op_definitions(void **state) {
    struct fixture *f = *state;
    TF_Function *function = negation(f->status, "MyNeg");
    TF_GraphCopyFunction(f->graph, function, NULL, f->status);
    TF_Buffer *def = TF_NewBuffer();
    TF_GraphGetOpDef(f->graph, "MyNeg", def, f->status);
    assert_status_ok(f->status);
    assert_true(buffer_contains(def, "MyNeg"));
    TF_DeleteBuffer(def);
    size_t length = 0;
    char *text = TF_FunctionDebugString(function, &length);
    assert_int_equal(strlen(text), length);
    assert_non_null(strstr(text, "MyNeg"));
    free(text);
    TF_DeleteFunction(function);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(functions_are_called_by_name),
        TEST(arguments_and_results_have_names),
        TEST(arguments_may_be_results),
        TEST(some_operations_make_a_function),
        TEST(mistakes_name_the_place),
        TEST(control_edges_stay_within),
        TEST(names_can_tell_bodies_apart),
        TEST(functions_travel_as_messages),
        TEST(attributes_can_be_set),
        TEST(gradients_are_set_once),
        TEST(libraries_can_be_read_and_shrunk),
        TEST(functions_have_op_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
