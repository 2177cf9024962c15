/* A message is a variant of type sluice::Dataset: its metadata names the kind and how it is called in paths, "kind/name";
 * its first tensor has numbers, those behind it are the inputs, which are messages, and the arguments.
 *
 *     numbers   inputs, flag, components, then of each: type, rank (-1: unknown), dimensions
 */
#include "data/dataset_message.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "data/kinds.h"
#include "tensor/variant_data.h"

enum { ANY = -1, SOME = -2 }; /* any number; at least one */

struct message_kind {
    const char *name;
    const struct sl_dataset_kind *kind;
    int n_inputs, n_values;
};
static const struct message_kind kinds[] = {
    {"range", &sl_range_data, 0, 3},       {"tensor", &sl_tensor_data, 0, SOME},
    {"slice", &sl_slice_data, 0, SOME},    {"list", &sl_list_data, 0, ANY},
    {"listed", &sl_listed_data, 0, ANY},   {"pass", &sl_pass_data, 1, ANY},
    {"repeat", &sl_repeat_data, 1, 1},     {"take", &sl_take_data, 1, 1},
    {"skip", &sl_skip_data, 1, 1},         {"shard", &sl_shard_data, 1, 2},
    {"prefetch", &sl_prefetch_data, 1, 1}, {"batch", &sl_batch_data, 1, SOME},
    {"unbatch", &sl_unbatch_data, 1, 0},   {"concatenate", &sl_concatenate_data, 2, 0},
    {"zip", &sl_zip_data, SOME, 0},
};

static const struct message_kind *find_kind(const struct sl_dataset_kind *kind, struct sl_str name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kind ? kinds[i].kind == kind : sl_str_is(name, kinds[i].name)) return &kinds[i];
    return NULL;
}

static bool number_fits(int rule, int64_t n) { return rule == ANY ? n >= 0 : rule == SOME ? n >= 1 : n == rule; }

static struct sl_dataset *dataset_of(struct sl_object *o) {
    return o && o->type == &sl_dataset_type ? (struct sl_dataset *)o : NULL;
}

/* ---- writing */

static sl_code message_of(struct sl_object **out, const struct sl_dataset *d, struct sl_error *err);

static sl_code numbers_of(struct sl_tensor **out, const struct sl_dataset *d, struct sl_error *err) {
    const struct sl_dataset_spec *spec = d->spec;
    int64_t n = 3;
    for (int i = 0; i < spec->n; i++) n += 2 + (spec->shapes[i].rank > 0 ? spec->shapes[i].rank : 0);
    SL_TRY(sl_tensor_new(out, SL_INT64, (struct sl_shape){1, &n}, err));
    int64_t *at = (*out)->data;
    *at++ = d->n_inputs;
    *at++ = spec->flag;
    *at++ = spec->n;
    for (int i = 0; i < spec->n; i++) {
        *at++ = spec->types[i];
        *at++ = spec->shapes[i].rank;
        for (int k = 0; k < spec->shapes[i].rank; k++) *at++ = spec->shapes[i].dims[k];
    }
    return SL_OK;
}

/* Numbers, inputs, arguments; `n` says how many are there, also after a failure. */
static sl_code tensors_of(struct sl_tensor **tensors, size_t *n, const struct sl_dataset *d, struct sl_error *err) {
    SL_TRY(numbers_of(&tensors[0], d, err));
    for (*n = 1; *n <= (size_t)d->n_inputs; ++*n) {
        SL_TRY(sl_tensor_new(&tensors[*n], SL_VARIANT, SL_SHAPE_SCALAR, err));
        sl_code code = message_of(tensors[*n]->data, d->inputs[*n - 1], err);
        if (code != SL_OK) {
            sl_tensor_unref(tensors[*n]);
            return code;
        }
    }
    for (int i = 0; i < d->n_values; i++, ++*n) {
        struct sl_value value;
        SL_TRY(sl_dataset_value_to_messages(&value, &d->values[i], err));
        sl_code code = sl_value_to_tensor(&tensors[*n], &value, err);
        sl_value_clear(&value);
        if (code != SL_OK) return code;
    }
    return SL_OK;
}

