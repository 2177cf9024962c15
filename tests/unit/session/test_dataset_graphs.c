/* Pipelines in sessions, with functions of the graph: written as graphs and read again, sharded, asked what they are. */
#include "proto/wire.h"
#include "root/root.h"
#include "unit/graph/graph_fixture.h"

#include <stdio.h>

enum { TEXT = 8192, GIVEN = 4096 };

#define INT64   "type: DT_INT64"
#define STRING  "type: DT_STRING"
#define TYPES   "output_types list { type: DT_INT64 }"
#define STRINGS "output_types list { type: DT_STRING }"
#define ANY     "output_shapes list { shape { unknown_rank: true } }\n"
#define INT(name, x)                                                                                                   \
    name " = Const() dtype " INT64 "; value tensor { dtype: DT_INT64 tensor_shape { } int64_val: " #x " }\n"
#define FLAG(name, x)                                                                                                  \
    name " = Const() dtype type: DT_BOOL; value tensor { dtype: DT_BOOL tensor_shape { } bool_val: " #x " }\n"
#define RANGE                                                                                                          \
    INT("zero", 0) INT("one", 1) INT("two", 2) INT("six", 6) "r = RangeDataset(zero, six, one) " TYPES "; " ANY
/* x -> 2 x */
#define DOUBLE                                                                                                         \
    "| library { function { signature { name: 'double' input_arg { name: 'x' type: DT_INT64 } output_arg { name: "     \
    "'y' type: DT_INT64 } } node_def { name: 'n' op: 'AddV2' input: 'x' input: 'x' attr { key: 'T' value { type: "     \
    "DT_INT64 } } } ret { key: 'y' value: 'n:z:0' } } }\n"
#define DOUBLED                                                                                                        \
    RANGE DOUBLE                                                                                                       \
        "d = MapDataset(r) f func { name: 'double' }; Targuments list { }; preserve_cardinality b: true; " TYPES       \
        "; " ANY

static struct sl_session *session_with(struct graph_fixture *f, const char *text,
                                       const struct sl_pb_ConfigProto *config) {
    const struct sl_registries *registries;
    struct sl_session *s;
    const struct sl_session_options options = {.config = config};
    assert_ok(f->err, sl_root_registries(&registries, &f->err));
    sl_graph_free(f->graph);
    assert_ok(f->err, sl_graph_new(&f->graph, registries->ops, &f->err));
    import_text(f, text, NULL);
    assert_ok(f->err, sl_session_new(&s, sl_root_targets(), registries, &options, &f->err));
    assert_ok(f->err, sl_session_extend(s, f->graph, &f->err));
    return s;
}

static struct sl_session *session_of(struct graph_fixture *f, const char *text) { return session_with(f, text, NULL); }

/* Output 0 of a node, the caller's; NULL with `name` NULL runs `target`. */
static sl_code fetch(struct sl_tensor **out, struct graph_fixture *f, struct sl_session *s, const char *name,
                     const char *target) {
    struct sl_port from = {NULL, 0};
    struct sl_node *run_too = target ? node_called(f, target) : NULL;
    *out = NULL;
    if (name) from = port_of(f, name, 0);
    const struct sl_run run = {.fetches = &from,
                               .fetch_tensors = out,
                               .n_fetches = name != NULL,
                               .targets = &run_too,
                               .n_targets = target != NULL};
    sl_error_clear(&f->err);
    return sl_session_run(s, &run, &f->err);
}

static void append(char *text, const struct sl_tensor *t) {
    for (int64_t i = 0; i < t->count; i++) {
        char *at = text + strlen(text);
        const size_t room = GIVEN - strlen(text);
        const char *separator = i ? "," : *text ? " " : "";
        if (t->dtype == SL_STRING)
            snprintf(at, room, "%s%.*s", separator, SL_STR_ARG(sl_string_get((const TF_TString *)t->data + i)));
        else snprintf(at, room, "%s%lld", separator, (long long)((const int64_t *)t->data)[i]);
    }
}

