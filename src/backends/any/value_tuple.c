/* Tuples. Called by the kernels of staging areas and barriers. */
#include "backends/any/value_tuple.h"

#include "base/alloc.h"

static void tuple_free(struct sl_object *object) {
    struct sl_tuple *t = (struct sl_tuple *)object;
    for (int i = 0; i < t->n; i++) sl_value_clear(&t->values[i]);
    sl_free(t);
}

static const struct sl_object_type tuple_type = {.name = "Tuple", .free = tuple_free};

sl_code sl_tuple_new(struct sl_tuple **out, int n, int64_t number, struct sl_error *err) {
    size_t bytes = sizeof(struct sl_tuple) + (size_t)n * sizeof(struct sl_value);
    struct sl_tuple *t = sl_calloc(1, bytes);
    if (!t) return sl_fail_memory(err, bytes);
    sl_object_init(&t->object, &tuple_type);
    t->number = number;
    t->n = n;
    *out = t;
    return SL_OK;
}

int64_t sl_value_bytes(const struct sl_value *v) {
    if (v->kind <= SL_VALUE_DEAD) return 0;
    struct sl_view view = sl_value_view(v);
    return view.count * (int64_t)sl_dtype_size(view.dtype);
}

int64_t sl_tuple_bytes(const struct sl_tuple *t) {
    int64_t bytes = 0;
    for (int i = 0; i < t->n; i++) bytes += sl_value_bytes(&t->values[i]);
    return bytes;
}

int sl_tuple_count(const struct sl_tuple *t) {
    int n = 0;
    for (int i = 0; i < t->n; i++) n += t->values[i].kind > SL_VALUE_DEAD;
    return n;
}
