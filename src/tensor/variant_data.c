/* Variants of a name, bytes and tensors: one block of memory. */
#include "tensor/variant_data.h"

#include <string.h>

#include "base/alloc.h"

static void variant_data_free(struct sl_object *o) {
    struct sl_variant_data *v = (struct sl_variant_data *)o;
    for (size_t i = 0; i < v->n; i++) sl_tensor_unref(v->tensors[i]);
    sl_free(v);
}

const struct sl_object_type sl_variant_data_type = {.name = "tensorflow::VariantTensorData", .free = variant_data_free};

/* How deep variants stand in the elements of a tensor. */
static unsigned depth_of(const struct sl_tensor *t) {
    unsigned depth = 0;
    for (int64_t i = 0; t->dtype == SL_VARIANT && i < t->count; i++) {
        const struct sl_object *o = ((struct sl_object *const *)t->data)[i];
        if (o && o->depth + 1u > depth) depth = o->depth + 1u;
    }
    return depth;
}

sl_code sl_variant_data_new(struct sl_object **out, struct sl_str type_name, struct sl_str metadata,
                            struct sl_tensor *const *tensors, size_t n, struct sl_error *err) {
    const size_t bytes = sizeof(struct sl_variant_data) + n * sizeof *tensors + type_name.n + metadata.n;
    struct sl_variant_data *v = sl_malloc(bytes);
    if (!v) return sl_fail_memory(err, bytes);
    sl_object_init(&v->object, &sl_variant_data_type);
    v->tensors = (struct sl_tensor **)(v + 1);
    v->n = n;
    char *text = (char *)(v->tensors + n);
    if (type_name.n) memcpy(text, type_name.p, type_name.n);
    if (metadata.n) memcpy(text + type_name.n, metadata.p, metadata.n);
    v->type_name = (struct sl_str){text, type_name.n};
    v->metadata = (struct sl_str){text + type_name.n, metadata.n};
    unsigned depth = 0;
    for (size_t i = 0; i < n; i++) {
        v->tensors[i] = sl_tensor_ref(tensors[i]);
        if (depth_of(tensors[i]) > depth) depth = depth_of(tensors[i]);
    }
    v->object.depth = (uint16_t)depth;
    *out = &v->object;
    return SL_OK;
}

const struct sl_variant_data *sl_variant_data_of(const struct sl_object *o, const char *type_name) {
    if (!o || o->type != &sl_variant_data_type) return NULL;
    const struct sl_variant_data *v = (const struct sl_variant_data *)o;
    return sl_str_is(v->type_name, type_name) ? v : NULL;
}
