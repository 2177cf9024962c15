/* proto/text_format: the texts TensorFlow writes, the liberties its parser takes, and what is refused where. */
#include <float.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "proto/proto_limits.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "wire_bytes.h"

/* One line of text of what `text` parses to. */
static struct sl_str reprint(const struct sl_pb_message *type, struct sl_str text) {
    void *message = sl_arena_alloc(&test_arena, type->size);
    struct sl_str out;
    assert_ok(test_err, sl_pb_text_parse(message, type, text, &test_arena, &test_err));
    assert_ok(test_err, sl_pb_text_print(&out, type, message, SL_PB_ONE_LINE, &test_arena, &test_err));
    return out;
}

static void check_parses(const struct sl_pb_message *type, struct sl_str text, const char *wanted) {
    char *exact = wire_exact(text);
    struct sl_str out = reprint(type, (struct sl_str){exact, text.n});
    if (!sl_str_is(out, wanted)) fail_msg("%s\ngives  %s\nwanted %s", text.p, out.p, wanted);
    free(exact);
}

static void check_refuses(const struct sl_pb_message *type, struct sl_str text, const char *wanted) {
    void *message = sl_arena_alloc(&test_arena, type->size);
    char *exact = wire_exact(text);
    sl_error_clear(&test_err);
    sl_code code = sl_pb_text_parse(message, type, (struct sl_str){exact, text.n}, &test_arena, &test_err);
    if (code != SL_INVALID_ARGUMENT || !strstr(test_err.message, wanted))
        fail_msg("%s\ngives  %s: %s\nwanted %s", text.p, sl_code_name(code), test_err.message, wanted);
    assert_true(sl_utf8_valid(sl_str_of(test_err.message)));
    free(exact);
}

#define parses(type, text, wanted)  check_parses(SL_PB_TYPE(type), BYTES(text), wanted)
#define refuses(type, text, wanted) check_refuses(SL_PB_TYPE(type), BYTES(text), wanted)

static void what_tensorflow_prints_is_printed(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *text, *type;
    } rows[] = {{"meta_graph.pb", "meta_graph.pbtxt", "tensorflow.MetaGraphDef"},
                {"config.pb", "config.pbtxt", "tensorflow.ConfigProto"},
                {"event.pb", "event.pbtxt", "tensorflow.Event"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sl_pb_message *type = sl_pb_message_by_name(sl_str_of(rows[i].type));
        void *message = sl_arena_alloc(&test_arena, type->size);
        struct sl_str bytes = wire_file(rows[i].bytes), text = wire_file(rows[i].text), out, again;
        assert_ok(test_err, sl_pb_decode(message, type, bytes, &test_arena, &test_err));
        assert_ok(test_err, sl_pb_encode(&bytes, type, message, SL_PB_SORT_MAPS, &test_arena, &test_err));
        assert_ok(test_err, sl_pb_text_print(&out, type, message, 0, NULL, &test_err));
        if (!sl_str_eq(out, text)) fail_msg("%s: %s", rows[i].text, out.p);
        sl_free((void *)out.p);
        /* and reads back as the same message */
        assert_ok(test_err, sl_pb_text_parse(message, type, text, &test_arena, &test_err));
        assert_ok(test_err, sl_pb_encode(&again, type, message, SL_PB_SORT_MAPS, &test_arena, &test_err));
        assert_true(sl_str_eq(bytes, again));
    }
}

static void fields_may_be_written_in_many_ways(void **state) {
    (void)state;
    parses(GraphDef, "", "");
    parses(GraphDef, "  # nothing but a comment", "");
    parses(GraphDef, "version: 1, versions < producer: 2; >", "version: 1 versions { producer: 2 }");
    parses(GraphDef, "version:1;library:{}", "library { } version: 1");
}

