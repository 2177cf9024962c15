/* The two ways to choose by weight. Called by candidate_cpu.c. */
#include "backends/cpu/random/candidate_weights.h"

#include "base/alloc.h"

/* ---- the tree */

sl_code sl_weight_tree_init(struct sl_weight_tree *t, int64_t n, struct sl_error *err) {
    *t = (struct sl_weight_tree){.n = n, .total = n};
    t->sums = sl_calloc((size_t)n, sizeof *t->sums);
    if (!t->sums) return sl_fail_memory(err, (size_t)n * sizeof *t->sums);
    for (int64_t i = 0; i < n; i++) t->sums[i] = (i + 1) & -(i + 1);
    return SL_OK;
}

void sl_weight_tree_clear(struct sl_weight_tree *t) { sl_free(t->sums); }

void sl_weight_tree_add(struct sl_weight_tree *t, int64_t i) {
    t->total++;
    for (i++; i <= t->n; i += i & -i) t->sums[i - 1]++;
}

static int64_t sum_before(const struct sl_weight_tree *t, int64_t i) {
    int64_t sum = 0;
    for (; i > 0; i &= i - 1) sum += t->sums[i - 1];
    return sum;
}

int64_t sl_weight_tree_get(const struct sl_weight_tree *t, int64_t i) {
    return sum_before(t, i + 1) - sum_before(t, i);
}

int64_t sl_weight_tree_pick(const struct sl_weight_tree *t, struct sl_philox_words *words) {
    int64_t at = sl_philox_below(words, (uint32_t)t->total), place = 0, step = 1;
    while (step <= t->n / 2) step *= 2;
    for (; step; step /= 2) {
        int64_t next = place + step;
        if (next > t->n || t->sums[next - 1] > at) continue;
        at -= t->sums[next - 1];
        place = next;
    }
    return place;
}

/* ---- the table */

/* Fills places from two stacks: those with less than the mean weight take the rest from one that has more. */
static void pair_up(struct sl_weight_table *t, double *share, int32_t *less, int32_t *more, const float *weights) {
    int32_t n = t->n, n_less = 0, n_more = 0;
    double sum = 0;
    for (int32_t i = 0; i < n; i++) sum += (double)weights[i];
    for (int32_t i = 0; i < n; i++) {
        share[i] = (double)weights[i] * n / sum;
        if (share[i] < 1) less[n_less++] = i;
        else more[n_more++] = i;
        t->thresholds[i] = 1;
        t->others[i] = i;
    }
    while (n_less && n_more) {
        int32_t small = less[--n_less], large = more[--n_more];
        t->others[small] = large;
        t->thresholds[small] = (float)share[small];
        share[large] -= 1 - share[small];
        if (share[large] < 1) less[n_less++] = large;
        else more[n_more++] = large;
    }
}

sl_code sl_weight_table_init(struct sl_weight_table *t, const float *weights, int32_t n, struct sl_error *err) {
    size_t count = (size_t)n;
    *t = (struct sl_weight_table){sl_calloc(count, sizeof *t->thresholds), sl_calloc(count, sizeof *t->others), n};
    double *share = sl_calloc(count, sizeof *share);
    int32_t *less = sl_calloc(count, sizeof *less), *more = sl_calloc(count, sizeof *more);
    bool has_memory = t->thresholds && t->others && share && less && more;
    if (has_memory) pair_up(t, share, less, more, weights);
    else sl_weight_table_clear(t);
    sl_free(share);
    sl_free(less);
    sl_free(more);
    return has_memory ? SL_OK : sl_fail_memory(err, count * sizeof *share);
}

void sl_weight_table_clear(struct sl_weight_table *t) {
    sl_free(t->thresholds);
    sl_free(t->others);
    *t = (struct sl_weight_table){.n = 0};
}

int64_t sl_weight_table_pick(const struct sl_weight_table *t, struct sl_philox_words *words) {
    float at = sl_uniform_float(sl_philox_word(words));
    uint32_t place = sl_philox_below(words, (uint32_t)t->n);
    return at < t->thresholds[place] ? (int64_t)place : t->others[place];
}
