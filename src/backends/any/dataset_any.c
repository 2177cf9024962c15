/* Ops that make datasets, and ops that use one as a whole. A row names the kind (src/data) and how the op's inputs and
 * attrs fit it; one kernel serves all: its first inputs are datasets, the others arguments of the kind. */
#include "backends/any/any_kernels.h"

#include "backends/any/callees.h"
#include "base/alloc.h"
#include "data/cache.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/seeds.h"

/* How an op describes a dataset. */
struct form {
    const struct sl_dataset_kind *kind;
    int n_inputs; /* datasets in front; -1: as many as attr N says, with `n_before` ahead of them */
    int n_before;
    const char *types; /* attr with the types of components; NULL: one string, or the attr's type (`type`) */
    const char *type;
    const char *functions[SL_DATASET_FUNCTIONS]; /* attrs, and those with the types of what each captures */
    const char *captured[SL_DATASET_FUNCTIONS];
    const char *state;  /* attr with the types of a state, whose values come before captures */
    const char *flag;   /* bool attr of the kind */
    int captures_after; /* arguments between the datasets and what is captured */
};

/* The state: the spec, or why there is none. */
struct maker {
    struct sl_dataset_spec *spec;
    struct sl_callees *callees;
    int n_inputs;
};

static void maker_free(void *state) {
    struct maker *m = state;
    sl_dataset_spec_unref(m->spec);
    sl_callees_free(m->callees);
    sl_free(m);
}

static const uint8_t one_string[] = {SL_STRING};
static const struct sl_shape one_scalar[] = {{0, NULL}};

static sl_code read_components(struct sl_dataset_spec *spec, const struct form *form, struct sl_kernel_setup *setup) {
    const int32_t *types;
    int n_shapes, n;
    spec->n = 1;
    spec->types = one_string;
    spec->shapes = one_scalar;
    if (!form->types) return SL_OK;
    SL_TRY(sl_attr_type_list(&types, &n, setup->attrs, form->types, setup->err));
    SL_TRY(sl_attr_shape_list(&spec->shapes, &n_shapes, &spec->arena, setup->attrs, "output_shapes", setup->err));
    if (n != n_shapes)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "output_types and output_shapes must be same length, got: %d vs %d", n, n_shapes);
    uint8_t *copy = sl_arena_zalloc(&spec->arena, (size_t)n);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&spec->arena, struct sl_shape, (size_t)n);
    if (!copy || !shapes) return sl_fail_memory(setup->err, (size_t)n * sizeof *shapes);
    for (int i = 0; i < n; i++) {
        copy[i] = (uint8_t)types[i];
        shapes[i] = sl_shape_copy(&spec->arena, spec->shapes[i]);
        if (shapes[i].rank == -2) return sl_fail_memory(setup->err, 0);
    }
    spec->types = copy;
    spec->shapes = shapes;
    spec->n = n;
    return SL_OK;
}

static sl_code type_count(int *n, struct sl_kernel_setup *setup, const char *attr) {
    const int32_t *types;
    return sl_attr_type_list(&types, n, setup->attrs, attr, setup->err);
}

static sl_code bind_functions(struct maker *m, const struct form *form, struct sl_kernel_setup *setup) {
    struct sl_dataset_spec *spec = m->spec;
    const struct sl_pb_NameAttrList *named;
    int at = form->captures_after;
    if (form->state) {
        SL_TRY(type_count(&spec->n_state, setup, form->state));
        at += spec->n_state;
    }
    for (int i = 0; i < SL_DATASET_FUNCTIONS && form->functions[i]; i++) {
        struct sl_dataset_function *f = &spec->functions[spec->n_functions++];
        SL_TRY(sl_attr_func(&named, setup->attrs, form->functions[i], setup->err));
        SL_TRY(sl_callee_find(m->callees, i, setup, named));
        f->function = m->callees->functions[i];
        setup->functions->signature(f->function, &f->n_args, &f->arg_types, &f->n_rets, &f->ret_types);
        f->captured = at;
        SL_TRY(type_count(&f->n_captured, setup, form->captured[i]));
        at += f->n_captured;
    }
    return SL_OK;
}

