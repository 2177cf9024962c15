/* Control flow, and nodes that pass values on or stand for values to come. The executor does the primitives itself; their
 * rows mean the same for whoever runs them one by one. */
#include "backends/any/any_kernels.h"
#include "kernel/cancellation.h"

#include <inttypes.h>

#include "base/alloc.h"

static sl_code pass_run(struct sl_kernel_context *k) {
    sl_out_forward(k, 0, 0);
    return SL_OK;
}

static sl_code nothing_run(struct sl_kernel_context *k) {
    (void)k;
    return SL_OK;
}

/* ---- the primitives */

static sl_code switch_run(struct sl_kernel_context *k) {
    struct sl_view predicate = sl_in(k, 1);
    if (predicate.rank != 0) {
        char text[SL_SHAPE_TEXT];
        return sl_invalid(k, "The second input must be a scalar, but it has shape %s",
                          sl_shape_text(text, sl_view_shape(predicate)));
    }
    int taken = *(const bool *)predicate.data;
    sl_out_dead(k, 1 - taken);
    sl_out_forward(k, taken, 0);
    return SL_OK;
}

/* Any index out of range selects the last output. */
static sl_code switch_n_run(struct sl_kernel_context *k) {
    struct sl_view index = sl_in(k, 1);
    if (index.rank != 0) {
        char text[SL_SHAPE_TEXT];
        return sl_invalid(k, "The second input must be a scalar, but it has shape %s",
                          sl_shape_text(text, sl_view_shape(index)));
    }
    int n = sl_out_count(k), taken = *(const int32_t *)index.data;
    if (taken < 0 || taken >= n) taken = n - 1;
    for (int o = 0; o < n; o++)
        if (o != taken) sl_out_dead(k, o);
    sl_out_forward(k, taken, 0);
    return SL_OK;
}

static sl_code merge_run(struct sl_kernel_context *k) {
    for (int i = 0; i < sl_in_count(k); i++) {
        if (sl_in_value(k, i)->kind <= SL_VALUE_DEAD) continue;
        sl_out_forward(k, 0, i);
        return sl_out_int(k, 1, i);
    }
    return sl_fail(k->err, SL_INTERNAL, "Merge has no live input");
}

static sl_code loop_condition_run(struct sl_kernel_context *k) {
    if (sl_kernel_is_cancelled(k)) return sl_fail(k->err, SL_CANCELLED, "Loop execution was cancelled.");
    return pass_run(k);
}

/* ---- references */

static sl_code ref_select_run(struct sl_kernel_context *k) {
    struct sl_view index = sl_in(k, 0);
    if (index.rank != 0) {
        char text[SL_SHAPE_TEXT];
        return sl_invalid(k, "Index must be a scalar, but it has shape %s", sl_shape_text(text, sl_view_shape(index)));
    }
    int32_t at = *(const int32_t *)index.data;
    if (at < 0 || at >= sl_in_count(k) - 1)
        return sl_invalid(k, "Index must be in the range [0, %d) but got %" PRId32, sl_in_count(k) - 1, at);
    sl_out_forward(k, 0, 1 + at);
    return SL_OK;
}

/* ---- placeholders */

static sl_code identity_n_run(struct sl_kernel_context *k) {
    for (int i = 0; i < sl_in_count(k); i++) sl_out_forward(k, i, i);
    return SL_OK;
}

struct placeholder {
    int dtype;
    char shape[SL_SHAPE_TEXT]; /* "" when there is nothing to say */
};

static sl_code placeholder_create(void **state, struct sl_kernel_setup *setup) {
    struct placeholder *p = sl_malloc(sizeof *p);
    if (!p) return sl_fail_memory(setup->err, sizeof *p);
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_shape shape;
    sl_code code = sl_attr_type(&p->dtype, setup->attrs, "dtype", setup->err);
    if (code == SL_OK) code = sl_attr_shape(&shape, &arena, setup->attrs, "shape", setup->err);
    p->shape[0] = 0;
    if (code == SL_OK && shape.rank > 0) sl_shape_text(p->shape, shape);
    sl_arena_clear(&arena);
    if (code != SL_OK) {
        sl_free(p);
        return code;
    }
    *state = p;
    return SL_OK;
}

static sl_code placeholder_run(struct sl_kernel_context *k) {
    const struct placeholder *p = k->state;
    return sl_invalid(k, "You must feed a value for placeholder tensor '%.*s' with dtype %s%s%s",
                      SL_STR_ARG(k->node->name), sl_dtype_name(p->dtype), p->shape[0] ? " and shape " : "", p->shape);
}

#define PASS SL_KERNEL_CHEAP | SL_KERNEL_PASS
/* clang-format off */
const struct sl_kernel_def sl_any_control_rows[] = {
    KERNEL("Switch", NO_RULE, .run = switch_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("RefSwitch", NO_RULE, .run = switch_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("_SwitchN", NO_RULE, .run = switch_n_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("Merge", NO_RULE, .run = merge_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("RefMerge", NO_RULE, .run = merge_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("Enter", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("RefEnter", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("Exit", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("RefExit", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("NextIteration", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("RefNextIteration", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("LoopCond", NO_RULE, .run = loop_condition_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("ControlTrigger", NO_RULE, .run = nothing_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("NoOp", NO_RULE, .run = nothing_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("RefSelect", NO_RULE, .run = ref_select_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("Identity", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("RefIdentity", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("StopGradient", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("PreventGradient", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("Snapshot", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("PlaceholderWithDefault", NO_RULE, .run = pass_run, .flags = PASS)
    KERNEL("IdentityN", NO_RULE, .run = identity_n_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("Placeholder", NO_RULE, .run = placeholder_run, .create = placeholder_create, .destroy = sl_free)
    KERNEL("PlaceholderV2", NO_RULE, .run = placeholder_run, .create = placeholder_create, .destroy = sl_free)
    SL_ROWS_END
};
/* clang-format on */
