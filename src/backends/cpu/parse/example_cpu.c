/* Examples parsed into tensors: ParseExample and its kin. All are one walk: decode the examples, then for every
 * column find its features and give them out. What differs between the ops is where keys and defaults stand; `struct
 * form` says it. */
#include <inttypes.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/parse/feature.h"
#include "base/alloc.h"
#include "proto/wire.h"

enum kind { SPARSE, DENSE, RAGGED, LIST_SPARSE, LIST_DENSE, LIST_RAGGED, KINDS };

enum keys { KEYS_OF_ATTRS, KEYS_EACH, KEYS_IN_VECTORS }; /* KEYS_EACH: one scalar input a key */

struct form {
    enum keys keys;
    bool is_sequence, is_single;  /* single: `serialized` is always one example */
    int first_key, first_default; /* inputs; -1: behind the keys */
    int names_at;                 /* input with names of the examples, for messages; -1: there is none, -2: the last */
    int assumed_empty; /* input with feature lists that may be missing; -1: an attr has them, or there are none */
    const char *types[KINDS], *names[KINDS], *shapes[KINDS]; /* attrs; NULL: there is no such kind */
};

struct column {
    enum kind kind;
    int dtype, number; /* number: within its kind */
    struct sl_str key; /* when it is known from attrs */
    struct sl_shape shape;
};

struct columns {
    struct sl_arena arena;
    struct column *items;
    int n, count[KINDS];
    const struct sl_str *may_miss; /* names of feature lists, from an attr */
    int n_may_miss;
};

/* ---- what attrs fix */

/* How many outputs a column of the kind has. */
static int members_of(enum kind kind, const struct form *form) {
    static const int members[KINDS] = {3, 1, 2, 3, 2, 3};
    return kind == LIST_DENSE && form->is_single ? 1 : members[kind]; /* a single example has no output for lengths */
}

static void columns_destroy(void *state) {
    struct columns *c = state;
    sl_arena_clear(&c->arena);
    sl_free(c);
}

static sl_code read_kind(struct columns *c, struct sl_kernel_setup *setup, const struct form *form, enum kind kind) {
    const int32_t *types;
    const struct sl_shape *shapes = NULL;
    const struct sl_str *names = NULL;
    int n, n_shapes = 0, n_names = 0;
    if (!form->types[kind]) return SL_OK;
    SL_TRY(sl_attr_type_list(&types, &n, setup->attrs, form->types[kind], setup->err));
    if (form->shapes[kind])
        SL_TRY(sl_attr_shape_list(&shapes, &n_shapes, &c->arena, setup->attrs, form->shapes[kind], setup->err));
    if (form->shapes[kind] && n_shapes != n)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "len(%s) != len(%s)", form->types[kind], form->shapes[kind]);
    if (form->names[kind]) SL_TRY(sl_attr_string_list(&names, &n_names, setup->attrs, form->names[kind], setup->err));
    if (form->names[kind] && n_names != n)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "len(%s) != len(%s)", form->names[kind], form->types[kind]);
    c->count[kind] = n;
    for (int i = 0; i < n; i++) {
        struct column *column = &c->items[c->n++];
        *column = (struct column){.kind = kind, .dtype = types[i], .number = i};
        if (names) column->key = sl_arena_str(&c->arena, names[i]);
        if (shapes) column->shape = shapes[i];
        if (names && !column->key.p) return sl_fail_memory(setup->err, names[i].n);
        for (int d = 1; d < column->shape.rank; d++)
            if (column->shape.dims[d] < 0)
                return sl_fail(setup->err, SL_INVALID_ARGUMENT, "dense_shapes[%d] has unknown dims beyond its first",
                               i);
        if (shapes && column->shape.rank < 0)
            return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                           "dense_shapes[%d] has unknown rank or unknown inner dimensions", i);
    }
    return SL_OK;
}

