/* The short texts of ops: what each means, and what is said of those that mean nothing. Wanted texts were recorded from
 * TensorFlow 2.21. */
#include "ops/op_spec.h"

#include "unit/ops/ops_fixture.h"

#define NUMBERS                                                                                                        \
    "type: DT_FLOAT type: DT_DOUBLE type: DT_INT32 type: DT_UINT8 type: DT_INT16 type: DT_INT8 type: DT_COMPLEX64 "    \
    "type: DT_INT64 type: DT_QINT8 type: DT_QUINT8 type: DT_QINT32 type: DT_BFLOAT16 type: DT_QINT16 "                 \
    "type: DT_QUINT16 type: DT_UINT16 type: DT_COMPLEX128 type: DT_HALF type: DT_UINT32 type: DT_UINT64"

static const struct {
    const char *text, *wanted; /* what stands in the attr behind its name, or the error */
} attrs[] = {
    {"T: int", "type: \"int\""},
    {"T:int", "type: \"int\""},
    {"T : int  ", "type: \"int\""},
    {"T: func", "type: \"func\""},
    {"T: list(func)", "type: \"list(func)\""},
    {"T: list ( int )", "type: \"list(int)\""},
    {"T: {'a','b'}", "type: \"string\" allowed_values { list { s: \"a\" s: \"b\" } }"},
    {"T: { \"a\" , 'b'}", "type: \"string\" allowed_values { list { s: \"a\" s: \"b\" } }"},
    {"T: {'a\\'b', 'a,b'}", "type: \"string\" allowed_values { list { s: \"a\\'b\" s: \"a,b\" } }"},
    {"T: {int32, float}", "type: \"type\" allowed_values { list { type: DT_INT32 type: DT_FLOAT } }"},
    {"T: {int32,}", "type: \"type\" allowed_values { list { type: DT_INT32 } }"},
    {"T: {resource, bool}", "type: \"type\" allowed_values { list { type: DT_RESOURCE type: DT_BOOL } }"},
    {"T: list({int32,float}) >= 2", "type: \"list(type)\" has_minimum: true minimum: 2 allowed_values { list { type: "
                                    "DT_INT32 type: DT_FLOAT } }"},
    {"T: numbertype", "type: \"type\" allowed_values { list { " NUMBERS " } }"},
    {"T: numerictype", "type: \"type\" allowed_values { list { " NUMBERS " } }"},
    {"T: {numbertype, variant}", "type: \"type\" allowed_values { list { " NUMBERS " type: DT_VARIANT } }"},
    {"T: list(numbertype)", "type: \"list(type)\" allowed_values { list { " NUMBERS " } }"},
    {"T: realnumbertype",
     "type: \"type\" allowed_values { list { type: DT_FLOAT type: DT_DOUBLE type: DT_INT32 type: DT_UINT8 type: "
     "DT_INT16 type: DT_INT8 type: DT_INT64 type: DT_BFLOAT16 type: DT_UINT16 type: DT_HALF type: DT_UINT32 type: "
     "DT_UINT64 } }"},
    {"T: quantizedtype", "type: \"type\" allowed_values { list { type: DT_QINT8 type: DT_QUINT8 type: DT_QINT32 type: "
                         "DT_QINT16 type: DT_QUINT16 } }"},
    {"T: int >= 1 = 3", "type: \"int\" default_value { i: 3 } has_minimum: true minimum: 1"},
    {"T:int>=1=3", "type: \"int\" default_value { i: 3 } has_minimum: true minimum: 1"},
    {"T: int >= -1", "type: \"int\" has_minimum: true minimum: -1"},
    {"T: int = -5", "type: \"int\" default_value { i: -5 }"},
    {"T: int = 3 # three", "type: \"int\" default_value { i: 3 }"},
    {"T: list(int) = []", "type: \"list(int)\" default_value { list { } }"},
    {"T: list(int) = [ ]", "type: \"list(int)\" default_value { list { } }"},
    {"T: list(int) = [1, 2]", "type: \"list(int)\" default_value { list { i: 1 i: 2 } }"},
    {"T: list(bool) = [true,false]", "type: \"list(bool)\" default_value { list { b: true b: false } }"},
    {"T: list(float)=[1.5,2]", "type: \"list(float)\" default_value { list { f: 1.5 f: 2.0 } }"},
    {"T: list(type) = [DT_FLOAT]", "type: \"list(type)\" default_value { list { type: DT_FLOAT } }"},
    {"T: list({'a','b'}) = ['a']",
     "type: \"list(string)\" default_value { list { s: \"a\" } } allowed_values { list { s: \"a\" s: \"b\" } }"},
    {"T: type = DT_FLOAT", "type: \"type\" default_value { type: DT_FLOAT }"},
    {"T: type = 1", "type: \"type\" default_value { type: DT_FLOAT }"},
    {"T: string = 'a\\n\\x41'", "type: \"string\" default_value { s: \"a\\nA\" }"},
    {"T: string = ''", "type: \"string\" default_value { s: \"\" }"},
    {"T: bool = True", "type: \"bool\" default_value { b: true }"},
    {"T: bool = 1", "type: \"bool\" default_value { b: true }"},
    {"T: float = 1e-5", "type: \"float\" default_value { f: 1e-05 }"},
    {"T: float = -inf", "type: \"float\" default_value { f: -inf }"},
    {"T: shape = { unknown_rank: true }", "type: \"shape\" default_value { shape { unknown_rank: true } }"},
    {"T: shape = { dim { size: 3 } }", "type: \"shape\" default_value { shape { dim { size: 3 } } }"},
    {"T: list(shape) = [{}, {dim{size:1}}]",
     "type: \"list(shape)\" default_value { list { shape { } shape { dim { size: 1 } } } }"},
    {"T: tensor = { dtype: DT_INT32 tensor_shape {} int_val: 1 }",
     "type: \"tensor\" default_value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 1 } }"},
    {"T: func = { name: 'x' }", "type: \"func\" default_value { func { name: \"x\" } }"},

    {"T", "Trouble parsing '<name>:'"},
    {"1T: int", "Trouble parsing '<name>:'"},
    {" T: int", "Trouble parsing '<name>:'"},
    {"T-x: int", "Trouble parsing '<name>:'"},
    {"T:", "Trouble parsing type string at ''"},
    {"T: foo", "Trouble parsing type string at 'foo'"},
    {"T: resource", "Trouble parsing type string at 'resource'"},
    {"T: list(list(int))", "Trouble parsing type string at 'list(int))'"},
    {"T: {}", "Trouble parsing type string at '}'"},
    {"T: {float", "Expected , or } after types in list, not: ''"},
    {"T: {float,", "Trouble parsing type string at ''"},
    {"T: {float int32}", "Expected , or } after types in list, not: 'int32}'"},
    {"T: {foo}", "Unrecognized type string 'foo'"},
    {"T: {'a'", "Expected , or } after strings in list, not: ''"},
    {"T: {'a' 'b'}", "Expected , or } after strings in list, not: ''b'}'"},
    {"T: {'a',float}", "Trouble parsing allowed string at 'float}'"},
    {"T: {'a", "Trouble parsing allowed string at ''a'"},
    {"T: {int32, 'a'}", "Trouble parsing type string at ''a'}'"},
    {"T: list(int", "Expected ) to close 'list(', not: ''"},
    {"T: int >= x", "Could not parse integer lower limit after '>=', found ' x' instead"},
    {"T: int >= 99999999999999999999", "Could not parse integer lower limit after '>='"},
    {"T: float >= 3", "Extra '>= 3' unparsed at the end"},
    {"T: intx", "Extra 'x' unparsed at the end"},
    {"T: int = 3x", "Could not parse default value '3x'"},
    {"T: int = 'a'", "Could not parse default value ''a''"},
    {"T: int = 9223372036854775808", "Could not parse default value '9223372036854775808'"},
    {"T: list(int) = 3", "Could not parse default value '3'"},
    {"T: list(int)=[1,2", "Could not parse default value '[1,2'"},
    {"T: type = float", "Could not parse default value 'float'"},
    {"T: string = abc", "Could not parse default value 'abc'"},
    {"T: shape = unknown", "Could not parse default value 'unknown'"},
    {"T: func = 'x'", "Could not parse default value ''x''"},
};

