/* Ops that look at tensors for debuggers: how many elements are no numbers, and the like. And at the clock. */
#include <math.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/number.h"
#include "base/alloc.h"
#include "os/clock.h"
#include "tensor/float16.h"

struct census {
    int64_t negative_infinite, infinite, nan, negative, zero, positive;
};

static struct census count(struct sl_view v) {
    struct census c = {0};
    for (int64_t i = 0; i < v.count; i++) {
        double x = sl_number_at(v, i);
        if (x != x) c.nan++;
        else if (x == INFINITY) c.infinite++;
        else if (x == -INFINITY) c.negative_infinite++;
        else if (x < 0) c.negative++;
        else if (x > 0) c.positive++;
        else c.zero++;
    }
    return c;
}

static sl_code nan_count_run(struct sl_kernel_context *k) {
    struct sl_view y;
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){1, (int64_t[]){1}}));
    *(int64_t *)y.data = count(sl_in(k, 0)).nan;
    return SL_OK;
}

static sl_code forward_run(struct sl_kernel_context *k) {
    sl_out_forward(k, 0, 0);
    return SL_OK;
}

/* DebugIdentityV2 without a place to send to. */
static sl_code identity_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_str *urls;
    int n;
    (void)state;
    SL_TRY(sl_attr_string_list(&urls, &n, setup->attrs, "debug_urls", setup->err));
    if (n == 0) return SL_OK;
    return sl_fail(setup->err, SL_UNIMPLEMENTED, "Tensors are not dumped for a debugger (debug_urls has '%.*s')",
                   SL_STR_ARG(urls[0]));
}

/* ---- DebugNumericSummaryV2 */

enum mode { HEALTH = 2, CONCISE = 3, FULL = 4, SHAPE = 5, SLOTS = 8 };
enum { MOST = 11, DIMS = 6 };
struct summary_state {
    int mode;
    int64_t id;
};

static sl_code summary_create(void **out, struct sl_kernel_setup *setup) {
    struct summary_state s;
    SL_TRY(sl_attr_int32(&s.mode, setup->attrs, "tensor_debug_mode", setup->err));
    SL_TRY(sl_attr_int(&s.id, setup->attrs, "tensor_id", setup->err));
    struct summary_state *state = sl_malloc(sizeof *state);
    if (!state) return sl_fail_memory(setup->err, sizeof *state);
    *state = s;
    *out = state;
    return SL_OK;
}
static void destroy(void *state) { sl_free(state); }

/* Writes the values of a mode; their number. */
static int summarise(double to[MOST], struct sl_view v, const struct summary_state *s) {
    struct census c = s->mode == SHAPE ? (struct census){0} : count(v);
    to[0] = (double)s->id;
    switch (s->mode) {
    case HEALTH: to[1] = c.nan || c.infinite || c.negative_infinite; return 2;
    case CONCISE:
        to[1] = (double)v.count;
        to[2] = (double)c.negative_infinite;
        to[3] = (double)c.infinite;
        to[4] = (double)c.nan;
        return 5;
    case FULL: {
        const double values[] = {-1, /* the device, which is not told */
                                 v.dtype,
                                 v.rank,
                                 (double)v.count,
                                 (double)c.negative_infinite,
                                 (double)c.infinite,
                                 (double)c.nan,
                                 (double)c.negative,
                                 (double)c.zero,
                                 (double)c.positive};
        for (int i = 1; i < MOST; i++) to[i] = values[i - 1];
        return MOST;
    }
    case SHAPE: {
        int first = v.rank > DIMS ? v.rank - DIMS : 0;
        to[1] = v.dtype;
        to[2] = v.rank;
        to[3] = (double)v.count;
        for (int d = 0; d < DIMS; d++) to[4 + d] = first + d < v.rank ? (double)v.dims[first + d] : 0;
        return 4 + DIMS;
    }
    default:
        to[0] = c.negative_infinite ? -INFINITY : 0;
        to[1] = c.infinite ? INFINITY : 0;
        to[2] = c.nan ? NAN : 0;
        return 3;
    }
}

static sl_code summary_run(struct sl_kernel_context *k) {
    const struct summary_state *s = k->state;
    struct sl_view y;
    double values[MOST];
    bool is_double = sl_out_type(k, 0) == SL_DOUBLE;
    int64_t most = is_double ? INT64_C(1) << 53 : 1 << 24;
    if (s->mode != HEALTH && s->mode != CONCISE && s->mode != FULL && s->mode != SHAPE && s->mode != SLOTS)
        return sl_fail(k->err, SL_UNIMPLEMENTED, "Unimplemented tensor debug mode: %d", s->mode);
    if (s->id > most)
        return sl_invalid(
            k, "DebugNumericSummaryV2Op requires tensor_id to be less than or equal to (2^%d). Given tensor_id:%lld",
            is_double ? 53 : 24, (long long)s->id);
    int64_t n = summarise(values, sl_in(k, 0), s);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){1, &n}));
    for (int64_t i = 0; i < n; i++) {
        if (is_double) ((double *)y.data)[i] = values[i];
        else ((float *)y.data)[i] = (float)values[i];
    }
    return SL_OK;
}

/* ---- Timestamp: seconds since 1970-01-01 UTC, to the microsecond */

static sl_code timestamp_run(struct sl_kernel_context *k) {
    struct sl_view now;
    SL_TRY(sl_out_new(&now, k, 0, SL_SHAPE_SCALAR));
    *(double *)now.data = 1e-6 * (double)sl_wall_us();
    return SL_OK;
}

#define NUMERIC (SL_SET_REAL | SL_SET(BOOL))
/* clang-format off */
const struct sl_kernel_def sl_cpu_debug_rows[] = {
    KERNEL("DebugGradientIdentity", NO_RULE, .run = forward_run)
    KERNEL("Copy", NO_RULE, .run = forward_run)
    KERNEL("CopyHost", NO_RULE, .run = forward_run)
    KERNEL("DebugIdentityV2", NO_RULE, .run = forward_run, .create = identity_create)
    KERNEL("DebugNanCount", RULE("T", SL_SET_REAL), .run = nan_count_run, .cost_element = 1)
    KERNEL("DebugNumericSummaryV2", RULE("T", NUMERIC), .run = summary_run, .create = summary_create, .destroy = destroy, .cost_element = 2)
    KERNEL("Timestamp", NO_RULE, .run = timestamp_run)
    SL_ROWS_END
};
/* clang-format on */