static sl_code read_columns(struct columns *c, struct sl_kernel_setup *setup) {
    const struct form *form = setup->def->data;
    c->items = SL_ARENA_ARRAY(&c->arena, struct column, (size_t)setup->n_out + 1); /* every column has an output */
    if (!c->items) return sl_fail_memory(setup->err, (size_t)setup->n_out * sizeof *c->items);
    int outputs = 0;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        SL_TRY(read_kind(c, setup, form, kind));
        outputs += c->count[kind] * members_of(kind, form);
    }
    if (outputs != setup->n_out)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "the lists of types say %d outputs, the node has %d", outputs,
                       setup->n_out);
    if (!form->is_sequence || form->keys != KEYS_OF_ATTRS) return SL_OK;
    const struct sl_str *names;
    SL_TRY(sl_attr_string_list(&names, &c->n_may_miss, setup->attrs, "feature_list_dense_missing_assumed_empty",
                               setup->err));
    struct sl_str *copies = SL_ARENA_ARRAY(&c->arena, struct sl_str, (size_t)c->n_may_miss + 1);
    if (!copies) return sl_fail_memory(setup->err, sizeof *copies);
    for (int i = 0; i < c->n_may_miss; i++) {
        copies[i] = sl_arena_str(&c->arena, names[i]);
        if (!copies[i].p) return sl_fail_memory(setup->err, names[i].n);
    }
    c->may_miss = copies;
    return SL_OK;
}

static sl_code columns_create(void **state, struct sl_kernel_setup *setup) {
    struct columns *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(setup->err, sizeof *c);
    sl_arena_init(&c->arena);
    sl_code code = read_columns(c, setup);
    if (code == SL_OK) *state = c;
    else columns_destroy(c);
    return code;
}

/* ---- decoded examples. An Example is a SequenceExample that has a context alone: both have the features in field
 * 1. */

struct batch {
    struct sl_kernel_context *k;
    const struct form *form;
    const struct columns *columns;
    struct sl_arena arena;
    struct sl_pb_SequenceExample *examples;
    int64_t n;
    bool is_single;
};

static struct sl_str string_at(struct sl_view v, int64_t i) { return sl_string_get((const TF_TString *)v.data + i); }

/* The input that names the examples; -1: there is none. */
static int names_of(const struct batch *b) {
    return b->form->names_at == -2 ? sl_in_count(b->k) - 1 : b->form->names_at;
}

static sl_code decode(struct batch *b) {
    struct sl_view in = sl_in(b->k, 0);
    const bool is_vector = !b->form->is_single && b->form->keys == KEYS_EACH; /* the first form takes no scalar yet */
    if (b->form->is_single ? in.rank != 0 : in.rank > 1 || (is_vector && in.rank != 1))
        return sl_invalid(b->k, "Expected serialized to be a %s, got shape %s",
                          b->form->is_single ? "scalar"
                          : is_vector        ? "vector"
                                             : "scalar or vector",
                          SHAPE_OF(in));
    int names = names_of(b);
    if (names >= 0 && sl_in(b->k, names).count && !sl_same_shape(sl_in(b->k, names), in))
        return sl_invalid(b->k, "Expected names to be empty or of the shape of serialized, got shapes %s and %s",
                          SHAPE_OF(sl_in(b->k, names)), SHAPE_OF(in));
    b->n = in.count;
    b->is_single = in.rank == 0;
    b->examples = SL_ARENA_ARRAY(&b->arena, struct sl_pb_SequenceExample, (size_t)b->n + 1);
    if (!b->examples) return sl_fail_memory(b->k->err, (size_t)b->n * sizeof *b->examples);
    for (int64_t i = 0; i < b->n; i++) {
        struct sl_pb_Example example;
        sl_code code;
        if (b->form->is_sequence) {
            code = sl_pb_decode(&b->examples[i], SL_PB_TYPE(SequenceExample), string_at(in, i), &b->arena, NULL);
        } else {
            code = sl_pb_decode(&example, SL_PB_TYPE(Example), string_at(in, i), &b->arena, NULL);
            b->examples[i].context = example.features;
        }
        if (code == SL_RESOURCE_EXHAUSTED) return sl_fail_memory(b->k->err, string_at(in, i).n);
        if (code != SL_OK)
            return sl_invalid(b->k, "Could not parse example input, value: example %" PRId64 " is malformed", i);
    }
    return SL_OK;
}

/* ---- keys and defaults */

/* Inputs of the keys come in the order of kinds. */
static sl_code key_of(struct sl_str *key, const struct batch *b, const struct column *c) {
    int in = b->form->first_key;
    if (b->form->keys == KEYS_OF_ATTRS) {
        *key = c->key;
        return SL_OK;
    }
    for (enum kind kind = 0; kind < c->kind; kind++)
        if (b->form->types[kind]) in += b->form->keys == KEYS_EACH ? b->columns->count[kind] : 1;
    struct sl_view v = sl_in(b->k, b->form->keys == KEYS_EACH ? in + c->number : in);
    if (b->form->keys == KEYS_EACH) {
        if (v.count != 1) return sl_invalid(b->k, "Expected key to be a scalar, got shape %s", SHAPE_OF(v));
        *key = string_at(v, 0);
        return SL_OK;
    }
    *key = string_at(v, c->number);
    return SL_OK;
}

