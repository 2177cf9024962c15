/* Sums of gradients: one AddN of all, or IndexedSlices joined to one. */
#include "grad/sums.h"

#include "base/alloc.h"

sl_code sl_sum_add(struct sl_gradient_sum *sum, struct sl_arena *arena, const struct sl_term_gradient *gradient,
                   struct sl_error *err) {
    if (!sl_term_is(gradient->values)) return SL_OK;
    if (sum->n == sum->cap) {
        int cap = sum->cap ? sum->cap * 2 : 2;
        struct sl_term_gradient *more = sl_arena_alloc(arena, (size_t)cap * sizeof *more);
        if (!more) return sl_fail_memory(err, (size_t)cap * sizeof *more);
        if (sum->n) memcpy(more, sum->items, (size_t)sum->n * sizeof *more);
        sum->items = more;
        sum->cap = cap;
    }
    sum->items[sum->n++] = *gradient;
    return SL_OK;
}

static struct sl_term *room(struct sl_rule *g, int n) {
    struct sl_term *terms = SL_ARENA_ARRAY(g->arena, struct sl_term, (size_t)n);
    if (!terms && g->code == SL_OK) g->code = sl_fail_memory(g->err, (size_t)n * sizeof *terms);
    return g->code == SL_OK ? terms : NULL;
}

/* Rows of the same tensor: all values, all indices, one after the other. */
static struct sl_term_gradient join_rows(struct sl_rule *g, const struct sl_gradient_sum *sum) {
    int n = sum->n;
    struct sl_term_gradient out = {.dense_shape = sum->items[0].dense_shape};
    struct sl_term *values = room(g, n + 1), *indices = room(g, n + 1);
    if (!values || !indices) return out;
    for (int i = 0; i < n; i++) {
        values[i] = sum->items[i].values;
        indices[i] = sl_rule_cast(g, sum->items[i].indices, sl_rule_dtype(g, sum->items[0].indices));
    }
    values[n] = indices[n] = sl_rule_number(g, SL_INT32, 0);
    out.values = sl_rule_emit(g, "ConcatV2", values, n + 1, NULL, 0);
    out.indices = sl_rule_emit(g, "ConcatV2", indices, n + 1, NULL, 0);
    return out;
}

/* One AddN of all, or a tree of AddNs of two. */
static struct sl_term add_all(struct sl_rule *g, const struct sl_gradient_sum *sum, bool in_pairs) {
    int n = sum->n;
    struct sl_term *terms = room(g, n);
    if (!terms) return SL_NO_TERM;
    for (int i = 0; i < n; i++) terms[i] = sl_rule_dense(g, &sum->items[i]);
    if (!in_pairs) return sl_rule_emit(g, "AddN", terms, n, NULL, 0);
    while (n > 1) {
        int n_left = 0;
        for (int i = 0; i + 1 < n; i += 2) terms[n_left++] = sl_rule_emit(g, "AddN", &terms[i], 2, NULL, 0);
        if (n % 2) terms[n_left++] = terms[n - 1];
        n = n_left;
    }
    return terms[0];
}

struct sl_term_gradient sl_sum_total(struct sl_gradient_sum *sum, struct sl_rule *g, bool in_pairs) {
    bool all_rows = true;
    if (sum->n == 0) return (struct sl_term_gradient){0};
    for (int i = 0; i < sum->n; i++) all_rows &= sl_term_is(sum->items[i].indices);
    if (sum->n > 1) {
        sum->items[0] = all_rows ? join_rows(g, sum) : (struct sl_term_gradient){.values = add_all(g, sum, in_pairs)};
        sum->n = 1;
    }
    return sum->items[0];
}

sl_code sl_rule_check_gradient(struct sl_rule *g, int i) {
    int wanted = sl_rule_dtype(g, g->x[i]), given = sl_rule_dtype(g, g->dx[i].values);
    if (!sl_term_is(g->dx[i].values) || wanted == SL_RESOURCE || wanted == SL_VARIANT || given == wanted) return SL_OK;
    sl_code code = sl_fail(g->err, SL_INVALID_ARGUMENT, "The gradient of input %d of ", i);
    g->home->name(g, g->err);
    sl_error_append(g->err, " is of type %s, the input of type %s", sl_dtype_name(given), sl_dtype_name(wanted));
    return code;
}
