/* AutoShardDataset: the input's pipeline with a ShardDataset in it, where the policy says. Datasets above that place are
 * made again over other inputs; those below are shared. */
#include "backends/any/any_kernels.h"

#include "backends/any/dataset_graph.h"
#include "base/alloc.h"
#include "data/kinds.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

enum policy { OFF = -1, AUTO, FILES, DATA, HINT };
enum { SHARD_HINT = -1 }; /* as ShardDataset has it */

struct sharding {
    struct sl_kernel_context *k;
    int64_t n, index;
};

static bool is_one_of(struct sl_str op, const char *const *ops) {
    for (; *ops; ops++)
        if (sl_str_is(op, *ops)) return true;
    return false;
}

static const char *const readers[] = {"ArrayRecordDataset",
                                      "FixedLengthRecordDataset",
                                      "FixedLengthRecordDatasetV2",
                                      "RecordIODataset",
                                      "SSTableDataset",
                                      "SSTableDatasetV2",
                                      "TextLineDataset",
                                      "TFRecordDataset",
                                      "TFRecordDatasetV2",
                                      NULL};
static const char *const callers[] = {"ExperimentalParallelInterleaveDataset",
                                      "FlatMapDataset",
                                      "InterleaveDataset",
                                      "LegacyParallelInterleaveDatasetV2",
                                      "ParallelInterleaveDataset",
                                      "ParallelInterleaveDatasetV2",
                                      "ParallelInterleaveDatasetV3",
                                      "ParallelInterleaveDatasetV4",
                                      NULL};
static const char *const shuffles[] = {"ShuffleDataset", "ShuffleDatasetV2", "ShuffleDatasetV3", NULL};
/* Behind which elements are the same ones: a shard goes in front. */
static const char *const endings[] = {"FinalizeDataset", "OptionsDataset", "PrefetchDataset", NULL};

/* ---- datasets over other inputs */

/* The same dataset over these inputs, which are taken over. */
static sl_code over(struct sl_dataset **out, const struct sl_dataset *d, struct sl_dataset **inputs,
                    struct sl_error *err) {
    sl_code code = sl_dataset_new(out, d->spec, inputs, d->n_inputs, d->values, d->n_values, err);
    for (int i = 0; i < d->n_inputs; i++) sl_dataset_unref(inputs[i]);
    return code;
}

static const struct sl_attr *attrs_of_shard(int *n, const struct sl_dataset *input, struct sl_arena *arena) {
    enum { ATTRS = 3 };
    struct sl_attr *attrs = SL_ARENA_ARRAY(arena, struct sl_attr, ATTRS);
    struct sl_pb_AttrValue_ListValue types = {.unknown = NULL}, shapes = {.unknown = NULL};
    types.type.items = SL_ARENA_ARRAY(arena, int32_t, (size_t)input->n);
    shapes.shape.items = SL_ARENA_ARRAY(arena, struct sl_pb_TensorShapeProto, (size_t)input->n);
    if (!attrs || !types.type.items || !shapes.shape.items) return NULL;
    for (int i = 0; i < input->n; i++) {
        struct sl_pb_TensorShapeProto *shape;
        if (sl_shape_to_proto(&shape, input->shapes[i], arena, NULL) != SL_OK) return NULL;
        shapes.shape.items[shapes.shape.n++] = *shape;
        types.type.items[types.type.n++] = input->types[i];
    }
    attrs[(*n)++] = sl_attr_new_list(arena, SL_STR("output_shapes"), &shapes);
    attrs[(*n)++] = sl_attr_new_list(arena, SL_STR("output_types"), &types);
    attrs[(*n)++] = sl_attr_new(arena, SL_STR("require_non_empty"), SL_ATTR_VALUE(b, false));
    return attrs;
}

