/* Variables of the front end: a handle, a value read at once, an assignment of what it is at first. */
#include <math.h>

#include "front/front_eager.h"
#include "sluice/ops.h"
#include "sluice/variables.h"

/* ---- variables */
static struct sl_dims known_shape(struct sl_scope *s, TF_Output value, int64_t dims[SL_MAX_RANK]) {
    int rank = sl_rank_of(s, value);
    for (int i = 0; i < rank; i++) dims[i] = sl_size_of(s, value, i);
    return (struct sl_dims){dims, rank};
}

/* NAME, NAME/Assign and NAME/Read, where NAME is the variable's alone, and that of what is shared. */
static struct sl_var make(struct sl_scope *s, const char *name, TF_Output initial) {
    int64_t dims[SL_MAX_RANK];
    struct sl_var v = {0};
    const char *whole = sl_scope_unused_name(s, name ? name : "variable");
    if (!whole) return v;
    const struct sl_var_handle_op_attrs attrs = {.shared_name = whole,
                                                 .dtype = sl_type_of(s, initial),
                                                 .shape = known_shape(s, initial, dims)};
    const char *assign_name = sl_arena_format(&s->arena, "%s/Assign", whole + s->prefix.n);
    const char *read_name = sl_arena_format(&s->arena, "%s/Read", whole + s->prefix.n);
    v.handle = sl_var_handle_op(sl_name(s, whole + s->prefix.n), attrs);
    TF_Operation *assign = sl_assign_variable_op(sl_name(s, assign_name), v.handle, initial);
    v.value = sl_read_variable_op(sl_name(s, read_name), v.handle, (struct sl_read_variable_op_attrs){attrs.dtype});
    if (sl_scope_ok(s) && (sl_vec_push(&s->variables, v) || sl_vec_push(&s->initialisers, assign)))
        sl_scope_fail_memory(s);
    return v;
}

SL_API struct sl_var sl_variable_untrained(struct sl_scope *scope, const char *name, TF_Output initial) {
    struct sl_var none = {0};
    if (!sl_scope_ok(scope)) return none;
    if (sl_scope_makes_variables(scope)) return sl_eager_variable(scope, name, initial, false);
    struct sl_flow *flow = sl_scope_enter(scope, &scope->root);
    sl_push_no_control(scope);
    struct sl_var v = make(scope, name, initial);
    sl_pop(scope);
    sl_scope_enter(scope, flow);
    return sl_scope_ok(scope) ? v : none;
}

SL_API struct sl_var sl_variable(struct sl_scope *scope, const char *name, TF_Output initial) {
    if (sl_scope_ok(scope) && sl_scope_makes_variables(scope)) return sl_eager_variable(scope, name, initial, true);
    struct sl_var v = sl_variable_untrained(scope, name, initial);
    if (sl_scope_ok(scope) && sl_vec_push(&scope->trainable, v)) sl_scope_fail_memory(scope);
    return v;
}

void sl_scope_run_with(struct sl_scope *scope, struct sl_var variable, TF_Operation *operation) {
    const struct sl_run_with entry = {variable, operation};
    if (sl_is_eager(scope)) return; /* it has run */
    if (sl_scope_ok(scope) && sl_vec_push(&scope->run_with, entry)) sl_scope_fail_memory(scope);
}

SL_API TF_Output sl_read(struct sl_scope *scope, struct sl_var variable) {
    return sl_read_variable_op(scope, variable.handle,
                               (struct sl_read_variable_op_attrs){sl_type_of(scope, variable.value)});
}

SL_API TF_Operation *sl_variable_assign(struct sl_scope *scope, struct sl_var variable, TF_Output value) {
    return sl_assign_variable_op(scope, variable.handle, value);
}

SL_API TF_Operation *sl_variable_add(struct sl_scope *scope, struct sl_var variable, TF_Output value) {
    return sl_assign_add_variable_op(scope, variable.handle, value);
}

SL_API TF_Operation *sl_variables_init(struct sl_scope *scope) {
    if (!sl_scope_ok(scope)) return NULL;
    return sl_group(sl_name(scope, "init"), scope->initialisers.items, (int)scope->initialisers.n);
}

SL_API const struct sl_var *sl_variables(const struct sl_scope *scope, int *n) {
    *n = scope ? (int)scope->variables.n : 0;
    return scope ? scope->variables.items : NULL;
}

SL_API const struct sl_var *sl_variables_trainable(const struct sl_scope *scope, int *n) {
    *n = scope ? (int)scope->trainable.n : 0;
    return scope ? scope->trainable.items : NULL;
}

/* ---- initial values */
/* The shape as a constant; it must be known. */
static TF_Output shape_constant(struct sl_scope *s, struct sl_dims shape) {
    bool is_known = shape.dims && shape.n >= 0;
    for (int i = 0; i < shape.n && is_known; i++) is_known = shape.dims[i] >= 0;
    if (is_known) return sl_constant_of(s, TF_INT64, SL_SHAPE(shape.n), shape.dims);
    sl_scope_fail(s, TF_INVALID_ARGUMENT, "An initial value needs a shape that is known");
    return sl_op_first(NULL);
}

