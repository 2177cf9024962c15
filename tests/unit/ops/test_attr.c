/* Attr values and sets: reading, checking against an op, completing, comparing. Wanted texts were recorded from
 * TensorFlow 2.21. */
#include "unit/ops/ops_fixture.h"

/* ---- reading */
#define ALL                                                                                                            \
    "s s: 'abc'; i i: 7; big i: 3000000000; f f: 1.5; b b: true; type type: DT_HALF; "                                 \
    "shape shape { dim { size: 2 } dim { size: -1 } }; any shape { unknown_rank: true }; scalar shape { }; "           \
    "tensor tensor { dtype: DT_INT32 }; func func { name: 'g' }; ss list { s: 'x' s: 'y' }; is list { i: 4 i: 5 }; "   \
    "fs list { f: 2 }; bs list { b: true b: false }; types list { type: DT_INT8 type: DT_BOOL }; "                     \
    "shapes list { shape { dim { size: 3 } } shape { unknown_rank: true } }; tensors list { tensor { } tensor { } "    \
    "}; funcs list { func { name: 'h' } }; none list { }; unset "

static void values_are_read_by_kind(void **state) {
    struct ops_fixture *f = *state;
    struct sl_attrs attrs = attrs_of(f, ALL);
    struct sl_str s;
    int64_t i;
    float x;
    bool b;
    int type, narrow;
    struct sl_shape shape;
    const struct sl_pb_TensorProto *tensor;
    const struct sl_pb_NameAttrList *func;
    assert_ok(f->err, sl_attr_string(&s, &attrs, "s", &f->err));
    assert_true(sl_str_is(s, "abc"));
    assert_ok(f->err, sl_attr_int(&i, &attrs, "i", &f->err));
    assert_int_equal(i, 7);
    assert_ok(f->err, sl_attr_int(&i, &attrs, "big", &f->err));
    assert_int_equal(i, 3000000000);
    assert_ok(f->err, sl_attr_int32(&narrow, &attrs, "i", &f->err));
    assert_int_equal(narrow, 7);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Attr big has value 3000000000 out of range for an int32",
                 sl_attr_int32(&narrow, &attrs, "big", &f->err));
    assert_ok(f->err, sl_attr_float(&x, &attrs, "f", &f->err));
    assert_true(x == 1.5f);
    assert_ok(f->err, sl_attr_bool(&b, &attrs, "b", &f->err));
    assert_true(b);
    assert_ok(f->err, sl_attr_type(&type, &attrs, "type", &f->err));
    assert_int_equal(type, SL_HALF);
    assert_ok(f->err, sl_attr_tensor(&tensor, &attrs, "tensor", &f->err));
    assert_int_equal(tensor->dtype, SL_INT32);
    assert_ok(f->err, sl_attr_func(&func, &attrs, "func", &f->err));
    assert_true(sl_str_is(func->name, "g"));
    assert_ok(f->err, sl_attr_shape(&shape, &f->arena, &attrs, "shape", &f->err));
    assert_int_equal(shape.rank, 2);
    assert_int_equal(shape.dims[1], -1);
    assert_ok(f->err, sl_attr_shape(&shape, &f->arena, &attrs, "any", &f->err));
    assert_int_equal(shape.rank, -1);
    assert_ok(f->err, sl_attr_shape(&shape, &f->arena, &attrs, "scalar", &f->err));
    assert_int_equal(shape.rank, 0);
}

