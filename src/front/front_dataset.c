/* Input pipelines: dataset ops with what their elements are like, in graphs and in scopes that run ops at once.
 * sluice/dataset.h. What a stage changes of the components is worked out here: the ops only repeat it. */
#include "sluice/dataset.h"

#include "front/front_eager.h"

static const struct sl_data no_data;
/* As SL_ANY_SHAPE and SL_SCALAR, for those that last. */
static const int64_t no_dims[1];
static const struct sl_dims any_shape = {no_dims, -1}, scalar_dims = {no_dims, 0};

/* ---- components */

static struct sl_data_components *new_components(struct sl_scope *s, int n) {
    struct sl_data_components *c = SL_ARENA_NEW(&s->arena, struct sl_data_components);
    TF_DataType *types = SL_ARENA_ARRAY(&s->arena, TF_DataType, (size_t)n + 1);
    struct sl_dims *shapes = SL_ARENA_ARRAY(&s->arena, struct sl_dims, (size_t)n + 1);
    if (!c || !types || !shapes) {
        sl_scope_fail_memory(s);
        return NULL;
    }
    *c = (struct sl_data_components){n, types, shapes};
    return c;
}
static TF_DataType *types_of(struct sl_data_components *c) { return (TF_DataType *)c->types; }
static struct sl_dims *shapes_of(struct sl_data_components *c) { return (struct sl_dims *)c->shapes; }

/* The shape with a dimension in front of its dimensions from `from` on. `first` -2: without one. */
static struct sl_dims reshaped(struct sl_scope *s, struct sl_dims shape, int from, int64_t first) {
    if (shape.n < 0) return any_shape;
    const int added = first != -2, n = shape.n - from + added;
    int64_t *dims = SL_ARENA_ARRAY(&s->arena, int64_t, (size_t)n + 1);
    if (!dims) {
        sl_scope_fail_memory(s);
        return any_shape;
    }
    if (added) dims[0] = first;
    for (int i = from; i < shape.n; i++) dims[i - from + added] = shape.dims[i];
    return (struct sl_dims){dims, n};
}

/* Of values, without their first `drop` dimensions. */
static struct sl_data_components *components_of(struct sl_scope *s, const TF_Output *values, int n, int drop) {
    struct sl_data_components *c = new_components(s, n);
    for (int i = 0; i < n && c && sl_scope_ok(s); i++) {
        const int rank = sl_rank_of(s, values[i]);
        types_of(c)[i] = sl_type_of(s, values[i]);
        if (rank >= 0 && rank < drop) sl_scope_fail(s, TF_INVALID_ARGUMENT, "sl_data_slices: a component has no rows");
        int64_t *dims = rank < 0 ? NULL : SL_ARENA_ARRAY(&s->arena, int64_t, (size_t)rank + 1);
        if (rank >= 0 && !dims) sl_scope_fail_memory(s);
        for (int d = 0; d < rank && dims; d++) dims[d] = sl_size_of(s, values[i], d);
        shapes_of(c)[i] = dims && rank >= drop ? (struct sl_dims){dims + drop, rank - drop} : any_shape;
    }
    return sl_scope_ok(s) ? c : NULL;
}

/* One scalar. */
static struct sl_data_components *one_component(struct sl_scope *s, TF_DataType type) {
    struct sl_data_components *c = new_components(s, 1);
    if (!c) return NULL;
    types_of(c)[0] = type;
    shapes_of(c)[0] = scalar_dims;
    return c;
}

static const struct sl_data_components *rebatched(struct sl_scope *s, const struct sl_data_components *from, int drop,
                                                  int64_t first) {
    struct sl_data_components *c = new_components(s, from->n);
    for (int i = 0; i < from->n && c; i++) {
        types_of(c)[i] = from->types[i];
        shapes_of(c)[i] = reshaped(s, from->shapes[i], drop, first);
    }
    return c;
}

/* ---- stages */

