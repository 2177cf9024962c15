/* Readers and files: records and keys kind by kind, waiting for a file, counts, states. What is expected was seen in
 * TensorFlow. */
#include "unit/any/one_node.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STRINGS                                                                                                        \
    "attr { key: 'component_types' value { list { type: DT_STRING } } } "                                              \
    "attr { key: 'shapes' value { list { shape { } } } }"
#define T_STRING         "attr { key: 'Tcomponents' value { list { type: DT_STRING } } }"
#define INT(name, value) "attr { key: '" name "' value { i: " #value " } } "

static void write_bytes(const char *path, const char *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fwrite(bytes, 1, n, f);
    fclose(f);
}

static char dir[64];
static int make_files(void **state) {
    strcpy(dir, "/tmp/sluice-test-XXXXXX");
    if (!mkdtemp(dir) || chdir(dir) != 0) return -1;
    write_bytes("t", "h1\nh2\r\none\n\nlast", 16);
    write_bytes("e", "", 0);
    write_bytes("f", "HHabcdefghijFF", 14);
    return bench_setup(state);
}
static int remove_files(void **state) {
    unlink("t"), unlink("e"), unlink("f"), unlink("w/x"), rmdir("w");
    return chdir("/") == 0 && rmdir(dir) == 0 ? bench_teardown(state) : -1;
}

static struct sl_value make(struct bench *b, const char *op, const char *attrs) {
    struct node n;
    node_make(&n, b, op, attrs);
    assert_ok(b->err, node_run(&n));
    struct sl_value v = node_take(&n, 0);
    node_end(&n);
    return v;
}
/* The two forms of the ops, by reference and by resource. */
enum { BY_REFERENCE, BY_RESOURCE };
static const struct {
    const char *queue, *put, *close, *read, *read_up_to, *records, *units, *reset, *serialize, *restore;
} forms[] = {
    {"FIFOQueue", "QueueEnqueue", "QueueClose", "ReaderRead", "ReaderReadUpTo", "ReaderNumRecordsProduced",
     "ReaderNumWorkUnitsCompleted", "ReaderReset", "ReaderSerializeState", "ReaderRestoreState"},
    {"FIFOQueueV2", "QueueEnqueueV2", "QueueCloseV2", "ReaderReadV2", "ReaderReadUpToV2", "ReaderNumRecordsProducedV2",
     "ReaderNumWorkUnitsCompletedV2", "ReaderResetV2", "ReaderSerializeStateV2", "ReaderRestoreStateV2"},
};
static int form_of(struct sl_value handle) { return handle.kind == SL_VALUE_REF ? BY_REFERENCE : BY_RESOURCE; }

static void put(struct bench *b, struct sl_value q, const char *file) {
    assert_ok(b->err, run_once(b, NULL, forms[form_of(q)].put, T_STRING, INPUTS(share(q), text(file))));
}
static void close_queue(struct bench *b, struct sl_value q) {
    assert_ok(b->err, run_once(b, NULL, forms[form_of(q)].close, "", INPUTS(share(q))));
}
static void expect_read(struct bench *b, struct sl_value r, struct sl_value q, const char *key, const char *record) {
    struct sl_value outs[2];
    assert_ok(b->err, run_once(b, outs, forms[form_of(r)].read, "", INPUTS(share(r), share(q))));
    struct sl_str k = sl_string_get(sl_value_view(&outs[0]).data), v = sl_string_get(sl_value_view(&outs[1]).data);
    if (!sl_str_is(k, key) || !sl_str_is(v, record)) fail_msg("%.*s %.*s", SL_STR_ARG(k), SL_STR_ARG(v));
    sl_value_clear(&outs[0]);
    sl_value_clear(&outs[1]);
}
static void expect_end(struct bench *b, struct sl_value r, struct sl_value q, const char *records, const char *units) {
    REFUSED(b, SL_OUT_OF_RANGE, "is closed and has insufficient elements (requested 1, current size 0)",
            forms[form_of(r)].read, "", share(r), share(q));
    take_and_expect(RUN(b, forms[form_of(r)].records, "", share(r)), "[]", records);
    take_and_expect(RUN(b, forms[form_of(r)].units, "", share(r)), "[]", units);
}