static void lists_are_read_by_kind(void **state) {
    struct ops_fixture *f = *state;
    struct sl_attrs attrs = attrs_of(f, ALL);
    int n;
    const struct sl_str *strings;
    const int64_t *ints;
    const float *floats;
    const bool *bools;
    const int32_t *types;
    const struct sl_shape *shapes;
    const struct sl_pb_TensorProto *tensors;
    const struct sl_pb_NameAttrList *funcs;
    assert_ok(f->err, sl_attr_string_list(&strings, &n, &attrs, "ss", &f->err));
    assert_int_equal(n, 2);
    assert_true(sl_str_is(strings[1], "y"));
    assert_ok(f->err, sl_attr_int_list(&ints, &n, &attrs, "is", &f->err));
    assert_int_equal(n, 2);
    assert_int_equal(ints[1], 5);
    assert_ok(f->err, sl_attr_float_list(&floats, &n, &attrs, "fs", &f->err));
    assert_int_equal(n, 1);
    assert_ok(f->err, sl_attr_bool_list(&bools, &n, &attrs, "bs", &f->err));
    assert_true(n == 2 && bools[0] && !bools[1]);
    assert_ok(f->err, sl_attr_type_list(&types, &n, &attrs, "types", &f->err));
    assert_true(n == 2 && types[1] == SL_BOOL);
    assert_ok(f->err, sl_attr_shape_list(&shapes, &n, &f->arena, &attrs, "shapes", &f->err));
    assert_true(n == 2 && shapes[0].rank == 1 && shapes[0].dims[0] == 3 && shapes[1].rank == -1);
    assert_ok(f->err, sl_attr_tensor_list(&tensors, &n, &attrs, "tensors", &f->err));
    assert_int_equal(n, 2);
    assert_ok(f->err, sl_attr_func_list(&funcs, &n, &attrs, "funcs", &f->err));
    assert_true(n == 1 && sl_str_is(funcs[0].name, "h"));
    const char *empty[] = {"none", "unset"};
    for (int k = 0; k < 2; k++) {
        assert_ok(f->err, sl_attr_int_list(&ints, &n, &attrs, empty[k], &f->err));
        assert_int_equal(n, 0);
        assert_ok(f->err, sl_attr_shape_list(&shapes, &n, &f->arena, &attrs, empty[k], &f->err));
        assert_int_equal(n, 0);
    }
}

