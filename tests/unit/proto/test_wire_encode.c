/* proto/wire: what encoding writes, and that it is what TensorFlow writes. */
#include "base/alloc.h"
#include "proto/proto_limits.h"
#include "proto/wire.h"
#include "wire_bytes.h"

#define encode(out, type, message, flags) sl_pb_encode(out, SL_PB_TYPE(type), message, flags, &test_arena, &test_err)
#define assert_encodes(type, message, flags, literal)                                                                  \
    do {                                                                                                               \
        struct sl_str out_, wanted_ = BYTES(literal);                                                                  \
        assert_ok(test_err, encode(&out_, type, message, flags));                                                      \
        assert_int_equal(out_.n, wanted_.n);                                                                           \
        if (out_.n) assert_memory_equal(out_.p, wanted_.p, out_.n);                                                    \
    } while (0)

static void an_empty_message_is_no_bytes(void **state) {
    (void)state;
    struct sl_pb_GraphDef graph = {0};
    assert_encodes(GraphDef, &graph, 0, "");
    struct sl_str out;
    assert_ok(test_err, sl_pb_encode(&out, SL_PB_TYPE(GraphDef), &graph, 0, NULL, &test_err));
    assert_int_equal(out.n, 0);
    sl_free((void *)out.p);
}

static void fields_are_written_by_number(void **state) {
    (void)state;
    struct sl_str inputs[] = {BYTES("x"), BYTES("")};
    struct sl_pb_entry_string_AttrValue attr = {.key = BYTES("T"),
                                                .value = {.which = SL_PB_AttrValue_type, .type = SL_PB_DT_FLOAT}};
    struct sl_pb_NodeDef node = {.attr = {&attr, 1}, .device = BYTES("d"), .input = {inputs, 2}, .op = BYTES("Add")};
    struct sl_pb_VersionDef versions = {.producer = -1};
    struct sl_pb_GraphDef graph = {.versions = &versions, .node = {&node, 1}};
    assert_encodes(GraphDef, &graph, 0,
                   "\x0a\x16\x12\x03"
                   "Add"
                   "\x1a\x01x\x1a\x00\x22\x01"
                   "d"
                   "\x2a\x07\x0a\x01T\x12\x02\x30\x01"
                   "\x22\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

static void zero_is_absent_unless_its_presence_says_something(void **state) {
    (void)state;
    struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_f, .f = 0};
    assert_encodes(AttrValue, &value, 0, "\x25\x00\x00\x00\x00");
    value = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_s};
    assert_encodes(AttrValue, &value, 0, "\x12\x00");
    value = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_shape}; /* no message there: nothing to write */
    assert_encodes(AttrValue, &value, 0, "");
    struct sl_pb_HistogramProto histogram = {.min = -0.0, .max = 0.0};
    assert_encodes(HistogramProto, &histogram, 0, "\x09\x00\x00\x00\x00\x00\x00\x00\x80");
    struct sl_pb_entry_int32_string task = {.key = 0};
    struct sl_pb_JobDef job = {.tasks = {&task, 1}};
    assert_encodes(JobDef, &job, 0, "\x12\x04\x08\x00\x12\x00");
}

