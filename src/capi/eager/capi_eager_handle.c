/* TFE_TensorHandle: made of tensors, read, copied. */
#include <string.h>

#include "base/alloc.h"
#include "capi/eager/eager_handles.h"
#include "device/transfer.h"
#include "eager/eager_opaque.h"

/* "Invalid handle" for NULL, else waits; what it returns when that fails is the caller's. */
static bool is_ready(TFE_TensorHandle *handle, TF_Status *status) {
    struct sl_error err;
    if (!handle) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "Invalid handle");
        return false;
    }
    return sl_status_take(status, sl_eager_handle_wait(sl_as_eager_handle(handle), &err), &err);
}

/* The same, and its value is a tensor on one of the context's devices. */
static bool is_plain(TFE_TensorHandle *handle, TF_Status *status) {
    if (!is_ready(handle, status)) return false;
    const struct sl_eager_opaque *opaque = sl_as_eager_handle(handle)->opaque;
    if (opaque) sl_status_fail(status, SL_UNIMPLEMENTED, "memory of a tensor on %s", opaque->device);
    return !opaque;
}

static bool is_there(TFE_TensorHandle *handle, TF_Status *status) {
    sl_status_set(status, handle ? SL_OK : SL_INVALID_ARGUMENT, handle ? NULL : "Invalid handle");
    return handle != NULL;
}

static const struct sl_device *device_at(const struct sl_eager_handle *h, int device) {
    return h->context ? &h->context->runtime->devices.items[device < 0 ? 0 : device] : NULL;
}

static const char *HOST_NAME = "/job:localhost/replica:0/task:0/device:" SL_HOST_DEVICE ":0";

/* ---- making */

/* Shares the tensor's elements. */
static TFE_TensorHandle *handle_of(struct sl_eager_context *context, const TF_Tensor *tensor, TF_Status *status) {
    if (!tensor) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "there is no tensor");
        return NULL;
    }
    struct sl_tensor *t = tensor->tensor;
    const struct sl_value value = {.kind = SL_VALUE_TENSOR, .dtype = t->dtype, .tensor = sl_tensor_ref(t)};
    const bool is_object = (t->dtype == SL_RESOURCE || t->dtype == SL_VARIANT) && !t->rank;
    struct sl_eager_handle *h =
        sl_eager_handle_new(context, is_object ? sl_value_of_tensor(t) : value, SL_EAGER_NO_DEVICE);
    sl_status_set(status, h ? SL_OK : SL_RESOURCE_EXHAUSTED, "out of memory");
    return (TFE_TensorHandle *)h;
}

TFE_TensorHandle *TFE_NewTensorHandle(const TF_Tensor *tensor, TF_Status *status) {
    return handle_of(NULL, tensor, status);
}
TFE_TensorHandle *TFE_NewTensorHandleFromTensor(TFE_Context *context, TF_Tensor *tensor, TF_Status *status) {
    return handle_of(sl_as_eager(context), tensor, status);
}

TFE_TensorHandle *TFE_NewTensorHandleFromScalar(TF_DataType data_type, void *data, size_t len, TF_Status *status) {
    struct sl_value value = {.kind = SL_VALUE_SCALAR, .dtype = (uint8_t)data_type};
    if (!sl_dtype_is_valid((int)data_type) || !sl_dtype_is_plain((int)data_type) ||
        len != sl_dtype_size((int)data_type) || !data) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "%zu bytes are no scalar of type %s", len,
                       sl_dtype_name((int)data_type));
        return NULL;
    }
    memcpy(value.bits, data, len);
    struct sl_eager_handle *h = sl_eager_handle_new(NULL, value, SL_EAGER_NO_DEVICE);
    sl_status_set(status, h ? SL_OK : SL_RESOURCE_EXHAUSTED, "out of memory");
    return (TFE_TensorHandle *)h;
}

TF_Tensor *TFE_AllocateHostTensor(TFE_Context *context, TF_DataType dtype, const int64_t *dims, int num_dims,
                                  TF_Status *status) {
    struct sl_error err;
    struct sl_tensor *tensor;
    if (!context) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "Invalid Context");
        return NULL;
    }
    if (SL_LACKS_ITEMS(status, dims, num_dims)) return NULL;
    const struct sl_shape shape = {num_dims, num_dims > 0 ? dims : NULL};
    if (!sl_status_take(status, sl_tensor_new(&tensor, (int)dtype, shape, &err), &err)) return NULL;
    return sl_tensor_handle_new(tensor);
}

