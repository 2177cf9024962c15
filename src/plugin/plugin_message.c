/* kernels.h, messages: what a kernel may ask of the session around it, encoded. */
#include "kernel/resources.h"
#include "kernel/variable.h"
#include "plugin/plugin_kernel.h"
#include "proto/wire.h"
#include "runtime/runtime.h"

/* NULL outside a runtime. */
static struct sl_runtime *runtime_of(const TF_OpKernelContext *context) {
    struct sl_function_store *store = ((struct sl_function_calls *)context->k->env->functions)->store;
    return store ? store->runtime : NULL;
}

static sl_code encode_library(TF_Buffer *out, TF_OpKernelContext *context, struct sl_arena *arena,
                              struct sl_error *err) {
    static const struct sl_pb_FunctionDefLibrary none;
    struct sl_runtime *r = runtime_of(context);
    struct sl_pb_GraphDef *def;
    if (!r) return sl_fail(err, SL_FAILED_PRECONDITION, "The kernel has no function library");
    sl_mutex_lock(&r->library_mutex);
    sl_code code = sl_graph_export(&def, r->library, arena, err);
    if (code == SL_OK)
        code = sl_buffer_encode(out, SL_PB_TYPE(FunctionDefLibrary), def->library ? def->library : &none, err);
    sl_mutex_unlock(&r->library_mutex);
    return code;
}

void TF_GetSerializedFunctionDefLibrary(TF_OpKernelContext *context, TF_Buffer *serialized_function_def_library,
                                        TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_status_take(status, encode_library(serialized_function_def_library, context, &arena, &err), &err);
    sl_arena_clear(&arena);
}

static sl_code copy_config(TF_Buffer *out, TF_OpKernelContext *context, struct sl_error *err) {
    const struct sl_runtime *r = runtime_of(context);
    SL_TRY(sl_buffer_check_empty(out, err));
    if (!r) return sl_fail(err, SL_FAILED_PRECONDITION, "The kernel has no session");
    TF_Buffer *copy = TF_NewBufferFromString(r->config.p, r->config.n);
    if (!copy) return sl_fail_memory(err, r->config.n);
    *out = *copy;
    copy->data = NULL;
    TF_DeleteBuffer(copy);
    return SL_OK;
}

void TF_GetSerializedConfigProto(TF_OpKernelContext *context, TF_Buffer *serialized_config_proto, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, copy_config(serialized_config_proto, context, &err), &err);
}

/* Where the object is kept: in the session, in the step, or nowhere. */
static sl_code name_object(struct sl_pb_ResourceHandleProto *handle, const TF_OpKernelContext *context,
                           const struct sl_object *object, struct sl_arena *arena, struct sl_error *err) {
    const struct sl_step_env *env = context->k->env;
    struct sl_resources *places[] = {env->session_resources, env->step_resources};
    for (int i = 0; i < 2 && !handle->container.n; i++)
        if (places[i]) SL_TRY(sl_resources_name_of(&handle->container, &handle->name, places[i], object, arena, err));
    return SL_OK;
}

static sl_code encode_handle(TF_Buffer *out, const TF_OpKernelContext *context, int i, struct sl_arena *arena,
                             struct sl_error *err) {
    struct sl_kernel_context *k = context->k;
    if (i < 0 || i >= sl_in_count(k)) return sl_fail(err, SL_OUT_OF_RANGE, "input index out of range");
    if (k->node->in_types[i] != SL_RESOURCE)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Input %d is no resource but %s", i,
                       sl_dtype_name(k->node->in_types[i]));
    struct sl_view v = sl_in(k, i);
    struct sl_object *object = v.count == 1 ? *(struct sl_object **)v.data : NULL;
    if (!object) return sl_fail(err, SL_NOT_FOUND, "Input %d holds no resource", i);
    struct sl_pb_ResourceHandleProto handle = {.device = sl_str_of(k->env->device),
                                               .maybe_type_name = sl_str_of(object->type->name)};
    SL_TRY(name_object(&handle, context, object, arena, err));
    return sl_buffer_encode(out, SL_PB_TYPE(ResourceHandleProto), &handle, err);
}

void TF_GetSerializedResourceHandleProto(TF_OpKernelContext *context, int i,
                                         TF_Buffer *serialized_resource_handle_proto, TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_status_take(status, encode_handle(serialized_resource_handle_proto, context, i, &arena, &err), &err);
    sl_arena_clear(&arena);
}
