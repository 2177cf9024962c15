/* TF_Tensor: a handle that holds one reference to a struct sl_tensor. A shape is changed by a view, never in place,
 * because other handles and steps may share the tensor. A tensor whose buffer has more room than its elements need is
 * a view of one that fills the buffer. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

TF_Tensor *sl_tensor_handle_new(struct sl_tensor *tensor) {
    if (!tensor) return NULL;
    TF_Tensor *handle = sl_malloc(sizeof *handle);
    if (handle) *handle = (TF_Tensor){tensor, tensor->bytes};
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

static void give_back(const struct foreign *foreign) {
    if (foreign->deallocator) foreign->deallocator(foreign->data, foreign->len, foreign->arg);
}

static void release_foreign(void *data, size_t bytes, void *arg) {
    (void)data, (void)bytes;
    give_back(arg);
    sl_free(arg);
}

static bool is_aligned(const void *p) { return ((uintptr_t)p & (SL_TENSOR_ALIGNMENT - 1)) == 0; }

/* Whether the elements fit into `len` bytes; `*need` is what they fill. */
static bool fits(size_t *need, int dtype, struct sl_shape shape, size_t len) {
    int64_t count;
    *need = SIZE_MAX;
    if (shape.rank > SL_MAX_RANK || sl_shape_count(&count, shape, NULL) != SL_OK) return false;
    if (__builtin_mul_overflow((size_t)count, sl_dtype_size(dtype), need)) *need = SIZE_MAX;
    return *need <= len;
}

/* Bindings count what the bytes of strings take, as once they did, or nothing: strings get what they need. */
static bool is_allowed(size_t *need, int dtype, struct sl_shape shape, size_t len) {
    return fits(need, dtype, shape, len) || (dtype == SL_STRING && *need != SIZE_MAX);
}

/* What fills a buffer of `len` bytes, of which elements of `dtype` will be a view; `*count` is its only dimension. */
static int filler(int64_t *count, int dtype, size_t len) {
    bool plain = sl_dtype_is_plain(dtype);
    *count = (int64_t)(plain ? len : len / sl_dtype_size(dtype));
    return plain ? SL_UINT8 : dtype;
}

/* The first elements of `whole`, whose reference is taken over. */
static sl_code narrow(struct sl_tensor **out, struct sl_tensor *whole, int dtype, struct sl_shape shape,
                      struct sl_error *err) {
    sl_code code = sl_tensor_view(out, whole, dtype, shape, 0, err);
    sl_tensor_unref(whole);
    return code;
}

static bool is_shape(struct sl_shape *shape, const int64_t *dims, int num_dims) {
    if (num_dims < 0 || (num_dims > 0 && !dims)) return false;
    *shape = (struct sl_shape){num_dims, num_dims ? dims : NULL};
    return true;
}

static TF_Tensor *copy_of(int dtype, struct sl_shape shape, const struct foreign *foreign) {
    TF_Tensor *handle = TF_AllocateTensor((TF_DataType)dtype, shape.dims, shape.rank, foreign->len);
    if (handle && foreign->len && dtype != SL_STRING) memcpy(handle->tensor->data, foreign->data, foreign->len);
    return handle;
}

/* On failure the memory is still the caller's. */
static sl_code wrap(struct sl_tensor **out, int dtype, struct sl_shape shape, struct foreign *foreign, bool is_full,
                    struct sl_error *err) {
    struct sl_tensor *whole;
    int64_t count;
    if (is_full) return sl_tensor_wrap(out, dtype, shape, foreign->data, foreign->len, release_foreign, foreign, err);
    int filling = filler(&count, dtype, foreign->len);
    struct sl_shape all = {1, &count};
    SL_TRY(sl_tensor_wrap(&whole, filling, all, foreign->data, foreign->len, NULL, NULL, err));
    SL_TRY(narrow(out, whole, dtype, shape, err));
    whole->release = release_foreign;
    whole->release_arg = foreign;
    return SL_OK;
}

static TF_Tensor *wrap_of(int dtype, struct sl_shape shape, const struct foreign *foreign, bool is_full) {
    struct foreign *kept = sl_malloc(sizeof *kept);
    TF_Tensor *handle = sl_malloc(sizeof *handle);
    if (kept && handle) {
        *kept = *foreign;
        handle->room = foreign->len;
        if (wrap(&handle->tensor, dtype, shape, kept, is_full, NULL) == SL_OK) return handle;
    }
    sl_free(handle);
    sl_free(kept);
    return NULL;
}

/* The caller's memory is kept where it can be, else it is `*is_kept` false and the handle, if any, a copy. */
static TF_Tensor *tensor_over(bool *is_kept, int dtype, const int64_t *dims, int num_dims,
                              const struct foreign *foreign) {
    struct sl_shape shape;
    size_t need;
    *is_kept = false;
    if (!sl_dtype_is_valid(dtype) || dtype == SL_RESOURCE || dtype == SL_VARIANT) return NULL;
    if (!is_shape(&shape, dims, num_dims) || !is_allowed(&need, dtype, shape, foreign->len)) return NULL;
    if (foreign->len && !foreign->data) return NULL;
    bool is_copied = dtype == SL_STRING ? need > foreign->len : !is_aligned(foreign->data);
    if (is_copied) return copy_of(dtype, shape, foreign);
    TF_Tensor *handle = wrap_of(dtype, shape, foreign, need == foreign->len);
    *is_kept = handle;
    return handle;
}

TF_Tensor *TF_NewTensor(TF_DataType dtype, const int64_t *dims, int num_dims, void *data, size_t len,
                        void (*deallocator)(void *data, size_t len, void *arg), void *deallocator_arg) {
    struct foreign foreign = {deallocator, deallocator_arg, data, len};
    bool is_kept;
    TF_Tensor *handle = tensor_over(&is_kept, (int)dtype, dims, num_dims, &foreign);
    if (!is_kept) give_back(&foreign);
    return handle;
}