/* The elements of dataset `name` of the graph, up to its end or an error. */
static const char *elements(struct graph_fixture *f, const char *text, const char *name, const char *types) {
    static char given[GIVEN], whole[TEXT];
    struct sl_tensor *t;
    *given = 0;
    snprintf(whole, sizeof whole,
             "%s it = IteratorV2() shared_name s: ''; container s: ''; %s; " ANY " m = MakeIterator(%s, it)\n"
             "g = IteratorGetNext(it) %s; " ANY,
             text, types, name, types);
    struct sl_session *s = session_of(f, whole);
    sl_code code = fetch(&t, f, s, NULL, "m");
    for (int i = 0; i < 32 && code == SL_OK; i++) {
        code = fetch(&t, f, s, "g", NULL);
        if (code == SL_OK) append(given, t);
        sl_tensor_unref(t);
    }
    if (code != SL_OUT_OF_RANGE) snprintf(given + strlen(given), GIVEN - strlen(given), "[%.500s]", f->err.message);
    sl_session_free(s);
    return given;
}

/* The bytes of a string that a node gives, in the fixture's arena. */
static struct sl_str bytes_of(struct graph_fixture *f, const char *text, const char *name) {
    struct sl_session *s = session_of(f, text);
    struct sl_tensor *t;
    assert_ok(f->err, fetch(&t, f, s, name, NULL));
    struct sl_str bytes = sl_arena_str(&f->arena, sl_string_get(t->data));
    sl_tensor_unref(t);
    sl_session_free(s);
    return bytes;
}

/* ---- graphs */

GRAPH_TEST(a_pipeline_is_written_as_a_graph) {
    struct sl_pb_GraphDef graph;
    char names[TEXT] = "";
    const struct sl_str bytes = bytes_of(f, DOUBLED "t = DatasetToGraphV2(d)\n", "t");
    assert_ok(f->err, sl_pb_decode(&graph, SL_PB_TYPE(GraphDef), bytes, &f->arena, &f->err));
    for (size_t i = 0; i < graph.node.n; i++) {
        const struct sl_pb_NodeDef *n = &graph.node.items[i];
        snprintf(names + strlen(names), TEXT - strlen(names), "%.*s:%.*s ", SL_STR_ARG(n->name), SL_STR_ARG(n->op));
    }
    assert_text(names, "Const/_0:Const Const/_1:Const Const/_2:Const RangeDataset/_3:RangeDataset "
                       "MapDataset/_4:MapDataset dataset:_Retval ");
    assert_int_equal(graph.library->function.n, 1);
    assert_true(sl_str_is(graph.library->function.items[0].signature->name, "double"));
}

GRAPH_TEST(a_pipeline_comes_back_from_its_graph) {
    assert_text(elements(f, DOUBLED "t = DatasetToGraphV2(d)\n e = DatasetFromGraph(t)\n", "e", TYPES), "0 2 4 6 8 10");
    assert_text(elements(f, DOUBLED "t = DatasetToGraph(d)\n e = DatasetFromGraph(t)\n", "e", TYPES), "0 2 4 6 8 10");
    assert_text(elements(f,
                         RANGE INT("minus", -1)
                             FLAG("yes", true) "s = AnonymousSeedGenerator(one, two, yes)\n"
                                               "h = ShuffleDatasetV3(r, one, one, two, s) " TYPES "; " ANY
                                               "c = DummyMemoryCache()\n e = Const() dtype " STRING
                                               "; value tensor { dtype: DT_STRING tensor_shape { } string_val: '' }\n"
                                               "k = CacheDatasetV2(h, e, c) " TYPES "; " ANY
                                               "t = DatasetToGraphV2(k)\n b = DatasetFromGraph(t)\n",
                         "b", TYPES),
                "0 1 2 3 4 5");
}

GRAPH_TEST(what_is_no_graph_of_a_dataset_is_refused) {
    struct sl_tensor *t;
#define TEXT_OF(bytes)                                                                                                 \
    "g = Const() dtype " STRING "; value tensor { dtype: DT_STRING tensor_shape { } string_val: '" bytes "' }\n"       \
    "d = DatasetFromGraph(g)\n c = DatasetCardinality(d)\n"
    struct sl_session *s = session_of(f, TEXT_OF("\\012"));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "is no GraphDef", fetch(&t, f, s, "c", NULL));
    sl_session_free(s);
    s = session_of(f, TEXT_OF(""));
    assert_fails(f->err, SL_INVALID_ARGUMENT, "no node of a dataset", fetch(&t, f, s, "c", NULL));
    sl_session_free(s);
}

