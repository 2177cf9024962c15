/* Training ops: one kernel for all. A row names the rule; inputs are told apart by their names in the op: variables
 * are the states, `grad` or `delta` the gradient, `indices` the rows it belongs to, all others numbers that steer
 * (enum sl_hyper).
 *
 * All variables of a call are locked together, in the order of their addresses. Dense updates are split over threads
 * by elements, sparse ones by columns, so that rows named twice are updated in order whatever the number of threads. */
#include <complex.h>
#include <inttypes.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/optimizer/optimizer_loops.h"
#include "backends/cpu/types.inc"
#include "base/alloc.h"
#include "kernel/variable.h"

/* What a row says. */
struct rule {
    enum sl_update_rule rule;
    bool checks_signs; /* lr must be positive, l1, l2 and l2_shrinkage not negative, lr_power not positive */
};

enum { MOST_INPUTS = 16, NO_HYPER = -1 };

struct plan {
    const struct rule *rule;
    sl_update_fn loop, by_root;                /* the second where the power of a learning rate is -1/2; or NULL */
    struct sl_hypers flags;                    /* its attrs; the numbers are zero */
    int n_inputs, n_states, gradient, indices; /* positions of inputs; indices -1: dense */
    int8_t hyper[MOST_INPUTS];                 /* enum sl_hyper of each input, or NO_HYPER */
    struct sl_str names[MOST_INPUTS];          /* of the op: as long as the registry */
};

/* ---- create */

static int find_hyper(struct sl_str name) {
    static const char *const names[SL_HYPER_COUNT] = {
#define H(name) #name,
        SL_HYPERS(H)
#undef H
    };
    for (int i = 0; i < SL_HYPER_COUNT; i++)
        if (sl_str_is(name, names[i])) return i;
    return NO_HYPER;
}

static sl_code read_flag(bool *out, struct sl_kernel_setup *setup, const char *attr) {
    if (!sl_attr_find(setup->attrs, sl_str_of(attr))) return SL_OK;
    return sl_attr_bool(out, setup->attrs, attr, setup->err);
}

static void read_inputs(struct plan *p, const struct sl_op *op) {
    p->n_inputs = op->n_inputs < MOST_INPUTS ? op->n_inputs : MOST_INPUTS;
    p->gradient = p->indices = -1;
    for (int i = 0; i < p->n_inputs; i++) {
        const struct sl_op_arg *arg = &op->inputs[i];
        p->names[i] = arg->name;
        p->hyper[i] = NO_HYPER;
        if (arg->is_ref || arg->type == SL_RESOURCE) p->n_states++;
        else if (sl_str_is(arg->name, "grad") || sl_str_is(arg->name, "delta")) p->gradient = i;
        else if (sl_str_is(arg->name, "indices")) p->indices = i;
        else p->hyper[i] = (int8_t)find_hyper(arg->name);
    }
}

static sl_code update_create(void **state, struct sl_kernel_setup *setup) {
    struct plan *p = sl_calloc(1, sizeof *p);
    int dtype = SL_INVALID;
    if (!p) return sl_fail_memory(setup->err, sizeof *p);
    p->rule = setup->def->data;
    p->flags.update_slots = true;
    read_inputs(p, setup->op);
    sl_code code = sl_attr_type(&dtype, setup->attrs, "T", setup->err);
    if (code == SL_OK) code = read_flag(&p->flags.use_nesterov, setup, "use_nesterov");
    if (code == SL_OK) code = read_flag(&p->flags.update_slots, setup, "update_slots");
    if (code == SL_OK) code = read_flag(&p->flags.multiply_linear_by_lr, setup, "multiply_linear_by_lr");
    if (code == SL_OK)
        p->loop = sl_set_has(SL_SET_COMPLEX, dtype) || p->rule->rule == SL_UPDATE_ftrl
                      ? sl_update_loop_base(p->rule->rule, dtype)
                      : SL_ISA_PICK(sl_update_loop)(p->rule->rule, dtype);
    if (code == SL_OK && p->rule->rule == SL_UPDATE_ftrl)
        p->by_root = SL_ISA_PICK(sl_update_loop)(SL_UPDATE_ftrl_by_root, dtype);
    if (code == SL_OK && (!p->loop || p->gradient < 0))
        code = sl_fail(setup->err, SL_UNIMPLEMENTED, "%s is not there for %s", setup->def->op, sl_dtype_name(dtype));
    if (code == SL_OK) *state = p;
    else sl_free(p);
    return code;
}

/* ---- the numbers that steer */