struct expected {
    const char *ops[2], *attrs, *files[2];
    const char *records[6][2]; /* key, record */
    const char *n, *units;
};

static void records_and_keys(void **state) {
    struct bench *b = *state;
    static const struct expected rows[] = {
        {{"TextLineReader", "TextLineReaderV2"},
         "",
         {"e", "t"},
         {{"t:1", "h1"}, {"t:2", "h2"}, {"t:3", "one"}, {"t:4", ""}, {"t:5", "last"}},
         "5",
         "2"},
        {{"TextLineReader", "TextLineReaderV2"},
         INT("skip_header_lines", 2),
         {"t", "e"},
         {{"t:3", "one"}, {"t:4", ""}, {"t:5", "last"}},
         "3",
         "2"},
        {{"FixedLengthRecordReader", "FixedLengthRecordReaderV2"},
         INT("header_bytes", 2) INT("record_bytes", 4) INT("footer_bytes", 2),
         {"f"},
         {{"f:0", "abcd"}, {"f:1", "efgh"}},
         "2",
         "1"},
        {{"FixedLengthRecordReader", "FixedLengthRecordReaderV2"},
         INT("header_bytes", 2) INT("record_bytes", 4) INT("footer_bytes", 2) INT("hop_bytes", 2),
         {"f"},
         {{"f:0", "abcd"}, {"f:1", "cdef"}, {"f:2", "efgh"}, {"f:3", "ghij"}},
         "4",
         "1"},
        {{"FixedLengthRecordReader", "FixedLengthRecordReaderV2"},
         INT("header_bytes", 2) INT("record_bytes", 2) INT("footer_bytes", 2) INT("hop_bytes", 5),
         {"f"},
         {{"f:0", "ab"}, {"f:1", "fg"}},
         "2",
         "1"},
        {{"WholeFileReader", "WholeFileReaderV2"}, "", {"f", "e"}, {{"f", "HHabcdefghijFF"}, {"e", ""}}, "2", "2"},
        {{"IdentityReader", "IdentityReaderV2"}, "", {"f", "nobody"}, {{"f", "f"}, {"nobody", "nobody"}}, "2", "2"},
    };
    for (size_t i = 0; i < 2 * (sizeof rows / sizeof *rows); i++) {
        const struct expected *e = &rows[i / 2];
        int form = i % 2;
        char name[512];
        snprintf(name, sizeof name, "%s attr { key: 'shared_name' value { s: 'r%zu' } }", e->attrs, i);
        struct sl_value q = make(b, forms[form].queue, STRINGS), r = make(b, e->ops[form], name);
        assert_int_equal(form_of(r), form);
        for (int f = 0; f < 2 && e->files[f]; f++) put(b, q, e->files[f]);
        close_queue(b, q);
        for (int k = 0; k < 6 && e->records[k][0]; k++) expect_read(b, r, q, e->records[k][0], e->records[k][1]);
        expect_end(b, r, q, e->n, e->units);
        assert_ok(b->err, run_once(b, NULL, forms[form].reset, "", INPUTS(share(r))));
        take_and_expect(RUN(b, forms[form].records, "", share(r)), "[]", "0");
        sl_value_clear(&q);
        sl_value_clear(&r);
    }
}

static void reading_up_to_some(void **state) {
    struct bench *b = *state;
    static const char *const readers[] = {"TextLineReader", "TextLineReaderV2"};
    for (int form = 0; form < 2; form++) {
        const char *up_to = forms[form].read_up_to;
        struct sl_value q = make(b, forms[form].queue, STRINGS), r = make(b, readers[form], ""), outs[2];
        put(b, q, "e");
        put(b, q, "t");
        put(b, q, "t");
        assert_ok(b->err, run_once(b, outs, up_to, "", INPUTS(share(r), share(q), i64(4))));
        take_and_expect(outs[1], "[4]", "h1 h2 one ");
        sl_value_clear(&outs[0]);
        assert_ok(b->err, run_once(b, outs, up_to, "", INPUTS(share(r), share(q), i64(4))));
        take_and_expect(outs[0], "[1]", "t:5"); /* what is left of the file, no more */
        sl_value_clear(&outs[1]);
        REFUSED(b, SL_INVALID_ARGUMENT, "num_records", up_to, "", share(r), share(q), i64(0));
        REFUSED(b, SL_UNIMPLEMENTED, "SerializeState", forms[form].serialize, "", share(r));
        sl_value_clear(&q);
        sl_value_clear(&r);
    }
}