GRAPH_TEST(equal_pipelines_have_equal_fingerprints) {
    struct sl_tensor *a, *b, *c;
    struct sl_session *s = session_of(f, RANGE "s = RangeDataset(zero, six, one) " TYPES "; metadata s: 'other'; " ANY
                                               "q = RangeDataset(zero, two, one) " TYPES "; " ANY
                                               "x = DatasetFingerprint(r)\n y = DatasetFingerprint(s)\n"
                                               "z = DatasetFingerprint(q)\n");
    assert_ok(f->err, fetch(&a, f, s, "x", NULL));
    assert_ok(f->err, fetch(&b, f, s, "y", NULL));
    assert_ok(f->err, fetch(&c, f, s, "z", NULL));
    assert_true(*(uint64_t *)a->data == *(uint64_t *)b->data);
    assert_true(*(uint64_t *)a->data != *(uint64_t *)c->data);
    sl_tensor_unref(a);
    sl_tensor_unref(b);
    sl_tensor_unref(c);
    sl_session_free(s);
}

/* ---- options, batch sizes */

/* deterministic: true, warm_start: true; then slack of the outer one, and threading_options of both merged. */
GRAPH_TEST(options_are_merged_along_a_pipeline) {
    const struct sl_str merged =
        bytes_of(f,
                 RANGE "a = OptionsDataset(r) serialized_options s: '\\010\\001\\052\\002\\010\\003\\110\\001'; " TYPES
                       "; " ANY
                       "b = OptionsDataset(a) serialized_options s: '\\010\\000\\040\\001\\052\\002\\020\\005'; " TYPES
                       "; " ANY "o = GetOptions(b)\n",
                 "o");
    static const char expected[] = "\010\000\040\001\052\004\010\003\020\005\110\001";
    assert_int_equal(merged.n, sizeof expected - 1);
    assert_memory_equal(merged.p, expected, merged.n);
}

static int64_t batch_size(struct graph_fixture *f, const char *text) {
    static char whole[TEXT];
    struct sl_tensor *t;
    snprintf(whole, sizeof whole, RANGE FLAG("no", false) "%s z = ComputeBatchSize(d)\n", text);
    struct sl_session *s = session_of(f, whole);
    assert_ok(f->err, fetch(&t, f, s, "z", NULL));
    const int64_t size = *(int64_t *)t->data;
    sl_tensor_unref(t);
    sl_session_free(s);
    return size;
}

#define BATCH "b = BatchDatasetV2(r, two, no) " TYPES "; " ANY
GRAPH_TEST(the_size_of_batches_is_found) {
    assert_int_equal(batch_size(f, "d = TakeDataset(r, two) " TYPES "; " ANY), -1);
    assert_int_equal(batch_size(f, BATCH "d = TakeDataset(b, two) " TYPES "; " ANY), 2);
    assert_int_equal(batch_size(f, BATCH "d = UnbatchDataset(b) " TYPES "; " ANY), -1);
    assert_int_equal(batch_size(f, BATCH "c = BatchDatasetV2(r, six, no) " TYPES "; " ANY
                                         "d = ConcatenateDataset(b, c) " TYPES "; " ANY),
                     -1);
}

/* ---- shards */

#define WORKERS                  RANGE FLAG("no", false)
#define SHARD(op, input, policy) "a = " op "(" input ", two, one) auto_shard_policy i: " #policy "; " TYPES "; " ANY

