/* DLPack: tensors of this library for other ones, and the other way round, without a copy. The structs are those of
 * DLPack's ABI before version 1 (dlpack.h, https://dmlc.github.io/dlpack), which is what capsules called "dltensor"
 * hold.
 *
 *     TFE_HandleToDLPack      exported ──► tensor, by a reference until the deleter is called
 *     TFE_HandleFromDLPack    tensor ──► DLManagedTensor, whose deleter is called with the last reference
 */
#include "base/alloc.h"
#include "capi/eager/eager_handles.h"
#include "tensorflow/c/eager/dlpack.h"

enum { ON_CPU = 1 };                                                            /* of DLDevice */
enum { AN_INT, AN_UNSIGNED, A_FLOAT, A_BFLOAT = 4, A_COMPLEX = 5, A_BOOL = 6 }; /* of DLDataType */

struct dl_device {
    int32_t type, id;
};
struct dl_type {
    uint8_t kind, bits;
    uint16_t lanes;
};
struct dl_tensor {
    void *data;
    struct dl_device device;
    int32_t rank;
    struct dl_type type;
    int64_t *dims;
    int64_t *strides; /* in elements; NULL: dense and row-major */
    uint64_t byte_offset;
};
struct dl_managed {
    struct dl_tensor tensor;
    void *owner;
    void (*deleter)(struct dl_managed *self);
};

static const struct {
    uint8_t dtype, kind, bits;
} types[] = {
    {SL_BOOL, A_BOOL, 8},         {SL_INT8, AN_INT, 8},          {SL_INT16, AN_INT, 16},
    {SL_INT32, AN_INT, 32},       {SL_INT64, AN_INT, 64},        {SL_UINT8, AN_UNSIGNED, 8},
    {SL_UINT16, AN_UNSIGNED, 16}, {SL_UINT32, AN_UNSIGNED, 32},  {SL_UINT64, AN_UNSIGNED, 64},
    {SL_HALF, A_FLOAT, 16},       {SL_FLOAT, A_FLOAT, 32},       {SL_DOUBLE, A_FLOAT, 64},
    {SL_BFLOAT16, A_BFLOAT, 16},  {SL_COMPLEX64, A_COMPLEX, 64}, {SL_COMPLEX128, A_COMPLEX, 128},
};
enum { TYPES = sizeof types / sizeof *types };

/* ---- out */

/* One block: the message, the sizes, the strides. */
struct exported {
    struct dl_managed managed;
    struct sl_tensor *tensor; /* a reference */
    int64_t dims[];
};

static void drop_exported(struct dl_managed *self) {
    struct exported *e = self->owner;
    sl_tensor_unref(e->tensor);
    sl_free(e);
}

static sl_code type_of(struct dl_type *out, int dtype, struct sl_error *err) {
    for (int i = 0; i < TYPES; i++)
        if (types[i].dtype == dtype) {
            *out = (struct dl_type){types[i].kind, types[i].bits, 1};
            return SL_OK;
        }
    return sl_fail(err, SL_INVALID_ARGUMENT, "%s is not supported by dlpack", sl_dtype_name(dtype));
}

static sl_code find_device(struct dl_device *out, TFE_TensorHandle *handle, struct sl_error *err) {
    if (!handle) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid handle");
    const struct sl_eager_handle *h = sl_as_eager_handle(handle);
    const int at = h->backing;
    const struct sl_device *device = h->context ? &h->context->runtime->devices.items[at < 0 ? 0 : at] : NULL;
    if (device && !sl_device_is_host(device))
        return sl_fail(err, SL_INVALID_ARGUMENT, "the memory of %s has no name in dlpack", device->name);
    *out = (struct dl_device){ON_CPU, 0};
    return SL_OK;
}

static sl_code export(struct dl_managed **out, TFE_TensorHandle *handle, struct sl_error *err) {
    struct dl_device device;
    struct dl_type type;
    struct sl_tensor *t;
    SL_TRY(find_device(&device, handle, err));
    SL_TRY(type_of(&type, sl_as_eager_handle(handle)->dtype, err));
    SL_TRY(sl_eager_handle_tensor(&t, sl_as_eager_handle(handle), err));
    const size_t bytes = sizeof(struct exported) + 2 * (size_t)t->rank * sizeof(int64_t);
    struct exported *e = sl_malloc(bytes);
    if (!e) {
        sl_tensor_unref(t);
        return sl_fail_memory(err, bytes);
    }
    e->tensor = t;
    int64_t stride = 1, *strides = e->dims + t->rank;
    for (int i = t->rank - 1; i >= 0; i--) {
        e->dims[i] = t->dims[i];
        strides[i] = stride;
        stride = (int64_t)((uint64_t)stride * (uint64_t)t->dims[i]); /* of an empty tensor it may be anything */
    }
    e->managed = (struct dl_managed){{t->data, device, t->rank, type, e->dims, strides, 0}, e, drop_exported};
    *out = &e->managed;
    return SL_OK;
}

