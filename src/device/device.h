/* Devices: what a session or a worker can put nodes on, in order; the first is where feeds and fetches live.
 *
 * All devices of type "CPU" share the process's memory and the kernels of that type, so a value goes from one to another by reference.
 * Immutable once made; thread-safe. */
#ifndef SL_DEVICE_DEVICE_H
#define SL_DEVICE_DEVICE_H

#include <stdint.h>

#include "device/device_name.h"

struct sl_device {
    struct sl_device_name parsed; /* every part is there */
    char name[SL_DEVICE_TEXT];    /* the same as text */
    uint64_t incarnation;         /* not 0; part of rendezvous keys: another device of the same name has another one */
    int64_t memory;               /* bytes, for listings */
};

struct sl_device_set {
    struct sl_device *items;
    int n;
};

enum { SL_DEVICES_MAX = 1024 };

/* CPU:0 .. CPU:n-1 of one task, "/job:localhost/replica:0/task:0". INVALID_ARGUMENT unless 1 <= n <= SL_DEVICES_MAX. */
sl_code sl_device_set_new(struct sl_device_set *out, struct sl_str task, int n, uint64_t incarnation,
                          struct sl_error *err);
void sl_device_set_clear(struct sl_device_set *set); /* a zeroed set is fine */

/* The device of this full name: its place in the set, or -1. */
int sl_device_find(const struct sl_device_set *set, struct sl_str name);
/* The first device that `spec` matches, or -1. */
int sl_device_first(const struct sl_device_set *set, const struct sl_device_name *spec);

#endif