/* Vectors of keys, and that of what may be missing, have one element for each column, also when there are no
 * columns. */
static sl_code check_keys(const struct batch *b) {
    const struct form *form = b->form;
    int in = form->first_key;
    if (form->keys == KEYS_EACH && form->assumed_empty >= 0 && sl_in(b->k, form->assumed_empty).rank != 1)
        return sl_invalid(b->k, "Expected feature_list_dense_missing_assumed_empty to be a vector, got shape %s",
                          SHAPE_OF(sl_in(b->k, form->assumed_empty)));
    if (form->keys != KEYS_IN_VECTORS) return SL_OK;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        if (!form->types[kind]) continue;
        struct sl_view v = sl_in(b->k, in++);
        if (v.count != b->columns->count[kind])
            return sl_invalid(b->k, "Expected %d keys, as many as %s, got shape %s", b->columns->count[kind],
                              form->types[kind], SHAPE_OF(v));
    }
    if (form->assumed_empty >= 0 && sl_in(b->k, form->assumed_empty).count != b->columns->count[LIST_DENSE])
        return sl_invalid(b->k, "Expected len(feature_list_dense_missing_assumed_empty to match Nfeature_list_dense");
    return SL_OK;
}

static sl_code default_of(struct sl_dense_feature *d, const struct batch *b, const struct column *c) {
    int in = b->form->first_default;
    if (in < 0) {
        in = b->form->first_key;
        for (enum kind kind = 0; kind < KINDS; kind++) in += b->columns->count[kind];
    }
    *d = (struct sl_dense_feature){.shape = c->shape, .is_variable = c->shape.rank > 0 && c->shape.dims[0] < 0};
    if (c->kind == LIST_DENSE) return SL_OK;
    d->fallback = sl_in(b->k, in + c->number);
    if (d->fallback.dtype != c->dtype)
        return sl_invalid(b->k, "dense_defaults[%d].dtype() == %s != dense_types[%d] == %s", c->number,
                          sl_dtype_name(d->fallback.dtype), c->number, sl_dtype_name(c->dtype));
    char text[SL_SHAPE_TEXT];
    if (d->fallback.count == 0) return SL_OK;
    if (d->is_variable && d->fallback.count != 1)
        return sl_invalid(
            b->k,
            "dense_shape[%d] is a variable length shape: %s, therefore def_value[%d] must contain a single element "
            "(\"the padding element\"). But its shape is %s",
            c->number, sl_shape_text(text, c->shape), c->number, SHAPE_OF(d->fallback));
    if (!d->is_variable && !sl_shape_equal(sl_view_shape(d->fallback), c->shape))
        return sl_invalid(b->k, "def_value[%d].shape() == %s != dense_shapes[%d] == %s", c->number,
                          SHAPE_OF(d->fallback), c->number, sl_shape_text(text, c->shape));
    return SL_OK;
}

static bool may_miss(const struct batch *b, const struct column *c, struct sl_str key) {
    if (b->form->assumed_empty < 0) {
        for (int i = 0; i < b->columns->n_may_miss; i++)
            if (sl_str_eq(b->columns->may_miss[i], key)) return true;
        return false;
    }
    struct sl_view v = sl_in(b->k, b->form->assumed_empty);
    if (v.dtype == SL_BOOL) return c->number < v.count && ((const bool *)v.data)[c->number];
    for (int64_t i = 0; i < v.count; i++)
        if (sl_str_eq(string_at(v, i), key)) return true;
    return false;
}

/* ---- finding the features of a column */

static sl_code find_context(struct sl_features *f, struct batch *b) {
    f->n = b->n;
    f->at = SL_ARENA_ARRAY(&b->arena, const struct sl_pb_Feature *, (size_t)f->n + 1);
    if (!f->at) return sl_fail_memory(b->k->err, (size_t)f->n * sizeof *f->at);
    for (int64_t i = 0; i < b->n; i++)
        f->at[i] = b->examples[i].context ? sl_pb_find_string_Feature(&b->examples[i].context->feature, f->key) : NULL;
    return SL_OK;
}

