/* Variables: a value behind a lock. Called by the executor, which reads references, and by kernels. */
#include "kernel/variable.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "device/transfer.h"
#include "kernel/kernel.h"
#include "kernel/resources.h"

static void variable_free(struct sl_object *object) {
    struct sl_variable *v = (struct sl_variable *)object;
    sl_value_clear(&v->value);
    sl_mutex_clear(&v->mutex);
    sl_free(v);
}

const struct sl_object_type sl_variable_type = {.name = "tensorflow::Var", .free = variable_free};
const struct sl_object_type sl_ref_variable_type = {.name = "tensorflow::LegacyVar", .free = variable_free};

/* One block: the variable, its dims, its texts. */
sl_code sl_variable_new(struct sl_variable **out, const struct sl_variable_spec *spec, struct sl_error *err) {
    size_t dims = spec->shape.rank > 0 ? (size_t)spec->shape.rank * sizeof *spec->shape.dims : 0;
    size_t bytes = sizeof(struct sl_variable) + dims + spec->container.n + spec->name.n;
    struct sl_variable *v = sl_calloc(1, bytes);
    if (!v) return sl_fail_memory(err, bytes);
    char *at = (char *)(v + 1);
    sl_object_init(&v->object, spec->type);
    sl_mutex_init(&v->mutex);
    v->dtype = (uint8_t)spec->dtype;
    v->shape = (struct sl_shape){spec->shape.rank, dims ? (const int64_t *)at : NULL};
    if (dims) memcpy(at, spec->shape.dims, dims);
    at += dims;
    v->container = (struct sl_str){at, spec->container.n};
    if (spec->container.n) memcpy(at, spec->container.p, spec->container.n);
    at += spec->container.n;
    v->name = (struct sl_str){at, spec->name.n};
    if (spec->name.n) memcpy(at, spec->name.p, spec->name.n);
    *out = v;
    return SL_OK;
}

sl_code sl_variable_fail_unset(const struct sl_variable *v, struct sl_error *err) {
    if (v->object.type == &sl_ref_variable_type)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Attempting to use uninitialized value %.*s", SL_STR_ARG(v->name));
    return sl_fail(err, SL_NOT_FOUND, "Resource %.*s/%.*s/N10tensorflow3VarE does not exist.", SL_STR_ARG(v->container),
                   SL_STR_ARG(v->name));
}

sl_code sl_variable_read(struct sl_value *out, struct sl_variable *v, struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&v->mutex);
    if (v->value.kind == SL_VALUE_NONE) {
        code = sl_variable_fail_unset(v, err);
    } else if (v->copy_on_read && v->value.kind == SL_VALUE_TENSOR) {
        struct sl_tensor *copy;
        code = sl_tensor_copy(&copy, v->value.tensor, err);
        if (code == SL_OK) *out = (struct sl_value){.kind = SL_VALUE_TENSOR, .dtype = v->value.dtype, .tensor = copy};
    } else {
        *out = sl_value_share(&v->value);
    }
    sl_mutex_unlock(&v->mutex);
    return code;
}

sl_code sl_values_deref(struct sl_value *values, const uint8_t *types, uint32_t n, struct sl_error *err) {
    for (uint32_t i = 0; i < n; i++) {
        if (values[i].kind != SL_VALUE_REF || sl_dtype_is_ref(types[i])) continue;
        struct sl_value v;
        SL_TRY(sl_variable_read(&v, (struct sl_variable *)values[i].object, err));
        sl_value_clear(&values[i]);
        values[i] = v;
    }
    return SL_OK;
}

void sl_variable_write(struct sl_variable *v, struct sl_value value) {
    sl_mutex_lock(&v->mutex);
    struct sl_value old = v->value;
    v->value = value;
    sl_mutex_unlock(&v->mutex);
    sl_value_clear(&old);
}

/* ---- with the lock held */

/* The variables of the list by address, each once. */
static int sort_once(struct sl_variable *sorted[SL_VARIABLES_MAX], struct sl_variable *const *list, int n) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
        int at = kept;
        while (at > 0 && (uintptr_t)sorted[at - 1] > (uintptr_t)list[i]) at--;
        if (at > 0 && sorted[at - 1] == list[i]) continue;
        memmove(&sorted[at + 1], &sorted[at], (size_t)(kept - at) * sizeof *sorted);
        sorted[at] = list[i];
        kept++;
    }
    return kept;
}

void sl_variables_lock(struct sl_variable *const *list, int n) {
    struct sl_variable *sorted[SL_VARIABLES_MAX + 1];
    n = sort_once(sorted, list, n);
    for (int i = 0; i < n; i++) sl_mutex_lock(&sorted[i]->mutex);
}

