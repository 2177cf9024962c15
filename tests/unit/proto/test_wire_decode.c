/* proto/wire: what decoding gives, and what it does with bytes that nobody honest would send. */
#include <stdio.h>
#include <stdlib.h>

#include "proto/proto_limits.h"
#include "proto/wire.h"
#include "wire_bytes.h"

#define decode(message, type, bytes) sl_pb_decode(message, SL_PB_TYPE(type), bytes, &test_arena, &test_err)
#define assert_str(s, literal)       assert_true(sl_str_eq(s, BYTES(literal)))

/* ---- values ---- */

static void a_node_is_read_in_place(void **state) {
    (void)state;
    struct sl_str bytes = BYTES("\x0a\x01"
                                "a"
                                "\x12\x03"
                                "Add"
                                "\x1a\x01"
                                "x"
                                "\x1a\x02"
                                "^y"
                                "\x2a\x07\x0a\x01T\x12\x02\x30\x01");
    struct sl_pb_NodeDef node;
    assert_ok(test_err, decode(&node, NodeDef, bytes));
    assert_str(node.name, "a");
    assert_ptr_equal(node.name.p, bytes.p + 2);
    assert_str(node.op, "Add");
    assert_int_equal(node.input.n, 2);
    assert_str(node.input.items[1], "^y");
    assert_int_equal(node.device.n, 0);
    assert_int_equal(node.attr.n, 1);
    assert_int_equal(node.attr.items[0].value.which, SL_PB_AttrValue_type);
    assert_int_equal(node.attr.items[0].value.type, SL_PB_DT_FLOAT);
    assert_null(node.experimental_type);
    assert_null(node.unknown);
}

static void no_bytes_are_an_empty_message(void **state) {
    (void)state;
    struct sl_pb_GraphDef graph;
    memset(&graph, 1, sizeof graph);
    assert_ok(test_err, decode(&graph, GraphDef, ((struct sl_str){NULL, 0})));
    assert_int_equal(graph.node.n, 0);
    assert_null(graph.versions);
}

static void every_kind_of_number_is_read(void **state) {
    (void)state;
    struct sl_pb_TensorProto t;
    assert_ok(test_err, decode(&t, TensorProto,
                               BYTES("\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"         /* int32 -1 */
                                     "\x2d\x00\x00\xc0\x3f"                                 /* float, unpacked */
                                     "\x32\x08\x00\x00\x00\x00\x00\x00\x00\xc0"             /* double, packed */
                                     "\x52\x0b\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" /* int64 5, -1 */
                                     "\x5a\x03\x01\x00\x02"                                 /* bool */
                                     "\x82\x01\x05\xff\xff\xff\xff\x0f"                     /* uint32 */
                                     "\x88\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"     /* uint64 */
                                     )));
    assert_int_equal(t.version_number, -1);
    assert_true(t.float_val.n == 1 && t.float_val.items[0] == 1.5f);
    assert_true(t.double_val.n == 1 && t.double_val.items[0] == -2.0);
    assert_true(t.int64_val.n == 2 && t.int64_val.items[0] == 5 && t.int64_val.items[1] == -1);
    assert_true(t.bool_val.n == 3 && t.bool_val.items[0] && !t.bool_val.items[1]);
    assert_memory_equal(&t.bool_val.items[2], "\x01", 1);
    assert_true(t.uint32_val.n == 1 && t.uint32_val.items[0] == UINT32_MAX);
    assert_true(t.uint64_val.n == 1 && t.uint64_val.items[0] == UINT64_MAX);

    struct sl_pb_StructuredValue value;
    assert_ok(test_err, decode(&value, StructuredValue, BYTES("\x60\x09"))); /* sint64: zigzag */
    assert_int_equal(value.which, SL_PB_StructuredValue_int64_value);
    assert_int_equal(value.int64_value, -5);
    struct sl_pb_DeviceAttributes device;
    assert_ok(test_err, decode(&device, DeviceAttributes, BYTES("\x31\x01\x02\x03\x04\x05\x06\x07\x08")));
    assert_true(device.incarnation == UINT64_C(0x0807060504030201));
    struct sl_pb_BundleEntryProto entry;
    assert_ok(test_err, decode(&entry, BundleEntryProto, BYTES("\x35\x01\x02\x03\x04")));
    assert_int_equal(entry.crc32c, 0x04030201);
}

