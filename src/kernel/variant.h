/* What kernels may do with the objects that variants hold (lists, maps, optionals) without knowing them: AddN,
 * ZerosLike. Threads: objects are only read; thread-safe. */
#ifndef SL_KERNEL_VARIANT_H
#define SL_KERNEL_VARIANT_H

#include "base/error.h"
#include "tensor/value.h"

/* Variants hold variants that hold variants ..., and whatever walks them goes down so far. Deeper is refused. */
enum { SL_VARIANT_DEPTH_MAX = 256 };

/* Who computes with plain tensors: a plug-in, say. Where NULL is taken for it, the library does. `a` and `b` have one
 * type and one shape. */
struct sl_variant_maths {
    sl_code (*zeros)(struct sl_value *out, const struct sl_value *like, void *arg, struct sl_error *err);
    sl_code (*add)(struct sl_value *out, const struct sl_value *a, const struct sl_value *b, void *arg,
                   struct sl_error *err);
    void *arg;
};

/* ZerosLike and a + b of two variants' objects, each of which may be NULL (an empty variant). INTERNAL when their
 * type has none or they differ in type. */
sl_code sl_variant_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                         struct sl_error *err);
sl_code sl_variant_add(struct sl_object **out, struct sl_object *a, struct sl_object *b,
                       const struct sl_variant_maths *maths, struct sl_error *err);

/* ZerosLike and a + b of whole values: plain ones of equal shape, or variants element by element. What elements
 * cannot be added or have no zero: INVALID_ARGUMENT. Results are the caller's. */
sl_code sl_value_zeros(struct sl_value *out, const struct sl_value *like, const struct sl_variant_maths *maths,
                       struct sl_error *err);
sl_code sl_value_add(struct sl_value *out, const struct sl_value *a, const struct sl_value *b,
                     const struct sl_variant_maths *maths, struct sl_error *err);
/* sum += b, in the memory of `sum` when nobody else holds it. On failure `sum` is as before. */
sl_code sl_value_add_to(struct sl_value *sum, const struct sl_value *b, struct sl_error *err);

/* To be called before `container` takes `value` in: counts how deep variants stand in variants. INVALID_ARGUMENT
 * when too deep. */
sl_code sl_variant_hold(struct sl_object *container, const struct sl_value *value, struct sl_error *err);

#endif
