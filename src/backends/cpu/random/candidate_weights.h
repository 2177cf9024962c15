/* Choosing one of many by weight. Two ways: weights that change (a tree of sums) and weights that stay (Walker's
 * aliases). One owner, or read by many while nobody changes it. */
#ifndef SL_BACKENDS_CPU_RANDOM_CANDIDATE_WEIGHTS_H
#define SL_BACKENDS_CPU_RANDOM_CANDIDATE_WEIGHTS_H

#include <stdbool.h>

#include "base/error.h"
#include "kernel/philox.h"

/* Whole weights that grow. sums[i] is the weight of the elements that the lowest set bit of i + 1 covers (Fenwick
 * 1994). */
struct sl_weight_tree {
    int64_t *sums;
    int64_t n, total;
};
/* All weights are 1. */
sl_code sl_weight_tree_init(struct sl_weight_tree *t, int64_t n, struct sl_error *err);
void sl_weight_tree_clear(struct sl_weight_tree *t);
void sl_weight_tree_add(struct sl_weight_tree *t, int64_t i);
int64_t sl_weight_tree_get(const struct sl_weight_tree *t, int64_t i);
int64_t sl_weight_tree_pick(const struct sl_weight_tree *t, struct sl_philox_words *words);

/* Weights that stay: one of n places as likely as any other, and in each a threshold between it and another element
 * (Walker 1977; Vose 1991). */
struct sl_weight_table {
    float *thresholds;
    int32_t *others;
    int32_t n;
};
sl_code sl_weight_table_init(struct sl_weight_table *t, const float *weights, int32_t n, struct sl_error *err);
void sl_weight_table_clear(struct sl_weight_table *t);
int64_t sl_weight_table_pick(const struct sl_weight_table *t, struct sl_philox_words *words);

#endif
