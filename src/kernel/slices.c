/* Parts of tensors: taking and putting rows. Called by the kernels of lists and arrays. */
#include "kernel/slices.h"

#include "base/alloc.h"

enum { COPIED_BYTES = 512 }; /* copying fewer costs no more than the reference */

sl_code sl_slice_take(struct sl_value *out, struct sl_tensor *whole, int64_t first, struct sl_shape shape,
                      struct sl_error *err) {
    int64_t n = 1;
    for (int d = 0; d < shape.rank; d++) n *= shape.dims[d];
    size_t size = sl_dtype_size(whole->dtype);
    if (shape.rank > 0 && (size_t)n * size > COPIED_BYTES) {
        struct sl_tensor *view;
        SL_TRY(sl_tensor_view(&view, whole, whole->dtype, shape, first, err));
        *out = (struct sl_value){.kind = SL_VALUE_TENSOR, .dtype = whole->dtype, .tensor = view};
        return SL_OK;
    }
    struct sl_value made = {0};
    SL_TRY(sl_value_new(&made, whole->dtype, shape, err));
    sl_code code =
        sl_elements_copy(whole->dtype, sl_value_view(&made).data, (char *)whole->data + (size_t)first * size, n, err);
    if (code == SL_OK) *out = made;
    else sl_value_clear(&made);
    return code;
}

sl_code sl_slice_put(struct sl_view whole, int64_t first, struct sl_view part, struct sl_error *err) {
    return sl_elements_copy(whole.dtype, (char *)whole.data + (size_t)first * sl_dtype_size(whole.dtype), part.data,
                            part.count, err);
}

sl_code sl_value_zero(struct sl_value *out, int dtype, struct sl_shape shape, struct sl_error *err) {
    struct sl_value made = {0};
    SL_TRY(sl_value_new(&made, dtype, shape, err));
    struct sl_view v = sl_value_view(&made);
    if (sl_dtype_is_plain(dtype)) memset(v.data, 0, (size_t)v.count * sl_dtype_size(dtype));
    *out = made;
    return SL_OK;
}

bool sl_shape_join(struct sl_shape *out, int64_t *dims, struct sl_shape a, struct sl_shape b) {
    if (!sl_shape_is_compatible(a, b)) return false;
    struct sl_shape known = a.rank < 0 ? b : a;
    for (int d = 0; d < known.rank; d++) dims[d] = known.dims[d] >= 0 || b.rank < 0 ? known.dims[d] : b.dims[d];
    *out = (struct sl_shape){known.rank, dims};
    return true;
}

sl_code sl_shape_state_create(void **state, struct sl_kernel_setup *setup, const char *attr) {
    struct sl_arena scratch;
    sl_arena_init(&scratch);
    struct sl_shape shape, *kept = NULL;
    sl_code code = sl_attr_shape(&shape, &scratch, setup->attrs, attr, setup->err);
    size_t dims = code == SL_OK && shape.rank > 0 ? (size_t)shape.rank * sizeof *shape.dims : 0;
    if (code == SL_OK && !(kept = sl_malloc(sizeof *kept + dims)))
        code = sl_fail_memory(setup->err, sizeof *kept + dims);
    if (code == SL_OK) {
        if (dims) memcpy(kept + 1, shape.dims, dims);
        *kept = (struct sl_shape){shape.rank, (const int64_t *)(kept + 1)};
        *state = kept;
    }
    sl_arena_clear(&scratch);
    return code;
}
