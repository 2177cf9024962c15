/* Wrappers of the optimizer ops, made by tools/gen_ops.py from src/ops/optimizer.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_OPTIMIZER_OPS_H
#define SLUICE_GEN_OPTIMIZER_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_apply_ada_max_attrs {
    bool use_locking; /* false */
};
/* ApplyAdaMax: var: Ref(T), m: Ref(T), v: Ref(T), beta1_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_ada_max_with(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output beta1_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad, struct sl_apply_ada_max_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&m, -1}, {&v, -1}, {&beta1_power, -1}, {&lr, -1}, {&beta1, -1}, {&beta2, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyAdaMax", inputs_, 9, attrs_, 1));
}
static inline TF_Output sl_apply_ada_max(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output beta1_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad) {
    const struct sl_apply_ada_max_attrs attrs = SL_DEFAULTS;
    return sl_apply_ada_max_with(scope, var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad, attrs);
}

struct sl_apply_adadelta_attrs {
    bool use_locking; /* false */
};
/* ApplyAdadelta: var: Ref(T), accum: Ref(T), accum_update: Ref(T), lr: T, rho: T, epsilon: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_adadelta_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output accum_update, TF_Output lr, TF_Output rho, TF_Output epsilon, TF_Output grad, struct sl_apply_adadelta_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&accum_update, -1}, {&lr, -1}, {&rho, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyAdadelta", inputs_, 7, attrs_, 1));
}
static inline TF_Output sl_apply_adadelta(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output accum_update, TF_Output lr, TF_Output rho, TF_Output epsilon, TF_Output grad) {
    const struct sl_apply_adadelta_attrs attrs = SL_DEFAULTS;
    return sl_apply_adadelta_with(scope, var, accum, accum_update, lr, rho, epsilon, grad, attrs);
}

struct sl_apply_adagrad_attrs {
    bool use_locking; /* false */
    enum sl_choice update_slots; /* true */
};
/* ApplyAdagrad: var: Ref(T), accum: Ref(T), lr: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_adagrad_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, struct sl_apply_adagrad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"update_slots", SL_GIVEN_CHOICE, &attrs.update_slots}};
    return sl_op_first(sl_op(scope, "ApplyAdagrad", inputs_, 4, attrs_, 2));
}
static inline TF_Output sl_apply_adagrad(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad) {
    const struct sl_apply_adagrad_attrs attrs = SL_DEFAULTS;
    return sl_apply_adagrad_with(scope, var, accum, lr, grad, attrs);
}

struct sl_apply_adagrad_da_attrs {
    bool use_locking; /* false */
};
/* ApplyAdagradDA: var: Ref(T), gradient_accumulator: Ref(T), gradient_squared_accumulator: Ref(T), grad: T, lr: T, l1: T, l2: T, global_step: int64 -> out: Ref(T) */
static inline TF_Output sl_apply_adagrad_da_with(struct sl_scope *scope, TF_Output var, TF_Output gradient_accumulator, TF_Output gradient_squared_accumulator, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output global_step, struct sl_apply_adagrad_da_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&gradient_accumulator, -1}, {&gradient_squared_accumulator, -1}, {&grad, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&global_step, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyAdagradDA", inputs_, 8, attrs_, 1));
}
static inline TF_Output sl_apply_adagrad_da(struct sl_scope *scope, TF_Output var, TF_Output gradient_accumulator, TF_Output gradient_squared_accumulator, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output global_step) {
    const struct sl_apply_adagrad_da_attrs attrs = SL_DEFAULTS;
    return sl_apply_adagrad_da_with(scope, var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step, attrs);
}

struct sl_apply_adagrad_v2_attrs {
    bool use_locking; /* false */
    enum sl_choice update_slots; /* true */
};
/* ApplyAdagradV2: var: Ref(T), accum: Ref(T), lr: T, epsilon: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_adagrad_v2_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad, struct sl_apply_adagrad_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"update_slots", SL_GIVEN_CHOICE, &attrs.update_slots}};
    return sl_op_first(sl_op(scope, "ApplyAdagradV2", inputs_, 5, attrs_, 2));
}
static inline TF_Output sl_apply_adagrad_v2(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad) {
    const struct sl_apply_adagrad_v2_attrs attrs = SL_DEFAULTS;
    return sl_apply_adagrad_v2_with(scope, var, accum, lr, epsilon, grad, attrs);
}

struct sl_apply_adam_attrs {
    bool use_locking; /* false */
    bool use_nesterov; /* false */
};
/* ApplyAdam: var: Ref(T), m: Ref(T), v: Ref(T), beta1_power: T, beta2_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_adam_with(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output beta1_power, TF_Output beta2_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad, struct sl_apply_adam_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&m, -1}, {&v, -1}, {&beta1_power, -1}, {&beta2_power, -1}, {&lr, -1}, {&beta1, -1}, {&beta2, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"use_nesterov", SL_GIVEN_BOOL, &attrs.use_nesterov}};
    return sl_op_first(sl_op(scope, "ApplyAdam", inputs_, 10, attrs_, 2));
}
static inline TF_Output sl_apply_adam(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output beta1_power, TF_Output beta2_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad) {
    const struct sl_apply_adam_attrs attrs = SL_DEFAULTS;
    return sl_apply_adam_with(scope, var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, attrs);
}

struct sl_apply_add_sign_attrs {
    bool use_locking; /* false */
};
/* ApplyAddSign: var: Ref(T), m: Ref(T), lr: T, alpha: T, sign_decay: T, beta: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_add_sign_with(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output lr, TF_Output alpha, TF_Output sign_decay, TF_Output beta, TF_Output grad, struct sl_apply_add_sign_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&m, -1}, {&lr, -1}, {&alpha, -1}, {&sign_decay, -1}, {&beta, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyAddSign", inputs_, 7, attrs_, 1));
}
static inline TF_Output sl_apply_add_sign(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output lr, TF_Output alpha, TF_Output sign_decay, TF_Output beta, TF_Output grad) {
    const struct sl_apply_add_sign_attrs attrs = SL_DEFAULTS;
    return sl_apply_add_sign_with(scope, var, m, lr, alpha, sign_decay, beta, grad, attrs);
}

struct sl_apply_centered_rms_prop_attrs {
    bool use_locking; /* false */
};
/* ApplyCenteredRMSProp: var: Ref(T), mg: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum: T, epsilon: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_centered_rms_prop_with(struct sl_scope *scope, TF_Output var, TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, struct sl_apply_centered_rms_prop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&mg, -1}, {&ms, -1}, {&mom, -1}, {&lr, -1}, {&rho, -1}, {&momentum, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyCenteredRMSProp", inputs_, 9, attrs_, 1));
}
static inline TF_Output sl_apply_centered_rms_prop(struct sl_scope *scope, TF_Output var, TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad) {
    const struct sl_apply_centered_rms_prop_attrs attrs = SL_DEFAULTS;
    return sl_apply_centered_rms_prop_with(scope, var, mg, ms, mom, lr, rho, momentum, epsilon, grad, attrs);
}

struct sl_apply_ftrl_attrs {
    bool use_locking; /* false */
    bool multiply_linear_by_lr; /* false */
};
/* ApplyFtrl: var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, lr: T, l1: T, l2: T, lr_power: T -> out: Ref(T) */
static inline TF_Output sl_apply_ftrl_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output lr_power, struct sl_apply_ftrl_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&linear, -1}, {&grad, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&lr_power, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"multiply_linear_by_lr", SL_GIVEN_BOOL, &attrs.multiply_linear_by_lr}};
    return sl_op_first(sl_op(scope, "ApplyFtrl", inputs_, 8, attrs_, 2));
}
static inline TF_Output sl_apply_ftrl(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output lr_power) {
    const struct sl_apply_ftrl_attrs attrs = SL_DEFAULTS;
    return sl_apply_ftrl_with(scope, var, accum, linear, grad, lr, l1, l2, lr_power, attrs);
}