static void a_read_waits_for_a_file(void **state) {
    struct bench *b = *state;
    struct sl_value q = make(b, "FIFOQueueV2", STRINGS), r = make(b, "WholeFileReaderV2", "");
    struct node n;
    node_make(&n, b, "ReaderReadV2", "");
    node_in(&n, 0, share(r));
    node_in(&n, 1, share(q));
    node_start(&n);
    assert_false(n.is_done);
    put(b, q, "e");
    assert_true(n.is_done);
    assert_int_equal(n.code, SL_OK);
    node_end(&n);
    sl_value_clear(&q);
    sl_value_clear(&r);
}

static void failures_and_states(void **state) {
    struct bench *b = *state;
    struct sl_value q = make(b, "FIFOQueueV2", STRINGS), r = make(b, "TFRecordReaderV2", "");
    struct sl_value ints = make(b, "FIFOQueueV2",
                                "attr { key: 'component_types' value { list { type: DT_INT32 } } } "
                                "attr { key: 'shared_name' value { s: 'ints' } }");
    put(b, q, "nobody");
    put(b, q, "t");
    REFUSED(b, SL_NOT_FOUND, "nobody", "ReaderReadV2", "", share(r), share(q));
    REFUSED(b, SL_DATA_LOSS, "record at 0", "ReaderReadV2", "", share(r), share(q));
    REFUSED(b, SL_INVALID_ARGUMENT, "queue must have", "ReaderReadV2", "", share(r), share(ints));
    sl_value_clear(&q);
    sl_value_clear(&r);
    sl_value_clear(&ints);
    q = make(b, "FIFOQueue", STRINGS);
    r = make(b, "TFRecordReader", "attr { key: 'shared_name' value { s: 'another' } }");
    put(b, q, SL_TEST_DATA "/ckpt/records");
    struct sl_value outs[2];
    assert_ok(b->err, run_once(b, outs, "ReaderRead", "", INPUTS(share(r), share(q))));
    sl_value_clear(&outs[0]);
    sl_value_clear(&outs[1]);
    take_and_expect(RUN(b, "ReaderNumRecordsProduced", "", share(r)), "[]", "1");
    sl_value_clear(&q);
    sl_value_clear(&r);
}

static void states_are_kept(void **state) {
    struct bench *b = *state;
    static const char *const readers[][2] = {
        {"IdentityReader", "attr { key: 'shared_name' value { s: 'one' } }"},
        {"IdentityReaderV2", "attr { key: 'shared_name' value { s: 'two' } }"},
    };
    for (int form = 0; form < 2; form++) {
        struct sl_value r = make(b, readers[form][0], readers[form][1]), q = make(b, forms[form].queue, STRINGS);
        put(b, q, "x");
        expect_read(b, r, q, "x", "x");
        struct sl_value saved = RUN(b, forms[form].serialize, "", share(r));
        assert_true(sl_str_eq(sl_string_get(sl_value_view(&saved).data), SL_STR("\x08\x01\x10\x01\x18\x01")));
        assert_ok(b->err, run_once(b, NULL, forms[form].reset, "", INPUTS(share(r))));
        take_and_expect(RUN(b, forms[form].records, "", share(r)), "[]", "0");
        assert_ok(b->err, run_once(b, NULL, forms[form].restore, "", INPUTS(share(r), saved)));
        take_and_expect(RUN(b, forms[form].records, "", share(r)), "[]", "1");
        REFUSED(b, SL_INVALID_ARGUMENT, "", forms[form].restore, "", share(r), text("x"));
        sl_value_clear(&q);
        sl_value_clear(&r);
    }
}

static void whole_files(void **state) {
    struct bench *b = *state;
    assert_ok(b->err, run_once(b, NULL, "WriteFile", "", INPUTS(text("w/x"), text("contents"))));
    take_and_expect(RUN(b, "ReadFile", "", text("w/x")), "[]", "contents");
    take_and_expect(RUN(b, "MatchingFiles", "", text("[ef]")), "[2]", "./e ./f");
    take_and_expect(RUN(b, "MatchingFiles", "", text("none*")), "[0]", "");
    REFUSED(b, SL_NOT_FOUND, "nobody; No such file or directory", "ReadFile", "", text("nobody"));
}

