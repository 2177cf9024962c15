/* Building a graph by hand, and everything it tells about itself. */
#include "tensorflow/c/c_api.h"

#include <stdio.h>

#include "unit/capi/capi_fixture.h"

/* ---- building and inspecting */
static void operations_tell_what_they_are(void **state) {
    struct fixture *f = *state;
    TF_Output feed = placeholder(f->graph, f->status, "feed"), three = constant(f->graph, f->status, "scalar", 3);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "AddN", "add");
    TF_Output both[2] = {feed, three};
    TF_AddInputList(d, both, 2);
    TF_SetDevice(d, "/device:CPU:0");
    TF_AddControlInput(d, three.oper);
    TF_AddControlInput(d, three.oper); /* twice is once */
    TF_Operation *add = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);

    assert_string_equal(TF_OperationName(add), "add");
    assert_string_equal(TF_OperationOpType(add), "AddN");
    assert_string_equal(TF_OperationDevice(add), "/device:CPU:0");
    assert_string_equal(TF_OperationDevice(feed.oper), "");
    assert_int_equal(TF_OperationNumInputs(add), 2);
    assert_int_equal(TF_OperationNumOutputs(add), 1);
    assert_int_equal(TF_OperationOutputType((TF_Output){add, 0}), TF_INT32);
    assert_int_equal(TF_OperationInputType((TF_Input){add, 1}), TF_INT32);
    assert_int_equal(TF_OperationInputListLength(add, "inputs", f->status), 2);
    assert_int_equal(TF_OperationOutputListLength(add, "sum", f->status), 1);
    assert_status_ok(f->status);
    assert_int_equal(TF_OperationInputListLength(add, "nothing", f->status), -1);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Input arg 'nothing' not found");
    assert_int_equal(TF_OperationOutputListLength(add, "nothing", f->status), -1);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Output arg 'nothing' not found");

    TF_Output input = TF_OperationInput((TF_Input){add, 1}), all[2];
    assert_ptr_equal(input.oper, three.oper);
    TF_OperationAllInputs(add, all, 2);
    assert_ptr_equal(all[0].oper, feed.oper);

    assert_int_equal(TF_OperationNumControlInputs(add), 1);
    assert_int_equal(TF_OperationNumControlOutputs(three.oper), 1);
    TF_Operation *control = NULL;
    assert_int_equal(TF_OperationGetControlInputs(add, &control, 1), 1);
    assert_ptr_equal(control, three.oper);
    assert_int_equal(TF_OperationGetControlOutputs(three.oper, &control, 1), 1);
    assert_ptr_equal(control, add);
    assert_int_equal(TF_OperationNumControlInputs(feed.oper), 0);
}

static void outputs_know_their_consumers(void **state) {
    struct fixture *f = *state;
    TF_Output feed = placeholder(f->graph, f->status, "feed");
    assert_int_equal(TF_OperationOutputNumConsumers(feed), 0);
    TF_Output neg = unary(f->graph, f->status, "Neg", "neg", feed);
    TF_Output add = binary(f->graph, f->status, "AddV2", "add", feed, feed);
    TF_Input consumers[3];
    assert_int_equal(TF_OperationOutputNumConsumers(feed), 3);
    assert_int_equal(TF_OperationOutputConsumers(feed, consumers, 3), 3);
    assert_ptr_equal(consumers[0].oper, neg.oper);
    assert_ptr_equal(consumers[2].oper, add.oper);
    assert_int_equal(consumers[1].index + consumers[2].index, 1);
    assert_int_equal(TF_OperationOutputConsumers(feed, consumers, 1), 3);
}

static void operations_are_found_and_walked_in_order(void **state) {
    struct fixture *f = *state;
    static const char *const names[] = {"z", "a", "m"};
    for (int i = 0; i < 3; i++) placeholder(f->graph, f->status, names[i]);
    size_t pos = 0;
    for (int i = 0; i < 3; i++) assert_string_equal(TF_OperationName(TF_GraphNextOperation(f->graph, &pos)), names[i]);
    assert_null(TF_GraphNextOperation(f->graph, &pos));
    assert_non_null(TF_GraphOperationByName(f->graph, "m"));
    assert_null(TF_GraphOperationByName(f->graph, "q"));
}