struct sl_apply_ftrl_v2_attrs {
    bool use_locking; /* false */
    bool multiply_linear_by_lr; /* false */
};
/* ApplyFtrlV2: var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T -> out: Ref(T) */
static inline TF_Output sl_apply_ftrl_v2_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output l2_shrinkage, TF_Output lr_power, struct sl_apply_ftrl_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&linear, -1}, {&grad, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&l2_shrinkage, -1}, {&lr_power, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"multiply_linear_by_lr", SL_GIVEN_BOOL, &attrs.multiply_linear_by_lr}};
    return sl_op_first(sl_op(scope, "ApplyFtrlV2", inputs_, 9, attrs_, 2));
}
static inline TF_Output sl_apply_ftrl_v2(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output l2_shrinkage, TF_Output lr_power) {
    const struct sl_apply_ftrl_v2_attrs attrs = SL_DEFAULTS;
    return sl_apply_ftrl_v2_with(scope, var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power, attrs);
}

struct sl_apply_gradient_descent_attrs {
    bool use_locking; /* false */
};
/* ApplyGradientDescent: var: Ref(T), alpha: T, delta: T -> out: Ref(T) */
static inline TF_Output sl_apply_gradient_descent_with(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output delta, struct sl_apply_gradient_descent_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&alpha, -1}, {&delta, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyGradientDescent", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_apply_gradient_descent(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output delta) {
    const struct sl_apply_gradient_descent_attrs attrs = SL_DEFAULTS;
    return sl_apply_gradient_descent_with(scope, var, alpha, delta, attrs);
}

struct sl_apply_momentum_attrs {
    bool use_locking; /* false */
    bool use_nesterov; /* false */
};
/* ApplyMomentum: var: Ref(T), accum: Ref(T), lr: T, grad: T, momentum: T -> out: Ref(T) */
static inline TF_Output sl_apply_momentum_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output momentum, struct sl_apply_momentum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}, {&momentum, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"use_nesterov", SL_GIVEN_BOOL, &attrs.use_nesterov}};
    return sl_op_first(sl_op(scope, "ApplyMomentum", inputs_, 5, attrs_, 2));
}
static inline TF_Output sl_apply_momentum(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output momentum) {
    const struct sl_apply_momentum_attrs attrs = SL_DEFAULTS;
    return sl_apply_momentum_with(scope, var, accum, lr, grad, momentum, attrs);
}

struct sl_apply_power_sign_attrs {
    bool use_locking; /* false */
};
/* ApplyPowerSign: var: Ref(T), m: Ref(T), lr: T, logbase: T, sign_decay: T, beta: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_power_sign_with(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output lr, TF_Output logbase, TF_Output sign_decay, TF_Output beta, TF_Output grad, struct sl_apply_power_sign_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&m, -1}, {&lr, -1}, {&logbase, -1}, {&sign_decay, -1}, {&beta, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyPowerSign", inputs_, 7, attrs_, 1));
}
static inline TF_Output sl_apply_power_sign(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output lr, TF_Output logbase, TF_Output sign_decay, TF_Output beta, TF_Output grad) {
    const struct sl_apply_power_sign_attrs attrs = SL_DEFAULTS;
    return sl_apply_power_sign_with(scope, var, m, lr, logbase, sign_decay, beta, grad, attrs);
}

struct sl_apply_proximal_adagrad_attrs {
    bool use_locking; /* false */
};
/* ApplyProximalAdagrad: var: Ref(T), accum: Ref(T), lr: T, l1: T, l2: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_proximal_adagrad_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad, struct sl_apply_proximal_adagrad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyProximalAdagrad", inputs_, 6, attrs_, 1));
}
static inline TF_Output sl_apply_proximal_adagrad(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad) {
    const struct sl_apply_proximal_adagrad_attrs attrs = SL_DEFAULTS;
    return sl_apply_proximal_adagrad_with(scope, var, accum, lr, l1, l2, grad, attrs);
}

struct sl_apply_proximal_gradient_descent_attrs {
    bool use_locking; /* false */
};
/* ApplyProximalGradientDescent: var: Ref(T), alpha: T, l1: T, l2: T, delta: T -> out: Ref(T) */
static inline TF_Output sl_apply_proximal_gradient_descent_with(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output delta, struct sl_apply_proximal_gradient_descent_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&alpha, -1}, {&l1, -1}, {&l2, -1}, {&delta, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyProximalGradientDescent", inputs_, 5, attrs_, 1));
}
static inline TF_Output sl_apply_proximal_gradient_descent(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output delta) {
    const struct sl_apply_proximal_gradient_descent_attrs attrs = SL_DEFAULTS;
    return sl_apply_proximal_gradient_descent_with(scope, var, alpha, l1, l2, delta, attrs);
}

struct sl_apply_rms_prop_attrs {
    bool use_locking; /* false */
};
/* ApplyRMSProp: var: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum: T, epsilon: T, grad: T -> out: Ref(T) */
static inline TF_Output sl_apply_rms_prop_with(struct sl_scope *scope, TF_Output var, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, struct sl_apply_rms_prop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&ms, -1}, {&mom, -1}, {&lr, -1}, {&rho, -1}, {&momentum, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "ApplyRMSProp", inputs_, 8, attrs_, 1));
}
static inline TF_Output sl_apply_rms_prop(struct sl_scope *scope, TF_Output var, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad) {
    const struct sl_apply_rms_prop_attrs attrs = SL_DEFAULTS;
    return sl_apply_rms_prop_with(scope, var, ms, mom, lr, rho, momentum, epsilon, grad, attrs);
}

struct sl_neg_train_attrs {
    struct sl_ints vocab_count; /* must be given */
    int64_t num_negative_samples; /* must be given */
};
/* NegTrain: w_in: Ref(float), w_out: Ref(float), examples: int32, labels: int32, lr: float -> () */
static inline TF_Operation *sl_neg_train(struct sl_scope *scope, TF_Output w_in, TF_Output w_out, TF_Output examples, TF_Output labels, TF_Output lr, struct sl_neg_train_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&w_in, -1}, {&w_out, -1}, {&examples, -1}, {&labels, -1}, {&lr, -1}};
    const struct sl_attr_given attrs_[] = {{"vocab_count", SL_GIVEN_INTS_NEEDED, &attrs.vocab_count}, {"num_negative_samples", SL_GIVEN_INT_NEEDED, &attrs.num_negative_samples}};
    return sl_op(scope, "NegTrain", inputs_, 5, attrs_, 2);
}