static TF_Output filled(struct sl_scope *s, TF_DataType type, struct sl_dims shape, double value, double unused) {
    (void)unused;
    return sl_fill(s, shape_constant(s, shape), sl_scalar(s, type, value));
}
SL_API TF_Output sl_initial_filled(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double value) {
    return sl_initial_later(scope, filled, type, shape, value, 0);
}
SL_API TF_Output sl_initial_zeros(struct sl_scope *scope, TF_DataType type, struct sl_dims shape) {
    return sl_initial_filled(scope, type, shape, 0);
}
SL_API TF_Output sl_initial_ones(struct sl_scope *scope, TF_DataType type, struct sl_dims shape) {
    return sl_initial_filled(scope, type, shape, 1);
}

TF_Output sl_scope_draw(struct sl_scope *scope, TF_Output shape, TF_DataType type) {
    if (!scope || !scope->seed_step.oper)
        return sl_random_uniform(scope, shape, (struct sl_random_uniform_attrs){.dtype = type});
    int64_t first = (int64_t)((uint64_t)scope->seed << 16) + ++scope->seeds;
    const TF_Output pair[] = {sl_constant_of(scope, TF_INT64, SL_SCALAR, &first), scope->seed_step};
    return sl_stateless_random_uniform_with(scope, shape, sl_pack(scope, pair, 2),
                                            (struct sl_stateless_random_uniform_attrs){.dtype = type});
}

/* unit * scale + shift */
static TF_Output spread(struct sl_scope *s, TF_Output unit, double scale, double shift) {
    TF_Output wide = sl_mul(s, unit, sl_scalar_like(s, unit, scale));
    return shift != 0 ? sl_add_v2(s, wide, sl_scalar_like(s, wide, shift)) : wide;
}

static TF_Output uniform(struct sl_scope *s, TF_DataType type, struct sl_dims shape, double low, double high) {
    TF_Output unit = sl_random_uniform(s, shape_constant(s, shape), (struct sl_random_uniform_attrs){.dtype = type});
    return spread(s, unit, high - low, low);
}
static TF_Output normal(struct sl_scope *s, TF_DataType type, struct sl_dims shape, double mean, double deviation) {
    TF_Output unit =
        sl_random_standard_normal(s, shape_constant(s, shape), (struct sl_random_standard_normal_attrs){.dtype = type});
    return spread(s, unit, deviation, mean);
}
static TF_Output truncated(struct sl_scope *s, TF_DataType type, struct sl_dims shape, double mean, double deviation) {
    TF_Output unit =
        sl_truncated_normal(s, shape_constant(s, shape), (struct sl_truncated_normal_attrs){.dtype = type});
    return spread(s, unit, deviation, mean);
}

SL_API TF_Output sl_initial_uniform(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double low,
                                    double high) {
    return sl_initial_later(scope, uniform, type, shape, low, high);
}
SL_API TF_Output sl_initial_normal(struct sl_scope *scope, TF_DataType type, struct sl_dims shape, double mean,
                                   double deviation) {
    return sl_initial_later(scope, normal, type, shape, mean, deviation);
}
SL_API TF_Output sl_initial_truncated_normal(struct sl_scope *scope, TF_DataType type, struct sl_dims shape,
                                             double mean, double deviation) {
    return sl_initial_later(scope, truncated, type, shape, mean, deviation);
}

/* How many values each output is made of, and how many outputs each value goes to. */
static void fans(double *in, double *out, struct sl_dims shape) {
    double window = 1;
    for (int i = 0; i < shape.n - 2; i++) window *= (double)shape.dims[i];
    *in = *out = 1;
    if (shape.n == 1) *in = *out = (double)shape.dims[0];
    if (shape.n < 2) return;
    *in = window * (double)shape.dims[shape.n - 2];
    *out = window * (double)shape.dims[shape.n - 1];
}

SL_API TF_Output sl_initial_glorot(struct sl_scope *scope, TF_DataType type, struct sl_dims shape) {
    double in, out;
    fans(&in, &out, shape);
    double limit = sqrt(6 / fmax(in + out, 1));
    return sl_initial_uniform(scope, type, shape, -limit, limit);
}
SL_API TF_Output sl_initial_he(struct sl_scope *scope, TF_DataType type, struct sl_dims shape) {
    /* The standard deviation of a normal distribution that is cut at two deviations. */
    static const double left_by_truncation = .87962566103423978;
    double in, out;
    fans(&in, &out, shape);
    return sl_initial_truncated_normal(scope, type, shape, 0, sqrt(2 / fmax(in, 1)) / left_by_truncation);
}