static const struct {
    const char *text, *wanted; /* what stands in the argument behind its name, or the error */
    const char *attr;          /* what became of the attr that has changed; NULL */
} args[] = {
    {"x: float", "type: DT_FLOAT", NULL},
    {"x:float32 ", "type: DT_FLOAT", NULL},
    {"x: float8_e5m2", "type: DT_FLOAT8_E5M2", NULL},
    {"x: T", "type_attr: \"T\"", NULL},
    {"x: N * T", "type_attr: \"T\" number_attr: \"N\"",
     "attr { name: \"N\" type: \"int\" has_minimum: true minimum: 1 }"},
    {"x: N*float", "type: DT_FLOAT number_attr: \"N\"",
     "attr { name: \"N\" type: \"int\" has_minimum: true minimum: 1 }"},
    {"x: M*T", "type_attr: \"T\" number_attr: \"M\"", "attr { name: \"M\" type: \"int\" has_minimum: true }"},
    {"x: L", "type_list_attr: \"L\"", "attr { name: \"L\" type: \"list(type)\" has_minimum: true minimum: 1 }"},
    {"x: Ref(float)", "type: DT_FLOAT is_ref: true", NULL},
    {"x: Ref ( T )", "type_attr: \"T\" is_ref: true", NULL},
    {"x: Ref(N*T)", "type_attr: \"T\" number_attr: \"N\" is_ref: true", NULL},
    {"x: Ref(L)", "type_list_attr: \"L\" is_ref: true", NULL},

    {"x", "Trouble parsing 'name:'", NULL},
    {"X: float", "Trouble parsing 'name:'", NULL},
    {"aB: float", "Trouble parsing 'name:'", NULL},
    {"1x: float", "Trouble parsing 'name:'", NULL},
    {"_x: float", "Trouble parsing 'name:'", NULL},
    {"x:", "Trouble parsing either a type or an attr name at ''", NULL},
    {"x: 3*float", "Trouble parsing either a type or an attr name at '3*float'", NULL},
    {"x: Q", "Reference to unknown attr 'Q'", NULL},
    {"x: N*Ref(T)", "Reference to unknown attr 'Ref'", NULL},
    {"x: numbertype", "Reference to unknown attr 'numbertype'", NULL},
    {"x: S", "Reference to attr 'S' with type string that isn't type or list(type)", NULL},
    {"x: T*N", "Reference to attr 'N' with type int that isn't type or list(type)", NULL},
    {"x: float y", "Extra 'y' unparsed at the end", NULL},
    {"x: Ref(float", "Did not find closing ')' for 'Ref(', instead found: ''", NULL},
};

