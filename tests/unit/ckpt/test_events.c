/* Event files: what is in them, record by record; names that do not meet; tags and summaries that are none. */
#include "unit/unit.h"

#include <stdio.h>

#include "ckpt/events.h"
#include "ckpt/record.h"
#include "os/file.h"
#include "proto/wire.h"
#include "tensor/tensor.h"
#include "unit/os/scratch.h"

/* The file's events, in the arena; their number. */
static size_t read_events(struct sl_pb_Event *events, size_t most, const char *path, struct sl_arena *arena) {
    struct sl_error err;
    struct sl_record_reader *r;
    struct sl_str record;
    bool at_end;
    size_t n = 0;
    assert_ok(err, sl_record_reader_open(&r, path, SL_COMPRESSION_NONE, &err));
    for (;; n++) {
        assert_ok(err, sl_record_reader_next(&record, &at_end, r, &err));
        if (at_end) break;
        assert_true(n < most);
        record = sl_arena_str(arena, record);
        assert_ok(err, sl_pb_decode(&events[n], SL_PB_TYPE(Event), record, arena, &err));
        assert_true(events[n].wall_time > 1e9);
    }
    sl_record_reader_close(r);
    return n;
}

static void a_curve(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_events *e;
    struct sl_arena arena;
    struct sl_pb_Event events[4];
    char path[512];
    sl_arena_init(&arena);
    assert_ok(err, sl_events_open(&e, "logs/run", &err));
    snprintf(path, sizeof path, "%s", sl_events_path(e));
    assert_non_null(strstr(path, "logs/run/events.out.tfevents."));
    assert_ok(err, sl_events_add_start(e, 7, &err));
    assert_ok(err, sl_events_add_scalar(e, SL_STR("loss"), 7, 0.5f, &err));
    assert_ok(err, sl_events_flush(e, &err));
    assert_int_equal(read_events(events, 4, path, &arena), 3);
    assert_ok(err, sl_events_add_scalar(e, SL_STR("loss"), 1LL << 40, -2, &err));
    assert_ok(err, sl_events_close(e, &err));

    assert_int_equal(read_events(events, 4, path, &arena), 4);
    assert_int_equal(events[0].which, SL_PB_Event_file_version);
    assert_true(sl_str_is(events[0].file_version, "brain.Event:2"));
    assert_int_equal(events[1].which, SL_PB_Event_session_log);
    assert_int_equal(events[1].session_log->status, SL_PB_SessionLog_SessionStatus_START);
    assert_int_equal(events[1].step, 7);
    assert_int_equal(events[2].which, SL_PB_Event_summary);
    assert_int_equal(events[2].summary->value.n, 1);
    assert_true(sl_str_is(events[2].summary->value.items[0].tag, "loss"));
    assert_int_equal(events[2].summary->value.items[0].which, SL_PB_Summary_Value_simple_value);
    assert_true(events[2].summary->value.items[0].simple_value == 0.5f);
    assert_true(events[3].step == 1LL << 40 && events[3].summary->value.items[0].simple_value == -2);
    sl_arena_clear(&arena);
}

static void a_summary(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_events *e;
    struct sl_arena arena;
    struct sl_pb_Event events[2];
    struct sl_pb_Summary_Value values[2] = {
        {.tag = SL_STR("a"), .which = SL_PB_Summary_Value_simple_value, .simple_value = 1},
        {.tag = SL_STR("b"), .which = SL_PB_Summary_Value_simple_value, .simple_value = 2}};
    struct sl_pb_Summary summary = {.value = {.items = values, .n = 2}};
    struct sl_str bytes;
    sl_arena_init(&arena);
    assert_ok(err, sl_pb_encode(&bytes, SL_PB_TYPE(Summary), &summary, 0, &arena, &err));
    assert_ok(err, sl_events_open(&e, "", &err));
    assert_ok(err, sl_events_add_summary(e, bytes, 3, &err));
    assert_fails(err, SL_DATA_LOSS, "", sl_events_add_summary(e, (struct sl_str){bytes.p, bytes.n - 1}, 4, &err));
    assert_fails(err, SL_INVALID_ARGUMENT, "UTF-8", sl_events_add_scalar(e, SL_STR("\xff"), 4, 1, &err));
    char *path = sl_arena_format(&arena, "%s", sl_events_path(e));
    assert_ok(err, sl_events_close(e, &err));
    assert_int_equal(read_events(events, 2, path, &arena), 2);
    assert_int_equal(events[1].summary->value.n, 2);
    assert_true(sl_str_is(events[1].summary->value.items[1].tag, "b"));
    sl_arena_clear(&arena);
}

