/* SE_InitPlugin: a plug-in's platform is checked and becomes a device type. What is missing is said with the words of
 * TensorFlow, which aborts there. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "plugin/plugin_device.h"
#include "root/root.h"

enum { PRIORITY = 220 }; /* above GPUs that are built in, as in TensorFlow */

/* One library at a time is loaded; what is in the list stays. */
static struct sl_plugin_platform *first_platform;

sl_code sl_plugin_said(TF_Status *status, struct sl_error *err) {
    sl_code code = sl_status_give(status, err);
    sl_status_set(status, SL_OK, NULL);
    return code;
}

/* ---- checking */

struct field {
    const char *name;
    size_t offset;
};
#define FIELD(type, name)                                                                                              \
    { #name, offsetof(type, name) }

static sl_code check_fields(const void *of, const char *type, const struct field *fields, size_t n,
                            struct sl_error *err) {
    for (size_t i = 0; i < n; i++) {
        const void *value;
        memcpy(&value, (const char *)of + fields[i].offset, sizeof value);
        if (!value) return sl_fail(err, SL_FAILED_PRECONDITION, "'%s' field in %s must be set.", fields[i].name, type);
    }
    return SL_OK;
}

static sl_code check_size(size_t size, const char *type, const char *wanted, struct sl_error *err) {
    if (size) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION,
                   "Expected initialized `%s` structure with `struct_size` field set to %s. Found `struct_size` = 0.",
                   type, wanted);
}

static sl_code check_name(const char *name, struct sl_error *err) {
    size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (n && n == strlen(name) && *name != '_' && n < sizeof((struct sl_device_name *)0)->type) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION, "Device name/type '%s' must match [A-Z][A-Z_]*.", name);
}

static sl_code check_platform(const struct sl_plugin_platform *p, const SE_PlatformRegistrationParams *params,
                              struct sl_error *err) {
    static const struct field of_params[] = {FIELD(SE_PlatformRegistrationParams, destroy_platform),
                                             FIELD(SE_PlatformRegistrationParams, destroy_platform_fns)},
                              of_platform[] = {FIELD(SP_Platform, name), FIELD(SP_Platform, type)},
                              of_fns[] = {FIELD(SP_PlatformFns, get_device_count),
                                          FIELD(SP_PlatformFns, create_device),
                                          FIELD(SP_PlatformFns, destroy_device),
                                          FIELD(SP_PlatformFns, create_stream_executor),
                                          FIELD(SP_PlatformFns, destroy_stream_executor),
                                          FIELD(SP_PlatformFns, create_device_fns),
                                          FIELD(SP_PlatformFns, destroy_device_fns)};
    SL_TRY(check_size(p->platform.struct_size, "SP_Platform", "SP_PLATFORM_STRUCT_SIZE", err));
    SL_TRY(check_size(p->fns.struct_size, "SP_PlatformFns", "SP_PLATFORM_FNS_STRUCT_SIZE", err));
    SL_TRY(check_fields(params, "SE_PlatformRegistrationParams", of_params, sizeof of_params / sizeof *of_params, err));
    SL_TRY(check_fields(&p->platform, "SP_Platform", of_platform, sizeof of_platform / sizeof *of_platform, err));
    SL_TRY(check_fields(&p->fns, "SP_PlatformFns", of_fns, sizeof of_fns / sizeof *of_fns, err));
    SL_TRY(check_name(p->platform.name, err));
    return check_name(p->platform.type, err);
}

