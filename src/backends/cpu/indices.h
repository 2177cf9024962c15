/* Reading index tensors of any integer type as int64, and states that are one number.
 *
 * A hot loop reads indices by stretches: sl_indices_load into a small array on the stack, so one loop serves all
 * index types.
 * Threads: pure functions. */
#ifndef SL_BACKENDS_CPU_INDICES_H
#define SL_BACKENDS_CPU_INDICES_H

#include "kernel/kernel.h"

enum { SL_INDICES = 512 }; /* a good length for a stretch */

/* Elements [begin, begin + n) of a view of integers. */
void sl_indices_load(int64_t *to, struct sl_view v, int64_t begin, int64_t n);
/* The same back: int64 to the type of `v`. */
void sl_indices_store(struct sl_view v, int64_t begin, const int64_t *from, int64_t n);
static inline int64_t sl_index_at(struct sl_view v, int64_t i) {
    if (v.dtype == SL_INT32) return ((const int32_t *)v.data)[i];
    if (v.dtype == SL_INT64) return ((const int64_t *)v.data)[i];
    int64_t value;
    sl_indices_load(&value, v, i, 1);
    return value;
}

/* "[1,2,3]" of one shape; for messages. */
struct sl_shape_string {
    char text[SL_SHAPE_TEXT];
};
static inline struct sl_shape_string sl_shape_string(struct sl_view v) {
    struct sl_shape_string s;
    sl_shape_text(s.text, sl_view_shape(v));
    return s;
}
/* For printf: the shape of a view; lives to the end of the full expression. */
#define SHAPE_OF(view) sl_shape_string(view).text

/* True when both have the same dims from `first` up to (not with) `last`. */
static inline bool sl_dims_equal(struct sl_view a, struct sl_view b, int first, int last) {
    for (int i = first; i < last; i++)
        if (a.dims[i] != b.dims[i]) return false;
    return true;
}
static inline bool sl_same_shape(struct sl_view a, struct sl_view b) {
    return a.rank == b.rank && sl_dims_equal(a, b, 0, a.rank);
}

/* A state that is one number is kept in the pointer itself: such a kernel has no `destroy`. */
static inline int64_t sl_state_number(const struct sl_kernel_context *k) { return (int64_t)(intptr_t)k->state; }
sl_code sl_state_of_int(void **state, struct sl_kernel_setup *setup, const char *attr);
sl_code sl_state_of_bool(void **state, struct sl_kernel_setup *setup, const char *attr);

#endif
