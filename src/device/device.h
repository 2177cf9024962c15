/* Devices: what a session or a worker can put nodes on, in order; the first is where feeds and fetches live.
 *
 * A backend offers a device TYPE, a table of functions; a set holds the devices of several types. Devices of the
 * host ("CPU") share the process's memory and have no functions: a value goes from one to another by reference. Any
 * other device has a memory that it alone may touch, and ONE STREAM: its kernels and copies are enqueued and done
 * later, each behind what was enqueued before it. So they see each other's results without waiting. The host waits
 * for a stream only where it wants to read something:
 *
 *     host thread     kernel ─ kernel ─ copy_out ─ record ───────── wait ─ reads the elements
 *                       │        │         │
 *     stream            └────────┴─────────┴─► kernel   kernel   copy ─┘
 *
 * Errors of enqueued work belong to the step that enqueued it, and are told by the next wait of that step.
 *
 * A set is immutable once made, but for devices of the host that are added while nobody uses it; everything else here
 * is thread-safe. */
#ifndef SL_DEVICE_DEVICE_H
#define SL_DEVICE_DEVICE_H

#include <stdint.h>

#include "device/device_name.h"
#include "tensor/dtype.h"
#include "tensor/memory.h"

/* The type of the host's devices. Rows of kernels name it, and what asks for a kernel that the host can run at once. */
#define SL_HOST_DEVICE "CPU"

/* Elements that lie on the host wherever a value goes: strings and objects because they hold pointers, int32 because
 * it counts iterations, indexes and says shapes, which the host reads (as in TensorFlow). A device's own rows may
 * say otherwise of int32 (struct sl_kernel_def). */
static const sl_dtype_set SL_SET_ON_HOST = SL_SET(INT32) | SL_SET(STRING) | SL_SET(RESOURCE) | SL_SET(VARIANT);

struct sl_device;

/* Somebody who waits for a stream without holding a thread. The waiter's memory, until `done` is called. */
struct sl_device_waiter {
    /* Exactly once, with no lock held, on a thread that may work and wait (device/callbacks.h); the error's text is
     * in `err`. */
    void (*done)(struct sl_device_waiter *self, sl_code code, const struct sl_error *err);
    struct sl_device_waiter *next; /* of the device */
};

/* What a backend offers. `step`: struct sl_step_env's step_id. All functions but `count` are NULL for the host's. */
struct sl_device_type {
    const char *name; /* "CPU", "GPU" ... */
    int priority; /* nodes that ask for no device go to the type with the highest that has a kernel; the host's: 0 */
    /* Devices of a process whose device_count says nothing of the type. */
    int (*count)(const struct sl_device_type *self);
    /* Fills `memory`, `memory_bytes` and `state`. `close` gets every device that was opened, when nothing uses it
     * any more. */
    sl_code (*open)(struct sl_device *device, struct sl_error *err);
    void (*close)(struct sl_device *device);

    /* ---- copies; enqueued. `from` of copy_in has been read when it returns; `to` of copy_out is written later. */
    sl_code (*copy_in)(struct sl_device *self, void *to, const void *from, size_t bytes, uint64_t step,
                       struct sl_error *err);
    sl_code (*copy_out)(struct sl_device *self, void *to, const void *from, size_t bytes, uint64_t step,
                        struct sl_error *err);
    /* To another device of the type, behind what both streams have; NULL: values go through the host. */
    sl_code (*copy_across)(struct sl_device *self, void *to, struct sl_device *target, const void *from, size_t bytes,
                           uint64_t step, struct sl_error *err);

    /* ---- the stream */
    uint64_t (*record)(struct sl_device *self); /* a mark behind all that was enqueued so far */
    /* Until all before `mark` is done: the first error of the step's work. */
    sl_code (*wait)(struct sl_device *self, uint64_t mark, uint64_t step, struct sl_error *err);
    void (*when_done)(struct sl_device *self, uint64_t mark, uint64_t step, struct sl_device_waiter *waiter);
    /* Waits for the step's work, gives its first error and forgets the step. */
    sl_code (*end_step)(struct sl_device *self, uint64_t step, struct sl_error *err);
};

/* The host's devices: one unless device_count says more. */
extern const struct sl_device_type sl_host_device_type;

struct sl_device {
    struct sl_device_name parsed; /* every part is there */
    char name[SL_DEVICE_TEXT];    /* the same as text */
    uint64_t incarnation;         /* not 0; part of rendezvous keys: another device of the same name has another one */
    int64_t memory_bytes;         /* for listings */
    const struct sl_device_type *type;
    struct sl_memory *memory; /* NULL: the host's */
    void *state;              /* of the type */
};

static inline bool sl_device_is_host(const struct sl_device *d) { return !d->memory; }
/* Whether a value of one may be used by the other as it is. */
static inline bool sl_device_same_memory(const struct sl_device *a, const struct sl_device *b) {
    return a->memory == b->memory;
}
/* The device whose memory it is; not for NULL. */
static inline struct sl_device *sl_memory_device(const struct sl_memory *memory) { return memory->owner; }

/* ---- sets */
struct sl_device_set {
    struct sl_device *items; /* they stay where they are */
    int n;
    int room;           /* for devices that are added later */
    bool is_host_alone; /* all share the host's memory */
    bool is_borrowed;   /* the devices are another set's, which outlives this one */
};

enum { SL_DEVICES_MAX = 1024, SL_DEVICE_TYPES_MAX = 16 };

/* So many devices of a type: TYPE:0 .. TYPE:n-1. */
struct sl_device_request {
    const struct sl_device_type *type;
    int n;
};
/* Opens the devices of one task, "/job:localhost/replica:0/task:0". The first request is of the host's, at least
 * one. INVALID_ARGUMENT when there are more than SL_DEVICES_MAX. */
sl_code sl_device_set_open(struct sl_device_set *out, struct sl_str task, const struct sl_device_request *requests,
                           int n, uint64_t incarnation, struct sl_error *err);
/* The same with `n` devices of the host alone. */
sl_code sl_device_set_new(struct sl_device_set *out, struct sl_str task, int n, uint64_t incarnation,
                          struct sl_error *err);
/* Adds the host's devices 1 .. n-1, of the task that the first device is of; nobody uses the set meanwhile. INVALID_ARGUMENT, with the set as it was, when one of them is there already;
 * RESOURCE_EXHAUSTED beyond SL_DEVICES_SPARE more. */
enum { SL_DEVICES_SPARE = 31 };
sl_code sl_device_set_add_host(struct sl_device_set *set, int n, struct sl_error *err);
void sl_device_set_clear(struct sl_device_set *set); /* a zeroed set is fine */
/* The same devices as a set of another owner; nobody adds to either. */
static inline struct sl_device_set sl_device_set_borrow(const struct sl_device_set *set) {
    struct sl_device_set borrowed = *set;
    borrowed.is_borrowed = true;
    return borrowed;
}

/* The device of this full name: its number in the set, or -1. */
int sl_device_find(const struct sl_device_set *set, struct sl_str name);
/* The first device that `spec` matches, or -1. */
int sl_device_first(const struct sl_device_set *set, const struct sl_device_name *spec);
/* A step is over: waits for what it has enqueued anywhere. The first error. */
sl_code sl_device_set_end_step(const struct sl_device_set *set, uint64_t step, struct sl_error *err);

#endif
