/* What is known of datasets as pipelines: their graphs, written and read, their fingerprints, options, batch sizes. */
#include "backends/any/any_kernels.h"

#include "backends/any/dataset_graph.h"
#include "backends/any/dataset_options.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "proto/wire.h"

static sl_code dataset_in(struct sl_dataset **out, struct sl_kernel_context *k) {
    return sl_dataset_of_value(out, sl_in_value(k, 0), k->err);
}

static sl_code give_string(struct sl_kernel_context *k, struct sl_str bytes) {
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    return sl_string_set(out.data, bytes, k->err);
}

/* ---- DatasetToGraph: what is done about functions with effects or a memory is as for positions of iterators; the dataset's
 * options have the last word */

enum policy { WARN, IGNORE, FAIL };

struct to_graph {
    int64_t policy;
    int producer;
};

static sl_code to_graph_create(void **state, struct sl_kernel_setup *setup) {
    struct to_graph *g = sl_calloc(1, sizeof *g);
    bool allows = false;
    if (!g) return sl_fail_memory(setup->err, sizeof *g);
    g->producer = setup->graph_version;
    sl_code code = SL_OK;
    if (sl_attr_find(setup->attrs, SL_STR("allow_stateful"))) {
        code = sl_attr_bool(&allows, setup->attrs, "allow_stateful", setup->err);
        g->policy = allows ? IGNORE : FAIL;
    } else if (sl_attr_find(setup->attrs, SL_STR("external_state_policy"))) {
        code = sl_attr_int(&g->policy, setup->attrs, "external_state_policy", setup->err);
    }
    if (code == SL_OK) *state = g;
    else sl_free(g);
    return code;
}

static sl_code write(struct sl_str *bytes, struct sl_kernel_context *k, const struct sl_dataset *d, bool drops_metadata,
                     struct sl_arena *arena) {
    const struct sl_dataset_graph_options options = {.functions = k->env->functions,
                                                     .resources = k->env->session_resources,
                                                     .producer = ((const struct to_graph *)k->state)->producer,
                                                     .drops_metadata = drops_metadata};
    return sl_dataset_graph(bytes, d, &options, arena, k->err);
}

static sl_code to_graph_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_arena arena;
    struct sl_str bytes;
    SL_TRY(dataset_in(&d, k));
    int64_t policy = ((const struct to_graph *)k->state)->policy;
    SL_TRY(sl_dataset_external_state_policy(&policy, d, k->err));
    const char *stateful = sl_dataset_stateful_op(d);
    if (stateful && policy == FAIL)
        return sl_fail(k->err, SL_FAILED_PRECONDITION, "Failed to serialize the input pipeline graph: %s is stateful.",
                       stateful);
    sl_arena_init(&arena);
    sl_code code = write(&bytes, k, d, false, &arena);
    if (code == SL_OK) code = give_string(k, bytes);
    sl_arena_clear(&arena);
    return code;
}

/* Equal pipelines have equal fingerprints, in every process; they are not TensorFlow's. */
static sl_code fingerprint_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_arena arena;
    struct sl_str bytes;
    struct sl_view out;
    SL_TRY(dataset_in(&d, k));
    sl_arena_init(&arena);
    sl_code code = write(&bytes, k, d, true, &arena);
    if (code == SL_OK) code = sl_out_new(&out, k, 0, SL_SHAPE_SCALAR);
    if (code == SL_OK) *(uint64_t *)out.data = sl_hash_bytes(bytes.p, bytes.n);
    sl_arena_clear(&arena);
    return code;
}

/* ---- DatasetFromGraph */

static sl_code call_graph(struct sl_kernel_context *k, struct sl_function *f) {
    struct sl_functions *functions = k->env->functions;
    const uint8_t *args, *rets;
    int n_args, n_rets;
    struct sl_value made = {0};
    struct sl_dataset *d;
    functions->signature(f, &n_args, &args, &n_rets, &rets);
    if (n_args != 0 || n_rets != 1 || rets[0] != SL_VARIANT)
        return sl_invalid(k, "The graph has no node of a dataset: one `_Retval` of a variant, and no `_Arg`");
    SL_TRY(functions->call(f, k->env, NULL, &made, k->err));
    sl_code code = sl_dataset_of_value(&d, &made, k->err);
    if (code == SL_OK) *sl_out_value(k, 0) = sl_value_move(&made);
    sl_value_clear(&made);
    return code;
}