void *TFE_HandleToDLPack(TFE_TensorHandle *handle, TF_Status *status) {
    struct sl_error err;
    struct dl_managed *managed = NULL;
    sl_status_take(status, export(&managed, handle, &err), &err);
    return managed;
}

static sl_code new_device(struct dl_device **out, TFE_TensorHandle *handle, struct sl_error *err) {
    struct dl_device device;
    SL_TRY(find_device(&device, handle, err));
    *out = sl_malloc(sizeof **out);
    if (!*out) return sl_fail_memory(err, sizeof **out);
    **out = device;
    return SL_OK;
}

void *TFE_GetDLDevice(TFE_TensorHandle *handle, TF_Status *status) {
    struct sl_error err;
    struct dl_device *device = NULL;
    sl_status_take(status, new_device(&device, handle, &err), &err);
    return device;
}

void TFE_CallDLManagedTensorDeleter(void *dlm_tensor) {
    struct dl_managed *managed = dlm_tensor;
    if (managed && managed->deleter) managed->deleter(managed);
}

/* ---- in */

static void release(void *data, size_t bytes, void *arg) {
    (void)data, (void)bytes;
    TFE_CallDLManagedTensorDeleter(arg);
}

static sl_code dtype_of(int *out, struct dl_type type, struct sl_error *err) {
    for (int i = 0; i < TYPES && type.lanes == 1; i++)
        if (types[i].kind == type.kind && types[i].bits == type.bits) {
            *out = types[i].dtype;
            return SL_OK;
        }
    return sl_fail(err, SL_INVALID_ARGUMENT, "Unsupported type from DLPack: code %d, %d bits, %d lanes", type.kind,
                   type.bits, type.lanes);
}

/* A dimension of one element may have any stride, and so may all of an empty tensor. */
static bool is_row_major(const struct dl_tensor *t) {
    bool is_one = true;
    int64_t stride = 1;
    for (int i = t->rank - 1; i >= 0; i--) {
        if (t->dims[i] == 0) return true;
        is_one = is_one && (t->dims[i] == 1 || t->strides[i] == stride);
        stride = (int64_t)((uint64_t)stride * (uint64_t)t->dims[i]);
    }
    return is_one;
}

static sl_code check(const struct dl_tensor *t, struct sl_error *err) {
    if (t->device.type != ON_CPU)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unsupported Device Type from DLPack: %d", (int)t->device.type);
    if (t->byte_offset != 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unsupported byte_offset from DLPack: %llu",
                       (unsigned long long)t->byte_offset);
    if (t->rank < 0 || t->rank > SL_MAX_RANK || (t->rank && !t->dims))
        return sl_fail(err, SL_INVALID_ARGUMENT, "a tensor of rank %d from DLPack", (int)t->rank);
    if (t->strides && !is_row_major(t)) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid strides array from DLPack");
    return SL_OK;
}

static sl_code import(struct sl_eager_handle **out, struct dl_managed *managed, struct sl_eager_context *context,
                      struct sl_error *err) {
    int64_t count;
    int dtype = 0;
    struct sl_tensor *tensor;
    if (!managed) return sl_fail(err, SL_INVALID_ARGUMENT, "there is no DLManagedTensor");
    const struct dl_tensor *t = &managed->tensor;
    SL_TRY(check(t, err));
    SL_TRY(dtype_of(&dtype, t->type, err));
    const struct sl_shape shape = {t->rank, t->rank ? t->dims : NULL};
    SL_TRY(sl_shape_count(&count, shape, err));
    const size_t alignment = t->type.bits / (t->type.kind == A_COMPLEX ? 16u : 8u);
    if (count && (!t->data || (uintptr_t)t->data % alignment))
        return sl_fail(err, SL_INVALID_ARGUMENT, "the elements from DLPack are not aligned, or not there");
    SL_TRY(sl_tensor_wrap(&tensor, dtype, shape, t->data, (size_t)count * sl_dtype_size(dtype), NULL, managed, err));
    const struct sl_value value = {.kind = SL_VALUE_TENSOR, .dtype = tensor->dtype, .tensor = tensor};
    *out = sl_eager_handle_new(context, value, SL_EAGER_NO_DEVICE);
    if (!*out) return sl_fail_memory(err, sizeof **out);
    tensor->release = release; /* on failure the message stays the caller's */
    return SL_OK;
}

TFE_TensorHandle *TFE_HandleFromDLPack(void *dlm_tensor, TF_Status *status, TFE_Context *context) {
    struct sl_error err;
    struct sl_eager_handle *handle = NULL;
    sl_status_take(status, import(&handle, dlm_tensor, sl_as_eager(context), &err), &err);
    return (TFE_TensorHandle *)handle;
}