static void what_is_not_there_or_other_is_told(void **state) {
    struct ops_fixture *f = *state;
    struct sl_attrs attrs = attrs_of(f, ALL "; p placeholder: 'P'; bad shape { dim { size: -2 } }");
    int64_t i;
    const int64_t *ints;
    int n, type;
    struct sl_shape shape;
    assert_fails(f->err, SL_NOT_FOUND, "No attr named 'q' in NodeDef:", sl_attr_int(&i, &attrs, "q", &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT,
                 "AttrValue had value with type 'string' when 'int' expected\n\t for attr 's'",
                 sl_attr_int(&i, &attrs, "s", &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "type 'int' when 'list(int)' expected\n\t for attr 'i'",
                 sl_attr_int_list(&ints, &n, &attrs, "i", &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "type 'list(int)' when 'int' expected",
                 sl_attr_int(&i, &attrs, "is", &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "AttrValue missing value with expected type 'int'\n\t for attr 'unset'",
                 sl_attr_int(&i, &attrs, "unset", &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "AttrValue had value with unexpected type 'placeholder'",
                 sl_attr_type(&type, &attrs, "p", &f->err));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Shape [-2] has dimensions with values below -1 (where -1 means unknown)",
                 sl_attr_shape(&shape, &f->arena, &attrs, "bad", &f->err));
    char *many = sl_arena_format(&f->arena, "shape {%*s}", 300 * 7, "");
    for (int k = 0; k < 300; k++) memcpy(many + 7 + k * 7, "dim { }", 7);
    attrs = (struct sl_attrs){&(struct sl_attr){SL_STR("deep"), attr_value(f, many)}, 1};
    assert_fails(f->err, SL_INVALID_ARGUMENT, "Shape has 300 dimensions",
                 sl_attr_shape(&shape, &f->arena, &attrs, "deep", &f->err));
}

static void of_a_name_that_stands_twice_the_last_counts(void **state) {
    struct ops_fixture *f = *state;
    struct sl_attrs attrs = attrs_of(f, "_a i: 1; _b i: 2; _a i: 3"), bound;
    int64_t i;
    assert_ok(f->err, sl_attr_int(&i, &attrs, "_a", &f->err));
    assert_int_equal(i, 3);
    assert_ok(f->err, sl_attrs_bind(&bound, &f->arena, find_op(f, "NoOp"), &attrs, SL_STR("n"), &f->err));
    assert_ok(f->err, sl_attr_int(&i, &bound, "_a", &f->err));
    assert_int_equal(i, 3);
    attrs = attrs_of(f, "a i: 9; a i: 5");
    assert_ok(f->err, sl_attrs_bind(&bound, &f->arena, find_op(f, "AttrMin"), &attrs, SL_STR("n"), &f->err));
    assert_int_equal(bound.n, 1);
    assert_int_equal(bound.items[0].value->i, 5);
}

/* ---- binding */
#define ADD_OP                                                                                                         \
    "Op<name=Add; signature=x:T, y:T -> z:T; attr=T:type,allowed=[DT_BFLOAT16, DT_HALF, DT_FLOAT, DT_DOUBLE, "         \
    "DT_UINT8, DT_INT8, DT_INT16, DT_INT32, DT_INT64, DT_COMPLEX64, DT_COMPLEX128, DT_STRING]>"
#define ADD "\n\t; NodeDef: {{node n}}; " ADD_OP
#define AVG_POOL_OP                                                                                                    \
    "Op<name=AvgPool; signature=value:T -> output:T; attr=ksize:list(int),min=4; attr=strides:list(int),min=4; "       \
    "attr=padding:string,allowed=[\"SAME\", \"VALID\"]; "                                                              \
    "attr=data_format:string,default=\"NHWC\",allowed=[\"NHWC\", \"NCHW\"]; "                                          \
    "attr=T:type,allowed=[DT_HALF, DT_BFLOAT16, DT_FLOAT, DT_DOUBLE]>"
#define KSIZE      "T type: DT_FLOAT; ksize list { i: 1 i: 1 i: 1 i: 1 }"
#define IDENTITY_N "\n\t; NodeDef: {{node n}}; Op<name=IdentityN; signature=input: -> output:; attr=T:list(type),min=1>"

static const struct {
    const char *op, *attrs, *wanted; /* wanted: NULL when they fit */
} bindings[] = {
    {"Add", "T type: DT_FLOAT", NULL},
    {"Add", "T placeholder: 'T'", NULL},
    {"Add", "T type: DT_FLOAT; _any i: 1", NULL},
    {"Add", "T type: DT_FLOAT; newer i: 1", NULL},
    {"Add", "", "NodeDef missing attr 'T' from " ADD_OP "; NodeDef: {{node n}}"},
    {"Add", "T i: 1", "AttrValue had value with type 'int' when 'type' expected\n\t for attr 'T'" ADD},
    {"Add", "T ", "AttrValue missing value with expected type 'type'\n\t for attr 'T'" ADD},
    {"Add", "T type: DT_BOOL",
     "Value for attr 'T' of bool is not in the list of allowed values: bfloat16, half, float, double, uint8, int8, "
     "int16, int32, int64, complex64, complex128, string" ADD},
    {"Add", "T type: DT_FLOAT_REF", "AttrValue must not have reference type value of float_ref\n\t for attr 'T'" ADD},
    {"Add", "T type: 999", "AttrValue has invalid DataType enum: 999\n\t for attr 'T'" ADD},
    {"Add", "T type: -1", "AttrValue has invalid DataType enum: -1\n\t for attr 'T'" ADD},
    {"Add", "T type: DT_INVALID", "AttrValue has invalid DataType\n\t for attr 'T'" ADD},
    {"Add", "T list { type: DT_FLOAT }",
     "AttrValue had value with type 'list(type)' when 'type' expected\n\t for attr 'T'" ADD},
    {"IdentityN", "T list { type: DT_FLOAT type: DT_INT32 }", NULL},
    {"IdentityN", "T list { }", "Length for attr 'T' of 0 must be at least minimum 1" IDENTITY_N},
    {"IdentityN", "T ", "Length for attr 'T' of 0 must be at least minimum 1" IDENTITY_N},
    {"IdentityN", "T list { i: 3 }",
     "AttrValue had value with type 'list(int)' when 'list(type)' expected\n\t for attr 'T'" IDENTITY_N},
    {"IdentityN", "T list { type: DT_FLOAT i: 3 }",
     "AttrValue had value with type 'list(int)' when 'list(type)' expected\n\t for attr 'T'" IDENTITY_N},
    {"IdentityN", "T list { type: DT_FLOAT_REF }",
     "AttrValue must not have reference type value of float_ref\n\t for attr 'T'" IDENTITY_N},
    {"TypeListRestrict", "T list { type: DT_BOOL type: DT_FLOAT }",
     "Value for attr 'T' of float is not in the list of allowed values: string, bool\n\t; NodeDef: {{node n}}; "
     "Op<name=TypeListRestrict; signature=a: -> ; attr=T:list(type),min=1,allowed=[DT_STRING, DT_BOOL]>"},
    {"AddN", "T type: DT_FLOAT; N i: 0", "Value for attr 'N' of 0 must be at least minimum 1\n\t; NodeDef: {{node n}}"},
    {"AddN", "T type: DT_FLOAT; N i: -1", "Value for attr 'N' of -1 must be at least minimum 1"},
    {"AvgPool", KSIZE "; strides list { i: 1 i: 1 i: 1 i: 1 }; padding s: 'SAME'", NULL},
    {"AvgPool", "T type: DT_FLOAT; ksize list { i: 1 }",
     "Length for attr 'ksize' of 1 must be at least minimum 4\n\t; NodeDef: {{node n}}; " AVG_POOL_OP},
    {"AvgPool", KSIZE "; strides list { i: 1 i: 1 i: 1 i: 1 }; padding s: 'FOO'",
     "Value for attr 'padding' of \"FOO\" is not in the list of allowed values: \"SAME\", \"VALID\"\n\t; NodeDef: "
     "{{node n}}; " AVG_POOL_OP},
    {"AvgPool", KSIZE, "NodeDef missing attrs 'padding', 'strides' from " AVG_POOL_OP "; NodeDef: {{node n}}"},
    {"AttrEnumList", "a list { s: 'apples' s: 'pear' }",
     "Value for attr 'a' of \"pear\" is not in the list of allowed values: \"apples\", \"oranges\"\n\t; NodeDef: "
     "{{node n}}; Op<name=AttrEnumList; signature= -> ; attr=a:list(string),allowed=[\"apples\", \"oranges\"]>"},
    {"AttrMin", "a i: 3",
     "Value for attr 'a' of 3 must be at least minimum 5\n\t; NodeDef: {{node n}}; Op<name=AttrMin; signature= -> ; "
     "attr=a:int,min=5>"},
    {"AttrFloat", "a i: 3",
     "AttrValue had value with type 'int' when 'float' expected\n\t for attr 'a'\n\t; NodeDef: {{node n}}; "
     "Op<name=AttrFloat; signature= -> ; attr=a:float>"},
    {"FuncAttr", "f s: 'x'", "AttrValue had value with type 'string' when 'func' expected\n\t for attr 'f'"},
    {"Const", "dtype type: DT_FLOAT; value i: 3",
     "AttrValue had value with type 'int' when 'tensor' expected\n\t for attr 'value'\n\t; NodeDef: {{node n}}; "
     "Op<name=Const; signature= -> output:dtype; attr=value:tensor; attr=dtype:type>"},
    {"Placeholder", "dtype type: DT_FLOAT; shape i: 1",
     "AttrValue had value with type 'int' when 'shape' expected\n\t for attr 'shape'\n\t; NodeDef: {{node n}}; "
     "Op<name=Placeholder; signature= -> output:dtype; attr=dtype:type; attr=shape:shape,default=<unknown>>"},
};

static void attrs_are_checked_against_the_op(void **state) {
    struct ops_fixture *f = *state;
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
        struct sl_attrs given = attrs_of(f, bindings[i].attrs), bound;
        const struct sl_op *op = find_op(f, bindings[i].op);
        sl_error_clear(&f->err);
        sl_code code = sl_attrs_bind(&bound, &f->arena, op, &given, SL_STR("n"), &f->err);
        if (!bindings[i].wanted) assert_int_equal(code, SL_OK);
        else if (code != SL_INVALID_ARGUMENT || !strstr(f->err.message, bindings[i].wanted))
            fail_msg("%s %s: got %s\nwanted %s", bindings[i].op, bindings[i].attrs, f->err.message, bindings[i].wanted);
    }
}

static void bound_attrs_are_complete_and_in_order(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_op *op = find_op(f, "MatMul");
    struct sl_attrs given = attrs_of(f, "_x i: 1; T type: DT_HALF; newer b: true; transpose_b b: true"), bound;
    assert_ok(f->err, sl_attrs_bind(&bound, &f->arena, op, &given, SL_STR("n"), &f->err));
    const char *wanted[] = {"transpose_a", "transpose_b", "T", "grad_a", "grad_b", "_x", "newer"};
    assert_int_equal(bound.n, 7);
    for (int i = 0; i < 7; i++) assert_true(sl_str_is(bound.items[i].name, wanted[i]));
    assert_ptr_equal(bound.items[0].value, op->attrs[0].default_value);
    assert_ptr_equal(bound.items[1].value, given.items[3].value);
    assert_true(bound.items[1].value->b);
    struct sl_attrs again;
    assert_ok(f->err, sl_attrs_bind(&again, &f->arena, op, &bound, SL_STR("n"), &f->err));
    for (int i = 0; i < 7; i++) assert_ptr_equal(again.items[i].value, bound.items[i].value);
}

static void a_message_gives_attrs(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_pb_AttrValue *func = attr_value(f, "func { attr { key: 'a' value { i: 1 } } attr { key: 'b' "
                                                       "value { s: 'x' } } }");
    struct sl_attrs attrs;
    assert_ok(f->err, sl_attrs_of_map(&attrs, &f->arena, &func->func->attr, &f->err));
    assert_int_equal(attrs.n, 2);
    assert_true(sl_str_is(attrs.items[1].name, "b"));
    assert_ptr_equal(attrs.items[1].value, &func->func->attr.items[1].value);
}

static void copies_stand_alone(void **state) {
    struct ops_fixture *f = *state;
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct ops_fixture other = {.arena = arena};
    struct sl_attrs attrs = attrs_of(&other, ALL "; p placeholder: 'P'"), copy,
                    same = attrs_of(f, ALL "; p placeholder: 'P'");
    assert_ok(f->err, sl_attrs_copy(&copy, &f->arena, &attrs, &f->err));
    memset((void *)attrs.items[0].value->s.p, '#', 3);
    sl_arena_clear(&other.arena);
    assert_int_equal(copy.n, same.n);
    for (int i = 0; i < copy.n; i++) {
        assert_true(sl_str_eq(copy.items[i].name, same.items[i].name));
        assert_text(print_value(f, copy.items[i].value), print_value(f, same.items[i].value));
    }
}

static void one_attr_can_be_set(void **state) {
    struct ops_fixture *f = *state;
    struct sl_attrs attrs = attrs_of(f, "a i: 1; b i: 2"), with;
    const struct sl_pb_AttrValue *value = attr_value(f, "i: 9");
    assert_ok(f->err, sl_attrs_with(&with, &f->arena, &attrs, SL_STR("a"), value, &f->err));
    assert_int_equal(with.n, 2);
    assert_ptr_equal(with.items[0].value, value);
    assert_ok(f->err, sl_attrs_with(&with, &f->arena, &with, SL_STR("c"), value, &f->err));
    assert_int_equal(with.n, 3);
    assert_true(sl_str_is(with.items[2].name, "c"));
    assert_int_equal(attrs.items[0].value->i, 1);
}

static void new_attrs_at_their_default_go(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_pb_OpDef *newer =
        op_def(f, "name: 'NoOp' attr { name: 'a' type: 'int' default_value { i: 3 } } attr { name: 'b' type: 'int' "
                  "default_value { i: 3 } } attr { name: 'c' type: 'int' } attr { name: '_d' type: 'int' default_value "
                  "{ i: 3 } }");
    struct sl_attrs given = attrs_of(f, "a i: 3; b i: 4; c i: 5; _d i: 3; e i: 3"), kept;
    assert_ok(f->err, sl_attrs_drop_new_defaults(&kept, &f->arena, &given, find_op(f, "NoOp"), newer, &f->err));
    const char *wanted[] = {"b", "c", "_d", "e"};
    assert_int_equal(kept.n, 4);
    for (int i = 0; i < 4; i++) assert_true(sl_str_is(kept.items[i].name, wanted[i]));
}

/* ---- comparing */
static void equal_values_are_equal(void **state) {
    struct ops_fixture *f = *state;
    static const char *const values[] = {
        "",
        "s: 'a'",
        "s: 'b'",
        "i: 1",
        "i: 2",
        "f: 1",
        "f: 2",
        "f: 0",
        "f: -0",
        "f: nan",
        "b: true",
        "b: false",
        "type: DT_INT32",
        "type: DT_INT64",
        "shape { }",
        "shape { unknown_rank: true }",
        "shape { dim { size: 1 } }",
        "tensor { dtype: DT_INT32 int_val: 1 }",
        "tensor { dtype: DT_INT32 int_val: 2 }",
        "tensor { dtype: DT_INT32 tensor_shape { } int_val: 1 }",
        "tensor { dtype: DT_INT64 tensor_shape { } int_val: 1 }",
        "tensor { dtype: DT_INT32 tensor_shape { } int64_val: 1 }",
        "tensor { dtype: DT_INT32 tensor_shape { unknown_rank: true } int_val: 1 }",
        "tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 1 }",
        "tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 name: 'x' } } int_val: 1 }",
        "tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 1 int_val: 1 }",
        "tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } tensor_content: 'a' }",
        "list { }",
        "list { i: 1 }",
        "list { i: 1 i: 2 }",
        "list { i: 1 i: 3 }",
        "list { s: 'a' }",
        "list { s: 'b' }",
        "list { s: 'a' s: 'a' }",
        "list { f: 0 }",
        "list { f: -0 }",
        "list { b: true }",
        "list { b: false }",
        "list { type: DT_INT32 }",
        "list { type: DT_INT32 type: DT_INT32 }",
        "list { shape { } }",
        "shape { dim { size: 1 } dim { size: 1 } }",
        "shape { dim { size: -1 } }",
        "shape { dim { size: 1 name: 'x' } }",
        "list { func { name: 'a' } }",
        "placeholder: 'a'",
        "placeholder: 'b'",
        "func { name: 'a' }",
        "func { name: 'b' }",
        "func { name: 'a' attr { key: 'x' value { i: 1 } } attr { key: 'y' value { i: 2 } } }"};
    enum { N = sizeof values / sizeof *values };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const struct sl_pb_AttrValue *a = attr_value(f, values[i]), *b = attr_value(f, values[j]);
            if (sl_attr_equal(a, b) != (i == j)) fail_msg("%s and %s", values[i], values[j]);
            if ((sl_attr_hash(a) == sl_attr_hash(b)) != (i == j)) fail_msg("hashes of %s and %s", values[i], values[j]);
        }
    const struct sl_pb_AttrValue *turned =
        attr_value(f, "func { name: 'a' attr { key: 'y' value { i: 2 } } attr { key: 'x' value { i: 1 } } }");
    assert_true(sl_attr_equal(turned, attr_value(f, values[N - 1])));
    assert_true(sl_attr_hash(turned) == sl_attr_hash(attr_value(f, values[N - 1])));
}

static void values_are_made(void **state) {
    struct ops_fixture *f = *state;
    int32_t types[] = {SL_INT8, SL_BOOL};
    const struct sl_attr made[] = {sl_attr_new(&f->arena, SL_STR("i"), SL_ATTR_VALUE(i, 7)),
                                   sl_attr_new(&f->arena, SL_STR("s"), SL_ATTR_VALUE(s, SL_STR("abc"))),
                                   sl_attr_new_type(&f->arena, SL_STR("type"), SL_HALF + 100),
                                   sl_attr_new_list(&f->arena, SL_STR("types"),
                                                    &(struct sl_pb_AttrValue_ListValue){.type = {types, 2}})};
    struct sl_attrs wanted = attrs_of(f, ALL);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_true(sl_attr_equal(made[i].value, sl_attr_find(&wanted, made[i].name)));
    const struct sl_op *op;
    struct sl_attrs bound;
    const struct sl_attr lost[] = {{SL_STR("T"), NULL}}; /* as sl_attr_new makes it when memory is out */
    assert_ok(f->err, sl_op_find(&op, f->registry, SL_STR("Neg"), &f->err));
    assert_int_equal(sl_attrs_bind(&bound, &f->arena, op, &(struct sl_attrs){lost, 1}, SL_STR("n"), &f->err),
                     SL_RESOURCE_EXHAUSTED);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, ops_setup, ops_teardown)
    const struct CMUnitTest tests[] = {
        TEST(values_are_read_by_kind),
        TEST(lists_are_read_by_kind),
        TEST(what_is_not_there_or_other_is_told),
        TEST(of_a_name_that_stands_twice_the_last_counts),
        TEST(attrs_are_checked_against_the_op),
        TEST(bound_attrs_are_complete_and_in_order),
        TEST(a_message_gives_attrs),
        TEST(copies_stand_alone),
        TEST(one_attr_can_be_set),
        TEST(new_attrs_at_their_default_go),
        TEST(equal_values_are_equal),
        TEST(values_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