static sl_code message_of(struct sl_object **out, const struct sl_dataset *d, struct sl_error *err) {
    const struct message_kind *kind = find_kind(d->kind, SL_STR(""));
    if (!kind) return sl_fail(err, SL_UNIMPLEMENTED, "A %sDataset as part of a saved position", d->kind->name);
    struct sl_arena arena;
    size_t n = 0;
    const size_t all = (size_t)d->n_inputs + (size_t)d->n_values + 1;
    struct sl_tensor **tensors = sl_calloc(all, sizeof *tensors);
    if (!tensors) return sl_fail_memory(err, all * sizeof *tensors);
    sl_arena_init(&arena);
    const char *name =
        sl_arena_format(&arena, "%s%s%s", kind->name, d->spec->name ? "/" : "", d->spec->name ? d->spec->name : "");
    sl_code code = name ? tensors_of(tensors, &n, d, err) : sl_fail_memory(err, 0);
    if (code == SL_OK) code = sl_variant_data_new(out, SL_STR(SL_VARIANT_DATASET), sl_str_of(name), tensors, n, err);
    while (n > 0) sl_tensor_unref(tensors[--n]);
    sl_free(tensors);
    sl_arena_clear(&arena);
    return code;
}

/* ---- reading: nothing of it is believed */

static sl_code no_message(struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "A saved position holds a dataset that makes no sense");
}

struct numbers {
    const int64_t *at, *end;
};
static bool take_number(int64_t *out, struct numbers *x, int64_t least, int64_t most) {
    if (x->at == x->end || *x->at < least || *x->at > most) return false;
    *out = *x->at++;
    return true;
}

static sl_code read_component(struct sl_dataset_spec *spec, int i, uint8_t *types, struct sl_shape *shapes,
                              struct numbers *x, struct sl_error *err) {
    int64_t type, rank, dims[SL_MAX_RANK];
    if (!take_number(&type, x, 1, UINT8_MAX) || !sl_dtype_is_valid((int)type) ||
        !take_number(&rank, x, -1, SL_MAX_RANK))
        return no_message(err);
    for (int64_t k = 0; k < rank; k++)
        if (!take_number(&dims[k], x, -1, INT64_MAX)) return no_message(err);
    types[i] = (uint8_t)type;
    shapes[i] = sl_shape_copy(&spec->arena, (struct sl_shape){(int)rank, dims});
    return shapes[i].rank == -2 ? sl_fail_memory(err, sizeof dims) : SL_OK;
}

static sl_code read_spec(struct sl_dataset_spec *spec, struct sl_str name, struct numbers *x, struct sl_error *err) {
    int64_t flag, n;
    if (!take_number(&flag, x, 0, 1) || !take_number(&n, x, 1, (x->end - x->at) / 2 + 1)) return no_message(err);
    uint8_t *types = sl_arena_zalloc(&spec->arena, (size_t)n);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&spec->arena, struct sl_shape, (size_t)n);
    if (!types || !shapes) return sl_fail_memory(err, (size_t)n * sizeof *shapes);
    for (int i = 0; i < n; i++) SL_TRY(read_component(spec, i, types, shapes, x, err));
    spec->flag = flag;
    spec->n = (int)n;
    spec->types = types;
    spec->shapes = shapes;
    if (!name.p) return SL_OK;
    spec->name = sl_arena_str(&spec->arena, name).p;
    return spec->name ? SL_OK : sl_fail_memory(err, name.n);
}

static sl_code dataset_of_message(struct sl_dataset **out, const struct sl_variant_data *v, struct sl_error *err);

/* The dataset of a message, or of one that was read already; a new reference. */
static sl_code read_input(struct sl_dataset **out, const struct sl_tensor *t, struct sl_error *err) {
    if (t->dtype != SL_VARIANT || t->count != 1) return no_message(err);
    const struct sl_variant_data *v = sl_variant_data_of(*(struct sl_object **)t->data, SL_VARIANT_DATASET);
    return v ? dataset_of_message(out, v, err) : no_message(err);
}

static sl_code read_parts(struct sl_dataset **inputs, int *n_inputs, struct sl_value *values, int *n_values,
                          const struct sl_variant_data *v, int64_t count, struct sl_error *err) {
    for (; *n_inputs < count; ++*n_inputs) SL_TRY(read_input(&inputs[*n_inputs], v->tensors[*n_inputs + 1], err));
    for (size_t i = (size_t)count + 1; i < v->n; i++, ++*n_values) {
        struct sl_value whole = sl_value_of_tensor(sl_tensor_ref(v->tensors[i]));
        sl_code code = sl_dataset_value_from_messages(&values[*n_values], &whole, err);
        sl_value_clear(&whole);
        if (code != SL_OK) return code;
    }
    return SL_OK;
}

