/* Ops of datasets that keep their elements in files: what the ops make of their attrs and inputs. What the datasets do is
 * tested with them (tests/unit/data/test_stored_data.c). */
#include "unit/any/one_node.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ckpt/record.h"
#include "data/data_walk.h"
#include "os/file.h"

#define LIST(key, types) "attr { key: '" key "' value { list { type: [" types "] } } } "
#define FUNC(key, name)  "attr { key: '" key "' value { func { name: '" name "' } } } "
#define WORD(key, text)  "attr { key: '" key "' value { s: '" text "' } } "
#define ELEMENTS(type)                                                                                                 \
    LIST("output_types", type) "attr { key: 'output_shapes' value { list { shape: { unknown_rank: true } } } } "
#define NUMBERS ELEMENTS("DT_INT64")
#define SAVES   FUNC("shard_func", "parity") LIST("Tshard_func_args", "")
#define LOADS   FUNC("reader_func", "all_shards") LIST("Treader_func_args", "")

static struct bench *the_bench;

/* ---- functions */

static sl_code parity(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    const int64_t *x = sl_value_scalar(&args[0]);
    rets[0] = i64(*x & 1);
    return SL_OK;
}
static sl_code same(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = share(args[0]);
    return SL_OK;
}
static sl_code all_shards(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = RUN(the_bench, "FlatMapDataset", NUMBERS FUNC("f", "same") LIST("Targuments", ""), share(args[0]));
    return SL_OK;
}
static struct fake_function functions[] = {
    {"parity", 1, 1, {SL_INT64}, {SL_INT64}, parity, 0},
    {"same", 1, 1, {SL_VARIANT}, {SL_VARIANT}, same, 0},
    {"all_shards", 1, 1, {SL_VARIANT}, {SL_VARIANT}, all_shards, 0},
};
static struct fake_functions fake;

/* ---- walking */

static struct sl_value range(int64_t n) { return RUN(the_bench, "RangeDataset", NUMBERS, i64(0), i64(n), i64(1)); }

/* All elements, which are numbers or strings; drops the dataset. */
static void gives(struct sl_value dataset, const char *expected) {
    struct bench *b = the_bench;
    struct sl_dataset *d;
    struct sl_data_walk *walk;
    struct sl_value element;
    char text[256] = "";
    bool is_end = false;
    assert_ok(b->err, sl_dataset_of_value(&d, &dataset, &b->err));
    assert_ok(b->err, sl_data_walk_new(&walk, d, &b->env, &b->err));
    for (;;) {
        assert_ok(b->err, sl_data_walk_next(walk, &element, &is_end, &b->env, &b->err));
        if (is_end) break;
        const struct sl_view v = sl_value_view(&element);
        const size_t n = strlen(text);
        if (v.dtype == SL_STRING) snprintf(text + n, sizeof text - n, "%.*s ", SL_STR_ARG(sl_string_get(v.data)));
        else snprintf(text + n, sizeof text - n, "%lld ", (long long)*(const int64_t *)v.data);
        sl_value_clear(&element);
    }
    sl_data_walk_unref(walk);
    sl_value_clear(&dataset);
    assert_string_equal(text, expected);
}

/* ---- the ops */

static void saving_and_loading(void **state) {
    struct bench *b = *state;
    assert_ok(b->err,
              run_once(b, NULL, "SaveDataset", SAVES WORD("compression", "SNAPPY"), INPUTS(range(5), text("a"))));
    gives(RUN(b, "LoadDataset", NUMBERS LOADS WORD("compression", "SNAPPY"), text("a")), "0 2 4 1 3 ");
    gives(RUN(b, "SaveDatasetV2", NUMBERS SAVES, range(4), text("b")), "0 1 2 3 ");
    gives(RUN(b, "LoadDataset", NUMBERS LOADS, text("b")), "0 2 1 3 ");
    gives(RUN(b, "SaveDatasetV2", NUMBERS SAVES "attr { key: 'use_shard_func' value { b: false } } ", range(4),
              text("b")),
          "0 1 2 3 ");
    gives(RUN(b, "LoadDataset", NUMBERS LOADS, text("b")), "0 1 2 3 ");
    REFUSED(b, SL_NOT_FOUND, "Could not find metadata file [c]", "LoadDataset", NUMBERS LOADS, text("c"));
}

static void snapshots(void **state) {
    struct bench *b = *state;
    const char *const attrs = NUMBERS SAVES LOADS WORD("compression", "SNAPPY");
    gives(RUN(b, "SnapshotDatasetV2", attrs, range(4), text("snap")), "0 1 2 3 ");
    gives(RUN(b, "SnapshotDatasetV2", attrs, range(4), text("snap")), "0 2 1 3 ");
    const char *const named = NUMBERS SAVES LOADS "attr { key: 'hash_valid' value { b: true } } "
                                                  "attr { key: 'hash' value { i: -1 } } ";
    gives(RUN(b, "SnapshotDatasetV2", named, range(2), text("named")), "0 1 ");
    assert_ok(b->err, sl_file_exists("named/18446744073709551615/snapshot.metadata", &b->err));
    const char *const older = NUMBERS WORD("snapshot_name", "x") WORD("compression", "SNAPPY");
    gives(RUN(b, "SnapshotDataset", older, range(4), text("older")), "0 1 2 3 ");
    gives(RUN(b, "SnapshotDataset", older, range(9), text("older")), "0 1 2 3 ");
    assert_int_equal(node_try_to_make(b, "SnapshotDataset", NUMBERS WORD("mode", "now")), SL_INVALID_ARGUMENT);
    assert_int_equal(node_try_to_make(b, "SnapshotDataset", NUMBERS WORD("compression", "ZLIB")), SL_INVALID_ARGUMENT);
}