struct sl_resource_apply_ada_max_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyAdaMax: var: resource, m: resource, v: resource, beta1_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_ada_max_with(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output beta1_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad, struct sl_resource_apply_ada_max_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&m, -1}, {&v, -1}, {&beta1_power, -1}, {&lr, -1}, {&beta1, -1}, {&beta2, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyAdaMax", inputs_, 9, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_ada_max(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output beta1_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad) {
    const struct sl_resource_apply_ada_max_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_ada_max_with(scope, var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad, attrs);
}

struct sl_resource_apply_adadelta_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyAdadelta: var: resource, accum: resource, accum_update: resource, lr: T, rho: T, epsilon: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_adadelta_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output accum_update, TF_Output lr, TF_Output rho, TF_Output epsilon, TF_Output grad, struct sl_resource_apply_adadelta_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&accum_update, -1}, {&lr, -1}, {&rho, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyAdadelta", inputs_, 7, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_adadelta(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output accum_update, TF_Output lr, TF_Output rho, TF_Output epsilon, TF_Output grad) {
    const struct sl_resource_apply_adadelta_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_adadelta_with(scope, var, accum, accum_update, lr, rho, epsilon, grad, attrs);
}

struct sl_resource_apply_adagrad_attrs {
    bool use_locking; /* false */
    enum sl_choice update_slots; /* true */
};
/* ResourceApplyAdagrad: var: resource, accum: resource, lr: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_adagrad_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, struct sl_resource_apply_adagrad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"update_slots", SL_GIVEN_CHOICE, &attrs.update_slots}};
    return sl_op(scope, "ResourceApplyAdagrad", inputs_, 4, attrs_, 2);
}
static inline TF_Operation *sl_resource_apply_adagrad(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad) {
    const struct sl_resource_apply_adagrad_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_adagrad_with(scope, var, accum, lr, grad, attrs);
}

struct sl_resource_apply_adagrad_da_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyAdagradDA: var: resource, gradient_accumulator: resource, gradient_squared_accumulator: resource, grad: T, lr: T, l1: T, l2: T, global_step: int64 -> () */
static inline TF_Operation *sl_resource_apply_adagrad_da_with(struct sl_scope *scope, TF_Output var, TF_Output gradient_accumulator, TF_Output gradient_squared_accumulator, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output global_step, struct sl_resource_apply_adagrad_da_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&gradient_accumulator, -1}, {&gradient_squared_accumulator, -1}, {&grad, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&global_step, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyAdagradDA", inputs_, 8, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_adagrad_da(struct sl_scope *scope, TF_Output var, TF_Output gradient_accumulator, TF_Output gradient_squared_accumulator, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output global_step) {
    const struct sl_resource_apply_adagrad_da_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_adagrad_da_with(scope, var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step, attrs);
}

struct sl_resource_apply_adagrad_v2_attrs {
    bool use_locking; /* false */
    enum sl_choice update_slots; /* true */
};
/* ResourceApplyAdagradV2: var: resource, accum: resource, lr: T, epsilon: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_adagrad_v2_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad, struct sl_resource_apply_adagrad_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"update_slots", SL_GIVEN_CHOICE, &attrs.update_slots}};
    return sl_op(scope, "ResourceApplyAdagradV2", inputs_, 5, attrs_, 2);
}
static inline TF_Operation *sl_resource_apply_adagrad_v2(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad) {
    const struct sl_resource_apply_adagrad_v2_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_adagrad_v2_with(scope, var, accum, lr, epsilon, grad, attrs);
}

struct sl_resource_apply_adam_attrs {
    bool use_locking; /* false */
    bool use_nesterov; /* false */
};
/* ResourceApplyAdam: var: resource, m: resource, v: resource, beta1_power: T, beta2_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_adam_with(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output beta1_power, TF_Output beta2_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad, struct sl_resource_apply_adam_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&m, -1}, {&v, -1}, {&beta1_power, -1}, {&beta2_power, -1}, {&lr, -1}, {&beta1, -1}, {&beta2, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"use_nesterov", SL_GIVEN_BOOL, &attrs.use_nesterov}};
    return sl_op(scope, "ResourceApplyAdam", inputs_, 10, attrs_, 2);
}
static inline TF_Operation *sl_resource_apply_adam(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output beta1_power, TF_Output beta2_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad) {
    const struct sl_resource_apply_adam_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_adam_with(scope, var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, attrs);
}

struct sl_resource_apply_adam_with_amsgrad_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyAdamWithAmsgrad: var: resource, m: resource, v: resource, vhat: resource, beta1_power: T, beta2_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_adam_with_amsgrad_with(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output vhat, TF_Output beta1_power, TF_Output beta2_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad, struct sl_resource_apply_adam_with_amsgrad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&m, -1}, {&v, -1}, {&vhat, -1}, {&beta1_power, -1}, {&beta2_power, -1}, {&lr, -1}, {&beta1, -1}, {&beta2, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyAdamWithAmsgrad", inputs_, 11, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_adam_with_amsgrad(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output v, TF_Output vhat, TF_Output beta1_power, TF_Output beta2_power, TF_Output lr, TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad) {
    const struct sl_resource_apply_adam_with_amsgrad_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_adam_with_amsgrad_with(scope, var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, attrs);
}

struct sl_resource_apply_add_sign_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyAddSign: var: resource, m: resource, lr: T, alpha: T, sign_decay: T, beta: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_add_sign_with(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output lr, TF_Output alpha, TF_Output sign_decay, TF_Output beta, TF_Output grad, struct sl_resource_apply_add_sign_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&m, -1}, {&lr, -1}, {&alpha, -1}, {&sign_decay, -1}, {&beta, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyAddSign", inputs_, 7, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_add_sign(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output lr, TF_Output alpha, TF_Output sign_decay, TF_Output beta, TF_Output grad) {
    const struct sl_resource_apply_add_sign_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_add_sign_with(scope, var, m, lr, alpha, sign_decay, beta, grad, attrs);
}

struct sl_resource_apply_centered_rms_prop_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyCenteredRMSProp: var: resource, mg: resource, ms: resource, mom: resource, lr: T, rho: T, momentum: T, epsilon: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_centered_rms_prop_with(struct sl_scope *scope, TF_Output var, TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, struct sl_resource_apply_centered_rms_prop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&mg, -1}, {&ms, -1}, {&mom, -1}, {&lr, -1}, {&rho, -1}, {&momentum, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyCenteredRMSProp", inputs_, 9, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_centered_rms_prop(struct sl_scope *scope, TF_Output var, TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad) {
    const struct sl_resource_apply_centered_rms_prop_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_centered_rms_prop_with(scope, var, mg, ms, mom, lr, rho, momentum, epsilon, grad, attrs);
}

struct sl_resource_apply_ftrl_attrs {
    bool use_locking; /* false */
    bool multiply_linear_by_lr; /* false */
};
/* ResourceApplyFtrl: var: resource, accum: resource, linear: resource, grad: T, lr: T, l1: T, l2: T, lr_power: T -> () */
static inline TF_Operation *sl_resource_apply_ftrl_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output lr_power, struct sl_resource_apply_ftrl_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&linear, -1}, {&grad, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&lr_power, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"multiply_linear_by_lr", SL_GIVEN_BOOL, &attrs.multiply_linear_by_lr}};
    return sl_op(scope, "ResourceApplyFtrl", inputs_, 8, attrs_, 2);
}
static inline TF_Operation *sl_resource_apply_ftrl(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output lr_power) {
    const struct sl_resource_apply_ftrl_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_ftrl_with(scope, var, accum, linear, grad, lr, l1, l2, lr_power, attrs);
}

