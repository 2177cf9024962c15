/* Control flow, and nodes that pass values on or stand for values to come. The executor does the primitives itself;
 * their rows mean the same for whoever runs them one by one. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "kernel/cancellation.h"
#include "kernel/ports.h"
#include "kernel/slices.h"
#include "tensor/summary.h"
#include "tensor/tensor_proto.h"

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
    const bool *predicate = sl_value_scalar(sl_in_value(k, 1));
    if (!predicate) return sl_fail_choice(sl_in_value(k, 1), k->err);
    int taken = *predicate;
    sl_out_dead(k, 1 - taken);
    sl_out_forward(k, taken, 0);
    return SL_OK;
}

/* Any index out of range selects the last output. */
static sl_code switch_n_run(struct sl_kernel_context *k) {
    const int32_t *index = sl_value_scalar(sl_in_value(k, 1));
    if (!index) return sl_fail_choice(sl_in_value(k, 1), k->err);
    int n = sl_out_count(k), taken = *index;
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

/* ---- constants, arguments and results: executors have their own ways for these */

static void value_free(void *state) {
    sl_value_clear(state);
    sl_free(state);
}

static sl_code constant_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_pb_TensorProto *proto;
    struct sl_tensor *t;
    int dtype;
    SL_TRY(sl_attr_tensor(&proto, setup->attrs, "value", setup->err));
    SL_TRY(sl_attr_type(&dtype, setup->attrs, "dtype", setup->err));
    if (proto->dtype != dtype)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Type mismatch between value (%s) and dtype (%s)",
                       sl_dtype_name(proto->dtype), sl_dtype_name(dtype));
    SL_TRY(sl_tensor_from_proto(&t, proto, setup->err));
    struct sl_value *v = sl_malloc(sizeof *v);
    if (!v) {
        sl_tensor_unref(t);
        return sl_fail_memory(setup->err, sizeof *v);
    }
    *v = sl_value_of_tensor(t);
    *state = v;
    return SL_OK;
}

static sl_code constant_run(struct sl_kernel_context *k) {
    *sl_out_value(k, 0) = sl_value_share(k->state);
    return SL_OK;
}

/* What is never looked at in the branch that was taken: zeros of the shape it would have had. */
static sl_code fake_param_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_arena scratch;
    sl_arena_init(&scratch);
    struct sl_shape shape;
    struct sl_value *v = sl_calloc(1, sizeof *v);
    sl_code code =
        v ? sl_attr_shape(&shape, &scratch, setup->attrs, "shape", setup->err) : sl_fail_memory(setup->err, sizeof *v);
    if (code == SL_OK && shape.rank < 0) shape.rank = 0;
    if (code == SL_OK) code = sl_value_new(v, setup->out_types[0], shape, setup->err);
    sl_arena_clear(&scratch);
    if (code != SL_OK) {
        sl_free(v);
        return code;
    }
    struct sl_view view = sl_value_view(v);
    if (sl_dtype_is_plain(view.dtype)) memset(view.data, 0, (size_t)view.count * sl_dtype_size(view.dtype));
    *state = v;
    return SL_OK;
}

static sl_code outside_run(struct sl_kernel_context *k) {
    return sl_fail(k->err, SL_INTERNAL, "%.*s outside of a function: no call frame", SL_STR_ARG(k->node->op->name));
}

/* ---- checks */

struct ensured {
    struct sl_shape *shape; /* owned */
    size_t n;
    char input[]; /* name of the node that gives it */
};

static void ensure_shape_free(void *state) {
    struct ensured *s = state;
    sl_free(s->shape);
    sl_free(s);
}

static sl_code ensure_shape_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str input = SL_STR("input");
    void *shape;
    if (sl_attr_find(setup->attrs, SL_STR(SL_INPUT_NAME)))
        SL_TRY(sl_attr_string(&input, setup->attrs, SL_INPUT_NAME, setup->err));
    SL_TRY(sl_shape_state_create(&shape, setup, "shape"));
    struct ensured *s = sl_malloc(sizeof *s + input.n);
    if (!s) {
        sl_free(shape);
        return sl_fail_memory(setup->err, input.n);
    }
    *s = (struct ensured){shape, input.n};
    if (input.n) memcpy(s->input, input.p, input.n);
    *state = s;
    return SL_OK;
}

