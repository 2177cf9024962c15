/* Devices in plug-ins: memory, copies, streams and events of a kind of device, as a table of functions.
 *
 * TF_LoadPluggableDeviceLibrary loads a library and calls its SE_InitPlugin, which describes a platform. Sessions and
 * contexts that are made afterwards have its devices, "/device:TYPE:0" and so on; kernels for them come from the same
 * library (TF_InitKernel, kernels.h):
 *
 *     SE_InitPlugin ──► SP_Platform, SP_PlatformFns ──► create_stream_executor, create_timer_fns, create_device_fns
 *                                                   ──► create_device (once per device) ──► create_stream
 *
 * Structs carry their size (`struct_size`), so that versions can be told apart; whoever fills a struct in sets it.
 * `SP_` structs are filled in by the plug-in, `SE_` structs by the library, but for what is marked. `ext` is the
 * plug-in's in SP_ structs, and NULL in SE_ structs. What the plug-in is not marked to leave out has to be there:
 * FAILED_PRECONDITION otherwise. Threads: any, several at once. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_STREAM_EXECUTOR_STREAM_EXECUTOR_H_
#define TENSORFLOW_C_EXPERIMENTAL_STREAM_EXECUTOR_STREAM_EXECUTOR_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_status.h"

#define SE_MAJOR 0
#define SE_MINOR 0
#define SE_PATCH 1

#ifdef __cplusplus
extern "C" {
#endif

/* The plug-in's own types. */
typedef struct SP_Stream_st *SP_Stream; /* a queue of work, done in order */
typedef struct SP_Event_st *SP_Event;   /* a place in a stream */
typedef struct SP_Timer_st *SP_Timer;
typedef void (*SE_StatusCallbackFn)(void *const, TF_Status *const);

typedef struct SP_TimerFns {
    size_t struct_size;
    void *ext;
    uint64_t (*nanoseconds)(SP_Timer timer);
} SP_TimerFns;
#define SP_TIMER_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_TimerFns, nanoseconds)

/* What an allocator says of itself; limits only where their `has_` is set. */
typedef struct SP_AllocatorStats {
    size_t struct_size;
    int64_t num_allocs;
    int64_t bytes_in_use;
    int64_t peak_bytes_in_use;
    int64_t largest_alloc_size;
    int8_t has_bytes_limit;
    int64_t bytes_limit;
    int64_t bytes_reserved;
    int64_t peak_bytes_reserved;
    int8_t has_bytes_reservable_limit;
    int64_t bytes_reservable_limit;
    int64_t largest_free_block_bytes;
} SP_AllocatorStats;
#define SP_ALLOCATORSTATS_STRUCT_SIZE TF_OFFSET_OF_END(SP_AllocatorStats, largest_free_block_bytes)

typedef enum SE_EventStatus {
    SE_EVENT_UNKNOWN,
    SE_EVENT_ERROR,
    SE_EVENT_PENDING,
    SE_EVENT_COMPLETE,
} SE_EventStatus;

/* Memory of a device. Tensors carry `opaque` alone, so copies get it back with the size and a `payload` of 0. */
typedef struct SP_DeviceMemoryBase {
    size_t struct_size;
    void *ext;
    void *opaque; /* no address for the host */
    uint64_t size;
    uint64_t payload;
} SP_DeviceMemoryBase;
#define SP_DEVICE_MEMORY_BASE_STRUCT_SIZE TF_OFFSET_OF_END(SP_DeviceMemoryBase, payload)

typedef struct SP_Device {
    size_t struct_size;
    void *ext;
    int32_t ordinal;
    void *device_handle;       /* the plug-in's */
    const char *hardware_name; /* these three for listings; may be NULL */
    const char *device_vendor;
    const char *pci_bus_id; /* "0000:00:02.1" */
} SP_Device;
#define SP_DEVICE_STRUCT_SIZE TF_OFFSET_OF_END(SP_Device, pci_bus_id)

typedef struct SE_CreateDeviceParams {
    size_t struct_size;
    void *ext;
    int32_t ordinal;
    SP_Device *device; /* filled in */
} SE_CreateDeviceParams;
#define SE_CREATE_DEVICE_PARAMS_STRUCT_SIZE TF_OFFSET_OF_END(SE_CreateDeviceParams, device)

