/* Sets of devices, and the host's type. */
#include "device/device.h"

#include "base/alloc.h"

enum { LISTED_MEMORY_MIB = 256 };

static int one(const struct sl_device_type *self) {
    (void)self;
    return 1;
}

const struct sl_device_type sl_host_device_type = {.name = SL_HOST_DEVICE, .count = one};

static sl_code open_one(struct sl_device *d, const struct sl_device_name *name, const struct sl_device_type *type,
                        uint64_t incarnation, struct sl_error *err) {
    d->parsed = *name;
    d->incarnation = incarnation;
    d->memory_bytes = (int64_t)LISTED_MEMORY_MIB << 20;
    d->type = type;
    sl_device_print(d->name, name);
    return type->open ? type->open(d, err) : SL_OK;
}

static sl_code count_all(int *total, const struct sl_device_request *requests, int n, struct sl_error *err) {
    *total = 0;
    for (int r = 0; r < n; r++) {
        int least = r == 0; /* feeds and fetches need one */
        if (requests[r].n < least || requests[r].n > SL_DEVICES_MAX - *total)
            return sl_fail(err, SL_INVALID_ARGUMENT, "device_count asks for %d %s devices, %d to %d are possible",
                           requests[r].n, requests[r].type->name, least, SL_DEVICES_MAX - *total);
        *total += requests[r].n;
    }
    return SL_OK;
}

sl_code sl_device_set_open(struct sl_device_set *out, struct sl_str task, const struct sl_device_request *requests,
                           int n, uint64_t incarnation, struct sl_error *err) {
    struct sl_device_set set = {.is_host_alone = true};
    struct sl_device_name name;
    sl_code code = SL_OK;
    int total;
    SL_TRY(sl_device_parse(&name, task, err));
    SL_TRY(count_all(&total, requests, n, err));
    set.room = total + SL_DEVICES_SPARE;
    set.items = sl_calloc((size_t)set.room, sizeof *set.items);
    if (!set.items) return sl_fail_memory(err, (size_t)set.room * sizeof *set.items);
    for (int r = 0; r < n; r++) {
        const struct sl_device_type *type = requests[r].type;
        memcpy(name.type, type->name, strlen(type->name) + 1);
        for (name.id = 0; name.id < requests[r].n && code == SL_OK; name.id++) {
            struct sl_device *d = &set.items[set.n];
            code = open_one(d, &name, type, incarnation, err);
            set.n += code == SL_OK;
            set.is_host_alone = set.is_host_alone && sl_device_is_host(d);
        }
    }
    if (code != SL_OK) sl_device_set_clear(&set);
    *out = set;
    return code;
}

sl_code sl_device_set_new(struct sl_device_set *out, struct sl_str task, int n, uint64_t incarnation,
                          struct sl_error *err) {
    return sl_device_set_open(out, task, &(struct sl_device_request){&sl_host_device_type, n}, 1, incarnation, err);
}

sl_code sl_device_set_add_host(struct sl_device_set *set, int n, struct sl_error *err) {
    struct sl_device_name name = set->items[0].parsed;
    char text[SL_DEVICE_TEXT];
    for (name.id = 1; name.id < n; name.id++)
        if (sl_device_find(set, sl_str_of(sl_device_print(text, &name))) >= 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Trying to add device %s, which is there already", text);
    if (n - 1 > set->room - set->n)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%d devices cannot be added: there is room for %d more", n - 1,
                       set->room - set->n);
    for (name.id = 1; name.id < n; name.id++) {
        SL_TRY(open_one(&set->items[set->n], &name, &sl_host_device_type, set->items[0].incarnation, err));
        set->n++;
    }
    return SL_OK;
}

void sl_device_set_clear(struct sl_device_set *set) {
    for (int d = 0; d < set->n && !set->is_borrowed; d++)
        if (set->items[d].type->close) set->items[d].type->close(&set->items[d]);
    if (!set->is_borrowed) sl_free(set->items);
    *set = (struct sl_device_set){.n = 0};
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

sl_code sl_device_set_end_step(const struct sl_device_set *set, uint64_t step, struct sl_error *err) {
    sl_code first = SL_OK;
    for (int d = 0; d < set->n && !set->is_host_alone; d++) {
        const struct sl_device_type *type = set->items[d].type;
        sl_code code = type->end_step ? type->end_step(&set->items[d], step, first == SL_OK ? err : NULL) : SL_OK;
        if (first == SL_OK) first = code;
    }
    return first;
}
