/* Sets of devices. */
#include "device/device.h"

#include "base/alloc.h"

enum { LISTED_MEMORY_MIB = 256 };

sl_code sl_device_set_new(struct sl_device_set *out, struct sl_str task, int n, uint64_t incarnation,
                          struct sl_error *err) {
    struct sl_device_set set = {.n = n};
    struct sl_device_name name;
    SL_TRY(sl_device_parse(&name, task, err));
    if (n < 1 || n > SL_DEVICES_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "device_count asks for %d CPU devices, 1 to %d are possible", n,
                       SL_DEVICES_MAX);
    set.items = sl_calloc((size_t)n, sizeof *set.items);
    if (!set.items) return sl_fail_memory(err, (size_t)n * sizeof *set.items);
    memcpy(name.type, "CPU", 4);
    for (name.id = 0; name.id < n; name.id++) {
        struct sl_device *d = &set.items[name.id];
        d->parsed = name;
        d->incarnation = incarnation;
        d->memory = (int64_t)LISTED_MEMORY_MIB << 20;
        sl_device_print(d->name, &name);
    }
    *out = set;
    return SL_OK;
}

void sl_device_set_clear(struct sl_device_set *set) {
    sl_free(set->items);
    *set = (struct sl_device_set){NULL, 0};
}

int sl_device_find(const struct sl_device_set *set, struct sl_str name) {
    for (int d = 0; d < set->n; d++)
        if (sl_str_is(name, set->items[d].name)) return d;
    return -1;
}

int sl_device_first(const struct sl_device_set *set, const struct sl_device_name *spec) {
    for (int d = 0; d < set->n; d++)
        if (sl_device_matches(spec, &set->items[d].parsed)) return d;
    return -1;
}