static sl_code ensure_shape_run(struct sl_kernel_context *k) {
    const struct ensured *s = k->state;
    struct sl_shape shape = sl_view_shape(sl_in(k, 0));
    if (!sl_shape_is_compatible(*s->shape, shape)) {
        char is[SL_SHAPE_TEXT], should_be[SL_SHAPE_TEXT];
        return sl_invalid(k, "Shape of tensor %.*s %s is not compatible with expected shape %s.", (int)s->n, s->input,
                          sl_shape_text(is, shape), sl_shape_text(should_be, *s->shape));
    }
    return pass_run(k);
}

static sl_code assert_create(void **state, struct sl_kernel_setup *setup) {
    int64_t *summarize = sl_malloc(sizeof *summarize);
    if (!summarize) return sl_fail_memory(setup->err, sizeof *summarize);
    sl_code code = sl_attr_int(summarize, setup->attrs, "summarize", setup->err);
    if (code == SL_OK) *state = summarize;
    else sl_free(summarize);
    return code;
}

static sl_code assert_run(struct sl_kernel_context *k) {
    struct sl_view condition = sl_in(k, 0);
    char text[SL_SHAPE_TEXT];
    if (condition.rank != 0)
        return sl_invalid(k, "In[0] should be a scalar: %s", sl_shape_text(text, sl_view_shape(condition)));
    if (*(const bool *)condition.data) return SL_OK;
    sl_fail(k->err, SL_INVALID_ARGUMENT, "assertion failed: ");
    for (int i = 1; i < sl_in_count(k); i++) {
        char *summary;
        SL_TRY(sl_view_summary(&summary, sl_in(k, i), *(const int64_t *)k->state, k->err));
        sl_error_append(k->err, "%s[%s]", i > 1 ? " " : "", summary);
        sl_free(summary);
    }
    return SL_INVALID_ARGUMENT;
}

/* The original ends the process; here the step ends. */
static sl_code abort_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str message;
    SL_TRY(sl_attr_string(&message, setup->attrs, "error_msg", setup->err));
    char *kept = sl_malloc(message.n + 1);
    if (!kept) return sl_fail_memory(setup->err, message.n);
    if (message.n) memcpy(kept, message.p, message.n);
    kept[message.n] = 0;
    *state = kept;
    return SL_OK;
}

static sl_code abort_run(struct sl_kernel_context *k) {
    return sl_fail(k->err, SL_ABORTED, "Abort: %s", (const char *)k->state);
}

/* ---- names of files */

static sl_code scalar_at(const void **data, struct sl_kernel_context *k, int i, const char *name) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.rank != 0)
        return sl_invalid(k, "%s must be a scalar, got shape %s", name, sl_shape_text(text, sl_view_shape(v)));
    *data = v.data;
    return SL_OK;
}

static sl_code sharded_filename_run(struct sl_kernel_context *k) {
    const void *base = NULL, *shard = NULL, *shards = NULL;
    SL_TRY(scalar_at(&base, k, 0, "basename"));
    SL_TRY(scalar_at(&shard, k, 1, "shard"));
    SL_TRY(scalar_at(&shards, k, 2, "num_shards"));
    struct sl_str name = sl_string_get(base);
    char suffix[48];
    int n = snprintf(suffix, sizeof suffix, "-%05" PRId32 "-of-%05" PRId32, *(const int32_t *)shard,
                     *(const int32_t *)shards);
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    char *to = TF_TString_ResizeUninitialized(out.data, name.n + (size_t)n);
    if (!to) return sl_fail_memory(k->err, name.n);
    if (name.n) memcpy(to, name.p, name.n);
    memcpy(to + name.n, suffix, (size_t)n);
    return SL_OK;
}

