/* TFE_Context: options, making, devices, caches, steps, switches. */
#include <string.h>

#include "base/alloc.h"
#include "capi/device_list.h"
#include "capi/eager/eager_handles.h"
#include "capi/gradient_registry.h"
#include "root/root.h"

/* ---- options */
struct TFE_ContextOptions {
    TF_SessionOptions *config; /* reads and keeps a ConfigProto */
    bool is_async, is_tfrt;
    TFE_ContextDevicePlacementPolicy policy;
};

TFE_ContextOptions *TFE_NewContextOptions(void) {
    TFE_ContextOptions *options = sl_calloc(1, sizeof *options);
    if (!options) return NULL;
    options->policy = TFE_DEVICE_PLACEMENT_SILENT;
    options->config = TF_NewSessionOptions();
    if (options->config) return options;
    sl_free(options);
    return NULL;
}

void TFE_DeleteContextOptions(TFE_ContextOptions *options) {
    if (!options) return;
    TF_DeleteSessionOptions(options->config);
    sl_free(options);
}

void TFE_ContextOptionsSetConfig(TFE_ContextOptions *options, const void *proto, size_t proto_len, TF_Status *status) {
    if (SL_LACKS(status, options)) return;
    TF_SetConfig(options->config, proto, proto_len, status);
}
void TFE_ContextOptionsSetAsync(TFE_ContextOptions *options, unsigned char enable) {
    if (options) options->is_async = enable != 0;
}
void TFE_ContextOptionsSetDevicePlacementPolicy(TFE_ContextOptions *options, TFE_ContextDevicePlacementPolicy policy) {
    if (options) options->policy = policy;
}
void TFE_ContextOptionsSetTfrt(TFE_ContextOptions *options, bool use_tfrt) {
    if (options) options->is_tfrt = use_tfrt;
}

/* ---- life */
static void write_log(const char *line) { sl_root_log(SL_LOG_INFO, "%s", line); }

static sl_code open_context(struct sl_eager_context **out, const TFE_ContextOptions *options, struct sl_error *err) {
    const struct sl_registries *registries;
    struct sl_eager_options how = {.policy = SL_EAGER_SILENT, .log = write_log};
    if (options && options->is_tfrt) return sl_fail(err, SL_UNIMPLEMENTED, "TFRT is not supported");
    if (options) {
        how.config = options->config->config;
        how.is_async = options->is_async;
        how.policy = (enum sl_eager_policy)options->policy;
    }
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_eager_context_new(out, registries, &how, err));
    (*out)->find_rule = sl_gradient_registry_find;
    return SL_OK;
}

TFE_Context *TFE_NewContext(const TFE_ContextOptions *options, TF_Status *status) {
    struct sl_error err;
    struct sl_eager_context *context = NULL;
    sl_status_take(status, open_context(&context, options, &err), &err);
    return (TFE_Context *)context;
}

void TFE_DeleteContext(TFE_Context *context) {
    if (!context) return;
    sl_eager_context_wait(sl_as_eager(context), NULL);
    sl_eager_context_unref(sl_as_eager(context));
}

/* ---- devices */
TF_DeviceList *TFE_ContextListDevices(TFE_Context *context, TF_Status *status) {
    if (SL_LACKS(status, context)) return NULL;
    struct sl_error err;
    TF_DeviceList *list = NULL;
    const struct sl_eager_context *c = sl_as_eager(context);
    sl_status_take(status, sl_device_list_of_set(&list, c->cluster ? c->cluster->devices : &c->runtime->devices, &err),
                   &err);
    return list;
}

/* `prefix`: the task that the context's devices are of, or none. */
static sl_code check_prefix(const struct sl_eager_context *c, const char *prefix, struct sl_error *err) {
    struct sl_device_name name;
    if (!prefix || !*prefix) return SL_OK;
    SL_TRY(sl_device_parse(&name, sl_str_of(prefix), err));
    if (sl_device_is_same_task(&name, &c->runtime->devices.items[0].parsed)) return SL_OK;
    return sl_fail(err, SL_UNIMPLEMENTED, "TFE_SetLogicalCpuDevices: devices of another task, %s", prefix);
}

void TFE_SetLogicalCpuDevices(TFE_Context *context, int num_cpus, const char *prefix, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    struct sl_error err;
    sl_code code = check_prefix(sl_as_eager(context), prefix, &err);
    if (code == SL_OK) code = sl_eager_add_host_devices(sl_as_eager(context), num_cpus, &err);
    sl_status_take(status, code, &err);
}

