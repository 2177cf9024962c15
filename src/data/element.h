/* Elements: arrays of values, one for each component; lists of elements; stacking them into batches and taking
 * batches apart. Pure functions; lists have one owner. */
#ifndef SL_DATA_ELEMENT_H
#define SL_DATA_ELEMENT_H

#include "kernel/kernel.h"

/* Room for an element of `n` components, all NONE; freed by sl_free. */
sl_code sl_element_new(struct sl_value **out, int n, struct sl_error *err);
static inline void sl_element_clear(struct sl_value *element, int n) {
    for (int i = 0; i < n; i++) sl_value_clear(&element[i]);
}

/* What the elements of its tensors take in memory. */
int64_t sl_element_bytes(const struct sl_value *element, int n);
/* What a stage that runs ahead holds at most; one element may be larger. */
enum { SL_BYTES_AHEAD = 256 << 20 };

/* Elements of `width` components, one after another. Zero but for the width before use. */
struct sl_element_list {
    struct sl_value *values;
    size_t cap; /* values */
    int64_t n;  /* elements */
    int width;
    int64_t counted, bytes; /* of sl_iterator_gather: elements whose bytes are counted, and these */
};
/* Room for one more: `*out` is where its values go, all NONE; they count once `n` goes up. */
sl_code sl_element_list_room(struct sl_value **out, struct sl_element_list *list, struct sl_error *err);
static inline struct sl_value *sl_element_at(const struct sl_element_list *list, int64_t i) {
    return &list->values[i * list->width];
}
void sl_element_list_clear(struct sl_element_list *list); /* frees all, and may be used again */

/* Component `c` of all elements as one value with a new first dimension. INVALID_ARGUMENT when shapes differ. */
sl_code sl_element_stack(struct sl_value *out, const struct sl_element_list *list, int c, struct sl_error *err);
/* Component `c` of all elements, which are of rank 1 or more, as one value with all their rows. INVALID_ARGUMENT when
 * the shapes of rows differ. */
sl_code sl_element_join(struct sl_value *out, const struct sl_element_list *list, int c, struct sl_error *err);
/* Component `c` of all elements as one value with a new first dimension, every element padded at its ends to `shape`, a fully known shape. `padding` is a scalar of the type,
 * or NULL for 0 and "". */
sl_code sl_element_stack_padded(struct sl_value *out, const struct sl_element_list *list, int c, struct sl_shape shape,
                                const struct sl_value *padding, struct sl_error *err);
/* Row `i` of a value of rank 1 or more. */
sl_code sl_element_row(struct sl_value *out, const struct sl_value *whole, int64_t i, struct sl_error *err);
/* Rows `i` to `i + n - 1`. */
sl_code sl_element_rows(struct sl_value *out, const struct sl_value *whole, int64_t i, int64_t n, struct sl_error *err);

#endif
