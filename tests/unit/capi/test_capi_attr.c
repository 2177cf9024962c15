/* Attributes of every kind, set and read back. The ops that have them are registered here, through ops.h. */
#include <stdio.h>
#include <stdlib.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/ops.h"
#include "unit/capi/capi_fixture.h"

/* An op with one attr `v`, named after its type: "list(int)" is CApiAttrListInt. */
static const char *op_name(const char *type) {
    static char name[64];
    char *to = name + sprintf(name, "CApiAttr");
    bool upper = true;
    for (const char *from = type; *from; from++) {
        if (*from < 'a' || *from > 'z') upper = true;
        else *to++ = upper ? (char)(*from - 'a' + 'A') : *from;
        if (*from >= 'a' && *from <= 'z') upper = false;
    }
    *to = '\0';
    return name;
}

static const char *const types[] = {"string",      "list(string)", "int",        "list(int)",    "float",
                                    "list(float)", "bool",         "list(bool)", "type",         "list(type)",
                                    "shape",       "list(shape)",  "tensor",     "list(tensor)", "func"};

static void unknown_shape(TF_ShapeInferenceContext *context, TF_Status *status) {
    TF_ShapeInferenceContextSetUnknownShape(context, status);
}

static int register_ops(void **state) {
    (void)state;
    TF_Status *s = TF_NewStatus();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char spec[64];
        snprintf(spec, sizeof spec, "v: %s", types[i]);
        TF_OpDefinitionBuilder *b = TF_NewOpDefinitionBuilder(op_name(types[i]));
        TF_OpDefinitionBuilderAddAttr(b, spec);
        TF_OpDefinitionBuilderSetShapeInferenceFunction(b, unknown_shape);
        TF_RegisterOpDefinition(b, s);
        assert_status_ok(s);
    }
    TF_DeleteStatus(s);
    return 0;
}

static TF_OperationDescription *begin(struct fixture *f, const char *type) {
    return TF_NewOperation(f->graph, op_name(type), "operation");
}

static TF_Operation *end(struct fixture *f, TF_OperationDescription *d) {
    assert_status_ok(f->status);
    TF_Operation *operation = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return operation;
}

static void check_metadata(struct fixture *f, TF_Operation *o, int list_size, TF_AttrType type, int64_t total_size) {
    TF_SetStatus(f->status, TF_OK, "");
    TF_AttrMetadata m = TF_OperationGetAttrMetadata(o, "v", f->status);
    assert_status_ok(f->status);
    assert_int_equal(m.is_list, list_size >= 0);
    assert_int_equal(m.list_size, list_size);
    assert_int_equal(m.type, type);
    assert_int_equal(m.total_size, total_size);
}

/* ---- single values */
static void strings(void **state) {
    struct fixture *f = *state;
    char value[4] = {'x', 'x', 'x', 'x'};
    TF_OperationDescription *d = begin(f, "string");
    TF_SetAttrString(d, "v", "bun\0yan", 7);
    TF_Operation *o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_STRING, 7);
    TF_OperationGetAttrString(o, "v", value, 4, f->status);
    assert_status_ok(f->status);
    assert_memory_equal(value, "bun\0", 4);
}

static void numbers(void **state) {
    struct fixture *f = *state;
    int64_t i;
    float x;
    unsigned char b;
    TF_DataType t;
    TF_OperationDescription *d = begin(f, "int");
    TF_SetAttrInt(d, "v", INT64_MIN);
    TF_Operation *o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_INT, -1);
    TF_OperationGetAttrInt(o, "v", &i, f->status);
    assert_true(i == INT64_MIN);

    d = TF_NewOperation(f->graph, op_name("float"), "f");
    TF_SetAttrFloat(d, "v", 2.718f);
    o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_FLOAT, -1);
    TF_OperationGetAttrFloat(o, "v", &x, f->status);
    assert_float_equal(x, 2.718f, 0);

    d = TF_NewOperation(f->graph, op_name("bool"), "b");
    TF_SetAttrBool(d, "v", 5);
    o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_BOOL, -1);
    TF_OperationGetAttrBool(o, "v", &b, f->status);
    assert_int_equal(b, 1);

    d = TF_NewOperation(f->graph, op_name("type"), "t");
    TF_SetAttrType(d, "v", TF_COMPLEX128);
    o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_TYPE, -1);
    TF_OperationGetAttrType(o, "v", &t, f->status);
    assert_int_equal(t, TF_COMPLEX128);
    assert_status_ok(f->status);
}

