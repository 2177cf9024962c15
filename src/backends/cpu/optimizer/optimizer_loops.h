/* The inner loops of training: isa/optimizer_rules.inc says what one element of a variable, its slots and its
 * gradient become, isa/optimizer.inc makes loops of that, optimizer_cpu.c is the kernel around them. Constant code;
 * thread-safe. */
#ifndef SL_BACKENDS_CPU_OPTIMIZER_OPTIMIZER_LOOPS_H
#define SL_BACKENDS_CPU_OPTIMIZER_OPTIMIZER_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/isa.h"

/* Every number that steers a rule, by the name of the op's input. */
#define SL_HYPERS(H)                                                                                                   \
    H(alpha)                                                                                                           \
    H(beta)                                                                                                            \
    H(beta1)                                                                                                           \
    H(beta1_power)                                                                                                     \
    H(beta2)                                                                                                           \
    H(beta2_power)                                                                                                     \
    H(epsilon)                                                                                                         \
    H(global_step)                                                                                                     \
    H(l1)                                                                                                              \
    H(l2)                                                                                                              \
    H(l2_shrinkage)                                                                                                    \
    H(logbase)                                                                                                         \
    H(lr)                                                                                                              \
    H(lr_power)                                                                                                        \
    H(momentum)                                                                                                        \
    H(rho)                                                                                                             \
    H(sign_decay)

enum sl_hyper {
#define H(name) SL_HYPER_##name,
    SL_HYPERS(H)
#undef H
        SL_HYPER_COUNT
};

/* Those that a call has; and the attrs that pick between two forms of a rule. */
struct sl_hypers {
    double _Complex value[SL_HYPER_COUNT]; /* exact: converted back to the type of the variable */
    bool use_nesterov, update_slots, multiply_linear_by_lr;
};

/* Rules, and the tensors that each changes: the variable first, then its slots in the order of the op's inputs. */
#define SL_UPDATE_RULES(R) SL_COMPLEX_UPDATE_RULES(R) SL_REAL_UPDATE_RULES(R) SL_BASE_UPDATE_RULES(R)
#define SL_COMPLEX_UPDATE_RULES(R)                                                                                     \
    R(gradient_descent, 1)                                                                                             \
    R(momentum, 2)                                                                                                     \
    R(keras_momentum, 2)                                                                                               \
    R(adagrad, 2)                                                                                                      \
    R(adagrad_v2, 2)                                                                                                   \
    R(adadelta, 3)                                                                                                     \
    R(adam, 3)                                                                                                         \
    R(rms_prop, 3)                                                                                                     \
    R(sparse_rms_prop, 3)                                                                                              \
    R(centered_rms_prop, 4)                                                                                            \
    R(sparse_centered_rms_prop, 4)
#define SL_REAL_UPDATE_RULES(R)                                                                                        \
    R(adam_amsgrad, 4)                                                                                                 \
    R(ada_max, 3)                                                                                                      \
    R(proximal_gradient_descent, 1)                                                                                    \
    R(proximal_adagrad, 2)                                                                                             \
    R(adagrad_da, 3)                                                                                                   \
    R(ftrl_by_root, 3)                                                                                                 \
    R(add_sign, 2)                                                                                                     \
    R(power_sign, 2)

/* Of which no vectors can be made: in the base set alone. */
#define SL_BASE_UPDATE_RULES(R) R(ftrl, 3)

enum sl_update_rule {
#define R(name, states) SL_UPDATE_##name,
    SL_UPDATE_RULES(R)
#undef R
        SL_UPDATE_COUNT
};

enum { SL_UPDATE_STATES = 4 };

/* Changes `n` elements of each state by as many of the gradient. No state overlaps another but as a whole. */
typedef void (*sl_update_fn)(void *const states[SL_UPDATE_STATES], const void *grad, const struct sl_hypers *h,
                             int64_t n);

/* The loop for elements of type `dtype`: floats and, for SL_COMPLEX_UPDATE_RULES in the base set alone, complex
 * numbers; else NULL, as for SL_BASE_UPDATE_RULES in other sets. half and bfloat16 are computed in float and rounded
 * when stored. */
SL_ISA_DECLARE(sl_update_fn, sl_update_loop, (enum sl_update_rule rule, int dtype))

#endif
