/* Ops that make datasets, and ops that use one as a whole. A row names the kind (src/data) and how the op's inputs and
 * attrs fit it; one kernel serves all: its first inputs are datasets, the others arguments of the kind. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "backends/any/assert_prev.h"
#include "backends/any/callees.h"
#include "backends/any/parse_example_graph.h"
#include "backends/any/path_input.h"
#include "backends/any/snapshot_settings.h"
#include "base/alloc.h"
#include "ckpt/record.h"
#include "data/cache.h"
#include "data/data_walk.h"
#include "data/element.h"
#include "data/fingerprint.h"
#include "data/kinds.h"
#include "data/seeds.h"
#include "kernel/cancellation.h"
#include "proto/gen/messages.h"

/* How an op describes a dataset. */
struct form {
    const struct sl_dataset_kind *kind;
    const char *name; /* in paths, where it is not the kind's */
    int n_inputs;     /* datasets in front; -1: as many as attr N says, with `n_before` ahead of them */
    int n_before;
    const char *types; /* attr with the types of components; NULL: one string, or the attr's type (`type`) */
    const char *type;
    const char *functions[SL_DATASET_FUNCTIONS]; /* attrs, and those with the types of what each captures */
    const char *captured[SL_DATASET_FUNCTIONS];
    const char *state;   /* attr with the types of a state, whose values come before captures */
    const char *flag;    /* bool attr of the kind */
    const char *lengths; /* functions[0] is a list, of which the first one is called; attr: what each captures */
    bool is_flagged;     /* without an attr */
    /* Writes the function, which no attr names. */
    sl_code (*graph)(struct sl_pb_GraphDef *out, int *n_captured, struct sl_kernel_setup *setup,
                     struct sl_arena *arena);
    int captures_after; /* arguments between the datasets and what is captured */
    /* Other attrs, for the spec's `settings`; NULL: there are none. */
    sl_code (*settings)(struct sl_dataset_spec *spec, struct sl_kernel_setup *setup);
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

/* The function that attr i names; `*n_captured` arguments are its own. */
static sl_code find_named(const struct sl_pb_NameAttrList **named, int *n_captured, const struct form *form, int i,
                          struct sl_kernel_setup *setup) {
    const int64_t *lengths;
    int n, n_lengths;
    if (!form->lengths) {
        SL_TRY(sl_attr_func(named, setup->attrs, form->functions[i], setup->err));
        return type_count(n_captured, setup, form->captured[i]);
    }
    SL_TRY(sl_attr_func_list(named, &n, setup->attrs, form->functions[i], setup->err));
    SL_TRY(sl_attr_int_list(&lengths, &n_lengths, setup->attrs, form->lengths, setup->err));
    if (n < 1 || n_lengths != n || lengths[0] < 0 || lengths[0] > setup->n_in)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "len(%s) != len(%s)", form->lengths, form->functions[i]);
    *n_captured = (int)lengths[0];
    return SL_OK;
}

/* What is known of function `i` of the spec, which the callees hold. */
static void describe_function(struct maker *m, int i, int captured, const struct sl_functions *functions) {
    struct sl_dataset_function *f = &m->spec->functions[i];
    f->function = m->callees->functions[i];
    if (functions->hold) functions->hold(f->function);
    functions->signature(f->function, &f->n_args, &f->arg_types, &f->n_rets, &f->ret_types);
    f->keeps_states = functions->keeps_states && functions->keeps_states(f->function);
    f->stateful_op = functions->stateful_op ? functions->stateful_op(f->function) : NULL;
    f->captured = captured;
}

/* Whether many elements are made by one call. */
static sl_code look_for_rows(struct maker *m, const struct sl_functions *functions, struct sl_error *err) {
    struct sl_dataset_function *f = &m->spec->functions[0];
    const int n_rows = f->n_args - f->n_captured;
    if (!m->spec->kind->next_rows || m->spec->n_functions != 1 || !functions->is_rowwise || n_rows < 1) return SL_OK;
    uint8_t *groups = sl_arena_zalloc(&m->spec->arena, (size_t)n_rows);
    if (!groups) return sl_fail_memory(err, (size_t)n_rows);
    if (functions->is_rowwise(groups, f->function, n_rows)) f->row_groups = groups;
    return SL_OK;
}

