/* TF_Tensor: a handle that holds one reference to a struct sl_tensor. A shape is changed by a view, never in place,
 * because other handles and steps may share the tensor. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

TF_Tensor *sl_tensor_handle_new(struct sl_tensor *tensor) {
    if (!tensor) return NULL;
    TF_Tensor *handle = sl_malloc(sizeof *handle);
    if (handle) handle->tensor = tensor;
    else sl_tensor_unref(tensor);
    return handle;
}

sl_code sl_tensor_handle_try(TF_Tensor **out, struct sl_tensor *tensor, struct sl_error *err) {
    *out = sl_tensor_handle_new(tensor);
    return *out ? SL_OK : sl_fail_memory(err, sizeof **out);
}

/* The caller's memory, and how it wants it back. */
struct foreign {
    void (*deallocator)(void *data, size_t len, void *arg);
    void *arg, *data;
    size_t len;
};

static void release_foreign(void *data, size_t bytes, void *arg) {
    (void)data, (void)bytes;
    struct foreign *foreign = arg;
    if (foreign->deallocator) foreign->deallocator(foreign->data, foreign->len, foreign->arg);
    sl_free(foreign);
}

static bool is_aligned(const void *p) { return ((uintptr_t)p & (SL_TENSOR_ALIGNMENT - 1)) == 0; }

/* Whether `len` bytes can be the elements: at least as many as plain elements need, exactly as many as strings do. */
static bool fits(int dtype, struct sl_shape shape, size_t len) {
    int64_t count;
    size_t need, each = sl_dtype_size(dtype);
    if (shape.rank > SL_MAX_RANK || sl_shape_count(&count, shape, NULL) != SL_OK) return false;
    if (__builtin_mul_overflow((size_t)count, each, &need)) return false;
    return dtype == SL_STRING ? need == len : need <= len;
}

static bool is_shape(struct sl_shape *shape, const int64_t *dims, int num_dims) {
    if (num_dims < 0 || (num_dims > 0 && !dims)) return false;
    *shape = (struct sl_shape){num_dims, num_dims ? dims : NULL};
    return true;
}

static TF_Tensor *copy_of(int dtype, struct sl_shape shape, const struct foreign *foreign) {
    struct sl_tensor *tensor;
    if (sl_tensor_new(&tensor, dtype, shape, NULL) != SL_OK) return NULL;
    if (tensor->bytes) memcpy(tensor->data, foreign->data, tensor->bytes);
    if (foreign->deallocator) foreign->deallocator(foreign->data, foreign->len, foreign->arg);
    return sl_tensor_handle_new(tensor);
}

static TF_Tensor *wrap_of(int dtype, struct sl_shape shape, const struct foreign *foreign) {
    struct foreign *kept = sl_malloc(sizeof *kept);
    TF_Tensor *handle = sl_malloc(sizeof *handle);
    if (kept && handle) {
        *kept = *foreign;
        if (sl_tensor_wrap(&handle->tensor, dtype, shape, foreign->data, foreign->len, release_foreign, kept, NULL) ==
            SL_OK)
            return handle;
    }
    sl_free(handle);
    sl_free(kept);
    return NULL;
}

TF_Tensor *TF_NewTensor(TF_DataType dtype, const int64_t *dims, int num_dims, void *data, size_t len,
                        void (*deallocator)(void *data, size_t len, void *arg), void *deallocator_arg) {
    struct sl_shape shape;
    int type = (int)dtype;
    if (!sl_dtype_is_valid(type) || type == SL_RESOURCE || type == SL_VARIANT) return NULL;
    if (!is_shape(&shape, dims, num_dims) || !fits(type, shape, len) || (len && !data)) return NULL;
    struct foreign foreign = {deallocator, deallocator_arg, data, len};
    return type != SL_STRING && !is_aligned(data) ? copy_of(type, shape, &foreign) : wrap_of(type, shape, &foreign);
}

size_t TF_TensorDefaultAlignment(void) { return SL_TENSOR_ALIGNMENT; }

static void free_room(void *data, size_t bytes, void *arg) {
    (void)bytes, (void)arg;
    sl_free(data);
}

sl_code sl_tensor_of_room(struct sl_tensor **out, int dtype, const int64_t *dims, int rank, size_t len,
                          struct sl_error *err) {
    struct sl_shape shape;
    if (!sl_dtype_is_valid(dtype)) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid data type %d for a tensor", dtype);
    if (!is_shape(&shape, dims, rank) || !fits(dtype, shape, len))
        return sl_fail(err, SL_INVALID_ARGUMENT, "%zu bytes do not fit a %s tensor of that shape", len,
                       sl_dtype_name(dtype));
    struct sl_tensor *tensor;
    SL_TRY(sl_tensor_new(&tensor, dtype, shape, err));
    if (tensor->bytes < len && sl_dtype_is_plain(dtype)) { /* the caller may write all that it asked for */
        sl_tensor_unref(tensor);
        void *room = sl_alloc_aligned(SL_TENSOR_ALIGNMENT, len);
        if (!room) return sl_fail_memory(err, len);
        sl_code code = sl_tensor_wrap(&tensor, dtype, shape, room, len, free_room, NULL, err);
        if (code != SL_OK) {
            sl_free(room);
            return code;
        }
    }
    *out = tensor;
    return SL_OK;
}

