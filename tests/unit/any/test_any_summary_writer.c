/* Summary writers: what reaches the file and when, who may write, bytes that are no messages. What is expected was seen in
 * TensorFlow. */
#include "unit/any/one_node.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ckpt/record.h"

#define OF(type)     "attr { key: 'T' value { type: " type " } }"
#define NAMED(name)  "attr { key: 'shared_name' value { s: '" name "' } }"
#define SCALARS_DATA "\x0a\x09\x0a\x07scalars" /* { plugin_data { plugin_name: "scalars" } } */

static char dir[64];
static int make_dir(void **state) {
    strcpy(dir, "/tmp/sluice-test-XXXXXX");
    return mkdtemp(dir) ? bench_setup(state) : -1;
}

/* The path of the only file in the directory; NULL: there is none. */
static const char *the_file(void) {
    static char path[512];
    const char *found = NULL;
    DIR *d = opendir(dir);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        assert_null(found);
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        found = path;
    }
    closedir(d);
    return found;
}

static int remove_dir(void **state) {
    if (the_file()) unlink(the_file());
    return rmdir(dir) == 0 ? bench_teardown(state) : -1;
}

/* How many records the file has; `text` (may be NULL) is in the last one. */
static int records(const char *text) {
    struct sl_error err;
    struct sl_record_reader *r;
    struct sl_str record;
    bool at_end = false, is_in = false;
    int n = 0;
    assert_ok(err, sl_record_reader_open(&r, the_file(), SL_COMPRESSION_NONE, &err));
    for (;; n++) {
        assert_ok(err, sl_record_reader_next(&record, &at_end, r, &err));
        if (at_end) break;
        is_in = false;
        for (size_t i = 0; text && i + strlen(text) <= record.n; i++)
            is_in = is_in || memcmp(record.p + i, text, strlen(text)) == 0;
    }
    sl_record_reader_close(r);
    assert_true(is_in || !text);
    return n;
}

static struct sl_value writer(struct bench *b, const char *name) { return run_one(b, "SummaryWriter", name, NULL, 0); }
static void create(struct bench *b, struct sl_value w, int32_t queue) {
    assert_ok(b->err, run_once(b, NULL, "CreateSummaryFileWriter", "",
                               INPUTS(share(w), text(dir), i32(queue), i32(3600000), text(".v2"))));
}
static void act(struct bench *b, const char *op, struct sl_value w) {
    assert_ok(b->err, run_once(b, NULL, op, "", INPUTS(share(w))));
}
static void write_tensor(struct bench *b, struct sl_value w, const char *tag) {
    assert_ok(b->err, run_once(b, NULL, "WriteSummary", OF("DT_FLOAT"),
                               INPUTS(share(w), i64(1), VEC_F32(1.5f, 2), text(tag), text(SCALARS_DATA))));
}

static void every_kind_is_written(void **state) {
    struct bench *b = *state;
    struct sl_value w = writer(b, NAMED("w"));
    create(b, w, 100);
    assert_non_null(strstr(the_file(), "/events.out.tfevents."));
    assert_string_equal(the_file() + strlen(the_file()) - 3, ".v2");
    assert_int_equal(records("brain.Event:2"), 1);
    write_tensor(b, w, "curve");
    act(b, "FlushSummaryWriter", w);
    assert_int_equal(records("scalars"), 2);
    assert_ok(b->err,
              run_once(b, NULL, "WriteScalarSummary", OF("DT_INT32"), INPUTS(share(w), i64(2), text("count"), i32(3))));
    act(b, "FlushSummaryWriter", w);
    assert_int_equal(records("count\x15"), 3);
    assert_ok(b->err, run_once(b, NULL, "WriteRawProtoSummary", "",
                               INPUTS(share(w), i64(3), text("\x0a\x08\x0a\x01q\x15\xc3\xf5\x48\x40"))));
    assert_ok(b->err, run_once(b, NULL, "WriteGraphSummary", "", INPUTS(share(w), i64(4), text("\x0a\x03\x0a\x01n"))));
    assert_ok(b->err, run_once(b, NULL, "ImportEvent", "", INPUTS(share(w), text("\x1a\x06reborn"))));
    act(b, "CloseSummaryWriter", w);
    assert_int_equal(records("reborn"), 6);
    sl_value_clear(&w);
}