static void shapes(void **state) {
    struct fixture *f = *state;
    const int64_t dims[2] = {17, -1};
    int64_t got[2];
    TF_OperationDescription *d = begin(f, "shape");
    TF_SetAttrShape(d, "v", NULL, -1);
    TF_Operation *o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_SHAPE, -1);
    TF_OperationGetAttrShape(o, "v", NULL, 0, f->status);
    assert_status_ok(f->status);

    d = TF_NewOperation(f->graph, op_name("shape"), "partial");
    TF_SetAttrShape(d, "v", dims, 2);
    o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_SHAPE, 2);
    TF_OperationGetAttrShape(o, "v", got, 2, f->status);
    assert_status_ok(f->status);
    assert_memory_equal(got, dims, sizeof dims);
}

static void shape_messages_come_back_byte_by_byte(void **state) {
    struct fixture *f = *state;
    static const unsigned char proto[] = {18, 2, 8, 13, 18, 11, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1};
    const void *const protos[2] = {proto, proto};
    const size_t lengths[2] = {sizeof proto, 4};
    TF_OperationDescription *d = begin(f, "shape");
    TF_SetAttrTensorShapeProto(d, "v", proto, sizeof proto, f->status);
    TF_Operation *o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_SHAPE, 2);
    TF_Buffer *buffer = TF_NewBuffer();
    TF_OperationGetAttrTensorShapeProto(o, "v", buffer, f->status);
    assert_status_ok(f->status);
    assert_int_equal(buffer->length, sizeof proto);
    assert_memory_equal(buffer->data, proto, sizeof proto);
    TF_DeleteBuffer(buffer);

    d = TF_NewOperation(f->graph, op_name("list(shape)"), "list");
    TF_SetAttrTensorShapeProtoList(d, "v", protos, lengths, 2, f->status);
    o = end(f, d);
    check_metadata(f, o, 2, TF_ATTR_SHAPE, 3);
    TF_Buffer *buffers[2];
    TF_OperationGetAttrTensorShapeProtoList(o, "v", buffers, 2, f->status);
    assert_status_ok(f->status);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(buffers[i]->length, lengths[i]);
        assert_memory_equal(buffers[i]->data, proto, lengths[i]);
        TF_DeleteBuffer(buffers[i]);
    }
}

static void tensors(void **state) {
    struct fixture *f = *state;
    TF_Tensor *in = int_tensor(31415), *out = NULL;
    TF_OperationDescription *d = begin(f, "tensor");
    TF_SetAttrTensor(d, "v", in, f->status);
    TF_DeleteTensor(in);
    TF_Operation *o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_TENSOR, -1);
    TF_OperationGetAttrTensor(o, "v", &out, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(out), 31415);
}

static void string_tensors(void **state) {
    struct fixture *f = *state;
    const int64_t dims[1] = {2};
    static const char long_text[] = "this string is longer than fits into its element";
    TF_Tensor *in = TF_AllocateTensor(TF_STRING, dims, 1, 48), *out = NULL;
    TF_TString *strings = TF_TensorData(in);
    for (int i = 0; i < 2; i++) TF_TString_Init(&strings[i]);
    TF_TString_Copy(&strings[0], "short", 5);
    TF_TString_Copy(&strings[1], long_text, sizeof long_text);
    TF_OperationDescription *d = begin(f, "tensor");
    TF_SetAttrTensor(d, "v", in, f->status);
    TF_DeleteTensor(in);
    TF_OperationGetAttrTensor(end(f, d), "v", &out, f->status);
    assert_status_ok(f->status);
    strings = TF_TensorData(out);
    assert_int_equal(TF_TString_GetSize(&strings[1]), sizeof long_text);
    assert_memory_equal(TF_TString_GetDataPointer(&strings[1]), long_text, sizeof long_text);
    assert_memory_equal(TF_TString_GetDataPointer(&strings[0]), "short", 5);
    TF_DeleteTensor(out);
}

static void functions_and_placeholders(void **state) {
    struct fixture *f = *state;
    TF_OperationDescription *d = begin(f, "func");
    TF_SetAttrFuncName(d, "v", "some_function", 13);
    TF_Operation *o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_FUNC, -1);
    TF_Buffer *value = TF_NewBuffer();
    TF_OperationGetAttrValueProto(o, "v", value, f->status);
    assert_status_ok(f->status);
    assert_true(buffer_contains(value, "some_function"));
    TF_DeleteBuffer(value);

    d = TF_NewOperation(f->graph, op_name("int"), "hole");
    TF_SetAttrPlaceholder(d, "v", "from_function");
    o = end(f, d);
    check_metadata(f, o, -1, TF_ATTR_PLACEHOLDER, -1);
}