static double _Complex number_of(struct sl_view v) {
    const void *x = v.data;
    switch (v.dtype) {
    case SL_HALF: return (double)float_of_half(*(const uint16_t *)x);
    case SL_BFLOAT16: return (double)float_of_bfloat16(*(const uint16_t *)x);
    case SL_FLOAT: return (double)*(const float *)x;
    case SL_DOUBLE: return *(const double *)x;
    case SL_COMPLEX64: return (double _Complex) * (const float _Complex *)x;
    case SL_COMPLEX128: return *(const double _Complex *)x;
    case SL_INT64: return (double)*(const int64_t *)x;
    default: return 0;
    }
}

static sl_code check_sign(struct sl_kernel_context *k, int hyper, double x) {
    const struct plan *p = k->state;
    switch (hyper) {
    case SL_HYPER_lr:
        if (x > 0 || (x == 0 && p->flags.multiply_linear_by_lr)) return SL_OK;
        return sl_invalid(k, "lr is not a positive scalar%s: []",
                          p->rule->rule == SL_UPDATE_ftrl ? " (or zero if multiply_linear_by_lr is set)" : "");
    case SL_HYPER_l1:
        return x >= 0 ? SL_OK : sl_invalid(k, "l1 regularization strength is not a non-negative scalar: []");
    case SL_HYPER_l2:
        return x >= 0 ? SL_OK : sl_invalid(k, "l2 regularization strength is not a non-negative scalar: []");
    case SL_HYPER_l2_shrinkage:
        return x >= 0 ? SL_OK : sl_invalid(k, "l2 shrinkage regularization strength is not a non-negative scalar: []");
    case SL_HYPER_lr_power: return x <= 0 ? SL_OK : sl_invalid(k, "lr_power is not a non-positive scalar: []");
    default: return SL_OK;
    }
}

static sl_code read_hypers(struct sl_hypers *h, struct sl_kernel_context *k) {
    const struct plan *p = k->state;
    *h = p->flags;
    for (int i = 0; i < p->n_inputs; i++) {
        if (p->hyper[i] == NO_HYPER) continue;
        struct sl_view v = sl_in(k, i);
        if (v.rank != 0) return sl_invalid(k, "%.*s is not a scalar: %s", SL_STR_ARG(p->names[i]), SHAPE_OF(v));
        h->value[p->hyper[i]] = number_of(v);
        if (p->rule->checks_signs) SL_TRY(check_sign(k, p->hyper[i], creal(h->value[p->hyper[i]])));
    }
    return SL_OK;
}

/* ---- one update */

struct update {
    const struct plan *plan;
    sl_update_fn loop;
    struct sl_hypers hypers;
    struct sl_view states[SL_UPDATE_STATES], gradient;
    int64_t *rows; /* sparse: the rows of the states, in order */
    int64_t n_rows, row;
};

/* Elements [begin, end) of every state, from there on in the gradient. */
static void update_run_at(const struct update *u, int64_t state_at, int64_t gradient_at, int64_t n) {
    void *states[SL_UPDATE_STATES] = {NULL};
    for (int s = 0; s < u->plan->n_states; s++) states[s] = sl_element(u->states[s].data, u->states[s].dtype, state_at);
    u->loop(states, sl_element(u->gradient.data, u->gradient.dtype, gradient_at), &u->hypers, n);
}

static void update_elements(void *arg, int64_t begin, int64_t end) { update_run_at(arg, begin, begin, end - begin); }

static void update_columns(void *arg, int64_t begin, int64_t end) {
    const struct update *u = arg;
    for (int64_t i = 0; i < u->n_rows; i++)
        update_run_at(u, u->rows[i] * u->row + begin, i * u->row + begin, end - begin);
}

/* The values of all variables are there, of one type and shape. */
static sl_code check_states(struct sl_kernel_context *k, struct sl_variable *const *v) {
    const struct plan *p = k->state;
    struct sl_view first, other;
    for (int s = 0; s < p->n_states; s++) {
        if (v[s]->value.kind == SL_VALUE_NONE) {
            if (v[s]->object.type == &sl_ref_variable_type) return sl_variable_fail_unset(v[s], k->err);
            return sl_fail(k->err, SL_INTERNAL, "Invalid variable reference.");
        }
        other = sl_value_view(&v[s]->value);
        if (s == 0) first = other;
        if (other.dtype != sl_in(k, p->gradient).dtype)
            return sl_invalid(k, "%.*s is of type %s, not %s", SL_STR_ARG(p->names[s]), sl_dtype_name(other.dtype),
                              sl_dtype_name(sl_in(k, p->gradient).dtype));
        if (!sl_same_shape(first, other))
            return sl_invalid(k, "%.*s and %.*s do not have the same shape%s %s", SL_STR_ARG(p->names[0]),
                              SL_STR_ARG(p->names[s]), SHAPE_OF(first), SHAPE_OF(other));
    }
    return SL_OK;
}