/* Each epoch gives every record once, whatever the order. */
static void records_again_and_again(void **state) {
    struct bench *b = *state;
    struct node n;
    node_make(&n, b, "RecordInput",
              "attr { key: 'file_pattern' value { s: '" SL_TEST_DATA "/ckpt/record[s]' } }" INT("batch_size", 6)
                  INT("file_buffer_size", 2));
    for (int run = 0; run < 3; run++) {
        int of_length[101] = {0};
        assert_ok(b->err, node_run(&n));
        struct sl_value v = node_take(&n, 0);
        for (int i = 0; i < 6; i++) of_length[sl_string_get((TF_TString *)sl_value_view(&v).data + i).n]++;
        assert_true(of_length[3] == 2 && of_length[0] == 2 && of_length[100] == 2);
        sl_value_clear(&v);
    }
    node_end(&n);
    const struct {
        sl_code code;
        const char *pattern, *why;
    } bad[] = {{SL_NOT_FOUND, "nobody*", "Found no files at nobody*"},
               {SL_OUT_OF_RANGE, "e", "Found no records at e"},
               {SL_DATA_LOSS, "t", "record at 0"}};
    for (int i = 0; i < 3; i++) {
        char attrs[128];
        snprintf(attrs, sizeof attrs, "attr { key: 'file_pattern' value { s: '%s' } }", bad[i].pattern);
        assert_fails(b->err, bad[i].code, bad[i].why, run_once(b, NULL, "RecordInput", attrs, NULL, 0));
    }
}

/* ---- saving and restoring */

#define FLOATS(n)     "attr { key: 'dtypes' value { list { " n " } } }"
#define T_FLOATS(n)   "attr { key: 'T' value { list { " n " } } }"
#define ONE           "type: DT_FLOAT "
#define DT_FLOAT_ATTR "attr { key: 'dt' value { type: DT_FLOAT } }"

static struct sl_value texts(int n, const char *const *s) {
    struct sl_value v;
    struct sl_error err;
    assert_ok(err, sl_value_new(&v, SL_STRING, (struct sl_shape){1, (int64_t[]){n}}, &err));
    TF_TString *to = sl_value_view(&v).data;
    for (int i = 0; i < n; i++) assert_ok(err, sl_string_set(&to[i], sl_str_of(s[i]), &err));
    return v;
}
#define TEXTS(...)                                                                                                     \
    texts((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), (const char *const[]){__VA_ARGS__})

static void saved_and_restored(void **state) {
    struct bench *b = *state;
    struct sl_value two[2];
    assert_ok(b->err, run_once(b, NULL, "SaveV2", FLOATS(ONE ONE),
                               INPUTS(text("w/c"), TEXTS("x", "p"), TEXTS("", "2 2 0,1:-"), VEC_F32(1, 2),
                                      mat_f32(1, 2, (const float[]){3, 4}))));
    assert_ok(b->err,
              run_once(b, NULL, "SaveV2", FLOATS(ONE),
                       INPUTS(text("w/d"), TEXTS("p"), TEXTS("2 2 1,1:-"), mat_f32(1, 2, (const float[]){5, 6}))));
    assert_ok(b->err, run_once(b, NULL, "MergeV2Checkpoints", "", INPUTS(TEXTS("w/c", "w/d"), text("w/m"))));
    assert_ok(b->err,
              run_once(b, two, "RestoreV2", FLOATS(ONE ONE), INPUTS(text("w/m"), TEXTS("p", "x"), TEXTS("", ""))));
    take_and_expect(two[0], "[2,2]", "[3 4][5 6]");
    take_and_expect(two[1], "[2]", "1 2");
    take_and_expect(RUN(b, "RestoreV2", FLOATS(ONE), text("w/m"), TEXTS("p"), TEXTS("2 2 -:1,1")), "[2,1]", "[4][6]");
    REFUSED(b, SL_NOT_FOUND, "Key nobody not found in checkpoint", "RestoreV2", FLOATS(ONE), text("w/m"),
            TEXTS("nobody"), TEXTS(""));
    REFUSED(b, SL_INVALID_ARGUMENT, "tensor_name = x; expected dtype int32 does not equal original dtype float",
            "RestoreV2", FLOATS("type: DT_INT32"), text("w/m"), TEXTS("x"), TEXTS(""));
    REFUSED(b, SL_INVALID_ARGUMENT, "does not match the shape stored in checkpoint: [2]", "RestoreV2", FLOATS(ONE),
            text("w/m"), TEXTS("x"), TEXTS("3 0,1"));
    REFUSED(b, SL_NOT_FOUND, "Failed to find any matching files for w/c", "RestoreV2", FLOATS(ONE), text("w/c"),
            TEXTS("x"), TEXTS(""));
    REFUSED(b, SL_INVALID_ARGUMENT, "duplicate key: x", "SaveV2", FLOATS(ONE ONE), text("w/c"), TEXTS("x", "x"),
            TEXTS("", ""), f32(1), f32(2));
    assert_ok(b->err, run_once(b, NULL, "WriteFile", "", INPUTS(text("w/x"), text(""))));
    unlink("w/m.index"), unlink("w/m.data-00000-of-00002"), unlink("w/m.data-00001-of-00002");
}

