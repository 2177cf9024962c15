/* A hash that goes down the tree of datasets, also into those that are arguments. Of what is shared by handle (seeds,
 * caches, tables) only the type counts. */
#include "data/fingerprint.h"

#include <string.h>

#include "base/hash.h"

static uint64_t join_text(const char *text, uint64_t h) { return sl_hash64(text, text ? strlen(text) : 0, h); }

static sl_code join_object(uint64_t *h, const struct sl_object *o, const struct sl_functions *functions,
                           struct sl_error *err) {
    uint64_t own;
    if (!o || o->type != &sl_dataset_type) {
        *h = join_text(o ? o->type->name : "", *h);
        return SL_OK;
    }
    SL_TRY(sl_dataset_fingerprint(&own, (const struct sl_dataset *)o, functions, err));
    *h = sl_hash64_combine(own, *h);
    return SL_OK;
}

static uint64_t join_shape(struct sl_shape shape, uint64_t h) {
    h = sl_hash64_combine((uint64_t)(int64_t)shape.rank, h);
    for (int i = 0; i < shape.rank; i++) h = sl_hash64_combine((uint64_t)shape.dims[i], h);
    return h;
}

static sl_code join_value(uint64_t *h, const struct sl_value *value, const struct sl_functions *functions,
                          struct sl_error *err) {
    const struct sl_view v = sl_value_on_host(value);
    *h = join_shape(sl_view_shape(v), sl_hash64_combine((uint64_t)v.dtype, *h));
    if (sl_dtype_is_plain(v.dtype)) *h = sl_hash64(v.data, (size_t)v.count * sl_dtype_size(v.dtype), *h);
    for (int64_t i = 0; i < v.count && v.dtype == SL_STRING; i++) {
        const struct sl_str s = sl_string_get((const TF_TString *)v.data + i);
        *h = sl_hash64(s.p, s.n, sl_hash64_combine(s.n, *h));
    }
    for (int64_t i = 0; i < v.count && (v.dtype == SL_VARIANT || v.dtype == SL_RESOURCE); i++)
        SL_TRY(join_object(h, ((struct sl_object *const *)v.data)[i], functions, err));
    return SL_OK;
}

sl_code sl_dataset_fingerprint(uint64_t *out, const struct sl_dataset *d, const struct sl_functions *functions,
                               struct sl_error *err) {
    uint64_t h = join_text(d->spec->name, join_text(d->kind->name, SL_HASH64_SEED)), own;
    h = sl_hash64_combine((uint64_t)d->spec->flag, sl_hash64_combine((uint64_t)d->n, h));
    for (int i = 0; i < d->n; i++) h = join_shape(d->shapes[i], sl_hash64_combine(d->types[i], h));
    for (int i = 0; i < d->spec->n_functions; i++) {
        SL_TRY(functions->fingerprint(&own, d->spec->functions[i].function, err));
        h = sl_hash64_combine(own, h);
    }
    for (int i = 0; i < d->n_inputs; i++) SL_TRY(join_object(&h, &d->inputs[i]->object, functions, err));
    for (int i = 0; i < d->n_values; i++) SL_TRY(join_value(&h, &d->values[i], functions, err));
    *out = h;
    return SL_OK;
}