static sl_code from_graph_run(struct sl_kernel_context *k) {
    const struct sl_view text = sl_in(k, 0);
    struct sl_functions *functions = k->env->functions;
    struct sl_arena arena;
    struct sl_pb_GraphDef graph;
    struct sl_function *f;
    if (text.count != 1) return sl_invalid(k, "graph_def must be a scalar");
    if (!functions || !functions->instantiate_graph)
        return sl_fail(k->err, SL_UNIMPLEMENTED, "DatasetFromGraph where graphs cannot be run");
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&graph, SL_PB_TYPE_OF(GraphDef), sl_string_get(text.data), &arena, NULL);
    code = code == SL_OK ? functions->instantiate_graph(&f, functions, &graph, k->err)
                         : sl_invalid(k, "graph_def is no GraphDef");
    sl_arena_clear(&arena);
    SL_TRY(code);
    code = call_graph(k, f);
    functions->release(f);
    return code;
}

/* ---- GetOptions */

static sl_code options_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_arena arena;
    struct sl_str options;
    SL_TRY(dataset_in(&d, k));
    sl_arena_init(&arena);
    sl_code code = sl_dataset_options(&options, d, &arena, k->err);
    if (code == SL_OK) code = give_string(k, options);
    sl_arena_clear(&arena);
    return code;
}

/* ---- ComputeBatchSize: of the batches that the last stage that makes any makes, where nothing behind it changes them;
 * -1: it is not known. The ops are those that TensorFlow looks through. */

struct batch_rule {
    const char *op;
    int argument; /* the batch size among the arguments; -1: what its inputs say, which must be the same */
};
static const struct batch_rule batch_rules[] = {
    {"BatchDataset", 0},
    {"BatchDatasetV2", 0},
    {"ExperimentalMapAndBatchDataset", 0},
    {"MapAndBatchDataset", 0},
    {"PaddedBatchDataset", 0},
    {"PaddedBatchDatasetV2", 0},
    {"AssertCardinalityDataset", -1},
    {"AssertNextDataset", -1},
    {"AssertPrevDataset", -1},
    {"BytesProducedStatsDataset", -1},
    {"CacheDataset", -1},
    {"CacheDatasetV2", -1},
    {"ConcatenateDataset", -1},
    {"ExperimentalParseExampleDataset", -1},
    {"FilterDataset", -1},
    {"FinalizeDataset", -1},
    {"LatencyStatsDataset", -1},
    {"MaxIntraOpParallelismDataset", -1},
    {"ModelDataset", -1},
    {"NonSerializableDataset", -1},
    {"OptimizeDataset", -1},
    {"OptimizeDatasetV2", -1},
    {"OptionsDataset", -1},
    {"ParseExampleDataset", -1},
    {"ParseExampleDatasetV2", -1},
    {"PrefetchDataset", -1},
    {"PrivateThreadPoolDataset", -1},
    {"RepeatDataset", -1},
    {"ShardDataset", -1},
    {"ShuffleAndRepeatDataset", -1},
    {"ShuffleAndRepeatDatasetV2", -1},
    {"ShuffleDataset", -1},
    {"ShuffleDatasetV2", -1},
    {"ShuffleDatasetV3", -1},
    {"SkipDataset", -1},
    {"TakeDataset", -1},
    {"ThreadPoolDataset", -1},
    {"ZipDataset", -1},
};

static const struct batch_rule *rule_of(struct sl_str op) {
    for (size_t i = 0; i < sizeof batch_rules / sizeof *batch_rules; i++)
        if (sl_str_is(op, batch_rules[i].op)) return &batch_rules[i];
    return NULL;
}

static int64_t batch_size(const struct sl_dataset *d) {
    const struct batch_rule *rule = rule_of(d->spec->op);
    int64_t size = -1;
    if (!rule) return -1;
    if (rule->argument >= 0) {
        /* captures of a fused map stand in front */
        const int captured = d->spec->n_functions ? d->spec->functions[0].n_captured : 0;
        return sl_dataset_int(&size, d, captured + rule->argument, "batch_size", NULL) == SL_OK ? size : -1;
    }
    for (int i = 0; i < d->n_inputs; i++) {
        const int64_t of_input = batch_size(d->inputs[i]);
        if (of_input < 0 || (i > 0 && of_input != size)) return -1;
        size = of_input;
    }
    return size;
}

static sl_code batch_size_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    SL_TRY(dataset_in(&d, k));
    return sl_out_int(k, 0, batch_size(d));
}

/* clang-format off */
const struct sl_kernel_def sl_any_dataset_graph_rows[] = {
    KERNEL("DatasetToGraph", NO_RULE, .create = to_graph_create, .destroy = sl_free, .run = to_graph_run)
    KERNEL("DatasetToGraphV2", NO_RULE, .create = to_graph_create, .destroy = sl_free, .run = to_graph_run)
    KERNEL("DatasetFingerprint", NO_RULE, .create = to_graph_create, .destroy = sl_free, .run = fingerprint_run)
    KERNEL("DatasetFromGraph", NO_RULE, .run = from_graph_run)
    KERNEL("GetOptions", NO_RULE, .run = options_run)
    KERNEL("ComputeBatchSize", NO_RULE, .run = batch_size_run)
    SL_ROWS_END
};
/* clang-format on */
