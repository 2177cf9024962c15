/* FakeQuantWithMinMax...: rounds to what quantised numbers of a range could say, and stays real. The range is moved
 * so that zero is one of them. One range for all, or one for each element of the last dim. */
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/quant/fake_quant_loops.h"
#include "base/alloc.h"

struct state {
    float min, max; /* of the ops that have them as attributes */
    int lowest, highest;
};

static sl_code create(void **out, struct sl_kernel_setup *setup, bool has_range) {
    struct state s = {0};
    int bits;
    bool is_narrow;
    SL_TRY(sl_attr_int32(&bits, setup->attrs, "num_bits", setup->err));
    SL_TRY(sl_attr_bool(&is_narrow, setup->attrs, "narrow_range", setup->err));
    if (has_range) {
        SL_TRY(sl_attr_float(&s.min, setup->attrs, "min", setup->err));
        SL_TRY(sl_attr_float(&s.max, setup->attrs, "max", setup->err));
        if (!(s.min < s.max))
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "min has to be smaller than max, was: %g >= %g",
                           (double)s.min, (double)s.max);
    }
    if (bits < 2 || bits > 16)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "num_bits must be between 2 and 16, inclusive, was: %d", bits);
    s.lowest = is_narrow;
    s.highest = (1 << bits) - 1;
    struct state *state = sl_malloc(sizeof *state);
    if (!state) return sl_fail_memory(setup->err, sizeof *state);
    *state = s;
    *out = state;
    return SL_OK;
}
static sl_code args_create(void **out, struct sl_kernel_setup *setup) { return create(out, setup, true); }
static sl_code vars_create(void **out, struct sl_kernel_setup *setup) { return create(out, setup, false); }
static void destroy(void *state) { sl_free(state); }

/* `columns` neighbours with a range each: 1 when there is one for all. */
struct job {
    struct sl_view x, grad, y, min_grad, max_grad;
    const float *mins, *maxs; /* NULL: the attributes */
    int64_t columns;
    const struct state *state;
    bool divides; /* see struct sl_fake_quant_grid */
};
static struct sl_fake_quant_grid grid_of(const struct job *j, int64_t column) {
    struct sl_fake_quant_grid g =
        j->mins ? sl_fake_quant_grid_of(j->mins[column], j->maxs[column], j->state->lowest, j->state->highest)
                : sl_fake_quant_grid_of(j->state->min, j->state->max, j->state->lowest, j->state->highest);
    g.divides = j->divides;
    return g;
}

/* Items are columns, or, of one, elements. */
static void round_part(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const float *x = j->x.data;
    float *y = j->y.data;
    if (j->columns == 1) {
        struct sl_fake_quant_grid g = grid_of(j, 0);
        SL_ISA_PICK(sl_fake_quant_line)(y + begin, x + begin, end - begin, 1, &g);
        return;
    }
    for (int64_t c = begin; c < end; c++) {
        struct sl_fake_quant_grid g = grid_of(j, c);
        SL_ISA_PICK(sl_fake_quant_line)(y + c, x + c, j->x.count / j->columns, j->columns, &g);
    }
}

static void grad_part(void *arg, int64_t begin, int64_t end) {
    const struct job *j = arg;
    const float *x = j->x.data, *dy = j->grad.data;
    float *dx = j->y.data;
    for (int64_t c = begin; c < end; c++) {
        struct sl_fake_quant_grid g = grid_of(j, c);
        float below = 0, above = 0;
        for (int64_t i = c; i < j->x.count; i += j->columns) {
            bool is_below = !g.is_empty && x[i] < g.min, is_above = !g.is_empty && x[i] > g.max;
            if (is_below) below += dy[i];
            if (is_above) above += dy[i];
            dx[i] = is_below || is_above || (x[i] != x[i] && !g.is_empty) ? 0 : dy[i];
        }
        if (j->min_grad.data) {
            ((float *)j->min_grad.data)[c] = below;
            ((float *)j->max_grad.data)[c] = above;
        }
    }
}

