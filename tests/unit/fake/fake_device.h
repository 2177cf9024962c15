/* An accelerator for tests; README.md says what is peculiar to it. Thread-safe. */
#ifndef SL_UNIT_FAKE_FAKE_DEVICE_H
#define SL_UNIT_FAKE_FAKE_DEVICE_H

#include "device/device.h"
#include "kernel/table.h"

#define FAKE_DEVICE "FAKE"

/* For sl_root_add_backend. Sessions have no such device unless device_count asks. */
extern const struct sl_backend fake_backend;

/* Pauses before each piece of work: up to `most_ns`, as `seed` decides. For devices opened afterwards. */
void fake_set_pauses(uint64_t seed, int64_t most_ns);
/* Pieces of work done since the process began: kernels alone, and copies to and from the host. */
struct fake_counts {
    unsigned long kernels, copies_in, copies_out, copies_across;
};
struct fake_counts fake_counts(void);

/* ---- for the device's own files */

/* One piece of work. `run` is called on the device's thread, in the order of fake_enqueue; its error belongs to the
 * step. Then `clear` is called, also when the step has failed before and `run` is not. */
struct fake_work {
    struct fake_work *next;
    uint64_t step, number;
    sl_code (*run)(struct fake_work *self, struct sl_error *err);
    void (*clear)(struct fake_work *self);
};
void fake_enqueue(struct sl_device *device, struct fake_work *work);
void fake_count_kernel(void);

/* fake_memory.c: 256 MiB of them. */
struct fake_memory;
sl_code fake_memory_new(struct fake_memory **out, struct sl_device *device, struct sl_error *err);
void fake_memory_free(struct fake_memory *m); /* nothing may be in it */
struct sl_memory *fake_memory_base(struct fake_memory *m);
/* Where the device's thread finds a block's bytes. */
void *fake_reach(const struct sl_memory *memory, const void *pointer);

extern const struct sl_kernel_def fake_rows[]; /* fake_kernels.c */

#endif
