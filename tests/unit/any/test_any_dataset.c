/* Ops that make datasets, by rows of op, inputs and elements; iterators and what else stands around them. */
#include "unit/any/one_node.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ckpt/record.h"
#include "os/file.h"
#include "tensor/boxed_tensor.h"

/* Every attr that some op of the family asks for; an op passes over those it does not declare. */
#define TYPES(key, types)     "attr { key: '" key "' value { list { type: [" types "] } } } "
#define FUNC(key)             "attr { key: '" key "' value { func { name: '%s' } } } "
#define FIXED_FUNC(key, name) "attr { key: '" key "' value { func { name: '" name "' } } } "
/* clang-format off */
static const char all_attrs[] =
    TYPES("output_types", "DT_INT64") TYPES("Toutput_types", "DT_INT64") TYPES("Targuments", "")
    TYPES("Tstate", "DT_INT64") TYPES("Tinput_types", "DT_INT64, DT_INT64, DT_INT64")
    TYPES("Tkey_func_other_arguments", "") TYPES("Tinit_func_other_arguments", "")
    TYPES("Treduce_func_other_arguments", "") TYPES("Tfinalize_func_other_arguments", "")
    TYPES("Twindow_size_func_other_arguments", "") TYPES("Tinit_func_args", "") TYPES("Tnext_func_args", "")
    TYPES("Tfinalize_func_args", "") FUNC("f") FUNC("predicate") FUNC("reduce_func") FIXED_FUNC("init_func", "parity")
    FIXED_FUNC("key_func", "parity") FIXED_FUNC("finalize_func", "times_2") FIXED_FUNC("window_size_func", "two")
    FIXED_FUNC("next_func", "next_of") FIXED_FUNC("map_func", "times_2") FIXED_FUNC("index_map_func", "in_turn")
    TYPES("Tmap_func_args", "") TYPES("Tindex_map_func_args", "") TYPES("Tinputs", "DT_INT64, DT_INT64")
    "attr { key: 'branches' value { list { func { name: 'skipped' } func { name: 'skipped' } } } } "
    "attr { key: 'other_arguments_lengths' value { list { i: [0, 0] } } } attr { key: 'M' value { i: 2 } } "
    "attr { key: 'num_elements_per_branch' value { i: 2 } } attr { key: 'num_experiments' value { i: 2 } } "
    "attr { key: 'Tvalues' value { type: DT_INT64 } } attr { key: 'num_threads' value { i: 1 } } "
    "attr { key: 'display_name' value { s: '' } } "
    "attr { key: 'output_shapes' value { list { shape: { unknown_rank: true } } } } "
    "attr { key: 'N' value { i: %d } } attr { key: 'rewrite_name' value { s: '' } } "
    "attr { key: 'serialized_options' value { s: '' } } attr { key: 'optimizations' value { list { } } } ";
/* clang-format on */

static const char *attrs_of(const char *function, int n) {
    static char text[4096];
    if (!function) function = "times_2";
    snprintf(text, sizeof text, all_attrs, function, function, function, n);
    return text;
}

/* ---- functions */

static sl_code times_2(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = i64(2 * args[0].i64);
    return SL_OK;
}
static sl_code is_odd(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = boolean(args[0].i64 & 1);
    return SL_OK;
}
static sl_code below_3(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = boolean(args[0].i64 < 3);
    return SL_OK;
}
static sl_code add(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = i64(args[0].i64 + args[1].i64);
    return SL_OK;
}
static sl_code add_twice(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = rets[1] = i64(args[0].i64 + args[1].i64);
    return SL_OK;
}
static struct bench *the_bench;
static struct sl_value range(int64_t start, int64_t stop);
static sl_code twice(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = range(10 * args[0].i64, 10 * args[0].i64 + 2);
    return SL_OK;
}
static sl_code three(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)args, (void)err;
    rets[0] = range(0, 3);
    return SL_OK;
}
static sl_code parity(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = i64(args[0].i64 & 1);
    return SL_OK;
}
static sl_code two(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)args, (void)err;
    rets[0] = i64(2);
    return SL_OK;
}
static sl_code second_argument(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = share(args[1]);
    return SL_OK;
}
static sl_code skipped(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = RUN(the_bench, "SkipDataset", attrs_of(NULL, 1), share(args[0]), i64(4));
    return SL_OK;
}
static sl_code in_turn(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)err;
    rets[0] = share(args[0]);
    rets[1] = i64(0);
    return SL_OK;
}
static int n_next;
static sl_code ten(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    (void)args, (void)err;
    n_next = 0;
    rets[0] = i64(10);
    return SL_OK;
}
static sl_code next_of(struct sl_value *args, struct sl_value *rets, struct sl_error *err) {
    if (n_next == 3) return sl_fail(err, SL_OUT_OF_RANGE, "three are enough");
    rets[0] = i64(args[0].i64 + n_next++);
    return SL_OK;
}