static void lists_and_separators(void **state) {
    (void)state;
    parses(GraphDef, "node: { name: 'a' } node [{name:\"b\"}, < name: 'c' >]",
           "node { name: \"a\" } node { name: \"b\" } node { name: \"c\" }");
    parses(GraphDef, "node: [] versions { bad_consumers: [1,2] bad_consumers:3, bad_consumers: [] }",
           "versions { bad_consumers: 1 bad_consumers: 2 bad_consumers: 3 }");
    parses(AttrValue, "list { s: ['a' \"b\", 'c'] type: [DT_FLOAT, 3] b: [true, f, 1] }",
           "list { s: \"ab\" s: \"c\" b: true b: false b: true type: DT_FLOAT type: DT_INT32 }");
    parses(AttrValue, "# head\r\ni\v:\f 1 # tail", "i: 1");
    refuses(GraphDef, "versions { bad_consumers: [1,2,] }", "1:32 : Couldn't parse integer: ]");
    refuses(GraphDef, "versions { bad_consumers: [1 2] }", "1:30 : Expected \"]\", found \"2\".");
    refuses(GraphDef, "versions { bad_consumers: [1", "1:29 : Expected \"]\", found the end.");
    refuses(GraphDef, "version: [1]", "1:10 : Couldn't parse integer: [");
    refuses(GraphDef, "version: 1;;", "1:12 : Expected a field name, found \";\".");
    refuses(GraphDef, "version: 1,;", "1:12 : Expected a field name");
}

static void messages_need_their_brackets(void **state) {
    (void)state;
    refuses(GraphDef, "node {", "1:7 : Expected \"}\", found the end.");
    refuses(GraphDef, "node { name: 'a' >", "1:18 : Expected a field name, found \">\".");
    refuses(GraphDef, "node }", "1:6 : Expected \"{\", found \"}\".");
    refuses(GraphDef, "node", "1:5 : Expected \"{\", found the end.");
    refuses(GraphDef, "}", "1:1 : Expected a field name, found \"}\".");
    refuses(GraphDef, "version 5", "1:9 : Expected \":\", found \"5\".");
    refuses(GraphDef, "\"a\": 1", "1:1 : Expected a field name");
}

static void fields_must_be_known_and_set_once(void **state) {
    (void)state;
    refuses(GraphDef, "foo: 1", "1:1 : Message type \"tensorflow.GraphDef\" has no field named \"foo\".");
    refuses(GraphDef, "version: 1\nnode {\n  foo: 1\n}",
            "3:3 : Message type \"tensorflow.NodeDef\" has no field named \"foo\".");
    refuses(GraphDef, "1: 5", "has no field named \"1\".");
    refuses(GraphDef, "Version: 1", "has no field named \"Version\".");
    refuses(GraphDef, "version: 1 version: 2", "1:12 : Message type \"tensorflow.GraphDef\" should not have multiple");
    refuses(GraphDef, "version: 0 version: 0", "should not have multiple \"version\" fields.");
    refuses(GraphDef, "versions { producer: 1 } versions { min_consumer: 2 }", "multiple \"versions\" fields.");
    refuses(AttrValue, "f: 1 b: true", "1:6 : Field \"b\" is specified along with field \"f\"");
    refuses(AttrValue, "i: 1 i: 1", "multiple \"i\" fields.");
    refuses(RewriterConfig, "inter_optimizer_verifier_config {} inter_optimizer_verifier_config {}", "multiple");
    refuses(GraphDef, "[foo.bar]: 1", "1:1 : Message type \"tensorflow.GraphDef\" does not have extensions.");
    refuses(GraphDef, "[foo", "Expected \"]\"");
}

static void maps_are_entries(void **state) {
    (void)state;
    parses(NameAttrList, "attr { key: 'b' value { i: 1 } } attr { value { i: 2 } } attr { key: 'a' }",
           "attr { value { i: 2 } } attr { key: \"a\" value { } } attr { key: \"b\" value { i: 1 } }");
    parses(NameAttrList, "attr: [{key:'k' value{i:1}}, {key:'k' value{i:2}}]", "attr { key: \"k\" value { i: 2 } }");
    parses(JobDef, "tasks { key: 10 } tasks { key: -3 value: 'x' } tasks { key: 9 } tasks {}",
           "tasks { key: -3 value: \"x\" } tasks { } tasks { key: 9 } tasks { key: 10 }");
    refuses(NameAttrList, "attr { key: 'a' key: 'b' }", "should not have multiple \"key\" fields.");
    refuses(NameAttrList, "attr { value {} value {} }", "should not have multiple \"value\" fields.");
}