/* A ShardDataset as a node would make it; `input` is taken over. */
static sl_code shard(struct sl_dataset **out, struct sharding *s, struct sl_dataset *input) {
    struct sl_dataset_spec *spec = sl_calloc(1, sizeof *spec);
    struct sl_error *err = s->k->err;
    sl_code code = SL_RESOURCE_EXHAUSTED;
    if (spec) {
        atomic_init(&spec->refs, 1);
        sl_arena_init(&spec->arena);
        spec->kind = &sl_shard_data;
        spec->op = SL_STR("ShardDataset");
        spec->attrs.items = (struct sl_attr *)attrs_of_shard(&spec->attrs.n, input, &spec->arena);
        const struct sl_value values[] = {{.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = s->n},
                                          {.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = s->index}};
        if (spec->attrs.items) code = sl_dataset_new(out, spec, &input, 1, values, 2, err);
        else sl_fail_memory(err, sizeof *spec);
        sl_dataset_spec_unref(spec);
    } else {
        sl_fail_memory(err, sizeof *spec);
    }
    sl_dataset_unref(input);
    return code;
}

/* ---- by files: each worker reads some of them */

static sl_code reads_files(bool *out, const struct sl_dataset *d, struct sl_kernel_context *k) {
    struct sl_arena arena;
    struct sl_str bytes;
    struct sl_pb_FunctionDefLibrary library;
    *out = false;
    if (!is_one_of(d->spec->op, callers)) return SL_OK;
    sl_arena_init(&arena);
    sl_code code = sl_dataset_functions(&bytes, d, k->env->functions, &arena, k->err);
    if (code == SL_OK) code = sl_pb_decode(&library, SL_PB_TYPE_OF(FunctionDefLibrary), bytes, &arena, k->err);
    for (size_t i = 0; code == SL_OK && i < library.function.n; i++)
        for (size_t j = 0; j < library.function.items[i].node_def.n; j++)
            *out = *out || is_one_of(library.function.items[i].node_def.items[j].op, readers);
    sl_arena_clear(&arena);
    return code;
}

/* `d` without the first shuffle on the way to its source, which `*shuffle` becomes, borrowed. Chains alone. */
static sl_code without_shuffle(struct sl_dataset **out, const struct sl_dataset **shuffle, struct sl_dataset *d,
                               struct sl_error *err) {
    struct sl_dataset *input;
    if (is_one_of(d->spec->op, shuffles)) {
        *shuffle = d;
        *out = sl_dataset_ref(d->inputs[0]);
        return SL_OK;
    }
    *out = NULL;
    if (d->n_inputs != 1) return SL_OK;
    SL_TRY(without_shuffle(&input, shuffle, d->inputs[0], err));
    return input ? over(out, d, &input, err) : SL_OK;
}

/* The files `d` names, for this worker alone. They are shuffled after that, so that workers share none. */
static sl_code shard_files(struct sl_dataset **out, struct sharding *s, struct sl_dataset *d) {
    const struct sl_dataset *shuffle = NULL;
    struct sl_dataset *files;
    SL_TRY(without_shuffle(&files, &shuffle, d, s->k->err));
    SL_TRY(shard(&files, s, files ? files : sl_dataset_ref(d)));
    if (shuffle) return over(out, shuffle, &files, s->k->err);
    *out = files;
    return SL_OK;
}

static sl_code by_files(struct sl_dataset **out, struct sharding *s, struct sl_dataset *d);

static sl_code each_input(struct sl_dataset **out, struct sharding *s, struct sl_dataset *d,
                          sl_code (*of_input)(struct sl_dataset **out, struct sharding *s, struct sl_dataset *d)) {
    struct sl_dataset **inputs = sl_calloc((size_t)d->n_inputs + 1, sizeof(struct sl_dataset *));
    if (!inputs) return sl_fail_memory(s->k->err, (size_t)d->n_inputs * sizeof *inputs);
    sl_code code = SL_OK;
    int n = 0;
    for (; n < d->n_inputs && code == SL_OK; n++) code = of_input(&inputs[n], s, d->inputs[n]);
    if (code == SL_OK) {
        code = over(out, d, inputs, s->k->err);
    } else {
        for (int i = 0; i < n; i++) sl_dataset_unref(inputs[i]); /* the one that failed is NULL */
    }
    sl_free(inputs);
    return code;
}