enum { MOST_INPUTS = 8, MOST_ATTRS = 8 };

/* An op that makes a dataset: its inputs and further attrs; output_types and output_shapes are added. */
struct stage {
    const char *op, *types; /* types: the attr; NULL: the op declares no components */
    struct sl_op_input inputs[MOST_INPUTS];
    struct sl_attr_given attrs[MOST_ATTRS];
    int n_inputs, n_attrs;
};

static struct sl_data add_stage(struct sl_scope *s, struct stage stage, const struct sl_data_components *components) {
    if (!sl_scope_ok(s) || !components) return no_data;
    const struct sl_types types = {components->types, components->n};
    const struct sl_shapes shapes = {components->shapes, components->n};
    if (stage.types && stage.types[0])
        stage.attrs[stage.n_attrs++] = (struct sl_attr_given){stage.types, SL_GIVEN_TYPES, &types};
    if (stage.types) stage.attrs[stage.n_attrs++] = (struct sl_attr_given){"output_shapes", SL_GIVEN_SHAPES, &shapes};
    TF_Operation *made = sl_op(s, stage.op, stage.inputs, stage.n_inputs, stage.attrs, stage.n_attrs);
    return made ? (struct sl_data){{made, 0}, components} : no_data;
}

static TF_Output int_scalar(struct sl_scope *s, int64_t x) { return sl_constant_of(s, TF_INT64, SL_SCALAR, &x); }
static TF_Output bool_scalar(struct sl_scope *s, bool x) { return sl_constant_of(s, TF_BOOL, SL_SCALAR, &x); }

#define ONE(value)         ((struct sl_op_input){(const TF_Output[]){value}, -1})
#define LIST(values, n)    ((struct sl_op_input){values, n})
#define DECLARED           .types = "output_types"
#define STAGE(op_, n, ...) ((struct stage){.op = op_, DECLARED, .n_inputs = n, .inputs = {__VA_ARGS__}})

static bool is_there(struct sl_scope *s, struct sl_data data) {
    if (sl_scope_ok(s) && !data.components) sl_scope_fail(s, TF_INVALID_ARGUMENT, "There is no dataset");
    return sl_scope_ok(s);
}

/* An op whose elements are those of its input, with one count. */
static struct sl_data counted(struct sl_scope *s, const char *op, struct sl_data data, int64_t count) {
    if (!is_there(s, data)) return no_data;
    const TF_Output n = int_scalar(s, count);
    return add_stage(s, STAGE(op, 2, ONE(data.dataset), ONE(n)), data.components);
}

/* ---- sources */

SL_API struct sl_data sl_data_range(struct sl_scope *scope, int64_t start, int64_t stop, int64_t step) {
    if (!sl_scope_ok(scope)) return no_data;
    const TF_Output a = int_scalar(scope, start), b = int_scalar(scope, stop), c = int_scalar(scope, step);
    return add_stage(scope, STAGE("RangeDataset", 3, ONE(a), ONE(b), ONE(c)), one_component(scope, TF_INT64));
}

static struct sl_data of_values(struct sl_scope *s, const char *op, const TF_Output *values, int n, int drop) {
    if (sl_scope_ok(s) && n < 1) sl_scope_fail(s, TF_INVALID_ARGUMENT, "A dataset has at least one component");
    if (!sl_scope_ok(s)) return no_data;
    const struct stage stage = {.op = op, .types = "", .inputs = {LIST(values, n)}, .n_inputs = 1};
    return add_stage(s, stage, components_of(s, values, n, drop));
}

SL_API struct sl_data sl_data_tensors(struct sl_scope *scope, const TF_Output *components, int num_components) {
    return of_values(scope, "TensorDataset", components, num_components, 0);
}
SL_API struct sl_data sl_data_slices(struct sl_scope *scope, const TF_Output *components, int num_components) {
    return of_values(scope, "TensorSliceDataset", components, num_components, 1);
}