static struct fake_function functions[] = {
    {"times_2", 1, 1, {SL_INT64}, {SL_INT64}, times_2, 0},
    {"is_odd", 1, 1, {SL_INT64}, {SL_BOOL}, is_odd, 0},
    {"below_3", 1, 1, {SL_INT64}, {SL_BOOL}, below_3, 0},
    {"add", 2, 1, {SL_INT64, SL_INT64}, {SL_INT64}, add, 0},
    {"add_twice", 2, 2, {SL_INT64, SL_INT64}, {SL_INT64, SL_INT64}, add_twice, 0},
    {"twice", 1, 1, {SL_INT64}, {SL_VARIANT}, twice, 0},
    {"three", 0, 1, {0}, {SL_VARIANT}, three, 0},
    {"parity", 1, 1, {SL_INT64}, {SL_INT64}, parity, 0},
    {"two", 1, 1, {SL_INT64}, {SL_INT64}, two, 0},
    {"the_window", 2, 1, {SL_INT64, SL_VARIANT}, {SL_VARIANT}, second_argument, 0},
    {"skipped", 1, 1, {SL_VARIANT}, {SL_VARIANT}, skipped, 0},
    {"in_turn", 1, 2, {SL_INT64}, {SL_INT64, SL_INT64}, in_turn, 0},
    {"ten", 0, 1, {0}, {SL_INT64}, ten, 0},
    {"next_of", 1, 1, {SL_INT64}, {SL_INT64}, next_of, 0},
};
static struct fake_functions fake;

static struct bench *use(void **state) {
    the_bench = *state;
    fake_functions_use(&fake, the_bench, functions, (int)(sizeof functions / sizeof *functions));
    return the_bench;
}

/* ---- making and walking */

static struct sl_value range(int64_t start, int64_t stop) {
    return RUN(the_bench, "RangeDataset", attrs_of(NULL, 1), i64(start), i64(stop), i64(1));
}
static struct sl_value batches_of(int64_t size, int64_t stop) {
    return RUN(the_bench, "BatchDatasetV2", attrs_of(NULL, 1), range(0, stop), i64(size), boolean(false));
}
static struct sl_value batches(int64_t stop) { return batches_of(2, stop); }
static struct sl_value resource(const char *op) {
    struct sl_value v;
    assert_ok(the_bench->err, run_once(the_bench, &v, op, attrs_of(NULL, 1), NULL, 0));
    return v;
}
/* 'lines' */
static struct sl_value quoted(const char *word) {
    char copy[64];
    snprintf(copy, sizeof copy, "%s", word + 1);
    copy[strcspn(copy, "'")] = 0;
    return text(copy);
}

/* An input, from a word: D, E datasets of numbers, P of pairs, Q of fours; T of numbers twice; R no resource; h, x
 * thread pools; a, b, c aggregators of statistics; t, f; 'text'; [1,2]; 12 */
static struct sl_value input_of(const char *word, int type) {
    int64_t numbers[8], n = 0;
    switch (*word) {
    case 'D': return range(0, 6);
    case 'E': return range(10, 12);
    case 'P': return batches(6);
    case 'Q': return batches_of(4, 8);
    case 'h': return resource("ThreadPoolHandle");
    case 'x': return resource("ExperimentalThreadPoolHandle");
    case 'a': return resource("StatsAggregatorHandle");
    case 'b': return resource("StatsAggregatorHandleV2");
    case 'c': return resource("ExperimentalStatsAggregatorHandle");
    case 'T': return RUN(the_bench, "RepeatDataset", attrs_of(NULL, 1), range(0, 2), i64(2));
    case 'R': return (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_RESOURCE, .object = NULL};
    case 't':
    case 'f': return boolean(*word == 't');
    case '\'': return quoted(word);
    case '[':
        for (char *at = (char *)word; *at != ']' && n < 8;) {
            at++;
            if (*at != ']') numbers[n++] = strtoll(at, &at, 10);
        }
        return vec_i64(n, numbers);
    default:
        if (type == SL_FLOAT) return f32(strtof(word, NULL));
        if (type == SL_DOUBLE)
            return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_DOUBLE, .f64 = strtod(word, NULL)};
        return type == SL_INT32 ? i32(atoi(word)) : i64(atoll(word));
    }
}

enum { TEXT = 256 };
static void append(char *text, const struct sl_value *v) {
    const struct sl_view view = sl_value_view(v);
    for (int64_t i = 0; i < view.count && v->dtype == SL_INT64; i++)
        snprintf(text + strlen(text), TEXT - strlen(text),
                 i       ? ",%lld"
                 : *text ? " %lld"
                         : "%lld",
                 (long long)((const int64_t *)view.data)[i]);
    for (int64_t i = 0; i < view.count && v->dtype == SL_STRING; i++) {
        const struct sl_str s = sl_string_get((const TF_TString *)view.data + i);
        snprintf(text + strlen(text), TEXT - strlen(text), "%s%.*s", *text ? " " : "", SL_STR_ARG(s));
    }
    if (v->dtype == SL_VARIANT) strcat(text, *text ? " dataset" : "dataset");
}

/* Types of one component. */
static const char *one_of(const char *type) {
    static char text[512];
    snprintf(text, sizeof text,
             TYPES("output_types",
                   "%s") "attr { key: 'output_shapes' value { list { shape: { unknown_rank: true } } } } "
                         "attr { key: 'shared_name' value { s: '' } } "
                         "attr { key: 'container' value { s: '' } } "
                         "attr { key: 'dataset_factory' value { func { name: 'three' } } } ",
             type);
    return text;
}

/* The elements that an iterator gives, up to 12. */
static const char *elements(const char *get, struct sl_value iterator, const char *type) {
    static char text[TEXT];
    *text = 0;
    for (int i = 0; i < 12; i++) {
        struct sl_value element = {0};
        sl_code code = run_once(the_bench, &element, get, one_of(type), INPUTS(share(iterator)));
        if (code == SL_OUT_OF_RANGE) break;
        assert_ok(the_bench->err, code);
        append(text, &element);
        sl_value_clear(&element);
    }
    return text;
}