static void values_as_messages(void **state) {
    struct fixture *f = *state;
    int64_t value = 0;
    TF_Buffer *proto = TF_NewBuffer();
    TF_OperationDescription *d = begin(f, "int");
    TF_SetAttrValueProto(d, "v", "\x18\x2a", 2, f->status);
    TF_Operation *o = end(f, d);
    TF_OperationGetAttrInt(o, "v", &value, f->status);
    assert_int_equal(value, 42);
    TF_OperationGetAttrValueProto(o, "v", proto, f->status);
    assert_int_equal(proto->length, 2);
    assert_memory_equal(proto->data, "\x18\x2a", 2);
    TF_DeleteBuffer(proto);
}

/* ---- lists */
static void string_lists(void **state) {
    struct fixture *f = *state;
    const void *const values[3] = {"bugs", "bunny", "duck"};
    const size_t lengths[3] = {4, 5, 4};
    void *got[3];
    size_t got_lengths[3];
    char storage[13];
    TF_OperationDescription *d = begin(f, "list(string)");
    TF_SetAttrStringList(d, "v", values, lengths, 3);
    TF_Operation *o = end(f, d);
    check_metadata(f, o, 3, TF_ATTR_STRING, 13);
    TF_OperationGetAttrStringList(o, "v", got, got_lengths, 3, storage, sizeof storage, f->status);
    assert_status_ok(f->status);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(got_lengths[i], lengths[i]);
        assert_memory_equal(got[i], values[i], lengths[i]);
    }
    TF_OperationGetAttrStringList(o, "v", got, got_lengths, 3, storage, 12, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Not enough storage to hold the requested list of strings");
}

static void number_lists(void **state) {
    struct fixture *f = *state;
    const int64_t ints[3] = {1, 2, INT64_MAX};
    const float floats[2] = {1.414f, 2.718f};
    const unsigned char bools[3] = {0, 1, 1};
    const TF_DataType dtypes[2] = {TF_DOUBLE, TF_COMPLEX128};
    int64_t got_ints[3];
    float got_floats[2];
    unsigned char got_bools[3];
    TF_DataType got_types[2];
    TF_OperationDescription *d = begin(f, "list(int)");
    TF_SetAttrIntList(d, "v", ints, 3);
    TF_Operation *o = end(f, d);
    check_metadata(f, o, 3, TF_ATTR_INT, -1);
    TF_OperationGetAttrIntList(o, "v", got_ints, 3, f->status);
    assert_memory_equal(got_ints, ints, sizeof ints);

    d = TF_NewOperation(f->graph, op_name("list(float)"), "f");
    TF_SetAttrFloatList(d, "v", floats, 2);
    o = end(f, d);
    check_metadata(f, o, 2, TF_ATTR_FLOAT, -1);
    TF_OperationGetAttrFloatList(o, "v", got_floats, 2, f->status);
    assert_memory_equal(got_floats, floats, sizeof floats);

    d = TF_NewOperation(f->graph, op_name("list(bool)"), "b");
    TF_SetAttrBoolList(d, "v", bools, 3);
    o = end(f, d);
    check_metadata(f, o, 3, TF_ATTR_BOOL, -1);
    TF_OperationGetAttrBoolList(o, "v", got_bools, 3, f->status);
    assert_memory_equal(got_bools, bools, sizeof bools);

    d = TF_NewOperation(f->graph, op_name("list(type)"), "t");
    TF_SetAttrTypeList(d, "v", dtypes, 2);
    o = end(f, d);
    check_metadata(f, o, 2, TF_ATTR_TYPE, -1);
    TF_OperationGetAttrTypeList(o, "v", got_types, 2, f->status);
    assert_memory_equal(got_types, dtypes, sizeof dtypes);
    assert_status_ok(f->status);
}

