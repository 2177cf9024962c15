/* Moving between the two forms of a value: in the slot, or on the heap. */
#include "tensor/value.h"

#include <string.h>

static bool fits_slot(int dtype, int rank) { return rank == 0 && dtype != SL_STRING; }

struct sl_value sl_value_of_tensor(struct sl_tensor *t) {
    struct sl_value v = {.kind = SL_VALUE_TENSOR, .dtype = t->dtype, .tensor = t};
    if (!fits_slot(t->dtype, t->rank) || t->is_elsewhere) return v;
    if (sl_dtype_is_plain(t->dtype)) {
        v.kind = SL_VALUE_SCALAR;
        memcpy(v.bits, t->data, t->bytes);
    } else {
        v.kind = SL_VALUE_OBJECT;
        v.object = sl_object_ref(*(struct sl_object **)t->data);
    }
    sl_tensor_unref(t);
    return v;
}

sl_code sl_value_to_tensor(struct sl_tensor **out, const struct sl_value *v, struct sl_error *err) {
    if (v->kind == SL_VALUE_TENSOR) {
        *out = sl_tensor_ref(v->tensor);
        return SL_OK;
    }
    if (v->kind != SL_VALUE_SCALAR && v->kind != SL_VALUE_OBJECT)
        return sl_fail(err, SL_INTERNAL, "no tensor in this slot");
    SL_TRY(sl_tensor_new(out, v->dtype, SL_SHAPE_SCALAR, err));
    return sl_elements_copy(v->dtype, (*out)->data, v->bits, 1, err);
}

sl_code sl_value_new(struct sl_value *out, int dtype, struct sl_shape shape, struct sl_error *err) {
    return sl_value_new_in(out, NULL, dtype, shape, err);
}

sl_code sl_value_new_in(struct sl_value *out, struct sl_memory *memory, int dtype, struct sl_shape shape,
                        struct sl_error *err) {
    if (fits_slot(dtype, shape.rank) && !memory) {
        if (!sl_dtype_is_valid(dtype)) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid data type %d", dtype);
        out->kind = sl_dtype_is_plain(dtype) ? SL_VALUE_SCALAR : SL_VALUE_OBJECT;
        out->dtype = (uint8_t)dtype;
        out->object = NULL;
        return SL_OK;
    }
    struct sl_tensor *t;
    SL_TRY(sl_tensor_new_in(&t, memory, dtype, shape, err));
    out->kind = SL_VALUE_TENSOR;
    out->dtype = (uint8_t)dtype;
    out->tensor = t;
    return SL_OK;
}
