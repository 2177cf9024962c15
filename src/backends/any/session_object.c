/* Named objects of a session. Called by the kernels of queues, barriers, tables, accumulators and staging areas. */
#include "backends/any/session_object.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "kernel/resources.h"
#include "kernel/variable.h"

static char *copy_text(struct sl_str s) {
    char *copy = sl_malloc(s.n + 1);
    if (!copy) return NULL;
    if (s.n) memcpy(copy, s.p, s.n);
    copy[s.n] = 0;
    return copy;
}

void sl_session_object_clear(struct sl_session_object *o) {
    sl_free(o->container);
    sl_free(o->name);
}

/* Letters, digits, dots; after the first also "_", "-" and "/". */
static bool is_container(struct sl_str s) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
        if (!is_plain && (i == 0 || (c != '_' && c != '-' && c != '/'))) return false;
    }
    return true;
}

sl_code sl_session_maker_init(struct sl_session_maker *m, struct sl_kernel_setup *setup,
                              enum sl_session_naming naming) {
    struct sl_str container, name;
    bool by_node = naming == SL_NAMED_BY_NODE;
    SL_TRY(sl_attr_string(&container, setup->attrs, "container", setup->err));
    SL_TRY(sl_attr_string(&name, setup->attrs, "shared_name", setup->err));
    if (naming == SL_NAMED_BY_ATTR) SL_TRY(sl_attr_bool(&by_node, setup->attrs, "use_node_name_sharing", setup->err));
    if (!is_container(container))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "container contains invalid characters: %.*s",
                       SL_STR_ARG(container));
    *m = (struct sl_session_maker){.is_private = !name.n && !by_node};
    m->container = copy_text(container.n ? container : SL_STR("localhost"));
    m->name = copy_text(name.n ? name : setup->resource_name);
    if (!m->container || !m->name) {
        sl_free(m->container);
        sl_free(m->name);
        return sl_fail_memory(setup->err, name.n);
    }
    sl_mutex_init(&m->mutex);
    return SL_OK;
}

void sl_session_maker_clear(struct sl_session_maker *m) {
    if (m->object) sl_object_unref(&m->object->object);
    if (m->reference) sl_object_unref(&m->reference->object);
    sl_free(m->container);
    sl_free(m->name);
    sl_mutex_clear(&m->mutex);
}

/* ---- finding and making */

struct making {
    sl_code (*make)(struct sl_session_object **out, const void *arg, struct sl_error *err);
    const void *arg;
    const struct sl_session_maker *maker;
    bool is_fresh;
};

static sl_code make_object(struct sl_object **out, void *arg, struct sl_error *err) {
    struct making *making = arg;
    struct sl_session_object *o;
    SL_TRY(making->make(&o, making->arg, err));
    o->container = copy_text(sl_str_of(making->maker->container));
    o->name = copy_text(sl_str_of(making->maker->name));
    if (!o->container || !o->name) {
        sl_object_unref(&o->object);
        return sl_fail_memory(err, strlen(making->maker->name));
    }
    making->is_fresh = true;
    *out = &o->object;
    return SL_OK;
}

/* "_N_NODE" instead of "NODE". */
static sl_code number_name(struct sl_session_maker *m, struct sl_resources *r, struct sl_error *err) {
    enum { NUMBER = 24 };
    size_t room = strlen(m->name) + NUMBER;
    char *name = sl_malloc(room);
    if (!name) return sl_fail_memory(err, room);
    snprintf(name, room, "_%" PRIu64 "_%s", sl_resources_number(r), m->name);
    sl_free(m->name);
    m->name = name;
    m->is_private = false;
    return SL_OK;
}

static sl_code find_or_make(struct sl_session_maker *m, struct sl_kernel_context *k, const struct sl_object_type *type,
                            struct making *making,
                            sl_code (*check)(struct sl_session_object *o, const void *arg, struct sl_error *err)) {
    struct sl_resources *r = k->env->session_resources;
    struct sl_object *found;
    if (m->is_private) SL_TRY(number_name(m, r, k->err));
    SL_TRY(sl_resources_find_or_make(&found, r, sl_str_of(m->container), type, sl_str_of(m->name), make_object, making,
                                     k->err));
    struct sl_session_object *o = (struct sl_session_object *)found;
    sl_code code = check && !making->is_fresh ? check(o, making->arg, k->err) : SL_OK;
    if (code == SL_OK) m->object = o;
    else sl_object_unref(found);
    return code;
}

sl_code sl_session_object_get(struct sl_session_object **out, struct sl_kernel_context *k, struct sl_session_maker *m,
                              const struct sl_object_type *type,
                              sl_code (*make)(struct sl_session_object **out, const void *arg, struct sl_error *err),
                              sl_code (*check)(struct sl_session_object *o, const void *arg, struct sl_error *err),
                              const void *arg) {
    struct making making = {make, arg, m, false};
    sl_code code = SL_OK;
    sl_mutex_lock(&m->mutex);
    if (!m->object) code = find_or_make(m, k, type, &making, check);
    if (code == SL_OK) *out = m->object;
    sl_mutex_unlock(&m->mutex);
    return code;
}

/* ---- handles */

sl_code sl_session_reference_new(struct sl_variable **out, const struct sl_session_object *o, struct sl_error *err) {
    struct sl_value pair = {0};
    SL_TRY(sl_value_new(&pair, SL_STRING, (struct sl_shape){1, (const int64_t[]){2}}, err));
    TF_TString *s = pair.tensor->data;
    sl_code code = sl_string_set(&s[0], sl_str_of(o->container), err);
    if (code == SL_OK) code = sl_string_set(&s[1], sl_str_of(o->name), err);
    const struct sl_variable_spec spec = {.type = &sl_ref_variable_type,
                                          .dtype = SL_STRING,
                                          .shape = {1, (const int64_t[]){2}},
                                          .container = sl_str_of(o->container),
                                          .name = sl_str_of(o->name)};
    if (code == SL_OK) code = sl_variable_new(out, &spec, err);
    if (code == SL_OK) sl_variable_write(*out, pair);
    else sl_value_clear(&pair);
    return code;
}

sl_code sl_session_object_give(struct sl_kernel_context *k, struct sl_session_maker *m) {
    if (!sl_dtype_is_ref(k->node->out_types[0])) {
        sl_out_object(k, 0, sl_object_ref(&m->object->object));
        return SL_OK;
    }
    sl_code code = SL_OK;
    sl_mutex_lock(&m->mutex);
    if (!m->reference) code = sl_session_reference_new(&m->reference, m->object, k->err);
    sl_mutex_unlock(&m->mutex);
    if (code == SL_OK)
        *sl_out_value(k, 0) =
            (struct sl_value){.kind = SL_VALUE_REF, .dtype = SL_STRING, .object = sl_object_ref(&m->reference->object)};
    return code;
}

sl_code sl_session_object_hold(struct sl_held *out, struct sl_kernel_context *k, const struct sl_object_type *type) {
    return sl_handle_hold_among(out, k, type, k->env->session_resources);
}