static struct sl_data of_files(struct sl_scope *s, const char *op, TF_Output files, const char *compression) {
    if (!sl_scope_ok(s)) return no_data;
    const TF_Output packed = sl_string_scalar(s, compression ? compression : ""), buffer = int_scalar(s, 0);
    const struct stage stage = {.op = op, .inputs = {ONE(files), ONE(packed), ONE(buffer)}, .n_inputs = 3};
    return add_stage(s, stage, one_component(s, TF_STRING));
}

SL_API struct sl_data sl_data_lines(struct sl_scope *scope, TF_Output files, const char *compression) {
    return of_files(scope, "TextLineDataset", files, compression);
}
SL_API struct sl_data sl_data_records(struct sl_scope *scope, TF_Output files, const char *compression) {
    return of_files(scope, "TFRecordDataset", files, compression);
}

/* ---- functions */

/* `calls` 0: the op has no such input. */
static struct sl_data call_stage(struct sl_scope *s, const char *op, struct sl_data data, const char *attr,
                                 const struct sl_scope_function *f, const struct sl_data_components *components,
                                 int64_t calls) {
    const bool keeps = true;
    struct stage stage = STAGE(op, 2, ONE(data.dataset), LIST(f->captured, f->n_captured));
    const TF_Output n = calls ? int_scalar(s, calls) : (TF_Output){NULL, 0};
    if (calls) stage.inputs[stage.n_inputs++] = ONE(n);
    stage.attrs[stage.n_attrs++] = (struct sl_attr_given){attr, SL_GIVEN_FUNCTION, &f->name};
    if (components != data.components)
        stage.attrs[stage.n_attrs++] = (struct sl_attr_given){"preserve_cardinality", SL_GIVEN_BOOL, &keeps};
    return add_stage(s, stage, components);
}

static struct sl_data map_with(struct sl_scope *s, const char *op, struct sl_data data, const char *name,
                               sl_data_function *f, int n, void *arg, int64_t calls) {
    struct sl_scope_function made;
    if (sl_scope_ok(s) && n < 1) sl_scope_fail(s, TF_INVALID_ARGUMENT, "sl_data_map: there must be a result");
    if (!is_there(s, data)) return no_data;
    struct sl_data_components *c = new_components(s, n);
    if (!c || !sl_scope_make_function(&made, s, name ? name : "map", data.components->types, data.components->shapes,
                                      data.components->n, f, types_of(c), shapes_of(c), n, arg))
        return no_data;
    return call_stage(s, op, data, "f", &made, c, calls);
}

SL_API struct sl_data sl_data_map(struct sl_scope *scope, struct sl_data data, const char *name, sl_data_function *f,
                                  int num_outputs, void *arg) {
    return map_with(scope, "MapDataset", data, name, f, num_outputs, arg, 0);
}

SL_API struct sl_data sl_data_map_parallel(struct sl_scope *scope, struct sl_data data, const char *name,
                                           sl_data_function *f, int num_outputs, void *arg, int64_t calls) {
    return map_with(scope, "ParallelMapDatasetV2", data, name, f, num_outputs, arg, calls ? calls : -1);
}

SL_API struct sl_data sl_data_filter(struct sl_scope *scope, struct sl_data data, const char *name, sl_data_function *f,
                                     void *arg) {
    struct sl_scope_function made;
    TF_DataType type;
    struct sl_dims shape;
    if (!is_there(scope, data) ||
        !sl_scope_make_function(&made, scope, name ? name : "filter", data.components->types, data.components->shapes,
                                data.components->n, f, &type, &shape, 1, arg))
        return no_data;
    return call_stage(scope, "FilterDataset", data, "predicate", &made, data.components, 0);
}

/* ---- order and number */