static sl_code fill_maker(struct maker *m, struct sl_kernel_setup *setup) {
    const struct form *form = setup->def->data;
    struct sl_dataset_spec *spec = m->spec = sl_calloc(1, sizeof *spec);
    if (!spec) return sl_fail_memory(setup->err, sizeof *spec);
    atomic_init(&spec->refs, 1);
    sl_arena_init(&spec->arena);
    spec->kind = form->kind;
    m->n_inputs = form->n_inputs;
    if (m->n_inputs < 0) {
        SL_TRY(sl_attr_int32(&m->n_inputs, setup->attrs, "N", setup->err));
        m->n_inputs += form->n_before;
    }
    if (m->n_inputs > setup->n_in)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s has too few inputs", form->kind->name);
    if (form->flag) SL_TRY(sl_attr_bool(&spec->flag, setup->attrs, form->flag, setup->err));
    SL_TRY(read_components(spec, form, setup));
    m->callees = sl_callees_new(SL_DATASET_FUNCTIONS, setup->err);
    if (!m->callees) return SL_RESOURCE_EXHAUSTED;
    return sl_callees_keep_error(m->callees, setup, bind_functions(m, form, setup));
}

static sl_code maker_create(void **state, struct sl_kernel_setup *setup) {
    struct maker *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(setup->err, sizeof *m);
    sl_code code = fill_maker(m, setup);
    if (code == SL_OK) *state = m;
    else maker_free(m);
    return code;
}

static sl_code fill_dataset(struct sl_dataset **out, struct sl_kernel_context *k, const struct maker *m,
                            struct sl_dataset **inputs, struct sl_value *values) {
    const int n = sl_in_count(k);
    for (int i = 0; i < m->n_inputs; i++) SL_TRY(sl_dataset_of_value(&inputs[i], sl_in_value(k, i), k->err));
    for (int i = m->n_inputs; i < n; i++) values[i - m->n_inputs] = *sl_in_value(k, i); /* borrowed */
    return sl_dataset_new(out, m->spec, inputs, m->n_inputs, values, n - m->n_inputs, k->err);
}

/* The dataset that the node describes; the caller's. */
static sl_code make_dataset(struct sl_dataset **out, struct sl_kernel_context *k) {
    const struct maker *m = k->state;
    const size_t n = (size_t)sl_in_count(k) + 1;
    SL_TRY(sl_callees_status(m->callees, k->err));
    struct sl_value *values = sl_calloc(n, sizeof *values);
    struct sl_dataset **inputs = sl_calloc(n, sizeof *inputs);
    sl_code code =
        values && inputs ? fill_dataset(out, k, m, inputs, values) : sl_fail_memory(k->err, n * sizeof *values);
    sl_free(values);
    sl_free(inputs);
    return code;
}

static sl_code maker_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    SL_TRY(make_dataset(&d, k));
    sl_out_object(k, 0, &d->object);
    return SL_OK;
}

/* ---- datasets as wholes */

static sl_code dataset_in(struct sl_dataset **out, struct sl_kernel_context *k) {
    return sl_dataset_of_value(out, sl_in_value(k, 0), k->err);
}

static sl_code cardinality_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    SL_TRY(dataset_in(&d, k));
    return sl_out_int(k, 0, sl_dataset_cardinality(d));
}

/* Moves the element to the outputs, whose types and shapes the attrs declare. */
static sl_code give_element(struct sl_kernel_context *k, struct sl_value *element, int n) {
    if (n != sl_out_count(k))
        return sl_invalid(k, "Number of components does not match: expected %d types but got %d.", sl_out_count(k), n);
    for (int i = 0; i < n; i++)
        if (element[i].dtype != sl_out_type(k, i))
            return sl_invalid(k, "Data type mismatch at component %d: expected %s but got %s.", i,
                              sl_dtype_name(sl_out_type(k, i)), sl_dtype_name(element[i].dtype));
    for (int i = 0; i < n; i++) *sl_out_value(k, i) = sl_value_move(&element[i]);
    return SL_OK;
}