/* A new iterator over the dataset, which is taken over. */
static struct sl_value iterate(const char *op, struct sl_value dataset, const char *type) {
    struct sl_value outs[2] = {0};
    assert_ok(the_bench->err, run_once(the_bench, outs, op, one_of(type), NULL, 0));
    sl_value_clear(&outs[1]);
    assert_ok(the_bench->err, run_once(the_bench, NULL, "MakeIterator", "", INPUTS(dataset, share(outs[0]))));
    return outs[0];
}

struct row {
    const char *op, *inputs, *expected, *function;
};

static void check_row(const struct row *row, const char *type) {
    struct node n;
    char words[TEXT];
    int i = 0, n_datasets = 0;
    snprintf(words, sizeof words, "%s", row->inputs);
    for (const char *at = words; *at; at++) n_datasets += isupper((unsigned char)*at) && *at != 'R' && *at != 'T';
    node_make(&n, the_bench, row->op, attrs_of(row->function, n_datasets));
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "), i++)
        node_in(&n, i, input_of(word, n.fixed.in_types[i]));
    assert_int_equal(n.fixed.n_in, i);
    assert_ok(the_bench->err, node_run(&n));
    struct sl_value d = node_take(&n, 0);
    node_end(&n);
    if (strstr(row->expected, "dataset")) type = "DT_VARIANT";
    struct sl_value it = iterate("AnonymousIteratorV3", d, type);
    const char *got = elements("IteratorGetNext", it, type);
    if (strcmp(got, row->expected) != 0) fail_msg("%s gives %s, not %s", row->op, got, row->expected);
    sl_value_clear(&it);
}

