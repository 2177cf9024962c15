/* Making and freeing datasets, reading their arguments. Called by the kinds and by the
 * kernels of dataset ops. */
#include "data/input_dataset.h"

#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "kernel/variant.h"

void sl_dataset_spec_unref(struct sl_dataset_spec *spec) {
    if (!spec || atomic_fetch_sub_explicit(&spec->refs, 1, memory_order_acq_rel) != 1) return;
    for (int i = 0; spec->release && i < spec->n_functions; i++)
        if (spec->functions[i].function) spec->release(spec->functions[i].function);
    sl_arena_clear(&spec->arena);
    sl_free(spec);
}

sl_code sl_dataset_spec_new(struct sl_dataset_spec **out, const struct sl_dataset_kind *kind, const char *name, int n,
                            const uint8_t *types, const struct sl_shape *shapes, struct sl_error *err) {
    struct sl_dataset_spec *spec = *out = sl_calloc(1, sizeof *spec);
    if (!spec) return sl_fail_memory(err, sizeof *spec);
    atomic_init(&spec->refs, 1);
    sl_arena_init(&spec->arena);
    spec->kind = kind;
    uint8_t *own_types = sl_arena_alloc(&spec->arena, (size_t)n);
    struct sl_shape *own_shapes = SL_ARENA_ARRAY(&spec->arena, struct sl_shape, (size_t)n);
    if (name && !(spec->name = sl_arena_str(&spec->arena, sl_str_of(name)).p)) return sl_fail_memory(err, strlen(name));
    if (!own_types || !own_shapes) return sl_fail_memory(err, (size_t)n * sizeof *own_shapes);
    for (int i = 0; i < n; i++) {
        own_types[i] = types[i];
        own_shapes[i] = sl_shape_copy(&spec->arena, shapes[i]);
        if (own_shapes[i].rank == -2) return sl_fail_memory(err, 0);
    }
    spec->n = n;
    spec->types = own_types;
    spec->shapes = own_shapes;
    return SL_OK;
}

struct sl_value sl_dataset_value(struct sl_dataset *d) {
    return (struct sl_value){.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT, .object = &d->object};
}

static void dataset_free(struct sl_object *object) {
    struct sl_dataset *d = (struct sl_dataset *)object;
    if (d->state && d->kind->clear) d->kind->clear(d);
    for (int i = 0; i < d->n_values; i++) sl_value_clear(&d->values[i]);
    for (int i = 0; i < d->n_inputs; i++) sl_dataset_unref(d->inputs[i]);
    sl_dataset_spec_unref(d->spec);
    sl_arena_clear(&d->arena);
    sl_free(d);
}

const struct sl_object_type sl_dataset_type = {.name = "tensorflow::DatasetVariantWrapper", .free = dataset_free};

/* The dataset that a captured variant holds, or NULL. */
static struct sl_dataset *held_dataset(const struct sl_value *value) {
    struct sl_dataset *held;
    return value->dtype == SL_VARIANT && sl_dataset_of_value(&held, value, NULL) == SL_OK ? held : NULL;
}

/* Datasets hold datasets, as inputs and in captured variants; whatever walks them goes down so far. */
static sl_code measure_depth(struct sl_dataset *d, struct sl_error *err) {
    for (int i = 0; i < d->n_inputs; i++)
        if (d->inputs[i]->depth >= d->depth) d->depth = d->inputs[i]->depth + 1;
    for (int i = 0; i < d->n_values; i++) {
        if (d->values[i].dtype != SL_VARIANT) continue;
        SL_TRY(sl_variant_hold(&d->object, &d->values[i], err));
        const struct sl_dataset *held = held_dataset(&d->values[i]);
        if (held && held->depth >= d->depth) d->depth = held->depth + 1;
    }
    if (d->depth <= SL_DATASET_DEPTH_MAX) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Datasets are nested more than %d deep", SL_DATASET_DEPTH_MAX);
}

static sl_code fill(struct sl_dataset *d, struct sl_dataset *const *inputs, int n_inputs, const struct sl_value *values,
                    int n_values, struct sl_error *err) {
    for (; d->n_inputs < n_inputs; d->n_inputs++) d->inputs[d->n_inputs] = sl_dataset_ref(inputs[d->n_inputs]);
    for (; d->n_values < n_values; d->n_values++) d->values[d->n_values] = sl_value_share(&values[d->n_values]);
    SL_TRY(measure_depth(d, err));
    if (d->kind->keeps_types) sl_dataset_set_components(d, inputs[0]->n, inputs[0]->types, inputs[0]->shapes);
    if (d->kind->state_bytes && !(d->state = sl_arena_zalloc(&d->arena, d->kind->state_bytes)))
        return sl_fail_memory(err, d->kind->state_bytes);
    return d->kind->init ? d->kind->init(d, err) : SL_OK;
}