static sl_code edit_states(struct update *u, struct sl_kernel_context *k, struct sl_variable *const *v,
                           bool is_sparse) {
    for (int s = 0; s < u->plan->n_states; s++) {
        SL_TRY(sl_variable_edit(&u->states[s], v[s], k->err));
        if (is_sparse) v[s]->copy_on_read = v[s]->object.type == &sl_variable_type;
    }
    return SL_OK;
}

static double cost_of(const struct update *u) { return 0.5 * (u->plan->n_states + 1); }

static sl_code update_dense(struct update *u, struct sl_kernel_context *k, struct sl_variable *const *v) {
    struct sl_view x = sl_value_view(&v[0]->value);
    if (!sl_same_shape(x, u->gradient))
        return sl_invalid(k, "%.*s and %.*s do not have the same shape%s %s", SL_STR_ARG(u->plan->names[0]),
                          SL_STR_ARG(u->plan->names[u->plan->gradient]), SHAPE_OF(x), SHAPE_OF(u->gradient));
    SL_TRY(edit_states(u, k, v, false));
    sl_kernel_split(k, u->gradient.count, cost_of(u), update_elements, u);
    return SL_OK;
}

static sl_code check_sparse(struct sl_kernel_context *k, struct sl_view x, struct sl_view indices, struct sl_view g) {
    if (x.rank < 1) return sl_invalid(k, "var must be at least 1 dimensional");
    if (indices.rank != 1) return sl_invalid(k, "indices must be one-dimensional");
    if (g.rank != x.rank) return sl_invalid(k, "var and grad must match in rank: %s and %s", SHAPE_OF(x), SHAPE_OF(g));
    for (int d = 1; d < x.rank; d++)
        if (x.dims[d] != g.dims[d]) return sl_invalid(k, "var and grad must match in dimension %d", d);
    if (g.dims[0] != indices.count)
        return sl_invalid(k, "grad must be the same size as indices in the first dimension.");
    return SL_OK;
}

static sl_code update_rows(struct update *u, struct sl_kernel_context *k, struct sl_variable *const *v,
                           struct sl_view indices) {
    int64_t limit = u->states[0].dims[0];
    sl_indices_load(u->rows, indices, 0, u->n_rows);
    for (int64_t i = 0; i < u->n_rows; i++)
        if (u->rows[i] < 0 || u->rows[i] >= limit)
            return sl_invalid(k, "Index %" PRId64 " at offset %" PRId64 " in indices is out of range", u->rows[i], i);
    bool is_adagrad = u->plan->rule->rule == SL_UPDATE_adagrad || u->plan->rule->rule == SL_UPDATE_adagrad_v2;
    if (u->row == 0 && is_adagrad) return sl_invalid(k, "Inner dimension should be greater than zero.");
    SL_TRY(edit_states(u, k, v, true));
    if (u->row < 64) update_columns(u, 0, u->row);
    else sl_kernel_split_columns(k, u->row, cost_of(u) * (double)u->n_rows, update_columns, u);
    return SL_OK;
}

static sl_code update_sparse(struct update *u, struct sl_kernel_context *k, struct sl_variable *const *v) {
    struct sl_view x = sl_value_view(&v[0]->value), indices = sl_in(k, u->plan->indices);
    SL_TRY(check_sparse(k, x, indices, u->gradient));
    if (indices.count == 0) return SL_OK;
    u->states[0] = x;
    u->n_rows = indices.count;
    u->row = sl_dims_product(x.dims, 1, x.rank);
    size_t bytes = (size_t)u->n_rows * sizeof *u->rows;
    u->rows = sl_scratch_new(bytes);
    if (!u->rows) return sl_fail_memory(k->err, bytes);
    sl_code code = update_rows(u, k, v, indices);
    sl_scratch_free(u->rows, bytes);
    return code;
}

