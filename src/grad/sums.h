/* Sums of gradients: a value has one from each of its readers. Used by those who apply rules. One owner. */
#ifndef SL_GRAD_SUMS_H
#define SL_GRAD_SUMS_H

#include "grad/rule.h"

/* What has come so far; all zero: nothing. In the arena that is given with the first one. */
struct sl_gradient_sum {
    struct sl_term_gradient *items;
    int n, cap;
};

/* Adds a gradient; one without values is none. */
sl_code sl_sum_add(struct sl_gradient_sum *sum, struct sl_arena *arena, const struct sl_term_gradient *gradient,
                   struct sl_error *err);
/* The sum, made with the words of `g`; no term when nothing came. When all are IndexedSlices so is the sum: values and
 * indices are joined. Asked for again it is the same. `in_pairs`: added two by two, so that no more than two have to be
 * there at once. Failures are those of `g`. */
struct sl_term_gradient sl_sum_total(struct sl_gradient_sum *sum, struct sl_rule *g, bool in_pairs);

/* A gradient that a rule gave is of the type of its input; else INVALID_ARGUMENT. */
sl_code sl_rule_check_gradient(struct sl_rule *g, int i);
/* Whether gradients flow through values of that type. */
static inline bool sl_is_trainable(int dtype) {
    return sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX | SL_SET(RESOURCE) | SL_SET(VARIANT), sl_dtype_base(dtype));
}

#endif
