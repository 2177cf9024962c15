/* Lookup tables: what each kind keeps and refuses, the order of what they export, files, threads. */
#include "unit/any/one_node.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define LONGS  "attr { key: 'key_dtype' value { type: DT_INT64 } } attr { key: 'value_dtype' value { type: DT_INT64 } }"
#define IN_OUT "attr { key: 'Tin' value { type: DT_INT64 } } attr { key: 'Tout' value { type: DT_INT64 } }"
#define KV     "attr { key: 'Tkey' value { type: DT_INT64 } } attr { key: 'Tval' value { type: DT_INT64 } }"
#define KVS    "attr { key: 'Tkeys' value { type: DT_INT64 } } attr { key: 'Tvalues' value { type: DT_INT64 } }"

static struct sl_value table(struct bench *b, const char *op) {
    struct node n;
    node_make(&n, b, op, LONGS);
    assert_ok(b->err, node_run(&n));
    struct sl_value t = node_take(&n, 0);
    node_end(&n);
    return t;
}
static void insert(struct bench *b, struct sl_value t, struct sl_value keys, struct sl_value values) {
    assert_ok(b->err, run_once(b, NULL, "LookupTableInsertV2", IN_OUT, INPUTS(share(t), keys, values)));
}
static struct sl_value find(struct bench *b, struct sl_value t, struct sl_value keys, struct sl_value otherwise) {
    return RUN(b, "LookupTableFindV2", IN_OUT, share(t), keys, otherwise);
}
static void expect_all(struct bench *b, struct sl_value t, const char *shape, const char *keys, const char *values) {
    struct sl_value outs[2];
    assert_ok(b->err, run_once(b, outs, "LookupTableExportV2", KVS, INPUTS(share(t))));
    take_and_expect(outs[0], shape, keys);
    take_and_expect(outs[1], shape, values);
}

static void static_tables_are_filled_once(void **state) {
    struct bench *b = *state;
    struct sl_value t = table(b, "HashTableV2");
    REFUSED(b, SL_FAILED_PRECONDITION, "Table not initialized.", "LookupTableFindV2", IN_OUT, share(t), VEC_I64(1),
            i64(0));
    REFUSED(b, SL_ABORTED, "HashTable is not initialized.", "LookupTableExportV2", KVS, share(t));
    REFUSED(b, SL_FAILED_PRECONDITION, "has different value for same key. Key 3", "InitializeTableV2", KV, share(t),
            VEC_I64(3, 3), VEC_I64(1, 2));
    REFUSED(b, SL_INVALID_ARGUMENT, "Keys and values must have the same size 2 vs 1", "InitializeTableV2", KV, share(t),
            VEC_I64(3, 4), VEC_I64(1));
    assert_ok(b->err, run_once(b, NULL, "InitializeTableV2", KV, INPUTS(share(t), VEC_I64(3, 4), VEC_I64(1, 2))));
    assert_ok(b->err, run_once(b, NULL, "InitializeTableV2", KV, INPUTS(share(t), VEC_I64(5, 6), VEC_I64(7, 8))));
    REFUSED(b, SL_FAILED_PRECONDITION, "already initialized with different data", "InitializeTableV2", KV, share(t),
            VEC_I64(3), VEC_I64(1));
    take_and_expect(find(b, t, VEC_I64(4, 5, 3), i64(-1)), "[3]", "2 -1 1");
    take_and_expect(find(b, t, i64(4), i64(-1)), "[]", "2");
    REFUSED(b, SL_UNIMPLEMENTED, "Insert not supported", "LookupTableInsertV2", IN_OUT, share(t), VEC_I64(4),
            VEC_I64(5));
    REFUSED(b, SL_INVALID_ARGUMENT, "Expected shape [] or [1] for default value, got [2]", "LookupTableFindV2", IN_OUT,
            share(t), VEC_I64(1), VEC_I64(1, 2));
    sl_value_clear(&t);
}