static sl_code parse(struct sl_pb_OpDef *def, struct ops_fixture *f, const struct sl_op_spec *spec) {
    sl_error_clear(&f->err);
    return sl_op_spec_parse(def, &f->arena, spec, &f->err);
}

static void attrs_mean_what_they_say(void **state) {
    struct ops_fixture *f = *state;
    for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++) {
        struct sl_str text = sl_str_of(attrs[i].text);
        struct sl_pb_OpDef def;
        if (parse(&def, f, &(struct sl_op_spec){.name = SL_STR("X"), .attrs = &text, .n_attrs = 1}) == SL_OK) {
            const char *wanted = sl_arena_format(&f->arena, "name: \"X\" attr { name: \"T\" %s }", attrs[i].wanted);
            assert_text(print_op_def(f, &def), wanted);
        } else {
            assert_int_equal(f->err.code, SL_INVALID_ARGUMENT);
            if (!strstr(f->err.message, attrs[i].wanted))
                fail_msg("%s: got %s, wanted %s", text.p, f->err.message, attrs[i].wanted);
            assert_non_null(strstr(f->err.message, sl_arena_format(&f->arena, " from Attr(\"%s\") for Op X", text.p)));
        }
    }
}

static void arguments_mean_what_they_say(void **state) {
    struct ops_fixture *f = *state;
    static const struct sl_str texts[] = {
        {"T: type", 7}, {"N: int", 6}, {"L: list(type)", 13}, {"S: string", 9}, {"M: int >= 0", 11}};
    for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
        struct sl_str text = sl_str_of(args[i].text);
        struct sl_op_spec spec = {.name = SL_STR("X"), .attrs = texts, .n_attrs = 5, .inputs = &text, .n_inputs = 1};
        struct sl_pb_OpDef def;
        if (parse(&def, f, &spec) == SL_OK) {
            const char *got = print_op_def(f, &def);
            const char *wanted = sl_arena_format(&f->arena, "input_arg { name: \"x\" %s } attr", args[i].wanted);
            if (!strstr(got, wanted)) fail_msg("%s: got %s, wanted %s", text.p, got, wanted);
            if (args[i].attr && !strstr(got, args[i].attr))
                fail_msg("%s: got %s, wanted %s", text.p, got, args[i].attr);
        } else if (!strstr(f->err.message, args[i].wanted)) {
            fail_msg("%s: got %s, wanted %s", text.p, f->err.message, args[i].wanted);
        }
    }
}