/* A position is that of the operation found last, counted from 2; a client may start anywhere. */
static void positions_count_from_two(void **state) {
    struct fixture *f = *state;
    static const struct {
        size_t from, at;
        const char *found;
    } rows[] = {{0, 2, "z"}, {1, 2, "z"}, {2, 3, "a"}, {3, 4, NULL}, {4, 5, NULL}, {SIZE_MAX, SIZE_MAX, NULL}};
    placeholder(f->graph, f->status, "z");
    placeholder(f->graph, f->status, "a");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t pos = rows[i].from;
        TF_Operation *found = TF_GraphNextOperation(f->graph, &pos);
        assert_int_equal(pos, rows[i].at);
        if (rows[i].found) assert_string_equal(TF_OperationName(found), rows[i].found);
        else assert_null(found);
    }
}

/* ---- mistakes */
static void mistakes_are_told_at_the_end(void **state) {
    struct fixture *f = *state;
    TF_Status *s = f->status;
    TF_Output x = placeholder(f->graph, s, "x"), none = {NULL, 0}, beyond = {x.oper, 3};

    assert_null(TF_FinishOperation(TF_NewOperation(f->graph, "Nope", "n"), s));
    assert_status(s, TF_INVALID_ARGUMENT, "Op type not registered 'Nope' in binary");

    TF_OperationDescription *d = TF_NewOperation(f->graph, "Placeholder", "x");
    TF_SetAttrType(d, "dtype", TF_INT32);
    assert_null(TF_FinishOperation(d, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Duplicate node name in graph: 'x'");

    assert_null(TF_FinishOperation(TF_NewOperation(f->graph, "Neg", "n"), s));
    assert_status(s, TF_INVALID_ARGUMENT, "0 inputs specified of 1 inputs in Op while building NodeDef 'n'");

    d = TF_NewOperation(f->graph, "Neg", "n");
    TF_AddInput(d, x);
    TF_AddInput(d, x);
    assert_null(TF_FinishOperation(d, s));
    assert_status(s, TF_INVALID_ARGUMENT, "More Input() calls than the 1 input_args");

    d = TF_NewOperation(f->graph, "Neg", "n");
    TF_AddInput(d, beyond);
    assert_null(TF_FinishOperation(d, s));
    assert_status(s, TF_INVALID_ARGUMENT, "output 3 of x not in range [0, 1)");

    d = TF_NewOperation(f->graph, "Neg", "n");
    TF_AddInput(d, none);
    assert_null(TF_FinishOperation(d, s));
    assert_status(s, TF_INVALID_ARGUMENT, "");

    d = TF_NewOperation(f->graph, "Neg", "n");
    TF_AddInput(d, x);
    TF_SetAttrType(d, "T", TF_FLOAT);
    assert_null(TF_FinishOperation(d, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Inconsistent values for attr 'T' DT_INT32 vs. DT_FLOAT");

    d = TF_NewOperation(f->graph, "AddN", "n");
    TF_AddInput(d, x);
    assert_null(TF_FinishOperation(d, s));
    assert_status(s, TF_INVALID_ARGUMENT, "");

    d = TF_NewOperation(f->graph, "Neg", "n");
    TF_AddInputList(d, &x, 1);
    assert_null(TF_FinishOperation(d, s));
    assert_status(s, TF_INVALID_ARGUMENT, "");
    assert_int_equal(count_operations(f->graph), 1); /* nothing was added */
}

static void attribute_mistakes_are_told_at_the_end(void **state) {
    struct fixture *f = *state;
    TF_Status *s = f->status;
    assert_null(TF_FinishOperation(TF_NewOperation(f->graph, "Placeholder", "p"), s));
    assert_status(s, TF_INVALID_ARGUMENT, "NodeDef missing attr 'dtype'");

    TF_OperationDescription *d = TF_NewOperation(f->graph, "Placeholder", "p");
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_SetAttrType(d, "dtype", TF_INT32); /* the same again is fine */
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    assert_null(TF_FinishOperation(d, s));
    assert_status(s, TF_INVALID_ARGUMENT, "Inconsistent values for attr 'dtype' DT_INT32 vs. DT_FLOAT while building");

    d = TF_NewOperation(f->graph, "Placeholder", "p");
    TF_SetAttrInt(d, "dtype", 3);
    assert_null(TF_FinishOperation(d, s));
    assert_status(s, TF_INVALID_ARGUMENT, "'int' when 'type' expected");

    d = TF_NewOperation(f->graph, "Placeholder", "p");
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_SetAttrTensorShapeProto(d, "shape", "\xff\xff", 2, s);
    assert_status(s, TF_INVALID_ARGUMENT, "Unparseable TensorShapeProto");
    TF_SetAttrValueProto(d, "shape", "\xff\xff", 2, s);
    assert_status(s, TF_INVALID_ARGUMENT, "Unparseable AttrValue proto");
    assert_non_null(TF_FinishOperation(d, s));
    assert_status_ok(s);
}

static void shapes_are_inferred_at_the_end(void **state) {
    struct fixture *f = *state;
    static const int64_t two[1] = {2}, three[1] = {3};
    TF_Output x = placeholder(f->graph, f->status, "x"), y = placeholder(f->graph, f->status, "y");
    TF_GraphSetTensorShape(f->graph, x, two, 1, f->status);
    TF_GraphSetTensorShape(f->graph, y, three, 1, f->status);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "AddV2", "add");
    TF_AddInput(d, x);
    TF_AddInput(d, y);
    assert_null(TF_FinishOperation(d, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "Dimensions must be equal, but are 2 and 3");
    assert_null(TF_GraphOperationByName(f->graph, "add"));
}

/* ---- shapes */
static void shapes_are_merged(void **state) {
    struct fixture *f = *state;
    TF_Status *s = f->status;
    int64_t dims[2] = {2, -1}, got[2];
    TF_Output x = placeholder(f->graph, s, "x");
    assert_int_equal(TF_GraphGetTensorNumDims(f->graph, x, s), -1);
    TF_GraphSetTensorShape(f->graph, x, NULL, -1, s); /* nothing new */
    assert_status_ok(s);
    assert_int_equal(TF_GraphGetTensorNumDims(f->graph, x, s), -1);
    TF_GraphSetTensorShape(f->graph, x, dims, 2, s);
    assert_status_ok(s);
    assert_int_equal(TF_GraphGetTensorNumDims(f->graph, x, s), 2);
    TF_GraphGetTensorShape(f->graph, x, got, 2, s);
    assert_int_equal(got[0], 2);
    assert_int_equal(got[1], -1);
    dims[0] = -1;
    dims[1] = 3;
    TF_GraphSetTensorShape(f->graph, x, dims, 2, s);
    TF_GraphGetTensorShape(f->graph, x, got, 2, s);
    assert_int_equal(got[0], 2);
    assert_int_equal(got[1], 3);
    TF_GraphSetTensorShape(f->graph, x, NULL, -1, s); /* changes nothing */
    assert_int_equal(TF_GraphGetTensorNumDims(f->graph, x, s), 2);
    dims[0] = 4;
    TF_GraphSetTensorShape(f->graph, x, dims, 2, s);
    assert_status(s, TF_INVALID_ARGUMENT, "Dimension 0 in both shapes must be equal, but are 2 and 4");
    TF_GraphSetTensorShape(f->graph, x, dims, 1, s);
    assert_status(s, TF_INVALID_ARGUMENT, "Shapes must be equal rank, but are 2 and 1");
    TF_GraphGetTensorShape(f->graph, x, got, 1, s);
    assert_status(s, TF_INVALID_ARGUMENT, "Expected rank is 1 but actual rank is 2");
    TF_Output scalar = constant(f->graph, s, "c", 1);
    assert_int_equal(TF_GraphGetTensorNumDims(f->graph, scalar, s), 0);
    TF_GraphGetTensorShape(f->graph, scalar, NULL, 0, s);
    assert_status_ok(s);
}

static void outputs_of_other_graphs_have_no_shape(void **state) {
    struct fixture *f = *state;
    TF_Graph *other = TF_NewGraph();
    TF_Output x = placeholder(other, f->status, "x");
    assert_int_equal(TF_GraphGetTensorNumDims(f->graph, x, f->status), -1);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Node x was not found in the graph");
    TF_DeleteGraph(other);
}

/* ---- messages */
static void graphs_become_messages(void **state) {
    struct fixture *f = *state;
    TF_Output x = placeholder(f->graph, f->status, "feed_me");
    TF_Buffer *before = TF_NewBuffer(), *after = TF_NewBuffer(), *node = TF_NewBuffer(), *versions = TF_NewBuffer();
    TF_GraphToGraphDef(f->graph, before, f->status);
    assert_status_ok(f->status);
    assert_true(buffer_contains(before, "feed_me"));
    TF_Output neg = unary(f->graph, f->status, "Neg", "negated", x);
    TF_GraphToGraphDef(f->graph, after, f->status);
    assert_true(buffer_contains(after, "negated"));
    TF_OperationToNodeDef(neg.oper, node, f->status);
    assert_status_ok(f->status);
    assert_true(buffer_contains(node, "negated") && buffer_contains(node, "Neg") && buffer_contains(node, "feed_me"));
    TF_GraphVersions(f->graph, versions, f->status);
    assert_status_ok(f->status);
    assert_true(versions->length >= 2 && *(const char *)versions->data == 8); /* producer */

    TF_GraphToGraphDef(f->graph, after, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Passing non-empty");
    TF_DeleteBuffer(before);
    TF_DeleteBuffer(after);
    TF_DeleteBuffer(node);
    TF_DeleteBuffer(versions);
}

static void op_definitions_are_messages(void **state) {
    struct fixture *f = *state;
    TF_Buffer *def = TF_NewBuffer(), *none = TF_NewBuffer();
    TF_GraphGetOpDef(f->graph, "AddV2", def, f->status);
    assert_status_ok(f->status);
    assert_true(buffer_contains(def, "AddV2") && buffer_contains(def, "z"));
    TF_GraphGetOpDef(f->graph, "Nope", none, f->status);
    assert_status(f->status, TF_NOT_FOUND, "Op type not registered 'Nope'");
    TF_GraphGetOpDef(f->graph, "Nope", def, f->status);
    assert_status(f->status, TF_NOT_FOUND, "Op type not registered 'Nope'");
    TF_GraphGetOpDef(f->graph, "AddV2", def, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Passing non-empty TF_Buffer is invalid.");
    TF_DeleteBuffer(def);
    TF_DeleteBuffer(none);
}

/* ---- constants and edges */
static void constants_are_evaluated(void **state) {
    struct fixture *f = *state;
    TF_Tensor *value = NULL;
    TF_Output c = constant(f->graph, f->status, "c", 17), x = placeholder(f->graph, f->status, "x");
    assert_int_equal(TF_TryEvaluateConstant(f->graph, c, &value, f->status), 1);
    assert_status_ok(f->status);
    assert_int_equal(int_of(value), 17);
    assert_int_equal(TF_TryEvaluateConstant(f->graph, x, &value, f->status), 0);
    assert_status_ok(f->status);
    assert_null(value);
}

/* A loop of one value becomes one of two. */
static void a_while_gets_an_input(void **state) {
    struct fixture *f = *state;
    TF_Output one = constant(f->graph, f->status, "one", 1), x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "StatelessWhile", "loop");
    TF_AddInputList(d, &one, 1);
    TF_SetAttrFuncName(d, "cond", "c", 1);
    TF_SetAttrFuncName(d, "body", "b", 1);
    TF_SetAttrShapeList(d, "output_shapes", (const int64_t *const[]){NULL}, (int[]){0}, 1);
    TF_Operation *loop = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    TF_AddWhileInputHack(f->graph, x, loop, f->status);
    assert_status_ok(f->status);
    assert_int_equal(TF_OperationNumInputs(loop), 2);
    assert_int_equal(TF_OperationInputType((TF_Input){loop, 1}), TF_FLOAT);
    assert_ptr_equal(TF_OperationInput((TF_Input){loop, 1}).oper, x.oper);
    assert_int_equal(TF_OperationNumOutputs(loop), 2);
    assert_int_equal(TF_OperationOutputType((TF_Output){loop, 1}), TF_FLOAT);
    assert_int_equal(TF_OperationGetAttrMetadata(loop, "output_shapes", f->status).list_size, 2);
    assert_int_equal(TF_OperationGetAttrMetadata(loop, "T", f->status).list_size, 2);
    TF_AddWhileInputHack(f->graph, one, one.oper, f->status);
    assert_status(f->status, TF_INTERNAL, "should be a While op");
    TF_AddWhileInputHack(f->graph, (TF_Output){one.oper, 3}, loop, f->status);
    assert_status(f->status, TF_OUT_OF_RANGE, "does not have output 3");
    TF_AddWhileInputHack(f->graph, (TF_Output){NULL, 0}, loop, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Node is null");
    assert_int_equal(TF_OperationNumInputs(loop), 2);
}

static void edges_can_be_moved(void **state) {
    struct fixture *f = *state;
    TF_Output one = constant(f->graph, f->status, "one", 1), two = constant(f->graph, f->status, "two", 2);
    TF_Output neg = unary(f->graph, f->status, "Neg", "neg", one);
    TF_Buffer *node = TF_NewBuffer();
    TF_UpdateEdge(f->graph, two, (TF_Input){neg.oper, 0}, f->status);
    assert_status_ok(f->status);
    TF_OperationToNodeDef(neg.oper, node, f->status);
    assert_true(buffer_contains(node, "two") && !buffer_contains(node, "one"));
    assert_int_equal(TF_OperationOutputNumConsumers(one), 0);
    TF_UpdateEdge(f->graph, two, (TF_Input){neg.oper, 1}, f->status);
    assert_status(f->status, TF_OUT_OF_RANGE, "Input index [1] is greater than the number of total inputs [1]");
    TF_UpdateEdge(f->graph, (TF_Output){two.oper, 4}, (TF_Input){neg.oper, 0}, f->status);
    assert_status(f->status, TF_OUT_OF_RANGE, "Output index [4] is greater than the number of total outputs [1]");
    TF_DeleteBuffer(node);
}

static void operations_can_be_changed(void **state) {
    struct fixture *f = *state;
    TF_Output one = constant(f->graph, f->status, "one", 1), neg = unary(f->graph, f->status, "Neg", "neg", one);
    TF_Output two = constant(f->graph, f->status, "two", 2);
    TF_AddOperationControlInput(f->graph, neg.oper, two.oper);
    assert_int_equal(TF_OperationNumControlInputs(neg.oper), 1);
    TF_RemoveAllControlInputs(f->graph, neg.oper);
    assert_int_equal(TF_OperationNumControlInputs(neg.oper), 0);
    TF_SetRequestedDevice(f->graph, neg.oper, "/device:CPU:0");
    assert_string_equal(TF_OperationDevice(neg.oper), "/device:CPU:0");
    TF_Buffer *seven = TF_NewBufferFromString("\x18\x07", 2);
    int64_t value = 0;
    TF_SetAttr(f->graph, neg.oper, "_seven", seven, f->status);
    assert_status_ok(f->status);
    TF_OperationGetAttrInt(neg.oper, "_seven", &value, f->status);
    assert_int_equal(value, 7);
    TF_ClearAttr(f->graph, neg.oper, "_seven", f->status);
    assert_status_ok(f->status);
    TF_OperationGetAttrInt(neg.oper, "_seven", &value, f->status);
    assert_status(f->status, TF_NOT_FOUND, "No attr named '_seven' in NodeDef:");
    TF_DeleteBuffer(seven);
}

/* ---- colocation */
enum { WITH, LIST, PROTO, EMPTY_LIST, EMPTY_PROTO };

/* Builds an operation by these steps and checks its attribute _class. */
static void check_class(struct fixture *f, const int *steps, int n, const char *const *wanted, int n_wanted) {
    static int number;
    char name[32];
    static const char *const explicit_places[2] = {"loc:@s1", "loc:@s2"};
    const size_t lengths[2] = {7, 7};
    /* list { s: "loc:@s1" s: "loc:@s2" } */
    static const unsigned char proto[] = "\x0a\x12\x12\x07loc:@s1\x12\x07loc:@s2";
    TF_OperationDescription *d;
    snprintf(name, sizeof name, "placed_%d", number++);
    d = TF_NewOperation(f->graph, "Placeholder", name);
    TF_SetAttrType(d, "dtype", TF_INT32);
    for (int i = 0; i < n; i++) {
        if (steps[i] == WITH) TF_ColocateWith(d, TF_GraphOperationByName(f->graph, i % 2 ? "s1" : "s2"));
        if (steps[i] == LIST) TF_SetAttrStringList(d, "_class", (const void *const *)explicit_places, lengths, 2);
        if (steps[i] == PROTO) TF_SetAttrValueProto(d, "_class", proto, sizeof proto - 1, f->status);
        if (steps[i] == EMPTY_LIST) TF_SetAttrStringList(d, "_class", NULL, NULL, 0);
        if (steps[i] == EMPTY_PROTO) TF_SetAttrValueProto(d, "_class", "\x0a\x00", 2, f->status);
    }
    TF_Operation *placed = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    TF_AttrMetadata m = TF_OperationGetAttrMetadata(placed, "_class", f->status);
    if (n_wanted == 0) {
        assert_status(f->status, TF_INVALID_ARGUMENT, "has no attr named '_class'");
        return;
    }
    assert_status_ok(f->status);
    assert_int_equal(m.list_size, n_wanted);
    void *values[4];
    size_t got[4];
    char storage[64];
    TF_OperationGetAttrStringList(placed, "_class", values, got, 4, storage, sizeof storage, f->status);
    assert_status_ok(f->status);
    for (int i = 0; i < n_wanted; i++) {
        assert_int_equal(got[i], strlen(wanted[i]));
        assert_memory_equal(values[i], wanted[i], got[i]);
    }
}

static void colocation_accumulates_and_is_replaced(void **state) {
    struct fixture *f = *state;
    static const char *const both[] = {"loc:@s1", "loc:@s2"}, *const second[] = {"loc:@s2"};
    placeholder(f->graph, f->status, "s1");
    placeholder(f->graph, f->status, "s2");
    static const struct {
        int steps[2], n, n_wanted;
    } rows[] = {
        {{LIST}, 1, 2},        {{PROTO}, 1, 2},       {{WITH, LIST}, 2, 2},       {{WITH, PROTO}, 2, 2},
        {{LIST, WITH}, 2, 2},  {{PROTO, WITH}, 2, 2}, {{WITH, WITH}, 2, 2},       {{PROTO, LIST}, 2, 2},
        {{LIST, PROTO}, 2, 2}, {{WITH}, 1, 1},        {{WITH, EMPTY_LIST}, 2, 0}, {{WITH, EMPTY_PROTO}, 2, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_class(f, rows[i].steps, rows[i].n, rows[i].n_wanted == 1 ? second : both, rows[i].n_wanted);
}

static void colocation_needs_a_list(void **state) {
    struct fixture *f = *state;
    TF_OperationDescription *d = TF_NewOperation(f->graph, "Placeholder", "p");
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_SetAttrValueProto(d, "_class", "\x12\x07loc:@s1", 9, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Expected \"list\" field for \"_class\" attribute");
    assert_non_null(TF_FinishOperation(d, f->status));
}

static void deleting_null_is_safe(void **state) {
    struct fixture *f = *state;
    TF_DeleteStatus(NULL);
    TF_DeleteBuffer(NULL);
    TF_DeleteTensor(NULL);
    TF_DeleteSessionOptions(NULL);
    TF_DeleteGraph(NULL);
    TF_DeleteImportGraphDefOptions(NULL);
    TF_DeleteImportGraphDefResults(NULL);
    TF_DeleteFunction(NULL);
    TF_DeleteSession(NULL, f->status);
    TF_DeletePRunHandle(NULL);
    TF_DeleteDeprecatedSession(NULL, f->status);
    TF_DeleteDeviceList(NULL);
    TF_DeleteLibraryHandle(NULL);
    TF_DeleteApiDefMap(NULL);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(operations_tell_what_they_are),
        TEST(outputs_know_their_consumers),
        TEST(operations_are_found_and_walked_in_order),
        TEST(positions_count_from_two),
        TEST(mistakes_are_told_at_the_end),
        TEST(attribute_mistakes_are_told_at_the_end),
        TEST(shapes_are_inferred_at_the_end),
        TEST(shapes_are_merged),
        TEST(outputs_of_other_graphs_have_no_shape),
        TEST(graphs_become_messages),
        TEST(op_definitions_are_messages),
        TEST(constants_are_evaluated),
        TEST(edges_can_be_moved),
        TEST(a_while_gets_an_input),
        TEST(operations_can_be_changed),
        TEST(colocation_accumulates_and_is_replaced),
        TEST(colocation_needs_a_list),
        TEST(deleting_null_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