struct sl_resource_apply_ftrl_v2_attrs {
    bool use_locking; /* false */
    bool multiply_linear_by_lr; /* false */
};
/* ResourceApplyFtrlV2: var: resource, accum: resource, linear: resource, grad: T, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T -> () */
static inline TF_Operation *sl_resource_apply_ftrl_v2_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output l2_shrinkage, TF_Output lr_power, struct sl_resource_apply_ftrl_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&linear, -1}, {&grad, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&l2_shrinkage, -1}, {&lr_power, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"multiply_linear_by_lr", SL_GIVEN_BOOL, &attrs.multiply_linear_by_lr}};
    return sl_op(scope, "ResourceApplyFtrlV2", inputs_, 9, attrs_, 2);
}
static inline TF_Operation *sl_resource_apply_ftrl_v2(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output l2_shrinkage, TF_Output lr_power) {
    const struct sl_resource_apply_ftrl_v2_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_ftrl_v2_with(scope, var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power, attrs);
}

struct sl_resource_apply_gradient_descent_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyGradientDescent: var: resource, alpha: T, delta: T -> () */
static inline TF_Operation *sl_resource_apply_gradient_descent_with(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output delta, struct sl_resource_apply_gradient_descent_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&alpha, -1}, {&delta, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyGradientDescent", inputs_, 3, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_gradient_descent(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output delta) {
    const struct sl_resource_apply_gradient_descent_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_gradient_descent_with(scope, var, alpha, delta, attrs);
}

struct sl_resource_apply_keras_momentum_attrs {
    bool use_locking; /* false */
    bool use_nesterov; /* false */
};
/* ResourceApplyKerasMomentum: var: resource, accum: resource, lr: T, grad: T, momentum: T -> () */
static inline TF_Operation *sl_resource_apply_keras_momentum_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output momentum, struct sl_resource_apply_keras_momentum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}, {&momentum, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"use_nesterov", SL_GIVEN_BOOL, &attrs.use_nesterov}};
    return sl_op(scope, "ResourceApplyKerasMomentum", inputs_, 5, attrs_, 2);
}
static inline TF_Operation *sl_resource_apply_keras_momentum(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output momentum) {
    const struct sl_resource_apply_keras_momentum_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_keras_momentum_with(scope, var, accum, lr, grad, momentum, attrs);
}

struct sl_resource_apply_momentum_attrs {
    bool use_locking; /* false */
    bool use_nesterov; /* false */
};
/* ResourceApplyMomentum: var: resource, accum: resource, lr: T, grad: T, momentum: T -> () */
static inline TF_Operation *sl_resource_apply_momentum_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output momentum, struct sl_resource_apply_momentum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}, {&momentum, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"use_nesterov", SL_GIVEN_BOOL, &attrs.use_nesterov}};
    return sl_op(scope, "ResourceApplyMomentum", inputs_, 5, attrs_, 2);
}
static inline TF_Operation *sl_resource_apply_momentum(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output momentum) {
    const struct sl_resource_apply_momentum_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_momentum_with(scope, var, accum, lr, grad, momentum, attrs);
}

struct sl_resource_apply_power_sign_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyPowerSign: var: resource, m: resource, lr: T, logbase: T, sign_decay: T, beta: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_power_sign_with(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output lr, TF_Output logbase, TF_Output sign_decay, TF_Output beta, TF_Output grad, struct sl_resource_apply_power_sign_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&m, -1}, {&lr, -1}, {&logbase, -1}, {&sign_decay, -1}, {&beta, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyPowerSign", inputs_, 7, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_power_sign(struct sl_scope *scope, TF_Output var, TF_Output m, TF_Output lr, TF_Output logbase, TF_Output sign_decay, TF_Output beta, TF_Output grad) {
    const struct sl_resource_apply_power_sign_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_power_sign_with(scope, var, m, lr, logbase, sign_decay, beta, grad, attrs);
}

struct sl_resource_apply_proximal_adagrad_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyProximalAdagrad: var: resource, accum: resource, lr: T, l1: T, l2: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_proximal_adagrad_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad, struct sl_resource_apply_proximal_adagrad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyProximalAdagrad", inputs_, 6, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_proximal_adagrad(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad) {
    const struct sl_resource_apply_proximal_adagrad_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_proximal_adagrad_with(scope, var, accum, lr, l1, l2, grad, attrs);
}

struct sl_resource_apply_proximal_gradient_descent_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyProximalGradientDescent: var: resource, alpha: T, l1: T, l2: T, delta: T -> () */
static inline TF_Operation *sl_resource_apply_proximal_gradient_descent_with(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output delta, struct sl_resource_apply_proximal_gradient_descent_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&alpha, -1}, {&l1, -1}, {&l2, -1}, {&delta, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyProximalGradientDescent", inputs_, 5, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_proximal_gradient_descent(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output delta) {
    const struct sl_resource_apply_proximal_gradient_descent_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_proximal_gradient_descent_with(scope, var, alpha, l1, l2, delta, attrs);
}

struct sl_resource_apply_rms_prop_attrs {
    bool use_locking; /* false */
};
/* ResourceApplyRMSProp: var: resource, ms: resource, mom: resource, lr: T, rho: T, momentum: T, epsilon: T, grad: T -> () */
static inline TF_Operation *sl_resource_apply_rms_prop_with(struct sl_scope *scope, TF_Output var, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, struct sl_resource_apply_rms_prop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&ms, -1}, {&mom, -1}, {&lr, -1}, {&rho, -1}, {&momentum, -1}, {&epsilon, -1}, {&grad, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceApplyRMSProp", inputs_, 8, attrs_, 1);
}
static inline TF_Operation *sl_resource_apply_rms_prop(struct sl_scope *scope, TF_Output var, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad) {
    const struct sl_resource_apply_rms_prop_attrs attrs = SL_DEFAULTS;
    return sl_resource_apply_rms_prop_with(scope, var, ms, mom, lr, rho, momentum, epsilon, grad, attrs);
}

