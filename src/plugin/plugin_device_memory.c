/* Memory of a plug-in's device. A freed block may go to work that is enqueued later, at once: the stream is in order.
 * So with SP_Platform.use_bfc_allocator blocks are kept by size. Without, they go back to the plug-in when the stream
 * has passed what was enqueued before they were freed. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "plugin/plugin_device.h"

enum { SMALLEST_LOG2 = 8, CLASSES = SL_PLUGIN_BLOCK_CLASSES };
static const size_t MOST_RETIRED = (size_t)64 << 20; /* bytes; beyond that whoever frees waits */

struct sl_freed_block {
    struct sl_freed_block *next;
    void *block;
};

struct sl_retired {
    struct sl_retired *next;
    void *block;
    size_t bytes;
    uint64_t mark; /* it may go behind this one */
    bool is_hosts; /* from host_memory_allocate */
};

static bool keeps_freed(const struct sl_plugin_device *d) { return d->platform->platform.use_bfc_allocator; }

/* Powers of two and three quarters between: at most a third is wasted. */
static int class_of(size_t bytes) {
    int log2 = SMALLEST_LOG2;
    while (((size_t)1 << log2) < bytes) log2++;
    const bool is_between = log2 > SMALLEST_LOG2 && bytes <= ((size_t)3 << (log2 - 2));
    return 2 * (log2 - SMALLEST_LOG2) - is_between;
}

static size_t class_bytes(int class) {
    const int log2 = SMALLEST_LOG2 + (class + 1) / 2;
    return class % 2 ? (size_t)3 << (log2 - 2) : (size_t)1 << log2;
}

static size_t rounded(const struct sl_plugin_device *d, size_t bytes) {
    if (bytes < 64) bytes = 64;
    return keeps_freed(d) && class_of(bytes) < CLASSES ? class_bytes(class_of(bytes)) : bytes;
}

/* ---- to and from the plug-in */

static void *ask_for(struct sl_plugin_device *d, size_t bytes) {
    SP_DeviceMemoryBase block = {.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE};
    d->platform->executor.allocate(d->device, bytes, 0, &block);
    return block.opaque;
}

static void give(struct sl_plugin_device *d, void *block, size_t bytes, bool is_hosts) {
    SP_DeviceMemoryBase memory = sl_plugin_block(block, bytes);
    if (is_hosts) d->platform->executor.host_memory_deallocate(d->device, block);
    else d->platform->executor.deallocate(d->device, &memory);
}

/* Until nothing uses it, then away with it. */
static void give_slowly(struct sl_plugin_device *d, void *block, size_t bytes, bool is_hosts) {
    sl_plugin_device_drain(d, NULL);
    give(d, block, bytes, is_hosts);
}

static void retire(struct sl_plugin_device *d, void *block, size_t bytes, bool is_hosts) {
    struct sl_retired *r = sl_malloc(sizeof *r);
    if (!r) {
        give_slowly(d, block, bytes, is_hosts);
        return;
    }
    sl_mutex_lock(&d->mutex);
    *r = (struct sl_retired){.block = block, .bytes = bytes, .mark = d->last + 1, .is_hosts = is_hosts};
    *d->end_of_retired = r;
    d->end_of_retired = &r->next;
    d->retired_bytes += bytes;
    const bool is_much = d->retired_bytes > MOST_RETIRED;
    sl_mutex_unlock(&d->mutex);
    if (is_much) sl_plugin_device_drain(d, NULL);
}

void sl_plugin_memory_release(struct sl_plugin_device *d, uint64_t mark) {
    sl_mutex_lock(&d->mutex);
    struct sl_retired *first = d->first_retired, **end = &first;
    while (*end && (*end)->mark <= mark) {
        d->retired_bytes -= (*end)->bytes;
        end = &(*end)->next;
    }
    d->first_retired = *end;
    if (!*end) d->end_of_retired = &d->first_retired;
    *end = NULL;
    sl_mutex_unlock(&d->mutex);
    for (struct sl_retired *next; first; first = next) {
        next = first->next;
        give(d, first->block, first->bytes, first->is_hosts);
        sl_free(first);
    }
}

/* ---- blocks that are kept */

static void *take_kept(struct sl_plugin_device *d, size_t bytes) {
    void *block = NULL;
    const int class = class_of(bytes);
    if (!keeps_freed(d) || class >= CLASSES) return NULL;
    sl_mutex_lock(&d->mutex);
    struct sl_freed_block *f = d->freed[class];
    if (f) {
        d->freed[class] = f->next;
        block = f->block;
    }
    sl_mutex_unlock(&d->mutex);
    sl_free(f);
    return block;
}