static sl_code take_single(struct sl_kernel_context *k, struct sl_iterator *it, struct sl_value *element,
                           struct sl_value *more) {
    bool is_end;
    SL_TRY(sl_iterator_next(it, element, &is_end, k->env, k->err));
    if (is_end) return sl_invalid(k, "Dataset was empty.");
    SL_TRY(sl_iterator_next(it, more, &is_end, k->env, k->err));
    if (!is_end) return sl_invalid(k, "Dataset had more than one element.");
    return give_element(k, element, it->dataset->n);
}

static sl_code single_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_iterator *it;
    struct sl_value *room;
    SL_TRY(dataset_in(&d, k));
    SL_TRY(sl_iterator_new(&it, d, k->env, k->err));
    sl_code code = sl_element_new(&room, 2 * d->n, k->err);
    if (code == SL_OK) {
        code = take_single(k, it, room, room + d->n);
        sl_element_clear(room, 2 * d->n);
        sl_free(room);
    }
    sl_iterator_free(it);
    return code;
}

/* ---- ReduceDataset: initial_state, other_arguments; the state after all elements */

static sl_code reduce_elements(struct sl_kernel_context *k, const struct sl_dataset *d, struct sl_iterator *it,
                               struct sl_value *state, struct sl_value *args) {
    const int n = d->spec->n_state;
    for (;;) {
        bool is_end;
        SL_TRY(sl_iterator_next(it, args + n, &is_end, k->env, k->err));
        if (is_end) return give_element(k, state, n);
        for (int i = 0; i < n; i++) args[i] = sl_value_move(&state[i]);
        SL_TRY(sl_dataset_call(state, d, 0, args, n + d->inputs[0]->n, k->env, k->err));
    }
}

static sl_code reduce_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_iterator *it = NULL;
    struct sl_value *room = NULL;
    SL_TRY(make_dataset(&d, k));
    const int n = d->spec->n_state, all = 2 * n + d->inputs[0]->n;
    sl_code code = sl_iterator_new(&it, d->inputs[0], k->env, k->err);
    if (code == SL_OK) code = sl_element_new(&room, all, k->err);
    if (code == SL_OK) {
        for (int i = 0; i < n; i++) room[i] = sl_value_share(&d->values[i]);
        code = reduce_elements(k, d, it, room, room + n);
        sl_element_clear(room, all);
    }
    sl_free(room);
    sl_iterator_free(it);
    sl_dataset_unref(d);
    return code;
}

/* ---- what datasets share by handle: generators of seeds, caches */

/* A handle to nothing: whoever gets it makes one of its own. */
static sl_code dummy_run(struct sl_kernel_context *k) {
    sl_out_object(k, 0, NULL);
    return SL_OK;
}

static sl_code give_shared(struct sl_kernel_context *k, struct sl_object *o) {
    sl_out_object(k, 0, o);
    sl_out_object(k, 1, NULL); /* the deleter: handles count */
    return SL_OK;
}

static sl_code seed_generator_run(struct sl_kernel_context *k) {
    int64_t seeds[2];
    bool changes = true;
    struct sl_object *source;
    SL_TRY(sl_in_int(&seeds[0], k, 0, "seed"));
    SL_TRY(sl_in_int(&seeds[1], k, 1, "seed2"));
    if (sl_in_count(k) > 2) SL_TRY(sl_in_bool(&changes, k, 2, "reshuffle"));
    sl_seeds_resolve(seeds);
    SL_TRY(sl_seed_source_new(&source, seeds, changes, k->err));
    return give_shared(k, source);
}

static sl_code memory_cache_run(struct sl_kernel_context *k) {
    struct sl_object *cache;
    SL_TRY(sl_memory_cache_new(&cache, k->err));
    return give_shared(k, cache);
}

/* What handles count goes with the last of them. */
static sl_code delete_run(struct sl_kernel_context *k) {
    (void)k;
    return SL_OK;
}

/* ---- rows */

#define FORM(...)                                                                                                      \
    .create = maker_create, .destroy = maker_free, .data = &(const struct form) { __VA_ARGS__ }