static void full_queues_are_flushed(void **state) {
    struct bench *b = *state;
    struct sl_value w = writer(b, NAMED("q"));
    create(b, w, 1);
    write_tensor(b, w, "one");
    assert_int_equal(records(NULL), 1);
    write_tensor(b, w, "two");
    assert_int_equal(records("two"), 3);
    create(b, w, 50); /* it has a file */
    write_tensor(b, w, "three");
    write_tensor(b, w, "four");
    assert_int_equal(records("four"), 5);
    act(b, "CloseSummaryWriter", w);
    sl_value_clear(&w);
}

static void only_open_ones_are_written(void **state) {
    struct bench *b = *state;
    struct sl_value w = writer(b, NAMED("c"));
    REFUSED(b, SL_NOT_FOUND, "Resource localhost/c/N10tensorflow22SummaryWriterInterfaceE does not exist.",
            "FlushSummaryWriter", "", share(w));
    REFUSED(b, SL_NOT_FOUND, "does not exist", "WriteSummary", OF("DT_FLOAT"), share(w), i64(1), f32(1), text("t"),
            text(""));
    create(b, w, 1);
    act(b, "CloseSummaryWriter", w);
    REFUSED(b, SL_NOT_FOUND, "does not exist", "CloseSummaryWriter", "", share(w));
    assert_int_equal(records(NULL), 1);
    sl_value_clear(&w);
}

static void destroyed_ones_are_gone(void **state) {
    struct bench *b = *state;
    struct sl_value w = writer(b, NAMED("gone"));
    create(b, w, 1);
    act(b, "DestroyResourceOp", w);
    REFUSED(b, SL_NOT_FOUND, "Resource localhost/gone/N10tensorflow22SummaryWriterInterfaceE does not exist.",
            "FlushSummaryWriter", "", share(w));
    sl_value_clear(&w);
    assert_int_equal(records(NULL), 1);
}

static void bad_bytes_and_shapes(void **state) {
    struct bench *b = *state;
    struct sl_value w = writer(b, NAMED("b"));
    create(b, w, 1);
    REFUSED(b, SL_DATA_LOSS, "Bad tf.compat.v1.Summary", "WriteRawProtoSummary", "", share(w), i64(1),
            text("\x0a\x09"));
    REFUSED(b, SL_DATA_LOSS, "Bad tf.GraphDef", "WriteGraphSummary", "", share(w), i64(1), text("\x0a\x09"));
    REFUSED(b, SL_DATA_LOSS, "Bad tf.Event", "ImportEvent", "", share(w), text("\x2a\x09"));
    REFUSED(b, SL_INVALID_ARGUMENT, "UTF-8", "WriteScalarSummary", OF("DT_FLOAT"), share(w), i64(1), text("\xff"),
            f32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "step must be a scalar", "WriteScalarSummary", OF("DT_FLOAT"), share(w),
            VEC_I64(1, 2), text("t"), f32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "value must be a scalar", "WriteScalarSummary", OF("DT_FLOAT"), share(w), i64(1),
            text("t"), VEC_F32(1, 2));
    act(b, "CloseSummaryWriter", w);
    assert_int_equal(records("brain.Event:2"), 1);
    sl_value_clear(&w);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_dir, remove_dir)
    const struct CMUnitTest tests[] = {
        TEST(every_kind_is_written),   TEST(full_queues_are_flushed), TEST(only_open_ones_are_written),
        TEST(destroyed_ones_are_gone), TEST(bad_bytes_and_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