static void several_writers(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_events *one, *other;
    assert_ok(err, sl_events_open(&one, "logs", &err));
    assert_ok(err, sl_events_open(&other, "logs", &err));
    assert_string_not_equal(sl_events_path(one), sl_events_path(other));
    assert_ok(err, sl_events_close(one, &err));
    assert_ok(err, sl_events_close(other, &err));
    assert_ok(err, sl_file_write("plain", "", 0, &err));
    assert_true(sl_events_open(&one, "plain/below", &err) != SL_OK);
}

static void a_tensor_and_what_is_encoded(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_events *e;
    struct sl_arena arena;
    struct sl_pb_Event events[4];
    struct sl_tensor *tensor;
    char path[512];
    sl_arena_init(&arena);
    assert_ok(err, sl_tensor_new(&tensor, SL_FLOAT, (struct sl_shape){1, (const int64_t[]){2}}, &err));
    ((float *)tensor->data)[0] = 1.5f;
    ((float *)tensor->data)[1] = -2;
    assert_ok(err, sl_events_open_with(&e, "tensors", ".v2", &err));
    snprintf(path, sizeof path, "%s", sl_events_path(e));
    assert_string_equal(path + strlen(path) - 3, ".v2");
    assert_ok(err, sl_events_add_tensor(e, SL_STR("t"), 3, tensor, SL_STR("\x0a\x09\x0a\x07scalars"), &err));
    assert_ok(err, sl_events_add_graph(e, SL_STR("\x0a\x03\x0a\x01n"), 4, &err));
    assert_ok(err, sl_events_add_event(e, SL_STR("\x09\x01\x01\x01\x01\x01\x01\xf0\x41\x10\x05"), &err));
    assert_true(sl_events_add_tensor(e, SL_STR("t"), 3, tensor, SL_STR("\x0a\x09"), &err) != SL_OK);
    assert_true(sl_events_add_tensor(e, SL_STR("\xff"), 3, tensor, SL_STR(""), &err) == SL_INVALID_ARGUMENT);
    assert_true(sl_events_add_graph(e, SL_STR("\x0a\x09"), 4, &err) != SL_OK);
    assert_true(sl_events_add_event(e, SL_STR("\x2a\x09"), &err) != SL_OK);
    assert_ok(err, sl_events_close(e, &err));
    sl_tensor_unref(tensor);

    assert_int_equal(read_events(events, 4, path, &arena), 4);
    const struct sl_pb_Summary_Value *value = events[1].summary->value.items;
    assert_int_equal(events[1].step, 3);
    assert_true(sl_str_is(value->tag, "t"));
    assert_true(sl_str_is(value->metadata->plugin_data->plugin_name, "scalars"));
    assert_int_equal(value->which, SL_PB_Summary_Value_tensor);
    assert_int_equal(value->tensor->tensor_content.n, 8);
    assert_int_equal(events[2].which, SL_PB_Event_graph_def);
    assert_int_equal(events[2].step, 4);
    assert_true(sl_str_is(events[2].graph_def, "\x0a\x03\x0a\x01n"));
    assert_int_equal(events[3].step, 5);
    sl_arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve),
        cmocka_unit_test(a_summary),
        cmocka_unit_test(several_writers),
        cmocka_unit_test(a_tensor_and_what_is_encoded),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