#define ALL "0 1 2 3 4 5"
static const struct row rows[] = {
    {"RangeDataset", "5 0 -2", "5 3 1", NULL},
    {"TensorDataset", "7", "7", NULL},
    {"TensorSliceDataset", "[4,5,6]", "4 5 6", NULL},
    {"MapDataset", "D", "0 2 4 6 8 10", "times_2"},
    {"ExperimentalMapDataset", "D", "0 2 4 6 8 10", "times_2"},
    {"ParallelMapDataset", "D 2", "0 2 4 6 8 10", "times_2"},
    {"ParallelMapDatasetV2", "D 2", "0 2 4 6 8 10", "times_2"},
    {"FilterDataset", "D", "1 3 5", "is_odd"},
    {"ParallelFilterDataset", "D 2", "1 3 5", "is_odd"},
    {"TakeWhileDataset", "D", "0 1 2", "below_3"},
    {"ExperimentalTakeWhileDataset", "D", "0 1 2", "below_3"},
    {"ScanDataset", "D 1", "1 2 4 7 11 16", "add_twice"},
    {"ExperimentalScanDataset", "D 1", "1 2 4 7 11 16", "add_twice"},
    {"FlatMapDataset", "E", "100 101 110 111", "twice"},
    {"InterleaveDataset", "E 2 1", "100 110 101 111", "twice"},
    {"ParallelInterleaveDatasetV2", "E 2 1 2", "100 110 101 111", "twice"},
    {"ParallelInterleaveDatasetV3", "E 2 1 2", "100 110 101 111", "twice"},
    {"ParallelInterleaveDatasetV4", "E 2 1 1 0 2", "100 110 101 111", "twice"},
    {"BatchDataset", "D 4", "0,1,2,3 4,5", NULL},
    {"BatchDatasetV2", "D 4 t", "0,1,2,3", NULL},
    {"ParallelBatchDataset", "D 4 2 f", "0,1,2,3 4,5", NULL},
    {"PaddedBatchDataset", "P 2 [3] 9", "0,1,9,2,3,9 4,5,9", NULL},
    {"PaddedBatchDatasetV2", "P 2 [-1] 9 t", "0,1,2,3", NULL},
    {"MapAndBatchDataset", "D 4 2 f", "0,2,4,6 8,10", "times_2"},
    {"ExperimentalMapAndBatchDataset", "D 4 2 f", "0,2,4,6 8,10", "times_2"},
    {"UnbatchDataset", "P", ALL, NULL},
    {"ExperimentalUnbatchDataset", "P", ALL, NULL},
    {"WindowDataset", "D 2 3 1 f", "dataset dataset", NULL},
    {"RepeatDataset", "E 2", "10 11 10 11", NULL},
    {"TakeDataset", "D 2", "0 1", NULL},
    {"SkipDataset", "D 4", "4 5", NULL},
    {"ShardDataset", "D 4 1", "1 5", NULL},
    {"ConcatenateDataset", "E D", "10 11 " ALL, NULL},
    {"DirectedInterleaveDataset", "T D E", "0 10 1 11", NULL},
    {"ExperimentalDirectedInterleaveDataset", "T D E", "0 10 1 11", NULL},
    {"ShuffleDataset", "D 1 3 4", ALL, NULL},
    {"ShuffleDatasetV2", "D 1 R", ALL, NULL},
    {"ShuffleDatasetV3", "D 1 3 4 R", ALL, NULL},
    {"ShuffleAndRepeatDataset", "E 1 3 4 2", "10 11 10 11", NULL},
    {"ShuffleAndRepeatDatasetV2", "E 1 3 4 2 R", "10 11 10 11", NULL},
    {"CacheDataset", "D ''", ALL, NULL},
    {"CacheDatasetV2", "D '' R", ALL, NULL},
    {"PrefetchDataset", "D 2", ALL, NULL},
    {"IgnoreErrorsDataset", "D", ALL, NULL},
    {"ExperimentalIgnoreErrorsDataset", "D", ALL, NULL},
    {"AssertCardinalityDataset", "D 6", ALL, NULL},
    {"OptionsDataset", "D", ALL, NULL},
    {"ModelDataset", "D", ALL, NULL},
    {"FinalizeDataset", "D", ALL, NULL},
    {"OptimizeDataset", "D ''", ALL, NULL},
    {"OptimizeDatasetV2", "D '' '' ''", ALL, NULL},
    {"RewriteDataset", "D ''", ALL, NULL},
    {"AssertNextDataset", "D 'Prefetch'", ALL, NULL},
    {"ExperimentalAssertNextDataset", "D 'Prefetch'", ALL, NULL},
    {"AssertPrevDataset", "D 'name:\"Other\"'", ALL, NULL},
    {"MaxIntraOpParallelismDataset", "D 1", ALL, NULL},
    {"ExperimentalMaxIntraOpParallelismDataset", "D 1", ALL, NULL},
    {"PrivateThreadPoolDataset", "D 1", ALL, NULL},
    {"ExperimentalPrivateThreadPoolDataset", "D 1", ALL, NULL},
    {"BytesProducedStatsDataset", "D ''", ALL, NULL},
    {"ExperimentalBytesProducedStatsDataset", "D ''", ALL, NULL},
    {"LatencyStatsDataset", "D ''", ALL, NULL},
    {"ExperimentalLatencyStatsDataset", "D ''", ALL, NULL},
    {"NonSerializableDataset", "D", ALL, NULL},
    {"ExperimentalNonSerializableDataset", "D", ALL, NULL},
    {"GroupByReducerDataset", "D", "12 20", "add"},
    {"ExperimentalGroupByReducerDataset", "D", "12 20", "add"},
    {"GroupByWindowDataset", "D", "0 2 1 3 4 5", "the_window"},
    {"ExperimentalGroupByWindowDataset", "D", "0 2 1 3 4 5", "the_window"},
    {"UniqueDataset", "T", "0 1", NULL},
    {"ExperimentalUniqueDataset", "T", "0 1", NULL},
    {"ListDataset", "4 5 6", "4 5 6", NULL},
    {"RebatchDataset", "Q 2", "0,1 2,3 4,5 6,7", NULL},
    {"ExperimentalRebatchDataset", "Q 2", "0,1 2,3 4,5 6,7", NULL},
    {"RebatchDatasetV2", "P [4,1] f", "0,1,2,3 4 5", NULL},
    {"ParallelInterleaveDataset", "E 2 1 f 1 0", "100 110 101 111", "twice"},
    {"ExperimentalParallelInterleaveDataset", "E 2 1 f 1 0", "100 110 101 111", "twice"},
    {"LegacyParallelInterleaveDatasetV2", "E 2 1 1 0", "100 110 101 111", "twice"},
    {"ThreadPoolDataset", "D h", ALL, NULL},
    {"ExperimentalThreadPoolDataset", "D x", ALL, NULL},
    {"SetStatsAggregatorDataset", "D a '' ''", ALL, NULL},
    {"SetStatsAggregatorDataset", "D b '' ''", ALL, NULL},
    {"ExperimentalSetStatsAggregatorDataset", "D c '' ''", ALL, NULL},
    {"SamplingDataset", "D 0.5 3 4", "1", NULL},
    {"SleepDataset", "E 1", "10 11", NULL},
    {"ExperimentalSleepDataset", "E 1", "10 11", NULL},
    {"SlidingWindowDataset", "D 3 2 2", "0,2,4", NULL},
    {"ExperimentalSlidingWindowDataset", "D 2 3 1", "0,1 3,4", NULL},
    {"ChooseFastestDataset", "D D", ALL, NULL},
    {"ExperimentalChooseFastestDataset", "D D", ALL, NULL},
    {"ChooseFastestBranchDataset", "D 1 1", "4 5", NULL},
    {"IndexFlatMapDataset", "D 6", "0 2 4 6 8 10", NULL},
    {"WeightedFlatMapDataset", "E E 0.25 0.5", "10 10 11", NULL},
    {"WindowOp", "7 8", "7 8", NULL},
    {"GlobalShuffleDataset", "D 3 4 R", "2 1 3 0 5 4", NULL},
};

static void datasets_give_their_elements(void **state) {
    use(state);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_row(&rows[i], "DT_INT64");
}

/* ---- files: in a folder of their own, which is the working directory meanwhile */

static struct sl_arena arena;
static char *folder, *before;

static int enter_files(void **state) {
    struct sl_error err;
    struct sl_record_writer *w;
    static char at_first[4096];
    static const char *const three_records[] = {"aaaa", "bbbb", "cccc"}; /* 20 bytes each in the file */
    sl_arena_init(&arena);
    before = getcwd(at_first, sizeof at_first);
    folder = sl_path_temporary(&arena, sl_path_join(&arena, sl_path_temporary_dir(), "sluice_any_dataset"));
    assert_ok(err, sl_dir_create_all(folder, &err));
    assert_int_equal(chdir(folder), 0);
    assert_ok(err, sl_file_write("lines", "a\nbb\r\nc", 7, &err));
    assert_ok(err, sl_file_write("fixed", "H11112222FF", 11, &err));
    assert_ok(err, sl_file_write("table", "x,y\n1,2\n3,\n5,6\n", 15, &err));
    assert_ok(err, sl_record_writer_open(&w, "records", SL_WRITER_TRUNCATE, SL_COMPRESSION_NONE, &err));
    for (int i = 0; i < 3; i++) assert_ok(err, sl_record_writer_add(w, sl_str_of(three_records[i]), &err));
    assert_ok(err, sl_record_writer_close(w, false, &err));
    return bench_setup(state);
}
static int leave_files(void **state) {
    struct sl_error err;
    assert_int_equal(chdir(before), 0);
    assert_ok(err, sl_dir_remove_all(folder, &err));
    sl_arena_clear(&arena);
    return bench_teardown(state);
}