static void strings_have_escapes(void **state) {
    (void)state;
    parses(AttrValue, "s: 'a\"b' \"c'd\" ''", "s: \"a\\\"bc\\'d\"");
    parses(AttrValue, "s: '\\a\\b\\f\\n\\r\\t\\v\\?\\\\\\'\\\"'", "s: \"\\007\\010\\014\\n\\r\\t\\013?\\\\\\'\\\"\"");
    parses(AttrValue, "s: '\\0\\01\\0012\\377\\x41\\x4g\\xe9'", "s: \"\\000\\001\\0012\\377A\\004g\\351\"");
    parses(AttrValue, "placeholder: '\\u00e9\\U0001F600\\ud83d\\ude00\\u0041'",
           "placeholder: \"\xc3\xa9\xf0\x9f\x98\x80\xf0\x9f\x98\x80"
           "A\"");
    parses(AttrValue, "s: '\\u00e9'", "s: \"\\303\\251\"");
    /* the first and last characters of each length */
    parses(AttrValue, "placeholder: '\\u007f\\u0080\\u07ff\\u0800\\uffff\\U00010000\\ud800\\udc00\\U0010ffff'",
           "placeholder: "
           "\"\\177\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"");
    parses(AttrValue, "placeholder: '\xc3\xa9'", "placeholder: \"\xc3\xa9\"");
    parses(AttrValue, "s: 'a\0b'", "s: \"a\\000b\"");
    refuses(AttrValue, "s: 'a\nb'", "1:4 : String missing ending quote.");
    refuses(AttrValue, "s: 'a\\'", "String missing ending quote.");
    refuses(AttrValue, "s: 'a\\", "String missing ending quote.");
    refuses(AttrValue, "s: 'a\"", "String missing ending quote.");
    refuses(AttrValue, "s: '\\q'", "1:4 : Invalid escape sequence");
    refuses(AttrValue, "s: 'ok' '\\x'", "1:9 : Invalid escape sequence");
    refuses(AttrValue, "s: '\\400'", "Invalid escape");
    refuses(AttrValue, "s: '\\u12'", "Invalid escape");
    refuses(AttrValue, "s: '\\U00110000'", "Invalid escape");
    refuses(AttrValue, "s: '\\ud83d'", "Invalid escape");
    refuses(AttrValue, "s: '\\ud83d\\u0041'", "Invalid escape");
    refuses(AttrValue, "s: '\\ud83d\\ue000'", "Invalid escape");
    refuses(AttrValue, "s: '\\ude00'", "Invalid escape");
    refuses(AttrValue, "placeholder: '\\377'", "1:14 : Field \"placeholder\": the string is not valid UTF-8.");
    refuses(AttrValue, "placeholder: '\xff'", "not valid UTF-8");
    refuses(AttrValue, "s: abc", "Expected string, found \"abc\".");
    refuses(AttrValue, "s: 5", "Expected string");
    refuses(AttrValue, "s: \xff", "Expected string");
}

static void plain_strings_stay_where_they_are(void **state) {
    (void)state;
    struct sl_str text = SL_STR("name: 'abc'");
    struct sl_pb_NodeDef node;
    assert_ok(test_err, sl_pb_text_parse(&node, SL_PB_TYPE(NodeDef), text, &test_arena, &test_err));
    assert_ptr_equal(node.name.p, text.p + 7);
}

static void whole_numbers_have_three_bases_and_a_range(void **state) {
    (void)state;
    parses(AttrValue, "i: 9223372036854775807", "i: 9223372036854775807");
    parses(AttrValue, "i: -9223372036854775808", "i: -9223372036854775808");
    parses(AttrValue, "i: - 5", "i: -5");
    parses(AttrValue, "i: 0x1F", "i: 31");
    parses(AttrValue, "i: -0Xa", "i: -10");
    parses(AttrValue, "i: 010", "i: 8");
    parses(AttrValue, "i: 0", "i: 0");
    parses(VersionDef, "producer: 2147483647 min_consumer: -2147483648",
           "producer: 2147483647 min_consumer: -2147483648");
    parses(TensorProto, "uint32_val: 4294967295 uint64_val: 18446744073709551615",
           "uint32_val: 4294967295 uint64_val: 18446744073709551615");
    parses(BundleEntryProto, "crc32c: 4294967295", "crc32c: 4294967295");
    refuses(AttrValue, "i: 9223372036854775808", "1:4 : Value out of range: 9223372036854775808");
    refuses(AttrValue, "i: -9223372036854775809", "Value out of range: -9223372036854775809");
    refuses(AttrValue, "i: 99999999999999999999999", "out of range");
    refuses(VersionDef, "producer: 2147483648", "out of range");
    refuses(VersionDef, "producer: -2147483649", "out of range");
    refuses(TensorProto, "uint32_val: 4294967296", "out of range");
    refuses(TensorProto, "uint32_val: -1", "Couldn't parse integer: -");
    refuses(TensorProto, "uint64_val: 18446744073709551616", "out of range");
    refuses(AttrValue, "i: 1.5", "Couldn't parse integer: 1.5");
    refuses(AttrValue, "i: 5x", "Couldn't parse integer: 5x");
    refuses(AttrValue, "i: 0x", "Couldn't parse integer: 0x");
    refuses(AttrValue, "i: 08", "Couldn't parse integer: 08");
    refuses(AttrValue, "i: true", "Couldn't parse integer: true");
    refuses(AttrValue, "i:", "Couldn't parse integer");
}

static void floats_are_decimal(void **state) {
    (void)state;
    parses(AttrValue, "f: 1", "f: 1.0");
    parses(AttrValue, "f: 1.5f", "f: 1.5");
    parses(AttrValue, "f: -1.5F", "f: -1.5");
    parses(AttrValue, "f: .5", "f: 0.5");
    parses(AttrValue, "f: 5.", "f: 5.0");
    parses(AttrValue, "f: 1e5", "f: 100000.0");
    parses(AttrValue, "f: 1E+5", "f: 100000.0");
    parses(AttrValue, "f: 1.e-2", "f: 0.01");
    parses(AttrValue, "f: 1e400", "f: inf");
    parses(AttrValue, "f: - 0", "f: -0.0");
    parses(AttrValue, "f: inf", "f: inf");
    parses(AttrValue, "f: -Infinity", "f: -inf");
    parses(AttrValue, "f: -NaN", "f: nan");
    refuses(AttrValue, "f: 0x10", "Couldn't parse float: 0x10");
    refuses(AttrValue, "f: 010", "Couldn't parse float: 010");
    refuses(AttrValue, "f: 1.0e", "Couldn't parse float: 1.0e");
    refuses(AttrValue, "f: 1e+", "Couldn't parse float: 1e+");
    refuses(AttrValue, "f: 1.2.3", "Couldn't parse float: 1.2.3");
    refuses(AttrValue, "f: 1fx", "Couldn't parse float: 1fx");
    refuses(AttrValue, "f: infx", "Couldn't parse float: infx");
    refuses(AttrValue, "f: 'a'", "Couldn't parse float");
    refuses(AttrValue, "f: -'a'", "Couldn't parse float");
}

static void numbers_print_shortest(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *as_double, *as_float;
    } rows[] = {
        {0.1, "0.1", "0.1"},
        {1.0 / 3, "0.3333333333333333", "0.33333334"},
        {1e16, "1e+16", "1e+16"},
        {9999999999999998.0, "9999999999999998.0", "1e+16"},
        {123456789, "123456789.0", "123456790.0"},
        {0.0001, "0.0001", "0.0001"},
        {0.00001234, "1.234e-05", "1.234e-05"},
        {-2.5e-3, "-0.0025", "-0.0025"},
        {DBL_MAX, "1.7976931348623157e+308", "inf"},
        {DBL_MIN, "2.2250738585072014e-308", "0.0"},
        {5e-324, "5e-324", "0.0"},
        {1e23, "1e+23", "1e+23"},
        {16777217, "16777217.0", "16777216.0"},
        {0.30000000000000004, "0.30000000000000004", "0.3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double d = rows[i].value;
        volatile float f = (float)d;
        float fixed = f;
        struct sl_pb_TensorProto t = {.double_val = {&d, 1}, .float_val = {&fixed, 1}};
        struct sl_str out;
        assert_ok(test_err,
                  sl_pb_text_print(&out, SL_PB_TYPE(TensorProto), &t, SL_PB_ONE_LINE, &test_arena, &test_err));
        char *wanted =
            sl_arena_format(&test_arena, "float_val: %s double_val: %s", rows[i].as_float, rows[i].as_double);
        assert_string_equal(out.p, wanted);
    }
}

static void words_for_bools_and_enums(void **state) {
    (void)state;
    parses(AttrValue, "b: true", "b: true");
    parses(AttrValue, "b: True", "b: true");
    parses(AttrValue, "b: t", "b: true");
    parses(AttrValue, "b: 1", "b: true");
    parses(AttrValue, "b: False", "b: false");
    parses(AttrValue, "b: f", "b: false");
    parses(AttrValue, "b: 0", "b: false");
    refuses(AttrValue, "b: 2", "1:4 : Expected \"true\" or \"false\", found \"2\".");
    refuses(AttrValue, "b: TRUE", "Expected \"true\"");
    refuses(AttrValue, "b: 'true'", "Expected \"true\"");
    parses(AttrValue, "type: DT_FLOAT", "type: DT_FLOAT");
    parses(AttrValue, "type: 1", "type: DT_FLOAT");
    parses(AttrValue, "type: 0x5", "type: DT_INT16");
    parses(AttrValue, "type: 999", "type: 999");
    parses(AttrValue, "type: -1", "type: -1");
    refuses(AttrValue, "type: DT_FOO", "1:7 : Enum type \"tensorflow.DataType\" has no value named DT_FOO.");
    refuses(AttrValue, "type: 'DT_FLOAT'", "Couldn't parse integer");
    refuses(AttrValue, "type: 2147483648", "out of range");
}

static void an_any_may_be_expanded(void **state) {
    (void)state;
    const char *text = "any_list { value { [type.googleapis.com/tensorflow.AssetFileDef] { filename: \"z\" } } }";
    check_parses(SL_PB_TYPE(CollectionDef), sl_str_of(text), text);
    struct sl_pb_Any any;
    assert_ok(test_err,
              sl_pb_text_parse(&any, SL_PB_TYPE(Any), SL_STR("[ a.b/tensorflow.AssetFileDef ]: < filename: 'z' >"),
                               &test_arena, &test_err));
    assert_true(sl_str_is(any.type_url, "a.b/tensorflow.AssetFileDef"));
    assert_true(sl_str_eq(any.value, BYTES("\x12\x01z")));
    parses(Any, "type_url: 'x/tensorflow.AssetFileDef' value: '\\022\\001z'",
           "[x/tensorflow.AssetFileDef] { filename: \"z\" }");
    parses(Any, "type_url: 'x/tensorflow.AssetFileDef' value: '\\022\\002z'", /* not such a message after all */
           "type_url: \"x/tensorflow.AssetFileDef\" value: \"\\022\\002z\"");
    parses(Any, "type_url: 'tensorflow.AssetFileDef'", "type_url: \"tensorflow.AssetFileDef\"");
    parses(Any, "type_url: 'a]/tensorflow.AssetFileDef'", "type_url: \"a]/tensorflow.AssetFileDef\"");
    parses(Any, "type_url: 'a\\0/tensorflow.AssetFileDef'", "type_url: \"a\\000/tensorflow.AssetFileDef\"");
    parses(Any, "type_url: 'x/not.Known' value: 'v'", "type_url: \"x/not.Known\" value: \"v\"");
    refuses(Any, "[x/not.Known] {}", "1:1 : Type \"x/not.Known\" in a google.protobuf.Any is not known.");
    refuses(Any, "[tensorflow.AssetFileDef] {}", "is not known");
    refuses(Any, "[x/tensorflow.AssetFileDef] { foo: 1 }",
            "1:31 : Message type \"tensorflow.AssetFileDef\" has no field");
    refuses(Any, "[x/tensorflow.AssetFileDef] {} [x/tensorflow.AssetFileDef] {}",
            "1:32 : A google.protobuf.Any is given");
}

static void unknown_fields_are_left_out(void **state) {
    (void)state;
    struct sl_pb_VersionDef versions;
    struct sl_str out;
    assert_ok(test_err,
              sl_pb_decode(&versions, SL_PB_TYPE(VersionDef), BYTES("\x08\x01\x38\x05"), &test_arena, &test_err));
    assert_ok(test_err, sl_pb_text_print(&out, SL_PB_TYPE(VersionDef), &versions, 0, &test_arena, &test_err));
    assert_string_equal(out.p, "producer: 1\n");
}

static void strings_that_are_not_utf8_are_escaped(void **state) {
    (void)state;
    struct sl_pb_NodeDef node = {.name = BYTES("\xc3\xa9"), .op = BYTES("\xc3")};
    struct sl_str out;
    assert_ok(test_err, sl_pb_text_print(&out, SL_PB_TYPE(NodeDef), &node, 0, &test_arena, &test_err));
    assert_string_equal(out.p, "name: \"\xc3\xa9\"\nop: \"\\303\"\n");
}

static void an_empty_message_is_an_empty_text(void **state) {
    (void)state;
    struct sl_pb_NodeDef node = {0};
    struct sl_str out;
    for (unsigned flags = 0; flags <= SL_PB_ONE_LINE; flags++) {
        assert_ok(test_err, sl_pb_text_print(&out, SL_PB_TYPE(NodeDef), &node, flags, &test_arena, &test_err));
        assert_string_equal(out.p, "");
        assert_int_equal(out.n, 0);
    }
}

static void depth_is_bounded(void **state) {
    (void)state;
    struct sl_pb_FullTypeDef type;
    struct sl_str out;
    for (int more = 0; more <= 1; more++) {
        int depth = SL_PB_MAX_DEPTH + more;
        struct sl_str text = wire_join(wire_times(SL_STR("args{"), depth), wire_times(SL_STR("}"), depth));
        if (more) {
            check_refuses(SL_PB_TYPE(FullTypeDef), text, "1:505 : Messages are nested too deeply.");
        } else {
            assert_ok(test_err, sl_pb_text_parse(&type, SL_PB_TYPE(FullTypeDef), text, &test_arena, &test_err));
            assert_ok(test_err, sl_pb_text_print(&out, SL_PB_TYPE(FullTypeDef), &type, 0, &test_arena, &test_err));
        }
    }
    check_refuses(SL_PB_TYPE(FullTypeDef), wire_times(SL_STR("args<"), 1000000), "nested too deeply");
    type.args.items = &type; /* a circle */
    type.args.n = 1;
    assert_fails(test_err, SL_INVALID_ARGUMENT, "nested too deeply",
                 sl_pb_text_print(&out, SL_PB_TYPE(FullTypeDef), &type, 0, &test_arena, &test_err));
}

static void more_than_2_gib_are_refused_unread(void **state) {
    (void)state;
    struct sl_pb_GraphDef graph;
    assert_fails(test_err, SL_INVALID_ARGUMENT, "2147483648 bytes are more",
                 sl_pb_text_parse(&graph, SL_PB_TYPE(GraphDef), (struct sl_str){"", (size_t)1 << 31}, &test_arena,
                                  &test_err));
}

static void long_tokens_do_not_fill_the_error(void **state) {
    (void)state;
    check_refuses(SL_PB_TYPE(GraphDef), wire_times(SL_STR("x"), 1000000), "has no field named \"xxxx");
    check_refuses(SL_PB_TYPE(GraphDef), wire_join(SL_STR("version: "), wire_times(SL_STR("9"), 1000000)),
                  "out of range");
    check_refuses(SL_PB_TYPE(AttrValue),
                  wire_join(SL_STR("f: 'a"), wire_join(wire_times(SL_STR("\xc3\xa9"), 500), SL_STR("'"))),
                  "Couldn't parse float");
    assert_true(strlen(test_err.message) < 200);
}

static void every_prefix_is_read_or_refused(void **state) {
    (void)state;
    struct sl_str whole = wire_file("meta_graph.pbtxt");
    for (size_t n = 0; n < whole.n; n += n < 2000 ? 1 : 7) {
        struct sl_arena arena;
        sl_arena_init(&arena);
        char *exact = wire_exact((struct sl_str){whole.p, n});
        struct sl_pb_MetaGraphDef graph;
        sl_code code = sl_pb_text_parse(&graph, SL_PB_TYPE(MetaGraphDef), (struct sl_str){exact, n}, &arena, &test_err);
        assert_true(code == SL_OK || code == SL_INVALID_ARGUMENT);
        free(exact);
        sl_arena_clear(&arena);
    }
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, wire_setup, wire_teardown)
    const struct CMUnitTest tests[] = {
        T(what_tensorflow_prints_is_printed),
        T(fields_may_be_written_in_many_ways),
        T(lists_and_separators),
        T(messages_need_their_brackets),
        T(fields_must_be_known_and_set_once),
        T(maps_are_entries),
        T(strings_have_escapes),
        T(plain_strings_stay_where_they_are),
        T(whole_numbers_have_three_bases_and_a_range),
        T(floats_are_decimal),
        T(numbers_print_shortest),
        T(words_for_bools_and_enums),
        T(an_any_may_be_expanded),
        T(unknown_fields_are_left_out),
        T(strings_that_are_not_utf8_are_escaped),
        T(an_empty_message_is_an_empty_text),
        T(depth_is_bounded),
        T(more_than_2_gib_are_refused_unread),
        T(long_tokens_do_not_fill_the_error),
        T(every_prefix_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
