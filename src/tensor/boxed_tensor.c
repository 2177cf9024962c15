/* Boxes. Made where sparse tensors are packed into variants, opened where they are unpacked; a box is what stands in
 * files for it, so that positions and checkpoints keep elements of sparse tensors. */
#include "tensor/boxed_tensor.h"

#include "tensor/variant_data.h"

sl_code sl_boxed_tensor_new(struct sl_object **out, struct sl_tensor *t, struct sl_error *err) {
    return sl_variant_data_new(out, SL_STR(SL_VARIANT_TENSOR), (struct sl_str){NULL, 0}, &t, 1, err);
}

struct sl_tensor *sl_boxed_tensor_of(const struct sl_object *object) {
    const struct sl_variant_data *v = sl_variant_data_of(object, SL_VARIANT_TENSOR);
    return v && v->n == 1 ? v->tensors[0] : NULL;
}