struct sl_resource_sparse_apply_adadelta_attrs {
    bool use_locking; /* false */
};
/* ResourceSparseApplyAdadelta: var: resource, accum: resource, accum_update: resource, lr: T, rho: T, epsilon: T, grad: T, indices: Tindices -> () */
static inline TF_Operation *sl_resource_sparse_apply_adadelta_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output accum_update, TF_Output lr, TF_Output rho, TF_Output epsilon, TF_Output grad, TF_Output indices, struct sl_resource_sparse_apply_adadelta_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&accum_update, -1}, {&lr, -1}, {&rho, -1}, {&epsilon, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceSparseApplyAdadelta", inputs_, 8, attrs_, 1);
}
static inline TF_Operation *sl_resource_sparse_apply_adadelta(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output accum_update, TF_Output lr, TF_Output rho, TF_Output epsilon, TF_Output grad, TF_Output indices) {
    const struct sl_resource_sparse_apply_adadelta_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_adadelta_with(scope, var, accum, accum_update, lr, rho, epsilon, grad, indices, attrs);
}

struct sl_resource_sparse_apply_adagrad_attrs {
    bool use_locking; /* false */
    enum sl_choice update_slots; /* true */
};
/* ResourceSparseApplyAdagrad: var: resource, accum: resource, lr: T, grad: T, indices: Tindices -> () */
static inline TF_Operation *sl_resource_sparse_apply_adagrad_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices, struct sl_resource_sparse_apply_adagrad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"update_slots", SL_GIVEN_CHOICE, &attrs.update_slots}};
    return sl_op(scope, "ResourceSparseApplyAdagrad", inputs_, 5, attrs_, 2);
}
static inline TF_Operation *sl_resource_sparse_apply_adagrad(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices) {
    const struct sl_resource_sparse_apply_adagrad_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_adagrad_with(scope, var, accum, lr, grad, indices, attrs);
}

struct sl_resource_sparse_apply_adagrad_da_attrs {
    bool use_locking; /* false */
};
/* ResourceSparseApplyAdagradDA: var: resource, gradient_accumulator: resource, gradient_squared_accumulator: resource, grad: T, indices: Tindices, lr: T, l1: T, l2: T, global_step: int64 -> () */
static inline TF_Operation *sl_resource_sparse_apply_adagrad_da_with(struct sl_scope *scope, TF_Output var, TF_Output gradient_accumulator, TF_Output gradient_squared_accumulator, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output global_step, struct sl_resource_sparse_apply_adagrad_da_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&gradient_accumulator, -1}, {&gradient_squared_accumulator, -1}, {&grad, -1}, {&indices, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&global_step, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceSparseApplyAdagradDA", inputs_, 9, attrs_, 1);
}
static inline TF_Operation *sl_resource_sparse_apply_adagrad_da(struct sl_scope *scope, TF_Output var, TF_Output gradient_accumulator, TF_Output gradient_squared_accumulator, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output global_step) {
    const struct sl_resource_sparse_apply_adagrad_da_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_adagrad_da_with(scope, var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step, attrs);
}

struct sl_resource_sparse_apply_adagrad_v2_attrs {
    bool use_locking; /* false */
    enum sl_choice update_slots; /* true */
};
/* ResourceSparseApplyAdagradV2: var: resource, accum: resource, lr: T, epsilon: T, grad: T, indices: Tindices -> () */
static inline TF_Operation *sl_resource_sparse_apply_adagrad_v2_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad, TF_Output indices, struct sl_resource_sparse_apply_adagrad_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&epsilon, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"update_slots", SL_GIVEN_CHOICE, &attrs.update_slots}};
    return sl_op(scope, "ResourceSparseApplyAdagradV2", inputs_, 6, attrs_, 2);
}
static inline TF_Operation *sl_resource_sparse_apply_adagrad_v2(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad, TF_Output indices) {
    const struct sl_resource_sparse_apply_adagrad_v2_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_adagrad_v2_with(scope, var, accum, lr, epsilon, grad, indices, attrs);
}

struct sl_resource_sparse_apply_centered_rms_prop_attrs {
    bool use_locking; /* false */
};
/* ResourceSparseApplyCenteredRMSProp: var: resource, mg: resource, ms: resource, mom: resource, lr: T, rho: T, momentum: T, epsilon: T, grad: T, indices: Tindices -> () */
static inline TF_Operation *sl_resource_sparse_apply_centered_rms_prop_with(struct sl_scope *scope, TF_Output var, TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, TF_Output indices, struct sl_resource_sparse_apply_centered_rms_prop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&mg, -1}, {&ms, -1}, {&mom, -1}, {&lr, -1}, {&rho, -1}, {&momentum, -1}, {&epsilon, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceSparseApplyCenteredRMSProp", inputs_, 10, attrs_, 1);
}
static inline TF_Operation *sl_resource_sparse_apply_centered_rms_prop(struct sl_scope *scope, TF_Output var, TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, TF_Output indices) {
    const struct sl_resource_sparse_apply_centered_rms_prop_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_centered_rms_prop_with(scope, var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices, attrs);
}

struct sl_resource_sparse_apply_ftrl_attrs {
    bool use_locking; /* false */
    bool multiply_linear_by_lr; /* false */
};
/* ResourceSparseApplyFtrl: var: resource, accum: resource, linear: resource, grad: T, indices: Tindices, lr: T, l1: T, l2: T, lr_power: T -> () */
static inline TF_Operation *sl_resource_sparse_apply_ftrl_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output lr_power, struct sl_resource_sparse_apply_ftrl_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&linear, -1}, {&grad, -1}, {&indices, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&lr_power, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"multiply_linear_by_lr", SL_GIVEN_BOOL, &attrs.multiply_linear_by_lr}};
    return sl_op(scope, "ResourceSparseApplyFtrl", inputs_, 9, attrs_, 2);
}
static inline TF_Operation *sl_resource_sparse_apply_ftrl(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output lr_power) {
    const struct sl_resource_sparse_apply_ftrl_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_ftrl_with(scope, var, accum, linear, grad, indices, lr, l1, l2, lr_power, attrs);
}

struct sl_resource_sparse_apply_ftrl_v2_attrs {
    bool use_locking; /* false */
    bool multiply_linear_by_lr; /* false */
};
/* ResourceSparseApplyFtrlV2: var: resource, accum: resource, linear: resource, grad: T, indices: Tindices, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T -> () */
static inline TF_Operation *sl_resource_sparse_apply_ftrl_v2_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output l2_shrinkage, TF_Output lr_power, struct sl_resource_sparse_apply_ftrl_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&linear, -1}, {&grad, -1}, {&indices, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&l2_shrinkage, -1}, {&lr_power, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"multiply_linear_by_lr", SL_GIVEN_BOOL, &attrs.multiply_linear_by_lr}};
    return sl_op(scope, "ResourceSparseApplyFtrlV2", inputs_, 10, attrs_, 2);
}
static inline TF_Operation *sl_resource_sparse_apply_ftrl_v2(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output l2_shrinkage, TF_Output lr_power) {
    const struct sl_resource_sparse_apply_ftrl_v2_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_ftrl_v2_with(scope, var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power, attrs);
}