#define VERSION(n) "attr { key: 'version' value { i: " #n " } } "

static void readers_of_chunks(void **state) {
    struct bench *b = *state;
    struct sl_arena arena;
    char **paths;
    size_t n;
    sl_arena_init(&arena);
    assert_ok(b->err, run_once(b, NULL, "SaveDataset", SAVES, INPUTS(range(5), text("d"))));
    assert_ok(b->err, sl_path_glob(&paths, &n, "d/*/*.shard", &arena, &b->err));
    assert_int_equal(n, 2);
    gives(RUN(b, "SnapshotDatasetReader", NUMBERS VERSION(2), text(paths[0]), i64(0)), "0 2 4 ");
    gives(RUN(b, "SnapshotDatasetReader", NUMBERS VERSION(2), text(paths[0]), i64(2)), "4 ");
    REFUSED(b, SL_INVALID_ARGUMENT, "Snapshot reader version: 3 is not supported.", "SnapshotDatasetReader",
            NUMBERS VERSION(3), text(paths[0]), i64(0));
    struct sl_value nested =
        RUN(b, "SnapshotNestedDatasetReader", ELEMENTS("DT_VARIANT") "attr { key: 'N' value { i: 2 } } ",
            RUN(b, "SnapshotDatasetReader", NUMBERS VERSION(2), text(paths[1]), i64(0)), range(2));
    gives(RUN(b, "FlatMapDataset", NUMBERS FUNC("f", "same") LIST("Targuments", ""), nested), "1 3 0 1 ");
    char *chunk = sl_path_join(&arena, paths[1], "00000000.snapshot");
    gives(RUN(b, "SnapshotChunkDataset", NUMBERS, text(chunk)), "1 3 ");
    assert_ok(b->err, sl_dir_create_all("e/chunks", &b->err));
    assert_ok(b->err, sl_file_write("e/chunks/chunk_0_0_2", "", 0, &b->err));
    assert_ok(b->err, sl_file_write("e/DONE", "", 0, &b->err));
    gives(RUN(b, "ListSnapshotChunksDataset", ELEMENTS("DT_STRING"), text("e")), "e/chunks/chunk_0_0_2 ");
    sl_arena_clear(&arena);
}

static struct sl_value words(const char *one) {
    return RUN(the_bench, "TensorDataset",
               LIST("Toutput_types", "DT_STRING") "attr { key: 'output_shapes' value { list { shape: { } } } } ",
               text(one));
}

static void records_of_a_dataset(void **state) {
    struct bench *b = *state;
    const char *const ops[] = {"DatasetToTFRecord", "ExperimentalDatasetToTFRecord"};
    for (int i = 0; i < 2; i++) {
        assert_ok(b->err, run_once(b, NULL, ops[i], "", INPUTS(words("abc"), text("records"), text("SNAPPY"))));
        gives(RUN(b, "TFRecordDataset", ELEMENTS("DT_STRING"), text("records"), text("SNAPPY"), i64(0)), "abc ");
        REFUSED(b, SL_INVALID_ARGUMENT, "only supports DT_STRING", ops[i], "", range(2), text("other"), text(""));
        REFUSED(b, SL_INVALID_ARGUMENT, "Unsupported compression_type: LZ4", ops[i], "", words("abc"), text("other"),
                text("LZ4"));
        assert_fails(b->err, SL_NOT_FOUND, "other", sl_file_exists("other", &b->err));
    }
}

/* ---- in a folder of their own */

static struct sl_arena arena;
static char *folder, at_first[4096];

static int enter(void **state) {
    struct sl_error err;
    sl_arena_init(&arena);
    if (!getcwd(at_first, sizeof at_first)) return 1;
    folder = sl_path_temporary(&arena, sl_path_join(&arena, sl_path_temporary_dir(), "sluice_stored_dataset"));
    assert_ok(err, sl_dir_create_all(folder, &err));
    assert_int_equal(chdir(folder), 0);
    if (bench_setup(state)) return 1;
    the_bench = *state;
    fake_functions_use(&fake, the_bench, functions, (int)(sizeof functions / sizeof *functions));
    return 0;
}
static int leave(void **state) {
    struct sl_error err;
    assert_int_equal(chdir(at_first), 0);
    assert_ok(err, sl_dir_remove_all(folder, &err));
    sl_arena_clear(&arena);
    return bench_teardown(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saving_and_loading),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(readers_of_chunks),
        cmocka_unit_test(records_of_a_dataset),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
