/* Handles of TensorArrays and stacks. Called by their kernels. */
#include "backends/any/any_handle.h"

#include <stdio.h>

#include "kernel/resources.h"
#include "kernel/variable.h"

static sl_code hold_by_name(struct sl_held *out, struct sl_kernel_context *k, const struct sl_value *pair,
                            const struct sl_object_type *type, struct sl_resources *among) {
    struct sl_view v = sl_value_view(pair);
    char text[SL_SHAPE_TEXT];
    if (v.dtype != SL_STRING || v.count != 2)
        return sl_invalid(k, "Handle must be 2-element vector, but had shape: %s",
                          sl_shape_text(text, sl_view_shape(v)));
    const TF_TString *s = v.data;
    SL_TRY(sl_resources_find(&out->object, among, sl_string_get(&s[0]), type, sl_string_get(&s[1]), k->err));
    out->is_owned = true;
    return SL_OK;
}

sl_code sl_handle_hold(struct sl_held *out, struct sl_kernel_context *k, const struct sl_object_type *type) {
    return sl_handle_hold_among(out, k, type, k->env->step_resources);
}

sl_code sl_handle_hold_among(struct sl_held *out, struct sl_kernel_context *k, const struct sl_object_type *type,
                             struct sl_resources *among) {
    const struct sl_value *v = sl_in_value(k, 0);
    if (v->kind == SL_VALUE_REF) {
        struct sl_value pair;
        SL_TRY(sl_variable_read(&pair, (struct sl_variable *)v->object, k->err));
        sl_code code = hold_by_name(out, k, &pair, type, among);
        sl_value_clear(&pair);
        return code;
    }
    if (v->dtype == SL_STRING) return hold_by_name(out, k, v, type, among);
    struct sl_view handle = sl_value_view(v);
    struct sl_object *o = handle.count == 1 ? *(struct sl_object **)handle.data : NULL;
    if (!o || o->type != type)
        return sl_invalid(k,
                          "Trying to access a handle's resource using the wrong type. The handle points to a resource "
                          "of type '%s' but you are trying to access the resource as type '%s'",
                          o ? o->type->name : "", type->name);
    *out = (struct sl_held){o, false};
    return SL_OK;
}

/* A reference output: a variable that holds the pair. Takes `pair` over. */
static sl_code give_reference(struct sl_kernel_context *k, struct sl_value pair) {
    struct sl_variable *v;
    struct sl_variable_spec spec = {.type = &sl_ref_variable_type,
                                    .dtype = SL_STRING,
                                    .shape = {1, (const int64_t[]){2}},
                                    .name = k->node->name};
    sl_code code = sl_variable_new(&v, &spec, k->err);
    if (code != SL_OK) {
        sl_value_clear(&pair);
        return code;
    }
    sl_variable_write(v, pair);
    sl_out_variable(k, 0, v);
    return SL_OK;
}

/* Whether that name is this object's already. */
static bool is_stored(struct sl_kernel_context *k, const struct sl_object *object, struct sl_str container,
                      struct sl_str name) {
    struct sl_object *found;
    if (sl_resources_find(&found, k->env->step_resources, container, object->type, name, NULL) != SL_OK) return false;
    sl_object_unref(found);
    return found == object;
}

/* Stores the object under `name`, or `name_1`, `name_2` ... when others have that; `key` is where the name goes.
 * Takes the reference over. */
static sl_code name_object(TF_TString *key, struct sl_kernel_context *k, struct sl_object *object,
                           struct sl_str container, struct sl_str name) {
    sl_code code = sl_string_set(key, name, k->err);
    for (unsigned n = 1; code == SL_OK; n++) {
        sl_object_ref(object);
        code = sl_resources_add(k->env->step_resources, container, sl_string_get(key), object, k->err);
        if (code != SL_ALREADY_EXISTS) break;
        sl_error_clear(k->err);
        code = SL_OK;
        if (is_stored(k, object, container, sl_string_get(key))) break;
        char suffix[16];
        size_t length = (size_t)snprintf(suffix, sizeof suffix, "_%u", n);
        char *room = TF_TString_ResizeUninitialized(key, name.n + length);
        if (!room) {
            code = sl_fail_memory(k->err, name.n);
        } else {
            if (name.n) memcpy(room, name.p, name.n);
            memcpy(room + name.n, suffix, length);
        }
    }
    sl_object_unref(object);
    return code;
}

sl_code sl_handle_give(struct sl_kernel_context *k, struct sl_object *object, struct sl_str container,
                       struct sl_str name) {
    int type = k->node->out_types[0];
    if (type == SL_RESOURCE) {
        sl_out_object(k, 0, object);
        return SL_OK;
    }
    struct sl_value pair = {0};
    sl_code code = sl_value_new(&pair, SL_STRING, (struct sl_shape){1, (const int64_t[]){2}}, k->err);
    TF_TString *s = code == SL_OK ? pair.tensor->data : NULL;
    if (code == SL_OK) code = sl_string_set(&s[0], container, k->err);
    if (code == SL_OK) code = name_object(&s[1], k, object, container, name);
    else sl_object_unref(object);
    if (code != SL_OK) {
        sl_value_clear(&pair);
        return code;
    }
    if (sl_dtype_is_ref(type)) return give_reference(k, pair);
    *sl_out_value(k, 0) = pair;
    return SL_OK;
}