static void numbers_too_wide_for_their_field_are_cut(void **state) {
    (void)state;
    struct sl_pb_VersionDef versions;
    assert_ok(test_err, decode(&versions, VersionDef, wire_number(1, UINT64_C(0x1200000007))));
    assert_int_equal(versions.producer, 7);
    struct sl_pb_SerializedDType type; /* and enums keep numbers without a name */
    assert_ok(test_err, decode(&type, SerializedDType, wire_number(1, 12345)));
    assert_int_equal(type.datatype, 12345);
}

static void packed_and_unpacked_may_mix(void **state) {
    (void)state;
    struct sl_pb_VersionDef versions;
    assert_ok(test_err, decode(&versions, VersionDef, BYTES("\x18\x01\x1a\x02\x02\x03\x18\x04\x1a\x00\x1a\x01\x05")));
    assert_int_equal(versions.bad_consumers.n, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(versions.bad_consumers.items[i], i + 1);
}

static void a_field_in_many_pieces_grows_in_linear_memory(void **state) {
    (void)state;
    struct sl_pb_GraphDef graph; /* versions{bad_consumers: 7}, a hundred thousand times: one merged message */
    assert_ok(test_err, decode(&graph, GraphDef, wire_times(BYTES("\x22\x02\x18\x07"), 100000)));
    assert_int_equal(graph.versions->bad_consumers.n, 100000);
    assert_int_equal(graph.versions->bad_consumers.items[99999], 7);
    assert_true(sl_arena_bytes(&test_arena) < 4000000);
}

static void a_singular_message_that_stands_twice_is_merged(void **state) {
    (void)state;
    struct sl_pb_GraphDef graph;
    assert_ok(test_err, decode(&graph, GraphDef, BYTES("\x22\x04\x08\x07\x18\x01\x22\x04\x10\x09\x18\x02")));
    assert_int_equal(graph.versions->producer, 7);
    assert_int_equal(graph.versions->min_consumer, 9);
    assert_int_equal(graph.versions->bad_consumers.n, 2);
}

static void the_last_member_of_a_oneof_counts(void **state) {
    (void)state;
    struct sl_pb_AttrValue value;
    assert_ok(test_err, decode(&value, AttrValue, BYTES("\x18\x05\x12\x01z")));
    assert_int_equal(value.which, SL_PB_AttrValue_s);
    assert_str(value.s, "z");
    /* shape, then shape again: merged; then tensor, then shape: a new one */
    assert_ok(test_err, decode(&value, AttrValue, BYTES("\x3a\x02\x12\x00\x3a\x02\x18\x01")));
    assert_int_equal(value.shape->dim.n, 1);
    assert_true(value.shape->unknown_rank);
    assert_ok(test_err, decode(&value, AttrValue, BYTES("\x3a\x02\x12\x00\x42\x00\x3a\x02\x18\x01")));
    assert_int_equal(value.which, SL_PB_AttrValue_shape);
    assert_int_equal(value.shape->dim.n, 0);
    assert_ok(test_err, decode(&value, AttrValue, BYTES("\x18\x00")));
    assert_int_equal(value.which, SL_PB_AttrValue_i);
}

static void map_entries_keep_order_and_the_last_of_a_key_counts(void **state) {
    (void)state;
    struct sl_pb_NodeDef node;
    assert_ok(test_err, decode(&node, NodeDef,
                               BYTES("\x2a\x07\x0a\x01k\x12\x02\x18\x01"
                                     "\x2a\x03\x0a\x01"
                                     "a"
                                     "\x2a\x07\x12\x02\x18\x02\x0a\x01k" /* value before key */
                                     "\x2a\x00")));                      /* neither */
    assert_int_equal(node.attr.n, 4);
    assert_int_equal(sl_pb_find_string_AttrValue(&node.attr, SL_STR("k"))->i, 2);
    assert_int_equal(node.attr.items[0].value.i, 1);
    assert_int_equal(sl_pb_find_string_AttrValue(&node.attr, SL_STR("a"))->which, 0);
    assert_non_null(sl_pb_find_string_AttrValue(&node.attr, SL_STR("")));
    assert_null(sl_pb_find_string_AttrValue(&node.attr, SL_STR("b")));
}

static void field_numbers_above_the_dense_table_are_found(void **state) {
    (void)state;
    struct sl_pb_RewriterConfig config;
    struct sl_str bytes = wire_join(wire_nested(200, BYTES("\x0a\x01o")), wire_nested(301, BYTES("\x10\x01")));
    bytes = wire_join(bytes, wire_join(wire_number(50, 1), wire_number(64, 9)));
    assert_ok(test_err, decode(&config, RewriterConfig, bytes));
    assert_str(config.custom_optimizers.items[0].name, "o");
    assert_int_equal(config.post_optimization_verifier_config->structure_verifier, SL_PB_VerifierConfig_Toggle_ON);
    assert_null(config.inter_optimizer_verifier_config);
    assert_int_equal(config.cpu_layout_conversion, SL_PB_RewriterConfig_CpuLayout_NCHW_TO_NHWC);
    assert_int_equal(config.unknown->bytes.n, 3); /* 64: two bytes of tag */
}

/* ---- unknown fields ---- */

static void unknown_fields_are_kept_as_they_came(void **state) {
    (void)state;
    struct sl_pb_VersionDef versions;
    struct sl_str odd[] = {
        BYTES("\x38\x05"),                             /* varint */
        BYTES("\x39\x01\x02\x03\x04\x05\x06\x07\x08"), /* 64 bits */
        BYTES("\x3d\x01\x02\x03\x04"),                 /* 32 bits */
        BYTES("\x3a\x02hi"),                           /* bytes */
        BYTES("\x3b\x08\x01\x43\x0a\x00\x44\x3c"),     /* a group with a group */
        BYTES("\x0a\x01x"),                            /* a known field of another wire type */
        BYTES("\x0d\x01\x02\x03\x04"),
        BYTES("\xba\x3e\x00"), /* number 999 */
    };
    struct sl_str all = {NULL, 0};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) all = wire_join(wire_join(all, odd[i]), BYTES("\x08\x03"));
    assert_ok(test_err, decode(&versions, VersionDef, all));
    assert_int_equal(versions.producer, 3);
    size_t i = 0;
    for (struct sl_pb_unknown *u = versions.unknown; u; u = u->next, i++) assert_true(sl_str_eq(u->bytes, odd[i]));
    assert_int_equal(i, sizeof odd / sizeof *odd);
    struct sl_str out;
    assert_ok(test_err, sl_pb_encode(&out, SL_PB_TYPE(VersionDef), &versions, 0, &test_arena, &test_err));
    struct sl_str wanted = BYTES("\x08\x03");
    for (i = 0; i < sizeof odd / sizeof *odd; i++) wanted = wire_join(wanted, odd[i]);
    assert_true(sl_str_eq(out, wanted));
}