static sl_code make_of_parts(struct sl_dataset **out, struct sl_dataset_spec *spec, const struct sl_variant_data *v,
                             int64_t count, struct sl_error *err) {
    int n_inputs = 0, n_values = 0;
    struct sl_dataset **inputs = sl_calloc(v->n, sizeof *inputs);
    struct sl_value *values = sl_calloc(v->n, sizeof *values);
    sl_code code = inputs && values ? read_parts(inputs, &n_inputs, values, &n_values, v, count, err)
                                    : sl_fail_memory(err, v->n * sizeof *values);
    if (code == SL_OK) code = sl_dataset_new(out, spec, inputs, n_inputs, values, n_values, err);
    while (n_inputs > 0) sl_dataset_unref(inputs[--n_inputs]);
    while (n_values > 0) sl_value_clear(&values[--n_values]);
    sl_free(inputs);
    sl_free(values);
    return code;
}

static sl_code dataset_of_message(struct sl_dataset **out, const struct sl_variant_data *v, struct sl_error *err) {
    const char *slash = v->metadata.n ? memchr(v->metadata.p, '/', v->metadata.n) : NULL;
    const struct sl_str whole = v->metadata, first = {whole.p, slash ? (size_t)(slash - whole.p) : whole.n};
    const struct sl_str name = slash ? (struct sl_str){slash + 1, whole.n - first.n - 1} : (struct sl_str){NULL, 0};
    const struct message_kind *kind = find_kind(NULL, first);
    int64_t n_inputs;
    if (!kind || v->n < 1 || v->n > INT32_MAX || v->tensors[0]->dtype != SL_INT64) return no_message(err);
    struct numbers x = {v->tensors[0]->data, (const int64_t *)v->tensors[0]->data + v->tensors[0]->count};
    if (!take_number(&n_inputs, &x, 0, (int64_t)v->n - 1) || !number_fits(kind->n_inputs, n_inputs) ||
        !number_fits(kind->n_values, (int64_t)v->n - 1 - n_inputs))
        return no_message(err);
    struct sl_dataset_spec *spec = sl_calloc(1, sizeof *spec);
    if (!spec) return sl_fail_memory(err, sizeof *spec);
    atomic_init(&spec->refs, 1);
    sl_arena_init(&spec->arena);
    spec->kind = kind->kind;
    sl_code code = read_spec(spec, name, &x, err);
    if (code == SL_OK) code = make_of_parts(out, spec, v, n_inputs, err);
    sl_dataset_spec_unref(spec);
    return code;
}

/* ---- values */

/* A tensor of variants of which each is what `change` makes of it; `*out` is shared where nothing changes. */
typedef sl_code change_object(struct sl_object **out, struct sl_object *o, struct sl_error *err);

static sl_code change_all(struct sl_value *out, const struct sl_value *value, change_object *change,
                          struct sl_error *err) {
    const struct sl_view v = sl_value_on_host(value);
    struct sl_tensor *t;
    SL_TRY(sl_tensor_new(&t, SL_VARIANT, sl_view_shape(v), err));
    sl_code code = SL_OK;
    for (int64_t i = 0; i < v.count && code == SL_OK; i++)
        code = change(&((struct sl_object **)t->data)[i], ((struct sl_object **)v.data)[i], err);
    if (code == SL_OK) *out = sl_value_of_tensor(t);
    else sl_tensor_unref(t);
    return code;
}

static sl_code change_to_message(struct sl_object **out, struct sl_object *o, struct sl_error *err) {
    const struct sl_dataset *d = dataset_of(o);
    if (d) return message_of(out, d, err);
    *out = sl_object_ref(o);
    return SL_OK;
}

static sl_code change_from_message(struct sl_object **out, struct sl_object *o, struct sl_error *err) {
    const struct sl_variant_data *v = o ? sl_variant_data_of(o, SL_VARIANT_DATASET) : NULL;
    struct sl_dataset *d;
    if (!v) {
        *out = sl_object_ref(o);
        return SL_OK;
    }
    SL_TRY(dataset_of_message(&d, v, err));
    *out = &d->object;
    return SL_OK;
}

sl_code sl_dataset_value_to_messages(struct sl_value *out, const struct sl_value *value, struct sl_error *err) {
    if (value->dtype == SL_VARIANT) return change_all(out, value, change_to_message, err);
    *out = sl_value_share(value);
    return SL_OK;
}

sl_code sl_dataset_value_from_messages(struct sl_value *out, const struct sl_value *value, struct sl_error *err) {
    if (value->dtype == SL_VARIANT) return change_all(out, value, change_from_message, err);
    *out = sl_value_share(value);
    return SL_OK;
}