SL_API struct sl_data sl_data_take(struct sl_scope *scope, struct sl_data data, int64_t count) {
    return counted(scope, "TakeDataset", data, count);
}
SL_API struct sl_data sl_data_skip(struct sl_scope *scope, struct sl_data data, int64_t count) {
    return counted(scope, "SkipDataset", data, count);
}
SL_API struct sl_data sl_data_repeat(struct sl_scope *scope, struct sl_data data, int64_t count) {
    return counted(scope, "RepeatDataset", data, count);
}
SL_API struct sl_data sl_data_prefetch(struct sl_scope *scope, struct sl_data data, int64_t buffer) {
    return counted(scope, "PrefetchDataset", data, buffer);
}

SL_API struct sl_data sl_data_shard(struct sl_scope *scope, struct sl_data data, int64_t n, int64_t index) {
    if (!is_there(scope, data)) return no_data;
    const TF_Output all = int_scalar(scope, n), at = int_scalar(scope, index);
    return add_stage(scope, STAGE("ShardDataset", 3, ONE(data.dataset), ONE(all), ONE(at)), data.components);
}

SL_API struct sl_data sl_data_shuffle(struct sl_scope *scope, struct sl_data data, int64_t buffer) {
    if (!is_there(scope, data)) return no_data;
    const int64_t seed = scope->seed;
    const TF_Output size = int_scalar(scope, buffer), first = int_scalar(scope, seed),
                    second = int_scalar(scope, seed ? ++scope->seeds : 0);
    return add_stage(scope, STAGE("ShuffleDataset", 4, ONE(data.dataset), ONE(size), ONE(first), ONE(second)),
                     data.components);
}

/* What two shapes have in common. */
static struct sl_dims common_shape(struct sl_scope *s, struct sl_dims a, struct sl_dims b) {
    if (a.n != b.n || a.n < 0) return any_shape;
    struct sl_dims both = reshaped(s, a, 0, -2);
    for (int i = 0; i < both.n; i++)
        if (a.dims[i] != b.dims[i]) ((int64_t *)both.dims)[i] = -1;
    return both;
}

SL_API struct sl_data sl_data_concatenate(struct sl_scope *scope, struct sl_data a, struct sl_data b) {
    if (!is_there(scope, a) || !is_there(scope, b)) return no_data;
    if (a.components->n != b.components->n) {
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_data_concatenate: the datasets differ in their components");
        return no_data;
    }
    struct sl_data_components *c = new_components(scope, a.components->n);
    for (int i = 0; c && i < c->n; i++) {
        types_of(c)[i] = a.components->types[i];
        shapes_of(c)[i] = common_shape(scope, a.components->shapes[i], b.components->shapes[i]);
    }
    return add_stage(scope, STAGE("ConcatenateDataset", 2, ONE(a.dataset), ONE(b.dataset)), c);
}

SL_API struct sl_data sl_data_zip(struct sl_scope *scope, const struct sl_data *datas, int num_datas) {
    int n = 0, at = 0;
    if (sl_scope_ok(scope) && num_datas < 1) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_data_zip: no datasets");
    for (int i = 0; i < num_datas; i++) {
        if (!is_there(scope, datas[i])) return no_data;
        n += datas[i].components->n;
    }
    if (!sl_scope_ok(scope)) return no_data;
    struct sl_data_components *c = new_components(scope, n);
    TF_Output *inputs = SL_ARENA_ARRAY(&scope->arena, TF_Output, (size_t)num_datas);
    if (!inputs) sl_scope_fail_memory(scope);
    for (int i = 0; c && inputs && i < num_datas; i++) {
        inputs[i] = datas[i].dataset;
        for (int k = 0; k < datas[i].components->n; k++, at++) {
            types_of(c)[at] = datas[i].components->types[k];
            shapes_of(c)[at] = datas[i].components->shapes[k];
        }
    }
    return add_stage(scope, STAGE("ZipDataset", 1, LIST(inputs, num_datas)), c);
}

/* ---- batches, buffers */