static sl_code check_executor(const struct sl_plugin_platform *p, struct sl_error *err) {
    static const struct field unified[] = {FIELD(SP_StreamExecutor, unified_memory_allocate),
                                           FIELD(SP_StreamExecutor, unified_memory_deallocate)},
                              all[] = {FIELD(SP_StreamExecutor, allocate),
                                       FIELD(SP_StreamExecutor, deallocate),
                                       FIELD(SP_StreamExecutor, host_memory_allocate),
                                       FIELD(SP_StreamExecutor, host_memory_deallocate),
                                       FIELD(SP_StreamExecutor, get_allocator_stats),
                                       FIELD(SP_StreamExecutor, device_memory_usage),
                                       FIELD(SP_StreamExecutor, create_stream),
                                       FIELD(SP_StreamExecutor, destroy_stream),
                                       FIELD(SP_StreamExecutor, create_stream_dependency),
                                       FIELD(SP_StreamExecutor, get_stream_status),
                                       FIELD(SP_StreamExecutor, create_event),
                                       FIELD(SP_StreamExecutor, destroy_event),
                                       FIELD(SP_StreamExecutor, get_event_status),
                                       FIELD(SP_StreamExecutor, record_event),
                                       FIELD(SP_StreamExecutor, wait_for_event),
                                       FIELD(SP_StreamExecutor, memcpy_dtoh),
                                       FIELD(SP_StreamExecutor, memcpy_htod),
                                       FIELD(SP_StreamExecutor, sync_memcpy_dtoh),
                                       FIELD(SP_StreamExecutor, sync_memcpy_htod),
                                       FIELD(SP_StreamExecutor, block_host_for_event),
                                       FIELD(SP_StreamExecutor, synchronize_all_activity),
                                       FIELD(SP_StreamExecutor, host_callback),
                                       FIELD(SP_StreamExecutor, mem_zero),
                                       FIELD(SP_StreamExecutor, memset),
                                       FIELD(SP_StreamExecutor, memset32)};
    SL_TRY(check_size(p->executor.struct_size, "SP_StreamExecutor", "SP_STREAM_EXECUTOR_STRUCT_SIZE", err));
    SL_TRY(check_fields(&p->executor, "SP_StreamExecutor", all, sizeof all / sizeof *all, err));
    if (!p->platform.supports_unified_memory) return SL_OK;
    return check_fields(&p->executor, "SP_StreamExecutor", unified, sizeof unified / sizeof *unified, err);
}

/* ---- devices */

/* A plug-in that cannot count its devices has none, as in TensorFlow. */
static int count_devices(const struct sl_device_type *type) {
    struct sl_plugin_platform *p = (struct sl_plugin_platform *)(uintptr_t)type;
    TF_Status status = {.code = SL_OK};
    struct sl_error why;
    int n = 0;
    p->fns.get_device_count(&p->platform, &n, &status);
    if (sl_plugin_said(&status, &why) == SL_OK) return n < 0 ? 0 : n;
    sl_root_log(SL_LOG_ERROR, "%s has no devices: %s", p->platform.type, why.message);
    return 0;
}

static sl_code make_device(SP_Device **out, struct sl_plugin_platform *p, int ordinal, struct sl_error *err) {
    TF_Status status = {.code = SL_OK};
    SP_Device *device = sl_calloc(1, sizeof *device);
    if (!device) return sl_fail_memory(err, sizeof *device);
    device->struct_size = SP_DEVICE_STRUCT_SIZE;
    device->ordinal = ordinal;
    SE_CreateDeviceParams params = {.struct_size = SE_CREATE_DEVICE_PARAMS_STRUCT_SIZE,
                                    .ordinal = ordinal,
                                    .device = device};
    p->fns.create_device(&p->platform, &params, &status);
    sl_code code = sl_plugin_said(&status, err);
    if (code == SL_OK) {
        code = check_size(device->struct_size, "SP_Device", "SP_DEVICE_STRUCT_SIZE", err);
        if (code == SL_OK) *out = device;
        else p->fns.destroy_device(&p->platform, device);
    }
    if (code != SL_OK) sl_free(device);
    return code;
}

static sl_code find_device(SP_Device **out, struct sl_plugin_platform *p, int ordinal, struct sl_error *err) {
    while (p->by_ordinal.n <= (size_t)ordinal)
        if (sl_vec_push(&p->by_ordinal, NULL)) return sl_fail_memory(err, sizeof *out);
    SP_Device **at = &p->by_ordinal.items[ordinal];
    if (!*at) SL_TRY(make_device(at, p, ordinal, err));
    *out = *at;
    return SL_OK;
}

sl_code sl_plugin_platform_device(SP_Device **out, struct sl_plugin_platform *p, int ordinal, struct sl_error *err) {
    const int n = count_devices(&p->type);
    if (ordinal >= n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s:%d is not there: the plug-in has %d of them", p->type.name,
                       ordinal, n);
    sl_mutex_lock(&p->mutex);
    sl_code code = find_device(out, p, ordinal, err);
    sl_mutex_unlock(&p->mutex);
    return code;
}

/* ---- registering */