void sl_variables_unlock(struct sl_variable *const *list, int n) {
    struct sl_variable *sorted[SL_VARIABLES_MAX + 1];
    n = sort_once(sorted, list, n);
    for (int i = n - 1; i >= 0; i--) sl_mutex_unlock(&sorted[i]->mutex);
}

sl_code sl_variable_look(struct sl_view *out, struct sl_variable *v, struct sl_error *err) {
    if (v->value.kind == SL_VALUE_NONE) return sl_variable_fail_unset(v, err);
    SL_TRY(sl_value_settle(&v->value, NULL, 0, err));
    *out = sl_value_view(&v->value);
    return SL_OK;
}

sl_code sl_variable_edit(struct sl_view *out, struct sl_variable *v, struct sl_error *err) {
    SL_TRY(sl_variable_look(out, v, err));
    if (v->value.kind == SL_VALUE_TENSOR && !sl_tensor_may_write(v->value.tensor)) {
        struct sl_tensor *copy;
        SL_TRY(sl_tensor_copy(&copy, v->value.tensor, err));
        sl_tensor_unref(v->value.tensor);
        v->value.tensor = copy;
    }
    *out = sl_value_view(&v->value);
    return SL_OK;
}

sl_code sl_variable_check(const struct sl_variable *v, const struct sl_value *value, bool validates,
                          struct sl_error *err) {
    char now[SL_SHAPE_TEXT], then[SL_SHAPE_TEXT];
    bool is_reference = v->object.type == &sl_ref_variable_type, is_set = v->value.kind != SL_VALUE_NONE;
    if ((is_reference || is_set) && v->dtype != value->dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Trying to assign variable with wrong dtype. Expected %s got %s",
                       sl_dtype_name(v->dtype), sl_dtype_name(value->dtype));
    if (!validates || !(is_reference || is_set)) return SL_OK;
    struct sl_shape from = sl_view_shape(sl_value_view(value));
    struct sl_shape to = is_set ? sl_view_shape(sl_value_view(&v->value)) : v->shape;
    if (sl_shape_equal(from, to)) return SL_OK;
    sl_shape_text(now, to);
    sl_shape_text(then, from);
    if (is_reference)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Assign requires shapes of both tensors to match. lhs shape= %s rhs shape= %s", now, then);
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Trying to assign to variable with tensor with wrong shape. Expected %s got %s", now, then);
}

/* ---- in kernels */

struct sl_variable *sl_variable_of(struct sl_object *o) {
    return o && o->type == &sl_variable_type ? (struct sl_variable *)o : NULL;
}

sl_code sl_in_variable(struct sl_variable **out, struct sl_kernel_context *k, int i) {
    const struct sl_value *v = sl_in_value(k, i);
    struct sl_object *object;
    if (v->kind == SL_VALUE_REF) {
        *out = (struct sl_variable *)v->object;
        return SL_OK;
    }
    struct sl_view handle = sl_value_view(v);
    object = handle.dtype == SL_RESOURCE && handle.count == 1 ? *(struct sl_object **)handle.data : NULL;
    *out = sl_variable_of(object);
    if (!*out)
        return sl_invalid(k,
                          "Trying to access a handle's resource using the wrong type. The handle points to a resource "
                          "of type '%s' but you are trying to access the resource as type '%s'",
                          object ? object->type->name : "", sl_variable_type.name);
    return SL_OK;
}

void sl_out_variable(struct sl_kernel_context *k, int o, struct sl_variable *v) {
    *sl_out_value(k, o) = (struct sl_value){.kind = SL_VALUE_REF, .dtype = v->dtype, .object = &v->object};
}

/* The name of a temporary variable, its own in every iteration of a loop. */
struct temporary_name {
    char text[512];
};
static struct sl_str temporary_name(struct temporary_name *n, const struct sl_kernel_context *k, struct sl_str name) {
    int length = snprintf(n->text, sizeof n->text, "%.*s/iter:%" PRIu64, SL_STR_ARG(name), k->iteration);
    return (struct sl_str){n->text, length < (int)sizeof n->text ? (size_t)length : sizeof n->text - 1};
}

sl_code sl_out_temporary(struct sl_kernel_context *k, int o, struct sl_variable *v, struct sl_str name) {
    struct temporary_name room;
    sl_object_ref(&v->object);
    sl_code code = sl_resources_add(k->env->step_resources, SL_STR("__per_step"), temporary_name(&room, k, name),
                                    &v->object, k->err);
    if (code == SL_OK) sl_out_variable(k, o, v);
    else sl_object_unref(&v->object);
    return code;
}

sl_code sl_temporary_forget(struct sl_kernel_context *k, struct sl_str name) {
    struct temporary_name room;
    return sl_resources_remove(k->env->step_resources, SL_STR("__per_step"), &sl_ref_variable_type,
                               temporary_name(&room, k, name), k->err);
}