static sl_code write_function(struct maker *m, const struct form *form, struct sl_kernel_setup *setup) {
    struct sl_arena arena;
    struct sl_pb_GraphDef graph;
    if (!setup->functions || !setup->functions->instantiate_graph)
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "%s where graphs cannot be run", form->kind->name);
    sl_arena_init(&arena);
    sl_code code = form->graph(&graph, &m->spec->functions[0].n_captured, setup, &arena);
    if (code == SL_OK)
        code = setup->functions->instantiate_graph(&m->callees->functions[0], setup->functions, &graph, setup->err);
    sl_arena_clear(&arena);
    SL_TRY(code);
    m->spec->n_functions = 1;
    describe_function(m, 0, form->captures_after, setup->functions);
    return SL_OK;
}

static sl_code bind_functions(struct maker *m, const struct form *form, struct sl_kernel_setup *setup) {
    struct sl_dataset_spec *spec = m->spec;
    const struct sl_pb_NameAttrList *named;
    int at = form->captures_after;
    if (form->graph) return write_function(m, form, setup);
    if (form->state) {
        SL_TRY(type_count(&spec->n_state, setup, form->state));
        at += spec->n_state;
    }
    for (int i = 0; i < SL_DATASET_FUNCTIONS && form->functions[i]; i++) {
        struct sl_dataset_function *f = &spec->functions[spec->n_functions++];
        SL_TRY(find_named(&named, &f->n_captured, form, i, setup));
        SL_TRY(sl_callee_find(m->callees, i, setup, named));
        f->name = sl_arena_str(&spec->arena, named->name);
        if (!f->name.p) return sl_fail_memory(setup->err, named->name.n);
        describe_function(m, i, at, setup->functions);
        at += f->n_captured;
    }
    return look_for_rows(m, setup->functions, setup->err);
}

static sl_code fill_maker(struct maker *m, struct sl_kernel_setup *setup) {
    const struct form *form = setup->def->data;
    struct sl_dataset_spec *spec = m->spec = sl_calloc(1, sizeof *spec);
    if (!spec) return sl_fail_memory(setup->err, sizeof *spec);
    atomic_init(&spec->refs, 1);
    sl_arena_init(&spec->arena);
    spec->kind = form->kind;
    spec->op = setup->op->name; /* of the registry, which outlives all datasets */
    SL_TRY(sl_attrs_copy(&spec->attrs, &spec->arena, setup->attrs, setup->err));
    if (setup->functions) spec->release = setup->functions->release;
    spec->name = form->name;
    m->n_inputs = form->n_inputs;
    if (m->n_inputs < 0) {
        SL_TRY(sl_attr_int32(&m->n_inputs, setup->attrs, "N", setup->err));
        m->n_inputs += form->n_before;
    }
    if (m->n_inputs > setup->n_in)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s has too few inputs", form->kind->name);
    spec->flag = form->is_flagged;
    if (form->flag) SL_TRY(sl_attr_bool(&spec->flag, setup->attrs, form->flag, setup->err));
    if (form->settings) SL_TRY(form->settings(spec, setup));
    SL_TRY(read_components(spec, form, setup));
    m->callees = sl_callees_new(SL_DATASET_FUNCTIONS, setup->functions, setup->err);
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

static sl_code assert_prev_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    SL_TRY(make_dataset(&d, k));
    sl_code code = sl_assert_prev_check(d, k->err);
    if (code == SL_OK) sl_out_object(k, 0, &d->object);
    else sl_dataset_unref(d);
    return code;
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

static sl_code fingerprint_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_view out;
    uint64_t fingerprint;
    SL_TRY(dataset_in(&d, k));
    SL_TRY(sl_dataset_fingerprint(&fingerprint, d, k->env->functions, k->err));
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    *(uint64_t *)out.data = fingerprint;
    return SL_OK;
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

static sl_code take_single(struct sl_kernel_context *k, struct sl_data_walk *walk, struct sl_value *element,
                           struct sl_value *more) {
    bool is_end;
    SL_TRY(sl_data_walk_next(walk, element, &is_end, k->env, k->err));
    if (is_end) return sl_invalid(k, "Dataset was empty.");
    SL_TRY(sl_data_walk_next(walk, more, &is_end, k->env, k->err));
    if (!is_end) return sl_invalid(k, "Dataset had more than one element.");
    return give_element(k, element, sl_data_walk_dataset(walk)->n);
}

static sl_code single_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_data_walk *walk;
    struct sl_value *room;
    SL_TRY(dataset_in(&d, k));
    SL_TRY(sl_data_walk_new(&walk, d, k->env, k->err));
    sl_code code = sl_element_new(&room, 2 * d->n, k->err);
    if (code == SL_OK) {
        code = take_single(k, walk, room, room + d->n);
        sl_element_clear(room, 2 * d->n);
        sl_free(room);
    }
    sl_data_walk_unref(walk);
    return code;
}

