/* Choosing the copy: in, out, within a memory, across, or out and in. */
#include "device/transfer.h"

/* The copy is on the host and must not be read before the device is as far as it is now. */
static void must_wait(struct sl_transfer *t, struct sl_device *device) {
    t->busy = device;
    t->mark = device->type->record(device);
}

/* Through the host: what no copy across does. Waits for the first half. */
static sl_code through_host(struct sl_transfer *out, const struct sl_value *from, struct sl_memory *to, uint64_t step,
                            struct sl_error *err) {
    struct sl_transfer half;
    SL_TRY(sl_transfer_start(&half, from, NULL, step, err));
    sl_code code = half.busy->type->wait(half.busy, half.mark, step, err);
    struct sl_value v = sl_transfer_value(&half);
    if (code == SL_OK) code = sl_transfer_start(out, &v, to, step, err);
    sl_value_clear(&v);
    return code;
}

static sl_code copy(struct sl_transfer *t, struct sl_view from, struct sl_memory *source, struct sl_memory *target,
                    uint64_t step, struct sl_error *err) {
    void *to = t->copy->data;
    size_t bytes = t->copy->bytes;
    struct sl_device *s = source ? sl_memory_device(source) : NULL, *d = target ? sl_memory_device(target) : NULL;
    if (!s) return d->type->copy_in(d, to, from.data, bytes, step, err);
    if (d) return s->type->copy_across(s, to, d, from.data, bytes, step, err);
    SL_TRY(s->type->copy_out(s, to, from.data, bytes, step, err));
    must_wait(t, s);
    return SL_OK;
}

sl_code sl_transfer_start(struct sl_transfer *out, const struct sl_value *from, struct sl_memory *to, uint64_t step,
                          struct sl_error *err) {
    struct sl_memory *source = sl_value_memory(from);
    const struct sl_device_type *s = source ? sl_memory_device(source)->type : NULL;
    const struct sl_device_type *d = to ? sl_memory_device(to)->type : NULL;
    if (s && d && (s != d || !s->copy_across)) return through_host(out, from, to, step, err);
    struct sl_view view = sl_value_view(from);
    struct sl_transfer t = {.busy = NULL};
    SL_TRY(sl_tensor_new_in(&t.copy, to, view.dtype, sl_view_shape(view), err));
    sl_code code = copy(&t, view, source, to, step, err);
    if (code == SL_OK) *out = t;
    else sl_tensor_unref(t.copy);
    return code;
}

struct sl_value sl_transfer_value(const struct sl_transfer *transfer) {
    return sl_value_of_tensor(transfer->copy);
}

sl_code sl_value_settle_slowly(struct sl_value *v, struct sl_memory *memory, uint64_t step, struct sl_error *err) {
    struct sl_transfer t;
    if (v->kind != SL_VALUE_SCALAR && v->kind != SL_VALUE_TENSOR) return SL_OK;
    SL_TRY(sl_transfer_start(&t, v, memory, step, err));
    sl_code code = t.busy ? t.busy->type->wait(t.busy, t.mark, step, err) : SL_OK;
    struct sl_value copy = sl_transfer_value(&t);
    if (code != SL_OK) {
        sl_value_clear(&copy);
        return code;
    }
    sl_value_clear(v);
    *v = copy;
    return SL_OK;
}