void TFE_DeleteTensorHandle(TFE_TensorHandle *handle) { sl_eager_handle_unref(sl_as_eager_handle(handle)); }

TFE_TensorHandle *TFE_TensorHandleCopySharingTensor(TFE_TensorHandle *handle, TF_Status *status) {
    return is_there(handle, status) ? (TFE_TensorHandle *)sl_eager_handle_ref(sl_as_eager_handle(handle)) : NULL;
}

/* ---- device memory */

struct lent_memory {
    void (*deallocator)(void *data, size_t len, void *arg);
    void *arg;
    struct sl_device *device; /* NULL: the host's */
};

/* Nothing that is enqueued uses it any more. */
static void give_back(void *data, size_t bytes, void *arg) {
    struct lent_memory *lent = arg;
    struct sl_device *d = lent->device;
    if (d) d->type->wait(d, d->type->record(d), 0, NULL);
    if (lent->deallocator) lent->deallocator(data, bytes, lent->arg);
    sl_free(lent);
}

/* Names as TFE_TensorHandleCopyToDevice takes them: full, "/device:CPU:1", "CPU:1", "". -1: no such device. */
static int find_device(const struct sl_eager_context *context, const char *name) {
    const struct sl_device_set *devices = &context->runtime->devices;
    struct sl_device_name spec;
    char text[SL_DEVICE_TEXT];
    if (!name || !*name) return 0;
    for (int i = 0; i < devices->n; i++) {
        const char *device = strstr(devices->items[i].name, "/device:");
        if (device && (!strcmp(device, name) || !strcmp(device + strlen("/device:"), name))) return i;
    }
    if (strncmp(name, "/job:", 5) != 0 || sl_device_parse(&spec, sl_str_of(name), NULL) != SL_OK) return -1;
    return sl_device_find(devices, sl_str_of(sl_device_print(text, &spec)));
}

static void fail_device(TF_Status *status, const char *name) {
    sl_status_fail(status, SL_INVALID_ARGUMENT, "%s unknown device.", name ? name : "");
}

static sl_code wrap(struct sl_tensor **out, struct lent_memory *lent, int dtype, struct sl_shape shape, void *data,
                    size_t bytes, struct sl_error *err) {
    struct sl_tensor *whole;
    if (!lent->device) return sl_tensor_wrap(out, dtype, shape, data, bytes, give_back, lent, err);
    if (!sl_dtype_is_plain(dtype))
        return sl_fail(err, SL_INVALID_ARGUMENT, "elements of type %s lie on the host alone", sl_dtype_name(dtype));
    SL_TRY(sl_tensor_wrap(&whole, dtype, shape, data, bytes, give_back, lent, err));
    sl_code code = sl_tensor_view(out, whole, dtype, shape, 0, err);
    if (code == SL_OK) {
        (*out)->is_elsewhere = true;
        (*out)->memory = lent->device->memory;
    } else { /* then the memory is still the caller's */
        whole->release = NULL;
    }
    sl_tensor_unref(whole);
    return code;
}

TFE_TensorHandle *TFE_NewTensorHandleFromDeviceMemory(TFE_Context *context, const char *device_name, TF_DataType dtype,
                                                      const int64_t *dims, int num_dims, void *data, size_t len,
                                                      void (*deallocator)(void *data, size_t len, void *arg),
                                                      void *deallocator_arg, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS_ITEMS(status, dims, num_dims)) return NULL;
    struct sl_error err;
    struct sl_tensor *tensor;
    struct sl_eager_context *c = sl_as_eager(context);
    const int device = find_device(c, device_name);
    struct lent_memory *lent = device >= 0 ? sl_malloc(sizeof *lent) : NULL;
    sl_code code = SL_OK;
    if (device < 0) fail_device(status, device_name);
    else if (!lent) sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
    else {
        struct sl_device *d = &c->runtime->devices.items[device];
        *lent = (struct lent_memory){deallocator, deallocator_arg, sl_device_is_host(d) ? NULL : d};
        const struct sl_shape shape = {num_dims, num_dims > 0 ? dims : NULL};
        code = wrap(&tensor, lent, (int)dtype, shape, data, len, &err);
        if (sl_status_take(status, code, &err)) {
            const struct sl_value value = {.kind = SL_VALUE_TENSOR, .dtype = tensor->dtype, .tensor = tensor};
            return (TFE_TensorHandle *)sl_eager_handle_new(c, value, device);
        }
    }
    sl_free(lent);
    if (deallocator) deallocator(data, len, deallocator_arg);
    return NULL;
}