static sl_code find_lists(struct sl_features *f, struct batch *b, const struct column *c) {
    int64_t *steps = SL_ARENA_ARRAY(&b->arena, int64_t, (size_t)b->n + 1), at = 0;
    const struct sl_pb_FeatureList **lists =
        SL_ARENA_ARRAY(&b->arena, const struct sl_pb_FeatureList *, (size_t)b->n + 1);
    if (!steps || !lists) return sl_fail_memory(b->k->err, (size_t)b->n * sizeof *lists);
    for (int64_t i = 0; i < b->n; i++) {
        const struct sl_pb_FeatureLists *all = b->examples[i].feature_lists;
        lists[i] = all ? sl_pb_find_string_FeatureList(&all->feature_list, f->key) : NULL;
        if (!lists[i] && c->kind == LIST_DENSE && !may_miss(b, c, f->key))
            return sl_invalid(b->k,
                              "Name: <unknown>, Feature list '%.*s' is required but could not be found.  Did you mean "
                              "to include it in "
                              "feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?",
                              SL_STR_ARG(f->key));
        steps[i] = lists[i] ? (int64_t)lists[i]->feature.n : 0;
        f->n += steps[i];
    }
    f->steps = steps;
    f->at = SL_ARENA_ARRAY(&b->arena, const struct sl_pb_Feature *, (size_t)f->n + 1);
    if (!f->at) return sl_fail_memory(b->k->err, (size_t)f->n * sizeof *f->at);
    for (int64_t i = 0; i < b->n; i++)
        for (int64_t s = 0; s < steps[i]; s++) f->at[at++] = &lists[i]->feature.items[s];
    return SL_OK;
}

/* ---- outputs: for each kind its members in turn, each for all columns */

static int output_of(const struct batch *b, const struct column *c, int member) {
    int o = 0;
    for (enum kind kind = 0; kind < c->kind; kind++) o += b->columns->count[kind] * members_of(kind, b->form);
    return o + member * b->columns->count[c->kind] + c->number;
}

static sl_code give_lengths(struct batch *b, const struct sl_features *f, int o) {
    struct sl_view out;
    SL_TRY(sl_out_new(&out, b->k, o, b->is_single ? SL_SHAPE_SCALAR : (struct sl_shape){1, &b->n}));
    if (b->n) memcpy(out.data, f->steps, (size_t)b->n * sizeof(int64_t));
    return SL_OK;
}

static sl_code give_column(struct batch *b, const struct column *c, struct sl_feature_fault *fault) {
    struct sl_features f = {.examples = b->n,
                            .is_single = b->is_single,
                            .dtype = c->dtype,
                            .is_example = !b->form->is_sequence,
                            .is_dense = c->kind == DENSE,
                            .fault = fault};
    bool is_list = c->kind >= LIST_SPARSE;
    int o[3];
    if (names_of(b) >= 0) f.names = sl_in(b->k, names_of(b));
    SL_TRY(key_of(&f.key, b, c));
    SL_TRY(is_list ? find_lists(&f, b, c) : find_context(&f, b));
    for (int m = 0; m < 3; m++) o[m] = output_of(b, c, m);
    struct sl_dense_feature d;
    switch (c->kind) {
    case SPARSE:
    case LIST_SPARSE: return sl_features_sparse(b->k, &f, o);
    case RAGGED: return sl_features_ragged(b->k, &f, (const int[]){o[0], -1, o[1]});
    case LIST_RAGGED: return sl_features_ragged(b->k, &f, o);
    default: break;
    }
    SL_TRY(default_of(&d, b, c));
    if (is_list && !b->form->is_single) SL_TRY(give_lengths(b, &f, o[1]));
    return sl_features_dense(b->k, &f, &d, o[0]);
}

/* Of several faults that of the first example is told, in it that of the last feature, and what is missing at last. */
static bool comes_first(const struct sl_feature_fault *a, const struct sl_feature_fault *b) {
    if (a->number != b->number) return a->number < b->number;
    return (uintptr_t)a->feature > (uintptr_t)b->feature; /* both in one array, or NULL */
}

static sl_code give_columns(struct batch *b) {
    struct sl_feature_fault first = {.number = -1}, fault;
    struct sl_error *const err = b->k->err;
    struct sl_error kept;
    sl_code code = SL_OK;
    for (int i = 0; i < b->columns->n; i++) {
        fault = (struct sl_feature_fault){.number = -1};
        sl_code one = give_column(b, &b->columns->items[i], &fault);
        if (one == SL_OK) continue;
        if (b->form->is_sequence || fault.number < 0) return one;
        if (code != SL_OK && !comes_first(&fault, &first)) continue;
        code = one;
        first = fault;
        kept = *err;
    }
    if (code != SL_OK) *err = kept;
    return code;
}

