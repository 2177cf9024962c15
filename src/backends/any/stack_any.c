/* Stacks: what loops keep of each iteration for the way back. A stack lives for a step; its handle holds it, or
 * names it in version 1. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "backends/any/any_handle.h"
#include "base/alloc.h"
#include "base/vec.h"
#include "os/mutex.h"

struct stack {
    struct sl_object object;
    uint8_t dtype;
    int64_t max; /* negative: no limit */
    struct sl_mutex mutex;
    bool is_closed;
    SL_VEC(struct sl_value) values;
    char name[]; /* for messages */
};

static void drop_values(struct stack *s) {
    for (size_t i = 0; i < s->values.n; i++) sl_value_clear(&s->values.items[i]);
    sl_vec_free(&s->values);
}

static void stack_free(struct sl_object *object) {
    struct stack *s = (struct stack *)object;
    drop_values(s);
    sl_mutex_clear(&s->mutex);
    sl_free(s);
}

static const struct sl_object_type stack_type = {.name = "tensorflow::Stack", .free = stack_free, .is_per_step = true};

/* ---- making */

struct make_state {
    int dtype;
    struct sl_str name;
    atomic_ullong made; /* stacks so far: the number is part of a name */
};

static sl_code make_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str name;
    SL_TRY(sl_attr_string(&name, setup->attrs, "stack_name", setup->err));
    if (!name.n) name = setup->name;
    struct make_state *s = sl_calloc(1, sizeof *s + name.n);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    memcpy(s + 1, name.p, name.n);
    s->name = (struct sl_str){(const char *)(s + 1), name.n};
    sl_code code = sl_attr_type(&s->dtype, setup->attrs, "elem_type", setup->err);
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

static sl_code make_run(struct sl_kernel_context *k) {
    struct make_state *state = k->state;
    int64_t max = -1;
    if (sl_in_count(k) > 0) {
        struct sl_view v = sl_in(k, 0);
        char text[SL_SHAPE_TEXT];
        if (v.rank != 0)
            return sl_invalid(k, "Stack size must be a scalar, but had shape: %s",
                              sl_shape_text(text, sl_view_shape(v)));
        max = *(const int32_t *)v.data;
    }
    enum { NUMBER = 24 };
    struct stack *s = sl_calloc(1, sizeof *s + state->name.n + NUMBER);
    if (!s) return sl_fail_memory(k->err, sizeof *s);
    sl_object_init(&s->object, &stack_type);
    sl_mutex_init(&s->mutex);
    s->dtype = (uint8_t)state->dtype;
    s->max = max;
    snprintf(s->name, state->name.n + NUMBER, "%.*s_%llu", SL_STR_ARG(state->name),
             atomic_fetch_add_explicit(&state->made, 1, memory_order_relaxed));
    return sl_handle_give(k, &s->object, SL_STR("_stacks"), sl_str_of(s->name));
}

/* ---- pushing and popping */

static sl_code check_open(const struct stack *s, struct sl_error *err) {
    return s->is_closed ? sl_fail(err, SL_INVALID_ARGUMENT, "Stack[%s] has already been closed.", s->name) : SL_OK;
}

/* Takes `value` over on success. With the lock held. */
static sl_code push(struct stack *s, struct sl_value value, struct sl_error *err) {
    SL_TRY(check_open(s, err));
    if (s->max >= 0 && s->values.n >= (size_t)s->max)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Stack[%s] overflowed its max_size (%" PRId64 ")", s->name, s->max);
    return sl_vec_push(&s->values, value) ? sl_fail_memory(err, s->values.n * sizeof value) : SL_OK;
}

static sl_code push_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(sl_handle_hold(&h, k, &stack_type));
    struct stack *s = (struct stack *)h.object;
    struct sl_value value = sl_value_share(sl_in_value(k, 1));
    sl_code code = SL_OK;
    if (value.dtype != s->dtype) code = sl_invalid(k, "Must have type %d but got %d", s->dtype, value.dtype);
    if (code == SL_OK) {
        sl_mutex_lock(&s->mutex);
        code = push(s, value, k->err);
        sl_mutex_unlock(&s->mutex);
    }
    sl_held_release(h);
    if (code != SL_OK) {
        sl_value_clear(&value);
        return code;
    }
    sl_out_forward(k, 0, 1);
    return SL_OK;
}

static sl_code pop(struct sl_value *out, struct stack *s, struct sl_error *err) {
    SL_TRY(check_open(s, err));
    if (s->values.n == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Stack[%s] is empty when calling Pop().", s->name);
    *out = s->values.items[--s->values.n];
    return SL_OK;
}

static sl_code pop_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(sl_handle_hold(&h, k, &stack_type));
    struct stack *s = (struct stack *)h.object;
    sl_code code = SL_OK;
    if (s->dtype != sl_out_type(k, 0))
        code = sl_fail(k->err, SL_INTERNAL, "Output 0 of type %s does not match declared output type %s for node %.*s",
                       sl_dtype_name(s->dtype), sl_dtype_name(sl_out_type(k, 0)), SL_STR_ARG(k->node->name));
    if (code == SL_OK) {
        sl_mutex_lock(&s->mutex);
        code = pop(sl_out_value(k, 0), s, k->err);
        sl_mutex_unlock(&s->mutex);
    }
    if (code == SL_OK) code = sl_out_settle(k, 0);
    sl_held_release(h);
    return code;
}

static sl_code close_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(sl_handle_hold(&h, k, &stack_type));
    struct stack *s = (struct stack *)h.object;
    sl_mutex_lock(&s->mutex);
    s->is_closed = true;
    drop_values(s);
    sl_mutex_unlock(&s->mutex);
    sl_held_release(h);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_any_stack_rows[] = {
    KERNEL("Stack", NO_RULE, .run = make_run, .create = make_create, .destroy = sl_free)
    KERNEL("StackV2", NO_RULE, .run = make_run, .create = make_create, .destroy = sl_free)
    KERNEL("StackPush", NO_RULE, .run = push_run, .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES)
    KERNEL("StackPushV2", NO_RULE, .run = push_run, .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES)
    KERNEL("StackPop", NO_RULE, .run = pop_run, .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES)
    KERNEL("StackPopV2", NO_RULE, .run = pop_run, .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES)
    KERNEL("StackClose", NO_RULE, .run = close_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("StackCloseV2", NO_RULE, .run = close_run, .flags = SL_KERNEL_CHEAP)
    SL_ROWS_END
};
/* clang-format on */
