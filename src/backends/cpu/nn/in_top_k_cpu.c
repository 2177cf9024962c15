/* InTopK: whether the target of each row is among its k largest predictions. */
#include <inttypes.h>
#include <math.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"

/* Fewer than k are larger; those alike all count as in. A row with infinities or without numbers tells nothing. */
static bool is_in(const float *row, int64_t n, int64_t target, int64_t k) {
    if (target < 0 || target >= n || !isfinite(row[target])) return false;
    int64_t larger = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(row[i])) return false;
        larger += row[i] > row[target];
    }
    return larger < k;
}

static sl_code in_top_k_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), targets = sl_in(k, 1), y;
    int64_t count = sl_state_number(k);
    if (x.rank != 2) return sl_invalid(k, "predictions must be 2-dimensional");
    if (targets.rank != 1) return sl_invalid(k, "targets must be 1-dimensional");
    if (x.dims[0] != targets.count)
        return sl_invalid(k, "First dimension of predictions %" PRId64 " must match length of targets %" PRId64,
                          x.dims[0], targets.count);
    if (sl_in_count(k) > 2) {
        struct sl_view in = sl_in(k, 2);
        if (in.rank) return sl_invalid(k, "k must be 0-D, got shape %s", SHAPE_OF(in));
        count = sl_index_at(in, 0);
    }
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(targets)));
    for (int64_t r = 0; r < targets.count; r++)
        ((bool *)y.data)[r] = is_in((const float *)x.data + r * x.dims[1], x.dims[1], sl_index_at(targets, r), count);
    return SL_OK;
}
static sl_code in_top_k_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_int(state, setup, "k");
}

#define TARGETS RULE("T", SL_SET(INT32) | SL_SET(INT64))
/* clang-format off */
const struct sl_kernel_def sl_cpu_in_top_k_rows[] = {
    KERNEL("InTopK", TARGETS, .run = in_top_k_run, .create = in_top_k_create, .cost_element = 1)
    KERNEL("InTopKV2", TARGETS, .run = in_top_k_run, .cost_element = 1)
    SL_ROWS_END
};
/* clang-format on */