static void files_give_their_elements(void **state) {
    static const struct row strings[] = {
        {"TextLineDataset", "'lines' '' 0", "a bb c", NULL},
        {"FixedLengthRecordDataset", "'fixed' 1 4 2 0", "1111 2222", NULL},
        {"FixedLengthRecordDatasetV2", "'fixed' 1 4 2 0 ''", "1111 2222", NULL},
        {"TFRecordDataset", "'records' '' 0", "aaaa bbbb cccc", NULL},
        {"TFRecordDatasetV2", "'records' '' 0 [20]", "bbbb cccc", NULL},
        {"MatchingFilesDataset", "'*e?'", "./fixed ./lines", NULL},
        {"ExperimentalMatchingFilesDataset", "'*e*s'", "./lines ./records", NULL},
    };
    static const struct row numbers[] = {
        {"CSVDataset", "'table' '' 16 t ',' t '' [1] [7]", "2 7 6", NULL},
        {"ExperimentalCSVDataset", "'table' '' 16 t ',' t '' [1] [7]", "2 7 6", NULL},
        {"CSVDatasetV2", "'table' '' 16 t ',' t '' [] [7] [0]", "2 7 6", NULL},
    };
    use(state);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) check_row(&strings[i], "DT_STRING");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) check_row(&numbers[i], "DT_INT64");
}

/* ---- sparse tensors */

#define THREE_TYPES                                                                                                    \
    TYPES("output_types", "DT_INT64, DT_INT64, DT_INT64")                                                              \
    "attr { key: 'output_shapes' value { list { shape: [{ unknown_rank: true }, { unknown_rank: true }, "              \
    "{ unknown_rank: true }] } } } "

static void a_sparse_tensor_gives_its_rows(void **state) {
    struct bench *b = use(state);
    struct sl_value indices = {0}, it[1], outs[3] = {0};
    assert_ok(b->err, sl_value_new(&indices, SL_INT64, (struct sl_shape){2, (const int64_t[]){3, 2}}, &b->err));
    memcpy(sl_value_view(&indices).data, (const int64_t[]){0, 1, 1, 0, 1, 2}, 6 * sizeof(int64_t));
    struct sl_value rows_of =
        RUN(b, "SparseTensorSliceDataset", attrs_of(NULL, 1), indices, VEC_I64(7, 8, 9), VEC_I64(2, 3));
    assert_ok(b->err, run_once(b, it, "AnonymousIteratorV3", THREE_TYPES, NULL, 0));
    assert_ok(b->err, run_once(b, NULL, "MakeIterator", "", INPUTS(rows_of, share(it[0]))));
    const char *const expected[2][3] = {{"[1]", "7", "3"}, {"[0][2]", "8 9", "3"}};
    const char *const shapes[2][3] = {{"[1,1]", "[1]", "[1]"}, {"[2,1]", "[2]", "[1]"}};
    for (int row = 0; row < 2; row++) {
        assert_ok(b->err, run_once(b, outs, "IteratorGetNext", THREE_TYPES, INPUTS(share(it[0]))));
        for (int i = 0; i < 3; i++) take_and_expect(outs[i], shapes[row][i], expected[row][i]);
    }
    assert_int_equal(run_once(b, outs, "IteratorGetNext", THREE_TYPES, INPUTS(share(it[0]))), SL_OUT_OF_RANGE);
    sl_value_clear(&it[0]);
}

/* A batch is a variant vector of indices, values and shape. */
static void dense_rows_become_sparse_batches(void **state) {
    struct bench *b = use(state);
    const char *const ops[] = {"DenseToSparseBatchDataset", "ExperimentalDenseToSparseBatchDataset"};
    const char *const expected[] = {"[0 0][0 1][1 0]", "0 1 2", "2 3"};
    const char *const shapes[] = {"[3,2]", "[3]", "[2]"};
    for (size_t k = 0; k < 2; k++) {
        struct sl_value batch = RUN(b, ops[k], attrs_of(NULL, 1), batches(3), i64(2), VEC_I64(3)); /* of 0 1 and 2 */
        struct sl_value it = iterate("AnonymousIteratorV3", batch, "DT_VARIANT");
        struct sl_value element = RUN(b, "IteratorGetNext", one_of("DT_VARIANT"), share(it));
        const struct sl_view view = sl_value_view(&element);
        assert_int_equal(view.count, 3);
        for (int i = 0; i < 3; i++) {
            struct sl_tensor *part = sl_boxed_tensor_of(((struct sl_object *const *)view.data)[i]);
            assert_non_null(part);
            take_and_expect(share((struct sl_value){.kind = SL_VALUE_TENSOR, .dtype = SL_INT64, .tensor = part}),
                            shapes[i], expected[i]);
        }
        sl_value_clear(&element);
        sl_value_clear(&it);
    }
}

