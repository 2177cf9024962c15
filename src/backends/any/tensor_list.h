/* TensorLists: values of one type, held by variants. An element may be unset; it reads as zeros. Threads: a list may be
 * read by many; it is changed only by who holds the sole reference. */
#ifndef SL_BACKENDS_ANY_TENSOR_LIST_H
#define SL_BACKENDS_ANY_TENSOR_LIST_H

#include "kernel/kernel.h"

struct sl_tensor_list {
    struct sl_object object;
    uint8_t dtype;
    int64_t max; /* elements; negative: no limit */
    int64_t n;
    int64_t touched; /* elements from here on are unset; their memory was never written */
    size_t cap;
    struct sl_value *values; /* kind NONE: unset */
    int rank;                /* of `dims`; -1: not known */
    int64_t dims[];          /* element shape, partly known */
};
extern const struct sl_object_type sl_tensor_list_type;

static inline struct sl_shape sl_list_shape(const struct sl_tensor_list *l) {
    return (struct sl_shape){l->rank, l->rank > 0 ? l->dims : NULL};
}

/* A list of `n` unset elements; one reference, the caller's. */
sl_code sl_list_new(struct sl_tensor_list **out, int dtype, struct sl_shape element_shape, int64_t max, int64_t n,
                    struct sl_error *err);
/* The same elements in a list of its own, with room for `more` others. */
sl_code sl_list_copy(struct sl_tensor_list **out, const struct sl_tensor_list *l, int64_t more, struct sl_error *err);

/* Unset elements are added, or elements dropped, until there are `n`. */
sl_code sl_list_resize(struct sl_tensor_list *l, int64_t n, struct sl_error *err);
/* Puts a value at `i`, 0 <= i < n. Takes it over on success. */
sl_code sl_list_put(struct sl_tensor_list *l, int64_t i, struct sl_value value, struct sl_error *err);
/* Appends a value: INVALID_ARGUMENT when the list is full. Takes it over on success. */
sl_code sl_list_push(struct sl_tensor_list *l, struct sl_value value, struct sl_error *err);
/* Appends all elements of `from`. */
sl_code sl_list_append(struct sl_tensor_list *l, const struct sl_tensor_list *from, struct sl_error *err);

#endif