static void the_old_format(void **state) {
    struct bench *b = *state;
    assert_ok(b->err, run_once(b, NULL, "Save", T_FLOATS(ONE ONE),
                               INPUTS(text("w/old"), TEXTS("y", "x"), f32(7), VEC_F32(1, 2))));
    take_and_expect(RUN(b, "Restore", DT_FLOAT_ATTR, text("w/old"), text("x")), "[2]", "1 2");
    assert_ok(b->err, run_once(b, NULL, "SaveSlices", T_FLOATS(ONE),
                               INPUTS(text("w/old"), TEXTS("p"), TEXTS("4 1,2"), VEC_F32(8, 9))));
    take_and_expect(RUN(b, "RestoreSlice", DT_FLOAT_ATTR, text("w/o*"), text("p"), text("4 2,1")), "[1]", "9");
    REFUSED(b, SL_INVALID_ARGUMENT, "do not make up", "Restore", DT_FLOAT_ATTR, text("w/old"), text("p"));
    take_and_expect(RUN(b, "RestoreV2", FLOATS(ONE), text("w/old"), TEXTS("p"), TEXTS("4 1,2")), "[2]", "8 9");
    unlink("w/old");
    assert_ok(b->err, run_once(b, NULL, "WriteFile", "", INPUTS(text("w/x"), text(""))));
}

/* ---- another vocabulary. What is expected was seen in TensorFlow. */

static void words_in_another_vocabulary(void **state) {
    struct bench *b = *state;
    static const struct {
        const char *attrs, *old, *remapping, *present, *shape;
    } good[] = {{INT("new_vocab_offset", 0) INT("num_new_vocab", 3), "a\nb\nc\n", "-1 2 0", "2", "[3]"},
                {INT("new_vocab_offset", 1) INT("num_new_vocab", 2), "a\nb\nc\n", "2 0", "2", "[2]"},
                {INT("new_vocab_offset", 0) INT("num_new_vocab", 3) INT("old_vocab_size", 2), "a\nb\nc\n", "-1 -1 0",
                 "1", "[3]"},
                {INT("new_vocab_offset", 0) INT("num_new_vocab", 0), "a\n", "", "0", "[0]"}};
    write_bytes("t", "x\nc\na\n", 6);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sl_value outs[2];
        write_bytes("e", good[i].old, strlen(good[i].old));
        assert_ok(b->err, run_once(b, outs, "GenerateVocabRemapping", good[i].attrs, INPUTS(text("t"), text("e"))));
        take_and_expect(outs[0], good[i].shape, good[i].remapping);
        take_and_expect(outs[1], "[]", good[i].present);
    }
    write_bytes("e", "a\nb\nc\nb\n", 8);
    REFUSED(b, SL_INVALID_ARGUMENT, "larger than last new vocab entry's line", "GenerateVocabRemapping",
            INT("new_vocab_offset", 2) INT("num_new_vocab", 2) INT("old_vocab_size", 2), text("t"), text("e"));
    REFUSED(b, SL_FAILED_PRECONDITION, "Key b has 1 and trying to add value 3", "GenerateVocabRemapping",
            INT("new_vocab_offset", 0) INT("num_new_vocab", 2), text("t"), text("e"));
    REFUSED(b, SL_INVALID_ARGUMENT, "expected 2 but got 1", "GenerateVocabRemapping",
            INT("new_vocab_offset", 0) INT("num_new_vocab", 2) INT("old_vocab_size", 2), text("t"), text("f"));
}