/* Recursion is as deep as datasets are. */
static sl_code by_files(struct sl_dataset **out, struct sharding *s, struct sl_dataset *d) {
    const struct sl_str op = d->spec->op;
    bool is_reader;
    if (is_one_of(op, readers)) return shard(out, s, sl_dataset_ref(d));
    SL_TRY(reads_files(&is_reader, d, s->k));
    if (is_reader) return each_input(out, s, d, shard_files);
    if (d->n_inputs == 0)
        return sl_fail(s->k->err, SL_NOT_FOUND, "Found an unshardable source dataset: %.*s", SL_STR_ARG(op));
    if (d->n_inputs > 1 && !sl_str_is(op, "ConcatenateDataset") && !sl_str_is(op, "ZipDataset"))
        return sl_fail(s->k->err, SL_NOT_FOUND,
                       "Did not find a shardable source, walked to a node which is not a dataset: %.*s",
                       SL_STR_ARG(op));
    return each_input(out, s, d, by_files);
}

/* ---- by elements, and where the pipeline says */

static sl_code by_data(struct sl_dataset **out, struct sharding *s, struct sl_dataset *d) {
    return is_one_of(d->spec->op, endings) ? each_input(out, s, d, by_data) : shard(out, s, sl_dataset_ref(d));
}

static sl_code by_hint(struct sl_dataset **out, struct sharding *s, struct sl_dataset *d) {
    int64_t n;
    if (d->n_inputs == 0) {
        *out = sl_dataset_ref(d);
        return SL_OK;
    }
    if (d->kind == &sl_shard_data && sl_dataset_int(&n, d, 0, "num_shards", NULL) == SL_OK && n == SHARD_HINT)
        return shard(out, s, sl_dataset_ref(d->inputs[0]));
    return each_input(out, s, d, by_hint);
}

/* ---- the kernel */

static sl_code policy_create(void **state, struct sl_kernel_setup *setup) {
    int64_t *policy = sl_calloc(1, sizeof *policy);
    if (!policy) return sl_fail_memory(setup->err, sizeof *policy);
    sl_code code = sl_attr_int(policy, setup->attrs, "auto_shard_policy", setup->err);
    if (code == SL_OK && (*policy < OFF || *policy > HINT))
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "auto_shard_policy is invalid.");
    if (code == SL_OK) *state = policy;
    else sl_free(policy);
    return code;
}

static sl_code apply(struct sl_dataset **out, struct sharding *s, struct sl_dataset *d, enum policy policy) {
    switch (policy) {
    case FILES: return by_files(out, s, d);
    case DATA: return by_data(out, s, d);
    case HINT: return by_hint(out, s, d);
    default: break;
    }
    if (policy == AUTO) {
        sl_code code = by_files(out, s, d);
        if (code != SL_NOT_FOUND) return code;
        if (s->k->err) sl_error_clear(s->k->err);
        return by_data(out, s, d);
    }
    *out = sl_dataset_ref(d);
    return SL_OK;
}

static sl_code auto_shard_run(struct sl_kernel_context *k) {
    struct sharding s = {.k = k};
    struct sl_dataset *d, *sharded;
    SL_TRY(sl_dataset_of_value(&d, sl_in_value(k, 0), k->err));
    SL_TRY(sl_in_int(&s.n, k, 1, "num_workers"));
    SL_TRY(sl_in_int(&s.index, k, 2, "index"));
    if (s.n <= 0) return sl_invalid(k, "num_workers must be greater than zero.");
    if (s.index < 0 || s.index >= s.n) return sl_invalid(k, "index must be between 0 and %lld", (long long)s.n - 1);
    SL_TRY(apply(&sharded, &s, d, (enum policy) * (const int64_t *)k->state));
    sl_out_object(k, 0, &sharded->object);
    return SL_OK;
}

/* clang-format off */
#define SHARDS .create = policy_create, .destroy = sl_free, .run = auto_shard_run
const struct sl_kernel_def sl_any_auto_shard_rows[] = {
    KERNEL("AutoShardDataset", NO_RULE, SHARDS)
    KERNEL("ExperimentalAutoShardDataset", NO_RULE, SHARDS)
    SL_ROWS_END
};
/* clang-format on */