static void neighbouring_unknown_fields_are_one(void **state) {
    (void)state;
    struct sl_pb_VersionDef versions;
    assert_ok(test_err, decode(&versions, VersionDef, wire_times(BYTES("\x38\x05"), 1000)));
    assert_int_equal(versions.unknown->bytes.n, 2000);
    assert_null(versions.unknown->next);
}

/* ---- malformed bytes ---- */

struct malformed {
    const char *what;
    struct sl_str bytes;
    sl_code code;
    const char *text;
};

static void malformed_bytes_are_named(void **state) {
    (void)state;
    const struct malformed rows[] = {
        {"a cut tag", BYTES("\x08\x01\x80"), SL_DATA_LOSS, "GraphDef: the bytes end within a tag (byte 2)"},
        {"a tag of six bytes", BYTES("\x80\x80\x80\x80\x80\x01\x00"), SL_INVALID_ARGUMENT, "does not fit 32 bits"},
        {"a tag of 33 bits", BYTES("\xf8\xff\xff\xff\x1f\x00"), SL_INVALID_ARGUMENT, "does not fit 32 bits"},
        {"field zero", BYTES("\x00\x00"), SL_INVALID_ARGUMENT, "field number is zero"},
        {"field zero, long", BYTES("\x80\x00\x00"), SL_INVALID_ARGUMENT, "field number is zero"},
        {"wire type 6", BYTES("\x0e"), SL_INVALID_ARGUMENT, "wire type"},
        {"wire type 7", BYTES("\x7f"), SL_INVALID_ARGUMENT, "wire type"},
        {"no value", BYTES("\x18"), SL_DATA_LOSS, "GraphDef.version: the bytes end within a number (byte 0)"},
        {"a cut varint", BYTES("\x18\xff\xff"), SL_DATA_LOSS, "within a number"},
        {"a varint of eleven bytes", BYTES("\x18\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), SL_INVALID_ARGUMENT,
         "does not fit 64 bits"},
        {"a varint of 65 bits", BYTES("\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), SL_INVALID_ARGUMENT,
         "does not fit 64 bits"},
        {"a length past the end", BYTES("\x0a\x05\x0a\x01x"), SL_DATA_LOSS, "GraphDef.node: the length goes past"},
        {"past the end of the outer one", BYTES("\x0a\x02\x0a\x05zzzzz"), SL_DATA_LOSS,
         "NodeDef.name: the length goes"},
        {"a length of 2 GiB", BYTES("\x0a\xff\xff\xff\xff\x07"), SL_DATA_LOSS, "length goes past"},
        {"a length above 2 GiB", BYTES("\x0a\x80\x80\x80\x80\x08"), SL_INVALID_ARGUMENT, "above 2 GiB"},
        {"a length of -1", BYTES("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), SL_INVALID_ARGUMENT, "above 2 GiB"},
        {"a cut length", BYTES("\x0a\x80"), SL_DATA_LOSS, "within a number"},
        {"bad UTF-8", BYTES("\x0a\x03\x0a\x01\xff"), SL_INVALID_ARGUMENT,
         "NodeDef.name: the string is not valid UTF-8"},
        {"an end of nothing", BYTES("\x0c"), SL_INVALID_ARGUMENT, "group ends that did not begin"},
        {"another group's end", BYTES("\x7b\x84\x01"), SL_INVALID_ARGUMENT, "group ends that did not begin"},
        {"an open group", BYTES("\x7b\x08\x01"), SL_DATA_LOSS, "within a tag"},
        {"field zero in a group", BYTES("\x7b\x00\x7c"), SL_INVALID_ARGUMENT, "field number is zero"},
        {"a cut fixed64 in a group", BYTES("\x7b\x09\x01\x02\x7c"), SL_DATA_LOSS, "within a number"},
        {"a length past the end in a group", BYTES("\x7b\x0a\x09\x7c"), SL_DATA_LOSS, "length goes past"},
        {"groups too deep", wire_times(BYTES("\x7b"), 100000), SL_INVALID_ARGUMENT, "groups are nested too deeply"},
    };
    struct sl_pb_GraphDef graph;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!decode(&graph, GraphDef, rows[i].bytes)) fail_msg("%s was read", rows[i].what);
        assert_fails(test_err, rows[i].code, rows[i].text, decode(&graph, GraphDef, rows[i].bytes));
        assert_int_equal(sl_pb_decode(&graph, SL_PB_TYPE(GraphDef), rows[i].bytes, &test_arena, NULL), rows[i].code);
    }
}

static void malformed_numbers_are_named(void **state) {
    (void)state;
    struct sl_pb_TensorProto t;
    assert_fails(test_err, SL_DATA_LOSS, "float_val: the bytes end",
                 decode(&t, TensorProto, BYTES("\x2d\x00\x00\x00")));
    assert_fails(test_err, SL_DATA_LOSS, "double_val: the bytes end", decode(&t, TensorProto, BYTES("\x31\x00\x00")));
    assert_fails(test_err, SL_INVALID_ARGUMENT, "cut in their midst",
                 decode(&t, TensorProto, BYTES("\x2a\x03\x00\x00\x00")));
    assert_fails(test_err, SL_DATA_LOSS, "int_val: the bytes end", decode(&t, TensorProto, BYTES("\x3a\x02\x01\x80")));
    assert_fails(test_err, SL_DATA_LOSS, "int_val: the bytes end", decode(&t, TensorProto, BYTES("\x3a\x02\x80\x80")));
    assert_fails(test_err, SL_DATA_LOSS, "length goes past", decode(&t, TensorProto, BYTES("\x3a\x03\x01\x01")));
    assert_ok(test_err, decode(&t, TensorProto, BYTES("\x3a\x00\x2a\x00")));
    assert_int_equal(t.int_val.n + t.float_val.n, 0);
    /* strings are never packed, so the same bytes are one string */
    assert_ok(test_err, decode(&t, TensorProto, BYTES("\x42\x03\x01\x01\x01")));
    assert_int_equal(t.string_val.n, 1);
}

static void bytes_need_not_be_utf8(void **state) {
    (void)state;
    struct sl_pb_AttrValue value;
    assert_ok(test_err, decode(&value, AttrValue, BYTES("\x12\x02\xff\x00")));
    assert_str(value.s, "\xff\x00");
    assert_fails(test_err, SL_INVALID_ARGUMENT, "placeholder", decode(&value, AttrValue, BYTES("\x4a\x02\xff\x00")));
}

static void utf8_is_what_unicode_says(void **state) {
    (void)state;
    static const struct {
        struct sl_str bytes;
        bool valid;
    } rows[] = {
        {BYTES("plain"), true},
        {BYTES("a\x00z"), true},
        {BYTES("\xc2\x80"), true},
        {BYTES("\xdf\xbf"), true},
        {BYTES("\xe0\xa0\x80"), true},
        {BYTES("\xed\x9f\xbf"), true},
        {BYTES("\xee\x80\x80"), true},
        {BYTES("\xf0\x90\x80\x80"), true},
        {BYTES("\xf4\x8f\xbf\xbf"), true},
        {BYTES("0123456789abcdef\xc3\xa9xyz"), true},
        {BYTES("0123456789abcdef\xc3"), false},
        {BYTES("\x80"), false},
        {BYTES("\xbf"), false},
        {BYTES("\xc0\x80"), false},
        {BYTES("\xc1\xbf"), false},
        {BYTES("\xc2"), false},
        {BYTES("\xc2\x41"), false},
        {BYTES("\xe0\x9f\xbf"), false},
        {BYTES("\xe2\x82"), false},
        {BYTES("\xe2\x28\xa1"), false},
        {BYTES("\xe2\x82\x28"), false},
        {BYTES("\xed\xa0\x80"), false},
        {BYTES("\xf0\x8f\xbf\xbf"), false},
        {BYTES("\xf0\x9f\x98"), false},
        {BYTES("\xf0\x9f\x98\x28"), false},
        {BYTES("\xf4\x90\x80\x80"), false},
        {BYTES("\xf5\x80\x80\x80"), false},
        {BYTES("\xfe"), false},
        {BYTES("1234567\xff"), false},
        {BYTES("12345678\xff"), false},
        {BYTES("\xff"
               "12345678"),
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sl_pb_NodeDef node;
        bool valid = sl_utf8_valid(rows[i].bytes);
        if (valid != rows[i].valid) fail_msg("row %zu", i);
        struct sl_str bytes = wire_nested(1, rows[i].bytes);
        assert_int_equal(decode(&node, NodeDef, bytes), valid ? SL_OK : SL_INVALID_ARGUMENT);
    }
    assert_true(sl_utf8_valid((struct sl_str){NULL, 0}));
}

static void depth_is_bounded(void **state) {
    (void)state;
    struct sl_str bytes = {NULL, 0};
    struct sl_pb_FullTypeDef type;
    for (int depth = 0; depth <= SL_PB_MAX_DEPTH; depth++) {
        assert_ok(test_err, decode(&type, FullTypeDef, bytes));
        bytes = wire_nested(2, bytes); /* args */
    }
    assert_fails(test_err, SL_INVALID_ARGUMENT, "FullTypeDef.args: messages are nested too deeply",
                 decode(&type, FullTypeDef, bytes));
    /* attr -> func -> attr -> ...: the way a graph can be deep. */
    bytes = (struct sl_str){NULL, 0};
    for (int i = 0; i < 3000; i++) bytes = wire_nested(10, wire_nested(2, wire_nested(2, bytes)));
    struct sl_pb_AttrValue value;
    assert_fails(test_err, SL_INVALID_ARGUMENT, "nested too deeply", decode(&value, AttrValue, bytes));
}

static void memory_is_bounded_by_the_bytes(void **state) {
    (void)state;
    struct sl_pb_AttrValue value; /* a list of a million empty tensors: two bytes each here, hundreds in memory */
    struct sl_str bytes = wire_nested(1, wire_times(BYTES("\x42\x00"), 1000000));
    assert_fails(test_err, SL_RESOURCE_EXHAUSTED, "ListValue.tensor: the message needs too much memory",
                 decode(&value, AttrValue, bytes));
    assert_true(sl_arena_bytes(&test_arena) < 20000000);
    /* the same in a thousand attributes, none of which is much */
    struct sl_pb_NameAttrList func;
    bytes = wire_nested(2, wire_nested(2, wire_nested(1, wire_times(BYTES("\x42\x00"), 1000))));
    assert_fails(test_err, SL_RESOURCE_EXHAUSTED, "too much memory",
                 decode(&func, NameAttrList, wire_times(bytes, 1000)));
    bytes = wire_nested(1, wire_times(BYTES("\x42\x00"), 3000)); /* a little of it is fine */
    assert_ok(test_err, decode(&value, AttrValue, bytes));
    assert_int_equal(value.list->tensor.n, 3000);
}

static void more_than_2_gib_are_refused_unread(void **state) {
    (void)state;
    struct sl_pb_GraphDef graph;
    assert_fails(test_err, SL_INVALID_ARGUMENT, "2147483648 bytes are more",
                 decode(&graph, GraphDef, ((struct sl_str){"", (size_t)1 << 31})));
}

/* ---- whole messages, cut and changed ---- */

static void every_prefix_is_read_or_refused(void **state) {
    (void)state;
    struct sl_str whole = wire_file("meta_graph.pb");
    size_t good = 0;
    for (size_t n = 0; n <= whole.n; n++) {
        struct sl_arena arena;
        sl_arena_init(&arena);
        char *exact = wire_exact((struct sl_str){whole.p, n});
        struct sl_pb_MetaGraphDef graph;
        sl_code code = sl_pb_decode(&graph, SL_PB_TYPE(MetaGraphDef), (struct sl_str){exact, n}, &arena, &test_err);
        if (code != SL_OK && code != SL_DATA_LOSS) fail_msg("%zu bytes: %s", n, test_err.message);
        good += code == SL_OK;
        free(exact);
        sl_arena_clear(&arena);
    }
    assert_in_range(good, 5, 40); /* between two outermost fields */
}

static void any_changed_byte_is_survived(void **state) {
    (void)state;
    static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x07, 0x08};
    struct sl_str whole = wire_file("meta_graph.pb");
    for (size_t i = 0; i < whole.n; i++)
        for (size_t k = 0; k < sizeof changes; k++) {
            struct sl_arena arena;
            sl_arena_init(&arena);
            char *bytes = wire_exact(whole);
            bytes[i] = (char)(bytes[i] ^ changes[k]);
            struct sl_pb_MetaGraphDef graph, again;
            struct sl_str once, twice;
            if (!sl_pb_decode(&graph, SL_PB_TYPE(MetaGraphDef), (struct sl_str){bytes, whole.n}, &arena, NULL)) {
                assert_ok(test_err, sl_pb_encode(&once, SL_PB_TYPE(MetaGraphDef), &graph, 0, &arena, &test_err));
                assert_ok(test_err, sl_pb_decode(&again, SL_PB_TYPE(MetaGraphDef), once, &arena, &test_err));
                assert_ok(test_err, sl_pb_encode(&twice, SL_PB_TYPE(MetaGraphDef), &again, 0, &arena, &test_err));
                assert_true(sl_str_eq(once, twice));
            }
            free(bytes);
            sl_arena_clear(&arena);
        }
}

static void one_field_is_found_in_the_bytes(void **state) {
    (void)state;
    static const char bytes[] = "\x0a\x01x\x12\x02op\x18\x96\x01\x1b\x12\x01y\x1c\x1d...."
                                "\x19........\x12\x00\x12\x05"
                                "abc";
    const struct sl_pb_message *type = SL_PB_TYPE(NodeDef);
    struct sl_str all = {bytes, sizeof bytes - 1}, out;
    assert_true(sl_pb_field_bytes(&out, type, all, 2, 0) && sl_str_is(out, "op"));
    assert_ptr_equal(out.p, bytes + 5);
    assert_true(sl_pb_field_bytes(&out, type, all, 2, 1) && out.n == 0); /* what stands in the group is not its own */
    assert_false(sl_pb_field_bytes(&out, type, all, 2, 2));              /* its length goes past the end */
    assert_false(sl_pb_field_bytes(&out, type, all, 7, 0));
    assert_true(sl_pb_field_bytes(&out, type, all, 1, 0) && sl_str_is(out, "x"));
    assert_false(sl_pb_field_bytes(&out, type, all, 1, 1));
    assert_false(sl_pb_field_bytes(&out, type, (struct sl_str){NULL, 0}, 1, 0));
    for (size_t n = 0; n < all.n; n++) {
        char *cut = malloc(n + 1); /* a buffer of its own, so that a read past the end is seen */
        assert_non_null(cut);
        memcpy(cut, bytes, n);
        for (uint32_t number = 0; number < 4; number++)
            assert_int_equal(sl_pb_field_bytes(&out, type, (struct sl_str){cut, n}, number, 0),
                             (number == 1 && n >= 3) || (number == 2 && n >= 7));
        free(cut);
    }
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, wire_setup, wire_teardown)
    const struct CMUnitTest tests[] = {
        T(a_node_is_read_in_place),
        T(no_bytes_are_an_empty_message),
        T(every_kind_of_number_is_read),
        T(numbers_too_wide_for_their_field_are_cut),
        T(packed_and_unpacked_may_mix),
        T(a_field_in_many_pieces_grows_in_linear_memory),
        T(a_singular_message_that_stands_twice_is_merged),
        T(the_last_member_of_a_oneof_counts),
        T(map_entries_keep_order_and_the_last_of_a_key_counts),
        T(field_numbers_above_the_dense_table_are_found),
        T(unknown_fields_are_kept_as_they_came),
        T(neighbouring_unknown_fields_are_one),
        T(malformed_bytes_are_named),
        T(malformed_numbers_are_named),
        T(bytes_need_not_be_utf8),
        T(utf8_is_what_unicode_says),
        T(depth_is_bounded),
        T(memory_is_bounded_by_the_bytes),
        T(more_than_2_gib_are_refused_unread),
        T(every_prefix_is_read_or_refused),
        T(any_changed_byte_is_survived),
        T(one_field_is_found_in_the_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
