/* Resources of plug-ins, which the session keeps by name, and variables that kernels of plug-ins take in hand. */
#include "base/alloc.h"
#include "kernel/resources.h"
#include "kernel/variable.h"
#include "plugin/plugin_kernel.h"
#include "tensorflow/c/experimental/next_pluggable_device/c_api.h"

TF_Device *TF_GetDevice(TF_OpKernelContext *context) {
    const struct sl_step_env *env = context->k->env;
    const int at = env->devices ? sl_device_find(env->devices, sl_str_of(env->device)) : -1;
    return at >= 0 ? (TF_Device *)&env->devices->items[at] : NULL;
}

/* ---- resources */

struct plugin_resource {
    struct sl_object object;
    void *data;
    void (*free)(void *data);
};

static void free_resource(struct sl_object *object) {
    struct plugin_resource *r = (struct plugin_resource *)object;
    if (r->free) r->free(r->data);
    sl_free(r);
}

static const struct sl_object_type resource_type = {.name = "tensorflow::TF_PluginResource", .free = free_resource};

static sl_code new_resource(struct plugin_resource **out, void *data, void (*free_data)(void *), struct sl_error *err) {
    struct plugin_resource *r = sl_malloc(sizeof *r);
    if (!r) return sl_fail_memory(err, sizeof *r);
    sl_object_init(&r->object, &resource_type);
    r->data = data;
    r->free = free_data;
    *out = r;
    return SL_OK;
}

static struct sl_resources *resources_of(const TF_OpKernelContext *context) {
    return context->k->env->session_resources;
}

/* On failure the thing stays the caller's. */
static sl_code add_resource(TF_OpKernelContext *context, const char *container, const char *name, void *data,
                            void (*free_data)(void *), struct sl_error *err) {
    struct plugin_resource *r;
    if (!name) return sl_fail(err, SL_INVALID_ARGUMENT, "a resource needs a name");
    SL_TRY(new_resource(&r, data, NULL, err));
    sl_object_ref(&r->object);
    sl_code code = sl_resources_add(resources_of(context), sl_str_of(container), sl_str_of(name), &r->object, err);
    if (code == SL_OK) r->free = free_data;
    sl_object_unref(&r->object);
    return code;
}

void TF_CreatePluginResource(TF_OpKernelContext *context, const char *container_name, const char *plugin_resource_name,
                             void *plugin_resource, void (*delete_func)(void *), TF_Status *status) {
    struct sl_error err;
    sl_status_take(status,
                   add_resource(context, container_name, plugin_resource_name, plugin_resource, delete_func, &err),
                   &err);
}

struct maker {
    void *(*create)(void *arg);
    void *arg;
    void (*free)(void *data);
};

static sl_code make_resource(struct sl_object **out, void *arg, struct sl_error *err) {
    const struct maker *maker = arg;
    struct plugin_resource *r;
    SL_TRY(new_resource(&r, NULL, NULL, err));
    r->data = maker->create(maker->arg);
    r->free = maker->free;
    *out = &r->object;
    return SL_OK;
}

static sl_code find_resource(void **out, TF_OpKernelContext *context, const char *container, const char *name,
                             struct maker *maker, struct sl_error *err) {
    struct sl_object *object;
    if (!name || !maker->create) return sl_fail(err, SL_INVALID_ARGUMENT, "a resource needs a name and who creates it");
    SL_TRY(sl_resources_find_or_make(&object, resources_of(context), sl_str_of(container), &resource_type,
                                     sl_str_of(name), make_resource, maker, err));
    *out = ((struct plugin_resource *)object)->data;
    sl_object_unref(object); /* the session has another reference */
    return SL_OK;
}

void TF_LookupOrCreatePluginResource(TF_OpKernelContext *context, const char *container_name,
                                     const char *plugin_resource_name, void **result_plugin_resource,
                                     void *(*create_func)(void *), void *create_func_args, void (*delete_func)(void *),
                                     TF_Status *status) {
    struct sl_error err;
    struct maker maker = {create_func, create_func_args, delete_func};
    *result_plugin_resource = NULL;
    sl_status_take(status,
                   find_resource(result_plugin_resource, context, container_name, plugin_resource_name, &maker, &err),
                   &err);
}

/* ---- variables */

struct TF_VariableInfo {
    struct sl_variable *variable; /* a reference */
    bool is_locked;
    bool holds_lock; /* it is the one that unlocks */
};

