/* Reductions of whole tensors over any of their dims. A reduction belongs to the call that made it. */
#ifndef SL_BACKENDS_CPU_REDUCE_REDUCE_H
#define SL_BACKENDS_CPU_REDUCE_REDUCE_H

#include "backends/cpu/reduce/ordered_sum.h"
#include "backends/cpu/reduce/reduce_loops.h"
#include "kernel/kernel.h"

/* Makes n results of as many accumulators, each of `count` elements. */
typedef void (*sl_reduce_finish_fn)(void *to, const void *acc, int64_t n, double count);

enum { SL_REDUCE_DIMS = SL_MAX_RANK + 1 };

struct sl_reduce {
    const struct sl_reduce_loop *loop;
    const struct sl_ordered_sum *ordered; /* sums in this order where that costs nothing; NULL: in any */
    sl_reduce_finish_fn finish;
    const void *x;
    int64_t x_size; /* bytes of an element */
    void *to;       /* the results, in the order of the dims that are kept */
    int64_t to_size;
    int rank;
    int64_t dims[SL_REDUCE_DIMS];
    bool is_reduced[SL_REDUCE_DIMS];
};

/* RESOURCE_EXHAUSTED. Changes dims and is_reduced. */
sl_code sl_reduce_run(struct sl_kernel_context *k, struct sl_reduce *reduce);

/* What an accumulator becomes. */
enum sl_reduce_result {
    SL_RESULT_ITSELF,
    SL_RESULT_MEAN, /* of sums */
    SL_RESULT_ROOT, /* of sums of squares */
    SL_RESULT_HALF  /* of sums of squares */
};
/* For results of type `dtype`. Complex numbers: ITSELF for products alone, MEAN for each part, ROOT for two accumulators
 * folded to one; else their parts are reduced as real numbers. NULL: not for this type. */
sl_reduce_finish_fn sl_reduce_finish(enum sl_fold_kind fold, enum sl_reduce_result result, int dtype);

/* The folding of rows one by one, with the very bits that a reduction of the last dim gives. */
struct sl_row_fold {
    const struct sl_reduce_loop *loop;
    const struct sl_ordered_sum *ordered; /* NULL: not a sum */
    sl_reduce_finish_fn finish;
    int64_t size; /* bytes of an element */
};
/* For "Sum", "Mean", "Max", "Min" of float and double; false for others. */
bool sl_row_fold_find(struct sl_row_fold *out, struct sl_str op, int dtype);
/* One result of a row of n elements at x, the first of which is element `first` of its tensor. */
void sl_row_fold_run(void *to, const struct sl_row_fold *f, const void *x, int64_t first, int64_t n);

#endif