void TFE_HostAddressSpace(TFE_Context *context, TF_Buffer *buffer) {
    if (!context || !buffer) return;
    const char *name = sl_as_eager(context)->runtime->devices.items[0].name, *end = strstr(name, "/device:");
    struct sl_str text = {name, end ? (size_t)(end - name) : strlen(name)};
    char *copy = sl_malloc(text.n ? text.n : 1);
    if (!copy) return;
    memcpy(copy, text.p, text.n);
    sl_buffer_own(buffer, (struct sl_str){copy, text.n});
}

/* ---- switches */
void TFE_ContextSetThreadLocalDevicePlacementPolicy(TFE_Context *context, TFE_ContextDevicePlacementPolicy policy) {
    if (context) sl_eager_set_policy_of_thread(sl_as_eager(context), (enum sl_eager_policy)policy, NULL);
}
TFE_ContextDevicePlacementPolicy TFE_ContextGetDevicePlacementPolicy(TFE_Context *context) {
    if (!context) return TFE_DEVICE_PLACEMENT_SILENT;
    return (TFE_ContextDevicePlacementPolicy)sl_eager_policy_of_thread(sl_as_eager(context));
}

void TFE_ContextSetSoftDevicePlacement(TFE_Context *context, unsigned char enable, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    atomic_store(&sl_as_eager(context)->is_soft_placement, enable != 0);
    sl_status_set(status, SL_OK, NULL);
}
void TFE_ContextSetLogDevicePlacement(TFE_Context *context, unsigned char enable, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    atomic_store(&sl_as_eager(context)->logs_placement, enable != 0);
    sl_status_set(status, SL_OK, NULL);
}
/* There is no just-in-time compiler whose rewriting could be asked for. */
void TFE_ContextSetJitCompileRewrite(TFE_Context *context, unsigned char enable, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    (void)context;
    if (enable) sl_status_fail(status, SL_UNIMPLEMENTED, "TFE_ContextSetJitCompileRewrite: there is no XLA here");
    else sl_status_set(status, SL_OK, NULL);
}

/* Ops then fail as the one node of a function does. */
void TFE_ContextSetRunEagerOpAsFunction(TFE_Context *context, unsigned char enable, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    atomic_store(&sl_as_eager(context)->wraps_ops, enable != 0);
    sl_status_set(status, SL_OK, NULL);
}

/* ---- graphs of functions that are compiled; both pairs of names mean the same switch */
static void switch_graphs(TFE_Context *context, bool is_on) {
    sl_function_graphs_switch(&sl_as_eager(context)->runtime->graphs, is_on);
}
void TFE_ContextEnableGraphCollection(TFE_Context *context) {
    if (context) switch_graphs(context, true);
}
void TFE_ContextDisableGraphCollection(TFE_Context *context) {
    if (context) switch_graphs(context, false);
}
void TFE_ContextEnableRunMetadata(TFE_Context *context) {
    if (context) switch_graphs(context, true);
}
void TFE_ContextDisableRunMetadata(TFE_Context *context) {
    if (context) switch_graphs(context, false);
}

static sl_code take_graphs(struct sl_str *out, struct sl_eager_context *c, struct sl_error *err) {
    SL_TRY(sl_eager_context_wait(c, err));
    return sl_function_graphs_take(out, &c->runtime->graphs, err);
}

void TFE_ContextExportRunMetadata(TFE_Context *context, TF_Buffer *buffer, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, buffer)) return;
    struct sl_error err;
    struct sl_str bytes;
    if (sl_status_take(status, take_graphs(&bytes, sl_as_eager(context), &err), &err)) sl_buffer_own(buffer, bytes);
}

/* No context keeps the names of ops: TensorFlow's own tests have theirs do so, by a way that C does not have. */
void TFE_GetExecutedOpNames(TFE_Context *context, TF_Buffer *buffer, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, buffer)) return;
    (void)context;
    char *nothing = sl_malloc(1);
    sl_status_set(status, nothing ? SL_OK : SL_RESOURCE_EXHAUSTED, "out of memory");
    if (nothing) sl_buffer_own(buffer, (struct sl_str){nothing, 0});
}

uint64_t TFE_GetContextId(TFE_Context *context) {
    if (!context) return 0;
    return atomic_load(&sl_as_eager(context)->cluster_id);
}

/* ---- steps */
void TFE_ContextClearCaches(TFE_Context *context) {
    if (context) sl_eager_clear_caches(sl_as_eager(context));
}
void TFE_ContextStartStep(TFE_Context *context) {
    if (context) sl_eager_start_step(sl_as_eager(context));
}
void TFE_ContextEndStep(TFE_Context *context) {
    if (context) sl_eager_end_step(sl_as_eager(context));
}
void TFE_ContextAsyncWait(TFE_Context *context, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    struct sl_error err;
    sl_status_take(status, sl_eager_context_wait(sl_as_eager(context), &err), &err);
}