static void mutable_tables_change(void **state) {
    struct bench *b = *state;
    struct sl_value t = table(b, "MutableHashTableV2");
    insert(b, t, VEC_I64(1, 2, 1), VEC_I64(10, 20, 30));
    insert(b, t, VEC_I64(14), VEC_I64(40)); /* in one bucket with 1 */
    take_and_expect(find(b, t, VEC_I64(1, 9, 14), VEC_I64(7, 8, 9)), "[3]", "30 8 40");
    expect_all(b, t, "[3]", "2 14 1", "20 40 30");
    assert_ok(b->err, run_once(b, NULL, "LookupTableRemoveV2", "attr { key: 'Tin' value { type: DT_INT64 } }",
                               INPUTS(share(t), VEC_I64(14, 99))));
    expect_all(b, t, "[2]", "2 1", "20 30");
    REFUSED(b, SL_INVALID_ARGUMENT, "Expected shape [2] for value, got [1]", "LookupTableInsertV2", IN_OUT, share(t),
            VEC_I64(1, 2), VEC_I64(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "is not initializable", "InitializeTableV2", KV, share(t), VEC_I64(1), VEC_I64(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "Signature mismatch, have: resource, float, int64-> expected",
            "LookupTableInsertV2",
            "attr { key: 'Tin' value { type: DT_FLOAT } } attr { key: 'Tout' value { type: DT_INT64 } }", share(t),
            VEC_F32(1), VEC_I64(1));
    int64_t many[500];
    for (int i = 0; i < 500; i++) many[i] = i * 977;
    insert(b, t, vec_i64(500, many), vec_i64(500, many));
    take_and_expect(RUN(b, "LookupTableSizeV2", "", share(t)), "[]", "502");
    take_and_expect(find(b, t, VEC_I64(977 * 499, 977, 3), i64(-1)), "[3]", "487523 977 -1");
    assert_ok(b->err, run_once(b, NULL, "LookupTableImportV2", IN_OUT, INPUTS(share(t), VEC_I64(5), VEC_I64(6))));
    expect_all(b, t, "[1]", "5", "6");
    sl_value_clear(&t);
}

/* As std::unordered_map walks after the same calls: the map grows on the way, twice. */
static void exports_have_their_order(void **state) {
    struct bench *b = *state;
    struct sl_value t = table(b, "MutableHashTableV2");
    for (int i = 0; i < 20; i++) insert(b, t, i64(i * 7), i64(i));
    expect_all(b, t, "[20]", "133 126 119 112 105 98 91 0 7 14 21 28 35 42 49 56 63 70 77 84",
               "19 18 17 16 15 14 13 0 1 2 3 4 5 6 7 8 9 10 11 12");
    assert_ok(b->err, run_once(b, NULL, "LookupTableRemoveV2", "attr { key: 'Tin' value { type: DT_INT64 } }",
                               INPUTS(share(t), VEC_I64(0, 133))));
    for (int i = 0; i < 40; i++) insert(b, t, i64(1000 + i * 13), i64(i));
    struct sl_value outs[2];
    assert_ok(b->err, run_once(b, outs, "LookupTableExportV2", KVS, INPUTS(share(t))));
    sl_value_clear(&outs[1]);
    take_and_expect(
        outs[0], "[58]",
        "1494 1481 1468 1442 1429 1416 1390 1377 1338 1325 1286 1273 1234 1221 1195 1182 1169 1143 84 77 70 "
        "63 1078 1013 1156 35 1208 28 1130 1260 21 1065 1312 14 56 1000 1364 7 1507 91 1455 98 1026 1403 "
        "105 1091 1351 112 1299 119 1247 126 1039 49 1052 42 1104 1117");
    sl_value_clear(&t);
}

static void dense_tables_keep_buckets(void **state) {
    struct bench *b = *state;
    const char *attrs = "attr { key: 'key_dtype' value { type: DT_INT64 } }"
                        "attr { key: 'value_dtype' value { type: DT_INT64 } }"
                        "attr { key: 'initial_num_buckets' value { i: 8 } }";
    struct sl_value t = RUN(b, "AnonymousMutableDenseHashTable", attrs, i64(0), i64(-1));
    insert(b, t, VEC_I64(8, 16, 24), VEC_I64(1, 2, 3));
    assert_ok(b->err, run_once(b, NULL, "LookupTableRemoveV2", "attr { key: 'Tin' value { type: DT_INT64 } }",
                               INPUTS(share(t), VEC_I64(8))));
    expect_all(b, t, "[8,1]", "[-1][16][0][24][0][0][0][0]", "[1][2][0][3][0][0][0][0]");
    insert(b, t, VEC_I64(24), VEC_I64(33));
    take_and_expect(find(b, t, VEC_I64(24, 16, 8), i64(0)), "[3]", "33 2 0");
    REFUSED(b, SL_INVALID_ARGUMENT, "Using the empty_key as a table key is not allowed", "LookupTableInsertV2", IN_OUT,
            share(t), VEC_I64(0), VEC_I64(5));
    REFUSED(b, SL_INVALID_ARGUMENT, "Using the deleted_key as a table key is not allowed", "LookupTableFindV2", IN_OUT,
            share(t), VEC_I64(-1), i64(5));
    REFUSED(b, SL_INVALID_ARGUMENT, "Expected shape [1] for value, got [0]", "LookupTableImportV2", IN_OUT, share(t),
            vec_i64(0, NULL), vec_i64(0, NULL));
    for (int i = 1; i < 100; i++) insert(b, t, i64(i * 8), i64(i));
    take_and_expect(find(b, t, VEC_I64(8, 99 * 8, 7), i64(-7)), "[3]", "1 99 -7");
    sl_value_clear(&t);
    REFUSED(b, SL_INVALID_ARGUMENT, "Empty and deleted keys cannot be equal", "AnonymousMutableDenseHashTable", attrs,
            i64(1), i64(1));
    REFUSED(b, SL_INVALID_ARGUMENT, "must be a scalar or a vector", "AnonymousMutableDenseHashTable", attrs,
            vec_i64(0, NULL), vec_i64(0, NULL));
}

static void reads_files(void **state) {
    struct bench *b = *state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/sluice_lookup_%d", (int)getpid());
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("7\t1\r\n8\t2\n9\tx", f);
    fclose(f);
    const char *two = "attr { key: 'key_index' value { i: 0 } } attr { key: 'value_index' value { i: 1 } }"
                      "attr { key: 'vocab_size' value { i: 2 } }";
    const char *all = "attr { key: 'key_index' value { i: 0 } } attr { key: 'value_index' value { i: 1 } }";
    const char *lines = "attr { key: 'key_index' value { i: 0 } } attr { key: 'value_index' value { i: -1 } }";
    const char *far = "attr { key: 'key_index' value { i: 0 } } attr { key: 'value_index' value { i: 2 } }";
    struct sl_value t = table(b, "AnonymousHashTable");
    REFUSED(b, SL_INVALID_ARGUMENT, "Field x in line 2 is not a valid int64.", "InitializeTableFromTextFileV2", all,
            share(t), text(path));
    REFUSED(b, SL_INVALID_ARGUMENT, "expected at least 3 got 2", "InitializeTableFromTextFileV2", far, share(t),
            text(path));
    assert_ok(b->err, run_once(b, NULL, "InitializeTableFromTextFileV2", two, INPUTS(share(t), text(path))));
    take_and_expect(find(b, t, VEC_I64(7, 8, 9), i64(-1)), "[3]", "1 2 -1");
    sl_value_clear(&t);
    t = table(b, "AnonymousHashTable");
    assert_ok(b->err, run_once(b, NULL, "InitializeTableFromTextFileV2", lines, INPUTS(share(t), text(path))));
    take_and_expect(find(b, t, VEC_I64(7, 8, 9), i64(-1)), "[3]", "0 1 2");
    unlink(path);
    REFUSED(b, SL_NOT_FOUND, "No such file", "InitializeTableFromTextFileV2", lines, share(t), text(path));
    sl_value_clear(&t);
}

static void serves_references_too(void **state) {
    struct bench *b = *state;
    struct sl_value outs[2], t = table(b, "HashTable"), m = table(b, "MutableHashTable");
    assert_int_equal(t.kind, SL_VALUE_REF);
    assert_ok(b->err, run_once(b, NULL, "InitializeTable", KV, INPUTS(share(t), VEC_I64(3), VEC_I64(4))));
    take_and_expect(RUN(b, "LookupTableFind", IN_OUT, share(t), VEC_I64(3), i64(0)), "[1]", "4");
    take_and_expect(RUN(b, "LookupTableSize", "", share(t)), "[]", "1");
    REFUSED(b, SL_NOT_FOUND, "No such file", "InitializeTableFromTextFile",
            "attr { key: 'key_index' value { i: 0 } } attr { key: 'value_index' value { i: -1 } }", share(t),
            text("/no/such/file"));
    assert_ok(b->err, run_once(b, NULL, "LookupTableInsert", IN_OUT, INPUTS(share(m), VEC_I64(3), VEC_I64(4))));
    assert_ok(b->err, run_once(b, NULL, "LookupTableImport", IN_OUT, INPUTS(share(m), VEC_I64(5), VEC_I64(6))));
    assert_ok(b->err, run_once(b, outs, "LookupTableExport", KVS, INPUTS(share(m))));
    take_and_expect(outs[0], "[1]", "5");
    take_and_expect(outs[1], "[1]", "6");
    sl_value_clear(&t);
    sl_value_clear(&m);
    REFUSED(b, SL_INVALID_ARGUMENT, "deleted_key", "MutableDenseHashTable", LONGS, i64(0));
}

static void tables_of_tensors_hold_vectors(void **state) {
    struct bench *b = *state;
    const char *attrs = LONGS "attr { key: 'value_shape' value { shape { dim { size: 2 } } } }";
    const char *makers[] = {"MutableHashTableOfTensors", "MutableHashTableOfTensorsV2",
                            "AnonymousMutableHashTableOfTensors"};
    for (size_t i = 0; i < 3; i++) {
        struct sl_value t = run_one(b, makers[i], attrs, NULL, 0);
        const char *insert_op = i ? "LookupTableInsertV2" : "LookupTableInsert";
        const int64_t dims[] = {2, 2}, rows[] = {1, 2, 3, 4};
        struct sl_value values = {0};
        assert_ok(b->err, sl_value_new(&values, SL_INT64, (struct sl_shape){2, dims}, &b->err));
        memcpy(values.tensor->data, rows, sizeof rows);
        assert_ok(b->err, run_once(b, NULL, insert_op, IN_OUT, INPUTS(share(t), VEC_I64(7, 8), values)));
        take_and_expect(RUN(b, i ? "LookupTableFindV2" : "LookupTableFind", IN_OUT, share(t), VEC_I64(8, 9),
                            VEC_I64(-1, -2)),
                        "[2,2]", "[3 4][-1 -2]");
        REFUSED(b, SL_INVALID_ARGUMENT, "Expected shape [1,2] for value, got [2]", insert_op, IN_OUT, share(t),
                VEC_I64(1), VEC_I64(1, 2));
        sl_value_clear(&t);
    }
    assert_fails(b->err, SL_INVALID_ARGUMENT, "Default value must be a vector, got shape []",
                 run_once(b, NULL, "MutableHashTableOfTensorsV2", LONGS, NULL, 0));
    struct sl_value t = table(b, "AnonymousMutableHashTable");
    insert(b, t, i64(1), i64(2));
    expect_all(b, t, "[1]", "1", "2");
    sl_value_clear(&t);
}

struct worker {
    struct bench bench;
    struct sl_value table;
    int number;
};
static void *insert_many(void *arg) {
    struct worker *w = arg;
    for (int i = 0; i < 300; i++) {
        int64_t key = w->number * 1000 + i;
        insert(&w->bench, w->table, vec_i64(1, &key), vec_i64(1, &key));
        take_and_expect(find(&w->bench, w->table, VEC_I64(-5), i64(1)), "[1]", "1");
    }
    return NULL;
}

static void serves_many_threads(void **state) {
    struct bench *b = *state;
    struct sl_value t = table(b, "MutableHashTableV2");
    struct worker w[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        w[i] = (struct worker){*b, t, i};
        assert_int_equal(pthread_create(&threads[i], NULL, insert_many, &w[i]), 0);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    take_and_expect(RUN(b, "LookupTableSizeV2", "", share(t)), "[]", "1200");
    sl_value_clear(&t);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(static_tables_are_filled_once),  TEST(mutable_tables_change), TEST(exports_have_their_order),
        TEST(dense_tables_keep_buckets),      TEST(reads_files),           TEST(serves_references_too),
        TEST(tables_of_tensors_hold_vectors), TEST(serves_many_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
