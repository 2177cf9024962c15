/* TensorArrays: arrays of tensors that live for a step, written once, read once or more.
 *
 * An array of gradients stands beside the array it belongs to, one for each source name; writes to the same place add
 * up. Threads: thread-safe; every array has its lock. */
#ifndef SL_BACKENDS_ANY_TENSOR_ARRAY_H
#define SL_BACKENDS_ANY_TENSOR_ARRAY_H

#include "kernel/kernel.h"

struct sl_array_resource;
extern const struct sl_object_type sl_array_resource_type; /* of the object an array is (its first member) */

struct sl_array_resource_options {
    struct sl_str name; /* for messages, and of handles that are strings */
    int dtype;
    struct sl_shape element_shape; /* partly known */
    int64_t size;
    bool is_dynamic, clear_after_read, identical_shapes;
};
sl_code sl_array_resource_new(struct sl_array_resource **out, const struct sl_array_resource_options *options,
                              struct sl_error *err);
static inline struct sl_object *sl_array_resource_object(struct sl_array_resource *a) { return (struct sl_object *)a; }

/* The array of gradients of `a` for `source`, made at the first call: a new reference. From then on `a` cannot grow.
 * `prepend`: dims that stand before those of each of its elements (rank 0: none). */
sl_code sl_array_resource_gradient(struct sl_array_resource **out, struct sl_array_resource *a, struct sl_str source,
                                   struct sl_shape prepend, struct sl_error *err);

const char *sl_array_resource_name(const struct sl_array_resource *a); /* never changes */
int sl_array_resource_dtype(const struct sl_array_resource *a);

/* All below: INVALID_ARGUMENT when the array is closed. */
sl_code sl_array_resource_size(int64_t *size, struct sl_array_resource *a, struct sl_error *err);
/* Writes the `n` values, taken over in any case, at `indices` (NULL: 0, 1, 2 ...). Stops at the first failure. */
sl_code sl_array_resource_write(struct sl_array_resource *a, const int32_t *indices, struct sl_value *values, int64_t n,
                                struct sl_error *err);
/* Reads values that the caller owns, `n` at `indices` (NULL: `first`, first + 1 ...); after a failure none. */
sl_code sl_array_resource_read(struct sl_value *values, struct sl_array_resource *a, const int32_t *indices,
                               int64_t first, int64_t n, struct sl_error *err);
/* Makes room up to `size` when the array may grow; `*now` is the size afterwards. */
sl_code sl_array_resource_grow(int64_t *now, bool *is_dynamic, struct sl_array_resource *a, int64_t size,
                               struct sl_error *err);
void sl_array_resource_close(struct sl_array_resource *a);

#endif
