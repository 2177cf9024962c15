/* A variant that holds an int32: what a TensorProto's variant of type "int" says, four bytes of metadata. Constants
 * in a graph's text may be such. Immutable; thread-safe. */
#ifndef SL_TENSOR_VARIANT_INT_H
#define SL_TENSOR_VARIANT_INT_H

#include "base/str.h"
#include "tensor/object.h"

struct sl_variant_int {
    struct sl_object object;
    int32_t value;
};
extern const struct sl_object_type sl_variant_int_type;

/* One reference, the caller's. INVALID_ARGUMENT unless there are four bytes, little-endian. */
sl_code sl_variant_int_decode(struct sl_object **out, struct sl_str metadata, struct sl_error *err);
/* The value, or false: the object (NULL is fine) is something else. */
static inline bool sl_variant_int_is(int32_t *out, const struct sl_object *o) {
    if (!o || o->type != &sl_variant_int_type) return false;
    *out = ((const struct sl_variant_int *)o)->value;
    return true;
}

#endif