#define MAKES(...)            .run = maker_run, FORM(__VA_ARGS__)
#define OF_INPUT(kind_, ...)  MAKES(.kind = &sl_##kind_##_data, .n_inputs = 1, .types = "output_types", __VA_ARGS__)
#define SOURCE(kind_, types_) MAKES(.kind = &sl_##kind_##_data, .types = types_)
#define CALLS(attr)           .functions = {attr}, .captured = {"Targuments"}
/* clang-format off */
const struct sl_kernel_def sl_any_dataset_rows[] = {
    KERNEL("RangeDataset", NO_RULE, SOURCE(range, "output_types"))
    KERNEL("TensorDataset", NO_RULE, SOURCE(tensor, "Toutput_types"))
    KERNEL("TensorSliceDataset", NO_RULE, SOURCE(slice, "Toutput_types"))
    KERNEL("RandomDataset", NO_RULE, SOURCE(random, "output_types"))
    KERNEL("ExperimentalRandomDataset", NO_RULE, SOURCE(random, "output_types"))
    KERNEL("MapDataset", NO_RULE, OF_INPUT(map, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("ExperimentalMapDataset", NO_RULE, OF_INPUT(map, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("ParallelMapDataset", NO_RULE, OF_INPUT(map, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("ParallelMapDatasetV2", NO_RULE, OF_INPUT(map, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("FilterDataset", NO_RULE, OF_INPUT(filter, CALLS("predicate")))
    KERNEL("ParallelFilterDataset", NO_RULE, OF_INPUT(filter, CALLS("predicate")))
    KERNEL("TakeWhileDataset", NO_RULE, OF_INPUT(take_while, CALLS("predicate")))
    KERNEL("ExperimentalTakeWhileDataset", NO_RULE, OF_INPUT(take_while, CALLS("predicate")))
    KERNEL("ScanDataset", NO_RULE,
           OF_INPUT(scan, CALLS("f"), .state = "Tstate", .flag = "preserve_cardinality"))
    KERNEL("ExperimentalScanDataset", NO_RULE,
           OF_INPUT(scan, CALLS("f"), .state = "Tstate", .flag = "preserve_cardinality"))
    KERNEL("BatchDataset", NO_RULE, OF_INPUT(batch))
    KERNEL("BatchDatasetV2", NO_RULE, OF_INPUT(batch))
    KERNEL("ParallelBatchDataset", NO_RULE, OF_INPUT(batch))
    KERNEL("PaddedBatchDataset", NO_RULE,
           MAKES(.kind = &sl_padded_batch_data, .n_inputs = 1, .types = "Toutput_types"))
    KERNEL("PaddedBatchDatasetV2", NO_RULE,
           MAKES(.kind = &sl_padded_batch_data, .n_inputs = 1, .types = "Toutput_types"))
    KERNEL("MapAndBatchDataset", NO_RULE, OF_INPUT(map_and_batch, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("ExperimentalMapAndBatchDataset", NO_RULE,
           OF_INPUT(map_and_batch, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("UnbatchDataset", NO_RULE, OF_INPUT(unbatch))
    KERNEL("ExperimentalUnbatchDataset", NO_RULE, OF_INPUT(unbatch))
    KERNEL("FlatMapDataset", NO_RULE, OF_INPUT(flat_map, CALLS("f")))
    KERNEL("InterleaveDataset", NO_RULE, OF_INPUT(interleave, CALLS("f")))
    KERNEL("ParallelInterleaveDatasetV2", NO_RULE, OF_INPUT(parallel_interleave, CALLS("f")))
    KERNEL("ParallelInterleaveDatasetV3", NO_RULE, OF_INPUT(parallel_interleave, CALLS("f")))
    KERNEL("ParallelInterleaveDatasetV4", NO_RULE, OF_INPUT(parallel_interleave, CALLS("f")))
    KERNEL("WindowDataset", NO_RULE, OF_INPUT(window))
    KERNEL("RepeatDataset", NO_RULE, OF_INPUT(repeat))
    KERNEL("TakeDataset", NO_RULE, OF_INPUT(take))
    KERNEL("SkipDataset", NO_RULE, OF_INPUT(skip))
    KERNEL("ShardDataset", NO_RULE, OF_INPUT(shard, .flag = "require_non_empty"))
    KERNEL("PrefetchDataset", NO_RULE, OF_INPUT(prefetch))
    KERNEL("IgnoreErrorsDataset", NO_RULE, OF_INPUT(ignore_errors))
    KERNEL("ExperimentalIgnoreErrorsDataset", NO_RULE, OF_INPUT(ignore_errors))
    KERNEL("AssertCardinalityDataset", NO_RULE, OF_INPUT(assert_cardinality))
    KERNEL("ShuffleDataset", NO_RULE, OF_INPUT(shuffle, .flag = "reshuffle_each_iteration"))
    KERNEL("ShuffleDatasetV2", NO_RULE, OF_INPUT(shuffle_by_source))
    KERNEL("ShuffleDatasetV3", NO_RULE, OF_INPUT(shuffle, .flag = "reshuffle_each_iteration"))
    KERNEL("ShuffleAndRepeatDataset", NO_RULE, OF_INPUT(shuffle_and_repeat, .flag = "reshuffle_each_iteration"))
    KERNEL("ShuffleAndRepeatDatasetV2", NO_RULE, OF_INPUT(shuffle_and_repeat, .flag = "reshuffle_each_iteration"))
    KERNEL("CacheDataset", NO_RULE, OF_INPUT(cache))
    KERNEL("CacheDatasetV2", NO_RULE, OF_INPUT(cache))
    KERNEL("ConcatenateDataset", NO_RULE,
           MAKES(.kind = &sl_concatenate_data, .n_inputs = 2, .types = "output_types"))
    KERNEL("ZipDataset", NO_RULE, MAKES(.kind = &sl_zip_data, .n_inputs = -1, .types = "output_types"))
    KERNEL("DirectedInterleaveDataset", NO_RULE,
           MAKES(.kind = &sl_directed_data, .n_inputs = -1, .n_before = 1, .types = "output_types",
                 .flag = "stop_on_empty_dataset"))
    KERNEL("ExperimentalDirectedInterleaveDataset", NO_RULE,
           MAKES(.kind = &sl_directed_data, .n_inputs = -1, .n_before = 1, .types = "output_types"))
    KERNEL("OptionsDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ModelDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("FinalizeDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("OptimizeDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("OptimizeDatasetV2", NO_RULE, OF_INPUT(pass))
    KERNEL("RewriteDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("AssertNextDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ExperimentalAssertNextDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("AssertPrevDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("MaxIntraOpParallelismDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ExperimentalMaxIntraOpParallelismDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("PrivateThreadPoolDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ExperimentalPrivateThreadPoolDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("BytesProducedStatsDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ExperimentalBytesProducedStatsDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("LatencyStatsDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ExperimentalLatencyStatsDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("NonSerializableDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ExperimentalNonSerializableDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ReduceDataset", NO_RULE,
           .run = reduce_run,
           FORM(.kind = &sl_reduce_data, .n_inputs = 1, .types = "output_types", CALLS("f"), .state = "Tstate"))
    KERNEL("DummySeedGenerator", NO_RULE, .run = dummy_run)
    KERNEL("DummyMemoryCache", NO_RULE, .run = dummy_run)
    KERNEL("DummyIterationCounter", NO_RULE, .run = dummy_run)
    KERNEL("AnonymousSeedGenerator", NO_RULE, .run = seed_generator_run)
    KERNEL("AnonymousRandomSeedGenerator", NO_RULE, .run = seed_generator_run)
    KERNEL("AnonymousMemoryCache", NO_RULE, .run = memory_cache_run)
    KERNEL("DeleteSeedGenerator", NO_RULE, .run = delete_run)
    KERNEL("DeleteRandomSeedGenerator", NO_RULE, .run = delete_run)
    KERNEL("DeleteMemoryCache", NO_RULE, .run = delete_run)
    KERNEL("DatasetCardinality", NO_RULE, .run = cardinality_run)
    KERNEL("ExperimentalDatasetCardinality", NO_RULE, .run = cardinality_run)
    KERNEL("DatasetToSingleElement", NO_RULE, .run = single_run)
    SL_ROWS_END
};
/* clang-format on */
