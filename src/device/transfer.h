/* Values from one memory to another: what the copies of the compiler, transfers between devices and the readers of
 * stored values do. A host value is any that lies in the host's memory, scalars in their slots among them. */
#ifndef SL_DEVICE_TRANSFER_H
#define SL_DEVICE_TRANSFER_H

#include "device/device.h"
#include "tensor/value.h"

/* A plain value on its way. */
struct sl_transfer {
    struct sl_tensor *copy; /* in the memory asked for */
    /* NULL: the copy may be used at once, by its device. Else nobody may read it before this device has come to
     * `mark`. */
    struct sl_device *busy;
    uint64_t mark;
};

/* Starts a copy of `from` in `to` (NULL: on the host), which differs from where it lies. */
sl_code sl_transfer_start(struct sl_transfer *out, const struct sl_value *from, struct sl_memory *to, uint64_t step,
                          struct sl_error *err);
/* The copy as a value, when it is there or is used by its device alone. */
struct sl_value sl_transfer_value(const struct sl_transfer *transfer);

/* The value is wanted in `memory`: when it lies elsewhere a copy takes its place, for which the caller waits. For
 * what was stored by one device and is read by another: elements of lists, variables, results of functions. On
 * failure the value is as before. */
sl_code sl_value_settle_slowly(struct sl_value *v, struct sl_memory *memory, uint64_t step, struct sl_error *err);
static inline sl_code sl_value_settle(struct sl_value *v, struct sl_memory *memory, uint64_t step,
                                      struct sl_error *err) {
    return sl_value_memory(v) == memory ? SL_OK : sl_value_settle_slowly(v, memory, step, err);
}

#endif
