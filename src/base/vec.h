/* Growing arrays. `SL_VEC(T)` is a struct of `items`, `n`, `cap`; zero-initialise it, push, free. One owner. */
#ifndef SL_BASE_VEC_H
#define SL_BASE_VEC_H

#include "base/alloc.h"

#define SL_VEC(type)                                                                                                   \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t n, cap;                                                                                                 \
    }

/* Room for `more` further elements: 0, or -1 when memory is out. */
#define sl_vec_reserve(vec, more)                                                                                      \
    sl_grow((void **)&(vec)->items, &(vec)->cap, (vec)->n + (size_t)(more), sizeof *(vec)->items)

/* Appends one element: 0, or -1 when memory is out (the array is then unchanged). */
#define sl_vec_push(vec, value) (sl_vec_reserve(vec, 1) ? -1 : ((vec)->items[(vec)->n++] = (value), 0))

#define sl_vec_free(vec) (sl_free((vec)->items), (vec)->items = NULL, (vec)->n = (vec)->cap = 0)

#endif
