/* Devices of plug-ins: a platform becomes a device type (device/device.h), whose functions call the plug-in's.
 *
 *   struct sl_plugin_platform   one per kind, kept for ever: the plug-in's tables, its devices by ordinal
 *   struct sl_plugin_device     one per device of a session or context: a stream, marks in it, memory */
#ifndef SL_PLUGIN_PLUGIN_DEVICE_H
#define SL_PLUGIN_PLUGIN_DEVICE_H

#include "base/vec.h"
#include "device/device.h"
#include "os/mutex.h"
#include "tensorflow/c/experimental/stream_executor/stream_executor.h"

struct sl_callbacks;

struct sl_plugin_platform {
    struct sl_device_type type; /* first */
    struct sl_plugin_platform *next;
    void *init; /* SE_InitPlugin of the library that described it */
    SP_Platform platform;
    SP_PlatformFns fns;
    SP_StreamExecutor executor;
    SP_DeviceFns device_fns;
    SP_TimerFns timer_fns;
    struct sl_mutex mutex;          /* for what follows */
    SL_VEC(SP_Device *) by_ordinal; /* made when first opened; NULL: not yet */
};

/* ---- registering (plugin_platform.c) */

/* Calls a library's SE_InitPlugin and adds the type that it describes. FAILED_PRECONDITION for a description that lacks
 * something, ALREADY_EXISTS when there is a type of that name, what the plug-in says. Nothing when this library's is
 * there. */
sl_code sl_plugin_init_device(void *function, struct sl_error *err);
/* The plug-in's device of a number, made when it is first asked for. */
sl_code sl_plugin_platform_device(SP_Device **out, struct sl_plugin_platform *p, int ordinal, struct sl_error *err);

/* ---- an open device (plugin_device.c) */

enum { SL_PLUGIN_BLOCK_CLASSES = 48 };

struct sl_plugin_device {
    struct sl_memory memory; /* first */
    struct sl_plugin_platform *platform;
    SP_Device *device;
    SP_Stream stream;
    struct sl_callbacks *callbacks;
    struct sl_mutex mutex; /* for what follows */
    uint64_t last, done;   /* marks: the last one given; all up to here have come */
    struct sl_stream_mark *first_mark, **end_of_marks, *spare_marks;
    struct sl_retired *first_retired, **end_of_retired; /* memory that enqueued work may still use */
    size_t retired_bytes;
    struct sl_freed_block *freed[SL_PLUGIN_BLOCK_CLASSES]; /* by size; with SP_Platform.use_bfc_allocator */
};

/* Fills in the functions of a type. */
void sl_plugin_device_fill(struct sl_device_type *type);
/* NULL for a device that is not a plug-in's. */
struct sl_plugin_device *sl_plugin_device_of(const struct sl_device *device);
/* Until all that is enqueued is done. What has gone wrong there meanwhile. */
sl_code sl_plugin_device_drain(struct sl_plugin_device *d, struct sl_error *err);
/* What the plug-in's function has set: the code, and the text in `err`. Empties the status. */
sl_code sl_plugin_said(TF_Status *status, struct sl_error *err);
SP_DeviceMemoryBase sl_plugin_block(const void *opaque, size_t bytes);

/* ---- its memory (plugin_device_memory.c) */

void sl_plugin_memory_init(struct sl_plugin_device *d, const struct sl_device *device);
/* Gives all back; nothing is enqueued any more. */
void sl_plugin_memory_clear(struct sl_plugin_device *d);
/* Gives back what was retired before this mark; with the device unlocked. */
void sl_plugin_memory_release(struct sl_plugin_device *d, uint64_t mark);
/* Memory of the host for a copy; and giving it back once the stream has passed what is enqueued now. */
void *sl_plugin_memory_stage(struct sl_plugin_device *d, size_t bytes);
void sl_plugin_memory_unstage(struct sl_plugin_device *d, void *staged, size_t bytes);

#endif