static void numbers_of_elements(void **state) {
    struct bench *b = use(state);
    take_and_expect(RUN(b, "DatasetCardinality", "", range(0, 6)), "[]", "6");
    take_and_expect(RUN(b, "ExperimentalDatasetCardinality", "", batches(5)), "[]", "3");
    take_and_expect(RUN(b, "DatasetToSingleElement", attrs_of(NULL, 1), range(4, 5)), "[]", "4");
    REFUSED(b, SL_INVALID_ARGUMENT, "Dataset was empty.", "DatasetToSingleElement", attrs_of(NULL, 1), range(4, 4));
    REFUSED(b, SL_INVALID_ARGUMENT, "more than one", "DatasetToSingleElement", attrs_of(NULL, 1), range(4, 6));
    take_and_expect(RUN(b, "ReduceDataset", attrs_of("add", 1), range(0, 5), i64(100)), "[]", "110");
    REFUSED(b, SL_INVALID_ARGUMENT, "Dataset tensor must be a scalar", "TakeDataset", attrs_of(NULL, 1),
            (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_RESOURCE, .object = NULL}, i64(1));
}

#define RANDOM_WORDS "2632642643 2012563771" /* of Philox 4x32-10 with key 42 */

static void random_words_are_those_of_the_generator(void **state) {
    struct bench *b = use(state);
    const char *const ops[] = {"RandomDataset", "ExperimentalRandomDataset"};
    for (size_t i = 0; i < 2; i++) {
        struct sl_value words = RUN(b, ops[i], attrs_of(NULL, 1), i64(42), i64(0));
        struct sl_value it =
            iterate("AnonymousIteratorV3", RUN(b, "TakeDataset", attrs_of(NULL, 1), words, i64(2)), "DT_INT64");
        assert_string_equal(elements("IteratorGetNext", it, "DT_INT64"), RANDOM_WORDS);
        sl_value_clear(&it);
    }
}

static void a_generator_of_seeds_makes_random_words(void **state) {
    struct bench *b = use(state);
    const char *const words_of[] = {RANDOM_WORDS, "3393284742 1079424946"}; /* of the seeds; of seeds drawn from them */
    const char *const attrs[] = {
        one_of("DT_INT64"),
        "attr { key: 'rerandomize_each_iteration' value { b: true } } " TYPES(
            "output_types",
            "DT_INT64") "attr { key: 'output_shapes' value { list { shape: { unknown_rank: true } } } } "};
    for (int draws = 0; draws < 2; draws++) {
        struct sl_value seeds[2] = {0};
        assert_ok(b->err, run_once(b, seeds, "AnonymousSeedGenerator", "", INPUTS(i64(42), i64(0), boolean(draws))));
        struct sl_value words = RUN(b, "RandomDatasetV2", attrs[draws], i64(42), i64(0), seeds[0]);
        struct sl_value it =
            iterate("AnonymousIteratorV3", RUN(b, "TakeDataset", attrs_of(NULL, 1), words, i64(2)), "DT_INT64");
        assert_string_equal(elements("IteratorGetNext", it, "DT_INT64"), words_of[draws]);
        sl_value_clear(&it);
        sl_value_clear(&seeds[1]);
    }
}

static void a_generator_gives_what_its_functions_say(void **state) {
    struct bench *b = use(state);
    char attrs[4096];
    snprintf(attrs, sizeof attrs, "%s" FIXED_FUNC("init_func", "ten"), one_of("DT_INT64"));
    const char *const lists = TYPES("Tinit_func_args", "") TYPES("Tnext_func_args", "") TYPES("Tfinalize_func_args", "")
        FIXED_FUNC("next_func", "next_of") FIXED_FUNC("finalize_func", "times_2");
    struct sl_value d;
    strcat(attrs, lists);
    assert_ok(b->err, run_once(b, &d, "GeneratorDataset", attrs, NULL, 0));
    struct sl_value it = iterate("AnonymousIteratorV3", d, "DT_INT64");
    functions[0].calls = 0;
    assert_string_equal(elements("IteratorGetNext", it, "DT_INT64"), "10 11 12");
    sl_value_clear(&it);
    assert_int_equal(functions[0].calls, 1); /* finalize_func */
}

static void an_element_is_found_by_its_index(void **state) {
    struct bench *b = use(state);
    take_and_expect(RUN(b, "GetElementAtIndex", one_of("DT_INT64"), range(10, 20), i64(3)), "[]", "13");
    REFUSED(b, SL_OUT_OF_RANGE, "", "GetElementAtIndex", one_of("DT_INT64"), range(10, 20), i64(10));
}

static void a_wrapped_dataset_is_the_same_dataset(void **state) {
    struct bench *b = use(state);
    struct sl_value wrapped = RUN(b, "WrapDatasetVariant", "", range(0, 3));
    struct sl_value it = iterate("AnonymousIteratorV3", RUN(b, "UnwrapDatasetVariant", "", wrapped), "DT_INT64");
    assert_string_equal(elements("IteratorGetNext", it, "DT_INT64"), "0 1 2");
    sl_value_clear(&it);
}

static void an_iterator_goes_on_where_it_was_saved(void **state) {
    struct bench *b = use(state);
    struct sl_value first = iterate("AnonymousIteratorV3", range(0, 5), "DT_INT64");
    struct sl_value second = iterate("AnonymousIteratorV3", range(0, 5), "DT_INT64");
    for (int i = 0; i < 2; i++)
        sl_value_clear((struct sl_value[]){RUN(b, "IteratorGetNext", one_of("DT_INT64"), share(first))});
    struct sl_value saved = RUN(b, "SerializeIterator", "", share(first));
    assert_ok(b->err, run_once(b, NULL, "DeserializeIterator", "", INPUTS(share(second), saved)));
    assert_string_equal(elements("IteratorGetNext", second, "DT_INT64"), "2 3 4");
    sl_value_clear(&first);
    sl_value_clear(&second);
}