GRAPH_TEST(elements_are_sharded_in_front_of_a_prefetch) {
    assert_text(elements(f, WORKERS SHARD("AutoShardDataset", "r", 0), "a", TYPES), "1 3 5");
    assert_text(elements(f, WORKERS SHARD("ExperimentalAutoShardDataset", "r", 2), "a", TYPES), "1 3 5");
    assert_text(elements(f, WORKERS SHARD("AutoShardDataset", "r", -1), "a", TYPES), "0 1 2 3 4 5");
    assert_text(elements(f,
                         WORKERS BATCH "p = PrefetchDataset(b, two) " TYPES "; " ANY SHARD("AutoShardDataset", "p", 0),
                         "a", TYPES),
                "2,3");
    assert_non_null(strstr(elements(f, WORKERS SHARD("AutoShardDataset", "r", 1), "a", TYPES), "unshardable"));
}

GRAPH_TEST(a_hint_says_where_to_shard) {
#define HINTED                                                                                                         \
    WORKERS INT("hint", -1) "h = ShardDataset(r, hint, zero) " TYPES "; " ANY "p = SkipDataset(h, one) " TYPES ";"     \
                            " " ANY
    assert_text(elements(f, HINTED SHARD("AutoShardDataset", "p", 3), "a", TYPES), "3 5");
    assert_non_null(strstr(elements(f, HINTED, "p", TYPES), "SHARD_HINT"));
}

/* Files that are not there show which ones were opened, by the message. */
GRAPH_TEST(files_are_sharded_where_a_function_reads_them) {
#define LINES                                                                                                          \
    "| library { function { signature { name: 'lines' input_arg { name: 'x' type: DT_STRING } output_arg { name: 'y' " \
    "type: DT_VARIANT } } node_def { name: 'c' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr { "    \
    "key: 'value' value { tensor { dtype: DT_STRING tensor_shape { } string_val: '' } } } } node_def { name: 'b' op: " \
    "'Const' attr { key: 'dtype' value { type: DT_INT64 } } attr { key: 'value' value { tensor { dtype: DT_INT64 "     \
    "tensor_shape { } int64_val: 0 } } } } node_def { name: 'n' op: 'TextLineDataset' input: 'x' input: 'c:output:0' " \
    "input: 'b:output:0' } ret { key: 'y' value: 'n:handle:0' } } }\n"
#define FILES                                                                                                          \
    "names = Const() dtype " STRING "; value tensor { dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "  \
    "'/nowhere/a' string_val: '/nowhere/b' }\n"                                                                        \
    "n = TensorSliceDataset(names) Toutput_types list { " STRING " }; " ANY
#define OF_LINES(input) "l = FlatMapDataset(" input ") f func { name: 'lines' }; Targuments list { }; " STRINGS "; " ANY
    const char *opened = elements(f, WORKERS LINES FILES OF_LINES("n") SHARD("AutoShardDataset", "l", 1), "a", STRINGS);
    assert_non_null(strstr(opened, "/nowhere/b"));
    opened =
        elements(f,
                 WORKERS LINES FILES "s = ShuffleDataset(n, two, one, two) reshuffle_each_iteration b: true; " STRINGS
                                     "; " ANY OF_LINES("s") SHARD("AutoShardDataset", "l", 0),
                 "a", STRINGS);
    assert_non_null(strstr(opened, "/nowhere/b")); /* the second of the list, however they are shuffled */
}

/* ---- what pipelines say of themselves */

GRAPH_TEST(asserted_stages_are_counted) {
#define WORDS(n, words)                                                                                                \
    "w = Const() dtype " STRING "; value tensor { dtype: DT_STRING tensor_shape { dim { size: " #n " } } " words " }"  \
    "\n"
    const char *next = RANGE WORDS(1, "string_val: 'Take'") "a = AssertNextDataset(r, w) " TYPES "; " ANY
                                                            "t = TakeDataset(a, two) " TYPES "; " ANY;
    assert_text(elements(f, next, "t", TYPES), "0 1");
    assert_non_null(strstr(elements(f, next, "a", TYPES), "encountered only 0"));
#define PREV(n, words) RANGE WORDS(n, words) "a = AssertPrevDataset(r, w) " TYPES "; " ANY
    assert_text(elements(f, PREV(1, "string_val: 'name: \"RangeDataset\"'"), "a", TYPES), "0 1 2 3 4 5");
    assert_non_null(strstr(elements(f, PREV(2, "string_val: 'name: \"RangeDataset\"' string_val: ''"), "a", TYPES),
                           "encountered only 1"));
    assert_non_null(
        strstr(elements(f, PREV(1, "string_val: 'name: \"RangeDataset\" attr { key: \"whoops\" value { i: 1 } }'"), "a",
                        TYPES),
               "whoops"));
}