static sl_code new_info(TF_VariableInfo **out, TF_OpKernelContext *context, int index, struct sl_error *err) {
    struct sl_variable *v;
    struct sl_kernel_context *k = context->k;
    if (index < 0 || index >= sl_in_count(k)) return sl_fail(err, SL_OUT_OF_RANGE, "input index out of range");
    sl_code code = sl_in_variable(&v, k, index);
    if (code != SL_OK) return sl_fail(err, code, "%s", k->err->message);
    *out = sl_malloc(sizeof **out);
    if (!*out) return sl_fail_memory(err, sizeof **out);
    sl_object_ref(&v->object);
    **out = (TF_VariableInfo){v, false, false};
    return SL_OK;
}

TF_VariableInfo *TF_CreateVariableInfoFromContext(TF_OpKernelContext *context, int index, TF_Status *status) {
    struct sl_error err;
    TF_VariableInfo *info = NULL;
    sl_status_take(status, new_info(&info, context, index, &err), &err);
    return info;
}

static sl_code check_info(const TF_VariableInfo *info, struct sl_error *err) {
    return info ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "The given variable info is NULL");
}

/* A variable that several of them name is locked once. */
static sl_code lock(TF_VariableInfo **infos, int n, struct sl_error *err) {
    for (int i = 0; i < n; i++) {
        SL_TRY(check_info(infos[i], err));
        if (infos[i]->is_locked) return sl_fail(err, SL_FAILED_PRECONDITION, "a variable is locked already");
    }
    for (const struct sl_variable *last = NULL;;) { /* upwards by address */
        TF_VariableInfo *next = NULL;
        for (int i = 0; i < n; i++)
            if ((uintptr_t)infos[i]->variable > (uintptr_t)last &&
                (!next || (uintptr_t)infos[i]->variable < (uintptr_t)next->variable))
                next = infos[i];
        if (!next) return SL_OK;
        sl_mutex_lock(&next->variable->mutex);
        next->holds_lock = true;
        last = next->variable;
        for (int i = 0; i < n; i++) infos[i]->is_locked = infos[i]->is_locked || infos[i]->variable == last;
    }
}

void TF_LockVariableInfos(TF_VariableInfo **vars, int num_vars, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, lock(vars, num_vars, &err), &err);
}

/* With the lock held: the value as a tensor, which it is from then on. */
static sl_code as_tensor(struct sl_tensor **out, struct sl_variable *v, struct sl_error *err) {
    if (v->value.kind == SL_VALUE_NONE) return sl_variable_fail_unset(v, err);
    if (v->value.kind != SL_VALUE_TENSOR) {
        struct sl_tensor *t;
        SL_TRY(sl_value_to_tensor(&t, &v->value, err));
        sl_value_clear(&v->value);
        v->value = (struct sl_value){.kind = SL_VALUE_TENSOR, .dtype = t->dtype, .tensor = t};
    }
    *out = v->value.tensor;
    return SL_OK;
}

static sl_code renew(struct sl_variable *v, struct sl_error *err) {
    struct sl_tensor *old, *fresh;
    SL_TRY(as_tensor(&old, v, err));
    SL_TRY(sl_tensor_new_in(&fresh, sl_tensor_memory(old), old->dtype, sl_tensor_shape(old), err));
    v->value.tensor = fresh;
    sl_tensor_unref(old);
    return SL_OK;
}

static sl_code allocate(TF_VariableInfo *info, struct sl_error *err) {
    SL_TRY(check_info(info, err));
    if (!info->is_locked) sl_mutex_lock(&info->variable->mutex);
    sl_code code = renew(info->variable, err);
    if (!info->is_locked) sl_mutex_unlock(&info->variable->mutex);
    return code;
}

void TF_AllocateTempForVariableInfo(TF_OpKernelContext *context, TF_VariableInfo *var_info, TF_Status *status) {
    struct sl_error err;
    (void)context;
    sl_status_take(status, allocate(var_info, &err), &err);
}

static sl_code get_tensor(TF_Tensor **out, TF_VariableInfo *info, struct sl_error *err) {
    struct sl_tensor *t;
    SL_TRY(check_info(info, err));
    if (!info->is_locked) sl_mutex_lock(&info->variable->mutex);
    sl_code code = as_tensor(&t, info->variable, err);
    if (code == SL_OK) code = sl_tensor_handle_try(out, sl_tensor_ref(t), err);
    if (!info->is_locked) sl_mutex_unlock(&info->variable->mutex);
    return code;
}

TF_Tensor *TF_GetTensorFromVariableInfo(TF_VariableInfo *var_info, TF_Status *status) {
    struct sl_error err;
    TF_Tensor *tensor = NULL;
    sl_status_take(status, get_tensor(&tensor, var_info, &err), &err);
    return tensor;
}

void TF_DeleteVariableInfo(TF_VariableInfo *var_info) {
    if (!var_info) return;
    if (var_info->holds_lock) sl_mutex_unlock(&var_info->variable->mutex);
    sl_object_unref(&var_info->variable->object);
    sl_free(var_info);
}