SL_API struct sl_data sl_data_batch(struct sl_scope *scope, struct sl_data data, int64_t size, bool drop_remainder) {
    if (!is_there(scope, data)) return no_data;
    const TF_Output n = int_scalar(scope, size), drops = bool_scalar(scope, drop_remainder);
    return add_stage(scope, STAGE("BatchDatasetV2", 3, ONE(data.dataset), ONE(n), ONE(drops)),
                     rebatched(scope, data.components, 0, drop_remainder ? size : -1));
}

SL_API struct sl_data sl_data_unbatch(struct sl_scope *scope, struct sl_data data) {
    if (!is_there(scope, data)) return no_data;
    for (int i = 0; i < data.components->n; i++)
        if (data.components->shapes[i].n == 0) {
            sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_data_unbatch: a component is a scalar");
            return no_data;
        }
    return add_stage(scope, STAGE("UnbatchDataset", 1, ONE(data.dataset)), rebatched(scope, data.components, 1, -2));
}

SL_API struct sl_data sl_data_cache(struct sl_scope *scope, struct sl_data data) {
    if (!is_there(scope, data)) return no_data;
    const TF_Output memory = sl_string_scalar(scope, "");
    return add_stage(scope, STAGE("CacheDataset", 2, ONE(data.dataset), ONE(memory)), data.components);
}

/* ---- elements */

SL_API struct sl_data_iterator sl_data_iterate(struct sl_scope *scope, const char *name, struct sl_data data) {
    struct sl_data_iterator it = {{NULL, 0}, NULL, NULL};
    if (!is_there(scope, data)) return it;
    const bool is_eager = sl_is_eager(scope);
    const struct sl_types types = {data.components->types, data.components->n};
    const struct sl_shapes shapes = {data.components->shapes, data.components->n};
    if (!name) name = "iterator";
    const char *shared = is_eager ? NULL : sl_scope_unused_name(scope, name), *container = "localhost";
    const struct sl_attr_given attrs[] = {{"output_types", SL_GIVEN_TYPES, &types},
                                          {"output_shapes", SL_GIVEN_SHAPES, &shapes},
                                          {"shared_name", SL_GIVEN_STRING, &shared},
                                          {"container", SL_GIVEN_STRING, &container}};
    if (!is_eager) sl_name(scope, name);
    TF_Operation *made =
        sl_op(scope, is_eager ? "AnonymousIteratorV3" : "IteratorV2", NULL, 0, attrs, is_eager ? 2 : 4);
    if (!made) return it;
    const TF_Output resource = {made, 0};
    TF_Operation *begin =
        sl_op(scope, "MakeIterator", (const struct sl_op_input[]){ONE(data.dataset), ONE(resource)}, 2, NULL, 0);
    if (!sl_scope_ok(scope)) return it;
    return (struct sl_data_iterator){resource, is_eager ? NULL : begin, data.components};
}

SL_API bool sl_data_next(struct sl_scope *scope, TF_Output *outputs, struct sl_data_iterator iterator) {
    const int n = iterator.components ? iterator.components->n : 0;
    for (int i = 0; i < n; i++) outputs[i] = sl_op_first(NULL);
    if (sl_scope_ok(scope) && !n) sl_scope_fail(scope, TF_INVALID_ARGUMENT, "There is no iterator");
    if (!sl_scope_ok(scope)) return false;
    const struct sl_types types = {iterator.components->types, n};
    const struct sl_shapes shapes = {iterator.components->shapes, n};
    const struct sl_attr_given attrs[] = {{"output_types", SL_GIVEN_TYPES, &types},
                                          {"output_shapes", SL_GIVEN_SHAPES, &shapes}};
    TF_Operation *next =
        sl_op(scope, "IteratorGetNext", (const struct sl_op_input[]){ONE(iterator.resource)}, 1, attrs, 2);
    if (!next && sl_is_eager(scope) && sl_scope_code(scope) == TF_OUT_OF_RANGE) TF_SetStatus(scope->status, TF_OK, "");
    for (int i = 0; i < n && next; i++) outputs[i] = (TF_Output){next, i};
    return next != NULL;
}