static sl_code update_run(struct sl_kernel_context *k) {
    struct update u = {.plan = k->state};
    struct sl_variable *v[SL_UPDATE_STATES];
    for (int s = 0; s < u.plan->n_states; s++) SL_TRY(sl_in_variable(&v[s], k, s));
    u.gradient = sl_in(k, u.plan->gradient);
    sl_variables_lock(v, u.plan->n_states);
    sl_code code = check_states(k, v);
    if (code == SL_OK) code = read_hypers(&u.hypers, k);
    u.loop = u.plan->by_root && creal(u.hypers.value[SL_HYPER_lr_power]) == -0.5 ? u.plan->by_root : u.plan->loop;
    if (code == SL_OK) code = u.plan->indices < 0 ? update_dense(&u, k, v) : update_sparse(&u, k, v);
    sl_variables_unlock(v, u.plan->n_states);
    if (code == SL_OK && sl_out_count(k) > 0) sl_out_forward(k, 0, 0);
    return code;
}

#define FLOATS_COMPLEX (SL_SET_FLOATS | SL_SET_COMPLEX)
#define WIDE           (SL_SET(FLOAT) | SL_SET(DOUBLE))
#define NO_BFLOAT16    (SL_SET_FLOATS & ~SL_SET(BFLOAT16))
#define UPDATE(op, set, rule_, checks)                                                                                 \
    KERNEL(op, RULE("T", set), .create = update_create, .destroy = sl_free, .run = update_run, .cost_element = 1,      \
           .data = &(const struct rule){.rule = SL_UPDATE_##rule_, .checks_signs = checks})
#define DENSE(op, set, rule, checks) UPDATE("Apply" op, set, rule, checks) UPDATE("ResourceApply" op, set, rule, checks)
#define SPARSE(op, set, rule, checks)                                                                                  \
    UPDATE("SparseApply" op, set, rule, checks) UPDATE("ResourceSparseApply" op, set, rule, checks)
#define SIGNS true
#define ANY   false
/* clang-format off */
const struct sl_kernel_def sl_cpu_optimizer_rows[] = {
    DENSE("GradientDescent", FLOATS_COMPLEX, gradient_descent, ANY)
    DENSE("ProximalGradientDescent", WIDE, proximal_gradient_descent, ANY)
    SPARSE("ProximalGradientDescent", WIDE, proximal_gradient_descent, ANY)
    DENSE("Momentum", FLOATS_COMPLEX, momentum, ANY)
    SPARSE("Momentum", FLOATS_COMPLEX, momentum, ANY)
    UPDATE("ResourceApplyKerasMomentum", FLOATS_COMPLEX, keras_momentum, ANY)
    UPDATE("ResourceSparseApplyKerasMomentum", FLOATS_COMPLEX, keras_momentum, ANY)
    DENSE("Adagrad", FLOATS_COMPLEX, adagrad, ANY)
    SPARSE("Adagrad", FLOATS_COMPLEX, adagrad, ANY)
    DENSE("AdagradV2", FLOATS_COMPLEX, adagrad_v2, ANY)
    SPARSE("AdagradV2", FLOATS_COMPLEX, adagrad_v2, ANY)
    DENSE("ProximalAdagrad", WIDE, proximal_adagrad, SIGNS)
    SPARSE("ProximalAdagrad", WIDE, proximal_adagrad, SIGNS)
    DENSE("AdagradDA", WIDE, adagrad_da, ANY)
    SPARSE("AdagradDA", WIDE, adagrad_da, ANY)
    DENSE("Adadelta", FLOATS_COMPLEX, adadelta, ANY)
    SPARSE("Adadelta", FLOATS_COMPLEX, adadelta, ANY)
    DENSE("Ftrl", SL_SET_FLOATS, ftrl, ANY)
    SPARSE("Ftrl", SL_SET_FLOATS, ftrl, SIGNS)
    DENSE("FtrlV2", SL_SET_FLOATS, ftrl, ANY)
    SPARSE("FtrlV2", SL_SET_FLOATS, ftrl, SIGNS)
    DENSE("Adam", FLOATS_COMPLEX, adam, ANY)
    UPDATE("ResourceApplyAdamWithAmsgrad", SL_SET_FLOATS, adam_amsgrad, ANY)
    DENSE("AdaMax", NO_BFLOAT16, ada_max, ANY)
    DENSE("RMSProp", FLOATS_COMPLEX, rms_prop, ANY)
    SPARSE("RMSProp", FLOATS_COMPLEX, sparse_rms_prop, ANY)
    DENSE("CenteredRMSProp", FLOATS_COMPLEX, centered_rms_prop, ANY)
    SPARSE("CenteredRMSProp", FLOATS_COMPLEX, sparse_centered_rms_prop, ANY)
    DENSE("AddSign", SL_SET_FLOATS, add_sign, ANY)
    DENSE("PowerSign", SL_SET_FLOATS, power_sign, ANY)
    SL_ROWS_END
};
/* clang-format on */