static void a_compressed_element_is_found_again(void **state) {
    struct bench *b = use(state);
    const char *const attrs = TYPES("input_types", "DT_INT64, DT_STRING")
        TYPES("output_types", "DT_INT64, DT_STRING") "attr { key: 'output_shapes' value { list { shape: [{ "
                                                     "unknown_rank: true }, { unknown_rank: true }] } } } ";
    struct sl_value outs[2] = {0};
    struct sl_value packed = RUN(b, "CompressElement", attrs, VEC_I64(3, -4, 5), text("words"));
    assert_int_equal(packed.dtype, SL_VARIANT);
    assert_ok(b->err, run_once(b, outs, "UncompressElement", attrs, INPUTS(packed)));
    take_and_expect(outs[0], "[3]", "3 -4 5");
    assert_true(sl_str_is(sl_string_get(sl_value_view(&outs[1]).data), "words"));
    sl_value_clear(&outs[1]);
}

/* ---- iterators for several devices: element i is of shard i mod 2 */

static const char *two_devices(void) {
    static char attrs[1024];
    snprintf(attrs, sizeof attrs, "%sattr { key: 'devices' value { list { s: ['/device:CPU:0', '/device:CPU:1'] } } } ",
             one_of("DT_INT64"));
    return attrs;
}

/* The next element of the shard; -1 at its end. */
static int64_t next_of_shard(struct bench *b, struct sl_value it, int shard, int64_t incarnation) {
    struct node n;
    node_make(&n, b, "MultiDeviceIteratorGetNextFromShard", one_of("DT_INT64"));
    node_in(&n, 0, share(it));
    node_in(&n, 1, i32(shard));
    node_in(&n, 2, i64(incarnation));
    sl_error_clear(&b->err);
    sl_code code = node_run(&n);
    const int64_t got = code == SL_OK ? node_out(&n, 0)->i64 : -1;
    node_end(&n);
    if (code != SL_OUT_OF_RANGE) assert_ok(b->err, code);
    return got;
}

static void shards_take_turns(void **state) {
    struct bench *b = use(state);
    const char *const ops[] = {"MultiDeviceIterator", "AnonymousMultiDeviceIterator", "AnonymousMultiDeviceIteratorV3"};
    for (size_t i = 0; i < 3; i++) {
        struct sl_value outs[2] = {0};
        assert_ok(b->err, run_once(b, outs, ops[i], two_devices(), NULL, 0));
        struct sl_value it = outs[0];
        const int64_t incarnation = RUN(b, "MultiDeviceIteratorInit", "", range(10, 15), share(it), i64(4)).i64;
        const int shards[] = {1, 1, 0, 0, 0, 0, 1};
        const int64_t expected[] = {11, 13, 10, 12, 14, -1, -1};
        for (int k = 0; k < 7; k++) assert_int_equal(next_of_shard(b, it, shards[k], incarnation), expected[k]);
        REFUSED(b, SL_INVALID_ARGUMENT, "Invalid incarnation id", "MultiDeviceIteratorGetNextFromShard",
                one_of("DT_INT64"), share(it), i32(0), i64(incarnation + 1));
        if (i == 0) {
            struct sl_value handle = RUN(b, "MultiDeviceIteratorToStringHandle", "", share(it));
            struct sl_value found = RUN(b, "MultiDeviceIteratorFromStringHandle", one_of("DT_INT64"), handle);
            assert_ptr_equal(found.object, it.object);
            sl_value_clear(&found);
        }
        if (i == 1)
            assert_ok(b->err, run_once(b, NULL, "DeleteMultiDeviceIterator", "attr { key: 'N' value { i: 0 } }",
                                       INPUTS(share(it), outs[1])));
        else sl_value_clear(&outs[1]);
        sl_value_clear(&it);
    }
}

static void zipped_elements_have_all_components(void **state) {
    struct bench *b = use(state);
    const char *attrs = TYPES("output_types", "DT_INT64, DT_INT64") "attr { key: 'output_shapes' value { list { shape: "
                                                                    "[{ unknown_rank: true }, { unknown_rank: true }] "
                                                                    "} } } attr { key: 'N' value { i: 2 } } ";
    struct sl_value it[1], outs[2] = {0};
    struct sl_value zipped = RUN(b, "ZipDataset", attrs, range(0, 3), range(7, 9));
    assert_ok(b->err, run_once(b, it, "AnonymousIteratorV3", attrs, NULL, 0));
    assert_ok(b->err, run_once(b, NULL, "MakeIterator", "", INPUTS(zipped, share(it[0]))));
    assert_ok(b->err, run_once(b, outs, "IteratorGetNext", attrs, INPUTS(share(it[0]))));
    assert_int_equal(outs[0].i64, 0);
    assert_int_equal(outs[1].i64, 7);
    sl_value_clear(&it[0]);
}

static void iterators_are_made_in_every_way(void **state) {
    use(state);
    const char *const ops[] = {"Iterator", "IteratorV2", "AnonymousIterator", "AnonymousIteratorV2",
                               "AnonymousIteratorV3"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct sl_value it = iterate(ops[i], range(0, 3), "DT_INT64");
        assert_string_equal(elements(i % 2 ? "IteratorGetNext" : "IteratorGetNextSync", it, "DT_INT64"), "0 1 2");
        sl_value_clear(&it);
    }
}

static void a_factory_makes_the_dataset_of_a_one_shot_iterator(void **state) {
    struct bench *b = use(state);
    struct sl_value it;
    assert_ok(b->err, run_once(b, &it, "OneShotIterator", one_of("DT_INT64"), NULL, 0));
    assert_string_equal(elements("IteratorGetNext", it, "DT_INT64"), "0 1 2");
    sl_value_clear(&it);
}