/* ---- policies and one-shot iterators */

/* The options' policy (field 6) stands above the op's. */
GRAPH_TEST(options_refuse_what_has_a_memory) {
#define NOISE                                                                                                          \
    RANGE                                                                                                              \
    "| library { function { signature { name: 'noise' input_arg { name: 'x' type: DT_INT64 } output_arg { name: "      \
    "'y' type: DT_INT64 } } node_def { name: 's' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } "          \
    "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 0 } } } } } } node_def { "        \
    "name: 'n' op: 'RandomUniformInt' input: 's:output:0' input: 'x' input: 'x' attr { key: 'T' value { type: "        \
    "DT_INT32 } } attr { key: 'Tout' value { type: DT_INT64 } } } ret { key: 'y' value: 'n:output:0' } } }\n"          \
    "d = MapDataset(r) f func { name: 'noise' }; Targuments list { }; " TYPES "; " ANY
#define WITH_POLICY(x)                                                                                                 \
    NOISE "o = OptionsDataset(d) serialized_options s: '\\060\\00" #x "'; " TYPES "; " ANY "t = DatasetToGraphV2(o)\n"
    struct sl_tensor *t;
    struct sl_session *s = session_of(f, WITH_POLICY(2));
    assert_fails(f->err, SL_FAILED_PRECONDITION, "RandomUniformInt is stateful", fetch(&t, f, s, "t", NULL));
    sl_session_free(s);
    assert_true(bytes_of(f, WITH_POLICY(1), "t").n > 0);
}

/* One iterator, whichever nodes take from it and whichever runs they are in. */
GRAPH_TEST(a_one_shot_iterator_is_one_for_all_runs) {
#define ONE_SHOT                                                                                                       \
    "| library { function { signature { name: 'make' output_arg { name: 'y' type: DT_VARIANT } } node_def { name: "    \
    "'a' op: 'Const' " CONST_ATTRS(0) "} node_def { name: 'b' op: 'Const' " CONST_ATTRS(                               \
        4) "} node_def { name: 'c' "                                                                                   \
           "op: 'Const' " CONST_ATTRS(                                                                                 \
               1) "} node_def { name: 'n' op: 'RangeDataset' input: 'a:output:0' input: 'b:output:0' "                 \
                  "input: 'c:output:0' attr { key: 'output_types' value { list { type: DT_INT64 } } } attr { key: "    \
                  "'output_shapes' "                                                                                   \
                  "value { list { shape { } } } } } ret { key: 'y' value: 'n:handle:0' } } }\n"                        \
                  "it = OneShotIterator() dataset_factory func { name: 'make' }; container s: ''; shared_name s: "     \
                  "''; " TYPES "; " ANY "g = IteratorGetNext(it) " TYPES "; " ANY "h = IteratorGetNext(it) " TYPES     \
                  "; " ANY RANGE "m = MakeIterator(r, it)\n"
#define CONST_ATTRS(x)                                                                                                 \
    "attr { key: 'dtype' value { type: DT_INT64 } } attr { key: 'value' value { tensor { dtype: DT_INT64 "             \
    "tensor_shape { } int64_val: " #x " } } } "
    struct sl_session *s = session_of(f, ONE_SHOT);
    const char *const asked[] = {"g", "h", "g", NULL, "h", "g"};
    const int64_t given[] = {0, 1, 2, 0, 0, 1};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct sl_tensor *t;
        assert_ok(f->err, fetch(&t, f, s, asked[i], asked[i] ? NULL : "m"));
        if (t) assert_int_equal(*(int64_t *)t->data, given[i]);
        sl_tensor_unref(t);
    }
    sl_session_free(s);
}

/* ---- devices */

