/* Record files: what TensorFlow wrote, round trips, cuts and damage; lines of text. */
#include "unit/unit.h"

#include <stdio.h>

#include "base/alloc.h"
#include "ckpt/reader_state.h"
#include "ckpt/record.h"
#include "os/file.h"
#include "unit/os/scratch.h"

static const struct {
    enum sl_compression compression;
    const char *ending, *cut; /* of the file; what is said of one that was cut */
} kinds[] = {{SL_COMPRESSION_NONE, "", "truncated record at"},
#if defined(SL_HAVE_ZLIB)
             {SL_COMPRESSION_ZLIB, ".zlib", "too early"},
             {SL_COMPRESSION_GZIP, ".gzip", "too early"},
#endif
             {SL_COMPRESSION_SNAPPY, ".snappy", "too early"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void expect_records(const char *path, enum sl_compression compression) {
    struct sl_error err;
    struct sl_record_reader *r;
    struct sl_str record;
    bool at_end;
    const size_t sizes[] = {3, 0, 100}, places[] = {0, 19, 35};
    assert_ok(err, sl_record_reader_open(&r, path, compression, &err));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sl_record_reader_position(r), places[i]);
        assert_ok(err, sl_record_reader_next(&record, &at_end, r, &err));
        assert_true(!at_end && record.n == sizes[i]);
        if (i == 0) assert_memory_equal(record.p, "abc", 3);
    }
    assert_ok(err, sl_record_reader_next(&record, &at_end, r, &err));
    assert_true(at_end);
    sl_record_reader_close(r);
}

static void tensorflows_records(void **state) {
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/ckpt/records%s", SL_TEST_DATA, kinds[i].ending);
        expect_records(path, kinds[i].compression);
    }
}

static void records_come_back(void **state) {
    (void)state;
    struct sl_error err;
    char x[101] = {0};
    memset(x, 'x', 100);
    for (int i = 0; i < KINDS; i++) {
        struct sl_record_writer *w;
        assert_ok(err, sl_record_writer_open(&w, "records", SL_WRITER_TRUNCATE, kinds[i].compression, &err));
        assert_ok(err, sl_record_writer_add(w, SL_STR("abc"), &err));
        assert_ok(err, sl_record_writer_flush(w, &err));
        assert_ok(err, sl_record_writer_add(w, SL_STR(""), &err));
        assert_ok(err, sl_record_writer_add(w, sl_str_of(x), &err));
        assert_ok(err, sl_record_writer_close(w, false, &err));
        expect_records("records", kinds[i].compression);
    }
}

/* Reads to the end or to the first error. */
static sl_code read_all(int *n, const char *path, enum sl_compression compression, struct sl_error *err) {
    struct sl_record_reader *r;
    struct sl_str record;
    bool at_end = false;
    SL_TRY(sl_record_reader_open(&r, path, compression, err));
    sl_code code = SL_OK;
    for (*n = 0; code == SL_OK && !at_end; *n += code == SL_OK && !at_end)
        code = sl_record_reader_next(&record, &at_end, r, err);
    sl_record_reader_close(r);
    return code;
}

static void cuts_and_damage(void **state) {
    (void)state;
    struct sl_error err;
    int n;
    for (int kind = 0; kind < KINDS; kind++) {
        char path[512], *bytes;
        size_t size;
        snprintf(path, sizeof path, "%s/ckpt/records%s", SL_TEST_DATA, kinds[kind].ending);
        assert_ok(err, sl_file_read(&bytes, &size, path, 1 << 20, &err));
        for (size_t cut = 1; cut < size; cut++) {
            assert_ok(err, sl_file_write("cut", bytes, cut, &err));
            bool is_border = kind == 0 && (cut == 19 || cut == 35);
            sl_error_clear(&err);
            assert_int_equal(read_all(&n, "cut", kinds[kind].compression, &err), is_border ? SL_OK : SL_DATA_LOSS);
            if (!is_border) assert_non_null(strstr(err.message, kinds[kind].cut));
        }
        for (size_t i = 0; kind == 0 && i < size; i++) {
            bytes[i] ^= 16;
            assert_ok(err, sl_file_write("cut", bytes, size, &err));
            assert_fails(err, SL_DATA_LOSS, "cut; corrupted record at ",
                         read_all(&n, "cut", SL_COMPRESSION_NONE, &err));
            bytes[i] ^= 16;
        }
        sl_free(bytes);
    }
    assert_fails(err, SL_NOT_FOUND, "nobody", read_all(&n, "nobody", SL_COMPRESSION_NONE, &err));
    enum sl_compression c;
    assert_fails(err, SL_INVALID_ARGUMENT, "BZIP", sl_compression_parse(&c, SL_STR("BZIP"), &err));
}

static void lines_of_text(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_byte_stream *s;
    struct sl_str line;
    bool at_end;
    enum { LONG = 200000 };
    char *bytes = sl_malloc(LONG + 64);
    int n = sprintf(bytes, "one\n\nt\rwo\r\n");
    memset(bytes + n, 'z', LONG);
    assert_ok(err, sl_file_write("text", bytes, (size_t)n + LONG, &err));
    assert_ok(err, sl_byte_stream_open(&s, "text", SL_COMPRESSION_NONE, &err));
    const char *const expected[] = {"one", "", "t\rwo"};
    for (int i = 0; i < 3; i++) {
        assert_ok(err, sl_byte_stream_line(&line, &at_end, s, &err));
        assert_true(!at_end && sl_str_is(line, expected[i]));
    }
    assert_ok(err, sl_byte_stream_line(&line, &at_end, s, &err));
    assert_true(!at_end && line.n == LONG && line.p[LONG - 1] == 'z');
    assert_ok(err, sl_byte_stream_line(&line, &at_end, s, &err));
    assert_true(at_end);
    sl_byte_stream_close(s);
    sl_free(bytes);
}

static void states_of_readers(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_arena arena;
    struct sl_str bytes, name = SL_STR("reader");
    struct sl_reader_state s = {3, 2, 40, SL_STR("file")}, back;
    sl_arena_init(&arena);
    assert_ok(err, sl_reader_state_encode(&bytes, &s, &arena, &err));
    assert_ok(err, sl_reader_state_decode(&back, bytes, name, &err));
    assert_true(back.work_started == 3 && back.work_finished == 2 && back.records_produced == 40);
    assert_true(sl_str_is(back.current_work, "file"));
    const struct sl_reader_state bad[] = {{-1, 0, 0, {0}}, {2, 0, 0, {0}}, {0, 1, 0, {0}}, {0, 0, -1, {0}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_ok(err, sl_reader_state_encode(&bytes, &bad[i], &arena, &err));
        assert_fails(err, SL_INVALID_ARGUMENT, "in reader", sl_reader_state_decode(&back, bytes, name, &err));
    }
    assert_fails(err, SL_INVALID_ARGUMENT, "Could not parse",
                 sl_reader_state_decode(&back, SL_STR("\xff"), name, &err));
    sl_arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensorflows_records), cmocka_unit_test(records_come_back), cmocka_unit_test(cuts_and_damage),
        cmocka_unit_test(lines_of_text),       cmocka_unit_test(states_of_readers),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