/* ---- ReduceDataset: initial_state, other_arguments; the state after all elements */

/* To who asks what the step is about. */
static void answer_taken(struct sl_kernel_context *k, int64_t taken) {
    const struct sl_kernel_node *node = k->node;
    char who[320], text[400];
    snprintf(who, sizeof who, "node '%.*s' (%.*s)", SL_STR_ARG(node->name), SL_STR_ARG(node->op->name));
    snprintf(text, sizeof text, "%s has taken %" PRId64 " elements so far", who, taken);
    sl_cancellation_answer(k->env->cancellation, text);
    if (sl_cancellation_is_on(k->env->cancellation)) sl_cancellation_note_wait(k->env->cancellation, who, text);
}

static sl_code reduce_elements(struct sl_kernel_context *k, const struct sl_dataset *d, struct sl_data_walk *walk,
                               struct sl_value *state, struct sl_value *args) {
    struct sl_cancellation *c = k->env->cancellation;
    const int n = d->spec->n_state;
    for (int64_t taken = 0;; taken++) {
        bool is_end;
        if (c && sl_cancellation_has_news(c)) answer_taken(k, taken);
        SL_TRY(sl_data_walk_next(walk, args + n, &is_end, k->env, k->err));
        if (is_end) return give_element(k, state, n);
        for (int i = 0; i < n; i++) args[i] = sl_value_move(&state[i]);
        SL_TRY(sl_data_walk_call(state, walk, d, 0, args, n + d->inputs[0]->n, k->err));
    }
}

static sl_code reduce_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_data_walk *walk = NULL;
    struct sl_value *room = NULL;
    SL_TRY(make_dataset(&d, k));
    const int n = d->spec->n_state, all = 2 * n + d->inputs[0]->n;
    sl_code code = sl_data_walk_new(&walk, d->inputs[0], k->env, k->err);
    if (code == SL_OK) code = sl_element_new(&room, all, k->err);
    if (code == SL_OK) {
        for (int i = 0; i < n; i++) room[i] = sl_value_share(&d->values[i]);
        code = reduce_elements(k, d, walk, room, room + n);
        sl_element_clear(room, all);
    }
    sl_free(room);
    sl_data_walk_unref(walk);
    sl_dataset_unref(d);
    return code;
}

/* ---- SaveDataset: the pass that SaveDatasetV2 makes, to its end */

static sl_code pass_through(struct sl_kernel_context *k, struct sl_dataset *d,
                            sl_code (*use)(void *arg, const struct sl_value *element, struct sl_error *err),
                            void *arg) {
    struct sl_data_walk *walk = NULL;
    struct sl_value *element;
    SL_TRY(sl_element_new(&element, d->n, k->err));
    sl_code code = sl_data_walk_new(&walk, d, k->env, k->err);
    for (bool is_end = false; code == SL_OK && !is_end;) {
        code = sl_data_walk_next(walk, element, &is_end, k->env, k->err);
        if (code == SL_OK && !is_end && use) code = use(arg, element, k->err);
        sl_element_clear(element, d->n);
    }
    sl_data_walk_unref(walk);
    sl_free(element);
    return code;
}

static sl_code save_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    SL_TRY(make_dataset(&d, k));
    sl_code code = pass_through(k, d, NULL, NULL);
    sl_dataset_unref(d);
    return code;
}