static void repeated_numbers_are_packed(void **state) {
    (void)state;
    float floats[] = {0.0f, 1.0f};
    int32_t ints[] = {1, 300, -1};
    bool bools[] = {true, false};
    uint64_t wide[] = {UINT64_MAX};
    struct sl_pb_TensorProto t = {.float_val = {floats, 2},
                                  .int_val = {ints, 3},
                                  .bool_val = {bools, 2},
                                  .uint64_val = {wide, 1}};
    assert_encodes(TensorProto, &t, 0,
                   "\x2a\x08\x00\x00\x00\x00\x00\x00\x80\x3f"
                   "\x3a\x0d\x01\xac\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                   "\x5a\x02\x01\x00"
                   "\x8a\x01\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

static void signed_numbers_zigzag_and_fixed_ones_do_not(void **state) {
    (void)state;
    struct sl_pb_StructuredValue value = {.which = SL_PB_StructuredValue_int64_value, .int64_value = INT64_MIN};
    assert_encodes(StructuredValue, &value, 0, "\x60\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    value.int64_value = 1;
    assert_encodes(StructuredValue, &value, 0, "\x60\x02");
    struct sl_pb_BundleEntryProto entry = {.crc32c = 0x01020304};
    assert_encodes(BundleEntryProto, &entry, 0, "\x35\x04\x03\x02\x01");
}

static void maps_are_sorted_on_demand_and_duplicates_dropped(void **state) {
    (void)state;
    struct sl_pb_entry_int32_string tasks[] = {{.key = 2, .value = BYTES("old")},
                                               {.key = 10, .value = BYTES("c")},
                                               {.key = -1, .value = BYTES("a")},
                                               {.key = 2, .value = BYTES("b")}};
    struct sl_pb_JobDef job = {.tasks = {tasks, 4}};
    assert_encodes(JobDef, &job, SL_PB_SORT_MAPS,
                   "\x12\x0e\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x12\x01"
                   "a"
                   "\x12\x05\x08\x02\x12\x01"
                   "b"
                   "\x12\x05\x08\x0a\x12\x01"
                   "c");
    struct sl_str out;
    assert_ok(test_err, encode(&out, JobDef, &job, 0));
    assert_memory_equal(out.p, "\x12\x07\x08\x02\x12\x03old", 9);
    /* nested maps, each sorted for itself */
    struct sl_pb_entry_string_AttrValue inner[] = {{.key = BYTES("b")}, {.key = BYTES("ab")}, {.key = BYTES("a")}};
    struct sl_pb_NameAttrList func = {.attr = {inner, 3}};
    struct sl_pb_entry_string_AttrValue outer[] = {{.key = BYTES("z")},
                                                   {.key = BYTES("y"),
                                                    .value = {.which = SL_PB_AttrValue_func, .func = &func}}};
    struct sl_pb_NodeDef node = {.attr = {outer, 2}};
    assert_encodes(NodeDef, &node, SL_PB_SORT_MAPS,
                   "\x2a\x1d\x0a\x01y\x12\x18\x52\x16\x12\x05\x0a\x01"
                   "a\x12\x00\x12\x06\x0a\x02"
                   "ab\x12\x00\x12\x05\x0a\x01"
                   "b\x12\x00"
                   "\x2a\x05\x0a\x01z\x12\x00");
}

static void what_tensorflow_wrote_comes_out_byte_for_byte(void **state) {
    (void)state;
    static const struct {
        const char *file, *type;
    } rows[] = {{"meta_graph.pb", "tensorflow.MetaGraphDef"},
                {"config.pb", "tensorflow.ConfigProto"},
                {"event.pb", "tensorflow.Event"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sl_pb_message *type = sl_pb_message_by_name(sl_str_of(rows[i].type));
        assert_non_null(type);
        void *message = sl_arena_alloc(&test_arena, type->size);
        struct sl_str bytes = wire_file(rows[i].file), out;
        assert_ok(test_err, sl_pb_decode(message, type, bytes, &test_arena, &test_err));
        assert_ok(test_err, sl_pb_encode(&out, type, message, 0, &test_arena, &test_err));
        assert_int_equal(out.n, bytes.n);
        assert_memory_equal(out.p, bytes.p, bytes.n);
        /* sorted, and the sorted one read again, are the same bytes, and no entry is lost */
        assert_ok(test_err, sl_pb_encode(&out, type, message, SL_PB_SORT_MAPS, &test_arena, &test_err));
        assert_int_equal(out.n, bytes.n);
        assert_ok(test_err, sl_pb_decode(message, type, out, &test_arena, &test_err));
        assert_ok(test_err, sl_pb_encode(&bytes, type, message, 0, &test_arena, &test_err));
        assert_true(sl_str_eq(out, bytes));
    }
}

static void depth_is_bounded(void **state) {
    (void)state;
    struct sl_pb_FullTypeDef type = {0};
    type.args.items = &type; /* a circle */
    type.args.n = 1;
    struct sl_str out;
    assert_fails(test_err, SL_INVALID_ARGUMENT, "nested too deeply", encode(&out, FullTypeDef, &type, 0));
    struct sl_pb_FullTypeDef chain[SL_PB_MAX_DEPTH + 2] = {0};
    for (int i = 0; i <= SL_PB_MAX_DEPTH; i++) chain[i].args.items = &chain[i + 1], chain[i].args.n = 1;
    assert_fails(test_err, SL_INVALID_ARGUMENT, "nested too deeply", encode(&out, FullTypeDef, chain, 0));
    assert_ok(test_err, encode(&out, FullTypeDef, chain + 1, 0));
    struct sl_pb_FullTypeDef back;
    assert_ok(test_err, sl_pb_decode(&back, SL_PB_TYPE(FullTypeDef), out, &test_arena, &test_err));
}

static void more_than_2_gib_is_refused_unwritten(void **state) {
    (void)state;
    struct sl_str big = {"", (size_t)1 << 30}; /* never read: the sizes alone refuse it */
    struct sl_str values[] = {big, big, big};
    struct sl_pb_BytesList list = {.value = {values, 3}};
    struct sl_str out;
    assert_fails(test_err, SL_INVALID_ARGUMENT, "above 2 GiB", encode(&out, BytesList, &list, 0));
    struct sl_pb_Feature feature = {.which = SL_PB_Feature_bytes_list, .bytes_list = &list};
    assert_fails(test_err, SL_INVALID_ARGUMENT, "above 2 GiB", encode(&out, Feature, &feature, 0));
    struct sl_pb_FloatList floats = {.value = {NULL, (size_t)1 << 30}};
    assert_fails(test_err, SL_INVALID_ARGUMENT, "above 2 GiB", encode(&out, FloatList, &floats, 0));
    floats.value.n = SIZE_MAX / 2;
    assert_fails(test_err, SL_INVALID_ARGUMENT, "above 2 GiB", encode(&out, FloatList, &floats, 0));
    struct sl_pb_NodeDef node = {.name = {"", SIZE_MAX / 4}, .op = {"", SIZE_MAX / 4}};
    assert_fails(test_err, SL_INVALID_ARGUMENT, "above 2 GiB", encode(&out, NodeDef, &node, 0));
}

static void the_tables_agree_with_themselves(void **state) {
    (void)state;
    for (size_t i = 0; i < sl_pb_message_count; i++) {
        const struct sl_pb_message *type = &sl_pb_messages[i];
        const struct sl_pb_field *fields = &sl_pb_fields[type->first_field];
        for (uint32_t k = 0, last = 0; k < type->field_count; last = fields[k++].number) {
            assert_true(fields[k].number > last);
            assert_ptr_equal(sl_pb_field_by_number(type, fields[k].number), &fields[k]);
            assert_ptr_equal(sl_pb_field_by_name(type, sl_str_of(sl_pb_name(fields[k].name))), &fields[k]);
            assert_true(fields[k].offset < type->size);
        }
        for (uint32_t number = 1; number < 400; number++) {
            const struct sl_pb_field *field = sl_pb_field_by_number(type, number);
            assert_true(!field || field->number == number);
        }
        assert_null(sl_pb_field_by_number(type, 536870911));
        if (!type->is_entry) assert_ptr_equal(sl_pb_message_by_name(sl_str_of(sl_pb_name(type->name))), type);
    }
    assert_null(sl_pb_message_by_name(SL_STR("tensorflow.Nothing")));
    const struct sl_pb_enum *types = &sl_pb_enums[SL_PB_ENUM_INDEX_DataType];
    int32_t number = 0;
    assert_string_equal(sl_pb_enum_name(types, SL_PB_DT_HALF), "DT_HALF");
    assert_null(sl_pb_enum_name(types, -7));
    assert_null(sl_pb_enum_name(types, 100));
    assert_true(sl_pb_enum_number(&number, types, SL_STR("DT_HALF_REF")) && number == SL_PB_DT_HALF + 100);
    assert_false(sl_pb_enum_number(&number, types, SL_STR("half")));
}

/* Each method's messages exist, in both directions. */
static void services_name_their_methods(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const struct sl_pb_message *request, *response;
    } rows[] = {
#define METHOD(name, request, response) {#name, SL_PB_TYPE(request), SL_PB_TYPE(response)},
        SL_PB_MasterService_METHODS(METHOD) SL_PB_WorkerService_METHODS(METHOD) SL_PB_EagerService_METHODS(METHOD)
            SL_PB_EagerService_STREAMS(METHOD)
#undef METHOD
    };
    assert_int_equal(sizeof rows / sizeof *rows, 10 + 16 + 8);
    assert_string_equal(rows[0].name, "CreateSession");
    assert_string_equal(sl_pb_name(rows[33].request->name), "tensorflow.eager.EnqueueRequest");
    assert_string_equal(SL_PB_WorkerService_PATH, "/tensorflow.WorkerService/");
    assert_string_equal(SL_PB_EagerService_PATH, "/tensorflow.eager.EagerService/");
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, wire_setup, wire_teardown)
    const struct CMUnitTest tests[] = {
        T(an_empty_message_is_no_bytes),
        T(fields_are_written_by_number),
        T(zero_is_absent_unless_its_presence_says_something),
        T(repeated_numbers_are_packed),
        T(signed_numbers_zigzag_and_fixed_ones_do_not),
        T(maps_are_sorted_on_demand_and_duplicates_dropped),
        T(what_tensorflow_wrote_comes_out_byte_for_byte),
        T(depth_is_bounded),
        T(more_than_2_gib_is_refused_unwritten),
        T(the_tables_agree_with_themselves),
        T(services_name_their_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