/* A factory made elsewhere names devices that are not here. */
GRAPH_TEST(a_factory_is_placed_as_the_session_places) {
#define FIVE "attr { key: 'value' value { tensor { dtype: DT_INT64 tensor_shape { } int64_val: 5 } } } "
#define ELSEWHERE                                                                                                      \
    "| library { function { signature { name: 'make' output_arg { name: 'y' type: DT_VARIANT } } node_def { name: "    \
    "'five' op: 'Const' device: '/device:CPU:5' attr { key: 'dtype' value { type: DT_INT64 } } " FIVE                  \
    "} node_def { name: 'n' op: 'TensorDataset' device: '/device:CPU:5' input: 'five:output:0' attr { key: "           \
    "'Toutput_types' value { list { type: DT_INT64 } } } attr { key: 'output_shapes' value { list { shape { } } } } "  \
    "} ret { key: 'y' value: 'n:handle:0' } } }\n"                                                                     \
    "it = OneShotIterator() dataset_factory func { name: 'make' }; container s: ''; shared_name s: ''; " TYPES         \
    "; " ANY "g = IteratorGetNext(it) " TYPES "; " ANY
    const struct sl_pb_ConfigProto soft = {.allow_soft_placement = true};
    struct sl_tensor *t;
    struct sl_session *s = session_with(f, ELSEWHERE, &soft);
    assert_ok(f->err, fetch(&t, f, s, "g", NULL));
    assert_int_equal(*(int64_t *)t->data, 5);
    sl_tensor_unref(t);
    sl_session_free(s);
    s = session_of(f, ELSEWHERE);
    assert_fails(f->err, SL_INVALID_ARGUMENT, "CPU:5", fetch(&t, f, s, "g", NULL));
    sl_session_free(s);
}

/* ---- examples: { a: 5 } */

#define EXAMPLE "\\012\\014\\012\\012\\012\\001a\\022\\005\\032\\003\\012\\001\\005"
#define EXAMPLES                                                                                                       \
    RANGE "e = Const() dtype " STRING "; value tensor { dtype: DT_STRING tensor_shape { dim { size: 2 } } "            \
          "string_val: '" EXAMPLE "' string_val: '' }\n"                                                               \
          "x = TensorDataset(e) Toutput_types list { " STRING " }; " ANY INT("seven", 7)
#define PARSES(op, default)                                                                                            \
    "p = " op "(x, two" default ") sparse_keys list { }; sparse_types list { }; dense_keys list { s: 'a' }; Tdense "   \
                                "list { type: DT_INT64 }; dense_shapes list { shape { } }; " TYPES "; " ANY

GRAPH_TEST(examples_are_parsed) {
    assert_text(elements(f, EXAMPLES PARSES("ParseExampleDataset", ", seven"), "p", TYPES), "5,7");
    assert_text(elements(f, EXAMPLES PARSES("ExperimentalParseExampleDataset", ", seven"), "p", TYPES), "5,7");
    assert_text(elements(f, EXAMPLES PARSES("ParseExampleDatasetV2", ", seven"), "p", TYPES), "5,7");
    assert_text(elements(f,
                         EXAMPLES PARSES("ParseExampleDatasetV2",
                                         ", seven") "t = DatasetToGraphV2(p)\n q = DatasetFromGraph(t)\n",
                         "q", TYPES),
                "5,7");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(a_pipeline_is_written_as_a_graph),
        graph_unit_test(a_pipeline_comes_back_from_its_graph),
        graph_unit_test(what_is_no_graph_of_a_dataset_is_refused),
        graph_unit_test(equal_pipelines_have_equal_fingerprints),
        graph_unit_test(options_are_merged_along_a_pipeline),
        graph_unit_test(the_size_of_batches_is_found),
        graph_unit_test(elements_are_sharded_in_front_of_a_prefetch),
        graph_unit_test(a_hint_says_where_to_shard),
        graph_unit_test(files_are_sharded_where_a_function_reads_them),
        graph_unit_test(asserted_stages_are_counted),
        graph_unit_test(options_refuse_what_has_a_memory),
        graph_unit_test(a_one_shot_iterator_is_one_for_all_runs),
        graph_unit_test(a_factory_is_placed_as_the_session_places),
        graph_unit_test(examples_are_parsed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