size_t TF_TensorDefaultAlignment(void) { return SL_TENSOR_ALIGNMENT; }

sl_code sl_tensor_of_room(struct sl_tensor **out, int dtype, const int64_t *dims, int rank, size_t len,
                          struct sl_error *err) {
    struct sl_shape shape;
    struct sl_tensor *whole;
    int64_t count;
    size_t need;
    if (!sl_dtype_is_valid(dtype)) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid data type %d for a tensor", dtype);
    if (!is_shape(&shape, dims, rank) || !is_allowed(&need, dtype, shape, len))
        return sl_fail(err, SL_INVALID_ARGUMENT, "%zu bytes do not fit a %s tensor of that shape", len,
                       sl_dtype_name(dtype));
    if (need >= len) return sl_tensor_new(out, dtype, shape, err);
    int filling = filler(&count, dtype, len);
    if (filling == dtype && need < len) count++; /* the caller may write all that it asked for */
    SL_TRY(sl_tensor_new(&whole, filling, (struct sl_shape){1, &count}, err));
    return narrow(out, whole, dtype, shape, err);
}

TF_Tensor *TF_AllocateTensor(TF_DataType dtype, const int64_t *dims, int num_dims, size_t len) {
    struct sl_tensor *tensor;
    if (sl_tensor_of_room(&tensor, (int)dtype, dims, num_dims, len, NULL) != SL_OK) return NULL;
    TF_Tensor *handle = sl_tensor_handle_new(tensor);
    if (handle) handle->room = len;
    return handle;
}

TF_Tensor *TF_TensorMaybeMove(TF_Tensor *tensor) { return tensor && sl_tensor_is_sole(tensor->tensor) ? tensor : NULL; }

void TF_DeleteTensor(TF_Tensor *tensor) {
    if (!tensor) return;
    sl_tensor_unref(tensor->tensor);
    sl_free(tensor);
}

TF_DataType TF_TensorType(const TF_Tensor *tensor) { return (TF_DataType)tensor->tensor->dtype; }

static void replace(TF_Tensor *handle, struct sl_tensor *tensor, size_t room) {
    sl_tensor_unref(handle->tensor);
    *handle = (TF_Tensor){tensor, room};
}

/* The elements of a handle as a view of another type and shape, which fits its room. */
static sl_code view_of(struct sl_tensor **out, const TF_Tensor *handle, int dtype, struct sl_shape shape,
                       struct sl_error *err) {
    struct sl_tensor *t = handle->tensor;
    return sl_tensor_view(out, t->owner && t->owner->data == t->data ? t->owner : t, dtype, shape, 0, err);
}

void TF_SetShape(TF_Tensor *tensor, const int64_t *dims, int num_dims) {
    struct sl_shape shape;
    struct sl_tensor *view;
    size_t need;
    int dtype = tensor->tensor->dtype;
    if (!is_shape(&shape, dims, num_dims) || !fits(&need, dtype, shape, tensor->room)) return;
    if (view_of(&view, tensor, dtype, shape, NULL) == SL_OK) replace(tensor, view, tensor->room);
}

int TF_NumDims(const TF_Tensor *tensor) { return tensor->tensor->rank; }

int64_t TF_Dim(const TF_Tensor *tensor, int dim_index) {
    const struct sl_tensor *t = tensor->tensor;
    return dim_index >= 0 && dim_index < t->rank ? t->dims[dim_index] : -1;
}

size_t TF_TensorByteSize(const TF_Tensor *tensor) { return tensor->room; }

void *TF_TensorData(const TF_Tensor *tensor) { return tensor->tensor->data; }

int64_t TF_TensorElementCount(const TF_Tensor *tensor) { return tensor->tensor->count; }

static sl_code bitcast(TF_Tensor *to, const TF_Tensor *handle, int dtype, const int64_t *dims, int num_dims,
                       struct sl_error *err) {
    struct sl_shape shape;
    struct sl_tensor *view;
    const struct sl_tensor *from = handle->tensor;
    int64_t count;
    if (!is_shape(&shape, dims, num_dims)) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid shape for a bitcast");
    if (dtype != from->dtype && (!sl_dtype_is_plain(dtype) || !sl_dtype_is_plain(from->dtype)))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot bitcast from %s to %s", sl_dtype_name(from->dtype),
                       sl_dtype_name(dtype));
    SL_TRY(sl_shape_count(&count, shape, err));
    size_t bytes;
    if (__builtin_mul_overflow((size_t)count, sl_dtype_size(dtype), &bytes) || bytes != from->bytes)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "input and output shapes/data type sizes are not compatible: %zu and %zu bytes", from->bytes,
                       bytes);
    SL_TRY(view_of(&view, handle, dtype, shape, err));
    replace(to, view, handle->room);
    return SL_OK;
}

void TF_TensorBitcastFrom(const TF_Tensor *from, TF_DataType dtype, TF_Tensor *to, const int64_t *new_dims,
                          int num_new_dims, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, bitcast(to, from, (int)dtype, new_dims, num_new_dims, &err), &err);
}

bool TF_TensorIsAligned(const TF_Tensor *tensor) { return is_aligned(tensor->tensor->data); }

static sl_code from_proto(TF_Tensor *to, struct sl_str bytes, struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_TensorProto proto;
    struct sl_tensor *tensor;
    if (sl_pb_decode(&proto, SL_PB_TYPE(TensorProto), bytes, arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable tensor proto");
    SL_TRY(sl_tensor_from_proto(&tensor, &proto, err));
    replace(to, tensor, tensor->bytes);
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
