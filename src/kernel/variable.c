/* Variables: a value behind a lock. */
#include "kernel/variable.h"

#include <string.h>

#include "base/alloc.h"

static void variable_free(struct sl_object *object) {
    struct sl_variable *v = (struct sl_variable *)object;
    sl_value_clear(&v->value);
    sl_mutex_clear(&v->mutex);
    sl_free(v);
}

const struct sl_object_type sl_variable_type = {.name = "tensorflow::Var", .free = variable_free};

sl_code sl_variable_new(struct sl_variable **out, int dtype, struct sl_str name, struct sl_error *err) {
    struct sl_variable *v = sl_calloc(1, sizeof *v + name.n + 1);
    if (!v) return sl_fail_memory(err, sizeof *v);
    sl_object_init(&v->object, &sl_variable_type);
    sl_mutex_init(&v->mutex);
    v->dtype = (uint8_t)dtype;
    if (name.n) memcpy(v->name, name.p, name.n);
    *out = v;
    return SL_OK;
}

sl_code sl_variable_read(struct sl_value *out, struct sl_variable *v, struct sl_error *err) {
    sl_mutex_lock(&v->mutex);
    bool is_set = v->value.kind != SL_VALUE_NONE;
    if (is_set) *out = sl_value_share(&v->value);
    sl_mutex_unlock(&v->mutex);
    return is_set ? SL_OK : sl_fail(err, SL_FAILED_PRECONDITION, "Attempting to use uninitialized value %s", v->name);
}

void sl_variable_write(struct sl_variable *v, struct sl_value value) {
    sl_mutex_lock(&v->mutex);
    struct sl_value old = v->value;
    v->value = value;
    sl_mutex_unlock(&v->mutex);
    sl_value_clear(&old);
}