#define MOVES .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES
#define PASS  .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES | SL_KERNEL_PASS
/* clang-format off */
const struct sl_kernel_def sl_any_control_rows[] = {
    KERNEL("Switch", NO_RULE, .run = switch_run, MOVES, .host = "pred")
    KERNEL("RefSwitch", NO_RULE, .run = switch_run, MOVES, .host = "pred")
    KERNEL("_SwitchN", NO_RULE, .run = switch_n_run, MOVES, .host = "output_index")
    KERNEL("Merge", NO_RULE, .run = merge_run, MOVES)
    KERNEL("RefMerge", NO_RULE, .run = merge_run, MOVES)
    KERNEL("Enter", NO_RULE, .run = pass_run, PASS)
    KERNEL("RefEnter", NO_RULE, .run = pass_run, PASS)
    KERNEL("Exit", NO_RULE, .run = pass_run, PASS)
    KERNEL("RefExit", NO_RULE, .run = pass_run, PASS)
    KERNEL("NextIteration", NO_RULE, .run = pass_run, PASS)
    KERNEL("RefNextIteration", NO_RULE, .run = pass_run, PASS)
    KERNEL("LoopCond", NO_RULE, .run = loop_condition_run, MOVES, .host = "input, output")
    KERNEL("ControlTrigger", NO_RULE, .run = nothing_run, MOVES)
    KERNEL("NoOp", NO_RULE, .run = nothing_run, MOVES)
    KERNEL("SyncDevice", NO_RULE, .run = nothing_run, MOVES)
    KERNEL("RefSelect", NO_RULE, .run = ref_select_run, MOVES)
    KERNEL("Identity", NO_RULE, .run = pass_run, PASS)
    KERNEL("RefIdentity", NO_RULE, .run = pass_run, PASS)
    KERNEL("DebugGradientRefIdentity", NO_RULE, .run = pass_run, PASS)
    KERNEL("StopGradient", NO_RULE, .run = pass_run, PASS)
    KERNEL("PreventGradient", NO_RULE, .run = pass_run, PASS)
    KERNEL("Snapshot", NO_RULE, .run = pass_run, PASS)
    KERNEL("XlaSharding", NO_RULE, .run = pass_run, PASS)
    KERNEL("PlaceholderWithDefault", NO_RULE, .run = pass_run, PASS)
    KERNEL("IdentityN", NO_RULE, .run = identity_n_run, MOVES)
    KERNEL("XlaOptimizationBarrier", NO_RULE, .run = identity_n_run, MOVES)
    KERNEL("Placeholder", NO_RULE, .run = placeholder_run, .create = placeholder_create, .destroy = sl_free, .flags = SL_KERNEL_MOVES)
    KERNEL("PlaceholderV2", NO_RULE, .run = placeholder_run, .create = placeholder_create, .destroy = sl_free, .flags = SL_KERNEL_MOVES)
    KERNEL("_ArrayToList", NO_RULE, .run = identity_n_run, MOVES)
    KERNEL("_ListToArray", NO_RULE, .run = identity_n_run, MOVES)
    KERNEL("GuaranteeConst", NO_RULE, .run = pass_run, PASS)
    KERNEL("Const", NO_RULE, .run = constant_run, .create = constant_create, .destroy = value_free)
    KERNEL("HostConst", NO_RULE, .run = constant_run, .create = constant_create, .destroy = value_free)
    KERNEL("FakeParam", NO_RULE, .run = constant_run, .create = fake_param_create, .destroy = value_free)
    KERNEL("_Arg", NO_RULE, .run = outside_run)
    KERNEL("_Retval", NO_RULE, .run = outside_run)
    KERNEL("EnsureShape", NO_RULE, .run = ensure_shape_run, .create = ensure_shape_create,
           .destroy = ensure_shape_free, .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES | SL_KERNEL_OWN)
    KERNEL("Assert", NO_RULE, .run = assert_run, .create = assert_create, .destroy = sl_free, .flags = SL_KERNEL_CHEAP)
    KERNEL("Abort", NO_RULE, .run = abort_run, .create = abort_create, .destroy = sl_free)
    KERNEL("ShardedFilename", NO_RULE, .run = sharded_filename_run)
    SL_ROWS_END
};
/* clang-format on */