TF_Tensor *TF_AllocateTensor(TF_DataType dtype, const int64_t *dims, int num_dims, size_t len) {
    struct sl_tensor *tensor;
    if (sl_tensor_of_room(&tensor, (int)dtype, dims, num_dims, len, NULL) != SL_OK) return NULL;
    return sl_tensor_handle_new(tensor);
}

TF_Tensor *TF_TensorMaybeMove(TF_Tensor *tensor) { return tensor && sl_tensor_is_sole(tensor->tensor) ? tensor : NULL; }

void TF_DeleteTensor(TF_Tensor *tensor) {
    if (!tensor) return;
    sl_tensor_unref(tensor->tensor);
    sl_free(tensor);
}

TF_DataType TF_TensorType(const TF_Tensor *tensor) { return (TF_DataType)tensor->tensor->dtype; }

static void replace(TF_Tensor *handle, struct sl_tensor *tensor) {
    sl_tensor_unref(handle->tensor);
    handle->tensor = tensor;
}

void TF_SetShape(TF_Tensor *tensor, const int64_t *dims, int num_dims) {
    struct sl_shape shape;
    struct sl_tensor *view, *old = tensor->tensor;
    int64_t count;
    if (!is_shape(&shape, dims, num_dims) || sl_shape_count(&count, shape, NULL) != SL_OK || count != old->count)
        return;
    if (sl_tensor_view(&view, old, old->dtype, shape, 0, NULL) == SL_OK) replace(tensor, view);
}

int TF_NumDims(const TF_Tensor *tensor) { return tensor->tensor->rank; }

int64_t TF_Dim(const TF_Tensor *tensor, int dim_index) {
    const struct sl_tensor *t = tensor->tensor;
    return dim_index >= 0 && dim_index < t->rank ? t->dims[dim_index] : -1;
}

size_t TF_TensorByteSize(const TF_Tensor *tensor) { return tensor->tensor->bytes; }

void *TF_TensorData(const TF_Tensor *tensor) { return tensor->tensor->data; }

int64_t TF_TensorElementCount(const TF_Tensor *tensor) { return tensor->tensor->count; }

static sl_code bitcast(TF_Tensor *to, struct sl_tensor *from, int dtype, const int64_t *dims, int num_dims,
                       struct sl_error *err) {
    struct sl_shape shape;
    struct sl_tensor *view;
    int64_t count;
    if (!is_shape(&shape, dims, num_dims)) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid shape for a bitcast");
    if (dtype != from->dtype && (!sl_dtype_is_plain(dtype) || !sl_dtype_is_plain(from->dtype)))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot bitcast from %s to %s", sl_dtype_name(from->dtype),
                       sl_dtype_name(dtype));
    SL_TRY(sl_shape_count(&count, shape, err));
    size_t bytes;
    if (__builtin_mul_overflow((size_t)count, sl_dtype_size(dtype), &bytes) || bytes != from->bytes)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Input and output shapes/types have different sizes in bytes: %zu vs %zu", from->bytes, bytes);
    SL_TRY(sl_tensor_view(&view, from, dtype, shape, 0, err));
    replace(to, view);
    return SL_OK;
}

void TF_TensorBitcastFrom(const TF_Tensor *from, TF_DataType dtype, TF_Tensor *to, const int64_t *new_dims,
                          int num_new_dims, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, bitcast(to, from->tensor, (int)dtype, new_dims, num_new_dims, &err), &err);
}

bool TF_TensorIsAligned(const TF_Tensor *tensor) { return is_aligned(tensor->tensor->data); }

static sl_code from_proto(TF_Tensor *to, struct sl_str bytes, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_TensorProto proto;
    struct sl_tensor *tensor;
    if (sl_pb_decode(&proto, SL_PB_TYPE(TensorProto), bytes, arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable tensor proto");
    SL_TRY(sl_tensor_from_proto(&tensor, &proto, err));
    replace(to, tensor);
    return SL_OK;
}

void TF_TensorFromProto(const TF_Buffer *from, TF_Tensor *to, TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_status_take(status, from_proto(to, sl_bytes_of(from->data, from->length), &arena, &err), &err);
    sl_arena_clear(&arena);
}

size_t TF_DataTypeSize(TF_DataType dtype) { return sl_dtype_is_plain((int)dtype) ? sl_dtype_size((int)dtype) : 0; }