static sl_code parse_run(struct sl_kernel_context *k) {
    struct batch b = {.k = k, .form = k->node->def->data, .columns = k->state};
    sl_arena_init(&b.arena);
    sl_code code = decode(&b);
    if (code == SL_OK) code = check_keys(&b);
    if (code == SL_OK) code = give_columns(&b);
    sl_arena_clear(&b.arena);
    return code;
}

static const struct form parse_example = {.keys = KEYS_EACH,
                                          .first_key = 2,
                                          .first_default = -1,
                                          .names_at = 1,
                                          .assumed_empty = -1,
                                          .types = {"sparse_types", "Tdense"},
                                          .shapes = {NULL, "dense_shapes"}};
static const struct form parse_example_v2 = {.keys = KEYS_IN_VECTORS,
                                             .first_key = 2,
                                             .first_default = 5,
                                             .names_at = 1,
                                             .assumed_empty = -1,
                                             .types = {"sparse_types", "Tdense", "ragged_value_types"},
                                             .shapes = {NULL, "dense_shapes"}};
static const struct form parse_single = {.keys = KEYS_OF_ATTRS,
                                         .is_single = true,
                                         .first_default = 1,
                                         .names_at = -1,
                                         .assumed_empty = -1,
                                         .types = {"sparse_types", "Tdense"},
                                         .names = {"sparse_keys", "dense_keys"},
                                         .shapes = {NULL, "dense_shapes"}};
#define SEQUENCE_TYPES                                                                                                 \
    .shapes = {[DENSE] = "context_dense_shapes", [LIST_DENSE] = "feature_list_dense_shapes"},                          \
    .types = {[SPARSE] = "context_sparse_types",                                                                       \
              [DENSE] = "Tcontext_dense",                                                                              \
              [LIST_SPARSE] = "feature_list_sparse_types",                                                             \
              [LIST_DENSE] = "feature_list_dense_types"
static const struct form parse_sequence = {.keys = KEYS_OF_ATTRS,
                                           .is_sequence = true,
                                           .first_default = 2,
                                           .names_at = 1,
                                           .assumed_empty = -1,
                                           SEQUENCE_TYPES},
                         .names = {[SPARSE] = "context_sparse_keys",
                                   [DENSE] = "context_dense_keys",
                                   [LIST_SPARSE] = "feature_list_sparse_keys",
                                   [LIST_DENSE] = "feature_list_dense_keys"}
}
;
static const struct form parse_sequence_v2 = {.keys = KEYS_IN_VECTORS,
                                              .is_sequence = true,
                                              .first_key = 2,
                                              .first_default = 9,
                                              .names_at = 1,
                                              .assumed_empty = 8,
                                              SEQUENCE_TYPES,
                                              [RAGGED] = "context_ragged_value_types",
                                              [LIST_RAGGED] = "feature_list_ragged_value_types"}
}
;
static const struct form parse_single_sequence = {.keys = KEYS_EACH,
                                                  .is_sequence = true,
                                                  .is_single = true,
                                                  .first_key = 2,
                                                  .first_default = -1,
                                                  .names_at = -2,
                                                  .assumed_empty = 1,
                                                  SEQUENCE_TYPES}
}
;

#define PARSER(form)                                                                                                   \
    .run = parse_run, .create = columns_create, .destroy = columns_destroy, .data = &form, .cost_ns = 2000,            \
    .cost_element = 100
/* clang-format off */
const struct sl_kernel_def sl_cpu_example_rows[] = {
    KERNEL("ParseExample", NO_RULE, PARSER(parse_example))
    KERNEL("ParseExampleV2", NO_RULE, PARSER(parse_example_v2))
    KERNEL("ParseSingleExample", NO_RULE, PARSER(parse_single))
    KERNEL("ParseSequenceExample", NO_RULE, PARSER(parse_sequence))
    KERNEL("ParseSequenceExampleV2", NO_RULE, PARSER(parse_sequence_v2))
    KERNEL("ParseSingleSequenceExample", NO_RULE, PARSER(parse_single_sequence))
    SL_ROWS_END
};
/* clang-format on */