TFE_TensorHandle *TFE_TensorHandleCopyToDevice(TFE_TensorHandle *handle, TFE_Context *context, const char *device_name,
                                               TF_Status *status) {
    if (SL_LACKS(status, context)) return NULL;
    struct sl_error err;
    if (!is_ready(handle, status)) return NULL;
    struct sl_eager_handle *h = sl_as_eager_handle(handle), *moved = NULL;
    struct sl_eager_context *c = sl_as_eager(context);
    struct sl_eager_custom_device *custom = sl_eager_find_custom(c, sl_str_of(device_name ? device_name : ""));
    const int device = custom ? 0 : find_device(c, device_name);
    if (device < 0) {
        fail_device(status, device_name);
        return NULL;
    }
    if (custom || h->opaque) {
        const char *name = c->runtime->devices.items[device].name;
        sl_status_take(status,
                       custom ? custom->methods->copy_in(&moved, custom, c, h, &err)
                              : h->opaque->methods->copy_out(&moved, h, name, &err),
                       &err);
        if (moved) sl_eager_handle_set_same(moved, h);
        return (TFE_TensorHandle *)moved;
    }
    struct sl_value value = sl_value_share(&h->value);
    if (!sl_status_take(status,
                        sl_value_settle(&value, sl_eager_memory(c, device, h->dtype), c->envs[device].step_id, &err),
                        &err)) {
        sl_value_clear(&value);
        return NULL;
    }
    struct sl_eager_handle *copy = sl_eager_handle_new(c, value, device);
    if (copy) copy->home = h->home; /* a variable stays where it is: so do the ops on it */
    if (copy) sl_eager_handle_set_same(copy, h);
    sl_status_set(status, copy ? SL_OK : SL_RESOURCE_EXHAUSTED, "out of memory");
    return (TFE_TensorHandle *)copy;
}

/* ---- reading */

TF_DataType TFE_TensorHandleDataType(TFE_TensorHandle *handle) {
    if (!handle) return (TF_DataType)0;
    return (TF_DataType)sl_as_eager_handle(handle)->dtype;
}

static struct sl_view view_of(TFE_TensorHandle *handle) { return sl_value_view(&sl_as_eager_handle(handle)->value); }

static sl_code count_elements(int64_t *out, struct sl_eager_handle *h, struct sl_error *err) {
    int rank;
    int64_t dim;
    SL_TRY(sl_eager_handle_rank(&rank, h, err));
    *out = 1;
    for (int i = 0; i < rank; i++) {
        SL_TRY(sl_eager_handle_dim(&dim, h, i, err));
        if (__builtin_mul_overflow(*out, dim, out))
            return sl_fail(err, SL_INVALID_ARGUMENT, "the tensor has more elements than can be counted");
    }
    return SL_OK;
}

int TFE_TensorHandleNumDims(TFE_TensorHandle *handle, TF_Status *status) {
    struct sl_error err;
    int rank;
    if (!is_there(handle, status)) return -1;
    return sl_status_take(status, sl_eager_handle_rank(&rank, sl_as_eager_handle(handle), &err), &err) ? rank : -1;
}

int64_t TFE_TensorHandleNumElements(TFE_TensorHandle *handle, TF_Status *status) {
    struct sl_error err;
    int64_t n = -1;
    if (!is_there(handle, status)) return -1;
    return sl_status_take(status, count_elements(&n, sl_as_eager_handle(handle), &err), &err) ? n : -1;
}

int64_t TFE_TensorHandleDim(TFE_TensorHandle *handle, int dim_index, TF_Status *status) {
    struct sl_error err;
    int64_t dim;
    if (!is_there(handle, status)) return -1;
    return sl_status_take(status, sl_eager_handle_dim(&dim, sl_as_eager_handle(handle), dim_index, &err), &err) ? dim
                                                                                                                : -1;
}

TF_Tensor *TFE_TensorHandleResolve(TFE_TensorHandle *handle, TF_Status *status) {
    struct sl_error err;
    struct sl_tensor *tensor;
    if (!is_ready(handle, status)) return NULL;
    if (!sl_status_take(status, sl_eager_handle_tensor(&tensor, sl_as_eager_handle(handle), &err), &err)) return NULL;
    TF_Tensor *made = sl_tensor_handle_new(tensor);
    if (!made) sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
    return made;
}