/* Facts about a device; each may be NULL, and negative numbers are no facts. */
typedef struct SP_DeviceFns {
    size_t struct_size;
    void *ext;
    int32_t (*get_numa_node)(const SP_Device *device);
    int64_t (*get_memory_bandwidth)(const SP_Device *device); /* bytes a second */
    double (*get_gflops)(const SP_Device *device);
} SP_DeviceFns;
#define SP_DEVICE_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_DeviceFns, get_gflops)

typedef struct SE_CreateDeviceFnsParams {
    size_t struct_size;
    void *ext;
    SP_DeviceFns *device_fns; /* filled in */
} SE_CreateDeviceFnsParams;
#define SE_CREATE_DEVICE_FNS_PARAMS_STRUCT_SIZE TF_OFFSET_OF_END(SE_CreateDeviceFnsParams, device_fns)

/* What a device can do. Functions that take a stream enqueue work there and return. */
typedef struct SP_StreamExecutor {
    size_t struct_size;
    void *ext;

    /* ---- memory */
    /* Sets `mem->opaque`, NULL when memory is out; `memory_space` is 0. Aligned to 64 bytes. */
    void (*allocate)(const SP_Device *device, uint64_t size, int64_t memory_space, SP_DeviceMemoryBase *mem);
    void (*deallocate)(const SP_Device *device, SP_DeviceMemoryBase *memory); /* nothing enqueued uses it any more */
    /* Memory of the host from which and to which copies can be enqueued. */
    void *(*host_memory_allocate)(const SP_Device *device, uint64_t size);
    void (*host_memory_deallocate)(const SP_Device *device, void *mem);
    /* Needed with SP_Platform.supports_unified_memory alone. */
    void *(*unified_memory_allocate)(const SP_Device *device, uint64_t bytes);
    void (*unified_memory_deallocate)(const SP_Device *device, void *location);
    TF_Bool (*get_allocator_stats)(const SP_Device *device, SP_AllocatorStats *stats);
    TF_Bool (*device_memory_usage)(const SP_Device *device, int64_t *free, int64_t *total);

    /* ---- streams */
    void (*create_stream)(const SP_Device *device, SP_Stream *stream, TF_Status *status);
    void (*destroy_stream)(const SP_Device *device, SP_Stream stream);
    /* What is enqueued in `dependent` from now on runs behind what `other` has now. */
    void (*create_stream_dependency)(const SP_Device *device, SP_Stream dependent, SP_Stream other, TF_Status *status);
    void (*get_stream_status)(const SP_Device *device, SP_Stream stream, TF_Status *status);

    /* ---- events */
    void (*create_event)(const SP_Device *device, SP_Event *event, TF_Status *status);
    void (*destroy_event)(const SP_Device *device, SP_Event event);
    SE_EventStatus (*get_event_status)(const SP_Device *device, SP_Event event);
    void (*record_event)(const SP_Device *device, SP_Stream stream, SP_Event event, TF_Status *status);
    /* The stream, not the caller, waits. */
    void (*wait_for_event)(const SP_Device *const device, SP_Stream stream, SP_Event event, TF_Status *const status);

    /* ---- timers */
    void (*create_timer)(const SP_Device *device, SP_Timer *timer, TF_Status *status);
    void (*destroy_timer)(const SP_Device *device, SP_Timer timer);
    void (*start_timer)(const SP_Device *device, SP_Stream stream, SP_Timer timer, TF_Status *status);
    void (*stop_timer)(const SP_Device *device, SP_Stream stream, SP_Timer timer, TF_Status *status);

    /* ---- copies: from the device to the host, in, within; then the same at once */
    void (*memcpy_dtoh)(const SP_Device *device, SP_Stream stream, void *host_dst,
                        const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);
    void (*memcpy_htod)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                        const void *host_src, uint64_t size, TF_Status *status);
    void (*memcpy_dtod)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                        const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);
    void (*sync_memcpy_dtoh)(const SP_Device *device, void *host_dst, const SP_DeviceMemoryBase *device_src,
                             uint64_t size, TF_Status *status);
    void (*sync_memcpy_htod)(const SP_Device *device, SP_DeviceMemoryBase *device_dst, const void *host_src,
                             uint64_t size, TF_Status *status);
    void (*sync_memcpy_dtod)(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                             const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);

    /* ---- waiting */
    void (*block_host_for_event)(const SP_Device *device, SP_Event event, TF_Status *status);
    void (*block_host_until_done)(const SP_Device *device, SP_Stream stream, TF_Status *status); /* may be NULL */
    void (*synchronize_all_activity)(const SP_Device *device, TF_Status *status);

    /* ---- filling */
    void (*mem_zero)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location, uint64_t size,
                     TF_Status *status);
    void (*memset)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location, uint8_t pattern,
                   uint64_t size, TF_Status *status);
    void (*memset32)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location, uint32_t pattern,
                     uint64_t size, TF_Status *status);

    /* Enqueues a call of `callback_fn(callback_arg, status)` on the host. */
    TF_Bool (*host_callback)(const SP_Device *device, SP_Stream stream, SE_StatusCallbackFn callback_fn,
                             void *callback_arg);
} SP_StreamExecutor;
#define SP_STREAMEXECUTOR_STRUCT_SIZE TF_OFFSET_OF_END(SP_StreamExecutor, host_callback)

