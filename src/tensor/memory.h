/* Memories: where the elements of a tensor lie when they are not in the host's own memory. A device that has memory
 * of its own offers one (device/device.h); here it is no more than a name and three functions.
 *
 * Work on a memory goes in the order in which it was asked for (the device's stream). What was allocated may be used
 * by work that is enqueued afterwards; what is freed goes to another tensor only behind the work that was enqueued
 * before. So nobody waits before a tensor is freed. Threads: thread-safe. A memory lives longer than the tensors in
 * it. */
#ifndef SL_TENSOR_MEMORY_H
#define SL_TENSOR_MEMORY_H

#include <stddef.h>

#include "base/error.h"

struct sl_memory {
    const char *name; /* for messages: the device's */
    /* At least `bytes` bytes aligned to SL_TENSOR_ALIGNMENT, uninitialised; NULL when memory is out, and only then. */
    void *(*allocate)(struct sl_memory *self, size_t bytes);
    void (*free)(struct sl_memory *self, void *block, size_t bytes); /* `bytes` as asked for */
    /* Copies within this memory; returns before it is done. */
    sl_code (*copy)(struct sl_memory *self, void *to, const void *from, size_t bytes, struct sl_error *err);
    void *owner; /* struct sl_device */
};

#endif