#define SIZES(rows, columns) INT("num_rows", rows) INT("num_cols", columns)

static void a_matrix_in_another_order(void **state) {
    struct bench *b = *state;
    const float m[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    struct sl_value none_f = vec_f32(0, NULL), none_i = vec_i64(0, NULL);
    assert_ok(b->err, run_once(b, NULL, "SaveV2", FLOATS(ONE ONE),
                               INPUTS(text("w/c"), TEXTS("m", "v"), TEXTS("", ""), mat_f32(4, 3, m), VEC_F32(1, 2))));
    take_and_expect(RUN(b, "LoadAndRemapMatrix", SIZES(2, 2), text("w/c"), text("m"), VEC_I64(3, 0), VEC_I64(2, 1),
                        share(none_f)),
                    "[2,2]", "[11 10][2 1]");
    take_and_expect(RUN(b, "LoadAndRemapMatrix", SIZES(3, 2), text("w/c"), text("m"), VEC_I64(3, -1, 0), VEC_I64(2, -1),
                        VEC_F32(10, 11, 12, 13)),
                    "[3,2]", "[11 10][11 12][2 13]");
    take_and_expect(RUN(b, "LoadAndRemapMatrix", SIZES(2, 3), text("w/c"), text("m"), VEC_I64(1, -1), share(none_i),
                        VEC_F32(7, 8, 9)),
                    "[2,3]", "[3 4 5][7 8 9]");
    REFUSED(b, SL_INVALID_ARGUMENT, "more missing values remain", "LoadAndRemapMatrix", SIZES(1, 2), text("w/c"),
            text("m"), VEC_I64(-1), VEC_I64(2, 1), VEC_F32(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "but only 0 elements were used", "LoadAndRemapMatrix", SIZES(1, 2), text("w/c"),
            text("m"), VEC_I64(1), VEC_I64(2, 1), VEC_F32(1));
    REFUSED(b, SL_UNIMPLEMENTED, "Old ID 3 is mapped to both new ID 0 and 1", "LoadAndRemapMatrix", SIZES(2, 1),
            text("w/c"), text("m"), VEC_I64(3, 3), VEC_I64(2), share(none_f));
    REFUSED(b, SL_INVALID_ARGUMENT, "Old ID 9", "LoadAndRemapMatrix", SIZES(1, 1), text("w/c"), text("m"), VEC_I64(9),
            VEC_I64(2), share(none_f));
    REFUSED(b, SL_INVALID_ARGUMENT, "instead of being equal to num_cols=2", "LoadAndRemapMatrix", SIZES(1, 2),
            text("w/c"), text("m"), VEC_I64(1), share(none_i), share(none_f));
    REFUSED(b, SL_INVALID_ARGUMENT, "invalid rank 1", "LoadAndRemapMatrix", SIZES(1, 1), text("w/c"), text("v"),
            VEC_I64(1), VEC_I64(1), share(none_f));
    REFUSED(b, SL_INVALID_ARGUMENT, "equal to num_rows=2", "LoadAndRemapMatrix", SIZES(2, 1), text("w/c"), text("m"),
            VEC_I64(1), VEC_I64(1), share(none_f));
    sl_value_clear(&none_f);
    sl_value_clear(&none_i);
    assert_ok(b->err, run_once(b, NULL, "WriteFile", "", INPUTS(text("w/x"), text(""))));
    unlink("w/c.index"), unlink("w/c.data-00000-of-00001");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_files, remove_files)
    const struct CMUnitTest tests[] = {
        TEST(records_and_keys),
        TEST(reading_up_to_some),
        TEST(a_read_waits_for_a_file),
        TEST(failures_and_states),
        TEST(states_are_kept),
        TEST(whole_files),
        TEST(words_in_another_vocabulary),
        TEST(a_matrix_in_another_order),
        TEST(records_again_and_again),
        TEST(saved_and_restored),
        TEST(the_old_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
