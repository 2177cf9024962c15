/* TF_DeviceList: a copy of what a session says of its devices. */
#include "base/alloc.h"
#include "capi/device_list.h"
#include "capi/handles.h"

struct device {
    const char *name, *type; /* in the list's arena */
    int64_t memory;
    uint64_t incarnation;
};

struct TF_DeviceList {
    struct sl_arena arena;
    SL_VEC(struct device) devices;
};

static sl_code list_devices(TF_DeviceList *list, const struct sl_session *session, struct sl_error *err) {
    const char *name, *type;
    int64_t memory;
    uint64_t incarnation;
    for (int i = 0; sl_session_device(&name, &type, &memory, &incarnation, session, i); i++) {
        struct device d = {sl_arena_str(&list->arena, sl_str_of(name)).p, sl_arena_str(&list->arena, sl_str_of(type)).p,
                           memory, incarnation};
        if (!d.name || !d.type || sl_vec_push(&list->devices, d)) return sl_fail_memory(err, sizeof d);
    }
    return SL_OK;
}

static sl_code list_set(TF_DeviceList *list, const struct sl_device_set *set, struct sl_error *err) {
    for (int i = 0; i < set->n; i++) {
        const struct sl_device *from = &set->items[i];
        struct device d = {sl_arena_str(&list->arena, sl_str_of(from->name)).p, from->type->name, from->memory_bytes,
                           from->incarnation};
        if (!d.name || sl_vec_push(&list->devices, d)) return sl_fail_memory(err, sizeof d);
    }
    return SL_OK;
}

static TF_DeviceList *list_new(void) {
    TF_DeviceList *list = sl_calloc(1, sizeof *list);
    if (list) sl_arena_init(&list->arena);
    return list;
}

static sl_code give(TF_DeviceList **out, TF_DeviceList *list, sl_code code) {
    if (code == SL_OK) *out = list;
    else TF_DeleteDeviceList(list);
    return code;
}

sl_code sl_device_list_new(TF_DeviceList **out, const struct sl_session *session, struct sl_error *err) {
    TF_DeviceList *list = list_new();
    return list ? give(out, list, list_devices(list, session, err)) : sl_fail_memory(err, sizeof *list);
}

sl_code sl_device_list_of_set(TF_DeviceList **out, const struct sl_device_set *set, struct sl_error *err) {
    TF_DeviceList *list = list_new();
    return list ? give(out, list, list_set(list, set, err)) : sl_fail_memory(err, sizeof *list);
}

TF_DeviceList *TF_SessionListDevices(TF_Session *session, TF_Status *status) {
    struct sl_error err;
    TF_DeviceList *list = NULL;
    sl_status_take(status, sl_device_list_new(&list, session->session, &err), &err);
    return list;
}

void TF_DeleteDeviceList(TF_DeviceList *list) {
    if (!list) return;
    sl_vec_free(&list->devices);
    sl_arena_clear(&list->arena);
    sl_free(list);
}

int TF_DeviceListCount(const TF_DeviceList *list) { return (int)list->devices.n; }

static const struct device *device_at(const TF_DeviceList *list, int index, TF_Status *status) {
    bool is_there = list && index >= 0 && (size_t)index < list->devices.n;
    sl_status_set(status, is_there ? SL_OK : SL_INVALID_ARGUMENT, list ? "index out of bounds" : "list is null!");
    return is_there ? &list->devices.items[index] : NULL;
}

const char *TF_DeviceListName(const TF_DeviceList *list, int index, TF_Status *status) {
    const struct device *d = device_at(list, index, status);
    return d ? d->name : NULL;
}

const char *TF_DeviceListType(const TF_DeviceList *list, int index, TF_Status *status) {
    const struct device *d = device_at(list, index, status);
    return d ? d->type : NULL;
}

int64_t TF_DeviceListMemoryBytes(const TF_DeviceList *list, int index, TF_Status *status) {
    const struct device *d = device_at(list, index, status);
    return d ? d->memory : -1;
}

uint64_t TF_DeviceListIncarnation(const TF_DeviceList *list, int index, TF_Status *status) {
    const struct device *d = device_at(list, index, status);
    return d ? d->incarnation : 0;
}
