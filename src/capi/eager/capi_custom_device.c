/* TFE_RegisterCustomDevice and the tensors on such devices: the caller's functions behind the methods of src/eager, and
 * packs. A caller's status becomes an error; a function that says all is well and gives nothing is an error too. */
#include <string.h>

#include "base/alloc.h"
#include "capi/eager/eager_handles.h"
#include "eager/eager_opaque.h"

struct custom_device {
    struct sl_eager_custom_device base;
    TFE_CustomDevice functions;
    void *info;
};

static const struct custom_device *of(const struct sl_eager_custom_device *d) {
    return (const struct custom_device *)d;
}

static TF_Status *new_status(struct sl_error *err) {
    TF_Status *status = TF_NewStatus();
    if (!status) sl_fail_memory(err, sizeof *status);
    return status;
}

/* What a call of the caller's came to; the status goes. */
static sl_code finish(TF_Status *status, struct sl_error *err) {
    sl_code code = sl_status_give(status, err);
    TF_DeleteStatus(status);
    return code;
}

static sl_code take_handle(struct sl_eager_handle **out, TFE_TensorHandle *made, TF_Status *status,
                           const struct sl_eager_custom_device *d, struct sl_error *err) {
    sl_code code = finish(status, err);
    if (code == SL_OK && !made) code = sl_fail(err, SL_INTERNAL, "custom device %s gave no handle", d->name);
    if (code == SL_OK) *out = sl_as_eager_handle(made);
    else sl_eager_handle_unref(sl_as_eager_handle(made));
    return code;
}

/* ---- devices */

static sl_code copy_in(struct sl_eager_handle **out, struct sl_eager_custom_device *d, struct sl_eager_context *context,
                       struct sl_eager_handle *h, struct sl_error *err) {
    const struct custom_device *c = of(d);
    TF_Status *status = new_status(err);
    if (!status) return SL_RESOURCE_EXHAUSTED;
    TFE_TensorHandle *made =
        c->functions.copy_tensor_to_device((TFE_Context *)context, (TFE_TensorHandle *)h, status, c->info);
    return take_handle(out, made, status, d, err);
}

static sl_code execute(struct sl_eager_handle **outputs, int *n, struct sl_eager_custom_device *d,
                       struct sl_eager_op *op, struct sl_error *err) {
    const struct custom_device *c = of(d);
    const int room = *n;
    TF_Status *status = new_status(err);
    if (!status) return SL_RESOURCE_EXHAUSTED;
    memset(outputs, 0, (size_t)room * sizeof *outputs);
    c->functions.execute((const TFE_Op *)op, n, (TFE_TensorHandle **)outputs, status, c->info);
    sl_code code = finish(status, err);
    if (code == SL_OK && (*n < 0 || *n > room))
        code = sl_fail(err, SL_INTERNAL, "custom device %s says that %.*s has %d outputs, where there was room for %d",
                       d->name, SL_STR_ARG(op->op->name), *n, room);
    for (int o = 0; code == SL_OK && o < *n; o++)
        if (!outputs[o])
            code = sl_fail(err, SL_INTERNAL, "custom device %s gave no output %d of %.*s", d->name, o,
                           SL_STR_ARG(op->op->name));
    for (int o = 0; code != SL_OK && o < room; o++) {
        sl_eager_handle_unref(outputs[o]);
        outputs[o] = NULL;
    }
    return code;
}

static sl_code pack(struct sl_eager_handle **out, struct sl_eager_custom_device *d, struct sl_eager_context *context,
                    struct sl_eager_handle *const *parts, int n, struct sl_error *err) {
    const struct custom_device *c = of(d);
    if (!c->functions.pack)
        return sl_fail(err, SL_UNIMPLEMENTED, "custom device %s does not support packing tensors", d->name);
    TF_Status *status = new_status(err);
    if (!status) return SL_RESOURCE_EXHAUSTED;
    TFE_TensorHandle *made = c->functions.pack((TFE_Context *)context, (TFE_TensorHandle **)parts, n, status, c->info);
    return take_handle(out, made, status, d, err);
}

static sl_code pins(bool *out, struct sl_eager_custom_device *d, struct sl_eager_op *op, struct sl_error *err) {
    TF_Status *status = new_status(err);
    if (!status) return SL_RESOURCE_EXHAUSTED;
    *out = of(d)->functions.shall_pin_to_this_device((const TFE_Op *)op, status);
    return finish(status, err);
}

static void free_device(struct sl_eager_custom_device *d) {
    struct custom_device *c = (struct custom_device *)d;
    if (c->functions.delete_device) c->functions.delete_device(c->info);
    sl_free(c);
}

static const struct sl_eager_custom_methods device_methods = {copy_in, execute, pack, pins, free_device};

static sl_code register_device(struct sl_eager_context *context, const TFE_CustomDevice *functions, const char *name,
                               void *info, struct sl_error *err) {
    if (!functions->copy_tensor_to_device || !functions->copy_tensor_from_device || !functions->execute)
        return sl_fail(err, SL_INVALID_ARGUMENT, "custom device %s lacks a function to copy or to execute", name);
    struct custom_device *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    *c = (struct custom_device){{.methods = &device_methods, .can_pin = functions->shall_pin_to_this_device != NULL},
                                *functions,
                                info};
    sl_code code = sl_eager_add_custom(context, &c->base, sl_str_of(name), err);
    if (code != SL_OK) sl_free(c);
    return code;
}

