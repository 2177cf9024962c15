/* Training: gradients, clipping, and optimisers that update variables.
 *
 *     const struct sl_optimizer adam = {.kind = SL_ADAM, .rate = .001};
 *     TF_Operation *train = sl_minimize(s, &adam, loss, NULL);
 *
 * or in steps: sl_compute_gradients, whatever is done to the gradients, sl_apply_gradients. Errors and threads: see
 * sluice/scope.h. */
#ifndef SLUICE_TRAIN_H
#define SLUICE_TRAIN_H

#include "sluice/gradient.h"
#include "sluice/variables.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sl_optimizer_kind {
    SL_SGD,      /* w -= rate g */
    SL_MOMENTUM, /* a = momentum a + g; w -= rate a; Nesterov: w -= rate (g + momentum a) */
    SL_ADAGRAD,  /* a += g^2; w -= rate g / sqrt(a); Duchi et al. 2011 */
    SL_ADADELTA, /* Zeiler 2012 */
    SL_RMSPROP, /* a = decay a + (1 - decay) g^2; w -= rate g / sqrt(a + epsilon), less the mean's square when centred */
    SL_ADAM,    /* Kingma and Ba 2015; AMSGrad: Reddi et al. 2018 */
    SL_FTRL     /* McMahan et al. 2013 */
};
/* A number that is 0 is the default, in this order of the kinds that use it. */
struct sl_optimizer {
    enum sl_optimizer_kind kind;
    double rate;
    TF_Output rate_of_step;             /* a scalar instead of `rate`, as schedules give, when it has an `oper` */
    double momentum;                    /* SL_MOMENTUM (0.9), SL_RMSPROP (none) */
    bool nesterov;                      /* SL_MOMENTUM, SL_ADAM */
    bool centered;                      /* SL_RMSPROP */
    bool amsgrad;                       /* SL_ADAM: divides by the largest second moment so far; ignores `nesterov` */
    double decay;                       /* SL_RMSPROP (0.9), SL_ADADELTA (0.95) */
    double beta1, beta2;                /* SL_ADAM (0.9, 0.999) */
    double epsilon;                     /* SL_RMSPROP (1e-10), SL_ADAM, SL_ADADELTA (1e-8) */
    double initial;                     /* of the accumulator: SL_ADAGRAD, SL_FTRL (0.1) */
    double l1, l2, l2_shrinkage, power; /* SL_FTRL (0, 0, 0, -0.5) */
    const char *name;                   /* of what it adds; NULL: by its kind, as "adam" */
};

/* The gradients of the sum of all ys with respect to xs; {NULL, 0} for an x that no y depends on. Within a callback
 * of a loop: of what the ys are made of in one iteration, xs being values of the body or of outside. */
SL_API void sl_gradients(struct sl_scope *scope, TF_Output *dxs, const TF_Output *ys, int ny, const TF_Output *xs,
                         int nx);
/* The gradients of a loss with respect to n variables, NULL and 0 for all trainable ones; those that it does not
 * depend on get {NULL, 0}. Gradients of gathers are IndexedSlices (struct sl_slices). `gradients` has room for as
 * many. A body that changes variables must read them by sl_read: `value` was read before the loop. */
SL_API void sl_compute_gradients(struct sl_scope *scope, TF_Output loss, const struct sl_var *variables, int n,
                                 struct sl_slices *gradients);
/* An operation that changes the variables by the gradients of sl_compute_gradients, and then adds 1 to `step` (may
 * be NULL). */
SL_API TF_Operation *sl_apply_gradients(struct sl_scope *scope, const struct sl_optimizer *optimizer,
                                        const struct sl_var *variables, int n, const struct sl_slices *gradients,
                                        const struct sl_var *step);
/* Both, for all trainable variables. */
SL_API TF_Operation *sl_minimize(struct sl_scope *scope, const struct sl_optimizer *optimizer, TF_Output loss,
                                 const struct sl_var *step);
/* A counter of steps: int64, untrained, 0 at first. */
SL_API struct sl_var sl_step_counter(struct sl_scope *scope);

/* ---- clipping, between computing and applying; `gradients` are changed in place */
SL_API void sl_clip_gradients_by_value(struct sl_scope *scope, struct sl_slices *gradients, int n, double largest);
SL_API void sl_clip_gradients_by_norm(struct sl_scope *scope, struct sl_slices *gradients, int n, double largest);
/* All by one factor, so that their norm together is at most `largest`. Returns that norm, before. */
SL_API TF_Output sl_clip_gradients_by_global_norm(struct sl_scope *scope, struct sl_slices *gradients, int n,
                                                  double largest);
/* The root of the sum of the squares of all elements. */
SL_API TF_Output sl_global_norm(struct sl_scope *scope, const struct sl_slices *gradients, int n);

/* ---- schedules: rates of a step, for rate_of_step; `step` is a counter's value */
/* rate * decay^(step / steps); in stairs: of whole numbers of `steps`. */
SL_API TF_Output sl_exponential_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double decay,
                                      bool in_stairs);
/* rate / (1 + decay step / steps) */
SL_API TF_Output sl_inverse_time_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double decay,
                                       bool in_stairs);
/* From `rate` to `end` in so many steps, along (1 - step / steps)^power. */
SL_API TF_Output sl_polynomial_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double end,
                                     double power);
/* From `rate` to rate * end in so many steps, along half a wave of a cosine. */
SL_API TF_Output sl_cosine_decay(struct sl_scope *scope, TF_Output step, double rate, double steps, double end);
/* rates[0] while step <= boundaries[0], rates[1] while step <= boundaries[1] ..., rates[n] after that. */
SL_API TF_Output sl_piecewise_constant(struct sl_scope *scope, TF_Output step, const int64_t *boundaries,
                                       const double *rates, int n);

/* ---- moving averages */
/* Makes a variable beside each of n, whose initial value is the variable's, and an operation that brings them
 * nearer: average -= (1 - decay) (average - variable). With `step` the decay is at most (1 + step) / (10 + step).
 * `averages` has room for n. */
SL_API TF_Operation *sl_moving_averages(struct sl_scope *scope, struct sl_var *averages, const struct sl_var *variables,
                                        int n, double decay, const struct sl_var *step);

#ifdef __cplusplus
}
#endif

#endif