/* ---- DatasetToTFRecord: dataset, filename, compression_type. The file is there once it is complete. */

static sl_code add_record(void *arg, const struct sl_value *element, struct sl_error *err) {
    const struct sl_view v = sl_value_view(element);
    if (v.dtype != SL_STRING || v.count != 1)
        return sl_fail(err, SL_INVALID_ARGUMENT, "An element for a record file must be one string");
    return sl_record_writer_add(arg, sl_string_get(v.data), err);
}

static sl_code check_records(struct sl_kernel_context *k, const struct sl_dataset *d) {
    if (d->n != 1)
        return sl_invalid(k, "ToTFRecordOp currently only support datasets of 1 single column, but got %d", d->n);
    if (d->types[0] == SL_STRING) return SL_OK;
    return sl_invalid(k, "ToTFRecordOp currently only supports DT_STRING dataypes, but got %s",
                      sl_dtype_name(d->types[0]));
}

static sl_code write_records(struct sl_kernel_context *k, struct sl_dataset *d, struct sl_arena *arena) {
    const struct sl_view word = sl_in(k, 2);
    enum sl_compression compression;
    char *path;
    struct sl_record_writer *w;
    SL_TRY(sl_in_path(&path, k, 1, "filename", arena));
    if (word.count != 1) return sl_invalid(k, "`compression_type` must be a scalar");
    SL_TRY(sl_record_compression_parse(&compression, sl_string_get(word.data), k->err));
    SL_TRY(sl_record_writer_open(&w, path, SL_WRITER_ATOMIC, compression, k->err));
    sl_code code = pass_through(k, d, add_record, w);
    if (code == SL_OK) return sl_record_writer_close(w, true, k->err);
    sl_record_writer_abandon(w);
    return code;
}

static sl_code record_file_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct sl_arena arena;
    SL_TRY(dataset_in(&d, k));
    SL_TRY(check_records(k, d));
    sl_arena_init(&arena);
    sl_code code = write_records(k, d, &arena);
    sl_arena_clear(&arena);
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

