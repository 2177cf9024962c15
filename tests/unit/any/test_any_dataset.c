/* Ops that make datasets, by rows of op, inputs and elements; iterators and what else stands around them. */
#include "unit/any/one_node.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Every attr that some op of the family asks for; an op passes over those it does not declare. */
#define TYPES(key, types) "attr { key: '" key "' value { list { type: [" types "] } } } "
#define FUNC(key)         "attr { key: '" key "' value { func { name: '%s' } } } "
/* clang-format off */
static const char all_attrs[] =
    TYPES("output_types", "DT_INT64") TYPES("Toutput_types", "DT_INT64") TYPES("Targuments", "")
    TYPES("Tstate", "DT_INT64") FUNC("f") FUNC("predicate")
    "attr { key: 'output_shapes' value { list { shape: { unknown_rank: true } } } } "
    "attr { key: 'N' value { i: %d } } attr { key: 'rewrite_name' value { s: '' } } "
    "attr { key: 'serialized_options' value { s: '' } } attr { key: 'optimizations' value { list { } } } ";
/* clang-format on */

static const char *attrs_of(const char *function, int n) {
    static char text[2048];
    if (!function) function = "times_2";
    snprintf(text, sizeof text, all_attrs, function, function, n);
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

static struct fake_function functions[] = {
    {"times_2", 1, 1, {SL_INT64}, {SL_INT64}, times_2, 0},
    {"is_odd", 1, 1, {SL_INT64}, {SL_BOOL}, is_odd, 0},
    {"below_3", 1, 1, {SL_INT64}, {SL_BOOL}, below_3, 0},
    {"add", 2, 1, {SL_INT64, SL_INT64}, {SL_INT64}, add, 0},
    {"add_twice", 2, 2, {SL_INT64, SL_INT64}, {SL_INT64, SL_INT64}, add_twice, 0},
    {"twice", 1, 1, {SL_INT64}, {SL_VARIANT}, twice, 0},
    {"three", 0, 1, {0}, {SL_VARIANT}, three, 0},
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
static struct sl_value batches(int64_t stop) {
    return RUN(the_bench, "BatchDatasetV2", attrs_of(NULL, 1), range(0, stop), i64(2), boolean(false));
}

/* An input, from a word: D, E datasets of numbers, P of pairs; S, T selectors; R no resource; t, f; '' ; [1,2]; 12 */
static struct sl_value input_of(const char *word, int type) {
    int64_t numbers[8], n = 0;
    switch (*word) {
    case 'D': return range(0, 6);
    case 'E': return range(10, 12);
    case 'P': return batches(6);
    case 'T': return RUN(the_bench, "RepeatDataset", attrs_of(NULL, 1), range(0, 2), i64(2));
    case 'R': return (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_RESOURCE, .object = NULL};
    case 't':
    case 'f': return boolean(*word == 't');
    case '\'': return text("");
    case '[':
        for (char *at = (char *)word; *at != ']' && n < 8;) {
            at++;
            if (*at != ']') numbers[n++] = strtoll(at, &at, 10);
        }
        return vec_i64(n, numbers);
    default: return type == SL_INT32 ? i32(atoi(word)) : i64(atoll(word));
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

static void check_row(const struct row *row) {
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
    const char *type = strstr(row->expected, "dataset") ? "DT_VARIANT" : "DT_INT64";
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
    {"AssertNextDataset", "D ''", ALL, NULL},
    {"ExperimentalAssertNextDataset", "D ''", ALL, NULL},
    {"AssertPrevDataset", "D ''", ALL, NULL},
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
};

static void datasets_give_their_elements(void **state) {
    use(state);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_row(&rows[i]);
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
        TEST(numbers_of_elements),
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