/* The dataset, its inputs and its values are one block: windows are made of many small ones. */
struct block {
    struct sl_dataset dataset;
    _Alignas(struct sl_value) char rest[]; /* values, inputs */
};

sl_code sl_dataset_new(struct sl_dataset **out, struct sl_dataset_spec *spec, struct sl_dataset *const *inputs,
                       int n_inputs, const struct sl_value *values, int n_values, struct sl_error *err) {
    const size_t value_bytes = (size_t)n_values * sizeof *values;
    const size_t bytes = sizeof(struct block) + value_bytes + (size_t)n_inputs * sizeof *inputs;
    struct block *b = sl_malloc(bytes);
    if (!b) return sl_fail_memory(err, bytes);
    struct sl_dataset *d = &b->dataset;
    *d = (struct sl_dataset){.spec = spec,
                             .kind = spec->kind,
                             .values = (struct sl_value *)(void *)b->rest,
                             .inputs = (struct sl_dataset **)(void *)(b->rest + value_bytes)};
    sl_object_init(&d->object, &sl_dataset_type);
    sl_arena_init(&d->arena);
    atomic_fetch_add_explicit(&spec->refs, 1, memory_order_relaxed);
    sl_dataset_set_components(d, spec->n, spec->types, spec->shapes);
    sl_code code = fill(d, inputs, n_inputs, values, n_values, err);
    if (code == SL_OK) *out = d;
    else dataset_free(&d->object);
    return code;
}

sl_code sl_dataset_of_value(struct sl_dataset **out, const struct sl_value *value, struct sl_error *err) {
    struct sl_view v = sl_value_view(value);
    if (v.dtype != SL_VARIANT || v.rank != 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Dataset tensor must be a scalar of dtype DT_VARIANT.");
    struct sl_object *o = *(struct sl_object **)v.data;
    if (!o || o->type != &sl_dataset_type) return sl_fail(err, SL_INVALID_ARGUMENT, "Tensor must be a Dataset object.");
    *out = (struct sl_dataset *)o;
    return SL_OK;
}

int64_t sl_dataset_cardinality(const struct sl_dataset *d) {
    return d->kind->cardinality ? d->kind->cardinality(d) : SL_UNKNOWN_CARDINALITY;
}

int64_t sl_dataset_input_cardinality(const struct sl_dataset *d) { return sl_dataset_cardinality(d->inputs[0]); }

const char *sl_dataset_stateful_op(const struct sl_dataset *d) {
    for (int i = 0; i < d->spec->n_functions; i++)
        if (d->spec->functions[i].stateful_op) return d->spec->functions[i].stateful_op;
    for (int i = 0; i < d->n_inputs; i++) {
        const char *name = sl_dataset_stateful_op(d->inputs[i]);
        if (name) return name;
    }
    for (int i = 0; i < d->n_values; i++) {
        const struct sl_dataset *held = held_dataset(&d->values[i]);
        const char *name = held ? sl_dataset_stateful_op(held) : NULL;
        if (name) return name;
    }
    return NULL;
}

void sl_dataset_set_components(struct sl_dataset *d, int n, const uint8_t *types, const struct sl_shape *shapes) {
    d->n = n;
    d->types = types;
    d->shapes = shapes;
}

sl_code sl_dataset_int(int64_t *out, const struct sl_dataset *d, int i, const char *what, struct sl_error *err) {
    if (i >= 0 && i < d->n_values) {
        struct sl_view v = sl_value_on_host(&d->values[i]);
        if (v.rank == 0 || v.count == 1) {
            switch (v.dtype) {
            case SL_INT64: *out = *(const int64_t *)v.data; return SL_OK;
            case SL_INT32: *out = *(const int32_t *)v.data; return SL_OK;
            case SL_BOOL: *out = *(const bool *)v.data; return SL_OK;
            default: break;
            }
        }
    }
    return sl_fail(err, SL_INVALID_ARGUMENT, "%s must be a scalar", what);
}

sl_code sl_dataset_string(struct sl_str *out, const struct sl_dataset *d, int i, const char *what,
                          struct sl_error *err) {
    struct sl_view v = sl_value_on_host(&d->values[i]);
    if (v.dtype != SL_STRING || v.rank != 0) return sl_fail(err, SL_INVALID_ARGUMENT, "%s must be a scalar", what);
    *out = sl_string_get(v.data);
    return SL_OK;
}

sl_code sl_dataset_check_function(const struct sl_dataset *d, int which, int n_args, int n_rets, struct sl_error *err) {
    const struct sl_dataset_function *f = &d->spec->functions[which];
    if (f->n_args != n_args + f->n_captured)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The function of %sDataset takes %d arguments, but gets %d",
                       d->kind->name, f->n_args, n_args + f->n_captured);
    if (n_rets >= 0 && f->n_rets != n_rets)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The function of %sDataset gives %d results, but %d are wanted",
                       d->kind->name, f->n_rets, n_rets);
    return SL_OK;
}