static sl_code read_ranges(struct job *j, struct sl_kernel_context *k, int first, bool by_channel) {
    struct sl_view min = sl_in(k, first), max = sl_in(k, first + 1);
    if (by_channel) {
        if (j->x.rank < 1)
            return sl_invalid(k, "inputs must have at least one dimension, got shape %s", SHAPE_OF(j->x));
        j->columns = j->x.dims[j->x.rank - 1];
        if (min.rank != 1) return sl_invalid(k, "`min` must be rank 1 but is rank %d", min.rank);
        if (max.rank != 1) return sl_invalid(k, "`max` must be rank 1 but is rank %d", max.rank);
        if (min.count != j->columns)
            return sl_invalid(k, "min has incorrect size, expected %lld was %lld", (long long)j->columns,
                              (long long)min.count);
        if (max.count != j->columns)
            return sl_invalid(k, "max has incorrect size, expected %lld was %lld", (long long)j->columns,
                              (long long)max.count);
    } else {
        if (min.rank) return sl_invalid(k, "`min` must be rank 0 but is rank %d", min.rank);
        if (max.rank) return sl_invalid(k, "`max` must be rank 0 but is rank %d", max.rank);
    }
    j->mins = min.data;
    j->maxs = max.data;
    return SL_OK;
}

static sl_code run_round(struct sl_kernel_context *k, bool has_vars, bool by_channel) {
    struct job j = {.x = sl_in(k, 0), .columns = 1, .state = k->state, .divides = has_vars && !by_channel};
    if (has_vars) SL_TRY(read_ranges(&j, k, 1, by_channel));
    SL_TRY(sl_out_reuse(&j.y, k, 0, sl_view_shape(j.x), 0, 1));
    if (j.columns == 1) sl_kernel_split(k, j.x.count, 2, round_part, &j);
    else if (j.x.count) sl_kernel_split_columns(k, j.columns, 2 * (double)(j.x.count / j.columns), round_part, &j);
    return SL_OK;
}

static sl_code run_grad(struct sl_kernel_context *k, bool has_vars, bool by_channel) {
    struct job j = {.grad = sl_in(k, 0), .x = sl_in(k, 1), .columns = 1, .state = k->state};
    if (!sl_same_shape(j.grad, j.x)) {
        if (has_vars) return sl_invalid(k, "gradient and input must be the same size");
        return sl_invalid(
            k, "Inputs to operation %.*s of type %s must have the same size and shape.  Input 0: %s != input 1: %s",
            SL_STR_ARG(k->node->name), k->node->def->op, SHAPE_OF(j.grad), SHAPE_OF(j.x));
    }
    if (has_vars) SL_TRY(read_ranges(&j, k, 2, by_channel));
    SL_TRY(sl_out_new(&j.y, k, 0, sl_view_shape(j.x)));
    if (has_vars) {
        const struct sl_shape shape = by_channel ? (struct sl_shape){1, &j.columns} : SL_SHAPE_SCALAR;
        SL_TRY(sl_out_new(&j.min_grad, k, 1, shape));
        SL_TRY(sl_out_new(&j.max_grad, k, 2, shape));
    }
    if (j.columns) sl_kernel_split_columns(k, j.columns, 2 * (double)(j.x.count / j.columns), grad_part, &j);
    return SL_OK;
}

static sl_code args_run(struct sl_kernel_context *k) { return run_round(k, false, false); }
static sl_code vars_run(struct sl_kernel_context *k) { return run_round(k, true, false); }
static sl_code channels_run(struct sl_kernel_context *k) { return run_round(k, true, true); }
static sl_code args_grad_run(struct sl_kernel_context *k) { return run_grad(k, false, false); }
static sl_code vars_grad_run(struct sl_kernel_context *k) { return run_grad(k, true, false); }
static sl_code channels_grad_run(struct sl_kernel_context *k) { return run_grad(k, true, true); }

#define FAKE(op_, name, kind)                                                                                          \
    KERNEL(op_, NO_RULE, .run = name##_run, .create = kind##_create, .destroy = destroy, .cost_element = 2)
/* clang-format off */
const struct sl_kernel_def sl_cpu_fake_quant_rows[] = {
    FAKE("FakeQuantWithMinMaxArgs", args, args)
    FAKE("FakeQuantWithMinMaxArgsGradient", args_grad, args)
    FAKE("FakeQuantWithMinMaxVars", vars, vars)
    FAKE("FakeQuantWithMinMaxVarsGradient", vars_grad, vars)
    FAKE("FakeQuantWithMinMaxVarsPerChannel", channels, vars)
    FAKE("FakeQuantWithMinMaxVarsPerChannelGradient", channels_grad, vars)
    SL_ROWS_END
};
/* clang-format on */