struct sl_resource_sparse_apply_keras_momentum_attrs {
    bool use_locking; /* false */
    bool use_nesterov; /* false */
};
/* ResourceSparseApplyKerasMomentum: var: resource, accum: resource, lr: T, grad: T, indices: Tindices, momentum: T -> () */
static inline TF_Operation *sl_resource_sparse_apply_keras_momentum_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices, TF_Output momentum, struct sl_resource_sparse_apply_keras_momentum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}, {&indices, -1}, {&momentum, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"use_nesterov", SL_GIVEN_BOOL, &attrs.use_nesterov}};
    return sl_op(scope, "ResourceSparseApplyKerasMomentum", inputs_, 6, attrs_, 2);
}
static inline TF_Operation *sl_resource_sparse_apply_keras_momentum(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices, TF_Output momentum) {
    const struct sl_resource_sparse_apply_keras_momentum_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_keras_momentum_with(scope, var, accum, lr, grad, indices, momentum, attrs);
}

struct sl_resource_sparse_apply_momentum_attrs {
    bool use_locking; /* false */
    bool use_nesterov; /* false */
};
/* ResourceSparseApplyMomentum: var: resource, accum: resource, lr: T, grad: T, indices: Tindices, momentum: T -> () */
static inline TF_Operation *sl_resource_sparse_apply_momentum_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices, TF_Output momentum, struct sl_resource_sparse_apply_momentum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}, {&indices, -1}, {&momentum, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"use_nesterov", SL_GIVEN_BOOL, &attrs.use_nesterov}};
    return sl_op(scope, "ResourceSparseApplyMomentum", inputs_, 6, attrs_, 2);
}
static inline TF_Operation *sl_resource_sparse_apply_momentum(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices, TF_Output momentum) {
    const struct sl_resource_sparse_apply_momentum_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_momentum_with(scope, var, accum, lr, grad, indices, momentum, attrs);
}

struct sl_resource_sparse_apply_proximal_adagrad_attrs {
    bool use_locking; /* false */
};
/* ResourceSparseApplyProximalAdagrad: var: resource, accum: resource, lr: T, l1: T, l2: T, grad: T, indices: Tindices -> () */
static inline TF_Operation *sl_resource_sparse_apply_proximal_adagrad_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices, struct sl_resource_sparse_apply_proximal_adagrad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceSparseApplyProximalAdagrad", inputs_, 7, attrs_, 1);
}
static inline TF_Operation *sl_resource_sparse_apply_proximal_adagrad(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices) {
    const struct sl_resource_sparse_apply_proximal_adagrad_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_proximal_adagrad_with(scope, var, accum, lr, l1, l2, grad, indices, attrs);
}

struct sl_resource_sparse_apply_proximal_gradient_descent_attrs {
    bool use_locking; /* false */
};
/* ResourceSparseApplyProximalGradientDescent: var: resource, alpha: T, l1: T, l2: T, grad: T, indices: Tindices -> () */
static inline TF_Operation *sl_resource_sparse_apply_proximal_gradient_descent_with(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices, struct sl_resource_sparse_apply_proximal_gradient_descent_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&alpha, -1}, {&l1, -1}, {&l2, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceSparseApplyProximalGradientDescent", inputs_, 6, attrs_, 1);
}
static inline TF_Operation *sl_resource_sparse_apply_proximal_gradient_descent(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices) {
    const struct sl_resource_sparse_apply_proximal_gradient_descent_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_proximal_gradient_descent_with(scope, var, alpha, l1, l2, grad, indices, attrs);
}

struct sl_resource_sparse_apply_rms_prop_attrs {
    bool use_locking; /* false */
};
/* ResourceSparseApplyRMSProp: var: resource, ms: resource, mom: resource, lr: T, rho: T, momentum: T, epsilon: T, grad: T, indices: Tindices -> () */
static inline TF_Operation *sl_resource_sparse_apply_rms_prop_with(struct sl_scope *scope, TF_Output var, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, TF_Output indices, struct sl_resource_sparse_apply_rms_prop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&ms, -1}, {&mom, -1}, {&lr, -1}, {&rho, -1}, {&momentum, -1}, {&epsilon, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op(scope, "ResourceSparseApplyRMSProp", inputs_, 9, attrs_, 1);
}
static inline TF_Operation *sl_resource_sparse_apply_rms_prop(struct sl_scope *scope, TF_Output var, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, TF_Output indices) {
    const struct sl_resource_sparse_apply_rms_prop_attrs attrs = SL_DEFAULTS;
    return sl_resource_sparse_apply_rms_prop_with(scope, var, ms, mom, lr, rho, momentum, epsilon, grad, indices, attrs);
}

struct sl_sdca_optimizer_attrs {
    const char *loss_type; /* must be given */
    bool adaptative; /* false */
    float l1; /* must be given */
    float l2; /* must be given */
    int64_t num_loss_partitions; /* must be given */
    int64_t num_inner_iterations; /* must be given */
};
/* SdcaOptimizer: sparse_example_indices: num_sparse_features * int64, sparse_feature_indices: num_sparse_features * int64, sparse_feature_values: num_sparse_features_with_values * float, dense_features: num_dense_features * float, example_weights: float, example_labels: float, sparse_indices: num_sparse_features * int64, sparse_weights: num_sparse_features * float, dense_weights: num_dense_features * float, example_state_data: float -> out_example_state_data: float, out_delta_sparse_weights: num_sparse_features * float, out_delta_dense_weights: num_dense_features * float */
static inline TF_Operation *sl_sdca_optimizer(struct sl_scope *scope, const TF_Output *sparse_example_indices, int num_sparse_example_indices, const TF_Output *sparse_feature_indices, int num_sparse_feature_indices, const TF_Output *sparse_feature_values, int num_sparse_feature_values, const TF_Output *dense_features, int num_dense_features, TF_Output example_weights, TF_Output example_labels, const TF_Output *sparse_indices, int num_sparse_indices, const TF_Output *sparse_weights, int num_sparse_weights, const TF_Output *dense_weights, int num_dense_weights, TF_Output example_state_data, struct sl_sdca_optimizer_attrs attrs) {
    const struct sl_op_input inputs_[] = {{sparse_example_indices, num_sparse_example_indices}, {sparse_feature_indices, num_sparse_feature_indices}, {sparse_feature_values, num_sparse_feature_values}, {dense_features, num_dense_features}, {&example_weights, -1}, {&example_labels, -1}, {sparse_indices, num_sparse_indices}, {sparse_weights, num_sparse_weights}, {dense_weights, num_dense_weights}, {&example_state_data, -1}};
    const struct sl_attr_given attrs_[] = {{"loss_type", SL_GIVEN_STRING, &attrs.loss_type}, {"adaptative", SL_GIVEN_BOOL, &attrs.adaptative}, {"l1", SL_GIVEN_FLOAT_NEEDED, &attrs.l1}, {"l2", SL_GIVEN_FLOAT_NEEDED, &attrs.l2}, {"num_loss_partitions", SL_GIVEN_INT_NEEDED, &attrs.num_loss_partitions}, {"num_inner_iterations", SL_GIVEN_INT_NEEDED, &attrs.num_inner_iterations}};
    return sl_op(scope, "SdcaOptimizer", inputs_, 10, attrs_, 6);
}