static bool keep(struct sl_plugin_device *d, void *block, size_t bytes) {
    const int class = class_of(bytes);
    if (!keeps_freed(d) || class >= CLASSES) return false;
    struct sl_freed_block *f = sl_malloc(sizeof *f);
    if (!f) return false;
    sl_mutex_lock(&d->mutex);
    *f = (struct sl_freed_block){d->freed[class], block};
    d->freed[class] = f;
    sl_mutex_unlock(&d->mutex);
    return true;
}

/* Takes them out, so that what others free meanwhile stays, and waits until nothing uses them. */
static void give_kept(struct sl_plugin_device *d) {
    struct sl_freed_block *taken[CLASSES];
    sl_mutex_lock(&d->mutex);
    memcpy(taken, d->freed, sizeof taken);
    memset(d->freed, 0, sizeof d->freed);
    sl_mutex_unlock(&d->mutex);
    sl_plugin_device_drain(d, NULL);
    for (int class = 0; class < CLASSES; class ++)
        for (struct sl_freed_block *f = taken[class], *next; f; f = next) {
            next = f->next;
            give(d, f->block, class_bytes(class), false);
            sl_free(f);
        }
}

/* ---- the memory's functions */

static void *allocate(struct sl_memory *memory, size_t bytes) {
    struct sl_plugin_device *d = (struct sl_plugin_device *)memory;
    const size_t size = rounded(d, bytes);
    void *block = take_kept(d, size);
    if (!block) block = ask_for(d, size);
    if (block) return block;
    give_kept(d);
    return ask_for(d, size);
}

static void give_back(struct sl_memory *memory, void *block, size_t bytes) {
    struct sl_plugin_device *d = (struct sl_plugin_device *)memory;
    const size_t size = rounded(d, bytes);
    if (!keep(d, block, size)) retire(d, block, size, false);
}

/* Without memcpy_dtod: by way of the host, in the stream's order. */
static sl_code copy_by_host(struct sl_plugin_device *d, SP_DeviceMemoryBase *to, const SP_DeviceMemoryBase *from,
                            size_t bytes, struct sl_error *err) {
    const SP_StreamExecutor *e = &d->platform->executor;
    TF_Status status = {.code = SL_OK};
    void *staged = sl_plugin_memory_stage(d, bytes);
    if (!staged) return sl_fail_memory(err, bytes);
    e->memcpy_dtoh(d->device, d->stream, staged, from, bytes, &status);
    sl_code code = sl_plugin_said(&status, err);
    if (code == SL_OK) {
        e->memcpy_htod(d->device, d->stream, to, staged, bytes, &status);
        code = sl_plugin_said(&status, err);
    }
    sl_plugin_memory_unstage(d, staged, bytes);
    return code;
}

static sl_code copy(struct sl_memory *memory, void *to, const void *from, size_t bytes, struct sl_error *err) {
    struct sl_plugin_device *d = (struct sl_plugin_device *)memory;
    TF_Status status = {.code = SL_OK};
    SP_DeviceMemoryBase target = sl_plugin_block(to, bytes);
    const SP_DeviceMemoryBase source = sl_plugin_block(from, bytes);
    if (!bytes) return SL_OK;
    if (!d->platform->executor.memcpy_dtod) return copy_by_host(d, &target, &source, bytes, err);
    d->platform->executor.memcpy_dtod(d->device, d->stream, &target, &source, bytes, &status);
    return sl_plugin_said(&status, err);
}

void *sl_plugin_memory_stage(struct sl_plugin_device *d, size_t bytes) {
    return d->platform->executor.host_memory_allocate(d->device, bytes);
}

void sl_plugin_memory_unstage(struct sl_plugin_device *d, void *staged, size_t bytes) {
    retire(d, staged, bytes, true);
}

void sl_plugin_memory_init(struct sl_plugin_device *d, const struct sl_device *device) {
    d->memory = (struct sl_memory){.name = device->name,
                                   .allocate = allocate,
                                   .free = give_back,
                                   .copy = copy,
                                   .owner = (void *)(uintptr_t)device};
    d->end_of_retired = &d->first_retired;
}

void sl_plugin_memory_clear(struct sl_plugin_device *d) {
    sl_plugin_memory_release(d, UINT64_MAX);
    give_kept(d);
}