void *TFE_TensorHandleDevicePointer(TFE_TensorHandle *handle, TF_Status *status) {
    struct sl_error err;
    void *data = NULL;
    if (!is_ready(handle, status)) return NULL;
    struct sl_eager_opaque *opaque = sl_as_eager_handle(handle)->opaque;
    if (opaque) {
        sl_status_take(status, opaque->methods->pointer(&data, opaque, &err), &err);
        return data;
    }
    const struct sl_view v = view_of(handle);
    if (sl_dtype_is_plain(v.dtype)) return v.data;
    sl_status_fail(status, SL_INVALID_ARGUMENT, "a tensor of type %s has no elements that may be pointed to",
                   sl_dtype_name(v.dtype));
    return NULL;
}

size_t TFE_TensorHandleDeviceMemorySize(TFE_TensorHandle *handle, TF_Status *status) {
    if (!is_plain(handle, status)) return 0;
    const struct sl_view v = view_of(handle);
    size_t bytes = (size_t)v.count * sl_dtype_size(v.dtype);
    for (int64_t i = 0; v.dtype == SL_STRING && i < v.count; i++)
        bytes += sl_string_get((const TF_TString *)v.data + i).n;
    return bytes;
}

void TFE_TensorHandleGetStatus(TFE_TensorHandle *handle, TF_Status *status) {
    (void)handle; /* an ordinary handle is always well, whatever it waits for */
    sl_status_set(status, SL_OK, NULL);
}

/* ---- where it is: on a device of its context, or where its opaque value is; without a context on the host */

static const char *name_of_place(const struct sl_eager_handle *h, int device) {
    const struct sl_device *d = device_at(h, device);
    return h->opaque ? h->opaque->device : d ? d->name : HOST_NAME;
}

static const struct sl_device_name *place_of(const struct sl_eager_handle *h) {
    static const struct sl_device_name host = {"localhost", SL_HOST_DEVICE, 0, 0, 0};
    const struct sl_device *d = device_at(h, h->device);
    return h->opaque ? h->opaque->place : d ? &d->parsed : &host;
}

const char *TFE_TensorHandleDeviceName(TFE_TensorHandle *handle, TF_Status *status) {
    const struct sl_eager_handle *h = sl_as_eager_handle(handle);
    return is_there(handle, status) ? name_of_place(h, h->device) : NULL;
}

const char *TFE_TensorHandleBackingDeviceName(TFE_TensorHandle *handle, TF_Status *status) {
    const struct sl_eager_handle *h = sl_as_eager_handle(handle);
    return is_there(handle, status) ? name_of_place(h, h->backing) : NULL;
}

const char *TFE_TensorHandleDeviceType(TFE_TensorHandle *handle, TF_Status *status) {
    return is_there(handle, status) ? place_of(sl_as_eager_handle(handle))->type : NULL;
}

int TFE_TensorHandleDeviceID(TFE_TensorHandle *handle, TF_Status *status) {
    return is_there(handle, status) ? place_of(sl_as_eager_handle(handle))->id : -1;
}

/* ---- debug info: the shape as it lies there, which is that of the tensor */
struct TFE_TensorDebugInfo {
    int rank;
    int64_t dims[];
};

TFE_TensorDebugInfo *TFE_TensorHandleTensorDebugInfo(TFE_TensorHandle *handle, TF_Status *status) {
    if (!is_plain(handle, status)) return NULL;
    const struct sl_view v = view_of(handle);
    TFE_TensorDebugInfo *info = sl_malloc(sizeof *info + (size_t)v.rank * sizeof *info->dims);
    if (!info) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    info->rank = v.rank;
    if (v.rank) memcpy(info->dims, v.dims, (size_t)v.rank * sizeof *info->dims);
    return info;
}

void TFE_DeleteTensorDebugInfo(TFE_TensorDebugInfo *debug_info) { sl_free(debug_info); }
int TFE_TensorDebugInfoOnDeviceNumDims(TFE_TensorDebugInfo *debug_info) { return debug_info ? debug_info->rank : -1; }
int64_t TFE_TensorDebugInfoOnDeviceDim(TFE_TensorDebugInfo *debug_info, int dim_index) {
    return debug_info && dim_index >= 0 && dim_index < debug_info->rank ? debug_info->dims[dim_index] : -1;
}