struct sl_sdca_optimizer_v2_attrs {
    const char *loss_type; /* must be given */
    bool adaptive; /* false */
    float l1; /* must be given */
    float l2; /* must be given */
    int64_t num_loss_partitions; /* must be given */
    int64_t num_inner_iterations; /* must be given */
};
/* SdcaOptimizerV2: sparse_example_indices: num_sparse_features * int64, sparse_feature_indices: num_sparse_features * int64, sparse_feature_values: num_sparse_features_with_values * float, dense_features: num_dense_features * float, example_weights: float, example_labels: float, sparse_indices: num_sparse_features * int64, sparse_weights: num_sparse_features * float, dense_weights: num_dense_features * float, example_state_data: float -> out_example_state_data: float, out_delta_sparse_weights: num_sparse_features * float, out_delta_dense_weights: num_dense_features * float */
static inline TF_Operation *sl_sdca_optimizer_v2(struct sl_scope *scope, const TF_Output *sparse_example_indices, int num_sparse_example_indices, const TF_Output *sparse_feature_indices, int num_sparse_feature_indices, const TF_Output *sparse_feature_values, int num_sparse_feature_values, const TF_Output *dense_features, int num_dense_features, TF_Output example_weights, TF_Output example_labels, const TF_Output *sparse_indices, int num_sparse_indices, const TF_Output *sparse_weights, int num_sparse_weights, const TF_Output *dense_weights, int num_dense_weights, TF_Output example_state_data, struct sl_sdca_optimizer_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{sparse_example_indices, num_sparse_example_indices}, {sparse_feature_indices, num_sparse_feature_indices}, {sparse_feature_values, num_sparse_feature_values}, {dense_features, num_dense_features}, {&example_weights, -1}, {&example_labels, -1}, {sparse_indices, num_sparse_indices}, {sparse_weights, num_sparse_weights}, {dense_weights, num_dense_weights}, {&example_state_data, -1}};
    const struct sl_attr_given attrs_[] = {{"loss_type", SL_GIVEN_STRING, &attrs.loss_type}, {"adaptive", SL_GIVEN_BOOL, &attrs.adaptive}, {"l1", SL_GIVEN_FLOAT_NEEDED, &attrs.l1}, {"l2", SL_GIVEN_FLOAT_NEEDED, &attrs.l2}, {"num_loss_partitions", SL_GIVEN_INT_NEEDED, &attrs.num_loss_partitions}, {"num_inner_iterations", SL_GIVEN_INT_NEEDED, &attrs.num_inner_iterations}};
    return sl_op(scope, "SdcaOptimizerV2", inputs_, 10, attrs_, 6);
}

struct sl_sdca_shrink_l1_attrs {
    float l1; /* must be given */
    float l2; /* must be given */
};
/* SdcaShrinkL1: weights: Ref(num_features * float) -> () */
static inline TF_Operation *sl_sdca_shrink_l1(struct sl_scope *scope, const TF_Output *weights, int num_weights, struct sl_sdca_shrink_l1_attrs attrs) {
    const struct sl_op_input inputs_[] = {{weights, num_weights}};
    const struct sl_attr_given attrs_[] = {{"l1", SL_GIVEN_FLOAT_NEEDED, &attrs.l1}, {"l2", SL_GIVEN_FLOAT_NEEDED, &attrs.l2}};
    return sl_op(scope, "SdcaShrinkL1", inputs_, 1, attrs_, 2);
}

