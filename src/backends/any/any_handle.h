/* Handles of what lives for a step: TensorArrays and stacks. Three forms: a resource, which holds the object; a pair of
 * strings (container, name) that names it among the step's resources; a reference to such a pair. Thread-safe. */
#ifndef SL_BACKENDS_ANY_ANY_HANDLE_H
#define SL_BACKENDS_ANY_ANY_HANDLE_H

#include "kernel/kernel.h"

/* The object that a handle led to, and whether it came with a reference of its own. */
struct sl_held {
    struct sl_object *object;
    bool is_owned;
};
static inline void sl_held_release(struct sl_held h) {
    if (h.is_owned) sl_object_unref(h.object);
}

/* The object of type `type` that input 0 stands for; to be released when the kernel is done. */
sl_code sl_handle_hold(struct sl_held *out, struct sl_kernel_context *k, const struct sl_object_type *type);
/* The same; a handle that names the object names it among these resources. */
sl_code sl_handle_hold_among(struct sl_held *out, struct sl_kernel_context *k, const struct sl_object_type *type,
                             struct sl_resources *among);
/* Makes output 0 a handle of `object`, whose reference is taken over, in the form that the output's type asks for.
 * Named ones are found under `container` and `name`, or `name_1`, `name_2` ... when another has that. */
sl_code sl_handle_give(struct sl_kernel_context *k, struct sl_object *object, struct sl_str container,
                       struct sl_str name);

#endif