static void an_iterator_says_what_is_wrong(void **state) {
    struct bench *b = use(state);
    struct sl_value it[1];
    assert_ok(b->err, run_once(b, it, "AnonymousIteratorV3", one_of("DT_FLOAT"), NULL, 0));
    REFUSED(b, SL_FAILED_PRECONDITION, "has not been initialized", "IteratorGetNext", one_of("DT_FLOAT"), share(it[0]));
    REFUSED(b, SL_INVALID_ARGUMENT, "Data type mismatch at component 0: expected float but got int64.", "MakeIterator",
            "", range(0, 3), share(it[0]));
    sl_value_clear(&it[0]);
}

static void an_optional_is_empty_at_the_end(void **state) {
    struct bench *b = use(state);
    struct sl_value it = iterate("AnonymousIteratorV3", range(5, 6), "DT_INT64");
    const char *const has[] = {"1", "0"};
    for (int i = 0; i < 2; i++)
        take_and_expect(RUN(b, "OptionalHasValue", "",
                            RUN(b, "IteratorGetNextAsOptional", one_of("DT_INT64"), share(it))),
                        "[]", has[i]);
    sl_value_clear(&it);
}

static void a_string_handle_leads_to_the_iterator(void **state) {
    struct bench *b = use(state);
    const char *const ops[] = {"IteratorFromStringHandle", "IteratorFromStringHandleV2"};
    struct sl_value it = iterate("AnonymousIteratorV2", range(0, 4), "DT_INT64");
    struct sl_value handle = RUN(b, "IteratorToStringHandle", "", share(it));
    for (size_t i = 0; i < 2; i++) {
        struct sl_value found = RUN(b, ops[i], one_of("DT_INT64"), share(handle));
        assert_ptr_equal(found.object, it.object);
        sl_value_clear(&found);
    }
    assert_ok(b->err, run_once(b, NULL, "DeleteIterator", "",
                               INPUTS(share(it), {.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT})));
    REFUSED(b, SL_NOT_FOUND, "does not exist", ops[0], one_of("DT_INT64"), handle);
    REFUSED(b, SL_INVALID_ARGUMENT, "Could not parse", ops[1], one_of("DT_INT64"), text("no handle"));
    sl_value_clear(&it);
}

static void seeds_and_caches_are_shared_by_handle(void **state) {
    struct bench *b = use(state);
    struct sl_value made[2] = {0};
    const struct sl_value no_deleter = {.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT};
    assert_ok(b->err, run_once(b, made, "AnonymousSeedGenerator", "", INPUTS(i64(3), i64(7), boolean(true))));
    struct sl_value it =
        iterate("AnonymousIteratorV3",
                RUN(b, "ShuffleDatasetV2", attrs_of(NULL, 1), range(0, 10), i64(4), share(made[0])), "DT_INT64");
    assert_string_equal(elements("IteratorGetNext", it, "DT_INT64"), "2 0 3 1 6 8 4 9 7 5");
    sl_value_clear(&it);
    assert_ok(b->err, run_once(b, NULL, "DeleteSeedGenerator", "", INPUTS(made[0], no_deleter)));
    assert_ok(b->err, run_once(b, made, "AnonymousRandomSeedGenerator", "", INPUTS(i64(3), i64(7))));
    assert_ok(b->err, run_once(b, NULL, "DeleteRandomSeedGenerator", "", INPUTS(made[0], no_deleter)));
    assert_ok(b->err, run_once(b, made, "AnonymousMemoryCache", "", NULL, 0));
    for (int pass = 0; pass < 2; pass++) {
        struct sl_value dataset =
            RUN(b, "CacheDatasetV2", attrs_of(NULL, 1), range(10 * pass, 3), text(""), share(made[0]));
        it = iterate("AnonymousIteratorV3", dataset, "DT_INT64");
        assert_string_equal(elements("IteratorGetNext", it, "DT_INT64"), "0 1 2"); /* the first one's, both times */
        sl_value_clear(&it);
    }
    assert_ok(b->err, run_once(b, NULL, "DeleteMemoryCache", "", INPUTS(made[0], no_deleter)));
    const char *const dummies[] = {"DummySeedGenerator", "DummyMemoryCache", "DummyIterationCounter"};
    for (size_t i = 0; i < 3; i++) {
        assert_ok(b->err, run_once(b, made, dummies[i], "", NULL, 0));
        assert_null(made[0].object);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_setup, bench_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(datasets_give_their_elements),
        cmocka_unit_test_setup_teardown(files_give_their_elements, enter_files, leave_files),
        TEST(a_sparse_tensor_gives_its_rows),
        TEST(dense_rows_become_sparse_batches),
        TEST(numbers_of_elements),
        TEST(a_generator_of_seeds_makes_random_words),
        TEST(a_generator_gives_what_its_functions_say),
        TEST(an_element_is_found_by_its_index),
        TEST(a_wrapped_dataset_is_the_same_dataset),
        TEST(an_iterator_goes_on_where_it_was_saved),
        TEST(a_compressed_element_is_found_again),
        TEST(shards_take_turns),
        TEST(random_words_are_those_of_the_generator),
        TEST(zipped_elements_have_all_components),
        TEST(iterators_are_made_in_every_way),
        TEST(a_factory_makes_the_dataset_of_a_one_shot_iterator),
        TEST(an_iterator_says_what_is_wrong),
        TEST(an_optional_is_empty_at_the_end),
        TEST(a_string_handle_leads_to_the_iterator),
        TEST(seeds_and_caches_are_shared_by_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