static void shape_lists(void **state) {
    struct fixture *f = *state;
    const int64_t first[2] = {1, 3}, second[3] = {2, 4, 6};
    const int64_t *const dims[3] = {first, NULL, second};
    const int ranks[3] = {2, -1, 3};
    int64_t *got[3], storage[5];
    int got_ranks[3];
    TF_OperationDescription *d = begin(f, "list(shape)");
    TF_SetAttrShapeList(d, "v", dims, ranks, 3);
    TF_Operation *o = end(f, d);
    check_metadata(f, o, 3, TF_ATTR_SHAPE, 5);
    TF_OperationGetAttrShapeList(o, "v", got, got_ranks, 3, storage, 5, f->status);
    assert_status_ok(f->status);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(got_ranks[i], ranks[i]);
        for (int k = 0; k < ranks[i]; k++) assert_int_equal(got[i][k], dims[i][k]);
    }
    TF_OperationGetAttrShapeList(o, "v", got, got_ranks, 3, storage, 4, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Not enough storage to hold the requested list of shapes");
}

static void tensor_lists(void **state) {
    struct fixture *f = *state;
    TF_Tensor *in[2] = {int_tensor(5), int_tensor(7)}, *out[2];
    TF_OperationDescription *d = begin(f, "list(tensor)");
    TF_SetAttrTensorList(d, "v", in, 2, f->status);
    TF_Operation *o = end(f, d);
    for (int i = 0; i < 2; i++) TF_DeleteTensor(in[i]);
    check_metadata(f, o, 2, TF_ATTR_TENSOR, -1);
    TF_OperationGetAttrTensorList(o, "v", out, 2, f->status);
    assert_status_ok(f->status);
    assert_int_equal(int_of(out[0]), 5);
    assert_int_equal(int_of(out[1]), 7);
}

static void empty_lists_have_the_kind_of_their_op(void **state) {
    struct fixture *f = *state;
    TF_OperationDescription *d = begin(f, "list(int)");
    TF_SetAttrIntList(d, "v", NULL, 0);
    check_metadata(f, end(f, d), 0, TF_ATTR_INT, -1);
    d = TF_NewOperation(f->graph, op_name("list(string)"), "s");
    TF_SetAttrStringList(d, "v", NULL, NULL, 0);
    check_metadata(f, end(f, d), 0, TF_ATTR_STRING, -1);
    d = TF_NewOperation(f->graph, op_name("list(type)"), "t");
    TF_SetAttrTypeList(d, "v", NULL, 0);
    check_metadata(f, end(f, d), 0, TF_ATTR_TYPE, -1);
}

/* ---- names and mistakes */
static void names_can_be_listed(void **state) {
    struct fixture *f = *state;
    char name[1] = {0};
    TF_OperationDescription *d = begin(f, "string");
    TF_SetAttrString(d, "v", "bunny", 5);
    TF_Operation *o = end(f, d);
    assert_int_equal(TF_OperationGetNumAttrs(o), 1);
    assert_int_equal(TF_OperationGetAttrNameLength(o, 0), 1);
    TF_OperationGetAttrName(o, 0, name, f->status);
    assert_status_ok(f->status);
    assert_int_equal(name[0], 'v');
}

static void wrong_kinds_are_invalid(void **state) {
    struct fixture *f = *state;
    int64_t i;
    char text[8];
    TF_Tensor *tensor;
    TF_OperationDescription *d = begin(f, "list(type)");
    TF_SetAttrInt(d, "v", 3);
    assert_null(TF_FinishOperation(d, f->status));
    assert_status(f->status, TF_INVALID_ARGUMENT, "");
    d = TF_NewOperation(f->graph, op_name("float"), "f");
    TF_SetAttrFloat(d, "v", 1);
    TF_Operation *o = TF_FinishOperation(d, f->status);
    TF_OperationGetAttrInt(o, "v", &i, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "'float' when 'int' expected");
    TF_SetStatus(f->status, TF_OK, "");
    TF_OperationGetAttrString(o, "v", text, sizeof text, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "");
    TF_OperationGetAttrTensor(o, "v", &tensor, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "'tensor' expected");
    TF_OperationGetAttrInt(o, "w", &i, f->status);
    assert_status(f->status, TF_NOT_FOUND, "No attr named 'w' in NodeDef:");
    TF_OperationGetAttrMetadata(o, "w", f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "Operation 'f' has no attr named 'w'.");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(strings),
        TEST(numbers),
        TEST(shapes),
        TEST(shape_messages_come_back_byte_by_byte),
        TEST(tensors),
        TEST(string_tensors),
        TEST(functions_and_placeholders),
        TEST(values_as_messages),
        TEST(string_lists),
        TEST(number_lists),
        TEST(shape_lists),
        TEST(tensor_lists),
        TEST(empty_lists_have_the_kind_of_their_op),
        TEST(names_can_be_listed),
        TEST(wrong_kinds_are_invalid),
    };
    return cmocka_run_group_tests(tests, register_ops, NULL);
}