static sl_code make_executor(struct sl_plugin_platform *p, struct sl_error *err) {
    TF_Status status = {.code = SL_OK};
    SE_CreateStreamExecutorParams params = {.struct_size = SE_CREATE_STREAM_EXECUTOR_PARAMS_STRUCT_SIZE,
                                            .stream_executor = &p->executor};
    p->executor.struct_size = SP_STREAMEXECUTOR_STRUCT_SIZE;
    p->fns.create_stream_executor(&p->platform, &params, &status);
    SL_TRY(sl_plugin_said(&status, err));
    sl_code code = check_executor(p, err);
    if (code != SL_OK) p->fns.destroy_stream_executor(&p->platform, &p->executor);
    return code;
}

static sl_code make_device_fns(struct sl_plugin_platform *p, struct sl_error *err) {
    TF_Status status = {.code = SL_OK};
    SE_CreateDeviceFnsParams params = {.struct_size = SE_CREATE_DEVICE_FNS_PARAMS_STRUCT_SIZE,
                                       .device_fns = &p->device_fns};
    p->device_fns.struct_size = SP_DEVICE_FNS_STRUCT_SIZE;
    p->fns.create_device_fns(&p->platform, &params, &status);
    return sl_plugin_said(&status, err);
}

/* Only a plug-in that has timers offers functions for them. */
static void make_timer_fns(struct sl_plugin_platform *p) {
    TF_Status status = {.code = SL_OK};
    if (!p->fns.create_timer_fns) return;
    p->timer_fns.struct_size = SP_TIMER_FNS_STRUCT_SIZE;
    p->fns.create_timer_fns(&p->platform, &p->timer_fns, &status);
    if (sl_plugin_said(&status, NULL) != SL_OK) p->timer_fns.nanoseconds = NULL;
}

static void end_executor(struct sl_plugin_platform *p) {
    if (p->timer_fns.nanoseconds && p->fns.destroy_timer_fns) p->fns.destroy_timer_fns(&p->platform, &p->timer_fns);
    p->fns.destroy_stream_executor(&p->platform, &p->executor);
}

/* With the executor and all else made. */
static sl_code add_type(struct sl_plugin_platform *p, struct sl_error *err) {
    const char *name = sl_root_keep(sl_str_of(p->platform.type));
    if (!name) return sl_fail_memory(err, strlen(p->platform.type));
    p->type = (struct sl_device_type){.name = name, .priority = PRIORITY, .count = count_devices};
    sl_plugin_device_fill(&p->type);
    return sl_root_add_device_type(&p->type, err);
}

static sl_code make_platform(struct sl_plugin_platform *p, struct sl_error *err) {
    SL_TRY(make_executor(p, err));
    sl_code code = make_device_fns(p, err);
    if (code == SL_OK) {
        make_timer_fns(p);
        code = add_type(p, err);
        if (code != SL_OK) p->fns.destroy_device_fns(&p->platform, &p->device_fns);
    }
    if (code != SL_OK) end_executor(p);
    return code;
}

static sl_code describe(struct sl_plugin_platform *p, struct sl_error *err) {
    SE_PlatformRegistrationParams params = {.struct_size = SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE,
                                            .major_version = SE_MAJOR,
                                            .minor_version = SE_MINOR,
                                            .patch_version = SE_PATCH,
                                            .platform = &p->platform,
                                            .platform_fns = &p->fns};
    void (*init)(SE_PlatformRegistrationParams * params, TF_Status * status);
    TF_Status status = {.code = SL_OK};
    p->platform.struct_size = SP_PLATFORM_STRUCT_SIZE;
    p->fns.struct_size = SP_PLATFORM_FNS_STRUCT_SIZE;
    *(void **)(&init) = p->init;
    init(&params, &status);
    SL_TRY(sl_plugin_said(&status, err));
    sl_code code = check_platform(p, &params, err);
    if (code == SL_OK) code = make_platform(p, err);
    if (code == SL_OK) return SL_OK;
    if (params.destroy_platform) params.destroy_platform(&p->platform);
    if (params.destroy_platform_fns) params.destroy_platform_fns(&p->fns);
    return code;
}

sl_code sl_plugin_init_device(void *function, struct sl_error *err) {
    struct sl_plugin_platform *p = first_platform;
    while (p && p->init != function) p = p->next;
    if (p) return SL_OK;
    p = sl_calloc(1, sizeof *p);
    if (!p) return sl_fail_memory(err, sizeof *p);
    p->init = function;
    sl_mutex_init(&p->mutex);
    sl_code code = describe(p, err);
    if (code == SL_OK) {
        p->next = first_platform;
        first_platform = p;
        return SL_OK;
    }
    sl_mutex_clear(&p->mutex);
    sl_free(p);
    return code;
}