typedef struct SE_CreateStreamExecutorParams {
    size_t struct_size;
    void *ext;
    SP_StreamExecutor *stream_executor; /* filled in */
} SE_CreateStreamExecutorParams;
#define SE_CREATE_STREAM_EXECUTOR_PARAMS_STRUCT_SIZE TF_OFFSET_OF_END(SE_CreateStreamExecutorParams, stream_executor)

typedef struct SP_Platform {
    size_t struct_size;
    void *ext;
    const char *name; /* both of capitals, digits and underscores, a capital first */
    const char *type; /* of the devices: "GPU" */
    TF_Bool supports_unified_memory;
    TF_Bool use_bfc_allocator; /* freed memory is kept for later tensors; else it goes back to the plug-in */
    TF_Bool force_memory_growth;
} SP_Platform;
#define SP_PLATFORM_STRUCT_SIZE TF_OFFSET_OF_END(SP_Platform, force_memory_growth)

/* Each `destroy_` frees what the plug-in put into a struct, not the struct. */
typedef struct SP_PlatformFns {
    size_t struct_size;
    void *ext;
    void (*get_device_count)(const SP_Platform *platform, int *device_count, TF_Status *status);
    void (*create_device)(const SP_Platform *platform, SE_CreateDeviceParams *params, TF_Status *status);
    void (*destroy_device)(const SP_Platform *platform, SP_Device *device);
    void (*create_device_fns)(const SP_Platform *platform, SE_CreateDeviceFnsParams *params, TF_Status *status);
    void (*destroy_device_fns)(const SP_Platform *platform, SP_DeviceFns *device_fns);
    void (*create_stream_executor)(const SP_Platform *platform, SE_CreateStreamExecutorParams *params,
                                   TF_Status *status);
    void (*destroy_stream_executor)(const SP_Platform *platform, SP_StreamExecutor *stream_executor);
    void (*create_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer, TF_Status *status);
    void (*destroy_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns);
} SP_PlatformFns;
#define SP_PLATFORM_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_PlatformFns, destroy_timer_fns)

typedef struct SE_PlatformRegistrationParams {
    size_t struct_size;
    void *ext;
    int32_t major_version; /* the library's */
    int32_t minor_version;
    int32_t patch_version;
    SP_Platform *platform;                                      /* filled in */
    SP_PlatformFns *platform_fns;                               /* filled in */
    void (*destroy_platform)(SP_Platform *platform);            /* out */
    void (*destroy_platform_fns)(SP_PlatformFns *platform_fns); /* out */
} SE_PlatformRegistrationParams;
#define SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE                                                                    \
    TF_OFFSET_OF_END(SE_PlatformRegistrationParams, destroy_platform_fns)

/* The plug-in defines it. */
void SE_InitPlugin(SE_PlatformRegistrationParams *params, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