void TFE_RegisterCustomDevice(TFE_Context *context, TFE_CustomDevice device, const char *device_name, void *device_info,
                              TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, device_name)) return;
    struct sl_error err;
    sl_status_take(status, register_device(sl_as_eager(context), &device, device_name, device_info, &err), &err);
}

bool TFE_IsCustomDevice(TFE_Context *context, const char *device_name) {
    if (!context || !device_name) return false;
    return sl_eager_find_custom(sl_as_eager(context), sl_str_of(device_name)) != NULL;
}

/* ---- values */

struct custom_value {
    struct sl_eager_opaque base;
    struct sl_eager_custom_device *device;
    TFE_CustomDeviceTensorHandle methods;
    void *data;
};

static sl_code value_rank(int *out, struct sl_eager_opaque *v, struct sl_error *err) {
    struct custom_value *c = (struct custom_value *)v;
    TF_Status *status = new_status(err);
    if (!status) return SL_RESOURCE_EXHAUSTED;
    *out = c->methods.num_dims(c->data, status);
    return finish(status, err);
}

static sl_code value_dim(int64_t *out, struct sl_eager_opaque *v, int i, struct sl_error *err) {
    struct custom_value *c = (struct custom_value *)v;
    TF_Status *status = new_status(err);
    if (!status) return SL_RESOURCE_EXHAUSTED;
    *out = c->methods.dim(c->data, i, status);
    return finish(status, err);
}

static sl_code value_copy_out(struct sl_eager_handle **out, struct sl_eager_handle *h, const char *device,
                              struct sl_error *err) {
    struct custom_value *c = (struct custom_value *)h->opaque;
    const struct custom_device *d = of(c->device);
    TF_Status *status = new_status(err);
    if (!status) return SL_RESOURCE_EXHAUSTED;
    TFE_TensorHandle *made =
        d->functions.copy_tensor_from_device((TFE_Context *)h->context, (TFE_TensorHandle *)h, device, status, d->info);
    return take_handle(out, made, status, c->device, err);
}

static sl_code value_pointer(void **out, struct sl_eager_opaque *v, struct sl_error *err) {
    (void)err;
    *out = ((struct custom_value *)v)->data;
    return SL_OK;
}

static void value_free(struct sl_eager_opaque *v) {
    struct custom_value *c = (struct custom_value *)v;
    if (c->methods.deallocator) c->methods.deallocator(c->data);
    sl_free(c);
}

static const struct sl_eager_opaque_methods value_methods = {value_rank, value_dim, value_copy_out, value_pointer,
                                                             value_free};

static sl_code new_value(struct sl_eager_handle **out, struct sl_eager_context *context, const char *device_name,
                         int dtype, void *data, const TFE_CustomDeviceTensorHandle *methods, struct sl_error *err) {
    struct sl_eager_custom_device *device = sl_eager_find_custom(context, sl_str_of(device_name));
    sl_code code = SL_OK;
    struct custom_value *v = sl_malloc(sizeof *v);
    if (!v) code = sl_fail_memory(err, sizeof *v);
    else if (!device) code = sl_fail(err, SL_INVALID_ARGUMENT, "%s unknown device.", device_name);
    else if (!methods->num_dims || !methods->dim)
        code = sl_fail(err, SL_INVALID_ARGUMENT, "a tensor on %s lacks a function that tells its shape", device_name);
    else if (!sl_dtype_is_valid(dtype)) code = sl_fail(err, SL_INVALID_ARGUMENT, "%d is no type", dtype);
    if (code != SL_OK) {
        if (methods->deallocator) methods->deallocator(data);
        sl_free(v);
        return code;
    }
    *v = (struct custom_value){{&value_methods, &device->parsed, device->name}, device, *methods, data};
    return sl_eager_opaque_handle(out, context, &v->base, dtype, err);
}

TFE_TensorHandle *TFE_NewCustomDeviceTensorHandle(TFE_Context *context, const char *device_name, TF_DataType dtype,
                                                  void *data, TFE_CustomDeviceTensorHandle methods, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, device_name)) return NULL;
    struct sl_error err;
    struct sl_eager_handle *h = NULL;
    sl_status_take(status, new_value(&h, sl_as_eager(context), device_name, (int)dtype, data, &methods, &err), &err);
    return (TFE_TensorHandle *)h;
}

/* ---- packs */

TFE_TensorHandle *TFE_CreatePackedTensorHandle(TFE_Context *context, TFE_TensorHandle **handles, int *num_handles,
                                               TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, num_handles) || SL_LACKS_ITEMS(status, handles, *num_handles))
        return NULL;
    struct sl_error err;
    struct sl_eager_handle *h = NULL;
    for (int i = 0; i < *num_handles; i++)
        if (!handles[i]) {
            sl_status_set(status, SL_INVALID_ARGUMENT, "Invalid handle");
            return NULL;
        }
    sl_status_take(status,
                   sl_eager_pack(&h, sl_as_eager(context), (struct sl_eager_handle *const *)handles, *num_handles,
                                 &err),
                   &err);
    return (TFE_TensorHandle *)h;
}