/* Datasets live in the host's memory wherever they go, so wrapping them changes nothing. */
static sl_code wrap_run(struct sl_kernel_context *k) {
    const struct sl_view v = sl_in(k, 0);
    if (v.rank != 0) return sl_invalid(k, "Dataset tensor must be a scalar.");
    sl_out_forward(k, 0, 0);
    return SL_OK;
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
#define FILES(kind_)          MAKES(.kind = &sl_##kind_##_data) /* of one string */
#define CALLS(attr)           .functions = {attr}, .captured = {"Targuments"}
/* Its function belongs to the runtime, which attrs do not say. */
#define PARSES .graph = sl_parse_example_graph, .captures_after = 1, .is_flagged = true
#define BY_WINDOW                                                                                                      \
    .functions = {"key_func", "reduce_func", "window_size_func"},                                                      \
    .captured = {"Tkey_func_other_arguments", "Treduce_func_other_arguments", "Twindow_size_func_other_arguments"}
#define BY_REDUCER                                                                                                     \
    .functions = {"key_func", "init_func", "reduce_func", "finalize_func"},                                            \
    .captured = {"Tkey_func_other_arguments", "Tinit_func_other_arguments", "Treduce_func_other_arguments",            \
                 "Tfinalize_func_other_arguments"}
#define SNAPSHOT .settings = sl_snapshot_settings_read
#define SAVES                                                                                                          \
    .functions = {"shard_func"}, .captured = {"Tshard_func_args"}, .captures_after = 1, .flag = "use_shard_func",      \
    SNAPSHOT
/* clang-format off */
const struct sl_kernel_def sl_any_dataset_rows[] = {
    KERNEL("RangeDataset", NO_RULE, SOURCE(range, "output_types"))
    KERNEL("TensorDataset", NO_RULE, SOURCE(tensor, "Toutput_types"))
    KERNEL("TensorSliceDataset", NO_RULE, SOURCE(slice, "Toutput_types"))
    KERNEL("RandomDataset", NO_RULE, SOURCE(random, "output_types"))
    KERNEL("ExperimentalRandomDataset", NO_RULE, SOURCE(random, "output_types"))
    KERNEL("RandomDatasetV2", NO_RULE,
           MAKES(.kind = &sl_random_data, .types = "output_types", .flag = "rerandomize_each_iteration"))
    KERNEL("GeneratorDataset", NO_RULE,
           MAKES(.kind = &sl_generator_data, .types = "output_types",
                 .functions = {"init_func", "next_func", "finalize_func"},
                 .captured = {"Tinit_func_args", "Tnext_func_args", "Tfinalize_func_args"}))
    KERNEL("TextLineDataset", NO_RULE, FILES(text_line))
    KERNEL("FixedLengthRecordDataset", NO_RULE, FILES(fixed_length))
    KERNEL("FixedLengthRecordDatasetV2", NO_RULE, FILES(fixed_length))
    KERNEL("CSVDataset", NO_RULE, SOURCE(csv, "output_types"))
    KERNEL("ExperimentalCSVDataset", NO_RULE, SOURCE(csv, "output_types"))
    KERNEL("CSVDatasetV2", NO_RULE, SOURCE(csv, "output_types"))
    KERNEL("SparseTensorSliceDataset", NO_RULE, MAKES(.kind = &sl_sparse_slice_data))
    KERNEL("DenseToSparseBatchDataset", NO_RULE, OF_INPUT(sparse_batch))
    KERNEL("ExperimentalDenseToSparseBatchDataset", NO_RULE, OF_INPUT(sparse_batch))
    KERNEL("MatchingFilesDataset", NO_RULE, FILES(match))
    KERNEL("ExperimentalMatchingFilesDataset", NO_RULE, FILES(match))
    KERNEL("TFRecordDataset", NO_RULE, FILES(record))
    KERNEL("TFRecordDatasetV2", NO_RULE, FILES(record))
    KERNEL("MapDataset", NO_RULE, OF_INPUT(map, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("ExperimentalMapDataset", NO_RULE, OF_INPUT(map, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("ParallelMapDataset", NO_RULE, OF_INPUT(parallel_map, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("ParallelMapDatasetV2", NO_RULE, OF_INPUT(parallel_map, CALLS("f"), .flag = "preserve_cardinality", .name = "ParallelMapV2"))
    KERNEL("FilterDataset", NO_RULE, OF_INPUT(filter, CALLS("predicate")))
    KERNEL("ParallelFilterDataset", NO_RULE, OF_INPUT(parallel_filter, CALLS("predicate")))
    KERNEL("TakeWhileDataset", NO_RULE, OF_INPUT(take_while, CALLS("predicate")))
    KERNEL("ExperimentalTakeWhileDataset", NO_RULE, OF_INPUT(take_while, CALLS("predicate")))
    KERNEL("ScanDataset", NO_RULE,
           OF_INPUT(scan, CALLS("f"), .state = "Tstate", .flag = "preserve_cardinality"))
    KERNEL("ExperimentalScanDataset", NO_RULE,
           OF_INPUT(scan, CALLS("f"), .state = "Tstate", .flag = "preserve_cardinality"))
    KERNEL("BatchDataset", NO_RULE, OF_INPUT(batch))
    KERNEL("BatchDatasetV2", NO_RULE, OF_INPUT(batch, .name = "BatchV2"))
    KERNEL("ParallelBatchDataset", NO_RULE, OF_INPUT(parallel_batch))
    KERNEL("PaddedBatchDataset", NO_RULE,
           MAKES(.kind = &sl_padded_batch_data, .n_inputs = 1, .types = "Toutput_types"))
    KERNEL("PaddedBatchDatasetV2", NO_RULE,
           MAKES(.kind = &sl_padded_batch_data, .n_inputs = 1, .types = "Toutput_types", .name = "PaddedBatchV2"))
    KERNEL("MapAndBatchDataset", NO_RULE, OF_INPUT(map_and_batch, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("ExperimentalMapAndBatchDataset", NO_RULE,
           OF_INPUT(map_and_batch, CALLS("f"), .flag = "preserve_cardinality"))
    KERNEL("UnbatchDataset", NO_RULE, OF_INPUT(unbatch))
    KERNEL("ExperimentalUnbatchDataset", NO_RULE, OF_INPUT(unbatch))
    KERNEL("FlatMapDataset", NO_RULE, OF_INPUT(flat_map, CALLS("f")))
    KERNEL("InterleaveDataset", NO_RULE, OF_INPUT(interleave, CALLS("f")))
    KERNEL("ParallelInterleaveDatasetV2", NO_RULE, OF_INPUT(parallel_interleave, CALLS("f"), .name = "ParallelInterleaveV2"))
    KERNEL("ParallelInterleaveDatasetV3", NO_RULE, OF_INPUT(parallel_interleave, CALLS("f"), .name = "ParallelInterleaveV3"))
    KERNEL("ParallelInterleaveDatasetV4", NO_RULE, OF_INPUT(parallel_interleave, CALLS("f"), .name = "ParallelInterleaveV4"))
    KERNEL("ParallelInterleaveDataset", NO_RULE, OF_INPUT(queued_interleave, CALLS("f")))
    KERNEL("ExperimentalParallelInterleaveDataset", NO_RULE, OF_INPUT(queued_interleave, CALLS("f")))
    KERNEL("LegacyParallelInterleaveDatasetV2", NO_RULE, OF_INPUT(queued_interleave, CALLS("f"), .name = "LegacyParallelInterleaveV2"))
    KERNEL("RebatchDataset", NO_RULE, OF_INPUT(rebatch_replicas))
    KERNEL("ExperimentalRebatchDataset", NO_RULE, OF_INPUT(rebatch_replicas))
    KERNEL("RebatchDatasetV2", NO_RULE, OF_INPUT(rebatch, .name = "RebatchV2"))
    KERNEL("WindowDataset", NO_RULE, OF_INPUT(window))
    KERNEL("ListDataset", NO_RULE, SOURCE(list, "output_types"))
    KERNEL("GroupByWindowDataset", NO_RULE, OF_INPUT(group_by_window, BY_WINDOW))
    KERNEL("ExperimentalGroupByWindowDataset", NO_RULE, OF_INPUT(group_by_window, BY_WINDOW))
    KERNEL("GroupByReducerDataset", NO_RULE, OF_INPUT(group_by_reducer, BY_REDUCER))
    KERNEL("ExperimentalGroupByReducerDataset", NO_RULE, OF_INPUT(group_by_reducer, BY_REDUCER))
    KERNEL("UniqueDataset", NO_RULE, OF_INPUT(unique))
    KERNEL("ExperimentalUniqueDataset", NO_RULE, OF_INPUT(unique))
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
    KERNEL("ParseExampleDataset", NO_RULE, .flags = SL_KERNEL_OWN, OF_INPUT(parse_example, PARSES, .name = "ParseExample"))
    KERNEL("ExperimentalParseExampleDataset", NO_RULE, .flags = SL_KERNEL_OWN, OF_INPUT(parse_example, PARSES, .name = "ParseExample"))
    KERNEL("ParseExampleDatasetV2", NO_RULE, .flags = SL_KERNEL_OWN, OF_INPUT(parse_example, PARSES, .name = "ParseExampleV2"))
    KERNEL("SamplingDataset", NO_RULE, OF_INPUT(sampling))
    KERNEL("SleepDataset", NO_RULE, OF_INPUT(sleep))
    KERNEL("ExperimentalSleepDataset", NO_RULE, OF_INPUT(sleep))
    KERNEL("SlidingWindowDataset", NO_RULE, OF_INPUT(sliding, .flag = "drop_remainder"))
    KERNEL("ExperimentalSlidingWindowDataset", NO_RULE, OF_INPUT(sliding, .is_flagged = true))
    KERNEL("ChooseFastestDataset", NO_RULE,
           MAKES(.kind = &sl_choose_fastest_data, .n_inputs = -1, .types = "output_types"))
    KERNEL("ExperimentalChooseFastestDataset", NO_RULE,
           MAKES(.kind = &sl_choose_fastest_data, .n_inputs = -1, .types = "output_types"))
    KERNEL("ChooseFastestBranchDataset", NO_RULE,
           OF_INPUT(choose_branch, .functions = {"branches"}, .lengths = "other_arguments_lengths",
                    .captures_after = 2))
    KERNEL("IndexFlatMapDataset", NO_RULE,
           OF_INPUT(index_map, .functions = {"map_func", "index_map_func"},
                    .captured = {"Tmap_func_args", "Tindex_map_func_args"}))
    KERNEL("WeightedFlatMapDataset", NO_RULE,
           MAKES(.kind = &sl_weighted_data, .n_inputs = -1, .types = "output_types"))
    KERNEL("WindowOp", NO_RULE, SOURCE(listed, "output_types"))
    KERNEL("GlobalShuffleDataset", NO_RULE, OF_INPUT(global_shuffle, .flag = "reshuffle_each_iteration"))
    KERNEL("CacheDataset", NO_RULE, OF_INPUT(cache))
    KERNEL("CacheDatasetV2", NO_RULE, OF_INPUT(cache))
    KERNEL("SaveDataset", NO_RULE, .run = save_run, FORM(.kind = &sl_save_data, .n_inputs = 1, SAVES))
    KERNEL("SaveDatasetV2", NO_RULE, OF_INPUT(save, SAVES))
    KERNEL("LoadDataset", NO_RULE,
           MAKES(.kind = &sl_load_data, .types = "output_types", .functions = {"reader_func"},
                 .captured = {"Treader_func_args"}, .captures_after = 1, SNAPSHOT))
    KERNEL("SnapshotDataset", NO_RULE, OF_INPUT(older_snapshot, .settings = sl_older_snapshot_settings_read))
    KERNEL("SnapshotDatasetV2", NO_RULE,
           OF_INPUT(snapshot, .functions = {"reader_func", "shard_func"},
                    .captured = {"Treader_func_args", "Tshard_func_args"}, .captures_after = 1, SNAPSHOT))
    KERNEL("SnapshotDatasetReader", NO_RULE, MAKES(.kind = &sl_snapshot_reader_data, .types = "output_types", SNAPSHOT))
    KERNEL("SnapshotNestedDatasetReader", NO_RULE,
           MAKES(.kind = &sl_snapshot_nested_data, .n_inputs = -1, .types = "output_types"))
    KERNEL("SnapshotChunkDataset", NO_RULE, MAKES(.kind = &sl_snapshot_chunk_data, .types = "output_types", SNAPSHOT))
    KERNEL("ListSnapshotChunksDataset", NO_RULE, SOURCE(chunk_names, "output_types"))
    KERNEL("DatasetToTFRecord", NO_RULE, .run = record_file_run)
    KERNEL("ExperimentalDatasetToTFRecord", NO_RULE, .run = record_file_run)
    KERNEL("ConcatenateDataset", NO_RULE,
           MAKES(.kind = &sl_concatenate_data, .n_inputs = 2, .types = "output_types"))
    KERNEL("ZipDataset", NO_RULE, MAKES(.kind = &sl_zip_data, .n_inputs = -1, .types = "output_types"))
    KERNEL("DirectedInterleaveDataset", NO_RULE,
           MAKES(.kind = &sl_directed_data, .n_inputs = -1, .n_before = 1, .types = "output_types",
                 .flag = "stop_on_empty_dataset"))
    KERNEL("ExperimentalDirectedInterleaveDataset", NO_RULE,
           MAKES(.kind = &sl_directed_data, .n_inputs = -1, .n_before = 1, .types = "output_types"))
    KERNEL("OptionsDataset", NO_RULE, OF_INPUT(pass, .name = ""))
    KERNEL("ModelDataset", NO_RULE, OF_INPUT(pass, .name = ""))
    KERNEL("FinalizeDataset", NO_RULE, OF_INPUT(pass, .name = ""))
    KERNEL("OptimizeDataset", NO_RULE, OF_INPUT(pass, .name = ""))
    KERNEL("OptimizeDatasetV2", NO_RULE, OF_INPUT(pass, .name = ""))
    KERNEL("RewriteDataset", NO_RULE, OF_INPUT(pass, .name = ""))
    KERNEL("AssertNextDataset", NO_RULE, OF_INPUT(assert_next))
    KERNEL("ExperimentalAssertNextDataset", NO_RULE, OF_INPUT(assert_next))
    KERNEL("AssertPrevDataset", NO_RULE,
           .run = assert_prev_run,
           FORM(.kind = &sl_pass_data, .n_inputs = 1, .types = "output_types", .name = "AssertPrev"))
    KERNEL("MaxIntraOpParallelismDataset", NO_RULE, OF_INPUT(pass, .name = "MaxIntraOpParallelism"))
    KERNEL("ExperimentalMaxIntraOpParallelismDataset", NO_RULE, OF_INPUT(pass, .name = "MaxIntraOpParallelism"))
    KERNEL("PrivateThreadPoolDataset", NO_RULE, OF_INPUT(pass, .name = "PrivateThreadPool"))
    KERNEL("ExperimentalPrivateThreadPoolDataset", NO_RULE, OF_INPUT(pass, .name = "PrivateThreadPool"))
    KERNEL("SetStatsAggregatorDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ExperimentalSetStatsAggregatorDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ThreadPoolDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("ExperimentalThreadPoolDataset", NO_RULE, OF_INPUT(pass))
    KERNEL("BytesProducedStatsDataset", NO_RULE, OF_INPUT(pass, .name = "BytesProducedStats"))
    KERNEL("ExperimentalBytesProducedStatsDataset", NO_RULE, OF_INPUT(pass, .name = "BytesProducedStats"))
    KERNEL("LatencyStatsDataset", NO_RULE, OF_INPUT(pass, .name = "LatencyStats"))
    KERNEL("ExperimentalLatencyStatsDataset", NO_RULE, OF_INPUT(pass, .name = "LatencyStats"))
    KERNEL("NonSerializableDataset", NO_RULE, OF_INPUT(pass, .name = "NonSerializable"))
    KERNEL("ExperimentalNonSerializableDataset", NO_RULE, OF_INPUT(pass, .name = "NonSerializable"))
    KERNEL("ReduceDataset", NO_RULE,
           .run = reduce_run,
           FORM(.kind = &sl_reduce_data, .n_inputs = 1, .types = "output_types", CALLS("f"), .state = "Tstate"))
    KERNEL("StatsAggregatorHandle", NO_RULE, .run = dummy_run)
    KERNEL("ExperimentalStatsAggregatorHandle", NO_RULE, .run = dummy_run)
    KERNEL("StatsAggregatorHandleV2", NO_RULE, .run = dummy_run)
    KERNEL("ThreadPoolHandle", NO_RULE, .run = dummy_run)
    KERNEL("ExperimentalThreadPoolHandle", NO_RULE, .run = dummy_run)
    KERNEL("DummySeedGenerator", NO_RULE, .run = dummy_run)
    KERNEL("DummyMemoryCache", NO_RULE, .run = dummy_run)
    KERNEL("DummyIterationCounter", NO_RULE, .run = dummy_run)
    KERNEL("AnonymousSeedGenerator", NO_RULE, .run = seed_generator_run)
    KERNEL("AnonymousRandomSeedGenerator", NO_RULE, .run = seed_generator_run)
    KERNEL("AnonymousMemoryCache", NO_RULE, .run = memory_cache_run)
    KERNEL("DeleteSeedGenerator", NO_RULE, .run = delete_run)
    KERNEL("DeleteRandomSeedGenerator", NO_RULE, .run = delete_run)
    KERNEL("DeleteMemoryCache", NO_RULE, .run = delete_run)
    KERNEL("WrapDatasetVariant", NO_RULE, .run = wrap_run)
    KERNEL("UnwrapDatasetVariant", NO_RULE, .run = wrap_run)
    KERNEL("DatasetFingerprint", NO_RULE, .run = fingerprint_run)
    KERNEL("DatasetCardinality", NO_RULE, .run = cardinality_run)
    KERNEL("ExperimentalDatasetCardinality", NO_RULE, .run = cardinality_run)
    KERNEL("DatasetToSingleElement", NO_RULE, .run = single_run)
    SL_ROWS_END
};
/* clang-format on */