struct sl_sparse_apply_adadelta_attrs {
    bool use_locking; /* false */
};
/* SparseApplyAdadelta: var: Ref(T), accum: Ref(T), accum_update: Ref(T), lr: T, rho: T, epsilon: T, grad: T, indices: Tindices -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_adadelta_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output accum_update, TF_Output lr, TF_Output rho, TF_Output epsilon, TF_Output grad, TF_Output indices, struct sl_sparse_apply_adadelta_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&accum_update, -1}, {&lr, -1}, {&rho, -1}, {&epsilon, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "SparseApplyAdadelta", inputs_, 8, attrs_, 1));
}
static inline TF_Output sl_sparse_apply_adadelta(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output accum_update, TF_Output lr, TF_Output rho, TF_Output epsilon, TF_Output grad, TF_Output indices) {
    const struct sl_sparse_apply_adadelta_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_adadelta_with(scope, var, accum, accum_update, lr, rho, epsilon, grad, indices, attrs);
}

struct sl_sparse_apply_adagrad_attrs {
    bool use_locking; /* false */
    enum sl_choice update_slots; /* true */
};
/* SparseApplyAdagrad: var: Ref(T), accum: Ref(T), lr: T, grad: T, indices: Tindices -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_adagrad_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices, struct sl_sparse_apply_adagrad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"update_slots", SL_GIVEN_CHOICE, &attrs.update_slots}};
    return sl_op_first(sl_op(scope, "SparseApplyAdagrad", inputs_, 5, attrs_, 2));
}
static inline TF_Output sl_sparse_apply_adagrad(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices) {
    const struct sl_sparse_apply_adagrad_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_adagrad_with(scope, var, accum, lr, grad, indices, attrs);
}

struct sl_sparse_apply_adagrad_da_attrs {
    bool use_locking; /* false */
};
/* SparseApplyAdagradDA: var: Ref(T), gradient_accumulator: Ref(T), gradient_squared_accumulator: Ref(T), grad: T, indices: Tindices, lr: T, l1: T, l2: T, global_step: int64 -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_adagrad_da_with(struct sl_scope *scope, TF_Output var, TF_Output gradient_accumulator, TF_Output gradient_squared_accumulator, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output global_step, struct sl_sparse_apply_adagrad_da_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&gradient_accumulator, -1}, {&gradient_squared_accumulator, -1}, {&grad, -1}, {&indices, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&global_step, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "SparseApplyAdagradDA", inputs_, 9, attrs_, 1));
}
static inline TF_Output sl_sparse_apply_adagrad_da(struct sl_scope *scope, TF_Output var, TF_Output gradient_accumulator, TF_Output gradient_squared_accumulator, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output global_step) {
    const struct sl_sparse_apply_adagrad_da_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_adagrad_da_with(scope, var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step, attrs);
}

struct sl_sparse_apply_adagrad_v2_attrs {
    bool use_locking; /* false */
    enum sl_choice update_slots; /* true */
};
/* SparseApplyAdagradV2: var: Ref(T), accum: Ref(T), lr: T, epsilon: T, grad: T, indices: Tindices -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_adagrad_v2_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad, TF_Output indices, struct sl_sparse_apply_adagrad_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&epsilon, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"update_slots", SL_GIVEN_CHOICE, &attrs.update_slots}};
    return sl_op_first(sl_op(scope, "SparseApplyAdagradV2", inputs_, 6, attrs_, 2));
}
static inline TF_Output sl_sparse_apply_adagrad_v2(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad, TF_Output indices) {
    const struct sl_sparse_apply_adagrad_v2_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_adagrad_v2_with(scope, var, accum, lr, epsilon, grad, indices, attrs);
}

struct sl_sparse_apply_centered_rms_prop_attrs {
    bool use_locking; /* false */
};
/* SparseApplyCenteredRMSProp: var: Ref(T), mg: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum: T, epsilon: T, grad: T, indices: Tindices -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_centered_rms_prop_with(struct sl_scope *scope, TF_Output var, TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, TF_Output indices, struct sl_sparse_apply_centered_rms_prop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&mg, -1}, {&ms, -1}, {&mom, -1}, {&lr, -1}, {&rho, -1}, {&momentum, -1}, {&epsilon, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "SparseApplyCenteredRMSProp", inputs_, 10, attrs_, 1));
}
static inline TF_Output sl_sparse_apply_centered_rms_prop(struct sl_scope *scope, TF_Output var, TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, TF_Output indices) {
    const struct sl_sparse_apply_centered_rms_prop_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_centered_rms_prop_with(scope, var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices, attrs);
}

struct sl_sparse_apply_ftrl_attrs {
    bool use_locking; /* false */
    bool multiply_linear_by_lr; /* false */
};
/* SparseApplyFtrl: var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, indices: Tindices, lr: T, l1: T, l2: T, lr_power: T -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_ftrl_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output lr_power, struct sl_sparse_apply_ftrl_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&linear, -1}, {&grad, -1}, {&indices, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&lr_power, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"multiply_linear_by_lr", SL_GIVEN_BOOL, &attrs.multiply_linear_by_lr}};
    return sl_op_first(sl_op(scope, "SparseApplyFtrl", inputs_, 9, attrs_, 2));
}
static inline TF_Output sl_sparse_apply_ftrl(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output lr_power) {
    const struct sl_sparse_apply_ftrl_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_ftrl_with(scope, var, accum, linear, grad, indices, lr, l1, l2, lr_power, attrs);
}

struct sl_sparse_apply_ftrl_v2_attrs {
    bool use_locking; /* false */
    bool multiply_linear_by_lr; /* false */
};
/* SparseApplyFtrlV2: var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, indices: Tindices, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_ftrl_v2_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output l2_shrinkage, TF_Output lr_power, struct sl_sparse_apply_ftrl_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&linear, -1}, {&grad, -1}, {&indices, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&l2_shrinkage, -1}, {&lr_power, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"multiply_linear_by_lr", SL_GIVEN_BOOL, &attrs.multiply_linear_by_lr}};
    return sl_op_first(sl_op(scope, "SparseApplyFtrlV2", inputs_, 10, attrs_, 2));
}
static inline TF_Output sl_sparse_apply_ftrl_v2(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output linear, TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output l2_shrinkage, TF_Output lr_power) {
    const struct sl_sparse_apply_ftrl_v2_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_ftrl_v2_with(scope, var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power, attrs);
}

struct sl_sparse_apply_momentum_attrs {
    bool use_locking; /* false */
    bool use_nesterov; /* false */
};
/* SparseApplyMomentum: var: Ref(T), accum: Ref(T), lr: T, grad: T, indices: Tindices, momentum: T -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_momentum_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices, TF_Output momentum, struct sl_sparse_apply_momentum_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&grad, -1}, {&indices, -1}, {&momentum, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}, {"use_nesterov", SL_GIVEN_BOOL, &attrs.use_nesterov}};
    return sl_op_first(sl_op(scope, "SparseApplyMomentum", inputs_, 6, attrs_, 2));
}
static inline TF_Output sl_sparse_apply_momentum(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices, TF_Output momentum) {
    const struct sl_sparse_apply_momentum_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_momentum_with(scope, var, accum, lr, grad, indices, momentum, attrs);
}

struct sl_sparse_apply_proximal_adagrad_attrs {
    bool use_locking; /* false */
};
/* SparseApplyProximalAdagrad: var: Ref(T), accum: Ref(T), lr: T, l1: T, l2: T, grad: T, indices: Tindices -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_proximal_adagrad_with(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices, struct sl_sparse_apply_proximal_adagrad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&accum, -1}, {&lr, -1}, {&l1, -1}, {&l2, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "SparseApplyProximalAdagrad", inputs_, 7, attrs_, 1));
}
static inline TF_Output sl_sparse_apply_proximal_adagrad(struct sl_scope *scope, TF_Output var, TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices) {
    const struct sl_sparse_apply_proximal_adagrad_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_proximal_adagrad_with(scope, var, accum, lr, l1, l2, grad, indices, attrs);
}

struct sl_sparse_apply_proximal_gradient_descent_attrs {
    bool use_locking; /* false */
};
/* SparseApplyProximalGradientDescent: var: Ref(T), alpha: T, l1: T, l2: T, grad: T, indices: Tindices -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_proximal_gradient_descent_with(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices, struct sl_sparse_apply_proximal_gradient_descent_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&alpha, -1}, {&l1, -1}, {&l2, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "SparseApplyProximalGradientDescent", inputs_, 6, attrs_, 1));
}
static inline TF_Output sl_sparse_apply_proximal_gradient_descent(struct sl_scope *scope, TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices) {
    const struct sl_sparse_apply_proximal_gradient_descent_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_proximal_gradient_descent_with(scope, var, alpha, l1, l2, grad, indices, attrs);
}

struct sl_sparse_apply_rms_prop_attrs {
    bool use_locking; /* false */
};
/* SparseApplyRMSProp: var: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum: T, epsilon: T, grad: T, indices: Tindices -> out: Ref(T) */
static inline TF_Output sl_sparse_apply_rms_prop_with(struct sl_scope *scope, TF_Output var, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, TF_Output indices, struct sl_sparse_apply_rms_prop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&var, -1}, {&ms, -1}, {&mom, -1}, {&lr, -1}, {&rho, -1}, {&momentum, -1}, {&epsilon, -1}, {&grad, -1}, {&indices, -1}};
    const struct sl_attr_given attrs_[] = {{"use_locking", SL_GIVEN_BOOL, &attrs.use_locking}};
    return sl_op_first(sl_op(scope, "SparseApplyRMSProp", inputs_, 9, attrs_, 1));
}
static inline TF_Output sl_sparse_apply_rms_prop(struct sl_scope *scope, TF_Output var, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum, TF_Output epsilon, TF_Output grad, TF_Output indices) {
    const struct sl_sparse_apply_rms_prop_attrs attrs = SL_DEFAULTS;
    return sl_sparse_apply_rms_prop_with(scope, var, ms, mom, lr, rho, momentum, epsilon, grad, indices, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