static void all_mistakes_are_told(void **state) {
    struct ops_fixture *f = *state;
    struct sl_str bad_attrs[] = {SL_STR("T: {a"), SL_STR("b: foo")}, input = SL_STR("q"), output = SL_STR("z: t");
    struct sl_op_spec spec = {.name = SL_STR("X"),
                              .attrs = bad_attrs,
                              .n_attrs = 2,
                              .inputs = &input,
                              .n_inputs = 1,
                              .outputs = &output,
                              .n_outputs = 1};
    struct sl_pb_OpDef def;
    assert_int_equal(parse(&def, f, &spec), SL_INVALID_ARGUMENT);
    assert_text(f->err.message, "Unrecognized type string 'a' from Attr(\"T: {a\") for Op X\n"
                                "Trouble parsing type string at 'foo' from Attr(\"b: foo\") for Op X\n"
                                "Trouble parsing 'name:' from Input(\"q\") for Op X\n"
                                "Reference to unknown attr 't' from Output(\"z: t\") for Op X");
}

static void rows_may_say_more_of_outputs(void **state) {
    struct ops_fixture *f = *state;
    struct sl_str attr = SL_STR("t: list(type)"), output = SL_STR("h: variant as dataset[each $t, ragged[$t]]");
    struct sl_op_spec spec = {.name = SL_STR("X"), .attrs = &attr, .n_attrs = 1, .outputs = &output, .n_outputs = 1};
    struct sl_pb_OpDef def;
    assert_int_equal(parse(&def, f, &spec), SL_INVALID_ARGUMENT);
    spec.may_say_more = true;
    assert_int_equal(parse(&def, f, &spec), SL_OK);
    assert_text(print_op_def(f, &def),
                "name: \"X\" output_arg { name: \"h\" type: DT_VARIANT experimental_full_type { type_id: TFT_DATASET "
                "args { type_id: TFT_FOR_EACH args { type_id: TFT_PRODUCT } args { type_id: TFT_TENSOR args { type_id: "
                "TFT_VAR s: \"t\" } } args { type_id: TFT_VAR s: \"t\" } } args { type_id: TFT_RAGGED args { type_id: "
                "TFT_VAR s: \"t\" } } } } attr { name: \"t\" type: \"list(type)\" }");
    output = SL_STR("h: variant as dataset[");
    assert_int_equal(parse(&def, f, &spec), SL_INVALID_ARGUMENT);
    output = SL_STR("h: variant as nothing");
    assert_int_equal(parse(&def, f, &spec), SL_INVALID_ARGUMENT);
    char deep[512] = "h: variant as ";
    for (int i = 0; i < 40; i++) strcat(deep, "tensor[");
    output = sl_str_of(deep);
    assert_int_equal(parse(&def, f, &spec), SL_INVALID_ARGUMENT);
}

static void rows_are_cut_outside_of_quotes_and_brackets(void **state) {
    struct ops_fixture *f = *state;
    const struct sl_str *parts;
    size_t n;
    assert_ok(f->err, sl_op_spec_split(&parts, &n, &f->arena, " a: 'x;\\';' ; b: {1;2};c ;", ';', &f->err));
    assert_int_equal(n, 3);
    assert_true(sl_str_is(parts[0], "a: 'x;\\';'"));
    assert_true(sl_str_is(parts[1], "b: {1;2}"));
    assert_true(sl_str_is(parts[2], "c"));
    assert_ok(f->err, sl_op_spec_split(&parts, &n, &f->arena, "", ',', &f->err));
    assert_int_equal(n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(attrs_mean_what_they_say, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(arguments_mean_what_they_say, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(all_mistakes_are_told, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(rows_may_say_more_of_outputs, ops_setup, ops_teardown),
        cmocka_unit_test_setup_teardown(rows_are_cut_outside_of_quotes_and_brackets, ops_setup, ops_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
